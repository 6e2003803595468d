"""How much of the right side survives a solve and an explicit inverse: the table that chapter 3 draws.

    python benchmarks/krr_residuals.py                  # prints the table
    python benchmarks/krr_residuals.py --write notebooks/data/ch03_residuals.csv

Rounding errors differ between processors in the last digits, and so would the picture; the chapter verifies on each
machine what it says about it.
"""

from __future__ import annotations

import os

from kcourse.base import threads

os.environ.update(threads.settings({}))  # before NumPy is loaded

import _table
import numpy as np
from scipy.linalg import cho_factor, cho_solve

from kcourse import Gaussian
from kcourse.datasets import make_sinc

LAMS = np.logspace(-13, 0, 27)


def row(lam: float) -> tuple[float, float, float]:
    """λ, and the relative residual of (K + λI)α = y for α by the inverse and by Cholesky's factor."""
    X = make_sinc(n=30, noise=0.15, rng=0).X
    y = np.sinc(X[:, 0])
    A = Gaussian(1.0)(X) + lam * np.eye(30)
    residuals = (np.linalg.norm(A @ a - y) / np.linalg.norm(y)
                 for a in (np.linalg.inv(A) @ y, cho_solve(cho_factor(A, lower=True), y)))  # fmt: skip
    return lam, *residuals


if __name__ == "__main__":
    columns = "# lambda, relative residual by the inverse, by Cholesky"
    _table.main(__doc__, "krr_residuals.py", "", columns, map(row, LAMS))
