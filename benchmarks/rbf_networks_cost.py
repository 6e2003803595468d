"""Time ways to train an RBF network, and an MLP beside it, for growing n, and write the table that chapter 7b plots.

    python benchmarks/rbf_networks_cost.py                       # prints the table
    python benchmarks/rbf_networks_cost.py --write notebooks/data/ch07b_cost.csv

One BLAS thread; the least of several runs, in seconds of the processor. Two moons at distance -5, twenty units. All
networks must be of some use: the script stops where an RBF network gets more than one in a hundred fresh points wrong,
or the MLP, whose 200 passes over few points are few steps, more than one in seven.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import time
import warnings
from collections.abc import Callable

import _table
import numpy as np
from sklearn.neural_network import MLPClassifier

from kcourse import Gaussian, KernelRidge, RBFNetwork
from kcourse.datasets import make_double_moon
from kcourse.rbf import kmeans, lms, spread

SIZES = (500, 1000, 2000, 4000, 8000)


def seconds(call: Callable[[], object], runs: int) -> float:
    """Least processor time of ``runs`` calls after one that is not counted."""
    return min(_table.times(call, runs, time.process_time))


def row(n: int) -> tuple[float, ...]:
    X, y = make_double_moon(n, distance=-5, rng=0, return_X_y=True)
    fresh, truth = make_double_moon(2000, distance=-5, rng=1, return_X_y=True)
    T = kmeans(X, 20, n_init=1, rng=0).centers
    sigma = spread(T)
    network = RBFNetwork(20, centers=T, sigma=sigma).fit(X, y)
    Phi = np.column_stack([network.hidden(X), np.ones(n)])
    ways: tuple[tuple[Callable[[], object], int], ...] = (
        (lambda: kmeans(X, 20, n_init=1, tol=1e-4, rng=0), 9),
        (lambda: RBFNetwork(20, centers=T, sigma=sigma).fit(X, y), 9),
        (lambda: lms(Phi, y, rng=0), 5),
        (lambda: RBFNetwork(20, centers="supervised").fit(X, y), 3),
        (lambda: MLPClassifier((20,), activation="tanh", max_iter=200, random_state=0).fit(X, y), 2),
        (lambda: KernelRidge(Gaussian(sigma), lam=1e-2).fit(X, y), 2 if n < 5000 else 1),
    )
    trained = (network, 0.01), (RBFNetwork(20, centers="supervised").fit(X, y), 0.01), (ways[4][0](), 0.15)
    for model, most in trained:
        wrong = np.mean(np.sign(model.predict(fresh)) != truth)
        assert wrong < most, (type(model).__name__, n, wrong)
    return (n, *(seconds(call, runs) for call, runs in ways))


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # Adam says that 200 passes were not enough
    columns = "n,kmeans,weights,lms_pass,gradient,mlp,kernel_ridge"
    _table.main(__doc__, "rbf_networks_cost.py", "least processor seconds, 20 units, d = 2; ", columns, map(row, SIZES))
