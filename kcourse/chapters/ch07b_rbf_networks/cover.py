"""Exercise 7b.1: Cover's count."""

from __future__ import annotations

from math import comb

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property

__all__ = ["COVER_COUNT"]


def cover_count(n, d):
    """2 Σ_{k<d} C(n - 1, k)."""
    return 2 * sum(comb(n - 1, k) for k in range(d))


def _from_no_point(n, d):
    """The recursion from C(0, d) = 1 and C(0, 0) = 0."""
    return sum(comb(n, k) for k in range(d))


def _sizes(rng):
    """More points than dimensions, once by one. Together they tell any two mistakes apart."""
    many = [(int(rng.integers(2 * d, 2 * d + 4)), d) for d in (3, 4, int(rng.integers(5, 8)))]
    d = int(rng.integers(3, 8))
    return [*many, (d + 1, d)]


def _few(rng):
    """No more points than dimensions."""
    d = int(rng.integers(6, 9))
    return [(d, d), (int(rng.integers(3, d)), d)]


_C = "print(cover_count("
_COVER = "XOR and Cover's theorem"

COVER_COUNT = Exercise(
    name="cover_count",
    chapter=CHAPTER,
    number="7b.1",
    returns="the number of labellings, a whole number",
    reference=cover_count,
    properties=(
        Property("counts the labellings if there are more points than dimensions", 2, _sizes),
        Property(
            "counts all labellings if n ≤ d",
            1,
            _few,
            hint="Your answer fails only if n ≤ d. Every labelling can be made then, so the count is 2ⁿ. In the sum, C(a, k) = 0 for "
            "k > a, as math.comb(a, k) returns.",
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
            "You count for d + 1 dimensions. The sum ends at k = d - 1; in a recursion, C(n, 0) is 0.",
            f"Read “{_COVER}” again: the upper end of the sum.",
            _C + "5, 1))   # points on a line, labelled by their side of 0: should print 2",
        ),
        Misconception(
            "one term too few",
            Changed(cover_count, lambda n, d: (n, d - 1)),
            "You count for d - 1 dimensions. The sum has d terms: let k run from 0 to d - 1.",
            f"Read “{_COVER}” again: the upper end of the sum.",
            _C + "2, 2))   # two points of the plane: should print 4",
        ),
        Misconception(
            "no factor 2",
            lambda n, d: cover_count(n, d) // 2,
            "You return half of the count. A hyperplane with its sides exchanged makes the opposite labelling, so C(1, d) = 2: multiply by 2.",
            f"Read “{_COVER}” again: C(1, d) = 2.",
            _C + "1, 3))   # one point has two labels: should print 2",
        ),
        Misconception(
            "n instead of n - 1",
            Changed(cover_count, lambda n, d: (n + 1, d)),
            "You count for n + 1 points. The binomial coefficients choose from n - 1; a recursion starts at C(1, d) = 2 and takes n - 1 steps.",
            f"Read “{_COVER}” again: the upper number of the binomial coefficients.",
            _C + "3, 2))   # should print 6",
        ),
        Misconception(
            "one point too few",
            Changed(cover_count, lambda n, d: (n - 1, d)),
            "You count for n - 1 points. The binomial coefficients choose from n - 1, not n - 2; a recursion from C(1, d) = 2 takes n - 1 steps.",
            f"Read “{_COVER}” again: the upper number of the binomial coefficients.",
            _C + "2, 3))   # two points, two labels each: should print 4",
        ),
        Misconception(
            "all labellings",
            lambda n, d: 2**n,
            "You return 2ⁿ, the number of all labellings. Hyperplanes make all of them only if n ≤ d: use the sum or the recursion.",
            f"Read “{_COVER}” again: the recursion.",
            _C + "4, 3))   # should print 14",
        ),
        Misconception(
            "n = 1 before d = 0",
            lambda n, d: 2 if n == 1 else 2 * cover_count(n - 1, d),
            "Your recursion returns C(1, 0) = 2. Without dimensions there is no hyperplane: test d = 0 before n = 1.",
            f"Read “{_COVER}” again: the edges of the recursion.",
            _C + "3, 1))   # three points on a line: should print 2",
        ),
        Misconception(
            "the probability",
            lambda n, d: cover_count(n, d) / 2**n,
            "You return the fraction of separable labellings. Return their number: do not divide by 2ⁿ.",
            f"Read “{_COVER}” again: the count itself.",
            _C + "10, 5) >= 1)   # a count: should print True",
        ),
        Misconception(
            "points and dimensions exchanged",
            Changed(cover_count, lambda n, d: (d, n)),
            "You exchange n and d. The binomial coefficients choose from n - 1, and the sum has d terms.",
            f"Read “{_COVER}” again: C(n, d), with the points first.",
            _C + "7, 2))   # seven points in the plane: should print 14",
        ),
        Misconception(
            "begins with no point",
            _from_no_point,
            "Your recursion starts at no point, with one labelling for d ≥ 1 and none for d = 0. Start at one point, C(1, d) = 2.",
            f"Read “{_COVER}” again: where the recursion starts.",
            _C + "8, 1))   # eight points on a line: should print 2",
        ),
        Misconception(
            "sum from k = 1",
            lambda n, d: cover_count(n, d) - 2,
            "Your sum begins at k = 1. The term of k = 0 is 1, so begin at k = 0.",
            f"Read “{_COVER}” again: the lower end of the sum.",
            _C + "9, 1))   # nine points on a line: should print 2",
        ),
        Misconception(
            "C(n, 0) is 1",
            Changed(_from_no_point, lambda n, d: (n, d + 1)),
            "You use C(n, 0) = 1, or a sum of binomial coefficients of n without the factor 2. C(n, 0) is 0, so that C(n, 1) = 2.",
            f"Read “{_COVER}” again: the edges of the recursion, or its sum.",
            _C + "6, 1))   # six points on a line: should print 2",
        ),
    ),
    step=f"Read “{_COVER}” again: the sum, or the recursion with its edges.",
    experiment=_C + "4, 3), cover_count(2, 3), cover_count(5, 1))   # should print 14, 4 and 2",
    sizes=lambda n, d: {"n": n, "d": d},
    observations=(
        Observation(
            "The count is larger than 2ⁿ, the number of all labellings.",
            lambda value, n, d: value > 2**n,
        ),
        Observation(
            "The count is odd. It must be even, because with every labelling its opposite can also be made.",
            lambda value, n, d: value % 2 == 1,
        ),
    ),
)  # fmt: skip
