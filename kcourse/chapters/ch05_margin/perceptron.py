"""Exercise 5.6: the perceptron, with a bias and a count of its updates."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch05_margin.common import CHAPTER, USE, flat, right_w_wrong_b
from kcourse.checks.compare import close
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["PERCEPTRON"]


def perceptron(X, y, epochs):
    """w, b and the number of updates, after at most so many passes in the order of the rows."""
    return _learn(X, y, epochs)


def _is_mistake(x, y, w, b):
    return y * (x @ w + b) <= 0


def _undecided_at_the_start(x, y, w, b):
    """f(x) = 0 counts as a mistake only as long as w = 0 and b = 0."""
    return y * (x @ w + b) < 0 or (b == 0 and not w.any())


def _learn(X, y, epochs, *, mistake=_is_mistake, to_w=lambda x, y: y * x, to_b=lambda y: y):
    """The algorithm, with another test or another update."""
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        wrong = 0
        for x_i, y_i in zip(X, y, strict=True):
            if mistake(x_i, y_i, w, b):
                w, b, wrong = w + to_w(x_i, y_i), b + to_b(y_i), wrong + 1
        updates += wrong
        if wrong == 0:  # nor has a later pass one
            break
    return np.concatenate([w, [b, updates]])


def _batch(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        wrong = y * (X @ w + b) <= 0
        w, b, updates = w + y[wrong] @ X[wrong], b + y[wrong].sum(), updates + wrong.sum()
    return np.concatenate([w, [b, updates]])


def _hidden(X, y, epochs):
    """Return the mistakes that give the right answer on this input."""
    right = perceptron(X, y, epochs)
    return {m.name for m in PERCEPTRON.misconceptions if close(m.wrong(X, y, epochs), right)}


def _without_ties(X, y, epochs):
    """Whether all mistakes show, except for those about f = 0: it makes no difference how the first point counts."""
    return _hidden(X, y, epochs) == {*_UNDECIDED, _LATER}


def _separable(rng, n, d, wanted, first=0, halves=False):
    """Separable points and enough passes; one pass is not enough."""
    for _ in attempts("perceptron"):
        w, b = rng.normal(size=d), rng.normal()
        X = 1.5 * rng.normal(size=(n, d)) + rng.normal(size=d)
        if halves:
            X = np.round(2 * X) / 2
        f = X @ w + b
        y = np.sign(f)
        if y[0] == -first or abs(y.sum()) > n - 4 or np.abs(f).min() < 0.15 * np.linalg.norm(w):
            continue
        case = X, y, 25
        w_b = perceptron(*case)
        done = (y * (X @ w_b[:d] + w_b[d]) > 0).all()
        if done and not close(perceptron(X, y, 1), w_b) and wanted(*case):
            return case


def _never_half(draw):
    """Return a generator that draws until no mistake has two of w, b and updates right in all calls, which may be chance."""

    def half(wrong, found):
        pairs = [(wrong(*case), perceptron(*case)) for case in found]
        return sum(all(close(a[part], b[part]) for a, b in pairs) for part in (slice(-2), -2, -1)) == 2

    def drawn(rng):
        for _ in attempts("perceptron"):
            found = draw(rng)
            if not any(half(mistake.wrong, found) for mistake in PERCEPTRON.misconceptions):
                return found

    return drawn


@_never_half
def _untied(rng):
    return [_separable(rng, n, d, _without_ties) for n, d in ((7, 2), (9, 3), (6, 2))]


@_never_half
def _undecided(rng):
    """Points of which the first, where f = 0, is of class -1, then of class 1; then multiples of 1/2, of which one
    lies on a plane that occurs during learning."""
    rows = ((7, 2, -1, _UNDECIDED[1]), (7, 2, 1, _UNDECIDED[0]), (8, 2, 1, _LATER))
    return [
        _separable(rng, n, d, lambda *case, name=name: name not in _hidden(*case), first, name == _LATER)
        for n, d, first, name in rows
    ]


@_never_half
def _mixed(rng):
    """Labels that no plane separates, so each pass has mistakes."""
    found = []
    for n, d, epochs in ((8, 2, 3), (10, 3, 2)):
        for _ in attempts("perceptron"):
            X, y = rng.normal(size=(n, d)) + rng.normal(size=d), rng.permutation(np.resize([1.0, -1.0], n))
            w_b = [perceptron(X, y, e) for e in (epochs, epochs + 1, 20)]
            if w_b[1][-1] > w_b[0][-1] and w_b[2][-1] > w_b[1][-1] + 5 and _without_ties(X, y, epochs):
                found.append((X, y, epochs))
                break
    return found


_LATER = "f = 0 is right later on"
_UNDECIDED = "f = 0 is class +1", "f = 0 is class -1"
_P = USE + "X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 2.0]]); y = np.array([1, 1, -1])\n"
_S = "The perceptron in five hundred orders"

PERCEPTRON = Exercise(
    name="perceptron",
    chapter=CHAPTER,
    number="5.6",
    returns="w, b and the number of updates, `return w, b, updates`",
    reference=perceptron,
    properties=(
        Property("finds the plane and counts the updates", 2, _untied),
        Property(
            "takes f = 0 as a mistake in both classes",
            1,
            _undecided,
            hint="Your answer fails only where f is exactly 0, as it is for the first point. That is a mistake for both classes and "
            "in every pass, so test y f ≤ 0.",
        ),
        Property(
            "stops after `epochs` passes if mistakes are left",
            1,
            _mixed,
            hint="Your answer fails only if mistakes are left after `epochs` passes. It must then stop, after exactly `epochs` "
            "passes.",
        ),
    ),
    promises=(
        Promise("are done in time, and not after the first pass", lambda X, y, epochs: (
            perceptron(X, y, epochs)[-1] == perceptron(X, y, epochs + 9)[-1] > perceptron(X, y, 1)[-1])),
        Promise("hide no mistake but those about f = 0", _without_ties, of=(0, 2)),
        Promise("show each mistake about f = 0", lambda found: (
            not set.intersection(*(_hidden(*case) for case in found)) & {*_UNDECIDED, _LATER}), of=(1,), together=True),
        Promise("are never done", lambda X, y, e: (
            perceptron(X, y, e)[-1] < perceptron(X, y, e + 1)[-1] < perceptron(X, y, 20)[-1] - 5), of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "never starts",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w + b) < 0),
            "You update only if y f(x) < 0. At the start f = 0 everywhere, so nothing is learned. Update if y f(x) ≤ 0.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0.",
            _P + "print(perceptron(X, y, 1)[2])   # should be at least 1: the first point is a mistake",
        ),
        Misconception(
            "bias never changed",
            lambda X, y, epochs: _learn(X, y, epochs, to_b=lambda y: 0.0),
            "You never change b, so the plane always contains 0. At each mistake add y to b.",
            f"Read “{_S}” again: the update changes w and b.",
            USE + "print(perceptron(np.array([[2.0, 0.0], [3.0, 0.0]]), np.array([1, -1]), 200)[1] > 0)   # should print True",
        ),
        Misconception(
            "test without b",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w) <= 0),
            "You test y wᵀx ≤ 0. The function is f(x) = wᵀx + b, so test y(wᵀx + b) ≤ 0.",
            f"Read “{_S}” again: the f of the test contains b.",
            USE + "print(perceptron(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1, 1]), 1)[2])   # should print 1: the second f is 1",
        ),
        Misconception(
            "updates where it is right",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w + b) >= 0),
            "You update if the point is on its correct side. The test is reversed. Update if y f(x) ≤ 0.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0.",
            _P + "print(perceptron(X[:1], y[:1], 50)[2])   # should print 1: one update is enough for one point",
        ),
        Misconception(
            "label forgotten in w",
            lambda X, y, epochs: _learn(X, y, epochs, to_w=lambda x, y: x),
            "You add x to w at each mistake. Add y x, so that a point of class -1 is subtracted.",
            f"Read “{_S}” again: the update of w contains the label.",
            _P + "print(perceptron(X[2:], y[2:], 1)[0])   # should print 1, -2: minus this point of class -1",
        ),
        Misconception(
            "labels forgotten in w and b",
            lambda X, y, epochs: _learn(X, y, epochs, to_w=lambda x, y: x, to_b=lambda y: 1.0),
            "You add x to w and 1 to b at each mistake. Multiply both by the label, so add y x and y.",
            f"Read “{_S}” again: both updates contain the label.",
            _P + "print(perceptron(X[2:], y[2:], 1)[1])   # should print -1: one point of class -1",
        ),
        Misconception(
            "margin of one",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w + b) < 1),
            "You update if y f(x) < 1. For the perceptron any positive y f(x) is correct. Update if y f(x) ≤ 0.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0, without a margin.",
            USE + "X = np.array([[1.0, 0.0], [-0.5, 0.0]]); y = np.array([1, 1])\n"
            "print(perceptron(X, y, 9)[2])   # should print 1: after the first update f is 2 and 0.5",
        ),
        Misconception(
            "all at once",
            _batch,
            "You test all points with the same w and b. Update them at each mistake, before you test the next point.",
            f"Read “{_S}” again: it takes one point after the other.",
            USE + "print(perceptron(np.array([[1.0, 0], [2.0, 0]]), np.array([1, 1]), 1)[2])   # should print 1: one update corrects both",
        ),
        Misconception(
            "one pass",
            lambda X, y, epochs: _learn(X, y, 1),
            "You make only one pass. Repeat until a pass has no mistake, at most `epochs` times. Look for a `return` inside the loop.",
            f"Read “{_S}” again: it makes several passes.",
            USE + "print(perceptron(np.array([[1.0, 1], [1, 0.9]]), np.array([1, -1]), 5)[2] > 2)   # should print True",
        ),
        Misconception(
            _LATER,
            lambda X, y, epochs: _learn(X, y, epochs, mistake=_undecided_at_the_start),
            "You treat f(x) = 0 as a mistake only at the start, where w = 0 and b = 0. Treat it as a mistake in every pass.",
            f"Read “{_S}” again: the test contains ≤ in every pass.",
            USE + "X = np.array([[1.0, 0.0], [-1.0, 0.0]]); y = np.array([1, 1])\n"
            "print(perceptron(X, y, 1)[2])   # should print 2: the second point has f = 0",
        ),
        Misconception(
            _UNDECIDED[0],
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: (1 if x @ w + b >= 0 else -1) != y),
            "You treat f(x) = 0 as class +1. A point on the plane is a mistake for both classes. Update if y f(x) ≤ 0.",
            f"Read “{_S}” again: the test contains ≤.",
            _P + "print(perceptron(X[:1], y[:1], 1)[2])   # should print 1: at w = 0 the point is a mistake",
        ),
        Misconception(
            _UNDECIDED[1],
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: (1 if x @ w + b > 0 else -1) != y),
            "You treat f(x) = 0 as class -1. A point on the plane is a mistake for both classes. Update if y f(x) ≤ 0.",
            f"Read “{_S}” again: the test contains ≤ for both classes.",
            _P + "print(perceptron(X[2:], y[2:], 1)[2])   # should print 1: at w = 0 the point is a mistake",
        ),
    ),
    observations=(
        Observation(
            "Your plane and the number of updates are right, but w and b have another scale. Add y x and y, without a learning rate, and do not "
            "normalise.",
            lambda value, *args: _scaled(value, perceptron(*args)),
            early=True,
        ),
        right_w_wrong_b("perceptron", perceptron, entries=2),
        Observation(
            "The w and b of perceptron are right, but its number of updates is not. Count every update of all passes.",
            lambda value, *args: value.shape == perceptron(*args).shape
            and close(value[:-1], perceptron(*args)[:-1])
            and not close(value[-1], perceptron(*args)[-1]),
            early=True,
        ),
    ),
    step=f"Read “{_S}” again: it gives the update for one mistake.",
    experiment=USE + "X = np.array([[1.0, 0.0], [3.0, 0.0]]); y = np.array([1, -1])\n"
    "print(perceptron(X, y, 2))   # should print [-1, 0], 1 and 3",
    sizes=lambda X, y, epochs: {"n": len(y), "d": X.shape[1], "epochs": epochs},
    view=flat,
    gives=lambda joined: (joined[:-2], float(joined[-2]), int(joined[-1])),
    chained=True,
)  # fmt: skip


def _scaled(value, right):
    """Whether (w, b) is a multiple of the right one, other than itself, and the count is right."""
    if value.shape != right.shape or not close(value[-1], right[-1]) or not value[:-1].any():
        return False
    c = float(value[:-1] @ right[:-1]) / float(right[:-1] @ right[:-1])
    return c > 0 and close(value[:-1], c * right[:-1]) and not close(value[:-1], right[:-1])
