"""Measurements for chapter 6: soft-margin SVMs on test patients, values of C, pairs of classes, and costs.

There are only 569 patients, which all partitions share, so the standard errors do not describe other patients. In a
table all methods standardise the features with their training data and select their settings there, from eight each,
by the errors on one inner partition. The chapter uses the growth of the times, not the speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from kcourse import SVC as OurSVC
from kcourse import Linear
from kcourse.datasets import load_synth
from measured import Claim, Row, table
from measured.common import least

Array = np.ndarray
Make = Callable[[], Any]
PLANE, PRICE = partial(SVC, kernel="linear"), 0.1  # the machine of the chapter


@cache
def patients() -> tuple[Array, Array]:
    data = load_breast_cancer()
    return data.data, np.where(data.target == 0, 1, -1)  # 1: malignant


def folds(n: int, parts: int, seed: int) -> Iterator[tuple[Array, Array]]:
    """Who learns and who is new, for each part of a partition."""
    part = np.random.default_rng(seed).permutation(n) % parts
    for k in range(parts):
        yield part != k, part == k


def standardised(train: Array, new: Array) -> tuple[Array, Array]:
    mean, sd = train.mean(axis=0), train.std(axis=0)
    return (train - mean) / sd, (new - mean) / sd


def held_out(make: Make, X: Array, y: Array, parts: int, seed: int) -> Array:
    """f of each point, from a machine that has not seen it."""
    f = np.empty(len(y))
    for learn, new in folds(len(y), parts, seed):
        A, B = standardised(X[learn], X[new])
        f[new] = make().fit(A, y[learn]).decision_function(B)
    return f


# ---------------------------------------------------------------- was it worth it?


def of_width(C: float, sigma: float) -> SVC:
    return SVC(C=C, gamma=1 / (2 * sigma**2))


PRICES = (0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10)
METHODS: dict[str, list[Make]] = {
    "hard margin": [lambda: OurSVC(Linear(), C=np.inf, tol=1e-5)],
    "discriminant analysis": [LinearDiscriminantAnalysis],
    "nearest neighbours": [partial(KNeighborsClassifier, k) for k in (1, 3, 5, 7, 9, 11, 15, 21)],
    "logistic regression": [partial(LogisticRegression, C=C, max_iter=500) for C in PRICES],
    "soft plane": [partial(PLANE, C=C) for C in PRICES],
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
                chosen.append(PRICES[best])
            guesses[name][new] = makers[best]().fit(U, a).predict(V)
    wrong = {name: int(np.sum(guess != y)) for name, guess in guesses.items()}
    missed = {f"{name} missed": int(np.sum((guess < 0) & (y > 0))) for name, guess in guesses.items()}
    row = wrong | missed | {"price": float(np.median(chosen))}
    for one, other in (
        ("hard margin", "soft plane"),
        ("soft plane", "soft Gaussian"),
        ("logistic regression", "soft Gaussian"),
    ):
        apart = np.sum((guesses[one] != y) ^ (guesses[other] != y))  # paired: who errs with one method alone
        row |= {f"{one} from {other}": abs(wrong[one] - wrong[other]), f"2 s.e. of {one}": 2 * float(np.sqrt(apart))}
    return row


# ---------------------------------------------------------------- what does a mistake cost?

WEIGHTS = (1, 2, 5, 10, 20, 50)


def weighted(weight: float, C: float = PRICE) -> Make:
    return partial(PLANE, C=C, class_weight={1: weight})


def alarms(f: Array, y: Array, at: float = 0.0) -> int:
    return int(np.sum((f > at) & (y < 0)))


def missed(f: Array, y: Array, at: float = 0.0) -> int:
    return int(np.sum((f <= at) & (y > 0)))


@table("malignant patients missed and false alarms, of 569 held out, C = 0.1", 20, of="partitions into ten folds")
def ch06_weights(draw: int) -> Row:
    """Weights on the slack of malignant patients; and the plain machine's threshold, moved to as many false alarms."""
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
    return row


