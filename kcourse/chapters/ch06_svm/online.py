"""Exercises 6.4 and 6.5, from the second part of the chapter: steps of Pegasos, and the loss of the tube."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06_svm.common import CHAPTER, SECOND, USE
from kcourse.checks.spec import Changed, Exercise, Misconception, Observation, Promise, Property, attempts, telling

__all__ = ["EPS_INSENSITIVE", "PEGASOS"]

_POINT = "One point at a time"
_TUBE = "The tube"


# -- 6.4


def pegasos(X, y, lam, order):
    """w ← (1 - 1/t) w + h y x / (λt), with a hit h where y wᵀx < 1 before the step."""
    return _steps(X, y, lam, order)


def _steps(
    X,
    y,
    lam,
    order,
    *,
    eta=lambda lam, t: 1 / (lam * t),
    keep=lambda lam, eta, t: 1 - eta * lam,
    hit=lambda y, f: y * f < 1,
    push=lambda y, eta, n: eta * y,
    which=lambda i, t, n: i,
    first=1,
    time=lambda t, i: t,
    late=False,
    lazy=False,
    both=False,
    ball=False,
    mean=False,
):
    w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, point in enumerate(order, start=first):
        i = which(point, t, len(y))
        t = time(t, i)
        rate = eta(lam, t)
        small = keep(lam, rate, t) * w
        struck = hit(y[i], X[i] @ (small if late else w))
        w = small if struck or not lazy else w
        added = push(y[i], rate, len(y)) * X[i] * (keep(lam, rate, t) if both else 1.0)
        w = w + added if struck else w
        if ball:
            w = w * min(1.0, 1 / np.sqrt(lam) / max(np.linalg.norm(w), 1e-300))
        total = total + w
    return total / len(order) if mean else w


def _changed(**how):
    return lambda X, y, lam, order: _steps(X, y, lam, order, **how)


_INDEX_FOR_TIME = _changed(time=lambda t, i: i + 1)


def _streams(rng):
    """Long orders with repetitions, on which no two slips agree."""
    for _ in attempts("pegasos"):
        found = []
        for n, d, T in ((6, 2, 17), (5, 3, 23), (7, 4, 14)):
            X, y = rng.normal(size=(n, d)), rng.permutation(np.resize([1.0, -1.0, 1.0], n))
            lam = float(rng.choice([rng.uniform(0.15, 0.4), rng.uniform(0.5, 0.8)]))
            last = rng.integers(1, n)  # whoever takes the index for the time forgets all at the first point
            found.append((X, y, lam, np.append(rng.integers(n, size=T - 1), last)))
        if telling(found, pegasos, [slip.wrong for slip in PEGASOS.misconceptions]):
            return found


def _on_the_margin(rng):
    """Three steps, the last of which meets y wᵀx = 1 exactly: sums of small fractions of two, in whatever order."""
    found = []
    for _ in attempts("pegasos", until=lambda: len(found) == 3):
        X = rng.integers(-6, 7, (4, (2, 5)[len(found) % 2])) / 4
        y, lam, order = rng.permutation([1.0, -1.0, 1.0, -1.0]), float(rng.choice([0.25, 0.5])), rng.permutation(4)[:3]
        w = pegasos(X, y, lam, order[:2])
        near = [_INDEX_FOR_TIME(X, y, lam * (1 + tiny), order) for tiny in (-1e-9, 1e-9)]  # whose thirds must not tie
        if y[order[2]] * (X[order[2]] @ w) == 1 and np.allclose(*near):
            found.append((X, y, lam, order))
    return found


_T = USE + "X = np.array([[1.0, 0], [0, 2]]); y = np.array([1, -1])\n" \
    "def w_after(*order, lam=0.5):\n    return pegasos(X, y, lam, np.array(order))\n"  # fmt: skip
_STEP = f"Read “{_POINT}” of the second part again"

PEGASOS = Exercise(
    name="pegasos",
    chapter=CHAPTER,
    lecture=SECOND,
    number="6.4",
    returns="w after the last step, shape (d,)",
    reference=pegasos,
    properties=(
        Property("takes the steps of Pegasos, in the order given", 3, _streams),
        Property(
            "leaves out a point that is exactly at y wᵀx = 1",
            1,
            _on_the_margin,
            hint="Your answer went wrong only where y wᵀx is 1, exactly: that is no hit, since a hit is below 1.",
        ),
    ),
    promises=(
        Promise("come back to points", lambda X, y, lam, order: len(order) > len(np.unique(order))),
        Promise("end with a point that is not the first", lambda X, y, lam, order: order[-1] > 0),
        Promise("meet y wᵀx = 1 in the last step, exactly", lambda X, y, lam, order: (
            y[order[-1]] * (X[order[-1]] @ pegasos(X, y, lam, order[:-1])) == 1), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "step 1/t",
            _changed(eta=lambda lam, t: 1 / t),
            "Your step is 1/t; Pegasos goes 1/(λt).",
            f"{_STEP}, step 4: η_t = 1/(λt).",
            _T + "print(w_after(0))   # the first step is a hit, 1/λ times x: must be 2, 0",
        ),
        Misconception(
            "no λ",
            Changed(pegasos, lambda X, y, lam, order: (X, y, 1.0, order)),
            "λ is missing: what a hit adds is y x/(λt), and you add y x/t.",
            f"{_STEP}, step 5: η_t in front of what a hit adds in (6).",
            _T + "print(w_after(0, lam=0.1))   # the first step is a hit, 1/λ times x: must be 10, 0",
        ),
        Misconception(
            "no shrink",
            _changed(keep=lambda lam, eta, t: 1.0),
            "Nothing shrinks: the factor 1 - 1/t, which comes from the price on ‖w‖², is missing.",
            f"{_STEP}, step 5: the factor in front of w in (6).",
            _T + "print(w_after(0, 1))   # two hits, the first halved meanwhile: must be 1, -2",
        ),
        Misconception(
            "hit decided after the shrink",
            _changed(late=True),
            "You decide about the hit after w has shrunk; it is decided by the w that the step starts from.",
            f"{_STEP}, step 5: whose w stands in the condition for a hit.",
            _T + "print(w_after(0, 1, 0))   # the third is no hit, since w was 1, -2 before: must be 2/3, -4/3",
        ),
        Misconception(
            "hits where y f ≥ 1",
            _changed(hit=lambda y, f: y * f >= 1),
            "You add points that are safe; a hit is a point with y wᵀx below 1. So nothing ever happens to w = 0.",
            f"{_STEP}: which of the two sub-gradients has a point in it.",
            _T + "print(w_after(0), 'the first point is late, so it is a hit: must be 2, 0')",
        ),
        Misconception(
            "t from 2",
            _changed(first=2),
            "Your t starts at 2: count from 1, so that the first step forgets nothing and goes 1/λ.",
            f"{_STEP}: the first step by hand.",
            _T + "print(w_after(1))   # 1/λ times -x at t = 1: must be 0, -4",
        ),
        Misconception(
            "hits are mistakes",
            _changed(hit=lambda y, f: y * f <= 0),
            "You add mistakes only, as the perceptron does; a hit is also who is right by less than 1.",
            f"{_STEP}: y wᵀx < 1 in (6).",
            _T + "print(w_after(0, 0, lam=2.0))   # 1/2, then a hit again since 1/2 < 1: must be 0.5, 0",
        ),
        Misconception(
            "label missing in the update",
            _changed(push=lambda y, eta, n: eta),
            "The label is missing where the point is added: points of class -1 are subtracted.",
            f"{_STEP}: y_i φ(x_i) in (6).",
            _T + "print(w_after(1, lam=1.0))   # the point 0, 2 of class -1: must be 0, -2",
        ),
        Misconception(
            "label missing in the test",
            _changed(hit=lambda y, f: f < 1),
            "The label is missing where you decide about a hit: it is y wᵀx that must be below 1.",
            f"{_STEP}: the condition in (6).",
            _T + "print(w_after(1, 1))   # the second time it is safe and w shrinks: must be 0, -2",
        ),
        Misconception(
            "mean over the way",
            _changed(mean=True),
            "You return the mean of all w on the way. It is calmer, and not what is asked: the last w.",
            f"{_STEP}: w_T in (7).",
            _T + "print(w_after(0, 1, lam=0.25))   # two hits, the first halved meanwhile: must be 2, -4",
        ),
        Misconception(
            "shrinks at hits alone",
            _changed(lazy=True),
            "Your w shrinks at hits only; the price on ‖w‖² is paid at every step.",
            f"{_STEP}: g where there is no hit.",
            _T + "print(w_after(0, 0))   # the second is no hit, w halves: must be 1, 0",
        ),
        Misconception(
            "order ignored",
            _changed(which=lambda i, t, n: (t - 1) % n),
            "You take the points as they stand in X; at time t it is the turn of order[t - 1].",
            f"{_STEP}: i_t in (7).",
            _T + "print(w_after(1, 1, 1))   # the first point never comes: must be 0, -4/3",
        ),
        Misconception(
            "each point once",
            lambda X, y, lam, order: _steps(X, y, lam, range(len(X))),
            "You take each point once, as they stand in X; order says whose turn it is, and how often.",
            f"{_STEP}: i_t in (7).",
            _T + "print(w_after(1, 1, lam=1.0))   # the first point never comes: must be 0, -1",
        ),
        Misconception(
            "index for time",
            _INDEX_FOR_TIME,
            "Your t is the index of the point, plus 1; t counts the steps, 1, 2, 3, …, whichever point has its turn.",
            f"{_STEP}: i_t and t in (7).",
            _T + "print(w_after(1))   # the second point, at t = 1: must be 0, -4",
        ),
        Misconception(
            "up the slope",
            _changed(push=lambda y, eta, n: -eta * y),
            "A hit takes y x away where it should add it: you go up the slope.",
            f"{_STEP}, step 5: the sign of what a hit adds in (6).",
            _T + "print(w_after(0, lam=1.0))   # the first point, of class +1: must be 1, 0",
        ),
        Misconception(
            "λ in the shrinking twice",
            _changed(keep=lambda lam, eta, t: 1 - lam / t),
            "You shrink by 1 - λ/t; η is 1/(λt) already, so ηλ is 1/t, without a λ.",
            f"{_STEP}, step 5: η_t λ = 1/t.",
            _T + "print(w_after(0, 0, lam=0.125))   # the second is no hit, w = 8, 0 halves: must be 4, 0",
        ),
        Misconception(
            "constant step",
            _changed(eta=lambda lam, t: 1 / lam, keep=lambda lam, eta, t: 1 - 1 / t),
            "What a hit adds is y x/λ at every step; it becomes smaller with time, y x/(λt).",
            f"{_STEP}, step 4: η_t = 1/(λt).",
            _T + "print(w_after(0, 1, lam=1.0))   # half of what a first step would add: must be 0.5, -1",
        ),
        Misconception(
            "projected",
            _changed(ball=True),
            "You project w onto a ball of radius 1/√λ, as the first version of the method did; here nothing is projected.",
            f"{_STEP}, step 5: (6) is the whole step.",
            _T + "print(w_after(0, lam=0.0625))   # 1/λ times x: must be 16, 0",
        ),
        Misconception(
            "shrinks by η",
            _changed(keep=lambda lam, eta, t: 1 - eta),
            "You shrink by 1 - η; the slope of (λ/2)‖w‖² is λw, so it is 1 - ηλ = 1 - 1/t.",
            f"{_STEP}, step 5: η_t λ = 1/t.",
            _T + "print(w_after(0, 0, lam=0.25))   # the second is no hit, w = 4, 0 halves: must be 2, 0",
        ),
        Misconception(
            "shrinks by λ",
            _changed(keep=lambda lam, eta, t: 1 - lam),
            "You shrink by 1 - λ at every step; the slope λw is taken times the step, so it is 1 - ηλ = 1 - 1/t.",
            f"{_STEP}, step 5: η_t λ = 1/t.",
            _T + "print(w_after(0, 0, 0))   # 2, then 1, then 2/3: must be 2/3, 0",
        ),
        Misconception(
            "what was added shrinks, too",
            _changed(both=True),
            "You add the point first and shrink then, what was added as well; it is the old w that shrinks.",
            f"{_STEP}, step 5: what the factor 1 - 1/t stands before in (6).",
            _T + "print(w_after(0), 'must be 2, 0: at t = 1 the old w is forgotten, and only that')",
        ),
        Misconception(
            "push divided by n",
            _changed(push=lambda y, eta, n: eta * y / n),
            "You divide what a hit adds by n. One point is drawn, and its part F_i has no 1/n.",
            f"{_STEP}, step 4: F_i.",
            _T + "print(w_after(0, lam=0.25))   # 1/λ times x, however many points there are: must be 4, 0",
        ),
        Misconception(
            "λ and 1/λ exchanged",
            Changed(pegasos, lambda X, y, lam, order: (X, y, 1 / lam, order)),
            "Your λ acts as 1/λ, as if a C had been given.",
            f"{_STEP}: λ = 1/(nC) goes with little C.",
            _T + "print(w_after(0, lam=4.0))   # 1/λ times x: must be 0.25, 0",
        ),
    ),
    step=f"{_STEP}: the step (6), in the order given.",
    experiment=_T + "print(w_after(0), w_after(0, 1), w_after(0, 1, 0))   # by hand: 2, 0; 1, -2; 2/3, -4/3",
    sizes=lambda X, y, lam, order: {"n": len(y), "d": X.shape[1], "λ": lam, "T": len(order)},
    chained=True,
)  # fmt: skip


# -- 6.5


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
_LOSS = f"Read “{_TUBE}” of the second part again: equation (1)"

EPS_INSENSITIVE = Exercise(
    name="eps_insensitive",
    chapter=CHAPTER,
    lecture=SECOND,
    number="6.5",
    returns="the loss of each residual, shape (n,)",
    reference=eps_insensitive,
    properties=(
        Property("is 0 inside the tube, and the distance to it outside", 2, _residuals),
        Property(
            "is the absolute value at ε = 0",
            1,
            lambda r: [(np.append(r.normal(size=n), 0.0), 0.0) for n in (6, 8)],
            hint="Your answer went wrong only at ε = 0, a tube without width: what is left is |r|, and nothing may be divided by ε.",
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
            _L + "print(loss(0.0, 0.2))   # both inside: must be 0, 0",
        ),
        Misconception(
            "squared",
            lambda r, eps: np.maximum(np.abs(r) - eps, 0.0) ** 2,
            "You square what sticks out; beyond the tube the price rises in proportion.",
            f"{_LOSS}: no square in it.",
            _L + "print(loss(3.5))   # 3 beyond the tube: must be 3",
        ),
        Misconception(
            "one side",
            lambda r, eps: np.maximum(r - eps, 0.0),
            "Points below the tube pay nothing in yours: it has two sides, take |r|.",
            f"{_LOSS} is two hinges, back to back.",
            _L + "print(loss(-2.0, 2.0))   # 1.5 beyond on either side: must be 1.5, 1.5",
        ),
        Misconception(
            "jump at ε",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, np.abs(r)),
            "Your loss jumps at the edge of the tube: beyond it, only what sticks out is paid, |r| - ε.",
            f"{_LOSS}: it begins to rise at 0.",
            _L + "print(loss(0.75))   # 0.25 beyond the tube: must be 0.25",
        ),
        Misconception(
            "signed",
            lambda r, eps: np.sign(r) * np.maximum(np.abs(r) - eps, 0.0),
            "Your loss keeps the sign of r; a price is never negative.",
            f"{_LOSS} depends on |r| alone.",
            _L + "print(loss(-1.5))   # 1 below the tube: must be 1",
        ),
        Misconception(
            "inside out",
            lambda r, eps: np.maximum(eps - np.abs(r), 0.0),
            "It is inside out: you charge those in the tube, and the others nothing.",
            f"{_LOSS}: who pays?",
            _L + "print(loss(0.0, 2.0))   # inside, and 1.5 beyond: must be 0, 1.5",
        ),
        Misconception(
            "ε added",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, np.abs(r) + eps),
            "You add ε outside the tube, where it is subtracted.",
            f"{_LOSS}: |r| - ε.",
            _L + "print(loss(1.0))   # 0.5 beyond the tube: must be 0.5",
        ),
        Misconception(
            "cut at ε",
            lambda r, eps: np.minimum(np.abs(r), eps),
            "You cut large errors at ε; it is the small ones that are free, the large ones pay in proportion.",
            f"{_LOSS}: flat inside, rising outside.",
            _L + "print(loss(0.25, 4.5))   # inside, and 4 beyond: must be 0, 4",
        ),
        Misconception(
            "counted",
            lambda r, eps: (np.abs(r) > eps) * 1.0,
            "You count who is outside; the loss says by how much.",
            f"{_LOSS}: the price rises in proportion.",
            _L + "print(loss(5.5))   # 5 beyond the tube: must be 5",
        ),
        Misconception(
            "hinge at 1",
            lambda r, eps: np.maximum(1.0 - r, 0.0),
            "That is a hinge at 1, as in classification; here the edge is ε, and what lies beyond it pays.",
            f"{_LOSS}: two hinges, at ε and -ε.",
            _L + "print(loss(0.0, 1.0))   # inside, and 0.5 beyond: must be 0, 0.5",
        ),
        Misconception(
            "squares compared",
            lambda r, eps: np.maximum(r * r - eps * eps, 0.0),
            "You compare squares, r² - ε²; it is |r| - ε.",
            f"{_LOSS}: absolute values.",
            _L + "print(loss(2.5))   # 2 beyond the tube: must be 2",
        ),
        Misconception(
            "squared outside",
            lambda r, eps: np.where(np.abs(r) <= eps, 0.0, r * r),
            "Outside the tube you charge r², as least squares does; it is |r| - ε.",
            f"{_LOSS}: in proportion, so that a gross error cannot rule.",
            _L + "print(loss(10.5))   # 10 beyond the tube: must be 10",
        ),
        Misconception(
            "ε inside the absolute value",
            lambda r, eps: np.abs(r - eps),
            "You take |r - ε|; the absolute value belongs to r alone, and then ε is subtracted.",
            f"{_LOSS}: (|r| - ε)₊.",
            _L + "print(loss(-3.0))   # 2.5 below the tube: must be 2.5",
        ),
        Misconception(
            "larger of |r| and ε",
            lambda r, eps: np.maximum(np.abs(r), eps),
            "You take the larger of |r| and ε, so that nobody pays less than ε; inside the tube nobody pays.",
            f"{_LOSS}: subtract first, then compare with 0.",
            _L + "print(loss(0.1))   # inside: must be 0",
        ),
        Misconception(
            "tube of width ε",
            Changed(eps_insensitive, lambda r, eps: (r, eps / 2)),
            "Your tube is half as wide as it should be: ε is its half width, from f to either edge.",
            f"{_LOSS}: half width.",
            _L + "print(loss(0.4))   # nearer than ε: must be 0",
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
    experiment=_L + "print(loss(-2.0, -0.25, 0.0, 0.5, 1.0))   # must be 1.5, 0, 0, 0, 0.5",
    sizes=lambda r, eps: {"n": len(r), "ε": eps},
)  # fmt: skip
