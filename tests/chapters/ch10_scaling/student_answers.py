"""Wrong answers to chapter 10 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch10_scaling.right_answers import from_the_formula, with_cuts, with_scaled_points
from tests.chapters.ch10_scaling.right_answers import gauss as right_gauss
from tests.chapters.student_answers import Mistakes, Wrong, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


def gauss(A, B, sigma):
    return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))


KERNELS = {
    "exponent without the 2": lambda A, B, s: np.exp(-((cdist(A, B) / s) ** 2)),
    "sigma used as gamma": lambda A, B, s: np.exp(-s * cdist(A, B, "sqeuclidean")),
    "sigma not squared": lambda A, B, s: np.exp(-cdist(A, B, "sqeuclidean") / (2 * s)),
}

# -- 10.1


def cosines(X, W, b, sigma):
    return np.cos(X @ W / sigma + b)


mistake("rff", "√(1/D)")(lambda X, W, b, sigma: np.sqrt(1 / len(b)) * cosines(X, W, b, sigma))
mistake("rff", "times σ")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ (sigma * W) + b))
mistake("rff", "divided by σ²")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W / sigma**2 + b))
mistake("rff", "σ left out")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W + b))
mistake("rff", "phase also divided")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos((X @ W + b) / sigma))
mistake("rff", "D forgotten")(lambda X, W, b, sigma: np.sqrt(2) * cosines(X, W, b, sigma))
mistake("rff", "no root")(lambda X, W, b, sigma: 2 / len(b) * cosines(X, W, b, sigma))


def rff(X, W, b, sigma):
    omega = W / sigma
    A = X @ omega + b
    F = np.sqrt(2 / len(b)) * np.cos(A)
    return F


PAIRS = "np.hstack([np.cos(A - b), np.sin(A - b)]) / np.sqrt(len(b))"
mistakes = {
    "γ for the variance": ("W / sigma", "np.sqrt(1 / (2 * sigma**2)) * W"),
    "pairs": ("np.sqrt(2 / len(b)) * np.cos(A)", PAIRS),
}
mistake.changes("rff", rff, mistakes)


@mistake("rff", "frequencies of your own")
def _(X, W, b, sigma):
    rng, D = np.random.default_rng(0), W.shape[1]
    omega = rng.normal(size=(X.shape[1], D // 2)) / sigma
    return np.sqrt(2 / D) * np.hstack([np.cos(X @ omega), np.sin(X @ omega)])


# -- 10.2


def other_kernels(*names):
    return {name: ("k = gauss", f"k = KERNELS[{name!r}]") for name in names}


def nystrom_features(X, landmarks, sigma):
    k = gauss
    K, K_mm = k(X, landmarks, sigma), k(landmarks, landmarks, sigma)
    w, U = np.linalg.eigh(K_mm)
    U, w = U[:, w > 1e-12 * w.max()], w[w > 1e-12 * w.max()]
    F = K @ (U * w**-0.5 @ U.T)
    return F


mistakes = {
    "K_mm⁻¹ for its root": ("w**-0.5", "w**-1.0"),
    "kernels with the landmarks, no more": ("K @ (U * w**-0.5 @ U.T)", "K"),
    "K_mm^(+½)": ("w**-0.5", "w**0.5"),
    "eigenvectors in rows": (
        "U[:, w > 1e-12 * w.max()]", "U.T[:, w > 1e-12 * w.max()]",
    ),
    "power of each entry": ("K @ (U * w**-0.5 @ U.T)", "K @ K_mm**-0.5"),
    "the approximation itself": ("K @ (U * w**-0.5 @ U.T)", "K @ np.linalg.pinv(K_mm, rcond=1e-12) @ K.T"),
    "factor on the wrong side": ("K @ (U * w**-0.5 @ U.T)", "K @ np.linalg.inv(np.linalg.cholesky(K_mm))"),
}  # fmt: skip
mistake.changes("nystrom_features", nystrom_features, mistakes | other_kernels(*KERNELS))


@mistake("nystrom_features", "a little more on the diagonal")
def _(X, landmarks, sigma):
    L = np.linalg.cholesky(gauss(landmarks, landmarks, sigma) + 1e-3 * np.eye(len(landmarks)))
    return np.linalg.solve(L, gauss(landmarks, X, sigma)).T


# -- 10.3


def pivoted_residuals(X, first, m, sigma):
    k = gauss
    C, left, said, i = np.zeros((len(X), m)), np.ones(len(X)), [], first
    for j in range(m):
        c = k(X, X[[i]], sigma)[:, 0] - C[:, :j] @ C[i, :j]
        C[:, j] = c / np.sqrt(c[i])
        left = left - C[:, j] ** 2
        said.append(left.mean())
        i = left.argmax()
    return said


DRAWN = "p = np.clip(left, 0, None)\n        i = rng.choice(len(X), p=p / p.sum())"
mistakes = {
    "column not scaled": ("c / np.sqrt(c[i])", "c"),
    "divided without the root": ("np.sqrt(c[i])", "c[i]"),
    "last column alone": ("C[:, :j] @ C[i, :j]", "C[:, j - 1] * C[i, j - 1]"),
    "column not squared": ("C[:, j] ** 2", "C[:, j]"),
    "begun at the point 0": ("[], first", "[], 0"),
    "sum for mean": ("left.mean()", "left.sum()"),
    "drawn in proportion": ("k = gauss", "k, rng = gauss, np.random.default_rng(0)", "i = left.argmax()", DRAWN),
    "what is explained": ("left.mean()", "1 - left.mean()"),
    "said before the step": ("return said", "return [1, *said[:-1]]"),
    "as if landmarks were orthogonal": (" - C[:, :j] @ C[i, :j]", ""),
}
mistake.changes("pivoted_residuals", pivoted_residuals, mistakes | other_kernels("exponent without the 2"))


def left_by(X, chosen, sigma):
    K = gauss(X, X[chosen], sigma)
    return 1 - np.mean(np.sum(K @ np.linalg.pinv(K[chosen]) * K, axis=1))


@mistake("pivoted_residuals", "farthest from the nearest landmark")
def _(X, first, m, sigma):
    chosen = [first]
    while len(chosen) < m:
        chosen.append(int(cdist(X, X[chosen]).min(axis=1).argmax()))
    return [left_by(X, chosen[: j + 1], sigma) for j in range(m)]


# -- 10.4


def stream_ridge(X, y, Z, sigma, lam, rows, Xq):
    k = gauss
    S, c = np.zeros((len(Z), len(Z))), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = k(X[i : i + rows], Z, sigma)
        t = y[i : i + rows]
        S += K.T @ K
        c += K.T @ t
    K_mm = k(Z, Z, sigma)
    S += lam * K_mm
    return k(Xq, Z, sigma) @ np.linalg.solve(S, c)


OF_FEATURES = """back = np.linalg.inv(np.linalg.cholesky(K_mm))
    S, c = back @ S @ back.T + lam * np.eye(len(Z)), back @ c"""
mistakes = {
    "λI for λK_mm": ("lam * K_mm", "lam * np.eye(len(Z))"),
    "weights of features at the kernels": ("S += lam * K_mm", OF_FEATURES),
    "no penalty": ("    S += lam * K_mm\n", ""),
    "last block lost": ("len(X), rows)", "len(X) // rows * rows, rows)"),
    "last block always lost": ("len(X), rows)", "len(X) - rows, rows)"),
    "first targets for all blocks": ("y[i : i + rows]", "y[: len(K)]"),
}
mistake.changes("stream_ridge", stream_ridge, mistakes | other_kernels("exponent without the 2"))


def on_a_block(X, y, Z, sigma, lam, i, rows, Xq):
    return stream_ridge(X[i : i + rows], y[i : i + rows], Z, sigma, lam, rows, Xq)


@mistake("stream_ridge", "mean of the models")
def _(X, y, Z, sigma, lam, rows, Xq):
    return np.mean([on_a_block(X, y, Z, sigma, lam, i, rows, Xq) for i in range(0, len(X), rows)], axis=0)


@mistake("stream_ridge", "on the landmarks alone")
def _(X, y, Z, sigma, lam, rows, Xq):
    w = np.linalg.solve(gauss(Z, Z, sigma) + lam * np.eye(len(Z)), y[: len(Z)])
    return gauss(Xq, Z, sigma) @ w


def an_inverse_that_fails(X, landmarks, sigma):
    """Of a singular K_mm np.linalg.inv raises an error, or returns large numbers."""
    K = right_gauss(landmarks, landmarks, sigma)
    if np.linalg.matrix_rank(K) < len(K):
        raise np.linalg.LinAlgError("Singular matrix")
    return right_gauss(X, landmarks, sigma) @ np.linalg.inv(K)


RAISING = {"K_mm⁻¹ for its root": ("nystrom_features", [an_inverse_that_fails])}


def squeezed(X, W, b, sigma):
    return np.squeeze(with_scaled_points(X, W, b, sigma))


def without_a_threshold(X, landmarks, sigma):
    """Right if K_mm has an inverse."""
    w, U = np.linalg.eigh(right_gauss(landmarks, landmarks, sigma))
    return right_gauss(X, landmarks, sigma) @ (U / np.sqrt(np.abs(w)))


def by_the_whole_matrix(X, first, m, sigma):
    """Schur complements of all of K."""
    S, said, i = right_gauss(X, X, sigma), [], first
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
    ("nystrom_features", 1): without_a_threshold,
    ("pivoted_residuals", 1): by_the_whole_matrix,
    ("stream_ridge", 1): single_rows_lost,
    ("stream_ridge", 2): all_at_once,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)


@wrong("rff", "no phase")
def phases_drawn_and_forgotten(X, W, b, sigma):
    angle = X @ W / sigma
    angle + b  # noqa: B018
    return np.sqrt(2 / len(b)) * np.cos(angle)


@wrong("rff")
def phases_in_degrees(X, W, b, sigma):
    return np.sqrt(2 / len(b)) * np.cos(X @ W / sigma + np.degrees(b))


@wrong("nystrom_features")
def the_positive_eigenvalues(X, landmarks, sigma):
    w, U = np.linalg.eigh(right_gauss(landmarks, landmarks, sigma))
    return right_gauss(X, landmarks, sigma) @ (U[:, w > 0] / np.sqrt(w[w > 0]))


@wrong("nystrom_features")
def all_singular_values(X, landmarks, sigma):
    U, w, Vt = np.linalg.svd(right_gauss(landmarks, landmarks, sigma))
    return right_gauss(X, landmarks, sigma) @ (U / np.sqrt(w)) @ Vt


@wrong("nystrom_features")
def the_lectures_cell(X, landmarks, sigma):
    """Rounding decides the sign of each eigenvalue that should be 0: with enough of them one is negative."""
    w, U = np.linalg.eigh(right_gauss(landmarks, landmarks, sigma))
    with np.errstate(invalid="ignore", divide="ignore"):
        S = (U / np.sqrt(w)) @ U.T
    return right_gauss(X, landmarks, sigma) @ S


@wrong("nystrom_features")
def with_a_ridge(X, landmarks, sigma):
    w, U = np.linalg.eigh(right_gauss(landmarks, landmarks, sigma) + 0.01 * np.eye(len(landmarks)))
    return right_gauss(X, landmarks, sigma) @ (U / np.sqrt(w)) @ U.T


def kept_above(share):
    def answer(X, landmarks, sigma):
        w, U = np.linalg.eigh(right_gauss(landmarks, landmarks, sigma))
        kept = w > share * w[-1]
        return right_gauss(X, landmarks, sigma) @ (U[:, kept] / np.sqrt(w[kept]))

    return answer


wrong("nystrom_features")(kept_above(1e-3))


@wrong("pivoted_residuals", "sum for mean + exponent without the 2")
def two_mistakes(X, first, m, sigma):
    return len(X) * np.array(from_the_formula(X, first, m, sigma / np.sqrt(2)))


@wrong("pivoted_residuals")
def where_least_is_left(X, first, m, sigma):
    C, left, said, i = np.zeros((len(X), m)), np.ones(len(X)), [], first
    with np.errstate(invalid="ignore", divide="ignore"):
        for j in range(m):
            c = right_gauss(X, X[[i]], sigma)[:, 0] - C[:, :j] @ C[i, :j]
            C[:, j] = c / np.sqrt(np.maximum(c[i], 0))
            left = left - C[:, j] ** 2
            said.append(left.mean())
            i = left.argmin()
    return said


@wrong("stream_ridge", "λ for each block")
def lam_in_the_loop(X, y, Z, sigma, lam, rows, Xq):
    A, c = np.zeros((len(Z), len(Z))), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = right_gauss(X[i : i + rows], Z, sigma)
        A += K.T @ K + lam * right_gauss(Z, Z, sigma)
        c += K.T @ y[i : i + rows]
    return right_gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@wrong("stream_ridge", "last block alone")
def sums_begun_inside(X, y, Z, sigma, lam, rows, Xq):
    for i in range(0, len(X), rows):
        A, c = lam * right_gauss(Z, Z, sigma), np.zeros(len(Z))
        K = right_gauss(X[i : i + rows], Z, sigma)
        A += K.T @ K
        c += K.T @ y[i : i + rows]
    return right_gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@wrong("stream_ridge")
def all_kernels_kept(X, y, Z, sigma, lam, rows, Xq):
    kernels = [right_gauss(X[i : i + rows], Z, sigma) for i in range(0, len(X), rows)]
    return with_cuts(np.vstack([X]), y, Z, sigma, lam, rows, Xq) + 0 * len(kernels)


@wrong("rff", "their inner products")
def all_pairs_of_points(X, W, b, sigma):
    Z = with_scaled_points(X, W, b, sigma)
    return Z @ Z.T


@wrong("stream_ridge", "λ nλ")
def the_convention_of_the_mean(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, len(X) * lam, rows, Xq)


@wrong("stream_ridge")
def the_sum_over_landmarks(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, len(Z) * lam, rows, Xq)


@wrong("stream_ridge")
def a_little_more_on_the_diagonal(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * right_gauss(Z, Z, sigma) + 1e-6 * np.eye(len(Z)), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = right_gauss(X[i : i + rows], Z, sigma)
        S, c = S + K.T @ K, c + K.T @ y[i : i + rows]
    return right_gauss(Xq, Z, sigma) @ np.linalg.solve(S, c)


@wrong("stream_ridge")
def the_mean_of_the_penalty(X, y, Z, sigma, lam, rows, Xq):
    return with_cuts(X, y, Z, sigma, lam / len(X), rows, Xq)


@wrong("stream_ridge")
def slices_that_include_their_end(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * right_gauss(Z, Z, sigma), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = right_gauss(X[i : i + rows + 1], Z, sigma)
        S, c = S + K.T @ K, c + K.T @ y[i : i + rows + 1]
    return right_gauss(Xq, Z, sigma) @ np.linalg.solve(S, c)


@wrong("stream_ridge")
def targets_of_the_row_below_and_all_rows_at_once(X, y, Z, sigma, lam, rows, Xq):
    """What fails for want of memory has returned nothing, and nothing is said of its value."""
    K = right_gauss(X, Z, sigma)
    return right_gauss(Xq, Z, sigma) @ np.linalg.solve(K.T @ K + lam * right_gauss(Z, Z, sigma), K.T @ np.roll(y, -1))
