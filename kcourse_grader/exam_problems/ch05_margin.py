"""Exam problems on hyperplanes and the maximum margin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, exact, fit, solve

TRIPLES = np.array([(3, 4, 5), (4, 3, 5), (6, 8, 10), (8, 6, 10)])

another_constant = Problem(
    name="another_constant",
    title="A margin with another constant",
    kind=Free((
        Step(r"writes the Lagrangian with the multipliers $\alpha_i\ge0$ and the constant $@c$", 1),
        Step(r"sets the derivatives with respect to $w$ and $b$ to 0, and finds $w=\sum_i\alpha_iy_ix_i$ and $\sum_i\alpha_iy_i=0$", 1),
        Step(r"inserts them and finds the dual, with the factor $@c$ in front of $\sum_i\alpha_i$ only", 2),
        Step(r"checks all five KKT conditions of the book at $(@c\,w,@c\,b,@c\,\alpha)$", 2),
        Step(r"says that the plane is the same, and gives the width $@answer/\|w_B\|$", 2),
    )),
    level=3, minutes=11, points=8,
    draw=lambda rng: {"c": int(rng.integers(2, 10))},
    work=lambda c: {"answer": 2 * c},
    statement=r"""
        A book minimises $\tfrac12\|w\|^2$ subject to $y_i(w^\top x_i+b)\ge@c$ for all $i$, where we require
        $y_i(w^\top x_i+b)\ge1$. The classes are separable.
        (a) Derive the dual of the book's problem.
        (b) $w$, $b$ and $\alpha$ satisfy the KKT conditions of our problem. Show that $@c\,w$, $@c\,b$ and $@c\,\alpha$ satisfy
        those of the book's problem.
        (c) Compare the two planes. Let $w_B$ be the book's solution. How is the width of the margin computed from $\|w_B\|$?""",
    solution=r"""
        (a) The Lagrangian is $L=\tfrac12\|w\|^2-\sum_i\alpha_i\big(y_i(w^\top x_i+b)-@c\big)$ with $\alpha_i\ge0$. Its derivatives with
        respect to $w$ and $b$ are 0 if $w=\sum_i\alpha_iy_ix_i$ and $\sum_i\alpha_iy_i=0$, as in our problem. The terms with $b$
        cancel, those with $w$ are $\tfrac12\|w\|^2-\|w\|^2$, and the constant gives $@c\sum_i\alpha_i$. The dual is
        $$\max_\alpha\;@c\sum_i\alpha_i-\tfrac12\sum_{i,j}\alpha_i\alpha_jy_iy_jx_i^\top x_j,\qquad\alpha_i\ge0,\quad\sum_i\alpha_iy_i=0.$$
        (b) From $y_i(w^\top x_i+b)\ge1$ follows $y_i(@c\,w^\top x_i+@c\,b)\ge@c$. Also $@c\,\alpha_i\ge0$, $@c\,w=\sum_i(@c\,\alpha_i)y_ix_i$ and
        $\sum_i(@c\,\alpha_i)y_i=0$. Slackness holds, because
        $@c\,\alpha_i\big(y_i(@c\,w^\top x_i+@c\,b)-@c\big)=@c^2\alpha_i\big(y_i(w^\top x_i+b)-1\big)=0$.
        (c) $@c\,w^\top x+@c\,b=0$ and $w^\top x+b=0$ are the same plane. The KKT conditions are sufficient, so $w_B=@c\,w$ by (b), and the width
        is $2/\|w\|=@answer/\|w_B\|$. It is the same width, because the plane and the points are the same.""",
)  # fmt: skip


def _draw_through_zero(rng: np.random.Generator) -> dict[str, Any]:
    return {"plus": rng.integers(-4, 5, 2), "minus": rng.integers(-4, 5, 2)}


def _work_through_zero(plus: np.ndarray, minus: np.ndarray) -> dict[str, Any]:
    z = np.array([plus, -minus])
    (a, c), (_, b) = G = z @ z.T
    if abs(c) < 2 or c >= min(a, b) or min(a, b) < 2:
        raise Unfit("one support vector, or orthogonal points")
    alpha = solve(G, [1, 1])
    fit(alpha, denominator=20)
    return {"a": int(a), "bb": int(b), "c": int(c), "first": Fraction(int(c), int(a)), "second": Fraction(int(c), int(b)),
            "alpha": alpha, "w": alpha @ exact(z), "answer": [*alpha, *(alpha @ exact(z))]}  # fmt: skip


