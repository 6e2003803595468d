"""Right answers to chapter 7, second part, written in other ways than the course's: full points on every input."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist, pdist

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 7b.1


right("cover_count")(lambda n, d: 2 * sum(math.comb(n - 1, k) for k in range(min(d, n))))
right("cover_count")(lambda n, d: 2**n - 2 * sum(math.comb(n - 1, k) for k in range(d, n)))


@right("cover_count")
def by_a_table(n, d):
    table = np.zeros((n + 1, d + 1))
    table[1, 1:] = 2
    for i in range(2, n + 1):
        for j in range(1, d + 1):
            table[i, j] = table[i - 1, j] + table[i - 1, j - 1]
    return table[n, d]


# -- 7b.2


@right("spread")
def pair_by_pair(T):
    greatest = 0.0
    for i in range(len(T)):
        for j in range(i):
            greatest = max(greatest, math.dist(T[i], T[j]))
    return greatest / math.sqrt(2 * len(T))


@right("spread")
def with_pdist(T):
    return pdist(T).max() / (2 * len(T)) ** 0.5


@right("spread")
def through_the_gram_matrix(T):
    T = T - T.mean(axis=0)
    G = T @ T.T
    squares = np.diag(G)[:, None] + np.diag(G) - 2 * G
    return np.array([np.sqrt(squares.max() / 2 / len(T))])


# -- 7b.3


@right("online_kmeans")
def in_lists(X, T0, order, eta):
    T = [[float(v) for v in t] for t in T0]
    for i in order:
        far = [sum((a - b) ** 2 for a, b in zip(X[i], t, strict=True)) for t in T]
        J = far.index(min(far))
        T[J] = [(1 - eta) * t + eta * x for t, x in zip(T[J], X[i], strict=True)]
    return T


@right("online_kmeans")
def with_a_mask(X, T0, order, eta):
    T = T0 * 1.0
    for i in order:
        wins = np.arange(len(T)) == np.linalg.norm(T - X[i], axis=1).argmin()
        T = np.where(wins[:, None], T + eta * (X[i] - T), T)
    return T


@right("online_kmeans")
def without_the_square_of_x(X, T0, order, eta):
    """‖x - t‖² without ‖x‖², which is the same for all."""
    T = 1.0 * T0
    for i in order:
        J = np.argmin((T**2).sum(axis=1) - 2 * T @ X[i])
        T[J] *= 1 - eta
        T[J] += eta * X[i]
    return T


# -- 7b.4


@right("lms")
def number_by_number(Phi, d, eta, order):
    w = [0.0] * Phi.shape[1]
    for i in order:
        e = d[i] - sum(a * b for a, b in zip(w, Phi[i], strict=True))
        w = [a + eta * e * b for a, b in zip(w, Phi[i], strict=True)]
    return w


@right("lms")
def as_a_linear_map(Phi, d, eta, order):
    """w ← (I - η φφᵀ) w + η d φ."""
    w = np.zeros(Phi.shape[1])
    for i in order:
        w = (np.eye(len(w)) - eta * np.outer(Phi[i], Phi[i])) @ w + eta * d[i] * Phi[i]
    return w


@right("lms")
def in_the_span_of_the_rows(Phi, d, eta, order):
    """w = Φᵀa: only the coefficients are kept, as a kernel machine does."""
    a, K = np.zeros(len(d)), Phi @ Phi.T
    for i in order:
        a[i] += eta * (d[i] - K[i] @ a)
    return Phi.T @ a


# -- 7b.5


@right("rbf_grads")
def bell_by_bell(X, d, w, T, sigma):
    def G(x, t):
        return math.exp(-sum((a - b) ** 2 for a, b in zip(x, t, strict=True)) / 2 / sigma**2)

    e = [d[j] - sum(w[i] * G(X[j], T[i]) for i in range(len(w))) for j in range(len(d))]
    dw = [-sum(e[j] * G(X[j], T[i]) for j in range(len(d))) for i in range(len(w))]
    dT = np.zeros(T.shape)
    for i in range(len(w)):
        for j in range(len(d)):
            dT[i] -= w[i] * e[j] * G(X[j], T[i]) * (X[j] - T[i]) / sigma**2
    return dw, dT


@right("rbf_grads")
def with_two_products(X, d, w, T, sigma):
    G = np.exp(-cdist(X, T, "sqeuclidean") / (2 * sigma**2))
    A = G * np.outer(d - G @ w, w)
    return -((d - G @ w) @ G), -(A.T @ X - A.sum(axis=0)[:, None] * T) / sigma**2


@right("rbf_grads")
def by_complex_steps(X, d, w, T, sigma):
    """Derivatives without subtraction: Im E(θ + ih)/h."""

    def E(w, T):
        D = X[:, None] - T
        return 0.5 * np.sum((d - np.exp(-np.sum(D * D, axis=2) / (2 * sigma**2)) @ w) ** 2)

    def slope(value, f):
        out = np.zeros(value.shape)
        for k in range(value.size):
            moved = value.astype(complex)
            moved.flat[k] += 1e-30j
            out.flat[k] = f(moved).imag / 1e-30
        return out

    return slope(w, lambda v: E(v, T)), slope(T, lambda v: E(w, v))


# -- 7b.6


def rested(X, T):
    while True:
        groups = cdist(X, T).argmin(axis=1)
        moved = np.array([X[groups == j].mean(axis=0) for j in range(len(T))])
        if np.allclose(moved, T, rtol=0, atol=1e-13):
            return moved
        T = moved


def to_the_nearest(T):
    return np.median(np.sort(cdist(T, T), axis=1)[:, 1])


@right("rbf_network")
def class_by_class(X, y, T0, Xq):
    T = rested(X, T0)
    D = cdist(T, T) + 1e9 * np.eye(len(T))
    sigma = np.median(D.min(axis=0))
    A, B = (np.insert(np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma * sigma)), 0, 1.0, axis=1) for Z in (X, Xq))
    columns = [B @ np.linalg.lstsq(A, np.where(y == c, 1.0, 0.0), rcond=None)[0] for c in np.unique(y)]
    return np.transpose(columns)


@right("rbf_network")
def with_the_means_taken_away(X, y, T0, Xq):
    T = rested(X, T0)
    sigma = to_the_nearest(T)
    G, Gq = (np.exp(-0.5 * (cdist(Z, T) / sigma) ** 2) for Z in (X, Xq))
    Y = np.eye(len(np.unique(y)))[np.unique(y, return_inverse=True)[1].ravel()]
    W = np.linalg.lstsq(G - G.mean(axis=0), Y - Y.mean(axis=0), rcond=None)[0]
    return Y.mean(axis=0) + (Gq - G.mean(axis=0)) @ W


@right("rbf_network")
def a_hundred_rounds(X, y, T0, Xq):
    T = T0.copy()
    for _ in range(100):
        groups = np.argmin(((X[:, None] - T) ** 2).sum(axis=-1), axis=1)
        T = np.stack([X[groups == j].mean(axis=0) for j in range(len(T))])
    sigma = to_the_nearest(T)
    A, B = (np.c_[np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)), np.ones(len(Z))] for Z in (X, Xq))
    Q, R = np.linalg.qr(A)
    return (B @ np.linalg.solve(R, Q.T @ (y[:, None] == np.unique(y)))).tolist()
