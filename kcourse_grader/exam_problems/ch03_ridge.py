"""Exam problems on kernel ridge regression."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt, lcm
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
    inverse,
    option,
    solve,
)

repeated = Problem(
    name="repeated",
    title="Repeated measurements",
    kind=Free((
        Step(r"splits the sum of squares at each point with the mean $\bar y_i$", 2),
        Step("shows that the mixed term is 0, because the deviations from the mean have the sum 0", 1),
        Step("says that the deviations from the mean do not depend on $f$", 1),
        Step(r"divides by $@r$ and finds $\lambda'=@answer$", 2),
    )),
    level=3, minutes=10, points=6,
    draw=lambda rng: {"r": int(rng.integers(2, 6)), "lam": int(rng.integers(2, 10))},
    work=lambda r, lam: {"answer": Fraction(lam, r)},
    statement=r"""
        At each of $n$ different points $x_i$ the target was measured $@r$ times: $y_{i1},\dots,y_{i@r}$ with the mean $\bar y_i$.
        Kernel ridge regression minimises the sum of all $@r n$ squared errors $+\,@lam\,\|f\|^2$. Show that kernel ridge regression
        on the $n$ points with the targets $\bar y_i$ and another regularisation parameter $\lambda'$ gives the same function, and
        find $\lambda'$.""",
    solution=r"""
        For each $i$ write $y_{ij}-f(x_i)=(y_{ij}-\bar y_i)+(\bar y_i-f(x_i))$. The square has the mixed term
        $2(\bar y_i-f(x_i))(y_{ij}-\bar y_i)$, and its sum over $j$ is 0, because $\sum_j(y_{ij}-\bar y_i)=0$. So
        $$\sum_{i,j}(y_{ij}-f(x_i))^2=@r\sum_i(\bar y_i-f(x_i))^2+\sum_{i,j}(y_{ij}-\bar y_i)^2.$$
        The last sum does not depend on $f$. Without it, and divided by $@r$, the criterion is
        $\sum_i(\bar y_i-f(x_i))^2+\tfrac{@lam}{@r}\|f\|^2$. This is kernel ridge regression on the means with
        $\lambda'=@answer$. A positive factor and a constant do not change the minimiser.""",
)  # fmt: skip


def _draw_both_left_out(rng: np.random.Generator) -> dict[str, Any]:
    a, c, lam = int(rng.integers(2, 6)), int(rng.integers(-3, 4)), int(rng.integers(1, 4))
    if c == 0 or a * a <= c * c:
        raise Unfit("independent points, or no kernel matrix")
    return {"K": np.array([[a, c], [c, a]]), "lam": lam, "y": rng.integers(-4, 5, 2)}


def _work_both_left_out(K: np.ndarray, lam: int, y: np.ndarray) -> dict[str, Any]:
    M = K + lam * np.eye(2, dtype=int)
    G, alpha = inverse(M), solve(M, y)
    if not alpha.all():
        raise Unfit("an error is 0")
    return {"M": M, "G": G, "alpha": alpha, "answer": alpha / np.diag(G)}


both_left_out = Problem(
    name="both_left_out",
    title="Leave-one-out from the coefficients",
    kind=Numbers(("error at the first point", "error at the second point")),
    level=2, minutes=7, points=4,
    draw=_draw_both_left_out,
    work=_work_both_left_out,
    statement=r"""
        Kernel ridge regression with $\lambda=@lam$ is fitted to two points with $K=@K$ and $y=@y$. What are the
        leave-one-out errors $y_i-f_{-i}(x_i)$ of the two points?""",
    solution=r"""
        $y_i-f_{-i}(x_i)=\alpha_i/[(K+\lambda I)^{-1}]_{ii}$. Here $(K+\lambda I)^{-1}=@G$ and $\alpha=(K+\lambda I)^{-1}y=@alpha$, so
        the errors are $@answer$. There is a second way: $f_{-1}$ is fitted to the second point alone, so
        $f_{-1}(x_1)=k(x_1,x_2)\,y_2/(k(x_2,x_2)+\lambda)$.""",
    mistakes=(
        Misconception("if the residuals of the fit to both points are given, λα", lambda alpha, lam: lam * alpha, 0.25),
        Misconception("if the coefficients α are divided by the diagonal of K + λI instead of the diagonal of its inverse",
             lambda M, alpha: alpha / exact(np.diag(M)), 0.5),
        Misconception("if λ is left out when the other point is fitted",
             lambda K, y: exact(y) - exact(K[0, 1]) * exact(y[::-1]) / exact(np.diag(K)), 0.5),
        Misconception("if the target is subtracted from the prediction", lambda answer: -answer, 0.75),
    ),
)  # fmt: skip


