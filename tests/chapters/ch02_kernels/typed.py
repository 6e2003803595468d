"""Each named slip of chapter 2 as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# -- 2.1


@typed("poly2_features", "no root of two")
def _(X):
    x1, x2 = X.T
    return np.array([x1**2, x1 * x2, x2**2]).T


@typed("poly2_features", "two for its root")
def _(X):
    x1, x2 = X.T
    return np.array([x1**2, 2 * x1 * x2, x2**2]).T


@typed("poly2_features", "with a one inside")
def _(X):
    a, b = X[:, 0], X[:, 1]
    r = np.sqrt(2)
    return np.column_stack([np.ones(len(X)), r * a, r * b, a**2, r * a * b, b**2])


typed("poly2_features", "coordinates themselves")(lambda X: np.column_stack([X[:, 0], X[:, 1], np.zeros(len(X))]))
typed("poly2_features", "no mixed feature")(lambda X: X**2)
typed("poly2_features", "coordinates for squares")(lambda X: np.array([[a, np.sqrt(2) * a * b, b] for a, b in X]))
typed("poly2_features", "absolute values")(
    lambda X: np.column_stack([X[:, 0] ** 2, np.sqrt(2) * np.abs(X[:, 0] * X[:, 1]), X[:, 1] ** 2])
)


# -- 2.2


def dist2(A, B):
    return ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)


typed("gaussian_gram", "exponent without the 2")(lambda X, Z, sigma: np.exp(-dist2(X, Z) / sigma**2))
typed("gaussian_gram", "all of 2 sigma squared")(
    lambda X, Z, sigma: np.exp(-cdist(X, Z, "sqeuclidean") / (2 * sigma) ** 2)
)
typed("gaussian_gram", "brackets missing in the exponent")(lambda X, Z, sigma: np.exp(-dist2(X, Z) / 2 * sigma**2))
typed("gaussian_gram", "sigma used as gamma")(lambda X, Z, sigma: np.exp(-sigma * dist2(X, Z)))
typed("gaussian_gram", "sigma not squared")(lambda X, Z, sigma: np.exp(-cdist(X, Z, "sqeuclidean") / (2 * sigma)))


@typed("gaussian_gram", "one over sigma for gamma")
def _(X, Z, sigma):
    gamma = 1 / sigma
    return np.exp(-gamma * cdist(X, Z, "sqeuclidean"))


typed("gaussian_gram", "distance not squared")(lambda X, Z, sigma: np.exp(-cdist(X, Z) / (2 * sigma**2)))
typed("gaussian_gram", "Laplacian kernel")(
    lambda X, Z, sigma: np.array([[np.exp(-np.linalg.norm(x - z) / sigma) for z in Z] for x in X])
)
typed("gaussian_gram", "linear kernel")(lambda X, Z, sigma: X @ Z.T)
typed("gaussian_gram", "minus sign missing")(lambda X, Z, sigma: np.exp(dist2(X, Z) / (2 * sigma**2)))
typed("gaussian_gram", "distances feature by feature")(
    lambda X, Z, sigma: np.exp(-(cdist(X, Z, "cityblock") ** 2) / (2 * sigma**2))
)
typed("gaussian_gram", "summed before squaring")(
    lambda X, Z, sigma: np.exp(-((X[:, None] - Z[None]).sum(axis=2) ** 2) / (2 * sigma**2))
)
typed("gaussian_gram", "mean over the features")(
    lambda X, Z, sigma: np.exp(-np.mean((X[:, None] - Z[None]) ** 2, axis=2) / (2 * sigma**2))
)
typed("gaussian_gram", "first feature only")(
    lambda X, Z, sigma: np.exp(-((X[:, 0][:, None] - Z[:, 0][None, :]) ** 2) / (2 * sigma**2))
)
typed("gaussian_gram", "exponential forgotten")(lambda X, Z, sigma: -dist2(X, Z) / (2 * sigma**2))


@typed("gaussian_gram", "rows that sum to one")
def _(X, Z, sigma):
    K = np.exp(-dist2(X, Z) / (2 * sigma**2))
    return K / K.sum(axis=1, keepdims=True)


typed("gaussian_gram", "normalised as a density")(
    lambda X, Z, sigma: np.exp(-dist2(X, Z) / (2 * sigma**2)) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)
)
typed("gaussian_gram", "one minus it")(lambda X, Z, sigma: 1 - np.exp(-dist2(X, Z) / (2 * sigma**2)))


# -- 2.3


def symmetric(K, tol):
    return np.allclose(K, K.T, rtol=0, atol=tol * np.abs(K).max())


typed("is_psd", "entries for eigenvalues")(lambda K, tol: symmetric(K, tol) and bool((K >= 0).all()))
typed("is_psd", "determinant")(lambda K, tol: symmetric(K, tol) and np.linalg.det(K) >= -tol)
typed("is_psd", "strictly positive")(lambda K, tol: symmetric(K, tol) and bool(np.all(np.linalg.eigvalsh(K) > 0)))
typed("is_psd", "leading minors")(
    lambda K, tol: symmetric(K, tol) and all(np.linalg.det(K[:m, :m]) >= -tol for m in range(1, len(K) + 1))
)
typed("is_psd", "no tolerance")(lambda K, tol: symmetric(K, tol) and bool(np.all(np.linalg.eigvalsh(K) >= 0)))


@typed("is_psd", "symmetry not looked at")
def _(K, tol):
    values = np.linalg.eigvalsh(K)
    return bool(values.min() >= -tol * np.abs(values).max())


typed("is_psd", "trace")(lambda K, tol: symmetric(K, tol) and np.trace(K) >= 0)
typed("is_psd", "diagonal")(lambda K, tol: symmetric(K, tol) and bool((np.diag(K) >= 0).all()))


@typed("is_psd", "two by two minors")
def _(K, tol):
    d = np.diag(K)
    return symmetric(K, tol) and bool((K**2 <= np.outer(d, d) + tol).all())


@typed("is_psd", "largest eigenvalue")
def _(K, tol):
    values = np.linalg.eigvalsh(K)
    return symmetric(K, tol) and bool(values[-1] >= -tol * np.abs(values).max())


@typed("is_psd", "negated")
def _(K, tol):
    if not symmetric(K, tol):
        return True
    values = np.linalg.eigvalsh(K)
    return bool(values[0] < -tol * np.abs(values).max())


typed("is_psd", "only symmetry")(lambda K, tol: symmetric(K, tol))


# -- 2.4


@typed("feature_distance2", "product once")
def _(K):
    k = np.diag(K)
    return k[:, None] + k[None, :] - K


typed("feature_distance2", "unit diagonal")(lambda K: 2 - 2 * K)


@typed("feature_distance2", "root taken")
def _(K):
    n = len(K)
    D = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            D[i, j] = np.sqrt(K[i, i] + K[j, j] - 2 * K[i, j])
    return D


typed("feature_distance2", "plus for minus")(lambda K: np.add.outer(np.diag(K), np.diag(K)) + 2 * K)
typed("feature_distance2", "one diagonal only")(lambda K: np.diag(K) + np.diag(K) - 2 * K)
typed("feature_distance2", "distances between the columns")(lambda K: cdist(K.T, K.T, "sqeuclidean"))


@typed("feature_distance2", "halved")
def _(K):
    k = np.diag(K)
    return (k[:, None] + k[None, :]) / 2 - K


typed("feature_distance2", "lengths alone")(lambda K: np.diag(K)[:, None] + np.diag(K))


@typed("feature_distance2", "sign lost")
def _(K):
    k = np.diag(K)
    return 2 * K - k[:, None] - k[None, :]


# -- 2.5


def blocks(K, y, Kq):
    """K among the points of each class, and the queries' values with them: first +1, then -1."""
    p, m = y == 1, y == -1
    return K[p][:, p], K[m][:, m], Kq[:, p], Kq[:, m]


