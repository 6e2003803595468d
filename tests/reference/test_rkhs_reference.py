"""kcourse.rkhs against SciPy and scikit-learn at d ≥ 2, and against closed forms."""

import numpy as np
import pytest
from scipy.interpolate import RBFInterpolator
from scipy.stats import permutation_test
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics.pairwise import rbf_kernel

from kcourse.kernels import Brownian, Gaussian
from kcourse.rkhs import brownian_mercer, interpolate, mmd2, mmd_test

RNG = np.random.default_rng(0)
X, Q, Y = RNG.standard_normal((20, 3)), RNG.standard_normal((6, 3)), RNG.standard_normal(20)


def test_interpolation():
    f = interpolate(Gaussian(0.8), X, Y)
    peer = RBFInterpolator(X, Y, kernel="gaussian", epsilon=1 / (np.sqrt(2) * 0.8), degree=-1)
    np.testing.assert_allclose(f(Q), peer(Q), rtol=1e-8)
    process = GaussianProcessRegressor(RBF(0.8), alpha=1e-12, optimizer=None).fit(X, Y)
    np.testing.assert_allclose(f(Q), process.predict(Q), rtol=1e-6)
    # log p(y) = -½ ‖f‖² - ½ log |2πK|
    K = rbf_kernel(X, gamma=1 / (2 * 0.8**2))
    half_log = 0.5 * np.linalg.slogdet(2 * np.pi * K)[1]
    assert f.norm2 == pytest.approx(-2 * (process.log_marginal_likelihood_value_ + half_log), rel=1e-6)


def test_mmd_of_two_normal_distributions():
    # E exp(-|u|²/2σ²) = (σ²/(σ² + τ²))^(d/2) exp(-|m|²/2(σ² + τ²)) for u ~ N(m, τ²I): here τ² = 2
    sigma, m, d = 1.5, np.array([0.8, -0.3]), 2
    shrink = (sigma**2 / (sigma**2 + 2)) ** (d / 2)
    exact = 2 * shrink * (1 - np.exp(-(m @ m) / (2 * (sigma**2 + 2))))
    rng = np.random.default_rng(0)
    draws = [
        mmd2(Gaussian(sigma), rng.standard_normal((200, d)), rng.standard_normal((150, d)) + m, unbiased=True)
        for _ in range(40)
    ]
    assert np.mean(draws) == pytest.approx(exact, abs=4 * np.std(draws) / np.sqrt(40))
    assert np.std(draws) / np.sqrt(40) < 0.05 * exact


def test_the_p_value_is_that_of_all_permutations():
    kernel, A, B = Gaussian(1.0), X[:4, :2], X[4:9, :2] + 0.7
    exact = permutation_test(
        (np.arange(4), np.arange(4, 9)),
        lambda i, j: mmd2(kernel, np.vstack([A, B])[i], np.vstack([A, B])[j]),
        vectorized=False, n_resamples=np.inf, alternative="greater",
    )  # fmt: skip
    ours = mmd_test(kernel, A, B, n_permutations=20_000, rng=0)
    assert exact.null_distribution.size == 126 and 0.02 < exact.pvalue < 0.98
    assert ours.mmd2 == pytest.approx(exact.statistic, rel=1e-13)
    assert ours.p_value == pytest.approx(exact.pvalue, abs=4 * np.sqrt(exact.pvalue * (1 - exact.pvalue) / 20_000))


def test_mercer_pairs_are_the_limit_of_gram_matrices():
    # eigenvalues of K/n at n midpoints tend to those of the integral operator (quadrature)
    n = 800
    t = (np.arange(n) + 0.5) / n
    w, V = np.linalg.eigh(Brownian()(t[:, None]) / n)
    pairs = brownian_mercer(5)
    np.testing.assert_allclose(w[::-1][:5], pairs.eigenvalues, rtol=1e-4)
    E = pairs.eigenfunctions(t[:, None])
    overlaps = np.abs(np.sum(E * V[:, ::-1][:, :5], axis=0)) / np.sqrt(n)
    np.testing.assert_allclose(overlaps, 1, atol=1e-6)
