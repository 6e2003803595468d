"""The problem: its solution, and its optimality conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.dual.rows import Rows, rows_of

__all__ = [
    "ConvergenceWarning",
    "DualSolution",
    "UnboundedDualError",
    "certify",
    "kkt_gap",
    "kkt_slopes",
]

INF, EPS = np.inf, float(np.finfo(float).eps)


class UnboundedDualError(ValueError):
    """The dual grows without limit: no function of the kernel separates the two classes (their hulls meet)."""

    def __init__(self) -> None:
        super().__init__(
            "the dual has no maximum: no function of this kernel separates the two classes, their convex hulls meet in "
            "feature space. Take a finite C, another kernel or other features."
        )


class ConvergenceWarning(RuntimeWarning):
    """The solver ended before the tolerance: its steps were spent, or rounding hides the rest of the gap."""


@dataclass(frozen=True, eq=False)
class DualSolution:
    """What `solve_dual` found.

    Attributes
    ----------
    beta : (n,) array
        the signed multipliers; exactly 0, A or B where they are at a corner.
    f : (n,) array
        p - Kβ, computed afresh from ``beta``.
    gap : float
        how far the KKT conditions are violated; negative where b has room.
    bias_interval : (float, float)
        every b in it satisfies the conditions to within max(gap, 0); both ends agree (to the tolerance) if a
        multiplier is free.
    objective : float
        D(β).
    n_iter : int
        pair steps of SMO.
    """

    beta: np.ndarray
    f: np.ndarray
    gap: float
    bias_interval: tuple[float, float]
    objective: float
    n_iter: int


def kkt_slopes(beta: np.ndarray, f: np.ndarray, lower: np.ndarray, upper: np.ndarray, epsilon: float = 0.0):
    """Return (up, lo): the slopes of D to the right and to the left of each β_i (-∞ and ∞ at the ends of its box).

    >>> import numpy as np
    >>> up, lo = kkt_slopes(np.array([0.0, 1.0]), np.array([0.5, 0.2]), np.zeros(2), np.ones(2))
    >>> up.tolist(), lo.tolist()
    ([0.5, -inf], [inf, 0.2])
    """
    rise, fall = (np.where(beta >= 0, epsilon, -epsilon), np.where(beta > 0, epsilon, -epsilon)) if epsilon else (0, 0)
    return np.where(beta < upper, f - rise, -INF), np.where(beta > lower, f - fall, INF)


def kkt_gap(up: np.ndarray, lo: np.ndarray) -> float:
    """Return max up - min lo: what a pair can gain per unit that one multiplier gives to another."""
    return up.item(up.argmax()) - lo.item(lo.argmin())


def certify(
    K: Any, beta: Any, p: Any, lower: Any, upper: Any, *, epsilon: float = 0.0, n_iter: int = 0
) -> DualSolution:
    """Return what a feasible ``beta`` is worth, from whatever algorithm: everything else is computed from it.

    >>> import numpy as np
    >>> y = np.array([1.0, -1.0])
    >>> certify(np.eye(2), 0.5 * y, y, np.minimum(0, 5 * y), np.maximum(0, 5 * y)).gap
    1.0
    """
    rows = rows_of(K)
    beta, p, lower, upper = checked(rows.n, beta=beta, p=p, lower=lower, upper=upper)
    return solution_of(beta, residual(rows, beta, p), p, lower, upper, epsilon, n_iter)


def solution_of(beta, f, p, lower, upper, epsilon, n_iter) -> DualSolution:
    """What follows from β and f = p - Kβ."""
    up, lo = kkt_slopes(beta, f, lower, upper, epsilon)
    low, high = sorted((float(up.max()), float(lo.min())))
    return DualSolution(beta, f, kkt_gap(up, lo), (low, high), dual_objective(beta, f, p, epsilon), n_iter)


def dual_objective(beta: np.ndarray, f: np.ndarray, p: np.ndarray, epsilon: float) -> float:
    """D(β) = pᵀβ - ε‖β‖₁ - ½ βᵀKβ, where f = p - Kβ."""
    return float(0.5 * beta @ (p + f) - epsilon * np.abs(beta).sum())


def residual(rows: Rows, beta: np.ndarray, p: np.ndarray) -> np.ndarray:
    """p - Kβ."""
    S = np.flatnonzero(beta)
    return p - rows.times(S, beta[S]) if len(S) else p.copy()


def checked(n: int, **arrays: Any) -> list[np.ndarray]:
    """The arguments as (n,) arrays of floats, with lower ≤ 0 ≤ upper."""
    arrays = {name: np.array(a, dtype=float) for name, a in arrays.items()}
    for name, a in arrays.items():
        if a.shape != (n,):
            raise ValueError(f"{name} has shape {a.shape}; expected ({n},), one entry for each row of K.")
    if not (np.all(arrays["lower"] <= 0) and np.all(arrays["upper"] >= 0)):
        raise ValueError("lower must be ≤ 0 ≤ upper, so that β = 0 is allowed.")
    return list(arrays.values())
