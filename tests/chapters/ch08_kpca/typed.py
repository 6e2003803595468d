"""Each named slip of chapter 8 as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def largest(K, q):
    """The q largest eigenvalues and their unit eigenvectors."""
    lam, B = np.linalg.eigh(K)
    keep = np.argsort(-lam)[:q]
    return lam[keep], B[:, keep]


# 8.1

typed("center_gram", "overall mean taken away")(lambda K: K - K.mean())
typed("center_gram", "row means alone")(lambda K: K - K.mean(axis=1, keepdims=True))
typed("center_gram", "column means alone")(lambda K: K - K.mean(axis=0))


@typed("center_gram", "last term subtracted")
def _(K):
    U = np.full(K.shape, 1 / len(K))
    return K - U @ K - K @ U - U @ K @ U


@typed("center_gram", "ones for one over n")
def _(K):
    U = np.ones(K.shape)
    return K - U @ K - K @ U + U @ K @ U


@typed("center_gram", "column means twice")
def _(K):
    return K - K.mean(0) - K.mean(1) + K.mean()


@typed("center_gram", "row means twice")
def _(K):
    rows = K.mean(axis=1, keepdims=True)
    return K - rows - rows + K.mean()


@typed("center_gram", "only one of the two means")
def _(K):
    return K - (K.mean(axis=0) + K.mean(axis=1)[:, None]) / 2


@typed("center_gram", "made of length one")
def _(K):
    lengths = np.sqrt(np.diag(K))
    return K / np.outer(lengths, lengths)


# 8.2


def own_mean(Kq):
    return Kq.mean(axis=1, keepdims=True)


typed("center_test_gram", "means of the new points")(lambda K, Kq: Kq - Kq.mean(axis=0) - own_mean(Kq) + Kq.mean())
typed("center_test_gram", "column means of the new rows")(lambda K, Kq: Kq - Kq.mean(axis=0) - own_mean(Kq) + K.mean())
typed("center_test_gram", "last term forgotten")(lambda K, Kq: Kq - K.mean(axis=0) - own_mean(Kq))
typed("center_test_gram", "mean of the row forgotten")(lambda K, Kq: Kq - K.mean(axis=0) + K.mean())
typed("center_test_gram", "mean of the row alone")(lambda K, Kq: Kq - own_mean(Kq))
typed("center_test_gram", "column means alone")(lambda K, Kq: Kq - K.mean(axis=0))
typed("center_test_gram", "last term subtracted")(lambda K, Kq: Kq - K.mean(axis=0) - own_mean(Kq) - K.mean())
typed("center_test_gram", "means of all points, old and new")(
    lambda K, Kq: (lambda S: (S - S.mean(axis=0) - own_mean(S) + S.mean())[len(K) :])(np.concatenate([K, Kq]))
)
typed("center_test_gram", "both means along the columns")(lambda K, Kq: Kq - Kq.mean(0) - K.mean(1) + K.mean())
typed("center_test_gram", "column means twice")(lambda K, Kq: Kq - K.mean(axis=0) - K.mean(axis=1) + K.mean())
typed("center_test_gram", "overall mean of the new rows")(lambda K, Kq: Kq - K.mean(axis=0) - own_mean(Kq) + Kq.mean())


@typed("center_test_gram", "one over the number of new points")
def _(K, Kq):
    U, V = np.full(K.shape, 1 / len(K)), np.full(Kq.shape, 1 / len(Kq))
    return Kq - V @ K - Kq @ U + V @ K @ U


@typed("center_test_gram", "each with the mean of a training point in its place")
def _(K, Kq):
    rows, columns = K.mean(axis=1), K.mean(axis=0)
    out = np.zeros(Kq.shape)
    for j in range(len(Kq)):
        out[j] = Kq[j] - columns - rows[j] + K.mean()
    return out


@typed("center_test_gram", "diagonal of K for its mean")
def _(K, Kq):
    return Kq - K.mean(axis=0) - own_mean(Kq) + np.diag(K).mean()


# 8.3


@typed("kernel_pca", "not centred")
def _(K, q):
    lam, B = largest(K, q)
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "column means alone")
def _(K, q):
    lam, B = np.linalg.eigh(K - K.mean(axis=0))
    lam, B = lam[::-1][:q], B[:, ::-1][:, :q]
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "row means alone")
def _(K, q):
    lam, B = np.linalg.eigh(K - K.mean(axis=1)[:, None])
    return B[:, : -q - 1 : -1] * np.sqrt(lam[: -q - 1 : -1]), lam[: -q - 1 : -1]


@typed("kernel_pca", "unit eigenvectors for scores")
def _(K, q):
    lam, B = largest(centred(K), q)
    alpha = B / lam
    return centred(K) @ alpha, lam


@typed("kernel_pca", "alpha of length one")
def _(K, q):
    lam, B = largest(centred(K), q)
    return centred(K) @ B, lam


@typed("kernel_pca", "coefficients for scores")
def _(K, q):
    lam, B = largest(centred(K), q)
    return B / np.sqrt(lam), lam


@typed("kernel_pca", "divided by the eigenvalue")
def _(K, q):
    lam, B = largest(centred(K), q)
    return B / lam, lam


@typed("kernel_pca", "sorted upwards")
def _(K, q):
    lam, B = np.linalg.eigh(centred(K))
    lam, B = lam[-q:], B[:, -q:]
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "in no order")
def _(K, q):
    lam, B = np.linalg.eig(centred(K))
    lam, B = lam.real[:q], B.real[:, :q]
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "scores of features that were not centred")
def _(K, q):
    lam, B = largest(centred(K), q)
    return K @ (B / np.sqrt(lam)), lam


@typed("kernel_pca", "variance reported")
def _(K, q):
    lam, B = largest(centred(K), q)
    return B * np.sqrt(lam), lam / len(K)


@typed("kernel_pca", "sample variance reported")
def _(K, q):
    lam, B = largest(centred(K), q)
    return B * np.sqrt(lam), lam / (len(K) - 1)


@typed("kernel_pca", "axes of K over n")
def _(K, q):
    lam, B = largest(centred(K) / len(K), q)
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "axes of K over n - 1")
def _(K, q):
    lam, B = largest(centred(K) / (len(K) - 1), q)
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "scores of variance one")
def _(K, q):
    lam, B = largest(centred(K), q)
    scores = B * np.sqrt(lam)
    return scores / scores.std(axis=0), lam


@typed("kernel_pca", "overall mean taken away")
def _(K, q):
    lam, B = largest(K - K.mean(), q)
    return B * np.sqrt(lam), lam


@typed("kernel_pca", "singular values of the roots")
def _(K, q):
    lam, B = largest(centred(K), q)
    return B * np.sqrt(lam), np.sqrt(lam)


# 8.4


def spectrum(K):
    """All eigenvalues of the centred matrix, the largest first."""
    return np.linalg.eigvalsh(centred(K))[::-1]


typed("explained_ratio", "share of what is kept")(lambda K, q: spectrum(K)[:q] / spectrum(K)[:q].sum())
typed("explained_ratio", "trace of the matrix that was not centred")(lambda K, q: spectrum(K)[:q] / np.trace(K))
typed("explained_ratio", "not centred")(lambda K, q: largest(K, q)[0] / np.trace(K))
typed("explained_ratio", "eigenvalues before centring")(lambda K, q: largest(K, q)[0] / np.trace(centred(K)))
typed("explained_ratio", "squared eigenvalues")(lambda K, q: spectrum(K)[:q] ** 2 / np.sum(spectrum(K) ** 2))
typed("explained_ratio", "summed up")(lambda K, q: np.cumsum(spectrum(K))[:q] / spectrum(K).sum())
typed("explained_ratio", "sorted upwards")(lambda K, q: spectrum(K)[:q][::-1] / spectrum(K).sum())
typed("explained_ratio", "percent")(lambda K, q: 100 * spectrum(K)[:q] / spectrum(K).sum())
typed("explained_ratio", "variances instead of shares")(lambda K, q: spectrum(K)[:q] / len(K))
typed("explained_ratio", "eigenvalues instead of shares")(lambda K, q: spectrum(K)[:q])
typed("explained_ratio", "divided by the largest")(lambda K, q: spectrum(K)[:q] / spectrum(K)[0])


@typed("explained_ratio", "in no order")
def _(K, q):
    lam = np.linalg.eigvals(centred(K)).real
    return lam[:q] / lam.sum()


@typed("explained_ratio", "roots of the eigenvalues")
def _(K, q):
    roots = np.sqrt(np.maximum(spectrum(K), 0))
    return roots[:q] / roots.sum()


@typed("explained_ratio", "smallest axes")
def _(K, q):
    lam = np.linalg.eigvalsh(centred(K))
    return lam[:q] / lam.sum()


# 8.5


def mean_columns(K, y):
    return K[:, y == 0].mean(axis=1), K[:, y == 1].mean(axis=1)


def within(K, y):
    """The scatter N, right."""
    N = np.zeros(K.shape)
    for c in (0, 1):
        D = K[:, y == c] - mean_columns(K, y)[c][:, None]
        N += D @ D.T
    return N


def of_length_one(alpha):
    return alpha / np.linalg.norm(alpha)


@typed("kernel_fisher", "centring within the classes forgotten")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    N = sum(K[:, y == c] @ K[:, y == c].T for c in (0, 1))
    return of_length_one(np.linalg.solve(N + lam * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "price on the norm of f")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return of_length_one(np.linalg.solve(within(K, y) + lam * K, M1 - M0))


@typed("kernel_fisher", "means only")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return of_length_one(M1 - M0)


@typed("kernel_fisher", "not made of length one")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return np.linalg.solve(within(K, y) + lam * np.eye(len(K)), M1 - M0)


@typed("kernel_fisher", "f made of length one")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    a = np.linalg.solve(within(K, y) + lam * np.eye(len(K)), M1 - M0)
    return a / np.sqrt(a @ K @ a)


@typed("kernel_fisher", "scatter of class 1 alone")
def _(K, y, lam):
    M = mean_columns(K, y)
    for c in (0, 1):
        D = K[:, y == c] - M[c][:, None]
        N = D @ D.T
    return of_length_one(np.linalg.solve(N + lam * np.eye(len(K)), M[1] - M[0]))


@typed("kernel_fisher", "scatter of class 0 alone")
def _(K, y, lam):
    M = mean_columns(K, y)
    D = K[:, y == 0] - M[0][:, None]
    return of_length_one(np.linalg.solve(D @ D.T + lam * np.eye(len(K)), M[1] - M[0]))


@typed("kernel_fisher", "mean scatter of each class")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    N = lam * np.eye(len(K))
    for c, M in ((0, M0), (1, M1)):
        D = K[:, y == c] - M[:, None]
        N = N + D @ D.T / np.sum(y == c)
    return of_length_one(np.linalg.solve(N, M1 - M0))


@typed("kernel_fisher", "covariances of the classes")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    N = np.cov(K[:, y == 0]) + np.cov(K[:, y == 1])
    return of_length_one(np.linalg.solve(N + lam * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "centred along the wrong axis")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    N = lam * np.eye(len(K))
    for c in (0, 1):
        Kc = K[:, y == c]
        D = Kc - Kc.mean(axis=0)
        N = N + D @ D.T
    return of_length_one(np.linalg.solve(N, M1 - M0))


@typed("kernel_fisher", "price subtracted")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return of_length_one(np.linalg.solve(within(K, y) - lam * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "centred first")
def _(K, y, lam):
    K = centred(K)
    M0, M1 = mean_columns(K, y)
    return of_length_one(np.linalg.solve(within(K, y) + lam * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "pseudo-inverse without the price")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return of_length_one(np.linalg.lstsq(within(K, y), M1 - M0)[0])


@typed("kernel_fisher", "price squared")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return of_length_one(np.linalg.solve(within(K, y) + lam**2 * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "n times the price")
def _(K, y, lam):
    M0, M1 = mean_columns(K, y)
    return of_length_one(np.linalg.solve(within(K, y) + len(y) * lam * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "sums for means")
def _(K, y, lam):
    M0, M1 = K[:, y == 0].sum(axis=1), K[:, y == 1].sum(axis=1)
    return of_length_one(np.linalg.solve(within(K, y) + lam * np.eye(len(K)), M1 - M0))


@typed("kernel_fisher", "ridge regression")
def _(K, y, lam):
    return of_length_one(np.linalg.solve(K + lam * np.eye(len(K)), 2 * y - 1))


# 8.6


def k(A, B, sigma):
    return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))


def new_rows(K, Kq):
    return Kq - K.mean(axis=0) - own_mean(Kq) + K.mean()


def coefficients(K, q):
    lam, B = largest(K, q)
    return B / np.sqrt(lam)


def gamma_of(K, Kq, q):
    alpha = coefficients(centred(K), q)
    return new_rows(K, Kq) @ alpha @ alpha.T + 1 / len(K)


def way_back(gamma, kernel, X, Z, steps):
    for _ in range(steps):
        W = gamma * kernel(Z, X)
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


def cleaned(kernel, X, Xq, q, steps):
    """All of it, with a kernel of one's own."""
    return way_back(gamma_of(kernel(X, X), kernel(Xq, X), q), kernel, X, Xq, steps)


