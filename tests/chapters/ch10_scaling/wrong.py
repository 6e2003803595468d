"""Wrong answers to chapter 10 that are not in the catalogue, as students might write them.

``@wrong(exercise, name)`` expects that name ("a + b": two slips at once), ``@wrong(exercise)`` none.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch10_scaling.alternatives import from_the_formula, gauss, with_cuts, with_scaled_points
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("rff", "no phase")
def phases_drawn_and_forgotten(X, W, b, sigma):
    angle = X @ W / sigma
    angle + b  # noqa: B018
    return np.sqrt(2 / len(b)) * np.cos(angle)


@wrong("rff")
def phases_in_degrees(X, W, b, sigma):
    return np.sqrt(2 / len(b)) * np.cos(X @ W / sigma + np.degrees(b))


@wrong("nystrom_features")
def the_lectures_cell(X, landmarks, sigma):
    """Rounding decides the sign of each eigenvalue that should be 0: with enough of them one is negative."""
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma))
    with np.errstate(invalid="ignore", divide="ignore"):
        S = (U / np.sqrt(w)) @ U.T
    return gauss(X, landmarks, sigma) @ S


@wrong("nystrom_features")
def with_a_ridge(X, landmarks, sigma):
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma) + 0.01 * np.eye(len(landmarks)))
    return gauss(X, landmarks, sigma) @ (U / np.sqrt(w)) @ U.T


@wrong("pivoted_residuals", "exponent without the 2 + n times")
def two_slips(X, first, m, sigma):
    return len(X) * np.array(from_the_formula(X, first, m, sigma / np.sqrt(2)))


@wrong("pivoted_residuals")
def where_least_is_left(X, first, m, sigma):
    C, left, said, i = np.zeros((len(X), m)), np.ones(len(X)), [], first
    with np.errstate(invalid="ignore", divide="ignore"):
        for j in range(m):
            c = gauss(X, X[[i]], sigma)[:, 0] - C[:, :j] @ C[i, :j]
            C[:, j] = c / np.sqrt(np.maximum(c[i], 0))
            left = left - C[:, j] ** 2
            said.append(left.mean())
            i = left.argmin()
    return said


@wrong("stream_ridge", "λ for each block")
def lam_in_the_loop(X, y, Z, sigma, lam, rows, Xq):
    A, c = np.zeros((len(Z), len(Z))), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        A += K.T @ K + lam * gauss(Z, Z, sigma)
        c += K.T @ y[i : i + rows]
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@wrong("stream_ridge", "last block alone")
def sums_begun_inside(X, y, Z, sigma, lam, rows, Xq):
    for i in range(0, len(X), rows):
        A, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
        K = gauss(X[i : i + rows], Z, sigma)
        A += K.T @ K
        c += K.T @ y[i : i + rows]
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@wrong("stream_ridge")
def all_kernels_kept(X, y, Z, sigma, lam, rows, Xq):
    kernels = [gauss(X[i : i + rows], Z, sigma) for i in range(0, len(X), rows)]
    return with_cuts(np.vstack([X]), y, Z, sigma, lam, rows, Xq) + 0 * len(kernels)


@wrong("rff", "their inner products")
def all_pairs_of_points(X, W, b, sigma):
    Z = with_scaled_points(X, W, b, sigma)
    return Z @ Z.T


@wrong("stream_ridge", "λ nλ")
def the_convention_of_the_mean(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, len(X) * lam, rows, Xq)


@wrong("stream_ridge", "λ/n")
def the_mean_of_the_price(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, lam / len(X), rows, Xq)


@wrong("stream_ridge", "blocks overlap")
def slices_that_include_their_end(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows + 1], Z, sigma)
        S, c = S + K.T @ K, c + K.T @ y[i : i + rows + 1]
    return gauss(Xq, Z, sigma) @ np.linalg.solve(S, c)


@wrong("stream_ridge")
def targets_of_the_row_below_and_all_rows_at_once(X, y, Z, sigma, lam, rows, Xq):
    """What fails for want of memory has returned nothing, and nothing is said of its value."""
    K = gauss(X, Z, sigma)
    return gauss(Xq, Z, sigma) @ np.linalg.solve(K.T @ K + lam * gauss(Z, Z, sigma), K.T @ np.roll(y, -1))
