"""Wrong answers to chapter 2 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch02_kernels.right_answers import keeping_the_values, with_other_pieces
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# -- 2.1


def poly2_features(X):
    a, b = X.T
    return np.column_stack([a**2, np.sqrt(2) * a * b, b**2])


mistake.changes(
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


mistake.changes(
    "gaussian_gram",
    gaussian_gram,
    {
        "exponent without the 2": ("(2 * sigma**2)", "sigma**2"),
        "all of 2 sigma squared": ("(2 * sigma**2)", "(2 * sigma) ** 2"),
        "brackets missing in the exponent": ("(2 * sigma**2)", "2 * sigma**2"),
        "sigma used as gamma": ("-D / (2 * sigma**2)", "-sigma * D"),
        "sigma not squared": ("sigma**2", "sigma"),
        "distance not squared": ("-D", "-np.sqrt(D)"),
        "Laplacian kernel": ("-D / (2 * sigma**2)", "-np.sqrt(D) / sigma"),
        "minus sign missing": ("-D", "D"),
        "summed before squaring": ("(difference**2).sum(axis=2)", "difference.sum(axis=2) ** 2"),
        "exponential forgotten": ("np.exp", ""),
        "rows that sum to one": ("return K", "return K / K.sum(axis=1, keepdims=True)"),
    },
)


# -- 2.3


def is_psd(K, tol):
    symmetric = np.allclose(K, K.T, rtol=0, atol=tol * np.abs(K).max())
    w = np.linalg.eigvalsh(K)
    positive = w[0] >= -tol * np.abs(w).max()
    return bool(symmetric and positive)


POSITIVE = "w[0] >= -tol * np.abs(w).max()"
mistake.changes(
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


mistake.changes(
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


mistake.changes(
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


mistake.changes(
    "kernel_perceptron",
    kernel_perceptron,
    {
        "undecided is right": ("<=", "<"),
        "label added to the count": ("+= 1", "+= y[i]"),
        "no label in f": ("alpha * y", "alpha"),
        "set to 1": ("+= 1", "= 1"),
        "no label in the test": ("y[i] * np.sum", "np.sum"),
        "updates where it is right": ("<=", ">="),
        "one round too few": ("range(epochs)", "range(1, epochs)"),
        "signed counts": ("return alpha", "return y * alpha"),
        "counts forgotten after each round": ("(epochs):", "(epochs):\n        alpha = np.zeros(len(y))"),
    },
)


@mistake("kernel_perceptron", "whole rounds at once")
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


mistake.changes(
    "classify_by_gram",
    classify_by_gram,
    {
        "trained on all": ("= train, test", "= np.arange(len(y)), test"),
        "tested on the training points": ("= train, test", "= train, train"),
        "errors of all points": ("= train, test", "= train, np.arange(len(y))"),
        "train and test exchanged": ("= train, test", "= test, train"),
        "trained on the test points": ("= train, test", "= test, test"),
        "rates for counts": ("np.sum(by_mean", "np.mean(by_mean", "np.sum(by_perceptron", "np.mean(by_perceptron"),
        "right ones counted": ("by_mean !=", "by_mean ==", "by_perceptron !=", "by_perceptron =="),
        "the two exchanged": ("sum(by_mean", "sum(by_perceptron", ", np.sum(by_perceptron", ", np.sum(by_mean"),
        "self terms forgotten": (
            "nearest_mean_score(A, b, Q)",
            "Q[:, b == 1].mean(axis=1) - Q[:, b == -1].mean(axis=1)",
        ),
    },
)


RAISING: dict[str, tuple] = {}


def squeezed(X):
    return np.squeeze(np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2]))


def expanded_in_place(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - 2 * X @ Z.T
    return np.exp(-np.maximum(D, 0) / (2 * sigma**2))


def compares_sizes(K, tol):
    values = np.linalg.eigvalsh(K)
    return bool(np.allclose(np.abs(K), np.abs(K.T)) and values[0] >= -tol * np.abs(values).max())


def compares_relative(K, tol):
    mu = np.linalg.eigvalsh(K)
    return bool(np.allclose(K, K.T, atol=1e-9 * np.abs(K).max()) and mu[0] >= -tol * np.abs(mu).max())


def absolute_tolerance(K, tol):
    return bool(np.allclose(K, K.T, atol=1e-9 * np.abs(K).max()) and np.linalg.eigvalsh(K)[0] >= -tol)


def pairs_of_different_points(K, y, Kq):
    """Without the diagonal, put back in by hand; for one point that is 0/0."""
    score = np.zeros(len(Kq))
    for label in (-1, 1):
        c = np.flatnonzero(y == label)
        m, inner = len(c), K[np.ix_(c, c)]
        between = (inner.sum() - np.trace(inner)) / (m * (m - 1)) if m > 1 else np.nan
        score -= label * ((m - 1) / m * between + np.trace(inner) / m**2 - 2 * Kq[:, c].mean(axis=1))
    return score


def tires_after_three_rounds(K, y, epochs):
    return keeping_the_values(K, y, min(epochs, 3))


def sorts_the_training_points(K, y, train, test, epochs):
    return with_other_pieces(K, y, np.sort(train), test, epochs)


ONLY = {
    ("poly2_features", 1): squeezed,
    ("gaussian_gram", 1): expanded_in_place,
    ("is_psd", 1): compares_sizes,
    ("is_psd", 2): absolute_tolerance,
    ("nearest_mean_score", 1): pairs_of_different_points,
    ("kernel_perceptron", 1): lambda K, y, epochs: counts(K, y, epochs, lambda label, f: (1 if f > 0 else -1) != label),
    ("classify_by_gram", 1): sorts_the_training_points,
    ("classify_by_gram", 2): changed(classify_by_gram, "f > 0", "f >= 0"),
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("poly2_features")(lambda X: np.column_stack([X[:, 0] ** 3, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 3]))
wrong("poly2_features")(lambda X: np.column_stack([X[:, 0] ** 2 - X[:, 1] ** 2, 2 * X[:, 0] * X[:, 1], 0 * X[:, 0]]))
wrong("poly2_features", "the matrix itself")(lambda X: (X @ X.T) ** 2)


def expanded(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - 2 * X @ Z.T
    return np.exp(-D / (2 * sigma**2))


wrong("gaussian_gram", "product once in the square")(changed(expanded, "- 2 * X", "- X"))
wrong("gaussian_gram")(changed(expanded, "- 2 * X", "+ 2 * X"))
wrong("gaussian_gram")(lambda X, Z, sigma: np.exp(np.sqrt(cdist(X, Z, "sqeuclidean"))))
wrong("is_psd")(lambda K, tol: bool(np.linalg.eigvalsh(K)[0] >= -tol))
wrong("is_psd")(changed(compares_relative, ">=", ">"))
wrong("is_psd", "symmetry not looked at + no tolerance")(lambda K, tol: bool(np.linalg.eigvalsh(K)[0] >= 0))
wrong("is_psd", "strictly positive + symmetry not looked at")(lambda K, tol: bool(np.linalg.eigvalsh(K)[0] >= tol))


@wrong("is_psd")
def some_vectors_drawn_at_random(K, tol):
    rng = np.random.default_rng(0)
    return all(c @ K @ c >= -tol * np.abs(K).max() for c in rng.normal(size=(20, len(K))))


wrong("nearest_mean_score")(
    lambda K, y, Kq: 2 * np.median(Kq[:, y == 1], axis=1) - 2 * np.median(Kq[:, y == -1], axis=1)
)
wrong("kernel_perceptron")(lambda K, y, epochs: 0.3 * keeping_the_values(K, y, epochs) * y)


def counts(K, y, epochs, is_mistake, order=1):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y))[::order]:
            alpha[i] += is_mistake(y[i], sum(alpha[j] * y[j] * K[i, j] for j in range(len(y))))
    return alpha


wrong("kernel_perceptron")(tires_after_three_rounds)
wrong("kernel_perceptron")(lambda K, y, epochs: counts(K, y, epochs, lambda label, f: (1 if f >= 0 else -1) != label))
wrong("kernel_perceptron", "undecided is right")(changed(kernel_perceptron, "<= 0", "> 0"))
wrong("kernel_perceptron")(changed(kernel_perceptron, "+= 1", "+= 1\n                break"))
wrong("kernel_perceptron")(changed(kernel_perceptron, "np.sum(alpha * y * K[i])", "alpha[i] * K[i, i]"))  # all ones
wrong("kernel_perceptron", "margin of one")(lambda K, y, epochs: counts(K, y, epochs, lambda label, f: label * f <= 1))


wrong("kernel_perceptron", "one added to the kernel")(
    lambda K, y, epochs: counts(K + 1, y, epochs, lambda label, f: label * f <= 0)
)
wrong("kernel_perceptron")(lambda K, y, epochs: counts(K, y, epochs, lambda label, f: label * f <= 0, order=-1))
wrong("kernel_perceptron")(
    lambda K, y, epochs: counts(K - np.diag(np.diag(K)), y, epochs, lambda label, f: label * f <= 0)
)
wrong("kernel_perceptron")(lambda K, y, epochs: counts(K, y, epochs, lambda label, f: label * f <= 0.5))
wrong("classify_by_gram")(lambda K, y, train, test, epochs: (0, 0))
wrong("feature_distance2")(lambda K: -(K**3))
wrong("feature_distance2")(lambda K: K**2 + 1)
