"""Maximum-margin classifier [002, "SVM linéaires"; 003, "Clasificadores de margen máximo"].

min over w, b of  ½‖w‖²   with  y_i (wᵀφ(x_i) + b) ≥ 1
max over α ≥ 0, Σ α_i y_i = 0  of  Σ α_i - ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)        w = Σ α_i y_i φ(x_i)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier
from kcourse.base.validation import check_kernel, check_no_overflow, check_positive, check_squares, is_sparse
from kcourse.dual import ConvergenceWarning, solve_dual
from kcourse.kernels import Linear, expansion, gram

__all__ = ["MaxMargin"]

_WALLS = 1e3, 1e6, 1e9, 1e12  # upper bounds of α to try, for points at most 1 from their mean
_NARROWEST = 1e-6  # a margin below this fraction of the spread is lost in the rounding of K


class MaxMargin(Classifier):
    """Hard-margin support vector machine: f(x) = wᵀφ(x) + b separates two classes with the maximum margin.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    tol : float > 0
        largest KKT violation at which the solver stops, in units of y f(x). A margin below about 1e-3 of the spread of
        the data is less accurate than that, because of the rounding of the Gram matrix.

    Attributes
    ----------
    multipliers_ : (n,) array
        α ≥ 0. w is unique, but several α may be optimal; this is one of them.
    dual_coef_ : (n,) array
        α_i y_i for each training point; scikit-learn's ``dual_coef_`` has the support vectors only.
    intercept_ : float
        b.
    weights_, coef_ : (d,) and (1, d) arrays
        w, for the linear kernel only; ``coef_`` in scikit-learn's shape.
    support_ : array of int
        indices of the support vectors, α_i > 0. They have y f(x) = 1; a point with y f(x) = 1 may have α = 0.
    margin_ : float
        1/‖w‖, the distance of the nearest points to the hyperplane, in the units of X for the linear kernel.
    width_ : float
        2/‖w‖ = 2 ``margin_``.
    X_fit_ : (n, d) array
        the training points (a copy).
    classes_ : (2,) array
        the labels; the second is y = +1.

    Notes
    -----
    scikit-learn's ``SVC(C=1e10)`` is about the same. The margin is a distance in X, so other units of the features give
    another hyperplane. b comes from y_i f(x_i) = 1 at support vectors of *both* classes; wᵀx + b = 1 [003] holds for
    the positive ones only. ‖w‖² = Σ α_i. If the classes overlap there is no solution, not a poor one [003, "margen
    suave"]: `fit` raises an error. There is no ``sample_weight``, because weights do not change the constraints.

    >>> from kcourse.margin import MaxMargin
    >>> model = MaxMargin().fit([[3, 3], [4, 3], [1, 1]], [1, 1, -1])
    >>> model.weights_.round(6), round(model.intercept_, 6), model.multipliers_.round(6), round(model.width_, 6)
    (array([0.5, 0.5]), -2.0, array([0.25, 0.  , 0.25]), 2.828427)
    """

    _uses_kernel_only = True

    _binary_only = True

    def __init__(self, kernel: Callable = Linear(), *, tol: float = 1e-9) -> None:  # noqa: B008
        self.kernel = kernel
        self.tol = tol

    def fit(self, X: Any, y: Any) -> MaxMargin:
        """Find the hyperplane for ``X`` (n, d) and labels ``y`` (n,) of two classes; return self.

        Raises
        ------
        ValueError
            if no hyperplane separates the classes in the feature space of the kernel, with the remedy.
        """
        kernel, tol = check_kernel(self.kernel), check_positive(self.tol, "tol")
        points = self._fit_points(X, kernel)
        classes, codes = self._fit_labels(y, len(points))
        y = 2.0 * codes - 1.0
        linear = isinstance(kernel, Linear)
        if linear and not is_sparse(points):
            check_squares(points)
        # a translation changes only b and reduces cancellation, but would make sparse points dense
        centre = points.mean(axis=0) if linear and not is_sparse(points) else None
        beta, b, norm = _widest(gram(kernel, points if centre is None else points - centre), y, tol)
        self._remember_features(X, points)
        self.classes_, self.X_fit_, self._kernel = classes, points, kernel
        self.dual_coef_, self.multipliers_, self.support_ = beta, np.abs(beta), np.flatnonzero(beta)
        self.intercept_, self.margin_, self.width_ = b, 1.0 / norm, 2.0 / norm
        self.__dict__.pop("weights_", None)  # of an earlier fit
        if linear:
            # w = Σ α_i y_i x_i
            self.weights_ = (points if centre is None else points - centre).T @ beta
            self.intercept_ = float(b if centre is None else b - self.weights_ @ centre)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i α_i y_i k(x, x_i) + b for each row of ``X`` (q, d), shape (q,): ±1 on the margins."""
        X = self._new_points(X)
        if hasattr(self, "weights_"):
            return X @ self.weights_ + self.intercept_
        return expansion(self._kernel, X, self.X_fit_[self.support_], self.dual_coef_[self.support_]) + self.intercept_


def _widest(K: np.ndarray, y: np.ndarray, tol: float) -> tuple[np.ndarray, float, float]:
    """Return β_i = α_i y_i, b and ‖w‖ of the maximum margin, or raise an error if none exists; overwrite K."""
    check_no_overflow(K.diagonal())
    # Since Σ α_i y_i = 0, a translation of φ does not change the dual: move the origin to the mean, and choose the unit
    # such that no point is farther from it than 1
    means = K.mean(axis=1)
    K -= means
    K -= (means - means.mean())[:, None]
    unit = float(K.diagonal().max())
    if not unit > 0:
        raise ValueError(_inseparable(K, y))
    K /= unit
    beta = _multipliers(K, y, tol)
    u = K @ beta
    nearest, opposite = u[y > 0].min(), u[y < 0].max()
    norm2 = float(beta @ u)
    if not nearest - opposite > 1.0:
        raise ValueError(_inseparable(K, y))
    # y f = 1 at the nearest points of both classes: b is halfway
    b = -0.5 * (nearest + opposite) - float(means @ beta) / unit
    return beta / unit, b, float(np.sqrt(norm2) / np.sqrt(unit))


def _multipliers(K: np.ndarray, y: np.ndarray, tol: float) -> np.ndarray:
    """Return β from the dual with an upper bound on α that is raised until no multiplier is at the bound.

    Without a bound the multipliers of classes that cannot be separated grow without limit.
    """
    for wall in _WALLS:
        # p = y;  0 ≤ β_i where y_i = 1,  β_i ≤ 0 where y_i = -1;  f is known up to about 1e-16 Σα
        lower, upper = np.where(y > 0, 0.0, -wall), np.where(y > 0, wall, 0.0)
        with warnings.catch_warnings():
            # the margin that β gives is checked below
            warnings.simplefilter("ignore", ConvergenceWarning)
            beta = solve_dual(K, y, lower, upper, tol=max(tol, 1e-14 * wall)).beta
        if np.abs(beta).max() < wall:
            return beta
        # 2w/Σα connects a point of one hull with a point of the other, so its length bounds their distance
        if beta @ K @ beta < (0.5 * _NARROWEST * np.abs(beta).sum()) ** 2:
            break
    raise ValueError(_inseparable(K, y))


def _inseparable(K: np.ndarray, y: np.ndarray) -> str:
    """Return the error message for classes whose convex hulls meet in feature space."""
    positive, negative = np.flatnonzero(y > 0), np.flatnonzero(y < 0)
    d = K.diagonal()
    squares = d[positive][:, None] + d[negative] - 2 * K[np.ix_(positive, negative)]
    i, j = np.unravel_index(squares.argmin(), squares.shape)
    if squares[i, j] <= 1e-14 * np.abs(d).max():
        first, second = sorted((int(positive[i]), int(negative[j])))
        why, more = f"rows {first} and {second} of X are the same point to it, with different labels", ""
    else:
        why, more = "their convex hulls meet, or nearly so", ", or a kernel with more features, such as Gaussian"
    return (
        f"no hyperplane separates the two classes in the feature space of this kernel: {why}. A hard margin needs "
        f"separable classes; take SVC, whose finite C allows points on the wrong side{more}."
    )
