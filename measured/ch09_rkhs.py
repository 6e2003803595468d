"""What one value of the spectrum kernel costs as strings grow, in plain Python.

With a dictionary of the k-mers that occur, and by comparing every window of one string with every window of the other.
"""

from __future__ import annotations

import statistics
from collections import Counter

import numpy as np

from kcourse.strings import Spectrum
from measured import Row, table
from measured.common import times

K, LETTERS = 3, list("ACDEFGHIKLMNPQRSTVWY")


def by_table(x: str, z: str) -> int:
    """Σ_s N_s(x) N_s(z) over the k-mers that occur in x."""
    N, M = (Counter(s[i : i + K] for i in range(len(s) - K + 1)) for s in (x, z))
    return sum(n * M[s] for s, n in N.items())


def by_windows(x: str, z: str) -> int:
    """The number of pairs of equal windows."""
    return sum(x[i : i + K] == z[j : j + K] for i in range(len(x) - K + 1) for j in range(len(z) - K + 1))


@table("median seconds of the processor, k = 3", over=(32, 64, 128, 256, 512, 1024, 2048, 4096), of="lengths",
       timed=True)  # fmt: skip
def ch09_cost(length: int) -> Row:
    rng = np.random.default_rng(length)
    x, z = ("".join(rng.choice(LETTERS, length)) for _ in range(2))
    assert by_table(x, z) == by_windows(x, z) == Spectrum(K)([x], [z])[0, 0]
    runs = 9 if length < 1000 else 3
    calls = {"table": lambda: by_table(x, z), "windows": lambda: by_windows(x, z)}
    return {"letters": length} | {name: statistics.median(times(call, runs)) for name, call in calls.items()}
