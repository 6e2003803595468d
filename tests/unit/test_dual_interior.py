"""kcourse.dual.interior: K of low rank, and the interior-point method that it allows."""

import warnings
from itertools import product

import numpy as np
import pytest

from kcourse.dual import KernelRows, certify, solve_dual, solver
from kcourse.dual.ascent import Ascent
from kcourse.dual.interior import interior_point, low_rank_factor
from kcourse.kernels import Gaussian, Linear, Polynomial, gram
from tests.reference.svm_problems import faults, problem


def quadratic(n=150, seed=0, far=0):
    """K of rank 6, labels with noise; ``far`` points are outliers."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 2))
    X[:far] *= 10 ** rng.uniform(2, 4, (far, 1))
    y = np.where(X[:, 0] * X[:, 1] + 0.5 * rng.standard_normal(n) > 0, 1.0, -1.0)
    return gram(Polynomial(degree=2), X), y


@pytest.mark.parametrize("far", [0, 5])
def test_the_factor_is_exact_in_the_units_of_each_point(far):
    K, _ = quadratic(far=far)
    G = low_rank_factor(K, 20)
    assert G.shape == (150, 6)
    lengths = np.sqrt(K.diagonal())
    np.testing.assert_allclose(G @ G.T / lengths / lengths[:, None], K / lengths / lengths[:, None], atol=1e-12)


def test_a_matrix_of_high_rank_has_no_such_factor():
    K = gram(Gaussian(0.3), np.random.default_rng(0).standard_normal((60, 2)))
    assert low_rank_factor(K, 20) is None
    assert low_rank_factor(np.zeros((5, 5)), 2).shape == (5, 0)
    assert low_rank_factor(np.eye(3), 3).shape == (3, 3)


@pytest.mark.parametrize("far, C", list(product([0, 4], [1e-2, 3.0, 1e4])))
def test_a_classifier_is_solved_nearly_and_as_well_at_corners(C, far):
    K, y = quadratic(far=far, seed=int(C))
    lower, upper = np.minimum(0, C * y), np.maximum(0, C * y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        best = solve_dual(K, y, lower, upper, tol=1e-6)
    inside, corners = interior_point(low_rank_factor(K, 20), y, lower, upper, 0.0)
    assert np.all((inside > lower) & (inside < upper))
    assert np.sum((corners > lower) & (corners < upper)) <= 7 < np.sum(corners != 0)
    for beta, rtol in ((inside, 1e-5), (corners, 1e-4)):
        assert np.all((beta >= lower - 1e-9 * C) & (beta <= upper + 1e-9 * C))
        assert abs(beta.sum()) < 1e-6 * np.abs(beta).sum()
        assert certify(K, beta, y, lower, upper).objective == pytest.approx(best.objective, rel=rtol)


@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_a_regression_is_solved_nearly(epsilon):
    K, _ = quadratic()
    y = np.random.default_rng(1).standard_normal(150)
    lower, upper = np.full(150, -2.0), np.full(150, 3.0)
    best = solve_dual(K, y, lower, upper, epsilon=epsilon, tol=1e-8)
    for beta in interior_point(low_rank_factor(K, 20), y, lower, upper, epsilon):
        assert np.all((beta >= lower - 1e-9) & (beta <= upper + 1e-9)) and abs(beta.sum()) < 1e-6
        assert certify(K, beta, y, lower, upper, epsilon=epsilon).objective == pytest.approx(best.objective, rel=1e-5)


def test_where_beta_is_not_unique_the_corners_are_those_of_one_that_is_as_good():
    # f = 0 is the best for a kernel that sees nothing of the labels: all that counts is Σβ = 0 and Σβx = 0
    x = np.linspace(-1, 1, 101)[:, None]
    y = np.where(np.arange(101) % 4 == 0, -1.0, 1.0)
    lower, upper = np.minimum(0, y), np.maximum(0, y)
    inside, corners = interior_point(low_rank_factor(gram(Linear(), x), 10), y, lower, upper, 0.0)
    assert np.sum((inside > 1e-3) & (inside < 0.999)) > 20
    assert np.sum((corners > lower + 1e-12) & (corners < upper - 1e-12)) <= 2
    assert corners @ y == pytest.approx(inside @ y, rel=1e-6)
    np.testing.assert_allclose([corners.sum(), corners @ x[:, 0]], [inside.sum(), inside @ x[:, 0]], atol=1e-9)


def test_a_box_without_inside_or_lid_is_left_to_others():
    K, y = quadratic(20)
    G = low_rank_factor(K, 10)
    assert interior_point(G, y, np.zeros(20), np.ones(20), 0.0) is None
    assert interior_point(G, y, np.where(y > 0, 0.0, -np.inf), np.where(y > 0, np.inf, 0.0), 0.0) is None


def test_the_solver_turns_to_it_where_rounds_are_many(monkeypatch):
    # n = 729 in one dimension, a quartic kernel: 73 rounds without it
    p = problem(163)
    rows = KernelRows(p.kernel.on_points(p.X))
    assert solve_dual(rows, p.p, *p.box, epsilon=p.epsilon, tol=p.tol).n_iter < 1500
    monkeypatch.setattr(Ascent, "worth_a_jump", lambda self: (False, np.inf))
    assert solve_dual(rows, p.p, *p.box, epsilon=p.epsilon, tol=p.tol).n_iter > 2000


@pytest.mark.slow
def test_a_quartic_kernel_with_outliers_ends_and_says_why():
    # k(x, x) from 1 to 1e36: pairs alone were at two thirds of the dual objective after two minutes
    p = problem(1809)
    with pytest.warns(solver.ConvergenceWarning, match="rounding hides the rest"):
        solution = solve_dual(KernelRows(p.kernel.on_points(p.X)), p.p, *p.box, tol=p.tol)
    assert solution.objective == pytest.approx(1365585.0, rel=1e-7) and solution.n_iter < 20_000
    assert not faults(p, p.kernel(p.X), solution, "rounding")
