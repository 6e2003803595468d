"""Exercise 10.3: landmarks one after another, each at the largest residual, and the mean residuals."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np

from kcourse.chapters.ch10_scaling.features import CHAPTER, USE, width
from kcourse.chapters.ch10_scaling.ridge import MEMORY
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, gaussian
from kcourse.checks.spec import (
    Changed,
    Exercise,
    Misconception,
    Observation,
    Promise,
    Property,
    attempts,
    each_wrong,
    telling,
)

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
    X: np.ndarray, first: int, m: int, sigma: float, *, pick: Callable = _most_left, column: Callable = _scaled,
    taken: Callable = lambda c: c**2, orthogonal: bool = True, mean: Callable = np.mean,
) -> np.ndarray:  # fmt: skip
    left, C, said = np.ones(len(X)), np.zeros((len(X), m)), []
    for j in range(m):
        i = pick(left) if j else int(first)
        c = gaussian(X, X[[i]], sigma)[:, 0]
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


def _last_column_alone(X, first, m, sigma):
    left, said, i, before = np.ones(len(X)), [], int(first), np.zeros(len(X))
    for _ in range(m):
        before = _scaled(gaussian(X, X[[i]], sigma)[:, 0] - before * before[i], i)
        left = left - before**2
        said.append(np.mean(left))
        i = int(np.argmax(left))
    return np.array(said)


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


_SEEN_IN_MANY = ("farthest from the nearest landmark", "column not scaled", "divided without the root")


def _many(rng):
    """For which a Gram matrix would take 128 MB."""
    return [_crowd(rng, _MANY, 2, 6, 12, least=1e-5)]


_P = USE + "X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])\n" \
    "def f(X=X, first=1, m=3, sigma=2.0):\n    return np.round(pivoted_residuals(np.array(X, dtype=float), first, m, sigma), 3)\n"  # fmt: skip
_STEP_3 = f"Read “{_NYSTROM}” again: step 3, (4)."
_APART = "apart = [[0, 0], [90, 0], [0, 90], [90, 90]]   # all kernel values of two points are 0\n"

PIVOTED_RESIDUALS = Exercise(
    name="pivoted_residuals",
    chapter=CHAPTER,
    number="10.3",
    returns="mean residuals over the points after 1, …, m landmarks, shape (m,)",
    reference=pivoted_residuals,
    properties=(
        Property("takes each landmark at the largest residual, and returns the mean residuals", 3, _crowds),
        Property(
            "does so for 4000 points with arrays of 5 MB at most",
            1,
            each_wrong(_many, lambda: PIVOTED_RESIDUALS, _SEEN_IN_MANY),
            hint="Your answer fails only if there are 4000 points. K would take 128 MB, but only 5 MB are allowed. Compute one column of "
            "the kernel for each landmark.",
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
            "You subtract k(x, z)² for each landmark, as if their sections were orthogonal. Subtract only the part of the new "
            "section that the others do not span.",
            f"Read “{_NYSTROM}” again: step 2, where c is solved for.",
            _P + "print(f(X=X[:3], m=3)[2])   # all points are landmarks: should print 0",
        ),
        Misconception(
            "column not scaled",
            _with(column=lambda c, i: c),
            "You do not scale the new column, so part of the residual at its landmark remains. Divide by the root of the residual "
            "there.",
            _STEP_3,
            _P + "print(f(X=X[:2], m=2)[1])   # both points are landmarks: should print 0",
        ),
        Misconception(
            "divided without the root",
            _with(column=lambda c, i: c / c[i]),
            "You divide the new column by the residual at its landmark. Its square is subtracted, so divide by the root.",
            _STEP_3,
            _P + "print(f(X=X[1:], first=0, m=3)[2])   # all points are landmarks: should print 0",
        ),
        Misconception(
            "last column alone",
            _last_column_alone,
            "You subtract from k(x, z) only what the last column gives. The new column must be new to all earlier ones.",
            f"Read “{_NYSTROM}” again: step 2, with the span of all landmarks.",
            _P + "print(f(m=4)[3])   # all points are landmarks: should print 0",
        ),
        Misconception(
            "drawn in proportion",
            _drawn,
            "You draw the next landmark in proportion to the residual, as in the lecture. Here take the point with the largest "
            "residual.",
            f"Read “{_LANDMARKS}” again: pivots, the second kind.",
            _P + "v = [f([[0, 0], [9, 0], [0, j]], first=0, m=2)[1] for j in np.linspace(1, 2.8, 40)]\n"
            "print(max(v) < 0.3)   # the far point is next, each time: should print True",
        ),
        Misconception(
            "column not squared",
            _with(taken=lambda c: c),
            "You subtract the new column itself. It adds its square to k̂(x, x): subtract the square.",
            _STEP_3,
            _P + "print(f(m=1))   # 1 less the mean of k(x, z)²: should print 0.554",
        ),
        Misconception(
            "farthest from the nearest landmark",
            _farthest,
            "You take the point that is farthest from its nearest landmark. The residual (4) depends on all landmarks: take its "
            "maximum.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + "Y = [[4, 3], [0, 1], [1, 3], [2, 0], [3, 1], [2, 1]]\nprint(f(Y, first=0)[2])   # should print 0.17",
        ),
        Misconception(
            "begun at the point 0",
            Changed(pivoted_residuals, lambda X, first, m, sigma: (X, 0, m, sigma)),
            "You begin at the point 0. The argument `first` is the index of the first landmark.",
            f"Read “{_LANDMARKS}” again: pivots. The first landmark is given here.",
            _P + "print(f(first=1, m=1), f(first=2, m=1))   # should print 0.554 and 0.652",
        ),
        Misconception(
            "said before the step",
            lambda X, first, m, sigma: np.append(1.0, _means(X, first, m, sigma)[:-1]),
            "You store each mean before its landmark is used, so the first one is 1. Store it after the residuals are updated.",
            f"Read “{_LANDMARKS}” again: pivots.",
            _P + _APART + "print(f(X=apart, m=1))   # one of four explains itself alone: should print 0.75",
        ),
        Misconception(
            "sum for mean",
            _with(mean=np.sum),
            "You return the sum of the residuals. Return their mean over the points.",
            f"{_STEP_3} It holds at each point, and the task needs the mean.",
            _P + _APART + "print(f(X=apart, m=2))   # one of four is explained, then two: should print 0.75, 0.5",
        ),
        Misconception(
            "what is explained",
            _with(mean=lambda left: 1 - np.mean(left)),
            "You return the mean of k̂(x, x), which the landmarks explain. Return the mean of k(x, x) − k̂(x, x).",
            _STEP_3,
            _P + _APART + "print(f(X=apart)[2])   # one of four is left as it was: should print 0.25",
        ),
        Misconception(
            "exponent without the 2",
            Changed(pivoted_residuals, lambda X, first, m, sigma: (X, first, m, sigma / np.sqrt(2))),
            GAUSSIAN_MISTAKES["exponent without the 2"][1],
            "Read “Notation” on the start page: the kernel is exp(-‖x-z‖²/(2σ²)).",
            _P + "print(f([[0, 0], [2, 0]], first=0, m=1))   # half of 1 - k²: should print 0.316",
        ),
    ),
    observations=(
        Observation(
            "Your means increase somewhere. An additional landmark makes no residual longer.",
            lambda v, X, first, m, sigma: bool(np.ndim(v) == 1 and len(v) > 1 and np.max(np.diff(v)) > 1e-9),
        ),
    ),
    step=f"Read “{_NYSTROM}” again, steps 2 and 3: the residual at x is k(x, x) − k_m(x)ᵀK_mm⁻¹k_m(x).",
    experiment=_P + "print(f())   # should print 0.554, 0.364, 0.165\n"
    "print(f([[4, 3], [0, 1], [1, 3], [2, 0], [3, 1], [2, 1]], first=5, m=4))   # should print 0.442, 0.279, 0.14, 0.045",
    sizes=lambda X, first, m, sigma: {"n": len(X), "m": m, "d": X.shape[1], "σ": sigma},
    memory=MEMORY,
    chained=True,
    limit="At a landmark the residual is 0. If you take it a second time, for example by argmin, you divide 0 by 0.",
)  # fmt: skip
