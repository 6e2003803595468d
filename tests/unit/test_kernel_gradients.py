"""theta, with_theta and vjp of every kernel: values against the kernel, gradients against its formula's differences."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kcourse.kernels import Gaussian, Laplacian, Linear, Matern, Periodic, RationalQuadratic
from tests.conftest import examples
from tests.kernels import WIDTHS, composed, examples_that, holds, matrix, row, stretched, takes, theta_names
from tests.rows import each

N, D = 9, 3
RNG = np.random.default_rng(3)
X = RNG.standard_normal((N, D))
X[4] = X[1]  # a point twice: r = 0 off the diagonal
M = RNG.standard_normal((N, N))
M = M + M.T

every_kernel = examples_that(lambda kernel: True)
every_learner = examples_that(theta_names)
every_wide_kernel = examples_that(lambda kernel: row(kernel).lengths == ("sigma",))


def points_of(kernel):
    """Nine, one of them twice."""
    points = takes(kernel).sample(N, seed=3)
    points[4] = points[1]
    return points


def jacobian(kernel, X, h=1e-3):
    """∂K/∂θ_p of the kernel's formula by central differences of fourth order, shape (p, n, n)."""
    theta = kernel.theta

    def at(p, step):
        return matrix(kernel.with_theta(theta + step * h * np.eye(len(theta))[p]), X)

    slopes = [(8 * (at(p, 1) - at(p, -1)) - (at(p, 2) - at(p, -2))) / (12 * h) for p in range(len(theta))]
    return np.reshape(slopes, (len(theta), len(X), len(X)))  # of no parameters too


@every_kernel
def test_theta_holds_the_logarithms_in_the_order_of_its_names_and_each_can_be_set(kernel):
    names, before, theta, points = theta_names(kernel), repr(kernel), kernel.theta, takes(kernel).sample(5)
    assert kernel.theta_names == names and theta.shape == (len(names),)
    for p, full_name in enumerate(names):
        parameter, _, index = full_name.rstrip("]").partition("[")
        expected = kernel.get_params()[parameter]
        assert np.exp(theta[p]) == pytest.approx(expected[int(index)] if index else expected, rel=1e-15)
        other = kernel.with_theta(theta + np.log(3.0) * np.eye(len(names))[p])
        np.testing.assert_allclose(np.exp(other.theta - theta), 1 + 2 * np.eye(len(names))[p], rtol=1e-14)
        assert type(other) is type(kernel) and other.theta_names == names
    assert repr(kernel) == before
    np.testing.assert_allclose(kernel.with_theta(theta.tolist())(points), kernel(points), rtol=1e-12)


def test_names_of_parts_say_where_they_are():
    kernel = 2.0 * Gaussian(WIDTHS) * Periodic(2.2, 1.3) + Linear() * Matern(1.5, 2.0) + 0.3
    assert kernel.theta_names == (
        "left__left__left__left__value",
        *(f"left__left__left__right__sigma[{i}]" for i in range(3)),
        *("left__left__right__period", "left__left__right__sigma", "left__right__right__sigma", "right__value"),
    )


@each("wrong, kernel", product([[], [0.0], [0.0, 0.0, 0.0], [[0.0, 0.0]], 0.0], [RationalQuadratic(), 2 * Gaussian()]))
def test_a_theta_of_another_length_is_refused(kernel, wrong):
    with pytest.raises(ValueError, match=r"theta has shape .*; expected \(2,\), the logarithms of \("):
        kernel.with_theta(wrong)


