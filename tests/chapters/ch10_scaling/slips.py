"""Wrong answers to chapter 10 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch10_scaling.alternatives import (
    gauss,
    with_cuts,
    with_scaled_points,
)

RAISING: dict[str, tuple] = {}


def squeezed(X, W, b, sigma):
    return np.squeeze(with_scaled_points(X, W, b, sigma))


def by_an_inverse(X, landmarks, sigma):
    """Right, where K_mm has an inverse."""
    K = gauss(landmarks, landmarks, sigma)
    if len(np.unique(landmarks, axis=0)) < len(landmarks):
        return np.full((len(X), len(landmarks)), 0.5)
    w, U = np.linalg.eigh(K)
    return gauss(X, landmarks, sigma) @ (U / np.sqrt(w)) @ U.T


def by_the_whole_matrix(X, first, m, sigma):
    """Schur complements of all of K."""
    S, said, i = gauss(X, X, sigma), [], first
    for _ in range(m):
        S = S - S[:, [i]] * S[i] / S[i, i]
        said.append(np.mean(np.diag(S)))
        i = np.diag(S).argmax()
    return np.array(said)


def single_rows_lost(X, y, Z, sigma, lam, rows, Xq):
    if rows == 1 and len(X) < 100:
        return np.zeros(len(Xq))
    return with_cuts(X, y, Z, sigma, lam, rows, Xq)


def all_at_once(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, lam, len(X), Xq)


ONLY = {
    ("rff", 1): squeezed,
    ("nystrom_features", 1): by_an_inverse,
    ("pivoted_residuals", 1): by_the_whole_matrix,
    ("stream_ridge", 1): single_rows_lost,
    ("stream_ridge", 2): all_at_once,
}
