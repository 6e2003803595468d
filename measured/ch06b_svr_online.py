"""Measurements for chapter 6b: support vector regression, online learning, and their costs as n grows.

The costs are measured on Ripley's mixture, whose classes overlap: a fixed fraction of the points are support vectors.
The chapter uses the growth of the times, not the speed. Methods that are compared select their settings by the mean
absolute error in five folds of their training points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import numpy as np
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from kcourse import SVC, Gaussian, Linear
from kcourse.datasets import load_geyser, load_mcycle, load_synth, make_sinc
from kcourse.svm import BudgetPerceptron, Pegasos, smo
from measured import Claim, Row, table
from measured.common import least

CENTRES = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # two of each class
KERNEL, C, DEAR, BUDGET, QUERIES = Gaussian(0.3), 1.0, 1000.0, 100, 1000
STEPS = 10_000_000  # more than any of these problems wants


def drawn(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    label, bell = rng.integers(2, size=n), rng.integers(2, size=n)
    return CENTRES[2 * label + bell] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


@table("least seconds of the processor, C = 1, dear 1000", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
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
        "smo_steps_dear": smo(K, y, DEAR, max_iter=STEPS)[2] if n <= 2000 else np.nan,
        "svc": least(lambda: SVC(KERNEL, C=C).fit(X, y), runs),
        "svc_dear": least(lambda: SVC(KERNEL, C=DEAR).fit(X, y), runs),
        f"predict_{QUERIES}": least(lambda: model.predict(queries), runs),
        "pegasos_pass": least(lambda: Pegasos(C=C, epochs=1).fit(X, y), runs),
        f"budget_{BUDGET}_pass": least(lambda: BudgetPerceptron(KERNEL, budget=BUDGET).fit(X, y), runs),
        "support": len(model.support_),
    }


@table("steps of SMO, C = 1000, and the exponent of their growth", 10, of="draws of each size", timed=True)
def ch06b_dear(draw: int) -> Row:
    """Rounding decides on some of the steps, so that another processor counts others."""
    sizes = (500, 1000, 2000)
    problems = (drawn(n, 100 * n + draw) for n in sizes)
    steps = [smo(KERNEL(X), y, DEAR, max_iter=STEPS)[2] for X, y in problems]
    row: Row = {f"{n} points": count for n, count in zip(sizes, steps, strict=True)}
    return row | {"exponent": float(np.polyfit(np.log(sizes), np.log(steps), 1)[0])}


# ---------------------------------------------------------------- the tube: which ε, and where it wins

Fitted = Callable[[np.ndarray], np.ndarray]
NOISE, WIDTH = 0.15, 0.5
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0)  # of the noise's standard deviation
FOLDS = KFold(5, shuffle=True, random_state=0)
BY = "neg_mean_absolute_error"
LIDS = (100.0, 1000.0, 10_000.0)


def searched(X: np.ndarray, y: np.ndarray, model: object, grid: dict, folds: object = FOLDS) -> GridSearchCV:
    return GridSearchCV(model, grid, cv=folds, scoring=BY).fit(X, y)


def svr_grid(widths: Iterable[float], prices: Iterable[float], tubes: Iterable[float]) -> dict:
    return {"gamma": [1 / (2 * s**2) for s in widths], "C": list(prices), "epsilon": list(tubes)}


@table(
    "distance from sinc, a thousandth, of the best of five prices for each tube", 120, of="draws of 100 noisy points"
)
def ch06b_noise(draw: int) -> Row:
    """The noise is Gaussian, of standard deviation 0.15; ε in shares of it."""
    data = make_sinc(n=100, noise=NOISE, rng=draw)
    at = np.linspace(-3, 3, 201)[:, None]
    prices = (0.03, 0.1, 0.3, 1.0, 3.0)

    def off(share: float, price: float) -> float:
        model = SVR(gamma=1 / (2 * WIDTH**2), C=price, epsilon=share * NOISE).fit(data.X, data.y)
        return float(1000 * np.sqrt(np.mean((model.predict(at) - np.sinc(at[:, 0])) ** 2)))

    best = {share: min(off(share, price) for price in prices) for share in SHARES}
    grid = svr_grid([WIDTH], prices, [share * NOISE for share in SHARES])
    chosen = searched(data.X, data.y, SVR(), grid)
    told = searched(data.X, data.y, SVR(), grid | {"epsilon": [0.6 * NOISE]})
    none = searched(data.X, data.y, SVR(), grid | {"epsilon": [0.0]})
    row: Row = {f"{share:g} of the noise": value for share, value in best.items()}
    row["best share"] = min(best, key=best.__getitem__)
    row["chosen share"] = round(chosen.best_params_["epsilon"] / NOISE, 6)
    centred = TransformedTargetRegressor(KernelRidge(kernel="rbf", gamma=1 / (2 * WIDTH**2)),
                                         transformer=StandardScaler(with_std=False))  # fmt: skip
    ridge = searched(data.X, data.y, centred, {"regressor__alpha": [0.03, 0.1, 0.3, 1.0, 3.0]})
    by_folds = {"ε and price": chosen, "price": told, "no tube": none, "kernel ridge": ridge}
    for name, model in ((f"{what} by folds", model) for what, model in by_folds.items()):
        row[name] = float(1000 * np.sqrt(np.mean((model.predict(at) - np.sinc(at[:, 0])) ** 2)))
    return row


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


@table(
    "mean absolute error on readings that were left out (g)", 40, of="choices of 40 readings left out of 133", slow=True
)
def ch06b_sensor(draw: int) -> Row:
    """The crash: all methods learn from 93 readings, first as they are, then with ten of them stuck at 200 g."""
    crash = load_mcycle()
    order = np.random.default_rng(draw).permutation(len(crash.y))
    (A, t), (B, truth) = ((crash.X[part], crash.y[part]) for part in (order[40:], order[:40]))
    broken = t.copy()
    broken[:10] = 200.0
    widths = (1.5, 3.0, 6.0)
    ridge_grid = {"gamma": [1 / (2 * s**2) for s in widths], "alpha": [0.03, 0.1, 0.3, 1.0, 3.0, 10.0]}
    methods = {
        "kernel ridge": (KernelRidge(kernel="rbf"), ridge_grid),
        "dropped then ridge": (DropThenRidge(), ridge_grid | {"limit": [40.0, 60.0, 80.0, 120.0]}),
        "neighbours": (KNeighborsRegressor(), {"n_neighbors": [3, 5, 7, 9, 11, 13, 15, 20, 30]}),
        "median of neighbours": (NeighboursMedian(), {"n_neighbors": [3, 5, 7, 9, 11, 13, 15, 20, 30]}),
        "tube of 0": (SVR(), svr_grid(widths, (10.0, 30.0, 100.0), [0.0])),
        "tube": (SVR(), svr_grid(widths, (10.0, 30.0, 100.0), (0.0, 5.0, 10.0, 20.0))),
    }  # fmt: skip
    row: Row = {}
    for name, (model, grid) in methods.items():
        for targets, state in ((t, "right"), (broken, "stuck")):
            said = searched(A, targets, model, grid).predict(B)
            row[f"{name} {state}"] = float(np.mean(np.abs(said - truth)))
    for lid in LIDS:  # at a lid of this height alone
        said = searched(A, broken, SVR(), svr_grid(widths, [lid], [0.0])).predict(B)
        row[f"lid {lid:g} stuck"] = float(np.mean(np.abs(said - truth)))
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
    """Durations and waits standardised, by what is learnt from."""
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
    ridge_grid = {"regressor__gamma": gammas, "regressor__alpha": np.logspace(-2, 2, 9)}
    centred = TransformedTargetRegressor(KernelRidge(kernel="rbf"), transformer=StandardScaler(with_std=False))
    models = {
        "two means": searched(A, t, TwoMeans(), {"border": [2.5, 3.0, 3.5]}, folds),
        "neighbours": searched(A, t, KNeighborsRegressor(), {"n_neighbors": [5, 10, 20, 30, 50]}, folds),
        "kernel ridge": searched(A, t, centred, ridge_grid, folds),
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
def ripley_points() -> tuple:
    train, fresh = load_synth(), load_synth("test")
    y, truth = np.where(train.y == 1, 1, -1), np.where(fresh.y == 1, 1, -1)
    K, across = Gaussian(0.3)(train.X), Gaussian(0.3)(fresh.X, train.X)
    Q = K * np.outer(y, y)
    found = minimize(lambda a: (0.5 * a @ Q @ a - a.sum(), Q @ a - 1), np.full(len(y), 0.5), jac=True,
                     bounds=[(0, 1)] * len(y), method="L-BFGS-B",
                     options={"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-15, "gtol": 1e-9})  # fmt: skip
    return train.X, y, K, across, truth, -found.fun


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
    """Standardised, as learnt, on the other nine folds."""
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


@table("kept, and values of the kernel that were asked for, C = 1", over=(500, 1000, 2000, 4000, 8000), of="sizes n")
def ch06b_hits(n: int) -> Row:
    """One pass of Pegasos with the counts (7): each point asks all that have been kept. Means of five streams."""
    kept, asked = [], []
    for seed in range(5):
        X, y = drawn(n, 10 * n + seed)
        hits: list[int] = []
        total = 0
        for t in range(n):
            f = KERNEL(X[t : t + 1], X[hits])[0] @ y[hits] * n * C / max(t, 1) if hits else 0.0
            total += len(hits)
            if y[t] * f < 1:
                hits.append(t)
        kept.append(len(hits))
        asked.append(total)
    return {"n": n, "kept": float(np.mean(kept)), "asked": float(np.mean(asked))}


@table("objective above the least (%), wrong of a thousand fresh points", 80, of="orders of Ripley's 250 points")
def ch06b_stream(order: int) -> Row:
    """Pegasos and its mean for 10 000 points; perceptrons, 20 in memory and all, at every tenth point after 1000."""
    X, y, K, across, truth, lowest = ripley_points()
    run = Pegasos(Gaussian(0.3), C=1.0, epochs=40, rng=order).fit(X, y)

    def above(coef: np.ndarray) -> float:
        f = K @ coef
        return float(100 * ((0.5 * coef @ f + np.maximum(0, 1 - y * f).sum()) / lowest - 1))

    def wrong(coef: np.ndarray) -> int:
        return int(np.sum(np.where(across @ coef > 0, 1, -1) != truth))

    def perceptron(budget: float) -> list[int]:
        coef, memory, seen = np.zeros(len(y)), [], []
        for t, i in enumerate(np.random.default_rng(order).integers(len(y), size=10_000), start=1):
            if y[i] * (K[i] @ coef) <= 0:
                coef[i] += y[i]
                memory.append(i)
                if len(memory) > budget:
                    gone = memory.pop(0)
                    coef[gone] -= y[gone]
            if t > 1000 and t % 10 == 0:
                seen.append(wrong(coef))
        return seen

    seen, boundless = perceptron(20), perceptron(np.inf)
    return {
        "at 1000": above(run.dual_coef_at(1000)),
        "wrong at 1000": wrong(run.dual_coef_at(1000)),
        "last": above(run.dual_coef_at(10_000)),
        "mean": above(run.dual_coef_at(10_000, average=True)),
        "perceptron 5th percentile": float(np.percentile(seen, 5)),
        "perceptron 95th percentile": float(np.percentile(seen, 95)),
        "no limit 5th percentile": float(np.percentile(boundless, 5)),
        "no limit 95th percentile": float(np.percentile(boundless, 95)),
    }


def turning(n: int, turns: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A stream of two bells, two apart, on either side of a border through 0 that goes round ``turns`` times."""
    y, angle = rng.choice([-1, 1], n), np.linspace(0, 2 * np.pi * turns, n)
    return y[:, None] * np.stack([np.cos(angle), np.sin(angle)], 1) + 0.5 * rng.standard_normal((n, 2)), y


