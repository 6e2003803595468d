"""Exercise 10.3: landmarks one after the other, each where those before it leave most, and what they leave."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from kcourse.chapters.ch10_scaling.features import CHAPTER, USE, width
from kcourse.chapters.ch10_scaling.ridge import MEMORY
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["PIVOTED_RESIDUALS"]

_MANY = 4000  # points whose Gram matrix takes 25 times what a call may
_NYSTROM = "Nyström, from the representer theorem"
_LANDMARKS = "Which landmarks?"


def pivoted_residuals(X, first, m, sigma):
    """Means of k(x, x) - k̂(x, x) over the points, after 1, …, m landmarks, by a pivoted Cholesky factor."""
    if np.ndim(X) != 2 or np.shape(X)[1] > 100:  # with many points, an input here, many columns would take long
        raise ValueError("points in a few dimensions")
    return _means(X, first, m, sigma)


def _most_left(left):
    return int(np.argmax(left))


def _scaled(c, i):
    if not c[i] > 0:  # of a mistake that takes a landmark twice
        raise ValueError("nothing is left at the landmark")
    return c / np.sqrt(c[i])


def _means(
    X: np.ndarray, first: int, m: int, sigma: float, *, kernel: Callable = gaussian, pick: Callable = _most_left,
    column: Callable = _scaled, taken: Callable = lambda c: c**2,
    orthogonal: bool = True, mean: Callable = np.mean,
) -> np.ndarray:  # fmt: skip
    left, C, said = np.ones(len(X)), np.zeros((len(X), m)), []
    for j in range(m):
        i = pick(left) if j else int(first)
        c = kernel(X, X[[i]], sigma)[:, 0]
        if orthogonal:
            c = c - C[:, :j] @ C[i, :j]
        C[:, j] = column(c, i)
        left = left - taken(C[:, j])
        said.append(mean(left))
    return np.array(said)


def _with(**how):
    return lambda *args: _means(*args, **how)


def _farthest(X, first, m, sigma):
    """Each landmark the farthest from the one nearest to it: what is left is right for these."""
    chosen = [int(first)]
    for _ in range(m - 1):
        near = np.sum((X[:, None] - X[chosen]) ** 2, axis=2).min(axis=1)
        chosen.append(int(near.argmax()))
    return _of(X, chosen, sigma)


def _of(X, chosen, sigma):
    """What the first 1, 2, … of these landmarks leave, from (4) as it stands."""
    said = []
    for j in range(1, len(chosen) + 1):
        Z = X[chosen[:j]]
        k_m = gaussian(X, Z, sigma)
        said.append(1 - np.mean(np.sum(k_m * np.linalg.lstsq(gaussian(Z, Z, sigma), k_m.T)[0].T, axis=1)))
    return np.array(said)


def _drawn(X, first, m, sigma):
    """The lecture's pivots, with the draws of the generator 0."""
    rng = np.random.default_rng(0)

    def pick(left):
        shares = np.maximum(left, 0)
        return int(rng.choice(len(left), p=shares / shares.sum()))

    return _means(X, first, m, sigma, pick=pick)


def _nearest_alone(X, first, m, sigma):
    left, said, i = np.ones(len(X)), [], int(first)
    for _ in range(m):
        left = np.minimum(left, 1 - gaussian(X, X[[i]], sigma)[:, 0] ** 2)
        said.append(np.mean(left))
        i = int(left.argmax())
    return np.array(said)


def _least_left(left):
    """What argmin finds where landmarks, at which nothing is left, are put aside."""
    return int(np.argmin(np.where(left > 1e-9, left, np.inf)))


def _last_column_alone(X, first, m, sigma):
    left, said, i, before = np.ones(len(X)), [], int(first), np.zeros(len(X))
    for _ in range(m):
        before = _scaled(gaussian(X, X[[i]], sigma)[:, 0] - before * before[i], i)
        left = left - before**2
        said.append(np.mean(left))
        i = int(np.argmax(left))
    return np.array(said)


def _all_at_once(X, first, m, sigma):
    """The m - 1 points at which the first landmark leaves most."""
    left = 1 - gaussian(X, X[[first]], sigma)[:, 0] ** 2
    return _of(X, [int(first), *np.argsort(-left, kind="stable")[: m - 1]], sigma)


