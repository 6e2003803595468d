"""What ways to train an RBF network cost as n grows, and an MLP beside it: two moons at distance -5, twenty units.

All networks must be of some use: where an RBF network gets more than one in a hundred fresh points wrong, or the MLP,
whose 200 passes over few points are few steps, more than one in seven, there is no table.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

from kcourse import Gaussian, KernelRidge, RBFNetwork
from kcourse.datasets import make_double_moon
from kcourse.rbf import kmeans, lms, spread
from measured import Row, table
from measured.common import least


@table("least seconds of the processor, 20 units, d = 2", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
def ch07b_cost(n: int) -> Row:
    X, y = make_double_moon(n, distance=-5, rng=0, return_X_y=True)
    fresh, truth = make_double_moon(2000, distance=-5, rng=1, return_X_y=True)
    T = kmeans(X, 20, n_init=1, rng=0).centers
    sigma = spread(T)
    network = RBFNetwork(20, centers=T, sigma=sigma).fit(X, y)
    Phi = np.column_stack([network.hidden(X), np.ones(n)])
    ways: dict[str, tuple[Callable[[], object], int]] = {
        "kmeans": (lambda: kmeans(X, 20, n_init=1, tol=1e-4, rng=0), 9),
        "weights": (lambda: RBFNetwork(20, centers=T, sigma=sigma).fit(X, y), 9),
        "lms_pass": (lambda: lms(Phi, y, rng=0), 5),
        "gradient": (lambda: RBFNetwork(20, centers="supervised").fit(X, y), 3),
        "mlp": (lambda: MLPClassifier((20,), activation="tanh", max_iter=200, random_state=0).fit(X, y), 2),
        "kernel_ridge": (lambda: KernelRidge(Gaussian(sigma), lam=1e-2).fit(X, y), 2 if n < 5000 else 1),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # Adam says that 200 passes were not enough
        for model, most in (network, 0.01), (ways["gradient"][0](), 0.01), (ways["mlp"][0](), 0.15):
            wrong = np.mean(np.sign(model.predict(fresh)) != truth)
            assert wrong < most, (type(model).__name__, n, wrong)
        return {"n": n} | {name: least(call, runs) for name, (call, runs) in ways.items()}
