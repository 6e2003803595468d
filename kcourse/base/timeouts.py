"""How fast this machine is, for limits of time that are fair on any.

A limit says what is too long on the machine on which it was found. A slower one gives as much more.
"""

from __future__ import annotations

import time
from functools import cache

import numpy as np

__all__ = ["slowness"]

_USUAL = 0.020  # seconds of the piece of work where limits were found: 0.62 of the 0.032 of slower cores
_LEAST, _MOST = 1.0, 4.0
_TIMES = 5


@cache
def slowness() -> float:
    """Return how many times as long as there a fixed piece of work takes here: from 1 to 4.

    Of the processor's time, so that what else the machine does counts little, and the least of five.
    """
    return min(max(_LEAST, min(_seconds() for _ in range(_TIMES)) / _USUAL), _MOST)


def _seconds() -> float:
    """A loop of Python's, and of NumPy what one thread does: what answers are made of."""
    a, total = np.cos(np.arange(20_000.0)), 0
    start = time.process_time()
    for i in range(400_000):
        total += i * i % 7
    for _ in range(20):
        np.sort(np.exp(a))
    return time.process_time() - start
