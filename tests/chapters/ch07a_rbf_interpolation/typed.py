"""Each named slip of chapter 7a as a student would type it."""

from __future__ import annotations

from math import comb

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# 7a.1


def bowls(r, c):
    return np.sqrt(r**2 + c**2)


@typed("rbf_interpolate", "squared distance for the distance")
def _(X, y, c):
    r = cdist(X, X, "sqeuclidean")
    return np.linalg.solve(np.sqrt(r**2 + c**2), y)


@typed("rbf_interpolate", "inverse multiquadric")
def _(X, y, c):
    return np.linalg.solve(1 / np.sqrt(cdist(X, X) ** 2 + c**2), y)


@typed("rbf_interpolate", "multiplied for solved")
def _(X, y, c):
    return bowls(cdist(X, X), c) @ y


@typed("rbf_interpolate", "no root")
def _(X, y, c):
    return np.linalg.solve(cdist(X, X) ** 2 + c**2, y)


@typed("rbf_interpolate", "c not squared")
def _(X, y, c):
    return np.linalg.solve(np.sqrt(cdist(X, X) ** 2 + c), y)


@typed("rbf_interpolate", "c outside the root")
def _(X, y, c):
    steps = X[:, None] - X
    return np.linalg.solve(np.sqrt((steps**2).sum(axis=2)) + c, y)


@typed("rbf_interpolate", "bowls of height 1")
def _(X, y, c):
    return np.linalg.solve(np.hypot(1, cdist(X, X) / c), y)


@typed("rbf_interpolate", "Gaussian")
def _(X, y, c):
    return np.linalg.solve(np.exp(-cdist(X, X, "sqeuclidean") / (2 * c**2)), y)


@typed("rbf_interpolate", "city-block distance")
def _(X, y, c):
    r = np.abs(X[:, None] - X).sum(axis=2)
    return np.linalg.solve(bowls(r, c), y)


@typed("rbf_interpolate", "largest difference for the distance")
def _(X, y, c):
    r = np.abs(X[:, None] - X).max(axis=2)
    return np.linalg.solve(bowls(r, c), y)


@typed("rbf_interpolate", "differences added with their signs")
def _(X, y, c):
    r = (X[:, None] - X).sum(axis=2)
    return np.linalg.solve(bowls(r, c), y)


@typed("rbf_interpolate", "first coordinate alone")
def _(X, y, c):
    r = np.abs(X[:, :1] - X[:, 0])
    return np.linalg.solve(bowls(r, c), y)


@typed("rbf_interpolate", "own bowl left out")
def _(X, y, c):
    n = len(X)
    Phi = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if i != j:
                Phi[i, j] = np.sqrt(np.sum((X[i] - X[j]) ** 2) + c**2)
    return np.linalg.solve(Phi, y)


typed("rbf_interpolate", "values for weights")(lambda X, y, c: y)


@typed("rbf_interpolate", "targets centred")
def _(X, y, c):
    return np.linalg.solve(bowls(cdist(X, X), c), y - y.mean())


@typed("rbf_interpolate", "with a constant")
def _(X, y, c):
    n = len(X)
    A = np.ones((n + 1, n + 1))
    A[:n, :n] = bowls(cdist(X, X), c)
    A[n, n] = 0
    return np.linalg.solve(A, np.append(y, 0))[:n]


@typed("rbf_interpolate", "other sign")
def _(X, y, c):
    return np.linalg.solve(-np.sqrt(cdist(X, X) ** 2 + c**2), y)


# 7a.2

typed("cover_count", "one term too few")(lambda n, d: 2 * sum(comb(n - 1, k) for k in range(d - 1)))
typed("cover_count", "no factor 2")(lambda n, d: sum(comb(n - 1, k) for k in range(d)))
typed("cover_count", "the probability")(lambda n, d: 2 * sum(comb(n - 1, k) for k in range(d)) / 2**n)
typed("cover_count", "one binomial coefficient")(lambda n, d: 2 * comb(n - 1, d - 1))
typed("cover_count", "begins at k = 1")(lambda n, d: 2 * sum(comb(n - 1, k) for k in range(1, d)))
typed("cover_count", "points and dimensions swapped")(lambda n, d: 2 * sum(comb(d - 1, k) for k in range(n)))


