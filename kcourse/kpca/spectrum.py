"""The largest eigenvalues of a Gram matrix with their eigenvectors."""

from __future__ import annotations

from inspect import signature

import numpy as np
from scipy.linalg import eigh, eigh_tridiagonal
from scipy.linalg.blas import dsymv

__all__ = ["top_eigenpairs"]

_LEAST = 20  # smallest number of vectors of a Krylov space
_SMALL = 200  # number of points up to which computing all eigenvalues takes no longer than a few


def top_eigenpairs(K: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the ``q`` largest eigenvalues of symmetric ``K`` (n, n), unit eigenvectors, and a bound on the smallest.

    The third value is an upper bound on the smallest eigenvalue: below 0 it proves that K is not positive
    semi-definite. Signs are deterministic: the first entry of largest absolute value (up to rounding) is positive.
    """
    n = len(K)
    if n < _SMALL or 6 * q > n:
        w, V = eigh(K, driver="evd", check_finite=False)
        return w[: -q - 1 : -1], _signed(V[:, : -q - 1 : -1]), w[0]
    few = 15 * q <= n
    w, V = _lanczos(K, q) if few else _dense(K, q)
    low, high, ended = _range_of_rest(K, w, V, _basis(q) if few else _LEAST)
    # Lanczos may miss copies of a repeated eigenvalue; if its Krylov space is exhausted, it restarts from a random
    # vector, for which SciPy has a seed only since 1.17
    if high > w[-1] * (1 + 1e-10) or (few and ended and not _seeded()):
        w, V = _dense(K, q)
    return w, _signed(V), low


def _dense(K: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the q largest eigenpairs by LAPACK, in O(n³); from n/6 on, all of them by ``driver="evd"`` are faster."""
    w, V = eigh(K, subset_by_index=[len(K) - q, len(K) - 1], check_finite=False)
    return w[::-1], V[:, ::-1]


def _basis(q: int) -> int:
    """Return the number of vectors that ARPACK keeps."""
    return max(2 * q + 1, _LEAST)


def _seeded() -> bool:
    from scipy.sparse.linalg import eigsh  # imported here because it is slow

    return "rng" in signature(eigsh).parameters


def _lanczos(K: np.ndarray, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the q ≪ n largest eigenpairs by ARPACK, O(n²) per product, or by LAPACK if it converges too slowly.

    ``dsymv`` reads only one triangle of K, which halves the time because memory access is the bottleneck.
    """
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

    n, ncv = len(K), _basis(q)
    rng = np.random.default_rng(0)
    options = {"rng": rng} if _seeded() else {}
    product = LinearOperator(K.shape, matvec=lambda v: dsymv(1.0, K.T, v, lower=True), dtype=float)
    restarts = max(3, n // (2 * (ncv - q)))  # about n/2 products take as long as LAPACK
    try:
        w, V = eigsh(product, q, which="LA", v0=rng.standard_normal(n), ncv=ncv, maxiter=restarts, **options)
    except ArpackNoConvergence:
        return _dense(K, q)
    order = np.argsort(w)[::-1]
    return w[order], V[:, order]


def _range_of_rest(K: np.ndarray, w: np.ndarray, V: np.ndarray, steps: int) -> tuple[float, float, bool]:
    """Return smallest and largest Ritz value of K - V diag(w) Vᵀ, inside the range of the eigenvalues not in ``w``.

    A few steps of the Lanczos recursion, which find well-separated ends of the spectrum. The third value says whether
    the Krylov space was exhausted.
    """
    n, q = V.shape
    known = np.asfortranarray(np.column_stack([V, np.empty((n, steps))]))  # V, then the basis of the Krylov space
    diagonal, off = [], []
    v, ended = np.random.default_rng(1).standard_normal(n), False
    for j in range(q, min(q + steps, n)):
        for _ in range(2):  # orthogonalise twice, because once is not enough in floating point
            v -= known[:, :j] @ (known[:, :j].T @ v)
        length = np.linalg.norm(v)
        ended = j > q and length <= 1e-12 * abs(w[0])
        if ended:
            break
        if j > q:
            off.append(length)
        known[:, j] = v / length
        v = dsymv(1.0, K.T, known[:, j], lower=True)
        diagonal.append(known[:, j] @ v)
    ritz = eigh_tridiagonal(diagonal, off, eigvals_only=True)
    return float(ritz[0]), float(ritz[-1]), ended


def _signed(V: np.ndarray) -> np.ndarray:
    """Return V with the sign of each column fixed, so that the same data give the same axes."""
    size = np.abs(V)
    first = np.argmax(size >= (1 - 1e-6) * size.max(axis=0), axis=0)
    return V * np.where(V[first, np.arange(V.shape[1])] < 0, -1.0, 1.0)
