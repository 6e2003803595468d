"""Exam problems of chapter 7a: RBF interpolation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import (
    Choice,
    Free,
    Misconception,
    Numbers,
    Problem,
    Step,
    Unfit,
    exact,
    fit,
    inverse,
    solve,
)


def _draw_squares(rng: np.random.Generator) -> dict[str, Any]:
    start, step = int(rng.integers(-3, 3)), int(rng.integers(1, 4))
    return {
        "x": [start + step * i for i in range(4)],
        "c": int(rng.integers(1, 6)),
        "values": [int(v) for v in rng.integers(-4, 6, 3)],
    }


def _work_squares(x: list, values: list) -> dict[str, Any]:
    a, b, c = values
    if a - 2 * b + c == 0 or not a or not b or not c:
        raise Unfit("values on a line, or a value of 0")
    return {"first": a, "second": b, "third": c, "sums": [sum(w * v**p for w, v in zip((1, -3, 3, -1), x, strict=True)) for p in range(3)],
            "answer": a - 3 * b + 3 * c}  # fmt: skip


squares = Problem(
    name="squares",
    title="A basis function with a singular matrix",
    kind=Free((
        Step(r"expands $(x-z)^2+@c$ and writes it as a sum of three products of a function of $x$ and a function of $z$", 2),
        Step(r"concludes that the rank of $\Phi$ is at most 3, so that the $4\times4$ matrix is singular", 1),
        Step(r"gives three conditions, $\sum_ia_i=\sum_ia_ix_i=\sum_ia_ix_i^2=0$, that imply $\Phi a=0$", 1),
        Step(r"finds $a=(1,-3,3,-1)$ or a multiple", 1),
        Step(r"shows $a^\top y=a^\top\Phi w=0$, because $\Phi$ is symmetric, and finds $y_4=@answer$", 2),
    )),
    level=3, minutes=12, points=7,
    draw=_draw_squares,
    work=_work_squares,
    statement=r"""
        The basis function $\varphi(r)=r^2+@c$ is put on each of the points $x=@x$ of a line.
        (a) Show that $\Phi$ has a rank of at most 3. (b) Find weights $a\ne0$ with $\Phi a=0$. (c) The values at the first three points are $@values$, and $y_4$ is the value at the last. Suppose that an interpolant $s=\sum_iw_i\varphi(|x-x_i|)$ exists. What must $y_4$ be?""",
    solution=r"""
        (a) $\varphi(|x-z|)=(x-z)^2+@c=(x^2+@c)\cdot1-2x\cdot z+1\cdot z^2$ is a sum of three products of a function of $x$ and a function of $z$. So $\Phi$ is a sum of three matrices of rank at most 1, and its rank is at most 3.
        (b) Row $j$ of $\Phi a$ is $(x_j^2+@c)\sum_ia_i-2x_j\sum_ia_ix_i+\sum_ia_ix_i^2$. It is 0 for all $j$ if $\sum_ia_i=0$, $\sum_ia_ix_i=0$ and $\sum_ia_ix_i^2=0$. These are three equations for four unknowns. For points at equal distances
        $a=(1,-3,3,-1)$ satisfies them. The three sums are $@sums$.
        (c) If $\Phi w=y$, then $a^\top y=a^\top\Phi w=(\Phi a)^\top w=0$, because $\Phi$ is symmetric. So $y_1-3y_2+3y_3-y_4=0$, and
        $y_4=@first-3\cdot@{(second}+3\cdot@{(third}=@answer$.""",
)  # fmt: skip

claims = Problem(
    name="claims",
    title="True or false: weights and constants of Gaussians",
    kind=Free((
        Step("(a) says true, and adds the two quadratic forms, of which the first is positive unless $a=0$", 2),
        Step("(b) says false, and gives points, values and the weights, one of which is not positive", 2),
        Step("(c) says false, and considers the difference of the two interpolants, which interpolates the constant", 1),
        Step(r"(c) shows that this difference is not the constant: it tends to 0 far away (or gives an example with one point)", 2),
    )),
    level=2, minutes=11, points=7,
    draw=lambda rng: {"c": int(rng.integers(3, 10)), "more": int(rng.integers(2, 30))},
    work=lambda c: {"w": [Fraction(4 * c - 2, 3), Fraction(4 - 2 * c, 3)], "top": c - Fraction(1, 2), "rest": 1 - Fraction(c, 2),
                    "answer": [Fraction(4 * c - 2, 3), Fraction(4 - 2 * c, 3)]},
    statement=r"""
        True or false? Give a proof, or a counterexample with one or two points. All points are distinct, and all Gaussians have the same width.
        (a) If the matrices $\Phi$ of two basis functions $\varphi_1$ and $\varphi_2$ are positive definite, then the matrix of $\varphi_1+@c\,\varphi_2$ is also positive definite. (b) If Gaussians without a constant interpolate values $y_i$ that all lie between 1 and $@c$, then all weights are positive for
        every width. (c) If all values $y_i$ are raised by $@more$, the interpolant of Gaussians without a constant is raised by $@more$ at every $x$.""",
    solution=r"""
        (a) True. The matrix is $\Phi_1+@c\,\Phi_2$, and $a^\top(\Phi_1+@c\,\Phi_2)a=a^\top\Phi_1a+@c\,a^\top\Phi_2a>0$ unless $a=0$.
        (b) False. Take two points with the values $y=(@c,1)$, and a width for which the Gaussian has the value $\tfrac12$ at the distance of the two points. The equations $w_1+\tfrac12w_2=@c$ and $\tfrac12w_1+w_2=1$ have the solution
        $w_1=\tfrac43(@c-\tfrac12)$ and $w_2=\tfrac43(1-\tfrac12\cdot@c)$, so $w=(@w)$. The second weight is negative. The first Gaussian alone is already too high at the second point.
        (c) False. The difference of the two interpolants is also a sum of Gaussians on the points, and it interpolates the constant $@more$. Far from all points every Gaussian tends to 0, so the difference tends to 0 and is not $@more$. For example, with one
        point $s(x)=y_1e^{-\|x-x_1\|^2/(2\sigma^2)}$, and the difference is $@more\,e^{-\|x-x_1\|^2/(2\sigma^2)}$.""",
)  # fmt: skip

CORNERS = [(3, 4, 5), (5, 12, 13), (8, 15, 17), (4, 3, 5), (6, 8, 10), (9, 12, 15)]


def _draw_moving(rng: np.random.Generator) -> dict[str, Any]:
    c, d, s = CORNERS[rng.integers(len(CORNERS))]
    return {"n": int(rng.integers(2, 4)), "c": c, "d": d, "s": s}


def _work_moving(n: int, c: int, d: int, s: int) -> dict[str, Any]:
    top, low = c + (n - 1) * s, s - c
    enough = Fraction(2 * low * top, top - low)
    return {"shape": "Two points are the ends of a segment of length" if n == 2 else "Three points are the corners of an equilateral triangle with sides of length", "cc": c * c, "top": top, "low": low, "rest": n - 1,
            "times": "once" if n == 2 else "twice", "start": Fraction(top, low), "end": Fraction(top + 2 * low, low), "double": 2 * low, "enough": enough,
            "negative": -low, "gap": top - low, "twice": 2 * low * top, "answer": [top, -low, Fraction(top, low), enough]}  # fmt: skip


moving = Problem(
    name="moving",
    title="Sketch of the condition number of a multiquadric",
    kind=Free((
        Step(r"finds the eigenvalues $@top$ and $@negative$ (@times), with a reason", 2),
        Step(r"finds $\kappa(\lambda)=(@top+\lambda)/|\lambda-@low|$", 1),
        Step(r"draws $\kappa$ from $@start$ at 0, rising to infinity at $\lambda=@low$ and falling beyond it to $@end$ at $\lambda=@double$", 2),
        Step(r"solves $\kappa(\lambda)<\kappa(0)$ and finds $\lambda>@enough$", 2),
        Step(r"(d) finds $w^\top(\Phi-\lambda I)w=-(@low+\lambda)\|w\|^2$, which is negative unless $w=0$", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_moving,
    work=_work_moving,
    statement=r"""
        @shape $@d$. On each of them is a multiquadric $\varphi(r)=\sqrt{r^2+@cc}$.
        (a) Find the eigenvalues of $\Phi$. (b) Let $\kappa(\lambda)$ be the condition number of $\Phi+\lambda I$. Sketch $\kappa$ for $0\le\lambda\le@double$, with its values at both ends and the $\lambda$ at which $\Phi+\lambda I$ is singular. (c) For which
        $\lambda>0$ is $\Phi+\lambda I$ better conditioned than $\Phi$? (d) Show that $w^\top(\Phi-\lambda I)w<0$ for every $\lambda\ge0$ and all weights $w\ne0$ with $\sum_iw_i=0$.""",
    solution=r"""
        (a) $\varphi(0)=@c$, and $\varphi(@d)=@s$ for each pair. For $w=(1,\dots,1)$, $\Phi w=(@c+@rest\cdot@s)\,w=@top\,w$. For weights with $\sum_iw_i=0$, row $i$ of $\Phi w$ is $@c\,w_i+@s\sum_{j\ne i}w_j=(@c-@s)\,w_i$. So the eigenvalues are $@top$ and $@negative$ (@times).
        (b) The eigenvalues of $\Phi+\lambda I$ are $@top+\lambda$ and $\lambda-@low$, and the first has the larger absolute value. So $\kappa(\lambda)=(@top+\lambda)/|\lambda-@low|$. The curve begins at $\kappa(0)=@start$ and rises to infinity at $\lambda=@low$, where the matrix is singular. Beyond it
        $\kappa$ falls, to $\kappa(@double)=@end$.
        (c) For $\lambda<@low$ the numerator is larger and the denominator smaller than at 0, so $\kappa(\lambda)>\kappa(0)$. For $\lambda>@low$ the condition is $(@top+\lambda)/(\lambda-@low)<@top/@low$, which is $@gap\,\lambda>@twice$, so $\lambda>@enough$.
        (d) For such weights $\Phi w=(@c-@s)\,w$ by (a), so $w^\top(\Phi-\lambda I)w=-(@low+\lambda)\|w\|^2<0$ unless $w=0$.""",
)  # fmt: skip


def _draw_weighted(rng: np.random.Generator) -> dict[str, Any]:
    g, h, v = int(rng.integers(2, 6)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
    if h >= g:
        raise Unfit("no kernel")
    return {"g": g, "h": h, "v": v, "lam": v * int(rng.integers(1, 3)), "y": rng.integers(-4, 9, 2)}


def _work_weighted(g: int, h: int, v: int, lam: int, y: np.ndarray) -> dict[str, Any]:
    M = np.array([[g + lam, h], [h, g + lam // v]])
    w = solve(M, y)
    if not w.all():
        raise Unfit("a weight of 0")
    fit(w, denominator=30)
    return {"G": np.array([[g, h], [h, g]]), "M": M, "part": lam // v, "answer": w}


weighted = Problem(
    name="weighted",
    title="A generalised network with weighted errors",
    kind=Free((
        Step(r"writes the criterion as $(y-\mathsf Gw)^\top V(y-\mathsf Gw)+\lambda w^\top\mathsf G_0w$ (or with sums)", 2),
        Step(r"sets the gradient to 0 and finds $(\mathsf G^\top V\mathsf G+\lambda\mathsf G_0)w=\mathsf G^\top Vy$", 2),
        Step(r"shows that this matrix is positive definite, so that there is exactly one $w$", 1),
        Step(r"inserts $\mathsf G=\mathsf G_0=G$ and finds $(G+\lambda V^{-1})w=y$", 2),
        Step(r"solves the two equations, $w=@answer$", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_weighted,
    work=_work_weighted,
    statement=r"""
        Errors at some points matter more than at others. Minimise $\sum_{i=1}^nv_i(y_i-f(x_i))^2+\lambda\|Df\|^2$ with given $v_i>0$ and $\lambda>0$, over $f=\sum_{j=1}^mw_jG(\cdot,t_j)$ with distinct centres $t_j$. Let $\mathsf G_{ij}=G(x_i,t_j)$, and let
        $(\mathsf G_0)_{jl}=G(t_j,t_l)$ be positive definite. $V$ is the diagonal matrix of the $v_i$.
        (a) Derive the linear system for $w$. (b) Why does it have exactly one solution? (c) Now all points are centres, $\mathsf G=\mathsf G_0=G$. Show that $(G+\lambda V^{-1})\,w=y$. (d) Compute $w$ for two points as centres with $G=\begin{pmatrix}@g&@h\\@h&@g\end{pmatrix}$, $v=(1,@v)$,
        $\lambda=@lam$ and $y=@y$.""",
    solution=r"""
        (a) $f(x_i)=(\mathsf Gw)_i$ and $\|Df\|^2=w^\top\mathsf G_0w$, so the criterion is $(y-\mathsf Gw)^\top V(y-\mathsf Gw)+\lambda\,w^\top\mathsf G_0w$. Its gradient is $-2\,\mathsf G^\top V(y-\mathsf Gw)+2\lambda\,\mathsf G_0w$. It is 0 if
        $$(\mathsf G^\top V\mathsf G+\lambda\mathsf G_0)\,w=\mathsf G^\top Vy.$$
        (b) For $a\ne0$, $a^\top(\mathsf G^\top V\mathsf G+\lambda\mathsf G_0)a=\sum_iv_i(\mathsf Ga)_i^2+\lambda\,a^\top\mathsf G_0a>0$. The first term is not negative and the second is positive. So the matrix is positive definite and invertible.
        (c) With $\mathsf G=\mathsf G_0=G$ the gradient is 0 if $G\,V(y-Gw)=\lambda Gw$. $G$ is invertible, so $V(y-Gw)=\lambda w$. Multiply by $V^{-1}$, and $y=(G+\lambda V^{-1})\,w$.
        (d) $\lambda V^{-1}$ has the diagonal $@lam$ and $@lam/@v=@part$, so $@M\,w=@y$. The solution is $w=@answer$.""",
)  # fmt: skip


def _draw_green(rng: np.random.Generator) -> dict[str, Any]:
    p, q = int(rng.integers(1, 5)), int(rng.integers(1, 5))
    return {
        "p": p,
        "q": q,
        "a": p * p,
        "b": q * q,
        "lam": Fraction(1, int(rng.integers(1, 7)) * 2),
        "y": int(rng.integers(2, 10)),
    }


def _work_green(p: int, q: int, lam: Fraction, y: int) -> dict[str, Any]:
    if p == q or 1 in (p, q):
        raise Unfit("a length of 1, or a factor of 1")
    C = Fraction(1, 2 * p * q)
    weight = y / (C + lam)
    fit(weight, weight * C, denominator=20, largest=99)
    return {
        "length": Fraction(q, p),
        "C": C,
        "weight": weight,
        "value": weight * C,
        "below": C + lam,
        "answer": [Fraction(q, p), C, weight * C],
    }


green = Problem(
    name="green",
    title="The Green's function of another penalty",
    kind=Free((
        Step(r"integrates by parts and finds $D^*D=@a-@b\,\partial^2$", 2),
        Step(r"finds $\ell=@length$ from $@a\,G=@b\,G''$ away from $t$", 2),
        Step(r"finds the jump $-2A/\ell$ of the slope at $t$, and $A=@C$ from $@b\cdot2A/\ell=1$", 2),
        Step(r"writes $f=w\,G(\cdot,x_1)$ with $w=y_1/(G(x_1,x_1)+\lambda)=@weight$, and finds $f(x_1)=@value$", 2),
    )),
    level=3, minutes=12, points=8,
    draw=_draw_green,
    work=_work_green,
    statement=r"""
        On the line let $\|Df\|^2=\int\big(@a\,f^2+@b\,f'^2\big)dx$, for functions that vanish at infinity.
        (a) Find $D^*D$. (b) The Green's function is $G(x,t)=A\,e^{-|x-t|/\ell}$. Find $\ell$ and $A$. (c) One value $y_1=@y$ at $x_1$ is known. Which function minimises $(y_1-f(x_1))^2+\lambda\|Df\|^2$ for $\lambda=@lam$, and what is $f(x_1)$?""",
    solution=r"""
        (a) $\langle Dg,Df\rangle=\int(@a\,gf+@b\,g'f')\,dx$. Integrate the second term by parts. The boundary terms are 0, and $\int g'f'dx=-\int g''f\,dx$. So $\langle Dg,Df\rangle=\int(@a\,g-@b\,g'')f\,dx$, which means $D^*D=@a-@b\,\partial^2$.
        (b) Away from $t$, $@a\,G=@b\,G''$. With $G''=G/\ell^2$ this is $\ell^2=@b/@a$, so $\ell=@length$. At $t$ the slope jumps from $A/\ell$ to $-A/\ell$, by $-2A/\ell$. $-@b\,G''$ must contain $\delta_t$ with the factor 1, so $@b\cdot2A/\ell=1$ and
        $A=\ell/(2\cdot@b)=@C$.
        (c) The minimiser is $f=w\,G(\cdot,x_1)$ with $(G(x_1,x_1)+\lambda)\,w=y_1$. $G(x_1,x_1)=A=@C$, so $w=@y/@below=@weight$. The function is $f(x)=@weight\cdot@C\,e^{-|x-x_1|/\ell}$ with $\ell=@length$, and $f(x_1)=@value$.""",
)  # fmt: skip


def _draw_omitted(rng: np.random.Generator) -> dict[str, Any]:
    gaps = rng.integers(1, 4, 2)
    start = int(rng.integers(-3, 3))
    return {"x": [start, start + int(gaps[0]), start + int(gaps.sum())], "y": rng.integers(-4, 6, 3)}


def _work_omitted(x: list, y: np.ndarray) -> dict[str, Any]:
    inv = inverse(np.abs(np.subtract.outer(x, x)))
    w, diagonal = inv @ exact(y), np.diag(inv)
    if not w.all() or not y.all():
        raise Unfit("an error of 0")
    fit(inv, w, w / diagonal, denominator=40)
    return {"inv": inv, "diagonal": diagonal, "w": w, "answer": w / diagonal}


omitted = Problem(
    name="omitted",
    title="Leave-one-out errors of an interpolant",
    kind=Numbers(("error at the first point", "error at the second point", "error at the third point")),
    level=2, minutes=7, points=4,
    draw=_draw_omitted,
    work=_work_omitted,
    statement=r"""
        $s(x)=\sum_iw_i|x-x_i|$, without a constant, interpolates the values $y=@y$ at $x=@x$. The inverse of its matrix is $\Phi^{-1}=@inv$. What are the leave-one-out errors at the three points, each the value minus the prediction by the interpolant of the other two?""",
    solution=r"""
        The weights are $w=\Phi^{-1}y=@w$, and the diagonal of $\Phi^{-1}$ is $@diagonal$. The leave-one-out errors $w_i/(\Phi^{-1})_{ii}$ are $@answer$.""",
    mistakes=(
        Misconception("if the weights are given", lambda w: w, 0.25),
        Misconception("if the weights are multiplied by the diagonal of the inverse instead of divided", lambda w, diagonal: w * diagonal, 0.25),
        Misconception("if the value is subtracted from the prediction", lambda answer: -answer, 0.75),
        Misconception("if the values y are divided by the diagonal of the inverse instead of the weights", lambda y, diagonal: exact(y) / diagonal, 0.25),
    ),
)  # fmt: skip


def _work_polygon(x: list, y: np.ndarray) -> dict[str, Any]:
    one, two = (Fraction(int(y[i + 1] - y[i]), x[i + 1] - x[i]) for i in (0, 1))
    w = [one / 2, (two - one) / 2, -two / 2]
    if not all(w) or y[0] + y[2] == 0:
        raise Unfit("a weight of 0, or no constant")
    fit(w, solve(np.abs(np.subtract.outer(x, x)), y), denominator=40)
    return {
        "one": one,
        "two": two,
        "w": w,
        "beta": Fraction(int(y[0] + y[2]), 2),
        "left": int(y[0]),
        "end": int(y[2]),
        "answer": [*w, Fraction(int(y[0] + y[2]), 2)],
    }


polygon = Problem(
    name="polygon",
    title="Interpolation with a constant",
    kind=Numbers(("w₁", "w₂", "w₃", "β")),
    level=2, minutes=8, points=5,
    draw=_draw_omitted,
    work=_work_polygon,
    statement=r"""
        $s(x)=\sum_iw_i|x-x_i|+\beta$ with $\sum_iw_i=0$ takes the values $y=@y$ at $x=@x$. What are the weights and the constant?""",
    solution=r"""
        Between neighbouring points $s$ is a straight line, with the slopes $@one$ and $@two$. At $x_i$ the slope of $s$ grows by $2w_i$, because the slope of $|x-x_i|$ grows from $-1$ to 1. Left of all points the slope is $-\sum_iw_i=0$, and right of all points it is $\sum_iw_i=0$. So the weights are half of the changes of slope,
        $@w$. Left of all points $s$ is the constant $\sum_iw_ix_i+\beta=@left$, and right of them it is $-\sum_iw_ix_i+\beta=@end$. Half of the sum of both is $\beta=@beta$.""",
    mistakes=(
        Misconception("if the constant is left out, so that the weights need not have the sum 0",
             lambda x, y: [*solve(np.abs(np.subtract.outer(x, x)), y), 0], 0.25),
        Misconception("if each weight is the whole change of slope instead of half of it", lambda w, beta: [*(2 * v for v in w), beta], 0.5),
        Misconception("if the constant is the mean of all three values", lambda w, y, beta: [*w, m] if (m := Fraction(int(y.sum()), 3)) != beta else None, 0.5),
        Misconception("if the slope outside the points is taken to be that of the nearest piece, so that only the middle point has a weight", lambda w, beta: [0, w[1], 0, beta], 0.25),
    ),
)  # fmt: skip

settings = Problem(
    name="settings",
    title="Parameters of another program",
    kind=Numbers(("epsilon of the multiquadric", "smoothing of the multiquadric", "σ² of the Gaussian")),
    level=1, minutes=6, points=3,
    draw=lambda rng: {"c": int(rng.integers(2, 10)), "lam": int(rng.integers(2, 12)), "eps": Fraction(1, int(rng.integers(2, 6)))},
    work=lambda c, lam, eps: {"cc": c * c, "answer": [Fraction(1, c), Fraction(lam, c), 1 / (2 * eps * eps)]},
    statement=r"""
        A program has the basis functions $-\sqrt{1+(\mathtt{epsilon}\cdot r)^2}$ and $e^{-(\mathtt{epsilon}\cdot r)^2}$ and adds the number $\mathtt{smoothing}$ to each diagonal entry of its matrix. It also adds a constant. Our system has the multiquadric $\sqrt{r^2+@cc}$, the matrix $\Phi-\lambda I$ with $\lambda=@lam$, and a
        constant. Which $\mathtt{epsilon}$ and which $\mathtt{smoothing}$ give the same function $s$? And which $\sigma^2$ has the Gaussian $e^{-r^2/(2\sigma^2)}$ that is the program's for $\mathtt{epsilon}=@eps$?""",
    solution=r"""
        $\sqrt{r^2+@cc}=@c\sqrt{1+(r/@c)^2}$, so $\mathtt{epsilon}=1/@c$, and the program's matrix without smoothing is $-\Phi/@c$. The matrix $-(\Phi-\lambda I)/@c$ has $\lambda/@c=@lam/@c$ more on its diagonal, which is $\mathtt{smoothing}$. The weights are then multiplied by $-@c$, and $s$ is the same. For the Gaussian
        $\mathtt{epsilon}^2=1/(2\sigma^2)$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if epsilon is taken to be a length", lambda c, answer: [c, *answer[1:]], 0.5),
        Misconception("if λ is not divided by c", lambda lam, answer: [answer[0], lam, answer[2]], 0.5),
        Misconception("if λ is multiplied by c", lambda lam, c, answer: [answer[0], lam * c, answer[2]], 0.5),
        Misconception("if the factor 2 in the Gaussian is left out", lambda answer: [*answer[:2], 2 * answer[2]], 0.75),
    ),
)  # fmt: skip


def _draw_centres(rng: np.random.Generator) -> dict[str, Any]:
    g, h = int(rng.integers(3, 6)), int(rng.integers(1, 4))
    if h >= g:
        raise Unfit("no kernel")
    return {
        "G": rng.integers(1, g, (3, 2)),
        "G0": np.array([[g, h], [h, g]]),
        "lam": int(rng.integers(1, 4)),
        "y": rng.integers(-3, 7, 3),
    }


def _work_centres(G: np.ndarray, G0: np.ndarray, lam: int, y: np.ndarray) -> dict[str, Any]:
    M, right = G.T @ G + lam * G0, G.T @ y
    w = solve(M, right)
    if (G[0] == G[1]).all() or not right.any() or not all(w) or np.linalg.matrix_rank(G) < 2:
        raise Unfit("equal points, or no weight")
    fit(w, denominator=30)
    return {"square": G.T @ G, "M": M, "right": right, "answer": w}


centres = Problem(
    name="centres",
    title="Two centres for three points",
    kind=Numbers(("w₁", "w₂")),
    level=2, minutes=8, points=5,
    draw=_draw_centres,
    work=_work_centres,
    statement=r"""
        A generalised network has two centres. The values of its basis functions at three points and at the centres are $\mathsf G=@G$ and $\mathsf G_0=@G0$, and the targets are $y=@y$. Which weights minimise the sum of squared errors plus $\lambda\|Df\|^2$ with $\lambda=@lam$?""",
    solution=r"""
        $\mathsf G^\top\mathsf G=@square$, so $\mathsf G^\top\mathsf G+\lambda\mathsf G_0=@M$, and $\mathsf G^\top y=@right$. The gradient is 0 if $(\mathsf G^\top\mathsf G+\lambda\mathsf G_0)\,w=\mathsf G^\top y$. The solution of these two equations is $w=@answer$.""",
    mistakes=(
        Misconception("if λ is left out", lambda square, right: solve(square, right), 0.25),
        Misconception("if the penalty is on the squared weights, with the unit matrix in place of the matrix of the centres",
             lambda square, right, lam: solve(square + lam * np.eye(2, dtype=int), right), 0.5),
        Misconception("if the matrix of the centres is added without λ", lambda square, right, G0, lam: solve(square + G0, right) if lam != 1 else None, 0.5),
        Misconception("if λ is subtracted", lambda square, right, G0, lam: solve(square - lam * G0, right), 0.25),
    ),
)  # fmt: skip

EIGENVALUES = {
    "all": "All eigenvalues are positive.",
    "even": "One eigenvalue is positive, and the determinant is positive.",
    "odd": "One eigenvalue is positive, and the determinant is negative.",
    "none": "0 is an eigenvalue.",
}


def _draw_signs(rng: np.random.Generator) -> dict[str, Any]:
    d, c = int(rng.integers(2, 5)), int(rng.integers(2, 10))
    return {"n": int(rng.integers(d + 4, 30)), "d": d, "c": c, "which": int(rng.choice([0, 1, 2, 2, 2, 3]))}


def _work_signs(n: int, d: int, c: int, which: int) -> dict[str, Any]:
    right = ["all", "all", "odd" if n % 2 == 0 else "even", "none"][which]
    phi = [rf"e^{{-r^2/{c}}}", rf"\frac1{{\sqrt{{r^2+{c}}}}}", rf"\sqrt{{r^2+{c}}}", rf"r^2+{c}"][which]
    why = ["It is a Gaussian, and its matrix is positive definite.", "It is an inverse multiquadric, a mixture of Gaussians with positive weights, so its matrix is positive definite.",
           f"It is a multiquadric. One eigenvalue is positive, and ${n - 1}$ are negative. The determinant is the product of all eigenvalues.",
           f"The function is a sum of ${d + 2}$ products of a function of $x$ and a function of $z$, so the rank of $\\Phi$ is at most ${d + 2}$, and there are ${n}$ points."][which]  # fmt: skip
    return {"phi": phi, "why": why, "right": right, "answer": EIGENVALUES[right]}


signs = Problem(
    name="signs",
    title="Eigenvalues of a matrix of basis functions",
    kind=Choice(),
    level=2, minutes=4, points=3,
    draw=_draw_signs,
    work=_work_signs,
    statement=r"""
        The basis function $\varphi(r)=@phi$ is put on $@n$ distinct points in $@d$ dimensions. Which statement about the eigenvalues of $\Phi$ is true?""",
    solution=r"""
        @why So the true statement is “@answer”""",
    mistakes=(
        Misconception("This basis function grows with the distance, so it is not a mixture of Gaussians, and its matrix is not positive definite.",
             lambda right: None if right == "all" else EIGENVALUES["all"]),
        Misconception("The determinant is not positive here, or more than one eigenvalue is positive.", lambda right: None if right == "even" else EIGENVALUES["even"], 0.25),
        Misconception("The determinant is not negative here.", lambda right: None if right == "odd" else EIGENVALUES["odd"], 0.25),
        Misconception("For distinct points this basis function satisfies the hypotheses that make the matrix invertible.", lambda right: None if right == "none" else EIGENVALUES["none"]),
    ),
)  # fmt: skip

digits = Problem(
    name="digits",
    title="Condition number and the error of the weights",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=lambda rng: {"kappa": int(rng.integers(2, 7)), "data": int(rng.integers(7, 13))},
    work=lambda kappa, data: {"left": data - kappa, "answer": f"$10^{{-{data - kappa}}}$"},
    statement=r"""
        The values $y$ have a relative error of $10^{-@data}$, and $\Phi$ has the condition number $10^{@kappa}$. Everything is computed in double precision. About how large can the relative error of the weights become?""",
    solution=r"""
        The condition number bounds the factor by which a relative error may grow, $10^{@kappa}\cdot10^{-@data}=10^{-@left}$. Rounding errors of $10^{-16}$ grow by the same factor and stay smaller.""",
    mistakes=(
        Misconception("The error of the values can also grow on the way to the weights.", lambda data: f"$10^{{-{data}}}$"),
        Misconception("These are the rounding errors, multiplied by the condition number. The error of the values is larger.", lambda kappa: f"$10^{{-{16 - kappa}}}$", 0.25),
        Misconception("The error is multiplied by the condition number, not divided by it.", lambda kappa, data: f"$10^{{-{data + kappa}}}$"),
    ),
)  # fmt: skip

PROBLEMS = (squares, claims, moving, weighted, green, omitted, polygon, settings, centres, signs, digits)
