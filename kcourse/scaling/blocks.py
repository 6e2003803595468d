"""Data in blocks, and sums over the blocks, computed in this thread, by an executor or on a cluster."""

from __future__ import annotations

import mmap
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from kcourse.base.linalg import strips
from kcourse.base.validation import check_points, check_points_of, check_targets, check_weights, is_sparse
from kcourse.scaling.features import check_n_landmarks, smallest

__all__ = ["TextBar"]

_IN_FLIGHT = 8  # maximum number of tasks and results that wait or run at one time

Progress = Callable[[int, int], Any]
Work = Callable[..., tuple[Any, ...]]
Task = tuple[int, Work, tuple[Any, ...]]  # number of rows, function, arguments


@dataclass(frozen=True)
class Block:
    """Block of rows with targets (b, t) and weights (b,), sent to a worker; ``name`` appears in error messages."""

    name: str
    rows: Any
    y: np.ndarray
    w: np.ndarray | None = None


@dataclass(frozen=True)
class MappedRows:
    """Rows start…stop of a file of numbers, which a worker maps into memory itself."""

    file: str
    dtype: str
    offset: int
    shape: tuple[int, int]
    order: str
    start: int
    stop: int

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        n, d = self.shape
        if self.order == "F":
            rows = np.memmap(self.file, self.dtype, "r", self.offset, (n, d), "F")[self.start : self.stop]
        else:
            skipped = self.start * d * np.dtype(self.dtype).itemsize
            rows = np.memmap(self.file, self.dtype, "r", self.offset + skipped, (self.stop - self.start, d))
        return np.array(rows, dtype=dtype) if copy or dtype not in (None, rows.dtype) else rows


class Arrays:
    """Data (X, y) from arrays, memory maps or names of .npy files, cut into blocks of ``size`` rows."""

    def __init__(self, X: Any, y: Any, kernel: Callable, size: int, sample_weight: Any = None) -> None:
        X, y = (np.load(a, mmap_mode="r") if isinstance(a, (str, os.PathLike)) else a for a in (X, y))
        self._size, self._place = size, _place(X)
        if getattr(kernel, "structured", False) or is_sparse(X):
            X = check_points_of(kernel, X)
        elif self._place is None:  # data in a file is checked block by block when it is read
            X = check_points(X, order="K")  # each block is copied into C order when it is used, never all of X
        y = check_targets(y, len(X))
        self._X, self._y, self._w = X, y.reshape(len(X), -1), check_weights(sample_weight, len(X))
        self.n, self.point_shape, self.one_target = len(X), X.shape[1:], y.ndim == 1

    @property
    def mass(self) -> float:
        """Number of rows, or the sum of their weights."""
        return self.n if self._w is None else float(self._w.sum())

    def landmarks(self, m: int, rng: np.random.Generator) -> np.ndarray:
        """Return ``m`` rows of positive weight, drawn uniformly without replacement."""
        seen = np.arange(self.n) if self._w is None else np.flatnonzero(self._w)
        chosen = seen[smallest(rng.random(len(seen)), check_n_landmarks(m, len(seen)))]
        if self._place is None:
            return self._X[chosen] if is_sparse(self._X) else np.ascontiguousarray(self._X[chosen])
        # one map for each row, closed at once, because a single map would keep all touched pages in memory
        rows = [np.array(MappedRows(*self._place, int(i), int(i) + 1)) for i in chosen]
        return np.array(check_points(np.vstack(rows), "the landmarks (rows of X)"))

    def tasks(self, work: Work) -> Iterator[Task]:
        """Yield the tasks that apply ``work`` to each block: number of rows, function, arguments."""
        return ((len(block.y), work, (block,)) for block in self)

    def __iter__(self) -> Iterator[Block]:
        for rows in strips(self.n, self._size):
            X = self._X[rows] if self._place is None else MappedRows(*self._place, rows.start, rows.stop)
            w = None if self._w is None else self._w[rows]
            yield Block(f"X[{rows.start}:{rows.stop}]", X, self._y[rows], w)


def _place(X: Any) -> tuple | None:
    """Return the file location of a memory map; None for data that must be sent, including parts of maps."""
    if not (isinstance(X, np.memmap) and isinstance(X.base, mmap.mmap) and X.filename and X.mode != "c"):
        return None
    if X.ndim != 2 or X.size == 0 or X.dtype.kind not in "fiub":
        return None  # the check of X reports the error
    order = "C" if X.flags.c_contiguous else "F"
    return os.path.abspath(X.filename), X.dtype.str, X.offset, X.shape, order


