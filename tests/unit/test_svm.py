"""kcourse.svm: SVC and SVR, each attribute against its definition, and the lecture's solver."""

import tracemalloc
from copy import copy
from itertools import combinations, product

import numpy as np
import pytest

from kcourse.kernels import Constant, Gaussian, Linear, Polynomial, gram
from kcourse.svm import SVC, SVR, smo, smo_pair, svm_qp
from tests.rows import each
from tests.unit.refused import refused

N, D = 40, 3
RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((N, D)), RNG.standard_normal((6, D))
TWO = np.where(X[:, 0] + 0.7 * RNG.standard_normal(N) > 0, 1, -1)
THREE = np.digitize(X[:, 0] + 0.4 * RNG.standard_normal(N), [-0.5, 0.5])
Y = np.sin(X[:, 0]) + 0.2 * RNG.standard_normal(N)
KERNELS = [Gaussian(1.3), Linear(), Polynomial(degree=3) + Constant(2.0)]
CS = [0.05, 1.0, 40.0]


def test_a_small_cache_changes_memory_and_nothing_else(monkeypatch):
    rng = np.random.default_rng(0)
    points = rng.standard_normal((1300, 2))
    y = np.where(points[:, 0] > 0, 1, -1) * np.where(rng.random(1300) < 0.3, -1, 1)
    models, targets = (SVC(Gaussian(0.5), tol=1e-5), SVR(Gaussian(0.5))), (y, points[:, 0] + y)
    large = [copy(model).fit(points, t) for model, t in zip(models, targets, strict=True)]
    monkeypatch.setattr("kcourse.svm.machines._ROOM", 1e6)
    small = [copy(model).fit(points, t) for model, t in zip(models, targets, strict=True)]
    np.testing.assert_allclose(small[0].decision_function(points), large[0].decision_function(points), atol=1e-4)
    small, large = small[1], large[1]
    assert small.dual_objective_ == pytest.approx(large.dual_objective_, rel=1e-4)


def test_a_small_fit_has_room_for_one_gram_matrix():
    # pages of a second one, asked for and given back at once, took a third of the time
    points = np.random.default_rng(0).standard_normal((800, 2))
    y = points[:, 0] > 0
    SVC(Gaussian(1.0)).fit(points[:50], y[:50])  # imports
    tracemalloc.start()
    try:
        SVC(Gaussian(1.0)).fit(points, y)
        assert tracemalloc.get_traced_memory()[1] < 1.9 * 8 * 800**2
    finally:
        tracemalloc.stop()


def test_where_memory_ends_the_error_says_what_helps(monkeypatch):
    def full(*arguments):
        raise MemoryError

    monkeypatch.setattr("kcourse.svm.machines.KernelRows", full)
    for model, y in ((SVC(Gaussian(1.0)), TWO), (SVR(Gaussian(1.0)), Y)):
        with pytest.raises(MemoryError, match="40 points .*200 MB"):
            model.fit(X, y)


@each("solver, C, kernel", product(["newton", "smo"], CS, KERNELS))
def test_a_classifier_satisfies_the_three_cases_of_its_conditions(kernel, C, solver):
    model = SVC(kernel, C=C, tol=1e-4, solver=solver)
    assert model.fit(X, TWO) is model
    K, alpha, f = kernel(X), model.multipliers_, model.decision_function(X)
    np.testing.assert_array_equal(alpha, TWO * model.dual_coef_)
    np.testing.assert_allclose(f, K @ (alpha * TWO) + model.intercept_, rtol=1e-9, atol=1e-9)
    assert np.all((alpha >= 0) & (alpha <= C)) and abs(alpha @ TWO) < 1e-9 * alpha.sum()
    margin = TWO * f
    assert np.all(margin[alpha == 0] >= 1 - 1e-4) and np.all(margin[alpha == C] <= 1 + 1e-4)
    free = (alpha > 0) & (alpha < C)
    np.testing.assert_allclose(margin[free], 1, atol=1e-4)
    np.testing.assert_allclose(model.slacks_, np.maximum(0, 1 - margin), atol=1e-9)
    np.testing.assert_allclose((C - alpha) * model.slacks_, 0, atol=1e-4 * C)
    assert model.support_.tolist() == np.flatnonzero(alpha).tolist()
    np.testing.assert_array_equal(model.support_vectors_, X[model.support_])
    assert model.n_support_.tolist() == [np.sum(alpha[TWO == s] > 0) for s in (-1, 1)]
    assert -np.inf < model.kkt_gap_ <= 1e-4


