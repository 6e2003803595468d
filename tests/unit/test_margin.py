"""kcourse.margin: perceptrons, the widest margin, the conditions of optimality, distances; each with its errors."""

from itertools import permutations, product

import numpy as np
import pytest

from kcourse import Gaussian, Linear, Polynomial
from kcourse.margin import (
    KernelPerceptron,
    MaxMargin,
    Perceptron,
    canonical,
    kkt_report,
    margin_width,
    mistake_bound,
    perceptron,
    signed_distances,
)
from tests.rows import each
from tests.unit.refused import refused

X3, Y3 = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1])
RNG = np.random.default_rng(0)
N, D = 60, 3
W_TRUE, B_TRUE = np.array([1.0, -2.0, 0.5]), 0.7


def separable(n=N, gap=0.3, rng=RNG):
    X = rng.standard_normal((4 * n, D))
    f = X @ W_TRUE + B_TRUE
    X, f = X[np.abs(f) > gap][:n], f[np.abs(f) > gap][:n]
    return X, np.where(f > 0, 1, -1)


X, Y = separable()
LINE = np.array([[0.0], [1.0], [2.0], [3.0]])
XOR, YXOR = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([-1, 1, 1, -1])


def textbook_perceptron(X, y, epochs, orders=None):
    """Point by point, as one writes it on the board."""
    w, b, counts = np.zeros(X.shape[1]), 0.0, []
    for epoch in range(epochs):
        mistakes = 0
        for i in range(len(X)) if orders is None else orders[epoch]:
            if y[i] * (w @ X[i] + b) <= 0:
                w, b, mistakes = w + y[i] * X[i], b + y[i], mistakes + 1
        counts.append(mistakes)
        if mistakes == 0:
            break
    return w, b, counts


@pytest.mark.parametrize("shuffle, epochs", list(product([False, True], [1, 3, 500])))
def test_the_perceptron_is_the_textbooks_however_long_its_blocks_are(epochs, shuffle):
    orders, rng = None, np.random.default_rng(5)
    if shuffle:
        orders = [rng.permutation(N) for _ in range(epochs)]
    model = Perceptron(epochs=epochs, shuffle=shuffle, rng=5)
    assert model.fit(X, Y) is model
    w, b, counts = textbook_perceptron(X, Y, epochs, orders)
    np.testing.assert_allclose(model.weights_, w, rtol=1e-12)
    assert model.intercept_ == pytest.approx(b) and type(model.intercept_) is float
    assert model.mistakes_.tolist() == counts and model.n_updates_ == sum(counts) and model.n_iter_ == len(counts)
    assert model.converged_ is (counts[-1] == 0) and (model.converged_ or epochs < 500)
    np.testing.assert_allclose(model.decision_function(X[:5]), X[:5] @ w + b)
    if model.converged_:
        np.testing.assert_array_equal(model.predict(X), Y)
        assert model.n_updates_ <= model.mistake_bound_ < np.inf
        assert model.mistake_bound_ == pytest.approx(mistake_bound(X, Y, w, b))
    else:
        assert model.mistake_bound_ == np.inf


def test_a_perceptron_that_cannot_converge_makes_all_its_passes_and_says_so():
    model = Perceptron(epochs=7).fit(XOR, YXOR)
    assert not model.converged_ and model.n_iter_ == 7 and model.mistake_bound_ == np.inf
    assert np.all(model.mistakes_ > 0)


@pytest.fixture
def impatient(monkeypatch):
    """A few hundred points are given up as a hundred thousand are."""
    monkeypatch.setattr(perceptron, "_POINTS", 3000)


@pytest.mark.parametrize(
    "shuffle, kind", list(product([False, True], ["noisy", "unbalanced", "badly scaled", "repeated"]))
)
@pytest.mark.usefixtures("impatient")
def test_where_passes_no_longer_help_a_perceptron_stops_and_is_the_textbooks_until_then(kind, shuffle):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((600, D))
    f = points @ W_TRUE - (3.0 if kind == "unbalanced" else 0.0)
    points = {"badly scaled": points * [1e-3, 1.0, 1e3], "repeated": points[rng.integers(0, 40, 600)]}.get(kind, points)
    y = np.where(f > 0, 1, -1) * np.where(rng.random(600) < 0.2, -1, 1)
    model = Perceptron(shuffle=shuffle, rng=3).fit(points, y)
    rng = np.random.default_rng(3)
    orders = [rng.permutation(600) for _ in range(100)] if shuffle else None
    w, b, counts = textbook_perceptron(points, y, model.n_iter_, orders)
    assert 15 < model.n_iter_ < 80 and not model.converged_
    assert model.mistakes_.tolist() == counts
    assert min(counts[-15:]) > 0.95 * min(counts[:-15])
    np.testing.assert_allclose(model.weights_, w, rtol=1e-9, atol=1e-9 * np.abs(w).max())
    assert model.intercept_ == pytest.approx(b)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("n", "seed", "passes"), [(300, 3, 69), (1000, 2, 70), (3000, 4, 91)])
