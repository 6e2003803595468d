"""Anchors of chapter 5, computed through kcourse.

The curriculum's numbers, written down before kcourse could compute them: of its derivation, its exercises, what goes
wrong in them, and its errata, digit for digit.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_iris

from kcourse.checks import exercise
from kcourse.margin import (
    MaxMargin,
    Perceptron,
    canonical,
    kkt_report,
    mistake_bound,
    signed_distances,
)

IRIS = load_iris()
TWO = IRIS.target < 2  # setosa, versicolor
PETALS, SPECIES = IRIS.data[TWO][:, 2:], np.where(IRIS.target[TWO] == 1, 1, -1)
X3, Y3 = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])
SQUARE, YSQUARE = np.array([[1.0, 1], [-1, 1], [-1, -1], [1, -1]]), np.array([1, -1, -1, 1])


# ---------------------------------------------------------------- anchors


def test_three_points():
    model = MaxMargin().fit(X3, Y3)
    np.testing.assert_allclose(model.weights_, [0.5, 0.5], rtol=1e-9)
    np.testing.assert_allclose(model.multipliers_, [0.25, 0.0, 0.25], rtol=1e-9)
    assert model.intercept_ == pytest.approx(-2) and model.width_ == pytest.approx(2 * np.sqrt(2))
    assert model.support_.tolist() == [0, 2]


def test_two_points():
    model = MaxMargin().fit([[1.0, 1.0], [0.0, 0.0]], [1, -1])
    np.testing.assert_allclose(model.weights_, [1, 1], rtol=1e-9)
    np.testing.assert_allclose(model.multipliers_, [1, 1], rtol=1e-9)
    assert model.intercept_ == pytest.approx(-1) and model.width_ == pytest.approx(np.sqrt(2))


def test_iris():
    model = MaxMargin().fit(PETALS, SPECIES)
    np.testing.assert_allclose(model.weights_, [1.294117, 0.823529], atol=1e-6)
    assert model.intercept_ == pytest.approx(-3.788235, abs=1e-6)
    assert model.width_ == pytest.approx(1.303841, abs=1e-6) and round(model.margin_, 3) == 0.652
    assert len(model.support_) == 2
    assert model.multipliers_.sum() == pytest.approx(2.352941, abs=1e-6)
    assert model.weights_ @ model.weights_ == pytest.approx(2.352941, abs=1e-6)


def test_the_perceptron_on_iris_and_its_bound():
    model = Perceptron().fit(PETALS, SPECIES)
    assert model.converged_ and model.n_updates_ == 4
    # γ is the widest margin of hyperplanes through the origin of (x, 1)-space. The mirror images make the problem
    # symmetric, so that its widest margin has no bias
    Z = SPECIES[:, None] * np.column_stack([PETALS, np.ones(100)])
    best = MaxMargin().fit(np.vstack([Z, -Z]), np.repeat([1, -1], 100))
    assert best.intercept_ == pytest.approx(0, abs=1e-9)
    assert mistake_bound(PETALS, SPECIES, best.weights_[:2], best.weights_[2]) == pytest.approx(410.2, abs=0.05)
    assert model.mistake_bound_ >= 410.2


def test_the_warm_up_of_the_source():
    # min w²/2 - 3w: w = 3, value -4.5; with w ≤ 2: w = 2, multiplier 1
    w = np.linspace(0, 4, 4001)
    value = w**2 / 2 - 3 * w
    assert w[value.argmin()] == 3.0 and value.min() == -4.5
    assert w[w <= 2][value[w <= 2].argmin()] == 2.0 and -(2.0 - 3.0) == 1.0  # L'(w) + α = 0


# ---------------------------------------------------------------- misconceptions, with the number that refutes each


def test_support_vectors_are_not_all_points_on_the_margin_and_the_dual_is_not_unique():
    model = MaxMargin().fit(SQUARE, YSQUARE)
    np.testing.assert_allclose(model.weights_, [1, 0], atol=1e-9)
    assert model.intercept_ == pytest.approx(0, abs=1e-9)
    values = []
    # the square's corners in the order of the curriculum: opposite pairs of a side
    for alpha in ([0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0.25, 0.25, 0.25, 0.25], model.multipliers_):
        report = kkt_report(SQUARE, YSQUARE, alpha, 0.0, weights=[1.0, 0.0])
        assert report.optimal
        np.testing.assert_allclose(report.margins, 1)  # four points on the margin
        values.append(report.dual_value)
    np.testing.assert_allclose(values, 0.5)
    x, y = np.array([[1.0, 0.5], [1.0, -0.5], [-1.0, 0.5], [-1.0, -0.5]]), [1, 1, -1, -1]
    for alpha in ([0.5, 0, 0.5, 0], [0.25, 0.25, 0.25, 0.25]):
        assert kkt_report(x, y, alpha, 0.0, weights=[1.0, 0.0]).optimal


def test_a_functional_margin_of_1_is_a_distance_of_root_2():
    model = MaxMargin().fit(X3, Y3)
    assert (Y3 * model.decision_function(X3)).min() == pytest.approx(1.0)
    assert np.abs(signed_distances(X3, model.weights_, model.intercept_)).min() == pytest.approx(1.4142, abs=5e-5)
    assert model.margin_ == pytest.approx(np.sqrt(2))


def test_the_perceptron_does_not_find_the_widest_margin():
    margins = []
    for seed in range(500):
        order = np.random.default_rng(seed).permutation(100)
        model = Perceptron(epochs=1000).fit(PETALS[order], SPECIES[order])
        margins.append(np.min(SPECIES * signed_distances(PETALS, model.weights_, model.intercept_)))
    widest = MaxMargin().fit(PETALS, SPECIES).margin_
    # the curriculum's 500 orders, of unnamed seeds: 0.003-0.640 cm, median 0.302
    assert (
        0 < min(margins) < 0.02 and 0.6 < max(margins) < widest and np.median(margins) == pytest.approx(0.302, abs=0.03)
    )


def test_b_from_a_negative_support_vector_needs_its_sign():
    model = MaxMargin().fit(X3, Y3)
    wrong = 1 - model.weights_ @ X3[2]  # wᵀx + b = 1 for "some" support vector
    assert wrong == pytest.approx(0.0, abs=1e-9) and wrong - model.intercept_ == pytest.approx(2)
    assert Y3[2] - model.weights_ @ X3[2] == pytest.approx(model.intercept_)


def test_the_gradient_in_alpha_does_not_vanish():
    model = MaxMargin().fit(X3, Y3)
    report = kkt_report(X3, Y3, model.multipliers_, model.intercept_, weights=model.weights_)
    np.testing.assert_allclose(1 - report.margins, [0, -0.5, 0], atol=1e-9)
    assert report.optimal


def test_correct_is_not_at_least_1():
    # E54: t y = 0.2, 3, 0.5 are all correct; at least 1 they are in canonical scale
    x, y = np.array([[0.2], [3.0], [-0.5]]), np.array([1, 1, -1])
    w, b = canonical([1.0], 0.0, x, y)
    np.testing.assert_allclose(y * (x[:, 0] * w[0] + b), [1, 15, 2.5])


def test_interleaved_points_on_a_line_are_refused():
    # E13: C → ∞ is the hard constraint only where the classes can be separated; here the problem is infeasible
    with pytest.raises(ValueError, match="no hyperplane separates the two classes"):
        MaxMargin().fit(np.arange(4.0)[:, None], [-1, 1, -1, 1])


# ---------------------------------------------------------------- exercises: the canonical inputs and right answers


def test_exercise_5_3_w_and_b_from_alpha():
    alpha = np.array([0.25, 0, 0.25])
    w = X3.T @ (alpha * Y3)
    b = np.mean((Y3 - X3 @ w)[alpha > 0])
    assert [*w, b] == pytest.approx([0.5, 0.5, -2.0])
    assert kkt_report(X3, Y3, alpha, b, weights=w).optimal
    model = MaxMargin().fit(X3, Y3)
    assert [*model.weights_, model.intercept_] == pytest.approx([*w, b])
    # the wrong answers that are no solutions
    for b in (-1.0, -2.166667, 2.0):
        assert not kkt_report(X3, Y3, alpha, b, weights=w).optimal
    assert not kkt_report(X3, Y3, alpha, -4.0, weights=[1.0, 1.0]).optimal


def test_exercise_5_4_the_dual_value():
    assert kkt_report(X3, Y3, [0.2, 0.1, 0.3], 0.0).dual_value == pytest.approx(0.175)


# ---------------------------------------------------------------- what the chapter adds to them


def test_the_strip_is_as_wide_as_the_hulls_are_apart():
    # the curriculum: hull QP 1.303840 = 2/‖w‖ 1.303841
    plus, minus = PETALS[SPECIES > 0], PETALS[SPECIES < 0]

    def apart(lam):
        d = lam[:50] @ plus - lam[50:] @ minus
        return d @ d, 2 * np.concatenate([plus @ d, -minus @ d])

    sums = [{"type": "eq", "fun": lambda lam, half=half: lam[half].sum() - 1} for half in (slice(50), slice(50, None))]
    found = minimize(
        apart,
        np.full(100, 0.02),
        jac=True,
        bounds=[(0, 1)] * 100,
        constraints=sums,
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 300},
    )
    assert np.sqrt(found.fun) == pytest.approx(1.303841, abs=2e-6)


def test_multipliers_are_forces_at_rest():
    X, y = np.array([[0.0, 2.0], [4.0, 2.0], [1.0, 0.0]]), np.array([1, 1, -1])
    alpha = MaxMargin().fit(X, y).multipliers_
    np.testing.assert_allclose(alpha, [3 / 8, 1 / 8, 1 / 2], rtol=1e-8)  # the lever rule, arms 1 and 3
    for seed in range(5):  # forces and torques cancel for any separable points
        rng = np.random.default_rng(seed)
        points = rng.normal(size=(12, 2))
        labels = np.where(points @ rng.normal(size=2) > 0, 1, -1)
        model = MaxMargin().fit(points, labels)
        force = -(model.multipliers_ * labels)[:, None] * model.weights_ / np.linalg.norm(model.weights_)
        size = np.abs(force).sum()
        torque = points[:, 0] @ force[:, 1] - points[:, 1] @ force[:, 0]
        assert np.abs(force.sum(axis=0)).max() < 1e-7 * size and abs(torque) < 1e-7 * size


def test_hulls_that_meet_make_the_dual_unbounded():
    x, y = np.arange(4.0)[:, None], np.array([-1, 1, -1, 1])
    ray = np.array([1.0, 3.0, 3.0, 1.0])
    assert ray @ y == 0 and (ray * y) @ x[:, 0] == 0
    for t in (1.0, 5.0, 1e6):
        assert exercise("dual_value").reference(t * ray, x @ x.T, y) == 8 * t
    assert ray[y > 0] @ x[y > 0, 0] / 4 == ray[y < 0] @ x[y < 0, 0] / 4 == 1.5
