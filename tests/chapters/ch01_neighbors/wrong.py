"""Wrong answers to chapter 1 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch01_neighbors.alternatives import by_shortcut, with_cdist, with_infinite_distances, with_softmax
from tests.chapters.tables import Wrong, collector
from tests.chapters.typed import changed

WRONG: list[Wrong] = []
wrong = collector(WRONG)


# -- 1.1

wrong("knn_regress", "sum for mean + one neighbour too many")(lambda X, y, Xq, k: (k + 1) * with_cdist(X, y, Xq, k + 1))


@wrong("knn_regress", "most alike by angle")
def by_cosine(X, y, Xq, k):
    lengths = np.maximum(np.linalg.norm(X, axis=1), 1e-12)
    return y[np.argsort(-(Xq @ X.T) / lengths, axis=1, kind="stable")[:, :k]].mean(axis=1)


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


@wrong("nadaraya_watson", "density above the line")
def a_normal_density_above(X, y, Xq, sigma):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2))
    return (2 * np.pi * sigma**2) ** (-X.shape[1] / 2) * (W @ y) / W.sum(axis=1)


# -- 1.3


def density(X, Xq, sigma):
    bells = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2))
    return bells.sum(axis=1) / len(X) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)


wrong("parzen_density", "bells added over the features")(
    lambda X, Xq, sigma: sum(density(X[:, [j]], Xq[:, [j]], sigma) for j in range(X.shape[1]))
)

wrong("parzen_density", "exponent without the 2 + n times")(
    changed(density, ") / (2 * sigma**2)", ") / sigma**2", " / len(X)", "")
)
wrong("parzen_density", "all of 2 sigma squared")(changed(density, ") / (2 * sigma**2)", ") / (2 * sigma) ** 2"))
wrong("parzen_density", "exponent rounded down")(changed(density, "shape[1] / 2", "shape[1] // 2"))
wrong("parzen_density")(changed(density, "len(X)", "len(Xq)"))

# -- 1.4


@wrong("loo_bandwidth", "divided by n - 1")
def unbiased(X, y, sigmas):
    best, scores = by_shortcut(X, y, sigmas, safe=True)
    return best, np.array(scores) * len(y) / (len(y) - 1)


@wrong("loo_bandwidth", "the least score alone")
def best_and_its_score(X, y, sigmas):
    best, scores = by_shortcut(X, y, sigmas, safe=True)
    return best, min(scores)


@wrong("loo_bandwidth")
def leaves_out_the_first_only(X, y, sigmas):
    scores = [np.mean((y[1:] - with_softmax(X[1:], y[1:], X[1:], s)) ** 2) for s in sigmas]
    return sigmas[np.argmin(scores)], scores


def shortcut(X, y, sigmas):
    scores = []
    for sigma in sigmas:
        W = np.exp(-cdist(X, X, "sqeuclidean") / (2 * sigma**2))
        S = W / W.sum(axis=1, keepdims=True)
        scores.append(np.mean(((y - S @ y) / (1 - np.diag(S))) ** 2))
    return sigmas[np.argmin(scores)], scores


wrong("loo_bandwidth", "shortcut outside the square")(
    changed(shortcut, "((y - S @ y) / (1 - np.diag(S))) ** 2", "(y - S @ y) ** 2 / (1 - np.diag(S))")
)
wrong("loo_bandwidth", "sum of squares")(changed(shortcut, "np.mean", "np.sum"))
wrong("loo_bandwidth", "variance of the residuals")(
    changed(shortcut, "np.mean", "np.var", "(1 - np.diag(S))) ** 2", "(1 - np.diag(S)))")
)

# -- 1.5


@wrong("knn_smoother")
def gaussian_weights(X, Xq, k):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * k**2))
    return W / W.sum(axis=1, keepdims=True)


# -- 1.6

wrong("compare_smoothers")(lambda X, y, sigmas, ks: (float(sigmas[0]), 0.0, float(ks[0]), 0.0))


@wrong("compare_smoothers", "twins remain")
def single_points(X, y, sigmas, ks):
    D = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(D, np.inf)
    near = np.argsort(D, axis=1, kind="stable")
    a = [by_shortcut(X, y, [s], safe=True)[1][0] for s in sigmas]
    b = [np.mean((y - y[near[:, :k]].mean(axis=1)) ** 2) for k in ks]
    return sigmas[np.argmin(a)], min(a), ks[np.argmin(b)], min(b)


def by_place(X, y):
    places = np.unique(X, axis=0)
    return places, np.array([y[(place == X).all(axis=1)].mean() for place in places])


wrong("compare_smoothers", "twins merged")(
    lambda X, y, sigmas, ks: with_infinite_distances(*by_place(X, y), sigmas, ks)
)


@wrong("compare_smoothers", "twins merged in the prediction")
def predicted_by_the_means(X, y, sigmas, ks):
    places, means = by_place(X, y)

    def error(predict):
        others = [(places != x).any(axis=1) for x in X]
        return np.mean(
            [(t - predict(places[o], means[o], x[None])[0]) ** 2 for x, t, o in zip(X, y, others, strict=True)]
        )

    a = [error(lambda A, b, q, s=s: with_softmax(A, b, q, s)) for s in sigmas]
    b = [error(lambda A, c, q, k=k: with_cdist(A, c, q, k)) for k in ks]
    return sigmas[np.argmin(a)], min(a), ks[np.argmin(b)], min(b)
