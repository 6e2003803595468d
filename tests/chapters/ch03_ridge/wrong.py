"""Wrong answers to chapter 3 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from tests.chapters.ch03_ridge.typed import best, fit, hat, loo, predict_with_alpha, search, table
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)


def gauss(X, Z, sigma):
    return np.exp(-cdist(X, Z, "sqeuclidean") / (2 * sigma**2))


def krr(X, y, Xq, sigma, lam):
    return gauss(Xq, X, sigma) @ fit(gauss(X, X, sigma), y, lam)


# -- 3.1


def with_bias(K, y, lam):
    """α and b."""
    n = len(y)
    A = np.block([[K + lam * np.eye(n), np.ones((n, 1))], [np.ones((1, n)), np.zeros((1, 1))]])
    return np.linalg.solve(A, np.append(y, 0))


def by_eigenvectors(K, y, lam):
    w, U = np.linalg.eigh(K)
    return U @ ((U.T @ y) / (w + lam))


wrong("krr_fit", "half lambda + n times lambda")(lambda K, y, lam: fit(K, y, len(y) * lam / 2))
wrong("krr_fit", "fitted values + n times lambda")(lambda K, y, lam: K @ fit(K, y, len(y) * lam))
wrong("krr_fit", "lambda missing at the last point")(
    lambda K, y, lam: np.linalg.solve(K + lam * np.diag(np.arange(len(y)) < len(y) - 1), y)
)
wrong("krr_fit", "lambda missing at the first point")(
    lambda K, y, lam: np.linalg.solve(K + lam * np.diag(np.arange(len(y)) > 0), y)
)
wrong("krr_fit", "eigenvectors and their transpose exchanged")(changed(by_eigenvectors, "U @ ((U.T", "U.T @ ((U"))
wrong("krr_fit", "with a free bias")(lambda K, y, lam: with_bias(K, y, lam)[:-1])
wrong("krr_fit", "no lambda")(lambda K, y, lam: np.linalg.pinv(K) @ y)
wrong("krr_fit")(lambda K, y, lam: np.linalg.solve(lam * K + np.eye(len(y)), y))


@wrong("krr_fit")
def cached_in_a_default(K, y, lam, cache={}):  # noqa: B006
    if len(y) not in cache:
        cache[len(y)] = fit(K, y, lam)
    return cache[len(y)]


# -- 3.2


def free_bias(X, y, Xq, sigma, lam):
    s = with_bias(gauss(X, X, sigma), y, lam)
    return gauss(Xq, X, sigma) @ s[:-1] + s[-1]


def standardised(X, y, Xq, sigma, lam):
    m, s = X.mean(0), X.std(0)
    return krr((X - m) / s, y, (Xq - m) / s, sigma, lam)


NO_TWO = ("gauss(Xq, X, sigma)", "gauss(Xq, X, sigma / 2**0.5)", "gauss(X, X, sigma)", "gauss(X, X, sigma / 2**0.5)")

wrong("krr_fit_predict", "exponent without the 2 + no lambda")(changed(krr, *NO_TWO, "y, lam)", "y, 0)"))
wrong("krr_fit_predict", "exponent without the 2 + n times lambda")(
    changed(krr, *NO_TWO, "y, lam)", "y, len(y) * lam)")
)
wrong("krr_fit_predict")(changed(krr, *NO_TWO[:2]))
wrong("krr_fit_predict", "inputs standardised")(standardised)
wrong("krr_fit_predict", "alpha: mean of y subtracted")(predict_with_alpha(lambda K, y, lam: fit(K, y - y.mean(), lam)))
wrong("krr_fit_predict", "with a free bias")(free_bias)
wrong("krr_fit_predict", "sigma and lambda swapped when predicting")(changed(krr, "(Xq, X, sigma)", "(Xq, X, lam)"))

# -- 3.3


def by_singular_values(Phi, y, lam):
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
    return Vt.T @ (s / (s**2 + lam) * (U.T @ y))


wrong("ridge_dual_w", "w = Phi alpha")(lambda Phi, y, lam: Phi @ fit(Phi @ Phi.T, y, lam))
wrong("ridge_dual_w", "Phi'Phi in the dual system")(
    lambda Phi, y, lam: Phi.T @ np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), y)
)
wrong("ridge_dual_w", "Phi^T y")(lambda Phi, y, lam: Phi.T @ y)
wrong("ridge_dual_w", "no lambda")(lambda Phi, y, lam: np.linalg.lstsq(Phi, y, rcond=None)[0])
wrong("ridge_dual_w", "no lambda in the normal equations")(lambda Phi, y, lam: np.linalg.inv(Phi.T @ Phi) @ Phi.T @ y)
wrong("ridge_dual_w", "singular values not squared")(changed(by_singular_values, "s / (s**2", "1 / (s"))
wrong("ridge_dual_w", "shrinks without dividing")(changed(by_singular_values, "s / (s", "s**2 / (s"))
wrong("ridge_dual_w", "last term only")(lambda Phi, y, lam: fit(Phi @ Phi.T, y, lam)[-1] * Phi[-1])
wrong("ridge_dual_w", "half lambda + n times lambda")(lambda P, y, lam: P.T @ fit(P @ P.T, y, len(y) * lam / 2))
wrong("ridge_dual_w")(lambda Phi, y, lam: Phi.T @ fit(Phi @ Phi.T, y, Phi.shape[1] * lam))


@wrong("ridge_dual_w", "features centred")
def with_intercept(Phi, y, lam):
    P = Phi - Phi.mean(0)
    return P.T @ fit(P @ P.T, y - y.mean(), lam)


# -- 3.4

wrong("krr_loo_residuals", "GCV denominator + 1/n times")(
    lambda K, y, lam: fit(K, y, lam) / np.trace(np.linalg.inv(K + lam * np.eye(len(y))))
)
wrong("krr_loo_residuals", "squared + minus")(lambda K, y, lam: -(loo(K, y, lam) ** 2))
wrong("krr_loo_residuals")(changed(loo, "np.diag(H)", "H.sum(axis=1)"))
wrong("krr_loo_residuals")(changed(loo, "1 - np", "1 + np"))  # smaller than the training residual

# -- 3.5


def df(K, lam):
    w = np.linalg.eigvalsh(K)
    return np.sum(w / (w + lam))


wrong("effective_df", "residual degrees of freedom")(changed(df, "sum(w", "sum(lam"))
wrong("effective_df", "trace of the inverse")(changed(df, "sum(w", "sum(1"))
wrong("effective_df", "minus lambda")(changed(df, "w + lam", "w - lam"))
wrong("effective_df", "trace of H squared")(changed(df, "w / (w + lam)", "w**2 / (w + lam) ** 2"))
wrong("effective_df", "as if K were the identity")(lambda K, lam: len(K) / (1 + lam))
wrong("effective_df", "ratio of two traces")(lambda K, lam: np.trace(K) / np.trace(K + lam * np.eye(len(K))))
wrong("effective_df", "trace of H squared + the square root of")(lambda K, lam: np.linalg.norm(hat(K, lam)))
wrong("effective_df", "residual degrees of freedom + n times lambda")(lambda K, lam: len(K) - df(K, len(K) * lam))
wrong("effective_df")(lambda K, lam: np.linalg.slogdet(np.eye(len(K)) + K / lam)[1])  # not between 0 and n

# -- 3.6


def norm_by_loops(K, alpha):
    total = 0.0
    for i in range(len(alpha)):
        for j in range(len(alpha)):
            total += alpha[i] * alpha[j] * K[i, j]
    return total


wrong("rkhs_norm2", "diagonal missing")(lambda K, alpha: alpha @ (K - np.diag(np.diag(K))) @ alpha)
wrong("rkhs_norm2", "last term only")(changed(norm_by_loops, "+=", "="))
wrong("rkhs_norm2", "return inside the loop")(changed(norm_by_loops, "    return", "        return"))
wrong("rkhs_norm2", "alpha'alpha + the square root of")(lambda K, alpha: np.linalg.norm(alpha))
wrong("rkhs_norm2", "diagonal missing + 1/2 times")(changed(norm_by_loops, "j in range(len(alpha))", "j in range(i)"))
wrong("rkhs_norm2")(lambda K, alpha: alpha @ K[::-1] @ alpha)  # negative

# -- 3.7

wrong("krr_tune", "residuals: returns alpha")(search(residuals=fit))
wrong("krr_tune", "rows and columns exchanged")(
    lambda X, y, sigmas, lams: best(table(X, y, sigmas, lams).T, sigmas, lams)
)
wrong("krr_tune")(search(error=lambda r: np.median(r**2)))  # another error than the one asked for


@wrong("krr_tune", "lambda accumulates")
def adds_in_place(X, y, sigmas, lams):
    return best(table(X, y, sigmas, np.cumsum(lams)), sigmas, lams)


@wrong("krr_tune")
def pairs_by_zip(X, y, sigmas, lams):
    """Another pair has a smaller error."""
    return min(
        ((s, lam, table(X, y, [s], [lam])[0, 0]) for s, lam in zip(sigmas, lams, strict=False)), key=lambda p: p[2]
    )


@wrong("krr_tune")
def refined(X, y, sigmas, lams):
    """None of the candidates."""
    fine = np.logspace(np.log10(min(lams)), np.log10(max(lams)), 50)
    return best(table(X, y, sigmas, fine), sigmas, fine)
