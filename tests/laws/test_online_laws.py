"""What holds of the on-line machines, whatever the points and their order."""

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse import Gaussian, Linear, Polynomial
from kcourse.dual import solve_dual
from kcourse.margin import KernelPerceptron
from kcourse.svm.online import BudgetPerceptron, Pegasos, pegasos_steps
from tests.laws.law import D, laws

law = laws(30)

eighths = st.integers(-24, 24).map(lambda i: i / 8)
seeds = st.integers(0, 2**16)
EXACT = [Linear(), Polynomial(degree=2)]  # eighths are multiplied and added without rounding
kernels = st.sampled_from([*EXACT, Gaussian(0.8), 2 * Gaussian(2.0) + 0.5])


@st.composite
def data(draw, n_min=3, n_max=14):
    """X (n, 2) with repeated points now and then, and labels of both classes."""
    n = draw(st.integers(n_min, n_max))
    X = draw(arrays(float, (n, D), elements=eighths))
    y = np.array([1, -1, *(draw(st.sampled_from([1, -1])) for _ in range(n - 2))])
    return X, y


def exact(K, y, C):
    """The minimum of ½‖f‖² + C Σ hinge without bias, from its dual, whose Σ β a point with φ = 0 brings to 0."""
    free = C * len(y)
    lower, upper = np.append(np.minimum(0, C * y), -free), np.append(np.maximum(0, C * y), free)
    return solve_dual(np.pad(K, (0, 1)), np.append(y, 0.0), lower, upper, tol=1e-9 * max(1.0, C)).objective


@law(data(), kernels, st.sampled_from([0.2, 1.0, 5.0]), seeds)
def test_the_objective_is_never_below_the_exact_one_and_comes_close(data, kernel, C, seed):
    X, y = data
    K, n = kernel(X), len(y)
    best = exact(K, y, C)
    model = Pegasos(kernel, C=C, epochs=2000, average=True, rng=seed).fit(X, y)
    assert model.objective_ >= best - 1e-7 * max(1.0, best)
    # E[suboptimality] is of the order of G²/(λT), and the objective here is nC times the paper's
    G2, T, lam = 4 * K.diagonal().max() + 1e-3, model.n_steps_, 1 / (n * C)
    assert model.objective_ - best <= n * C * 4 * G2 / (lam * T) + 1e-9


@law(data(), kernels, st.floats(0.1, 10.0), seeds)
def test_weights_counts_and_steps_are_one_algorithm(data, kernel, C, seed):
    X, y = data
    n = len(y)
    model = Pegasos(kernel, C=C, epochs=4, rng=seed).fit(X, y)
    order = np.random.default_rng(seed).integers(n, size=4 * n, dtype=np.int32)
    # the features of a kernel on n points: K = ΦΦᵀ
    w, V = np.linalg.eigh(kernel(X))
    Phi = V * np.sqrt(np.maximum(w, 0))
    steps = pegasos_steps(Phi, y, order, lam=1 / (n * C))
    f = kernel(X) @ model.dual_coef_
    if np.abs(y * f).min() > 1e-6 and _no_tie(Phi, y, order, n * C):
        np.testing.assert_allclose(f, Phi @ steps, rtol=1e-5, atol=1e-5)
    assert model.counts_.sum() <= 4 * n and np.all(model.counts_[np.setdiff1d(np.arange(n), order)] == 0)
    assert np.all(y * model.dual_coef_ >= 0) and np.all(
        np.abs(model.dual_coef_) <= C * n * model.counts_ / (4 * n) + 1e-12
    )


def _no_tie(Phi, y, order, nC):
    """No step stood at y f = 1 to rounding, where two right computations may differ."""
    v = np.zeros(Phi.shape[1])
    for t, i in enumerate(order):
        g = y[i] * (Phi[i] @ v) - t / nC
        if t and abs(g) < 1e-9 * max(1.0, t / nC):
            return False
        if g < 0 or t == 0:
            v += y[i] * Phi[i]
    return True


def _no_point_at_0(model, X, y):
    """No point came at f = 0 to rounding, where two right sums may call it a mistake or not; exact sums agree."""
    if model.kernel in EXACT:
        return True
    for i in range(len(y)):
        if i:
            terms = model.kernel(X[[i]], model.X_fit_) * model.dual_coef_
            if abs(terms.sum()) < 1e-9 * np.abs(terms).sum():
                return False
        model.partial_fit(X[[i]], y[[i]], classes=[-1, 1])
    return True


@law(data(), kernels, st.integers(1, 4), seeds)
def test_a_budget_that_is_never_reached_is_the_kernel_perceptron(data, kernel, epochs, seed):
    X, y = data
    rng = np.random.default_rng(seed)
    order = np.concatenate([rng.permutation(len(y)) for _ in range(epochs)])
    assume(_no_point_at_0(BudgetPerceptron(kernel, budget=len(order)), X[order], y[order]))
    whole = KernelPerceptron(kernel, epochs=epochs, shuffle=True, rng=seed).fit(X, y)
    for forget in ("oldest", "smallest"):
        options = {"epochs": epochs, "shuffle": True, "rng": seed, "forget": forget}
        model = BudgetPerceptron(kernel, budget=max(1, whole.n_updates_), **options).fit(X, y)
        assert model.n_updates_ == whole.n_updates_
        np.testing.assert_allclose(model.decision_function(X), whole.decision_function(X), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(len(model.dual_coef_), whole.n_updates_)


@law(data(), kernels, st.integers(1, 6), st.sampled_from(["oldest", "smallest"]), st.data())
def test_a_stream_may_be_cut_anywhere_and_the_memory_stays_in_its_budget(data, kernel, budget, forget, more):
    X, y = data
    cut = more.draw(st.integers(1, len(y) - 1))
    assume(_no_point_at_0(BudgetPerceptron(kernel, budget=budget, forget=forget), X, y))
    whole = BudgetPerceptron(kernel, budget=budget, forget=forget).partial_fit(X, y, classes=[-1, 1])
    parts = BudgetPerceptron(kernel, budget=budget, forget=forget).partial_fit(X[:cut], y[:cut], classes=[-1, 1])
    assert len(parts.dual_coef_) <= budget
    parts.partial_fit(X[cut:], y[cut:])
    assert len(parts.dual_coef_) == len(whole.dual_coef_) <= budget and parts.n_updates_ == whole.n_updates_
    np.testing.assert_array_equal(parts.X_fit_, whole.X_fit_)
    assert np.all(np.abs(parts.dual_coef_) == 1)


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear()], ids=repr)
def test_more_steps_come_closer_to_the_machine_without_bias(kernel):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((120, 3))
    y = np.where(X[:, 0] + X[:, 1] ** 2 - 0.8 + 0.4 * rng.standard_normal(120) > 0, 1, -1)
    K, C = kernel(X), 0.5
    best = exact(K, y, C)
    gaps = []
    for epochs in (4, 40, 400):
        runs = [Pegasos(kernel, C=C, epochs=epochs, average=True, rng=s).fit(X, y).objective_ for s in range(5)]
        gaps.append(np.mean(runs) / best - 1)
    assert gaps[0] > 4 * gaps[1] > 16 * gaps[2] > 0 and gaps[2] < 1e-3
