"""kcourse.svm.online: Pegasos step by step and as a machine, and the perceptron with a memory of fixed size."""

import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest

from kcourse import Gaussian, Linear, Polynomial
from kcourse.base.estimator import NotFittedError
from kcourse.svm.online import BudgetPerceptron, Pegasos, pegasos_steps
from tests.rows import each
from tests.unit.refused import refused

RNG = np.random.default_rng(0)
N, D = 70, 3
X = RNG.standard_normal((N, D)) + 0.2
Y = np.where(X @ [1.0, -2.0, 0.5] + 0.5 * RNG.standard_normal(N) > 0, 1, -1)
XQ = RNG.standard_normal((9, D))
XOR, YXOR = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([-1, 1, 1, -1])


def by_hand(X, y, order, lam):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        if y[i] * (w @ X[i]) < 1:
            w = (1 - eta * lam) * w + eta * y[i] * X[i]
        else:
            w = (1 - eta * lam) * w
    return w


def test_the_steps_are_those_of_the_text():
    order = RNG.integers(N, size=300)
    np.testing.assert_allclose(pegasos_steps(X, Y, order, lam=0.03), by_hand(X, Y, order, 0.03), rtol=1e-10)
    np.testing.assert_array_equal(pegasos_steps(X, Y, [], lam=0.1), np.zeros(D))
    np.testing.assert_allclose(pegasos_steps(X, Y, [4], lam=0.1), Y[4] * X[4] / 0.1)


def test_steps_need_a_path_and_labels():
    refused("lam must be positive, got 0", pegasos_steps, X=X, y=Y, order=[0, 1], lam=0)
    refused(r"order has 0 … 70; it may name the rows 0 … 69 of X", pegasos_steps, X=X, y=Y, order=[0, N], lam=0.1)
    refused("order has -1 … -1", pegasos_steps, X=X, y=Y, order=[-1], lam=0.1)
    refused(r"order must be \(T,\) whole numbers", pegasos_steps, error=TypeError, X=X, y=Y, order=[0.5], lam=0.1)
    refused(r"got shape \(1, 1\)", pegasos_steps, error=TypeError, X=X, y=Y, order=[[1]], lam=0.1)
    refused("y has 69 entries and X has 70 rows", pegasos_steps, X=X, y=Y[:-1], order=[0, 1], lam=0.1)
    refused("y has 0; the steps need -1 and 1", pegasos_steps, X=X, y=Y > 0, order=[0, 1], lam=0.1)
    refused("y has -?2; the steps need -1 and 1", pegasos_steps, X=X, y=2 * Y, order=[0, 1], lam=0.1)


@pytest.mark.parametrize("C, epochs", list(product([0.01, 1.0, 30.0], [1, 7])))
def test_the_machine_takes_the_steps_of_the_text(C, epochs):
    order = np.random.default_rng(4).integers(N, size=epochs * N)
    w = by_hand(X, Y, order, 1 / (N * C))
    model = Pegasos(C=C, epochs=epochs, rng=4)
    assert model.fit(X, Y) is model and model.n_steps_ == epochs * N
    np.testing.assert_allclose(model.weights_, w, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.decision_function(XQ), XQ @ w, atol=1e-9)
    np.testing.assert_allclose(X.T @ model.dual_coef_, w, rtol=1e-8, atol=1e-10)
    hinge = np.maximum(0, 1 - Y * (X @ w)).sum()
    assert model.objective_ == pytest.approx(0.5 * w @ w + C * hinge, rel=1e-9)
    np.testing.assert_allclose(model.dual_coef_, Y * model.counts_ / (model.n_steps_ / (N * C)), rtol=1e-12)
    assert model.support_.tolist() == np.flatnonzero(model.counts_).tolist()


@pytest.mark.parametrize("average", [False, True])
def test_weights_and_counts_are_the_same_machine(average):
    options = {"C": 0.7, "epochs": 9, "average": average, "rng": 3}
    primal = Pegasos(**options).fit(X, Y)
    dual = Pegasos(lambda A, B: A @ B.T, **options).fit(X, Y)
    np.testing.assert_array_equal(dual.counts_, primal.counts_)
    np.testing.assert_allclose(dual.dual_coef_, primal.dual_coef_, rtol=1e-12)
    assert dual.objective_ == pytest.approx(primal.objective_, rel=1e-9)
    np.testing.assert_allclose(dual.decision_function(XQ), primal.decision_function(XQ), atol=1e-10)
    assert not hasattr(dual, "weights_")
    primal.kernel = Gaussian()
    assert not hasattr(primal.fit(X, Y), "weights_")


