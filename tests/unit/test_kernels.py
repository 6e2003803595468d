"""kcourse.kernels: each kernel against its formula, point by point; any input; the algebra; parameters."""

import contextlib
import copy
import inspect
import math
import pickle
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction
from importlib import import_module
from itertools import product

import numpy as np
import pandas as pd
import pytest
import sklearn

import kcourse
from kcourse.kernels import (
    Brownian,
    Constant,
    Gaussian,
    HistogramIntersection,
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
from tests.kernels import (
    AMOUNTS,
    KERNELS,
    PSD,
    WIDTHS,
    Row,
    examples_that,
    holds,
    kernel_classes,
    matrix,
    parts,
    row,
    stretched,
    takes,
)
from tests.rows import each
from tests.unit.refused import refused

every_kernel = examples_that(lambda kernel: True)
every_wide_kernel = examples_that(lambda kernel: row(kernel).lengths == ("sigma",))


def points(n, d=3, seed=0):
    return np.random.default_rng(seed).standard_normal((n, d))


def test_every_kernel_has_a_row_in_the_table_and_each_row_all_columns():
    for cls in kernel_classes():
        assert cls in KERNELS, f"{cls.__name__} has no row in tests/kernels.py, so nothing of it is tested"
        missing = [column.name for column in fields(Row) if getattr(KERNELS[cls], column.name) is None]
        assert not missing and any(type(k) is cls for k in KERNELS[cls].examples), (cls.__name__, missing)
        # sums and products are written with + and *
        assert cls in (Sum, Product) or cls.__name__ in kcourse.__all__, cls.__name__
        if cls.__name__ in kcourse.__all__:
            overview = inspect.getdoc(import_module(f"kcourse.{kcourse._HOME[cls.__name__]}"))
            assert any(line.startswith(cls.__name__) for line in overview.splitlines()), cls.__name__


@every_kernel
def test_what_the_table_says_of_features_moved_points_and_lengths(kernel):
    X = takes(kernel).sample(6)
    if holds("features", kernel):
        Z = takes(kernel).sample(4, seed=1)
        both = kernel.features([*X, *Z])
        np.testing.assert_allclose(both @ both.T, kernel([*X, *Z]), rtol=1e-12, atol=1e-12)
    else:
        refused("has no finite feature map here", kernel.features, X)
    if takes(kernel).real:
        unmoved = np.allclose(kernel(X + 2.0), kernel(X), rtol=1e-12, atol=1e-12)
        assert unmoved == holds("stationary", kernel)
        for name, length in kernel.get_params(deep=False).items():
            if length and isinstance(length, (float, tuple)):
                twice = tuple(2 * np.array(length)) if isinstance(length, tuple) else 2 * length
                same = np.allclose(kernel.with_params(**{name: twice})(2 * X), kernel(X), rtol=1e-12)
                assert same == (name in row(kernel).lengths)


# ---------------------------------------------------------------- values, symmetry, diagonal


@every_kernel
def test_every_entry_is_the_formula_of_its_two_points_again_and_again(kernel):
    X, Z = takes(kernel).sample(7), takes(kernel).sample(4, seed=1)
    right = matrix(kernel, X)
    for _ in range(2):
        np.testing.assert_allclose(kernel(X, Z), matrix(kernel, X, Z), rtol=1e-13, atol=1e-13)
        K = kernel(X)
        np.testing.assert_allclose(K, right, rtol=1e-13, atol=1e-13)
        K[:] = -1  # it is nobody else's


@every_kernel
def test_gram_matrices_are_symmetric_to_the_last_bit_with_the_diagonal_of_diag(kernel):
    for n in (1, 256, 257, 513) if takes(kernel).large and not parts(kernel) else (1, 12):
        X = takes(kernel).sample(n)
        K = kernel(X)
        assert K.shape == (n, n) and K.dtype == np.float64 and K.flags.c_contiguous and K.flags.writeable
        np.testing.assert_array_equal(K, K.T)
        np.testing.assert_array_equal(kernel(X, X), K)
        np.testing.assert_allclose(kernel(X, X.copy()), K, rtol=1e-12, atol=1e-12)
        assert kernel.diag(X).shape == (n,)
        # atol: a sum that comes near 0, as in tanh(u xᵀx + v), keeps the rounding of its terms
        np.testing.assert_allclose(kernel.diag(X), K.diagonal(), rtol=1e-14, atol=1e-15)


@every_kernel
def test_parts_of_the_gram_matrix_of_fixed_points(kernel):
    near = takes(kernel).sample(70)
    for X in (near, near * 1e5 + 1e5) if takes(kernel).real else (near,):
        K = kernel(X)
        atol = 1e-12 * max(1.0, np.abs(K).max())
        on, W, S = kernel.on_points(list(X)), np.array([0, 69, 7, 30]), np.arange(1, 70, 2)
        assert on.n == 70
        block = on.block(W)
        np.testing.assert_array_equal(block, block.T)
        np.testing.assert_allclose(block.diagonal(), K.diagonal()[W], rtol=1e-14, atol=1e-15)
        np.testing.assert_allclose(block, K[np.ix_(W, W)], rtol=1e-12, atol=atol)
        np.testing.assert_allclose(on.rows(W), K[W], rtol=1e-12, atol=atol)
        part, inner = on.part(S), np.array([3, 0])
        assert part.n == 35
        np.testing.assert_allclose(part.block(inner), K[np.ix_(S[inner], S[inner])], rtol=1e-12, atol=atol)
        np.testing.assert_allclose(part.rows(inner), K[S[inner]][:, S], rtol=1e-12, atol=atol)


@every_wide_kernel
def test_points_many_widths_apart_are_as_alike_as_the_formula_says(kernel):
    X = points(5)
    for c in (1e-12, 1e-8):
        narrow = stretched(kernel, c)
        np.testing.assert_allclose(narrow(X), matrix(narrow, X), rtol=1e-9, atol=0)
        np.testing.assert_allclose(narrow(X, X[:2]), matrix(narrow, X, X[:2]), rtol=1e-9, atol=0)
    # so far that squares overflow
    for K in (stretched(kernel, 1e-200)(X), kernel(X * 1e200)):
        np.testing.assert_allclose(K, np.eye(5), rtol=0, atol=1e-100)


@every_wide_kernel
def test_points_closer_than_any_width_are_the_same(kernel):
    np.testing.assert_allclose(stretched(kernel, 1e8)(points(5)), matrix(stretched(kernel, 1e8), points(5)), rtol=1e-9)
    np.testing.assert_array_equal(kernel([[0.0] * 3, [1e-300] * 3]), np.ones((2, 2)))


@every_wide_kernel
def test_far_from_the_origin_values_are_the_same_and_a_point_exactly_1_like_itself(kernel):
    X = np.random.default_rng(0).integers(-20, 20, (40, 3)) / 8  # so that the shift is exact
    np.testing.assert_allclose(kernel(X + 2.0**36), kernel(X), rtol=0, atol=1e-12)
    far = 1e3 * points(257) + 1e5
    for ones in (kernel(far).diagonal(), kernel.diag(far)):
        np.testing.assert_array_equal(ones, np.ones(257))


FORMS = {
    "Fortran order": np.asfortranarray,
    "read-only": lambda X: np.frombuffer(X.tobytes()).reshape(X.shape),
    "every second row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "backwards": lambda X: X[::-1].copy()[::-1],
    "integers": lambda X: X.astype(int),
    "single precision": lambda X: X.astype(np.float32),
    "lists": lambda X: X.tolist(),
    "a data frame": lambda X: pd.DataFrame(X, columns=list("abc")[: X.shape[1]]),
}


@examples_that(lambda kernel: not kernel.structured)  # what holds strings or graphs is theirs to say
def test_the_form_of_the_input_does_not_matter_and_it_is_not_changed(kernel):
    kind = takes(kernel)
    X = np.round(kind.sample(9) * (4 if kind.real else 1))  # small whole numbers, the same in every type
    for form, same in FORMS.items():
        same = same(X)
        np.testing.assert_allclose(kernel(same), kernel(X), rtol=1e-14, atol=1e-14, err_msg=form)
        np.testing.assert_allclose(kernel(same, X[:4]), kernel(X, X[:4]), rtol=1e-14, atol=1e-14, err_msg=form)
        np.testing.assert_allclose(kernel.diag(same), kernel.diag(X), rtol=1e-14, err_msg=form)
        np.testing.assert_array_equal(np.asarray(same, dtype=float), X, err_msg=form)


@each("kernel", [Linear(), Polynomial(), Gaussian(), Laplacian(), Matern(), 2 * Linear() + Gaussian()])
def test_bad_points_are_refused_by_name(kernel):
    refused(r"X has shape \(3,\); .* write X\[:, None\]", kernel, [1.0, 2.0, 3.0])
    refused(r"Z has shape \(3,\)", kernel, [[1.0]], [1.0, 2.0, 3.0])
    refused("Z contains NaN", kernel, [[1.0]], [[np.nan]])
    refused("X has 2 feature.* and Z has 1", kernel, [[1.0, 2.0]], [[1.0]])
    refused("X contains NaN", kernel.diag, [[np.nan]])
    refused("X contains NaN", kernel.on_points, [[np.nan]])


# ---------------------------------------------------------------- parameters of the constructors


def test_parameters_that_give_no_kernel_are_refused():
    refused("sigma must be positive, got 0; it is a width, in the units of x", Gaussian, 0)
    refused("sigma must be finite", Matern, 1.5, np.nan)
    refused("sigma must be a number, got str", Gaussian, "1", error=TypeError)
    refused("sigma is empty; give one width", Gaussian, [])
    refused(r"sigma\[1\] must be positive, got -2", Gaussian, (1.0, -2.0))
    refused("nu must be positive", Matern, 0)
    refused("nu must be finite", Matern, np.nan)
    refused(r"nu must be at most 40, or np\.inf for the Gaussian, got 40\.5", Matern, 40.5)
    refused("gamma must be positive, got 0; a negative scale", Polynomial, gamma=0)
    refused("coef0 must be at least 0, got -1; a negative offset", Polynomial, coef0=-1)
    refused("degree must be at least 1", Polynomial, degree=0)
    refused("degree must be an integer, got float 1.5", Polynomial, error=TypeError, degree=1.5)
    refused("value must be at least 0, got -1; a negative constant", Constant, -1)


@every_wide_kernel
def test_one_width_for_each_feature_divides_each_coordinate_by_its_own(kernel):
    X, Z = points(6), points(5, seed=1)
    one, several = kernel.with_params(sigma=1.0), [kernel.with_params(sigma=s) for s in (WIDTHS, list(WIDTHS))]
    several.append(kernel.with_params(sigma=np.array(WIDTHS)))
    for one_of_them in several:
        assert one_of_them == several[0]
        np.testing.assert_allclose(one_of_them(X, Z), one(X / WIDTHS, Z / WIDTHS), rtol=1e-13)
    alike = kernel.with_params(sigma=(2.0,) * 3)
    np.testing.assert_allclose(alike(X, Z), kernel.with_params(sigma=2.0)(X, Z), rtol=1e-14)
    refused(r"sigma has 3 widths and the points have 2 feature", several[0], X[:, :2])


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
G, P, L = Gaussian(0.8), Polynomial(degree=3), Laplacian(2.0)


# as it is written -> the same of the matrices of G, P and L
EXPRESSIONS = {
    "G + P": (G + P, lambda g, p, e: g + p),
    "3 * G": (3 * G, lambda g, p, e: 3 * g),
    "np.float64(3) * G": (np.float64(3) * G, lambda g, p, e: 3 * g),
    "G * np.float32(3)": (G * np.float32(3), lambda g, p, e: 3 * g),
    "np.array(3.0) * G": (np.array(3.0) * G, lambda g, p, e: 3 * g),
    "Fraction(1, 2) * G": (Fraction(1, 2) * G, lambda g, p, e: g / 2),
    "G + 2": (G + 2, lambda g, p, e: g + 2),
    "2 + G": (2 + G, lambda g, p, e: g + 2),
    "0 * G + P": (0 * G + P, lambda g, p, e: p),
    "G + 0": (G + 0, lambda g, p, e: g),
    "sum([G, P, L])": (sum([G, P, L]), lambda g, p, e: g + p + e),
    "math.prod([G, P, L])": (math.prod([G, P, L]), lambda g, p, e: g * p * e),
    "(G + P) * L": ((G + P) * L, lambda g, p, e: (g + p) * e),
    "G + P * L": (G + P * L, lambda g, p, e: g + p * e),
    "2 * (G + 1) * (3 * L + P)": (2 * (G + 1) * (3 * L + P), lambda g, p, e: 2 * (g + 1) * (3 * e + p)),
}


@each("pair, expression", product([(X5, None), (X5, Z4)], EXPRESSIONS))
def test_expressions_of_kernels_are_the_same_expressions_of_their_matrices(expression, pair):
    kernel, matrix = EXPRESSIONS[expression]
    assert isinstance(kernel, Kernel)
    np.testing.assert_allclose(kernel(*pair), matrix(G(*pair), P(*pair), L(*pair)), rtol=1e-15)
    np.testing.assert_allclose(kernel.diag(X5), kernel(X5).diagonal(), rtol=1e-14)


@each("number", [-1, -0.5, np.float64(-2), np.array(-3.0)])
@each("expression", [lambda c: c * G, lambda c: G * c, lambda c: G + c, lambda c: c + G])
def test_negative_numbers_are_refused_with_the_reason(expression, number):
    refused("negative number the Gram matrix need not be positive semi-definite", expression, number)


def test_differences_and_powers_are_refused_with_the_reason():
    for difference in (lambda: G - P, lambda: G - 1, lambda: 1 - G, lambda: np.float64(1) - G):
        refused("not subtracted: a difference need not be positive semi-definite", difference, error=TypeError)
    refused("-k is not a kernel: its diagonal", lambda: -G, error=TypeError)
    refused(r"k \* k", lambda: Gaussian() ** 2, error=TypeError)


@each("other", ["a", None, True, [1.0], np.ones(3), 1j, Gaussian, lambda X, Z: X @ Z.T])
def test_only_kernels_and_numbers_take_part(other):
    for expression in (lambda: G + other, lambda: other + G, lambda: G * other, lambda: other * G):
        refused("unsupported operand|concatenate|multiply sequence|does not support", expression, error=TypeError)


# ---------------------------------------------------------------- values among values


def test_kernels_are_values():
    assert Gaussian(1) == Gaussian(1.0) == Gaussian(np.float64(1)) != Gaussian(2)
    assert Gaussian(1) != Laplacian(1) and Gaussian(1) + Linear() == Gaussian(1) + Linear()
    assert len({Gaussian(1), Gaussian(1.0), 2 * Gaussian((1, 2)), 2 * Gaussian([1, 2])}) == 2
    with pytest.raises(FrozenInstanceError):
        Gaussian(1).sigma = 2
    assert type(Gaussian(1).sigma) is type(Gaussian(np.float64(1)).sigma) is float


@every_kernel
def test_copies_are_equal_and_compute_the_same_and_clone_is_content(kernel):
    X = takes(kernel).sample(5)
    for same in (copy.copy(kernel), copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel)), sklearn.clone(kernel)):
        # a given matrix is no value: two are equal only if they are one
        assert (same == kernel or type(kernel) is Precomputed) and type(same) is type(kernel)
        np.testing.assert_array_equal(same(X), kernel(X))
    # clone compares by identity what the constructor was given and what it keeps
    params = kernel.get_params(deep=False)
    again = type(kernel)(**params).get_params(deep=False)
    assert list(params) == list(again) and all(params[key] is again[key] for key in params)


