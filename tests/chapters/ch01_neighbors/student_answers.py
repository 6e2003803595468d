"""Wrong answers to chapter 1 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch01_neighbors.right_answers import by_shortcut as right_by_shortcut
from tests.chapters.ch01_neighbors.right_answers import with_cdist, with_infinite_distances, with_softmax
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# -- 1.1


def knn_regress(X, y, Xq, k):
    difference = Xq[:, None, :] - X[None, :, :]
    D = (difference**2).sum(axis=2)
    order = np.argsort(D, axis=1, kind="stable")
    nearest = order[:, :k]
    return y[nearest].mean(axis=1)


STANDARDISED = (
    "    Xq = (Xq - X.mean(axis=0)) / X.std(axis=0)\n    X = (X - X.mean(axis=0)) / X.std(axis=0)\n    difference"
)
SQUARES = "(difference**2).sum(axis=2)"
mistake.changes(
    "knn_regress",
    knn_regress,
    {
        "farthest points": ("argsort(D", "argsort(-D"),
        "one neighbour too many": (":k]", ": k + 1]"),
        "one neighbour too few": (":k]", ": k - 1]"),
        "the nearest left out": (":k]", "1 : k + 1]"),
        "sum for mean": ("mean", "sum"),
        "weights one over distance": (
            *("    return", "    W = 1 / np.sqrt(np.take_along_axis(D, nearest, axis=1))\n    return"),
            *("y[nearest].mean(axis=1)", "(W * y[nearest]).sum(axis=1) / W.sum(axis=1)"),
        ),
        "mean of the indices": ("y[nearest]", "nearest"),
        "first feature only": (SQUARES, "np.abs(difference[:, :, 0])"),
        "sum of absolute differences": (SQUARES, "np.abs(difference).sum(axis=2)"),
        "differences summed before squaring": (SQUARES, "difference.sum(axis=2) ** 2"),
        "points at distance 0 left out": ("    order", "    D[D == 0] = np.inf\n    order"),
        "inputs standardised": ("    difference", STANDARDISED),
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


mistake.changes(
    "nadaraya_watson",
    nadaraya_watson,
    {
        "not normalised": ("logs - largest", "logs", " / total", ""),
        "normalised over the queries": ("logs - largest", "logs", "W @ y / total", "(W / W.sum(axis=0)) @ y"),
        "divided by the largest weight": (" / total", ""),
        "exponent without the 2": ("(2 * sigma**2)", "sigma**2"),
        "brackets missing in the exponent": ("(2 * sigma**2)", "2 * sigma**2"),
        "sigma used as gamma": ("-D / (2 * sigma**2)", "-sigma * D"),
        "distance not squared": ("-D", "-np.sqrt(D)"),
        "neither distance nor sigma squared": ("-D", "-np.sqrt(D)", "sigma**2", "sigma"),
        "minus sign missing": ("-D", "D"),
        "summed before squaring": (SQUARES, "difference.sum(axis=2) ** 2"),
        "first feature only": (SQUARES, "difference[:, :, 0] ** 2"),
    },
)


# -- 1.3


def parzen_density(X, Xq, sigma):
    n, d = X.shape
    D = ((Xq[:, None, :] - X[None, :, :]) ** 2).sum(axis=2)
    bumps = np.exp(-D / (2 * sigma**2))
    constant = (2 * np.pi * sigma**2) ** (d / 2)
    p = bumps.sum(axis=1) / n / constant
    return p


mistake.changes(
    "parzen_density",
    parzen_density,
    {
        "no 1/n": (" / n", ""),
        "no Gaussian constant": (" / constant", ""),
        "constant of one dimension": ("d / 2", "1 / 2"),
        "exponent d for d/2": ("d / 2", "d"),
        "sigma to the first power": ("(2 * np.pi * sigma**2)", "sigma * (2 * np.pi)"),
        "sigma missing in the constant": ("np.pi * sigma**2", "np.pi"),
        "exponent without the 2": ("-D / (2 * sigma**2)", "-D / sigma**2"),
        "all of 2 sigma squared": ("(2 * sigma**2))", "(2 * sigma) ** 2)"),
        "sigma not squared": ("-D / (2 * sigma**2)", "-D / (2 * sigma)"),
        "distance not squared": ("-D", "-np.sqrt(D)"),
        "log density": ("return p", "return np.log(p)"),
        "sums to one over the queries": ("return p", "return p / p.sum()"),
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


mistake.changes(
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
mistake.changes(
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


mistake.changes(
    "knn_smoother",
    knn_smoother,
    {
        "indicator without 1/k": ("1 / k", "1"),
        "nearest queries of each point": ("enumerate(D)", "enumerate(D.T)", "S[i, nearest]", "S[nearest, i]"),
        "farthest points": ("[:k]", "[-k:]"),
        "one neighbour too many": ("[:k]", "[: k + 1]", "1 / k", "1 / (k + 1)"),
        "one entry too many": ("[:k]", "[: k + 1]"),
        "one entry too few": ("[:k]", "[: k - 1]"),
        "the nearest left out": ("[:k]", "[1 : k + 1]"),
        "columns that sum to one": ("return S", "return S / np.where(S.any(axis=0), S.sum(axis=0), 1)"),
        "identity of the order": ('np.argsort(row, kind="stable")', "np.arange(len(X))"),
        "columns for all queries": ("S[i, nearest]", "S[:, nearest]"),
        "points at distance 0 left out": ("        nearest", "        row[row == 0] = np.inf\n        nearest"),
        "inputs standardised": ("    D = ", STANDARDISED.replace("difference", "D = ")),
    },
)


# -- 1.6


def residuals(predict, X, y, setting):
    """Each point from those at other inputs."""
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


mistake.changes(
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
        "one coordinate in common": ("residuals(nad", "apart(nad", "residuals(knn", "apart(knn"),
        "inputs compared by the first coordinate": ("residuals(nad", "abreast(nad", "residuals(knn", "abreast(knn"),
        "one neighbour too many": ("X, y, k)", "X, y, k + 1)"),
    },
)


def plain_weights(X, Xq, sigma):
    return np.exp(-((Xq[:, None] - X[None]) ** 2).sum(-1) / (2 * sigma**2))


# misconception -> exercise, and ways to make it
RAISING = {
    "train and query points swapped": (
        "nadaraya_watson",
        [lambda X, y, Xq, s: plain_weights(Xq, X, s) @ y / plain_weights(Xq, X, s).sum(axis=1)],
    ),
}


def squares(Xq, X):
    return ((Xq[:, None] - X[None]) ** 2).sum(-1)


def knn_last(X, y, Xq, k):
    return y[::-1][np.argsort(squares(Xq, X[::-1]), axis=1, kind="stable")[:, :k]].mean(axis=1)


def knn_into_integers(X, y, Xq, k):
    out = np.zeros(len(Xq), dtype=y.dtype)
    for i, near in enumerate(np.argsort(squares(Xq, X), axis=1, kind="stable")[:, :k]):
        out[i] = y[near].mean()
    return out


def naive(X, y, Xq, sigma):
    W = plain_weights(X, Xq, sigma)
    return W @ y / W.sum(axis=1)


def squeezed(X, y, Xq, sigma):
    return np.squeeze(with_softmax(X, y, Xq, sigma))


def clipped(X, Xq, sigma):
    d = X.shape[1]
    return np.minimum(plain_weights(X, Xq, sigma).mean(axis=1) / (2 * np.pi * sigma**2) ** (d / 2), 1.0)


def sorts_the_widths(X, y, sigmas):
    sigmas = np.sort(sigmas)
    return right_by_shortcut(X, y, sigmas, safe=True)


def divides(X, y, sigmas):
    return right_by_shortcut(X, y, sigmas)


def lets_more_ties_in(X, Xq, k):
    D = squares(Xq, X)
    S = (D <= np.sort(D, axis=1)[:, [k - 1]]).astype(float)
    return S / S.sum(axis=1, keepdims=True)


def inputs_for_points(X, y, sigmas, ks):
    """Each input counts once in the error, with the target that was measured there first."""
    first = np.sort(np.unique(X, axis=0, return_index=True)[1])
    D = squares(X[first], X)
    D[D == 0] = np.inf
    near = np.argsort(D, axis=1, kind="stable")

    def weighted(s):
        W = np.exp(-(D - D.min(axis=1, keepdims=True)) / (2 * s**2))
        return W @ y / W.sum(axis=1)

    a = [np.mean((y[first] - weighted(s)) ** 2) for s in sigmas]
    b = [np.mean((y[first] - y[near[:, :k]].mean(axis=1)) ** 2) for k in ks]
    return sigmas[np.argmin(a)], min(a), ks[np.argmin(b)], min(b)


ONLY = {
    ("knn_regress", 1): knn_last,
    ("knn_regress", 2): knn_into_integers,
    ("nadaraya_watson", 1): naive,
    ("nadaraya_watson", 2): squeezed,
    ("parzen_density", 1): clipped,
    ("loo_bandwidth", 1): sorts_the_widths,
    ("loo_bandwidth", 2): divides,
    ("knn_smoother", 1): lets_more_ties_in,
    ("compare_smoothers", 1): inputs_for_points,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)


# -- 1.1

wrong("knn_regress", "sum for mean + one neighbour too many")(lambda X, y, Xq, k: (k + 1) * with_cdist(X, y, Xq, k + 1))
wrong("knn_regress")(changed(knn_regress, SQUARES, "np.abs(difference).max(axis=2)"))
wrong("knn_regress")(
    changed(
        knn_regress,
        "    difference",
        STANDARDISED.replace("(Xq - X.mean(axis=0)) / X.", "(Xq - Xq.mean(axis=0)) / Xq."),
    )
)


@wrong("knn_regress")
def lets_ties_in(X, y, Xq, k):
    D = cdist(Xq, X, "sqeuclidean")
    near = np.sort(D, axis=1)[:, [k - 1]] >= D
    return near @ y / near.sum(axis=1)


# -- 1.2


@wrong("nadaraya_watson")
def weights_not_positive(X, y, Xq, sigma):
    W = 1 - cdist(Xq, X, "sqeuclidean") / (2 * sigma**2)
    return W @ y / W.sum(axis=1)


wrong("nadaraya_watson")(changed(nadaraya_watson, "logs - largest", "logs", "W.sum(axis=1)", "W.sum()"))
wrong("nadaraya_watson")(changed(nadaraya_watson, "2).sum(axis=2)", "2).mean(axis=2)"))

# -- 1.3


wrong("parzen_density")(
    lambda X, Xq, sigma: sum(parzen_density(X[:, [j]], Xq[:, [j]], sigma) for j in range(X.shape[1]))
)

wrong("parzen_density", "exponent without the 2 + n times")(
    changed(parzen_density, "-D / (2 * sigma**2)", "-D / sigma**2", " / n", "")
)
wrong("parzen_density")(changed(parzen_density, " / n", " / len(Xq)"))

# -- 1.4


@wrong("loo_bandwidth")
def leaves_out_the_first_only(X, y, sigmas):
    scores = [np.mean((y[1:] - with_softmax(X[1:], y[1:], X[1:], s)) ** 2) for s in sigmas]
    return sigmas[np.argmin(scores)], scores


wrong("loo_bandwidth")(changed(loo_bandwidth, "np.mean(r**2)", "np.sum(r**2) / (len(y) - 1)"))
wrong("loo_bandwidth", "sum of squares")(changed(loo_bandwidth, "np.mean", "np.sum"))
wrong("loo_bandwidth", "the least score alone")(changed(loo_bandwidth, "np.array(scores)", "min(scores)"))
wrong("loo_bandwidth", "shortcut outside the square")(
    changed(by_shortcut, "((y - S @ y) / (1 - h)) ** 2", "(y - S @ y) ** 2 / (1 - h)")
)

# -- 1.5


@wrong("knn_smoother")
def gaussian_weights(X, Xq, k):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * k**2))
    return W / W.sum(axis=1, keepdims=True)


for weights in ("1 / (1e-12 + np.sqrt(row[nearest]))", "np.exp(-row[nearest] / 2)"):  # of the k nearest points
    wrong("knn_smoother")(changed(knn_smoother, "1 / k", f"(w := {weights}) / w.sum()"))
wrong("knn_smoother")(changed(knn_smoother, "    S = ", "    k = k - 1\n    S = "))
wrong("knn_smoother")(changed(knn_smoother, "1 / k", "np.sqrt(row[nearest])"))

# -- 1.6

wrong("compare_smoothers")(lambda X, y, sigmas, ks: (float(sigmas[0]), 0.0, float(ks[0]), 0.0))
wrong("compare_smoothers")(lambda X, y, sigmas, ks: with_infinite_distances(X[::-1], y[::-1], sigmas, ks))  # ties alone
wrong("compare_smoothers", "repeated measurements remain")(
    changed(with_infinite_distances, "D[D == 0] = np.inf", "np.fill_diagonal(D, np.inf)")
)


def averaged(X, y):
    inputs = np.unique(X, axis=0)
    return inputs, np.array([y[(input_ == X).all(axis=1)].mean() for input_ in inputs])


wrong("compare_smoothers", "repeated measurements averaged")(
    lambda X, y, sigmas, ks: with_infinite_distances(*averaged(X, y), sigmas, ks)
)


@wrong("compare_smoothers")
def predicted_by_the_means(X, y, sigmas, ks):
    inputs, means = averaged(X, y)

    def error(predict, setting):
        others = [(inputs != x).any(axis=1) for x in X]
        left_out = [predict(inputs[o], means[o], x[None], setting)[0] for x, o in zip(X, others, strict=True)]
        return np.mean((y - left_out) ** 2)

    a = [error(nadaraya_watson, s) for s in sigmas]
    b = [error(knn_regress, k) for k in ks]
    return sigmas[np.argmin(a)], min(a), ks[np.argmin(b)], min(b)
