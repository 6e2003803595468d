"""Pencil-and-paper problems of chapter 6b: ε-SVR and online learning."""

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
    title="ε-insensitive loss",
    kind=Numbers("loss"),
    level=1, minutes=3, points=2,
    draw=_draw_loss,
    work=_work_loss,
    statement=r"""
        Four points have the targets $y=@y$, and a model predicts $f=@f$. What is the sum of their $\varepsilon$-insensitive
        losses for $\varepsilon=@eps$?""",
    solution=r"""
        The absolute residuals are $@off$, and the losses $(|r|-\varepsilon)_+$ are $@beyond$. Their sum is $@answer$.""",
    mistakes=(
        Misconception("if ε is left out", lambda off: sum(Fraction(int(r)) for r in off), 0.25),
        Misconception("if a point inside the tube has a negative loss",
             lambda off, eps: sum(int(r) - eps for r in off), 0.5),
        Misconception("if the loss outside the tube is |r| instead of |r| - ε",
             lambda off, eps: sum(Fraction(int(r)) for r in off if r > eps), 0.5),
        Misconception("if the excess is squared", lambda beyond: sum(b * b for b in beyond), 0.25),
        Misconception("if the mean is given instead of the sum", lambda answer: answer / 4, 0.75),
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
        Pegasos minimises $\tfrac\lambda2\|w\|^2$ plus the mean hinge loss, with $\lambda=@lam$, no bias and the step
        $1/(\lambda t)$. Before step $t=@t$ it has $w=@w$, and the point $x=@x$ with the label $@y$ is drawn. What is
        $w$ after this step?""",
    solution=r"""
        $y\,w^\top x=@value<1$, so the point violates the margin. The old $w$ is multiplied by $1-1/t=@factor$, and $yx/(\lambda t)$ is
        added with $1/(\lambda t)=@eta$. This gives $@shrunk+@step=@answer$.""",
    mistakes=(
        Misconception("if w does not shrink", lambda w, step: exact(w) + step, 0.5),
        Misconception("if nothing is added because the point is on the correct side, although the hinge is positive below 1",
             lambda shrunk: shrunk, 0.25),
        Misconception("if the step is 1/t instead of 1/(λt)",
             lambda shrunk, lam, step: shrunk + lam * step if lam != 1 else None, 0.5),
        Misconception("if the label is left out", lambda shrunk, step, y: shrunk - step if y < 0 else None, 0.25),
        Misconception("if the old w is multiplied by 1/t instead of 1 - 1/t",
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
    title="Budget perceptron",
    kind=Numbers(("w₁", "w₂")),
    level=2, minutes=6, points=3,
    draw=_draw_memory,
    work=_work_memory,
    statement=r"""
        A perceptron with the kernel $x^\top z$ and no bias keeps at most two points. Each mistake, $y f(x)\le0$, is
        kept, and if there are then three, the oldest is deleted. The points $@points$ with the labels $@y$ come once, in this
        order. What is $w=\sum y_jx_j$ of the points that are kept at the end?""",
    solution=r"""
        Go through the five points. At the end the points number $@kept$ are kept, and $w=@answer$.""",
    mistakes=(
        Misconception("if nothing is deleted",
             lambda X, y: y[m] @ X[m] if (m := _budget(X, y, 9)) != _budget(X, y, 2) else None, 0.5),
        Misconception("if the last but one is deleted instead of the oldest",
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
    title="C and λ",
    kind=Numbers("λ"),
    level=1, minutes=2, points=2,
    draw=_draw_price,
    work=lambda n, C: {"answer": Fraction(1, n * C)},
    statement=r"""
        A support vector machine minimises $\tfrac12\|w\|^2+@C\sum_i\ell_i$ over $@n$ points, Pegasos
        $\tfrac\lambda2\|w\|^2+\tfrac1{@n}\sum_i\ell_i$ with the same losses. For which $\lambda$ do both have the same
        minimiser?""",
    solution=r"""
        The first objective divided by $nC$ is $\tfrac1{2nC}\|w\|^2+\tfrac1n\sum_i\ell_i$, so $\lambda=1/(@n\cdot @C)=@answer$.""",
    mistakes=(
        Misconception("if the number of points is forgotten", lambda C: Fraction(1, C), 0.5),
        Misconception("if n multiplies instead of dividing", lambda n, C: Fraction(n, C), 0.25),
        Misconception("if C/n is given instead of 1/(nC)", lambda n, C: Fraction(C, n)),
        Misconception("if nC is given instead of its inverse", lambda n, C: n * C, 0.5),
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
    title="Coefficient of a point from its residual",
    kind=Choice(),
    level=2, minutes=3, points=2,
    draw=_draw_where,
    work=_work_where,
    statement=r"""
        In the solution of an $\varepsilon$-SVR with $\varepsilon=@eps$ and $C=@C$ a point has the residual $y_i-f(x_i)=@residual$.
        What is known about its coefficient $\beta_i$ in $f=\sum_i\beta_ik(x_i,\cdot)+b$?""",
    solution=r"""
        The absolute residual is $@size$. Inside the tube the coefficient is 0. Outside it is $C$ with the sign of the
        residual. On the edge of the tube it lies between these two values.""",
    mistakes=(
        Misconception("The coefficient is 0 inside the tube. This point is not inside.",
             lambda kind: None if kind == 0 else WEIGHTS[0]),
        Misconception("Only a point on the edge of the tube can have a coefficient between 0 and ±C.",
             lambda kind: None if kind == 1 else WEIGHTS[1], 0.25),
        Misconception("The bound C is reached outside the tube. This point is not outside.",
             lambda kind: None if kind == 2 else WEIGHTS[2], 0.25),
        Misconception("The coefficient has the sign of the residual, because a point above the curve pulls it up.", WEIGHTS[3]),
    ),
)  # fmt: skip

regret = Problem(
    name="regret",
    title="Regret of online gradient descent",
    kind=Gaps((
        Gap("$\\|w_t-u\\|^2-2\\eta\\,g_t^\\top(w_t-u)+\\eta^2\\|g_t\\|^2$", (
            ("$\\|w_t-u\\|^2+2\\eta\\,g_t^\\top(w_t-u)+\\eta^2\\|g_t\\|^2$", "The step goes against the gradient, so the "
             "cross term is negative."),
            ("$\\|w_t-u\\|^2-2\\eta\\,g_t^\\top(w_t-u)$", "The square of the step itself is missing."),
        )),
        Gap("the losses are convex", (
            ("the losses are not negative", "The proof uses that a convex function lies above its tangents."),
            ("$u$ is the best of all $w$", "The bound holds for every u, not only for the best."),
        )),
        Gap("the squared distances telescope, and the last is not negative", (
            ("the distances shrink at every step", "They need not, because a step can lead away from u."),
            ("all gradients point to $u$", "The gradient of one loss can point anywhere."),
        )),
        Gap("$@bound$", (
            ("$@twice$", "Each of the two parts is G D √T/2 at the best η, so their sum is G D √T."),
            ("$@other$", "The step η is chosen such that both parts are equal, which gives G D √T."),
        )),
    )),
    level=3, minutes=9, points=4,
    draw=lambda rng: {"root": int(rng.integers(4, 13)), "G": int(rng.integers(2, 6)), "D": int(rng.integers(2, 6))},
    work=lambda root, G, D: {"T": root**2, "bound": G * D * root, "twice": 2 * G * D * root, "other": G * D * root**2},
    statement=r"""
        Online gradient descent takes the steps $w_{t+1}=w_t-\eta g_t$, where $g_t$ is a gradient of the loss $\ell_t$ at $w_t$. All
        gradients satisfy $\|g_t\|\le G=@G$, and $\|w_1-u\|\le D=@D$. How much larger can its total loss in $T=@T$ steps be than that
        of a fixed $u$? Fill the gaps. $\|w_{t+1}-u\|^2$ is **(1)**. The difference $\ell_t(w_t)-\ell_t(u)$ is at most
        $g_t^\top(w_t-u)$ because **(2)**. The sum of these differences is at most $D^2/(2\eta)+\eta TG^2/2$ because **(3)**.
        With the best $\eta=D/(G\sqrt T)$ this bound is **(4)**.""",
    solution=r"""
        (1) Multiply out the square. (2) $\ell_t(u)\ge\ell_t(w_t)+g_t^\top(u-w_t)$. (3) Solve (1) for $g_t^\top(w_t-u)$ and sum over $t$.
        (4) Both parts are $GD\sqrt T/2$, and their sum is $@G\cdot@D\cdot@root=@bound$.""",
)  # fmt: skip

tube = Problem(
    name="tube",
    title="Dual of ε-SVR",
    kind=Gaps((
        Gap("$w=\\sum_i(\\alpha_i-\\alpha_i^*)x_i$", (
            ("$w=\\sum_i(\\alpha_i+\\alpha_i^*)x_i$", "The two constraints have x with opposite signs."),
            ("$w=\\sum_i\\alpha_iy_ix_i$", "That is the classifier, where y is a label. Here y is a target."),
        )),
        Gap("$\\sum_i(\\alpha_i-\\alpha_i^*)=0$", (
            ("$\\sum_i(\\alpha_i+\\alpha_i^*)=0$", "Then all would be 0, because none is negative."),
            ("$\\sum_iy_i=0$", "The derivative is with respect to b, and y is given."),
        )),
        Gap("a residual cannot be above $@eps$ and below $-@eps$ at the same time", (
            ("their sum is $C$", "Each has its own slack and its own bound C."),
            ("the kernel is positive definite", "It follows from the residual alone, for every kernel."),
        )),
        Gap("$-@eps\\sum_i(\\alpha_i+\\alpha_i^*)$", (
            ("$-@eps\\sum_i(\\alpha_i-\\alpha_i^*)$", "That sum is 0, so ε would have no effect."),
            ("$+@eps\\sum_i(\\alpha_i+\\alpha_i^*)$", "The constraint allows ε, which lowers the dual."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"eps": int(rng.integers(2, 20)), "n": int(rng.integers(10, 90))},
    statement=r"""
        For $\varepsilon$-SVR on $@n$ points with $\varepsilon=@eps$, minimise $\tfrac12\|w\|^2+C\sum_i(\xi_i+\xi_i^*)$ under
        $y_i-w^\top x_i-b\le@eps+\xi_i$ (multiplier $\alpha_i$), $w^\top x_i+b-y_i\le@eps+\xi_i^*$ (multiplier $\alpha_i^*$) and nonnegative
        slacks. Fill the gaps. The derivative with respect to $w$ gives **(1)**, that with respect to $b$ **(2)**. At the solution
        $\alpha_i\alpha_i^*=0$ because **(3)**. The dual, which is maximised, is the sum of $-\tfrac12\|w\|^2$, $\sum_iy_i(\alpha_i-\alpha_i^*)$ and
        **(4)**.""",
    solution=r"""
        The Lagrangian contains $\alpha_i(y_i-w^\top x_i-b-@eps-\xi_i)$ and $\alpha_i^*(w^\top x_i+b-y_i-@eps-\xi_i^*)$. (1) and (2) are its
        derivatives. (3) A multiplier is positive only if its constraint is active. (4) collects the terms with $\varepsilon$.""",
)  # fmt: skip

PROBLEMS = (price, loss, pegasos, where, memory, regret, tube)
