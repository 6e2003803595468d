"""Kernel Fisher discriminant analysis (kernel LDA)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import eigh

from kcourse.base.cholesky import cho_solve, cho_with_ridge
from kcourse.base.estimator import Classifier, Transformer
from kcourse.base.validation import (
    check_gram,
    check_kernel,
    check_labels,
    check_no_overflow,
    check_number,
    check_positive,
)
from kcourse.kernels import expansion, gram

__all__ = ["KernelFisherDiscriminant", "fisher_direction"]

_WHY_LAM = "it multiplies ‖α‖²; with lam = 0 some direction has no scatter within classes, and its ratio is infinite."


class KernelFisherDiscriminant(Transformer, Classifier):
    """Kernel Fisher discriminant (kernel LDA) for two or more classes [001, "ALD à noyau"; chapter 8].

    Axes f = Σ_i α_i φ(x_i) that separate the class means relative to the scatter within classes:
    maximise αᵀMα / αᵀ(N + λI)α, with

        N = Σ_c K_c (I - 1/n_c) K_cᵀ,    M = Σ_c n_c (M_c - M̄)(M_c - M̄)ᵀ,

    where K_c holds the n_c columns of K of class c, M_c is their mean and M̄ the mean of all. For two classes the axis
    is α ∝ (N + λI)⁻¹(M_1 - M_0). N requires centring *within* each class, I - 1/n_c: with K_c K_cᵀ instead, the
    distance of a class from the origin would count as scatter.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite; `Linear` gives ordinary LDA as λ → 0.
    lam : float > 0
        regularisation parameter λ next to the **sum** N over all points, in units of k². N is singular, so λ must not
        be 0.
    n_components : int ≥ 1, or None
        number of axes; None for all: c - 1, or fewer if the class means are linearly dependent.

    Attributes
    ----------
    dual_coef_ : (n, q) array
        α, scaled so that αᵀ(N + λI)α = n: the variance of the scores within classes is 1, or less because of λ.
    ratios_ : (q,) array
        αᵀMα / αᵀ(N + λI)α, decreasing.
    means_ : (c, q) array
        mean score of each class.
    classes_ : (c,) array
        the labels, sorted.
    X_fit_ : (n, d) array
        the training points (a copy), without those of weight 0.
    n_features_in_ : int
        number of features d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    ``transform`` returns scores whose mean over the training points is 0; ``predict`` returns the class of the nearest
    mean score, whatever the class frequencies. With the linear kernel, λ → 0 and classes of equal size this is
    scikit-learn's ``LinearDiscriminantAnalysis`` with equal ``priors``. For two classes the axis is that of the
    least-squares problem Σ_i (y_i - b - [Kα]_i)² + λ‖α‖² on labels ±1. With λK instead of λI, which is also common, it
    would be kernel ridge regression with an unpenalised intercept. An axis points from the first class towards the
    last. Time O(n²d + 4n³/3) for ``fit``.

    >>> import numpy as np
    >>> from kcourse import Gaussian
    >>> from kcourse.kpca import KernelFisherDiscriminant
    >>> rng = np.random.default_rng(0)
    >>> ring = rng.standard_normal((60, 2))
    >>> ring *= np.repeat([0.3, 2.0], 30)[:, None] / np.linalg.norm(ring, axis=1)[:, None]
    >>> y = np.repeat(["inner", "outer"], 30)
    >>> model = KernelFisherDiscriminant(Gaussian(sigma=1.0), lam=0.1).fit(ring, y)
    >>> model.transform(ring).shape, model.score(ring, y)
    ((60, 1), 1.0)
    """

    _uses_kernel_only = True

    def __init__(self, kernel: Callable, *, lam: float = 1.0, n_components: int | None = None) -> None:
        self.kernel = kernel
        self.lam = lam
        self.n_components = n_components

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> KernelFisherDiscriminant:
        """Fit the axes to points ``X`` (n, d) and labels ``y`` (n,); return self.

        ``sample_weight`` (n,) gives the number of copies that each row stands for, fractions included; rows of
        weight 0 are left out, and so is a class that has only such rows. In the sums above n_c is the weight of class
        c, and λ‖α‖² becomes λ Σ α_i²/w_i, as for copies that share α_i.

        Raises
        ------
        TypeError, ValueError
            for a kernel, λ, X or y that cannot be used; if n_components exceeds the number of axes there are; if the
            class means coincide in the feature space; if N + λI is not positive definite in floating point.
        """
        kernel, lam, q = check_kernel(self.kernel), check_positive(self.lam, "lam", _WHY_LAM), self.n_components
        if q is not None:
            q = check_number(q, "n_components", at_least=1, integer=True)
        points = self._fit_points(X, kernel)
        classes, codes = self._fit_labels(y, len(points), sample_weight=sample_weight)
        w, points = self._fit_weights(sample_weight, points)
        # with R = √W and α = Ra: M and N + λW⁻¹ become those of RKR and λI, with means weighted by √w
        K, root = gram(kernel, points), np.ones(len(points)) if w is None else np.sqrt(w)
        if w is not None:
            K *= root[:, None] * root
        D, S = _scatter(K, codes, lam, root)  # M = D Dᵀ, S = (N + λI)⁻¹ D
        # Mα = ρ(N + λI)α with α = (N + λI)⁻¹D u:  Dᵀ(N + λI)⁻¹D u = ρ u, of size c
        rho, u = eigh(D.T @ S)
        rho, u = rho[::-1], u[:, ::-1]
        if not rho[0] > np.finfo(float).tiny:
            raise ValueError("squares of the kernel's values underflow to 0: scale X, or the kernel, up.")
        rank = int(np.sum(rho[: len(classes) - 1] > 1e-12 * rho[0]))
        if q is not None and q > rank:
            raise ValueError(
                f"n_components = {q}, but {len(classes)} classes whose means span {rank} dimension(s) have {rank} "
                f"discriminant axes; take at most {rank}, or None for all."
            )
        q = q or rank
        alpha = S @ u[:, :q] * np.sqrt(root @ root / rho[:q])
        overall = root @ K / (root @ root)
        of_class = np.eye(len(classes))[codes].T * root
        means = (of_class @ K / (of_class @ root)[:, None] - overall) @ alpha
        sign = np.where(means[-1] < means[0], -1.0, 1.0)
        self._remember_features(X, points)
        self.X_fit_, self.dual_coef_, self.means_, self.classes_ = (
            points,
            root[:, None] * alpha * sign,
            means * sign,
            classes,
        )
        self.ratios_ = rho[:q]
        self._kernel, self._offset = kernel, overall @ (alpha * sign)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return the scores Σ_i α_i k(x, x_i), minus their mean over the training points: (m, q)."""
        return self._as_asked(self._scores(self._new_points(X)), X)

    def _scores(self, points: np.ndarray) -> np.ndarray:
        return expansion(self._kernel, points, self.X_fit_, self.dual_coef_) - self._offset

    def _feature_weights(self) -> np.ndarray | None:
        axes = super()._feature_weights()
        if axes is None:
            return None
        w = self.means_ @ axes  # w of sᵀμ_c, with s the scores
        return w[1] - w[0] if len(w) == 2 else w

    @property
    def _n_features_out(self) -> int:
        return self.dual_coef_.shape[1]

    def decision_function(self, X: Any) -> np.ndarray:
        """Return sᵀμ_c - ½‖μ_c‖² for scores s and mean scores μ_c: (m, c), largest for the nearest mean.

        For two classes the difference of the two values, (m,): positive if the second mean is nearer, and equal to the
        log odds for Gaussian scores with unit variance and equally likely classes.
        """
        s = self._scores(self._new_points(X))
        f = s @ self.means_.T - 0.5 * np.sum(self.means_**2, axis=1)
        return f[:, 1] - f[:, 0] if len(self.classes_) == 2 else f


