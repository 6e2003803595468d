"""Exercises 6b.3 and 6b.4: steps of Pegasos, and a perceptron that lives on a budget."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE, gram, told_apart
from kcourse.checks.spec import (
    Changed,
    Exercise,
    Misconception,
    Promise,
    Property,
    attempts,
    telling,
)

__all__ = ["BUDGET_PERCEPTRON", "PEGASOS"]

_BUDGET = "On a budget"
_POINT = "One point at a time"


# -- 6b.3


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
    spared=False,
    both=False,
    ball=False,
    mean=False,
    start=0.0,
):
    w, total = np.full(X.shape[1], start), np.zeros(X.shape[1])
    for t, point in enumerate(order, start=first):
        i = which(point, t, len(y))
        t = time(t, i)
        rate = eta(lam, t)
        small = keep(lam, rate, t) * w
        struck = hit(y[i], X[i] @ (small if late else w))
        w = w if (lazy and not struck) or (spared and struck) else small
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
    """Long orders with repetitions, on which no two mistakes agree."""
    for _ in attempts("pegasos"):
        found = []
        for n, d, T in ((6, 2, 17), (5, 3, 23), (7, 4, 14)):
            X, y = rng.normal(size=(n, d)), rng.permutation(np.resize([1.0, -1.0, 1.0], n))
            lam = float(rng.choice([rng.uniform(0.15, 0.4), rng.uniform(0.5, 0.8)]))
            last = rng.integers(1, n)  # whoever takes the index for the time forgets all at the first point
            found.append((X, y, lam, np.append(rng.integers(n, size=T - 1), last)))
        if telling(found, pegasos, [mistake.wrong for mistake in PEGASOS.misconceptions if mistake.wrong]):
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
_STEP = f"Read “{_POINT}” again"

PEGASOS = Exercise(
    name="pegasos",
    chapter=CHAPTER,
    number="6b.3",
    returns="w after the last step, shape (d,)",
    reference=pegasos,
    properties=(
        Property("takes the steps of Pegasos, in the order given", 3, _streams),
        Property(
            "leaves out a point that is exactly at y wᵀx = 1",
            1,
            _on_the_margin,
            hint="Your answer fails only when y wᵀx is 1, exactly: that is no hit, since a hit is below 1.",
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
            _T + "print(w_after(0))   # the first step is a hit, 1/λ times x: should print 2, 0",
        ),
        Misconception(
            "no λ",
            Changed(pegasos, lambda X, y, lam, order: (X, y, 1.0, order)),
            "λ is missing: what a hit adds is y x/(λt), and you add y x/t.",
            f"{_STEP}, step 5: η_t in front of what a hit adds in (6).",
            _T + "print(w_after(0, lam=0.1))   # the first step is a hit, 1/λ times x: should print 10, 0",
        ),
        Misconception(
            "no shrink",
            _changed(keep=lambda lam, eta, t: 1.0),
            "Nothing shrinks: the factor 1 - 1/t, which comes from the price on ‖w‖², is missing.",
            f"{_STEP}, step 5: the factor in front of w in (6).",
            _T + "print(w_after(0, 1))   # two hits, the first halved meanwhile: should print 1, -2",
        ),
        Misconception(
            "hit decided after the shrink",
            _changed(late=True),
            "You decide about the hit after w has shrunk; it is decided by the w that the step starts from.",
            f"{_STEP}, step 5: whose w stands in the condition for a hit.",
            _T + "print(w_after(0, 1, 0))   # the third is no hit, since w was 1, -2 before: should print 2/3, -4/3",
        ),
        Misconception(
            "hits where y f ≥ 1",
            _changed(hit=lambda y, f: y * f >= 1),
            "In yours w = 0 never changes: there the product y wᵀx is 0, which is below 1, so the first point is a hit.",
            f"{_STEP}: which of the two sub-gradients has a point in it.",
            _T + "print(w_after(0), 'the first point is late, so it is a hit: should print 2, 0')",
        ),
        Misconception(
            "t from 2",
            _changed(first=2),
            "Your t starts at 2: count from 1, so that the first step forgets nothing and goes 1/λ.",
            f"{_STEP}: the first step by hand.",
            _T + "print(w_after(1))   # 1/λ times -x at t = 1: should print 0, -4",
        ),
        Misconception(
            "hits are mistakes",
            _changed(hit=lambda y, f: y * f <= 0),
            "You add mistakes only, as the perceptron does; a hit is also who is right by less than 1.",
            f"{_STEP}: y wᵀx < 1 in (6).",
            _T + "print(w_after(0, 0, lam=2.0))   # 1/2, then a hit again since 1/2 < 1: should print 0.5, 0",
        ),
        Misconception(
            "label missing in the update",
            _changed(push=lambda y, eta, n: eta),
            "The label is missing where the point is added: points of class -1 are subtracted.",
            f"{_STEP}: y_i φ(x_i) in (6).",
            _T + "print(w_after(1, lam=1.0))   # the point 0, 2 of class -1: should print 0, -2",
        ),
        Misconception(
            "label missing in the test",
            _changed(hit=lambda y, f: f < 1),
            "The label is missing where you decide about a hit: it is y wᵀx that must be below 1.",
            f"{_STEP}: the condition in (6).",
            _T + "print(w_after(1, 1))   # the second time it is safe and w shrinks: should print 0, -2",
        ),
        Misconception(
            "mean over the way",
            _changed(mean=True),
            "You return the mean of all w on the way. It is calmer, and not what is asked: the last w.",
            f"{_STEP}: w_T in (7).",
            _T + "print(w_after(0, 1, lam=0.25))   # two hits, the first halved meanwhile: should print 2, -4",
        ),
        Misconception(
            "shrinks at hits alone",
            _changed(lazy=True),
            "Your w shrinks at hits only; the price on ‖w‖² is paid at every step.",
            f"{_STEP}: g where there is no hit.",
            _T + "print(w_after(0, 0))   # the second is no hit, w halves: should print 1, 0",
        ),
        Misconception(
            "no shrink at hits",
            _changed(spared=True),
            "Your w does not shrink where there is a hit; the price on ‖w‖² is paid at every step.",
            f"{_STEP}: g where there is a hit.",
            _T + "print(w_after(0, 1, lam=0.125))   # two hits, the first halved meanwhile: should print 4, -8",
        ),
        Misconception(
            "t from 0",
            None,
            "Something is divided by 0: t counts the steps from 1, and 1/(λt) has no value at t = 0.",
            f"{_STEP}: the first step by hand.",
            _T + "print(w_after(0, lam=0.25))   # 1/λ times x at t = 1: should print 4, 0",
            error="ZeroDivisionError",
        ),
        Misconception(
            "order ignored",
            _changed(which=lambda i, t, n: (t - 1) % n),
            "You take the points as they stand in X; at time t it is the turn of order[t - 1].",
            f"{_STEP}: i_t in (7).",
            _T + "print(w_after(1, 1, 1))   # the first point never comes: should print 0, -4/3",
        ),
        Misconception(
            "each point once",
            lambda X, y, lam, order: _steps(X, y, lam, range(len(X))),
            "You take each point once, as they stand in X; order says whose turn it is, and how often.",
            f"{_STEP}: i_t in (7).",
            _T + "print(w_after(1, 1, lam=1.0))   # the first point never comes: should print 0, -1",
        ),
        Misconception(
            "index for time",
            _INDEX_FOR_TIME,
            "Your t is the index of the point, plus 1; t counts the steps, 1, 2, 3, …, whichever point has its turn.",
            f"{_STEP}: i_t and t in (7).",
            _T + "print(w_after(1))   # the second point, at t = 1: should print 0, -4",
        ),
        Misconception(
            "up the slope",
            _changed(push=lambda y, eta, n: -eta * y),
            "A hit takes y x away where it should add it: you go up the slope.",
            f"{_STEP}, step 5: the sign of what a hit adds in (6).",
            _T + "print(w_after(0, lam=1.0))   # the first point, of class +1: should print 1, 0",
        ),
        Misconception(
            "λ in the shrinking twice",
            _changed(keep=lambda lam, eta, t: 1 - lam / t),
            "You shrink by 1 - λ/t; η is 1/(λt) already, so ηλ is 1/t, without a λ.",
            f"{_STEP}, step 5: η_t λ = 1/t.",
            _T + "print(w_after(0, 0, lam=0.125))   # the second is no hit, w = 8, 0 halves: should print 4, 0",
        ),
        Misconception(
            "constant step",
            _changed(eta=lambda lam, t: 1 / lam, keep=lambda lam, eta, t: 1 - 1 / t),
            "What a hit adds is y x/λ at every step; it becomes smaller with time, y x/(λt).",
            f"{_STEP}, step 4: η_t = 1/(λt).",
            _T + "print(w_after(0, 1, lam=1.0))   # half of what a first step would add: should print 0.5, -1",
        ),
        Misconception(
            "projected",
            _changed(ball=True),
            "You project w onto a ball of radius 1/√λ, as the first version of the method did; here nothing is projected.",
            f"{_STEP}, step 5: (6) is the whole step.",
            _T + "print(w_after(0, lam=0.0625))   # 1/λ times x: should print 16, 0",
        ),
        Misconception(
            "shrinks by η",
            _changed(keep=lambda lam, eta, t: 1 - eta),
            "You shrink by 1 - η; the slope of (λ/2)‖w‖² is λw, so it is 1 - ηλ = 1 - 1/t.",
            f"{_STEP}, step 5: η_t λ = 1/t.",
            _T + "print(w_after(0, 0, lam=0.25))   # the second is no hit, w = 4, 0 halves: should print 2, 0",
        ),
        Misconception(
            "shrinks by λ",
            _changed(keep=lambda lam, eta, t: 1 - lam),
            "You shrink by 1 - λ at every step; the slope λw is taken times the step, so it is 1 - ηλ = 1 - 1/t.",
            f"{_STEP}, step 5: η_t λ = 1/t.",
            _T + "print(w_after(0, 0, 0))   # 2, then 1, then 2/3: should print 2/3, 0",
        ),
        Misconception(
            "what was added shrinks, too",
            _changed(both=True),
            "You add the point first and shrink then, what was added as well; it is the old w that shrinks.",
            f"{_STEP}, step 5: what the factor 1 - 1/t stands before in (6).",
            _T + "print(w_after(0), 'should print 2, 0: at t = 1 the old w is forgotten, and only that')",
        ),
        Misconception(
            "push divided by n",
            _changed(push=lambda y, eta, n: eta * y / n),
            "You divide what a hit adds by n. One point is drawn, and its part F_i has no 1/n.",
            f"{_STEP}, step 4: F_i.",
            _T + "print(w_after(0, lam=0.25))   # 1/λ times x, however many points there are: should print 4, 0",
        ),
        Misconception(
            "λ and 1/λ exchanged",
            Changed(pegasos, lambda X, y, lam, order: (X, y, 1 / lam, order)),
            "Your λ acts as 1/λ, as if a C had been given.",
            f"{_STEP}: λ = 1/(nC) goes with little C.",
            _T + "print(w_after(0, lam=4.0))   # 1/λ times x: should print 0.25, 0",
        ),
        Misconception(
            "starts at ones",
            _changed(start=1.0),
            "Your w starts at 1, 1, … and not at 0. The first step forgets that, but whether it is a hit is decided by it: at w = 0 it always is.",
            f"{_STEP}, step 5: w₁ = 0.",
            _T + "print(w_after(0, lam=0.2))   # y wᵀx = 0 at w = 0, a hit: should print 5, 0",
        ),
        Misconception(
            "first point left out",
            lambda X, y, lam, order: _steps(X, y, lam, order[1:]),
            "The first point of the order never has its turn: at t = 1 it is that of order[0].",
            f"{_STEP}: i_t in (7), from t = 1 on.",
            _T + "print(w_after(0, lam=0.5), w_after(1, 0, lam=0.5))   # one step, two steps: should print 2, 0; 1, -2",
        ),
        Misconception(
            "last point left out",
            lambda X, y, lam, order: _steps(X, y, lam, order[:-1]),
            "The last point of the order never has its turn: look at where your loop ends.",
            f"{_STEP}: t ≤ T in (7).",
            _T + "print(w_after(1, 0), 'two hits, the first halved meanwhile: should print 1, -2')",
        ),
        Misconception(
            "one step alone",
            lambda X, y, lam, order: _steps(X, y, lam, order[:1]),
            "What comes back is w after the first step: is there a return inside of your loop?",
            f"{_STEP}: t ≤ T in (7).",
            _T + "print(w_after(0, 1, 1, lam=0.25))   # hits at 1 and 2, none at 3: should print 4/3, -8/3",
        ),
        Misconception(
            "shrinks by 2/t",
            _changed(keep=lambda lam, eta, t: 1 - 2 * eta * lam),
            "You shrink by 1 - 2/t; the slope of (λ/2)‖w‖² is λw, without a 2, so it is 1 - 1/t.",
            f"{_STEP}, step 4: the ½ in F_i.",
            _T + "print(w_after(0, 0, lam=0.2))   # the second is no hit, w = 5, 0 halves: should print 2.5, 0",
        ),
        Misconception(
            "grows",
            _changed(keep=lambda lam, eta, t: 1 + eta * lam),
            "Your w grows by 1 + 1/t: going down the slope λw takes away from w, so the factor is 1 - 1/t.",
            f"{_STEP}, step 5: the factor in front of w in (6).",
            _T + "print(w_after(0, 0, lam=0.0625))   # the second is no hit, w = 16, 0 halves: should print 8, 0",
        ),
        Misconception(
            "step 1/(λ√t)",
            _changed(eta=lambda lam, t: 1 / (lam * np.sqrt(t))),
            "Your step is 1/(λ√t), another method's; that of Pegasos is 1/(λt).",
            f"{_STEP}, step 4: η_t = 1/(λt).",
            _T + "print(w_after(0, 1, lam=2.0))   # two hits, the first halved meanwhile: should print 0.25, -0.5",
        ),
    ),
    step=f"{_STEP}: the step (6), in the order given.",
    experiment=_T + "print(w_after(0), w_after(0, 1), w_after(0, 1, 0))   # should print 2, 0; 1, -2; 2/3, -4/3",
    sizes=lambda X, y, lam, order: {"n": len(y), "d": X.shape[1], "λ": lam, "T": len(order)},
    chained=True,
)  # fmt: skip


# -- 6b.4


def budget_perceptron(K, y, order, budget):
    """Σ y over the copies in a memory that takes mistakes, y f ≤ 0, and forgets the oldest beyond ``budget``."""
    return _remembered(K, y, order, budget)


def _remembered(
    K, y, order, budget, *, wrong=lambda y, f: y * f <= 0, signed=True, which=lambda i, t, n: i, before=False,
    enters=lambda memory, i: True, forget=lambda memory, budget: memory[-budget:], coefficients=None, every=False,
):  # fmt: skip
    memory: list[int] = []
    for t, point in enumerate(order):
        i = int(which(point, t, len(y)))
        if before and len(memory) >= budget:
            memory = memory[1:]
        f = sum((y[j] if signed else 1.0) * K[j, i] for j in memory)
        if wrong(y[i], f) and enters(memory, i):
            memory = forget([*memory, i], budget)
        elif every:
            memory = memory[-budget + 1 :] if len(memory) >= budget else memory
    c = np.zeros(len(y))
    for j in memory:
        c[j] += 1.0
    return c * y if coefficients is None else coefficients(c, y)


def _memory(**how):
    return lambda K, y, order, budget: _remembered(K, y, order, budget, **how)


def _full_takes_none(K, y, order, budget):
    return _remembered(
        K, y, order, budget, enters=lambda memory, i: len(memory) < budget, forget=lambda memory, b: memory
    )


def _all_copies(K, y, order, budget):
    """A queue beside the coefficients, in which whoever is forgotten is set to 0."""
    c, queue = np.zeros(len(y)), []
    for i in order:
        if y[i] * (K[i] @ c) <= 0:
            c[i] += y[i]
            queue.append(i)
            if len(queue) > budget:
                c[queue.pop(0)] = 0.0
    return c


_STREAMS = ((12, 4, 40), (10, 3, 31), (14, 5, 47), (11, 6, 52))  # points, budget, length


def _stream(rng, n, budget, T, first):
    """A stream that comes back to points, and begins with one of class ``first``; the memory is full long before its end."""
    for _ in attempts("budget_perceptron"):
        K, y, order = gram(rng, n), rng.permutation(np.resize([1.0, -1.0, 1.0, -1.0, -1.0], n)), rng.integers(n, size=T)
        order[0] = rng.choice(np.flatnonzero(y == first))
        if np.abs(budget_perceptron(K, y, order, T)).sum() > 2 * budget:  # mistakes of one that forgets nobody
            return K, y, order, budget


def _passing(rng):
    return told_apart(
        lambda: [_stream(rng, *size, (-1) ** k) for k, size in enumerate(_STREAMS)], lambda: BUDGET_PERCEPTRON
    )


def _ties(rng):
    """Even numbers, so that nobody has y f = 1, where somebody of either class comes late with f = 0 exactly."""
    found = []
    for _ in attempts("budget_perceptron", until=lambda: len(found) == 4):
        n, budget = 9 + len(found) % 2, 4
        X = rng.integers(-2, 3, (n, 3)).astype(float)
        K, y, order = 2 * X @ X.T, rng.permutation(np.resize([1.0, -1.0, 1.0], n)), rng.integers(n, size=25)
        c, last = budget_perceptron(K, y, order[:-1], budget), order[-1]
        late = y[last] == (-1) ** len(found) and np.abs(c).sum() == budget and K[last] @ c == 0 and c[last] == 0
        if late and K[last, last] > 1:
            found.append((K, y, order, budget))
    return found


_B = USE + "K = np.array([[4.0, 1, 3], [1, 2, 1], [3, 1, 4]]); y = np.array([1.0, -1, 1])\n" \
    "def after(*order, budget=2, y=y):\n    return budget_perceptron(K, y, np.array(order), budget)\n"  # fmt: skip
_TWO = USE + "K = np.array([[1.0, 3], [3, 20]]); y = np.array([1.0, -1])   # the first is a mistake again and again\n"
_KEEP = f"Read “{_BUDGET}” again"

BUDGET_PERCEPTRON = Exercise(
    name="budget_perceptron",
    chapter=CHAPTER,
    number="6b.4",
    returns="the coefficients c after the last point, shape (n,)",
    reference=budget_perceptron,
    properties=(
        Property("remembers mistakes, and forgets the oldest", 3, _passing),
        Property(
            "takes f = 0 for a mistake, late in the stream, too",
            1,
            _ties,
            hint="Your answer fails only when somebody comes late with f = 0, exactly: y f ≤ 0 is a mistake, whichever class it is.",
        ),
    ),
    promises=(
        Promise("fill the memory, and go on", lambda K, y, order, budget: (
            np.abs(budget_perceptron(K, y, order, budget)).sum() == budget
            and not np.array_equal(budget_perceptron(K, y, order, budget), budget_perceptron(K, y, order, 10**6)))),
        Promise("end with f = 0, exactly", lambda K, y, order, budget: (
            K[order[-1]] @ budget_perceptron(K, y, order[:-1], budget) == 0), of=(1,)),
        Promise("begin with a point of either class", lambda found: {y[order[0]] for _, y, order, _ in found} == {-1, 1},
                together=True),
    ),
    misconceptions=(
        Misconception(
            "never forgets",
            _memory(forget=lambda memory, budget: memory),
            "You forget nobody: the memory holds budget points at most, and the oldest goes when that is one too many.",
            f"{_KEEP}: if that is one too many, the oldest goes.",
            _B + "print(after(0, 1, budget=1))   # two mistakes, room for one: should print 0, -1, 0",
        ),
        Misconception(
            "room for one more",
            _memory(forget=lambda memory, budget: memory[-budget - 1 :]),
            "Your memory holds one more than the budget: forget as soon as there are more than B, this mistake counted.",
            f"{_KEEP}: at most B.",
            _TWO + "print(np.abs(budget_perceptron(K, y, np.array([0, 1, 0, 0, 0]), 2)).sum(), 'points in memory, of 2')",
        ),
        Misconception(
            "room for one less",
            _memory(forget=lambda memory, budget: memory[-budget + 1 :] if budget > 1 else []),
            "Your memory holds one less than the budget: B points may stay, this mistake counted.",
            f"{_KEEP}: at most B.",
            _B + "print(after(0, 1))   # two mistakes, room for two: should print 1, -1, 0",
        ),
        Misconception(
            "full, and closed",
            _full_takes_none,
            "Once your memory is full, it takes nobody: a mistake enters always, and the oldest makes room.",
            f"{_KEEP}: the oldest goes.",
            _B + "print(after(1, 0, budget=1), 'the second is a mistake and enters: should print 1, 0, 0')",
        ),
        Misconception(
            "forgets the newest",
            _memory(forget=lambda memory, budget: memory if len(memory) <= budget else [*memory[: budget - 1], memory[-1]]),
            "You forget the one who came before this mistake, where the oldest should go.",
            f"{_KEEP}: the oldest goes.",
            _TWO + "print(budget_perceptron(K, y, np.array([1, 0, 0]), 2))   # three mistakes, room for two: should print 2, 0",
        ),
        Misconception(
            "emptied when full",
            _memory(forget=lambda memory, budget: memory if len(memory) <= budget else memory[-1:]),
            "You empty the whole memory when it is full; one goes, the oldest.",
            f"{_KEEP}: the oldest goes.",
            _TWO + "print(budget_perceptron(K, y, np.array([1, 0, 0, 0]), 2))   # 1 and 0, then 0 in place of 1: should print 2, 0",
        ),
        Misconception(
            "forgets before it asks",
            _memory(before=True),
            "Where the memory is full you forget the oldest before you know whether this point is a mistake; f has all B points in it.",
            f"{_KEEP}: first f, then the mistake, then who goes.",
            _B + "print(after(1, 0, 2))   # the third is right, so nobody goes: should print 1, -1, 0",
        ),
        Misconception(
            "all copies forgotten",
            _all_copies,
            "Whoever is forgotten goes with all copies: one that was remembered twice should stay once.",
            f"{_KEEP}: the memory is a list, and one entry goes.",
            _TWO + "print(budget_perceptron(K, y, np.array([0, 1, 0, 0]), 3))   # 0 goes, and two 0 stay: should print 2, -1",
        ),
        Misconception(
            "all entries of the oldest",
            _memory(forget=lambda memory, b: memory if len(memory) <= b else [j for j in memory if j != memory[0]]),
            "With the oldest entry you drop all others of the same point; one entry goes.",
            f"{_KEEP}: the memory is a list, and one entry goes.",
            _TWO + "print(budget_perceptron(K, y, np.array([0, 1, 0, 0]), 3))   # the first 0 goes, two 0 stay: should print 2, -1",
        ),
        Misconception(
            "each remembered once",
            _memory(enters=lambda memory, i: i not in memory),
            "A point that is in your memory does not enter again; a mistake enters every time.",
            f"{_KEEP}: a point when it makes a mistake.",
            _TWO + "print(budget_perceptron(K, y, np.array([1, 0, 0]), 3))   # 1, 0 and 0 again: should print 2, -1",
        ),
        Misconception(
            "everybody remembered",
            _memory(wrong=lambda y, f: True),
            "You remember everybody who passes; only mistakes enter.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "print(after(0, 2))   # the second is right, f = 3: should print 1, 0, 0",
        ),
        Misconception(
            "memory stays empty",
            _memory(wrong=lambda y, f: y * f < 0),
            "Your memory stays empty: before the first point f is 0, and y f ≤ 0 is a mistake.",
            f"{_KEEP}: ≤ in the test.",
            _B + "print(after(0))   # f = 0 before anybody came: should print 1, 0, 0",
        ),
        Misconception(
            "f = 0 taken for +1",
            _memory(wrong=lambda y, f: (y > 0) != (f >= 0)),
            "You take f = 0 for class +1, so that a first point of class +1 does not enter; f = 0 is a mistake for either class.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "print(after(2), 'a point of class +1, f = 0: should print 0, 0, 1')",
        ),
        Misconception(
            "f = 0 taken for -1",
            _memory(wrong=lambda y, f: (y > 0) != (f > 0)),
            "You take f = 0 for class -1, so that a first point of class -1 does not enter; f = 0 is a mistake for either class.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "print(after(1), 'a point of class -1, f = 0: should print 0, -1, 0')",
        ),
        Misconception(
            "hits for mistakes",
            _memory(wrong=lambda y, f: y * f < 1),
            "You remember whoever is right by less than 1, as Pegasos does; the perceptron remembers mistakes, y f ≤ 0.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "k = K / 8   # y f of the last is 3/8, right\n"
            "print(budget_perceptron(k, y, np.array([0, 2]), 2))   # should print 1, 0, 0",
        ),
        Misconception(
            "label missing in the test",
            _memory(wrong=lambda y, f: f <= 0),
            "The label is missing in the test: a point of class -1 is a mistake where f is not below 0.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "print(after(1, 1))   # f = -2 for a point of class -1: right, should print 0, -1, 0",
        ),
        Misconception(
            "labels missing in f",
            _memory(signed=False),
            "The labels are missing in f: each point in memory counts with its own.",
            f"{_KEEP}: y[memory] in f.",
            _B + "print(after(1, 0, budget=3))   # f = -1 at the second, a mistake: should print 1, -1, 0",
        ),
        Misconception(
            "labels missing in c",
            _memory(coefficients=lambda c, y: c),
            "You return how often each point stands in memory; the coefficient has its label, too.",
            f"{_KEEP}: f is y[memory] @ K[memory, i].",
            _B + "print(after(1, budget=3))   # one point, of class -1: should print 0, -1, 0",
        ),
        Misconception(
            "whether, not how often",
            _memory(coefficients=lambda c, y: np.minimum(c, 1) * y),
            "You return whether a point is in memory; one that stands there twice counts twice.",
            f"{_KEEP}: the memory is a list, and f adds up its entries.",
            _TWO + "print(budget_perceptron(K, y, np.array([1, 0, 0, 0]), 4))   # 1, then 0 three times: should print 3, -1",
        ),
        Misconception(
            "order ignored",
            _memory(which=lambda i, t, n: t % n),
            "You take the points as they stand in K; at time t it is the turn of order[t].",
            f"{_KEEP}: for i in order.",
            _B + "print(after(1, 1, 1))   # 1 alone comes, and is a mistake once: should print 0, -1, 0",
        ),
        Misconception(
            "moved to the end",
            _memory(forget=lambda memory, budget: [*(j for j in memory[:-1] if j != memory[-1]), memory[-1]][-budget:]),
            "A point that is in your memory already moves to its end; it enters again, and its older entry stays.",
            f"{_KEEP}: the memory is a list, and one that errs twice stands in it twice.",
            _TWO + "print(budget_perceptron(K, y, np.array([0, 1, 0]), 3))   # 0, 1 and 0 again: should print 2, -1",
        ),
        Misconception(
            "whoever is right",
            _memory(wrong=lambda y, f: y * f >= 0),
            "You remember whoever is right, y f ≥ 0; it is mistakes that enter, y f ≤ 0.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "print(after(0, 2, budget=3))   # the second is right, f = 3: should print 1, 0, 0",
        ),
        Misconception(
            "each point once",
            lambda K, y, order, budget: _remembered(K, y, range(len(y)), budget),
            "You take each point once, as they stand in K; order says whose turn it is, and how often.",
            f"{_KEEP}: for i in order.",
            _B + "print(after(2))   # the third alone comes: should print 0, 0, 1",
        ),
    ),
    step=f"{_KEEP}: what enters, and who goes.",
    experiment=_B + "print(after(0, 1, 2, 1))   # mistakes are 0 and 1; then both are right: should print 1, -1, 0\n"
    "print(after(1, 0, 1, budget=1))   # each is a mistake where the other alone is remembered: should print 0, -1, 0",
    sizes=lambda K, y, order, budget: {"n": len(y), "budget": budget, "T": len(order)},
    chained=True,
)  # fmt: skip
