"""Exercises of chapter 7, first part: properties, right answers, and the mistakes that have a name."""

from __future__ import annotations

from math import comb

import numpy as np

from kcourse.chapters.ch07a_rbf_interpolation.plate import THIN_PLATE
from kcourse.chapters.ch07a_rbf_interpolation.solve import GENERALIZED_WEIGHTS, INTERPOLATION, RBF_INTERPOLATE
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property

__all__ = ["COVER_COUNT", "EXERCISES"]


def cover_count(n, d):
    """2 Σ_{k<d} C(n - 1, k)."""
    return 2 * sum(comb(n - 1, k) for k in range(d))


def _from_no_point(n, d):
    """The recursion from C(0, d) = 1 and C(0, 0) = 0."""
    return sum(comb(n, k) for k in range(d))


def _edge(one_dimension):
    """The recursion with another C(n, 1), but for C(1, d) = 2."""

    def wrong(n, d):
        if n == 1:
            return 2
        return one_dimension(n) if d == 1 else wrong(n - 1, d) + wrong(n - 1, d - 1)

    return wrong


def _sizes(rng):
    """More points than dimensions, once by one; together they tell any two mistakes apart."""
    many = [(int(rng.integers(2 * d, 2 * d + 4)), d) for d in (3, 4, int(rng.integers(5, 8)))]
    d = int(rng.integers(3, 8))
    return [*many, (d + 1, d)]


def _few(rng):
    """No more points than dimensions."""
    d = int(rng.integers(6, 9))
    return [(d, d), (int(rng.integers(3, d)), d)]


_C = "print(cover_count("
_LUCK = "How lucky were we?"

