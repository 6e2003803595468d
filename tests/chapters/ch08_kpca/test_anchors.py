"""Anchors of chapter 8, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises, what goes
wrong in them, and its errata, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine

from kcourse.kernels import Gaussian, Linear, Sigmoid
from kcourse.kpca import KernelPCA, center, center_rows

WINE = load_wine()
STANDARD = (WINE.data - WINE.data.mean(axis=0)) / WINE.data.std(axis=0)
X4 = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
XQ = np.array([[1.0, 1.0], [4.0, 4.0], [0.0, 3.0]])
KERNEL = Gaussian(sigma=2.0)
K4, KQ = KERNEL(X4), KERNEL(XQ, X4)


# ---------------------------------------------------------------- anchors


def test_three_numbers_with_the_linear_kernel():
    model = KernelPCA(Linear(), n_components=1)
    scores = model.fit_transform([[-1.0], [0.0], [1.0]])
    np.testing.assert_allclose(model.eigenvalues_, [2.0], rtol=1e-14)
    np.testing.assert_allclose(np.abs(scores[:, 0]), [1, 0, 1], atol=1e-14)
    assert scores[0, 0] * scores[2, 0] < 0
    np.testing.assert_allclose(model.explained_variance_ratio_, [1.0], rtol=1e-14)


def test_an_equilateral_triangle():
    triangle = [[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]]
    model = KernelPCA(Gaussian(1.0), n_components=None).fit(triangle)
    assert model.eigenvalues_.tolist() == pytest.approx([0.3934693403, 0.3934693403], abs=5e-11)
    assert 1 - np.exp(-0.5) == pytest.approx(0.3934693403, abs=5e-11)
    spectrum = np.linalg.eigvalsh(center(Gaussian(1.0)(triangle)))
    assert abs(spectrum[0]) < 1e-15


def test_wine_with_the_linear_kernel():
    model = KernelPCA(Linear()).fit(STANDARD)
    assert (model.eigenvalues_ / (178 - 1)).tolist() == pytest.approx([4.73243698, 2.51108093], abs=5e-9)
    assert model.explained_variance_ratio_.tolist() == pytest.approx([0.361988, 0.192075], abs=5e-7)


def test_wine_with_a_gaussian_kernel():
    model = KernelPCA(Gaussian(3.0), n_components=3).fit(STANDARD)
    assert model.eigenvalues_.tolist() == pytest.approx([25.1552, 16.1394, 6.7017], abs=1e-4)


# ---------------------------------------------------------------- misconceptions, with the number that refutes each


def test_a_gaussian_gram_matrix_needs_centring():
    # which points the curriculum took is not recorded: 40 of a plane, σ = 2
    K = Gaussian(2.0)(np.random.default_rng(0).standard_normal((40, 2)))
    first = np.linalg.eigh(K)[1][:, -1]
    constant = np.full(40, 1 / np.sqrt(40))
    assert abs(first @ constant) == pytest.approx(0.987, abs=5e-4)
    np.testing.assert_allclose(np.linalg.eigh(center(K))[1][:, -1] @ constant, 0, atol=1e-14)


def test_rows_of_new_points_need_centring():
    model = KernelPCA(KERNEL, n_components=2).fit(X4)
    as_printed = KQ @ model.dual_coef_  # E22: k(x_i, x) as it is, where K was centred
    right = center_rows(KQ, K4) @ model.dual_coef_
    np.testing.assert_allclose(model.transform(XQ), right, rtol=0, atol=5e-16)
    shift = as_printed - right
    np.testing.assert_allclose(shift, np.tile(shift[0], (3, 1)), atol=1e-15)  # one constant for each axis
    assert np.abs(shift).max() > 0.02
    # and with the means of the new points, a score would depend on the other new points
    assert np.abs(center_rows(KQ[:1], K4) - center_rows(KQ, K4)[:1]).max() < 1e-15


def test_there_are_more_axes_than_features():
    X = np.random.default_rng(0).standard_normal((50, 2))
    assert KernelPCA(Gaussian(0.3), n_components=None).fit(X).eigenvalues_.shape == (49,)


def test_an_eigenvalue_is_n_times_a_variance():
    model = KernelPCA(Gaussian(3.0), n_components=4)
    scores = model.fit_transform(STANDARD)
    np.testing.assert_allclose(scores.var(axis=0), model.eigenvalues_ / 178, rtol=1e-12)
    np.testing.assert_allclose(scores.var(axis=0, ddof=1), model.eigenvalues_ / 177, rtol=1e-12)


def test_ratios_are_of_the_whole_variance():
    model = KernelPCA(KERNEL, n_components=2).fit(X4)
    kept = model.eigenvalues_ / model.eigenvalues_.sum()
    assert kept[0] == pytest.approx(0.581, abs=5e-4)
    assert model.explained_variance_ratio_[0] == pytest.approx(0.484, abs=5e-4)
    # … which does not depend on how many are kept
    one = KernelPCA(KERNEL, n_components=1).fit(X4)
    assert one.explained_variance_ratio_[0] == pytest.approx(model.explained_variance_ratio_[0], rel=1e-14)


def test_the_last_eigenvalue_is_zero():
    # E23: α = b/√λ for every k would divide by λ_n = 0
    spectrum = np.linalg.eigvalsh(center(K4))
    assert abs(spectrum[0]) < 1e-15
    assert KernelPCA(KERNEL, n_components=None).fit(X4).eigenvalues_.shape == (3,)
    with pytest.raises(ValueError, match="rank 3"):
        KernelPCA(KERNEL, n_components=4).fit(X4)


def test_a_sigmoid_kernel_has_negative_variances():
    X = np.random.default_rng(0).standard_normal((40, 3))
    with pytest.raises(ValueError, match="not positive semi-definite"):
        KernelPCA(Sigmoid(), n_components=2).fit(X)


def test_axes_have_unit_norm_and_are_orthogonal():
    # E22b, checks (2) and (3): αᵀKα = 1, αᵀKβ = 0
    model = KernelPCA(Gaussian(3.0), n_components=6).fit(STANDARD)
    np.testing.assert_allclose(model.dual_coef_.T @ Gaussian(3.0)(STANDARD) @ model.dual_coef_, np.eye(6), atol=1e-12)


def test_no_other_direction_has_a_larger_spread():
    # check (1): max αᵀK²α over αᵀKα = 1 is λ_1
    K, rng = center(K4), np.random.default_rng(0)
    largest = KernelPCA(KERNEL, n_components=1).fit(X4).eigenvalues_[0]
    for _ in range(200):
        a = rng.standard_normal(4)
        assert a @ K @ K @ a / (a @ K @ a) <= largest * (1 + 1e-12)


# ---------------------------------------------------------------- what the chapter adds


def digits():
    """A thousand clean digits, and others with fresh noise of standard deviations 2, 4 and 8."""
    data = load_digits().data
    order = np.random.default_rng(0).permutation(len(data))
    clean, rng = data[order[1200:1400]], np.random.default_rng(1)
    return data[order[:1000]], clean, {sd: clean + sd * rng.standard_normal(clean.shape) for sd in (2, 4, 8)}


def test_noise_multiplies_a_row_of_kernels_by_one_factor():
    train, clean, noisy = digits()
    for sd, X in noisy.items():
        shrunk = np.median(Gaussian(30.0)(X, train) / Gaussian(30.0)(clean, train))
        assert shrunk == pytest.approx(np.exp(-64 * sd**2 / (2 * 30.0**2)), rel=0.15)
