"""Geometry of a separating hyperplane: distances, margin width, canonical scale [002, 003, chapter 5]."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import norm

from kcourse.base.validation import check_labels, check_number, check_points, check_targets

__all__ = ["canonical", "margin_width", "mistake_bound", "signed_distances"]


def signed_distances(X: Any, w: Any, b: float = 0.0) -> np.ndarray:
    """Return the signed distance of each row of ``X`` (n, d) to the hyperplane wᵀx + b = 0, shape (n,).

    (wᵀx + b)/‖w‖, in the units of X, is positive on the side that w points to [003, "Clasificadores de margen máximo"].
    The source calls this a distance; the distance is its absolute value.

    >>> from kcourse.margin import signed_distances
    >>> signed_distances([[3, 3], [4, 3], [1, 1]], [1, 2], -5).round(6)
    array([ 1.788854,  2.236068, -0.894427])
    """
    X = check_points(X)
    w, length = _normal(w, X.shape[1])
    b = check_number(b, "b")
    # (wᵀx + b) / ‖w‖
    return X @ (w / length) + b / length


def margin_width(w: Any) -> float:
    """Return 2/‖w‖, the width of the margin between wᵀx + b = -1 and +1, for ``w`` (d,) in canonical scale.

    M = d₊ + d₋ = 2/‖w‖ [002, "SVM linéaires"]. The half width is 1/‖w‖, not 1 as in [000, "Classificateurs à marge
    maximale"]: 1 is the value of y f(x), which is not a length.

    >>> from kcourse.margin import margin_width
    >>> round(margin_width([1, 2]), 6)
    0.894427
    """
    return float(2.0 / _normal(w, None)[1])


def canonical(w: Any, b: float, X: Any, y: Any) -> tuple[np.ndarray, float]:
    """Return (w, b) divided by min_i y_i (wᵀx_i + b): the same hyperplane, with y f(x) = 1 at the closest point.

    The scaling changes (w, b), not the data [003, "Clasificadores de margen máximo"]. A point is correctly classified
    if y f(x) > 0; y f(x) ≥ 1 holds only in this scale.

    Parameters
    ----------
    w, b : (d,) array and float
        a hyperplane that separates the classes.
    X : (n, d) array
        points.
    y : (n,) array
        labels: -1 and 1, or any two, of which the larger counts as 1.

    >>> from kcourse.margin import canonical
    >>> canonical([1, 2], -5, [[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    (array([0.5, 1. ]), -2.5)
    """
    X = check_points(X)
    w, _ = _normal(w, X.shape[1])
    b = check_number(b, "b")
    closest = _least_margin(X, signs(y, len(X)), w, b)
    return w / closest, b / closest


def mistake_bound(X: Any, y: Any, w: Any, b: float = 0.0) -> float:
    """Return Novikoff's bound (R/γ)² on the number of updates of a perceptron with bias, for any order of the points.

    With x̃ = (x, 1) and the separating hyperplane w̃ = (w, b): R = max ‖x̃_i‖ and γ = min y_i w̃ᵀx̃_i / ‖w̃‖
    [Novikoff 1962]. Each separating (w, b) gives a bound; the largest γ gives the smallest bound.

    Parameters
    ----------
    X, y : (n, d) and (n,) arrays
        points, and labels as for `canonical`.
    w, b : (d,) array and float
        a hyperplane that separates the classes, in any scale.

    >>> from kcourse.margin import mistake_bound
    >>> round(mistake_bound([[3, 3], [4, 3], [1, 1]], [1, 1, -1], [0.5, 0.5], -2), 6)
    117.0
    """
    X = check_points(X)
    w, _ = _normal(w, X.shape[1])
    b = check_number(b, "b")
    gamma = _least_margin(X, signs(y, len(X)), w, b) / norm(np.append(w, b))
    # (R/γ)² with x̃ = (x, 1)
    return float(np.max(np.sum((X / gamma) ** 2, axis=1)) + gamma**-2.0)


def signs(y: Any, n: int) -> np.ndarray:
    """Return ``y`` as ±1.0: labels ±1 unchanged, or the larger of any two labels as 1."""
    y = check_labels(y, n)
    if y.dtype.kind in "iuf" and np.all(np.abs(y) == 1):
        return y.astype(float)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"y has {len(classes)} classes, {classes.tolist()[:5]}; expected two, such as -1 and 1.")
    return 2.0 * codes - 1.0


def _normal(w: Any, d: int | None) -> tuple[np.ndarray, float]:
    """Return ``w`` as a nonzero (d,) vector, and its length."""
    w = np.ravel(w) if np.ndim(w) == 0 else w
    w = check_targets(w, len(w) if d is None else d, "w")
    if w.ndim != 1:
        raise ValueError(f"w has shape {w.shape}; expected (d,), one weight for each feature.")
    length = float(norm(w))
    if length == 0:
        raise ValueError("w is 0, which is not the normal of a hyperplane.")
    return w, length


def _least_margin(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float) -> float:
    margins = y * (X @ w + b)
    if not margins.min() > 0:
        raise ValueError(
            f"(w, b) does not separate the classes: y f(x) = {margins.min():.3g} at row {int(margins.argmin())} of X."
        )
    return float(margins.min())
