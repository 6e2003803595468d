"""Exercise 6b.1: the ε-insensitive loss."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property

__all__ = ["EPS_INSENSITIVE"]

_TUBE = "The ε-insensitive loss"


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
        Property("is 0 inside the tube and |r| - ε outside", 2, _residuals),
        Property(
            "is the absolute value at ε = 0",
            1,
            lambda r: [(np.append(r.normal(size=n), 0.0), 0.0) for n in (6, 8)],
            hint="Your answer fails only at ε = 0. The loss is |r| there, so do not divide by ε.",
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
            "Your loss is negative inside the tube. There the loss is 0. Clip |r| - ε at 0.",
            f"{_LOSS} ends with a +.",
            _L + "print(loss(0.0, 0.2))   # both inside: should print 0, 0",
        ),
        Misconception(
            "squared",
            lambda r, eps: np.maximum(np.abs(r) - eps, 0.0) ** 2,
            "You square the excess. Outside the tube the loss is linear: (|r| - ε)₊ without a square.",
            f"{_LOSS} has no square.",
            _L + "print(loss(3.5))   # 3 beyond the tube: should print 3",
        ),
        Misconception(
            "one side",
            lambda r, eps: np.maximum(r - eps, 0.0),
            "Your loss is 0 for all points below the tube. The tube has two sides. Use |r| instead of r.",
            f"{_LOSS} depends on |r| alone.",
            _L + "print(loss(-2.0, 2.0))   # 1.5 beyond on either side: should print 1.5, 1.5",
        ),
        Misconception(
            "jump at ε",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, np.abs(r)),
            "Your loss jumps at the edge of the tube. Outside it is the excess |r| - ε, which starts at 0.",
            f"{_LOSS} is continuous.",
            _L + "print(loss(0.75))   # 0.25 beyond the tube: should print 0.25",
        ),
        Misconception(
            "signed",
            lambda r, eps: np.sign(r) * np.maximum(np.abs(r) - eps, 0.0),
            "Your loss has the sign of r. A loss is never negative. Leave out the sign.",
            f"{_LOSS} depends on |r| alone.",
            _L + "print(loss(-1.5))   # 1 below the tube: should print 1",
        ),
        Misconception(
            "counted",
            lambda r, eps: (np.abs(r) > eps) * 1.0,
            "You count the points outside the tube. The loss is how far outside each point is. Return (|r| - ε)₊.",
            f"{_LOSS} rises in proportion to the excess.",
            _L + "print(loss(5.5))   # 5 beyond the tube: should print 5",
        ),
        Misconception(
            "squared outside",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, r * r),
            "Outside the tube you return r², the squared loss. The ε-insensitive loss there is |r| - ε.",
            f"{_LOSS} has no square.",
            _L + "print(loss(10.5))   # 10 beyond the tube: should print 10",
        ),
        Misconception(
            "ε inside the absolute value",
            lambda r, eps: np.abs(r - eps),
            "You return |r - ε|. Take the absolute value of r first, subtract ε, then clip at 0.",
            f"{_LOSS} is (|r| - ε)₊.",
            _L + "print(loss(-3.0))   # 2.5 below the tube: should print 2.5",
        ),
        Misconception(
            "no tube",
            lambda r, eps: np.abs(r),
            "You return |r|, without ε. A residual inside the tube has no loss. Return (|r| - ε)₊.",
            f"{_LOSS} is (|r| - ε)₊.",
            _L + "print(loss(0.3, 1.25))   # inside, and 0.75 beyond: should print 0, 0.75",
        ),
        Misconception(
            "Huber's loss",
            lambda r, eps: np.where(np.abs(r) <= eps, r * r / 2, eps * (np.abs(r) - eps / 2)),
            "You return Huber's loss, which is a parabola near 0. The ε-insensitive loss is 0 inside the tube and |r| - ε outside.",
            f"{_LOSS} is flat inside the tube.",
            _L + "print(loss(0.4, 1.5))   # inside, and 1 beyond: should print 0, 1",
        ),
        Misconception(
            "one truth value of many",
            None,
            "You ask for the truth value of a whole array, in max or if. Use np.maximum or np.where, which work entry by entry.",
            f"{_LOSS}, for each residual separately",
            _L + "print(loss(-1.25, 0.125))   # one number for each: should print 0.75, 0",
            error="truth value of an array",
        ),
        Misconception(
            "tube of width ε",
            Changed(eps_insensitive, lambda r, eps: (r, eps / 2)),
            "Your tube has the width ε. Here ε is the half width, so the tube goes from -ε to ε.",
            f"{_LOSS}, and what ε is in it",
            _L + "print(loss(0.4))   # |r| < ε: should print 0",
        ),
    ),
    observations=(
        Observation(
            "eps_insensitive returned a negative number. A loss is never negative.",
            lambda value, r, eps: value.min() < 0,
            early=True,
        ),
    ),
    step=f"{_LOSS} is 0 inside the tube and |r| - ε outside.",
    experiment=_L + "print(loss(-2.0, -0.25, 0.0, 0.5, 1.0))   # should print 1.5, 0, 0, 0, 0.5",
    sizes=lambda r, eps: {"n": len(r), "ε": eps},
)  # fmt: skip