CHEAP = (0.001, *PRICES[:6])  # prices of slack: a weight multiplies one


def threshold(f: Array, y: Array, miss: int) -> tuple[int, float]:
    """The least price of all thresholds on these values, and the middle one of those that have it."""
    ordered = np.sort(f)
    each = np.append((ordered[1:] + ordered[:-1]) / 2, 0.0)
    costs = np.array([miss * missed(f, y, at) + alarms(f, y, at) for at in each])
    return int(costs.min()), float(np.median(each[costs == costs.min()]))


@table("price of all mistakes on 569 patients, in false alarms", 20, of="partitions into five folds", slow=True)
def ch06_price(draw: int) -> Row:
    """A missed patient costs 10 or 30 false alarms; C and threshold, or C and weight, are chosen where it is learnt."""
    X, y = patients()
    row: Row = {}
    for learn, new in folds(569, 5, draw):
        A, a = X[learn], y[learn]
        U, V = standardised(A, X[new])
        inner = {(C, w): held_out(weighted(w, C), A, a, 5, draw) for C in CHEAP for w in WEIGHTS}
        for miss in (10, 30):

            def price(f: Array, labels: Array, at: float = 0.0, miss: int = miss) -> int:
                return miss * missed(f, labels, at) + alarms(f, labels, at)

            moved = {C: threshold(inner[C, 1], a, miss) for C in CHEAP}
            far = min(CHEAP, key=lambda C: moved[C][0])  # noqa: B023 (called at once)
            chosen = {
                "plain machine": (min(CHEAP, key=lambda C: price(inner[C, 1], a)), 1, 0.0),  # noqa: B023
                "threshold": (far, 1, moved[far][1]),
                "weight": (*min(inner, key=lambda pair: price(inner[pair], a)), 0.0),  # noqa: B023
                "weight at C = 0.1": (PRICE, min(WEIGHTS, key=lambda w: price(inner[PRICE, w], a)), 0.0),  # noqa: B023
            }
            for name, (C, weight, at) in chosen.items():
                f = weighted(weight, C)().fit(U, a).decision_function(V)
                key = f"{name} where a miss costs {miss}"
                row[key] = row.get(key, 0) + price(f, y[new], at)
    return row


@table("malignant patients found (%), 12 malignant and 240 benign to learn from", 100, of="draws of the patients")
def ch06_few(draw: int) -> Row:
    X, y = patients()
    rng = np.random.default_rng(draw)
    ill, well = rng.permutation(np.flatnonzero(y > 0)), rng.permutation(np.flatnonzero(y < 0))
    learn, new = np.append(ill[:12], well[:240]), np.append(ill[12:], well[240:])
    A, B = standardised(X[learn], X[new])
    row: Row = {}
    for C in (0.01, 0.1, 1.0):
        for how in ("equal", "balanced"):
            model = PLANE(C=C, class_weight=None if how == "equal" else how).fit(A, y[learn])
            f = model.decision_function(B)
            row[f"{how} weights at C = {C:g}"] = 100 * np.mean(f[y[new] > 0] > 0)
            row[f"cleared by {how} weights at C = {C:g}"] = 100 * np.mean(f[y[new] < 0] <= 0)
            if how == "equal":
                late = 1 - y[learn] * model.decision_function(A) > 2e-3  # the solver's own tolerance, twice
                row[f"malignant who pay at C = {C:g}"] = int(np.sum(late & (y[learn] > 0)))
    return row


# ---------------------------------------------------------------- the map of C and σ; the fraction that decides

CENTRES = np.array([[-0.7, 0.3], [0.3, 0.3], [-0.3, 0.7], [0.4, 0.7]])  # Ripley's mixture, two of each class


