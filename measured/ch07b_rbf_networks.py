"""Measurements for chapter 7b: RBF networks on the moons, wine and Ripley's classes, and their costs.

There are only 178 bottles, which all partitions share, so the standard errors do not describe other bottles. On wine
all methods standardise the features with their training data; in `ch07b_wine` they select their settings there, from
eight each, by one inner partition.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.cluster import KMeans
from sklearn.covariance import ledoit_wolf
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kcourse import BayesRBFClassifier, Gaussian, KernelRidge, RBFNetwork, RBFNetworkClassifier
from kcourse.base.linalg import distances
from kcourse.datasets import make_double_moon
from kcourse.rbf import kmeans, lms, spread
from measured import Claim, Row, table
from measured.common import RIPLEY, WIDTH, least, ripley

Array = np.ndarray
Make = Callable[[], Any]


def mlp(units: int, penalty: float = 1e-4) -> MLPClassifier:
    """tanh, trained to the end: for so few points L-BFGS is the way that scikit-learn advises."""
    return MLPClassifier((units,), activation="tanh", solver="lbfgs", alpha=penalty, max_iter=1000, random_state=0)


def standardised(seen: Array, new: Array) -> tuple[Array, Array]:
    mean, sd = seen.mean(axis=0), seen.std(axis=0)
    return (seen - mean) / sd, (new - mean) / sd


# ---------------------------------------------------------------- LMS on a grid of bells

GRID = np.array([[x, y] for x in np.linspace(-12, 22, 5) for y in np.linspace(-8, 12, 4)])


@table("LMS on a grid of twenty bells, a hundred passes", 20, of="draws of the moons")
def ch07b_lms(draw: int) -> Row:
    X, y = make_double_moon(1000, distance=-5, rng=draw, return_X_y=True)
    Phi = np.column_stack([RBFNetwork(20, centers=GRID, sigma="dmax").fit(X, y).hidden(X), np.ones(1000)])
    best = np.linalg.lstsq(Phi, y, rcond=None)[0]
    rng = np.random.default_rng(draw)
    order = np.concatenate([rng.permutation(1000) for _ in range(100)])
    safe = 1 / np.max(np.sum(Phi**2, axis=1))
    row: Row = {}
    for name, rate in (
        ("constant", np.full(100_000, safe)),
        ("falling", safe * np.minimum(1, 5000 / np.arange(1, 100_001))),
    ):
        w, late = np.zeros(21), []
        for t, (i, eta) in enumerate(zip(order, rate, strict=True), start=1):
            w = w + eta * (y[i] - w @ Phi[i]) * Phi[i]
            if t == 1000:
                row["wrong of 1000 after a pass"] = int(np.sum(np.sign(Phi @ w) != y))
            if t % 1000 == 0 and t > 50_000:
                late.append(np.mean((y - Phi @ w) ** 2))
        row[f"error with {name} step"] = float(np.mean(late) / np.mean((y - Phi @ best) ** 2))
        row[f"weights off with {name} step"] = float(np.linalg.norm(w - best) / np.linalg.norm(best))
    return row


# ---------------------------------------------------------------- twenty bells, or six


# the gradient's last steps are rounding, and so are a few points in a thousand
@table("wrong of 5000 fresh points, moons at distance -5", 20, of="draws of the moons", slow=True, off=10)
def ch07b_moons(draw: int) -> Row:
    X, y = make_double_moon(1000, distance=-5, rng=draw, return_X_y=True)
    fresh, truth = make_double_moon(5000, distance=-5, rng=1000 + draw, return_X_y=True)

    def wrong(model: Any, A: Array = X, B: Array = fresh) -> int:
        return int(np.sum(model.fit(A, y).predict(B) != truth))

    row: Row = {}
    for m in (20, 6):
        bells = partial(RBFNetworkClassifier, m, rng=draw)
        row |= {
            f"{m} bells by lot": wrong(bells(centers="random")),
            f"{m} bells by k-means": wrong(bells()),
            f"{m} bells by the best k-means of ten": wrong(bells(centers=kmeans(X, m, n_init=10, rng=draw).centers)),
            f"{m} bells by gradient": wrong(bells(centers="supervised")),
        }
    row["20 bells by lot with median spread"] = wrong(
        RBFNetworkClassifier(20, centers="random", sigma="median", rng=draw)
    )
    scaled = standardised(X, fresh)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # Adam says that 200 passes were not enough
        row["MLP by Adam as it comes"] = wrong(MLPClassifier((20,), activation="tanh", random_state=draw), *scaled)
        row["MLP by Adam with step 0.01"] = wrong(
            MLPClassifier((20,), activation="tanh", learning_rate_init=0.01, random_state=draw), *scaled
        )
        row["MLP by L-BFGS"] = wrong(mlp(20), *scaled)
    return row


# where a gradient ends is a matter of rounding, too
@table("wrong of 5000 fresh points, moons at distance -5, six bells", 20, of="draws of the moons", slow=True, off=30)
def ch07b_widths(draw: int) -> Row:
    """The rule's spread, and that multiple of it which five folds of the points to learn from find best, of eight.

    A support vector machine chooses its width and price by the same folds, of eight, too. And from one start of k-means
    down the slope of the squared error, in the places alone and in the spreads alone.
    """
    X, y = make_double_moon(1000, distance=-5, rng=draw, return_X_y=True)
    fresh, truth = make_double_moon(5000, distance=-5, rng=1000 + draw, return_X_y=True)
    part, row = np.random.default_rng(draw).permutation(1000) % 5, {}
    for name, T in {
        "by lot": RBFNetworkClassifier(6, centers="random", rng=draw).fit(X, y).centers_,
        "by k-means": RBFNetworkClassifier(6, rng=draw).fit(X, y).centers_,
        "by the best k-means of ten": kmeans(X, 6, n_init=10, rng=draw).centers,
    }.items():

        def wrong(times: float, seen: Array, A: Array, B: Array, T: Array = T) -> int:
            model = RBFNetworkClassifier(6, centers=T, sigma=times * spread(T))
            return int(np.sum(model.fit(X[seen], y[seen]).predict(A) != B))

        folded = {
            times: sum(wrong(times, part != k, X[part == k], y[part == k]) for k in range(5))
            for times in (0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)
        }
        row[f"{name} with the rule"] = wrong(1.0, part >= 0, fresh, truth)
        row[f"{name} with a chosen spread"] = wrong(min(folded, key=folded.get), part >= 0, fresh, truth)
    machines = [SVC(C=C, gamma=1 / (2 * s**2)) for C in (1, 100) for s in (8, 4, 2, 1)]
    held_out = [sum(np.sum(m.fit(X[part != k], y[part != k]).predict(X[part == k]) != y[part == k]) for k in range(5))
                for m in machines]  # fmt: skip
    machine = machines[int(np.argmin(held_out))].fit(X, y)
    row["support vectors with chosen width and price"] = int(np.sum(machine.predict(fresh) != truth))
    row["number of support vectors"] = len(machine.support_)
    T = RBFNetworkClassifier(6, rng=draw).fit(X, y).centers_
    start = np.full(6, spread(T))

    def fitted(centres: Array, sigma: Array) -> RBFNetworkClassifier:
        return RBFNetworkClassifier(6, centers=centres, sigma=sigma).fit(X, y)

    def error(centres: Array, sigma: Array) -> float:
        return float(np.mean((fitted(centres, sigma).outputs(X)[:, 1] - (y > 0)) ** 2))

    def spreads_of(logs: Array) -> Array:
        return np.exp(np.clip(logs, -2, 6))  # from a seventh of a unit to four hundred

    def least_at(of: Callable[[Array], float], first: Array) -> Array:
        return minimize(of, first, method="L-BFGS-B").x

    places = least_at(lambda v: error(v.reshape(6, 2), start), T.ravel()).reshape(6, 2)
    spreads = spreads_of(least_at(lambda v: error(T, spreads_of(v)), np.log(start)))
    row["places alone by gradient"] = int(np.sum(fitted(places, start).predict(fresh) != truth))
    row["spreads alone by gradient"] = int(np.sum(fitted(T, spreads).predict(fresh) != truth))
    return row


# ---------------------------------------------------------------- wine


@cache
def bottles() -> tuple[Array, Array]:
    data = load_wine()
    return data.data, data.target


def folds(y: Array, parts: int, seed: int) -> Iterator[tuple[Array, Array]]:
    """Who learns and who is new, each cultivar shared out alike."""
    rng, part = np.random.default_rng(seed), np.empty(len(y), dtype=int)
    for c in np.unique(y):
        part[y == c] = rng.permutation(np.arange(np.sum(y == c)) % parts)
    for k in range(parts):
        yield part != k, part == k


class Bells:
    """An RBF network on the cheapest of five ends of k-means."""

    def __init__(self, m: int, rule: str) -> None:
        self.m, self.rule = m, rule

    def fit(self, X: Array, y: Array) -> RBFNetworkClassifier:
        T = kmeans(X, self.m, n_init=5, rng=0).centers
        return RBFNetworkClassifier(self.m, centers=T, sigma=self.rule).fit(X, y)


def learnt(m: int, lam: float) -> RBFNetworkClassifier:
    return RBFNetworkClassifier(m, centers="supervised", sigma="median", lam=lam)


METHODS: dict[str, list[Make]] = {
    "nearest neighbours": [partial(KNeighborsClassifier, k) for k in (1, 3, 5, 7, 9, 11, 15, 21)],
    "planes by ridge": [partial(RidgeClassifier, alpha) for alpha in (0.01, 0.1, 0.3, 1, 3, 10, 30, 100)],
    "planes by discriminant analysis": [LinearDiscriminantAnalysis],
    "support vectors": [partial(SVC, C=C, gamma=1 / (2 * s**2)) for C in (0.3, 1, 10, 100) for s in (2.5, 5)],
    "multilayer perceptron": [partial(mlp, u, a) for u in (5, 10) for a in (0.01, 0.1, 1, 10)],
    "bells by k-means": [partial(Bells, m, rule) for m in (3, 6, 12, 24) for rule in ("dmax", "median")],
    "bells by gradient": [partial(learnt, m, lam) for m in (3, 6) for lam in (1e-6, 0.1, 1, 10)],
    "normalised bells": [partial(BayesRBFClassifier, m) for m in (3, 4, 5, 6, 8, 12, 16, 24)],
}


@table(
    "of 178 bottles wrong (%), settings chosen where the method learns",
    10,
    of="partitions into ten folds",
    slow=True,
    off=0.6,  # a bottle
)
def ch07b_wine(draw: int) -> Row:
    X, y = bottles()
    methods = METHODS | {"ellipses by discriminant analysis": [QuadraticDiscriminantAnalysis]}
    said = {name: np.empty(178) for name in methods}
    for k, (learn, new) in enumerate(folds(y, 10, draw)):
        U, V = standardised(X[learn], X[new])
        inner = list(folds(y[learn], 4, k))
        for name, makers in methods.items():
            wrong = np.zeros(len(makers))
            for seen, judge in inner if len(makers) > 1 else ():
                A, B = standardised(X[learn][seen], X[learn][judge])
                wrong += [np.sum(make().fit(A, y[learn][seen]).predict(B) != y[learn][judge]) for make in makers]
            said[name][new] = makers[int(wrong.argmin())]().fit(U, y[learn]).predict(V)
    return {name: float(100 * np.mean(guess != y)) for name, guess in said.items()}


@table("of 178 bottles wrong (%), without settings", 60, of="partitions into ten folds", off=0.6)  # a bottle
def ch07b_shapes(draw: int) -> Row:
    """One scatter for all cultivars, one for each, and one for each in which no two measurements go together."""
    X, y = bottles()
    shapes = {
        "one scatter": LinearDiscriminantAnalysis,
        "a scatter each": QuadraticDiscriminantAnalysis,
        "an upright scatter each": GaussianNB,
    }
    wrong = dict.fromkeys(shapes, 0.0)
    for learn, new in folds(y, 10, draw):
        U, V = standardised(X[learn], X[new])
        for name, make in shapes.items():
            wrong[name] += 100 * np.sum(make().fit(U, y[learn]).predict(V) != y[new]) / 178
    return wrong


# off by a bottle, where a gradient ends in rounding
@table("of 178 bottles wrong (%), settings as named", 60, of="partitions into ten folds", slow=True, off=0.6)
def ch07b_bells(draw: int) -> Row:
    X, y = bottles()

    def bells(m: int, way: str, rule: str, lam: float = 1e-6) -> RBFNetworkClassifier:
        return RBFNetworkClassifier(m, centers=way, sigma=rule, lam=lam, rng=draw)

    named: dict[str, Make] = {
        "24 bells by lot with the rule": lambda: bells(24, "random", "dmax"),
        "24 bells by lot with the median": lambda: bells(24, "random", "median"),
        "24 bells by k-means": lambda: bells(24, "kmeans", "median"),
        "3 bells from the best of five": lambda: Bells(3, "median"),
    }
    for m in (2, 3, 6, 12):
        named[f"{m} bells by k-means"] = partial(bells, m, "kmeans", "median")
        named[f"{m} bells by gradient"] = partial(bells, m, "supervised", "median")
    for way, name in (("kmeans", "k-means"), ("supervised", "gradient")):
        named[f"6 bells by {name} at λ = 1"] = partial(bells, 6, way, "median", lam=1.0)
    wrong = dict.fromkeys(named, 0.0)
    for learn, new in folds(y, 10, draw):
        U, V = standardised(X[learn], X[new])
        for name, make in named.items():
            wrong[name] += 100 * np.sum(make().fit(U, y[learn]).predict(V) != y[new]) / 178
    return wrong


@table("of 178 bottles wrong (%), three bells from the best of five starts", 60, of="partitions into ten folds",
       slow=True, off=0.6)  # fmt: skip
def ch07b_three(draw: int) -> Row:
    """The same start for both: where the cheapest of five runs of k-means ends."""
    X, y = bottles()
    wrong = dict.fromkeys(("at rest", "moved"), 0.0)
    for learn, new in folds(y, 10, draw):
        U, V = standardised(X[learn], X[new])
        start = min(range(5), key=lambda seed: kmeans(U, 3, init="k-means++", max_iter=100, tol=1e-4, rng=seed).inertia)
        for name, way in (("at rest", "kmeans"), ("moved", "supervised")):
            model = RBFNetworkClassifier(3, centers=way, sigma="median", rng=start).fit(U, y[learn])
            wrong[name] += 100 * np.sum(model.predict(V) != y[new]) / 178
    return wrong


class Units(TransformerMixin, BaseEstimator):
    """The chapter's transformer: k-means, and width times the median distance of neighbouring centres."""

    def __init__(self, m: int = 6, width: float = 1.0) -> None:
        self.m, self.width = m, width

    def fit(self, X: Array, y: Array | None = None) -> Units:
        self.centres_ = KMeans(self.m, n_init=10, tol=0, random_state=0).fit(X).cluster_centers_
        self.sigma_ = self.width * spread(self.centres_, rule="median")
        return self

    def transform(self, X: Array) -> Array:
        return np.exp(-(distances(X, self.centres_) ** 2) / (2 * self.sigma_**2))


