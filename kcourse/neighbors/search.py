"""Exact search for the k nearest points, including ties.

The squared distance of x and z is the floating-point number np.sum((x - z)**2); ties go to the smallest index. Equal
points are searched for once. Two fast methods propose candidates: a tree in low dimension, a matrix product in high
dimension. Allowing for their rounding, both propose every point that may be among the k nearest; the definition
decides between the candidates.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from kcourse.base.linalg import strips

__all__ = ["NeighborSearch"]

_PAIRS = 2**22  # (query, candidate) pairs at a time, to limit the memory
_CACHE = 2**18  # numbers processed while they are in the cache
_SAMPLE = 1000  # points from which medians are computed, which only affect the speed
_WIDTH = 4096  # columns of a product at a time
_DEEPEST = 15  # largest dimension in which a tree is faster than all distances if the sizes of points vary widely
_CLEAR = 1 + 1e-9  # ratio of distances that exceeds the rounding of a tree
_FAR = 332  # queries farther than 2^332 = 1e100 times the size of the data are equally far from all points


class NeighborSearch:
    """Index of the training points for nearest-neighbour search.

    >>> import numpy as np
    >>> distances, indices = NeighborSearch(np.array([[1.0], [-1.0], [3.0]])).query(np.array([[0.0]]), 2)
    >>> distances, indices
    (array([[1., 1.]]), array([[0, 1]]))
    """

    def __init__(self, X: np.ndarray) -> None:
        self.points, self.copies = X, None
        X = self._once(X)
        n, d = X.shape
        # squares of very large or small numbers over- or underflow: measure in units of a power of two
        self.size = int(np.frexp(max(X.max(), -X.min()))[1])
        self.exponent = self.size if abs(self.size) > 100 else 0
        self.X = np.ldexp(X, -self.exponent) if self.exponent else X
        some = slice(None, None, -(-n // _SAMPLE))
        self.center = np.median(self.X[some], axis=0)  # robust against a few points far away
        B = self.X - self.center
        self.unit = np.ldexp(1.0, int(np.frexp(max(B.max(), -B.min()))[1]))
        B /= self.unit
        self.half_squares = h = 0.5 * np.einsum("ij,ij->i", B, B)
        # from the centre outwards, so that the points of a strip of columns have similar norms
        self.outwards = np.argsort(h, kind="stable")
        self.reach = np.sqrt(2 * h[self.outwards])
        self.right_single = self._right(B, np.float32)
        self.tree = None
        uneven = self.reach[-1] > 1000 * self.reach[n // 2]
        spread = np.median(np.abs(B[some]), axis=0)
        if d <= _DEEPEST and spread.max() > 0:  # count the directions in which the points differ
            d = np.count_nonzero(spread > 0.01 * spread.max())
        if n >= 4 * 3**d or (uneven and d <= _DEEPEST):  # measured: a tree is faster than a matrix product
            from scipy.spatial import cKDTree  # imported here because it doubles the import time

            self.tree = cKDTree(self.X)

    @cached_property
    def right(self) -> np.ndarray:
        """As ``right_single``, in double precision, which is rarely needed."""
        return self._right((self.X - self.center) / self.unit, np.float64)

    def _right(self, B: np.ndarray, dtype: type) -> np.ndarray:
        """Return the columns [-b, ½‖b‖²], because [a, 1]ᵀ [-b, ½‖b‖²] = ½‖a - b‖² - ½‖a‖²."""
        return np.column_stack([-B, self.half_squares]).astype(dtype, copy=False)[self.outwards].T

    def _once(self, X: np.ndarray) -> np.ndarray:
        """Return the distinct rows, in the order of their first copies, so that ties are decided as among all rows."""
        values = len(np.unique(X[:, 0]))
        self.rounded = 4 * values < len(X)
        if values == len(X):
            return X
        order = _equal_side_by_side(X)
        first_of_run = np.append(True, np.any(X[order[1:]] != X[order[:-1]], axis=1))
        if first_of_run.all():
            return X
        runs = np.flatnonzero(first_of_run)
        by_index = np.argsort(order[runs])
        place = np.argsort(by_index)[np.cumsum(first_of_run) - 1]
        self.copies = np.diff(runs, append=len(X))[by_index]
        self.members = order[np.argsort(place, kind="stable")]  # grouped by distinct row
        self.starts = np.cumsum(self.copies) - self.copies
        return X[order[runs[by_index]]]

    def query(self, X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return distances and indices (q, k) of the k points nearest to each row of ``X``, nearest first."""
        if self.copies is None:
            return self._query(X, k)[:2]
        distances, rows, ranks = self._query(X, min(k, len(self.copies)))
        there = np.cumsum(self.copies[rows], axis=1)
        last = np.take_along_axis(ranks, np.argmax(there >= k, axis=1)[:, None], axis=1)  # rank of the k-th point
        sizes = np.where(ranks <= last, np.minimum(self.copies[rows], k), 0)
        chosen, indices = np.empty((2, len(X), k), dtype=np.intp)
        for strip in strips(len(X), max(1, _PAIRS // int(sizes.sum(axis=1).max()))):
            chosen[strip], indices[strip] = self._copies_of(rows[strip], ranks[strip], sizes[strip], k)
        return np.take_along_axis(distances, chosen, axis=1), indices

    def _copies_of(
        self, rows: np.ndarray, ranks: np.ndarray, sizes: np.ndarray, k: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the k nearest of the first ``sizes`` copies of the distinct ``rows`` (q, m), by rank, then index.

        The result is their columns in ``rows`` and their indices, both (q, k).
        """
        each = sizes.ravel()
        entry = np.repeat(np.arange(each.size), each)
        place = np.arange(len(entry)) - np.repeat(np.cumsum(each) - each, each)
        index = self.members[self.starts[rows.ravel()[entry]] + place]
        query, column = np.divmod(entry, rows.shape[1])
        m = rows.shape[1]  # sort one combined number, which is faster
        order = np.argsort((query * m + ranks.ravel()[entry]) * len(self.members) + index)
        total = sizes.sum(axis=1)
        first = order[(np.cumsum(total) - total)[:, None] + np.arange(k)]
        return column[first], index[first]

    def _query(self, X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return distances and indices among distinct points, and ranks of the squared distances, equal for ties."""
        limit = np.ldexp(1.0, min(self.size + _FAR, 1023))
        if np.abs(X).max() <= limit:
            return self._query_near(X, k)
        far = np.abs(X).max(axis=1) > limit
        distances, indices, ranks = self._query_near(np.where(far[:, None], 0.0, X), k)
        # all points are equally near, because x - x_i rounds to x
        distances[far], indices[far], ranks[far] = _norms(X[far]), np.arange(k), 0
        return distances, indices, ranks

    def _query_near(self, X: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the same as `_query` for points whose squares neither overflow nor underflow."""
        n, Q = len(self.X), np.ldexp(X, -self.exponent) if self.exponent else X
        squares, indices = np.empty((len(X), k)), np.empty((len(X), k), dtype=np.intp)
        open_rows = np.arange(len(Q))
        width = k + k // 4 + 4 if self.rounded else k + 1  # with rounded coordinates most queries have ties
        while self.tree is not None and open_rows.size and 20 * (width - 1) <= n:
            open_rows = self._by_tree(Q, k, width, open_rows, squares, indices)
            width = 2 * width + 8  # because of ties: more neighbours settle most rows
        for strip in strips(len(open_rows), max(1, _PAIRS // n)):
            rows = open_rows[strip]
            contenders = self._by_product(Q[rows], k) if k < n else np.broadcast_to(np.arange(n), (len(rows), n))
            squares[rows], indices[rows] = self._nearest_of(Q[rows], contenders, k)
        ranks = np.cumsum(np.diff(squares, axis=1, prepend=squares[:, :1]) > 0, axis=1)
        distances = np.sqrt(squares, out=squares)
        return np.ldexp(distances, self.exponent) if self.exponent else distances, indices, ranks

    def _nearest_of(self, Q: np.ndarray, contenders: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the k nearest of the candidates (q, w), indices that ascend in each row, padded with n."""
        n, d = self.X.shape
        nearest, indices = np.empty((len(Q), k)), np.empty((len(Q), k), dtype=np.intp)
        counts = np.sum(contenders < n, axis=1)
        # group rows with similar numbers of candidates, because these vary widely
        for width in np.unique(2 ** np.ceil(np.log2(counts))):
            alike = np.flatnonzero((counts <= width) & (2 * counts > width))
            for strip in strips(len(alike), max(1, int(_CACHE // (width * d)))):
                rows = alike[strip]
                some = contenders[rows, : counts[rows].max()]
                difference = Q[rows, None] - self.X[np.minimum(some, n - 1)]
                difference *= difference
                squares = difference.sum(axis=2)  # Σ_j (x_j - z_j)²
                np.copyto(squares, np.inf, where=some == n)
                order = np.argsort(squares, axis=1, kind="stable")[:, :k]  # stable: ties keep the order of the indices
                nearest[rows] = np.take_along_axis(squares, order, axis=1)
                indices[rows] = np.take_along_axis(some, order, axis=1)
        return nearest, indices

    def _by_tree(
        self, Q: np.ndarray, k: int, width: int, rows: np.ndarray, squares: np.ndarray, indices: np.ndarray
    ) -> np.ndarray:
        """Fill in the result of the tree for these rows, from the ``width`` nearest points.

        Return the undecided rows, in which the last point found is not clearly farther than the k-th.
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
        """Return the candidates by a product in single precision, or in double precision if these are too many."""
        A, n = (Q - self.center) / self.unit, len(self.X)
        keys, many = np.zeros(0, dtype=np.intp), np.abs(A).max(axis=1) >= 1e15
        if not many.all():
            keys = self._within_rounding(A[~many], self.right_single, k)
        few = np.flatnonzero(~many)
        counts = np.bincount(few[keys // n], minlength=len(A))
        many |= counts > 4 * k + 32
        keys = few[keys // n] * n + keys % n
        if many.any():
            again = self._within_rounding(A[many], self.right, k)
            keys = np.concatenate([keys[~many[keys // n]], np.flatnonzero(many)[again // n] * n + again % n])
        return _ragged(np.sort(keys), len(A), n)

    def _within_rounding(self, A: np.ndarray, right: np.ndarray, k: int) -> np.ndarray:
        """Return every point whose expanded square is within rounding of the k-th smallest, as keys row·n + point."""
        n, (q, d) = right.shape[1], A.shape
        left = np.column_stack([A, np.ones(q)]).astype(right.dtype)
        size = np.sqrt(np.einsum("ij,ij->i", A, A))
        width, keys = max(_WIDTH, 16 * k), []
        for rows in strips(q, max(1, _CACHE // min(n, width))):
            smallest, found, least = np.full((rows.stop - rows.start, k), np.inf), [], []
            for columns in self._strips(width):
                reach = self.reach[columns.stop - 1]
                # error bound: the exact entry lies in [S - slack, S + slack]
                slack = np.finfo(right.dtype).eps * reach * (size[rows] + reach) + np.finfo(float).eps * size[rows] ** 2
                slack = 2 * (d + 4) * (slack + np.finfo(right.dtype).tiny)[:, None]  # tiny covers underflow
                S = left[rows] @ right[:, columns]
                smallest = _k_smallest(np.hstack([smallest, _some_small(S, k) + slack]), k)
                flat = np.flatnonzero(S <= (smallest.max(axis=1)[:, None] + slack).astype(S.dtype))
                row, column = np.divmod(flat, S.shape[1])
                found.append((rows.start + row) * n + self.outwards[columns.start + column])
                least.append(S.ravel()[flat] - slack[row, 0])
            found, least = np.concatenate(found), np.concatenate(least)
            # the threshold has fallen since the first columns were compared
            threshold = smallest.max(axis=1)
            keys.append(np.sort(found[least <= threshold[found // n - rows.start]]))
        return np.concatenate(keys)

    def _strips(self, width: int) -> Iterator[slice]:
        """Yield slices of at most ``width`` columns of ``right`` with norms of similar size."""
        start, typical = 0, self.reach[len(self.reach) // 2]
        while start < len(self.reach):
            far = np.searchsorted(self.reach, 8 * max(self.reach[start], typical), side="right")
            stop = min(start + width, int(far))
            yield slice(start, stop)
            start = stop


def _equal_side_by_side(X: np.ndarray) -> np.ndarray:
    """Return an order of the rows that groups equal rows, by index within a group.

    It sorts 64-bit sums if these distinguish all rows, because sorting the rows takes several times as long.
    """
    bits = (X + 0.0).view(np.uint64)  # -0.0 is 0.0
    for _ in range(2):
        bits ^= bits >> np.uint64(32)
        bits *= np.uint64(0x9E3779B97F4A7C15)  # odd, so the multiplication is invertible
    bits ^= bits >> np.uint64(32)
    odd = np.random.default_rng(0).integers(2**62, size=X.shape[1], dtype=np.uint64) * 2 + 1
    sums = (bits * odd).sum(axis=1)
    order = np.argsort(sums, kind="stable")
    alike = np.flatnonzero(sums[order[1:]] == sums[order[:-1]])
    if np.array_equal(X[order[alike + 1]], X[order[alike]]):
        return order
    return np.lexsort(X.T)


def _k_smallest(S: np.ndarray, k: int) -> np.ndarray:
    return np.partition(S, k - 1, axis=1)[:, :k]


def _some_small(S: np.ndarray, k: int) -> np.ndarray:
    """Return the minima of groups of 8 in each row, if their k-th smallest is usually close to that of all entries."""
    m = S.shape[1] // 8
    return S[:, : 8 * m].reshape(len(S), 8, m).min(axis=1) if m >= 2 * k else S


def _ragged(keys: np.ndarray, q: int, n: int) -> np.ndarray:
    """Return ascending keys row·n + column as a matrix of columns (q, w), each row padded with n."""
    rows, columns = np.divmod(keys, n)
    counts = np.bincount(rows, minlength=q)
    place = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    matrix = np.full((q, counts.max()), n)
    matrix[rows, place] = columns
    return matrix


def _norms(X: np.ndarray) -> np.ndarray:
    """Return ‖x‖ of each row as a column, without overflow."""
    largest = np.abs(X).max(axis=1, keepdims=True)
    return largest * np.sqrt(np.sum((X / largest) ** 2, axis=1, keepdims=True))
