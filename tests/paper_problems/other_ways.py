"""The answer of each problem with numbers, computed in another way: by the library, by SciPy, or by trying out.

A function takes what it needs by name from the numbers of the problem and what its ``work`` gave, never its answer.
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import numpy as np
from scipy import linalg, optimize, stats
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from kcourse import SVC, BudgetPerceptron, Graph, Linear, MaxMargin, Polynomial, Precomputed
from kcourse.graphs import WeisfeilerLehman
from kcourse.rbf import cover_count, lms, online_kmeans
from kcourse.strings import Spectrum

__all__ = ["OTHER_WAYS"]


def least(function: Any, n: int) -> np.ndarray:
    """Where a convex quadratic of n variables is least, from its values alone."""
    zero, unit = function(np.zeros(n)), np.eye(n)
    H = [[function(a + b) - function(a) - function(b) + zero for b in unit] for a in unit]
    slope = [function(a) - zero - H[i][i] / 2 for i, a in enumerate(unit)]
    return np.linalg.solve(np.array(H, float), -np.array(slope, float))


def floats(values: Any) -> np.ndarray:
    return np.array(values, dtype=float)


def voted(x: list[int], labels: np.ndarray) -> int:
    said = cross_val_predict(KNeighborsClassifier(3), floats(x)[:, None], labels, cv=LeaveOneOut())
    return int(np.sum(said != labels))


def weighted(x: list[int], y: list[int], q: int, h: int) -> np.ndarray:
    w = [max(0.0, 1 - abs(q - each) / h) for each in x]
    return least(lambda m: sum(v * (t - m[0]) ** 2 for v, t in zip(w, y, strict=True)), 1)


def conditional(mean: Any, covariance: Any, y: Any) -> tuple[float, float]:
    """Mean and variance of the last variable given all others, of a Gaussian: by regression on draws' moments."""
    S, n = floats(covariance), len(covariance) - 1
    w = linalg.lstsq(S[:n, :n], S[:n, n])[0]
    left = np.append(-w, 1) @ S @ np.append(-w, 1)
    return float(mean + w @ floats(y)), float(left)


def after_one(a: int, c: int, noise: int, y: int) -> tuple[float, float]:
    return conditional(0.0, [[a + noise, c], [c, a]], [y])


def after_many(v: int, noise: int, n: int) -> float:
    return conditional(0.0, v * np.ones((n + 1, n + 1)) + np.diag([noise] * n + [0]), np.zeros(n))[1]


def after_two(K: np.ndarray, k: np.ndarray, noise: int, y: np.ndarray) -> float:
    joint = np.block([[K + noise * np.eye(2), k[:, None]], [k[None], np.full((1, 1), 99.0)]])
    return conditional(0.0, joint, y)[0]


def perceptron(X: np.ndarray, y: np.ndarray, budget: int) -> np.ndarray:
    model = BudgetPerceptron(Linear(), budget=budget).partial_fit(X, y, classes=[-1, 1])
    return model.decision_function(np.eye(2))


def widest(plus: np.ndarray, minus: np.ndarray) -> np.ndarray:
    model = MaxMargin(Linear()).fit(np.array([plus, minus], float), [1, -1])
    origin, *units = model.decision_function(np.vstack([np.zeros(2), np.eye(2)]))
    return np.array([*(unit - origin for unit in units), origin])


def clipped(C: int, y: np.ndarray, alpha: list[Any], e: np.ndarray, K: np.ndarray) -> float:
    """The best α₂ on the line, found among ten thousand; f changes with both weights."""
    a = floats(alpha)
    second = np.linspace(0, C, 100_001)
    first = a[0] - y[0] * y[1] * (second - a[1])
    inside = (first >= -1e-12) & (first <= C + 1e-12)
    d = np.array([y[0] * (first - a[0]), y[1] * (second - a[1])])  # how the coefficients α y change
    loss = floats(e) @ d + 0.5 * np.einsum("in,ij,jn->n", d, K, d)
    return float(second[inside][loss[inside].argmin()])


def within(C: int, y: np.ndarray, alpha: list[Any]) -> list[float]:
    """The ends of what is left of a fine grid of second weights."""
    a, second = floats(alpha), np.linspace(0, C, 2 * C + 1)
    first = a[0] - y[0] * y[1] * (second - a[1])
    allowed = second[(first >= 0) & (first <= C)]
    return [allowed.min(), allowed.max()]


def mixture(part: Any, p: Any, q: Any) -> float:
    draws = np.array([float(part) * float(p), (1 - float(part)) * float(q)])
    return float(draws[0] / draws.sum())