@typed("denoise", "new rows not centred")
def _(X, Xq, sigma, q, steps):
    alpha = coefficients(centred(k(X, X, sigma)), q)
    gamma = k(Xq, X, sigma) @ alpha @ alpha.T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "nothing centred")
def _(X, Xq, sigma, q, steps):
    alpha = coefficients(k(X, X, sigma), q)
    gamma = k(Xq, X, sigma) @ alpha @ alpha.T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "mean feature forgotten")
def _(X, Xq, sigma, q, steps):
    K = k(X, X, sigma)
    alpha = coefficients(centred(K), q)
    gamma = new_rows(K, k(Xq, X, sigma)) @ alpha @ alpha.T
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "weights not renewed")
def _(X, Xq, sigma, q, steps):
    Kq = k(Xq, X, sigma)
    Z, W = Xq, gamma_of(k(X, X, sigma), Kq, q) * Kq
    for _ in range(steps):
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


@typed("denoise", "no kernel in the weights")
def _(X, Xq, sigma, q, steps):
    gamma, Z = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), Xq
    for _ in range(steps):
        Z = gamma @ X / gamma.sum(axis=1, keepdims=True)
    return Z


@typed("denoise", "not divided by the sum of the weights")
def _(X, Xq, sigma, q, steps):
    gamma, Z = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), Xq
    for _ in range(steps):
        Z = (gamma * k(Z, X, sigma)) @ X
    return Z


