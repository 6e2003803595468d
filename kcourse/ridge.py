"""Kernel ridge regression [000, "Régression à noyau"; 003, "Métodos de kernel"; 004, whole].

    f = argmin over f in H of  Σ_i (y_i - f(x_i))² + λ ‖f‖²      f(x) = Σ_i α_i k(x, x_i),   α = (K + λI)⁻¹ y

λ stands beside the **sum** of squared errors. Where a text averages them, its λ times n is this one; where it
halves both terms, λ is the same. scikit-learn calls it ``alpha``; for a Gaussian process it is the noise variance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh

from kcourse.estimator import Regressor
from kcourse.kernels import gram
from kcourse.linalg import cho_inverse, cho_inverse_diag, cho_solve, cho_with_ridge
from kcourse.validation import check_gram, check_kernel, check_positive, check_targets

__all__ = ["KernelRidge", "LooPath", "loo_path"]

_WHY_LAM = "it multiplies ‖f‖²; with lam = 0 many functions may fit equally well."


class KernelRidge(Regressor):
    """Regression with squared loss and penalty λ‖f‖² in the RKHS of a kernel; no intercept.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite; its width has the units of x.
    lam : float > 0
        strength of the penalty, beside the sum of squared errors.

    Attributes
    ----------
    coef_ : (n,) or (n, t) array
        α, one for each training point: the residual divided by λ, so with noisy y none of them is 0.
    X_fit_ : (n, d) array
        the training points (a copy).
    norm2_ : float or (t,) array
        ‖f‖² = αᵀKα, in units of y² (for a kernel without unit).
    n_features_in_ : int
        d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    Far from all x_i a kernel that decays gives f = 0, not the mean of y: centre y, or add ``Constant`` to the
    kernel. Time O(n²d + n³/3) and memory n² numbers for ``fit``; O(nd) for each point of ``predict``.

    >>> import numpy as np
    >>> from kcourse import Gaussian, KernelRidge
    >>> model = KernelRidge(Gaussian(sigma=1.0), lam=0.5).fit([[0.0], [1.0]], [1.0, -1.0])
    >>> model.coef_.round(6), model.predict([[0.0]]).round(6)
    (array([ 1.119233, -1.119233]), array([0.440384]))
    """

    def __init__(self, kernel: Callable, *, lam: float = 1.0) -> None:
        self.kernel = kernel
        self.lam = lam

    def fit(self, X: Any, y: Any) -> KernelRidge:
        """Learn α from ``X`` (n, d) and ``y`` (n,), or (n, t) for t targets that share X; returns self.

        Raises
        ------
        TypeError, ValueError
            for a kernel, λ, X or y that cannot be used, naming it and the fix; and if K + λI is not positive
            definite in floating point, with the smallest eigenvalue of K and the remedy.
        """
        kernel, lam = check_kernel(self.kernel), check_positive(self.lam, "lam", _WHY_LAM)
        points = self._fit_points(X, kernel)
        y = np.array(check_targets(y, len(points)))
        # (K + λI) α = y, by K + λI = L Lᵀ
        L = cho_with_ridge(gram(kernel, points), lam)
        alpha = cho_solve(L, y)
        self._remember_features(X, points)
        self.X_fit_, self.coef_ = points, alpha
        # as they were at fit, whatever set_params does later
        self._kernel, self._L, self._y = kernel, L, y
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i α_i k(x, x_i) for each row of ``X`` (q, d): (q,) or (q, t)."""
        X = self._new_points(X)
        return gram(self._kernel, X, self.X_fit_) @ self.coef_

    @property
    def norm2_(self) -> float | np.ndarray:
        """‖f‖² = αᵀKα, computed when asked for."""
        self._check_fitted()
        # not as αᵀ(y - λα), which is the same in theory and cancels where λ is large
        norm2 = np.sum(self.coef_ * (gram(self._kernel, self.X_fit_) @ self.coef_), axis=0)
        return float(norm2) if self.coef_.ndim == 1 else norm2

    def effective_df(self) -> float:
        """Return tr K(K + λI)⁻¹, how many parameters the fit behaves like: in [0, n); O(n³)."""
        self._check_fitted()
        # tr AB = Σ_ij A_ij B_ij for symmetric B; not n - λ tr (K + λI)⁻¹, which cancels where λ is large
        return float(np.sum(gram(self._kernel, self.X_fit_) * cho_inverse(self._L)))

    def loo_residuals(self) -> np.ndarray:
        """Return y_i - f₋ᵢ(x_i), f₋ᵢ fitted without point i with the same λ, without refitting: (n,) or (n, t).

        y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii  [chapter 3, equation 13]; O(n³) for the diagonal of the inverse.
        """
        self._check_fitted()
        return (self.coef_.T / cho_inverse_diag(self._L)).T

    def loo_path(self, lams: Any) -> LooPath:
        """Return leave-one-out errors of the same data and kernel for every λ of ``lams``; see `loo_path`."""
        self._check_fitted()
        return loo_path(gram(self._kernel, self.X_fit_), self._y, lams)


