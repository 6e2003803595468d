"""Wrong answers to chapter 3 as students write them: each named mistake, what fails one property alone, and others."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.spatial.distance import cdist

from kcourse.kernels import Gaussian
from tests.chapters.ch03_ridge.right_answers import tune_by_table
from tests.chapters.student_answers import Mistakes, Wrong, changed, mistakes_into, wrong_into

MISTAKES: Mistakes = {}
mistake = mistakes_into(MISTAKES)

# -- 3.1 α, in 3.1 itself and in what 3.2 and 3.3 do with it


def fit(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


def down_twice(K, y, lam):
    L = np.linalg.cholesky(K + lam * np.eye(len(y)))
    return solve_triangular(L, solve_triangular(L, y, lower=True), lower=True)


FACTORS = {
    "n times lambda": lambda K, y, lam: np.linalg.solve(K + len(y) * lam * np.eye(len(y)), y),
    "lambda over n": lambda K, y, lam: np.linalg.solve(K + lam / len(y) * np.eye(len(y)), y),
    "lambda squared": lambda K, y, lam: np.linalg.inv(K + lam**2 * np.identity(len(K))) @ y,
    "half lambda": lambda K, y, lam: cho_solve(cho_factor(K + np.diag([lam / 2] * len(y))), y),
    "twice lambda": lambda K, y, lam: np.linalg.solve(2 * lam * np.eye(K.shape[0]) + K, y),
}
ALPHAS = {
    "gradient solved with KK + lambda I": lambda K, y, lam: np.linalg.solve(K @ K + lam * np.eye(len(y)), K @ y),
    "KK for K": lambda K, y, lam: np.linalg.solve(K @ K + lam * np.eye(len(y)), y),
    "lambda added to every entry": lambda K, y, lam: np.linalg.solve(K + lam, y),
    "diagonal replaced by lambda": lambda K, y, lam: fit(K - np.diag(np.diag(K)), y, lam),
    "lambda K for lambda I": lambda K, y, lam: np.linalg.solve(K + lam * K, y),
    "lambda added after inverting": lambda K, y, lam: (np.linalg.inv(K) + lam * np.eye(len(y))) @ y,
    "minus lambda": lambda K, y, lam: np.linalg.solve(K - lam * np.eye(len(y)), y),
    "fitted values": lambda K, y, lam: K @ fit(K, y, lam),
    "multiplies, does not solve": lambda K, y, lam: (K + lam * np.eye(len(y))) @ y,
    "entrywise reciprocal": lambda K, y, lam: (1 / (K + lam * np.eye(len(y)))) @ y,
    "diagonal only": lambda K, y, lam: y / (np.diag(K) + lam),
    "one triangular solve of two": lambda K, y, lam: np.linalg.solve(np.linalg.cholesky(K + lam * np.eye(len(y))), y),
    "second triangular solve without the transpose": down_twice,
    "y standardised": lambda K, y, lam: fit(K, (y - y.mean()) / y.std(), lam),
    "mean of y subtracted": lambda K, y, lam: fit(K, y - np.mean(y), lam),
}
for name, answer in (FACTORS | ALPHAS).items():
    mistake("krr_fit", name)(answer)
mistake("krr_fit", "diagonal taken as 1")(lambda K, y, lam: fit(K - np.diag(np.diag(K)), y, 1 + lam))
mistake("krr_fit", "least norm among the optimal")(lambda K, y, lam: np.linalg.pinv(K @ K + lam * K) @ (K @ y))
mistake("krr_fit", "entrywise product with y")(lambda K, y, lam: np.linalg.inv(K + lam * np.eye(len(y))) * y)

# -- 3.2


def predict_with_alpha(alpha):
    """The whole of 3.2, with ``alpha(K, y, lam)`` for α."""
    return lambda X, y, Xq, sigma, lam: Gaussian(sigma)(Xq, X) @ alpha(Gaussian(sigma)(X), y, lam)


def predict_with_kernel(kernel):
    """The whole of 3.2, with ``kernel(X, Z, sigma)`` for the Gaussian."""
    return lambda X, y, Xq, sigma, lam: kernel(Xq, X, sigma) @ fit(kernel(X, X, sigma), y, lam)


def loops(X, Z, k):
    return np.array([[k(x, z) for z in Z] for x in X])


def differences(X, Z):
    return X[:, None, :] - Z[None, :, :]


KERNELS = {
    "exponent without the 2": lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / s**2),
    "brackets missing in the exponent": lambda X, Z, s: np.exp(-cdist(X, Z, "sqeuclidean") / 2 * s**2),
    "sigma used as gamma": lambda X, Z, s: loops(X, Z, lambda x, z: np.exp(-s * np.sum((x - z) ** 2))),
    "sigma not squared": lambda X, Z, s: np.exp(-cdist(X, Z, "sqeuclidean") / (2 * s)),
    "one over sigma for gamma": lambda X, Z, s: np.exp(-(1 / s) * cdist(X, Z, "sqeuclidean")),
    "distance not squared": lambda X, Z, s: loops(X, Z, lambda x, z: np.exp(-np.linalg.norm(x - z) / (2 * s**2))),
    "Laplacian kernel": lambda X, Z, s: np.exp(-cdist(X, Z) / s),
    "Laplacian kernel with the L1 norm": lambda X, Z, s: np.exp(-np.abs(differences(X, Z)).sum(axis=2) / s),
    "linear kernel": lambda X, Z, s: X @ Z.T,
    "distance squared twice": lambda X, Z, s: np.exp(-(cdist(X, Z, "sqeuclidean") ** 2) / (2 * s**2)),
    "minus sign missing": lambda X, Z, s: np.exp(cdist(X, Z, "sqeuclidean") / (2 * s**2)),
    "kernel normalised as a density": lambda X, Z, s: Gaussian(s)(X, Z) / (2 * np.pi * s**2) ** (X.shape[1] / 2),
    "kernel with one sigma too many": lambda X, Z, s: 1 / (s * np.sqrt(2 * np.pi)) * Gaussian(s)(X, Z),
    "distances feature by feature": lambda X, Z, s: np.exp(-(cdist(X, Z, "cityblock") ** 2) / (2 * s**2)),
    "summed before squaring": lambda X, Z, s: np.exp(-(differences(X, Z).sum(-1) ** 2) / (2 * s**2)),
    "mean over the features": lambda X, Z, s: np.exp(-np.mean(differences(X, Z) ** 2, axis=-1) / (2 * s**2)),
    "first feature only": lambda X, Z, s: np.exp(-((X[:, [0]] - Z[:, 0]) ** 2) / (2 * s**2)),
}
for name, kernel in KERNELS.items():
    mistake("krr_fit_predict", name)(predict_with_kernel(kernel))
for name, alpha in FACTORS.items():
    mistake("krr_fit_predict", name)(predict_with_alpha(alpha))
for name, alpha in ALPHAS.items():
    if name != "mean of y subtracted":
        mistake("krr_fit_predict", f"alpha: {name}")(predict_with_alpha(alpha))
mistake("krr_fit_predict", "no lambda")(predict_with_alpha(lambda K, y, lam: np.linalg.solve(K, y)))


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
        "sigma and lambda swapped everywhere": ("Xq, sigma, lam", "Xq, lam, sigma"),
        "lambda added when predicting": ("Kq @", "(Kq + lam * np.eye(*Kq.shape)) @"),
        "lambda added to every entry when predicting": ("Kq @", "(Kq + lam) @"),
        "predicts the training points": ("Kq @", "K @"),
        "returns alpha": ("Kq @ alpha", "alpha"),
        "y in place of alpha": ("@ alpha", "@ y"),
        "moving average": ("Kq @ alpha", "(Kq * y).sum(axis=1) / Kq.sum(axis=1)"),
        "last term only": ("Kq @ alpha", "Kq[:, -1] * alpha[-1]"),
        "mean of y added": ("y, lam)", "y - y.mean(), lam)", "@ alpha", "@ alpha + y.mean()"),
    },
)

# -- 3.3

for name, alpha in ALPHAS.items():
    mistake("ridge_dual_w", f"alpha: {name}")(lambda Phi, y, lam, alpha=alpha: Phi.T @ alpha(Phi @ Phi.T, y, lam))
for name, alpha in FACTORS.items():
    mistake("ridge_dual_w", name)(lambda Phi, y, lam, alpha=alpha: Phi.T @ alpha(Phi @ Phi.T, y, lam))
mistake("ridge_dual_w", "Phi y for Phi^T y")(
    lambda Phi, y, lam: np.linalg.inv(Phi.T @ Phi + lam * np.eye(Phi.shape[1])) @ Phi @ y
)
mistake("ridge_dual_w", "returns alpha")(lambda Phi, y, lam: fit(Phi @ Phi.T, y, lam))
mistake("ridge_dual_w", "fitted values")(lambda Phi, y, lam: Phi @ (Phi.T @ fit(Phi @ Phi.T, y, lam)))

# -- 3.4, in 3.4 itself and in the search of 3.7


def hat(K, lam):
    return K @ np.linalg.inv(K + lam * np.eye(len(K)))


def loo(K, y, lam):
    H = K @ np.linalg.inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / (1 - np.diag(H))


def loo_by_inverse(K, y, lam):
    A = K + lam * np.eye(len(y))
    G = np.linalg.inv(A)
    return G @ y / np.diag(G)


def no_block(K, y, lam):
    residuals = []
    for i in range(len(y)):
        keep = [j for j in range(len(y)) if j != i]
        residuals.append(y[i] - K[i, keep] @ fit(K[keep, keep], y[keep], lam))
    return np.array(residuals)


gcv = changed(loo, "np.diag(H)", "np.trace(H) / len(y)")

RESIDUALS = {
    "divided twice": changed(loo, "(1 - np.diag(H))", "(1 - np.diag(H)) ** 2"),
    "square root in the denominator": changed(loo, "(1 - np.diag(H))", "np.sqrt(1 - np.diag(H))"),
    "multiplied, not divided": changed(loo, ") / (", ") * ("),
    "multiplied by the diagonal of the inverse": changed(loo_by_inverse, "/ np", "* np"),
    "K[keep, keep] is not a block": no_block,
    "inverse in place of H": changed(loo, "K @ np", "np"),
    "divided by H_ii": changed(loo, "1 - np", "np"),
    "divided by the diagonal of K + lambda I": changed(loo_by_inverse, "diag(G)", "diag(A)"),
    "diagonal of K for diagonal of the inverse": lambda K, y, lam: y - (K - np.diag(np.diag(K))) @ fit(K, y, lam),
    "no lambda in the denominator": changed(loo_by_inverse, "diag(G)", "diag(np.linalg.inv(K))"),
    "predictions, not residuals": lambda K, y, lam: y - loo(K, y, lam),
    "target set to 0": changed(loo, "/ (1 - np.diag(H))", "+ np.diag(H) * y"),
    "no lambda": changed(loo_by_inverse, " + lam * np.eye(len(y))", ""),
    "n times lambda": lambda K, y, lam: loo(K, y, lam * len(y)),
    "lambda over n": lambda K, y, lam: loo(K, y, lam / len(y)),
    "lambda squared": lambda K, y, lam: loo(K, y, lam**2),
    "half lambda": lambda K, y, lam: loo(K, y, 0.5 * lam),
    "twice lambda": lambda K, y, lam: loo(K, y, 2 * lam),
    "lambda added to every entry": changed(loo_by_inverse, " * np.eye(len(y))", ""),
    "coefficients over λ": lambda K, y, lam: fit(K, y, lam) / lam,
}
for name, answer in RESIDUALS.items():
    mistake("krr_loo_residuals", name)(answer)
mistake("krr_loo_residuals", "training residuals")(lambda K, y, lam: y - K @ fit(K, y, lam))
mistake("krr_loo_residuals", "sign flipped")(lambda K, y, lam: -loo(K, y, lam))
mistake("krr_loo_residuals", "GCV denominator")(gcv)
mistake("krr_loo_residuals", "returns alpha")(fit)
mistake("krr_loo_residuals", "squared")(lambda K, y, lam: loo(K, y, lam) ** 2)

# -- 3.5

mistake("effective_df", "trace of K")(lambda K, lam: np.trace(K))
mistake("effective_df", "rank")(lambda K, lam: np.linalg.matrix_rank(K))
mistake("effective_df", "trace of 2H - HH")(lambda K, lam: np.trace(2 * hat(K, lam) - hat(K, lam) @ hat(K, lam).T))
mistake("effective_df", "no lambda")(lambda K, lam: np.trace(K @ np.linalg.inv(K)))
mistake("effective_df", "n times lambda")(lambda K, lam: np.trace(hat(K, len(K) * lam)))
mistake("effective_df", "lambda over n")(lambda K, lam: np.trace(hat(K, lam / K.shape[0])))
mistake("effective_df", "lambda squared")(lambda K, lam: np.trace(hat(K, lam * lam)))
mistake("effective_df", "half lambda")(lambda K, lam: np.trace(hat(K, lam / 2)))
mistake("effective_df", "twice lambda")(lambda K, lam: np.trace(hat(K, 2 * lam)))
mistake("effective_df", "lambda added to every entry")(lambda K, lam: np.trace(K @ np.linalg.inv(K + lam)))
mistake("effective_df", "sum of all entries")(lambda K, lam: np.sum(hat(K, lam)))
mistake("effective_df", "diagonal, not summed")(lambda K, lam: np.diag(hat(K, lam)))
mistake("effective_df", "diagonal of K only")(lambda K, lam: np.trace(K / (K + lam * np.eye(len(K)))))
mistake("effective_df", "the wrong factor inverted")(
    lambda K, lam: np.trace(np.linalg.inv(K) @ (K + lam * np.eye(len(K))))
)
mistake("effective_df", "lambda once beside the trace")(lambda K, lam: np.trace(K) / (np.trace(K) + lam))
mistake("effective_df", "entrywise product with the inverse")(
    lambda K, lam: np.trace(K * np.linalg.inv(K + lam * np.eye(len(K))))
)


mistake("effective_df", "eigenvalues squared")(lambda K, lam: np.trace(hat(K @ K, lam)))

# -- 3.6

mistake("rkhs_norm2", "alpha'alpha")(lambda K, alpha: alpha @ alpha)
mistake("rkhs_norm2", "values, not norm")(lambda K, alpha: np.sum((K @ alpha) ** 2))
mistake("rkhs_norm2", "square root")(lambda K, alpha: np.sqrt(alpha @ K @ alpha))
mistake("rkhs_norm2", "norm of the values")(lambda K, alpha: np.linalg.norm(K @ alpha))
mistake("rkhs_norm2", "diagonal only")(lambda K, alpha: sum(a * a * K[i, i] for i, a in enumerate(alpha)))
mistake("rkhs_norm2", "one alpha of each pair")(lambda K, alpha: np.sum(alpha * K * alpha))
mistake("rkhs_norm2", "sum of the values")(lambda K, alpha: (K @ alpha).sum())
mistake("rkhs_norm2", "inverse of K")(lambda K, alpha: alpha @ np.linalg.inv(K) @ alpha)
mistake("rkhs_norm2", "values, not summed")(lambda K, alpha: K @ alpha)
mistake("rkhs_norm2", "products, not summed")(lambda K, alpha: alpha * (K @ alpha))


mistake("rkhs_norm2", "each pair once")(lambda K, alpha: alpha @ np.triu(K) @ alpha)

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
mistake("krr_tune", "sum, not mean")(search(error=lambda r: np.sum(r**2)))
mistake("krr_tune", "variance of the residuals")(search(error=np.var))
mistake("krr_tune", "GCV")(search(residuals=gcv))
for name, residuals in RESIDUALS.items():
    mistake("krr_tune", f"residuals: {name}")(search(residuals=residuals))
for name, kernel in KERNELS.items():
    mistake("krr_tune", f"kernel: {name}")(search(kernel=kernel))


def krr_tune(X, y, sigmas, lams):
    T = table(X, y, sigmas, lams)
    i, j = np.unravel_index(np.argmin(T), T.shape)
    return sigmas[i], lams[j], T[i, j]


BOTH = "i, j = np.unravel_index(np.argmin(T), T.shape)"
mistake.changes(
    "krr_tune",
    krr_tune,
    {
        "lambda before sigma": ("sigmas[i], lams[j]", "lams[j], sigmas[i]"),
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
    "matrix of the fit is not n by n": (
        "krr_fit_predict",
        [lambda X, y, Xq, s, lam: Gaussian(s)(Xq, X) @ np.linalg.solve(Gaussian(s)(Xq) + lam * np.eye(len(Xq)), y)],
    ),
    "all pairs of differences": (
        "krr_fit_predict",
        [lambda X, y, Xq, s, lam: np.exp(-((Xq - X) ** 2).sum(1) / (2 * s**2)) * fit_here(Gaussian(s)(X), y, lam)],
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
