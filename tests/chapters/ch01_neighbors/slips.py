"""Wrong answers to chapter 1 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch01_neighbors.alternatives import by_shortcut, with_softmax


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
    return by_shortcut(X, y, sigmas, safe=True)


def divides(X, y, sigmas):
    return by_shortcut(X, y, sigmas)


def lets_ties_in(X, Xq, k):
    D = squares(Xq, X)
    S = (D <= np.sort(D, axis=1)[:, [k - 1]]).astype(float)
    return S / S.sum(axis=1, keepdims=True)


def places_for_points(X, y, sigmas, ks):
    """Each place counts once in the error, and the first that was measured there speaks for it."""
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
    ("knn_smoother", 1): lets_ties_in,
    ("compare_smoothers", 1): places_for_points,
}