def test_a_perceptron_goes_on_where_a_narrow_gap_may_still_be_found(n, seed, passes, monkeypatch):
    # the least number of mistakes stands still for longer than patience lasts, and the bound on them decides
    points = np.random.default_rng(seed).standard_normal((n, 2))
    f = points @ [1.0, 2.0] + 0.3
    points, f = points[np.abs(f) > 1e-3], f[np.abs(f) > 1e-3]
    model = Perceptron().fit(points, f > 0)
    assert model.converged_ and model.n_iter_ == passes
    rule = perceptron._in_vain
    monkeypatch.setattr(perceptron, "_in_vain", lambda mistakes, norm2, R2, *size: rule(mistakes, 0.0, 1.0, *size))
    assert not Perceptron().fit(points, f > 0).converged_


def test_a_few_hundred_points_are_taken_as_often_as_is_asked():
    points = np.random.default_rng(0).standard_normal((600, D))
    y = np.random.default_rng(1).random(600) < 0.5
    assert Perceptron().fit(points, y).n_iter_ == 100


@pytest.mark.usefixtures("impatient")
def test_a_kernels_perceptron_stops_alike_and_one_class_that_stopped_is_no_convergence():
    points, noisy = np.repeat(X, 20, axis=0), np.repeat(Y, 20)
    noisy = np.where(np.arange(len(noisy)) % 4 == 0, -noisy, noisy)
    primal, dual = Perceptron().fit(points, noisy), KernelPerceptron(Linear() + 1).fit(points, noisy)
    assert primal.mistakes_.tolist() == dual.mistakes_.tolist() and primal.n_iter_ < 40
    three = np.where(np.repeat(X[:, 0], 20) > 0.5, 2, (noisy > 0).astype(int))
    model = Perceptron().fit(np.column_stack([points, three == 2]), three)
    stopped = model.mistakes_[-1] == 0
    assert stopped.any() and not model.converged_


def test_a_perceptron_starts_from_zero_where_every_point_is_a_mistake():
    model = Perceptron(epochs=1).fit([[2.0], [-1.0]], [1, -1])
    assert model.n_updates_ == 1 and model.weights_.tolist() == [2.0] and model.intercept_ == 1.0


def test_the_coefficients_of_a_kernel_perceptron_are_signed_counts():
    model = KernelPerceptron(Gaussian(0.8)).fit(X, Y)
    np.testing.assert_array_equal(model.dual_coef_, model.counts_ * Y)
    assert model.counts_.dtype.kind == "i" and model.support_.tolist() == np.flatnonzero(model.counts_).tolist()
    np.testing.assert_allclose(model.decision_function(X), Gaussian(0.8)(X) @ model.dual_coef_, atol=1e-12)


def test_perceptrons_refuse_what_overflows():
    refused("X has entries beyond ±1e140, whose squares overflow; scale X down", Perceptron().fit, 1e200 * X, Y)
    refused("the kernel overflows on these points", KernelPerceptron(Polynomial(degree=9)).fit, 1e100 * X, Y)