# many of these scores are near each other, and which is the best may be rounding
@table("right (%), the best of 18 settings by three folds of half of the bottles", 40, of="halves", slow=True, off=3)
def ch07b_search(draw: int) -> Row:
    """Its score on the folds that chose it, and on the other half; with shuffled labels, too."""
    X, y = bottles()
    rng, row = np.random.default_rng(draw), {}
    half = next(folds(y, 2, draw))[0]
    grid = {"bells__m": (3, 6, 12), "bells__width": (1, 2, 4), "layer__alpha": (1e-6, 1)}
    for name, labels in (("true labels", y), ("shuffled labels", rng.permutation(y))):
        steps = [("scale", StandardScaler()), ("bells", Units()), ("layer", RidgeClassifier())]
        search = GridSearchCV(Pipeline(steps), grid, cv=3).fit(X[half], labels[half])
        row[f"{name} by the folds that chose"] = float(100 * search.best_score_)
        row[f"{name} on the other half"] = float(100 * search.score(X[~half], labels[~half]))
    return row


@table("noticed, and false alarms (%), at a stated rate of 10 % false alarms", 40, of="draws of the bottles")
def ch07b_novel(draw: int) -> Row:
    """Each cultivar in turn is unknown: two are learnt, and the fourth smallest score of 39 others is the threshold.

    At the end of the row comes a glass of water, thirteen zeros.
    """
    X, y = bottles()
    noticed: dict[str, list[float]] = {}
    alarms: dict[str, list[float]] = {}
    water: dict[str, list[float]] = {}
    for new in range(3):
        known = np.random.default_rng([draw, new]).permutation(np.flatnonzero(y != new))
        bench, judge, learn = known[:39], known[39:59], known[59:]
        shown = np.concatenate([bench, judge, np.flatnonzero(y == new)])
        U, V = standardised(X[learn], np.vstack([X[shown], np.zeros(13)]))
        bayes, net = BayesRBFClassifier(3).fit(U, y[learn]), Bells(3, "median").fit(U, y[learn])
        planes = LinearDiscriminantAnalysis(store_covariance=True).fit(U, y[learn])
        means, of_class = planes.means_, np.searchsorted(planes.classes_, y[learn])
        scatters = {
            "shared scatter": [planes.covariance_] * 2,
            "own scatter": [np.cov(U[of_class == c].T, bias=True) for c in (0, 1)],
            "own scatter shrunk": [ledoit_wolf(U[of_class == c])[0] for c in (0, 1)],
        }
        scores = {
            "density p(x)": bayes.log_density(V),
            "loudest bell": net.hidden(V).max(axis=1),
            "nearest neighbour": -distances(V, U).min(axis=1),
            "class mean": -distances(V, means).min(axis=1),
            "posterior": bayes.predict_proba(V).max(axis=1),
            "MLP's probability": mlp(10, 1.0).fit(U, y[learn]).predict_proba(V).max(axis=1),
            "logistic regression": LogisticRegression().fit(U, y[learn]).predict_proba(V).max(axis=1),
        }
        for name, two in scatters.items():
            squares = [np.sum((V - t) @ np.linalg.inv(S) * (V - t), axis=1) for t, S in zip(means, two, strict=True)]
            scores[name] = -np.min(squares, axis=0)
        for a in (0.01, 0.1, 10.0):
            scores[f"MLP at {a}"] = mlp(10, a).fit(U, y[learn]).predict_proba(V).max(axis=1)
        for name, score in scores.items():
            threshold = np.sort(score[:39])[3]
            alarms.setdefault(name, []).append(100 * np.mean(score[39:59] < threshold))
            noticed.setdefault(name, []).append(100 * np.mean(score[59:-1] < threshold))
            water.setdefault(name, []).append(100.0 * (score[-1] < threshold))
    row = {f"noticed by {name}": float(np.mean(share)) for name, share in noticed.items()}
    row |= {f"alarms by {name}": float(np.mean(share)) for name, share in alarms.items()}
    row |= {f"water noticed by {name}": float(np.mean(share)) for name, share in water.items()}
    return row | {f"noticed by posterior where cultivar {c + 1} is unknown": noticed["posterior"][c] for c in range(3)}


