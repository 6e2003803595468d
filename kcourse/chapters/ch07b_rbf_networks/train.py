"""Exercises 7b.4 and 7b.5: LMS, and the gradients of weights and centres."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER, USE, told_apart
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.compare import close
from kcourse.checks.spec import RTOL, Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["LMS", "RBF_GRADS"]

_LAST = "Output weights point by point: LMS"
_SLOPE = "Centres and spreads by gradient descent"


# -- 7b.4


def lms(Phi, y, eta, order):
    """e = y - wᵀφ, w ← w + η e φ, from w = 0."""
    return _steps(Phi, y, eta, order)


def _steps(
    Phi, y, eta, order, *, output=lambda w, phi: w @ phi, rate=lambda eta, n: eta, into=lambda phi: phi, frozen=False,
):  # fmt: skip
    w = np.zeros(Phi.shape[1])
    for i in order:
        e = y[i] - output(np.zeros(len(w)) if frozen else w, Phi[i])
        w = w + rate(eta, len(Phi)) * e * into(Phi[i])
    return w


def _steps_with(**how):
    return lambda Phi, y, eta, order: _steps(Phi, y, eta, order, **how)


def _batch(Phi, y, eta, order):
    w = np.zeros(Phi.shape[1])
    for _ in order:
        w = w + eta * Phi.T @ (y - Phi @ w)
    return w


def _set_to_the_step(Phi, y, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order:
        w = eta * (y[i] - w @ Phi[i]) * Phi[i]
    return w


def _unit_inputs(Phi, y, eta, order):
    """With 1 instead of each φ, in the error and in the step."""
    return _steps(np.ones_like(Phi), y, eta, order)


def _least_squares(Phi, y, eta, order):
    return np.linalg.lstsq(Phi, y, rcond=None)[0]


def _late_error(Phi, y, eta, order):
    """The two halves of a step exchanged."""
    w, e = np.zeros(Phi.shape[1]), 0.0
    for i in order:
        w = w + eta * e * Phi[i]
        e = y[i] - Phi[i] @ w
    return w


def _rows(rng):
    """More rows than columns, orders with repetitions, steps of moderate length."""

    def draw(rng):
        found = []
        for n, m, steps in ((5, 3, 9), (7, 2, 12), (6, 4, 10)):
            Phi, y = rng.uniform(0.1, 1.0, (n, m)) * rng.choice([-1, 1], (n, m), p=[0.25, 0.75]), rng.normal(size=n)
            found.append((Phi, y, float(rng.uniform(0.2, 0.45)), rng.integers(n, size=steps)))
        return found

    return told_apart(rng, draw, lambda: LMS)


_M = USE + "Phi = np.array([[1.0, 0], [1, 1], [0, 2]]); y = np.array([1.0, 3, 2])\n" \
    "def after(*order, eta=0.5):\n    return lms(Phi, y, eta, np.array(order))\n"  # fmt: skip
_ONE = f"Read “{_LAST}” again"

LMS = Exercise(
    name="lms",
    chapter=CHAPTER,
    number="7b.4",
    returns="w after the last step, shape (m,)",
    reference=lms,
    properties=(Property("takes the steps of LMS in the given order", 3, _rows),),
    promises=(
        Promise("have more rows than columns", lambda Phi, y, eta, order: len(Phi) > Phi.shape[1]),
        Promise("come back to rows", lambda Phi, y, eta, order: len(order) > len(np.unique(order))),
        Promise("have stable steps", lambda Phi, y, eta, order: eta * (Phi**2).sum(axis=1).max() < 2),
    ),
    misconceptions=(
        Misconception(
            "set to the step",
            _set_to_the_step,
            "You set w to η e φ. Add this step to w instead: use +=.",
            f"{_ONE}: the update.",
            _M + "print(after(0, 0)[0])   # 0.5, and half of the error that is left: should print 0.75",
        ),
        Misconception(
            "error with the other sign",
            _steps_with(rate=lambda eta, n: -eta),
            "You step away from the minimum. The error is e = y - wᵀφ, and η e φ is added.",
            f"{_ONE}: the signs in the update.",
            _M + "print(after(0))   # from 0 to η e φ: should print 0.5 and 0",
        ),
        Misconception(
            "factor 2",
            Changed(lms, lambda Phi, y, eta, order: (Phi, y, 2 * eta, order)),
            "Your step is twice as long. The error of a point is ½e², so its gradient has no factor 2.",
            f"{_ONE}: the gradient of ½e².",
            _M + "print(after(0, eta=0.25))   # should print 0.25 and 0",
        ),
        Misconception(
            "least squares at once",
            _least_squares,
            "You return the least-squares solution. Return w after the given steps, from w = 0.",
            f"{_ONE}: the start and the update.",
            _M + "print(after(0, 1))   # half an error of 1, then half of 2.5: should print 1.75 and 1.25",
        ),
        Misconception(
            "1 instead of φ",
            _unit_inputs,
            "You use 1 instead of φ, so all weights stay equal. Use row Phi[i] in the error and in the step.",
            f"{_ONE}: φ in the error and in the update.",
            _M + "print(after(2, eta=0.25))   # along 0, 2: should print 0 and 1",
        ),
        Misconception(
            "step not along φ",
            _steps_with(into=np.ones_like),
            "You add η e to every weight. Multiply by φ: the step is η e φ.",
            f"{_ONE}: φ at the end of the update.",
            _M + "print(after(2, 0, eta=0.25))   # along 0, 2, then along 1, 0: should print 0.25 and 1",
        ),
        Misconception(
            "error of w = 0",
            _steps_with(frozen=True),
            "You use the errors of w = 0. Compute each error with the present w.",
            f"{_ONE}: which w is in e.",
            _M + "print(after(0, 0))   # half of the way to 1, then half of the rest: should print 0.75 and 0",
        ),
        Misconception(
            "error of the step before",
            _late_error,
            "You use the error of the step before. Compute the error first, then its step.",
            f"{_ONE}: first the error, then the step.",
            _M + "print(after(1))   # after a single step: should print 1.5 and 1.5",
        ),
        Misconception(
            "order ignored",
            Changed(lms, lambda Phi, y, eta, order: (Phi, y, eta, np.arange(len(y)))),
            "You use each row once, in its own order. Use row order[t] at step t.",
            f"{_ONE}: one point at each step.",
            _M + "print(after(1, eta=0.25))   # the second row is shown: should print 0.75 and 0.75",
        ),
        Misconception(
            "η/n",
            _steps_with(rate=lambda eta, n: eta / n),
            "You divide the step by the number of rows. The error of one point has no factor 1/n.",
            f"{_ONE}: the gradient of one point's error.",
            _M + "print(after(0, eta=0.75))   # should print 0.75 and 0",
        ),
        Misconception(
            "all points at each step",
            _batch,
            "You use all points at each step. LMS uses one, row order[t].",
            f"{_ONE}: one point at each step.",
            _M + "print(after(2, 2, eta=0.25))   # the third row alone: should print 0 and 1",
        ),
        Misconception(
            "w times φ, not summed",
            _steps_with(output=lambda w, phi: w * phi),
            "You multiply w and φ entry by entry. The output is one number, wᵀφ: use w @ phi.",
            f"{_ONE}: wᵀφ is an inner product.",
            _M + "print(after(0, 1, eta=0.25))   # the second error is 3 minus 0.25: should print 0.9375 and 0.6875",
        ),
    ),
    step=f"{_ONE}: the error of the point, then the step along its φ.",
    experiment=_M + "print(after(0, 1))   # errors of 1 and 2.5: should print 1.75 and 1.25",
    sizes=lambda Phi, y, eta, order: {"n": len(y), "m": Phi.shape[1], "η": eta},
    chained=True,
)


# -- 7b.5


def rbf_grads(X, y, w, T, sigma):
    """∂E/∂w in the first column, ∂E/∂t in the others, a row for each unit."""
    return _gradients(X, y, w, T, sigma)


def _gradients(
    X, y, w, T, sigma, *, basis=lambda s, sigma: np.exp(-s / (2 * sigma**2)), of_w=-1.0, of_t=-1.0,
    weight=lambda w: w, inner=lambda G, sigma: G / sigma**2,
):  # fmt: skip
    G = basis(squares(X, T), sigma)
    e = y - G @ w
    dT = of_t * weight(w)[:, None] * np.einsum("i,ij,ijd->jd", e, inner(G, sigma), X[:, None] - T)
    return np.column_stack([of_w * G.T @ e, dT])


def _gradients_with(**how):
    return lambda X, y, w, T, sigma: _gradients(X, y, w, T, sigma, **how)


def _without_errors(X, y, w, T, sigma):
    G = np.exp(-squares(X, T) / (2 * sigma**2))
    dT = -w[:, None] * np.einsum("ij,ijd->jd", G, X[:, None] - T) / sigma**2
    return np.column_stack([_gradients(X, y, w, T, sigma)[:, 0], dT])


def _both(value: Any, *_: Any) -> np.ndarray | None:
    """(∂E/∂w, ∂E/∂t) in either order as one array with a row for each unit, or None if it is neither."""
    if isinstance(value, np.ndarray) and value.ndim == 2:
        return value
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    dw, dT = (np.asarray(part, dtype=float) for part in value)
    if {dw.ndim, dT.ndim} != {1, 2} or len(dT) != len(dw):
        return None
    return np.column_stack([dw, dT])


def _networks(rng):
    def draw(rng):
        found = []
        for n, d, m in ((7, 2, 3), (6, 3, 2), (9, 2, 4)):
            X, T = rng.normal(size=(n, d)), 0.8 * rng.normal(size=(m, d))
            w, y = rng.uniform(0.4, 1.6, m) * rng.choice([-1, 1], m), rng.normal(size=n)
            narrow = rng.uniform(0.6, 0.8) if found else rng.uniform(0.45, 0.55)  # where gradients change quickly
            sigma = float(rng.choice([narrow, rng.uniform(1.3, 1.7)], p=[0.5, 0.5] if found else [1, 0]))
            found.append((X, y, w, T, sigma))
        return found

    for _ in attempts("rbf_grads"):
        found = told_apart(rng, draw, lambda: RBF_GRADS)
        if any(_one_sided_differs(*args) for args in found):
            return found


def _one_sided_differs(X, y, w, T, sigma, h=1e-6):
    """Whether the error of a one-sided difference, h/2 times the second derivative, is above the tolerance."""
    G, ways = np.exp(-squares(X, T) / (2 * sigma**2)), X[:, None] - T
    e, first = y - G @ w, w * G  # f moves by first * ways/σ²
    second = np.einsum("ij,ijd->jd", first**2, ways**2) / sigma**4
    second -= np.einsum("i,ij,ijd->jd", e, first, ways**2 / sigma**4 - 1 / sigma**2)
    return bool(h / 2 * np.abs(second).max() > 1.5 * RTOL * np.abs(rbf_grads(X, y, w, T, sigma)).max())


def _rough(value, wanted):
    """Right to a few digits, as a difference quotient is."""
    return not close(value, wanted) and np.abs(value - wanted).max() < 1e-3 * np.abs(wanted).max()


def _other_order(value, *args):
    """∂E/∂t before ∂E/∂w, which puts the weights into the last column."""
    return close(np.roll(value, 1, axis=1), rbf_grads(*args))


def _column_right(columns):
    def holds(value, *args):
        wanted = rbf_grads(*args)
        if value.shape != wanted.shape or _rough(value, wanted):
            return False
        return [close(value[:, 0], wanted[:, 0]), close(value[:, 1:], wanted[:, 1:])] == columns

    return holds


_G = USE + "def of(x, y, w, t, s=1.0):\n    a = [np.array(v, dtype=float) for v in ([x], [y], [w], [t])]\n" \
    "    return rbf_grads(*a, s)\n"  # fmt: skip
_CHAIN = f"Read “{_SLOPE}” again, step 7"

RBF_GRADS = Exercise(
    name="rbf_grads",
    chapter=CHAPTER,
    number="7b.5",
    returns="∂E/∂w, shape (m,), and ∂E/∂t, shape (m, d): `return dw, dT`",
    reference=rbf_grads,
    properties=(Property("gives both gradients", 4, _networks),),
    misconceptions=(
        Misconception(
            "plus in ∂E/∂w",
            _gradients_with(of_w=1.0),
            "Your ∂E/∂w has the wrong sign. The output is subtracted in e = y - f, so the gradient has a minus.",
            f"{_CHAIN}: the minus in the first formula.",
            _G + "print(of([1, 0], 2, 1, [1, 0])[0])   # error 1 at the centre: should print -1",
        ),
        Misconception(
            "plus in ∂E/∂t",
            _gradients_with(of_t=1.0),
            "Your ∂E/∂t has the wrong sign. The output is subtracted in e = y - f, so the gradient has a minus, before x - t.",
            f"{_CHAIN}: the minus in the second formula.",
            _G + "print(of([0, 2], 0, 1, [0, 0])[1] * np.exp(4))   # φ is exp(-2), e = -φ: should print 0 and 2",
        ),
        Misconception(
            "both with a plus",
            _gradients_with(of_w=1.0, of_t=1.0),
            "Both gradients have the wrong sign. You differentiate the output, but e = y - f contains it with a minus.",
            f"{_CHAIN}: the minus in both formulas.",
            _G + "print(of([0, 0], 3, 1, [0, 0])[0])   # error 2 at the centre: should print -2",
        ),
        Misconception(
            "factor 2 in ∂E/∂t",
            _gradients_with(of_t=-2.0),
            "Your ∂E/∂t is twice as large. The 2 of the square and the ½ of the exponent cancel: leave out the 2.",
            f"{_CHAIN}: the factor 2 in the chain rule.",
            _G + "print(of([1, 0], 0, 1, [0, 0])[1] * np.exp(1))   # φ is exp(-1/2), e = -φ: should print 1 and 0",
        ),
        Misconception(
            "1/(2σ²) instead of 1/σ²",
            _gradients_with(of_t=-0.5),
            "Your ∂E/∂t is half as large. The derivative of the square has a 2, which cancels the 2 of 2σ²: divide by σ².",
            f"{_CHAIN}: the factor 2 in the chain rule.",
            _G + "print(of([3, 0], 0, 1, [0, 0], 3.0)[1] * np.exp(1))   # 3 over σ² = 9: should print 1/3 and 0",
        ),
        Misconception(
            "no 1/σ²",
            _gradients_with(inner=lambda G, sigma: G),
            "You leave 1/σ² out of ∂E/∂t. It is the derivative of the exponent: divide by σ².",
            f"{_CHAIN}: 1/σ² in the second formula.",
            _G + "print(of([2, 0], 0, 1, [0, 0], 2.0)[1] * np.exp(1))   # 2 over σ² = 4: should print 0.5 and 0",
        ),
        Misconception(
            "no weight in ∂E/∂t",
            _gradients_with(weight=np.ones_like),
            "You leave the weight out of ∂E/∂t. The output contains w_j φ_j: multiply by w_j.",
            f"{_CHAIN}: w_j in the second formula.",
            _G + "print(of([1, 0], 0, 3, [0, 0])[1] * np.exp(1))   # e = -3φ, times the weight 3: should print 9 and 0",
        ),
        Misconception(
            "no error in ∂E/∂t",
            _without_errors,
            "You leave the errors out of ∂E/∂t. The derivative of ½e² contains e: multiply by e_i in the sum.",
            f"{_CHAIN}: e_i in the second formula.",
            _G + "print(of([1, 0], 0, 2, [0, 0])[1] * np.exp(1))   # e = -2φ, times the weight 2: should print 4 and 0",
        ),
        Misconception(
            "no activation in ∂E/∂t",
            _gradients_with(inner=lambda G, sigma: np.ones_like(G) / sigma**2),
            "You leave the activation out of ∂E/∂t. The derivative of the exponential contains it: multiply by φ_j(x_i).",
            f"{_CHAIN}: the activation in the second formula.",
            _G + "print(of([10, 0], 5, 1, [0, 0])[1] + 0.0)   # φ is 0 so far away: should print 0 and 0",
        ),
        Misconception(
            "no 2 in the Gaussian",
            _gradients_with(basis=lambda s, sigma: np.exp(-s / sigma**2)),
            "You use exp(-r²/σ²). In this course the Gaussian is exp(-r²/(2σ²)).",
            f"{_CHAIN}: the Gaussian of the units.",
            _G + "print(of([2, 0], 1, 0, [0, 0], 2.0)[0] * np.exp(0.5))   # r²/(2σ²) = 1/2, error 1: should print -1",
        ),
        Misconception(
            "mean over the points",
            lambda *args: _gradients(*args) / len(args[1]),
            "You divide by the number of points. E is a sum: do not divide.",
            f"{_CHAIN}: E is a sum.",
            _G + "two = rbf_grads(np.zeros((2, 1)), np.ones(2), np.zeros(1), np.zeros((1, 1)), 1.0)\n"
            "print(two[0])   # two points, each with error 1: should print -2",
        ),
        Misconception(
            "E without the ½",
            lambda *args: 2 * _gradients(*args),
            "Both gradients are twice as large. E has a factor ½, which cancels the 2 of the square.",
            f"{_CHAIN}: the ½ in E.",
            _G + "print(of([5, 5], 4, 1, [5, 5])[0])   # error 3 at the centre: should print -3",
        ),
    ),
    observations=(
        Observation("You return ∂E/∂t first. Both are right: return dw, dT.", _other_order, early=True),
        Observation("Your ∂E/∂w is right, but ∂E/∂t is not.", _column_right([True, False]), early=True),
        Observation("Your ∂E/∂t is right, but ∂E/∂w is not.", _column_right([False, True]), early=True),
    ),
    step=f"{_CHAIN}: the errors, then the formulas of w and t.",
    experiment="import numpy as np\n"
    "X, y, w, T = np.array([[0.0], [1]]), np.array([1.0, 0]), np.array([0.5, 0.4]), np.array([[0.2], [0.9]])\n"
    "def E(t): return 0.5 * np.sum((y - np.exp(-((X - [t, 0.9]) ** 2) / 2) @ w) ** 2)\n"
    "slope = (E(0.2 + 1e-6) - E(0.2 - 1e-6)) / 2e-6   # with respect to the first centre\n"
    "print(rbf_grads(X, y, w, T, 1.0)[1].ravel()[0] / slope)   # should print 1",
    sizes=lambda X, y, w, T, sigma: {"n": len(y), "m": len(w), "d": X.shape[1], "σ": sigma},
    view=_both,
    gives=lambda table: (table[:, 0], table[:, 1:]),
)