def is_optimal(model, X, y, kernel):
    report = kkt_report(X, y, model.multipliers_, model.intercept_, kernel=kernel, tol=1e-6)
    assert report.optimal, f"\n{report}"
    return report


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0), Polynomial(), 2 * Gaussian(0.4) + Linear()], ids=repr)
def test_what_it_finds_meets_every_condition(kernel):
    model = MaxMargin(kernel)
    assert model.fit(X, Y) is model
    report = is_optimal(model, X, Y, kernel)
    assert report.margins.min() == pytest.approx(1, abs=1e-7)
    norm2 = model.dual_coef_ @ kernel(X) @ model.dual_coef_
    assert norm2 == pytest.approx(model.multipliers_.sum(), rel=1e-7)
    assert model.margin_ == pytest.approx(1 / np.sqrt(norm2), rel=1e-7)
    assert model.width_ == pytest.approx(2 * model.margin_, rel=1e-15)
    np.testing.assert_array_equal(model.dual_coef_, model.multipliers_ * Y)
    assert model.support_.tolist() == np.flatnonzero(model.multipliers_ > 0).tolist()
    assert len(model.support_) < N and np.all(report.margins[model.support_] < 1 + 1e-6)
    np.testing.assert_allclose(
        model.decision_function(X[:9] + 0.1), kernel(X[:9] + 0.1, X) @ model.dual_coef_ + model.intercept_, atol=1e-8
    )
    np.testing.assert_array_equal(model.predict(X), Y)


def test_the_linear_kernel_has_weights_and_others_have_none():
    model = MaxMargin().fit(X, Y)
    np.testing.assert_allclose(model.weights_, X.T @ model.dual_coef_, atol=1e-9)
    assert model.width_ == pytest.approx(margin_width(model.weights_), rel=1e-9)
    distances = signed_distances(X, model.weights_, model.intercept_)
    assert np.abs(distances).min() == pytest.approx(model.margin_, rel=1e-7)
    model.kernel = Gaussian(1.0)
    assert not hasattr(model.fit(X, Y), "weights_")


@pytest.mark.parametrize(
    ("X", "y", "w", "b"),
    [
        ([[1.0, 1.0], [0.0, 0.0]], [1, -1], [1.0, 1.0], -1.0),
        ([[5.0], [2.0]], [-1, 1], [-2 / 3], 7 / 3),
        ([[0, 0, 0], [0, 0, 4]], [0, 1], [0, 0, 0.5], -1.0),
        (LINE, [-1, -1, 1, 1], [2.0], -3.0),
        ([[0.0], [0.0], [1.0], [1.0], [1.0]], [-1, -1, 1, 1, 1], [2.0], -1.0),
        ([[0.0, 7.0], [1.0, 7.0]], [-1, 1], [2.0, 0.0], -1.0),
        ([[0.0, 0.0], [1.0, 3.0], [1.0, -3.0], [2.0, 0.0]], [-1, 1, 1, 1], [2.0, 0.0], -1.0),
    ],
)
def test_small_cases_by_hand(X, y, w, b):
    model = MaxMargin().fit(X, y)
    np.testing.assert_allclose(model.weights_, w, atol=1e-9)
    assert model.intercept_ == pytest.approx(b, abs=1e-9)
    is_optimal(model, X, y, Linear())


@each("scale, shift", product([1e-100, 1e-6, 1e6, 1e100], [0.0, 1.0, 100.0]))
def test_scale_and_place_of_the_data_change_only_the_units(scale, shift):
    one, model = MaxMargin().fit(X, Y), MaxMargin().fit(scale * (X + shift), Y)
    np.testing.assert_allclose(model.weights_ * scale, one.weights_, rtol=1e-7)
    assert model.width_ == pytest.approx(scale * one.width_, rel=1e-7)
    assert model.intercept_ == pytest.approx(one.intercept_ - shift * one.weights_.sum(), rel=1e-6)


def test_points_far_from_the_origin_keep_their_digits():
    one, far = MaxMargin().fit(X, Y), MaxMargin().fit(X + 1e7, Y)
    np.testing.assert_allclose(far.weights_, one.weights_, rtol=1e-6)
    np.testing.assert_array_equal(far.predict(X + 1e7), Y)


@pytest.mark.parametrize("c", [1e3, 1e8])
def test_a_constant_in_the_kernel_changes_nothing(c):
    # Σ α_i y_i = 0: it only moves the origin of the feature space
    one, other = MaxMargin(Gaussian(1.0)).fit(X, Y), MaxMargin(Gaussian(1.0) + c).fit(X, Y)
    np.testing.assert_allclose(other.multipliers_, one.multipliers_, rtol=0, atol=1e-15 * c * one.multipliers_.sum())
    assert other.width_ == pytest.approx(one.width_, rel=1e-6)
    np.testing.assert_allclose(other.predict(X), Y)


