"""Time kernel PCA for growing n, and write the table that chapter 8 plots.

    python benchmarks/kpca_cost.py                       # prints the table
    python benchmarks/kpca_cost.py --write notebooks/data/ch08_cost.csv

One BLAS thread; for each n the median of several runs, in seconds of the processor. Digits, Gaussian kernel. The
chapter reads growth off the table, and who is ahead, not speed.
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
from scipy.linalg import eigh
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA

from kcourse import Gaussian
from kcourse.kpca import KernelPCA, centre

SIZES = (200, 283, 400, 566, 800, 1131, 1600)
SIGMA, Q = 30.0, 20
PICTURES = load_digits().data
NEW = PICTURES[-100:]


def all_axes(X: np.ndarray) -> np.ndarray:
    """Every eigenvalue and eigenvector, by LAPACK."""
    return eigh(centre(Gaussian(SIGMA)(X)))[0][::-1][:Q]


def few_axes(X: np.ndarray) -> np.ndarray:
    return KernelPCA(Gaussian(SIGMA), n_components=Q).fit(X).eigenvalues_


def theirs(X: np.ndarray) -> np.ndarray:
    model = TheirKernelPCA(Q, kernel="rbf", gamma=1 / (2 * SIGMA**2), eigen_solver="arpack", random_state=0)
    return model.fit(X).eigenvalues_


def seconds(call: Callable[[], object], runs: int) -> float:
    """Median processor time of ``runs`` calls after one that is not counted."""
    return statistics.median(_table.times(call, runs, time.process_time))


def row(n: int) -> tuple[float, ...]:
    X = PICTURES[:n]
    right = all_axes(X)
    assert np.abs(few_axes(X) - right).max() < 1e-9 * right[0]
    assert np.abs(theirs(X) - right).max() < 1e-9 * right[0]
    model = KernelPCA(Gaussian(SIGMA), n_components=Q).fit(X)
    scores = model.transform(NEW)
    calls = (
        lambda: all_axes(X),
        lambda: few_axes(X),
        lambda: theirs(X),
        lambda: model.transform(NEW),
        lambda: model.pre_image(scores, tol=1e-3),
    )
    return (n, *(seconds(call, 9 if n < 600 else 5) for call in calls))


if __name__ == "__main__":
    columns = "n,all_axes,few_axes,sklearn_few,score_100,pre_image_100"
    about = f"medians in seconds of the processor, digits, d = 64, q = {Q}; "
    _table.main(__doc__, "kpca_cost.py", about, columns, map(row, SIZES))
