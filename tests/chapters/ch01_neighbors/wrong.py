"""Wrong answers to chapter 1 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch01_neighbors.alternatives import with_cdist, with_infinite_distances, with_softmax
from tests.chapters.ch01_neighbors.typed import by_shortcut as shortcut
from tests.chapters.ch01_neighbors.typed import knn_regress, loo_bandwidth, nadaraya_watson, parzen_density
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


# -- 1.1

wrong("knn_regress", "sum for mean + one neighbour too many")(lambda X, y, Xq, k: (k + 1) * with_cdist(X, y, Xq, k + 1))
wrong("knn_regress", "most alike by angle")(
    changed(knn_regress, "(difference**2).sum(axis=2)", "-(Xq @ X.T) / np.maximum(np.linalg.norm(X, axis=1), 1e-12)")
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


wrong("nadaraya_watson", "density above the line")(
    changed(nadaraya_watson, "logs - largest", "logs", "W @ y", "(2 * np.pi * sigma**2) ** (-X.shape[1] / 2) * W @ y")
)

# -- 1.3


wrong("parzen_density", "bells added over the features")(
    lambda X, Xq, sigma: sum(parzen_density(X[:, [j]], Xq[:, [j]], sigma) for j in range(X.shape[1]))
)

wrong("parzen_density", "exponent without the 2 + n times")(
    changed(parzen_density, "-D / (2 * sigma**2)", "-D / sigma**2", " / n", "")
)
wrong("parzen_density", "all of 2 sigma squared")(changed(parzen_density, "-D / (2 * sigma**2)", "-D / 4 / sigma**2"))
wrong("parzen_density", "exponent rounded down")(changed(parzen_density, "d / 2", "d // 2"))
wrong("parzen_density")(changed(parzen_density, " / n", " / len(Xq)"))

# -- 1.4


@wrong("loo_bandwidth")
def leaves_out_the_first_only(X, y, sigmas):
    scores = [np.mean((y[1:] - with_softmax(X[1:], y[1:], X[1:], s)) ** 2) for s in sigmas]
    return sigmas[np.argmin(scores)], scores


wrong("loo_bandwidth", "divided by n - 1")(changed(loo_bandwidth, "np.mean(r**2)", "np.sum(r**2) / (len(y) - 1)"))
wrong("loo_bandwidth", "variance of the residuals")(changed(loo_bandwidth, "np.mean(r**2)", "np.var(r)"))
wrong("loo_bandwidth", "sum of squares")(changed(loo_bandwidth, "np.mean", "np.sum"))
wrong("loo_bandwidth", "the least score alone")(changed(loo_bandwidth, "np.array(scores)", "min(scores)"))
wrong("loo_bandwidth", "shortcut outside the square")(
    changed(shortcut, "((y - S @ y) / (1 - h)) ** 2", "(y - S @ y) ** 2 / (1 - h)")
)

# -- 1.5


@wrong("knn_smoother")
def gaussian_weights(X, Xq, k):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * k**2))
    return W / W.sum(axis=1, keepdims=True)


# -- 1.6

wrong("compare_smoothers")(lambda X, y, sigmas, ks: (float(sigmas[0]), 0.0, float(ks[0]), 0.0))
wrong("compare_smoothers", "twins remain")(
    changed(with_infinite_distances, "D[D == 0] = np.inf", "np.fill_diagonal(D, np.inf)")
)


def by_place(X, y):
    places = np.unique(X, axis=0)
    return places, np.array([y[(place == X).all(axis=1)].mean() for place in places])


wrong("compare_smoothers", "twins merged")(
    lambda X, y, sigmas, ks: with_infinite_distances(*by_place(X, y), sigmas, ks)
)


@wrong("compare_smoothers", "twins merged in the prediction")
def predicted_by_the_means(X, y, sigmas, ks):
    places, means = by_place(X, y)

    def error(predict, setting):
        others = [(places != x).any(axis=1) for x in X]
        left_out = [predict(places[o], means[o], x[None], setting)[0] for x, o in zip(X, others, strict=True)]
        return np.mean((y - left_out) ** 2)

    a = [error(nadaraya_watson, s) for s in sigmas]
    b = [error(knn_regress, k) for k in ks]
    return sigmas[np.argmin(a)], min(a), ks[np.argmin(b)], min(b)
