"""Stationary kernels: k(x, z) depends only on x - z, in most cases only on r = ‖(x - z)/σ‖."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kcourse.base.linalg import (
    distances,
    expanded,
    of_distances,
    of_half_sq_dists,
    of_product,
    of_symmetric_product,
    strips,
)
from kcourse.base.validation import check_positive, is_sparse
from kcourse.kernels.algebra import Kernel, OnPoints, Pull, put

__all__ = ["Gaussian", "Laplacian", "Matern", "Periodic", "RationalQuadratic"]

_FAR = 1e3  # farther from the centre (in widths), the expanded square loses more than 10 digits


@dataclass(frozen=True)
class Gaussian(Kernel):
    """Gaussian kernel k(x, z) = exp(-‖x - z‖² / (2σ²)) [000, "Le truc du noyau"; 004, code].

    Source 000 also writes exp(-‖u-v‖²/σ²) for Parzen windows; that σ is √2 times this one.

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
    takes_sparse: ClassVar[bool] = True
    _learnable: ClassVar[tuple[str, ...]] = ("sigma",)

    def __post_init__(self) -> None:
        put(self, "sigma", widths(self.sigma))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        if is_sparse(X, Z):
            return _of_sparse(X, Z, self.sigma)
        X, Z = scaled(X, Z, self.sigma)
        return of_half_sq_dists(X, Z, _exp)

    def on_points(self, X: Any) -> OnPoints:
        """Return this kernel bound to the points ``X``, which are scaled, centred and squared only once."""
        X = self.check_points(X, "X")
        ready = None if is_sparse(X) else expanded(scaled(X, None, self.sigma)[0])
        return OnPoints(self, X) if ready is None else _GaussianOnPoints(*ready)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        K = self._pairs(X, None)
        # ∂k/∂log σ_j = k · ((x_j - z_j)/σ_j)²
        if is_sparse(X):
            if isinstance(self.sigma, tuple):
                raise TypeError("X is sparse, and gradients for one width per feature need dense X: take one sigma.")
            # ‖x - z‖²/σ² = -2 log k; k log k is 0 where k is 0
            return K, lambda M: np.array([-2.0 * np.sum(M * K * np.log(K, where=K > 0, out=np.zeros_like(K)))])
        return K, lambda M: of_widths(M, K, scaled(X, None, self.sigma)[0], self.sigma)


class _GaussianOnPoints(OnPoints):
    """Access to the Gram matrix exp(left_iᵀ right_j) of a Gaussian; see `kcourse.base.linalg.expanded`."""

    def __init__(self, left: np.ndarray, right: np.ndarray) -> None:
        self.left, self.right, self.n = left, right, len(left)

    def part(self, S: np.ndarray) -> OnPoints:
        return _GaussianOnPoints(self.left[S], self.right[S])

    def block(self, W: np.ndarray) -> np.ndarray:
        return of_symmetric_product(self.left[W], self.right[W], _exp)

    def rows(self, S: np.ndarray) -> np.ndarray:
        return of_product(self.left[S], self.right, _exp)

    def diagonal(self) -> np.ndarray:
        return np.ones(self.n)


def _of_sparse(X: Any, Z: Any, sigma: float | tuple[float, ...]) -> np.ndarray:
    """Return exp(xᵀz - ½‖x‖² - ½‖z‖²) in units of σ; the points are not centred, so that they stay sparse."""
    from kcourse.base.sparse import SparsePoints, sparse_inner, sparse_squares

    check_widths(sigma, X.shape[1])
    # one width or one per column
    X, Z = (None if P is None else SparsePoints(SparsePoints(P).multiply(1 / np.array([sigma]))) for P in (X, Z))
    S = sparse_inner(X, Z)
    S -= 0.5 * sparse_squares(X)[:, None]
    S -= 0.5 * sparse_squares(X if Z is None else Z)
    if Z is None:
        S = np.minimum(S, S.T)  # the subtractions in different order may break the symmetry
        np.fill_diagonal(S, 0.0)
    np.minimum(S, 0.0, out=S)
    return np.exp(S, out=S)


def _exp(S: np.ndarray) -> None:
    np.exp(S, out=S)