def test_parameters_of_parts_are_reached_by_their_path():
    kernel = 3 * Gaussian(2) + Polynomial(degree=3)
    params = kernel.get_params()
    own = {"left": 3 * Gaussian(2), "left__left": Constant(3), "left__left__value": 3.0, "left__right": Gaussian(2)}
    own |= {"left__right__sigma": 2.0, "right": Polynomial(degree=3)}
    own |= {"right__gamma": 1.0, "right__coef0": 1.0, "right__degree": 3}
    assert params == own
    assert kernel.get_params(deep=False) == {"left": 3 * Gaussian(2), "right": Polynomial(degree=3)}
    changed = kernel.with_params(left__right__sigma=5, left__left__value=2, right__degree=1)
    assert changed == 2 * Gaussian(5) + Polynomial(degree=1)
    assert kernel == 3 * Gaussian(2) + Polynomial(degree=3)  # as it was
    assert kernel.with_params(right=Linear(), left__right=Linear()) == 3 * Linear() + Linear()
    assert kernel.with_params(right=Gaussian(1), right__sigma=7) == 3 * Gaussian(2) + Gaussian(7)
    assert Gaussian(1).with_params(sigma=(1, 2)) == Gaussian((1, 2)) and Gaussian(1).with_params() == Gaussian(1)


