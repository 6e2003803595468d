"""Kernel ridge regression with a pencil."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact, solve


def _draw_least_norm(rng: np.random.Generator) -> dict[str, Any]:
    return {"x": np.cumsum(rng.integers(1, 4, 3)), "y": rng.integers(-3, 4, 3)}


def _work_least_norm(x: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    K = np.minimum.outer(x, x)
    alpha = solve(K, y)
    return {"K": K, "alpha": alpha, "answer": y @ alpha, "rise": np.diff(y, prepend=0), "run": np.diff(x, prepend=0)}


least_norm = Problem(
    name="least_norm",
    title="The least norm through three points",
    kind=Numbers("‖f‖²"),
    level=2, minutes=7, points=4,
    draw=_draw_least_norm,
    work=_work_least_norm,
    statement=r"""
        A function of the RKHS of $k(x,z)=\min(x,z)$ on the positive numbers takes at the points $@{x}$ the values
        $@{y}$, in this order. What is the smallest squared norm $\|f\|^2$ that it can have?""",
    solution=r"""
        The function of least norm is $f=\sum_i\alpha_i k(\cdot,x_i)$ with $K\alpha=y$, and
        $\|f\|^2=\alpha^\top K\alpha=y^\top K^{-1}y$. Here
        $$K=@K,\quad \alpha=@alpha^\top,\quad y^\top\alpha=@answer.$$
        Shorter: the norm of this kernel is $\int f'^2$ with $f(0)=0$, and $f$ is made of straight pieces. They rise
        by $@rise$ over lengths $@run$, and the sum of rise²/length is $@answer$.""",
    mistakes=(
        Misconception("if the piece from 0 to the first point is left out: functions of this space are 0 at 0",
             lambda rise, run: sum(exact(rise[1:]) ** 2 / exact(run[1:])), 0.5),
        Misconception("if K stands where its inverse belongs", lambda K, y: exact(y) @ exact(K) @ exact(y), 0.25),
        Misconception("if the sum of the squared values is taken, as if K were the unit matrix", lambda y: Fraction(int(y @ y))),
        Misconception("if the rises are squared and not divided by the lengths", lambda rise: Fraction(int(rise @ rise)), 0.25),
        Misconception("if the weights are squared and added: that is no norm of f, for K is missing between them",
             lambda alpha: alpha @ alpha),
    ),
)  # fmt: skip


def _draw_two_points(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = rng.integers(1, 6, 3)
    if a * b <= c * c:  # a kernel matrix
        raise Unfit("not positive definite")
    return {"K": np.array([[a, c], [c, b]]), "y": rng.integers(-4, 5, 2), "lam": int(rng.integers(2, 6))}


def _work_two_points(K: np.ndarray, y: np.ndarray, lam: int) -> dict[str, Any]:
    M = K + lam * np.eye(2, dtype=int)
    alpha = solve(M, y)
    if not alpha.all():
        raise Unfit("a weight is 0")
    return {"M": M, "det": int(M[0, 0] * M[1, 1] - M[0, 1] ** 2), "answer": alpha}


two_points = Problem(
    name="two_points",
    title="Two points, solved",
    kind=Numbers(("α₁", "α₂")),
    level=1, minutes=5, points=3,
    draw=_draw_two_points,
    work=_work_two_points,
    statement=r"""
        Two points have the kernel matrix $K=@K$ and the targets $y=@y$. Kernel ridge regression minimises
        $\sum_i (y_i-f(x_i))^2+\lambda\|f\|^2$ with $\lambda=@lam$. What are the weights of
        $f=\alpha_1k(\cdot,x_1)+\alpha_2k(\cdot,x_2)$?""",
    solution=r"""
        $(K+\lambda I)\alpha=y$ with $K+\lambda I=@M$, whose determinant is $@det$. So $\alpha=@answer$.""",
    mistakes=(
        Misconception("if λ is left out: this is the interpolant", lambda K, y: solve(K, y), 0.25),
        Misconception("if λ is added to every entry of K and not to its diagonal alone", lambda K, y, lam: solve(K + lam, y), 0.5),
        Misconception("if λ is multiplied by the number of points, which belongs to the mean of the squared errors",
             lambda K, y, lam: solve(K + 2 * lam * np.eye(2, dtype=int), y), 0.5),
        Misconception("if y is multiplied by K + λI, and not by its inverse", lambda M, y: exact(M @ y), 0.25),
        Misconception("if the fitted values Kα are given instead of the weights", lambda K, answer: exact(K) @ answer, 0.5),
    ),
)  # fmt: skip


def _draw_freedom(rng: np.random.Generator) -> dict[str, Any]:
    lam = int(rng.choice([2, 4, 6]))
    ratios = rng.choice([0, 0.5, 1, 2, 3, 5], 4, replace=False)  # d/λ, for which d/(d+λ) is short
    return {"d": sorted((int(lam * r) for r in ratios), reverse=True), "lam": lam}


def _work_freedom(d: list[int], lam: int) -> dict[str, Any]:
    factors = [Fraction(each, each + lam) for each in d]
    return {"factors": factors, "answer": sum(factors)}


freedom = Problem(
    name="freedom",
    title="How many degrees of freedom",
    kind=Numbers("df"),
    level=1, minutes=4, points=3,
    draw=_draw_freedom,
    work=_work_freedom,
    statement=r"""
        The kernel matrix of four points has the eigenvalues $@d$. How many effective degrees of freedom, the trace of
        $S=K(K+\lambda I)^{-1}$, has kernel ridge regression with $\lambda=@lam$?""",
    solution=r"""
        $S$ has the eigenvectors of $K$, and the eigenvalues $d_i/(d_i+\lambda)$: $@factors$. Their sum is $@answer$.""",
    mistakes=(
        Misconception("if the shares that are taken away are added, λ/(d + λ)", lambda d, answer: len(d) - answer, 0.25),
        Misconception("if the eigenvalues of the inverse of K + λI are added, without K before it",
             lambda d, lam: sum(Fraction(1, each + lam) for each in d), 0.25),
        Misconception("if λ is multiplied by the number of points",
             lambda d, lam: sum(Fraction(each, each + 4 * lam) for each in d), 0.5),
        Misconception("if the eigenvalues that are not 0 are counted, as for λ = 0", lambda d: sum(each > 0 for each in d)),
        Misconception("if the eigenvalues that are not below λ are counted", lambda d, lam: sum(each >= lam for each in d)),
    ),
)  # fmt: skip


def _draw_left_out(rng: np.random.Generator) -> dict[str, Any]:
    n, d = [(1, 2), (1, 4), (3, 4), (1, 5), (2, 5), (3, 5), (4, 5), (3, 8), (5, 8)][rng.integers(9)]
    error = int(rng.choice([-1, 1])) * int(rng.integers(1, 7))
    f = int(rng.integers(-5, 6))
    return {"h": Fraction(n, d), "y": f + error, "f": f}


def _work_left_out(h: Fraction, y: int, f: int) -> dict[str, Any]:
    return {"rest": 1 - h, "error": y - f, "answer": (y - f) / (1 - h)}


left_out = Problem(
    name="left_out",
    title="Left out, and not fitted again",
    kind=Numbers("error"),
    level=1, minutes=3, points=2,
    draw=_draw_left_out,
    work=_work_left_out,
    statement=r"""
        A kernel ridge machine has at a training point the target $y=@y$ and the value $f=@f$; the entry of its matrix
        $S=K(K+\lambda I)^{-1}$ on the diagonal there is $@h$. A machine that has learnt from all other points, with the
        same $\lambda$, is asked at this point. What is its error, target minus prediction?""",
    solution=r"""
        $y_i-f^{(-i)}(x_i)=(y_i-f(x_i))/(1-S_{ii})$. With $y-f=@error$ and $1-S_{ii}=@rest$ that is $@answer$.""",
    mistakes=(
        Misconception("if the error of the fit itself is taken: the point has helped to make it small",
             lambda error: Fraction(error), 0.25),
        Misconception("if the error is divided by the entry and not by 1 - S", lambda h, error: error / h, 0.5),
        Misconception("if the error is multiplied by 1 - S: leaving a point out makes its error larger",
             lambda rest, error: error * rest, 0.5),
        Misconception("if the prediction minus the target is taken", lambda answer: -answer, 0.75),
    ),
)  # fmt: skip

weights = Problem(
    name="weights",
    title="Why the weights solve K + λI",
    kind=Gaps((
        Gap("the part of $f$ orthogonal to all $k(\\cdot,x_i)$ changes no $f(x_i)$ and only adds to the norm", (
            ("every function of the space is such a sum",
             "The space may have infinite dimension; only the minimiser is such a sum."),
            ("the $k(\\cdot,x_i)$ are orthogonal to each other",
             "They are not, unless K is diagonal; what counts is the part orthogonal to all of them."),
        )),
        Gap("$\\|y-K\\alpha\\|^2+\\lambda\\,\\alpha^\\top K\\alpha$", (
            ("$\\|y-K\\alpha\\|^2+\\lambda\\,\\alpha^\\top\\alpha$",
             "The norm of f is not the length of its weights: the inner products of k(·, x_i) and k(·, x_j) are K."),
            ("$\\|y-\\alpha\\|^2+\\lambda\\,\\alpha^\\top K\\alpha$",
             "The values of f at the points are Kα, not α."),
        )),
        Gap("$-2K(y-K\\alpha)+2\\lambda K\\alpha$", (
            ("$-2(y-K\\alpha)+2\\lambda\\alpha$",
             "By the chain rule the inner derivative K stands before each of the two terms."),
            ("$-2K(y-K\\alpha)+\\lambda K\\alpha$", "The quadratic form has the gradient 2Kα: a 2 is missing."),
        )),
        Gap("$K\\bigl((K+\\lambda I)\\alpha-y\\bigr)=0$ holds, whether or not $K$ has an inverse", (
            ("$K$ has an inverse, or else there is no minimiser",
             "No inverse of K is needed: a solution of (K + λI)α = y makes the gradient 0 for every K."),
            ("all solutions of $K(\\cdot)=0$ are $0$",
             "That holds only if K has an inverse; here it is enough that α makes the bracket 0."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"lam": int(rng.integers(2, 10)), "n": int(rng.integers(3, 9))},
    statement=r"""
        What weights does the minimiser of $\sum_{i=1}^{@n}(y_i-f(x_i))^2+@lam\,\|f\|^2$ have? Fill the gaps; $\lambda=@lam$.
        The minimiser has the form $f=\sum_i\alpha_ik(\cdot,x_i)$, since **(1)**. In its weights the objective is
        **(2)**. Its gradient is **(3)**. A solution of $(K+\lambda I)\alpha=y$ makes it zero, since **(4)**. The
        objective is convex, so this is a minimum, and $K+\lambda I$ has an inverse because $\lambda>0$.""",
    solution=r"""
        (1) Write $f=f_\parallel+f_\perp$: $f_\perp(x_i)=\langle f_\perp,k(\cdot,x_i)\rangle=0$, and
        $\|f\|^2=\|f_\parallel\|^2+\|f_\perp\|^2$. (2) $f(x_i)=(K\alpha)_i$ and $\|f\|^2=\alpha^\top K\alpha$. (3) Both
        terms are quadratic forms in $\alpha$. (4) The gradient is $2K\bigl((K+\lambda I)\alpha-y\bigr)$.""",
)  # fmt: skip

shrinks = Problem(
    name="shrinks",
    title="What λ does along each eigenvector",
    kind=Gaps((
        Gap("$u$ is an eigenvector of $K+\\lambda I$, too, with the eigenvalue $@sum$", (
            ("$u$ is an eigenvector of $K+\\lambda I$, too, with the eigenvalue $@d$", "(K + λI)u = Ku + λu."),
            ("$K+\\lambda I$ has other eigenvectors than $K$", "I leaves every vector as it is."),
        )),
        Gap("$@keep$", (
            ("$@lost$", "That is what is left over."),
            ("$@inverse$", "That is the factor of α; the values have K before it."),
        )),
        Gap("$@lost$", (
            ("$@keep$", "That is what the machine keeps; what is left over is what is missing to 1."),
            ("$@bad$", "The residual is y minus the values: 1 minus the factor."),
        )),
        Gap("the eigenvalue is small beside $\\lambda$", (
            ("the eigenvalue is large beside $\\lambda$", "d/(d + λ) is near 1 then."),
            ("the targets are small in its direction", "The factor does not depend on the targets."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"d": int(rng.integers(1, 12)), "lam": int(rng.integers(1, 9))},
    work=lambda d, lam: {"sum": d + lam, "keep": Fraction(d, d + lam), "lost": Fraction(lam, d + lam), "inverse": Fraction(1, d + lam),
                         "bad": -Fraction(lam, d + lam)},
    statement=r"""
        $u$ is an eigenvector of $K$ with the eigenvalue $@d$; $\lambda=@lam$. Fill the gaps. **(1)**. So the part of $y$ in the direction
        $u$ is multiplied in the fitted values $K(K+\lambda I)^{-1}y$ by **(2)**, and in the residuals by **(3)**. A direction is given up
        almost altogether where **(4)**.""",
    solution=r"""
        (1) $(K+\lambda I)u=@d\,u+@lam\,u$. (2) $@d/@sum$. (3) $1-@keep=@lost$. (4) $d/(d+\lambda)$ is small then.""",
)  # fmt: skip

PROBLEMS = (left_out, two_points, freedom, least_norm, weights, shrinks)
