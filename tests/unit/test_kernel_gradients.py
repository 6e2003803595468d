"""theta, with_theta and vjp of every kernel: values against the kernel, gradients against finite differences."""

from __future__ import annotations

import inspect
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kcourse.kernels
from kcourse.kernels import (
    Brownian,
    Constant,
    Gaussian,
    Histogram,
    InverseMultiquadric,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Multiquadric,
    Normalized,
    Periodic,
    Polynomial,
    Precomputed,
    RationalQuadratic,
    Sigmoid,
    ThinPlate,
)
from tests.conftest import examples

N, D = 9, 3
RNG = np.random.default_rng(3)
X = RNG.standard_normal((N, D))
X[4] = X[1]  # a point twice: r = 0 off the diagonal
M = RNG.standard_normal((N, N))
M = M + M.T
WIDE = (0.6, 1.7, 5.0)

LEARNABLE = {
    "gaussian": (Gaussian(0.8), ("sigma",)),
    "gaussian, ARD": (Gaussian(WIDE), ("sigma[0]", "sigma[1]", "sigma[2]")),
    "laplacian": (Laplacian(1.4), ("sigma",)),
    "laplacian, ARD": (Laplacian(WIDE), ("sigma[0]", "sigma[1]", "sigma[2]")),
    "matern 0.3": (Matern(0.3, 0.7), ("sigma",)),
    "matern 1/2": (Matern(0.5, 0.7), ("sigma",)),
    "matern 1": (Matern(1.0, 1.3), ("sigma",)),
    "matern 1, ARD": (Matern(1.0, WIDE), ("sigma[0]", "sigma[1]", "sigma[2]")),
    "matern 3/2": (Matern(1.5, 0.7), ("sigma",)),
    "matern 3/2, ARD": (Matern(1.5, WIDE), ("sigma[0]", "sigma[1]", "sigma[2]")),
    "matern 2": (Matern(2.0, 0.7), ("sigma",)),
    "matern 5/2": (Matern(2.5, 0.7), ("sigma",)),
    "matern 5/2, ARD": (Matern(2.5, WIDE), ("sigma[0]", "sigma[1]", "sigma[2]")),
    "matern 7.2": (Matern(7.2, 0.7), ("sigma",)),
    "matern inf": (Matern(np.inf, 0.7), ("sigma",)),
    "rational quadratic": (RationalQuadratic(0.7, 0.4), ("sigma", "alpha")),
    "rational quadratic, ARD": (RationalQuadratic(WIDE, 3.0), ("sigma[0]", "sigma[1]", "sigma[2]", "alpha")),
    "periodic": (Periodic(1.9, 0.8), ("period", "sigma")),
    "polynomial": (Polynomial(0.3, 1.2, 3), ("u", "v")),
    "polynomial, homogeneous": (Polynomial(0.3, 0.0, 2), ("u",)),
    "polynomial, degree 1": (Polynomial(0.3, 1.2, 1), ("u", "v")),
    "constant": (Constant(2.5), ("value",)),
    "inverse multiquadric": (InverseMultiquadric(0.7), ("c",)),
    "normalised": (Normalized(Polynomial(0.3, 1.2, 3)), ("kernel__u", "kernel__v")),
    "normalised sum": (Normalized(Linear() + 0.7), ("kernel__right__value",)),
    "a multiple of a multiple": (2 * (3 * Gaussian(0.8)), ("left__value", "right__left__value", "right__right__sigma")),
    "a multiple from the right": (Gaussian(0.8) * 3, ("left__sigma", "right__value")),
    "a multiple": (3 * Gaussian(0.8), ("left__value", "right__sigma")),
    "a sum": (Gaussian(WIDE) + Constant(0.5), ("left__sigma[0]", "left__sigma[1]", "left__sigma[2]", "right__value")),
    "a product": (
        RationalQuadratic(1.2, 0.8) * Periodic(1.9, 0.8),
        ("left__sigma", "left__alpha", "right__period", "right__sigma"),
    ),
    "four parts": (
        2.0 * Gaussian(1.5) * Periodic(2.2, 1.3) + Linear() * Matern(1.5, 2.0) + 0.3,
        (
            *("left__left__left__left__value", "left__left__left__right__sigma", "left__left__right__period"),
            *("left__left__right__sigma", "left__right__right__sigma", "right__value"),
        ),
    ),
}  # fmt: skip