def between_counts(s: str, t: str) -> int:
    """By the counts of each piece that two letters can make."""
    letters = sorted({*s, *t})
    pieces = [a + b for a in letters for b in letters]
    once, again = ([sum(text[i : i + 2] == p for i in range(len(text) - 1)) for p in pieces] for text in (s, t))
    return int(np.sum(np.subtract(once, again) ** 2))


def walked(A: np.ndarray, steps: int) -> int:
    nodes = itertools.product(range(4), repeat=steps + 1)
    return sum(all(A[a, b] for a, b in itertools.pairwise(walk)) for walk in nodes)


def graph(edges: str) -> Graph:
    A = np.zeros((4, 4))
    for edge in edges.split(", "):
        i, j = (int(node) - 1 for node in edge.split("–"))
        A[i, j] = A[j, i] = 1
    return Graph(A)


def largest(points: list[np.ndarray]) -> list[float]:
    X = np.array(points, float)
    return [np.linalg.norm(X, 2) ** 2, float(PCA().fit(X).explained_variance_[0]) * (len(X) - 1) / len(X)]


def first_axis(v: np.ndarray, mu: int) -> np.ndarray:
    K = mu * np.outer(v, v) / (v @ v)
    values, vectors = np.linalg.eigh(K)
    score = vectors[:, -1] * np.sqrt(values[-1])
    return score * np.sign(score @ v)


def moved_centre(c: list[int], x: int, eta: Any) -> np.ndarray:
    return online_kmeans([[x]], floats(c)[:, None], eta=float(eta), order=[0]).centers.ravel()


def lloyd(x: list[int], c: list[int]) -> np.ndarray:
    model = KMeans(2, init=floats(c)[:, None], n_init=1, max_iter=1).fit(floats(x)[:, None])
    groups = np.abs(np.subtract.outer(x, c)).argmin(axis=1)
    assert model.n_iter_ == 1
    return np.array([floats(x)[groups == j].mean() for j in (0, 1)])


def machine(phi: np.ndarray, y: np.ndarray, lam: int, g: int) -> np.ndarray:
    return least(lambda w: float(np.sum((y - w[0] * phi) ** 2) + lam * g * w[0] ** 2), 1)


def norm_through(x: np.ndarray, y: np.ndarray) -> float:
    """∫ f'² of the polygon from (0, 0) through the points, on a fine grid."""
    at = np.linspace(0, x[-1], int(x[-1]) * 100 + 1)
    f = np.interp(at, [0, *x], [0, *y])
    return float(np.sum(np.diff(f) ** 2 / np.diff(at)))


def spread(K: np.ndarray, u: np.ndarray, v: np.ndarray) -> float:
    R = np.linalg.cholesky(K.astype(float))  # points in the plane with these inner products
    return float((u @ R) @ (v @ R))