# ---------------------------------------------------------------- whose outputs are probabilities?


PRICES = (0.1, 1.0, 10.0, 100.0, 1000.0)  # C of logistic regression


def logistic(H: Array, y: Array) -> LogisticRegression:
    """With the price under which five folds of the points to learn from are likeliest."""
    parts = list(folds(y, 5, 0))

    def likely(C: float) -> float:
        made = (LogisticRegression(C=C, max_iter=2000).fit(H[seen], y[seen]) for seen, _ in parts)
        return sum(
            np.log(model.predict_proba(H[new])[np.arange(np.sum(new)), np.searchsorted(model.classes_, y[new])]).sum()
            for model, (_, new) in zip(made, parts, strict=True)
        )

    return LogisticRegression(C=max(PRICES, key=likely), max_iter=2000).fit(H, y)


@table(
    "distance from the true posterior, in thousandths; and too sure by (%), Ripley's mixture",
    40,
    of="draws of 250 points",
)
def ch07b_posterior(draw: int) -> Row:
    """The mean of (p̂ - p)² over 5000 fresh points, whose p is known; and the mean of max p̂ less the share right."""
    rng = np.random.default_rng(draw)
    (X, y), (new, truth) = ripley(250, rng), ripley(5000, rng)
    density = np.exp(-(distances(new, RIPLEY) ** 2) / (2 * WIDTH**2))
    p = density[:, 2:].sum(axis=1) / density.sum(axis=1)
    told: dict[str, Array] = {"one logistic plane": LogisticRegression().fit(X, y).predict_proba(new)[:, 1]}
    for m in (4, 6, 12):
        free = RBFNetworkClassifier(m, bias=True).fit(X, y)
        told |= {
            f"{m} bells by squares without bias": RBFNetworkClassifier(m, bias=False).fit(X, y).outputs(new)[:, 1],
            f"{m} bells by squares": free.outputs(new)[:, 1],
            f"{m} bells by squares cut to the band": np.clip(free.outputs(new)[:, 1], 0, 1),
            f"{m} logistic bells": logistic(free.hidden(X), y).predict_proba(free.hidden(new))[:, 1],
            f"{m} normalised bells": BayesRBFClassifier(m).fit(X, y).predict_proba(new)[:, 1],
        }
    row: Row = {}
    for name, q in told.items():
        row[name] = float(1000 * np.mean((q - p) ** 2))
        row[f"{name} too sure by"] = float(100 * (np.mean(np.maximum(q, 1 - q)) - np.mean((q > 0.5) == truth)))
    return row


