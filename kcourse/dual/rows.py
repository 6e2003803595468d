"""The Gram matrix of the dual, as far as it is needed: rows of K."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["GramRows", "KernelRows", "Rows", "rows_of"]


class Rows:
    """K on n points, for who asks for parts of it: ``block(W)`` is K[W, W], ``times(S, d)`` is K[:, S] d.

    The dual needs no more than that, and where few of many points are support vectors it looks at a few rows only.
    `GramRows` has all of K, `KernelRows` computes rows as they are asked for, from ``kernel.on(X)``, which knows how to
    compute the entries of one kernel and remembers none.
    """

    n: int

    def block(self, W: np.ndarray) -> np.ndarray:
        """Return K[W, W]."""
        raise NotImplementedError

    def times(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return K[:, S] d, shape (n,)."""
        raise NotImplementedError

    def all(self) -> GramRows:
        """Return these with all of K at hand."""
        return GramRows(self.block(np.arange(self.n)))


class GramRows(Rows):
    """A Gram matrix that is there already.

    >>> import numpy as np
    >>> GramRows(np.eye(2)).times(np.array([1]), np.array([10.0]))
    array([ 0., 10.])
    """

    def __init__(self, K: np.ndarray) -> None:
        self.K, self.n = K, len(K)

    def block(self, W: np.ndarray) -> np.ndarray:
        """Return K[W, W]; K itself for all points."""
        return self.K if len(W) == self.n else self.K[np.ix_(W, W)]

    def times(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """Return K[:, S] d, shape (n,)."""
        return d @ self.K[S]

    def all(self) -> GramRows:
        """Return itself."""
        return self


class KernelRows(Rows):
    """The Gram matrix of a kernel on fixed points, ``kernel.on(X)``: each row is computed once, when it is needed.

    >>> import numpy as np
    >>> from kcourse import Linear
    >>> KernelRows(Linear().on([[1.0], [2.0], [3.0]])).times(np.array([1]), np.array([10.0]))
    array([20., 40., 60.])
    """

    def __init__(self, gram: Any) -> None:
        self._gram, self.n = gram, gram.n
        self._chunks: list[np.ndarray] = []  # rows of K, as they were computed together
        self._ends, self._slot = [0], np.full(self.n, -1)  # the row of point i is number _slot[i] of all of them

    def block(self, W: np.ndarray) -> np.ndarray:
        """The Gram matrix of the points ``W``."""
        return self._gram.block(W)

    def part(self, S: np.ndarray) -> KernelRows:
        """The same of the points ``S`` only."""
        return KernelRows(self._gram.part(S))

    def times(self, S: np.ndarray, d: np.ndarray) -> np.ndarray:
        """K[:, S] d, shape (n,)."""
        new = S[self._slot[S] < 0]
        if len(new):
            self._slot[new] = np.arange(self._ends[-1], self._ends[-1] + len(new))
            self._chunks.append(self._gram.rows(new))
            self._ends.append(self._ends[-1] + len(new))
        weights = np.zeros(self._ends[-1])
        weights[self._slot[S]] = d
        total = np.zeros(self.n)
        for rows, start, end in zip(self._chunks, self._ends[:-1], self._ends[1:], strict=True):
            w = weights[start:end]
            used = np.flatnonzero(w)
            if 2 * len(used) < len(w):
                w, rows = w[used], rows[used]
            total += w @ rows
        return total


def rows_of(K: Any) -> Rows:
    """``K`` as rows, if it is not yet."""
    return K if isinstance(K, Rows) else GramRows(K)
