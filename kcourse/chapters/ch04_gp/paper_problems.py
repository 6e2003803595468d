"""Pencil-and-paper problems on Gaussian processes."""

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
        A Gaussian process with mean 0 has $k(x,x)=k(x_*,x_*)=@a$ and $k(x_*,x)=@c$. The value $y=@y$ is measured at
        $x$, with noise of variance $@noise$. What is the posterior mean of $f(x_*)$?""",
    solution=r"""
        $k(x_*,x)\,(k(x,x)+\sigma_n^2)^{-1}y=@c\cdot@{(y}/@sum=@answer$.""",
    mistakes=(
        Misconception("if the noise is left out", lambda a, c, y: Fraction(c * y, a), 0.5),
        Misconception("if the variance of the noise is squared, as if it were a standard deviation",
             lambda a, c, noise, y: Fraction(c * y, a + noise**2) if noise > 1 else None, 0.5),
        Misconception("if the mean at x is given instead of the mean at x*", lambda a, noise, y: Fraction(a * y, a + noise), 0.25),
        Misconception("if the measurement is divided by k(x, x) + σ², but k(x*, x) is missing", lambda a, noise, y: Fraction(y, a + noise)),
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
        A Gaussian process has $k(x,x)=k(x_*,x_*)=@a$ and $k(x_*,x)=@c$. The value $y=@y$ is measured
        at $x$, with noise of variance $@noise$. What is the posterior variance of $f(x_*)$, the function without noise?""",
    solution=r"""
        $k(x_*,x_*)-k(x_*,x)^2/(k(x,x)+\sigma_n^2)=@a-@square/@sum=@answer$. The measured value does not enter.""",
    mistakes=(
        Misconception("if the noise is added, which gives the variance of a new measurement at x*", lambda answer, noise: answer + noise,
             0.5),
        Misconception("if the noise is left out of the denominator", lambda a, c: a - Fraction(c * c, a), 0.5),
        Misconception("if k(x*, x) is not squared", lambda a, c, noise: a - Fraction(c, a + noise) if c > 1 else None, 0.25),
        Misconception("if the second term is added, although a measurement cannot raise the variance",
             lambda a, c, noise: a + Fraction(c * c, a + noise), 0.25),
        Misconception("if only the reduction of the variance is given", lambda a, c, noise: Fraction(c * c, a + noise), 0.25),
    ),
)  # fmt: skip


def _draw_repeated(rng: np.random.Generator) -> dict[str, Any]:
    return {"v": int(rng.integers(1, 9)), "noise": int(rng.integers(1, 9)), "n": int(rng.integers(2, 7))}


