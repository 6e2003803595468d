"""Nadaraya–Watson regression [000, "Modèles à noyau" and "Fenêtre de Parzen"]."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kcourse.base.estimator import Regressor
from kcourse.base.linalg import distances, strips
from kcourse.base.validation import check_kernel, check_points, check_targets, check_weights
from kcourse.kernels import Gaussian, gram
from kcourse.neighbors.path import SmoothingPath, check_rest, check_sigmas, squared_error
from kcourse.neighbors.weights import blocks, weights, without_factors

__all__ = ["NadarayaWatson", "nw_loo_path"]

_CACHE = 2**16  # entries of a block that is processed for all σ while it is in the cache


class NadarayaWatson(Regressor):
    """Nadaraya–Watson regression, a kernel-weighted mean of y [000, "Modèles à noyau"; "Fenêtre de Parzen"].

    f(x) = Σ_i y_i k(x, x_i) / Σ_j k(x, x_j) is the constant c that minimises Σ_i k(x, x_i) (y_i - c)², and the mean of
    y given x under the Parzen density of the pairs (x_i, y_i). With weights, w_i k(x, x_i) replaces k(x, x_i).

    The source calls this a Parzen window, which is the density estimate. Its Gaussian is exp(-‖u-v‖²/σ²), whose σ is
    √2 times that of ``Gaussian``.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m) ≥ 0
        its width has the units of x; a *larger* width gives a smoother f. It need not be positive semi-definite.

    Attributes
    ----------
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    y_fit_ : (n,) or (n, t) array
        the training targets.
    n_features_in_ : int
        d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    For ``Gaussian`` and ``Laplacian`` the weights are computed from their logarithms, so that far from all x_i, where
    the quotient would be 0/0, f(x) tends to the y of the nearest point. With another kernel ``predict`` raises an error
    if all weights are 0, also by underflow. f stays in [min y, max y] and does not extrapolate trends. σ → 0 gives the
    nearest neighbour, σ → ∞ the mean of y. Time O(nd) for each x; the memory is bounded.

    >>> from kcourse import Gaussian
    >>> from kcourse.neighbors import NadarayaWatson
    >>> model = NadarayaWatson(Gaussian(sigma=1.0)).fit([[0], [1], [2]], [0, 1, 4])
    >>> model.predict([[1.0], [40.0]]).round(6)
    array([1.548137, 4.      ])
    """

    _uses_kernel_only = True

    def __init__(self, kernel: Callable) -> None:
        self.kernel = kernel

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NadarayaWatson:
        """Store ``X`` (n, d) and ``y`` (n,), or (n, t) for t targets that share X; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out.

        Raises
        ------
        TypeError, ValueError
            for a kernel, X, y or weights that cannot be used, naming it and the fix. A kernel with negative values,
            or one that vanishes, is reported by ``predict``.
        """
        kernel = check_kernel(self.kernel)
        points = self._fit_points(X, kernel)
        y = np.array(check_targets(y, len(points)))
        w, points, y = self._fit_weights(sample_weight, points, y)
        gram(kernel, points[:1], points[:1])  # raises an error now if the kernel does not accept such points
        self._remember_features(X, points)
        self.X_fit_, self.y_fit_, self._kernel, self._w = points, y, kernel, w
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return Σ_i y_i k̃(x, x_i) for each row of ``X`` (q, d): (q,) or (q, t)."""
        X = self._new_points(X)
        return self._means(self._kernel, X)

    def smoother_matrix(self, X: Any) -> np.ndarray:
        """Return S (q, n) with S_ij = k̃(x, x_j) for row i of ``X``: ŷ = S y, and rows sum to 1."""
        X = self._new_points(X)
        S = np.empty((len(X), len(self.X_fit_)))
        for rows in blocks(*S.shape):
            W = self._weighted(weights(self._kernel, X, self.X_fit_, rows))
            S[rows] = W / W.sum(axis=1, keepdims=True)
        return S

    def effective_df(self) -> float:
        """Return the effective degrees of freedom, tr S at the training points.

        Between 1 and n for a kernel that, like the Gaussian, is largest where x = z.
        """
        self._check_fitted()
        X, df = self.X_fit_, 0.0
        for rows in blocks(len(X), len(X)):
            W = self._weighted(weights(self._kernel, X, X, rows))
            df += np.sum(W.diagonal(rows.start) / W.sum(axis=1))
        return float(df)

    def loo_residuals(self) -> np.ndarray:
        """Return the leave-one-out residuals y_i - f₋ᵢ(x_i): (n,) or (n, t).

        They equal (y_i - f(x_i)) / (1 - S_ii), which is 0/0 for small σ, so k(x_i, x_i) is left out of both sums
        instead. A point is left out with all its weight; points of weight 0 have no entry.
        """
        self._check_fitted()
        check_rest(len(self.X_fit_))
        return self.y_fit_ - self._means(self._kernel, self.X_fit_, leave_out=True)

    def loo_path(self, sigmas: Any) -> SmoothingPath:
        """Return leave-one-out predictions and mean squared errors for each σ (of all features) in ``sigmas`` (m,)."""
        self._check_fitted()
        kernel, sigmas = without_factors(self._kernel), check_sigmas(sigmas)
        if isinstance(kernel, Gaussian):
            return nw_loo_path(self.X_fit_, self.y_fit_, sigmas, sample_weight=self._w)
        if not hasattr(kernel, "with_params") or "sigma" not in kernel.get_params(deep=False):
            raise TypeError(f"the kernel {kernel!r} has no width sigma to vary; compare single fits instead.")
        check_rest(len(self.X_fit_))
        kernels = [kernel.with_params(sigma=sigma) for sigma in sigmas.tolist()]
        predictions = np.stack([self._means(k, self.X_fit_, leave_out=True) for k in kernels])
        error = squared_error(self.y_fit_, predictions, self._w)
        return SmoothingPath(values=sigmas, predictions=predictions, error=error)

    def _weighted(self, W: np.ndarray) -> np.ndarray:
        """Return w_i k(x, x_i), written over ``W``."""
        if self._w is not None:
            W *= self._w
        return W

    def _means(self, kernel: Callable, X: np.ndarray, *, leave_out: bool = False) -> np.ndarray:
        f = np.empty((len(X), *self.y_fit_.shape[1:]))
        for rows in blocks(len(X), len(self.X_fit_)):
            W = self._weighted(weights(kernel, X, self.X_fit_, rows, leave_out=leave_out))
            # f(x) = Σ_i y_i k(x, x_i) / Σ_j k(x, x_j)
            f[rows] = ((W @ self.y_fit_).T / W.sum(axis=1)).T
        return f