def test_the_digits_of_a_singular_matrix_are_kept():
    # 10 features and 11 support vectors: their Gram matrix has rank 10
    rng = np.random.default_rng(0)
    points = rng.standard_normal((800, 10))
    f = points @ rng.standard_normal(10)
    keep = np.abs(f) > 0.1 * np.std(f)
    points, y = points[keep][:200], np.sign(f[keep][:200]).astype(int)
    model = MaxMargin().fit(points, y)
    assert len(model.support_) == 11
    report = kkt_report(points, y, model.multipliers_, model.intercept_, weights=model.weights_, tol=1e-8)
    assert report.optimal, f"\n{report}"
    assert abs(report.balance) < 1e-13 * model.multipliers_.sum() and abs(report.gap) < 1e-8 * report.dual_value


def test_more_features_than_points():
    wide = np.random.default_rng(1).standard_normal((12, 300))
    y = np.arange(12) % 2
    model = MaxMargin().fit(wide, y)
    is_optimal(model, wide, y, Linear())
    assert len(model.support_) == 12  # in so many dimensions nearly every point supports


def test_a_narrow_gap_is_still_found():
    x = np.concatenate([np.linspace(-1, 0, 20), np.linspace(1e-4, 1, 20)])[:, None]
    model = MaxMargin().fit(x, np.repeat([0, 1], 20))
    assert model.width_ == pytest.approx(1e-4, rel=1e-6) and -model.intercept_ / model.weights_[0] == pytest.approx(
        5e-5, rel=1e-5
    )


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        (LINE, [-1, 1, -1, 1], "their convex hulls meet"),
        (XOR, YXOR, "their convex hulls meet.*take SVC.*or a kernel with more features"),
        ([[0.0], [1.0], [1.0]], [0, 0, 1], "rows 1 and 2 of X are the same point to it, with different labels"),
        ([[1.0, 2.0], [1.0, 2.0]], [0, 1], "rows 0 and 1 of X are the same point"),
        ([[0.0], [1.0], [2.0]], [0, 1, 0], "their convex hulls meet"),
        (RNG.standard_normal((200, 2)), np.arange(200) % 2, "their convex hulls meet"),
    ],
)
def test_classes_that_nothing_separates_are_refused_with_the_remedy(X, y, words):
    model = MaxMargin()
    refused(f"no hyperplane separates the two classes.*{words}", model.fit, X, y)
    assert not hasattr(model, "multipliers_")


def test_a_kernel_with_more_features_separates_them():
    model = MaxMargin(Polynomial(degree=2)).fit(XOR, YXOR)
    np.testing.assert_allclose(model.multipliers_, 1 / 8)
    assert model.intercept_ == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(model.decision_function([[0.5, 3.0]]), [-1.5])
    MaxMargin(Gaussian(0.3)).fit(RNG.standard_normal((200, 2)), np.arange(200) % 2)


def test_what_it_cannot_use_is_refused():
    refused("tol must be positive, got 0", MaxMargin(tol=0).fit, X, Y)
    refused("Only binary classification is supported.*3 classes", MaxMargin().fit, X, np.arange(N) % 3)


ALPHA3, B3 = [0.25, 0.0, 0.25], -2.0


def test_a_solution_meets_all_conditions_and_reads_so():
    report = kkt_report(X3, Y3, ALPHA3, B3, weights=[0.5, 0.5])
    assert report.optimal and report.violations == {} and set(report.residuals.values()) == {0.0}
    assert report.primal_value == report.dual_value == 0.25 and report.gap == 0
    np.testing.assert_allclose(report.margins, [1, 1.5, 1])
    lines = str(report).splitlines()
    assert len(lines) == 7 and all(line.startswith("✓") for line in lines[:6])
    assert lines[-1].strip() == "primal 0.25, dual 0.25, gap 0"


@pytest.mark.parametrize(
    ("change", "violations", "words"),
    [
        ({"multipliers": [0.25, 0.0, 0.2]}, {"balance": [], "primal": [2]}, "✗ ∂L/∂b"),
        ({"multipliers": [0.35, -0.1, 0.25]}, {"dual": [1]}, "✗ 0 ≤ α_i ≤ C .* 0.1  at 1"),
        ({"intercept": -2.5}, {"primal": [0], "slackness": [0, 2]}, r"✗ y_i f\(x_i\) ≥ 1 - ξ_i .* 0.5  at 0"),
        ({"multipliers": [0.2, 0.05, 0.25]}, {"slackness": [0, 1]}, r"✗ α_i \(y_i f\(x_i\) - 1 \+ ξ_i\) = 0"),
        ({"weights": [0.5, 0.75]}, {"stationarity": []}, "✗ ∂L/∂w .* 0.25\n"),
        ({"C": 0.2}, {"dual": [0, 2]}, "✗ 0 ≤ α_i ≤ C"),
        ({"C": 2, "intercept": -3.0}, {"slackness": [2], "slack_slackness": [0]}, r"✗ \(C - α_i\) ξ_i = 0"),
    ],
)
def test_each_condition_that_fails_is_named_with_its_points(change, violations, words):
    import re

    report = kkt_report(**{"X": X3, "y": Y3, "multipliers": ALPHA3, "intercept": B3, **change})
    assert not report.optimal
    found = report.violations
    for name, rows in violations.items():
        assert name in found and set(rows) <= set(found[name])
    assert re.search(words, str(report))