@each("C, kernel", product(CS, KERNELS))
def test_the_primal_and_the_dual_enclose_the_optimum(kernel, C):
    model = SVC(kernel, C=C, tol=1e-6).fit(X, TWO)
    K, alpha = kernel(X), model.multipliers_
    norm2 = (alpha * TWO) @ K @ (alpha * TWO)
    assert model.norm2_ == pytest.approx(norm2, rel=1e-9)
    assert model.dual_objective_ == pytest.approx(alpha.sum() - norm2 / 2, rel=1e-9)
    loss = np.maximum(0, 1 - TWO * model.decision_function(X)).sum()
    assert model.primal_objective_ == pytest.approx(norm2 / 2 + C * loss, rel=1e-9)
    assert -1e-9 <= model.primal_objective_ - model.dual_objective_ <= 1e-6 * C * N


def test_without_a_free_support_vector_the_bias_is_an_interval():
    x, y = np.arange(4.0)[:, None], [-1, -1, 1, 1]
    model = SVC(Linear(), C=0.1).fit(x, y)
    assert model.bias_interval_ == pytest.approx((-1.0, -0.2)) and model.intercept_ == pytest.approx(-0.6)
    for b in np.linspace(-1.0, -0.2, 5):  # every b in it costs the same
        loss = np.maximum(0, 1 - y * (0.4 * x[:, 0] + b)).sum()
        assert 0.5 * 0.4**2 + 0.1 * loss == pytest.approx(0.32)
    assert 0.5 * 0.4**2 + 0.1 * np.maximum(0, 1 - y * (0.4 * x[:, 0] - 1.01)).sum() > 0.3205


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_more_classes_are_pairs_that_vote(share, monkeypatch):
    monkeypatch.setattr("kcourse.svm.machines._SHARED", share)
    model = SVC(Gaussian(1.3), C=2.0).fit(X, THREE)
    values, gaps, steps = [], [], 0
    for row, (a, b) in enumerate(combinations(range(3), 2)):
        members = (THREE == a) | (THREE == b)
        pair = SVC(Gaussian(1.3), C=2.0).fit(X[members], THREE[members])
        np.testing.assert_allclose(model.dual_coef_[row, members], pair.dual_coef_, rtol=1e-9)
        assert not model.dual_coef_[row, ~members].any() and not model.slacks_[row, ~members].any()
        np.testing.assert_allclose(model.slacks_[row, members], pair.slacks_, rtol=1e-7, atol=1e-9)
        for name in ("intercept_", "norm2_", "dual_objective_", "primal_objective_", "bias_interval_"):
            np.testing.assert_allclose(getattr(model, name)[row], getattr(pair, name), rtol=1e-9)
        values.append((a, b, pair.decision_function(XQ)))
        gaps.append(pair.kkt_gap_)
        steps += pair.n_iter_
    assert model.kkt_gap_ == pytest.approx(max(gaps), rel=1e-6, abs=1e-12) and model.n_iter_ == steps
    assert model.dual_coef_.shape == model.multipliers_.shape == (3, N) and model.intercept_.shape == (3,)
    assert model.n_support_.tolist() == [np.sum(THREE[model.support_] == k) for k in range(3)]
    f = model.decision_function(XQ)
    votes = np.zeros((6, 3))
    for a, b, value in values:
        votes[np.arange(6), np.where(value > 0, b, a)] += 1
    np.testing.assert_array_equal(np.round(f), votes)
    for k in range(3):  # the rest says how clearly
        clear = sum(v if k == b else -v for a, b, v in values if k in (a, b))
        np.testing.assert_allclose(f[:, k] - votes[:, k], clear / (3 * (np.abs(clear) + 1)), rtol=1e-9)
    np.testing.assert_array_equal(model.predict(XQ), np.argmax(f, axis=1))
    assert model.score(X, THREE) > 0.8


def test_pairs_share_one_gram_matrix_and_rows_without_weight_keep_their_places(monkeypatch):
    monkeypatch.setattr("kcourse.svm.machines.KernelRows", None)  # which would compute each pair's own
    w = (np.arange(N) % 4 != 1) * 1.0
    weighted, less = SVC(Gaussian(1.3)).fit(X, THREE, w), SVC(Gaussian(1.3)).fit(X[w > 0], THREE[w > 0])
    np.testing.assert_allclose(weighted.dual_coef_[:, w > 0], less.dual_coef_, rtol=1e-9)
    assert not weighted.dual_coef_[:, w == 0].any() and weighted.n_support_.tolist() == less.n_support_.tolist()


