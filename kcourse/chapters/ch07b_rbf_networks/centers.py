"""Exercises 7b.2 and 7b.3: how wide the bells are, and centres that move on line."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER, USE, told_apart
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["ONLINE_KMEANS", "SPREAD"]

_WIDE = "How wide?"
_LINE = "Centres on line: the winner moves"


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
    """Centres far from the origin, of more rows than columns; the farthest two are neither first nor neighbours."""

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
    properties=(Property("is the spread of the rule", 2, _centres),),
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
            "You divide by 2m; the rule divides by its root, √(2m).",
            f"{_RULE}: what stands under the root.",
            _S + "print(of([0, 0], [3, 4]))   # distance 5, √4 = 2: should print 2.5",
        ),
        Misconception(
            "root of 2 alone",
            lambda T: _distances(T).max() / (np.sqrt(2) * len(T)),
            "Your root covers the 2 and not the m: √(2m) is not √2 times m.",
            f"{_RULE}: how far the root reaches.",
            _S + "print(of([0, 0], [6, 8]))   # distance 10, √4 = 2: should print 5",
        ),
        Misconception(
            "mean of the whole table",
            _over_root(lambda T: _distances(T).mean()),
            "You take the mean of the table of distances, zeros of the diagonal included; the rule takes the greatest.",
            f"{_RULE}: what d_max is.",
            _S + "print(of([0, 0], [0, 6], [0, 2]) * np.sqrt(6))   # the greatest distance: should print 6",
        ),
        Misconception(
            "mean over pairs",
            _over_root(lambda T: _pairs(T).mean()),
            "You take the mean distance between two centres; the rule takes the greatest.",
            f"{_RULE}: what d_max is.",
            _S + "print(of([0, 0], [0, 9], [0, 2]) * np.sqrt(6))   # the greatest distance: should print 9",
        ),
        Misconception(
            "squared distance",
            _over_root(lambda T: squares(T, T).max()),
            "Your distances are squared: a σ has the units of x.",
            f"{_RULE}: the units of both sides.",
            _S + "print(of([0, 0], [30, 40]) / of([0, 0], [3, 4]))   # ten times as far: should print 10",
        ),
        Misconception(
            "precision returned",
            lambda T: len(T) / squares(T, T).max(),
            "That is m/d_max², the factor before the squared distance; asked is σ itself.",
            f"{_RULE}, its second half: 1/(2σ²) is that factor.",
            _S + "print(of([0, 0], [12, 16]))   # the farther apart, the larger: should print 10",
        ),
        Misconception(
            "variance returned",
            lambda T: squares(T, T).max() / (2 * len(T)),
            "That is σ²; its root is asked.",
            f"{_RULE}: σ has the units of x.",
            _S + "print(of([0, 0], [0, 2], [0, 1]) ** 2)   # 4/6: should print 2/3",
        ),
        Misconception(
            "2 missing",
            lambda T: _distances(T).max() / np.sqrt(len(T)),
            "The 2 under the root is missing.",
            f"{_RULE}: the 2 comes from 2σ² in the bell.",
            _S + "print(of([0, 0], [0, 4]))   # distance 4, √4 = 2: should print 2",
        ),
        Misconception(
            "least distance",
            _over_root(lambda T: _pairs(T).min()),
            "You take the least distance between two centres; the rule takes the greatest.",
            f"{_RULE}: what d_max is.",
            _S + "print(of([0, 0], [0, 7], [0, 1]) * np.sqrt(6))   # the greatest distance: should print 7",
        ),
        Misconception(
            "from the first centre only",
            _over_root(lambda T: _distances(T)[0].max()),
            "You measure from the first centre only; the farthest two can be any two.",
            f"{_RULE}: d_max is the greatest of all distances.",
            _S
            + "print(of([0, 5], [0, 0], [0, 10]) * np.sqrt(6))   # the first lies between the others: should print 10",
        ),
        Misconception(
            "second greatest",
            _over_root(lambda T: np.sort(_pairs(T))[-2]),
            "You take the second greatest distance between two centres; the rule takes the greatest.",
            f"{_RULE}: what d_max is. Each pair is in the whole table twice, and in a list of pairs once.",
            _S + "print(of([0, 0], [0, 3], [0, 15]) * np.sqrt(6))   # the greatest distance: should print 15",
        ),
        Misconception(
            "neighbouring rows only",
            _over_root(lambda T: np.linalg.norm(np.diff(T, axis=0), axis=1).max()),
            "You measure from each row to the next; the farthest two can be any two.",
            f"{_RULE}: d_max is the greatest of all distances.",
            _S + "print(of([0, 0], [0, 5], [0, 11]) * np.sqrt(6))   # from the first to the last: should print 11",
        ),
        Misconception(
            "bounding box",
            _over_root(lambda T: np.linalg.norm(np.ptp(T, axis=0))),
            "You measure the box around the centres; its diagonal need not join two of them.",
            f"{_RULE}: d_max is a distance between two centres.",
            _S
            + "print(of([0, 3], [4, 0], [4, 6], [8, 3]) * np.sqrt(8))   # the box has the diagonal 10: should print 8",
        ),
        Misconception(
            "longest side of the box",
            _over_root(lambda T: np.ptp(T, axis=0).max()),
            "You take the longest side of the box around the centres; two of them that differ in both coordinates are farther apart.",
            f"{_RULE}: d_max is a distance between two centres.",
            _S + "print(of([0, 0], [6, 8], [3, 4]) * np.sqrt(6))   # 6 to the right and 8 up: should print 10",
        ),
        Misconception(
            "from the mean",
            _over_root(lambda T: np.linalg.norm(T - T.mean(axis=0), axis=1).max()),
            "You measure from the mean of the centres; d_max is the distance between two of them.",
            f"{_RULE}: what d_max is.",
            _S + "print(of([0, 0], [0, 8]))   # 8 apart, √4 = 2: should print 4",
        ),
        Misconception(
            "from the origin",
            _over_root(lambda T: np.linalg.norm(T, axis=1).max()),
            "You measure from the origin: a shift of all centres changes your σ.",
            f"{_RULE}: d_max is a distance between two centres.",
            _S + "print(of([0, 0], [3, 4]) - of([7, 7], [10, 11]))   # a shift changes nothing: should print 0",
        ),
        Misconception(
            "dimension for m",
            lambda T: _distances(T).max() / np.sqrt(2 * T.shape[1]),
            "You divide by the number of columns; m is the number of centres, the rows.",
            f"{_RULE}: m centres.",
            _S + "print(of([0], [8]))   # two centres on a line, √4 = 2: should print 4",
        ),
        Misconception(
            "one centre fewer",
            lambda T: _distances(T).max() / np.sqrt(2 * (len(T) - 1)),
            "You count m - 1 centres; the rule counts all m.",
            f"{_RULE}: m is the number of centres.",
            _S + "print(of([0, 0], [0, 14]))   # distance 14, √4 = 2: should print 7",
        ),
        Misconception(
            "multiplied",
            lambda T: _distances(T).max() * np.sqrt(2 * len(T)),
            "You multiply by √(2m); more centres want narrower bells, so the rule divides.",
            f"{_RULE}: where the root stands.",
            _S + "print(of([0, 0], [0, 20]))   # distance 20, √4 = 2: should print 10",
        ),
        Misconception(
            "city block",
            _over_root(lambda T: np.abs(T[:, None] - T).sum(axis=-1).max()),
            "You add up the differences of the coordinates; the distance is Euclidean.",
            f"{_RULE}: which norm stands in the bell.",
            _S + "print(of([0, 0], [9, 12]))   # the distance is 15, √4 = 2: should print 7.5",
        ),
        Misconception(
            "median of the nearest",
            lambda T: np.median(np.sort(_distances(T), axis=1)[:, 1]),
            "That is the chapter's other rule, the median distance to the nearest other centre; asked is d_max/√(2m).",
            f"{_RULE}; the other rule stands at the section's end.",
            _S + "print(of([0, 0], [0, 1], [0, 24]) * np.sqrt(6))   # the greatest distance: should print 24",
        ),
        Misconception(
            "all numbers of T for m",
            lambda T: _distances(T).max() / np.sqrt(2 * T.size),
            "You divide by the root of twice the number of entries of T; m is the number of its rows.",
            f"{_RULE}: m centres.",
            _S + "print(of([0, 0, 0], [0, 0, 18]))   # two centres in space, √4 = 2: should print 9",
        ),
        Misconception(
            "distance itself",
            lambda T: _distances(T).max(),
            "That is d_max itself, not yet divided by √(2m).",
            f"{_RULE}: the whole of it.",
            _S + "print(of([0, 0], [0, 40]))   # distance 40, √4 = 2: should print 20",
        ),
    ),
    observations=(
        Observation("spread returned 0 or less, and a width is positive.", lambda value, T: value <= 0, early=True),
    ),
    step=f"{_RULE}: the greatest distance between two centres, and the root that divides it.",
    experiment=_S + "print(of([0, 0], [3, 4], [3, 0]) * np.sqrt(6), of([0, 0], [3, 4]))   # should print 5 and 2.5",
    sizes=lambda T: {"m": len(T), "d": T.shape[1]},
)


# -- 7b.3


def online_kmeans(X, T0, order, eta):
    """The winner goes η of the way to the point; nobody else moves."""
    return _shown(X, T0, order, eta)


def _shown(
    X,
    T0,
    order,
    eta,
    *,
    distance=lambda x, T: ((T - x) ** 2).sum(axis=1),
    win=np.argmin,
    rate=lambda eta, won, t: eta,
    move=lambda t, x, start, rate: t + rate * (x - t),
    which=lambda i, t, n: i,
    others=0.0,
    frozen=False,
):
    T, won = np.array(T0, dtype=float), np.zeros(len(T0))
    start = T.copy()
    for t, point in enumerate(order, start=1):
        x = X[which(point, t, len(X))].astype(float)
        J = int(win(distance(x, start if frozen else T)))
        won[J] += 1
        if others:
            away = np.arange(len(T)) != J
            T[away] += others * eta * (x - T[away])
        T[J] = move(T[J], x, start[J], rate(eta, won[J], t))
    return T


def _shown_with(**how):
    return lambda X, T0, order, eta: _shown(X, T0, order, eta, **how)


def _one_mean_step(X, T0, order, eta):
    groups = squares(X.astype(float), np.asarray(T0, dtype=float)).argmin(axis=1)
    return np.array([X[groups == j].mean(axis=0) if np.any(groups == j) else T0[j] for j in range(len(T0))])


def _at_the_end(X, T0, order, eta):
    """All moves are taken from the first centres, and added up."""
    T = np.array(T0, dtype=float)
    J = squares(X[order].astype(float), T).argmin(axis=1)
    moved = T.copy()
    for x, j in zip(X[order], J, strict=True):
        moved[j] += eta * (x - T[j])
    return moved


def _streams(rng):
    """Orders with repetitions, in which each centre wins, and not by the same points as at the start."""

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
    """First centres that are whole numbers, at the points' two ends."""
    found = []
    for n, d in ((6, 3), (8, 4)):
        X = rng.integers(0, 9, (n, d))
        T0 = np.vstack([np.full(d, -1), np.full(d, 9)])
        order = np.append(rng.permutation(n), rng.integers(n, size=4))
        found.append((X, T0, order, float(rng.uniform(0.15, 0.45))))
    return found


