"""kcourse.dual: the quadratic program, its certificate, and that every solution meets the tolerance it claims."""

import warnings
from itertools import combinations, product

import numpy as np
import pytest

from kcourse.dual import (
    ConvergenceWarning,
    DualSolution,
    KernelRows,
    UnboundedDualError,
    certify,
    kkt_slopes,
    solve_dual,
    solve_many,
    solver,
)
from kcourse.dual.active_set import climb
from kcourse.dual.ascent import snapped
from kcourse.dual.block import Block
from kcourse.kernels import Gaussian, Linear, Polynomial, Precomputed, gram
from tests.reference.svm_problems import problem
from tests.rows import each
from tests.unit.refused import refused

INF = np.inf


def classifier_box(y, C):
    return np.minimum(0.0, C * y), np.maximum(0.0, C * y)


def true_gap(K, p, lower, upper, beta, epsilon=0.0):
    """The KKT gap by its definition, one multiplier after another."""
    f = p - K @ beta
    up = [f_i - (epsilon if b >= 0 else -epsilon) for f_i, b, B in zip(f, beta, upper, strict=True) if b < B]
    lo = [f_i - (epsilon if b > 0 else -epsilon) for f_i, b, A in zip(f, beta, lower, strict=True) if b > A]
    return max(up) - min(lo) if up and lo else -INF


def objective(K, p, beta, epsilon=0.0):
    return p @ beta - epsilon * np.abs(beta).sum() - 0.5 * beta @ K @ beta


