"""Each named slip of chapter 7b as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist, pdist

from tests.chapters.student_answers import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# 7b.1


def greatest(T):
    return pdist(T).max()


typed("spread", "root of 2 alone")(lambda T: greatest(T) / (np.sqrt(2) * len(T)))
typed("spread", "mean of the whole table")(lambda T: cdist(T, T).mean() / np.sqrt(2 * len(T)))
typed("spread", "mean over pairs")(lambda T: pdist(T).mean() / np.sqrt(2 * len(T)))
typed("spread", "squared distance")(lambda T: pdist(T, "sqeuclidean").max() / np.sqrt(2 * len(T)))
typed("spread", "precision returned")(lambda T: len(T) / greatest(T) ** 2)
typed("spread", "variance returned")(lambda T: greatest(T) ** 2 / (2 * len(T)))
typed("spread", "2 missing")(lambda T: greatest(T) / np.sqrt(len(T)))
typed("spread", "least distance")(lambda T: pdist(T).min() / np.sqrt(2 * len(T)))
typed("spread", "bounding box")(lambda T: np.linalg.norm(T.max(axis=0) - T.min(axis=0)) / np.sqrt(2 * len(T)))
typed("spread", "longest side of the box")(lambda T: np.max(T.max(axis=0) - T.min(axis=0)) / np.sqrt(2 * len(T)))
typed("spread", "from the mean")(lambda T: np.linalg.norm(T - T.mean(axis=0), axis=1).max() / np.sqrt(2 * len(T)))
typed("spread", "from the origin")(lambda T: np.sqrt((T**2).sum(axis=1)).max() / np.sqrt(2 * len(T)))
typed("spread", "dimension for m")(lambda T: greatest(T) / np.sqrt(2 * T.shape[1]))
typed("spread", "one centre fewer")(lambda T: greatest(T) / np.sqrt(2 * (len(T) - 1)))
typed("spread", "multiplied")(lambda T: greatest(T) * np.sqrt(2 * len(T)))
typed("spread", "city block")(lambda T: pdist(T, "cityblock").max() / np.sqrt(2 * len(T)))
typed("spread", "second greatest")(lambda T: np.sort(pdist(T))[-2] / np.sqrt(2 * len(T)))
typed("spread", "median of the nearest")(lambda T: np.median((cdist(T, T) + 1e9 * np.eye(len(T))).min(axis=0)))
typed("spread", "all numbers of T for m")(lambda T: greatest(T) / np.sqrt(2 * np.size(T)))
typed("spread", "distance itself")(lambda T: cdist(T, T).max())


# 7b.2


def online(X, T0, order, eta):
    T = T0.astype(float)
    for t in range(len(order)):
        x = X[order[t]]
        squares = ((x - T) ** 2).sum(axis=1)
        J = np.argmin(squares)
        step = eta * (x - T[J])
        T[J] += step
    return T


typed.changes(
    "online_kmeans",
    online,
    {
        "all centres move": ("x - T[J]", "x - T", "T[J] += step", "T += step"),
        "first centre always": (".sum(axis=1)", ".sum()"),  # no axis: one number
        "η/n": ("eta * ", "eta / len(X) * "),
        "set to the step": ("+= step", "= step"),
        "moves away": ("+= step", "-= step"),
        "η/t": ("eta * ", "eta / (t + 1) * "),
        "winners by the first centres": ("(x - T)", "(x - T0)"),
        "all moves from the first centres": ("(x - T)", "(x - T0)", "x - T[J]", "x - T0[J]"),
        "pulled from its start": ("x - T[J]", "x - T0[J]"),
        "order ignored": ("order[t]", "t % len(X)"),
        "last point left out": ("len(order)", "len(order) - 1"),
        "first point left out": ("range(", "range(1, "),
        "η and 1 - η exchanged": ("eta * ", "(1 - eta) * "),
        "point added, not the difference": ("(x - T[J])", "x"),
        "jumps onto the point": ("eta * ", ""),
        "factor 2": ("eta * ", "2 * eta * "),
        "city block": ("((x - T) ** 2)", "np.abs(x - T)"),
        "largest coordinate decides": (".sum(axis=1)", ".max(axis=1)"),
        "largest inner product wins": ("np.argmin(squares)", "np.argmax(T @ x)"),
        "losers pushed away": (
            *("x - T[J]", "x - T"),
            *("T[J] += step", "T += np.where(np.arange(len(T)) == J, 1, -1)[:, None] * step"),
        ),
    },
)


@typed("online_kmeans", "one step of k-means in batch")
def _(X, T0, order, eta):
    T = T0.astype(float)
    group = cdist(X, T).argmin(axis=1)
    for j in range(len(T)):
        if np.any(group == j):
            T[j] = X[group == j].mean(axis=0)
    return T


# 7b.3


def descent(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for t in range(len(order)):
        i = order[t]
        phi = Phi[i]
        e = d[i] - w @ phi
        w += eta * e * phi
    return w


typed("lms", "least squares at once")(lambda Phi, d, eta, order: np.linalg.lstsq(Phi, d, rcond=None)[0])
typed.changes(
    "lms",
    descent,
    {
        "set to the step": ("w += ", "w = "),
        "error with the other sign": ("w += ", "w -= "),
        "factor 2": ("eta * ", "2 * eta * "),
        "1 for φ": ("Phi[i]", "np.ones(len(w))"),
        "step not along φ": (" * phi", ""),
        "error of w = 0": (" - w @ phi", ""),
        "error of the step before": (
            *("    for t", "    e = 0.0\n    for t", "        e = d[i] - w @ phi\n", ""),
            *("eta * e * phi", "eta * e * phi\n        e = d[i] - w @ phi"),
        ),
        "last point left out": ("len(order)", "len(order) - 1"),
        "first point left out": ("range(", "range(1, "),
        "η/t": ("eta * ", "eta / (t + 1) * "),
        "η/n": ("eta * ", "eta / len(d) * "),
        "each row once": ("len(order)", "len(d)", "order[t]", "t"),
        "sign of the error": ("eta * e", "eta * np.sign(e)"),
        "error squared": ("eta * e", "eta * e**2"),
        "size of the error": ("eta * e", "eta * abs(e)"),
        "all points at each step": ("eta * e * phi", "eta * Phi.T @ (d - Phi @ w)"),
        "mean of all points at each step": ("eta * e * phi", "eta * Phi.T @ (d - Phi @ w) / len(d)"),
        "mean over the way": (
            *("    for t", "    way = []\n    for t", "return w", "return np.mean(way, axis=0)"),
            *("eta * e * phi", "eta * e * phi\n        way.append(w.copy())"),
        ),
        "starts at 1": ("np.zeros", "np.ones"),
        "errors of the sum of φ": ("w @ phi", "w.sum()"),
    },
)


@typed("lms", "error anew for each weight")
def _(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order:
        for j in range(len(w)):
            w[j] += eta * (d[i] - w @ Phi[i]) * Phi[i, j]
    return w


# 7b.4


def gradients(X, d, w, T, sigma):
    ways = X[:, None] - T
    G = np.exp(-(ways**2).sum(axis=2) / (2 * sigma**2))
    e = d - G @ w
    dw = -G.T @ e
    pulls = np.einsum("n,nm,nmd->md", e, G, ways)
    dT = -w[:, None] * pulls / sigma**2
    return dw, dT


typed.changes(
    "rbf_grads",
    gradients,
    {
        "plus in ∂E/∂w": ("-G.T", "G.T"),
        "factor 2 in ∂E/∂t": ("-w[", "-2 * w["),
        "plus in ∂E/∂t": ("-w[", "w["),
        "no weight in ∂E/∂t": ("-w[:, None] * pulls", "-pulls"),
        "1/σ for 1/σ²": ("pulls / sigma**2", "pulls / sigma"),
        "1/(2σ²) for 1/σ²": ("pulls / sigma**2", "pulls / (2 * sigma**2)"),
        "derivative by the distance": ("e, G, ways", "e, G * cdist(X, T), ways"),
        "direction alone": ("e, G, ways", "e, G, ways / np.linalg.norm(ways, axis=2, keepdims=True)"),
        "bell missing in ∂E/∂t": ('n,nm,nmd->md", e, G', 'n,nmd->md", e'),
        "no 2 in the bell": ("(2 * sigma**2)", "sigma**2"),
        "no 2 in the bell, and consistently so": ("(2 * sigma**2)", "sigma**2", "-w[", "-2 * w["),
        "no square in the bell": ("(ways**2).sum(axis=2)", "np.linalg.norm(ways, axis=2)"),
        "targets for errors": ("d - G @ w", "d"),
        "each bell alone": (
            *("d - G @ w", "d[:, None] - G * w", "-G.T @ e", "-np.sum(e * G, axis=0)"),
            *("n,nm,nmd", "nm,nm,nmd"),
        ),
        "mean over the points": ("-G.T @ e", "-G.T @ e / len(X)", "pulls / ", "pulls / len(X) / "),
        "E without the ½": ("-G.T", "-2 * G.T", "-w[", "-2 * w["),
        "point for the way to it": ('nmd->md", e, G, ways', 'nd->md", e, G, X'),
    },
)


# 7b.5


def kmeans(X, T0):
    T = T0.astype(float)
    while True:
        group = cdist(X, T).argmin(axis=1)
        new = np.array([X[group == j].mean(axis=0) for j in range(len(T))])
        if np.array_equal(new, T):
            return T
        T = new


def one_hot(y):
    return np.array([[float(label == c) for c in sorted(set(y))] for label in y])


def scatters(X, T, power):
    group = cdist(X, T).argmin(axis=1)
    own = [np.sum((X[group == j] - T[j]) ** 2) / np.sum(group == j) for j in range(len(T))]
    return np.sqrt(np.array(own) / X.shape[1] ** power)


def network(X, y, T0, Xq):
    T = kmeans(X, T0)
    apart = np.sort(cdist(T, T), axis=1)
    near = apart[:, 1]
    sigma = np.median(near)
    squares = cdist(np.vstack([X, Xq]), T, "sqeuclidean")
    bells = np.exp(-squares / (2 * sigma**2))
    H = np.column_stack([bells, np.ones(len(bells))])
    A = H[: len(X)]
    Y = one_hot(y)
    W = np.linalg.lstsq(A, Y, rcond=None)[0]
    return H[len(X) :] @ W


ONE_ROUND = "cdist(X, T0).argmin(axis=1)\n    T = np.array([X[T == j].mean(axis=0) for j in range(len(T0))])"
typed.changes(
    "rbf_network",
    network,
    {
        "normalised layer": ("[bells,", "[bells / bells.sum(axis=1, keepdims=True),"),
        "one round of k-means": ("kmeans(X, T0)", ONE_ROUND),
        "first centres kept": ("kmeans(X, T0)", "T0"),
        "median of all distances": ("median(near)", "median(pdist(T))"),
        "upper of the two in the middle": ("np.median(near)", "np.sort(near)[len(T) // 2]"),
        "lower of the two in the middle": ("np.median(near)", "np.sort(near)[(len(T) - 1) // 2]"),
        "one place above the middle": ("np.median(near)", "np.sort(near)[int(np.ceil(len(T) / 2))]"),
        "half the distance": ("np.median(near)", "0.5 * np.median(near)"),
        "a spread of its own for each": ("np.median(near)", "near"),
        "mean of the two nearest, for each": ("np.median(near)", "(near + apart[:, 2]) / 2"),
        "median of means of two": ("median(near)", "median((near + apart[:, 2]) / 2)"),
        "scatter of its own group": ("np.median(near)", "scatters(X, T, 0)"),
        "scatter of its own group, by coordinate": ("np.median(near)", "scatters(X, T, 1)"),
        "spread of the first centres": ("cdist(T, T)", "cdist(T0, T0)"),
        "mean for the median": ("median(near)", "mean(near)"),
        "least for the median": ("median(near)", "min(near)"),
        "second nearest": ("apart[:, 1]", "apart[:, 2]"),
        "no 2 in the bell": ("(2 * sigma**2)", "sigma**2"),
        "no square in the bell": ("-squares / (2 * sigma**2)", "-np.sqrt(squares) / sigma"),
        "targets of -1 and 1": ("one_hot(y)", "2 * one_hot(y) - 1"),
        "penalty": ("np.linalg.lstsq(A, Y, rcond=None)[0]", "np.linalg.solve(A.T @ A + np.eye(A.shape[1]), A.T @ Y)"),
        "clipped": ("return H[len(X) :] @ W", "return np.clip(H[len(X) :] @ W, 0, 1)"),
        "centres at the class means": ("kmeans(X, T0)", "np.array([X[y == c].mean(axis=0) for c in np.unique(y)])"),
    },
)
