"""What holds of every kernel, whatever the points: symmetry, definiteness, the algebra, invariances."""

from __future__ import annotations

import operator
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse import (
    Brownian,
    Constant,
    Gaussian,
    Histogram,
    InverseMultiquadric,
    Laplacian,
    Linear,
    Matern,
    Normalized,
    Periodic,
    Polynomial,
    RationalQuadratic,
    Sigmoid,
    feature_distance,
    is_psd,
)
from kcourse.kernels import gram
from tests.conftest import examples

LAWS = examples(60)

D = 3
widths = st.floats(0.05, 20.0)
# without subnormal numbers: they have too few digits for their logarithm to bring them back
from_0 = partial(st.floats, 0.0, allow_subnormal=False)
stationary = st.one_of(
    st.builds(Gaussian, widths),
    st.builds(Laplacian, widths),
    st.builds(Matern, st.sampled_from([0.5, 1.5, 2.5, 0.8, 4.0, np.inf]), widths),
    st.builds(Gaussian, st.tuples(widths, widths, widths)),
    st.builds(RationalQuadratic, widths, st.floats(0.1, 10.0)),
)
simple = st.one_of(
    stationary,
    st.builds(Periodic, st.floats(0.5, 8.0), widths),
    st.builds(InverseMultiquadric, widths),
    st.builds(Linear),
    st.builds(Polynomial, u=st.floats(0.1, 2.0), v=from_0(2.0), p=st.integers(1, 4)),
    st.builds(Constant, from_0(3.0)),
)
kernels = st.recursive(
    simple,
    lambda parts: st.one_of(
        st.builds(operator.add, parts, parts),
        st.builds(operator.mul, parts, parts),
        st.builds(operator.mul, from_0(5.0), parts),
        st.builds(operator.add, parts, from_0(5.0)),
    ),
    max_leaves=4,
)


def points(max_n=8, bound=4):
    """Rows of multiples of 1/16: equal and nearly equal points are common, and shifts by whole numbers exact."""
    entries = st.integers(-16 * bound, 16 * bound).map(lambda i: i / 16)
    return st.integers(1, max_n).flatmap(lambda n: arrays(float, (n, D), elements=entries))


def close(a, b, rtol=1e-11):
    """Equal up to rounding relative to the largest entry."""
    np.testing.assert_allclose(a, b, rtol=0, atol=rtol * max(1.0, np.abs(b).max()))


@LAWS
@given(kernels, points())
def test_a_gram_matrix_is_symmetric_positive_semi_definite_and_has_its_diagonal(kernel, X):
    K = kernel(X)
    np.testing.assert_array_equal(K, K.T)
    assert is_psd(K)
    close(kernel.diag(X), K.diagonal(), rtol=1e-14)


@LAWS
@given(kernels, points(), points())
def test_a_kernel_does_not_care_which_point_comes_first(kernel, X, Z):
    close(kernel(X, Z), kernel(Z, X).T)


@LAWS
@given(kernels, points(), points())
def test_values_depend_on_their_two_points_only(kernel, X, Z):
    both = kernel(np.vstack([X, Z]))
    close(both[: len(X), len(X) :], kernel(X, Z))
    close(both[: len(X), : len(X)], kernel(X))
    close(kernel(X[:1], Z), kernel(X, Z)[:1])


@LAWS
@given(kernels, points())
def test_cauchy_and_schwarz(kernel, X):
    K, d = kernel(X), kernel.diag(X)
    bound = np.sqrt(np.outer(d, d))
    assert np.all(np.abs(K) <= bound + 1e-11 * max(1.0, bound.max()))