def _in_order(X, first, m, sigma):
    return _of(X, [(int(first) + j) % len(X) for j in range(m)], sigma)


def _again(X, first, m, sigma):
    return np.full(m, _of(X, [int(first)], sigma)[0])


def _gaps(X, first, m, sigma):
    """By how much what is left at each landmark, but for the first, exceeds what is left at any other point."""
    gaps = []

    def pick(left):
        two = np.sort(left)[-2:]
        gaps.append(two[1] - two[0])
        return int(np.argmax(left))

    said = _means(X, first, m, sigma, pick=pick)
    return min(gaps, default=1.0), said[-1]


def _apart(X, first, m, sigma, least=1e-3):
    """Whether rounding cannot decide which landmark is next, and there is something left at the end."""
    gap, rest = _gaps(X, first, m, sigma)
    return gap > least and rest > 0.01


def _crowd(rng, n, d, m, outside, least=1e-3):
    """Points of which most stand in a crowd, and a first landmark that is not the point 0."""
    for _ in attempts("pivoted_residuals"):
        sigma = width(rng)
        X = sigma * np.vstack([0.4 * rng.normal(size=(n - outside, d)), 1.7 * rng.normal(size=(outside, d))])
        args = rng.permutation(X), int(rng.integers(1, n)), m, sigma
        if _apart(*args, least=least):
            return args


