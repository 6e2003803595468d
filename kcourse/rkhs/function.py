"""Finite combinations of sections k(x_i, ·), with the inner product of their RKHS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy.linalg import eigh
from scipy.linalg.lapack import dpotrf, dpotrs

from kcourse.base.validation import check_kernel, check_number, check_points, check_targets
from kcourse.kernels import Kernel, expansion, gram

__all__ = ["RKHSFunction", "interpolate"]


@dataclass(frozen=True, eq=False)
class RKHSFunction:
    """Function f = Σ_i α_i k(x_i, ·) of the RKHS of a kernel [001, "RKHS", "Représentation géométrique"].

    f(x) is ⟨f, k(x, ·)⟩ (the reproducing property), hence |f(x)| ≤ ‖f‖ √k(x, x): functions that are close in norm are
    close everywhere. The converse is false: a function that is small everywhere may have a large norm. One section,
    ``RKHSFunction(kernel, [x], [1.0])``, is the feature φ(x) = k(x, ·).

    ``f(X)`` evaluates f; ``f + g``, ``f - g``, ``-f``, ``3 * f``, ``f / 3`` are functions of the same RKHS.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    X : (n, d) array
        the points x_i; repetitions are allowed.
    coef : (n,) array
        α. If K is singular, different coefficients may give the same function; its norm does not depend on the choice.

    >>> from kcourse import Brownian
    >>> from kcourse.rkhs import RKHSFunction
    >>> f = RKHSFunction(Brownian(), [[0.3], [0.8]], [1.0, -2.0])
    >>> f([[0.5]]).round(6), round(f.norm2, 6)
    (array([-0.7]), 2.3)
    >>> round(f.inner(RKHSFunction(Brownian(), [[0.5]], [1.0])), 6)  # the value at 0.5 again
    -0.7
    """

    __array_ufunc__: ClassVar[None] = None  # so that np.float64(3) * f calls f.__rmul__
    kernel: Callable
    X: np.ndarray
    coef: np.ndarray = field(repr=False)

    def __post_init__(self) -> None:
        kernel = check_kernel(self.kernel)
        X = np.array(check_for(kernel, self.X, "X"))
        coef = np.array(check_targets(self.coef, len(X), "coef"))
        if coef.ndim != 1:
            raise ValueError(f"coef has shape {coef.shape}; expected (n,), one coefficient for each point.")
        for name, array in (("X", X), ("coef", coef)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __call__(self, X: Any) -> np.ndarray:
        """Return f(x) = Σ_i α_i k(x_i, x) for each row of ``X`` (q, d): shape (q,)."""
        return expansion(self.kernel, check_for(self.kernel, X, "X"), self.X, self.coef)

    def inner(self, other: RKHSFunction) -> float:
        """Return ⟨f, g⟩ = Σ_ij α_i β_j k(x_i, z_j) = αᵀ K_xz β for g = ``other`` in the same RKHS."""
        self._same_space(other, "inner")
        return float(self.coef @ gram(self.kernel, self.X, other.X) @ other.coef)

    @property
    def norm2(self) -> float:
        """Squared norm ‖f‖² = αᵀKα; a negative value, impossible for a positive semi-definite kernel, is an error."""
        return squared_norm(gram(self.kernel, self.X), self.coef)

    @property
    def norm(self) -> float:
        """Norm ‖f‖, the square root of ``norm2``."""
        return float(np.sqrt(self.norm2))

    def distance(self, other: RKHSFunction) -> float:
        """Return ‖f - g‖ for g = ``other`` in the same RKHS."""
        return (self - other).norm

    def project(self, Z: Any) -> RKHSFunction:
        """Return the orthogonal projection of f onto the span of the sections at the rows of ``Z``.

        It is the minimum-norm function that agrees with f at these points: the residual is orthogonal to their
        sections, so it is 0 there. That is why a minimiser of Σ_j loss(f(z_j)) + λ‖f‖² needs no other sections (the
        representer theorem).
        """
        return interpolate(self.kernel, Z, self(Z))

    def __add__(self, other: Any) -> RKHSFunction:
        if not isinstance(other, RKHSFunction):
            return NotImplemented
        self._same_space(other, "+")
        X, coef = np.concatenate([self.X, other.X]), np.concatenate([self.coef, other.coef])
        return RKHSFunction(self.kernel, X, coef)

    def __mul__(self, factor: Any) -> RKHSFunction:
        if not isinstance(factor, Real) or isinstance(factor, (bool, np.bool_)):
            return NotImplemented
        return RKHSFunction(self.kernel, self.X, check_number(factor, "the factor") * self.coef)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> RKHSFunction:
        return self * (1 / divisor) if isinstance(divisor, Real) else NotImplemented

    def __neg__(self) -> RKHSFunction:
        return self * -1.0

    def __sub__(self, other: Any) -> RKHSFunction:
        return self + -other if isinstance(other, RKHSFunction) else NotImplemented

    def _same_space(self, other: Any, operation: str) -> None:
        if not isinstance(other, RKHSFunction):
            raise TypeError(f"{operation} needs an RKHSFunction, got {type(other).__name__}.")
        if self.kernel is not other.kernel and self.kernel != other.kernel:
            raise ValueError(
                f"{operation} needs two functions of one RKHS, but their kernels are {self.kernel!r} and "
                f"{other.kernel!r}; another kernel has another inner product."
            )

    def __repr__(self) -> str:
        return f"RKHSFunction({self.kernel!r}, {len(self.X)} point{'s' * (len(self.X) > 1)})"


def interpolate(kernel: Callable, X: Any, y: Any) -> RKHSFunction:
    """Return the minimum-norm interpolant, f(x_i) = y_i: f = Σ_i α_i k(x_i, ·), Kα = y, ‖f‖² = yᵀK⁻¹y.

    Every other interpolant is f + g with g(x_i) = 0 for all i, so ⟨f, g⟩ = 0 and its norm is larger. For the kernel
    min(s, t) f is piecewise linear through (0, 0) and the points, constant after the last one, with
    ‖f‖² = Σ_i (y_i - y_(i-1))²/(x_i - x_(i-1)) [chapter 9]. For noisy values use `KernelRidge`.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    X : (n, d) array
        points. A point that is repeated with the same y is kept once.
    y : (n,) array
        values.

    Raises
    ------
    ValueError
        if equal points have different y; if no function of the RKHS takes these values, which happens if K is
        singular (for example with the linear kernel and more points than features); if K has a negative eigenvalue.

    >>> from kcourse import Brownian
    >>> from kcourse.rkhs import interpolate
    >>> f = interpolate(Brownian(), [[0.2], [0.5], [0.9]], [0.4, 0.1, 0.3])
    >>> f([[0.1], [0.35], [0.7], [1.0]]).round(6), round(f.norm2, 6)
    (array([0.2 , 0.25, 0.2 , 0.3 ]), 1.2)
    """
    kernel = check_kernel(kernel)
    X = check_for(kernel, X, "X")
    y = check_targets(y, len(X))
    if y.ndim != 1:
        raise ValueError(f"y has shape {y.shape}; expected (n,), one value for each point.")
    X, y = _without_repetitions(X, y)
    return RKHSFunction(kernel, X, _solve(gram(kernel, X), y))


def _without_repetitions(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each point once, in order; of strings and graphs all points, because K shows repetitions."""
    if X.ndim != 2:
        return X, y
    _, first, group = np.unique(X, axis=0, return_index=True, return_inverse=True)
    wanted = y[first][group.reshape(-1)]
    if np.any(y != wanted):
        j = int(np.flatnonzero(y != wanted)[0])
        i = int(first[group.reshape(-1)[j]])
        raise ValueError(
            f"X[{i}] and X[{j}] are the same point, but y[{i}] = {y[i]:g} and y[{j}] = {y[j]:g}; no function takes two "
            "values at one point. Average them, or fit with KernelRidge, which allows for noise."
        )
    keep = np.sort(first)
    return X[keep], y[keep]


