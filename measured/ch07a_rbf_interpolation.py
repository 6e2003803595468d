"""What interpolation and its cheaper relatives cost as n grows: heights of real mountains at random places.

The chapter reads growth off the table, not speed.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import RBFInterpolator as SciPyRBF

from kcourse.datasets import load_terrain
from kcourse.kernels import Gaussian, Multiquadric
from kcourse.rbf import GeneralizedRBF, RBFInterpolator, RegularizationNetwork
from measured import Row, table
from measured.common import least

BELLS, QUERIES = 100, 1000


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
