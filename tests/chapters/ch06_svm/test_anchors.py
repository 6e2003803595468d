"""Anchors of chapter 6, exact machines, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises, what goes
wrong in them, and its errata, digit for digit. Online learning has its own, in `ch06b_svr_online`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.svm import LinearSVC

from kcourse.datasets import make_sinc
from kcourse.dual import UnboundedDualError, solve_dual
from kcourse.kernels import Gaussian, Linear, Polynomial, gram
from kcourse.svm import SVC, SVR, smo, svm_qp

X4, Y4 = np.arange(4.0)[:, None], np.array([-1, -1, 1, 1])
_CANCER = load_breast_cancer()
CANCER = (_CANCER.data - _CANCER.data.mean(axis=0)) / _CANCER.data.std(axis=0)
LABEL = np.where(_CANCER.target == 1, 1, -1)
SIGMA = np.sqrt(15.0)  # γ = 1/30 = 1/(2σ²)


@cache
def cancer(C=1.0):
    return SVC(Gaussian(SIGMA), C=C, tol=1e-8).fit(CANCER, LABEL)


def primal(w, b, X, y, C):
    """½‖w‖² + C Σ(1 - y f)₊, from the definition."""
    return 0.5 * np.dot(w, w) + C * np.maximum(0, 1 - np.asarray(y) * (np.asarray(X) @ w + b)).sum()


def weight(model):
    return (model.dual_coef_ @ X4).item()


# ---------------------------------------------------------------- anchors: four points on a line


def test_four_points_small_C_leaves_the_bias_open():
    model = SVC(Linear(), C=0.1, tol=1e-9).fit(X4, Y4)
    assert weight(model) == pytest.approx(0.4) and model.multipliers_.tolist() == [0.1] * 4
    assert model.primal_objective_ == pytest.approx(0.32) == model.dual_objective_
    assert model.bias_interval_ == pytest.approx((-1.0, -0.2))
    for b in (-1.0, -0.6, -0.2):
        assert primal([0.4], b, X4, Y4, 0.1) == pytest.approx(0.32)


@pytest.mark.parametrize(
    ("C", "w", "b", "alpha", "value"),
    [
        (0.5, 2 / 3, -1.0, [1 / 18, 0.5, 0.5, 1 / 18], 8 / 9),
        (2.0, 2.0, -3.0, [0.0, 2.0, 2.0, 0.0], 2.0),
        (50.0, 2.0, -3.0, [0.0, 2.0, 2.0, 0.0], 2.0),
    ],
)
def test_four_points_larger_C(C, w, b, alpha, value):
    model = SVC(Linear(), C=C, tol=1e-10).fit(X4, Y4)
    assert weight(model) == pytest.approx(w) and model.primal_objective_ == pytest.approx(value)
    np.testing.assert_allclose(model.multipliers_, alpha, atol=1e-9)
    low, high = model.bias_interval_
    assert low - 1e-9 <= b <= high + 1e-9


def test_four_points_C_1():
    model = SVC(Linear(), C=1.0, tol=1e-10).fit(X4, Y4)
    assert weight(model) == pytest.approx(1.0) and model.primal_objective_ == pytest.approx(1.5)


# ---------------------------------------------------------------- anchors: breast cancer, XOR, the tube


def test_breast_cancer():
    model = cancer()
    assert len(model.support_) == 119 and np.sum(model.multipliers_ == 1.0) == 62
    assert model.norm2_ == pytest.approx(60.3687, abs=5e-5)
    assert model.intercept_ == pytest.approx(-0.235367, abs=5e-7)
    assert model.primal_objective_ == pytest.approx(59.761346, abs=1e-6)
    assert model.dual_objective_ == pytest.approx(59.761345, abs=1e-6)
    assert abs(model.primal_objective_ - model.dual_objective_) < 1e-6


def test_xor():
    X, y = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]]), np.array([-1, 1, 1, -1])
    model = SVC(Polynomial(gamma=1.0, coef0=1.0, degree=2), C=10.0, tol=1e-10).fit(X, y)
    np.testing.assert_allclose(model.multipliers_, 1 / 8, atol=1e-12)
    assert model.norm2_ == pytest.approx(0.5) and model.score(X, y) == 1.0


def test_the_flattest_line_in_the_tube():
    x, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    model = SVR(Linear(), C=10.0, epsilon=0.5, tol=1e-10).fit(x, y)
    assert (model.dual_coef_ @ x).item() == pytest.approx(0.5) and model.intercept_ == pytest.approx(0.5)
    for epsilon in (0.1, 0.3, 0.8):  # w = (2 - 2ε)/2
        other = SVR(Linear(), C=10.0, epsilon=epsilon, tol=1e-10).fit(x, y)
        assert (other.dual_coef_ @ x).item() == pytest.approx((2 - 2 * epsilon) / 2)


# ---------------------------------------------------------------- exercises: canonical inputs, right answers


def test_exercise_6_1_the_primal():
    assert primal([0.8], -1.5, X4, Y4, 0.5) == pytest.approx(0.97)
    # what the machine finds is better
    assert SVC(Linear(), C=0.5).fit(X4, Y4).primal_objective_ == pytest.approx(8 / 9, abs=1e-3) and 8 / 9 < 0.97


def test_exercise_6_2_the_bias():
    X, y = np.array([[-1.5], [0], [1], [2], [3.5], [1.2]]), np.array([-1, -1, -1, 1, 1, 1])
    model = SVC(Linear(), C=0.8, tol=1e-12).fit(X, y)
    free = (model.multipliers_ > 0) & (model.multipliers_ < 0.8)
    b = y[free] - X[free] @ (X.T @ model.dual_coef_)
    assert np.mean(b) == pytest.approx(-1.0) and model.intercept_ == pytest.approx(-1.0)
    bounded = model.multipliers_ == 0.8
    assert np.mean((y - X @ (X.T @ model.dual_coef_))[bounded]) == pytest.approx(-1.1)  # the catalogued mistakes
    assert np.mean((y - X @ (X.T @ model.dual_coef_))[model.support_]) == pytest.approx(-1.05)


# ---------------------------------------------------------------- misconceptions (3.2), with the number that refutes


@pytest.mark.parametrize("C", [1.0, 1e3])
def test_misconception_4_a_huge_C_makes_no_error(C):
    y = np.array([-1, 1, -1, 1])
    assert SVC(Linear(), C=C).fit(X4, y).score(X4, y) == 0.5
    box = np.where(y > 0, [[0.0], [np.inf]], [[-np.inf], [0.0]])
    with pytest.raises(UnboundedDualError):
        solve_dual(gram(Linear(), X4), y, *box)


def test_misconception_6_a_penalised_bias_is_another_machine():
    # LinearSVC penalises b too, that is, it is an SVM without b on points with one more coordinate
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 2))
    y = np.where(X[:, 0] - 0.3 * X[:, 1] + 0.5 * rng.standard_normal(200) > 0.5, 1, -1)
    X += 100
    free = SVC(Linear(), C=1.0).fit(X, y)
    moved = SVC(Linear(), C=1.0).fit(X - 100, y)
    np.testing.assert_allclose(free.predict(X), moved.predict(X - 100))  # b takes up the shift
    penalised = LinearSVC(C=1.0, dual=False).fit(X, y)
    assert free.score(X, y) > penalised.score(X, y) + 0.05
    # not the squared hinge is at fault: without the shift it does as well
    assert LinearSVC(C=1.0, dual=False).fit(X - 100, y).score(X - 100, y) >= moved.score(X - 100, y)


@pytest.mark.parametrize(("epsilon", "count"), [(0.0, 30), (0.05, 21), (0.1, 16), (0.2, 9), (0.4, 4), (0.8, 0)])
def test_misconception_7_a_wider_tube_has_more_support_vectors(epsilon, count):
    X, y = make_sinc(rng=0, return_X_y=True)
    assert len(SVR(Gaussian(0.5), C=1.0, epsilon=epsilon, tol=1e-7).fit(X, y).support_) == count


def test_misconception_9_the_fraction_of_support_vectors_is_above_its_limit_and_falls():
    # labels turned with probability R: the limit is 2R
    R, excess = 0.1, []
    for n in (300, 1000, 3000):
        rng = np.random.default_rng(0)
        X = rng.uniform(-1, 1, (n, 2))
        y = np.where(X[:, 0] > 0, 1, -1) * np.where(rng.random(n) < R, -1, 1)
        excess.append(len(SVC(Gaussian(0.5), C=1.0).fit(X, y).support_) / n - 2 * R)
    assert excess[0] > excess[1] > excess[2] > 0


# ---------------------------------------------------------------- errata


def test_e10_the_printed_loss_rewards_errors():
    def printed(w, b):
        return 0.5 * w**2 + np.maximum(0, Y4 * (X4[:, 0] * w + b) - 1).sum()

    assert printed(0.0, 0.0) == 0.0  # its least value, for a machine that says nothing
    assert np.maximum(0, 3 - 1) == 2 and np.maximum(0, -3 - 1) == 0  # y f = 3 costs, y f = -3 does not
    assert primal([0.0], 0.0, X4, Y4, 1.0) == 4.0 and primal([2.0], -3.0, X4, Y4, 1.0) == 2.0
    forty = np.tile(Y4, 10)
    assert primal([0.0], 0.0, np.tile(X4, (10, 1)), forty, 1.0) == 40.0


def test_e11_without_the_half_C_is_doubled():
    # min ‖w‖² + C' Σξ is min ½‖w‖² + (C'/2) Σξ
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2))
    y = np.where(X[:, 0] + 0.5 * rng.standard_normal(40) > 0, 1, -1)
    half = SVC(Linear(), C=0.5, tol=1e-9).fit(X, y)
    w, b = X.T @ half.dual_coef_, half.intercept_

    def without_half(w, b):
        return w @ w + 1.0 * np.maximum(0, 1 - y * (X @ w + b)).sum()

    assert without_half(w, b) == pytest.approx(2 * half.primal_objective_)
    same_C = SVC(Linear(), C=1.0, tol=1e-9).fit(X, y)
    assert without_half(X.T @ same_C.dual_coef_, same_C.intercept_) > without_half(w, b) + 1e-4


def test_e14_signed_and_unsigned_coefficients():
    model = cancer()
    K = gram(Gaussian(SIGMA), CANCER)
    unsigned = K @ (model.multipliers_ * LABEL) + model.intercept_
    np.testing.assert_allclose(K @ model.dual_coef_ + model.intercept_, unsigned, atol=1e-12)


def test_e15_the_hinge_has_two_slopes_where_it_bends():
    for step, slope in ((-1e-6, -1.0), (1e-6, 0.0)):
        assert (max(0, 1 - (1 + step)) - 0) / step == pytest.approx(slope, abs=1e-9)


def test_e45_the_slack_is_no_distance_and_e47_the_second_slackness():
    model = cancer()
    f = model.decision_function(CANCER)
    distance = (1 - LABEL * f) / np.sqrt(model.norm2_)  # to the margin line, in feature space
    inside = model.slacks_ > 1e-6
    np.testing.assert_allclose(distance[inside], model.slacks_[inside] / np.sqrt(model.norm2_), rtol=1e-6)
    right = inside & (LABEL * f > 0)
    assert np.sum(right) > 12 and np.all(model.slacks_[right] < 1)  # they violate the margin and are classified rightly
    np.testing.assert_allclose((1.0 - model.multipliers_) * model.slacks_, 0, atol=1e-7)


def test_e48_sums_of_kernels_are_values_of_f_not_components_of_w():
    model = cancer()
    sums = gram(Gaussian(SIGMA), CANCER) @ (model.multipliers_ * LABEL)
    np.testing.assert_allclose(sums, model.decision_function(CANCER) - model.intercept_, atol=1e-12)
    assert np.ptp(sums) > 2


def test_e71_with_a_bias_f_follows_a_shift_of_y():
    X, y = make_sinc(rng=0, return_X_y=True)
    one, other = (SVR(Gaussian(0.5), tol=1e-8).fit(X, y + c) for c in (0.0, 5.0))
    np.testing.assert_allclose(other.predict([[0.3], [100.0]]) - one.predict([[0.3], [100.0]]), 5.0, atol=1e-6)
    assert other.predict([[100.0]])[0] == other.intercept_ > 4.5


def test_the_lectures_smo_and_the_stated_program_reach_the_anchors():
    K = gram(Linear(), X4)
    alpha, b, _ = smo(K, Y4, 0.5, tol=1e-10)
    np.testing.assert_allclose(alpha, [1 / 18, 0.5, 0.5, 1 / 18], atol=1e-9)
    assert b == pytest.approx(-1.0)
    np.testing.assert_allclose(svm_qp(K, Y4, 0.5), [1 / 18, 0.5, 0.5, 1 / 18], atol=1e-6)


def test_which_way_capacity_goes():
    # E50: a narrower Gaussian, or a higher degree, can follow more (the curriculum does not name the data of its .875)
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (40, 2))
    y = np.where(rng.random(40) < 0.5, 1, -1)  # labels without a rule: whoever learns them has capacity
    by_width = [SVC(Gaussian(sigma), C=1e3).fit(X, y).score(X, y) for sigma in (0.05, 0.5, 50.0)]
    assert by_width[0] == 1.0 > by_width[2] and by_width[1] >= by_width[2]
    by_degree = [SVC(Polynomial(degree=p), C=1e3).fit(X, y).score(X, y) for p in (1, 3, 9)]
    assert by_degree[0] < by_degree[1] < by_degree[2]
