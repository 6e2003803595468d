"""Linear systems of radial basis functions: symmetric, definite or not, and least squares."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lstsq, qr_multiply, solve_triangular
from scipy.linalg.lapack import dgeqrf, dlange, dormqr, dpocon, dpotrf, dpotrs, dsycon, dsysv, dsysv_lwork

__all__ = ["least_squares", "solve_constrained", "solve_definite", "solve_symmetric"]


def solve_definite(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """Solve A W = B by A = LLᵀ, overwriting ``A``; return W and 1/(‖A‖ ‖A⁻¹‖), 0 if A has no such factor."""
    norm = dlange("1", A.T)
    L, failed_at = dpotrf(A.T, lower=True, clean=False, overwrite_a=True)
    if failed_at:
        return B, 0.0
    return dpotrs(L, B, lower=True)[0].reshape(B.shape), float(dpocon(L, norm, uplo="L")[0])


def solve_constrained(A: np.ndarray, P: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Solve [A P; Pᵀ 0] [W; V] = [B; 0] for an A that is positive definite on Pᵀw = 0, overwriting ``A``.

    With P = Q [R; 0], QᵀAQ = [. C; Cᵀ S] and W = Q [0; U] it becomes SU = (QᵀB)₂, RV = (QᵀB)₁ - CU, and S has a
    Cholesky factor. Returns W, V and 1/(‖S‖ ‖S⁻¹‖), 0 if S has no such factor.
    """
    n, q = P.shape
    R, tau, _, _ = dgeqrf(P)

    def rotated(M: np.ndarray, side: str, transposed: str) -> np.ndarray:
        return dormqr(side, transposed, R, tau, M, 64 * n, overwrite_c=True)[0]

    A, B = rotated(rotated(A.T, "L", "T"), "R", "N"), rotated(np.array(B.reshape(n, -1), order="F"), "L", "T")
    C, top = A[:q, q:].copy(), B[:q].copy()
    # with a multiple of I in place of the first block, S needs no memory of its own, and its condition stays the same
    A[:q], A[:, :q], B[:q] = 0.0, 0.0, 0.0
    A.flat[: q * (n + 1) : n + 1] = np.max(A.diagonal()[q:], initial=0.0) or 1.0
    U, rcond = solve_definite(A.T, B)
    V = solve_triangular(R[:q], top - C @ U[q:])
    return rotated(U, "L", "N"), V, rcond


def solve_symmetric(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, float]:
    """Solve A W = B for indefinite A by A = LDLᵀ with pivoting (Bunch and Kaufman); half the work of LU."""
    norm = dlange("1", A.T)
    work = int(dsysv_lwork(len(A), lower=True)[0])
    L, pivots, W, singular_at = dsysv(A.T, B, lwork=work, lower=True, overwrite_a=True)
    if singular_at:
        return B, 0.0
    return W.reshape(B.shape), float(dsycon(L, pivots, norm, lower=True)[0])


def least_squares(A: np.ndarray, B: np.ndarray, penalty: np.ndarray | None = None) -> np.ndarray:
    """Return the minimum-norm minimiser W of ‖B - AW‖² + ‖penalty W‖²; ``B`` is (n, t), ``A`` may be overwritten.

    Solved as the least-squares problem [A; penalty] W ≈ [B; 0], because AᵀA would square the condition number: first
    QR, which is fast, then the (m, m) factor R with pivoting, which finds the rank.
    """
    if penalty is not None:
        A = np.vstack([A, penalty])
        B = np.vstack([B, np.zeros((len(penalty), B.shape[1]))])
    # the rounding error of a dependent column after QR; with SciPy's eps, duplicates may count as independent
    rounding = max(A.shape) * np.finfo(float).eps
    if len(A) > A.shape[1]:
        QtB, A = qr_multiply(A, B.T, mode="right", overwrite_a=True)
        B = QtB.T
    return lstsq(A, B, cond=rounding, lapack_driver="gelsy", check_finite=False)[0]
