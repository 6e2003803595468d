"""Kernel ridge regression: fit and predict, the leave-one-out path, growth with n."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky
from sklearn import kernel_ridge
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import GridSearchCV

from benchmarks.harness import Growth, Row
from kcourse import Gaussian, KernelRidge, loo_path

D, SIGMA, LAM = 10, 3.0, 0.1
GAMMA = 1 / (2 * SIGMA**2)
LAMS = np.logspace(-4, 2, 25)


def data(n):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, D))
    return X, np.sin(X[:, 0]) + 0.1 * rng.normal(size=n)


def fitted(n):
    Xy = data(n)
    peer = kernel_ridge.KernelRidge(kernel="rbf", gamma=GAMMA, alpha=LAM).fit(*Xy)
    return KernelRidge(Gaussian(SIGMA), lam=LAM).fit(*Xy), peer, Xy[0][:1] + 0.1


def ours_loo(Xy):
    X, y = Xy
    return loo_path(Gaussian(SIGMA)(X), y, LAMS).best_lam


def ridge_cv(Xy):
    """Leave-one-out by RidgeCV: linear in the rows of L, where K = LLᵀ, is the same model."""
    X, y = Xy
    K = Gaussian(SIGMA)(X)
    K.flat[:: len(K) + 1] += 1e-10  # K itself has no Cholesky factor in floating point
    return RidgeCV(alphas=LAMS, fit_intercept=False).fit(cholesky(K, lower=True), y).alpha_


def grid_search(Xy):
    model = kernel_ridge.KernelRidge(kernel="rbf", gamma=GAMMA)
    return GridSearchCV(model, {"alpha": LAMS}, cv=5, scoring="neg_mean_squared_error").fit(*Xy).best_params_


def rows():
    for n in (500, 2000, 4000):
        yield Row(
            f"kernel ridge fit and predict, n = {n}, d = {D}", "KernelRidge", 0.65,
            lambda Xy: KernelRidge(Gaussian(SIGMA), lam=LAM).fit(*Xy).predict(Xy[0]),
            lambda Xy: kernel_ridge.KernelRidge(kernel="rbf", gamma=GAMMA, alpha=LAM).fit(*Xy).predict(Xy[0]),
            setup=lambda n=n: data(n), memory=400 if n > 2000 else 0,
        )  # fmt: skip
    yield Row(
        f"kernel ridge predict at one point, n = 4000, d = {D}", "KernelRidge", 0.3,
        lambda models: models[0].predict(models[2]), lambda models: models[1].predict(models[2]),
        setup=lambda: fitted(4000),
    )  # fmt: skip
    task = f"leave-one-out for {len(LAMS)} values of λ, n = 2000"
    yield Row(task, "RidgeCV on Cholesky features", 0.8, ours_loo, ridge_cv, setup=lambda: data(2000), runs=3)
    yield Row(task, "5-fold GridSearchCV", 0.15, ours_loo, grid_search, setup=lambda: data(2000), runs=3)
    yield Growth(
        "kernel ridge fit", (500, 1000, 2000, 4000), data, lambda Xy: KernelRidge(Gaussian(SIGMA), lam=LAM).fit(*Xy),
        expected="n² for K, then n³",
    )  # fmt: skip
