"""Anchors of chapter 7, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises, what goes
wrong in them, and its errata, digit for digit.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from kcourse.datasets import make_double_moon
from kcourse.kernels import Gaussian, InverseMultiquadric, Multiquadric, ThinPlate
from kcourse.rbf import (
    GeneralizedRBF,
    RBFInterpolator,
    RBFNetwork,
    RBFNetworkClassifier,
    RegularizationNetwork,
    bayes_weights,
    cover_count,
    cover_probability,
    kmeans,
    monomials,
    normalized_basis,
    online_kmeans,
    separating_weights,
    spread,
)

SEED_X, SEED_D, SEED_C = np.array([[-1.0], [0.0], [1.0]]), np.array([1.0, 2.0, 1.0]), np.sqrt(0.5)
XOR, XOR_Y = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]]), np.array([0.0, 0.0, 1.0, 1.0])
XOR_CENTERS, XOR_SIGMA = [[1.0, 1.0], [0.0, 0.0]], np.sqrt(0.5)


# ---------------------------------------------------------------- anchors


def test_the_seeds_multiquadric():
    model = RBFInterpolator(Multiquadric(SEED_C)).fit(SEED_X, SEED_D)
    np.testing.assert_allclose(model.dual_coef_, [1.74238296, -3.20736451, 1.74238296], rtol=0, atol=5e-9)
    assert model.predict([[0.5]])[0] == pytest.approx(1.6207040282, abs=5e-11)
    assert round(model.predict([[0.5]])[0], 6) == 1.620704
    eigenvalues = np.linalg.eigvalsh(Multiquadric(SEED_C)(SEED_X))
    np.testing.assert_allclose(eigenvalues, [-np.sqrt(2), -0.263243, 3.798777], rtol=0, atol=5e-7)


def test_cover():
    assert cover_count(4, 3) == 14
    assert cover_probability(10, 5) == 0.5
    assert round(cover_probability(20, 5), 6) == 0.009605
    missing = [y for y in product([-1, 1], repeat=4) if separating_weights(XOR, y) is None]
    assert len(missing) == 2 and set(missing) == {(1, 1, -1, -1), (-1, -1, 1, 1)}  # the two XORs


def test_xor_with_two_gaussians():
    model = RBFNetwork(2, centers=XOR_CENTERS, sigma=XOR_SIGMA, lam=0.0).fit(XOR, XOR_Y)
    np.testing.assert_allclose(model.output_weights_, [-2.502650, -2.502650], rtol=0, atol=5e-7)
    assert model.output_weights_[0] == pytest.approx(-1 / (1 - np.exp(-1)) ** 2, rel=1e-12)
    assert model.intercept_ == pytest.approx(2.841347, abs=5e-7)
    np.testing.assert_allclose(model.predict(XOR), XOR_Y, rtol=0, atol=2e-15)
    without = RBFNetwork(2, centers=XOR_CENTERS, sigma=XOR_SIGMA, lam=0.0, bias=False).fit(XOR, XOR_Y)
    assert sorted(set(without.predict(XOR).round(4)), reverse=True) == [0.4564, 0.2958]
    assert without.intercept_ == 0


def test_the_spread_of_four_centres():
    assert spread([[0, 0], [3, 0], [0, 4], [1, 1]]) == pytest.approx(5 / np.sqrt(8), rel=1e-15)
    assert spread([[0, 0], [3, 0], [0, 4], [1, 1]]) == pytest.approx(1.767767, abs=5e-7)


@pytest.mark.parametrize(("distance", "error", "linear"), [(-5, 0.0003, 0.128), (-6, 0.0032, 0.145)])
def test_the_double_moon(distance, error, linear):
    # bounds, not equalities: the seeds of the curriculum drew other points
    for seed in (0, 1):
        X, y = make_double_moon(1000, distance=distance, rng=seed, return_X_y=True)
        test, truth = make_double_moon(5000, distance=distance, rng=seed + 100, return_X_y=True)
        assert 1 - RBFNetworkClassifier(20).fit(X, y).score(test, truth) < 3 * error + 1e-3
        line = np.linalg.lstsq(np.column_stack([X, np.ones(len(X))]), y, rcond=None)[0]
        wrong = np.mean(np.sign(np.column_stack([test, np.ones(len(test))]) @ line) != truth)
        assert linear - 0.03 < wrong < linear + 0.03


# ---------------------------------------------------------------- misconceptions, with the number that refutes each


def test_not_all_interpolation_matrices_are_positive_definite():
    X = np.random.default_rng(0).standard_normal((30, 2))
    signs = np.sign(np.linalg.eigvalsh(Multiquadric(1.0)(X)))
    assert (np.sum(signs > 0), np.sum(signs < 0)) == (1, 29)
    for kernel in (Gaussian(0.3), InverseMultiquadric(0.3)):
        assert np.linalg.eigvalsh(kernel(X)).min() > 0


def test_plus_lambda_does_not_always_stabilise():
    Phi = Multiquadric(SEED_C)(SEED_X)
    lam = -np.linalg.eigvalsh(Phi)[1]
    assert round(lam, 6) == 0.263243
    assert np.linalg.cond(Phi + lam * np.eye(3)) > 1e14
    w = RBFInterpolator(Multiquadric(SEED_C)).fit(SEED_X, SEED_D).dual_coef_
    assert w @ Phi @ w == pytest.approx(-2.930, abs=5e-4)
    with pytest.raises(ValueError, match="conditionally negative definite of order 1: wᵀKw may be negative"):
        RegularizationNetwork(Multiquadric(SEED_C), lam=lam).fit(SEED_X, SEED_D)


def test_distinct_points_do_not_suffice_for_any_basis():
    X = np.random.default_rng(0).standard_normal((8, 2))

    def squared(A, B):
        return np.sum((A[:, None] - B) ** 2, axis=2)

    assert np.linalg.matrix_rank(squared(X, X)) == 4
    with pytest.raises(ValueError, match="singular in floating point"):
        RBFInterpolator(squared).fit(X, X[:, 0])
    angles = np.arange(6) * np.pi / 3
    hexagon = np.vstack([np.zeros(2), np.column_stack([np.cos(angles), np.sin(angles)])])
    assert abs(np.linalg.det(ThinPlate(1.0)(hexagon))) < 1e-28
    with pytest.raises(ValueError, match="conditionally positive definite of order 2: take degree=1"):
        RBFInterpolator(ThinPlate(1.0), degree=-1).fit(hexagon, np.arange(7.0))
    np.testing.assert_allclose(
        RBFInterpolator(ThinPlate(1.0)).fit(hexagon, np.arange(7.0)).predict(hexagon), np.arange(7.0), atol=1e-12
    )


def test_high_dimension_does_not_make_separable():
    # Cover's count is of points in general position: 32 of the 64 labellings of 6 points, and 12 on a line
    line = np.column_stack([np.arange(6.0), 2 * np.arange(6.0)])
    plane = np.random.default_rng(0).standard_normal((6, 2))
    count = [
        sum(separating_weights(X, y) is not None for y in product([-1, 1], repeat=6)) for X in (plane, line)
    ]  # with an offset: d = 3
    assert count == [32, 12] and cover_count(6, 3) == 32


def test_outputs_of_least_squares_are_not_posteriors():
    X, y = make_double_moon(300, distance=-5, rng=0, return_X_y=True)
    grid = np.stack(np.meshgrid(np.linspace(-13, 23, 40), np.linspace(-9, 13, 40)), axis=-1).reshape(-1, 2)
    model = RBFNetworkClassifier(10, sigma=3.0, bias=False).fit(X, y)
    outputs = model.outputs(grid)
    assert outputs.min() < -0.05 and outputs.max() > 1.05
    assert outputs.sum(axis=1).min() < 0.5 and outputs.sum(axis=1).max() > 1.05
    # a free bias makes them sum to 1, and no more
    outputs = RBFNetworkClassifier(10, sigma=3.0).fit(X, y).outputs(grid)
    np.testing.assert_allclose(outputs.sum(axis=1), 1, atol=1e-9)
    assert outputs.min() < -0.05


def test_k_means_ends_in_a_local_minimum():
    X = [[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]]
    assert kmeans(X, 2, init=[[0, 0.5], [5, 0.5]]).inertia == 1
    assert kmeans(X, 2, init=[[2.5, 0], [2.5, 1]]).inertia == 25
    assert kmeans(X, 2, rng=0).inertia == 1
    lost = kmeans(X, 2, init=[[99, 0], [2.5, 0.5]])  # nothing is nearest to the first centre
    assert np.isfinite(lost.centers).all() and lost.inertia in (1, 25) and lost.converged


def test_a_constant_step_never_comes_to_rest():
    rng, eta = np.random.default_rng(0), 0.1
    X = rng.standard_normal((4000, 1))
    path = [online_kmeans(X[:100], [[0.0]], eta=eta, order=range(100)).centers]
    for start in range(100, 4000, 20):
        path.append(online_kmeans(X[start : start + 20], path[-1], eta=eta, order=range(20)).centers)
    theory = np.sqrt(eta / (2 - eta))
    assert round(theory, 3) == 0.229
    assert np.std(path) == pytest.approx(theory, rel=0.15)
    mean = online_kmeans(X, [[9.0]], order=range(4000)).centers
    np.testing.assert_allclose(mean[0], X.mean(axis=0), rtol=0, atol=2e-15)


def test_exact_interpolation_is_not_the_goal():
    x = np.linspace(0, 1, 15)[:, None]
    d = np.sin(6 * x[:, 0])
    cond = [np.linalg.cond(Gaussian(sigma)(x)) for sigma in (0.05, 0.1, 0.3, 1)]
    assert [f"{c:.0e}" for c in cond[:3]] == ["5e+00", "3e+03", "1e+15"] and cond[3] > 1e16

    # an error of 1e-6 in one value is as large everywhere, or thousands of times larger
    def moved(sigma):
        bumped = d + 1e-6 * (np.arange(15) == 7)
        return np.abs(
            RBFInterpolator(Gaussian(sigma)).fit(x, bumped).dual_coef_
            - RBFInterpolator(Gaussian(sigma)).fit(x, d).dual_coef_
        ).max()

    assert moved(0.05) < 1e-5 and moved(0.2) > 1
    with pytest.raises(ValueError, match="too close together for so wide a basis"):
        RBFInterpolator(Gaussian(1.0)).fit(x, d)


# ---------------------------------------------------------------- errata of source 002 that are not among the above


def test_the_source_has_no_bias_and_then_its_own_xor_is_not_separable():
    Phi, y = Gaussian(XOR_SIGMA)(XOR, XOR_CENTERS), [1, 1, -1, -1]
    assert separating_weights(Phi, y, bias=False) is None
    w, b = separating_weights(Phi, y)
    assert np.all(np.array(y) * (Phi @ w + b) > 0)
    np.testing.assert_allclose(Phi[[0, 2]], [[0.1353, 1], [0.3679, 0.3679]], atol=5e-5)  # not .3678


def test_a_rational_variety_of_order_2_in_the_plane_has_6_terms():
    np.testing.assert_array_equal(monomials([[2.0, 3.0]], 2), [[1, 2, 3, 4, 6, 9]])


def test_without_penalty_the_generalised_network_is_the_pseudo_inverse():
    rng = np.random.default_rng(0)
    X, d, T = rng.standard_normal((12, 2)), rng.standard_normal(12), rng.standard_normal((4, 2))
    G, G0 = Gaussian(1.0)(X, T), Gaussian(1.0)(T)
    w = GeneralizedRBF(Gaussian(1.0), centers=T, lam=0.0).fit(X, d).dual_coef_
    np.testing.assert_allclose(w, np.linalg.pinv(G) @ d, rtol=1e-10)
    np.testing.assert_allclose(GeneralizedRBF(Gaussian(1.0), centers=T, lam=1e-12).fit(X, d).dual_coef_, w, rtol=1e-8)
    w = GeneralizedRBF(Gaussian(1.0), centers=T, lam=0.3).fit(X, d).dual_coef_
    gradient = 2 * (-G.T @ (d - G @ w) + 0.3 * G0 @ w)
    assert np.abs(gradient).max() < 1e-12


@pytest.mark.parametrize(("dim", "ratio"), [(1, 0.05), (2, 0.63), (10, 4.85)])
def test_the_rule_follows_the_spacing_in_low_dimension_only(dim, ratio):
    T = np.random.default_rng(0).uniform(size=(100, dim))
    assert spread(T, rule="median") / spread(T) == pytest.approx(ratio, rel=0.2)


def test_the_normalised_basis_as_misprinted_is_constant():
    # p(x|j)p(j) in the ratio .0851 : .8511 : .0638
    sigma, T = 1.0, np.array([[0.0], [0.0], [0.0]])
    np.testing.assert_allclose(
        normalized_basis([[0.7]], T, sigma, priors=[0.0851, 0.8511, 0.0638]).round(4), [[0.0851, 0.8511, 0.0638]]
    )


def test_outputs_are_posteriors_with_the_normalised_basis_and_the_weights_of_bayes():
    T, sigma, x = np.array([[0.0, 0.0], [2.0, 1.0], [0.0, 3.0]]), np.array([0.7, 1.1, 0.9]), np.array([[0.8, 0.6]])
    given, prior = np.array([[0.6, 0.1], [0.3, 0.2], [0.1, 0.7]]), np.array([0.35, 0.65])
    p_x_unit = np.exp(-np.sum((x - T) ** 2, axis=1) / (2 * sigma**2)) / (2 * np.pi * sigma**2)
    joint = (p_x_unit @ given) * prior
    unit_prior = given @ prior
    outputs = normalized_basis(x, T, sigma, priors=unit_prior) @ bayes_weights(given, prior)
    np.testing.assert_allclose(outputs[0], joint / joint.sum(), rtol=1e-14)
