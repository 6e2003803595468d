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
_FAR = "The signed distance from a plane"

SIGNED_DISTANCE = Exercise(
    name="signed_distance",
    chapter=CHAPTER,
    number="5.1",
    returns="the signed distances, shape (n,)",
    reference=signed_distance,
    properties=(
        Property("gives the distance from the plane, with a sign", 2, _planes),
        Property(
            "also does so for a single point",
            1,
            lambda r: [(X, s * w, s * b) for (X, w, b), s in _sides(r)],
            hint="Your answer fails only for a single point, where the result must have shape (1,). Do not use `np.squeeze` or a "
            "product that returns one number.",
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
            "You return wᵀx + b, which depends on the scale of (w, b). Divide it by ‖w‖ to get a distance.",
            f"Read “{_FAR}” again: equation (1) divides by ‖w‖.",
            _D + "print(at([1, 1]), at([1, 1], w=(6.0, 8.0), b=10.0))   # should be equal: both describe the same line",
        ),
        Misconception(
            "b alone divided",
            lambda X, w, b: X @ w + b / np.linalg.norm(w),
            "You divide only b by ‖w‖. Divide the whole sum, (wᵀx + b)/‖w‖.",
            f"Read “{_FAR}” again: equation (1) divides the whole sum.",
            _D + "print(at([3, 4], b=0.0))   # should print 5: the line passes through 0",
        ),
        Misconception(
            "absolute value",
            lambda X, w, b: np.abs(X @ w + b) / np.linalg.norm(w),
            "You return the distance without its sign, so both sides get the same value. Do not take the absolute value.",
            f"Read “{_FAR}” again: the sign of (1) gives the side.",
            _D + "print(at([-3, -4]))   # should be negative: w points to the other side",
        ),
        Misconception(
            "norm squared",
            lambda X, w, b: (X @ w + b) / (w @ w),
            "You divide by ‖w‖². The step to the plane is t·w with the length |t|·‖w‖, so divide by ‖w‖.",
            f"Read “{_FAR}” again: the step to the plane is a multiple of w.",
            _D + "print(at([0, 0]))   # should print 1, which is 5/5",
        ),
        Misconception(
            "b not divided",
            lambda X, w, b: X @ w / np.linalg.norm(w) + b,
            "You divide only wᵀx by ‖w‖. Divide the whole sum, (wᵀx + b)/‖w‖.",
            f"Read “{_FAR}” again: equation (1) divides the whole sum by ‖w‖.",
            _D + "print(at([-3, 1]))   # should print 0: the point lies on the line",
        ),
        Misconception(
            "b in the norm",
            lambda X, w, b: (X @ w + b) / np.sqrt(w @ w + b * b),
            "You include b in the norm. The distance depends on the length of w alone, so divide by ‖w‖.",
            f"Read “{_FAR}” again: ‖w‖ is the length of w, without b.",
            _D + "print(at([0, 0], b=10.0) / at([0, 0]))   # should print 2: the line is twice as far away",
        ),
        Misconception(
            "b with the other sign",
            Changed(signed_distance, lambda X, w, b: (X, w, -b)),
            "You subtract b. The plane is wᵀx + b = 0, so add b.",
            f"Read “{_FAR}” again: f(x) = wᵀx + b.",
            _D + "print(at([-3, 1]), '= 0, because the point lies on the line')",
        ),
        Misconception(
            "b forgotten",
            Changed(signed_distance, lambda X, w, b: (X, w, 0.0)),
            "You leave out b, so you measure from the parallel plane through the origin. Use wᵀx + b.",
            f"Read “{_FAR}” again: f(x) = wᵀx + b.",
            _D + "print(at([0, 0]))   # should print 1: the distance of the origin from this line",
        ),
        Misconception(
            "sum of absolute values for the norm",
            lambda X, w, b: (X @ w + b) / np.abs(w).sum(),
            "You divide by Σ|w_j|. The length of w is √(Σw_j²), so divide by the Euclidean norm.",
            f"Read “{_FAR}” again: ‖w‖ is the Euclidean length.",
            _D + "print(at([3, 4]) - at([0, 0]))   # should print 5: the step is 5 long, along w",
        ),
        Misconception(
            "divided by the length of the point",
            lambda X, w, b: (X @ w + b) / np.linalg.norm(X, axis=1),
            "You divide by ‖x‖, the distance of the point from the origin. Divide by ‖w‖.",
            f"Read “{_FAR}” again: equation (1) divides by ‖w‖.",
            _D + "print(at([3, 4]), at([6, 8]))   # should print 6, 11",
        ),
        Misconception(
            "multiplied by the norm",
            lambda X, w, b: (X @ w + b) * np.linalg.norm(w),
            "You multiply by ‖w‖. A longer w makes f steeper but does not move the plane, so divide by ‖w‖.",
            f"Read “{_FAR}” again: equation (1) divides by ‖w‖.",
            _D + "print(at([0, 0]), at([0, 0], w=(30.0, 40.0), b=50.0))   # should print 1, 1: one line in two scales",
        ),
    ),
    step=f"Read “{_FAR}” again: use equation (1).",
    experiment=_D + "print(at([0, 0]), at([-3, 1]), at([-3, -4]))   # should print 1, 0 and -4",
    sizes=lambda X, w, b: {"n": len(X), "d": X.shape[1], "‖w‖": float(np.linalg.norm(w))},
)  # fmt: skip