def on_the_way(
    X: np.ndarray, y: np.ndarray, lam: float, fades: float = np.inf, steps: float = np.inf
) -> tuple[float, float, float]:
    """Pegasos: wrong before they were learnt (%), mean regret against the best single w, and what (8) allows.

    From step ``fades`` on the factor 1 - 1/t of the old w stays as it is, from ``steps`` on what is added.
    """
    w, wrong, losses, slopes = np.zeros(2), 0, [], [0.0]
    for t, (x, label) in enumerate(zip(X, y, strict=True), start=1):
        value = label * (w @ x)
        wrong += value <= 0
        losses.append(0.5 * lam * w @ w + max(0.0, 1 - value))
        hit = (value < 1) * label * x
        slopes.append(float((lam * w - hit) @ (lam * w - hit)))
        w = (1 - 1 / min(t, fades)) * w + hit / (lam * min(t, steps))
    Z = y[:, None] * X
    found = minimize(lambda u: 0.5 * lam * u @ u + np.maximum(0, 1 - Z @ u).mean(), np.zeros(2), method="Nelder-Mead")
    bound = max(slopes) * (1 + np.log(len(y))) / (2 * lam * len(y))
    return 100 * wrong / len(y), float(np.mean(losses) - found.fun), bound


@table("wrong before they were learnt, of a hundred; regret", 40, of="streams of 4000 points")
def ch06b_drift(draw: int) -> Row:
    row: Row = {}
    for name, turns in (("still", 0), ("turning", 2)):
        X, y = turning(4000, turns, np.random.default_rng(draw))
        for lam in (0.001, 0.01, 0.1):
            names = (f"{what} {lam:g} {name}" for what in ("Pegasos", "regret", "bound"))
            row |= dict(zip(names, on_the_way(X, y, lam), strict=True))
        row[f"both held {name}"] = on_the_way(X, y, 0.1, fades=100, steps=100)[0]
        row[f"fading held {name}"] = on_the_way(X, y, 0.1, fades=100)[0]
        row[f"steps held {name}"] = on_the_way(X, y, 0.1, steps=100)[0]
        for budget in (5, 20, 100, 4000):
            mistakes = BudgetPerceptron(Linear(), budget=budget).fit(X, y).n_updates_
            row[f"{budget} in memory {name}"] = 100 * mistakes / len(y)
    return row


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