WITHOUT = {
    "linear": (Linear(), X),
    "sigmoid": (Sigmoid(0.3, -0.5), X),
    "histogram": (Histogram(), np.abs(X)),
    "brownian": (Brownian(), np.abs(X[:, :1])),
    "multiquadric": (Multiquadric(0.7), X),
    "thin plate": (ThinPlate(0.7), X),
    "constant 0": (Constant(0.0), X),
    "precomputed": (Precomputed(X @ X.T), np.arange(N)[::-1, None]),
    "normalised": (Normalized(Linear()), X),
    "a sum": (Linear() + 0, X),
}


def jacobian(kernel, X, h=1e-5):
    """∂K/∂θ_p by central differences of fourth order, shape (p, n, n)."""
    theta = kernel.theta

    def at(p, step):
        return kernel.with_theta(theta + step * h * np.eye(len(theta))[p])(X)

    slopes = [(8 * (at(p, 1) - at(p, -1)) - (at(p, 2) - at(p, -2))) / (12 * h) for p in range(len(theta))]
    return np.reshape(slopes, (len(theta), len(X), len(X)))  # of no parameters too


# ---------------------------------------------------------------- theta


@pytest.mark.parametrize("name", LEARNABLE)
def test_theta_holds_the_logarithms_in_the_order_of_its_names(name):
    kernel, names = LEARNABLE[name]
    assert kernel.theta_names == names and kernel.theta.shape == (len(names),)
    for value, full_name in zip(np.exp(kernel.theta), names, strict=True):
        parameter, _, index = full_name.rstrip("]").partition("[")
        expected = kernel.get_params()[parameter]
        assert value == pytest.approx(expected[int(index)] if index else expected, rel=1e-15)


@pytest.mark.parametrize("name", LEARNABLE)
def test_with_theta_sets_each_entry_and_leaves_the_kernel_as_it_was(name):
    kernel, names = LEARNABLE[name]
    before, theta = repr(kernel), kernel.theta
    for p in range(len(names)):
        other = kernel.with_theta(theta + np.log(3.0) * np.eye(len(names))[p])
        np.testing.assert_allclose(np.exp(other.theta - theta), 1 + 2 * np.eye(len(names))[p], rtol=1e-14)
        assert type(other) is type(kernel) and other.theta_names == names
    assert repr(kernel) == before
    np.testing.assert_allclose(kernel.with_theta(theta.tolist())(X), kernel(X), rtol=1e-12)


@pytest.mark.parametrize("name", WITHOUT)
def test_kernels_without_learnable_parameters_have_an_empty_theta(name):
    kernel, points = WITHOUT[name]
    assert kernel.theta.shape == (0,) and kernel.theta_names == ()
    np.testing.assert_array_equal(kernel.with_theta([])(points), kernel(points))
    K, pull = kernel.vjp(points)
    np.testing.assert_allclose(K, kernel(points), rtol=1e-15)
    assert pull(M).shape == (0,)


@pytest.mark.parametrize("wrong", [[], [0.0], [0.0, 0.0, 0.0], [[0.0, 0.0]], 0.0])
@pytest.mark.parametrize("kernel", [RationalQuadratic(), 2 * Gaussian()], ids=repr)
def test_a_theta_of_another_length_is_refused(kernel, wrong):
    with pytest.raises(ValueError, match=r"theta has shape .*; expected \(2,\), the logarithms of \("):
        kernel.with_theta(wrong)


def test_every_public_kernel_is_tried_here():
    classes = {
        cls for cls in vars(kcourse.kernels).values() if inspect.isclass(cls) and issubclass(cls, Kernel)
    }  # fmt: skip
    tried = {type(kernel) for kernel, _ in [*LEARNABLE.values(), *WITHOUT.values()]}
    assert classes - tried == {Kernel}


# ---------------------------------------------------------------- vjp