def random_problem(seed):
    """A small problem of any kind: classes or values, any scale, points that are equal, dense or sparse solutions."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 70)), int(rng.integers(1, 5))
    X = rng.standard_normal((n, d)) * 10 ** rng.uniform(-1, 1)
    if seed % 3 == 0:
        X = X[rng.integers(n, size=n)]
    if seed % 7 == 0:
        X = np.round(X)
    kernel = Linear() if seed % 5 == 0 else Gaussian(10 ** rng.uniform(np.log10(0.03), np.log10(30)))
    C = 10 ** rng.uniform(-2, 5)
    if seed % 2:
        p = np.where(X[:, 0] + rng.standard_normal(n) > 0, 1.0, -1.0)
        p[0], p[-1] = -1.0, 1.0
        return gram(kernel, X), p, *classifier_box(p, C), 0.0
    p = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
    return gram(kernel, X), p, np.full(n, -C), np.full(n, C), (0.0, 0.1, 0.5)[seed % 3]


@pytest.mark.parametrize("block", range(5))
def test_the_gap_meets_the_tolerance_on_600_random_problems(block):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(120 * block, 120 * (block + 1)):
            K, p, lower, upper, epsilon = random_problem(seed)
            solution = solve_dual(K, p, lower, upper, epsilon=epsilon, tol=1e-3)
            beta = solution.beta
            assert true_gap(K, p, lower, upper, beta, epsilon) <= 1e-3, seed
            assert np.all((beta >= lower) & (beta <= upper)), seed
            assert abs(beta.sum()) <= 1e-11 * max(np.abs(beta).sum(), 1e-300), seed
            np.testing.assert_allclose(solution.f, p - K @ beta, rtol=1e-9, atol=1e-7 * np.abs(p).max())


def test_a_small_tolerance_is_met_too():
    for seed in range(1, 60, 2):
        K, p, lower, upper, epsilon = random_problem(seed)
        if upper.max() > 1e3:
            continue
        solution = solve_dual(K, p, lower, upper, epsilon=epsilon, tol=1e-7)
        assert true_gap(K, p, lower, upper, solution.beta, epsilon) <= 1e-7, seed


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_no_other_feasible_point_is_better(epsilon):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 2))
    K, p = gram(Gaussian(0.8), X), np.sin(2 * X[:, 0])
    lower, upper = np.full(30, -0.7), np.full(30, 0.7)
    best = solve_dual(K, p, lower, upper, epsilon=epsilon, tol=1e-9)
    assert best.objective == pytest.approx(objective(K, p, best.beta, epsilon), rel=1e-12)
    for _ in range(300):
        other = best.beta + 10 ** rng.uniform(-6, 0) * rng.standard_normal(30)
        other = np.clip(other - other.mean(), lower, upper)
        other -= other.mean()
        if np.all((other >= lower) & (other <= upper)):
            assert objective(K, p, other, epsilon) <= best.objective + 1e-12


def many_points(n=1500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    y = np.where(np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)
    return X, y


@pytest.mark.parametrize("C", [0.1, 5.0, 300.0])
def test_rows_on_demand_solve_the_same_problem(C):
    X, y = many_points()
    lower, upper = classifier_box(y, C)
    K = gram(Gaussian(0.7), X)
    rows = KernelRows(Gaussian(0.7).on_points(X))
    on_demand, whole = solve_dual(rows, y, lower, upper), solve_dual(K, y, lower, upper)
    assert true_gap(K, y, lower, upper, on_demand.beta) <= 1e-3
    assert on_demand.objective == pytest.approx(whole.objective, rel=1e-4)
    assert rows.computed < 1400  # and it did not need them all


@pytest.mark.parametrize(
    ("kind", "kernel"),
    [
        *((kind, k) for kind in ("classes", "unbalanced", "values") for k in (Gaussian(0.7), Linear())),
        ("repeated", Polynomial(degree=2)),
        ("unbalanced", Gaussian(0.1)),  # more free multipliers than a block holds
    ],
    ids=repr,
)
def test_with_room_for_few_rows_only_the_same_problem_is_solved(kernel, kind, monkeypatch):
    X, y = many_points(1400, seed=1)
    if kind == "repeated":
        X = X[np.arange(1400) % 70]
    if kind == "unbalanced":
        y = np.where(np.arange(1400) % 20 == 0, 1.0, -1.0)
    box, epsilon = classifier_box(y, 1.0), 0.0
    if kind == "values":
        y, box, epsilon = y + X[:, 0], (np.full(1400, -1.0), np.full(1400, 1.0)), 0.3
    rows, sizes, kept = KernelRows(kernel.on_points(X), room=2e6), [], []
    block, times = KernelRows.block, KernelRows.times
    monkeypatch.setattr(KernelRows, "block", lambda self, W: sizes.append(len(W)) or block(self, W))
    monkeypatch.setattr(KernelRows, "times", lambda self, S, d: kept.append(self._kept.nbytes) or times(self, S, d))
    solution = solve_dual(rows, y, *box, epsilon=epsilon)
    assert true_gap(gram(kernel, X), y, *box, solution.beta, epsilon) <= 1e-3
    assert max(sizes) <= 250 and max(kept) <= 1e6


def test_rows_that_are_thrown_away_are_computed_again_and_right():
    X, _ = many_points(300)
    K, rng = gram(Gaussian(0.7), X), np.random.default_rng(0)
    rows = KernelRows(Gaussian(0.7).on_points(X), room=16 * 300 * 20)  # twenty of them are kept
    for size in (5, 30, 3, 300, 12, 12, 40, 1):
        S = rng.choice(300, size, replace=False)
        d = rng.standard_normal(size)
        np.testing.assert_allclose(rows.times(S, d), K[:, S] @ d, rtol=0, atol=1e-12)
        before = rows.computed
        rows.times(S, d)
        assert rows.computed - before == max(0, size - 20)  # those used last are the ones that are kept
        np.testing.assert_allclose(rows.sizes(S, d), np.abs(K[:, S]) @ np.abs(d), rtol=1e-12)


@pytest.mark.parametrize(
    "order", ["sorted by class", "sorted by x", "two of a class", "two of a class, one of them seen", "all equal"]
)
def test_the_first_guess_may_be_bad(order):
    X, y = many_points(1201 if "seen" in order else 1200, seed=3)
    if "two" in order:  # a quarter of the points with four times the box cannot be like all of them
        y[:] = -1.0
        y[[5, 700]] = 1.0
    if order == "all equal":
        X[:] = 1.0
    by = np.argsort(y if order == "sorted by class" else X[:, 0], kind="stable") if "sorted" in order else slice(None)
    X, y = X[by], y[by]
    lower, upper = classifier_box(y, 0.2)
    solution = solve_dual(KernelRows(Gaussian(0.7).on_points(X)), y, lower, upper)
    assert true_gap(gram(Gaussian(0.7), X), y, lower, upper, solution.beta) <= 1e-3
    assert abs(solution.beta.sum()) <= 1e-11 * np.abs(solution.beta).sum()


@pytest.mark.parametrize("problem", ["classes", "values"])
def test_the_first_guess_is_good_where_most_multipliers_are_at_their_bound(problem):
    X, y = many_points(2000)
    K, C, epsilon = gram(Gaussian(0.7), X), 0.2, 0.0
    lower, upper = classifier_box(y, C)
    if problem == "values":
        y, epsilon, lower, upper = y + X[:, 0], 0.3, np.full(2000, -C), np.full(2000, C)
    best = solve_dual(K, y, lower, upper, epsilon=epsilon)
    W, beta, _ = solver._guess(KernelRows(Gaussian(0.7).on_points(X)), y, lower, upper, epsilon, 1e-3, 10**6)
    assert np.all((beta >= lower) & (beta <= upper)) and abs(beta.sum()) < 1e-9
    assert objective(K, y, beta, epsilon) > (0.7 if problem == "classes" else 0.0) * best.objective
    assert len(W) < 1500 and np.mean(np.isin(np.flatnonzero(best.beta), W)) > 0.7


@pytest.mark.parametrize("epsilon", [0.0, 0.4])
def test_each_step_is_the_best_of_its_pair_up_to_the_first_corner(epsilon):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 2))
    K, p = gram(Gaussian(1.0), X), 2 * rng.standard_normal(12)
    lower, upper, stopped_at_0 = np.full(12, -1.0), np.full(12, 1.0), 0
    for turn in range(300):
        if turn % 20 == 0:
            beta = rng.uniform(-0.5, 0.5, 12)
            beta -= beta.mean()
        block = Block(K, beta, p - K @ beta, lower, upper, epsilon)
        block.stayed = 99 * (turn % 2)  # both ways to choose the pair
        block.smo(1e-9, 1)
        new = np.array(block.beta)
        np.testing.assert_allclose(block.slopes, kkt_slopes(new, p - K @ new, lower, upper, epsilon), atol=1e-12)
        d = new - beta
        assert np.count_nonzero(d) == 2 and d.sum() == pytest.approx(0, abs=1e-15)
        values = [objective(K, p, beta + t * d, epsilon) for t in np.linspace(0, 1, 21)]
        assert np.all(np.diff(values) >= -1e-13)  # uphill all the way
        crossed = (beta != 0) & (new != 0) & (np.sign(beta) != np.sign(new))
        assert not epsilon or not crossed.any()  # and over no kink
        for corner in (-1.0, 0.0, 1.0) if epsilon else (-1.0, 1.0):  # a corner is met exactly
            assert np.all((np.abs(new - corner) > 1e-12) | (new == corner))
        stopped_at_0 += np.any((beta != 0) & (new == 0))
        beta = new
    assert stopped_at_0 > 3 or not epsilon


def test_the_best_partner_saves_steps(monkeypatch):
    X, y = many_points(400)
    K, box = gram(Gaussian(0.7), X), classifier_box(y, 1000.0)
    steps = solve_dual(K, y, *box).n_iter
    monkeypatch.setattr("kcourse.dual.block._FEW", 10**9)
    assert solve_dual(K, y, *box).n_iter > 1.05 * steps


def test_what_is_at_a_corner_up_to_rounding_is_put_there():
    beta = np.array([1e-17, -3e-16, 0.5, 2.0 - 4e-16, -1.0 + 2e-16, 1e-10])
    lower, upper = np.full(6, -1.0), np.full(6, 2.0)
    assert snapped(beta, lower, upper, np.ones(6)).tolist() == [0.0, 0.0, 0.5, 2.0, -1.0, 1e-10]
    assert snapped(beta, lower, np.full(6, INF), np.ones(6)).tolist() == [
        0.0, 0.0, 0.5, 2.0 - 4e-16, -1.0, 1e-10,
    ]  # fmt: skip
    # 1e-17 of a point with √k(x, x) = 1e9 is no rounding: it moves f
    scale = np.array([1e9, 1.0, 1.0, 1.0, 1.0, 1.0])
    assert snapped(beta, lower, upper, scale).tolist() == [1e-17, 0.0, 0.5, 2.0, -1.0, 1e-10]


@pytest.mark.parametrize("epsilon", [0.0, 0.4])
def test_newton_puts_the_free_multipliers_where_they_are_best_and_keeps_to_the_box(epsilon):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((30, 2))
    K, p = gram(Gaussian(1.0), X), 2 * rng.standard_normal(30)
    lower, upper = np.full(30, -1.0), np.full(30, 1.0)
    for size in (0.01, 0.3, 0.9):
        beta = size * rng.uniform(-1, 1, 30)
        beta[:4] = 0.0, 1.0, -1.0, 0.0
        beta[4:] -= beta[4:].mean()
        beta[4:] *= 0.9
        block = Block(K, beta, p - K @ beta, lower, upper, epsilon)
        assert block.newton()
        new = np.array(block.beta)
        assert np.all((new >= lower) & (new <= upper)) and new.sum() == pytest.approx(0, abs=1e-13)
        assert objective(K, p, new, epsilon) > objective(K, p, beta, epsilon)
        np.testing.assert_allclose(block.slopes, kkt_slopes(new, p - K @ new, lower, upper, epsilon), atol=1e-9)
        if epsilon:  # the four at a corner stay where they were, and no other crosses 0
            assert new[:4].tolist() == beta[:4].tolist() and not np.any(new * beta < 0)
        else:
            assert new[1:3].tolist() == beta[1:3].tolist()
        f = (p - K @ new - epsilon * np.sign(new))[(np.abs(new) < 1) & (new != 0)]
        if len(f):  # what is free is at its best
            np.testing.assert_allclose(f, f.mean(), atol=1e-6)


def test_a_multiplier_that_is_0_up_to_rounding_is_0():
    # of many equal points the last one may end at 1e-17, which would make b look unique
    X = np.zeros((13, 2))
    X[[0, 6, 8, 12], 1], X[6, 0] = (-0.8125, 1.0, 1.6875, 0.0625), 0.0625
    for sign in (1.0, -1.0):
        y = -sign * np.ones(13)
        y[[1, 8]] = sign
        interval = solve_dual(gram(Linear(), X), y, *classifier_box(y, 1.0), tol=1e-9).bias_interval
        assert interval[1] - interval[0] == pytest.approx(0.0390625)


def test_working_sets_of_a_few_points_lead_there_too(monkeypatch):
    monkeypatch.setattr(solver, "_WHOLE", 20)
    monkeypatch.setattr(solver, "_SET", 8)
    for seed in range(40):
        K, p, lower, upper, epsilon = random_problem(seed)
        if upper.max() > 1e3:
            continue
        n = len(p)
        rows = KernelRows(Precomputed(K).on_points(np.arange(n)[:, None]))
        solution = solve_dual(rows, p, lower, upper, epsilon=epsilon)
        assert true_gap(K, p, lower, upper, solution.beta, epsilon) <= 1e-3, seed


def test_the_hard_margin_is_the_box_without_a_lid():
    X, y = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1.0, 1.0, -1.0])
    solution = solve_dual(gram(Linear(), X), y, *np.where(y > 0, [[0.0], [INF]], [[-INF], [0.0]]))
    np.testing.assert_allclose(solution.beta, [0.25, 0.0, -0.25], atol=1e-15)
    assert solution.objective == pytest.approx(0.25) and solution.bias_interval == pytest.approx((-2.0, -2.0))


@pytest.mark.parametrize("seed", range(6))
def test_random_hard_margins(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40 * (seed + 1), 3))
    y = np.where(X @ [1.0, 2.0, -1.0] > 0.1, 1.0, -1.0)
    box = np.where(y > 0, [[0.0], [INF]], [[-INF], [0.0]])
    solution = solve_dual(gram(Linear(), X), y, *box, tol=1e-6)
    w, b = X.T @ solution.beta, sum(solution.bias_interval) / 2
    assert np.min(y * (X @ w + b)) == pytest.approx(1, abs=1e-5)
    assert np.abs(solution.beta).sum() == pytest.approx(w @ w, rel=1e-4)  # Σα = ‖w‖²
    y[np.argmax(X @ w)] *= -1
    with pytest.raises(UnboundedDualError, match="no function of this kernel separates the two classes"):
        solve_dual(gram(Linear(), X), y, *np.where(y > 0, [[0.0], [INF]], [[-INF], [0.0]]))


def test_a_narrow_margin_is_no_overlap():
    for width in (1e-1, 1e-3, 1e-5):
        X, y = np.array([[0.0, 0], [0, 1], [width, 0], [width, 1]]), np.array([1.0, 1, -1, -1])
        solution = solve_dual(gram(Linear(), X), y, *np.where(y > 0, [[0.0], [INF]], [[-INF], [0.0]]))
        assert solution.objective == pytest.approx(2 / width**2)  # ½‖w‖² with 2/‖w‖ = width


def test_problems_with_one_point_without_room_or_with_a_kernel_of_zeros():
    assert solve_dual(np.eye(1), [1.0], [0.0], [5.0]).beta.tolist() == [0.0]
    solution = solve_dual(np.eye(3), [1.0, -1.0, 2.0], np.zeros(3), np.zeros(3))
    assert solution.beta.tolist() == [0.0, 0.0, 0.0] and solution.gap == -INF
    fixed = solve_dual(np.eye(3), [1.0, -1.0, 9.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0])
    assert fixed.beta.tolist() == [1.0, -1.0, 0.0]  # the third may not move
    solution = solve_dual(np.zeros((4, 4)), [1.0, 1.0, -1.0, -1.0], *classifier_box(np.array([1.0, 1, -1, -1]), 2.0))
    assert solution.beta.tolist() == [2.0, 2.0, -2.0, -2.0]  # nothing holds it back


def test_too_few_steps_give_a_warning_that_says_how_far_it_got():
    K, p, lower, upper, _ = random_problem(1)
    with pytest.warns(ConvergenceWarning, match=r"after 3 steps with a gap of .* > tol = 0.001: max_iter = 3 steps"):
        solution = solve_dual(K, p, lower, upper, max_iter=3)
    assert solution.gap > 1e-3 and solution.n_iter == 3
    assert solution.gap == pytest.approx(true_gap(K, p, lower, upper, solution.beta))


def test_rounding_that_hides_the_tolerance_ends_with_a_warning():
    X = np.random.default_rng(0).standard_normal((30, 2))
    y = np.where(np.random.default_rng(1).random(30) > 0.5, 1.0, -1.0)
    with pytest.warns(ConvergenceWarning, match="rounding hides the rest"):
        solve_dual(1e12 * gram(Linear(), X), y, *classifier_box(y, 1e6), tol=1e-9)


def test_a_problem_that_is_none_or_overflows_is_refused():
    refused(r"p has shape \(1,\); expected \(2,\)", solve_dual, np.eye(2), [1.0], [0.0, 0.0], [1.0, 1.0])
    refused(r"lower has shape \(1,\)", solve_dual, np.eye(2), [1.0, -1.0], [0.0], [1.0, 1.0])
    refused("lower must be ≤ 0 ≤ upper", solve_dual, np.eye(2), [1.0, -1.0], [0.0, 0.5], [1.0, 1.0])
    refused("lower must be ≤ 0 ≤ upper", solve_dual, np.eye(2), [1.0, -1.0], [0.0, 0.0], [1.0, -1.0])
    with pytest.raises(ValueError, match="the kernel overflows on these points; scale X down"):
        solve_dual(np.full((2, 2), INF), [1.0, -1.0], [0.0, -1.0], [1.0, 0.0])


def test_the_arguments_are_left_alone():
    K, p, lower, upper, epsilon = random_problem(3)
    kept = [a.copy() for a in (K, p, lower, upper)]
    for a in (K, p, lower, upper):
        a.setflags(write=False)
    solve_dual(K, p, lower, upper, epsilon=epsilon)
    for a, before in zip((K, p, lower, upper), kept, strict=True):
        np.testing.assert_array_equal(a, before)
    expected = solve_dual(K, p, lower, upper).beta
    np.testing.assert_allclose(solve_dual(np.asfortranarray(K), p, lower, upper).beta, expected, atol=1e-3)


def test_slopes_at_every_kind_of_place():
    beta = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
    f, lower, upper = np.zeros(5), np.full(5, -2.0), np.full(5, 2.0)
    up, lo = kkt_slopes(beta, f, lower, upper, epsilon=0.25)
    assert up.tolist() == [0.25, 0.25, -0.25, -0.25, -INF]
    assert lo.tolist() == [INF, 0.25, 0.25, -0.25, -0.25]


def test_what_any_beta_is_worth():
    K, p, lower, upper, epsilon = random_problem(4)
    beta = np.zeros(len(p))
    beta[0], beta[1] = 0.5 * upper[0], -0.5 * upper[0]
    made = certify(K, beta, p, lower, upper, epsilon=epsilon, n_iter=7)
    assert isinstance(made, DualSolution) and made.n_iter == 7
    assert made.gap == pytest.approx(true_gap(K, p, lower, upper, beta, epsilon))
    assert made.objective == pytest.approx(objective(K, p, beta, epsilon))
    np.testing.assert_allclose(made.f, p - K @ beta, rtol=1e-9)


def unbalanced(n=2000):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] > np.quantile(X[:, 0], 0.1), 1.0, -1.0)
    return X, np.where(rng.random(n) < 0.3, -y, y)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(degree=2), Gaussian(10.0)], ids=repr)
def test_working_sets_grow_where_many_multipliers_are_at_their_bound(kernel):
    X, y = unbalanced()
    lower, upper = classifier_box(y, 1.0)
    solution = solve_dual(KernelRows(kernel.on_points(X)), y, lower, upper)
    K = gram(kernel, X)
    assert true_gap(K, y, lower, upper, solution.beta) <= 1e-3
    assert solution.objective == pytest.approx(solve_dual(K, y, lower, upper).objective, rel=1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_an_outlier_under_a_cubic_kernel_ends_at_the_tolerance_or_at_its_rounding(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    X[0] = 1e5
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    K, (lower, upper) = gram(Polynomial(degree=3), X), classifier_box(y, 1.0)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        solution = solve_dual(K, y, lower, upper)
    assert solution.n_iter < 20_000
    beta, others = solution.beta, np.arange(60) > 0
    noise = 100 * np.finfo(float).eps * (1 + np.abs(K) @ np.abs(beta))
    f = y - K @ beta
    up, lo = np.where(beta < upper, f - noise, -INF), np.where(beta > lower, f + noise, INF)
    assert up.max() - lo.min() <= 1e-3
    assert up[others].max() - lo[others].min() <= 1e-3  # the outlier's rounding is not theirs
    assert bool(said) == (solution.gap > 1e-3)
    assert all("rounding hides the rest" in str(w.message) for w in said)


@each("seed", range(30))
def test_an_indefinite_kernel_leads_to_a_stationary_point_also_where_newton_fails(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(10, 120))
    A = rng.standard_normal((n, n))
    K, y = A + A.T, np.where(rng.random(n) < 0.5, 1.0, -1.0)
    y[:2] = 1.0, -1.0
    lower, upper = classifier_box(y, 10 ** rng.uniform(-2, 3))
    solution = solve_dual(K, y, lower, upper)
    assert true_gap(K, y, lower, upper, solution.beta) <= 1e-3


def test_a_part_in_which_rounding_leaves_no_step_is_not_tried_again():
    # a free multiplier of 4e6 cannot be moved by less than its own rounding, and the tolerance asks for it
    p = problem(2304)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solution = solve_dual(KernelRows(p.kernel.on_points(p.X)), p.p, *p.box, tol=p.tol, max_iter=200_000)
    assert solution.n_iter < 100_000


def test_the_warning_points_at_who_called(recwarn):
    from kcourse.svm import SVC

    X, y = unbalanced(100)
    SVC(Linear(), max_iter=2).fit(X, y)
    (said,) = recwarn.list
    assert said.category is ConvergenceWarning and said.filename == __file__


def test_the_way_in_a_box_is_the_best_one():
    # against a general solver, where K has no inverse and only bounds hold the steps back
    from scipy.linalg import cholesky
    from scipy.optimize import minimize

    rng = np.random.default_rng(0)
    for rank in (1, 3, 12):
        A = rng.standard_normal((12, rank))
        K, g = A @ A.T, rng.standard_normal(12)
        a, b = -rng.uniform(0.1, 1, 12), rng.uniform(0.1, 1, 12)
        L = cholesky(K + 1e-11 * np.eye(12) * K.diagonal().max(), lower=True)
        x = np.zeros(12)
        for _ in range(9):  # a bound that is met is not left: the next call may leave it
            x, _ = climb(K, np.asfortranarray(L), g - K @ x, x, a, b, 0.0)
            assert np.all((x >= a) & (x <= b)) and x.sum() == pytest.approx(0, abs=1e-4)  # Block repairs it
        best = minimize(
            lambda d, K=K, g=g: 0.5 * d @ K @ d - g @ d, np.zeros(12), jac=lambda d, K=K, g=g: K @ d - g,
            bounds=np.stack([a, b], axis=1), constraints={"type": "eq", "fun": np.sum}, method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 500},
        )  # fmt: skip
        assert g @ x - 0.5 * x @ K @ x >= -0.99 * best.fun


def many_problems(C, kernel):
    """(K, problems) of all pairs of eight classes from 1 to 30 points, some of them equal, boxes of many sizes."""
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(8), (1, 2, 30, 5, 17, 9, 30, 12))
    X = np.round(2 * rng.standard_normal((8, 3))[codes] + rng.standard_normal((len(codes), 3)), 1)
    problems = []
    for a, b in combinations(range(8), 2):
        members = rng.permutation(np.flatnonzero((codes == a) | (codes == b)))
        y = np.where(codes[members] == a, 1.0, -1.0)
        problems.append((members, y, *classifier_box(y, C * rng.uniform(0, 2, len(y)))))
    return gram(kernel, X), problems


@pytest.mark.parametrize("kernel, C", list(product([Gaussian(1.0), Linear()], [0.01, 1.0, 100.0])))
def test_many_problems_are_solved_as_one_by_one(C, kernel, monkeypatch):
    K, problems = many_problems(C, kernel)
    alone = [solve_dual(K[np.ix_(S, S)], p, *box, tol=1e-6) for S, p, *box in problems]
    left = []
    monkeypatch.setattr("kcourse.dual.many.solve_dual", lambda *args, **kw: left.append(1) or solve_dual(*args, **kw))
    for (S, p, A, B), found, one in zip(problems, solve_many(K, problems, tol=1e-3), alone, strict=True):
        beta = found.beta
        assert np.all((A <= beta) & (beta <= B)) and abs(beta.sum()) <= 1e-12 * np.abs(beta).sum()
        assert found.gap <= 1e-3 and found.gap == pytest.approx(true_gap(K[np.ix_(S, S)], p, A, B, beta), abs=1e-9)
        assert found.objective == pytest.approx(one.objective, abs=1e-3 * B.sum())
    assert len(left) < (len(problems) if C > 1 else len(problems) / 2)  # those are what it is for


def test_steps_together_end_where_they_may_not_go_on():
    K, problems = many_problems(10.0, Linear())
    with pytest.warns(ConvergenceWarning, match="max_iter = 2 steps"):
        solve_many(K, problems, max_iter=2)
