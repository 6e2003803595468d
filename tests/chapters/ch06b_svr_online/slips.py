"""Wrong answers to chapter 6b for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06b_svr_online.alternatives import as_the_chapter_has_it, with_coefficients_and_a_queue


def _counting_from_0(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


RAISING: dict[str, tuple] = {
    "one truth value of many": (
        "eps_insensitive",
        [
            lambda r, eps: max(np.abs(r) - eps, 0),
            lambda r, eps: np.abs(r) - eps if np.abs(r) > eps else 0.0 * r,
        ],
    ),
    "t from 0": ("pegasos", [_counting_from_0]),
}


def hit_at_one_too(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) <= 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


def in_units_of_the_tube(r, eps):
    return eps * np.maximum(np.abs(r) / eps - 1, 0)


def nothing_without_a_parabola(K, y, beta, C, eps, i, j):
    """As 6.4 has it."""
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
        return beta.copy()
    return as_the_chapter_has_it(K, y, beta, C, eps, i, j)


def only_the_first_may_have_0(K, y, order, budget):
    memory = []
    for i in order:
        f = sum(y[j] * K[i, j] for j in memory)
        if not memory or y[i] * f < 0:
            memory = [*memory, i][-budget:]
    return with_coefficients_and_a_queue(np.zeros_like(K), y, np.array(memory), budget)


def the_narrowest_of_equals(F, y, widths):
    left_out = F[:, np.arange(len(y)) * F.shape[1] // len(y), np.arange(len(y))]
    errors = np.abs(left_out - y).mean(axis=1)
    return widths[errors == errors.min()].min()


ONLY = {
    ("eps_insensitive", 1): in_units_of_the_tube,
    ("svr_pair", 1): nothing_without_a_parabola,
    ("pegasos", 1): hit_at_one_too,
    ("budget_perceptron", 1): only_the_first_may_have_0,
    ("choose_eps", 1): the_narrowest_of_equals,
}
