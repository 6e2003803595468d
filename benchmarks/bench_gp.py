"""Gaussian processes: the log marginal likelihood with its gradient, fits that learn, predictions with their band."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, Matern, WhiteKernel

from benchmarks.harness import Growth, Row
from kcourse import kernels
from kcourse.gp import GaussianProcess

D, WIDTH, NOISE = 8, 2.0, 0.1
ISO, ARD = kernels.Gaussian(WIDTH), kernels.Gaussian((WIDTH,) * D)


def data(n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, D))
    return X, np.sin(X[:, 0]) + 0.5 * X[:, 1] + np.sqrt(NOISE) * rng.standard_normal(n)


def fitted(n, ours, theirs):
    """Both, fitted without learning; scikit-learn learns the noise variance too where its kernel has a WhiteKernel."""
    X, y = data(n)
    alpha = 0 if "White" in repr(theirs) else NOISE
    peer = GaussianProcessRegressor(theirs, alpha=alpha, optimizer=None).fit(X, y)
    return GaussianProcess(ours, noise_variance=NOISE).fit(X, y), peer


def evidence(model):
    theta = np.append(model.kernel_.theta, np.log(NOISE))
    return model.log_marginal_likelihood(theta, eval_gradient=True)


def their_evidence(peer):
    return peer.log_marginal_likelihood(peer.kernel_.theta, eval_gradient=True, clone_kernel=False)


def learn(Xy):
    return GaussianProcess(1.0 * kernels.Gaussian(1.0), noise_variance=1.0, optimize=True).fit(*Xy)


def they_learn(Xy):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return GaussianProcessRegressor(1.0 * RBF(1.0) + WhiteKernel(1.0), alpha=0).fit(*Xy)


def rows():
    task = "GP log marginal likelihood and gradient, {}, n = {}, d = 8"
    cases = (
        ("one width", ISO, RBF(WIDTH), "GaussianProcessRegressor without a gradient for the noise", 0.5),
        ("one width", ISO, RBF(WIDTH) + WhiteKernel(NOISE), "GaussianProcessRegressor with WhiteKernel", 0.4),
        ("8 widths", ARD, RBF([WIDTH] * D) + WhiteKernel(NOISE), "GaussianProcessRegressor with WhiteKernel", 0.25),
        (
            "Matérn 5/2, one width", kernels.Matern(2.5, WIDTH), Matern(WIDTH, nu=2.5) + WhiteKernel(NOISE),
            "GaussianProcessRegressor with WhiteKernel", 0.6,
        ),
    )  # fmt: skip
    for n in (500, 1000):
        for name, ours, theirs, peer, bar in cases:
            yield Row(
                task.format(name, n), peer, bar,
                lambda models: evidence(models[0]), lambda models: their_evidence(models[1]),
                setup=lambda n=n, ours=ours, theirs=theirs: fitted(n, ours, theirs),
            )  # fmt: skip
    yield Row(
        "GP fit that learns height, width and noise, n = 500", "GaussianProcessRegressor with WhiteKernel", 0.45,
        learn, they_learn, setup=lambda: data(500), runs=3,
    )  # fmt: skip
    yield Row(
        "GP mean at one point, n = 2000, d = 8", "GaussianProcessRegressor", 1.0,
        lambda m: m[0].predict(m[0].X_fit_[:1] + 0.1), lambda m: m[1].predict(m[0].X_fit_[:1] + 0.1),
        setup=lambda: fitted(2000, ISO, RBF(WIDTH)),
    )  # fmt: skip
    yield Row(
        "GP mean and standard deviation at 1000 points, n = 1000", "GaussianProcessRegressor", 1.0,
        lambda models: models[0].predict(data(1000)[0], return_std=True),
        lambda models: models[1].predict(data(1000)[0], return_std=True),
        setup=lambda: fitted(1000, ISO, RBF(WIDTH)),
    )  # fmt: skip
    yield Growth(
        "GP log marginal likelihood and gradient", (500, 1000, 2000),
        lambda n: GaussianProcess(ISO, noise_variance=NOISE).fit(*data(n)), evidence, expected="n³",
    )  # fmt: skip