@typed("cover_count", "all up to n = d + 1")
def shattered_with_a_bias(n, d):
    return 2**n if n <= d + 1 else 2 * sum(comb(n - 1, k) for k in range(d))


@typed("cover_count", "all labellings")
def count(n, d):
    if n == 1 or d == 1:
        return 2
    return count(n - 1, d) + count(n - 1, d)  # where (2) has d - 1


@typed("cover_count", "begins with no point")
def _(n, d):
    C = np.zeros((n + 1, d + 1), dtype=int)
    C[0, 1:] = 1
    for i in range(1, n + 1):
        for j in range(1, d + 1):
            C[i, j] = C[i - 1, j] + C[i - 1, j - 1]
    return C[n, d]


@typed("cover_count", "C(n, 1) is n")
def lines(n, d):
    if n == 1:
        return 2
    if d == 1:
        return n
    return lines(n - 1, d) + lines(n - 1, d - 1)


@typed("cover_count", "C(n, 0) is 1")
def nothing(n, d):
    if d == 0:
        return 1
    if n == 1:
        return 2
    return nothing(n - 1, d) + nothing(n - 1, d - 1)


# 7a.3


def bells(A, T, sigma):
    return np.exp(-((A[:, None] - T) ** 2).sum(axis=2) / (2 * sigma**2))


def shortest(A, v):
    return np.linalg.lstsq(A, v, rcond=None)[0]


@typed("generalized_weights", "λI for λG₀")
def _(X, y, T, sigma, lam):
    G = bells(X, T, sigma)
    return shortest(G.T @ G + lam * np.eye(len(T)), G.T @ y)


@typed("generalized_weights", "no λ")
def _(X, y, T, sigma, lam):
    return shortest(bells(X, T, sigma), y)


@typed("generalized_weights", "nλ for λ")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + len(X) * lam * G0, G.T @ y)


@typed("generalized_weights", "λ/n for λ")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + lam / len(X) * G0, G.T @ y)


@typed("generalized_weights", "2λ for λ")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + 2 * lam * G0, G.T @ y)


@typed("generalized_weights", "λ/2 for λ")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(2 * G.T @ G + lam * G0, 2 * G.T @ y)


@typed("generalized_weights", "λ squared")
def _(X, y, T, sigma, lam):
    values, V = np.linalg.eigh(bells(T, T, sigma))
    root = np.sqrt(np.where(values > 1e-12 * values[-1], values, 0))[:, None] * V.T
    return shortest(np.vstack([bells(X, T, sigma), lam * root]), np.append(y, np.zeros(len(T))))


@typed("generalized_weights", "root of λ")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + np.sqrt(lam) * G0, G.T @ y)


@typed("generalized_weights", "λ subtracted")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G - lam * G0, G.T @ y)


@typed("generalized_weights", "G₀ squared")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + lam * G0.T @ G0, G.T @ y)


@typed("generalized_weights", "GᵀG for G₀")
def _(X, y, T, sigma, lam):
    G = bells(X, T, sigma)
    return shortest(G.T @ G + lam * G.T @ G, G.T @ y)


@typed("generalized_weights", "inverse of G₀")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + lam * np.linalg.pinv(G0), G.T @ y)


@typed("generalized_weights", "a bell on every point")
def _(X, y, T, sigma, lam):
    return shortest(bells(X, X, sigma) + lam * np.eye(len(X)), y)


@typed("generalized_weights", "σ without its 2")
def _(X, y, T, sigma, lam):
    G = np.exp(-cdist(X, T, "sqeuclidean") / sigma**2)
    G0 = np.exp(-cdist(T, T, "sqeuclidean") / sigma**2)
    return shortest(G.T @ G + lam * G0, G.T @ y)


@typed("generalized_weights", "σ not squared")
def _(X, y, T, sigma, lam):
    G = np.exp(-cdist(X, T, "sqeuclidean") / (2 * sigma))
    G0 = np.exp(-cdist(T, T, "sqeuclidean") / (2 * sigma))
    return shortest(G.T @ G + lam * G0, G.T @ y)


@typed("generalized_weights", "distance not squared")
def _(X, y, T, sigma, lam):
    G = np.exp(-cdist(X, T) / (2 * sigma**2))
    G0 = np.exp(-cdist(T, T) / (2 * sigma**2))
    return shortest(G.T @ G + lam * G0, G.T @ y)


