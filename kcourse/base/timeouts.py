"""Measure the speed of this computer, to scale time limits.

A time limit is given for the computer on which it was measured. A slower computer gets proportionally more time.
"""

from __future__ import annotations

import time
from functools import cache

import numpy as np

__all__ = ["slowness"]

_USUAL = 0.020  # seconds of `_seconds` where the limits were measured: 0.62 of the 0.032 on slower cores
_LEAST, _MOST = 1.0, 4.0
_TIMES = 5


@cache
def slowness() -> float:
    """Return how much slower this computer is than the reference, as a factor from 1 to 4.

    It takes the smallest of five processor times, so that other programs have little effect.
    """
    return min(max(_LEAST, min(_seconds() for _ in range(_TIMES)) / _USUAL), _MOST)


def _seconds() -> float:
    """Return the processor time of a Python loop and a single-threaded NumPy computation, as in typical answers."""
    a, total = np.cos(np.arange(20_000.0)), 0
    start = time.process_time()
    for i in range(400_000):
        total += i * i % 7
    for _ in range(20):
        np.sort(np.exp(a))
    return time.process_time() - start
