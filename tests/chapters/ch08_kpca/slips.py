"""Wrong answers to chapter 8 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch08_kpca.alternatives import (
    by_a_projection,
    by_singular_values,
    gammas,
    gauss,
    shifted_and_projected,
)

RAISING = {
    "no keepdims": ("center_test_gram", [lambda K, Kq: Kq - Kq.mean(axis=1) - K.mean(axis=0) + K.mean()]),
}


def squeezed(K, Kq):
    return np.squeeze(shifted_and_projected(K, Kq))


def column_lost(K, q):
    s, lam = by_singular_values(K, q)
    return np.squeeze(s), np.squeeze(lam)


def half_steps_after_the_first(X, Xq, sigma, q, steps):
    Z, gamma = by_a_projection(X, Xq, sigma, q, 1), gammas(X, Xq, sigma, q)
    for _ in range(steps - 1):
        W = gamma * gauss(Z, X, sigma)
        Z = (Z + W @ X / W.sum(axis=1, keepdims=True)) / 2
    return Z


ONLY = {
    ("center_test_gram", 1): squeezed,
    ("kernel_pca", 1): column_lost,
    ("denoise", 1): half_steps_after_the_first,
}
