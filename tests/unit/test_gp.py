"""kcourse.gp: the posterior, the evidence, samples and learning, each against its definition; every refusal."""

import re
import warnings
from functools import partial
from itertools import product

import numpy as np
import pytest

from kcourse.base.estimator import NotFittedError
from kcourse.gp import GaussianProcess
from kcourse.gp.covariance import not_negative
from kcourse.gp.evidence import Hyper, inverse_minus_outer, invert_lower
from kcourse.gp.learn import tell_early_stop
from kcourse.kernels import Constant, Gaussian, Laplacian, Linear, Matern, Precomputed, RationalQuadratic, Sigmoid
from kcourse.strings import Spectrum
from tests.rows import each
from tests.unit.refused import refused

N, D, T = 13, 3, 2
RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((5, D))
Y1, Y2 = RNG.standard_normal(N), RNG.standard_normal((N, T))
SMOOTH = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.05 * RNG.standard_normal(N)
XL = RNG.standard_normal((40, D))  # enough of them to learn from
YL = np.sin(XL[:, 0]) + 0.5 * XL[:, 1] + 0.3 * XL[:, 2] ** 2 + 0.2 * RNG.standard_normal(40)
KERNELS = [Gaussian(1.3), 2 * Laplacian((0.7, 2.0, 1.1)) + 0.5, Linear(), Matern(1.5) * Linear() + 1]


def posterior(kernel, noise, y, Z=XQ):
    """Mean and covariance from the block formula: conditioning the joint Gaussian of y and f(Z)."""
    A, Ks = kernel(X) + noise * np.eye(N), kernel(X, Z)
    return Ks.T @ np.linalg.solve(A, y), kernel(Z) - Ks.T @ np.linalg.solve(A, Ks)


def evidence(kernel, noise, y):
    A = kernel(X) + noise * np.eye(N)
    fit, logdet = np.sum(y * np.linalg.solve(A, y)), np.linalg.slogdet(A)[1]
    t = y.size // N
    return -0.5 * fit, -0.5 * t * logdet, -0.5 * y.size * np.log(2 * np.pi)


# ---------------------------------------------------------------- the posterior


