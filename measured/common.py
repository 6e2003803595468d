"""What several chapters measure with."""

from __future__ import annotations

import time
from collections.abc import Callable


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
