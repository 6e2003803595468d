"""What several chapters measure with."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

# Ripley's two classes: the centres of two bells of class 0, then two of class 1, and the width of each (variance 0.03)
RIPLEY, WIDTH = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]]), np.sqrt(0.03)


def ripley(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Points of that mixture, (n, 2), and their classes, 0 or 1."""
    bell = rng.integers(4, size=n)
    return RIPLEY[bell] + WIDTH * rng.standard_normal((n, 2)), bell // 2


def times(call: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> list[float]:
    """Seconds that ``runs`` calls take, of the processor or by another clock, after one call that is not counted."""
    found = []
    for _ in range(runs + 1):
        start = clock()
        call()
        found.append(clock() - start)
    return found[1:]


def least(call: Callable[[], object], runs: int) -> float:
    """The least processor time of ``runs`` calls."""
    return min(times(call, runs))
