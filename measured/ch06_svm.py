"""Measurements for chapter 6: soft-margin SVMs on held-out patients, class weights, support vectors, and costs.

There are only 569 patients, which all partitions share, so the standard errors do not describe other patients. In a
table all methods standardise the features with their training data and select their settings there, from eight each,
by the errors on one inner partition. The chapter uses the growth of the times, not the speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from kcourse import SVC as OurSVC
from kcourse import Linear
from measured import Claim, Row, table
from measured.common import least

Array = np.ndarray
Make = Callable[[], Any]
PLANE, PRICE = partial(SVC, kernel="linear"), 0.1  # the SVM of the chapter


@cache
def patients() -> tuple[Array, Array]:
    data = load_breast_cancer()
    return data.data, np.where(data.target == 0, 1, -1)  # 1: malignant


def folds(n: int, parts: int, seed: int) -> Iterator[tuple[Array, Array]]:
    """Yield the masks of the training and the held-out points, for each part of a partition."""
    part = np.random.default_rng(seed).permutation(n) % parts
    for k in range(parts):
        yield part != k, part == k


def standardised(train: Array, new: Array) -> tuple[Array, Array]:
    mean, sd = train.mean(axis=0), train.std(axis=0)
    return (train - mean) / sd, (new - mean) / sd


def held_out(make: Make, X: Array, y: Array, parts: int, seed: int) -> Array:
    """Return f of each point, from a model that was trained without it."""
    f = np.empty(len(y))
    for learn, new in folds(len(y), parts, seed):
        A, B = standardised(X[learn], X[new])
        f[new] = make().fit(A, y[learn]).decision_function(B)
    return f


# ---------------------------------------------------------------- was it worth it?


def of_width(C: float, sigma: float) -> SVC:
    return SVC(C=C, gamma=1 / (2 * sigma**2))


CS = (0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10)
METHODS: dict[str, list[Make]] = {
    "hard margin": [lambda: OurSVC(Linear(), C=np.inf, tol=1e-5)],
    "discriminant analysis": [LinearDiscriminantAnalysis],
    "nearest neighbours": [partial(KNeighborsClassifier, k) for k in (1, 3, 5, 7, 9, 11, 15, 21)],
    "logistic regression": [partial(LogisticRegression, C=C, max_iter=500) for C in CS],
    "soft plane": [partial(PLANE, C=C) for C in CS],
    "soft Gaussian": [partial(of_width, C, sigma) for C in (1, 3, 10, 30) for sigma in (4, 8)],
}


@table("of 569 patients wrong, and malignant ones missed", 20, of="partitions into five folds", slow=True)
def ch06_honest(draw: int) -> Row:
    X, y = patients()
    guesses, chosen = {name: np.empty(569) for name in METHODS}, []
    for k, (learn, new) in enumerate(folds(569, 5, draw)):
        A, a = X[learn], y[learn]
        U, V = standardised(A, X[new])
        for name, makers in METHODS.items():
            best = 0
            if len(makers) > 1:
                wrong = np.zeros(len(makers))
                for seen, judge in folds(len(a), 4, k):
                    P, Q = standardised(A[seen], A[judge])
                    wrong += [np.sum(make().fit(P, a[seen]).predict(Q) != a[judge]) for make in makers]
                best = int(wrong.argmin())
            if name == "soft plane":
                chosen.append(CS[best])
            guesses[name][new] = makers[best]().fit(U, a).predict(V)
    wrong = {name: int(np.sum(guess != y)) for name, guess in guesses.items()}
    missed = {f"{name} missed": int(np.sum((guess < 0) & (y > 0))) for name, guess in guesses.items()}
    return wrong | missed | {"chosen C": float(np.median(chosen))}


# ---------------------------------------------------------------- what does a mistake cost?

WEIGHTS, SMALL = (1, 2, 5, 10, 20, 50), 0.003


def weighted(weight: float, C: float = PRICE) -> Make:
    return partial(PLANE, C=C, class_weight={1: weight})


def alarms(f: Array, y: Array, at: float = 0.0) -> int:
    return int(np.sum((f > at) & (y < 0)))


def missed(f: Array, y: Array, at: float = 0.0) -> int:
    return int(np.sum((f <= at) & (y > 0)))


@table(
    "malignant patients missed and false alarms, of 569 held out, C = 0.1 and 0.003",
    20,
    of="partitions into ten folds",
)
def ch06_weights(draw: int) -> Row:
    """Weights on the slack of malignant patients; and the threshold of the plain SVM, moved to as many false alarms."""
    X, y = patients()
    f = {weight: held_out(weighted(weight), X, y, 10, draw) for weight in WEIGHTS}
    benign, row = np.sort(f[1][y < 0])[::-1], {}
    for weight in WEIGHTS:
        raised = alarms(f[weight], y)
        row |= {
            f"weight {weight}": missed(f[weight], y),
            f"alarms at weight {weight}": raised,
            # between the last benign patient who raises an alarm and the first who does not
            f"threshold at the alarms of weight {weight}": missed(f[1], y, benign[raised - 1 : raised + 1].mean()),
        }
    for weight in WEIGHTS:  # the bound v·C of the weighted patients is then at most 0.15
        smaller = held_out(weighted(weight, SMALL), X, y, 10, draw)
        row |= {
            f"weight {weight} and small C": missed(smaller, y),
            f"alarms at weight {weight} and small C": alarms(smaller, y),
        }
    return row


# ---------------------------------------------------------------- the fraction of support vectors

CENTRES = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # Ripley's mixture, two of each class


def drawn(n: int, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    label, bell = rng.integers(2, size=n), rng.integers(2, size=n)
    return CENTRES[2 * label + bell] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


@table("fraction of support vectors, σ = 0.3, C = 1, Ripley's mixture", 20, of="draws of the points")
def ch06_fraction(draw: int) -> Row:
    return {"twice the Bayes error": 0.179} | {
        f"n = {n}": len(of_width(1.0, 0.3).fit(*drawn(n, draw)).support_) / n for n in (250, 1000, 4000)
    }


# ---------------------------------------------------------------- what it costs


@table(
    "steps of scikit-learn's SVC on the patients, a plane",
    over=(0.001, 0.01, 0.1, 1, 10, 100, 1000),
    of="values of C",
    timed=True,
)
def ch06_dear(C: float) -> Row:
    """So many steps depend on the last digit of each, and with it on the processor."""
    X, y = patients()
    A, _ = standardised(X, X)
    raw = int(PLANE(C=C).fit(X, y).n_iter_[0]) if C <= 0.1 else np.nan
    return {"C": C, "steps": int(PLANE(C=C).fit(A, y).n_iter_[0]), "steps raw": raw}


@table(
    "least seconds of the processor, d = 30, C = 0.1",
    over=(500, 1000, 2000, 4000, 8000, 16000, 32000),
    of="sizes n",
    timed=True,
)
def ch06_cost(n: int) -> Row:
    """Two clouds of 30 numbers whose best plane misclassifies about 4 in 100."""
    rng = np.random.default_rng(n)
    y = np.resize([1, -1], n)
    X, queries = rng.normal(size=(n, 30)) + 0.32 * y[:, None], rng.normal(size=(1000, 30))
    runs = 3 if n <= 2000 else 1
    machines = {"plane by pairs": PLANE(C=PRICE), "Gaussian": of_width(1.0, np.sqrt(15))}
    row: Row = {"n": n}
    for name, model in machines.items():
        row[name] = least(lambda: model.fit(X, y), runs)  # noqa: B023 (called at once)
        row[f"support vectors of {name}"] = len(model.support_)
        row[f"1000 predictions of {name}"] = least(lambda: model.decision_function(queries), 3)  # noqa: B023
    row["logistic regression"] = least(lambda: LogisticRegression(C=PRICE).fit(X, y), runs)
    return row | {"Gram matrix (MB)": 8e-6 * n**2}


CLAIMS = [
    Claim("slack-pays", ch06_honest, less="soft plane", than="hard margin", holds=20, unit="patients"),
    Claim("logistic-leads", ch06_honest, less="logistic regression", than="soft plane", holds=13, unit="patients"),
    Claim(
        "threshold-20",
        ch06_weights,
        less="threshold at the alarms of weight 20",
        than="weight 20",
        holds=20,
        unit="patients",
    ),
    Claim("above-the-limit", ch06_fraction, less="twice the Bayes error", than="n = 4000", holds=20),
]
