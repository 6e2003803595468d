"""Exercise 6b.1: the loss of the tube."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property

__all__ = ["EPS_INSENSITIVE"]

_TUBE = "The tube"


def eps_insensitive(r, eps):
    """(|r| - ε)₊."""
    return np.maximum(np.abs(r) - eps, 0.0)


def _residuals(rng):
    found = []
    for n in (9, 12, 7):
        eps = float(rng.choice([rng.uniform(0.3, 0.7), rng.uniform(1.3, 1.8)]))
        r = np.resize([-2.6, 2.3, -1.5, 1.4, -0.6, 0.5], n) * eps + rng.uniform(-0.2, 0.2, n) * eps
        found.append((rng.permutation(r), eps))
    return found


_L = USE + "def loss(*r, eps=0.5):\n    return eps_insensitive(np.array(r, dtype=float), eps)\n"
_LOSS = f"Read “{_TUBE}” again: equation (1)"

EPS_INSENSITIVE = Exercise(
    name="eps_insensitive",
    chapter=CHAPTER,
    number="6b.1",
    returns="the loss of each residual, shape (n,)",
    reference=eps_insensitive,
    properties=(
        Property("is 0 inside the tube, and the distance to it outside", 2, _residuals),
        Property(
            "is the absolute value at ε = 0",
            1,
            lambda r: [(np.append(r.normal(size=n), 0.0), 0.0) for n in (6, 8)],
            hint="Your answer fails only at ε = 0, a tube without width: what is left is |r|, and nothing may be divided by ε.",
        ),
    ),
    promises=(
        Promise("have residuals of either sign, inside the tube and outside", lambda r, eps: all(
            np.any((np.sign(r) == side) & ((np.abs(r) < eps) == inside)) for side in (-1, 1) for inside in (0, 1))),
        Promise("have a tube without width, and a residual of 0", lambda r, eps: eps == 0 and 0 in r, of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "not clipped",
            lambda r, eps: np.abs(r) - eps,
            "Inside the tube your loss is negative: points there earn a bonus instead of paying nothing.",
            f"{_LOSS} ends with a +.",
            _L + "print(loss(0.0, 0.2))   # both inside: should print 0, 0",
        ),
        Misconception(
            "squared",
            lambda r, eps: np.maximum(np.abs(r) - eps, 0.0) ** 2,
            "You square what sticks out; beyond the tube the price rises in proportion.",
            f"{_LOSS}: no square in it.",
            _L + "print(loss(3.5))   # 3 beyond the tube: should print 3",
        ),
        Misconception(
            "one side",
            lambda r, eps: np.maximum(r - eps, 0.0),
            "Points below the tube pay nothing in yours: it has two sides, take |r|.",
            f"{_LOSS} is two hinges, back to back.",
            _L + "print(loss(-2.0, 2.0))   # 1.5 beyond on either side: should print 1.5, 1.5",
        ),
        Misconception(
            "jump at ε",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, np.abs(r)),
            "Your loss jumps at the edge of the tube: beyond it, only what sticks out is paid, |r| - ε.",
            f"{_LOSS}: it begins to rise at 0.",
            _L + "print(loss(0.75))   # 0.25 beyond the tube: should print 0.25",
        ),
        Misconception(
            "signed",
            lambda r, eps: np.sign(r) * np.maximum(np.abs(r) - eps, 0.0),
            "Your loss keeps the sign of r; a price is never negative.",
            f"{_LOSS} depends on |r| alone.",
            _L + "print(loss(-1.5))   # 1 below the tube: should print 1",
        ),
        Misconception(
            "inside out",
            lambda r, eps: np.maximum(eps - np.abs(r), 0.0),
            "It is inside out: you charge those in the tube, and the others nothing.",
            f"{_LOSS}: who pays?",
            _L + "print(loss(0.0, 2.0))   # inside, and 1.5 beyond: should print 0, 1.5",
        ),
        Misconception(
            "ε added",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, np.abs(r) + eps),
            "You add ε outside the tube, where it is subtracted.",
            f"{_LOSS}: |r| - ε.",
            _L + "print(loss(1.0))   # 0.5 beyond the tube: should print 0.5",
        ),
        Misconception(
            "cut at ε",
            lambda r, eps: np.minimum(np.abs(r), eps),
            "You cut large errors at ε; it is the small ones that are free, the large ones pay in proportion.",
            f"{_LOSS}: flat inside, rising outside.",
            _L + "print(loss(0.25, 4.5))   # inside, and 4 beyond: should print 0, 4",
        ),
        Misconception(
            "counted",
            lambda r, eps: (np.abs(r) > eps) * 1.0,
            "You count who is outside; the loss says by how much.",
            f"{_LOSS}: the price rises in proportion.",
            _L + "print(loss(5.5))   # 5 beyond the tube: should print 5",
        ),
        Misconception(
            "hinge at 1",
            lambda r, eps: np.maximum(1.0 - r, 0.0),
            "That is a hinge at 1, as in classification; here the edge is ε, and what lies beyond it pays.",
            f"{_LOSS}: two hinges, at ε and -ε.",
            _L + "print(loss(0.0, 1.0))   # inside, and 0.5 beyond: should print 0, 0.5",
        ),
        Misconception(
            "squares compared",
            lambda r, eps: np.maximum(r * r - eps * eps, 0.0),
            "You compare squares, r² - ε²; it is |r| - ε.",
            f"{_LOSS}: absolute values.",
            _L + "print(loss(2.5))   # 2 beyond the tube: should print 2",
        ),
        Misconception(
            "squared outside",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, r * r),
            "Outside the tube you charge r², as least squares does; it is |r| - ε.",
            f"{_LOSS}: in proportion, so that a gross error cannot rule.",
            _L + "print(loss(10.5))   # 10 beyond the tube: should print 10",
        ),
        Misconception(
            "ε inside the absolute value",
            lambda r, eps: np.abs(r - eps),
            "You take |r - ε|; the absolute value belongs to r alone, and then ε is subtracted.",
            f"{_LOSS}: (|r| - ε)₊.",
            _L + "print(loss(-3.0))   # 2.5 below the tube: should print 2.5",
        ),
        Misconception(
            "larger of |r| and ε",
            lambda r, eps: np.maximum(np.abs(r), eps),
            "You take the larger of |r| and ε, so that nobody pays less than ε; inside the tube nobody pays.",
            f"{_LOSS}: subtract first, then compare with 0.",
            _L + "print(loss(0.1))   # inside: should print 0",
        ),
        Misconception(
            "no tube",
            lambda r, eps: np.abs(r),
            "ε plays no part in yours: |r| alone charges those in the tube, too.",
            f"{_LOSS}: (|r| - ε)₊.",
            _L + "print(loss(0.3, 1.25))   # inside, and 0.75 beyond: should print 0, 0.75",
        ),
        Misconception(
            "Huber's loss",
            lambda r, eps: np.where(np.abs(r) <= eps, r * r / 2, eps * (np.abs(r) - eps / 2)),
            "That is Huber's loss: half a square inside, a line outside. Inside the tube nothing is paid, and outside |r| - ε.",
            f"{_LOSS}: flat inside.",
            _L + "print(loss(0.4, 1.5))   # inside, and 1 beyond: should print 0, 1",
        ),
        Misconception(
            "one truth value of many",
            None,
            "An array has as many truth values as entries, and max and if ask for one. np.maximum and np.where go entry by entry.",
            f"{_LOSS}; it is taken of each residual by itself.",
            _L + "print(loss(-1.25, 0.125))   # one number for each: should print 0.75, 0",
            error="truth value of an array",
        ),
        Misconception(
            "tube of width ε",
            Changed(eps_insensitive, lambda r, eps: (r, eps / 2)),
            "Your tube is half as wide as it should be: ε is its half width, from f to either edge.",
            f"{_LOSS}: half width.",
            _L + "print(loss(0.4))   # nearer than ε: should print 0",
        ),
    ),
    observations=(
        Observation(
            "eps_insensitive returned a negative number, and a loss is never negative.",
            lambda value, r, eps: value.min() < 0,
            early=True,
        ),
    ),
    step=f"{_LOSS}: how far |r| sticks out of the tube, and 0 inside.",
    experiment=_L + "print(loss(-2.0, -0.25, 0.0, 0.5, 1.0))   # should print 1.5, 0, 0, 0, 0.5",
    sizes=lambda r, eps: {"n": len(r), "ε": eps},
)  # fmt: skip