def test_parameters_that_are_not_there_are_refused_by_name():
    refused("Gaussian has no parameter 'gamma'; it has sigma", Gaussian(1.0).with_params, gamma=1)
    refused("Gaussian has no parameter 'gamma'; it has sigma", Gaussian(1.0).with_params, gamma__x=1)
    refused("sigma of Gaussian has no parameter 'x': it is 1.0", Gaussian(1.0).with_params, sigma__x=1)
    refused("sigma must be positive", Gaussian(1.0).with_params, sigma=-1)


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


def test_what_a_function_returns_is_checked():
    refused(r"returned shape \(4, 5\) for 5 and 4 points; expected \(5, 4\)", gram, lambda X, Z: Z @ X.T, X5, Z4)
    refused(r"returned shape \(5,\) for 5 and 5 points; expected \(5, 5\)", gram, lambda X, Z: X @ Z[0], X5)
    refused(r"the kernel returned shape \(\) for 5 and 5 points", gram, lambda X, Z: None, X5)
    refused(r"kernel\(X, X\) is not symmetric: max .* = 4", gram, lambda X, Z: X @ Z.T + np.arange(5.0), X5)
    refused(r"kernel\(X, X\) contains NaN", gram, lambda X, Z: X @ Z.T * np.nan, X5)
    refused(r"kernel\(X, Z\) contains NaN", gram, lambda X, Z: X @ Z.T * np.nan, X5, Z4)
    refused(r"kernel\(X, Z\) is complex", gram, lambda X, Z: X @ Z.T + 1j, X5, Z4)