@LAWS
@given(kernels, kernels, st.floats(0.0, 10.0), points(), points())
def test_the_algebra_of_kernels_is_the_algebra_of_their_matrices(k1, k2, c, X, Z):
    for other in (None, Z):
        A, B = k1(X, other), k2(X, other)
        np.testing.assert_array_equal((k1 + k2)(X, other), A + B)
        np.testing.assert_array_equal((k1 * k2)(X, other), A * B)
        np.testing.assert_array_equal((c * k1)(X, other), c * A)
        np.testing.assert_array_equal((k1 * c)(X, other), A * c)
        np.testing.assert_array_equal((k1 + c)(X, other), A + c)
        np.testing.assert_array_equal(sum([k1, k2])(X, other), A + B)


@LAWS
@given(kernels, kernels, kernels, points())
def test_the_algebra_is_commutative_associative_and_distributive(k1, k2, k3, X):
    close((k1 + k2)(X), (k2 + k1)(X))
    close((k1 * k2)(X), (k2 * k1)(X))
    close(((k1 + k2) + k3)(X), (k1 + (k2 + k3))(X))
    close(((k1 + k2) * k3)(X), (k1 * k3 + k2 * k3)(X))


@LAWS
@given(kernels, st.floats(0.01, 10.0), points())
def test_negative_multiples_are_no_kernels(kernel, c, X):
    for expression in (lambda: -c * kernel, lambda: kernel * -c, lambda: kernel + -c, lambda: -c + kernel):
        with pytest.raises(ValueError, match="need not be positive semi-definite"):
            expression()


@LAWS
@given(stationary, points(), points(), st.lists(st.integers(-(2**30), 2**30), min_size=D, max_size=D))
def test_stationary_kernels_do_not_change_when_all_points_are_moved(kernel, X, Z, shift):
    close(kernel(X + shift), kernel(X))
    close(kernel(X + shift, Z + shift), kernel(X, Z))


@LAWS
@given(
    st.sampled_from([Gaussian(1.7), Laplacian(0.6), Matern(1.5, 2.0), Matern(0.8), Linear(), Polynomial()]), points()
)
def test_kernels_of_one_width_do_not_change_when_space_is_rotated(kernel, X):
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((D, D)))[0]
    close(kernel(X @ Q), kernel(X), rtol=1e-7)  # the square root of a distance² that is rounding alone


@LAWS
@given(stationary, points(), st.integers(-30, 30).map(lambda e: 2.0**e))
def test_stationary_kernels_see_the_ratio_of_distance_and_width_only(kernel, X, c):
    widths = np.multiply(kernel.sigma, c)
    scaled = kernel.with_params(sigma=tuple(widths) if widths.ndim else float(widths))
    close(scaled(c * X), kernel(X))


@LAWS
@given(stationary, points())
def test_stationary_kernels_lie_between_0_and_1_and_are_1_where_points_agree(kernel, X):
    K = kernel(X)
    assert K.min() >= 0 and K.max() == 1
    same = (X[:, None] == X[None]).all(axis=2)
    np.testing.assert_allclose(K[same], 1.0, rtol=0, atol=1e-11)


@LAWS
@given(st.integers(1, 4), st.floats(0.1, 2.0), st.floats(0.0, 2.0), points(), points())
def test_a_polynomial_kernel_is_a_power_of_its_linear_one(p, u, v, X, Z):
    close(Polynomial(u, v, p)(X, Z), (u * (X @ Z.T) + v) ** p)
    k = Polynomial(u, v, 1)
    product = k
    for _ in range(p - 1):
        product = product * k
    close(product(X, Z), Polynomial(u, v, p)(X, Z))


@LAWS
@given(widths, points(), points())
def test_the_matern_family_runs_from_the_laplacian_to_the_gaussian(sigma, X, Z):
    close(Matern(0.5, sigma)(X, Z), Laplacian(sigma)(X, Z))
    close(Matern(np.inf, sigma)(X, Z), Gaussian(sigma)(X, Z))
    for nu in (0.5, 1.5, 2.5):  # the closed forms continue the general one
        close(Matern(nu + 1e-9, sigma)(X, Z), Matern(nu, sigma)(X, Z), rtol=1e-7)


