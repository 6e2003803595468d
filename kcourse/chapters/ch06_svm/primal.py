"""Exercises 6.1 and 6.3: the objective of the soft margin, and the points that violate the margin."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06_svm.common import CHAPTER, USE
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["MARGIN_VIOLATORS", "SVM_PRIMAL"]

_PRICE = "The soft margin: slack with a penalty"
_LOSSES = "The hinge loss compared with other losses"
_WHO = "Support vectors: which patients decide?"
_CASES = "The Lagrangian: two multipliers for each point"


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


def _with(**how):
    return lambda w, b, X, y, C: _objective(w, b, X, y, C, **how)


def _planes(rng):
    """Three planes with points on the wrong side, inside the margin and outside it."""
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
        Promise("have points on the wrong side, inside the margin and outside it", lambda w, b, X, y, C: all(
            np.any((low < y * (X @ w + b)) & (y * (X @ w + b) < high)) for low, high in ((-9, -1), (-1, 1), (1, 9)))),
    ),
    misconceptions=(
        Misconception(
            "printed loss",
            _with(loss=lambda m: np.maximum(0.0, m - 1.0)),
            "You use (y f - 1)₊, which has the wrong sign. The hinge loss is (1 - y f)₊.",
            "Read “The soft margin: slack with a penalty” again: what a slack is not.",
            _P + "print(P(0.0, 0.0, 0.5))   # should print 2: f = 0, so each of the four slacks is 1",
        ),
        Misconception(
            "no half",
            _with(norm=lambda w, b: w @ w),
            "You leave out the ½ before ‖w‖². The objective is ½‖w‖² + C Σ ξ_i.",
            f"{_SUM} has the factor ½.",
            _P + "print(P(2.0, -3.0, 1.0))   # should print 2²/2 = 2: all slacks are 0",
        ),
        Misconception(
            "mean of the slacks",
            _with(collect=np.mean),
            "You take the mean of the slacks. C multiplies their sum.",
            f"{_SUM} contains a sum over n points.",
            _P + "print(P(0.0, 0.0, 0.25))   # should print 0.25·4 = 1: four slacks of 1",
        ),
        Misconception(
            "bias penalised",
            _with(norm=lambda w, b: 0.5 * (w @ w + b * b)),
            "You also penalise b, as LinearSVC does. The solution then depends on the origin. Penalise only ‖w‖².",
            f"{_SUM} penalises only w.",
            _P + "print(P(0.0, 0.5, 0.25))   # should print 0.25·4 = 1: the slacks are 1.5, 1.5, 0.5, 0.5",
        ),
        Misconception(
            "count of mistakes",
            _with(loss=lambda m: (m <= 0) * 1.0),
            "You count the misclassified points. A slack is max(0, 1 - y f), which is also positive inside the margin.",
            f"Read “{_LOSSES}” again: the 0-1 loss and the hinge loss differ.",
            _P + "print(P(0.5, -0.75, 1.0))   # should print 0.125 + 2: the slacks are 0.25, 0.75, 0.75, 0.25",
        ),
        Misconception(
            "squared hinge",
            _with(loss=lambda m: _hinge(m) ** 2),
            "You square the slacks, as LinearSVC does by default. The soft margin adds the slacks themselves.",
            f"Read “{_LOSSES}” again: it plots the hinge loss.",
            _P + "print(P(0.0, 0.5, 1.0))   # should print 4: the slacks are 1.5, 1.5, 0.5, 0.5",
        ),
        Misconception(
            "not clipped",
            _with(loss=lambda m: 1.0 - m),
            "You do not clip the slacks at 0, so points outside the margin reduce the objective. A slack is max(0, 1 - y f).",
            f"Read “{_PRICE}” again, step 2: (u)₊ = max(u, 0).",
            _P + "print(P(4.0, -6.0, 1.0))   # should print 4²/2 = 8: all points are outside the margin",
        ),
        Misconception(
            "labels forgotten",
            _with(labels=False),
            "You leave out the labels in the slacks. The constraint is y f ≥ 1 - ξ, so a slack is max(0, 1 - y f).",
            f"Read “{_PRICE}” again: (1) contains y_i f(x_i).",
            _P + "print(P(2.0, -3.0, 0.5))   # should print 2: all slacks are 0",
        ),
        Misconception(
            "no C",
            Changed(svm_primal, lambda w, b, X, y, C: (w, b, X, y, 1.0)),
            "You leave out C. The objective is ½‖w‖² + C Σ ξ_i.",
            f"{_SUM} contains C.",
            _P + "print(P(0.0, 0.0, 3.0) / P(0.0, 0.0, 1.0))   # should print 3",
        ),
        Misconception(
            "half before both terms",
            Changed(svm_primal, lambda w, b, X, y, C: (w, b, X, y, C / 2)),
            "You also multiply the slacks by ½. Only ‖w‖² has the factor ½. The objective is ½‖w‖² + C Σ ξ_i.",
            f"{_SUM} has no factor beside C in the second term.",
            _P + "print(P(0.0, 0.0, 2.0))   # should print 2·4 = 8: four slacks of 1",
        ),
        Misconception(
            "C before both terms",
            lambda w, b, X, y, C: C * _objective(w, b, X, y, 1.0),
            "You also multiply ½‖w‖² by C. Only the slacks have the factor C. The objective is ½‖w‖² + C Σ ξ_i.",
            f"{_SUM} has no C in the first term.",
            _P + "print(P(4.0, -6.0, 0.25))   # should print 4²/2 = 8: all slacks are 0",
        ),
        Misconception(
            "slack divided by the norm",
            lambda w, b, X, y, C: _objective(w, b, X, y, C / np.sqrt(w @ w)),
            "You divide the slacks by ‖w‖, which turns them into distances. A slack is max(0, 1 - y f), so do not divide.",
            f"Read “{_PRICE}” again: a slack is not a distance.",
            _P + "print(P(0.5, -0.75, 4.0))   # should print 0.125 + 8: the slacks are 0.25, 0.75, 0.75, 0.25",
        ),
    ),
    observations=(
        Observation(
            "svm_primal returned a number below ½‖w‖². The slacks can only add to ½‖w‖².",
            lambda value, w, b, X, y, C: value.size == 1 and value.item() < 0.5 * w @ w * (1 - 1e-9),
        ),
    ),
    step=f"{_SUM} is ½‖w‖² plus C times the sum of (1 - y_i f(x_i))₊.",
    experiment=_P + "print(P(2.0, -3.5, 0.5))   # should print 2 + 0.5·0.5 = 2.25: y f is 3.5, 1.5, 0.5, 2.5",
    sizes=lambda w, b, X, y, C: {"n": len(y), "d": len(w), "C": C},
)  # fmt: skip


# -- 6.3


def margin_violators(f, y):
    """y f ≤ 1."""
    return y * f <= 1


def _values(rng, shapes, margin=0):
    """f and y of both classes with values of every kind, some close to the margin line; ``margin`` of them exactly on it."""
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
_RULE = f"Read “{_WHO}” again: the correct rule"

MARGIN_VIOLATORS = Exercise(
    name="margin_violators",
    chapter=CHAPTER,
    number="6.3",
    returns="True or False for each point, shape (n,)",
    reference=margin_violators,
    properties=(
        Property("finds the points inside the margin and on the wrong side", 2, lambda r: _values(r, (16, 14, 15))),
        Property(
            "includes the points exactly on the margin lines, in both classes",
            1,
            lambda r: _values(r, (14, 17), margin=3),
            hint="Your answer fails only at y f = 1, exactly on a margin line. Such a point of either class can have a multiplier "
            "above 0, so return True.",
        ),
    ),
    promises=(
        Promise("have values close to the margin line on both sides, and none on it", lambda f, y: (
            np.any((y * f > 0.9) & (y * f < 1)) and np.any((y * f > 1) & (y * f < 1.1)) and not np.any(y * f == 1))),
        Promise("have points of both classes exactly on the margin lines", lambda f, y: set(y[y * f == 1]) == {-1, 1}, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "|f| ≤ 1",
            lambda f, y: np.abs(f) <= 1,
            "You return |f| ≤ 1. That misses misclassified points with y f < -1, which have α = C. Compare y f with 1.",
            f"{_RULE} contains the label.",
            _V + "print(who(4, 5))   # should print True True: y f = -1.6 and -2",
        ),
        Misconception(
            "on the margin line alone",
            lambda f, y: y * f == 1,
            "You return only points with y f = 1. Points with y f < 1 have the multiplier C, so include them.",
            f"Read “{_CASES}” again, step 4: it has a third case.",
            _V + "print(who(2, 3))   # should print True True: y f = 0.4 and -0.3",
        ),
        Misconception(
            "misclassified points alone",
            lambda f, y: y * f <= 0,
            "You return only misclassified points. A point inside the margin on its correct side also has α = C, so include it.",
            f"Read “{_CASES}” again, step 4: the third case is y f ≤ 1.",
            _V + "print(who(2))   # should print True: y f = 0.4 is inside the margin",
        ),
        Misconception(
            "margin line left out",
            lambda f, y: y * f < 1,
            "You leave out y f = 1. Free support vectors lie exactly there, so include y f = 1.",
            f"Read “{_CASES}” again, step 4: the second case has y f = 1.",
            _V + "print(who(1, 6))   # should print True True: both are exactly on a margin line",
        ),
        Misconception(
            "labels forgotten",
            lambda f, y: f <= 1,
            "You compare f with 1. A point of class -1 is outside the margin if f < -1, so compare y f with 1.",
            f"{_RULE} uses the label.",
            _V + "print(who(5))   # should print True: f = 2 with y = -1",
        ),
        Misconception(
            "points outside the margin",
            lambda f, y: y * f >= 1,
            "You return True for y f ≥ 1. Return True if the multiplier can be above 0, that is, if y f ≤ 1.",
            f"Read “{_CASES}” again, step 4: α = 0 goes with y f ≥ 1.",
            _V + "print(who(0, 3))   # should print False True: y f = 1.7 and -0.3",
        ),
        Misconception(
            "reversed",
            lambda f, y: y * f > 1,
            "You return True for y f > 1, where α = 0. Return True for y f ≤ 1.",
            f"Read “{_CASES}” again, step 4: y f > 1 requires α = 0.",
            _V + "print(who(0, 2))   # should print False True: y f = 1.7 and 0.4",
        ),
        Misconception(
            "inside |f| < 1",
            lambda f, y: np.abs(f) < 1,
            "You return |f| < 1. That misses points with y f = 1 and misclassified points with y f ≤ -1. Return y f ≤ 1.",
            f"{_RULE} contains the label.",
            _V + "print(who(1, 4))   # should print True True: y f = 1 and -1.6",
        ),
        Misconception(
            "misclassified points left out",
            lambda f, y: (y * f <= 1) & (y * f >= 0),
            "You leave out the misclassified points. They violate the margin and have α = C, so include every y f ≤ 1.",
            f"Read “{_CASES}” again, step 4: y f ≤ 1 has no lower bound.",
            _V + "print(who(3, 4, 5))   # should print True True True: all three are misclassified",
        ),
        Misconception(
            "slacks returned",
            lambda f, y: np.maximum(0.0, 1.0 - y * f),
            "You return the slacks. Return True or False. Return True also for y f = 1, where the slack is 0.",
            f"{_RULE} is a comparison of y f with 1.",
            _V + "print(who(1, 2))   # should print True True: y f = 1 and 0.4",
        ),
        Misconception(
            "plus and minus one",
            lambda f, y: np.where(y * f <= 1, 1, -1),
            "You return 1 and -1. Return True and False, or 1 and 0.",
            f"{_RULE} is a comparison, with the values True and False.",
            _V + "print(who(0))   # should print False: y f = 1.7",
        ),
        Misconception(
            "f ≤ y",
            lambda f, y: f <= y,
            "You compare f with the label. For class -1 the margin line has f = -1, and points with f < -1 are outside. Return y f ≤ 1.",
            f"{_RULE} compares y f with 1.",
            _V + "print(who(5, 1))   # should print True True: f = 2 with y = -1, f = 1 with y = 1",
        ),
    ),
    step=f"{_RULE} follows from the three cases of step 4 in “{_CASES}”.",
    experiment=_V + "print(who(*range(7)))   # should print False, then six times True",
    sizes=lambda f, y: {"n": len(y)},
)  # fmt: skip