def _exp_of_minus(S: np.ndarray) -> np.ndarray:
    return np.exp(np.negative(S, out=S), out=S)


@dataclass(frozen=True)
class Laplacian(Kernel):
    """Laplacian kernel k(x, z) = exp(-‖x - z‖ / σ) with the Euclidean norm [001, "Exemples de noyaux"].

    It is the Matérn kernel with ν = ½. scikit-learn's ``laplacian_kernel`` uses the sum of absolute
    differences instead; the two agree only in one dimension.

    Parameters
    ----------
    sigma : float > 0, or d of them
        width, in the units of x.

    >>> Laplacian(sigma=5.0)([[0.0, 0.0]], [[3.0, 4.0]]).round(4)
    array([[0.3679]])
    """

    sigma: float | tuple[float, ...] = 1.0
    _learnable: ClassVar[tuple[str, ...]] = ("sigma",)

    def __post_init__(self) -> None:
        put(self, "sigma", widths(self.sigma))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return of_distances(*scaled(X, Z, self.sigma), _exp_of_minus)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        Z = scaled(X, None, self.sigma)[0]
        r = distances(Z)
        K = np.exp(-r)
        # ∂k/∂log σ_j = k/r · ((x_j - z_j)/σ_j)², and 0 where r = 0
        weight = np.divide(K, r, out=np.zeros_like(r), where=r > 1e-300)
        return K, lambda M: of_widths(M, weight, Z, self.sigma, exactly=True)


