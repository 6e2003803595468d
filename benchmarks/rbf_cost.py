"""Time interpolation and its cheaper relatives for growing n, and write the table that chapter 7 plots.

    python benchmarks/rbf_cost.py                       # prints the table
    python benchmarks/rbf_cost.py --write notebooks/data/ch07a_cost.csv

Heights of real mountains at random places. One BLAS thread; seconds of the processor, the least of several runs. The
chapter reads growth off the table, not speed.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import time
from collections.abc import Callable

import _table
import numpy as np
from scipy.interpolate import RBFInterpolator as SciPyRBF

from kcourse.datasets import load_terrain
from kcourse.kernels import Gaussian, Multiquadric
from kcourse.rbf import GeneralizedRBF, RBFInterpolator, RegularizationNetwork

SIZES = (250, 500, 1000, 2000, 4000, 8000)
BELLS, QUERIES = 100, 1000
LAND = load_terrain()


def seconds(call: Callable[[], object], runs: int) -> float:
    """Least processor time of ``runs`` calls after one that is not counted."""
    return min(_table.times(call, runs, time.process_time))


def row(n: int) -> tuple[float, ...]:
    i = np.random.default_rng(n).choice(len(LAND.y), n + QUERIES, replace=False)
    X, y, new = LAND.X[i[:n]], LAND.y[i[:n]] - 500.0, LAND.X[i[n:]]
    runs = 5 if n <= 2000 else 2
    return (
        n,
        seconds(lambda: RBFInterpolator(Multiquadric(0.1), degree=0).fit(X, y), runs),
        seconds(lambda: RegularizationNetwork(Gaussian(1.5), lam=0.3).fit(X, y), runs),
        seconds(lambda: GeneralizedRBF(Gaussian(3.0), centers=BELLS, lam=0.1).fit(X, y), runs),
        seconds(lambda: SciPyRBF(X, y, kernel="multiquadric", epsilon=10.0)(new[:1]), runs),
        seconds(lambda: SciPyRBF(X, y, kernel="multiquadric", epsilon=10.0, neighbors=50)(new), runs),
    )


if __name__ == "__main__":
    columns = f"n,interpolate,ridge,bells_{BELLS},scipy,scipy_50"
    _table.main(__doc__, "rbf_cost.py", "least processor seconds, d = 2; ", columns, map(row, SIZES))
