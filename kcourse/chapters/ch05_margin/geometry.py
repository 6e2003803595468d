"""Exercises 5.1, 5.2 and 5.5: distance, scale and width."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch05_margin.common import CHAPTER, USE, flat, pair, right_w_wrong_b
from kcourse.checks.spec import Changed, Exercise, Misconception, Promise, Property

__all__ = ["CANONICAL", "MARGIN_WIDTH", "SIGNED_DISTANCE"]


# -- 5.1


def signed_distance(X, w, b):
    """(wᵀx + b)/‖w‖ for each row x."""
    return (X @ w + b) / np.linalg.norm(w)


def _long(rng, d):
    """A vector whose length is not near 1."""
    w = rng.normal(size=d)
    return rng.uniform(1.4, 3.0) * w / np.linalg.norm(w)


def _planes(rng, sizes=((5, 2), (7, 3), (4, 5))):
    return [
        (2 * rng.normal(size=(n, d)), _long(rng, d), float(rng.uniform(0.8, 3.0) * s))
        for (n, d), s in zip(sizes, rng.permutation([1, -1, 1])[: len(sizes)], strict=True)
    ]


def _sides(rng):
    """Single points, and a sign that puts one of them on either side."""
    found = _planes(rng, ((1, 3), (1, 4)))
    return [(case, side * np.sign(signed_distance(*case)[0])) for case, side in zip(found, (-1, 1), strict=True)]


_D = USE + "def at(x, w=(3.0, 4.0), b=5.0):   # the norm of w is 5\n" \
    "    return signed_distance(np.array([x], dtype=float), np.array(w), b)[0]\n"  # fmt: skip
_FAR = "How far is a point from a line?"

SIGNED_DISTANCE = Exercise(
    name="signed_distance",
    chapter=CHAPTER,
    number="5.1",
    returns="the signed distances, shape (n,)",
    reference=signed_distance,
    properties=(
        Property("measures from the plane, with a sign", 2, _planes),
        Property(
            "does so for a single point, too",
            1,
            lambda r: [(X, s * w, s * b) for (X, w, b), s in _sides(r)],
            hint="Your answer fails only for a single point: what comes back must have shape (1,) then. A squeeze, or a "
            "product that gives a bare number, loses it.",
        ),
    ),
    promises=(
        Promise("have b on either side of 0", lambda found: {b > 0 for *_, b in found} == {True, False}, together=True),
        Promise("are single points, one on either side", lambda found: (
            [np.sign(signed_distance(*args)).tolist() for args in found] == [[-1.0], [1.0]]), (1,), together=True),
    ),
    misconceptions=(
        Misconception(
            "no norm",
            lambda X, w, b: X @ w + b,
            "You return wᵀx + b itself: it doubles when (w, b) does, and the plane stays where it is.",
            f"Read “{_FAR}” again: equation (1) divides by ‖w‖.",
            _D + "print(at([1, 1]), at([1, 1], w=(6.0, 8.0), b=10.0))   # the same line written twice: should be equal",
        ),
        Misconception(
            "b alone divided",
            lambda X, w, b: X @ w + b / np.linalg.norm(w),
            "Only b is divided by ‖w‖: the bracket in (1) is around all of wᵀx + b.",
            f"Read “{_FAR}” again: equation (1).",
            _D + "print(at([3, 4], b=0.0))   # the plane passes the origin, and the point is 5 away along w: should print 5",
        ),
        Misconception(
            "absolute value",
            lambda X, w, b: np.abs(X @ w + b) / np.linalg.norm(w),
            "You return the distance without its sign, so that the two sides look alike.",
            f"Read “{_FAR}” again: (1) has a sign, and the side is in it.",
            _D + "print(at([-3, -4]))   # on the side that w points away from: should be negative",
        ),
        Misconception(
            "norm squared",
            lambda X, w, b: (X @ w + b) / (w @ w),
            "You divide by ‖w‖²; that is how many w lead to the plane, not how far it is.",
            f"Read “{_FAR}” again: the step to the plane is t·w, and its length is t‖w‖.",
            _D + "print(at([0, 0]))   # 5 over 5: should print 1",
        ),
        Misconception(
            "b not divided",
            lambda X, w, b: X @ w / np.linalg.norm(w) + b,
            "Only wᵀx is divided by ‖w‖, b is added as it is: a bracket is missing.",
            f"Read “{_FAR}” again: all of wᵀx + b stands above ‖w‖ in (1).",
            _D + "print(at([-3, 1]))   # 3·(-3) + 4·1 + 5 = 0, a point of the line: should print 0",
        ),
        Misconception(
            "b in the norm",
            lambda X, w, b: (X @ w + b) / np.sqrt(w @ w + b * b),
            "Your norm includes b; b moves the plane and does not turn it.",
            f"Read “{_FAR}” again: ‖w‖ is the length of w alone.",
            _D + "print(at([0, 0], b=10.0) / at([0, 0]))   # twice as far from the line: should print 2",
        ),
        Misconception(
            "b with the other sign",
            Changed(signed_distance, lambda X, w, b: (X, w, -b)),
            "You subtract b; the plane is wᵀx + b = 0.",
            f"Read “{_FAR}” again: f(x) = wᵀx + b.",
            _D + "print(at([-3, 1]), 'should print 0: the point lies on the line')",
        ),
        Misconception(
            "b forgotten",
            Changed(signed_distance, lambda X, w, b: (X, w, 0.0)),
            "b does not occur: you measure from the parallel plane through the origin.",
            f"Read “{_FAR}” again: f(x) = wᵀx + b.",
            _D + "print(at([0, 0]), 'the origin is 1 away from this line')",
        ),
        Misconception(
            "sum of absolute values for the norm",
            lambda X, w, b: (X @ w + b) / np.abs(w).sum(),
            "You divide by Σ|w_j|; the length of w is the root of Σw_j².",
            f"Read “{_FAR}” again: ‖w‖ is the Euclidean length.",
            _D + "print(at([3, 4]) - at([0, 0]))   # 5 along w, which has the direction (3, 4): should print 5",
        ),
        Misconception(
            "divided by the length of the point",
            lambda X, w, b: (X @ w + b) / np.linalg.norm(X, axis=1),
            "You divide by ‖x‖, the distance of the point to the origin; it is the length of w that has to go.",
            f"Read “{_FAR}” again: equation (1).",
            _D + "print(at([3, 4]), at([6, 8]))   # five further along w: should print 6, 11",
        ),
        Misconception(
            "multiplied by the norm",
            lambda X, w, b: (X @ w + b) * np.linalg.norm(w),
            "You multiply by ‖w‖ where (1) divides.",
            f"Read “{_FAR}” again: a longer w makes f steeper, and the points no further.",
            _D + "print(at([0, 0]), at([0, 0], w=(30.0, 40.0), b=50.0))   # one line in two scales: 1 and 1",
        ),
    ),
    step=f"Read “{_FAR}” again: equation (1).",
    experiment=_D + "print(at([0, 0]), at([-3, 1]), at([-3, -4]))   # should print 1, 0 and -4",
    sizes=lambda X, w, b: {"n": len(X), "d": X.shape[1], "‖w‖": float(np.linalg.norm(w))},
)  # fmt: skip


# -- 5.2


def canonical(w, b, X, y):
    """(w, b) over the least y f(x)."""
    return _over(np.min(y * (X @ w + b)), w, b)


def _over(scale, w, b):
    return np.append(w, b) / scale


def _separated(rng, d, n, nearest, least):
    """(w, b, X, y) with y f ≥ ``least``, attained at a point of class ``nearest``."""
    w = _long(rng, d)
    b = float(rng.uniform(0.5, 2.0) * rng.choice([-1, 1]))
    y = rng.permutation(np.resize([-1.0, 1.0, nearest], n))
    at = least * rng.uniform(1.5, 4.0, n)
    at[rng.choice(np.flatnonzero(y == nearest))] = least
    X = rng.normal(size=(n, d))
    X += np.outer((y * at - X @ w - b) / (w @ w), w)
    return w, b, X, y


_C = USE + "X = np.array([[3.0, 0], [5, 1], [-2, 0]]); y = np.array([1, 1, -1])   # nearest to x₁ = 0: the last\n"
_SCALE = "A scale that is free"

CANONICAL = Exercise(
    name="canonical",
    chapter=CHAPTER,
    number="5.2",
    returns="w and b in canonical scale, `return w, b`, of shape (d,) and one number",
    reference=canonical,
    properties=(
        Property("gives the nearest point y f(x) = 1", 2, lambda r: [
            _separated(r, 2, 6, -1.0, r.uniform(1.5, 3)), _separated(r, 3, 7, 1.0, r.uniform(1.5, 3)),
            _separated(r, 4, 5, -1.0, r.uniform(1.5, 3))]),
        Property(
            "also where all points have to be moved up to 1",
            1,
            lambda r: [_separated(r, 2, 5, 1.0, r.uniform(0.1, 0.2)), _separated(r, 3, 6, -1.0, r.uniform(0.1, 0.2))],
            hint="Your answer fails only when the nearest point has y f(x) below 1. It is on its right side all the same, since that "
            "asks for y f(x) > 0; (w, b) has to become longer then.",
        ),
    ),
    promises=(
        Promise("have a nearest point, and no second one", lambda w, b, X, y: (
            np.divide(*np.sort(y * (X @ w + b))[:2]) < 0.8), of=(0, 1)),
        Promise("have all y f above 1", lambda w, b, X, y: (y * (X @ w + b)).min() > 1.3),
        Promise("have the least y f below 1", lambda w, b, X, y: 0 < (y * (X @ w + b)).min() < 0.3, of=(1,)),
        Promise("have a nearest point of either class", lambda found: (
            {y[(y * (X @ w + b)).argmin()] for w, b, X, y in found} == {-1, 1}), (0, 1), together=True),
    ),
    misconceptions=(
        Misconception(
            "unit norm",
            lambda w, b, X, y: _over(np.linalg.norm(w), w, b),
            "You make ‖w‖ = 1. That is a way to fix the scale, too, but another one: canonical is that the nearest point has y f(x) = 1.",
            f"Read “{_SCALE}” again: what is set to 1 in (2).",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint((y * (X @ w + b)).min())   # should print 1",
        ),
        Misconception(
            "w alone scaled",
            lambda w, b, X, y: np.append(w / np.min(y * (X @ w + b)), b),
            "You scale w and leave b: that is another plane, shifted.",
            f"Read “{_SCALE}” again: (w, b) is scaled as a pair.",
            _C + "w, b = canonical(np.array([2.0, 0]), 1.0, X, y)\nprint(b / w[0])   # the line must stay at x₁ = -0.5: ratio 0.5",
        ),
        Misconception(
            "mean for the least",
            lambda w, b, X, y: _over(np.mean(y * (X @ w + b)), w, b),
            "You divide by the mean of y f(x); it is the least that becomes 1.",
            f"Read “{_SCALE}” again: (2) has a minimum.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(y * (X @ w + b))   # none may be below 1",
        ),
        Misconception(
            "largest for the least",
            lambda w, b, X, y: _over(np.max(y * (X @ w + b)), w, b),
            "You divide by the largest y f(x), the point that is furthest away.",
            f"Read “{_SCALE}” again: it is the nearest point that counts.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(y * (X @ w + b), 'the smallest should be 1, not the largest')",
        ),
        Misconception(
            "positive class alone",
            lambda w, b, X, y: _over(np.min(np.abs((X @ w + b)[y > 0])), w, b),
            "You look for the nearest point among class +1 alone; the nearest of all may be of class -1.",
            f"Read “{_SCALE}” again: the minimum in (2) is over all points.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(X[2] @ w + b)   # the nearest, of class -1: should print -1",
        ),
        Misconception(
            "negative class alone",
            lambda w, b, X, y: _over(np.min(np.abs((X @ w + b)[y < 0])), w, b),
            "You look for the nearest point among class -1 alone; the nearest of all may be of class +1.",
            f"Read “{_SCALE}” again: the minimum in (2) is over both classes.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, -X, -y)\nprint(-X[2] @ w + b)   # the nearest, of class +1: should print 1",
        ),
        Misconception(
            "labels forgotten",
            lambda w, b, X, y: _over(np.min(X @ w + b), w, b),
            "The labels are missing: the least f(x) is that of the point furthest on the negative side.",
            f"Read “{_SCALE}” again: (2) is about y f(x).",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(w[0])   # w must keep its direction: positive",
        ),
        Misconception(
            "distance for y f",
            lambda w, b, X, y: _over(np.min(y * (X @ w + b)) / np.linalg.norm(w), w, b),
            "You divide by the distance of the nearest point, y f(x)/‖w‖; it is y f(x) that becomes 1.",
            f"Read “{_SCALE}” again: 1 is a value of y f and no length.",
            _C + "w, b = canonical(np.array([4.0, 0]), 0.0, X, y)\nprint(w[0])   # 2·w₁ = 1 at the nearest point: should print 0.5",
        ),
        Misconception(
            "b left out of the margins",
            lambda w, b, X, y: _over(np.min(y * (X @ w)), w, b),
            "You look for the least y wᵀx; f has b in it.",
            f"Read “{_SCALE}” again: (2) is about wᵀx + b.",
            _C + "w, b = canonical(np.array([2.0, 0]), 1.0, X, y)\nprint((y * (X @ w + b)).min(), 'should print 1, b included')",
        ),
        Misconception(
            "multiplied instead of divided",
            lambda w, b, X, y: _over(1 / np.min(y * (X @ w + b)), w, b),
            "You multiply by the least y f(x) where you should divide by it.",
            f"Read “{_SCALE}” again: what (2) divides by.",
            _C + "w, b = canonical(np.array([1.0, 0]), 0.0, X, y)\nprint(w[0])   # the nearest point had y f = 2: should print 0.5",
        ),
    ),
    observations=(right_w_wrong_b("canonical", canonical),),
    step=f"Read “{_SCALE}” again: equation (2).",
    experiment=_C + "print(canonical(np.array([2.0, 2.0]), 0.0, X, y))   # y f is 6, 12, 4: should print [0.5, 0.5] and 0",
    sizes=lambda w, b, X, y: {"n": len(y), "d": len(w), "‖w‖": float(np.linalg.norm(w))},
    view=flat,
    gives=pair,
    chained=True,
)  # fmt: skip


# -- 5.5


def margin_width(w):
    """2/‖w‖."""
    return float(2 / np.linalg.norm(w))


_W = USE + "def width(*w):\n    return margin_width(np.array(w))\n"
_PRIMAL = "The widest strip"

MARGIN_WIDTH = Exercise(
    name="margin_width",
    chapter=CHAPTER,
    number="5.5",
    returns="the width, one number",
    reference=margin_width,
    properties=(
        Property("is the width of the strip, in any dimension", 2, lambda r: [(_long(r, d),) for d in (2, 3, 5, 4)]),
    ),
    misconceptions=(
        Misconception(
            "half width",
            lambda w: 1 / np.linalg.norm(w),
            "You return the distance from the plane to one edge, half of the width.",
            f"Read “{_PRIMAL}” again: the strip reaches 1/‖w‖ to each side.",
            _W + "print(width(1.0, 0.0))   # from x₁ = -1 to x₁ = 1: should print 2",
        ),
        Misconception(
            "norm squared",
            lambda w: 2 / (w @ w),
            "You divide by ‖w‖²: the root is missing.",
            f"Read “{_PRIMAL}” again: a distance divides by the length of w.",
            _W + "print(width(2.0, 0.0))   # from x₁ = -1/2 to x₁ = 1/2: should print 1",
        ),
        Misconception(
            "upside down",
            lambda w: np.linalg.norm(w) / 2,
            "You return ‖w‖/2, one over the width: a long w means a narrow strip.",
            f"Read “{_PRIMAL}” again: why a wide strip wants a short w.",
            _W + "print(width(4.0, 0.0) < width(1.0, 0.0))   # should print True",
        ),
        Misconception(
            "sum of absolute values for the norm",
            lambda w: 2 / np.abs(w).sum(),
            "You divide by Σ|w_j|; the length of w is the root of Σw_j².",
            f"Read “{_PRIMAL}” again: ‖w‖ is the Euclidean length.",
            _W + "print(width(3.0, 4.0))   # 2/5: should print 0.4",
        ),
        Misconception(
            "largest entry for the norm",
            lambda w: 2 / np.abs(w).max(),
            "You divide by the largest entry of w; all of them make up its length.",
            f"Read “{_PRIMAL}” again: ‖w‖ is the root of the sum of all squares.",
            _W + "print(width(3.0, 4.0), 'should print 0.4, since the length of (3, 4) is 5')",
        ),
        Misconception(
            "multiplied by the norm",
            lambda w: 2 * np.linalg.norm(w),
            "You multiply by ‖w‖ where you should divide by it.",
            f"Read “{_PRIMAL}” again: the width in (3).",
            _W + "print(width(0.5, 0.0))   # from x₁ = -2 to x₁ = 2: should print 4",
        ),
    ),
    step=f"Read “{_PRIMAL}” again: the width in (3).",
    experiment=_W + "print(width(0.6, 0.8), width(3.0, 4.0))   # should print 2 and 2/5",
    sizes=lambda w: {"d": len(w), "‖w‖": float(np.linalg.norm(w))},
)  # fmt: skip
