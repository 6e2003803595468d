"""Nearest centroid classifier in feature space, from kernel values alone [chapter 2, exercise 2.5]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from kcourse.base.estimator import Classifier
from kcourse.base.validation import check_kernel, check_magnitude
from kcourse.kernels import Linear, expansion

__all__ = ["NearestCentroid"]


class NearestCentroid(Classifier):
    """Nearest centroid classifier, with means m_c = 1/n_c Σ_{i in c} φ(x_i) in feature space [000, "Le truc du noyau"].

    ‖φ(x) - m_c‖² = k(x, x) - 2/n_c Σ_{i in c} k(x, x_i) + 1/n_c² Σ_{i,j in c} k(x_i, x_j)

    If points have weights, m_c is the weighted mean: w_i k(x, x_i) throughout, and n_c the weight of class c.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.

    Attributes
    ----------
    classes_ : (c,) array
        the labels, sorted.
    dual_coef_ : (n,) array, or (n, c) for c > 2 classes
        coefficients of k(x, x_i): 2/n₊ or -2/n₋; for more classes 2/n_c in the column of its class, else 0.
    intercept_ : float, or (c,) array
        ‖m₋‖² - ‖m₊‖²; for more classes -‖m_c‖².
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    n_features_in_ : int
        d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    With a Gaussian kernel the mean of k(x, x_i) over a class is its Parzen density up to a constant. So if
    ‖m₋‖ = ‖m₊‖, this is `ParzenClassifier` with equal priors; otherwise the intercept favours the class whose mean
    has the smaller norm. With the linear kernel it is scikit-learn's; O(d) for each point, otherwise O(nd).

    >>> from kcourse import Linear
    >>> from kcourse.neighbors import NearestCentroid
    >>> model = NearestCentroid(Linear()).fit([[0, 0], [2, 0], [0, 2], [3, 3], [9, 9]], [-1, -1, -1, 1, 1])
    >>> model.decision_function([[2, 2], [4.4, 4.4]]).round(6)
    array([-28.444444,  22.755556])
    """

    _uses_kernel_only = True

    def __init__(self, kernel: Callable) -> None:
        self.kernel = kernel

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NearestCentroid:
        """Compute the norms of the class means from ``X`` (n, d) and labels ``y`` (n,); return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out, and so is a class that has only such rows.

        Raises
        ------
        TypeError, ValueError
            for a kernel, X, y or weights that cannot be used, naming it and the fix.
        """
        kernel = check_kernel(self.kernel)
        points = self._fit_points(X, kernel)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, points = self._fit_weights(sample_weight, points)
        w = np.ones(len(points)) if w is None else w
        if isinstance(kernel, Linear):
            check_magnitude(points)
        # m_c = Σ_i M_ic φ(x_i) with M_ic = w_i/n_c in class c, else 0
        M = (codes[:, None] == np.arange(len(classes))) * (w / np.bincount(codes, w)[codes])[:, None]
        means = M.T @ points if isinstance(kernel, Linear) else None  # explicit means
        norms2 = [_norm2(kernel, points[m > 0], m[m > 0]) for m in M.T] if means is None else np.sum(means**2, axis=1)
        norms2 = np.array(norms2)
        coef, intercept = 2 * M, -norms2
        if len(classes) == 2:
            # ‖φ(x) - m₋‖² - ‖φ(x) - m₊‖², in which k(x, x) cancels
            coef, intercept = coef[:, 1] - coef[:, 0], float(intercept[1] - intercept[0])
        self._remember_features(X, points)
        self.X_fit_, self.classes_, self.dual_coef_, self.intercept_, self._kernel = (
            points,
            classes,
            coef,
            intercept,
            kernel,
        )
        self._direction = None if means is None else points.T @ coef
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return ‖φ(x) - m₋‖² - ‖φ(x) - m₊‖² for each row of ``X`` (q, d): (q,), positive for the second class.

        For c > 2 classes k(x, x) - ‖φ(x) - m_c‖², shape (q, c).
        """
        X = self._new_points(X)
        if self._direction is not None:
            return X @ self._direction + self.intercept_
        return expansion(self._kernel, X, self.X_fit_, self.dual_coef_) + self.intercept_


def _norm2(kernel: Callable, X: np.ndarray, m: np.ndarray) -> float:
    """Return ‖m_c‖² = Σ_ij m_i m_j k(x_i, x_j)."""
    return float(m @ expansion(kernel, X, X, m))
