"""Memory of 20 000 predictions of models of 2000 points, whose kernel values have 320 MB."""

from __future__ import annotations

import tracemalloc
from functools import partial

import numpy as np

from benchmarks.harness import Limit
from kcourse import Gaussian, KernelRidge, ThinPlate, gp, kpca, neighbors, rbf

K = Gaussian(0.5)
MODELS = {
    "thin-plate interpolation": lambda X, y: rbf.RBFInterpolator(ThinPlate()).fit(X, y).predict,
    "kernel ridge": lambda X, y: KernelRidge(K).fit(X, y).predict,
    "GP mean and standard deviation": lambda X, y: partial(gp.GaussianProcess(K).fit(X, y).predict, return_std=True),
    "kernel PCA scores": lambda X, y: kpca.KernelPCA(K).fit(X).transform,
    "kernel LDA": lambda X, y: kpca.KernelFisherDiscriminant(K).fit(X, y > 0).predict,
    "Nadaraya–Watson": lambda X, y: neighbors.NadarayaWatson(K).fit(X, y).predict,
}


def megabytes(fit):
    X, Q = (np.random.default_rng(n).standard_normal((n, 2)) for n in (2000, 20_000))
    predict = fit(X, X[:, 0])
    predict(Q[:10])  # imports
    tracemalloc.start()
    predict(Q)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


def rows():
    for name, fit in MODELS.items():
        yield Limit(f"{name}, n = 2000, 20000 queries: memory", "MB", 25, partial(megabytes, fit))
