"""Wrong answers to chapter 7b as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

from math import comb

import numpy as np
from scipy.spatial.distance import cdist, pdist

from tests.chapters.ch07b_rbf_networks.right_answers import in_lists, rested, to_the_nearest, with_two_products
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# 7b.1

mistake("cover_count", "one term too few")(lambda n, d: 2 * sum(comb(n - 1, k) for k in range(d - 1)))
mistake("cover_count", "sum from k = 1")(lambda n, d: 2 * sum(comb(n - 1, k) for k in range(1, d)))
mistake("cover_count", "no factor 2")(lambda n, d: sum(comb(n - 1, k) for k in range(d)))
mistake("cover_count", "the probability")(lambda n, d: 2 * sum(comb(n - 1, k) for k in range(d)) / 2**n)
mistake("cover_count", "points and dimensions exchanged")(lambda n, d: 2 * sum(comb(d - 1, k) for k in range(n)))


def cover_count(n, d):
    """A right answer, by the recursion."""
    if d == 0:
        return 0
    if n == 1:
        return 2
    return cover_count(n - 1, d) + cover_count(n - 1, d - 1)


mistake.changes(
    "cover_count",
    cover_count,
    {
        "all labellings": ("d == 0", "d == 1", "return 0", "return 2", "d - 1)", "d)"),
        "begins with no point": ("n == 1", "n == 0", "return 2", "return 1"),
        "C(n, 0) is 1": ("return 0", "return 1"),
        "n = 1 before d = 0": (
            "    if d == 0:\n        return 0\n",
            "",
            "return 2\n",
            "return 2\n    if d == 0:\n        return 0\n",
        ),
    },
)


# 7b.2


def greatest(T):
    return pdist(T).max()


mistake("spread", "root of 2 alone")(lambda T: greatest(T) / (np.sqrt(2) * len(T)))
mistake("spread", "mean of the whole table")(lambda T: cdist(T, T).mean() / np.sqrt(2 * len(T)))
mistake("spread", "mean over pairs")(lambda T: pdist(T).mean() / np.sqrt(2 * len(T)))
mistake("spread", "squared distance")(lambda T: pdist(T, "sqeuclidean").max() / np.sqrt(2 * len(T)))
mistake("spread", "precision returned")(lambda T: len(T) / greatest(T) ** 2)
mistake("spread", "2 missing")(lambda T: greatest(T) / np.sqrt(len(T)))
mistake("spread", "from the mean")(lambda T: np.linalg.norm(T - T.mean(axis=0), axis=1).max() / np.sqrt(2 * len(T)))
mistake("spread", "norm without axis")(lambda T: np.linalg.norm(T[:, None] - T) / np.sqrt(2 * len(T)))
mistake("spread", "dimension instead of m")(lambda T: greatest(T) / np.sqrt(2 * T.shape[1]))
mistake("spread", "median of the nearest")(lambda T: np.median((cdist(T, T) + 1e9 * np.eye(len(T))).min(axis=0)))


# 7b.3


def online(X, T0, order, eta):
    T = T0.astype(float)
    for t in range(len(order)):
        x = X[order[t]]
        squares = ((x - T) ** 2).sum(axis=1)
        J = np.argmin(squares)
        step = eta * (x - T[J])
        T[J] += step
    return T


mistake.changes(
    "online_kmeans",
    online,
    {
        "all centres move": ("x - T[J]", "x - T", "T[J] += step", "T += step"),
        "first centre always": (".sum(axis=1)", ".sum()"),  # no axis: one number
        "set to the step": ("+= step", "= step"),
        "moves away": ("+= step", "-= step"),
        "nearest of the first centres": ("(x - T)", "(x - T0)"),
        "step from the first centres": ("x - T[J]", "x - T0[J]"),
        "order ignored": ("range(len(order))", "range(len(X))", "order[t]", "t"),
        "city-block distance": ("((x - T) ** 2)", "np.abs(x - T)"),
        "η and 1 - η exchanged": ("eta * ", "(1 - eta) * "),
        "point added instead of the difference": ("(x - T[J])", "x"),
    },
)


@mistake("online_kmeans", "one step of k-means in batch")
def _(X, T0, order, eta):
    T = T0.astype(float)
    group = cdist(X, T).argmin(axis=1)
    for j in range(len(T)):
        if np.any(group == j):
            T[j] = X[group == j].mean(axis=0)
    return T


# 7b.4


def descent(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for t in range(len(order)):
        i = order[t]
        phi = Phi[i]
        e = d[i] - w @ phi
        w += eta * e * phi
    return w


mistake("lms", "least squares at once")(lambda Phi, d, eta, order: np.linalg.lstsq(Phi, d, rcond=None)[0])
mistake.changes(
    "lms",
    descent,
    {
        "set to the step": ("w += ", "w = "),
        "error with the other sign": ("w += ", "w -= "),
        "factor 2": ("eta * ", "2 * eta * "),
        "1 instead of φ": ("Phi[i]", "np.ones(len(w))"),
        "step not along φ": (" * phi", ""),
        "error of w = 0": (" - w @ phi", ""),
        "error of the step before": (
            *("    for t", "    e = 0.0\n    for t", "        e = d[i] - w @ phi\n", ""),
            *("eta * e * phi", "eta * e * phi\n        e = d[i] - w @ phi"),
        ),
        "η/n": ("eta * ", "eta / len(d) * "),
        "all points at each step": ("eta * e * phi", "eta * Phi.T @ (d - Phi @ w)"),
    },
)


# 7b.5


def gradients(X, d, w, T, sigma):
    ways = X[:, None] - T
    G = np.exp(-(ways**2).sum(axis=2) / (2 * sigma**2))
    e = d - G @ w
    dw = -G.T @ e
    pulls = np.einsum("n,nm,nmd->md", e, G, ways)
    dT = -w[:, None] * pulls / sigma**2
    return dw, dT


mistake.changes(
    "rbf_grads",
    gradients,
    {
        "plus in ∂E/∂w": ("-G.T", "G.T"),
        "factor 2 in ∂E/∂t": ("-w[", "-2 * w["),
        "plus in ∂E/∂t": ("-w[", "w["),
        "no weight in ∂E/∂t": ("-w[:, None] * pulls", "-pulls"),
        "1/(2σ²) instead of 1/σ²": ("pulls / sigma**2", "pulls / (2 * sigma**2)"),
        "no activation in ∂E/∂t": ('n,nm,nmd->md", e, G', 'n,nmd->md", e'),
        "no 2 in the Gaussian": ("(2 * sigma**2)", "sigma**2"),
        "mean over the points": ("-G.T @ e", "-G.T @ e / len(X)", "pulls / ", "pulls / len(X) / "),
        "E without the ½": ("-G.T", "-2 * G.T", "-w[", "-2 * w["),
    },
)


# 7b.6


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
mistake.changes(
    "rbf_network",
    network,
    {
        "normalised layer": ("[bells,", "[bells / bells.sum(axis=1, keepdims=True),"),
        "one round of k-means": ("kmeans(X, T0)", ONE_ROUND),
        "first centres kept": ("kmeans(X, T0)", "T0"),
        "median of all distances": ("median(near)", "median(pdist(T))"),
        "spread of the first centres": ("cdist(T, T)", "cdist(T0, T0)"),
        "mean instead of median": ("median(near)", "mean(near)"),
        "no 2 in the Gaussian": ("(2 * sigma**2)", "sigma**2"),
        "targets of -1 and 1": ("one_hot(y)", "2 * one_hot(y) - 1"),
    },
)


RAISING: dict[str, tuple] = {}


def a_copy_of_whole_numbers(X, T0, order, eta):
    T = T0.copy()
    for i in order:
        J = np.argmin(np.linalg.norm(T - X[i], axis=1))
        T[J] = T[J] + eta * (X[i] - T[J])
    return T


def the_last_of_two(X, T0, order, eta):
    T = T0.astype(float)
    for i in order:
        far = np.linalg.norm(T - X[i], axis=1)
        J = len(far) - 1 - np.argmin(far[::-1])
        T[J] = T[J] + eta * (X[i] - T[J])
    return T


def output_of(T, X, Y, Xq, sigma=None):
    sigma = sigma or to_the_nearest(T)
    A, B = (np.c_[np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)), np.ones(len(Z))] for Z in (X, Xq))
    return B @ np.linalg.lstsq(A, Y, rcond=None)[0]


def the_largest_of_the_nearest(X, y, T0, Xq):
    T = rested(X, T0)
    return output_of(T, X, 1.0 * (y[:, None] == np.unique(y)), Xq, np.sort(cdist(T, T), axis=1)[:, 1].max())


def labels_counted_from_0(X, y, T0, Xq):
    return output_of(rested(X, T0), X, 1.0 * (y[:, None] == np.arange(len(set(y.tolist())))), Xq)


def five_rounds(X, y, T0, Xq):
    T = T0
    for _ in range(5):
        groups = cdist(X, T).argmin(axis=1)
        T = np.array([X[groups == j].mean(axis=0) for j in range(len(T))])
    return output_of(T, X, 1.0 * (y[:, None] == np.unique(y)), Xq)


ONLY = {
    ("cover_count", 1): lambda n, d: cover_count(n, d) - (2 if n <= d else 0),
    ("online_kmeans", 1): a_copy_of_whole_numbers,
    ("online_kmeans", 2): the_last_of_two,
    ("rbf_network", 1): the_largest_of_the_nearest,
    ("rbf_network", 2): labels_counted_from_0,
    ("rbf_network", 3): five_rounds,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("cover_count", "one term too many")(changed(cover_count, "return 0", "return 2"))
wrong("cover_count", "one point too few")(changed(cover_count, "n == 1", "n <= 2"))
wrong("cover_count", "n instead of n - 1")(changed(cover_count, "n == 1", "n == 0"))
wrong("cover_count")(lambda n, d: 2 ** (n - 1) + 2)
wrong("cover_count")(lambda n, d: 2 * (n // 2) + 1)
wrong("cover_count")(lambda n, d: 4 ** (n + 1))


@wrong("spread", "no root")
def by_hand_without_root(T):
    return pdist(T).max() / 2 / len(T)


@wrong("spread", "from the first centre only")
def from_the_first(T):
    return cdist(T[:1], T).max() / np.sqrt(2 * len(T))


@wrong("spread")
def row_after_row(T):
    return max(np.linalg.norm(T[i + 1] - T[i]) for i in range(len(T) - 1)) / np.sqrt(2 * len(T))


@wrong("spread")
def median_distance(T):
    return np.median(pdist(T)) / np.sqrt(2 * len(T))


@wrong("online_kmeans", "1/N instead of η")
def running_means(X, T0, order, eta):
    T, won = np.array(T0, dtype=float), [0] * len(T0)
    for i in order:
        J = np.argmin(np.linalg.norm(T - X[i], axis=1))
        won[J] += 1
        T[J] += (X[i] - T[J]) / won[J]
    return T


@wrong("online_kmeans")
def smaller_with_each_win(X, T0, order, eta):
    T, won = np.array(T0, dtype=float), np.zeros(len(T0))
    for i in order:
        J = np.argmin(np.linalg.norm(T - X[i], axis=1))
        won[J] += 1
        T[J] += eta / won[J] * (X[i] - T[J])
    return T


@wrong("online_kmeans", "order ignored")
def all_points_and_no_order(X, T0, order, eta):
    return in_lists(X, T0, range(len(X)), eta)


@wrong("online_kmeans")
def half_the_way_for_the_second(X, T0, order, eta):
    T = np.array(T0, dtype=float)
    for i in order:
        first, second = np.argsort(np.linalg.norm(T - X[i], axis=1))[:2]
        T[first] += eta * (X[i] - T[first])
        T[second] += eta / 2 * (X[i] - T[second])
    return T


@wrong("lms", "order ignored")
def rows_as_they_stand(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in range(len(d)):
        w = w + eta * (d[i] - w @ Phi[i]) * Phi[i]
    return w


@wrong("rbf_grads", "no 1/σ²")
def without_sigma(X, d, w, T, sigma):
    dw, dT = with_two_products(X, d, w, T, sigma)
    return dw, sigma**2 * dT


@wrong("rbf_grads", "both with a plus")
def of_the_output(X, d, w, T, sigma):
    dw, dT = with_two_products(X, d, w, T, sigma)
    return -dw, -dT


@wrong("rbf_grads")
def centres_by_forward_differences(X, d, w, T, sigma):
    """Right to a few digits, so that the check must not call the gradient of the centres wrong."""

    def E(T):
        return 0.5 * np.sum((d - np.exp(-(cdist(X, T) ** 2) / (2 * sigma**2)) @ w) ** 2)

    steps = 1e-4 * np.eye(T.size).reshape(T.size, *T.shape)
    slopes = [(E(T + step) - E(T)) / 1e-4 for step in steps]
    return with_two_products(X, d, w, T, sigma)[0], np.reshape(slopes, T.shape)


@wrong("rbf_grads", "no error in ∂E/∂t")
def every_point_pulls(X, d, w, T, sigma):
    G = np.exp(-(cdist(X, T) ** 2) / (2 * sigma**2))
    return -G.T @ (d - G @ w), -w[:, None] * (G.T @ X - G.sum(axis=0)[:, None] * T) / sigma**2


@wrong("rbf_grads")
def centres_first(X, d, w, T, sigma):
    return with_two_products(X, d, w, T, sigma)[::-1]


@wrong("rbf_network")
def no_negative_outputs(X, y, T0, Xq):
    return np.maximum(output_of(rested(X, T0), X, 1.0 * (y[:, None] == np.unique(y)), Xq), 0)


@wrong("rbf_grads")
def gaussian_without_sigma(X, d, w, T, sigma):
    G = np.exp(-(cdist(X, T) ** 2) / 2)
    A = G * np.outer(d - G @ w, w)
    return -G.T @ (d - G @ w), -(A.T @ X - A.sum(axis=0)[:, None] * T) / sigma**2


wrong("online_kmeans")(changed(online, "argmin", "argmax"))
wrong("rbf_grads")(changed(gradients, "(2 * sigma**2)", "sigma**2", "-w[", "-2 * w["))
wrong("lms", "w times φ, not summed")(changed(descent, "w @ phi", "w * phi"))
wrong("lms")(changed(descent, "eta * ", "eta / (1e-12 + phi @ phi) * "))
wrong("lms")(changed(descent, "w += ", "w = 0.9 * w + "))
wrong("rbf_network", "spread by d_max")(changed(network, "np.median(near)", "pdist(T).max() / np.sqrt(2 * len(T))"))
wrong("rbf_network", "no bias")(changed(network, "[bells, np.ones(len(bells))]", "[bells]"))
wrong("rbf_network", "own distance counted")(changed(network, "apart[:, 1]", "apart[:, 0]"))
wrong("rbf_network", "zeros in the median")(changed(network, "median(near)", "median(apart)"))
