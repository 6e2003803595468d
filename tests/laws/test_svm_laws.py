"""What holds of support vector machines, whatever the points, the kernel and the parameters."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kcourse.dual import solve_dual
from kcourse.kernels import Gaussian, Laplacian
from kcourse.svm import SVC, SVR
from tests.laws.law import kernels, lams, laws, sixteenths

law = laws(40)

Cs = lams
TOL = 1e-9


@st.composite
def classes(draw, n_max=14):
    """X (n, 2), now and then with equal points, and labels -1 and 1, both of them."""
    n = draw(st.integers(2, n_max))
    X = draw(arrays(float, (n, 2), elements=sixteenths))
    y = draw(arrays(int, n, elements=st.sampled_from([-1, 1])))
    y[:2] = -1, 1
    return X, y


@st.composite
def values(draw, n_max=12):
    n = draw(st.integers(1, n_max))
    return draw(arrays(float, (n, 2), elements=sixteenths)), draw(arrays(float, n, elements=sixteenths))


def svc(kernel, C, X, y):
    return SVC(kernel, C=C, tol=TOL * max(1.0, C)).fit(X, y)


def svr(kernel, C, epsilon, X, y):
    return SVR(kernel, C=C, epsilon=epsilon, tol=TOL * max(1.0, C)).fit(X, y)


def slack(C):
    """What a gap of ``tol`` may leave of an objective."""
    return 1e-6 * max(1.0, C) ** 2


def overlap(a, b, by):
    """Two intervals of optimal b have one in common: where a multiplier is 0 or not up to rounding, one is wider."""
    assert max(a[0], b[0]) <= min(a[1], b[1]) + by, (a, b)


@law(classes(), kernels, Cs)
def test_the_primal_equals_the_dual(Xy, kernel, C):
    model = svc(kernel, C, *Xy)
    assert abs(model.primal_objective_ - model.dual_objective_) <= slack(C)
    # strong duality again: ‖w‖² + CΣξ = Σα
    assert abs(model.norm2_ + C * model.slacks_.sum() - model.multipliers_.sum()) <= slack(C)


@law(values(), kernels, Cs, st.floats(0.0, 1.0))
def test_the_primal_equals_the_dual_of_a_regression(Xy, kernel, C, epsilon):
    model = svr(kernel, C, epsilon, *Xy)
    assert abs(model.primal_objective_ - model.dual_objective_) <= slack(C)


@law(classes(), kernels, Cs)
def test_the_labels_may_change_places(Xy, kernel, C):
    X, y = Xy
    one, other = svc(kernel, C, X, y), svc(kernel, C, X, -y)
    assert abs(one.dual_objective_ - other.dual_objective_) <= slack(C)
    np.testing.assert_allclose(one.norm2_, other.norm2_, rtol=1e-3, atol=1e-3 * slack(C) ** 0.5 + 1e-4)
    overlap(other.bias_interval_, np.negative(one.bias_interval_)[::-1], 1e-3 * max(1.0, C))


@law(classes(), kernels, Cs, st.floats(-2.0, 2.0).map(lambda e: 10.0**e))
def test_kernel_times_c_and_C_over_c_give_the_same_function(Xy, kernel, C, c):
    one, other = svc(kernel, C, *Xy), svc(c * kernel, C / c, *Xy)
    # the multipliers are those divided by c, so is the objective
    assert abs(one.dual_objective_ - c * other.dual_objective_) <= 1e-5 * max(1.0, one.dual_objective_)
    np.testing.assert_allclose(one.norm2_, c * other.norm2_, rtol=1e-3, atol=1e-3)


@law(classes(), kernels, Cs)
def test_the_optimum_grows_with_C_and_is_concave_in_it(Xy, kernel, C):
    half, one, two = (svc(kernel, c, *Xy).dual_objective_ for c in (C / 2, C, 2 * C))
    assert half <= one + slack(C) and one <= two + 2 * slack(C)
    # the least of functions that are linear in C
    assert one >= (2 * half + two) / 3 - 2 * slack(C)


@law(classes(), kernels, Cs)
def test_leaving_out_what_is_no_support_vector_changes_nothing(Xy, kernel, C):
    X, y = Xy
    model = svc(kernel, C, X, y)
    S = model.support_
    assert abs(svc(kernel, C, X[S], y[S]).dual_objective_ - model.dual_objective_) <= slack(C)


@law(classes(), st.floats(0.2, 5.0), Cs, st.floats(0.1, 10.0))
def test_points_and_width_in_another_unit(Xy, sigma, C, unit):
    X, y = Xy
    one, other = svc(Gaussian(sigma), C, X, y), svc(Gaussian(unit * sigma), C, unit * X, y)
    np.testing.assert_allclose(one.dual_objective_, other.dual_objective_, rtol=1e-6, atol=slack(C))


@law(values(), kernels, Cs, st.floats(0.0, 1.0), st.floats(-30.0, 30.0))
def test_a_constant_added_to_y_goes_to_the_bias_alone(Xy, kernel, C, epsilon, c):
    X, y = Xy
    one, other = svr(kernel, C, epsilon, X, y), svr(kernel, C, epsilon, X, y + c)
    assert abs(one.dual_objective_ - other.dual_objective_) <= slack(C) + 1e-9 * abs(c)
    overlap(other.bias_interval_, np.add(one.bias_interval_, c), 2e-3 * max(1.0, C) ** 0.5)


@law(values(), kernels, Cs, st.floats(0.0, 1.0))
def test_y_upside_down(Xy, kernel, C, epsilon):
    X, y = Xy
    one, other = svr(kernel, C, epsilon, X, y), svr(kernel, C, epsilon, X, -y)
    assert abs(one.dual_objective_ - other.dual_objective_) <= slack(C)
    overlap(other.bias_interval_, np.negative(one.bias_interval_)[::-1], 2e-3 * max(1.0, C) ** 0.5)


@law(values(), kernels, Cs)
def test_a_wider_tube_costs_less(Xy, kernel, C):
    costs = [svr(kernel, C, epsilon, *Xy).dual_objective_ for epsilon in (0.0, 0.1, 0.3, 1.0, 10.0)]
    assert all(b <= a + slack(C) for a, b in zip(costs, costs[1:], strict=False))
    assert abs(costs[-1]) <= slack(C)


@law(values(n_max=7), st.floats(0.3, 2.0))
def test_a_large_C_without_tube_interpolates(Xy, sigma):
    X, y = Xy
    _, first = np.unique(X, axis=0, return_index=True)
    X, y = 10 * X[first], y[first]  # points far enough from each other
    model = SVR(Laplacian(sigma), C=1e5, epsilon=0.0, tol=1e-7).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-6)


@law(values(), Cs)
def test_without_tube_and_with_a_kernel_of_zeros_the_bias_is_a_median(Xy, C):
    X, y = Xy
    solution = solve_dual(np.zeros((len(y), len(y))), y, np.full(len(y), -C), np.full(len(y), C), tol=1e-12)
    low, high = solution.bias_interval
    middle = np.sort(y)[[(len(y) - 1) // 2, len(y) // 2]]
    np.testing.assert_allclose((low, high), middle, atol=1e-9)
