"""kcourse.gp against scikit-learn's GaussianProcessRegressor and SciPy's normal distribution, at d ≥ 2."""

import warnings
from itertools import product

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as gp

from kcourse.gp import GaussianProcess
from kcourse.kernels import Constant, Gaussian, Laplacian, Linear, Matern, Periodic, RationalQuadratic
from tests.rows import each

RNG = np.random.default_rng(0)
D = 3
X, Z = RNG.standard_normal((40, D)), RNG.standard_normal((17, D))
Y = np.sin(1.5 * X[:, 0]) + 0.5 * X[:, 1] ** 2 + 0.2 * RNG.standard_normal(40)
Y2 = np.column_stack([Y, RNG.standard_normal(40)])
NOISE = 0.07
WIDTHS = (0.8, 1.7, 4.0)

# name: ours, theirs, and where each of their hyper-parameters (sorted by their names) stands in ours
KERNELS = {
    "gaussian": (Gaussian(1.7), gp.RBF(1.7), [0]),
    "gaussian, ARD": (Gaussian(WIDTHS), gp.RBF(WIDTHS), [0, 1, 2]),
    "a multiple": (3 * Gaussian(1.7), 3 * gp.RBF(1.7), [0, 1]),
    "laplacian": (Laplacian(1.7), gp.Matern(1.7, nu=0.5), [0]),
    "laplacian, ARD": (Laplacian(WIDTHS), gp.Matern(WIDTHS, nu=0.5), [0, 1, 2]),
    "matern 3/2": (Matern(1.5, 1.7), gp.Matern(1.7, nu=1.5), [0]),
    "matern 3/2, ARD": (Matern(1.5, WIDTHS), gp.Matern(WIDTHS, nu=1.5), [0, 1, 2]),
    "matern 5/2": (Matern(2.5, 1.7), gp.Matern(1.7, nu=2.5), [0]),
    "matern 5/2, ARD": (Matern(2.5, WIDTHS), gp.Matern(WIDTHS, nu=2.5), [0, 1, 2]),
    "rational quadratic": (RationalQuadratic(1.7, 0.6), gp.RationalQuadratic(1.7, 0.6), [1, 0]),
    "linear and constant": (Linear() + Constant(0.5), gp.DotProduct(0, "fixed") + gp.ConstantKernel(0.5), [0]),
    "a sum of products": (0.5 * Gaussian(1.7) * RationalQuadratic(2.0, 0.8) + 2 * Matern(1.5, 3.0),
     0.5 * gp.RBF(1.7) * gp.RationalQuadratic(2.0, 0.8) + 2 * gp.Matern(3.0, nu=1.5), [0, 1, 3, 2, 4, 5]),
}  # fmt: skip


def both(name, y=Y, noise_in_kernel=False):
    ours, theirs, _ = KERNELS[name]
    model = GaussianProcess(ours, noise_variance=NOISE).fit(X, y)
    if noise_in_kernel:
        return model, GaussianProcessRegressor(theirs + gp.WhiteKernel(NOISE), alpha=0, optimizer=None).fit(X, y)
    return model, GaussianProcessRegressor(theirs, alpha=NOISE, optimizer=None).fit(X, y)


@each("name", KERNELS)
def test_mean_deviation_and_covariance_agree(name):
    ours, theirs = both(name)
    for option in ("return_std", "return_cov"):
        for a, b in zip(ours.predict(Z, **{option: True}), theirs.predict(Z, **{option: True}), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.dual_coef_, theirs.alpha_, rtol=1e-7, atol=1e-9)
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), rel=1e-9)