def test_values_of_the_soft_margin_are_its_objectives():
    x, y = LINE, [-1, -1, 1, 1]
    report = kkt_report(x, y, [0.1, 0.1, 0.1, 0.1], -0.7, C=0.1, tol=1e-9)
    assert report.optimal
    assert report.primal_value == pytest.approx(0.32) and report.dual_value == pytest.approx(0.32)
    # every b from -1 to -0.2 is optimal, and no other
    for b, optimal in [(-1.0, True), (-0.2, True), (-1.01, False), (-0.19, False)]:
        assert kkt_report(x, y, [0.1] * 4, b, C=0.1, tol=1e-9).optimal is optimal
    np.testing.assert_allclose(report.slacks, np.maximum(0, 1 - np.array(y) * (0.4 * x[:, 0] - 0.7)))


def test_the_second_complementarity_is_what_keeps_idle_points_off_the_wrong_side():
    # α = 0, ξ = 3, y f = -2: the one condition of the source holds, the other one does not
    report = kkt_report([[1.0]], [1], [0.0], -2.0, C=0.05)
    assert report.slackness[0] == 0 and report.slack_slackness[0] == pytest.approx(0.15)
    assert report.slacks[0] == 3.0 and not report.optimal


def test_any_kernel_and_any_labels():
    model = MaxMargin(Gaussian(0.9)).fit(X, np.where(Y > 0, "b", "a"))
    words = np.where(Y > 0, "b", "a")
    assert kkt_report(X, words, model.multipliers_, model.intercept_, kernel=Gaussian(0.9)).optimal
    assert kkt_report(X, Y > 0, model.multipliers_, model.intercept_, kernel=lambda A, B: Gaussian(0.9)(A, B)).optimal
    assert not kkt_report(X, Y > 0, model.multipliers_, model.intercept_, kernel=Gaussian(1.5)).optimal


def test_a_report_needs_matching_arguments():
    right = {"X": X3, "y": Y3, "multipliers": ALPHA3, "intercept": B3}
    refused("multipliers has 2 entries and X has 3 rows", kkt_report, **right | {"multipliers": [0.1, 0.2]})
    refused(r"multipliers has shape \(3, 1\); expected", kkt_report, **right | {"multipliers": np.zeros((3, 1))})
    refused("intercept must be a number", kkt_report, error=TypeError, **right | {"intercept": None})
    refused("C must be positive, got 0", kkt_report, C=0, **right)
    refused("C must be finite", kkt_report, C=-np.inf, **right)
    refused("tol must be positive", kkt_report, tol=-1, **right)
    refused(r"y has 3 classes, \[1, 2, 3\]; expected two", kkt_report, **right | {"y": [1, 2, 3]})
    refused(r"y has 1 classes, \[3\]", kkt_report, **right | {"y": [3, 3, 3]})
    refused("weights has 1 entries", kkt_report, weights=[1.0], **right)
    refused("weights are those of the linear kernel", kkt_report, weights=[1.0, 2.0], kernel=Gaussian(), **right)
    refused("kernel is the class Gaussian", kkt_report, error=TypeError, kernel=Gaussian, **right)


def test_a_distance_is_that_to_the_projection_on_the_plane():
    w, b = np.array([1.0, -2.0, 0.5]), 0.3
    d = signed_distances(X, w, b)
    feet = X - d[:, None] * w / np.linalg.norm(w)
    np.testing.assert_allclose(feet @ w + b, 0, atol=1e-12)
    np.testing.assert_allclose(signed_distances(X, 7 * w, 7 * b), d)
    np.testing.assert_allclose(signed_distances(X, -w, -b), -d)
    np.testing.assert_allclose(signed_distances(1e200 * X, 1e-200 * w, b), 1e200 * signed_distances(X, w, b))