def nw_loo_path(X: Any, y: Any, sigmas: Any, *, sample_weight: Any = None) -> SmoothingPath:
    """Return leave-one-out predictions of Nadaraya–Watson regression with Gaussian weights for many widths σ.

    f₋ᵢ(x_i) = Σ_{j≠i} y_j exp(-(d_ij² - d_i²)/(2σ²)) / Σ_{j≠i} exp(-(d_ij² - d_i²)/(2σ²)),   d_i = min_{j≠i} d_ij.

    The squared distances, the most expensive part for large d, are computed once. The nearest other point has weight
    1 for every σ, so no σ is too small. O(n²d) once, then O(n²) for each σ; the memory is bounded.

    Parameters
    ----------
    X : (n, d) array
        points, n ≥ 2.
    y : (n,) or (n, t) array
        targets.
    sigmas : (m,) array
        widths > 0 in the units of x, in any order.
    sample_weight : (n,) array, optional
        weights > 0, which multiply the Gaussian; a point is left out with all of its weight, which it also has in
        the mean squared residual.

    >>> from kcourse.neighbors import nw_loo_path
    >>> path = nw_loo_path([[0], [1], [2], [4]], [0, 1, 4, 16], [0.3, 0.7, 1.5])
    >>> path.error.round(6), path.best
    (array([38.749999, 38.122285, 44.169595]), 0.7)
    """
    X, sigmas = check_points(X), check_sigmas(sigmas)
    n = check_rest(len(X))
    y = check_targets(y, n)
    predictions = np.empty((len(sigmas), n, y[0].size))
    w = check_weights(sample_weight, n)
    if w is not None and not w.all():
        raise ValueError("sample_weight has entries that are 0: leave these points out of X and y.")
    targets = np.column_stack([y, np.ones(n)])  # Σ y_j w_j and Σ w_j in one product
    targets = targets if w is None else targets * w[:, None]
    points, precisions = in_units(X, sigmas)
    for rows, _, minus_half, W in leave_one_out_squares(points):
        for j, precision in enumerate(precisions):
            sums = np.exp(np.multiply(minus_half, precision, out=W), out=W) @ targets
            predictions[j, rows] = sums[:, :-1] / sums[:, -1:]
    predictions = predictions.reshape(len(sigmas), *y.shape)
    return SmoothingPath(values=sigmas, predictions=predictions, error=squared_error(y, predictions, w))


def in_units(X: np.ndarray, sigmas: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return ``X`` and 1/σ² in units of a power of two, in which no square overflows or underflows."""
    exponent = int(np.frexp(np.max(np.abs(X)))[1])
    # widths that differ from the data by a factor of 1e150 act as 0 and ∞
    with np.errstate(over="ignore"):
        return np.ldexp(X, -exponent), np.clip(np.ldexp(sigmas, -exponent), 1e-150, 1e150) ** -2.0


def leave_one_out_squares(X: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield (rows, d_i², -½(d_ij² - d_i²), memory of the same shape) in blocks; the diagonal is -inf."""
    n = len(X)
    for rows in strips(n, max(1, _CACHE // n)):
        D = distances(X[rows], X, squared=True)
        D[np.arange(len(D)), np.arange(rows.start, rows.stop)] = np.inf
        nearest = D.min(axis=1)
        D -= nearest[:, None]
        D *= -0.5
        yield rows, nearest, D, np.empty_like(D)
