"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from sklearn.decomposition import PCA
from sklearn.decomposition import KernelPCA as TheirKernelPCA

from kcourse import Gaussian, KernelFisherDiscriminant, KernelPCA, Linear, Precomputed
from tests.paper_problems.other_ways import floats

__all__ = ["OTHER_WAYS"]


def repeated(first: int, second: int, aa: int, bb: int, ab: int) -> list[float]:
    which = np.repeat([0, 1], [first, second])
    K = np.array([[aa, ab], [ab, bb]])[np.ix_(which, which)]
    model = TheirKernelPCA(kernel="precomputed", remove_zero_eig=True).fit(K)
    assert len(model.eigenvalues_) == 1
    s = model.transform(K)[:, 0]
    s = s * np.sign(s[0])
    return [s[0], s[-1], model.eigenvalues_[0], np.mean(s**2)]


def equal_row(n: int, c: Any, r: Any) -> list[float]:
    K = np.full((n + 1, n + 1), float(c))
    K[n], K[:, n] = float(r), float(r)
    np.fill_diagonal(K, 1)
    F = np.linalg.cholesky(K)
    model = PCA().fit(F[:n])
    kept = model.explained_variance_ > 1e-12
    np.testing.assert_allclose(model.transform(F[n:])[0][kept], 0, atol=1e-9)
    values = model.explained_variance_[kept] * (n - 1)
    np.testing.assert_allclose(values, values[0])
    return [values[0], kept.sum(), np.sum((F[n] - F[:n].mean(axis=0)) ** 2)]


def as_a_function(x: list[int], sigma: int) -> list[float]:
    model = KernelPCA(Gaussian(sigma), n_components=1).fit(floats(x)[:, None])

    def score(at: Any) -> np.ndarray:
        return model.transform(np.reshape(at, (-1, 1)))[:, 0] * np.sign(model.transform(floats([[x[1]]]))[0, 0])

    grid = np.linspace(x[0] - 9 * sigma, x[1] + 9 * sigma, 4001)
    values = score(grid)
    assert grid[values.argmax()] > x[1] and grid[values.argmin()] < x[0] and np.abs(values[[0, -1]]).max() < 1e-3
    np.testing.assert_allclose(score(np.mean(x)), 0, atol=1e-9)
    up, down = score([x[1] + 1e-4, x[1] - 1e-4])
    return [model.eigenvalues_[0], score(x[1])[0], (up - down) / 2e-4]


def four(b: int, m: int) -> list[float]:
    a = next(a for a in range(1, 99) if (b * b) * m == a * a + b * b)
    points = floats([[a, b], [-a, b], [a, -b], [-a, -b]])
    model = KernelPCA(Linear(), n_components=2).fit(points)
    scores = np.abs(model.transform(points))
    np.testing.assert_allclose(scores, np.abs(points))
    np.testing.assert_allclose(model.explained_variance_ratio_[1], 1 / m)
    return [a, *model.eigenvalues_]


def discriminant(K: np.ndarray, row: np.ndarray, label: int) -> list[float]:
    """By the library, for two values of λ; its axis is scaled to the length of δ."""
    delta = K @ [1, -1]
    for lam in (0.1, 7.0):
        model = KernelFisherDiscriminant(Precomputed(K), lam=lam).fit([[0], [1]], [1, 0])
        alpha = model.dual_coef_.ravel()
        alpha = alpha * np.sign(alpha @ delta) * np.linalg.norm(delta) / np.linalg.norm(alpha)
        found = [*alpha, *(K @ alpha), row @ alpha]
        assert label == (abs(found[4] - found[2]) < abs(found[4] - found[3]))
    return found


def scored(K: np.ndarray, row: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    model = TheirKernelPCA(n_components=1, kernel="precomputed").fit(K)
    score = model.transform(row[None])[0, 0] * np.sign(model.eigenvectors_[:, 0] @ floats(alpha))
    return np.array([score, model.eigenvalues_[0]])


def centred_trace(n: int, mean: Any, lam: int) -> list[float]:
    """For a Gram matrix with this mean and the diagonal of a Gaussian kernel."""
    away = (float(mean) * n * n - n) / (n * n - n)
    K = (1 - away) * np.eye(n) + away
    H = np.eye(n) - 1 / n
    return [np.trace(H @ K @ H) / n, lam / np.trace(H @ K @ H)]


def iterated(X: list[np.ndarray], alpha: np.ndarray, start: np.ndarray, s: Any) -> np.ndarray:
    """With the axis of the library, whose sign is that of α."""
    kernel, points = Gaussian(np.sqrt(1 / (2 * np.log(3)))), floats(X)
    axis = KernelPCA(kernel, n_components=1).fit(points).dual_coef_[:, 0]
    axis = axis * np.sign(axis @ floats(alpha))
    np.testing.assert_allclose(axis, floats(alpha), atol=1e-9)
    weights = kernel(floats(start)[None], points)[0] * (1 / 3 + float(s) * axis)
    return linalg.solve(weights.sum() * np.eye(2), weights @ points)


def ratio(K: np.ndarray, alpha: np.ndarray, lam: int) -> float:
    """With the matrices of the chapter."""
    first, last = K[:, :2], K[:, 2:]
    N = sum(C @ (np.eye(2) - 0.5) @ C.T for C in (first, last))
    delta = first.mean(axis=1) - last.mean(axis=1)
    return (alpha @ delta) ** 2 / (alpha @ (N + lam * np.eye(4)) @ alpha)


OTHER_WAYS = {
    "two_features": repeated, "zero_scores": equal_row, "first_score": as_a_function, "variance_and_classes": four,
    "one_each": discriminant, "new_score": scored, "from_mean_kernel": centred_trace, "pre_image": iterated,
    "ratio": ratio,
}  # fmt: skip
