"""What kernel PCA costs as n grows: digits, Gaussian kernel.

The chapter reads growth off the table, and who is ahead, not speed.
"""

from __future__ import annotations

import statistics

import numpy as np
from scipy.linalg import eigh
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA

from kcourse import Gaussian
from kcourse.kpca import KernelPCA, centre
from measured import Row, table
from measured.common import times

SIGMA, Q = 30.0, 20


def all_axes(X: np.ndarray) -> np.ndarray:
    """Every eigenvalue and eigenvector, by LAPACK."""
    return eigh(centre(Gaussian(SIGMA)(X)))[0][::-1][:Q]


def few_axes(X: np.ndarray) -> np.ndarray:
    return KernelPCA(Gaussian(SIGMA), n_components=Q).fit(X).eigenvalues_


def theirs(X: np.ndarray) -> np.ndarray:
    model = TheirKernelPCA(Q, kernel="rbf", gamma=1 / (2 * SIGMA**2), eigen_solver="arpack", random_state=0)
    return model.fit(X).eigenvalues_


@table("median seconds of the processor, digits, d = 64, q = 20", over=(200, 283, 400, 566, 800, 1131, 1600),
       of="sizes n", timed=True)  # fmt: skip
def ch08_cost(n: int) -> Row:
    pictures = load_digits().data
    X, new = pictures[:n], pictures[-100:]
    right = all_axes(X)
    assert np.abs(few_axes(X) - right).max() < 1e-9 * right[0]
    assert np.abs(theirs(X) - right).max() < 1e-9 * right[0]
    model = KernelPCA(Gaussian(SIGMA), n_components=Q).fit(X)
    scores = model.transform(new)
    calls = {
        "all_axes": lambda: all_axes(X),
        "few_axes": lambda: few_axes(X),
        "sklearn_few": lambda: theirs(X),
        "score_100": lambda: model.transform(new),
        "pre_image_100": lambda: model.pre_image(scores, tol=1e-3),
    }
    runs = 9 if n < 600 else 5
    return {"n": n} | {name: statistics.median(times(call, runs)) for name, call in calls.items()}
