"""Exercise 7b.6: an RBF network for any number of classes."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER, USE, told_apart
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, each_wrong

__all__ = ["RBF_NETWORK"]

_GROUPS = "Centres by k-means"
_WIDE = "Choosing the spread"
_AT_ONCE = "Output weights by least squares"
_LAYERS = "An RBF network has two layers"


def rbf_network(X, y, T0, Xq):
    """k-means from T0, the median spread, least squares with a bias, a column for each class."""
    return _network(X, y, T0, Xq)


def _rested(X, T, most=500):
    """The centres of k-means and the number of rounds."""
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
    X, y, T0, Xq, *, place=lambda X, T: _rested(X, T)[0], width=lambda T: np.median(_nearest(T)),
    basis=lambda s, sigma: np.exp(-s / (2 * sigma**2)), layer=lambda P: P, bias=True, targets=lambda Y: Y,
):  # fmt: skip
    T = place(X, np.array(T0, dtype=float))
    sigma = width(T)

    def hidden(Z):
        P = layer(basis(squares(Z, T), sigma))
        return np.column_stack([P, np.ones(len(Z))]) if bias else P

    Y = targets((y[:, None] == np.unique(y)).astype(float))
    return hidden(Xq) @ np.linalg.lstsq(hidden(X), Y, rcond=None)[0]


def _network_with(**how):
    return lambda X, y, T0, Xq: _network(X, y, T0, Xq, **how)


def _one_step(X, T):
    groups = squares(X, T).argmin(axis=1)
    return np.array([X[groups == j].mean(axis=0) if np.any(groups == j) else T[j] for j in range(len(T))])


def _drawn(rng, n, d, m, c):
    """Points of c classes in clouds, first centres near some of them, and queries."""
    X = np.vstack([rng.normal(size=(n // c, d)) + 1.7 * rng.normal(size=d) for _ in range(c)])
    y = np.repeat(np.arange(c), n // c)
    T0 = X[rng.choice(len(X), m, replace=False)] + 0.05 * rng.normal(size=(m, d))
    Xq = rng.normal(size=(6, d)) + 1.2 * rng.normal(size=d)
    return X, y, T0, Xq


def _settles(X, T0, least, most, room):
    """Whether k-means takes ``least`` to ``most`` rounds and its centres are ``room`` apart, each with two points or more."""
    try:
        T, rounds = _rested(X, T0)
    except ArithmeticError:  # a centre without points
        return False
    won = np.bincount(squares(X, T).argmin(axis=1))
    return least <= rounds <= most and _nearest(T).min() > room and won.min() > 1


def _problem(rng, n, d, m, c):
    """A problem in which k-means takes two rounds, so that stopping after a few fails in ``_strips`` alone."""
    for _ in attempts("rbf_network"):
        X, y, T0, Xq = _drawn(rng, n, d, m, c)
        if _settles(X, T0, 2, 2, 0.4):
            return X, y, T0, Xq


def _two_centres(rng):
    """Problems whose centres have one distance, the median of all of them and of the nearest."""
    return [_problem(rng, n, d, 2, c) for n, d, c in ((30, 4, 3), (28, 3, 4), (36, 5, 3))]


def _problems(rng):
    def draw(rng):
        return [_problem(rng, n, d, m, c) for n, d, m, c in ((30, 2, 4, 3), (28, 3, 4, 2), (36, 2, 5, 3))]

    return told_apart(rng, draw, lambda: RBF_NETWORK)


def _other_labels(rng):
    """Labels that are not 0, 1, 2 and are not in order; two centres."""
    found = []
    for n, d, c, names in ((27, 4, 3, (5, -3, 2)), (24, 3, 4, (1, -1, 7, 3))):
        X, y, T0, Xq = _problem(rng, n, d, 2, c)
        found.append((X, np.array(names)[y], T0, Xq))
    return found


def _strips(rng):
    """Points along a strip and both first centres at one end, so that k-means takes many rounds."""
    return [_strip(rng, n) for n in (110, 120)]


def _strip(rng, n):
    for _ in attempts("rbf_network"):
        X = np.column_stack([rng.uniform(0, 12, n), rng.uniform(0, 1, (n, 3))])
        X = X[X[:, 0].argsort()]
        T0 = X[:2] + 0.01 * rng.normal(size=(2, 4))
        if _settles(X, T0, 9, np.inf, 0.5):
            y = np.digitize(X[:, 0], [rng.uniform(3, 5), rng.uniform(7, 9)])
            return X, y, T0, rng.uniform(0, 12, (6, 1)) * [1, 0.08, 0.05, 0.02]


def _with_two(inputs):
    """Draw inputs with two centres until every mistake is wrong that does not only combine several distances."""
    combined = "median of all distances", "mean instead of median"

    def drawn(rng):
        others = [m.name for m in RBF_NETWORK.misconceptions if m.name not in combined]
        return each_wrong(inputs, lambda: RBF_NETWORK, others)(rng)

    return drawn


_N = USE + "X = np.array([[0.0], [1], [4], [5], [9], [10]]); y = np.array([0, 0, 1, 1, 0, 0])\n" \
    "def at(*q, T0=([0.0], [4.0], [9.0]), y=y):\n    return rbf_network(X, y, np.array(T0), np.array(q)[:, None])\n"  # fmt: skip
_KMEANS = f"Read “{_GROUPS}” again"
_SPREAD = f"Read “{_WIDE}” again: its last rule"
_OUTPUT = f"Read “{_LAYERS}” again: equation (1)"
# σ from the outputs: far out on the right only the unit at 9.5 is active
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
        Property("gives the outputs of the network with two centres", 1, _with_two(_two_centres)),
        Property(
            "gives the outputs with more centres, where the spread is a median",
            2,
            _problems,
            hint="Your answer fails only with more than two centres. Take the median, over the centres, of the distance to the nearest other centre.",
        ),
        Property(
            "has the columns in the order of the sorted labels",
            1,
            _with_two(_other_labels),
            hint="Your answer fails only if the labels are not 0, 1, 2. The columns belong to the distinct labels in sorted order: use np.unique(y).",
        ),
        Property(
            "repeats k-means until no centre moves",
            1,
            _with_two(_strips),
            hint="Your answer fails only if k-means takes many rounds. Repeat its two steps until no centre moves.",
        ),
    ),
    promises=(
        Promise("let k-means stop after two rounds", lambda X, y, T0, Xq: _rested(X, T0)[1] == 2, of=(0, 1, 2)),
        Promise("have two centres", lambda X, y, T0, Xq: len(T0) == 2, of=(0, 2, 3)),
        Promise("have more than two centres", lambda X, y, T0, Xq: len(T0) > 2, of=(1,)),
        Promise(
            "have no point with two nearest centres",
            lambda X, y, T0, Xq: np.diff(np.sort(squares(X, _rested(X, T0)[0]))[:, :2]).min() > 1e-9,
            of=(0, 1, 2, 3),
        ),
        Promise(
            "have labels that are not 0, 1, 2",
            lambda X, y, T0, Xq: (np.unique(y) != range(len(np.unique(y)))).any(),
            (2,),
        ),
        Promise("let k-means take many rounds", lambda X, y, T0, Xq: _rested(X, T0)[1] > 8, of=(3,)),
    ),
    misconceptions=(
        Misconception(
            "spread by d_max",
            _network_with(width=lambda T: np.sqrt(squares(T, T).max() / (2 * len(T)))),
            "You use the spread of exercise 7b.2. Here it is the median distance of a centre to its nearest other centre.",
            _SPREAD + ".",
            _SEEN + "print(sigma(26.0, [0], [4], [9]))   # centres 0.5, 4.5 and 9.5, so 4, 4 and 5: should print 4",
        ),
        Misconception(
            "no bias",
            _network_with(bias=False),
            "You leave out the bias, so your outputs are 0 far from all centres. Add a column of ones to the hidden layer.",
            f"{_OUTPUT}, and the bias.",
            _N + "print(at(1000.0).sum())   # far away only the biases are left, and they sum to 1: should print 1",
        ),
        Misconception(
            "normalised layer",
            _network_with(layer=lambda P: P / np.maximum(P.sum(axis=1, keepdims=True), 1e-300)),
            "You normalise the hidden layer. Here the activations are used as they are: do not divide by their sum.",
            f"{_OUTPUT}.",
            _N + "print(at(40.0) - at(-40.0))   # far away only the bias is left: should print 0 and 0",
        ),
        Misconception(
            "one round of k-means",
            _network_with(place=_one_step),
            "You take one round of k-means. Repeat both steps until no centre moves.",
            f"{_KMEANS}: when it stops.",
            _N
            + "print(at(0.0, T0=([0.0], [1.0], [4.0])) - at(0.0))   # these starts end in the same groups: should print 0",
        ),
        Misconception(
            "first centres kept",
            _network_with(place=lambda X, T: T),
            "You keep the first centres T0. Move them by k-means until no centre moves.",
            f"{_KMEANS}: both steps.",
            _N
            + "print(at(2.0) - at(2.0, T0=([1.0], [5.0], [10.0])))   # the same groups at the end: should print 0 and 0",
        ),
        Misconception(
            "median of all distances",
            _network_with(width=lambda T: np.median(np.sqrt(squares(T, T))[np.triu_indices(len(T), 1)])),
            "You take the median of all distances between centres. Take the median of the distances to the nearest other centre.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(26.0, [1], [5], [10]))   # the nearest are 4, 4 and 5 away: should print 4",
        ),
        Misconception(
            "zeros in the median",
            _network_with(width=lambda T: np.median(np.sqrt(squares(T, T)))),
            "You take the median of the whole matrix of distances, with the zeros of its diagonal. Take that of the distances to the nearest other centre.",
            f"{_SPREAD}.",
            _SEEN
            + "print(sigma(18.0, [0], [1.2], [4.5], [9.5]))   # the nearest are 1, 1, 3.5 and 5 away: should print 2.25",
        ),
        Misconception(
            "own distance counted",
            _network_with(basis=lambda s, sigma: 0.0 * s),
            "Your outputs are equal at all queries, as with σ = 0. The nearest centre of each centre is itself: set the diagonal of the distances to infinity.",
            f"{_SPREAD}: the nearest other centre.",
            _N + "print(np.ptp(at(0.0, 4.5, 9.0)[:, 0]) > 0.5)   # the outputs differ: should print True",
        ),
        Misconception(
            "spread of the first centres",
            lambda X, y, T0, Xq: _network(X, y, T0, Xq, width=lambda T: np.median(_nearest(np.array(T0, dtype=float)))),
            "You compute the spread from the first centres T0. Use the centres after k-means.",
            f"{_SPREAD}: the centres of k-means.",
            _SEEN
            + "print(sigma(26.0, [1], [4], [10]))   # they move to 0.5, 4.5 and 9.5, so 4, 4 and 5: should print 4",
        ),
        Misconception(
            "mean instead of median",
            _network_with(width=lambda T: _nearest(T).mean()),
            "You take the mean of the distances to the nearest centre. Take their median.",
            f"{_SPREAD}.",
            _SEEN + "print(sigma(26.0, [1], [4], [9]))   # the median of 4, 4 and 5: should print 4",
        ),
        Misconception(
            "no 2 in the Gaussian",
            _network_with(basis=lambda s, sigma: np.exp(-s / sigma**2)),
            "You use exp(-r²/σ²). In this course the Gaussian is exp(-r²/(2σ²)).",
            f"{_OUTPUT}.",
            _SEEN + "print(sigma(26.0, [0], [5], [10]))   # 4, if the Gaussian has 2σ²: should print 4",
        ),
        Misconception(
            "targets of -1 and 1",
            _network_with(targets=lambda Y: 2 * Y - 1),
            "You use the targets -1 and 1. A class has its own column with 1 for its points and 0 for the others.",
            f"Read “{_AT_ONCE}” again: the targets of several classes.",
            _N + "print(at(3.0).sum())   # the targets of a point sum to 1, and so do the outputs: should print 1",
        ),
    ),
    observations=(
        Observation(
            "Your outputs do not sum to 1 at each query. With a bias and these targets they must.",
            lambda value, *args: np.abs(value.sum(axis=1) - 1).max() > 1e-3,
        ),
    ),
    step=f"{_KMEANS}, then “{_WIDE}”, then “{_AT_ONCE}”.",
    experiment=_SEEN
    + "print(at(3.0).sum(), sigma(26.0, [1], [4], [10]), at(*X[:, 0])[:, 1].sum())   # should print 1, 4 and 2",
    sizes=lambda X, y, T0, Xq: {"n": len(X), "m": len(T0), "d": X.shape[1], "c": len(np.unique(y))},
)
