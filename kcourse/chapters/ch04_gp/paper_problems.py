"""Gaussian processes with a pencil."""

from __future__ import annotations

from fractions import Fraction
from math import log, pi
from typing import Any

import numpy as np

from kcourse.paper_problems import Gap, Gaps, Misconception, Numbers, Order, Problem, Unfit, exact, solve


def _draw_one(rng: np.random.Generator) -> dict[str, Any]:
    a, noise = int(rng.integers(2, 10)), int(rng.integers(1, 6))
    return {"a": a, "c": int(rng.integers(1, a)), "noise": noise, "y": int(rng.choice([-1, 1]) * rng.integers(2, 7))}


one_mean = Problem(
    name="one_mean",
    title="The mean after one measurement",
    kind=Numbers("mean"),
    level=1, minutes=3, points=2,
    draw=_draw_one,
    work=lambda a, c, noise, y: {"sum": a + noise, "answer": Fraction(c * y, a + noise)},
    statement=r"""
        A Gaussian process with mean 0 has $k(x,x)=k(x_*,x_*)=@a$ and $k(x_*,x)=@c$. At $x$ the value $y=@y$ was measured,
        with noise of variance $@noise$. What is the posterior mean of $f(x_*)$?""",
    solution=r"""
        $k(x_*,x)\,(k(x,x)+\sigma_n^2)^{-1}y=@c\cdot@{(y}/@sum=@answer$.""",
    mistakes=(
        Misconception("if the noise is left out", lambda a, c, y: Fraction(c * y, a), 0.5),
        Misconception("if the noise's variance is squared, as if it were a standard deviation",
             lambda a, c, noise, y: Fraction(c * y, a + noise**2) if noise > 1 else None, 0.5),
        Misconception("if the mean at x itself is given", lambda a, noise, y: Fraction(a * y, a + noise), 0.25),
        Misconception("if the kernel alone divides the measurement, without k(x*, x)", lambda a, noise, y: Fraction(y, a + noise)),
    ),
)  # fmt: skip


one_variance = Problem(
    name="one_variance",
    title="The variance after one measurement",
    kind=Numbers("variance"),
    level=1, minutes=4, points=3,
    draw=_draw_one,
    work=lambda a, c, noise: {"sum": a + noise, "square": c * c, "answer": a - Fraction(c * c, a + noise)},
    statement=r"""
        A Gaussian process has $k(x,x)=k(x_*,x_*)=@a$ and $k(x_*,x)=@c$. At $x$ a value was measured, with noise of
        variance $@noise$; it was $@y$. What is the posterior variance of $f(x_*)$, the function without noise?""",
    solution=r"""
        $k(x_*,x_*)-k(x_*,x)^2/(k(x,x)+\sigma_n^2)=@a-@square/@sum=@answer$. What was measured plays no part.""",
    mistakes=(
        Misconception("if the noise is added: that is the variance of a further measurement", lambda answer, noise: answer + noise,
             0.5),
        Misconception("if the noise is left out below the line", lambda a, c: a - Fraction(c * c, a), 0.5),
        Misconception("if k(x*, x) is not squared", lambda a, c, noise: a - Fraction(c, a + noise) if c > 1 else None, 0.25),
        Misconception("if the second term is added: a measurement cannot make one less sure",
             lambda a, c, noise: a + Fraction(c * c, a + noise), 0.25),
        Misconception("if only what the measurement takes away is given", lambda a, c, noise: Fraction(c * c, a + noise), 0.25),
    ),
)  # fmt: skip


def _draw_repeated(rng: np.random.Generator) -> dict[str, Any]:
    return {"v": int(rng.integers(1, 9)), "noise": int(rng.integers(1, 9)), "n": int(rng.integers(2, 7))}


