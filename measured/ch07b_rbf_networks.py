"""Measurements for chapter 7b: RBF networks on the two moons and on wine, and their costs.

There are only 178 bottles, which all partitions share, so the standard errors do not describe other bottles. On wine
all methods standardise the features with their training data; in `ch07b_wine` they select their settings there, from
eight each, by one inner partition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from kcourse import BayesRBFClassifier, Gaussian, KernelRidge, RBFNetwork, RBFNetworkClassifier
from kcourse.base.linalg import distances
from kcourse.datasets import make_double_moon
from kcourse.rbf import kmeans, lms, spread
from measured import Claim, Row, table
from measured.common import least

Array = np.ndarray
Make = Callable[[], Any]


def mlp(units: int, penalty: float = 1e-4) -> MLPClassifier:
    """tanh, trained to the end: for so few points L-BFGS is the way that scikit-learn advises."""
    return MLPClassifier((units,), activation="tanh", solver="lbfgs", alpha=penalty, max_iter=1000, random_state=0)


def standardised(seen: Array, new: Array) -> tuple[Array, Array]:
    mean, sd = seen.mean(axis=0), seen.std(axis=0)
    return (seen - mean) / sd, (new - mean) / sd


# ---------------------------------------------------------------- twenty units, or six


# the last steps of a descent depend on rounding, and so do a few points in a thousand
@table("errors on 5000 test points, moons at distance -5", 20, of="draws of the moons", slow=True, off=10)
def ch07b_moons(draw: int) -> Row:
    X, y = make_double_moon(1000, distance=-5, rng=draw, return_X_y=True)
    fresh, truth = make_double_moon(5000, distance=-5, rng=1000 + draw, return_X_y=True)

    def wrong(model: Any, A: Array = X, B: Array = fresh) -> int:
        return int(np.sum(model.fit(A, y).predict(B) != truth))

    row: Row = {}
    for m in (20, 6):
        units = partial(RBFNetworkClassifier, m, rng=draw)
        row |= {
            f"{m} units at random": wrong(units(centers="random")),
            f"{m} units by k-means": wrong(units()),
            f"{m} units by the best k-means of ten": wrong(units(centers=kmeans(X, m, n_init=10, rng=draw).centers)),
            f"{m} units by gradient": wrong(units(centers="supervised")),
        }
    row["20 units at random with median spread"] = wrong(
        RBFNetworkClassifier(20, centers="random", sigma="median", rng=draw)
    )
    return row


# ---------------------------------------------------------------- wine


@cache
def bottles() -> tuple[Array, Array]:
    data = load_wine()
    return data.data, data.target


def folds(y: Array, parts: int, seed: int) -> Iterator[tuple[Array, Array]]:
    """Yield masks of the training and test bottles; each cultivar is divided evenly."""
    rng, part = np.random.default_rng(seed), np.empty(len(y), dtype=int)
    for c in np.unique(y):
        part[y == c] = rng.permutation(np.arange(np.sum(y == c)) % parts)
    for k in range(parts):
        yield part != k, part == k


class KMeansNetwork:
    """An RBF network on the best of five starts of k-means."""

    def __init__(self, m: int, rule: str) -> None:
        self.m, self.rule = m, rule

    def fit(self, X: Array, y: Array) -> RBFNetworkClassifier:
        T = kmeans(X, self.m, n_init=5, rng=0).centers
        return RBFNetworkClassifier(self.m, centers=T, sigma=self.rule).fit(X, y)


def trained(m: int, lam: float) -> RBFNetworkClassifier:
    return RBFNetworkClassifier(m, centers="supervised", sigma="median", lam=lam)


METHODS: dict[str, list[Make]] = {
    "nearest neighbours": [partial(KNeighborsClassifier, k) for k in (1, 3, 5, 7, 9, 11, 15, 21)],
    "linear ridge": [partial(RidgeClassifier, alpha) for alpha in (0.01, 0.1, 0.3, 1, 3, 10, 30, 100)],
    "linear discriminant analysis": [LinearDiscriminantAnalysis],
    "support vectors": [partial(SVC, C=C, gamma=1 / (2 * s**2)) for C in (0.3, 1, 10, 100) for s in (2.5, 5)],
    "multilayer perceptron": [partial(mlp, u, a) for u in (5, 10) for a in (0.01, 0.1, 1, 10)],
    "units by k-means": [partial(KMeansNetwork, m, rule) for m in (3, 6, 12, 24) for rule in ("dmax", "median")],
    "units by gradient": [partial(trained, m, lam) for m in (3, 6) for lam in (1e-6, 0.1, 1, 10)],
    "normalised network": [partial(BayesRBFClassifier, m) for m in (3, 4, 5, 6, 8, 12, 16, 24)],
}


@table(
    "test errors of 178 bottles (%), nested cross-validation",
    10,
    of="partitions into ten folds",
    slow=True,
    off=0.6,  # a bottle
)
def ch07b_wine(draw: int) -> Row:
    X, y = bottles()
    methods = METHODS | {"quadratic discriminant analysis": [QuadraticDiscriminantAnalysis]}
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


@table("test errors of 178 bottles (%), 24 random centres", 20, of="partitions into ten folds", off=0.6)  # a bottle
def ch07b_lonely(draw: int) -> Row:
    """The same centres three times: the rule's spread, as it is and with a normalised layer, and the median spread."""
    X, y = bottles()
    wrong = dict.fromkeys(("rule", "rule normalised", "median"), 0.0)
    for learn, new in folds(y, 10, draw):
        U, V = standardised(X[learn], X[new])
        ways = {how: RBFNetworkClassifier(24, centers="random", sigma=rule, rng=draw).fit(U, y[learn])
                for how, rule in (("rule", "dmax"), ("median", "median"))}  # fmt: skip
        said = {how: model.predict(V) for how, model in ways.items()}
        H, H_new = (layer / layer.sum(axis=1, keepdims=True) for layer in map(ways["rule"].hidden, (U, V)))
        said["rule normalised"] = np.argmax(H_new @ np.linalg.lstsq(H, np.eye(3)[y[learn]], rcond=None)[0], axis=1)
        for how, guess in said.items():
            wrong[how] += 100 * np.sum(guess != y[new]) / 178
    return wrong