@typed("nearest_mean_score", "self terms forgotten")
def _(K, y, Kq):
    _, _, Qp, Qm = blocks(K, y, Kq)
    return 2 * Qp.mean(axis=1) - 2 * Qm.mean(axis=1)


@typed("nearest_mean_score", "sign of the self terms")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (-2 * Qm.mean(axis=1) - M.mean()) - (-2 * Qp.mean(axis=1) - P.mean())


@typed("nearest_mean_score", "two forgotten")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (M.mean() - Qm.mean(axis=1)) - (P.mean() - Qp.mean(axis=1))


@typed("nearest_mean_score", "classes exchanged")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (P.mean() - 2 * Qp.mean(axis=1)) - (M.mean() - 2 * Qm.mean(axis=1))


@typed("nearest_mean_score", "sums for means")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (M.sum() - 2 * Qm.sum(axis=1)) - (P.sum() - 2 * Qp.sum(axis=1))


@typed("nearest_mean_score", "divided by n")
def _(K, y, Kq):
    n = len(y)
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (M.sum() / n**2 - 2 * Qm.sum(axis=1) / n) - (P.sum() / n**2 - 2 * Qp.sum(axis=1) / n)


@typed("nearest_mean_score", "self term divided once")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (M.sum() / len(M) - 2 * Qm.mean(axis=1)) - (P.sum() / len(P) - 2 * Qp.mean(axis=1))


