"""Wrong answers to chapter 5 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch05_margin.alternatives import along_the_unit_normal, from_the_support_alone

RAISING: dict[str, tuple] = {}


def squeezed(X, w, b):
    return np.squeeze(along_the_unit_normal(X, w, b))


def only_those_beyond_one(w, b, X, y):
    """As if a point were right only from y f = 1 on."""
    m = y * (X @ w + b)
    least = m[m >= 1].min()
    return w / least, b / least


def whoever_is_above_zero(alpha, X, y):
    w = (alpha * y) @ X
    return w, np.mean((y - X @ w)[alpha > 0])


def as_long_as_it_takes(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(max(epochs, 60)):
        for i in range(len(y)):
            if y[i] * (X[i] @ w + b) <= 0:
                w, b, updates = w + y[i] * X[i], b + y[i], updates + 1
    return w, b, updates


def fair_to_both_classes(K, y, alpha):
    """b by classes, with weights that are no mean of two means either."""
    b, width, balance, closest, slackness = from_the_support_alone(K, y, alpha)
    plus, minus = (np.sum((alpha > 0) & (y == s)) for s in (1, -1))
    shift = 0.1 * (plus - minus)
    return b + shift, width, balance, closest, slackness


ONLY = {
    ("signed_distance", 1): squeezed,
    ("canonical", 1): only_those_beyond_one,
    ("recover_w_b", 1): whoever_is_above_zero,
    ("perceptron", 1): as_long_as_it_takes,
    ("margin_report", 1): fair_to_both_classes,
}
