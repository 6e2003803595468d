"""Right answers to chapter 6b, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable

import numpy as np

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 6b.1


right("eps_insensitive")(lambda r, eps: [max(abs(v) - eps, 0) for v in r])
right("eps_insensitive")(lambda r, eps: np.abs(r - np.clip(r, -eps, eps)))


@right("eps_insensitive")
def mask(r, eps):
    loss = np.zeros_like(r)
    out = np.abs(r) >= eps
    loss[out] = np.abs(r[out]) - eps
    return loss


# -- 6b.3


@right("pegasos")
def with_a_sum(X, y, lam, order):
    """t w is a sum."""
    s, t = np.zeros(X.shape[1]), 0
    for i in order:
        w = s / (lam * t) if t else s
        if y[i] * (X[i] @ w) < 1:
            s = s + y[i] * X[i]
        t += 1
    return s / (lam * t)


@right("pegasos")
def with_a_kernel(X, y, lam, order):
    K, hits = X @ X.T, Counter()
    for t, i in enumerate(order, start=1):
        f = sum(count * y[j] * K[i, j] for j, count in hits.items())
        if t == 1 or y[i] * f / (lam * (t - 1)) < 1:
            hits[i] += 1
    return sum(count * y[j] * X[j] for j, count in hits.items()) / (lam * len(order))


@right("pegasos")
def entry_by_entry(X, y, lam, order):
    w = [0.0] * X.shape[1]
    for t, i in enumerate(order, 1):
        late = y[i] * sum(a * c for a, c in zip(w, X[i], strict=True)) < 1
        w = [a * (t - 1) / t + late * y[i] * c / (lam * t) for a, c in zip(w, X[i], strict=True)]
    return w


# -- 6b.2


@right("svr_pair")
def with_two_multipliers_a_point(K, y, beta, C, eps, i, j):
    """α and α* of the Lagrangian: below 0, rising lowers α*, above 0, falling lowers α."""
    n = len(y)
    alpha, star = np.maximum(beta, 0), np.maximum(-beta, 0)
    f = K @ (alpha - star)
    gain_i = y[i] - f[i] + (eps if star[i] > 0 else -eps)
    gain_j = -(y[j] - f[j]) + (eps if alpha[j] > 0 else -eps)
    if gain_i + gain_j <= 0:
        return beta
    move = np.zeros(n)
    move[i], move[j] = 1, -1
    bend = move @ K @ move
    rooms = [star[i] if star[i] > 0 else C - alpha[i], alpha[j] if alpha[j] > 0 else C - star[j]]
    return beta + move * min(rooms if bend <= 0 else [*rooms, (gain_i + gain_j) / bend])


@right("svr_pair")
def in_lists(K, y, beta, C, eps, i, j):
    K, y, beta = K.tolist(), y.tolist(), beta.tolist()
    g = [y[k] - sum(a * b for a, b in zip(K[k], beta, strict=True)) for k in (i, j)]
    slope = g[0] - g[1]
    slope += eps if beta[i] < 0 else -eps
    slope += eps if beta[j] > 0 else -eps
    if slope > 0:
        ends = [-beta[i] if beta[i] < 0 else C - beta[i], beta[j] if beta[j] > 0 else beta[j] + C]
        bend = K[i][i] + K[j][j] - 2 * K[i][j]
        if bend > 0:
            ends.append(slope / bend)
        beta[i] += min(ends)
        beta[j] -= min(ends)
    return beta


@right("svr_pair")
def by_the_values_of_the_dual(K, y, beta, C, eps, i, j):
    """Between two kinks a parabola, known from three of its points."""
    move = np.zeros(len(y))
    move[i], move[j] = 1.0, -1.0
    far = min(-beta[i] if beta[i] < 0 else C - beta[i], beta[j] if beta[j] > 0 else C + beta[j])
    if far <= 0:
        return beta.copy()

    def dual(t):
        b = beta + t * far * move
        return y @ b - eps * np.abs(b).sum() - 0.5 * b @ K @ b

    at = [dual(0), dual(0.5), dual(1)]
    slope, bend = -3 * at[0] + 4 * at[1] - at[2], 4 * at[0] - 8 * at[1] + 4 * at[2]
    t = 0.0 if slope <= 0 else 1.0 if bend > -1e-9 else min(1.0, -slope / bend)
    return beta + t * far * move


# -- 6b.4


@right("budget_perceptron")
def with_a_deque(K, y, order, budget):
    memory = deque(maxlen=int(budget))
    for i in order:
        if y[i] * sum(y[j] * K[i, j] for j in memory) <= 0:
            memory.append(i)
    c = np.zeros(len(y))
    for j in memory:
        c[j] += y[j]
    return c


@right("budget_perceptron")
def by_the_sign(K, y, order, budget):
    who = np.array([], dtype=int)
    for i in order:
        if np.sign(K[i, who] @ y[who]) != y[i]:
            who = np.append(who, i)[-budget:]
    return np.bincount(who, weights=y[who], minlength=len(y))


@right("budget_perceptron")
def with_counts(K, y, order, budget):
    n, log = len(y), []
    for i in order.tolist():
        counts = Counter(log[max(0, len(log) - budget) :])
        f = sum(number * y[j] * K[i, j] for j, number in counts.items())
        if not y[i] * f > 0:
            log.append(i)
    counts = Counter(log[-budget:])
    return [counts[i] * y[i] for i in range(n)]


# -- 6b.5


@right("choose_eps")
def point_by_point(F, y, widths):
    m, k, n = F.shape
    best = None
    for a in range(m):
        error = 0.0
        for i in range(n):
            error += abs(y[i] - F[a, i * k // n, i])
        if best is None or error < best[0] or (error == best[0] and widths[a] > best[1]):
            best = error, widths[a]
    return best[1]


@right("choose_eps")
def with_a_mask(F, y, widths):
    k, n = F.shape[1:]
    mask = np.repeat(np.eye(k, dtype=bool), n // k, axis=1)
    errors = (np.abs(F - y) * mask).sum(axis=(1, 2))
    return widths[np.isclose(errors, errors.min(), rtol=1e-9)].max()


@right("choose_eps")
def sorted_from_wide_to_narrow(F, y, widths):
    order = np.argsort(-widths)
    blocks = np.array_split(np.arange(len(y)), F.shape[1])
    errors = [sum(np.abs(y[p] - F[a, b, p]).sum() for b, p in enumerate(blocks)) for a in order]
    return [widths[order[np.argmin(errors)]]]
