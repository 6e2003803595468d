"""Exam problems on support vector machines."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, fit
from kcourse.paper_problems.exact import tex


def _work_penalised(C: Fraction, d: int) -> dict[str, Any]:
    alpha = (1 + C) / (d * d + 1)
    if alpha >= C:
        raise Unfit("the second multiplier at its bound")
    return {
        "square": d * d,
        "alpha": alpha,
        "w": d * alpha,
        "b": alpha - C,
        "value": C - alpha,
        "answer": [alpha, d * alpha, alpha - C],
    }


penalised_bias = Problem(
    name="penalised_bias",
    title="A soft margin with a penalised bias",
    kind=Free((
        Step(r"writes the Lagrangian with the multipliers $\alpha_i$ and $\mu_i$, and finds $w=\sum_i\alpha_iy_i\varphi(x_i)$, $b=\sum_i\alpha_iy_i$ and $\alpha_i+\mu_i=C$", 2),
        Step(r"inserts them and finds the dual with the additional term $-\tfrac12\big(\sum_i\alpha_iy_i\big)^2$, with $0\le\alpha_i\le C$ and without the constraint $\sum_i\alpha_iy_i=0$", 2),
        Step("names the kernel $k+1$, and says that no constraint connects the multipliers, so that one can change alone", 1),
        Step(r"writes $y_2f(x_2)=1$, and finds $\alpha_2=@alpha$, $w=@w$ and $b=@b$", 2),
        Step(r"checks $0<\alpha_2<C$ and $y_1f(x_1)=@value\le1$", 1),
    )),
    level=3, minutes=14, points=8,
    draw=lambda rng: {"C": Fraction(*[(1, 4), (1, 3), (1, 2), (2, 3), (3, 4)][rng.integers(5)]), "d": int(rng.integers(2, 4))},
    work=_work_penalised,
    statement=r"""
        A program also penalises the bias. It minimises $\tfrac12\|w\|^2+\tfrac12b^2+C\sum_i\xi_i$ over $w$, $b$ and $\xi$, subject to $y_if(x_i)\ge1-\xi_i$ and $\xi_i\ge0$, with $f(x)=w^\top\varphi(x)+b$.
        (a) Derive the dual from the Lagrangian.
        (b) It is the dual of a soft margin without a bias. With which kernel? Why can a solver change one multiplier at a time?
        (c) Let $C=@C$ and $\varphi(x)=x$. The point $x_1=0$ has class $-1$, and $x_2=@d$ has class $+1$. At the solution $\alpha_1=C$ and $0<\alpha_2<C$. Find $\alpha_2$, $w$ and $b$, and check the conditions at both points.""",
    solution=r"""
        (a) $L=\tfrac12\|w\|^2+\tfrac12b^2+C\sum_i\xi_i-\sum_i\alpha_i\big(y_if(x_i)-1+\xi_i\big)-\sum_i\mu_i\xi_i$ with $\alpha_i,\mu_i\ge0$. The derivatives with respect to $w$, $b$ and $\xi_i$ are 0 if
        $w=\sum_i\alpha_iy_i\varphi(x_i)$, $b=\sum_i\alpha_iy_i$ and $\alpha_i+\mu_i=C$. So $0\le\alpha_i\le C$, and the slacks disappear. The terms with $w$ are $-\tfrac12\|w\|^2$, and those with $b$ are $\tfrac12b^2-b\sum_i\alpha_iy_i=-\tfrac12b^2$. The dual is
        $$\max_\alpha\ \sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_jk(x_i,x_j)-\tfrac12\Big(\sum_i\alpha_iy_i\Big)^2\quad\text{with}\quad0\le\alpha_i\le C.$$
        (b) The last term is the double sum with 1 in place of $k$, so the kernel is $k+1$. There is no constraint $\sum_i\alpha_iy_i=0$, so one multiplier can change while all others stay.
        (c) $w=@d\,\alpha_2$ and $b=\alpha_2-C$. Because $0<\alpha_2<C$, $y_2f(x_2)=@square\,\alpha_2+\alpha_2-C=1$, so $\alpha_2=@alpha$, which is between 0 and $C$. It follows that $w=@w$ and $b=@b$. The first point has $\alpha_1=C$, and $y_1f(x_1)=-b=@value$ is at most 1, as required.""",
)  # fmt: skip


def _draw_all_bound(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "minus": sorted(rng.integers(-3, 5, 2)),
        "plus": sorted(rng.integers(-3, 5, 2)),
        "k": int(rng.integers(2, 5)),
    }


def _work_all_bound(minus: list, plus: list, k: int) -> dict[str, Any]:
    S, reach = int(sum(plus) - sum(minus)), int(max(plus) - min(minus))
    if S < 2 or len({*minus, *plus}) < 4 or S * reach < 3:
        raise Unfit("another sign of w, or two equal points")
    most = Fraction(2, S * reach)
    C = most / k
    low, high = -1 - C * S * int(min(minus)), 1 - C * S * int(max(plus))
    fit(most, C, low, high, denominator=60)
    return {"S": S, "reach": reach, "most": most, "C": C, "w": C * S, "least": int(min(minus)), "largest": int(max(plus)),
            "low": low, "high": high, "answer": [most, low, high]}  # fmt: skip


all_bound = Problem(
    name="all_bound",
    title="When all support vectors are bound",
    kind=Free((
        Step(r"shows that $\alpha_i=C$ satisfies the constraints of the dual, and finds $w=@S\,C$", 2),
        Step(r"uses that points with $\alpha_i=C$ need $y_if(x_i)\le1$, and that $\alpha$ is optimal exactly if some $b$ satisfies all of them", 2),
        Step(r"finds the two bounds on $b$ from the outermost points, and $C\le@most$", 2),
        Step(r"finds the interval $@low\le b\le@high$ for $C=@C$", 2),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_all_bound,
    work=_work_all_bound,
    statement=r"""
        Four points on a line are given. $x=@minus$ have class $-1$, and $x=@plus$ have class $+1$. A support vector machine with a bias and the kernel $k(x,z)=xz$ is trained with a small $C$.
        (a) Show that $\alpha_i=C$ for all four points satisfies the constraints of the dual. Which $w$ belongs to it?
        (b) For which $C$ is this $\alpha$ optimal?
        (c) Let $C=@C$. Which values of $b$ are optimal?""",
    solution=r"""
        (a) $0\le\alpha_i\le C$ holds, and $\sum_i\alpha_iy_i=2C-2C=0$. The $w$ that belongs to it is $w=\sum_i\alpha_iy_ix_i=@S\,C$, which is positive.
        (b) $\alpha$ is optimal exactly if some $b$ puts all four points on the staircase, because then the gap is 0, and at a maximum of $D$ there is such a $b$. With $\alpha_i=C$ a point is on it if $y_if(x_i)\le1$. Class $+1$ needs $wx+b\le1$. Its largest point decides, so
        $b\le1-w\cdot@{(largest}$. Class $-1$ needs $-(wx+b)\le1$. Its smallest point decides, so $b\ge-1-w\cdot@{(least}$. Such a $b$ exists exactly if
        $w\cdot@reach\le2$. With $w=@S\,C$ this is $C\le@most$.
        (c) $C=@C$ is smaller, and $w=@w$. The two bounds of (b) are $@low\le b\le@high$. Each such $b$ is optimal, because the gap is 0 for each of them. No support vector is free.""",
)  # fmt: skip


def _work_monotone(C: Fraction, D: Fraction, q: Fraction, S: Fraction) -> dict[str, Any]:
    low, high = q / 2 + C * S, q / 2 + D * S
    return {"C": C, "D": D, "q": q, "S": S, "low": low, "high": high, "answer": [low, high]}


monotone = Problem(
    name="monotone",
    title="What a larger C does to the slacks and the margin",
    kind=Free((
        Step("writes that each plane is optimal for its own $C$, two inequalities", 2),
        Step("adds them and concludes $S'\\le S$", 2),
        Step(r"concludes $\|w'\|\ge\|w\|$ from one of the two inequalities, and that the margin does not become larger", 2),
        Step(r"finds the upper bound $@high$ with the old plane", 1),
        Step(r"finds the lower bound $@low$, because the objective of each plane grows with $C$", 1),
    )),
    level=3, minutes=11, points=8,
    draw=lambda rng: {"k": int(rng.choice([6, 8, 10, 12, 16, 20])), "times": int(rng.integers(2, 7))},
    work=lambda k, times: _work_monotone(Fraction(1, k), Fraction(times, k), Fraction(16, k * k), 4 - Fraction(16, k)),
    statement=r"""
        On the same points the soft margin with $C$ has the solution $(w,b)$ with the sum of slacks $S=\sum_i\xi_i$, and with a larger $C'$ it has the solution $(w',b')$ with the sum of slacks $S'$.
        (a) Prove that $S'\le S$.
        (b) Prove that $\|w'\|\ge\|w\|$. What does this mean for the margin?
        (c) Let $C=@C$, $\|w\|^2=@q$ and $S=@S$. Which upper bound on the smallest value of the objective with $C'=@D$ follows from the plane $(w,b)$, and which lower bound from the fact that the objective of each plane grows with $C$?""",
    solution=r"""
        (a) Each solution has the smallest objective for its own $C$, so
        $$\tfrac12\|w\|^2+CS\le\tfrac12\|w'\|^2+CS',\qquad\tfrac12\|w'\|^2+C'S'\le\tfrac12\|w\|^2+C'S.$$
        Add the two inequalities. The norms cancel, and $CS+C'S'\le CS'+C'S$ remains, which is $(C'-C)(S'-S)\le0$. Because $C'>C$, $S'\le S$.
        (b) The first inequality gives $\tfrac12\|w\|^2\le\tfrac12\|w'\|^2+C(S'-S)\le\tfrac12\|w'\|^2$. So $\|w'\|\ge\|w\|$, and the margin $1/\|w'\|$ is not larger than $1/\|w\|$.
        (c) The plane $(w,b)$ is also allowed with $C'$, so the minimum is at most $\tfrac12\|w\|^2+C'S=\tfrac12\cdot@q+@D\cdot@S=@high$. For each plane the objective with $C'$ is at least the one with $C$, so the minimum is at least the old
        minimum, $\tfrac12\|w\|^2+CS=\tfrac12\cdot@q+@C\cdot@S=@low$.""",
)  # fmt: skip


claims = Problem(
    name="claims",
    title="True or false: support vectors and mistakes",
    kind=Free((
        Step(r"(a) says true, and derives $\alpha_i=C$ from $\xi_i>0$ and $(C-\alpha_i)\xi_i=0$", 2),
        Step(r"(b) says true, and uses that $\alpha_i=@C$ for each mistake, so that there are at most $@total/@C$", 2),
        Step(r"(c) says false, and describes a point beyond the other margin line", 1),
        Step(r"(c) gives points with a solution for which such a point has $\alpha_i>0$", 2),
    )),
    level=2, minutes=11, points=7,
    draw=lambda rng: {"C": int(rng.integers(2, 6)), "m": int(rng.integers(2, 6)), "rest": int(rng.integers(0, 2))},
    work=lambda C, m, rest: {"total": C * m + rest, "answer": m},
    statement=r"""
        True or false? Give a proof, or a counterexample with points on a line. All statements are about the training points of a support vector machine with a bias, at its solution. A point with $y_if(x_i)\le0$ is a mistake.
        (a) Every mistake has $\alpha_i=C$.
        (b) If $C=@C$ and $\sum_i\alpha_i=@total$, then there are at most $@m$ mistakes.
        (c) A point with $|f(x_i)|>1$ is not a support vector.""",
    solution=r"""
        (a) True. A mistake has $\xi_i\ge1-y_if(x_i)\ge1>0$. From $(C-\alpha_i)\xi_i=0$ follows $\alpha_i=C$.
        (b) True. By (a) each mistake has $\alpha_i=@C$, and the other multipliers are not negative. So $@C$ times the number of mistakes is at most $@total$. The number is an integer, so it is at most $@answer$.
        (c) False. A mistake beyond the other margin line has $y_if(x_i)<-1$, so $|f(x_i)|>1$, and by (a) $\alpha_i=C$. For example, let $0$ and $4$ have class $-1$ and $2$ and $3$ class $+1$, with $k(x,z)=xz$ and
        $C=\tfrac12$. Take $\alpha_i=\tfrac12$ for all four points. Then $\sum_i\alpha_iy_i=0$ and $w=\tfrac12(2+3-0-4)=\tfrac12$. With $b=-\tfrac34$ the values $y_if(x_i)$ of $0,4,2,3$ are
        $\tfrac34,-\tfrac54,\tfrac14,\tfrac34$. All are at most 1, as $\alpha_i=C$ requires, so this is a solution. The point $4$ has $|f|=\tfrac54>1$, but it is a support vector.""",
)  # fmt: skip


def _draw_hinges(rng: np.random.Generator) -> dict[str, Any]:
    z = [int(a) for a in rng.permutation([1, 2, 4])[:2]] + [-int(rng.integers(1, 3))]
    label = rng.choice([-1, 1], 3)
    order = rng.permutation(3)
    return {
        "x": list((np.array(z) * label)[order]),
        "y": list(label[order]),
        "C": Fraction(1, int(rng.choice([2, 3, 4, 5, 6, 8]))),
    }


def _work_hinges(x: list, y: list, C: Fraction) -> dict[str, Any]:
    z = [int(a * b) for a, b in zip(x, y, strict=True)]
    large, small = sorted((v for v in z if v > 0), reverse=True)
    less = -min(z)
    kinks, slopes = [Fraction(1, large), Fraction(1, small)], [less - large - small, less - small, less]
    loss = lambda w: sum(max(Fraction(0), 1 - v * w) for v in z)  # noqa: E731
    ends = [Fraction(0), *kinks, None]
    w = next(
        (-C * s for s, a, b in zip(slopes, ends, ends[1:], strict=False) if -C * s > a and (b is None or -C * s < b)),
        None,
    )
    if w is None:
        w = next((k for k, s, t in zip(kinks, slopes, slopes[1:], strict=False) if k + C * s <= 0 <= k + C * t), None)
    if w is None or w == 0 or any(k + C * s == 0 for k in kinks for s in slopes):
        raise Unfit("a minimum at 0, or a piece whose minimum is its end")
    alpha = [C if v * w < 1 else Fraction(0) for v in z]
    if w in kinks:
        at = z.index(int(1 / w))
        alpha[at] = (w - sum(a * v for i, (a, v) in enumerate(zip(alpha, z, strict=True)) if i != at)) / z[at]
        s = slopes[kinks.index(w)], slopes[kinks.index(w) + 1]
        why = f"At the kink $w={tex(w)}$ the derivative of $P$, $w+{tex(C)}L'(w)$, jumps from ${tex(w + C * s[0])}$ to ${tex(w + C * s[1])}$. It changes its sign there, so the minimum is at the kink"
    else:
        piece = next(s for s in slopes if -C * s == w)
        why = f"On the piece with the slope ${piece}$ the derivative of $P$ is $w+{tex(C)}\\cdot({piece})$. It is 0 at $w={tex(w)}$, which lies on this piece, so the minimum is there"
    P = w * w / 2 + C * loss(w)
    fit(P, *alpha, denominator=50)
    return {"kinks": kinks, "values": [loss(k) for k in kinks], "slopes": slopes, "products": z, "w": w, "P": P, "alpha": alpha, "why": why,
            "end": loss(Fraction(3, 2)), "losses": loss(w), "answer": [w, P, *alpha]}  # fmt: skip


hinges = Problem(
    name="hinges",
    title="Sketch of the hinge losses and the best weight",
    kind=Free((
        Step(r"draws $L$ with $L(0)=3$, the kinks at $w=@kinks$ with the values $@values$, and $L(\tfrac32)=@end$", 2),
        Step(r"gives the slopes $@slopes$ of the three pieces", 2),
        Step(r"finds the minimum of $P$ at $w=@w$, with the reason", 2),
        Step(r"finds $P=@P$", 1),
        Step(r"finds $\alpha=(@alpha)$", 1),
    )),
    level=3, minutes=12, points=8,
    draw=_draw_hinges,
    work=_work_hinges,
    statement=r"""
        Three points on a line, $x=@x$, have the labels $y=@y$. There is no bias, so $f(x)=wx$. Let $L(w)=\sum_i(1-y_iwx_i)_+$ and $P(w)=\tfrac12w^2+CL(w)$ with $C=@C$.
        (a) Sketch $L$ for $0\le w\le\tfrac32$. Show all kinks with their coordinates, the values at both ends, and the slope of each piece.
        (b) At which $w$ is $P$ smallest, and what is its value there?
        (c) What are the multipliers $\alpha_i$ of the three points at the solution?""",
    solution=r"""
        (a) The products $y_ix_i$ are $@products$. A point with a positive product has a loss until $w$ reaches the inverse of the product, so the kinks are at $@kinks$. The point with the negative product has a loss for all $w\ge0$. The slope of $L$ is minus the sum of
        the products of the points with a loss. On the three pieces it is $@slopes$. $L(0)=3$, at the kinks the values are $@values$, and $L(\tfrac32)=@end$.
        (b) @why. There $L=@losses$ and $P=\tfrac12w^2+@C\cdot @losses=@P$.
        (c) $\alpha_i=C$ where $y_if(x_i)<1$, and $\alpha_i=0$ where $y_if(x_i)>1$. If $y_if(x_i)=1$, then $\alpha_i$ follows from $w=\sum_i\alpha_iy_ix_i$. So $\alpha=(@alpha)$.""",
)  # fmt: skip


def _draw_area(rng: np.random.Generator) -> dict[str, Any]:
    C, y = int(rng.integers(1, 5)), rng.permutation([1, 1, -1, -1])
    alpha = [Fraction(int(k) * C, 4) for k in rng.integers(0, 5, 4)]
    return {"C": C, "y": list(y), "alpha": alpha, "values": [Fraction(int(k), 2) for k in rng.integers(-2, 6, 4)]}


def _work_area(C: int, y: list, alpha: list[Fraction], values: list[Fraction]) -> dict[str, Any]:
    below = [max(Fraction(0), 1 - v) for v in values]
    above = [max(Fraction(0), v - 1) for v in values]
    terms = [(C - a) * u + a * o for a, u, o in zip(alpha, below, above, strict=True)]
    push = sum(a * v for a, v in zip(alpha, values, strict=True))
    if (
        sum(a * int(s) for a, s in zip(alpha, y, strict=True))
        or push <= 0
        or sum(t > 0 for t in terms) < 3
        or not any(a * o for a, o in zip(alpha, above, strict=True))
    ):
        raise Unfit("no constraint, no norm, or too few rectangles")
    return {"below": below, "above": above, "terms": terms, "answer": sum(terms)}


area = Problem(
    name="area",
    title="The duality gap from a table",
    kind=Numbers("duality gap"),
    level=2, minutes=7, points=4,
    draw=_draw_area,
    work=_work_area,
    statement=r"""
        A solver for a support vector machine with $C=@C$ has reached $\alpha=(@alpha)$ on four points with the labels $y=@y$. With the $w$ that belongs to this $\alpha$, and some $b$, the values of $y_if(x_i)$ are $@values$. How large is
        the duality gap $P-D$?""",
    solution=r"""
        A point below the line $yf=1$ adds $(C-\alpha_i)(1-y_if(x_i))$, and a point above it adds $\alpha_i(y_if(x_i)-1)$. The four terms are $@terms$, and the gap is $@answer$.""",
    mistakes=(
        Misconception("if only points with yf < 1 are counted",
             lambda C, alpha, below: sum((C - a) * u for a, u in zip(alpha, below, strict=True)), 0.5),
        Misconception("if the rectangle of each point goes to the other side, with α below the line and C - α above it",
             lambda C, alpha, below, above: sum(a * u + (C - a) * o for a, u, o in zip(alpha, below, above, strict=True)), 0.25),
        Misconception("if the slack is multiplied by C instead of C - α",
             lambda C, alpha, below, above, answer: g if (g := sum(C * u + a * o for a, u, o in zip(alpha, below, above, strict=True))) != answer else None, 0.5),
        Misconception("if the terms of the points above the line are subtracted",
             lambda C, alpha, below, above: sum((C - a) * u - a * o for a, u, o in zip(alpha, below, above, strict=True)), 0.5),
    ),
)  # fmt: skip


def _draw_choose(rng: np.random.Generator) -> dict[str, Any]:
    y, x = rng.permutation([1, 1, -1, -1]), rng.permutation(np.arange(-3, 4))[:4]
    C, alpha = int(rng.integers(1, 3)), [Fraction(0)] * 4
    part = Fraction(C, int(rng.choice([1, 2, 4])))
    for label in (-1, 1):
        alpha[rng.choice(np.flatnonzero(y == label))] = part
    return {"x": list(x), "y": list(y), "C": C, "alpha": alpha}


def _pair(
    x: list,
    y: list,
    C: int,
    alpha: list[Fraction],
    labels: bool = True,
    sets: bool = True,
    clip: bool = True,
    square: bool = True,
) -> list[Any]:
    n = range(4)
    w = sum(alpha[k] * (int(y[k]) if labels else 1) * int(x[k]) for k in n)
    s = [int(y[k]) - w * int(x[k]) for k in n]
    up = [k for k in n if not sets or (alpha[k] < C if y[k] > 0 else alpha[k] > 0)]
    down = [k for k in n if not sets or (alpha[k] > 0 if y[k] > 0 else alpha[k] < C)]
    i, j = max(up, key=lambda k: s[k]), min(down, key=lambda k: s[k])
    eta = abs(int(x[i] - x[j])) ** (2 if square else 1)
    if i == j or not eta:
        raise Unfit("one point")
    room = [C - alpha[i] if y[i] > 0 else alpha[i], alpha[j] if y[j] > 0 else C - alpha[j]]
    t = (s[i] - s[j]) / eta
    return [i + 1, j + 1, min(t, *room) if clip else t]


def _work_choose(x: list, y: list, C: int, alpha: list[Fraction]) -> dict[str, Any]:
    i, j, t = _pair(x, y, C, alpha)
    n = range(4)
    w = sum(alpha[k] * int(y[k]) * int(x[k]) for k in n)
    s = [int(y[k]) - w * int(x[k]) for k in n]
    up = [k + 1 for k in n if (alpha[k] < C if y[k] > 0 else alpha[k] > 0)]
    down = [k + 1 for k in n if (alpha[k] > 0 if y[k] > 0 else alpha[k] < C)]
    if (
        s[i - 1] <= s[j - 1]
        or sorted(s[k - 1] for k in up)[-2:].count(s[i - 1]) > 1
        or sorted(s[k - 1] for k in down)[:2].count(s[j - 1]) > 1
        or t == 0
        or w == 0
    ):
        raise Unfit("no step, or a tie")
    if _pair(x, y, C, alpha, sets=False)[:2] == [i, j] and _pair(x, y, C, alpha, clip=False)[2] == t:
        raise Unfit("two mistakes change nothing")
    slope, eta = s[i - 1] - s[j - 1], int(x[i - 1] - x[j - 1]) ** 2
    return {
        "w": w,
        "s": s,
        "up": up,
        "down": down,
        "i": i,
        "j": j,
        "slope": slope,
        "eta": eta,
        "free": slope / eta,
        "answer": [i, j, t],
    }


def _unless(wrong: list[Any], answer: list[Any]) -> list[Any] | None:
    return None if wrong == answer else wrong


choose = Problem(
    name="choose",
    title="The pair and the step of SMO",
    kind=Numbers(("number i of the point whose yα rises", "number j of the point whose yα falls", "step t")),
    level=3, minutes=8, points=5,
    draw=_draw_choose,
    work=_work_choose,
    statement=r"""
        Four points on a line, $x=@x$ with the numbers $1,2,3,4$, have the labels $y=@y$. A support vector machine with $k(x,z)=xz$ and $C=@C$ is trained by SMO, which has reached $\alpha=(@alpha)$. It now chooses the pair $i$, $j$ with the largest slope $g$ of the dual among
        those that may move, raises $y_i\alpha_i$ by $t$ and lowers $y_j\alpha_j$ by $t$. Which points are $i$ and $j$, and how large is the best step $t$?""",
    solution=r"""
        $w=\sum_i\alpha_iy_ix_i=@w$, so the values $y_i-f(x_i)$ without the bias are $@s$. $y_i\alpha_i$ may rise for the points $@up$ and fall for the points $@down$. The largest value of the first and the smallest of the second are at $i=@i$ and
        $j=@j$, so $g=@slope$. With $\eta=(x_i-x_j)^2=@eta$ the maximum is at $t=g/\eta=@free$. If this step takes a multiplier out of the box, $t$ is clipped at the bound. So $i$, $j$ and $t$ are $@answer$.""",
    mistakes=(
        Misconception("if the step is not clipped", lambda x, y, C, alpha, answer: _unless(_pair(x, y, C, alpha, clip=False), answer), 0.75),
        Misconception("if the bounds are ignored, so that all points may move in both directions",
             lambda x, y, C, alpha, answer: None if (p := _pair(x, y, C, alpha, sets=False, clip=False))[:2] == answer[:2] else p, 0.25),
        Misconception("if the two points are exchanged", lambda answer: [answer[1], answer[0], answer[2]], 0.5),
        Misconception("if the slope is divided by the distance of the two points instead of its square",
             lambda x, y, C, alpha, answer: _unless(_pair(x, y, C, alpha, square=False), answer), 0.5),
    ),
)  # fmt: skip

weighted = Problem(
    name="weighted",
    title="The best value under class weights",
    kind=Numbers(("expected loss of −1", "expected loss of +1", "bound on p")),
    level=2, minutes=6, points=4,
    draw=lambda rng: {"v": int(rng.integers(2, 10)), "p": Fraction(int(rng.integers(1, 10)), 10)},
    work=lambda v, p: {"q": 1 - p, "rest": v + 1, "answer": [2 * p * v, 2 * (1 - p), Fraction(1, v + 1)]},
    statement=r"""
        In a support vector machine the slack of a point of class $+1$ is penalised $@v$ times as much as the slack of a point of class $-1$, whose hinge loss has the weight 1. At some $x$ the probability of $+1$ is $p$. What is the expected weighted hinge loss of $f=-1$ and of $f=1$ if
        $p=@p$? Above which bound on $p$ is $f=1$ better than $f=-1$?""",
    solution=r"""
        The expected loss is $@v\,p\,(1-f)_++(1-p)(1+f)_+$. At $f=-1$ it is $2\cdot@v\,p$, and at $f=1$ it is $2(1-p)$. For $p=@p$ these are $2\cdot@v\cdot@p$ and $2\cdot@q$. $f=1$ is better if $1-p<@v\,p$, which is $p>1/@rest$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the weight is given to class -1", lambda v, p: [2 * p, 2 * (1 - p) * v, Fraction(v, v + 1)], 0.5),
        Misconception("if the weight is ignored", lambda p: [2 * p, 2 * (1 - p), Fraction(1, 2)], 0.25),
        Misconception("if the hinge loss of the wrong sign is taken as 1 instead of 2", lambda v, p: [p * v, 1 - p, Fraction(1, v + 1)], 0.5),
        Misconception("if the last answer is one divided by the weight", lambda v, answer: [*answer[:2], Fraction(1, v)], 0.75),
    ),
)  # fmt: skip


def _draw_off(rng: np.random.Generator) -> dict[str, Any]:
    a, c, h = int(rng.integers(2, 9)), int(rng.integers(-3, 6)), int(rng.integers(1, 6))
    other = h * h + 2 * c - a
    if other < 1 or a * other <= c * c:
        raise Unfit("no kernel")
    label = int(rng.choice([-1, 1]))
    return {
        "K": np.array([[a, c], [c, other]]),
        "y": np.array([label, -label]),
        "part": Fraction(int(rng.integers(1, 4)), int(rng.integers(1, 5))),
        "b": int(rng.integers(-3, 4)),
    }


def _work_off(K: np.ndarray, y: np.ndarray, part: Fraction, b: int) -> dict[str, Any]:
    distance = int(K[0, 0] + K[1, 1] - 2 * K[0, 1])
    root = int(np.sqrt(distance))
    f = part * int(y[0] * (K[0, 0] - K[0, 1])) + b
    slack, norm = 1 - int(y[0]) * f, part * root
    if slack <= 0 or f == 0 or norm == 1 or b == 0 or slack == abs(f):
        raise Unfit("outside the margin, or a length of 1")
    fit(f, slack, norm, abs(f) / norm, slack / norm, denominator=30)
    return {
        "square": norm**2,
        "norm": norm,
        "f": f,
        "slack": slack,
        "label": int(y[0]),
        "yf": 1 - slack,
        "answer": [abs(f) / norm, slack / norm],
    }


off = Problem(
    name="off",
    title="Slack and distance",
    kind=Numbers(("distance from the decision boundary", "distance from the margin line of its class")),
    level=2, minutes=7, points=4,
    draw=_draw_off,
    work=_work_off,
    statement=r"""
        During training a support vector machine has two multipliers that are not 0, $\alpha_1=\alpha_2=@part$. Their points have the labels $y=@y$ and the Gram matrix $K=@K$, and $b=@b$. The point $x_1$ violates the margin. How far is it, in feature
        space, from the decision boundary and from the margin line of its class?""",
    solution=r"""
        $f(x_1)=@part\,(y_1K_{11}+y_2K_{12})@{+b}=@f$, so $y_1f(x_1)=@yf$ and the slack is $\xi_1=@slack$. $\|w\|^2=\sum_{i,j}\alpha_i\alpha_jy_iy_jK_{ij}=@square$, so $\|w\|=@norm$. The distances are $|f(x_1)|/\|w\|$ and
        $\xi_1/\|w\|$, which are $@answer$.""",
    mistakes=(
        Misconception("if the values are not divided by the length of w", lambda f, slack: [abs(f), slack], 0.25),
        Misconception("if the values are divided by the squared length of w", lambda f, slack, square: [abs(f) / square, slack / square], 0.5),
        Misconception("if the second distance is the one from the margin line of the other class", lambda answer, yf, norm: [answer[0], abs(1 + yf) / norm], 0.5),
        Misconception("if b is left out", lambda f, b, label, norm: [abs(f - b) / norm, abs(1 - label * (f - b)) / norm], 0.5),
    ),
)  # fmt: skip

unit = Problem(
    name="unit",
    title="C in another unit",
    kind=Choice(),
    level=2, minutes=3, points=2,
    draw=lambda rng: {"C": int(rng.choice([2, 3, 5, 6, 7, 8])), "c": int(rng.choice([2, 5, 10])), "up": bool(rng.integers(2))},
    work=lambda C, c, up: {
        "how": "multiplied" if up else "divided", "back": "divided" if up else "multiplied", "square": c * c,
        "answer": f"$C={_number(C, c, -2 if up else 2)}$",
    },
    statement=r"""
        A linear support vector machine was trained with $C=@C$. Now all coordinates of all points are @how by $@c$, without any other scaling. Which $C$ gives the same $f$ at each of the points, and so the same classification?""",
    solution=r"""
        The values $f(x_i)$ and the slacks stay the same if $w$ is @back by $@c$. Then $\tfrac12\|w\|^2$ is @back by $@c^2=@square$. The objective has the same minimiser if $C$ is @back by the same factor, so @answer.""",
    mistakes=(
        Misconception("The length of w is squared in the objective, so the factor must be squared as well.", lambda C, c, up: f"$C={_number(C, c, -1 if up else 1)}$", 0.25),
        Misconception("If the points move apart, w becomes shorter, so C must become smaller as well. Here it changes in the wrong direction.",
             lambda C, c, up: f"$C={_number(C, c, 2 if up else -2)}$"),
        Misconception("The norm of w depends on the unit of the coordinates and the slacks do not, so C must change with the unit.", lambda C: f"$C={C}$"),
    ),
)  # fmt: skip


def _number(C: int, c: int, power: int) -> str:
    value = Fraction(C) * Fraction(c) ** power
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def _draw_left(rng: np.random.Generator) -> dict[str, Any]:
    free, bound, on = int(rng.integers(2, 20)), int(rng.integers(5, 40)), int(rng.integers(2, 6))
    n = int(rng.choice([100, 200, 400, 500]))
    return {"n": n, "free": free, "bound": bound, "wrong": int(rng.integers(2, bound - 1)), "on": on}


left = Problem(
    name="left",
    title="Bound on the leave-one-out errors",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=_draw_left,
    work=lambda n, free, bound, on: {"all": free + bound, "rest": n - free - bound - on, "answer": f"at most {free + bound}"},
    statement=r"""
        A support vector machine was trained on $@n$ points. $@free$ of them have $0<\alpha_i<C$, $@bound$ have $\alpha_i=C$, and $@wrong$ are misclassified. Of the points with $\alpha_i=0$, $@on$ have $y_if(x_i)=1$. What does the bound by the support vectors say about the number of leave-one-out errors?""",
    solution=r"""
        If a point with $\alpha_i=0$ is left out, the solution stays the same, and the point is classified correctly because $y_if(x_i)\ge1$. So only the $@free+@bound=@all$ support vectors can be leave-one-out errors. Their number is @answer.""",
    mistakes=(
        Misconception("Free support vectors can also be misclassified when they are left out, because the solution changes.", lambda bound: f"at most {bound}"),
        Misconception("A point that is classified correctly in training can be misclassified when it is left out.", lambda wrong: f"at most {wrong}"),
        Misconception("A point with α = 0 on the margin line does not change the solution when it is left out, so it is classified correctly.",
             lambda free, bound, on: f"at most {free + bound + on}", 0.25),
    ),
)  # fmt: skip

PROBLEMS = (penalised_bias, all_bound, monotone, claims, hinges, area, choose, weighted, off, unit, left)
