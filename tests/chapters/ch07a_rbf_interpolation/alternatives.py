"""Right answers to chapter 7a, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import scipy.linalg
import scipy.special
from scipy.spatial.distance import cdist, pdist, squareform

from tests.chapters.tables import right_answers

RIGHT: list[tuple[str, Callable]] = []
right = right_answers(RIGHT)


# -- 7a.1


@right("rbf_interpolate")
def entry_by_entry(X, y, c):
    n = len(y)
    Phi = [[math.sqrt(math.dist(X[i], X[j]) ** 2 + c * c) for j in range(n)] for i in range(n)]
    return list(np.linalg.solve(Phi, y))


@right("rbf_interpolate")
def by_lu(X, y, c):
    return scipy.linalg.lu_solve(scipy.linalg.lu_factor(np.hypot(cdist(X, X), c)), y)


@right("rbf_interpolate")
def by_the_inverse(X, y, c):
    return np.linalg.inv(np.sqrt(squareform(pdist(X)) ** 2 + c**2)) @ y if len(y) > 1 else y / c


@right("rbf_interpolate")
def by_eigenvectors(X, y, c):
    mu, Q = np.linalg.eigh(np.hypot(np.linalg.norm(X[:, None] - X[None], axis=-1), c))
    return Q @ ((Q.T @ y) / mu)


@right("rbf_interpolate")
def by_least_squares(X, y, c):
    Phi = np.sqrt(np.einsum("ijd,ijd->ij", X[:, None] - X, X[:, None] - X) + c**2)
    return np.linalg.lstsq(Phi, y, rcond=None)[0]


@right("rbf_interpolate")
def moved_to_the_middle(X, y, c):
    """Multiplied out, but near 0."""
    Z = X - X.mean(axis=0)
    q = (Z**2).sum(axis=1)
    return scipy.linalg.solve(np.sqrt(np.maximum(q[:, None] + q - 2 * Z @ Z.T, 0) + c**2), y, assume_a="sym")


# -- 7a.2


@right("cover_count")
def with_the_binomials(n, d):
    return 2 * sum(math.comb(n - 1, k) for k in range(min(d, n)))


@right("cover_count")
def by_the_recursion(n, d):
    if d == 0:
        return 0
    if n == 1:
        return 2
    return by_the_recursion(n - 1, d) + by_the_recursion(n - 1, d - 1)


@right("cover_count")
def with_a_memory(n, d):
    @cache
    def count(n, d):
        return 2 if n == 1 or d == 1 else count(n - 1, d) + count(n - 1, d - 1)

    return count(n, d)


@right("cover_count")
def by_the_complement(n, d):
    """All, less those with too many heads."""
    return 2**n - 2 * sum(math.comb(n - 1, k) for k in range(d, n))


@right("cover_count")
def by_a_table(n, d):
    table = np.zeros((n + 1, d + 1))
    table[1, 1:] = 2
    for i in range(2, n + 1):
        for j in range(1, d + 1):
            table[i, j] = table[i - 1, j] + table[i - 1, j - 1]
    return table[n, d]


# -- 7a.3


def bells(A, T, sigma):
    return np.exp(-cdist(A, T, "sqeuclidean") / (2 * sigma**2))


@right("generalized_weights")
def by_the_pseudo_inverse(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return np.linalg.pinv(G.T @ G + lam * G0) @ G.T @ y


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


@right("generalized_weights")
def by_eigenvalues(X, y, T, sigma, lam):
    G = bells(X, T, sigma)
    mu, Q = np.linalg.eigh(G.T @ G + lam * bells(T, T, sigma))
    kept = mu > 1e-12 * mu[-1]
    return Q[:, kept] @ ((Q[:, kept].T @ (G.T @ y)) / mu[kept])


# -- 7a.4


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
def with_the_logarithm_of_the_square(X, y, Xq):
    def phi(A):
        S = cdist(A, X, "sqeuclidean")
        return np.where(S == 0, 0, S * np.log(np.maximum(S, 1e-300)))

    s = scipy.linalg.solve(bordered(phi(X), with_ones(X)), np.append(y, [0, 0, 0]))
    return phi(Xq) @ s[:-3] + with_ones(Xq) @ s[-3:]


@right("thin_plate")
def polynomial_last(X, y, Xq):
    """Weights that sum linear polynomials to 0 first, then the plane from what is left."""
    Z = scipy.linalg.null_space(with_ones(X).T)
    Phi = scipy.special.xlogy(cdist(X, X) ** 2, cdist(X, X))
    w = Z @ np.linalg.solve(Z.T @ Phi @ Z, Z.T @ y)
    beta = np.linalg.lstsq(with_ones(X), y - Phi @ w, rcond=None)[0]
    return scipy.special.xlogy(cdist(Xq, X) ** 2, cdist(Xq, X)) @ w + with_ones(Xq) @ beta


@right("thin_plate")
def in_coordinates_of_their_own(X, y, Xq):
    """Moved and shrunk, which changes the plate by what the side conditions swallow."""
    middle, size = X.mean(axis=0), np.ptp(X)
    Z, Zq = (X - middle) / size, (Xq - middle) / size
    Phi, border = scipy.special.xlogy(cdist(Z, Z, "sqeuclidean"), cdist(Z, Z)), with_ones(Z)
    schur = np.linalg.solve(border.T @ np.linalg.solve(Phi, border), border.T @ np.linalg.solve(Phi, y))
    w = np.linalg.solve(Phi, y - border @ schur)
    return scipy.special.xlogy(cdist(Zq, Z, "sqeuclidean"), cdist(Zq, Z)) @ w + with_ones(Zq) @ schur


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
