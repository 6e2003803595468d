"""Sparse points: rows of a matrix that stores only its nonzero entries (CSR).

Kernels of inner products or squared distances use them directly. Importing this module is slow, so it is imported late.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

__all__ = ["SparsePoints", "check_sparse", "sparse_inner", "sparse_squares"]


class SparsePoints(csr_array):
    """CSR array of float64 whose length is its number of rows, which is the number of points.

    >>> len(SparsePoints(np.eye(3)))
    3
    """

    def __len__(self) -> int:
        return self.shape[0]


def check_sparse(X: Any, name: str = "X") -> SparsePoints:
    """Return ``X`` as finite sparse points (n, d), n, d ≥ 1: a copy with sorted columns in each row."""
    if isinstance(X, SparsePoints):
        return X  # already checked
    if getattr(X, "ndim", 2) != 2:
        raise ValueError(f"{name} has shape {X.shape}; expected (n, d): one row per point. Reshape your data.")
    if X.dtype.kind not in "fiub":
        kind = "complex. Complex data not supported" if X.dtype.kind == "c" else f"of {X.dtype} entries"
        raise ValueError(f"{name} is {kind}: pass real numbers.")
    X = SparsePoints(X, dtype=np.float64, copy=True)
    if X.shape[0] == 0:
        raise ValueError(f"{name} is empty: found 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
    if X.shape[1] == 0:
        raise ValueError(f"{name} has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    X.sum_duplicates()  # this also sorts, so that xᵀz and zᵀx add the same products in the same order
    if not np.all(np.isfinite(X.data)):
        raise ValueError(f"{name} contains NaN or infinity; drop those rows or fill them in before fitting.")
    return X


def sparse_inner(X: Any, Z: Any) -> np.ndarray:
    """Return xᵀz, shape (n, m), for sparse X or Z; without ``Z`` the Gram matrix of X, symmetric to the last bit."""
    X = X if isinstance(X, SparsePoints) else SparsePoints(X)
    Z = X if Z is None else Z if isinstance(Z, SparsePoints) else SparsePoints(Z)
    return (X @ Z.T).toarray()


def sparse_squares(X: Any) -> np.ndarray:
    """Return ‖x‖² of each row."""
    X = X if isinstance(X, SparsePoints) else SparsePoints(X)
    return np.asarray(X.multiply(X).sum(axis=1)).ravel()
