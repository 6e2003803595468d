"""Wrong answers to chapter 4 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch04_gp.alternatives import by_inverse, with_slogdet
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("gp_posterior")
def variance_of_something_else(K, Ks, kss, y, noise_var):
    mean, var = by_inverse(K, Ks, kss, y, noise_var)
    return mean, var - 2 * kss


@wrong("gp_log_marginal")
def of_independent_points(K, y, noise_var):
    v = np.diag(K) + noise_var
    return -0.5 * np.sum(y**2 / v + np.log(2 * np.pi * v))


wrong("gp_sample")(
    lambda mean, cov, Z: mean + np.random.default_rng(0).normal(size=Z.shape) @ np.linalg.cholesky(cov).T
)


@wrong("gp_sample")
def by_eigenvectors_alone(mean, cov, Z):
    w, V = np.linalg.eigh(cov)
    return mean + Z @ (V * np.sqrt(w)).T


wrong("bridge_cov")(lambda t: np.minimum.outer(t, t) - t[:, None] ** 2 * t)


@wrong("lml_grad_log_ell")
def by_coarse_differences(x, y, ell, noise_var):
    def value(e):
        return with_slogdet(np.exp(-(np.subtract.outer(x, x) ** 2) / (2 * e**2)), y, noise_var)

    return (value(ell * 1.2) - value(ell)) / np.log(1.2)


@wrong("forecast_coverage")
def judged_on_what_was_seen(K, Ks, kss, y, noise_var, y_new):
    mean, var = by_inverse(K, K, np.diag(K), y - y.mean(), noise_var)
    miss = y - y.mean() - mean
    return np.sqrt(np.mean(miss**2)), np.mean(np.abs(miss) <= 1.96 * np.sqrt(var + noise_var))
