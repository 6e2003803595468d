"""Right answers to chapter 7a, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy.linalg
import scipy.special
from scipy.spatial.distance import cdist

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 7a.1


@right("rbf_interpolate")
def entry_by_entry(X, y, c):
    n = len(y)
    Phi = [[math.sqrt(math.dist(X[i], X[j]) ** 2 + c * c) for j in range(n)] for i in range(n)]
    return list(np.linalg.solve(Phi, y))


@right("rbf_interpolate")
def by_eigenvectors(X, y, c):
    mu, Q = np.linalg.eigh(np.hypot(np.linalg.norm(X[:, None] - X[None], axis=-1), c))
    return Q @ ((Q.T @ y) / mu)


@right("rbf_interpolate")
def moved_to_the_middle(X, y, c):
    """Multiplied out, but near 0."""
    Z = X - X.mean(axis=0)
    q = (Z**2).sum(axis=1)
    return scipy.linalg.solve(np.sqrt(np.maximum(q[:, None] + q - 2 * Z @ Z.T, 0) + c**2), y, assume_a="sym")


# -- 7a.2


def bells(A, T, sigma):
    return np.exp(-cdist(A, T, "sqeuclidean") / (2 * sigma**2))


@right("generalized_weights")
def as_one_problem(X, y, T, sigma, lam):
    """Least squares with the price as more rows: [G; √λ R] w ≈ [y; 0], RᵀR = G₀."""
    mu, Q = np.linalg.eigh(bells(T, T, sigma))
    R = np.sqrt(np.maximum(mu, 0))[:, None] * Q.T
    rows = np.vstack([bells(X, T, sigma), math.sqrt(lam) * R])
    return np.linalg.lstsq(rows, np.concatenate([y, np.zeros(len(T))]), rcond=1e-7)[0]


@right("generalized_weights")
def with_loops(X, y, T, sigma, lam):
    def g(a, b):
        return math.exp(-(math.dist(a, b) ** 2) / (2 * sigma * sigma))

    m = len(T)
    A = [[sum(g(x, T[j]) * g(x, T[k]) for x in X) + lam * g(T[j], T[k]) for k in range(m)] for j in range(m)]
    r = [sum(g(x, T[j]) * v for x, v in zip(X, y, strict=True)) for j in range(m)]
    return list(scipy.linalg.lstsq(A, r, cond=1e-12)[0])


@right("generalized_weights")
def different_centres_first(X, y, T, sigma, lam):
    """Solve with the centres that differ, and share each weight among those that are the same."""
    kinds, which, count = np.unique(T, axis=0, return_inverse=True, return_counts=True)
    G, G0 = bells(X, kinds, sigma), bells(kinds, kinds, sigma)
    v = scipy.linalg.solve(G.T @ G + lam * G0, G.T @ y)
    return (v / count)[np.ravel(which)]


# -- 7a.3


def bordered(Phi, P):
    return np.block([[Phi, P], [P.T, np.zeros((P.shape[1], P.shape[1]))]])


def in_unit(r, c):
    """r² ln(r/c): a unit of length adds a multiple of r², which the side conditions swallow."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(r**2 * np.log(r / c))


def with_ones(A):
    return np.hstack([np.ones((len(A), 1)), A])


@right("thin_plate")
def in_other_units(X, y, Xq, c=3.0):
    s = np.linalg.solve(bordered(in_unit(cdist(X, X), c), with_ones(X)), np.concatenate([y, np.zeros(3)]))
    return np.hstack([in_unit(cdist(Xq, X), c), with_ones(Xq)]) @ s


@right("thin_plate")
def polynomial_last(X, y, Xq):
    """Weights that sum linear polynomials to 0 first, then the plane from what is left."""
    Z = scipy.linalg.null_space(with_ones(X).T)
    Phi = scipy.special.xlogy(cdist(X, X) ** 2, cdist(X, X))
    w = Z @ np.linalg.solve(Z.T @ Phi @ Z, Z.T @ y)
    beta = np.linalg.lstsq(with_ones(X), y - Phi @ w, rcond=None)[0]
    return scipy.special.xlogy(cdist(Xq, X) ** 2, cdist(Xq, X)) @ w + with_ones(Xq) @ beta


@right("thin_plate")
def value_by_value(X, y, Xq):
    def phi(a, b):
        r = math.dist(a, b)
        return r * r * math.log(r) if r else 0.0

    n = len(X)
    A = [[phi(a, b) for b in X] + [1, *a] for a in X] + [[1] * n + [0] * 3]
    A += [[a[k] for a in X] + [0] * 3 for k in range(2)]
    s = np.linalg.solve(np.array(A, dtype=float), [*y, 0, 0, 0])
    return [sum(v * phi(a, b) for v, b in zip(s, X, strict=False)) + s[n] + s[n + 1 :] @ a for a in Xq]