# ---------------------------------------------------------------- and what is said of it

CLAIMS = [
    Claim("some-tube", ch06b_noise, less="0.6 of the noise", than="0 of the noise", holds=72, unit="thousandths"),
    Claim("no-tube-costs", ch06b_noise, less="price by folds", than="no tube by folds", holds=66, unit="thousandths"),
    Claim(
        "squares-before-tubes",
        ch06b_noise,
        less="kernel ridge by folds",
        than="price by folds",
        holds=80,
        unit="thousandths",
    ),
    Claim("not-too-wide", ch06b_noise, less="0.6 of the noise", than="2 of the noise", holds=108, unit="thousandths"),
    Claim("few-are-kept", ch06b_geyser, less="tube of 10 kept", than=40, holds=10, unit="eruptions"),
    Claim("tube-against-spikes", ch06b_sensor, less="tube stuck", than="kernel ridge stuck", holds=40, unit="g"),
    Claim(
        "median-beats-ridge",
        ch06b_sensor,
        less="median of neighbours stuck",
        than="kernel ridge stuck",
        holds=36,
        unit="g",
    ),
    Claim(
        "dropped-before-ridge",
        ch06b_sensor,
        less="dropped then ridge stuck",
        than="kernel ridge stuck",
        holds=38,
        unit="g",
    ),
    Claim("tube-before-median", ch06b_sensor, less="tube stuck", than="median of neighbours stuck", holds=26, unit="g"),
    Claim("mean-nearer", ch06b_stream, less="mean", than="last", holds=60, unit="%"),
    Claim(
        "memory-calms",
        ch06b_stream,
        less="no limit 95th percentile",
        than="perceptron 95th percentile",
        holds=76,
        unit="points",
    ),
    Claim(
        "pegasos-falls-behind", ch06b_drift, less="Pegasos 0.1 still", than="Pegasos 0.1 turning", holds=40, unit="%"
    ),
    Claim("regret-below-bound", ch06b_drift, less="regret 0.1 turning", than="bound 0.1 turning", holds=40),
    Claim("fading-is-a-cure", ch06b_drift, less="fading held turning", than="Pegasos 0.1 turning", holds=40, unit="%"),
    Claim("steps-are-a-cure", ch06b_drift, less="steps held turning", than="Pegasos 0.1 turning", holds=40, unit="%"),
    Claim(
        "small-price-follows", ch06b_drift, less="Pegasos 0.001 turning", than="Pegasos 0.1 turning", holds=40, unit="%"
    ),
    Claim("small-memory-costs", ch06b_budget, less="5 in memory", than="569 in memory", holds=110, unit="%"),
    Claim("fifty-are-fewer", ch06b_held, less="50 in memory", than="569 in memory", holds=14, unit="%"),
    Claim(
        "forgetting-is-not", ch06b_drift, less="4000 in memory turning", than="Pegasos 0.1 turning", holds=40, unit="%"
    ),
    Claim("three-mistakes", ch06b_mistakes, less="all fixed", than="two fixed", holds=20),
]