# six cases that tell the known wrong answers to exercise 2.3 apart
TELLING = [
    ([[1, -0.5], [-0.5, 1]], True),
    ([[1, 2], [2, 1]], False),
    ([[1, 1], [1, 1]], True),
    ([[-1, 0], [0, -1]], False),
    ([[1, 1], [-1, 1]], False),
    ([[1e-17, 0], [0, 1]], True),
]


@each("scale", [1e-200, 1.0, 1e200])
@each(("K", "answer"), TELLING)
def test_is_psd_answers_six_telling_cases_at_any_scale(K, answer, scale):
    verdict = is_psd(scale * np.array(K))
    assert verdict is answer


def test_the_tolerance_of_is_psd_is_relative_to_the_largest_entry_and_no_matrix_is_refused():
    K = np.diag([5.0, -5e-8])
    assert not is_psd(K) and is_psd(K, tol=1.1e-8) and not is_psd(K, tol=0.9e-8)
    assert is_psd([[-1e-11]]) is False  # one entry: it is the largest itself
    assert is_psd(np.zeros((3, 3))) is True
    for bad in ([1.0], [[1.0, 2.0]], [[np.nan]], np.zeros((0, 0))):
        refused("^K ", is_psd, bad)


# ---------------------------------------------------------------- kernels of minima, given matrices, features


