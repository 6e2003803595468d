"""Exercises 1.1, 1.2 and 1.5: the mean of neighbours, the weighted mean, and the matrix of the first."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch01_neighbors.common import (
    CHAPTER,
    KERNELS,
    LINE,
    USE,
    farthest,
    neighbourhoods,
    order,
    points,
    smoother,
    targets,
    ties,
)
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, differences, squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property

__all__ = ["KNN_REGRESS", "KNN_SMOOTHER", "NADARAYA_WATSON"]


# -- 1.1


def knn_regress(X, y, Xq, k):
    """The mean target of the k nearest points; of equal distances the smallest index first."""
    return y[order(X, Xq)[:, :k]].mean(axis=1)


def _by_angle(Xq, X):
    """Minus the cosine of the angle at the origin, (q, n)."""
    return -(Xq @ X.T) / _lengths(Xq)[:, None] / _lengths(X)


def _by(distance):
    """The same with another distance, a function (Xq, X) -> (q, n)."""

    def answer(X, y, Xq, k):
        return y[np.argsort(distance(Xq, X), axis=1, kind="stable")[:, :k]].mean(axis=1)

    return answer


def _lengths(X):
    return np.maximum(np.sqrt((X**2).sum(axis=1)), 1e-9)


def _weighted(X, y, Xq, k):
    near = order(X, Xq)[:, :k]
    weights = 1 / np.sqrt(np.take_along_axis(squares(Xq, X), near, axis=1))
    return (weights * y[near]).sum(axis=1) / weights.sum(axis=1)


KNN_REGRESS = Exercise(
    name="knn_regress",
    chapter=CHAPTER,
    number="1.1",
    returns="the predictions f(x_q), shape (q,), one for each row of Xq",
    reference=knn_regress,
    properties=(
        Property(
            "averages the targets of the k nearest points, in two and three dimensions",
            2,
            lambda r: [(X, targets(r, len(X)), Xq, k) for X, Xq, k in neighbourhoods(r)],
        ),
        Property(
            "takes, of points that are equally far, those that stand first in X",
            1,
            lambda r: [(X, targets(r, len(X)), Xq, k) for X, Xq, k in ties(r)],
            hint="Your answer fails only when distances are equal: of equal ones the smallest index counts, and k points have "
            'a say, no more. np.argsort keeps that order with kind="stable"; its default and np.argpartition do not, and a '
            "comparison like `D <= kth` lets in all that are equal.",
        ),
        Property(
            "works when y holds whole numbers",
            1,
            lambda r: [(X, r.integers(-9, 10, size=len(X)), Xq, k) for X, Xq, k in neighbourhoods(r)[:2]],
            hint="Your answer fails only when y holds whole numbers: something takes over their integer type, as an array "
            "made like y does, and cuts the decimals of a mean. Start from np.zeros(len(Xq)).",
        ),
    ),
    promises=(
        Promise(
            "have no two points equally far from a query",
            lambda X, y, Xq, k: np.diff(np.sort(squares(Xq, X), axis=1)).min() > 1e-9,
            of=(0, 2),
        ),
        Promise(
            "have fewer queries than points, and more",
            lambda found: {len(args[2]) > len(args[0]) for args in found} == {True, False},
            together=True,
        ),
        Promise(
            "let the rule for equal distances decide for three queries or more",
            lambda X, y, Xq, k: (order(X, Xq)[:, :k] != order(X, Xq, last=True)[:, :k]).any(axis=1).sum() > 2,
            of=(1,),
        ),
    ),
    misconceptions=(
        Misconception(
            "farthest points",
            lambda X, y, Xq, k: y[farthest(X, Xq, k)].mean(axis=1),
            "You average the k points that are farthest away: the distances are sorted downwards, or the slice takes the end.",
            "Read “Average the k nearest neighbours” again: np.argsort sorts upwards, so the nearest come first, `[:k]`.",
            LINE + "print(knn_regress(X, y, np.array([[0.1]]), 1))   # the nearest is 0, whose target is 0",
        ),
        Misconception(
            "one neighbour too many",
            Changed(knn_regress, lambda X, y, Xq, k: (X, y, Xq, k + 1)),
            "You average k + 1 points: the slice `[:k]` already has k of them, and a query is not one of the points.",
            "Read “Average the k nearest neighbours” again, the two predictions by hand with k = 2.",
            LINE + "print(knn_regress(X, y, np.array([[3.9]]), 1))   # one neighbour, the point 4: should print 16",
        ),
        Misconception(
            "one neighbour too few",
            Changed(knn_regress, lambda X, y, Xq, k: (X, y, Xq, k - 1)),
            "You average k - 1 points: the slice ends early, since `[:k]` leaves out index k but has k entries.",
            "Read “Average the k nearest neighbours” again, the two predictions by hand with k = 2.",
            LINE + "print(knn_regress(X, y, np.array([[0.9]]), 2))   # the points 1 and 0: should print 0.5",
        ),
        Misconception(
            "the nearest left out",
            lambda X, y, Xq, k: y[order(X, Xq)[:, 1 : k + 1]].mean(axis=1),
            "You leave out the nearest point, `[1:k + 1]`: that is right where a training point asks about itself, but here the "
            "queries are new.",
            "Read “Average the k nearest neighbours” again: the mean runs over all k nearest, the first included.",
            LINE + "print(knn_regress(X, y, np.array([[2.1]]), 1))   # the nearest is 2, whose target is 4",
        ),
        Misconception(
            "sum for mean",
            lambda X, y, Xq, k: k * knn_regress(X, y, Xq, k),
            "You return the sum of the k targets: a mean divides by k.",
            "Read “Average the k nearest neighbours” again: equation (1) has 1/k in front of the sum.",
            LINE + "for k in (1, 2, 4):\n    print(knn_regress(X, np.ones(4), X[:1], k))   # equal targets: should print 1 for every k",
        ),
        Misconception(
            "divided by n",
            lambda X, y, Xq, k: k / len(X) * knn_regress(X, y, Xq, k),
            "You divide the sum of the k targets by n: a mean over k points divides by k.",
            "Read “Average the k nearest neighbours” again: equation (1) has 1/k in front of the sum.",
            LINE + "print(knn_regress(X, 3 * np.ones(4), X[:1], 2))   # equal targets, all 3: should print 3",
        ),
        Misconception(
            "median for mean",
            lambda X, y, Xq, k: np.median(y[order(X, Xq)[:, :k]], axis=1),
            "You take the median of the k targets: robust, and another method; the mean is asked for.",
            "Read “Average the k nearest neighbours” again: equation (1) is a mean.",
            LINE + "print(knn_regress(X, y, X[:1], 3))   # targets 0, 1, 4: should print 5/3",
        ),
        Misconception(
            "weights one over distance",
            _weighted,
            "You weight the neighbours by 1 over their distance; in k-NN each of them has the same weight.",
            "Read “Average the k nearest neighbours” again: in (1) each of the k targets has the weight 1/k.",
            LINE + "print(knn_regress(X, y, np.array([[0.1]]), 2))   # the points 0 and 1 count alike: should print 0.5",
        ),
        Misconception(
            "mean of the distances",
            lambda X, y, Xq, k: np.sort(np.sqrt(squares(Xq, X)), axis=1)[:, :k].mean(axis=1),
            "You average the k smallest distances; what is asked for is the mean of the targets of these points.",
            "Read “Average the k nearest neighbours” again: distances choose the points, and then y is averaged.",
            LINE + "print(knn_regress(X, y, X[3:], 1))   # at the point 4 itself: should be its target, 16",
        ),
        Misconception(
            "mean of the indices",
            lambda X, y, Xq, k: order(X, Xq)[:, :k].mean(axis=1),
            "You average the indices that argsort returns; they say where to look in y: `y[nearest]`.",
            "Read “Average the k nearest neighbours” again, the last line of `knn_at`.",
            LINE + "print(knn_regress(X, 100 * y, X[3:], 1))   # at the point 4 itself: should be its target, 1600",
        ),
        Misconception(
            "first feature only",
            _by(lambda Xq, X: np.abs(Xq[:, :1] - X[:, 0])),
            "You measure distance along the first column of X and ignore the others.",
            "Read “Average the k nearest neighbours” again: points lie in d dimensions, and so does their distance.",
            USE + "X = np.array([[0.0, 5.0], [1.0, 0.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # (1, 0) is nearer than (0, 5): should print 2",
        ),
        Misconception(
            "sum of absolute differences",
            _by(lambda Xq, X: np.abs(differences(Xq, X)).sum(axis=2)),
            "You add the absolute differences of the features; Euclidean distance adds their squares.",
            "Read “Which distance?” again: distances are sums of squares over all features.",
            USE + "X = np.array([[0.0, 3.1], [2.0, 2.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # √8 is less than 3.1: should print 2",
        ),
        Misconception(
            "largest difference",
            _by(lambda Xq, X: np.abs(differences(Xq, X)).max(axis=2)),
            "You take the largest difference of the features for the distance; Euclidean distance adds the squares of all of them.",
            "Read “Which distance?” again: distances are sums of squares over all features.",
            USE + "X = np.array([[2.0, 2.0], [2.5, 0.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # 2.5 is less than √8: should print 2",
        ),
        Misconception(
            "differences summed before squaring",
            _by(lambda Xq, X: np.abs(differences(Xq, X).sum(axis=2))),
            "You add the differences of the features before squaring, so that +1 and -1 cancel; square each one, then add.",
            "Read “Which distance?” again: distances are sums of squares over all features.",
            USE + "X = np.array([[3.0, -3.0], [1.0, 0.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # (1, 0) is nearer than (3, -3): should print 2",
        ),
        Misconception(
            "most alike by inner product",
            _by(lambda Xq, X: -(Xq @ X.T)),
            "You take the points of largest inner product with the query; nearest means smallest distance.",
            "Read “Average the k nearest neighbours” again: it is the distance that chooses.",
            USE + "X = np.array([[9.0, 9.0], [1.0, 1.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.ones((1, 2)), 1))   # the query is the second point: should print 2",
        ),
        Misconception(
            "most alike by angle",
            _by(lambda Xq, X: _by_angle(Xq, X)),
            "You take the points of smallest angle with the query, seen from the origin; nearest means smallest distance.",
            "Read “Average the k nearest neighbours” again: it is the distance that chooses.",
            USE + "X = np.array([[5.0, 5.0], [1.0, 0.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.ones((1, 2)), 1))   # (1, 0) is nearer than (5, 5): should print 2",
        ),
    ),
    step="Read “Average the k nearest neighbours” again: distances to all points, the k smallest, the mean of their targets.",
    experiment=LINE + "print(knn_regress(X, y, np.array([[0.9], [3.2]]), 2))   # as in the chapter: should print 0.5 and 10",
    sizes=lambda X, y, Xq, k: {"n": len(X), "k": k, "q": len(Xq), "d": X.shape[1]},
    allowed=KERNELS,
)  # fmt: skip


# -- 1.2


def nadaraya_watson(X, y, Xq, sigma):
    """Σ_i y_i k(x, x_i) / Σ_j k(x, x_j) with a Gaussian, through exponents whose largest is 0."""
    return smoother(X, Xq, sigma) @ y


def _smooth_with(kernel):
    """The whole weighted mean with another kernel, a function (X, Z, sigma)."""

    def answer(X, y, Xq, sigma):
        W = kernel(Xq, X, sigma)
        return W @ y / W.sum(axis=1)

    return answer


def _weights(X, Xq, sigma):
    return np.exp(-squares(Xq, X) / (2 * sigma**2))


def smoothing_inputs(rng, shift=0.0):
    shapes = [(6, 2, 4, rng.uniform(0.6, 0.8)), (8, 3, 5, rng.uniform(1.3, 1.7)), (7, 2, 10, rng.uniform(0.7, 0.9))]
    return [(points(rng, n, d), targets(rng, n), points(rng, q, d) + shift, float(sigma)) for n, d, q, sigma in shapes]


# two points on the first axis, at distances a and b from the query at 0: f = k(a) / (k(a) + k(b))
_SEE = USE + "def ratio(a, b, s):   # k(a)/k(b), by your function\n" \
    "    f = nadaraya_watson(np.array([a, b]), np.array([1.0, 0.0]), np.zeros((1, 2)), s)[0]\n    return f / (1 - f)\n"  # fmt: skip
_KERNELS = (  # name, step, experiment
    (
        "exponent without the 2",
        "Read “Weight neighbours by distance” again, its paragraph on the factor 2.",
        _SEE + "print(np.log(ratio([0.0, 0.0], [0.7, 0.0], 0.7)))   # at distance σ: should print 1/2",
    ),
    (
        "brackets missing in the exponent",
        "Read “Weight neighbours by distance” again: σ² stands below the line, so a larger σ gives more points a weight.",
        _SEE
        + "for s in (0.5, 2.0):\n    print(ratio([0.0, 0.0], [1.0, 0.0], s))   # the second should be smaller: a wider window",
    ),
    (
        "sigma used as gamma",
        "Read “Weight neighbours by distance” again: σ has the unit of x and stands squared below the line.",
        _SEE
        + "for s in (0.5, 2.0):\n    print(ratio([0.0, 0.0], [s, 0.0], s))   # at distance σ each time: must not change",
    ),
    (
        "sigma not squared",
        "Read “Weight neighbours by distance” again: the exponent is a square over a square.",
        _SEE + "for unit in (1.0, 10.0):   # centimetres, millimetres\n"
        "    print(ratio([0.0, 0.0], [0.5 * unit, 0.0], 0.7 * unit))   # should be equal",
    ),
    (
        "one over sigma for gamma",
        "Read “Weight neighbours by distance” again: the denominator is 2σ².",
        _SEE
        + "print(ratio([0.0, 0.0], [1.0, 0.0], 0.5), ratio([0.0, 0.0], [4.0, 0.0], 2.0))   # both at 2σ: should be equal",
    ),
    (
        "distance not squared",
        "Read “Weight neighbours by distance” again: the exponent has the squared distance.",
        _SEE
        + "print(np.log(ratio([0.0, 0.0], [2.0, 0.0], 1.0)) / np.log(ratio([0.0, 0.0], [1.0, 0.0], 1.0)))   # should print 4",
    ),
    (
        "neither distance nor sigma squared",
        "Read “Weight neighbours by distance” again: ‖x-z‖² stands over 2σ².",
        _SEE
        + "print(np.log(ratio([0.0, 0.0], [3.0, 0.0], 1.0)) / np.log(ratio([0.0, 0.0], [1.0, 0.0], 1.0)))   # should print 9",
    ),
    (
        "minus sign missing",
        "Read “Weight neighbours by distance” again: the weights fall with the distance, so the exponent starts with a minus.",
        _SEE + "print(ratio([0.0, 0.0], [1.0, 0.0], 1.0))   # the nearer of two points: should be above 1",
    ),
    (
        "distances feature by feature",
        "Read “Which distance?” again: squared distances are sums of squares over the features.",
        _SEE + "print(ratio([3.0, 4.0], [5.0, 0.0], 5.0))   # both at distance 5: should print 1",
    ),
    (
        "summed before squaring",
        "Read “Which distance?” again: squared distances are sums of squares over the features.",
        _SEE
        + "print(ratio([0.0, 0.0], [1.0, -1.0], 1.0))   # the query itself against another point: should be above 1",
    ),
    (
        "mean over the features",
        "Read “Which distance?” again: squared distances are sums over all features.",
        _SEE + "print(np.log(ratio([0.0, 0.0], [1.0, 1.0], 1.0)))   # at distance √2: should print 1",
    ),
    (
        "first feature only",
        "Read “Which distance?” again: squared distances are sums over all features.",
        _SEE + "print(ratio([1.0, 0.0], [0.0, 1.0], 1.0))   # both at distance 1: should print 1",
    ),
)
_ONE = USE + "X = np.array([[0.0], [1.0], [3.0]]); Xq = np.array([[0.2], [2.0]])\n"

NADARAYA_WATSON = Exercise(
    name="nadaraya_watson",
    chapter=CHAPTER,
    number="1.2",
    returns="the predictions f(x_q), shape (q,), one for each row of Xq",
    reference=nadaraya_watson,
    properties=(
        Property("is the weighted mean, in two and three dimensions", 2, smoothing_inputs),
        Property(
            "gives the target of the nearest point far away from all",
            1,
            lambda r: smoothing_inputs(r, shift=1e4)[:2],
            hint="Your answer fails only far from all points: there the weights, computed as they are written, underflow to 0. "
            "Subtract the largest exponent of each row before you take exponentials.",
        ),
        Property(
            "answers a single query with an array of one number",
            1,
            lambda r: [(X, y, Xq[:1], s) for X, y, Xq, s in smoothing_inputs(r)[:2]],
            hint="Your answer fails only for a single query. With one row in Xq it must have shape (1,): np.squeeze, float() "
            "or a sum over everything lose it.",
        ),
    ),
    promises=(
        Promise(
            "are so far away that every weight underflows, and one point is nearest by far",
            lambda X, y, Xq, s: not _weights(X, Xq, s).any() and smoother(X, Xq, s).max(axis=1).min() > 1 - 1e-9,
            of=(1,),
        ),
    ),
    misconceptions=(
        Misconception(
            "not normalised",
            lambda X, y, Xq, sigma: _weights(X, Xq, sigma) @ y,
            "You add the weighted targets and do not divide by the sum of the weights.",
            "Read “Weight neighbours by distance” again: (2) is a quotient.",
            _ONE + "print(nadaraya_watson(X, 5 * np.ones(3), Xq, 0.8))   # equal targets, all 5: should print 5",
        ),
        Misconception(
            "normalised over the queries",
            lambda X, y, Xq, sigma: (_weights(X, Xq, sigma) / _weights(X, Xq, sigma).sum(axis=0)) @ y,
            "You divide each column of the weights by its sum, over the queries; each row has to sum to 1, over the points.",
            "Read “Find the error” again: it is that error.",
            _ONE + "print(nadaraya_watson(X, 5 * np.ones(3), Xq[:1], 0.8), nadaraya_watson(X, 5 * np.ones(3), Xq, 0.8))"
            "   # all should be 5",
        ),
        Misconception(
            "divided by the sum of all weights",
            lambda X, y, Xq, sigma: _weights(X, Xq, sigma) @ y / _weights(X, Xq, sigma).sum(),
            "You divide by the sum of the whole matrix of weights; each query has a sum of its own, axis=1.",
            "Read “One smoother matrix for both” again: every row sums to 1.",
            _ONE + "print(nadaraya_watson(X, 5 * np.ones(3), Xq, 0.8), 'must both be 5')",
        ),
        Misconception(
            "divided by n",
            lambda X, y, Xq, sigma: _weights(X, Xq, sigma) @ y / len(X),
            "You divide by n; a weighted mean divides by the sum of its weights.",
            "Read “Weight neighbours by distance” again: below the line stands the sum of the weights.",
            _ONE + "print(nadaraya_watson(X, 2 * np.ones(3), Xq, 0.8))   # equal targets, all 2: should print 2",
        ),
        Misconception(
            "weights without targets",
            lambda X, y, Xq, sigma: _weights(X, Xq, sigma).sum(axis=1),
            "You return the sums of the weights; the targets y do not occur.",
            "Read “Weight neighbours by distance” again: above the line every weight is multiplied with its y_i.",
            _ONE + "print(nadaraya_watson(X, 4 * np.ones(3), Xq, 0.8))   # equal targets, all 4: should print 4",
        ),
        Misconception(
            "divided by the largest weight",
            lambda X, y, Xq, sigma: _weights(X, Xq, sigma) @ y / _weights(X, Xq, sigma).max(axis=1),
            "You divide by the largest weight; subtracting the largest exponent is for safety, and the sum is still to be divided by.",
            "Read “Far from the data: underflow” again: numerator and denominator are multiplied by the same number.",
            _ONE + "print(nadaraya_watson(X, 6 * np.ones(3), Xq, 0.8))   # equal targets, all 6: should print 6",
        ),
        Misconception(
            "density above the line",
            lambda X, y, Xq, sigma: nadaraya_watson(X, y, Xq, sigma) * (2 * np.pi * sigma**2) ** (-X.shape[1] / 2),
            "The factor of a normal density stands above the line and not below it; it cancels, so leave it out or write it twice.",
            "Read “The weighted mean is a conditional expectation” again: the same bells stand above and below the line.",
            _ONE + "for s in (0.4, 0.8):\n    print(nadaraya_watson(X, 7 * np.ones(3), Xq, s))   # equal targets, all 7: should print 7",
        ),
        *(
            Misconception(
                name, _smooth_with(GAUSSIAN_MISTAKES[name][0]),
                GAUSSIAN_MISTAKES[name][1], step, code,
            )
            for name, step, code in _KERNELS
        ),
        Misconception(
            "train and query points swapped",
            None,
            "Two shapes do not meet. The matrix of weights has a row for each query and a column for each of the n points, and it is "
            "the columns that meet the n numbers of y.",
            "Read “One smoother matrix for both” again: S has q rows and n columns.",
            LINE + "print(nadaraya_watson(X, y, np.array([[0.2], [0.4], [0.6]]), 1.0).shape)   # three queries: should print (3,)",
            error=r"(ValueError|LinAlgError): .*(mismatch|not aligned|broadcast|ncompatible|shape)",
        ),
    ),
    observations=(
        Observation(
            "nadaraya_watson returned a value outside the range of y, which no weighted mean with weights of at least 0 can have.",
            lambda value, X, y, Xq, sigma: value.size and (value.max() > y.max() + 1e-9 or value.min() < y.min() - 1e-9),
        ),
    ),
    step="Read “Weight neighbours by distance” again: weights, weighted sum, divided by the sum of the weights.",
    experiment=USE + "X = np.array([[0.0], [1.0], [2.0]]); y = np.array([0.0, 1.0, 4.0])\n"
    "print(nadaraya_watson(X, y, np.array([[1.0]]), 1.0))   # should print (1 + 4r)/(1 + 2r), r = exp(-1/2)",
    sizes=lambda X, y, Xq, sigma: {"n": len(X), "q": len(Xq), "σ": sigma, "d": X.shape[1]},
    allowed=KERNELS,
)  # fmt: skip


# -- 1.5


def knn_smoother(X, Xq, k):
    """S (q, n) with 1/k at the k nearest."""
    S = np.zeros((len(Xq), len(X)))
    np.put_along_axis(S, order(X, Xq)[:, :k], 1 / k, axis=1)
    return S


def _chosen(X, Xq, near, k):
    S = np.zeros((len(Xq), len(X)))
    np.put_along_axis(S, near, 1 / k, axis=1)
    return S


def _columns_for_all(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    S[:, order(X, Xq)[:, :k]] = 1 / k
    return S


def _of_each_point(X, Xq, k):
    """The k nearest queries of each point, in its column."""
    S = np.zeros((len(X), len(Xq)))
    np.put_along_axis(S, order(Xq, X)[:, :k], 1 / k, axis=1)
    return S.T


_S = (
    USE
    + "X = np.array([[0.0], [1.0], [2.0], [4.0]]); Xq = np.array([[0.9], [3.2], [1.2]])\nS = knn_smoother(X, Xq, 2)\n"
)

KNN_SMOOTHER = Exercise(
    name="knn_smoother",
    chapter=CHAPTER,
    number="1.5",
    returns="the matrix S, shape (q, n): a row for each query, a column for each point",
    reference=knn_smoother,
    properties=(
        Property("has 1/k at the k nearest points of each query, and 0 elsewhere", 2, neighbourhoods),
        Property(
            "takes, of points that are equally far, those that stand first in X",
            1,
            ties,
            hint="Your answer fails only when distances are equal: of equal ones the smallest index counts, and there are "
            'exactly k of them. A comparison like `D <= kth` lets more in; np.argsort with kind="stable" does what is asked.',
        ),
    ),
    promises=(
        Promise(
            "have no two points equally far from a query",
            lambda X, Xq, k: np.diff(np.sort(squares(Xq, X), axis=1)).min() > 1e-9,
            of=(0,),
        ),
        Promise(
            "have fewer queries than points, and more",
            lambda found: {len(args[1]) > len(args[0]) for args in found} == {True, False},
            together=True,
        ),
        Promise(
            "let the rule for equal distances decide for three queries or more",
            lambda X, Xq, k: (order(X, Xq)[:, :k] != order(X, Xq, last=True)[:, :k]).any(axis=1).sum() > 2,
            of=(1,),
        ),
    ),
    misconceptions=(
        Misconception(
            "indicator without 1/k",
            lambda X, Xq, k: k * knn_smoother(X, Xq, k),
            "Your matrix holds ones where 1/k is meant: S times y would be the sum of the targets.",
            "Read “One smoother matrix for both” again: every row sums to 1.",
            _S + "print(S.sum(axis=1))   # should print 1, 1, 1",
        ),
        Misconception(
            "1/n for 1/k",
            lambda X, Xq, k: k / len(X) * knn_smoother(X, Xq, k),
            "Your matrix holds 1/n where 1/k is meant: only k points have a say.",
            "Read “One smoother matrix for both” again: every row sums to 1.",
            _S + "print(S.sum(axis=1), 'should print 1, 1, 1')",
        ),
        Misconception(
            "nearest queries of each point",
            _of_each_point,
            "You look for the k nearest queries of each point; asked for are the k nearest points of each query.",
            "Read “The general form: one coefficient per point” again: 1.9 is a neighbour of 4, but 4 is not one of 1.9.",
            _S + "print((S > 0).sum(axis=1))   # two neighbours for each query: should print 2, 2, 2",
        ),
        Misconception(
            "farthest points",
            lambda X, Xq, k: _chosen(X, Xq, farthest(X, Xq, k), k),
            "Your 1/k stand at the k points that are farthest away: the distances are sorted downwards, or the slice takes the end.",
            "Read “Average the k nearest neighbours” again: np.argsort sorts upwards, so the nearest come first, `[:k]`.",
            _S + "print(S[0])   # 0.9 lies between 0 and 1: the first two should be 1/2",
        ),
        Misconception(
            "one neighbour too many",
            Changed(knn_smoother, lambda X, Xq, k: (X, Xq, k + 1)),
            "Your rows have k + 1 entries, 1/(k + 1) each: a query is not one of the points, so k is k.",
            "Read “Average the k nearest neighbours” again, the two predictions by hand with k = 2.",
            _S + "print((S > 0).sum(axis=1), 'entries: should print 2, 2, 2')",
        ),
        Misconception(
            "one entry too many",
            lambda X, Xq, k: _chosen(X, Xq, order(X, Xq)[:, : k + 1], k),
            "Your rows have k + 1 entries of 1/k and sum to more than 1: the slice `[:k]` already has k of them.",
            "Read “One smoother matrix for both” again: every row sums to 1.",
            _S + "print(S[2].sum())   # should print 1",
        ),
        Misconception(
            "one neighbour too few",
            Changed(knn_smoother, lambda X, Xq, k: (X, Xq, k - 1)),
            "Your rows have k - 1 entries, 1/(k - 1) each: a query is not one of the points, so k is k.",
            "Read “Average the k nearest neighbours” again, the two predictions by hand with k = 2.",
            _S + "print(S.max())   # should print 1/2",
        ),
        Misconception(
            "one entry too few",
            lambda X, Xq, k: _chosen(X, Xq, order(X, Xq)[:, : k - 1], k),
            "Your rows have k - 1 entries of 1/k and sum to less than 1: the slice ends early, `[:k]` has k of them.",
            "Read “One smoother matrix for both” again: every row sums to 1.",
            _S + "print(S.sum())   # three rows, so it should be 3",
        ),
        Misconception(
            "the nearest dropped",
            lambda X, Xq, k: _chosen(X, Xq, order(X, Xq)[:, 1:k], k),
            "Your rows have k - 1 entries of 1/k: the nearest was dropped, `[1:k]`, as if it were the query itself.",
            "Read “Average the k nearest neighbours” again: the mean runs over all k nearest, the first included.",
            _S + "print(S[0, 1])   # 1 is the nearest to 0.9: should print 1/2",
        ),
        Misconception(
            "the nearest left out",
            lambda X, Xq, k: _chosen(X, Xq, order(X, Xq)[:, 1 : k + 1], k),
            "You leave out the nearest point, `[1:k + 1]`: here the queries are new, and the nearest counts.",
            "Read “Average the k nearest neighbours” again: the mean runs over all k nearest, the first included.",
            _S + "print(knn_smoother(X, X, 1))   # each point is its own neighbour: should be the identity",
        ),
        Misconception(
            "columns that sum to one",
            lambda X, Xq, k: (lambda M: M / np.maximum(M.sum(axis=0), 1))(k * knn_smoother(X, Xq, k)),
            "You divide by the sums of the columns, over the queries; it is the rows that sum to 1.",
            "Read “Find the error” again: it is that error.",
            _S + "print(S.sum(axis=1), S.sum(axis=0))   # the first three should be 1",
        ),
        Misconception(
            "identity of the order",
            lambda X, Xq, k: _chosen(X, Xq, np.tile(np.arange(k), (len(Xq), 1)), k),
            "Your 1/k stand in the first k columns, whatever the distances are: the sorted indices say which columns are meant.",
            "Read “One smoother matrix for both” again: column j belongs to the point x_j.",
            _S + "print(S[1])   # 3.2 lies between 2 and 4: the last two should be 1/2",
        ),
        Misconception(
            "most alike by angle",
            lambda X, Xq, k: _chosen(X, Xq, np.argsort(_by_angle(Xq, X), axis=1, kind="stable")[:, :k], k),
            "Your 1/k stand at the points of smallest angle with the query, seen from the origin; nearest means smallest distance.",
            "Read “One smoother matrix for both” again: its neighbours are those of smallest distance.",
            USE + "print(knn_smoother(np.array([[5.0, 5.0], [1.0, 0.0]]), np.ones((1, 2)), 1))   # (1, 0) is nearer: should print 0, 1",
        ),
        Misconception(
            "columns for all queries",
            _columns_for_all,
            "You write into whole columns, `S[:, nearest]`, so that every query gets the neighbours of all: each row has columns of its own.",
            "Read “One smoother matrix for both” again: row i belongs to the query i.",
            _S + "print((S > 0).sum())   # two neighbours for each of three queries: should print 6",
        ),
        Misconception(
            "distances in the matrix",
            lambda X, Xq, k: np.sqrt(squares(Xq, X)) * (knn_smoother(X, Xq, k) > 0),
            "Your matrix holds the distances of the k nearest; S holds weights, 1/k each.",
            "Read “One smoother matrix for both” again: with (3) for k-NN each of the k weights is the same.",
            _S + "print(S[0])   # its two entries should be equal",
        ),
    ),
    step="Read “One smoother matrix for both” again: a row is the bar chart of one prediction.",
    experiment=_S + "print(S @ np.array([0.0, 1.0, 4.0, 16.0]))   # S y is k-NN regression: should print 0.5, 10, 2.5",
    sizes=lambda X, Xq, k: {"n": len(X), "k": k, "q": len(Xq), "d": X.shape[1]},
    allowed=KERNELS,
)  # fmt: skip