@pytest.mark.parametrize("name", LEARNABLE)
def test_vjp_gives_the_gram_matrix_and_the_gradient_that_finite_differences_give(name):
    kernel, names = LEARNABLE[name]
    K, pull = kernel.vjp(X)
    np.testing.assert_allclose(K, kernel(X), rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(K, K.T)
    expected = np.einsum("ij,pij->p", M, jacobian(kernel, X))
    assert pull(M).shape == (len(names),)
    np.testing.assert_allclose(pull(M), expected, rtol=1e-7, atol=1e-8 * np.abs(M).sum())
    # all entries, not just their sum: M with one pair of entries
    for i, j in ((0, 1), (1, 4), (7, 2), (3, 3)):
        unit = np.zeros((N, N))
        unit[i, j] = unit[j, i] = 1.0
        np.testing.assert_allclose(pull(unit), np.einsum("ij,pij->p", unit, jacobian(kernel, X)), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", LEARNABLE)
def test_vjp_changes_neither_its_matrix_nor_its_points_and_can_be_pulled_twice(name):
    kernel, _ = LEARNABLE[name]
    points, weights = X.copy(), M.copy()
    points.flags.writeable = weights.flags.writeable = False
    K, pull = kernel.vjp(points)
    before, first = K.copy(), pull(weights)
    np.testing.assert_array_equal(pull(weights), first)
    np.testing.assert_array_equal(K, before)
    np.testing.assert_allclose(kernel.vjp(X.tolist())[1](M), first, rtol=1e-14)


@pytest.mark.parametrize("name", LEARNABLE)
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_one_point_and_points_far_from_zero(name, shift):
    kernel, names = LEARNABLE[name]
    K, pull = kernel.vjp(X[:1])
    np.testing.assert_allclose(K, kernel(X[:1]), rtol=1e-14)
    assert pull(np.ones((1, 1))).shape == (len(names),) and np.all(np.isfinite(pull(np.ones((1, 1)))))
    if not any(isinstance(part, (Polynomial, Linear, Periodic)) for part in leaves(kernel)):  # these are not stationary
        gradient = kernel.vjp(X + shift)[1](M)
        np.testing.assert_allclose(gradient, kernel.vjp(X)[1](M), rtol=1e-6, atol=1e-7)


def leaves(kernel):
    parts = [getattr(kernel, side) for side in ("left", "right", "kernel") if hasattr(kernel, side)]
    return [leaf for part in parts for leaf in leaves(part)] or [kernel]


STATIONARY = [Gaussian, Laplacian, lambda s: Matern(0.5, s), lambda s: Matern(0.8, s), lambda s: Matern(1.5, s),
              lambda s: Matern(2.5, s), lambda s: Matern(3.0, s), lambda s: RationalQuadratic(s, 0.7)]  # fmt: skip


@pytest.mark.parametrize("make", STATIONARY)
@pytest.mark.parametrize("ard", [False, True])
@pytest.mark.parametrize("gap", [1e-15, 1e-12, 1e-9, 1e-6])
def test_points_that_differ_by_rounding_do_not_spoil_the_gradient(make, ard, gap):
    # 0.1 + 0.2 and 0.3 are such points; as the gap closes the gradient is that of equal points
    twice, nearly = X.copy(), X.copy()
    twice[5], nearly[5] = twice[6], twice[6] * (1 + gap)
    kernel = make((0.6, 1.7, 5.0) if ard else 0.9)
    tolerance = 1e-7 + 30 * gap ** min(1.0, 2 * getattr(kernel, "nu", 0.5))
    np.testing.assert_allclose(kernel.vjp(nearly)[1](M), kernel.vjp(twice)[1](M), atol=tolerance)


@pytest.mark.parametrize("r", [1e-9, 1e-5, 1e-3])
@pytest.mark.parametrize("ard", [False, True])
def test_the_laplacian_of_close_points_has_the_slope_of_its_cusp(r, ard):
    # ∂k/∂log σ = r exp(-r), to first order r
    gradient = Laplacian((1.0, 1.0) if ard else 1.0).vjp([[0.0, 0.0], [0.6 * r, 0.8 * r]])[1](np.ones((2, 2)))
    expected = 2 * r * np.exp(-r) * (np.array([0.36, 0.64]) if ard else 1.0)
    np.testing.assert_allclose(gradient, np.atleast_1d(expected), rtol=1e-6)


@pytest.mark.parametrize("make", STATIONARY)
@pytest.mark.parametrize("ard", [False, True])
def test_points_whose_squared_distance_overflows_count_as_far(make, ard):
    points = np.array([[0.0, 0.0], [0.8, 0.5], [1e170, -1e170]])
    kernel = make((1.0, 1.5) if ard else 1.0)
    if not isinstance(kernel, RationalQuadratic):  # its tail is a power
        gradient = kernel.vjp(points)[1](np.ones((3, 3)))
        assert np.all(np.isfinite(gradient))


@pytest.mark.parametrize("make", STATIONARY)
@pytest.mark.parametrize("ard", [False, True])
@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1e6, 1e120])
def test_units_do_not_matter(make, ard, scale):
    kernel = make((0.6, 1.7, 5.0) if ard else 0.9)
    other = make((0.6 * scale, 1.7 * scale, 5.0 * scale) if ard else 0.9 * scale)
    (K, pull), (K_other, pull_other) = kernel.vjp(X), other.vjp(scale * X)
    np.testing.assert_allclose(K_other, K, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(pull_other(M), pull(M), rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("make", STATIONARY)
@pytest.mark.parametrize("ard", [False, True])
def test_a_narrow_kernel_on_a_wide_range_keeps_its_digits(make, ard):
    # pairs one width apart at places a million widths from the centre
    places = np.linspace(-1e6, 1e6, 5)[:, None] * np.ones(2)
    points = np.vstack([places, places + [0.8, 0.5]])
    kernel = make((1.0, 1.5) if ard else 1.0)
    weights = np.ones((10, 10))
    expected = 5 * make((1.0, 1.5) if ard else 1.0).vjp(np.array([[0.0, 0.0], [0.8, 0.5]]))[1](np.ones((2, 2)))
    got = kernel.vjp(points)[1](weights)
    if isinstance(kernel, RationalQuadratic):  # its tail reaches everywhere: k = b^-α, b = 1 + ½ Σ Δ²/α
        squares = ((points[:, None] - points) / kernel.sigma) ** 2
        b = 1 + squares.sum(axis=2) / 2 / kernel.alpha
        by_width = np.einsum("ij,ijk->k", b ** (-kernel.alpha - 1), squares)
        expected = np.append(by_width if ard else by_width.sum(), got[-1])
    np.testing.assert_allclose(got, expected, rtol=1e-7)


@pytest.mark.parametrize("name", LEARNABLE)
def test_where_the_kernel_is_all_but_zero_so_is_the_gradient(name):
    kernel, _ = LEARNABLE[name]
    if all(isinstance(leaf, (Gaussian, Laplacian, Matern)) for leaf in leaves(kernel)):
        gradient = kernel.vjp(1e8 * X[:4])[1](np.ones((4, 4)))
        np.testing.assert_allclose(gradient, 0, atol=1e-12)


# ---------------------------------------------------------------- whatever the kernel is put together from

widths = st.floats(0.2, 5.0)
parts = st.one_of(
    st.builds(Gaussian, widths),
    st.builds(Gaussian, st.tuples(widths, widths, widths)),
    st.builds(Laplacian, widths),
    st.builds(Matern, st.sampled_from([0.5, 1.5, 2.5, 0.9, 3.0]), widths),
    st.builds(RationalQuadratic, widths, st.floats(0.2, 5.0)),
    st.builds(Periodic, st.floats(1.0, 5.0), widths),
    st.builds(Polynomial, u=st.floats(0.1, 1.0), v=st.floats(0.1, 1.0), p=st.integers(1, 3)),
    st.builds(Linear),
    st.builds(Constant, st.floats(0.1, 3.0)),
    st.builds(InverseMultiquadric, widths),
)
composed = st.recursive(
    parts,
    lambda k: st.one_of(
        st.builds(operator.add, k, k), st.builds(operator.mul, k, k), st.builds(operator.mul, st.just(3), k)
    ),
    max_leaves=4,
)


@examples(60)
@given(composed, st.integers(0, 2**16))
def test_gradients_of_composed_kernels_are_those_of_finite_differences(kernel, seed):
    rng = np.random.default_rng(seed)
    points, weights = rng.uniform(-1.5, 1.5, (6, D)), rng.standard_normal((6, 6))
    weights = weights + weights.T
    K, pull = kernel.vjp(points)
    np.testing.assert_allclose(K, kernel(points), rtol=1e-12, atol=1e-13)
    scale = np.abs(weights).sum() * max(1.0, np.abs(K).max())
    expected = np.einsum("ij,pij->p", weights, jacobian(kernel, points, h=1e-4))
    np.testing.assert_allclose(pull(weights), expected, rtol=1e-6, atol=1e-9 * scale)
