"""Cholesky factors for the solvers, with a clear error if the matrix is not positive definite.

This module is separate from `linalg`, because kernels need only that one: an exercise whose answer may call the
library's kernels must not find the solvers' work here.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri, dpotrs

from kcourse.base.linalg import min_eigenvalue
from kcourse.base.validation import check_no_overflow

__all__ = ["cho_inverse", "cho_inverse_diag", "cho_solve", "cho_with_ridge"]


def cho_with_ridge(K: np.ndarray, lam: float, *, name: str = "the Gram matrix K") -> np.ndarray:
    """Return the lower Cholesky factor L of K + λI = LLᵀ, computed **in the memory of** ``K``.

    ``K`` is a C-contiguous (n, n) array, which is overwritten. Only its upper triangle is read, and the strict upper
    triangle of the result is not zeroed.

    Raises
    ------
    ValueError
        If K is not finite, or K + λI is not positive definite in floating point. The message then gives the
        smallest eigenvalue and a remedy.
    """
    diagonal = K.diagonal().copy()
    check_no_overflow(diagonal, name)
    K.flat[:: len(K) + 1] += lam
    # K.T is K in Fortran order: LAPACK overwrites its lower triangle (the upper one of K) and makes no copy
    L, failed_at = dpotrf(K.T, lower=True, clean=False, overwrite_a=True)
    if not failed_at:
        return L
    lower = np.tril(K, -1)  # the triangle that LAPACK did not change
    smallest = min_eigenvalue(lower + lower.T + np.diag(diagonal))
    raise ValueError(
        f"{name} plus lam = {lam:g} times the identity is not positive definite: the smallest eigenvalue of "
        f"{name} is {smallest:.3g}. {_remedy(smallest, diagonal)}"
    )


def _remedy(smallest: float, diagonal: np.ndarray) -> str:
    rounding = len(diagonal) * np.finfo(float).eps * float(np.max(np.abs(diagonal), initial=0.0))
    if abs(smallest) <= 10 * rounding:
        return f"This eigenvalue is 0 up to rounding: take lam of at least {100 * rounding:.1g}."
    return (
        "The kernel is not positive semi-definite on these points (or K is not its Gram matrix): choose one that "
        f"is, or take lam larger than {abs(smallest):.3g} and accept that the solution is not an RKHS minimiser."
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
