"""Right answers to chapter 6, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 6.1


@right("svm_primal")
def point_by_point(w, b, X, y, C):
    total = sum(v * v for v in w) / 2
    for x, label in zip(X, y, strict=True):
        slack = 1 - label * (sum(a * c for a, c in zip(w, x, strict=True)) + b)
        if slack > 0:
            total += C * slack
    return total


@right("svm_primal")
def with_an_absolute_value(w, b, X, y, C):
    z = 1 - y * (np.einsum("ij,j->i", X, w) + b)
    return np.array([0.5 * (w**2).sum() + C * np.sum((z + np.abs(z)) / 2)])


@right("svm_primal")
def as_a_mean_times_n(w, b, X, y, C):
    lam = 1 / (len(y) * C)
    f = np.column_stack([X, np.ones(len(y))]) @ np.append(w, b)
    return (lam / 2 * w @ w + np.mean(np.where(y * f < 1, 1 - y * f, 0))) / lam


# -- 6.2


@right("bias_from_alpha")
def one_after_the_other(alpha, K, y, C):
    found = []
    for i in range(len(y)):
        if 1e-6 * C < alpha[i] < C - 1e-6 * C:
            found.append(y[i] - sum(alpha[j] * y[j] * K[i][j] for j in range(len(y))))
    return sum(found) / len(found)


@right("bias_from_alpha")
def from_the_freest(alpha, K, y, C):
    """They all agree: the one that is farthest from both walls will do."""
    i = np.argmin(np.abs(alpha - C / 2))
    return y[i] - K[i] @ (y * alpha)


@right("bias_from_alpha")
def median_of_all_support_vectors(alpha, K, y, C):
    """By Σαy = 0 the late ones of one class cannot outnumber the rest, so the one in the middle is free."""
    return np.median((y - K @ (alpha * y))[alpha > 1e-9 * C])


# -- 6.3


right("margin_violators")(lambda f, y: [bool(label * value <= 1) for value, label in zip(f, y, strict=True)])
right("margin_violators")(lambda f, y: np.where(y > 0, f <= 1, f >= -1))
right("margin_violators")(lambda f, y: (1 - y * f >= 0).astype(int))


# -- 6.4


@right("smo_pair")
def the_other_of_the_two_first(K, y, alpha, b, C, i, j):
    """i and j play the same part."""
    i, j = j, i
    new = list(alpha)
    eta = K[i][i] + K[j][j] - 2 * K[i][j]
    if eta > 0:
        s = y[i] * y[j]
        E = [sum(alpha[m] * y[m] * K[k][m] for m in range(len(y))) - y[k] for k in (i, j)]
        gamma = alpha[i] + s * alpha[j]
        low, high = (gamma - C, gamma) if s > 0 else (-gamma, C - gamma)
        new[j] = min(max(alpha[j] + y[j] * (E[0] - E[1]) / eta, max(0, low)), min(C, high))
        new[i] = gamma - s * new[j]
    return new


@right("smo_pair")
def by_the_values_of_the_dual(K, y, alpha, b, C, i, j):
    """A parabola is known from three of its points."""
    if K[i, i] + K[j, j] - 2 * K[i, j] <= 0:
        return np.copy(alpha)
    move = np.zeros(len(y))
    move[j], move[i] = 1.0, -y[i] * y[j]

    def dual(t):
        a = alpha + t * move
        return a.sum() - 0.5 * (a * y) @ K @ (a * y)

    slope, curve = (dual(1) - dual(-1)) / 2, dual(1) + dual(-1) - 2 * dual(0)
    ends = [sorted([-alpha[k] / move[k], (C - alpha[k]) / move[k]]) for k in (i, j)]
    t = min(max(-slope / curve, ends[0][0], ends[1][0]), ends[0][1], ends[1][1])
    return alpha + t * move


@right("smo_pair")
def with_the_chapters_letters(K, y, alpha, b, C, i, j):
    gain = (y[i] - K[i] @ (alpha * y)) - (y[j] - K[j] @ (alpha * y))
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    out = np.array(alpha)
    if eta <= 0:
        return out
    if gain < 0:
        i, j, gain = j, i, -gain
    room_i = C - alpha[i] if y[i] > 0 else alpha[i]
    room_j = alpha[j] if y[j] > 0 else C - alpha[j]
    t = min(gain / eta, room_i, room_j)
    out[i], out[j] = alpha[i] + y[i] * t, alpha[j] - y[j] * t
    return out


# -- 6.5


def _gap(K, y, C, alpha, b):
    f = K @ (alpha * y) + b
    return np.sum((C - alpha) * np.maximum(0, 1 - y * f) + alpha * np.maximum(0, y * f - 1))


def _best_bias(K, y, C, alpha):
    """The objective is convex and piecewise linear in b: the least stands at a corner."""
    each = y - K @ (alpha * y)
    return min(each, key=lambda b: _gap(K, y, C, alpha, b))


@right("svm_train")
def pairs_in_turn(K, y, C, tol):
    n, alpha = len(y), np.zeros(len(y))
    for _ in range(400):
        b = _best_bias(K, y, C, alpha)
        if _gap(K, y, C, alpha, b) <= tol:
            break
        for i in range(n):
            for j in range(i):
                alpha = with_the_chapters_letters(K, y, alpha, b, C, i, j)
    return alpha, b


@right("svm_train")
def pairs_at_random(K, y, C, tol):
    rng, alpha, b = np.random.default_rng(0), np.zeros(len(y)), 0.0
    for step in range(20_000):
        if step % 20 == 0:
            b = _best_bias(K, y, C, alpha)
            if _gap(K, y, C, alpha, b) <= tol:
                break
        alpha = with_the_chapters_letters(K, y, alpha, b, C, *rng.choice(len(y), 2, replace=False))
    return [alpha, b]


@right("svm_train")
def with_slsqp(K, y, C, tol):
    H = y[:, None] * K * y
    found = minimize(
        lambda a: 0.5 * a @ H @ a - a.sum(), np.full(len(y), 0.1 * C), jac=lambda a: H @ a - 1, method="SLSQP",
        bounds=[(0, C)] * len(y), constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        options={"ftol": 1e-15, "maxiter": 500},
    )  # fmt: skip
    alpha = np.clip(found.x, 0, C)
    alpha[np.abs(alpha) < 1e-7 * C] = 0
    alpha[alpha > C * (1 - 1e-7)] = C
    i = np.argmin(np.abs(alpha - C / 2))
    alpha[i] -= y[i] * (alpha @ y)  # what was rounded away
    return np.clip(alpha, 0, C), _best_bias(K, y, C, alpha)