@table("distance from the true posterior, in thousandths, number of bells by five folds", 40, of="draws of 250 points",
       slow=True)  # fmt: skip
def ch07b_folded(draw: int) -> Row:
    """Each network takes that number of bells, of five, whose squared error on the folds is least."""
    rng = np.random.default_rng(draw)
    (X, y), (new, _) = ripley(250, rng), ripley(5000, rng)
    density = np.exp(-(distances(new, RIPLEY) ** 2) / (2 * WIDTH**2))
    p = density[:, 2:].sum(axis=1) / density.sum(axis=1)

    def outputs(m: int, A: Array, b: Array, B: Array) -> dict[str, Array]:
        free, bare = (RBFNetworkClassifier(m, bias=bias).fit(A, b) for bias in (True, False))
        return {
            "squares without bias": bare.outputs(B)[:, 1],
            "squares": free.outputs(B)[:, 1],
            "squares cut to the band": np.clip(free.outputs(B)[:, 1], 0, 1),
            "logistic": logistic(free.hidden(A), b).predict_proba(free.hidden(B))[:, 1],
            "normalised": BayesRBFClassifier(m).fit(A, b).predict_proba(B)[:, 1],
        }

    sizes = (2, 4, 6, 8, 12)
    missed: dict[str, Array] = {}
    for seen, judge in folds(y, 5, 0):
        for i, m in enumerate(sizes):
            for name, q in outputs(m, X[seen], y[seen], X[judge]).items():
                missed.setdefault(name, np.zeros(5))[i] += np.sum((q - y[judge]) ** 2)
    chosen = {name: sizes[int(np.argmin(m))] for name, m in missed.items()}
    made = {m: outputs(m, X, y, new) for m in set(chosen.values())}
    row: Row = {name: float(1000 * np.mean((made[m][name] - p) ** 2)) for name, m in chosen.items()}
    return row | {"bells of normalised": chosen["normalised"], "bells of logistic": chosen["logistic"]}


