"""Right answers to chapter 3, written in other ways than the course's: each must get full points on every input."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import scipy.linalg
import scipy.sparse.linalg
from numpy.linalg import inv, pinv, solve
from scipy.optimize import minimize
from scipy.spatial.distance import cdist

from kcourse.kernels import Gaussian, Linear
from tests.chapters.tables import right_answers

RIGHT: list[tuple[str, Callable]] = []
right = right_answers(RIGHT)


# -- 3.1


@right("krr_fit")
def by_inv(K, y, lam):
    return inv(K + lam * np.identity(len(y))) @ y


@right("krr_fit")
def by_pinv(K, y, lam):
    return pinv(K + lam * np.eye(*K.shape)).dot(y)


@right("krr_fit")
def by_lstsq(K, y, lam):
    alpha, *_ = np.linalg.lstsq(K + lam * np.eye(len(y)), y, rcond=None)
    return alpha


@right("krr_fit")
def by_cholesky(K, y, lam):
    L = np.linalg.cholesky(K + lam * np.eye(len(y)))
    return solve(L.T, solve(L, y))


@right("krr_fit")
def by_scipy_cholesky(K, y, lam):
    return scipy.linalg.cho_solve(scipy.linalg.cho_factor(K + lam * np.eye(len(y))), y)


@right("krr_fit")
def by_scipy_pos(K, y, lam):
    return scipy.linalg.solve(K + lam * np.eye(len(y)), y, assume_a="pos")


@right("krr_fit")
def by_lu(K, y, lam):
    return scipy.linalg.lu_solve(scipy.linalg.lu_factor(K + lam * np.eye(len(y))), y)


@right("krr_fit")
def by_qr(K, y, lam):
    Q, R = np.linalg.qr(K + lam * np.eye(len(y)))
    return scipy.linalg.solve_triangular(R, Q.T @ y)


@right("krr_fit")
def by_eigh(K, y, lam):
    w, U = np.linalg.eigh(K)
    return U @ ((U.T @ y) / (w + lam))


@right("krr_fit")
def by_eig(K, y, lam):
    w, U = np.linalg.eig(K)
    return np.real(U @ (np.linalg.inv(U) @ y / (w + lam)))


@right("krr_fit")
def by_svd(K, y, lam):
    U, s, Vt = np.linalg.svd(K)
    return U @ ((U.T @ y) / (s + lam))


@right("krr_fit")
def by_conjugate_gradients(K, y, lam):
    alpha, info = scipy.sparse.linalg.cg(K + lam * np.eye(len(y)), y, rtol=1e-10, maxiter=1000)
    assert info == 0
    return alpha


@right("krr_fit")
def by_own_conjugate_gradients(K, y, lam):
    a = np.zeros(len(y))
    r = y - K @ a - lam * a
    p, rr = r.copy(), r @ r
    while rr > 1e-22:
        Ap = K @ p + lam * p
        step = rr / (p @ Ap)
        a, r = a + step * p, r - step * Ap
        p, rr = r + (r @ r) / rr * p, r @ r
    return a


@right("krr_fit")
def by_gauss_seidel(K, y, lam):
    a = np.zeros(len(y))
    for _ in range(5000):
        before = a.copy()
        for i in range(len(y)):
            a[i] = (y[i] - K[i] @ a + K[i, i] * a[i]) / (K[i, i] + lam)
        if np.allclose(a, before, rtol=0, atol=1e-12):
            break
    return a


@right("krr_fit")
def by_elimination_in_plain_lists(K, y, lam):
    n = len(y)
    A = [[float(K[i][j]) + (lam if i == j else 0.0) for j in range(n)] + [float(y[i])] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(A[k][i]))
        A[i], A[pivot] = A[pivot], A[i]
        for k in range(i + 1, n):
            factor = A[k][i] / A[i][i]
            A[k] = [a - factor * b for a, b in zip(A[k], A[i], strict=True)]
    alpha = [0.0] * n
    for i in reversed(range(n)):
        alpha[i] = (A[i][n] - sum(A[i][j] * alpha[j] for j in range(i + 1, n))) / A[i][i]
    return alpha


@right("krr_fit")
def in_fractions(K, y, lam):
    n = len(y)
    A = [[Fraction(float(K[i, j])) + (Fraction(lam) if i == j else 0) for j in range(n)] for i in range(n)]
    b = [Fraction(float(v)) for v in y]
    for i in range(n):
        for k in range(n):
            if k != i:
                f = A[k][i] / A[i][i]
                A[k] = [p - f * q for p, q in zip(A[k], A[i], strict=True)]
                b[k] -= f * b[i]
    return [b[i] / A[i][i] for i in range(n)]


@right("krr_fit")
def fills_the_diagonal_of_a_copy(K, y, lam):
    A = np.array(K)
    A[np.diag_indices_from(A)] += lam
    return solve(A, y)


@right("krr_fit")
def fills_the_diagonal_in_place(K, y, lam):
    np.fill_diagonal(K, K.diagonal() + lam)
    return solve(K, y)


@right("krr_fit")
def returns_a_list(K, y, lam):
    return solve(K + lam * np.eye(len(y)), y).tolist()


@right("krr_fit")
def returns_a_tuple(K, y, lam):
    return tuple(solve(K + lam * np.eye(len(y)), y))


@right("krr_fit")
def returns_objects(K, y, lam):
    return np.array(list(solve(K + lam * np.eye(len(y)), y)), dtype=object)


@right("krr_fit")
def through_a_column(K, y, lam):
    return solve(K + lam * np.eye(len(y)), y.reshape(-1, 1)).ravel()


@right("krr_fit")
def through_np_matrix(K, y, lam):
    return np.asarray((np.matrix(K) + lam * np.matrix(np.eye(len(y)))).I * np.matrix(y).T).flatten()


@right("krr_fit")
def by_minimising(K, y, lam):
    A = K + lam * np.eye(len(y))
    start = np.zeros(len(y))
    found = minimize(
        lambda a: 0.5 * a @ A @ a - a @ y, start, jac=lambda a: A @ a - y, method="BFGS", options={"gtol": 1e-10}
    )
    return found.x


@right("krr_fit")
def by_the_residual(K, y, lam):
    H = K @ inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / lam


@right("krr_fit")
def without_annotations_changed(K: np.ndarray, y: np.ndarray, lam: float = 1.0, *, verbose: bool = False) -> np.ndarray:
    return solve(K + lam * np.eye(len(y)), y)


def _fit(K, y, lam, solver):
    return solver(K + lam * np.eye(len(y)), y)


RIGHT.append(("krr_fit", functools.partial(_fit, solver=solve)))
RIGHT.append(("krr_fit", lambda K, y, lam: solve(K + np.diag([lam] * len(y)), y)))


class Solver:
    def __init__(self):
        self.calls = 0

    def __call__(self, K, y, lam):
        self.calls += 1
        return solve(K + lam * np.eye(len(y)), y)

    def fit(self, K, y, lam):
        return self(K, y, lam)


RIGHT.append(("krr_fit", Solver()))
RIGHT.append(("krr_fit", Solver().fit))

_buffer = np.empty(100)


@right("krr_fit")
def writes_into_one_buffer(K, y, lam):
    _buffer[: len(y)] = solve(K + lam * np.eye(len(y)), y)
    return _buffer[: len(y)]


# -- 3.2


def _loops(A, B, sigma):
    K = []
    for a in A:
        K.append([])
        for b in B:
            K[-1].append(math.exp(-sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) / (2 * sigma**2)))
    return K


@right("krr_fit_predict")
def with_loops(X, y, Xq, sigma, lam):
    alpha = solve(np.array(_loops(X, X, sigma)) + lam * np.eye(len(y)), y)
    return [sum(a * k for a, k in zip(alpha, row, strict=True)) for row in _loops(Xq, X, sigma)]


@right("krr_fit_predict")
def with_broadcasting(X, y, Xq, sigma, lam):
    def k(A, B):
        return np.exp(-((A[:, None] - B) ** 2).sum(-1) / 2 / sigma**2)

    return k(Xq, X) @ inv(k(X, X) + lam * np.eye(len(X))) @ y


@right("krr_fit_predict")
def with_cdist(X, y, Xq, sigma, lam):
    gamma = 1 / (2 * sigma**2)
    K, Kq = (np.exp(-gamma * cdist(A, X, "sqeuclidean")) for A in (X, Xq))
    return Kq.dot(scipy.linalg.solve(K + lam * np.eye(len(X)), y, assume_a="pos"))


@right("krr_fit_predict")
def with_the_expanded_square(X, y, Xq, sigma, lam):
    def k(A, B):
        d2 = (A**2).sum(1)[:, None] + (B**2).sum(1) - 2 * A @ B.T
        return np.exp(-d2 / (2 * sigma**2))

    return k(Xq, X) @ solve(k(X, X) + lam * np.eye(len(X)), y)


@right("krr_fit_predict")
def with_products_of_exponentials(X, y, Xq, sigma, lam):
    def k(A, B):
        return np.prod([np.exp(-((A[:, [j]] - B[:, j]) ** 2) / (2 * sigma**2)) for j in range(A.shape[1])], axis=0)

    return k(Xq, X) @ solve(k(X, X) + lam * np.eye(len(X)), y)


@right("krr_fit_predict")
def with_kcourse_kernel(X, y, Xq, sigma, lam):
    k = Gaussian(sigma=sigma)
    return k(Xq, X) @ solve(k(X) + lam * np.eye(len(X)), y)


@right("krr_fit_predict")
def with_an_import_inside(X, y, Xq, sigma, lam):
    import kcourse

    k = kcourse.Gaussian(sigma)
    return k(Xq, X) @ solve(k(X, X) + lam * np.eye(len(X)), y)


@right("krr_fit_predict")
def one_query_at_a_time(X, y, Xq, sigma, lam):
    alpha = solve(Gaussian(sigma)(X) + lam * np.eye(len(X)), y)
    return np.array([float(Gaussian(sigma)(q[None, :], X)[0] @ alpha) for q in Xq])


@right("krr_fit_predict")
def with_einsum(X, y, Xq, sigma, lam):
    d = Xq[:, None] - X[None]
    Kq = np.exp(-np.einsum("qnd,qnd->qn", d, d) / (2 * sigma**2))
    return np.einsum("qn,n->q", Kq, solve(Gaussian(sigma)(X) + lam * np.eye(len(X)), y))


@right("krr_fit_predict")
def alpha_from_the_left(X, y, Xq, sigma, lam):
    return solve(Gaussian(sigma)(X) + lam * np.eye(len(X)), y) @ Gaussian(sigma)(X, Xq)


@right("krr_fit_predict")
def weights_first(X, y, Xq, sigma, lam):
    k = Gaussian(sigma)
    return scipy.linalg.cho_solve(scipy.linalg.cho_factor(k(X) + lam * np.eye(len(X))), k(X, Xq)).T @ y


@right("krr_fit_predict")
def like_a_gaussian_process(X, y, Xq, sigma, lam):
    everything = Gaussian(sigma)(np.vstack([X, Xq]))
    n = len(X)
    return everything[n:, :n] @ np.linalg.lstsq(everything[:n, :n] + lam * np.eye(n), y, rcond=None)[0]


@right("krr_fit_predict")
def with_other_names(points, targets, queries, width, penalty):
    k = Gaussian(width)
    return list(k(queries, points) @ pinv(k(points) + penalty * np.eye(len(points))) @ targets)


# -- 3.3


@right("ridge_dual_w")
def by_the_primal(Phi, y, lam):
    return solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)


@right("ridge_dual_w")
def by_the_dual_inv(Phi, y, lam):
    return Phi.transpose().dot(inv(Phi.dot(Phi.transpose()) + lam * np.eye(Phi.shape[0]))).dot(y)


@right("ridge_dual_w")
def by_the_linear_kernel(Phi, y, lam):
    return solve(Linear()(Phi) + lam * np.eye(len(y)), y) @ Phi


@right("ridge_dual_w")
def by_stacking(Phi, y, lam):
    d = Phi.shape[1]
    return np.linalg.lstsq(np.vstack([Phi, math.sqrt(lam) * np.eye(d)]), np.r_[y, np.zeros(d)], rcond=None)[0]


@right("ridge_dual_w")
def by_singular_values(Phi, y, lam):
    U, s, Vt = np.linalg.svd(Phi, full_matrices=False)
    return Vt.T @ (s / (s**2 + lam) * (U.T @ y))


@right("ridge_dual_w")
def adding_rows(Phi, y, lam):
    w = np.zeros(Phi.shape[1])
    for a, row in zip(solve(Phi @ Phi.T + lam * np.eye(len(y)), y), Phi, strict=True):
        w += a * row
    return w


@right("ridge_dual_w")
def with_three_loops(Phi, y, lam):
    n, d = Phi.shape
    K = np.zeros((n, n))
    for i, j in itertools.product(range(n), repeat=2):
        K[i, j] = sum(Phi[i, k] * Phi[j, k] for k in range(d)) + (lam if i == j else 0)
    alpha = solve(K, y)
    return [sum(Phi[i, k] * alpha[i] for i in range(n)) for k in range(d)]


@right("ridge_dual_w")
def by_lbfgs(Phi, y, lam):
    def criterion(w):
        r = y - Phi @ w
        return r @ r + lam * w @ w, -2 * Phi.T @ r + 2 * lam * w

    options = {"gtol": 1e-10, "ftol": 1e-16, "maxiter": 2000, "maxcor": 30}
    return minimize(criterion, np.zeros(Phi.shape[1]), jac=True, method="L-BFGS-B", options=options).x


# -- 3.4


@right("krr_loo_residuals")
def by_refits(K, y, lam):
    out = []
    for i in range(len(y)):
        keep = np.arange(len(y)) != i
        out.append(y[i] - K[i, keep] @ solve(K[keep][:, keep] + lam * np.eye(keep.sum()), y[keep]))
    return np.array(out)


@right("krr_loo_residuals")
def by_refits_with_delete(K, y, lam):
    out = np.empty(len(y))
    for i in range(len(y)):
        Ki = np.delete(np.delete(K, i, 0), i, 1)
        out[i] = y[i] - np.delete(K[i], i) @ inv(Ki + lam * np.eye(len(Ki))) @ np.delete(y, i)
    return out


@right("krr_loo_residuals")
def by_an_infinite_penalty(K, y, lam):
    """Point i is left out by giving it a penalty of its own that is enormous."""
    out = []
    for i in range(len(y)):
        penalty = np.full(len(y), lam)
        penalty[i] = 1e12
        out.append(y[i] - (K @ solve(K + np.diag(penalty), y))[i])
    return out


@right("krr_loo_residuals")
def by_the_hat_matrix(K, y, lam):
    H = K @ inv(K + lam * np.eye(len(y)))
    return (y - H @ y) / (1 - np.diag(H))


@right("krr_loo_residuals")
def by_the_hat_matrix_from_the_left(K, y, lam):
    H = solve(K + lam * np.eye(len(y)), K)
    return [(y[i] - H[i] @ y) / (1 - H[i, i]) for i in range(len(y))]


@right("krr_loo_residuals")
def by_eigenvalues(K, y, lam):
    w, Q = np.linalg.eigh(K)
    R = 1 / (w + lam)
    return Q @ (R * (Q.T @ y)) / ((Q * Q) @ R)


@right("krr_loo_residuals")
def by_columns_of_the_inverse(K, y, lam):
    A = K + lam * np.eye(len(y))
    diagonal = [solve(A, e)[i] for i, e in enumerate(np.eye(len(y)))]
    return solve(A, y) / diagonal


@right("krr_loo_residuals")
def by_the_cholesky_factor(K, y, lam):
    L = np.linalg.cholesky(K + lam * np.eye(len(y)))
    G = inv(L)
    return scipy.linalg.cho_solve((L, True), y) / (G**2).sum(axis=0)


@right("krr_loo_residuals")
def by_pinv(K, y, lam):  # noqa: F811
    G = np.linalg.pinv(K + lam * np.eye(len(y)))
    return np.einsum("ij,j->i", G, y) / np.einsum("ii->i", G)


@right("krr_loo_residuals")
def by_fixed_point(K, y, lam):
    """Step 8: put the prediction in the place of y_i until nothing changes."""
    H = K @ inv(K + lam * np.eye(len(y)))
    out = []
    for i in range(len(y)):
        z = y.astype(float)
        for _ in range(5000):
            before, z[i] = z[i], H[i] @ z
            if abs(z[i] - before) < 1e-12:
                break
        out.append(y[i] - z[i])
    return out


# -- 3.5


@right("effective_df")
def df_by_inv(K, lam):
    return np.trace(K @ inv(K + lam * np.eye(len(K))))


@right("effective_df")
def df_by_eigenvalues(K, lam):
    w = np.linalg.eigvalsh(K)
    return (w / (w + lam)).sum()


@right("effective_df")
def df_by_general_eigenvalues(K, lam):
    w = scipy.linalg.eigvals(K)  # complex numbers, whose imaginary parts are 0
    return np.sum(w / (w + lam))


@right("effective_df")
def df_by_singular_values(K, lam):
    return sum(s / (s + lam) for s in np.linalg.svd(K, compute_uv=False))


@right("effective_df")
def df_by_what_is_left(K, lam):
    return len(K) - lam * inv(K + lam * np.eye(len(K))).trace()


@right("effective_df")
def df_as_zero_dimensional_array(K, lam):
    return np.array(np.trace(solve(K + lam * np.eye(len(K)), K)))


@right("effective_df")
def df_one_column_at_a_time(K, lam):
    total = 0
    for i in range(len(K)):
        total += solve(K + lam * np.eye(len(K)), K[:, i])[i]
    return total


@right("effective_df")
def df_entrywise(K, lam):
    return np.sum(K * inv(K + lam * np.eye(len(K))))


@right("effective_df")
def df_by_derivatives(K, lam):
    """The sum of ∂f(x_i)/∂y_i."""
    n = len(K)
    return sum(K[i] @ scipy.linalg.solve(K + lam * np.eye(n), np.eye(n)[i]) for i in range(n))


@right("effective_df")
def df_in_an_array_of_one(K, lam):
    return np.array([np.trace(K @ inv(K + lam * np.eye(len(K))))])


# -- 3.6


@right("rkhs_norm2")
def norm_by_dot(K, alpha):
    return np.dot(alpha, np.dot(K, alpha))


@right("rkhs_norm2")
def norm_by_loops(K, alpha):
    total = 0
    for i in range(len(alpha)):
        for j in range(len(alpha)):
            total += alpha[i] * alpha[j] * K[i, j]
    return total


@right("rkhs_norm2")
def norm_by_pairs(K, alpha):
    n = len(alpha)
    squares = sum(alpha[i] ** 2 * K[i, i] for i in range(n))
    return squares + 2 * sum(alpha[i] * alpha[j] * K[i, j] for i, j in itertools.combinations(range(n), 2))


@right("rkhs_norm2")
def norm_by_einsum(K, alpha):
    return np.einsum("i,ij,j", alpha, K, alpha)


@right("rkhs_norm2")
def norm_by_outer(K, alpha):
    return (np.outer(alpha, alpha) * K).sum()


@right("rkhs_norm2")
def norm_by_trace(K, alpha):
    return np.trace(K @ np.outer(alpha, alpha))


@right("rkhs_norm2")
def norm_by_eigh(K, alpha):
    w, U = scipy.linalg.eigh(K)
    return np.sum(w * (U.T @ alpha) ** 2)


@right("rkhs_norm2")
def norm_by_a_square_root(K, alpha):
    w, U = np.linalg.eigh(K)
    root = (U * np.sqrt(np.maximum(w, 0))) @ U.T
    return np.linalg.norm(root @ alpha) ** 2


@right("rkhs_norm2")
def norm_by_svd_features(K, alpha):
    U, s, _ = np.linalg.svd(K)
    return float(np.linalg.norm((U * np.sqrt(s)).T @ alpha) ** 2)


@right("rkhs_norm2")
def norm_as_matrix_product(K, alpha):
    a = alpha[:, None]
    return a.T @ K @ a


@right("rkhs_norm2")
def norm_by_fsum(K, alpha):
    return math.fsum(float(a * v) for a, v in zip(alpha, K @ alpha, strict=True))


# -- 3.7


def _loo(K, y, lam):
    G = inv(K + lam * np.eye(len(y)))
    return G @ y / np.diag(G)


@right("krr_tune")
def tune_by_min(X, y, sigmas, lams):
    mse, sigma, lam = min(
        (np.mean(_loo(Gaussian(s)(X), y, lam) ** 2), s, lam) for s, lam in itertools.product(sigmas, lams)
    )
    return sigma, lam, mse


@right("krr_tune")
def tune_by_table(X, y, sigmas, lams):
    table = np.array([[np.mean(_loo(Gaussian(s)(X), y, lam) ** 2) for s in sigmas] for lam in lams])
    j, i = np.unravel_index(table.argmin(), table.shape)
    return [sigmas[i], lams[j], table[j, i]]


@right("krr_tune")
def tune_by_eigenvalues(X, y, sigmas, lams):
    best = np.array([np.nan, np.nan, np.inf])
    for s in sigmas:
        w, Q = np.linalg.eigh(np.exp(-cdist(X, X, "sqeuclidean") / (2 * s**2)))
        for lam in lams:
            R = 1 / (w + lam)
            mse = ((Q @ (R * (Q.T @ y)) / ((Q * Q) @ R)) ** 2).sum() / len(y)
            if mse < best[2]:
                best = np.array([s, lam, mse])
    return best


@right("krr_tune")
def tune_by_refits(X, y, sigmas, lams):
    errors = {}
    for s in sigmas:
        K = Gaussian(s)(X)
        for lam in lams:
            errors[s, lam] = np.mean(np.square(by_refits(K, y, lam)))
    pair = min(errors, key=errors.get)
    return *pair, errors[pair]


@right("krr_tune")
def tune_keeping_the_diagonal(X, y, sigmas, lams):
    rows = []
    for s in sorted(sigmas):
        K = Gaussian(s)(X)
        for lam in sorted(lams):
            K[np.diag_indices_from(K)] = 1 + lam
            G = inv(K)
            rows.append((np.mean((G @ y / G.diagonal()) ** 2), float(s), float(lam)))
    return tuple(sorted(rows)[0][k] for k in (1, 2, 0))
