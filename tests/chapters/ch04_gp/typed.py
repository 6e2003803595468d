"""Each named slip of chapter 4 as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# -- 4.1


def explained(A, Ks):
    """The diagonal of Ks A⁻¹ Ksᵀ."""
    return np.diag(Ks @ np.linalg.inv(A) @ Ks.T)


def posterior(K, Ks, kss, y, noise_var):
    """The right one."""
    A = K + noise_var * np.eye(len(y))
    return Ks @ np.linalg.solve(A, y), kss - explained(A, Ks)


@typed("gp_posterior", "standard deviation for the noise variance")
def _(K, Ks, kss, y, noise_var):
    A = K + np.sqrt(noise_var) * np.eye(len(K))
    return Ks @ np.linalg.solve(A, y), kss - explained(A, Ks)


@typed("gp_posterior", "noise variance squared")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var**2 * np.eye(len(K))
    return Ks @ np.linalg.solve(A, y), kss - explained(A, Ks)


@typed("gp_posterior", "variance of a new measurement")
def _(K, Ks, kss, y, noise_var):
    A = cho_factor(K + noise_var * np.eye(len(y)))
    mean = Ks @ cho_solve(A, y)
    var = [kss[i] + noise_var - k @ cho_solve(A, k) for i, k in enumerate(Ks)]
    return mean, np.array(var)


@typed("gp_posterior", "standard deviation for variance")
def _(K, Ks, kss, y, noise_var):
    mean, var = posterior(K, Ks, kss, y, noise_var)
    return mean, np.sqrt(var)


typed("gp_posterior", "no noise")(lambda K, Ks, kss, y, noise_var: posterior(K, Ks, kss, y, 0))


@typed("gp_posterior", "noise in every entry")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var
    return Ks @ np.linalg.solve(A, y), kss - np.sum(Ks * np.linalg.solve(A, Ks.T).T, axis=1)


@typed("gp_posterior", "noise in the mean alone")
def _(K, Ks, kss, y, noise_var):
    mean = Ks @ np.linalg.solve(K + noise_var * np.eye(len(y)), y)
    return mean, kss - np.sum(Ks * np.linalg.solve(K, Ks.T).T, axis=1)


@typed("gp_posterior", "prior variance")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return Ks @ np.linalg.solve(A, y), kss


@typed("gp_posterior", "reduction added")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return Ks @ np.linalg.solve(A, y), kss + explained(A, Ks)


@typed("gp_posterior", "prior variance of one")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return Ks @ np.linalg.solve(A, y), 1 - explained(A, Ks)


@typed("gp_posterior", "y centred")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return y.mean() + Ks @ np.linalg.solve(A, y - y.mean()), kss - explained(A, Ks)


@typed("gp_posterior", "variance and mean exchanged")
def _(K, Ks, kss, y, noise_var):
    mean, var = posterior(K, Ks, kss, y, noise_var)
    return var, mean


@typed("gp_posterior", "noise in the cross covariances")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    B = Ks + noise_var * np.eye(len(Ks), len(K))
    return B @ np.linalg.solve(A, y), kss - explained(A, B)


@typed("gp_posterior", "mean of y added")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return np.mean(y) + Ks @ np.linalg.solve(A, y), kss - explained(A, Ks)


@typed("gp_posterior", "mean solved half way")
def _(K, Ks, kss, y, noise_var):
    L = np.linalg.cholesky(K + noise_var * np.eye(len(y)))
    z, V = np.linalg.solve(L, y), np.linalg.solve(L, Ks.T)
    return Ks @ z, kss - (V**2).sum(axis=0)


@typed("gp_posterior", "squares of the whole solution")
def _(K, Ks, kss, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    v = np.linalg.inv(A) @ Ks.T
    return Ks @ np.linalg.solve(A, y), kss - (v * v).sum(axis=0)


# -- 4.2


def three_terms(A, y):
    """Fit, log determinant and n log 2π: log p(y) is minus half of their sum."""
    return y @ np.linalg.solve(A, y), np.linalg.slogdet(A)[1], len(y) * np.log(2 * np.pi)


def noisy(K, noise_var):
    return K + noise_var * np.eye(len(K))


@typed("gp_log_marginal", "log det without a half")
def _(K, y, noise_var):
    L = np.linalg.cholesky(noisy(K, noise_var))
    z = np.linalg.solve(L, y)
    return -z @ z / 2 - 2 * np.log(np.diag(L)).sum() - len(y) / 2 * np.log(2 * np.pi)


@typed("gp_log_marginal", "log det quartered")
def _(K, y, noise_var):
    L = np.linalg.cholesky(noisy(K, noise_var))
    z = np.linalg.solve(L, y)
    return -0.5 * (z @ z + np.log(np.diag(L)).sum() + len(y) * np.log(2 * np.pi))


@typed("gp_log_marginal", "no constant")
def _(K, y, noise_var):
    fit, logdet, _ = three_terms(noisy(K, noise_var), y)
    return -0.5 * fit - 0.5 * logdet


@typed("gp_log_marginal", "constant with the wrong sign")
def _(K, y, noise_var):
    fit, logdet, constant = three_terms(noisy(K, noise_var), y)
    return -0.5 * fit - 0.5 * logdet + 0.5 * constant


@typed("gp_log_marginal", "log det of the kernel alone")
def _(K, y, noise_var):
    fit, _, constant = three_terms(noisy(K, noise_var), y)
    return -0.5 * fit - 0.5 * np.linalg.slogdet(K)[1] - 0.5 * constant


@typed("gp_log_marginal", "fit without a half")
def _(K, y, noise_var):
    fit, logdet, constant = three_terms(noisy(K, noise_var), y)
    return -fit - 0.5 * logdet - 0.5 * constant


@typed("gp_log_marginal", "negative")
def _(K, y, noise_var):
    fit, logdet, constant = three_terms(noisy(K, noise_var), y)
    return 0.5 * fit + 0.5 * logdet + 0.5 * constant


@typed("gp_log_marginal", "complexity with the wrong sign")
def _(K, y, noise_var):
    fit, logdet, constant = three_terms(noisy(K, noise_var), y)
    return -0.5 * fit + 0.5 * logdet - 0.5 * constant


typed("gp_log_marginal", "no noise")(lambda K, y, noise_var: -0.5 * sum(three_terms(K, y)))
typed("gp_log_marginal", "standard deviation for the noise variance")(
    lambda K, y, noise_var: -0.5 * sum(three_terms(K + noise_var**0.5 * np.eye(len(y)), y))
)


@typed("gp_log_marginal", "constant for one point")
def _(K, y, noise_var):
    fit, logdet, _ = three_terms(noisy(K, noise_var), y)
    return -0.5 * fit - 0.5 * logdet - 0.5 * np.log(2 * np.pi)


typed("gp_log_marginal", "mean over the points")(
    lambda K, y, noise_var: -0.5 * sum(three_terms(noisy(K, noise_var), y)) / len(y)
)


@typed("gp_log_marginal", "density itself")
def _(K, y, noise_var):
    A = noisy(K, noise_var)
    return np.exp(-0.5 * y @ np.linalg.inv(A) @ y) / np.sqrt(np.linalg.det(2 * np.pi * A))


@typed("gp_log_marginal", "constant without a half")
def _(K, y, noise_var):
    fit, logdet, constant = three_terms(noisy(K, noise_var), y)
    return -0.5 * (fit + logdet) - constant


@typed("gp_log_marginal", "fit by the kernel alone")
def _(K, y, noise_var):
    _, logdet, constant = three_terms(noisy(K, noise_var), y)
    return -0.5 * (y @ np.linalg.inv(K) @ y + logdet + constant)


typed("gp_log_marginal", "noise in every entry")(lambda K, y, noise_var: -0.5 * sum(three_terms(K + noise_var, y)))


# -- 4.3

typed("gp_sample", "factor without the transpose")(lambda mean, cov, Z: mean + Z @ np.linalg.cholesky(cov))
typed("gp_sample", "covariance for its factor")(lambda mean, cov, Z: np.array([mean + cov @ z for z in Z]))


@typed("gp_sample", "mean forgotten")
def _(mean, cov, Z):
    L = np.linalg.cholesky(cov)
    return (L @ Z.T).T


typed("gp_sample", "standard deviations alone")(lambda mean, cov, Z: mean + Z * np.sqrt(np.diag(cov)))
typed("gp_sample", "variances for standard deviations")(lambda mean, cov, Z: mean + Z * np.diag(cov))
typed("gp_sample", "mean scaled, too")(lambda mean, cov, Z: (mean + Z) @ np.linalg.cholesky(cov).T)


@typed("gp_sample", "symmetric root")
def _(mean, cov, Z):
    values, U = np.linalg.eigh(cov)
    return mean + Z @ (U @ np.diag(np.sqrt(values)) @ U.T)


# -- 4.4

typed("bridge_cov", "unconditioned")(lambda t: np.minimum(t[:, None], t[None, :]))
typed("bridge_cov", "maximum for minimum")(lambda t: np.maximum(t[:, None], t[None, :]) - np.outer(t, t))
typed("bridge_cov", "diagonal only")(lambda t: np.diag(t - t**2))
typed("bridge_cov", "plus for minus")(lambda t: np.minimum(t[:, None], t[None, :]) + np.outer(t, t))
typed("bridge_cov", "product of the bridges' variances")(
    lambda t: np.array([[a * (1 - a) * b * (1 - b) for b in t] for a in t])
)


@typed("bridge_cov", "times sorted first")
def _(t):
    t = np.sort(t)
    return np.minimum(t[:, None], t[None, :]) - np.outer(t, t)


typed("bridge_cov", "variance repeated along rows")(lambda t: np.minimum(t[:, None], t[None, :]) * (1 - t))


@typed("bridge_cov", "conditioned on one's own square")
def _(t):
    m = np.minimum(t[:, None], t[None, :])
    return m - m**2


# -- 4.5


def parts(x, y, ell, noise_var):
    """D², K, A and α, rightly."""
    D2 = (x[:, None] - x[None, :]) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    A = K + noise_var * np.eye(len(x))
    return D2, K, A, np.linalg.solve(A, y)


def slope(alpha, A, dK):
    return 0.5 * (alpha @ dK @ alpha - np.trace(np.linalg.solve(A, dK)))


@typed("lml_grad_log_ell", "slope in the length itself")
def _(x, y, ell, noise_var):
    D2, K, A, alpha = parts(x, y, ell, noise_var)
    return slope(alpha, A, K * D2 / ell**3)


@typed("lml_grad_log_ell", "without the halves")
def _(x, y, ell, noise_var):
    D2, K, A, alpha = parts(x, y, ell, noise_var)
    dK = K * D2 / ell**2
    return alpha @ dK @ alpha - np.trace(np.linalg.inv(A) @ dK)


@typed("lml_grad_log_ell", "term of fit only")
def _(x, y, ell, noise_var):
    D2, K, _, alpha = parts(x, y, ell, noise_var)
    return 0.5 * alpha @ (K * D2 / ell**2) @ alpha


@typed("lml_grad_log_ell", "trace only")
def _(x, y, ell, noise_var):
    D2, K, A, _ = parts(x, y, ell, noise_var)
    return -0.5 * np.trace(np.linalg.inv(A) @ (K * D2 / ell**2))


@typed("lml_grad_log_ell", "sign turned round")
def _(x, y, ell, noise_var):
    D2, K, A, alpha = parts(x, y, ell, noise_var)
    dK = K * D2 / ell**2
    return 0.5 * np.trace(np.linalg.inv(A) @ dK) - 0.5 * alpha @ dK @ alpha


@typed("lml_grad_log_ell", "trace added")
def _(x, y, ell, noise_var):
    D2, K, A, alpha = parts(x, y, ell, noise_var)
    dK = K * D2 / ell**2
    return 0.5 * alpha @ dK @ alpha + 0.5 * np.trace(np.linalg.inv(A) @ dK)


@typed("lml_grad_log_ell", "derivative of the exponent with a half")
def _(x, y, ell, noise_var):
    D2, K, A, alpha = parts(x, y, ell, noise_var)
    return slope(alpha, A, K * D2 / (2 * ell**2))


@typed("lml_grad_log_ell", "kernel missing in its derivative")
def _(x, y, ell, noise_var):
    D2, _, A, alpha = parts(x, y, ell, noise_var)
    return slope(alpha, A, D2 / ell**2)


@typed("lml_grad_log_ell", "length not squared")
def _(x, y, ell, noise_var):
    D2, K, A, alpha = parts(x, y, ell, noise_var)
    return slope(alpha, A, K * D2 / ell)


@typed("lml_grad_log_ell", "noise forgotten")
def _(x, y, ell, noise_var):
    D2 = (x[:, None] - x[None, :]) ** 2
    K = np.exp(-D2 / (2 * ell**2))
    alpha = np.linalg.solve(K, y)
    return slope(alpha, K, K * D2 / ell**2)


# -- 4.6


def forecast(K, Ks, kss, y, noise_var, y_new):
    """What the forecast missed by, and the standard deviations of new measurements, rightly."""
    mean, var = posterior(K, Ks, kss, y - y.mean(), noise_var)
    return y_new - mean - y.mean(), np.sqrt(var + noise_var)


def rms(e):
    return np.sqrt((e**2).mean())


@typed("forecast_coverage", "band of the curve")
def _(K, Ks, kss, y, noise_var, y_new):
    m = y.mean()
    mean, var = posterior(K, Ks, kss, y - m, noise_var)
    low, high = mean + m - 1.96 * np.sqrt(var), mean + m + 1.96 * np.sqrt(var)
    return rms(y_new - mean - m), np.mean((low <= y_new) & (y_new <= high))


@typed("forecast_coverage", "not centred")
def _(K, Ks, kss, y, noise_var, y_new):
    mean, var = posterior(K, Ks, kss, y, noise_var)
    return rms(y_new - mean), np.mean(np.abs(y_new - mean) <= 1.96 * np.sqrt(var + noise_var))


@typed("forecast_coverage", "mean not added back")
def _(K, Ks, kss, y, noise_var, y_new):
    mean, var = posterior(K, Ks, kss, y - np.mean(y), noise_var)
    return rms(y_new - mean), np.mean(np.abs(y_new - mean) <= 1.96 * np.sqrt(var + noise_var))


@typed("forecast_coverage", "one standard deviation")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), np.mean(np.abs(e) <= sd)


@typed("forecast_coverage", "one-sided quantile")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), np.mean(np.abs(e) <= 1.645 * sd)


@typed("forecast_coverage", "variance for standard deviation")
def _(K, Ks, kss, y, noise_var, y_new):
    m = y.mean()
    mean, var = posterior(K, Ks, kss, y - m, noise_var)
    e = y_new - (mean + m)
    return rms(e), np.mean(np.abs(e) <= 1.96 * (var + noise_var))


@typed("forecast_coverage", "mean square without its root")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return np.mean(e**2), np.mean(np.abs(e) <= 1.96 * sd)


@typed("forecast_coverage", "mean absolute error")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return np.mean(np.abs(e)), np.mean(np.abs(e) <= 1.96 * sd)


@typed("forecast_coverage", "coverage in per cent")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), 100 * np.mean(np.abs(e) <= 1.96 * sd)


@typed("forecast_coverage", "fraction outside")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), np.mean(np.abs(e) > 1.96 * sd)


@typed("forecast_coverage", "two standard deviations")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), np.mean(np.abs(e) <= 2 * sd)


@typed("forecast_coverage", "upper end alone")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), np.mean(e <= 1.96 * sd)


@typed("forecast_coverage", "lower end alone")
def _(K, Ks, kss, y, noise_var, y_new):
    e, sd = forecast(K, Ks, kss, y, noise_var, y_new)
    return rms(e), np.mean(-1.96 * sd <= e)
