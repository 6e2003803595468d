"""Kernels and their algebra.

A kernel is a frozen value: ``k = Gaussian(sigma=0.5)``. ``k(X, Z)`` is the (n, m) matrix of k(x_i, z_j),
``k(X)`` the Gram matrix ``k(X, X)``, symmetric to the last bit, and ``k.diag(X)`` its diagonal in O(n).
Sums, products and positive multiples of kernels are kernels: ``k1 + k2``, ``k1 * k2``, ``3 * k``.

=============  =======================================================  ==========================
name           k(x, z)                                                  in scikit-learn
=============  =======================================================  ==========================
Linear         xᵀz                                                      ``linear``
Polynomial     (u xᵀz + v)^p                                            ``gamma=u, coef0=v, degree=p``
Gaussian       exp(-‖x-z‖² / (2σ²))                                     ``gamma = 1/(2σ²)``
Laplacian      exp(-‖x-z‖ / σ), Euclidean norm                          none: ``laplacian`` is L1
Matern         see the class                                            ``length_scale = σ``
Constant       c                                                        ``ConstantKernel(c)``
=============  =======================================================  ==========================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from kcourse.estimator import nested_params, route_params
from kcourse.linalg import distances, min_eigenvalue, of_half_sq_dists
from kcourse.validation import check_gram, check_number, check_points, check_positive

__all__ = [
    "Constant",
    "Gaussian",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Polynomial",
    "is_psd",
]  # sums and products are written with + and *; ``gram`` is for the solvers


@dataclass(frozen=True)
class Kernel:
    """A symmetric function k(x, z) of two points; subclasses say which.

    Subclasses define ``_pairs(X, Z)``, the (n, m) matrix (``Z`` is None for the Gram matrix of ``X``), and
    ``_diag(X)``. What a point is, is theirs to say too: here a row of an (n, d) array.
    """

    __array_ufunc__: ClassVar[None] = None  # so that np.float64(3) * k asks the kernel, not NumPy

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        """Return k(x_i, z_j), shape (n, m); with one argument the (n, n) Gram matrix."""
        gram = Z is None or Z is X
        X = self._points(X, "X")
        if gram:
            return self._pairs(X, None)
        Z = self._points(Z, "Z")
        if X.shape[1] != Z.shape[1]:
            raise ValueError(f"X has {X.shape[1]} feature(s) and Z has {Z.shape[1]}; a kernel compares points alike.")
        return self._pairs(X, Z)

    def diag(self, X: Any) -> np.ndarray:
        """Return k(x_i, x_i), shape (n,), without the Gram matrix."""
        return self._diag(self._points(X, "X"))

    def _points(self, X: Any, name: str) -> np.ndarray:
        return check_points(X, name)

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        raise NotImplementedError

    def _diag(self, X: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    # -- algebra: sums, products and positive multiples of positive semi-definite kernels are such kernels

    def __add__(self, other: Any) -> Kernel:
        other = _as_kernel(other, "+")
        return NotImplemented if other is None else Sum(self, other)

    def __radd__(self, other: Any) -> Kernel:
        if isinstance(other, Real) and other == 0:
            return self  # sum([k1, k2]) starts from 0
        other = _as_kernel(other, "+")
        return NotImplemented if other is None else Sum(other, self)

    def __mul__(self, other: Any) -> Kernel:
        other = _as_kernel(other, "*")
        return NotImplemented if other is None else Product(self, other)

    def __rmul__(self, other: Any) -> Kernel:
        other = _as_kernel(other, "*")
        return NotImplemented if other is None else Product(other, self)

    def __sub__(self, other: Any) -> Kernel:
        raise TypeError(
            "kernels are not subtracted: a difference need not be positive semi-definite, so it need not be a kernel."
        )

    __rsub__ = __sub__

    def __neg__(self) -> Kernel:
        raise TypeError("-k is not a kernel: its diagonal -k(x, x) would be a negative squared length.")

    # -- parameters by name, as scikit-learn's clone and grid searches ask for them (kernel__sigma)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with ``deep`` those of the parts too (``left__sigma``)."""
        return nested_params({f.name: getattr(self, f.name) for f in fields(self)}, deep)

    def with_params(self, **params: Any) -> Kernel:
        """Return a copy with these parameters changed; ``part__name`` reaches into a part."""
        return replace(self, **route_params(self, {f.name for f in fields(self)}, params))


