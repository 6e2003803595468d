"""What holds of a Gaussian process, whatever the points, the kernel and the noise."""

import operator

import numpy as np
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

from kcourse.gp import GaussianProcess
from kcourse.kernels import Constant, Gaussian, Laplacian, Linear, Matern, Periodic, Polynomial, RationalQuadratic
from kcourse.ridge import KernelRidge
from tests.laws.law import QUERIES, data, lams, laws

law = laws(20)

noises = lams
widths = st.floats(0.3, 5.0)
simple = st.one_of(
    st.builds(Gaussian, widths),
    st.builds(Gaussian, st.tuples(widths, widths)),
    st.builds(Laplacian, widths),
    st.builds(Matern, st.sampled_from([1.5, 2.5]), widths),
    st.builds(RationalQuadratic, widths, st.floats(0.3, 3.0)),
    st.builds(Periodic, st.floats(1.0, 4.0), widths),
    st.builds(Linear),
    st.builds(Polynomial, gamma=st.floats(0.1, 1.0), coef0=st.floats(0.1, 1.0), degree=st.integers(1, 2)),
    st.builds(Constant, st.floats(0.1, 2.0)),
)
kernels = st.recursive(
    simple, lambda k: st.one_of(st.builds(operator.add, k, k), st.builds(operator.mul, k, k)), max_leaves=3
)


def close(a, b, rtol=1e-8):
    np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * max(1.0, np.max(np.abs(b), initial=0.0)))


def fit(kernel, noise, X, y):
    return GaussianProcess(kernel, noise_variance=noise).fit(X, y)


def variance(model, X=QUERIES):
    return model.predict(X, return_std=True)[1] ** 2


@law(data(), kernels, noises)
def test_the_mean_is_kernel_ridge_regression_with_the_noise_variance_as_lam(Xy, kernel, noise):
    X, y = Xy
    gp, krr = fit(kernel, noise, X, y), KernelRidge(kernel, lam=noise).fit(X, y)
    close(gp.predict(QUERIES), krr.predict(QUERIES), rtol=1e-12)
    close(gp.dual_coef_, krr.dual_coef_, rtol=1e-10)
    close(y - gp.loo().mean, krr.loo_residuals())


@law(data(targets=2), kernels, noises)
def test_the_variance_does_not_depend_on_y_and_never_exceeds_the_prior_variance(Xyz, kernel, noise):
    X, y, z = Xyz
    one, other = fit(kernel, noise, X, y), fit(kernel, noise, X, z)
    np.testing.assert_array_equal(variance(one), variance(other))
    prior = kernel.diag(QUERIES)
    assert np.all(variance(one) <= prior * (1 + 1e-12)) and np.all(variance(one) >= 0)
    # and at a training point it is below the noise variance, and below 1/(1/k + 1/σ_n²), what y_i alone leaves
    k = kernel.diag(X)
    assert np.all(variance(one, X) <= noise * k / (k + noise) + 1e-9 * (k + noise).max())


@law(data(n_min=2), kernels, noises)
def test_one_more_point_never_makes_a_variance_larger(Xy, kernel, noise):
    X, y = Xy
    fewer, more = fit(kernel, noise, X[1:], y[1:]), fit(kernel, noise, X, y)
    assert np.all(variance(more) <= variance(fewer) + 1e-9 * kernel.diag(QUERIES).max())


@law(data(), kernels, noises)
def test_the_evidence_is_the_density_of_a_multivariate_normal(Xy, kernel, noise):
    X, y = Xy
    expected = multivariate_normal(np.zeros(len(y)), kernel(X) + noise * np.eye(len(y))).logpdf(y)
    close(fit(kernel, noise, X, y).log_marginal_likelihood_, expected, rtol=1e-7)


@law(data(), kernels, noises)
def test_the_evidence_is_the_product_of_what_each_point_is_predicted_from_those_before_it(Xy, kernel, noise):
    X, y = Xy
    total = norm.logpdf(y[0], 0, np.sqrt(kernel.diag(X[:1])[0] + noise))
    for i in range(1, len(y)):
        mean, std = fit(kernel, noise, X[:i], y[:i]).predict(X[[i]], return_std=True, with_noise=True)
        total += norm.logpdf(y[i], mean[0], std[0])
    close(fit(kernel, noise, X, y).log_marginal_likelihood_, total, rtol=1e-7)


@law(data(), kernels, noises, st.randoms(use_true_random=False))
def test_the_order_of_the_points_does_not_matter(Xy, kernel, noise, random):
    X, y = Xy
    order = list(range(len(y)))
    random.shuffle(order)
    one, other = fit(kernel, noise, X, y), fit(kernel, noise, X[order], y[order])
    close(other.predict(QUERIES), one.predict(QUERIES))
    close(variance(other), variance(one))
    close(other.log_marginal_likelihood_, one.log_marginal_likelihood_)
    close(other.loo().log_density, one.loo().log_density[order], rtol=1e-7)
    gradients = [m.log_marginal_likelihood(eval_gradient=True)[1] for m in (one, other)]
    close(gradients[1], gradients[0], rtol=1e-7)


@law(data(), simple, simple, noises)
def test_a_sum_of_kernels_splits_the_mean_into_a_sum(Xy, left, right, noise):
    X, y = Xy
    model = fit(left + right, noise, X, y)
    parts = [k(QUERIES, X) @ model.dual_coef_ for k in (left, right)]
    close(model.predict(QUERIES), parts[0] + parts[1])
    # each part is the mean of a process of that kernel, to which the other is noise
    A = left(X) + right(X) + noise * np.eye(len(y))
    close(parts[0], left(QUERIES, X) @ np.linalg.solve(A, y), rtol=1e-6)


@law(data(n_min=2), kernels, noises)
def test_leave_one_out_is_what_refits_predict(Xy, kernel, noise):
    X, y = Xy
    loo = fit(kernel, noise, X, y).loo()
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        mean, std = fit(kernel, noise, X[rest], y[rest]).predict(X[[i]], return_std=True, with_noise=True)
        close(loo.mean[i], mean[0], rtol=1e-7)
        close(loo.variance[i], std[0] ** 2, rtol=1e-7)
        close(loo.log_density[i], norm.logpdf(y[i], mean[0], std[0]), rtol=1e-6)


@law(data(), kernels, noises)
def test_a_point_seen_twice_is_a_point_seen_with_half_the_noise_variance(Xy, kernel, noise):
    X, y = Xy
    twice, once = fit(kernel, 2 * noise, np.vstack([X, X]), np.concatenate([y, y])), fit(kernel, noise, X, y)
    close(twice.predict(QUERIES), once.predict(QUERIES))
    close(variance(twice), variance(once))
