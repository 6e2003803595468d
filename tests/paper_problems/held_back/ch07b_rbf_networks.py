"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, optimize

from kcourse.rbf import cover_count
from tests.paper_problems.other_ways import floats, least

__all__ = ["OTHER_WAYS"]


def counted(m: int, side: int) -> tuple[float, int]:
    assert cover_count(2 * m + 2, m + 1) == 2 ** (2 * m + 1)
    more = 2 * m + 2 + side
    share = cover_count(more, m + 1) / 2**more
    return share, max(n for n in range(1, 20) if cover_count(n, m + 1) == 2**n)


def summed(phi: Any, y: list[int], eta: Any) -> list[float]:
    """The variance as the sum over all past steps of what each contributes."""
    a, step = float(phi), float(eta)
    residual = (y[1] - y[0]) / 2
    v = sum((step * a * residual * (1 - step * a * a) ** s) ** 2 for s in range(400))
    limit = optimize.brentq(lambda h: (1 - h * a * a) + 1, 1e-3, 99)
    return [*linalg.lstsq([[a], [a]], floats(y))[0], limit, v]


def stopped(a: int) -> list[float]:
    """The final groupings of three points, for all b on a fine grid."""
    final: dict[tuple[int, ...], list[float]] = {(0, 0, 1): [], (0, 1, 1): [], (0, 1, 0): []}
    worst = 0.0
    for b in a * np.arange(1.01, 5, 0.02):
        x, costs, ends = np.array([0, a, b]), {}, []
        for groups in final:
            t = np.array([x[np.array(groups) == j].mean() for j in (0, 1)])
            costs[groups] = np.sum((x - t[list(groups)]) ** 2)
            if (np.abs(x[:, None] - t).argmin(axis=1) == groups).all():
                final[groups].append(b)
                ends.append(groups)
        worst = max([worst, *(costs[g] / min(costs.values()) for g in ends)])
    low, high = min(final[0, 0, 1]) / a, max(final[0, 1, 1]) / a
    assert not final[0, 1, 0] and max(final[0, 0, 1]) > 4.9 * a and 3.8 < worst < 4
    return [a * round(2 * low) / 2, a * round(2 * high) / 2, round(worst)]


def curve(t: list[int], s2: int, first: Any, second: Any) -> list[float]:
    def f(x: float) -> float:
        activations = np.exp(-((x - np.array(t)) ** 2) / (2 * s2))
        return float(activations @ floats([first, second]) / activations.sum())

    middle, h = np.mean(t), 1e-4
    return [f(t[0] - 25), f(t[1] + 25), middle, f(middle), (f(middle + h) - f(middle - h)) / (2 * h)]


def outputs(phi: list[Any], classes: list[int]) -> float:
    targets = np.equal.outer(classes, np.arange(1, 4)).astype(float)
    with_bias = np.column_stack([floats(phi), np.ones(3)])
    np.testing.assert_allclose((linalg.lstsq(with_bias, targets)[0]).sum(axis=1), [0, 1], atol=1e-12)
    return linalg.lstsq(floats(phi)[:, None], targets)[0].sum()


def bayes(prior: Any, a: Any, b: Any, u: Any, v: Any) -> list[float]:
    """From the joint probabilities of class and unit."""
    joint = np.array([[prior * a, prior * (1 - a)], [(1 - prior) * b, (1 - prior) * (1 - b)]], float)
    at = joint * floats([u, v])
    return [joint[0, 0] / joint[:, 0].sum(), at[:, 0].sum() / at.sum(), at[0].sum() / at.sum()]


def ranked(n: int, r: int, other: int, scores: list[int]) -> list[int]:
    def rate(n: int, k: int) -> float:
        return np.mean([rank <= k for rank in range(1, n + 2)])  # an alarm at the first k of n + 1 equally likely ranks

    k = max(k for k in range(1, n) if rate(n, k) <= 1 / r + 1e-12)
    threshold = next(s for s in scores if sum(t <= s for t in scores) == k)
    return [k, threshold, next(m for m in range(1, 999) if rate(m, 1) <= 1 / other + 1e-12)]


def fitted(phi: np.ndarray, y: np.ndarray) -> list[float]:
    w, b = least(lambda m: np.sum((y - m[1] - m[0] * floats(phi)) ** 2), 2)
    return [w, b, w + b]


def steps(p: Any, q: Any) -> list[float]:
    Phi = floats([[p, q], [q, p]])

    def mean_step(eta: float) -> np.ndarray:
        return np.mean([np.eye(2) - eta * np.outer(row, row) for row in Phi], axis=0)

    def largest(eta: float) -> float:
        return np.abs(np.linalg.eigvalsh(mean_step(eta))).max()

    start = 1 / np.linalg.eigvalsh(Phi.T @ Phi / 2).max()
    return [optimize.brentq(lambda eta: largest(eta) - 1, start, 1e3), largest(start)]


OTHER_WAYS = {
    "half": counted, "constant_step": summed, "end_states": stopped, "sigmoid": curve, "sum_of_outputs": outputs,
    "posterior": bayes, "alarm": ranked, "unit_and_bias": fitted, "slowest": steps,
}  # fmt: skip