@table("detected, and false alarms (%), at a false-alarm rate of 10 %", 40, of="draws of the bottles")
def ch07b_novel(draw: int) -> Row:
    """Each cultivar in turn is unknown: two are trained on, the fourth smallest score of 39 others is the threshold.

    At the end of the row comes a glass of water, thirteen zeros.
    """
    X, y = bottles()
    detected: dict[str, list[float]] = {}
    alarms: dict[str, list[float]] = {}
    water: dict[str, list[float]] = {}
    for new in range(3):
        known = np.random.default_rng([draw, new]).permutation(np.flatnonzero(y != new))
        bench, judge, learn = known[:39], known[39:59], known[59:]
        shown = np.concatenate([bench, judge, np.flatnonzero(y == new)])
        U, V = standardised(X[learn], np.vstack([X[shown], np.zeros(13)]))
        bayes = BayesRBFClassifier(3).fit(U, y[learn])
        planes = LinearDiscriminantAnalysis(store_covariance=True).fit(U, y[learn])
        means, inverse = planes.means_, np.linalg.inv(planes.covariance_)
        scores = {
            "density p(x)": bayes.log_density(V),
            "nearest neighbour": -distances(V, U).min(axis=1),
            "class mean": -distances(V, means).min(axis=1),
            "Mahalanobis distance": -np.min([np.sum((V - t) @ inverse * (V - t), axis=1) for t in means], axis=0),
            "posterior": bayes.predict_proba(V).max(axis=1),
            "MLP's probability": mlp(10, 1.0).fit(U, y[learn]).predict_proba(V).max(axis=1),
            "logistic regression": LogisticRegression().fit(U, y[learn]).predict_proba(V).max(axis=1),
        }
        for name, score in scores.items():
            threshold = np.sort(score[:39])[3]
            alarms.setdefault(name, []).append(100 * np.mean(score[39:59] < threshold))
            detected.setdefault(name, []).append(100 * np.mean(score[59:-1] < threshold))
            water.setdefault(name, []).append(100.0 * (score[-1] < threshold))
    row = {f"detected by {name}": float(np.mean(share)) for name, share in detected.items()}
    row |= {f"alarms by {name}": float(np.mean(share)) for name, share in alarms.items()}
    row |= {f"water detected by {name}": float(np.mean(share)) for name, share in water.items()}
    return row | {
        f"detected by posterior where cultivar {c + 1} is unknown": detected["posterior"][c] for c in range(3)
    }


# ---------------------------------------------------------------- what it costs


@table("smallest processor time (s), 20 units, d = 2", over=(500, 1000, 2000, 4000, 8000), of="sizes n", timed=True)
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


CLAIMS = [
    Claim("twenty-at-random", ch07b_moons, less="20 units at random", than=50, holds=20, unit="points"),
    Claim(
        "six-by-gradient",
        ch07b_moons,
        less="6 units by gradient",
        than="6 units by the best k-means of ten",
        holds=20,
        unit="points",
    ),
    Claim(
        "median-gaps",
        ch07b_moons,
        less="20 units at random",
        than="20 units at random with median spread",
        holds=17,
        unit="points",
    ),
    Claim(
        "linear-first",
        ch07b_wine,
        less="linear discriminant analysis",
        than="multilayer perceptron",
        holds=8,
        unit="%",
    ),
    Claim(
        "density-notices",
        ch07b_novel,
        less="detected by posterior",
        than="detected by density p(x)",
        holds=40,
        unit="%",
    ),
    Claim(
        "mahalanobis",
        ch07b_novel,
        less="detected by density p(x)",
        than="detected by Mahalanobis distance",
        holds=32,
        unit="%",
    ),
    Claim(
        "water-by-density",
        ch07b_novel,
        less="water detected by MLP's probability",
        than="water detected by density p(x)",
        holds=40,
        unit="%",
    ),
    Claim(
        "mlp-misses",
        ch07b_novel,
        less="detected by MLP's probability",
        than="detected by density p(x)",
        holds=40,
        unit="%",
    ),
    Claim("lonely-units", ch07b_lonely, less="rule normalised", than="rule", holds=20, unit="%"),
    Claim("median-spread", ch07b_lonely, less="median", than="rule normalised", holds=15, unit="%"),
]
