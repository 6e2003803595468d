"""Wrong answers to chapter 1 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch01_neighbors.alternatives import by_shortcut, with_cdist, with_infinite_distances, with_softmax
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


# -- 1.1


@wrong("knn_regress", "sum for mean + one neighbour too many")
def sum_of_one_too_many(X, y, Xq, k):
    return (k + 1) * with_cdist(X, y, Xq, k + 1)


@wrong("knn_regress", says="raised ValueError")
def compares_the_wrong_axes(X, y, Xq, k):
    return y[np.argsort(((Xq - X) ** 2).sum(1))[:k]].mean()


@wrong("knn_regress", says="returned None")
def forgets_to_return(X, y, Xq, k):
    with_cdist(X, y, Xq, k)


@wrong("knn_regress", says="returned shape")
def asks_the_training_points(X, y, Xq, k):
    return with_cdist(X, y, X, k)


@wrong("knn_regress", says="Those that came back are right, the others are missing.")
def returns_in_the_loop(X, y, Xq, k):
    out = []
    for q in Xq:
        out.append(with_cdist(X, y, q[None], k)[0])
        return np.array(out)


@wrong("knn_regress", says="rounded")
def rounds(X, y, Xq, k):
    return np.round(with_cdist(X, y, Xq, k), 2)


@wrong("knn_regress", "most alike by angle")
def by_cosine(X, y, Xq, k):
    lengths = np.maximum(np.linalg.norm(X, axis=1), 1e-12)
    return y[np.argsort(-(Xq @ X.T) / lengths, axis=1, kind="stable")[:, :k]].mean(axis=1)


@wrong("knn_regress", says="lets in all that are equal")
def lets_ties_in(X, y, Xq, k):
    D = cdist(Xq, X, "sqeuclidean")
    near = np.sort(D, axis=1)[:, [k - 1]] >= D
    return near @ y / near.sum(axis=1)


# -- 1.2


@wrong("nadaraya_watson")
def unnormalised_and_without_the_2(X, y, Xq, sigma):
    return np.exp(-cdist(Xq, X, "sqeuclidean") / sigma**2) @ y


@wrong("nadaraya_watson", says="Right up to the sign")
def minus_it(X, y, Xq, sigma):
    return -with_softmax(X, y, Xq, sigma)


@wrong("nadaraya_watson", says="outside the range of y")
def weights_not_positive(X, y, Xq, sigma):
    W = 1 - cdist(Xq, X, "sqeuclidean") / (2 * sigma**2)
    return W @ y / W.sum(axis=1)


@wrong("nadaraya_watson", says="A matrix came back")
def weights_alone(X, y, Xq, sigma):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2))
    return W / W.sum(axis=1, keepdims=True)


@wrong("nadaraya_watson", says="where `sigma` is meant, it uses √2 σ")
def four_for_two(X, y, Xq, sigma):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (4 * sigma**2))
    return W @ y / W.sum(axis=1)


@wrong("nadaraya_watson", "density above the line")
def a_normal_density_above(X, y, Xq, sigma):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2))
    return (2 * np.pi * sigma**2) ** (-X.shape[1] / 2) * (W @ y) / W.sum(axis=1)


# -- 1.3


@wrong("parzen_density", "exponent without the 2 + n times")
def a_sum_without_the_2(X, Xq, sigma):
    d = X.shape[1]
    return np.exp(-cdist(Xq, X, "sqeuclidean") / sigma**2).sum(axis=1) / (2 * np.pi * sigma**2) ** (d / 2)


@wrong("parzen_density", "bells added over the features")
def bells_one_by_one(X, Xq, sigma):
    return sum(a_sum_in_one_dimension(X[:, [j]], Xq[:, [j]], sigma) for j in range(X.shape[1])) / len(X)


def a_sum_in_one_dimension(X, Xq, sigma):
    return np.exp(-((Xq - X.T) ** 2) / (2 * sigma**2)).sum(axis=1) / np.sqrt(2 * np.pi * sigma**2)


@wrong("parzen_density", says="It is the mean of the right numbers")
def a_mean_of_everything(X, Xq, sigma):
    d = X.shape[1]
    return np.mean(np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2))) / (2 * np.pi * sigma**2) ** (d / 2)


@wrong("parzen_density", says="")
def divides_by_the_number_of_queries(X, Xq, sigma):
    d = X.shape[1]
    return np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2)).sum(1) / len(Xq) / (2 * np.pi * sigma**2) ** (d / 2)


@wrong("parzen_density", "all of 2 sigma squared")
def squares_two_sigma(X, Xq, sigma):
    bells = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma) ** 2)
    return bells.mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)


@wrong("parzen_density", "exponent rounded down")
def divides_whole_numbers(X, Xq, sigma):
    bells = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * sigma**2))
    return bells.mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] // 2)


# -- 1.4


@wrong("loo_bandwidth", "divided by n - 1")
def unbiased(X, y, sigmas):
    best, scores = by_shortcut(X, y, sigmas, safe=True)
    return best, np.array(scores) * len(y) / (len(y) - 1)


@wrong("loo_bandwidth", "variance of the residuals")
def takes_the_variance(X, y, sigmas):
    left_out = [
        [(y[i] - with_softmax(np.delete(X, i, 0), np.delete(y, i), X[[i]], s))[0] for i in range(len(y))]
        for s in sigmas
    ]
    scores = np.var(left_out, axis=1)
    return sigmas[np.argmin(scores)], scores


@wrong("loo_bandwidth", says="in floating point all other weights are 0 there")
def leaves_out_and_divides_by_0(X, y, sigmas):
    scores = []
    for s in sigmas:
        W = np.exp(-cdist(X, X, "sqeuclidean") / (2 * s**2))
        np.fill_diagonal(W, 0)
        scores.append(np.mean((y - W @ y / W.sum(axis=1)) ** 2))
    return sigmas[np.argmin(scores)], scores


@wrong("loo_bandwidth", says="returned one array, of shape")
def scores_alone(X, y, sigmas):
    return np.array(by_shortcut(X, y, sigmas, safe=True)[1])


@wrong("loo_bandwidth", says="")
def best_alone(X, y, sigmas):
    return by_shortcut(X, y, sigmas, safe=True)[0]


@wrong("loo_bandwidth", "the least score alone")
def best_and_its_score(X, y, sigmas):
    best, scores = by_shortcut(X, y, sigmas, safe=True)
    return best, min(scores)


@wrong("loo_bandwidth", says="scores belong to the widths in the order")
def sorted_widths(X, y, sigmas):
    return by_shortcut(X, y, np.sort(sigmas), safe=True)


@wrong("loo_bandwidth", says="in the other order")
def scores_first(X, y, sigmas):
    best, scores = by_shortcut(X, y, sigmas, safe=True)
    return scores, best


@wrong("loo_bandwidth", says="")
def leaves_out_the_first_only(X, y, sigmas):
    scores = [np.mean((y[1:] - with_softmax(X[1:], y[1:], X[1:], s)) ** 2) for s in sigmas]
    return sigmas[np.argmin(scores)], scores


def naive_residuals(X, y, sigma):
    W = np.exp(-cdist(X, X, "sqeuclidean") / (2 * sigma**2))
    S = W / W.sum(axis=1, keepdims=True)
    return y - S @ y, np.diag(S)


@wrong("loo_bandwidth", "shortcut outside the square")
def divides_the_squares(X, y, sigmas):
    scores = [np.mean(r**2 / (1 - s)) for r, s in (naive_residuals(X, y, sigma) for sigma in sigmas)]
    return sigmas[np.argmin(scores)], scores


@wrong("loo_bandwidth", "sum of squares")
def adds_by_the_shortcut(X, y, sigmas):
    scores = [np.sum((r / (1 - s)) ** 2) for r, s in (naive_residuals(X, y, sigma) for sigma in sigmas)]
    return sigmas[np.argmin(scores)], scores


# -- 1.5


@wrong("knn_smoother", says="transpose")
def transposed(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    np.put_along_axis(S, np.argsort(cdist(Xq, X), axis=1, kind="stable")[:, :k], 1 / k, axis=1)
    return S.T


@wrong("knn_smoother", says="")
def indices_of_the_nearest(X, Xq, k):
    return np.argsort(cdist(Xq, X), axis=1, kind="stable")[:, :k]


@wrong("knn_smoother", says="")
def gaussian_weights(X, Xq, k):
    W = np.exp(-cdist(Xq, X, "sqeuclidean") / (2 * k**2))
    return W / W.sum(axis=1, keepdims=True)


# -- 1.6


@wrong("compare_smoothers", says="")
def two_numbers(X, y, sigmas, ks):
    return sigmas[0], ks[0]


@wrong("compare_smoothers", says="")
def settings_of_the_smaller_error_only(X, y, sigmas, ks):
    return float(sigmas[0]), 0.0, float(ks[0]), 0.0


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


@wrong("compare_smoothers", "twins merged")
def one_point_for_each_place(X, y, sigmas, ks):
    return with_infinite_distances(*by_place(X, y), sigmas, ks)


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
