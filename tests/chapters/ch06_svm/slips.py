"""Wrong answers to chapter 6 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06_svm.alternatives import with_signed_coefficients, with_slsqp

RAISING: dict[str, tuple] = {}


def compared_exactly(alpha, K, y, C):
    return np.mean((y - K @ (alpha * y))[(alpha > 0) & (alpha < C)])


def margin_of_one_class(f, y):
    return np.where(y > 0, f <= 1, f > -1)


def to_the_end_without_curvature(K, y, alpha, b, C, i, j):
    """As the parabola that has become a line would have it."""
    if K[i, i] + K[j, j] - 2 * K[i, j] > 0:
        return with_signed_coefficients(K, y, alpha, b, C, i, j)
    flat = K - 0.5 * (K[i, i] + K[j, j] - 2 * K[i, j] - 1e-9) * (np.arange(len(y)) == j) * np.eye(len(y))
    flat[j, j] = 1e-9 - K[i, i] + 2 * K[i, j]
    return with_signed_coefficients(flat, y, alpha, b, C, i, j)


def asked_of_class_one(alpha, K, y, C):
    free = (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8)) & (y > 0)
    return np.mean((y - K @ (alpha * y))[free])


def mean_of_nobody(K, y, C, tol):
    alpha, _ = with_slsqp(K, y, C, tol)
    free = (alpha > 1e-6 * C) & (alpha < C * (1 - 1e-6))
    return alpha, np.mean((y - K @ (alpha * y))[free])


ONLY = {
    ("bias_from_alpha", 1): compared_exactly,
    ("bias_from_alpha", 2): asked_of_class_one,
    ("margin_violators", 1): margin_of_one_class,
    ("smo_pair", 1): to_the_end_without_curvature,
    ("svm_train", 1): mean_of_nobody,
}