@typed("nearest_mean_score", "diagonal for the double sum")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return (np.diag(M).mean() - 2 * Qm.mean(axis=1)) - (np.diag(P).mean() - 2 * Qp.mean(axis=1))


@typed("nearest_mean_score", "signs alone")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    score = (M.mean() - 2 * Qm.mean(axis=1)) - (P.mean() - 2 * Qp.mean(axis=1))
    return np.where(score > 0, 1, -1)


@typed("nearest_mean_score", "half the score")
def _(K, y, Kq):
    P, M, Qp, Qm = blocks(K, y, Kq)
    return Qp.mean(axis=1) - Qm.mean(axis=1) + (M.mean() - P.mean()) / 2


@typed("nearest_mean_score", "distance to one mean only")
def _(K, y, Kq):
    _, M, _, Qm = blocks(K, y, Kq)
    return M.mean() - 2 * Qm.mean(axis=1)


# -- 2.6


@typed("kernel_perceptron", "undecided is right")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * np.sum(alpha * y * K[i]) < 0:
                alpha[i] += 1
    return alpha


@typed("kernel_perceptron", "label added to the count")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * np.sum(alpha * y * K[i]) <= 0:
                alpha[i] += y[i]
    return alpha


@typed("kernel_perceptron", "no label in f")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * (alpha @ K[i]) <= 0:
                alpha[i] += 1
    return alpha


@typed("kernel_perceptron", "set to 1")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * np.sum(alpha * y * K[i]) <= 0:
                alpha[i] = 1
    return alpha


@typed("kernel_perceptron", "points before it alone")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * sum(alpha[j] * y[j] * K[i, j] for j in range(i)) <= 0:
                alpha[i] += 1
    return alpha


@typed("kernel_perceptron", "whole rounds at once")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        f = K @ (alpha * y)
        alpha += y * f <= 0
    return alpha


@typed("kernel_perceptron", "one mistake a round")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * np.sum(alpha * y * K[i]) <= 0:
                alpha[i] += 1
                break
    return alpha


def rounds(K, y, alpha, times):
    """That many rounds from ``alpha`` on, rightly."""
    for _ in times:
        for i in range(len(y)):
            if y[i] * np.sum(alpha * y * K[i]) <= 0:
                alpha[i] += 1
    return alpha


