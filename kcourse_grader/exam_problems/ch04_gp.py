"""Exam problems on Gaussian processes."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, inverse, option, solve


def _draw_held(rng: np.random.Generator) -> dict[str, Any]:
    T, gap = int(rng.choice([4, 16])), int(rng.choice([1, 4, 9]))
    rate = Fraction(int(rng.choice([-3, -1, 1, 3])), 2 if T == 4 else int(rng.choice([2, 4, 8])))
    return {"T": T, "end": T + gap, "y": int(rate * T)}


def _work_held(T: int, end: int, y: int) -> dict[str, Any]:
    gap, half = end - T, T // 2
    return {"half": half, "rate": Fraction(y, T), "mid": y // 2, "spread": T // 4, "wide": 2 * isqrt(T // 4), "gap": gap, "far": 2 * isqrt(gap),
            "answer": (y // 2, T // 4, y, gap)}  # fmt: skip


held = Problem(
    name="held",
    title="Brownian motion held at one time",
    kind=Free((
        Step(r"(a) finds the mean $@rate\,t$ and the variance $t-t^2/@T$ for $t\le@T$", 2),
        Step(r"(a) finds the mean $@y$ and the variance $t-@T$ for $t\ge@T$", 2),
        Step(r"(b) finds for $s\le@T\le t$ that the covariance is $s-s\cdot@T/@T=0$, and says that the values are then independent", 1),
        Step(r"(c) sketches the mean: a straight line from $(0,0)$ to $(@T,@y)$, then constant", 1),
        Step(r"(c) sketches the band: width 0 at $0$ and $@T$, half width $@wide$ at $@half$ and $@far$ at $@end$, with vertical tangents at $0$ and $@T$", 2),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_held,
    work=_work_held,
    statement=r"""
        $f$ is Brownian motion, with mean 0 and $k(s,t)=\min(s,t)$ for times $s,t\ge0$. At the time $@T$ the value $f(@T)=@y$ is measured without
        noise.
        (a) Find the posterior mean and variance of $f(t)$, for $t\le@T$ and for $t\ge@T$.
        (b) Find the posterior covariance of $f(s)$ and $f(t)$ for $s\le@T\le t$. What does it say about these two values?
        (c) Sketch the posterior mean and the band of $\pm2$ standard deviations for $0\le t\le@end$. Mark mean and band at the times $0$, $@half$, $@T$
        and $@end$, and show how steep the edges of the band are at $0$ and $@T$.""",
    solution=r"""
        There is one measurement without noise, so $A=k(@T,@T)=@T$.

        (a) The mean is $\min(t,@T)\cdot@{(y}/@T=@rate\,\min(t,@T)$ and the variance $t-\min(t,@T)^2/@T$. For $t\le@T$ they are $@rate\,t$ and
        $t-t^2/@T=t\,(@T-t)/@T$. For $t\ge@T$ they are $@y$ and $t-@T$.

        (b) The covariance is $\min(s,t)-\min(s,@T)\min(t,@T)/@T=s-s\cdot@T/@T=0$. The values are jointly normal and uncorrelated, so they
        are independent: if $f(@T)$ is known, what happened before says nothing about what happens afterwards.

        (c) The mean is a straight line from $(0,0)$ to $(@T,@y)$ and constant from there on. The variance is 0 at $0$, $@spread$ at
        $@half$, 0 at $@T$ and $@gap$ at $@end$. So the band is $0$ at $0$, $@mid\pm@wide$ at $@half$, $@y$ at $@T$ and $@y\pm@far$ at $@end$. The standard
        deviation is a root, so the band leaves $0$ and $@T$ with vertical tangents.""",
)  # fmt: skip


def _draw_random_line(rng: np.random.Generator) -> dict[str, Any]:
    for _ in range(4000):
        prior, noise = int(rng.choice([1, 2, 3, 4, 6, 8, 9])), int(rng.choice([1, 4, 9]))
        x = np.sort(rng.choice(np.arange(-2, 5), 2, replace=False))
        y = rng.integers(-6, 10, 2)
        q = int(x @ x)
        v, w = Fraction(prior * noise, prior * q + noise), Fraction(int(prior * (x @ y)), prior * q + noise)
        square = isqrt(v.numerator) ** 2 == v.numerator and isqrt(v.denominator) ** 2 == v.denominator
        if square and v.denominator <= 49 and w.denominator <= 3 and abs(w) not in (0, 1) and v != 1 and x.all():
            return {"prior": prior, "noise": noise, "x": x, "y": y, "at": int(rng.integers(2, 5))}
    raise Unfit("no short numbers")


def _work_random_line(prior: int, noise: int, x: np.ndarray, y: np.ndarray, at: int) -> dict[str, Any]:
    q, xy = int(x @ x), int(x @ y)
    v, w = Fraction(prior * noise, prior * q + noise), Fraction(prior * xy, prior * q + noise)
    sd = Fraction(isqrt(v.numerator), isqrt(v.denominator))
    return {"q": q, "xy": xy, "whole": prior * q + noise, "g": Fraction(prior, prior * q + noise), "w": w, "v": v, "sd": sd, "root": isqrt(noise),
            "half": 2 * at * sd, "zero": 2 * isqrt(noise), "height": w * at, "new": at**2 * v + noise, "answer": (w, v)}  # fmt: skip


random_line = Problem(
    name="random_line",
    title="The process of a random line",
    kind=Free((
        Step(r"(a) computes that $f(x)-x\,f(1)$ has the variance 0, or an equal argument", 2),
        Step(r"(b) finds $g$ from the condition that the remainder is uncorrelated with every measurement", 2),
        Step(r"(b) concludes that $w$ has the mean $g\sum_ix_iy_i$ and the variance of the remainder, and finds this variance", 1),
        Step("(c) finds the mean $@w$ and the variance $@v$ of $w$", 1),
        Step(r"(d) sketches the line with the slope $@w$ and a fan of straight lines, with half width 0 at $0$ and $@half$ at $@at$", 1),
        Step(r"(d) sketches the wider, curved band of a new measurement, with half width $@zero$ at $0$", 1),
    )),
    level=3, minutes=14, points=8,
    draw=_draw_random_line,
    work=_work_random_line,
    statement=r"""
        A Gaussian process on the real line has mean 0 and the kernel $k(x,z)=v_0\,xz$ with $v_0>0$. Let $w=f(1)$.
        (a) Show that draws are straight lines through the origin: for every $x$, $f(x)=wx$ with probability 1.
        (b) We measure $y_i=f(x_i)+\varepsilon_i$ for $i=1,\dots,n$, with independent noise of variance $\sigma_n^2$. Find a number $g$ such that
        $r=w-g\sum_ix_iy_i$ is uncorrelated with every $y_j$. Conclude what mean and variance $w$ has, given $y$.
        (c) Compute both for $v_0=@prior$, $\sigma_n^2=@noise$, $x=@x$ and $y=@y$.
        (d) Sketch for (c) the posterior mean of $f$ and two bands of $\pm2$ standard deviations, that of the curve and that of a new measurement,
        for $-@at\le x\le@at$. Mark the half width of the first band at $0$ and $@at$, and that of the second at $0$.""",
    solution=r"""
        (a) $f(x)-x\,f(1)$ has mean 0 and variance $k(x,x)-2x\,k(x,1)+x^2k(1,1)=v_0\,(x^2-2x^2+x^2)=0$. So it is 0 with probability 1.

        (b) $\mathrm{Cov}(w,y_j)=k(1,x_j)=v_0x_j$. Since $y_i=wx_i+\varepsilon_i$,
        $$\mathrm{Cov}\Bigl(\sum_ix_iy_i,\;y_j\Bigr)=\sum_ix_i\,v_0x_ix_j+x_j\sigma_n^2=\Bigl(v_0\sum_ix_i^2+\sigma_n^2\Bigr)x_j.$$
        So $r$ is uncorrelated with every $y_j$ if $g=v_0/(v_0\sum_ix_i^2+\sigma_n^2)$. Then $r$ is independent of $y$, so $w$ has the mean $g\sum_ix_iy_i$, and the
        variance $\mathrm{Cov}(r,w)=v_0-g\sum_ix_i\,v_0x_i=v_0\sigma_n^2\big/\bigl(v_0\sum_ix_i^2+\sigma_n^2\bigr)$.

        (c) $\sum_ix_i^2=@q$ and $\sum_ix_iy_i=@xy$, so $v_0\sum_ix_i^2+\sigma_n^2=@whole$. The mean is $@g\cdot@{(xy}=@w$ and the variance
        $@prior\cdot@noise/@whole=@v$, with the standard deviation $@sd$.

        (d) The mean is $@w\,x$. The variance of $f(x)=wx$ is $@v\,x^2$, so the band of the curve is $@w\,x\pm2\cdot@sd\,|x|$, a fan of
        straight lines, with half width 0 at $0$ and $@half$ at $@at$. For a new measurement the variance is $@v\,x^2+@noise$. This band is wider everywhere,
        with half width $2\cdot@root=@zero$ at $0$. Both bands grow without bound, unlike those of a Gaussian kernel.""",
)  # fmt: skip


def _draw_overall(rng: np.random.Generator) -> dict[str, Any]:
    a, c, nu = int(rng.integers(1, 5)), int(rng.choice([-2, -1, 1, 2])), int(rng.integers(1, 4))
    if a < abs(c):
        raise Unfit("no kernel matrix")
    return {"K": np.array([[a, c], [c, a]]), "nu": nu, "y": rng.integers(-5, 8, 2)}


def _work_overall(K: np.ndarray, nu: int, y: np.ndarray) -> dict[str, Any]:
    A = K + nu * np.eye(2, dtype=int)
    alpha = solve(A, y)
    q = alpha @ y
    if not y.all() or max(q.denominator, *(v.denominator for v in alpha)) > 12 or q < 1:
        raise Unfit("long fractions")
    return {"A": A, "alpha": alpha, "q": q, "answer": q / 2}


overall = Problem(
    name="overall",
    title="The overall scale of a process, learned from the data",
    kind=Free((
        Step(r"(a) uses $(sA_0)^{-1}=A_0^{-1}/s$ and $\det(sA_0)=s^n\det A_0$", 2),
        Step(r"(b) differentiates with respect to $s$ and finds $\hat s=y^\top A_0^{-1}y/n$", 1),
        Step("(b) shows that it is the maximum, for example because the derivative changes its sign there from plus to minus", 1),
        Step(r"(c) finds that $s$ cancels in the mean and multiplies the variance", 1),
        Step(r"(c) says that the band depends on $y$ through $\hat s$: if $y$ is doubled, it becomes twice as wide", 1),
        Step(r"(d) finds $\hat s=@answer$", 1),
    )),
    level=3, minutes=12, points=7,
    draw=_draw_overall,
    work=_work_overall,
    statement=r"""
        A Gaussian process has mean 0 and the kernel $s\,k_0$, and the noise has the variance $s\,\nu$. Here $k_0$ and $\nu>0$ are known, and $s>0$ is
        not. So $n$ measurements have $y\sim\mathcal N(0,sA_0)$ with $A_0=K_0+\nu I$, and $y\ne0$.
        (a) Write $\log p(y)$ as a function of $s$, with terms that do not contain $s$ collected in a constant.
        (b) Find the $\hat s$ that maximises $\log p(y)$, and show that it is the maximum.
        (c) How do the posterior mean and variance of $f(x_*)$ depend on $s$? With $s=\hat s$, does the width of the band depend on $y$? What happens to the width if
        all $y_i$ are doubled?
        (d) Compute $\hat s$ for two measurements with $K_0=@K$, $\nu=@nu$ and $y=@y$.""",
    solution=r"""
        (a) With $A=sA_0$ we have $A^{-1}=A_0^{-1}/s$ and $\det A=s^n\det A_0$, so
        $$\log p(y)=-\frac{1}{2s}\,y^\top A_0^{-1}y-\frac n2\log s+\text{constant}.$$

        (b) The derivative with respect to $s$ is $\frac{1}{2s^2}\,y^\top A_0^{-1}y-\frac{n}{2s}=\frac{n}{2s^2}\,(\hat s-s)$ with
        $\hat s=\frac1n\,y^\top A_0^{-1}y$, which is positive because $A_0^{-1}$ is positive definite. The derivative is positive for $s<\hat s$ and negative for $s>\hat s$, so
        $\hat s$ is the maximum.

        (c) Let $k_*$ be the row $k_0(x_*,X)$. The mean is $s\,k_*\,(sA_0)^{-1}y=k_*A_0^{-1}y$, so $s$ cancels. The variance is
        $s\,k_0(x_*,x_*)-s\,k_*(sA_0)^{-1}s\,k_*^\top=s\,\bigl(k_0(x_*,x_*)-k_*A_0^{-1}k_*^\top\bigr)$, which is proportional to $s$. So with $s=\hat s$ the
        band depends on $y$, but only through this one number. If $y$ is doubled, $\hat s$ becomes four times and the band twice as large.

        (d) $A_0=@A$, $A_0^{-1}y=@alpha$ and $y^\top A_0^{-1}y=@q$, so $\hat s=@answer$.""",
)  # fmt: skip


def _draw_beliefs(rng: np.random.Generator) -> dict[str, Any]:
    return {"a": int(rng.integers(2, 9)), "v": int(rng.integers(2, 7))}


def _work_beliefs(a: int, v: int) -> dict[str, Any]:
    return {"sum": a + v, "covariance": Fraction(-1, a + v),
            "K": np.array([[a, 0, 1], [0, a, 1], [1, 1, a]]), "answer": Fraction(-1, a + v)}  # fmt: skip


beliefs = Problem(
    name="beliefs",
    title="Three claims about posteriors",
    kind=Free((
        Step("(a) false: gives a covariance matrix for three inputs, with 0 between the first two", 1),
        Step("(a) computes the posterior covariance of the first two values, and it is not 0", 2),
        Step(r"(b) true: doubling $y$ multiplies the fit term by 4 and leaves the others, and the fit term is negative for $y\ne0$", 2),
        Step(r"(c) true: writes the variance as $@v$ times a diagonal entry of $K(K+@v I)^{-1}$, or as at most $@a\cdot@v/@sum$, from the measurement at this input alone", 1),
        Step("(c) shows that this factor is below 1, or an equal bound", 1),
    )),
    level=2, minutes=12, points=7,
    draw=_draw_beliefs,
    work=_work_beliefs,
    statement=r"""
        True or false? Prove what is true, and give a counterexample with numbers to what is false. In all three, a Gaussian process on some set of inputs has mean 0 and
        $k(x,x)=@a$ for every $x$, and measurements have independent noise of variance $\sigma_n^2=@v$.
        (a) If $f(x_1)$ and $f(x_2)$ have covariance 0 in the prior, they also have covariance 0 after a measurement at a third input.
        (b) If the vector $y\ne0$ of the measurements is replaced with $2y$, the log marginal likelihood falls.
        (c) After measurements at $n$ inputs, the posterior variance of $f$ at each of these inputs is smaller than $@v$.""",
    solution=r"""
        (a) False. Take a set of three inputs, and let $f(x_1),f(x_2),f(x_3)$ have the covariance matrix $@K$, which is positive definite (its eigenvalues are $@a$ and $@a\pm\sqrt2$). After a
        measurement at $x_3$ the covariance of the first two is
        $k(x_1,x_2)-k(x_1,x_3)\,k(x_3,x_2)/(k(x_3,x_3)+\sigma_n^2)=0-1/@sum=@covariance$.

        (b) True. $A$ does not contain $y$, so the complexity term and the constant stay. The fit term $-\frac12y^\top A^{-1}y$ becomes four times
        as large. It is negative, because $A^{-1}$ is positive definite and $y\ne0$, so the sum falls.

        (c) True. At the inputs themselves the posterior covariance is $K-KA^{-1}K=KA^{-1}(A-K)=@v\,KA^{-1}$ with $A=K+@v I$. The eigenvalues of $H=KA^{-1}$
        are $\mu_j/(\mu_j+@v)$, which are below 1. So each diagonal entry of $H$ is below 1, and each variance is smaller than $@v$.""",
)  # fmt: skip


def _draw_parts(rng: np.random.Generator) -> dict[str, Any]:
    a, b, v = (int(n) for n in rng.integers(1, 7, 3))
    if a == b or a + b + v > 12:
        raise Unfit("equal parts, or a large sum")
    return {"a": a, "b": b, "v": v, "y": (a + b + v) * int(rng.choice([-2, -1, 1, 2, 3]))}


def _work_parts(a: int, b: int, v: int, y: int) -> dict[str, Any]:
    total = a + b + v
    vg, vh, cov = a - Fraction(a * a, total), b - Fraction(b * b, total), Fraction(-a * b, total)
    return {"total": total, "mg": a * y // total, "mh": b * y // total, "vg": vg, "vh": vh, "cov": cov, "vf": vg + vh + 2 * cov, "both": a + b,
            "answer": (a * y // total, vg, cov, vg + vh + 2 * cov)}  # fmt: skip


parts = Problem(
    name="parts",
    title="The posterior of a part",
    kind=Free((
        Step(r"(a) finds $\mathrm{Cov}(g_*,y)=k_g(x_*,X)$, because $g$ is independent of $h$ and of the noise", 1),
        Step(r"(a) finds $b=k_g(x_*,X)A^{-1}$ and the mean from the uncorrelated remainder", 1),
        Step("(a) shows that the means of the two parts add up to that of the sum", 1),
        Step(r"(b) finds the covariance $-k_g(x_*,X)A^{-1}k_h(X,x_*)$", 2),
        Step("(c) finds mean $@mg$ and variance $@vg$ of the part, and the covariance $@cov$", 1),
        Step("(c) finds the variance $@vf$ of the sum in both ways, and says that the measurement shows only the sum of the parts", 1),
    )),
    level=3, minutes=13, points=7,
    draw=_draw_parts,
    work=_work_parts,
    statement=r"""
        A process $f=g+h$ is the sum of two independent Gaussian processes with mean 0 and the kernels $k_g$ and $k_h$. We measure
        $y=f+\varepsilon$ at the inputs $X$, with independent noise of variance $\sigma_n^2$. Let $A=K_g+K_h+\sigma_n^2I$, and let $g_*$ and $h_*$ be the values
        of the parts at $x_*$.
        (a) Find a row $b$ such that $g_*-by$ is uncorrelated with $y$. Which posterior mean follows for $g_*$? Show that the posterior means of the two parts
        add up to that of $f_*=g_*+h_*$.
        (b) Find the posterior covariance of $g_*$ and $h_*$.
        (c) There is one measurement $y=@y$, at $x_*$ itself, with $k_g(x_*,x_*)=@a$, $k_h(x_*,x_*)=@b$ and $\sigma_n^2=@v$. Compute the posterior mean and
        variance of $g_*$, and the covariance of $g_*$ and $h_*$. Compute the variance of $f_*$ from those of its parts, and directly. What does the sign
        of the covariance mean?""",
    solution=r"""
        (a) $g$ is independent of $h$ and of the noise, so $\mathrm{Cov}(g_*,y)=k_g(x_*,X)$, and $\mathrm{Cov}(by,y)=bA$. So $b=k_g(x_*,X)A^{-1}$. The remainder is
        independent of $y$ and has mean 0, so the posterior mean of $g_*$ is $k_g(x_*,X)A^{-1}y$. That of $h_*$ is $k_h(x_*,X)A^{-1}y$. Their sum is
        $\bigl(k_g+k_h\bigr)(x_*,X)\,A^{-1}y$, the posterior mean of $f_*$, whose kernel is $k_g+k_h$.

        (b) $\mathrm{Cov}(g_*-by,\,h_*-cy)$ with $c=k_h(x_*,X)A^{-1}$ equals $\mathrm{Cov}(g_*-by,\,h_*)$, because the first remainder is uncorrelated with $y$. This
        is $0-b\,\mathrm{Cov}(y,h_*)=-k_g(x_*,X)A^{-1}k_h(X,x_*)$.

        (c) $A$ is the number $@a+@b+@v=@total$. The mean of $g_*$ is $@a\cdot@{(y}/@total=@mg$, its variance $@a-@a^2/@total=@vg$, and the covariance
        $-@a\cdot@b/@total=@cov$. The variance of $h_*$ is $@b-@b^2/@total=@vh$. From the parts $f_*$ has the variance $@vg+@vh+2\cdot(@cov)=@vf$, and directly
        $@both-@both^2/@total=@vf$. The covariance is negative, because the measurement shows only the sum: if one part
        is larger than its mean, the other one is probably smaller.""",
)  # fmt: skip


def _draw_difference(rng: np.random.Generator) -> dict[str, Any]:
    V = rng.integers(-2, 3, (3, 3))
    G = V @ V.T
    if np.linalg.matrix_rank(V) < 3 or not G[0, 1] or not G[0, 2] or not G[1, 2] or G[0, 2] == G[1, 2]:
        raise Unfit("too simple")
    return {"S": G[:2, :2], "k": G[:2, 2], "a": int(G[2, 2]), "noise": int(rng.integers(1, 6))}


def _work_difference(S: np.ndarray, k: np.ndarray, a: int, noise: int) -> dict[str, Any]:
    prior = int(S[0, 0] + S[1, 1] - 2 * S[0, 1])
    gap = int(k[1] - k[0])
    variances = [int(S[i, i]) - Fraction(int(k[i] ** 2), a + noise) for i in (0, 1)]
    return {"prior": prior, "gap": gap, "sum": a + noise, "variances": variances, "cov": int(S[0, 1]) - Fraction(int(k[0] * k[1]), a + noise),
            "first": variances[0], "second": variances[1], "answer": prior - Fraction(gap**2, a + noise)}  # fmt: skip


difference = Problem(
    name="difference",
    title="How certain is a rise?",
    kind=Numbers("variance of the difference"),
    level=2, minutes=7, points=4,
    draw=_draw_difference,
    work=_work_difference,
    statement=r"""
        Two values $f_1,f_2$ of a Gaussian process have the prior covariance matrix $@S$. At a third input, with $k(x,x)=@a$, one measurement is made with noise of
        variance $@noise$. The kernel between this input and the two others is $@k$. What is the posterior variance of the rise
        $f_2-f_1$?""",
    solution=r"""
        The posterior covariance matrix is $K_{**}-K_*A^{-1}K_*^\top$ with $A=@a+@noise=@sum$. It has the variances $@variances$ and the covariance
        $@cov$. So the variance of the difference is $@first+@second-2\cdot@{(cov}=@answer$. There is a shorter way: the difference has the prior variance
        $@prior$ and the covariance $@gap$ with the measurement, so its posterior variance is $@prior-@{(gap}^2/@sum=@answer$.""",
    mistakes=(
        Misconception("if the covariance of the two values is left out", lambda variances: sum(variances), 0.5),
        Misconception("if the covariance is added instead of subtracted", lambda variances, cov: sum(variances) + 2 * cov, 0.5),
        Misconception("if the prior covariance of the two values is used with their posterior variances",
             lambda variances, S: sum(variances) - 2 * int(S[0, 1]), 0.5),
        Misconception("if the prior variance is given, as if nothing were measured", lambda prior: prior, 0.25),
        Misconception("if the noise is left out", lambda prior, gap, a: prior - Fraction(gap**2, a), 0.5),
    ),
)  # fmt: skip


def _draw_slope(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c, noise = (
        int(rng.integers(1, 5)),
        int(rng.integers(1, 5)),
        int(rng.choice([-2, -1, 1, 2])),
        int(rng.integers(1, 4)),
    )
    if a * b < c * c:
        raise Unfit("no kernel matrix")
    K = np.array([[a, c], [c, b]])
    return {"K": K, "noise": noise, "y": (K + noise * np.eye(2, dtype=int)) @ rng.integers(-2, 3, 2)}


def _work_slope(K: np.ndarray, noise: int, y: np.ndarray) -> dict[str, Any]:
    A = K + noise * np.eye(2, dtype=int)
    alpha, G = solve(A, y), inverse(A)
    if not y.all() or not alpha.all():
        raise Unfit("a zero")
    return {
        "A": A,
        "G": G,
        "alpha": alpha,
        "squares": alpha @ alpha,
        "trace": np.trace(G),
        "answer": (alpha @ alpha - np.trace(G)) / 2,
    }


slope = Problem(
    name="slope",
    title="Should the noise grow?",
    kind=Numbers("derivative of log p(y)"),
    level=2, minutes=7, points=4,
    draw=_draw_slope,
    work=_work_slope,
    statement=r"""
        A Gaussian process with mean 0 has the covariance matrix $K=@K$ at two inputs. There $y=@y$ is measured, and the noise variance is $\sigma_n^2=@noise$ at
        present. What is the derivative of the log marginal likelihood with respect to $\theta=\sigma_n^2$?""",
    solution=r"""
        $A=K+\sigma_n^2I=@A$, so $\partial A=I$, and the derivative is $\frac12\alpha^\top\alpha-\frac12\operatorname{tr}A^{-1}$. Here
        $A^{-1}=@G$ and $\alpha=A^{-1}y=@alpha$. So it is $\frac12\,(@squares-@trace)=@answer$. If it is positive, more noise makes the
        measurements more probable.""",
    mistakes=(
        Misconception("if only the fit term is differentiated", lambda squares: squares / 2, 0.5),
        Misconception("if the factor one half is left out", lambda answer: 2 * answer, 0.75),
        Misconception("if the trace of A is used instead of the trace of its inverse", lambda squares, A: (squares - int(np.trace(A))) / 2, 0.5),
        Misconception("if the measurements are squared instead of the coefficients", lambda y, trace: (int(y @ y) - trace) / 2, 0.25),
        Misconception("if the sign is wrong", lambda answer: -answer, 0.5),
    ),
)  # fmt: skip


def _draw_interval(rng: np.random.Generator) -> dict[str, Any]:
    a, noise, c, sd = (int(rng.integers(*ends)) for ends in ((2, 13), (1, 6), (1, 7), (2, 5)))
    y = int(rng.choice([-6, -5, -4, -3, -2, 2, 3, 4, 5, 6, 7, 8]))
    told, rest = divmod(c * c, a + noise)
    b = sd * sd - noise + told
    if (
        rest
        or a == b
        or a * b <= c * c
        or sd * sd <= noise
        or Fraction(c * y, a + noise).denominator not in (1, 2, 4, 5)
    ):
        raise Unfit("long numbers, or no kernel matrix")
    return {"a": a, "b": b, "c": c, "noise": noise, "y": y}


def _work_interval(a: int, b: int, c: int, noise: int, y: int) -> dict[str, Any]:
    mean, v = Fraction(c * y, a + noise), b - c * c // (a + noise)
    return {"sum": a + noise, "mean": mean, "curve": v, "new": v + noise, "sd": isqrt(v + noise), "square": c * c,
            "low": _around(mean, v + noise)[0], "high": _around(mean, v + noise)[1], "answer": _around(mean, v + noise)}  # fmt: skip


def _around(mean: Any, variance: Any, factor: float = 1.96) -> tuple[float, float]:
    return float(mean) - factor * float(variance) ** 0.5, float(mean) + factor * float(variance) ** 0.5


interval = Problem(
    name="interval",
    title="An interval for the next measurement",
    kind=Numbers(("lower end", "upper end"), rounded=True),
    level=1, minutes=7, points=4,
    draw=_draw_interval,
    work=_work_interval,
    statement=r"""
        A Gaussian process with mean 0 has $k(x,x)=@a$, $k(x_*,x_*)=@b$ and $k(x_*,x)=@c$. The value $y=@y$ is measured at $x$, with noise of variance $@noise$. Now a
        new measurement is made at $x_*$, with independent noise of the same variance. Which interval around
        its posterior mean contains it with a probability of 95 %? (Take $1.96$ standard deviations.)""",
    solution=r"""
        The posterior mean is $@c\cdot@{(y}/@sum=@mean$, and $f(x_*)$ has the variance $@b-@square/@sum=@curve$. The new measurement has its own noise, so its variance is
        $@curve+@noise=@new$ and its standard deviation $@sd$. The predictive interval is $@mean\pm1.96\cdot@sd$, from $@low$ to $@high$.""",
    mistakes=(
        Misconception("if the interval is that of the curve, without the noise of the new measurement", lambda mean, curve: _around(mean, curve), 0.5),
        Misconception("if the variance is used as the standard deviation", lambda mean, new: _around(mean, new**2), 0.5),
        Misconception("if two standard deviations are used instead of 1.96", lambda mean, new: _around(mean, new, 2.0), 0.75),
        Misconception("if the interval is that of a measurement before anything is known", lambda b, noise: _around(0, b + noise), 0.25),
        Misconception("if the noise is added twice to the variance", lambda mean, new, noise: _around(mean, new + noise), 0.5),
    ),
)  # fmt: skip


def _draw_instruments(rng: np.random.Generator) -> dict[str, Any]:
    a, v1, v2 = (int(v) for v in rng.choice([2, 3, 4, 6, 12], 3))
    if v1 == v2:
        raise Unfit("equal instruments")
    return {"a": a, "v1": v1, "v2": v2, "y1": int(rng.integers(1, 9)), "y2": int(rng.integers(1, 9))}


def _work_instruments(a: int, v1: int, v2: int, y1: int, y2: int) -> dict[str, Any]:
    A = np.array([[a + v1, a], [a, a + v2]])
    alpha = solve(A, np.array([y1, y2]))
    if y1 == y2 or max(v.denominator for v in alpha) > 40:
        raise Unfit("equal values, or long fractions")
    return {
        "A": A,
        "alpha": alpha,
        "det": int(A[0, 0] * A[1, 1] - a * a),
        "total": sum(alpha),
        "answer": a * sum(alpha),
    }


instruments = Problem(
    name="instruments",
    title="Two instruments at one input",
    kind=Numbers("mean"),
    level=2, minutes=7, points=4,
    draw=_draw_instruments,
    work=_work_instruments,
    statement=r"""
        A Gaussian process with mean 0 has $k(x,x)=@a$. Two instruments measure at the same input $x$. The first has noise of variance $@v1$ and
        shows $y_1=@y1$, and the second has independent noise of variance $@v2$ and shows $y_2=@y2$. What is the posterior mean of $f(x)$?""",
    solution=r"""
        Both measurements have the covariance $@a$ with $f(x)$ and with each other, so $K_*=(@a,@a)$ and $A=@A$ with the determinant $@det$. Then $\alpha=A^{-1}y=@alpha$, and
        the mean is $@a\,(\alpha_1+\alpha_2)=@answer$. In other words, it is a weighted mean of $0$, $y_1$ and $y_2$, with weights proportional to
        $\tfrac1{@a}$, $\tfrac1{@v1}$ and $\tfrac1{@v2}$.""",
    mistakes=(
        Misconception("if the plain mean of the two values is given", lambda y1, y2: Fraction(y1 + y2, 2)),
        Misconception("if the prior is left out", lambda v1, v2, y1, y2: Fraction(y1 * v2 + y2 * v1, v1 + v2), 0.5),
        Misconception("if each value is weighted with the variance of its noise instead of the inverse, and the prior as well",
             lambda a, v1, v2, y1, y2: Fraction(v1 * y1 + v2 * y2, a + v1 + v2), 0.25),
        Misconception("if the measurements are treated as uncorrelated, without the entry off the diagonal of A",
             lambda a, v1, v2, y1, y2: Fraction(a * y1, a + v1) + Fraction(a * y2, a + v2), 0.25),
    ),
)  # fmt: skip


def _draw_candidates(rng: np.random.Generator) -> dict[str, Any]:
    for _ in range(4000):
        q, m = rng.integers(2, 17, 4), rng.integers(1, 11, 4)
        scores = -q / 2 - 0.35 * m
        best = [int(np.argmax(each)) for each in (scores, -q, -m)]
        rest = ({0, 1, 2, 3} - set(best)).pop()
        near = np.diff(np.sort(scores))[-1] < 0.3
        if (
            len(set(best)) == 3
            and not near
            and q[rest] > q[best[0]]
            and m[rest] > m[best[0]]
            and len(set(q)) == len(set(m)) == 4
        ):
            return {"q": [int(v) for v in q], "m": [int(v) for v in m], "best": [*best, rest]}
    raise Unfit("two rules agree")


def _work_candidates(q: list[int], m: list[int], best: list[int]) -> dict[str, Any]:
    table = "; ".join(f"$\\ell_{i + 1}$: $y^\\top A^{{-1}}y={q[i]}$, $\\det A={2 ** m[i]}$" for i in range(4))
    rows = ", ".join(f"$-{q[i] / 2:g}-{0.35 * m[i]:.4g}={-q[i] / 2 - 0.35 * m[i]:.4g}$" for i in range(4))
    return {"table": table, "rows": rows, "answer": f"$\\ell_{best[0] + 1}$"}


candidates = Problem(
    name="candidates",
    title="Fit against complexity",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_candidates,
    work=_work_candidates,
    statement=r"""
        Four length scales are tried for the same measurements $y$. They give @table. Which of them has the largest log marginal
        likelihood? (Use $\log2\approx0.7$.)""",
    solution=r"""
        $\log p(y)=-\frac12y^\top A^{-1}y-\frac12\log\det A-\frac n2\log2\pi$, and the last term is the same for all. If $\det A=2^m$, then
        $\frac12\log\det A\approx0.35\,m$. So the first two terms add up to @rows for $\ell_1,\dots,\ell_4$, and the largest sum belongs to @answer.""",
    mistakes=(
        Misconception("This length scale has the best fit term, but its complexity term is too low.", lambda best: f"$\\ell_{best[1] + 1}$", 0.25),
        Misconception("This length scale has the best complexity term, but its fit term is too low.", lambda best: f"$\\ell_{best[2] + 1}$", 0.25),
        Misconception("Another length scale is better than this one in both terms.", lambda best: f"$\\ell_{best[3] + 1}$"),
    ),
)  # fmt: skip


PRINTED = (
    "It prints the band of the curve.",
    "It uses the standard deviation of the noise as the variance of the noise.",
    "It adds the variance of the noise twice.",
    "It uses the variance of the new measurement as its standard deviation.",
    "It adds the two standard deviations instead of the variances.",
)


def _draw_printed(rng: np.random.Generator) -> dict[str, Any]:
    prior, noise = int(rng.integers(2, 7)), int(rng.integers(2, 6))
    if noise == 2 * prior:
        raise Unfit("two mistakes print the same")
    return {"prior": prior, "v": prior**2, "noise": noise, "which": int(rng.integers(5))}


def _work_printed(prior: int, v: int, noise: int, which: int) -> dict[str, Any]:
    inner = (v, v + noise, v + 2 * noise**2, (v + noise**2) ** 2, (prior + noise) ** 2)[which]
    why = (
        f"\\sqrt{{{v}}}", f"\\sqrt{{{v}+{noise}}}", f"\\sqrt{{{v}+2\\cdot{noise}^2}}", f"({v}+{noise}^2)", f"({prior}+{noise})",
    )[which]  # fmt: skip
    return {
        "printed": f"{2 * inner**0.5:.2f}",
        "why": why,
        "right": v + noise**2,
        "options": PRINTED,
        "answer": PRINTED[which],
    }


printed = Problem(
    name="printed",
    title="The wrong half width",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_printed,
    work=_work_printed,
    statement=r"""
        A program should print the half width of the band of $\pm2$ standard deviations for a new measurement. The input is far from all data and has
        $k(x,x)=@v$, and the noise has the standard deviation $@noise$. The program prints $@printed$. Which mistake does it make?""",
    solution=r"""
        Far from all data $f$ has the variance $@v$, so a new measurement has the variance $@v+@noise^2=@right$, and the right half width is $2\sqrt{@right}$.
        The program prints $2\cdot@why\approx@printed$. @answer""",
    mistakes=(
        Misconception("The program would then print twice the square root of the prior variance.", option(0)),
        Misconception("The program would then print twice the root of the sum of the prior variance and the standard deviation of the noise.", option(1)),
        Misconception("The program would then print twice the root of the sum of the prior variance and twice the variance of the noise.", option(2)),
        Misconception("The program would then print twice the sum of the two variances.", option(3)),
        Misconception("The program would then print twice the sum of the two standard deviations.", option(4)),
    ),
)  # fmt: skip

PROBLEMS = (held, random_line, overall, beliefs, parts, difference, slope, interval, instruments, candidates, printed)
