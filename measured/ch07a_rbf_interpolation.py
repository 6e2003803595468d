"""What chapter 7a says of maps: which bells draw mountains well and why, where to measure next, and what it costs.

There is one land, and its surveys share it: the errors of means say nothing of other mountains. All bells choose among
eight widths by the left-out errors (7) of the spots, and the length and height of a wide one beside them by the same.
Where 20 000 heights are to be had, 2000 more choose all that there is to choose. Times are read for growth, not speed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator, RegularGridInterpolator
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


LONG = (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0)
WIDER, CONES = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0), (0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 1.0, 1.5)
MIXTURES = [(height, sigma) for height in (1, 4, 16) for sigma in (3, 5, 8)]
BASES: dict[str, tuple[Callable, int, tuple[float, ...]]] = {
    "Gaussian": (Gaussian, 0, WIDTHS),
    "Matérn": (matern, 0, WIDER),
    "Laplacian": (Laplacian, 0, LONG),
    "short tail": (short_tail, 0, (0.4, 0.6, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0)),
    "inverse multiquadric": (InverseMultiquadric, 0, (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)),
    "multiquadric": (Multiquadric, 0, CONES),
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


NEAR, POWERS = (4, 6, 8, 10, 12, 16, 24, 400), (1.0, 1.5, 2.0, 2.5, 3.0, 4.0)


def by_distance_power(X: Array, y: Array, new: Array) -> tuple[Array, int, float]:
    """The mean by 1/distanceᵖ of the k nearest spots; k and p by the errors at spots left out."""

    def mean(apart: Array, k: int, p: float) -> Array:
        near = np.argsort(apart, axis=1)[:, :k]
        weights = np.take_along_axis(apart, near, axis=1) ** -p
        return (weights * y[near]).sum(axis=1) / weights.sum(axis=1)

    apart = cdist(X, X)
    np.fill_diagonal(apart, np.inf)  # a spot left out is infinitely far from itself, and weighs 0
    k, p = min(((k, p) for k in NEAR for p in POWERS), key=lambda pair: rms(mean(apart, *pair) - y))
    return mean(cdist(new, X), k, p), k, p


@table("root mean square error (m) at 5000 new places", 20, of="surveys of 400 spots", slow=True)
def ch07a_surveys(draw: int) -> Row:
    i = np.random.default_rng(draw).choice(len(mountains().y), 5400, replace=False)
    (X, new), (y, truth) = np.split(mountains().X[i], [400]), np.split(mountains().y[i], [400])
    inside, near = LinearNDInterpolator(X, y)(new), NearestNDInterpolator(X, y)(new)
    weights = 1 / cdist(new, X) ** 2
    row = {
        "the mean": rms(y.mean() - truth),
        "nearest spot": rms(near - truth),
        "mean by 1/distance²": rms(weights @ y / weights.sum(axis=1) - truth),
        "triangles": rms(np.where(np.isnan(inside), near, inside) - truth),
    }
    tuned, row["k nearest"], row["p of them"] = by_distance_power(X, y, new)
    row["mean by 1/distanceᵖ"] = rms(tuned - truth)

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
    return row | {"its price": lam}


@table("root mean square error (m) at 5000 new places", 100, of="surveys of 400 spots", slow=True)
def ch07a_rougher(draw: int) -> Row:
    """A second length beside the Gaussian, or one rougher bell: the first twenty surveys hardly tell."""
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
SIGMAS, RIDGES = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0), (1e-5, 1e-4, 1e-3, 0.01, 0.1, 1.0, 10.0)
NETS = ((100, SEEN), (400, 400), (400, 2000), (400, SEEN), (600, SEEN))  # bells, and heights that they see
Asked = tuple[Array, Array, Array]  # places that choose, the heights there, and new places


def few_bells(m: int, X: Array, y: Array, asked: Asked) -> tuple[Array, float, float]:
    """m bells on the first spots, by (10); σ and λ by the places that choose."""
    level, (places, heights, new) = y.mean(), asked
    best: tuple = (np.inf,)
    for sigma in SIGMAS:
        bell = Gaussian(sigma)
        G, G0, at = bell(X, X[:m]), bell(X[:m]), bell(places, X[:m])
        A, right = G.T @ G, G.T @ (y - level)
        for lam in RIDGES:
            w = np.linalg.lstsq(A + lam * G0, right, rcond=None)[0]
            error = rms(at @ w + level - heights)
            if error < best[0]:
                best = error, sigma, lam, w
    _, sigma, lam, w = best
    return Gaussian(sigma)(new, X[:m]) @ w + level, sigma, lam


def near_ones(X: Array, y: Array, asked: Asked) -> dict[str, Array]:
    """Multiquadrics on the 50 nearest spots, the mean of the nearest ones, triangles: as the asked places choose."""
    places, heights, new = asked
    local = [
        SciPyRBF(X, y, kernel="multiquadric", epsilon=1 / c, neighbors=50, smoothing=smoothing)
        for c in (0.1, 0.4)
        for smoothing in (0.0, 1.0, 3.0, 10.0, 30.0)
    ]
    best = min(local, key=lambda surface: rms(surface(places) - heights))
    tree = cKDTree(X)

    def mean_of(k: int, at: Array) -> Array:
        return y[tree.query(at, list(range(1, k + 1)))[1]].mean(axis=1)

    k = min((1, 2, 4, 8, 16, 32), key=lambda k: rms(mean_of(k, places) - heights))
    inside, one = LinearNDInterpolator(X, y)(new), NearestNDInterpolator(X, y)(new)
    return {
        "50 nearest": best(new),
        "mean of near": mean_of(k, new),
        "triangles": np.where(np.isnan(inside), one, inside),
    }


@table(
    "root mean square error (m) at 5000 new places", 10, of="draws of 20 000 places, and 2000 that choose", slow=True
)
def ch07a_satellite(draw: int) -> Row:
    """Heights as they are, then with noise of 100 m, on those that choose as well; the new places have none."""
    rng = np.random.default_rng(draw)
    i = rng.choice(len(mountains().y), SEEN + ASKED + NEW, replace=False)
    X, places, new = np.split(mountains().X[i], [SEEN, SEEN + ASKED])
    true, noise = mountains().y[i], LOUD * rng.standard_normal(len(i))
    row: Row = {}
    for what, heights in (("", true), (" in noise", true + noise)):
        y, asked = heights[:SEEN], (places, heights[SEEN : SEEN + ASKED], new)
        said = near_ones(X, y, asked)
        for m, n in NETS:
            name = f"{m} bells saw {n}"
            said[name], row[f"σ of {name}{what}"], row[f"λ of {name}{what}"] = few_bells(m, X[:n], y[:n], asked)
        row |= {f"{name}{what}": rms(values - true[SEEN + ASKED :]) for name, values in said.items()}
    return row


@table("root mean square error (m) at the satellite's 5000 new places", 10, of="draws of 20 000 places, and 5000 new")
def ch07a_grid(draw: int) -> Row:
    """A mean for each node of a grid, of what is nearer to it than to others, and straight lines between the nodes.

    Places and noise are those of `ch07a_satellite`; nothing is chosen.
    """
    rng = np.random.default_rng(draw)
    i = rng.choice(len(mountains().y), SEEN + ASKED + NEW, replace=False)
    X, _, new = np.split(mountains().X[i], [SEEN, SEEN + ASKED])
    true, noise = mountains().y[i], LOUD * rng.standard_normal(len(i))
    axes = [np.linspace(low, high, m) for low, high, m in zip(X.min(axis=0), X.max(axis=0), GRID, strict=True)]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    nearest = cKDTree(nodes).query(X)[1]
    count = np.bincount(nearest, minlength=len(nodes))
    met = np.flatnonzero(count)
    of_met = met[cKDTree(nodes[met]).query(nodes)[1]]  # a node that nobody is near to takes its neighbour's mean
    row: Row = {"numbers": float(len(nodes))}
    for what, y in (("", true[:SEEN]), (" in noise", (true + noise)[:SEEN])):
        means = np.bincount(nearest, y, minlength=len(nodes)) / np.maximum(count, 1)
        lines = RegularGridInterpolator(axes, means[of_met].reshape(GRID), bounds_error=False, fill_value=None)
        row[f"means on a grid{what}"] = rms(lines(new) - true[SEEN + ASKED :])
    return row


CLAIMS = [
    Claim(
        "more-heights",
        ch07a_satellite,
        less="400 bells saw 20000",
        than="400 bells saw 400",
        holds=10,
        unit="m",
        sentence="the same bells, with 20 000 heights, by",
    ),
    Claim(
        "grid-is-short",
        ch07a_grid,
        less="means on a grid",
        than=50.0,
        holds=10,
        unit="m",
        sentence="means on a grid of 34 × 35 nodes err by",
    ),
    Claim(
        "near-is-right",
        ch07a_satellite,
        less="50 nearest in noise",
        than="400 bells saw 20000 in noise",
        holds=10,
        unit="m",
        sentence="with 100 m of noise on the heights by 37",
    ),
    Claim(
        "ahead",
        ch07a_surveys,
        less="multiquadric",
        than="triangles",
        holds=20,
        unit="m",
        sentence="Both multiquadrics are ahead of the triangles on each of the twenty surveys",
    ),
    Claim(
        "ahead-inverse",
        ch07a_surveys,
        less="inverse multiquadric",
        than="triangles",
        holds=20,
        unit="m",
        sentence="Both multiquadrics are ahead of the triangles on each of the twenty surveys",
    ),
    Claim(
        "rule-of-thumb",
        ch07a_surveys,
        less="multiquadric",
        than="mean by 1/distanceᵖ",
        holds=17,
        unit="m",
        sentence="The multiquadrics lead it by less than 3 m, on 17 and on 18 of the twenty surveys",
    ),
    Claim(
        "rule-behind",
        ch07a_surveys,
        less="inverse multiquadric",
        than="mean by 1/distanceᵖ",
        holds=18,
        unit="m",
        sentence="The multiquadrics lead it by less than 3 m, on 17 and on 18 of the twenty surveys",
    ),
    Claim(
        "rule-ahead",
        ch07a_surveys,
        less="mean by 1/distanceᵖ",
        than="triangles",
        holds=16,
        unit="m",
        sentence="ahead of the triangles on 16 of the twenty, and of the thin plate on 14",
    ),
    Claim(
        "rule-last",
        ch07a_surveys,
        less="mean by 1/distanceᵖ",
        than="thin plate",
        holds=14,
        unit="m",
        sentence="ahead of the triangles on 16 of the twenty, and of the thin plate on 14",
    ),
    Claim(
        "two-lengths",
        ch07a_rougher,
        less="two Gaussians",
        than="Matérn",
        holds=51,
        unit="m",
        sentence="A hundred surveys put it 0.6 m behind the two Gaussians",
    ),
    Claim(
        "second-length",
        ch07a_surveys,
        less="Gaussian and a wide one",
        than="Gaussian",
        holds=20,
        unit="m",
        sentence="the Gaussian errs by 80 m instead of 97, by less on each of the twenty surveys",
    ),
    Claim(
        "one-rough-length",
        ch07a_surveys,
        less="Laplacian",
        than="Gaussian",
        holds=20,
        unit="m",
        sentence="errs by 78 m, on each of the twenty by less than the Gaussian",
    ),
    Claim(
        "short-tail",
        ch07a_surveys,
        less="inverse multiquadric",
        than="short tail",
        holds=20,
        unit="m",
        sentence="even so it errs by 4 m more, on each of the twenty",
    ),
    Claim(
        "near",
        ch07a_surveys,
        less="2 km near",
        than="2 km through",
        holds=20,
        unit="m",
        sentence="near them by 84, on each of the twenty by less",
    ),
    Claim(
        "next",
        ch07a_next,
        less="power function",
        than="at random",
        holds=59,
        unit="m",
        sentence="On 59 of sixty surveys the power function's hundred beat a random hundred",
    ),
    Claim(
        "furthest",
        ch07a_next,
        less="furthest from all spots",
        than="power function",
        holds=36,
        unit="m",
        sentence="the furthest spots do as well or better",
    ),
]
