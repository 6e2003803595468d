"""Pencil-and-paper problems on hyperplanes, the perceptron and the margin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact

TRIPLES = np.array([(3, 4, 5), (4, 3, 5), (6, 8, 10), (5, 12, 13), (8, 6, 10), (12, 5, 13)])


def _draw_distance(rng: np.random.Generator) -> dict[str, Any]:
    w = TRIPLES[rng.integers(len(TRIPLES)), :2] * rng.choice([-1, 1], 2)
    return {"w": w, "b": int(rng.choice([-1, 1]) * rng.integers(1, 10)), "x": rng.integers(-4, 5, 2)}


def _work_distance(w: np.ndarray, b: int, x: np.ndarray) -> dict[str, Any]:
    value, length = int(w @ x + b), int(np.sqrt(w @ w))
    if value == 0:
        raise Unfit("on the plane")
    return {"value": value, "length": length, "answer": Fraction(abs(value), length)}


distance = Problem(
    name="distance",
    title="Distance from a line",
    kind=Numbers("distance"),
    level=1, minutes=3, points=2,
    draw=_draw_distance,
    work=_work_distance,
    statement=r"""
        How far is the point $x=@x$ from the line $w^\top x+b=0$ with $w=@w$ and $b=@b$?""",
    solution=r"""
        $|w^\top x+b|/\|w\|=|@value|/@length=@answer$.""",
    mistakes=(
        Misconception("if the value is not divided by the length of w", lambda value: abs(value), 0.25),
        Misconception("if the value is divided by the squared length of w", lambda value, length: Fraction(abs(value), length**2), 0.5),
        Misconception("if b is left out, which gives the distance from a parallel line through 0",
             lambda w, x, length: Fraction(abs(int(w @ x)), length), 0.5),
        Misconception("if b is subtracted", lambda w, x, b, length: Fraction(abs(int(w @ x) - b), length), 0.5),
    ),
)  # fmt: skip


def _pass(X: np.ndarray, y: np.ndarray, rule: str = "") -> np.ndarray:
    """The weights after one pass of the perceptron from 0."""
    w = np.zeros(2, dtype=int)
    for x, label in zip(X, y, strict=True):
        value = label * (w @ x)
        if rule == "always" or value <= 0:
            w = w + {"unsigned": x, "minus": -label * x}.get(rule, label * x)
    return w


def _draw_pass(rng: np.random.Generator) -> dict[str, Any]:
    X, y = rng.integers(-3, 4, (4, 2)), rng.choice([-1, 1], 4)
    if not all(x.any() for x in X):
        raise Unfit("a point at 0")
    return {"X": X, "y": y, "points": list(X)}


def _work_pass(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    states = [_pass(X[: i + 1], y[: i + 1]) for i in range(4)]
    if len({tuple(w) for w in states}) < 3:
        raise Unfit("too few mistakes")
    return {"states": states, "answer": states[-1]}


one_pass = Problem(
    name="one_pass",
    title="First pass of a perceptron",
    kind=Numbers(("w₁", "w₂")),
    level=1, minutes=5, points=3,
    draw=_draw_pass,
    work=_work_pass,
    statement=r"""
        A perceptron without a bias starts with $w=0$. It visits the points $@points$ with the labels $@y$ once, in this
        order. A point with $y\,w^\top x\le0$ is a mistake. What is $w$ at the end?""",
    solution=r"""
        Each mistake adds $yx$ to $w$. A point with $w^\top x=0$ counts as a mistake, and the first point is one. After each
        of the four points $w$ is $@states$.""",
    mistakes=(
        Misconception("if every point is added, also those that are classified correctly", lambda X, y: _pass(X, y, "always"), 0.25),
        Misconception("if x is added instead of y x", lambda X, y: _pass(X, y, "unsigned"), 0.25),
        Misconception("if a mistake adds the point with the wrong sign",
             lambda X, y: _pass(X, y, "minus"), 0.25),
        Misconception("if the answer is the weights before the last mistake",
             lambda states: next((w for w in reversed(states) if (w != states[-1]).any()), None), 0.25),
    ),
)  # fmt: skip


def _draw_pair(rng: np.random.Generator) -> dict[str, Any]:
    plus, minus = rng.integers(-4, 5, 2), rng.integers(-4, 5, 2)
    if np.abs(plus - minus).max() < 2 or not (plus - minus).all():
        raise Unfit("too near")
    return {"plus": plus, "minus": minus}


def _work_pair(plus: np.ndarray, minus: np.ndarray) -> dict[str, Any]:
    d = plus - minus
    w = 2 * exact(d) / int(d @ d)
    b = 1 - w @ exact(plus)
    return {"d": d, "square": int(d @ d), "w": w, "b": b, "answer": [*w, b]}


pair = Problem(
    name="pair",
    title="Maximum margin between two points",
    kind=Numbers(("w₁", "w₂", "b")),
    level=2, minutes=6, points=4,
    draw=_draw_pair,
    work=_work_pair,
    statement=r"""
        There are two training points, $@plus$ of class $+1$ and $@minus$ of class $-1$. Which line $w^\top x+b=0$ has the
        maximum margin? Give it in its canonical form, with $w^\top x+b=\pm1$ at the two points.""",
    solution=r"""
        $w$ points from the point of class $-1$ to the other, so $w=c\,@d$. From $w^\top(x_+-x_-)=2$ follows $c=2/@square$,
        so $w=@w$. From $w^\top x_++b=1$ follows $b=@b$.""",
    mistakes=(
        Misconception("if w is the difference of the points, which gives the same line, but not in its canonical form",
             lambda d, plus, minus: [*exact(d), -exact(d) @ (exact(plus) + exact(minus)) / 2], 0.5),
        Misconception("if wᵀ(x+ - x-) is set to 1 instead of 2",
             lambda w, plus, minus: [*(w / 2), -(w / 2) @ (exact(plus) + exact(minus)) / 2], 0.5),
        Misconception("if b has the wrong sign", lambda w, b: [*w, -b] if b else None, 0.5),
        Misconception("if the line passes through the point of class +1",
             lambda w, b: [*w, b - 1], 0.5),
        Misconception("if w points from class +1 to class -1", lambda w, b: [*(-w), -b], 0.5),
    ),
)  # fmt: skip


def _draw_mistakes(rng: np.random.Generator) -> dict[str, Any]:
    return {"R": int(rng.integers(3, 13)), "width": Fraction(int(rng.integers(1, 7)), int(rng.integers(1, 3)))}


mistakes = Problem(
    name="mistakes",
    title="Novikoff's bound on the number of mistakes",
    kind=Numbers("mistakes"),
    level=1, minutes=3, points=2,
    draw=_draw_mistakes,
    work=lambda R, width: {"gamma": width / 2, "ratio": 2 * R / width, "answer": int(4 * R * R / width**2)},
    statement=r"""
        All points lie within a distance $@R$ of 0, and a plane through 0 separates the classes. It lies halfway between two
        parallel planes at a distance of $@width$ from each other, with no point between them. A perceptron without a bias
        visits the points in any order, as often as needed. How many mistakes does it make at most? Give the largest
        integer that Novikoff's bound allows.""",
    solution=r"""
        Every point has at least the distance $\gamma=@gamma$ from the plane, half the distance between the parallel planes.
        With $R/\gamma=@ratio$ the bound $(R/\gamma)^2$ allows at most $@answer$ mistakes.""",
    mistakes=(
        Misconception("if the whole distance between the parallel planes is taken as γ instead of half of it", lambda R, width: int(R * R / width**2), 0.5),
        Misconception("if the ratio is not squared", lambda ratio: int(ratio), 0.25),
        Misconception("if only the radius is squared", lambda R, gamma: int(R * R / gamma), 0.5),
        Misconception("if only the margin is squared", lambda R, gamma: int(R / gamma**2), 0.25),
    ),
)  # fmt: skip