@every_kernel
def test_vjp_gives_the_gram_matrix_and_the_gradient_of_the_formula_and_changes_nothing(kernel):
    points, slopes, weights = points_of(kernel), jacobian(kernel, points_of(kernel)), M.copy()
    for array in (weights, *([] if kernel.structured else [points])):
        array.flags.writeable = False
    K, pull = kernel.vjp(points)
    np.testing.assert_allclose(K, kernel(points), rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(K, K.T)
    before, first, scale = K.copy(), pull(weights), max(1.0, np.abs(K).max())
    assert first.shape == (len(theta_names(kernel)),)
    np.testing.assert_allclose(first, np.einsum("ij,pij->p", M, slopes), rtol=1e-7, atol=1e-7 * scale)
    # all entries, not just their sum: M with one pair of entries
    for i, j in ((0, 1), (1, 4), (7, 2), (3, 3)):
        unit = np.zeros((N, N))
        unit[i, j] = unit[j, i] = 1.0
        np.testing.assert_allclose(pull(unit), np.einsum("ij,pij->p", unit, slopes), rtol=1e-6, atol=1e-8 * scale)
    np.testing.assert_array_equal(pull(weights), first)
    np.testing.assert_array_equal(K, before)
    np.testing.assert_allclose(kernel.vjp(list(points))[1](M), first, rtol=1e-14)


@every_learner
def test_one_point_and_points_far_from_zero(kernel):
    points = points_of(kernel)
    K, pull = kernel.vjp(points[:1])
    np.testing.assert_allclose(K, kernel(points[:1]), rtol=1e-14)
    alone = pull(np.ones((1, 1)))
    assert alone.shape == (len(theta_names(kernel)),) and np.all(np.isfinite(alone))
    # a period is learnt from where the points are on it, and 1e4 has lost four digits of that
    if holds("stationary", kernel) and "period" not in str(kernel.theta_names):
        np.testing.assert_allclose(kernel.vjp(points + 1e4)[1](M), kernel.vjp(points)[1](M), rtol=1e-6, atol=1e-7)


@every_wide_kernel
def test_points_that_differ_by_rounding_do_not_spoil_the_gradient(kernel):
    # 0.1 + 0.2 and 0.3 are such points; as the gap closes the gradient is that of equal points
    for gap in (1e-15, 1e-12, 1e-9, 1e-6):
        twice, nearly = X.copy(), X.copy()
        twice[5], nearly[5] = twice[6], twice[6] * (1 + gap)
        tolerance = 1e-7 + 30 * gap ** min(1.0, 2 * getattr(kernel, "nu", 0.5))
        np.testing.assert_allclose(kernel.vjp(nearly)[1](M), kernel.vjp(twice)[1](M), atol=tolerance)


@each("r, ard", product([1e-9, 1e-5, 1e-3], [False, True]))
def test_the_laplacian_of_close_points_has_the_slope_of_its_cusp(r, ard):
    # ∂k/∂log σ = r exp(-r), to first order r
    gradient = Laplacian((1.0, 1.0) if ard else 1.0).vjp([[0.0, 0.0], [0.6 * r, 0.8 * r]])[1](np.ones((2, 2)))
    expected = 2 * r * np.exp(-r) * (np.array([0.36, 0.64]) if ard else 1.0)
    np.testing.assert_allclose(gradient, np.atleast_1d(expected), rtol=1e-6)


# not where the tail is a power
@examples_that(lambda kernel: row(kernel).lengths == ("sigma",) and not isinstance(kernel, RationalQuadratic))
def test_points_whose_squared_distance_overflows_count_as_far(kernel):
    points = np.array([[0.0] * 3, [0.8, 0.5, 0.1], [1e170, -1e170, 0.0]])
    assert np.all(np.isfinite(kernel.vjp(points)[1](np.ones((3, 3)))))


@examples_that(lambda kernel: row(kernel).lengths)
def test_units_do_not_matter(kernel):
    K, pull = kernel.vjp(X)
    for scale in (1e-150, 1e-6, 1e6, 1e120):
        K_other, pull_other = stretched(kernel, scale).vjp(scale * X)
        np.testing.assert_allclose(K_other, K, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(pull_other(M), pull(M), rtol=1e-8, atol=1e-9)


@every_wide_kernel
def test_a_narrow_kernel_on_a_wide_range_keeps_its_digits(kernel):
    # pairs about one width apart at places a million widths from the centre
    places = np.linspace(-1e6, 1e6, 5)[:, None] * np.ones(3)
    points, weights = np.vstack([places, places + [0.75, 0.5, 0.25]]), np.ones((10, 10))
    expected = np.einsum("ij,pij->p", weights, jacobian(kernel, points))
    np.testing.assert_allclose(kernel.vjp(points)[1](weights), expected, rtol=1e-7)


@every_wide_kernel
def test_where_the_kernel_is_all_but_zero_so_is_the_gradient(kernel):
    gradient = kernel.vjp(1e8 * X[:4])[1](np.ones((4, 4)))
    np.testing.assert_allclose(gradient, jacobian(kernel, 1e8 * X[:4]).sum(axis=(1, 2)), rtol=1e-6, atol=1e-12)


@examples(60)
@given(composed, st.integers(0, 2**16))
def test_gradients_of_composed_kernels_are_those_of_their_formulas(kernel, seed):
    # not so narrow or quick that differences tell nothing
    kernel = kernel.with_theta(np.clip(kernel.theta, -0.2, 1.1))
    rng = np.random.default_rng(seed)
    points, weights = rng.uniform(-1.5, 1.5, (6, D)), rng.standard_normal((6, 6))
    weights = weights + weights.T
    K, pull = kernel.vjp(points)
    np.testing.assert_allclose(K, kernel(points), rtol=1e-12, atol=1e-13)
    scale = np.abs(weights).sum() * max(1.0, np.abs(K).max())
    expected = np.einsum("ij,pij->p", weights, jacobian(kernel, points))
    np.testing.assert_allclose(pull(weights), expected, rtol=1e-6, atol=1e-8 * scale)
