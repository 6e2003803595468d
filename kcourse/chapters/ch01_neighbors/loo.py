"""Exercises 1.4 and 1.6: the width by leave-one-out, and window against neighbours by leaving out whole times."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch01_neighbors.common import CHAPTER, KERNELS, USE, smoother
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Exercise, Misconception, Promise, Property, attempts

__all__ = ["COMPARE_SMOOTHERS", "LOO_BANDWIDTH"]


# -- 1.4


def loo_bandwidth(X, y, sigmas):
    """The width of least mean squared leave-one-out error, and that error for each width."""
    return _best(_residuals(X, y, sigmas, leave_out=True), sigmas)


def _residuals(X, y, sigmas, *, leave_out):
    """y_i - f(x_i) for each width, (m, n)."""
    return np.array([y - smoother(X, X, s, leave_out=leave_out) @ y for s in sigmas])


def _best(residuals, sigmas, *, error=lambda r: np.mean(r**2), choose=np.argmin):
    scores = np.array([error(r) for r in residuals])
    return np.append(np.asarray(sigmas)[choose(scores)], scores)


def _index_first(answer):
    return np.append(answer[1:].argmin(), answer[1:])


def _least_alone(answer):
    return np.array([answer[0], answer[1:].min()])


def _as_numbers(value, *_):
    """(best, scores) as one array of numbers."""
    if not isinstance(value, (tuple, list)) or len(value) != 2 or np.ndim(value[0]) or np.ndim(value[1]) != 1:
        return None
    return np.append(float(value[0]), np.asarray(value[1], dtype=float))


def _curve(rng, n, sigmas):
    X = rng.uniform(-2, 2, size=(n, 2))
    return X, 2 * np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n) + 1.0, sigmas


def _searches(rng):
    """Widths such that neither the least nor the largest is best, and 1 - S_ii keeps its digits for whoever divides by it."""
    found = []
    for _ in attempts("loo_bandwidth", until=lambda: len(found) == 2):
        case = _curve(rng, 14 + len(found), np.sort(rng.uniform(0.25, 2.5, size=5 + len(found))))
        errors = loo_bandwidth(*case)[1:]
        mae = np.abs(_residuals(*case, leave_out=True)).mean(axis=1)
        X, _, sigmas = case
        left = min(np.min(1 - np.diag(smoother(X, X, s))) for s in sigmas)
        if left > 1e-6 and 0 < errors.argmin() < len(errors) - 1 and mae.argmin() == errors.argmin():
            found.append(case)
    return found


def _shuffled(rng):
    X, y, sigmas = _searches(rng)[0]
    for _ in attempts("loo_bandwidth"):
        order = rng.permutation(sigmas)
        if (np.diff(order) < 0).any():
            return [(X, y, order)]


def _with_a_hermit(rng):
    """One point so far from all others that its own weight is the whole sum, to the last bit."""
    X, y, _ = _curve(rng, 12, None)
    X[5] += 400.0
    return [(X, y, np.array([0.4, 0.9, 1.7]))]


_L = USE + "X = np.array([[0.0], [1.0], [2.0], [4.0]]); y = np.array([0.0, 1.0, 4.0, 16.0])\n" \
    "best, scores = loo_bandwidth(X, y, [0.3, 0.7, 1.5])\n"  # fmt: skip

LOO_BANDWIDTH = Exercise(
    name="loo_bandwidth",
    chapter=CHAPTER,
    number="1.4",
    returns="the best width and the scores, `return best, scores`, with scores of shape (m,)",
    reference=loo_bandwidth,
    properties=(
        Property("finds the width of least leave-one-out error, and that error for each width", 2, _searches),
        Property(
            "works for widths in any order",
            1,
            _shuffled,
            hint="Your answer fails only when the widths do not come in ascending order: scores belong to the widths in the order "
            "in which these were given.",
        ),
        Property(
            "works where a point is far from all others",
            1,
            _with_a_hermit,
            hint="Your answer fails only when a point lies far from all others: in floating point all other weights are 0 there, "
            "and so is 1 - S_ii. Leave the point out of both sums and subtract the largest of the remaining exponents before you take "
            "exponentials, or refit with what you wrote in exercise 1.2.",
        ),
    ),
    promises=(
        Promise(
            "have their best width between two others, by squares and by absolute errors",
            lambda X, y, sigmas: all(
                sigmas.min() < sigmas[error(_residuals(X, y, sigmas, leave_out=True)).mean(axis=1).argmin()] < sigmas.max()
                for error in (np.square, np.abs)
            ),
            of=(0, 1),
        ),
        Promise(
            "leave digits in 1 - S_ii, for whoever divides by it",
            lambda X, y, sigmas: all(np.min(1 - np.diag(smoother(X, X, s))) > 1e-6 for s in sigmas),
            of=(0, 1),
        ),
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
            lambda X, y, sigmas: _best(_residuals(X, y, sigmas, leave_out=False), sigmas),
            "Your errors are training errors: each point takes part in its own prediction, so the smallest width always wins.",
            "Read “How wide? Leave-one-out” again: f₋ᵢ is made without point i.",
            _L + "print(loo_bandwidth(X, y, [1e-3])[1])   # without itself a point is predicted by its neighbour: must not be near 0",
        ),
        Misconception(
            "absolute errors",
            lambda X, y, sigmas: _best(_residuals(X, y, sigmas, leave_out=True), sigmas, error=lambda r: np.mean(np.abs(r))),
            "You average the absolute residuals; the mean of their squares is asked for.",
            "Read “How wide? Leave-one-out” again: the error there is a mean square.",
            _L + "print(loo_bandwidth(X, 10 * y, [0.7])[1] / scores[1])   # ten times the targets: should print 100",
        ),
        Misconception(
            "root of the mean square",
            lambda X, y, sigmas: _best(
                _residuals(X, y, sigmas, leave_out=True), sigmas, error=lambda r: np.sqrt(np.mean(r**2))),
            "You take the root of the mean square; the mean square itself is asked for.",
            "Read “How wide? Leave-one-out” again: its errors carry the unit g².",
            _L + "print(loo_bandwidth(X, 3 * y, [0.7])[1] / scores[1])   # three times the targets: should print 9",
        ),
        Misconception(
            "sum of squares",
            lambda X, y, sigmas: _best(_residuals(X, y, sigmas, leave_out=True), sigmas, error=lambda r: np.sum(r**2)),
            "You add the squared residuals; their mean is asked for.",
            "Read “How wide? Leave-one-out” again: divide by n.",
            _L + "far = np.vstack([X, X + 100]); print(loo_bandwidth(far, np.tile(y, 2), [0.7])[1] / scores[1])\n"
            "# the same data twice, far apart: the mean must not change, so 1",
        ),
        Misconception(
            "divided by n - 1",
            lambda X, y, sigmas: _best(
                _residuals(X, y, sigmas, leave_out=True), sigmas, error=lambda r: np.sum(r**2) / (len(r) - 1)),
            "You divide the sum of squares by n - 1; the mean over all n residuals is asked for.",
            "Read “How wide? Leave-one-out” again: the error is the mean of n squares.",
            USE + "X = np.array([[0.0], [1.0]]); y = np.array([0.0, 1.0])   # each is predicted by the other\n"
            "print(loo_bandwidth(X, y, [0.7])[1])   # residuals of -1 and 1: should print 1",
        ),
        Misconception(
            "variance of the residuals",
            lambda X, y, sigmas: _best(_residuals(X, y, sigmas, leave_out=True), sigmas, error=np.var),
            "You take the variance of the residuals, from which their mean is subtracted; the mean of their squares is asked for.",
            "Read “How wide? Leave-one-out” again: the error there is a mean square.",
            USE + "X = np.array([[0.0], [1.0], [10.0]]); y = np.array([0.0, 1.0, 10.0])   # residuals -1, 1, 9\n"
            "print(loo_bandwidth(X, y, [0.5])[1], (1 + 1 + 81) / 3)   # should be equal",
        ),
        Misconception(
            "largest error",
            lambda X, y, sigmas: _best(_residuals(X, y, sigmas, leave_out=True), sigmas, choose=np.argmax),
            "You return the width of the largest error: argmax where argmin is meant.",
            "Read “How wide? Leave-one-out” again: the least error wins.",
            _L + "print(best, scores)   # best must stand where scores is least",
        ),
        Misconception(
            "index for width",
            lambda X, y, sigmas: _index_first(_best(_residuals(X, y, sigmas, leave_out=True), sigmas)),
            "You return the place of the best width in the list; the width itself is asked for: `sigmas[i]`.",
            "Read “How wide? Leave-one-out” again: what is chosen is a σ.",
            _L + "print(best in (0.3, 0.7, 1.5))   # should be one of the candidates: True",
        ),
        Misconception(
            "the least score alone",
            lambda X, y, sigmas: _least_alone(_best(_residuals(X, y, sigmas, leave_out=True), sigmas)),
            "You return the best width and its own score; asked for are the scores of all widths, one for each, in their order.",
            "Read “How wide? Leave-one-out” again: the curve of all scores is what one looks at before one chooses.",
            _L + "print(np.shape(scores))   # a score for each of three widths: should print (3,)",
        ),
        Misconception(
            "point left in the denominator",
            lambda X, y, sigmas: _best(
                [y - (smoother(X, X, s) @ y - np.diag(smoother(X, X, s)) * y) for s in sigmas], sigmas),
            "You leave point i out of the upper sum only; the lower one still holds its weight.",
            "Read “How wide? Leave-one-out” again, step 4: both sums lose one term.",
            _L + "print(loo_bandwidth(X, np.ones(4), [0.7])[1])   # equal targets: every prediction is right, so 0",
        ),
        Misconception(
            "shortcut multiplied",
            lambda X, y, sigmas: _best(
                [(y - smoother(X, X, s) @ y) * (1 - np.diag(smoother(X, X, s))) for s in sigmas], sigmas),
            "You multiply by 1 - S_ii where (5) divides by it: left-out residuals are larger than training residuals.",
            "Read “How wide? Leave-one-out” again: equation (5).",
            _L + "print(loo_bandwidth(X, y, [0.2])[1])   # hardly any neighbours: should be larger than 1",
        ),
        Misconception(
            "average leverage",
            lambda X, y, sigmas: _best(
                [(y - smoother(X, X, s) @ y) / (1 - np.trace(smoother(X, X, s)) / len(y)) for s in sigmas], sigmas),
            "You divide every residual by 1 - tr S/n, which is generalised cross-validation; (5) has the S_ii of each point.",
            "Read “How wide? Leave-one-out” again: equation (5) has an index i on both sides.",
            USE + "X = np.array([[0.0], [0.1], [1.0]]); y = np.array([0.0, 1.0, 5.0])\nwithout = [1.0, 0.0]\n"
            "print(loo_bandwidth(X, y, [0.1])[1], ((0 - 1) ** 2 + (1 - 0) ** 2 + (5 - 1) ** 2) / 3)   # neighbours: should be near",
        ),
        Misconception(
            "shortcut outside the square",
            lambda X, y, sigmas: _best(
                [(y - smoother(X, X, s) @ y) / np.sqrt(1 - np.diag(smoother(X, X, s))) for s in sigmas], sigmas),
            "You divide the squared residuals by 1 - S_ii; it is the residuals that (5) divides, so their squares are divided by "
            "(1 - S_ii)².",
            "Read “How wide? Leave-one-out” again: first divide (5), then square, then average.",
            USE + "X = np.array([[0.0], [0.1]]); y = np.array([0.0, 1.0])   # two points, each predicted by the other\n"
            "print(loo_bandwidth(X, y, [0.5])[1])   # residuals of -1 and 1: should print 1",
        ),
        Misconception(
            "exponent without the 2",
            lambda X, y, sigmas: _best(_residuals(X, y, np.asarray(sigmas) / 2**0.5, leave_out=True), sigmas),
            "Your window is exp(-‖x-z‖²/σ²): the 2 is missing, so every width acts like one that is √2 times smaller.",
            "Read “Weight neighbours by distance” again, its paragraph on the factor 2.",
            USE + "X = np.array([[0.0], [1.0], [3.0]]); y = np.array([0.0, 0.0, 1.0])   # at 0 the others weigh e^(-1/2) to e^(-9/2)\n"
            "f = [1 / (np.exp(4) + 1), 1 / (np.exp(1.5) + 1), 0.0]\n"
            "print(loo_bandwidth(X, y, [1.0])[1], np.mean((y - f) ** 2))   # should be equal",
        ),
    ),
    step="Read “How wide? Leave-one-out” again: predict each point by the others, square, average, take the least.",
    experiment=_L + "print(best, scores)   # the smallest width must not win by itself: best is 0.7",
    sizes=lambda X, y, sigmas: {"n": len(X), "m": len(sigmas)},
    allowed=KERNELS,
    view=_as_numbers,
    gives=lambda joined: (float(joined[0]), joined[1:]),
)  # fmt: skip


# -- 1.6


def compare_smoothers(X, y, sigmas, ks):
    """(σ, its error, k, its error), each point predicted without all that were measured at the same place."""
    return _compare(X, y, sigmas, ks)


def _compare(
    X, y, sigmas, ks, *, groups=True, keep=False, error=lambda r: np.mean(r**2), choose=np.argmin, extra=0, apart=None
):
    D = squares(X, X)
    if apart is None:
        apart = D > 0 if groups else ~np.eye(len(X), dtype=bool)
    if not apart.any(axis=1).all():
        raise ValueError("a point has no other left")
    D = np.where(apart | keep, D, np.inf)
    near = np.argsort(D, axis=1, kind="stable")
    by_k = np.array([error(y - y[near[:, : k + extra]].mean(axis=1)) for k in ks])
    by_sigma = []
    for s in sigmas:
        logs = -D / (2 * s**2)
        W = np.exp(logs - logs.max(axis=1, keepdims=True))
        by_sigma.append(error(y - W @ y / W.sum(axis=1)))
    i, j = choose(by_sigma), choose(by_k)
    return np.array([sigmas[i], by_sigma[i], ks[j], by_k[j]], dtype=float)


def _merged(X, y, sigmas, ks, *, every):
    """One point for each place, with the mean of what was measured there; errors over places, or over ``every`` point."""
    places, which = np.unique(X, axis=0, return_inverse=True)
    size = np.bincount(which.ravel())
    mean = np.bincount(which.ravel(), y) / size
    within = np.sum((y - mean[which.ravel()]) ** 2)
    error = (lambda r: (size @ r**2 + within) / len(y)) if every else (lambda r: np.mean(r**2))
    return _compare(places, mean, sigmas, ks, error=error)


def _as_indices(X, y, sigmas, ks):
    sigma, e, k, f = _compare(X, y, sigmas, ks)
    return np.array([list(sigmas).index(sigma), e, list(ks).index(k), f])


def _contests(rng, *, repeats=False):
    """Data in the plane, some places measured twice or three times if asked, where every mistake changes a number."""
    found = []
    for _ in attempts("compare_smoothers", until=lambda: len(found) == 2):
        n = 16 + len(found)
        X = rng.uniform(-2, 2, size=(n, 2))
        if repeats:
            X = np.repeat(X, rng.permutation(np.arange(n) % 3) + 1, axis=0)[: n + 8]
            # some share one coordinate and are two places all the same
            X[X[:, 0] == X[0, 0], 0], X[X[:, 1] == X[-1, 1], 1] = X[n // 2, 0], X[n // 2, 1]
        y = 2 * np.sin(2 * X[:, 0]) + X[:, 1] + 0.4 * rng.normal(size=len(X))
        case = (X, y, np.sort(rng.uniform(0.3, 2.0, size=5)), rng.permutation([2, 3, 5, 8]))
        sigma, _, k, _ = compare_smoothers(*case)
        if sigma not in (case[2][0], case[2][-1]) and k not in (2, 8):
            found.append(case)
    return found


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
            "leaves out all that was measured at the same place",
            2,
            lambda r: _contests(r, repeats=True),
            hint="Your answer fails only when some places were measured more than once and some have one coordinate in common: point i "
            "is predicted without all points at its place, by every point at another place as it stands, and each of the n points has a "
            "residual of its own.",
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
        Promise("have no place twice", lambda X, *_: len(np.unique(X, axis=0)) == len(X)),
        Promise("have two places with one coordinate in common", lambda X, *_: all(
            len(np.unique(X[:, j])) < len(np.unique(X, axis=0)) for j in (0, 1)), of=(1,)),
        Promise("have places twice and more", lambda X, *_: len(np.unique(X, axis=0)) < len(X) - 3, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "keeps the points",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, keep=True),
            "Your errors are training errors: the point itself takes part in its own prediction.",
            "Read “How wide? Leave-one-out” again: f₋ᵢ is made without point i.",
            _C + "print(compare_smoothers(X, y, [1e-3], [1]))   # the neighbours are always wrong here: both errors should be 1",
        ),
        Misconception(
            "absolute errors",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, error=lambda r: np.mean(np.abs(r))),
            "You average absolute residuals; the mean of their squares is asked for.",
            "Read “How wide? Leave-one-out” again: the error there is a mean square.",
            _C + "print(compare_smoothers(X, 10 * y, [1e-3], [1])[1])   # residuals of 10: should print 100",
        ),
        Misconception(
            "root of the mean square",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, error=lambda r: np.sqrt(np.mean(r**2))),
            "You take the root of the mean square; the mean square itself is asked for.",
            "Read “How wide? Leave-one-out” again: its errors carry the unit g².",
            _C + "print(compare_smoothers(X, 3 * y, [1e-3], [1])[1])   # residuals of 3: should print 9",
        ),
        Misconception(
            "sum of squares",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, error=lambda r: np.sum(r**2)),
            "You add the squared residuals; their mean is asked for.",
            "Read “How wide? Leave-one-out” again: divide by n.",
            _C + "print(compare_smoothers(X, y, [1e-3], [1])[1])   # five residuals of 1: the mean should be 1",
        ),
        Misconception(
            "largest error",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, choose=np.argmax),
            "You return the settings of largest error: argmax where argmin is meant.",
            "Read “How wide? Leave-one-out” again: the least error wins.",
            _C + "print(compare_smoothers(X, y, [1e-3, 100.0], [1, 4]))   # wide is better here: should begin with 100",
        ),
        Misconception(
            "indices for settings",
            _as_indices,
            "You return the places of the best settings in their lists; the settings themselves are asked for.",
            "Read “How wide? Leave-one-out” again: what is chosen is a σ and a k.",
            _C + "print(compare_smoothers(X, y, [0.5], [3]))   # one candidate each: should print 0.5 and 3, with their errors",
        ),
        Misconception(
            "window and neighbours exchanged",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks)[[2, 3, 0, 1]],
            "You return k and its error first; asked for are σ and its error, then k and its error.",
            "Read “Back to the crash” again, and the docstring: the window comes first.",
            _C + "print(compare_smoothers(X, y, [0.7], [2]))   # should begin with the width 0.7",
        ),
        Misconception(
            "errors exchanged",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks)[[0, 3, 2, 1]],
            "The two errors have changed places: each belongs behind its own setting.",
            "Read “Back to the crash” again: a row of that table is a method and its own error.",
            _C + "print(compare_smoothers(X, y, [1e-3], [2]))   # a tiny window: the error behind 0.001 should be 1",
        ),
        Misconception(
            "twins remain",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, groups=False),
            "You leave out point i alone: where an input was measured more than once, a copy at distance 0 gives the answer away.",
            "Read “How wide? Leave-one-out” again: its weak spot is an input that was measured several times.",
            _C + "print(compare_smoothers(np.repeat(X, 2, axis=0), np.repeat(y, 2), [1e-3], [2]))   # both errors should be 1",
        ),
        Misconception(
            "twins merged",
            lambda X, y, sigmas, ks: _merged(X, y, sigmas, ks, every=False),
            "You make one point of all that was measured at a place, with their mean as its target; each measurement keeps its own "
            "target, and has a residual of its own.",
            "Read “How wide? Leave-one-out” again: every point has a residual y_i - f₋ᵢ(x_i).",
            USE + "X = np.array([[0.0], [0.0], [1.0]]); y = np.array([0.0, 2.0, 1.0])   # the twins are wrong by 1 each\n"
            "print(compare_smoothers(X, y, [1e-3], [1])[1], 2 / 3)   # should be equal",
        ),
        Misconception(
            "twins merged in the prediction",
            lambda X, y, sigmas, ks: _merged(X, y, sigmas, ks, every=True),
            "You predict from the means of the places, each counted once; every measurement at another place is a point, with a say of "
            "its own.",
            "Read “How wide? Leave-one-out” again: the sums of f₋ᵢ run over points, not over places.",
            USE + "X = np.array([[0.0], [1.0], [1.0], [2.0]]); y = np.array([0.0, 3.0, 3.0, 0.0])\n"
            "print(compare_smoothers(X, y, [1e3], [3])[1], (4 + 9 + 9 + 4) / 4)   # each by the mean of all others: should be near",
        ),
        Misconception(
            "one coordinate in common",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, apart=(X[:, None] != X).all(axis=2)),
            "You leave out every point that has one coordinate in common with point i, `.all` where `.any` is meant: another place is "
            "one that differs in some coordinate.",
            "Read “How wide? Leave-one-out” again: f₋ᵢ has all points but those at x_i.",
            USE + "X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 5.0]]); y = np.array([0.0, 0.0, 1.0])\n"
            "print(compare_smoothers(X, y, [1.0], [1])[3], 1 / 3)   # the first two are each other's nearest: should be equal",
        ),
        Misconception(
            "places by the first coordinate",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, apart=X[:, None, 0] != X[:, 0]),
            "You compare the first coordinates alone; a place is a whole row of X.",
            "Read “How wide? Leave-one-out” again: f₋ᵢ has all points but those at x_i.",
            USE + "X = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 1.0]]); y = np.array([0.0, 0.0, 1.0])\n"
            "print(compare_smoothers(X, y, [1.0], [1])[3], 1 / 3)   # the first two are two places: should be equal",
        ),
        Misconception(
            "one neighbour too many",
            lambda X, y, sigmas, ks: _compare(X, y, sigmas, ks, extra=1),
            "The window is right, but your k-NN averages k + 1 points: the point itself is out already.",
            "Read “How wide? Leave-one-out” again, its paragraph on k-NN: k others, not k + 1.",
            USE + "X = np.array([[0.0], [1.0], [3.0]]); y = np.array([0.0, 2.0, 8.0])\n"
            "print(compare_smoothers(X, y, [1.0], [1])[3], (4 + 4 + 36) / 3)   # one neighbour each: should be equal",
        ),
    ),
    step="Read “How wide? Leave-one-out” again: the same loop over candidates, once with a window and once with neighbours.",
    experiment=_C + "X2, y2 = np.vstack([X, X]), np.append(y, y)   # everything measured twice\n"
    "print(compare_smoothers(X2, y2, [1e-3], [1])[1])   # the twin must not help: 1\n"
    "print(compare_smoothers(X2, np.append(y, 0 * y), [1e-3], [1])[3])   # of equally near points the first counts: 0.8",
    sizes=lambda X, y, sigmas, ks: {"n": len(X)},
    allowed=KERNELS,
    parts=("sigma", "error_sigma", "k", "error_k"),
)  # fmt: skip
