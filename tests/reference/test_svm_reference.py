"""SVC and SVR against scikit-learn, the dual against a general solver, at d ≥ 2."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, linprog, minimize
from sklearn import svm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kcourse.dual import certify, solve_dual
from kcourse.kernels import Gaussian, Linear, Polynomial, gram
from kcourse.svm import SVC, SVR

RNG = np.random.default_rng(0)
X, XQ = RNG.standard_normal((120, 3)), RNG.standard_normal((30, 3))
TWO = np.where(np.sin(2 * X[:, 0]) + X[:, 1] + 0.5 * RNG.standard_normal(120) > 0, "b", "a")
THREE = np.digitize(X[:, 0] + 0.3 * RNG.standard_normal(120), [-0.5, 0.5])
Y = np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * RNG.standard_normal(120)
SIGMA = 1.3
KERNELS = [
    (Gaussian(SIGMA), {"kernel": "rbf", "gamma": 1 / (2 * SIGMA**2)}),
    (Linear(), {"kernel": "linear"}),
    (Polynomial(gamma=0.5, coef0=1.0, degree=3), {"kernel": "poly", "gamma": 0.5, "coef0": 1.0, "degree": 3}),
]
CS = [0.05, 1.0, 30.0]
# libsvm keeps its kernel in single precision, which shows where multipliers are large: 1e-7 · C · max K · their number
SINGLE = {0.05: 4e-5, 1.0: 5e-5, 30.0: 4e-3}
with_kernels = pytest.mark.parametrize(("kernel", "options"), KERNELS, ids=["gaussian", "linear", "polynomial"])


@pytest.mark.parametrize("C", CS)
@with_kernels
def test_two_classes_agree(kernel, options, C):
    ours = SVC(kernel, C=C, tol=1e-8).fit(X, TWO)
    theirs = svm.SVC(C=C, tol=1e-8, **options).fit(X, TWO)
    np.testing.assert_allclose(ours.decision_function(XQ), theirs.decision_function(XQ), atol=SINGLE[C])
    np.testing.assert_array_equal(ours.predict(XQ), theirs.predict(XQ))
    assert ours.intercept_ == pytest.approx(theirs.intercept_[0], abs=SINGLE[C])
    dense = np.zeros(120)
    dense[theirs.support_] = theirs.dual_coef_[0]
    np.testing.assert_allclose(ours.dual_coef_, dense, atol=SINGLE[C] * C)
    y = np.where(TWO == "b", 1.0, -1.0)
    theirs_ = certify(kernel(X), dense, y, np.minimum(0, C * y), np.maximum(0, C * y))
    assert ours.kkt_gap_ <= 1e-8 and ours.kkt_gap_ <= theirs_.gap + 1e-9
    assert ours.dual_objective_ == pytest.approx(theirs_.objective, rel=1e-6)
    np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)


@pytest.mark.parametrize("C", CS)
@with_kernels
def test_three_classes_agree(kernel, options, C):
    ours = SVC(kernel, C=C, tol=1e-8).fit(X, THREE)
    theirs = svm.SVC(C=C, tol=1e-8, break_ties=True, **options).fit(X, THREE)
    np.testing.assert_allclose(ours.decision_function(XQ), theirs.decision_function(XQ), atol=1e-4)
    np.testing.assert_array_equal(ours.predict(XQ), theirs.predict(XQ))
    np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)
    theirs.decision_function_shape = "ovo"
    # a pair's sign is the other way round there
    np.testing.assert_allclose(-ours.intercept_, theirs.intercept_, atol=SINGLE[C])


@pytest.mark.parametrize("epsilon, C", list(product([0.0, 0.2, 1.0], CS)))
@with_kernels
def test_regressions_agree(kernel, options, C, epsilon):
    ours = SVR(kernel, C=C, epsilon=epsilon, tol=1e-8).fit(X, Y)
    theirs = svm.SVR(C=C, epsilon=epsilon, tol=1e-8, **options).fit(X, Y)
    np.testing.assert_allclose(ours.predict(XQ), theirs.predict(XQ), atol=SINGLE[C])
    dense = np.zeros(120)
    dense[theirs.support_] = theirs.dual_coef_[0]
    np.testing.assert_allclose(ours.dual_coef_, dense, atol=SINGLE[C] * C)
    assert ours.score(X, Y) == pytest.approx(theirs.score(X, Y), abs=SINGLE[C])
    theirs_ = certify(kernel(X), dense, Y, np.full(120, -C), np.full(120, C), epsilon=epsilon)
    assert ours.kkt_gap_ <= 1e-8 and ours.kkt_gap_ <= theirs_.gap + 1e-9
    assert ours.dual_objective_ == pytest.approx(theirs_.objective, rel=1e-6)


def test_weights_of_classes_agree():
    ones = np.where(X[:, 0] > 0.8, 1, 0)
    options = {"gamma": 1 / (2 * SIGMA**2), "tol": 1e-8, "C": 2.0}
    for weight in ("balanced", {0: 0.3, 1: 4.0}, {1: 2.0}):
        ours = SVC(Gaussian(SIGMA), C=2.0, class_weight=weight, tol=1e-8).fit(X, ones)
        theirs = svm.SVC(class_weight=weight, **options).fit(X, ones)
        np.testing.assert_allclose(ours.decision_function(XQ), theirs.decision_function(XQ), atol=1e-5)


WEIGHTS = np.random.default_rng(5).integers(0, 9, 120) / 3


@with_kernels
def test_weights_of_points_agree(kernel, options):
    for y in (TWO, THREE):
        ours = SVC(kernel, C=1.0, tol=1e-8).fit(X, y, sample_weight=WEIGHTS)
        theirs = svm.SVC(C=1.0, tol=1e-8, break_ties=y is THREE, **options).fit(X, y, sample_weight=WEIGHTS)
        np.testing.assert_allclose(ours.decision_function(XQ), theirs.decision_function(XQ), atol=2e-4)
        # libsvm counts those that weigh something only
        np.testing.assert_array_equal(ours.support_, np.flatnonzero(WEIGHTS)[np.sort(theirs.support_)])
        np.testing.assert_array_equal(ours.n_support_, theirs.n_support_)
    ours = SVR(kernel, C=1.0, epsilon=0.2, tol=1e-8).fit(X, Y, sample_weight=WEIGHTS)
    theirs = svm.SVR(C=1.0, epsilon=0.2, tol=1e-8, **options).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(ours.predict(XQ), theirs.predict(XQ), atol=2e-4)


def test_weights_of_the_linear_machine_agree():
    for y in (TWO, THREE):
        ours, theirs = SVC(Linear(), tol=1e-8).fit(X, y), svm.SVC(kernel="linear", tol=1e-8).fit(X, y)
        # a pair of more than two classes has the other sign there
        np.testing.assert_allclose(np.atleast_2d(ours.weights_), theirs.coef_ * (1 if y is TWO else -1), atol=1e-4)
        K = SVC(Linear() + 0, tol=1e-8).fit(X, y)
        assert not hasattr(K, "weights_")
        np.testing.assert_allclose(ours.decision_function(XQ), K.decision_function(XQ), atol=1e-6)
    ours, theirs = SVR(Linear(), tol=1e-8).fit(X, Y), svm.SVR(kernel="linear", tol=1e-8).fit(X, Y)
    np.testing.assert_allclose(ours.weights_, theirs.coef_[0], atol=1e-4)


def test_probabilities_come_from_calibration():
    model = SVC(Gaussian(SIGMA)).fit(X, TWO)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match=r"wrap it in sklearn.calibration.CalibratedClassifierCV"):
        model.predict_proba(XQ)
    ours = CalibratedClassifierCV(SVC(Gaussian(SIGMA), tol=1e-6), cv=3).fit(X, TWO).predict_proba(XQ)
    theirs = CalibratedClassifierCV(svm.SVC(gamma=1 / (2 * SIGMA**2), tol=1e-6), cv=3).fit(X, TWO).predict_proba(XQ)
    np.testing.assert_allclose(ours, theirs, atol=1e-3)


@pytest.mark.parametrize("epsilon", [0.0, 0.15])
def test_the_dual_agrees_with_a_general_solver(epsilon):
    K, y = gram(Gaussian(0.9), X[:25]), Y[:25]
    ours = solve_dual(K, y, np.full(25, -0.8), np.full(25, 0.8), epsilon=epsilon, tol=1e-10)

    # β = a - a* with both in [0, C], so that ‖β‖₁ is smooth
    def value(v):
        return 0.5 * (v[:25] - v[25:]) @ K @ (v[:25] - v[25:]) - y @ (v[:25] - v[25:]) + epsilon * v.sum()

    def slope(v):
        g = K @ (v[:25] - v[25:]) - y
        return np.r_[g, -g] + epsilon

    line = LinearConstraint(np.r_[np.ones(25), -np.ones(25)], 0, 0)
    theirs = minimize(
        value, np.zeros(50), jac=slope, bounds=[(0, 0.8)] * 50, constraints=line, method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )  # fmt: skip
    assert ours.objective == pytest.approx(-theirs.fun, rel=1e-8)
    np.testing.assert_allclose(ours.beta, theirs.x[:25] - theirs.x[25:], atol=1e-4)


def test_a_huge_price_without_tube_is_least_absolute_deviations():
    # linear kernel: ½‖w‖² is nothing beside C Σ|r|, which a linear program minimises
    A = np.column_stack([X, np.ones(120)])
    eye = np.eye(120)
    program = linprog(
        np.r_[np.zeros(4), np.ones(240)], A_eq=np.hstack([A, eye, -eye]), b_eq=Y,
        bounds=[(None, None)] * 4 + [(0, None)] * 240,
    )  # fmt: skip
    model = SVR(Linear(), C=1e4, epsilon=0.0, tol=1e-7).fit(X, Y)
    assert np.abs(Y - model.predict(X)).sum() == pytest.approx(program.fun, rel=1e-5)


def test_it_works_at_the_end_of_a_pipeline_and_in_a_grid_search():
    iris = load_iris()
    pipe = make_pipeline(StandardScaler(), SVC(Gaussian(1.0)))
    grid = {"svc__kernel__sigma": [0.1, 1.0, 3.0], "svc__C": [0.1, 10.0]}
    ours = GridSearchCV(pipe, grid, cv=3).fit(iris.data, iris.target)
    theirs = GridSearchCV(
        make_pipeline(StandardScaler(), svm.SVC(break_ties=True)),
        {"svc__gamma": [50.0, 0.5, 1 / 18], "svc__C": [0.1, 10.0]}, cv=3,
    ).fit(iris.data, iris.target)  # fmt: skip
    by = {(round(1 / (2 * p["svc__gamma"]) ** 0.5 if p["svc__gamma"] else 0, 6), p["svc__C"]): s for p, s in zip(
        theirs.cv_results_["params"], theirs.cv_results_["mean_test_score"], strict=True)}  # fmt: skip
    for p, s in zip(ours.cv_results_["params"], ours.cv_results_["mean_test_score"], strict=True):
        assert s == pytest.approx(by[round(p["svc__kernel__sigma"], 6), p["svc__C"]], abs=0.011)
