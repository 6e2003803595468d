"""The end of what takes too long, from within: a process asks the kernel to wake it.

What is limited is time of the processor, which does not depend on who else works on the machine; so that what sleeps
comes to an end, too, a clock on the wall runs beside it. When that shows as much time as there was, it is asked whether
this process has slept or others are to blame: with those there is patience. Code that is called can switch both off;
whoever started it waits a little longer, and then ends it from outside.
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
_SHARE = 2  # no cell takes more than half of what is left, so that something is left for each
_CRUMB = 0.05  # seconds that there are for each all the same: a definition takes less
_DEBT = 0.25  # of the whole, as far as crumbs go
_BLINK = 1.0  # seconds on the wall that anything may take
_AWAKE = 0.1  # of the time on the wall: whoever has had less of the processor slept, or others were at it
_BURST = 0.02  # seconds of the processor, to see whether they are
ASLEEP = signal.SIGVTALRM if hasattr(signal, "SIGVTALRM") else None  # how a process ends that has slept


class TooLong(BaseException):
    """Raised in code at its deadline; if it swallows that, it is killed a little later."""

    waited = slept = False


class _Waited(TooLong):
    """It was not the processor that it took, and others may be to blame."""

    waited = True


class _Slept(TooLong):
    """It did nothing, and nobody kept it from it."""

    slept = True


class Spent(BaseException):
    """There is no time left to begin anything."""


class Stopwatch:
    """Seconds of the processor since it was made; or of the clock, if those are more than patience allows."""

    def __init__(self, patience: float, used: Callable[[], float] | None = None) -> None:
        self.patience, self.used = patience, used or _used
        self.before, self.began = self.used(), _now()

    def seconds(self) -> float:
        """What has been taken."""
        return max(self.used() - self.before, (_now() - self.began) / self.patience)


class Budget:
    """Seconds of the processor for several pieces of code: ``each`` at most, ``total`` together."""

    def __init__(self, each: float, total: float, patience: float) -> None:
        self.each, self.patience, self.left, self.debt = each, patience, total, _DEBT * total

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Raise `TooLong` in the body if it takes too long, and `Spent` before it if there is nothing left."""
        if self.left < -self.debt:
            raise Spent
        seconds, stopwatch = max(_CRUMB, min(self.each, self.left / _SHARE)), Stopwatch(self.patience)
        signal.signal(signal.SIGPROF, _raise(TooLong))
        _set(seconds, self.patience, _raise(_Waited), _raise(_Slept))
        try:
            yield
        except _Slept:
            self.left -= _now() - stopwatch.began - stopwatch.seconds()  # what is slept away is gone
            raise
        finally:
            off()
            self.left -= stopwatch.seconds()


def set_deadly(seconds: float, patience: float) -> None:
    """End this process if it takes too long until `off`; who blocks that is ended from outside."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    _set(seconds, patience, signal.SIG_DFL, _end_asleep)


def off() -> None:
    """What has to be done in time is done."""
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)


def _set(seconds: float, patience: float, late: Any, asleep: Callable[[int, object], None]) -> None:
    """Have the kernel say when so much of the processor's time is over.

    When as much is over on the wall, ``asleep`` is called if this process has slept; after the rest of the patience,
    ``late`` handles it.
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
    """Whether so many others are at the processor that this process may have had so little of it for that reason."""
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