def test_a_class_without_weight_and_an_infinite_price_from_numpy():
    w = (THREE != 1) * 1.0
    model = SVC(Gaussian(1.0), class_weight={0: 1.0, 1: 2.0, 2: 3.0}).fit(X, THREE, w)
    assert model.classes_.tolist() == [0, 2]
    refused(r"names 7, but y has only \[0, 1, 2\]", SVC(Gaussian(1.0), class_weight={7: 1.0}).fit, X, THREE)
    assert SVC(Linear(), C=np.float32(np.inf)).fit([[0.0], [1.0]], [0, 1]).norm2_ == pytest.approx(4)


def test_the_weight_of_a_class_multiplies_its_C():
    y = np.where(X[:, 0] > 1, 1, 0)  # few ones
    model = SVC(Gaussian(1.3), C=2.0, class_weight={1: 5.0}).fit(X, y)
    assert model.multipliers_[y == 0].max() <= 2.0 and 2.0 < model.multipliers_[y == 1].max() <= 10.0
    loss = model.slacks_ * np.where(y == 1, 10.0, 2.0)
    assert model.primal_objective_ == pytest.approx(model.norm2_ / 2 + loss.sum(), rel=1e-9)
    lecture = SVC(Gaussian(1.3), C=2.0, class_weight={1: 5.0}, solver="smo", tol=1e-6).fit(X, y)
    np.testing.assert_allclose(lecture.decision_function(XQ), model.decision_function(XQ), atol=5e-3)


def test_weights_that_are_none_are_refused():
    refused("class_weight must be None, 'balanced' or a dictionary", SVC(Linear(), class_weight="even").fit, X, TWO)
    refused(r"class_weight names 7, but y has only \[-1, 1\]", SVC(Linear(), class_weight={7: 1.0}).fit, X, TWO)
    refused(r"class_weight\[1\] must be positive, got 0", SVC(Linear(), class_weight={1: 0.0}).fit, X, TWO)


@each("epsilon, C, kernel", product([0.0, 0.1, 0.6], CS, KERNELS))
def test_a_regression_satisfies_the_cases_of_its_conditions(kernel, C, epsilon):
    model = SVR(kernel, C=C, epsilon=epsilon, tol=1e-5)
    assert model.fit(X, Y) is model
    K, beta, f = kernel(X), model.dual_coef_, model.predict(X)
    np.testing.assert_allclose(f, K @ beta + model.intercept_, rtol=1e-9, atol=1e-9)
    assert np.all(np.abs(beta) <= C) and abs(beta.sum()) <= 1e-9 * max(np.abs(beta).sum(), 1.0)
    r = Y - f
    assert np.all(np.abs(r[beta == 0]) <= epsilon + 1e-5)
    free = (beta != 0) & (np.abs(beta) < C)
    np.testing.assert_allclose(r[free], epsilon * np.sign(beta[free]), atol=1e-5)
    bound = np.abs(beta) == C
    assert np.all(np.sign(beta[bound]) * r[bound] >= epsilon - 1e-5)
    np.testing.assert_allclose(model.slacks_, np.maximum(np.abs(r) - epsilon, 0), atol=1e-9)
    np.testing.assert_array_equal(model.multipliers_[0] - model.multipliers_[1], beta)
    assert np.all(model.multipliers_ >= 0) and not np.any(model.multipliers_[0] * model.multipliers_[1])
    norm2 = beta @ K @ beta
    assert model.norm2_ == pytest.approx(norm2, rel=1e-8)
    assert model.dual_objective_ == pytest.approx(Y @ beta - epsilon * np.abs(beta).sum() - norm2 / 2, rel=1e-8)
    assert model.primal_objective_ == pytest.approx(norm2 / 2 + C * model.slacks_.sum(), rel=1e-8)
    assert -1e-9 <= model.primal_objective_ - model.dual_objective_ <= 2e-5 * C * N
    assert model.kkt_gap_ <= 1e-5


def test_a_tube_as_wide_as_the_data_needs_no_support_vector():
    model = SVR(Gaussian(1.0), epsilon=3.0).fit(X, Y)
    assert len(model.support_) == 0 and model.norm2_ == 0.0 and model.kkt_gap_ < 0
    assert model.bias_interval_ == pytest.approx((Y.max() - 3.0, Y.min() + 3.0))
    np.testing.assert_array_equal(model.predict(XQ), np.full(6, model.intercept_))


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e6, 1e9])
def test_targets_of_any_scale(scale):
    model = SVR(Gaussian(1.0), C=2 * scale, epsilon=0.1 * scale, tol=1e-5 * scale).fit(X, scale * Y + 3 * scale)
    expected = SVR(Gaussian(1.0), C=2.0, epsilon=0.1, tol=1e-5).fit(X, Y).predict(XQ) + 3
    np.testing.assert_allclose(model.predict(XQ) / scale, expected, atol=1e-4)


