"""Neighbours and windows: search against scikit-learn, leave-one-out paths against loops, densities, growth with n."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, KNeighborsRegressor
from sklearn.neighbors import NearestCentroid as SklearnCentroid

from benchmarks.harness import Growth, Row
from kcourse import Linear
from kcourse.neighbors import KNNClassifier, KNNRegressor, NearestCentroid, ParzenDensity, nw_loo_path

SIGMAS = np.geomspace(0.1, 3.0, 25)


def data(n, d):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    return X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=n), rng.normal(size=(n, d))


def fitted(ours, theirs, labels=False):
    """A function of (n, d) that fits both and makes the queries."""

    def setup(n, d):
        X, y, Q = data(n, d)
        y = (y > 0).astype(int) if labels else y
        return ours.fit(X, y), theirs.fit(X, y), Q

    return setup


def awkward(n, d):
    """By name, points that are equal, alike or of very different sizes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, d))
    yield "all equal", np.ones((n, d))
    yield "of two values a feature", (X > 0).astype(float)
    yield "of ten copies each", X[rng.integers(0, n // 10, n)]
    yield "with a hundredth of all entries at 1e9", np.where(rng.random((n, d)) < 0.01, 1e9, X)


def naive_loo(Xy):
    """The whole matrix of weights anew for each σ, after distances that are computed once."""
    X, y, _ = Xy
    squares, errors = cdist(X, X, "sqeuclidean"), []
    for sigma in SIGMAS:
        W = np.exp(-squares / (2 * sigma**2))
        np.fill_diagonal(W, 0)
        with np.errstate(invalid="ignore"):  # 0/0 where a point is far from all others
            errors.append(np.mean((y - W @ y / W.sum(axis=1)) ** 2))
    return errors


def rows():
    for d in (2, 5, 20, 100):
        yield Row(
            f"5 nearest of n = 5000, 5000 queries, d = {d}: regression", "KNeighborsRegressor", 1.3,
            lambda m: m[0].predict(m[2]), lambda m: m[1].predict(m[2]),
            setup=lambda d=d: fitted(KNNRegressor(5), KNeighborsRegressor(5))(5000, d),
        )  # fmt: skip
    for d in (2, 20):
        yield Row(
            f"5 nearest of n = 5000, 5000 queries, d = {d}: labels", "KNeighborsClassifier", 1.3,
            lambda m: m[0].predict(m[2]), lambda m: m[1].predict(m[2]),
            setup=lambda d=d: fitted(KNNClassifier(5), KNeighborsClassifier(5), labels=True)(5000, d),
        )  # fmt: skip
    yield Row("5 nearest of n = 50000, 100 queries, d = 50: fit and predict", "KNeighborsRegressor", 3.5,
              lambda D: KNNRegressor(5).fit(*D[:2]).predict(D[2][:100]), setup=lambda: data(50_000, 50),
              theirs=lambda D: KNeighborsRegressor(5).fit(*D[:2]).predict(D[2][:100]))  # fmt: skip
    for n, d in ((100_000, 3), (20_000, 20)):
        for name, X in awkward(n, d):
            yield Row(
                f"5 nearest of n = {n}, 2000 queries, d = {d}, points {name}", "KNeighborsRegressor", 3.0,
                lambda X: KNNRegressor(5).fit(X, X[:, 0]).predict(X[:2000]),
                lambda X: KNeighborsRegressor(5).fit(X, X[:, 0]).predict(X[:2000]),
                setup=lambda X=X: X, runs=3,
            )  # fmt: skip
    yield Row("linear nearest mean, n = 5000, 5000 queries, d = 20", "NearestCentroid", 0.12,
              lambda m: m[0].predict(m[2]), lambda m: m[1].predict(m[2]),
              setup=lambda: fitted(NearestCentroid(Linear()), SklearnCentroid(), labels=True)(5000, 20))  # fmt: skip
    for d in (2, 20):
        task = f"leave-one-out for {len(SIGMAS)} widths, n = 2000, d = {d}"
        yield Row(task, "a loop over whole matrices in NumPy", 0.8, lambda Xy: nw_loo_path(*Xy[:2], SIGMAS).best,
                  naive_loo, setup=lambda d=d: data(2000, d))  # fmt: skip
        yield Row(
            f"log density at 2000 of n = 2000, d = {d}", "KernelDensity", 0.12,
            lambda m: m[0].log_density(m[2]), lambda m: m[1].score_samples(m[2]),
            setup=lambda d=d: fitted(ParzenDensity(0.5), KernelDensity(bandwidth=0.5))(2000, d), runs=3,
        )  # fmt: skip
    for d, sizes, expected in ((2, (2000, 4000, 8000, 16_000), "n log n"), (20, (2000, 4000, 8000), "n²")):
        setup = fitted(KNNRegressor(5), KNeighborsRegressor(5))
        yield Growth(f"5 nearest, n queries, d = {d}", sizes, lambda n, d=d, setup=setup: setup(n, d),
                     lambda m: m[0].predict(m[2]), expected)  # fmt: skip