class Stream:
    """Data from a function that returns a fresh iterator of pairs (X_block, y_block), or from a sequence of pairs.

    The pairs are cut anew into blocks of ``size`` rows, so that the result is the same as for one array.
    """

    def __init__(self, source: Any, size: int) -> None:
        if isinstance(source, Iterator):
            raise ValueError(
                f"X is a {type(source).__name__}, which can be read only once, but fit reads the data several times: "
                "pass a function that returns a fresh one each time, such as lambda: read_blocks(path)."
            )
        self._open = source if callable(source) else lambda: source
        self._size = size
        self.n = self.point_shape = self.one_target = None  # known after the first pass

    @property
    def mass(self) -> int:
        """Number of rows."""
        return self.n

    def landmarks(self, m: int, rng: np.random.Generator) -> np.ndarray | None:
        """Return ``m`` rows as in `Arrays`, in one pass: the rows with the smallest of n random keys.

        With m = 0 the pass only counts the rows.
        """
        keys, kept, n = np.empty(0), None, 0
        for X, y in self._pairs():
            n += len(X)
            if kept is None:
                kept, self.point_shape, self.one_target = X[:0], X.shape[1:], y.ndim == 1
            if m:
                keys, kept = np.append(keys, rng.random(len(X))), np.vstack([kept, X])
                best = smallest(keys, min(m, len(keys)))
                keys, kept = keys[best], kept[best]
        if n == 0:
            raise ValueError(
                "X gave no blocks. If it is a function, it must return a fresh iterator on each call, "
                "not one that has been read before."
            )
        self.n = n
        if m:
            check_n_landmarks(m, n)
        return kept

    def tasks(self, work: Work) -> Iterator[Task]:
        """Yield the tasks, as `Arrays` does."""
        return ((len(block.y), work, (block,)) for block in self)

    def __iter__(self) -> Iterator[Block]:
        held: list[np.ndarray] | None = None  # rows and targets that are not yet in a block
        done = 0
        for X, y in self._pairs():
            pair = X, y.reshape(len(X), -1)
            held = (
                list(pair)
                if held is None
                else [np.concatenate([old, new]) for old, new in zip(held, pair, strict=True)]
            )
            while len(held[0]) >= self._size:
                yield Block(f"X[{done}:{done + self._size}]", held[0][: self._size], held[1][: self._size])
                held = [part[self._size :] for part in held]
                done += self._size
        if held is not None and len(held[0]):
            yield Block(f"X[{done}:{done + len(held[0])}]", *held)
            done += len(held[0])
        if done != self.n:
            raise ValueError(
                f"X gave {self.n} rows when it was first read, but {done} now: it must give the same blocks each time. "
                "If it is a function, it must return a fresh iterator on each call."
            )

    def _pairs(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for i, pair in enumerate(self._open()):
            if not (isinstance(pair, (tuple, list)) and len(pair) == 2):
                raise ValueError(
                    f"block {i} is {type(pair).__name__} and not a pair (X_block, y_block). For arrays this fit "
                    "requires y to be passed, but the target y is None."
                )
            d = None if self.point_shape is None else self.point_shape[0]
            X = check_points(pair[0], f"X of block {i}", n_features=d)
            yield X, check_targets(pair[1], len(X), f"y of block {i}")


class Elsewhere:
    """Data in blocks given as futures of pairs (X_block, y_block), as delayed pairs, or as pairs of either.

    Only the m landmarks and the results of ``work`` are fetched. Each block is one task and is not cut
    anew.
    """

    def __init__(self, blocks: list[tuple[Any, ...]], executor: Any) -> None:
        self._blocks, self._executor = blocks, executor
        parts = [part for block in blocks for part in block]
        if any(map(_is_delayed, parts)) and type(executor).__name__ == "ClientExecutor":
            raise ValueError("X has delayed blocks, which the client itself must compute: pass executor=client.")
        if any(map(_is_of_cluster, parts)) and not type(executor).__module__.startswith("distributed"):
            raise ValueError(
                "X has futures of a cluster, and fit would fetch their blocks: pass executor=client, which runs the "
                "work where the blocks are."
            )
        about = list(self._from_each(_describe, range(len(blocks))))
        self._sizes, shapes, one = zip(*about, strict=True)
        self.n, self.point_shape, self.one_target = sum(self._sizes), shapes[0], one[0]
        for i, (shape, single) in enumerate(zip(shapes, one, strict=True)):
            if shape != shapes[0] or single != one[0]:
                raise ValueError(
                    f"block {i} has points of shape {shape} and y {'with one axis' if single else 'with two axes'}, "
                    "unlike block 0; give all blocks the same form."
                )

    @property
    def mass(self) -> int:
        """Number of rows."""
        return self.n

    def landmarks(self, m: int, rng: np.random.Generator) -> np.ndarray:
        """Return ``m`` rows as in `Arrays`; only these are fetched."""
        chosen = smallest(rng.random(self.n), check_n_landmarks(m, self.n))
        starts = np.concatenate([[0], np.cumsum(self._sizes)])
        home = np.searchsorted(starts, chosen, side="right") - 1
        rows = np.empty((len(chosen), *self.point_shape))
        holders = np.unique(home)
        wanted = [chosen[home == i] - starts[i] for i in holders]
        for i, found in zip(holders, self._from_each(_take, holders, wanted), strict=True):
            rows[home == i] = found
        return rows

    def tasks(self, work: Work) -> Iterator[Task]:
        """Yield the tasks, as `Arrays` does."""
        for i, (size, block) in enumerate(zip(self._sizes, self._blocks, strict=True)):
            yield size, partial(_apply, work, i, size), block

    def _from_each(self, function: Work, which: Iterable[int], *arguments: Any) -> Iterator[Any]:
        tasks = (
            (0, partial(function, int(i), *more), self._blocks[i]) for i, *more in zip(which, *arguments, strict=True)
        )
        return (found for _, found in _in_order(tasks, self._executor))


def _pair(i: int, parts: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return X and y of block ``i``, checked by the worker that has the block."""
    pair = [part.compute(scheduler="synchronous") if _is_delayed(part) else part for part in parts]
    pair = pair[0] if len(pair) == 1 else pair
    if not (isinstance(pair, (tuple, list)) and len(pair) == 2):
        raise ValueError(f"block {i} is {type(pair).__name__} and not a pair (X_block, y_block).")
    X = check_points(pair[0], f"X of block {i}")
    return X, check_targets(pair[1], len(X), f"y of block {i}")


def _describe(i: int, *parts: Any) -> tuple[int, tuple[int, ...], bool]:
    X, y = _pair(i, parts)
    return len(X), X.shape[1:], y.ndim == 1


def _take(i: int, rows: np.ndarray, *parts: Any) -> np.ndarray:
    return _pair(i, parts)[0][rows]


def _apply(work: Work, i: int, size: int, *parts: Any) -> tuple[Any, ...]:
    X, y = _pair(i, parts)
    if len(X) != size:
        raise ValueError(f"block {i} had {size} rows when it was first read, but {len(X)} now: it must not change.")
    return work(Block(f"X of block {i}", X, y.reshape(len(X), -1)))


# Dask is not imported here. A delayed object claims to have every attribute, so its class is inspected.


def _is_delayed(part: Any) -> bool:
    return hasattr(type(part), "__dask_graph__")


def _is_future(part: Any) -> bool:
    return hasattr(type(part), "result") and hasattr(type(part), "add_done_callback")


def _is_of_cluster(part: Any) -> bool:
    return _is_future(part) and not isinstance(part, Future)


def _elsewhere(X: Any, y: Any) -> list[tuple[Any, ...]] | None:
    """Return the parts of each block if X gives futures or delayed blocks or is a Dask array, otherwise None."""
    if hasattr(type(X), "to_delayed") and hasattr(X, "numblocks"):
        ours = getattr(y, "chunks", ((),))
        if X.ndim != 2 or X.numblocks[1] != 1 or ours[0] != X.chunks[0] or any(len(c) > 1 for c in ours[1:]):
            raise ValueError(
                "X is a Dask array: its blocks must hold whole rows, and y must be a Dask array with the same rows. "
                "Take X.rechunk({1: -1}), and y.rechunk({0: X.chunks[0]}) or dask.array.from_array(y, X.chunks[0])."
            )
        return list(zip(X.to_delayed().ravel(), y.to_delayed().ravel(), strict=True))
    if y is not None or not isinstance(X, (list, tuple)) or len(X) == 0:
        return None
    blocks = [block if isinstance(block, (list, tuple)) else (block,) for block in X]
    far = [any(_is_delayed(part) or _is_future(part) for part in block) for block in blocks]
    return [tuple(block) for block in blocks] if any(far) else None


def read_data(
    X: Any, y: Any, kernel: Callable, size: int, sample_weight: Any = None, executor: Any = None
) -> Arrays | Stream | Elsewhere:
    """Return the data source for (X, y), or for X alone if it gives both in blocks."""
    if (blocks := _elsewhere(X, y)) is not None:
        if sample_weight is not None:
            raise ValueError("sample_weight works with arrays, memory maps and files, not with X that gives blocks.")
        return Elsewhere(blocks, executor)
    gives_blocks = callable(X) or isinstance(X, Iterator)
    if gives_blocks and y is not None:
        raise ValueError("X gives blocks (X_block, y_block), which hold the targets; leave y out: fit(X).")
    is_array = hasattr(X, "__array__") or is_sparse(X) or isinstance(X, (str, os.PathLike))
    if gives_blocks or (y is None and isinstance(X, Iterable) and not is_array):
        if sample_weight is not None:
            raise ValueError(
                "sample_weight works with arrays, memory maps and files, not with X that gives blocks: pass X and y "
                "as np.memmap, or as names of .npy files, which are also read in blocks."
            )
        return Stream(X, size)
    return Arrays(X, y, kernel, size, sample_weight)


def total(
    work: Callable[[Block], tuple[np.ndarray, ...]],
    data: Arrays | Stream | Elsewhere,
    executor: Any,
    progress: Progress,
) -> tuple[np.ndarray, ...]:
    """Return Σ work(block), added in the order of the blocks, so that the result does not depend on the executor."""
    sums, done = None, 0
    for rows, parts in _in_order(data.tasks(work), executor):
        sums = parts if sums is None else tuple(np.add(s, part, out=s) for s, part in zip(sums, parts, strict=True))
        done += rows
        del parts  # free memory before the next parts
        progress(done, data.n)
    return sums


def _in_order(tasks: Iterable[Task], executor: Any) -> Iterator[tuple[int, Any]]:
    """Yield (number of rows, result) for each task in order; at most eight tasks wait or run at one time."""
    if executor is None:
        yield from ((rows, function(*map(_here, args))) for rows, function, args in tasks)
        return
    pending: deque = deque()
    try:
        for rows, function, args in tasks:
            pending.append((rows, _submit(executor, function, args)))
            if len(pending) == _IN_FLIGHT:
                rows, future = pending.popleft()
                yield rows, future.result()
        while pending:
            rows, future = pending.popleft()
            yield rows, future.result()
    finally:  # after an error or Ctrl-C, cancel tasks that have not started
        for _, future in pending:
            future.cancel()


def _here(part: Any) -> Any:
    """Return the result of a future, or the object itself."""
    return part.result() if isinstance(part, Future) else part


def _submit(executor: Any, function: Work, args: tuple[Any, ...]) -> Any:
    args = tuple(map(_here, args))
    if not hasattr(executor, "compute"):
        return executor.submit(function, *args)
    # Dask's client: delayed blocks become futures one by one, and the work runs where they are
    args = tuple(executor.compute(part) if _is_delayed(part) else part for part in args)
    return executor.submit(function, *args, pure=False)


class TextBar:
    """Progress bar in text, such as ``[#####...............] 262144 of 1000000 rows``, for a long pass over data.

    It appears once the pass has taken ``after`` seconds and ends with a newline. Any function
    ``progress(done, total)`` can replace it; with ipywidgets, ``bar = IntProgress(max=n)`` and
    ``progress=lambda done, total: bar.set_trait("value", done)``.

    Parameters
    ----------
    after : float
        delay in seconds before the bar appears.
    file : text stream or None
        where to write; None for the current ``sys.stderr``.

    >>> import sys
    >>> bar = TextBar(after=0, file=sys.stdout)
    >>> bar(10, 10)  # doctest: +NORMALIZE_WHITESPACE
    [####################] 10 of 10 rows
    """

    def __init__(self, *, after: float = 2.0, file: Any = None) -> None:
        self.after = after
        self.file = file
        self._begun: float | None = None

    def __call__(self, done: int, total: int) -> None:
        """Show that ``done`` of ``total`` rows are done."""
        now = time.monotonic()
        self._begun = now if self._begun is None else self._begun
        file = sys.stderr if self.file is None else self.file
        if now - self._begun >= self.after:
            bar = "#" * (20 * done // total)
            file.write(f"\r[{bar:.<20}] {done} of {total} rows" + ("\n" if done == total else ""))
            file.flush()
        if done == total:
            self._begun = None  # the next pass starts a new line