def test_one_point_and_constant_targets():
    assert SVR(Gaussian(1.0)).fit([[1.0]], [7.0]).predict([[9.0]])[0] == pytest.approx(7)
    assert SVR(Gaussian(1.0)).fit(X, np.full(N, 7.0)).predict(XQ) == pytest.approx(np.full(6, 7.0))


def test_a_column_of_targets_is_taken_with_a_warning_and_several_are_refused():
    with pytest.warns(UserWarning, match=r"y has shape \(40, 1\); pass y\.ravel\(\)"):
        column = SVR(Gaussian(1.0)).fit(X, Y[:, None])
    np.testing.assert_array_equal(column.predict(XQ), SVR(Gaussian(1.0)).fit(X, Y).predict(XQ))
    with pytest.raises(ValueError, match=r"y has shape \(40, 2\); a support vector machine learns one target"):
        SVR(Gaussian(1.0)).fit(X, np.stack([Y, Y], axis=1))


def says(model):
    return model.decision_function(XQ) if isinstance(model, SVC) else model.predict(XQ)


def test_strings_can_be_told_apart():
    from kcourse.strings import Spectrum

    words = ["abab", "abba", "baba", "xyxy", "xyyx", "yxyx"] * 3
    model = SVC(Spectrum(k=2)).fit(words, ["ab", "ab", "ab", "xy", "xy", "xy"] * 3)
    assert model.predict(["abb", "yyx"]).tolist() == ["ab", "xy"]
    np.testing.assert_array_equal(model.support_vectors_, np.array(words, dtype=object)[model.support_])


def test_far_away_features_and_constant_ones_and_many_of_them():
    far = SVC(Gaussian(1.3), C=2.0).fit(X + 1e6, TWO)
    np.testing.assert_allclose(far.decision_function(XQ + 1e6), says(SVC(Gaussian(1.3), C=2.0).fit(X, TWO)), atol=1e-5)
    assert SVC(Linear()).fit(np.ones((N, 2)), TWO).score(np.ones((N, 2)), TWO) == max(
        np.mean(TWO == s) for s in (-1, 1)
    )
    wide = RNG.standard_normal((12, 500))
    assert SVC(Linear(), C=100.0).fit(wide, TWO[:12]).score(wide, TWO[:12]) == 1.0


def test_points_that_contradict_each_other():
    model = SVC(Gaussian(1.0), C=3.0).fit([[0.0], [0.0], [0.0]], [-1, 1, 1])
    assert model.predict([[0.0]]).tolist() == [1] and model.kkt_gap_ <= 1e-3


def test_a_fit_that_cannot_be_is_refused_before_anything_is_learned():
    refused("solver='smo' needs a finite C", SVC(Gaussian(1.0), C=np.inf, solver="smo").fit, X, TWO)
    refused("no function of this kernel separates .* Take a finite C", SVC(Linear(), C=np.inf).fit, X, TWO)
    refused("C must be finite", SVR(Gaussian(1.0), C=np.inf).fit, X, Y)


@pytest.mark.parametrize("C", [0.1, 1.0, 20.0])
def test_three_ways_to_one_solution(C):
    K = gram(Gaussian(1.3), X)
    alpha, b, n_iter = smo(K, TWO, C, tol=1e-8)
    expected = SVC(Gaussian(1.3), C=C, tol=1e-10).fit(X, TWO)
    np.testing.assert_allclose(alpha, expected.multipliers_, atol=1e-6 * C)
    np.testing.assert_allclose(svm_qp(K, TWO, C), expected.multipliers_, atol=1e-4 * C)
    low, high = expected.bias_interval_
    assert low - 1e-7 <= b <= high + 1e-7 and n_iter > 0


def test_the_lectures_smo_has_the_middle_as_bias_and_says_where_it_stops():
    x, y = np.arange(4.0)[:, None], [-1, -1, 1, 1]
    alpha, b, _ = smo(x @ x.T, y, 0.1)
    assert alpha.tolist() == [0.1] * 4 and b == pytest.approx(-0.6)
    with pytest.warns(RuntimeWarning, match=r"smo stopped after max_iter = 2 steps with a gap of .* > tol = 0.001"):
        alpha, _, n_iter = smo(gram(Gaussian(1.3), X), TWO, 1.0, max_iter=2)
    assert n_iter == 2 and 2 <= np.count_nonzero(alpha) <= 4


