"""Anchors of chapter 2, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises and its
errata, digit for digit.
"""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from kcourse import Gaussian, Polynomial, Sigmoid
from kcourse.margin import kkt_report

XOR, XOR_Y = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]), np.array([-1, 1, 1, -1])


# ---------------------------------------------------------------- anchors


def test_how_many_features():
    assert comb(67, 3) == 47905 == Polynomial(degree=3).features(np.ones((1, 64))).shape[1]
    assert comb(789, 5) == 2515874132157
    with pytest.raises(ValueError, match=r"about 2.52e\+12 features"):
        Polynomial(degree=5).features(np.ones((1, 784)))


def test_the_gram_matrix_of_three_points():
    K = Gaussian(1.0)([[0.0], [1.0], [2.0]])
    np.testing.assert_allclose(np.linalg.eigvalsh(K), [0.207239, 0.864665, 1.928096], atol=5e-7)
    assert np.linalg.eigvalsh(K)[1] == pytest.approx(1 - np.exp(-2), rel=1e-14)


def test_xor():
    K = Polynomial(degree=2)(XOR)
    np.testing.assert_array_equal(K, 8 * np.eye(4) + 1)
    report = kkt_report(XOR, XOR_Y, np.full(4, 1 / 8), 0.0, kernel=Polynomial(degree=2))
    assert abs(report.gap) < 1e-12 and report.dual_value == pytest.approx(1 / 4, rel=1e-14)  # ½‖w‖² with ‖w‖² = ½
    rng = np.random.default_rng(0)
    Q = rng.standard_normal((5, 2))
    f = Polynomial(degree=2)(Q, XOR) @ (XOR_Y / 8)
    np.testing.assert_allclose(f, -Q[:, 0] * Q[:, 1], atol=1e-14)  # f = -x₁x₂


def test_a_homogeneous_polynomial_is_a_squared_inner_product():
    k = Polynomial(coef0=0.0, degree=2)
    np.testing.assert_array_equal(k([[1.0, 2.0]], [[3.0, -1.0], [3.0, 4.0]]), [[1.0, 121.0]])


def test_basis_functions_seen_from_a_point():
    # k(x, 0) of a polynomial is constant, whatever its degree; seen from elsewhere it is not
    x = np.linspace(-1, 1, 41)[:, None]
    for p in (1, 2, 3):
        assert np.ptp(Polynomial(degree=p)(x, [[0.0]])) == 0
        assert np.ptp(Polynomial(degree=p)(x, [[-0.5]])) > 0.9
    assert np.ptp(Gaussian(0.3)(x, [[0.0]])) > 0.99 and np.ptp(Sigmoid(1.0, 0.5)(x, [[0.0]])) == 0
    assert Gaussian(0.3)(x, [[0.0]]).argmax() == 20  # a bump at the point it is seen from
