"""The tube, and machines that learn on line, with a pencil."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact


def _draw_loss(rng: np.random.Generator) -> dict[str, Any]:
    eps = Fraction(int(rng.integers(1, 5)), 2)
    return {"y": rng.integers(-5, 6, 4), "f": rng.integers(-5, 6, 4), "eps": eps}


def _work_loss(y: np.ndarray, f: np.ndarray, eps: Fraction) -> dict[str, Any]:
    off = np.abs(y - f)
    beyond = [max(Fraction(0), int(r) - eps) for r in off]
    if sum(b > 0 for b in beyond) < 2 or all(b > 0 for b in beyond):
        raise Unfit("all on one side")
    return {"off": list(off), "beyond": beyond, "answer": sum(beyond)}


loss = Problem(
    name="loss",
    title="What the tube charges",
    kind=Numbers("loss"),
    level=1, minutes=3, points=2,
    draw=_draw_loss,
    work=_work_loss,
    statement=r"""
        Four points have the targets $y=@y$, and a machine says $f=@f$. What is the sum of their $\varepsilon$-insensitive
        losses for $\varepsilon=@eps$?""",
    solution=r"""
        The residuals have the sizes $@off$. What goes beyond $\varepsilon$ is $@beyond$, together $@answer$.""",
    mistakes=(
        Misconception("if ε is left out", lambda off: sum(Fraction(int(r)) for r in off), 0.25),
        Misconception("if a point inside of the tube is given something back",
             lambda off, eps: sum(int(r) - eps for r in off), 0.5),
        Misconception("if the whole residual is charged as soon as it is larger than ε",
             lambda off, eps: sum(Fraction(int(r)) for r in off if r > eps), 0.5),
        Misconception("if what goes beyond is squared", lambda beyond: sum(b * b for b in beyond), 0.25),
        Misconception("if the mean is given and not the sum", lambda answer: answer / 4, 0.75),
    ),
)  # fmt: skip


def _draw_pegasos(rng: np.random.Generator) -> dict[str, Any]:
    t = int(rng.integers(2, 6))
    return {"w": rng.integers(-2, 3, 2), "x": rng.integers(-3, 4, 2), "y": int(rng.choice([-1, 1])), "t": t,
            "lam": Fraction(1, int(rng.integers(1, 5)))}  # fmt: skip


def _work_pegasos(w: np.ndarray, x: np.ndarray, y: int, t: int, lam: Fraction) -> dict[str, Any]:
    value = int(y * (w @ x))
    if not 0 <= value < 1 or not w.any() or not x.any():
        raise Unfit("no hit between 0 and 1")
    eta = 1 / (lam * t)
    shrunk = (1 - Fraction(1, t)) * exact(w)
    return {"value": value, "eta": eta, "shrunk": shrunk, "factor": 1 - Fraction(1, t), "step": eta * y * exact(x),
            "answer": shrunk + eta * y * exact(x)}  # fmt: skip


pegasos = Problem(
    name="pegasos",
    title="One step of Pegasos",
    kind=Numbers(("w₁", "w₂")),
    level=1, minutes=5, points=3,
    draw=_draw_pegasos,
    work=_work_pegasos,
    statement=r"""
        Pegasos minimises $\tfrac\lambda2\|w\|^2$ plus the mean hinge loss, with $\lambda=@lam$, no threshold and the step
        $1/(\lambda t)$. Before its step number $t=@t$ it has $w=@w$; the point $x=@x$ with the label $@y$ comes. What is
        $w$ then?""",
    solution=r"""
        $y\,w^\top x=@value<1$: a hit. The old $w$ is multiplied by $1-1/t=@factor$, and $yx/(\lambda t)$ is added, with
        $1/(\lambda t)=@eta$: $@shrunk+@step=@answer$.""",
    mistakes=(
        Misconception("if w does not shrink", lambda w, step: exact(w) + step, 0.5),
        Misconception("if nothing is added, since the point is not on the wrong side: the hinge begins at 1",
             lambda shrunk: shrunk, 0.25),
        Misconception("if the step is 1/t and not 1/(λt)",
             lambda shrunk, lam, step: shrunk + lam * step if lam != 1 else None, 0.5),
        Misconception("if the label is left out", lambda shrunk, step, y: shrunk - step if y < 0 else None, 0.25),
        Misconception("if the old w shrinks by 1/t, not to 1 - 1/t of it",
             lambda w, t, step: exact(w) / t + step if t != 2 else None, 0.5),
    ),
)  # fmt: skip


def _budget(X: np.ndarray, y: np.ndarray, budget: int, *, newest: bool = False) -> list[int]:
    """Which points a budget perceptron with a linear kernel keeps, by number."""
    kept: list[int] = []
    for i in range(len(y)):
        if y[i] * sum(y[j] * (X[j] @ X[i]) for j in kept) <= 0:
            kept.append(i)
            if len(kept) > budget:
                del kept[-2 if newest else 0]
    return kept


def _draw_memory(rng: np.random.Generator) -> dict[str, Any]:
    X, y = rng.integers(-3, 4, (5, 2)), rng.choice([-1, 1], 5)
    if not X.any(axis=1).all():
        raise Unfit("a point at 0")
    return {"X": X, "y": y, "points": list(X)}


def _work_memory(X: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    kept, mistakes = _budget(X, y, 2), _budget(X, y, 9)
    if len(mistakes) < 3 or len(kept) < 2:
        raise Unfit("nothing is forgotten")
    return {"kept": [i + 1 for i in kept], "answer": y[kept] @ X[kept]}


memory = Problem(
    name="memory",
    title="What two places remember",
    kind=Numbers(("w₁", "w₂")),
    level=2, minutes=6, points=3,
    draw=_draw_memory,
    work=_work_memory,
    statement=r"""
        A perceptron with the kernel $x^\top z$ and no threshold keeps two points at most: each mistake, $y f(x)\le0$, is
        kept, and if that makes three, the oldest is forgotten. The points $@points$ with the labels $@y$ come once, in this
        order. What is $w=\sum y_jx_j$ of what is kept at the end?""",
    solution=r"""
        Follow the five points. At the end the points number $@kept$ are kept, and $w=@answer$.""",
    mistakes=(
        Misconception("if nothing is ever forgotten",
             lambda X, y: y[m] @ X[m] if (m := _budget(X, y, 9)) != _budget(X, y, 2) else None, 0.5),
        Misconception("if the last but one is forgotten and not the oldest",
             lambda X, y: y[m] @ X[m] if (m := _budget(X, y, 2, newest=True)) != _budget(X, y, 2) else None, 0.5),
        Misconception("if the labels are left out", lambda X, kept: X[np.array(kept) - 1].sum(axis=0), 0.25),
        Misconception("if the last two points are kept, mistakes or not",
             lambda X, y, kept: y[3:] @ X[3:] if kept != [4, 5] else None, 0.25),
    ),
)  # fmt: skip


def _draw_price(rng: np.random.Generator) -> dict[str, Any]:
    return {"n": int(rng.integers(4, 13)), "C": int(rng.integers(2, 9))}


price = Problem(
    name="price",
    title="One price, two letters",
    kind=Numbers("λ"),
    level=1, minutes=2, points=2,
    draw=_draw_price,
    work=lambda n, C: {"answer": Fraction(1, n * C)},
    statement=r"""
        A support vector machine minimises $\tfrac12\|w\|^2+@C\sum_i\ell_i$ over $@n$ points, Pegasos
        $\tfrac\lambda2\|w\|^2+\tfrac1{@n}\sum_i\ell_i$, with the same losses. For which $\lambda$ do both have the same
        minimiser?""",
    solution=r"""
        The first, divided by $nC$, is $\tfrac1{2nC}\|w\|^2+\tfrac1n\sum_i\ell_i$. So $\lambda=1/(@n\cdot @C)=@answer$.""",
    mistakes=(
        Misconception("if the number of points is forgotten", lambda C: Fraction(1, C), 0.5),
        Misconception("if the number of points is multiplied and not divided by", lambda n, C: Fraction(n, C), 0.25),
        Misconception("if the price itself is taken, divided by the number of points", lambda n, C: Fraction(C, n)),
        Misconception("if the inverse is given", lambda n, C: n * C, 0.5),
    ),
)  # fmt: skip


def _draw_where(rng: np.random.Generator) -> dict[str, Any]:
    eps, C = int(rng.integers(2, 8)), int(rng.integers(2, 20))
    kind = int(rng.integers(3))
    size = [int(rng.integers(0, eps)), eps, eps + int(rng.integers(1, 9))][kind]
    return {"eps": eps, "C": C, "residual": int(rng.choice([-1, 1])) * size, "kind": kind}


WEIGHTS = (
    "It is 0.",
    "It lies between 0 and $@signed$, the ends included.",
    "It is $@signed$.",
    "It is $@opposite$.",
)


def _work_where(C: int, residual: int, kind: int) -> dict[str, Any]:
    sign = 1 if residual > 0 else -1
    return {"signed": sign * C, "opposite": -sign * C, "size": abs(residual), "answer": WEIGHTS[kind]}


where = Problem(
    name="where",
    title="The weight of a point, from where it lies",
    kind=Choice(),
    level=2, minutes=3, points=2,
    draw=_draw_where,
    work=_work_where,
    statement=r"""
        In the solution of an $\varepsilon$-SVR with $\varepsilon=@eps$ and $C=@C$ a point has the residual $y_i-f(x_i)=@residual$.
        What is known of its weight $\beta_i$ in $f=\sum_i\beta_ik(x_i,\cdot)+b$?""",
    solution=r"""
        The size of the residual is $@size$. Inside of the tube the weight is 0; beyond it $C$, with the sign of the
        residual; on its border anything between.""",
    mistakes=(
        Misconception("Inside of the tube nothing pulls; on its border or beyond something does.",
             lambda kind: None if kind == 0 else WEIGHTS[0]),
        Misconception("Only a point on the border may have a weight between 0 and C.",
             lambda kind: None if kind == 1 else WEIGHTS[1], 0.25),
        Misconception("The bound C is reached beyond the tube; on the border it may be, and need not.",
             lambda kind: None if kind == 2 else WEIGHTS[2], 0.25),
        Misconception("A point above the curve pulls it up: the weight has the sign of the residual.", WEIGHTS[3]),
    ),
)  # fmt: skip

regret = Problem(
    name="regret",
    title="What a step of gradient descent can lose",
    kind=Gaps((
        Gap("$\\|w_t-u\\|^2-2\\eta\\,g_t^\\top(w_t-u)+\\eta^2\\|g_t\\|^2$", (
            ("$\\|w_t-u\\|^2+2\\eta\\,g_t^\\top(w_t-u)+\\eta^2\\|g_t\\|^2$", "The step goes against the gradient: the cross "
             "term is negative."),
            ("$\\|w_t-u\\|^2-2\\eta\\,g_t^\\top(w_t-u)$", "The square of the step itself is missing."),
        )),
        Gap("the losses are convex", (
            ("the losses are not negative", "What is used is that a convex function lies above its tangents."),
            ("$u$ is the best of all $w$", "The bound holds for every u; no best one is needed."),
        )),
        Gap("the squared distances telescope, and the last is not negative", (
            ("the distances shrink at every step", "They need not: a step may lead away from u."),
            ("all gradients point to $u$", "A gradient of one loss may point anywhere."),
        )),
        Gap("$@bound$", (
            ("$@twice$", "Each of the two parts is G D √T/2 at the best η, and together they are G D √T."),
            ("$@other$", "The step η is chosen such that both parts are equal, which gives G D √T."),
        )),
    )),
    level=3, minutes=9, points=4,
    draw=lambda rng: {"root": int(rng.integers(4, 13)), "G": int(rng.integers(2, 6)), "D": int(rng.integers(2, 6))},
    work=lambda root, G, D: {"T": root**2, "bound": G * D * root, "twice": 2 * G * D * root, "other": G * D * root**2},
    statement=r"""
        Gradient descent on line, $w_{t+1}=w_t-\eta g_t$, where $g_t$ is a gradient of the loss $\ell_t$ at $w_t$. All
        gradients are at most $G=@G$ long, and $\|w_1-u\|\le D=@D$. How much more does it lose in $T=@T$ steps than a fixed
        $u$? Fill the gaps. $\|w_{t+1}-u\|^2$ is **(1)**. The loss above that of $u$ is at most
        $g_t^\top(w_t-u)$, since **(2)**. Summed over all steps at most $D^2/(2\eta)+\eta TG^2/2$ remains, since **(3)**.
        With the best $\eta=D/(G\sqrt T)$ that is **(4)**.""",
    solution=r"""
        (1) multiplied out. (2) $\ell_t(u)\ge\ell_t(w_t)+g_t^\top(u-w_t)$. (3) Solve (1) for $g_t^\top(w_t-u)$ and add up. (4) Both
        parts are $GD\sqrt T/2$; together $@G\cdot@D\cdot@root=@bound$.""",
)  # fmt: skip

tube = Problem(
    name="tube",
    title="The dual of the tube",
    kind=Gaps((
        Gap("$w=\\sum_i(\\alpha_i-\\alpha_i^*)x_i$", (
            ("$w=\\sum_i(\\alpha_i+\\alpha_i^*)x_i$", "The two constraints have x with opposite signs."),
            ("$w=\\sum_i\\alpha_iy_ix_i$", "That is for classes; here y is a number and stands alone."),
        )),
        Gap("$\\sum_i(\\alpha_i-\\alpha_i^*)=0$", (
            ("$\\sum_i(\\alpha_i+\\alpha_i^*)=0$", "Then all would be 0, since none is negative."),
            ("$\\sum_iy_i=0$", "The derivative is by b, and y is given."),
        )),
        Gap("a residual cannot be above $@eps$ and below $-@eps$ at one time", (
            ("their sum is $C$", "Each has its own slack, and its own bound C."),
            ("the kernel is positive definite", "It follows from where the point lies, for every kernel."),
        )),
        Gap("$-@eps\\sum_i(\\alpha_i+\\alpha_i^*)$", (
            ("$-@eps\\sum_i(\\alpha_i-\\alpha_i^*)$", "That sum is 0: ε would play no part."),
            ("$+@eps\\sum_i(\\alpha_i+\\alpha_i^*)$", "The constraint forgives ε, so the multiplier gains less by it."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"eps": int(rng.integers(2, 20)), "n": int(rng.integers(10, 90))},
    statement=r"""
        $\varepsilon$-SVR of $@n$ points with $\varepsilon=@eps$: minimise $\tfrac12\|w\|^2+C\sum_i(\xi_i+\xi_i^*)$ under
        $y_i-w^\top x_i-b\le@eps+\xi_i$ (multiplier $\alpha_i$), $w^\top x_i+b-y_i\le@eps+\xi_i^*$ (multiplier $\alpha_i^*$) and slacks that are not
        negative. Fill the gaps. The derivative with respect to $w$ gives **(1)**, that with respect to $b$ **(2)**. At the solution
        $\alpha_i\alpha_i^*=0$, since **(3)**. In the dual, which is maximised, stand $-\tfrac12\|w\|^2$, $\sum_iy_i(\alpha_i-\alpha_i^*)$ and
        **(4)**.""",
    solution=r"""
        The Lagrangian has $\alpha_i(y_i-w^\top x_i-b-@eps-\xi_i)$ and $\alpha_i^*(w^\top x_i+b-y_i-@eps-\xi_i^*)$ in it. (1), (2) are its derivatives.
        (3) A multiplier is positive only where its constraint has no room. (4) is what remains with $\varepsilon$.""",
)  # fmt: skip

PROBLEMS = (price, loss, pegasos, where, memory, regret, tube)
