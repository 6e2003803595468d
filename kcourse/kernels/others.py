"""Kernels of minima, multiquadrics and thin-plate splines, and a precomputed Gram matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from kcourse.base.linalg import distances, strips
from kcourse.base.validation import check_gram, check_points, check_positive
from kcourse.kernels.algebra import Kernel, Pull, put

__all__ = ["Brownian", "HistogramIntersection", "InverseMultiquadric", "Multiquadric", "Precomputed", "ThinPlate"]

_CACHE = 2**16  # values computed at once, which fit into the cache


@dataclass(frozen=True)
class HistogramIntersection(Kernel):
    """Histogram intersection kernel k(x, z) = Σ_j min(x_j, z_j) for x, z ≥ 0 [001, "Exemples de noyaux"].

    >>> HistogramIntersection()([[3.0, 1.0]], [[2.0, 5.0]])
    array([[3.]])
    """

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as points without negative entries."""
        X = super().check_points(X, name)
        if X.min() < 0:
            raise ValueError(
                f"{name} has negative entries (the smallest is {X.min():g}); {type(self).__name__} is positive "
                "semi-definite only for entries of at least 0. Shift them, or choose another kernel."
            )
        return X

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        Z = X if Z is None else Z
        K = np.zeros((len(X), len(Z)))
        for x, z in zip(X.T, Z.T, strict=True):
            K += np.minimum(x[:, None], z)
        return K

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return X.sum(axis=1)