@typed("denoise", "unit eigenvectors for alpha")
def _(X, Xq, sigma, q, steps):
    K = k(X, X, sigma)
    _, alpha = largest(centred(K), q)
    gamma = new_rows(K, k(Xq, X, sigma)) @ alpha @ alpha.T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "scores for alpha")
def _(X, Xq, sigma, q, steps):
    K = k(X, X, sigma)
    lam, B = largest(centred(K), q)
    scores = B * np.sqrt(lam)
    gamma = new_rows(K, k(Xq, X, sigma)) @ scores @ scores.T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "divided by the eigenvalue")
def _(X, Xq, sigma, q, steps):
    K = k(X, X, sigma)
    lam, B = largest(centred(K), q)
    gamma = new_rows(K, k(Xq, X, sigma)) @ (B / lam) @ (B / lam).T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "smallest axes")
def _(X, Xq, sigma, q, steps):
    K = k(X, X, sigma)
    lam, B = np.linalg.eigh(centred(K))
    lam, B = lam[lam > 1e-10], B[:, lam > 1e-10]
    alpha = B[:, :q] / np.sqrt(lam[:q])
    gamma = new_rows(K, k(Xq, X, sigma)) @ alpha @ alpha.T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "scores not used")
def _(X, Xq, sigma, q, steps):
    Z = Xq
    for _ in range(steps):
        W = k(Z, X, sigma)
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


