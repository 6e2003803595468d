"""Kernel principal component analysis, with pre-images."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from kcourse.base.estimator import Transformer
from kcourse.base.linalg import in_strips
from kcourse.base.validation import (
    check_kernel,
    check_no_overflow,
    check_number,
    check_points,
    check_positive,
    is_sparse,
)
from kcourse.kernels import gram
from kcourse.kpca.centering import center_in_place, centered_rows
from kcourse.kpca.preimage import PreImages, gaussian_pre_images, linear_pre_images, pre_image_rule
from kcourse.kpca.spectrum import top_eigenpairs

__all__ = ["KernelPCA"]


class KernelPCA(Transformer):
    """Kernel principal component analysis [001, "ACP à noyau"].

    The k-th axis is f^(k) = Σ_i α_i^(k) (φ(x_i) - φ̄) with α^(k) = b_k/√λ_k, where (λ_k, b_k) are the eigenvalues and
    unit eigenvectors of the centred Gram matrix, so ‖f^(k)‖ = 1. The score of x is ⟨φ(x) - φ̄, f^(k)⟩; those of the
    training points are √λ_k b_k, with mean 0 and variance λ_k/n (their sum of squares is λ_k itself).

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite; `Linear` gives ordinary PCA.
    n_components : int ≥ 1, or None
        number of axes q; None for all whose eigenvalue is above rounding. At most the rank of the centred Gram matrix,
        which is at most n - 1 (with the linear kernel also at most d), because λ_k = 0 gives no α^(k).

    Attributes
    ----------
    eigenvalues_ : (q,) array
        λ_1 ≥ … ≥ λ_q > 0 of the centred Gram matrix, in the units of k; λ/n is a variance.
    explained_variance_ratio_ : (q,) array
        λ_k / Σ_j λ_j over **all** eigenvalues (the trace of the centred Gram matrix), not only the q kept.
    dual_coef_ : (n, q) array
        α; its columns sum to 0. (In scikit-learn's ``KernelPCA`` this attribute belongs to the inverse transform.)
    X_fit_ : (n, d) array
        the training points (a copy).
    n_features_in_ : int
        number of features d.
    feature_names_in_ : (d,) array
        column names, if X was a data frame.

    Notes
    -----
    Test rows are centred with the means of the training points; source 001 omits this ("ACP à noyau (3/3)").
    An axis is determined up to its sign, axes of equal eigenvalues up to a rotation; the sign is chosen so that in each
    b_k the entry of largest absolute value is positive. Scores and eigenvalues equal those of scikit-learn's
    ``KernelPCA`` up to sign, except that for eigenvalue 0 it returns zero columns without a warning; it has no ratios.
    Time O(n²d), and O(n²) for each of a few dozen products if q ≪ n, otherwise O(n³). As in scikit-learn, there is no
    ``sample_weight``; repeat a row to increase its weight.

    >>> import numpy as np
    >>> from kcourse import Gaussian
    >>> from kcourse.kpca import KernelPCA
    >>> X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
    >>> model = KernelPCA(Gaussian(sigma=2.0), n_components=2).fit(X)
    >>> model.transform(X).round(3)
    array([[-0.619, -0.363],
           [ 0.009, -0.14 ],
           [-0.12 ,  0.695],
           [ 0.731, -0.192]])
    >>> model.explained_variance_ratio_.round(3)
    array([0.484, 0.348])

    To remove noise, keep a few axes and compute pre-images (`inverse_transform`). Here the points were drawn from a
    circle with noise, and the pre-images lie closer to the circle.

    >>> rng = np.random.default_rng(0)
    >>> angle = rng.uniform(0, 2 * np.pi, 200)
    >>> noisy = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.1 * rng.standard_normal((200, 2))
    >>> model = KernelPCA(Gaussian(sigma=0.7), n_components=4).fit(noisy)
    >>> clean = model.inverse_transform(model.transform(noisy))
    >>> [round(float(np.std(np.linalg.norm(points, axis=1))), 3) for points in (noisy, clean)]
    [0.101, 0.017]
    """

    _uses_kernel_only = True

    def __init__(self, kernel: Callable, *, n_components: int | None = 2) -> None:
        self.kernel = kernel
        self.n_components = n_components

    def fit(self, X: Any, y: Any = None) -> KernelPCA:
        """Find the axes of the points ``X`` (n, d); ``y`` is ignored; return self.

        Raises
        ------
        TypeError, ValueError
            for a kernel, n_components or X that cannot be used; if n_components exceeds the rank of the centred Gram
            matrix, naming the rank; and if the kernel is seen not to be positive semi-definite on these points.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Fit to ``X`` (n, d) and return its scores √λ_k b_k, shape (n, q), without a second Gram matrix."""
        b = self._fit(X)
        return self._as_asked(b * np.sqrt(self.eigenvalues_), X)

    def _feature_weights(self) -> None:
        return None  # no coef_, as in scikit-learn's PCA

    @property
    def _n_features_out(self) -> int:
        return self.dual_coef_.shape[1]

    def _fit(self, X: Any) -> np.ndarray:
        """Fit the model; return the eigenvectors b (n, q)."""
        kernel, q = check_kernel(self.kernel), self.n_components
        if q is not None:
            q = check_number(q, "n_components", at_least=1, integer=True)
        points = self._fit_points(X, kernel)
        K = gram(kernel, points)
        check_no_overflow(K.diagonal())
        n, largest = len(K), np.abs(K.diagonal()).max()
        rounding = 100 * n * np.finfo(float).eps * largest
        # K ← K - UK - KU + UKU,  K b = λ b
        K, means = center_in_place(K)
        w, b, low = top_eigenpairs(K, n if q is None else min(q, n))
        if low < -rounding:
            raise ValueError(
                f"the kernel is not positive semi-definite on these points: the centred Gram matrix has an eigenvalue "
                f"of {low:.3g} or below, a negative variance. Choose a positive semi-definite kernel."
            )
        rank = int(np.sum(w > rounding))
        if rank == 0 or (q is not None and q > rank):
            raise ValueError(_rank_too_low(q, rank, n, rounding))
        # 1ᵀb = 0 if λ > 0: remove the rounding ε λ_1/λ, which the mean feature would multiply
        w, b = w[:rank], b[:, :rank] - b[:, :rank].mean(axis=0)
        self._remember_features(X, points)
        self.X_fit_, self.eigenvalues_ = points, w
        self.explained_variance_ratio_ = w / K.trace()
        self.dual_coef_ = b / np.sqrt(w)  # α^(k) = b_k / √λ_k
        self._kernel, self._means = kernel, means
        return b

    def transform(self, X: Any) -> np.ndarray:
        """Return the scores ⟨φ(x) - φ̄, f^(k)⟩ of the rows of ``X`` (m, d): shape (m, q)."""
        return self._as_asked(in_strips(self._scores, self._new_points(X), len(self.X_fit_)), X)

    def _scores(self, points: np.ndarray) -> np.ndarray:
        # Σ_i α_i^(k) k̃(x, x_i), the row centred with the training means
        return centered_rows(gram(self._kernel, points, self.X_fit_), self._means) @ self.dual_coef_

    def pre_image(self, scores: Any, *, tol: float = 1e-8, max_iter: int = 1000) -> PreImages:
        """Return pre-images: inputs z that minimise ‖φ(z) - p‖ for p = φ̄ + Σ_k s_k f^(k), for rows s of ``scores``.

        Most points of the feature space have no exact pre-image. For `Linear` the solution is
        z = x̄ + Σ_k s_k Σ_i α_i^(k) x_i. For `Gaussian` use Mika's fixed-point iteration [Mika et al., NIPS 1998],

            z ← Σ_i β_i k(z, x_i) x_i / Σ_i β_i k(z, x_i),   β_i = Σ_k s_k α_i^(k) + 1/n,

        from the training point with the nearest feature; each step is halved until the distance does not increase, and
        the result is a local minimum. For other kernels, learn the inverse map by regression:
        ``KernelRidge(Gaussian(s), lam=…).fit(model.transform(X), X)``.

        Parameters
        ----------
        scores : (m, q) array
            coordinates on the axes, such as `transform` returns.
        tol : float > 0
            a point has converged when its step is shorter than ``tol`` kernel widths.
        max_iter : int ≥ 1
            maximum number of steps.

        Returns
        -------
        PreImages
            points, squared residuals ‖φ(z) - p‖², and which points have converged.
        """
        self._check_fitted()
        if is_sparse(self.X_fit_):
            raise TypeError("pre_image returns dense points: fit to a dense array, X.toarray().")
        rule = pre_image_rule(self._kernel)
        tol, max_iter = check_positive(tol, "tol"), check_number(max_iter, "max_iter", at_least=1, integer=True)
        scores = check_points(scores, "scores", n_features=None)
        if scores.shape[1] != self.dual_coef_.shape[1]:
            raise ValueError(
                f"scores has shape {scores.shape}; expected {self.dual_coef_.shape[1]} columns, one for each axis."
            )
        beta = scores @ self.dual_coef_.T + 1 / len(self.X_fit_)
        # ‖φ̄ + Σ_k s_k f^(k)‖² = ‖φ̄‖² + 2 Σ_k s_k ⟨φ̄, f^(k)⟩ + Σ_k s_k²
        norm2 = self._means.mean() + 2 * scores @ (self.dual_coef_.T @ self._means) + np.sum(scores**2, axis=1)
        if rule == "linear":
            return linear_pre_images(beta, self.X_fit_, norm2)
        return gaussian_pre_images(self._kernel, beta, self.X_fit_, norm2, tol, max_iter)

    def inverse_transform(self, scores: Any) -> np.ndarray:
        """Return the points of `pre_image`, shape (m, d); warn if some have not converged."""
        found = self.pre_image(scores)
        if not found.converged.all():
            warnings.warn(
                f"{np.sum(~found.converged)} of {len(found.points)} pre-images have not converged; call pre_image "
                "with a larger max_iter or a larger tol.",
                RuntimeWarning,
                stacklevel=2,
            )
        return found.points


def _rank_too_low(q: int | None, rank: int, n: int, rounding: float) -> str:
    what = f"the centred Gram matrix of X (n_samples = {n}) has rank {rank}: its other eigenvalues are 0 up to rounding"
    if rank == 0:
        return (
            f"{what} ({rounding:.1g}), so all features φ(x_i) are equal and nothing varies. Give points that differ, "
            "and a kernel that distinguishes them."
        )
    return f"n_components = {q}, but {what} ({rounding:.1g}). Take n_components of at most {rank}, or None for all."
