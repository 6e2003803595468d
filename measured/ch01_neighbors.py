"""Measurements for chapter 1: query times and the memory of S as n grows.

Times are those of scikit-learn in one thread. The chapter uses their growth and which of two is faster, not the speed
of one computer.
"""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors

from benchmarks.harness import peak_megabytes
from kcourse.neighbors import nw_loo_path
from measured import Row, table
from measured.common import least

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
