"""Exercises 7b.2 and 7b.3: the spread of the units, and online k-means."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER, USE, told_apart
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts, each_wrong

__all__ = ["ONLINE_KMEANS", "SPREAD"]

_WIDE = "Choosing the spread"
_LINE = "Online k-means"


# -- 7b.2


def spread(T):
    """d_max/√(2m)."""
    return np.sqrt(squares(T, T).max() / (2 * len(T)))


def _distances(T):
    return np.sqrt(squares(T, T))


def _pairs(T):
    return _distances(T)[np.triu_indices(len(T), 1)]


def _over_root(length):
    return lambda T: length(T) / np.sqrt(2 * len(T))


def _centres(rng):
    """Centres far from the origin, more than columns; the farthest two are neither first nor neighbours."""

    def draw(rng):
        found = []
        for m, d in ((5, 2), (7, 3), (4, 2)):
            size = rng.choice([rng.uniform(0.2, 0.5), rng.uniform(2.0, 4.0)])
            T = size * rng.normal(size=(m, d)) + rng.uniform(1.0, 3.0, d)
            i, j = np.unravel_index(squares(T, T).argmax(), (m, m))
            rest = [k for k in range(m) if k not in (i, j)]
            found.append((T[[rest[0], i, rest[1], j, *rest[2:]]],))
        return found

    return told_apart(rng, draw, lambda: SPREAD)


_S = USE + "def of(*rows):\n    return spread(np.array(rows, dtype=float))\n"
_RULE = f"Read “{_WIDE}” again: equation (8)"

SPREAD = Exercise(
    name="spread",
    chapter=CHAPTER,
    number="7b.2",
    returns="σ, one number",
    reference=spread,
    properties=(Property("is d_max/√(2m)", 2, _centres),),
    promises=(
        Promise("have more rows than columns", lambda T: len(T) > T.shape[1]),
        Promise(
            "have the farthest two neither first nor neighbours",
            lambda T: (
                min(far := np.unravel_index(squares(T, T).argmax(), (len(T),) * 2)) > 0 and abs(far[0] - far[1]) > 1
            ),
        ),
    ),
    misconceptions=(
        Misconception(
            "no root",
            lambda T: _distances(T).max() / (2 * len(T)),
            "You divide by 2m. The rule divides by the root: √(2m).",
            f"{_RULE}: the root.",
            _S + "print(of([0, 0], [3, 4]))   # distance 5, √4 = 2: should print 2.5",
        ),
        Misconception(
            "root of 2 alone",
            lambda T: _distances(T).max() / (np.sqrt(2) * len(T)),
            "You divide by √2 times m. The root contains both factors: √(2m).",
            f"{_RULE}: the root.",
            _S + "print(of([0, 0], [6, 8]))   # distance 10, √4 = 2: should print 5",
        ),
        Misconception(
            "2 missing",
            lambda T: _distances(T).max() / np.sqrt(len(T)),
            "You divide by √m. The rule divides by √(2m).",
            f"{_RULE}: the 2 in the root.",
            _S + "print(of([0, 0], [0, 4]))   # distance 4, √4 = 2: should print 2",
        ),
        Misconception(
            "mean of the whole table",
            _over_root(lambda T: _distances(T).mean()),
            "You take the mean of the matrix of distances, with the zeros of its diagonal. Use its maximum, d_max.",
            f"{_RULE}: d_max.",
            _S + "print(of([0, 0], [0, 6], [0, 2]) * np.sqrt(6))   # the largest distance: should print 6",
        ),
        Misconception(
            "mean over pairs",
            _over_root(lambda T: _pairs(T).mean()),
            "You take the mean distance of two centres. Use the largest, d_max.",
            f"{_RULE}: d_max.",
            _S + "print(of([0, 0], [0, 9], [0, 2]) * np.sqrt(6))   # the largest distance: should print 9",
        ),
        Misconception(
            "squared distance",
            _over_root(lambda T: squares(T, T).max()),
            "You use the squared distance. σ has the units of x: take the root of it.",
            f"{_RULE}: the units of both sides.",
            _S + "print(of([0, 0], [30, 40]) / of([0, 0], [3, 4]))   # ten times as far: should print 10",
        ),
        Misconception(
            "precision returned",
            lambda T: len(T) / squares(T, T).max(),
            "You return m/d_max², the factor 1/(2σ²) of the Gaussian. Return σ itself.",
            f"{_RULE}: σ and the factor 1/(2σ²).",
            _S + "print(of([0, 0], [12, 16]))   # distance 20, √4 = 2: should print 10",
        ),
        Misconception(
            "norm without axis",
            _over_root(lambda T: np.sqrt(squares(T, T).sum())),
            "You take the root of the sum of all squared distances, as np.linalg.norm does without axis. Use axis=2, then the maximum.",
            f"{_RULE}: d_max.",
            _S + "print(of([0, 0], [0, 5], [0, 11]) * np.sqrt(6))   # the largest distance: should print 11",
        ),
        Misconception(
            "from the first centre only",
            _over_root(lambda T: _distances(T)[0].max()),
            "You measure from the first centre only. d_max is the largest distance of any two centres.",
            f"{_RULE}: d_max.",
            _S
            + "print(of([0, 5], [0, 0], [0, 10]) * np.sqrt(6))   # the second and third are farthest apart: should print 10",
        ),
        Misconception(
            "from the mean",
            _over_root(lambda T: np.linalg.norm(T - T.mean(axis=0), axis=1).max()),
            "You measure from the mean of the centres. d_max is the largest distance of two centres.",
            f"{_RULE}: d_max.",
            _S + "print(of([0, 0], [0, 8]))   # 8 apart, √4 = 2: should print 4",
        ),
        Misconception(
            "dimension instead of m",
            lambda T: _distances(T).max() / np.sqrt(2 * T.shape[1]),
            "You use the number of columns as m. m is the number of centres, len(T).",
            f"{_RULE}: m centres.",
            _S + "print(of([0], [8]))   # two centres on a line, √4 = 2: should print 4",
        ),
        Misconception(
            "median of the nearest",
            lambda T: np.median(np.sort(_distances(T), axis=1)[:, 1]),
            "You return the median distance to the nearest other centre, which is the other rule. Return d_max/√(2m).",
            f"{_RULE}: the two rules.",
            _S + "print(of([0, 0], [0, 1], [0, 24]) * np.sqrt(6))   # the largest distance: should print 24",
        ),
    ),
    observations=(
        Observation("spread returned 0 or less. A spread is positive.", lambda value, T: value <= 0, early=True),
    ),
    step=f"{_RULE}: the largest distance between two centres, divided by √(2m).",
    experiment=_S + "print(of([0, 0], [3, 4], [3, 0]) * np.sqrt(6), of([0, 0], [3, 4]))   # should print 5 and 2.5",
    sizes=lambda T: {"m": len(T), "d": T.shape[1]},
)


# -- 7b.3


def online_kmeans(X, T0, order, eta):
    """The nearest centre goes the fraction η of the way to the point."""
    return _shown(X, T0, order, eta)


def _shown(
    X, T0, order, eta, *, win=np.argmin, size=np.square, rate=lambda eta, won: eta,
    move=lambda t, x, start, rate: t + rate * (x - t), others=0.0, frozen=False,
):  # fmt: skip
    T, won = np.array(T0, dtype=float), np.zeros(len(T0))
    start = T.copy()
    for point in order:
        x = X[point].astype(float)
        J = int(win(size((start if frozen else T) - x).sum(axis=1)))
        won[J] += 1
        if others:
            away = np.arange(len(T)) != J
            T[away] += others * eta * (x - T[away])
        T[J] = move(T[J], x, start[J], rate(eta, won[J]))
    return T


def _shown_with(**how):
    return lambda X, T0, order, eta: _shown(X, T0, order, eta, **how)


def _farthest_moves(X, T0, order, eta):
    return _shown(X, T0, order, eta, win=np.argmax)


def _one_mean_step(X, T0, order, eta):
    groups = squares(X.astype(float), np.asarray(T0, dtype=float)).argmin(axis=1)
    return np.array([X[groups == j].mean(axis=0) if np.any(groups == j) else T0[j] for j in range(len(T0))])


def _streams(rng):
    """Orders with repetitions, in which each centre moves."""

    def draw(rng):
        found = []
        for n, d, m, steps in ((7, 3, 2, 12), (9, 2, 3, 17), (6, 2, 3, 14)):
            for _ in attempts("online_kmeans"):
                X = rng.normal(size=(n, d)) + rng.uniform(1.0, 2.0, d)
                T0 = X.mean(axis=0) + 0.9 * rng.normal(size=(m, d))
                eta = float(rng.choice([rng.uniform(0.15, 0.35), rng.uniform(0.55, 0.75)]))
                case = X, T0, rng.integers(n, size=steps), eta
                if (online_kmeans(*case) != T0).any(axis=1).all():
                    found.append(case)
                    break
        return found

    return told_apart(rng, draw, lambda: ONLINE_KMEANS)


def _whole(rng):
    """First centres that are integers, on both sides of the points."""
    found = []
    for n, d in ((6, 3), (8, 4)):
        X = rng.integers(0, 9, (n, d))
        T0 = np.vstack([np.full(d, -1), np.full(d, 9)])
        first = rng.choice(np.flatnonzero(X.sum(axis=1) != 4 * d))  # not in the middle: ties are the next property's
        order = np.concatenate([[first], rng.permutation(n), rng.integers(n, size=4)])
        found.append((X, T0, order, float(rng.uniform(0.15, 0.45))))
    return found


def _ties(rng):
    """A first point halfway between the first centre and the third, all integers, so that rounding does not matter."""
    found = []
    for d in (2, 4):
        middle, way = rng.integers(-3, 4, d), rng.integers(1, 4, d)
        T0 = np.array([middle - way, middle + 9, middle + way], dtype=float)
        X = np.vstack([middle, middle + rng.integers(-2, 3, (4, d))]).astype(float)
        order = np.concatenate([[0], rng.permutation(np.arange(1, 5)), rng.integers(1, 5, 2)])
        found.append((X, T0, order, float(rng.choice([0.25, 0.75]))))
    return found


_O = USE + "X = np.array([[0.0, 0], [4, 4], [1, 0], [3, 4]]); T0 = np.array([[1.0, 1], [4, 2]])\n" \
    "def after(*order, eta=0.5):\n    return np.ravel(online_kmeans(X, T0.copy(), np.array(order), eta))\n"  # fmt: skip
_MOVE = f"Read “{_LINE}” again"

ONLINE_KMEANS = Exercise(
    name="online_kmeans",
    chapter=CHAPTER,
    number="7b.3",
    returns="all centres after the last point, shape (m, d)",
    reference=online_kmeans,
    properties=(
        Property("moves the nearest centre and no other", 2, _streams),
        Property(
            "works for first centres that are integers",
            1,
            each_wrong(_whole, lambda: ONLINE_KMEANS),
            hint="Your answer fails only if the first centres are integers. A copy of an array of integers cannot hold fractions. "
            "Copy it as floats: np.array(T0, dtype=float).",
        ),
        Property(
            "moves the first of two equally near centres",
            1,
            each_wrong(_ties, lambda: ONLINE_KMEANS),
            hint="Your answer fails only if two centres are equally near to a point. Move the first of them: use < instead of ≤ in a "
            "loop, or np.argmin.",
        ),
    ),
    promises=(
        Promise("come back to points", lambda X, T0, order, eta: len(order) > len(np.unique(order)), of=(0, 1)),
        Promise("move each centre", lambda *args: (online_kmeans(*args) != args[1]).any(axis=1).all()),
        Promise(
            "begin nearer to one centre",
            lambda X, T0, order, eta: len(set(squares(X[order[:1]], T0)[0])) == 2,
            of=(1,),
        ),
        Promise("have first centres that are integers", lambda X, T0, order, eta: T0.dtype.kind == "i", of=(1,)),
        Promise(
            "begin with a point to which two centres are equally near, and nearer than the third",
            lambda X, T0, order, eta: (s := squares(X[order[:1]], T0)[0])[0] == s[2] < s[1],
            of=(2,),
        ),
    ),
    misconceptions=(
        Misconception(
            "all centres move",
            _shown_with(others=1.0),
            "You move all centres. Only the nearest centre moves: t_J ← t_J + η(x - t_J).",
            f"{_MOVE}: only the nearest centre moves.",
            _O + "print(after(0))   # the point 0, 0 is nearest to the first: should print 0.5, 0.5, 4 and 2",
        ),
        Misconception(
            "set to the step",
            _shown_with(move=lambda t, x, start, rate: rate * (x - t)),
            "You set the centre to η(x - t). Add this step to the centre instead: use +=.",
            f"{_MOVE}: the update.",
            _O + "print(after(2))   # the first goes half of the way to 1, 0: should print 1, 0.5, 4 and 2",
        ),
        Misconception(
            "moves away",
            _shown_with(move=lambda t, x, start, rate: t - rate * (x - t)),
            "You move the centre away from the point. Add η(x - t), with a plus.",
            f"{_MOVE}: the sign of the update.",
            _O + "print(after(1))   # the second goes half of the way to 4, 4: should print 1, 1, 4 and 3",
        ),
        Misconception(
            "1/N instead of η",
            _shown_with(rate=lambda eta, won: 1 / won),
            "You use the step 1/N_J, which makes each centre a running mean. Here the step is the given η.",
            f"{_MOVE}: the constant step η.",
            _O + "print(after(0, eta=0.25))   # a quarter of the way: should print 0.75, 0.75, 4 and 2",
        ),
        Misconception(
            "city-block distance",
            _shown_with(size=np.abs),
            "You add absolute differences, which is the city-block distance. The nearest centre has the smallest sum of *squared* differences.",
            f"{_MOVE}: the distance in (6).",
            _O + "T0 = np.array([[0.0, 3], [2, 2]])\n"
            "print(after(0)[2:])   # 2, 2 is nearer to 0, 0 than 0, 3 is: should print 1 and 1",
        ),
        Misconception(
            "one step of k-means in batch",
            _one_mean_step,
            "You take one step of batch k-means, with groups and means. Here each point of the order moves one centre.",
            f"{_MOVE}: one point after the other.",
            _O + "print(after(0, 0, eta=0.25))   # a quarter of the way, twice: should print 0.5625, 0.5625, 4 and 2",
        ),
        Misconception(
            "nearest of the first centres",
            _shown_with(frozen=True),
            "You find the nearest among the first centres T0. Use the present centres, which have moved.",
            f"{_MOVE}: the centres at this step.",
            _O + "T0 = np.array([[1.0, 0], [8, 0]]); X[1] = [4, 0]; X[3] = [5, 0]\n"
            "print(after(1, 3, 1, 3, eta=0.75)[2:])   # the first has moved and is nearest each time: should print 8 and 0",
        ),
        Misconception(
            "step from the first centres",
            _shown_with(move=lambda t, x, start, rate: t + rate * (x - start)),
            "You use η(x - t) with the centre's first location. Use its present location.",
            f"{_MOVE}: t_J at this step.",
            _O + "print(after(0, 2, 0)[:2])   # 0.5, 0.5; 0.75, 0.25; then: should print 0.375 and 0.125",
        ),
        Misconception(
            "order ignored",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, np.arange(len(X)), eta)),
            "You use each row of X once, in its own order. Use row order[t] at step t.",
            f"{_MOVE}: one point after the other.",
            _O + "print(after(3)[2:])   # the fourth row is shown: should print 3.5 and 3",
        ),
        Misconception(
            "η and 1 - η exchanged",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, order, 1 - eta)),
            "You compute η t + (1 - η) x. The new centre is (1 - η) t + η x.",
            f"{_MOVE}: the two factors.",
            _O + "print(after(0, eta=0.125)[:2])   # an eighth of the way: should print 0.875 and 0.875",
        ),
        Misconception(
            "point added instead of the difference",
            _shown_with(move=lambda t, x, start, rate: t + rate * x),
            "You add ηx. Add η times the difference x - t.",
            f"{_MOVE}: the bracket in the update.",
            _O + "print(after(1, 1, 1)[2:])   # nearer and nearer to 4, 4: should print 4 and 3.75",
        ),
        Misconception(
            "first centre always",
            _shown_with(win=lambda away: 0),
            "You always move the first centre. np.linalg.norm without axis=1 returns a single number, whose argmin is 0: use axis=1.",
            f"{_MOVE}: one distance for each centre.",
            _O + "print(after(1, 3)[2:])   # the second is nearest to both points: should print 3.5 and 3.5",
        ),
    ),
    observations=(
        Observation(
            "You move the centre that is farthest from the point, as np.argmax does. Move the nearest one.",
            lambda value, *args: np.allclose(value, _farthest_moves(*args)),
            early=True,
        ),
    ),
    step=f"{_MOVE}: which centre moves, and how far.",
    experiment=_O + "print(after(0, 1))   # each goes half of the way: should print 0.5, 0.5, 4 and 3",
    sizes=lambda X, T0, order, eta: {"n": len(X), "m": len(T0), "d": X.shape[1], "η": eta},
    chained=True,
)
