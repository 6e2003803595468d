"""Wrong answers to chapter 8 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist

from tests.chapters.ch08_kpca.right_answers import by_singular_values, shifted_and_projected
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)


# 8.1


def center_gram(K):
    U = np.full(K.shape, 1 / len(K))
    columns = U @ K
    rows = K @ U
    return K - columns - rows + columns @ U


mistakes = {
    "overall mean taken away": ("- columns - rows + columns", "- columns"),
    "row means alone": (" - columns - rows + columns @ U", " - rows"),
    "column means alone": (" - rows + columns @ U", ""),
    "last term subtracted": ("+ columns @ U", "- columns @ U"),
    "ones for one over n": ("1 / len(K)", "1.0"),
    "column means twice": ("K @ U", "U @ K"),
    "row means twice": ("= U @ K", "= K @ U", "columns @ U", "K.mean()"),
    "only one of the two means": ("- columns - rows + columns @ U", "- (columns + rows) / 2"),
    "made of length one": ("K - columns - rows + columns @ U", "K / np.sqrt(np.outer(np.diag(K), np.diag(K)))"),
}
mistake.changes("center_gram", center_gram, mistakes)


# 8.2


def center_test_gram(K, Kq):
    M = K
    columns = M.mean(axis=0)
    rows = Kq.mean(axis=1)[:, None]
    overall = M.mean()
    return Kq - columns - rows + overall


mistakes = {
    "means of the new points": ("M = K", "M = Kq"),
    "column means of the new rows": ("M.mean(axis=0)", "Kq.mean(axis=0)"),
    "last term forgotten": (" + overall", ""),
    "mean of the row forgotten": (" - rows", ""),
    "column means alone": (" - rows + overall", ""),
    "last term subtracted": ("+ overall", "- overall"),
    "means of all points, old and new": ("M = K", "M = np.concatenate([K, Kq])"),
    "both means along the columns": ("M.mean(axis=0)", "Kq.mean(axis=0)", "Kq.mean(axis=1)[:, None]", "K.mean(1)"),
    "column means twice": ("Kq.mean(axis=1)[:, None]", "K.mean(axis=1)"),
    "overall mean of the new rows": ("M.mean()", "Kq.mean()"),
}
mistake.changes("center_test_gram", center_test_gram, mistakes)


# 8.3


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def kernel_pca(K, q):
    Kc = centred(K)
    lam, B = np.linalg.eigh(Kc)
    keep = np.argsort(-lam)[:q]
    lam, B = lam[keep], B[:, keep]
    scores = B * np.sqrt(lam)
    return scores, lam


mistakes = {
    "not centred": ("centred(K)", "K"),
    "column means alone": ("centred(K)", "K - K.mean(axis=0)"),
    "row means alone": ("centred(K)", "K - K.mean(axis=1)[:, None]"),
    "unit eigenvectors for scores": ("B * np.sqrt(lam)", "Kc @ (B / lam)"),
    "alpha of length one": ("B * np.sqrt(lam)", "Kc @ B"),
    "coefficients for scores": ("B * np.sqrt(lam)", "B / np.sqrt(lam)"),
    "sorted upwards": ("np.argsort(-lam)[:q]", "np.argsort(lam)[-q:]"),
    "in no order": (
        "eigh(Kc)", "eig(Kc)", "keep = np.argsort(-lam)[:q]", "lam, B, keep = lam.real, B.real, slice(q)",
    ),
    "scores of features that were not centred": ("B * np.sqrt(lam)", "K @ (B / np.sqrt(lam))"),
    "variance reported": ("return scores, lam", "return scores, lam / len(K)"),
    "axes of K over n": ("centred(K)", "centred(K) / len(K)"),
}  # fmt: skip
mistake.changes("kernel_pca", kernel_pca, mistakes)


# 8.4


def explained_ratio(K, q):
    lam = np.linalg.eigvalsh(centred(K))[::-1]
    return lam[:q] / lam.sum()


mistakes = {
    "share of what is kept": ("lam.sum()", "lam[:q].sum()"),
    "trace of the matrix that was not centred": ("lam.sum()", "np.trace(K)"),
    "not centred": ("centred(K)", "K"),
    "eigenvalues before centring": ("lam[:q]", "np.linalg.eigvalsh(K)[::-1][:q]"),
    "squared eigenvalues": ("[::-1]", "[::-1] ** 2"),
    "summed up": ("lam[:q]", "np.cumsum(lam)[:q]"),
    "sorted upwards": ("lam[:q]", "lam[:q][::-1]"),
    "percent": ("lam[:q]", "100 * lam[:q]"),
    "variances instead of shares": ("lam.sum()", "len(K)"),
    "eigenvalues instead of shares": (" / lam.sum()", ""),
    "in no order": ("eigvalsh(centred(K))[::-1]", "eigvals(centred(K)).real"),
    "smallest axes": ("[::-1]", ""),
}
mistake.changes("explained_ratio", explained_ratio, mistakes)


# 8.5


def kernel_fisher(K, y, lam):
    M = [K[:, y == c].mean(axis=1) for c in (0, 1)]
    N = 0
    for c in (0, 1):
        Kc = K[:, y == c]
        D = Kc - M[c][:, None]
        N += D @ D.T
    N += lam * np.eye(len(K))
    apart = M[1] - M[0]
    a = np.linalg.solve(N, apart)
    return a / np.linalg.norm(a)


mistakes = {
    "centring within the classes forgotten": ("Kc - M[c][:, None]", "Kc"),
    "penalty on the norm of f": ("np.eye(len(K))", "K"),
    "means only": ("np.linalg.solve(N, apart)", "apart"),
    "not made of length one": (" / np.linalg.norm(a)", ""),
    "scatter of class 1 only": ("N += D", "N = D"),
    "mean scatter of each class": ("D @ D.T", "D @ D.T / np.sum(y == c)"),
    "covariances of the classes": ("D @ D.T", "np.cov(Kc)"),
    "centred along the wrong axis": ("M[c][:, None]", "Kc.mean(axis=0)"),
    "penalty subtracted": ("N += lam", "N -= lam"),
    "centred first": ("M = [", "K = center_gram(K)\n    M = ["),
    "ridge regression": ("N, apart", "K + lam * np.eye(len(K)), 2 * y - 1"),
}
mistake.changes("kernel_fisher", kernel_fisher, mistakes)


# 8.6


def gauss(A, B, sigma):
    return np.exp(-cdist(A, B, "sqeuclidean") / (2 * sigma**2))


def denoise(X, Xq, sigma, q, steps):
    k = gauss
    K, Kq = k(X, X, sigma), k(Xq, X, sigma)
    lam, B = np.linalg.eigh(center_gram(K))
    lam, B = lam[-q:], B[:, -q:]
    alpha = B / np.sqrt(lam)
    rows = center_test_gram(K, Kq)
    gamma = rows @ alpha @ alpha.T + 1 / len(X)
    Z = Xq
    for _ in range(steps):
        W = gamma * k(Z, X, sigma)
        Z = W @ X / W.sum(axis=1, keepdims=True)
    return Z


RENEWED = """Kz = k(Z, X, sigma)
        W = (center_test_gram(K, Kz) @ alpha @ alpha.T + 1 / len(X)) * Kz"""
mistakes = {
    "new rows not centred": ("center_test_gram(K, Kq)", "Kq"),
    "nothing centred": ("center_test_gram(K, Kq)", "Kq", "center_gram(K)", "K"),
    "mean feature forgotten": (" + 1 / len(X)", ""),
    "weights not renewed": ("k(Z, X, sigma)", "Kq"),
    "no kernel in the weights": ("gamma * k(Z, X, sigma)", "gamma"),
    "not divided by the sum of the weights": (" / W.sum(axis=1, keepdims=True)", ""),
    "unit eigenvectors for alpha": ("B / np.sqrt(lam)", "B"),
    "scores for alpha": ("B / np.sqrt(lam)", "B * np.sqrt(lam)"),
    "two forgotten in the Gaussian": ("k = gauss", "k = lambda A, B, s: gauss(A, B, s) ** 2"),
    "β renewed": ("W = gamma * k(Z, X, sigma)", RENEWED),
    "starts at the training point with the nearest feature": ("Z = Xq", "Z = X[np.argmax(gamma @ K, axis=1)]"),
    "rows normalised": ("rows = ", "Kq = Kq / Kq.max(axis=1)[:, None]\n    rows = "),
}  # fmt: skip
mistake.changes("denoise", denoise, mistakes)


# 8.7


def paired_report(clean, first, second):
    squares = [np.mean((after - clean) ** 2, axis=1) for after in (first, second)]
    a, b = np.sqrt(squares)
    d = a - b
    error = d.std(ddof=1) / np.sqrt(len(d))
    return a.mean(), b.mean(), d.mean(), error


ROOTS = "A, B = np.sqrt(np.mean(squares, axis=1))\n    return A, B, A - B"
mistakes = {
    "standard deviation of single pictures": (" / np.sqrt(len(d))", ""),
    "divided by m under the root": ("ddof=1", ""),
    "first and second exchanged": ("in (first, second)", "in (second, first)"),
    "not paired": ("d.std(ddof=1)", "np.sqrt(a.var(ddof=1) + b.var(ddof=1))"),
    "root over everything": ("return a.mean(), b.mean(), d.mean()", ROOTS),
    "no root": ("np.sqrt(squares)", "squares"),
    "summed over pixels": ("np.mean((", "np.sum(("),
    "absolute errors": ("(after - clean) ** 2", "np.abs(after - clean)", "np.sqrt(squares)", "squares"),
    "second less first": ("a - b", "b - a"),
    "sign of the difference lost": ("d.mean()", "abs(d.mean())"),
    "absolute differences": ("a - b", "np.abs(a - b)"),
    "pixels for pictures": ("axis=1", "axis=0"),
}
mistake.changes("paired_report", paired_report, mistakes)


RAISING = {
    "no keepdims": ("center_test_gram", [lambda K, Kq: Kq - Kq.mean(axis=1) - K.mean(axis=0) + K.mean()]),
}


def squeezed(K, Kq):
    return np.squeeze(shifted_and_projected(K, Kq))


def by_an_eigenvector(K, y, lam):
    """Fisher's quotient as a generalised eigenvalue problem, with the sign that LAPACK gives."""
    d = K[:, y == 1].mean(axis=1) - K[:, y == 0].mean(axis=1)
    N = sum(np.cov(K[:, y == c], ddof=0) * np.sum(y == c) for c in (0, 1))
    a = eigh(np.outer(d, d), N + lam * np.eye(len(K)))[1][:, -1]
    return a / np.linalg.norm(a)