def _crowds(rng):
    for _ in attempts("pivoted_residuals"):
        found = [_crowd(rng, n, d, m, n // 2) for n, d, m in ((11, 2, 4), (14, 3, 5), (17, 2, 6))]
        with contextlib.suppress(ValueError):  # of a mistake that cannot go on
            if telling(found, pivoted_residuals, [mistake.wrong for mistake in PIVOTED_RESIDUALS.misconceptions]):
                return found


def _many(rng):
    """For which a Gram matrix would take 128 MB."""
    return [_crowd(rng, _MANY, 2, 6, 12, least=1e-5)]


_P = USE + "X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])\n" \
    "def f(X=X, first=1, m=3, sigma=2.0):\n    return np.round(pivoted_residuals(np.array(X, dtype=float), first, m, sigma), 3)\n"  # fmt: skip
_STEP_3 = f"Read “{_NYSTROM}” again: step 3, (4)."
_APART = "apart = [[0, 0], [90, 0], [0, 90], [90, 90]]   # no bell reaches another point\n"

PIVOTED_RESIDUALS = Exercise(
    name="pivoted_residuals",
    chapter=CHAPTER,
    number="10.3",
    returns="what 1, …, m landmarks leave over, means over the points, shape (m,)",
    reference=pivoted_residuals,
    properties=(
        Property("takes each landmark where most is left, and says what it leaves", 3, _crowds),
        Property(
            "does so for 4000 points with arrays of 5 MB at most",
            1,
            _many,
            hint="Your answer fails only when there are 4000 points: K would take 128 MB, and 5 MB are allowed at one time, besides "
            "the arguments. The kernel of all points with the landmarks is enough, one column for each.",
        ),
    ),
    promises=(
        Promise("leave something at the end, and no choice to rounding", _apart),
        Promise("do not begin at the point 0", lambda X, first, m, sigma: first > 0, of=(0, 1)),
        Promise("would need eight times what is allowed", lambda X, *_: 8 * len(X) ** 2 >= 8 * MEMORY, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "as if landmarks were orthogonal",
            _with(orthogonal=False, column=lambda c, i: c),
            "You take k(x, z)² away for each landmark, as if their sections were orthogonal; what a new one adds is the part of it that "
            "the others do not span.",
            f"Read “{_NYSTROM}” again: step 2, where c is solved for.",
            _P + "print(f(X=X[:3], m=3)[2])   # all points are landmarks: should print 0",
        ),
        Misconception(
            "column not scaled",
            _with(column=lambda c, i: c),
            "Your new column is not divided by the root of what was left at its landmark, so not all of that is taken away.",
            _STEP_3,
            _P + "print(f(X=X[:2], m=2)[1])   # both points are landmarks: should print 0",
        ),
        Misconception(
            "divided without the root",
            _with(column=lambda c, i: c / c[i]),
            "You divide the new column by what was left at its landmark; by the root of it.",
            _STEP_3,
            _P + "print(f(X=X[1:], first=0, m=3)[2])   # all points are landmarks: should print 0",
        ),
        Misconception(
            "column divided by its length",
            _with(column=lambda c, i: c / np.linalg.norm(c)),
            "You divide the new column by its length, so each landmark takes 1/n from the mean, whatever the points are; divide by the root "
            "of what was left at the landmark.",
            _STEP_3,
            _P + "print(f([[0, 0], [1, 0]], first=0, m=1))   # half of 1 - k²: should print 0.111",
        ),
        Misconception(
            "last column alone",
            _last_column_alone,
            "Of k(x, z) you take away what the column before gives, and forget the earlier ones: the new column must be new to all.",
            f"Read “{_NYSTROM}” again: step 2, where the span of all landmarks is projected on.",
            _P + "print(f(m=4)[3])   # all points are landmarks: should print 0",
        ),
        Misconception(
            "where least is left",
            _with(pick=_least_left),
            "Your next landmark is the point at which least is left; that is a neighbour of those that are chosen. Take the point at "
            "which most is left.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + "print(f(X=[[0, 0], [0, 0.1], [9, 0]], first=0, m=2)[1])   # the far point comes second: should be below 0.01",
        ),
        Misconception(
            "drawn in proportion",
            _drawn,
            "You draw each next landmark in proportion to what is left, as the lecture does; here it is the point at which most is left, "
            "the same for everybody.",
            f"Read “{_LANDMARKS}” again: pivots, the second kind.",
            _P + "v = [f([[0, 0], [9, 0], [0, j]], first=0, m=2)[1] for j in np.linspace(1, 2.8, 40)]\n"
            "print(max(v) < 0.3)   # the far point is next, each time: should print True",
        ),
        Misconception(
            "column not squared",
            _with(taken=lambda c: c),
            "You take the new column itself away; what it adds to k̂(x, x) is its square.",
            _STEP_3,
            _P + "print(f(m=1))   # 1 less the mean of k(x, z)²: should print 0.554",
        ),
        Misconception(
            "farthest from the nearest landmark",
            _farthest,
            "Your next landmark is the point farthest from the landmark nearest to it. That forgets all other landmarks; take the "
            "largest of what they all leave.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + "Y = [[4, 3], [0, 1], [1, 3], [2, 0], [3, 1], [2, 1]]\nprint(f(Y, first=0)[2])   # should print 0.17",
        ),
        Misconception(
            "what the nearest landmark leaves",
            _nearest_alone,
            "You take for what is left the least that any single landmark leaves, 1 - k(x, z)² for the nearest; together they leave less.",
            f"Read “{_NYSTROM}” again: step 2, where the span of all landmarks is projected on.",
            _P + "print(f()[1:])   # should print 0.364 and 0.165",
        ),
        Misconception(
            "all chosen at once",
            _all_at_once,
            "You choose all landmarks by what the first one leaves; after each, what is left has changed.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + "print(f(X=[[0, 0], [5, 5], [5, 5.1], [3, 0]], first=0)[2])   # the third is nearly the second: should be below 0.01",
        ),
        Misconception(
            "the next points in the array",
            _in_order,
            "Your landmarks are the first and those that follow it in the array.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + "print(f(X=[[0, 0], [0, 0.1], [5, 5], [9, 0]], first=0, m=3)[2])   # the point near the first waits: should print 0.001",
        ),
        Misconception(
            "one landmark again and again",
            _again,
            "What is left does not change after your first landmark: the same point is taken each time. At a landmark nothing is left, so "
            "it cannot be where most is.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + _APART + "print(f(X=apart))   # each landmark explains itself alone: should print 0.75, 0.5, 0.25",
        ),
        Misconception(
            "begun at the point 0",
            lambda X, first, m, sigma: _means(X, 0, m, sigma),
            "You begin at the point 0, whatever `first` says.",
            f"Read “{_LANDMARKS}” again: the first landmark is given here.",
            _P + "print(f(first=1, m=1), f(first=2, m=1))   # should print 0.554 and 0.652",
        ),
        Misconception(
            "said before the step",
            lambda X, first, m, sigma: np.append(1.0, _means(X, first, m, sigma)[:-1]),
            "Your numbers are one step late: the first of them is what no landmark at all leaves.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + _APART + "print(f(X=apart, m=1))   # one of four explains itself alone: should print 0.75",
        ),
        Misconception(
            "sum for mean",
            _with(mean=np.sum),
            "You add up what is left at the points; asked is the mean.",
            f"{_STEP_3} It holds at each point, and the task asks for the mean.",
            _P + _APART + "print(f(X=apart, m=2))   # one of four is explained, then two: should print 0.75, 0.5",
        ),
        Misconception(
            "landmarks left out of the mean",
            lambda X, first, m, sigma: _means(X, first, m, sigma) * len(X) / (len(X) - np.arange(1, m + 1)),
            "You average over the points that are no landmarks; asked is the mean over all points, of which landmarks have 0.",
            f"{_STEP_3} It holds at each point, and the task asks for the mean.",
            _P + _APART + "print(f(X=apart)[1])   # two of four are left as they were: should print 0.5",
        ),
        Misconception(
            "largest for mean",
            _with(mean=np.max),
            "You return the largest of what is left; asked is the mean.",
            f"{_STEP_3} It holds at each point, and the task asks for the mean.",
            _P + _APART + "print(f(X=apart)[0])   # three of four are left as they were: should print 0.75",
        ),
        Misconception(
            "median for mean",
            _with(mean=np.median),
            "You return the median of what is left; asked is the mean.",
            f"{_STEP_3} It holds at each point, and the task asks for the mean.",
            _P + _APART + "print(f(X=apart, m=3)[2])   # one of four is left as it was: should print 0.25",
        ),
        Misconception(
            "distances for their squares",
            _with(mean=lambda left: np.mean(np.sqrt(np.maximum(left, 0)))),
            "You average the distances ‖k_x − Pk_x‖; (4) is their square.",
            _STEP_3,
            _P + "print(f(first=0, m=1))   # 1 less the mean of k(x, z)²: should print 0.654",
        ),
        Misconception(
            "root of the mean",
            _with(mean=lambda left: np.sqrt(np.mean(left))),
            "You take the root of the mean; asked is the mean of (4) as it stands.",
            _STEP_3,
            _P + "print(f(first=2, m=1))   # 1 less the mean of k(x, z)²: should print 0.652",
        ),
        Misconception(
            "what is explained",
            _with(mean=lambda left: 1 - np.mean(left)),
            "You return the mean of k̂(x, x), what the landmarks explain; asked is what they leave of k(x, x) = 1.",
            _STEP_3,
            _P + _APART + "print(f(X=apart)[2])   # one of four is left as it was: should print 0.25",
        ),
        *(
            Misconception(
                name,
                _with(kernel=GAUSSIAN_MISTAKES[name][0]),
                GAUSSIAN_MISTAKES[name][1],
                "Read “Notation” on the start page: the kernel is exp(-‖x-z‖²/(2σ²)).",
                _P + f"print(f([[0, 0], [{far}, 0]], first=0, m=1, sigma={sigma}))   # half of 1 - k²: should print {must}",
            )
            for name, far, sigma, must in (
                ("exponent without the 2", 2, 2.0, 0.316), ("sigma used as gamma", 1, 2.0, 0.111),
                ("distance not squared", 3, 3.0, 0.316), ("Laplacian kernel", 2, 4.0, 0.111),
            )
        ),
    ),
    observations=(
        Observation(
            "Your means rise somewhere; one landmark more makes no rest longer.",
            lambda v, X, first, m, sigma: bool(np.ndim(v) == 1 and len(v) > 1 and np.max(np.diff(v)) > 1e-9),
        ),
    ),
    step=f"Read “{_NYSTROM}” again, steps 2 and 3: what is left at x is k(x, x) less k_m(x)ᵀK_mm⁻¹k_m(x).",
    experiment=_P + "print(f())   # should print 0.554, 0.364, 0.165\n"
    "print(f([[4, 3], [0, 1], [1, 3], [2, 0], [3, 1], [2, 1]], first=5, m=4))   # should print 0.442, 0.279, 0.14, 0.045",
    sizes=lambda X, first, m, sigma: {"n": len(X), "m": m, "d": X.shape[1], "σ": sigma},
    memory=MEMORY,
    chained=True,
    limit="At a landmark nothing is left: who takes it a second time, as argmin does, divides 0 by 0.",
)  # fmt: skip
