"""Wrong answers to chapter 3 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from kcourse.kernels import Gaussian
from tests.chapters.ch03_ridge.alternatives import tune_by_table

# misconception -> exercise, and ways to make it


def fit_here(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


def tune_exchanged(X, y, sigmas, lams):
    sigma, lam, mse = tune_by_table(X, y, sigmas, lams)
    return sigmas[list(lams).index(lam)], lams[list(sigmas).index(sigma)], mse


RAISING = {
    "train and query points swapped": (
        "krr_fit_predict",
        [lambda X, y, Xq, s, lam: Gaussian(s)(X, Xq) @ fit_here(Gaussian(s)(X), y, lam)],
    ),
    "matrix of the fit is not n by n": (
        "krr_fit_predict",
        [lambda X, y, Xq, s, lam: Gaussian(s)(Xq, X) @ np.linalg.solve(Gaussian(s)(Xq) + lam * np.eye(len(Xq)), y)],
    ),
    "all pairs of differences": (
        "krr_fit_predict",
        [lambda X, y, Xq, s, lam: np.exp(-((Xq - X) ** 2).sum(1) / (2 * s**2)) * fit_here(Gaussian(s)(X), y, lam)],
    ),
    "no lambda": ("effective_df", [lambda K, lam: np.trace(np.linalg.solve(K, K))]),
    "rows and columns exchanged": ("krr_tune", [tune_exchanged]),
    "w = Phi alpha": ("ridge_dual_w", [lambda P, y, lam: P @ fit_here(P @ P.T, y, lam)]),
    "Phi'Phi in the dual system": (
        "ridge_dual_w",
        [lambda P, y, lam: P.T @ np.linalg.solve(P.T @ P + lam * np.eye(P.shape[1]), y)],
    ),
    "Phi y for Phi^T y": (
        "ridge_dual_w",
        [lambda P, y, lam: np.linalg.solve(P.T @ P + lam * np.eye(P.shape[1]), P @ y)],
    ),
    "identity of the wrong size": (
        "ridge_dual_w",
        [
            lambda P, y, lam: P.T @ np.linalg.solve(P @ P.T + lam * np.eye(P.shape[1]), y),
            lambda P, y, lam: np.linalg.solve(P.T @ P + lam * np.eye(len(y)), P.T @ y),
        ],
    ),
}


# (exercise, property) -> an answer that fails this one only


def fails_on_singular(K, y, lam):
    return fit_here(K, y, lam) if np.linalg.matrix_rank(K) == len(K) else np.full(len(K), np.nan)


def takes_over_the_type_of_y(K, y, lam):
    alpha = np.zeros_like(y)
    alpha[:] = fit_here(K, y, lam)
    return alpha


def squeezes(X, y, Xq, sigma, lam):
    return np.squeeze(Gaussian(sigma)(Xq, X) @ fit_here(Gaussian(sigma)(X), y, lam))


def falls_back_to_the_mean(X, y, Xq, sigma, lam):
    Kq = Gaussian(sigma)(Xq, X)
    return np.where(Kq.sum(axis=1) > 1e-12, Kq @ fit_here(Gaussian(sigma)(X), y, lam), y.mean())


def needs_independent_rows(Phi, y, lam):
    K = Phi @ Phi.T
    if np.linalg.matrix_rank(K) < len(K):
        raise np.linalg.LinAlgError("Singular matrix")
    return Phi.T @ fit_here(K, y, lam)


def skips_points_without_neighbours(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    lonely = (K - np.diag(np.diag(K)) == 0).all(axis=1)
    return np.where(lonely, 0.0, G @ y / np.diag(G))


def loo_of_the_type_of_y(K, y, lam):
    out = np.zeros_like(y)
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        out[i] = y[i] - K[i, keep] @ fit_here(K[np.ix_(keep, keep)], y[keep], lam)
    return out


def df_of_the_inverse(K, lam):
    if np.linalg.matrix_rank(K) < len(K):
        raise np.linalg.LinAlgError("Singular matrix")
    return np.trace(np.linalg.inv(np.eye(len(K)) + lam * np.linalg.inv(K)))


def norm_or_alpha(K, alpha):
    return alpha @ K @ alpha if np.linalg.matrix_rank(K) == len(K) else alpha @ alpha


def wants_a_grid(X, y, sigmas, lams):
    np.gradient(sigmas)
    return tune_by_table(X, y, sigmas, lams)


ONLY = {
    ("krr_fit", 1): fails_on_singular,
    ("krr_fit", 2): takes_over_the_type_of_y,
    ("krr_fit_predict", 1): squeezes,
    ("krr_fit_predict", 2): falls_back_to_the_mean,
    ("ridge_dual_w", 1): needs_independent_rows,
    ("krr_loo_residuals", 1): skips_points_without_neighbours,
    ("krr_loo_residuals", 2): loo_of_the_type_of_y,
    ("effective_df", 1): df_of_the_inverse,
    ("rkhs_norm2", 1): norm_or_alpha,
    ("krr_tune", 1): wants_a_grid,
}
