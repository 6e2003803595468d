"""Right answers to chapter 8, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import statistics
from collections.abc import Callable

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

from tests.chapters.tables import right_answers

RIGHT: list[tuple[str, Callable]] = []
right = right_answers(RIGHT)


# -- 8.1


@right("center_gram")
def between_two_projections(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


@right("center_gram")
def with_the_matrix_of_means(K):
    U = np.full(K.shape, 1 / len(K))
    return K - U @ K - K @ U + U @ K @ U


@right("center_gram")
def entry_by_entry(K):
    n = len(K)
    rows, total = [sum(r) / n for r in K], sum(map(sum, K)) / n**2
    return [[K[i][j] - rows[i] - rows[j] + total for j in range(n)] for i in range(n)]


@right("center_gram")
def columns_then_rows(K):
    C = K - K.mean(axis=0)
    return C - C.mean(axis=1)[:, None]


@right("center_gram")
def from_features(K):
    lam, B = np.linalg.eigh(K)
    F = B * np.sqrt(np.maximum(lam, 0))
    return (F - F.mean(axis=0)) @ (F - F.mean(axis=0)).T


# -- 8.2


@right("center_test_gram")
def as_the_lecture_prints_it(K, Kq):
    n, q = len(K), len(Kq)
    U, V = np.full((n, n), 1 / n), np.full((q, n), 1 / n)
    return Kq - V @ K - Kq @ U + V @ K @ U


@right("center_test_gram")
def shifted_and_projected(K, Kq):
    return (Kq - K.mean(axis=0)) @ (np.eye(len(K)) - 1 / len(K))


@right("center_test_gram")
def row_by_row(K, Kq):
    m = K.sum(axis=0) / len(K)
    return [row - m - np.average(row) + np.average(m) for row in Kq]


@right("center_test_gram")
def with_loops(K, Kq):
    n = len(K)
    return np.array(
        [[Kq[a, j] - sum(K[:, j]) / n - sum(Kq[a]) / n + np.sum(K) / n**2 for j in range(n)] for a in range(len(Kq))]
    )


@right("center_test_gram")
def two_means_in_turn(K, Kq):
    out = np.array(Kq, dtype=float)
    out -= np.mean(K, axis=0, keepdims=True)
    out -= out.mean(axis=1, keepdims=True)
    return out


# -- 8.3


def middle(K):
    return between_two_projections(K)


@right("kernel_pca")
def by_numpy(K, q):
    lam, B = np.linalg.eigh(middle(K))
    lam, B = lam[::-1][:q], B[:, ::-1][:, :q]
    return middle(K) @ (B / np.sqrt(lam)), lam


@right("kernel_pca")
def by_singular_values(K, q):
    U, s, _ = np.linalg.svd(middle(K))
    return U[:, :q] * np.sqrt(s[:q]), s[:q]


@right("kernel_pca")
def a_few_by_scipy(K, q):
    n = len(K)
    lam, B = scipy.linalg.eigh(middle(K), subset_by_index=[n - q, n - 1])
    return (B * np.sqrt(lam))[:, ::-1], lam[::-1]


@right("kernel_pca")
def with_other_signs(K, q):
    s, lam = by_singular_values(K, q)
    return -s * (-1.0) ** np.arange(q), list(lam)


@right("kernel_pca")
def by_power_iteration(K, q):
    C, scores, lams = middle(K), [], []
    for _ in range(q):
        v = np.linalg.matrix_power(C / np.trace(C), 300) @ np.arange(1.0, len(C) + 1)
        for _ in range(600):
            v = C @ (v / np.linalg.norm(v))
        lam = np.linalg.norm(v)
        v /= lam
        scores.append(np.sqrt(lam) * v)
        lams.append(lam)
        C = C - lam * np.outer(v, v)
    return np.array(scores).T, np.array(lams)


@right("kernel_pca")
def principal_components_of_features(K, q):
    lam, B = np.linalg.eigh(K)
    F = B * np.sqrt(np.maximum(lam, 0))
    U, s, _ = np.linalg.svd(F - F.mean(axis=0))
    return U[:, :q] * s[:q], s[:q] ** 2


# -- 8.4


@right("explained_ratio")
def by_eigvalsh(K, q):
    lam = np.linalg.eigvalsh(middle(K))
    return (lam / lam.sum())[::-1][:q]


@right("explained_ratio")
def by_the_trace(K, q):
    return by_singular_values(K, q)[1] / np.diag(middle(K)).sum()


@right("explained_ratio")
def trace_without_the_matrix(K, q):
    return by_singular_values(K, q)[1] / (np.trace(K) - K.sum() / len(K))


@right("explained_ratio")
def of_variances(K, q):
    s = by_singular_values(K, len(K))[0]
    return list(s.var(axis=0)[:q] / s.var(axis=0).sum())


@right("explained_ratio")
def sorted_downwards(K, q):
    lam = sorted(scipy.linalg.eigvalsh(middle(K)), reverse=True)
    return np.array([v / sum(lam) for v in lam[:q]])


# -- 8.5


@right("kernel_fisher")
def with_projections(K, y, lam):
    N, M = lam * np.eye(len(K)), {}
    for c in (0, 1):
        Kc = K[:, y == c]
        n = Kc.shape[1]
        N = N + Kc @ (np.eye(n) - np.ones((n, n)) / n) @ Kc.T
        M[c] = Kc @ np.ones(n) / n
    a = np.linalg.inv(N) @ (M[1] - M[0])
    return a / np.sqrt(a @ a)


@right("kernel_fisher")
def by_regression(K, y, lam):
    s = np.where(y == 1, 1.0, -1.0)
    H = np.eye(len(y)) - 1 / len(y)
    a = scipy.linalg.solve(K @ H @ K + lam * np.eye(len(y)), K @ H @ s, assume_a="pos")
    return a / np.linalg.norm(a)


@right("kernel_fisher")
def scatter_of_all_points(K, y, lam):
    """The term between the classes changes the length and not the direction."""
    D = K - K.mean(axis=1, keepdims=True)
    d = K @ ((y == 1) / np.sum(y == 1) - (y == 0) / np.sum(y == 0))
    a = np.linalg.solve(D @ D.T + lam * np.eye(len(K)), d)
    return list(a / np.linalg.norm(a))


@right("kernel_fisher")
def point_by_point(K, y, lam):
    n = len(y)
    M = [sum(K[:, i] for i in range(n) if y[i] == c) / sum(y == c) for c in (0, 1)]
    N = lam * np.eye(n)
    for i in range(n):
        N += np.outer(K[:, i] - M[y[i]], K[:, i] - M[y[i]])
    a = scipy.linalg.cho_solve(scipy.linalg.cho_factor(N), M[1] - M[0])
    return a / np.linalg.norm(a)


@right("kernel_fisher")
def as_an_eigenproblem(K, y, lam):
    d = K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1)
    N = sum(np.cov(K[:, y == c], bias=True) * np.sum(y == c) for c in (0, 1)) + lam * np.eye(len(y))
    a = scipy.linalg.eigh(np.outer(d, d), N)[1][:, -1]
    return np.sign(a @ d) * a / np.linalg.norm(a)


# -- 8.6


def gauss(A, B, sigma):
    return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))


@right("denoise")
def step_by_step(X, Xq, sigma, q, steps):
    K, out = gauss(X, X, sigma), []
    lam, B = np.linalg.eigh(middle(K))
    alpha = B[:, -q:] / np.sqrt(lam[-q:])
    for x in Xq:
        row = gauss(x[None], X, sigma)[0]
        s = (row - K.mean(axis=0)) @ alpha  # the other two terms drop out
        gamma = alpha @ s + 1 / len(X)
        z = x
        for _ in range(steps):
            w = gamma * gauss(z[None], X, sigma)[0]
            z = w @ X / w.sum()
        out.append(z)
    return out


@right("denoise")
def by_a_projection(X, Xq, sigma, q, steps):
    K = gauss(X, X, sigma)
    lam, B = np.linalg.eigh(middle(K))
    P = (B[:, -q:] / lam[-q:]) @ B[:, -q:].T
    gamma = shifted_and_projected(K, gauss(Xq, X, sigma)) @ P + 1 / len(X)
    Z = np.array(Xq)
    for _ in range(steps):
        W = gamma * gauss(Z, X, sigma)
        Z = (W / W.sum(axis=1, keepdims=True)) @ X
    return Z


@right("denoise")
def by_singular_vectors(X, Xq, sigma, q, steps):
    K = gauss(X, X, sigma)
    U, s, _ = np.linalg.svd(middle(K))
    alpha = U[:, :q] / np.sqrt(s[:q])
    gamma = (shifted_and_projected(K, gauss(Xq, X, sigma)) @ alpha) @ alpha.T + 1 / len(X)
    Z, k = Xq, 0
    while k < steps:
        W = gamma * gauss(Z, X, sigma)
        Z, k = np.einsum("mn,nd->md", W, X) / W.sum(axis=1)[:, None], k + 1
    return Z


@right("denoise")
def along_the_slope(X, Xq, sigma, q, steps):
    """A step of (9) is one of length σ²/Σβk along the slope."""
    gamma = gammas(X, Xq, sigma, q)
    Z = Xq.copy()
    for _ in range(steps):
        W = gamma * gauss(Z, X, sigma)
        slope = (W @ X - W.sum(axis=1, keepdims=True) * Z) / sigma**2
        Z = Z + sigma**2 * slope / W.sum(axis=1, keepdims=True)
    return Z


def gammas(X, Xq, sigma, q):
    K = gauss(X, X, sigma)
    lam, B = np.linalg.eigh(middle(K))
    alpha = (B / np.sqrt(np.abs(lam) + 1e-300))[:, ::-1][:, :q]
    return as_the_lecture_prints_it(K, gauss(Xq, X, sigma)) @ alpha @ alpha.T + 1 / len(X)


@right("denoise")
def with_np_average(X, Xq, sigma, q, steps):
    Z = list(Xq)
    for i, gamma in enumerate(gammas(X, Xq, sigma, q)):
        for _ in range(steps):
            Z[i] = np.average(X, axis=0, weights=gamma * gauss(Z[i][None], X, sigma)[0])
    return np.array(Z)


# -- 8.7


def picture_errors(after, clean):
    return [float(np.sqrt(np.mean((a - c) ** 2))) for a, c in zip(after, clean, strict=True)]


@right("paired_report")
def by_statistics(clean, first, second):
    a, b = picture_errors(first, clean), picture_errors(second, clean)
    d = [p - q for p, q in zip(a, b, strict=True)]
    return statistics.mean(a), statistics.mean(b), statistics.mean(d), statistics.stdev(d) / len(d) ** 0.5


@right("paired_report")
def by_norms(clean, first, second):
    a, b = (np.linalg.norm(v - clean, axis=1) / np.sqrt(clean.shape[1]) for v in (first, second))
    return a.mean(), b.mean(), a.mean() - b.mean(), np.sqrt(np.var(a - b, ddof=1) / len(a))


@right("paired_report")
def by_the_covariance(clean, first, second):
    a, b = np.array(picture_errors(first, clean)), np.array(picture_errors(second, clean))
    C = np.cov(a, b)
    se = np.sqrt((C[0, 0] + C[1, 1] - 2 * C[0, 1]) / len(a))
    return np.array([a.mean(), b.mean(), np.mean(a - b), se])


@right("paired_report")
def by_scipy(clean, first, second):
    from scipy.stats import sem

    a, b = np.array(picture_errors(first, clean)), np.array(picture_errors(second, clean))
    return [np.average(a), np.average(b), (a - b).sum() / len(a), sem(a - b)]


@right("paired_report")
def without_numpy_functions(clean, first, second):
    a, b = picture_errors(first, clean), picture_errors(second, clean)
    m = len(a)
    d = sum(a) / m - sum(b) / m
    square = sum((p - q - d) ** 2 for p, q in zip(a, b, strict=True))
    return sum(a) / m, sum(b) / m, d, (square / (m - 1) / m) ** 0.5
