"""Karush-Kuhn-Tucker (KKT) conditions of the hard- and soft-margin SVM, checked one by one at any (w, b, α).

    min ½‖w‖² + C Σ ξ_i   with  y_i f(x_i) ≥ 1 - ξ_i,  ξ_i ≥ 0       (hard margin: C = ∞, all ξ_i = 0)

[002, "SVM linéaires"; 003, "Clasificadores de margen máximo"; chapters 5 and 6].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.validation import (
    check_kernel,
    check_number,
    check_points_of,
    check_positive,
    check_same_length,
    check_targets,
)
from kcourse.kernels import Linear, gram
from kcourse.margin.geometry import signs

__all__ = ["KKTReport", "kkt_report"]

_CONDITIONS = {
    "stationarity": "∂L/∂w = w - Σ α_i y_i φ(x_i) = 0",
    "balance": "∂L/∂b = Σ α_i y_i = 0",
    "dual": "0 ≤ α_i ≤ C",
    "primal": "y_i f(x_i) ≥ 1 - ξ_i",
    "slackness": "α_i (y_i f(x_i) - 1 + ξ_i) = 0",
    "slack_slackness": "(C - α_i) ξ_i = 0",
}


@dataclass(frozen=True, eq=False)
class KKTReport:
    """Violation of each KKT condition, as computed by `kkt_report`.

    Attributes
    ----------
    stationarity : (n,) array, or (d,) if weights were given
        w - Σ α_i y_i φ(x_i); 0 if w is defined as this sum.
    balance : float
        Σ α_i y_i.
    dual, primal, slackness, slack_slackness : (n,) arrays
        violations ≥ 0 of each point: of 0 ≤ α ≤ C; of y f ≥ 1 - ξ; |α (y f - 1 + ξ)|; |(C - α) ξ|.
    margins : (n,) array
        y_i f(x_i); for the hard margin ∂L/∂α_i = 1 - y_i f(x_i) need **not** be 0.
    slacks : (n,) array
        ξ_i = (1 - y_i f(x_i))₊, and 0 for the hard margin. ξ_i/‖w‖ is a distance, ξ_i is not.
    primal_value, dual_value : float
        ½‖w‖² + CΣξ (∞ where a hard constraint fails), and Σα - ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j).
    scale : float
        max α or 1, whichever is larger; the tolerance of products with α and of the balance is tol times this.
    tol : float
        largest violation that counts as 0.
    """

    stationarity: np.ndarray
    balance: float
    dual: np.ndarray
    primal: np.ndarray
    slackness: np.ndarray
    slack_slackness: np.ndarray
    margins: np.ndarray
    slacks: np.ndarray
    primal_value: float
    dual_value: float
    scale: float
    tol: float

    @property
    def residuals(self) -> dict[str, float]:
        """Return the largest violation of each condition, by name."""
        return {name: float(np.max(np.abs(getattr(self, name)), initial=0.0)) for name in _CONDITIONS}

    @property
    def violations(self) -> dict[str, list[int]]:
        """Return the rows at which each failing condition fails, by name; the two sums have an empty list of rows."""
        failed = {}
        for name in _CONDITIONS:
            limit = self.tol * (1.0 if name == "primal" else self.scale)
            rows = np.flatnonzero(np.abs(np.atleast_1d(getattr(self, name))) > limit)
            if len(rows):
                failed[name] = [] if name in ("stationarity", "balance") else rows.tolist()
        return failed

    @property
    def optimal(self) -> bool:
        """Whether all conditions hold; then (w, b) is a solution, because the problem is convex."""
        return not self.violations

    @property
    def gap(self) -> float:
        """Duality gap, primal minus dual value: ≥ 0 if α is feasible, 0 at the solution."""
        return self.primal_value - self.dual_value

    def __str__(self) -> str:
        violations, lines = self.violations, []
        for name, residual in self.residuals.items():
            rows = violations.get(name, [])
            where = f"  at {', '.join(map(str, rows[:8]))}{', …' if len(rows) > 8 else ''}" if rows else ""
            lines.append(f"{'✗' if name in violations else '✓'} {_CONDITIONS[name]:<36}{residual:>10.3g}{where}")
        return "\n".join([*lines, f"  primal {self.primal_value:.6g}, dual {self.dual_value:.6g}, gap {self.gap:.3g}"])


def kkt_report(
    X: Any,
    y: Any,
    multipliers: Any,
    intercept: float,
    *,
    kernel: Callable = Linear(),  # noqa: B008
    C: float = np.inf,
    weights: Any = None,
    tol: float = 1e-6,
) -> KKTReport:
    """Check every Karush-Kuhn-Tucker condition at α and b, and at w if given.

    Only the derivatives with respect to w and b vanish; where α_i = 0, the one with respect to α_i need not [003,
    "Clasificadores de margen máximo", says that it does]. The soft margin also requires (C - α_i) ξ_i = 0: without
    this condition [002, "SVM linéaires"], a point with α_i = 0 might be misclassified.

    Parameters
    ----------
    X : (n, d) array
        points.
    y : (n,) array
        labels: -1 and 1, or any two, of which the larger counts as 1.
    multipliers : (n,) array
        α ≥ 0, without the signs y_i.
    intercept : float
        b.
    kernel : Kernel, or any function (X, Z) -> (n, m)
        kernel of the classifier.
    C : float > 0
        upper bound of α, the penalty per unit of slack next to ½‖w‖²; infinite for the hard margin.
    weights : (d,) array, optional
        w, for the linear kernel: then f(x) = wᵀx + b is computed from it, and stationarity in w is checked.
    tol : float
        largest violation that counts as 0, for y f and, times the largest α, for the others.

    >>> from kcourse.margin import kkt_report
    >>> print(kkt_report([[3, 3], [4, 3], [1, 1]], [1, 1, -1], [0.25, 0.0, 0.25], -2.5))
    ✓ ∂L/∂w = w - Σ α_i y_i φ(x_i) = 0             0
    ✓ ∂L/∂b = Σ α_i y_i = 0                        0
    ✓ 0 ≤ α_i ≤ C                                  0
    ✗ y_i f(x_i) ≥ 1 - ξ_i                       0.5  at 0
    ✗ α_i (y_i f(x_i) - 1 + ξ_i) = 0           0.125  at 0, 2
    ✓ (C - α_i) ξ_i = 0                            0
      primal inf, dual 0.25, gap inf
    """
    kernel = check_kernel(kernel)
    X = check_points_of(kernel, X)
    y = signs(y, len(X))
    alpha = _multipliers(multipliers, len(X))
    b, tol = check_number(intercept, "intercept"), check_positive(tol, "tol")
    hard = isinstance(C, float) and C == np.inf
    C = np.inf if hard else check_positive(C, "C")
    u = gram(kernel, X) @ (alpha * y)  # Σ_j α_j y_j k(x_i, x_j)
    if weights is None:
        inner, norm2, stationarity = u, (alpha * y) @ u, np.zeros(len(X))
    else:
        w = _weights(weights, X, kernel)
        inner, norm2, stationarity = X @ w, w @ w, w - X.T @ (alpha * y)
    margins = y * (inner + b)
    shortfall = np.maximum(0.0, 1.0 - margins)
    slacks = np.zeros_like(shortfall) if hard else shortfall
    primal = shortfall - slacks
    feasible = not hard or primal.max() <= tol
    penalty = 0.0 if hard else C * slacks.sum()
    return KKTReport(
        stationarity=stationarity,
        balance=float(alpha @ y),
        dual=np.maximum(np.maximum(-alpha, alpha - C), 0.0),
        primal=primal,
        slackness=np.abs(alpha * (margins - 1.0 + slacks)),
        slack_slackness=np.zeros_like(slacks) if hard else np.abs((C - alpha) * slacks),
        margins=margins,
        slacks=slacks,
        # ½‖w‖² + CΣξ, and Σα - ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)
        primal_value=float(0.5 * norm2 + penalty) if feasible else np.inf,
        dual_value=float(alpha.sum() - 0.5 * (alpha * y) @ u),
        scale=max(1.0, float(np.max(np.abs(alpha)))),
        tol=tol,
    )


def _multipliers(alpha: Any, n: int) -> np.ndarray:
    alpha = check_targets(alpha, n, "multipliers")
    if alpha.ndim != 1:
        raise ValueError(f"multipliers has shape {alpha.shape}; expected (n,), one for each point.")
    return alpha


def _weights(weights: Any, X: np.ndarray, kernel: Callable) -> np.ndarray:
    if not isinstance(kernel, Linear):
        raise ValueError(f"weights are those of the linear kernel, and kernel is {kernel!r}; leave weights out.")
    w = check_targets(weights, len(weights), "weights")
    check_same_length(w, X.shape[1], "weights", "the transpose of X")
    return w