def fisher_direction(K: Any, y: Any, *, lam: float) -> np.ndarray:
    """Return the unit vector α ∝ (N + λI)⁻¹(M_1 - M_0) of two classes, from their Gram matrix: shape (n,).

    N = Σ_c K_c (I - 1/n_c) K_cᵀ is the scatter within classes, M_c the mean of the columns of class c; see
    `KernelFisherDiscriminant`, whose axis for two classes is this direction with another length.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix.
    y : (n,) array
        two labels; α points from the first (in sorted order) towards the second.
    lam : float > 0
        λ.

    >>> K = np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]])
    >>> fisher_direction(K, [0, 0, 1], lam=0.5).round(4)
    array([-0.6247, -0.4685,  0.6247])
    """
    K, lam = check_gram(K), check_positive(lam, "lam", _WHY_LAM)
    classes, codes = np.unique(check_labels(y, len(K)), return_inverse=True)
    if len(classes) != 2:
        raise ValueError(f"y has {len(classes)} classes; one direction separates two: take KernelFisherDiscriminant.")
    _, S = _scatter(K, codes, lam, np.ones(len(K)))
    alpha = S[:, 1]  # as M_1 - M̄ = (n_0/n)(M_1 - M_0)
    return alpha / np.linalg.norm(alpha)


def _scatter(K: np.ndarray, codes: np.ndarray, lam: float, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return D (n, c) with columns √n_c (M_c - M̄), so that M = DDᵀ, and (N + λI)⁻¹D; the weights are ``root``²."""
    within, overall = K.copy(), K @ root / (root @ root)
    D = np.empty((len(K), codes.max() + 1))
    for c in range(D.shape[1]):
        of_c = np.flatnonzero(codes == c)
        r = root[of_c]
        mean = K[:, of_c] @ r / (r @ r)
        within[:, of_c] -= mean[:, None] * r  # K_c (I - rrᵀ/n_c), r = 1 without weights
        D[:, c] = np.sqrt(r @ r) * (mean - overall)
    check_no_overflow(K.diagonal())
    largest = np.abs(K.diagonal()).max()
    if np.abs(D).max() <= 100 * len(K) * np.finfo(float).eps * largest:
        raise ValueError(
            "the class means coincide in the feature space (up to rounding), so no direction separates the classes: "
            "give points that differ between the classes, and a kernel that distinguishes them."
        )
    N = within @ within.T  # Σ_c K_c (I - 1/n_c) K_cᵀ, since I - rrᵀ/n_c is a projection
    return D, cho_solve(cho_with_ridge(N, lam, name="the scatter N within classes"), D)
