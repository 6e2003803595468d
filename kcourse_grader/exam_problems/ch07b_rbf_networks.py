"""Exam problems on RBF networks."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Gap, Gaps, Misconception, Numbers, Problem, Step, Unfit, exact
from kcourse.paper_problems.exact import fit


def _work_half(m: int, side: int) -> dict[str, Any]:
    d = m + 1
    more = 2 * d + side
    terms, middle = 2 ** (more - 1), comb(more - 1, (more - 1) // 2)
    made, share = terms - side * middle, Fraction(terms - side * middle, 2 * terms)
    return {"d": d, "n": 2 * d, "more": more, "top": more - 1, "centre": (more - 1) // 2, "middle": -side * middle,
            "has": "lacks" if side > 0 else "contains", "made": made, "all": 2 * terms, "share": share, "answer": (share, d)}  # fmt: skip


half = Problem(
    name="half",
    title="Random labels of twice as many points",
    kind=Free((
        Step("counts the bias as one dimension, $d=@d$", 1),
        Step(r"inserts $n=2d$ in Cover's count, and finds half of $2^n$ by the symmetry $\binom{2d-1}k=\binom{2d-1}{2d-1-k}$ or by adding all terms", 2),
        Step("writes the count for $@more$ points with its terms, or uses the recursion", 1),
        Step("finds the share $@share$", 1),
        Step(r"finds $n=@d$, with the reason that the sum is all of $2^{n-1}$ if and only if $n\le d$", 2),
    )),
    level=3, minutes=11, points=7,
    draw=lambda rng: {"m": int(rng.integers(2, 6)), "side": int(rng.choice([-1, 1]))},
    work=_work_half,
    statement=r"""
        A network has $@m$ RBF units and one output with a bias. The sign of the output decides between two classes. Centres and spreads are
        fixed. The activations, with a 1 for the bias, are in general position.

        (a) Show with Cover's count that the output layer can separate exactly half of the labellings of $@n$ points.

        (b) Which share of the labellings of $@more$ points can it separate?

        (c) What is the largest number of points for which it can separate all labellings? Give a reason.""",
    solution=r"""
        With the bias the output layer is a hyperplane through 0 in $d=@d$ dimensions.

        (a) For $n=2d$ the count is $C(2d,d)=2\sum_{k<d}\binom{2d-1}k$. Because $\binom{2d-1}k=\binom{2d-1}{2d-1-k}$, the terms
        $k=0,\dots,d-1$ have the same sum as the terms $k=d,\dots,2d-1$. Both sums together are $2^{2d-1}$, so $C(2d,d)=2^{2d-1}$. This is half of the
        $2^{2d}$ labellings.

        (b) For $n=@more$ the count is $2\sum_{k<@d}\binom{@top}k$. This sum @has the middle term $k=@centre$. The terms above the middle have the same
        sum as those below it, so the count is $2^{@top}@{+middle}=@made$ of $@all$, and the share is $@share$.

        (c) $2^n=2\sum_{k\le n-1}\binom{n-1}k$ has the terms $k=0,\dots,n-1$, all of them positive. Cover's sum stops at $k=d-1$. It is the whole sum if and
        only if $n\le d$. So the largest number is $@d$.""",
)  # fmt: skip


def _draw_constant_step(rng: np.random.Generator) -> dict[str, Any]:
    phi = Fraction(1, int(rng.integers(1, 4)))
    middle, away = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    g = Fraction(*[(1, 2), (1, 3), (1, 4), (2, 3), (2, 5)][rng.integers(5)])
    return {"phi": phi, "y": [middle - away, middle + away], "eta": g / phi**2}


def _work_constant_step(phi: Fraction, y: list[int], eta: Fraction) -> dict[str, Any]:
    best, away, g = Fraction(sum(y), 2) / phi, (y[1] - y[0]) // 2, eta * phi**2
    v = eta * away**2 / (2 - g)
    fit(v, denominator=30)
    return {"best": best, "away": away, "square": away**2, "R": phi**2, "limit": 2 / phi**2, "factor": 1 - g, "kept": (1 - g) ** 2,
            "added": eta**2 * phi**2 * away**2, "v": v, "answer": (best, 2 / phi**2, v)}  # fmt: skip


constant_step = Problem(
    name="constant_step",
    title="LMS with a constant step",
    kind=Free((
        Step(r"finds $w^*=@best$", 1),
        Step(r"finds $0<\eta<@limit$ from the factor $1-\eta\varphi^2$ of the mean", 2),
        Step(r"writes $w-w^*\leftarrow(1-\eta\varphi^2)(w-w^*)+\eta\varphi e^*$, and says that $e^*$ is independent of $w$", 1),
        Step(r"finds the recursion of the variance, $v\leftarrow(1-\eta\varphi^2)^2v+\eta^2\varphi^2\cdot@square$", 2),
        Step("finds the limit $@v$", 1),
        Step("says that the statement is false, because the variance or the steps do not tend to 0", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_constant_step,
    work=_work_constant_step,
    statement=r"""
        A network has one unit and no bias. Both training points have the activation $\varphi=@phi$, and their targets are $@y$. In each step one of the two
        points is drawn, each with probability $\tfrac12$ and independently of the past, and LMS takes a step with a constant $\eta$. It starts at $w=0$.

        (a) Find the least-squares weight $w^*$ and all $\eta$ for which the mean of $w$ converges to $w^*$.

        (b) Derive a recursion for the variance $v$ of $w$, and find its limit for $\eta=@eta$.

        (c) True or false, with a reason: if the mean of $w$ converges to $w^*$, then $w$ itself converges to $w^*$.""",
    solution=r"""
        (a) Least squares for equal activations gives the mean of the targets, $w^*\varphi=\tfrac12(y_1+y_2)$, so $w^*=@best$. Here $R=\varphi^2=@R$ is a number, and
        $\mathbb E[w_t]-w^*=(1-\eta R)^t(0-w^*)$. Because $w^*\ne0$, this tends to 0 if and only if $|1-\eta R|<1$, that is for
        $0<\eta<2/R=@limit$.

        (b) At $w^*$ the residual $e^*$ is $@away$ or $-@away$, each with probability $\tfrac12$, so its mean is 0 and its variance is
        $@square$. The error is $e=e^*-\varphi(w-w^*)$, and LMS becomes
        $$w-w^*\leftarrow(1-\eta\varphi^2)(w-w^*)+\eta\varphi\,e^*.$$
        The new draw is independent of $w$, so the variances of the two terms add:
        $$v\leftarrow(1-\eta\varphi^2)^2v+\eta^2\varphi^2\cdot@square=@kept\,v+@added.$$
        Because $@kept<1$, $v$ converges, and in the limit $v=@kept\,v+@added$. So $v=@added/(1-@kept)=@v$.

        (c) False. For $\eta=@eta$ the mean converges, because $@eta<@limit$. But the variance of $w$ tends to $@v$ and not to 0. In each step $w$ moves by
        $\eta\varphi e$, and at $w^*$ the error $e=e^*$ is not 0.""",
)  # fmt: skip

end_states = Problem(
    name="end_states",
    title="Where k-means stops for three points",
    kind=Free((
        Step(r"finds that $\{0,@a\},\{b\}$ does not change if $b>@low$", 2),
        Step(r"finds that $\{0\},\{@a,b\}$ does not change if $b<@high$", 2),
        Step(r"shows that $\{0,b\},\{@a\}$ always changes", 1),
        Step(r"compares the costs where both are final: the ratio is between $\tfrac14$ and $4$", 2),
        Step("says that the statement is true, and that otherwise the only final grouping has the smallest cost", 1),
    )),
    level=3, minutes=13, points=8,
    draw=lambda rng: {"a": int(rng.integers(1, 10))},
    work=lambda a: {"low": Fraction(3 * a, 2), "high": 3 * a, "half": Fraction(a, 2), "square": Fraction(a * a, 2),
                    "answer": (Fraction(3 * a, 2), 3 * a, 4)},
    statement=r"""
        $k$-means with two centres groups three points on a line, $0$, $@a$ and $b$ with $b>@a$. Both centres have at least one point, and no point is at the same
        distance from both centres. A grouping is final if neither the assignment step nor the mean step changes anything.

        (a) For which $b$ is the grouping $\{0,@a\},\{b\}$ final? For which $b$ is $\{0\},\{@a,b\}$ final? Show that $\{0,b\},\{@a\}$ is never final.

        (b) True or false, with a reason: here the cost of a final grouping is always less than 4 times the smallest cost of all groupings.""",
    solution=r"""
        (a) The groups $\{0,@a\},\{b\}$ have the means $@half$ and $b$. The points $0$ and $b$ are nearest to their own centre. The point $@a$ is too if
        $@a-@half<b-@a$, that is for $b>@low$. The groups $\{0\},\{@a,b\}$ have the means $0$ and $\tfrac12(@a+b)$. The points $0$ and $b$ stay. The point $@a$
        stays if $\tfrac12(@a+b)-@a<@a$, that is for $b<@high$. The groups $\{0,b\},\{@a\}$ have the means $\tfrac b2$ and $@a$. The point $0$ stays only if
        $\tfrac b2<@a$, and $b$ stays only if $\tfrac b2<b-@a$, that is $@a<\tfrac b2$. Both are not possible.

        (b) True. The costs of the three groupings are $@square$, $\tfrac12(b-@a)^2$ and $\tfrac12b^2$, and the last one is never the smallest. For $@low<b<@high$ the first two
        are final. Their ratio is $q^2$ with $q=(b-@a)/@a$, and $\tfrac12<q<2$, so the larger cost is less than 4 times the smaller one.
        For $b\ge@high$ only the first is final. It has the smallest cost, because $b-@a\ge2\cdot@a$. For $b\le@low$ only the second is final. It
        has the smallest cost, because $b-@a\le@half$.""",
)  # fmt: skip


def _draw_sigmoid(rng: np.random.Generator) -> dict[str, Any]:
    t = int(rng.integers(-3, 3))
    gap, s2 = int(rng.choice([2, 4, 6])), int(rng.integers(1, 4))
    first, second = (Fraction(int(k), 10) for k in rng.choice([1, 2, 3, 5, 7, 8, 9], 2, replace=False))
    return {"t": [t, t + gap], "s2": s2, "first": first, "second": second}


def _work_sigmoid(t: list[int], s2: int, first: Fraction, second: Fraction) -> dict[str, Any]:
    gap, middle = t[1] - t[0], Fraction(sum(t), 2)
    value, slope = (first + second) / 2, (second - first) * gap / (4 * s2)
    fit(slope, denominator=40)
    if middle == 0 or gap == s2:
        raise Unfit("a term or a factor that nobody writes")
    return {"t1": t[0], "t2": t[1], "middle": middle, "minus": -middle, "steep": Fraction(gap, s2), "value": value, "slope": slope,
            "difference": second - first, "rises": "increases" if slope > 0 else "decreases",
            "answer": (first, second, middle, value, slope)}  # fmt: skip


sigmoid = Problem(
    name="sigmoid",
    title="A normalised network with two units",
    kind=Free((
        Step(r"divides by $\varphi_2$ and finds $\bar\varphi_2(x)=1/(1+e^{-u})$ with $u=@steep(x@{+minus})$", 2),
        Step("finds the limits $@first$ on the left and $@second$ on the right", 1),
        Step("finds the value $@value$ and the slope $@slope$ at $x=@middle$", 2),
        Step("draws a curve that @rises from one limit to the other, without a maximum or minimum, and is steepest at $x=@middle$", 1),
        Step("says that without normalisation the output tends to 0 on both sides", 1),
    )),
    level=2, minutes=12, points=7,
    draw=_draw_sigmoid,
    work=_work_sigmoid,
    statement=r"""
        A network on the line has two units with the centres $t_1=@t1$, $t_2=@t2$ and the same $\sigma^2=@s2$,
        $\varphi_j(x)=e^{-(x-t_j)^2/(2\sigma^2)}$. The layer is normalised, $\bar\varphi_j=\varphi_j/(\varphi_1+\varphi_2)$. The weights
        are $w_1=@first$ and $w_2=@second$, and there is no bias, so the output is $f=w_1\bar\varphi_1+w_2\bar\varphi_2$.

        (a) Show that $\bar\varphi_2(x)=1/(1+e^{-u})$ with a linear function $u$ of $x$, and find $u$.

        (b) Find the limits of $f$ on the left and on the right, and its value and its slope halfway between the centres. Sketch $f$ with these results.

        (c) Which limits does the output have on the left and on the right if the layer is not normalised?""",
    solution=r"""
        (a) Divide numerator and denominator by $\varphi_2$. Then $\bar\varphi_2=1/(1+\varphi_1/\varphi_2)$ and
        $$\frac{\varphi_1}{\varphi_2}=e^{-u},\qquad u=\frac{(x-t_1)^2-(x-t_2)^2}{2\sigma^2}=\frac{t_2-t_1}{\sigma^2}\Bigl(x-\frac{t_1+t_2}2\Bigr)=@steep(x@{+minus}).$$

        (b) Because $\bar\varphi_1=1-\bar\varphi_2$, the output is $f=w_1+(w_2-w_1)\bar\varphi_2=@first@{+difference}\,\bar\varphi_2$. On the left $u\to-\infty$, so
        $\bar\varphi_2\to0$ and $f\to@first$. On the right $\bar\varphi_2\to1$ and $f\to@second$. At $x=@middle$ we have $u=0$, $\bar\varphi_2=\tfrac12$, and $f=@value$. The
        derivative of $1/(1+e^{-u})$ is $e^{-u}/(1+e^{-u})^2$, which is $\tfrac14$ at $u=0$. So the slope of $f$ is $@{(difference}\cdot\tfrac14\cdot@steep=@slope$. The sketch
        @rises from $@first$ to $@second$. The curve is nearly horizontal far from the centres.

        (c) Without normalisation both activations tend to 0 far from the centres, so the output tends to 0 on both sides.""",
)  # fmt: skip


def _draw_sum_of_outputs(rng: np.random.Generator) -> dict[str, Any]:
    return {"phi": [Fraction(int(k), 4) for k in rng.choice([1, 2, 3, 4], 3, replace=False)],
            "classes": [int(c) for c in rng.permutation([1, 1, 2])] if rng.integers(2) else [int(c) for c in rng.permutation([1, 2, 3])]}  # fmt: skip


def _work_sum_of_outputs(phi: list[Fraction], classes: list[int]) -> dict[str, Any]:
    total, squares = sum(phi), sum(p * p for p in phi)
    weights = [
        sum(p for p, c in zip(phi, classes, strict=True) if c == k) / squares for k in range(1, max(classes) + 1)
    ]
    return {"total": total, "squares": squares, "weights": weights, "answer": total / squares}


sum_of_outputs = Problem(
    name="sum_of_outputs",
    title="The sum of the outputs",
    kind=Free((
        Step(r"says that $w_k^*=\Phi^+y_k$ is linear in the targets, so the sum of the weights belongs to the sum of the targets", 1),
        Step(r"says that the targets of a point sum to 1, so the sum of the target vectors is $\mathbf 1$", 1),
        Step(r"says that bias 1 and weights 0 fit $\mathbf 1$ without error, and that the columns are independent, so there is no other solution", 2),
        Step(r"finds the weights $@weights$ without a bias", 1),
        Step("finds the sum $@answer$ at the centre and says that the sum is not always 1", 1),
    )),
    level=2, minutes=11, points=6,
    draw=_draw_sum_of_outputs,
    work=_work_sum_of_outputs,
    statement=r"""
        The weights of an RBF network are learned by least squares. The target of output $k$ is 1 for the points of class $k$ and 0 for all others. The columns of
        $\Phi$ are independent.

        (a) Each output has a bias. Show that the outputs of all classes sum to 1 at every $x$.

        (b) Does this also hold without a bias? Decide with a network of one unit and three training points. Their activations are $@phi$ and their
        classes are $@classes$, in this order. Find the weights without a bias, and the sum of the outputs at the centre of the unit.""",
    solution=r"""
        (a) Let $y_k$ be the vector of the targets of output $k$. Its weights, with the bias, are $\Phi^+y_k$. The sum of the outputs at $x$ is linear in the weights, so it is the output of a
        network with the weights $\sum_k\Phi^+y_k=\Phi^+\sum_ky_k$. Every point has exactly one class, so $\sum_ky_k=\mathbf 1$. The column of $\Phi$ that belongs to the bias is
        $\mathbf 1$. So the bias 1 and the weights 0 fit the targets $\mathbf 1$ without error. The columns are independent, so no other solution has the
        smallest error. Therefore the sum of the outputs is 1 at every $x$.

        (b) No. For one unit $w_k=\varphi^\top y_k/\varphi^\top\varphi$ with $\varphi^\top\varphi=@squares$. The weights of the classes are $@weights$, in this order. At the centre the
        activation is 1, so the sum of the outputs is the sum of the weights, $@total/@squares=@answer$, and not 1.""",
)  # fmt: skip


def _draw_posterior(rng: np.random.Generator) -> dict[str, Any]:
    prior = Fraction(*[(1, 2), (1, 3), (2, 3), (1, 4), (2, 5)][rng.integers(5)])
    a, b = (Fraction(int(k), 10) for k in rng.choice([1, 2, 3, 4, 5, 6, 8, 9], 2, replace=False))
    u, v = (Fraction(int(k), 10) for k in rng.choice(np.arange(1, 7), 2, replace=False))
    return {"prior": prior, "a": a, "b": b, "u": u, "v": v}


def _mixed(prior: Fraction, a: Fraction, b: Fraction, u: Fraction, v: Fraction) -> list[Fraction]:
    p = a * prior + b * (1 - prior)
    w = [a * prior / p, (1 - a) * prior / (1 - p)]
    phi = u * p / (u * p + v * (1 - p))
    return [w[0], phi, w[0] * phi + w[1] * (1 - phi)]


def _work_posterior(prior: Fraction, a: Fraction, b: Fraction, u: Fraction, v: Fraction) -> dict[str, Any]:
    p = a * prior + b * (1 - prior)
    right = _mixed(prior, a, b, u, v)
    fit(right, denominator=40)
    return {"other": 1 - prior, "p1": p, "p2": 1 - p, "w2": (1 - a) * prior / (1 - p), "w1": right[0], "phi": right[1],
            "phi2": 1 - right[1], "answer": right}  # fmt: skip


posterior = Problem(
    name="posterior",
    title="A network that computes posteriors",
    kind=Numbers((r"w₁₁ = p(c₁|1)", "φ₁(x)", "p(c₁|x)")),
    level=2, minutes=8, points=5,
    draw=_draw_posterior,
    work=_work_posterior,
    statement=r"""
        Two classes are mixtures of the same two densities. The priors are $P(c_1)=@prior$ and $P(c_2)=@other$, and density 1 has the proportions $p(1|c_1)=@a$ and
        $p(1|c_2)=@b$. At $x$ the densities are $p(x|1)=@u$ and $p(x|2)=@v$. Find the weight $w_{11}=p(c_1|1)$, the activation $\varphi_1(x)$ of the normalised layer, and the output $p(c_1|x)$.""",
    solution=r"""
        $p(1)=@a\cdot@prior+@b\cdot@other=@p1$ and $p(2)=@p2$. The weights are $p(c_1|1)=@a\cdot@prior/@p1=@w1$ and $p(c_1|2)=(1-@a)\cdot@prior/@p2=@w2$. The activations are
        $\varphi_1=@u\cdot@p1/(@u\cdot@p1+@v\cdot@p2)=@phi$ and $\varphi_2=@phi2$. The output is
        $@w1\cdot@phi+@w2\cdot@phi2$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the share p(1|c₁) of the class is taken as the weight, and also its other share",
             lambda a, phi: [a, phi, a * phi + (1 - a) * (1 - phi)], 0.25),
        Misconception("if the densities are normalised without p(1) and p(2)",
             lambda w1, w2, u, v: [w1, u / (u + v), (w1 * u + w2 * v) / (u + v)], 0.5),
        Misconception("if the two classes are given the same prior", lambda a, b, u, v: _mixed(Fraction(1, 2), a, b, u, v), 0.25),
        Misconception("if the second unit is left out of the output", lambda w1, phi: [w1, phi, w1 * phi], 0.5),
    ),
)  # fmt: skip


