"""Time limits inside a process, with timers of the operating system.

The limit is processor time, which does not depend on other programs on the machine. A second timer with wall-clock time
ends code that sleeps. When it expires, the process tests whether it has slept or other programs have used the
processor; in the second case it gets more time. The limited code can switch both timers off; the parent process waits a
little longer and then ends it from outside.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["ASLEEP", "Budget", "Spent", "Stopwatch", "TooLong", "off", "set_deadly"]

_used, _now = time.process_time, time.monotonic
_SHARE = 2  # no cell takes more than half of the remaining time, so that each gets some
_CRUMB = 0.05  # minimum seconds for each cell: a definition takes less
_DEBT = 0.25  # share of the total by which these minimum times may exceed it
_BLINK = 1.0  # minimum of the wall-clock limit in seconds
_AWAKE = 0.1  # share of wall-clock time; a process with less processor time slept, or others used the processor
_BURST = 0.02  # seconds of processor time to test which
ASLEEP = signal.SIGVTALRM if hasattr(signal, "SIGVTALRM") else None  # signal that ends a process that has slept


class TooLong(BaseException):
    """Raised in code at its deadline; code that catches it is killed a little later."""

    waited = slept = False


class _Waited(TooLong):
    """The wall-clock limit was reached, perhaps because of other programs."""

    waited = True


class _Slept(TooLong):
    """The code slept although the processor was free."""

    slept = True


class Spent(BaseException):
    """No time is left to begin anything."""


class Stopwatch:
    """Processor seconds since its creation; or wall-clock seconds / patience, if that is more."""

    def __init__(self, patience: float, used: Callable[[], float] | None = None) -> None:
        self.patience, self.used = patience, used or _used
        self.before, self.began = self.used(), _now()

    def seconds(self) -> float:
        """Return the seconds used."""
        return max(self.used() - self.before, (_now() - self.began) / self.patience)


class Budget:
    """Processor seconds for several pieces of code: at most ``each``, together ``total``."""

    def __init__(self, each: float, total: float, patience: float) -> None:
        self.each, self.patience, self.left, self.debt = each, patience, total, _DEBT * total

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Raise `TooLong` in the body if it takes too long, or `Spent` before it if no time is left."""
        if self.left < -self.debt:
            raise Spent
        seconds, stopwatch = max(_CRUMB, min(self.each, self.left / _SHARE)), Stopwatch(self.patience)
        signal.signal(signal.SIGPROF, _raise(TooLong))
        _set(seconds, self.patience, _raise(_Waited), _raise(_Slept))
        try:
            yield
        except _Slept:
            self.left -= _now() - stopwatch.began - stopwatch.seconds()  # time spent sleeping also counts
            raise
        finally:
            off()
            self.left -= stopwatch.seconds()


def set_deadly(seconds: float, patience: float) -> None:
    """End this process if it takes too long until `off`; if code blocks the signal, the parent ends it."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _set(seconds, patience, signal.SIG_DFL, _end_asleep)


def off() -> None:
    """Switch both timers off."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _set(seconds: float, patience: float, late: Any, asleep: Callable[[int, object], None]) -> None:
    """Set the timer for processor time.

    After the same wall-clock time, ``asleep`` is called if this process has slept; after the rest of the patience,
    ``late`` is called.
    """
    used, wall = _used(), max(_BLINK, seconds)

    def look(number: int, frame: object) -> None:
        signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, max(wall * (patience - 1), 1e-6))
        if _used() - used < _AWAKE * wall and not _crowded():
            asleep(number, frame)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, wall)


def _crowded() -> bool:
    """Whether other programs use the processor so much that this process may have had too little of it."""
    used, began = _used(), _now()
    while _used() - used < _BURST:
        pass
    return _now() - began > _BURST / (2 * _AWAKE)


def _raise(error: type[TooLong]) -> Callable[[int, object], None]:
    def handle(_number: int, _frame: object) -> None:
        raise error

    return handle


def _end_asleep(_number: int, _frame: object) -> None:
    signal.signal(ASLEEP, signal.SIG_DFL)
    os.kill(os.getpid(), ASLEEP)
