"""Kernel ridge regression [000, "Régression à noyau"; 003, "Métodos de kernel"; 004, whole].

    f = argmin over f in H of  Σ_i (y_i - f(x_i))² + λ ‖f‖²      f(x) = Σ_i α_i k(x, x_i),   α = (K + λI)⁻¹ y

With ``intercept=True`` an unpenalised constant b is added: f(x) = Σ_i α_i k(x, x_i) + b, Σ_i α_i = 0. That is the
least-squares support vector machine; [000, "SVMs", last remark] calls the SVM with squared loss "classical kernel
regression", which is right only without b.

With weights w_i the sum is Σ_i w_i (y_i - f(x_i))², as if point i occurred w_i times. Then α = (K + λW⁻¹)⁻¹ y with
W = diag(w), computed as α = S a, (SKS + λI) a = Sy, S = √W. All formulas below hold with SKS and Sy for K and y.

λ multiplies ‖f‖² next to the **sum** of squared errors. Where a text averages the errors, its λ times n is this one;
where it halves both terms, λ is the same. scikit-learn's name is ``alpha``; a Gaussian process has the noise variance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh

from kcourse.base.cholesky import (
    cho_inverse,
    cho_inverse_diag,
    cho_solve,
    cho_with_ridge,
    warn_of_rounding,
)
from kcourse.base.estimator import Regressor
from kcourse.base.validation import check_flag, check_gram, check_kernel, check_positive, check_targets, check_weights
from kcourse.kernels import expansion, gram

__all__ = ["KernelRidge", "LooPath", "loo_path"]

_WHY_LAM = "it multiplies ‖f‖²; with lam = 0 many functions may fit equally well."


class KernelRidge(Regressor):
    """Kernel ridge regression: squared loss with penalty λ‖f‖² in the RKHS; the intercept is optional.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite; its width has the units of x.
    lam : float > 0
        penalty parameter λ, next to the sum of squared errors.
    intercept : bool
        whether to fit an unpenalised constant b, as in the least-squares support vector machine. Then targets y + c
        give predictions that are larger by c.

    Attributes
    ----------
    dual_coef_ : (n,) or (n, t) array
        α, one for each training point: the residual divided by λ; with noisy y none of them is 0.
    coef_ : (d,) or (t, d) array
        w = Xᵀα, with the linear kernel only.
    intercept_ : float or (t,) array
        b, in units of y; 0 without ``intercept``.
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    norm2_ : float or (t,) array
        ‖f‖² = αᵀKα, in units of y² (for a kernel without unit).
    n_features_in_ : int
        number of features d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    Far from all x_i a kernel that decays gives f = 0, not the mean of y: centre y, pass ``intercept=True``, or add
    ``Constant`` to the kernel (a penalised constant). scikit-learn's ``KernelRidge`` has no intercept.
    Rounding errors change f at the training points by at most 1e-3 of the largest |y_i|, or ``fit`` warns. At another x
    the error may be larger, if k(x, x) = 1 by the factor √(1 + ‖w‖²), w = (K + λI)⁻¹k(x).
    Time O(n²d + n³/3) and memory n² numbers for ``fit``; O(nd) for each point of ``predict``.

    >>> import numpy as np
    >>> from kcourse import Gaussian, KernelRidge
    >>> model = KernelRidge(Gaussian(sigma=1.0), lam=0.5).fit([[0.0], [1.0]], [1.0, -1.0])
    >>> model.dual_coef_.round(6), model.predict([[0.0]]).round(6)
    (array([ 1.119233, -1.119233]), array([0.440384]))
    """

    _uses_kernel_only = True

    def __init__(self, kernel: Callable, *, lam: float = 1.0, intercept: bool = False) -> None:
        self.kernel = kernel
        self.lam = lam
        self.intercept = intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelRidge:
        """Fit α to ``X`` (n, d) and ``y`` (n,), or (n, t) for t targets that share X; return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out. Doubling all weights has the same effect as halving λ.

        Raises
        ------
        TypeError, ValueError
            for a kernel, λ, X, y or weights that cannot be used, naming it and the fix; and if K + λI is not positive
            definite in floating point, with the smallest eigenvalue of K and the remedy.

        Warns
        -----
        UserWarning
            if rounding errors may change the fitted values by more than 1e-3 of the largest |y_i|.
        """
        kernel, lam = check_kernel(self.kernel), check_positive(self.lam, "lam", _WHY_LAM)
        intercept = check_flag(self.intercept, "intercept")
        points = self._fit_points(X, kernel)
        y = np.array(check_targets(y, len(points)))
        w, points, y = self._fit_weights(sample_weight, points, y)
        root = None if w is None else np.sqrt(w)
        # (K + λI) α = y, by K + λI = L Lᵀ
        K = _scaled(gram(kernel, points), root)
        diagonal = K.diagonal() + lam
        L = cho_with_ridge(K, lam)
        a = cho_solve(L, _times(root, y))
        warn_of_rounding(a, _times(root, y), diagonal, "lam")
        alpha, b, s = _times(root, a), np.zeros(y.shape[1:])[()], None
        if intercept:
            # [K + λI  1; 1ᵀ  0] [α; b] = [y; 0]:  s = (K + λI)⁻¹ 1,  b = sᵀy / sᵀ1,  α = (K + λI)⁻¹ y - b s
            s = _times(root, cho_solve(L, np.ones(len(y)) if root is None else root))
            b = s @ y / s.sum()
            alpha -= np.multiply.outer(s, b)
        self._remember_features(X, points)
        self.X_fit_, self.dual_coef_, self.intercept_ = points, alpha, b
        # kept from fit, so that a later set_params does not change predictions
        self._kernel, self._lam, self._L, self._s, self._y, self._w = kernel, lam, L, s, y, w
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i α_i k(x, x_i) + b for each row of ``X`` (q, d): (q,) or (q, t)."""
        X = self._new_points(X)
        return expansion(self._kernel, X, self.X_fit_, self.dual_coef_) + self.intercept_

    @property
    def norm2_(self) -> float | np.ndarray:
        """Squared RKHS norm ‖f‖² = αᵀKα, without b, computed on request."""
        self._check_fitted()
        # not αᵀ(y - λα), which is equal in exact arithmetic but loses precision where λ is large
        norm2 = np.sum(self.dual_coef_ * (gram(self._kernel, self.X_fit_) @ self.dual_coef_), axis=0)
        return float(norm2) if self.dual_coef_.ndim == 1 else norm2

    def effective_df(self) -> float:
        """Return the effective degrees of freedom, the trace of y ↦ (f(x_i))_i; O(n³).

        tr K(K + λI)⁻¹, in [0, n]; with intercept in [1, n], where b adds 1 and the other part decreases a little.
        """
        self._check_fitted()
        P = self._scaled_back(cho_inverse(self._L))
        if self._s is not None:
            P -= np.outer(self._s, self._s) / self._s.sum()  # α = P y
        # n - λ tr W⁻¹P loses precision where λ is large, tr KP = Σ_ij K_ij P_ij where it is small: take the better one
        lost = self._lam * float(np.sum(P.diagonal() if self._w is None else P.diagonal() / self._w))
        if 2 * lost < len(P):
            return len(P) - lost
        return float(np.sum(gram(self._kernel, self.X_fit_) * P)) + (self._s is not None)

    def _scaled_back(self, P: np.ndarray) -> np.ndarray:
        """Return (K + λW⁻¹)⁻¹ from ``P`` = (SKS + λI)⁻¹, which is overwritten."""
        return P if self._w is None else _scaled(P, np.sqrt(self._w))

    def loo_residuals(self) -> np.ndarray:
        """Return the leave-one-out residuals y_i - f₋ᵢ(x_i), with the same λ and no refitting: (n,) or (n, t).

        f₋ᵢ is the fit without point i and all its weight; points of weight 0 have no entry.

        y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii  [chapter 3, equation 13]; O(n³) for the diagonal of the inverse. With
        intercept the inverse is that of the bordered matrix, and b is refitted for each point left out.
        """
        self._check_fitted()
        d = cho_inverse_diag(self._L)
        if self._w is not None:
            d *= self._w
        if self._s is not None:
            _needs_two(len(d))
            d -= self._s**2 / self._s.sum()
        return (self.dual_coef_.T / d).T

    def loo_path(self, lams: Any) -> LooPath:
        """Return leave-one-out errors of the same data, weights and kernel for every λ of ``lams``; see `loo_path`."""
        self._check_fitted()
        K, intercept = gram(self._kernel, self.X_fit_), self._s is not None
        return loo_path(K, self._y, lams, intercept=intercept, sample_weight=self._w)


