"""Functions shared by the measurements of several chapters."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

# Ripley's two classes: the centres of two bells of class 0, then two of class 1, and the width of each (variance 0.03)
RIPLEY, WIDTH = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]]), np.sqrt(0.03)


def ripley(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw n points of Ripley's mixture, (n, 2), and their classes, 0 or 1."""
    bell = rng.integers(4, size=n)
    return RIPLEY[bell] + WIDTH * rng.standard_normal((n, 2)), bell // 2


def times(call: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> list[float]:
    """Return the times in seconds of ``runs`` calls, by processor time or another clock, after one uncounted call."""
    found = []
    for _ in range(runs + 1):
        start = clock()
        call()
        found.append(clock() - start)
    return found[1:]


def least(call: Callable[[], object], runs: int) -> float:
    """Return the smallest processor time of ``runs`` calls, in seconds."""
    return min(times(call, runs))
