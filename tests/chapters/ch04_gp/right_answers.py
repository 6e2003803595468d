"""Right answers to chapter 4, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy.linalg

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 4.1


@right("gp_posterior")
def by_inverse(K, Ks, kss, y, noise_var):
    G = np.linalg.inv(K + noise_var * np.identity(len(K)))
    return Ks @ G @ y, kss - np.diag(Ks @ G @ Ks.T)


@right("gp_posterior")
def by_cholesky(K, Ks, kss, y, noise_var):
    L = np.linalg.cholesky(K + noise_var * np.eye(len(y)))
    V = scipy.linalg.solve_triangular(L, Ks.T, lower=True)
    z = scipy.linalg.solve_triangular(L, y, lower=True)
    return V.T @ z, kss - (V**2).sum(axis=0)


@right("gp_posterior")
def place_by_place(K, Ks, kss, y, noise_var):
    A, mean, var = K + noise_var * np.eye(len(y)), [], []
    for k, prior in zip(Ks, kss, strict=True):
        w = np.linalg.solve(A, k)
        mean.append(w @ y)
        var.append(prior - w @ k)
    return mean, var


# -- 4.2


@right("gp_log_marginal")
def with_slogdet(K, y, noise_var):
    A = K + noise_var * np.eye(len(y))
    return -0.5 * (y @ np.linalg.solve(A, y) + np.linalg.slogdet(A)[1] + len(y) * np.log(2 * np.pi))


@right("gp_log_marginal")
def with_scipys_normal(K, y, noise_var):
    from scipy.stats import multivariate_normal

    return multivariate_normal(np.zeros(len(y)), K + noise_var * np.eye(len(y))).logpdf(y)


@right("gp_log_marginal")
def one_prediction_after_the_other(K, y, noise_var):
    """p(y) = Π p(y_i | those before)."""
    L = scipy.linalg.cholesky(K + noise_var * np.eye(len(y)), lower=True)
    z = scipy.linalg.solve_triangular(L, y, lower=True)
    return sum(-0.5 * v * v - math.log(s) - 0.5 * math.log(2 * math.pi) for v, s in zip(z, np.diag(L), strict=True))


# -- 4.3


@right("gp_sample")
def row_by_row(mean, cov, Z):
    L = np.linalg.cholesky(cov)
    return [mean + L @ z for z in Z]


@right("gp_sample")
def in_columns(mean, cov, Z):
    return (mean[:, None] + np.linalg.cholesky(cov) @ Z.T).T


@right("gp_sample")
def with_a_factor_by_hand(mean, cov, Z):
    n = len(mean)
    L = np.zeros((n, n))
    for j in range(n):
        L[j, j] = math.sqrt(cov[j, j] - L[j, :j] @ L[j, :j])
        for i in range(j + 1, n):
            L[i, j] = (cov[i, j] - L[i, :j] @ L[j, :j]) / L[j, j]
    return mean + Z @ L.T


# -- 4.4

right("bridge_cov")(lambda t: [[min(a, b) - a * b for b in t] for a in t])


@right("bridge_cov")
def as_smaller_times_one_minus_larger(t):
    return np.minimum.outer(t, t) * (1 - np.maximum.outer(t, t))


@right("bridge_cov")
def as_a_linear_map(t):
    """f(t) - t f(1), whose covariance follows from that of (f(t), f(1))."""
    n, u = len(t), np.append(t, 1.0)
    M = np.column_stack([np.eye(n), -np.asarray(t)])
    return M @ np.minimum.outer(u, u) @ M.T


# -- 4.5


def _matrices(x, ell, noise_var):
    D2 = (x[:, None] - x[None, :]) ** 2
    K = np.exp(-D2 / 2 / ell**2)
    return K + noise_var * np.eye(len(x)), K * D2 / ell**2


@right("lml_grad_log_ell")
def entry_by_entry(x, y, ell, noise_var):
    A, dA = _matrices(x, ell, noise_var)
    G = np.linalg.inv(A)
    a = G @ y
    return sum((a[i] * a[j] - G[i, j]) * dA[i, j] / 2 for i in range(len(x)) for j in range(len(x)))


@right("lml_grad_log_ell")
def by_complex_steps(x, y, ell, noise_var):
    """A step into the complex plane has no cancellation: exact to the last digits."""
    length = ell * np.exp(1e-30j)
    A = np.exp(-((x[:, None] - x[None, :]) ** 2) / (2 * length**2)) + noise_var * np.eye(len(x))
    value = -0.5 * y @ np.linalg.solve(A, y) - 0.5 * np.log(np.linalg.det(A))
    return float(value.imag / 1e-30)


@right("lml_grad_log_ell")
def with_logarithmic_derivatives(x, y, ell, noise_var):
    A, dA = _matrices(x, ell, noise_var)
    values = scipy.linalg.eigh(dA, A, eigvals_only=True)  # tr A⁻¹dA is their sum
    a = np.linalg.solve(A, y)
    return 0.5 * (a @ (dA @ a)) - 0.5 * values.sum()


# -- 4.6


def _forecast(predict, K, Ks, kss, y, noise_var, y_new):
    level = np.mean(y)
    mean, var = predict(K, Ks, kss, y - level, noise_var)
    return np.asarray(mean) + level - y_new, np.sqrt(np.asarray(var) + noise_var)


@right("forecast_coverage")
def with_the_inverse(K, Ks, kss, y, noise_var, y_new):
    miss, sd = _forecast(by_inverse, K, Ks, kss, y, noise_var, y_new)
    return float(np.sqrt((miss**2).mean())), float((np.abs(miss / sd) <= 1.96).mean())


@right("forecast_coverage")
def counting(K, Ks, kss, y, noise_var, y_new):
    miss, sd = _forecast(place_by_place, K, Ks, kss, y, noise_var, y_new)
    inside = sum(-1.96 * s <= m <= 1.96 * s for m, s in zip(miss, sd, strict=True))
    return [math.sqrt(sum(m * m for m in miss) / len(miss)), inside / len(miss)]


@right("forecast_coverage")
def with_limits(K, Ks, kss, y, noise_var, y_new):
    mean, var = by_cholesky(K, Ks, kss, y - y.mean(), noise_var)
    mean = mean + y.mean()
    low, high = mean - 1.96 * np.sqrt(var + noise_var), mean + 1.96 * np.sqrt(var + noise_var)
    return np.array([np.linalg.norm(mean - y_new) / np.sqrt(len(y_new)), np.mean((low <= y_new) & (y_new <= high))])
