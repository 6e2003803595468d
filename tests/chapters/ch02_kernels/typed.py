"""Each named slip of chapter 2 as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# -- 2.1


def poly2_features(X):
    a, b = X.T
    return np.column_stack([a**2, np.sqrt(2) * a * b, b**2])


typed.changes(
    "poly2_features",
    poly2_features,
    {
        "no root of two": ("np.sqrt(2) * ", ""),
        "two for its root": ("np.sqrt(2)", "2"),
        "with a one inside": ("[a**2", "[np.ones(len(X)), np.sqrt(2) * a, np.sqrt(2) * b, a**2"),
        "coordinates themselves": ("a**2, np.sqrt(2) * a * b, b**2", "a, b, 0 * a"),
        "no mixed feature": (" np.sqrt(2) * a * b,", ""),
        "coordinates for squares": ("a**2", "a", "b**2", "b"),
        "absolute values": ("a * b", "np.abs(a * b)"),
    },
)


# -- 2.2


def gaussian_gram(X, Z, sigma):
    difference = X[:, None, :] - Z[None, :, :]
    D = (difference**2).sum(axis=2)
    K = np.exp(-D / (2 * sigma**2))
    return K


typed.changes(
    "gaussian_gram",
    gaussian_gram,
    {
        "exponent without the 2": ("(2 * sigma**2)", "sigma**2"),
        "all of 2 sigma squared": ("(2 * sigma**2)", "(2 * sigma) ** 2"),
        "brackets missing in the exponent": ("(2 * sigma**2)", "2 * sigma**2"),
        "sigma used as gamma": ("-D / (2 * sigma**2)", "-sigma * D"),
        "sigma not squared": ("sigma**2", "sigma"),
        "one over sigma for gamma": ("(2 * sigma**2)", "sigma"),
        "distance not squared": ("-D", "-np.sqrt(D)"),
        "Laplacian kernel": ("-D / (2 * sigma**2)", "-np.sqrt(D) / sigma"),
        "linear kernel": ("return K", "return X @ Z.T"),
        "minus sign missing": ("-D", "D"),
        "distances feature by feature": ("(difference**2).sum(axis=2)", "np.abs(difference).sum(axis=2) ** 2"),
        "summed before squaring": ("(difference**2).sum(axis=2)", "difference.sum(axis=2) ** 2"),
        "mean over the features": ("sum", "mean"),
        "first feature only": ("(difference**2).sum(axis=2)", "difference[:, :, 0] ** 2"),
        "exponential forgotten": ("np.exp", ""),
        "rows that sum to one": ("return K", "return K / K.sum(axis=1, keepdims=True)"),
        "normalised as a density": ("return K", "return K / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)"),
        "one minus it": ("return K", "return 1 - K"),
    },
)


# -- 2.3


def is_psd(K, tol):
    symmetric = np.allclose(K, K.T, rtol=0, atol=tol * np.abs(K).max())
    w = np.linalg.eigvalsh(K)
    positive = w[0] >= -tol * np.abs(w).max()
    return bool(symmetric and positive)


POSITIVE = "w[0] >= -tol * np.abs(w).max()"
typed.changes(
    "is_psd",
    is_psd,
    {
        "entries for eigenvalues": (POSITIVE, "(K >= 0).all()"),
        "determinant": (POSITIVE, "np.linalg.det(K) >= -tol"),
        "strictly positive": (POSITIVE, "w[0] > 0"),
        "leading minors": (POSITIVE, "all(np.linalg.det(K[:m, :m]) >= -tol for m in range(1, len(K) + 1))"),
        "no tolerance": (POSITIVE, "w[0] >= 0"),
        "symmetry not looked at": ("symmetric and ", ""),
        "trace": (POSITIVE, "np.trace(K) >= 0"),
        "diagonal": (POSITIVE, "(np.diag(K) >= 0).all()"),
        "two by two minors": (POSITIVE, "(K**2 <= np.outer(np.diag(K), np.diag(K)) + tol).all()"),
        "largest eigenvalue": ("w[0]", "w[-1]"),
        "negated": ("symmetric and positive", "not (symmetric and positive)"),
        "only symmetry": (" and positive", ""),
    },
)


# -- 2.4


def feature_distance2(K):
    k = np.diag(K)
    return k[:, None] + k[None, :] - 2 * K


typed.changes(
    "feature_distance2",
    feature_distance2,
    {
        "product once": ("2 * K", "K"),
        "unit diagonal": ("k[:, None] + k[None, :]", "2"),
        "root taken": ("k[:, None] + k[None, :] - 2 * K", "np.sqrt(k[:, None] + k[None, :] - 2 * K)"),
        "plus for minus": ("- 2", "+ 2"),
        "one diagonal only": ("k[:, None] + k[None, :]", "k + k"),
        "distances between the columns": (
            "k[:, None] + k[None, :] - 2 * K",
            "((K[:, :, None] - K[:, None, :]) ** 2).sum(axis=0)",
        ),
        "halved": ("k[:, None] + k[None, :] - 2 * K", "(k[:, None] + k[None, :]) / 2 - K"),
        "lengths alone": (" - 2 * K", ""),
        "sign lost": ("k[:, None] + k[None, :] - 2 * K", "2 * K - k[:, None] - k[None, :]"),
    },
)


# -- 2.5


def nearest_mean_score(K, y, Kq):
    p, m = y == 1, y == -1
    P, M = K[p][:, p], K[m][:, m]
    a, b = Kq[:, p].mean(axis=1), Kq[:, m].mean(axis=1)
    plus = P.mean() - 2 * a
    minus = M.mean() - 2 * b
    return minus - plus


typed.changes(
    "nearest_mean_score",
    nearest_mean_score,
    {
        "self terms forgotten": ("P.mean() -", "-", "M.mean() -", "-"),
        "sign of the self terms": ("P.mean() -", "-P.mean() -", "M.mean() -", "-M.mean() -"),
        "two forgotten": ("2 * a", "a", "2 * b", "b"),
        "classes exchanged": ("minus - plus", "plus - minus"),
        "sums for means": (
            *("Kq[:, p].mean", "Kq[:, p].sum", "Kq[:, m].mean", "Kq[:, m].sum"),
            *("P.mean", "P.sum", "M.mean", "M.sum"),
        ),
        "divided by n": (
            *("Kq[:, p].mean(axis=1)", "Kq[:, p].sum(axis=1) / len(y)"),
            *("Kq[:, m].mean(axis=1)", "Kq[:, m].sum(axis=1) / len(y)"),
            *("P.mean()", "P.sum() / len(y) ** 2", "M.mean()", "M.sum() / len(y) ** 2"),
        ),
        "self term divided once": ("P.mean()", "P.sum() / len(P)", "M.mean()", "M.sum() / len(M)"),
        "diagonal for the double sum": ("P.mean()", "np.diag(P).mean()", "M.mean()", "np.diag(M).mean()"),
        "signs alone": ("minus - plus", "np.where(minus > plus, 1, -1)"),
        "half the score": ("minus - plus", "(minus - plus) / 2"),
        "distance to one mean only": ("minus - plus", "minus"),
    },
)


# -- 2.6


def kernel_perceptron(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            if y[i] * np.sum(alpha * y * K[i]) <= 0:
                alpha[i] += 1
    return alpha


typed.changes(
    "kernel_perceptron",
    kernel_perceptron,
    {
        "undecided is right": ("<=", "<"),
        "label added to the count": ("+= 1", "+= y[i]"),
        "no label in f": ("alpha * y", "alpha"),
        "set to 1": ("+= 1", "= 1"),
        "points before it alone": ("alpha * y * K[i]", "(alpha * y * K[i])[:i]"),
        "one mistake a round": ("+= 1", "+= 1\n                break"),
        "one round too few": ("range(epochs)", "range(1, epochs)"),
        "one round too many": ("range(epochs)", "range(epochs + 1)"),
        "signed counts": ("return alpha", "return y * alpha"),
        "values for counts": ("return alpha", "return K @ (y * alpha)"),
        "counts forgotten after each round": ("(epochs):", "(epochs):\n        alpha = np.zeros(len(y))"),
    },
)


@typed("kernel_perceptron", "whole rounds at once")
def _(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        f = K @ (alpha * y)
        alpha += y * f <= 0
    return alpha


# -- 2.7


def classify_by_gram(K, y, train, test, epochs):
    learn, ask = train, test
    A, b, Q = K[np.ix_(learn, learn)], y[learn], K[np.ix_(ask, learn)]
    f = Q @ (b * kernel_perceptron(A, b, epochs))
    by_mean = np.where(nearest_mean_score(A, b, Q) > 0, 1, -1)
    by_perceptron = np.where(f > 0, 1, -1)
    return np.sum(by_mean != y[ask]), np.sum(by_perceptron != y[ask])


typed.changes(
    "classify_by_gram",
    classify_by_gram,
    {
        "trained on all": ("= train, test", "= np.arange(len(y)), test"),
        "tested on the training points": ("= train, test", "= train, train"),
        "errors of all points": ("= train, test", "= train, np.arange(len(y))"),
        "train and test exchanged": ("= train, test", "= test, train"),
        "trained on the test points": ("= train, test", "= test, test"),
        "undecided is class +1": ("f > 0", "f >= 0"),
        "undecided is no class": ("np.where(f > 0, 1, -1)", "np.sign(f)"),
        "rates for counts": ("np.sum(by_mean", "np.mean(by_mean", "np.sum(by_perceptron", "np.mean(by_perceptron"),
        "right ones counted": ("by_mean !=", "by_mean ==", "by_perceptron !=", "by_perceptron =="),
        "the two exchanged": ("sum(by_mean", "sum(by_perceptron", ", np.sum(by_perceptron", ", np.sum(by_mean"),
    },
)