def _draw_other_book(rng: np.random.Generator) -> dict[str, Any]:
    return {"n": int(rng.choice([20, 40, 50, 80])), "theirs": int(rng.choice([2, 3, 4, 6])) / 10}


other_book = Problem(
    name="other_book",
    title="The same λ in another book",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=_draw_other_book,
    work=lambda n, theirs: {"ours": f"{n * theirs / 2:g}", "answer": f"$\\lambda={n * theirs / 2:g}$"},
    statement=r"""
        A book minimises $\frac1n\sum_i(y_i-f(x_i))^2+\frac{\lambda'}{2}\|f\|^2$, for $n=@n$ points with $\lambda'=@theirs$. Which $\lambda$ gives the same
        function $f$ in our criterion $\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$?""",
    solution=r"""
        Multiplied by $n$ the book's criterion is $\sum_i(y_i-f(x_i))^2+\frac{n\lambda'}{2}\|f\|^2$, so $\lambda=n\lambda'/2=@ours$.""",
    mistakes=(
        Misconception("The factor 1/2 in front of the book's norm is missing here.", lambda n, theirs: f"$\\lambda={n * theirs:g}$", 0.5),
        Misconception("The book divides the squared errors by n, so its criterion must be multiplied by n.",
             lambda theirs: f"$\\lambda={theirs / 2:g}$"),
        Misconception("The whole criterion must be multiplied by n, and here the norm is divided by n.",
             lambda n, theirs: f"$\\lambda={theirs / (2 * n):g}$"),
    ),
)  # fmt: skip


def _draw_one_point(rng: np.random.Generator) -> dict[str, Any]:
    lam, a = int(rng.integers(1, 5)), int(rng.integers(1, 6))
    y = int(rng.integers(1, 4)) * lcm(1 + lam, 1 + a + lam)
    if a == lam or y > 30:
        raise Unfit("equal heights, or a large number")
    return {"at": int(rng.integers(1, 6)), "sigma": int(rng.integers(1, 3)), "lam": lam, "a": a, "y": y}


def _work_one_point(lam: int, a: int, y: int, sigma: int) -> dict[str, Any]:
    plain, step = y // (1 + lam), y // (1 + a + lam)
    return {"two": 2 * sigma**2, "plain": plain, "diagonal": 1 + lam, "whole": 1 + a + lam, "step": step, "low": a * step, "top": (1 + a) * step,
            "answer": (plain, (1 + a) * step, a * step, 0, y)}  # fmt: skip


