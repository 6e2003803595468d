"""Anchors of chapter 4, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises and what
goes wrong in them, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel

from kcourse.datasets import make_sinc
from kcourse.gp import GaussianProcess
from kcourse.kernels import Gaussian
from kcourse.ridge import KernelRidge

SINC = make_sinc(rng=0)
GRID = np.arange(-3, 3, 0.05)[:, None]


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


# ---------------------------------------------------------------- exercises: the canonical inputs and right answers