def column_lost(K, q):
    s, lam = by_singular_values(K, q)
    return np.squeeze(s), np.squeeze(lam)


SHORT = """before, Z = Z, W @ X / W.sum(axis=1, keepdims=True)
        if np.abs(Z - before).max() < 1e-3:
            break"""

ONLY = {
    ("center_test_gram", 1): squeezed,
    ("kernel_pca", 1): column_lost,
    ("denoise", 1): changed(denoise, "Z = W @ X / W.sum(axis=1, keepdims=True)", SHORT),
    ("denoise", 2): changed(denoise, "range(steps)", "range(max(steps, 1))"),
    ("kernel_fisher", 1): lambda K, y, lam: (a := kernel_fisher(K, y, lam)) / np.sqrt(a @ K @ a),
    ("kernel_fisher", 2): by_an_eigenvector,
    ("paired_report", 1): changed(paired_report, "return a.mean(), b.mean()", "return b.mean(), a.mean()"),
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)

wrong("center_gram", "last term forgotten")(changed(center_gram, " + columns @ U", ""))
wrong("center_gram")(lambda K: center_gram(K) / len(K))

wrong("center_test_gram", "not centred")(lambda K, Kq: Kq + 0.0)
wrong("center_test_gram")(changed(center_test_gram, "M = K", "M = np.vstack([K, Kq])", " - rows + overall", ""))