@each("seed", range(40))
def test_the_pair_step_is_the_best_step_of_that_pair(seed):
    rng = np.random.default_rng(seed)
    i, j = rng.choice(N, 2, replace=False)
    K, C = gram(Gaussian(1.3), X), 1.5
    alpha = C * rng.choice([0.0, 0.1, 0.5, 0.9, 1.0], N)
    new = smo_pair(K, TWO, alpha, rng.standard_normal(), C, i, j)
    changed = np.flatnonzero(new != alpha).tolist()
    assert set(changed) <= {i, j} and new @ TWO == pytest.approx(alpha @ TWO)
    assert np.all((new >= 0) & (new <= C))

    def value(a):
        return a.sum() - 0.5 * (a * TWO) @ K @ (a * TWO)

    for t in np.linspace(-2 * C, 2 * C, 401):  # along α_i y_i + α_j y_j = const
        other = alpha.copy()
        other[i] += t * TWO[i]
        other[j] -= t * TWO[j]
        if np.all((other >= 0) & (other <= C)):
            assert value(other) <= value(new) + 1e-12


def test_a_pair_of_equal_points_goes_to_the_end_of_the_box():
    K, y = np.ones((2, 2)), [1.0, -1.0]
    assert smo_pair(K, y, [0.0, 0.0], 0.0, 2.0, 0, 1).tolist() == [2.0, 2.0]
    assert smo_pair(K, [1.0, -1.0], [2.0, 2.0], 0.0, 2.0, 1, 0).tolist() == [2.0, 2.0]


def test_what_the_lectures_functions_refuse():
    refused(r"y must .* -1 and 1, got \[1.0, 2.0\]", smo, np.eye(2), [1.0, 2.0], 1.0)
    refused("y must .* -1 and 1", smo, np.eye(2), [1.0, 1.0], 1.0)
    refused("y has 3 entries and K has 2 rows", smo, np.eye(2), [1.0, -1.0, 1.0], 1.0)
    refused(r"K has shape \(2, 3\)", smo, np.ones((2, 3)), [1.0, -1.0], 1.0)
    refused("C must be positive", smo, np.eye(2), [1.0, -1.0], 0.0)
    refused("C must be positive", smo, np.eye(2), [1.0, -1.0], [1.0, 0.0])
    refused("tol must be positive", smo, np.eye(2), [1.0, -1.0], 1.0, tol=0)
    refused("C must be positive", svm_qp, np.eye(2), [1.0, -1.0], -1.0)
    refused("i = 1 and j = 1 .* 0…1", smo_pair, np.eye(2), [1.0, -1.0], [0.0, 0.0], 0.0, 1.0, 1, 1)
    refused("i = 0 and j = 2 .* 0…1", smo_pair, np.eye(2), [1.0, -1.0], [0.0, 0.0], 0.0, 1.0, 0, 2)


@pytest.mark.parametrize("n", [60, 1500])
def test_an_infinite_C_is_the_hard_margin(n):
    from kcourse.margin import MaxMargin

    rng = np.random.default_rng(0)
    points = rng.standard_normal((n, 2))
    side = points @ [1.0, 0.5]
    points = points[np.abs(side) > 0.1]
    y = np.sign(points @ [1.0, 0.5]).astype(int)
    model, widest = SVC(Linear(), C=np.inf, tol=1e-6).fit(points, y), MaxMargin().fit(points, y)
    np.testing.assert_allclose(model.decision_function(XQ[:, :2]), widest.decision_function(XQ[:, :2]), atol=1e-4)
    assert 1 / np.sqrt(model.norm2_) == pytest.approx(widest.margin_, rel=1e-4)
    assert model.primal_objective_ == pytest.approx(model.dual_objective_, rel=1e-4)
    y[0] = -y[0]
    refused("Take a finite C", SVC(Linear(), C=np.inf).fit, points, y)


def test_steps_that_do_not_suffice_are_said():
    from kcourse.dual import ConvergenceWarning

    for model, y in ((SVC(Gaussian(1.3), max_iter=2), TWO), (SVR(Gaussian(1.3), max_iter=2), Y)):
        with pytest.warns(ConvergenceWarning, match="max_iter = 2 steps"):
            assert model.fit(X, y).kkt_gap_ > 1e-3
    with pytest.warns(ConvergenceWarning, match="max_iter = 2 steps"):
        SVC(Gaussian(1.3), solver="smo", max_iter=2).fit(X, TWO)
