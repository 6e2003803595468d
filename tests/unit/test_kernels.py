"""kcourse.kernels: each kernel against its formula, point by point; any input; the algebra; parameters."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import FrozenInstanceError
from fractions import Fraction
from functools import partial

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.gaussian_process import kernels as reference

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
    Product,
    RationalQuadratic,
    Sigmoid,
    Sum,
    ThinPlate,
    feature_distance,
    gram,
    gram_diag,
    is_psd,
)


def r(x, z, sigma=1.0):
    return math.sqrt(sum(((a - b) / s) ** 2 for a, b, s in zip(x, z, np.broadcast_to(sigma, len(x)), strict=True)))


def matern_5_2(s):
    return (1 + s + s * s / 3) * math.exp(-s)


WIDTHS = (0.5, 1.25, 4.0)  # one for each of three features

# the kernel, and its formula for two points
FORMULAS = {
    "linear": (Linear(), lambda x, z: np.dot(x, z)),
    "polynomial": (Polynomial(u=0.5, v=1.5, p=3), lambda x, z: (0.5 * np.dot(x, z) + 1.5) ** 3),
    "homogeneous": (Polynomial(u=2, v=0, p=2), lambda x, z: (2 * np.dot(x, z)) ** 2),
    "degree 1": (Polynomial(p=1), lambda x, z: np.dot(x, z) + 1),
    "gaussian": (Gaussian(1.7), lambda x, z: math.exp(-(r(x, z) ** 2) / (2 * 1.7**2))),
    "gaussian, 3 widths": (Gaussian(WIDTHS), lambda x, z: math.exp(-0.5 * r(x, z, WIDTHS) ** 2)),
    "laplacian": (Laplacian(1.7), lambda x, z: math.exp(-r(x, z) / 1.7)),
    "laplacian, 3 widths": (Laplacian(WIDTHS), lambda x, z: math.exp(-r(x, z, WIDTHS))),
    "matern 1/2": (Matern(0.5, 1.7), lambda x, z: math.exp(-r(x, z) / 1.7)),
    "matern 3/2": (
        Matern(1.5, 1.7),
        lambda x, z: (1 + math.sqrt(3) * r(x, z, 1.7)) * math.exp(-math.sqrt(3) * r(x, z, 1.7)),
    ),
    "matern 5/2": (Matern(2.5, 1.7), lambda x, z: matern_5_2(math.sqrt(5) * r(x, z, 1.7))),
    "matern, 3 widths": (Matern(2.5, WIDTHS), lambda x, z: matern_5_2(math.sqrt(5) * r(x, z, WIDTHS))),
    "matern inf": (Matern(np.inf, 1.7), lambda x, z: math.exp(-(r(x, z) ** 2) / (2 * 1.7**2))),
    "rational quadratic": (
        RationalQuadratic(1.7, alpha=0.6),
        lambda x, z: (1 + r(x, z, 1.7) ** 2 / (2 * 0.6)) ** -0.6,
    ),
    "rational quadratic, 3 widths": (
        RationalQuadratic(WIDTHS, alpha=3.0),
        lambda x, z: (1 + r(x, z, WIDTHS) ** 2 / 6) ** -3,
    ),
    "periodic": (
        Periodic(period=2.5, sigma=0.8),
        lambda x, z: math.exp(
            -2 * sum(math.sin(math.pi * (a - b) / 2.5) ** 2 for a, b in zip(x, z, strict=True)) / 0.8**2
        ),
    ),
    "sigmoid": (Sigmoid(u=0.5, v=-0.25), lambda x, z: math.tanh(0.5 * np.dot(x, z) - 0.25)),
    "multiquadric": (Multiquadric(1.5), lambda x, z: math.hypot(r(x, z), 1.5)),
    "inverse multiquadric": (InverseMultiquadric(1.5), lambda x, z: 1 / math.hypot(r(x, z), 1.5)),
    "thin plate": (
        ThinPlate(1.5),
        lambda x, z: (r(x, z) / 1.5) ** 2 * math.log(r(x, z) / 1.5) if r(x, z) else 0.0,
    ),
    "normalized": (
        Normalized(Polynomial(p=2)),
        lambda x, z: (np.dot(x, z) + 1) ** 2 / (np.dot(x, x) + 1) / (np.dot(z, z) + 1),
    ),
    "normalized sum": (
        Normalized(Linear() + 1),
        lambda x, z: (np.dot(x, z) + 1) / math.sqrt((np.dot(x, x) + 1) * (np.dot(z, z) + 1)),
    ),
    "constant": (Constant(2.5), lambda x, z: 2.5),
    "sum": (Linear() + 2 * Gaussian(1.7), lambda x, z: np.dot(x, z) + 2 * math.exp(-((r(x, z) / 1.7) ** 2) / 2)),
    "product": (Linear() * Laplacian(1.7), lambda x, z: np.dot(x, z) * math.exp(-r(x, z) / 1.7)),
}
KERNELS = {name: kernel for name, (kernel, _) in FORMULAS.items()} | {"matern 0.7": Matern(0.7, 1.7)}
STATIONARY = {name: k for name, k in KERNELS.items() if isinstance(k, (Gaussian, Laplacian, Matern))}
WIDE = [Gaussian, Laplacian, *(partial(Matern, nu) for nu in (0.5, 0.7, 1.5, 2.5, 3.2, np.inf))]


def points(n, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


# ---------------------------------------------------------------- values, symmetry, diagonal


@pytest.mark.parametrize("name", FORMULAS)
def test_every_entry_is_the_formula_of_its_two_points(name):
    kernel, formula = FORMULAS[name]
    X, Z = points(7), points(4, seed=1)
    np.testing.assert_allclose(kernel(X, Z), [[formula(x, z) for z in Z] for x in X], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(kernel(X), [[formula(x, z) for z in X] for x in X], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("n", [1, 255, 256, 257, 513])
@pytest.mark.parametrize("name", KERNELS)
def test_gram_matrices_are_symmetric_to_the_last_bit_with_the_diagonal_of_diag(name, n):
    kernel, X = KERNELS[name], points(n)
    K = kernel(X)
    assert K.shape == (n, n) and K.dtype == np.float64 and K.flags.c_contiguous and K.flags.writeable
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(kernel(X, X), K)
    np.testing.assert_allclose(kernel(X, X.copy()), K, rtol=1e-12, atol=1e-12)
    assert kernel.diag(X).shape == (n,)
    # atol: a sum that comes near 0, as in tanh(u xᵀx + v), keeps the rounding of its terms
    np.testing.assert_allclose(kernel.diag(X), K.diagonal(), rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("scale", [1.0, 1e5], ids=["near", "far"])
@pytest.mark.parametrize("name", KERNELS)
def test_parts_of_the_gram_matrix_of_fixed_points(name, scale):
    kernel = KERNELS[name]
    X = points(70) * scale + scale
    K = kernel(X)
    atol = 1e-12 * max(1.0, np.abs(K).max())
    on, W, S = kernel.on(X.tolist()), np.array([0, 69, 7, 30]), np.arange(1, 70, 2)
    assert on.n == 70
    block = on.block(W)
    np.testing.assert_array_equal(block, block.T)
    np.testing.assert_array_equal(block.diagonal(), kernel(X[W]).diagonal())
    np.testing.assert_allclose(block, K[np.ix_(W, W)], rtol=1e-12, atol=atol)
    np.testing.assert_allclose(on.rows(W), K[W], rtol=1e-12, atol=atol)
    part, inner = on.part(S), np.array([3, 0])
    assert part.n == 35
    np.testing.assert_allclose(part.block(inner), K[np.ix_(S[inner], S[inner])], rtol=1e-12, atol=atol)
    np.testing.assert_allclose(part.rows(inner), K[S[inner]][:, S], rtol=1e-12, atol=atol)


def test_fixed_points_are_checked_as_any():
    with pytest.raises(ValueError, match="X contains NaN"):
        Gaussian(1.0).on([[np.nan]])


@pytest.mark.parametrize("name", STATIONARY)
def test_a_point_is_exactly_1_like_itself(name):
    X = 1e3 * points(257) + 1e5
    np.testing.assert_array_equal(STATIONARY[name](X).diagonal(), np.ones(257))
    np.testing.assert_array_equal(STATIONARY[name].diag(X), np.ones(257))


@pytest.mark.parametrize("name", KERNELS)
def test_a_value_may_be_had_again_and_is_nobody_elses(name):
    kernel, X = KERNELS[name], points(5)
    K = kernel(X)
    expected = K.copy()
    K[:] = -1
    np.testing.assert_array_equal(kernel(X), expected)


# ---------------------------------------------------------------- scales


@pytest.mark.parametrize("make", WIDE)
@pytest.mark.parametrize("sigma", [1e-8, 1e-3, 1e3, 1e8])
def test_only_the_ratio_of_distance_and_width_matters(make, sigma):
    X, Z = points(6), points(5, seed=1)
    np.testing.assert_allclose(make(sigma)(sigma * X, sigma * Z), make(1.0)(X, Z), rtol=1e-12)
    np.testing.assert_allclose(make(sigma)(sigma * X), make(1.0)(X), rtol=1e-12)


@pytest.mark.parametrize("make", WIDE)
@pytest.mark.parametrize("sigma", [1e-200, 1e-12, 1e-8])
def test_points_many_widths_apart_have_nothing_in_common(make, sigma):
    X = points(5)
    np.testing.assert_array_equal(make(sigma)(X), np.eye(5))
    np.testing.assert_array_equal(make(sigma)(X, X[:2]), np.eye(5)[:, :2])


@pytest.mark.parametrize("make", WIDE)
def test_infinitely_far_points_have_nothing_in_common(make):
    np.testing.assert_array_equal(make(1.0)([[0.0, 0.0], [1e200, -1e200]]), np.eye(2))


@pytest.mark.parametrize("make", WIDE)
def test_points_closer_than_any_width_are_the_same(make):
    np.testing.assert_allclose(make(1e8)(points(5)), np.ones((5, 5)), rtol=0, atol=1e-7)
    np.testing.assert_array_equal(make(1.0)([[0.0], [1e-300]]), np.ones((2, 2)))


@pytest.mark.parametrize("make", WIDE)
def test_far_from_the_origin_the_values_are_the_same(make):
    X = np.random.default_rng(0).integers(-20, 20, (40, 2)) / 8  # so that the shift is exact
    np.testing.assert_allclose(make(1.3)(X + 2.0**36), make(1.3)(X), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", KERNELS)
def test_duplicates_have_equal_rows_and_leave_the_matrix_positive_semi_definite(name):
    X = np.vstack([points(20), points(20)[::-1]])
    K = KERNELS[name](X)
    np.testing.assert_allclose(K[:20], K[:19:-1], rtol=1e-12, atol=1e-13)
    assert is_psd(K) or KERNELS[name].definiteness != "positive semi-definite"


# ---------------------------------------------------------------- input

FORMS = {
    "Fortran order": np.asfortranarray,
    "read-only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "integers": lambda X: X.astype(int),
    "single precision": lambda X: X.astype(np.float32),
    "lists": lambda X: X.tolist(),
    "a data frame": lambda X: pd.DataFrame(X, columns=list("abc")),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", KERNELS)
def test_the_form_of_the_input_does_not_matter_and_it_is_not_changed(name, form):
    kernel, X = KERNELS[name], np.round(4 * points(9))  # small whole numbers, the same in every type
    same = FORMS[form](X)
    np.testing.assert_allclose(kernel(same), kernel(X), rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(kernel(same, X[:4]), kernel(X, X[:4]), rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(kernel.diag(same), kernel.diag(X), rtol=1e-14)
    np.testing.assert_array_equal(np.asarray(same, dtype=float), X)


@pytest.mark.parametrize(
    "kernel", [Linear(), Polynomial(), Gaussian(), Laplacian(), Matern(), 2 * Linear() + Gaussian()]
)
def test_bad_points_are_refused_by_name(kernel):
    with pytest.raises(ValueError, match=r"X has shape \(3,\); .* write X\[:, None\]"):
        kernel([1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"Z has shape \(3,\)"):
        kernel([[1.0]], [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="Z contains NaN"):
        kernel([[1.0]], [[np.nan]])
    with pytest.raises(ValueError, match="X has 2 feature.* and Z has 1"):
        kernel([[1.0, 2.0]], [[1.0]])
    with pytest.raises(ValueError, match="X contains NaN"):
        kernel.diag([[np.nan]])


# ---------------------------------------------------------------- parameters of the constructors


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: Gaussian(0), ValueError, "sigma must be positive, got 0; it is a width, in the units of x"),
        (lambda: Laplacian(-1.0), ValueError, "sigma must be positive, got -1"),
        (lambda: Matern(1.5, np.nan), ValueError, "sigma must be finite"),
        (lambda: Gaussian("1"), TypeError, "sigma must be a number, got str"),
        (lambda: Gaussian(True), TypeError, "sigma must be a number, got bool"),
        (lambda: Gaussian(None), TypeError, "sigma must be a number, got NoneType"),
        (lambda: Gaussian([]), ValueError, "sigma is empty; give one width"),
        (lambda: Gaussian((1.0, -2.0)), ValueError, r"sigma\[1\] must be positive, got -2"),
        (lambda: Gaussian(np.ones((2, 2))), TypeError, "sigma must be a number, got ndarray"),
        (lambda: Matern(0), ValueError, "nu must be positive"),
        (lambda: Matern(np.nan), ValueError, "nu must be finite"),
        (lambda: Matern("inf"), TypeError, "nu must be a number"),
        (lambda: Matern(40.5), ValueError, r"nu must be at most 40, or np\.inf for the Gaussian, got 40\.5"),
        (lambda: Polynomial(u=0), ValueError, "u must be positive, got 0; a negative scale"),
        (lambda: Polynomial(v=-1), ValueError, "v must be at least 0, got -1; a negative offset"),
        (lambda: Polynomial(p=0), ValueError, "p must be at least 1"),
        (lambda: Polynomial(p=1.5), TypeError, "p must be an integer, got float 1.5"),
        (lambda: Constant(-1), ValueError, "value must be at least 0, got -1; a negative constant"),
    ],
)
def test_parameters_that_give_no_kernel_are_refused(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


@pytest.mark.parametrize("make", WIDE)
def test_one_width_for_each_feature_divides_each_coordinate_by_its_own(make):
    X, Z = points(6), points(5, seed=1)
    for widths in (WIDTHS, list(WIDTHS), np.array(WIDTHS)):
        np.testing.assert_allclose(make(widths)(X, Z), make(1.0)(X / WIDTHS, Z / WIDTHS), rtol=1e-14)
    assert make(list(WIDTHS)) == make(np.array(WIDTHS)) == make(WIDTHS)
    np.testing.assert_allclose(make((2.0,) * 3)(X, Z), make(2.0)(X, Z), rtol=1e-14)
    with pytest.raises(ValueError, match=r"sigma has 3 widths and the points have 2 feature"):
        make(WIDTHS)(X[:, :2])


@pytest.mark.parametrize("nu", [0.5, 0.7, 1.5, 2.5, 3.2, 7.5, np.inf])
def test_matern_agrees_with_scikit_learn_in_three_dimensions(nu):
    X, Z = points(12), points(9, seed=1)
    X[0] = Z[0]  # distance 0
    X[1] = Z[1] + 1e-7
    X[2] = Z[2] + 200.0  # e^-s underflows
    expected = reference.Matern(length_scale=1.7, nu=nu)(X, Z)
    np.testing.assert_allclose(Matern(nu, 1.7)(X, Z), expected, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(Matern(nu, 1.7)(X), reference.Matern(1.7, nu=nu)(X), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("half", [3, 7, 20, 39])
def test_matern_of_half_integers_is_the_closed_form(half):
    # ν = p + ½: e^-s p!/(2p)! Σ_i (p+i)!/(i!(p-i)!) (2s)^(p-i)  [GPML, eq. 4.16]
    distances = np.concatenate([[0.0], np.logspace(-12, 1.5, 60)])
    s = math.sqrt(2 * half + 1) * distances
    terms = [
        math.factorial(half + i) / math.factorial(i) / math.factorial(half - i) * (2 * s) ** (half - i)
        for i in range(half + 1)
    ]
    expected = np.exp(-s) * math.factorial(half) / math.factorial(2 * half) * np.sum(terms, axis=0)
    K = Matern(half + 0.5)(distances[:, None], [[0.0]])[:, 0]
    np.testing.assert_allclose(K, expected, rtol=1e-10, atol=1e-15)
    assert K.max() == K[0] == 1.0


# ---------------------------------------------------------------- algebra

X5, Z4 = points(5), points(4, seed=1)
G, P, L = Gaussian(0.8), Polynomial(p=3), Laplacian(2.0)


# as it is written -> the same of the matrices of G, P and L
EXPRESSIONS = {
    "G + P": (G + P, lambda g, p, e: g + p),
    "G * P": (G * P, lambda g, p, e: g * p),
    "3 * G": (3 * G, lambda g, p, e: 3 * g),
    "G * 3": (G * 3, lambda g, p, e: 3 * g),
    "np.float64(3) * G": (np.float64(3) * G, lambda g, p, e: 3 * g),
    "G * np.float32(3)": (G * np.float32(3), lambda g, p, e: 3 * g),
    "np.int64(3) * G": (np.int64(3) * G, lambda g, p, e: 3 * g),
    "np.array(3.0) * G": (np.array(3.0) * G, lambda g, p, e: 3 * g),
    "G * np.array(3.0)": (G * np.array(3.0), lambda g, p, e: 3 * g),
    "Fraction(1, 2) * G": (Fraction(1, 2) * G, lambda g, p, e: g / 2),
    "G + 2": (G + 2, lambda g, p, e: g + 2),
    "2 + G": (2 + G, lambda g, p, e: g + 2),
    "np.float64(2) + G": (np.float64(2) + G, lambda g, p, e: g + 2),
    "0 * G + P": (0 * G + P, lambda g, p, e: p),
    "G + 0": (G + 0, lambda g, p, e: g),
    "0 + G": (0 + G, lambda g, p, e: g),
    "sum([G, P, L])": (sum([G, P, L]), lambda g, p, e: g + p + e),
    "math.prod([G, P, L])": (math.prod([G, P, L]), lambda g, p, e: g * p * e),
    "(G + P) * L": ((G + P) * L, lambda g, p, e: (g + p) * e),
    "G + P * L": (G + P * L, lambda g, p, e: g + p * e),
    "2 * (G + 1) * (3 * L + P)": (2 * (G + 1) * (3 * L + P), lambda g, p, e: 2 * (g + 1) * (3 * e + p)),
}


@pytest.mark.parametrize("pair", [(X5, None), (X5, Z4)], ids=["gram", "cross"])
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_of_kernels_are_the_same_expressions_of_their_matrices(expression, pair):
    kernel, matrix = EXPRESSIONS[expression]
    assert isinstance(kernel, Kernel)
    np.testing.assert_allclose(kernel(*pair), matrix(G(*pair), P(*pair), L(*pair)), rtol=1e-15)
    np.testing.assert_allclose(kernel.diag(X5), kernel(X5).diagonal(), rtol=1e-14)


@pytest.mark.parametrize("number", [-1, -0.5, np.float64(-2), np.array(-3.0)])
@pytest.mark.parametrize(
    "expression", [lambda c: c * G, lambda c: G * c, lambda c: G + c, lambda c: c + G], ids=["ck", "kc", "k+c", "c+k"]
)
def test_negative_numbers_are_refused_with_the_reason(expression, number):
    with pytest.raises(ValueError, match="negative number the Gram matrix need not be positive semi-definite"):
        expression(number)


@pytest.mark.parametrize(
    "expression", [lambda: G - P, lambda: G - 1, lambda: 1 - G, lambda: np.float64(1) - G, lambda: G - G]
)
def test_differences_are_refused_with_the_reason(expression):
    with pytest.raises(TypeError, match="not subtracted: a difference need not be positive semi-definite"):
        expression()


def test_minus_a_kernel_is_refused_with_the_reason():
    with pytest.raises(TypeError, match="-k is not a kernel: its diagonal"):
        _ = -G


@pytest.mark.parametrize("other", ["a", None, True, [1.0], np.ones(3), 1j, Gaussian, lambda X, Z: X @ Z.T])
def test_only_kernels_and_numbers_take_part(other):
    for expression in (lambda: G + other, lambda: other + G, lambda: G * other, lambda: other * G):
        with pytest.raises(TypeError, match="unsupported operand|concatenate|multiply sequence|does not support"):
            expression()


@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        (Gaussian(2), "Gaussian(sigma=2.0)"),
        (3 * Gaussian(2) + Linear(), "3 * Gaussian(sigma=2.0) + Linear()"),
        ((Gaussian(2) + 1) * Linear(), "(Gaussian(sigma=2.0) + 1) * Linear()"),
        (Linear() * (Linear() + Linear()), "Linear() * (Linear() + Linear())"),
        (Constant(0.5), "Constant(value=0.5)"),
    ],
)
def test_a_kernel_is_shown_as_it_is_written(kernel, text):
    assert repr(kernel) == text
    assert eval(text) == kernel


class Shared(Kernel):
    """How many letters two words share: a kernel whose points are not rows of an array."""

    def __call__(self, X, Z=None):
        return np.array([[float(len(set(x) & set(z))) for z in (X if Z is None else Z)] for x in X])

    def diag(self, X):
        return np.array([float(len(set(x))) for x in X])


def test_the_algebra_only_delegates_so_any_kind_of_point_will_do():
    words = ["ridge", "bridge", "gp"]
    K = np.array([[5.0, 5, 1], [5, 6, 1], [1, 1, 2]])
    kernel = 2 * Shared() * Shared() + 1
    np.testing.assert_array_equal(kernel(words), 2 * K * K + 1)
    np.testing.assert_array_equal(kernel(words, words[:2]), (2 * K * K + 1)[:, :2])
    np.testing.assert_array_equal(kernel.diag(words), (2 * K * K + 1).diagonal())


# ---------------------------------------------------------------- values among values


def test_kernels_are_values():
    assert Gaussian(1) == Gaussian(1.0) == Gaussian(np.float64(1)) != Gaussian(2)
    assert Gaussian(1) != Laplacian(1) and Gaussian(1) + Linear() == Gaussian(1) + Linear()
    assert len({Gaussian(1), Gaussian(1.0), 2 * Gaussian((1, 2)), 2 * Gaussian([1, 2])}) == 2
    with pytest.raises(FrozenInstanceError):
        Gaussian(1).sigma = 2
    assert type(Gaussian(1).sigma) is type(Gaussian(np.float64(1)).sigma) is float


@pytest.mark.parametrize("name", KERNELS)
def test_copies_are_equal_and_compute_the_same(name):
    kernel = KERNELS[name]
    for same in (copy.copy(kernel), copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel)), sklearn.clone(kernel)):
        assert same == kernel and type(same) is type(kernel)
        np.testing.assert_array_equal(same(X5), kernel(X5))


@pytest.mark.parametrize("name", KERNELS)
def test_the_constructor_keeps_what_get_params_gives_so_that_clone_is_content(name):
    kernel = KERNELS[name]
    params = kernel.get_params(deep=False)
    again = type(kernel)(**params).get_params(deep=False)
    assert list(params) == list(again) and all(params[key] is again[key] for key in params)


def test_parameters_of_parts_are_reached_by_their_path():
    kernel = 3 * Gaussian(2) + Polynomial(p=3)
    params = kernel.get_params()
    assert params == {
        "left": 3 * Gaussian(2),
        "left__left": Constant(3),
        "left__left__value": 3.0,
        "left__right": Gaussian(2),
        "left__right__sigma": 2.0,
        "right": Polynomial(p=3),
        "right__u": 1.0,
        "right__v": 1.0,
        "right__p": 3,
    }
    assert kernel.get_params(deep=False) == {"left": 3 * Gaussian(2), "right": Polynomial(p=3)}
    changed = kernel.with_params(left__right__sigma=5, left__left__value=2, right__p=1)
    assert changed == 2 * Gaussian(5) + Polynomial(p=1)
    assert kernel == 3 * Gaussian(2) + Polynomial(p=3)  # as it was
    assert kernel.with_params(right=Linear(), left__right=Linear()) == 3 * Linear() + Linear()
    assert kernel.with_params(right=Gaussian(1), right__sigma=7) == 3 * Gaussian(2) + Gaussian(7)
    assert Gaussian(1).with_params(sigma=(1, 2)) == Gaussian((1, 2)) and Gaussian(1).with_params() == Gaussian(1)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"gamma": 1}, "Gaussian has no parameter 'gamma'; it has sigma"),
        ({"gamma__x": 1}, "Gaussian has no parameter 'gamma'; it has sigma"),
        ({"sigma__x": 1}, "sigma of Gaussian has no parameter 'x': it is 1.0"),
        ({"sigma": -1}, "sigma must be positive"),
    ],
)
def test_parameters_that_are_not_there_are_refused_by_name(params, message):
    with pytest.raises(ValueError, match=message):
        Gaussian(1.0).with_params(**params)


# ---------------------------------------------------------------- any function as a kernel


def test_a_function_is_called_with_both_arguments_and_its_array_is_not_ours():
    cache = np.asfortranarray(G(X5))
    cache.flags.writeable = False
    calls = []

    def kernel(X, Z):
        calls.append((X, Z))
        return cache

    K = gram(kernel, X5)
    assert calls[0][0] is X5 and calls[0][1] is X5
    assert K.flags.c_contiguous and K.flags.writeable and not np.shares_memory(K, cache)
    np.testing.assert_array_equal(K, cache)


def test_what_a_function_returns_may_be_a_list_or_single_precision():
    assert gram(lambda X, Z: (X @ Z.T).tolist(), X5).dtype == np.float64
    K = gram(lambda X, Z: (X @ Z.T).astype(np.float32), X5, Z4)
    assert K.dtype == np.float64
    np.testing.assert_allclose(K, X5 @ Z4.T, rtol=1e-5)


@pytest.mark.parametrize(
    ("kernel", "Z", "message"),
    [
        (lambda X, Z: Z @ X.T, Z4, r"the kernel returned shape \(4, 5\) for 5 and 4 points; expected \(5, 4\)"),
        (lambda X, Z: X @ Z[0], None, r"the kernel returned shape \(5,\) for 5 and 5 points; expected \(5, 5\)"),
        (lambda X, Z: None, None, r"the kernel returned shape \(\) for 5 and 5 points"),
        (lambda X, Z: X @ Z.T + np.arange(5.0), None, r"kernel\(X, X\) is not symmetric: max .* = 4"),
        (lambda X, Z: X @ Z.T * np.nan, None, r"kernel\(X, X\) contains NaN"),
        (lambda X, Z: X @ Z.T * np.nan, Z4, r"kernel\(X, Z\) contains NaN"),
        (lambda X, Z: X @ Z.T + 1j, Z4, r"kernel\(X, Z\) is complex"),
    ],
)
def test_what_a_function_returns_is_checked(kernel, Z, message):
    with pytest.raises(ValueError, match=message):
        gram(kernel, X5, Z)


def test_sums_and_products_are_built_from_the_left_and_a_sum_starts_without_the_0():
    assert Sum(G, P) == G + P and Product(G, P) == G * P
    assert sum([G, P, L]) == Sum(Sum(G, P), L) and math.prod([G, P]) == Product(Product(Constant(1), G), P)
    assert 2 + G == Sum(Constant(2), G) and G * 3 == Product(G, Constant(3))


# ---------------------------------------------------------------- is_psd


# six cases that tell the known wrong answers to exercise 2.3 apart
TELLING = [
    ([[1, -0.5], [-0.5, 1]], True),
    ([[1, 2], [2, 1]], False),
    ([[1, 1], [1, 1]], True),
    ([[-1, 0], [0, -1]], False),
    ([[1, 1], [-1, 1]], False),
    ([[1e-17, 0], [0, 1]], True),
]


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize(("K", "answer"), TELLING)
def test_is_psd_answers_six_telling_cases_at_any_scale(K, answer, scale):
    verdict = is_psd(scale * np.array(K))
    assert verdict is answer


def test_the_tolerance_of_is_psd_is_relative_to_the_largest_entry():
    K = np.diag([5.0, -5e-8])
    assert not is_psd(K) and is_psd(K, tol=1.1e-8) and not is_psd(K, tol=0.9e-8)
    assert is_psd([[-1e-11]]) is False  # one entry: it is the largest itself
    assert is_psd(np.zeros((3, 3))) is True


@pytest.mark.parametrize("K", [[1.0], [[1.0, 2.0]], [[np.nan]], np.zeros((0, 0))])
def test_is_psd_refuses_what_is_no_matrix(K):
    with pytest.raises(ValueError, match="^K "):
        is_psd(K)


# ---------------------------------------------------------------- kernels of minima, given matrices, features


def test_the_histogram_kernel_sums_minima():
    X, Z = np.abs(points(6)), np.abs(points(4, seed=1))
    np.testing.assert_allclose(Histogram()(X, Z), [[sum(map(min, x, z)) for z in Z] for x in X], rtol=1e-14)
    np.testing.assert_array_equal(Histogram()(X), Histogram()(X).T)
    np.testing.assert_allclose(Histogram().diag(X), Histogram()(X).diagonal(), rtol=1e-14)
    assert is_psd(Histogram()(X))
    with pytest.raises(ValueError, match=r"Z has negative entries \(the least is -1\).*Histogram"):
        Histogram()(X, [[-1.0, 0.0, 0.0]])


def test_the_brownian_kernel_is_the_covariance_of_a_sum_of_independent_steps():
    t = np.array([[0.3], [0.0], [2.0], [0.7]])
    steps = np.tril(np.ones((20, 20)))  # B at 0.1, 0.2, … 2.0 is a sum of steps of variance 0.1
    covariance = 0.1 * steps @ steps.T
    np.testing.assert_allclose(Brownian()(t[[0, 2, 3]]), covariance[np.ix_([2, 19, 6], [2, 19, 6])], rtol=1e-12)
    assert Brownian().diag(t).tolist() == [0.3, 0.0, 2.0, 0.7]
    with pytest.raises(ValueError, match="X has 2 features; Brownian compares times"):
        Brownian()([[0.0, 1.0]])
    with pytest.raises(ValueError, match="negative entries .*Brownian"):
        Brownian()([[-0.1]])


def test_a_given_gram_matrix_is_asked_by_row_number():
    K = Linear()(points(5))
    kernel, i, j = Precomputed(K), np.array([[3], [0]]), [[4], [4], [1]]
    np.testing.assert_array_equal(kernel(i, j), K[[3, 0]][:, [4, 4, 1]])
    np.testing.assert_array_equal(kernel(i), K[[3, 0]][:, [3, 0]])
    np.testing.assert_array_equal(kernel.diag(j), K.diagonal()[[4, 4, 1]])
    np.testing.assert_array_equal((2 * kernel + 1)(i, j), 2 * kernel(i, j) + 1)
    for bad in ([[5]], [[-1]], [[0.5]], [[0, 1]]):
        with pytest.raises(ValueError, match=r"X must hold row numbers of K, whole numbers 0…4 .*np.arange\(5\)"):
            kernel(bad)
    with pytest.raises(ValueError, match="not symmetric"):
        Precomputed([[1.0, 2.0], [0.0, 1.0]])
    nearly = K.copy()
    nearly[0, 1] *= 1 + 1e-12
    np.testing.assert_array_equal(Precomputed(nearly)(i), Precomputed(nearly)(i).T)


@pytest.mark.parametrize(
    "kernel",
    [
        Linear(),
        Polynomial(u=0.5, v=0.3, p=3),
        Polynomial(u=2.0, v=0.0, p=2),
        Constant(2.0),
        Linear() + 3 * Polynomial(p=2),
        (Linear() + 1) * Polynomial(v=0.0, p=2),
    ],
)
def test_finite_features_have_the_kernel_as_their_inner_product(kernel):
    X, Z = points(6), points(4, seed=1)
    np.testing.assert_allclose(kernel.features(X) @ kernel.features(Z).T, kernel(X, Z), rtol=1e-12, atol=1e-12)


def test_how_many_features_a_polynomial_has():
    X = points(1, d=64)
    assert Polynomial(p=3).features(X).shape == (1, 47905)
    assert math.comb(67, 3) == 47905
    assert Polynomial(p=2, v=0.0).features(X).shape == (1, math.comb(65, 2))
    with pytest.raises(ValueError, match=r"about 2.52e\+12 features for d = 784 and p = 5"):
        Polynomial(p=5).features(points(1, d=784))
    with pytest.raises(ValueError, match="Gaussian has no finite feature map"):
        Gaussian().features(X)


def test_distances_between_features_need_the_kernel_only():
    X, Z = points(6), points(4, seed=1)
    kernel = Polynomial(u=0.5, v=0.3, p=3)
    A, B = kernel.features(X), kernel.features(Z)
    expected = np.linalg.norm(A[:, None] - B, axis=2)
    np.testing.assert_allclose(feature_distance(kernel, X, Z), expected, rtol=1e-10)
    np.testing.assert_allclose(feature_distance(lambda X, Z: kernel(X, Z), X, Z), expected, rtol=1e-10)
    own = feature_distance(kernel, X)
    assert own.diagonal().tolist() == [0.0] * 6
    np.testing.assert_allclose(own, np.linalg.norm(A[:, None] - A, axis=2), rtol=1e-10)
    with pytest.raises(ValueError, match="a squared distance is -.* not positive semi-definite"):
        feature_distance(Multiquadric(1.0), X)
    np.testing.assert_allclose(gram_diag(kernel, X), gram_diag(lambda X, Z: kernel(X, Z), X), rtol=1e-14)


def test_normalised_points_need_a_length():
    X = points(5)
    K = Normalized(Linear())(X)
    assert K.diagonal().tolist() == [1.0] * 5 and np.abs(K).max() <= 1 + 1e-15
    np.testing.assert_array_equal(K, K.T)
    with pytest.raises(ValueError, match=r"Z\[1\] has k\(x, x\) = 0, so it has no direction"):
        Normalized(Linear())(X, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    with pytest.raises(TypeError, match="kernel must be a Kernel"):
        Normalized(lambda X, Z: X @ Z.T)
    assert Normalized(Gaussian(2.0)).with_params(kernel__sigma=3.0) == Normalized(Gaussian(3.0))


# ---------------------------------------------------------------- definiteness, stated and true


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_that_says_positive_semi_definite_is(name):
    kernel = KERNELS[name]
    X = 3 * points(12)
    eigenvalues = np.linalg.eigvalsh(kernel(X))
    if kernel.definiteness == "positive semi-definite":
        assert is_psd(kernel(X))
    else:
        assert eigenvalues[0] < -1e-3 * eigenvalues[-1]


@pytest.mark.parametrize("c", [0.5, 2.0])
def test_the_multiquadric_is_negative_on_weights_that_sum_to_0(c):
    X = points(9)
    eigenvalues = np.linalg.eigvalsh(Multiquadric(c)(X))
    assert np.all(eigenvalues[:-1] < 0) and eigenvalues[-1] > 0
    basis = np.linalg.svd(np.ones((1, 9)))[2][1:]
    assert np.linalg.eigvalsh(basis @ Multiquadric(c)(X) @ basis.T).max() < 0


def test_the_thin_plate_is_positive_on_weights_that_sum_linear_polynomials_to_0():
    X = points(9, d=2)
    basis = np.linalg.svd(np.column_stack([np.ones(9), X]).T)[2][3:]
    for c in (0.5, 2.0):  # the unit of length adds a multiple of r², which such weights do not see
        assert np.linalg.eigvalsh(basis @ ThinPlate(c)(X) @ basis.T).min() > 0
    hexagon = np.array([[0.0, 0.0], *[[math.cos(a), math.sin(a)] for a in np.arange(6) * math.pi / 3]])
    assert abs(np.linalg.det(ThinPlate()(hexagon))) < 1e-12


def test_definiteness_is_known_of_sums_and_products_of_what_is_positive():
    psd = "positive semi-definite"
    assert (Gaussian() + Linear() * Matern()).definiteness == psd
    assert (3 * Multiquadric()).definiteness == (Multiquadric() * 3).definiteness == Multiquadric().definiteness
    assert (Multiquadric() + Multiquadric(2.0)).definiteness == Multiquadric().definiteness
    assert (Multiquadric() + Gaussian()).definiteness == (Sigmoid() * Sigmoid()).definiteness == "not known"
    assert Normalized(Linear()).definiteness == psd
    # what is definite on fewer weights is so together with what is on more
    assert (ThinPlate() + 2 * Gaussian()).definiteness == ThinPlate().definiteness
    assert (3 * Sigmoid()).definiteness == Sigmoid().definiteness == "indefinite"
    orders = [
        (k.sign, k.order) for k in (Gaussian(), Multiquadric(), 2 * ThinPlate(), Sigmoid(), ThinPlate() * Linear())
    ]
    assert orders == [(1, 0), (-1, 1), (1, 2), (0, 0), (0, 0)]


# ---------------------------------------------------------------- what is printed is what was meant

A, B, C = Gaussian(1 / 3), Laplacian(math.pi), Periodic(0.1 + 0.2, 2.0)


@pytest.mark.parametrize(
    "kernel",
    [
        math.pi * A,
        1e-7 / 3 * A + 1 / 7,
        123456789.0 * A + 2,
        A + B + C,
        A + (B + C),
        A * B * C,
        A * (B * C),
        2 * A * B,
        2 * (3 * (A * B)),
        (A + B) * (B + 1e22) * C,
        Constant(2.0) + Constant(3.0),
        Constant(2.0) * Constant(3.0) * A,
        Constant(0.0) + A,
        Sum(A, Constant(0.0)),
        Product(Constant(0.0), A),
        Normalized(0.1 * A + 3),
        (3 * A + B).with_theta(np.array([0.1, -1.7, 2.3])),
    ],
    ids=repr,
)
def test_a_kernel_is_read_as_it_is_printed(kernel):
    names = {cls.__name__: cls for cls in (Constant, Gaussian, Laplacian, Normalized, Periodic)}
    assert eval(repr(kernel), names) == kernel


def test_powers_are_refused_with_what_to_write():
    with pytest.raises(TypeError, match=r"k \* k is the product of k with itself"):
        Gaussian() ** 2


# ---------------------------------------------------------------- matrices of several strips, and of a few rows

INNER = [
    Linear(),
    Polynomial(u=0.3, v=0.5, p=3),
    Sigmoid(0.2, -0.1),
    Laplacian(2.0),
    Matern(1.5, 2.0),
    Matern(0.7, 3.0),
]


@pytest.mark.parametrize("n", [1, 2, 64, 65, 300])
@pytest.mark.parametrize("kernel", [*INNER, Laplacian((1.0, 2.0, 0.5)), Matern(0.5), Matern(2.5)], ids=repr)
def test_strips_and_pairs_change_no_value_and_keep_the_symmetry(kernel, n):
    X = 10 * np.random.default_rng(n).standard_normal((n, 3)) + 5
    X[n // 2] = X[0]
    K = kernel(X)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, kernel(X, X.copy()), rtol=1e-12, atol=1e-13 * np.abs(K).max())
    np.testing.assert_allclose(K.diagonal(), kernel.diag(X), rtol=1e-13)
    assert K[0, n // 2] == pytest.approx(K[0, 0], rel=1e-13)


@pytest.mark.parametrize("kernel", [Gaussian(2.0), Gaussian((1.0, 5.0, 0.5)), RationalQuadratic(2.0, 0.7)], ids=repr)
@pytest.mark.parametrize("far", [0.0, 1e6])
def test_a_few_rows_are_the_same_as_among_many(kernel, far):
    rng = np.random.default_rng(0)
    Z, X = rng.standard_normal((200, 3)) + far, rng.standard_normal((50, 3)) + far
    many = kernel(X, Z)
    for q in range(1, 7):
        np.testing.assert_allclose(kernel(X[:q], Z), many[:q], rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(kernel(Z, X[:q]), many[:q].T, rtol=1e-9, atol=1e-14)
