"""Wrong answers to chapter 5 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch05_margin.alternatives import (
    along_the_unit_normal,
    from_the_largest_multiplier,
    from_the_support_alone,
    on_lengthened_points,
    with_a_loop,
    with_two_loops,
)
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("signed_distance", says="returned shape")
def nearest_alone(X, w, b):
    return along_the_unit_normal(X, w, b)[:1].min() * np.ones(2)


@wrong("signed_distance", "no norm + b with the other sign")
def two_slips(X, w, b):
    return X @ w - b


@wrong("signed_distance", says="the sign")
def from_the_other_side(X, w, b):
    return -along_the_unit_normal(X, w, b)


@wrong("signed_distance")
def sides_alone(X, w, b):
    return np.sign(X @ w + b)


@wrong("signed_distance", says="A column of shape (n, 1)")
def times_a_column(X, w, b):
    return along_the_unit_normal(X, w, b)[:, None] + 1


@wrong("canonical", says="of 2 things, of shapes (), ()")
def w_alone(w, b, X, y):
    return with_a_loop(w, b, X, y)[0]


@wrong("canonical", says="its b is not")
def b_twice(w, b, X, y):
    v, c = with_a_loop(w, b, X, y)
    return v, 2 * c + 1


@wrong("canonical", "unit norm")
def normalised_another_way(w, b, X, y):
    return w / np.sqrt((w**2).sum()), b / np.sqrt((w**2).sum())


@wrong("canonical")
def left_as_it_is(w, b, X, y):
    return w, b


@wrong("recover_w_b", says="its b is not")
def b_from_the_sum(alpha, X, y):
    w, _ = from_the_largest_multiplier(alpha, X, y)
    return w, alpha @ (y - X @ w)


@wrong("recover_w_b", "b with the other sign")
def solved_for_minus_b(alpha, X, y):
    w, b = from_the_largest_multiplier(alpha, X, y)
    return w, -b


@wrong("recover_w_b")
def difference_of_the_means(alpha, X, y):
    w = X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0)
    return w, -0.5 * w @ (X[y > 0].mean(axis=0) + X[y < 0].mean(axis=0))


@wrong("dual_value", says="Their sum is the right number")
def one_term_each(alpha, K, y):
    return alpha - 0.5 * alpha * y * (K @ (alpha * y))


@wrong("dual_value", "no linear term + minus")
def primal_value(alpha, K, y):
    return 0.5 * (alpha * y) @ K @ (alpha * y)


@wrong("dual_value", "sign turned round")
def for_a_minimiser(alpha, K, y):
    return -with_two_loops(alpha, K, y)


@wrong("margin_width", says="One number")
def in_each_direction(w):
    return 2 / np.abs(w)


@wrong("margin_width", says="1/√2 times")
def root_of_two(w):
    return np.sqrt(2) / np.linalg.norm(w)


@wrong("perceptron", says="without a learning rate")
def with_a_learning_rate(X, y, epochs):
    w, b, updates = on_lengthened_points(X, y, epochs)
    return 0.1 * w, 0.1 * b, updates


@wrong("perceptron", says="without a learning rate")
def of_unit_length(X, y, epochs):
    w, b, updates = on_lengthened_points(X, y, epochs)
    return w / np.linalg.norm(w), b / np.linalg.norm(w), updates


@wrong("perceptron", says="its number of updates is not")
def one_update_too_many(X, y, epochs):
    w, b, updates = on_lengthened_points(X, y, epochs)
    return w, b, updates + 1


@wrong("perceptron", says="its b is not")
def half_a_bias(X, y, epochs):
    w, b, updates = on_lengthened_points(X, y, epochs)
    return w, 0.5 * b + 0.25, updates


@wrong("perceptron", says="2 things, of shapes (2,), ()")
def without_the_count(X, y, epochs):
    return on_lengthened_points(X, y, epochs)[:2]


@wrong("perceptron", "undecided is class -1")
def predicted_by_a_comparison(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            if (1 if w @ x + b > 0 else -1) != label:
                w, b, updates = w + label * x, b + label, updates + 1
    return w, b, updates


@wrong("perceptron")
def in_a_random_order(X, y, epochs):
    order = np.random.default_rng(0).permutation(len(y))
    return on_lengthened_points(X[order], y[order], epochs)


@wrong("margin_report", says="should return 5 numbers")
def without_slackness(K, y, alpha):
    return from_the_support_alone(K, y, alpha)[:4]


@wrong("margin_report", "half width")
def as_it_should_be_but_the_width(K, y, alpha):
    b, width, *rest = from_the_support_alone(K, y, alpha)
    return b, 0.5 * width, *rest


@wrong("margin_report", says="width is not: it is √2 times")
def diagonal_of_a_square(K, y, alpha):
    b, width, *rest = from_the_support_alone(K, y, alpha)
    return b, np.sqrt(2) * width, *rest


@wrong("margin_report", says="balance is not")
def balance_of_the_support(K, y, alpha):
    b, width, balance, *rest = from_the_support_alone(K, y, alpha)
    return b, width, balance / np.sum(alpha > 0), *rest


@wrong("margin_report", says="slackness is not")
def mean_slackness(K, y, alpha):
    b, width, balance, closest, _ = from_the_support_alone(K, y, alpha)
    m = y * (K @ (alpha * y) + b)
    return b, width, balance, closest, np.mean(np.abs(alpha * (m - 1)))
