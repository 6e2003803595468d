"""The k nearest points, exactly, ties included.

The squared distance of x and z is the floating-point number np.sum((x - z)**2); of points at equal distance the one of
smallest index is nearer. Two fast paths propose contenders, a tree in low dimension and a matrix product in high. Both
propose every point that may be among the k nearest, whatever their own rounding; the definition decides between these.
"""

from __future__ import annotations

import numpy as np

from kcourse.base.linalg import strips

__all__ = ["NeighborSearch"]

_PAIRS = 2**22  # (query, contender) pairs at a time: what bounds the memory
_CACHE = 2**18  # numbers that are looked at while they lie in the cache
_WIDTH = 4096  # columns of a product at a time
_CLEAR = 1 + 1e-9  # farther by this factor is farther, whatever the rounding of a tree
_FAR = 332  # farther than 2^332 = 1e100 times the size of the data


class NeighborSearch:
    """The training points, laid out for finding the nearest of them.

    >>> import numpy as np
    >>> distances, indices = NeighborSearch(np.array([[1.0], [-1.0], [3.0]])).query(np.array([[0.0]]), 2)
    >>> distances, indices
    (array([[1., 1.]]), array([[0, 1]]))
    """

    def __init__(self, X: np.ndarray) -> None:
        n, d = X.shape
        # squares of very large or small numbers leave the range of a float: measure in units of a power of two
        self.size = int(np.frexp(np.max(np.abs(X)))[1])
        self.exponent = self.size if abs(self.size) > 100 else 0
        self.X = np.ldexp(X, -self.exponent) if self.exponent else X
        self.centre = self.X.mean(axis=0)
        B = self.X - self.centre
        self.unit = np.ldexp(1.0, int(np.frexp(np.max(np.abs(B)))[1]))
        B /= self.unit
        h = 0.5 * np.einsum("ij,ij->i", B, B)
        self.right = np.vstack([-B.T, h])  # [a, 1]ᵀ [-b, ½‖b‖²] = ½‖a - b‖² - ½‖a‖²
        self.right_single = self.right.astype(np.float32)
        self.reach = float(np.sqrt(2 * h.max()))
        self.tree = None
        if n >= 4 * 3**d:  # measured: from here on a tree is quicker than a matrix product
            from scipy.spatial import cKDTree  # here, because it doubles the import time

            self.tree = cKDTree(self.X)

    def query(self, X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and indices (q, k) of the k points nearest to each row of ``X``, nearest first."""
        limit = np.ldexp(1.0, min(self.size + _FAR, 1023))
        if np.abs(X).max() <= limit:
            return self._query_near(X, k)
        far = np.abs(X).max(axis=1) > limit
        distances, indices = self._query_near(np.where(far[:, None], 0.0, X), k)
        distances[far], indices[far] = _norms(X[far]), np.arange(k)  # all points are equally near: x - x_i is x
        return distances, indices

    def _query_near(self, X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The same for points whose squares stay in the range of a float."""
        n, Q = len(self.X), np.ldexp(X, -self.exponent) if self.exponent else X
        squares, indices = np.empty((len(X), k)), np.empty((len(X), k), dtype=np.intp)
        open_rows = np.arange(len(Q))
        width = k + 1
        while self.tree is not None and open_rows.size and 20 * (width - 1) <= n:
            open_rows = self._by_tree(Q, k, width, open_rows, squares, indices)
            width = 2 * width + 8  # ties: what the tree gives beyond them settles most
        for strip in strips(len(open_rows), max(1, _PAIRS // n)):
            rows = open_rows[strip]
            contenders = self._by_product(Q[rows], k) if k < n else np.broadcast_to(np.arange(n), (len(rows), n))
            squares[rows], indices[rows] = self._nearest_of(Q[rows], contenders, k)
        distances = np.sqrt(squares, out=squares)
        return np.ldexp(distances, self.exponent) if self.exponent else distances, indices

    def _nearest_of(self, Q: np.ndarray, contenders: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Decide between contenders (q, w): indices that ascend in each row, filled up with n."""
        n, d = self.X.shape
        squares = np.empty(contenders.shape)
        for rows in strips(len(Q), max(1, _CACHE // (contenders.shape[1] * d))):
            difference = Q[rows, None] - self.X[np.minimum(contenders[rows], n - 1)]
            difference *= difference
            squares[rows] = difference.sum(axis=2)  # Σ_j (x_j - z_j)²
        np.copyto(squares, np.inf, where=contenders == n)
        order = np.argsort(squares, axis=1, kind="stable")[:, :k]  # stable: equals stay in the order of index
        return np.take_along_axis(squares, order, axis=1), np.take_along_axis(contenders, order, axis=1)

    def _by_tree(
        self, Q: np.ndarray, k: int, width: int, rows: np.ndarray, squares: np.ndarray, indices: np.ndarray
    ) -> np.ndarray:
        """Fill in, for these rows, what the tree finds among the ``width`` nearest.

        Return the rows that stay open: the last that it finds is not clearly farther than the k-th.
        """
        still_open = []
        for strip in strips(len(rows), max(1, _PAIRS // width)):
            some = rows[strip]
            distances, found = self.tree.query(Q[some], width)
            clear = distances[:, -1] > _CLEAR * distances[:, k - 1]
            settled, contenders = some[clear], np.sort(found[clear, :-1], axis=1)
            squares[settled], indices[settled] = self._nearest_of(Q[settled], contenders, k)
            still_open.append(some[~clear])
        return np.concatenate(still_open)

    def _by_product(self, Q: np.ndarray, k: int) -> np.ndarray:
        """The contenders by a product in single precision, or in double where that leaves too many."""
        A = (Q - self.centre) / self.unit
        if np.abs(A).max() < 1e15:
            contenders = self._within_rounding(A, self.right_single, k)
            if contenders.shape[1] <= 4 * k + 32:
                return contenders
        return self._within_rounding(A, self.right, k)

    def _within_rounding(self, A: np.ndarray, right: np.ndarray, k: int) -> np.ndarray:
        """Every point whose expanded square is within the rounding error of the k-th smallest."""
        n, (q, d) = right.shape[1], A.shape
        left = np.column_stack([A, np.ones(q)]).astype(right.dtype)
        # twice a bound for the error of an entry, as an entry and the threshold may err in opposite directions
        size = np.sqrt(np.einsum("ij,ij->i", A, A))
        slack = np.finfo(right.dtype).eps * self.reach * (size + self.reach) + np.finfo(float).eps * size**2
        slack *= 4 * (d + 4)
        width = max(_WIDTH, 16 * k)
        keys = []
        for rows in strips(q, max(1, _CACHE // min(n, width))):
            smallest, found, values = np.full((rows.stop - rows.start, k), np.inf), [], []
            for columns in strips(n, width):
                S = left[rows] @ right[:, columns]
                smallest = _k_smallest(np.hstack([smallest, _some_small(S, k)], dtype=right.dtype), k)
                flat = np.flatnonzero(S <= (smallest.max(axis=1) + slack[rows]).astype(S.dtype)[:, None])
                row, column = np.divmod(flat, S.shape[1])
                found.append((rows.start + row) * n + columns.start + column)
                values.append(S.ravel()[flat])
            found, values = np.concatenate(found), np.concatenate(values)
            # the threshold has come down since the first columns were looked at
            threshold = smallest.max(axis=1) + slack[rows]
            keys.append(np.sort(found[values <= threshold[found // n - rows.start]]))
        return _ragged(np.concatenate(keys), q, n)


def _k_smallest(S: np.ndarray, k: int) -> np.ndarray:
    return np.partition(S, k - 1, axis=1)[:, :k]


def _some_small(S: np.ndarray, k: int) -> np.ndarray:
    """Entries of each row: the minima of groups of 8, if the k-th smallest of these is seldom far from that of all."""
    m = S.shape[1] // 8
    return S[:, : 8 * m].reshape(len(S), 8, m).min(axis=1) if m >= 2 * k else S


def _ragged(keys: np.ndarray, q: int, n: int) -> np.ndarray:
    """Ascending keys row·n + column as a matrix of the columns (q, w), each row filled up with n."""
    rows, columns = np.divmod(keys, n)
    counts = np.bincount(rows, minlength=q)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    matrix = np.full((q, counts.max()), n)
    matrix[rows, place] = columns
    return matrix


def _norms(X: np.ndarray) -> np.ndarray:
    """‖x‖ of each row as a column, without squares that overflow."""
    largest = np.abs(X).max(axis=1, keepdims=True)
    return largest * np.sqrt(np.sum((X / largest) ** 2, axis=1, keepdims=True))
