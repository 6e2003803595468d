"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from kcourse import Linear, MaxMargin
from tests.paper_problems.other_ways import floats, least

__all__ = ["OTHER_WAYS"]


def widest(X: Any, y: Any) -> MaxMargin:
    return MaxMargin(Linear()).fit(floats(X), np.array(y))


def shortest(X: Any, y: Any, value: float = 1.0, bias: bool = True) -> np.ndarray:
    """The shortest w, and b, with y f ≥ value, by SciPy on the primal."""
    A = np.array(y)[:, None] * np.column_stack([floats(X), np.full(len(X), float(bias))])
    above = {"type": "ineq", "fun": lambda v: A @ v - value, "jac": lambda v: A}
    start = np.linalg.lstsq(A, np.full(len(A), 2 * value))[0]
    found = optimize.minimize(
        lambda v: v[:-1] @ v[:-1] / 2, start, method="SLSQP", constraints=above, options={"ftol": 1e-15}
    )
    return found.x


def constant(c: int) -> float:
    """Width times ‖w‖, for two points at a distance 3."""
    return 3 * abs(shortest([[0], [3]], [-1, 1], c)[0])


def through_zero(plus: np.ndarray, minus: np.ndarray) -> list[float]:
    w = shortest([plus, minus], [1, -1], bias=False)[:2]
    return [*np.linalg.lstsq(np.array([plus, -minus]).T + 0.0, w)[0], *w]


def hulls(A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray) -> list[float]:
    model = widest([A, B, Q, R], [1, 1, -1, -1])
    np.testing.assert_array_equal(model.multipliers_ > 1e-6, [True, True, True, False])
    return [*model.weights_, model.intercept_, model.multipliers_.sum()]


def turned(c: int, first: bool) -> float:
    """The counterexamples, by the library; for the last one how much its line turns."""
    model = widest([[0, 0], [1, 0], [1, 1]], [-1, 1, 1])
    np.testing.assert_allclose(model.decision_function([[1.0, 1.0]]), 1, atol=1e-6)
    np.testing.assert_allclose(model.multipliers_[2], 0, atol=1e-6)
    scale = [c, 1] if first else [1, c]
    w = widest([[0, 0], scale], [-1, 1]).weights_ * scale
    return max(w) / min(w)


def common(A: np.ndarray, B: np.ndarray, P: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """The nearest points of the two segments."""
    s, t = least(lambda v: np.sum((A + v[0] * (B - A) - P - v[1] * (Q - P)) ** 2), 2)
    assert 0 < s < 1 and 0 < t < 1
    np.testing.assert_allclose(A + s * (B - A), P + t * (Q - P), atol=1e-9)
    return A + s * (B - A)


def best_shift(w: np.ndarray, plus: list, minus: list) -> list[float]:
    b = np.arange(-60, 60.01, 0.5)[:, None]
    distances = np.hstack([w @ np.transpose(plus) + b, -(w @ np.transpose(minus) + b)]) / np.linalg.norm(w)
    smallest = distances.min(axis=1)
    return [b[smallest.argmax(), 0], smallest.max()]


def enclosed(X: list, y: np.ndarray, w: np.ndarray, b: int, a: Any) -> list[float]:
    """The bounds, if the optimal width lies between them."""
    distance = np.min(y * (np.array(X) @ w + b)) / np.linalg.norm(w)
    v = np.array([float(a), float(a), 0.0])
    D = v.sum() - np.sum((v * y) @ X * ((v * y) @ X)) / 2
    assert 2 * distance <= widest(X, y).width_ + 1e-6 <= 2 / np.sqrt(2 * D) + 2e-6
    return [2 * distance, 2 / np.sqrt(2 * D)]


def rescaled(minus: np.ndarray, plus: np.ndarray, c: int) -> list[float]:
    model = widest([minus * [c, 1], plus * [c, 1]], [-1, 1])
    at_zero, one, two = model.decision_function([[0, 0], [c, 0], [0, 1.0]])
    return [one - at_zero, two - at_zero, at_zero]


OTHER_WAYS = {
    "another_constant": constant,
    "through_zero": through_zero,
    "hulls": hulls,
    "claims": turned,
    "no_plane": common,
    "best_shift": best_shift,
    "board": lambda A, B, Q: widest([A, B, Q], [1, 1, -1]).multipliers_,
    "enclosed": enclosed,
    "rescaled": rescaled,
}