@dataclass(frozen=True, eq=False)
class LooPath:
    """Leave-one-out residuals and errors for each λ of a grid.

    Attributes
    ----------
    lams : (m,) array
        values of λ, in the given order.
    residuals : (m, n) array, or (m, n, t)
        y_i - f₋ᵢ(x_i) for each λ.
    mse : (m,) array
        mean squared residuals, weighted if the points are weighted, in units of y².
    df : (m,) array
        effective degrees of freedom tr K(K + λI)⁻¹.
    norm2 : (m,) array, or (m, t)
        ‖f‖² for the fit to all points.
    """

    lams: np.ndarray
    residuals: np.ndarray
    mse: np.ndarray
    df: np.ndarray
    norm2: np.ndarray

    @property
    def best_lam(self) -> float:
        """The λ with the smallest mean squared leave-one-out residual; ties go to the larger value."""
        least = np.flatnonzero(self.mse == self.mse.min())
        return float(self.lams[least].max())


def _needs_two(n: int) -> None:
    if n == 1:
        raise ValueError(
            "with an intercept, leaving out the only point leaves nothing to fit; give two points or more."
        )


def _times(root: np.ndarray | None, y: np.ndarray) -> np.ndarray:
    """Return Sy, or y if there are no weights."""
    return y if root is None else (y.T * root).T