# -- 5.2


def canonical(w, b, X, y):
    """(w, b) divided by the smallest y f(x)."""
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
_SCALE = "The canonical form of a plane"

CANONICAL = Exercise(
    name="canonical",
    chapter=CHAPTER,
    number="5.2",
    returns="w and b in canonical scale, `return w, b`, of shape (d,) and one number",
    reference=canonical,
    properties=(
        Property("scales (w, b) so that the nearest point has y f(x) = 1", 2, lambda r: [
            _separated(r, 2, 6, -1.0, r.uniform(1.5, 3)), _separated(r, 3, 7, 1.0, r.uniform(1.5, 3)),
            _separated(r, 4, 5, -1.0, r.uniform(1.5, 3))]),
        Property(
            "also does so if the nearest point has y f(x) below 1",
            1,
            lambda r: [_separated(r, 2, 5, 1.0, r.uniform(0.1, 0.2)), _separated(r, 3, 6, -1.0, r.uniform(0.1, 0.2))],
            hint="Your answer fails only if the nearest point has y f(x) below 1. This point is still on its correct side, where "
            "y f(x) > 0. The scaled (w, b) must then be longer.",
        ),
    ),
    promises=(
        Promise("have a nearest point, and no second one", lambda w, b, X, y: (
            np.divide(*np.sort(y * (X @ w + b))[:2]) < 0.8), of=(0, 1)),
        Promise("have all y f above 1", lambda w, b, X, y: (y * (X @ w + b)).min() > 1.3),
        Promise("have the smallest y f below 1", lambda w, b, X, y: 0 < (y * (X @ w + b)).min() < 0.3, of=(1,)),
        Promise("have a nearest point of either class", lambda found: (
            {y[(y * (X @ w + b)).argmin()] for w, b, X, y in found} == {-1, 1}), (0, 1), together=True),
    ),
    misconceptions=(
        Misconception(
            "unit norm",
            lambda w, b, X, y: _over(np.linalg.norm(w), w, b),
            "You scale to ‖w‖ = 1. In the canonical form the nearest point has y f(x) = 1, so divide by the smallest y f(x).",
            f"Read “{_SCALE}” again: (2) says what is set to 1.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint((y * (X @ w + b)).min())   # should print 1",
        ),
        Misconception(
            "w alone scaled",
            lambda w, b, X, y: np.append(w / np.min(y * (X @ w + b)), b),
            "You scale w but not b, which shifts the plane. Divide both by the same number.",
            f"Read “{_SCALE}” again: w and b are scaled together.",
            _C + "w, b = canonical(np.array([2.0, 0]), 1.0, X, y)\nprint(b / w[0])   # should print 0.5: the line stays at x₁ = -0.5",
        ),
        Misconception(
            "mean for the minimum",
            lambda w, b, X, y: _over(np.mean(y * (X @ w + b)), w, b),
            "You divide by the mean of y f(x). Divide by the minimum, because the nearest point gets the value 1.",
            f"Read “{_SCALE}” again: (2) contains a minimum.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(y * (X @ w + b))   # should all be at least 1",
        ),
        Misconception(
            "maximum for the minimum",
            lambda w, b, X, y: _over(np.max(y * (X @ w + b)), w, b),
            "You divide by the maximum of y f(x), which belongs to the farthest point. Divide by the minimum.",
            f"Read “{_SCALE}” again: (2) uses the nearest point.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(y * (X @ w + b))   # the smallest should be 1, not the largest",
        ),
        Misconception(
            "positive class alone",
            lambda w, b, X, y: _over(np.min(np.abs((X @ w + b)[y > 0])), w, b),
            "You take the minimum over class +1 only. The nearest point may be of class -1, so use all points.",
            f"Read “{_SCALE}” again: the minimum in (2) is over all points.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(X[2] @ w + b)   # should print -1: the nearest point is of class -1",
        ),
        Misconception(
            "negative class alone",
            lambda w, b, X, y: _over(np.min(np.abs((X @ w + b)[y < 0])), w, b),
            "You take the minimum over class -1 only. The nearest point may be of class +1, so use all points.",
            f"Read “{_SCALE}” again: the minimum in (2) is over both classes.",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, -X, -y)\nprint(-X[2] @ w + b)   # should print 1: the nearest point is of class +1",
        ),
        Misconception(
            "labels forgotten",
            lambda w, b, X, y: _over(np.min(X @ w + b), w, b),
            "You take the minimum of f(x), which belongs to the farthest point of class -1. Take the minimum of y f(x).",
            f"Read “{_SCALE}” again: (2) contains y f(x).",
            _C + "w, b = canonical(np.array([2.0, 0]), 0.0, X, y)\nprint(w[0])   # should be positive: w keeps its direction",
        ),
        Misconception(
            "distance for y f",
            lambda w, b, X, y: _over(np.min(y * (X @ w + b)) / np.linalg.norm(w), w, b),
            "You divide by the distance of the nearest point, y f(x)/‖w‖. Divide by y f(x), which must become 1.",
            f"Read “{_SCALE}” again: the 1 in (2) is a value of y f(x), not a length.",
            _C + "w, b = canonical(np.array([4.0, 0]), 0.0, X, y)\nprint(w[0])   # should print 0.5: the nearest point has 2·w₁ = 1",
        ),
        Misconception(
            "b left out of the margins",
            lambda w, b, X, y: _over(np.min(y * (X @ w)), w, b),
            "You take the minimum of y wᵀx. The function is f(x) = wᵀx + b, so include b.",
            f"Read “{_SCALE}” again: (2) contains wᵀx + b.",
            _C + "w, b = canonical(np.array([2.0, 0]), 1.0, X, y)\nprint((y * (X @ w + b)).min(), '= 1 with b included')",
        ),
        Misconception(
            "multiplied instead of divided",
            lambda w, b, X, y: _over(1 / np.min(y * (X @ w + b)), w, b),
            "You multiply by the smallest y f(x). Divide by it, so that it becomes 1.",
            f"Read “{_SCALE}” again: (2) sets the minimum to 1.",
            _C + "w, b = canonical(np.array([1.0, 0]), 0.0, X, y)\nprint(w[0])   # should print 0.5: the nearest point had y f = 2",
        ),
    ),
    observations=(right_w_wrong_b("canonical", canonical),),
    step=f"Read “{_SCALE}” again: use equation (2).",
    experiment=_C + "print(canonical(np.array([2.0, 2.0]), 0.0, X, y))   # should print [0.5, 0.5] and 0: y f is 6, 12, 4",
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
_PRIMAL = "The primal: the largest margin"

