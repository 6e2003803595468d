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
    """Undecided is a mistake only as long as nothing was learnt."""
    return y * (x @ w + b) < 0 or (b == 0 and not w.any())


def _learn(X, y, epochs, *, mistake=_is_mistake, to_w=lambda x, y: y * x, to_b=lambda y: y, kept=1.0):
    """The algorithm, with another test, another step, or with no more than a part ``kept`` of what was learnt."""
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        wrong = 0
        for x_i, y_i in zip(X, y, strict=True):
            if mistake(x_i, y_i, w, b):
                w, b, wrong = kept * w + to_w(x_i, y_i), kept * b + to_b(y_i), wrong + 1
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


def _passes(X, y, epochs):
    """The right line; counted are the passes that were made until one had no mistake."""
    w, b, passes = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        clean = True
        for i in range(len(y)):
            if y[i] * (X[i] @ w + b) <= 0:
                w, b, clean = w + y[i] * X[i], b + y[i], False
        passes += 1
        if clean:
            break
    return np.concatenate([w, [b, passes]])


def _first_mistake_only(X, y, epochs):
    w, b, updates = np.zeros(X.shape[1]), 0.0, 0
    for _ in range(epochs):
        wrong = np.flatnonzero(y * (X @ w + b) <= 0)
        if wrong.size:
            w, b, updates = w + y[wrong[0]] * X[wrong[0]], b + y[wrong[0]], updates + 1
    return np.concatenate([w, [b, updates]])


def _hides_a_mistake(X, y, epochs):
    """Whether a mistake gives the right answer on this input."""
    right = perceptron(X, y, epochs)
    harmless = {_UNDECIDED[int(y[0] > 0)]}  # the first point is undecided, and this mistake has it right
    if not _has_halves(X):  # nobody else is
        harmless.add(_LATER)
    mistakes = (mistake for mistake in PERCEPTRON.misconceptions if mistake.name not in harmless)
    return any(close(mistake.wrong(X, y, epochs), right) for mistake in mistakes)


def _has_halves(X):
    return bool((2 * X == np.round(2 * X)).all())


def _separable(rng):
    """Points with a gap, and passes enough; after the first pass the work is not done. The last are halves and whole
    numbers, and one of them lies on a plane that has been learnt."""
    found = []
    for n, d, first, halves in ((7, 2, 1, False), (9, 3, -1, False), (6, 2, -1, False), (8, 2, 1, True)):
        for _ in attempts("perceptron"):
            w, b = rng.normal(size=d), rng.normal()
            X = 1.5 * rng.normal(size=(n, d)) + rng.normal(size=d)
            if halves:
                X = np.round(2 * X) / 2
            f = X @ w + b
            y = np.sign(f)
            if y[0] != first or abs(y.sum()) > n - 4 or np.abs(f).min() < 0.15 * np.linalg.norm(w):
                continue
            case = X, y, 25
            w_b = perceptron(*case)
            done = (y * (X @ w_b[:d] + w_b[d]) > 0).all()
            if done and not close(perceptron(X, y, 1), w_b) and not _hides_a_mistake(*case):
                found.append(case)
                break
    return found


def _mixed(rng):
    """Labels that no plane explains, so that each pass has mistakes."""
    found = []
    for n, d, epochs in ((8, 2, 3), (10, 3, 2)):
        for _ in attempts("perceptron"):
            X, y = rng.normal(size=(n, d)) + rng.normal(size=d), rng.permutation(np.resize([1.0, -1.0], n))
            w_b = [perceptron(X, y, e) for e in (epochs, epochs + 1, 20)]
            if w_b[1][-1] > w_b[0][-1] and w_b[2][-1] > w_b[1][-1] + 5 and not _hides_a_mistake(X, y, epochs):
                found.append((X, y, epochs))
                break
    return found


_LATER = "undecided is right later on"
_UNDECIDED = "undecided is class +1", "undecided is class -1"
_P = USE + "X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 2.0]]); y = np.array([1, 1, -1])\n"
_S = "Five hundred perceptrons"