# ---------------------------------------------------------------- what it costs


@table("least seconds of the processor, 20 units, d = 2", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
def ch07b_cost(n: int) -> Row:
    """All networks must be of some use: with more than one in a hundred fresh points wrong, there is no table."""
    X, y = make_double_moon(n, distance=-5, rng=0, return_X_y=True)
    fresh, truth = make_double_moon(2000, distance=-5, rng=1, return_X_y=True)
    scaled, fresh_scaled = standardised(X, fresh)
    T = kmeans(X, 20, n_init=1, rng=0).centers
    sigma = spread(T)
    network = RBFNetwork(20, centers=T, sigma=sigma).fit(X, y)
    Phi = np.column_stack([network.hidden(X), np.ones(n)])
    ways: dict[str, tuple[Callable[[], Any], int]] = {
        "kmeans": (lambda: kmeans(X, 20, n_init=1, tol=1e-4, rng=0), 9),
        "weights": (lambda: RBFNetwork(20, centers=T, sigma=sigma).fit(X, y), 9),
        "lms_pass": (lambda: lms(Phi, y, rng=0), 5),
        "em": (lambda: BayesRBFClassifier(20).fit(X, y), 3),
        "gradient": (lambda: RBFNetwork(20, centers="supervised").fit(X, y), 3),
        "mlp": (lambda: mlp(20).fit(scaled, y), 3),
        "kernel_ridge": (lambda: KernelRidge(Gaussian(sigma), lam=1e-2).fit(X, y), 2 if n < 5000 else 1),
    }
    for model, points in (
        (network, fresh),
        (ways["em"][0](), fresh),
        (ways["gradient"][0](), fresh),
        (ways["mlp"][0](), fresh_scaled),
    ):
        wrong = np.mean(np.sign(model.predict(points)) != truth)
        assert wrong < 0.01, (type(model).__name__, n, wrong)
    rounds = BayesRBFClassifier(20).fit(X, y).n_iter_
    return {"n": n, "rounds of em": rounds} | {name: least(call, runs) for name, (call, runs) in ways.items()}


def em_round(X: Array, c: Array, T: Array, sigma: Array, p: Array, W: Array) -> tuple[Array, Array, Array, Array]:
    """The chapter's program: E, then M, in the plane."""
    far = distances(X, T, squared=True)
    log = -far / (2 * sigma**2) + np.log(p / (2 * np.pi * sigma**2) * W[:, c].T)
    q = np.exp(log - log.max(axis=1, keepdims=True))
    r = q / q.sum(axis=1, keepdims=True)
    N = r.sum(axis=0)
    T = r.T @ X / N[:, None]
    far = distances(X, T, squared=True)
    return T, np.sqrt(np.sum(r * far, axis=0) / (2 * N)), N / len(X), r.T @ np.eye(2)[c] / N[:, None]


@table(
    "least seconds of the processor, 4000 points, d = 2",
    over=(10, 20, 40, 80, 160, 320),
    of="numbers of units m",
    timed=True,
)
def ch07b_units(m: int) -> Row:
    """A round of k-means and of EM, weights for centres that are there, a pass of LMS; the condition number of Φ."""
    X, y = make_double_moon(4000, distance=-5, rng=0, return_X_y=True)
    T = kmeans(X, m, n_init=1, tol=1e-4, rng=0).centers
    network = RBFNetwork(m, centers=T).fit(X, y)
    Phi = np.column_stack([network.hidden(X), np.ones(4000)])
    even = np.full(m, spread(T)), np.full(m, 1 / m), np.full((m, 2), 0.5)
    return {
        "m": m,
        "kmeans_round": least(lambda: kmeans(X, m, init=T, max_iter=1), 9),
        "em_round": least(lambda: em_round(X, np.maximum(y, 0).astype(int), T, *even), 9),
        "weights": least(lambda: RBFNetwork(m, centers=T).fit(X, y), 5),
        "lms_pass": least(lambda: lms(Phi, y, rng=0), 3),
        "condition": float(np.linalg.cond(Phi)),
    }


CLAIMS = [
    Claim("lms-error", ch07b_lms, less="error with falling step", than="error with constant step", holds=20),
    Claim(
        "lms-weights", ch07b_lms, less="weights off with constant step", than="weights off with falling step", holds=20
    ),
    Claim("twenty-by-lot", ch07b_moons, less="20 bells by lot", than=50, holds=20, unit="points"),
    Claim(
        "six-by-gradient",
        ch07b_moons,
        less="6 bells by gradient",
        than="6 bells by the best k-means of ten",
        holds=20,
        unit="points",
    ),
    Claim(
        "median-gaps",
        ch07b_moons,
        less="20 bells by lot",
        than="20 bells by lot with median spread",
        holds=17,
        unit="points",
    ),
    Claim("mlp-care", ch07b_moons, less="MLP by L-BFGS", than="MLP by Adam as it comes", holds=20, unit="points"),
    Claim(
        "places-alone",
        ch07b_widths,
        less="places alone by gradient",
        than="spreads alone by gradient",
        holds=15,
        unit="points",
    ),
    Claim(
        "planes-first",
        ch07b_wine,
        less="planes by discriminant analysis",
        than="multilayer perceptron",
        holds=8,
        unit="%",
    ),
    Claim("upright-ellipses", ch07b_shapes, less="a scatter each", than="an upright scatter each", holds=50, unit="%"),
    Claim(
        "rule-is-lonely",
        ch07b_bells,
        less="24 bells by lot with the median",
        than="24 bells by lot with the rule",
        holds=60,
        unit="%",
    ),
    Claim("more-starts", ch07b_bells, less="3 bells from the best of five", than=2, holds=60, unit="%"),
    Claim("few-bells-moved", ch07b_bells, less="2 bells by gradient", than="2 bells by k-means", holds=60, unit="%"),
    Claim(
        "starts-for-three",
        ch07b_bells,
        less="3 bells from the best of five",
        than="3 bells by gradient",
        holds=50,
        unit="%",
    ),
    Claim("many-bells-moved", ch07b_bells, less="12 bells by k-means", than="12 bells by gradient", holds=50, unit="%"),
    Claim("gradient-overfits", ch07b_bells, less="6 bells by k-means", than="6 bells by gradient", holds=42, unit="%"),
    Claim(
        "penalty-turns",
        ch07b_bells,
        less="6 bells by gradient at λ = 1",
        than="6 bells by k-means at λ = 1",
        holds=32,
        unit="%",
    ),
    Claim("moving-three", ch07b_three, less="at rest", than="moved", holds=48, unit="%"),
    Claim(
        "best-flatters",
        ch07b_search,
        less="shuffled labels on the other half",
        than="shuffled labels by the folds that chose",
        holds=26,
        unit="%",
    ),
    Claim("em-by-folds", ch07b_folded, less="normalised", than="logistic", holds=28, unit="thousandths"),
    Claim(
        "em-nearest", ch07b_posterior, less="6 normalised bells", than="6 logistic bells", holds=36, unit="thousandths"
    ),
    Claim(
        "logistic-nearer",
        ch07b_posterior,
        less="12 logistic bells",
        than="12 normalised bells",
        holds=28,
        unit="thousandths",
    ),
    Claim(
        "density-notices", ch07b_novel, less="noticed by posterior", than="noticed by density p(x)", holds=40, unit="%"
    ),
    Claim(
        "shared-scatter",
        ch07b_novel,
        less="noticed by density p(x)",
        than="noticed by shared scatter",
        holds=32,
        unit="%",
    ),
    Claim("own-scatter", ch07b_novel, less="noticed by own scatter", than="noticed by class mean", holds=32, unit="%"),
    Claim(
        "own-shrunk",
        ch07b_novel,
        less="noticed by own scatter",
        than="noticed by own scatter shrunk",
        holds=38,
        unit="%",
    ),
    Claim(
        "shared-is-ahead",
        ch07b_novel,
        less="noticed by own scatter shrunk",
        than="noticed by shared scatter",
        holds=39,
        unit="%",
    ),
    Claim(
        "water-by-density",
        ch07b_novel,
        less="water noticed by MLP's probability",
        than="water noticed by density p(x)",
        holds=40,
        unit="%",
    ),
    Claim(
        "mlp-misses",
        ch07b_novel,
        less="noticed by MLP's probability",
        than="noticed by density p(x)",
        holds=40,
        unit="%",
    ),
]
