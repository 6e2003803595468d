"""What holds of kernel ridge regression, whatever the points, the kernel and λ."""

from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
from hypothesis import strategies as st

from kcourse import Constant, Gaussian, KernelRidge, Linear, Polynomial
from tests.laws.law import QUERIES, close, data, kernels, lams, laws

law = laws(40)


@law(data(targets=2), kernels, lams, st.floats(-3, 3), st.floats(-3, 3))
def test_the_fit_is_linear_in_y(Xyz, kernel, lam, a, b):
    X, y, z = Xyz

    def predictions(target):
        return KernelRidge(kernel, lam=lam).fit(X, target).predict(QUERIES)

    close(predictions(a * y + b * z), a * predictions(y) + b * predictions(z), rtol=1e-8)


@law(data(), kernels, lams, st.floats(0.01, 100.0))
def test_kernel_and_lam_times_the_same_number_give_the_same_function(Xy, kernel, lam, c):
    X, y = Xy
    one, other = KernelRidge(kernel, lam=lam).fit(X, y), KernelRidge(c * kernel, lam=c * lam).fit(X, y)
    close(other.predict(QUERIES), one.predict(QUERIES))
    close(other.dual_coef_, one.dual_coef_ / c)
    close(other.norm2_, one.norm2_ / c, rtol=1e-7)
    close(other.effective_df(), one.effective_df())
    close(other.loo_residuals(), one.loo_residuals())


@law(data(), kernels, lams, st.floats(1.01, 10.0))
def test_a_larger_lam_means_fewer_degrees_of_freedom_and_a_smaller_norm(Xy, kernel, lam, factor):
    X, y = Xy
    n = len(y)
    loose, tight = (KernelRidge(kernel, lam=value).fit(X, y) for value in (lam, factor * lam))
    rounding = 1e-10 * n
    assert 0 <= tight.effective_df() <= loose.effective_df() + rounding < n
    assert tight.norm2_ <= loose.norm2_ + 1e-9 * max(1.0, y @ y / lam)
    if kernel(X).max() > 0.1:  # not zero everywhere, as X = 0 is for the linear kernel
        assert 0 < tight.effective_df() < loose.effective_df()
    # ... and a worse fit to the training points
    errors = [np.sum((y - m.predict(X)) ** 2) for m in (loose, tight)]
    assert errors[0] <= errors[1] + 1e-9 * max(1.0, y @ y)


@law(data(), kernels, lams)
def test_leaving_a_point_out_never_makes_its_residual_smaller(Xy, kernel, lam):
    X, y = Xy
    model = KernelRidge(kernel, lam=lam).fit(X, y)
    train = y - model.predict(X)
    assert np.all(np.abs(model.loo_residuals()) >= np.abs(train) - 1e-9 * max(1.0, np.abs(y).max()))
    close(train, lam * model.dual_coef_, rtol=1e-8)  # y - Kα = λα


@law(data(), kernels, lams, st.integers(0, 2**16))
def test_no_other_coefficients_give_a_smaller_objective(Xy, kernel, lam, seed):
    X, y = Xy
    K, model = kernel(X), KernelRidge(kernel, lam=lam).fit(X, y)

    def objective(alpha):  # Σ (y - Kα)² + λ αᵀKα
        return np.sum((y - K @ alpha) ** 2) + lam * alpha @ K @ alpha

    best = objective(model.dual_coef_)
    step = np.random.default_rng(seed).standard_normal(len(y))
    for size in (1e-3, 1e-1, 10.0):
        assert best <= objective(model.dual_coef_ + size * step) + 1e-9 * max(1.0, y @ y)


def monomials(X, u, v, p):
    """Features whose inner product is (u xᵀz + v)^p: √(multinomial) · products of √u x_1, …, √u x_d, √v."""
    extended = np.column_stack([np.sqrt(u) * X, np.full(len(X), np.sqrt(v))])
    columns = []
    for choice in combinations_with_replacement(range(X.shape[1] + 1), p):
        ways = factorial(p) / prod(factorial(choice.count(i)) for i in set(choice))
        columns.append(np.sqrt(ways) * extended[:, choice].prod(axis=1))
    return np.column_stack(columns)


