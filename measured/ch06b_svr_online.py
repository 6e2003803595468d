"""Measurements for chapter 6b: support vector regression, online learning, and their costs as n grows.

The costs are measured on Ripley's mixture, whose classes overlap: a fixed fraction of the points are support vectors.
The chapter uses the growth of the times, not the speed. Methods that are compared select their settings by the mean
absolute error in five folds of their training points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from kcourse import SVC, Gaussian
from kcourse.datasets import load_geyser
from kcourse.svm import BudgetPerceptron, Pegasos, smo
from measured import Claim, Row, table
from measured.common import least

CENTRES = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # two of each class
KERNEL, C, BUDGET, QUERIES = Gaussian(0.3), 1.0, 100, 1000
STEPS = 10_000_000  # more than any of these problems wants


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    label, bell = rng.integers(2, size=n), rng.integers(2, size=n)
    return CENTRES[2 * label + bell] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


@table("smallest processor time (s), C = 1", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
def ch06b_cost(n: int) -> Row:
    X, y = drawn(n, n)
    queries, _ = drawn(QUERIES, 0)
    runs = 5 if n <= 2000 else 2
    K = KERNEL(X)
    model = SVC(KERNEL, C=C).fit(X, y)
    return {
        "n": n,
        "smo": least(lambda: smo(K, y, C, max_iter=STEPS), runs),
        "smo_steps": smo(K, y, C, max_iter=STEPS)[2],
        "svc": least(lambda: SVC(KERNEL, C=C).fit(X, y), runs),
        f"predict_{QUERIES}": least(lambda: model.predict(queries), runs),
        "pegasos_pass": least(lambda: Pegasos(C=C, epochs=1).fit(X, y), runs),
        f"budget_{BUDGET}_pass": least(lambda: BudgetPerceptron(KERNEL, budget=BUDGET).fit(X, y), runs),
        "support": len(model.support_),
    }


# ---------------------------------------------------------------- ε-SVR under three kinds of noise

Fitted = Callable[[np.ndarray], np.ndarray]
NOISE, WIDTH = 0.15, 0.5
FOLDS = KFold(5, shuffle=True, random_state=0)
BY = "neg_mean_absolute_error"


def searched(X: np.ndarray, y: np.ndarray, model: object, grid: dict, folds: object = FOLDS) -> GridSearchCV:
    return GridSearchCV(model, grid, cv=folds, scoring=BY).fit(X, y)


def centred(model: BaseEstimator) -> TransformedTargetRegressor:
    return TransformedTargetRegressor(model, transformer=StandardScaler(with_std=False))


def of_the_regressor(grid: dict) -> dict:
    return {f"regressor__{name}": values for name, values in grid.items()}


def svr_grid(widths: Iterable[float], prices: Iterable[float], tubes: Iterable[float]) -> dict:
    return {"gamma": [1 / (2 * s**2) for s in widths], "C": list(prices), "epsilon": list(tubes)}


class NeighboursMedian(KNeighborsRegressor):
    """The median of the neighbours' targets."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.median(self._y[self.kneighbors(X, return_distance=False)], axis=1)


class DropThenRidge(RegressorMixin, BaseEstimator):
    """Readings further than ``limit`` from the median of nine neighbours are dropped; kernel ridge learns the rest."""

    def __init__(self, limit: float = 60.0, gamma: float = 0.1, alpha: float = 1.0) -> None:
        self.limit, self.gamma, self.alpha = limit, gamma, alpha

    def fit(self, X: np.ndarray, y: np.ndarray) -> DropThenRidge:
        near = np.abs(y - NeighboursMedian(9).fit(X, y).predict(X)) <= self.limit
        self.ridge_ = KernelRidge(kernel="rbf", gamma=self.gamma, alpha=self.alpha).fit(X[near], y[near])
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.ridge_.predict(X)


def noise(kind: str, rng: np.random.Generator, n: int) -> np.ndarray:
    if kind == "Laplace":
        return rng.laplace(0, NOISE / np.sqrt(2), n)
    tenfold = np.where(rng.random(n) < 0.1, 10, 1) if kind == "gross errors" else 1
    return NOISE * rng.standard_normal(n) * tenfold