COVER_COUNT = Exercise(
    name="cover_count",
    chapter="ch07a_rbf_interpolation",
    number="7a.2",
    returns="the number of labellings, a whole number",
    reference=cover_count,
    properties=(
        Property("counts the labellings of more points than dimensions", 2, _sizes),
        Property(
            "counts all of them where there are no more points than dimensions",
            1,
            _few,
            hint="Your answer fails only when n is at most d. There every labelling can be made, and the count is 2 to the power n; "
            "binomial coefficients whose lower number is the larger one are 0.",
        ),
    ),
    promises=(
        Promise("have more points than dimensions", lambda n, d: n > d),
        Promise("have no more points than dimensions", lambda n, d: n <= d, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "one term too many",
            Changed(cover_count, lambda n, d: (n, d + 1)),
            "You count for one dimension too many, as if there were a bias: the sum in (3) ends at k = d - 1. In a recursion the edge is off, "
            "and C(n, 1) must be 2, C(n, 0) must be 0.",
            f"Read “{_LUCK}” again: the upper end of the sum in (3), and the edges of (2).",
            _C + "5, 1))   # on a line, sides of 0: should print 2",
        ),
        Misconception(
            "one term too few",
            Changed(cover_count, lambda n, d: (n, d - 1)),
            "Your sum has one term too few: d dimensions are d terms, k from 0 to d - 1.",
            f"Read “{_LUCK}” again: (3), and its example with four points.",
            _C + "2, 2))   # two points of the plane: should print 4",
        ),
        Misconception(
            "no factor 2",
            lambda n, d: cover_count(n, d) // 2,
            "The factor 2 is missing: with each labelling its opposite is made, too, by the same hyperplane turned round.",
            f"Read “{_LUCK}” again: C(1, d) in (2).",
            _C + "1, 3))   # one point has two labels: should print 2",
        ),
        Misconception(
            "n for n - 1",
            Changed(cover_count, lambda n, d: (n + 1, d)),
            "You count for one point too many: the binomial coefficients choose from n - 1, as the first point only gives the factor 2. A loop "
            "begins with one point and takes n - 1 turns.",
            f"Read “{_LUCK}” again: the upper number of the binomial coefficients in (3).",
            _C + "3, 2))   # three lines through 0 in the plane, each with two sides: should print 6",
        ),
        Misconception(
            "one point too few",
            Changed(cover_count, lambda n, d: (n - 1, d)),
            "You count for one point too few: the binomial coefficients choose from n - 1, not n - 2. A loop that begins with one point "
            "takes n - 1 turns.",
            f"Read “{_LUCK}” again: the upper number of the binomial coefficients in (3), and C(1, d) in (2).",
            _C + "2, 3))   # two points, two labels each: should print 4",
        ),
        Misconception(
            "all labellings",
            lambda n, d: 2**n,
            "You count all labellings; a hyperplane makes them all only while n is at most d. In a recursion: a new point doubles a labelling "
            "only where a hyperplane passes through it, which leaves d - 1 dimensions.",
            f"Read “{_LUCK}” again: the example with four points, where two are missing.",
            _C + "4, 3))   # all but the two XORs: should print 14",
        ),
        Misconception(
            "all up to n = d + 1",
            lambda n, d: 2**n if n <= d + 1 else cover_count(n, d),
            "You count all labellings up to n = d + 1. That is so for hyperplanes with a bias; through 0 two are missing there already.",
            f"Read “{_LUCK}” again: a bias is one dimension more.",
            _C + "5, 4))   # five points of four dimensions, all but two: should print 30",
        ),
        Misconception(
            "the probability",
            lambda n, d: cover_count(n, d) / 2**n,
            "You return the probability that random labels are separable; asked is how many of them are.",
            f"Read “{_LUCK}” again: (3) before it is divided.",
            _C + "10, 5) >= 1)   # a count: should print True",
        ),
        Misconception(
            "one binomial coefficient",
            lambda n, d: 2 * comb(n - 1, d - 1),
            "You return the last term alone; (3) adds up d of them.",
            f"Read “{_LUCK}” again: the sum in (3).",
            _C + "6, 2))   # six lines through 0: should print 12",
        ),
        Misconception(
            "begins at k = 1",
            lambda n, d: cover_count(n, d) - 2,
            "Your sum begins at k = 1; the term k = 0 is the labelling with all points on one side, and its opposite.",
            f"Read “{_LUCK}” again: the lower end of the sum in (3).",
            _C + "7, 1), 'should print 2: all on one side, or all on the other')",
        ),
        Misconception(
            "points and dimensions swapped",
            Changed(cover_count, lambda n, d: (d, n)),
            "You have taken the number of points for the number of dimensions and the other way round.",
            f"Read “{_LUCK}” again: in C(n, d) the points come first.",
            _C + "7, 2))   # seven points in the plane: should print 14",
        ),
        Misconception(
            "begins with no point",
            _from_no_point,
            "Your recursion begins with no point, one labelling, but for d = 0. Begin with one point, which has two labellings in any "
            "dimension; or let C(0, 0) be 1 as well.",
            f"Read “{_LUCK}” again: C(1, d) = 2 in (2), and where it begins.",
            _C + "8, 1))   # eight points of a line: should print 2",
        ),
        Misconception(
            "C(n, 1) is n",
            _edge(lambda n: n),
            "In your recursion n points of a line have n labellings. A hyperplane through 0 is the point 0 there, and it has two sides.",
            f"Read “{_LUCK}” again: the edges of (2), and that hyperplanes pass through 0.",
            _C + "9, 1))   # nine points of a line: should print 2",
        ),
        Misconception(
            "C(n, 0) is 1",
            _edge(lambda n: n + 1),
            "You count as if there were one labelling without dimensions, C(n, 0) = 1; it must be 0, so that C(n, 1) stays 2. In a sum: you add up "
            "binomials of n where (3) has twice those of n - 1.",
            f"Read “{_LUCK}” again: C(n, 1) in (2), and what the recursion makes of it; or the upper number in (3).",
            _C + "6, 1))   # a new point of a line is passed through by nothing: should print 2",
        ),
    ),
    step=f"Read “{_LUCK}” again: the recursion (2) with its edges, or the sum (3).",
    experiment=_C + "4, 3), cover_count(2, 3), cover_count(5, 1))   # should print 14, 4 and 2",
    sizes=lambda n, d: {"n": n, "d": d},
    observations=(
        Observation(
            "There are fewer than so many labellings in all, 2 to the power n.",
            lambda value, n, d: np.all(value > 2**n),
        ),
        Observation(
            "The count is odd; but with every labelling its opposite can be made, too.",
            lambda value, n, d: bool(np.all(value == np.round(value)) and np.all(value % 2 == 1)),
        ),
    ),
    refused=INTERPOLATION,
)  # fmt: skip

EXERCISES = (RBF_INTERPOLATE, COVER_COUNT, GENERALIZED_WEIGHTS, THIN_PLATE)
