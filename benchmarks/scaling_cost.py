"""Error, time and memory of maps of 100 000 heights and more, and write the tables that chapter 10 plots.

    python benchmarks/scaling_cost.py                       # prints the table of bells
    python benchmarks/scaling_cost.py --write notebooks/data/ch10_bells.csv
    python benchmarks/scaling_cost.py --rows --write notebooks/data/ch10_rows.csv     # up to a million, with a bar

One BLAS thread; least seconds of the processor; memory is how far a fresh Python's peak rises during the fit (Linux).
The bells' widths are chosen on places that are neither learnt from nor tested on. A row of the second table is a
flight: readings of an altimeter that is off by 100 m each time, made block by block and never stored.
"""

from __future__ import annotations

import os
import sys

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import functools
import tempfile
import time
from collections.abc import Callable, Iterator

import _table
import numpy as np
from harness import peak_megabytes
from scipy.spatial import cKDTree

from kcourse import Gaussian, KernelRidge, NystromRidge
from kcourse.datasets import load_terrain

BELLS, ALONE, ROWS = (
    (100, 200, 400, 800, 1600),
    (100, 200, 400, 800, 1600, 3200, 6400),
    (10_000, 31_623, 100_000, 316_228, 1_000_000),
)
LAM, M, NOISE = 0.1, 500, 100.0
WIDTHS = (0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 3.0)


@functools.cache
def land() -> tuple[np.ndarray, ...]:
    """X, y, and the places to learn from, to choose with and to test on."""
    X, y = load_terrain(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X, y, order[:100_000], order[100_000:105_000], order[105_000:]


def seconds_of(call: Callable[[], object], runs: int = 3) -> float:
    """Least processor time of these calls, after one that is not counted."""
    return min(_table.times(call, runs, time.process_time))


def off(model: NystromRidge | KernelRidge, at: np.ndarray, level: float) -> float:
    """Root mean square error at these places, in metres."""
    X, y, *_ = land()
    return float(np.sqrt(np.mean((model.predict(X[at]) + level - y[at]) ** 2)))


def bells(task: tuple[int, bool]) -> tuple[float, ...]:
    """A map of m bells on the same m places, asked for all heights, or (alone) for their own only."""
    X, y, learn, choose, test = land()
    m, alone = task
    level, Z = y[learn].mean(), X[learn[:m]]

    def fit(sigma: float, at: np.ndarray) -> NystromRidge | KernelRidge:
        if alone:
            return KernelRidge(Gaussian(sigma), lam=LAM).fit(Z, y[learn[:m]] - level)
        return NystromRidge(Gaussian(sigma), landmarks=Z, lam=LAM).fit(X[at], y[at] - level)

    width = min(WIDTHS, key=lambda s: off(fit(s, learn[:10_000]), choose, level))
    model = fit(width, learn)
    spent = seconds_of(lambda: fit(width, learn))
    with tempfile.TemporaryDirectory() as folder:
        rows = learn[:m] if alone else learn
        for name, array in (("X", X[rows]), ("y", y[rows] - level), ("Z", Z)):
            np.save(f"{folder}/{name}.npy", array)
        setup = f"""
import numpy as np
from kcourse import Gaussian, KernelRidge, NystromRidge
Z = np.load({folder!r} + "/Z.npy")
NystromRidge(Gaussian(1.0), landmarks=Z[:10], lam=1.0).fit(Z, Z[:, 0])
KernelRidge(Gaussian(1.0), lam=1.0).fit(Z[:10], Z[:10, 0])
y = np.load({folder!r} + "/y.npy")
"""
        how = (
            f"KernelRidge(Gaussian({width}), lam={LAM}).fit(Z, y)" if alone
            else f"NystromRidge(Gaussian({width}), landmarks=Z, lam={LAM}).fit({folder!r} + '/X.npy', y)"
        )  # fmt: skip
        memory = peak_megabytes(setup, how)
    return int(alone), m, width, off(model, test, level), spent, memory


def readings(n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """n readings in blocks, the same on each call."""
    X, y, learn, *_ = land()
    level = y[learn].mean()
    for i, start in enumerate(range(0, n, 10_000)):
        rng = np.random.default_rng([7, i])
        at = learn[rng.integers(len(learn), size=min(10_000, n - start))]
        yield X[at], y[at] - level + NOISE * rng.standard_normal(len(at))


def flight(n: int) -> tuple[float, ...]:
    """m bells, streamed; the mean of the nearest readings, which keeps them all; an exact fit of the first 6400."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    model = NystromRidge(Gaussian(1.4), n_landmarks=M, lam=1.0, progress=True)
    spent = seconds_of(lambda: model.fit(functools.partial(readings, n)), runs=1)
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
    alone = KernelRidge(Gaussian(0.85), lam=1.0).fit(rows[:6400], heights[:6400])
    return n, spent, memory, off(model, test, level), best, errors[best, True], off(alone, test, level)


if __name__ == "__main__":
    if "--rows" in sys.argv:
        sys.argv.remove("--rows")
        what, columns, found = f"{M} bells, readings off by {NOISE:.0f} m; ", \
            "n,seconds,megabytes,error,neighbours,error_neighbours,error_6400", map(flight, ROWS)  # fmt: skip
    else:
        what, columns, found = "n = 100000; ", \
            "alone,m,width,error,seconds,megabytes", \
            map(bells, [*((m, False) for m in BELLS), *((m, True) for m in ALONE)])  # fmt: skip
    _table.main(__doc__, "scaling_cost.py", what, columns, found)
