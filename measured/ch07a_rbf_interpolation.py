"""Measurements for chapter 7a: which basis functions interpolate terrain well, where to measure next, and costs.

All surveys are of one terrain, so the standard errors do not describe other mountains. The widths of all basis
functions are selected from eight by the leave-one-out errors (7), and so are length and height of an added wide one.
With 20 000 training heights, 2000 more select all settings. The chapter uses the growth of times, not the speed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.interpolate import (
    BSpline,
    CloughTocher2DInterpolator,
    LinearNDInterpolator,
    NearestNDInterpolator,
    RegularGridInterpolator,
)
from scipy.interpolate import RBFInterpolator as SciPyRBF
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from kcourse.datasets import load_terrain
from kcourse.kernels import Gaussian, InverseMultiquadric, Laplacian, Matern, Multiquadric, RationalQuadratic, ThinPlate
from kcourse.rbf import GeneralizedRBF, RBFInterpolator, RegularizationNetwork, monomials
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


# ---------------------------------------------------------------- which bells draw mountains?

WIDTHS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
PRICES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


def with_a_wide_one(bell: Callable, height: float, sigma: float) -> Callable:
    return lambda width: bell(width) + height * Gaussian(sigma)


def matern(width: float) -> Matern:
    return Matern(nu=1.5, sigma=width)


def short_tail(c: float) -> RationalQuadratic:
    """(1 + r²/c²)^(-3/2): as dear for high frequencies ω as the inverse multiquadric, e^(cω) but for a power of ω.

    It is -c² times the derivative of 1/√(r² + c²) by c, and the transform of that is e^(-cω)/ω in the plane.
    """
    return RationalQuadratic(sigma=c / np.sqrt(3), alpha=1.5)


def cone(A: Array, B: Array | None = None) -> Array:
    """The distance itself, a multiquadric with c = 0: no width is to be chosen."""
    return cdist(A, A if B is None else B)


def smooth_and_long(width: float) -> Callable:
    """1/cosh(r/σ): with all derivatives, and a Laplacian's tail.

    Positive definite in any dimension: with r = √(2u) it is the Laplace transform, at u, of the time that Brownian
    motion takes to leave (-1, 1), so a mixture of Gaussians.
    """
    return lambda A, B=None: 1 / np.cosh(cone(A, B) / width)


def cusp_alone(width: float) -> Callable:
    """(1 - r/s)²₊, of which nothing is left beyond s: positive definite in the plane (Askey, 1973)."""
    return lambda A, B=None: np.maximum(1 - cone(A, B) / width, 0) ** 2


LONG = (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)
WIDER, CONES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0), (0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 1.0, 1.5)
MIXTURES = [(height, sigma) for height in (1, 4, 16) for sigma in (3, 5, 8)]
BASES: dict[str, tuple[Callable, int, tuple[float, ...]]] = {
    "Gaussian": (Gaussian, 0, WIDTHS),
    "Matérn": (matern, 0, WIDER),
    "Laplacian": (Laplacian, 0, LONG),
    "smooth and long": (smooth_and_long, 0, (0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)),
    "cusp alone": (cusp_alone, 0, (2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 50.0)),
    "short tail": (short_tail, 0, (0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0)),
    "inverse multiquadric": (InverseMultiquadric, 0, (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)),
    "multiquadric": (Multiquadric, 0, CONES),
    "cone": (lambda _: cone, 0, (0.0,)),
    "thin plate": (ThinPlate, 1, (1.0,)),
}
WIDENED = {
    "Gaussian and a wide one": (Gaussian, WIDTHS),
    "Matérn and a wide Gaussian": (matern, WIDER),
    "Laplacian and a wide Gaussian": (Laplacian, LONG),
}


def solved(kernel: Any, degree: int, X: Array, y: Array, lam: float = 0.0) -> tuple[float, Array]:
    """The mean square of the left-out errors (7), and the solution of (6)."""
    n, P = len(y), monomials(X / 30, degree)
    A = np.block([[kernel(X) + lam * np.eye(n), P], [P.T, np.zeros((P.shape[1], P.shape[1]))]])
    inverse = np.linalg.inv(A)
    solution = inverse[:, :n] @ y
    return float(np.mean((solution[:n] / np.diag(inverse)[:n]) ** 2)), solution


def rms(error: Array) -> float:
    return float(np.sqrt(np.mean(error**2)))


NEAR, POWERS, STIFF = (4, 6, 8, 12, 16, 24, 32, 64), (1.0, 1.5, 2.0, 2.5, 3.0, 4.0), (0.001, 0.01, 0.1, 1.0)
LEVEL = (np.inf,)  # a plane whose slopes are too dear is a mean
Near = tuple[Array, Array]  # distances to the spots nearest to each place, and which spots they are


def plane_at(at: Array, near: Near, X: Array, y: Array, setting: tuple[int, float, float]) -> Array:
    """The height at each place of a plane through its k nearest spots, weighed by 1/distanceᵖ, slopes at a price."""
    k, p, price = setting
    distance, j = near[0][:, :k], near[1][:, :k]
    weights = distance**-p
    weights /= weights.sum(axis=1, keepdims=True)
    if np.isinf(price):
        return (weights * y[j]).sum(axis=1)
    D = np.concatenate([np.ones((*j.shape, 1)), X[j] - at[:, None]], axis=2)
    A = np.einsum("nki,nk,nkj->nij", D, weights, D) + np.diag([0, price, price])
    return np.linalg.solve(A, np.einsum("nki,nk,nk->ni", D, weights, y[j])[:, :, None])[:, 0, 0]


def chosen_plane(
    X: Array, y: Array, choose: tuple[Array, Near, Array], new: Array, prices: tuple[float, ...]
) -> tuple[Array, tuple[int, float, float]]:
    """`plane_at` with k, p and the price of slopes by the places, and their near ones, that ``choose`` brings."""
    at, near, heights = choose
    settings = [(k, p, price) for k in NEAR for p in POWERS for price in prices]
    best = min(settings, key=lambda setting: rms(plane_at(at, near, X, y, setting) - heights))
    return plane_at(new, cKDTree(X).query(new, NEAR[-1]), X, y, best), best


def natural(X: Array, y: Array, new: Array) -> Array:
    """Natural neighbours (Sibson): the mean of the spots from which a new place takes area, weighed by that area.

    Area is counted in places of a grid; at least the one at the new place itself counts for its nearest spot.
    """
    tree, places, said = cKDTree(X), mountains().X[::3], []
    far, j = tree.query(places)
    nearest = y[tree.query(new)[1]]
    for at, own in zip(np.array_split(new, 50), np.array_split(nearest, 50), strict=True):
        taken = (cdist(at, places) < far).astype(float)
        said.append((taken @ y[j] + own) / (taken.sum(axis=1) + 1))
    return np.concatenate(said)


@table("root mean square error (m) at 5000 new places", 20, of="surveys of 400 spots", slow=True)
def ch07a_surveys(draw: int) -> Row:
    i = np.random.default_rng(draw).choice(len(mountains().y), 5400, replace=False)
    (X, new), (y, truth) = np.split(mountains().X[i], [400]), np.split(mountains().y[i], [400])
    inside, nearest = LinearNDInterpolator(X, y)(new), NearestNDInterpolator(X, y)(new)
    weights = 1 / cdist(new, X) ** 2
    row = {
        "the mean": rms(y.mean() - truth),
        "nearest spot": rms(nearest - truth),
        "mean by 1/distance²": rms(weights @ y / weights.sum(axis=1) - truth),
        "triangles": rms(np.where(np.isnan(inside), nearest, inside) - truth),
        "natural neighbours": rms(natural(X, y, new) - truth),
    }
    left_out = tuple(each[:, 1:] for each in cKDTree(X).query(X, NEAR[-1] + 1))  # the first is the spot itself
    for name, prices in (("mean by 1/distanceᵖ", LEVEL), ("plane by 1/distanceᵖ", STIFF)):
        values, (row[f"k of {name}"], row[f"p of {name}"], _) = chosen_plane(X, y, (X, left_out, y), new, prices)
        row[name] = rms(values - truth)

    def error_of(kernel: Any, degree: int, solution: Array) -> float:
        return rms(np.hstack([kernel(new, X), monomials(new / 30, degree)]) @ solution - truth)

    def best_of(basis: Callable, degree: int, widths: tuple[float, ...]) -> tuple[float, float, float]:
        """What (7) says of the width that it chooses, the width, and its error elsewhere."""
        tried = {c: solved(basis(c), degree, X, y) for c in widths}
        c = min(tried, key=lambda c: tried[c][0])
        return tried[c][0], c, error_of(basis(c), degree, tried[c][1])

    for name, menu in BASES.items():
        _, row[f"width of {name}"], row[name] = best_of(*menu)
    for name, (bell, widths) in WIDENED.items():
        each = {mixture: best_of(with_a_wide_one(bell, *mixture), 0, widths) for mixture in MIXTURES}
        mixture = min(each, key=lambda mixture: each[mixture][0])
        _, row[f"width of {name}"], row[name] = each[mixture]
        row[f"height beside {name}"], row[f"km beside {name}"] = mixture
    wide = {lam: solved(Gaussian(2.0), 0, X, y, lam) for lam in (0.0, *PRICES)}
    lam = min(PRICES, key=lambda lam: wide[lam][0])
    row["2 km through"], row["2 km near"] = (error_of(Gaussian(2.0), 0, wide[v][1]) for v in (0.0, lam))
    return row | {"its price": lam, "2 km promised": wide[lam][0] ** 0.5}


@table("root mean square error (m) at 5000 new places", 300, of="surveys of 400 spots", slow=True)
def ch07a_rougher(draw: int) -> Row:
    """A second length beside the Gaussian, or one rougher bell: it takes many surveys to tell them apart."""
    i = np.random.default_rng(draw).choice(len(mountains().y), 5400, replace=False)
    (X, new), (y, truth) = np.split(mountains().X[i], [400]), np.split(mountains().y[i], [400])
    menus = {
        "two Gaussians": [with_a_wide_one(Gaussian, *mixture)(c) for mixture in MIXTURES for c in WIDTHS],
        "Matérn": [matern(c) for c in WIDER],
    }
    row: Row = {}
    for name, bells in menus.items():
        tried = [solved(bell, 0, X, y) for bell in bells]
        j = min(range(len(bells)), key=lambda j: tried[j][0])
        row[name] = rms(np.hstack([bells[j](new, X), monomials(new / 30, 0)]) @ tried[j][1] - truth)
    return row


# ---------------------------------------------------------------- where to measure next


def by_power(kernel: Any, X: Array, places: Array, count: int) -> list[int]:
    """One place after another, each where the power function of the spots so far is largest."""
    V = np.linalg.solve(np.linalg.cholesky(kernel(X)), kernel(X, places))
    P2, picks = kernel.diag(places) - (V**2).sum(axis=0), []
    for _ in range(count):
        j = int(P2.argmax())
        row = (kernel(places[j : j + 1], places)[0] - V[:, j] @ V) / np.sqrt(P2[j])
        V, P2 = np.vstack([V, row]), P2 - row**2
        picks.append(j)
    return picks


def by_distance(X: Array, places: Array, count: int) -> list[int]:
    """One place after another, each the furthest from all spots so far."""
    d, picks = cdist(places, X).min(axis=1), []
    for _ in range(count):
        picks.append(int(d.argmax()))
        d = np.minimum(d, cdist(places, places[picks[-1:]])[:, 0])
    return picks


@table("root mean square error (m) at 5000 new places", 60, of="surveys of 300 spots, to which 100 are added")
def ch07a_next(draw: int) -> Row:
    i = np.random.default_rng(draw).choice(len(mountains().y), 9400, replace=False)
    X, places, new = np.split(mountains().X[i], [300, 4400])
    y, heights, truth = np.split(mountains().y[i], [300, 4400])
    kernel = InverseMultiquadric(0.8)
    ways = {
        "none": [],
        "at random": list(range(100)),
        "power function": by_power(kernel, X, places, 100),
        "furthest from all spots": by_distance(X, places, 100),
    }
    row: Row = {}
    for name, picks in ways.items():
        spots, values = np.vstack([X, places[picks]]), np.append(y, heights[picks])
        row[name] = rms(RBFInterpolator(kernel, degree=0).fit(spots, values).predict(new) - truth)
    return row


# ---------------------------------------------------------------- fewer bells than heights

SEEN, ASKED, NEW, LOUD = 20_000, 2000, 5000, 100.0
GRID = 34, 35  # nodes: as many numbers as 400 bells keep
SIGMAS, RIDGES = (0.5, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0), tuple(10.0 ** np.arange(-5, 5))
NETS = ((100, SEEN), (400, 400), (400, SEEN), (GRID[0] * GRID[1], SEEN))  # bells, and heights that they see


def by_ridge(F: Array, Y: Array, F_asked: Array, asked: Array) -> list[tuple[float, float, Array]]:
    """For each column of heights: the error where λ was chosen, λ, and the weights of the features."""
    values, V = np.linalg.eigh(F.T @ F)
    turned, found = V.T @ (F.T @ Y), []
    for column, heights in zip(turned.T, asked.T, strict=True):
        tried = [(lam, V @ (column / (np.maximum(values, 0) + lam))) for lam in RIDGES]
        found.append(min(((rms(F_asked @ w - heights), lam, w) for lam, w in tried), key=lambda each: each[:2]))
    return found


def bells_on(T: Array, X: Array, Y: Array, places: Array, asked: Array, new: Array) -> list[tuple[Array, float, float]]:
    """Bells on centres T by (10), as ridge on the features of step 12: heights at new places, σ and λ, by column."""
    levels = Y.mean(axis=0)
    best: list[tuple] = [(np.inf,)] * Y.shape[1]
    for sigma in SIGMAS:
        bell = Gaussian(sigma)
        values, V = np.linalg.eigh(bell(T))
        kept = values > 1e-12 * values[-1]
        S = V[:, kept] / np.sqrt(values[kept])
        found = by_ridge(bell(X, T) @ S, Y - levels, bell(places, T) @ S, asked - levels)
        best = [min(old, (error, sigma, lam, S @ w)) for old, (error, lam, w) in zip(best, found, strict=True)]
    return [
        (Gaussian(sigma)(new, T) @ w + level, sigma, lam)
        for (_, sigma, lam, w), level in zip(best, levels, strict=True)
    ]


def hats(at: Array, axes: list[Array]) -> Array:
    """For each node of a grid the function that is 1 there, 0 at all others, and straight between: (n, nodes)."""
    x, z = (
        BSpline.design_matrix(np.clip(of, t[0], t[-1]), np.r_[t[0], t, t[-1]], 1).toarray()
        for of, t in zip(at.T, axes, strict=True)
    )
    return (x[:, :, None] * z[:, None, :]).reshape(len(at), -1)


def cosines(at: Array, axes: list[Array]) -> Array:
    """As many products of cosines as there are nodes: (n, nodes)."""
    u, v = (
        np.cos(np.pi * np.outer((x - t[0]) / (t[-1] - t[0]), range(len(t)))) for x, t in zip(at.T, axes, strict=True)
    )
    return (u[:, :, None] * v[:, None, :]).reshape(len(at), -1)


def means_of(axes: list[Array], nodes: Array, X: Array, y: Array, new: Array) -> Array:
    """A mean for each node, of what is nearer to it than to others, and straight lines between the nodes."""
    nearest = cKDTree(nodes).query(X)[1]
    count = np.bincount(nearest, minlength=len(nodes))
    met = np.flatnonzero(count)
    of_met = met[cKDTree(nodes[met]).query(nodes)[1]]  # a node that nobody is near to takes its neighbour's mean
    means = np.bincount(nearest, y, minlength=len(nodes)) / np.maximum(count, 1)
    return RegularGridInterpolator(axes, means[of_met].reshape(GRID), bounds_error=False, fill_value=None)(new)


def near_ones(X: Array, y: Array, places: Array, heights: Array, new: Array) -> dict[str, Array]:
    """Multiquadrics on the 50 nearest, a plane through near ones, curved triangles, as asked places choose."""
    local = [
        SciPyRBF(X, y, kernel="multiquadric", epsilon=1 / c, neighbors=50, smoothing=smoothing)
        for c in (0.1, 0.4)
        for smoothing in (0.0, 1.0, 3.0, 10.0, 30.0)
    ]
    best = min(local, key=lambda surface: rms(surface(places) - heights))
    near = cKDTree(X).query(places, NEAR[-1])
    plane, _ = chosen_plane(X, y, (places, near, heights), new, STIFF + LEVEL)
    inside, nearest = CloughTocher2DInterpolator(X, y)(new), NearestNDInterpolator(X, y)(new)
    bent = np.where(np.isnan(inside), nearest, inside)
    return {"50 nearest": best(new), "plane of near": plane, "bent triangles": bent}


@table(
    "root mean square error (m) at 5000 new places", 10, of="draws of 20 000 places, and 2000 that choose", slow=True
)
def ch07a_satellite(draw: int) -> Row:
    """Heights as they are, then with noise of 100 m, on those that choose as well; the new places have none."""
    rng = np.random.default_rng(draw)
    i = rng.choice(len(mountains().y), SEEN + ASKED + NEW, replace=False)
    X, places, new = np.split(mountains().X[i], [SEEN, SEEN + ASKED])
    true, noise = mountains().y[i], LOUD * rng.standard_normal(len(i))
    kinds = "", " in noise"
    Y, asked, _ = np.split(np.column_stack([true, true + noise]), [SEEN, SEEN + ASKED])
    axes = [np.linspace(low, high, m) for low, high, m in zip(X.min(axis=0), X.max(axis=0), GRID, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    row: Row = {}

    nets = {f"{m} bells saw {n}": (X[:m], n) for m, n in NETS} | {"bells on a grid": (nodes, SEEN)}
    said: dict[str, Array] = {}
    for name, (T, n) in nets.items():
        found = bells_on(T, X[:n], Y[:n], places, asked, new)
        for what, (values, sigma, lam) in zip(kinds, found, strict=True):
            said[name + what], row[f"σ of {name}{what}"], row[f"λ of {name}{what}"] = values, sigma, lam
    levels = Y.mean(axis=0)
    for name, features in (("hats on a grid", hats), ("cosines", cosines)):
        F, F_asked, F_new = (features(at, axes) for at in (X, places, new))
        fitted = by_ridge(F, Y - levels, F_asked, asked - levels)
        for what, level, (_, lam, w) in zip(kinds, levels, fitted, strict=True):
            said[name + what], row[f"λ of {name}{what}"] = F_new @ w + level, lam
    for what, y, heights in zip(kinds, Y.T, asked.T, strict=True):
        said[f"means on a grid{what}"] = means_of(axes, nodes, X, y, new)
        said |= {f"{name}{what}": values for name, values in near_ones(X, y, places, heights, new).items()}
    return row | {name: rms(values - true[SEEN + ASKED :]) for name, values in said.items()}


LEAD = (
    "The bells lead that plane by 2 m: "
    "the inverse multiquadric and the cone on each of the twenty surveys, the multiquadric on 18"
)
CLAIMS = [
    Claim("more-heights", ch07a_satellite, less="400 bells saw 20000", than="400 bells saw 400", holds=10, unit="m"),
    Claim("places-are-dear", ch07a_satellite, less="means on a grid", than="400 bells saw 20000", holds=10, unit="m"),
    Claim("fit-the-lines", ch07a_satellite, less="hats on a grid", than="means on a grid", holds=10, unit="m"),
    Claim("bells-on-nodes", ch07a_satellite, less="bells on a grid", than="hats on a grid", holds=10, unit="m"),
    Claim(
        "near-is-right",
        ch07a_satellite,
        less="50 nearest in noise",
        than="bells on a grid in noise",
        holds=10,
        unit="m",
    ),
    Claim(
        "near-is-ahead", ch07a_satellite, less="50 nearest in noise", than="plane of near in noise", holds=10, unit="m"
    ),
    Claim("ahead", ch07a_surveys, less="multiquadric", than="triangles", holds=20, unit="m"),
    Claim("ahead-inverse", ch07a_surveys, less="inverse multiquadric", than="triangles", holds=20, unit="m"),
    Claim("plane-ahead", ch07a_surveys, less="plane by 1/distanceᵖ", than="triangles", holds=19, unit="m"),
    Claim("plane-behind", ch07a_surveys, less="multiquadric", than="plane by 1/distanceᵖ", holds=18, unit="m"),
    Claim(
        "plane-behind-inverse",
        ch07a_surveys,
        less="inverse multiquadric",
        than="plane by 1/distanceᵖ",
        holds=20,
        unit="m",
    ),
    Claim("plane-behind-cone", ch07a_surveys, less="cone", than="plane by 1/distanceᵖ", holds=20, unit="m"),
    Claim("natural-ahead", ch07a_surveys, less="natural neighbours", than="plane by 1/distanceᵖ", holds=19, unit="m"),
    Claim("natural-behind", ch07a_surveys, less="cone", than="natural neighbours", holds=15, unit="m"),
    Claim("two-lengths", ch07a_rougher, less="two Gaussians", than="Matérn", holds=210, unit="m"),
    Claim("second-length", ch07a_surveys, less="Gaussian and a wide one", than="Gaussian", holds=20, unit="m"),
    Claim("one-rough-length", ch07a_surveys, less="cusp alone", than="Gaussian", holds=20, unit="m"),
    Claim("one-long-tail", ch07a_surveys, less="smooth and long", than="Gaussian", holds=20, unit="m"),
    Claim("near-is-behind", ch07a_surveys, less="cone", than="2 km near", holds=20, unit="m"),
    Claim("short-tail", ch07a_surveys, less="inverse multiquadric", than="short tail", holds=20, unit="m"),
    Claim("near", ch07a_surveys, less="2 km near", than="2 km through", holds=20, unit="m"),
    Claim("next", ch07a_next, less="power function", than="at random", holds=59, unit="m"),
    Claim("furthest", ch07a_next, less="furthest from all spots", than="power function", holds=36, unit="m"),
]