PERCEPTRON = Exercise(
    name="perceptron",
    chapter=CHAPTER,
    number="5.6",
    returns="w, b and the number of updates, `return w, b, updates`",
    reference=perceptron,
    properties=(
        Property("finds the line, and counts its updates", 3, _separable),
        Property(
            "stops after `epochs` passes where it is not done",
            1,
            _mixed,
            hint="Your answer fails only when mistakes are left after `epochs` passes: then it must stop all the same, after exactly so "
            "many.",
        ),
    ),
    promises=(
        Promise("are done in time, and not after the first pass", lambda X, y, epochs: (
            perceptron(X, y, epochs)[-1] == perceptron(X, y, epochs + 9)[-1] > perceptron(X, y, 1)[-1])),
        Promise("have halves and whole numbers last, where a point lies on a plane that was learnt", lambda found: (
            [_has_halves(X) for X, *_ in found] == [False, False, False, True]), together=True),
        Promise("are never done", lambda X, y, e: (
            perceptron(X, y, e)[-1] < perceptron(X, y, e + 1)[-1] < perceptron(X, y, 20)[-1] - 5), of=(1,)),
        Promise("show every mistake", lambda *args: not _hides_a_mistake(*args), of=(0, 1)),
    ),
    misconceptions=(
        Misconception(
            "never starts",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w + b) < 0),
            "It never learns anything: from w = 0 all f are 0, and you call a mistake only what is below 0.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0.",
            _P + "print(perceptron(X, y, 1)[2])   # the first point alone is a mistake: should be at least 1",
        ),
        Misconception(
            "bias never changed",
            lambda X, y, epochs: _learn(X, y, epochs, to_b=lambda y: 0.0),
            "b stays 0: at each mistake it changes, too, by y.",
            f"Read “{_S}” again: both lines of the update.",
            USE + "print(perceptron(np.array([[2.0, 0.0], [3.0, 0.0]]), np.array([1, -1]), 200)[1] > 0)   # lines through 0 cannot: True",
        ),
        Misconception(
            "asked without b",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w) <= 0),
            "Your test asks for y wᵀx; f(x) is wᵀx + b, and the b that you learn never takes part.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0, and f has b in it.",
            USE + "print(perceptron(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1, 1]), 1)[2])   # f of the second is 1: should print 1",
        ),
        Misconception(
            "updates where it is right",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w + b) >= 0),
            "You update where the point is on its right side already: the sign of the test is turned round.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0.",
            _P + "print(perceptron(X[:1], y[:1], 50)[2])   # one point is learnt at once: should print 1",
        ),
        Misconception(
            "label forgotten in w",
            lambda X, y, epochs: _learn(X, y, epochs, to_w=lambda x, y: x),
            "You add x at each mistake; it is y x, so that a point of class -1 is taken away.",
            f"Read “{_S}” again: w ← w + y x.",
            _P + "print(perceptron(X[2:], y[2:], 1)[0])   # one point of class -1: should be minus that point, 1, -2",
        ),
        Misconception(
            "set, not added",
            lambda X, y, epochs: _learn(X, y, epochs, kept=0.0),
            "At a mistake you set w and b to y x and y, with = for +=: they are added to what was learnt before.",
            f"Read “{_S}” again: w ← w + y x, b ← b + y.",
            _P + "print(perceptron(X, y, 1)[0])   # the first point, less the third: should print 3, -1",
        ),
        Misconception(
            "label forgotten in b",
            lambda X, y, epochs: _learn(X, y, epochs, to_b=lambda y: 1.0),
            "b grows by 1 at each mistake; it has to change by y.",
            f"Read “{_S}” again: b ← b + y.",
            _P + "print(perceptron(X[2:], y[2:], 1)[1])   # one point of class -1: should print -1",
        ),
        Misconception(
            "b moved the wrong way",
            lambda X, y, epochs: _learn(X, y, epochs, to_b=lambda y: -y),
            "b moves the wrong way: at a mistake it changes by +y, as w does by +y x.",
            f"Read “{_S}” again: b ← b + y.",
            _P + "print(perceptron(X[2:], y[2:], 1)[1], 'should print -1, the label of that one point')",
        ),
        Misconception(
            "label beside w alone",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w) + b <= 0),
            "You test y wᵀx + b; the label belongs to the whole bracket, y(wᵀx + b).",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0, and f has b in it.",
            USE + "X = np.array([[1.0, 0.0], [0.5, 0.0]]); y = np.array([1, -1])\n"
            "print(perceptron(X, y, 1))   # the second: f is 1.5, y = -1, a mistake: w = 0.5, 0 and b = 0, 2 updates",
        ),
        Misconception(
            "margin of one",
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: y * (x @ w + b) < 1),
            "You update as long as y f(x) < 1; the perceptron is content with any positive value.",
            f"Read “{_S}” again: a mistake is y f(x) ≤ 0. A margin of 1 is the other machine.",
            USE + "print(perceptron(np.array([[0.1, 0.2]]), np.array([1]), 9)[2])   # right after one update: should print 1",
        ),
        Misconception(
            "all at once",
            _batch,
            "You test all points with one and the same w, then add all mistakes: each has to be corrected before the next point is looked at.",
            f"Read “{_S}” again: one point after the other.",
            USE + "print(perceptron(np.array([[1.0, 0], [2.0, 0]]), np.array([1, 1]), 1)[2])   # the second is right by then: 1",
        ),
        Misconception(
            "first mistake of each pass",
            _first_mistake_only,
            "You leave the pass after its first mistake: a `break` too many?",
            f"Read “{_S}” again: a pass goes on to the last point.",
            USE + "print(perceptron(np.array([[1.0, 0], [-1.0, 5]]), np.array([1, 1]), 1)[2])   # f is 1, then 0: two updates",
        ),
        Misconception(
            "one pass",
            lambda X, y, epochs: _learn(X, y, 1),
            "Only one pass is made: is there a `return` inside the loop over the passes?",
            f"Read “{_S}” again: `epochs` passes.",
            USE + "print(perceptron(np.array([[1.0, 1], [1, 0.9]]), np.array([1, -1]), 5)[2] > 2)   # one pass is not enough: True",
        ),
        Misconception(
            "passes counted",
            _passes,
            "Your line is right; what you count are the passes, and not the updates.",
            f"Read “{_S}” again: an update is a correction of (w, b).",
            _P + "print(perceptron(X[:1], y[:1], 9)[2])   # learnt at once, then a clean pass: should print 1",
        ),
        Misconception(
            "from the last to the first",
            lambda X, y, epochs: _learn(X[::-1], y[::-1], epochs),
            "You go through the points from the last to the first.",
            f"Read “{_S}” again: the order decides which line comes out, and the docstring says which order.",
            _P + "print(perceptron(X[:2], y[:2], 1)[0])   # the first point is learnt, the second right: should print 2, 1",
        ),
        Misconception(
            _LATER,
            lambda X, y, epochs: _learn(X, y, epochs, mistake=_undecided_at_the_start),
            "You take f(x) = 0 for a mistake at the start alone, where w and b are 0; a point on a plane that was learnt is undecided, too.",
            f"Read “{_S}” again: the test has a ≤, in every pass.",
            USE + "X = np.array([[1.0, 0.0], [-1.0, 0.0]]); y = np.array([1, 1])\n"
            "print(perceptron(X, y, 1)[2], 'should print 2: of the second point f is 0')",
        ),
        Misconception(
            _UNDECIDED[0],
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: (1 if x @ w + b >= 0 else -1) != y),
            "Where f(x) = 0 you call class +1 right; on the plane nothing is decided, and y f(x) ≤ 0 is a mistake.",
            f"Read “{_S}” again: the test has a ≤.",
            _P + "print(perceptron(X[:1], y[:1], 1)[2])   # at w = 0 nothing is decided: should print 1",
        ),
        Misconception(
            _UNDECIDED[1],
            lambda X, y, epochs: _learn(X, y, epochs, mistake=lambda x, y, w, b: (1 if x @ w + b > 0 else -1) != y),
            "Where f(x) = 0 you call class -1 right; on the plane nothing is decided, and y f(x) ≤ 0 is a mistake.",
            f"Read “{_S}” again: with ≤ and not <, for both classes.",
            _P + "print(perceptron(X[2:], y[2:], 1)[2], 'should print 1: at w = 0 nothing is decided')",
        ),
    ),
    observations=(
        Observation(
            "Your line and the number of updates are right, but w and b have another length: the update is y x and y, without a learning rate, "
            "and nothing is normalised.",
            lambda value, *args: _scaled(value, perceptron(*args)),
            early=True,
        ),
        right_w_wrong_b("perceptron", perceptron, entries=2),
        Observation(
            "The w and b of perceptron are right, its number of updates is not.",
            lambda value, *args: value.shape == perceptron(*args).shape
            and close(value[:-1], perceptron(*args)[:-1])
            and not close(value[-1], perceptron(*args)[-1]),
            early=True,
        ),
    ),
    step=f"Read “{_S}” again: the update, point by point, pass by pass.",
    experiment=USE + "X = np.array([[1.0, 0.0], [3.0, 0.0]]); y = np.array([1, -1])\n"
    "print(perceptron(X, y, 2))   # should print (1, 0) and 1, then (-2, 0) and 0, then [-1, 0] and 1: 3 updates",
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
