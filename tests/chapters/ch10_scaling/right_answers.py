"""Right answers to chapter 10, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.chapters.student_answers import right_into

RIGHT: list[tuple[str, Callable]] = []
right = right_into(RIGHT)


def gauss(A, B, sigma):
    """exp(-‖a-b‖²/(2σ²)), by one product."""
    squares = (A**2).sum(1)[:, None] + (B**2).sum(1) - 2 * A @ B.T
    return np.exp(-np.maximum(squares, 0) / (2 * sigma**2))


# -- 10.1


@right("rff")
def with_two_loops(X, W, b, sigma):
    D = W.shape[1]
    return [[np.sqrt(2 / D) * np.cos(sum(x * w for x, w in zip(p, W[:, j], strict=True)) / sigma + b[j])
             for j in range(D)] for p in X]  # fmt: skip


@right("rff")
def with_scaled_points(X, W, b, sigma):
    return np.cos((X / sigma).dot(W) + b[None, :]) * (2 / len(b)) ** 0.5


@right("rff")
def with_sines(X, W, b, sigma):
    """sin(a + b) is a cosine with another phase, as likely."""
    return np.sqrt(2 / len(b)) * np.sin(X @ (W / sigma) + b)


# -- 10.2


@right("nystrom_features")
def with_singular_values(X, landmarks, sigma):
    U, w, _ = np.linalg.svd(gauss(landmarks, landmarks, sigma))
    kept = w > 1e-8 * w[0]
    return gauss(X, landmarks, sigma) @ (U[:, kept] / np.sqrt(w[kept]))


@right("nystrom_features")
def with_a_pseudo_inverse(X, landmarks, sigma):
    from scipy.linalg import sqrtm

    inverse = np.linalg.pinv(gauss(landmarks, landmarks, sigma), rcond=1e-12, hermitian=True)
    return gauss(X, landmarks, sigma) @ sqrtm(inverse)


@right("nystrom_features")
def with_the_rank(X, landmarks, sigma):
    K_mm = gauss(landmarks, landmarks, sigma)
    w, U = np.linalg.eigh(K_mm)
    r = np.linalg.matrix_rank(K_mm, hermitian=True)
    return gauss(X, landmarks, sigma) @ (U[:, -r:] / np.sqrt(w[-r:]))


@right("nystrom_features")
def one_landmark_after_the_other(X, landmarks, sigma):
    """Gram and Schmidt in the space of functions, with a column for each landmark that is new."""
    P = np.vstack([X, landmarks])
    columns = []
    for z in range(len(X), len(P)):
        column = gauss(P, P[[z]], sigma)[:, 0] - sum((c * c[z] for c in columns), start=np.zeros(len(P)))
        if column[z] > 1e-10:
            columns.append(column / np.sqrt(column[z]))
    return np.column_stack(columns)[: len(X)]


@right("nystrom_features")
def with_clipped_eigenvalues(X, landmarks, sigma):
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma))
    scale = [1 / np.sqrt(v) if v > 1e-10 else 0.0 for v in w]
    return (gauss(X, landmarks, sigma) @ U * scale).tolist()


# -- 10.3


@right("pivoted_residuals")
def from_the_formula(X, first, m, sigma):
    """(4) as it stands, solved anew for each number of landmarks."""
    chosen, said = [first], []
    for _ in range(m):
        Z = X[chosen]
        k_m = gauss(X, Z, sigma)
        left = 1 - np.sum(k_m * np.linalg.solve(gauss(Z, Z, sigma), k_m.T).T, axis=1)
        said.append(left.mean())
        chosen.append(int(left.argmax()))
    return said


@right("pivoted_residuals")
def with_a_list_of_columns(X, first, m, sigma):
    i, columns, said = int(first), [], np.empty(m)
    for j in range(m):
        c = gauss(X, X[i : i + 1], sigma).ravel() - sum((b * b[i] for b in columns), start=np.zeros(len(X)))
        columns.append(c / c[i] ** 0.5)
        left = 1 - np.sum(np.square(columns), axis=0)
        said[j], i = left.sum() / len(X), np.argsort(left)[-1]
    return said


@right("pivoted_residuals")
def with_factors_of_scipy(X, first, m, sigma):
    from scipy.linalg import cho_factor, cho_solve

    chosen, said = np.array([first]), ()
    while len(said) < m:
        k_m = np.exp(-np.array([np.sum((X - X[i]) ** 2, axis=1) for i in chosen]) / 2 / sigma**2)
        left = 1 - np.einsum("mn,mn->n", k_m, cho_solve(cho_factor(k_m[:, chosen]), k_m))
        said += (float(np.mean(left)),)
        chosen = np.append(chosen, np.argmax(left))
    return said


# -- 10.4


@right("stream_ridge")
def with_cuts(X, y, Z, sigma, lam, rows, Xq):
    cuts = np.arange(rows, len(X), rows)
    A, c = lam * gauss(Z, Z, sigma), 0.0
    for block, targets in zip(np.split(X, cuts), np.split(y, cuts), strict=True):
        K = gauss(block, Z, sigma)
        A, c = A + K.T @ K, c + targets @ K
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@right("stream_ridge")
def one_row_after_the_other(X, y, Z, sigma, lam, rows, Xq):
    """The smallest blocks of all; `rows` is what may be, not what must be."""
    A, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
    for x, target in zip(X, y, strict=True):
        k = np.exp(-((Z - x) ** 2).sum(axis=1) / (2 * sigma**2))
        A += k[:, None] * k
        c += target * k
    return gauss(Xq, Z, sigma) @ np.linalg.solve(A, c)


@right("stream_ridge")
def in_coordinates_of_the_landmarks(X, y, Z, sigma, lam, rows, Xq):
    L = np.linalg.cholesky(gauss(Z, Z, sigma))

    def features(points):
        return np.linalg.solve(L, gauss(Z, points, sigma)).T

    A, c = lam * np.eye(len(Z)), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        F = features(X[i : i + rows])
        A, c = A + F.T @ F, c + F.T @ y[i : i + rows]
    return list(features(Xq) @ np.linalg.solve(A, c))