@each("y, noise, kernel", product([Y1, Y2, Y1[:, None]], [0.02, 0.7, 50.0], KERNELS))
def test_a_fit_conditions_the_joint_gaussian(kernel, noise, y):
    model = GaussianProcess(kernel, noise_variance=noise)
    assert model.fit(X, y) is model
    mean, cov = posterior(kernel, noise, y)
    np.testing.assert_allclose(model.predict(XQ), mean, rtol=1e-8, atol=1e-9)
    for both in (model.predict(XQ, return_std=True), model.predict(XQ, return_cov=True)):
        np.testing.assert_allclose(both[0], mean, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(model.predict(XQ, return_std=True)[1] ** 2, np.diag(cov), rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(model.predict(XQ, return_cov=True)[1], cov, rtol=1e-7, atol=1e-10)
    assert model.dual_coef_.shape == y.shape
    np.testing.assert_allclose((kernel(X) + noise * np.eye(N)) @ model.dual_coef_, y, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.evidence_terms_, evidence(kernel, noise, y), rtol=1e-9)
    assert model.log_marginal_likelihood_ == pytest.approx(sum(evidence(kernel, noise, y)), rel=1e-10)
    assert model.log_marginal_likelihood() == pytest.approx(model.log_marginal_likelihood_, rel=1e-14)


def test_the_noise_is_added_for_observations_only_on_demand():
    model = GaussianProcess(Gaussian(), noise_variance=0.5).fit(X, Y1)
    (mean, f), (mean_y, y) = (model.predict(XQ, return_std=True, with_noise=on) for on in (False, True))
    np.testing.assert_array_equal(mean, mean_y)
    np.testing.assert_allclose(y**2 - f**2, 0.5, rtol=1e-13)
    cov, cov_y = (model.predict(XQ, return_cov=True, with_noise=on)[1] for on in (False, True))
    np.testing.assert_allclose(cov_y - cov, 0.5 * np.eye(5), atol=1e-15)


def test_the_covariance_is_symmetric_to_the_last_bit_and_has_the_variances():
    model = GaussianProcess(Matern(2.5, 0.8), noise_variance=1e-3).fit(X, Y1)
    _, cov = model.predict(np.vstack([XQ, X]), return_cov=True)
    np.testing.assert_array_equal(cov, cov.T)
    _, std = model.predict(np.vstack([XQ, X]), return_std=True)
    np.testing.assert_allclose(np.diag(cov), std**2, rtol=1e-9, atol=1e-15)


def test_one_point_is_enough():
    model = GaussianProcess(Constant(3.0), noise_variance=0.5).fit([[1.0]], [7.0])
    mean, std = model.predict([[2.0]], return_std=True)
    assert mean.tolist() == pytest.approx([6.0]) and (std**2).tolist() == pytest.approx([3 - 9 / 3.5])
    loo = model.loo()
    assert loo.mean.tolist() == pytest.approx([0.0], abs=1e-12) and loo.variance.tolist() == pytest.approx([3.5])


def test_without_noise_it_interpolates_and_is_certain_at_the_points():
    model = GaussianProcess(Gaussian(0.5), noise_variance=0).fit(X, Y1)
    mean, std = model.predict(X, return_std=True)
    np.testing.assert_allclose(mean, Y1, rtol=1e-10)
    assert np.all(std >= 0) and np.all(std < 1e-7)
    assert model.theta_names_ == ("sigma",)
    assert model.log_marginal_likelihood(eval_gradient=True)[1].shape == (1,)
    np.testing.assert_allclose(model.predict(X, return_cov=True)[1], 0, atol=1e-12)


@pytest.mark.parametrize("exponent", [-16, -14, -12, -10, -8])
def test_a_variance_that_rounding_makes_negative_is_zero(exponent):
    x = np.linspace(0, 1, 60)[:, None]
    try:
        model = GaussianProcess(Gaussian(0.3), noise_variance=10.0**exponent).fit(x, np.sin(5 * x[:, 0]))
    except ValueError as error:
        assert "noise_variance" in str(error)
        assert exponent < -13
        return
    for points in (x, x + 1e-3, np.linspace(-0.1, 1.1, 333)[:, None]):
        mean, std = model.predict(points, return_std=True)
        assert np.all(np.isfinite(std)) and np.all(std >= 0)
        assert np.all(np.diag(model.predict(points, return_cov=True)[1]) >= 0)
        assert np.all(np.isfinite(model.sample(points, 2)))


def test_below_zero_by_rounding_is_exactly_zero():
    assert not_negative(np.array([-1e-12, 0.5]), np.array([1.0, 1.0])).tolist() == [0.0, 0.5]
    assert not_negative(np.array([-1e-12, 0.5]), np.array([1e6, 1e6])).tolist() == [0.0, 0.5]
    refused(r"the variance at X\[1\] is -1e-12 < 0", not_negative, np.array([-1e-9, -1e-12]), np.array([1e3, 1e-6]))


@pytest.mark.parametrize("scale", [1e-140, 1e-9, 1e9, 1e140])
def test_the_units_of_x_and_y_do_not_matter(scale):
    ours = GaussianProcess(Gaussian(1.3), noise_variance=0.1).fit(X, Y1)
    other = GaussianProcess(scale**2 * Gaussian(1.3 * scale), noise_variance=0.1 * scale**2).fit(scale * X, scale * Y1)
    for a, b in zip(other.predict(scale * XQ, return_std=True), ours.predict(XQ, return_std=True), strict=True):
        np.testing.assert_allclose(a / scale, b, rtol=1e-8)
    assert other.log_marginal_likelihood_ == pytest.approx(ours.log_marginal_likelihood_ - N * np.log(scale))
    np.testing.assert_allclose(
        other.log_marginal_likelihood(eval_gradient=True)[1][1:], ours.log_marginal_likelihood(eval_gradient=True)[1],
        rtol=1e-7,
    )  # fmt: skip


# ---------------------------------------------------------------- any kernel


def test_of_a_plain_function_the_noise_variance_alone_is_learned():
    def kernel(A, B):
        return Gaussian(1.3)(A, B)

    learned = GaussianProcess(kernel, noise_variance=0.5, optimize=True).fit(X, Y1)
    same = GaussianProcess(Gaussian(1.3), noise_variance=0.5, optimize=True, fixed=("sigma",)).fit(X, Y1)
    assert learned.noise_variance_ == pytest.approx(same.noise_variance_) and learned.kernel_ is kernel
    assert learned.theta_names_ == ("noise_variance",)
    gradients = [model.log_marginal_likelihood(eval_gradient=True)[1][-1] for model in (learned, same)]
    assert gradients[0] == pytest.approx(gradients[1])


def test_left_out_points_of_several_targets_are_those_of_each():
    two = GaussianProcess(Gaussian()).fit(X, Y2).loo()
    singles = [GaussianProcess(Gaussian()).fit(X, y).loo() for y in Y2.T]
    np.testing.assert_allclose(two.mean, np.column_stack([one.mean for one in singles]), rtol=1e-9)
    np.testing.assert_allclose(two.log_density, np.column_stack([one.log_density for one in singles]), rtol=1e-9)
    assert two.total == pytest.approx(two.log_density.sum())


def test_a_kernel_of_scikit_learn_is_a_plain_function_though_it_has_a_theta():
    from sklearn.gaussian_process.kernels import RBF

    model = GaussianProcess(RBF(1.3), noise_variance=0.5).fit(X, Y1)
    assert model.theta_names_ == ("noise_variance",)
    np.testing.assert_allclose(
        model.predict(XQ), GaussianProcess(Gaussian(1.3), noise_variance=0.5).fit(X, Y1).predict(XQ), rtol=1e-9
    )


def test_a_given_gram_matrix():
    both = np.vstack([X, XQ])
    numbers = np.arange(N + 5)[:, None]
    model = GaussianProcess(Precomputed(Gaussian(1.3)(both)), noise_variance=0.3).fit(numbers[:N], Y1)
    direct = GaussianProcess(Gaussian(1.3), noise_variance=0.3).fit(X, Y1)
    for a, b in zip(model.predict(numbers[N:], return_cov=True), direct.predict(XQ, return_cov=True), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-13)
    learned = GaussianProcess(
        2 * Precomputed(Gaussian(1.3)(both)), noise_variance=0.3, optimize=True, bounds={"left__value": (1e-3, 1e3)}
    ).fit(numbers[:N], SMOOTH)
    assert learned.theta_names_ == ("left__value", "noise_variance")
    assert learned.log_marginal_likelihood_ > sum(evidence(2 * Gaussian(1.3), 0.3, SMOOTH))


def test_points_may_be_strings():
    words, values = ["kernel", "colonel", "ridge", "bridge"], np.array([1.0, 0.8, -1.0, -0.7])
    model = GaussianProcess(2 * Spectrum(1), noise_variance=0.1, optimize=True).fit(words, values)
    assert model.theta_names_ == ("left__value", "noise_variance")
    mean, std = model.predict(["bridg", "kern"], return_std=True)
    assert mean[0] < 0 < mean[1] and std.shape == (2,) and model.sample(words, 3).shape == (3, 4)
    assert model.loo().mean.shape == (4,) and np.isfinite(model.log_marginal_likelihood(eval_gradient=True)[1]).all()
    assert GaussianProcess(Spectrum(1)).sample(words, 3).shape == (3, 4)


def everything(model):
    loo = model.loo()
    return np.concatenate([
        *model.predict(XQ, return_std=True), model.dual_coef_, loo.mean, loo.variance, loo.log_density,
        model.sample(XQ, 2).ravel(), model.log_marginal_likelihood(eval_gradient=True)[1], model.evidence_terms_,
        [model.log_marginal_likelihood(), model.log_marginal_likelihood_, model.score(X, Y1)],
    ])  # fmt: skip


@pytest.mark.parametrize(
    ("change", "X_new", "y_new"),
    [({}, X, Y1[:-1]), ({}, X, np.full(N, np.nan)), ({"noise_variance": -1.0}, X, Y1),
     ({"optimize": True, "fixed": ("x",)}, X, Y1), ({"noise_variance": 0.0}, np.zeros((N, D)), Y1)],
)  # fmt: skip
def test_a_fit_that_fails_leaves_the_model_as_it_was(change, X_new, y_new):
    model = GaussianProcess(Gaussian(1.3), noise_variance=0.5).fit(X, Y1)
    before, names = everything(model), set(vars(model))
    with pytest.raises((TypeError, ValueError)):
        model.set_params(**change).fit(X_new, y_new)
    np.testing.assert_array_equal(everything(model), before)
    assert set(vars(model)) == names


# ---------------------------------------------------------------- the evidence


@each("n, t", product([1, 2, 63, 64, 65, 129, 300], [1, 2]))
def test_the_matrix_of_the_gradient_in_strips(n, t):
    rng = np.random.default_rng(n)
    A = rng.standard_normal((n, n)) / np.sqrt(n)
    A = A @ A.T + np.eye(n)
    alpha = rng.standard_normal(n) if t == 1 else rng.standard_normal((n, t))
    L = np.asfortranarray(np.linalg.cholesky(A))
    M = inverse_minus_outer(L, alpha)
    expected = np.outer(alpha, alpha) if t == 1 else alpha @ alpha.T
    np.testing.assert_allclose(M, t * np.linalg.inv(A) - expected, atol=1e-11)
    np.testing.assert_array_equal(M, M.T)
    assert np.shares_memory(M, L)


@pytest.mark.parametrize("n", [1, 3, 128, 129, 257, 400])
def test_a_triangle_is_inverted_in_place_and_the_other_one_is_left_alone(n):
    rng = np.random.default_rng(n)
    L = np.asfortranarray(rng.standard_normal((n, n)) / np.sqrt(n) + 2 * np.eye(n))
    inverse = L.copy(order="F")
    invert_lower(inverse)
    np.testing.assert_allclose(np.tril(inverse) @ np.tril(L), np.eye(n), atol=1e-12)
    np.testing.assert_array_equal(np.triu(inverse, 1), np.triu(L, 1))


@pytest.mark.parametrize("theta", [[], [0.0], [0.0, 0.0, 0.0], [[0.0, 0.0]], 0.0])
def test_a_theta_of_another_length_is_refused(theta):
    model = GaussianProcess(Gaussian()).fit(X, Y1)
    refused(re.escape("expected (2,), the logs of ('sigma', 'noise_variance')."), model.log_marginal_likelihood, theta)


@pytest.mark.parametrize(
    ("theta", "message"),
    [([800.0, 0.0], "sigma must be finite"), ([0.0, -800.0], "noise_variance must be positive"),
     ([0.0, 800.0], "noise_variance must be finite"), ([np.nan, 0.0], "sigma must be finite")],
)  # fmt: skip
def test_a_theta_out_of_range_is_refused(theta, message):
    refused(message, GaussianProcess(Gaussian()).fit(X, Y1).log_marginal_likelihood, theta, eval_gradient=True)


# ---------------------------------------------------------------- samples


def the_map(model, points, q):
    """The matrix S of a sample m + Sz, found by drawing q samples whose z are known."""
    Z = np.random.default_rng(5).standard_normal((q, q))
    mean = model.predict(points) if hasattr(model, "dual_coef_") else np.zeros(q)
    return np.linalg.solve(Z, model.sample(points, q, rng=5) - mean).T


@pytest.mark.parametrize("fitted, points", list(product([False, True], [XQ, np.vstack([XQ, XQ[:2]]), X])))
def test_a_sample_is_a_linear_map_of_standard_normal_numbers_with_the_right_covariance(fitted, points):
    model = GaussianProcess(2 * Gaussian(1.3), noise_variance=0.3)
    cov = 2 * Gaussian(1.3)(points)
    if fitted:
        cov = model.fit(X, Y1).predict(points, return_cov=True)[1]
    S = the_map(model, points, len(points))
    np.testing.assert_allclose(S @ S.T, cov, atol=1e-7)
    np.testing.assert_allclose(S, S.T, atol=1e-6)


def test_samples_of_several_targets_are_independent_and_have_their_own_means():
    model = GaussianProcess(Gaussian(1.3), noise_variance=0.3).fit(X, Y2)
    f = model.sample(XQ, 20_000, rng=1)
    assert f.shape == (20_000, 5, T)
    mean, cov = model.predict(XQ, return_cov=True)
    np.testing.assert_allclose(f.mean(axis=0), mean, atol=0.03)
    for j in range(T):
        np.testing.assert_allclose(np.cov(f[:, :, j].T), cov, atol=0.03)
    across = np.einsum("nq,np->qp", f[:, :, 0] - mean[:, 0], f[:, :, 1] - mean[:, 1]) / 20_000
    np.testing.assert_allclose(across, 0, atol=0.03)


def test_a_sample_goes_through_the_data_without_noise():
    model = GaussianProcess(Gaussian(0.5), noise_variance=0.0).fit(X, Y1)
    np.testing.assert_allclose(model.sample(X, 4), np.tile(Y1, (4, 1)), atol=1e-6)


def test_one_seed_gives_one_sample_and_it_moves_continuously_with_the_width():
    grid = np.linspace(-3, 3, 80)[:, None]
    f = [GaussianProcess(Gaussian(s)).sample(grid, 2, rng=7) for s in (0.9, 0.9, 0.9001)]
    np.testing.assert_array_equal(f[0], f[1])
    assert 0 < np.abs(f[2] - f[0]).max() < 0.01
    assert np.abs(GaussianProcess(Gaussian(0.9)).sample(grid, 2, rng=8) - f[0]).max() > 0.5
    np.testing.assert_array_equal(GaussianProcess(Gaussian(0.9)).sample(grid, 2, rng=np.random.default_rng(7)), f[0])
    assert GaussianProcess(Gaussian(0.9)).sample(grid).shape == (1, 80)


def test_samples_need_a_number_and_a_seed():
    refused("n must be at least 1", GaussianProcess(Gaussian()).sample, XQ, n=0)
    refused("n must be an integer", GaussianProcess(Gaussian()).sample, XQ, error=TypeError, n=1.5)
    refused("rng must be an integer seed", GaussianProcess(Gaussian()).sample, XQ, error=TypeError, rng=None)


# ---------------------------------------------------------------- learning


def test_learning_finds_a_maximum_of_the_evidence_and_leaves_the_arguments_alone():
    kernel = 1.0 * Gaussian(3.0)
    model = GaussianProcess(kernel, noise_variance=0.5, optimize=True).fit(XL, YL)
    assert model.kernel is kernel and model.noise_variance == 0.5
    theta = np.append(model.kernel_.theta, np.log(model.noise_variance_))
    value, gradient = model.log_marginal_likelihood(eval_gradient=True)
    np.testing.assert_allclose(gradient, 0, atol=1e-3)
    assert value == pytest.approx(model.log_marginal_likelihood_)
    assert value > GaussianProcess(kernel, noise_variance=0.5).fit(XL, YL).log_marginal_likelihood_
    for step in np.vstack([np.eye(3), -np.eye(3)]):
        assert model.log_marginal_likelihood(theta + 0.05 * step) < value
    direct = GaussianProcess(model.kernel_, noise_variance=model.noise_variance_).fit(XL, YL)
    np.testing.assert_array_equal(direct.predict(XQ), model.predict(XQ))


def test_what_is_fixed_stays_to_the_last_bit_and_the_rest_is_learned_given_it():
    # 67 is one of the numbers that do not come back from their logarithm
    kernel = 0.7 * Gaussian((67.0, 2.1, 0.9)) * RationalQuadratic(1.7, 67.0)
    fixed = ("left__right__sigma", "right__alpha", "noise_variance")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GaussianProcess(kernel, noise_variance=0.07, optimize=True, fixed=fixed).fit(XL, YL)
    assert model.noise_variance_ == 0.07
    params = model.kernel_.get_params()
    assert params["left__right__sigma"] == (67.0, 2.1, 0.9) and params["right__alpha"] == 67
    assert params["left__left__value"] != 0.7 and params["right__sigma"] != 1.7
    slopes = dict(zip(model.theta_names_, model.log_marginal_likelihood(eval_gradient=True)[1], strict=True))
    assert abs(slopes["left__left__value"]) < 1e-3 < abs(slopes["noise_variance"])
    one = GaussianProcess(Gaussian((1.3, 2.1, 0.9)), optimize=True, fixed=("sigma[1]",)).fit(XL, YL)
    assert one.kernel_.sigma[1] == pytest.approx(2.1, rel=1e-14) and one.kernel_.sigma[0] != pytest.approx(1.3)


def test_a_noise_variance_of_zero_is_not_learned():
    model = GaussianProcess(Gaussian(0.7), noise_variance=0, optimize=True, fixed=("noise_variance",)).fit(X, SMOOTH)
    assert model.noise_variance_ == 0 and model.theta_names_ == ("sigma",)


def test_restarts_find_what_one_start_misses_and_never_a_worse_place():
    # two explanations of the same data: a slow wave with noise, and a fast one with little  [GPML, §5.4.1]
    x = np.linspace(0, 10, 25)[:, None]
    y = np.sin(x[:, 0]) + 0.05 * np.random.default_rng(0).standard_normal(25)
    start = {"kernel": 1e-2 * Gaussian(100.0), "noise_variance": 1.0, "optimize": True}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        once = GaussianProcess(**start).fit(x, y)
        often = [GaussianProcess(**start, n_restarts=8, rng=rng).fit(x, y) for rng in (0, 0, np.random.default_rng(0))]
    assert often[0].log_marginal_likelihood_ > once.log_marginal_likelihood_ + 5
    assert often[0].kernel_ == often[1].kernel_ == often[2].kernel_


def test_bounds_hold_and_are_told_when_they_are_met():
    bounds = {"right__sigma": (2.5, 4.0), "noise_variance": (0.2, 3.0)}
    with pytest.warns(UserWarning, match=r"ended at a bound: right__sigma = 2.5 \(slope .*\), noise_variance = 0.2"):
        model = GaussianProcess(Gaussian(9.0) * Gaussian(3.0), noise_variance=0.5, optimize=True, bounds=bounds)
        model.fit(XL, YL)
    assert model.noise_variance_ == pytest.approx(0.2) and model.kernel_.right.sigma == pytest.approx(2.5)
    with pytest.warns(UserWarning, match=r"ended at a bound: sigma\[0\] = 3 \(.*sigma\[1\] = 5 \("):
        model = GaussianProcess(
            Gaussian((4.0, 4.0, 4.0)), noise_variance=0.1, optimize=True, bounds={"sigma": (3.0, 5.0)},
            fixed=("noise_variance", "sigma[2]"),
        ).fit(XL, np.sin(XL[:, 0]))  # fmt: skip


def test_the_search_goes_on_past_hyper_parameters_that_cannot_be_factorised():
    # noise-free values of a smooth function: less and less noise is better, until K + σ_n²I is singular
    x = np.linspace(0, 1, 40)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = GaussianProcess(
            1e4 * Gaussian(1.0), noise_variance=1e-9, optimize=True, bounds={"noise_variance": (1e-30, 1.0)}
        ).fit(x, np.sin(3 * x[:, 0]))
    assert model.log_marginal_likelihood_ > 100
    np.testing.assert_allclose(model.predict(x), np.sin(3 * x[:, 0]), atol=1e-5)


def test_an_early_stop_is_told_unless_the_slope_is_flat():
    class Run:
        success, message, fun = False, "ABNORMAL: ", 12.0
        x, jac = np.array([0.0, 1.0]), np.array([-0.5, 30.0])

    with pytest.warns(UserWarning, match=r"stopped early \(ABNORMAL\): log p\(y\) = -12 still changes by 30 "):
        tell_early_stop(Run, np.array([[-1.0, 2.0], [0.0, 2.0]]))
    with pytest.warns(UserWarning, match=r"still changes by 0.5 "):  # the other leads out of the box
        tell_early_stop(Run, np.array([[-1.0, 2.0], [1.0, 2.0]]))
    with pytest.warns(UserWarning, match=r"still changes by 30 "):  # no maximum, though the optimiser says so
        tell_early_stop(type("Run", (Run,), {"success": True}), np.array([[-1.0, 2.0], [0.0, 2.0]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tell_early_stop(Run, np.array([[-1.0, 0.0], [1.0, 2.0]]))
        Run.jac = np.array([1e-5, -1e-5])
        tell_early_stop(Run, np.array([[-1.0, 2.0], [0.0, 2.0]]))


def test_options_of_learning_that_cannot_be_used_are_refused():
    def learn(**options):
        GaussianProcess(Gaussian(), optimize=True, **options).fit(X, Y1)

    refused("fixed must be a tuple of names, got the string 'sigma'", learn, error=TypeError, fixed="sigma")
    refused("fixed names 'period'; .* sigma, noise_va", learn, fixed=("period",))
    refused("nothing is left to learn", learn, fixed=("sigma", "noise_variance"))
    refused("bounds must be a dict such as", learn, error=TypeError, bounds=(0.1, 1.0))
    refused("bounds names 'period'", learn, bounds={"period": (0.1, 1.0)})
    refused(r"bounds\['sigma'\] must be a pair \(low, high\), got 3.0.", learn, bounds={"sigma": 3.0})
    refused(r"bounds\['sigma'\]\[0\] must be positive", learn, bounds={"sigma": (0.0, 3.0)})
    refused(r"bounds\['sigma'\] = \(2, 3\) must enclose the start of the search", learn, bounds={"sigma": (2.0, 3.0)})
    refused("or name it in fixed", learn, bounds={"sigma": (1.0, 1.0)})
    refused("n_restarts must be at least 0", learn, n_restarts=-1)
    refused("n_restarts must be an integer", learn, error=TypeError, n_restarts=1.5)
    refused("rng must be an integer seed", learn, error=TypeError, rng=None)


# ---------------------------------------------------------------- refusals


def test_a_singular_matrix_is_refused_in_terms_of_the_noise_variance():
    with pytest.raises(ValueError) as refusal:
        GaussianProcess(Gaussian(), noise_variance=0).fit([[0.0], [0.0]], [1.0, 2.0])
    message = str(refusal.value)
    assert "plus noise_variance = 0 times the identity is not positive definite" in message
    assert "take noise_variance of at least" in message and "lam" not in message


def remedy(message):
    return float(re.search(r"take noise_variance of at least (\S+)\.$", str(message))[1])


def test_a_wide_kernel_without_noise_is_refused_as_rounding_and_the_noise_named_suffices():
    x = np.array([[0.15], [0.2], [0.7], [0.8], [0.82], [0.83]])  # K has a Cholesky factor, by chance
    with pytest.raises(ValueError, match="0 up to rounding") as refusal:
        GaussianProcess(Gaussian(1.9), noise_variance=0).fit(x, x[:, 0])
    GaussianProcess(Gaussian(1.9), noise_variance=remedy(refusal.value)).fit(x, x[:, 0]).predict(x, return_std=True)


def test_lost_digits_are_told_where_they_are_asked_for_with_a_noise_that_suffices():
    x, y = np.linspace(0, 1, 6)[:, None], (-1.0) ** np.arange(6)
    model = GaussianProcess(Gaussian(1.8), noise_variance=0).fit(x, y)
    model.predict([[0.5]], return_std=True)  # a warning is an error in tests
    near_and_far = np.array([[0.5], [3.0]])
    for ask in (
        model.predict,
        partial(model.predict, return_std=True),
        partial(model.predict, return_cov=True),
        model.sample,
    ):
        with pytest.warns(UserWarning, match=r"at X\[1\] by") as told:
            ask(near_and_far)
    with pytest.warns(UserWarning, match=r"at X_fit_\[[05]\] by"):
        model.loo()
    GaussianProcess(Gaussian(1.8), noise_variance=remedy(told[0].message)).fit(x, y).predict([[3.0]], return_std=True)


@pytest.mark.parametrize("noise", [0.1, 0.0])
def test_an_indefinite_kernel_is_refused_where_it_shows(noise):
    with pytest.raises(ValueError) as refusal:
        GaussianProcess(Sigmoid(1.0, -1.0), noise_variance=1e-3).fit([[0.5], [2.0]], [1.0, 2.0])
    message = str(refusal.value)
    assert "no process has this covariance" in message and "lam" not in message and "RKHS" not in message

    def negative(A, B):  # K is positive definite on the training point, and k(x, x) < ‖v‖² elsewhere
        return np.where(A[:, :1] == B[:, 0], 1.0, 2.0)

    model = GaussianProcess(negative, noise_variance=noise).fit([[0.0]], [1.0])
    with pytest.raises(ValueError, match=r"the variance at X\[1\] is -\S+ < 0: the kernel is not positive semi-def"):
        model.predict([[0.0], [1.0]], return_std=True)
    refused("the variance at X", model.sample, [[1.0]])
    refused("has the eigenvalue -1 < 0", GaussianProcess(negative).sample, [[1.0], [2.0]])


def test_what_needs_a_fit_says_so():
    model = GaussianProcess(Gaussian())
    for call in (model.loo, model.log_marginal_likelihood):
        refused("this GaussianProcess is not fitted yet", call, error=NotFittedError)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_before_fit_the_prior_predicts(noise):
    model, kernel = GaussianProcess(2 * Gaussian(), noise_variance=noise), 2 * Gaussian()
    assert model.predict(XQ).tolist() == [0.0] * len(XQ) and not hasattr(model, "n_features_in_")
    np.testing.assert_array_equal(model.predict(XQ, return_cov=True)[1], kernel(XQ))
    for with_noise in (False, True):
        mean, sd = model.predict(XQ, return_std=True, with_noise=with_noise)
        np.testing.assert_allclose(sd, np.sqrt(2 + noise * with_noise))
        cov = model.predict(XQ, return_cov=True, with_noise=with_noise)[1]
        np.testing.assert_allclose(np.sqrt(cov.diagonal()), sd)
        assert not mean.any()
    refused("X has shape", model.predict, [1.0, 2.0])
    with pytest.raises(ValueError, match="no Gaussian process has this covariance"):
        GaussianProcess(lambda A, B: -(A @ B.T)).predict(XQ, return_std=True)


@pytest.mark.parametrize("y", [Y1, Y2], ids=["one target", "two targets"])
def test_a_process_that_normalises_y_is_one_of_the_normalised_targets(y):
    y = 1e3 * y * np.arange(1, y[0].size + 1) + 5e4  # another unit for each
    shift, scale = y.mean(axis=0), y.std(axis=0)
    options = {"noise_variance": 0.1}
    own = GaussianProcess(Gaussian(), normalize_y=True, **options).fit(X, y)
    seen = GaussianProcess(Gaussian(), **options).fit(X, (y - shift) / scale)
    np.testing.assert_array_equal(own.dual_coef_, seen.dual_coef_)
    assert own.log_marginal_likelihood() == seen.log_marginal_likelihood() == own.log_marginal_likelihood_
    for asked in ("return_std", "return_cov"):
        (mean, spread), (m, s) = (gp.predict(XQ, with_noise=True, **{asked: True}) for gp in (own, seen))
        np.testing.assert_allclose(mean, shift + scale * m)
        np.testing.assert_allclose(spread, np.multiply.outer(s, scale if asked == "return_std" else scale**2))
    np.testing.assert_allclose(own.predict(XQ), mean)
    np.testing.assert_allclose(own.sample(XQ, 3, rng=1), shift + scale * seen.sample(XQ, 3, rng=1))
    loo, theirs = own.loo(), seen.loo()
    np.testing.assert_allclose(loo.mean, shift + scale * theirs.mean)
    np.testing.assert_allclose(loo.variance, np.multiply.outer(theirs.variance, scale**2))
    normal = -0.5 * np.log(2 * np.pi * loo.variance) - 0.5 * (y - loo.mean) ** 2 / loo.variance
    np.testing.assert_allclose(loo.log_density, normal)  # a density of y, not of what the process saw


def test_a_constant_target_is_centred_only():
    y = np.column_stack([np.full(len(X), 0.1), Y1])
    mean, sd = GaussianProcess(Gaussian(), noise_variance=0.1, normalize_y=True).fit(X, y).predict(XQ, return_std=True)
    np.testing.assert_allclose(mean[:, 0], 0.1, rtol=1e-14)
    np.testing.assert_allclose(sd[:, 1], sd[:, 0] * Y1.std())
    tiny = GaussianProcess(Gaussian(), noise_variance=0.1, normalize_y=True).fit(X, np.ldexp(y, -640))
    np.testing.assert_array_equal(np.ldexp(tiny.predict(XQ), 640), mean)  # no square of it is a number
    refused("normalize_y must be True or False", GaussianProcess(Gaussian(), normalize_y=1).fit, X, Y1, error=TypeError)


def test_std_and_cov_are_not_returned_together():
    with pytest.raises(ValueError, match="return_std and return_cov are both True"):
        GaussianProcess(Gaussian()).fit(X, Y1).predict(XQ, return_std=True, return_cov=True)


def test_the_vector_of_hyper_parameters():
    hyper = Hyper(2 * Gaussian((1.0, 3.0)), 0.5)
    assert hyper.names == ("left__value", "right__sigma[0]", "right__sigma[1]", "noise_variance")
    np.testing.assert_allclose(np.exp(hyper.theta), [2, 1, 3, 0.5])
    moved = hyper.at(np.log([4.0, 5.0, 6.0, 7.0]))
    assert np.exp(moved.theta).tolist() == pytest.approx([4, 5, 6, 7])
    assert Hyper(Linear(), 0.0).names == () and Hyper(Linear(), 0.0).at([]) == Hyper(Linear(), 0.0)


@pytest.mark.parametrize("options", [{"optimize": True}, {"normalize_y": True}])
def test_targets_whose_squares_overflow_are_refused(options):
    with pytest.raises(ValueError, match="y has entries beyond ±1e150, whose squares overflow; scale y down"):
        GaussianProcess(Gaussian(1.0), **options).fit([[0.0], [1.0]], [0.0, 1e160])


def test_the_array_of_a_plain_function_is_not_written_into():
    K = Gaussian(1.3)(X)
    before = K.copy()
    GaussianProcess(lambda A, B: K, noise_variance=0.5).fit(X, Y1).predict(X, return_cov=True)
    np.testing.assert_array_equal(K, before)
