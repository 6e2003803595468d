"""The dual problem: solution, objective and optimality (KKT) conditions."""

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
    """Error: the dual is unbounded, because no function of the kernel separates the two classes (their hulls meet)."""

    def __init__(self) -> None:
        super().__init__(
            "the dual has no maximum: no function of this kernel separates the two classes, because their convex hulls "
            "meet in feature space. Take a finite C, another kernel or other features."
        )


class ConvergenceWarning(RuntimeWarning):
    """Warning: the solver stopped above the tolerance, because it ran out of steps or rounding hides the gap."""


@dataclass(frozen=True, eq=False)
class DualSolution:
    """Solution found by `solve_dual`.

    Attributes
    ----------
    beta : (n,) array
        the signed multipliers; exactly 0, A or B if they are at a corner.
    f : (n,) array
        p - Kβ, recomputed from ``beta``.
    gap : float
        largest violation of the KKT conditions; negative if b is not unique.
    bias_interval : (float, float)
        the b that satisfy the conditions to within max(gap, 0); both ends agree (to the tolerance) if a multiplier
        is free.
    objective : float
        D(β).
    n_iter : int
        number of pair steps of SMO.
    """

    beta: np.ndarray
    f: np.ndarray
    gap: float
    bias_interval: tuple[float, float]
    objective: float
    n_iter: int


def kkt_slopes(beta: np.ndarray, f: np.ndarray, lower: np.ndarray, upper: np.ndarray, epsilon: float = 0.0):
    """Return (up, lo), the slopes of D to the right and to the left of each β_i (-∞ and ∞ at the ends of its box).

    >>> import numpy as np
    >>> up, lo = kkt_slopes(np.array([0.0, 1.0]), np.array([0.5, 0.2]), np.zeros(2), np.ones(2))
    >>> up.tolist(), lo.tolist()
    ([0.5, -inf], [inf, 0.2])
    """
    rise, fall = (np.where(beta >= 0, epsilon, -epsilon), np.where(beta > 0, epsilon, -epsilon)) if epsilon else (0, 0)
    return np.where(beta < upper, f - rise, -INF), np.where(beta > lower, f - fall, INF)


def kkt_gap(up: np.ndarray, lo: np.ndarray) -> float:
    """Return max up - min lo, the largest rate at which D rises if one multiplier rises and another falls."""
    return up.item(up.argmax()) - lo.item(lo.argmin())


def certify(
    K: Any, beta: Any, p: Any, lower: Any, upper: Any, *, epsilon: float = 0.0, n_iter: int = 0
) -> DualSolution:
    """Return the `DualSolution` of a feasible ``beta`` from any algorithm; all other values are computed from it.

    >>> import numpy as np
    >>> y = np.array([1.0, -1.0])
    >>> certify(np.eye(2), 0.5 * y, y, np.minimum(0, 5 * y), np.maximum(0, 5 * y)).gap
    1.0
    """
    rows = rows_of(K)
    beta, p, lower, upper = checked(rows.n, beta=beta, p=p, lower=lower, upper=upper)
    return solution_of(beta, residual(rows, beta, p), p, lower, upper, epsilon, n_iter)


def solution_of(beta, f, p, lower, upper, epsilon, n_iter) -> DualSolution:
    """Return the `DualSolution` with the gap, bias interval and objective that follow from β and f = p - Kβ."""
    up, lo = kkt_slopes(beta, f, lower, upper, epsilon)
    low, high = sorted((float(up.max()), float(lo.min())))
    return DualSolution(beta, f, kkt_gap(up, lo), (low, high), dual_objective(beta, f, p, epsilon), n_iter)


def dual_objective(beta: np.ndarray, f: np.ndarray, p: np.ndarray, epsilon: float) -> float:
    """Return D(β) = pᵀβ - ε‖β‖₁ - ½ βᵀKβ, computed with f = p - Kβ."""
    return float(0.5 * beta @ (p + f) - epsilon * np.abs(beta).sum())


def residual(rows: Rows, beta: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return p - Kβ."""
    S = np.flatnonzero(beta)
    return p - rows.times(S, beta[S]) if len(S) else p.copy()


def checked(n: int, **arrays: Any) -> list[np.ndarray]:
    """Return the arguments as (n,) arrays of floats; check the shapes and lower ≤ 0 ≤ upper."""
    arrays = {name: np.array(a, dtype=float) for name, a in arrays.items()}
    for name, a in arrays.items():
        if a.shape != (n,):
            raise ValueError(f"{name} has shape {a.shape}; expected ({n},), one entry for each row of K.")
    if not (np.all(arrays["lower"] <= 0) and np.all(arrays["upper"] >= 0)):
        raise ValueError("lower must be ≤ 0 ≤ upper, so that β = 0 is allowed.")
    return list(arrays.values())
