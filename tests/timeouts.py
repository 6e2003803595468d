"""How slow this machine is, so that every limit of time in the tests is fair on it.

A limit says what is too long on the machine on which it was found. Elsewhere everything may take longer, most of all
what makes files, and that is nobody's fault: `scaled` stretches the limit by what a piece of work takes here.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import tempfile
import time
from collections.abc import Iterator
from typing import Any

__all__ = ["SLOW", "SLOWNESS", "TooLong", "limited", "measured", "scaled", "slowness"]

SLOWNESS = "KCOURSE_SLOWNESS"  # measured once, before any test, and told to all workers
_USUAL = 0.045  # seconds: what it takes on slow cores (0.07) times 0.62, since the limits were found on quick ones
SLOW = 1 / 0.62  # of those slow cores, whose core-seconds tools/limits.toml limits


@functools.cache
def measured() -> float:
    """Seconds of a piece of work, computing and making files, over those where the limits were found: 1 to 4.

    Of the processor's time, so that what else the machine does counts little, and the least of five.
    """
    return min(max(1.0, min(_piece_of_work() for _ in range(5)) / _USUAL), 4.0)


def _piece_of_work() -> float:
    start, total = time.process_time(), 0
    for i in range(1_000_000):
        total += i * i % 7
    with tempfile.TemporaryDirectory() as folder:
        for i in range(300):
            os.mkdir(f"{folder}/{i}")
            with open(f"{folder}/{i}/file", "w") as file:
                file.write("x")
        return time.process_time() - start


def slowness() -> float:
    """What was measured before the tests, or what is measured now."""
    return float(os.environ.get(SLOWNESS) or measured())


def scaled(seconds: float) -> float:
    """A limit of so many seconds, on this machine."""
    return seconds * float(os.environ.get(SLOWNESS) or 1)


class TooLong(BaseException):
    """Raised in what has taken more of the processor than `limited` gave it."""


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Whatever takes more of the processor's time is stopped, where the system has such alarms."""

    def stop(*_: Any) -> None:
        raise TooLong

    if not hasattr(signal, "SIGPROF"):
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