@dataclass(frozen=True, eq=False)
class LooPath:
    """What leave-one-out says about each λ of a grid.

    Attributes
    ----------
    lams : (m,) array
        the grid, as given.
    residuals : (m, n) array, or (m, n, t)
        y_i - f₋ᵢ(x_i) for each λ.
    mse : (m,) array
        their mean square, in units of y².
    df : (m,) array
        effective degrees of freedom tr K(K + λI)⁻¹.
    norm2 : (m,) array, or (m, t)
        ‖f‖² of the fit to all points.
    """

    lams: np.ndarray
    residuals: np.ndarray
    mse: np.ndarray
    df: np.ndarray
    norm2: np.ndarray

    @property
    def best_lam(self) -> float:
        """The λ of least mean squared leave-one-out residual; the larger one of equals."""
        least = np.flatnonzero(self.mse == self.mse.min())
        return float(self.lams[least].max())


def loo_path(K: Any, y: Any, lams: Any) -> LooPath:
    """Leave-one-out residuals of kernel ridge regression for many λ, from one eigendecomposition of K.

    With K = Q diag(w) Qᵀ:  α = Q R Qᵀy,  [(K + λI)⁻¹]_ii = Σ_j Q_ij² R_j,  R_j = 1/(w_j + λ),
    and y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii.  O(n³) once, then O(n²) for each λ.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix, positive semi-definite.
    y : (n,) or (n, t) array
        targets.
    lams : (m,) array
        values of λ > 0, in any order.

    >>> import numpy as np
    >>> from kcourse import Gaussian, loo_path
    >>> x = np.array([[0.0], [1.0], [2.5]])
    >>> path = loo_path(Gaussian(1.0)(x), [1.0, -1.0, 0.5], [0.1, 0.5])
    >>> path.residuals[1].round(6)
    array([ 1.448118, -1.500739,  0.814186])
    """
    K = check_gram(K)
    y = check_targets(y, len(K))
    if np.ndim(lams) > 1:
        raise ValueError(f"lams has shape {np.shape(lams)}; expected (m,), one value after another.")
    lams = np.array([check_positive(lam, f"lams[{i}]", _WHY_LAM) for i, lam in enumerate(np.ravel(lams))])
    if lams.size == 0:
        raise ValueError("lams is empty; give at least one value, such as np.logspace(-6, 2, 25).")
    w, Q = eigh(K, driver="evd", check_finite=False)
    if not w[0] + lams.min() > 0:
        raise ValueError(
            f"K is not positive semi-definite: its smallest eigenvalue is {w[0]:.3g}, which lam = {lams.min():g} does "
            "not lift above 0. Use a positive semi-definite kernel, or larger lams."
        )
    R = 1.0 / (w[:, None] + lams)  # (n, m)
    C = Q.T @ y.reshape(len(K), -1)  # Qᵀ y, (n, t)
    d = (Q * Q) @ R  # diagonals of (K + λI)⁻¹, (n, m)
    residuals = np.stack([(Q @ (R[:, [j]] * C)) / d[:, [j]] for j in range(lams.size)])  # (m, n, t)
    norm2 = np.einsum("nm,nt->mt", w[:, None] * R * R, C * C)
    if y.ndim == 1:
        residuals, norm2 = residuals[:, :, 0], norm2[:, 0]
    mse = np.mean(residuals**2, axis=tuple(range(1, residuals.ndim)))
    return LooPath(lams=lams, residuals=residuals, mse=mse, df=w @ R, norm2=norm2)