repeated = Problem(
    name="repeated",
    title="The same place, measured again and again",
    kind=Numbers("variance"),
    level=2, minutes=4, points=3,
    draw=_draw_repeated,
    work=lambda v, noise, n: {"precision": Fraction(1, v) + Fraction(n, noise),
                              "answer": Fraction(v * noise, noise + n * v)},
    statement=r"""
        Before anything was measured $f(x)$ has the variance $@v$. At this one place $@n$ values are measured, each with
        independent noise of variance $@noise$. What is the posterior variance of $f(x)$?""",
    solution=r"""
        Their mean is one measurement with noise of variance $@noise/@n$, and precisions add:
        $\frac1{@v}+\frac{@n}{@noise}=@precision$. The variance is $@answer$.""",
    mistakes=(
        Misconception("if what was known before is left out: the variance of the mean", lambda noise, n: Fraction(noise, n), 0.5),
        Misconception("if one measurement is counted", lambda v, noise: Fraction(v * noise, v + noise), 0.25),
        Misconception("if the variance of the sum of noises stands where that of their mean belongs",
             lambda v, noise, n: Fraction(v * noise * n, v + noise * n), 0.25),
        Misconception("if the precision is given and not the variance", lambda precision: precision, 0.75),
        Misconception("if the variances are added and not the precisions", lambda v, noise, n: v + Fraction(noise, n), 0.25),
    ),
)  # fmt: skip


def _draw_evidence(rng: np.random.Generator) -> dict[str, Any]:
    return {"a": int(rng.integers(1, 8)), "noise": int(rng.integers(1, 5)), "y": int(rng.integers(1, 6))}


def _work_evidence(a: int, noise: int, y: int) -> dict[str, Any]:
    s = a + noise
    return {"s": s, "fit": -y * y / s / 2, "size": -log(s) / 2, "square": y * y,
            "answer": -y * y / s / 2 - log(s) / 2 - log(2 * pi) / 2}  # fmt: skip


evidence = Problem(
    name="evidence",
    title="How likely was this measurement?",
    kind=Numbers("log p(y)", rounded=True),
    level=2, minutes=5, points=3,
    draw=_draw_evidence,
    work=_work_evidence,
    statement=r"""
        A Gaussian process with mean 0 and $k(x,x)=@a$ is measured once, with noise of variance $@noise$: $y=@y$. What is
        the log marginal likelihood $\log p(y)$? (A pocket calculator may be used.)""",
    solution=r"""
        $y$ is Gaussian with variance $@a+@noise=@s$:
        $-\tfrac12 y^2/@s-\tfrac12\log @s-\tfrac12\log 2\pi=@answer$, of which $@fit$ is the fit and $@size$ the
        penalty.""",
    mistakes=(
        Misconception("if the constant with 2π is left out", lambda fit, size: fit + size, 0.75),
        Misconception("if the determinant is not halved", lambda answer, size: answer + size, 0.5),
        Misconception("if the fit is not halved", lambda answer, fit: answer + fit, 0.5),
        Misconception("if the penalty is added and not subtracted", lambda answer, size: answer - 2 * size, 0.25),
        Misconception("if the noise is left out", lambda a, y: -y * y / a / 2 - log(a) / 2 - log(2 * pi) / 2, 0.5),
    ),
)  # fmt: skip


def _draw_two(rng: np.random.Generator) -> dict[str, Any]:
    a, c = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    if c >= a:
        raise Unfit("not positive definite")
    k = rng.integers(0, a, 2)
    return {"K": np.array([[a, c], [c, a]]), "k": k, "noise": int(rng.integers(1, 4)), "y": rng.integers(-4, 5, 2)}


def _work_two(K: np.ndarray, k: np.ndarray, noise: int, y: np.ndarray) -> dict[str, Any]:
    M = K + noise * np.eye(2, dtype=int)
    alpha = solve(M, y)
    if not k.any() or not y.any():
        raise Unfit("nothing to see")
    return {"M": M, "alpha": alpha, "answer": exact(k) @ alpha}


two_mean = Problem(
    name="two_mean",
    title="The mean between two measurements",
    kind=Numbers("mean"),
    level=2, minutes=6, points=4,
    draw=_draw_two,
    work=_work_two,
    statement=r"""
        Two points have the kernel matrix $K=@K$, and a third has with them the values $k_*=@k$. At the two $y=@y$ was
        measured, with noise of variance $@noise$. What is the posterior mean of $f$ at the third?""",
    solution=r"""
        $\alpha=(K+\sigma_n^2I)^{-1}y$ with $K+\sigma_n^2I=@M$ is $@alpha$, and $k_*^\top\alpha=@answer$.""",
    mistakes=(
        Misconception("if the noise is left out", lambda K, k, y: exact(k) @ solve(K, y), 0.5),
        Misconception("if K is not inverted at all", lambda k, y: int(k @ y)),
        Misconception("if only the diagonal is inverted, as if the two points had nothing to do with each other",
             lambda M, k, y: Fraction(int(k @ y), int(M[0, 0])), 0.25),
        Misconception("if the noise is added to every entry of K", lambda K, k, noise, y: exact(k) @ solve(K + noise, y), 0.5),
        Misconception("if the weights are added, without k*", lambda alpha: alpha.sum(), 0.25),
    ),
)  # fmt: skip

