"""Right answers to chapter 5, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


# -- 5.1


@right("signed_distance")
def point_by_point(X, w, b):
    length = math.sqrt(sum(v * v for v in w))
    return [(sum(p * q for p, q in zip(x, w, strict=True)) + b) / length for x in X]


@right("signed_distance")
def by_projection(X, w, b):
    """Go to the plane and measure the way."""
    feet = X - np.outer((X @ w + b) / (w @ w), w)
    return np.sign(X @ w + b) * np.linalg.norm(X - feet, axis=1)


right("signed_distance")(lambda X, w, b: np.hstack([X, np.ones((len(X), 1))]) @ np.append(w, b) / np.hypot.reduce(w))


# -- 5.2


@right("canonical")
def with_a_loop(w, b, X, y):
    least = min(label * (np.dot(w, x) + b) for x, label in zip(X, y, strict=True))
    return [v / least for v in w], b / least


@right("canonical")
def by_absolute_values(w, b, X, y):
    """All are on their right side, so y f = |f|."""
    c = 1 / np.abs(X @ w + b).min()
    return c * w, c * b


@right("canonical")
def as_one_array(w, b, X, y):
    v = np.append(w, b)
    return v / np.sort(y * (np.column_stack([X, np.ones(len(X))]) @ v))[0]


# -- 5.3


@right("recover_w_b")
def half_way_between_the_nearest(alpha, X, y):
    w = X.T @ (alpha * y)
    u = X @ w
    return w, -0.5 * (u[y > 0].min() + u[y < 0].max())


@right("recover_w_b")
def from_one_of_each_class(alpha, X, y):
    w = np.dot(alpha * y, X)
    plus, minus = (np.argmax(np.where(y == s, alpha, -1)) for s in (1, -1))
    return list(w), -(w @ X[plus] + w @ X[minus]) / 2


@right("recover_w_b")
def median_over_the_support(alpha, X, y):
    on = np.flatnonzero(alpha > 1e-6)
    w = (alpha[on, None] * y[on, None] * X[on]).sum(axis=0)
    return np.append(w, np.median(y[on] - X[on] @ w))


# -- 5.4


@right("dual_value")
def with_two_loops(alpha, K, y):
    n = len(y)
    pairs = sum(alpha[i] * alpha[j] * y[i] * y[j] * K[i][j] for i in range(n) for j in range(n))
    return sum(alpha) - pairs / 2


right("dual_value")(lambda alpha, K, y: alpha.sum() - np.einsum("i,j,i,j,ij->", alpha, alpha, y, y, K) / 2)


@right("dual_value")
def through_features(alpha, K, y):
    """K = LLᵀ: w is a vector after all."""
    w = np.linalg.cholesky(K).T @ (alpha * y)
    return np.array([[alpha.sum() - 0.5 * w @ w]])


# -- 5.5


right("margin_width")(lambda w: 2 / math.sqrt(sum(float(v) ** 2 for v in w)))
right("margin_width")(lambda w: np.linalg.norm(w / (w @ w) - (-w) / (w @ w)))  # between the edges
right("margin_width")(lambda w: np.array([1 / np.sqrt(np.dot(w, w)) + np.sqrt(1 / np.dot(w, w))]))


# -- 5.6


@right("perceptron")
def by_counts(X, y, epochs):
    """The dual way: how often each point was a mistake."""
    K, counts = X @ X.T + 1, np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            counts[i] += y[i] * (K[i] @ (counts * y)) <= 0
    return (counts * y) @ X, counts @ y, counts.sum()


@right("perceptron")
def until_it_is_done(X, y, epochs):
    w, b, updates = [0.0] * X.shape[1], 0, 0
    while epochs > 0:
        clean = True
        for x, label in zip(X.tolist(), y.tolist(), strict=True):
            if label * (sum(p * q for p, q in zip(w, x, strict=True)) + b) <= 0:
                w = [p + label * q for p, q in zip(w, x, strict=True)]
                b, updates, clean = b + label, updates + 1, False
        epochs -= 1
        if clean:
            break
    return w, b, updates


@right("perceptron")
def by_comparing_signs(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        for i in range(len(X)):
            if np.sign(X[i] @ w + b) != y[i]:  # the sign of 0 is 0, which is no label
                w, b, updates = w + y[i] * X[i], b + y[i], updates + 1
    return np.concatenate([w, [b, updates]])


# -- 5.7


@right("margin_report")
def with_loops(K, y, alpha):
    n = len(y)
    u = [sum(alpha[j] * y[j] * K[i, j] for j in range(n)) for i in range(n)]
    on = [i for i in range(n) if alpha[i] > 0]
    b = sum(y[i] - u[i] for i in on) / len(on)
    norm = math.sqrt(sum(alpha[i] * y[i] * u[i] for i in range(n)))
    m = [y[i] * (u[i] + b) for i in range(n)]
    balance = sum(a * s for a, s in zip(alpha, y, strict=True))
    return b, 2 / norm, balance, min(m), max(abs(alpha[i] * (m[i] - 1)) for i in on)


@right("margin_report")
def from_the_support_alone(K, y, alpha):
    on = np.flatnonzero(alpha)
    f = K[:, on] @ (alpha[on] * y[on])
    b = np.average(y[on] - f[on])
    f = f + b
    norm2 = np.einsum("i,j,ij->", alpha[on] * y[on], alpha[on] * y[on], K[np.ix_(on, on)])
    slack = abs(alpha[on] * (1 - y[on] * f[on])).max()
    return [b, np.sqrt(4 / norm2), alpha @ y, (y * f).min(), slack]


@right("margin_report")
def with_the_signed_matrix_of_the_report(K, y, alpha):
    G = np.diag(y) @ K @ np.diag(y)
    m = G @ alpha
    on = alpha != 0
    b = (y * (1 - m))[on].mean()
    m = m + y * b
    slack = np.linalg.norm(alpha * (m - 1), np.inf)
    return np.array([b, 2 / np.sqrt(alpha @ G @ alpha), np.dot(y, alpha), np.sort(m)[0], slack])