through_zero = Problem(
    name="through_zero",
    title="Maximum margin of a line through 0",
    kind=Free((
        Step(r"writes $L$, derives $w=\sum_i\alpha_iy_ix_i$, and says that $\sum_i\alpha_iy_i=0$ is missing, because there is no $b$", 2),
        Step(r"shows that $\alpha_2=0$ violates the second constraint and $\alpha_1=0$ the first one", 2),
        Step(r"sets both $y_iw^\top x_i=1$ and writes two equations for $\alpha$", 1),
        Step(r"finds $\alpha=@alpha$ and $w=@w$", 2),
        Step(r"checks $\alpha\ge0$, and says that all KKT conditions hold", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_through_zero,
    work=_work_through_zero,
    statement=r"""
        The line must pass through 0, so $f(x)=w^\top x$ without $b$. Minimise $\tfrac12\|w\|^2$ subject to $y_iw^\top x_i\ge1$ for
        $x_1=@plus$ of class $+1$ and $x_2=@minus$ of class $-1$.
        (a) Write the Lagrangian. Which of the KKT conditions of the problem with $b$ is missing here, and why?
        (b) Show that neither of the two multipliers is 0.
        (c) Find $\alpha_1$, $\alpha_2$ and $w$, and check that they are optimal.""",
    solution=r"""
        (a) $L=\tfrac12\|w\|^2-\sum_i\alpha_i(y_iw^\top x_i-1)$ with $\alpha_i\ge0$. The derivative with respect to $w$ gives
        $w=\alpha_1x_1-\alpha_2x_2$. The condition $\sum_i\alpha_iy_i=0$ came from the derivative with respect to $b$. There is no $b$ here,
        so this condition is missing.
        (b) The inner products are $\|x_1\|^2=@a$, $\|x_2\|^2=@bb$ and $y_1y_2\,x_1^\top x_2=@c$. Suppose that $\alpha_2=0$. Then $w=\alpha_1x_1$.
        $w=0$ violates the constraints, so $\alpha_1>0$, and by slackness $@a\,\alpha_1=1$. The second point then has
        $y_2w^\top x_2=@c\,\alpha_1=@first<1$, which violates its constraint. If $\alpha_1=0$, then in the same way $@bb\,\alpha_2=1$ and
        $y_1w^\top x_1=@second<1$. So both multipliers are positive.
        (c) By slackness both constraints hold with equality,
        $$@a\,\alpha_1@{+c}\,\alpha_2=1,\qquad@c\,\alpha_1+@bb\,\alpha_2=1.$$
        The solution is $\alpha=@alpha$, so $w=\alpha_1x_1-\alpha_2x_2=@w$. Both multipliers are positive, both constraints hold with
        equality, and $w=\sum_i\alpha_iy_ix_i$. So all KKT conditions hold, and they are sufficient.""",
)  # fmt: skip

# p - Q, and half of a direction perpendicular to it; none is parallel to an axis
GAPS = [((2, 2), (1, -1)), ((2, -2), (1, 1)), ((-2, 2), (1, 1)), ((2, 4), (2, -1)), ((4, 2), (1, -2)), ((2, -4), (2, 1)),
        ((-4, 2), (1, 2))]  # fmt: skip


def _draw_hulls(rng: np.random.Generator) -> dict[str, Any]:
    d, e = (np.array(v) for v in GAPS[rng.integers(len(GAPS))])
    q, (s, t) = rng.integers(-2, 3, 2), rng.integers(1, 3, 2)
    return {"A": q + d + s * e, "B": q + d - t * e, "Q": q, "R": q - d // 2 + int(rng.choice([-1, 1])) * e, "d": d}


def _work_hulls(A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray, d: np.ndarray) -> dict[str, Any]:
    if np.abs([A, B, Q, R]).max() > 6:
        raise Unfit("a large drawing")
    w = 2 * exact(d) / int(d @ d)
    b = -1 - w @ exact(Q)
    total = Fraction(4, int(d @ d))
    return {"p": Q + d, "square": int(d @ d), "w": w, "b": b, "value": w @ exact(R) + b, "total": total,
            "answer": [*w, b, total]}  # fmt: skip


hulls = Problem(
    name="hulls",
    title="Sketch of the convex hulls and the maximum margin",
    kind=Free((
        Step("draws the four points and the two segments that are the hulls", 1),
        Step(r"finds the closest points $Q$ and $p=@p$, and shows that $p$ is on the segment $AB$, that $p-Q$ is perpendicular to $AB$, and that $R$ is farther from $AB$", 2),
        Step("draws the line through the middle of $pQ$ and the two margin lines, all parallel to $AB$, one through $A$ and $B$ and one through $Q$", 2),
        Step(r"finds $w=@w$ and $b=@b$", 2),
        Step(r"names $A$, $B$ and $Q$ as support vectors, and finds $\sum_i\alpha_i=@total$", 1),
    )),
    level=2, minutes=12, points=8,
    draw=_draw_hulls,
    work=_work_hulls,
    statement=r"""
        $A=@A$ and $B=@B$ have class $+1$, and $Q=@Q$ and $R=@R$ have class $-1$.
        (a) Sketch the four points, the convex hulls of the two classes, the shortest segment between the hulls with the coordinates
        of its ends, the line of maximum margin and its two margin lines. Show that no other segment between the hulls is shorter.
        (b) Give $w$ and $b$ of this line in canonical form.
        (c) Which points are support vectors, and what is the sum of all multipliers $\alpha_i$?""",
    solution=r"""
        (a) The hulls are the segments $AB$ and $QR$. The point of the line through $A$ and $B$ that is nearest to $Q$ is $p=@p$. It lies between $A$ and $B$,
        and $p-Q=@d$ is perpendicular to $B-A$. $R$ is farther from $AB$ than $Q$, because $R-Q$ has a negative inner product
        with $p-Q$. So $pQ$ is the shortest segment. The line of maximum margin is perpendicular to $pQ$ and passes through its middle. The margin lines are parallel to it.
        One passes through $A$, $p$ and $B$, the other through $Q$.
        (b) $\|p-Q\|^2=@square$, so $w=\tfrac2{@square}(p-Q)=@w$. From $f(Q)=-1$ follows $b=-1-w^\top Q=@b$. Check: $f(A)=f(B)=1$ and
        $f(R)=@value<-1$.
        (c) $p$ is a mean of $A$ and $B$ with two positive weights, so $A$ and $B$ have positive multipliers. $Q$ is the only point of class $-1$ on
        its margin line. $R$ has the multiplier 0. The sum is $\sum_i\alpha_i=\|w\|^2=4/@square=@total$.""",
)  # fmt: skip

claims = Problem(
    name="claims",
    title="True or false: a feature, a point, a unit",
    kind=Free((
        Step("(a) says true, and shows that each plane without the feature is also allowed with it (or that no distance between the hulls becomes longer)", 2),
        Step("(b) says false, and gives points of both classes with a point on a margin line", 1),
        Step("(b) shows for these points that the multiplier is 0, or may be 0", 1),
        Step("(c) says false, and gives points with their line in the old units", 1),
        Step("(c) finds the line in the new units, and shows that it is another line", 1),
    )),
    level=3, minutes=12, points=6,
    draw=lambda rng: {"c": int(rng.integers(2, 10)), "first": bool(rng.integers(2))},
    work=lambda c, first: {
        "which": "first" if first else "second", "square": c * c, "sum": c * c + 1,
        "moved": np.array([c, 1] if first else [1, c]), "line": np.array([c * c, 1] if first else [1, c * c]),
        "new": np.array([c, 1] if first else [1, c]), "answer": c * c,
    },
    statement=r"""
        True or false? Give a proof, or a counterexample with two or three points in the plane. All classes are separable, before and
        after each change.
        (a) If a feature is left out, the width of the maximum margin does not become larger.
        (b) Every point on a margin line has $\alpha_i>0$.
        (c) If the @which coordinate of all points is multiplied by $@c$, the line of maximum margin remains the same, written in the
        new coordinates.""",
    solution=r"""
        (a) True. Let $(w,b)$ satisfy the constraints without the feature. With the feature, take the same $b$ and the same $w$ with 0 as the
        component of this feature. All values $f(x_i)$ are the same, so the constraints hold, and $\|w\|$ is the same. So the
        minimum of $\|w\|$ with the feature is not larger, and the width $2/\|w\|$ is not smaller.
        (b) False. Let $(0,0)$ have class $-1$, and let $(1,0)$ and $(1,1)$ have class $+1$. The hull of class $+1$ is the segment
        between its two points, and $(1,0)$ is its nearest point to $(0,0)$. So $w=(2,0)$ and $b=-1$. Also $f((1,1))=1$, so $(1,1)$ lies on the margin
        line. The second component of $w=\sum_i\alpha_iy_ix_i$ is the multiplier of $(1,1)$, and it is 0.
        (c) False. Let $(0,0)$ have class $-1$ and $(1,1)$ class $+1$. The line of maximum margin is $x_1+x_2=1$. In the new coordinates the points are
        $(0,0)$ and $@moved$, and the line halves the segment between them, $@new^\top x'=\tfrac12\cdot@sum$. Written in the old coordinates this
        line is $@line^\top x=\tfrac12\cdot@sum$. Its direction is different, because $@square\ne1$.""",
)  # fmt: skip


def _draw_no_plane(rng: np.random.Generator) -> dict[str, Any]:
    m, u, v = rng.integers(-2, 3, 2), rng.integers(-2, 3, 2), rng.integers(-2, 3, 2)
    a, b, c, d = (int(each) for each in rng.integers(1, 4, 4))
    if (
        not u.all()
        or not v.all()
        or u[0] * v[1] == u[1] * v[0]
        or np.gcd(a, b) > 1
        or np.gcd(c, d) > 1
        or (a == b and c == d)
    ):
        raise Unfit("parallel segments, two middles, or a segment parallel to an axis")
    X = np.array([m + a * u, m - b * u, m + c * v, m - d * v])
    if np.abs(X).max() > 6:
        raise Unfit("a large drawing")
    return {"A": X[0], "B": X[1], "P": X[2], "Q": X[3]}


def _work_no_plane(A: np.ndarray, B: np.ndarray, P: np.ndarray, Q: np.ndarray) -> dict[str, Any]:
    s, t = solve(np.column_stack([B - A, P - Q]), P - A)  # A + s (B - A) = P + t (Q - P)
    weights = np.array([1 - s, s, 1 - t, t])
    return {"s": s, "r": t, "AB": B - A, "PQ": Q - P, "weights": weights,
            "answer": exact(A) + s * exact(B - A)}  # fmt: skip


no_plane = Problem(
    name="no_plane",
    title="Classes that no line separates",
    kind=Free((
        Step("writes the common point as a weighted mean of each class and solves the two equations", 2),
        Step(r"finds the point $@answer$ and weights between 0 and 1", 1),
        Step(r"proves that no line separates: the common point would have $f>0$ and $f<0$", 2),
        Step(r"gives $\alpha=t\,@weights$ (or a multiple) and shows that $\sum_i\alpha_iy_i=0$ and $\sum_i\alpha_iy_ix_i=0$", 2),
        Step(r"finds $D(\alpha)=2t$ (or this multiple), which has no upper bound", 1),
    )),
    level=3, minutes=12, points=8,
    draw=_draw_no_plane,
    work=_work_no_plane,
    statement=r"""
        $A=@A$ and $B=@B$ have class $+1$, and $P=@P$ and $Q=@Q$ have class $-1$.
        (a) Find the common point of the two convex hulls, and write it as a weighted mean of $A$ and $B$ and of $P$ and $Q$.
        (b) Prove from this that no line $w^\top x+b=0$ separates the two classes.
        (c) The dual of the hard margin maximises $D(\alpha)$ subject to $\alpha_i\ge0$ and $\sum_i\alpha_iy_i=0$. Show that $D$ has no upper bound.""",
    solution=r"""
        (a) The hulls are the segments $A+s\,(B-A)$ with $B-A=@AB$ and $P+r\,(Q-P)$ with $Q-P=@PQ$, for $s$ and $r$ between 0 and 1. The two coordinates give two
        equations for $s$ and $r$, with the solution $s=@s$ and $r=@r$. The common point is $@answer$. The weights of $A$, $B$, $P$, $Q$ are
        $@weights$.
        (b) Suppose that a line separates the classes, so $f(A)$ and $f(B)$ are positive, and $f(P)$ and $f(Q)$ are negative. $f(x)=w^\top x+b$ of a mean
        is the mean of the values, with the same weights. So $f$ is positive at the common point as a mean of $A$ and $B$, and negative as a mean of $P$ and
        $Q$. That is a contradiction.
        (c) Let $\alpha=t\,@weights$ for $A,B,P,Q$ with any $t>0$. The weights of each class have the sum 1, so $\sum_i\alpha_iy_i=t-t=0$. The sum $\sum_i\alpha_iy_ix_i$ is $t$ times
        the difference of the two means, which is 0. So the double sum of $D$ is $\|\sum_i\alpha_iy_ix_i\|^2=0$, and
        $D(\alpha)=\sum_i\alpha_i=2t$. It grows without bound with $t$.""",
)  # fmt: skip


def _draw_best_shift(rng: np.random.Generator) -> dict[str, Any]:
    w = TRIPLES[rng.integers(2), :2] * rng.choice([-1, 1], 2)
    return {"w": w, "plus": list(rng.integers(-4, 5, (3, 2))), "minus": list(rng.integers(-4, 5, (3, 2)))}


def _work_best_shift(w: np.ndarray, plus: list, minus: list) -> dict[str, Any]:
    up, down = sorted(int(w @ x) for x in plus), sorted(int(w @ x) for x in minus)
    if up[0] <= down[-1] or len({*up, *down}) < 6 or up[0] == -down[-1]:
        raise Unfit("not separated, a tie, or a line through 0")
    return {"up": up, "down": down, "low": up[0], "high": down[-1], "means": Fraction(sum(up) + sum(down), 6),
            "answer": [-Fraction(up[0] + down[-1], 2), Fraction(up[0] - down[-1], 10)]}  # fmt: skip


best_shift = Problem(
    name="best_shift",
    title="The best shift of a line",
    kind=Numbers(("b", "smallest distance")),
    level=2, minutes=7, points=4,
    draw=_draw_best_shift,
    work=_work_best_shift,
    statement=r"""
        The direction of a line $w^\top x+b=0$ is fixed by $w=@w$. The points of class $+1$ are $@plus$, and those of class $-1$ are
        $@minus$. Which $b$ makes the smallest distance of the six points from the line as large as possible, with all points on their correct
        sides? How large is this smallest distance?""",
    solution=r"""
        $w^\top x$ is $@up$ in class $+1$ and $@down$ in class $-1$, each sorted. Only the smallest value $@low$ of class $+1$ and the largest value
        $@high$ of class $-1$ matter. At the best $b$ both points have the same distance, $@low+b=-(@high+b)$, so $b=-\tfrac12(@low@{+high})$. With
        $\|w\|=5$, the values $b$ and $(@low+b)/5$ are $@answer$.""",
    mistakes=(
        Misconception("if the line is put halfway between the means of the classes instead of halfway between the nearest points",
             lambda low, high, means: [-means, min(low - means, means - high) / 5] if high < means < low else None, 0.25),
        Misconception("if the distance between the two nearest parallel lines is given, which is twice the distance from the line",
             lambda answer: [answer[0], 2 * answer[1]], 0.75),
        Misconception("if the value of f is not divided by the length of w", lambda answer: [answer[0], 5 * answer[1]], 0.5),
        Misconception("if b has the wrong sign", lambda answer: [-answer[0], answer[1]], 0.5),
    ),
)  # fmt: skip


def _draw_board(rng: np.random.Generator) -> dict[str, Any]:
    left, arms = int(rng.integers(-3, 2)), rng.integers(1, 6, 2)
    level, width = int(rng.integers(-2, 3)), int(rng.choice([1, 2, 4]))
    at = left + int(arms[0])
    return {
        "A": np.array([left, level + width]),
        "B": np.array([at + int(arms[1]), level + width]),
        "Q": np.array([at, level]),
    }


def _work_board(A: np.ndarray, B: np.ndarray, Q: np.ndarray) -> dict[str, Any]:
    width, long, arm = int(A[1] - Q[1]), int(B[0] - A[0]), int(B[0] - Q[0])
    if 2 * arm == long:
        raise Unfit("two equal arms")
    third = Fraction(2, width**2)
    return {"width": width, "long": long, "arm": arm, "other": long - arm, "total": 2 * third, "third": third,
            "answer": [third * arm / long, third * (long - arm) / long, third]}  # fmt: skip


board = Problem(
    name="board",
    title="The multipliers of three support vectors",
    kind=Numbers(("multiplier of A", "multiplier of B", "multiplier of Q")),
    level=2, minutes=7, points=4,
    draw=_draw_board,
    work=_work_board,
    statement=r"""
        $A=@A$ and $B=@B$ have class $+1$, and $Q=@Q$ has class $-1$. The line of maximum margin between them is horizontal, and all three points are support vectors.
        What are their multipliers $\alpha_i$?""",
    solution=r"""
        The margin lines are horizontal, one through $A$ and $B$ and one through $Q$, so the width is $@width$ and $\sum_i\alpha_i=\|w\|^2=4/@width^2=@total$. From $\sum_i\alpha_iy_i=0$
        follows $\alpha_Q=@third$. The first component of $w=\sum_i\alpha_iy_ix_i$ is 0, so $A$ and $B$ share this force like a seesaw with its pivot at $Q$. Its arms have the lengths $@other$ (to $A$) and
        $@arm$ (to $B$). So $\alpha_A=@third\cdot\tfrac{@arm}{@long}$ and $\alpha_B=@third\cdot\tfrac{@other}{@long}$. The multipliers are
        $@answer$.""",
    mistakes=(
        Misconception("if the two arms are exchanged, so that the longer arm has the larger force", lambda answer: [answer[1], answer[0], answer[2]], 0.5),
        Misconception("if the two points of one class share the force equally", lambda third: [third / 2, third / 2, third], 0.5),
        Misconception("if the multiplier of Q is the sum of all multipliers instead of half of it", lambda answer: [2 * a for a in answer], 0.5),
        Misconception("if the sum of all multipliers is set to the length of w instead of its square",
             lambda answer, width: [a * Fraction(width, 2) for a in answer] if width != 2 else None, 0.5),
    ),
)  # fmt: skip


def _draw_enclosed(rng: np.random.Generator) -> dict[str, Any]:
    *u, length = TRIPLES[rng.integers(len(TRIPLES))]
    e, j = rng.integers(0, 4, 2), int(rng.integers(1, 4))
    k, x2, x3 = int(e @ e) + j * j, rng.integers(-3, 4, 2), rng.integers(-4, 5, 2)
    X = np.array([x2 + 2 * e, x2, x3])
    if not e.any() or j * j == e @ e or np.abs(X).max() > 6:
        raise Unfit("no difference, an optimal multiplier, or large numbers")
    return {"X": list(X), "y": np.array([1, -1, int(rng.choice([-1, 1]))]), "w": np.array(u), "b": int(rng.integers(-15, 16)),
            "a": Fraction(1, k), "j": j}  # fmt: skip


def _work_enclosed(X: list, y: np.ndarray, w: np.ndarray, b: int, a: Fraction, j: int) -> dict[str, Any]:
    values, length, square = (
        [int(v) for v in y * (np.array(X) @ w + b)],
        int(np.sqrt(w @ w)),
        int((X[0] - X[1]) @ (X[0] - X[1])),
    )
    if min(values) < 1 or len(set(values)) < 3 or min(values) == 2:
        raise Unfit("a mistake or a tie")
    low, high = Fraction(2 * min(values), length), 1 / (a * j)
    return {"values": values, "smallest": min(values), "largest": max(values), "length": length, "square": square,
            "D": 2 * a - a * a * square / 2, "low": low, "high": high, "answer": [low, high]}  # fmt: skip


enclosed = Problem(
    name="enclosed",
    title="The width between two bounds",
    kind=Numbers(("width at least", "width at most")),
    level=3, minutes=8, points=5,
    draw=_draw_enclosed,
    work=_work_enclosed,
    statement=r"""
        The points $@X$ have the labels $y=@y$. A line has $w=@w$ and $b=@b$, not in canonical form. The multipliers $\alpha=(@a,@a,0)$ satisfy the constraints of the dual of the hard margin.
        Which lower bound on the width of the maximum margin follows from this line, and which upper bound follows from the value of $D$ at this $\alpha$? Give the best bounds that follow.""",
    solution=r"""
        The values $y_i(w^\top x_i+b)$ are $@values$. The smallest is $@smallest$, so the width of this line is $2\cdot@smallest/\|w\|$ with $\|w\|=@length$, and the maximum is at least
        $@low$. With $\|x_1-x_2\|^2=@square$, $D(\alpha)=2\cdot@a-\tfrac12(@a)^2\cdot@square=@D$. No dual value is above a primal value, so every $w$ in canonical form
        that separates the classes has $\tfrac12\|w\|^2\ge@D$. So the width $2/\|w\|$ is at most $2/\sqrt{2\cdot@D}=@high$.""",
    mistakes=(
        Misconception("if w is used as if it were in canonical form", lambda length, high: [Fraction(2, length), high], 0.5),
        Misconception("if the margin is bounded instead of its width, which is twice as large", lambda low, high: [low / 2, high / 2], 0.5),
        Misconception("if the largest value is used instead of the smallest", lambda largest, length, high: [Fraction(2 * largest, length), high], 0.5),
        Misconception("if the two bounds are exchanged", lambda low, high: [high, low], 0.5),
    ),
)  # fmt: skip


def _draw_rescaled(rng: np.random.Generator) -> dict[str, Any]:
    d, c = (
        np.array([int(rng.choice([-1, 1]) * rng.integers(1, 5)), int(rng.choice([-1, 1]) * rng.integers(1, 7))]),
        int(rng.integers(2, 4)),
    )
    minus = rng.integers(-3, 4, 2)
    return {"minus": minus, "plus": minus + d, "c": c}


def _work_rescaled(minus: np.ndarray, plus: np.ndarray, c: int) -> dict[str, Any]:
    d = plus - minus
    scaled = d * [c, 1]
    square = int(scaled @ scaled)
    w = 2 * exact(d * [c * c, 1]) / square
    b = -1 - w @ exact(minus)
    fit(w, b, denominator=30)
    return {
        "d": d,
        "scaled": scaled,
        "square": square,
        "inner": 2 * exact(scaled) / square,
        "w": w,
        "b": b,
        "answer": [*w, b],
    }


def _through(w: np.ndarray, minus: np.ndarray) -> list[Fraction]:
    return [*w, -1 - w @ exact(minus)]


rescaled = Problem(
    name="rescaled",
    title="The maximum margin in another unit",
    kind=Numbers(("w₁", "w₂", "b")),
    level=3, minutes=8, points=5,
    draw=_draw_rescaled,
    work=_work_rescaled,
    statement=r"""
        Class $-1$ has the point $@minus$ and class $+1$ the point $@plus$. A program first multiplies the first coordinate by $@c$ and finds the maximum margin of the new points. Its function is then written in the *old*
        coordinates, $f(x)=w_1x_1+w_2x_2+b$, in canonical form. What are $w_1$, $w_2$ and $b$?""",
    solution=r"""
        The difference of the two points is $@d$, and in the new coordinates it is $@scaled$ with the squared length $@square$. There the maximum margin has $w'=\tfrac2{@square}@scaled=@inner$.
        From $w'_1\cdot@c\,x_1+w'_2x_2$ follows $w_1=@c\,w'_1$ and $w_2=w'_2$, so $w=@w$. From $f=-1$ at $@minus$ follows $b=@b$. The value at $@plus$ is then 1.""",
    mistakes=(
        Misconception("if the change of the unit is ignored", lambda d, minus: _through(2 * exact(d) / int(d @ d), minus), 0.25),
        Misconception("if w of the new coordinates is used for the old ones", lambda inner, minus: _through(inner, minus), 0.5),
        Misconception("if the first component is divided by the factor instead of multiplied",
             lambda inner, minus, c: _through(inner / exact([c, 1]), minus), 0.5),
        Misconception("if b has the wrong sign", lambda w, b: [*w, -b] if b else None, 0.75),
    ),
)  # fmt: skip

WHICH = {"A": "$A$ and $Q$", "B": "$B$ and $Q$", "all": "$A$, $B$ and $Q$"}


def _draw_which(rng: np.random.Generator) -> dict[str, Any]:
    A, B, Q = rng.integers(-4, 5, (3, 2))
    return {"A": A, "B": B, "Q": Q, "wanted": str(rng.choice(list(WHICH), p=[0.45, 0.45, 0.1]))}


def _work_which(A: np.ndarray, B: np.ndarray, Q: np.ndarray, wanted: str) -> dict[str, Any]:
    to, along, back = int((Q - A) @ (B - A)), int((B - A) @ (B - A)), int((Q - B) @ (A - B))
    right = "A" if to < 0 else "B" if back < 0 else "all"
    if right != wanted or to == 0 or back == 0 or along < 5 or (B - A)[0] * (Q - A)[1] == (B - A)[1] * (Q - A)[0]:
        raise Unfit("another case, a point on a margin line with the multiplier 0, or all points on a line")
    why = {
        "A": "The first is negative, so the angle at $A$ is obtuse, and $A$ is the point of the segment $AB$ that is nearest to $Q$. $B$ is outside the margin.",
        "B": "The second is negative, so the angle at $B$ is obtuse, and $B$ is the point of the segment $AB$ that is nearest to $Q$. $A$ is outside the margin.",
        "all": "Both are positive, so the point of the segment $AB$ that is nearest to $Q$ lies between $A$ and $B$, and has two positive weights.",
    }
    return {"to": to, "back": back, "right": right, "why": why[right], "answer": WHICH[right]}


which = Problem(
    name="which",
    title="Which points are support vectors?",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_which,
    work=_work_which,
    statement=r"""
        $A=@A$ and $B=@B$ have class $+1$, and $Q=@Q$ has class $-1$. Which points are support vectors of the maximum margin?""",
    solution=r"""
        The inner products are $(Q-A)^\top(B-A)=@to$ and $(Q-B)^\top(A-B)=@back$. @why The support vectors are @answer.""",
    mistakes=(
        Misconception("A is not the nearest point to Q in the convex hull of class +1.", lambda right: None if right == "A" else WHICH["A"], 0.25),
        Misconception("B is not the nearest point to Q in the convex hull of class +1.", lambda right: None if right == "B" else WHICH["B"], 0.25),
        Misconception("The nearest point to Q on the segment AB is one of its ends, so the other end is outside the margin.",
             lambda right: None if right == "all" else WHICH["all"], 0.25),
        Misconception("The multipliers of both classes have the same sum, so each class has a support vector.", "$A$ and $B$"),
    ),
)  # fmt: skip


def _draw_solver(rng: np.random.Generator) -> dict[str, Any]:
    factor, unknowns = int(rng.choice([2, 3, 4, 5])), int(rng.choice([10, 20, 50, 100]))
    many, few = (unknowns * factor, unknowns)
    if rng.integers(2):
        return {"n": many, "d": few - 1, "factor": factor, "seconds": int(rng.integers(2, 10)), "longer": True}
    return {"n": few, "d": many - 1, "factor": factor, "seconds": int(rng.integers(2, 10)) * factor**3, "longer": False}


def _time(seconds: int, factor: int, longer: bool) -> str:
    value = Fraction(seconds) * (factor if longer else Fraction(1, factor))
    return f"{value.numerator} s" if value.denominator == 1 else f"{float(value):.3g} s"


solver = Problem(
    name="solver",
    title="Primal or dual with a general solver",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=_draw_solver,
    work=lambda seconds, factor, longer, n, d: {"unknowns": d + 1, "answer": _time(seconds, factor**3, longer)},
    statement=r"""
        A general solver needs $@seconds$ s for the primal of the maximum margin, with a bias, for $@n$ points with $@d$ features. Its time grows like the cube of the number of
        unknowns. How long does it need for the dual?""",
    solution=r"""
        The primal has $@unknowns$ unknowns, $w$ and $b$. The dual has $@n$, one multiplier for each point. The numbers of unknowns differ by the factor $@factor$, and the times
        by $@factor^3$. The answer is @answer.""",
    mistakes=(
        Misconception("The time grows like the cube of the number of unknowns, and here it grows in proportion.", lambda seconds, factor, longer: _time(seconds, factor, longer)),
        Misconception("The time grows like the cube of the number of unknowns, and here it grows like the square.", lambda seconds, factor, longer: _time(seconds, factor**2, longer), 0.25),
        Misconception("The primal has one unknown for each feature and one for the bias, and the dual has one for each point. Here they are exchanged.",
             lambda seconds, factor, longer: _time(seconds, factor**3, not longer)),
    ),
)  # fmt: skip

PROBLEMS = (
    another_constant,
    through_zero,
    hulls,
    claims,
    no_plane,
    best_shift,
    board,
    enclosed,
    rescaled,
    which,
    solver,
)
