"""The same numbers as SciPy and scikit-learn, at d ≥ 2."""

from itertools import product

import numpy as np
import pytest
from scipy import interpolate
from sklearn.cluster import KMeans
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline

from kcourse.kernels import Gaussian, InverseMultiquadric, Multiquadric, ThinPlate
from kcourse.rbf import (
    BayesRBFClassifier,
    GeneralizedRBF,
    RBFInterpolator,
    RBFNetwork,
    RegularizationNetwork,
    kmeans,
    normalized_basis,
)
from tests.rows import each

D, SIGMA = 3, 0.9
_rng = np.random.default_rng(0)
X, XQ = _rng.standard_normal((40, D)), _rng.standard_normal((15, D))
Y1, Y2 = _rng.standard_normal(40), _rng.standard_normal((40, 2))
GAMMA = 1 / (2 * SIGMA**2)


# ours, their epsilon, their φ over ours, the least degree they take without a warning
BASES = {
    "multiquadric": (Multiquadric(0.7), 1 / 0.7, -1 / 0.7, 0),
    "inverse_multiquadric": (InverseMultiquadric(0.7), 1 / 0.7, 0.7, -1),
    "gaussian": (Gaussian(SIGMA), 1 / (np.sqrt(2) * SIGMA), 1.0, -1),
    "thin_plate_spline": (ThinPlate(1.0), 1.0, 1.0, 1),
}


@each("y, degree, name", product([Y1, Y2], [-1, 0, 1, 2], BASES))
def test_interpolation_agrees_with_scipy(name, degree, y):
    ours, epsilon, factor, least = BASES[name]
    degree = max(degree, least)  # below it SciPy warns
    model = RBFInterpolator(ours, degree=degree).fit(X, y)
    peer = interpolate.RBFInterpolator(X, y, kernel=name, epsilon=epsilon, degree=degree)
    np.testing.assert_allclose(model.predict(XQ), peer(XQ), rtol=1e-9, atol=1e-9)
    # φ_theirs = factor · φ_ours
    np.testing.assert_allclose(model.dual_coef_, factor * peer._coeffs[:40].reshape(y.shape), rtol=1e-7, atol=1e-8)


@each("lam, degree, name", product([1e-3, 0.5, 20.0], [None, 2], BASES))
def test_smoothing_agrees_with_scipy(name, degree, lam):
    ours, epsilon, factor, least = BASES[name]
    degree = least if degree is None else degree
    # φ_theirs = factor · φ_ours, so wᵀΦw of the same function is so much less there
    weights = np.random.default_rng(0).uniform(0.2, 3, len(X))
    for w in (None, weights):
        model = RBFInterpolator(ours, degree=None if degree == least else degree, lam=lam).fit(X, Y2, sample_weight=w)
        smoothing = lam * abs(factor) * (np.ones(len(X)) if w is None else 1 / w)
        peer = interpolate.RBFInterpolator(X, Y2, kernel=name, epsilon=epsilon, degree=degree, smoothing=smoothing)
        np.testing.assert_allclose(model.predict(XQ), peer(XQ), rtol=1e-9, atol=1e-9)


def test_kmeans_with_weights_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    points, w = rng.standard_normal((300, 3)), rng.integers(0, 4, 300) / 2
    theirs = KMeans(5, init=points[:5], n_init=1, tol=0, algorithm="lloyd").fit(points, sample_weight=w)
    ours = kmeans(points, 5, init=points[:5], sample_weight=w)
    np.testing.assert_allclose(ours.centers, theirs.cluster_centers_, rtol=1e-10)
    np.testing.assert_array_equal(ours.labels, theirs.labels_)
    assert ours.inertia == pytest.approx(theirs.inertia_)


@pytest.mark.filterwarnings("ignore:.degree. should not be below:UserWarning")
def test_the_default_of_the_multiquadric_is_the_sources_and_not_scipys():
    ours = RBFInterpolator(Multiquadric(0.7)).fit(X, Y1).predict(XQ)
    np.testing.assert_allclose(
        ours, interpolate.RBFInterpolator(X, Y1, kernel="multiquadric", epsilon=1 / 0.7, degree=-1)(XQ), rtol=1e-9
    )
    default = interpolate.RBFInterpolator(X, Y1, kernel="multiquadric", epsilon=1 / 0.7)(XQ)
    assert np.abs(ours - default).max() > 1e-4


