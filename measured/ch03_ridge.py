"""What chapter 3 says of solving: what the parts cost as n grows, and how much of the right side a solve keeps.

The chapter reads growth off the first table, not speed. Rounding errors differ between processors in the last digits,
and so would the picture; the chapter verifies on each machine what it says about it.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
from scipy.linalg import cho_factor
from scipy.linalg import cho_solve as solve_by_factor

from kcourse import Gaussian
from kcourse.base.cholesky import cho_solve, cho_with_ridge
from kcourse.datasets import make_sinc
from measured import Row, table
from measured.common import times

D, QUERIES, LAM = 10, 500, 0.1


@table("median seconds, d = 10", over=(500, 707, 1000, 1414, 2000, 2828, 4000), of="sizes n", timed=True)
def ch03_cost(n: int) -> Row:
    rng = np.random.default_rng(n)
    X, Xq, y = rng.normal(size=(n, D)), rng.normal(size=(QUERIES, D)), rng.normal(size=n)
    kernel = Gaussian(sigma=3.0)
    K = kernel(X)
    L = cho_with_ridge(K.copy(), LAM)
    alpha = cho_solve(L, y)

    def seconds(call: Callable[[], object]) -> float:
        return statistics.median(times(call, 9 if n <= 1500 else 5, time.perf_counter))

    copying = seconds(lambda: K.copy())
    return {
        "n": n,
        "gram": seconds(lambda: kernel(X)),
        "factor": seconds(lambda: cho_with_ridge(K.copy(), LAM)) - copying,
        "solve": seconds(lambda: cho_solve(L, y)),
        f"predict_{QUERIES}": seconds(lambda: kernel(Xq, X) @ alpha),
    }


@table("relative residual of (K + λI)α = y", over=tuple(range(27)), of="penalties", timed=True)
def ch03_residuals(step: int) -> Row:
    """α by the inverse and by Cholesky's factor, where λ grows from 1e-13 to 1 by half a power of ten."""
    lam = 10.0 ** (-13 + step / 2)
    X = make_sinc(n=30, noise=0.15, rng=0).X
    y = np.sinc(X[:, 0])
    A = Gaussian(1.0)(X) + lam * np.eye(30)
    alphas = {"inverse": np.linalg.inv(A) @ y, "cholesky": solve_by_factor(cho_factor(A, lower=True), y)}
    return {"lambda": lam} | {way: float(np.linalg.norm(A @ a - y) / np.linalg.norm(y)) for way, a in alphas.items()}
