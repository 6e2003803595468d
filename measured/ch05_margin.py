"""Measurements for chapter 5: error rates of the maximum margin and other methods, and the cost of its solvers.

Methods select their settings on their training points alone. The solvers solve the same problem, two separable
clouds in the plane, with the same solution; the chapter uses the growth of their times, and which is faster.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.optimize import minimize
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from kcourse import Gaussian, KernelRidge, Linear, NearestCentroid, Perceptron, loo_path
from kcourse.margin import MaxMargin
from measured import Claim, Row, table
from measured.ch02_kernels import digits
from measured.common import RIPLEY, WIDTH, ripley, times


def clouds(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng([n, seed])
    y = np.resize([1.0, -1.0], n)
    return rng.normal(size=(n, 2)) + 6.0 * y[:, None] * [1.0, 0.3], y


def dual_by_slsqp(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    G = (y[:, None] * X) @ (y[:, None] * X).T
    found = minimize(
        lambda a: 0.5 * a @ G @ a - a.sum(),
        np.zeros(len(y)),
        jac=lambda a: G @ a - 1,
        bounds=[(0, None)] * len(y),
        constraints={"type": "eq", "fun": lambda a: a @ y, "jac": lambda a: y},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 200},
    )
    return (found.x * y) @ X


def primal_by_slsqp(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    Z = y[:, None] * np.column_stack([X, np.ones(len(y))])
    found = minimize(
        lambda v: 0.5 * v[:2] @ v[:2],
        np.zeros(3),
        jac=lambda v: np.append(v[:2], 0.0),
        constraints={"type": "ineq", "fun": lambda v: Z @ v - 1, "jac": lambda v: Z},
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 200},
    )
    return found.x[:2]


@table("median seconds of the processor, d = 2", over=(50, 71, 100, 141, 200, 283, 400, 566), of="sizes n", timed=True)
def ch05_cost(n: int) -> Row:
    X, y = clouds(n)
    solvers: dict[str, Callable[[], np.ndarray]] = {
        "slsqp_dual": lambda: dual_by_slsqp(X, y),
        "slsqp_primal": lambda: primal_by_slsqp(X, y),
        "max_margin": lambda: MaxMargin().fit(X, y).weights_,
        "sklearn_svc": lambda: SVC(kernel="linear", C=1e8, tol=1e-9).fit(X, y).coef_[0],
    }
    right = solvers["max_margin"]()
    for solve in solvers.values():
        assert np.abs(solve() - right).max() < 1e-4 * np.abs(right).max()
    runs = 9 if n < 300 else 3
    return {"n": n} | {name: statistics.median(times(solve, runs)) for name, solve in solvers.items()}


def seconds(fit: Callable[[np.ndarray, np.ndarray], object], n: int) -> float:
    """The median of nine data sets: how many steps a solver takes depends on few points of them."""
    sets = [clouds(n, seed) for seed in range(9)]
    return statistics.median(times(partial(fit, *data), 1)[0] for data in sets)


def libsvm(X: np.ndarray, y: np.ndarray) -> object:
    return SVC(kernel="linear", C=1e8, tol=1e-9).fit(X, y)


@table("median seconds of the processor, d = 2", over=(1000, 2000, 4000, 8000, 16_000), of="sizes n", timed=True)
def ch05_large(n: int) -> Row:
    """Where the Gram matrix hurts: MaxMargin stores it, libsvm computes the rows that it needs."""
    return {"n": n, "max_margin": seconds(MaxMargin().fit, n), "sklearn_svc": seconds(libsvm, n)}


@table("median seconds of the processor, d = 2", over=(16_000, 32_000, 64_000, 128_000), of="sizes n", timed=True)
def ch05_largest(n: int) -> Row:
    return {"n": n, "sklearn_svc": seconds(libsvm, n)}


# ---------------------------------------------------------------- is the widest margin the better classifier?


def threes_and_eights() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return images, labels ±1 and the form of each digit; with few exceptions a form has a writer of its own."""
    X, digit, form = digits()
    pick = np.isin(digit, (3, 8))
    return X[pick], np.where(digit[pick] == 8, 1, -1), form[pick]


