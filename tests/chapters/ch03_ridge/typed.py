"""Each named slip of chapter 3 as a student would type it."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.spatial.distance import cdist

from kcourse.kernels import Gaussian
from tests.chapters.student_answers import Typed, changed, typist

TYPED: Typed = {}
typed = typist(TYPED)

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
    typed("krr_fit", name)(answer)
typed("krr_fit", "diagonal taken as 1")(lambda K, y, lam: fit(K - np.diag(np.diag(K)), y, 1 + lam))
typed("krr_fit", "least norm among the optimal")(lambda K, y, lam: np.linalg.pinv(K @ K + lam * K) @ (K @ y))
typed("krr_fit", "entrywise product with y")(lambda K, y, lam: np.linalg.inv(K + lam * np.eye(len(y))) * y)

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
    typed("krr_fit_predict", name)(predict_with_kernel(kernel))
for name, alpha in FACTORS.items():
    typed("krr_fit_predict", name)(predict_with_alpha(alpha))
for name, alpha in ALPHAS.items():
    if name != "mean of y subtracted":
        typed("krr_fit_predict", f"alpha: {name}")(predict_with_alpha(alpha))
typed("krr_fit_predict", "no lambda")(predict_with_alpha(lambda K, y, lam: np.linalg.solve(K, y)))


def krr_fit_predict(X, y, Xq, sigma, lam):
    K = Gaussian(sigma)(X)
    Kq = Gaussian(sigma)(Xq, X)
    alpha = fit(K, y, lam)
    return Kq @ alpha


typed.changes(
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
    typed("ridge_dual_w", f"alpha: {name}")(lambda Phi, y, lam, alpha=alpha: Phi.T @ alpha(Phi @ Phi.T, y, lam))
for name, alpha in FACTORS.items():
    typed("ridge_dual_w", name)(lambda Phi, y, lam, alpha=alpha: Phi.T @ alpha(Phi @ Phi.T, y, lam))
typed("ridge_dual_w", "Phi y for Phi^T y")(
    lambda Phi, y, lam: np.linalg.inv(Phi.T @ Phi + lam * np.eye(Phi.shape[1])) @ Phi @ y
)
typed("ridge_dual_w", "returns alpha")(lambda Phi, y, lam: fit(Phi @ Phi.T, y, lam))
typed("ridge_dual_w", "fitted values")(lambda Phi, y, lam: Phi @ (Phi.T @ fit(Phi @ Phi.T, y, lam)))

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
    typed("krr_loo_residuals", name)(answer)
typed("krr_loo_residuals", "training residuals")(lambda K, y, lam: y - K @ fit(K, y, lam))
typed("krr_loo_residuals", "sign flipped")(lambda K, y, lam: -loo(K, y, lam))
typed("krr_loo_residuals", "GCV denominator")(gcv)
typed("krr_loo_residuals", "returns alpha")(fit)
typed("krr_loo_residuals", "squared")(lambda K, y, lam: loo(K, y, lam) ** 2)

# -- 3.5

typed("effective_df", "trace of K")(lambda K, lam: np.trace(K))
typed("effective_df", "rank")(lambda K, lam: np.linalg.matrix_rank(K))
typed("effective_df", "trace of 2H - HH")(lambda K, lam: np.trace(2 * hat(K, lam) - hat(K, lam) @ hat(K, lam).T))
typed("effective_df", "no lambda")(lambda K, lam: np.trace(K @ np.linalg.inv(K)))
typed("effective_df", "n times lambda")(lambda K, lam: np.trace(hat(K, len(K) * lam)))
typed("effective_df", "lambda over n")(lambda K, lam: np.trace(hat(K, lam / K.shape[0])))
typed("effective_df", "lambda squared")(lambda K, lam: np.trace(hat(K, lam * lam)))
typed("effective_df", "half lambda")(lambda K, lam: np.trace(hat(K, lam / 2)))
typed("effective_df", "twice lambda")(lambda K, lam: np.trace(hat(K, 2 * lam)))
typed("effective_df", "lambda added to every entry")(lambda K, lam: np.trace(K @ np.linalg.inv(K + lam)))
typed("effective_df", "sum of all entries")(lambda K, lam: np.sum(hat(K, lam)))
typed("effective_df", "diagonal, not summed")(lambda K, lam: np.diag(hat(K, lam)))
typed("effective_df", "diagonal of K only")(lambda K, lam: np.trace(K / (K + lam * np.eye(len(K)))))
typed("effective_df", "the wrong factor inverted")(
    lambda K, lam: np.trace(np.linalg.inv(K) @ (K + lam * np.eye(len(K))))
)
typed("effective_df", "lambda once beside the trace")(lambda K, lam: np.trace(K) / (np.trace(K) + lam))
typed("effective_df", "entrywise product with the inverse")(
    lambda K, lam: np.trace(K * np.linalg.inv(K + lam * np.eye(len(K))))
)


typed("effective_df", "eigenvalues squared")(lambda K, lam: np.trace(hat(K @ K, lam)))

# -- 3.6

typed("rkhs_norm2", "alpha'alpha")(lambda K, alpha: alpha @ alpha)
typed("rkhs_norm2", "values, not norm")(lambda K, alpha: np.sum((K @ alpha) ** 2))
typed("rkhs_norm2", "square root")(lambda K, alpha: np.sqrt(alpha @ K @ alpha))
typed("rkhs_norm2", "norm of the values")(lambda K, alpha: np.linalg.norm(K @ alpha))
typed("rkhs_norm2", "diagonal only")(lambda K, alpha: sum(a * a * K[i, i] for i, a in enumerate(alpha)))
typed("rkhs_norm2", "one alpha of each pair")(lambda K, alpha: np.sum(alpha * K * alpha))
typed("rkhs_norm2", "sum of the values")(lambda K, alpha: (K @ alpha).sum())
typed("rkhs_norm2", "inverse of K")(lambda K, alpha: alpha @ np.linalg.inv(K) @ alpha)
typed("rkhs_norm2", "values, not summed")(lambda K, alpha: K @ alpha)
typed("rkhs_norm2", "products, not summed")(lambda K, alpha: alpha * (K @ alpha))


typed("rkhs_norm2", "each pair once")(lambda K, alpha: alpha @ np.triu(K) @ alpha)

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


typed("krr_tune", "training error")(search(residuals=lambda K, y, lam: y - K @ fit(K, y, lam)))
typed("krr_tune", "mean absolute residual")(search(error=lambda r: np.mean(np.abs(r))))
typed("krr_tune", "root of the mean square")(search(error=lambda r: np.sqrt(np.mean(r**2))))
typed("krr_tune", "sum, not mean")(search(error=lambda r: np.sum(r**2)))
typed("krr_tune", "variance of the residuals")(search(error=np.var))
typed("krr_tune", "GCV")(search(residuals=gcv))
for name, residuals in RESIDUALS.items():
    typed("krr_tune", f"residuals: {name}")(search(residuals=residuals))
for name, kernel in KERNELS.items():
    typed("krr_tune", f"kernel: {name}")(search(kernel=kernel))


def krr_tune(X, y, sigmas, lams):
    T = table(X, y, sigmas, lams)
    i, j = np.unravel_index(np.argmin(T), T.shape)
    return sigmas[i], lams[j], T[i, j]


BOTH = "i, j = np.unravel_index(np.argmin(T), T.shape)"
typed.changes(
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
