"""Right answers to chapter 8, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 8.1


@right("center_gram")
def between_two_projections(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


@right("center_gram")
def entry_by_entry(K):
    n = len(K)
    rows, total = [sum(r) / n for r in K], sum(map(sum, K)) / n**2
    return [[K[i][j] - rows[i] - rows[j] + total for j in range(n)] for i in range(n)]


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
def with_loops(K, Kq):
    n = len(K)
    return np.array(
        [[Kq[a, j] - sum(K[:, j]) / n - sum(Kq[a]) / n + np.sum(K) / n**2 for j in range(n)] for a in range(len(Kq))]
    )


# -- 8.3


def middle(K):
    return between_two_projections(K)


@right("kernel_pca")
def by_singular_values(K, q):
    U, s, _ = np.linalg.svd(middle(K))
    return U[:, :q] * np.sqrt(s[:q]), s[:q]


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


# -- 8.4


@right("explained_ratio")
def by_eigvalsh(K, q):
    lam = np.linalg.eigvalsh(middle(K))
    return (lam / lam.sum())[::-1][:q]


@right("explained_ratio")
def by_the_trace(K, q):
    return by_singular_values(K, q)[1] / np.diag(middle(K)).sum()


@right("explained_ratio")
def of_variances(K, q):
    s = by_singular_values(K, len(K))[0]
    return list(s.var(axis=0)[:q] / s.var(axis=0).sum())


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
def point_by_point(K, y, lam):
    n = len(y)
    M = [sum(K[:, i] for i in range(n) if y[i] == c) / sum(y == c) for c in (0, 1)]
    N = lam * np.eye(n)
    for i in range(n):
        N += np.outer(K[:, i] - M[y[i]], K[:, i] - M[y[i]])
    a = scipy.linalg.cho_solve(scipy.linalg.cho_factor(N), M[1] - M[0])
    return a / np.linalg.norm(a)


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


# -- 8.7


def picture_errors(after, clean):
    return [float(np.sqrt(np.mean((a - c) ** 2))) for a, c in zip(after, clean, strict=True)]


@right("paired_report")
def by_norms(clean, first, second):
    a, b = (np.linalg.norm(v - clean, axis=1) / np.sqrt(clean.shape[1]) for v in (first, second))
    return a.mean(), b.mean(), a.mean() - b.mean(), np.sqrt(np.var(a - b, ddof=1) / len(a))


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
