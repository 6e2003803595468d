"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, stats

from kcourse import GaussianProcess, Precomputed
from tests.paper_problems.other_ways import conditional, floats

__all__ = ["OTHER_WAYS"]


def minimum(T: int, end: int, y: int) -> list[float]:
    """By the moments of independent increments: f(t) is a sum of them."""
    t = np.array([T / 2, T, end])
    steps = np.diff([0.0, *t])
    S = np.tril(np.ones((3, 3))) @ np.diag(steps) @ np.tril(np.ones((3, 3))).T
    first = conditional(0.0, S[np.ix_([1, 0], [1, 0])], [y])
    last = conditional(0.0, S[1:, 1:], [y])
    assert abs(S[0, 2] - S[0, 1] * S[1, 2] / S[1, 1]) < 1e-9
    return [*first, *last]


def line_weight(prior: int, noise: int, x: np.ndarray, y: np.ndarray) -> list[float]:
    """By a fine grid of slopes, with prior times likelihood."""
    w = np.linspace(-40, 40, 400_001)
    logs = stats.norm(0, np.sqrt(prior)).logpdf(w)
    for at, value in zip(x, y, strict=True):
        logs += stats.norm(w * at, np.sqrt(noise)).logpdf(value)
    p = np.exp(logs - logs.max())
    mean = p @ w / p.sum()
    return [mean, p @ (w - mean) ** 2 / p.sum()]


def likeliest(K: np.ndarray, nu: int, y: np.ndarray) -> float:
    def loss(s: float) -> float:
        return -stats.multivariate_normal(np.zeros(2), s * (K + nu * np.eye(2))).logpdf(y)

    return optimize.minimize_scalar(loss, bounds=(1e-3, 200), method="bounded", options={"xatol": 1e-9}).x


def after_third(K: np.ndarray, v: int) -> float:
    """Half of what the variance of the sum exceeds the two variances."""
    assert np.linalg.eigvalsh(K)[0] > 0
    sums = [np.array(row, float) for row in ([1, 0, 0], [0, 1, 0], [1, 1, 0])]
    noisy = K[2, 2] + v
    after = [conditional(0.0, [[noisy, w @ K[:, 2]], [w @ K[:, 2], w @ K @ w]], [0])[1] for w in sums]
    return (after[2] - after[0] - after[1]) / 2


def split(a: int, b: int, v: int, y: int) -> list[float]:
    """The posterior of both parts from the inverse of the joint precision of prior and likelihood."""
    S = np.linalg.inv(np.diag([1 / a, 1 / b]) + np.ones((2, 2)) / v)
    mean = S @ np.array([y, y]) / v
    return [mean[0], S[0, 0], S[0, 1], S.sum()]


def rise(S: np.ndarray, k: np.ndarray, a: int, noise: int) -> float:
    w = np.array([-1, 1])
    return conditional(0.0, [[a + noise, w @ k], [w @ k, w @ S @ w]], [0])[1]


def by_differences(K: np.ndarray, noise: int, y: np.ndarray) -> float:
    def log_p(s: float) -> float:
        return GaussianProcess(Precomputed(K + 0.0), noise_variance=s).fit([[0], [1]], y).log_marginal_likelihood()

    return (log_p(noise + 1e-4) - log_p(noise - 1e-4)) / 2e-4


def next_one(a: int, b: int, c: int, noise: int, y: int) -> tuple[float, float]:
    mean, variance = conditional(0.0, [[a + noise, c], [c, b + noise]], [y])
    return stats.norm(mean, np.sqrt(variance)).interval(0.95)


def combined(a: int, v1: int, v2: int, y1: int, y2: int) -> float:
    return conditional(0.0, [[a + v1, a, a], [a, a + v2, a], [a, a, a]], floats([y1, y2]))[0]


OTHER_WAYS: dict[str, Any] = {
    "held": minimum, "random_line": line_weight, "overall": likeliest, "beliefs": after_third, "parts": split,
    "difference": rise, "slope": by_differences, "interval": next_one, "instruments": combined,
}  # fmt: skip