def wrong(A: np.ndarray, t: np.ndarray, B: np.ndarray, truth: np.ndarray) -> Row:
    """Count the errors on B, truth after training on A, t; of the perceptron the mean of 20 orders."""

    def errors(scores: np.ndarray) -> float:
        return float(np.sum(np.where(scores > 0, 1, -1) != truth))

    def perceptron(seed: int) -> float:
        seen = np.random.default_rng(seed).permutation(len(t))
        return errors(Perceptron(epochs=1000).fit(A[seen], t[seen]).decision_function(B))

    kernel = Linear() + 1
    lam = loo_path(kernel(A), t.astype(float), np.logspace(-2, 3, 11)).best_lam
    return {
        "perceptron": float(np.mean([perceptron(seed) for seed in range(20)])),
        "maximum margin": errors(MaxMargin().fit(A, t).decision_function(B)),
        "ridge": errors(KernelRidge(kernel, lam=lam).fit(A, t).predict(B)),
        "nearest mean": errors(NearestCentroid(Linear()).fit(A, t).predict(B)),
        "nearest neighbour": errors(KNeighborsClassifier(1).fit(A, t).predict(B)),
    }


@table("wrong of a hundred threes and eights by the same writers", 60, of="splits: 100 digits to learn from, 257 new")
def ch05_digits(draw: int) -> Row:
    X, y, _ = threes_and_eights()
    order = np.random.default_rng(draw).permutation(len(y))
    learn, new = order[:100], order[100:]
    return {name: 100 * count / len(new) for name, count in wrong(X[learn], y[learn], X[new], y[new]).items()}


@table(
    "wrong of a hundred threes and eights on a form left out, means of 120 draws of 100 digits from the other 13 forms",
    over=range(14),
    of="forms",
)
def ch05_new_form(left_out: int) -> Row:
    X, y, form = threes_and_eights()
    new = form == left_out
    total: dict[str, float] = {}
    for draw in range(120):
        others = np.random.default_rng([draw, left_out]).permutation(np.flatnonzero(form != left_out))[:100]
        for name, count in wrong(X[others], y[others], X[new], y[new]).items():
            total[name] = total.get(name, 0.0) + count
    return {name: 100 * count / (120 * np.sum(new)) for name, count in total.items()}


# ---------------------------------------------------------------- what it costs to forbid mistakes

WIDTHS, SLACKS, NEIGHBOURS = (0.1, 0.15, 0.2, 0.3, 0.5, 1.0), (0.1, 1.0, 10.0, 100.0, 1000.0), (1, 3, 7, 15, 31, 45)


@table("wrong of a hundred new points of Ripley's mixture", 40, of="draws of 250 points to learn from")
def ch05_escape(draw: int) -> Row:
    rng = np.random.default_rng(draw)
    (X, y), (new, truth) = ripley(250, rng), ripley(5000, rng)
    folds = KFold(5, shuffle=True, random_state=draw)

    def rate(said: np.ndarray) -> float:
        return float(100 * np.mean(said != truth))

    def soft(widths: tuple[float, ...]) -> float:
        grid = {"C": SLACKS, "gamma": [1 / (2 * s**2) for s in widths]}
        return rate(GridSearchCV(SVC(), grid, cv=folds).fit(X, y).predict(new))

    neighbours = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": NEIGHBOURS}, cv=folds).fit(X, y)
    bells = np.exp(-((new[:, None] - RIPLEY) ** 2).sum(axis=2) / (2 * WIDTH**2))
    return {
        "hard margin": rate(MaxMargin(Gaussian(0.1)).fit(X, y).predict(new)),
        "soft margin of that width": soft((0.1,)),
        "soft margin": soft(WIDTHS),
        "neighbours": rate(neighbours.predict(new)),
        "best rule": rate(bells @ [-1, -1, 1, 1] > 0),
    }


# ---------------------------------------------------------------- and what is said of it

CLAIMS = [
    Claim("margin-beats-perceptron", ch05_digits, less="maximum margin", than="perceptron", holds=45, unit="%"),
    Claim("price-for-mistakes", ch05_escape, less="soft margin of that width", than="hard margin", holds=40, unit="%"),
]
