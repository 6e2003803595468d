"""Exercises 7b.4 and 7b.5: the output layer point by point, and the gradients of weights and centres."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.chapters.ch07b_rbf_networks.common import CHAPTER, USE, told_apart
from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.compare import close
from kcourse.checks.spec import RTOL, Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["LMS", "RBF_GRADS"]

_LAST = "The last layer: point by point"
_AT_ONCE = "The last layer: all at once"
_SLOPE = "Centres, third way: by gradient"


# -- 7b.4


def lms(Phi, y, eta, order):
    """e = y - wᵀφ, w ← w + η e φ, from w = 0."""
    return _steps(Phi, y, eta, order)


def _steps(
    Phi,
    y,
    eta,
    order,
    *,
    says=lambda w, phi: w @ phi,
    rate=lambda eta, phi, t, n: eta,
    error=lambda e: e,
    into=lambda phi: phi,
    which=lambda i, t, n: i,
    start=0.0,
    frozen=False,
    mean=False,
):
    w, total = np.full(Phi.shape[1], start), np.zeros(Phi.shape[1])
    for t, row in enumerate(order, start=1):
        i = which(row, t, len(Phi))
        e = y[i] - says(np.zeros(len(w)) if frozen else w, Phi[i])
        w = w + rate(eta, Phi[i], t, len(Phi)) * error(e) * into(Phi[i])
        total = total + w
    return total / len(order) if mean else w


def _steps_with(**how):
    return lambda Phi, y, eta, order: _steps(Phi, y, eta, order, **how)


def _batch(mean):
    def descend(Phi, y, eta, order):
        w = np.zeros(Phi.shape[1])
        for _ in order:
            w = w + eta * Phi.T @ (y - Phi @ w) / (len(y) if mean else 1)
        return w

    return descend


def _set_to_the_step(Phi, y, eta, order):
    w = np.zeros(Phi.shape[1])
    for i in order:
        w = eta * (y[i] - w @ Phi[i]) * Phi[i]
    return w


def _unit_inputs(Phi, y, eta, order):
    """With 1 for each φ, in the error and in the step."""
    return _steps(np.ones_like(Phi), y, eta, order)


def _least_squares(Phi, y, eta, order):
    return np.linalg.lstsq(Phi, y, rcond=None)[0]


def _weight_by_weight(Phi, y, eta, order):
    """Each weight moves by the error that the weights before it have left."""
    w = np.zeros(Phi.shape[1])
    for i in order:
        for j in range(len(w)):
            w[j] += eta * (y[i] - w @ Phi[i]) * Phi[i, j]
    return w


def _late_error(Phi, y, eta, order):
    """The two halves of a step exchanged: the error that is added is that of the step before."""
    w, e = np.zeros(Phi.shape[1]), 0.0
    for i in order:
        w = w + eta * e * Phi[i]
        e = y[i] - Phi[i] @ w
    return w


def _rows(rng):
    """More rows than columns, orders with repetitions, steps that neither blow up nor vanish."""

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
    properties=(Property("takes the steps of LMS, in the order given", 3, _rows),),
    promises=(
        Promise("have more rows than columns", lambda Phi, y, eta, order: len(Phi) > Phi.shape[1]),
        Promise("come back to rows", lambda Phi, y, eta, order: len(order) > len(np.unique(order))),
        Promise("have steps that do not blow up", lambda Phi, y, eta, order: eta * (Phi**2).sum(axis=1).max() < 2),
    ),
    misconceptions=(
        Misconception(
            "set to the step",
            _set_to_the_step,
            "w is set to η e φ, with = for +=: the step is added to what was learnt before.",
            f"{_ONE}, step 2: w ← w + η e φ.",
            _M + "print(after(0, 0)[0])   # 0.5, and half of the error that is left: should print 0.75",
        ),
        Misconception(
            "error with the other sign",
            _steps_with(rate=lambda eta, phi, t, n: -eta),
            "Your steps climb: the error is y minus what the network says, and it is added.",
            f"{_ONE}, step 2: the signs in (3).",
            _M + "print(after(0))   # from 0 to η e φ: should print 0.5 and 0",
        ),
        Misconception(
            "factor 2",
            Changed(lms, lambda Phi, y, eta, order: (Phi, y, 2 * eta, order)),
            "Your step is twice as long; the error of a point is ½e², so the slope has no 2.",
            f"{_ONE}, step 2: no 2 in (3).",
            _M + "print(after(0, eta=0.25))   # should print 0.25 and 0",
        ),
        Misconception(
            "least squares at once",
            _least_squares,
            "That is where LMS would like to get; asked is where it is after these steps.",
            f"{_ONE}: what it starts from, and what each step adds.",
            _M + "print(after(0, 1))   # half an error of 1, then half of 2.5: should print 1.75 and 1.25",
        ),
        Misconception(
            "1 for φ",
            _unit_inputs,
            "You put 1 where φ stands, so all weights stay equal.",
            f"{_ONE}, step 2: which vector a step goes along.",
            _M + "print(after(2, eta=0.25))   # along 0, 2: should print 0 and 1",
        ),
        Misconception(
            "step not along φ",
            _steps_with(into=np.ones_like),
            "You add η e to every weight; each weight moves by η e times its own φ.",
            f"{_ONE}, step 2: φ at the end of (3).",
            _M + "print(after(2, 0, eta=0.25))   # along 0, 2, then along 1, 0: should print 0.25 and 1",
        ),
        Misconception(
            "error of w = 0",
            _steps_with(frozen=True),
            "All your errors are those of w = 0; each is that of the w of its moment.",
            f"{_ONE}, step 2: which w stands in e.",
            _M + "print(after(0, 0))   # half way to 1, then half of the rest: should print 0.75 and 0",
        ),
        Misconception(
            "error of the step before",
            _late_error,
            "The error that you add is that of the step before; first the error, then its step.",
            f"{_ONE}, step 2: (3) has two halves, in this order.",
            _M + "print(after(1))   # after a single step: should print 1.5 and 1.5",
        ),
        Misconception(
            "order ignored",
            _steps_with(which=lambda i, t, n: (t - 1) % n),
            "You show the rows as they stand; the turn is that of order.",
            f"{_ONE}: draw i, then (3).",
            _M + "print(after(1, eta=0.25))   # the second row is shown: should print 0.75 and 0.75",
        ),
        Misconception(
            "each row once",
            lambda Phi, y, eta, order: _steps(Phi, y, eta, range(len(Phi))),
            "You show each row once, as they stand; order says whose turn it is, and how often.",
            f"{_ONE}: draw i, then (3).",
            _M + "print(after(2, eta=0.125))   # the third row alone: should print 0 and 0.5",
        ),
        Misconception(
            "last point left out",
            Changed(lms, lambda Phi, y, eta, order: (Phi, y, eta, order[:-1])),
            "You stop one point too early: the last of the order is shown, too.",
            f"{_ONE}: one step of (3) for each point that comes.",
            _M + "print(after(1, 0))   # 1.5 and 1.5, then half an error of -0.5: should print 1.25 and 1.5",
        ),
        Misconception(
            "first point left out",
            Changed(lms, lambda Phi, y, eta, order: (Phi, y, eta, order[1:])),
            "You begin with the second point: the first of the order is shown, too.",
            f"{_ONE}: from w = 0 the first point makes the first step.",
            _M + "print(after(1, 2))   # 1.5 and 1.5, then an error of -1 along 0, 2: should print 1.5 and 0.5",
        ),
        Misconception(
            "error anew for each weight",
            _weight_by_weight,
            "Within one step the error changes: some weights have moved when it is taken again for the next. "
            "One error moves them all.",
            f"{_ONE}, step 2: first e, then w.",
            _M + "print(after(1, eta=0.75))   # an error of 3 for both weights: should print 2.25 and 2.25",
        ),
        Misconception(
            "normalised",
            _steps_with(rate=lambda eta, phi, t, n: eta / (phi @ phi)),
            "You divide the step by ‖φ‖², which is another algorithm, normalised LMS.",
            f"{_ONE}, step 2: η alone.",
            _M + "print(after(2, eta=0.125))   # 0.125 times 2 along 0, 2: should print 0 and 0.5",
        ),
        Misconception(
            "η/t",
            _steps_with(rate=lambda eta, phi, t, n: eta / t),
            "Your steps fall like 1/t; here η is constant.",
            f"{_ONE}, step 2: η alone.",
            _M + "print(after(0, 0, 0))   # half of what is left, three times: should print 0.875 and 0",
        ),
        Misconception(
            "η/n",
            _steps_with(rate=lambda eta, phi, t, n: eta / n),
            "You divide the step by the number of rows; one point is shown, and its error has no 1/n.",
            f"{_ONE}, step 2: the slope of one point's error.",
            _M + "print(after(0, eta=0.75))   # should print 0.75 and 0",
        ),
        Misconception(
            "sign of the error",
            _steps_with(error=np.sign),
            "You go by the sign of the error; the step is in proportion to it.",
            f"{_ONE}, step 2: e in (3).",
            _M + "print(after(1, eta=0.125))   # the error is 3: should print 0.375 and 0.375",
        ),
        Misconception(
            "error squared",
            _steps_with(error=np.square),
            "The error is squared; the slope of ½e² has e to the first power.",
            f"{_ONE}, step 2: e in (3).",
            _M + "print(after(2, 2, eta=0.125))   # errors 2 and 1: should print 0 and 0.75",
        ),
        Misconception(
            "size of the error",
            _steps_with(error=np.abs),
            "You take the error without its sign, so that no weight ever comes back.",
            f"{_ONE}, step 2: e in (3).",
            _M + "print(after(0, 0, eta=1.5))   # too far, and half of that back: should print 0.75 and 0",
        ),
        Misconception(
            "all points at each step",
            _batch(False),
            "Each of your steps uses all points; LMS uses the one whose turn it is.",
            f"{_ONE}, step 2: one point. All of them are in “{_AT_ONCE}”.",
            _M + "print(after(2, 2, eta=0.25))   # the third row alone: should print 0 and 1",
        ),
        Misconception(
            "mean of all points at each step",
            _batch(True),
            "Each of your steps is the mean over all points; LMS takes the one whose turn it is.",
            f"{_ONE}, step 2: one point. All of them are in “{_AT_ONCE}”.",
            _M + "print(after(0, 0, 0, 0))   # the first row alone: should print 0.9375 and 0",
        ),
        Misconception(
            "mean over the way",
            _steps_with(mean=True),
            "You return the mean of all w on the way; asked is the last.",
            f"{_ONE}: what (3) leaves at the end.",
            _M + "print(after(0, 0, eta=0.25))   # a quarter, then a quarter of the rest: should print 0.4375 and 0",
        ),
        Misconception(
            "starts at 1",
            _steps_with(start=1.0),
            "You start from w = 1; it is w = 0.",
            f"{_ONE}, step 2: where it starts.",
            _M + "print(after(2, 0))   # from 0: should print 0.5 and 2",
        ),
        Misconception(
            "w times φ, not summed",
            _steps_with(says=lambda w, phi: w * phi),
            "You multiply w and φ entry by entry, so each weight has an error of its own; what the network says is one number.",
            f"{_ONE}, step 2: wᵀφ is an inner product.",
            _M + "print(after(0, 1, eta=0.25))   # the second error is 3 minus 0.25: should print 0.9375 and 0.6875",
        ),
        Misconception(
            "errors of the sum of φ",
            _steps_with(says=lambda w, phi: w.sum()),
            "What the network says is wᵀφ; you add up the weights without φ.",
            f"{_ONE}, step 2: e = y - wᵀφ.",
            _M + "print(after(2, 0, 2, eta=0.25))   # the first step leaves its row no error: should print 0.25 and 1",
        ),
    ),
    step=f"{_ONE}, step 2: the error of the point, then the step along its φ.",
    experiment=_M + "print(after(0), after(0, 1))   # in the end: should print 1.75 and 1.25",
    sizes=lambda Phi, y, eta, order: {"n": len(y), "m": Phi.shape[1], "η": eta},
    chained=True,
)


# -- 7b.5


def rbf_grads(X, y, w, T, sigma):
    """∂E/∂w in the first column, ∂E/∂t in the others, a row for each bell."""
    return _slopes(X, y, w, T, sigma)


def _slopes(
    X,
    y,
    w,
    T,
    sigma,
    *,
    bell=lambda s, sigma: np.exp(-s / (2 * sigma**2)),
    error=lambda y, f: y - f,
    of_w=-1.0,
    of_t=-1.0,
    weight=lambda w: w,
    inner=lambda G, s, sigma: G / sigma**2,
    way=lambda X, T: X[:, None] - T,
):
    s = squares(X, T)
    G = bell(s, sigma)
    e = error(y, G @ w)
    dw = of_w * G.T @ e
    dT = of_t * weight(w)[:, None] * np.einsum("j,ji,jid->id", e, inner(G, s, sigma), way(X, T))
    return np.column_stack([dw, dT])


def _slopes_with(**how):
    return lambda X, y, w, T, sigma: _slopes(X, y, w, T, sigma, **how)


def _mean(X, y, w, T, sigma):
    return _slopes(X, y, w, T, sigma) / len(y)


def _each_alone(X, y, w, T, sigma):
    return np.vstack([_slopes(X, y, w[[i]], T[[i]], sigma) for i in range(len(w))])


def _both(value: Any, *_: Any) -> np.ndarray | None:
    """(∂E/∂w, ∂E/∂t) as one table, a row for each bell, in either order; None of what is neither."""
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
            narrow = rng.uniform(0.6, 0.8) if found else rng.uniform(0.45, 0.55)  # where slopes change quickly
            sigma = float(rng.choice([narrow, rng.uniform(1.3, 1.7)], p=[0.5, 0.5] if found else [1, 0]))
            found.append((X, y, w, T, sigma))
        return found

    for _ in attempts("rbf_grads"):
        found = told_apart(rng, draw, lambda: RBF_GRADS)
        if any(_one_sided_differs(*args) for args in found):
            return found


def _one_sided_differs(X, y, w, T, sigma, h=1e-6):
    """Whether a one-sided difference by a centre, h/2 times the second derivative off, is seen to be no slope."""
    G, ways = np.exp(-squares(X, T) / (2 * sigma**2)), X[:, None] - T
    e, first = y - G @ w, w * G  # f moves by first * ways/σ²
    second = np.einsum("ji,jid->id", first**2, ways**2) / sigma**4
    second -= np.einsum("j,ji,jid->id", e, first, ways**2 / sigma**4 - 1 / sigma**2)
    return bool(h / 2 * np.abs(second).max() > 1.5 * RTOL * np.abs(rbf_grads(X, y, w, T, sigma)).max())


def _rough(value, wanted):
    """Right to some digits, as a difference quotient is."""
    return not close(value, wanted) and np.abs(value - wanted).max() < 1e-3 * np.abs(wanted).max()


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
            _slopes_with(of_w=1.0),
            "The slope by the weights has the wrong sign: the minus of e = y - output is missing, as in a lecture's slide.",
            f"{_CHAIN}: where the minus of the first formula comes from.",
            _G + "print(of([1, 0], 2, 1, [1, 0])[0])   # error 1, more of the bell is wanted: should print -1",
        ),
        Misconception(
            "factor 2 in ∂E/∂t",
            _slopes_with(of_t=-2.0),
            "The slope by the centres is twice too large: the 2 of the square and the ½ of the exponent cancel.",
            f"{_CHAIN}: 2 times G' = -G/2.",
            _G + "print(of([1, 0], 0, 1, [0, 0])[1] * np.exp(1))   # G is exp(-1/2), e = -G: should print 1 and 0",
        ),
        Misconception(
            "plus in ∂E/∂t",
            _slopes_with(of_t=1.0),
            "The slope by the centres has the wrong sign: a step down would take centres away from where they are wanted.",
            f"{_CHAIN}: reading the second formula.",
            _G + "print(of([0, 2], 0, 1, [0, 0])[1] * np.exp(4))   # G is exp(-2), e = -G: should print 0 and 2",
        ),
        Misconception(
            "both with a plus",
            _slopes_with(of_w=1.0, of_t=1.0),
            "Both slopes have the wrong sign: you took the derivative of the output, and e has a minus before it.",
            f"{_CHAIN}: its first sentence.",
            _G + "print(of([0, 0], 3, 1, [0, 0])[0])   # error 2 at the centre: should print -2",
        ),
        Misconception(
            "no weight in ∂E/∂t",
            _slopes_with(weight=np.ones_like),
            "The weight of the bell is missing in the slope by its centre.",
            f"{_CHAIN}: w_i before the second sum.",
            _G + "print(of([1, 0], 0, 3, [0, 0])[1] * np.exp(1))   # e = -3G, times the weight 3: should print 9 and 0",
        ),
        Misconception(
            "no 1/σ²",
            _slopes_with(inner=lambda G, s, sigma: G),
            "The 1/σ² is missing in the slope by the centres.",
            f"{_CHAIN}: P is 1/σ² times the identity for round bells.",
            _G + "print(of([2, 0], 0, 1, [0, 0], 2.0)[1] * np.exp(1))   # 2 over σ² = 4: should print 0.5 and 0",
        ),
        Misconception(
            "1/σ for 1/σ²",
            _slopes_with(inner=lambda G, s, sigma: G / sigma),
            "You divide by σ where σ² stands.",
            f"{_CHAIN}: P is 1/σ² times the identity for round bells.",
            _G + "print(of([4, 0], 0, 1, [0, 0], 4.0)[1] * np.exp(1))   # 4 over σ² = 16: should print 0.25 and 0",
        ),
        Misconception(
            "1/(2σ²) for 1/σ²",
            _slopes_with(of_t=-0.5),
            "The slope by the centres is half of what it should be: the 2 of the square cancels the 2 of 2σ².",
            f"{_CHAIN}: the slope of s by t has a 2.",
            _G + "print(of([3, 0], 0, 1, [0, 0], 3.0)[1] * np.exp(1))   # 3 over σ² = 9: should print 1/3 and 0",
        ),
        Misconception(
            "derivative by the distance",
            _slopes_with(inner=lambda G, s, sigma: G * np.sqrt(s) / sigma**2),
            "You have the derivative of the bell by the distance, and then the whole vector x - t; its direction alone belongs there.",
            f"{_CHAIN}: G' is the derivative with respect to the squared distance s.",
            _G + "print(of([0, 3], 0, 1, [0, 0])[1] * np.exp(9))   # G is exp(-9/2), e = -G: should print 0 and 3",
        ),
        Misconception(
            "direction alone",
            _slopes_with(inner=lambda G, s, sigma: G / (sigma**2 * np.maximum(np.sqrt(s), 1e-300))),
            "You take the direction from the centre to the point; the slope has the whole vector x - t.",
            f"{_CHAIN}: the slope of s by t.",
            _G + "print(of([0, 4], 0, 1, [0, 0])[1] * np.exp(16))   # G is exp(-8), e = -G: should print 0 and 4",
        ),
        Misconception(
            "no error in ∂E/∂t",
            lambda X, y, w, T, sigma: np.column_stack(
                [
                    _slopes(X, y, w, T, sigma)[:, 0],
                    -w[:, None]
                    * np.einsum("ji,jid->id", np.exp(-squares(X, T) / (2 * sigma**2)), X[:, None] - T)
                    / sigma**2,
                ]
            ),
            "The errors are missing in the slope by the centres: points that are right already would pull as well.",
            f"{_CHAIN}: e_j under the second sum.",
            _G + "print(of([1, 0], 0, 2, [0, 0])[1] * np.exp(1))   # e = -2G, times the weight 2: should print 4 and 0",
        ),
        Misconception(
            "bell missing in ∂E/∂t",
            _slopes_with(inner=lambda G, s, sigma: np.ones_like(G) / sigma**2),
            "The bell itself is missing in the slope by its centre: far points would pull as well as near ones.",
            f"{_CHAIN}: G' in the second formula.",
            _G + "print(of([10, 0], 5, 1, [0, 0])[1] + 0.0)   # too far away to matter: should print 0 and 0",
        ),
        Misconception(
            "no 2 in the bell",
            _slopes_with(bell=lambda s, sigma: np.exp(-s / sigma**2)),
            "Your bell is exp(-s/σ²); the course's has 2σ² below.",
            f"{_CHAIN}: G(s) in (9).",
            _G + "print(of([1, 1], 1, 0, [0, 0])[0] * np.exp(1))   # s = 2, error 1: should print -1",
        ),
        Misconception(
            "no 2 in the bell, and consistently so",
            _slopes_with(bell=lambda s, sigma: np.exp(-s / sigma**2), of_t=-2.0),
            "Your bell is exp(-s/σ²), and your slopes are those of it; the course's has 2σ² below.",
            f"{_CHAIN}: G(s) in (9).",
            _G + "print(of([2, 0], 1, 0, [0, 0], 2.0)[0] * np.exp(0.5))   # s/(2σ²) = 1/2, error 1: should print -1",
        ),
        Misconception(
            "no σ in the bell",
            _slopes_with(bell=lambda s, sigma: np.exp(-s / 2)),
            "Your bell is exp(-s/2) with s the plain squared distance: σ is missing in it.",
            f"{_CHAIN}: in (9) s holds the precision, 1/σ².",
            _G + "print(of([4, 0], 1, 0, [0, 0], 2.0)[0] * np.exp(2))   # s/(2σ²) = 2, error 1: should print -1",
        ),
        Misconception(
            "no square in the bell",
            _slopes_with(bell=lambda s, sigma: np.exp(-np.sqrt(s) / (2 * sigma**2))),
            "The distance in your bell is not squared.",
            f"{_CHAIN}: s in (9) is a square.",
            _G + "print(of([0, 4], 1, 0, [0, 0], 2.0)[0] * np.exp(2))   # s/(2σ²) = 16/8, error 1: should print -1",
        ),
        Misconception(
            "targets for errors",
            _slopes_with(error=lambda y, f: y),
            "You put the targets where the errors belong: what the network says already is not taken off.",
            f"{_CHAIN}: e in (9).",
            _G + "print(of([0, 0], 1, 1, [0, 0])[0] + 0.0)   # no error is left: should print 0",
        ),
        Misconception(
            "each bell alone",
            _each_alone,
            "You take each bell's error by itself; e is what all bells together leave, and the same for each of them.",
            f"{_CHAIN}: e in (9), with the sum over all bells.",
            _G + "X, y, T = np.zeros((1, 1)), np.array([2.0]), np.zeros((2, 1))\n"
            "print(rbf_grads(X, y, np.ones(2), T, 1.0)[0] + 0.0)   # two bells say 1 + 1 = 2: should print 0 and 0",
        ),
        Misconception(
            "mean over the points",
            _mean,
            "You divide by the number of points; E is a sum.",
            f"{_CHAIN}: E in (9).",
            _G + "two = rbf_grads(np.zeros((2, 1)), np.ones(2), np.zeros(1), np.zeros((1, 1)), 1.0)\n"
            "print(two[0])   # two points, each with error 1: should print -2",
        ),
        Misconception(
            "exchanged",
            lambda *args: np.roll(_slopes(*args), -1, axis=1),
            "The two seem to have changed places: first ∂E/∂w, then ∂E/∂t.",
            f"{_CHAIN}: the first formula, then the second.",
            _G
            + "print(of([3, 0], 0, 1, [0, 0])[0] * np.exp(9))   # G is exp(-9/2), e = -G, first by w: should print 1",
        ),
        Misconception(
            "E without the ½",
            lambda *args: 2 * _slopes(*args),
            "Both slopes are twice too large: E has a ½ before the sum.",
            f"{_CHAIN}: E in (9).",
            _G + "print(of([5, 5], 4, 1, [5, 5])[0])   # error 3 at the centre: should print -3",
        ),
        Misconception(
            "point for the way to it",
            _slopes_with(way=lambda X, T: np.broadcast_to(X[:, None], (len(X), *T.shape))),
            "You take the point where the way from the centre to it belongs, x - t.",
            f"{_CHAIN}: the slope of s by t.",
            _G + "print(of([2, 7], 4, 1, [2, 7])[1] + 0.0)   # the point sits on the centre: should print 0 and 0",
        ),
    ),
    observations=(
        Observation(
            "The slope by the weights is right, that by the centres is not.", _column_right([True, False]), early=True
        ),
        Observation(
            "The slope by the centres is right, that by the weights is not.", _column_right([False, True]), early=True
        ),
    ),
    step=f"{_CHAIN}: the error first, then each of the first two formulas.",
    experiment="import numpy as np\n"
    "X, y, w, T = np.array([[0.0], [1]]), np.array([1.0, 0]), np.array([0.5, 0.4]), np.array([[0.2], [0.9]])\n"
    "def E(t): return 0.5 * np.sum((y - np.exp(-((X - [t, 0.9]) ** 2) / 2) @ w) ** 2)\n"
    "slope = (E(0.2 + 1e-6) - E(0.2 - 1e-6)) / 2e-6   # by the first of two centres\n"
    "print(rbf_grads(X, y, w, T, 1.0)[1].ravel()[0] / slope)   # should print 1",
    sizes=lambda X, y, w, T, sigma: {"n": len(y), "m": len(w), "d": X.shape[1], "σ": sigma},
    view=_both,
    gives=lambda table: (table[:, 0], table[:, 1:]),
)
