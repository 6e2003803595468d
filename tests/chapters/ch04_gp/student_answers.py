"""Wrong answers to chapter 4 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch04_gp.right_answers import (
    as_smaller_times_one_minus_larger,
    by_inverse,
    in_columns,
    with_limits,
    with_slogdet,
)
from tests.chapters.student_answers import Mistakes, Wrong, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# -- 4.1


def gp_posterior(K, Ks, kss, y, noise_var):
    n = len(y)
    A = K + noise_var * np.eye(n)
    B = Ks
    G = np.linalg.inv(A)
    mean = B @ G @ y
    explained = np.diag(B @ G @ B.T)
    var = kss - explained
    return mean, var


mistake.changes(
    "gp_posterior",
    gp_posterior,
    {
        "standard deviation for the noise variance": ("noise_var *", "np.sqrt(noise_var) *"),
        "variance of a new measurement": ("= kss", "= kss + noise_var"),
        "standard deviation for variance": ("return mean, var", "return mean, np.sqrt(var)"),
        "no noise": (" + noise_var * np.eye(n)", ""),
        "noise in every entry": (" * np.eye(n)", ""),
        "prior variance": (" - explained", ""),
        "reduction added": ("kss - explained", "kss + explained"),
        "prior variance of one": ("= kss", "= 1"),
        "mean solved with L alone": ("= B @ G @ y", "= B @ np.linalg.solve(np.linalg.cholesky(A), y)"),
        "K inverted before the noise": ("np.linalg.inv(A)", "(np.linalg.inv(K) + noise_var * np.eye(n))"),
        "mean without the inverse": ("= B @ G @ y", "= B @ y"),
        "squares of the whole solution": ("np.diag(B @ G @ B.T)", "((G @ B.T) ** 2).sum(axis=0)"),
    },
)


# -- 4.2


def gp_log_marginal(K, y, noise_var):
    A = K + noise_var * np.eye(len(K))
    fit = y @ np.linalg.solve(A, y)
    logdet = np.linalg.slogdet(A)[1]
    constant = len(y) * np.log(2 * np.pi)
    return -0.5 * fit - 0.5 * logdet - 0.5 * constant


mistake.changes(
    "gp_log_marginal",
    gp_log_marginal,
    {
        "log det without a half": ("0.5 * logdet", "logdet"),
        "log det quartered": ("0.5 * logdet", "np.log(np.diag(np.linalg.cholesky(A))).sum() / 2"),
        "no constant": (" - 0.5 * constant", ""),
        "log det of the kernel alone": ("slogdet(A)", "slogdet(K)"),
        "fit without a half": ("-0.5 * fit", "-fit"),
        "negative": ("-0.5 * fit - 0.5 * logdet - 0.5 * constant", "0.5 * (fit + logdet + constant)"),
        "complexity with the wrong sign": ("- 0.5 * logdet", "+ 0.5 * logdet"),
        "no noise": (" + noise_var * np.eye(len(K))", ""),
        "standard deviation for the noise variance": ("noise_var *", "noise_var**0.5 *"),
        "constant for one point": ("len(y) * ", ""),
        "y centred": ("fit = y @", "y = y - y.mean()\n    fit = y @"),
        "constant without a half": ("0.5 * constant", "constant"),
    },
)


# -- 4.3


def gp_sample(mean, cov, Z):
    L = np.linalg.cholesky(cov)
    return mean + Z @ L.T


mistake.changes(
    "gp_sample",
    gp_sample,
    {
        "factor without the transpose": ("L.T", "L"),
        "covariance for its factor": ("L.T", "cov"),
        "mean forgotten": ("mean + Z", "Z"),
        "standard deviations alone": ("@ L.T", "* np.sqrt(np.diag(cov))"),
        "mean multiplied by the factor": ("mean + Z", "(mean + Z)"),
        "symmetric root": (
            "L = np.linalg.cholesky(cov)",
            "w, U = np.linalg.eigh(cov)",
            "L.T",
            "(U * np.sqrt(w)) @ U.T",
        ),
    },
)


# -- 4.4


def bridge_cov(t):
    m = np.minimum(t[:, None], t[None, :])
    return m - np.outer(t, t)


mistake.changes(
    "bridge_cov",
    bridge_cov,
    {
        "unconditioned": (" - np.outer(t, t)", ""),
        "maximum for minimum": ("minimum", "maximum"),
        "diagonal only": ("m - np.outer(t, t)", "np.diag(t - t**2)"),
        "plus for minus": ("m - np", "m + np"),
        "times sorted first": ("m = ", "t = np.sort(t)\n    m = "),
        "variance repeated along rows": ("m - np.outer(t, t)", "m * (1 - t)"),
        "square of the minimum subtracted": ("np.outer(t, t)", "m**2"),
    },
)


# -- 4.5


def lml_grad_log_ell(x, y, ell, noise_var):
    D2 = (x[:, None] - x[None, :]) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    dK = K * D2 / ell**2
    A = K + noise_var * np.eye(len(x))
    alpha = np.linalg.solve(A, y)
    fit = alpha @ dK @ alpha
    trace = np.trace(np.linalg.solve(A, dK))
    return 0.5 * fit - 0.5 * trace


mistake.changes(
    "lml_grad_log_ell",
    lml_grad_log_ell,
    {
        "slope in the length itself": ("D2 / ell**2", "D2 / ell**3"),
        "without the halves": ("0.5 * fit - 0.5 * trace", "fit - trace"),
        "term of fit only": (" - 0.5 * trace", ""),
        "trace only": ("0.5 * fit - 0.5", "-0.5"),
        "trace of an entrywise product": (
            "0.5 * fit - 0.5 * trace",
            "0.5 * np.trace((np.outer(alpha, alpha) - np.linalg.inv(A)) * dK)",
        ),
        "sign reversed": ("0.5 * fit - 0.5 * trace", "0.5 * trace - 0.5 * fit"),
        "derivative of the exponent with a half": ("D2 / ell**2", "D2 / (2 * ell**2)"),
        "kernel missing in its derivative": ("K * D2", "D2"),
        "length not squared": ("D2 / ell**2", "D2 / ell"),
        "noise forgotten": (" + noise_var * np.eye(len(x))", ""),
    },
)


# -- 4.6


def forecast_coverage(K, Ks, kss, y, noise_var, y_new):
    level = y.mean()
    mean, var = gp_posterior(K, Ks, kss, y - level, noise_var)
    e = y_new - level - mean
    sd = np.sqrt(var + noise_var)
    inside = np.abs(e) <= 1.96 * sd
    return np.sqrt(np.mean(e**2)), np.mean(inside)


mistake.changes(
    "forecast_coverage",
    forecast_coverage,
    {
        "band of the curve": ("var + noise_var", "var"),
        "not centred": ("y.mean()", "0"),
        "mean not added back": ("y_new - level", "y_new"),
        "one standard deviation": ("1.96 * ", ""),
        "variance for standard deviation": ("np.sqrt(var + noise_var)", "var + noise_var"),
        "mean square without its root": ("np.sqrt(np.mean(e**2))", "np.mean(e**2)"),
        "mean absolute error": ("np.sqrt(np.mean(e**2))", "np.mean(np.abs(e))"),
        "coverage in %": ("np.mean(inside)", "100 * np.mean(inside)"),
        "fraction outside": ("np.abs(e) <=", "np.abs(e) >"),
        "two standard deviations": ("1.96", "2"),
        "upper end alone": ("np.abs(e) <=", "e <="),
        "lower end alone": ("np.abs(e) <=", "-e <="),
    },
)


RAISING: dict[str, tuple] = {}


def squeezed_parts(K, Ks, kss, y, noise_var):
    mean, var = by_inverse(K, Ks, kss, y, noise_var)
    return np.squeeze(mean), np.squeeze(var)


def with_det(K, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return -0.5 * y @ np.linalg.solve(A, y) - 0.5 * np.log(np.linalg.det(A)) - 0.5 * len(y) * np.log(2 * np.pi)


def squeezed_draws(mean, cov, Z):
    return np.squeeze(in_columns(mean, cov, Z))


def divides_by_the_times(t):
    C = as_smaller_times_one_minus_larger(t)
    return C * (t / t)


def solves_with_the_kernel(x, y, ell, noise_var):
    D2 = np.subtract.outer(x, x) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    A = K + noise_var * np.eye(len(x))
    with np.errstate(divide="ignore", invalid="ignore"):
        dK = np.where(np.eye(len(x)) > 0, 0.0, K * D2**2 / D2 / ell**2)  # 0/0 for twins
    a = np.linalg.solve(A, y)
    return 0.5 * a @ dK @ a - 0.5 * np.trace(np.linalg.solve(A, dK))


def widens_narrow_bands(K, Ks, kss, y, noise_var, y_new):
    """As if no band could be narrower than half of the prior's."""
    rmse, _ = with_limits(K, Ks, kss, y, noise_var, y_new)
    mean, var = by_inverse(K, Ks, kss, y - y.mean(), noise_var)
    near = var < 0.5 * kss
    if near.mean() < 0.9:
        return with_limits(K, Ks, kss, y, noise_var, y_new)
    return rmse, np.mean(np.abs(y_new - mean - y.mean()) <= 1.96 * np.sqrt(0.25 * var))


ONLY = {
    ("gp_posterior", 1): squeezed_parts,
    ("gp_log_marginal", 1): with_det,
    ("gp_sample", 1): squeezed_draws,
    ("bridge_cov", 1): divides_by_the_times,
    ("lml_grad_log_ell", 1): solves_with_the_kernel,
    ("forecast_coverage", 1): widens_narrow_bands,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)


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