@pytest.mark.parametrize("lam", [1e-3, 0.5])
def test_the_regularisation_network_is_kernel_ridge_regression(lam):
    ours = RegularizationNetwork(Gaussian(SIGMA), lam=lam).fit(X, Y2)
    theirs = KernelRidge(kernel="rbf", gamma=GAMMA, alpha=lam).fit(X, Y2)
    np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, rtol=1e-9)
    np.testing.assert_allclose(ours.predict(XQ), theirs.predict(XQ), rtol=1e-9)


@pytest.mark.parametrize("lam", [1e-3, 0.5])
def test_the_generalised_network_is_nystroem_and_ridge(lam):
    nystroem = Nystroem(kernel="rbf", gamma=GAMMA, n_components=8, random_state=0)
    theirs = make_pipeline(nystroem, Ridge(alpha=lam, fit_intercept=False, solver="cholesky")).fit(X, Y1)
    ours = GeneralizedRBF(Gaussian(SIGMA), centers=nystroem.components_, lam=lam).fit(X, Y1)
    np.testing.assert_allclose(ours.predict(XQ), theirs.predict(XQ), rtol=1e-8)


@pytest.mark.parametrize("y", [Y1, Y2], ids=["one target", "two targets"])
def test_a_network_is_ridge_regression_on_its_hidden_layer(y):
    ours = RBFNetwork(7, sigma=SIGMA, lam=0.01).fit(X, y)
    Phi = rbf_kernel(X, ours.centers_, gamma=GAMMA)
    ridge = Ridge(alpha=0.01, solver="cholesky").fit(Phi, y)
    np.testing.assert_allclose(ours.output_weights_, ridge.coef_.T, rtol=1e-8)
    np.testing.assert_allclose(ours.intercept_, ridge.intercept_, rtol=1e-8)
    np.testing.assert_allclose(ours.hidden(X), Phi, rtol=1e-11)


@each("k, d", product([1, 2, 5, 20], [1, 2, 10]))
def test_k_means_agrees(k, d):
    points = np.random.default_rng(k).standard_normal((700, d)) + 50
    init = points[:k]
    theirs = KMeans(k, init=init, n_init=1, algorithm="lloyd", tol=0, max_iter=500).fit(points)
    ours = kmeans(points, k, init=init, max_iter=500)
    np.testing.assert_allclose(ours.centers, theirs.cluster_centers_, rtol=1e-10)
    np.testing.assert_array_equal(ours.labels, theirs.labels_)
    assert ours.inertia == pytest.approx(theirs.inertia_, rel=1e-10) and ours.n_iter == theirs.n_iter_


def test_a_mixture_of_one_class_a_unit_is_scikit_learns():
    # with labels that say nothing (they alternate) EM fits p(x) as a mixture of round Gaussians
    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(0, 1, (100, 2)), rng.normal(6, 0.5, (60, 2))])
    model = BayesRBFClassifier(2, tol=0.0, max_iter=300).fit(points, np.arange(160) % 2)
    peer = GaussianMixture(
        2, covariance_type="spherical", tol=1e-12, reg_covar=0.0, max_iter=500, means_init=model.centers_
    ).fit(points)
    np.testing.assert_allclose(model.centers_, peer.means_, atol=1e-3)
    np.testing.assert_allclose(model.sigma_**2, peer.covariances_, rtol=1e-3)
    np.testing.assert_allclose(model.priors_, peer.weights_, rtol=1e-3)
    queries = rng.uniform(-2, 8, (20, 2))
    np.testing.assert_allclose(
        normalized_basis(queries, peer.means_, np.sqrt(peer.covariances_), priors=peer.weights_),
        peer.predict_proba(queries), rtol=1e-9, atol=1e-12,
    )  # fmt: skip
    np.testing.assert_allclose(model.log_density(queries), peer.score_samples(queries), rtol=2e-3, atol=2e-3)
