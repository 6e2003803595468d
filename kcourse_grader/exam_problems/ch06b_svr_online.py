"""Exam problems of chapter 6b: ε-SVR and online learning."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, fit


def _draw_flattest(rng: np.random.Generator) -> dict[str, Any]:
    x = [0, *(int(a) for a in np.sort(rng.choice(np.arange(1, 7), 3, replace=False)))]
    return {"x": x, "y": [int(a) for a in rng.integers(-4, 6, 4)], "eps": Fraction(int(rng.choice([1, 2, 3])), 2)}


def _work_flattest(x: list, y: list, eps: Fraction) -> dict[str, Any]:
    sign = 1 if y[-1] > y[0] else -1
    up = [sign * v for v in y]
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    slope = {(i, j): (up[j] - up[i] - 2 * eps) / (x[j] - x[i]) for i, j in pairs}
    (i, j), size = max(slope.items(), key=lambda pair: pair[1])
    room = min((2 * eps - (up[i] - up[j])) / (x[j] - x[i]) for i, j in pairs)
    if size <= 0 or size >= room or sorted(slope.values())[-2] == size or (i, j) == (0, 3):
        raise Unfit("a constant, no line in the tube, several pairs, or the two ends")
    w, b = sign * size, sign * (up[i] + eps - size * x[i])
    f = [w * a + b for a in x]
    beta = size / (x[j] - x[i])
    fit(w, b, beta, *f, denominator=20)
    return {"first": i + 1, "second": j + 1, "w": w, "b": b, "f": f, "r": [v - g for v, g in zip(y, f, strict=True)], "beta": beta, "left": -sign * beta,
            "right": sign * beta, "xi": x[i], "xj": x[j], "yi": y[i], "yj": y[j], "size": size, "long": x[j] - x[i], "rise": sign * (y[j] - y[i]),
            "edge": -sign * eps, "direction": "rise" if sign > 0 else "fall", "answer": [w, b, beta]}  # fmt: skip


flattest = Problem(
    name="flattest",
    title="Sketch of the flattest line in the tube",
    kind=Free((
        Step(r"draws the four points, each with a vertical segment of length $\varepsilon$ up and down, and a line that meets all four segments and touches the ends of those at $x=@xi$ and $x=@xj$", 2),
        Step(r"shows that no flatter line is within $\varepsilon$ of the points at $x=@xi$ and $x=@xj$", 2),
        Step(r"finds $w=@w$ and $b=@b$, and checks the residuals of the other points", 2),
        Step(r"finds $\beta=@left$ at $x=@xi$, $@right$ at $x=@xj$, and 0 for the others", 1),
        Step(r"says that $|\beta_i|\le C$ gives $C\ge@beta$", 1),
    )),
    level=3, minutes=14, points=8,
    draw=_draw_flattest,
    work=_work_flattest,
    statement=r"""
        The points $x=@x$ have the targets $y=@y$. $\varepsilon$-SVR with a bias, $\varphi(x)=x$ and $\varepsilon=@eps$ is fitted, and $C$ is so large that it finds the flattest line that is within $\varepsilon$ of all points.
        (a) Sketch the points, the values that the line may have at each of them, and this line. (b) Find $w$ and $b$. Why is there no flatter line within $\varepsilon$ of all points? (c) Find all coefficients $\beta_i$. For which $C$ is this
        line the solution?""",
    solution=r"""
        (a) At each $x_i$ the line may have the values from $y_i-\varepsilon$ to $y_i+\varepsilon$, a vertical segment. The line touches an end of the segments at $x=@xi$ and $x=@xj$ and passes through the other two segments.
        (b) Between $x=@xi$ and $x=@xj$ the targets @direction by $@rise$. A line that is within $\varepsilon$ of both must @direction by at least $@rise-2\cdot@eps$ over the length $@long$, so $|w|\ge@size$. With equality $w=@w$, and $b=@b$ because the
        residual at $x=@xi$ must be $@edge$. The values of this line are $@f$ and its residuals $@r$. None is larger than $\varepsilon$ in absolute value, so this is the flattest line.
        (c) Points inside the tube have $\beta_i=0$. The two points on its edges have $\sum_i\beta_i=0$ and $w=\sum_i\beta_ix_i$, so their coefficients are $@left$ and $@right$, each with the sign of its residual. All conditions hold if
        $|\beta_i|\le C$, which is $C\ge@beta$.""",
)  # fmt: skip


def _draw_constant(rng: np.random.Generator) -> dict[str, Any]:
    y = [int(a) for a in rng.integers(-6, 13, 5)]
    return {"y": y, "eps": Fraction(max(y) - min(y), 2) + Fraction(int(rng.integers(1, 5)), 2)}


def _work_constant(y: list, eps: Fraction) -> dict[str, Any]:
    if max(y) - min(y) < 3:
        raise Unfit("equal targets")
    return {"top": max(y), "bottom": min(y), "least": Fraction(max(y) - min(y), 2), "low": max(y) - eps, "high": min(y) + eps,
            "answer": [Fraction(max(y) - min(y), 2), max(y) - eps, min(y) + eps]}  # fmt: skip


constant = Problem(
    name="constant",
    title="When ε-SVR predicts a constant",
    kind=Free((
        Step(r"says that $\beta=0$ satisfies the constraints of the dual and gives $f=b$", 1),
        Step(r"shows: if $\beta=0$ is optimal, then $|y_i-b|\le\varepsilon$ for all $i$, because $|\beta_i|=C$ outside the tube", 2),
        Step(r"shows the converse: if such a $b$ exists, the duality gap is 0", 2),
        Step(r"shows that such a $b$ exists exactly if $\max y-\min y\le2\varepsilon$", 1),
        Step(r"finds $\varepsilon\ge@least$, and $@low\le b\le@high$ for $\varepsilon=@eps$", 2),
    )),
    level=3, minutes=12, points=8,
    draw=_draw_constant,
    work=_work_constant,
    statement=r"""
        $\varepsilon$-SVR with a bias is fitted to $n$ points with any kernel and any $C>0$.
        (a) Which function $f$ belongs to $\beta=0$? (b) Prove that $\beta=0$ is optimal exactly if $\varepsilon\ge\tfrac12(\max_iy_i-\min_iy_i)$. (c) The targets are $y=@y$. For which $\varepsilon$ is $\beta=0$ optimal? Which values
        of $b$ are optimal if $\varepsilon=@eps$?""",
    solution=r"""
        (a) $\beta=0$ satisfies $-C\le\beta_i\le C$ and $\sum_i\beta_i=0$. Then $f(x)=\sum_i\beta_ik(x_i,x)+b=b$, a constant.
        (b) The residuals are $r_i=y_i-b$. Suppose that $\beta=0$ is optimal. A point with $|r_i|>\varepsilon$ would have $|\beta_i|=C>0$, so $|y_i-b|\le\varepsilon$ for all $i$. Conversely, if some $b$ satisfies this for all $i$, then with
        $\beta=0$ each term of the gap, $C(|r_i|-\varepsilon)_++\varepsilon|\beta_i|-\beta_ir_i$, is 0. So $P=D$, and $\beta=0$ is optimal. Such a $b$ must satisfy $\max_iy_i-\varepsilon\le b\le\min_iy_i+\varepsilon$. It exists exactly if
        $\max_iy_i-\min_iy_i\le2\varepsilon$.
        (c) $\max y=@top$ and $\min y=@bottom$, so $\varepsilon\ge@least$. For $\varepsilon=@eps$ all $b$ with $@top-@eps\le b\le@bottom+@eps$ are optimal, which is $@low\le b\le@high$.""",
)  # fmt: skip

claims = Problem(
    name="claims",
    title="True or false: which points have an influence",
    kind=Free((
        Step(r"(a) says true, and checks the condition of this point after the change: its residual is larger than $\varepsilon$ and its coefficient is still $C$", 2),
        Step("(a) says that nothing changes for the other points, so that the same solution is optimal", 1),
        Step("(b) says true, and gives the reason: the point stays inside the tube, so 0 is still the coefficient that the conditions require", 2),
        Step("(c) says false, and gives points with targets", 1),
        Step(r"(c) shows for these points that the residual is $\varepsilon$ and the coefficient 0", 1),
    )),
    level=3, minutes=11, points=7,
    draw=lambda rng: {"eps": int(rng.integers(2, 8)), "more": int(rng.integers(2, 30))},
    work=lambda eps, more: {"target": 2 * eps, "inner": eps - 1, "answer": [eps, 0]},
    statement=r"""
        $\varepsilon$-SVR with $\varepsilon=@eps$ has been fitted. True or false? Give a proof, or a counterexample with two points.
        (a) A point has the residual $y_i-f(x_i)>\varepsilon$. If its target is raised by $@more$, $f$ stays optimal.
        (b) A point has the residual 0. If its target is raised by $@inner$, $f$ stays optimal.
        (c) If a point has $\beta_i=0$, it is inside the tube, $|y_i-f(x_i)|<\varepsilon$.""",
    solution=r"""
        (a) True. Keep $\beta$ and $b$, so $f$ does not change. The point had $\beta_i=C$, because its residual is above $\varepsilon$. Its new residual is larger by $@more$, so it is still outside the tube, and the condition $\beta_i=C$ still holds.
        The residuals of the other points have not changed. So all conditions hold and the gap is 0.
        (b) True. The point had $\beta_i=0$, because it was inside the tube. The new residual is $@inner<@eps$. The point is still inside, so $\beta_i=0$ still satisfies its condition. For the others nothing changes.
        (c) False. A point on the edge, $|r_i|=\varepsilon$, may have any $|\beta_i|\le C$, also 0. For example, two different points have the targets $0$ and $@target$. The constant $f=b=@eps$ has the residuals $-@eps$ and $@eps$. With $\beta=0$ all terms
        of the duality gap are 0, so this is the solution. Both points have $\beta_i=0$ and $|r_i|=\varepsilon$, so they are not inside the tube.""",
)  # fmt: skip

norms = Problem(
    name="norms",
    title="How long w becomes in Pegasos",
    kind=Free((
        Step(r"multiplies the step by $t$, sums over $t$, and finds $T\,w_{T+1}=\tfrac1\lambda\sum_th_ty_{i_t}\varphi(x_{i_t})$", 2),
        Step(r"bounds the sum with the triangle inequality: $T$ terms of length at most $@R$, so $\|w_{T+1}\|\le@longest$", 2),
        Step(r"bounds the sub-gradient by $\lambda\|w_t\|+@R\le@G$, also for $w_1=0$", 2),
        Step(r"inserts $G=@G$ and $\lambda=@lam$, and finds $@factor\,(1+\ln T)/T$", 1),
        Step(r"says that $\lambda=1/(nC)$ is halved, so this bound is doubled", 1),
    )),
    level=3, minutes=13, points=8,
    draw=lambda rng: {"R": int(rng.integers(2, 7)), "k": int(rng.choice([2, 3, 4, 5, 10]))},
    work=lambda R, k: {"lam": Fraction(1, k), "longest": R * k, "G": 2 * R, "factor": 2 * R * R * k, "answer": [R * k, 2 * R, 2 * R * R * k]},
    statement=r"""
        Pegasos starts at $w_1=0$ and takes the steps $w_{t+1}=\big(1-\tfrac1t\big)w_t+\tfrac1{\lambda t}h_ty_i\varphi(x_i)$, where $h_t$ is 1 if the point of step $t$ violates the margin and otherwise 0. Let $\lambda=@lam$ and $\|\varphi(x_i)\|\le@R$ for all points.
        (a) Write $w_{T+1}$ as a sum over the steps, and give an upper bound on its length. (b) Give a bound $G$ on the length of the sub-gradients $g_t$ at $w_t$. (c) Which bound on the mean regret after $T$ steps follows from
        $\tfrac1T\sum_t[F_t(w_t)-F_t(u)]\le G^2(1+\ln T)/(2\lambda T)$? How does this bound change if the number of points is doubled and $C$ stays the same?""",
    solution=r"""
        (a) Multiplied by $t$ the step is $t\,w_{t+1}=(t-1)\,w_t+\tfrac1\lambda h_ty_i\varphi(x_i)$. Sum over $t=1,\dots,T$. All terms $t\,w_{t+1}$ but the last one cancel, and $T\,w_{T+1}=\tfrac1\lambda\sum_th_ty_{i_t}\varphi(x_{i_t})$. Each of the $T$ terms has a length of at most
        $@R$, so $\|w_{T+1}\|\le\tfrac1{\lambda T}\cdot T\cdot@R=@R/\lambda=@longest$.
        (b) $g_t=\lambda w_t-h_ty_i\varphi(x_i)$, so $\|g_t\|\le\lambda\|w_t\|+@R$. By (a) $\lambda\|w_t\|\le@R$ for $t\ge2$, and $w_1=0$. So $\|g_t\|\le@R+@R=@G$.
        (c) With $G=@G$ and $\lambda=@lam$ the right side is $\tfrac{@G^2}{2\lambda}\cdot\tfrac{1+\ln T}T=@factor\cdot\tfrac{1+\ln T}T$. If $n$ is doubled, then $\lambda=1/(nC)$ is halved. $G$ does not depend on $\lambda$, so the bound is doubled.""",
)  # fmt: skip


def _draw_forgets(rng: np.random.Generator) -> dict[str, Any]:
    return {"a": rng.integers(-3, 4, 2), "b": rng.integers(-3, 4, 2), "y": [int(v) for v in rng.choice([-1, 1], 2)]}


def _work_forgets(a: np.ndarray, b: np.ndarray, y: list) -> dict[str, Any]:
    z, product = np.array([y[0] * a, y[1] * b]), int(y[0] * y[1] * (a @ b))
    if product >= 0 or a[0] * b[1] == a[1] * b[0]:
        raise Unfit("no conflict, or opposite points")
    w, states, right, i = np.zeros(2, dtype=int), [], 0, 0
    while right < 2 and i < 20:
        wrong = w @ z[i % 2] <= 0
        w, right, i = (w + z[i % 2], 0, i + 1) if wrong else (w, right + 1, i + 1)
        states += [w] if wrong else []
    if not 3 <= len(states) <= 5 or right < 2:
        raise Unfit("too few or too many mistakes")
    inner = int(a @ b)
    return {
        "states": states,
        "count": len(states),
        "w": w,
        "inner": inner,
        "product": product,
        "ends": [int(v) for v in z @ w],
        "answer": [*w, len(states)],
    }


forgets = Problem(
    name="forgets",
    title="A perceptron that forgets",
    kind=Free((
        Step(r"(a) finds $w$ after each mistake, $@states$", 2),
        Step(r"(a) checks that $w=@w$ classifies both points correctly, after $@count$ mistakes", 1),
        Step(r"(b) finds that after a mistake only this point is stored, and $y_2f(x_2)=y_1y_2x_1^\top x_2=@product\le0$, and the same for $x_1$", 2),
        Step("(b) concludes that each step is a mistake, forever", 1),
        Step("(c) says that in the proof $w$ is the sum of all mistakes, and that a deletion breaks this", 1),
    )),
    level=2, minutes=10, points=7,
    draw=_draw_forgets,
    work=_work_forgets,
    statement=r"""
        A perceptron with the kernel $k(x,z)=x^\top z$ and without a bias visits the points $x_1=@a$ and $x_2=@b$ in turns, $x_1,x_2,x_1,x_2,\dots$ Their labels are $y=(@y)$. Before the first point $f$ is 0, and $y\,f(x)\le0$ is a mistake.
        (a) The memory has no limit. Find $w=\sum_jy_jx_j$ over the stored entries after each mistake. When do the mistakes end? (b) The memory keeps only the last entry, $B=1$. Prove that the mistakes never end. (c) For points that a plane through 0
        separates, the number of updates of a perceptron with unlimited memory is bounded. Why does the proof of this bound fail in (b)?""",
    solution=r"""
        (a) A mistake adds $yx$ to $w$. After the mistakes $w$ is $@states$. With the last one the values $y_iw^\top x_i$ of the two points are $@ends$, both positive. So there are $@count$ mistakes.
        (b) The first point is a mistake, because $f=0$. After a mistake at $x_1$ the only entry is $x_1$, so $y_2f(x_2)=y_2y_1x_1^\top x_2$. With $x_1^\top x_2=@inner$ this is $@product$, which is a mistake. Now $x_2$ is stored and $x_1$ is deleted. Then
        $y_1f(x_1)=y_1y_2x_2^\top x_1=@product$, which is a mistake again, and the same continues. Each step is a mistake.
        (c) Let the unit vector $u$ separate the points. In the proof every update increases $u^\top w$ by at least the margin, so $u^\top w$ grows with the number of updates. Here each update after the first also subtracts the deleted entry from $w$, and $u^\top w$ does not grow.""",
)  # fmt: skip


def _draw_two(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(v) for v in rng.integers(1, 7, 3))
    if a * b <= c * c or a + b - 2 * c < 2:
        raise Unfit("no kernel, or a curvature of 1")
    return {
        "K": np.array([[a, c], [c, b]]),
        "y": rng.integers(-5, 9, 2),
        "eps": Fraction(int(rng.integers(1, 5)), 2),
        "C": Fraction(int(rng.integers(1, 9)), 2),
    }


def _work_two(K: np.ndarray, y: np.ndarray, eps: Fraction, C: Fraction) -> dict[str, Any]:
    eta, delta = int(K[0, 0] + K[1, 1] - 2 * K[0, 1]), int(y[0] - y[1])
    sign, excess = (1 if delta > 0 else -1), abs(delta) - 2 * eps
    if excess <= 0 or excess / eta == C:
        raise Unfit("a constant, or just at the bound")
    beta = sign * min(C, excess / eta)
    return {
        "eta": eta,
        "delta": delta,
        "sign": sign,
        "free": sign * excess / eta,
        "beta": beta,
        "norm": beta * beta * eta,
        "answer": [beta, beta * beta * eta],
    }


def _both(beta: Fraction, eta: int) -> list[Fraction]:
    return [beta, beta * beta * eta]


two = Problem(
    name="two",
    title="ε-SVR on two points",
    kind=Numbers(("β₁", "‖w‖²")),
    level=2, minutes=7, points=4,
    draw=_draw_two,
    work=_work_two,
    statement=r"""
        $\varepsilon$-SVR with a bias, $\varepsilon=@eps$ and $C=@C$ is fitted to two points with the Gram matrix $K=@K$ and the targets $y=@y$. What are $\beta_1$ and $\|w\|^2$?""",
    solution=r"""
        $\beta_2=-\beta_1$, so the dual is $@{(delta}\,\beta_1-2\cdot@eps\,|\beta_1|-\tfrac12\cdot@eta\,\beta_1^2$ with $K_{11}+K_{22}-2K_{12}=@eta$. $\beta_1$ has the sign of $y_1-y_2=@delta$, and without a bound the maximum is at $\beta_1=@free$. With
        $|\beta_1|\le@C$, $\beta_1=@beta$ and $\|w\|^2=@eta\,\beta_1^2=@norm$.""",
    mistakes=(
        Misconception("if the bound C is ignored", lambda free, eta, beta: _both(free, eta) if free != beta else None, 0.5),
        Misconception("if ε is subtracted once instead of twice",
             lambda delta, eps, C, eta, sign, beta: _both(b, eta) if (b := sign * min(C, (abs(delta) - eps) / eta)) != beta else None, 0.5),
        Misconception("if ε is left out", lambda delta, C, eta, sign, beta: _both(b, eta) if (b := sign * min(C, Fraction(abs(delta), eta))) != beta else None, 0.25),
        Misconception("if β₁ has the wrong sign", lambda answer: [-answer[0], answer[1]], 0.5),
        Misconception("if the squared length of w is given as the square of β₁", lambda beta: [beta, beta * beta], 0.5),
    ),
)  # fmt: skip


def _draw_gap(rng: np.random.Generator) -> dict[str, Any]:
    C, eps = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    halves = rng.permutation(
        [(2, -2, 1, -1), (1, 1, -2, 0), (2, -1, -1, 0), (1, 1, -1, -1), (2, 0, -1, -1)][rng.integers(5)]
    )
    flip = np.where(np.arange(4) == rng.integers(4), -1, 1)
    r = np.where(halves, np.sign(halves) * flip, 1) * rng.integers(1, 6, 4)
    return {"C": C, "eps": eps, "r": [int(v) for v in r], "beta": [Fraction(int(v) * C, 2) for v in halves]}


def _work_gap(C: int, eps: int, r: list, beta: list[Fraction]) -> dict[str, Any]:
    signs = [b * v for b, v in zip(beta, r, strict=True)]
    terms = [C * max(0, abs(v) - eps) + eps * abs(b) - b * v for b, v in zip(beta, r, strict=True)]
    if (
        sum(beta)
        or sum(s < 0 for s in signs) != 1
        or sum(t > 0 for t in terms) < 3
        or not any(b and 0 < abs(v) < eps for b, v in zip(beta, r, strict=True))
    ):
        raise Unfit("no constraint, another number of wrong signs, or too few terms")
    second = [(C - abs(b)) * max(0, abs(v) - eps) + abs(b) * max(0, eps - abs(v)) for b, v in zip(beta, r, strict=True)]
    return {"terms": terms, "second": sum(second), "losses": sum(C * max(0, abs(v) - eps) for v in r), "sizes": sum(abs(b) for b in beta),
            "wrong": next(i + 1 for i, s in enumerate(signs) if s < 0), "answer": sum(terms)}  # fmt: skip


gap = Problem(
    name="gap",
    title="The duality gap of ε-SVR",
    kind=Numbers("duality gap"),
    level=3, minutes=8, points=5,
    draw=_draw_gap,
    work=_work_gap,
    statement=r"""
        A solver for $\varepsilon$-SVR with $\varepsilon=@eps$ and $C=@C$ has reached $\beta=(@beta)$ and some $b$ on four points. The residuals $r_i=y_i-f(x_i)$ are $@r$. How large is the duality gap $P-D$?""",
    solution=r"""
        Point $@wrong$ has a coefficient whose sign is not that of its residual, so take the form of the gap that holds for all signs, the sum of $C(|r_i|-\varepsilon)_++\varepsilon|\beta_i|-\beta_ir_i$. The four terms are $@terms$, and the gap is $@answer$.""",
    mistakes=(
        Misconception("if the form that needs equal signs of coefficient and residual is used for all points", lambda second: second, 0.5),
        Misconception("if ε|β| is left out", lambda answer, eps, sizes: answer - eps * sizes, 0.5),
        Misconception("if the losses are not multiplied by C", lambda answer, losses, C: answer - losses + Fraction(losses, C) if C > 1 and losses else None, 0.5),
        Misconception("if only the losses are counted, C times their sum", lambda losses, answer: losses if losses != answer else None),
    ),
)  # fmt: skip


def _draw_counts(rng: np.random.Generator) -> dict[str, Any]:
    T = int(rng.integers(4, 13))
    c = [int(v) for v in rng.integers(1, 5, 3)]
    if sum(c) > T:
        raise Unfit("more violations than steps")
    return {
        "T": T,
        "c": c,
        "y": [int(v) for v in rng.choice([-1, 1], 3)],
        "k": [int(rng.integers(3, 7)), *(int(v) for v in rng.integers(-2, 3, 2))],
        "lam": Fraction(1, int(rng.choice([2, 3, 4]))),
    }


def _counted(
    T: int, c: list, y: list, k: list, lam: Fraction, at: int, limit: int = 1, labels: bool = True
) -> list[Fraction]:
    signs = y if labels else [1, 1, 1]
    raw = sum(a * s * v for a, s, v in zip(c, signs, k, strict=True))
    before = raw / (lam * T)
    more = signs[0] * k[0] if signs[0] * before < limit else 0
    return [before, (raw + more) / (lam * at)]


def _work_counts(T: int, c: list, y: list, k: list, lam: Fraction) -> dict[str, Any]:
    before, after = _counted(T, c, y, k, lam, T + 1)
    raw, next_ = before * lam * T, after * lam * (T + 1)
    if not -1 < y[0] * before < 2 or y[0] * before in (0, 1) or not any(k[1:]) or raw == next_ == 0:
        raise Unfit("far from the margin, or just on it")
    return {"next": T + 1, "raw": raw, "rest": next_, "yf": y[0] * before, "before": before, "after": after,
            "how": "below" if y[0] * before < 1 else "above", "then": "its count increases by 1" if raw != next_ else "its count stays", "answer": [before, after]}  # fmt: skip


counts = Problem(
    name="counts",
    title="A step of Pegasos with a kernel",
    kind=Numbers(("f(x₁) before the step", "f(x₁) after the step")),
    level=3, minutes=8, points=4,
    draw=_draw_counts,
    work=_work_counts,
    statement=r"""
        Pegasos with a kernel and $\lambda=@lam$ has taken $T=@T$ steps. Three points have violated the margin, $c=(@c)$ times. Their labels are $y=(@y)$, and $k(x_i,x_1)$ is $@k$ for $i=1,2,3$. Step $@next$ draws the first point again. What is $f(x_1)$ before and
        after this step?""",
    solution=r"""
        Before the step $f(x_1)=\tfrac1{\lambda T}\sum_ic_iy_ik(x_i,x_1)=\tfrac1{@lam\cdot@T}\cdot@{(raw}=@before$. So $y_1f(x_1)=@yf$ is @how 1, and @then. The sum is then $@rest$, and the factor is $1/(@lam\cdot@next)$, which gives
        $f(x_1)=@after$.""",
    mistakes=(
        Misconception("if the factor 1/(λT) is not changed in the step", lambda T, c, y, k, lam: _counted(T, c, y, k, lam, T), 0.5),
        Misconception("if the first point counts as a violation only if it is misclassified",
             lambda T, c, y, k, lam, answer: v if (v := _counted(T, c, y, k, lam, T + 1, limit=0)) != answer else None, 0.5),
        Misconception("if the count increases although the margin is not violated",
             lambda T, c, y, k, lam, answer: v if (v := _counted(T, c, y, k, lam, T + 1, limit=99)) != answer else None, 0.5),
        Misconception("if λ is left out", lambda T, c, y, k: _counted(T, c, y, k, Fraction(1), T + 1), 0.5),
        Misconception("if the labels are left out", lambda T, c, y, k, lam, answer: v if (v := _counted(T, c, y, k, lam, T + 1, labels=False)) != answer else None, 0.25),
    ),
)  # fmt: skip

growth = Problem(
    name="growth",
    title="How the times grow with n",
    kind=Numbers(("SMO (s)", "one prediction (ms)", "one pass with bounded memory (s)")),
    level=1, minutes=5, points=3,
    draw=lambda rng: {"n": int(rng.choice([1000, 2000, 3000])), "factor": int(rng.integers(2, 8)), "smo": int(rng.integers(1, 9)), "one": int(rng.integers(2, 9)), "online": int(rng.integers(2, 9))},
    work=lambda n, factor, smo, one, online: {"many": n * factor, "square": factor**2, "answer": [smo * factor**2, one * factor, online * factor]},
    statement=r"""
        Two classes overlap, and $C$ is fixed. The number of steps of SMO grows like $n$. For $n=@n$ points SMO takes $@smo$ s, one prediction of its classifier takes $@one$ ms, and one pass of a budget perceptron takes $@online$ s. Which times do you expect for $n=@many$?""",
    solution=r"""
        $n$ grows by the factor $@factor$. Each step of SMO touches all $n$ points, so its time grows like $n^2$, by the factor $@square$. The number of support vectors approaches a fixed fraction of $n$ where classes overlap, so the time of a prediction grows like $n$. With a bounded memory each point is compared with
        a fixed number of entries, so a pass grows like $n$. The times are $@answer$.""",
    mistakes=(
        Misconception("if the time of SMO grows like the number of points", lambda smo, factor, answer: [smo * factor, *answer[1:]], 0.5),
        Misconception("if the time of SMO grows like the cube of the number of points", lambda smo, factor, answer: [smo * factor**3, *answer[1:]], 0.5),
        Misconception("if the number of support vectors does not grow", lambda one, answer: [answer[0], one, answer[2]], 0.5),
        Misconception("if each point of the pass is compared with all earlier points", lambda online, factor, answer: [*answer[:2], online * factor**2], 0.5),
    ),
)  # fmt: skip


def _settings(eps: Fraction, C: Fraction) -> str:
    return rf"$\varepsilon={float(eps):g}$ and $C={float(C):g}$"


unit = Problem(
    name="unit",
    title="ε and C in another unit of the target",
    kind=Choice(),
    level=2, minutes=4, points=3,
    draw=lambda rng: {"eps": int(rng.choice([2, 3, 4, 5])), "C": int(rng.choice([3, 6, 9, 12])), "c": int(rng.choice([10, 60, 100]))},
    work=lambda eps, C, c: {"square": c * c, "answer": _settings(eps * c, C * c)},
    statement=r"""
        $\varepsilon$-SVR with $\varepsilon=@eps$ and $C=@C$ was fitted. Now all targets are multiplied by $@c$, because they are given in another unit. The inputs and the kernel do not change. With which $\varepsilon$ and $C$ is the new function $@c$ times the old one?""",
    solution=r"""
        For the new function $w$, $b$ and all residuals are multiplied by $@c$. $\varepsilon$ is compared with residuals, so it is multiplied by $@c$, and then the losses are as well. $\tfrac12\|w\|^2$ is multiplied by $@c^2=@square$. The objective has the minimum
        at the same place if all its terms have the same factor, so $C$ is multiplied by $@c$. The answer is @answer.""",
    mistakes=(
        Misconception("The squared norm grows by the square of the factor and the losses by the factor, so C must grow as well.", lambda eps, C, c: _settings(eps * c, C), 0.25),
        Misconception("The losses already grow by the factor, so C must grow by the factor and not by its square.", lambda eps, C, c: _settings(eps * c, C * c * c), 0.25),
        Misconception("The half width of the tube has the unit of the targets.", lambda eps, C, c: _settings(eps, C * c)),
        Misconception("The squared norm grows faster than the losses, so C must become larger and not smaller.", lambda eps, C, c: _settings(eps * c, Fraction(C, c))),
    ),
)  # fmt: skip


def _steps(thousands: int, power: int) -> str:
    return rf"${thousands}\cdot10^{{{3 + power}}}$"


rate = Problem(
    name="rate",
    title="Steps of Pegasos for more digits",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=lambda rng: {"thousands": int(rng.choice([2, 4, 6, 8])), "now": int(rng.choice([2, 4])), "more": int(rng.choice([2, 4]))},
    work=lambda thousands, now, more: {"steps": 1000 * thousands, "later": now + more, "answer": _steps(thousands, more)},
    statement=r"""
        After $@steps$ steps the objective of Pegasos is about $10^{-@now}$ above its minimum. About how many steps does it need until the difference is $10^{-@later}$, at the rate of Pegasos, without its logarithm?""",
    solution=r"""
        The difference falls like $1/T$. It must become smaller by the factor $10^{@more}$, so the number of steps must grow by this factor. The answer is @answer.""",
    mistakes=(
        Misconception("The difference falls like one over the number of steps. Here it falls like one over its square.", lambda thousands, more: _steps(thousands, more // 2)),
        Misconception("The difference falls like one over the number of steps. Here it falls like one over its square root.", lambda thousands, more: _steps(thousands, 2 * more)),
        Misconception("Each further digit needs ten times as many steps. Here the steps grow in proportion to the digits.",
             lambda thousands, now, more: _steps(thousands * (now + more) // now, 0)),
    ),
)  # fmt: skip

PROBLEMS = (flattest, constant, claims, norms, forgets, two, gap, counts, growth, unit, rate)
