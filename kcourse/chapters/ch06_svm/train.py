"""Exercise 6.5: a support vector machine. Any multipliers and bias with a small enough duality gap are right."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from kcourse.chapters.ch06_svm.common import CHAPTER, USE, gram, led_by, solved, solved_to, steps_to
from kcourse.checks.spec import Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["SVM_TRAIN"]

_STOP = "When to stop: the gap as a bound"
_GAP = "The duality gap is an area"
_BIAS = "The bias: one value or an interval"
_SMO = "SMO in thirty lines"
_NEAR = 1e-3  # largest distance between a mistake's exact result and an answer that stopped at tol


def svm_train(K, y, C, tol):
    """α and b with P - D ≤ tol, here to machine precision."""
    return np.append(*solved(K, y, C))


def _taken(value: Any) -> np.ndarray | None:
    """(α, b) as one array; None for any other value."""
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return value
    if not isinstance(value, (tuple, list)) or len(value) != 2 or np.ndim(value[0]) != 1 or np.size(value[1]) != 1:
        return None
    return np.append(np.asarray(value[0], dtype=float), np.asarray(value[1], dtype=float).ravel())


def _inside(value, K, y, C):
    return bool(np.all(value[:-1] >= -1e-8 * C) and np.all(value[:-1] <= C * (1 + 1e-8)))


def _balanced(value, K, y, C):
    return bool(abs(value[:-1] @ y) <= 1e-8 * C * len(y))


def _gap(value, K, y, C, b=None):
    """P - D: ‖w‖² + C Σ ξ - Σ α."""
    alpha, u = value[:-1], K @ (value[:-1] * y)
    slacks = np.maximum(0.0, 1.0 - y * (u + (value[-1] if b is None else b)))
    return float(alpha * y @ u + C * slacks.sum() - alpha.sum())


def _best_gap(value, K, y, C):
    """P - D with the best bias for these multipliers; infinite if they are not feasible."""
    if not _inside(value, K, y, C) or not _balanced(value, K, y, C):
        return np.inf
    each = y - K @ (value[:-1] * y)  # the objective is convex and piecewise linear in b, with its corners here
    return min(_gap(value, K, y, C, b) for b in each)


def _view(value: Any, K: Any, y: Any, C: float, tol: float) -> np.ndarray | None:
    """The gap decides: an answer with a gap below tol is viewed as the exact solution, a mistake as its exact numbers.

    Multipliers whose gap would be below tol with another bias are viewed as the exact ones.
    """
    taken = _taken(value)
    if taken is None or len(taken) != len(y) + 1 or not np.isfinite(taken).all():
        return taken
    exact, allowed = svm_train(K, y, C, tol), 1.001 * tol + 1e-12
    if _inside(taken, K, y, C) and _balanced(taken, K, y, C) and _gap(taken, K, y, C) <= allowed:
        return exact
    for given in _given_by_mistakes(K, y, C, tol):
        if np.abs(given - exact)[:-1].max() > _NEAR * C:  # other multipliers: their bias may be anything
            near = np.abs(given - taken)[:-1].max()
        else:
            near = np.abs(given - taken).max()
        if near <= _NEAR * C < np.abs(given - exact).max():
            return given
    return np.append(exact[:-1], taken[-1]) if _best_gap(taken, K, y, C) <= allowed else taken


def _with_bias(bias):
    """The right multipliers, and another bias."""

    def wrong(K, y, C, tol):
        alpha, b = solved(K, y, C)
        if not np.any((alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))):
            raise ArithmeticError("a mistake in b cannot be recognised where an interval of b is optimal")
        return alpha, bias(alpha, K @ (alpha * y), y, C, b)

    return wrong


def _another_bound(bound):
    return lambda K, y, C, tol: solved(K, y, bound(C, len(y)))


def _signed(K, y, C, tol):
    alpha, b = solved(K, y, C)
    return alpha * y, b


def _without_the_label(alpha, u, y, C, b):
    free = (alpha > 1e-8 * C) & (alpha < C * (1 - 1e-8))
    return np.mean((1 - u)[free])


_MISTAKES = {
    "bias with the other sign": _with_bias(lambda alpha, u, y, C, b: -b),
    "no bias": _with_bias(lambda alpha, u, y, C, b: 0.0),
    "signed multipliers": _signed,
    "bias from all support vectors": _with_bias(lambda alpha, u, y, C, b: np.mean((y - u)[alpha > 1e-8 * C])),
    "bias from all points": _with_bias(lambda alpha, u, y, C, b: np.mean(y - u)),
    "bias from the largest multiplier": _with_bias(lambda alpha, u, y, C, b: (y - u)[np.argmax(alpha)]),
    "bias from the first support vector": _with_bias(lambda alpha, u, y, C, b: (y - u)[np.argmax(alpha > 1e-8 * C)]),
    "bias without the label": _with_bias(_without_the_label),
    "C divided by n": _another_bound(lambda C, n: C / n),
    "C halved": _another_bound(lambda C, n: C / 2),
    "λ for C": _another_bound(lambda C, n: 1 / C),
}


def _given_by_mistakes(K, y, C, tol):
    """(α, b) of each mistake that can be recognised there."""
    found = []
    for mistake in _MISTAKES.values():
        with contextlib.suppress(ArithmeticError):
            found.append(np.append(*mistake(K, y, C, tol)))
    return found


def _flat(mistake):
    return lambda *args: np.append(*mistake(*args))


def _left_by_slope(K, y, C, tols):
    """The remaining gap, in units of tol, of loops that stop if no pair has a slope above tol, for each of ``tols``."""
    ways = [solved_to(K, y, C, tols, exact=exact) for exact in (True, False)]
    return [min(_gap(np.append(*at), K, y, C) for at in both) / tol for tol, *both in zip(tols, *ways, strict=True)]


def _problems(rng):
    """Overlapping classes with free and bound support vectors, on which no two mistakes agree."""
    for _ in attempts("svm_train"):
        # a bias from the first support vector is right only in the last problem; the first needs many steps
        found = [_overlapping(rng, n, free_first=n == 10) for n in (26, 12, 10)]
        if telling(found, svm_train, [_flat(mistake) for mistake in _MISTAKES.values()], least=10 * _NEAR):
            return found


def _overlapping(rng, n, free_first):
    """K, y, C, tol whose largest multiplier is bound, and whose first support vector is free or bound.

    With more than 20 points, C is large and the kernel is wide, so SMO needs more than 120 steps.
    """
    many = n > 20
    for _ in attempts("svm_train"):
        X, K = gram(rng, n, width=1.2 if many else 0.7)
        y = np.where(X[:, 0] + 0.9 * rng.normal(size=n) > rng.uniform(-0.6, 0.6), 1.0, -1.0)
        C = float(rng.uniform(6, 9) if many else rng.choice([rng.uniform(0.4, 0.7), rng.uniform(1.5, 3.0)]))
        if abs(y.sum()) > 4 or (many and not 120 < steps_to(K, y, C) < 300):
            continue
        alpha, b = solved(K, y, C)
        free, bound = (alpha > 0.05 * C) & (alpha < 0.95 * C), alpha == C
        clear = np.all(free | bound | (alpha == 0)) and free.any() and bound.any() and abs(b) > 0.1
        u = K @ (alpha * y)
        if clear and np.abs(y * (u + b) - 1)[~free].min() > 0.05:
            order = led_by(free if free_first else bound, alpha)
            K, y = K[np.ix_(order, order)], y[order]
            if many:
                return K, y, C, 1e-4
            # an answer that stops at a small slope must not be right by chance
            tols = np.geomspace(2e-4, 2e-5, 9)
            most, tol = max(zip(_left_by_slope(K, y, C, tols), tols, strict=True))
            if most > 2:
                return K, y, C, float(tol)


def _kinds(alpha, b, C):
    return bool(np.any((alpha > 0.05 * C) & (alpha < 0.95 * C)) and alpha.max() == C and abs(b) > 0.1)


def _all_bound(rng):
    """As many points of one class as of the other, and a C so small that all violate the margin: an interval of biases far from 0."""
    found = []
    for _ in attempts("svm_train", until=lambda: len(found) == 2):
        n = (8, 6)[len(found)]
        _, K = gram(rng, n)
        y, C = rng.permutation(np.resize([1.0, -1.0], n)), float(rng.uniform(0.05, 0.1))
        # a feature far from 0, so that b is also; and one in which some points are far from the others
        z, far = rng.choice([-1, 1]) * rng.uniform(9, 12) + 0.4 * y, 2 * rng.exponential(size=n)
        K = K + np.outer(z, z) + np.outer(far, far)
        if _room(K, y, C) > 0.3 and not _takes(0.0, K, y, C) and not _takes(np.mean(y - K @ (C * y)), K, y, C):
            if np.all(solved(K, y, C)[0] == C):
                found.append((K, y, C, 1e-6))
    return found


def _room(K, y, C):
    """Length of the interval of optimal biases if every multiplier is C."""
    each = y - K @ (C * y)
    return each[y > 0].min() - each[y < 0].max()


def _takes(b, K, y, C):
    """Whether b is optimal or nearly optimal there."""
    each = y - K @ (C * y)
    return each[y < 0].max() < b + 0.1 and each[y > 0].min() > b - 0.1


_X = USE + "x = np.array([-1.5, 0, 1, 2, 3.5, 1.2]); y = np.array([-1.0, -1, -1, 1, 1, 1]); K = np.outer(x, x)\n" \
    "alpha, b = svm_train(K, y, 0.8, 1e-9)   # the solution is f(x) = x - 1\n"  # fmt: skip
_Y = _X + "u = K @ (alpha * y)\nD = np.sum(alpha) - 0.5 * (alpha * y) @ u\n" \
    "P = 0.5 * (alpha * y) @ u + 0.8 * np.sum(np.maximum(0, 1 - y * (u + b)))\n"  # fmt: skip
_B = f"Read “{_BIAS}” again"
_HALF = "Read “The soft margin: slack with a penalty” again: C multiplies the sum of the slacks, next to ½‖w‖²."


def _mistake(name, hint, step, experiment):
    return Misconception(name, _MISTAKES[name], hint, step, experiment)


SVM_TRAIN = Exercise(
    name="svm_train",
    chapter=CHAPTER,
    number="6.5",
    returns="multipliers and bias, `return alpha, b`: shape (n,) and one number",
    limit="At α = 0 no support vector is free, and the mean of no numbers is NaN.",
    reference=svm_train,
    properties=(
        Property("trains until the duality gap is at most tol", 4, _problems),
        Property(
            "also does so if no support vector is free",
            1,
            _all_bound,
            hint="Your answer fails only if every multiplier ends at C. Then no free support vector gives b, and every b of an interval "
            "is optimal. Use b = (s_i + s_j)/2 with s = y - u, for the pair with the largest slope.",
        ),
    ),
    promises=(
        Promise("have free and bound support vectors, and b away from 0", lambda K, y, C, tol: (
            _kinds(*solved(K, y, C), C))),
        Promise("have every multiplier at C", lambda K, y, C, tol: bool(np.all(solved(K, y, C)[0] == C)), of=(1,)),
        Promise("have an interval of biases", lambda K, y, C, tol: _room(K, y, C) > 0.3, of=(1,)),
        Promise("have no b = 0 in it", lambda K, y, C, tol: not _takes(0.0, K, y, C), of=(1,)),
        Promise("have no mean of all y - u in it", lambda K, y, C, tol: (
            not _takes(np.mean(y - K @ (C * y)), K, y, C)), of=(1,)),
    ),
    misconceptions=(
        _mistake(
            "bias with the other sign",
            "Your multipliers are right, but you return -b. At a free support vector u + b = y, so b = y - u.",
            f"{_B}: solve y_i f(x_i) = 1 for b.",
            _X + "print(np.round(2 + b, 6))   # should print 1: x = 2 is free, of class +1",
        ),
        _mistake(
            "no bias",
            "Your multipliers are right, but you return b = 0. Compute b from the free support vectors.",
            f"{_B}: free support vectors give b.",
            _X + "print(np.round(b, 6))   # should print -1",
        ),
        _mistake(
            "signed multipliers",
            "You return y_i α_i, like scikit-learn's dual_coef_. Return α_i, which is never negative.",
            "Read “The dual” again: α in other books, below (6).",
            _X + "print(np.min(np.round(alpha, 6)) >= 0)   # should print True",
        ),
        _mistake(
            "bias from all support vectors",
            "Your multipliers are right, but you average over all support vectors for b. At bound ones y f may not be 1. Use free ones.",
            f"{_B}: free support vectors give b.",
            _X + "print(np.round(0 + b, 6))   # should print -1: x = 0 is free, of class -1",
        ),
        _mistake(
            "bias from all points",
            "Your multipliers are right, but you average y - u over all points for b. Use free support vectors, which have y f = 1.",
            f"{_B}: free support vectors give b.",
            _X + "print(np.round(y * (x + b), 6)[[1, 3]])   # should print 1, 1: the two free points",
        ),
        _mistake(
            "bias from the largest multiplier",
            "Your multipliers are right, but you take b from the largest one. It is at the bound C, where y f may not be 1.",
            f"{_B}: from a free one, 0 < α < C.",
            _X + "print(np.round(x[3] + b, 6))   # should print 1: a free point of class +1",
        ),
        _mistake(
            "bias from the first support vector",
            "Your multipliers are right, but you take b from the first support vector. At the bound C, y f may not be 1.",
            f"{_B}: from a free one, 0 < α < C.",
            _X + "alpha, b = svm_train(K[::-1, ::-1], y[::-1], 0.8, 1e-9)\n"
            "print(np.round(b, 6))   # should print -1: only the order differs",
        ),
        _mistake(
            "bias without the label",
            "Your multipliers are right, but you compute b = 1 - u. At a free support vector b = y - u.",
            f"{_B}: the equation contains the label.",
            _X + "print(np.round(x[1] + b, 6))   # should print -1: a free point of class -1",
        ),
        _mistake(
            "C divided by n",
            "You use C/n as the upper bound, which belongs to an objective with the mean of the slacks. Here C multiplies their sum.",
            _HALF,
            _X + "print(np.round(np.max(alpha), 6))   # should print 0.8: two points are at the bound",
        ),
        _mistake(
            "C halved",
            "You use C/2 as the upper bound, which belongs to an objective with ‖w‖². Here it has ½‖w‖².",
            _HALF,
            _X + "print(np.sum(np.round(alpha, 6) == 0.8))   # should print 2 points at the bound",
        ),
        _mistake(
            "λ for C",
            "You use 1/C as the upper bound, as if C were a λ. The upper bound is C.",
            _HALF,
            _X + "print(np.round(np.max(alpha), 6) <= 0.8)   # should print True: no multiplier is larger than C",
        ),
    ),
    observations=(
        Observation(
            "A multiplier of svm_train is outside the box 0 ≤ α ≤ C.",
            lambda value, K, y, C, tol: value.shape == (len(y) + 1,) and not _inside(value, K, y, C),
            early=True,
        ),
        Observation(
            "The multipliers of svm_train do not satisfy Σ α_i y_i = 0. A step must change a pair together, so that this sum stays 0.",
            lambda value, K, y, C, tol: value.shape == (len(y) + 1,) and not _balanced(value, K, y, C),
            early=True,
        ),
        Observation(
            "The multipliers of svm_train are good, but its b is not. With another b the duality gap would be nearly as small as required.",
            lambda value, K, y, C, tol: value.shape == (len(y) + 1,) and (
                (best := _best_gap(value, K, y, C)) <= 100 * tol and _gap(value, K, y, C) > max(tol, 100 * best)),
            early=True,
        ),
        Observation(
            "The duality gap P - D of svm_train is larger than tol. Its loop uses another formula for the gap, stops for another reason (a small "
            "slope, a number of steps), or repeats steps without effect.",
            lambda value, K, y, C, tol: value.shape == (len(y) + 1,) and _gap(value, K, y, C) > tol,
            early=True,
        ),
    ),
    step=f"Read “{_SMO}” and “{_STOP}” again: stop the loop by the gap (7) of “{_GAP}”.",
    experiment=_Y + "print(np.round([D, P], 6))   # should print 1.94 twice",
    sizes=lambda K, y, C, tol: {"n": len(y), "C": C},
    view=_view,
    gives=lambda joined: (joined[:-1], float(joined[-1])),
    chained=True,
)  # fmt: skip
