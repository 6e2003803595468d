"""Kernel weights k(x, x_i), scaled so that the largest for each x is 1, which avoids underflow of their ratios.

k̃(x, x_i) = k(x, x_i) / Σ_j k(x, x_j) is 0/0 in floating point far from the data: at distance 40 with σ = 0.5 the
Gaussian is exp(-3200). With l_i = log k(x, x_i) and l their maximum, k̃ = exp(l_i - l) / Σ_j exp(l_j - l).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kcourse.base.linalg import distances, of_half_sq_dists, strips
from kcourse.base.validation import is_sparse
from kcourse.kernels import Constant, Gaussian, Laplacian, Product, gram

__all__ = ["blocks", "log_gaussian", "relative_log", "weights", "without_factors"]

_BLOCK = 2**20  # maximum number of entries of a matrix block


def blocks(q: int, n: int) -> Iterator[slice]:
    """Yield slices of q rows such that each block of n columns has a bounded size."""
    yield from strips(q, max(1, _BLOCK // n))


def without_factors(kernel: Callable) -> Callable:
    """Return ``kernel`` without constant factors > 0, which cancel in k̃."""
    if isinstance(kernel, Product):
        for factor, rest in ((kernel.left, kernel.right), (kernel.right, kernel.left)):
            if isinstance(factor, Constant) and factor.value > 0:
                return without_factors(rest)
    return kernel


def weights(kernel: Callable, X: np.ndarray, Z: np.ndarray, rows: slice, *, leave_out: bool = False) -> np.ndarray:
    """Return k(x, z) (q, n) divided by the row maximum, for the ``rows`` of ``X``.

    With ``leave_out``, row i of X is row i of Z and gets weight 0 there.
    """
    kernel, own = without_factors(kernel), rows if leave_out else None
    log = None if is_sparse(X, Z) else _log_form(kernel)
    if log is not None:
        L = relative_log(log(X[rows], Z, kernel.sigma), X[rows], Z, kernel.sigma, own=own)
        return np.exp(L, out=L)
    W = gram(kernel, X[rows], Z)
    _check_values(W)
    if leave_out:
        W[np.arange(len(W)), np.arange(rows.start, rows.stop)] = 0.0
    largest = W.max(axis=1, keepdims=True)
    if not largest.all():
        raise ValueError(
            f"all weights are 0 at row {rows.start + int(np.argmin(largest))} of X: the kernel vanishes, or "
            f"underflows, at all {'other ' if leave_out else ''}training points. Take a wider kernel, or Gaussian or "
            "Laplacian, whose weights are computed from their logarithms."
        )
    W /= largest
    return W


def _log_form(kernel: Callable) -> Callable | None:
    """Return the function (X, Z, σ) -> log k(x, z) for Gaussian and Laplacian kernels, otherwise None."""
    if isinstance(kernel, Gaussian):
        return log_gaussian
    return log_laplacian if isinstance(kernel, Laplacian) else None


def log_gaussian(X: np.ndarray, Z: np.ndarray, sigma: float | tuple[float, ...]) -> np.ndarray:
    """Return -½‖(x - z)/σ‖², shape (q, n); -inf or NaN where a square overflows."""
    centre = Z.mean(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        return of_half_sq_dists((X - centre) / sigma, (Z - centre) / sigma, lambda S: None)


def log_laplacian(X: np.ndarray, Z: np.ndarray, sigma: float | tuple[float, ...]) -> np.ndarray:
    """Return -‖(x - z)/σ‖, shape (q, n); -inf or NaN where a square overflows."""
    centre = Z.mean(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        return -distances((X - centre) / sigma, (Z - centre) / sigma)


def relative_log(
    L: np.ndarray, X: np.ndarray, Z: np.ndarray, sigma: float | tuple[float, ...], *, own: slice | None = None
) -> np.ndarray:
    """Return ``L`` = log k(x, z), in place, minus its row maximum; the entries ``own``, where z is x, are -inf.

    In a row of only -inf or NaN, the nearest z gets all the weight.
    """
    itself = None if own is None else np.arange(own.start, own.stop)
    if own is not None:
        L[np.arange(len(L)), itself] = -np.inf
    largest = L.max(axis=1)
    lost = np.flatnonzero(~np.isfinite(largest))
    if lost.size:
        L[lost] = _log_nearest(X[lost], Z, sigma, None if own is None else itself[lost])
        largest[lost] = 0.0
    L -= largest[:, None]
    return L


def _log_nearest(X: np.ndarray, Z: np.ndarray, sigma: float | tuple[float, ...], own: np.ndarray | None) -> np.ndarray:
    """Return 0 for the nearest z of each x (or several equally near ones) and -inf for the others."""
    # in units of a power of two in which no square overflows
    exponent = int(np.frexp(max(np.abs(X).max(), np.abs(Z).max()))[1])
    units = np.asarray(sigma) / np.min(sigma)
    S = distances(np.ldexp(X, -exponent) / units, np.ldexp(Z, -exponent) / units, squared=True)
    if own is not None:
        S[np.arange(len(S)), own] = np.inf
    return np.where(S == S.min(axis=1, keepdims=True), 0.0, -np.inf)


def _check_values(W: np.ndarray) -> None:
    if not np.isfinite(W.sum()):
        raise ValueError("the kernel overflows on these points, and weights must be finite: scale X down.")
    if W.min() < 0:
        raise ValueError(
            f"the kernel has negative values (the smallest here is {W.min():.3g}), but weights must be at least 0: "
            "choose a kernel that is nowhere negative, such as Gaussian(sigma=1.0)."
        )