@dataclass(frozen=True)
class Brownian(HistogramIntersection):
    """Brownian motion kernel k(s, t) = min(s, t) on [0, ∞) [001, "Exercice"].

    Its RKHS consists of the absolutely continuous f with f(0) = 0 and ‖f‖² = ∫ f'² < ∞. Points have one feature; for
    several features, use `HistogramIntersection` for sums, or multiply kernels.

    >>> Brownian()([[0.5], [2.0]], [[1.0]])
    array([[0.5],
           [1. ]])
    """

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as times, one column without negative entries."""
        X = super().check_points(X, name)
        if X.shape[1] != 1:
            raise ValueError(f"{name} has {X.shape[1]} features; Brownian compares times, shape (n, 1).")
        return X


@dataclass(frozen=True)
class _Radial(Kernel):
    """Base class of kernels that are functions of the distance r and of a length c."""

    c: float = 1.0

    def __post_init__(self) -> None:
        put(self, "c", check_positive(self.c, "c", "it is a length, in the units of x."))
        if not 1e-150 < self.c < 1e150:
            raise ValueError(f"c is {self.c:g}, and its square overflows or vanishes; measure x in another unit.")

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        S = distances(X, Z, squared=True)
        for rows in strips(len(S), max(1, _CACHE // S.shape[1])):
            S[rows] = self._of_squares(S[rows])
        return S

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return self._of_squares(np.zeros(len(X)))

    def _of_squares(self, S: np.ndarray) -> np.ndarray:
        """Return the kernel values at the squared distances ``S``, which may be overwritten."""
        raise NotImplementedError


@dataclass(frozen=True)
class Multiquadric(_Radial):
    """Multiquadric k(x, z) = √(‖x - z‖² + c²) [002, "Interpolation"], which is **not** positive semi-definite.

    It is conditionally negative definite of order 1: aᵀKa < 0 for all a ≠ 0 with Σ a_i = 0. For distinct points, K
    therefore has one positive and n - 1 negative eigenvalues. It is invertible and can be used for interpolation. But
    K + λI may be singular, so the multiquadric is not a kernel for ridge regression.

    >>> Multiquadric(c=3.0)([[0.0]], [[0.0], [4.0]])
    array([[3., 5.]])
    """

    definiteness_sign: ClassVar[int] = -1
    definiteness_order: ClassVar[int] = 1

    def _of_squares(self, S: np.ndarray) -> np.ndarray:
        """Return the kernel values √(S + c²)."""
        S += self.c**2
        return np.sqrt(S, out=S)


@dataclass(frozen=True)
class InverseMultiquadric(_Radial):
    """Inverse multiquadric k(x, z) = 1/√(‖x - z‖² + c²) [002, "Interpolation"], positive definite, in 1/(units of x).

    >>> InverseMultiquadric(c=3.0)([[0.0]], [[0.0], [4.0]]).round(4)
    array([[0.3333, 0.2   ]])
    """

    _learnable: ClassVar[tuple[str, ...]] = ("c",)

    def _of_squares(self, S: np.ndarray) -> np.ndarray:
        """Return the kernel values 1/√(S + c²)."""
        S += self.c**2
        np.sqrt(S, out=S)
        return np.reciprocal(S, out=S)

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        K = self._pairs(X, None)
        # ∂k/∂log c = -c² k³
        return K, lambda M: np.array([-(self.c**2) * np.sum(M * K**3)])


@dataclass(frozen=True)
class ThinPlate(_Radial):
    """Thin-plate spline k(x, z) = s² log s, s = ‖x - z‖/c [Duchon 1977], which is **not** positive semi-definite.

    It is conditionally positive definite of order 2: aᵀKa > 0 for all a ≠ 0 that annihilate every linear polynomial.
    Without a linear polynomial in the model, an interpolation matrix may be singular for distinct points (a centre and
    the corners of the regular hexagon of radius c around it). ``c`` only changes the unit of the distances.

    >>> ThinPlate()([[0.0]], [[0.0], [1.0], [np.e]]).round(4)
    array([[0.    , 0.    , 7.3891]])
    """

    definiteness_order: ClassVar[int] = 2

    def _of_squares(self, S: np.ndarray) -> np.ndarray:
        """Return the kernel values ½ (S/c²) log(S/c²), and 0 at 0."""
        S = S / self.c**2
        return 0.5 * S * np.log(S, out=np.zeros_like(S), where=S > 0)


@dataclass(frozen=True, eq=False)
class Precomputed(Kernel):
    """Precomputed Gram matrix; points are the row numbers 0…n-1, written as a column of shape (m, 1).

    Pass the row numbers to fit, cross-validate or predict on any subset of the points. scikit-learn's
    ``kernel="precomputed"`` takes slices of the matrix instead.

    Parameters
    ----------
    K : (n, n) array
        Gram matrix of all points, training and test; stored as a copy.

    >>> from kcourse import KernelRidge
    >>> K = np.array([[2.0, 1.0, 0.0], [1.0, 2.0, 1.0], [0.0, 1.0, 2.0]])
    >>> KernelRidge(Precomputed(K), lam=1.0).fit([[0], [1]], [3.0, 2.0]).predict([[2]]).round(6)
    array([0.375])
    """

    K: np.ndarray = field(repr=False)
    _values: ClassVar[np.ndarray]  # not a parameter, but a copy of K

    def __post_init__(self) -> None:
        put(self, "_values", np.array(check_gram(self.K)))  # a copy, because the caller may change K

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as row numbers of K, shape (m, 1)."""
        X, n = check_points(X, name), len(self.K)
        if X.shape[1] != 1 or np.any(X != np.floor(X)) or X.min() < 0 or X.max() >= n:
            raise ValueError(
                f"{name} must hold row numbers of K, whole numbers 0…{n - 1} as a column of shape (m, 1), such as "
                f"np.arange({n})[:, None]."
            )
        return X

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        rows = X[:, 0].astype(int)
        if Z is not None:
            return self._values[np.ix_(rows, Z[:, 0].astype(int))]
        K = self._values[np.ix_(rows, rows)]
        return np.tril(K) + np.tril(K, -1).T  # a given matrix is symmetric only up to rounding

    def _diag(self, X: np.ndarray) -> np.ndarray:
        rows = X[:, 0].astype(int)
        return self._values[rows, rows]