one_point = Problem(
    name="one_point",
    title="One measurement, with and without an intercept",
    kind=Free((
        Step(r"(a) finds $\alpha=@plain$, the height $@plain$ at the measurement and the limit 0", 2),
        Step(r"(b) finds $\alpha=@step$, the height $@top$ and the limit $@low$", 2),
        Step(r"(c) concludes $\alpha=0$ from the second row and finds $b=@y$", 1),
        Step("(d) sketches two Gaussian bumps about $x=@at$ with the right heights and limits, and a horizontal line at the height $@y$", 2),
        Step("(d) says that the curve of (b) approaches the line of (c) as the constant grows", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_one_point,
    work=_work_one_point,
    statement=r"""
        There is only one measurement, $y_1=@y$ at $x_1=@at$, and $\lambda=@lam$. Let $k$ be the Gaussian kernel with $\sigma=@sigma$.
        (a) Find $f$ of kernel ridge regression with $k$, its height at $x_1$ and its limit far from $x_1$.
        (b) Find the same for the kernel $k(x,z)+@a$.
        (c) Find the same for $f+b$ with the kernel $k$ and a bias $b$ that is not penalised, from the bordered system.
        (d) Sketch the three functions in one figure. Mark the measurement, the heights at $x_1$ and the limits. What happens to
        the function of (b) if the constant in its kernel grows from $@a$ to infinity?""",
    solution=r"""
        Let $g(x)=k(x,x_1)=e^{-(x-@at)^2/@two}$, which is 1 at $x_1$ and tends to 0 far away.

        (a) $K+\lambda I$ is the number $1+@lam$, so $\alpha=@y/@diagonal=@plain$ and $f(x)=@plain\,g(x)$. Its height at $x_1$ is $@plain$, and its limit is 0.

        (b) Now $K+\lambda I=1+@a+@lam=@whole$, so $\alpha=@y/@whole=@step$ and $f(x)=@step\,(g(x)+@a)$. Its height at $x_1$ is $@top$, and
        its limit is $@low$.

        (c) The bordered system is $(1+@lam)\,\alpha+b=@y$ and $\alpha=0$. So $b=@y$, and $f(x)+b=@y$ everywhere.

        (d) The functions of (a) and (b) are bumps of the same width about $@at$. The first has the height $@plain$ above 0. The second lies
        between $@low$ and $@top$. The third function is the horizontal line through the measurement. With the constant $a$ instead of $@a$ the height
        in (b) is $@y\,(1+a)/(1+a+@lam)$ and the limit $@y\,a/(1+a+@lam)$. Both tend to $@y$ as $a\to\infty$, so this function tends to the line of (c).""",
)  # fmt: skip


def _draw_with_lambda(rng: np.random.Generator) -> dict[str, Any]:
    return {"small": int(rng.integers(1, 4)), "large": int(rng.integers(2, 7)), "t": int(rng.integers(1, 7))}


def _work_with_lambda(small: int, large: int, t: int) -> dict[str, Any]:
    if small >= large:
        raise Unfit("not in order")
    found = []
    for a in range(2, 13):
        for c in range(1, a):
            values = [Fraction(lam * c * t, (a + lam) ** 2 - c * c) for lam in (small, large)]
            if values[0] < values[1] and max(v.denominator for v in values) <= 20:
                found.append((max(v.denominator for v in values), a, c, *values))
    if not found:
        raise Unfit("no short example")
    _, a, c, *values = min(found)
    determinants = [(a + lam) ** 2 - c * c for lam in (small, large)]
    return {"K": np.array([[a, c], [c, a]]), "c": c, "first": determinants[0], "second": determinants[1], "low": values[0],
            "high": values[1], "y": np.array([0, t]), "top1": small * c * t, "top2": large * c * t, "answer": tuple(values)}  # fmt: skip


with_lambda = Problem(
    name="with_lambda",
    title="What a larger penalty does",
    kind=Free((
        Step(r"(a) true: writes the residuals as $\lambda(K+\lambda I)^{-1}y$ or with the factors $\lambda/(\mu_j+\lambda)$, or compares both minimisers in both criteria", 1),
        Step("(a) concludes that the sum does not fall as $\\lambda$ grows, because no factor falls, or from the two inequalities", 1),
        Step("(b) false: gives a kernel matrix and targets, for example with one target 0", 1),
        Step("(b) computes a fitted value for both $\\lambda$ correctly, and the second is larger in absolute value", 2),
        Step(r"(c) true: argues with the leave-one-out formula, where $1-H_{ii}>0$, or with $\alpha_i=0$ or the derivative of the criterion, so that $f$ is also the minimiser without point $i$", 2),
    )),
    level=3, minutes=13, points=7,
    draw=_draw_with_lambda,
    work=_work_with_lambda,
    statement=r"""
        True or false? Prove what is true, and give a counterexample with numbers to what is false. The statements are about kernel
        ridge regression with the criterion $\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$, for any kernel and any data, which stay the same while $\lambda$ changes.
        (a) If $\lambda$ grows, the sum of the squared residuals never falls.
        (b) No fitted value $f(x_i)$ is larger in absolute value with $\lambda=@large$ than with $\lambda=@small$.
        (c) If $f(x_i)=y_i$, the prediction $f_{-i}(x_i)$ without point $i$ is also $y_i$.""",
    solution=r"""
        (a) True. The residuals are $(I-H)y=\lambda(K+\lambda I)^{-1}y$. In the eigenbasis of $K$ the component $c_j$ of $y$ is multiplied by
        $\lambda/(\mu_j+\lambda)$, and the sum of squares is $\sum_j\bigl(\lambda/(\mu_j+\lambda)\bigr)^2c_j^2$. For $\mu_j>0$ the factor
        $1-\mu_j/(\mu_j+\lambda)$ grows with $\lambda$, and for $\mu_j=0$ it is always 1.

        (b) False. Take two points with $K=@K$ and the targets $y=@y$. Then $\alpha=(K+\lambda I)^{-1}y$, and since $y_1=0$ the first residual is
        $-f(x_1)=\lambda\alpha_1$. The inverse of a matrix of two rows gives $\alpha_1=-@c\,y_2/\det(K+\lambda I)$, so $f(x_1)=\lambda\cdot@c\,y_2/\det(K+\lambda I)$. This is
        $@top1/@first=@low$ for $\lambda=@small$ and $@top2/@second=@high$ for $\lambda=@large$. A small penalty keeps $f(x_1)$ near its target 0, and a
        larger one lets the other point pull it away.

        (c) True. The leave-one-out residual is $(y_i-f(x_i))/(1-H_{ii})$ with $1-H_{ii}>0$. It is 0 if $y_i-f(x_i)=0$.""",
)  # fmt: skip


def _draw_noise_left(rng: np.random.Generator) -> dict[str, Any]:
    lam, v = int(rng.integers(1, 5)), int(rng.choice([4, 9, 16, 36]))
    factors = [Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), Fraction(3, 4), Fraction(1, 4), Fraction(5, 6)]
    chosen = sorted((factors[i] for i in rng.choice(6, 3, replace=False)), reverse=True)
    mu = [lam * each / (1 - each) for each in chosen]
    if any(each.denominator > 1 for each in mu):
        raise Unfit("fractions as eigenvalues")
    return {"lam": lam, "v": v, "mu": [int(each) for each in mu]}


def _work_noise_left(lam: int, v: int, mu: list[int]) -> dict[str, Any]:
    factors = [Fraction(each, each + lam) for each in mu]
    squares = sum(each**2 for each in factors)
    return {"factors": factors, "squares": squares, "df": sum(factors), "bound": v * sum(factors), "total": v * squares, "limit": 3 * v,
            "answer": (v * squares, v * sum(factors))}  # fmt: skip


noise_left = Problem(
    name="noise_left",
    title="How much noise the fitted values keep",
    kind=Free((
        Step(r"(a) writes $f(x_i)=\sum_jH_{ij}y_j$ and adds the variances, because the noise is independent", 2),
        Step(r"(a) uses that $H$ is symmetric to find the diagonal of $H^2$", 1),
        Step(r"(b) finds the sum $s^2\operatorname{tr}H^2=s^2\sum_j\bigl(\mu_j/(\mu_j+\lambda)\bigr)^2$", 1),
        Step(r"(c) compares each square with the factor itself, which is below 1, and excludes equality", 1),
        Step("(d) finds $@total$ and the bound $@bound$", 1),
        Step(r"(d) finds the limit $3s^2=@limit$ for $\lambda\to0$", 1),
    )),
    level=2, minutes=12, points=7,
    draw=_draw_noise_left,
    work=_work_noise_left,
    statement=r"""
        The targets are $y_i=g(x_i)+\varepsilon_i$ with a fixed curve $g$ and independent noise of mean 0 and variance $s^2$. Kernel ridge
        regression has the fitted values $\hat y=Hy$ with $H=K(K+\lambda I)^{-1}$, and $K$ has the eigenvalues $\mu_j$, not all 0.
        (a) Show that the variance of $f(x_i)$ is $s^2$ times the diagonal entry $i$ of $H^2$.
        (b) Express the sum of these variances over all points in terms of $s^2$, $\lambda$ and the $\mu_j$.
        (c) Show that this sum is smaller than $s^2\,\mathrm{df}(\lambda)$.
        (d) Compute the sum and the bound of (c) for three points with the eigenvalues $@mu$, $\lambda=@lam$ and $s^2=@v$. What does the sum
        tend to as $\lambda\to0$?""",
    solution=r"""
        (a) $f(x_i)=\sum_jH_{ij}y_j$, where only the noise in $y_j$ is random. The noise is independent, so the variance is
        $\sum_jH_{ij}^2\,s^2$. Since $H$ is symmetric, $\sum_jH_{ij}H_{ij}=\sum_jH_{ij}H_{ji}=(H^2)_{ii}$.

        (b) The sum is $s^2\operatorname{tr}H^2$. $H$ has the eigenvalues $\mu_j/(\mu_j+\lambda)$, so $H^2$ has their squares, and the sum is
        $s^2\sum_j\bigl(\mu_j/(\mu_j+\lambda)\bigr)^2$.

        (c) Each factor $\mu_j/(\mu_j+\lambda)$ is at least 0 and below 1, so its square is at most the factor, and smaller if $\mu_j>0$, which holds for some $j$. The sum
        of the factors is $\mathrm{df}(\lambda)$.

        (d) The factors are $@factors$, with the sum $@df$, and the sum of their squares is $@squares$. So the sum of the variances is
        $@v\cdot@squares=@total$, and the bound is $@v\cdot@df=@bound$. As $\lambda\to0$ all factors tend to 1 and the sum to $3s^2=@limit$. The fit then
        follows the measurements with all of their noise.""",
)  # fmt: skip


NEAR = (
    (Fraction(7, 8), Fraction(1, 2)), (Fraction(17, 25), Fraction(4, 5)), (Fraction(23, 25), Fraction(2, 5)),
    (Fraction(7, 25), Fraction(6, 5)),
)  # fmt: skip


def _draw_bounds(rng: np.random.Generator) -> dict[str, Any]:
    near, far = NEAR[rng.integers(4)]
    for _ in range(2000):
        y, lam = rng.integers(-6, 7, 3), int(rng.integers(2, 7))
        top, rest = divmod(int(y @ y), lam)
        if y.all() and not rest and isqrt(top) ** 2 == top and top > 1:
            return {"y": y, "lam": lam, "near": near, "far": far}
    raise Unfit("no root")


def _work_bounds(y: np.ndarray, lam: int, far: Any) -> dict[str, Any]:
    square = int(y @ y)
    top = isqrt(square // lam)
    found = (top, top * far, Fraction(top, 2), Fraction(top, 2) * far)
    return {"square": square, "top": top, "step": found[1], "halftop": found[2], "halfstep": found[3], "answer": found}


bounds = Problem(
    name="bounds",
    title="How large can the fit become?",
    kind=Free((
        Step(r"(a) uses $J(f)\le J(0)=\|y\|^2$, and that the squared errors are not negative", 1),
        Step(r"(b) writes $f(x)=\langle f,k(x,\cdot)\rangle$ and uses the Cauchy–Schwarz inequality and $\|k(x,\cdot)\|^2=k(x,x)$", 2),
        Step(r"(b) finds the bound $\|f\|\sqrt{k(x,x)-2k(x,z)+k(z,z)}$", 1),
        Step("(c) finds the bounds $@top$ and $@step$", 1),
        Step(r"(d) finds that the squared lengths differ by $4\lambda\,\alpha^\top K\alpha=4\lambda\|f\|^2$, and concludes", 2),
        Step("(d) says that both bounds are halved: $@halftop$ and $@halfstep$", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_bounds,
    work=_work_bounds,
    statement=r"""
        Kernel ridge regression minimises $J(f)=\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$ over the RKHS of a kernel $k$. Let $f$ be the minimiser.
        (a) Compare $J(f)$ with $J(0)$, and show that $\lambda\|f\|^2\le\|y\|^2$.
        (b) Show that $|f(x)|\le\|f\|\sqrt{k(x,x)}$ for every $x$. Find in the same way a bound for $|f(x)-f(z)|$ from $\|f\|$ and kernel values.
        (c) Let $k$ be the Gaussian kernel, $\lambda=@lam$ and $y=@y$. Which bounds follow for $|f(x)|$ at every $x$, and for $|f(x)-f(z)|$ if
        $k(x,z)=@near$?
        (d) As you know, $f=\sum_i\alpha_ik(x_i,\cdot)$ with $(K+\lambda I)\alpha=y$. Compare the squared lengths of $K\alpha+\lambda\alpha$ and
        $K\alpha-\lambda\alpha$, and show that even $4\lambda\|f\|^2\le\|y\|^2$. How do the bounds of (c) change?""",
    solution=r"""
        (a) $f$ is the minimiser, so $J(f)\le J(0)=\sum_iy_i^2=\|y\|^2$. The squared errors in $J(f)$ are not negative, so $\lambda\|f\|^2\le J(f)\le\|y\|^2$.

        (b) $f(x)=\langle f,k(x,\cdot)\rangle$, so $|f(x)|\le\|f\|\,\|k(x,\cdot)\|$ by the Cauchy–Schwarz inequality, and
        $\|k(x,\cdot)\|^2=\langle k(x,\cdot),k(x,\cdot)\rangle=k(x,x)$. In the same way $f(x)-f(z)=\langle f,k(x,\cdot)-k(z,\cdot)\rangle$, so
        $|f(x)-f(z)|\le\|f\|\sqrt{k(x,x)-2k(x,z)+k(z,z)}$.

        (c) $\|y\|^2=@square$, so $\|f\|\le\sqrt{@square/@lam}=@top$. Since $k(x,x)=1$, this gives $|f(x)|\le@top$ and
        $|f(x)-f(z)|\le@top\cdot\sqrt{2-2\cdot@near}=@top\cdot@far=@step$.

        (d) $\|K\alpha+\lambda\alpha\|^2-\|K\alpha-\lambda\alpha\|^2=4\lambda\,\alpha^\top K\alpha=4\lambda\|f\|^2$. The first vector is $y$, and the second
        squared length is not negative, so $4\lambda\|f\|^2\le\|y\|^2$. The bound for $\|f\|$ and both bounds of (c) are halved, to $@halftop$ and $@halfstep$.""",
)  # fmt: skip


def _draw_primal(rng: np.random.Generator) -> dict[str, Any]:
    return {"Phi": rng.integers(-2, 4, (3, 2)), "y": rng.integers(-3, 6, 3), "lam": int(rng.integers(1, 5))}


def _work_primal(Phi: np.ndarray, y: np.ndarray, lam: int) -> dict[str, Any]:
    A, right = Phi.T @ Phi, Phi.T @ y
    w = solve(A + lam * np.eye(2, dtype=int), right)
    if not w.all() or not A[0, 1] or max(v.denominator for v in w) > 30:
        raise Unfit("long fractions")
    return {"A": A, "M": A + lam * np.eye(2, dtype=int), "right": right, "answer": w}


primal = Problem(
    name="primal",
    title="The primal with two features",
    kind=Numbers(("w₁", "w₂")),
    level=1, minutes=7, points=4,
    draw=_draw_primal,
    work=_work_primal,
    statement=r"""
        Three points have two features each, the rows of $\Phi=@Phi$, and the targets $y=@y$. Which $w$ minimises
        $\|y-\Phi w\|^2+\lambda\|w\|^2$ with $\lambda=@lam$? Use the form of the problem with fewer unknowns.""",
    solution=r"""
        The primal $(\Phi^\top\Phi+\lambda I)\,w=\Phi^\top y$ has two unknowns, and the dual has three. Here $\Phi^\top\Phi+\lambda I=@M$ and
        $\Phi^\top y=@right$, so $w=@answer$.""",
    mistakes=(
        Misconception("if λ is left out, which gives least squares", lambda A, right: solve(A, right), 0.25),
        Misconception("if λ is multiplied by the number of points, which belongs to the mean of the squared errors",
             lambda A, right, lam: solve(A + 3 * lam * np.eye(2, dtype=int), right), 0.5),
        Misconception("if λ is added to every entry of the matrix and not only to its diagonal", lambda A, right, lam: solve(A + lam, right), 0.5),
        Misconception("if the entry off the diagonal of the matrix is ignored", lambda M, right: exact(right) / exact(np.diag(M)), 0.25),
        Misconception("if λ is halved, as if the penalty had a factor one half",
             lambda A, right, lam: solve(A + Fraction(lam, 2) * exact(np.eye(2, dtype=int)), right), 0.5),
    ),
)  # fmt: skip


def _draw_from_alpha(rng: np.random.Generator) -> dict[str, Any]:
    V = rng.integers(-2, 3, (3, 3))
    K = V @ V.T
    if np.linalg.matrix_rank(V) < 3 or K.max() > 9 or not K[0, 1] or not K[1, 2]:
        raise Unfit("a singular matrix, or a simple one")
    return {"K": K, "lam": int(rng.integers(2, 5)), "alpha": rng.choice([-2, -1, 1, 2, 3], 3), "V": V}


def _work_from_alpha(K: np.ndarray, lam: int, alpha: np.ndarray) -> dict[str, Any]:
    Ka = K @ alpha
    first, second = int(lam**2 * alpha @ alpha), int(alpha @ Ka)
    return {"Ka": Ka, "residuals": lam * alpha, "first": first, "second": second, "answer": (first, second)}


from_alpha = Problem(
    name="from_alpha",
    title="Errors and norm from the coefficients",
    kind=Numbers(("sum of the squared residuals", "‖f‖²")),
    level=2, minutes=6, points=4,
    draw=_draw_from_alpha,
    work=_work_from_alpha,
    statement=r"""
        Kernel ridge regression on three points with the Gram matrix $K=@K$ and $\lambda=@lam$ gave the coefficients
        $\alpha=@alpha$. The targets are not given. What are the sum of the squared residuals $y_i-f(x_i)$ and the squared norm
        $\|f\|^2$?""",
    solution=r"""
        $(K+\lambda I)\alpha=y$ says that the residuals are $y-K\alpha=\lambda\alpha=@residuals$. The norm is
        $\|f\|^2=\alpha^\top K\alpha$ with $K\alpha=@Ka$. So the squared residuals add up to $@first$, and $\|f\|^2=@second$.""",
    mistakes=(
        Misconception("if the coefficients are taken for the residuals, without λ", lambda alpha, answer: (int(alpha @ alpha), answer[1]), 0.5),
        Misconception("if the coefficients are squared for the norm, without the Gram matrix", lambda alpha, answer: (answer[0], int(alpha @ alpha)), 0.5),
        Misconception("if λ is not squared in the sum of the squared residuals", lambda alpha, lam, answer: (int(lam * alpha @ alpha), answer[1]), 0.75),
        Misconception("if the squared fitted values are added instead of computing the norm", lambda Ka, answer: (answer[0], int(Ka @ Ka)), 0.5),
        Misconception("if the penalty λ times the squared norm is given instead of the squared norm",
             lambda lam, answer: (answer[0], lam * answer[1]), 0.75),
    ),
)  # fmt: skip


def _draw_free_constant(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = int(rng.integers(1, 6)), int(rng.integers(1, 6)), int(rng.integers(0, 3))
    if a == b or a * b <= c * c:
        raise Unfit("no kernel matrix, or a symmetric case")
    return {"K": np.array([[a, c], [c, b]]), "lam": int(rng.integers(1, 4)), "y": rng.integers(-3, 9, 2)}


def _work_free_constant(K: np.ndarray, lam: int, y: np.ndarray) -> dict[str, Any]:
    M = K + lam * np.eye(2, dtype=int)
    border = np.block([[M, np.ones((2, 1), int)], [np.ones((1, 2), int), np.zeros((1, 1), int)]])
    found = solve(border, np.append(y, 0))
    first, second = int(M[0, 0] - M[0, 1]), int(M[1, 1] - M[0, 1])
    if not found.all() or max(v.denominator for v in found) > 12 or min(first, second) < 2:
        raise Unfit("long fractions")
    return {
        "M": M,
        "first": first,
        "second": second,
        "sum": first + second,
        "y1": y[0],
        "y2": y[1],
        "gap": int(y[0] - y[1]),
        "a1": found[0],
        "a2": found[1],
        "b": found[2],
        "answer": found,
    }


free_constant = Problem(
    name="free_constant",
    title="Two points and a bias that is not penalised",
    kind=Numbers(("α₁", "α₂", "b")),
    level=2, minutes=8, points=5,
    draw=_draw_free_constant,
    work=_work_free_constant,
    statement=r"""
        For two points with $K=@K$ and $y=@y$, minimise
        $\sum_i(y_i-f(x_i)-b)^2+\lambda\|f\|^2$ with $\lambda=@lam$ over $f=\alpha_1k(x_1,\cdot)+\alpha_2k(x_2,\cdot)$ and the bias $b$, which is not
        penalised. What are $\alpha_1$, $\alpha_2$ and $b$?""",
    solution=r"""
        The bordered system is $(K+\lambda I)\alpha+b\mathbf 1=y$ and $\alpha_1+\alpha_2=0$, with $K+\lambda I=@M$. With $\alpha_2=-\alpha_1$ its first
        two rows are $@first\,\alpha_1+b=@y1$ and $-@second\,\alpha_1+b=@y2$. Their difference is $@sum\,\alpha_1=@gap$, so
        $\alpha_1=@a1$, $\alpha_2=@a2$ and $b=@b$.""",
    mistakes=(
        Misconception("if the mean of the targets is subtracted first and used as the bias",
             lambda M, y: (*solve(M, exact(y) - Fraction(int(y.sum()), 2)), Fraction(int(y.sum()), 2)), 0.5),
        Misconception("if there is no bias", lambda M, y: (*solve(M, y), 0), 0.25),
        Misconception("if the bias is penalised like a constant in the kernel",
             lambda M, y: (*(alpha := solve(M + 1, y)), sum(alpha)), 0.5),
        Misconception("if λ is left out of the bordered system", lambda K, y: _bordered(K, y), 0.25),
        Misconception("if the bias is given with the wrong sign", lambda answer: (*answer[:2], -answer[2]), 0.75),
    ),
)  # fmt: skip


def _bordered(M: np.ndarray, y: np.ndarray) -> Any:
    first, second = M[0, 0] - M[0, 1], M[1, 1] - M[0, 1]
    if first + second == 0:
        raise Unfit("a singular system")
    alpha = Fraction(int(y[0] - y[1]), int(first + second))
    return (alpha, -alpha, int(y[0]) - first * alpha)


def _draw_no_change(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c, which = int(rng.integers(2, 10)), int(rng.integers(2, 10)), int(rng.integers(2, 6)), int(rng.integers(4))
    same, other = (f"{b}\\,", "multiplied"), (f"\\tfrac1{{{b}}}\\,", "divided")
    if rng.integers(2):
        same, other = other, same
    changes = [
        [f"The kernel $k$ is replaced with ${same[0]}k$, and $\\lambda$ with ${each[0]}\\lambda$." for each in (same, other)],
        [f"All inputs, also the new ones, are {same[1]} by ${b}$, and $\\sigma$ is {each[1]} by ${b}$." for each in (same, other)],
        [f"Each row of the data is copied, so that it occurs ${c}$ times, and $\\lambda$ is replaced with ${each}\\lambda$."
         for each in (f"{c}\\,", f"\\tfrac1{{{c}}}\\,")],
        [f"All targets are multiplied by ${a}$, {each}, and the predictions are divided by ${a}$."
         for each in ("$\\lambda$ stays the same", f"$\\lambda$ is replaced with ${a}\\,\\lambda$")],
    ]  # fmt: skip
    return {"right": changes[which][0], "options": [wrong for _, wrong in changes], "which": which}


WHY = (
    r"The factor multiplies $K+\lambda I$, so it divides $\alpha$, and in $f=\sum_i\alpha_ik(x_i,\cdot)$ it cancels.",
    r"The kernel depends only on the distance divided by $\sigma$, which does not change.",
    r"The sum of the squared errors and the penalty are multiplied by the same number, which does not change the minimiser.",
    r"$f$ is linear in $y$, so the targets multiply it by the number by which it is then divided.",
)


no_change = Problem(
    name="no_change",
    title="A change that changes nothing",
    kind=Choice(),
    level=2, minutes=4, points=2,
    draw=_draw_no_change,
    work=lambda right, which: {"why": WHY[which], "answer": right},
    statement=r"""
        Kernel ridge regression minimises $\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$ with a Gaussian kernel $k$ of width $\sigma$. Which of the following
        changes leaves all predictions the same, for any data?""",
    solution=r"""
        @answer @why Each of the other changes has the effect of another $\lambda$ or another $\sigma$.""",
    mistakes=(
        Misconception("The kernel and λ must be multiplied by the same number, so that it cancels.", option(0)),
        Misconception("The kernel depends on distances divided by σ, so both must be multiplied by the same number.", option(1)),
        Misconception("Copies multiply the sum of the squared errors, so λ must be multiplied by the same number.", option(2)),
        Misconception("The function is linear in the targets, so λ must stay the same.", option(3)),
    ),
)  # fmt: skip

PROBLEMS = (
    repeated, both_left_out, other_book, one_point, with_lambda, noise_left, bounds, primal, from_alpha, free_constant, no_change,
)  # fmt: skip
