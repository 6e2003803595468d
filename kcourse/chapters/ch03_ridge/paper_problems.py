"""Pencil-and-paper problems on kernel ridge regression."""

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
        A function $f$ belongs to the RKHS of $k(x,z)=\min(x,z)$ on the positive numbers. At the points $@{x}$ it has
        the values $@{y}$, in this order. What is the smallest possible squared norm $\|f\|^2$?""",
    solution=r"""
        The function of least norm is $f=\sum_i\alpha_i k(\cdot,x_i)$ with $K\alpha=y$, and
        $\|f\|^2=\alpha^\top K\alpha=y^\top K^{-1}y$. Here
        $$K=@K,\quad \alpha=@alpha^\top,\quad y^\top\alpha=@answer.$$
        There is a shorter way. For this kernel $\|f\|^2=\int f'^2$ with $f(0)=0$, and the $f$ of least norm consists of
        straight pieces. They rise by $@rise$ over the lengths $@run$, and the sum of rise²/length is $@answer$.""",
    mistakes=(
        Misconception("if the piece from 0 to the first point is left out, although every function of this space is 0 at 0",
             lambda rise, run: sum(exact(rise[1:]) ** 2 / exact(run[1:])), 0.5),
        Misconception("if K is used in place of its inverse", lambda K, y: exact(y) @ exact(K) @ exact(y), 0.25),
        Misconception("if the squared values are added, as if K were the identity matrix", lambda y: Fraction(int(y @ y))),
        Misconception("if the rises are squared but not divided by the lengths", lambda rise: Fraction(int(rise @ rise)), 0.25),
        Misconception("if the squares of the coefficients α are added, which is not ‖f‖², because K is missing",
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
        raise Unfit("a coefficient is 0")
    return {"M": M, "det": int(M[0, 0] * M[1, 1] - M[0, 1] ** 2), "answer": alpha}


two_points = Problem(
    name="two_points",
    title="Two points, solved",
    kind=Numbers(("α₁", "α₂")),
    level=1, minutes=5, points=3,
    draw=_draw_two_points,
    work=_work_two_points,
    statement=r"""
        Two points have the Gram matrix $K=@K$ and the targets $y=@y$. Kernel ridge regression minimises
        $\sum_i (y_i-f(x_i))^2+\lambda\|f\|^2$ with $\lambda=@lam$. What are the coefficients of
        $f=\alpha_1k(x_1,\cdot)+\alpha_2k(x_2,\cdot)$?""",
    solution=r"""
        $(K+\lambda I)\alpha=y$ with $K+\lambda I=@M$, whose determinant is $@det$. So $\alpha=@answer$.""",
    mistakes=(
        Misconception("if λ is left out, which gives the interpolant", lambda K, y: solve(K, y), 0.25),
        Misconception("if λ is added to every entry of K and not only to its diagonal", lambda K, y, lam: solve(K + lam, y), 0.5),
        Misconception("if λ is multiplied by the number of points, which belongs to the mean of the squared errors",
             lambda K, y, lam: solve(K + 2 * lam * np.eye(2, dtype=int), y), 0.5),
        Misconception("if y is multiplied by K + λI instead of its inverse", lambda M, y: exact(M @ y), 0.25),
        Misconception("if the fitted values Kα are given instead of the coefficients α", lambda K, answer: exact(K) @ answer, 0.5),
    ),
)  # fmt: skip


def _draw_freedom(rng: np.random.Generator) -> dict[str, Any]:
    lam = int(rng.choice([2, 4, 6]))
    ratios = rng.choice([0, 0.5, 1, 2, 3, 5], 4, replace=False)  # μ/λ for which μ/(μ+λ) is a short fraction
    return {"mu": sorted((int(lam * r) for r in ratios), reverse=True), "lam": lam}


def _work_freedom(mu: list[int], lam: int) -> dict[str, Any]:
    factors = [Fraction(each, each + lam) for each in mu]
    return {"factors": factors, "answer": sum(factors)}


freedom = Problem(
    name="freedom",
    title="How many degrees of freedom",
    kind=Numbers("df"),
    level=1, minutes=4, points=3,
    draw=_draw_freedom,
    work=_work_freedom,
    statement=r"""
        The Gram matrix $K$ of four points has the eigenvalues $@mu$. How many effective degrees of freedom does kernel
        ridge regression with $\lambda=@lam$ have? They are the trace of $H=K(K+\lambda I)^{-1}$.""",
    solution=r"""
        $H$ has the eigenvectors of $K$, and its eigenvalues $\mu_j/(\mu_j+\lambda)$ are $@factors$. Their sum is $@answer$.""",
    mistakes=(
        Misconception("if the factors of the residuals are added, λ/(μ + λ)", lambda mu, answer: len(mu) - answer, 0.25),
        Misconception("if the eigenvalues of the inverse of K + λI are added, where K is missing",
             lambda mu, lam: sum(Fraction(1, each + lam) for each in mu), 0.25),
        Misconception("if λ is multiplied by the number of points",
             lambda mu, lam: sum(Fraction(each, each + 4 * lam) for each in mu), 0.5),
        Misconception("if the eigenvalues that are not 0 are counted, as for λ = 0", lambda mu: sum(each > 0 for each in mu)),
        Misconception("if the eigenvalues that are not below λ are counted", lambda mu, lam: sum(each >= lam for each in mu)),
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
    title="Leave-one-out without refitting",
    kind=Numbers("error"),
    level=1, minutes=3, points=2,
    draw=_draw_left_out,
    work=_work_left_out,
    statement=r"""
        A kernel ridge regression has the fitted value $f(x_i)=@f$ at a training point with the target $y_i=@y$. The
        diagonal entry of its matrix $H=K(K+\lambda I)^{-1}$ is $H_{ii}=@h$. The model is fitted again without this point,
        with the same $\lambda$. What is its error at this point, target minus prediction?""",
    solution=r"""
        $y_i-f_{-i}(x_i)=(y_i-f(x_i))/(1-H_{ii})$. With $y_i-f(x_i)=@error$ and $1-H_{ii}=@rest$ this is $@answer$.""",
    mistakes=(
        Misconception("if the training residual is given, which the point itself has helped to make small",
             lambda error: Fraction(error), 0.25),
        Misconception("if the residual is divided by H_ii instead of 1 - H_ii", lambda h, error: error / h, 0.5),
        Misconception("if the residual is multiplied by 1 - H_ii, although leaving a point out makes its residual larger",
             lambda rest, error: error * rest, 0.5),
        Misconception("if the target is subtracted from the prediction", lambda answer: -answer, 0.75),
    ),
)  # fmt: skip

weights = Problem(
    name="weights",
    title="Why α solves a system with K + λI",
    kind=Gaps((
        Gap("the part of $f$ orthogonal to all $k(x_i,\\cdot)$ changes no $f(x_i)$ and only adds to the norm", (
            ("every function of the space is such a sum",
             "The space may have infinite dimension, and only the minimiser has to be such a sum."),
            ("the $k(x_i,\\cdot)$ are orthogonal to each other",
             "They are not, unless K is diagonal. What matters is the part of f that is orthogonal to all of them."),
        )),
        Gap("$\\|y-K\\alpha\\|^2+\\lambda\\,\\alpha^\\top K\\alpha$", (
            ("$\\|y-K\\alpha\\|^2+\\lambda\\,\\alpha^\\top\\alpha$",
             "The norm of f is not the length of α, because the inner products of the k(x_i, ·) are the entries of K."),
            ("$\\|y-\\alpha\\|^2+\\lambda\\,\\alpha^\\top K\\alpha$",
             "The values of f at the points are Kα, not α."),
        )),
        Gap("$-2K(y-K\\alpha)+2\\lambda K\\alpha$", (
            ("$-2(y-K\\alpha)+2\\lambda\\alpha$",
             "In the gradient of each of the two terms K is a factor in front."),
            ("$-2K(y-K\\alpha)+\\lambda K\\alpha$", "The gradient of αᵀKα is 2Kα, so a 2 is missing."),
        )),
        Gap("$K\\bigl((K+\\lambda I)\\alpha-y\\bigr)=0$ holds, whether or not $K$ has an inverse", (
            ("$K$ has an inverse, or else there is no minimiser",
             "No inverse of K is needed, because a solution of (K + λI)α = y makes the gradient 0 for every K."),
            ("all solutions of $K(\\cdot)=0$ are $0$",
             "That holds only if K has an inverse. Here it is enough that α makes the bracket 0."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"lam": int(rng.integers(2, 10)), "n": int(rng.integers(3, 9))},
    statement=r"""
        Which coefficients does the minimiser of $\sum_{i=1}^{@n}(y_i-f(x_i))^2+@lam\,\|f\|^2$ have? Fill the gaps, with $\lambda=@lam$.
        The minimiser has the form $f=\sum_i\alpha_ik(x_i,\cdot)$, because **(1)**. As a function of $\alpha$ the criterion is
        **(2)**. Its gradient is **(3)**. A solution of $(K+\lambda I)\alpha=y$ makes the gradient zero, because **(4)**. The
        criterion is convex, so this is a minimum, and $K+\lambda I$ has an inverse because $\lambda>0$.""",
    solution=r"""
        (1) Write $f=f_\parallel+v$ with $v$ orthogonal to all $k(x_i,\cdot)$. Then $v(x_i)=\langle v,k(x_i,\cdot)\rangle=0$, and
        $\|f\|^2=\|f_\parallel\|^2+\|v\|^2$. (2) $f(x_i)=(K\alpha)_i$ and $\|f\|^2=\alpha^\top K\alpha$. (3) Both
        terms are quadratic in $\alpha$, and $K=K^\top$. (4) The gradient is $2K\bigl((K+\lambda I)\alpha-y\bigr)$.""",
)  # fmt: skip

shrinks = Problem(
    name="shrinks",
    title="What λ does along each eigenvector",
    kind=Gaps((
        Gap("$u$ is also an eigenvector of $K+\\lambda I$, with the eigenvalue $@sum$", (
            ("$u$ is also an eigenvector of $K+\\lambda I$, with the eigenvalue $@mu$", "(K + λI)u = Ku + λu."),
            ("$K+\\lambda I$ has other eigenvectors than $K$", "λI multiplies every vector by λ, so the eigenvectors of K stay."),
        )),
        Gap("$@keep$", (
            ("$@lost$", "That is the factor of the residuals."),
            ("$@inverse$", "That is the factor of α. The fitted values are K times α."),
        )),
        Gap("$@lost$", (
            ("$@keep$", "That is the factor of the fitted values. The residuals have 1 minus this factor."),
            ("$@bad$", "The residuals are y minus the fitted values, so their factor is positive."),
        )),
        Gap("its eigenvalue is small compared with $\\lambda$", (
            ("its eigenvalue is large compared with $\\lambda$", "Then μ/(μ + λ) is near 1."),
            ("the targets are small in its direction", "The factor does not depend on the targets."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"mu": int(rng.integers(1, 12)), "lam": int(rng.integers(1, 9))},
    work=lambda mu, lam: {"sum": mu + lam, "keep": Fraction(mu, mu + lam), "lost": Fraction(lam, mu + lam),
                          "inverse": Fraction(1, mu + lam), "bad": -Fraction(lam, mu + lam)},
    statement=r"""
        $u$ is an eigenvector of $K$ with the eigenvalue $\mu=@mu$, and $\lambda=@lam$. Fill the gaps. **(1)**. So the part of $y$
        in the direction $u$ is multiplied by **(2)** in the fitted values $K(K+\lambda I)^{-1}y$, and by **(3)** in the residuals. A
        direction is almost erased from the fitted values if **(4)**.""",
    solution=r"""
        (1) $(K+\lambda I)u=@mu\,u+@lam\,u$. (2) $@mu/@sum$. (3) $1-@keep=@lost$. (4) Then $\mu/(\mu+\lambda)$ is small.""",
)  # fmt: skip

PROBLEMS = (left_out, two_points, freedom, least_norm, weights, shrinks)
