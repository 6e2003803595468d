"""Wrong answers to chapter 2 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch02_kernels.alternatives import keeping_the_values, with_other_pieces

RAISING: dict[str, tuple] = {}


def squeezed(X):
    return np.squeeze(np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2]))


def expanded(X, Z, sigma):
    D = (X**2).sum(1)[:, None] + (Z**2).sum(1) - 2 * X @ Z.T
    return np.exp(-np.maximum(D, 0) / (2 * sigma**2))


def compares_sizes(K, tol):
    values = np.linalg.eigvalsh(K)
    return bool(np.allclose(np.abs(K), np.abs(K.T)) and values[0] >= -tol * np.abs(values).max())


def absolute_tolerance(K, tol):
    return bool(np.allclose(K, K.T, atol=1e-9 * np.abs(K).max()) and np.linalg.eigvalsh(K)[0] >= -tol)


def pairs_of_different_points(K, y, Kq):
    """Without the diagonal, put back in by hand; for one point that is 0/0."""
    score = np.zeros(len(Kq))
    for label in (-1, 1):
        c = np.flatnonzero(y == label)
        m, inner = len(c), K[np.ix_(c, c)]
        between = (inner.sum() - np.trace(inner)) / (m * (m - 1)) if m > 1 else np.nan
        score -= label * ((m - 1) / m * between + np.trace(inner) / m**2 - 2 * Kq[:, c].mean(axis=1))
    return score


def tires_after_three_rounds(K, y, epochs):
    return keeping_the_values(K, y, min(epochs, 3))


def sorts_the_training_points(K, y, train, test, epochs):
    return with_other_pieces(K, y, np.sort(train), test, epochs)


ONLY = {
    ("poly2_features", 1): squeezed,
    ("gaussian_gram", 1): expanded,
    ("is_psd", 1): compares_sizes,
    ("is_psd", 2): absolute_tolerance,
    ("nearest_mean_score", 1): pairs_of_different_points,
    ("kernel_perceptron", 1): tires_after_three_rounds,
    ("classify_by_gram", 1): sorts_the_training_points,
}
