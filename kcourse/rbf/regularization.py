"""Regularisation networks, with one unit at each point or fewer units [002, "Réseau de régularisation"].

(G + λI) w = d            `RegularizationNetwork`: n units
(GᵀG + λG₀) w = Gᵀd       `GeneralizedRBF`: m < n units
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from scipy.linalg import eigh

from kcourse.base.cholesky import cho_solve, cho_with_ridge, warn_of_rounding
from kcourse.base.estimator import Regressor
from kcourse.base.linalg import strips
from kcourse.base.validation import (
    check_kernel,
    check_number,
    check_points_of,
    check_positive,
    check_rng,
    check_targets,
)
from kcourse.kernels import expansion, gram
from kcourse.rbf.clustering import at_most_distinct, check_count, draw_centers
from kcourse.rbf.linear import least_squares

__all__ = ["GeneralizedRBF", "RegularizationNetwork"]

_STRIP = 1024  # rows whose kernel values are computed at once


class RegularizationNetwork(Regressor):
    """Regularisation network: one unit, Gaussian or other, at each of the n points, with a penalty.

    y(x) = Σ_i w_i G(x, x_i),  (G + λI) w = d, which minimises Σ_i (d_i - y(x_i))² + λ ‖Dy‖²
    [002, "Réseau de régularisation"; Poggio and Girosi 1990], where G is the Green's function of D*D, so that
    ‖Dy‖² = wᵀGw. It is kernel ridge regression (chapter 3) with k = G: same w, same function.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        G, positive semi-definite.
    lam : float > 0
        penalty parameter λ, next to the sum of squared errors; for 0 use `RBFInterpolator`.

    Attributes
    ----------
    dual_coef_ : (n,) or (n, t) array
        w.
    X_fit_ : (n, d) array
        the centres: all points (a copy), without those of weight 0.

    Notes
    -----
    Adding λI helps only for positive semi-definite G. The multiquadric, which [002] also lists, has one positive and
    n - 1 negative eigenvalues: adding λ moves the negative ones *towards* 0 and for some λ makes the system singular
    (for the source's three points at λ = 0.263243), and wᵀΦw may be negative, so it is not a penalty. Such a kernel
    is refused. scikit-learn: ``KernelRidge(alpha=lam)``.

    >>> from kcourse.kernels import Gaussian
    >>> RegularizationNetwork(Gaussian(1.0), lam=0.5).fit([[0.0], [1.0]], [1.0, -1.0]).dual_coef_.round(6)
    array([ 1.119233, -1.119233])
    """

    _uses_kernel_only = True

    def __init__(self, kernel: Callable, *, lam: float = 1.0) -> None:
        self.kernel = kernel
        self.lam = lam

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RegularizationNetwork:
        """Fit w to ``X`` (n, d) and ``y`` (n,) or (n, t); return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out. Warns if rounding errors may change the fitted values by more than 1e-3 of the largest
        |d_i|, because λ is too small.
        """
        kernel = check_kernel(self.kernel)
        lam = check_positive(self.lam, "lam", "for lam = 0, which is interpolation, take RBFInterpolator.")
        _refuse_penalty(kernel)
        points = self._fit_points(X, kernel)
        weights, points, y = self._fit_weights(sample_weight, points, check_targets(y, len(points)))
        G, root = gram(kernel, points), None if weights is None else np.sqrt(weights)
        if root is not None:
            # with weights (G + λ/v) w = d, v = diag: w = Su, (SGS + λI) u = Sd, S = √v
            G *= root[:, None] * root
            y = (y.T * root).T
        # (G + λI) w = d, by G + λI = L Lᵀ
        diagonal = G.diagonal() + lam
        w = cho_solve(cho_with_ridge(G, lam), y)
        warn_of_rounding(w, y, diagonal, "lam")
        if root is not None:
            w = (w.T * root).T
        self._remember_features(X, points)
        self.X_fit_, self.dual_coef_, self._kernel = points, w, kernel
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return y(x) = Σ_i w_i G(x, x_i) for each row of ``X`` (q, d): (q,) or (q, t)."""
        X = self._new_points(X)
        return expansion(self._kernel, X, self.X_fit_, self.dual_coef_)


class GeneralizedRBF(Regressor):
    """Generalised RBF network: m units instead of n, y*(x) = Σ_{j≤m} w_j G(x, t_j).

    (GᵀG + λG₀) w = Gᵀd, with G_ij = G(x_i, t_j) and (G₀)_jl = G(t_j, t_l), minimises
    Σ_i (d_i - y*(x_i))² + λ ‖Dy*‖² over these functions [002, "Réseaux RBF généralisés"].

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        G; positive semi-definite unless ``lam`` is 0.
    centers : int, or (m, d) array
        the t_j, or the number of distinct training points to draw as centres; if there are fewer, all are taken,
        with a warning.
    lam : float ≥ 0
        penalty parameter λ, next to the sum of squared errors. With 0, w = G⁺d, the pseudo-inverse
        (Broomhead and Lowe 1988); if the columns of G are independent, (GᵀG)⁻¹Gᵀd, which is also the limit λ → 0.
    rng : int or Generator
        seed or generator for drawing the centres.

    Attributes
    ----------
    dual_coef_ : (m,) or (m, t) array
        w.
    centers_ : (m, d) array
        the t_j.

    Notes
    -----
    The same function as kernel ridge regression with the Nyström approximation on the landmarks t_j, K ≈ G G₀⁺ Gᵀ
    (chapter 10); with all n points as centres it is `RegularizationNetwork`. Solved as the least-squares problem
    ‖[d; 0] - [GS; √λ I] u‖² with w = Su, SᵀG₀S = I, whose condition number is the root of that of the equation above.
    G₀ is nearly singular if the centres are close compared with the width; eigenvectors whose eigenvalues are below
    rounding are left out of S. Time O((n + m) m²), memory O(nm).

    >>> from kcourse.kernels import Gaussian
    >>> model = GeneralizedRBF(Gaussian(1.0), centers=[[0.0], [2.0]], lam=0.5)
    >>> model.fit([[0.0], [1.0], [2.0]], [1.0, 0.0, 1.0]).predict([[0.0]]).round(6)
    array([0.497215])
    """

    _expanded_in = "centers_"
    _uses_kernel_only = True

    def __init__(self, kernel: Callable, *, centers: Any = 10, lam: float = 1.0, rng: Any = 0) -> None:
        self.kernel = kernel
        self.centers = centers
        self.lam = lam
        self.rng = rng

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GeneralizedRBF:
        """Draw the centres if they are not given, and fit w to ``X`` (n, d) and ``y`` (n,) or (n, t); return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out and are never drawn as centres.
        """
        kernel, lam = check_kernel(self.kernel), check_number(self.lam, "lam", at_least=0.0)
        points = self._fit_points(X, kernel)
        weights, points, y = self._fit_weights(sample_weight, points, check_targets(y, len(points)))
        T = self._choose(points, kernel)
        root = np.ones(len(y)) if weights is None else np.sqrt(weights)
        D = root[:, None] * y.reshape(len(y), -1)
        if lam > 0:
            _refuse_penalty(kernel)
            # w = S u with SᵀG₀S = I:  min ‖d - GSu‖² + λ‖u‖²
            S = _whitening(gram(kernel, T))
            F = np.zeros((len(y) + S.shape[1], S.shape[1]), order="F")  # [GS; √λ I], the only array with n rows
            for rows in strips(len(y), _STRIP):
                F[rows] = root[rows, None] * gram(kernel, points[rows], T) @ S
            np.fill_diagonal(F[len(y) :], np.sqrt(lam))
            w = S @ least_squares(F, np.vstack([D, np.zeros((S.shape[1], D.shape[1]))]))
        else:
            w = least_squares(root[:, None] * gram(kernel, points, T), D)
        w = w.reshape(len(T), *y.shape[1:])
        self._remember_features(X, points)
        self.centers_, self.dual_coef_, self._kernel = T, w, kernel
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return y*(x) = Σ_j w_j G(x, t_j) for each row of ``X`` (q, d): (q,) or (q, t)."""
        X = self._new_points(X)
        return expansion(self._kernel, X, self.centers_, self.dual_coef_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True  # a few local units cannot fit a plane in ten dimensions
        return tags

    def _choose(self, points: np.ndarray, kernel: Callable) -> np.ndarray:
        if isinstance(self.centers, Integral):
            m = at_most_distinct(check_count(self.centers, len(points), "centers"), points, "centers")
            return draw_centers(points, m, check_rng(self.rng), "centers")
        d = points.shape[1] if points.ndim == 2 else None
        return check_points_of(kernel, self.centers, "centers", n_features=d).copy()


def _refuse_penalty(kernel: Callable) -> None:
    kind = getattr(kernel, "definiteness", "not known")
    if kind not in ("positive semi-definite", "not known"):
        raise ValueError(
            f"kernel is {kernel!r}, which is {kind}: wᵀKw may be negative, so it is not a penalty, and adding λ may "
            "make the system singular. Take a positive semi-definite kernel such as Gaussian or InverseMultiquadric, "
            "or use this kernel without penalty, in RBFInterpolator(kernel) or in GeneralizedRBF(kernel, lam=0)."
        )


def _whitening(G0: np.ndarray) -> np.ndarray:
    """Return S (m, r) with SᵀG₀S = I and columns q_j/√λ_j, for all eigenvalues λ_j > mε λ_max of G₀.

    The other eigenvalues are rounding error and would add spurious penalties.
    """
    values, Q = eigh(G0, check_finite=False)
    if values[0] < -1e-10 * np.abs(values).max():
        raise ValueError(
            f"the kernel is not positive semi-definite on the centres: their Gram matrix has the eigenvalue "
            f"{values[0]:.3g}, so wᵀG₀w is not a penalty. Choose another kernel, or lam=0."
        )
    kept = values > len(G0) * np.finfo(float).eps * values[-1]
    return Q[:, kept] / np.sqrt(values[kept])