def test_the_average_is_that_of_the_second_half():
    order = np.random.default_rng(1).integers(N, size=5 * N)
    lam = 1 / (N * 0.4)
    path = np.array([by_hand(X, Y, order[:t], lam) for t in range(1, 5 * N + 1)])
    model = Pegasos(C=0.4, epochs=5, average=True, rng=1).fit(X, Y)
    np.testing.assert_allclose(model.weights_, path[5 * N // 2 :].mean(axis=0), rtol=1e-9, atol=1e-12)
    for steps in (1, 2, 3, 64, 65, 200):
        np.testing.assert_allclose(X.T @ model.dual_coef_at(steps), path[steps - 1], atol=1e-9)
        half = path[steps // 2 : steps].mean(axis=0)
        np.testing.assert_allclose(X.T @ model.dual_coef_at(steps, average=True), half, atol=1e-9)


def test_one_run_holds_the_whole_path():
    long = Pegasos(Gaussian(1.0), epochs=8, rng=2).fit(X, Y)
    short = Pegasos(Gaussian(1.0), epochs=3, rng=2).fit(X, Y)
    np.testing.assert_array_equal(long.dual_coef_at(3 * N), short.dual_coef_)
    for steps, kind, message in [
        (0, ValueError, "steps must be at least 1"),
        (8 * N + 1, ValueError, f"steps is {8 * N + 1}, .*{8 * N}; fit with more epochs"),
        (2.5, TypeError, "steps must be an integer"),
    ]:
        refused(message, long.dual_coef_at, steps, error=kind)
    with pytest.raises(NotFittedError):
        Pegasos().dual_coef_at(1)


def test_the_hinge_is_one_minus_y_f():
    # all points on the right side, far out: the objective has no losses left, and w shrinks until they support
    model = Pegasos(C=1.0, epochs=2000).fit([[10.0], [-10.0]], [1, -1])
    assert model.weights_[0] == pytest.approx(0.1, rel=0.02) and model.objective_ == pytest.approx(0.005, rel=0.1)


def test_a_constant_in_the_kernel_is_a_penalised_bias():
    shifted = X + 3
    none, some = (Pegasos(k, epochs=40).fit(shifted, Y) for k in (Linear(), Linear() + 9))
    assert some.objective_ < none.objective_ and some.score(shifted, Y) > none.score(shifted, Y)


def test_labels_are_two_and_points_finite():
    for y, message in [(np.arange(N) % 3, "Only binary classification"), (np.ones(N, int), "one class only")]:
        refused(message, Pegasos().fit, X, y)
    refused("the kernel overflows on these points; scale X", Pegasos(Polynomial(degree=9)).fit, 1e100 * X, Y)
    refused("X has entries beyond ±1e140, whose squares overflow; scale X down", Pegasos().fit, 1e200 * X, Y)


@pytest.mark.parametrize("scale", [1e-100, 1e-5, 1e5, 1e100])
def test_units_of_x_are_units_of_the_root_of_1_over_c(scale):
    one, other = Pegasos(C=0.5).fit(X, Y), Pegasos(C=0.5 / scale**2).fit(scale * X, Y)
    np.testing.assert_allclose(other.decision_function(scale * XQ), one.decision_function(XQ), rtol=1e-6)


def stream_by_hand(kernel, X, y, budget, forget):
    """One point at a time, with a list."""
    memory, mistakes = [], 0
    for x, label in zip(X, y, strict=True):
        f = sum(c * kernel([x], [z])[0, 0] for z, c in memory)
        if label * f > 0:
            continue
        mistakes += 1
        memory.append((x, label))
        if len(memory) > budget:
            others = [
                c * sum(e * kernel([z], [v])[0, 0] for j, (v, e) in enumerate(memory) if j != i)
                for i, (z, c) in enumerate(memory)
            ]
            memory.pop(0 if forget == "oldest" else int(np.argmax(others >= np.max(others) - 1e-9)))
    return memory, mistakes


@each("forget, budget, kernel", product(["oldest", "smallest"], [1, 2, 5, 13, 1000], [Gaussian(0.7), Polynomial()]))
def test_the_stream_is_that_of_the_definition_in_whatever_portions_it_comes(kernel, budget, forget):
    X, Y = np.tile(np.random.default_rng(8).standard_normal((80, 2)), (2, 1)), np.tile(np.arange(80) % 2 * 2 - 1, 2)
    memory, mistakes = stream_by_hand(kernel, X, Y, budget, forget)
    once = BudgetPerceptron(kernel, budget=budget, forget=forget).fit(X, Y)
    parts = BudgetPerceptron(kernel, budget=budget, forget=forget)
    for part in np.split(np.arange(160), [1, 2, 40, 41, 130]):
        assert parts.partial_fit(X[part], Y[part], classes=[-1, 1]) is parts
    twice = BudgetPerceptron(kernel, budget=budget, forget=forget, epochs=2).fit(X[:80], Y[:80])
    for model in (once, parts, twice):
        np.testing.assert_array_equal(model.X_fit_, [x for x, _ in memory])
        np.testing.assert_array_equal(model.dual_coef_, [c for _, c in memory])
        assert model.n_updates_ == mistakes and model.n_seen_ == 160 and len(model.dual_coef_) <= budget
    np.testing.assert_allclose(once.decision_function(X[:9]), kernel(X[:9], once.X_fit_) @ once.dual_coef_)


def test_which_one_is_forgotten():
    # f = 0 at the first point; then mistakes at 3 (f < 0) and at 0.2
    x, y = [[0.0], [3.0], [2.9], [0.2]], [1, -1, -1, -1]
    kinds = {f: BudgetPerceptron(Gaussian(1.0), budget=2, forget=f).fit(x, y) for f in ("oldest", "smallest")}
    assert kinds["oldest"].X_fit_.ravel().tolist() == [3.0, 0.2] and kinds["oldest"].n_updates_ == 3
    # the one at 3 is what the one at 0.2 says already: y f without its own vote is the largest there
    assert kinds["smallest"].X_fit_.ravel().tolist() == [0.0, 0.2]


def test_a_stream_knows_its_classes_from_the_first_part_on():
    model = BudgetPerceptron(Gaussian(1.0))
    refused("y has one class only, 'a': at the first partial_fit pass classes=", model.partial_fit, [[0.0]], ["a"])
    with pytest.raises(NotFittedError):
        model.predict([[0.0]])
    model.partial_fit([[0.0]], ["b"], classes=["b", "a"])
    assert model.classes_.tolist() == ["a", "b"] and model.predict([[0.1]]).tolist() == ["b"]
    model.partial_fit([[1.0]], ["a"])
    model.partial_fit([[1.0]], ["a"], classes=np.array(["a", "b"]))
    for y, classes, message in [
        (["c"], None, r"y has the label 'c', .* classes \['a', 'b'\]"),
        (["a"], ["a", "c"], r"classes is \['a', 'c'\], .* \['a', 'b'\] at the first call"),
        (["a"], ["a"], "one class only"),
        (["a"], ["a", "b", "c"], "Only binary classification is supported"),
        (["a", "b"], None, "y has 2 entries and X has 1 rows"),
    ]:
        refused(message, model.partial_fit, [[1.0]], y, classes=classes)
    assert model.n_seen_ == 3
    both = BudgetPerceptron(Gaussian(1.0)).partial_fit(X, Y)
    np.testing.assert_array_equal(both.dual_coef_, BudgetPerceptron(Gaussian(1.0)).fit(X, Y).dual_coef_)


def test_a_new_fit_starts_with_an_empty_memory_and_a_part_goes_on():
    model = BudgetPerceptron(Gaussian(1.0), budget=10).fit(X, Y)
    again = model.fit(X[:20], Y[:20])
    assert again.n_seen_ == 20
    fresh = BudgetPerceptron(Gaussian(1.0), budget=10).fit(X[:20], Y[:20])
    np.testing.assert_array_equal(again.decision_function(XQ), fresh.decision_function(XQ))
    fresh.partial_fit(X[20:], Y[20:])
    whole = BudgetPerceptron(Gaussian(1.0), budget=10).fit(X, Y)
    np.testing.assert_array_equal(fresh.decision_function(XQ), whole.decision_function(XQ))


def test_a_part_that_fails_leaves_the_memory_as_it_was():
    model = BudgetPerceptron(Gaussian(1.0), budget=5).fit(X, Y)
    f, seen = model.decision_function(XQ), model.n_seen_
    for A, y in [(X[:, :2], Y), (np.full_like(X, np.nan), Y), (X, Y[:3]), (X, np.where(Y > 0, 7, -1))]:
        with pytest.raises(ValueError):
            model.partial_fit(A, y)
    model.set_params(budget=0)
    refused("budget must be at least 1, got 0", model.partial_fit, X, Y)
    assert model.n_seen_ == seen
    np.testing.assert_array_equal(model.decision_function(XQ), f)


def test_a_smaller_budget_takes_effect_at_the_next_mistake():
    model = BudgetPerceptron(Polynomial(degree=2), budget=50).fit(XOR, YXOR)
    assert len(model.dual_coef_) == 4
    model.set_params(budget=2)
    model.partial_fit([[3.0, 1.0]], [1])
    assert len(model.dual_coef_) == 2 and model.X_fit_[-1].tolist() == [3.0, 1.0]


def test_the_caller_keeps_arrays_of_its_own():
    mine, y = X.copy(), Y.copy()
    model = BudgetPerceptron(Gaussian(1.0)).partial_fit(mine, y)
    f = model.decision_function(XQ)
    mine[:], y[:] = 0, 1
    np.testing.assert_array_equal(model.decision_function(XQ), f)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(XQ), f)


def test_column_names_are_held_against_later_parts():
    frame = pd.DataFrame(X, columns=list("abc"))
    model = BudgetPerceptron(Gaussian(1.0)).partial_fit(frame, Y)
    assert model.feature_names_in_.tolist() == list("abc")
    model.partial_fit(frame, Y)
    refused("feature names", model.partial_fit, frame[["b", "a", "c"]], Y)


def test_shuffling_draws_an_order_for_each_pass():
    rng = np.random.default_rng(6)
    order = np.concatenate([rng.permutation(N) for _ in range(3)])
    model = BudgetPerceptron(Gaussian(1.0), budget=7, epochs=3, shuffle=True, rng=6).fit(X, Y)
    plain = BudgetPerceptron(Gaussian(1.0), budget=7).fit(X[order], Y[order])
    np.testing.assert_array_equal(model.X_fit_, plain.X_fit_)
