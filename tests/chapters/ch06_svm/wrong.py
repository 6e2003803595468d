"""Wrong answers to chapter 6 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06_svm.alternatives import (
    along_a_line,
    late_ones_alone,
    pairs_in_turn,
    with_isclose,
    with_signed_coefficients_and_the_largest_gain,
    with_the_chapters_letters,
)
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("svm_primal", says="Their sum is the right number")
def share_of_each_point(w, b, X, y, C):
    return 0.5 * w @ w / len(y) + C * np.maximum(0, 1 - y * (X @ w + b))


@wrong("svm_primal", "no half + no bias in f")
def two_slips(w, b, X, y, C):
    return w @ w + C * np.maximum(0, 1 - y * (X @ w)).sum()


@wrong("svm_primal", says="minus the right answer")
def to_be_made_large(w, b, X, y, C):
    return -late_ones_alone(w, b, X, y, C)


@wrong("svm_primal", says="below ½‖w‖²")
def slacks_subtracted(w, b, X, y, C):
    return 0.5 * w @ w - C * np.maximum(0, 1 - y * (X @ w + b)).sum()


@wrong("svm_primal")
def logistic_loss(w, b, X, y, C):
    return 0.5 * w @ w + C * np.logaddexp(0, -y * (X @ w + b)).sum()


@wrong("svm_primal", says="1/n times")
def mean_of_everything(w, b, X, y, C):
    return late_ones_alone(w, b, X, y, C) / len(y)


@wrong("bias_from_alpha", says="One number")
def of_each_point(alpha, K, y, C):
    return y - K @ (alpha * y)


@wrong("bias_from_alpha", "labels forgotten in the sum + minus")
def label_and_sign(alpha, K, y, C):
    free = (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))
    return np.mean((K @ alpha - y)[free])


@wrong("bias_from_alpha", says="1/2 times")
def halved(alpha, K, y, C):
    return with_isclose(alpha, K, y, C) / 2


@wrong("bias_from_alpha")
def with_the_diagonal(alpha, K, y, C):
    free = (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))
    return np.mean((y - np.diag(K) * alpha * y)[free])


@wrong("bias_from_alpha")
def weighted_by_alpha(alpha, K, y, C):
    return np.sum(alpha * (y - K @ (alpha * y))) / alpha.sum()


@wrong("margin_violators", says="returned shape")
def their_numbers(f, y):
    return np.flatnonzero(y * f <= 1)


@wrong("margin_violators", says="It is the sum of the right numbers")
def how_many(f, y):
    return np.sum(y * f <= 1)


@wrong("margin_violators")
def near_the_margin(f, y):
    return np.abs(y * f - 1) < 0.5


@wrong("margin_violators")
def with_a_price(f, y):
    return y * f <= 0.5


@wrong("bias_from_alpha")
def median_of_all_points(alpha, K, y, C):
    return np.median(y - K @ (alpha * y))


@wrong("bias_from_alpha")
def median_of_those_not_late(alpha, K, y, C):
    return np.median((y - K @ (alpha * y))[alpha < 0.999 * C])


@wrong("smo_pair", says="left the box")
def into_the_wall(K, y, alpha, b, C, i, j):
    """A step that nobody would compute, along the right line, and far beyond its end."""
    after = np.array(alpha, dtype=float)
    after[i] += 3.7 * C * y[i]
    after[j] -= 3.7 * C * y[j]
    return after


@wrong("smo_pair", says="returned shape")
def the_two_alone(K, y, alpha, b, C, i, j):
    return np.asarray(along_a_line(K, y, alpha, b, C, i, j))[[i, j]]


@wrong("smo_pair", says="gives its argument alpha back unchanged")
def nothing_moves(K, y, alpha, b, C, i, j):
    return alpha


@wrong("smo_pair", "partner left")
def overwritten(K, y, alpha, b, C, i, j):
    """The old α_j is gone when α_i asks for it."""
    new = with_the_chapters_letters(K, y, alpha, b, C, i, j)
    alpha = alpha.copy()
    alpha[j] = new[j]
    alpha[i] += y[i] * y[j] * (alpha[j] - new[j])
    return alpha


@wrong("smo_pair", says="is not what it was before the step")
def only_half_of_the_partner(K, y, alpha, b, C, i, j):
    new = np.array(with_the_chapters_letters(K, y, alpha, b, C, i, j))
    new[i] = 0.5 * (alpha[i] + new[i])
    return new


@wrong("smo_pair")
def half_a_step(K, y, alpha, b, C, i, j):
    return 0.5 * (alpha + with_the_chapters_letters(K, y, alpha, b, C, i, j))


@wrong("svm_train", says="returned one array, of shape")
def multipliers_alone(K, y, C, tol):
    return pairs_in_turn(K, y, C, tol)[0]


@wrong("svm_train", says="duality gap P - D")
def by_the_gain(K, y, C, tol):
    """Stops when no pair gains more than a tenth."""
    alpha = np.zeros(len(y))
    for _ in range(2000):
        u = K @ (alpha * y)
        up = np.where(np.where(y > 0, alpha < C - 1e-12, alpha > 1e-12), y - u, -np.inf)
        down = np.where(np.where(y > 0, alpha > 1e-12, alpha < C - 1e-12), y - u, np.inf)
        i, j = up.argmax(), down.argmin()
        if up[i] - down[j] <= 0.1:
            break
        alpha = with_the_chapters_letters(K, y, alpha, 0.0, C, i, j)
    return alpha, (up[i] + down[j]) / 2


@wrong("svm_train", says="do not satisfy Σ α_i y_i = 0")
def one_at_a_time(K, y, C, tol):
    alpha = np.zeros(len(y))
    for _ in range(200):
        for i in range(len(y)):
            alpha[i] = np.clip(alpha[i] + (1 - y[i] * (K[i] @ (alpha * y))) / K[i, i], 0, C)
    return alpha, 0.0


@wrong("svm_train", says="outside the box")
def without_a_lid(K, y, C, tol):
    return with_signed_coefficients_and_the_largest_gain(K, y, 3 * C, tol)


@wrong("svm_train", says="its b is not")
def a_little_off(K, y, C, tol):
    alpha, b = with_signed_coefficients_and_the_largest_gain(K, y, C, tol)
    return alpha, b + 0.5


@wrong("svm_train", "bias with the other sign")
def sloppy_and_with_the_other_sign(K, y, C, tol):
    alpha, b = pairs_in_turn(K, y, C, 0.5 * tol)
    return alpha, -b


@wrong("svm_train", says="is larger than tol")
def until_no_pair_gains(K, y, C, tol):
    """The lecture's loop: it ends where no pair gains more than tol, which is not the gap."""
    beta, low, high = np.zeros(len(y)), np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for _ in range(4000):
        slope = y - K @ beta
        i = np.argmax(np.where(beta < high, slope, -np.inf))
        j = np.argmin(np.where(beta > low, slope, np.inf))
        if slope[i] - slope[j] <= tol:
            break
        step = (slope[i] - slope[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
        step = min(step, high[i] - beta[i], beta[j] - low[j])
        beta[i] += step
        beta[j] -= step
    return beta * y, (slope[i] + slope[j]) / 2


@wrong("svm_train", says="relative to P")
def a_share_of_the_objective(K, y, C, tol):
    alpha, b = with_signed_coefficients_and_the_largest_gain(K, y, C, tol)
    u = K @ (alpha * y)
    P = 0.5 * (alpha * y) @ u + C * np.maximum(0, 1 - y * (u + b)).sum()
    return with_signed_coefficients_and_the_largest_gain(K, y, C, tol * P)


@wrong("svm_train", says="only where every multiplier ends at C")
def mean_of_all_where_none_is_free(K, y, C, tol):
    alpha, b = pairs_in_turn(K, y, C, tol)
    free = (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))
    return alpha, b if free.any() else np.mean(y - K @ (alpha * y))


@wrong("bias_from_alpha", says="all free support vectors are of one class")
def half_from_each_class(alpha, K, y, C):
    each, free = y - K @ (alpha * y), (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))
    return 0.5 * (np.mean(each[free & (y > 0)]) + np.mean(each[free & (y < 0)]))


@wrong("svm_train", says="is larger than tol")
def a_hundred_steps(K, y, C, tol):
    """Never asks for the gap."""
    alpha = np.zeros(len(y))
    for _ in range(100):
        u = K @ (alpha * y)
        i = np.argmax(np.where(np.where(y > 0, alpha < C, alpha > 0), y - u, -np.inf))
        j = np.argmin(np.where(np.where(y > 0, alpha > 0, alpha < C), y - u, np.inf))
        alpha = np.clip(with_the_chapters_letters(K, y, alpha, 0.0, C, i, j), 0, C)
    return alpha, (y[i] - u[i] + y[j] - u[j]) / 2


@wrong("smo_pair", "label missing in the step")
def the_same_for_both_classes(K, y, alpha, b, C, i, j):
    E = K @ (alpha * y) + b - y
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    if eta <= 0:
        return alpha
    same = y[i] == y[j]
    low, high = (
        (max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j]))
        if same
        else (max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i]))
    )
    out = alpha.copy()
    out[j] = np.clip(alpha[j] + (E[i] - E[j]) / eta, low, high)
    out[i] += y[i] * y[j] * (alpha[j] - out[j])
    return out