wrong("kernel_pca", "smallest eigenvalues")(changed(kernel_pca, "argsort(-lam)", "argsort(lam)"))
wrong("kernel_pca")(changed(kernel_pca, "return scores", "return np.abs(scores)"))

wrong("explained_ratio")(changed(explained_ratio, "centred(K)", "K", "lam.sum()", "lam[:q].sum()"))

wrong("kernel_fisher", "from class 1 to class 0")(changed(kernel_fisher, "M[1] - M[0]", "M[0] - M[1]"))
wrong("kernel_fisher")(changed(kernel_fisher, "lam * np", "1e-12 * np"))
wrong("kernel_fisher")(lambda K, y, lam: -2 * kernel_fisher(K, y, lam))

uncentred = "center_test_gram(K, Kq)", "Kq", "center_gram(K)", "K"
wrong("denoise")(changed(denoise, *uncentred, " + 1 / len(X)", ""))
wrong("denoise")(lambda X, Xq, sigma, q, steps: (Xq + denoise(X, Xq, sigma, q, steps)) / 2)

wrong("denoise")(changed(denoise, "range(steps)", "range(steps + 1)"))
wrong("denoise")(changed(denoise, "range(steps)", "range(steps - 1)"))

wrong("paired_report")(changed(paired_report, "np.sqrt(squares)", "squares", "a - b", "b - a"))
ORDERED = "return max(a.mean(), b.mean()), min(a.mean(), b.mean()), abs(d.mean())"
wrong("paired_report")(changed(paired_report, "return a.mean(), b.mean(), d.mean()", ORDERED))
