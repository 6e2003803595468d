"""Measurements for chapter 7a: which basis functions interpolate terrain well, fewer of them than heights, and costs.

All surveys are of one terrain, so the standard errors do not describe other mountains. The widths of all basis
functions are selected from eight by the leave-one-out errors (4), and so are width and factor of an added wide one.
With 20 000 training heights, 2000 more select all settings. The chapter uses the growth of times, not the speed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.interpolate import CloughTocher2DInterpolator, NearestNDInterpolator
from scipy.interpolate import RBFInterpolator as SciPyRBF
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from kcourse.datasets import load_terrain
from kcourse.kernels import Gaussian, InverseMultiquadric, Laplacian, Multiquadric
from kcourse.rbf import GeneralizedRBF, RBFInterpolator, RegularizationNetwork
from measured import Claim, Row, table
from measured.common import least

Array = np.ndarray
BELLS, QUERIES = 100, 1000
mountains = cache(load_terrain)


@table("least seconds of the processor, d = 2", over=(250, 500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
def ch07a_cost(n: int) -> Row:
    land = load_terrain()
    i = np.random.default_rng(n).choice(len(land.y), n + QUERIES, replace=False)
    X, y, new = land.X[i[:n]], land.y[i[:n]] - 500.0, land.X[i[n:]]
    runs = 5 if n <= 2000 else 2
    return {
        "n": n,
        "interpolate": least(lambda: RBFInterpolator(Multiquadric(0.1), degree=0).fit(X, y), runs),
        "ridge": least(lambda: RegularizationNetwork(Gaussian(1.5), lam=0.3).fit(X, y), runs),
        f"bells_{BELLS}": least(lambda: GeneralizedRBF(Gaussian(3.0), centers=BELLS, lam=0.1).fit(X, y), runs),
        "scipy": least(lambda: SciPyRBF(X, y, kernel="multiquadric", epsilon=10.0)(new[:1]), runs),
        "scipy_50": least(lambda: SciPyRBF(X, y, kernel="multiquadric", epsilon=10.0, neighbors=50)(new), runs),
    }


# ---------------------------------------------------------------- which basis functions draw mountains?

WIDTHS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
PENALTIES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
MIXTURES = [(factor, sigma) for factor in (1, 4, 16) for sigma in (3, 5, 8)]


def with_a_wide_one(factor: float, sigma: float) -> Callable:
    return lambda width: Gaussian(width) + factor * Gaussian(sigma)


def solved(kernel: Any, X: Array, y: Array, lam: float = 0.0) -> tuple[float, Array]:
    """The mean square of the left-out errors (4), and the solution of (3) with a constant."""
    n, one = len(y), np.ones((len(y), 1))
    A = np.block([[kernel(X) + lam * np.eye(n), one], [one.T, np.zeros((1, 1))]])
    inverse = np.linalg.inv(A)
    solution = inverse[:, :n] @ y
    return float(np.mean((solution[:n] / np.diag(inverse)[:n]) ** 2)), solution


def rms(error: Array) -> float:
    return float(np.sqrt(np.mean(error**2)))


def natural(X: Array, y: Array, new: Array) -> Array:
    """Natural neighbours (Sibson): the mean of the spots from which a new location takes area, weighted by that area.

    Area is counted in points of a grid; at least the one at the new location itself counts for its nearest spot.
    """
    tree, cells, means = cKDTree(X), mountains().X[::3], []
    far, j = tree.query(cells)
    nearest = y[tree.query(new)[1]]
    for at, own in zip(np.array_split(new, 50), np.array_split(nearest, 50), strict=True):
        taken = (cdist(at, cells) < far).astype(float)
        means.append((taken @ y[j] + own) / (taken.sum(axis=1) + 1))
    return np.concatenate(means)


@table("root mean square error (m) at 5000 new locations", 20, of="surveys of 400 spots", slow=True)
def ch07a_surveys(draw: int) -> Row:
    i = np.random.default_rng(draw).choice(len(mountains().y), 5400, replace=False)
    (X, new), (y, truth) = np.split(mountains().X[i], [400]), np.split(mountains().y[i], [400])
    row = {
        "nearest spot": rms(NearestNDInterpolator(X, y)(new) - truth),
        "natural neighbours": rms(natural(X, y, new) - truth),
    }

    def error_of(kernel: Any, solution: Array) -> float:
        return rms(kernel(new, X) @ solution[:-1] + solution[-1] - truth)

    def best_of(basis: Callable, widths: tuple[float, ...]) -> tuple[float, float, float]:
        """What (4) says of the width that it selects, the width, and its error elsewhere."""
        tried = {c: solved(basis(c), X, y) for c in widths}
        c = min(tried, key=lambda c: tried[c][0])
        return tried[c][0], c, error_of(basis(c), tried[c][1])

    _, row["width of Gaussian"], row["Gaussian"] = best_of(Gaussian, WIDTHS)
    each = {mixture: best_of(with_a_wide_one(*mixture), WIDTHS) for mixture in MIXTURES}
    mixture = min(each, key=lambda mixture: each[mixture][0])
    _, row["width of two Gaussians"], row["two Gaussians"] = each[mixture]
    menu = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
    _, row["width of inverse multiquadric"], row["inverse multiquadric"] = best_of(InverseMultiquadric, menu)
    menu = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)  # another mixture of Gaussians of all widths
    _, row["width of Laplacian"], row["Laplacian"] = best_of(Laplacian, menu)
    wide = {lam: solved(Gaussian(2.0), X, y, lam) for lam in (0.0, *PENALTIES)}
    lam = min(PENALTIES, key=lambda lam: wide[lam][0])
    row["σ = 2 km through"], row["σ = 2 km near"] = (error_of(Gaussian(2.0), wide[v][1]) for v in (0.0, lam))
    return row | {"selected λ": lam}


# ---------------------------------------------------------------- fewer basis functions than heights

SEEN, ASKED, NEW, LOUD = 20_000, 2000, 5000, 100.0
GRID = 34, 35  # nodes
SIGMAS, RIDGES = (0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0), tuple(10.0 ** np.arange(-5, 5))


def by_ridge(F: Array, Y: Array, F_asked: Array, asked: Array) -> list[tuple[float, float, Array]]:
    """For each column of heights: the error where λ was selected, λ, and the weights of the features."""
    values, V = np.linalg.eigh(F.T @ F)
    turned, found = V.T @ (F.T @ Y), []
    for column, heights in zip(turned.T, asked.T, strict=True):
        tried = [(lam, V @ (column / (np.maximum(values, 0) + lam))) for lam in RIDGES]
        found.append(min(((rms(F_asked @ w - heights), lam, w) for lam, w in tried), key=lambda each: each[:2]))
    return found


def centred_on(
    T: Array, X: Array, Y: Array, places: Array, asked: Array, new: Array
) -> list[tuple[Array, float, float]]:
    """Gaussians on centres T by (7), as ridge on the features of step 8: new heights, σ and λ, by column."""
    levels = Y.mean(axis=0)
    best: list[tuple] = [(np.inf,)] * Y.shape[1]
    for sigma in SIGMAS:
        kernel = Gaussian(sigma)
        values, V = np.linalg.eigh(kernel(T))
        kept = values > 1e-12 * values[-1]
        S = V[:, kept] / np.sqrt(values[kept])
        found = by_ridge(kernel(X, T) @ S, Y - levels, kernel(places, T) @ S, asked - levels)
        best = [min(old, (error, sigma, lam, S @ w)) for old, (error, lam, w) in zip(best, found, strict=True)]
    return [
        (Gaussian(sigma)(new, T) @ w + level, sigma, lam)
        for (_, sigma, lam, w), level in zip(best, levels, strict=True)
    ]


@table(
    "root mean square error (m) at 5000 new locations",
    10,
    of="draws of 20 000 locations, and 2000 that select",
    slow=True,
)
def ch07a_satellite(draw: int) -> Row:
    """Heights as they are, then with noise of 100 m, on those that select as well; the new locations have none."""
    rng = np.random.default_rng(draw)
    i = rng.choice(len(mountains().y), SEEN + ASKED + NEW, replace=False)
    X, places, new = np.split(mountains().X[i], [SEEN, SEEN + ASKED])
    true, noise = mountains().y[i], LOUD * rng.standard_normal(len(i))
    kinds = "", " in noise"
    Y, asked, _ = np.split(np.column_stack([true, true + noise]), [SEEN, SEEN + ASKED])
    axes = [np.linspace(low, high, m) for low, high, m in zip(X.min(axis=0), X.max(axis=0), GRID, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    row: Row = {}

    nets = {
        "400 centres 400 heights": (X[:400], 400),
        "400 centres 20000 heights": (X[:400], SEEN),
        "1190 centres 20000 heights": (X[: len(nodes)], SEEN),
        "1190 nodes 20000 heights": (nodes, SEEN),
    }
    maps: dict[str, Array] = {}
    for name, (T, n) in nets.items():
        found = centred_on(T, X[:n], Y[:n], places, asked, new)
        for what, (values, sigma, lam) in zip(kinds, found, strict=True):
            maps[name + what], row[f"σ of {name}{what}"], row[f"λ of {name}{what}"] = values, sigma, lam
    for what, y, heights in zip(kinds, Y.T, asked.T, strict=True):
        local = {}
        for c in (0.1, 0.4):
            for smoothing in (0.0, 1.0, 3.0, 10.0, 30.0):
                how = {"kernel": "multiquadric", "epsilon": 1 / c, "neighbors": 50, "smoothing": smoothing}
                surface = SciPyRBF(X, y, **how)
                local[c, smoothing] = rms(surface(places) - heights), surface
        best = min(local, key=lambda how: local[how][0])
        through = min((how for how in local if how[1] == 0), key=lambda how: local[how][0])
        maps[f"50 nearest{what}"], row[f"smoothing of 50 nearest{what}"] = local[best][1](new), best[1]
        maps[f"50 nearest through{what}"] = local[through][1](new)
        inside, nearest = CloughTocher2DInterpolator(X, y)(new), NearestNDInterpolator(X, y)(new)
        maps[f"curved triangles{what}"] = np.where(np.isnan(inside), nearest, inside)
    return row | {name: rms(values - true[SEEN + ASKED :]) for name, values in maps.items()}


CLAIMS = [
    Claim("second-width", ch07a_surveys, less="two Gaussians", than="Gaussian", holds=20, unit="m"),
    Claim("near", ch07a_surveys, less="σ = 2 km near", than="σ = 2 km through", holds=20, unit="m"),
    Claim("near-is-not-best", ch07a_surveys, less="inverse multiquadric", than="σ = 2 km near", holds=20, unit="m"),
    Claim(
        "more-heights",
        ch07a_satellite,
        less="400 centres 20000 heights",
        than="400 centres 400 heights",
        holds=10,
        unit="m",
    ),
    Claim("nearest", ch07a_satellite, less="50 nearest", than="1190 nodes 20000 heights", holds=10, unit="m"),
]
