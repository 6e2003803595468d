"""Planes, perceptrons and margins with a pencil."""

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
    title="How far from the line?",
    kind=Numbers("distance"),
    level=1, minutes=3, points=2,
    draw=_draw_distance,
    work=_work_distance,
    statement=r"""
        How far is the point $x=@x$ from the line $w^\top x+b=0$ with $w=@w$ and $b=@b$?""",
    solution=r"""
        $|w^\top x+b|/\|w\|=|@value|/@length=@answer$.""",
    mistakes=(
        Misconception("if it is not divided by the length of w", lambda value: abs(value), 0.25),
        Misconception("if it is divided by the squared length of w", lambda value, length: Fraction(abs(value), length**2), 0.5),
        Misconception("if b is left out: that is the distance from a parallel line through 0",
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
    title="A perceptron's first pass",
    kind=Numbers(("w₁", "w₂")),
    level=1, minutes=5, points=3,
    draw=_draw_pass,
    work=_work_pass,
    statement=r"""
        A perceptron without a threshold starts with $w=0$ and takes the points $@points$ with the labels
        $@y$ once, in this order. A point with $y\,w^\top x\le0$ is a mistake. What is $w$ at the end?""",
    solution=r"""
        Each mistake adds $yx$; a point for which $w^\top x=0$, as the first is, counts as one. After the four points $w$ is
        $@states$.""",
    mistakes=(
        Misconception("if every point is added, the right ones too", lambda X, y: _pass(X, y, "always"), 0.25),
        Misconception("if x is added and not y x", lambda X, y: _pass(X, y, "unsigned"), 0.25),
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
    title="The widest margin between two points",
    kind=Numbers(("w₁", "w₂", "b")),
    level=2, minutes=6, points=4,
    draw=_draw_pair,
    work=_work_pair,
    statement=r"""
        There are two training points, $@plus$ of the class $+1$ and $@minus$ of the class $-1$. Which plane $w^\top x+b=0$
        has the widest margin, in its canonical form ($w^\top x+b=\pm1$ at the nearest points)?""",
    solution=r"""
        $w$ points from one to the other, $w=c\,@d$, and $w^\top(x_+-x_-)=2$ gives $c=2/@square$: $w=@w$. From
        $w^\top x_++b=1$ follows $b=@b$.""",
    mistakes=(
        Misconception("if w is the difference of the points: this is the same plane, not in its canonical form",
             lambda d, plus, minus: [*exact(d), -exact(d) @ (exact(plus) + exact(minus)) / 2], 0.5),
        Misconception("if w (x+ - x-) is set to 1 and not to 2",
             lambda w, plus, minus: [*(w / 2), -(w / 2) @ (exact(plus) + exact(minus)) / 2], 0.5),
        Misconception("if b has the wrong sign", lambda w, b: [*w, -b] if b else None, 0.5),
        Misconception("if b is chosen such that the plane goes through the point of class +1",
             lambda w, b: [*w, b - 1], 0.5),
        Misconception("if w points from class +1 to class -1", lambda w, b: [*(-w), -b], 0.5),
    ),
)  # fmt: skip


def _draw_mistakes(rng: np.random.Generator) -> dict[str, Any]:
    return {"R": int(rng.integers(3, 13)), "width": Fraction(int(rng.integers(1, 7)), int(rng.integers(1, 3)))}


mistakes = Problem(
    name="mistakes",
    title="How many mistakes can there be?",
    kind=Numbers("mistakes"),
    level=1, minutes=3, points=2,
    draw=_draw_mistakes,
    work=lambda R, width: {"gamma": width / 2, "ratio": 2 * R / width, "answer": int(4 * R * R / width**2)},
    statement=r"""
        All points lie within a distance $@R$ of 0, and a plane through 0 separates the classes, in the middle of a strip
        without points that is $@width$ wide. At most how many mistakes does a perceptron without a threshold make, however
        often and in whatever order it takes the points? Give the largest integer that Novikoff's bound allows.""",
    solution=r"""
        Every point has at least the distance $\gamma=@gamma$ from the plane, half the width of the strip. The bound is
        $(R/\gamma)^2$ with $R/\gamma=@ratio$: at most $@answer$.""",
    mistakes=(
        Misconception("if the width of the strip is taken for γ, and not half of it", lambda R, width: int(R * R / width**2), 0.5),
        Misconception("if the ratio is not squared", lambda ratio: int(ratio), 0.25),
        Misconception("if only the radius is squared", lambda R, gamma: int(R * R / gamma), 0.5),
        Misconception("if only the margin is squared", lambda R, gamma: int(R / gamma**2), 0.25),
    ),
)  # fmt: skip


def _draw_moved(rng: np.random.Generator) -> dict[str, Any]:
    return {"n": int(rng.integers(5, 40)), "on": int(rng.integers(2, 5)), "far": int(rng.integers(2, 9))}


moved = Problem(
    name="moved",
    title="Which points hold the plane?",
    kind=Choice(),
    level=1, minutes=2, points=2,
    draw=_draw_moved,
    work=lambda n, on: {"total": n + on,
                        "answer": "It stays: only the points on the margin hold it, and this one is beyond."},
    statement=r"""
        The widest margin between two classes of $@total$ points has $@on$ of them on its edges, of both classes. Another
        one, at a distance of $@far$ from its edge, on its right side, is moved by 1 in some direction. What becomes of
        the plane?""",
    solution=r"""
        The point satisfies its constraint with room to spare before and after: the same plane is feasible, and nothing that
        held it has changed. Its $\alpha_i$ is 0.""",
    mistakes=(
        Misconception("Only points on the border enter the plane: the others have the weight 0, wherever they lie.",
             "It turns a little: every point pulls at it, the far ones less."),
        Misconception("The mean of a class plays no part: the plane depends on the points of the border alone.",
             "It moves, since the mean of its class does."),
        Misconception("A move by 1 does not bring the point to the border, which is farther away; and towards it or not, it stays "
             "on its side.", "It stays only if the point is moved away from it."),
    ),
)  # fmt: skip


novikoff = Problem(
    name="novikoff",
    title="Why the mistakes end",
    kind=Gaps((
        Gap("$y\\,u^\\top x\\ge@gamma$ for the point of each mistake", (
            ("$y\\,w^\\top x\\le0$ at a mistake", "That bounds the length of w; here its product with u is asked."),
            ("$w$ and $u$ have the same direction", "w only turns towards u; nothing says that it gets there."),
        )),
        Gap("$2y\\,w^\\top x\\le0$ at a mistake", (
            ("$2y\\,w^\\top x\\ge0$ at a mistake", "It is a mistake because y wᵀx is not positive."),
            ("$w$ and $x$ are orthogonal", "The product may be negative; it is enough that it is not positive."),
        )),
        Gap("$u^\\top w\\le\\|u\\|\\,\\|w\\|$ (Cauchy and Schwarz)", (
            ("$u^\\top w=\\|w\\|$", "Equal only if w has the direction of u."),
            ("$\\|w\\|\\le\\|u\\|$", "w grows with the mistakes, u has the length 1."),
        )),
        Gap("$@bound$", (
            ("$@ratio$", "From m γ ≤ R √m follows √m ≤ R/γ: the ratio is squared."),
            ("$@half$", "R² m ≥ γ² m² gives m ≤ R²/γ²; both are squared."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"gamma": int(rng.integers(2, 5)), "times": int(rng.integers(3, 9))},
    work=lambda gamma, times: {"R": gamma * times, "bound": times**2, "ratio": times, "half": gamma * times**2},
    statement=r"""
        A unit vector $u$ separates points with $\|x\|\le@R$ by the margin $\gamma=@gamma$: $y\,u^\top x\ge@gamma$ for all.
        A perceptron has made $m$ mistakes, each of which added $yx$ to $w$. Fill the gaps. After $m$ mistakes
        $u^\top w\ge@gamma\,m$, since **(1)**. Also $\|w\|^2\le@R^2m$, since a mistake adds
        $2y\,w^\top x+\|x\|^2$ to it and **(2)**. The two meet, since **(3)**: $@gamma\,m\le@R\sqrt m$. So $m$ is at most
        **(4)**.""",
    solution=r"""
        (1) Each mistake adds $y\,u^\top x\ge\gamma$. (2) The cross term is not positive. (3) $u$ has the length 1. (4) From
        $\gamma m\le R\sqrt m$ follows $m\le(R/\gamma)^2=@bound$.""",
)  # fmt: skip

width = Problem(
    name="width",
    title="Why the margin is 2/‖w‖ wide",
    kind=Gaps((
        Gap("$x-x_0$ is a multiple of $w$", (
            ("$x-x_0$ is orthogonal to $w$", "Orthogonal to w are the directions within the plane."),
            ("$x_0=0$", "The plane need not go through 0."),
        )),
        Gap("$w^\\top(x-x_0)=1$", (
            ("$w^\\top(x-x_0)=0$", "Then x would also lie on the plane."),
            ("$w^\\top(x-x_0)=2$", "From the plane to an edge the value grows by 1, from edge to edge by 2."),
        )),
        Gap("$@half$", (
            ("$@length$", "The steeper the function, the nearer the edge: ‖w‖ divides."),
            ("$@square$", "x - x₀ = w/‖w‖², and the length of that is ‖w‖/‖w‖² = 1/‖w‖."),
        )),
        Gap("$@wide$", (
            ("$@half$", "That is one side of the margin."),
            ("$@double$", "Twice the half, and not twice the length of w."),
        )),
    )),
    level=3, minutes=5, points=4,
    draw=lambda rng: {"w": TRIPLES[rng.integers(len(TRIPLES)), :2] * rng.choice([-1, 1], 2), "b": int(rng.integers(1, 9))},
    work=lambda w: {"length": int(np.sqrt(w @ w)), "half": Fraction(1, int(np.sqrt(w @ w))), "square": Fraction(1, int(w @ w)),
                    "wide": Fraction(2, int(np.sqrt(w @ w))), "double": 2 * int(np.sqrt(w @ w))},
    statement=r"""
        The plane $w^\top x+@b=0$ with $w=@w$ is in its canonical form: the nearest points have the values $\pm1$. Let $x$ be one with the
        value 1, and $x_0$ the point of the plane that is nearest to it. Fill the gaps. **(1)**. As $x$ has the value 1 and $x_0$ the value 0,
        **(2)**. So the distance of the two is **(3)**, and the margin between both edges is **(4)** wide.""",
    solution=r"""
        (1) The shortest way to a plane is orthogonal to it. (2) The difference of the values. (3) With $x-x_0=cw$ it is $c\|w\|^2=1$, and
        $\|x-x_0\|=1/\|w\|=1/@length$. (4) Twice that.""",
)  # fmt: skip

PROBLEMS = (distance, one_pass, mistakes, moved, pair, novikoff, width)
