"""kcourse.base.linalg: distances in strips; kcourse.base.cholesky: factors with a clear refusal."""

import re
from itertools import product

import numpy as np
import pytest

from kcourse.base.cholesky import cho_inverse, cho_inverse_diag, cho_solve, cho_with_ridge, warn_of_rounding
from kcourse.base.linalg import distances, in_strips, min_eigenvalue, of_half_sq_dists, strips
from tests.rows import each
from tests.unit.refused import refused

SIZES = [1, 2, 3, 255, 256, 257, 513]


def exp(S):
    return np.exp(S, out=S)


def keep(S):
    return S


def half_sq_dists(X, Z):
    """-½‖x - z‖² from its definition."""
    return -0.5 * np.sum((X[:, None, :] - Z[None, :, :]) ** 2, axis=2)


def spd(n):
    """A symmetric matrix with eigenvalues 1 ... 10, not diagonal."""
    Q = np.linalg.qr(np.random.default_rng(n).standard_normal((n, n)))[0]
    K = (Q * np.linspace(1, 10, n)) @ Q.T
    return (K + K.T) / 2


@each(("n", "size"), [(0, 4), (1, 4), (4, 4), (5, 4), (9, 4), (256, 256), (257, 256), (513, 256)])
def test_strips_cover_every_row_once(n, size):
    pieces = list(strips(n, size))
    assert [i for piece in pieces for i in range(n)[piece]] == list(range(n))
    assert all(0 < piece.stop - piece.start <= size for piece in pieces)


@each("shape", [(1, 2), (24, 2), (25, 2), (67,)])
def test_many_rows_are_mapped_in_strips_of_bounded_size(monkeypatch, shape):
    X, sizes = np.random.default_rng(0).standard_normal(shape), []
    monkeypatch.setattr("kcourse.base.linalg._AT_ONCE", 24 * 7)
    result = in_strips(lambda rows: sizes.append(len(rows)) or 2 * rows, X, 7)
    np.testing.assert_array_equal(result, 2 * X)
    assert max(sizes) <= 24 and sum(sizes) == len(X)


@pytest.mark.parametrize("n", SIZES)
def test_square_distances_of_one_set_are_right_symmetric_and_zero_on_the_diagonal(n):
    X = np.random.default_rng(n).standard_normal((n, 3))
    S = of_half_sq_dists(X, None, keep)
    np.testing.assert_allclose(S, half_sq_dists(X, X), rtol=0, atol=1e-13)
    np.testing.assert_array_equal(S, S.T)
    np.testing.assert_array_equal(S.diagonal(), np.zeros(n))
    assert S.max() <= 0 and S.flags.c_contiguous


@each("n, m", product(SIZES, [1, 257]))
def test_square_distances_of_two_sets_are_right(n, m):
    rng = np.random.default_rng(n)
    X, Z = rng.standard_normal((n, 3)), 1 + rng.standard_normal((m, 3))
    S = of_half_sq_dists(X, Z, keep)
    assert S.shape == (n, m)
    np.testing.assert_allclose(S, half_sq_dists(X, Z), rtol=0, atol=1e-13)
    assert S.max() <= 0


@pytest.mark.parametrize("gap", [2.0**6, 2.0**8, 2.0**20, 2.0**40, 1e200])
def test_two_clusters_far_apart_keep_the_small_distances_within_each(gap):
    A = np.random.default_rng(2).integers(-8, 8, (5, 2)) / 8
    X = np.vstack([A, A + gap])
    S = of_half_sq_dists(X, None, exp)
    np.testing.assert_allclose(S[:5, :5], np.exp(half_sq_dists(A, A)), rtol=0, atol=1e-11)
    np.testing.assert_allclose(of_half_sq_dists(A, X, exp), S[:5], rtol=0, atol=1e-11)
    np.testing.assert_array_equal(S[:5, 5:], np.zeros((5, 5)))
    np.testing.assert_array_equal(S, S.T)
    np.testing.assert_array_equal(S.diagonal(), np.ones(10))


@pytest.mark.parametrize("scale", [1.0, 30.0, 100.0])
def test_rounding_makes_no_square_distance_negative(scale):
    X = scale * np.random.default_rng(4).standard_normal((300, 3))
    X[1::2] = X[::2]  # pairs of equal points
    for other in (None, X.copy()):
        S = of_half_sq_dists(X, other, keep)
        assert S.max() <= 0
        np.testing.assert_allclose(S[::2, 1::2].diagonal(), np.zeros(150), rtol=0, atol=1e-14 * max(1, scale**2) * 10)


def test_far_queries_do_not_spoil_near_ones():
    X = np.array([[0.0, 0.0], [1e-3, 0.0]])
    Z = np.array([[1e-3, 1e-3], [1e9, 0.0]])
    np.testing.assert_allclose(of_half_sq_dists(X, Z, keep), half_sq_dists(X, Z), rtol=1e-12)


@pytest.mark.parametrize("squared", [False, True])
def test_distances_are_euclidean_and_exact_near_zero(squared):
    X = np.array([[0.0, 0.0], [3.0, 4.0], [1e-9, 0.0]])
    D = np.array([[0, 5, 1e-9], [5, 0, np.hypot(3 - 1e-9, 4)], [1e-9, np.hypot(3 - 1e-9, 4), 0]])
    np.testing.assert_allclose(distances(X, squared=squared), D**2 if squared else D, rtol=1e-14)
    np.testing.assert_allclose(distances(X, X[:2], squared=squared), (D**2 if squared else D)[:, :2], rtol=1e-14)