def _draw_moved(rng: np.random.Generator) -> dict[str, Any]:
    return {"n": int(rng.integers(5, 40)), "on": int(rng.integers(2, 5)), "far": int(rng.integers(2, 9))}


moved = Problem(
    name="moved",
    title="Moving a point outside the margin",
    kind=Choice(),
    level=1, minutes=2, points=2,
    draw=_draw_moved,
    work=lambda n, on: {"total": n + on,
                        "answer": "It stays, because only points on the margin determine it."},
    statement=r"""
        A maximum-margin plane separates two classes of $@total$ points. Of these, $@on$ lie on the margin lines, at least one
        of each class. Another point, outside the margin on its correct side, at a distance of $@far$ from the margin line
        of its class, is moved by 1 in some direction. How does the plane change?""",
    solution=r"""
        The point satisfies its constraint strictly before and after the move, so its $\alpha_i$ is 0 both times. The same $w$,
        $b$ and multipliers still satisfy all conditions of optimality.""",
    mistakes=(
        Misconception("Only points on the margin lines enter w. All others have the multiplier 0, wherever they lie outside the margin.",
             "It turns a little, because every point enters w, the distant ones with less weight."),
        Misconception("The mean of a class does not enter. The plane depends only on the points on the margin lines.",
             "It moves, because the mean of its class moves."),
        Misconception("The margin line is farther away than 1, so the point stays outside the margin, whatever the direction.",
             "It stays only if the point is moved away from it."),
    ),
)  # fmt: skip


