"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize

from kcourse import SVR, BudgetPerceptron, Gaussian, Linear, Precomputed
from kcourse.svm.online import pegasos_steps
from tests.paper_problems.other_ways import floats

__all__ = ["OTHER_WAYS"]


def flattest(x: list, y: list, eps: Any) -> list[float]:
    """By a linear program for |w|, by the library for large C, and the smallest C by bisection."""
    A = np.column_stack([floats(x), np.ones(4)])
    low, high = floats(y) - float(eps), floats(y) + float(eps)
    plane = optimize.linprog(
        [0, 0, 1],
        A_ub=np.vstack([np.c_[A, np.zeros(4)], np.c_[-A, np.zeros(4)], [[1, 0, -1], [-1, 0, -1]]]),
        b_ub=[*high, *-low, 0, 0],
        bounds=(None, None),
    ).x

    def same(C: float) -> bool:
        return abs(SVR(Linear(), C=C, epsilon=float(eps), tol=1e-10).fit(A[:, :1], y).weights_[0] - plane[0]) < 1e-7

    assert same(100.0)
    few, many = 1e-4, 100.0
    for _ in range(36):
        middle = (few + many) / 2
        few, many = (few, middle) if same(middle) else (middle, many)
    return [*plane[:2], many]


def constant(y: list, eps: Any) -> list[float]:
    """With a Gaussian kernel: the smallest ε without a coefficient by bisection, and the library's interval of b."""
    X = np.arange(5.0)[:, None]

    def fitted(width: float) -> SVR:
        return SVR(Gaussian(1.0), C=3.0, epsilon=width, tol=1e-10).fit(X, y)

    low, high = 0.0, 30.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if np.abs(fitted(middle).dual_coef_).max() < 1e-9 else (middle, high)
    return [high, *fitted(float(eps)).bias_interval_]


def edge(eps: int, more: int) -> list[float]:
    """The counterexample; and a target outside the tube, and one inside, that change nothing."""
    X = np.arange(6.0)[:, None]
    y = np.array([0, 5, 40, 3, -30, 1.0]) * eps
    model = SVR(Gaussian(1.0), C=eps / 2, epsilon=eps, tol=1e-10).fit(X, y)
    assert model.dual_coef_[2] == eps / 2 and y[2] - model.predict(X)[2] > eps
    other = SVR(Gaussian(1.0), C=eps / 2, epsilon=eps, tol=1e-10).fit(X, y + more * (np.arange(6) == 2))
    np.testing.assert_allclose(other.predict(X), model.predict(X), atol=1e-6)
    middle = SVR(Linear(), C=9.0, epsilon=eps, tol=1e-10).fit(X[:3], [0.0, 0.0 + 2 * eps, 4.0 * eps])
    np.testing.assert_allclose(middle.predict(X[1:2]), 2 * eps, atol=1e-6)  # its residual is 0
    raised = SVR(Linear(), C=9.0, epsilon=eps, tol=1e-10).fit(X[:3], [0.0, 3 * eps - 1, 4.0 * eps])
    np.testing.assert_allclose(raised.predict(X), middle.predict(X), atol=1e-6)
    two = SVR(Gaussian(1.0), C=2.0, epsilon=eps, tol=1e-10).fit(X[:2], [0, 2 * eps])
    return [np.abs([0, 2 * eps] - two.predict(X[:2])).mean(), np.abs(two.dual_coef_).max()]


def norms(R: int, lam: Any) -> list[float]:
    """Both bounds are reached: by one step, and by a second point on the other side."""
    X = [[R], [-R]]
    w = pegasos_steps(X, [1, 1], [0], lam=float(lam))
    rng = np.random.default_rng(0)
    for order in rng.integers(2, size=(20, 30)):
        assert abs(pegasos_steps(X, [1, 1], order, lam=float(lam))[0]) <= abs(w[0]) + 1e-9
    g = float(lam) * w[0] + R
    return [abs(w[0]), g, g**2 / (2 * float(lam))]


def forgets(a: np.ndarray, b: np.ndarray, y: list) -> list[float]:
    """By the library, point by point."""

    def visited(budget: int, steps: int) -> tuple[BudgetPerceptron, list[bool]]:
        model, wrong = BudgetPerceptron(Linear(), budget=budget), []
        for t in range(steps):
            X, label = np.array([a, b])[t % 2 : t % 2 + 1].astype(float), y[t % 2]
            wrong.append(t == 0 or label * model.decision_function(X)[0] <= 0)
            model.partial_fit(X, [label], classes=[-1, 1])
        return model, wrong

    assert all(visited(1, 40)[1])
    model, wrong = visited(99, 40)
    return [*model.decision_function(np.eye(2)), sum(wrong)]


def two(K: np.ndarray, y: np.ndarray, eps: Any, C: Any) -> list[float]:
    beta = SVR(Precomputed(K), C=float(C), epsilon=float(eps), tol=1e-10).fit([[0], [1]], y).dual_coef_
    return [beta[0], beta @ K @ beta]


def gap(C: int, eps: int, r: list, beta: list) -> float:
    """P - D with a Gram matrix and targets that give these residuals, for b = 0."""
    v = floats(beta)
    K = np.outer(v, v) / (v @ v)
    y = floats(r) + K @ v
    primal = v @ K @ v / 2 + C * np.maximum(0, np.abs(y - K @ v) - eps).sum()
    return primal - (y @ v - eps * np.abs(v).sum() - v @ K @ v / 2)


def counts(T: int, c: list, y: list, k: list, lam: Any) -> list[float]:
    """The step (6) with an explicit feature map of the three points."""
    phi = np.array([[k[0], 0, 0], [k[1], 1, 0], [k[2], 0, 1]]) / np.array([np.sqrt(k[0]), 1, 1])
    w = floats(c) * floats(y) @ phi / (float(lam) * T)
    slope = float(lam) * w - (y[0] * w @ phi[0] < 1) * y[0] * phi[0]
    return [w @ phi[0], (w - slope / (float(lam) * (T + 1))) @ phi[0]]


def growth(n: int, many: int, smo: int, one: int, online: int) -> list[float]:
    """Straight lines in logarithms."""
    longer = np.log(many) - np.log(n)
    return [np.exp(np.log(time) + power * longer) for time, power in ((smo, 2), (one, 1), (online, 1))]


OTHER_WAYS = {
    "flattest": flattest,
    "constant": constant,
    "claims": edge,
    "norms": norms,
    "forgets": forgets,
    "two": two,
    "gap": gap,
    "counts": counts,
    "growth": growth,
}
