"""kcourse.scaling against scikit-learn, at d ≥ 2 and with everything named that the two call differently."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as gp_kernels
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from kcourse.kernels import Gaussian, Laplacian, Matern, Polynomial, RationalQuadratic
from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures

RNG = np.random.default_rng(7)
X, XQ = RNG.standard_normal((400, 3)), RNG.standard_normal((50, 3))
Y1, Y2 = np.sin(2 * X[:, 0]) + 0.1 * RNG.standard_normal(400), RNG.standard_normal((400, 2))
SIGMA, M = 1.3, 40
GAMMA = 1 / (2 * SIGMA**2)
PAIRS = [
    (Gaussian(SIGMA), {"kernel": "rbf", "gamma": GAMMA}),
    (Polynomial(u=0.3, v=1.0, p=4), {"kernel": "poly", "gamma": 0.3, "coef0": 1.0, "degree": 4}),
]


@pytest.mark.parametrize(("kernel", "theirs"), PAIRS, ids=["gaussian", "polynomial"])
def test_nystrom_features_are_those_of_nystroem(kernel, theirs):
    # the polynomials of degree 4 in 3 variables have 35 dimensions: 30 landmarks are regular
    peer = Nystroem(**theirs, n_components=30, random_state=0).fit(X)
    ours = Nystrom(kernel, landmarks=peer.components_).fit(X)
    assert ours.rank_ == 30
    np.testing.assert_allclose(ours.transform(XQ), peer.transform(XQ), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("y", [Y1, Y2], ids=["one target", "two targets"])
@pytest.mark.parametrize("lam", [1e-3, 0.3, 30.0])
def test_nystrom_ridge_is_their_pipeline(lam, y):
    peer = Nystroem(gamma=GAMMA, n_components=M, random_state=0)
    pipeline = make_pipeline(peer, Ridge(alpha=lam, fit_intercept=False)).fit(X, y)
    ours = NystromRidge(Gaussian(SIGMA), landmarks=peer.components_, lam=lam, block=64).fit(X, y)
    np.testing.assert_allclose(ours.predict(XQ), pipeline.predict(XQ), rtol=1e-7, atol=1e-9)
    assert ours.score(X, y) == pytest.approx(pipeline.score(X, y), abs=1e-9)


def test_with_all_points_it_is_their_kernel_ridge():
    peer = SklearnKernelRidge(kernel="rbf", gamma=GAMMA, alpha=0.3).fit(X, Y1)
    ours = NystromRidge(Gaussian(SIGMA), n_landmarks=400, lam=0.3).fit(X, Y1)
    np.testing.assert_allclose(ours.predict(XQ), peer.predict(XQ), atol=1e-7)


def test_random_features_with_their_numbers_are_rbf_sampler():
    peer = RBFSampler(gamma=GAMMA, n_components=60, random_state=0).fit(X)
    ours = RandomFourierFeatures(Gaussian(SIGMA), n_features=60, paired=False).fit(X)
    ours.frequencies_, ours.phases_ = peer.random_weights_, peer.random_offset_
    np.testing.assert_allclose(ours.transform(XQ), peer.transform(XQ), atol=1e-14)


def test_frequencies_have_the_spread_of_theirs():
    count = 100_000
    ours = RandomFourierFeatures(Gaussian(SIGMA), n_features=count, paired=False).fit(X).frequencies_
    theirs = RBFSampler(gamma=GAMMA, n_components=count, random_state=0).fit(X).random_weights_
    tight = 5 * np.sqrt(2 / count)  # five standard errors of a relative variance; a lost factor 2 is 50 of them
    np.testing.assert_allclose(ours.var(axis=1) * SIGMA**2, 1.0, atol=tight)
    np.testing.assert_allclose(theirs.var(axis=1) * SIGMA**2, 1.0, atol=tight)
    np.testing.assert_allclose(np.cov(ours) * SIGMA**2, np.eye(3), atol=tight)


def width(kernel, paired):
    """The σ whose Gaussian has the curvature at 0 that 400 000 features have."""
    delta = 0.05
    points = np.array([[0.0, 0.0], [0.6 * delta, 0.8 * delta]])
    F = RandomFourierFeatures(kernel, n_features=400_000, paired=paired).fit_transform(points)
    # 1 - k ≈ δ²/(2σ²) = ½ ‖φ(x) - φ(z)‖²
    return delta / np.linalg.norm(F[0] - F[1])


@pytest.mark.parametrize("paired", [True, False])
@pytest.mark.parametrize("sigma", [0.5, 1.3, 4.0])
def test_the_width_is_sigma_and_not_root_two_of_it(sigma, paired):
    assert width(Gaussian(sigma), paired) == pytest.approx(sigma, rel=0.01)


@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [
        (Matern(1.5, SIGMA), gp_kernels.Matern(nu=1.5, length_scale=SIGMA)),
        (Matern(2.5, SIGMA), gp_kernels.Matern(nu=2.5, length_scale=SIGMA)),
        (Laplacian(SIGMA), gp_kernels.Matern(nu=0.5, length_scale=SIGMA)),
        (RationalQuadratic(SIGMA, 0.7), gp_kernels.RationalQuadratic(length_scale=SIGMA, alpha=0.7)),
        (Gaussian((0.8, 1.0, 2.0)), gp_kernels.RBF([0.8, 1.0, 2.0])),
    ],
    ids=["Matern 3/2", "Matern 5/2", "Laplacian", "rational quadratic", "one width each"],
)
def test_random_features_average_to_their_kernels(kernel, theirs):
    count = 200_000
    F = RandomFourierFeatures(kernel, n_features=count).fit_transform(XQ[:12])
    np.testing.assert_allclose(F @ F.T, theirs(XQ[:12]), atol=5 / np.sqrt(count))