novikoff = Problem(
    name="novikoff",
    title="Novikoff's theorem: why the mistakes end",
    kind=Gaps((
        Gap("$y\\,u^\\top x\\ge@gamma$ for the point of each mistake", (
            ("$y\\,w^\\top x\\le0$ at a mistake", "That bounds the length of w. Here its product with u is needed."),
            ("$w$ and $u$ have the same direction", "w need not reach the direction of u."),
        )),
        Gap("$2y\\,w^\\top x\\le0$ at a mistake", (
            ("$2y\\,w^\\top x\\ge0$ at a mistake", "The point is a mistake because y wᵀx ≤ 0."),
            ("$w$ and $x$ are orthogonal", "The product may be negative. The proof needs only that it is not positive."),
        )),
        Gap("$u^\\top w\\le\\|u\\|\\,\\|w\\|$ (Cauchy–Schwarz)", (
            ("$u^\\top w=\\|w\\|$", "They are equal only if w has the direction of u."),
            ("$\\|w\\|\\le\\|u\\|$", "The length of u is 1, but w can become longer."),
        )),
        Gap("$@bound$", (
            ("$@ratio$", "From m γ ≤ R √m follows √m ≤ R/γ, so the ratio must be squared."),
            ("$@half$", "R² m ≥ γ² m² gives m ≤ R²/γ², where both are squared."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"gamma": int(rng.integers(2, 5)), "times": int(rng.integers(3, 9))},
    work=lambda gamma, times: {"R": gamma * times, "bound": times**2, "ratio": times, "half": gamma * times**2},
    statement=r"""
        A unit vector $u$ separates points with $\|x\|\le@R$ with the margin $\gamma=@gamma$, so $y\,u^\top x\ge@gamma$ for
        every point. A perceptron starts with $w=0$ and has made $m$ mistakes, each of which added $yx$ to $w$. Fill the gaps. After
        $m$ mistakes $u^\top w\ge@gamma\,m$, because **(1)**. Also $\|w\|^2\le@R^2m$, because a mistake adds
        $2y\,w^\top x+\|x\|^2$ to it and **(2)**. Together they give $@gamma\,m\le@R\sqrt m$, because **(3)**. So $m$ is
        at most **(4)**.""",
    solution=r"""
        (1) Each mistake adds $y\,u^\top x\ge\gamma$. (2) The cross term is not positive. (3) $u$ has the length 1. (4) From
        $\gamma m\le R\sqrt m$ follows $m\le(R/\gamma)^2=@bound$.""",
)  # fmt: skip

width = Problem(
    name="width",
    title="Distance between the margin lines",
    kind=Gaps((
        Gap("$x-x_0$ is a multiple of $w$", (
            ("$x-x_0$ is orthogonal to $w$", "The directions within the plane are orthogonal to w."),
            ("$x_0=0$", "The plane need not go through 0."),
        )),
        Gap("$w^\\top(x-x_0)=1$", (
            ("$w^\\top(x-x_0)=0$", "Then x would lie on the plane."),
            ("$w^\\top(x-x_0)=2$", "The value grows by 1 from the plane to a margin line, and by 2 from one margin line to the other."),
        )),
        Gap("$@half$", (
            ("$@length$", "The distance is the difference of the values divided by ‖w‖."),
            ("$@square$", "x - x₀ = w/‖w‖², and its length is ‖w‖/‖w‖² = 1/‖w‖."),
        )),
        Gap("$@wide$", (
            ("$@half$", "That is the distance from the plane to one margin line."),
            ("$@double$", "The distance is 2/‖w‖, not 2‖w‖."),
        )),
    )),
    level=3, minutes=5, points=4,
    draw=lambda rng: {"w": TRIPLES[rng.integers(len(TRIPLES)), :2] * rng.choice([-1, 1], 2), "b": int(rng.integers(1, 9))},
    work=lambda w: {"length": int(np.sqrt(w @ w)), "half": Fraction(1, int(np.sqrt(w @ w))), "square": Fraction(1, int(w @ w)),
                    "wide": Fraction(2, int(np.sqrt(w @ w))), "double": 2 * int(np.sqrt(w @ w))},
    statement=r"""
        The plane $w^\top x+@b=0$ with $w=@w$ is in its canonical form, so the nearest points have the values $\pm1$.
        Let $x$ be one with the value 1, and $x_0$ the point of the plane that is nearest to it. Fill the gaps. The difference
        is orthogonal to the plane, so **(1)**. The value is 1 at $x$ and 0 at $x_0$, so **(2)**. The distance between $x$ and
        $x_0$ is **(3)**, and the distance between the two margin lines is **(4)**.""",
    solution=r"""
        (1) The shortest way to a plane is orthogonal to it. (2) Subtract the two values. (3) With $x-x_0=cw$ it is $c\|w\|^2=1$, and
        $\|x-x_0\|=1/\|w\|=1/@length$. (4) Both margin lines have this distance from the plane.""",
)  # fmt: skip

PROBLEMS = (distance, one_pass, mistakes, moved, pair, novikoff, width)
