"""The same numbers as scikit-learn, at d ≥ 2, and good manners in its tools."""

from itertools import product

import numpy as np
import pytest
from sklearn import kernel_ridge, svm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process import kernels as gp
from sklearn.linear_model import Ridge, RidgeCV
from sklearn.metrics import pairwise
from sklearn.model_selection import LeaveOneOut, cross_val_predict

from kcourse import Gaussian, KernelRidge, Laplacian, Linear, Polynomial
from tests.kernels import examples_that, row
from tests.rows import each

RNG = np.random.default_rng(0)
D = 3
X, Z = RNG.standard_normal((40, D)), RNG.standard_normal((17, D))
Y1, Y2 = RNG.standard_normal(40), RNG.standard_normal((40, 2))
SIGMA = 1.7
GAMMA = 1 / (2 * SIGMA**2)  # what scikit-learn calls the Gaussian's width


@examples_that(lambda kernel: row(kernel).in_sklearn(kernel))
def test_kernels_agree(kernel):
    theirs = row(kernel).in_sklearn(kernel)
    np.testing.assert_allclose(kernel(X, Z), theirs(X, Z), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(kernel(X), theirs(X), rtol=1e-12, atol=1e-13)


def test_the_laplacian_is_euclidean_where_scikit_learns_is_not():
    np.testing.assert_allclose(
        Laplacian(SIGMA)(X[:, :1], Z[:, :1]), pairwise.laplacian_kernel(X[:, :1], Z[:, :1], gamma=1 / SIGMA), rtol=1e-13
    )
    assert np.all(Laplacian(SIGMA)(X, Z) > pairwise.laplacian_kernel(X, Z, gamma=1 / SIGMA))


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        (Gaussian(SIGMA), {"kernel": "rbf", "gamma": GAMMA}),
        (Polynomial(gamma=0.5, coef0=1.0, degree=2), {"kernel": "poly", "gamma": 0.5, "coef0": 1.0, "degree": 2}),
        (Linear(), {"kernel": "linear"}),
    ],
)
def test_a_kernel_works_as_the_kernel_of_a_support_vector_machine(kernel, options):
    labels = np.sign(X[:, 0] * X[:, 1] + 0.1)
    ours = svm.SVC(kernel=kernel, C=2.0, tol=1e-8).fit(X, labels)
    theirs = svm.SVC(C=2.0, tol=1e-8, **options).fit(X, labels)
    np.testing.assert_allclose(ours.decision_function(Z), theirs.decision_function(Z), atol=1e-6)


@each("y, lam", product([Y1, Y2, Y1[:, None]], [0.01, 1.0, 30.0]))
@each(
    ("kernel", "options"),
    [
        (Gaussian(SIGMA), {"kernel": "rbf", "gamma": GAMMA}),
        (Polynomial(gamma=0.5, coef0=1.5, degree=3), {"kernel": "poly", "gamma": 0.5, "coef0": 1.5, "degree": 3}),
        (Linear(), {"kernel": "linear"}),
    ],
)
def test_kernel_ridge_agrees(kernel, options, lam, y):
    ours = KernelRidge(kernel, lam=lam).fit(X, y)
    theirs = kernel_ridge.KernelRidge(alpha=lam, **options).fit(X, y)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ours.predict(Z), theirs.predict(Z), rtol=1e-8, atol=1e-10)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), rel=1e-9)


WEIGHTS = RNG.uniform(0.0, 3.0, 40) * (np.arange(40) % 5 > 0)  # every fifth is left out


@pytest.mark.parametrize("y", [Y1, Y2])
def test_weights_and_the_weighted_score_agree(y):
    theirs = kernel_ridge.KernelRidge(kernel="rbf", gamma=GAMMA, alpha=0.3).fit(X, y, sample_weight=WEIGHTS)
    ours = KernelRidge(Gaussian(SIGMA), lam=0.3).fit(X, y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(ours.predict(Z), theirs.predict(Z), rtol=1e-10)
    np.testing.assert_allclose(ours.score(X, y, WEIGHTS), theirs.score(X, y, WEIGHTS), rtol=1e-10)
    assert ours.score(X, y) < ours.score(X, y, WEIGHTS)


def test_weights_with_an_intercept_are_those_of_ridge_regression():
    theirs = Ridge(alpha=0.7).fit(X, Y1, sample_weight=WEIGHTS)
    ours = KernelRidge(Linear(), lam=0.7, intercept=True).fit(X, Y1, sample_weight=WEIGHTS)
    np.testing.assert_allclose([*ours.coef_, ours.intercept_], [*theirs.coef_, theirs.intercept_])


def test_the_linear_kernel_is_ridge_regression_without_intercept():
    ridge = Ridge(alpha=0.7, fit_intercept=False).fit(X, Y1)
    model = KernelRidge(Linear(), lam=0.7).fit(X, Y1)
    np.testing.assert_allclose(model.predict(Z), ridge.predict(Z), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.coef_, ridge.coef_, rtol=1e-10)


@pytest.mark.parametrize("kernel", [gp.RBF(SIGMA), gp.Matern(SIGMA, nu=1.5) + gp.ConstantKernel(0.5)])
def test_the_mean_of_a_gaussian_process_is_the_fit_whose_lam_is_the_noise_variance(kernel):
    process = GaussianProcessRegressor(kernel, alpha=0.3, optimizer=None).fit(X, Y1)
    model = KernelRidge(kernel, lam=0.3).fit(X, Y1)  # their kernels are functions of two sets of points, too
    np.testing.assert_allclose(model.predict(Z), process.predict(Z), rtol=1e-9, atol=1e-12)


def test_leave_one_out_agrees_with_ridge_cv_and_with_refits():
    lams = np.array([0.05, 1.0, 20.0])
    ridge = RidgeCV(alphas=lams, fit_intercept=False, store_cv_results=True).fit(X, Y1)
    path = KernelRidge(Linear()).fit(X, Y1).loo_path(lams)
    np.testing.assert_allclose(path.residuals.T**2, ridge.cv_results_, rtol=1e-8)
    assert path.best_lam == ridge.alpha_
    refits = cross_val_predict(kernel_ridge.KernelRidge(alpha=1.0), X, Y1, cv=LeaveOneOut())
    np.testing.assert_allclose(path.residuals[1], Y1 - refits, rtol=1e-8, atol=1e-10)
