"""Each named slip of chapter 1 as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.student_answers import Typed, changed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# -- 1.1


def knn_regress(X, y, Xq, k):
    difference = Xq[:, None, :] - X[None, :, :]
    D = (difference**2).sum(axis=2)
    order = np.argsort(D, axis=1, kind="stable")
    nearest = order[:, :k]
    return y[nearest].mean(axis=1)


SQUARES = "(difference**2).sum(axis=2)"
typed.changes(
    "knn_regress",
    knn_regress,
    {
        "farthest points": ("argsort(D", "argsort(-D"),
        "one neighbour too many": (":k]", ": k + 1]"),
        "one neighbour too few": (":k]", ": k - 1]"),
        "the nearest left out": (":k]", "1 : k + 1]"),
        "sum for mean": ("mean", "sum"),
        "divided by n": ("mean(axis=1)", "sum(axis=1) / len(X)"),
        "median for mean": ("y[nearest].mean(axis=1)", "np.median(y[nearest], axis=1)"),
        "weights one over distance": (
            *("    return", "    W = 1 / np.sqrt(np.take_along_axis(D, nearest, axis=1))\n    return"),
            *("y[nearest].mean(axis=1)", "(W * y[nearest]).sum(axis=1) / W.sum(axis=1)"),
        ),
        "mean of the distances": ("y[nearest]", "np.sqrt(np.take_along_axis(D, nearest, axis=1))"),
        "mean of the indices": ("y[nearest]", "nearest"),
        "first feature only": (SQUARES, "np.abs(difference[:, :, 0])"),
        "sum of absolute differences": (SQUARES, "np.abs(difference).sum(axis=2)"),
        "largest difference": (SQUARES, "np.abs(difference).max(axis=2)"),
        "differences summed before squaring": (SQUARES, "difference.sum(axis=2) ** 2"),
        "most alike by inner product": (SQUARES, "-(Xq @ X.T)"),
    },
)


# -- 1.2


def nadaraya_watson(X, y, Xq, sigma):
    difference = Xq[:, None, :] - X[None, :, :]
    D = (difference**2).sum(axis=2)
    logs = -D / (2 * sigma**2)
    largest = logs.max(axis=1, keepdims=True)
    W = np.exp(logs - largest)
    total = W.sum(axis=1)
    return W @ y / total


typed.changes(
    "nadaraya_watson",
    nadaraya_watson,
    {
        "not normalised": ("logs - largest", "logs", " / total", ""),
        "normalised over the queries": ("logs - largest", "logs", "W @ y / total", "(W / W.sum(axis=0)) @ y"),
        "divided by the sum of all weights": ("logs - largest", "logs", "W.sum(axis=1)", "W.sum()"),
        "divided by n": ("logs - largest", "logs", "W.sum(axis=1)", "len(X)"),
        "weights without targets": ("logs - largest", "logs", "W @ y / total", "total"),
        "divided by the largest weight": (" / total", ""),
        "exponent without the 2": ("(2 * sigma**2)", "sigma**2"),
        "brackets missing in the exponent": ("(2 * sigma**2)", "2 * sigma**2"),
        "sigma used as gamma": ("-D / (2 * sigma**2)", "-sigma * D"),
        "sigma not squared": ("sigma**2", "sigma"),
        "one over sigma for gamma": ("(2 * sigma**2)", "sigma"),
        "distance not squared": ("-D", "-np.sqrt(D)"),
        "neither distance nor sigma squared": ("-D", "-np.sqrt(D)", "sigma**2", "sigma"),
        "minus sign missing": ("-D", "D"),
        "distances feature by feature": (SQUARES, "np.abs(difference).sum(axis=2) ** 2"),
        "summed before squaring": (SQUARES, "difference.sum(axis=2) ** 2"),
        "mean over the features": ("2).sum(axis=2)", "2).mean(axis=2)"),
        "first feature only": (SQUARES, "difference[:, :, 0] ** 2"),
    },
)


# -- 1.3


def parzen_density(X, Xq, sigma):
    n, d = X.shape
    D = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    bells = np.exp(-D / (2 * sigma**2))
    constant = (2 * np.pi * sigma**2) ** (d / 2)
    p = bells.sum(axis=1) / n / constant
    return p


typed.changes(
    "parzen_density",
    parzen_density,
    {
        "no 1/n": (" / n", ""),
        "no Gaussian constant": (" / constant", ""),
        "constant of one dimension": ("d / 2", "1 / 2"),
        "exponent d for d/2": ("d / 2", "d"),
        "sigma to the first power": ("(2 * np.pi * sigma**2)", "sigma * (2 * np.pi)"),
        "sigma missing in the constant": ("np.pi * sigma**2", "np.pi"),
        "variance for sigma in the constant": (
            "(2 * np.pi * sigma**2) ** (d / 2)",
            "(np.sqrt(2 * np.pi) * sigma**2) ** d",
        ),
        "pi without the 2": ("2 * np.pi", "np.pi"),
        "exponent without the 2": ("-D / (2 * sigma**2)", "-D / sigma**2"),
        "sigma not squared in the exponent": ("-D / (2 * sigma**2)", "-D / (2 * sigma)"),
        "distance not squared": ("-D", "-np.sqrt(D)"),
        "product of the bells": ("bells.sum(axis=1) / n / constant", "(bells / constant).prod(axis=1)"),
        "exponentials added over the features": (
            " ** 2).sum(axis=2)",
            " ** 2)",
            "sigma**2))",
            "sigma**2)).sum(axis=2)",
        ),
        "log density": ("return p", "return np.log(p)"),
        "sums to one over the queries": ("return p", "return p / p.sum()"),
        "weighted mean's weights": (" / n / constant", ""),
    },
)


# -- 1.4


def loo_bandwidth(X, y, sigmas):
    D = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    np.fill_diagonal(D, np.inf)
    scores = []
    for s in sigmas:
        logs = -D / (2 * s**2)
        W = np.exp(logs - logs.max(axis=1, keepdims=True))
        r = y - W @ y / W.sum(axis=1)
        scores.append(np.mean(r**2))
    return sigmas[np.argmin(scores)], np.array(scores)


def by_shortcut(X, y, sigmas):
    D = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    scores = []
    for s in sigmas:
        W = np.exp(-D / (2 * s**2))
        S = W / W.sum(axis=1, keepdims=True)
        h = np.diag(S)
        scores.append(np.mean(((y - S @ y) / (1 - h)) ** 2))
    return sigmas[np.argmin(scores)], np.array(scores)


typed.changes(
    "loo_bandwidth",
    loo_bandwidth,
    {
        "absolute errors": ("r**2", "np.abs(r)"),
        "root of the mean square": ("np.mean(r**2)", "np.sqrt(np.mean(r**2))"),
        "largest error": ("argmin", "argmax"),
        "index for width": ("sigmas[np.argmin(scores)]", "np.argmin(scores)"),
        "exponent without the 2": ("(2 * s**2)", "s**2"),
    },
)
typed.changes(
    "loo_bandwidth",
    by_shortcut,
    {
        "keeps the point itself": (" / (1 - h)", ""),
        "point left in the denominator": ("y - S @ y) / (1 - h)", "y - S @ y + h * y)"),
        "shortcut multiplied": ("/ (1 - h)", "* (1 - h)"),
        "average leverage": ("np.diag(S)", "np.mean(np.diag(S))"),
    },
)


# -- 1.5


def knn_smoother(X, Xq, k):
    D = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    S = np.zeros(D.shape)
    for i, row in enumerate(D):
        nearest = np.argsort(row, kind="stable")[:k]
        S[i, nearest] = 1 / k
    return S


typed.changes(
    "knn_smoother",
    knn_smoother,
    {
        "indicator without 1/k": ("1 / k", "1"),
        "1/n for 1/k": ("1 / k", "1 / len(X)"),
        "nearest queries of each point": ("enumerate(D)", "enumerate(D.T)", "S[i, nearest]", "S[nearest, i]"),
        "farthest points": ("[:k]", "[-k:]"),
        "one neighbour too many": ("[:k]", "[: k + 1]", "1 / k", "1 / (k + 1)"),
        "one entry too many": ("[:k]", "[: k + 1]"),
        "one neighbour too few": ("    S = ", "    k = k - 1\n    S = "),
        "one entry too few": ("[:k]", "[: k - 1]"),
        "the nearest dropped": ("[:k]", "[1:k]"),
        "the nearest left out": ("[:k]", "[1 : k + 1]"),
        "columns that sum to one": ("return S", "return S / np.where(S.any(axis=0), S.sum(axis=0), 1)"),
        "identity of the order": ('np.argsort(row, kind="stable")', "np.arange(len(X))"),
        "columns for all queries": ("S[i, nearest]", "S[:, nearest]"),
        "distances in the matrix": ("1 / k", "np.sqrt(row[nearest])"),
    },
)


@typed("knn_smoother", "most alike by angle")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    for i, q in enumerate(Xq):
        cosines = [q @ x / max(1e-9, np.sqrt(q @ q)) / max(1e-9, np.sqrt(x @ x)) for x in X]
        S[i, np.argsort([-c for c in cosines], kind="stable")[:k]] = 1 / k
    return S


# -- 1.6


def residuals(predict, X, y, setting):
    """Each point from those that are not at its place."""
    used = [(X != x).any(axis=1) for x in X]
    return np.array([t - predict(X[use], y[use], x[None], setting)[0] for x, t, use in zip(X, y, used, strict=True)])


apart = changed(residuals, "any", "all")  # from those that share no coordinate
abreast = changed(residuals, "(X != x).any(axis=1)", "X[:, 0] != x[0]")


def compare_smoothers(X, y, sigmas, ks):
    a = np.array([np.mean(residuals(nadaraya_watson, X, y, s) ** 2) for s in sigmas])
    b = np.array([np.mean(residuals(knn_regress, X, y, k) ** 2) for k in ks])
    i, j = a.argmin(), b.argmin()
    return sigmas[i], a[i], ks[j], b[j]


ERRORS = ("np.mean(residuals(nadaraya_watson, X, y, s) ** 2)", "np.mean(residuals(knn_regress, X, y, k) ** 2)")


typed.changes(
    "compare_smoothers",
    compare_smoothers,
    {
        "keeps the points": (
            *("residuals(nadaraya_watson, X, y, s)", "(y - nadaraya_watson(X, y, X, s))"),
            *("residuals(knn_regress, X, y, k)", "(y - knn_regress(X, y, X, k))"),
        ),
        "absolute errors": (
            *(ERRORS[0], "np.mean(np.abs(residuals(nadaraya_watson, X, y, s)))"),
            *(ERRORS[1], "np.mean(np.abs(residuals(knn_regress, X, y, k)))"),
        ),
        "root of the mean square": (ERRORS[0], f"np.sqrt({ERRORS[0]})", ERRORS[1], f"np.sqrt({ERRORS[1]})"),
        "sum of squares": (
            "np.mean(residuals(nad",
            "np.sum(residuals(nad",
            "np.mean(residuals(knn",
            "np.sum(residuals(knn",
        ),
        "largest error": ("a.argmin", "a.argmax", "b.argmin", "b.argmax"),
        "indices for settings": ("sigmas[i]", "i", "ks[j]", "j"),
        "window and neighbours exchanged": ("sigmas[i], a[i], ks[j], b[j]", "ks[j], b[j], sigmas[i], a[i]"),
        "errors exchanged": ("a[i], ks[j], b[j]", "b[j], ks[j], a[i]"),
        "one coordinate in common": ("residuals(nad", "apart(nad", "residuals(knn", "apart(knn"),
        "places by the first coordinate": ("residuals(nad", "abreast(nad", "residuals(knn", "abreast(knn"),
        "one neighbour too many": ("X, y, k)", "X, y, k + 1)"),
    },
)
