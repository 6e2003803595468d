"""Time one value of the spectrum kernel for growing strings, and write the table that chapter 9 plots.

    python benchmarks/string_cost.py                       # prints the table
    python benchmarks/string_cost.py --write notebooks/data/ch09_cost.csv

One BLAS thread; for each length the median of several runs, in seconds of the processor: with a dictionary of the
k-mers that occur, and by comparing every window of one string with every window of the other, both in Python.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import statistics
import time
from collections import Counter

import _table
import numpy as np

from kcourse.strings import Spectrum

LENGTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096)
K, LETTERS = 3, list("ACDEFGHIKLMNPQRSTVWY")


def by_table(x: str, z: str) -> int:
    """Σ_s N_s(x) N_s(z) over the k-mers that occur in x."""
    N, M = (Counter(s[i : i + K] for i in range(len(s) - K + 1)) for s in (x, z))
    return sum(n * M[s] for s, n in N.items())


def by_windows(x: str, z: str) -> int:
    """The number of pairs of equal windows."""
    return sum(x[i : i + K] == z[j : j + K] for i in range(len(x) - K + 1) for j in range(len(z) - K + 1))


def row(length: int) -> tuple[float, ...]:
    rng = np.random.default_rng(length)
    x, z = ("".join(rng.choice(LETTERS, length)) for _ in range(2))
    assert by_table(x, z) == by_windows(x, z) == Spectrum(K)([x], [z])[0, 0]
    runs = 9 if length < 1000 else 3
    ways = (lambda: by_table(x, z)), (lambda: by_windows(x, z))
    return (length, *(statistics.median(_table.times(way, runs, time.process_time)) for way in ways))


if __name__ == "__main__":
    columns = "letters,table,windows"
    _table.main(__doc__, "string_cost.py", "medians in seconds of the processor, k = 3; ", columns, map(row, LENGTHS))