def _draw_alarm(rng: np.random.Generator) -> dict[str, Any]:
    r, k = int(rng.choice([5, 8, 10, 20])), int(rng.integers(2, 5))
    return {"n": r * k - 1 + int(rng.integers(0, 3)), "r": r, "other": int(rng.choice([25, 50, 100, 200])),
            "scores": [int(s) for s in rng.choice(np.arange(-9, 10), 6, replace=False)]}  # fmt: skip


def _work_alarm(n: int, r: int, other: int, scores: list[int]) -> dict[str, Any]:
    k, low = (n + 1) // r, sorted(scores)
    return {"more": n + 1, "k": k, "low": low, "rate": Fraction(k, n + 1), "threshold": low[k - 1], "few": other - 1,
            "answer": [k, low[k - 1], other - 1]}  # fmt: skip


alarm = Problem(
    name="alarm",
    title="An alarm with a given false-alarm rate",
    kind=Numbers(("k", "threshold", "held-out bottles, at least")),
    level=1, minutes=5, points=3,
    draw=_draw_alarm,
    work=_work_alarm,
    statement=r"""
        A low score means novel, and no two scores are equal. The six lowest scores of $@n$ held-out bottles, not sorted, are $@scores$. An alarm is raised if the score of a new bottle is below
        the $k$-th smallest of the $@n$ scores. The false-alarm rate must be at most $\tfrac1{@r}$. What is the largest $k$, and what is then the threshold? How many bottles must be held out at
        least to reach a false-alarm rate of at most $\tfrac1{@other}$, with some $k\ge1$?""",
    solution=r"""
        The rate is $\tfrac k{n+1}=\tfrac k{@more}$. The largest $k$ with $\tfrac k{@more}\le\tfrac1{@r}$ is $@k$. In order the scores are $@low$, so the threshold is $@threshold$. The
        smallest rate of $n$ bottles is $\tfrac1{n+1}$, which is at most $\tfrac1{@other}$ for $n\ge@few$.""",
    mistakes=(
        Misconception("if the rate is k/n instead of k/(n+1)", lambda n, r, low, other: [n // r, low[n // r - 1], other], 0.5),
        Misconception("if k is rounded up, so that the rate is too high",
             lambda n, r, low, few: [-(-(n + 1) // r), low[-(-(n + 1) // r) - 1], few] if (n + 1) % r else None, 0.5),
        Misconception("if the scores are counted in the order in which they are given",
             lambda k, scores, few: [k, scores[k - 1], few] if scores[k - 1] != sorted(scores)[k - 1] else None, 0.5),
        Misconception("if k is one too small, as if the k-th smallest score itself also gave an alarm",
             lambda k, low, few: [k - 1, low[k - 2], few], 0.25),
    ),
)  # fmt: skip


def _draw_unit_and_bias(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "phi": np.array([Fraction(int(k), 4) for k in rng.choice([1, 2, 3, 4], 3, replace=False)]),
        "y": rng.integers(-3, 5, 3),
    }


def _work_unit_and_bias(phi: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    n, target = 3, exact(y)
    p, q, c, s = sum(phi), phi @ phi, phi @ target, sum(target)
    w = (n * c - p * s) / (n * q - p * p)
    b = (s - w * p) / n
    fit(w, b, denominator=14)
    if 0 in (w, b, c):
        raise Unfit("nothing to learn")
    return {"p": p, "q": q, "c": c, "s": s, "w": w, "b": b, "answer": [w, b, w + b]}


unit_and_bias = Problem(
    name="unit_and_bias",
    title="One unit and a bias by least squares",
    kind=Numbers(("w", "b", "output at the centre")),
    level=2, minutes=8, points=4,
    draw=_draw_unit_and_bias,
    work=_work_unit_and_bias,
    statement=r"""
        A network has one RBF unit and a bias, $f=b+w\,\varphi$. Three points have the activations $\varphi=@phi$ and the targets $y=@y$. Which $w$ and $b$ minimise the
        squared error, and what is then the output at the centre of the unit?""",
    solution=r"""
        $\Phi$ has the column $\varphi$ and a column of ones. The equations $\Phi^\top\Phi\,(w,b)^\top=\Phi^\top y$ are $@q\,w+@p\,b=@c$ and $@p\,w+3\,b=@s$. Their solution is $w=@w$ and
        $b=@b$. At the centre $\varphi=1$, so the output is $w+b$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the bias is left out", lambda c, q: [c / q, 0, c / q], 0.25),
        Misconception("if each of the two is found alone, the weight without a bias and the bias as the mean of the targets",
             lambda c, q, s: [c / q, s / 3, c / q + s / 3] if s else None, 0.25),
        Misconception("if the bias is the mean of the targets, although the mean of the activations is not 0",
             lambda w, s: [w, s / 3, w + s / 3], 0.5),
        Misconception("if the output far from the centre is given instead of the output at the centre", lambda w, b: [w, b, b], 0.75),
    ),
)  # fmt: skip


def _draw_slowest(rng: np.random.Generator) -> dict[str, Any]:
    p, q = rng.choice(np.arange(1, 7), 2, replace=False)
    d = int(rng.choice([4, 5, 6]))
    if max(p, q) >= d:
        raise Unfit("an activation is at most 1")
    return {"p": Fraction(int(p), d), "q": Fraction(int(q), d)}


def _work_slowest(p: Fraction, q: Fraction) -> dict[str, Any]:
    high, low = (p + q) ** 2 / 2, (p - q) ** 2 / 2
    fit(2 / high, 1 - low / high, denominator=49)
    return {"high": high, "low": low, "R": np.array([[p * p + q * q, 2 * p * q], [2 * p * q, p * p + q * q]]) / 2,
            "ratio": low / high, "answer": [2 / high, 1 - low / high]}  # fmt: skip


slowest = Problem(
    name="slowest",
    title="The steps of LMS",
    kind=Numbers(("upper limit of η", "factor of the slowest direction")),
    level=2, minutes=7, points=4,
    draw=_draw_slowest,
    work=_work_slowest,
    statement=r"""
        A network with two units and no bias is trained by LMS on two points, which are drawn uniformly and independently. The activations are $(@p,@q)$ at the first point and $(@q,@p)$ at
        the second. Below which $\eta$ does the mean of $w$ converge from every start? By which factor does one step of LMS multiply the distance of the mean from $w^*$ along the slowest
        direction, if $\eta=1/\lambda_{\max}$?""",
    solution=r"""
        $R=\tfrac12\Phi^\top\Phi=@R$ has the eigenvectors $(1,1)$ and $(1,-1)$ with the eigenvalues $\lambda_{\max}=@high$ and $\lambda_{\min}=@low$. The limit is $2/\lambda_{\max}$, and the
        factor is $1-\eta\lambda_{\min}=1-\lambda_{\min}/\lambda_{\max}=1-@ratio$. This gives $@answer$.""",
    mistakes=(
        Misconception("if R is not divided by the number of points, or the limit is 1 over the largest eigenvalue",
             lambda high, answer: [1 / high, answer[1]], 0.5),
        Misconception("if the eigenvalues of the matrix of activations are used instead of those of R",
             lambda p, q: [2 / (p + q), 1 - abs(p - q) / (p + q)], 0.25),
        Misconception("if the trace of R is used instead of its largest eigenvalue",
             lambda high, low: [2 / (high + low), 1 - low / (high + low)], 0.25),
        Misconception("if the share that one step removes is given instead of the factor", lambda ratio, answer: [answer[0], ratio], 0.75),
    ),
)  # fmt: skip


def _draw_centre_moves(rng: np.random.Generator) -> dict[str, Any]:
    return {"t": int(rng.integers(-3, 4)), "r": int(rng.integers(2, 5)), "w": int(rng.choice([-3, -2, 2, 3])),
            "left": int(rng.choice([-3, -2, -1, 1, 2, 3])), "right": int(rng.choice([-3, -2, -1, 1, 2, 3]))}  # fmt: skip


def _work_centre_moves(t: int, r: int, w: int, left: int, right: int) -> dict[str, Any]:
    move = w * r * (right - left)
    if move == 0:
        raise Unfit("the centre does not move")
    return {"x": [t - r, t + r], "minus": -r, "inner": right - left, "move": move, "answer": f"${move}\\,h$"}


centre_moves = Problem(
    name="centre_moves",
    title="A gradient step of a centre",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_centre_moves,
    work=_work_centre_moves,
    statement=r"""
        A unit on the line has the centre $t=@t$, the weight $w=@w$ and the activation $G(s)=e^{-s/2}$ with $s=P(x-t)^2$. The only training points are $@x$. They have the errors $e_i=y_i-f(x_i)$ of $@left$ and
        $@right$, and the same activation $G$, because they have the same distance from the centre. Gradient descent takes a step $t\leftarrow t-\eta\,\partial E/\partial t$ with $E=\tfrac12\sum_ie_i^2$. By how much
        does the centre move, in units of $h=\eta\,P\,G$?""",
    solution=r"""
        $\partial E/\partial t=2w\sum_ie_iG'P(x_i-t)$ with $G'=-\tfrac12G$, so $-\eta\,\partial E/\partial t=w\,h\sum_ie_i(x_i-t)$. Here
        $@{(w}\bigl(@{(left}\cdot@{(minus}@{+right}\cdot @r\bigr)h=@move\,h$.""",
    mistakes=(
        Misconception("The derivative of G is negative, and the step goes against the gradient. These two signs cancel.",
             lambda move: f"${-move}\\,h$"),
        Misconception("The output contains the weight of the unit, so the gradient contains it too.", lambda r, inner: f"${r * inner}\\,h$"),
        Misconception("The points are on different sides of the centre, so their differences from it have different signs.",
             lambda w, r, left, right: f"${w * r * (left + right)}\\,h$" if left + right else None),
        Misconception("The difference of each point from the centre is also a factor.", lambda w, left, right: f"${w * (left + right)}\\,h$"
             if left + right else None),
    ),
)  # fmt: skip


def _draw_m_step(rng: np.random.Generator) -> dict[str, Any]:
    points = 2 * rng.integers(-2, 4, (3, 2))
    if len(np.unique(points, axis=0)) < 3:
        raise Unfit("two equal points")
    parts = [Fraction(1), Fraction(1, 2), Fraction(1, 2)]
    return {
        "points": list(points),
        "shares": [parts[i] for i in rng.permutation(3)],
        "n": 3,
        "alone": int(rng.integers(1, 4)),
    }


def _work_m_step(points: list[np.ndarray], shares: list[Fraction], n: int, alone: int) -> dict[str, Any]:
    X, r = exact(np.array(points)), np.array(shares)
    N, t = sum(r), r @ X / sum(r)
    total = r @ ((X - t) ** 2).sum(axis=1)
    fit(X.sum(axis=0) / 3, total, denominator=4)
    return {"t": t, "N": N, "total": total, "variance": total / (2 * N), "long": total / N, "few": total / (2 * n),
            "mean": X.sum(axis=0) / 3, "small": r @ X / n, "class1": (N - r[alone - 1]) / N, "counted": Fraction(2, 3),
            "per": (N - r[alone - 1]) / n}  # fmt: skip


m_step = Problem(
    name="m_step",
    title="An M step",
    kind=Gaps((
        Gap("$@t$", (
            ("$@mean$", "Each point counts with its responsibility, so this is a weighted mean."),
            ("$@small$", "The weighted sum must be divided by the sum of the responsibilities, not by the number of points."),
        )),
        Gap("$@variance$", (
            ("$@long$", "The variance is that of one direction, so the sum must also be divided by the number of dimensions."),
            ("$@few$", "The sum must be divided by the sum of the responsibilities, not by the number of points."),
        )),
        Gap("$@class1$", (
            ("$@counted$", "That counts points. Each point counts with its responsibility."),
            ("$@per$", "It is a probability given the unit, so divide by the sum of the responsibilities of this unit."),
        )),
    )),
    level=2, minutes=6, points=3,
    draw=_draw_m_step,
    work=_work_m_step,
    statement=r"""
        The three training points of a normalised network are $@points$, in this order. Point $@alone$ is in class $c_2$, and the other two points are in class $c_1$. For unit 1 the E step has computed the
        responsibilities $@shares$. Fill the gaps. The M step gives this unit the centre **(1)**, the spread $\sigma_1^2=$ **(2)**, and the weight $p(c_1|1)=$ **(3)**.""",
    solution=r"""
        $N_1=@N$. (1) $\sum_ir_{i1}x_i/N_1=@t$. (2) $\sum_ir_{i1}\|x_i-t_1\|^2=@total$, and $\sigma_1^2=@total/(2\cdot@N)=@variance$. (3) The responsibilities of the points of class $c_1$,
        divided by $N_1$, give $@class1$.""",
)  # fmt: skip

PROBLEMS = (
    half,
    constant_step,
    end_states,
    sigmoid,
    sum_of_outputs,
    posterior,
    alarm,
    unit_and_bias,
    slowest,
    centre_moves,
    m_step,
)