typed("kernel_perceptron", "one round too few")(lambda K, y, epochs: rounds(K, y, np.zeros(len(y)), range(1, epochs)))
typed("kernel_perceptron", "one round too many")(lambda K, y, epochs: rounds(K, y, np.zeros(len(y)), range(epochs + 1)))
typed("kernel_perceptron", "signed counts")(lambda K, y, epochs: y * rounds(K, y, np.zeros(len(y)), range(epochs)))
typed("kernel_perceptron", "values for counts")(
    lambda K, y, epochs: K @ (y * rounds(K, y, np.zeros(len(y)), range(epochs)))
)


@typed("kernel_perceptron", "counts forgotten after each round")
def _(K, y, epochs):
    for _ in range(epochs):
        alpha = rounds(K, y, np.zeros(len(y)), range(1))
    return alpha


# -- 2.7


def said(K, y, learn, ask, epochs):
    """The labels that both machines give to ``ask`` after learning from ``learn``, rightly."""
    A, b, Q = K[np.ix_(learn, learn)], y[learn], K[np.ix_(ask, learn)]
    P, M, Qp, Qm = blocks(A, b, Q)
    by_mean = (M.mean() - 2 * Qm.mean(axis=1)) - (P.mean() - 2 * Qp.mean(axis=1))
    by_perceptron = Q @ (b * rounds(A, b, np.zeros(len(b)), range(epochs)))
    return np.where(by_mean > 0, 1, -1), np.where(by_perceptron > 0, 1, -1)


@typed("classify_by_gram", "trained on all")
def _(K, y, train, test, epochs):
    a, b = said(K, y, np.arange(len(y)), test, epochs)
    return np.sum(a != y[test]), np.sum(b != y[test])


@typed("classify_by_gram", "tested on the training points")
def _(K, y, train, test, epochs):
    a, b = said(K, y, train, train, epochs)
    return np.sum(a != y[train]), np.sum(b != y[train])


@typed("classify_by_gram", "errors of all points")
def _(K, y, train, test, epochs):
    a, b = said(K, y, train, np.arange(len(y)), epochs)
    return np.sum(a != y), np.sum(b != y)


@typed("classify_by_gram", "train and test exchanged")
def _(K, y, train, test, epochs):
    a, b = said(K, y, test, train, epochs)
    return np.sum(a != y[train]), np.sum(b != y[train])


@typed("classify_by_gram", "trained on the test points")
def _(K, y, train, test, epochs):
    a, b = said(K, y, test, test, epochs)
    return np.sum(a != y[test]), np.sum(b != y[test])


@typed("classify_by_gram", "undecided is class +1")
def _(K, y, train, test, epochs):
    A, b, Q = K[np.ix_(train, train)], y[train], K[np.ix_(test, train)]
    mean, _ = said(K, y, train, test, epochs)
    f = Q @ (b * rounds(A, b, np.zeros(len(b)), range(epochs)))
    return np.sum(mean != y[test]), np.sum(np.array([-1 if value < 0 else 1 for value in f]) != y[test])


@typed("classify_by_gram", "undecided is no class")
def _(K, y, train, test, epochs):
    A, b, Q = K[np.ix_(train, train)], y[train], K[np.ix_(test, train)]
    mean, _ = said(K, y, train, test, epochs)
    f = Q @ (b * rounds(A, b, np.zeros(len(b)), range(epochs)))
    return np.sum(mean != y[test]), np.sum(np.sign(f) != y[test])


typed("classify_by_gram", "rates for counts")(
    lambda K, y, train, test, epochs: tuple(np.mean(labels != y[test]) for labels in said(K, y, train, test, epochs))
)
typed("classify_by_gram", "right ones counted")(
    lambda K, y, train, test, epochs: tuple(np.sum(labels == y[test]) for labels in said(K, y, train, test, epochs))
)


@typed("classify_by_gram", "the two exchanged")
def _(K, y, train, test, epochs):
    mean, perceptron = said(K, y, train, test, epochs)
    return int(np.sum(perceptron != y[test])), int(np.sum(mean != y[test]))