def test_kernels_of_minima_are_covariances_of_steps_and_take_no_negative_entries():
    t = np.array([[0.3], [0.0], [2.0], [0.7]])
    steps = np.tril(np.ones((20, 20)))  # B at 0.1, 0.2, … 2.0 is a sum of steps of variance 0.1
    covariance = 0.1 * steps @ steps.T
    np.testing.assert_allclose(Brownian()(t[[0, 2, 3]]), covariance[np.ix_([2, 19, 6], [2, 19, 6])], rtol=1e-12)
    assert Brownian().diag(t).tolist() == [0.3, 0.0, 2.0, 0.7]
    refused("X has 2 features; Brownian compares times", Brownian(), [[0.0, 1.0]])
    refused("negative entries .*Brownian", Brownian(), [[-0.1]])
    with pytest.raises(ValueError, match=r"Z has negative entries \(.* -1\).*HistogramIntersection"):
        HistogramIntersection()(AMOUNTS.sample(6), [[-1.0, 0.0, 0.0]])


@each("scale", [1e308, 1e160, 1e-160, 1e-310])
@each("kernel", [k for row in KERNELS.values() for k in row.examples or ()])
def test_values_at_points_of_any_size_are_numbers_or_refused(kernel, scale):
    A = np.clip(np.random.default_rng(1).standard_normal((5, 2)), -1, 1)
    A = np.abs(A) if isinstance(kernel, HistogramIntersection) else A
    with contextlib.suppress(ValueError, TypeError):
        for K in (kernel(scale * A), kernel(scale * A, A), kernel(A, scale * A), kernel.diag(scale * A)):
            assert np.isfinite(K).all()