@each("name, y", product(KERNELS, [Y, Y2]))
def test_the_evidence_and_its_gradient_agree(name, y):
    ours, theirs = both(name, y, noise_in_kernel=True)
    order = [*KERNELS[name][2], len(ours.theta_names_) - 1]
    assert ours.log_marginal_likelihood_ == pytest.approx(theirs.log_marginal_likelihood_value_, rel=1e-10)
    shift = np.linspace(-0.3, 0.4, len(order))  # away from where it was fitted
    theta = np.append(ours.kernel_.theta, np.log(NOISE)) + shift
    value, gradient = ours.log_marginal_likelihood(theta, eval_gradient=True)
    their_value, their_gradient = theirs.log_marginal_likelihood(theta[order], eval_gradient=True)
    assert value == pytest.approx(their_value, rel=1e-10)
    np.testing.assert_allclose(gradient[order], their_gradient, rtol=1e-7, atol=1e-8)


def test_the_deviation_of_an_observation_is_that_of_a_kernel_with_white_noise():
    ours, theirs = both("gaussian, ARD", noise_in_kernel=True)
    mean, std = ours.predict(Z, return_std=True, with_noise=True)
    their_mean, their_std = theirs.predict(Z, return_std=True)
    np.testing.assert_allclose(mean, their_mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(std, their_std, rtol=1e-9)


@pytest.mark.parametrize("y", [Y, Y2], ids=["one target", "two targets"])
def test_normalised_targets_agree(y):
    y = 50 * y + 300
    ours = GaussianProcess(Gaussian(1.7), noise_variance=NOISE, normalize_y=True).fit(X, y)
    theirs = GaussianProcessRegressor(gp.RBF(1.7), alpha=NOISE, optimizer=None, normalize_y=True).fit(X, y)
    for option in ("return_std", "return_cov"):
        for a, b in zip(ours.predict(Z, **{option: True}), theirs.predict(Z, **{option: True}), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.log_marginal_likelihood_, theirs.log_marginal_likelihood_value_, rtol=1e-10)


def test_in_one_dimension_the_periodic_kernel_agrees():
    x, q = X[:, :1], Z[:, :1]
    ours = GaussianProcess(Periodic(1.9, 0.8), noise_variance=NOISE).fit(x, Y)
    theirs = GaussianProcessRegressor(gp.ExpSineSquared(0.8, 1.9), alpha=NOISE, optimizer=None).fit(x, Y)
    for a, b in zip(ours.predict(q, return_std=True), theirs.predict(q, return_std=True), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-9)
    gradient = ours.log_marginal_likelihood(eval_gradient=True)[1]
    their_gradient = theirs.log_marginal_likelihood(theirs.kernel_.theta, eval_gradient=True)[1]
    np.testing.assert_allclose(gradient[[1, 0]], their_gradient, rtol=1e-8)  # theirs: width, then period


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (1 * Gaussian(1.0), 1 * gp.RBF(1.0)),
        (1 * Gaussian((1.0, 1.0, 1.0)), 1 * gp.RBF([1.0, 1.0, 1.0])),
        (1 * Matern(2.5, 1.0), 1 * gp.Matern(1.0, nu=2.5)),
    ],
    ids=["gaussian", "gaussian, ARD", "matern"],
)
def test_what_is_learned_agrees(ours, theirs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a width of no importance goes to its bound, in both
        model = GaussianProcess(ours, noise_variance=0.1, optimize=True).fit(X, Y)
        peer = GaussianProcessRegressor(theirs + gp.WhiteKernel(0.1), alpha=0).fit(X, Y)
    assert model.log_marginal_likelihood_ == pytest.approx(peer.log_marginal_likelihood_value_, abs=1e-4)
    assert model.log_marginal_likelihood_ >= peer.log_marginal_likelihood_value_ - 1e-6
    theta, peers = np.append(model.kernel_.theta, np.log(model.noise_variance_)), peer.kernel_.theta
    matters = peers < 8  # a log-width near its bound (1e5) says nothing
    np.testing.assert_allclose(theta[matters], peers[matters], atol=2e-3)
    for a, b in zip(model.predict(Z, return_std=True, with_noise=True), peer.predict(Z, return_std=True), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-3)
