"""Interpolation and networks of radial functions with a pencil."""

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
    title="Through three points with |r|",
    kind=Numbers(("w₁", "w₂", "w₃")),
    level=2, minutes=7, points=4,
    draw=_draw_through,
    work=_work_through,
    statement=r"""
        $s(x)=\sum_iw_i|x-x_i|$, without a constant, goes through the values $@y$ at $x=@x$. What are its weights?""",
    solution=r"""
        $Aw=y$ with the distances $A=@A$. The weights are $w=@answer$. (The matrix of distances of different points always
        has an inverse: it has one positive eigenvalue, and negative ones.)""",
    mistakes=(
        Misconception("if the values stand for the weights", lambda y: list(exact(y))),
        Misconception("if the distances are squared: three points on a line still give a matrix with an inverse, but another s",
             lambda A, y: solve(A**2, y), 0.25),
        Misconception("if y is multiplied by the distances, and not by the inverse of their matrix", lambda A, y: exact(A @ y), 0.25),
        Misconception("if each weight is half of the change of slope at its point, and the slopes at the ends are left out",
             lambda x, y: [0, (Fraction(int(y[2] - y[1]), int(x[2] - x[1])) - Fraction(int(y[1] - y[0]), int(x[1] - x[0]))) / 2,
                           0], 0.5),
    ),
)  # fmt: skip


def _draw_conditions(rng: np.random.Generator) -> dict[str, Any]:
    return {"n": int(rng.integers(20, 90)), "d": int(rng.integers(2, 5)), "m": int(rng.integers(1, 4))}


