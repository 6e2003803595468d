"""Each named slip of chapter 1 as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


def dist2(A, B):
    return ((A[:, None, :] - B[None, :, :]) ** 2).sum(axis=2)


def order(D):
    return np.argsort(D, axis=1, kind="stable")


# -- 1.1

typed("knn_regress", "farthest points")(lambda X, y, Xq, k: y[np.argsort(-cdist(Xq, X), axis=1)[:, :k]].mean(axis=1))


@typed("knn_regress", "one neighbour too many")
def _(X, y, Xq, k):
    out = []
    for x in Xq:
        i = np.argsort(((X - x) ** 2).sum(axis=1), kind="stable")
        out.append(y[i[: k + 1]].mean())
    return np.array(out)


typed("knn_regress", "one neighbour too few")(lambda X, y, Xq, k: y[order(dist2(Xq, X))[:, : k - 1]].mean(axis=1))
typed("knn_regress", "the nearest left out")(lambda X, y, Xq, k: y[order(dist2(Xq, X))[:, 1 : k + 1]].mean(axis=1))
typed("knn_regress", "sum for mean")(lambda X, y, Xq, k: y[order(dist2(Xq, X))[:, :k]].sum(axis=1))


@typed("knn_regress", "divided by n")
def _(X, y, Xq, k):
    n = len(X)
    return np.array([sum(y[i] for i in row[:k]) / n for row in order(cdist(Xq, X))])


typed("knn_regress", "median for mean")(lambda X, y, Xq, k: np.median(y[order(dist2(Xq, X))[:, :k]], axis=1))


@typed("knn_regress", "weights one over distance")
def _(X, y, Xq, k):
    D = cdist(Xq, X)
    nearest = order(D)[:, :k]
    W = 1 / np.take_along_axis(D, nearest, axis=1)
    return (W * y[nearest]).sum(axis=1) / W.sum(axis=1)


typed("knn_regress", "mean of the distances")(lambda X, y, Xq, k: np.sort(cdist(Xq, X), axis=1)[:, :k].mean(axis=1))
typed("knn_regress", "mean of the indices")(lambda X, y, Xq, k: order(dist2(Xq, X))[:, :k].mean(axis=1))
typed("knn_regress", "first feature only")(
    lambda X, y, Xq, k: y[order(np.abs(Xq[:, 0][:, None] - X[:, 0]))[:, :k]].mean(axis=1)
)
typed("knn_regress", "sum of absolute differences")(
    lambda X, y, Xq, k: y[order(np.abs(Xq[:, None] - X).sum(axis=-1))[:, :k]].mean(axis=1)
)
typed("knn_regress", "largest difference")(
    lambda X, y, Xq, k: y[order(np.abs(Xq[:, None] - X).max(axis=-1))[:, :k]].mean(axis=1)
)
typed("knn_regress", "differences summed before squaring")(
    lambda X, y, Xq, k: y[order((Xq[:, None] - X).sum(axis=-1) ** 2)[:, :k]].mean(axis=1)
)
typed("knn_regress", "most alike by inner product")(lambda X, y, Xq, k: y[order(-(Xq @ X.T))[:, :k]].mean(axis=1))


# -- 1.2


def weighted(W, y):
    return W @ y / W.sum(axis=1)


typed("nadaraya_watson", "not normalised")(lambda X, y, Xq, sigma: np.exp(-dist2(Xq, X) / (2 * sigma**2)) @ y)


@typed("nadaraya_watson", "normalised over the queries")
def _(X, y, Xq, sigma):
    W = np.exp(-(cdist(Xq, X) ** 2) / (2 * sigma**2))
    return (W / W.sum(axis=0)) @ y


@typed("nadaraya_watson", "divided by the sum of all weights")
def _(X, y, Xq, sigma):
    W = np.exp(-dist2(Xq, X) / (2 * sigma**2))
    return W @ y / W.sum()


@typed("nadaraya_watson", "divided by n")
def _(X, y, Xq, sigma):
    W = np.exp(-dist2(Xq, X) / (2 * sigma**2))
    return (W * y).mean(axis=1)


typed("nadaraya_watson", "weights without targets")(
    lambda X, y, Xq, sigma: np.exp(-dist2(Xq, X) / (2 * sigma**2)).sum(axis=1)
)


@typed("nadaraya_watson", "divided by the largest weight")
def _(X, y, Xq, sigma):
    logs = -dist2(Xq, X) / (2 * sigma**2)
    return np.exp(logs - logs.max(axis=1, keepdims=True)) @ y


typed("nadaraya_watson", "exponent without the 2")(
    lambda X, y, Xq, sigma: weighted(np.exp(-(cdist(Xq, X) ** 2) / sigma**2), y)
)
typed("nadaraya_watson", "brackets missing in the exponent")(
    lambda X, y, Xq, sigma: weighted(np.exp(-dist2(Xq, X) / 2 * sigma**2), y)
)


@typed("nadaraya_watson", "sigma used as gamma")
def _(X, y, Xq, sigma):
    logs = -sigma * dist2(Xq, X)
    W = np.exp(logs - logs.max(axis=1, keepdims=True))
    return weighted(W, y)


typed("nadaraya_watson", "sigma not squared")(lambda X, y, Xq, sigma: weighted(np.exp(-dist2(Xq, X) / (2 * sigma)), y))


@typed("nadaraya_watson", "one over sigma for gamma")
def _(X, y, Xq, sigma):
    gamma = 1 / sigma
    return weighted(np.exp(-gamma * dist2(Xq, X)), y)


@typed("nadaraya_watson", "distance not squared")
def _(X, y, Xq, sigma):
    logs = -cdist(Xq, X) / (2 * sigma**2)
    logs -= logs.max(axis=1)[:, None]
    return weighted(np.exp(logs), y)


typed("nadaraya_watson", "neither distance nor sigma squared")(
    lambda X, y, Xq, sigma: weighted(np.exp(-cdist(Xq, X) / (2 * sigma)), y)
)
typed("nadaraya_watson", "minus sign missing")(
    lambda X, y, Xq, sigma: weighted(np.exp(dist2(Xq, X) / (2 * sigma**2)), y)
)


@typed("nadaraya_watson", "distances feature by feature")
def _(X, y, Xq, sigma):
    D = np.abs(Xq[:, None] - X).sum(axis=2)
    return weighted(np.exp(-(D**2) / (2 * sigma**2)), y)


@typed("nadaraya_watson", "summed before squaring")
def _(X, y, Xq, sigma):
    D = (Xq[:, None] - X).sum(axis=2)
    return weighted(np.exp(-(D**2) / (2 * sigma**2)), y)


@typed("nadaraya_watson", "mean over the features")
def _(X, y, Xq, sigma):
    D2 = ((Xq[:, None] - X) ** 2).mean(axis=2)
    return weighted(np.exp(-D2 / (2 * sigma**2)), y)


@typed("nadaraya_watson", "first feature only")
def _(X, y, Xq, sigma):
    out = []
    for x in Xq:
        w = np.exp(-((X[:, 0] - x[0]) ** 2) / (2 * sigma**2))
        out.append(w @ y / w.sum())
    return np.array(out)


# -- 1.3


def bell(X, Xq, sigma):
    return np.exp(-dist2(Xq, X) / (2 * sigma**2))


typed("parzen_density", "no 1/n")(
    lambda X, Xq, sigma: bell(X, Xq, sigma).sum(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)
)
typed("parzen_density", "no Gaussian constant")(lambda X, Xq, sigma: bell(X, Xq, sigma).mean(axis=1))
typed("parzen_density", "constant of one dimension")(
    lambda X, Xq, sigma: bell(X, Xq, sigma).mean(axis=1) / (np.sqrt(2 * np.pi) * sigma)
)
typed("parzen_density", "exponent d for d/2")(
    lambda X, Xq, sigma: bell(X, Xq, sigma).mean(axis=1) / (2 * np.pi * sigma**2) ** X.shape[1]
)


@typed("parzen_density", "sigma to the first power")
def _(X, Xq, sigma):
    n, d = X.shape
    return bell(X, Xq, sigma).sum(axis=1) / (n * sigma * (2 * np.pi) ** (d / 2))


typed("parzen_density", "sigma missing in the constant")(
    lambda X, Xq, sigma: bell(X, Xq, sigma).mean(axis=1) / (2 * np.pi) ** (X.shape[1] / 2)
)
typed("parzen_density", "variance for sigma in the constant")(
    lambda X, Xq, sigma: bell(X, Xq, sigma).mean(axis=1) / (np.sqrt(2 * np.pi) * sigma**2) ** X.shape[1]
)
typed("parzen_density", "pi without the 2")(
    lambda X, Xq, sigma: bell(X, Xq, sigma).mean(axis=1) / (np.pi * sigma**2) ** (X.shape[1] / 2)
)


@typed("parzen_density", "exponent without the 2")
def _(X, Xq, sigma):
    bells = np.exp(-(cdist(Xq, X) ** 2) / sigma**2)
    return bells.mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)


@typed("parzen_density", "sigma not squared in the exponent")
def _(X, Xq, sigma):
    bells = np.exp(-dist2(Xq, X) / (2 * sigma))
    return bells.mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)


@typed("parzen_density", "distance not squared")
def _(X, Xq, sigma):
    bells = np.exp(-cdist(Xq, X) / (2 * sigma**2))
    return bells.mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)


@typed("parzen_density", "product of the bells")
def _(X, Xq, sigma):
    bells = bell(X, Xq, sigma) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)
    return bells.prod(axis=1)


@typed("parzen_density", "exponentials added over the features")
def _(X, Xq, sigma):
    e = np.exp(-((Xq[:, None] - X) ** 2) / (2 * sigma**2)).sum(axis=2)
    return e.mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2)


typed("parzen_density", "log density")(
    lambda X, Xq, sigma: np.log(bell(X, Xq, sigma).mean(axis=1) / (2 * np.pi * sigma**2) ** (X.shape[1] / 2))
)


@typed("parzen_density", "sums to one over the queries")
def _(X, Xq, sigma):
    p = bell(X, Xq, sigma).mean(axis=1)
    return p / p.sum()


typed("parzen_density", "weighted mean's weights")(
    lambda X, Xq, sigma: np.array([sum(np.exp(-np.sum((x - xi) ** 2) / (2 * sigma**2)) for xi in X) for x in Xq])
)


# -- 1.4


def without_own(X, y, sigma):
    """The left-out predictions, rightly."""
    logs = -dist2(X, X) / (2 * sigma**2)
    np.fill_diagonal(logs, -np.inf)
    W = np.exp(logs - logs.max(axis=1, keepdims=True))
    return W @ y / W.sum(axis=1)


def smoother(X, sigma):
    W = np.exp(-dist2(X, X) / (2 * sigma**2))
    return W / W.sum(axis=1, keepdims=True)


def least(sigmas, scores):
    return sigmas[np.argmin(scores)], np.array(scores)


typed("loo_bandwidth", "keeps the point itself")(
    lambda X, y, sigmas: least(sigmas, [np.mean((y - smoother(X, s) @ y) ** 2) for s in sigmas])
)
typed("loo_bandwidth", "absolute errors")(
    lambda X, y, sigmas: least(sigmas, [np.mean(np.abs(y - without_own(X, y, s))) for s in sigmas])
)
typed("loo_bandwidth", "root of the mean square")(
    lambda X, y, sigmas: least(sigmas, [np.sqrt(np.mean((y - without_own(X, y, s)) ** 2)) for s in sigmas])
)


@typed("loo_bandwidth", "largest error")
def _(X, y, sigmas):
    scores = np.array([np.mean((y - without_own(X, y, s)) ** 2) for s in sigmas])
    return sigmas[scores.argmax()], scores


@typed("loo_bandwidth", "index for width")
def _(X, y, sigmas):
    scores = np.array([np.mean((y - without_own(X, y, s)) ** 2) for s in sigmas])
    return np.argmin(scores), scores


@typed("loo_bandwidth", "point left in the denominator")
def _(X, y, sigmas):
    scores = []
    for s in sigmas:
        W = np.exp(-dist2(X, X) / (2 * s**2))
        below = W.sum(axis=1)
        np.fill_diagonal(W, 0)
        scores.append(np.mean((y - W @ y / below) ** 2))
    return least(sigmas, scores)


@typed("loo_bandwidth", "shortcut multiplied")
def _(X, y, sigmas):
    scores = []
    for s in sigmas:
        S = smoother(X, s)
        scores.append(np.mean(((y - S @ y) * (1 - np.diag(S))) ** 2))
    return least(sigmas, scores)


@typed("loo_bandwidth", "average leverage")
def _(X, y, sigmas):
    scores = []
    for s in sigmas:
        S = smoother(X, s)
        scores.append(np.mean(((y - S @ y) / (1 - np.trace(S) / len(X))) ** 2))
    return least(sigmas, scores)


@typed("loo_bandwidth", "exponent without the 2")
def _(X, y, sigmas):
    scores = []
    for s in sigmas:
        logs = -dist2(X, X) / s**2
        np.fill_diagonal(logs, -np.inf)
        W = np.exp(logs - logs.max(axis=1, keepdims=True))
        scores.append(np.mean((y - W @ y / W.sum(axis=1)) ** 2))
    return least(sigmas, scores)


# -- 1.5


def filled(D, columns, value):
    """Zeros, and ``value`` at these columns of each row."""
    S = np.zeros(D.shape)
    for i in range(len(S)):
        S[i, columns[i]] = value
    return S


@typed("knn_smoother", "indicator without 1/k")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, :k], 1.0)


@typed("knn_smoother", "1/n for 1/k")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, :k], 1 / len(X))


@typed("knn_smoother", "nearest queries of each point")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    for j, x in enumerate(X):
        S[np.argsort(((Xq - x) ** 2).sum(axis=1), kind="stable")[:k], j] = 1 / k
    return S


@typed("knn_smoother", "farthest points")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, -k:], 1 / k)


@typed("knn_smoother", "one neighbour too many")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, : k + 1], 1 / (k + 1))


@typed("knn_smoother", "one entry too many")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, : k + 1], 1 / k)


@typed("knn_smoother", "one neighbour too few")
def _(X, Xq, k):
    k = k - 1  # "the query itself is the first"
    D = cdist(Xq, X)
    return filled(D, order(D)[:, :k], 1 / k)


@typed("knn_smoother", "one entry too few")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    for i, row in enumerate(cdist(Xq, X)):
        for place in range(k - 1):
            S[i, np.argsort(row, kind="stable")[place]] = 1 / k
    return S


@typed("knn_smoother", "the nearest dropped")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, 1:k], 1 / k)


@typed("knn_smoother", "the nearest left out")
def _(X, Xq, k):
    D = cdist(Xq, X)
    return filled(D, order(D)[:, 1 : k + 1], 1 / k)


@typed("knn_smoother", "columns that sum to one")
def _(X, Xq, k):
    D = cdist(Xq, X)
    S = filled(D, order(D)[:, :k], 1.0)
    total = S.sum(axis=0)
    total[total == 0] = 1  # nobody's neighbour
    return S / total


@typed("knn_smoother", "identity of the order")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    S[:, :k] = 1 / k
    return S


@typed("knn_smoother", "most alike by angle")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    for i, q in enumerate(Xq):
        cosines = [q @ x / max(1e-9, np.sqrt(q @ q)) / max(1e-9, np.sqrt(x @ x)) for x in X]
        S[i, np.argsort([-c for c in cosines], kind="stable")[:k]] = 1 / k
    return S


@typed("knn_smoother", "columns for all queries")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    nearest = order(cdist(Xq, X))[:, :k]
    S[:, nearest] = 1 / k
    return S


@typed("knn_smoother", "distances in the matrix")
def _(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    D = cdist(Xq, X)
    for i, row in enumerate(D):
        for j in np.argsort(row, kind="stable")[:k]:
            S[i, j] = row[j]
    return S


# -- 1.6


def window(X, y, x, sigma):
    logs = -((X - x) ** 2).sum(axis=1) / (2 * sigma**2)
    w = np.exp(logs - logs.max())
    return w @ y / w.sum()


def nearest(X, y, x, k):
    return y[np.argsort(((X - x) ** 2).sum(axis=1), kind="stable")[:k]].mean()


def residuals(predict, X, y, settings):
    """A row of left-out residuals for each setting, rightly."""
    R = np.zeros((len(settings), len(y)))
    for i, x in enumerate(X):
        use = (X != x).any(axis=1)
        R[:, i] = [y[i] - predict(X[use], y[use], x, setting) for setting in settings]
    return R


def squares(X, y, sigmas, ks):
    return [(residuals(f, X, y, s) ** 2).mean(axis=1) for f, s in ((window, sigmas), (nearest, ks))]


@typed("compare_smoothers", "keeps the points")
def _(X, y, sigmas, ks):
    a = [np.mean([(y[i] - window(X, y, X[i], s)) ** 2 for i in range(len(X))]) for s in sigmas]
    b = [np.mean([(y[i] - nearest(X, y, X[i], k)) ** 2 for i in range(len(X))]) for k in ks]
    return sigmas[np.argmin(a)], min(a), ks[np.argmin(b)], min(b)


@typed("compare_smoothers", "absolute errors")
def _(X, y, sigmas, ks):
    a = np.abs(residuals(window, X, y, sigmas)).mean(axis=1)
    b = np.abs(residuals(nearest, X, y, ks)).mean(axis=1)
    return sigmas[a.argmin()], a.min(), ks[b.argmin()], b.min()


@typed("compare_smoothers", "root of the mean square")
def _(X, y, sigmas, ks):
    a, b = np.sqrt(squares(X, y, sigmas, ks)[0]), np.sqrt(squares(X, y, sigmas, ks)[1])
    return sigmas[a.argmin()], a.min(), ks[b.argmin()], b.min()


@typed("compare_smoothers", "sum of squares")
def _(X, y, sigmas, ks):
    a = (residuals(window, X, y, sigmas) ** 2).sum(axis=1)
    b = (residuals(nearest, X, y, ks) ** 2).sum(axis=1)
    return sigmas[a.argmin()], a.min(), ks[b.argmin()], b.min()


@typed("compare_smoothers", "largest error")
def _(X, y, sigmas, ks):
    a, b = squares(X, y, sigmas, ks)
    return sigmas[a.argmax()], a.max(), ks[b.argmax()], b.max()


@typed("compare_smoothers", "indices for settings")
def _(X, y, sigmas, ks):
    a, b = squares(X, y, sigmas, ks)
    return a.argmin(), a.min(), b.argmin(), b.min()


@typed("compare_smoothers", "window and neighbours exchanged")
def _(X, y, sigmas, ks):
    a, b = squares(X, y, sigmas, ks)
    return ks[b.argmin()], b.min(), sigmas[a.argmin()], a.min()


@typed("compare_smoothers", "errors exchanged")
def _(X, y, sigmas, ks):
    a, b = squares(X, y, sigmas, ks)
    return sigmas[a.argmin()], b.min(), ks[b.argmin()], a.min()


def refitted(X, y, sigmas, ks, same):
    """Each point from those that are not at the same place, as ``same(a, b)`` has it."""

    def error(predict):
        used = [[j for j in range(len(X)) if not same(X[i], X[j])] for i in range(len(X))]
        return np.mean([(y[i] - predict(X[use], y[use], X[i])) ** 2 for i, use in enumerate(used)])

    def window(A, b, x, s):
        w = np.exp(-((A - x) ** 2).sum(axis=1) / (2 * s**2) + ((A - x) ** 2).sum(axis=1).min() / (2 * s**2))
        return w @ b / w.sum()

    def nearest(A, b, x, k):
        return b[np.argsort(((A - x) ** 2).sum(axis=1), kind="stable")[:k]].mean()

    by_sigma = [error(lambda A, b, x, s=s: window(A, b, x, s)) for s in sigmas]
    by_k = [error(lambda A, b, x, k=k: nearest(A, b, x, k)) for k in ks]
    i, j = np.argmin(by_sigma), np.argmin(by_k)
    return sigmas[i], by_sigma[i], ks[j], by_k[j]


typed("compare_smoothers", "one coordinate in common")(
    lambda X, y, sigmas, ks: refitted(X, y, sigmas, ks, lambda a, b: a[0] == b[0] or a[1] == b[1])
)
typed("compare_smoothers", "places by the first coordinate")(
    lambda X, y, sigmas, ks: refitted(X, y, sigmas, ks, lambda a, b: a[0] == b[0])
)


@typed("compare_smoothers", "one neighbour too many")
def _(X, y, sigmas, ks):
    a = (residuals(window, X, y, sigmas) ** 2).mean(axis=1)
    b = (residuals(nearest, X, y, [k + 1 for k in ks]) ** 2).mean(axis=1)
    return sigmas[a.argmin()], a.min(), ks[b.argmin()], b.min()
