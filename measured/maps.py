"""Error, time and memory of maps of up to a million readings, for chapter 10.

Times are processor seconds; memory is the increase of the peak of a new Python process during the fit (Linux). A
flight consists of readings of an altimeter with an error of 100 m each, generated block by block and never stored.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.spatial import cKDTree

from benchmarks.harness import peak_megabytes
from kcourse import Gaussian, NystromRidge
from kcourse.datasets import load_terrain
from measured import Row, table
from measured.common import least

M, NOISE = 500, 100.0
IMPORTED = (
    f"import sys\nsys.path.insert(0, {str(Path(__file__).resolve().parents[1])!r})\nfrom measured.maps import *\n"
)


@functools.cache
def land() -> tuple[np.ndarray, ...]:
    """Return X, y, and the row numbers for training, selection and testing."""
    X, y = load_terrain(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X, y, order[:100_000], order[100_000:105_000], order[105_000:]


def off(model: NystromRidge, at: np.ndarray, level: float) -> float:
    """Return the RMSE at the rows ``at``, in metres."""
    X, y, *_ = land()
    return float(np.sqrt(np.mean((model.predict(X[at]) + level - y[at]) ** 2)))


def readings(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield n readings in blocks, the same on each call."""
    X, y, learn, *_ = land()
    level = y[learn].mean()
    for i, start in enumerate(range(0, n, 10_000)):
        rng = np.random.default_rng([7, i])
        at = learn[rng.integers(len(learn), size=min(10_000, n - start))]
        yield X[at], y[at] - level + NOISE * rng.standard_normal(len(at))


def streamed(n: int, m: int = M) -> NystromRidge:
    return NystromRidge(Gaussian(1.4), n_landmarks=m, lam=1.0).fit(functools.partial(readings, n))


@table("500 Gaussians, readings off by 100 m: seconds of the processor, megabytes, error in m",
       over=(10_000, 31_623, 100_000, 316_228, 1_000_000), of="numbers of readings", timed=True)  # fmt: skip
def ch10_rows(n: int) -> Row:
    """Compare m streamed Gaussians with the mean of the nearest readings."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    rows, heights = map(np.concatenate, zip(*readings(n), strict=True))
    tree = cKDTree(rows)

    def nearest(k: int, at: np.ndarray) -> float:
        near = heights[tree.query(X[at[:5000]], k)[1]].mean(axis=1) + level
        return float(np.sqrt(np.mean((near - y[at[:5000]]) ** 2)))

    best = min((10, 30, 100, 300), key=lambda k: nearest(k, choose))
    return {
        "n": n,
        "seconds": least(lambda: streamed(n), 1),
        "megabytes": peak_megabytes(f"{IMPORTED}land()\nstreamed(20_000, 10)", f"streamed({n})"),
        "error": off(streamed(n), test, level),
        "neighbours": best,
        "error_neighbours": nearest(best, test),
    }