def _scaled(K: np.ndarray, root: np.ndarray | None) -> np.ndarray:
    """Return SKS, exactly symmetric, written over ``K``; K if there are no weights."""
    if root is not None:
        for row, r in zip(K, root, strict=True):
            row *= r * root
    return K


def loo_path(K: Any, y: Any, lams: Any, *, intercept: bool = False, sample_weight: Any = None) -> LooPath:
    """Return leave-one-out residuals of kernel ridge regression for many λ, from one eigendecomposition of K.

    With K = Q diag(μ) Qᵀ:  α = Q R Qᵀy,  [(K + λI)⁻¹]_ii = Σ_j Q_ij² R_j,  R_j = 1/(μ_j + λ),
    and y_i - f₋ᵢ(x_i) = α_i / [(K + λI)⁻¹]_ii.  O(n³) once, then O(n²) for each λ. With an intercept (K + λI)⁻¹ becomes
    P = (K + λI)⁻¹ - s sᵀ/sᵀ1,  s = (K + λI)⁻¹ 1.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix, positive semi-definite.
    y : (n,) or (n, t) array
        targets.
    lams : (m,) array
        values of λ > 0, in any order.
    intercept : bool
        whether the model has an unpenalised constant; see `KernelRidge`.
    sample_weight : (n,) array, optional
        weights > 0; a point is left out with all of its weight, which it also has in the mean squared residual.

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
        raise ValueError(f"lams has shape {np.shape(lams)}; expected (m,), a sequence of values.")
    lams = np.array([check_positive(lam, f"lams[{i}]", _WHY_LAM) for i, lam in enumerate(np.ravel(lams))])
    if lams.size == 0:
        raise ValueError("lams is empty; give at least one value, such as np.logspace(-6, 2, 25).")
    root = _root_of_weights(sample_weight, len(K))
    mu, Q = eigh(_scaled(np.array(K), root), driver="evd", check_finite=False)
    rounding = float(np.finfo(float).eps * np.abs(mu).max())  # error of each eigenvalue
    if not mu[0] + lams.min() > rounding:
        which = "not positive semi-definite" if mu[0] < -len(mu) * rounding else "singular up to rounding"
        raise ValueError(
            f"K is {which}: its smallest eigenvalue is {mu[0]:.3g}, which lam = {lams.min():g} does not lift above 0 "
            f"(rounding error {rounding:.1g}). Use larger lams, or a positive definite kernel."
        )
    R = 1.0 / (mu[:, None] + lams)  # (n, m)
    C = Q.T @ _times(root, y).reshape(len(K), -1)  # Qᵀ y, (n, t)
    d = (Q * Q) @ R  # diagonals of (K + λI)⁻¹, (n, m)
    V = R[:, :, None] * C[:, None, :]  # Qᵀ α, (n, m, t)
    df = mu @ R
    if check_flag(intercept, "intercept"):
        _needs_two(len(K))
        ones = Q.sum(axis=0) if root is None else root @ Q  # Qᵀ 1
        V, d, df = _with_intercept(mu, Q, ones, R, C, V, d, df)
    if root is not None:
        d *= root[:, None]  # α_i / [(K + λW⁻¹)⁻¹]_ii = √w_i a_i / (w_i [(SKS + λI)⁻¹]_ii)
    residuals = np.stack([(Q @ V[:, j]) / d[:, [j]] for j in range(lams.size)])  # (m, n, t)
    norm2 = np.einsum("n,nmt->mt", mu, V * V)
    if y.ndim == 1:
        residuals, norm2 = residuals[:, :, 0], norm2[:, 0]
    squares = residuals**2 if residuals.ndim == 2 else np.mean(residuals**2, axis=2)
    mse = np.average(squares, axis=1, weights=None if root is None else root**2)
    return LooPath(lams=lams, residuals=residuals, mse=mse, df=df, norm2=norm2)


def _root_of_weights(sample_weight: Any, n: int) -> np.ndarray | None:
    w = check_weights(sample_weight, n)
    if w is not None and not w.all():
        raise ValueError("sample_weight has entries that are 0: leave these points out of K and y.")
    return None if w is None else np.sqrt(w)


def _with_intercept(mu, Q, ones, R, C, V, d, df):
    """Subtract s sᵀ/sᵀ1 from each (K + λI)⁻¹, in the coordinates of the eigenvectors; ``ones`` is Qᵀ1."""
    S = R * ones[:, None]  # Qᵀ s for each λ, (n, m)
    total = ones @ S  # sᵀ1, (m,)
    b = (S.T @ C) / total[:, None]  # (m, t)
    return V - S[:, :, None] * b, d - (Q @ S) ** 2 / total, df + 1 - (mu @ (S * S)) / total
