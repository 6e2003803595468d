"""Measurements for chapter 1: errors on a thousand test points, one neighbour, and query times as n grows.

New points are drawn from the mixture that Ripley's two classes come from. Times are those of scikit-learn in one
thread; the chapter uses their growth and which of two is faster, not the speed of one computer.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from sklearn.neighbors import NearestNeighbors

from benchmarks.harness import peak_megabytes
from kcourse import KNNClassifier, ParzenClassifier, ParzenDensity
from kcourse.datasets import load_synth
from kcourse.neighbors import nw_loo_path
from measured import Claim, Row, table
from measured.common import RIPLEY, WIDTH, least, ripley

Array = np.ndarray


@cache
def learnt() -> dict[str, KNNClassifier | ParzenClassifier]:
    seen = load_synth()
    models = {f"k = {k}": KNNClassifier(k).fit(seen.X, seen.y) for k in (31, 45, 57)}
    return models | {"Bayes": ParzenClassifier(WIDTH).fit(RIPLEY, [0, 0, 1, 1])}


@table("errors in a thousand fresh points, learnt from Ripley's 250", 200, of="fresh thousands")
def ch01_thousand(draw: int) -> Row:
    X, right = ripley(1000, np.random.default_rng(draw))
    wrong = {name: model.predict(X) != right for name, model in learnt().items()}
    lag = wrong["k = 31"].astype(int) - wrong["k = 45"]
    return {name: int(w.sum()) for name, w in wrong.items()} | {
        "31 behind 45": int(lag.sum()),
        "paired s.e.": float(np.sqrt(np.sum((lag - lag.mean()) ** 2))),
    }


@cache
def plane() -> tuple[Array, Array]:
    """Places in the plane, and the probability of each with each class."""
    u = np.meshgrid(np.arange(-1.8, 1.6, 0.02), np.arange(-0.8, 1.8, 0.02))
    places = np.column_stack([axis.ravel() for axis in u])
    densities = [ParzenDensity(WIDTH).fit(c).density(places) for c in (RIPLEY[:2], RIPLEY[2:])]
    return places, np.array(densities) / 2 * 0.02**2


@table("error of one neighbour on the mixture, its integral (%)", 100, of="samples to learn from")
def ch01_one(draw: int) -> Row:
    (places, mass), row = plane(), {}
    for n in (25, 250, 2500):
        one = KNNClassifier(1).fit(*ripley(n, np.random.default_rng([draw, n]))).predict(places)
        row[f"n = {n}"] = float(100 * mass[1 - one, np.arange(len(one))].sum())
    best = mass.min(axis=0).sum()
    return row | {"the bound": float(200 * best * (1 - best))}


SIZES = tuple(
    (d, n) for d, most in ((2, 1_024_000), (64, 64_000)) for n in (1000 * 4**p for p in range(6)) if n <= most
)


@table(
    "seconds of the processor for the 10 nearest of 1000 queries, uniform points", over=SIZES, of="sizes", timed=True
)
def ch01_search(draw: tuple[int, int]) -> Row:
    d, n = draw
    rng = np.random.default_rng(n)
    X, queries, row = rng.random((n, d)), rng.random((1000, d)), {"d": d, "n": n}
    for name, algorithm in (("brute", "brute"), ("tree", "kd_tree")):
        search = NearestNeighbors(n_neighbors=10, algorithm=algorithm)
        row[f"{name} built"] = least(lambda s=search: s.fit(X), 2)
        row[name] = least(lambda s=search: s.kneighbors(queries), 1 if n > 50_000 else 3)
    return row


SETUP = """
import numpy as np
from kcourse import Gaussian, NadarayaWatson
model = NadarayaWatson(Gaussian(0.1)).fit(np.random.default_rng(0).random(({n}, 1)), np.zeros({n}))
model.predict(model.X_fit_[:10])
"""


@table("leave-one-out of 40 widths, in seconds of the processor; megabytes of S and of a prediction",
       over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)  # fmt: skip
def ch01_window(n: int) -> Row:
    rng = np.random.default_rng(n)
    X, y = rng.random((n, 1)), rng.normal(size=n)
    setup = SETUP.format(n=n)
    return {
        "n": n,
        "seconds": least(lambda: nw_loo_path(X, y, np.geomspace(0.01, 1, 40)), 1),
        "matrix": peak_megabytes(setup, "S = model.smoother_matrix(model.X_fit_)"),
        "prediction": peak_megabytes(setup, "f = model.predict(model.X_fit_)"),
    }


CLAIMS = [
    Claim("forty-five-ahead", ch01_thousand, less="k = 45", than="k = 31", holds=130, unit="errors"),
    Claim("eighty-is-luck", ch01_thousand, less="Bayes", than="k = 57", holds=140, unit="errors"),
    Claim("few-points", ch01_one, less="the bound", than="n = 25", holds=20, unit="%"),
    Claim("many-points", ch01_one, less="n = 2500", than="the bound", holds=100, unit="%"),
]
