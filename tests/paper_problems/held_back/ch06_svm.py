"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from kcourse import SVC, Linear
from tests.paper_problems.other_ways import floats

__all__ = ["OTHER_WAYS"]


def penalised(C: Any, d: int) -> list[float]:
    """By the primal, with slacks; w = d α₂, because the first point is 0."""
    above = np.array([[0.0, -1, 1, 0], [d, 1, 0, 1]])
    found = optimize.minimize(
        lambda v: (v[0] ** 2 + v[1] ** 2) / 2 + float(C) * (v[2] + v[3]),
        [0.0, 0, 1, 1],
        method="SLSQP",
        bounds=[(None, None)] * 2 + [(0, None)] * 2,
        constraints={"type": "ineq", "fun": lambda v: above @ v - 1, "jac": lambda v: above},
        options={"ftol": 1e-15},
    ).x
    return [found[0] / d, found[0], found[1]]


def bound(minus: list, plus: list, C: Any) -> list[float]:
    """Largest C with all multipliers at C, by bisection, and the interval of b, by the library."""
    X, y = floats([*minus, *plus])[:, None], np.array([-1, -1, 1, 1])

    def at_bound(upper: float) -> bool:
        return SVC(Linear(), C=upper, tol=1e-10).fit(X, y).multipliers_.min() > upper * (1 - 1e-7)

    low, high = 1e-3, 3.0
    for _ in range(24):
        middle = (low + high) / 2
        low, high = (middle, high) if at_bound(middle) else (low, middle)
    return [low, *SVC(Linear(), C=float(C), tol=1e-10).fit(X, y).bias_interval_]


def bounds(k: int, C: Any, D: Any) -> list[float]:
    """The bounds of a real fit with these numbers, and the minimum at C' between them."""
    X, y = np.arange(4.0)[:, None], np.array([-1, -1, 1, 1])
    small, large = (SVC(Linear(), C=float(c), tol=1e-10).fit(X, y) for c in (C, D))
    slacks = np.maximum(0, 1 - y * small.decision_function(X)).sum()
    upper = small.weights_ @ small.weights_ / 2 + float(D) * slacks
    assert small.primal_objective_ <= large.primal_objective_ <= upper + 1e-9
    return [small.primal_objective_, upper]


def most_mistakes(C: int, total: int) -> int:
    """By trying; and the counterexample, by the library."""
    X, y = np.array([[0.0], [4.0], [2.0], [3.0]]), np.array([-1, -1, 1, 1])
    model = SVC(Linear(), C=0.5, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.multipliers_, 0.5)
    assert model.bias_interval_[0] <= -0.75 <= model.bias_interval_[1]
    np.testing.assert_allclose(model.weights_, 0.5)
    return max(m for m in range(100) if C * m <= total)


def hinges(x: list, y: list, C: Any) -> list[float]:
    """The minimum on a fine grid, and the multipliers of the dual without a bias by SciPy."""
    z = floats(x) * floats(y)
    w = np.linspace(0, 3, 3_600_001)
    P = w**2 / 2 + float(C) * sum(np.maximum(0, 1 - v * w) for v in z)
    dual = optimize.minimize(
        lambda a: (a @ z) ** 2 / 2 - a.sum(), np.zeros(3), bounds=[(0, float(C))] * 3, tol=1e-14,
        jac=lambda a: (a @ z) * z - 1,
    )  # fmt: skip
    return [w[P.argmin()], P.min(), *dual.x]


def area(C: int, y: list, alpha: list, values: list) -> float:
    """P - D with a Gram matrix that gives these values, for b = 0."""
    v, f = floats(alpha) * floats(y), floats(values) * floats(y)
    K = np.outer(f, f) / (v @ f)
    np.testing.assert_allclose(K @ v, f)
    primal = v @ K @ v / 2 + C * np.maximum(0, 1 - floats(values)).sum()
    return primal - (floats(alpha).sum() - v @ K @ v / 2)


def choose(x: list, y: list, C: int, alpha: list) -> list[float]:
    """By the dual of all pairs on a fine grid of steps."""
    x, y, a = floats(x), floats(y), floats(alpha)
    best, found = -np.inf, []

    def D(b: np.ndarray) -> float:
        return b.sum() - ((b * y) @ x) ** 2 / 2

    for i in range(4):
        for j in set(range(4)) - {i}:
            move = np.zeros(4)
            move[i], move[j] = y[i], -y[j]
            ends = [(C - a[k]) / m if m > 0 else a[k] / -m for k, m in enumerate(move) if m]
            slope = (D(a + 1e-6 * move) - D(a - 1e-6 * move)) / 2e-6
            if min(ends) > 0 and slope > best:
                step = optimize.minimize_scalar(
                    lambda t, move=move: -D(a + t * move),
                    bounds=(0, min(ends)),
                    method="bounded",
                    options={"xatol": 1e-10},
                ).x
                best, found = slope, [i + 1, j + 1, step]
    return found


def weighted(v: int, p: Any) -> list[float]:
    def loss(f: float, p: float) -> float:
        return p * v * max(0, 1 - f) + (1 - p) * max(0, 1 + f)

    return [loss(-1, float(p)), loss(1, float(p)), optimize.brentq(lambda p: loss(-1, p) - loss(1, p), 0, 1)]


def distances(K: np.ndarray, y: np.ndarray, part: Any, b: int) -> list[float]:
    """In the plane, from the nearest points of the two lines."""
    X = np.linalg.cholesky(K.astype(float))
    w = float(part) * (y @ X)

    def nearest(value: float) -> float:
        foot = X[0] - w * (w @ X[0] + b - value) / (w @ w)
        np.testing.assert_allclose(w @ foot + b, value, atol=1e-9)
        return float(np.linalg.norm(foot - X[0]))

    return [nearest(0), nearest(y[0])]


OTHER_WAYS = {
    "penalised_bias": penalised,
    "all_bound": bound,
    "monotone": bounds,
    "claims": most_mistakes,
    "hinges": hinges,
    "area": area,
    "choose": choose,
    "weighted": weighted,
    "off": distances,
}
