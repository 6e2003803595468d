"""Access to parts of the Gram matrix K of the dual, stored or computed on request."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.base.linalg import strips

__all__ = ["GramRows", "KernelRows", "Rows", "rows_of"]

_AT_ONCE = 2**21  # most numbers that are copied or computed at a time


class Rows:
    """Base class for access to K on n points: ``block(W)`` is K[W, W], ``times(S, d)`` is K[:, S] d.

    The dual solver needs nothing else, and if few points are support vectors it reads only a few rows. `GramRows`
    stores all of K. `KernelRows` computes rows on request with ``kernel.on_points(X)``, which stores no entries, and
    keeps as many rows as fit into its memory.
    """

    n: int
    held: int  # most points that a block may have

    def block(self, W: np.ndarray) -> np.ndarray:
        """Return K[W, W]."""
        raise NotImplementedError

    def times(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return K[:, S] d, shape (n,)."""
        raise NotImplementedError

    def sizes(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return |K[:, S]| |d|, shape (n,), to which the rounding error of K[:, S] d is proportional."""
        raise NotImplementedError

    def all(self) -> GramRows:
        """Return rows that store all of K."""
        return GramRows(self.block(np.arange(self.n)))


class GramRows(Rows):
    """Access to a stored Gram matrix.

    >>> import numpy as np
    >>> GramRows(np.eye(2)).times(np.array([1]), np.array([10.0]))
    array([ 0., 10.])
    """

    def __init__(self, K: np.ndarray) -> None:
        self.K, self.n = K, len(K)
        self.held = self.n

    def block(self, W: np.ndarray) -> np.ndarray:
        """Return K[W, W], or K itself if ``W`` contains all points."""
        return self.K if len(W) == self.n else self.K[np.ix_(W, W)]

    def times(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return K[:, S] d, shape (n,)."""
        return _combined(self.K, S, d)

    def sizes(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return |K[:, S]| |d|, shape (n,)."""
        return sum(np.abs(d[part]) @ np.abs(self.K[S[part]]) for part in _parts(len(S), self.n))

    def all(self) -> GramRows:
        """Return itself."""
        return self


class KernelRows(Rows):
    """Access to the Gram matrix of ``kernel.on_points(X)``, whose rows are computed on request.

    The most recently used rows are kept in half of ``room`` bytes. ``held`` is the most points that a block may have:
    all if K fits into ``room``, otherwise as many as fill a quarter of it. ``computed`` counts the computed rows.

    >>> import numpy as np
    >>> from kcourse import Linear
    >>> KernelRows(Linear().on_points([[1.0], [2.0], [3.0]])).times(np.array([1]), np.array([10.0]))
    array([20., 40., 60.])
    """

    def __init__(self, gram: Any, room: float = np.inf) -> None:
        self._gram, self.n, self.room, self.computed = gram, gram.n, room, 0
        self.held = self.n if 8 * self.n**2 <= room else max(2, int(np.sqrt(room / 32)))
        self.forget()

    def forget(self) -> None:
        """Discard all stored rows."""
        places = int(min(self.n, self.room / (16 * self.n)))
        self._kept = np.empty((0, self.n))  # allocated with the first row, because small problems need no rows
        self._place = np.full(self.n, -1)  # position in _kept of the row of point i, or -1
        self._point, self._last, self._turn = np.full(places, -1), np.zeros(places, int), 0

    def block(self, W: np.ndarray) -> np.ndarray:
        """Return K[W, W]."""
        return self._gram.block(W)

    def part(self, S: np.ndarray) -> KernelRows:
        """Return the rows of the kernel on the points ``S`` only."""
        part = KernelRows(self._gram.part(S), self.room)
        part.held = min(part.n, self.held)
        return part

    def times(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return K[:, S] d, shape (n,); missing rows are computed and kept."""
        self._turn += 1
        place = self._place[S]
        kept, filled = place >= 0, int(np.count_nonzero(self._point >= 0))
        self._last[place[kept]] = self._turn
        total = _combined(self._kept[:filled], place[kept], d[kept])
        S, d = S[~kept], d[~kept]
        # positions to overwrite: empty ones and the least recently used, but none used now
        oldest = np.argsort(self._last, kind="stable")[: int(np.sum(self._last < self._turn))]
        for part in _parts(len(S), self.n):
            rows = self._gram.rows(S[part])
            total += d[part] @ rows
            self._keep(S[part], rows, oldest[part])
        self.computed += len(S)
        return total

    def __getitem__(self, i: int) -> np.ndarray:
        """Return row i of K; use it before you request two more rows, which may overwrite it."""
        self._turn += 1
        place = int(self._place[i])
        if place < 0:
            rows = self._gram.rows(np.array([i]))
            self.computed += 1
            if len(self._last) < 2:
                return rows[0]
            place = int(self._last.argmin())
            self._keep(np.array([i]), rows, np.array([place]))
        self._last[place] = self._turn
        return self._kept[place]

    def diagonal(self) -> np.ndarray:
        """Return K_ii for all i, shape (n,)."""
        return self._gram.diagonal()

    def sizes(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return |K[:, S]| |d|, shape (n,), without keeping rows."""
        return sum(np.abs(d[part]) @ np.abs(self._gram.rows(S[part])) for part in _parts(len(S), self.n))

    def _keep(self, S: np.ndarray, rows: np.ndarray, places: np.ndarray) -> None:
        """Store these rows at the given places, as many as there are places."""
        if not len(self._kept):
            self._kept = np.empty((len(self._last), self.n))
        S, before = S[: len(places)], self._point[places]
        self._place[before[before >= 0]] = -1
        self._place[S], self._point[places], self._last[places] = places, S, self._turn
        self._kept[places] = rows[: len(places)]


def _parts(many: int, n: int) -> Any:
    """Yield slices that cover ``many`` rows of length n, with at most about `_AT_ONCE` numbers each."""
    return strips(many, max(1, _AT_ONCE // n))


def _combined(K: np.ndarray, S: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return d @ K[S] without copying many rows at once."""
    if len(S) * K.shape[1] <= _AT_ONCE:
        return d @ K[S]
    if 2 * len(S) >= len(K):
        weights = np.zeros(len(K))
        weights[S] = d
        return weights @ K
    return sum(d[part] @ K[S[part]] for part in _parts(len(S), K.shape[1]))


def rows_of(K: Any) -> Rows:
    """Return ``K`` as `Rows`; an array becomes `GramRows`."""
    return K if isinstance(K, Rows) else GramRows(K)
