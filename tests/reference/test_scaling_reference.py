"""kcourse.scaling against scikit-learn, at d ≥ 2 and with everything named that the two call differently."""

from itertools import product

import numpy as np
import pytest
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from kcourse.kernels import Gaussian, Polynomial
from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures

RNG = np.random.default_rng(7)
X, XQ = RNG.standard_normal((400, 3)), RNG.standard_normal((50, 3))
Y1, Y2 = np.sin(2 * X[:, 0]) + 0.1 * RNG.standard_normal(400), RNG.standard_normal((400, 2))
SIGMA, M = 1.3, 40
GAMMA = 1 / (2 * SIGMA**2)
PAIRS = [
    (Gaussian(SIGMA), {"kernel": "rbf", "gamma": GAMMA}),
    (Polynomial(gamma=0.3, coef0=1.0, degree=4), {"kernel": "poly", "gamma": 0.3, "coef0": 1.0, "degree": 4}),
]


@pytest.mark.parametrize(("kernel", "theirs"), PAIRS, ids=["gaussian", "polynomial"])
def test_nystrom_features_are_those_of_nystroem(kernel, theirs):
    # the polynomials of degree 4 in 3 variables have 35 dimensions: 30 landmarks are regular
    peer = Nystroem(**theirs, n_components=30, random_state=0).fit(X)
    ours = Nystrom(kernel, landmarks=peer.components_).fit(X)
    assert ours.rank_ == 30
    np.testing.assert_allclose(ours.transform(XQ), peer.transform(XQ), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("y, lam", list(product([Y1, Y2], [1e-3, 0.3, 30.0])))
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
