"""Kernel PCA on the digits: few axes of many points, against scikit-learn's solvers."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA

from benchmarks.harness import Growth, Row
from kcourse import Gaussian
from kcourse.kpca import KernelFisherDiscriminant, KernelPCA

SIGMA = 34.0  # pixels run from 0 to 16; about the root of half the mean squared distance
GAMMA = 1 / (2 * SIGMA**2)


def data(n):
    """The first ``n`` digits; beyond the 1797 there are, noisy copies."""
    X = load_digits().data
    copies = X[: max(0, n - len(X))]
    return np.vstack([X, copies + np.random.default_rng(0).standard_normal(copies.shape)])[:n]


def ours(X, q):
    return KernelPCA(Gaussian(SIGMA), n_components=q).fit_transform(X)


def theirs(X, q, solver):
    return TheirKernelPCA(q, kernel="rbf", gamma=GAMMA, eigen_solver=solver).fit_transform(X)


def rows():
    cases = ((2, "auto", 1.0), (20, "auto", 0.25), (20, "arpack", 0.9), (100, "auto", 0.9), (500, "auto", 1.2))
    for q, solver, bar in cases:
        yield Row(
            f"kernel PCA scores, digits, n = 2000, q = {q}", f'KernelPCA(eigen_solver="{solver}")', bar,
            lambda X, q=q: ours(X, q), lambda X, q=q, solver=solver: theirs(X, q, solver),
            setup=lambda: data(2000), runs=5,
        )  # fmt: skip
    yield Growth("kernel PCA, q = 20", (500, 1000, 2000), data, lambda X: ours(X, 20), expected="n²")
    yield Growth(
        "kernel LDA fit, ten classes", (500, 1000, 1700), lambda n: (data(n), load_digits().target[:n]),
        lambda Xy: KernelFisherDiscriminant(Gaussian(SIGMA), lam=1.0).fit(*Xy), expected="n³",
    )  # fmt: skip