def test_far_from_zero_a_period_is_still_a_period():
    near = np.array([[0.25], [0.5], [0.875]])
    np.testing.assert_array_equal(Periodic(1.0, 0.5)(near + 1e9), Periodic(1.0, 0.5)(near))


def test_a_given_gram_matrix_is_asked_by_row_number():
    K = Linear()(points(5))
    kernel, i, j = Precomputed(given := K.copy()), np.array([[3], [0]]), [[4], [4], [1]]
    given[:] = 7.0  # it is the caller's
    np.testing.assert_array_equal(kernel(i, j), K[[3, 0]][:, [4, 4, 1]])
    np.testing.assert_array_equal(kernel(i), K[[3, 0]][:, [3, 0]])
    np.testing.assert_array_equal(kernel.diag(j), K.diagonal()[[4, 4, 1]])
    np.testing.assert_array_equal((2 * kernel + 1)(i, j), 2 * kernel(i, j) + 1)
    for bad in ([[5]], [[-1]], [[0.5]], [[0, 1]]):
        refused(r"X must hold row numbers of K, whole numbers 0…4 .*np.arange\(5\)", kernel, bad)
    refused("not symmetric", Precomputed, [[1.0, 2.0], [0.0, 1.0]])
    nearly = K.copy()
    nearly[0, 1] *= 1 + 1e-12
    np.testing.assert_array_equal(Precomputed(nearly)(i), Precomputed(nearly)(i).T)


def test_how_many_features_a_polynomial_has():
    X = points(1, d=64)
    assert Polynomial(degree=3).features(X).shape == (1, 47905)
    assert math.comb(67, 3) == 47905
    assert Polynomial(degree=2, coef0=0.0).features(X).shape == (1, math.comb(65, 2))
    refused(r"about 2.52e\+12 features for d = 784 and degree 5", Polynomial(degree=5).features, points(1, d=784))
    refused("weights overflow for degree 1100; use the kernel", Polynomial(degree=1100).features, [[0.5]])
    refused("Gaussian has no finite feature map", Gaussian().features, X)


def test_distances_between_features_need_the_kernel_only():
    X, Z = points(6), points(4, seed=1)
    kernel = Polynomial(gamma=0.5, coef0=0.3, degree=3)
    A, B = kernel.features(X), kernel.features(Z)
    expected = np.linalg.norm(A[:, None] - B, axis=2)
    np.testing.assert_allclose(feature_distance(kernel, X, Z), expected, rtol=1e-10)
    np.testing.assert_allclose(feature_distance(lambda X, Z: kernel(X, Z), X, Z), expected, rtol=1e-10)
    own = feature_distance(kernel, X)
    assert own.diagonal().tolist() == [0.0] * 6
    np.testing.assert_allclose(own, np.linalg.norm(A[:, None] - A, axis=2), rtol=1e-10)
    refused("a squared distance is -.* not positive semi-definite", feature_distance, Multiquadric(1.0), X)
    np.testing.assert_allclose(gram_diag(kernel, X), gram_diag(lambda X, Z: kernel(X, Z), X), rtol=1e-14)


