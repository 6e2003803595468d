"""Cholesky factors for the solvers, with a clear error if the matrix is not positive definite.

This module is separate from `linalg`, because kernels need only that one: an exercise whose answer may call the
library's kernels must not find the solvers' work here.
"""

from __future__ import annotations

import warnings

import numpy as np
from scipy.linalg.lapack import dpocon, dpotrf, dpotri, dpotrs

from kcourse.base.linalg import min_eigenvalue
from kcourse.base.validation import check_no_overflow

__all__ = [
    "ACCURACY",
    "KERNEL_ERROR",
    "cho_inverse",
    "cho_inverse_diag",
    "cho_solve",
    "cho_with_ridge",
    "enough_ridge",
    "relative_size",
    "rounding",
    "warn_of_rounding",
]

ACCURACY = 1e-3  # a larger relative error by rounding is reported
KERNEL_ERROR = 1e-10  # k(x, z) is at least so accurate, relative to max K_ii, even for points that are far apart


def cho_with_ridge(K: np.ndarray, lam: float, *, name: str = "the Gram matrix K") -> np.ndarray:
    """Return the lower Cholesky factor L of K + λI = LLᵀ, computed **in the memory of** ``K``.

    ``K`` is a C-contiguous (n, n) array, which is overwritten. Only its upper triangle is read, and the strict upper
    triangle of the result is not zeroed.

    Raises
    ------
    ValueError
        If K is not finite, or K + λI is not positive definite beyond rounding: its smallest eigenvalue, if the diagonal
        is scaled to 1, must exceed n ε. The message gives the smallest eigenvalue of K and a remedy.
    """
    diagonal = K.diagonal().copy()
    check_no_overflow(diagonal, name)
    K.flat[:: len(K) + 1] += lam
    # K.T is K in Fortran order: LAPACK overwrites its lower triangle (the upper one of K) and makes no copy
    L, failed_at = dpotrf(K.T, lower=True, clean=False, overwrite_a=True)
    large = lam > KERNEL_ERROR * np.max(np.abs(diagonal), initial=0.0)
    if not failed_at and (large or not _is_lost(L, diagonal + lam)):
        return L
    lower = np.tril(K, -1)  # the triangle that LAPACK did not change
    smallest = min_eigenvalue(lower + lower.T + np.diag(diagonal))
    raise ValueError(
        f"{name} plus lam = {lam:g} times the identity is not positive definite: the smallest eigenvalue of "
        f"{name} is {smallest:.3g}. {_remedy(smallest, diagonal)}"
    )


def _is_lost(L: np.ndarray, diagonal: np.ndarray) -> bool:
    """Whether LLᵀ, with its ``diagonal`` scaled to 1, is singular up to rounding, so that L exists only by chance."""
    # scaled, because the diagonal entries may differ by a factor of 1e30, and rounding is relative to each
    rcond, _ = dpocon(np.asfortranarray(L / np.sqrt(diagonal)[:, None]), 1.0, uplo="L")
    return not rcond > len(L) * np.finfo(float).eps


def _remedy(smallest: float, diagonal: np.ndarray) -> str:
    if smallest >= -KERNEL_ERROR * float(np.max(np.abs(diagonal))):
        enough = enough_ridge(diagonal) + 2 * max(-smallest, 0.0)
        return f"This eigenvalue is 0 up to rounding: take lam of at least {enough:.1g}."
    return (
        "The kernel is not positive semi-definite on these points (or K is not its Gram matrix): choose one that "
        f"is, or take lam larger than {abs(smallest):.3g} and accept that the solution is not an RKHS minimiser."
    )


def rounding(n: int) -> float:
    """Return (n + 100) ε, about the norm of the rounding errors of K + λI, n × n, if its diagonal is scaled to 1.

    A kernel value may be off by 100 ε, for example that of a Gaussian for points ten widths from their centre.
    """
    return float((n + 100) * np.finfo(float).eps)


def relative_size(alpha: np.ndarray, y: np.ndarray) -> float:
    """Return ‖α‖ / max |y_i|, or the largest of several targets, so that no square overflows; both (n,) or (n, t)."""
    largest = np.max(np.abs(y), axis=0)
    return float(np.linalg.norm(alpha / np.where(largest > 0, largest, 1.0), axis=0).max())


def enough_ridge(diagonal: np.ndarray) -> float:
    """Return a λ with which `cho_with_ridge` and `warn_of_rounding` have no objection, from the (n,) diagonal of K."""
    n = len(diagonal)
    # ‖(K + λI)⁻¹y‖ ≤ √n max |y|/λ; half as much again, because messages round it to one digit
    return 1.5 * float(np.sqrt(n)) * rounding(n) / ACCURACY * (float(np.max(np.abs(diagonal), initial=0.0)) or 1.0)


def warn_of_rounding(alpha: np.ndarray, y: np.ndarray, diagonal: np.ndarray, argument: str) -> None:
    """Warn if rounding may change the fitted values Kα, α = (K + λI)⁻¹y, by more than 1e-3 of the largest |y_i|.

    Rounding changes K + λI, whose ``diagonal`` is (n,), by an E of norm `rounding` if the diagonal is scaled to 1, and
    the fitted values by Eα. ``alpha`` and ``y`` are (n,) or (n, t). ``argument`` is what the user calls λ.
    """
    root = np.sqrt(diagonal)
    lost = rounding(len(root)) * relative_size((alpha.T * root).T, (y.T / root).T)
    if lost > ACCURACY:
        warnings.warn(
            f"rounding errors may change the fitted values by {lost:.1g} of the largest |y|, because the Gram matrix "
            f"is nearly singular and these y need large coefficients: take {argument} of at least "
            f"{enough_ridge(diagonal):.1g}.",
            stacklevel=3,
        )


def cho_solve(L: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Solve (LLᵀ) A = B for a lower factor ``L``; ``B`` of shape (n,) or (n, t)."""
    return dpotrs(L, B, lower=True)[0].reshape(B.shape)


def cho_inverse(L: np.ndarray) -> np.ndarray:
    """Return the symmetric inverse (LLᵀ)⁻¹. Use it only if you need its entries; to solve, use `cho_solve`."""
    lower = np.tril(dpotri(L, lower=True)[0])
    return lower + np.tril(lower, -1).T


def cho_inverse_diag(L: np.ndarray) -> np.ndarray:
    """Return the (n,) diagonal of (LLᵀ)⁻¹."""
    return dpotri(L, lower=True)[0].diagonal().copy()