@table("RMSE of the curve against sinc, a thousandth", 120, of="draws of 100 noisy points", slow=True)
def ch06b_noise(draw: int) -> Row:
    """Gaussian and Laplace noise of standard deviation 0.15; Gaussian noise that is tenfold in one of ten targets."""
    row: Row = {}
    for kind in ("Gaussian", "Laplace", "gross errors"):
        rng = np.random.default_rng(draw)
        X = rng.uniform(-3, 3, (100, 1))
        y = np.sinc(X[:, 0]) + noise(kind, rng, 100)
        at = np.linspace(-3, 3, 201)[:, None]
        ridge_grid = {"gamma": [1 / (2 * WIDTH**2)], "alpha": [0.03, 0.1, 0.3, 1.0, 3.0, 10.0]}
        limits = [share * NOISE for share in (2, 3, 4, 6, 10)]
        tubes = [share * NOISE for share in (0, 0.3, 0.6, 1, 1.5)]
        methods = {
            "kernel ridge": (centred(KernelRidge(kernel="rbf")), of_the_regressor(ridge_grid)),
            "dropped then ridge": (centred(DropThenRidge()), of_the_regressor(ridge_grid | {"limit": limits})),
            "tube": (SVR(), svr_grid([WIDTH], (0.1, 0.3, 1.0, 3.0, 10.0), tubes)),
        }
        for name, (model, grid) in methods.items():
            error = searched(X, y, model, grid).predict(at) - np.sinc(at[:, 0])
            row[f"{name} {kind}"] = float(1000 * np.sqrt(np.mean(error**2)))
    return row


# ---------------------------------------------------------------- the geyser


class TwoMeans(RegressorMixin, BaseEstimator):
    """A mean for short eruptions and one for long ones."""

    def __init__(self, border: float = 3.0) -> None:
        self.border = border

    def fit(self, X: np.ndarray, y: np.ndarray) -> TwoMeans:
        short = X[:, 0] < self.border
        self.means_ = y[short].mean(), y[~short].mean()
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.where(X[:, 0] < self.border, *self.means_)


def tube_pipeline() -> TransformedTargetRegressor:
    """Durations and waits standardised, by the training points."""
    return TransformedTargetRegressor(make_pipeline(StandardScaler(), SVR()), transformer=StandardScaler())


@cache
def eruptions() -> tuple[np.ndarray, np.ndarray]:
    geyser = load_geyser()
    return geyser.y[:-1, None], geyser.X[1:, 0]


@table("forecasts of the wait (min; %; points)", 10, of="blocks of consecutive eruptions", slow=True)
def ch06b_geyser(block: int) -> Row:
    X, y = eruptions()
    out = np.arange(len(y)) * 10 // len(y) == block
    A, t, B, truth = X[~out], y[~out], X[out], y[out]
    folds = KFold(5)  # of consecutive eruptions
    gammas, spread = [1 / (2 * s**2) for s in (0.3, 0.5, 1.0, 2.0)], float(t.std())
    own = "regressor__svr__"

    def tubes(widths: Iterable[float]) -> dict:
        prices = [C / spread for C in (1.0, 10.0, 100.0)]
        grid = svr_grid([s / A.std() for s in (0.5, 1.0, 2.0)], prices, [e / spread for e in widths])
        return {own + name: values for name, values in grid.items()}

    slope, height = np.polyfit(A[:, 0], t, 1)
    ridge_grid = {"gamma": gammas, "alpha": np.logspace(-2, 2, 9)}
    models = {
        "two means": searched(A, t, TwoMeans(), {"border": [2.5, 3.0, 3.5]}, folds),
        "neighbours": searched(A, t, KNeighborsRegressor(), {"n_neighbors": [5, 10, 20, 30, 50]}, folds),
        "kernel ridge": searched(A, t, centred(KernelRidge(kernel="rbf")), of_the_regressor(ridge_grid), folds),
    }
    for name, widths in {"of 0": [0.0], "of 5": [5.0], "of 10": [10.0], "chosen": [0.0, 2.5, 5.0, 10.0]}.items():
        models[f"tube {name}"] = searched(A, t, tube_pipeline(), tubes(widths), folds)

    said = {"mean": np.full(len(truth), t.mean()), "line": height + slope * B[:, 0]}
    said |= {name: model.predict(B) for name, model in models.items()}
    row: Row = {"waits": float(len(truth))}
    for name, values in said.items():
        wrong = np.abs(truth - values)
        kept = {"mean": 1, "line": 2, "two means": 2}.get(name, len(t))
        if name.startswith("tube"):
            kept = len(models[name].best_estimator_.regressor_[-1].support_)
        near = float(100 * np.mean(wrong <= 10))
        row |= {name: float(wrong.mean()), f"{name} within ten": near, f"{name} kept": kept}
    row["ε chosen"] = float(models["tube chosen"].best_params_[own + "epsilon"] * spread)
    return row


