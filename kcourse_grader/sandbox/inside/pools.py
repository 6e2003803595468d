"""Replacements for process pools: in the sandbox, the calling process does the work immediately.

Real pools need semaphores, which do not exist in the sandbox. The results are the same.
"""

from __future__ import annotations

import concurrent.futures
import concurrent.futures.process
import itertools
import multiprocessing
import multiprocessing.context
import multiprocessing.dummy
import multiprocessing.pool
from collections.abc import Callable, Iterable, Iterator
from typing import Any

__all__ = ["AtOnce", "Pool", "stand_in"]


class AtOnce(concurrent.futures.Executor):
    """A ``ProcessPoolExecutor`` whose ``submit`` does the work before it returns."""

    def __init__(
        self,
        max_workers: int | None = None,
        mp_context: object = None,
        initializer: Callable | None = None,
        initargs: tuple = (),
        **_: object,
    ) -> None:
        if initializer is not None:
            initializer(*initargs)

    def submit(self, fn: Callable, /, *args: Any, **keywords: Any) -> concurrent.futures.Future:
        future: concurrent.futures.Future = concurrent.futures.Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(fn(*args, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


class _Done:
    """An asynchronous result that is already complete."""

    def __init__(self, work: Callable[[], Any], callback: Callable | None, error_callback: Callable | None) -> None:
        self.value, self.error = None, None
        try:
            self.value = work()
        except Exception as error:
            self.error = error
        told = callback if self.error is None else error_callback
        if told is not None:
            told(self.value if self.error is None else self.error)

    def get(self, timeout: float | None = None) -> Any:
        if self.error is not None:
            raise self.error
        return self.value

    def wait(self, timeout: float | None = None) -> None:
        pass

    def ready(self) -> bool:
        return True

    def successful(self) -> bool:
        return self.error is None


class Pool:
    """A ``multiprocessing.Pool`` or ``ThreadPool`` without worker processes."""

    def __init__(
        self,
        processes: int | None = None,
        initializer: Callable | None = None,
        initargs: tuple = (),
        maxtasksperchild: int | None = None,
        context: object = None,
    ) -> None:
        if initializer is not None:
            initializer(*initargs)

    def apply(self, func: Callable, args: Iterable = (), kwds: dict | None = None) -> Any:
        return func(*args, **(kwds or {}))

    def map(self, func: Callable, iterable: Iterable, chunksize: int | None = None) -> list:
        return [func(item) for item in iterable]

    def starmap(self, func: Callable, iterable: Iterable, chunksize: int | None = None) -> list:
        return list(itertools.starmap(func, iterable))

    def imap(self, func: Callable, iterable: Iterable, chunksize: int = 1) -> Iterator:
        return map(func, iterable)

    imap_unordered = imap

    def apply_async(
        self,
        func: Callable,
        args: Iterable = (),
        kwds: dict | None = None,
        callback: Callable | None = None,
        error_callback: Callable | None = None,
    ) -> _Done:
        return _Done(lambda: self.apply(func, args, kwds), callback, error_callback)

    def map_async(
        self,
        func: Callable,
        iterable: Iterable,
        chunksize: int | None = None,
        callback: Callable | None = None,
        error_callback: Callable | None = None,
    ) -> _Done:
        return _Done(lambda: self.map(func, iterable), callback, error_callback)

    def starmap_async(
        self,
        func: Callable,
        iterable: Iterable,
        chunksize: int | None = None,
        callback: Callable | None = None,
        error_callback: Callable | None = None,
    ) -> _Done:
        return _Done(lambda: self.starmap(func, iterable), callback, error_callback)

    def close(self) -> None:
        pass

    terminate = join = close

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def stand_in() -> None:
    """Replace the real pools in their modules, before any cell runs."""
    multiprocessing.Pool = multiprocessing.pool.Pool = multiprocessing.pool.ThreadPool = Pool
    multiprocessing.dummy.Pool = Pool
    multiprocessing.context.BaseContext.Pool = lambda _self, *args, **keywords: Pool(*args, **keywords)
    concurrent.futures.ProcessPoolExecutor = concurrent.futures.process.ProcessPoolExecutor = AtOnce