def _as_kernel(value: Any, operation: str) -> Kernel | None:
    if isinstance(value, Kernel):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        return None
    if value < 0:
        raise ValueError(
            f"k {operation} ({value:g}) is not a kernel: with a negative number the Gram matrix need not be "
            "positive semi-definite. Use a number of at least 0."
        )
    return Constant(value)


@dataclass(frozen=True)
class Sum(Kernel):
    """k(x, z) = left(x, z) + right(x, z): the feature maps side by side."""

    left: Kernel
    right: Kernel

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        return self.left(X, Z) + self.right(X, Z)

    def diag(self, X: Any) -> np.ndarray:
        return self.left.diag(X) + self.right.diag(X)

    def __repr__(self) -> str:
        return f"{_number_or_repr(self.left)} + {_number_or_repr(self.right)}"


@dataclass(frozen=True)
class Product(Kernel):
    """k(x, z) = left(x, z) · right(x, z): all products of two features (Schur's product theorem)."""

    left: Kernel
    right: Kernel

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        return self.left(X, Z) * self.right(X, Z)

    def diag(self, X: Any) -> np.ndarray:
        return self.left.diag(X) * self.right.diag(X)

    def __repr__(self) -> str:
        factors = (f"({k!r})" if isinstance(k, Sum) else _number_or_repr(k) for k in (self.left, self.right))
        return " * ".join(factors)


def _number_or_repr(kernel: Kernel) -> str:
    return f"{kernel.value:g}" if isinstance(kernel, Constant) else repr(kernel)


