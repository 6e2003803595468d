"""Exercise 7b.6: a whole network for any number of classes."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER, USE, told_apart
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["RBF_NETWORK"]

_GROUPS = "Centres, second way: k-means"
_WIDE = "How wide?"
_AT_ONCE = "The last layer: all at once"
_LAYERS = "Two layers"


def rbf_network(X, y, T0, Xq):
    """k-means from T0, the median spread, least squares with a bias, a column for each class."""
    return _network(X, y, T0, Xq)


def _rested(X, T, most=500):
    """The centres of k-means, and the rounds that it took."""
    for rounds in range(most):
        groups = squares(X, T).argmin(axis=1)
        if len(np.unique(groups)) < len(T):
            raise ArithmeticError("a centre without points")
        moved = np.array([X[groups == j].mean(axis=0) for j in range(len(T))])
        if np.array_equal(moved, T):
            return T, rounds
        T = moved
    return T, most


def _nearest(T):
    D = np.sqrt(squares(T, T))
    np.fill_diagonal(D, np.inf)
    return D.min(axis=1)


def _network(
    X,
    y,
    T0,
    Xq,
    *,
    place=lambda X, T: _rested(X, T)[0],
    width=lambda T: np.median(_nearest(T)),
    bell=lambda s, sigma: np.exp(-s / (2 * sigma**2)),
    layer=lambda P: P,
    bias=True,
    targets=lambda Y: Y,
    lam=0.0,
    out=lambda Y: Y,
    queries=lambda Xq, X: Xq,
):
    T = place(X, np.array(T0, dtype=float))
    sigma = width(T)

    def hidden(Z):
        P = layer(bell(squares(Z, T), sigma))
        return np.column_stack([P, np.ones(len(Z))]) if bias else P

    Y = targets((y[:, None] == np.unique(y)).astype(float))
    A = hidden(X)
    W = (
        np.linalg.lstsq(A, Y, rcond=None)[0]
        if lam == 0
        else np.linalg.solve(A.T @ A + lam * np.eye(A.shape[1]), A.T @ Y)
    )
    return out(hidden(queries(Xq, X)) @ W)


def _network_with(**how):
    return lambda X, y, T0, Xq: _network(X, y, T0, Xq, **how)


def _rounds(count):
    return lambda X, T: _rested(X, T, count)[0]


def _one_step(X, T):
    groups = squares(X, T).argmin(axis=1)
    return np.array([X[groups == j].mean(axis=0) if np.any(groups == j) else T[j] for j in range(len(T))])


def _class_means(X, y, T0, Xq):
    """Centres at the means of the classes, as many as there are classes."""
    T = np.array([X[y == c].mean(axis=0) for c in np.unique(y)])
    return _network(X, y, T, Xq, place=lambda X, T: T)


def _two_nearest(T):
    """The mean distance of each centre to its two nearest others."""
    return np.sort(np.sqrt(squares(T, T)), axis=1)[:, 1:3].mean(axis=1)


def _scatter(per_coordinate):
    """Each bell as wide as its own group scatters, all coordinates together or each."""

    def network(X, y, T0, Xq):
        T, _ = _rested(X, np.array(T0, dtype=float))
        far = squares(X, T)
        groups = far.argmin(axis=1)
        sigma = [np.sqrt(far[groups == j, j].mean()) for j in range(len(T))]
        own = np.array(sigma) / (np.sqrt(X.shape[1]) if per_coordinate else 1)
        return _network(X, y, T, Xq, width=lambda T: own)

    return network


def _drawn(rng, n, d, m, c):
    """Points of c classes in clouds, starts at some of them, so many queries."""
    X = np.vstack([rng.normal(size=(n // c, d)) + 1.7 * rng.normal(size=d) for _ in range(c)])
    y = np.repeat(np.arange(c), n // c)
    T0 = X[rng.choice(len(X), m, replace=False)] + 0.05 * rng.normal(size=(m, d))
    Xq = rng.normal(size=(6, d)) + 1.2 * rng.normal(size=d)
    return X, y, T0, Xq


def _settles(X, T0, least, most, room):
    """Whether k-means takes so many rounds, and leaves centres this far apart with two points or more each."""
    try:
        T, rounds = _rested(X, T0)
    except ArithmeticError:  # a centre without points
        return False
    won = np.bincount(squares(X, T).argmin(axis=1))  # a bell of width 0 would be 0/0
    return least <= rounds <= most and _nearest(T).min() > room and won.min() > 1


def _problem(rng, n, d, m, c):
    """k-means takes two rounds, and no centre is without points: who stops after a few fails at the strips alone."""
    for _ in attempts("rbf_network"):
        X, y, T0, Xq = _drawn(rng, n, d, m, c)
        if _settles(X, T0, 2, 2, 0.4):
            return X, y, T0, Xq


def _problems(rng):
    def draw(rng):
        return [_problem(rng, n, d, m, c) for n, d, m, c in ((30, 2, 4, 3), (28, 3, 4, 2), (36, 2, 5, 3))]

    return told_apart(rng, draw, lambda: RBF_NETWORK)


def _other_labels(rng):
    """Labels that are no 0, 1, 2, and do not come in their order."""
    found = []
    for n, d, m, c, names in ((27, 2, 4, 3, (5, -3, 2)), (24, 3, 4, 2, (1, -1))):
        X, y, T0, Xq = _problem(rng, n, d, m, c)
        found.append((X, np.array(names)[y], T0, Xq))
    return found


def _strips(rng):
    """Points along a strip and all starts at one end: many rounds."""
    return [_strip(rng, n, m) for n, m in ((60, 4), (70, 5))]


def _strip(rng, n, m):
    for _ in attempts("rbf_network"):
        X = np.column_stack([rng.uniform(0, 12, n), rng.uniform(0, 1, n)])
        X = X[X[:, 0].argsort()]
        T0 = X[:m] + 0.01 * rng.normal(size=(m, 2))
        if _settles(X, T0, 9, np.inf, 0.5):
            y = np.digitize(X[:, 0], [rng.uniform(3, 5), rng.uniform(7, 9)])
            return X, y, T0, rng.uniform(0, 12, (6, 1)) * [1, 0.08]


_N = USE + "X = np.array([[0.0], [1], [4], [5], [9], [10]]); y = np.array([0, 0, 1, 1, 0, 0])\n" \
    "def at(*q, T0=([0.0], [4.0], [9.0]), y=y):\n    return rbf_network(X, y, np.array(T0), np.array(q)[:, None])\n"  # fmt: skip
_KMEANS = f"Read “{_GROUPS}” again"
_SPREAD = f"Read “{_WIDE}” again: its last rule"
_WEIGHTS = f"Read “{_AT_ONCE}” again"
_BELL = f"Read “{_LAYERS}” again: equation (1)"
# σ as it is seen from outside: far out on the right the bell at 9.5 speaks alone
_SEEN = (
    _N + "def sigma(a, *T0):\n    f = at(a, a + 1, 1000.0, T0=T0)[:, 0]; "
    "return np.round(np.sqrt((a - 9) / np.log((f[0] - f[2]) / (f[1] - f[2]))), 2)\n"
)

RBF_NETWORK = Exercise(
    name="rbf_network",
    chapter=CHAPTER,
    number="7b.6",
    returns="the outputs at the queries, a column for each class, shape (q, c)",
    reference=rbf_network,
    properties=(
        Property("is the network, placed, spread and solved", 3, _problems),
        Property(
            "has its classes in sorted order, whatever the labels",
            1,
            _other_labels,
            hint="Your answer fails only when the labels are not 0, 1, 2 in this order: the columns are the distinct labels, sorted.",
        ),
        Property(
            "goes on with k-means until no centre moves",
            1,
            _strips,
            hint="Your answer fails only when k-means takes many rounds: go on until no centre moves.",
        ),
    ),
    promises=(
        Promise("let k-means rest after two rounds", lambda X, y, T0, Xq: _rested(X, T0)[1] == 2, of=(0, 1)),
        Promise(
            "have no point on a border",
            lambda X, y, T0, Xq: np.diff(np.sort(squares(X, _rested(X, T0)[0]))[:, :2]).min() > 1e-9,
            of=(0, 1, 2),
        ),
        Promise(
            "have labels that are no 0, 1, 2",
            lambda X, y, T0, Xq: (np.unique(y) != range(len(np.unique(y)))).any(),
            (1,),
        ),
        Promise("let k-means go on for many rounds", lambda X, y, T0, Xq: _rested(X, T0)[1] > 8, of=(2,)),
    ),
    misconceptions=(
        Misconception(
            "spread by d_max",
            _network_with(width=lambda T: np.sqrt(squares(T, T).max() / (2 * len(T)))),
            "Your spread is that of exercise 7b.2; asked is the median distance to the nearest other centre.",
            _SPREAD + ".",
            _SEEN + "print(sigma(26.0, [0], [4], [9]))   # centres 0.5, 4.5 and 9.5, so 4, 4 and 5: should print 4",
        ),
        Misconception(
            "no bias",
            _network_with(bias=False),
            "Your output layer has no bias: far from all bells your outputs are 0.",
            f"{_BELL}, and the column of ones below it.",
            _N + "print(at(1000.0).sum())   # far away the biases are left, and they sum to 1: should print 1",
        ),
        Misconception(
            "normalised layer",
            _network_with(layer=lambda P: P / np.maximum(P.sum(axis=1, keepdims=True), 1e-300)),
            "Your hidden layer is normalised; the network of least squares here takes the bells as they are.",
            f"{_BELL}: no sum below the bell.",
            _N + "print(at(40.0) - at(-40.0))   # far away on either side the bias alone is left: should print 0 and 0",
        ),
        Misconception(
            "one round of k-means",
            _network_with(place=_one_step),
            "Your centres have made one round of k-means; it goes on until nothing changes.",
            f"{_KMEANS}: when it stops.",
            _N
            + "print(at(0.0, T0=([0.0], [1.0], [4.0])) - at(0.0))   # these starts end in the same groups: should print 0",
        ),
        Misconception(
            "first centres kept",
            _network_with(place=lambda X, T: T),
            "Your centres stay where they start; k-means has to move them.",
            f"{_KMEANS}: both steps.",
            _N
            + "print(at(2.0) - at(2.0, T0=([1.0], [5.0], [10.0])))   # the same groups in the end: should print 0 and 0",
        ),
        Misconception(
            "median of all distances",
            _network_with(width=lambda T: np.median(np.sqrt(squares(T, T))[np.triu_indices(len(T), 1)])),
            "You take the median of all distances between centres; asked is that of the distances to the nearest one.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(26.0, [1], [5], [10]))   # the nearest are 4, 4 and 5 away: should print 4",
        ),
        Misconception(
            "zeros in the median",
            _network_with(width=lambda T: np.median(np.sqrt(squares(T, T)))),
            "You take the median of the whole table of distances, zeros of the diagonal included; asked is that of the distances to "
            "the nearest other centre.",
            f"{_SPREAD}.",
            _SEEN
            + "print(sigma(18.0, [0], [1.2], [4.5], [9.5]))   # the nearest are 1, 1, 3.5 and 5 away: should print 2.25",
        ),
        Misconception(
            "own distance counted",
            _network_with(bell=lambda s, sigma: 0.0 * s),
            "Your outputs are alike at all queries, as if all bells were silent. As a rule σ is 0 then, since the nearest centre of "
            "each is itself.",
            f"{_SPREAD}: the nearest other one.",
            _N + "print(np.ptp(at(0.0, 4.5, 9.0)[:, 0]) > 0.5)   # at the bells the outputs differ: True",
        ),
        Misconception(
            "upper of the two in the middle",
            _network_with(width=lambda T: np.sort(_nearest(T))[len(T) // 2]),
            "Of an even number of distances you take the upper of the two in the middle; their median is half way between.",
            f"{_SPREAD}.",
            _SEEN
            + "print(sigma(14.0, [0], [1.1], [4.5], [9.5]))   # the nearest are 1, 1, 3.5 and 5 away: should print 2.25",
        ),
        Misconception(
            "spread of the first centres",
            lambda X, y, T0, Xq: _network(X, y, T0, Xq, width=lambda T: np.median(_nearest(np.array(T0, dtype=float)))),
            "Your spread is that of the centres as they start; k-means moves them first.",
            f"{_SPREAD}: the distances between the centres that it leaves.",
            _SEEN
            + "print(sigma(26.0, [1], [4], [10]))   # they move to 0.5, 4.5 and 9.5, so 4, 4 and 5: should print 4",
        ),
        Misconception(
            "mean for the median",
            _network_with(width=lambda T: _nearest(T).mean()),
            "You take the mean of the distances to the nearest centre; asked is their median.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(26.0, [1], [4], [9]))   # the median of 4, 4 and 5: should print 4",
        ),
        Misconception(
            "least for the median",
            _network_with(width=lambda T: _nearest(T).min()),
            "You take the least distance between two centres; asked is the median over the centres of the distance to the nearest one.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(18.0, [0], [1], [4.4], [9.4]))   # the median of 1, 1, 3.5 and 5: should print 2.25",
        ),
        Misconception(
            "second nearest",
            _network_with(
                width=lambda T: np.median(np.sort(squares(T, T), axis=1)[:, 2] ** 0.5) if len(T) > 2 else np.inf
            ),
            "You take the median distance to the second nearest other centre; asked is that to the nearest one.",
            f"{_SPREAD}: if the diagonal is ∞, the nearest other centre comes first in a sorted row.",
            _SEEN + "print(sigma(26.0, [1], [5], [9]))   # the nearest are 4, 4 and 5 away: should print 4",
        ),
        Misconception(
            "lower of the two in the middle",
            _network_with(width=lambda T: np.sort(_nearest(T))[(len(T) - 1) // 2]),
            "Of an even number of distances you take the lower of the two in the middle; their median is half way between.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(17.0, [0], [1], [4.5], [9.5]))   # half way from 1 to 3.5: should print 2.25",
        ),
        Misconception(
            "one place above the middle",
            _network_with(width=lambda T: np.sort(_nearest(T))[(len(T) + 1) // 2]),
            "You take the distance one place above the middle: sorted, and counted from 0, that of m distances with m odd "
            "stands at m // 2.",
            f"{_SPREAD}: as many are below the median as above.",
            _SEEN + "print(sigma(26.0, [0], [4], [10]))   # the middle one of 4, 4 and 5: should print 4",
        ),
        Misconception(
            "half the distance",
            _network_with(width=lambda T: np.median(_nearest(T)) / 2),
            "Your spread is half of the median distance; the rule takes the whole of it.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(28.0, [0], [4], [9]))   # the median of 4, 4 and 5, not its half: should print 4",
        ),
        Misconception(
            "a spread of its own for each",
            _network_with(width=_nearest),
            "Each of your bells is as wide as it is far from its own nearest centre; asked is one spread for all, the median "
            "of these distances.",
            f"{_SPREAD}: one number comes out.",
            _SEEN
            + "print(sigma(27.0, [0], [4], [9]))   # the last is 5 from its nearest, the median is 4: should print 4",
        ),
        Misconception(
            "mean of the two nearest, for each",
            _network_with(width=_two_nearest),
            "Each of your bells has the mean distance to its two nearest centres; asked is one spread for all, from the "
            "nearest alone.",
            f"{_SPREAD}; that of the two nearest is named there as another choice.",
            _SEEN + "print(sigma(27.0, [1], [4], [9]))   # the nearest are 4, 4 and 5 away: should print 4",
        ),
        Misconception(
            "median of means of two",
            _network_with(width=lambda T: np.median(_two_nearest(T))),
            "You take the median of mean distances to the two nearest centres; asked is that of distances to the nearest one.",
            f"{_SPREAD}: the nearest other centre alone.",
            _SEEN + "print(sigma(27.0, [1], [5], [9]))   # the nearest are 4, 4 and 5 away: should print 4",
        ),
        Misconception(
            "scatter of its own group",
            _scatter(False),
            "Each of your bells is as wide as its own group scatters; here the spread looks at the centres alone.",
            f"{_SPREAD}: no point in it, only centres.",
            _SEEN
            + "print(sigma(27.0, [1], [5], [10]))   # groups scatter by 0.5, centres are 4, 4 and 5 apart: should print 4",
        ),
        Misconception(
            "scatter of its own group, by coordinate",
            _scatter(True),
            "Your spreads are those of EM, the scatter of each group by coordinate; here one spread for all looks at the "
            "centres alone.",
            f"{_SPREAD}: no point in it, and no d.",
            _SEEN
            + "print(sigma(28.0, [1], [5], [10]))   # groups scatter by 0.5, centres are 4, 4 and 5 apart: should print 4",
        ),
        Misconception(
            "no 2 in the bell",
            _network_with(bell=lambda s, sigma: np.exp(-s / sigma**2)),
            "Your bell is exp(-r²/σ²); the course's has 2σ² below.",
            f"{_BELL}.",
            _SEEN + "print(sigma(26.0, [0], [5], [10]))   # 4, if the bell has 2σ² below: should print 4",
        ),
        Misconception(
            "no square in the bell",
            _network_with(bell=lambda s, sigma: np.exp(-np.sqrt(s) / sigma)),
            "Your bell falls like exp(-r/σ), with a peak at its centre; it is exp(-r²/(2σ²)).",
            f"{_BELL}.",
            _SEEN + "print(sigma(26.0, [0], [5], [9]))   # 4, if the bell has a square: should print 4",
        ),
        Misconception(
            "targets of -1 and 1",
            _network_with(targets=lambda Y: 2 * Y - 1),
            "Your targets are -1 and 1; with a column for each class they are 1 for its own points and 0 for the others.",
            f"Read “{_AT_ONCE}” again, and what the targets of two outputs are in “{_LAYERS}”.",
            _N + "print(at(3.0).sum())   # the columns of targets sum to 1, so the outputs do: should print 1",
        ),
        Misconception(
            "penalty",
            _network_with(lam=1.0),
            "Your weights are pulled towards 0 by a penalty; here they are those of least squares.",
            f"{_WEIGHTS}: step 1 has no penalty.",
            _N
            + "print(at(*X[:, 0]).mean(axis=0) * 6)   # with a free bias the means are those of the targets: should print 4 and 2",
        ),
        Misconception(
            "clipped",
            _network_with(out=lambda Y: np.clip(Y, 0, 1)),
            "You clip the outputs to the band from 0 to 1; asked is what the network says.",
            f"{_BELL}: a sum, and nothing after it.",
            _N
            + "print(at(40.0).max() > 1)   # far away the biases are left, and one of them is above 1: should print True",
        ),
        Misconception(
            "centres at the class means",
            _class_means,
            "Your centres come from the classes; k-means looks at the points alone.",
            f"{_KMEANS}: no label in (5).",
            _N + "print(at(40.0, y=1 - y) - at(40.0)[:, ::-1], at(2.0))   # other names for the classes move no centre",
        ),
    ),
    observations=(
        Observation(
            "The outputs of a network with a bias sum to 1 at each query, those of yours do not.",
            lambda value, *args: np.abs(value.sum(axis=1) - 1).max() > 1e-3,
        ),
    ),
    step=f"{_KMEANS}, then “{_WIDE}”, then “{_AT_ONCE}”: the three parts one after the other.",
    experiment=_SEEN
    + "print(at(3.0).sum(), sigma(26.0, [1], [4], [10]), at(*X[:, 0])[:, 1].sum())   # should print 1, 4 and 2",
    sizes=lambda X, y, T0, Xq: {"n": len(X), "m": len(T0), "d": X.shape[1], "c": len(np.unique(y))},
)