# ---------------------------------------------------------------- one point at a time


@cache
def patients() -> tuple[np.ndarray, np.ndarray]:
    cancer = load_breast_cancer()
    return (cancer.data - cancer.data.mean(axis=0)) / cancer.data.std(axis=0), np.where(cancer.target == 0, 1, -1)


@table("right, of the 569 patients that it has seen (%)", 120, of="orders of the patients, five passes")
def ch06b_budget(order: int) -> Row:
    X, y = patients()
    row: Row = {}
    for budget in (5, 10, 20, 50, 100, 569):
        model = BudgetPerceptron(Gaussian(np.sqrt(15)), budget=budget, epochs=5, shuffle=True, rng=order)
        row[f"{budget} in memory"] = 100 * model.fit(X, y).score(X, y)
    return row


@table("right, of patients held out (%)", 16, of="partitions into ten folds, each with its order")
def ch06b_held(draw: int) -> Row:
    """Standardised on the other nine folds."""
    data = load_breast_cancer()
    X, y = data.data, np.where(data.target == 0, 1, -1)
    part = np.random.default_rng(draw).permutation(len(y)) % 10
    right = {50: 0, 569: 0}
    for k in range(10):
        seen = part != k
        mean, sd = X[seen].mean(axis=0), X[seen].std(axis=0)
        for budget in right:
            model = BudgetPerceptron(Gaussian(np.sqrt(15)), budget=budget, epochs=5, shuffle=True, rng=draw)
            model.fit((X[seen] - mean) / sd, y[seen])
            right[budget] += np.sum(model.predict((X[~seen] - mean) / sd) == y[~seen])
    return {f"{budget} in memory": 100 * count / len(y) for budget, count in right.items()}


# ---------------------------------------------------------------- the nine lines of *Find the error*


@table("objective after 20 000 steps, and wrong patients of 569", 20, of="orders of the patients")
def ch06b_mistakes(order: int) -> Row:
    X, y = patients()
    C, n = 0.5, len(y)

    def run(lam: float, rate: bool, margin: bool) -> tuple[float, float]:
        rng, w = np.random.default_rng(order), np.zeros(X.shape[1])
        for t, i in enumerate(rng.integers(n, size=20_000), start=1):
            eta = 1 / (lam * t) if rate else 1 / t
            value = y[i] * (w @ X[i])
            w = (1 - eta * lam) * w
            if value < 1 if margin else value <= 0:
                w = w + eta * y[i] * X[i]
        f = y * (X @ w)
        return float(0.5 * w @ w + C * np.maximum(0, 1 - f).sum()), float(np.sum(f <= 0))

    programs = {
        "as written": (1 / C, False, False),
        "first fixed": (1 / (n * C), False, False),
        "two fixed": (1 / (n * C), True, False),
        "all fixed": (1 / (n * C), True, True),
    }
    row: Row = {}
    for name, how in programs.items():
        row[name], row[f"{name} wrong"] = run(*how)
    return row


# ---------------------------------------------------------------- and the claims

CLAIMS = [
    Claim("ridge-suits-gaussian", ch06b_noise, less="kernel ridge Gaussian", than="tube Gaussian", holds=80),
    Claim("tube-suits-laplace", ch06b_noise, less="tube Laplace", than="kernel ridge Laplace", holds=66),
    Claim(
        "tube-bears-gross-errors", ch06b_noise, less="tube gross errors", than="kernel ridge gross errors", holds=110
    ),
    Claim("few-are-kept", ch06b_geyser, less="tube of 10 kept", than=40, holds=10, unit="eruptions"),
    Claim("small-memory-costs", ch06b_budget, less="5 in memory", than="569 in memory", holds=110, unit="%"),
    Claim("fifty-are-fewer", ch06b_held, less="50 in memory", than="569 in memory", holds=14, unit="%"),
    Claim("three-mistakes", ch06b_mistakes, less="all fixed", than="two fixed", holds=20),
]
