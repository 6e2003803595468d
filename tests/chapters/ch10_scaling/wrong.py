"""Wrong answers to chapter 10 that are not in the catalogue, as students might write them, and what they must be told.

``@wrong(exercise, name)`` expects that misconception to be named ("a + b": two slips at once), ``@wrong(exercise,
says=…)`` no misconception, and a sentence that contains the text. Where it contains none, any will do.
"""

from __future__ import annotations

import numpy as np

from tests.chapters.ch10_scaling.alternatives import from_the_formula, gauss, with_cuts, with_scaled_points
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


@wrong("rff", says="complex")
def the_wave_itself(X, W, b, sigma):
    return np.sqrt(1 / W.shape[1]) * np.exp(1j * (X @ W / sigma + b))


@wrong("rff", says="the inner products of your features are 2 times the right ones")
def without_the_half(X, W, b, sigma):
    return np.sqrt(2) * with_scaled_points(X, W, b, sigma)


@wrong("rff", says="shape")
def a_column_for_each_point(X, W, b, sigma):
    return with_scaled_points(X, W, b, sigma).T


@wrong("rff", "no phase")
def phases_drawn_and_forgotten(X, W, b, sigma):
    angle = X @ W / sigma
    angle + b  # noqa: B018
    return np.sqrt(2 / len(b)) * np.cos(angle)


@wrong("rff")
def phases_in_degrees(X, W, b, sigma):
    return np.sqrt(2 / len(b)) * np.cos(X @ W / sigma + np.degrees(b))


@wrong("rff", says="shape")
def the_gram_matrix_of_one(X, W, b, sigma):
    return with_scaled_points(X, W, b, sigma).sum(axis=1)


@wrong("nystrom_features", says="only where two landmarks are the same point")
def the_lectures_cell(X, landmarks, sigma):
    """Rounding decides the sign of each eigenvalue that should be 0: with enough of them one is negative."""
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma))
    with np.errstate(invalid="ignore", divide="ignore"):
        S = (U / np.sqrt(w)) @ U.T
    return gauss(X, landmarks, sigma) @ S


@wrong("nystrom_features", says="shape")
def transposed(X, landmarks, sigma):
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma))
    return ((U / np.sqrt(np.maximum(w, 1e-9))) @ U.T @ gauss(landmarks, X, sigma)).T[:-1]


@wrong("nystrom_features")
def with_a_ridge(X, landmarks, sigma):
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma) + 0.01 * np.eye(len(landmarks)))
    return gauss(X, landmarks, sigma) @ (U / np.sqrt(w)) @ U.T


@wrong("nystrom_features", says="never longer")
def eigenvectors_in_rows(X, landmarks, sigma):
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma))
    return gauss(X, landmarks, sigma) @ (U.T / np.sqrt(w))


@wrong("nystrom_features")
def of_the_points(X, landmarks, sigma):
    """The points and the landmarks exchanged."""
    w, U = np.linalg.eigh(gauss(X, X, sigma) + 1e-9 * np.eye(len(X)))
    return gauss(landmarks, X, sigma) @ (U / np.sqrt(np.maximum(w, 1e-9)))


@wrong("pivoted_residuals", "as if landmarks were orthogonal")
def squares_of_kernels(X, first, m, sigma):
    left, said, i = np.ones(len(X)), [], first
    for _ in range(m):
        left -= gauss(X, X[[i]], sigma)[:, 0] ** 2
        said.append(left.mean())
        i = left.argmax()
    return said


@wrong("pivoted_residuals", "farthest from the nearest landmark")
def spread_out(X, first, m, sigma):
    chosen, said = [first], []
    for _ in range(m):
        k_m = gauss(X, X[chosen], sigma)
        said.append(1 - np.mean(np.sum(k_m * np.linalg.solve(k_m[chosen], k_m.T).T, axis=1)))
        chosen.append(int(np.argmin(k_m.max(axis=1))))
    return said


@wrong("pivoted_residuals", "exponent without the 2 + n times")
def two_slips(X, first, m, sigma):
    return len(X) * np.array(from_the_formula(X, first, m, sigma / np.sqrt(2)))


@wrong("pivoted_residuals", "divided without the root")
def with_all_of_the_matrix(X, first, m, sigma):
    """Too large where there are many points; what is said is of the numbers, which are wrong before."""
    K, C, said, i = gauss(X, X, sigma), np.zeros((len(X), m)), [], first
    for j in range(m):
        c = K[:, i] - C[:, :j] @ C[i, :j]
        C[:, j] = c / c[i]
        left = 1 - np.sum(C**2, axis=1)
        said.append(left.mean())
        i = left.argmax()
    return said


@wrong("pivoted_residuals", says="divides 0 by 0")
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


@wrong("pivoted_residuals", says="shape")
def what_is_left_at_each_point(X, first, m, sigma):
    return 1 - gauss(X, X[[first]], sigma)[:, 0] ** 2


@wrong("pivoted_residuals", says="rise somewhere")
def each_added_to_the_last(X, first, m, sigma):
    return np.cumsum(from_the_formula(X, first, m, sigma))


@wrong("pivoted_residuals", says="reverse order")
def the_other_way_round(X, first, m, sigma):
    return from_the_formula(X, first, m, sigma)[::-1]


@wrong("stream_ridge", "λ for each block")
def lam_in_the_loop(X, y, Z, sigma, lam, rows, Xq):
    A, c = np.zeros((len(Z), len(Z))), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        A += K.T @ K + lam * gauss(Z, Z, sigma)
        c += K.T @ y[i : i + rows]
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@wrong("stream_ridge", "λ for each block")
def means_of_both_sums(X, y, Z, sigma, lam, rows, Xq):
    parts = [slice(i, i + rows) for i in range(0, len(X), rows)]
    kernels = [gauss(X[p], Z, sigma) for p in parts]
    A = sum(K.T @ K for K in kernels) / len(parts)
    c = sum(K.T @ y[p] for K, p in zip(kernels, parts, strict=True)) / len(parts)
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A + lam * gauss(Z, Z, sigma), c)


@wrong("stream_ridge", "last block alone")
def sums_begun_inside(X, y, Z, sigma, lam, rows, Xq):
    for i in range(0, len(X), rows):
        A, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
        K = gauss(X[i : i + rows], Z, sigma)
        A += K.T @ K
        c += K.T @ y[i : i + rows]
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@wrong("stream_ridge", says="5 MB are allowed")
def all_kernels_kept(X, y, Z, sigma, lam, rows, Xq):
    kernels = [gauss(X[i : i + rows], Z, sigma) for i in range(0, len(X), rows)]
    return with_cuts(np.vstack([X]), y, Z, sigma, lam, rows, Xq) + 0 * len(kernels)


@wrong("stream_ridge", says="shape")
def fitted_values(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, lam, rows, X)


@wrong("stream_ridge")
def minus(X, y, Z, sigma, lam, rows, Xq):
    return -with_cuts(X, y, Z, sigma, lam, rows, Xq)


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


@wrong("stream_ridge", says="the slip is none that this check knows")
def targets_of_the_row_below_and_all_rows_at_once(X, y, Z, sigma, lam, rows, Xq):
    """What fails for want of memory has returned nothing, and nothing is said of its value."""
    K = gauss(X, Z, sigma)
    return gauss(Xq, Z, sigma) @ np.linalg.solve(K.T @ K + lam * gauss(Z, Z, sigma), K.T @ np.roll(y, -1))