@typed("generalized_weights", "bells that sum to one")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    G = G / G.sum(axis=1, keepdims=True)
    return shortest(G.T @ G + lam * G0, G.T @ y)


@typed("generalized_weights", "targets centred")
def _(X, y, T, sigma, lam):
    G, G0 = bells(X, T, sigma), bells(T, T, sigma)
    return shortest(G.T @ G + lam * G0, G.T @ (y - np.mean(y)))


# 7a.4


def plate(A, B):
    r = cdist(A, B)
    return r**2 * np.log(np.where(r > 0, r, 1))


def plane(A):
    return np.column_stack([np.ones(len(A)), A])


def solved(Phi, P, y):
    n, p = P.shape
    both = np.linalg.solve(np.block([[Phi, P], [P.T, np.zeros((p, p))]]), np.append(y, np.zeros(p)))
    return both[:n], both[n:]


@typed("thin_plate", "no polynomial")
def _(X, y, Xq):
    return plate(Xq, X) @ np.linalg.solve(plate(X, X), y)


@typed("thin_plate", "constant alone")
def _(X, y, Xq):
    w, beta = solved(plate(X, X), np.ones((len(X), 1)), y)
    return plate(Xq, X) @ w + beta[0]


@typed("thin_plate", "no constant")
def _(X, y, Xq):
    w, beta = solved(plate(X, X), X, y)
    return plate(Xq, X) @ w + Xq @ beta


@typed("thin_plate", "quadratic polynomial")
def _(X, y, Xq):
    def P(A):
        a, b = A.T
        return np.column_stack([np.ones(len(A)), a, b, a**2, a * b, b**2])

    w, beta = solved(plate(X, X), P(X), y)
    return plate(Xq, X) @ w + P(Xq) @ beta


@typed("thin_plate", "no side conditions")
def _(X, y, Xq):
    beta = np.linalg.lstsq(plane(X), y, rcond=None)[0]
    w = np.linalg.solve(plate(X, X), y - plane(X) @ beta)
    return plate(Xq, X) @ w + plane(Xq) @ beta


@typed("thin_plate", "something in the corner")
def _(X, y, Xq):
    P, n = plane(X), len(X)
    A = np.block([[plate(X, X), P], [P.T, np.eye(3)]])
    both = np.linalg.solve(A, np.append(y, [0, 0, 0]))
    return plate(Xq, X) @ both[:n] + plane(Xq) @ both[n:]


@typed("thin_plate", "plane left out of the prediction")
def _(X, y, Xq):
    w, beta = solved(plate(X, X), plane(X), y)
    return plate(Xq, X) @ w


@typed("thin_plate", "plates left out of the prediction")
def _(X, y, Xq):
    w, beta = solved(plate(X, X), plane(X), y)
    return plane(Xq) @ beta


def surface(phi, X, y, Xq, metric="euclidean"):
    """The right surface of another basis."""
    w, beta = solved(phi(cdist(X, X, metric)), plane(X), y)
    return phi(cdist(Xq, X, metric)) @ w + plane(Xq) @ beta


def log0(r):
    return np.log(np.where(r == 0, 1, r))


typed("thin_plate", "r ln r")(lambda X, y, Xq: surface(lambda r: r * log0(r), X, y, Xq))
typed("thin_plate", "logarithm alone")(lambda X, y, Xq: surface(log0, X, y, Xq))
typed("thin_plate", "r² ln(1 + r)")(lambda X, y, Xq: surface(lambda r: r**2 * np.log(1 + r), X, y, Xq))
typed("thin_plate", "r³")(lambda X, y, Xq: surface(lambda r: r**3, X, y, Xq))


@typed("thin_plate", "squared distance for the distance")
def _(X, y, Xq):
    return surface(lambda r: r**2 * log0(r), X, y, Xq, "sqeuclidean")


@typed("thin_plate", "city-block distance")
def _(X, y, Xq):
    return surface(lambda r: r**2 * log0(r), X, y, Xq, "cityblock")


@typed("thin_plate", "weights for values")
def _(X, y, Xq):
    return solved(plate(X, X), plane(X), y)[0]
