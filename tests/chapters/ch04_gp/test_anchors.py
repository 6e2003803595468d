"""Anchors of chapter 4, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises and what
goes wrong in them, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

from kcourse.datasets import load_co2, make_sinc
from kcourse.gp import GaussianProcess
from kcourse.kernels import Brownian, Gaussian, Periodic, RationalQuadratic
from kcourse.ridge import KernelRidge

SINC = make_sinc(rng=0)
GRID = np.arange(-3, 3, 0.05)[:, None]
YEAR, PPM = load_co2(return_X_y=True)
PAST = YEAR[:, 0] < 1992
CO2 = (
    66**2 * Gaussian(67.0)
    + 2.4**2 * Gaussian(90.0) * Periodic(period=1.0, sigma=1.3)
    + 0.66**2 * RationalQuadratic(sigma=1.2, alpha=0.78)
    + 0.18**2 * Gaussian(0.134)
)


# ---------------------------------------------------------------- anchors


def test_one_point():
    gp = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
    mean, std = gp.predict([[0.0], [1.0]], return_std=True)
    assert mean.tolist() == pytest.approx([0.8, 0.485225], abs=5e-7)
    assert (std**2).tolist() == pytest.approx([0.2, 0.705696], abs=5e-7)
    assert gp.log_marginal_likelihood_ == pytest.approx(-1.430510, abs=5e-7)


def test_the_terms_of_the_evidence_of_sinc():
    gp = GaussianProcess(Gaussian(0.5), noise_variance=0.5).fit(SINC.X, SINC.y)
    assert [round(term, 2) for term in gp.evidence_terms_] == [-0.97, 1.68, -27.57]
    assert gp.log_marginal_likelihood_ == pytest.approx(-26.863950, abs=5e-7)
    peer = GaussianProcessRegressor(RBF(0.5), alpha=0.5, optimizer=None).fit(SINC.X, SINC.y)
    assert gp.log_marginal_likelihood_ == pytest.approx(peer.log_marginal_likelihood_value_, rel=1e-12)


def test_co2_with_the_hyper_parameters_of_the_book():
    assert PPM.mean() == pytest.approx(339.8227, abs=5e-5)
    gp = GaussianProcess(CO2, noise_variance=0.19**2).fit(YEAR, PPM - PPM.mean())
    assert gp.log_marginal_likelihood_ == pytest.approx(-117.023, abs=5e-4)
    # its parts, each added up to the mean: trend, season, medium-term, noise-like
    parts = [CO2.left.left.left, CO2.left.left.right, CO2.left.right, CO2.right]
    assert repr(parts[0]) == "4356 * Gaussian(sigma=67.0)"
    np.testing.assert_allclose(sum(k(YEAR) @ gp.dual_coef_ for k in parts), gp.predict(YEAR), atol=1e-6)


def forecast(kernel):
    """Predictions from 1992 on of a process that has seen the time before: mean, deviations of f and of y."""
    before = PPM[PAST].mean()
    gp = GaussianProcess(kernel, noise_variance=0.19**2).fit(YEAR[PAST], PPM[PAST] - before)
    mean, std = gp.predict(YEAR[~PAST], return_std=True)
    return mean + before, std, gp.predict(YEAR[~PAST], return_std=True, with_noise=True)[1]


def rmse(mean):
    return np.sqrt(np.mean((PPM[~PAST] - mean) ** 2))


def test_co2_forecast_from_1992():
    mean, _, of_y = forecast(CO2)
    assert len(mean) == 120
    assert rmse(mean) == pytest.approx(1.355, abs=5e-4)
    assert np.mean(np.abs(PPM[~PAST] - mean) <= 2 * of_y) == pytest.approx(0.925, abs=5e-4)


# ---------------------------------------------------------------- misconceptions, with the number that refutes each


def test_the_mean_is_kernel_ridge_regression_only_if_lam_is_the_noise_variance():
    gp = GaussianProcess(Gaussian(0.5), noise_variance=0.3).fit(SINC.X, SINC.y).predict(GRID)
    krr = KernelRidge(Gaussian(0.5), lam=0.3).fit(SINC.X, SINC.y).predict(GRID)
    np.testing.assert_allclose(gp, krr, rtol=0, atol=3e-16)
    other = GaussianProcess(Gaussian(0.5), noise_variance=0.03).fit(SINC.X, SINC.y).predict(GRID)
    assert np.abs(other - krr).max() > 0.07
    # E09, prior mean: moving y by 1 does not move the prediction by 1, so the mean must be taken away first
    raised = GaussianProcess(Gaussian(0.5), noise_variance=0.3).fit(SINC.X, SINC.y + 1).predict(GRID)
    assert np.abs(raised - gp - 1).max() > 0.1


def test_the_band_does_not_depend_on_y():
    one, two = (GaussianProcess(Gaussian(0.5), noise_variance=0.5).fit(SINC.X, c * SINC.y) for c in (1, 2))
    np.testing.assert_array_equal(two.predict(GRID, return_std=True)[1], one.predict(GRID, return_std=True)[1])
    assert not np.allclose(two.predict(GRID), one.predict(GRID))


def test_the_band_is_for_f_and_for_new_observations_it_is_wider_by_the_noise():
    gp = GaussianProcess(Gaussian(0.5), noise_variance=0.5).fit(SINC.X, SINC.y)
    of_f, of_y = (gp.predict(GRID, return_std=True, with_noise=on)[1] ** 2 for on in (False, True))
    np.testing.assert_allclose(of_y - of_f, 0.5, rtol=1e-13)
    theirs_f = GaussianProcessRegressor(RBF(0.5), alpha=0.5, optimizer=None).fit(SINC.X, SINC.y)
    theirs_y = GaussianProcessRegressor(RBF(0.5) + WhiteKernel(0.5), alpha=0, optimizer=None).fit(SINC.X, SINC.y)
    np.testing.assert_allclose(theirs_f.predict(GRID, return_std=True)[1] ** 2, of_f, rtol=1e-9)
    np.testing.assert_allclose(theirs_y.predict(GRID, return_std=True)[1] ** 2, of_y, rtol=1e-9)


def test_the_noise_parameter_is_a_variance_not_a_standard_deviation():
    # a WhiteKernel of level 0.25 is noise of standard deviation 0.5
    std = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0]).predict([[1e3]], return_std=True)[1]
    assert std.tolist() == [1.0]
    of_y = GaussianProcess(Gaussian(1.0), noise_variance=0.25).fit([[0.0]], [1.0])
    assert of_y.predict([[1e3]], return_std=True, with_noise=True)[1][0] ** 2 == pytest.approx(1 + 0.5**2)


def test_uncertainty_saturates_at_the_prior_variance():
    gp = GaussianProcess(2.5 * Gaussian(0.5), noise_variance=0.5).fit(SINC.X, SINC.y)
    variance = gp.predict(np.array([[3.5], [5.0], [10.0], [1e3], [1e6]]), return_std=True)[1] ** 2
    assert np.all(np.diff(variance) >= 0) and variance[-3:].tolist() == pytest.approx([2.5] * 3, rel=1e-12)


@pytest.mark.parametrize(("n", "norm2"), [(10, 10.0), (50, 49.6), (200, 200.6)])
def test_sample_paths_of_brownian_motion_are_not_in_its_space(n, norm2):
    t = np.arange(1, n + 1)[:, None] / n
    K = Brownian()(t)
    # ‖f‖² of the interpolant through the sample is a χ² number with n degrees of freedom: it grows without end
    f = GaussianProcess(Brownian()).sample(t, 4000, rng=0)
    squares = np.einsum("si,is->s", f, np.linalg.solve(K, f.T))
    assert squares.mean() == pytest.approx(n, rel=0.02) and squares.mean() == pytest.approx(norm2, rel=0.03)
    # that of a function of the space stays: ∫ (½π cos ½πt)² dt = π²/8
    h = np.sin(np.pi * t[:, 0] / 2)
    stays = h @ GaussianProcess(Brownian(), noise_variance=0).fit(t, h).dual_coef_
    assert stays <= np.pi**2 / 8 and stays == pytest.approx(np.pi**2 / 8, rel=1 / n**1.9)


def test_the_largest_evidence_is_not_the_truth():
    gp = GaussianProcess(1.0 * Gaussian(1.0), noise_variance=0.1, optimise=True).fit(SINC.X, SINC.y)
    assert np.sqrt(gp.noise_variance_) == pytest.approx(0.115, abs=5e-4)  # the data were made with 0.15


def test_a_process_extrapolates_as_well_as_its_kernel():
    mean, _, of_y = forecast(CO2)
    assert rmse(mean) == pytest.approx(1.36, abs=5e-3)
    assert np.mean(np.abs(PPM[~PAST] - mean) <= 2 * of_y) == pytest.approx(0.925, abs=5e-4)  # not 0.954
    assert rmse(forecast(66**2 * Gaussian(0.134))[0]) == pytest.approx(30.9, abs=0.05)


# ---------------------------------------------------------------- exercises: the canonical inputs and right answers

X3, Y3 = np.array([[0.0], [1.0], [2.5]]), np.array([1.0, -1.0, 0.5])
