"""The end of what takes too long, from within: a process asks the kernel to wake it.

Code that is called can switch this off; whoever started it is patient a little longer, and then ends it from outside.
This file is copied into the sandbox and needs the standard library alone.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

__all__ = ["TooLong", "within"]


class TooLong(BaseException):
    """Raised in code at its deadline; if it swallows that, it is killed a little later."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the body if it is not done after that time."""
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(*_: object) -> None:
    raise TooLong