conditions = Problem(
    name="conditions",
    title="How large is the system?",
    kind=Numbers("equations"),
    level=1, minutes=3, points=2,
    draw=_draw_conditions,
    work=lambda n, d, m: {"columns": comb(d + m, d), "top": d + m, "answer": n + comb(d + m, d)},
    statement=r"""
        $@n$ points in $@d$ dimensions are interpolated by a radial function with polynomials of degree up to $@m$ added to
        it. How many equations does the linear system for all weights have?""",
    solution=r"""
        One for each point, and one side condition for each monomial, of which there are
        $\binom{@top}{@d}=@columns$: $@answer$ in all.""",
    mistakes=(
        Misconception("if the side conditions are forgotten", lambda n: n, 0.25),
        Misconception("if one condition is counted for each degree, the constant's, too", lambda n, m: n + m + 1, 0.25),
        Misconception("if only the monomials of the highest degree are counted", lambda n, d, m: n + comb(d + m - 1, d - 1), 0.5),
        Misconception("if one condition is counted for each coordinate and one for the constant",
             lambda n, d, m: n + d + 1 if m > 1 else None, 0.5),
        Misconception("if there are so many conditions fewer and not more", lambda n, columns: n - columns if n > columns else None,
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
    title="One bell for three points",
    kind=Numbers("w"),
    level=1, minutes=4, points=3,
    draw=_draw_bell,
    work=_work_bell,
    statement=r"""
        A network has one centre $t$ with $k(t,t)=@g$; at three points its function has the values $@phi$. The targets are
        $@y$. Which weight $w$ minimises $\sum_i(y_i-wk(x_i,t))^2+\lambda\|f\|^2$ for $f=w\,k(\cdot,t)$ and
        $\lambda=@lam$?""",
    solution=r"""
        $\|f\|^2=w^2k(t,t)$, so $w=\dfrac{\sum_ik(x_i,t)y_i}{\sum_ik(x_i,t)^2+\lambda k(t,t)}=@answer$, of $@top$ and $@below$.""",
    mistakes=(
        Misconception("if λ is left out", lambda top, bottom: Fraction(top, bottom), 0.25),
        Misconception("if λ is added without k(t, t): that charges the weight's square and not the norm of f",
             lambda top, bottom, lam: Fraction(top, bottom + lam), 0.5),
        Misconception("if the values are not squared below the line", lambda top, phi, lam, g: Fraction(top, int(phi.sum()) + lam * g),
             0.25),
        Misconception("if the targets are added, not weighted by the values",
             lambda y, below: Fraction(int(y.sum()), below) if y.sum() else None, 0.25),
    ),
)  # fmt: skip


def _draw_cover(rng: np.random.Generator) -> dict[str, Any]:
    return {"N": int(rng.integers(4, 10)), "m": int(rng.integers(2, 5))}


def _work_cover(N: int, m: int) -> dict[str, Any]:
    terms = [comb(N - 1, k) for k in range(m)]
    return {"terms": terms, "before": N - 1, "last": m - 1, "sum": sum(terms), "answer": 2 * sum(terms)}


cover = Problem(
    name="cover",
    title="How many ways to split?",
    kind=Numbers("ways"),
    level=1, minutes=4, points=3,
    draw=_draw_cover,
    work=_work_cover,
    statement=r"""
        $@N$ points in general position in $@m$ dimensions: how many of their colourings with two colours can be split by a
        plane through 0?""",
    solution=r"""
        Cover: $2\sum_{k=0}^{@last}\binom{@before}{k}$. The terms are $@terms$, their sum $@sum$, and twice that is
        $@answer$.""",
    mistakes=(
        Misconception("if the factor 2 is forgotten", lambda sum: sum, 0.5),
        Misconception("if the number of points stands where one less belongs",
             lambda N, m: 2 * sum(comb(N, k) for k in range(m)), 0.5),
        Misconception("if the sum has one term more: that is for planes that need not go through 0",
             lambda N, m: 2 * sum(comb(N - 1, k) for k in range(m + 1)) if N > m + 1 else None, 0.5),
        Misconception("if all colourings are counted", lambda N: 2**N, 0.25),
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
    work=lambda level: {"answer": "Towards 0: every bell has faded there."},
    statement=r"""
        Gaussians of the width $\sigma=@near$ km, without a constant, interpolate heights of about $@level$ m that were measured within
        an area. What does the map say at a place that is $@far\,\sigma$ away from every measurement?""",
    solution=r"""
        $e^{-r^2/(2\sigma^2)}$ at $r=@far\,\sigma$ is nothing, whatever the weights. Who wants $@level$ m there subtracts the mean first,
        or adds a constant.""",
    mistakes=(
        Misconception("There is no mean in the sum, unless somebody subtracts it first.", "Towards $@level$ m, the mean of what was measured."),
        Misconception("Only functions that grow, such as the multiquadric or the thin plate, go on upwards.",
             "It goes on as steeply as at the edge of the area."),
        Misconception("The nearest bell has faded as the others have.", "The height of the nearest measurement."),
    ),
)  # fmt: skip

representer = Problem(
    name="representer",
    title="Why there is a bell at each point",
    kind=Gaps((
        Gap("its derivative in every direction $h$ is 0 there", (
            ("it is 0 there", "The least value need not be 0; what vanishes is the derivative."),
            ("its second derivative is positive", "That makes a point where the derivative vanishes a minimum; it does not find it."),
        )),
        Gap("$-2\\sum_i(y_i-f(x_i))\\,h(x_i)+@two\\langle f,h\\rangle$", (
            ("$-2\\sum_i(y_i-f(x_i))+@two\\langle f,h\\rangle$", "f(x_i) changes by h(x_i): by the chain rule that is a factor."),
            ("$-2\\sum_i(y_i-f(x_i))\\,h(x_i)+@lam\\langle f,h\\rangle$", "The squared norm changes by 2⟨f, h⟩."),
        )),
        Gap("$h(x_i)=\\langle k(\\cdot,x_i),h\\rangle$", (
            ("$h(x_i)=k(x_i,x_i)$", "That is so for one h alone; here h is any function of the space."),
            ("$h(x_i)=\\|h\\|$", "Values are bounded by the norm, and not equal to it."),
        )),
        Gap("$(y_i-f(x_i))/@lam$", (
            ("$y_i/@lam$", "The weight belongs to what f leaves over, not to the whole target."),
            ("$@lam\\,(y_i-f(x_i))$", "λ multiplies f on the other side: it divides here."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"lam": int(rng.integers(2, 20)), "n": int(rng.integers(5, 50))},
    work=lambda lam: {"two": 2 * lam},
    statement=r"""
        $f$ minimises $\sum_{i=1}^{@n}(y_i-f(x_i))^2+@lam\,\|f\|^2$ over a RKHS with the kernel $k$. Fill the gaps. At the minimum
        the objective does not change to first order: **(1)**. The derivative in the direction $h$ is **(2)**. By the
        reproducing property **(3)**. So the function $-\sum_i(y_i-f(x_i))k(\cdot,x_i)+@lam f$ is orthogonal to every $h$, and
        hence 0: $f=\sum_i\alpha_ik(\cdot,x_i)$ with $\alpha_i=$ **(4)**.""",
    solution=r"""
        (1) and (2): put $f+\varepsilon h$ in and take what is linear in $\varepsilon$. (3) is the reproducing property. (4) Solve for $f$.""",
)  # fmt: skip

recursion = Problem(
    name="recursion",
    title="One more point: Cover's count",
    kind=Gaps((
        Gap("some plane that makes this split goes through the new point", (
            ("the new point lies far away", "Distance plays no part: a plane through 0 sees directions alone."),
            ("the split has as many points on either side", "Any split may leave the new point free."),
        )),
        Gap("planes through 0 and the new point are planes in one dimension less", (
            ("the new point is left out", "It is used: the plane must go through it."),
            ("each split of the old points is made by two planes", "It is made by many, or by none."),
        )),
        Gap("$@sum$", (
            ("$@double$", "Not every split leaves the new point free to have either colour."),
            ("$@old$", "That counts each old split once; some come twice."),
        )),
    )),
    level=3, minutes=7, points=3,
    draw=lambda rng: {"N": int(rng.integers(4, 9)), "m": int(rng.integers(3, 5))},
    work=lambda N, m: {"old": _splits(N, m), "less": _splits(N, m - 1), "double": 2 * _splits(N, m), "before": m - 1,
                       "sum": _splits(N, m) + _splits(N, m - 1), "more": N + 1},
    statement=r"""
        $@N$ points in general position in $@m$ dimensions have $C(@N,@m)=@old$ splits by planes through 0; in $@before$ dimensions
        they would have $@less$. One more point comes, in general position. Fill the gaps. A split of the old points can be
        continued by either colour of the new point exactly if **(1)**. Splits of the old points for which that is so are as many as
        there are in $@before$ dimensions, since **(2)**. So the splits of $@more$ points number **(3)**.""",
    solution=r"""
        (1) Turn that plane a little to either side. (2) Project along the new point. (3) $C(N+1,m)=C(N,m)+C(N,m-1)=@old+@less=@sum$.""",
)  # fmt: skip


def _splits(N: int, m: int) -> int:
    return _work_cover(N, m)["answer"]


PROBLEMS = (far_away, conditions, bell, cover, through, representer, recursion)