def test_normalised_points_need_a_length():
    X = points(5)
    K = Normalized(Linear())(X)
    assert K.diagonal().tolist() == [1.0] * 5 and np.abs(K).max() <= 1 + 1e-15
    np.testing.assert_array_equal(K, K.T)
    with pytest.raises(ValueError, match=r"Z\[1\] has k\(x, x\) = 0, so it has no direction"):
        Normalized(Linear())(X, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    refused("kernel must be a Kernel", Normalized, lambda X, Z: X @ Z.T, error=TypeError)
    assert Normalized(Gaussian(2.0)).with_params(kernel__sigma=3.0) == Normalized(Gaussian(3.0))


@every_kernel
def test_a_kernel_is_as_definite_as_it_says(kernel):
    if not parts(kernel):
        assert kernel.definiteness == row(kernel).definiteness
    assert (kernel.definiteness == PSD) == holds("definiteness", kernel, PSD)
    X = takes(kernel).sample(12) if not takes(kernel).real else 3 * takes(kernel).sample(12)
    K = kernel(X)
    eigenvalues = np.linalg.eigvalsh(K)
    if kernel.definiteness == PSD:
        assert (kernel.definiteness_sign, kernel.definiteness_order) == (1, 0)
        assert is_psd(K) and is_psd(kernel([*X, *X[::-1]]))
        return
    assert eigenvalues[0] < -1e-3 * eigenvalues[-1]
    if kernel.definiteness_sign:  # on the weights that sum all polynomials below its order to 0
        polynomials = np.column_stack([np.ones((12, 1)), X])[:, : 1 if kernel.definiteness_order == 1 else None]
        assert kernel.definiteness_order in (1, 2)
        basis = np.linalg.svd(polynomials.T)[2][polynomials.shape[1] :]
        assert (kernel.definiteness_sign * np.linalg.eigvalsh(basis @ K @ basis.T)).min() > 0


def test_a_thin_plate_alone_may_be_singular():
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
        (k.definiteness_sign, k.definiteness_order)
        for k in (Gaussian(), Multiquadric(), 2 * ThinPlate(), Sigmoid(), ThinPlate() * Linear())
    ]
    assert orders == [(1, 0), (-1, 1), (1, 2), (0, 0), (0, 0)]


A, B, C = Gaussian(1 / 3), Laplacian(math.pi), Periodic(0.1 + 0.2, 2.0)


PRINTED = [
    math.pi * A, 1e-7 / 3 * A + 1 / 7, 123456789.0 * A + 2, A + B + C, A + (B + C), A * B * C, A * (B * C), 2 * A * B,
    2 * (3 * (A * B)), (A + B) * (B + 1e22) * C, Constant(2.0) + Constant(3.0), Constant(2.0) * Constant(3.0) * A,
    Constant(0.0) + A, Sum(A, Constant(0.0)), Product(Constant(0.0), A), Normalized(0.1 * A + 3),
    (3 * A + B).with_theta(np.array([0.1, -1.7, 2.3])),
]  # fmt: skip


@each("kernel", PRINTED)
def test_a_kernel_is_read_as_it_is_printed(kernel):
    names = {cls.__name__: cls for cls in (Constant, Gaussian, Laplacian, Normalized, Periodic)}
    assert eval(repr(kernel), names) == kernel


INNER = [
    Linear(), Polynomial(0.3, 0.5, 3), Sigmoid(0.2, -0.1), Laplacian(2.0), Matern(1.5, 2.0), Matern(0.7, 3.0),
]  # fmt: skip


@each("n, kernel", product([1, 2, 64, 65, 300], [*INNER, Laplacian((1.0, 2.0, 0.5)), Matern(0.5), Matern(2.5)]))
def test_strips_and_pairs_change_no_value_and_keep_the_symmetry(kernel, n):
    X = 10 * np.random.default_rng(n).standard_normal((n, 3)) + 5
    X[n // 2] = X[0]
    K = kernel(X)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K, kernel(X, X.copy()), rtol=1e-12, atol=1e-13 * np.abs(K).max())
    np.testing.assert_allclose(K.diagonal(), kernel.diag(X), rtol=1e-13)
    assert K[0, n // 2] == pytest.approx(K[0, 0], rel=1e-13)


@each("kernel, far", product([Gaussian(2.0), Gaussian((1.0, 5.0, 0.5)), RationalQuadratic(2.0, 0.7)], [0.0, 1e6]))
def test_a_few_rows_are_the_same_as_among_many(kernel, far):
    rng = np.random.default_rng(0)
    Z, X = rng.standard_normal((200, 3)) + far, rng.standard_normal((50, 3)) + far
    many = kernel(X, Z)
    for q in range(1, 7):
        np.testing.assert_allclose(kernel(X[:q], Z), many[:q], rtol=1e-9, atol=1e-14)
        np.testing.assert_allclose(kernel(Z, X[:q]), many[:q].T, rtol=1e-9, atol=1e-14)
