"""Each named slip of chapter 10 as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


def gauss(A, B, sigma):
    return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))


KERNELS = {
    "exponent without the 2": lambda A, B, s: np.exp(-((cdist(A, B) / s) ** 2)),
    "brackets missing in the exponent": lambda A, B, s: np.exp(-cdist(A, B, "sqeuclidean") / 2 * s**2),
    "sigma used as gamma": lambda A, B, s: np.exp(-s * cdist(A, B, "sqeuclidean")),
    "sigma not squared": lambda A, B, s: np.exp(-cdist(A, B, "sqeuclidean") / (2 * s)),
    "distance not squared": lambda A, B, s: np.exp(-cdist(A, B) / (2 * s**2)),
    "Laplacian kernel": lambda A, B, s: np.exp(-cdist(A, B) / s),
}

# -- 10.1


def cosines(X, W, b, sigma):
    return np.cos(X @ W / sigma + b)


typed("rff", "√(1/D)")(lambda X, W, b, sigma: np.sqrt(1 / len(b)) * cosines(X, W, b, sigma))
typed("rff", "times σ")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ (sigma * W) + b))
typed("rff", "divided by σ²")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W / sigma**2 + b))
typed("rff", "σ left out")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W + b))
typed("rff", "features divided by σ")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W + b) / sigma)
typed("rff", "frequencies times 2π")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(2 * np.pi * X @ W / sigma + b))
typed("rff", "sine without phase")(lambda X, W, b, sigma: np.sqrt(2 / W.shape[1]) * np.sin(X @ W / sigma))
typed("rff", "phase divided, too")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos((X @ W + b) / sigma))
typed("rff", "phase times the angle")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W / sigma * b))
typed("rff", "points centred")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * cosines(X - X.mean(0), W, b, sigma))
typed("rff", "√(2/d)")(lambda X, W, b, sigma: np.sqrt(2 / X.shape[1]) * cosines(X, W, b, sigma))
typed("rff", "D forgotten")(lambda X, W, b, sigma: np.sqrt(2) * cosines(X, W, b, sigma))
typed("rff", "no root")(lambda X, W, b, sigma: 2 / len(b) * cosines(X, W, b, sigma))
typed("rff", "mean over the points")(lambda X, W, b, sigma: np.sqrt(2 / len(X)) * cosines(X, W, b, sigma))


typed("rff", "phase outside the cosine")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * (np.cos(X @ W / sigma) + b))
typed("rff", "one phase for all")(lambda X, W, b, sigma: np.sqrt(2 / len(b)) * np.cos(X @ W / sigma + b[0]))


@typed("rff", "cosine and sine added")
def _(X, W, b, sigma):
    angle = X @ W / sigma + b
    return np.sqrt(2 / len(b)) * (np.cos(angle) + np.sin(angle))


@typed("rff", "rows of length 1")
def _(X, W, b, sigma):
    F = cosines(X, W, b, sigma)
    return F / np.sqrt((F**2).sum(axis=1))[:, None]


@typed("rff", "γ for the variance")
def _(X, W, b, sigma):
    gamma = 1 / (2 * sigma**2)
    omega = np.sqrt(gamma) * W
    return np.sqrt(2 / len(b)) * np.cos(X @ omega + b)


@typed("rff", "pairs")
def _(X, W, b, sigma):
    A = X @ W / sigma
    return np.hstack([np.cos(A), np.sin(A)]) / np.sqrt(W.shape[1])


@typed("rff", "frequencies of your own")
def _(X, W, b, sigma):
    rng, D = np.random.default_rng(0), W.shape[1]
    omega = rng.normal(size=(X.shape[1], D // 2)) / sigma
    return np.sqrt(2 / D) * np.hstack([np.cos(X @ omega), np.sin(X @ omega)])


@typed("rff", "pairs of half the frequencies")
def _(X, W, b, sigma):
    half = W.shape[1] // 2
    A = X @ W[:, :half] / sigma
    return np.sqrt(2 / W.shape[1]) * np.hstack([np.cos(A), np.sin(A)])


# -- 10.2


def power(K, p):
    w, U = np.linalg.eigh(K)
    some = w > 1e-12 * w.max()
    return U[:, some] * w[some] ** p @ U[:, some].T


def nystrom(X, Z, sigma, k=gauss):
    return k(X, Z, sigma) @ power(k(Z, Z, sigma), -0.5)


for name, kernel in KERNELS.items():
    typed("nystrom_features", name)(lambda X, landmarks, sigma, k=kernel: nystrom(X, landmarks, sigma, k))


@typed("nystrom_features", "K_mm⁻¹ for its root")
def _(X, landmarks, sigma):
    return gauss(X, landmarks, sigma) @ np.linalg.pinv(gauss(landmarks, landmarks, sigma))


@typed("nystrom_features", "kernels with the landmarks, no more")
def _(X, landmarks, sigma):
    return np.array([[np.exp(-np.sum((x - z) ** 2) / (2 * sigma**2)) for z in landmarks] for x in X])


@typed("nystrom_features", "K_mm^(+½)")
def _(X, landmarks, sigma):
    w, U = np.linalg.eigh(gauss(landmarks, landmarks, sigma))
    return gauss(X, landmarks, sigma) @ U @ np.diag(np.sqrt(np.maximum(w, 0))) @ U.T


@typed("nystrom_features", "a little more on the diagonal")
def _(X, landmarks, sigma):
    L = np.linalg.cholesky(gauss(landmarks, landmarks, sigma) + 1e-3 * np.eye(len(landmarks)))
    return np.linalg.solve(L, gauss(landmarks, X, sigma)).T


typed("nystrom_features", "last landmark lost")(lambda X, landmarks, sigma: nystrom(X, landmarks[:-1], sigma))


@typed("nystrom_features", "factor on the wrong side")
def _(X, landmarks, sigma):
    L = np.linalg.cholesky(gauss(landmarks, landmarks, sigma))
    return gauss(X, landmarks, sigma) @ np.linalg.inv(L)


@typed("nystrom_features", "power of each entry")
def _(X, landmarks, sigma):
    return gauss(X, landmarks, sigma) @ gauss(landmarks, landmarks, sigma) ** -0.5


@typed("nystrom_features", "the approximation itself")
def _(X, landmarks, sigma):
    K = gauss(X, landmarks, sigma)
    return K @ np.linalg.pinv(gauss(landmarks, landmarks, sigma)) @ K.T


@typed("nystrom_features", "exact features")
def _(X, landmarks, sigma):
    return np.linalg.cholesky(gauss(X, X, sigma))


@typed("nystrom_features", "mean over the landmarks")
def _(X, landmarks, sigma):
    return gauss(X, landmarks, sigma) / np.sqrt(len(landmarks))


@typed("nystrom_features", "rows of length 1")
def _(X, landmarks, sigma):
    F = nystrom(X, landmarks, sigma)
    return F / np.linalg.norm(F, axis=1, keepdims=True)


# -- 10.3


def pivots(X, first, m, sigma, pick=np.argmax, k=gauss, column=lambda c, i: c / np.sqrt(c[i]), taken=np.square):
    """What is left at each point after 1, 2, … landmarks."""
    C, left, rows, i = np.zeros((len(X), m)), np.ones(len(X)), [], first
    for j in range(m):
        c = k(X, X[[i]], sigma)[:, 0] - C[:, :j] @ C[i, :j]
        C[:, j] = column(c, i)
        left = left - taken(C[:, j])
        rows.append(left)
        i = pick(left)
    return np.array(rows)


for name in ("exponent without the 2", "sigma used as gamma", "distance not squared", "Laplacian kernel"):

    @typed("pivoted_residuals", name)
    def _(X, first, m, sigma, k=KERNELS[name]):
        return pivots(X, first, m, sigma, k=k).mean(axis=1)


@typed("pivoted_residuals", "column not scaled")
def _(X, first, m, sigma):
    return pivots(X, first, m, sigma, column=lambda c, i: c).mean(axis=1)


@typed("pivoted_residuals", "divided without the root")
def _(X, first, m, sigma):
    return pivots(X, first, m, sigma, column=lambda c, i: c / c[i]).mean(axis=1)


@typed("pivoted_residuals", "column divided by its length")
def _(X, first, m, sigma):
    return pivots(X, first, m, sigma, column=lambda c, i: c / np.sqrt(c @ c)).mean(axis=1)


@typed("pivoted_residuals", "where least is left")
def _(X, first, m, sigma):
    return pivots(X, first, m, sigma, pick=lambda left: np.argmin(np.where(left > 1e-9, left, 2))).mean(axis=1)


@typed("pivoted_residuals", "last column alone")
def _(X, first, m, sigma):
    left, old, said, i = np.ones(len(X)), np.zeros(len(X)), [], first
    for _ in range(m):
        c = gauss(X, X[[i]], sigma)[:, 0] - old[i] * old
        old = c / np.sqrt(c[i])
        left = left - old**2
        said.append(left.mean())
        i = left.argmax()
    return said


@typed("pivoted_residuals", "column not squared")
def _(X, first, m, sigma):
    return pivots(X, first, m, sigma, taken=np.asarray).mean(axis=1)


typed("pivoted_residuals", "begun at the point 0")(lambda X, first, m, sigma: pivots(X, 0, m, sigma).mean(axis=1))
typed("pivoted_residuals", "sum for mean")(lambda *args: pivots(*args).sum(axis=1))
typed("pivoted_residuals", "largest for mean")(lambda *args: pivots(*args).max(axis=1))
typed("pivoted_residuals", "median for mean")(lambda *args: np.median(pivots(*args), axis=1))


@typed("pivoted_residuals", "drawn in proportion")
def _(X, first, m, sigma):
    rng = np.random.default_rng(0)

    def lot(left):
        p = np.clip(left, 0, None)
        return rng.choice(len(X), p=p / p.sum())

    return pivots(X, first, m, sigma, pick=lot).mean(axis=1)


typed("pivoted_residuals", "root of the mean")(lambda *args: np.sqrt(pivots(*args).mean(axis=1)))
typed("pivoted_residuals", "what is explained")(lambda *args: 1 - pivots(*args).mean(axis=1))
typed("pivoted_residuals", "distances for their squares")(
    lambda *args: np.sqrt(np.clip(pivots(*args), 0, None)).mean(axis=1)
)
typed("pivoted_residuals", "landmarks left out of the mean")(
    lambda X, *args: [left.sum() / (len(X) - j) for j, left in enumerate(pivots(X, *args), 1)]
)
typed("pivoted_residuals", "said before the step")(
    lambda X, first, m, sigma: [1, *pivots(X, first, m, sigma).mean(axis=1)[:-1]]
)


def left_by(X, chosen, sigma):
    K = gauss(X, X[chosen], sigma)
    return 1 - np.mean(np.sum(K @ np.linalg.pinv(K[chosen]) * K, axis=1))


@typed("pivoted_residuals", "as if landmarks were orthogonal")
def _(X, first, m, sigma):
    left, said, i = 1, [], first
    for _ in range(m):
        left = left - gauss(X, X[[i]], sigma)[:, 0] ** 2
        said.append(np.mean(left))
        i = np.argmax(left)
    return said


@typed("pivoted_residuals", "farthest from the nearest landmark")
def _(X, first, m, sigma):
    chosen = [first]
    while len(chosen) < m:
        chosen.append(int(cdist(X, X[chosen]).min(axis=1).argmax()))
    return [left_by(X, chosen[: j + 1], sigma) for j in range(m)]


@typed("pivoted_residuals", "what the nearest landmark leaves")
def _(X, first, m, sigma):
    chosen, said = [first], []
    for _ in range(m):
        left = (1 - gauss(X, X[chosen], sigma) ** 2).min(axis=1)
        said.append(left.mean())
        chosen.append(int(np.argmax(left)))
    return said


@typed("pivoted_residuals", "all chosen at once")
def _(X, first, m, sigma):
    order = np.argsort(gauss(X, X[[first]], sigma)[:, 0], kind="stable")
    chosen = [first, *order[: m - 1]]
    return [left_by(X, chosen[: j + 1], sigma) for j in range(m)]


@typed("pivoted_residuals", "the next points in the array")
def _(X, first, m, sigma):
    chosen = [(first + j) % len(X) for j in range(m)]
    return [left_by(X, chosen[: j + 1], sigma) for j in range(m)]


@typed("pivoted_residuals", "one landmark again and again")
def _(X, first, m, sigma):
    return [left_by(X, [first], sigma)] * m


# -- 10.4


def sums(X, y, Z, sigma, rows, k=gauss):
    """KᵀK and Kᵀy, block by block."""
    S, c = np.zeros((len(Z), len(Z))), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = k(X[i : i + rows], Z, sigma)
        S += K.T @ K
        c += K.T @ y[i : i + rows]
    return S, c


def predict(S, c, Z, sigma, Xq, k=gauss):
    return k(Xq, Z, sigma) @ np.linalg.solve(S, c)


for name in ("exponent without the 2", "distance not squared"):

    @typed("stream_ridge", name)
    def _(X, y, Z, sigma, lam, rows, Xq, k=KERNELS[name]):
        S, c = sums(X, y, Z, sigma, rows, k)
        return predict(S + lam * k(Z, Z, sigma), c, Z, sigma, Xq, k)


@typed("stream_ridge", "λI for λK_mm")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X, y, Z, sigma, rows)
    return predict(S + lam * np.eye(len(Z)), c, Z, sigma, Xq)


@typed("stream_ridge", "λK_mm⁻¹ for λK_mm")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X, y, Z, sigma, rows)
    return predict(S + lam * np.linalg.inv(gauss(Z, Z, sigma)), c, Z, sigma, Xq)


@typed("stream_ridge", "weights of features at the kernels")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X, y, Z, sigma, rows)
    L = np.linalg.cholesky(gauss(Z, Z, sigma))
    back = np.linalg.inv(L)  # φ = L⁻¹k_m
    return predict(back @ S @ back.T + lam * np.eye(len(Z)), back @ c, Z, sigma, Xq)


@typed("stream_ridge", "no price")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X, y, Z, sigma, rows)
    return predict(S, c, Z, sigma, Xq)


@typed("stream_ridge", "last block lost")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * gauss(Z, Z, sigma), 0
    for block in range(len(X) // rows):
        part = slice(block * rows, (block + 1) * rows)
        K = gauss(X[part], Z, sigma)
        S, c = S + K.T @ K, c + K.T @ y[part]
    return gauss(Xq, Z, sigma) @ np.linalg.solve(S, c + np.zeros(len(Z)))


@typed("stream_ridge", "last block always lost")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
    for i in range(0, len(X) - rows, rows):
        K = gauss(X[i : i + rows], Z, sigma)
        S += K.T @ K
        c += K.T @ y[i : i + rows]
    return predict(S, c, Z, sigma, Xq)


@typed("stream_ridge", "last row lost")
def _(X, y, Z, sigma, lam, rows, Xq):
    n = len(X) - 1
    S, c = sums(X[:n], y[:n], Z, sigma, rows)
    return predict(S + lam * gauss(Z, Z, sigma), c, Z, sigma, Xq)


@typed("stream_ridge", "targets centred in each block")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        S += K.T @ K
        c += K.T @ (y[i : i + rows] - np.mean(y[i : i + rows]))
    return predict(S, c, Z, sigma, Xq)


@typed("stream_ridge", "a little more on the diagonal")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X, y, Z, sigma, rows)
    return predict(S + lam * gauss(Z, Z, sigma) + 1e-3 * np.eye(len(Z)), c, Z, sigma, Xq)


@typed("stream_ridge", "first block lost")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X[rows:], y[rows:], Z, sigma, rows)
    return predict(S + lam * gauss(Z, Z, sigma), c, Z, sigma, Xq)


@typed("stream_ridge", "λK_mm² for λK_mm")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = sums(X, y, Z, sigma, rows)
    return predict(S + lam * gauss(Z, Z, sigma) @ gauss(Z, Z, sigma), c, Z, sigma, Xq)


@typed("stream_ridge", "last block's targets alone")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, _c = sums(X, y, Z, sigma, rows)
    for i in range(0, len(X), rows):
        c = gauss(X[i : i + rows], Z, sigma).T @ y[i : i + rows]
    return predict(S + lam * gauss(Z, Z, sigma), c, Z, sigma, Xq)


@typed("stream_ridge", "last block's products alone")
def _(X, y, Z, sigma, lam, rows, Xq):
    _S, c = sums(X, y, Z, sigma, rows)
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        S = K.T @ K
    return predict(S + lam * gauss(Z, Z, sigma), c, Z, sigma, Xq)


@typed("stream_ridge", "first block alone")
def _(X, y, Z, sigma, lam, rows, Xq):
    K = gauss(X[:rows], Z, sigma)
    return predict(K.T @ K + lam * gauss(Z, Z, sigma), K.T @ y[:rows], Z, sigma, Xq)


@typed("stream_ridge", "first targets for all blocks")
def _(X, y, Z, sigma, lam, rows, Xq):
    S, c = lam * gauss(Z, Z, sigma), np.zeros(len(Z))
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        S += K.T @ K
        c += K.T @ y[: len(K)]
    return predict(S, c, Z, sigma, Xq)


@typed("stream_ridge", "mean of the machines by rows")
def _(X, y, Z, sigma, lam, rows, Xq):
    f = np.zeros(len(Xq))
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        f += len(K) * predict(K.T @ K + lam * gauss(Z, Z, sigma), K.T @ y[i : i + rows], Z, sigma, Xq)
    return f / len(X)


@typed("stream_ridge", "mean of the machines")
def _(X, y, Z, sigma, lam, rows, Xq):
    said = []
    for i in range(0, len(X), rows):
        K = gauss(X[i : i + rows], Z, sigma)
        said.append(predict(K.T @ K + lam * gauss(Z, Z, sigma), K.T @ y[i : i + rows], Z, sigma, Xq))
    return np.mean(said, axis=0)


@typed("stream_ridge", "mean of the targets as an intercept")
def _(X, y, Z, sigma, lam, rows, Xq):
    level = np.mean(y)
    S, c = sums(X, y - level, Z, sigma, rows)
    return level + predict(S + lam * gauss(Z, Z, sigma), c, Z, sigma, Xq)


@typed("stream_ridge", "on the landmarks alone")
def _(X, y, Z, sigma, lam, rows, Xq):
    w = np.linalg.solve(gauss(Z, Z, sigma) + lam * np.eye(len(Z)), y[: len(Z)])
    return gauss(Xq, Z, sigma) @ w


@typed("stream_ridge", "all points as landmarks")
def _(X, y, Z, sigma, lam, rows, Xq):
    if len(X) > 10_000:
        raise MemoryError("Unable to allocate 4.66 GiB for an array")  # what NumPy says where there is less
    return gauss(Xq, X, sigma) @ np.linalg.solve(gauss(X, X, sigma) + lam * np.eye(len(X)), y)
