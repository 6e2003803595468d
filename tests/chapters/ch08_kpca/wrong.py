"""Wrong answers to chapter 8 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch08_kpca.alternatives import (
    between_two_projections,
    by_a_projection,
    by_norms,
    by_singular_values,
    by_the_trace,
    gauss,
    shifted_and_projected,
    with_projections,
)
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("center_gram", says="do not sum to 0")
def divided_by_the_trace(K):
    return K / np.trace(K) - 1 / len(K)


@wrong("center_gram", says="1/n times")
def a_covariance(K):
    return between_two_projections(K) / len(K)


@wrong("center_gram", says="the right answer minus K")
def without_the_matrix_itself(K):
    return between_two_projections(K) - K


@wrong("center_gram", "last term forgotten")
def in_place_with_new_means(K):
    m = K.mean(axis=0)
    return K - m - m[:, None]


@wrong("center_test_gram", says="returned shape")
def transposed(K, Kq):
    return shifted_and_projected(K, Kq).T


@wrong("center_test_gram", "not centred")
def left_as_they_are(K, Kq):
    return Kq + 0.0


@wrong("center_test_gram")
def stacked_and_centred(K, Kq):
    return (np.vstack([K, Kq]) - np.vstack([K, Kq]).mean(axis=0))[len(K) :]


@wrong("kernel_pca", says="returned one array, of shape")
def scores_alone(K, q):
    return by_singular_values(K, q)[0]


@wrong("kernel_pca", says="Only the first is not as it is asked for: rows and columns")
def a_row_for_each_axis(K, q):
    s, lam = by_singular_values(K, q)
    return s.T, lam


@wrong("kernel_pca", says="The scores are right")
def shares_for_eigenvalues(K, q):
    s, lam = by_singular_values(K, q)
    return s, lam / lam.sum()


@wrong("kernel_pca", says="The eigenvalues are right")
def scores_doubled(K, q):
    s, lam = by_singular_values(K, q)
    return 2 * s, lam


@wrong("kernel_pca", "smallest eigenvalues")
def not_turned_round(K, q):
    lam, B = np.linalg.eigh(between_two_projections(K))
    return (B * np.sqrt(lam))[:, :q], lam[:q]


@wrong("kernel_pca", says="the absolute value")
def absolute_scores(K, q):
    s, lam = by_singular_values(K, q)
    return np.abs(s), lam


@wrong("explained_ratio", says="it should return the shares of the first q axes")
def all_together(K, q):
    return by_the_trace(K, q).sum()


@wrong("explained_ratio")
def both_slips(K, q):
    lam = np.linalg.eigvalsh(K)[::-1][:q]
    return lam / lam.sum()


@wrong("kernel_fisher", "from class 1 to class 0")
def the_other_way_round(K, y, lam):
    return -with_projections(K, y, lam)


@wrong("kernel_fisher", says="a normalisation")
def largest_entry_one(K, y, lam):
    a = with_projections(K, y, lam)
    return a / np.abs(a).max()


@wrong("denoise", says="returned shape")
def scores_instead(X, Xq, sigma, q, steps):
    return by_a_projection(X, Xq, sigma, q, steps).sum(axis=1)


@wrong("denoise")
def nearest_training_point(X, Xq, sigma, q, steps):
    return X[np.argmax(gauss(Xq, X, sigma), axis=1)]


@wrong("paired_report", says="should return 4 numbers")
def without_its_error(clean, first, second):
    return by_norms(clean, first, second)[:3]


@wrong(
    "paired_report", says="the first, mean error of the second and mean difference are right, but standard error is not"
)
def twice_for_an_interval(clean, first, second):
    a, b, d, se = by_norms(clean, first, second)
    return a, b, d, 2 * se


@wrong("kernel_fisher", says="learns the labels by heart")
def solved_without_a_price(K, y, lam):
    N = sum(np.cov(K[:, y == c], bias=True) * np.sum(y == c) for c in (0, 1))
    a = np.linalg.solve(N + 1e-12 * np.eye(len(K)), K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1))
    return a / np.linalg.norm(a)


@wrong("denoise")
def half_way(X, Xq, sigma, q, steps):
    return (Xq + by_a_projection(X, Xq, sigma, q, steps)) / 2


@wrong("denoise", says="no step is left out because it is short")
def stops_where_steps_are_short(X, Xq, sigma, q, steps):
    Z = Xq
    for t in range(steps):
        before, Z = Z, by_a_projection(X, Xq, sigma, q, t + 1)
        if np.abs(Z - before).max() < 1e-3:
            break
    return Z


@wrong("denoise", "axes through the origin")
def as_if_nothing_had_a_mean(X, Xq, sigma, q, steps):
    lam, B = np.linalg.eigh(gauss(X, X, sigma))
    gamma = gauss(Xq, X, sigma) @ (B[:, -q:] / lam[-q:]) @ B[:, -q:].T
    Z = Xq
    for _ in range(steps):
        W = gamma * gauss(Z, X, sigma)
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


@wrong("kernel_fisher", says="1/√")
def coded_and_forgotten(K, y, lam):
    return with_projections(K, y, lam) / np.sqrt(len(y))


@wrong("paired_report")
def two_slips(clean, first, second):
    a, b = np.mean((first - clean) ** 2, axis=1), np.mean((second - clean) ** 2, axis=1)
    return a.mean(), b.mean(), (b - a).mean(), (b - a).std(ddof=1) / np.sqrt(len(a))
