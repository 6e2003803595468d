"""The linear systems of radial basis functions: symmetric with a sign of its own, and least squares."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lstsq, qr_multiply
from scipy.linalg.lapack import dlange, dpocon, dpotrf, dpotrs, dsycon, dsysv, dsysv_lwork

__all__ = ["least_squares", "solve_definite", "solve_symmetric"]


def solve_definite(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """Solve A W = B by A = LLᵀ, in the memory of ``A``; return W and 1/(‖A‖ ‖A⁻¹‖), 0 if there is no factor."""
    norm = dlange("1", A.T)
    L, failed_at = dpotrf(A.T, lower=True, clean=False, overwrite_a=True)
    if failed_at:
        return B, 0.0
    return dpotrs(L, B, lower=True)[0].reshape(B.shape), float(dpocon(L, norm, uplo="L")[0])


def solve_symmetric(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """The same for A of any signs, by A = LDLᵀ with pivots (Bunch and Kaufman): half the work of LU."""
    norm = dlange("1", A.T)
    work = int(dsysv_lwork(len(A), lower=True)[0])
    L, pivots, W, singular_at = dsysv(A.T, B, lwork=work, lower=True, overwrite_a=True)
    if singular_at:
        return B, 0.0
    return W.reshape(B.shape), float(dsycon(L, pivots, norm, lower=True)[0])


def least_squares(A: np.ndarray, B: np.ndarray, penalty: np.ndarray | None = None) -> np.ndarray:
    """Return the shortest W that minimises ‖B - AW‖² + ‖penalty W‖²; ``B`` is (n, t), ``A`` may be overwritten.

    As one least-squares problem, [A; penalty] W ≈ [B; 0], never through AᵀA, which would square its condition. First
    QR, whose work is matrix products, then the (m, m) factor R with pivots, which finds the rank.
    """
    if penalty is not None:
        A = np.vstack([A, penalty])
        B = np.vstack([B, np.zeros((len(penalty), B.shape[1]))])
    # what QR leaves of a column that depends on others; below SciPy's eps alone, duplicates may count as independent
    rounding = max(A.shape) * np.finfo(float).eps
    if len(A) > A.shape[1]:
        QtB, A = qr_multiply(A, B.T, mode="right", overwrite_a=True)
        B = QtB.T
    return lstsq(A, B, cond=rounding, lapack_driver="gelsy", check_finite=False)[0]
