"""kcourse.base.validation: what is right comes through unchanged, what is not gets a sentence that helps."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from kcourse.base.validation import (
    check_gram,
    check_kernel,
    check_labels,
    check_number,
    check_points,
    check_positive,
    check_rng,
    check_same_length,
    check_targets,
)
from kcourse.kernels import Gaussian
from tests.rows import each
from tests.unit.refused import refused

POINTS = np.array([[0.0, 1.0], [2.0, -3.0], [0.5, 0.25]])
NAN, INF = np.nan, np.inf


def targets(y, name="y"):
    return check_targets(y, 3, name)


def gram_of(K, name="K"):
    return check_gram(K, name)


SAME_POINTS = {
    "a list": POINTS.tolist(),
    "a tuple of tuples": tuple(map(tuple, POINTS.tolist())),
    "Fortran order": np.asfortranarray(POINTS),
    "every second row": np.repeat(POINTS, 2, axis=0)[::2],
    "backwards": POINTS[::-1].copy()[::-1],
    "read-only": np.frombuffer(POINTS.tobytes()).reshape(POINTS.shape),
    "single precision": POINTS.astype(np.float32),
    "objects": POINTS.astype(object),
    "a data frame": pd.DataFrame(POINTS, columns=["a", "b"]),
    "a masked array without a mask": np.ma.array(POINTS),
}


@each("form", SAME_POINTS)
def test_points_in_any_form_become_the_same_float64_array(form):
    X = check_points(SAME_POINTS[form])
    assert type(X) is np.ndarray and X.dtype == np.float64 and X.flags.c_contiguous
    np.testing.assert_array_equal(X, POINTS)


@pytest.mark.parametrize("dtype", [int, np.int8, np.uint16, bool, np.float16])
def test_points_of_any_real_type_become_float64(dtype):
    X = check_points(np.array([[0, 1], [1, 0]], dtype=dtype))
    assert X.dtype == np.float64
    np.testing.assert_array_equal(X, [[0.0, 1.0], [1.0, 0.0]])


def test_an_array_that_is_right_is_not_copied_and_targets_have_one_column_or_several():
    assert check_points(POINTS) is POINTS
    assert check_targets(POINTS, 3) is POINTS
    K = np.eye(3)
    assert check_gram(K) is K
    assert targets([1, 2, 3]).tolist() == [1.0, 2.0, 3.0]
    assert targets(pd.Series([1, 2, 3])).shape == (3,)
    assert targets([[1], [2], [3]]).shape == (3, 1)
    assert targets(POINTS).shape == (3, 2)


def test_sums_that_overflow_do_not_make_finite_numbers_bad():
    huge = np.full((3, 2), 1e308)  # each is finite, their sum is not
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(check_points(huge), huge)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.float64(2), np.int8(2), np.array(2.0), Fraction(2)])
def test_every_kind_of_real_number_becomes_a_float(value):
    for check in (check_number, check_positive):
        number = check(value, "lam")
        assert type(number) is float and number == 2.0


def test_a_float_stays_the_same_object_because_clone_compares_by_identity():
    value = 0.1 + 0.2
    assert check_number(value, "sigma") is value and check_positive(value, "sigma") is value


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3), np.array(3)])
def test_integers_become_int(value):
    number = check_number(value, "p", integer=True)
    assert type(number) is int and number == 3


def test_bounds_are_inclusive():
    assert check_number(0, "v", at_least=0) == 0.0
    assert check_number(1, "p", at_least=1, integer=True) == 1


def test_a_seed_gives_its_generator_and_a_generator_goes_on():
    expected = np.random.default_rng(7).uniform(size=3)
    for seed in (7, np.int64(7)):
        np.testing.assert_array_equal(check_rng(seed).uniform(size=3), expected)
    rng = np.random.default_rng(0)
    assert check_rng(rng) is rng


def test_kernels_and_functions_are_kernels():
    def kernel(X, Z):
        return X @ Z.T

    for k in (Gaussian(), kernel):
        assert check_kernel(k) is k


def test_gram_matrices_may_be_asymmetric_by_rounding_only():
    K = np.array([[2.0, 1.0], [1.0 + 1e-12, 2.0]])
    np.testing.assert_array_equal(check_gram(K), K)
    refused("not symmetric", check_gram, K + [[0, 0], [1e-6, 0]])
    for scale in (1e-100, 1e100):  # what counts as rounding is relative
        check_gram(scale * K)
        refused("not symmetric", check_gram, scale * np.array([[2.0, 1.0], [1.1, 2.0]]))


REFUSED = {
    "X is a vector": (lambda: check_points([1.0, 2.0, 3.0]), ValueError, ["X has shape (3,)",
     "for one feature per point write X[:, None]", "one point with 3 features X[None, :]"]),
    "X is a number": (lambda: check_points(5.0), ValueError, ["X has shape ()", "expected (n, d)"]),
    "X has rank 3": (lambda: check_points(np.zeros((2, 3, 4))), ValueError, ["X has shape (2, 3, 4)", "(n, d)"]),
    "X has no rows": (lambda: check_points(np.zeros((0, 2))), ValueError, ["X is empty", "shape=(0, 2)"]),
    "X has no columns": (lambda: check_points(np.zeros((2, 0))), ValueError, ["X has 0 feature(s)", "(2, 0)"]),
    "X is ragged": (lambda: check_points([[1, 2], [3]]), ValueError, ["X cannot be made an array"]),
    "X has another width": (lambda: check_points(POINTS, "Xq", n_features=3), ValueError, ["Xq has shape (3, 2)",
     "expected 3 feature(s)"]),
    "X has a NaN": (lambda: check_points([[0.0, 1.0], [0.0, NAN], [INF, 2.0]]), ValueError,
     ["X contains NaN or infinity", "2 of 6 entries", "first at (1, 1)", "drop those rows or fill them in"]),
    "X has both infinities": (lambda: check_points([[INF], [-INF]]), ValueError, ["X contains NaN", "2 of 2"]),
    "X is complex": (lambda: check_points([[1 + 1j]]), ValueError, ["X is complex", "real part"]),
    "X holds words": (lambda: check_points([["a"], ["b"]]), TypeError, ["X holds <U1 entries", "encode them"]),
    "X holds dates": (lambda: check_points(np.array([["2020-01-01"]], dtype="datetime64[D]")), TypeError,
     ["X holds datetime64[D] entries", "encode them"]),
    "X holds None": (lambda: check_points([[1.0], [None]]), ValueError, ["X contains NaN", "1 of 2", "at (1, 0)"]),
    "X holds a dictionary": (lambda: check_points([[1.0], [{}]]), TypeError, ["X holds entries that are not numbers"]),
    "X holds a word among numbers": (lambda: check_points(np.array([[1.0], ["one"]], dtype=object)), ValueError,
     ["X holds entries that are not numbers", "'one'"]),
    "X is sparse": (lambda: check_points(scipy.sparse.eye(2, format="csr")), TypeError, ["X is a sparse matrix",
     "X.toarray()"]),
    "X is masked": (lambda: check_points(np.ma.array([[1.0, 2.0]], mask=[[True, False]])), ValueError,
     ["X has masked entries", "X.filled(value)"]),
    "labels are masked": (lambda: check_labels(np.ma.array([0, 1], mask=[True, False]), 2), ValueError,
     ["y has masked entries", "y.filled(value)"]),
    "labels are ragged": (lambda: check_labels([[0], [1, 2]], 2), ValueError, ["y cannot be made an array"]),
    "a label is huge": (lambda: check_labels([10**400, 1], 2), ValueError, ["y has a label beyond", "number the"]),
    "an integer is huge": (lambda: check_points([[10**400]]), ValueError, ["X has an integer beyond", "scale X down"]),
    "squares of y overflow": (lambda: targets([1e200, 1, 1]), ValueError, ["y has entries beyond", "scale y down"]),
    "y is None": (lambda: targets(None), ValueError, ["requires y to be passed", "target y is None"]),
    "y is short": (lambda: targets([1, 2]), ValueError, ["y has 2 entries and X has 3 rows", "must match"]),
    "y is long": (lambda: targets([[1]] * 4), ValueError, ["y has 4 entries and X has 3 rows"]),
    "y is a number": (lambda: targets(1.0), ValueError, ["y has shape ()", "expected (n,)"]),
    "y has rank 3": (lambda: targets(np.zeros((3, 1, 1))), ValueError, ["y has shape (3, 1, 1)", "(n, t)"]),
    "y has no columns": (lambda: targets(np.zeros((3, 0))), ValueError, ["y has shape (3, 0)", "(n, t)"]),
    "y has a NaN": (lambda: targets([0, NAN, 0]), ValueError, ["y contains NaN", "1 of 3", "first at (1,)"]),
    "y is complex": (lambda: targets([0, 1j, 0]), ValueError, ["y is complex"]),
    "y holds words": (lambda: targets(["a", "b", "c"]), TypeError, ["y holds <U1 entries"]),
    "lengths differ": (lambda: check_same_length(np.zeros(2), 5, "weights", of="K"), ValueError,
     ["weights has 2 entries and K has 5 rows", "one entry of weights for each row"]),
    "K is not square": (lambda: gram_of(np.zeros((2, 3))), ValueError, ["K has shape (2, 3)", "square",
     "pass kernel(X), not kernel(X, Z)"]),
    "K is a vector": (lambda: gram_of([1.0, 2.0]), ValueError, ["K has shape (2,)", "square"]),
    "K is empty": (lambda: gram_of(np.zeros((0, 0))), ValueError, ["K is empty", "(0, 0)"]),
    "K has a NaN": (lambda: gram_of([[1.0, NAN], [NAN, 1.0]]), ValueError, ["K contains NaN", "2 of 4"]),
    "K is not symmetric": (lambda: gram_of([[1.0, 0.5], [0.25, 1.0]]), ValueError, ["K is not symmetric",
     "max |K - Kᵀ| = 0.25", "pass (K + K.T) / 2"]),
    "lam is 0": (lambda: check_positive(0, "lam"), ValueError, ["lam must be positive, got 0."]),
    "lam is negative": (lambda: check_positive(-0.5, "lam", "it multiplies ‖f‖²."), ValueError,
     ["lam must be positive, got -0.5; it multiplies ‖f‖²."]),
    "lam is NaN": (lambda: check_positive(NAN, "lam"), ValueError, ["lam must be finite, got nan"]),
    "lam is infinite": (lambda: check_positive(INF, "lam"), ValueError, ["lam must be finite, got inf"]),
    "lam is a word": (lambda: check_positive("1", "lam"), TypeError, ["lam must be a number, got str '1'"]),
    "lam is None": (lambda: check_positive(None, "lam"), TypeError, ["lam must be a number, got NoneType None"]),
    "lam is True": (lambda: check_positive(True, "lam"), TypeError, ["lam must be a number, got bool True"]),
    "lam is NumPy's True": (lambda: check_number(np.True_, "lam"), TypeError, ["lam must be a number", "bool"]),
    "lam is complex": (lambda: check_number(1 + 0j, "lam"), TypeError, ["lam must be a number, got complex"]),
    "lam is a decimal": (lambda: check_number(Decimal(1), "lam"), TypeError, ["lam must be a number, got Decimal"]),
    "lam is an array": (lambda: check_number(np.ones(2), "lam"), TypeError, ["lam must be a number, got ndarray"]),
    "p is a fraction": (lambda: check_number(2.5, "p", integer=True), TypeError,
     ["p must be an integer, got float 2.5"]),
    "p is too small": (lambda: check_number(0, "p", at_least=1, integer=True, why="it is a degree."), ValueError,
     ["p must be at least 1, got 0; it is a degree."]),
    "rng is None": (lambda: check_rng(None), TypeError, ["rng must be an integer seed", "write rng=0", "NoneType"]),
    "rng is a float": (lambda: check_rng(1.0), TypeError, ["rng must be an integer seed", "float 1.0"]),
    "rng is True": (lambda: check_rng(True), TypeError, ["rng must be an integer seed", "bool"]),
    "rng is of the old kind": (lambda: check_rng(np.random.RandomState(0)), TypeError,
     ["rng must be an integer seed or a numpy Generator"]),
    "rng is negative": (lambda: check_rng(-1), ValueError, ["rng is the seed -1", "start at 0"]),
    "the kernel is a class": (lambda: check_kernel(Gaussian), TypeError, ["kernel is the class Gaussian",
     "such as Gaussian()"]),
    "the kernel is a word": (lambda: check_kernel("rbf"), TypeError,
     ["kernel must be a kernel such as Gaussian(sigma=1.0)", "(X, Z) -> (n, m)", "got str 'rbf'"]),
}  # fmt: skip


@each("case", REFUSED)
def test_the_error_names_the_argument_what_came_and_the_fix(case):
    call, kind, parts = REFUSED[case]
    with pytest.raises(kind) as caught:
        call()
    assert caught.type is kind
    message = str(caught.value)
    assert [part for part in parts if part not in message] == [], message


@each(
    ("check", "bad"),
    [
        *((check_points, bad) for bad in ([1.0], [[]], [[NAN]], [[1j]], [["a"]], [[None]], [[1], [1, 2]])),
        *((targets, bad) for bad in (None, [1.0], 1.0, [NAN, 1, 1], [1j, 1, 1], ["a", "b", "c"])),
        *((gram_of, bad) for bad in ([1.0], [[]], [[NAN]], [[1j]], [[1, 2], [3, 4]])),
        *((check_number, bad) for bad in (None, True, NAN, "1", [1.0])),
        *((check_positive, bad) for bad in (None, True, NAN, "1", [1.0], 0, -1)),
        *((check_rng, bad) for bad in (None, True, -1, 1.5)),
        *((check_kernel, bad) for bad in (None, Gaussian, "rbf")),
    ],
)
def test_every_error_calls_the_argument_by_the_name_it_was_given(check, bad):
    refused("spam", check, bad, "spam", error=(TypeError, ValueError))


def test_labels_are_not_made_alike_and_long_values_are_cut():
    with pytest.raises(TypeError) as caught:
        check_number("x" * 1000, "lam")
    assert len(str(caught.value)) < 100 and "..." in str(caught.value)
    refused("y mixes labels of type int, str", check_labels, ["1", 1, "a"], 3, error=TypeError)
    refused("end in a null character", check_labels, ["a", "a\0", "b"], 3)


@each(
    "y",
    [
        ["a", None, "b"],
        np.array(["a", np.nan, "b"], dtype=object),
        np.array([1, np.float64("nan"), 2], dtype=object),
        pd.Series(["a", pd.NA, "b"], dtype="string"),
        pd.Series(["a", None, "b"]),
        pd.Series([1, pd.NA, 2], dtype=object),
        pd.Series(["a", None, "b"], dtype="category"),
        pd.Series([True, pd.NaT, False], dtype=object),
    ],
)
def test_missing_labels_are_called_missing(y):
    message = r"y has missing values \(None, NaN or NA: 1 of 3 entries, the first at 1\); drop those rows"
    refused(message, check_labels, y, 3)


@pytest.mark.parametrize("dtype", ["Float64", "Int64", "object"])
def test_missing_numbers_are_called_missing(dtype):
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [4, pd.NA, 6]}).astype(dtype)
    refused(r"X (has missing values|contains NaN).*the first at \(1, 1\)", check_points, frame)
    refused("y (has missing values|contains NaN)", check_targets, frame["b"], 3)


def test_what_can_be_read_only_once_is_told_so():
    for check in (check_points, lambda X: check_targets(X, 2, "X"), lambda X: check_labels(X, 2, "X")):
        with pytest.raises(TypeError, match=r"X is a generator, which can be read only once; pass list\(X\)"):
            check(row for row in [[1.0], [2.0]])
    with pytest.raises(TypeError, match=r"y is a sparse matrix; labels must be an array"):
        check_labels(scipy.sparse.csr_matrix([[1], [0]]), 2)