OTHER_WAYS = {
    "ch01_neighbors/left_out": voted,
    "ch01_neighbors/smooth": weighted,
    "ch01_neighbors/window": lambda x, q, h: np.mean([stats.triang(0.5, each - h, 2 * h).pdf(q) for each in x]),
    "ch01_neighbors/edge": lambda percent, d: optimize.brentq(lambda a: a**d - percent / 100, 0, 1),
    "ch02_kernels/apart": lambda x, z, c: np.sum((features(x, c) - features(z, c)) ** 2),
    "ch02_kernels/gram_matrix": lambda x, z, c: Polynomial(1.0, c, 2)(np.array([x, z])),
    "ch02_kernels/coordinates": lambda p, d: sum(sum(m) <= d for m in itertools.product(range(d + 1), repeat=p)),
    "ch02_kernels/centred": lambda K: ((np.eye(3) - 1 / 3) @ K @ (np.eye(3) - 1 / 3))[0, 1],
    "ch03_ridge/left_out": lambda h, y, f: float(y - (f - h * y) / (1 - h)),  # f is h y and a share of the others'
    "ch03_ridge/two_points": lambda K, y, lam: least(lambda a: np.sum((y - K @ a) ** 2) + lam * a @ K @ a, 2),
    "ch03_ridge/freedom": lambda mu, lam: np.trace(np.diag(mu) @ np.linalg.inv(np.diag(mu) + lam * np.eye(4))),
    "ch03_ridge/least_norm": norm_through,
    "ch04_gp/one_mean": lambda a, c, noise, y: after_one(a, c, noise, y)[0],
    "ch04_gp/one_variance": lambda a, c, noise, y: after_one(a, c, noise, y)[1],
    "ch04_gp/repeated": after_many,
    "ch04_gp/evidence": lambda a, noise, y: stats.norm(0, np.sqrt(a + noise)).logpdf(y),
    "ch04_gp/two_mean": after_two,
    "ch05_margin/distance": lambda w, b, x: linalg.norm(x - linalg.lstsq([w], [-b + 0.0])[0] - off(w, x)),
    "ch05_margin/one_pass": lambda X, y: perceptron(X, y, 99),
    "ch05_margin/pair": widest,
    "ch05_margin/mistakes": lambda R, width: max(m for m in range(2000) if m * width / 2 <= R * np.sqrt(m) + 1e-9),
    "ch06_svm/threshold": lambda K, y: SVC(Precomputed(K), C=99.0).fit([[0], [1]], y).intercept_,
    "ch06_svm/dual": lambda K, y, alpha: alpha.sum() - 0.5 * np.sum(np.outer(alpha * y, alpha * y) * K),
    "ch06_svm/step": clipped,
    "ch06_svm/bounds": within,
    "ch06b_svr_online/price": lambda n, C: optimize.brentq(lambda lam: 1 / lam - n * C, 1e-4, 1),
    "ch06b_svr_online/loss": lambda y, f, eps: sum(max(0, abs(a - b) - eps) for a, b in zip(y, f, strict=True)),
    "ch06b_svr_online/pegasos": lambda w, x, y, t, lam: stepped(w, x, y, t, lam),
    "ch06b_svr_online/memory": lambda X, y: perceptron(X, y, 2),
    "ch07a_rbf_interpolation/through": lambda x, y: linalg.lstsq(np.abs(np.subtract.outer(x, x)) + 0.0, y + 0.0)[0],
    "ch07a_rbf_interpolation/conditions": lambda n, d, m: n + len(list(exponents(d, m))),
    "ch07a_rbf_interpolation/bell": machine,
    "ch07b_rbf_networks/cover": lambda N, m: cover_count(N, m),
    "ch07b_rbf_networks/lloyd": lloyd,
    "ch07b_rbf_networks/winner": moved_centre,
    "ch07b_rbf_networks/share": mixture,
    "ch07b_rbf_networks/lms": lambda w, phi, y, eta: learned(w, phi, y, eta),
    "ch08_kpca/part": lambda d: sum(sorted(d)[-2:]) / sum(d),
    "ch08_kpca/rest": lambda k, z: k - np.linalg.norm(z) ** 2,
    "ch08_kpca/linear": largest,
    "ch08_kpca/scores": first_axis,
    "ch09_rkhs/pieces": lambda s, t: Spectrum(2)([s], [t])[0, 0],
    "ch09_rkhs/product": spread,
    "ch09_rkhs/far": between_counts,
    "ch09_rkhs/walks": walked,
    "ch09_rkhs/colours": lambda e1, e2: WeisfeilerLehman(1)([graph(e1)], [graph(e2)])[0, 0],
    "ch10_scaling/memory": lambda thousands, m: [8e6 * thousands**2 / 1e9, 8e3 * thousands * m / 1e6],
    "ch10_scaling/longer": lambda factor, seconds: [seconds * factor**3, seconds * factor],
    "ch10_scaling/fourier": lambda m, factor: optimize.brentq(lambda n: factor * np.sqrt(m / n) - 1, 1, 1e6),
    "ch10_scaling/stream": lambda phi, y, lam: least(lambda w: np.sum((y - w[0] * phi) ** 2) + lam * w[0] ** 2, 1),
    "ch10_scaling/nystrom": lambda M, u, v: linalg.lstsq(M + 0.0, u + 0.0)[0] @ v,
}  # fmt: skip


def features(x: np.ndarray, c: int) -> np.ndarray:
    a, b = x
    return np.array([a * a, b * b, np.sqrt(2) * a * b, np.sqrt(2 * c) * a, np.sqrt(2 * c) * b, c])


def off(w: np.ndarray, x: np.ndarray) -> np.ndarray:
    """The part of x along the line."""
    along = np.array([-w[1], w[0]]) / np.linalg.norm(w)
    return along * (along @ x)


def exponents(d: int, m: int) -> Any:
    return (powers for powers in itertools.product(range(m + 1), repeat=d) if sum(powers) <= m)


def stepped(w: np.ndarray, x: np.ndarray, y: int, t: int, lam: Any) -> np.ndarray:
    """A step against the gradient of λ/2 ‖w‖² + the loss, with the gradient taken by differences."""

    def loss(v: np.ndarray) -> float:
        return float(lam) / 2 * v @ v + max(0.0, 1 - y * v @ x)

    eps = 1e-6 * np.eye(2)
    slope = np.array([loss(w + e) - loss(w - e) for e in eps]) / 2e-6
    return w - slope / (float(lam) * t)


def learned(w: np.ndarray, phi: np.ndarray, y: int, eta: Any) -> np.ndarray:
    """The step of the library from 0, which the target shifted by what w says already makes one from w."""
    with warnings.catch_warnings(action="ignore"):  # in the long run this step may be too long
        return w + lms([phi], [y - w @ phi], eta=float(eta), order=[0]).weights.ravel()
