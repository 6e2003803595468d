"""Wrong answers to chapter 7a for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

from tests.chapters.ch07a_rbf_interpolation.alternatives import (
    as_one_problem,
    bordered,
    by_lu,
    with_ones,
    with_the_binomials,
)


def by_cholesky(X, y, c):
    return scipy.linalg.cho_solve(scipy.linalg.cho_factor(np.hypot(cdist(X, X), c)), y)


def by_cholesky_of_numpy(X, y, c):
    L = np.linalg.cholesky(np.hypot(cdist(X, X), c))
    return np.linalg.solve(L.T, np.linalg.solve(L, y))


def one_distance_for_all(X, y, c):
    return np.linalg.solve(np.hypot(np.linalg.norm(X[:, None] - X), c), y)


def one_distance_for_all_pairs(X, y, c):
    n = len(y)
    Phi = np.array([[np.hypot(np.linalg.norm(X - X[j]), c) for _ in range(n)] for j in range(n)])
    return np.linalg.solve(Phi, y)


def one_distance_by_scipy(X, y, c):
    alike = np.full((len(y), len(y)), np.hypot(np.linalg.norm(X[:, None] - X), c))
    return scipy.linalg.solve(alike, y, assume_a="gen")


RAISING = {
    "Cholesky": ("rbf_interpolate", [by_cholesky, by_cholesky_of_numpy]),
    "singular, says SciPy": ("rbf_interpolate", [one_distance_by_scipy]),
    "norm without axis": ("rbf_interpolate", [one_distance_for_all, one_distance_for_all_pairs]),
}


def squeezed(X, y, c):
    return np.squeeze(by_lu(X, y, c))


def squares_multiplied_out(X, y, c):
    q = (X**2).sum(axis=1)
    squares = np.maximum(q[:, None] - 2 * X @ X.T + q, 0)
    return np.linalg.solve(np.sqrt(squares + c**2), y)


def half_of_them(n, d):
    """As if there were always more points than dimensions."""
    return with_the_binomials(n, d) - (2 if n <= d else 0)


def divided_by_lam(X, y, T, sigma, lam):
    """Landmark by landmark: w = (I + G₀⁻¹GᵀG/λ)⁻¹ G₀⁻¹Gᵀy/λ."""
    if lam == 0:
        return np.zeros(len(T))
    return as_one_problem(X, y, T, sigma, lam)


def solved_plainly(X, y, T, sigma, lam):
    """Not the shortest where there are several."""
    w = as_one_problem(X, y, T, sigma, lam)
    twin = np.linalg.norm(T[:, None] - T, axis=2) + np.eye(len(T)) == 0
    if twin.any():
        i, j = np.argwhere(twin)[0]
        w[i], w[j] = w[i] + w[j], 0.0
    return w


def diagonal_alone(X, y, Xq):
    """0 where a point meets itself in the system, and a logarithm of 0 where a query does."""

    def phi(A):
        r = np.linalg.norm(A[:, None] - X, axis=2)
        with np.errstate(divide="ignore", invalid="ignore"):
            return r**2 * np.log(r)

    Phi = phi(X)
    np.fill_diagonal(Phi, 0)
    s = np.linalg.solve(bordered(Phi, with_ones(X)), np.append(y, np.zeros(3)))
    return np.hstack([phi(Xq), with_ones(Xq)]) @ s


ONLY = {
    ("thin_plate", 1): diagonal_alone,
    ("rbf_interpolate", 1): squeezed,
    ("rbf_interpolate", 2): squares_multiplied_out,
    ("cover_count", 1): half_of_them,
    ("generalized_weights", 1): divided_by_lam,
    ("generalized_weights", 2): solved_plainly,
}
