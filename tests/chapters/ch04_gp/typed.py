"""Each named slip of chapter 4 as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


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


typed.changes(
    "gp_posterior",
    gp_posterior,
    {
        "standard deviation for the noise variance": ("noise_var *", "np.sqrt(noise_var) *"),
        "noise variance squared": ("noise_var *", "noise_var**2 *"),
        "variance of a new measurement": ("= kss", "= kss + noise_var"),
        "standard deviation for variance": ("return mean, var", "return mean, np.sqrt(var)"),
        "no noise": (" + noise_var * np.eye(n)", ""),
        "noise in every entry": (" * np.eye(n)", ""),
        "noise in the mean alone": ("np.diag(B @ G", "np.diag(B @ np.linalg.inv(K)"),
        "prior variance": (" - explained", ""),
        "reduction added": ("kss - explained", "kss + explained"),
        "prior variance of one": ("= kss", "= 1"),
        "y centred": ("= B @ G @ y", "= y.mean() + B @ G @ (y - y.mean())"),
        "variance and mean exchanged": ("return mean, var", "return var, mean"),
        "noise in the cross covariances": ("B = Ks", "B = Ks + noise_var * np.eye(len(Ks), n)"),
        "mean of y added": ("= B @ G @ y", "= y.mean() + B @ G @ y"),
        "mean solved half way": ("= B @ G @ y", "= B @ np.linalg.solve(np.linalg.cholesky(A), y)"),
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


typed.changes(
    "gp_log_marginal",
    gp_log_marginal,
    {
        "log det without a half": ("0.5 * logdet", "logdet"),
        "log det quartered": ("0.5 * logdet", "np.log(np.diag(np.linalg.cholesky(A))).sum() / 2"),
        "no constant": (" - 0.5 * constant", ""),
        "constant with the wrong sign": ("- 0.5 * constant", "+ 0.5 * constant"),
        "log det of the kernel alone": ("slogdet(A)", "slogdet(K)"),
        "fit without a half": ("-0.5 * fit", "-fit"),
        "negative": ("-0.5 * fit - 0.5 * logdet - 0.5 * constant", "0.5 * (fit + logdet + constant)"),
        "complexity with the wrong sign": ("- 0.5 * logdet", "+ 0.5 * logdet"),
        "no noise": (" + noise_var * np.eye(len(K))", ""),
        "standard deviation for the noise variance": ("noise_var *", "noise_var**0.5 *"),
        "constant for one point": ("len(y) * ", ""),
        "mean over the points": (
            "-0.5 * fit - 0.5 * logdet - 0.5 * constant",
            "-0.5 * (fit + logdet + constant) / len(y)",
        ),
        "density itself": ("-0.5 * fit - 0.5 * logdet - 0.5 * constant", "np.exp(-0.5 * (fit + logdet + constant))"),
        "constant without a half": ("0.5 * constant", "constant"),
        "fit by the kernel alone": ("solve(A, y)", "solve(K, y)"),
        "noise in every entry": (" * np.eye(len(K))", ""),
    },
)


# -- 4.3


def gp_sample(mean, cov, Z):
    L = np.linalg.cholesky(cov)
    return mean + Z @ L.T


typed.changes(
    "gp_sample",
    gp_sample,
    {
        "factor without the transpose": ("L.T", "L"),
        "covariance for its factor": ("L.T", "cov"),
        "mean forgotten": ("mean + Z", "Z"),
        "standard deviations alone": ("@ L.T", "* np.sqrt(np.diag(cov))"),
        "variances for standard deviations": ("@ L.T", "* np.diag(cov)"),
        "mean scaled, too": ("mean + Z", "(mean + Z)"),
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


typed.changes(
    "bridge_cov",
    bridge_cov,
    {
        "unconditioned": (" - np.outer(t, t)", ""),
        "maximum for minimum": ("minimum", "maximum"),
        "diagonal only": ("m - np.outer(t, t)", "np.diag(t - t**2)"),
        "plus for minus": ("m - np", "m + np"),
        "product of the bridges' variances": ("m - np.outer(t, t)", "np.outer(t * (1 - t), t * (1 - t))"),
        "times sorted first": ("m = ", "t = np.sort(t)\n    m = "),
        "variance repeated along rows": ("m - np.outer(t, t)", "m * (1 - t)"),
        "conditioned on one's own square": ("np.outer(t, t)", "m**2"),
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


typed.changes(
    "lml_grad_log_ell",
    lml_grad_log_ell,
    {
        "slope in the length itself": ("D2 / ell**2", "D2 / ell**3"),
        "without the halves": ("0.5 * fit - 0.5 * trace", "fit - trace"),
        "term of fit only": (" - 0.5 * trace", ""),
        "trace only": ("0.5 * fit - 0.5", "-0.5"),
        "sign turned round": ("0.5 * fit - 0.5 * trace", "0.5 * trace - 0.5 * fit"),
        "trace added": ("- 0.5 * trace", "+ 0.5 * trace"),
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


typed.changes(
    "forecast_coverage",
    forecast_coverage,
    {
        "band of the curve": ("var + noise_var", "var"),
        "not centred": ("y.mean()", "0"),
        "mean not added back": ("y_new - level", "y_new"),
        "one standard deviation": ("1.96 * ", ""),
        "one-sided quantile": ("1.96", "1.645"),
        "variance for standard deviation": ("np.sqrt(var + noise_var)", "var + noise_var"),
        "mean square without its root": ("np.sqrt(np.mean(e**2))", "np.mean(e**2)"),
        "mean absolute error": ("np.sqrt(np.mean(e**2))", "np.mean(np.abs(e))"),
        "coverage in per cent": ("np.mean(inside)", "100 * np.mean(inside)"),
        "fraction outside": ("np.abs(e) <=", "np.abs(e) >"),
        "two standard deviations": ("1.96", "2"),
        "upper end alone": ("np.abs(e) <=", "e <="),
        "lower end alone": ("np.abs(e) <=", "-e <="),
    },
)
