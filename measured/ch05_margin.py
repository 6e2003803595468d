"""What chapter 5 says of solvers of the hard margin: what they cost as n grows.

All solve one problem, two clouds in the plane with a gap, and give one answer. The chapter reads growth off the table,
and who is ahead, not speed.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize
from sklearn.svm import SVC

from kcourse.margin import MaxMargin
from measured import Row, table
from measured.common import times


def clouds(n: int) -> tuple[np.ndarray, np.ndarray]:
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


@table("median seconds of the processor, d = 2", over=(50, 71, 100, 141, 200, 283, 400, 566), of="sizes n", timed=True)
def ch05_cost(n: int) -> Row:
    X, y = clouds(n)
    solvers: dict[str, Callable[[], np.ndarray]] = {
        "slsqp_dual": lambda: dual_by_slsqp(X, y),
        "slsqp_primal": lambda: primal_by_slsqp(X, y),
        "max_margin": lambda: MaxMargin().fit(X, y).weights_,
        "sklearn_svc": lambda: SVC(kernel="linear", C=1e8, tol=1e-9).fit(X, y).coef_[0],
    }
    right = solvers["max_margin"]()
    for solve in solvers.values():
        assert np.abs(solve() - right).max() < 1e-4 * np.abs(right).max()
    runs = 9 if n < 300 else 3
    return {"n": n} | {name: statistics.median(times(solve, runs)) for name, solve in solvers.items()}
