"""Exercises 1.1, 1.2 and 1.5: k nearest neighbours, the weighted mean, and the smoother matrix of the neighbours."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from kcourse.chapters.ch01_neighbors.common import (
    CHAPTER,
    KERNELS,
    LINE,
    USE,
    decided_by_order,
    neighbourhoods,
    order,
    points,
    settled,
    smoother,
    standardised,
    targets,
    ties,
)
from kcourse.chapters.gaussian_mistakes import GAUSSIAN_MISTAKES, differences, gaussian, squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["KNN_REGRESS", "KNN_SMOOTHER", "NADARAYA_WATSON"]

_STEP = "Read “Average the k nearest neighbours” again: "


# -- 1.1 and 1.5


def knn_regress(X, y, Xq, k):
    """Return the mean target of the k nearest points, the smallest index first among equal distances."""
    return y[order(X, Xq)[:, :k]].mean(axis=1)


def knn_smoother(X, Xq, k):
    """Return S (q, n) with 1/k at the k nearest points of each query."""
    return _matrix(order(X, Xq)[:, :k], X, k)


def _matrix(chosen, X, k):
    S = np.zeros((len(chosen), len(X)))
    np.put_along_axis(S, chosen, 1 / k, axis=1)
    return S


def _by(distance):
    """Return knn_regress with another distance, a function (X, Xq) -> (q, n)."""
    return lambda X, y, Xq, k: y[np.argsort(distance(X, Xq), axis=1, kind="stable")[:, :k]].mean(axis=1)


def _weighted(X, y, Xq, k):
    near = order(X, Xq)[:, :k]
    weights = 1 / np.sqrt(np.take_along_axis(squares(Xq, X), near, axis=1))
    return (weights * y[near]).sum(axis=1) / weights.sum(axis=1)


def _columns_for_all(X, Xq, k):
    S = np.zeros((len(Xq), len(X)))
    S[:, order(X, Xq)[:, :k]] = 1 / k
    return S


def _means_of_k(value, X, y, Xq, k):
    means = np.array([y[list(some)].mean() for some in combinations(range(len(y)), k)])
    return np.abs(value[:, None] - means).min(axis=1).max() < 1e-9


_S = LINE + "S = knn_smoother(X, np.array([[0.9], [3.2], [1.2]]), 2)\n"
_UNITS = USE + "X = np.array([[0.0, 9.0], [2.0, 0.0], [0.0, -9.0]]); Xq = np.array([[0.0, 0.5]])\n"

# other points than the k nearest: name, indices (q, k), hint, step, and an experiment for 1.1 and for 1.5
_OTHERS = (
    (
        "farthest points",
        lambda X, Xq, k: settled(-squares(Xq, X), k),
        "You choose the k farthest points. You sort the distances downwards, or your slice takes the end. Take `[:k]` of "
        "distances in ascending order.",
        _STEP + "np.argsort sorts upwards, so the nearest points come first.",
        LINE + "print(knn_regress(X, y, np.array([[0.1]]), 1))   # the nearest point is 0: should print 0",
        _S + "print(S[0])   # 0.9 lies between the points 0 and 1: should print 1/2, 1/2, 0, 0",
    ),
    (
        "the nearest left out",
        lambda X, Xq, k: order(X, Xq)[:, 1 : k + 1],
        "You leave out the nearest point, as `[1:k + 1]` does. In leave-one-out that point is the query itself, but here "
        "the queries are new. Take `[:k]`.",
        _STEP + "(1) averages all k nearest points, the first included.",
        LINE + "print(knn_regress(X, y, np.array([[2.1]]), 1))   # the nearest point is 2: should print 4",
        _S + "print(S[0, 1])   # the point 1 is the nearest to 0.9: should print 1/2",
    ),
    (
        "points at distance 0 left out",
        lambda X, Xq, k: np.argsort(np.where((D := squares(Xq, X)) == 0, np.inf, D), axis=1, kind="stable")[:, :k],
        "You leave out points at distance 0. In leave-one-out that is right, but here the queries are new, so a point at "
        "distance 0 is the nearest. Keep it.",
        _STEP + "(1) averages all k nearest points, also one at distance 0.",
        LINE + "print(knn_regress(X, y, X, 1))   # each point is its own nearest: should print 0, 1, 4, 16",
        _S + "print(knn_smoother(X, X, 1).trace())   # each point is its own nearest: should print 4",
    ),
    (
        "inputs standardised",
        lambda X, Xq, k: settled(squares(*standardised(X, Xq)[::-1]), k),
        "You standardise the columns first, which changes all distances. Here distances are measured in the units of X. "
        "Use X and Xq as they are.",
        "Read “Which distance?” again: the scaler is a step of its own in the pipeline, before the neighbours are found.",
        _UNITS + "print(knn_regress(X, np.array([7.0, 2.0, 7.0]), Xq, 1))   # (2, 0) is the nearest: should print 2",
        _UNITS + "print(knn_smoother(X, Xq, 1))   # (2, 0) is the nearest: should print 0, 1, 0",
    ),
)  # fmt: skip


def _promises(without_ties, given):
    """What the inputs of 1.1 and 1.5 guarantee; ``given`` takes (X, Xq, k) from the arguments."""

    def of_all(holds):
        return lambda found: holds([given(*args) for args in found])

    def of_each(holds):
        return lambda *args: holds(*given(*args))

    def no_ties(X, Xq, k):
        return np.diff(np.sort(squares(Xq, X), axis=1)).min() > 1e-9

    def other_neighbours(X, Xq, k):
        return (knn_smoother(X, Xq, k) != knn_smoother(*standardised(X, Xq), k)).any()

    return (
        Promise("have no two points equally far from a query", of_each(no_ties), of=without_ties),
        Promise("have other neighbours when they are standardised", of_each(other_neighbours)),
        Promise(
            "have fewer queries than points, and more",
            of_all(lambda found: {len(Xq) > len(X) for X, Xq, _ in found} == {True, False}),
            together=True,
        ),
        Promise(
            "have some queries that are points",
            of_all(lambda found: any((squares(Xq, X) == 0).any() for X, Xq, _ in found)),
            together=True,
        ),
        Promise(
            "let the order of X decide for three queries or more, none of them a point",
            of_each(lambda X, Xq, k: decided_by_order(X, Xq, k) > 2 and squares(Xq, X).min() > 0),
            of=(1,),
        ),
    )


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
            "takes the points that come first in X among equally distant ones",
            1,
            lambda r: [(X, targets(r, len(X)), Xq, k) for X, Xq, k in ties(r)],
            hint="Your answer fails only when distances are equal. Then the smallest index counts, and exactly k points are "
            'averaged. np.argsort with kind="stable" keeps this order.',
        ),
        Property(
            "works when y holds whole numbers",
            1,
            lambda r: [(X, r.integers(-999, 1000, size=len(X)), Xq, k) for X, Xq, k in neighbourhoods(r)[:2]],
            hint="Your answer fails only when y holds whole numbers. An output array made like y also holds only whole numbers and "
            "cuts decimals. Start from np.zeros(len(Xq)).",
        ),
    ),
    promises=_promises((0, 2), lambda X, y, Xq, k: (X, Xq, k)),
    misconceptions=(
        *(
            Misconception(
                name, lambda X, y, Xq, k, chosen=chosen: y[chosen(X, Xq, k)].mean(axis=1),
                hint, step, code,
            )
            for name, chosen, hint, step, code, _ in _OTHERS
        ),
        Misconception(
            "one neighbour too many",
            Changed(knn_regress, lambda X, y, Xq, k: (X, y, Xq, k + 1)),
            "You average k + 1 points. A query is not a training point, so it takes no place among the k. Use `[:k]`.",
            _STEP + "its example averages two targets for k = 2.",
            LINE + "print(knn_regress(X, y, np.array([[3.9]]), 1))   # the nearest point is 4: should print 16",
        ),
        Misconception(
            "one neighbour too few",
            Changed(knn_regress, lambda X, y, Xq, k: (X, y, Xq, k - 1)),
            "You average k - 1 points. The slice `[:k]` leaves out index k, so it already has k entries. Use `[:k]`.",
            _STEP + "its example averages two targets for k = 2.",
            LINE + "print(knn_regress(X, y, np.array([[0.9]]), 2))   # the nearest points are 1 and 0: should print 1/2",
        ),
        Misconception(
            "sum for mean",
            lambda X, y, Xq, k: k * knn_regress(X, y, Xq, k),
            "You return the sum of the k targets. The prediction (1) is their mean. Divide by k.",
            _STEP + "equation (1) has the factor 1/k in front of the sum.",
            LINE + "for k in (1, 2, 4):\n    print(knn_regress(X, np.ones(4), X[:1], k))   # equal targets: should print 1 for every k",
        ),
        Misconception(
            "weights one over distance",
            _weighted,
            "You weight each neighbour by 1 over its distance. In (1) each of the k targets has the weight 1/k. Take their "
            "plain mean.",
            _STEP + "in (1) all k targets have the same weight.",
            LINE + "print(knn_regress(X, y, np.array([[0.1]]), 2))   # the targets 0 and 1 count equally: should print 1/2",
        ),
        Misconception(
            "mean of the indices",
            lambda X, y, Xq, k: order(X, Xq)[:, :k].mean(axis=1),
            "You average the indices that np.argsort returns. They only say which points are near. Average the targets of "
            "these points, `y[nearest]`.",
            _STEP + "the last line of `knn_at` looks up the targets.",
            LINE + "print(knn_regress(X, 100 * y, X[3:], 1))   # at the point 4 itself: should print 1600",
        ),
        Misconception(
            "first feature only",
            _by(lambda X, Xq: np.abs(Xq[:, :1] - X[:, 0])),
            "You measure distance along the first column of X. The Euclidean distance contains all d columns. Add their "
            "squared differences.",
            "Read “Which distance?” again: a squared distance is a sum over all columns.",
            USE + "X = np.array([[0.0, 5.0], [1.0, 0.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # (1, 0) is nearer than (0, 5): should print 2",
        ),
        Misconception(
            "sum of absolute differences",
            _by(lambda X, Xq: np.abs(differences(Xq, X)).sum(axis=2)),
            "You add the absolute differences of the columns. The Euclidean distance adds their squares. Square each "
            "difference, then add.",
            "Read “Which distance?” again: a squared distance is a sum over all columns.",
            USE + "X = np.array([[0.0, 3.1], [2.0, 2.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # √8 is less than 3.1: should print 2",
        ),
        Misconception(
            "differences summed before squaring",
            _by(lambda X, Xq: np.abs(differences(Xq, X).sum(axis=2))),
            "You add the differences of the columns before you square them, so +1 and -1 cancel. Square each difference, "
            "then add.",
            "Read “Which distance?” again: a squared distance is a sum over all columns.",
            USE + "X = np.array([[3.0, -3.0], [1.0, 0.0]]); y = np.array([7.0, 2.0])\n"
            "print(knn_regress(X, y, np.zeros((1, 2)), 1))   # (1, 0) is nearer than (3, -3): should print 2",
        ),
    ),
    observations=(
        Observation(
            "In at least one call, all values that knn_regress returns are means of k targets, but not always of the k nearest "
            "points. Check how you compute the distances and how you sort them.",
            _means_of_k,
            early=True,
        ),
    ),
    step=_STEP + "compute all distances, choose the k smallest, and average their targets.",
    experiment=LINE + "print(knn_regress(X, y, np.array([[0.9], [3.2]]), 2))   # as in the chapter: should print 0.5 and 10",
    sizes=lambda X, y, Xq, k: {"n": len(X), "k": k, "q": len(Xq), "d": X.shape[1]},
    allowed=KERNELS,
)  # fmt: skip


_ROWS = "Read “One smoother matrix for both” again: "

KNN_SMOOTHER = Exercise(
    name="knn_smoother",
    chapter=CHAPTER,
    number="1.5",
    returns="the matrix S, shape (q, n): a row for each query, a column for each point",
    reference=knn_smoother,
    properties=(
        Property("has 1/k at the k nearest points of each query, and 0 elsewhere", 2, neighbourhoods),
        Property(
            "takes the points that come first in X among equally distant ones",
            1,
            ties,
            hint="Your answer fails only when distances are equal. Then the smallest index counts, and each row has exactly k entries "
            '1/k. np.argsort with kind="stable" keeps this order.',
        ),
    ),
    promises=_promises((0,), lambda X, Xq, k: (X, Xq, k)),
    misconceptions=(
        *(
            Misconception(
                name, lambda X, Xq, k, chosen=chosen: _matrix(chosen(X, Xq, k), X, k),
                hint, step, code,
            )
            for name, chosen, hint, step, _, code in _OTHERS
        ),
        Misconception(
            "indicator without 1/k",
            lambda X, Xq, k: k * knn_smoother(X, Xq, k),
            "You write 1 at the k nearest points. Then S @ y is the sum of their targets, and (1) is the mean. Write 1/k.",
            _ROWS + "every row sums to 1.",
            _S + "print(S.sum(axis=1))   # should print 1, 1, 1",
        ),
        Misconception(
            "nearest queries of each point",
            lambda X, Xq, k: _matrix(order(Xq, X)[:, :k], Xq, k).T,
            "You look for the k nearest queries of each point. Row i of S needs the k nearest points of query i. Sort "
            "each query's distances to all points.",
            "Read “The general form: one coefficient per point” again: 1.9 is a neighbour of 4, but 4 is not one of 1.9.",
            _S + "print((S > 0).sum(axis=1))   # two neighbours for each query: should print 2, 2, 2",
        ),
        Misconception(
            "one neighbour too many",
            Changed(knn_smoother, lambda X, Xq, k: (X, Xq, k + 1)),
            "You give k + 1 points the weight 1/(k + 1). A query is not a training point, so it takes no place among the k. "
            "Use `[:k]` and 1/k.",
            _STEP + "its example averages two targets for k = 2.",
            _S + "print(S.max())   # two neighbours for each query: should print 1/2",
        ),
        Misconception(
            "one entry too many",
            lambda X, Xq, k: _matrix(order(X, Xq)[:, : k + 1], X, k),
            "You write 1/k at k + 1 points, so your rows sum to more than 1. The slice `[:k]` already has k entries.",
            _ROWS + "every row sums to 1.",
            _S + "print(S[2].sum())   # should print 1",
        ),
        Misconception(
            "one entry too few",
            lambda X, Xq, k: _matrix(order(X, Xq)[:, : k - 1], X, k),
            "You write 1/k at k - 1 points, so your rows sum to less than 1. The slice `[:k]` leaves out index k, so it has k "
            "entries.",
            _ROWS + "every row sums to 1.",
            _S + "print(S.sum())   # three rows: should print 3",
        ),
        Misconception(
            "columns that sum to one",
            lambda X, Xq, k: (lambda M: M / np.maximum(M.sum(axis=0), 1))(k * knn_smoother(X, Xq, k)),
            "You divide each column by its sum over the queries. In (3) each row sums to 1. Divide by the row sums, which "
            "are k.",
            "Read “Find the error” again: the program there divides by the sums of the columns.",
            _S + "print(S.sum(axis=1))   # one sum for each query: should print 1, 1, 1",
        ),
        Misconception(
            "identity of the order",
            lambda X, Xq, k: _matrix(np.tile(np.arange(k), (len(Xq), 1)), X, k),
            "You write 1/k into the first k columns, whatever the distances are. Column j belongs to the point x_j. Write to "
            "the indices that np.argsort returns.",
            _ROWS + "column j belongs to the point x_j.",
            _S + "print(S[1])   # 3.2 lies between the points 2 and 4: should print 0, 0, 1/2, 1/2",
        ),
        Misconception(
            "columns for all queries",
            _columns_for_all,
            "You write into whole columns, `S[:, nearest]`, so each query gets the neighbours of all. Row i needs its own "
            "columns. Write `S[i, nearest[i]]`.",
            _ROWS + "row i belongs to query i.",
            _S + "print((S > 0).sum())   # two neighbours for each of three queries: should print 6",
        ),
    ),
    observations=(
        Observation(
            "Some row of your S does not have exactly k entries other than 0. Each query has k neighbours.",
            lambda S, X, Xq, k: ((S != 0).sum(axis=1) != k).any(),
            early=True,
        ),
        Observation(
            "Some row of your S does not sum to 1. Each of the k neighbours has the weight 1/k.",
            lambda S, X, Xq, k: np.abs(S.sum(axis=1) - 1).max() > 1e-6,
            early=True,
        ),
        Observation(
            "The weights in a row of your S sum to 1, but are not all equal. In (3) each of the k neighbours has the weight 1/k, "
            "whatever its distance is.",
            lambda S, X, Xq, k: np.ptp(np.sort(S, axis=1)[:, -k:], axis=1).max() > 1e-6,
            early=True,
        ),
        Observation(
            "In at least one call, each row of your S has 1/k at k points, but not always at the k nearest. Check how you "
            "compute the distances and how you sort them.",
            lambda S, X, Xq, k: np.allclose(np.sort(S, axis=1), [0] * (len(X) - k) + [1 / k] * k),
            early=True,
        ),
    ),
    step=_ROWS + "one row contains the weights of one prediction.",
    experiment=_S + "print(S @ y)   # S y is k-NN regression: should print 0.5, 10, 2.5",
    sizes=lambda X, Xq, k: {"n": len(X), "k": k, "q": len(Xq), "d": X.shape[1]},
    allowed=KERNELS,
)  # fmt: skip


# -- 1.2


def nadaraya_watson(X, y, Xq, sigma):
    """Return Σ_i y_i k(x, x_i) / Σ_j k(x, x_j) with a Gaussian, computed from exponents whose largest is 0."""
    return smoother(X, Xq, sigma) @ y


def _smooth_with(kernel):
    """Return the weighted mean with another kernel, a function (X, Z, sigma)."""

    def answer(X, y, Xq, sigma):
        W = kernel(Xq, X, sigma)
        return W @ y / W.sum(axis=1)

    return answer


def _smoothing_inputs(rng, shift=0.0):
    shapes = [(6, 2, 4, rng.uniform(0.6, 0.8)), (8, 3, 5, rng.uniform(1.3, 1.7)), (7, 2, 10, rng.uniform(0.7, 0.9))]
    return [(points(rng, n, d), targets(rng, n), points(rng, q, d) + shift, float(sigma)) for n, d, q, sigma in shapes]


def _far_away(rng):
    """Queries far away, for which another point is the nearest by the first feature alone."""
    for _ in attempts("nadaraya_watson"):
        found = _smoothing_inputs(rng, shift=1e4)[:2]
        if any((order(X[:, :1], Xq[:, :1])[:, 0] != order(X, Xq)[:, 0]).any() for X, _, Xq, _ in found):
            return found


# the exponent that the student's function uses: with points 0 and z and the query 0, f = 1 / (1 + k(0, z))
_SEE = USE + "def exponent(z, s):   # ‖z‖²/(2σ²), from your weights of 0 and z at the query 0\n    X = np.array([[0.0, 0.0], z])\n" \
    "    f = nadaraya_watson(X, np.array([1.0, 0.0]), X[:1], s)[0]\n    return np.log(f / (1 - f))\n"  # fmt: skip
_WEIGHTS, _COLUMNS = "Read “Nadaraya–Watson: weight neighbours by distance” again: ", "Read “Which distance?” again: "
_KERNELS = (  # name, step, the call of an experiment
    (
        "exponent without the 2",
        _WEIGHTS + "the factor 2 in the exponent makes σ the standard deviation of the Gaussian.",
        "exponent([0.7, 0.0], 0.7))   # at distance σ: should print 1/2",
    ),
    (
        "brackets missing in the exponent",
        _WEIGHTS + "2σ² is the denominator, so a larger σ gives distant points more weight.",
        "exponent([1.0, 0.0], 0.5))   # at distance 2σ: should print 2",
    ),
    (
        "sigma used as gamma",
        _WEIGHTS + "σ has the unit of x, and its square is in the denominator.",
        "exponent([2.0, 0.0], 2.0))   # at distance σ: should print 1/2",
    ),
    (
        "distance not squared",
        _WEIGHTS + "the exponent contains the squared distance.",
        "exponent([3.0, 0.0], 1.0))   # at distance 3σ: should print 4.5",
    ),
    (
        "neither distance nor sigma squared",
        _WEIGHTS + "the exponent is a square divided by a square.",
        "exponent([1.5, 0.0], 0.5))   # at distance 3σ: should print 4.5",
    ),
    (
        "minus sign missing",
        _WEIGHTS + "the weights fall with the distance, so the exponent begins with a minus sign.",
        "exponent([2.0, 0.0], 1.0))   # at distance 2σ: should print 2",
    ),
    (
        "summed before squaring",
        _COLUMNS + "a squared distance is a sum of squares over all columns.",
        "exponent([1.0, -1.0], 1.0))   # at the squared distance 2: should print 1",
    ),
    (
        "first feature only",
        _COLUMNS + "a squared distance is a sum over all columns.",
        "exponent([0.0, 1.0], 0.5))   # at distance 2σ: should print 2",
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
        Property("is the weighted mean, in two and three dimensions", 2, _smoothing_inputs),
        Property(
            "gives the target of the nearest point where all points are far away",
            1,
            _far_away,
            hint="Your answer fails only far from all points. There the weights, computed as in (2), underflow to 0. "
            "Subtract the largest exponent of each row before you take exponentials.",
        ),
        Property(
            "answers a single query with an array of one number",
            1,
            lambda r: [(X, y, Xq[:1], s) for X, y, Xq, s in _smoothing_inputs(r)[:2]],
            hint="Your answer fails only for a single query. With one row in Xq the result must have the shape (1,). "
            "np.squeeze, float() and a sum over all entries lose it.",
        ),
    ),
    promises=(
        Promise(
            "are so far away that every weight underflows, and one point is nearest by far",
            lambda X, y, Xq, s: not gaussian(Xq, X, s).any() and smoother(X, Xq, s).max(axis=1).min() > 1 - 1e-9,
            of=(1,),
        ),
    ),
    misconceptions=(
        Misconception(
            "not normalised",
            lambda X, y, Xq, sigma: gaussian(Xq, X, sigma) @ y,
            "You add the weighted targets and stop there. The weighted mean (2) is this sum divided by the sum of the weights. "
            "Divide.",
            _WEIGHTS + "(2) is a quotient of two sums.",
            _ONE + "print(nadaraya_watson(X, 5 * np.ones(3), Xq, 0.8))   # equal targets: should print 5 and 5",
        ),
        Misconception(
            "normalised over the queries",
            lambda X, y, Xq, sigma: ((W := gaussian(Xq, X, sigma)) / W.sum(axis=0)) @ y,
            "You divide each column of the weights by its sum over the queries. Each row must sum to 1. Divide by the sums "
            "over the points, axis=1.",
            "Read “Find the error” again: the program there divides by the sums of the columns.",
            _ONE + "for Z in (Xq[:1], Xq):\n    print(nadaraya_watson(X, 5 * np.ones(3), Z, 0.8))   # equal targets: should print 5 each time",
        ),
        Misconception(
            "divided by the largest weight",
            lambda X, y, Xq, sigma: (W := gaussian(Xq, X, sigma)) @ y / W.max(axis=1),
            "You divide by the largest weight only. Subtracting the largest exponent does not normalise the weights. Also divide "
            "by their sum.",
            "Read “Far from the data: underflow” again: numerator and denominator are multiplied by the same number.",
            _ONE + "print(nadaraya_watson(X, 6 * np.ones(3), Xq, 0.8))   # equal targets: should print 6 and 6",
        ),
        *(
            Misconception(
                name, _smooth_with(GAUSSIAN_MISTAKES[name][0]),
                GAUSSIAN_MISTAKES[name][1], step, f"{_SEE}print({call}",
            )
            for name, step, call in _KERNELS
        ),
        Misconception(
            "train and query points swapped",
            None,
            "You combine arrays whose shapes do not match. The weights need a row for each query and a column for "
            "each point. The sum or maximum of a row needs `keepdims=True`.",
            _ROWS + "S has q rows and n columns.",
            LINE + "print(nadaraya_watson(X, y, np.array([[0.2], [0.4], [0.6]]), 1.0).size)   # three queries: should print 3",
            error=r"(ValueError|LinAlgError): .*(mismatch|not aligned|broadcast|ncompatible|shape)",
        ),
    ),
    observations=(
        Observation(
            "nadaraya_watson returned a value outside the range of y. A weighted mean stays in this range if no "
            "weight is negative and the weights sum to 1.",
            lambda value, X, y, Xq, sigma: value.size and (value.max() > y.max() + 1e-9 or value.min() < y.min() - 1e-9),
        ),
    ),
    step=_WEIGHTS + "compute the weights, the weighted sum, and divide by the sum of the weights.",
    experiment=USE + "X = np.array([[0.0], [1.0], [2.0]]); y = np.array([0.0, 1.0, 4.0])\n"
    "print(nadaraya_watson(X, y, np.array([[1.0]]), 1.0))   # as in the chapter: should print 1.54814",
    sizes=lambda X, y, Xq, sigma: {"n": len(X), "q": len(Xq), "σ": sigma, "d": X.shape[1]},
    allowed=KERNELS,
)  # fmt: skip
