"""Exercise 6b.2: one step of the solver of ε-SVR, on a pair of coefficients."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE, gram, told_apart
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts

__all__ = ["SVR_PAIR"]

_DUAL = "Its dual, and its plane"
_ROOM = 0.05  # how clearly a step ends where it ends, in shares of C


def svr_pair(K, y, beta, C, eps, i, j):
    """β_i + t and β_j - t: the top of the parabola, the wall, or the kink at 0, whichever comes first."""
    return _pair(K, y, beta, C, eps, i, j)


def _up(b, C):
    """How far β_i may rise, to the kink or to the wall."""
    return (C if b >= 0 else 0.0) - b


def _down(b, C):
    """How far β_j may fall."""
    return b + (C if b <= 0 else 0.0)


def _pair(
    K, y, beta, C, eps, i, j, *, g=lambda K, y, beta: y - K @ beta, pays_i=lambda b: 1 if b >= 0 else -1,
    pays_j=lambda b: 1 if b > 0 else -1, flat=None, curve=-2.0, factor=1.0, divide=True, up=_up, down=_down, move="both",
):  # fmt: skip
    slope_i, slope_j = g(K, y, beta)[[i, j]]
    slope = slope_i - slope_j - eps * (pays_i(beta[i]) - pays_j(beta[j]) if flat is None else flat)
    out = np.array(beta, dtype=float)
    eta = K[i, i] + K[j, j] + curve * K[i, j] if divide else 1.0
    top = factor * slope / eta if eta > 0 else np.inf
    rooms = up(beta[i], C), down(beta[j], C)
    t = min(top, *rooms)
    if move == "each":
        out[i], out[j] = out[i] + min(top, rooms[0]), out[j] - min(top, rooms[1])
        return out
    out[i] += 0.0 if move == "j" else -t if move == "back" else t
    out[j] -= 0.0 if move == "i" else -t if move in ("back", "sum") else t
    return out


def _mistake(**how):
    return lambda K, y, beta, C, eps, i, j: _pair(K, y, beta, C, eps, i, j, **how)


def _of_a_classifier(K, y, beta, C, eps, i, j):
    g, out = y - K @ beta, np.array(beta, dtype=float)
    eta, sum_ = K[i, i] + K[j, j] - 2 * K[i, j], beta[i] + beta[j]
    top = beta[i] + (g[i] - g[j]) / eta if eta > 0 else np.inf * np.sign(g[i] - g[j])
    out[i] = min(max(top, -C, sum_ - C), C, sum_ + C)
    out[j] = sum_ - out[i]
    return out


def _to_the_summit(K, y, beta, C, eps, i, j):
    """On beyond a kink, with what is left of the slope: at most two kinks lie on the way."""
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
    """Which of top, wall or kink of β_i (up) and wall or kink of β_j (down) comes first; "" where it is a near thing."""
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
    """Steps that end at the top, at either wall and at either kink, from coefficients of all signs."""
    return told_apart(lambda: [_step(rng, 6 + k % 3, *kind) for k, kind in enumerate(_KINDS)], lambda: SVR_PAIR)


def _twins(rng):
    """Two points in one place whose targets differ: the parabola is a line."""
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
        Property("goes to the top, to the wall or to the kink, whichever comes first", 3, _steps),
        Property(
            "goes to the wall or to the kink where two points are in one place",
            1,
            _twins,
            hint="Your answer fails only when two points are in one place, η = 0: the parabola is a line there, and what ends the step is the "
            "wall or the kink.",
        ),
    ),
    promises=(
        Promise("end at the top, and at wall or kink of either one", lambda found: (
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
            "ε is missing in the slope: what leaves 0 pays ε, what returns to 0 gets it back.",
            f"{_SOLVER}: rise and fall have an ε in them.",
            _S + "print(step(2, 0, 0, 0, 0))   # slope 2 - 2ε = 1, η = 4: should print -0.25, 0, 0.25",
        ),
        Misconception(
            "sign of ε",
            Changed(svr_pair, lambda K, y, beta, C, eps, i, j: (K, y, beta, C, -eps, i, j)),
            "Your ε has the other sign: it is a price, so leaving 0 makes the slope smaller.",
            f"{_SOLVER}, and (3): minus ε‖β‖₁.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.25))   # slope 2 - 2ε = 1.5, η = 4: should print -0.375, 0, 0.375",
        ),
        Misconception(
            "2ε whatever the signs",
            _mistake(flat=2),
            "You take 2ε off for every pair; a coefficient that moves towards 0 gets its ε back, and two of one sign pay nothing.",
            f"{_SOLVER}: the sign in rise and in fall.",
            _S + "print(step(2, 1, 0, 0.5, 0))   # one leaves 0, one returns: slope 1/2, should print 0, 0, 0.5",
        ),
        Misconception(
            "sign of 0 taken for 0",
            _mistake(pays_i=np.sign, pays_j=np.sign),
            "You take sign(β) for the slope of |β|; at β = 0 it is +1 for one that rises and -1 for one that falls, not 0.",
            f"{_SOLVER}: β ≥ 0 in rise, β > 0 in fall.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.75))   # slope 2 - 2ε = 0.5, η = 4: should print -0.125, 0, 0.125",
        ),
        Misconception(
            "0 rises as if from below",
            _mistake(pays_i=lambda b: 1 if b > 0 else -1),
            "A β_i that is 0 rises away from 0 and pays ε; yours gets ε back, as one below 0 does.",
            f"{_SOLVER}: β ≥ 0 in rise.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.625))   # slope 2 - 2ε = 0.75, η = 4: should print -0.1875, 0, 0.1875",
        ),
        Misconception(
            "0 falls as if from above",
            _mistake(pays_j=lambda b: 1 if b >= 0 else -1),
            "A β_j that is 0 falls away from 0 and pays ε; yours gets ε back, as one above 0 does.",
            f"{_SOLVER}: β > 0 in fall, without the =.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.25))   # slope 1 - 2ε = 0.5, η = 1: should print -0.5, 0.5, 0",
        ),
        Misconception(
            "sign of ε in rise",
            _mistake(pays_i=lambda b: -1 if b >= 0 else 1),
            "The ε of β_i has the other sign in yours: rising costs ε at 0 and above, and gets it back below.",
            f"{_SOLVER}: rise has a minus.",
            _S + "print(step(2, 0, 0, 0, 0, C=3.0))   # slope 2 - 2ε = 1, η = 4: should print -0.25, 0, 0.25",
        ),
        Misconception(
            "sign of ε in fall",
            _mistake(pays_j=lambda b: -1 if b > 0 else 1),
            "The ε of β_j has the other sign in yours: falling costs ε at 0 and below, and gets it back above.",
            f"{_SOLVER}: fall has a minus, too, and is subtracted.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.3125))   # slope 1 - 2ε = 0.375, η = 1: should print -0.375, 0.375, 0",
        ),
        Misconception(
            "β_i pays whatever its sign",
            _mistake(pays_i=lambda b: 1),
            "In yours β_i pays ε always; one below 0 that rises comes nearer to 0 and gets ε back.",
            f"{_SOLVER}: the sign in rise.",
            _S + "print(step(2, 0, -1, 2, -1))   # g = 0, 1, 2; the last gets ε, the first pays it: should print -1.5, 2, -0.5",
        ),
        Misconception(
            "β_j gains whatever its sign",
            _mistake(pays_j=lambda b: 1),
            "In yours β_j gets ε back always; one at 0 or below that falls goes away from 0 and pays it.",
            f"{_SOLVER}: the sign in fall.",
            _S + "print(step(2, 0, 0, 0, 0, C=1.75))   # slope 2 - 2ε = 1, η = 4: should print -0.25, 0, 0.25",
        ),
        Misconception(
            "top passed",
            _mistake(factor=np.inf),
            "You go to wall or kink even where the top of the parabola comes before: beyond it you go down again.",
            f"{_SOLVER}: t is the least of three.",
            _S + "print(step(2, 0, 0, 0, 0, C=1.25))   # the top is at 1/4, the wall at C: should print -0.25, 0, 0.25",
        ),
        Misconception(
            "kinks passed",
            _mistake(up=lambda b, C: C - b, down=lambda b, C: b + C),
            "You go on beyond 0 as if there were no kink; the slope falls by 2ε there, so the parabola is another one.",
            f"{_SOLVER}: to the top, to the wall, or to the kink.",
            _S + "print(step(2, 0, 0.125, 0, -0.125))   # both come to 0 long before the top: should print 0, 0, 0",
        ),
        Misconception(
            "kink of β_i passed",
            _mistake(up=lambda b, C: C - b),
            "β_i goes on beyond 0 as if there were no kink; one below 0 may rise to 0 in this step, no further.",
            f"{_SOLVER}: what up is for β_i < 0.",
            _S + "print(step(2, 1, 0.25, 0, -0.25))   # the last comes to 0 long before the top: should print 0.25, -0.25, 0",
        ),
        Misconception(
            "kink of β_j passed",
            _mistake(down=lambda b, C: b + C),
            "β_j goes on beyond 0 as if there were no kink; one above 0 may fall to 0 in this step, no further.",
            f"{_SOLVER}: what down is for β_j > 0.",
            _S + "print(step(2, 0, 0.25, -0.25, 0))   # the first comes to 0 long before the top: should print 0, -0.25, 0.25",
        ),
        Misconception(
            "on beyond the kink",
            _to_the_summit,
            "You go on beyond a kink, with the slope that is left. That climbs higher; what is asked for is one step, which ends at the kink.",
            f"{_SOLVER}: whichever comes first.",
            _S + "print(step(2, 0, 0.125, 0, -0.25))   # the first comes to 0, and the step ends: should print 0, 0, -0.125",
        ),
        Misconception(
            "0 never left",
            _mistake(up=lambda b, C: (C if b > 0 else 0.0) - b, down=lambda b, C: b + (C if b < 0 else 0.0)),
            "In yours a coefficient that is 0 has no room: the kink is where it stands. It has all the room up to its wall.",
            f"{_SOLVER}: up and down at β = 0.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.125))   # slope 1 - 2ε, η = 1: should print -0.75, 0.75, 0",
        ),
        Misconception(
            "β_i never leaves 0",
            _mistake(up=lambda b, C: (C if b > 0 else 0.0) - b),
            "A β_i that is 0 has no room in yours: the kink is where it stands. It has all the room up to C.",
            f"{_SOLVER}: up at β = 0.",
            _S + "print(step(2, 0, 0, -0.5, 0))   # x β = -0.5, so g = 0, 1.5, 3: should print -0.5, -0.5, 0.5",
        ),
        Misconception(
            "β_j never leaves 0",
            _mistake(down=lambda b, C: b + (C if b < 0 else 0.0)),
            "A β_j that is 0 has no room in yours: the kink is where it stands. It has all the room down to -C.",
            f"{_SOLVER}: down at β = 0.",
            _S + "print(step(2, 0, 0, 0.25, 0))   # x β = 0.25, so g = 0, 0.75, 1.5: should print -0.125, 0.25, 0.125",
        ),
        Misconception(
            "not clipped",
            _mistake(up=lambda b, C: np.inf, down=lambda b, C: np.inf),
            "You go to the top of the parabola wherever it lies; wall and kink may come first.",
            f"{_SOLVER}: whichever comes first.",
            _S + "print(step(2, 0, 0, 0, 0, C=0.125))   # the top is at 1/4, the wall at C: should print -0.125, 0, 0.125",
        ),
        Misconception(
            "ε once, whatever the signs",
            _mistake(flat=1),
            "You take ε off once for every pair; each of the two pays ε where it leaves 0, and gets it back on its way to 0.",
            f"{_SOLVER}: the sign in rise and in fall.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.125))   # both leave 0: slope 2 - 2ε = 1.75, η = 4: should print -0.4375, 0, 0.4375",
        ),
        Misconception(
            "walls passed",
            _mistake(up=lambda b, C: np.inf if b >= 0 else -b, down=lambda b, C: np.inf if b <= 0 else b),
            "You stop at the top and at kinks, and not at the walls: β_i ends at C, β_j at -C.",
            f"{_SOLVER}: t is the least of three.",
            _S + "print(step(2, 0, 0, 0, 0, C=0.1875))   # the top is at 1/4, the wall at C: should print -0.1875, 0, 0.1875",
        ),
        Misconception(
            "walls C away",
            _mistake(up=lambda b, C: C if b >= 0 else -b, down=lambda b, C: C if b <= 0 else b),
            "Your walls are C away from where β is; they stand at C and -C, so that β_i has the room C - β_i, and β_j the room β_j + C.",
            f"{_SOLVER}: up and down.",
            _S + "print(step(2, 0, -1.875, 0, 0))   # the first has an eighth to its wall: should print -2, 0, 0.125",
        ),
        Misconception(
            "room by size",
            _mistake(up=lambda b, C: C - abs(b), down=lambda b, C: C - abs(b)),
            "You give each the room C - |β|, away from 0; one that moves towards 0 has the room |β|, as far as the kink.",
            f"{_SOLVER}: up and down, with the kink.",
            _S + "print(step(2, 0, 1.5, 0, -1.5))   # both come to 0 before the top: should print 0, 0, 0",
        ),
        Misconception(
            "β_j not clipped",
            _mistake(down=lambda b, C: np.inf),
            "You stop at wall and kink of β_i alone; β_j has a wall, at -C, and a kink, too.",
            f"{_SOLVER}: t is the least of three.",
            _S + "print(step(2, 0, -1.9375, 0, 0))   # the first has a sixteenth to its wall: should print -2, 0, 0.0625",
        ),
        Misconception(
            "β_i not clipped",
            _mistake(up=lambda b, C: np.inf),
            "You stop at wall and kink of β_j alone; β_i has a wall, at C, and a kink, too.",
            f"{_SOLVER}: t is the least of three.",
            _S + "print(step(1, 0, 0, 1.9375, -2))   # the second has a sixteenth to its wall: should print -0.0625, 2, -2",
        ),
        Misconception(
            "box from 0",
            _mistake(up=lambda b, C: C - b, down=lambda b, C: b),
            "Your box is [0, C], that of a classifier's α; β is a difference of two of these and goes from -C to C, with a kink at 0.",
            f"{_SOLVER}, and the box in (3).",
            _S + "print(step(2, 0, -0.125, 0, 0))   # the first may fall on, to -C: should print -0.375, 0, 0.25",
        ),
        Misconception(
            "each clipped for itself",
            _mistake(move="each"),
            "You clip each of the two for itself, so that they move by different amounts and Σβ changes: it is one t for both.",
            f"{_SOLVER}: t is the least of three.",
            _S + "print(step(2, 0, 0, 0, -0.125).sum())   # the last stops at 0, and so must the first: should print -0.125",
        ),
        Misconception(
            "β_j left",
            _mistake(move="i"),
            "β_j stays where it was, and Σβ = 0 is broken: it falls by what β_i gains.",
            f"{_SOLVER}: raise one, lower another.",
            _S + "print(step(2, 0, 0, 0, 0).sum())   # the sum was 0: should print 0",
        ),
        Misconception(
            "β_i left",
            _mistake(move="j"),
            "β_i stays where it was, and Σβ = 0 is broken: it rises by what β_j loses.",
            f"{_SOLVER}: raise one, lower another.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.25).sum())   # the sum was 0: should print 0",
        ),
        Misconception(
            "both raised",
            _mistake(move="sum"),
            "You raise both; one rises and the other falls, so that their sum stays.",
            f"{_SOLVER}: raise one, lower another.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.25).sum())   # the sum was 0: should print 0",
        ),
        Misconception(
            "the other way",
            _mistake(move="back"),
            "You lower β_i and raise β_j; the slope is that of a rising β_i.",
            f"{_SOLVER}: which of the two is raised.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.125))   # slope 1 - 2ε = 0.75, η = 1: should print 0, -0.75, 0.75",
        ),
        Misconception(
            "i and j exchanged",
            Changed(svr_pair, lambda K, y, beta, C, eps, i, j: (K, y, beta, C, eps, j, i)),
            "You take i for j and j for i: β_i is the one that rises, in the slope and in the step.",
            f"{_SOLVER}: which of the two is raised.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.1875))   # slope 1 - 2ε = 0.625, η = 1: should print 0, -0.625, 0.625",
        ),
        Misconception(
            "gradient with the other sign",
            _mistake(g=lambda K, y, beta: K @ beta - y),
            "Your g is Kβ - y; what is made large in (3) has the slope y - Kβ.",
            f"{_SOLVER}: g = y - Kβ.",
            _S + "print(step(1, 0, 0, 0, 0, eps=0.0625))   # g = 0, 1, slope 1 - 2ε, η = 1: should print -0.875, 0.875, 0",
        ),
        Misconception(
            "targets forgotten",
            _mistake(g=lambda K, y, beta: -K @ beta),
            "y is missing in g = y - Kβ.",
            f"{_SOLVER}: g = y - Kβ.",
            _S + "print(step(2, 1, 0, 0, 0))   # g = 0, 1, 2, so slope 1 - 2ε, which is 0; with ε = 0.25:\n"
            "print(step(2, 1, 0, 0, 0, eps=0.25))   # should print 0, -0.5, 0.5",
        ),
        Misconception(
            "g of β = 0",
            _mistake(g=lambda K, y, beta: y),
            "Your g is y; the coefficients have a say in it already, g = y - Kβ.",
            f"{_SOLVER}: g = y - Kβ.",
            _S + "print(step(2, 0, -0.125, 0, 0.125))   # x β = 0.25, so g = 0, 0.75, 1.5: should print -0.25, 0, 0.25",
        ),
        Misconception(
            "the classifier's step",
            _of_a_classifier,
            "That is the step of a classifier, in another box: without ε, and without the kink at 0.",
            f"{_SOLVER}: slope and kink.",
            _S + "print(step(2, 0, 0.25, 0, -0.125))   # the last comes to 0, and the step ends: should print 0.125, 0, 0",
        ),
        Misconception(
            "the change alone",
            lambda *args: svr_pair(*args) - args[2],
            "You return what is added to β; what is asked for is β after the step.",
            f"{_SOLVER}: its last lines.",
            _S + "print(step(2, 0, 0, 0.5, 0))   # g = 0, 0.5, 1, so the slope is 1 - 2ε = 0: should print 0, 0.5, 0",
        ),
        Misconception(
            "η with a plus",
            _mistake(curve=2.0),
            "Your curvature adds 2 k_ij; it is the squared distance of the two points, k_ii + k_jj - 2 k_ij.",
            f"{_SOLVER}: what top is divided by.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.375))   # slope 1/4, η = 4 + 1 - 4: should print 0, -0.25, 0.25",
        ),
        Misconception(
            "η with k_ij once",
            _mistake(curve=-1.0),
            "Your curvature subtracts k_ij once; the square of a difference has it twice.",
            f"{_SOLVER}: what top is divided by.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.4375))   # slope 1/8, η = 4 + 1 - 2·2: should print 0, -0.125, 0.125",
        ),
        Misconception(
            "η without k_ij",
            _mistake(curve=0.0),
            "Your curvature has no k_ij; the two move together, so it is k_ii + k_jj - 2 k_ij.",
            f"{_SOLVER}: what top is divided by.",
            _S + "print(step(2, 1, 0, 0, 0, eps=0.3125))   # slope 3/8, η = 4 + 1 - 2·2: should print 0, -0.375, 0.375",
        ),
        Misconception(
            "not divided by η",
            _mistake(divide=False),
            "Your step is the slope itself; the top of the parabola is at slope divided by η.",
            f"{_SOLVER}: the top.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.875))   # slope 1/4, η = 4: should print -0.0625, 0, 0.0625",
        ),
        Misconception(
            "half a step",
            _mistake(factor=0.5),
            "You go half of the way: the top of the parabola is at slope/η, without a ½.",
            f"{_SOLVER}: the top.",
            _S + "print(step(2, 0, 0, 0, 0, eps=0.5, C=1.5))   # slope 1, η = 4: should print -0.25, 0, 0.25",
        ),
    ),
    observations=(
        Observation(
            "Σβ is not what it was before the step; what one gains the other must lose.",
            lambda value, K, y, beta, C, eps, i, j: value.shape == beta.shape and abs((value - beta).sum()) > 1e-6,
        ),
        Observation(
            "A coefficient has left the box -C ≤ β ≤ C.",
            lambda value, K, y, beta, C, eps, i, j: np.abs(value).max() > C + 1e-6,
        ),
    ),
    step=f"{_SOLVER}: slope, top, and what is met first.",
    experiment=_S + "print(step(2, 0, 0, 0, 0))   # the top of the parabola: should print -0.25, 0, 0.25\n"
    "print(step(2, 1, -0.25, 0.25, 0))   # g = 0, 0.75, 1.5: the second returns to 0, its kink: should print -0.25, 0, 0.25",
    sizes=lambda K, y, beta, C, eps, i, j: {"n": len(y), "C": C, "ε": eps},
    chained=True,
)  # fmt: skip