def _solve(K: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Solve Kα = y by K = LLᵀ; if K is singular up to rounding, solve in its range if that contains y."""
    rounding = 100 * len(K) * np.finfo(float).eps * np.abs(K).max()
    L, failed_at = dpotrf(K.T, lower=True, clean=False)
    if not failed_at and L.diagonal().min() ** 2 > rounding:
        alpha, rank = dpotrs(L, y, lower=True)[0], len(K)
    else:
        alpha, rank = _solve_in_range(K, y, rounding)
    gap = float(np.abs(K @ alpha - y).max())
    if gap > 1e-8 * np.abs(y).max():
        raise ValueError(
            f"no function of this RKHS takes these values, up to rounding: the Gram matrix of the {len(K)} distinct "
            f"points has rank {rank} in floating point, and the nearest possible values differ by {gap:.3g}. "
            "Take a richer or narrower kernel, or fewer points, or fit with KernelRidge, which allows for noise."
        )
    return alpha


def _solve_in_range(K: np.ndarray, y: np.ndarray, rounding: float) -> tuple[np.ndarray, int]:
    """Return the minimum-norm least-squares solution α of Kα = y, and the rank of K."""
    w, Q = eigh(K, check_finite=False)
    if w[0] < -rounding:
        raise ValueError(
            f"the kernel is not positive semi-definite on these points: the smallest eigenvalue of its Gram matrix is "
            f"{w[0]:.3g}, so it has no RKHS. Choose a positive semi-definite kernel."
        )
    kept = w > rounding
    return Q[:, kept] @ ((Q[:, kept].T @ y) / w[kept]), int(kept.sum())


def squared_norm(K: np.ndarray, coef: np.ndarray) -> float:
    """Return αᵀKα; see `square`."""
    size = np.abs(coef)
    return square(float(coef @ K @ coef), float(size @ np.abs(K) @ size))


def square(value: float, size: float) -> float:
    """Return a squared norm, or 0 if it is negative by rounding; raise an error if it is negative by more.

    ``size`` is the sum of the absolute values of the terms of ``value``.
    """
    if value < -1e-12 * size:
        raise ValueError(
            f"a squared norm is {value:.3g} < 0: the kernel is not positive semi-definite on these points, so it has "
            "no RKHS. Choose a positive semi-definite kernel."
        )
    return max(value, 0.0)


def check_for(kernel: Callable, X: Any, name: str) -> np.ndarray:
    """Return ``X`` checked as points for ``kernel``: rows of numbers, unless it compares strings or graphs."""
    return kernel.check_points(X, name) if isinstance(kernel, Kernel) else check_points(X, name)