@each("n, lam", product([1, 2, 7, 100], [1e-3, 2.5]))
def test_the_factor_is_that_of_k_plus_lam_i_made_in_the_memory_of_k(n, lam):
    K = spd(n)
    A = K + lam * np.eye(n)
    L = cho_with_ridge(K, lam)
    assert np.shares_memory(L, K)
    lower = np.tril(L)
    np.testing.assert_allclose(lower @ lower.T, A, rtol=0, atol=1e-13)
    assert (lower.diagonal() > 0).all()


def test_only_the_upper_triangle_is_read():
    K, lam = spd(6), 0.5
    A = K + lam * np.eye(6)
    K[np.tril_indices(6, -1)] = np.nan
    lower = np.tril(cho_with_ridge(K, lam))
    np.testing.assert_allclose(lower @ lower.T, A, rtol=0, atol=1e-13)


@pytest.mark.parametrize("shape, order", list(product([(7,), (7, 1), (7, 3)], ["C", "F"])))
def test_solving_keeps_the_shape_and_the_right_hand_side(shape, order):
    A = spd(7) + 0.5 * np.eye(7)
    L = cho_with_ridge(spd(7), 0.5)
    B = np.asarray(np.random.default_rng(0).standard_normal(shape), order=order)
    before = B.copy()
    solution = cho_solve(L, B)
    assert solution.shape == shape
    np.testing.assert_allclose(A @ solution, B, rtol=0, atol=1e-13)
    np.testing.assert_array_equal(B, before)


def test_the_diagonal_of_the_inverse_leaves_the_factor_alone():
    L = cho_with_ridge(spd(7), 0.5)
    before = L.copy()
    expected = np.linalg.inv(spd(7) + 0.5 * np.eye(7)).diagonal()
    for _ in range(2):
        np.testing.assert_allclose(cho_inverse_diag(L), expected, rtol=1e-13)
    np.testing.assert_array_equal(L, before)


def test_the_inverse_is_symmetric_and_leaves_the_factor_alone():
    L = cho_with_ridge(spd(7), 0.5)
    before, inverse = L.copy(), cho_inverse(L)
    np.testing.assert_allclose(inverse, np.linalg.inv(spd(7) + 0.5 * np.eye(7)), rtol=0, atol=1e-14)
    np.testing.assert_array_equal(inverse, inverse.T)
    np.testing.assert_array_equal(L, before)


def test_the_smallest_eigenvalue_is_found():
    assert min_eigenvalue(spd(9)) == pytest.approx(1.0, rel=1e-13)
    assert min_eigenvalue(np.array([[1.0, 2.0], [2.0, 1.0]])) == pytest.approx(-1.0)
    assert min_eigenvalue(np.array([[-3.0]])) == -3.0


@pytest.mark.parametrize("n", [2, 5, 40])
def test_an_indefinite_matrix_is_refused_with_its_smallest_eigenvalue_and_the_remedy(n):
    K = spd(n) - 4 * np.eye(n)  # eigenvalues -3 ... 6
    with pytest.raises(ValueError) as caught:
        cho_with_ridge(K.copy(), 0.25)
    message = str(caught.value)
    assert "the Gram matrix K plus lam = 0.25 times the identity is not positive definite" in message
    assert "smallest eigenvalue of the Gram matrix K is -3." in message
    assert "not positive semi-definite on these points" in message and "lam larger than 3 " in message
    cho_with_ridge(K, 3 * 1.001)  # the remedy works


def test_the_error_calls_the_matrix_by_its_name():
    refused(r"^K_mm plus lam .* eigenvalue of K_mm is -1\.", cho_with_ridge, -np.eye(2), 0.5, name="K_mm")


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("by", [-4e-16, 4e-16])  # of the first pivot left: negative, or positive by chance
def test_a_singular_matrix_is_refused_as_rounding_and_the_lam_named_suffices(scale, by):
    K = scale * np.ones((50, 50))
    K[0, 0] += by * scale
    with pytest.raises(ValueError, match="0 up to rounding") as caught:
        cho_with_ridge(K.copy(), 1e-30 * scale)
    lam = float(re.search(r"take lam of at least (\S+)\.$", str(caught.value))[1])
    assert 0 < lam <= 1e-9 * scale
    y = np.array([1.0, *[-1.0] * 49])
    warn_of_rounding(cho_solve(cho_with_ridge(K.copy(), lam), y), y, K.diagonal(), "lam")


def test_a_small_diagonal_entry_is_not_rounding_of_a_large_one():
    cho_with_ridge(np.diag([1.0, 1e-25]), 1e-30)


@pytest.mark.parametrize("t", [None, 2])
def test_lost_digits_of_the_fitted_values_are_told_with_a_lam_that_suffices(t):
    K, lam = np.ones((3, 3)), 1e-13
    y = np.array([1.0, 1.0, -2.0]) if t is None else np.array([[1.0, 0.0], [1.0, 0.0], [-2.0, 0.0]])  # orthogonal to 1

    def solve(lam):
        warn_of_rounding(cho_solve(cho_with_ridge(K.copy(), lam), y), y, K.diagonal(), "lam")

    with pytest.warns(UserWarning, match="take lam of at least") as told:
        solve(lam)
    solve(float(re.search(r"at least (\S+)\.$", str(told[0].message))[1]))  # a warning is an error in tests


@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_a_kernel_that_overflows_is_refused(bad):
    K = np.array([[1.0, 0.0], [0.0, bad]])
    refused("overflows on these points; scale X down", cho_with_ridge, K, 1.0)
