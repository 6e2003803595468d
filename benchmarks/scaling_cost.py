"""Error, time and memory of maps of 100 000 heights and more, and write the tables that chapter 10 plots.

    python benchmarks/scaling_cost.py                       # prints the table of bells
    python benchmarks/scaling_cost.py --write notebooks/data/ch10_bells.csv
    python benchmarks/scaling_cost.py --rows --write notebooks/data/ch10_rows.csv     # up to a million, with a bar

One BLAS thread; seconds of the processor; memory is how far a fresh Python's peak rises during the fit (Linux). The
bells' widths are chosen on places that are neither learnt from nor tested on. A row of the second table is a flight:
readings of an altimeter that is off by 100 m each time, made block by block and never stored.
"""

from __future__ import annotations

import os
import sys

from kcourse import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import functools
import time
from collections.abc import Callable, Iterable, Iterator

import _table
import numpy as np
from harness import peak_megabytes
from scipy.spatial import cKDTree

from kcourse import Gaussian, KernelRidge, NystromRidge
from kcourse.datasets import load_terrain

BELLS, ROWS = (100, 200, 400, 800, 1600), (10_000, 31_623, 100_000, 316_228, 1_000_000)
LAM, M, NOISE = 0.1, 500, 100.0
WIDTHS = (0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 3.0)


@functools.cache
def land() -> tuple[np.ndarray, ...]:
    """X, y, and the places to learn from, to choose with and to test on."""
    X, y = load_terrain(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X, y, order[:100_000], order[100_000:105_000], order[105_000:]


def seconds_of(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def off(model: NystromRidge | KernelRidge, at: np.ndarray, level: float) -> float:
    """Root mean square error at these places, in metres."""
    X, y, *_ = land()
    return float(np.sqrt(np.mean((model.predict(X[at]) + level - y[at]) ** 2)))


def bells(m: int) -> tuple[float, ...]:
    """The same m places: their bells asked for all heights, and for their own alone."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    few = learn[:10_000]

    def landmarks(sigma: float, at: np.ndarray) -> NystromRidge:
        return NystromRidge(Gaussian(sigma), landmarks=X[learn[:m]], lam=LAM).fit(X[at], y[at] - level)

    def alone(sigma: float) -> KernelRidge:
        return KernelRidge(Gaussian(sigma), lam=LAM).fit(X[learn[:m]], y[learn[:m]] - level)

    wide = min(WIDTHS, key=lambda s: off(landmarks(s, few), choose, level))
    own = min(WIDTHS, key=lambda s: off(alone(s), choose, level))
    model, subsample = landmarks(wide, learn), alone(own)
    fit = f"NystromRidge(Gaussian({wide}), landmarks=Z, lam={LAM}).fit(X, y)"
    setup = f"""
import numpy as np
from kcourse import Gaussian, NystromRidge
from kcourse.datasets import load_terrain
X, y = load_terrain(return_X_y=True)
order = np.random.default_rng(0).permutation(len(y))[:100_000]
X, y = X[order], y[order] - {level}
Z = X[:{m}].copy()
NystromRidge(Gaussian(1.0), landmarks=Z[:10], lam=1.0).fit(X[:5000], y[:5000])
"""
    return (
        m, wide, own, off(model, test, level), off(subsample, test, level),
        seconds_of(lambda: landmarks(wide, learn)), seconds_of(lambda: alone(own)), peak_megabytes(setup, fit),
    )  # fmt: skip


def readings(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """n readings in blocks, the same on each call."""
    X, y, learn, *_ = land()
    level = y[learn].mean()
    for i, start in enumerate(range(0, n, 10_000)):
        rng = np.random.default_rng([7, i])
        at = learn[rng.integers(len(learn), size=min(10_000, n - start))]
        yield X[at], y[at] - level + NOISE * rng.standard_normal(len(at))


def flight(n: int) -> tuple[float, ...]:
    """m bells, streamed; and the mean of the nearest readings, which keeps them all."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    model = NystromRidge(Gaussian(1.4), n_landmarks=M, lam=1.0, progress=True)
    spent = seconds_of(lambda: model.fit(functools.partial(readings, n)))
    setup = f"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
from scaling_cost import *
land()
fit = lambda n: NystromRidge(Gaussian(1.4), n_landmarks={M}, lam=1.0).fit(functools.partial(readings, n))
NystromRidge(Gaussian(1.4), n_landmarks=10, lam=1.0).fit(functools.partial(readings, 20_000))
"""
    memory = peak_megabytes(setup, f"fit({n})")
    rows, heights = map(np.concatenate, zip(*readings(n), strict=True))
    tree = cKDTree(rows)
    errors = {}
    for k in (10, 30, 100, 300):
        for at in (choose, test):
            near = heights[tree.query(X[at[:5000]], k)[1]].mean(axis=1) + level
            errors[k, at is test] = float(np.sqrt(np.mean((near - y[at[:5000]]) ** 2)))
    best = min((10, 30, 100, 300), key=lambda k: errors[k, False])
    return n, spent, memory, off(model, test, level), best, errors[best, True]


def table(sizes: Iterable[int], row: Callable[[int], tuple[float, ...]]) -> Iterator[tuple[float, ...]]:
    for size in sizes:
        yield row(size)


if __name__ == "__main__":
    if "--rows" in sys.argv:
        sys.argv.remove("--rows")
        what, columns, found = f"{M} bells, readings off by {NOISE:.0f} m; ", \
            "n,seconds,megabytes,error,neighbours,error_neighbours", table(ROWS, flight)  # fmt: skip
    else:
        what, columns, found = "n = 100000; ", \
            "m,width,width_alone,error,error_alone,seconds,seconds_alone,megabytes", table(BELLS, bells)  # fmt: skip
    _table.main(__doc__, "scaling_cost.py", what, columns, found)
