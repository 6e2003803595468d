"""Exam problems on neighbours and windows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, exact


def _draw_two_points(rng: np.random.Generator) -> dict[str, Any]:
    a, sigma = ((2, 1), (4, 2), (6, 3), (6, 2))[rng.integers(4)]
    p, q = (int(v) for v in rng.choice([-4, -3, -2, 2, 3, 4, 5, 6], 2))
    if abs(q - p) < 3:
        raise Unfit("a flat curve")
    return {"a": a, "sigma": sigma, "p": p, "q": q}


def _work_two_points(a: int, sigma: int, p: int, q: int) -> dict[str, Any]:
    c, m = Fraction(a, sigma**2), Fraction(a, 2)
    found = (c, m, Fraction(p + q, 2), (q - p) * c / 4)
    return {"step": q - p, "two": 2 * sigma**2, "c": c, "m": m, "half": found[2], "slope": found[3], "answer": found}


two_points = Problem(
    name="two_points",
    title="A window between two points",
    kind=Free((
        Step("divides numerator and denominator of the weighted mean by one of the two weights, or an equal step", 1),
        Step("finds the difference of the two exponents and with it $c=@c$ and $m=@m$", 2),
        Step("finds $f(m)=@half$ and $f'(m)=@slope$", 2),
        Step("sketches the two measurements and a monotone curve with the limits $@p$ and $@q$, through $(@m,@half)$, steepest there", 2),
        Step("sketches the nearest neighbour as a step at $x=@m$ between the heights $@p$ and $@q$", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_two_points,
    work=_work_two_points,
    statement=r"""
        Nadaraya–Watson regression with a Gaussian window of width $\sigma=@sigma$ has two points, $x_1=0$ with $y_1=@p$ and
        $x_2=@a$ with $y_2=@q$.
        (a) Show that $f(x)=@p@{+step}\big/\bigl(1+e^{-c(x-m)}\bigr)$, and find $c$ and $m$.
        (b) Find the height $f(m)$ and the slope $f'(m)$.
        (c) Sketch $f$, and in the same figure the curve of the nearest neighbour ($k=1$). The sketch must show the two
        measurements, the limits of $f$ for $x\to\pm\infty$, its height and slope at $m$, and where the nearest neighbour jumps.""",
    solution=r"""
        (a) With the weights $k_1=e^{-x^2/@two}$ and $k_2=e^{-(x-@a)^2/@two}$,
        $$f(x)=\frac{@{(p}k_1@{+q}k_2}{k_1+k_2}=@p@{+step}\frac{k_2}{k_1+k_2}=@p@{+step}\frac{1}{1+k_1/k_2}.$$
        The exponent of $k_1/k_2$ is $\bigl((x-@a)^2-x^2\bigr)/@two=@a\,(@a-2x)/@two=-c\,(x-m)$ with $c=@c$ and $m=@m$.

        (b) At $m$ the fraction is $\tfrac12$, so $f(m)=@half$. The derivative of $1/(1+e^{-cu})$ is
        $c\,e^{-cu}/(1+e^{-cu})^2$, which is $c/4$ at $u=0$. So $f'(m)=@{(step}\cdot@c/4=@slope$.

        (c) $f$ is monotone, with the limit $@p$ on the left and $@q$ on the right. It passes through $(@m,@half)$ with
        the slope $@slope$, its steepest. It does not pass through the two measurements, because both weights are positive everywhere. The nearest
        neighbour has the height $@p$ left of $@m$ and $@q$ right of it, with a jump at $@m$. Except at $@m$ it is the limit of $f$ for $\sigma\to0$.""",
)  # fmt: skip


def _draw_three_claims(rng: np.random.Generator) -> dict[str, Any]:
    return {"k": int(rng.integers(2, 5)), "c": int(rng.choice([-3, -2, 2, 3])), "b": int(rng.integers(1, 9))}


def _work_three_claims(k: int, c: int) -> dict[str, Any]:
    y = np.array([0] * k + [k * (k + 1)])
    fitted = np.array([0] * k + [k + 1])
    return {"n": k + 1, "y": y, "fitted": fitted, "x": [*range(k), 2 * k], "square": c * c, "last": k * (k + 1),
            "answer": (1, k)}  # fmt: skip


three_claims = Problem(
    name="three_claims",
    title="Three claims about smoothers",
    kind=Free((
        Step("(a) true: uses the rule for the leave-one-out error, which divides the residual by $1-S_{ii}$", 1),
        Step("(a) says that $0<S_{ii}<1$, because all weights are positive, so the divisor is below 1", 1),
        Step("(b) false: gives points and targets, computes both means correctly, and they differ", 3),
        Step("(c) true: shows that the leave-one-out prediction changes to $@c f_{-i}(x_i)@{+b}$, because its weights sum to 1", 1),
        Step("(c) shows that all squared errors are multiplied by $@square$, so the minimum stays at the same $\\sigma$", 1),
    )),
    level=2, minutes=12, points=7,
    draw=_draw_three_claims,
    work=_work_three_claims,
    statement=r"""
        True or false? Prove what is true, and give a counterexample to what is false. All points $x_i$ are distinct.
        (a) In Nadaraya–Watson regression with a Gaussian window and $n\ge2$ points, the leave-one-out error of a point is
        never smaller in absolute value than its residual $y_i-f(x_i)$.
        (b) With $k=@k$ nearest neighbours, the mean of the fitted values $f(x_1),\dots,f(x_n)$ equals the mean of the targets.
        (c) If every target $y_i$ is replaced with $@{c}y_i@{+b}$, leave-one-out selects the same $\sigma$ for the window as before.""",
    solution=r"""
        (a) True. All weights are positive, so $0<S_{ii}<1$, and $0<1-S_{ii}<1$. The leave-one-out error is
        $(y_i-f(x_i))/(1-S_{ii})$, and dividing by a positive number that is below 1 never reduces an absolute value.

        (b) False. Each row of $S$ sums to 1, but the columns need not. Take the $@n$ points $@x$ with the targets $@y$. The $@k$
        nearest points of each of the first $@k$ points are these first $@k$ points, whose targets are 0. The $@k$ nearest points
        of the last point are the point itself, with the target $@last$, and others with the target 0, so its fitted value is $@last/@k$. The fitted values
        are $@fitted$ with the mean 1, and the mean of the targets is $@last/@n=@k$.

        (c) True. For every $\sigma$ the prediction $f_{-i}(x_i)$ is a weighted mean of the other targets, with weights that sum
        to 1 and do not depend on the targets. So it becomes $@c f_{-i}(x_i)@{+b}$. The error $y_i-f_{-i}(x_i)$ is multiplied
        by $@c$, and the mean of the squared errors by $@square$, for each $\sigma$. So its minimum is at the same $\sigma$.""",
)  # fmt: skip


def _draw_at_the_end(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "m": int(rng.integers(2, 6)),
        "v": int(rng.choice([6, 8, 9, 12, 18, 20, 24, 30, 36, 40, 48, 60, 72, 84, 96, 120])),
    }


def _work_at_the_end(m: int, v: int) -> dict[str, Any]:
    errors = [Fraction(m * m * (k - 1) ** 2, 4) + Fraction(v, k) for k in range(1, 6)]
    best = min(range(5), key=lambda i: errors[i])
    if best not in (1, 2, 3) or errors.count(errors[best]) > 1:
        raise Unfit("a minimum at the edge, or two")
    return {"square": m * m, "errors": errors[: best + 2], "last": best + 2,
            "best": best + 1, "least": errors[best], "answer": (best + 1, errors[best])}  # fmt: skip


at_the_end = Problem(
    name="at_the_end",
    title="Neighbours at the end of the data",
    kind=Free((
        Step(r"bias at 0: the mean of $g$ over $0,\dots,k-1$ is $@m(k-1)/2$, and $g(0)=0$", 2),
        Step("variance: $@v/k$, because the $k$ weights $1/k$ are equal and the noise is independent", 1),
        Step("finds $k=@best$ and the error $@least$ from the values of the sum", 2),
        Step("shows that no larger $k$ is better, for example because from there on each next $k$ adds more squared bias than it removes variance", 1),
        Step(r"at 10: the bias is 0 by symmetry, so the error is $@v/k$ and $k=21$ is best", 2),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_at_the_end,
    work=_work_at_the_end,
    statement=r"""
        At the points $x=0,1,2,\dots,20$ we measure $y_i=g(x_i)+\varepsilon_i$ with the true curve $g(x)=@{m}x$ and independent noise
        of mean 0 and variance $s^2=@v$. Let $f$ be $k$-nearest-neighbour regression.
        (a) Find the bias, the variance and the expected squared error $\mathbb E\,(f(0)-g(0))^2$ at the left end as functions of $k$.
        (b) For which $k$ is this error smallest, and how large is it? Show that no larger $k$ is better.
        (c) Now consider the query point $x=10$ and odd $k$ only. Find the expected squared error there and the best odd $k\le21$.""",
    solution=r"""
        (a) The $k$ points nearest to 0 are $0,\dots,k-1$. The expected value of $f(0)$ is the mean of $g$ over them,
        $@m\cdot\frac{k-1}{2}$, and $g(0)=0$. So the bias is $@m(k-1)/2$. The variance of a mean of $k$ independent values is $@v/k$.
        Together $\mathbb E\,(f(0)-g(0))^2=\bigl(\frac{@m(k-1)}{2}\bigr)^2+\frac{@v}{k}$.

        (b) For $k=1,\dots,@last$ the error is $@errors$. The step from $k$ to $k+1$ changes it by
        $\frac{@square(2k-1)}{4}-\frac{@v}{k(k+1)}$. The first term grows with $k$, and the second term, which is subtracted, falls. So once the change is positive it stays positive. It is positive at
        $k=@best$ and negative before, so $k=@best$ is best, with the error $@least$.

        (c) For odd $k$ the $k$ points nearest to 10 lie symmetrically about 10, so the mean of the straight line $g$ over them is $g(10)$ and the
        bias is 0. The error is $@v/k$, which is smallest at $k=21$. So the same data need a small $k$ at the end and a
        large one in the middle.""",
)  # fmt: skip


def _draw_spread(rng: np.random.Generator) -> dict[str, Any]:
    x = np.sort(rng.choice(13, 4, replace=False))
    if x.sum() % 4:
        raise Unfit("a fraction as the mean")
    return {"x": [int(v) for v in x], "sigma": int(rng.integers(1, 4))}


def _work_spread(x: list[int], sigma: int) -> dict[str, Any]:
    mean = sum(x) // 4
    off = [v - mean for v in x]
    spread = Fraction(sum(v * v for v in off), 4)
    total = spread + sigma**2
    return {"mean": mean, "off": off, "spread": spread, "s2": sigma**2, "total": total, "answer": (mean, total)}


spread = Problem(
    name="spread",
    title="Mean and variance of a Parzen density",
    kind=Free((
        Step(r"exchanges sum and integral, and uses $\int x\,\varphi_\sigma(x-x_i)\,dx=x_i$ to find the mean $\bar x$", 2),
        Step(r"finds $\int(x-\bar x)^2\varphi_\sigma(x-x_i)\,dx=\sigma^2+(x_i-\bar x)^2$, with the mixed term 0", 2),
        Step(r"averages over $i$ and finds the variance $\sigma^2+\frac1n\sum_i(x_i-\bar x)^2$", 1),
        Step("inserts the numbers: mean $@mean$, variance $@spread+@s2=@total$", 1),
        Step(r"says that the variance of $\hat p$ is larger by $\sigma^2$, and grows without bound with $\sigma$", 1),
    )),
    level=2, minutes=11, points=7,
    draw=_draw_spread,
    work=_work_spread,
    statement=r"""
        Parzen's estimate $\hat p(x)=\frac1n\sum_i\varphi_\sigma(x-x_i)$ in one dimension is a density, where $\varphi_\sigma$ is
        the normal density of width $\sigma$. Let $\bar x=\frac1n\sum_ix_i$.
        (a) Show that the mean of $\hat p$, which is $\int x\,\hat p(x)\,dx$, equals $\bar x$.
        (b) Find the variance of $\hat p$, which is $\int(x-\bar x)^2\,\hat p(x)\,dx$.
        (c) Compute both for the points $@{x}$ and $\sigma=@sigma$.
        (d) Compare the variance of $\hat p$ with the mean of $(x_i-\bar x)^2$. What happens to the variance of $\hat p$ as $\sigma$ grows?""",
    solution=r"""
        (a) Sum and integral can be exchanged. The Gaussian around $x_i$ has the mean $x_i$, so
        $\int x\,\hat p(x)\,dx=\frac1n\sum_i\int x\,\varphi_\sigma(x-x_i)\,dx=\frac1n\sum_ix_i=\bar x$.

        (b) Write $x-\bar x=(x-x_i)+(x_i-\bar x)$ for each $i$. Then
        $$\int(x-\bar x)^2\varphi_\sigma(x-x_i)\,dx=\sigma^2+2(x_i-\bar x)\int(x-x_i)\,\varphi_\sigma(x-x_i)\,dx+(x_i-\bar x)^2=\sigma^2+(x_i-\bar x)^2,$$
        because the variance of this Gaussian is $\sigma^2$, the integral in the middle is 0, and the whole Gaussian integrates to 1. The mean over
        $i$ is $\sigma^2+\frac1n\sum_i(x_i-\bar x)^2$.

        (c) $\bar x=@mean$. The points differ from it by $@off$, and the mean of the squares is $@spread$. The variance is $@spread+@s2=@total$.

        (d) The variance of $\hat p$ exceeds that of the points by $\sigma^2$. As $\sigma$ grows, the variance of $\hat p$ grows without bound, and the
        scatter of the points hardly matters any more.""",
)  # fmt: skip


def _draw_copies(rng: np.random.Generator) -> dict[str, Any]:
    part = int(rng.integers(3, 8))
    s = Fraction(int(rng.integers(2, part)), part)
    return {"r": int(rng.integers(2, 5)), "s": s, "e": int(rng.integers(1, 7)) * int(rng.choice([-1, 1]))}


def _work_copies(r: int, s: Fraction, e: int) -> dict[str, Any]:
    return {"each": s / r, "before": e / (1 - s), "after": e / (1 - s / r), "answer": (e / (1 - s), e / (1 - s / r))}


copies = Problem(
    name="copies",
    title="Every measurement in the file several times",
    kind=Free((
        Step("(a) shows that the factor $@r$ cancels in the weighted mean", 1),
        Step("(b) finds that each diagonal entry is divided by $@r$", 1),
        Step("(b) adds $@r$ such entries for each point, so the trace is unchanged", 1),
        Step("(c) uses the rule for the leave-one-out error with $@s$ and with $@each$: errors $@before$ and $@after$", 2),
        Step(r"(d) says that a copy stays at $x_i$, so for $\sigma\to0$ the prediction tends to $y_i$ and all errors tend to 0", 1),
        Step(r"(d) concludes that leave-one-out favours ever smaller $\sigma$, and says that without copies the prediction tends to another target, so the errors do not tend to 0", 1),
    )),
    level=2, minutes=12, points=7,
    draw=_draw_copies,
    work=_work_copies,
    statement=r"""
        Nadaraya–Watson regression with a Gaussian window is fitted to $n$ distinct points, and no two targets are equal. By mistake the file then contains
        every measurement $(x_i,y_i)$ exactly $@r$ times, which gives $@r n$ rows. The width $\sigma$ is the same.
        (a) Show that $f(x)$ does not change at any $x$.
        (b) How do the diagonal entries $S_{ii}$ and the effective degrees of freedom change?
        (c) In the correct file one point has $S_{ii}=@s$ and the residual $y_i-f(x_i)=@e$. Find its leave-one-out error in the correct
        file, and that of one of its rows in the file with copies.
        (d) What happens to the leave-one-out errors as $\sigma\to0$, in the file with copies and in the correct file? Which $\sigma$ does leave-one-out favour in the file with copies?""",
    solution=r"""
        (a) Each term of both sums of the weighted mean occurs $@r$ times, so
        $f(x)=\frac{@r\sum_iy_ik(x,x_i)}{@r\sum_jk(x,x_j)}$, and the factor cancels.

        (b) The weight of one row in the prediction at its own point is $k(x_i,x_i)/\bigl(@r\sum_jk(x_i,x_j)\bigr)=S_{ii}/@r$. There are
        $@r$ such rows for each point, so the trace, which is the effective degrees of freedom, is the same as before.

        (c) The residual is unchanged by (a). The leave-one-out error is the residual divided by one minus the diagonal entry:
        $@e/(1-@s)=@before$ in the correct file and $@e/(1-@each)=@after$ in the file with copies.

        (d) If one row is left out, its copies are still at $x_i$ with the target $y_i$. As $\sigma\to0$ the nearest points have all of the
        weight, and these are the copies. So the prediction tends to $y_i$ and all errors tend to 0. In the correct file
        the prediction tends to the target of the nearest other point, or the mean of several, and in general not to $y_i$. So with copies leave-one-out
        favours the smallest $\sigma$ that is tried, however small.""",
)  # fmt: skip


def _draw_share(rng: np.random.Generator) -> dict[str, Any]:
    counts = [int(v) for v in 10 * rng.integers(1, 6, 3)]
    heights = [int(v) for v in rng.integers(1, 7, 3)]
    if len(set(counts)) < 2 or len(set(heights)) < 2:
        raise Unfit("all alike")
    densities = {f"p{c}": h / 10 for c, h in zip("abc", heights, strict=True)}
    return {"na": counts[0], "nb": counts[1], "nc": counts[2], "heights": heights} | densities


def _work_share(na: int, nb: int, nc: int, heights: list[int]) -> dict[str, Any]:
    parts = [n * Fraction(h, 10) for n, h in zip((na, nb, nc), heights, strict=True)]
    return {"parts": parts, "n": na + nb + nc, "first": parts[0], "total": sum(parts), "answer": parts[0] / sum(parts)}


share = Problem(
    name="share",
    title="The probability of a class",
    kind=Numbers(r"probability of class $a$"),
    level=1, minutes=5, points=3,
    draw=_draw_share,
    work=_work_share,
    statement=r"""
        Three classes $a,b,c$ have $@na$, $@nb$ and $@nc$ training points. At a query point $x$ Parzen's densities of the classes,
        all with the same $\sigma$, are $\hat p_a(x)=@pa$, $\hat p_b(x)=@pb$ and $\hat p_c(x)=@pc$. Which probability does class $a$
        get at $x$?""",
    solution=r"""
        $\hat{\mathbb P}(a\mid x)=n_a\hat p_a(x)\big/\bigl(n_a\hat p_a(x)+n_b\hat p_b(x)+n_c\hat p_c(x)\bigr)$, because $n$ cancels. The numbers of points times the densities
        are $@parts$ with the sum $@total$. So the probability is $@first/@total=@answer$.""",
    mistakes=(
        Misconception("if the numbers of points are left out, as if all classes were equally frequent",
             lambda heights: Fraction(heights[0], sum(heights)), 0.5),
        Misconception("if only the numbers of points are used, and not the densities at x", lambda na, n: Fraction(na, n), 0.25),
        Misconception("if the product of class a is divided by the sum of those of the other two classes",
             lambda first, total: first / (total - first), 0.5),
        Misconception("if the product of share and density is not divided by the sum over the classes", lambda first, n: first / n, 0.5),
    ),
)  # fmt: skip


def _fitted(x: np.ndarray, y: np.ndarray, k: int) -> np.ndarray:
    far = np.sort(np.abs(x[:, None] - x), axis=1)
    if np.any(far[:, k - 1] == far[:, k]):
        raise Unfit("a tie")
    return exact(np.array([y[np.argsort(np.abs(x - each))[:k]].sum() for each in x])) / k


def _draw_one_more(rng: np.random.Generator) -> dict[str, Any]:
    k = int(rng.choice([2, 3]))
    x, y = np.sort(rng.choice(20, 5, replace=False)), rng.integers(-4, 9, 5)
    f = _fitted(x, y, k + 1)
    if any(v.denominator > 1 for v in f):
        raise Unfit("fractions")
    return {"k": k, "more": k + 1, "x": x, "y": y, "f": f}


def _work_one_more(k: int, y: np.ndarray, f: np.ndarray) -> dict[str, Any]:
    residuals = exact(y) - f
    if np.count_nonzero(residuals) < 3:
        raise Unfit("residuals of 0")
    q = int(sum(residuals**2))
    return {"residuals": residuals, "q": q, "S": Fraction(1, k + 1), "factor": Fraction(k + 1, k),
            "square": Fraction((k + 1) ** 2, k * k), "answer": Fraction(q * (k + 1) ** 2, 5 * k * k)}  # fmt: skip


one_more = Problem(
    name="one_more",
    title="Leave-one-out with k neighbours from one curve",
    kind=Numbers("mean of the squared leave-one-out errors"),
    level=2, minutes=7, points=4,
    draw=_draw_one_more,
    work=_work_one_more,
    statement=r"""
        Five distinct points have the targets $y=@y$. The curve of the $@more$ nearest neighbours has the heights $@f$ at these
        points, where each point counts as its own neighbour. There are no ties. What is the mean of the squared leave-one-out errors
        of regression with $k=@k$ neighbours?""",
    solution=r"""
        The $@k$ nearest others of a point are its $@more$ nearest without the point itself. So the residuals of the curve of $@more$
        neighbours must be divided by $1-S_{ii}$ with $S_{ii}=@S$, which multiplies them by $@factor$. The residuals are
        $@residuals$, and the sum of their squares is $@q$. The mean is $@square\cdot@q/5=@answer$.""",
    mistakes=(
        Misconception("if the residuals are not divided by one minus the diagonal entry, which gives the training error",
             lambda q: Fraction(q, 5), 0.25),
        Misconception("if the diagonal entry of k neighbours is used instead of that of one neighbour more",
             lambda q, k: Fraction(q * k * k, 5 * (k - 1) ** 2), 0.5),
        Misconception("if the squares are divided by one minus the diagonal entry only once", lambda q, factor: q * factor / 5, 0.5),
        Misconception("if the squared errors are added but not averaged", lambda answer: 5 * answer, 0.75),
    ),
)  # fmt: skip


def _draw_two_terms(rng: np.random.Generator) -> dict[str, Any]:
    weights = [Fraction(1, int(v)) for v in rng.choice([1, 2, 2, 4], 3)]
    g = rng.integers(-3, 8, 3)
    if len(set(weights)) < 2 or len(set(g)) < 2:
        raise Unfit("all alike")
    return {"weights": weights, "g": [int(v) for v in g], "gx": int(rng.integers(-3, 8)), "v": int(rng.integers(2, 11))}


def _work_two_terms(weights: list[Fraction], g: list[int], gx: int, v: int) -> dict[str, Any]:
    S = [w / sum(weights) for w in weights]
    bias = sum(w * each for w, each in zip(S, g, strict=True)) - gx
    squares = sum(w * w for w in S)
    if bias == 0 or abs(bias) > 5:
        raise Unfit("no bias")
    return {"S": S, "bias": bias, "squares": squares, "answer": (bias**2, v * squares)}


two_terms = Problem(
    name="two_terms",
    title="Bias and variance of a weighted mean",
    kind=Numbers(("squared bias", "variance")),
    level=2, minutes=8, points=5,
    draw=_draw_two_terms,
    work=_work_two_terms,
    statement=r"""
        Nadaraya–Watson regression has three points. At a query point $x$ the weights $k(x,x_i)$ are $@weights$. The targets are
        $y_i=g(x_i)+\varepsilon_i$ with independent noise of mean 0 and variance $s^2=@v$. The true curve has the values $@g$
        at the three points and $g(x)=@gx$ at the query point. What are the squared bias and the variance of $f(x)$?""",
    solution=r"""
        The row of $S$ is $@S$. The bias is $\sum_iS_{xi}\,g(x_i)-g(x)=@bias$. The sum of the squared weights is $@squares$, so the
        variance is $@v\cdot@squares$. The squared bias and the variance are $@answer$.""",
    mistakes=(
        Misconception("if the variance is computed as for three equal weights",
             lambda bias, v: (bias**2, Fraction(v, 3)), 0.5),
        Misconception("if the weights in the variance are not squared, so that it is the variance of one measurement",
             lambda bias, v: (bias**2, v), 0.5),
        Misconception("if the bias is not squared", lambda bias, answer: None if bias in (0, 1) else (bias, answer[1]), 0.75),
        Misconception("if the weights are not divided by their sum",
             lambda weights, g, gx, v: ((sum(w * each for w, each in zip(weights, g, strict=True)) - gx) ** 2, v * sum(w * w for w in weights)), 0.25),
        Misconception("if the true value at the query point is not subtracted", lambda bias, gx, answer: None if gx == 0 else ((bias + gx) ** 2, answer[1]), 0.5),
    ),
)  # fmt: skip


def _draw_line_at_end(rng: np.random.Generator) -> dict[str, Any]:
    q = int(rng.integers(1, 10))
    u = sorted(int(v) for v in rng.choice([1, 2, 3, 4, 5], 3, replace=False))
    side = int(rng.choice([-1, 1]))
    weights = [Fraction(1, v) for v in ((1, 1, 2), (1, 2, 2), (1, 2, 4))[rng.integers(3)]]
    return {"q": q, "x": [q + side * v for v in u], "weights": weights, "y": [int(v) for v in rng.integers(-2, 9, 3)]}


def _work_line_at_end(q: int, x: list[int], weights: list[Fraction], y: list[int]) -> dict[str, Any]:
    S = exact([w / sum(weights) for w in weights])
    u = exact([v - q for v in x])
    m1, m2 = S @ u, S @ u**2
    line = (m2 - m1 * u) / (m2 - m1**2) * S
    if max(v.denominator for v in (*line, m1, m2)) > 20 or line @ exact(y) == S @ exact(y):
        raise Unfit("long fractions")
    return {
        "S": S,
        "u": u,
        "m1": m1,
        "m2": m2,
        "w": line,
        "level": S @ exact(y),
        "low": m2 - m1**2,
        "answer": line @ exact(y),
    }


line_at_end = Problem(
    name="line_at_end",
    title="The local line at the end of the data",
    kind=Numbers("f"),
    level=2, minutes=8, points=4,
    draw=_draw_line_at_end,
    work=_work_line_at_end,
    statement=r"""
        At the query point $@q$ only three points have weights other than 0: $x=@{x}$, with the targets $y=@{y}$. The weights
        $k(@q,x_i)$ are $@weights$. What does local linear regression predict at $@q$?""",
    solution=r"""
        $S=@S$ and $u_i=x_i-@q$, so $u=@u$. The moments are $m_1=@m1$ and $m_2=@m2$, and $m_2-m_1^2=@low$. The weights
        $(m_2-m_1u_i)\,S_i/(m_2-m_1^2)$ of the targets are $@w$, with the sum 1. So $f(@q)=@answer$.""",
    mistakes=(
        Misconception("if a constant is fitted instead of a line, which gives the weighted mean", lambda level: level, 0.25),
        Misconception("if the slope of the line is given instead of its height",
             lambda S, u, m1, y, low, level: (S * u @ exact(y) - m1 * level) / low, 0.25),
        Misconception("if all three points have the same weight", lambda u, y: _height(u, y), 0.5),
        Misconception("if the denominator is the second moment without the square of the first subtracted",
             lambda answer, low, m2: answer * low / m2, 0.5),
        Misconception("if the sign of the first moment in the weights is wrong",
             lambda S, u, m1, m2, low, y: (m2 + m1 * u) * S @ exact(y) / low, 0.5),
    ),
)  # fmt: skip


def _height(u: np.ndarray, y: list[int]) -> Fraction:
    m1, m2 = sum(u) / 3, sum(u**2) / 3
    return (m2 - m1 * u) @ exact(y) / (3 * (m2 - m1**2))


NOT_A_NUMBER = "not a number, because the quotient is 0/0"


def _draw_rounded_to_zero(rng: np.random.Generator) -> dict[str, Any]:
    near, far = ((21, 25), (20, 24), (22, 30), (12, 30), (17, 25), (9, 15), (12, 16), (18, 18), (15, 15), (10, 10))[
        rng.integers(10)
    ]
    if rng.integers(2):
        near, far = far, near
    y1, y2 = (int(v) for v in rng.choice(np.arange(1, 15), 2, replace=False))
    if (y1 + y2) % 2:
        raise Unfit("a fraction as the mean")
    return {"x": near, "other": near + far, "y1": y1, "y2": y2}


def _work_rounded_to_zero(x: int, other: int, y1: int, y2: int) -> dict[str, Any]:
    far = [2 * x**2, 2 * (other - x) ** 2]
    mean = (y1 + y2) // 2
    kept = [i for i in (0, 1) if far[i] < 744]
    near = None if far[0] == far[1] else (y1, y2)[int(np.argmin(far))]
    value = NOT_A_NUMBER if not kept else f"${mean if near is None else near}$"
    why = (
        "Both weights are below the smallest positive number, so both become 0, and the quotient is 0/0." if not kept
        else "The two weights are equal and positive, so the quotient is the mean of the targets." if near is None
        else f"The larger weight is $e^{{{abs(far[0] - far[1])}}}$ times the other one, which is lost in rounding or already 0."
    )  # fmt: skip
    return {"near": near, "mean": mean, "first": far[0], "second": far[1], "why": why, "answer": value}


rounded_to_zero = Problem(
    name="rounded_to_zero",
    title="Far from the data in double precision",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_rounded_to_zero,
    work=_work_rounded_to_zero,
    statement=r"""
        A program computes the weighted mean of Nadaraya–Watson regression as the formula is written, without subtracting the largest
        exponent first. The window is Gaussian with $\sigma=\tfrac12$, and there are two points, $x_1=0$ with $y_1=@y1$ and
        $x_2=@other$ with $y_2=@y2$. In double precision, with about 16 digits, positive numbers below $e^{-744}$ become 0. What does
        the program return at $x=@x$?""",
    solution=r"""
        With $\sigma=\tfrac12$ the weight at the distance $r$ is $e^{-2r^2}$. So $x_1$ has the weight $e^{-@first}$ and $x_2$ has
        $e^{-@second}$. @why So the program returns @answer.""",
    mistakes=(
        Misconception("The weights do not both become zero here, so the denominator is positive.",
             lambda answer: None if answer == NOT_A_NUMBER else NOT_A_NUMBER),
        Misconception("This is the limit of the formula, which needs the largest exponent to be subtracted first. Here both weights are computed as zero.",
             lambda answer, near, mean: f"${mean if near is None else near}$" if answer == NOT_A_NUMBER else None, 0.25),
        Misconception("A numerator and a denominator of zero do not give zero, and a positive denominator gives a weighted mean.", "$0$"),
        Misconception("This would need two equal weights that are positive.",
             lambda near, mean: None if near is None else f"${mean}$"),
        Misconception("This would need all weight on the first point, but the other point is not farther away.",
             lambda near, y1: f"${y1}$" if near != y1 else None),
        Misconception("This would need all weight on the second point, but the other point is not farther away.",
             lambda near, y2: f"${y2}$" if near != y2 else None),
    ),
)  # fmt: skip


def _draw_units(rng: np.random.Generator) -> dict[str, Any]:
    s = np.array([int(rng.choice([2, 3, 4])), int(rng.choice([20, 30, 50]))])
    for _ in range(200):
        z = rng.integers(-4, 5, (4, 2))
        far = [np.sum(z**2, 1), np.sum((z * s) ** 2, 1), np.abs(z[:, 0]), np.abs(z[:, 1])]
        best = [int(np.argmin(each)) for each in far]
        if all(np.sum(each == each.min()) == 1 for each in far) and best[1] == best[3] and len(set(best[:3])) == 3:
            return {"s": s, "z": z, "q": np.array([20, 300]), "best": best}
    raise Unfit("two rules agree")


def _work_units(s: np.ndarray, z: np.ndarray, q: np.ndarray, best: list[int]) -> dict[str, Any]:
    points = [q + s * each for each in z]
    listed = ", ".join(f"$P_{i + 1}=({p[0]},{p[1]})$" for i, p in enumerate(points))
    rest = ({0, 1, 2, 3} - {best[0], best[1], best[2]}).pop()
    return {"listed": listed, "s1": s[0], "s2": s[1], "far": [int(v) for v in np.sum(z**2, 1)], "rest": rest,
            "steps": "; ".join(f"${a},{b}$" for a, b in z), "answer": f"$P_{best[0] + 1}$"}  # fmt: skip


units = Problem(
    name="units",
    title="The nearest point after standardising",
    kind=Choice(),
    level=1, minutes=5, points=3,
    draw=_draw_units,
    work=_work_units,
    statement=r"""
        A large training set has two columns in different units, with the standard deviations $@s1$ and $@s2$. Both columns are standardised.
        Which of the four training points @listed is then nearest to the query point $@q$?""",
    solution=r"""
        Standardising subtracts the mean of a column, which cancels in a difference, and divides by its standard deviation. The
        differences from the query point, divided by $@s1$ and $@s2$, are @steps for $P_1,\dots,P_4$. The squared distances are
        $@far$, so @answer is nearest.""",
    mistakes=(
        Misconception("This point is nearest in the units as measured, where the second column counts most.", lambda best: f"$P_{best[1] + 1}$", 0.25),
        Misconception("This point is nearest in the first column, but both columns count.", lambda best: f"$P_{best[2] + 1}$"),
        Misconception("This point is not nearest in either column, nor in both together.", lambda rest: f"$P_{rest + 1}$"),
    ),
)  # fmt: skip

PROBLEMS = (
    two_points,
    three_claims,
    at_the_end,
    spread,
    copies,
    share,
    one_more,
    two_terms,
    line_at_end,
    rounded_to_zero,
    units,
)
