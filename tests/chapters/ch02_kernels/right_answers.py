"""Right answers to chapter 2, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 2.1


@right("poly2_features")
def another_order_and_signs(X):
    a, b = np.asarray(X).T
    return np.array([-math.sqrt(2) * a * b, b**2, -(a**2)]).T


right("poly2_features")(lambda X: [[p * p, 2**0.5 * p * q, q * q] for p, q in X])


@right("poly2_features")
def through_complex_numbers(X):
    z = (X[:, 0] + 1j * X[:, 1]) ** 2  # its parts and |z| span the same features
    r = np.abs(z)
    return np.column_stack([z.real, z.imag, r]) / np.sqrt(2)


# -- 2.2


@right("gaussian_gram")
def centred_and_expanded(X, Z, sigma):
    mean = X.mean(axis=0)
    A, B = X - mean, Z - mean
    D = (A**2).sum(1)[:, None] + (B**2).sum(1) - 2 * A @ B.T
    return np.exp(-np.maximum(D, 0) / (2 * sigma**2))


@right("gaussian_gram")
def feature_by_feature(X, Z, sigma):
    K = np.ones((len(X), len(Z)))
    for j in range(X.shape[1]):
        K *= np.exp(-(((X[:, [j]] - Z[:, j]) / sigma) ** 2) / 2)
    return K


@right("gaussian_gram")
def with_two_loops_of_lists(X, Z, sigma):
    return [[float(np.exp(-np.dot(x - z, x - z) / (2 * sigma * sigma))) for z in Z] for x in X]


# -- 2.3


@right("is_psd")
def with_a_shifted_cholesky(K, tol):
    size = np.linalg.norm(K, 2)
    if not np.array_equal(K, K.T):
        return 0
    if size == 0:
        return 1
    try:
        np.linalg.cholesky(K / size + tol * np.eye(len(K)))
    except np.linalg.LinAlgError:
        return 0
    return 1


@right("is_psd")
def with_the_spectral_norm(K, tol):
    symmetric = np.linalg.norm(K - K.T) <= tol * np.linalg.norm(K)
    return symmetric and (np.linalg.eigvalsh(K) >= -tol * np.linalg.norm(K, 2)).all()


@right("is_psd")
def by_what_is_missing_to_the_nearest(K, tol):
    w, V = np.linalg.eigh((K + K.T) / 2)
    nearest = V @ np.diag(np.maximum(w, 0)) @ V.T
    return np.linalg.norm(K - nearest, 2) <= max(2 * tol * np.abs(w).max(), 0.0)


# -- 2.4


@right("feature_distance2")
def with_two_nested_loops(K):
    n = len(K)
    return [[K[i][i] + K[j][j] - 2 * K[i][j] for j in range(n)] for i in range(n)]


@right("feature_distance2")
def through_features(K):
    w, V = np.linalg.eigh(K)
    F = V * np.sqrt(np.maximum(w, 0))
    return cdist(F, F, "sqeuclidean")


@right("feature_distance2")
def as_quadratic_forms(K):
    e = np.eye(len(K))
    return np.array([[(a - b) @ K @ (a - b) for b in e] for a in e])


# -- 2.5


@right("nearest_mean_score")
def with_indicator_vectors(K, y, Kq):
    a, b = (y == 1) / (y == 1).sum(), (y == -1) / (y == -1).sum()
    return 2 * Kq @ (a - b) + b @ K @ b - a @ K @ a


@right("nearest_mean_score")
def with_loops(K, y, Kq):
    plus, minus = [i for i in range(len(y)) if y[i] > 0], [i for i in range(len(y)) if y[i] < 0]

    def length(c):
        return sum(K[i][j] for i in c for j in c) / len(c) ** 2

    return [
        length(minus)
        - length(plus)
        + 2 * sum(k[i] for i in plus) / len(plus)
        - 2 * sum(k[i] for i in minus) / len(minus)
        for k in Kq
    ]


@right("nearest_mean_score")
def with_masks(K, y, Kq):
    def d2(label):
        c = y == label
        return -2 * Kq[:, c].mean(1) + K[c][:, c].mean()

    return d2(-1) - d2(1)


# -- 2.6


@right("kernel_perceptron")
def keeping_the_values(K, y, epochs):
    alpha, f = np.zeros(len(y)), np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * f[i] <= 0:
                alpha[i] += 1
                f += y[i] * K[i]
    return alpha


@right("kernel_perceptron")
def with_integers_and_lists(K, y, epochs):
    n = len(y)
    alpha = [0] * n
    for _ in range(epochs):
        for i in range(n):
            if y[i] * sum(alpha[j] * y[j] * K[j][i] for j in range(n)) <= 0:
                alpha[i] += 1
    return alpha


@right("kernel_perceptron")
def with_the_labelled_matrix(K, y, epochs):
    G, alpha = K * np.outer(y, y), np.zeros(len(y))
    for t in range(epochs * len(y)):
        i = t % len(y)
        alpha[i] += G[i] @ alpha <= 0
    return alpha


# -- 2.7


@right("classify_by_gram")
def with_other_pieces(K, y, train, test, epochs):
    learn, ask, labels = K[train][:, train], K[test][:, train], y[train]
    mean = with_indicator_vectors(learn, labels, ask)
    perceptron = ask @ (labels * keeping_the_values(learn, labels, epochs))
    return [((mean > 0) != (y[test] > 0)).sum(), ((perceptron > 0) != (y[test] > 0)).sum()]


@right("classify_by_gram")
def one_test_point_at_a_time(K, y, train, test, epochs):
    learn = K[np.ix_(train, train)]
    alpha = with_the_labelled_matrix(learn, y[train], epochs)
    wrong = [0, 0]
    for t in test:
        row = K[t, train]
        scores = with_masks(learn, y[train], row[None])[0], row @ (alpha * y[train])
        for which, score in enumerate(scores):
            wrong[which] += (1 if score > 0 else -1) != y[t]
    return tuple(wrong)


@right("classify_by_gram")
def with_floats(K, y, train, test, epochs):
    a, b = with_other_pieces(K, y, list(train), list(test), epochs)
    return float(a), float(b)
