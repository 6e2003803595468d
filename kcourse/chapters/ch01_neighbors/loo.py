"""Exercises 1.4 and 1.6: the width by leave-one-out, and window against neighbours by leaving out whole inputs."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch01_neighbors.common import CHAPTER, KERNELS, LINE, USE, smoother
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Exercise, Misconception, Promise, Property, attempts

__all__ = ["COMPARE_SMOOTHERS", "LOO_BANDWIDTH"]

_STEP = "Read “How wide? Leave-one-out” again: "


def _mean_square(r):
    return np.mean(r**2)


def _mean_absolute(r):
    return np.mean(np.abs(r))


def _root_mean_square(r):
    return np.sqrt(np.mean(r**2))


def _sum_of_squares(r):
    return np.sum(r**2)


# -- 1.4


def _left_out(X, y, sigma):
    return y - smoother(X, X, sigma, leave_out=True) @ y


def _search(residuals=_left_out, error=_mean_square, choose=np.argmin):
    """Return a function that gives the best width, then the error of each: (X, y, sigmas) -> (1 + m,)."""

    def answer(X, y, sigmas):
        scores = [error(residuals(X, y, s)) for s in sigmas]
        return np.append(np.asarray(sigmas)[choose(scores)], scores)

    return answer


def _from_smoother(residuals):
    """Return a wrong search that computes residuals(y, S y, diagonal of S)."""
    return _search(lambda X, y, s: residuals(y, (S := smoother(X, X, s)) @ y, np.diag(S)))


def loo_bandwidth(X, y, sigmas):
    """Return the width with the smallest mean squared leave-one-out error, then that error for each width."""
    return _search()(X, y, sigmas)


def _as_numbers(value, *_):
    """Return (best, scores) as one array of numbers."""
    if not isinstance(value, (tuple, list)) or len(value) != 2 or np.ndim(value[0]) or np.ndim(value[1]) != 1:
        return None
    return np.append(float(value[0]), np.asarray(value[1], dtype=float))


def _curve(rng, n, sigmas):
    X = rng.uniform(-2, 2, size=(n, 2))
    return X, 2 * np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n) + 1.0, sigmas


def _inside(X, y, sigmas):
    """Whether neither the smallest nor the largest width is best, by squares and by absolute errors."""
    best = {_search(error=error)(X, y, sigmas)[0] for error in (_mean_square, _mean_absolute)}
    return len(best) == 1 and min(sigmas) < min(best) < max(sigmas)


def _others_count(X, y, sigmas):
    """Whether 1 - S_ii is large enough to divide by it."""
    return all(np.min(1 - np.diag(smoother(X, X, s))) > 1e-6 for s in sigmas)


def _shows(X, y, sigmas):
    """Whether wrong residuals have another best width, so that half of such an answer is never right by chance."""
    best = loo_bandwidth(X, y, sigmas)[0]
    with np.errstate(all="ignore"):  # of a distant point 1 - S_ii is 0
        return all(wrong(X, y, sigmas)[0] != best for wrong in _OTHER_RESIDUALS.values())


def _place(X, y, sigmas):
    return loo_bandwidth(X, y, sigmas)[1:].argmin()


def _widths(rng, count):
    return np.sort(rng.uniform(0.25, 2.5, size=count))


def _searches(rng):
    found = []
    for _ in attempts("loo_bandwidth", until=lambda: len(found) == 2):
        case = _curve(rng, 14 + len(found), _widths(rng, 5 + len(found)))
        if _others_count(*case) and _inside(*case) and _shows(*case):
            if not found or _place(*case) != _place(*found[0]):  # an index that is always the same is no answer
                found.append(case)
    return found


def _shuffled(rng):
    X, y, sigmas = _searches(rng)[0]
    for _ in attempts("loo_bandwidth"):
        order = rng.permutation(sigmas)
        if (np.diff(order) < 0).any():
            return [(X, y, order)]


def _with_a_distant_point(rng):
    """One point so far from all others that S_ii is 1 to the last bit."""
    for _ in attempts("loo_bandwidth"):
        X, y, sigmas = _curve(rng, 12, _widths(rng, 4))
        X[5] += 400.0
        if _inside(X, y, sigmas) and _shows(X, y, sigmas):
            return [(X, y, sigmas)]


_OTHER_RESIDUALS = {
    "keeps the point itself": _from_smoother(lambda y, f, h: y - f),
    "point left in the denominator": _from_smoother(lambda y, f, h: y - (f - h * y)),
    "shortcut multiplied": _from_smoother(lambda y, f, h: (y - f) * (1 - h)),
    "average leverage": _from_smoother(lambda y, f, h: (y - f) / (1 - np.mean(h))),
    "shortcut outside the square": _from_smoother(lambda y, f, h: (y - f) / np.sqrt(1 - h)),
    "exponent without the 2": _search(lambda X, y, s: _left_out(X, y, s / 2**0.5)),
}
_L = LINE + "best, scores = loo_bandwidth(X, y, [0.3, 0.7, 1.5])\n"

LOO_BANDWIDTH = Exercise(
    name="loo_bandwidth",
    chapter=CHAPTER,
    number="1.4",
    returns="the best width and the scores, `return best, scores`, with scores of shape (m,)",
    reference=loo_bandwidth,
    properties=(
        Property("finds the width of the smallest leave-one-out error, and that error for each width", 2, _searches),
        Property(
            "works for widths in any order",
            1,
            _shuffled,
            hint="Your answer fails only when the widths are not in ascending order. Return the scores in the order in which "
            "the widths are given.",
        ),
        Property(
            "works where a point is far from all others",
            1,
            _with_a_distant_point,
            hint="Your answer fails only when a point is far from all others, because the weights of all other "
            "points underflow to 0. Leave the point out first. Then subtract the largest of the remaining "
            "exponents.",
        ),
    ),
    promises=(
        Promise("have their best width between two others, by squares and by absolute errors", _inside, of=(0, 1, 2)),
        Promise("have other best widths by wrong residuals", _shows, of=(0, 1, 2)),
        Promise("leave digits in 1 - S_ii for answers that divide by it", _others_count, of=(0, 1)),
        Promise("have widths out of order", lambda X, y, sigmas: (np.diff(sigmas) < 0).any(), of=(1,)),
        Promise(
            "have a point whose own weight is the whole sum, to the last bit",
            lambda X, y, sigmas: all((np.diag(smoother(X, X, s)) == 1).sum() == 1 for s in sigmas),
            of=(2,),
        ),
    ),
    misconceptions=(
        Misconception(
            "keeps the point itself",
            _OTHER_RESIDUALS["keeps the point itself"],
            "You compute training errors. Each point takes part in its own prediction, so a tiny width seems best. Leave point i "
            "out of f₋ᵢ.",
            _STEP + "f₋ᵢ is the smoother without point i.",
            _L + "print(loo_bandwidth(X, y, [1e-3])[1])   # residuals -1, -1, 3 and 12: should print 38.75",
        ),
        Misconception(
            "absolute errors",
            _search(error=_mean_absolute),
            "You average the absolute residuals. The score of a width is the mean of the squared residuals. Square them.",
            _STEP + "the error is a mean of squares, with the unit g².",
            _L + "print(loo_bandwidth(X, 10 * y, [0.7])[1] / scores[1])   # ten times the targets: should print 100",
        ),
        Misconception(
            "root of the mean square",
            _search(error=_root_mean_square),
            "You take the root of the mean square. The score of a width is the mean square itself. Leave out the root.",
            _STEP + "the error is a mean of squares, with the unit g².",
            _L + "print(loo_bandwidth(X, 3 * y, [0.7])[1] / scores[1])   # three times the targets: should print 9",
        ),
        Misconception(
            "sum of squares",
            _search(error=_sum_of_squares),
            "You add the squared residuals. The score of a width is their mean. Divide by n.",
            _STEP + "the error is a mean over all points.",
            _L + "far = np.vstack([X, X + 100]); print(loo_bandwidth(far, np.tile(y, 2), [0.7])[1] / scores[1])\n"
            "# the same data twice, far apart: should print 1",
        ),
        Misconception(
            "largest error",
            _search(choose=np.argmax),
            "You return the width of the largest error, as argmax does. The best width has the smallest error. Use argmin.",
            _STEP + "the error of the best width is the minimum.",
            _L + "print(best == [0.3, 0.7, 1.5][np.argmin(scores)])   # should print True",
        ),
        Misconception(
            "index for width",
            lambda X, y, sigmas: np.append((found := loo_bandwidth(X, y, sigmas))[1:].argmin(), found[1:]),
            "You return the index of the best width. The first value should be the width itself. Return `sigmas[i]`.",
            _STEP + "the result is a width σ in ms.",
            _L + "print(best in (0.3, 0.7, 1.5))   # one of the candidates: should print True",
        ),
        Misconception(
            "the least score alone",
            lambda X, y, sigmas: np.array([(found := loo_bandwidth(X, y, sigmas))[0], found[1:].min()]),
            "You return only the score of the best width. The second value should hold one score for each width. Return the "
            "array of all scores.",
            _STEP + "each σ has its own leave-one-out error.",
            _L + "print(np.size(scores))   # one score for each of three widths: should print 3",
        ),
        Misconception(
            "point left in the denominator",
            _OTHER_RESIDUALS["point left in the denominator"],
            "You leave point i out of the numerator only. Its weight is still in the denominator. Leave it out of both sums.",
            _STEP + "in step 4 both sums lose one term.",
            _L + "print(loo_bandwidth(X, np.ones(4), [0.7])[1])   # equal targets, so no residuals: should print 0",
        ),
        Misconception(
            "shortcut multiplied",
            _OTHER_RESIDUALS["shortcut multiplied"],
            "You multiply by 1 - S_ii. Equation (5) divides by it, because a left-out residual is larger than a training "
            "residual. Divide.",
            _STEP + "equation (5) has 1 - S_ii in the denominator.",
            USE + "X = np.array([[0.0], [0.2]]); y = np.array([0.0, 1.0])   # each is predicted by the other\n"
            "print(loo_bandwidth(X, y, [0.5])[1])   # residuals -1 and 1: should print 1",
        ),
        Misconception(
            "average leverage",
            _OTHER_RESIDUALS["average leverage"],
            "You divide every residual by 1 - tr S/n, which is generalised cross-validation. Equation (5) has the S_ii of each "
            "point. Use np.diag(S).",
            _STEP + "equation (5) has an index i on both sides.",
            USE + "X = np.array([[0.0], [0.1], [1.0]]); y = np.array([0.0, 1.0, 5.0])   # predicted by 1, 0 and 1\n"
            "print(loo_bandwidth(X, y, [0.05])[1])   # residuals -1, 1 and 4: should print 6",
        ),
        Misconception(
            "shortcut outside the square",
            _OTHER_RESIDUALS["shortcut outside the square"],
            "You divide the squared residuals by 1 - S_ii. Equation (5) divides the residuals themselves. Divide first, then "
            "square.",
            _STEP + "equation (5) is about residuals, and their squares are averaged afterwards.",
            USE + "X = np.array([[0.0], [0.1]]); y = np.array([0.0, 1.0])   # each is predicted by the other\n"
            "print(loo_bandwidth(X, y, [0.5])[1])   # residuals -1 and 1: should print 1",
        ),
        Misconception(
            "exponent without the 2",
            _OTHER_RESIDUALS["exponent without the 2"],
            "Your window is exp(-‖x-z‖²/σ²), so each width acts like one that is √2 times smaller. Divide by 2σ².",
            "Read “Nadaraya–Watson: weight neighbours by distance” again: the exponent has a factor 2.",
            USE + "X = np.array([[0.0], [1.0], [3.0]]); y = np.array([0.0, 0.0, 1.0])   # weights e^(-1/2), e^(-2), e^(-9/2)\n"
            "f = [1 / (np.exp(4) + 1), 1 / (np.exp(1.5) + 1), 0.0]\n"
            "print(loo_bandwidth(X, y, [1.0])[1] / np.mean((y - f) ** 2))   # should print 1",
        ),
    ),
    step=_STEP + "predict each point from the others, average the squared errors, and choose the smallest.",
    experiment=_L + "print(best)   # the smallest width must not win: should print 0.7",
    sizes=lambda X, y, sigmas: {"n": len(X), "m": len(sigmas)},
    allowed=KERNELS,
    view=_as_numbers,
    gives=lambda joined: (float(joined[0]), joined[1:]),
)  # fmt: skip


# -- 1.6


def _other_rows(X):
    return squares(X, X) > 0


def _compare(*, apart=_other_rows, keep=False, error=_mean_square, choose=np.argmin, extra=0):
    """Return a function that gives (σ, its error, k, its error); ``apart(X)`` says from which points each is predicted."""

    def answer(X, y, sigmas, ks):
        used = apart(X)
        if not used.any(axis=1).all():
            raise ValueError("a point has no other left")
        D = np.where(used | keep, squares(X, X), np.inf)
        near = np.argsort(D, axis=1, kind="stable")
        by_k = [error(y - y[near[:, : k + extra]].mean(axis=1)) for k in ks]
        by_sigma = []
        for s in sigmas:
            logs = -D / (2 * s**2)
            W = np.exp(logs - logs.max(axis=1, keepdims=True))
            by_sigma.append(error(y - W @ y / W.sum(axis=1)))
        i, j = choose(by_sigma), choose(by_k)
        return np.array([sigmas[i], by_sigma[i], ks[j], by_k[j]], dtype=float)

    return answer


def compare_smoothers(X, y, sigmas, ks):
    """Return (σ, its error, k, its error), each point predicted without all measurements at its input."""
    return _compare()(X, y, sigmas, ks)


def _averaged(X, y, sigmas, ks):
    """Make one point of all measurements at an input, with the mean of their targets."""
    inputs, which = np.unique(X, axis=0, return_inverse=True)
    return compare_smoothers(inputs, np.bincount(which.ravel(), y) / np.bincount(which.ravel()), sigmas, ks)


def _as_indices(X, y, sigmas, ks):
    sigma, e, k, f = compare_smoothers(X, y, sigmas, ks)
    return np.array([list(sigmas).index(sigma), e, list(ks).index(k), f])


def _chooses_others(wrong, found):
    """Whether a wrong answer chooses another window or another k on some of these inputs."""
    return any((wrong(*case) != compare_smoothers(*case))[::2].any() for case in found)


_OTHER_INPUTS = {
    "repeated measurements remain": _compare(apart=lambda X: ~np.eye(len(X), dtype=bool)),
    "repeated measurements averaged": _averaged,
    "one coordinate in common": _compare(apart=lambda X: (X[:, None] != X).all(axis=2)),
    "inputs compared by the first coordinate": _compare(apart=lambda X: X[:, None, 0] != X[:, 0]),
}


def _contests(rng, *, repeats=False):
    """Data in the plane, with two or three measurements at some inputs if asked; no best setting is at an end.

    With repeats, each way to leave out other inputs finds other settings, so that none is half right by chance.
    """
    found: list[tuple] = []
    for _ in attempts("compare_smoothers"):
        if len(found) == 2:
            if not repeats or all(_chooses_others(wrong, found) for wrong in _OTHER_INPUTS.values()):
                return found
            found = []
        n = 16 + len(found)
        X = rng.uniform(-2, 2, size=(n, 2))
        if repeats:
            X = np.repeat(X, rng.permutation(np.arange(n) % 3) + 1, axis=0)[: n + 8]
            # some inputs have one coordinate in common and are still different
            X[X[:, 0] == X[0, 0], 0], X[X[:, 1] == X[-1, 1], 1] = X[n // 2, 0], X[n // 2, 1]
        y = 2 * np.sin(2 * X[:, 0]) + X[:, 1] + 0.4 * rng.normal(size=len(X))
        case = (X, y, np.sort(rng.uniform(0.3, 2.0, size=5)), rng.permutation([2, 3, 5, 8]))
        sigma, _, k, _ = compare_smoothers(*case)
        inside = sigma not in (case[2][0], case[2][-1]) and k not in (2, 8)
        if not inside or _chooses_others(_compare(error=_mean_absolute), [case]):
            continue
        # an index that is always the same is no answer
        if not found or not np.equal(_as_indices(*case), _as_indices(*found[0]))[::2].any():
            found.append(case)


_C = USE + "X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]); y = np.array([0.0, 1.0, 0.0, 1.0, 0.0])\n"

COMPARE_SMOOTHERS = Exercise(
    name="compare_smoothers",
    chapter=CHAPTER,
    number="1.6",
    returns="four numbers, `return sigma, error_sigma, k, error_k`",
    reference=compare_smoothers,
    properties=(
        Property("finds the best window and the best k, with their leave-one-out errors", 3, _contests),
        Property(
            "leaves out all that was measured at the same input",
            2,
            lambda r: _contests(r, repeats=True),
            hint="Your answer fails only when inputs repeat or share a coordinate. Predict point i from every "
            "measurement whose row differs from X[i]. Among equal distances the smallest index counts, and "
            "each measurement has a residual.",
        ),
    ),
    promises=(
        Promise(
            "have the best window and the best k between two others",
            lambda X, y, sigmas, ks: all(
                min(grid) < best < max(grid)
                for best, grid in zip(compare_smoothers(X, y, sigmas, ks)[::2], (sigmas, ks), strict=True)
            ),
            of=(0, 1),
        ),
        Promise("have no input twice", lambda X, *_: len(np.unique(X, axis=0)) == len(X)),
        Promise("have two inputs with one coordinate in common", lambda X, *_: all(
            len(np.unique(X[:, j])) < len(np.unique(X, axis=0)) for j in (0, 1)), of=(1,)),
        Promise("have inputs twice and more", lambda X, *_: len(np.unique(X, axis=0)) < len(X) - 3, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "keeps the points",
            _compare(keep=True),
            "You compute training errors. Each point takes part in its own prediction. Leave out all points at its input.",
            _STEP + "f₋ᵢ is the smoother without point i.",
            _C + "print(compare_smoothers(X, y, [1e-3], [1])[1::2])   # neighbours are always wrong here: should print 1 and 1",
        ),
        Misconception(
            "absolute errors",
            _compare(error=_mean_absolute),
            "You average the absolute residuals. The error of a setting is the mean of the squared residuals. Square them.",
            _STEP + "the error is a mean of squares, with the unit g².",
            _C + "print(compare_smoothers(X, 10 * y, [1e-3], [1])[1])   # residuals of 10: should print 100",
        ),
        Misconception(
            "root of the mean square",
            _compare(error=_root_mean_square),
            "You take the root of the mean square. The error of a setting is the mean square itself. Leave out the root.",
            _STEP + "the error is a mean of squares, with the unit g².",
            _C + "print(compare_smoothers(X, 3 * y, [1e-3], [1])[1])   # residuals of 3: should print 9",
        ),
        Misconception(
            "sum of squares",
            _compare(error=_sum_of_squares),
            "You add the squared residuals. The error of a setting is their mean. Divide by n.",
            _STEP + "the error is a mean over all points.",
            _C + "print(compare_smoothers(X, y, [1e-3], [1])[1])   # five residuals of 1: should print 1",
        ),
        Misconception(
            "largest error",
            _compare(choose=np.argmax),
            "You return the settings of the largest errors, as argmax does. The best setting has the smallest error. Use "
            "argmin.",
            _STEP + "the error of the best setting is the minimum.",
            _C + "print(compare_smoothers(X, y, [1e-3, 100.0], [1, 4])[0])   # the wide window is better here: should print 100",
        ),
        Misconception(
            "indices for settings",
            _as_indices,
            "You return the indices of the best settings. The values should be the settings themselves. Return `sigmas[i]` and "
            "`ks[j]`.",
            _STEP + "the results are a width σ and a number k.",
            _C + "print(compare_smoothers(X, y, [0.5], [3])[::2])   # one candidate each: should print 0.5 and 3",
        ),
        Misconception(
            "repeated measurements remain",
            _OTHER_INPUTS["repeated measurements remain"],
            "You leave out point i alone. Other measurements at the same input have distance 0 and give it away. Leave out all "
            "rows equal to X[i].",
            _STEP + "its weak spot is an input that was measured several times.",
            _C + "print(compare_smoothers(np.repeat(X, 2, axis=0), np.repeat(y, 2), [1e-3], [2])[1::2])   # should print 1 and 1",
        ),
        Misconception(
            "repeated measurements averaged",
            _OTHER_INPUTS["repeated measurements averaged"],
            "You make one point of all measurements at an input. Each measurement keeps its target and has its own residual. "
            "Average over all n points.",
            _STEP + "every point has a residual y_i - f₋ᵢ(x_i).",
            USE + "X = np.array([[0.0], [0.0], [1.0]]); y = np.array([0.0, 3.0, 1.5])   # residuals -1.5, 1.5 and 0\n"
            "print(compare_smoothers(X, y, [1e-3], [2])[1])   # (2.25 + 2.25 + 0)/3: should print 1.5",
        ),
        Misconception(
            "one coordinate in common",
            _OTHER_INPUTS["one coordinate in common"],
            "You leave out every point that shares one coordinate with point i. Inputs are equal only if all coordinates are. "
            "Use `.any` instead of `.all`.",
            _STEP + "f₋ᵢ keeps every point at another input.",
            USE + "X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0]]); y = np.array([0.0, 0.0, 3.0])\n"
            "print(compare_smoothers(X, y, [1.0], [1])[3])   # the first two predict each other: should print 3",
        ),
        Misconception(
            "inputs compared by the first coordinate",
            _OTHER_INPUTS["inputs compared by the first coordinate"],
            "You compare the first coordinates only. An input is a whole row of X. Compare all columns.",
            _STEP + "f₋ᵢ keeps every point at another input.",
            USE + "X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 1.0]]); y = np.array([0.0, 0.0, 3.0])\n"
            "print(compare_smoothers(X, y, [1.0], [1])[3])   # the first two predict each other: should print 3",
        ),
        Misconception(
            "one neighbour too many",
            _compare(extra=1),
            "You average k + 1 neighbours, although the point itself is already left out. Use k of the remaining points. The "
            "window is right.",
            _STEP + "k-NN without point i averages its k nearest others.",
            USE + "X = np.array([[0.0], [1.0], [3.0]]); y = np.array([0.0, 3.0, 9.0])\n"
            "print(compare_smoothers(X, y, [1.0], [1])[3])   # residuals -3, 3 and 6: should print 18",
        ),
    ),
    step=_STEP + "for each candidate, predict every point from the points at other inputs and average the squared errors.",
    experiment=_C + "X2, y2 = np.vstack([X, X]), np.append(y, y)   # everything measured twice\n"
    "print(compare_smoothers(X2, y2, [1e-3], [1])[1])   # the second measurement must not help: should print 1",
    sizes=lambda X, y, sigmas, ks: {"n": len(X)},
    allowed=KERNELS,
    parts=("sigma", "error_sigma", "k", "error_k"),
)  # fmt: skip
