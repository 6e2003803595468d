"""Time the parts of kernel ridge regression for growing n, and write the table that chapter 3 plots.

    python benchmarks/krr_cost.py                       # prints the table
    python benchmarks/krr_cost.py --write notebooks/data/ch03_cost.csv

One BLAS thread; for each n the median of several runs. The chapter reads growth off the table, not speed.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import statistics
import time
from collections.abc import Callable

import _table
import numpy as np

from kcourse import Gaussian
from kcourse.base.cholesky import cho_solve, cho_with_ridge

SIZES = (500, 707, 1000, 1414, 2000, 2828, 4000)
D, QUERIES, LAM = 10, 500, 0.1


def seconds(call: Callable[[], object], runs: int) -> float:
    """Median wall time of ``runs`` calls after one that is not counted."""
    return statistics.median(_table.times(call, runs, time.perf_counter))


def row(n: int) -> tuple[float, ...]:
    rng = np.random.default_rng(n)
    X, Xq, y = rng.normal(size=(n, D)), rng.normal(size=(QUERIES, D)), rng.normal(size=n)
    kernel = Gaussian(sigma=3.0)
    K = kernel(X)
    runs = 9 if n <= 1500 else 5
    L = cho_with_ridge(K.copy(), LAM)
    alpha = cho_solve(L, y)
    copying = seconds(lambda: K.copy(), runs)
    return (
        n,
        seconds(lambda: kernel(X), runs),
        seconds(lambda: cho_with_ridge(K.copy(), LAM), runs) - copying,
        seconds(lambda: cho_solve(L, y), runs),
        seconds(lambda: kernel(Xq, X) @ alpha, runs),
    )


if __name__ == "__main__":
    columns = f"n,gram,factor,solve,predict_{QUERIES}"
    _table.main(__doc__, "krr_cost.py", f"medians in seconds, d = {D}; ", columns, map(row, SIZES))
