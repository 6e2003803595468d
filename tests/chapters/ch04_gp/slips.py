"""Wrong answers to chapter 4 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch04_gp.alternatives import as_smaller_times_one_minus_larger, by_inverse, in_columns, with_limits

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
