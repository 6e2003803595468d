"""Wrong answers to chapter 7a that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch07a_rbf_interpolation.alternatives import (
    as_one_problem,
    bells,
    bordered,
    by_lu,
    polynomial_last,
    with_ones,
    with_the_binomials,
)
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("rbf_interpolate", says="misses them")
def a_little_on_the_diagonal(X, y, c):
    return np.linalg.solve(np.hypot(cdist(X, X), c) + 0.01 * np.eye(len(y)), y)


@wrong("rbf_interpolate")
def thin_plates(X, y, c):
    r = cdist(X, X) + np.eye(len(y))
    return np.linalg.solve(r**2 * np.log(r) + c * np.eye(len(y)), y)


@wrong("rbf_interpolate", "other sign + targets centred")
def two_slips(X, y, c):
    return -by_lu(X, y - y.mean(), c)


@wrong("rbf_interpolate", says="returned shape")
def weights_and_surface(X, y, c):
    w = by_lu(X, y, c)
    return np.stack([w, np.hypot(cdist(X, X), c) @ w])


@wrong("cover_count", "one term too many")
def with_a_bias(n, d):
    return with_the_binomials(n, d) + (2 * np.prod(n - 1 - np.arange(d)) / np.prod(np.arange(1, d + 1)))


@wrong("cover_count", "one term too many")
def a_recursion_whose_last_dimension_is_one(n, d):
    """C(n, 1) = 2n and C(n, 0) = 2: the edge of d = 2."""
    return 2 if n == 1 or d == 0 else sum(a_recursion_whose_last_dimension_is_one(n - 1, k) for k in (d, d - 1))


@wrong("cover_count", "one point too few")
def a_loop_one_turn_short(n, d):
    count = [0] + [2] * d
    for _ in range(n - 2):
        count = [0] + [a + b for a, b in pairwise(count)][:d]
    return count[d]


@wrong("cover_count", "n for n - 1")
def a_loop_one_turn_too_many(n, d):
    count = [0] + [2] * d
    for _ in range(n):
        count = [0] + [a + b for a, b in pairwise(count)][:d]
    return count[d]


@wrong("cover_count", says="odd")
def an_odd_number(n, d):
    return 2 * (n // 2) + 1


@wrong("cover_count", says="fewer than so many")
def squared(n, d):
    return 4 ** (n + 1)


@wrong("cover_count")
def half_of_all(n, d):
    return 2 ** (n - 1) + 2


@wrong("generalized_weights", "targets centred + no λ")
def least_squares_of_the_rest(X, y, T, sigma, lam):
    return as_one_problem(X, y - y.mean(), T, sigma, 0.0)


@wrong("generalized_weights", "σ without its 2 + 2λ for λ")
def two_conventions(X, y, T, sigma, lam):
    return as_one_problem(X, y, T, sigma / np.sqrt(2), 2 * lam)


@wrong("generalized_weights", says="raised")
def transposed(X, y, T, sigma, lam):
    G = bells(T, X, sigma)
    return np.linalg.solve(G.T @ G + lam * bells(T, T, sigma), G.T @ y)


@wrong("generalized_weights")
def nearest_target(X, y, T, sigma, lam):
    return y[cdist(T, X).argmin(axis=1)]


@wrong("generalized_weights", "predictions for weights")
def the_surface(X, y, T, sigma, lam):
    return bells(X, T, sigma) @ as_one_problem(X, y, T, sigma, lam)


@wrong("thin_plate")
def logarithm_of_zero(X, y, Xq):
    r = cdist(X, X)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.linalg.solve(bordered(r**2 * np.log(r), with_ones(X)), np.append(y, np.zeros(3)))[: len(Xq)]


@wrong("thin_plate")
def a_plane(X, y, Xq):
    return with_ones(Xq) @ np.linalg.lstsq(with_ones(X), y, rcond=None)[0]


@wrong("thin_plate")
def a_little_smoothed(X, y, Xq):
    r = cdist(X, X) + np.eye(len(X))
    s = np.linalg.solve(bordered(r**2 * np.log(r) + 0.1 * np.eye(len(X)), with_ones(X)), np.append(y, np.zeros(3)))
    r = cdist(Xq, X)
    return r**2 * np.log(np.where(r > 0, r, 1)) @ s[:-3] + with_ones(Xq) @ s[-3:]


@wrong("thin_plate", says="passes through the points")
def multiquadrics(X, y, Xq):
    return np.hypot(cdist(Xq, X), 0.3) @ np.linalg.solve(np.hypot(cdist(X, X), 0.3), y)


@wrong("thin_plate", "side conditions left out")
def the_first_row_alone(X, y, Xq):
    def rows(A):
        r = cdist(A, X)
        return np.hstack([r**2 * np.log(np.where(r > 0, r, 1)), with_ones(A)])

    return rows(Xq) @ np.linalg.pinv(rows(X)) @ y


@wrong("thin_plate", says="returned shape")
def at_the_points(X, y, Xq):
    return polynomial_last(X, y, X)


@wrong("thin_plate", says="the rest of SciPy")
def scipy_does_it(X, y, Xq):
    from scipy.interpolate import RBFInterpolator

    return RBFInterpolator(X, y)(Xq)
