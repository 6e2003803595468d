"""Error, time and memory of maps of 100 000 heights and more, for the figures of chapter 10.

Times are processor seconds; memory is the increase of the peak of a new Python process during the fit (Linux). The
widths of the Gaussians are selected at locations that are neither training nor test data. A flight consists of
readings of an altimeter with an error of 100 m each, generated block by block and never stored.
"""

from __future__ import annotations

import functools
import pickle
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.interpolate import BSpline, LinearNDInterpolator
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve
from scipy.spatial import cKDTree

from benchmarks.harness import peak_megabytes
from kcourse import Gaussian, KernelRidge, NystromRidge
from kcourse.datasets import load_terrain
from measured import Row, table
from measured.common import least

BELLS, ALONE = (100, 200, 400, 800, 1600), (100, 200, 400, 800, 1600, 3200, 6400)
LAM, M, NOISE = 0.1, 500, 100.0
WIDTHS = (0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4, 3.0)
IMPORTED = (
    f"import sys\nsys.path.insert(0, {str(Path(__file__).resolve().parents[1])!r})\nfrom measured.maps import *\n"
)


@functools.cache
def land() -> tuple[np.ndarray, ...]:
    """Return X, y, and the row numbers for training, selection and testing."""
    X, y = load_terrain(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    return X, y, order[:100_000], order[100_000:105_000], order[105_000:]


def off(model: NystromRidge | KernelRidge, at: np.ndarray, level: float) -> float:
    """Return the RMSE at the rows ``at``, in metres."""
    X, y, *_ = land()
    return float(np.sqrt(np.mean((model.predict(X[at]) + level - y[at]) ** 2)))


def map_of(m: int, alone: bool, width: float, at: np.ndarray) -> NystromRidge | KernelRidge:
    """Fit Gaussians at the first m locations to the heights at ``at``, or if ``alone`` only to their own heights."""
    X, y, learn, *_ = land()
    level, Z = y[learn].mean(), X[learn[:m]]
    if alone:
        return KernelRidge(Gaussian(width), lam=LAM).fit(Z, y[learn[:m]] - level)
    return NystromRidge(Gaussian(width), landmarks=Z, lam=LAM).fit(X[at], y[at] - level)


@table("maps of 100 000 heights: error in m, seconds of the processor, megabytes",
       over=(*((0, m) for m in BELLS), *((1, m) for m in ALONE)), of="maps", timed=True)  # fmt: skip
def ch10_bells(draw: tuple[int, int]) -> Row:
    """Measure each map at its best width."""
    alone, m = bool(draw[0]), draw[1]
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    width = min(WIDTHS, key=lambda s: off(map_of(m, alone, s, learn[:10_000]), choose, level))
    with tempfile.TemporaryDirectory() as folder:
        rows = learn[:m] if alone else learn
        for name, array in (("X", X[rows]), ("y", y[rows] - level), ("Z", X[learn[:m]])):
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
    return {
        "alone": alone,
        "m": m,
        "width": width,
        "error": off(map_of(m, alone, width, learn), test, level),
        "seconds": least(lambda: map_of(m, alone, width, learn), 3),
        "megabytes": memory,
    }


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


@table("500 bells, readings off by 100 m: seconds of the processor, megabytes, error in m",
       over=(10_000, 31_623, 100_000, 316_228, 1_000_000), of="numbers of readings", timed=True)  # fmt: skip
def ch10_rows(n: int) -> Row:
    """Compare m streamed Gaussians, the mean of the nearest readings, and an exact fit of the first 6400 readings."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    rows, heights = map(np.concatenate, zip(*readings(n), strict=True))
    tree = cKDTree(rows)

    def nearest(k: int, at: np.ndarray) -> float:
        near = heights[tree.query(X[at[:5000]], k)[1]].mean(axis=1) + level
        return float(np.sqrt(np.mean((near - y[at[:5000]]) ** 2)))

    best = min((10, 30, 100, 300), key=lambda k: nearest(k, choose))
    exact = KernelRidge(Gaussian(0.85), lam=1.0).fit(rows[:6400], heights[:6400])
    return {
        "n": n,
        "seconds": least(lambda: streamed(n), 1),
        "megabytes": peak_megabytes(f"{IMPORTED}land()\nstreamed(20_000, 10)", f"streamed({n})"),
        "error": off(streamed(n), test, level),
        "neighbours": best,
        "error_neighbours": nearest(best, test),
        "error_6400": off(exact, test, level),
    }


@table("6400 readings, off by 100 m each, and an exact fit of them alone: error in m",
       over=(0.5, 0.6, 0.7, 0.85, 1.0), of="widths", slow=True)  # fmt: skip
def ch10_alone(width: float) -> Row:
    """Measure the error on the selection rows and on the test rows."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    rows, heights = next(readings(10_000))
    exact = KernelRidge(Gaussian(width), lam=1.0).fit(rows[:6400], heights[:6400])
    return {"width": width, "where it is chosen": off(exact, choose, level), "error": off(exact, test, level)}


@table("1600 bells that hear 100 000 readings, off by 100 m each: error in m",
       over=(0.6, 0.7, 0.85, 1.0), of="widths", slow=True)  # fmt: skip
def ch10_heard(width: float) -> Row:
    """Measure the error on the selection rows and on the test rows."""
    X, y, learn, choose, test = land()
    level = y[learn].mean()
    model = NystromRidge(Gaussian(width), landmarks=X[learn[:1600]], lam=1.0)
    model.fit(functools.partial(readings, 100_000))
    return {"width": width, "where it is chosen": off(model, choose, level), "error": off(model, test, level)}


def splines(P: np.ndarray, k: int, over: np.ndarray) -> csr_matrix:
    """Return k times k cubic B-splines at the points P, on a grid over the range of ``over``: a row for each point."""
    ends = zip(P.T, over.min(axis=0), over.max(axis=0), strict=True)
    A, B = (BSpline.design_matrix(p, np.r_[[a] * 3, np.linspace(a, b, k - 2), [b] * 3], 3) for p, a, b in ends)
    values = A.data.reshape(-1, 4, 1) * B.data.reshape(-1, 1, 4)
    at = k * A.indices.reshape(-1, 4, 1) + B.indices.reshape(-1, 1, 4)
    return csr_matrix((values.ravel(), at.ravel(), np.arange(0, values.size + 1, 16)), shape=(len(P), k * k))


def lot_of_places(draw: int) -> tuple[np.ndarray, ...]:
    """Draw at random 100 000 rows for training, 5000 for selection and 5000 for testing."""
    order = np.random.default_rng(draw).permutation(len(land()[1]))
    return order[:100_000], order[100_000:105_000], order[105_000:110_000]


@table("maps of 100 000 heights without bells, at 5000 other places: error in m", draws=20, of="lots of places")
def ch10_near(draw: int) -> Row:
    """Measure triangles through all heights, the mean of the nearest heights with its tree in megabytes, and splines.

    The number of neighbours is selected on 5000 other locations. The splines are fitted by least squares on a grid of
    69 times 69, which is fewer numbers than 1600 Gaussians with their centres.
    """
    X, y, *_ = land()
    learn, choose, at = lot_of_places(draw)
    level, tree = y[learn].mean(), cKDTree(X[learn])

    def nearest(k: int, where: np.ndarray) -> np.ndarray:
        return y[learn[tree.query(X[where], k)[1]]].mean(axis=1)

    k = min(range(2, 9), key=lambda k: np.mean((nearest(k, choose) - y[choose]) ** 2))
    maps = {
        "triangles": LinearNDInterpolator(X[learn], y[learn] - level, fill_value=0.0)(X[at]) + level,
        "nearest": nearest(k, at),
    }
    F = splines(X[learn], 69, X)
    w = spsolve((F.T @ F + 1e-3 * identity(69**2)).tocsc(), F.T @ (y[learn] - level))
    maps["splines"] = splines(X[at], 69, X) @ w + level
    row = {name: float(np.sqrt(np.mean((f - y[at]) ** 2))) for name, f in maps.items()}
    return row | {"neighbours": k, "megabytes": (len(pickle.dumps(tree, protocol=5)) + y[learn].nbytes) / 1e6}


@table("the same maps without bells, built, and asked at 33 632 places: seconds of the processor",
       over=(0,), of="lots of places", timed=True)  # fmt: skip
def ch10_near_seconds(draw: int) -> Row:
    """Time building and predicting in one thread, and the predictions of 6400 Gaussians (their fit: ch10_bells)."""
    X, y, learn, _, test = land()
    level = y[learn].mean()

    def spline() -> np.ndarray:
        F = splines(X[learn], 69, X)
        w = spsolve((F.T @ F + 1e-3 * identity(69**2)).tocsc(), F.T @ (y[learn] - level))
        return splines(X[test], 69, X) @ w + level

    bells = map_of(6400, True, 0.4, learn)
    return {
        "four nearest": least(lambda: y[learn[cKDTree(X[learn]).query(X[test], 4)[1]]].mean(axis=1), 5),
        "triangles built": least(lambda: LinearNDInterpolator(X[learn], y[learn]), 3),
        "triangles": least(lambda: LinearNDInterpolator(X[learn], y[learn])(X[test]), 3),
        "splines": least(spline, 3),
        "answers of 6400 bells": least(lambda: bells.predict(X[test]), 1),
    }
