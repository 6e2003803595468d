"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from scipy import integrate, optimize
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from kcourse import Gaussian, Linear, Nystrom
from kcourse.scaling import leverage_scores, pivoted_landmarks
from tests.paper_problems.other_ways import floats, least

__all__ = ["OTHER_WAYS"]


def from_criterion(k: np.ndarray, y: np.ndarray, lam: int, q: int) -> list[float]:
    a = least(lambda a: np.sum((y - a[0] * k) ** 2) + lam * k[0] * a[0] ** 2, 1)[0]
    w = least(lambda w: np.sum((y - w[0] * k / np.sqrt(k[0])) ** 2) + lam * w[0] ** 2, 1)[0]
    alone = least(lambda a: (y[0] - a[0] * k[0]) ** 2 + lam * k[0] * a[0] ** 2, 1)[0]
    return [a, w, q * a, q * alone]


def cauchy(q: int, r: int) -> list[float]:
    """With the frequencies of this kernel, which have Cauchy's distribution, by quadrature."""

    def mean(u: float) -> float:
        return 2 * integrate.quad(lambda w: 1 / (np.pi * (1 + w * w)), 0, np.inf, weight="cos", wvar=u)[0]

    u = np.log(q)
    one = (1 + mean(2 * u)) / 2 - mean(u) ** 2
    return [round(each * r * r, 3) for each in (2 * one, one + 0.5)]


def projected(z: np.ndarray, x1: np.ndarray, x2: np.ndarray) -> np.ndarray:
    X, two = floats([x1, x2]), floats([z, z + [0, 1]])
    F, G = (Nystrom(Linear(), landmarks=Z).fit(X).transform(X) for Z in (floats([z]), two))
    np.testing.assert_allclose(G @ G.T, X @ X.T, atol=1e-9)
    assert np.linalg.eigvalsh(X @ X.T - F @ F.T).min() > -1e-9
    return F @ F.T


def drawn_places(n1: int, n2: int, lam: int) -> list[float]:
    X = np.repeat([0.0, 500.0], [n1, n2])[:, None]
    leverage = leverage_scores(Gaussian(1.0), X, lam)
    found = [leverage[0], leverage[-1]]
    shares = [leverage / leverage.sum(), np.full(len(X), 1 / len(X))]
    found += [share[n1:].sum() for share in shares]
    for share in shares:
        draws = product(range(len(X)), repeat=2)
        found.append(sum(share[i] * share[j] for i, j in draws if X[i] != X[j]))
    assert all(np.ptp(X[pivoted_landmarks(Gaussian(1.0), X, 2, rng=seed)]) > 0 for seed in range(20))
    return found


def residuals(z1: int, z2: int, base: int, width: int) -> list[float]:
    kernel = Gaussian(np.sqrt(width / (2 * np.log(base))))
    grid = np.array([(z1 + z2) / 2, z1, z2, z1 - 9.0 * width, z2 + 9.0 * width])[:, None]
    one, two = (
        1 - np.sum(Nystrom(kernel, landmarks=floats(Z)[:, None]).fit(grid).transform(grid) ** 2, axis=1)
        for Z in ([z1], [z1, z2])
    )
    np.testing.assert_allclose(two[1:], [0, 0, 1, 1], atol=1e-4)
    return [one[0], two[0]]


def minimised(Knm: np.ndarray, Kmm: np.ndarray, y: np.ndarray, lam: int) -> np.ndarray:
    return least(lambda a: np.sum((y - Knm @ a) ** 2) + lam * a @ Kmm @ a, 2)


def averaged(n1: int, n2: int, square: Any, D: int) -> list[float]:
    """With the variances of single terms, by averages over frequencies and phases."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    phase = (np.arange(16) + 0.5) / 16 * 2 * np.pi
    places = np.repeat([0.3, 0.3 + np.sqrt(-np.log(float(square)))], [n1, n2])
    pairs = phases = 0.0
    for x, z in product(places, places):
        cosine = np.cos(nodes * (x - z))
        pairs += (weights @ cosine**2 - (weights @ cosine) ** 2) / (D / 2)
        term = 2 * np.cos(nodes[:, None] * x + phase) * np.cos(nodes[:, None] * z + phase)
        phases += (weights @ np.mean(term**2, axis=1) - (weights @ term.mean(axis=1)) ** 2) / D
    return [pairs, phases]


def equal_cost(m: int, n: int) -> list[float]:
    s = optimize.brentq(lambda s: s**3 / 6 - n * m**2 / 2, 1, n)
    return [s / m, s**2 / m**2]


def their_scale(X: np.ndarray, factor: int) -> list[float]:
    """From the width that a support vector machine of scikit-learn takes by this rule."""
    first, second = (SVC(gamma="scale").fit(floats(each), [0, 0, 1])._gamma for each in (X, factor * X))
    curved = (2 - 2 * rbf_kernel([[0.0]], [[1e-3]], gamma=first)[0, 0]) / 1e-6  # -k'' at 0, the mean of ω²
    return [first, curved, 1 / (2 * second)]


OTHER_WAYS = {
    "one_landmark": from_criterion, "other_kernel": cauchy, "in_the_plane": projected, "two_places": drawn_places,
    "between": residuals, "coefficients": minimised, "gram_error": averaged, "same_cost": equal_cost,
    "default_width": their_scale,
}  # fmt: skip
