"""The end of what takes too long, from within: a process asks the kernel to wake it.

What is limited is time of the processor, which does not depend on who else works on the machine; so that what sleeps
comes to an end, too, a clock on the wall runs beside it, with patience. Code that is called can switch both off;
whoever started it waits a little longer, and then ends it from outside.
"""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Callable, Iterator

__all__ = ["Budget", "Spent", "Stopwatch", "TooLong", "off", "set_deadly"]

_used, _now = time.process_time, time.monotonic
_SHARE = 2  # no cell takes more than half of what is left, so that something is left for each
_CRUMB = 0.05  # seconds that there are for each all the same: a definition takes less
_DEBT = 0.25  # of the whole, as far as crumbs go
_BLINK = 1.0  # seconds on the wall that anything may take


class TooLong(BaseException):
    """Raised in code at its deadline; if it swallows that, it is killed a little later."""

    waited = False


class _Waited(TooLong):
    """It was not the processor that it took."""

    waited = True


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
        signal.signal(signal.SIGPROF, _too_long)
        signal.signal(signal.SIGALRM, _too_long)
        _set(seconds, max(_BLINK, seconds * self.patience))
        try:
            yield
        finally:
            _set(0, 0)
            self.left -= stopwatch.seconds()


def set_deadly(seconds: float, patience: float) -> None:
    """End this process if it takes too long until `off`; who blocks that is ended from outside."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    _set(seconds, max(_BLINK, seconds * patience))


def off() -> None:
    """What has to be done in time is done."""
    _set(0, 0)


def _set(seconds: float, wall: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, wall)


def _too_long(number: int, _frame: object) -> None:
    raise _Waited if number == signal.SIGALRM else TooLong
