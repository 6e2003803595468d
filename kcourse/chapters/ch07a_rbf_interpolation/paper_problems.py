"""Pencil-and-paper problems of chapter 7a: RBF interpolation."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact, solve


def _draw_through(rng: np.random.Generator) -> dict[str, Any]:
    return {"x": np.cumsum(rng.integers(1, 4, 3)) - 1, "y": rng.integers(-4, 5, 3)}


def _work_through(x: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    A = np.abs(np.subtract.outer(x, x))
    if not y.any():
        raise Unfit("nothing to see")
    return {"A": A, "answer": solve(A, y)}


through = Problem(
    name="through",
    title="Interpolation with |r|",
    kind=Numbers(("w₁", "w₂", "w₃")),
    level=2, minutes=7, points=4,
    draw=_draw_through,
    work=_work_through,
    statement=r"""
        $s(x)=\sum_iw_i|x-x_i|$, without a constant, takes the values $@y$ at $x=@x$. What are its weights?""",
    solution=r"""
        $\Phi w=y$ with the distances $\Phi=@A$ gives $w=@answer$. (The matrix of the distances of distinct points is always
        invertible: it has one positive eigenvalue, and the others are negative.)""",
    mistakes=(
        Misconception("if the values are given instead of the weights", lambda y: list(exact(y))),
        Misconception("if the distances are squared",
             lambda A, y: solve(A**2, y), 0.25),
        Misconception("if y is multiplied by the matrix of distances instead of its inverse", lambda A, y: exact(A @ y), 0.25),
        Misconception("if each weight is half of the change of slope at its point, but the slopes at the ends are left out",
             lambda x, y: [0, (Fraction(int(y[2] - y[1]), int(x[2] - x[1])) - Fraction(int(y[1] - y[0]), int(x[1] - x[0]))) / 2,
                           0], 0.5),
    ),
)  # fmt: skip


def _draw_conditions(rng: np.random.Generator) -> dict[str, Any]:
    return {"n": int(rng.integers(20, 90)), "d": int(rng.integers(2, 5)), "m": int(rng.integers(1, 4))}


conditions = Problem(
    name="conditions",
    title="Size of the linear system",
    kind=Numbers("equations"),
    level=1, minutes=3, points=2,
    draw=_draw_conditions,
    work=lambda n, d, m: {"columns": comb(d + m, d), "top": d + m, "answer": n + comb(d + m, d)},
    statement=r"""
        $@n$ points in $@d$ dimensions are interpolated by radial basis functions plus a polynomial of degree at most $@m$.
        How many equations does the linear system for all coefficients have?""",
    solution=r"""
        There is one equation for each point and one side condition for each of the
        $\binom{@top}{@d}=@columns$ monomials, which makes $@answer$.""",
    mistakes=(
        Misconception("if the side conditions are forgotten", lambda n: n, 0.25),
        Misconception("if one condition is counted for each degree, including 0", lambda n, m: n + m + 1, 0.25),
        Misconception("if only the monomials of the highest degree are counted", lambda n, d, m: n + comb(d + m - 1, d - 1), 0.5),
        Misconception("if one condition is counted for each coordinate and one for the constant",
             lambda n, d, m: n + d + 1 if m > 1 else None, 0.5),
        Misconception("if the number of conditions is subtracted instead of added", lambda n, columns: n - columns if n > columns else None,
             0.25),
    ),
)  # fmt: skip


def _draw_bell(rng: np.random.Generator) -> dict[str, Any]:
    return {"phi": rng.integers(1, 4, 3), "y": rng.integers(-4, 5, 3), "lam": int(rng.integers(1, 5)),
            "g": int(rng.integers(2, 6))}  # fmt: skip


def _work_bell(phi: np.ndarray, y: np.ndarray, lam: int, g: int) -> dict[str, Any]:
    top, bottom = int(phi @ y), int(phi @ phi)
    if top == 0:
        raise Unfit("no weight")
    return {"top": top, "bottom": bottom, "below": bottom + lam * g, "answer": Fraction(top, bottom + lam * g)}


bell = Problem(
    name="bell",
    title="One centre for three points",
    kind=Numbers("w"),
    level=1, minutes=4, points=3,
    draw=_draw_bell,
    work=_work_bell,
    statement=r"""
        A model has one centre $t$ with $G(t,t)=@g$. At three points $G(x_i,t)$ has the values $@phi$, and the targets are
        $@y$. Which weight $w$ minimises $\sum_i(y_i-w\,G(x_i,t))^2+\lambda\|Df\|^2$ for $f=w\,G(\cdot,t)$ and
        $\lambda=@lam$?""",
    solution=r"""
        $\|Df\|^2=w^2G(t,t)$, so $w=\dfrac{\sum_iG(x_i,t)y_i}{\sum_iG(x_i,t)^2+\lambda G(t,t)}=\dfrac{@top}{@below}=@answer$.""",
    mistakes=(
        Misconception("if λ is left out", lambda top, bottom: Fraction(top, bottom), 0.25),
        Misconception("if λ is added without G(t, t), which penalises the square of the weight instead of the norm of f",
             lambda top, bottom, lam: Fraction(top, bottom + lam), 0.5),
        Misconception("if the values are not squared in the denominator", lambda top, phi, lam, g: Fraction(top, int(phi.sum()) + lam * g),
             0.25),
        Misconception("if the targets are added without the factors G(x_i, t)",
             lambda y, below: Fraction(int(y.sum()), below) if y.sum() else None, 0.25),
    ),
)  # fmt: skip


def _draw_flat(rng: np.random.Generator) -> dict[str, Any]:
    return {"far": int(rng.integers(10, 30)), "near": int(rng.integers(2, 9)), "level": 10 * int(rng.integers(20, 90))}


far_away = Problem(
    name="far_away",
    title="Far from all points",
    kind=Choice(),
    level=1, minutes=2, points=2,
    draw=_draw_flat,
    work=lambda level: {"answer": "It tends to 0, because every Gaussian does."},
    statement=r"""
        Gaussians of width $\sigma=@near$ km, without a constant, interpolate heights of about $@level$ m that were measured within
        an area. What is the height on the map at a location that is $@far\,\sigma$ away from every measurement?""",
    solution=r"""
        $e^{-r^2/(2\sigma^2)}$ at $r=@far\,\sigma$ is practically 0. To get about $@level$ m there, subtract the mean first
        or add a constant.""",
    mistakes=(
        Misconception("The sum contains the mean only if it was subtracted first.", "It tends to $@level$ m, the mean of the measurements."),
        Misconception("Only basis functions that grow, such as the multiquadric, go on rising.",
             "It continues with the slope at the edge of the area."),
        Misconception("The Gaussian of the nearest measurement is practically 0, too.", "It is the height of the nearest measurement."),
    ),
)  # fmt: skip

representer = Problem(
    name="representer",
    title="The representer theorem",
    kind=Gaps((
        Gap("its derivative in every direction $h$ is 0 there", (
            ("it is 0 there", "The minimum need not be 0. The derivative vanishes."),
            ("its second derivative is positive", "This shows that a stationary point is a minimum, but it does not find one."),
        )),
        Gap("$-2\\sum_i(y_i-f(x_i))\\,h(x_i)+@two\\langle f,h\\rangle$", (
            ("$-2\\sum_i(y_i-f(x_i))+@two\\langle f,h\\rangle$", "f(x_i) changes by h(x_i), which is a factor by the chain rule."),
            ("$-2\\sum_i(y_i-f(x_i))\\,h(x_i)+@lam\\langle f,h\\rangle$", "The squared norm changes by 2⟨f, h⟩."),
        )),
        Gap("$h(x_i)=\\langle k(\\cdot,x_i),h\\rangle$", (
            ("$h(x_i)=k(x_i,x_i)$", "That holds for h = k(·, x_i) alone. Here h is any function of the space."),
            ("$h(x_i)=\\|h\\|$", "Values are bounded by the norm, but not equal to it."),
        )),
        Gap("$(y_i-f(x_i))/@lam$", (
            ("$y_i/@lam$", "The weight contains the residual, not the target."),
            ("$@lam\\,(y_i-f(x_i))$", "λ multiplies f on the other side, so it divides here."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"lam": int(rng.integers(2, 20)), "n": int(rng.integers(5, 50))},
    work=lambda lam: {"two": 2 * lam},
    statement=r"""
        $f$ minimises $\sum_{i=1}^{@n}(y_i-f(x_i))^2+@lam\,\|f\|^2$ over an RKHS with the kernel $k$. Fill the gaps. At the minimum
        the objective does not change to first order, so **(1)**. The derivative in the direction $h$ is **(2)**. By the
        reproducing property **(3)**. So the function $-\sum_i(y_i-f(x_i))k(\cdot,x_i)+@lam f$ is orthogonal to every $h$ and
        hence 0. Therefore $f=\sum_i\alpha_ik(\cdot,x_i)$ with $\alpha_i=$ **(4)**.""",
    solution=r"""
        (1) and (2) Insert $f+\varepsilon h$ and collect the terms that are linear in $\varepsilon$. (3) is the reproducing property. (4) Solve for $f$.""",
)  # fmt: skip

PROBLEMS = (far_away, conditions, bell, through, representer)
