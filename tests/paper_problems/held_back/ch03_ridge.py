"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import Ridge

from kcourse import Constant, Gaussian, KernelRidge, Precomputed
from tests.paper_problems.other_ways import least

__all__ = ["OTHER_WAYS"]


def means(r: int, lam: int) -> float:
    """The λ of a fit to the means that gives what a fit to all measurements of two points gives."""
    K, y = np.array([[2.0, 1.0], [1.0, 3.0]]), np.arange(2.0 * r).reshape(2, r) ** 2
    alpha = least(lambda a: np.sum((y - (K @ a)[:, None]) ** 2) + lam * a @ K @ a, 2)
    found = (y.mean(axis=1) - K @ alpha) / alpha  # (K + λI)α = ȳ, for each point
    np.testing.assert_allclose(found[0], found[1])
    return found[0]


def refitted(K: np.ndarray, lam: int, y: np.ndarray) -> list[float]:
    """By fitting each point alone."""
    return [y[i] - K[0, 1] * y[1 - i] / (K[1 - i, 1 - i] + lam) for i in (0, 1)]


def fitted_to_one(at: int, sigma: int, lam: int, a: int, y: int) -> list[float]:
    """Heights at the point and far away, by the library; and the best constant alone."""
    k, X, far = Gaussian(float(sigma)), [[at]], [[at], [at + 99]]
    plain = KernelRidge(k, lam=lam).fit(X, [y]).predict(far)
    shifted = KernelRidge(k + Constant(float(a)), lam=lam).fit(X, [y]).predict(far)
    b = least(lambda v: (y - v[0] - v[1]) ** 2 + lam * v[0] ** 2, 2)
    assert abs(b[0]) < 1e-9
    return [plain[0], shifted[0], shifted[1], plain[1], b[1]]


def first_fitted(K: np.ndarray, y: np.ndarray, small: int, large: int) -> list[float]:
    found = []
    for lam in (small, large):
        model = KernelRidge(Precomputed(K + 0.0), lam=lam).fit([[0], [1]], y)
        found.append(model.predict([[0]])[0])
    return found


def drawn_noise(lam: int, v: int, mu: list[int]) -> list[float]:
    """From fits to each unit of noise, in a random basis of eigenvectors."""
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    K = Q @ np.diag(mu) @ Q.T
    fits = np.array([K @ least(lambda a, e=e: np.sum((e - K @ a) ** 2) + lam * a @ K @ a, 3) for e in np.eye(3)])
    return [v * np.sum(fits**2), v * np.trace(fits)]


def bounded(lam: int, y: np.ndarray, near: Any) -> list[float]:
    """The sharper bound as the largest norm with a multiple of I as K, which reaches it."""
    X, x = [[0], [1], [2]], float(np.sqrt(-2 * np.log(float(near))))
    far = np.sqrt([1, -1] @ Gaussian(1.0)([[0.0], [x]]) @ [1, -1])
    loose = np.sqrt(np.sum(y**2) / lam)
    sharp = max(
        np.linalg.norm(KernelRidge(Precomputed(mu * np.eye(3)), lam=lam).fit(X, y).predict(X)) / np.sqrt(mu)
        for mu in np.linspace(0.5, 12, 231)
    )
    return [loose, loose * far, sharp, sharp * far]


def squared(K: np.ndarray, lam: int, alpha: np.ndarray, V: np.ndarray) -> list[float]:
    """From weights in the space of the features V, fitted to the targets that these coefficients belong to."""
    y = K @ alpha + lam * alpha
    w = Ridge(alpha=lam, fit_intercept=False).fit(V, y).coef_
    return [np.sum((y - V @ w) ** 2), w @ w]


def with_bias(K: np.ndarray, lam: int, y: np.ndarray) -> np.ndarray:
    return least(lambda v: np.sum((y - K @ v[:2] - v[2]) ** 2) + lam * v[:2] @ K @ v[:2], 3)


def in_weights(Phi: np.ndarray, y: np.ndarray, lam: int) -> np.ndarray:
    return Ridge(alpha=lam, fit_intercept=False).fit(Phi, y).coef_


OTHER_WAYS = {
    "repeated": means, "both_left_out": refitted, "one_point": fitted_to_one, "with_lambda": first_fitted,
    "noise_left": drawn_noise, "bounds": bounded, "primal": in_weights, "from_alpha": squared,
    "free_constant": with_bias,
}  # fmt: skip
