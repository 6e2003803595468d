"""Radial basis functions: interpolation, k-means, a network's fit."""

from __future__ import annotations

import numpy as np
from scipy import interpolate
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import KMeans
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from benchmarks.harness import Growth, Row
from kcourse.kernels import Gaussian, Multiquadric, ThinPlate
from kcourse.rbf import RBFInterpolator, RBFNetwork, kmeans, spread

C = 0.05


def plane(n):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(n, 2))
    return X, np.sin(6 * X[:, 0]) * X[:, 1], rng.uniform(size=(1000, 2))


def blobs(d, k=20, n=5000):
    rng = np.random.default_rng(0)
    X = 3 * rng.standard_normal((k, d))[rng.integers(k, size=n)] + rng.standard_normal((n, d))
    return X, X[:k].copy()


def noise(d):
    X = np.random.default_rng(0).standard_normal((5000, d))
    return X, X[:20].copy()


def sine(n, d=5):
    X = np.random.default_rng(0).standard_normal((n, d))
    return X, np.sin(X).sum(axis=1)


class HiddenLayer(TransformerMixin, BaseEstimator):
    """The hidden layer of the pipeline that scikit-learn's user would write."""

    def fit(self, X, y=None):
        self.centers_ = KMeans(50, n_init=1, random_state=0, max_iter=100).fit(X).cluster_centers_
        self.gamma_ = 1 / (2 * spread(self.centers_) ** 2)
        return self

    def transform(self, X):
        return rbf_kernel(X, self.centers_, gamma=self.gamma_)


def lloyd(X_init):
    X, init = X_init
    return KMeans(len(init), init=init, n_init=1, algorithm="lloyd", tol=0, max_iter=300).fit(X)


def rows():
    for name, n, kernel, options, bar in (
        ("Gaussian", 1000, Gaussian(C), {"kernel": "gaussian", "epsilon": 1 / (np.sqrt(2) * C)}, 0.8),
        ("multiquadric", 1000, Multiquadric(C), {"kernel": "multiquadric", "epsilon": 1 / C, "degree": 0}, 1.5),
        ("thin-plate", 1000, ThinPlate(1.0), {}, 1.3),
        ("thin-plate", 3000, ThinPlate(1.0), {}, 1.1),
    ):
        degree = options.get("degree")
        yield Row(
            f"{name} interpolation of {n} points, d = 2, at 1000 others", "scipy.interpolate.RBFInterpolator", bar,
            lambda D, k=kernel, q=degree: RBFInterpolator(k, degree=q).fit(*D[:2]).predict(D[2]),
            lambda D, o=options: interpolate.RBFInterpolator(*D[:2], **o)(D[2]), setup=lambda n=n: plane(n),
        )  # fmt: skip
    for what, make in (("20 overlapping blobs", blobs), ("noise without groups", noise)):
        for d in (2, 10):
            yield Row(
                f"k-means to the end, {what}, n = 5000, k = 20, d = {d}",
                'KMeans(algorithm="lloyd", tol=0), same start', 1.8,
                lambda D: kmeans(D[0], 20, init=D[1]), lloyd, setup=lambda make=make, d=d: make(d),
            )  # fmt: skip
            yield Row(
                # until nothing changes, where scikit-learn's tol of 1e-4 ends earlier
                f"k-means at both defaults, {what}, n = 5000, k = 20, d = {d}", "KMeans", 3.5,
                lambda D: kmeans(D[0], 20, rng=0), lambda D: KMeans(20, random_state=0).fit(D[0]),
                setup=lambda make=make, d=d: make(d),
            )  # fmt: skip
    yield Row(
        "RBF network fit and predict, m = 50, n = 5000, d = 5", "KMeans, rbf_kernel, Ridge in a pipeline", 1.5,
        lambda D: RBFNetwork(50).fit(*D).predict(D[0]),
        lambda D: make_pipeline(HiddenLayer(), Ridge(alpha=1e-6)).fit(*D).predict(D[0]), setup=lambda: sine(5000),
    )  # fmt: skip
    yield Growth("RBF network fit, m = 50", (1000, 4000, 16_000), sine, lambda D: RBFNetwork(50).fit(*D), "n", runs=3)