program = Problem(
    name="program",
    title="The program in the right order",
    kind=Order((
        "Compute $K$ and add $@noise$ to its diagonal.",
        "Factorise the sum as $LL^\\top$ (Cholesky).",
        "Solve $Lu=y$, then $L^\\top\\alpha=u$.",
        "Form $k_*$ for the query, and the mean $k_*^\\top\\alpha$.",
        "Solve $Lv=k_*$, and take $v^\\top v$ from $k(x_*,x_*)$.",
        "Add $@noise$ again, for a measurement is asked for and not $f$.",
    )),
    level=2, minutes=4, points=3,
    draw=lambda rng: {"noise": Fraction(1, int(rng.integers(2, 30)))},
    statement=r"""
        These steps compute mean, and then variance, of a further *measurement* at $x_*$; the noise has the variance $@noise$.
        Bring them into an order in which they can be done.
        @lines""",
    solution=r"""
        The order is @answer: everything needs the factor $L$, the mean needs $\alpha$, and the noise is added to the variance
        of $f$ at the end.""",
    mistakes=(
        Misconception("The noise belongs to the diagonal before the matrix is factorised: L is the factor of the sum.",
             (1, 0, 2, 3, 4, 5), 0.5),
        Misconception("The noise of the new measurement is added to the variance, which must be there first.",
             (0, 1, 2, 3, 5, 4), 0.5),
        Misconception("The weights come from solving with L, so the factor must be there first.", (0, 2, 1, 3, 4, 5), 0.5),
        Misconception("The mean needs the weights.", (0, 1, 3, 2, 4, 5), 0.5),
    ),
)  # fmt: skip

conditional = Problem(
    name="conditional",
    title="Why the mean is a weighted sum of the measurements",
    kind=Gaps((
        Gap("$f_*-wy$ is uncorrelated with $y$", (
            ("$f_*-wy$ has the variance 0", "Only if f* were a multiple of y; what is left has a variance, the posterior."),
            ("$wy$ is uncorrelated with $f_*$", "Then the measurement would tell nothing about f*."),
        )),
        Gap("$@c/@sum$", (
            ("$@c/@a$", "The variance of y is that of f and of the noise together."),
            ("$@sum/@c$", "Cov(f*, y) = w Var(y), so that the variance of y divides."),
        )),
        Gap("they are jointly Gaussian", (
            ("they are uncorrelated", "Uncorrelated variables need not be independent; jointly Gaussian ones are."),
            ("the noise is small", "No size of the noise is needed."),
        )),
    )),
    level=3, minutes=6, points=3,
    draw=_draw_one,
    work=lambda a, noise: {"sum": a + noise},
    statement=r"""
        $f$ and $f_*$, two values of a Gaussian process, have mean 0, variance $@a$ and covariance $@c$; $y=f+\varepsilon$, where the noise $\varepsilon$ has the
        variance $@noise$. Derive the conditional mean of $f_*$ given $y$, and fill the gaps. Choose the number $w$ such
        that **(1)**. From $\mathrm{Cov}(f_*,y)=w\,\mathrm{Var}(y)$ follows $w=$ **(2)**. Now $f_*-wy$ and $y$ are
        independent, since they are uncorrelated and **(3)**. So given $y=@y$ the mean of $f_*$ is $@{(y}\,w$.""",
    solution=r"""
        (1) Then $\mathrm{Cov}(f_*-wy,y)=0$. (2) $\mathrm{Cov}(f_*,y)=@c$ and $\mathrm{Var}(y)=@a+@noise$. (3) What does not
        depend on $y$ keeps its mean, which is 0.""",
)  # fmt: skip

PROBLEMS = (one_mean, one_variance, repeated, two_mean, evidence, program, conditional)
