"""Exercises 6.1 and 6.3: what the soft margin minimises, and who must be a support vector."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06_svm.common import CHAPTER, USE
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["MARGIN_VIOLATORS", "SVM_PRIMAL"]

_PRICE = "Let them cross, at a price"
_LOSSES = "Five losses, one of them absurd"
_WHO = "Which patients decide?"
_CASES = "Two multipliers for each point"


# -- 6.1


def svm_primal(w, b, X, y, C):
    """½‖w‖² + C Σ (1 - y f)₊."""
    return _objective(w, b, X, y, C)


def _hinge(m):
    return np.maximum(0.0, 1.0 - m)


def _half_square(w, b):
    return 0.5 * w @ w


def _objective(w, b, X, y, C, *, loss=_hinge, norm=_half_square, collect=np.sum, labels=True):
    f = X @ w + b
    return float(norm(w, b) + C * collect(loss(y * f if labels else f)))


def _bias_without_label(w, b, X, y, C):
    return float(_half_square(w, b) + C * np.sum(_hinge(y * (X @ w) + b)))


def _distance_for_margin(w, b, X, y, C):
    return float(_half_square(w, b) + C * np.sum(_hinge(y * (X @ w + b) / np.sqrt(w @ w))))


def _with(**how):
    return lambda w, b, X, y, C: _objective(w, b, X, y, C, **how)


def _planes(rng):
    """Three planes with points beyond both margins, inside the margin, and safe."""
    for _ in attempts("svm_primal"):
        found = []
        for n, d in ((6, 2), (9, 3), (7, 4)):
            w, b = rng.normal(size=d), float(rng.uniform(0.3, 0.9) * rng.choice([-1, 1]))
            X, y = rng.normal(size=(n, d)), rng.permutation(np.resize([1.0, -1.0, 1.0], n))
            # move points along w until their y f are these
            m = np.concatenate([[-1.7, -0.4, 0.5, 0.8, 1.6, 2.5], rng.uniform(-2, 3, n - 6)]) + rng.uniform(
                -0.1, 0.1, n
            )
            X += np.outer((y * rng.permutation(m) - X @ w - b) / (w @ w), w)
            found.append((w, b, X, y, float(rng.choice([rng.uniform(0.3, 0.7), rng.uniform(1.6, 3.0)]))))
        if telling(found, svm_primal, [mistake.wrong for mistake in SVM_PRIMAL.misconceptions]):
            return found


_P = USE + "X = np.array([[0.0], [1], [2], [3]]); y = np.array([-1, -1, 1, 1])\n" \
    "def P(w, b, C):\n    return svm_primal(np.array([w]), b, X, y, C)\n"  # fmt: skip
_SUM = f"Read “{_PRICE}” again: equation (2)"

SVM_PRIMAL = Exercise(
    name="svm_primal",
    chapter=CHAPTER,
    number="6.1",
    returns="the objective, one number",
    reference=svm_primal,
    properties=(Property("is ½‖w‖² plus C times the sum of the slacks", 3, _planes),),
    promises=(
        Promise("have points beyond both margins, inside the margin, and safe", lambda w, b, X, y, C: all(
            np.any((low < y * (X @ w + b)) & (y * (X @ w + b) < high)) for low, high in ((-9, -1), (-1, 1), (1, 9)))),
    ),
    misconceptions=(
        Misconception(
            "printed loss",
            _with(loss=lambda m: np.maximum(0.0, m - 1.0)),
            "You charge (y f - 1)₊, the loss with the sign that one source prints: it charges those who are safe.",
            f"Read “{_LOSSES}” again: what the printed loss does to a machine.",
            _P + "print(P(0.0, 0.0, 0.5))   # f = 0: each of the four has a slack of 1, so 0.5·4 = 2",
        ),
        Misconception(
            "no half",
            _with(norm=lambda w, b: w @ w),
            "The ½ before ‖w‖² is missing; with it your C means half as much.",
            f"{_SUM}, and what is said there of texts without the ½.",
            _P + "print(P(2.0, -3.0, 1.0))   # nobody pays: should print 2²/2 = 2",
        ),
        Misconception(
            "mean of the slacks",
            _with(collect=np.mean),
            "You take the mean of the slacks; C stands beside their sum.",
            f"{_SUM}: a sum over n points.",
            _P + "print(P(0.0, 0.0, 0.25))   # four slacks of 1: should print 0.25·4 = 1",
        ),
        Misconception(
            "b outside of the bracket",
            _bias_without_label,
            "Your slacks have y wᵀx + b where y (wᵀx + b) belongs: the label multiplies b, too.",
            f"{_SUM}: f has the b in it.",
            _P + "print(P(0.0, 1.0, 0.5))   # f = 1: the two of class -1 have slacks of 2, so 0.5·4 = 2",
        ),
        Misconception(
            "bias penalised",
            _with(norm=lambda w, b: 0.5 * (w @ w + b * b)),
            "You penalise b, too, as LinearSVC does: then the border depends on where the origin is.",
            f"{_SUM}: ‖w‖² is all that costs something beside the slacks.",
            _P + "print(P(0.0, 0.5, 0.25))   # slacks 1.5, 1.5, 0.5, 0.5: should print 0.25·4 = 1",
        ),
        Misconception(
            "count of mistakes",
            _with(loss=lambda m: (m <= 0) * 1.0),
            "You count the mistakes; the hinge charges by how much y f falls short of 1, inside the margin as well.",
            f"Read “{_LOSSES}” again: the count is one of the five, the hinge another.",
            _P + "print(P(0.5, -0.75, 1.0))   # no mistakes, and slacks of 0.25, 0.75, 0.75, 0.25: should print 0.125 + 2",
        ),
        Misconception(
            "squared hinge",
            _with(loss=lambda m: _hinge(m) ** 2),
            "You square the slacks: that is the loss of LinearSVC, another machine.",
            f"Read “{_LOSSES}” again: the hinge is not its square.",
            _P + "print(P(0.0, 0.5, 1.0))   # slacks 1.5, 1.5, 0.5, 0.5: should print 4",
        ),
        Misconception(
            "not clipped",
            _with(loss=lambda m: 1.0 - m),
            "Your slacks become negative: points that are safe earn a bonus. A slack is at least 0.",
            f"Read “{_PRICE}” again, step 2: (u)₊ = max(u, 0).",
            _P + "print(P(4.0, -6.0, 1.0))   # all beyond the margin, nobody pays: should print 4²/2 = 8",
        ),
        Misconception(
            "labels forgotten",
            _with(labels=False),
            "The labels are missing in the slacks: y f, not f, has to be at least 1.",
            f"Read “{_PRICE}” again: y_i f(x_i) in (1).",
            _P + "print(P(2.0, -3.0, 0.5))   # every point is on its side, nobody pays: should print 2",
        ),
        Misconception(
            "no bias in f",
            Changed(svm_primal, lambda w, b, X, y, C: (w, 0.0, X, y, C)),
            "b is missing in f(x) = wᵀx + b.",
            f"{_SUM}: f there is the f of the first line, with its b.",
            _P + "print(P(0.0, 2.0, 1.0))   # f = 2: the negative ones pay 3 each, should print 6",
        ),
        Misconception(
            "no C",
            Changed(svm_primal, lambda w, b, X, y, C: (w, b, X, y, 1.0)),
            "C is missing: the slacks are added without their price.",
            f"{_SUM}: C before the sum.",
            _P + "print(P(0.0, 0.0, 3.0) / P(0.0, 0.0, 1.0))   # three times the price: should print 3",
        ),
        Misconception(
            "norm not squared",
            _with(norm=lambda w, b: 0.5 * np.sqrt(w @ w)),
            "You take ½‖w‖; it is ½‖w‖², the squared length.",
            f"{_SUM}: the square in the first term.",
            _P + "print(P(6.0, -9.0, 1.0))   # nobody pays: should print 6²/2 = 18",
        ),
        Misconception(
            "price on the norm",
            lambda w, b, X, y, C: float(C * 0.5 * w @ w + _hinge(y * (X @ w + b)).sum()),
            "Your C multiplies ½‖w‖²; it is the price of the slacks. What multiplies the norm is a λ, which goes the other way.",
            f"{_SUM}, and the comparison with chapter 3 below it.",
            _P + "print(P(4.0, -6.0, 0.25))   # nobody pays, so C does not matter: should print 8",
        ),
        Misconception(
            "perceptron's loss",
            _with(loss=lambda m: np.maximum(0.0, -m)),
            "You charge (-y f)₊, as the perceptron does: nobody is asked for a margin, and w = 0 costs nothing.",
            f"Read “{_PRICE}” again: the demand in (1) is 1, not 0.",
            _P + "print(P(0.0, 0.0, 1.0), 'f = 0: each of the four has a slack of 1, so 4')",
        ),
        Misconception(
            "absolute value",
            _with(loss=lambda m: np.abs(1.0 - m)),
            "You take |1 - y f|: so points pay for being more than safe.",
            f"Read “{_PRICE}” again, step 2: (u)₊ = max(u, 0) is no absolute value.",
            _P + "print(P(3.0, -4.5, 1.0))   # all beyond the margin, nobody pays: should print 4.5",
        ),
        Misconception(
            "slacks alone",
            _with(norm=lambda w, b: 0.0),
            "The term ½‖w‖² is missing: without it a longer w is always better.",
            f"{_SUM} has two terms.",
            _P + "print(P(2.0, -3.0, 7.0))   # nobody pays, and w costs 2²/2: should print 2",
        ),
        Misconception(
            "minus b",
            Changed(svm_primal, lambda w, b, X, y, C: (w, -b, X, y, C)),
            "You subtract b; in this chapter f(x) = wᵀx + b.",
            f"Read “{_PRICE}” again: its first line.",
            _P + "print(P(2.0, -3.0, 0.1))   # f is -3, -1, 1, 3 and nobody pays: should print 2",
        ),
        Misconception(
            "mistakes alone pay",
            _with(loss=lambda m: np.where(m < 0, 1.0 - m, 0.0)),
            "Only the mistakes pay in your sum; a point inside the margin pays, too, though it is on its right side.",
            f"Read “{_PRICE}” again: what a slack is not.",
            _P + "print(P(0.5, -0.75, 2.0))   # no mistakes, and slacks of 0.25, 0.75, 0.75, 0.25: should print 0.125 + 4",
        ),
        Misconception(
            "distance for margin",
            _distance_for_margin,
            "Your slacks have y f/‖w‖, the distance to the border; the slack counts by how much y f itself falls short of 1.",
            f"Read “{_PRICE}” again: what a slack is not.",
            _P + "print(P(0.5, -0.75, 4.0))   # slacks of 0.25, 0.75, 0.75, 0.25: should print 0.125 + 8",
        ),
        Misconception(
            "largest slack alone",
            _with(collect=np.max),
            "You charge the largest slack only; the soft margin charges their sum.",
            f"{_SUM}: a sum over all points.",
            _P + "print(P(0.0, 0.0, 2.0))   # four slacks of 1: should print 8",
        ),
    ),
    observations=(
        Observation(
            "svm_primal returned a number below ½‖w‖², and slacks only add to that.",
            lambda value, w, b, X, y, C: value.size == 1 and value.item() < 0.5 * w @ w * (1 - 1e-9),
        ),
    ),
    step=f"{_SUM}: ½‖w‖², and C times the sum of (1 - y_i f(x_i))₊.",
    experiment=_P + "print(P(2.0, -3.5, 0.5))   # y f is 3.5, 1.5, 0.5, 2.5: should print 2 + 0.5·0.5 = 2.25",
    sizes=lambda w, b, X, y, C: {"n": len(y), "d": len(w), "C": C},
)  # fmt: skip


# -- 6.3


def margin_violators(f, y):
    """y f ≤ 1."""
    return y * f <= 1


def _values(rng, shapes, margin=0):
    """f and y with values in each stretch of either class, some close to the margin; ``margin`` of them exactly on it."""
    found = []
    for n in shapes:
        y = np.resize([1.0, -1.0], n)
        m = np.resize([-1.6, -1.6, -0.5, -0.5, 0.5, 0.5, 1.7, 1.7, 0.96, 0.96, 1.04, 1.04, 2.6, 2.6], n)
        m += np.where(np.abs(m - 1) < 0.1, 0.03, 0.35) * rng.uniform(-1, 1, n)
        if margin:
            m[:margin] = 1.0
        order = rng.permutation(n)
        found.append(((y * m)[order], y[order]))
    return found


_V = USE + "f = np.array([1.7, 1.0, 0.4, -0.3, -1.6, 2.0, -1.0]); y = np.array([1, 1, 1, 1, 1, -1, -1])\n" \
    "def who(*at):\n    return np.asarray(margin_violators(f, y))[list(at)]\n"  # fmt: skip
_RULE = f"Read “{_WHO}” again: the rule that is right"

MARGIN_VIOLATORS = Exercise(
    name="margin_violators",
    chapter=CHAPTER,
    number="6.3",
    returns="True or False for each point, shape (n,)",
    reference=margin_violators,
    properties=(
        Property("finds the points inside the margin and beyond", 2, lambda r: _values(r, (16, 14, 15))),
        Property(
            "counts those that are exactly on the margin, in both classes",
            1,
            lambda r: _values(r, (14, 17), margin=3),
            hint="Your answer fails only at y f = 1, exactly on the margin: such a point may have a multiplier above 0, "
            "whichever class it is of, so it counts.",
        ),
    ),
    promises=(
        Promise("have values close to the margin on both sides, and none on it", lambda f, y: (
            np.any((y * f > 0.9) & (y * f < 1)) and np.any((y * f > 1) & (y * f < 1.1)) and not np.any(y * f == 1))),
        Promise("have points of both classes on the margin, exactly", lambda f, y: set(y[y * f == 1]) == {-1, 1}, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "|f| ≤ 1",
            lambda f, y: np.abs(f) <= 1,
            "You take those with |f| ≤ 1. That misses the mistakes beyond the other margin, which have the full say.",
            f"{_RULE}, and whom |f| ≤ 1 misses.",
            _V + "print(who(4, 5))   # mistakes, y f = -1.6 and -2: should print True True",
        ),
        Misconception(
            "on the margin alone",
            lambda f, y: y * f == 1,
            "You take those exactly on the margin. Points inside the margin or beyond have multipliers, too: the largest, C.",
            f"Read “{_CASES}” again, step 4: the third case.",
            _V + "print(who(2, 3))   # y f = 0.4 and -0.3: should print True True",
        ),
        Misconception(
            "mistakes alone",
            lambda f, y: y * f <= 0,
            "You take the mistakes. A point inside the margin pays a slack, and has a say, though it is on its right side.",
            f"Read “{_CASES}” again, step 4: the third case is y f ≤ 1, not y f ≤ 0.",
            _V + "print(who(2))   # y f = 0.4, inside the margin: should print True",
        ),
        Misconception(
            "margin left out",
            lambda f, y: y * f < 1,
            "You leave out y f = 1: the free support vectors lie exactly there.",
            f"Read “{_CASES}” again, step 4: the second case.",
            _V + "print(who(1, 6))   # exactly on the margin: should print True True",
        ),
        Misconception(
            "labels forgotten",
            lambda f, y: f <= 1,
            "The label is missing: a point of class -1 is beyond its margin where f ≤ -1.",
            f"{_RULE}: it has a y in it.",
            _V + "print(who(5))   # f = 2 with y = -1, a mistake: should print True",
        ),
        Misconception(
            "safe ones",
            lambda f, y: y * f >= 1,
            "You return True for points beyond the margin. Return True for those whose multiplier can be above 0.",
            f"Read “{_CASES}” again, step 4: α = 0 goes with y f ≥ 1.",
            _V + "print(who(0, 3))   # y f = 1.7 is safe, -0.3 is not: should print False True",
        ),
        Misconception(
            "the others",
            lambda f, y: y * f > 1,
            "It is the other way round: you say True where the point has no say.",
            f"Read “{_CASES}” again, step 4: beyond the margin α is 0.",
            _V + "print(who(0, 2))   # y f = 1.7 has no say, 0.4 has: should print False True",
        ),
        Misconception(
            "inside |f| < 1",
            lambda f, y: np.abs(f) < 1,
            "You take those with |f| < 1: neither the points on the margin nor the mistakes beyond the other one are there.",
            f"{_RULE}, and whom |f| ≤ 1 misses.",
            _V + "print(who(1, 4))   # on the margin, and a mistake with y f = -1.6: should print True True",
        ),
        Misconception(
            "mistakes left out",
            lambda f, y: (y * f <= 1) & (y * f >= 0),
            "You leave out the mistakes; they are as late as can be, and have the full say.",
            f"Read “{_CASES}” again, step 4: y f ≤ 1 has no lower end.",
            _V + "print(who(3, 4, 5))   # three mistakes: should print True True True",
        ),
        Misconception(
            "everybody",
            lambda f, y: np.ones(len(f), dtype=bool),
            "You say True of everybody; the points beyond their margin have no say.",
            f"Read “{_CASES}” again, step 4: α = 0 goes with y f ≥ 1.",
            _V + "print(who(0), 'should print False: y f = 1.7 is beyond the margin')",
        ),
        Misconception(
            "slacks instead",
            lambda f, y: np.maximum(0.0, 1.0 - y * f),
            "You return the slacks; True or False is asked. (And a slack of 0 may still be a support vector, on the margin.)",
            f"{_RULE} is a comparison.",
            _V + "print(who(1, 2))   # y f = 1 and 0.4: should print True True",
        ),
        Misconception(
            "plus and minus one",
            lambda f, y: np.where(y * f <= 1, 1, -1),
            "You return 1 and -1; True and False are asked, or 1 and 0.",
            f"{_RULE}: a yes or a no.",
            _V + "print(who(0))   # y f = 1.7, safe: should print False",
        ),
        Misconception(
            "f ≤ y",
            lambda f, y: f <= y,
            "You compare f with the label, f ≤ y. For class -1 the margin lies at -1, and safe is who is below it: the label belongs beside f.",
            f"{_RULE}: y f is compared with 1.",
            _V + "print(who(5, 1))   # f = 2 with y = -1, and f = 1 with y = 1: should print True True",
        ),
        Misconception(
            "|f - y| ≤ 1",
            lambda f, y: np.abs(f - y) <= 1,
            "You ask how far f is from the label, |f - y| ≤ 1. A point may lie any distance beyond its margin and be safe, or any distance on the wrong side.",
            f"{_RULE}: y f ≤ 1 has one end only.",
            _V + "print(who(0, 3))   # y f = 1.7 is safe, -0.3 is a mistake: should print False True",
        ),
        Misconception(
            "predicted positive",
            lambda f, y: f > 0,
            "You say on which side each point is predicted; asked is whether it must be a support vector.",
            f"{_RULE} compares y f with 1.",
            _V + "print(who(0, 4))   # y f = 1.7 and -1.6: should print False True",
        ),
    ),
    step=f"{_RULE}, and “{_CASES}”, step 4: which α go with which y f.",
    experiment=_V + "print(who(*range(7)))   # should print False, and then six times True",
    sizes=lambda f, y: {"n": len(y)},
)  # fmt: skip