@typed("denoise", "two forgotten in the Gaussian")
def _(X, Xq, sigma, q, steps):
    return cleaned(lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / sigma**2), X, Xq, q, steps)


@typed("denoise", "width not squared")
def _(X, Xq, sigma, q, steps):
    return cleaned(lambda A, B: np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma)), X, Xq, q, steps)


@typed("denoise", "half steps")
def _(X, Xq, sigma, q, steps):
    gamma, Z = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), Xq
    for _ in range(steps):
        Z = (Z + way_back(gamma, lambda A, B: k(A, B, sigma), X, Z, 1)) / 2
    return Z


@typed("denoise", "starts at the mean of the points")
def _(X, Xq, sigma, q, steps):
    gamma = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q)
    start = np.tile(X.mean(axis=0), (len(Xq), 1))
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, start, steps)


@typed("denoise", "negative weights left out")
def _(X, Xq, sigma, q, steps):
    gamma, Z = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), Xq
    for _ in range(steps):
        W = gamma * k(Z, X, sigma)
        W[W < 0] = 0
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


@typed("denoise", "β renewed")
def _(X, Xq, sigma, q, steps):
    K, Z = k(X, X, sigma), Xq
    for _ in range(steps):
        Kz = k(Z, X, sigma)
        W = gamma_of(K, Kz, q) * Kz
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


@typed("denoise", "one step too few")
def _(X, Xq, sigma, q, steps):
    gamma, Z = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), Xq
    for _ in range(1, steps):
        W = gamma * k(Z, X, sigma)
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


@typed("denoise", "one step too many")
def _(X, Xq, sigma, q, steps):
    gamma, Z = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), Xq
    step = 0
    while step <= steps:
        W = gamma * k(Z, X, sigma)
        Z = W @ X / W.sum(axis=1, keepdims=True)
        step += 1
    return Z