def drawn(n: int, seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    label, bell = rng.integers(2, size=n), rng.integers(2, size=n)
    return CENTRES[2 * label + bell] + np.sqrt(0.03) * rng.standard_normal((n, 2)), 2 * label - 1


@table("what ten-fold cross-validation of Ripley's 250 points chooses", 20, of="partitions into ten folds", slow=True)
def ch06_map(draw: int) -> Row:
    seen, test = load_synth(), load_synth("test")
    y, new = np.where(seen.y == 1, 1, -1), np.where(test.y == 1, 1, -1)
    settings = [(C, sigma) for sigma in np.logspace(-1, 0.75, 8) for C in np.logspace(-1, 3, 9)]
    wrong = np.zeros(len(settings), dtype=int)
    for learn, judge in folds(250, 10, draw):
        for p, setting in enumerate(settings):
            wrong[p] += np.sum(of_width(*setting).fit(seen.X[learn], y[learn]).predict(seen.X[judge]) != y[judge])
    C, sigma = settings[int(wrong.argmin())]
    return {
        "C": C,
        "sigma": sigma,
        "least": int(wrong.min()),
        "settings within four errors": int(np.sum(wrong <= wrong.min() + 4)),
        "wrong with 31 neighbours": int(np.sum(KNeighborsClassifier(31).fit(seen.X, y).predict(test.X) != new)),
        "wrong with the chosen setting": int(np.sum(of_width(C, sigma).fit(seen.X, y).predict(test.X) != new)),
    }


@table("fraction of support vectors, σ = 0.3, C = 1, Ripley's mixture", 20, of="draws of the points")
def ch06_fraction(draw: int) -> Row:
    return {"twice the Bayes error": 0.179} | {
        f"n = {n}": len(of_width(1.0, 0.3).fit(*drawn(n, draw)).support_) / n for n in (250, 1000, 4000)
    }


# ---------------------------------------------------------------- digits, writer by writer

FORMS = (0, 130, 256, 386, 516, 646, 776, 905, 1029, 1157, 1287, 1415, 1543, 1667, 1797)  # where a form begins


@table("digits wrong (%), of one form, all other forms to learn from", 14, of="forms", slow=True)
def ch06_digits(draw: int) -> Row:
    """Another form is another hand (but 13 people filled 14). Settings from eight, by three groups of other forms."""
    pixels, labels = load_digits(return_X_y=True)
    pixels, form = pixels / 16, np.searchsorted(FORMS, np.arange(1797), side="right") - 1
    learn, new = form != draw, form == draw
    rivals = {
        "machines that vote": [partial(of_width, C, sigma) for C in (1, 10) for sigma in (1.0, 1.5, 2.0, 3.0)],
        "nearest neighbours": [partial(KNeighborsClassifier, k) for k in (1, 2, 3, 4, 5, 7, 9, 11)],
    }
    row: Row = {}
    for name, makers in rivals.items():
        wrong = np.zeros(len(makers))
        for group in range(3):
            seen, judge = learn & (form % 3 != group), learn & (form % 3 == group)
            wrong += [
                np.sum(m().fit(pixels[seen], labels[seen]).predict(pixels[judge]) != labels[judge]) for m in makers
            ]
        model = makers[int(wrong.argmin())]().fit(pixels[learn], labels[learn])
        row[name] = 100 * np.mean(model.predict(pixels[new]) != labels[new])
    return row


# ---------------------------------------------------------------- pairs: which, and how many


def steps(K: Array, y: Array, C: float, second: bool, tol: float = 1e-3) -> int:
    """Steps of SMO, the steepest pair each time, or (second) the steepest i with the j that promises most: g²/2η."""
    alpha, f, diagonal = np.zeros(len(y)), np.zeros(len(y)), np.diag(K)
    for step in range(1_000_000):
        rise, fall = np.where(y > 0, alpha < C, alpha > 0), np.where(y > 0, alpha > 0, alpha < C)
        slope = y - f
        i, j = np.argmax(np.where(rise, slope, -np.inf)), np.argmin(np.where(fall, slope, np.inf))
        if slope[i] - slope[j] <= tol:
            return step
        if second:
            g, eta = slope[i] - slope, K[i, i] + diagonal - 2 * K[i]
            j = np.argmax(np.where(fall & (g > 0), g**2 / np.maximum(eta, 1e-12), -1.0))
        room_i = C - alpha[i] if y[i] > 0 else alpha[i]
        room_j = alpha[j] if y[j] > 0 else C - alpha[j]
        t = min((slope[i] - slope[j]) / max(K[i, i] + K[j, j] - 2 * K[i, j], 1e-12), room_i, room_j)
        alpha[i], alpha[j] = alpha[i] + y[i] * t, alpha[j] - y[j] * t
        f += t * (K[i] - K[j])
    raise RuntimeError("a million steps were not enough")


@table("steps of SMO until no slope is above 0.001", 20, of="draws of 300 of the patients")
def ch06_pairs(draw: int) -> Row:
    """In 1024ths all products are exact: else the steps hang on the last digit, and with it on the processor."""
    X, y = patients()
    some = np.random.default_rng(draw).permutation(569)[:300]
    A = np.round(1024 * standardised(X[some], X[some])[0]) / 1024
    row: Row = {}
    for C in (0.01, 0.1, 1.0):
        for name, second in (("steepest pair", False), ("second order", True)):
            row[f"{name} at C = {C:g}"] = steps(A @ A.T, y[some], C, second)
    return row


@table("steps of scikit-learn's SVC on the patients, a plane", over=(0.001, 0.01, 0.1, 1, 10, 100, 1000), of="prices C",
       timed=True)  # fmt: skip
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
    """Two clouds of 30 numbers whose best plane errs on some 4 in 100."""
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
    Claim(
        "second-order",
        ch06_pairs,
        less="second order at C = 0.1",
        than="steepest pair at C = 0.1",
        holds=20,
        unit="steps",
    ),
    Claim(
        "neighbours-lead",
        ch06_map,
        less="wrong with 31 neighbours",
        than="wrong with the chosen setting",
        holds=20,
        unit="points",
    ),
    Claim("slack-pays", ch06_honest, less="soft plane", than="hard margin", holds=20, unit="patients"),
    Claim(
        "kernel-unseen",
        ch06_honest,
        less="soft plane from soft Gaussian",
        than="2 s.e. of soft plane",
        holds=20,
        unit="patients",
    ),
    Claim(
        "logistic-unseen",
        ch06_honest,
        less="logistic regression from soft Gaussian",
        than="2 s.e. of logistic regression",
        holds=20,
        unit="patients",
    ),
    Claim("weight-5", ch06_weights, less="weight 5", than="weight 1", holds=20, unit="patients"),
    Claim(
        "threshold-20",
        ch06_weights,
        less="threshold at the alarms of weight 20",
        than="weight 20",
        holds=20,
        unit="patients",
    ),
    Claim(
        "threshold-pays",
        ch06_price,
        less="threshold where a miss costs 10",
        than="plain machine where a miss costs 10",
        holds=17,
        unit="alarms",
    ),
    Claim(
        "cheap-slack-weighs",
        ch06_price,
        less="weight where a miss costs 30",
        than="weight at C = 0.1 where a miss costs 30",
        holds=20,
        unit="alarms",
    ),
    Claim(
        "balance-when-cheap",
        ch06_few,
        less="equal weights at C = 0.01",
        than="balanced weights at C = 0.01",
        holds=100,
        unit="per cent",
    ),
    Claim("votes-lead", ch06_digits, less="machines that vote", than="nearest neighbours", holds=8, unit="per cent"),
    Claim("fewer-of-more", ch06_fraction, less="n = 4000", than="n = 250", holds=20),
    Claim("above-the-limit", ch06_fraction, less="twice the Bayes error", than="n = 4000", holds=20),
]