repeated = Problem(
    name="repeated",
    title="Repeated measurements at one point",
    kind=Numbers("variance"),
    level=2, minutes=4, points=3,
    draw=_draw_repeated,
    work=lambda v, noise, n: {"precision": Fraction(1, v) + Fraction(n, noise),
                              "answer": Fraction(v * noise, noise + n * v)},
    statement=r"""
        The prior variance of $f(x)$ is $@v$. At this one point $x$, $@n$ values are measured, each with independent
        noise of variance $@noise$. What is the posterior variance of $f(x)$?""",
    solution=r"""
        The mean of the measurements is one measurement with noise of variance $@noise/@n$. Precisions add, so the posterior
        precision is $\frac1{@v}+\frac{@n}{@noise}=@precision$. The variance is $@answer$.""",
    mistakes=(
        Misconception("if the prior is left out, which gives the variance of the mean of the measurements", lambda noise, n: Fraction(noise, n), 0.5),
        Misconception("if only one measurement is counted", lambda v, noise: Fraction(v * noise, v + noise), 0.25),
        Misconception("if the variance of the sum of the noises is used instead of the variance of their mean",
             lambda v, noise, n: Fraction(v * noise * n, v + noise * n), 0.25),
        Misconception("if the precision is given instead of the variance", lambda precision: precision, 0.75),
        Misconception("if variances are added instead of precisions", lambda v, noise, n: v + Fraction(noise, n), 0.25),
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
    title="Log marginal likelihood of one measurement",
    kind=Numbers("log p(y)", rounded=True),
    level=2, minutes=5, points=3,
    draw=_draw_evidence,
    work=_work_evidence,
    statement=r"""
        A Gaussian process with mean 0 and $k(x,x)=@a$ is measured once, with noise of variance $@noise$. The value is
        $y=@y$. What is the log marginal likelihood $\log p(y)$? You may use a pocket calculator.""",
    solution=r"""
        $y$ is Gaussian with variance $@a+@noise=@s$:
        $-\tfrac12 y^2/@s-\tfrac12\log @s-\tfrac12\log 2\pi=@answer$, where $@fit$ is the fit and $@size$ the
        complexity term.""",
    mistakes=(
        Misconception("if the constant with 2π is left out", lambda fit, size: fit + size, 0.75),
        Misconception("if the logarithm of the determinant is not halved", lambda answer, size: answer + size, 0.5),
        Misconception("if the quadratic term is not halved", lambda answer, fit: answer + fit, 0.5),
        Misconception("if the penalty is added instead of subtracted", lambda answer, size: answer - 2 * size, 0.25),
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
        Two points have the Gram matrix $K=@K$, and the kernel between a third point and these two is $k_*=@k$. The values
        $y=@y$ are measured at the two points, with noise of variance $@noise$. What is the posterior mean of $f$ at the
        third point?""",
    solution=r"""
        $\alpha=(K+\sigma_n^2I)^{-1}y$ with $K+\sigma_n^2I=@M$ is $@alpha$, and $k_*^\top\alpha=@answer$.""",
    mistakes=(
        Misconception("if the noise is left out", lambda K, k, y: exact(k) @ solve(K, y), 0.5),
        Misconception("if y is not multiplied by the inverse of K + σₙ²I", lambda k, y: int(k @ y)),
        Misconception("if only the diagonal is inverted, as if the values at the two points were uncorrelated",
             lambda M, k, y: Fraction(int(k @ y), int(M[0, 0])), 0.25),
        Misconception("if the noise is added to every entry of K", lambda K, k, noise, y: exact(k) @ solve(K + noise, y), 0.5),
        Misconception("if the weights are added, and k* is missing", lambda alpha: alpha.sum(), 0.25),
    ),
)  # fmt: skip

program = Problem(
    name="program",
    title="Mean and variance by a Cholesky factor",
    kind=Order((
        "Compute $K$ and add $@noise$ to its diagonal.",
        "Factorise the sum as $LL^\\top$ (Cholesky).",
        "Solve $Lu=y$, then $L^\\top\\alpha=u$.",
        "Form $k_*$ for the query, then the mean $k_*^\\top\\alpha$.",
        "Solve $Lv=k_*$, and subtract $v^\\top v$ from $k(x_*,x_*)$.",
        "Add $@noise$ to the variance of $f$, which gives that of a measurement.",
    )),
    level=2, minutes=4, points=3,
    draw=lambda rng: {"noise": Fraction(1, int(rng.integers(2, 30)))},
    statement=r"""
        These steps compute the mean, and then the variance, of a new *measurement* at $x_*$. The noise has the variance
        $@noise$. Put them in an order in which they can be carried out.
        @lines""",
    solution=r"""
        The order is @answer. Every later step needs the factor $L$, the mean needs $\alpha$, and the noise is added to the
        variance of $f$ at the end.""",
    mistakes=(
        Misconception("The noise is added to the diagonal before the factorisation, because L is the factor of the sum.",
             (1, 0, 2, 3, 4, 5), 0.5),
        Misconception("The noise of the new measurement is added to the variance of f, which must be computed first.",
             (0, 1, 2, 3, 5, 4), 0.5),
        Misconception("The weights come from solving with L, so the factorisation comes first.", (0, 2, 1, 3, 4, 5), 0.5),
        Misconception("The mean needs the weights.", (0, 1, 3, 2, 4, 5), 0.5),
    ),
)  # fmt: skip

conditional = Problem(
    name="conditional",
    title="Why the mean is a weighted sum of the measurements",
    kind=Gaps((
        Gap("$f_*-wy$ is uncorrelated with $y$", (
            ("$f_*-wy$ has the variance 0", "That holds only if f* is a multiple of y. The difference has a variance, the posterior variance."),
            ("$wy$ is uncorrelated with $f_*$", "Then the measurement would say nothing about f*."),
        )),
        Gap("$@c/@sum$", (
            ("$@c/@a$", "The variance of y is the sum of the variances of f and of the noise."),
            ("$@sum/@c$", "From Cov(f*, y) = w Var(y) follows w = Cov(f*, y)/Var(y)."),
        )),
        Gap("they are jointly Gaussian", (
            ("they are uncorrelated", "Uncorrelated variables need not be independent; jointly Gaussian ones are."),
            ("the noise is small", "The size of the noise does not matter."),
        )),
    )),
    level=3, minutes=6, points=3,
    draw=_draw_one,
    work=lambda a, noise: {"sum": a + noise},
    statement=r"""
        Two values $f$ and $f_*$ of a Gaussian process have mean 0, variance $@a$ and covariance $@c$. The measurement is
        $y=f+\varepsilon$, where the independent noise $\varepsilon$ has the variance $@noise$. Derive the conditional mean
        of $f_*$ given $y$, and fill the gaps. Choose the number $w$ such
        that **(1)**. From $\mathrm{Cov}(f_*,y)=w\,\mathrm{Var}(y)$ follows $w=$ **(2)**. Now $f_*-wy$ and $y$ are
        independent, because they are uncorrelated and **(3)**. So the mean of $f_*$ given $y=@y$ is $@{(y}\,w$.""",
    solution=r"""
        (1) Then $\mathrm{Cov}(f_*-wy,y)=0$. (2) $\mathrm{Cov}(f_*,y)=@c$ and $\mathrm{Var}(y)=@a+@noise$. (3) So $f_*-wy$ keeps
        its mean, which is 0, when $y$ is given.""",
)  # fmt: skip

PROBLEMS = (one_mean, one_variance, repeated, two_mean, evidence, program, conditional)