@dataclass(frozen=True)
class Constant(Kernel):
    """k(x, z) = c ≥ 0: one feature that is √c everywhere.

    Added to another kernel it gives the model a (penalised) constant term.

    >>> Constant(2.0)([[0.0], [1.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    value: float = 1.0

    def __post_init__(self) -> None:
        why = "a negative constant is not positive semi-definite."
        _set(self, "value", check_number(self.value, "value", at_least=0, why=why))

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        # only how many points there are matters, so any kind of point will do
        return np.full((len(X), len(X if Z is None else Z)), self.value)

    def diag(self, X: Any) -> np.ndarray:
        return np.full(len(X), self.value)


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = xᵀz: the feature map is the point itself [003, "Métodos de kernel"].

    >>> Linear()([[1.0, 2.0]], [[3.0, -1.0], [3.0, 4.0]])
    array([[ 1., 11.]])
    """

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return _inner(X, Z)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->i", X, X)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (u xᵀz + v)^p [002, "SVM non linéaire"].

    The source allows any real u, v; a negative one can make the Gram matrix indefinite, so it is refused here.

    Parameters
    ----------
    u : float > 0
        scale of the inner product; scikit-learn's ``gamma``.
    v : float ≥ 0
        offset; 0 keeps only the monomials of degree p. scikit-learn's ``coef0``.
    p : int ≥ 1
        degree.

    >>> Polynomial(p=2, v=0.0)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[121.]])
    """

    u: float = 1.0
    v: float = 1.0
    p: int = 2

    def __post_init__(self) -> None:
        _set(self, "u", check_positive(self.u, "u", "a negative scale is not positive semi-definite."))
        why = "a negative offset is not positive semi-definite."
        _set(self, "v", check_number(self.v, "v", at_least=0, why=why))
        _set(self, "p", check_number(self.p, "p", at_least=1, integer=True))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        K = _inner(X, Z)
        K *= self.u
        K += self.v
        return K**self.p

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return (self.u * np.einsum("ij,ij->i", X, X) + self.v) ** self.p


@dataclass(frozen=True)
class Gaussian(Kernel):
    """k(x, z) = exp(-‖x - z‖² / (2σ²)) [000, "Le truc du noyau"; 004, code].

    Source 000 also writes exp(-‖u-v‖²/σ²) for Parzen windows: that σ is √2 times this one.

    Parameters
    ----------
    sigma : float > 0, or d of them
        width, in the units of x; one for each feature gives exp(-½ Σ_j ((x_j - z_j)/σ_j)²).
        scikit-learn: ``gamma = 1 / (2 * sigma**2)``.

    >>> Gaussian(sigma=1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """

    sigma: float | tuple[float, ...] = 1.0

    def __post_init__(self) -> None:
        _set(self, "sigma", _widths(self.sigma))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        X, Z = _scaled(X, Z, self.sigma)
        return of_half_sq_dists(X, Z, lambda S: np.exp(S, out=S))

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))


@dataclass(frozen=True)
class Laplacian(Kernel):
    """k(x, z) = exp(-‖x - z‖ / σ) with the Euclidean norm [001, "Noyaux", exponential].

    It is the Matérn kernel with ν = ½. scikit-learn's ``laplacian_kernel`` uses the sum of absolute
    differences instead; the two agree in one dimension only.

    Parameters
    ----------
    sigma : float > 0, or d of them
        width, in the units of x.

    >>> Laplacian(sigma=5.0)([[0.0, 0.0]], [[3.0, 4.0]]).round(4)
    array([[0.3679]])
    """

    sigma: float | tuple[float, ...] = 1.0

    def __post_init__(self) -> None:
        _set(self, "sigma", _widths(self.sigma))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return np.exp(-distances(*_scaled(X, Z, self.sigma)))

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))


@dataclass(frozen=True)
class Matern(Kernel):
    """The Matérn kernel: between the Laplacian (ν = ½) and the Gaussian (ν → ∞) [GPML, §4.2].

    With s = √(2ν) ‖x - z‖ / σ:  k = 2^(1-ν)/Γ(ν) · s^ν K_ν(s), which is
    exp(-s) for ν = ½,  (1 + s) exp(-s) for ν = 3/2,  (1 + s + s²/3) exp(-s) for ν = 5/2.
    Functions of its RKHS have about ν + d/2 square-integrable derivatives.

    Parameters
    ----------
    nu : float in (0, 40], or ``np.inf``
        smoothness; ``np.inf`` is the Gaussian.
    sigma : float > 0, or d of them
        width, in the units of x; scikit-learn's ``length_scale``.

    >>> Matern(nu=1.5, sigma=1.0)([[0.0]], [[1.0]]).round(4)
    array([[0.4834]])
    """

    nu: float = 1.5
    sigma: float | tuple[float, ...] = 1.0

    def __post_init__(self) -> None:
        if self.nu != np.inf:
            _set(self, "nu", check_positive(self.nu, "nu"))
            if self.nu > 40:  # K_ν overflows at distances where 1 - k is more than rounding
                raise ValueError(f"nu must be at most 40, or np.inf for the Gaussian, got {self.nu:g}.")
        _set(self, "sigma", _widths(self.sigma))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        if self.nu == np.inf:
            return Gaussian(self.sigma)._pairs(X, Z)
        s = distances(*_scaled(X, Z, self.sigma))
        s *= np.sqrt(2 * self.nu)
        np.minimum(s, 1e6, out=s)  # k is 0 there already; far beyond, a factor may be ∞ and the product NaN
        if self.nu == 0.5:
            return np.exp(-s)
        if self.nu == 1.5:
            return (1 + s) * np.exp(-s)
        if self.nu == 2.5:
            return (1 + s + s * s / 3) * np.exp(-s)
        return _matern(s, self.nu)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))


def _matern(s: np.ndarray, nu: float) -> np.ndarray:
    """2^(1-ν)/Γ(ν) · s^ν K_ν(s), through logarithms so that no factor overflows; 1 at s = 0."""
    from scipy.special import gammaln, kve  # here: a quarter of the import time, for the odd ν only

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_k = (1 - nu) * np.log(2) - gammaln(nu) + nu * np.log(s) + np.log(kve(nu, s)) - s
        K = np.exp(log_k)
    # K_ν(s) ~ ½ Γ(ν) (2/s)^ν near 0 may overflow where the product is 1
    return np.where((s == 0) | (np.isnan(K)) | (K > 1), 1.0, K)


def _inner(X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
    """Inner products; for one argument exactly symmetric, whatever order the product was summed in."""
    if Z is not None:
        return X @ Z.T
    K = X @ X.T
    lower = np.tril(K, -1)
    return lower + lower.T + np.diag(K.diagonal())


def _scaled(X: np.ndarray, Z: np.ndarray | None, sigma: Any) -> tuple[np.ndarray, np.ndarray | None]:
    if isinstance(sigma, tuple) and len(sigma) != X.shape[1]:
        raise ValueError(
            f"sigma has {len(sigma)} widths and the points have {X.shape[1]} feature(s); "
            "give one width, or one for each feature."
        )
    centre = X.mean(axis=0)  # taken away first: far from 0 the division would round the differences off
    return (X - centre) / sigma, None if Z is None else (Z - centre) / sigma


def _widths(sigma: Any) -> float | tuple[float, ...]:
    why = "it is a width, in the units of x."
    if isinstance(sigma, (tuple, list)) or (isinstance(sigma, np.ndarray) and sigma.ndim == 1):
        if len(sigma) == 0:
            raise ValueError("sigma is empty; give one width, or one for each feature.")
        widths = tuple(check_positive(s, f"sigma[{i}]", why) for i, s in enumerate(sigma))
        # the same object where nothing changed, because scikit-learn's clone compares by identity
        return sigma if isinstance(sigma, tuple) and all(a is b for a, b in zip(widths, sigma, strict=True)) else widths
    return check_positive(sigma, "sigma", why)


def _set(kernel: Kernel, name: str, value: Any) -> None:
    object.__setattr__(kernel, name, value)  # frozen: only while it is being made


def gram(kernel: Callable, X: Any, Z: Any = None) -> np.ndarray:
    """Return ``kernel(X, Z)`` from a Kernel or from any function (X, Z) -> (n, m), as an array of one's own.

    What a function of the user's returns is checked for shape, finite numbers and, without ``Z``, symmetry,
    and copied: solvers factorise it in place.
    """
    if isinstance(kernel, Kernel):
        return kernel(X, Z)
    K = kernel(X, X if Z is None else Z)
    expected = (len(X), len(X if Z is None else Z))
    if np.shape(K) != expected:
        raise ValueError(
            f"the kernel returned shape {np.shape(K)} for {expected[0]} and {expected[1]} points; expected {expected}."
        )
    if Z is None:
        return np.array(check_gram(K, "kernel(X, X)"), order="C")
    return np.array(check_points(K, "kernel(X, Z)"), order="C")


def is_psd(K: Any, tol: float = 1e-10) -> bool:
    """Tell whether ``K`` is positive semi-definite: symmetric, and no eigenvalue below -tol · max|K|.

    Parameters
    ----------
    K : (n, n) array
        candidate for a Gram matrix.
    tol : float
        what counts as rounding, relative to the largest entry in absolute value.

    >>> is_psd([[1.0, -0.5], [-0.5, 1.0]]), is_psd([[1.0, 2.0], [2.0, 1.0]]), is_psd([[1.0, 1.0], [-1.0, 1.0]])
    (True, False, False)
    """
    try:
        K = check_gram(K)
    except ValueError as error:
        if "not symmetric" in str(error):
            return False
        raise
    return min_eigenvalue(K) >= -tol * float(np.max(np.abs(K)))