@dataclass(frozen=True)
class Matern(Kernel):
    """Matérn kernel, between the Laplacian (ν = ½) and the Gaussian (ν → ∞) [GPML, §4.2].

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
    _learnable: ClassVar[tuple[str, ...]] = ("sigma",)

    def __post_init__(self) -> None:
        if self.nu != np.inf:
            put(self, "nu", check_positive(self.nu, "nu"))
            if self.nu > 40:  # K_ν overflows at distances where 1 - k is more than rounding
                raise ValueError(f"nu must be at most 40, or np.inf for the Gaussian, got {self.nu:g}.")
        put(self, "sigma", widths(self.sigma))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        if self.nu == np.inf:
            return Gaussian(self.sigma)._pairs(X, Z)
        return of_distances(*scaled(X, Z, self.sigma), lambda r: _matern(self._reach(r), self.nu))

    def _reach(self, r: np.ndarray) -> np.ndarray:
        """Return s = √(2ν) r for distances r between scaled points, in place."""
        s = np.multiply(r, np.sqrt(2 * self.nu), out=r)
        return np.minimum(s, 1e6, out=s)  # k is already 0 there; for larger s a factor could be ∞ and the product NaN

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        if self.nu == np.inf:
            return Gaussian(self.sigma)._vjp(X)
        Z = scaled(X, None, self.sigma)[0]
        s = self._reach(distances(Z))
        # ∂k/∂log σ_j = 2^(1-ν)/Γ(ν) · s^(ν-1) K_(ν-1)(s) · 2ν · ((x_j - z_j)/σ_j)²
        weight = _matern_weight(s, self.nu)
        return _matern(s, self.nu), lambda M: of_widths(M, weight, Z, self.sigma, exactly=self.nu < 1)


def _matern(s: np.ndarray, nu: float) -> np.ndarray:
    """Return 2^(1-ν)/Γ(ν) · s^ν K_ν(s), to a few units in the last place; 1 at s = 0."""
    if nu == 0.5:
        return np.exp(-s)
    if nu == 1.5:
        return (1 + s) * np.exp(-s)
    if nu == 2.5:
        return (1 + s + s * s / 3) * np.exp(-s)
    from scipy.special import gamma, kve  # imported here: slow, and only for other ν

    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        K = 2 ** (1 - nu) / gamma(nu) * s**nu * kve(nu, s) * np.exp(-s)
    # near 0, K_ν(s) ~ ½ Γ(ν) (2/s)^ν may overflow although the product is 1
    return np.where((s == 0) | (np.isnan(K)) | (K > 1), 1.0, K)


def _matern_weight(s: np.ndarray, nu: float) -> np.ndarray:
    """Return -1/r · dk/dr at s = √(2ν) r; its value at r = 0 has no effect, because it is multiplied by r²."""
    if nu == 1.5:
        return 3 * np.exp(-s)
    if nu == 2.5:
        return 5 / 3 * (1 + s) * np.exp(-s)
    from scipy.special import gammaln, kve

    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        log_w = (1 - nu) * np.log(2) - gammaln(nu) + (nu - 1) * np.log(s) + np.log(kve(nu - 1, s)) - s
        weight = 2 * nu * np.exp(log_w)
    limit = nu / (nu - 1) if nu > 1 else 0.0  # limit for s → 0; for ν ≤ 1 any value works, as weight · r² → 0
    return np.where((s == 0) | ~np.isfinite(weight), limit, weight)


@dataclass(frozen=True)
class RationalQuadratic(Kernel):
    """Rational quadratic kernel k(x, z) = (1 + ‖x - z‖² / (2ασ²))^(-α) [GPML, §4.2; chapter 4, CO2].

    It is a mixture of Gaussian kernels of all widths. For α → ∞ it is the Gaussian kernel; small α give heavy tails.

    Parameters
    ----------
    sigma : float > 0, or d of them
        width, in the units of x; scikit-learn's ``length_scale``.
    alpha : float > 0
        weight of small widths relative to large ones, no unit; scikit-learn's ``alpha``.

    >>> RationalQuadratic(sigma=1.0, alpha=0.5)([[0.0]], [[np.sqrt(3)]]).round(6)
    array([[0.5]])
    """

    sigma: float | tuple[float, ...] = 1.0
    alpha: float = 1.0
    _learnable: ClassVar[tuple[str, ...]] = ("sigma", "alpha")

    def __post_init__(self) -> None:
        put(self, "sigma", widths(self.sigma))
        put(self, "alpha", check_positive(self.alpha, "alpha"))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return of_half_sq_dists(*scaled(X, Z, self.sigma), self._of_half_square)

    def _of_half_square(self, S: np.ndarray) -> np.ndarray:
        """Replace S = -h with (1 + h/α)^(-α), computed with logarithms to be accurate also for large α."""
        S /= -self.alpha
        np.log1p(S, out=S)
        S *= -self.alpha
        return np.exp(S, out=S)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        Z = scaled(X, None, self.sigma)[0]
        h = of_half_sq_dists(Z, None, lambda S: np.negative(S, out=S))
        log_b = np.log1p(h / self.alpha)
        K = np.exp(-self.alpha * log_b)

        def pull(M: np.ndarray) -> np.ndarray:
            M, b = M * K, 1 + h / self.alpha
            # ∂k/∂log α = k · (h/b - α log b)
            by_alpha = np.sum(M * (h / b - self.alpha * log_b))
            # ∂k/∂log σ_j = k/b · ((x_j - z_j)/σ_j)²
            return np.append(of_widths(M, 1 / b, Z, self.sigma), by_alpha)

        return K, pull


@dataclass(frozen=True)
class Periodic(Kernel):
    """Periodic kernel k(x, z) = exp(-2 Σ_j sin²(π (x_j - z_j)/p) / σ²) [GPML, §4.2; chapter 4, CO2].

    It is the Gaussian kernel on the circle: with φ(x) = (cos 2πx/p, sin 2πx/p), ‖φ(x) - φ(z)‖² = 4 sin²(π(x - z)/p).
    scikit-learn's ``ExpSineSquared`` uses sin(π‖x - z‖/p), which for d ≥ 2 is not positive semi-definite in general.
    For d = 1 the two are equal, with ``length_scale = σ`` and ``periodicity = p``.

    Parameters
    ----------
    period : float > 0
        p, in the units of x.
    sigma : float > 0
        width, measured as a chord of the unit circle, no unit.

    >>> Periodic(period=2.0, sigma=1.0)([[0.0]], [[1.0], [2.0]]).round(4)
    array([[0.1353, 1.    ]])
    """

    period: float = 1.0
    sigma: float = 1.0
    _learnable: ClassVar[tuple[str, ...]] = ("period", "sigma")

    def __post_init__(self) -> None:
        put(self, "period", check_positive(self.period, "period"))
        put(self, "sigma", check_positive(self.sigma, "sigma"))

    def _circle(self, X: np.ndarray) -> np.ndarray:
        angle = 2 * np.pi / self.period * np.fmod(X, self.period)  # exact, while large angles lose precision
        return np.hstack([np.cos(angle), np.sin(angle)])

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return Gaussian(self.sigma)._pairs(self._circle(X), None if Z is None else self._circle(Z))

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        K, pull_sigma = Gaussian(self.sigma)._vjp(self._circle(X))

        def pull(M: np.ndarray) -> np.ndarray:
            W = M * K / self.sigma**2
            # ∂k/∂log p = k/σ² Σ_j (u_j - v_j) sin(u_j - v_j),  u = 2πx/p, v = 2πz/p, and for symmetric W
            # Σ_ij W_ij (u_i - u_j) sin(u_i - u_j) = 2 Σ_i u_i (sin u_i (W cos u)_i - cos u_i (W sin u)_i)
            u = 2 * np.pi / self.period * (X - X.mean(axis=0))
            by_period = 2 * np.sum(u * (np.sin(u) * (W @ np.cos(u)) - np.cos(u) * (W @ np.sin(u))))
            return np.append(by_period, pull_sigma(M))

        return K, pull


def scaled(X: np.ndarray, Z: np.ndarray | None, sigma: Any) -> tuple[np.ndarray, np.ndarray | None]:
    check_widths(sigma, X.shape[1])
    # centre first, because far from 0 the division would round differences away; on Z, as a query may be far from all
    points = X if Z is None else Z
    centre = np.full(len(points), 1 / len(points)) @ points  # the mean, in a sixth of the time
    return (X - centre) / sigma, None if Z is None else (Z - centre) / sigma


def check_widths(sigma: Any, d: int) -> None:
    """Raise unless there is one width, or one for each of d features."""
    if isinstance(sigma, tuple) and len(sigma) != d:
        raise ValueError(
            f"sigma has {len(sigma)} widths and the points have {d} feature(s); "
            "give one width, or one for each feature."
        )


def widths(sigma: Any) -> float | tuple[float, ...]:
    why = "it is a width, in the units of x."
    if isinstance(sigma, (tuple, list)) or (isinstance(sigma, np.ndarray) and sigma.ndim == 1):
        if len(sigma) == 0:
            raise ValueError("sigma is empty; give one width, or one for each feature.")
        widths = tuple(check_positive(s, f"sigma[{i}]", why) for i, s in enumerate(sigma))
        # return the same object if nothing changed, because scikit-learn's clone compares by identity
        return sigma if isinstance(sigma, tuple) and all(a is b for a, b in zip(widths, sigma, strict=True)) else widths
    return check_positive(sigma, "sigma", why)


def of_widths(M: np.ndarray, K: np.ndarray, Z: np.ndarray, sigma: Any, *, exactly: bool = False) -> np.ndarray:
    """Return the gradient in log σ: Σ_ij W_ij (z_i - z_j)², W = M∘K, per feature, or summed over features for one σ.

    For symmetric W, Σ_ij W_ij (z_i - z_j)² = 2 (Σ_i r_i z_i² - zᵀWz) with r = W1. This is a matrix product in strips
    without an (n, n, d) array. It loses precision if z is large, and if K depends on almost equal points (``exactly``).
    """
    if exactly or np.abs(Z).max() > _FAR:
        features = Z.T[:, :, None] if isinstance(sigma, tuple) else [Z]
        # limited, because a square may overflow where W is 0
        return np.array([np.sum(M * K * np.minimum(distances(z, squared=True), 1e300)) for z in features])
    Z1 = np.column_stack([Z, np.ones(len(Z))])
    WZ = np.vstack([(M[rows] * K[rows]) @ Z1 for rows in strips(len(Z))])  # (n, d + 1), the last column is r
    by_feature = 2 * (WZ[:, -1] @ (Z * Z) - np.einsum("ij,ij->j", Z, WZ[:, :-1]))
    return by_feature if isinstance(sigma, tuple) else by_feature.sum(keepdims=True)
