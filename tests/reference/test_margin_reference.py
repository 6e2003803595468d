"""Perceptrons and the widest margin against scikit-learn and SciPy, at d ≥ 2; the anchors of the kernel perceptron."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn import linear_model, svm
from sklearn.datasets import load_digits

from kcourse import Gaussian, Linear, Polynomial
from kcourse.margin import KernelPerceptron, MaxMargin, Perceptron

RNG = np.random.default_rng(3)
X = RNG.standard_normal((150, 4))
F = X @ [1.0, -1.0, 2.0, 0.5] - 0.4
KEEP = np.abs(F) > 0.5
X, Y = X[KEEP], np.where(F[KEEP] > 0, 1, -1)


@pytest.mark.parametrize("epochs", [1, 2, 5])
def test_the_perceptron_is_scikit_learns_without_a_stop(epochs):
    theirs = linear_model.Perceptron(max_iter=epochs, tol=None, shuffle=False).fit(X, Y)
    ours = Perceptron(epochs=epochs).fit(X, Y)
    np.testing.assert_allclose(ours.weights_, theirs.coef_[0], rtol=1e-10)
    assert ours.intercept_ == pytest.approx(theirs.intercept_[0])


@pytest.mark.parametrize("epochs", [1, 3, 40])
def test_more_classes_are_one_against_the_rest_as_in_scikit_learn(epochs):
    digits, number = load_digits(return_X_y=True)
    digits, number = digits[:300], number[:300]  # whole numbers: no sum is rounded
    theirs = linear_model.Perceptron(max_iter=epochs, tol=None, shuffle=False).fit(digits, number)
    ours = Perceptron(epochs=epochs).fit(digits, number)
    np.testing.assert_array_equal(ours.weights_, theirs.coef_)
    np.testing.assert_array_equal(ours.intercept_, theirs.intercept_)
    np.testing.assert_array_equal(ours.predict(digits), theirs.predict(digits))
    dual = KernelPerceptron(Linear() + 1, epochs=epochs).fit(digits, number)
    np.testing.assert_array_equal(dual.dual_coef_ @ digits, theirs.coef_)
    np.testing.assert_array_equal(dual.mistakes_, ours.mistakes_)
    np.testing.assert_allclose(dual.decision_function(digits), ours.decision_function(digits), rtol=1e-12)


@pytest.mark.parametrize(
    ("kernel", "options"),
    [
        (Linear(), {"kernel": "linear"}),
        (Gaussian(1.5), {"kernel": "rbf", "gamma": 1 / (2 * 1.5**2)}),
        (Polynomial(gamma=0.5, coef0=1.0, degree=2), {"kernel": "poly", "gamma": 0.5, "coef0": 1.0, "degree": 2}),
    ],
    ids=["linear", "gaussian", "polynomial"],
)
def test_the_widest_margin_is_an_svc_with_a_huge_constant(kernel, options):
    ours, theirs = MaxMargin(kernel).fit(X, Y), svm.SVC(C=1e8, tol=1e-8, **options).fit(X, Y)
    np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X), rtol=1e-4, atol=1e-4)
    assert ours.intercept_ == pytest.approx(theirs.intercept_[0], abs=1e-4)
    dual = np.zeros(len(Y))
    dual[theirs.support_] = theirs.dual_coef_[0]
    np.testing.assert_allclose(kernel(X) @ ours.dual_coef_, kernel(X) @ dual, rtol=1e-4, atol=1e-4)


def test_the_primal_problem_has_the_same_solution():
    start = linear_model.Perceptron(max_iter=100, tol=None).fit(X, Y)
    v = np.append(start.coef_[0], start.intercept_)
    constraint = {"type": "ineq", "fun": lambda v: Y * (X @ v[:-1] + v[-1]) - 1}
    primal = minimize(lambda v: 0.5 * v[:-1] @ v[:-1], v, method="SLSQP", constraints=[constraint],
                      options={"maxiter": 500, "ftol": 1e-14})  # fmt: skip
    ours = MaxMargin().fit(X, Y)
    assert primal.success
    np.testing.assert_allclose(np.append(ours.weights_, ours.intercept_), primal.x, rtol=1e-5)
    assert 0.5 / ours.margin_**2 == pytest.approx(primal.fun, rel=1e-8)


def test_exercise_2_6_exclusive_or_takes_one_mistake_at_each_point():
    X, y = [[1, 1], [1, -1], [-1, 1], [-1, -1]], [-1, 1, 1, -1]
    model = KernelPerceptron(Polynomial(degree=2), epochs=5).fit(X, y)
    assert model.counts_.tolist() == [1, 1, 1, 1] and model.converged_ and model.n_iter_ == 2


@pytest.mark.parametrize(("kernel", "errors"), [(Linear(), 16), (Polynomial(), 10), (Gaussian(1.5), 7)], ids=repr)
def test_threes_and_eights(kernel, errors):
    digits = load_digits()
    two = np.isin(digits.target, (3, 8))
    X, y = digits.data[two] / 16, digits.target[two]
    model = KernelPerceptron(kernel).fit(X[:178], y[:178])
    assert model.converged_ and np.sum(model.predict(X[178:]) != y[178:]) == errors and len(y) - 178 == 179
