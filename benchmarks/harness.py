"""How a comparison is made: in one process, turn by turn, one thread, medians.

A file ``bench_<part>.py`` has a function ``rows()`` that yields `Row`, `Growth` and `Limit` objects. Ratios are
claims about an algorithm on the machine that is named beside them, times would be claims about the machine; so the
table has ratios, sizes and exponents only.
"""

from __future__ import annotations

import gc
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Growth", "Limit", "Row", "peak_megabytes"]

_SAMPLE = 0.02  # seconds that one sample should last: shorter calls are repeated within it


@dataclass(frozen=True)
class Row:
    """``ours`` against ``theirs`` on the same data.

    Attributes
    ----------
    task, peer : str
        what is done, with its sizes; what it is compared with.
    bar : float or None
        the ratio that is promised, None for "no promise".
    ours, theirs : functions of the data
        called as ``ours(data)``; without ``setup`` as ``ours()``.
    setup : function or None
        makes the data; not timed.
    runs : int
        samples of each; their median counts.
    memory : int
        MB that the larger of the two needs, if that is much. They are touched before each sample: on a virtual machine
        the first touch of memory that the host had taken back costs more than what is to be measured.
    """

    task: str
    peer: str
    bar: float | None
    ours: Callable
    theirs: Callable
    setup: Callable[[], Any] | None = None
    runs: int = 7
    memory: int = 0

    def measure(self) -> tuple[str, bool]:
        """Return "ratio (spread)" and whether the bar is met."""
        ours, theirs = _bound(self.ours, self.theirs, setup=self.setup)
        ratios = paired_ratios(ours, theirs, self.runs, self.memory)
        ratio = statistics.median(ratios)
        return f"{ratio:.2g} ({min(ratios):.2g}–{max(ratios):.2g})", self.bar is None or ratio <= self.bar

    @property
    def promise(self) -> str:
        return "" if self.bar is None else f"≤ {self.bar:g}"


@dataclass(frozen=True)
class Growth:
    """How the time of ``run(data)`` grows with n: the exponent of the straight line through log time over log n."""

    task: str
    sizes: Sequence[int]
    setup: Callable[[int], Any]
    run: Callable[[Any], Any]
    expected: str = ""
    runs: int = 5
    peer: str = "itself"

    def measure(self) -> tuple[str, bool]:
        """Return "n^exponent"; there is no bar."""
        times = []
        for n in self.sizes:
            data = self.setup(n)
            self.run(data)
            times.append(statistics.median(_sample(lambda data=data: self.run(data), 1) for _ in range(self.runs)))
        slope = np.polyfit(np.log(self.sizes), np.log(times), 1)[0]
        return f"n^{slope:.2f} (n = {min(self.sizes)}…{max(self.sizes)})", True

    @property
    def promise(self) -> str:
        return self.expected


@dataclass(frozen=True)
class Limit:
    """A quantity that is not a ratio, such as memory: ``measure_value()`` is at most ``at_most`` ``unit``."""

    task: str
    unit: str
    at_most: float
    measure_value: Callable[[], float]
    peer: str = "none"

    def measure(self) -> tuple[str, bool]:
        """Return the value with its unit, and whether it is within the limit."""
        value = self.measure_value()
        return f"{value:.3g} {self.unit}", value <= self.at_most

    @property
    def promise(self) -> str:
        return f"≤ {self.at_most:g} {self.unit}"


def paired_ratios(ours: Callable[[], Any], theirs: Callable[[], Any], runs: int, memory: int = 0) -> list[float]:
    """Time both ``runs`` times, turn by turn and who is first by turns, and return the ratio of each turn."""
    number = [max(1, math.ceil(_SAMPLE / max(_sample(call, 1), 1e-7))) for call in (ours, theirs)]  # warms up, too
    ratios = []
    gc.collect()
    gc.disable()
    try:
        for turn in range(runs):
            seconds = {}
            for who in (1, 0) if turn % 2 else (0, 1):
                np.ones(memory * 125_000)
                seconds[who] = _sample((ours, theirs)[who], number[who])
            ratios.append(seconds[0] / seconds[1])
    finally:
        gc.enable()
    return ratios


def _sample(call: Callable[[], Any], number: int) -> float:
    """Seconds of one call, from ``number`` of them."""
    start = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - start) / number


def _bound(*calls: Callable, setup: Callable[[], Any] | None) -> list[Callable[[], Any]]:
    if setup is None:
        return list(calls)
    data = setup()
    return [lambda call=call: call(data) for call in calls]


def peak_megabytes(setup: str, statement: str) -> float:
    """How far ``statement`` raises the peak memory of a fresh Python above where ``setup`` left it, in MB (Linux).

    ``setup`` must not itself have a higher peak than what it keeps: fill arrays in place.
    """
    program = "\n".join(
        [
            "import re",
            # not ru_maxrss, which a process inherits from the one that started it
            "def peak(): return int(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1]) / 1e3",
            setup,
            "before = peak()",
            statement,
            "print(peak() - before)",
        ]
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the measured program failed:\n{done.stderr}")
    return float(done.stdout.split()[-1])
