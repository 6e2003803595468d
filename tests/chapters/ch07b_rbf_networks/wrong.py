"""Wrong answers to chapter 7, second part, that are not in the catalogue, as students might write them.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist, pdist

from tests.chapters.ch07b_rbf_networks.alternatives import (
    in_lists,
    rested,
    through_the_jacobian,
    to_the_nearest,
    with_pdist,
    with_two_products,
)
from tests.chapters.ch07b_rbf_networks.slips import output_of
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("spread", "no root")
def by_hand_without_root(T):
    return pdist(T).max() / 2 / len(T)


@wrong("spread", says="minus the right answer")
def negative(T):
    return -with_pdist(T)


@wrong("spread", says="a width is positive")
def of_another_sign(T):
    return pdist(T).min() - pdist(T).max()


@wrong("spread", says="Their mean is the right number")
def one_for_each(T):
    return np.full(len(T), with_pdist(T))


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


@wrong("online_kmeans", "farthest wins")
def argmax(X, T0, order, eta):
    T = np.array(T0, dtype=float)
    for i in order:
        J = np.linalg.norm(T - X[i], axis=1).argmax()
        T[J] += eta * (X[i] - T[J])
    return T


@wrong("online_kmeans", says="shape")
def only_the_winner(X, T0, order, eta):
    T = np.array(in_lists(X, T0, order, eta))
    return T[np.linalg.norm(T - X[order[-1]], axis=1).argmin()]


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


@wrong("lms", "w times φ, not summed")
def entry_by_entry(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order:
        w = w + eta * (d[i] - w * Phi[i]) * Phi[i]
    return w


@wrong("lms", "normalised")
def with_a_small_number(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order:
        w = w + eta / (1e-12 + np.sum(Phi[i] ** 2)) * (d[i] - w @ Phi[i]) * Phi[i]
    return w


@wrong("lms", says="shape")
def the_errors(Phi, d, eta, order):
    w, errors = np.zeros(Phi.shape[1]), []
    for i in order:
        errors.append(d[i] - w @ Phi[i])
        w = w + eta * errors[-1] * Phi[i]
    return np.array(errors)


@wrong("lms")
def with_forgetting(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order:
        w = 0.9 * w + eta * (d[i] - w @ Phi[i]) * Phi[i]
    return w


@wrong("lms", "last point left out")
def one_step_less(Phi, d, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order[:-1]:
        w = w + eta * (d[i] - w @ Phi[i]) * Phi[i]
    return w


@wrong("rbf_grads", "no 1/σ²")
def without_sigma(X, d, w, T, sigma):
    dw, dT = with_two_products(X, d, w, T, sigma)
    return dw, sigma**2 * dT


@wrong("rbf_grads", "both with a plus")
def of_the_output(X, d, w, T, sigma):
    dw, dT = through_the_jacobian(X, d, w, T, sigma)
    return -dw, -dT


@wrong("rbf_grads", says="by the centres is right")
def half_of_one(X, d, w, T, sigma):
    dw, dT = with_two_products(X, d, w, T, sigma)
    return dw * np.abs(w), dT


@wrong("rbf_grads", says="by the weights is right")
def first_coordinate_alone(X, d, w, T, sigma):
    dw, dT = with_two_products(X, d, w, T, sigma)
    return dw, dT * (np.arange(T.shape[1]) == 0)


@wrong("rbf_grads", says="nearly right")
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
    return through_the_jacobian(X, d, w, T, sigma)[::-1]


@wrong("rbf_grads", says="")
def only_the_weights(X, d, w, T, sigma):
    return with_two_products(X, d, w, T, sigma)[0]


@wrong("rbf_network", "spread by d_max")
def with_the_rule(X, y, T0, Xq):
    T = rested(X, T0)
    sigma = with_pdist(T)
    A, B = (np.c_[np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)), np.ones(len(Z))] for Z in (X, Xq))
    return B @ np.linalg.lstsq(A, 1.0 * (y[:, None] == np.unique(y)), rcond=None)[0]


@wrong("rbf_network", "no bias")
def bells_alone(X, y, T0, Xq):
    T = rested(X, T0)
    sigma = to_the_nearest(T)
    A, B = (np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)) for Z in (X, Xq))
    return B @ np.linalg.lstsq(A, 1.0 * (y[:, None] == np.unique(y)), rcond=None)[0]


@wrong("rbf_network", says="shape")
def classes_said(X, y, T0, Xq):
    return np.unique(y)[output_of(rested(X, T0), X, 1.0 * (y[:, None] == np.unique(y)), Xq).argmax(axis=1)]


@wrong("rbf_network", says="shape")
def transposed(X, y, T0, Xq):
    return output_of(rested(X, T0), X, 1.0 * (y[:, None] == np.unique(y)), Xq).T


@wrong("rbf_network", says="sum to 1 at each query")
def no_negative_outputs(X, y, T0, Xq):
    return np.maximum(output_of(rested(X, T0), X, 1.0 * (y[:, None] == np.unique(y)), Xq), 0)


@wrong("rbf_network", says="labels are not 0, 1, 2")
def in_order_of_appearance(X, y, T0, Xq):
    return output_of(rested(X, T0), X, 1.0 * (y[:, None] == list(dict.fromkeys(y.tolist()))), Xq)


@wrong("rbf_network", "own distance counted")
def nearest_is_itself(X, y, T0, Xq):
    T = rested(X, T0)
    sigma = np.median(cdist(T, T).min(axis=1))
    A, B = (np.c_[np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)), np.ones(len(Z))] for Z in (X, Xq))
    return B @ np.linalg.lstsq(A, 1.0 * (y[:, None] == np.unique(y)), rcond=None)[0]


@wrong("rbf_network", "zeros in the median")
def median_of_the_table(X, y, T0, Xq):
    T = rested(X, T0)
    sigma = np.median(cdist(T, T))
    A, B = (np.c_[np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)), np.ones(len(Z))] for Z in (X, Xq))
    return B @ np.linalg.lstsq(A, 1.0 * (y[:, None] == np.unique(y)), rcond=None)[0]


@wrong("rbf_grads", "no σ in the bell")
def bell_without_sigma(X, d, w, T, sigma):
    G = np.exp(-(cdist(X, T) ** 2) / 2)
    A = G * np.outer(d - G @ w, w)
    return -G.T @ (d - G @ w), -(A.T @ X - A.sum(axis=0)[:, None] * T) / sigma**2


@wrong("rbf_network")
def diagonal_not_left_out(X, y, T0, Xq):
    """The nearest centre of each is itself, at distance 0; somebody adds a little."""
    T = rested(X, T0)
    sigma = np.median(cdist(T, T).min(axis=1)) + 0.3
    A, B = (np.c_[np.exp(-cdist(Z, T, "sqeuclidean") / (2 * sigma**2)), np.ones(len(Z))] for Z in (X, Xq))
    return B @ np.linalg.lstsq(A, 1.0 * (y[:, None] == np.unique(y)), rcond=None)[0]
