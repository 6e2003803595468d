"""Exercises 6b.3 and 6b.4: steps of Pegasos, and a kernel perceptron with a bounded memory."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch06b_svr_online.common import CHAPTER, USE, gram, told_apart
from kcourse.checks.spec import (
    Changed,
    Exercise,
    Misconception,
    Observation,
    Promise,
    Property,
    attempts,
    each_wrong,
    telling,
)

__all__ = ["BUDGET_PERCEPTRON", "PEGASOS"]

_BUDGET = "A bounded memory: the budget perceptron"
_POINT = "Online learning: one point at a time"


# -- 6b.3


def pegasos(X, y, lam, order):
    """w ← (1 - 1/t) w + y x / (λt), the second term only if y wᵀx < 1 before the step."""
    return _steps(X, y, lam, order)


def _steps(
    X, y, lam, order, *, eta=lambda lam, t: 1 / (lam * t), keep=lambda lam, eta, t: 1 - eta * lam,
    hit=lambda y, f: y * f < 1, push=lambda y, eta, n: eta * y, first=1, late=False, lazy=False, both=False, mean=False,
):  # fmt: skip
    w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, i in enumerate(order, start=first):
        rate = eta(lam, t)
        small = keep(lam, rate, t) * w
        struck = hit(y[i], X[i] @ (small if late else w))
        w = w if lazy and not struck else small
        if struck:
            w = w + push(y[i], rate, len(y)) * X[i] * (keep(lam, rate, t) if both else 1.0)
        total = total + w
    return total / len(order) if mean else w


def _changed(**how):
    return lambda X, y, lam, order: _steps(X, y, lam, order, **how)


def _streams(rng):
    """Long orders with repetitions, on which no two mistakes give the same w."""
    for _ in attempts("pegasos"):
        found = []
        for n, d, T in ((6, 2, 17), (5, 3, 23), (7, 4, 14)):
            X, y = rng.normal(size=(n, d)), rng.permutation(np.resize([1.0, -1.0, 1.0], n))
            lam = float(rng.choice([rng.uniform(0.15, 0.4), rng.uniform(0.5, 0.8)]))
            found.append((X, y, lam, rng.integers(n, size=T)))
        if telling(found, pegasos, [mistake.wrong for mistake in PEGASOS.misconceptions if mistake.wrong]):
            return found


def _on_the_margin(rng):
    """Three steps, the last with y wᵀx = 1 exactly, because all sums are of small fractions of two."""
    found = []
    for _ in attempts("pegasos", until=lambda: len(found) == 3):
        X = rng.integers(-6, 7, (4, (2, 5)[len(found) % 2])) / 4
        y, lam, order = rng.permutation([1.0, -1.0, 1.0, -1.0]), float(rng.choice([0.25, 0.5])), rng.permutation(4)[:3]
        w = pegasos(X, y, lam, order[:2])
        if y[order[2]] * (X[order[2]] @ w) == 1:
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
            "does not add a point with y wᵀx = 1",
            1,
            each_wrong(_on_the_margin, lambda: PEGASOS),
            hint="Your answer fails only if y wᵀx is exactly 1. The hinge is 0 there, so the point is not added. Test y wᵀx < 1.",
        ),
    ),
    promises=(
        Promise("come back to points", lambda X, y, lam, order: len(order) > len(np.unique(order))),
        Promise("meet y wᵀx = 1 in the last step, exactly", lambda X, y, lam, order: (
            y[order[-1]] * (X[order[-1]] @ pegasos(X, y, lam, order[:-1])) == 1), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "step 1/t",
            _changed(eta=lambda lam, t: 1 / t),
            "Your step is 1/t. The step of Pegasos is η_t = 1/(λt). Also divide by λ.",
            f"{_STEP}, step 4: η_t = 1/(λt).",
            _T + "print(w_after(0))   # the first update adds x/λ: should print 2, 0",
        ),
        Misconception(
            "no λ",
            Changed(pegasos, lambda X, y, lam, order: (X, y, 1.0, order)),
            "You leave λ out. An update adds y x/(λt), but yours adds y x/t.",
            f"{_STEP}, step 5: η_t in (6).",
            _T + "print(w_after(0, lam=0.1))   # the first update adds x/λ: should print 10, 0",
        ),
        Misconception(
            "no shrink",
            _changed(keep=lambda lam, eta, t: 1.0),
            "You never shrink w. The regulariser contributes λw to the subgradient, so multiply w by 1 - 1/t at every step.",
            f"{_STEP}, step 5: the factor before w in (6).",
            _T + "print(w_after(0, 1))   # two updates, the first is halved by the second step: should print 1, -2",
        ),
        Misconception(
            "no shrink without a violation",
            _changed(lazy=True),
            "You shrink w only if the point violates the margin. The regulariser acts at every step. Multiply by 1 - 1/t always.",
            f"{_STEP}: the subgradient outside the margin.",
            _T + "print(w_after(0, 0))   # the second does not violate the margin, w is halved: should print 1, 0",
        ),
        Misconception(
            "margin tested after the shrink",
            _changed(late=True),
            "You shrink w before you test the margin. The subgradient is taken at the old w. Test first, then shrink.",
            f"{_STEP}, step 5: the w in the condition.",
            _T + "print(w_after(0, 1, 0))   # the third is outside the margin of the old w = 1, -2: should print 2/3, -4/3",
        ),
        Misconception(
            "updates where y f ≥ 1",
            _changed(hit=lambda y, f: y * f >= 1),
            "You add points with y wᵀx ≥ 1. Their hinge is 0, so add those with y wᵀx < 1 instead.",
            f"{_STEP}: the condition in (6).",
            _T + "print(w_after(0), 'at w = 0 every point violates the margin: should print 2, 0')",
        ),
        Misconception(
            "mistakes alone",
            _changed(hit=lambda y, f: y * f <= 0),
            "You add misclassified points only, as the perceptron does. The hinge is positive up to the margin. Test y wᵀx < 1.",
            f"{_STEP}: y wᵀx < 1 in (6).",
            _T + "print(w_after(0, 0, lam=2.0))   # y wᵀx = 1/2 at the second step, an update: should print 0.5, 0",
        ),
        Misconception(
            "t from 2",
            _changed(first=2),
            "Your t starts at 2. Count from 1, so that the first update adds y x/λ.",
            f"{_STEP}: the first step with pencil and paper.",
            _T + "print(w_after(1))   # -x/λ at t = 1: should print 0, -4",
        ),
        Misconception(
            "t from 0",
            None,
            "You divide by 0, because your t starts at 0. Count the steps from 1.",
            f"{_STEP}: the first step with pencil and paper.",
            _T + "print(w_after(0, lam=0.25))   # x/λ at t = 1: should print 4, 0",
            error="ZeroDivisionError",
        ),
        Misconception(
            "label missing in the update",
            _changed(push=lambda y, eta, n: eta),
            "You add x without its label. An update adds y x/(λt), which subtracts points of class -1.",
            f"{_STEP}: y_i φ(x_i) in (6).",
            _T + "print(w_after(1, lam=1.0))   # the point 0, 2 of class -1: should print 0, -2",
        ),
        Misconception(
            "the new point also shrinks",
            _changed(both=True),
            "You add the point before you shrink, so the new term also shrinks. Only the old w is multiplied by 1 - 1/t.",
            f"{_STEP}, step 5: what the factor 1 - 1/t multiplies in (6).",
            _T + "print(w_after(0), 'only the old w is multiplied by 0 at t = 1: should print 2, 0')",
        ),
        Misconception(
            "mean of all w",
            _changed(mean=True),
            "You return the mean of all w. Here the last w is asked for.",
            f"{_STEP}: the w after T steps in (7).",
            _T + "print(w_after(0, 1, lam=0.25))   # two updates, the first halved: should print 2, -4",
        ),
    ),
    step=f"{_STEP}: the step (6), in the order given.",
    experiment=_T + "print(w_after(0), w_after(0, 1), w_after(0, 1, 0))   # should print 2, 0; 1, -2; 2/3, -4/3",
    sizes=lambda X, y, lam, order: {"n": len(y), "d": X.shape[1], "λ": lam, "T": len(order)},
    chained=True,
)  # fmt: skip


# -- 6b.4


def budget_perceptron(K, y, order, budget):
    """Σ y over the entries of a memory that takes mistakes, y f ≤ 0, and deletes the oldest beyond ``budget``."""
    return _remembered(K, y, order, budget)


def _remembered(
    K, y, order, budget, *, wrong=lambda y, f: y * f <= 0, signed=True, before=False,
    enters=lambda memory, i: True, forget=lambda memory, budget: memory[-budget:], coefficients=lambda c, y: c * y,
):  # fmt: skip
    memory: list[int] = []
    for i in order:
        if before and len(memory) >= budget:
            memory = memory[1:]
        f = sum((y[j] if signed else 1.0) * K[j, i] for j in memory)
        if wrong(y[i], f) and enters(memory, i):
            memory = forget([*memory, i], budget)
    return coefficients(np.bincount(memory, minlength=len(y)).astype(float) if memory else np.zeros(len(y)), y)


def _memory(**how):
    return lambda K, y, order, budget: _remembered(K, y, order, budget, **how)


def _after_the_first(K, y, order, budget):
    return _remembered(K, y, order[:1], budget)


def _label_left_out(K, y, order, budget):
    return _remembered(K, y, order, budget, wrong=lambda y, f: f <= 0)


def _full_takes_none(K, y, order, budget):
    return _remembered(
        K, y, order, budget, enters=lambda memory, i: len(memory) < budget, forget=lambda memory, b: memory
    )


_STREAMS = ((12, 4, 40), (10, 3, 31), (14, 5, 47), (11, 6, 52), (13, 4, 44), (9, 3, 35))  # points, budget, length


_CONVENTIONS = tuple(
    _memory(wrong=lambda y, f, side=side: y != (1 if side * f >= 0 else -1) * side) for side in (-1, 1)
)


def _stream(rng, n, budget, T):
    """A stream that comes back to points, and whose end does not depend on the class that f = 0 stands for."""
    for _ in attempts("budget_perceptron"):
        K, y, order = gram(rng, n), rng.permutation(np.resize([1.0, -1.0, 1.0, -1.0, -1.0], n)), rng.integers(n, size=T)
        many = np.abs(budget_perceptron(K, y, order, T)).sum() > 2 * budget  # mistakes, if nothing is deleted
        right = budget_perceptron(K, y, order, budget)
        if many and all(np.array_equal(right, other(K, y, order, budget)) for other in _CONVENTIONS):
            return K, y, order, budget


def _passing(rng):
    return told_apart(lambda: [_stream(rng, *size) for size in _STREAMS], lambda: BUDGET_PERCEPTRON)


def _ties(rng):
    """Even numbers, so that y f is never 1. The last point, of either class, has f = 0 exactly, late or as the first."""
    found = []
    for _ in attempts("budget_perceptron", until=lambda: len(found) == 4):
        n, budget = 9 + len(found) % 2, 4
        X = rng.integers(-2, 3, (n, 3)).astype(float)
        K, y, order = 2 * X @ X.T, rng.permutation(np.resize([1.0, -1.0, 1.0], n)), rng.integers(n, size=25)
        c, last = budget_perceptron(K, y, order[:-1], budget), order[-1]
        late = y[last] == (-1) ** len(found) and np.abs(c).sum() == budget and K[last] @ c == 0 and c[last] == 0
        if late and K[last, last] > 1:
            found.append((K, y, order, budget))
    return found + [(K, y, np.flatnonzero(y == side)[:1], budget) for side in (1, -1)]


_B = USE + "K = np.array([[4.0, 1, 3], [1, 2, 1], [3, 1, 4]]); y = np.array([1.0, -1, 1])\n" \
    "def after(*order, budget=2, y=y):\n    return budget_perceptron(K, y, np.array(order), budget)\n"  # fmt: skip
_TWO = USE + "K = np.array([[1.0, 3], [3, 20]]); y = np.array([1.0, -1])   # the first is a mistake every time\n"
_KEEP = f"Read “{_BUDGET}” again"

BUDGET_PERCEPTRON = Exercise(
    name="budget_perceptron",
    chapter=CHAPTER,
    number="6b.4",
    returns="the coefficients c after the last point, shape (n,)",
    reference=budget_perceptron,
    properties=(
        Property("adds mistakes and deletes the oldest entry", 3, _passing),
        Property(
            "counts f = 0 as a mistake for both classes, at every step",
            1,
            _ties,
            hint="Your answer fails only if f is exactly 0. That counts as a mistake for both classes and at every step. Test y f ≤ 0.",
        ),
    ),
    promises=(
        Promise("fill the memory, and go on", lambda K, y, order, budget: (
            np.abs(budget_perceptron(K, y, order, budget)).sum() == budget
            and not np.array_equal(budget_perceptron(K, y, order, budget), budget_perceptron(K, y, order, 10**6))), of=(0,)),
        Promise("end with f = 0, exactly", lambda K, y, order, budget: (
            K[order[-1]] @ budget_perceptron(K, y, order[:-1], budget) == 0), of=(1,)),
    ),
    misconceptions=(
        Misconception(
            "never forgets",
            _memory(forget=lambda memory, budget: memory),
            "You never remove an entry. The memory holds at most budget entries. Delete the oldest if there are more.",
            f"{_KEEP}: the oldest entry leaves.",
            _B + "print(after(0, 1, budget=1))   # two mistakes, room for one: should print 0, -1, 0",
        ),
        Misconception(
            "one entry too many",
            _memory(forget=lambda memory, budget: memory[-budget - 1 :]),
            "Your memory holds budget + 1 entries. Add the mistake first, then delete the oldest entry if there are more than budget.",
            f"{_KEEP}: at most B entries.",
            _TWO + "print(np.abs(budget_perceptron(K, y, np.array([0, 1, 0, 0, 0]), 2)).sum(), 'entries: should print 2')",
        ),
        Misconception(
            "one entry too few",
            _memory(forget=lambda memory, budget: memory[-budget + 1 :] if budget > 1 else []),
            "Your memory holds budget - 1 entries. Delete the oldest only if the memory has more than budget entries with the new one.",
            f"{_KEEP}: at most B entries.",
            _B + "print(after(0, 1))   # two mistakes, room for two: should print 1, -1, 0",
        ),
        Misconception(
            "closed when full",
            _full_takes_none,
            "You add nothing once the memory is full, or you delete the newest entry. Every mistake enters, and the oldest entry leaves.",
            f"{_KEEP}: the oldest entry leaves.",
            _B + "print(after(1, 0, budget=1), 'the second is a mistake and enters: should print 1, 0, 0')",
        ),
        Misconception(
            "forgets before the test",
            _memory(before=True),
            "You delete the oldest entry before you test the point. Compute f with all entries, and delete only after a mistake.",
            f"{_KEEP}: the order of the three actions.",
            _B + "print(after(1, 0, 2))   # the third is classified correctly, nothing changes: should print 1, -1, 0",
        ),
        Misconception(
            "all entries of the oldest",
            _memory(forget=lambda memory, b: memory if len(memory) <= b else [j for j in memory if j != memory[0]]),
            "You delete all entries of a point at once. Delete a single entry, so that a point with two entries keeps one.",
            f"{_KEEP}: the memory is a list, and one entry leaves.",
            _TWO + "print(budget_perceptron(K, y, np.array([0, 1, 0, 0]), 3))   # one of three entries of 0 leaves: should print 2, -1",
        ),
        Misconception(
            "each point once",
            _memory(enters=lambda memory, i: i not in memory),
            "You do not add a point that is in memory already. Every mistake enters again, so a point can have several entries.",
            f"{_KEEP}: a point enters at each mistake.",
            _TWO + "print(budget_perceptron(K, y, np.array([1, 0, 0]), 3))   # 1, 0 and 0 again: should print 2, -1",
        ),
        Misconception(
            "every point enters",
            _memory(wrong=lambda y, f: True),
            "You add every point. Only a mistake enters. Test y f ≤ 0 first.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "print(after(0, 2))   # the second is classified correctly, f = 3: should print 1, 0, 0",
        ),
        Misconception(
            "memory stays empty",
            _memory(wrong=lambda y, f: y * f < 0),
            "Your memory stays empty. At the first point f is 0, and y f ≤ 0 counts as a mistake. Use ≤.",
            f"{_KEEP}: ≤ in the test.",
            _B + "print(after(0))   # f = 0 at the first point: should print 1, 0, 0",
        ),
        Misconception(
            "margin violations for mistakes",
            _memory(wrong=lambda y, f: y * f < 1),
            "You add points with y f < 1, as Pegasos does. The perceptron adds mistakes only. Test y f ≤ 0.",
            f"{_KEEP}: y f ≤ 0.",
            _B + "k = K / 8   # y f of the last is 3/8, correct\n"
            "print(budget_perceptron(k, y, np.array([0, 2]), 2))   # should print 1, 0, 0",
        ),
        Misconception(
            "labels missing in f",
            _memory(signed=False),
            "You leave the labels out of f. Each entry j contributes y_j k(x_j, x), with its own label.",
            f"{_KEEP}: y[memory] in f.",
            _B + "print(after(1, 0, budget=3))   # f = -1 at the second, a mistake: should print 1, -1, 0",
        ),
        Misconception(
            "labels missing in c",
            _memory(coefficients=lambda c, y: c),
            "You return how often each point stands in memory. Multiply this number by the label, c_i = y_i times the number.",
            f"{_KEEP}: f is y[memory] @ K[memory, i].",
            _B + "print(after(1, budget=3))   # one entry, of class -1: should print 0, -1, 0",
        ),
    ),
    observations=(
        Observation(
            "Your answer is the one after the first point of the order. Is the `return` inside the loop?",
            lambda value, *args: np.array_equal(value, _after_the_first(*args)),
            early=True,
        ),
        Observation(
            "You test f ≤ 0 without the label. A point of class -1 is a mistake if f ≥ 0. Test y f ≤ 0.",
            lambda value, *args: np.array_equal(value, _label_left_out(*args)),
            early=True,
        ),
    ),
    step=f"{_KEEP}: which points enter, and which entry leaves.",
    experiment=_B + "print(after(0, 1, 2, 1))   # 0 and 1 are mistakes, the others are not: should print 1, -1, 0\n"
    "print(after(1, 0, 1, budget=1))   # each is a mistake when only the other is in memory: should print 0, -1, 0",
    sizes=lambda K, y, order, budget: {"n": len(y), "budget": budget, "T": len(order)},
    chained=True,
)  # fmt: skip