def test_the_canonical_scale():
    w, b = canonical(W_TRUE, B_TRUE, X, Y)
    assert np.min(Y * (X @ w + b)) == pytest.approx(1) and type(b) is not np.ndarray
    np.testing.assert_allclose(w / b, W_TRUE / B_TRUE)
    np.testing.assert_array_equal(canonical(W_TRUE, B_TRUE, X, np.where(Y > 0, "b", "a"))[0], w)


def test_what_is_no_hyperplane_is_refused():
    refused("w is 0", signed_distances, X3, [0, 0], 1)
    refused("w has 3 entries", signed_distances, X3, [1, 2, 3], 1)
    refused(r"X has shape \(2,\)", signed_distances, [1, 2], [1, 2], 1)
    refused(r"w has shape \(2, 2\); expected \(d,\)", margin_width, np.eye(2))
    refused("w is 0", margin_width, [0.0])
    refused(r"\(w, b\) does not separate the classes: y f\(x\) = -2 at row 2 of X", canonical, [1, 1], 0, X3, Y3)
    refused(r"does not separate the classes: y f\(x\) = -?0 at row 2", canonical, [1, 1], -2, X3, Y3)
    refused("does not separate", mistake_bound, X3, -Y3, [1, 1], -3)


def test_the_width_of_one_weight_may_be_a_number():
    assert margin_width(4.0) == margin_width([4.0]) == 0.5


def test_a_tie_of_decimals_is_a_mistake_in_whatever_order_it_is_summed():
    # 0.1 + 0.2 - 0.3 is 6e-17, and 0.1 - 0.3 + 0.2 is 3e-17
    for z in ([0.1, 0.2, -0.3], [0.1, -0.3, 0.2], [-0.3, 0.1, 0.2]):
        assert perceptron._correct(np.array([z]), np.ones(3), 1) == 1
    assert perceptron._correct(np.array([[0.1, 0.2, -0.3 + 1e-12]]), np.ones(3), 1) == 0  # no tie
    rng = np.random.default_rng(0)
    for _ in range(300):
        n, d = int(rng.integers(3, 7)), int(rng.integers(2, 4))
        tenths = rng.integers(-9, 10, (n, d))
        y = np.where(tenths @ rng.integers(-3, 4, d) > 0, 1, -1)
        if abs(y.sum()) == n:
            continue
        models = [Perceptron(epochs=300).fit(tenths[:, order] / 10, y) for order in permutations(range(d))]
        assert len({model.n_updates_ for model in models}) == 1
        for model in models:
            assert model.converged_ and model.n_updates_ <= model.mistake_bound_ * (1 + 1e-9)


@pytest.mark.parametrize("shuffle", [False, True])
def test_each_class_has_a_machine_that_is_that_of_its_labels_alone(shuffle):
    rng = np.random.default_rng(0)
    X = np.round(8 * rng.standard_normal((60, 2))) / 8
    y = np.array(["a", "b", "c"])[np.argmax(X @ rng.standard_normal((2, 3)), axis=1)]
    options = {"epochs": 7, "shuffle": shuffle, "rng": 3}
    for make in (Perceptron, lambda **o: KernelPerceptron(Linear() + 1, **o)):
        model = make(**options).fit(X, y)
        machines = [make(**options).fit(X, y == c) for c in model.classes_]
        np.testing.assert_array_equal(
            model.decision_function(X), np.stack([m.decision_function(X) for m in machines], axis=1)
        )
        np.testing.assert_array_equal(model.n_updates_, [m.n_updates_ for m in machines])
        assert model.n_iter_ == max(m.n_iter_ for m in machines) == len(model.mistakes_)
        for column, m in zip(model.mistakes_.T, machines, strict=True):
            assert column.tolist() == m.mistakes_.tolist() + [0] * (model.n_iter_ - m.n_iter_)
        assert model.converged_ == all(m.converged_ for m in machines)
        np.testing.assert_array_equal(model.predict(X), model.classes_[model.decision_function(X).argmax(axis=1)])
    linear = Perceptron(**options).fit(X, y)
    assert linear.weights_.shape == (3, 2) and linear.intercept_.shape == linear.mistake_bound_.shape == (3,)
    assert np.all(linear.n_updates_ <= linear.mistake_bound_)