def _ties(rng):
    """A first point half way between the first centre and the third: whole numbers, so that no rounding decides."""
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
        Property("moves the winner, and nobody else", 2, _streams),
        Property(
            "works for first centres that are whole numbers",
            1,
            _whole,
            hint="Your answer fails only when the first centres are whole numbers: a copy of an array of integers holds "
            "integers. += refuses to add a fraction to it, and = cuts the fraction off; a copy of floats holds it.",
        ),
        Property(
            "lets the first of two win that are equally near",
            1,
            _ties,
            hint="Your answer fails only when two centres are equally near to a point: then the first of them wins. A loop "
            "that takes a new winner at ≤ gives it to the last; < and argmin to the first.",
        ),
    ),
    promises=(
        Promise("come back to points", lambda X, T0, order, eta: len(order) > len(np.unique(order)), of=(0, 1)),
        Promise("let each centre win", lambda *args: (online_kmeans(*args) != args[1]).any(axis=1).all()),
        Promise("have first centres that are whole numbers", lambda X, T0, order, eta: T0.dtype.kind == "i", of=(1,)),
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
            "All centres move towards the point; only the nearest does.",
            f"{_MOVE}, step 6: the winner alone.",
            _O + "print(after(0))   # the point 0, 0 is nearest to the first: should print 0.5, 0.5, 4 and 2",
        ),
        Misconception(
            "set to the step",
            _shown_with(move=lambda t, x, start, rate: rate * (x - t)),
            "The winner is set to η(x - t), with = for +=: it moves by that much from where it is.",
            f"{_MOVE}, step 6: t ← t + η(x - t).",
            _O + "print(after(2))   # the first goes half way to 1, 0: should print 1, 0.5, 4 and 2",
        ),
        Misconception(
            "moves away",
            _shown_with(move=lambda t, x, start, rate: t - rate * (x - t)),
            "The winner moves away from the point: the sign is turned round.",
            f"{_MOVE}, step 6: x - t, and a plus.",
            _O + "print(after(1))   # the second goes half way to 4, 4: should print 1, 1, 4 and 3",
        ),
        Misconception(
            "1/n for η",
            _shown_with(rate=lambda eta, won, t: 1 / won),
            "You take one over the number of wins; here the step is the η that is given.",
            f"{_MOVE}: the case of a constant η.",
            _O + "print(after(0, eta=0.25))   # a quarter of the way: should print 0.75, 0.75, 4 and 2",
        ),
        Misconception(
            "η/t",
            _shown_with(rate=lambda eta, won, t: eta / t),
            "You divide η by the number of points shown; here it is constant.",
            f"{_MOVE}: the case of a constant η.",
            _O + "print(after(1, 1))   # half way twice, from 4, 2: should print 1, 1, 4 and 3.5",
        ),
        Misconception(
            "η/N",
            _shown_with(rate=lambda eta, won, t: eta / won),
            "You divide η by the number of the centre's wins; here it is constant.",
            f"{_MOVE}: the case of a constant η.",
            _O + "print(after(1, 1, 1)[2:])   # half way to 4, 4, three times, from 4, 2: should print 4 and 3.75",
        ),
        Misconception(
            "η/n",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, order, eta / len(X))),
            "You divide η by the number of points in X; one point is shown, and the winner goes η of the way to it.",
            f"{_MOVE}, step 6: η, and nothing below it.",
            _O
            + "print(after(3, 3, eta=0.25)[2:])   # a quarter of the way to 3, 4, twice: should print 3.5625 and 2.875",
        ),
        Misconception(
            "one step of k-means in batch",
            _one_mean_step,
            "That is a step of k-means in batch, groups and their means; here one point after the other is shown.",
            f"{_MOVE}: points come one by one and are not kept.",
            _O + "print(after(0, 0, eta=0.25))   # a quarter of the way, twice: should print 0.5625, 0.5625, 4 and 2",
        ),
        Misconception(
            "farthest wins",
            _shown_with(win=np.argmax),
            "The farthest centre moves; the nearest wins.",
            f"{_MOVE}, step 6: arg min.",
            _O + "print(after(2))   # the first is nearest to 1, 0: should print 1, 0.5, 4 and 2",
        ),
        Misconception(
            "winners by the first centres",
            _shown_with(frozen=True),
            "Who wins is decided by the first centres, all the time; it is decided by those that are there now.",
            f"{_MOVE}, step 6: the centres of this moment.",
            _O + "T0 = np.array([[1.0, 0], [8, 0]]); X[1] = [4, 0]; X[3] = [5, 0]\n"
            "print(after(1, 3, 1, 3, eta=0.75)[2:])   # the first has come to meet them: should print 8 and 0",
        ),
        Misconception(
            "all moves from the first centres",
            _at_the_end,
            "Each move starts from the first centres, and they are added up; every move starts where the last one ended.",
            f"{_MOVE}, step 6: t_J on the right is that of this moment.",
            _O + "print(after(0, 0)[:2])   # half way, then half of the rest: should print 0.25 and 0.25",
        ),
        Misconception(
            "pulled from its start",
            _shown_with(move=lambda t, x, start, rate: t + rate * (x - start)),
            "The step is measured from where the centre started, and not from where it is.",
            f"{_MOVE}, step 6: x - t_J with the t_J of this moment.",
            _O + "print(after(0, 2, 0)[:2])   # 0.5, 0.5; 0.75, 0.25; then: should print 0.375 and 0.125",
        ),
        Misconception(
            "order ignored",
            _shown_with(which=lambda i, t, n: (t - 1) % n),
            "You show the rows of X as they stand; the turn is that of order.",
            f"{_MOVE}: one point after the other, here in the given order.",
            _O + "print(after(3)[2:])   # the fourth row is shown: should print 3.5 and 3",
        ),
        Misconception(
            "each row once",
            lambda X, T0, order, eta: _shown(X, T0, range(len(X)), eta),
            "You show each row of X once, as they stand; order says whose turn it is, and how often.",
            f"{_MOVE}: one point after the other, here in the given order.",
            _O + "print(after(3, 3, 3)[2:])   # the fourth row alone: should print 3.125 and 3.75",
        ),
        Misconception(
            "last point left out",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, order[:-1], eta)),
            "You stop one point too early: the last of the order is shown, too.",
            f"{_MOVE}: every point that comes is won by somebody.",
            _O + "print(after(3, 1)[2:])   # half way to 3, 4, then half way to 4, 4: should print 3.75 and 3.5",
        ),
        Misconception(
            "first point left out",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, order[1:], eta)),
            "You begin with the second point: the first of the order is shown, too.",
            f"{_MOVE}: the first centres are given, so no point is needed to begin with.",
            _O + "print(after(1, 0)[2:])   # the second goes half way to 4, 4, then rests: should print 4 and 3",
        ),
        Misconception(
            "η and 1 - η exchanged",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, order, 1 - eta)),
            "You keep η of the old centre and take 1 - η of the point; it is the other way round.",
            f"{_MOVE}: t ← (1 - η)t + ηx.",
            _O + "print(after(0, eta=0.125)[:2])   # an eighth of the way: should print 0.875 and 0.875",
        ),
        Misconception(
            "point added, not the difference",
            _shown_with(move=lambda t, x, start, rate: t + rate * x),
            "You add η times the point; what is added is η times the way from the centre to the point.",
            f"{_MOVE}, step 6: x - t in the bracket.",
            _O + "print(after(1, 1, 1)[2:])   # nearer and nearer to 4, 4: should print 4 and 3.75",
        ),
        Misconception(
            "jumps onto the point",
            _shown_with(rate=lambda eta, won, t: 1.0),
            "The winner jumps onto the point; it goes η of the way.",
            f"{_MOVE}, step 6: η.",
            _O + "print(after(3, 3)[2:])   # half way to 3, 4, twice: should print 3.25 and 3.5",
        ),
        Misconception(
            "factor 2",
            Changed(online_kmeans, lambda X, T0, order, eta: (X, T0, order, 2 * eta)),
            "Your step is twice as long: the 2 of the squared distance's slope is in η already.",
            f"{_MOVE}, step 6: η, and no 2.",
            _O + "print(after(2, 2)[:2])   # half way to 1, 0, twice: should print 1 and 0.25",
        ),
        Misconception(
            "city block",
            _shown_with(distance=lambda x, T: np.abs(T - x).sum(axis=1)),
            "You compare sums of absolute differences; nearest is meant in the Euclidean distance.",
            f"{_MOVE}, step 6: ‖x - t_j‖.",
            _O
            + "T0 = np.array([[3.0, 3], [0, 5]]); print(after(0)[:2])   # √18 is nearer than 5: should print 1.5 and 1.5",
        ),
        Misconception(
            "largest coordinate decides",
            _shown_with(distance=lambda x, T: np.abs(T - x).max(axis=1)),
            "You compare the largest of the absolute differences; nearest is meant in the Euclidean distance.",
            f"{_MOVE}, step 6: ‖x - t_j‖.",
            _O
            + "T0 = np.array([[3.0, 3], [0, 4]]); print(after(0)[2:])   # 4 is nearer than √18: should print 0 and 2",
        ),
        Misconception(
            "largest inner product wins",
            _shown_with(distance=lambda x, T: -(T @ x)),
            "The centre with the largest inner product moves; that is not the nearest one.",
            f"{_MOVE}, step 6: the distance decides.",
            _O + "print(after(2, 0)[2:])   # the second is nearest to neither of the two points: should print 4 and 2",
        ),
        Misconception(
            "first centre always",
            _shown_with(win=lambda away: 0),
            "The first centre alone moves, whoever is nearest: np.linalg.norm without axis=1, for one, is a single number for "
            "all centres together, and the arg min of one number is 0.",
            f"{_MOVE}, step 6: one distance for each centre.",
            _O + "print(after(1, 3)[2:])   # the second is nearest to both points: should print 3.5 and 3.5",
        ),
        Misconception(
            "losers pushed away",
            _shown_with(others=-1.0),
            "The winner comes nearer and the others are pushed away; the others stay.",
            f"{_MOVE}, step 6: the winner alone moves.",
            _O + "print(after(0, 2)[2:])   # the second never wins: should print 4 and 2",
        ),
    ),
    step=f"{_MOVE}, step 6: who wins, and how far it goes.",
    experiment=_O + "print(after(0), after(0, 1))   # in the end: should print 0.5, 0.5, 4 and 3",
    sizes=lambda X, T0, order, eta: {"n": len(X), "m": len(T0), "d": X.shape[1], "η": eta},
    chained=True,
)
