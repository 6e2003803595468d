"""Wrong answers to chapter 4 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch04_gp.alternatives import by_inverse, with_limits, with_slogdet
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("gp_posterior", says="returned one array, of shape")
def mean_alone(K, Ks, kss, y, noise_var):
    return by_inverse(K, Ks, kss, y, noise_var)[0]


@wrong("gp_posterior")
def whole_covariance(K, Ks, kss, y, noise_var):
    G = np.linalg.inv(K + noise_var * np.eye(len(y)))
    return Ks @ G @ y, np.diag(kss) - Ks @ G @ Ks.T


@wrong("gp_posterior", says="a negative variance")
def variance_of_something_else(K, Ks, kss, y, noise_var):
    mean, var = by_inverse(K, Ks, kss, y, noise_var)
    return mean, var - 2 * kss


@wrong("gp_log_marginal", says="One number")
def one_for_each_point(K, y, noise_var):
    return -0.5 * y**2 / (np.diag(K) + noise_var)


@wrong("gp_log_marginal")
def of_independent_points(K, y, noise_var):
    v = np.diag(K) + noise_var
    return -0.5 * np.sum(y**2 / v + np.log(2 * np.pi * v))


@wrong("gp_sample", says="returned shape")
def draws_in_columns(mean, cov, Z):
    return (mean + Z @ np.linalg.cholesky(cov).T).T[:, :1]


@wrong("gp_sample")
def numbers_of_its_own(mean, cov, Z):
    return mean + np.random.default_rng(0).normal(size=Z.shape) @ np.linalg.cholesky(cov).T


@wrong("gp_sample", says="by another root of it")
def by_eigenvectors_alone(mean, cov, Z):
    w, V = np.linalg.eigh(cov)
    return mean + Z @ (V * np.sqrt(w)).T


@wrong("gp_sample", says="by another root of it")
def by_singular_values(mean, cov, Z):
    U, s, _ = np.linalg.svd(cov)
    return mean + (U @ (np.sqrt(s)[:, None] * Z.T)).T


@wrong("bridge_cov", says="returned shape")
def variances_alone(t):
    return t * (1 - t)


@wrong("bridge_cov", says="not symmetric")
def rows_and_columns_mixed_up(t):
    return np.minimum.outer(t, t) - t[:, None] ** 2 * t


@wrong("lml_grad_log_ell", says="")
def of_the_noise(x, y, ell, noise_var):
    D2 = np.subtract.outer(x, x) ** 2
    A = np.exp(-D2 / (2 * ell**2)) + noise_var * np.eye(len(x))
    a = np.linalg.solve(A, y)
    return 0.5 * noise_var * (a @ a - np.trace(np.linalg.inv(A)))


@wrong("lml_grad_log_ell")
def by_coarse_differences(x, y, ell, noise_var):
    def value(e):
        return with_slogdet(np.exp(-(np.subtract.outer(x, x) ** 2) / (2 * e**2)), y, noise_var)

    return (value(ell * 1.2) - value(ell)) / np.log(1.2)


@wrong("lml_grad_log_ell", "term of fit only")
def trace_of_the_entrywise_product(x, y, ell, noise_var):
    D2 = np.subtract.outer(x, x) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    dK, G = K * D2 / ell**2, np.linalg.inv(K + noise_var * np.eye(len(x)))
    a = G @ y
    return 0.5 * a @ dK @ a - 0.5 * np.trace(G * dK)


@wrong("forecast_coverage", says="should return 2 numbers")
def coverage_alone(K, Ks, kss, y, noise_var, y_new):
    return with_limits(K, Ks, kss, y, noise_var, y_new)[1]


@wrong("forecast_coverage")
def judged_on_what_was_seen(K, Ks, kss, y, noise_var, y_new):
    mean, var = by_inverse(K, K, np.diag(K), y - y.mean(), noise_var)
    miss = y - y.mean() - mean
    return np.sqrt(np.mean(miss**2)), np.mean(np.abs(miss) <= 1.96 * np.sqrt(var + noise_var))


@wrong("gp_posterior", says="the first is right; the rest is not")
def less_is_taken_away(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return Ks @ np.linalg.solve(A, y), kss - 0.8 * np.sum(Ks * np.linalg.solve(A, Ks.T).T, axis=1)
