"""Time solvers of the hard margin for growing n, and write the table that chapter 5 plots.

    python benchmarks/margin_cost.py                       # prints the table
    python benchmarks/margin_cost.py --write notebooks/data/ch05_cost.csv

One BLAS thread; for each n the median of several runs, in seconds of the processor. All solve one problem: two clouds
in the plane with a gap. The chapter reads growth off the table, and who is ahead, not speed.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded: with more threads on a shared machine the same call varies several-fold
os.environ.update(threads.settings({}))

import statistics
import time
from collections.abc import Callable

import _table
import numpy as np
from scipy.optimize import minimize
from sklearn.svm import SVC

from kcourse.margin import MaxMargin

SIZES = (50, 71, 100, 141, 200, 283, 400, 566)


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n)
    y = np.resize([1.0, -1.0], n)
    return rng.normal(size=(n, 2)) + 4.0 * y[:, None] * [1.0, 0.3], y


def dual_by_slsqp(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    G = (y[:, None] * X) @ (y[:, None] * X).T
    found = minimize(
        lambda a: 0.5 * a @ G @ a - a.sum(),
        np.zeros(len(y)),
        jac=lambda a: G @ a - 1,
        bounds=[(0, None)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 200},
    )
    return (found.x * y) @ X


def primal_by_slsqp(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    Z = y[:, None] * np.column_stack([X, np.ones(len(y))])
    found = minimize(
        lambda v: 0.5 * v[:2] @ v[:2],
        np.zeros(3),
        jac=lambda v: np.append(v[:2], 0.0),
        constraints={"type": "ineq", "fun": lambda v: Z @ v - 1, "jac": lambda v: Z},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 200},
    )
    return found.x[:2]


def seconds(call: Callable[[], object], runs: int) -> float:
    """Median processor time of ``runs`` calls after one that is not counted."""
    return statistics.median(_table.times(call, runs, time.process_time))


def row(n: int) -> tuple[float, ...]:
    X, y = data(n)
    solvers: tuple[Callable[[], np.ndarray], ...] = (
        lambda: dual_by_slsqp(X, y),
        lambda: primal_by_slsqp(X, y),
        lambda: MaxMargin().fit(X, y).weights_,
        lambda: SVC(kernel="linear", C=1e8, tol=1e-9).fit(X, y).coef_[0],
    )
    right = solvers[2]()
    for solve in solvers:
        assert np.abs(solve() - right).max() < 1e-4 * np.abs(right).max()
    return (n, *(seconds(solve, 9 if n < 300 else 3) for solve in solvers))


if __name__ == "__main__":
    columns = "n,slsqp_dual,slsqp_primal,max_margin,sklearn_svc"
    _table.main(__doc__, "margin_cost.py", "medians in seconds of the processor, d = 2; ", columns, map(row, SIZES))
