"""Exercise 6b.2: one step of the solver of ε-SVR, on a pair of coefficients."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE, gram, told_apart
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts, each_wrong

__all__ = ["SVR_PAIR"]

_DUAL = "The dual of ε-SVR"
_ROOM = 0.05  # how far apart the possible ends of a step must be, as a fraction of C


def svr_pair(K, y, beta, C, eps, i, j):
    """β_i + t and β_j - t, up to the maximum of the parabola, a bound or the kink at 0, whichever comes first."""
    return _pair(K, y, beta, C, eps, i, j)


def _up(b, C):
    """How far β_i can rise, to the kink or to the bound."""
    return (C if b >= 0 else 0.0) - b


def _down(b, C):
    """How far β_j can fall."""
    return b + (C if b <= 0 else 0.0)


def _pair(
    K, y, beta, C, eps, i, j, *, g=lambda K, y, beta: y - K @ beta, s_i=lambda b: 1 if b >= 0 else -1,
    s_j=lambda b: 1 if b > 0 else -1, flat=None, up=_up, down=_down,
):  # fmt: skip
    g_i, g_j = g(K, y, beta)[[i, j]]
    slope = g_i - g_j - eps * (s_i(beta[i]) - s_j(beta[j]) if flat is None else flat)
    eta = K[i, i] + K[j, j] - 2 * K[i, j]
    t = min(slope / eta if eta > 0 else np.inf, up(beta[i], C), down(beta[j], C))
    out = np.array(beta, dtype=float)
    out[i] += t
    out[j] -= t
    return out


def _mistake(**how):
    return lambda K, y, beta, C, eps, i, j: _pair(K, y, beta, C, eps, i, j, **how)


def _to_the_maximum(K, y, beta, C, eps, i, j):
    """Continue beyond a kink with the slope that is left. There are at most two kinks."""
    for _ in range(3):
        beta = _pair(K, y, beta, C, eps, i, j) if _slope(K, y, beta, eps, i, j) > 0 else beta
    return beta


# how the step ends, and the signs of β_i and β_j before it
_KINDS = (
    ("top", 0, 0), ("top", -1, 1), ("top", 1, -1), ("top", -1, 0), ("up", 1, 0), ("up", -1, -1), ("up", -1, 0),
    ("up", 1, 1), ("down", 0, -1), ("down", 0, 1), ("down", 1, 1), ("down", -1, -1), ("top", 0, 1), ("top", 0, -1),
)  # fmt: skip


def _slope(K, y, beta, eps, i, j):
    g = y - K @ beta
    return g[i] - g[j] - eps * ((1 if beta[i] >= 0 else -1) - (1 if beta[j] > 0 else -1))


def _ends(K, y, beta, C, eps, i, j):
    """Which end comes first: "top", "up" (bound or kink of β_i) or "down" (of β_j), or "" if two are close."""
    slope, eta = _slope(K, y, beta, eps, i, j), K[i, i] + K[j, j] - 2 * K[i, j]
    ends = {
        "top": slope / eta if eta > 0 else np.inf if slope > 0 else 0.0,
        "up": _up(beta[i], C),
        "down": _down(beta[j], C),
    }
    first, second = sorted(ends, key=ends.__getitem__)[:2]
    clear = ends[first] > _ROOM * C and ends[second] - ends[first] > _ROOM * C and slope > _ROOM
    return first if clear else ""


def _problem(rng, n):
    K, C = gram(rng, n), float(rng.choice([rng.uniform(0.3, 0.8), rng.uniform(1.3, 2.0)]))
    beta = rng.permutation(np.resize([0.0, 0.7, -0.5, 0.0, 0.4, -0.7], n)) * C * rng.uniform(0.5, 1.3, n)
    eps = float(rng.uniform(0.15, 0.5))
    return K, K @ beta + rng.normal(size=n) * rng.choice([0.6, 2.0]), beta, C, eps


def _step(rng, n, end, sign_i, sign_j):
    for _ in attempts("svr_pair"):
        K, y, beta, C, eps = _problem(rng, n)
        signs = np.sign(beta)
        for i, j in rng.permutation([(i, j) for i in range(n) for j in range(n) if i != j]).tolist():
            if (signs[i], signs[j]) == (sign_i, sign_j) and _ends(K, y, beta, C, eps, i, j) == end:
                # where a top or a kink is reached, 1 is no coefficient's border; nor is it that of η
                eta, size = K[i, i] + K[j, j] - 2 * K[i, j], max(abs(beta[i]), abs(beta[j]))
                small = size < 0.95 or (end, sign_i, sign_j) not in (("down", 0, 1), ("up", -1, 0))
                if small and (end != "top" or (size < 0.95 and (eta < 0.9) == (sign_i == 0 or sign_j == 0))):
                    return K, y, beta, C, eps, i, j


def _steps(rng):
    """Steps that end at the maximum, at each bound and at each kink, from coefficients of all signs."""
    return told_apart(lambda: [_step(rng, 6 + k % 3, *kind) for k, kind in enumerate(_KINDS)], lambda: SVR_PAIR)


def _twins(rng):
    """Two equal inputs whose targets differ, so that η = 0."""
    found = []
    for _ in attempts("svr_pair", until=lambda: len(found) == 4):
        n = 6 + len(found) % 2
        K, y, beta, C, eps = _problem(rng, n)
        i, j = rng.permutation(n)[:2].tolist()
        K[j], K[:, j] = K[i], K[:, i]
        K[j, j] = K[i, j] = K[j, i] = K[i, i]
        if _ends(K, y, beta, C, eps, i, j) == ("up", "down")[len(found) % 2]:
            found.append((K, y, beta, C, eps, i, j))
    return found


_S = USE + "x = np.array([0.0, 1, 2]); K = np.outer(x, x)   # the chapter's three points, y = x\n" \
    "def step(i, j, *beta, C=2.0, eps=0.5):\n    return svr_pair(K, x, np.array(beta, dtype=float), C, eps, i, j)\n"  # fmt: skip
_SOLVER = f"Read “{_DUAL}” again, the solver"

SVR_PAIR = Exercise(
    name="svr_pair",
    chapter=CHAPTER,
    number="6b.2",
    returns="all coefficients after the step, shape (n,)",
    reference=svr_pair,
    properties=(
        Property("goes to the maximum, a bound or a kink, whichever comes first", 3, _steps),
        Property(
            "goes to the bound or the kink if the two inputs are equal",
            1,
            each_wrong(_twins, lambda: SVR_PAIR, ("kinks passed", "on beyond the kink", "bounds C away")),
            hint="Your answer fails only if the two inputs are equal, which makes η = 0. The parabola is then a line without "
            "a maximum, so the step ends at a bound or a kink.",
        ),
    ),
    promises=(
        Promise("end at the maximum, and at a bound or kink of each coefficient", lambda found: (
            {_ends(*args) for args in found} == {"top", "up", "down"}), together=True),
        Promise("have coefficients of all signs", lambda K, y, beta, C, eps, i, j: set(np.sign(beta)) == {-1, 0, 1}),
        Promise("have a positive slope", lambda K, y, beta, C, eps, i, j: _slope(K, y, beta, eps, i, j) > 0, of=(0, 1)),
        Promise("have η = 0", lambda K, y, beta, C, eps, i, j: (
            K[i, i] + K[j, j] - 2 * K[i, j] == 0 and _slope(K, y, beta, eps, i, j) > 0), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "ε forgotten",
            Changed(svr_pair, lambda K, y, beta, C, eps, i, j: (K, y, beta, C, 0.0, i, j)),
            "You leave ε out of the slope. The slope of -ε|β| is -ε or ε. Subtract ε s_i from g_i and ε s_j from g_j.",
            f"{_SOLVER}: rise and fall contain ε.",
            _S + "print(step(2, 0, 0, 0, 0))   # slope 2 - 2ε = 1, η = 4: should print -0.25, 0, 0.25",
        ),
        Misconception(
            "sign of ε",
            Changed(svr_pair, lambda K, y, beta, C, eps, i, j: (K, y, beta, C, -eps, i, j)),
            "You add ε where it must be subtracted. The dual (3) contains -ε‖β‖₁, so a coefficient that leaves 0 makes the slope smaller.",
            f"{_SOLVER}, and the term -ε‖β‖₁ in (3)",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.25))   # slope 2 - 2ε = 1.5, η = 4: should print -0.375, 0, 0.375",
        ),
        Misconception(
            "2ε whatever the signs",
            _mistake(flat=2),
            "You subtract 2ε for every pair. A coefficient that moves towards 0 adds ε instead. Use the signs s_i and s_j.",
            f"{_SOLVER}: the signs in rise and fall.",
            _S + "print(step(2, 1, 0, 0.5, 0))   # one leaves 0, one returns: slope 1/2, should print 0, 0, 0.5",
        ),
        Misconception(
            "sign of 0 taken for 0",
            _mistake(s_i=np.sign, s_j=np.sign),
            "You use sign(β), which is 0 at β = 0. The slope of |β| there is 1 for the coefficient that rises and -1 for the one that falls.",
            f"{_SOLVER}: β ≥ 0 in rise, β > 0 in fall.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.75))   # slope 2 - 2ε = 0.5, η = 4: should print -0.125, 0, 0.125",
        ),
        Misconception(
            "0 rises as if from below",
            _mistake(s_i=lambda b: 1 if b > 0 else -1),
            "You use s_i = -1 at β_i = 0. A coefficient that rises from 0 increases |β|, so s_i = 1 there. Test β_i ≥ 0.",
            f"{_SOLVER}: β ≥ 0 in rise.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.625))   # slope 2 - 2ε = 0.75, η = 4: should print -0.1875, 0, 0.1875",
        ),
        Misconception(
            "0 falls as if from above",
            _mistake(s_j=lambda b: 1 if b >= 0 else -1),
            "You use s_j = 1 at β_j = 0. A coefficient that falls from 0 increases |β|, so s_j = -1 there. Test β_j > 0.",
            f"{_SOLVER}: β > 0 in fall, without the =.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.25))   # slope 1 - 2ε = 0.5, η = 1: should print -0.5, 0.5, 0",
        ),
        Misconception(
            "kinks passed",
            _mistake(up=lambda b, C: C - b, down=lambda b, C: b + C),
            "You pass the kink at β = 0. The slope falls by 2ε there, so let the step end at 0.",
            f"{_SOLVER}: the step ends at the kink.",
            _S + "print(step(2, 0, 0.125, 0, -0.125))   # both come to 0 before the maximum: should print 0, 0, 0",
        ),
        Misconception(
            "on beyond the kink",
            _to_the_maximum,
            "You continue beyond a kink with the slope that is left. That is a second step. Let this one end at the kink.",
            f"{_SOLVER}: whichever comes first.",
            _S + "print(step(2, 0, 0.125, 0, -0.25))   # the first comes to 0, and the step ends: should print 0, 0, -0.125",
        ),
        Misconception(
            "not clipped",
            _mistake(up=lambda b, C: np.inf, down=lambda b, C: np.inf),
            "You always go to the maximum of the parabola. A bound or a kink may come first. Take the smallest of the three steps.",
            f"{_SOLVER}: whichever comes first.",
            _S + "print(step(2, 0, 0, 0, 0, C=0.125))   # the maximum is at 1/4, the bound at C: should print -0.125, 0, 0.125",
        ),
        Misconception(
            "bounds C away",
            _mistake(up=lambda b, C: C if b >= 0 else -b, down=lambda b, C: C if b <= 0 else b),
            "You let a coefficient move by C. The bounds are C and -C themselves: β_i can rise by C - β_i, and β_j can fall by β_j + C.",
            f"{_SOLVER}: how far β_i can rise and β_j can fall.",
            _S + "print(step(2, 0, -1.875, 0, 0))   # the first can fall by 1/8: should print -2, 0, 0.125",
        ),
        Misconception(
            "i and j exchanged",
            Changed(svr_pair, lambda K, y, beta, C, eps, i, j: (K, y, beta, C, eps, j, i)),
            "You exchange i and j. β_i is the coefficient that rises, in the slope and in the step.",
            f"{_SOLVER}: which of the two rises.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.1875))   # slope 1 - 2ε = 0.625, η = 1: should print 0, -0.625, 0.625",
        ),
        Misconception(
            "gradient with the other sign",
            _mistake(g=lambda K, y, beta: K @ beta - y),
            "You use g = Kβ - y. The dual (3) is maximised, and its gradient without the ε term is g = y - Kβ.",
            f"{_SOLVER}: g = y - Kβ.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.0625))   # g = 0, 1, slope 1 - 2ε, η = 1: should print -0.875, 0.875, 0",
        ),
    ),
    observations=(
        Observation(
            "The step has changed Σβ. Add t to β_i and subtract the same t from β_j.",
            lambda value, K, y, beta, C, eps, i, j: value.shape == beta.shape and abs((value - beta).sum()) > 1e-6,
        ),
        Observation(
            "A coefficient has left the interval -C ≤ β ≤ C.",
            lambda value, K, y, beta, C, eps, i, j: np.abs(value).max() > C + 1e-6,
        ),
    ),
    step=f"{_SOLVER}: the slope, the maximum, and what comes first.",
    experiment=_S + "print(step(2, 0, 0, 0, 0))   # the maximum of the parabola: should print -0.25, 0, 0.25\n"
    "print(step(2, 1, -0.25, 0.25, 0))   # g = 0, 0.75, 1.5: the second returns to 0, its kink: should print -0.25, 0, 0.25",
    sizes=lambda K, y, beta, C, eps, i, j: {"n": len(y), "C": C, "ε": eps},
    chained=True,
)  # fmt: skip
