"""Wrong answers to chapter 6b that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06b_svr_online.alternatives import (
    as_the_chapter_has_it,
    by_counts,
    point_by_point,
    with_coefficients_and_a_queue,
)
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("eps_insensitive", says="It is the mean of the right numbers")
def mean_loss(r, eps):
    return np.mean(np.maximum(np.abs(r) - eps, 0))


@wrong("eps_insensitive", says="1/2 times")
def with_a_half(r, eps):
    return 0.5 * np.maximum(np.abs(r) - eps, 0)


@wrong("eps_insensitive", "squared + tube of width ε")
def narrow_and_squared(r, eps):
    return np.maximum(np.abs(r) - eps / 2, 0) ** 2


@wrong("eps_insensitive", says="never negative")
def upside_down_inside(r, eps):
    return np.where(np.abs(r) > eps, np.abs(r) - eps, -np.abs(r) / 2)


@wrong("eps_insensitive", "Huber's loss")
def as_huber_has_it(r, eps):
    return np.where(np.abs(r) <= eps, 0.5 * r**2, eps * (np.abs(r) - 0.5 * eps))


@wrong("pegasos", "index for time")
def the_order_counts(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for i in order:
        t = i + 1
        w = (1 - 1 / t) * w + (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
    return w


@wrong("pegasos", says="returned shape")
def multipliers_instead(X, y, lam, order):
    return by_counts(X, y, lam, order)[:1].sum() * np.ones(len(y) + 3)


@wrong("pegasos", "t from 2 + λ and 1/λ exchanged")
def late_and_exchanged(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 2):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] * lam / t
    return w


@wrong("pegasos", says="minus the right answer")
def up_the_hill(X, y, lam, order):
    return -by_counts(X, y, lam, order)


@wrong("pegasos", "t from 0")
def t_from_zero(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(len(order)):
        i = int(order[t])
        w = (1 - 1 / t) * w + (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
    return w


@wrong("pegasos")
def batch_steps(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order) + 1):
        late = y * (X @ w) < 1
        w = (1 - 1 / t) * w + (late * y) @ X / (lam * t * len(y))
    return w


@wrong("svr_pair", says="gives its argument beta back unchanged")
def nothing_moves(K, y, beta, C, eps, i, j):
    return beta


@wrong("svr_pair", says="returned shape")
def the_two_alone(K, y, beta, C, eps, i, j):
    return as_the_chapter_has_it(K, y, beta, C, eps, i, j)[[i, j]]


@wrong("svr_pair", says="left the box")
def into_the_wall(K, y, beta, C, eps, i, j):
    new = beta.copy()
    new[i] += 3 * C
    new[j] -= 3 * C
    return new


@wrong("svr_pair", says="is not what it was before the step")
def half_of_the_partner(K, y, beta, C, eps, i, j):
    new = as_the_chapter_has_it(K, y, beta, C, eps, i, j)
    new[j] = 0.5 * (new[j] + beta[j])
    return new


@wrong("svr_pair", "half a step + ε forgotten")
def two_slips(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    t = (g[i] - g[j]) / (2 * eta) if eta > 0 else np.inf
    t = min(t, C - beta[i] if beta[i] >= 0 else -beta[i], beta[j] if beta[j] > 0 else beta[j] + C)
    new = beta.copy()
    new[i], new[j] = new[i] + t, new[j] - t
    return new


@wrong("svr_pair")
def soft_threshold_of_the_step(K, y, beta, C, eps, i, j):
    """As for one coordinate of a lasso."""
    g = y - K @ beta
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    t = (g[i] - g[j]) / max(eta, 1e-9)
    t = np.sign(t) * max(abs(t) - eps, 0)
    new = beta.copy()
    new[i] = np.clip(beta[i] + t, -C, C)
    new[j] = beta[j] - (new[i] - beta[i])
    return new


@wrong("budget_perceptron", says="returned shape")
def the_memory_itself(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * (K[i, memory] @ y[memory] if memory else 0) <= 0:
            memory = [*memory, i][-budget:]
    return memory


@wrong("budget_perceptron", says="minus the right answer")
def with_the_other_sign(K, y, order, budget):
    return -with_coefficients_and_a_queue(K, y, order, budget)


@wrong("budget_perceptron")
def one_drawn_by_lot(K, y, order, budget):
    lot, memory = np.random.default_rng(0), []
    for i in order:
        if y[i] * (K[i, memory] @ y[memory] if memory else 0) <= 0:
            memory.append(i)
            if len(memory) > budget:
                memory.pop(int(lot.integers(len(memory))))
    c = np.zeros(len(y))
    np.add.at(c, memory, y[memory])
    return c


@wrong("choose_eps", says="not in the list")
def half_way(F, y, widths):
    return 0.5 * (point_by_point(F, y, widths) + widths.max()) + 1e-3


@wrong("choose_eps")
def the_first_of_the_list(F, y, widths):
    return widths[0]


@wrong("choose_eps", says="One number")
def all_errors(F, y, widths):
    return np.abs(F - y).mean(axis=(1, 2))


@wrong("svr_pair", "ε forgotten")
def the_chapters_lines_without_eps(K, y, beta, C, eps, i, j):
    new, g = beta.copy(), y - K @ beta
    with np.errstate(divide="ignore"):
        top = (g[i] - g[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    t = min(top, (C if beta[i] >= 0 else 0) - beta[i], beta[j] + (C if beta[j] <= 0 else 0))
    new[i] += t
    new[j] -= t
    return new
