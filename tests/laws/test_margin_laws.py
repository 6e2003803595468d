"""What holds of perceptrons and of the widest margin, whatever the points."""

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse import Constant, Gaussian, Linear, Polynomial
from kcourse.margin import (
    KernelPerceptron,
    MaxMargin,
    Perceptron,
    canonical,
    kkt_report,
    margin_width,
    mistake_bound,
    signed_distances,
)
from kcourse.svm import SVC
from tests.laws.law import D, laws

law = laws(40)

eighths = st.integers(-40, 40).map(lambda i: i / 8)
seeds = st.integers(0, 2**16)


@st.composite
def separated(draw, n_max=25):
    """Points in the plane, a hyperplane, labels by side, nobody nearer to it than 1/8; both classes occur."""
    w = np.array([draw(st.integers(-4, 4)), draw(st.integers(1, 4))], dtype=float)
    b = draw(eighths)
    X = draw(arrays(float, (draw(st.integers(2, n_max)), D), elements=eighths))
    f = X @ w + b
    keep = np.abs(f) >= np.linalg.norm(w) / 8
    X, y = X[keep], np.sign(f[keep]).astype(int)
    assume(len(set(y.tolist())) == 2)
    return X, y, w, b


@law(separated(), st.booleans(), seeds)
def test_no_perceptron_makes_more_mistakes_than_any_separator_allows(data, shuffle, seed):
    X, y, w, b = data
    bound = mistake_bound(X, y, w, b)
    model = Perceptron(epochs=int(bound) + 2, shuffle=shuffle, rng=seed).fit(X, y)
    assert model.converged_ and model.n_updates_ <= bound
    assert model.n_updates_ <= model.mistake_bound_ * (1 + 1e-12)
    best = MaxMargin().fit(X, y)
    assert model.n_updates_ <= mistake_bound(X, y, best.weights_, best.intercept_) * (1 + 1e-6)


@law(separated(), st.booleans(), seeds)
def test_a_constant_in_the_kernel_is_the_bias(data, shuffle, seed):
    X, y, *_ = data
    options = {"epochs": 30, "shuffle": shuffle, "rng": seed}
    primal = Perceptron(**options).fit(X, y)
    dual = KernelPerceptron(Linear() + Constant(1.0), **options).fit(X, y)
    # eighths are added without rounding: the two are equal
    np.testing.assert_array_equal(dual.mistakes_, primal.mistakes_)
    np.testing.assert_array_equal(X.T @ dual.dual_coef_, primal.weights_)
    assert dual.dual_coef_.sum() == primal.intercept_


@law(separated(), st.sampled_from([Linear(), Gaussian(1.5), Polynomial(degree=2)]), st.floats(0.01, 100.0), seeds)
def test_the_kernel_perceptron_does_not_mind_the_scale_of_the_kernel(data, kernel, c, seed):
    X, y, *_ = data
    one = KernelPerceptron(kernel, epochs=5, shuffle=True, rng=seed).fit(X, y)
    c = 2.0 ** round(np.log2(c))  # exactly representable multiples
    np.testing.assert_array_equal(
        one.counts_, KernelPerceptron(c * kernel, epochs=5, shuffle=True, rng=seed).fit(X, y).counts_
    )


@law(separated())
def test_the_widest_margin_meets_the_conditions_and_no_other_separator_is_wider(data):
    X, y, w, b = data
    model = MaxMargin().fit(X, y)
    report = kkt_report(X, y, model.multipliers_, model.intercept_, tol=1e-6)
    assert report.optimal, f"\n{report}"
    assert abs(report.gap) <= 1e-6 * report.dual_value
    assert model.multipliers_.sum() == pytest.approx(model.weights_ @ model.weights_, rel=1e-6)
    for other in (canonical(w, b, X, y)[0], Perceptron(epochs=10_000).fit(X, y)):
        if isinstance(other, Perceptron):
            other = canonical(other.weights_, other.intercept_, X, y)[0]
        assert margin_width(other) <= model.width_ * (1 + 1e-9)
    assert np.min(y * signed_distances(X, model.weights_, model.intercept_)) == pytest.approx(model.margin_, rel=1e-6)


@law(separated())
def test_the_width_is_the_distance_of_the_convex_hulls(data):
    X, y, *_ = data
    model = MaxMargin().fit(X, y)
    # Σα = ‖w‖², half of it in each class: 2α/‖w‖² are the weights of the two nearest points of the hulls
    weights = 2 * model.multipliers_ / model.weights_.dot(model.weights_)
    nearest = [weights[y == side] @ X[y == side] for side in (1, -1)]
    assert [weights[y == side].sum() for side in (1, -1)] == pytest.approx([1, 1], rel=1e-6)
    assert np.linalg.norm(nearest[0] - nearest[1]) == pytest.approx(model.width_, rel=1e-6)


@law(separated(), st.floats(-6, 6), eighths, eighths, st.floats(0, 6.3))
def test_the_width_scales_with_the_data_and_does_not_mind_where_they_are(data, exponent, shift0, shift1, angle):
    X, y, *_ = data
    scale, R = 10.0**exponent, np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    one, moved = MaxMargin().fit(X, y), MaxMargin().fit(scale * ((X + [shift0, shift1]) @ R.T), y)
    assert moved.width_ == pytest.approx(scale * one.width_, rel=1e-6)
    np.testing.assert_allclose(moved.weights_ * scale, R @ one.weights_, rtol=0, atol=1e-6 / one.margin_)


