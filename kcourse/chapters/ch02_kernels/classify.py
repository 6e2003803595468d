"""Exercises 2.5 to 2.7: the nearer mean, the perceptron, and both on digits, from a Gram matrix alone."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch02_kernels.gram import CHAPTER, USE, gram
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["CLASSIFY_BY_GRAM", "KERNEL_PERCEPTRON", "NEAREST_MEAN_SCORE"]


def _labels(rng, n):
    """Labels ±1 of both classes, not equally many."""
    y = np.where(np.arange(n) < n // 2 - 1, 1, -1)
    return rng.permutation(y)


# -- 2.5


def nearest_mean_score(K, y, Kq):
    """‖φ(x) - μ₋‖² - ‖φ(x) - μ₊‖²."""
    return _score(K, y, Kq)


def _score(K, y, Kq, *, twice=2.0, own=1.0, mean=np.mean, block=None):
    score = 0.0
    for label in (-1, 1):
        c = y == label
        inner = K[np.ix_(c, c)]
        length = mean(inner) if block is None else block(inner)
        score = score - label * (own * length - twice * mean(Kq[:, c], axis=1))
    return score


def _classes(rng, sizes=((9, 5), (7, 4), (8, 10))):
    return [_class_case(rng, n, q) for n, q in sizes]


def _class_case(rng, n, q):
    F = rng.normal(size=(n + q, 4)) + 0.3
    return F[:n] @ F[:n].T, _labels(rng, n), F[n:] @ F[:n].T


def _lonely(rng):
    """One class has a single point."""
    K, _, Kq = _class_case(rng, 6, 4)
    y = -np.ones(6, dtype=int)
    y[int(rng.integers(6))] = 1
    return [(K, y, Kq)]


_M = USE + "X = np.array([[0.0], [2.0], [5.0]]); y = np.array([-1, -1, 1])   # means 1 and 5, on a line\n" \
    "def f(x):\n    x = np.array([[x]])\n    return np.asarray(nearest_mean_score(X @ X.T, y, x @ X.T))[0]\n"  # fmt: skip

NEAREST_MEAN_SCORE = Exercise(
    name="nearest_mean_score",
    chapter=CHAPTER,
    number="2.5",
    returns="the scores, shape (q,), positive where the mean of class +1 is nearer",
    reference=nearest_mean_score,
    properties=(
        Property("is the difference of the squared distances to the two means", 3, _classes),
        Property(
            "works where a class has a single point",
            1,
            _lonely,
            hint="Your answer fails only when a class has one point, so that K[c][:, c] has shape (1, 1). A squeeze, or "
                 "a division by the number of pairs i ≠ j, fails there.",
        ),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1, of=(0, 1)),
        Promise("have both classes, not equally often", lambda K, y, Kq: 0 < abs(y.sum()) < len(y)),
        Promise("have a class of one point", lambda K, y, Kq: min((y > 0).sum(), (y < 0).sum()) == 1, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "self terms forgotten",
            lambda K, y, Kq: _score(K, y, Kq, own=0.0),
            "You leave out the squared lengths of the two means. Without them, a mean far from the origin attracts too "
            "many points.",
            "Read “Distances and means in feature space” again: the last term of (6).",
            _M + "print(f(3.0))   # halfway between the means 1 and 5: should print 0",
        ),
        Misconception(
            "sign of the self terms",
            lambda K, y, Kq: _score(K, y, Kq, own=-1.0),
            "You subtract the squared length of a mean. In ‖φ(x) - μ‖² it is added, and the mixed term is subtracted.",
            "Read “Distances and means in feature space” again: the signs of the last two terms in (6).",
            _M + "print(f(1.0), f(5.0))   # at the mean of class -1, then of +1: should print -16, 16",
        ),
        Misconception(
            "two forgotten",
            lambda K, y, Kq: _score(K, y, Kq, twice=1.0),
            "You use the mixed terms once. In ‖φ(x) - μ‖² they have the factor 2.",
            "Read “Distances and means in feature space” again: the middle term of (6) has a 2.",
            _M + "print(f(3.0), 'halfway between the means: should print 0')",
        ),
        Misconception(
            "classes exchanged",
            lambda K, y, Kq: -_score(K, y, Kq),
            "Your score is positive where the mean of class -1 is nearer. Change its sign.",
            "Read “Distances and means in feature space” again: the nearer mean wins, and the docstring says which distance comes first.",
            _M + "print(f(5.0))   # at the mean of class +1: should be positive",
        ),
        Misconception(
            "sums for means",
            lambda K, y, Kq: _score(K, y, Kq, mean=np.sum),
            "You use sums over the classes, so the larger class has more influence. Divide by the number of its points.",
            "Read “Distances and means in feature space” again: (6) has 1/m and 1/m².",
            _M + "X2, y2 = np.vstack([X, X[:2]]), np.append(y, y[:2])   # class -1 twice: its mean stays\n"
            "print(nearest_mean_score(X2 @ X2.T, y2, 3.0 * X2.T))   # halfway: should print 0",
        ),
        Misconception(
            "divided by n",
            lambda K, y, Kq: _score(K, y, Kq, mean=lambda A, axis=None: A.sum(axis=axis) / len(y) ** (2 if axis is None else 1)),
            "You divide by the number of all points. The mean of a class divides by the number of its own points.",
            "Read “Distances and means in feature space” again: m counts the points of the class.",
            _M + "print(f(3.0))   # halfway between the two means: should print 0",
        ),
        Misconception(
            "self term divided once",
            lambda K, y, Kq: _score(K, y, Kq, block=lambda inner: inner.sum() / len(inner)),
            "You divide the double sum by m. It has m² terms, so divide by m².",
            "Read “Distances and means in feature space” again: the last term of (6) has 1/m².",
            _M + "print(f(1.0))   # at the mean of class -1: should be minus 16, the squared distance to the other",
        ),
        Misconception(
            "diagonal for the double sum",
            lambda K, y, Kq: _score(K, y, Kq, block=lambda inner: np.diag(inner).mean()),
            "You average the k(x_j, x_j). The squared length of a mean is an average over all pairs j, l.",
            "Read “Distances and means in feature space” again: the double sum of (6).",
            USE + "X = np.array([[-3.0], [3.0], [1.0]]); y = np.array([-1, -1, 1])   # means 0 and 1\n"
            "print(nearest_mean_score(X @ X.T, y, 0.5 * X.T))   # halfway: should print 0",
        ),
        Misconception(
            "signs alone",
            lambda K, y, Kq: np.sign(_score(K, y, Kq)),
            "You return the signs. Return the score itself, the difference of two squared distances.",
            "Read “Distances and means in feature space” again: (6) is a number with a size.",
            _M + "print(f(5.0))   # the squared distance to the other mean: should print 16",
        ),
        Misconception(
            "half the score",
            lambda K, y, Kq: _score(K, y, Kq) / 2,
            "You return half of the score. Multiply by 2.",
            "Read “Distances and means in feature space” again: the difference of two distances (6).",
            _M + "print(f(5.0), 'at the mean of class +1: should print 16')",
        ),
        Misconception(
            "distance to one mean only",
            lambda K, y, Kq: (lambda c: K[np.ix_(c, c)].mean() - 2 * Kq[:, c].mean(axis=1))(y == -1),
            "You use the mean of class -1 only. Subtract the squared distance to the mean of class +1.",
            "Read “Distances and means in feature space” again: two such distances make a classifier.",
            _M + "print(f(3.0))   # as far from one mean as from the other: 0",
        ),
    ),
    step="Read “Distances and means in feature space” again: equation (6), once for each class; k(x, x) cancels in the difference.",
    experiment=_M + "print(f(1.0), f(3.0), f(5.0))   # at one mean, halfway, at the other: should print -16, 0, 16",
    sizes=lambda K, y, Kq: {"n": len(y), "q": len(Kq), "m₊": int((y == 1).sum()), "m₋": int((y == -1).sum())},
)  # fmt: skip


# -- 2.6


def kernel_perceptron(K, y, epochs):
    """α, the number of mistakes at each point, after so many rounds in the order of the points."""
    return _perceptron(K, y, epochs)


def _perceptron(
    K, y, epochs, *, wrong=lambda margin: margin <= 0, add=lambda y: 1.0, signed=True, most=np.inf, undecided=0
):
    """The counts, with another test or update; ``undecided`` is what a test of the signs takes f = 0 for."""
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            f = K[i] @ (alpha * y if signed else alpha) or undecided
            if wrong(y[i] * f):
                alpha[i] = min(alpha[i] + add(y[i]), most)
    return alpha


def _batch(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        alpha = alpha + (y * (K @ (alpha * y)) <= 0)
    return alpha


def _no_label_in_the_test(K, y, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for i in range(len(y)):
            alpha[i] += K[i] @ (alpha * y) <= 0
    return alpha


def _set_to_one(K, y, epochs):
    return _perceptron(K, y, epochs, most=1.0)


def _forgets(K, y, epochs):
    return _perceptron(K, y, min(epochs, 1))


def _counts_on(K, y, epochs):
    """Whether there are mistakes in every round and in the one after the last."""
    counts = [_perceptron(K, y, e) for e in range(epochs + 2)]
    return all((a != b).any() for a, b in zip(counts, counts[1:], strict=False))


def _untied(K, y, epochs):
    """Whether it makes no difference which class f = 0 belongs to; each other mistake shows."""
    right = _perceptron(K, y, epochs)
    same = all((_perceptron(K, y, epochs, undecided=label) == right).all() for label in (1, -1))
    mistakes = [mistake.wrong(K, y, epochs) for mistake in KERNEL_PERCEPTRON.misconceptions]
    rounds_tell = (_set_to_one(K, y, epochs) != _forgets(K, y, epochs)).any()
    return same and rounds_tell and all((wrong != right).any() for wrong in mistakes)


def _tied(K, y, epochs):
    """Whether f = 0 in the wrong class changes the sum of the counts, which rules out the right counts in another order."""
    sums = [_perceptron(K, y, epochs, undecided=label).sum() for label in (0, -y[0], y[0])]
    return sums[0] == sums[1] != sums[2]


def _rounds(rng, epochs, wanted):
    """Labels that no plane explains, so that every round has mistakes; the first point is of either class."""
    found = []
    for _ in attempts("kernel_perceptron", until=lambda: len(found) == len(epochs)):
        n = 8 + len(found)
        K, y = gram(rng, n), _labels(rng, n)
        case = K, y * y[0] * (1, -1)[len(found) % 2], epochs[len(found)]
        if _counts_on(*case) and wanted(*case):
            found.append(case)
    return found


_X = USE + "X = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]]); y = np.array([-1, 1, 1, -1])   # exclusive or\n" \
    "K = (1 + X @ X.T) ** 2\n"  # fmt: skip

KERNEL_PERCEPTRON = Exercise(
    name="kernel_perceptron",
    chapter=CHAPTER,
    number="2.6",
    returns="α, shape (n,): how often each point was a mistake",
    reference=kernel_perceptron,
    properties=(
        Property("counts the mistakes of all rounds", 3, lambda r: _rounds(r, (2, 4, 7), _untied)),
        Property(
            "counts f = 0 as a mistake in both classes, which decides the first round",
            1,
            lambda r: _rounds(r, (1, 1), _tied),
            hint="Your answer fails only if there is a single round. It begins with f = 0, which is a mistake for both "
                 "classes, so test y f ≤ 0. Comparing y with the sign of f puts f = 0 into one class.",
        ),
    ),
    promises=(
        Promise("have a diagonal that is not constant", lambda K, *_: np.ptp(np.diag(K)) > 0.1, of=(0, 1)),
        Promise("begin with either class", lambda found: {y[0] for _, y, _ in found} == {1, -1}, (0, 1), together=True),
        Promise("have mistakes in every round, and in the one after the last", _counts_on, of=(0, 1)),
        Promise("show every mistake, but not which class f = 0 belongs to", _untied),
    ),
    misconceptions=(
        Misconception(
            "undecided is right",
            lambda K, y, epochs: _perceptron(K, y, epochs, wrong=lambda m: m < 0),
            "Your α stays 0. At the start f is 0 everywhere, and you do not count this as a mistake, as with y f < 0. Count y f ≤ 0.",
            "Read “Odd or even?” again: the comment in the code says wrong, *or undecided*.",
            _X + "print(kernel_perceptron(K, y, 1))   # must not be all 0",
        ),
        Misconception(
            "margin of one",
            lambda K, y, epochs: _perceptron(K, y, epochs, wrong=lambda m: m < 1),
            "You count a mistake if y f < 1, as a margin perceptron does. Here a mistake is y f ≤ 0.",
            "Read “Odd or even?” again: a point is wrong, or undecided, or right.",
            USE + "print(kernel_perceptron(0.25 * np.eye(2), np.array([1, -1]), 5))   # right from the second round on: should print 1, 1",
        ),
        Misconception(
            "no label in the test",
            _no_label_in_the_test,
            "You test f(x_i) ≤ 0 without the label of the point. A point of class -1 is right where f is negative. Test y_i f(x_i) ≤ 0.",
            "Read “Odd or even?” again: the test in the code contains the label.",
            USE + "print(kernel_perceptron(np.eye(2), np.array([1, -1]), 3))   # once corrected, each is right: should print 1, 1",
        ),
        Misconception(
            "one added to the kernel",
            Changed(kernel_perceptron, lambda K, y, epochs: (K + 1, y, epochs)),
            "You use a bias b, as if 1 were added to every entry of K. Here f is Σ α_j y_j k(x_j, x) alone.",
            "Read “The kernel trick: replace inner products” again: (3) and (4) have no b.",
            USE + "print(kernel_perceptron(np.eye(2), np.array([1, 1]), 1))   # orthogonal points: should print 1, 1",
        ),
        Misconception(
            "label added to the count",
            lambda K, y, epochs: _perceptron(K, y, epochs, add=lambda label: label),
            "You add y_i to α_i, so the label counts twice, because f contains it already. Add 1.",
            "Read “The kernel trick: replace inner products” again: α counts mistakes.",
            _X + "print(kernel_perceptron(K, y, 5))   # counts are never negative: should print 1, 1, 1, 1",
        ),
        Misconception(
            "no label in f",
            lambda K, y, epochs: _perceptron(K, y, epochs, signed=False),
            "You compute f = Kα without the labels. Multiply each α_i by its y_i: f = Σ α_i y_i k(x_i, x).",
            "Read “The kernel trick: replace inner products” again: equation (4).",
            _X + "print(kernel_perceptron(K, y, 50))   # no mistakes after the first round: should print 1, 1, 1, 1",
        ),
        Misconception(
            "set to 1",
            _set_to_one,
            "You set α_i to 1 at a mistake. Add 1 at each mistake on point i.",
            "Read “The kernel trick: replace inner products” again: α counts mistakes.",
            USE + "print(kernel_perceptron(-np.eye(2), np.array([1, -1]), 5))   # always wrong here: should print 5, 5",
        ),
        Misconception(
            "whole rounds at once",
            _batch,
            "You compute f for all points before you count. Each mistake must change f for the next point at once.",
            "Read “Odd or even?” again: the loop over points holds the update.",
            USE + "K = np.array([[1.0, 0.9], [0.9, 1.0]]); y = np.array([1, 1])\n"
            "print(kernel_perceptron(K, y, 1))   # after the first mistake the second point is right: should print 1, 0",
        ),
        Misconception(
            "updates where it is right",
            lambda K, y, epochs: _perceptron(K, y, epochs, wrong=lambda m: m >= 0),
            "You count the points that are right, because your test is reversed. Count a mistake if y f ≤ 0.",
            "Read “Odd or even?” again: a point is wrong, or undecided, or right.",
            USE + "print(kernel_perceptron(np.eye(2), np.array([1, 1]), 9))   # right after one correction: should print 1, 1",
        ),
        Misconception(
            "one round too few",
            Changed(kernel_perceptron, lambda K, y, epochs: (K, y, epochs - 1)),
            "You run one round too few, because range(1, epochs) has epochs - 1 entries. Write range(epochs).",
            "Read “Odd or even?” again: `range(rounds)`.",
            _X + "print(kernel_perceptron(K, y, 1), 'after one round: should print 1, 1, 1, 1')",
        ),
        Misconception(
            "signed counts",
            lambda K, y, epochs: y * _perceptron(K, y, epochs),
            "You return α_i y_i. Return the counts α_i.",
            "Read “The kernel trick: replace inner products” again: (3) has α and y as separate factors.",
            _X + "print(kernel_perceptron(K, y, 5))   # counts: 1, 1, 1, 1",
        ),
        Misconception(
            "counts forgotten after each round",
            _forgets,
            "You count the mistakes of one round only. Set α to 0 before the first round, and return it after the "
            "last.",
            "Read “Odd or even?” again: w and b are set to 0 before the outer loop.",
            USE + "print(kernel_perceptron(-np.eye(2), np.array([1, -1]), 4))   # always wrong: after 4 rounds should be 4, 4",
        ),
    ),
    observations=(
        Observation(
            "kernel_perceptron returned numbers that are not whole or are below 0. Return counts.",
            lambda value, K, y, epochs: value.size and (value.min() < 0 or np.abs(value - np.round(value)).max() > 1e-9),
            early=True,
        ),
    ),
    step="Read “The kernel trick: replace inner products” again: (4), and the four lines of “Odd or even?” with w replaced by counts.",
    experiment=_X + "print(kernel_perceptron(K, y, 5))   # as in the chapter: should print 1, 1, 1, 1",
    sizes=lambda K, y, epochs: {"n": len(y), "epochs": epochs},
    chained=True,
)  # fmt: skip


# -- 2.7


def classify_by_gram(K, y, train, test, epochs):
    """(errors of the nearer mean, errors of the perceptron) on the test points, trained on the others."""
    return _classify(K, y, train, test, epochs)


def _classify(K, y, train, test, epochs, *, fit_on=None, undecided=-1.0, own=1.0):
    fit_on = train if fit_on is None else fit_on
    inner, rows = K[np.ix_(fit_on, fit_on)], K[np.ix_(test, fit_on)]
    scores = _score(inner, y[fit_on], rows, own=own), rows @ (y[fit_on] * _perceptron(inner, y[fit_on], epochs))
    said = [np.where(s == 0, undecided, np.sign(s)) for s in scores]
    return np.array([np.sum(labels != y[test]) for labels in said], dtype=float)


def _tasks(rng, *, shuffled=False, undecided=False):
    """Two overlapping clouds, where the two classifiers make different numbers of errors, and every mistake others.

    With ``undecided``, the perceptron's score of some test points is exactly 0.
    """
    found = []
    for _ in attempts("classify_by_gram", until=lambda: len(found) == 2):
        n = 40 + 4 * len(found)
        y = _labels(rng, n)
        spread = np.where(y > 0, 1.0, 0.6)[:, None]  # so that the two means have unlike lengths
        F = spread * rng.normal(size=(n, 5)) + 0.4 * y[:, None] + 0.2
        order = rng.permutation(n)
        train, test = order[: n // 2], order[n // 2 :]
        if undecided:
            far = [*test[y[test] > 0][:2], *test[y[test] < 0][:1]]
            F[far] += 1e3 * np.arange(1, 4)[: len(far), None]
        K = rng.uniform(1.5, 2.5) * np.exp(-((F[:, None] - F[None]) ** 2).sum(-1) / 8)
        if not shuffled:
            train, test = np.sort(train), np.sort(test)
        case = (K, y, train, test, 3)
        right = _classify(*case)
        # each of the two counts gives most mistakes away: an answer may have one of them in one count
        both = [mistake(*case) for mistake in _TASK_MISTAKES.values() if mistake is not _lengths_left_out]
        others = [_lengths_left_out(*case), _classify(*case[:-1], 1)]
        others += [_classify(*case, undecided=label) for label in (0.0, 1.0) if undecided]
        ordered = _classify(K, y, np.sort(train), test, 3)
        apart = all((other != right).all() for other in both) and all((other != right).any() for other in others)
        if apart and right[0] != right[1]:
            if not shuffled or (ordered != right).any():
                found.append(case)
    return found


def _lengths_left_out(K, y, train, test, epochs):
    return _classify(K, y, train, test, epochs, own=0.0)


_TASK_MISTAKES = {
    "trained on all": lambda K, y, train, test, epochs: _classify(K, y, train, test, epochs, fit_on=np.arange(len(y))),
    "tested on the training points": lambda K, y, train, test, epochs: _classify(K, y, train, train, epochs),
    "train and test exchanged": lambda K, y, train, test, epochs: _classify(K, y, test, train, epochs),
    "rates for counts": lambda K, y, train, test, epochs: _classify(K, y, train, test, epochs) / len(test),
    "right ones counted": lambda K, y, train, test, epochs: len(test) - _classify(K, y, train, test, epochs),
    "the two exchanged": lambda K, y, train, test, epochs: _classify(K, y, train, test, epochs)[::-1],
    "trained on the test points": lambda K, y, train, test, epochs: _classify(K, y, train, test, epochs, fit_on=test),
    "errors of all points": lambda K, y, train, test, epochs: _classify(K, y, train, np.arange(len(y)), epochs),
    "self terms forgotten": _lengths_left_out,
}

_C = USE + "y = np.array([1, 1, -1, -1, 1, -1]); K = np.outer(y, y) + np.eye(6)   # easy: no errors\n" \
    "easy = classify_by_gram(K, y, np.arange(4), np.arange(4, 6), 3)\n"  # fmt: skip
_H = USE + "y = np.array([1, -1, 1, -1, -1]); x = np.array([1.0, -1.0, 2.0, -2.0, 3.0])   # the last is a trap\n" \
    "def wrong(train, test):\n    return classify_by_gram(np.outer(x, x), y, np.array(train), np.array(test), 2)\n"  # fmt: skip

CLASSIFY_BY_GRAM = Exercise(
    name="classify_by_gram",
    chapter=CHAPTER,
    number="2.7",
    returns="two counts, `return errors_mean, errors_perceptron`",
    reference=classify_by_gram,
    properties=(
        Property("counts the errors of both classifiers on points that they have not seen", 3, _tasks),
        Property(
            "keeps to the order of `train`",
            1,
            lambda r: _tasks(r, shuffled=True),
            hint="Your answer fails only when `train` is not sorted. The perceptron visits its points in the given "
                 "order, so use `K[np.ix_(train, train)]` and not a mask.",
        ),
        Property(
            "gives class -1 to a score of exactly 0",
            1,
            lambda r: _tasks(r, undecided=True),
            hint="Your answer fails only when a score is exactly 0, which means class -1. With >= 0 it would be class +1, and "
            "np.sign returns 0, which is neither class. Use np.where(score > 0, 1, -1).",
        ),
    ),
    promises=(
        Promise("have other counts for each classifier", lambda *args: np.ptp(_classify(*args)) > 0, of=(0, 1, 2)),
        Promise(
            "have no score of exactly 0",
            lambda *args: (_classify(*args, undecided=1.0) == _classify(*args)).all(),
            of=(0, 1),
        ),
        Promise(
            "have a score of exactly 0",
            lambda *args: (_classify(*args, undecided=1.0) != _classify(*args)).any(),
            of=(2,),
        ),
        Promise(
            "have other counts where `train` is sorted",
            lambda K, y, train, test, e: (_classify(K, y, np.sort(train), test, e) != _classify(K, y, train, test, e)).any(),
            of=(1,),
        ),
    ),
    misconceptions=(
        Misconception(
            "trained on all",
            _TASK_MISTAKES["trained on all"],
            "You train on all points, including the test points. Train on `train` only.",
            "Read “Odd or even?” again: trained on some, tested on the others.",
            _H + "print(wrong([0, 1], [4]))   # the last point is unseen and wrong for both: should print 1, 1",
        ),
        Misconception(
            "tested on the training points",
            _TASK_MISTAKES["tested on the training points"],
            "You count errors on the training points. Count them on the test points.",
            "Read “Odd or even?” again: trained on some, tested on the others.",
            _H + "print(wrong([0, 1, 2, 3], [4]))   # the last point is unseen and wrong for both: should print 1, 1",
        ),
        Misconception(
            "errors of all points",
            _TASK_MISTAKES["errors of all points"],
            "You count errors among all points. Count them among the test points only.",
            "Read “Odd or even?” again: trained on some, tested on the others.",
            _H + "print(wrong([0, 1, 4, 2], [3]))   # the trap is a training point, not a test point: should print 0, 0",
        ),
        Misconception(
            "train and test exchanged",
            _TASK_MISTAKES["train and test exchanged"],
            "You exchange `train` and `test`. Train on the first and count errors on the second.",
            "Read “Odd or even?” again: the training points come first, the test points second.",
            _H + "print(wrong([0, 1, 2], [4, 3]))   # only the trap is wrong: should print 1, 1",
        ),
        Misconception(
            "trained on the test points",
            _TASK_MISTAKES["trained on the test points"],
            "You train on the test points. Train on `train` only.",
            "Read “Odd or even?” again: trained on some, tested on the others.",
            _H + "print(wrong([0, 1], [4, 4]))   # the trap twice, unseen: should print 2, 2",
        ),
        Misconception(
            "rates for counts",
            _TASK_MISTAKES["rates for counts"],
            "You return fractions. Return the numbers of errors.",
            "Read “Odd or even?” again: its table counts errors.",
            _H + "print(wrong([0, 1], [4, 2, 3]))   # one of three is wrong: should print 1, 1",
        ),
        Misconception(
            "right ones counted",
            _TASK_MISTAKES["right ones counted"],
            "You count the points that are right. Count the errors.",
            "Read “Odd or even?” again: its table counts errors.",
            _C + "print(easy)   # no errors: should print 0, 0",
        ),
        Misconception(
            "the two exchanged",
            _TASK_MISTAKES["the two exchanged"],
            "You return the two counts in the wrong order. Return the count of the nearer mean first.",
            "Read “Distances and means in feature space” again, where the nearer mean is, and the docstring: it comes first.",
            USE + "x = np.array([5.0, -0.5, 0.6, -1.0]); y = np.array([1, 1, -1, -1]); K = np.outer(x, x)\n"
            "print(classify_by_gram(K, y, np.arange(4), np.arange(4), 1))   # should print 1, 2",
        ),
        Misconception(
            "self terms forgotten",
            _TASK_MISTAKES["self terms forgotten"],
            "The perceptron is right. In the score of the nearer mean you leave out the squared lengths of the two means. Add them, "
            "as in 2.5.",
            "Read “Distances and means in feature space” again: the last term of (6).",
            USE + "x = np.array([1.0, 5.0, 2.0]); y = np.array([-1, 1, -1])   # 2 is nearer to 1 than to 5\n"
            "print(classify_by_gram(np.outer(x, x), y, np.arange(2), np.array([2]), 9)[0])   # should print 0",
        ),
    ),
    step="Read “The same in scikit-learn” again: fit with train × train, predict with test × train.",
    experiment=_C + "print(easy)   # two clear classes: should print 0, 0",
    sizes=lambda K, y, train, test, epochs: {"n": len(y), "number of test points": len(test)},
    parts=("errors_mean", "errors_perceptron"),
)  # fmt: skip