MARGIN_WIDTH = Exercise(
    name="margin_width",
    chapter=CHAPTER,
    number="5.5",
    returns="the full width of the margin, one number",
    reference=margin_width,
    properties=(
        Property("is the distance between the margin lines, in any dimension", 2, lambda r: [(_long(r, d),) for d in (2, 3, 5, 4)]),
    ),
    misconceptions=(
        Misconception(
            "half width",
            lambda w: 1 / np.linalg.norm(w),
            "You return the distance from the plane to one margin line. Return the distance between the two lines, which is twice as long.",
            f"Read “{_PRIMAL}” again: each margin line is at the distance 1/‖w‖.",
            _W + "print(width(1.0, 0.0))   # should print 2: from x₁ = -1 to x₁ = 1",
        ),
        Misconception(
            "norm squared",
            lambda w: 2 / (w @ w),
            "You divide by ‖w‖². A distance divides by the length ‖w‖, so take the square root.",
            f"Read “{_PRIMAL}” again: the width in (3) contains ‖w‖.",
            _W + "print(width(2.0, 0.0))   # should print 1: from x₁ = -1/2 to x₁ = 1/2",
        ),
        Misconception(
            "upside down",
            lambda w: np.linalg.norm(w) / 2,
            "You return ‖w‖/2, which is 1 divided by the width. A longer w means a smaller margin, so return 2/‖w‖.",
            f"Read “{_PRIMAL}” again: a wide margin needs a short w.",
            _W + "print(width(4.0, 0.0) < width(1.0, 0.0))   # should print True",
        ),
        Misconception(
            "sum of absolute values for the norm",
            lambda w: 2 / np.abs(w).sum(),
            "You divide by Σ|w_j|. The length of w is √(Σw_j²), so divide by the Euclidean norm.",
            f"Read “{_PRIMAL}” again: ‖w‖ is the Euclidean length.",
            _W + "print(width(3.0, 4.0))   # should print 0.4, which is 2/5",
        ),
        Misconception(
            "largest entry for the norm",
            lambda w: 2 / np.abs(w).max(),
            "You divide by the largest entry of w. The length of w is √(Σw_j²), so divide by the Euclidean norm.",
            f"Read “{_PRIMAL}” again: ‖w‖ contains all entries of w.",
            _W + "print(width(3.0, 4.0), '= 2/5, because (3, 4) has the length 5')",
        ),
        Misconception(
            "multiplied by the norm",
            lambda w: 2 * np.linalg.norm(w),
            "You multiply by ‖w‖. A longer w means a smaller margin, so divide by ‖w‖.",
            f"Read “{_PRIMAL}” again: the width in (3) is a quotient.",
            _W + "print(width(0.5, 0.0))   # should print 4: from x₁ = -2 to x₁ = 2",
        ),
    ),
    step=f"Read “{_PRIMAL}” again: use the width in (3).",
    experiment=_W + "print(width(0.6, 0.8), width(3.0, 4.0))   # should print 2 and 2/5",
    sizes=lambda w: {"d": len(w), "‖w‖": float(np.linalg.norm(w))},
)  # fmt: skip
