"""Linear algebra for the kernels: distances and inner products, computed in strips that fit into the cache."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.linalg import eigvalsh

__all__ = [
    "distances",
    "expanded",
    "in_strips",
    "min_eigenvalue",
    "of_distances",
    "of_half_sq_dists",
    "of_inner_products",
    "of_product",
    "of_symmetric_product",
    "strips",
]

_AT_ONCE = 2**21  # floats computed at once for new points: 16 MB
_STRIP = 256  # rows per strip: with a few thousand columns it fits into the second-level cache
_FEW = 4  # up to so many rows, differences are cheaper than preparing the other points for a product
_CANCELS = 1e4  # if ½‖x‖² is larger, the expanded square loses more than 11 digits of a small distance


def strips(n: int, size: int = _STRIP) -> Iterator[slice]:
    """Yield slices of at most ``size`` indices that cover 0…n-1."""
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


def in_strips(of_rows: Callable[[np.ndarray], np.ndarray], X: np.ndarray, width: int) -> np.ndarray:
    """Return ``of_rows(X)``, which has one row for each row of ``X`` (q, d), from strips of X that need 16 MB each.

    ``width`` is how many floats ``of_rows`` stores for each row. Each strip gives the same bits as if it were all of X;
    BLAS may round differently for another number of rows.
    """
    result = np.empty(0)
    for rows in strips(len(X), max(8, _AT_ONCE // width)):
        values = of_rows(X[rows])
        if rows.start == 0:
            result = np.empty((len(X), *values.shape[1:]))
        result[rows] = values
    return result


def of_half_sq_dists(X: np.ndarray, Z: np.ndarray | None, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return the (n, m) matrix of g(-½‖x_i - z_j‖²), where ``apply`` computes g in place.

    With ``Z=None`` the result is symmetric to the last bit and its diagonal is g(0) exactly.

    The square is expanded so that one matrix product does all the work:
    -½‖x - z‖² = xᵀz - ½‖x‖² - ½‖z‖² = [x, -½‖x‖², 1]ᵀ [z, 1, -½‖z‖²].
    """
    few = Z is not None and len(X) <= _FEW < len(Z)
    ready = None if few else expanded(X, Z)
    if ready is None:
        return _of_half_sq_dists_exactly(X, Z, apply)
    return of_product(*ready, apply) if Z is not None else of_symmetric_product(*ready, apply)


def expanded(X: np.ndarray, Z: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray] | None:
    """Return (left, right) with left_iᵀ right_j = -½‖x_i - z_j‖², or None if cancellation would lose precision."""
    X = np.ascontiguousarray(X)  # a sum in another order differs in the last bit
    centre = X.mean(axis=0)  # centring keeps the distances and loses less precision in the expansion
    left = _augmented(X, centre)
    right = left if Z is None else _augmented(Z, centre)
    if not min(left[:, -2].min(), right[:, -2].min()) >= -_CANCELS:
        return None
    right = right.copy()
    right[:, [-2, -1]] = right[:, [-1, -2]]
    return left, right


def _augmented(X: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return the rows [x, -½‖x‖², 1] of the points after subtracting ``centre``."""
    d = X.shape[1]
    rows = np.empty((len(X), d + 2))
    A = np.subtract(X, centre, out=rows[:, :d])
    rows[:, d] = -0.5 * np.einsum("ij,ij->i", A, A)
    rows[:, d + 1] = 1.0
    return rows


def of_product(left: np.ndarray, right: np.ndarray, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return g(min(left_iᵀ right_j, 0)), shape (n, m); ``apply`` computes g in place."""
    S = np.empty((len(left), len(right)))
    for rows in strips(len(left)):
        strip = np.matmul(left[rows], right.T, out=S[rows])
        np.minimum(strip, 0.0, out=strip)  # rounding may leave a tiny positive value
        apply(strip)
    return S


def of_symmetric_product(left: np.ndarray, right: np.ndarray, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return `of_product` for Z = X: only the upper triangle is computed, then mirrored (half the work)."""

    def finished(strip: np.ndarray) -> None:
        np.minimum(strip, 0.0, out=strip)
        np.fill_diagonal(strip, 0.0)
        apply(strip)

    return _mirrored(left, right, finished)


def of_inner_products(X: np.ndarray, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return g(x_iᵀ x_j), shape (n, n), symmetric to the last bit; ``apply`` computes g in place."""
    return _mirrored(X, X, apply)


def _mirrored(left: np.ndarray, right: np.ndarray, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return a symmetric matrix g(left_iᵀ right_j); each strip passed to ``apply`` begins on the diagonal."""
    n = len(left)
    S = np.empty((n, n))
    height = 64 if n <= 2500 else 128  # measured: a strip and its mirror image fit into the cache
    below = np.tri(height, k=-1, dtype=bool)
    for rows in strips(n, height):
        strip = left[rows] @ right[rows.start :].T
        k = len(strip)
        square = strip[:, :k]
        apply(strip)
        # the product may be asymmetric in the last bit, so the upper half of the square is mirrored
        np.copyto(square, square.T.copy(), where=below[:k, :k])
        S[rows, rows.start :] = strip
        S[rows.stop :, rows] = strip[:, k:].T
    return S


def _of_half_sq_dists_exactly(X, Z, apply):
    """Return `of_half_sq_dists` from coordinate differences: slower, but accurate at any distance from the centre."""
    S = distances(X, Z, squared=True)
    with np.errstate(over="ignore"):
        S *= -0.5
    apply(S)
    return S


def distances(X: np.ndarray, Z: np.ndarray | None = None, *, squared: bool = False) -> np.ndarray:
    """Return Euclidean distances (n, m), computed from differences, which are accurate even near 0."""
    from scipy.spatial.distance import cdist  # imported here, because it doubles the import time of kcourse

    return cdist(X, X if Z is None else Z, "sqeuclidean" if squared else "euclidean")


def of_distances(X: np.ndarray, Z: np.ndarray | None, apply: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Return the (n, m) matrix of g(‖x_i - z_j‖), where ``apply`` computes g (in place or as a new array).

    With ``Z=None`` each pair is computed once, so the result is symmetric to the last bit, with g(0) on its diagonal.
    """
    if Z is not None:
        return apply(distances(X, Z))
    from scipy.spatial.distance import pdist, squareform

    S = squareform(apply(pdist(X)), checks=False) if len(X) > 1 else np.empty((1, 1))
    np.fill_diagonal(S, apply(np.zeros(1)))
    return S


def min_eigenvalue(K: np.ndarray) -> float:
    """Return the smallest eigenvalue of a symmetric matrix."""
    return float(eigvalsh(K, subset_by_index=[0, 0], check_finite=False)[0])