@typed("denoise", "starts at the training point with the nearest feature")
def _(X, Xq, sigma, q, steps):
    gamma, cleaned_ones = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q), []
    for weights_of_one in gamma:
        z = X[np.argmax(k(X, X, sigma) @ weights_of_one)]  # the lecture's pre_image
        for _ in range(steps):
            w = weights_of_one * k(z[None], X, sigma)[0]
            z = w @ X / w.sum()
        cleaned_ones.append(z)
    return np.array(cleaned_ones)


@typed("denoise", "starts at the nearest training point")
def _(X, Xq, sigma, q, steps):
    gamma = gamma_of(k(X, X, sigma), k(Xq, X, sigma), q)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, X[cdist(Xq, X).argmin(axis=1)], steps)


@typed("denoise", "rows over their largest entry")
def _(X, Xq, sigma, q, steps):
    Kq = k(Xq, X, sigma)
    gamma = gamma_of(k(X, X, sigma), Kq / np.max(Kq, axis=1)[:, None], q)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


@typed("denoise", "new rows centred with their own means")
def _(X, Xq, sigma, q, steps):
    Kq = k(Xq, X, sigma)
    alpha = coefficients(centred(k(X, X, sigma)), q)
    gamma = (Kq - Kq.mean(axis=0) - own_mean(Kq) + Kq.mean()) @ alpha @ alpha.T + 1 / len(X)
    return way_back(gamma, lambda A, B: k(A, B, sigma), X, Xq, steps)


# 8.7


def rmse(clean, after):
    return np.sqrt(((after - clean) ** 2).mean(axis=1))


def report(a, b):
    """All four numbers from the errors of the pictures, right."""
    d = a - b
    return a.mean(), b.mean(), d.mean(), d.std(ddof=1) / np.sqrt(len(d))


@typed("paired_report", "spread of single pictures")
def _(clean, first, second):
    a, b = rmse(clean, first), rmse(clean, second)
    return a.mean(), b.mean(), (a - b).mean(), (a - b).std(ddof=1)


@typed("paired_report", "divided by m under the root")
def _(clean, first, second):
    a, b = rmse(clean, first), rmse(clean, second)
    return a.mean(), b.mean(), (a - b).mean(), (a - b).std() / np.sqrt(len(a))


@typed("paired_report", "variance of the mean")
def _(clean, first, second):
    a, b = rmse(clean, first), rmse(clean, second)
    return a.mean(), b.mean(), (a - b).mean(), np.var(a - b, ddof=1) / len(a)


@typed("paired_report", "half of an interval")
def _(clean, first, second):
    *three, error = report(rmse(clean, first), rmse(clean, second))
    return *three, 1.96 * error


@typed("paired_report", "not paired")
def _(clean, first, second):
    a, b = rmse(clean, first), rmse(clean, second)
    return a.mean(), b.mean(), a.mean() - b.mean(), np.sqrt(a.var(ddof=1) / len(a) + b.var(ddof=1) / len(b))


@typed("paired_report", "root over everything")
def _(clean, first, second):
    a, b = np.sqrt(np.mean((first - clean) ** 2)), np.sqrt(np.mean((second - clean) ** 2))
    d = rmse(clean, first) - rmse(clean, second)
    return a, b, a - b, d.std(ddof=1) / np.sqrt(len(d))


@typed("paired_report", "no root")
def _(clean, first, second):
    return report(((first - clean) ** 2).mean(axis=1), ((second - clean) ** 2).mean(axis=1))


@typed("paired_report", "summed over pixels")
def _(clean, first, second):
    return report(np.linalg.norm(first - clean, axis=1), np.linalg.norm(second - clean, axis=1))


@typed("paired_report", "absolute errors")
def _(clean, first, second):
    return report(np.abs(first - clean).mean(axis=1), np.abs(second - clean).mean(axis=1))


@typed("paired_report", "second less first")
def _(clean, first, second):
    a, b = rmse(clean, first), rmse(clean, second)
    d = b - a
    return a.mean(), b.mean(), d.mean(), d.std(ddof=1) / np.sqrt(len(d))


@typed("paired_report", "absolute differences")
def _(clean, first, second):
    a, b = rmse(clean, first), rmse(clean, second)
    d = np.abs(a - b)
    return a.mean(), b.mean(), d.mean(), d.std(ddof=1) / np.sqrt(len(d))


@typed("paired_report", "pixels for pictures")
def _(clean, first, second):
    return report(np.sqrt(((first - clean) ** 2).mean(axis=0)), np.sqrt(((second - clean) ** 2).mean(axis=0)))
