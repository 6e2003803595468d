"""What holds of every kernel, whatever the points: its formula, definiteness, the algebra, invariances."""

import numpy as np
import pytest
from hypothesis import strategies as st

from kcourse import (
    Brownian,
    Gaussian,
    HistogramIntersection,
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
from tests.kernels import KERNELS, PSD, ROWS, D, composed, matrix, takes, widths
from tests.laws.law import laws

law = laws(60)

# any kernel of rows that is positive semi-definite; one of a kind of stationary kernels that a length alone makes
kernels = composed
wide = st.one_of([row.drawn for row in KERNELS.values() if row.lengths == ("sigma",)])


def points(max_n=8):
    return ROWS.drawn.map(lambda X: X[:max_n])


def close(a, b, rtol=1e-11):
    """Equal up to rounding relative to the largest entry."""
    np.testing.assert_allclose(a, b, rtol=0, atol=rtol * max(1.0, np.abs(b).max()))


def agree(K, formula):
    """Counts are exact."""
    np.testing.assert_array_equal(K, formula) if formula.dtype.kind == "i" else close(K, formula)


@pytest.mark.parametrize("cls", KERNELS)
@laws(40)(st.data())
def test_every_value_is_the_formula_of_its_two_points_wherever_they_stand(cls, data):
    kernel = data.draw(KERNELS[cls].drawn)
    both = data.draw(takes(kernel).drawn)
    cut = data.draw(st.integers(1, len(both)))
    apart = (slice(None, cut), slice(cut, None) if cut < len(both) else slice(None))
    X, Z = (both[part] for part in apart)
    K, formula = kernel(both), matrix(kernel, both)
    agree(K, formula)
    np.testing.assert_array_equal(K, K.T)
    close(kernel.diag(both), K.diagonal(), rtol=1e-13)
    agree(kernel(X, Z), formula[apart])
    close(kernel(Z, X), kernel(X, Z).T)
    if KERNELS[cls].definiteness == PSD:
        assert is_psd(K)
        bound = np.sqrt(np.outer(K.diagonal(), K.diagonal()))  # Cauchy and Schwarz
        assert np.all(np.abs(K) <= bound + 1e-11 * max(1.0, bound.max()))


@law(kernels, kernels, st.floats(0.0, 10.0), points(), points())
def test_the_algebra_of_kernels_is_the_algebra_of_their_matrices(k1, k2, c, X, Z):
    for other in (None, Z):
        A, B = k1(X, other), k2(X, other)
        np.testing.assert_array_equal((k1 + k2)(X, other), A + B)
        np.testing.assert_array_equal((k1 * k2)(X, other), A * B)
        np.testing.assert_array_equal((c * k1)(X, other), c * A)
        np.testing.assert_array_equal((k1 * c)(X, other), A * c)
        np.testing.assert_array_equal((k1 + c)(X, other), A + c)
        np.testing.assert_array_equal(sum([k1, k2])(X, other), A + B)


@law(st.sampled_from([Gaussian(1.7), Laplacian(0.6), Matern(1.5, 2.0), Matern(0.8), Linear(), Polynomial()]), points())
def test_kernels_of_one_width_do_not_change_when_space_is_rotated(kernel, X):
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((D, D)))[0]
    close(kernel(X @ Q), kernel(X), rtol=1e-7)  # the square root of a distance² that is rounding alone


@law(wide, points())
def test_stationary_kernels_lie_between_0_and_1_and_are_1_where_points_agree(kernel, X):
    K = kernel(X)
    assert K.min() >= 0 and K.max() == 1
    same = (X[:, None] == X[None]).all(axis=2)
    np.testing.assert_allclose(K[same], 1.0, rtol=0, atol=1e-11)


@law(st.integers(1, 4), st.floats(0.1, 2.0), st.floats(0.0, 2.0), points(), points())
def test_a_polynomial_kernel_is_a_power_of_its_linear_one(p, u, v, X, Z):
    close(Polynomial(u, v, p)(X, Z), (u * (X @ Z.T) + v) ** p)
    k = Polynomial(u, v, 1)
    product = k
    for _ in range(p - 1):
        product = product * k
    close(product(X, Z), Polynomial(u, v, p)(X, Z))


@law(widths, points(), points())
def test_the_matern_family_runs_from_the_laplacian_to_the_gaussian(sigma, X, Z):
    close(Matern(0.5, sigma)(X, Z), Laplacian(sigma)(X, Z))
    close(Matern(np.inf, sigma)(X, Z), Gaussian(sigma)(X, Z))
    for nu in (0.5, 1.5, 2.5):  # the closed forms continue the general one
        close(Matern(nu + 1e-9, sigma)(X, Z), Matern(nu, sigma)(X, Z), rtol=1e-7)


@law(kernels, points(), points())
def test_a_kernel_and_the_function_that_calls_it_are_the_same_to_a_solver(kernel, X, Z):
    def function(A, B):
        return kernel(A, B)

    close(gram(function, X, Z), gram(kernel, X, Z))
    close(gram(function, X), gram(kernel, X))


@law(kernels, points(), points())
def test_distances_between_features_are_a_metric(kernel, X, Z):
    D = feature_distance(kernel, X)
    close(D, D.T)
    assert D.min() >= 0 and np.all(D <= D[:, [0]] + D[[0]] + 1e-5 * (1 + D.max()))  # through the first point
    close(feature_distance(kernel, X, Z) ** 2, kernel.diag(X)[:, None] + kernel.diag(Z) - 2 * kernel(X, Z), rtol=1e-9)


@law(kernels, st.floats(0.1, 10.0), points())
def test_normalising_takes_away_lengths_and_nothing_else(kernel, c, X):
    kernel = kernel + 0.1  # no point without a direction
    K = Normalized(kernel)(X)
    assert is_psd(K) and np.abs(K).max() <= 1 + 1e-12
    close(Normalized(c * kernel)(X), K)
    close(Normalized(Normalized(kernel))(X), K)


@law(points(), points())
def test_minima(X, Z):
    X, Z = np.abs(X), np.abs(Z)
    close(HistogramIntersection()(X, Z), sum(Brownian()(X[:, [j]], Z[:, [j]]) for j in range(D)))
    assert is_psd(HistogramIntersection()(X))
    # |a - b| = a + b - 2 min(a, b): the L1 distance is a squared distance between features
    close(feature_distance(HistogramIntersection(), X, Z) ** 2, np.abs(X[:, None] - Z).sum(axis=2))


@law(st.floats(0.5, 8.0), widths, points(), st.lists(st.integers(-3, 3), min_size=D, max_size=D))
def test_a_periodic_kernel_does_not_see_whole_periods(period, sigma, X, turns):
    k = Periodic(period, sigma)
    close(k(X + period * np.array(turns), X), k(X), rtol=1e-9 * (1 + 1 / sigma**2))


@law(widths, points(), points())
def test_the_rational_quadratic_runs_to_the_gaussian(sigma, X, Z):
    close(RationalQuadratic(sigma, 1e9)(X, Z), Gaussian(sigma)(X, Z), rtol=1e-6)


@law(st.floats(0.2, 2.0), st.floats(-1.0, 1.0), st.tuples(widths, widths, widths), st.integers(0, 2**16))
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
