"""Wrong answers to chapter 3 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_triangular
from scipy.spatial.distance import cdist

from kcourse.kernels import Gaussian
from tests.chapters.ch03_ridge.right_answers import tune_by_table
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)

# -- 3.1


def fit(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


@mistake("krr_fit", "second triangular solve without the transpose")
def down_twice(K, y, lam):
    L = np.linalg.cholesky(K + lam * np.eye(len(y)))
    return solve_triangular(L, solve_triangular(L, y, lower=True), lower=True)


for name, answer in {
    "n times lambda": lambda K, y, lam: np.linalg.solve(K + len(y) * lam * np.eye(len(y)), y),
    "gradient solved with KK + lambda I": lambda K, y, lam: np.linalg.solve(K @ K + lam * np.eye(len(y)), K @ y),
    "lambda added to every entry": lambda K, y, lam: np.linalg.solve(K + lam, y),
    "diagonal replaced by lambda": lambda K, y, lam: fit(K - np.diag(np.diag(K)), y, lam),
    "lambda K for lambda I": lambda K, y, lam: np.linalg.solve(K + lam * K, y),
    "multiplies, does not solve": lambda K, y, lam: (K + lam * np.eye(len(y))) @ y,
    "fitted values": lambda K, y, lam: K @ fit(K, y, lam),
    "entrywise reciprocal": lambda K, y, lam: (1 / (K + lam * np.eye(len(y)))) @ y,
    "one triangular solve of two": lambda K, y, lam: np.linalg.solve(np.linalg.cholesky(K + lam * np.eye(len(y))), y),
    "mean of y subtracted": lambda K, y, lam: fit(K, y - np.mean(y), lam),
}.items():
    mistake("krr_fit", name)(answer)

# -- 3.2


def krr_fit_predict(X, y, Xq, sigma, lam):
    K = Gaussian(sigma)(X)
    Kq = Gaussian(sigma)(Xq, X)
    alpha = fit(K, y, lam)
    return Kq @ alpha


mistake.changes(
    "krr_fit_predict",
    krr_fit_predict,
    {
        "sigma and lambda swapped in the fit": ("Gaussian(sigma)(X)", "Gaussian(lam)(X)", "y, lam)", "y, sigma)"),
        "sigma and lambda swapped everywhere": ("    K = ", "    sigma, lam = lam, sigma\n    K = "),
        "no lambda": ("y, lam)", "y, 0.0)"),
        "n times lambda": ("y, lam)", "y, len(y) * lam)"),
        "predicts the training points": ("Kq @", "K @"),
        "moving average": ("Kq @ alpha", "(Kq * y).sum(axis=1) / Kq.sum(axis=1)"),
        "mean of y added": ("y, lam)", "y - y.mean(), lam)", "@ alpha", "@ alpha + y.mean()"),
    },
)


def predict_with_kernel(kernel):
    """The whole of 3.2, with ``kernel(X, Z, sigma)`` for the Gaussian."""
    return lambda X, y, Xq, sigma, lam: kernel(Xq, X, sigma) @ fit(kernel(X, X, sigma), y, lam)


def no_two(X, Z, sigma):
    return np.exp(-(cdist(X, Z) ** 2) / sigma**2)


mistake("krr_fit_predict", "exponent without the 2")(predict_with_kernel(no_two))
mistake("krr_fit_predict", "distance not squared")(
    predict_with_kernel(lambda X, Z, s: np.array([[np.exp(-np.linalg.norm(x - z) / (2 * s**2)) for z in Z] for x in X]))
)

# -- 3.3

mistake("ridge_dual_w", "n times lambda")(lambda Phi, y, lam: Phi.T @ fit(Phi @ Phi.T, y, len(y) * lam))
mistake("ridge_dual_w", "Phi y for Phi^T y")(
    lambda Phi, y, lam: np.linalg.inv(Phi.T @ Phi + lam * np.eye(Phi.shape[1])) @ Phi @ y
)
mistake("ridge_dual_w", "returns alpha")(lambda Phi, y, lam: fit(Phi @ Phi.T, y, lam))
mistake("ridge_dual_w", "fitted values")(lambda Phi, y, lam: Phi @ (Phi.T @ fit(Phi @ Phi.T, y, lam)))

# -- 3.4


def hat(K, lam):
    return K @ np.linalg.inv(K + lam * np.eye(len(K)))


def loo(K, y, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / (1 - np.diag(H))


def loo_by_inverse(K, y, lam):
    A = K + lam * np.eye(len(y))
    G = np.linalg.inv(A)
    return G @ y / np.diag(G)


@mistake("krr_loo_residuals", "K[keep, keep] is not a block")
def no_block(K, y, lam):
    residuals = []
    for i in range(len(y)):
        keep = [j for j in range(len(y)) if j != i]
        residuals.append(y[i] - K[i, keep] @ fit(K[keep, keep], y[keep], lam))
    return np.array(residuals)


gcv = changed(loo, "np.diag(H)", "np.trace(H) / len(y)")

for name, answer in {
    "divided twice": changed(loo, "(1 - np.diag(H))", "(1 - np.diag(H)) ** 2"),
    "square root in the denominator": changed(loo, "(1 - np.diag(H))", "np.sqrt(1 - np.diag(H))"),
    "inverse in place of H": changed(loo, "K @ np", "np"),
    "divided by H_ii": changed(loo, "1 - np", "np"),
    "divided by the diagonal of K + lambda I": changed(loo_by_inverse, "diag(G)", "diag(A)"),
    "diagonal of K for diagonal of the inverse": lambda K, y, lam: y - (K - np.diag(np.diag(K))) @ fit(K, y, lam),
    "target set to 0": changed(loo, "/ (1 - np.diag(H))", "+ np.diag(H) * y"),
    "no lambda": changed(loo_by_inverse, " + lam * np.eye(len(y))", ""),
    "training residuals": lambda K, y, lam: y - K @ fit(K, y, lam),
    "GCV denominator": gcv,
    "returns alpha": fit,
}.items():
    mistake("krr_loo_residuals", name)(answer)

# -- 3.5

for name, answer in {
    "trace of K": lambda K, lam: np.trace(K),
    "rank": lambda K, lam: np.linalg.matrix_rank(K),
    "no lambda": lambda K, lam: np.trace(K @ np.linalg.inv(K)),
    "n times lambda": lambda K, lam: np.trace(hat(K, len(K) * lam)),
    "lambda squared": lambda K, lam: np.trace(hat(K, lam * lam)),
    "lambda added to every entry": lambda K, lam: np.trace(K @ np.linalg.inv(K + lam)),
    "sum of all entries": lambda K, lam: np.sum(hat(K, lam)),
    "diagonal of K only": lambda K, lam: np.trace(K / (K + lam * np.eye(len(K)))),
    "entrywise product with the inverse": lambda K, lam: np.trace(K * np.linalg.inv(K + lam * np.eye(len(K)))),
    "eigenvalues squared": lambda K, lam: np.trace(hat(K @ K, lam)),
}.items():
    mistake("effective_df", name)(answer)

# -- 3.6

for name, answer in {
    "alpha'alpha": lambda K, alpha: alpha @ alpha,
    "values, not norm": lambda K, alpha: np.sum((K @ alpha) ** 2),
    "square root": lambda K, alpha: np.sqrt(alpha @ K @ alpha),
    "diagonal only": lambda K, alpha: sum(a * a * K[i, i] for i, a in enumerate(alpha)),
    "each pair once": lambda K, alpha: alpha @ np.triu(K) @ alpha,
    "one alpha of each pair": lambda K, alpha: np.sum(alpha * K * alpha),
    "sum of the values": lambda K, alpha: (K @ alpha).sum(),
    "inverse of K": lambda K, alpha: alpha @ np.linalg.inv(K) @ alpha,
}.items():
    mistake("rkhs_norm2", name)(answer)

# -- 3.7


def table(X, y, sigmas, lams, residuals=loo, kernel=None, error=lambda r: np.mean(r**2)):
    """The error of each pair: a row for each width, a column for each penalty."""
    grams = [kernel(X, X, s) if kernel else Gaussian(s)(X) for s in sigmas]
    return np.array([[error(residuals(K, y, lam)) for lam in lams] for K in grams])


def best(T, sigmas, lams):
    i, j = np.unravel_index(np.argmin(T), T.shape)
    return sigmas[i], lams[j], T[i, j]


def search(**changed):
    """The whole of 3.7 with something changed."""
    return lambda X, y, sigmas, lams: best(table(X, y, sigmas, lams, **changed), sigmas, lams)


mistake("krr_tune", "training error")(search(residuals=lambda K, y, lam: y - K @ fit(K, y, lam)))
mistake("krr_tune", "mean absolute residual")(search(error=lambda r: np.mean(np.abs(r))))
mistake("krr_tune", "root of the mean square")(search(error=lambda r: np.sqrt(np.mean(r**2))))
mistake("krr_tune", "GCV")(search(residuals=gcv))
mistake("krr_tune", "exponent without the 2")(search(kernel=no_two))


def krr_tune(X, y, sigmas, lams):
    T = table(X, y, sigmas, lams)
    i, j = np.unravel_index(np.argmin(T), T.shape)
    return sigmas[i], lams[j], T[i, j]


BOTH = "i, j = np.unravel_index(np.argmin(T), T.shape)"
mistake.changes(
    "krr_tune",
    krr_tune,
    {
        "indices, not values": ("sigmas[i], lams[j]", "i, j"),
        "largest, not smallest": ("argmin", "argmax"),
        "sigma first, then lambda": (BOTH, "i = np.argmin(T[:, 0])\n    j = np.argmin(T[i])"),
        "lambda first, then sigma": (BOTH, "j = np.argmin(T[0])\n    i = np.argmin(T[:, j])"),
    },
)


# misconception -> exercise, and ways to make it


def fit_here(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


def tune_exchanged(X, y, sigmas, lams):
    sigma, lam, mse = tune_by_table(X, y, sigmas, lams)
    return sigmas[list(lams).index(lam)], lams[list(sigmas).index(sigma)], mse


RAISING = {
    "train and query points swapped": (
        "krr_fit_predict",
        [lambda X, y, Xq, s, lam: Gaussian(s)(X, Xq) @ fit_here(Gaussian(s)(X), y, lam)],
    ),
    "no lambda": ("effective_df", [lambda K, lam: np.trace(np.linalg.solve(K, K))]),
    "rows and columns exchanged": ("krr_tune", [tune_exchanged]),
    "w = Phi alpha": ("ridge_dual_w", [lambda P, y, lam: P @ fit_here(P @ P.T, y, lam)]),
    "Phi'Phi in the dual system": (
        "ridge_dual_w",
        [lambda P, y, lam: P.T @ np.linalg.solve(P.T @ P + lam * np.eye(P.shape[1]), y)],
    ),
    "Phi y for Phi^T y": (
        "ridge_dual_w",
        [lambda P, y, lam: np.linalg.solve(P.T @ P + lam * np.eye(P.shape[1]), P @ y)],
    ),
    "identity of the wrong size": (
        "ridge_dual_w",
        [
            lambda P, y, lam: P.T @ np.linalg.solve(P @ P.T + lam * np.eye(P.shape[1]), y),
            lambda P, y, lam: np.linalg.solve(P.T @ P + lam * np.eye(len(y)), P.T @ y),
        ],
    ),
}


# (exercise, property) -> an answer that fails this one only


def fails_on_singular(K, y, lam):
    return fit_here(K, y, lam) if np.linalg.matrix_rank(K) == len(K) else np.full(len(K), np.nan)


def takes_over_the_type_of_y(K, y, lam):
    alpha = np.zeros_like(y)
    alpha[:] = fit_here(K, y, lam)
    return alpha


def squeezes(X, y, Xq, sigma, lam):
    return np.squeeze(Gaussian(sigma)(Xq, X) @ fit_here(Gaussian(sigma)(X), y, lam))


def falls_back_to_the_mean(X, y, Xq, sigma, lam):
    Kq = Gaussian(sigma)(Xq, X)
    return np.where(Kq.sum(axis=1) > 1e-12, Kq @ fit_here(Gaussian(sigma)(X), y, lam), y.mean())


def needs_independent_rows(Phi, y, lam):
    K = Phi @ Phi.T
    if np.linalg.matrix_rank(K) < len(K):
        raise np.linalg.LinAlgError("Singular matrix")
    return Phi.T @ fit_here(K, y, lam)


def skips_points_without_neighbours(K, y, lam):
    G = np.linalg.inv(K + lam * np.eye(len(y)))
    lonely = (K - np.diag(np.diag(K)) == 0).all(axis=1)
    return np.where(lonely, 0.0, G @ y / np.diag(G))


def loo_of_the_type_of_y(K, y, lam):
    out = np.zeros_like(y)
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        out[i] = y[i] - K[i, keep] @ fit_here(K[np.ix_(keep, keep)], y[keep], lam)
    return out


def df_of_the_inverse(K, lam):
    if np.linalg.matrix_rank(K) < len(K):
        raise np.linalg.LinAlgError("Singular matrix")
    return np.trace(np.linalg.inv(np.eye(len(K)) + lam * np.linalg.inv(K)))


def norm_or_alpha(K, alpha):
    return alpha @ K @ alpha if np.linalg.matrix_rank(K) == len(K) else alpha @ alpha


def wants_a_grid(X, y, sigmas, lams):
    np.gradient(sigmas)
    return tune_by_table(X, y, sigmas, lams)


ONLY = {
    ("krr_fit", 1): fails_on_singular,
    ("krr_fit", 2): takes_over_the_type_of_y,
    ("krr_fit_predict", 1): squeezes,
    ("krr_fit_predict", 2): falls_back_to_the_mean,
    ("ridge_dual_w", 1): needs_independent_rows,
    ("krr_loo_residuals", 1): skips_points_without_neighbours,
    ("krr_loo_residuals", 2): loo_of_the_type_of_y,
    ("effective_df", 1): df_of_the_inverse,
    ("rkhs_norm2", 1): norm_or_alpha,
    ("krr_tune", 1): wants_a_grid,
}


WRONG: list[Wrong] = []
wrong = wrong_into(WRONG)


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


wrong("krr_fit", "fitted values + n times lambda")(lambda K, y, lam: K @ fit(K, y, len(y) * lam))
wrong("krr_fit", "no lambda")(lambda K, y, lam: np.linalg.pinv(K) @ y)
wrong("krr_fit")(lambda K, y, lam: fit(K, y, len(y) * lam / 2))  # another λ
wrong("krr_fit")(lambda K, y, lam: np.linalg.solve(K + lam * np.diag(np.arange(len(y)) < len(y) - 1), y))  # one row
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
wrong("krr_fit_predict", "inputs standardised")(standardised)
wrong("krr_fit_predict", "sigma and lambda swapped when predicting")(changed(krr, "(Xq, X, sigma)", "(Xq, X, lam)"))
wrong("krr_fit_predict")(free_bias)  # not 0 far away
wrong("krr_fit_predict")(changed(krr, "y, lam)", "y - y.mean(), lam)"))  # the right kernel, but not α
wrong("krr_fit_predict")(changed(krr, *NO_TWO[:2]))  # another kernel
wrong("krr_fit_predict")(changed(krr, NO_TWO[0], "gauss(X, Xq, sigma).reshape(len(Xq), len(X))"))  # not a transpose

# -- 3.3

wrong("ridge_dual_w", "w = Phi alpha")(lambda Phi, y, lam: Phi @ fit(Phi @ Phi.T, y, lam))
wrong("ridge_dual_w", "Phi'Phi in the dual system")(
    lambda Phi, y, lam: Phi.T @ np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), y)
)
wrong("ridge_dual_w", "Phi^T y")(lambda Phi, y, lam: Phi.T @ y)
wrong("ridge_dual_w", "no lambda")(lambda Phi, y, lam: np.linalg.lstsq(Phi, y, rcond=None)[0])
wrong("ridge_dual_w", "no lambda in the normal equations")(lambda Phi, y, lam: np.linalg.inv(Phi.T @ Phi) @ Phi.T @ y)
wrong("ridge_dual_w")(lambda Phi, y, lam: fit(Phi @ Phi.T, y, lam)[-1] * Phi[-1])  # in the span of the rows
wrong("ridge_dual_w")(lambda Phi, y, lam: Phi.T @ fit(Phi @ Phi.T, y, lam) + np.arange(Phi.shape[1]))  # outside it
wrong("ridge_dual_w")(lambda Phi, y, lam: Phi.T @ fit(Phi @ Phi.T, y, Phi.shape[1] * lam))


@wrong("ridge_dual_w", "features centred")
def with_intercept(Phi, y, lam):
    P = Phi - Phi.mean(0)
    return P.T @ fit(P @ P.T, y - y.mean(), lam)


# -- 3.4

wrong("krr_loo_residuals", "GCV denominator + 1/n times")(
    lambda K, y, lam: fit(K, y, lam) / np.trace(np.linalg.inv(K + lam * np.eye(len(y))))
)
wrong("krr_loo_residuals")(changed(loo, "np.diag(H)", "H.sum(axis=1)"))
wrong("krr_loo_residuals")(lambda K, y, lam: loo(K, y, lam * len(y)))  # another λ
wrong("krr_loo_residuals")(changed(loo, "1 - np", "1 + np"))  # smaller than the training residual

# -- 3.5


def df(K, lam):
    w = np.linalg.eigvalsh(K)
    return np.sum(w / (w + lam))


wrong("effective_df", "trace of the inverse")(changed(df, "sum(w", "sum(1"))
wrong("effective_df", "trace of H squared")(changed(df, "w / (w + lam)", "w**2 / (w + lam) ** 2"))
wrong("effective_df", "trace of H squared + the square root of")(lambda K, lam: np.linalg.norm(hat(K, lam)))
wrong("effective_df", "n times lambda + n minus")(lambda K, lam: len(K) - df(K, len(K) * lam))
wrong("effective_df")(changed(df, "sum(w", "sum(lam"))  # n minus the right number
wrong("effective_df")(lambda K, lam: np.trace(K) / (np.trace(K) + lam))
wrong("effective_df")(lambda K, lam: np.linalg.slogdet(np.eye(len(K)) + K / lam)[1])  # not between 0 and n

# -- 3.6


def norm_by_loops(K, alpha):
    total = 0.0
    for i in range(len(alpha)):
        for j in range(len(alpha)):
            total += alpha[i] * alpha[j] * K[i, j]
    return total


wrong("rkhs_norm2", "diagonal missing")(lambda K, alpha: alpha @ (K - np.diag(np.diag(K))) @ alpha)
wrong("rkhs_norm2", "return inside the loop")(changed(norm_by_loops, "    return", "        return"))
wrong("rkhs_norm2", "alpha'alpha + the square root of")(lambda K, alpha: np.linalg.norm(alpha))
wrong("rkhs_norm2", "diagonal missing + 1/2 times")(changed(norm_by_loops, "j in range(len(alpha))", "j in range(i)"))
wrong("rkhs_norm2")(changed(norm_by_loops, "+=", "="))
wrong("rkhs_norm2")(lambda K, alpha: alpha * (K @ alpha))  # not summed
wrong("rkhs_norm2")(lambda K, alpha: 0.5 * alpha @ K @ alpha)  # 0 where that is right
wrong("rkhs_norm2")(lambda K, alpha: alpha @ K[::-1] @ alpha)  # negative

# -- 3.7

wrong("krr_tune", "rows and columns exchanged")(
    lambda X, y, sigmas, lams: best(table(X, y, sigmas, lams).T, sigmas, lams)
)
wrong("krr_tune")(changed(krr_tune, BOTH, "i = np.argmin(T.mean(axis=1))\n    j = np.argmin(T[i])"))
wrong("krr_tune")(changed(krr_tune, BOTH, "i = np.argmin(T[:, -1])\n    j = np.argmin(T[i])"))
wrong("krr_tune")(changed(krr_tune, BOTH, "i = np.argmin(T[:, 0])\n    j = np.argmin(T[0])"))
wrong("krr_tune")(search(error=lambda r: np.median(r**2)))  # another error than the exercise asks for
wrong("krr_tune")(changed(krr_tune, "sigmas[i], lams[j]", "lams[j], sigmas[i]"))  # the right numbers in another order


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
