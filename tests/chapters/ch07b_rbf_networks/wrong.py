"""Wrong answers to chapter 7, second part, that are not in the catalogue, as students might write them.

``@wrong(exercise, name)`` expects that misconception to be named, ``@wrong(exercise)`` none.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist, pdist

from tests.chapters.ch07b_rbf_networks.alternatives import (
    in_lists,
    rested,
    with_two_products,
)
from tests.chapters.ch07b_rbf_networks.slips import output_of
from tests.chapters.ch07b_rbf_networks.typed import descent, network, online
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("spread", "no root")
def by_hand_without_root(T):
    return pdist(T).max() / 2 / len(T)


@wrong("spread", "from the first centre only")
def from_the_first(T):
    return cdist(T[:1], T).max() / np.sqrt(2 * len(T))


@wrong("spread", "neighbouring rows only")
def row_after_row(T):
    return max(np.linalg.norm(T[i + 1] - T[i]) for i in range(len(T) - 1)) / np.sqrt(2 * len(T))


@wrong("spread")
def median_distance(T):
    return np.median(pdist(T)) / np.sqrt(2 * len(T))


@wrong("online_kmeans", "1/n for η")
def running_means(X, T0, order, eta):
    T, won = np.array(T0, dtype=float), [0] * len(T0)
    for i in order:
        J = np.argmin(np.linalg.norm(T - X[i], axis=1))
        won[J] += 1
        T[J] += (X[i] - T[J]) / won[J]
    return T


@wrong("online_kmeans", "η/N")
def smaller_with_each_win(X, T0, order, eta):
    T, won = np.array(T0, dtype=float), np.zeros(len(T0))
    for i in order:
        J = np.argmin(np.linalg.norm(T - X[i], axis=1))
        won[J] += 1
        T[J] += eta / won[J] * (X[i] - T[J])
    return T


@wrong("online_kmeans", "each row once")
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
    for t in range(len(order)):
        i = t % len(d)
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
    """Right to some digits, so that nobody may say “that by the centres is not”."""

    def E(T):
        return 0.5 * np.sum((d - np.exp(-(cdist(X, T) ** 2) / (2 * sigma**2)) @ w) ** 2)

    steps = 1e-4 * np.eye(T.size).reshape(T.size, *T.shape)
    slopes = [(E(T + step) - E(T)) / 1e-4 for step in steps]
    return with_two_products(X, d, w, T, sigma)[0], np.reshape(slopes, T.shape)


@wrong("rbf_grads", "no error in ∂E/∂t")
def every_point_pulls(X, d, w, T, sigma):
    G = np.exp(-(cdist(X, T) ** 2) / (2 * sigma**2))
    return -G.T @ (d - G @ w), -w[:, None] * (G.T @ X - G.sum(axis=0)[:, None] * T) / sigma**2


@wrong("rbf_grads", "exchanged")
def centres_first(X, d, w, T, sigma):
    return with_two_products(X, d, w, T, sigma)[::-1]


@wrong("rbf_network")
def no_negative_outputs(X, y, T0, Xq):
    return np.maximum(output_of(rested(X, T0), X, 1.0 * (y[:, None] == np.unique(y)), Xq), 0)


@wrong("rbf_grads", "no σ in the bell")
def bell_without_sigma(X, d, w, T, sigma):
    G = np.exp(-(cdist(X, T) ** 2) / 2)
    A = G * np.outer(d - G @ w, w)
    return -G.T @ (d - G @ w), -(A.T @ X - A.sum(axis=0)[:, None] * T) / sigma**2


wrong("online_kmeans", "farthest wins")(changed(online, "argmin", "argmax"))
wrong("lms", "w times φ, not summed")(changed(descent, "w @ phi", "w * phi"))
wrong("lms", "normalised")(changed(descent, "eta * ", "eta / (1e-12 + phi @ phi) * "))
wrong("lms")(changed(descent, "w += ", "w = 0.9 * w + "))
wrong("rbf_network", "spread by d_max")(changed(network, "np.median(near)", "pdist(T).max() / np.sqrt(2 * len(T))"))
wrong("rbf_network", "no bias")(changed(network, "[bells, np.ones(len(bells))]", "[bells]"))
wrong("rbf_network", "own distance counted")(changed(network, "apart[:, 1]", "apart[:, 0]"))
wrong("rbf_network", "zeros in the median")(changed(network, "median(near)", "median(apart)"))