def primal_equals_dual(kernel, features, X, y, lam):
    Phi = features(X)
    w = np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ y)
    model = KernelRidge(kernel, lam=lam).fit(X, y)
    close(model.predict(QUERIES), features(QUERIES) @ w, rtol=1e-8)
    close(Phi.T @ model.dual_coef_, w, rtol=1e-8)
    close(model.norm2_, w @ w, rtol=1e-7)
    close(model.effective_df(), np.trace(np.linalg.solve(Phi.T @ Phi + lam * np.eye(Phi.shape[1]), Phi.T @ Phi)))


@law(data(), lams)
def test_primal_and_dual_agree_for_the_linear_kernel(Xy, lam):
    primal_equals_dual(Linear(), lambda X: X, *Xy, lam)


@law(data(), lams, st.floats(0.1, 1.0), st.floats(0.0, 1.0), st.integers(1, 3))
def test_primal_and_dual_agree_for_polynomial_kernels(Xy, lam, u, v, p):
    primal_equals_dual(Polynomial(u, v, p), lambda X: monomials(X, u, v, p), *Xy, lam)


@law(data(), lams, st.floats(0.1, 2.0))
def test_a_constant_kernel_shrinks_the_mean(Xy, lam, c):
    X, y = Xy
    close(KernelRidge(Constant(c), lam=lam).fit(X, y).predict(QUERIES), np.full(4, c * y.sum() / (c * len(y) + lam)))


@law(data(), st.floats(0.2, 2.0), lams)
def test_far_from_all_points_the_function_is_zero(Xy, sigma, lam):
    X, y = Xy
    far = [[1e6, 0.0], [-300.0, 300.0]]
    np.testing.assert_array_equal(KernelRidge(Gaussian(sigma), lam=lam).fit(X, y).predict(far), np.zeros(2))


def slope(J, a, eps=1e-5):
    """The gradient of J by central differences: exact up to rounding, as J is a quadratic."""
    return np.array([(J(a + eps * e) - J(a - eps * e)) / (2 * eps) for e in np.eye(len(a))])


@law(data(n_min=2, n_max=6), lams, st.floats(0.1, 1.0), st.integers(1, 2), st.integers(0, 2**16))
def test_the_criterion_in_w_and_in_alpha_their_gradients_and_their_minimum(Xy, lam, u, p, seed):
    X, y = Xy
    kernel = Polynomial(u, 0.5, p)
    Phi, K = kernel.features(X), kernel(X)
    a = np.random.default_rng(seed).standard_normal(len(y))

    def of_w(w):
        return np.sum((y - Phi @ w) ** 2) + lam * w @ w

    def of_alpha(a):
        return np.sum((y - K @ a) ** 2) + lam * a @ K @ a

    scale = max(1.0, np.abs(K).max() ** 2 * (1 + lam), np.abs(y).max() ** 2) * len(y) * 20
    w = Phi.T @ a  # w = Φᵀα: both criteria are one
    assert abs(of_w(w) - of_alpha(a)) <= 1e-10 * scale
    # the gradients as the sources print them
    np.testing.assert_allclose(slope(of_w, w), 2 * (Phi.T @ (Phi @ w - y) + lam * w), atol=1e-7 * scale)
    np.testing.assert_allclose(slope(of_alpha, a), -2 * K @ y + 2 * (K @ K + lam * K) @ a, atol=1e-7 * scale)
    # the form with both halves, written out in ΦΦᵀ and in K
    halved = 0.5 * a @ K @ K @ a - a @ K @ y + 0.5 * y @ y + 0.5 * lam * a @ K @ a
    G = Phi @ Phi.T
    in_phi = 0.5 * a @ G @ G @ a - a @ G @ y + 0.5 * y @ y + 0.5 * lam * a @ G @ a
    assert abs(halved - in_phi) <= 1e-10 * scale and abs(2 * halved - of_alpha(a)) <= 1e-10 * scale
    # the fit is where they vanish, and nothing is lower
    model = KernelRidge(kernel, lam=lam).fit(X, y)
    np.testing.assert_allclose(-2 * K @ y + 2 * (K @ K + lam * K) @ model.dual_coef_, 0, atol=1e-9 * scale)
    assert of_alpha(model.dual_coef_) <= of_alpha(a) + 1e-9 * scale