@law(separated(), st.sampled_from([Linear(), Gaussian(0.9)]))
def test_it_is_a_soft_margin_whose_constant_no_multiplier_reaches(data, kernel):
    X, y, *_ = data
    hard = MaxMargin(kernel).fit(X, y)
    soft = SVC(kernel, C=2 * hard.multipliers_.max(), tol=1e-9).fit(X, y)
    np.testing.assert_allclose(soft.decision_function(X), hard.decision_function(X), rtol=0, atol=1e-6)


@law(separated(), st.floats(0.1, 50.0))
def test_a_kernel_times_c_has_margins_times_its_root(data, c):
    X, y, *_ = data
    one, other = MaxMargin(Gaussian(0.7)).fit(X, y), MaxMargin(c * Gaussian(0.7)).fit(X, y)
    assert other.margin_ == pytest.approx(np.sqrt(c) * one.margin_, rel=1e-6)
    np.testing.assert_allclose(other.decision_function(X), one.decision_function(X), atol=1e-6)


@law(separated())
def test_swapping_the_labels_turns_the_hyperplane_round(data):
    X, y, *_ = data
    one, other = MaxMargin().fit(X, y), MaxMargin().fit(X, -y)
    np.testing.assert_allclose(other.weights_, -one.weights_, rtol=1e-6, atol=1e-7 / one.margin_)
    assert other.width_ == pytest.approx(one.width_, rel=1e-8)


@law(separated(), seeds)
def test_the_support_vectors_carry_the_solution(data, seed):
    X, y, *_ = data
    model = MaxMargin().fit(X, y)
    alone = MaxMargin().fit(X[model.support_], y[model.support_])
    np.testing.assert_allclose(alone.weights_, model.weights_, rtol=0, atol=1e-6 / model.margin_)
    # ... and points outside the margin, or in other order, change nothing
    f = model.decision_function(X)
    beyond = X + 0.5 * model.margin_ * np.sign(f)[:, None] * model.weights_ * model.margin_
    order = np.random.default_rng(seed).permutation(2 * len(y))
    more = MaxMargin().fit(np.vstack([X, beyond])[order], np.concatenate([y, y])[order])
    np.testing.assert_allclose(more.weights_, model.weights_, rtol=0, atol=1e-6 / model.margin_)


@law(separated(), st.floats(0.2, 2.0))
def test_primal_and_dual_agree_for_a_polynomial_kernel(data, v):
    X, y, *_ = data
    x1, x2 = X.T
    r = np.sqrt(2.0)
    Phi = np.column_stack([x1**2, r * x1 * x2, x2**2, r * np.sqrt(v) * x1, r * np.sqrt(v) * x2])  # the constant: in b
    dual, primal = MaxMargin(Polynomial(degree=2, coef0=v)).fit(X, y), MaxMargin().fit(Phi, y)
    assert dual.width_ == pytest.approx(primal.width_, rel=1e-5)
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(Phi), atol=1e-5)


@law(arrays(float, (9, D), elements=eighths, unique=True), seeds)
def test_it_separates_exactly_what_can_be_separated(X, seed):
    from scipy.optimize import linprog

    y = np.random.default_rng(seed).permutation([1, -1] * 4 + [1])
    Z = y[:, None] * np.column_stack([X, np.ones(9)])
    feasible = linprog(np.zeros(D + 1), A_ub=-Z, b_ub=-np.ones(9), bounds=(None, None)).status == 0
    try:
        model = MaxMargin().fit(X, y)
    except ValueError as error:
        assert "no hyperplane separates" in str(error) and not feasible
    else:
        assert feasible and model.score(X, y) == 1


@law(separated(), seeds)
def test_the_solution_is_the_saddle_of_the_lagrangian(data, seed):
    X, y, *_ = data
    model, rng = MaxMargin().fit(X, y), np.random.default_rng(seed)
    w, b, alpha = model.weights_, model.intercept_, model.multipliers_

    def lagrangian(w, b, alpha):
        # L(w, b, α) = ½‖w‖² - Σ_i α_i (y_i (wᵀx_i + b) - 1)
        return 0.5 * w @ w - alpha @ (y * (X @ w + b) - 1)

    best, size = lagrangian(w, b, alpha), w @ w
    assert best == pytest.approx(0.5 * size, rel=1e-6) == model.multipliers_.sum() - 0.5 * size  # no duality gap
    for _ in range(5):
        other = lagrangian(w + rng.standard_normal(D), b + rng.standard_normal(), alpha)
        assert other >= best - 1e-6 * (1 + size)  # least in (w, b) ...
        other = lagrangian(w, b, alpha * rng.uniform(0, 2, len(y)) + rng.exponential(1.0, len(y)))
        assert other <= best + 1e-5 * (1 + size) * (1 + size)  # ... and largest in α ≥ 0
    # stationarity: w = Σ α_i y_i x_i, Σ α_i y_i = 0
    np.testing.assert_allclose((alpha * y) @ X, w, rtol=0, atol=1e-6 * (1 + size))
    assert abs(alpha @ y) <= 1e-6 * (1 + size)