@LAWS
@given(kernels, points(), points())
def test_a_kernel_and_the_function_that_calls_it_are_the_same_to_a_solver(kernel, X, Z):
    def function(A, B):
        return kernel(A, B)

    close(gram(function, X, Z), gram(kernel, X, Z))
    close(gram(function, X), gram(kernel, X))


@LAWS
@given(kernels, points(), points())
def test_distances_between_features_are_a_metric(kernel, X, Z):
    D = feature_distance(kernel, X)
    close(D, D.T)
    assert D.min() >= 0 and np.all(D <= D[:, [0]] + D[[0]] + 1e-5 * (1 + D.max()))  # through the first point
    close(feature_distance(kernel, X, Z) ** 2, kernel.diag(X)[:, None] + kernel.diag(Z) - 2 * kernel(X, Z), rtol=1e-9)


@LAWS
@given(kernels, st.floats(0.1, 10.0), points())
def test_normalising_takes_away_lengths_and_nothing_else(kernel, c, X):
    kernel = kernel + 0.1  # no point without a direction
    K = Normalized(kernel)(X)
    assert is_psd(K) and np.abs(K).max() <= 1 + 1e-12
    close(Normalized(c * kernel)(X), K)
    close(Normalized(Normalized(kernel))(X), K)


@LAWS
@given(points(), points())
def test_minima(X, Z):
    X, Z = np.abs(X), np.abs(Z)
    close(Histogram()(X, Z), sum(Brownian()(X[:, [j]], Z[:, [j]]) for j in range(D)))
    assert is_psd(Histogram()(X))
    # |a - b| = a + b - 2 min(a, b): the L1 distance is a squared distance between features
    close(feature_distance(Histogram(), X, Z) ** 2, np.abs(X[:, None] - Z).sum(axis=2))


@LAWS
@given(st.floats(0.5, 8.0), widths, points(), st.lists(st.integers(-3, 3), min_size=D, max_size=D))
def test_a_periodic_kernel_does_not_see_whole_periods(period, sigma, X, turns):
    k = Periodic(period, sigma)
    close(k(X + period * np.array(turns), X), k(X), rtol=1e-9 * (1 + 1 / sigma**2))


@LAWS
@given(widths, points(), points())
def test_the_rational_quadratic_runs_to_the_gaussian(sigma, X, Z):
    close(RationalQuadratic(sigma, 1e9)(X, Z), Gaussian(sigma)(X, Z), rtol=1e-6)


@LAWS
@given(kernels, points())
def test_parameters_go_to_logarithms_and_back(kernel, X):
    theta = kernel.theta
    assert len(theta) == len(kernel.theta_names) == len(set(kernel.theta_names))
    close(kernel.with_theta(theta)(X), kernel(X))
    np.testing.assert_allclose(kernel.with_theta(theta + 0.5).theta, theta + 0.5, atol=1e-12)


@LAWS
@given(st.floats(0.2, 2.0), st.floats(-1.0, 1.0), st.tuples(widths, widths, widths), st.integers(0, 2**16))
def test_where_units_are_constant(u, v, sigma, seed):
    rng = np.random.default_rng(seed)
    z, along = rng.standard_normal((2, D))
    along -= z * (along @ z) / (z @ z)
    # tanh(u xᵀz + v), the unit of a perceptron network, on the hyperplanes xᵀz = c
    X = 0.7 * z + np.outer([-3.0, 0.0, 1.0, 10.0], along)
    close(Sigmoid(u, v)(X, z[None]), np.full((4, 1), np.tanh(u * 0.7 * z @ z + v)), rtol=1e-9)
    # a Gaussian on spheres around z; with a width for each feature on ellipsoids with these half axes
    directions = rng.standard_normal((5, D))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for s in (sigma[0], sigma):
        close(Gaussian(s)(z + 1.3 * directions * s, z[None]), np.full((5, 1), np.exp(-(1.3**2) / 2)))
