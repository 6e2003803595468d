"""Pencil-and-paper problems on support vector machines."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Order, Problem, Unfit


def _draw_threshold(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(each) for each in rng.integers(1, 7, 3))
    if a * b <= c * c or c == a:
        raise Unfit("no kernel, or a value of 0")
    label = int(rng.choice([-1, 1]))
    return {"K": np.array([[a, c], [c, b]]), "y": np.array([label, -label]), "C": int(rng.integers(2, 9))}


def _work_threshold(K: np.ndarray, y: np.ndarray, C: int) -> dict[str, Any]:
    alpha = Fraction(2, int(K[0, 0] + K[1, 1] - 2 * K[0, 1]))  # then both points have y f = 1
    if alpha >= C:
        raise Unfit("at the bound")
    value = alpha * int(y[0] * (K[0, 0] - K[0, 1]))
    return {"alpha": alpha, "value": value, "label": int(y[0]), "answer": y[0] - value}


threshold = Problem(
    name="threshold",
    title="The bias from a free support vector",
    kind=Numbers("b"),
    level=2, minutes=4, points=3,
    draw=_draw_threshold,
    work=_work_threshold,
    statement=r"""
        The solution of a support vector machine with $C=@C$ has two support vectors, with the labels $y=@y$, the Gram
        matrix $K=@K$ and $\alpha_1=\alpha_2=@alpha$. All other multipliers are 0. What is the bias $b$ of
        $f(x)=\sum_i\alpha_iy_ik(x_i,x)+b$?""",
    solution=r"""
        The first point has $0<\alpha_1<C$, so it lies on its margin line, $f(x_1)=y_1$. Its value without $b$ is $@value$,
        so $b=@label-@{(value}=@answer$. The second point gives the same.""",
    mistakes=(
        Misconception("if f(x) is set to 1 at the point of class -1, or to -1 at the point of class +1",
             lambda value, label: 1 - value if label < 0 else -1 - value, 0.5),
        Misconception("if b has the wrong sign", lambda answer: -answer, 0.5),
        Misconception("if the labels are left out of the sum",
             lambda K, alpha, label: label - alpha * int(K[0, 0] + K[0, 1]), 0.25),
        Misconception("if the multipliers are left out of the sum", lambda K, y, label: label - int((K @ y)[0]), 0.25),
    ),
)  # fmt: skip


def _draw_dual(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(each) for each in rng.integers(1, 6, 3))
    if a * b <= c * c:
        raise Unfit("no kernel")
    alpha = rng.integers(1, 4, 2)
    return {"K": np.array([[a, c], [c, b]]), "y": rng.choice([-1, 1], 2), "alpha": alpha}


def _work_dual(K: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> dict[str, Any]:
    square = int((alpha * y) @ K @ (alpha * y))
    return {"sum": int(alpha.sum()), "square": square, "answer": alpha.sum() - Fraction(square, 2)}


dual = Problem(
    name="dual",
    title="Value of the dual objective",
    kind=Numbers("objective"),
    level=1, minutes=4, points=3,
    draw=_draw_dual,
    work=_work_dual,
    statement=r"""
        Two points have the Gram matrix $K=@K$ and the labels $y=@y$. What is the value of the dual objective, which is
        maximised, at $\alpha=@alpha$? The support vector machine has no bias.""",
    solution=r"""
        $\sum_i\alpha_i-\tfrac12\sum_{ij}\alpha_i\alpha_jy_iy_jk(x_i,x_j)=@sum-\tfrac12\cdot @square=@answer$.""",
    mistakes=(
        Misconception("if the quadratic term is not halved", lambda sum, square: sum - square, 0.5),
        Misconception("if the quadratic term is added", lambda sum, square: sum + Fraction(square, 2), 0.25),
        Misconception("if the labels are left out",
             lambda K, y, alpha, sum: sum - Fraction(int(alpha @ K @ alpha), 2) if y[0] != y[1] else None, 0.25),
        Misconception("if the product of the two different points is counted once instead of twice",
             lambda K, y, alpha, sum: sum - Fraction(int(alpha**2 @ np.diag(K) + alpha.prod() * y.prod() * K[0, 1]), 2), 0.5),
        Misconception("if only the quadratic term ½‖w‖² is given", lambda square: Fraction(square, 2), 0.25),
    ),
)  # fmt: skip


def _draw_step(rng: np.random.Generator) -> dict[str, Any]:
    C, y = int(rng.integers(1, 4)), rng.choice([-1, 1], 2)
    alpha = [Fraction(int(k), 4) * C for k in rng.integers(0, 5, 2)]
    e = rng.integers(-4, 5, 2)
    a, b, c = (int(each) for each in rng.integers(1, 6, 3))
    if a + b <= 2 * c:
        raise Unfit("no curvature")
    return {"C": C, "y": y, "alpha": alpha, "e": e, "K": np.array([[a, c], [c, b]])}


def _work_step(C: int, y: np.ndarray, alpha: list[Fraction], e: np.ndarray, K: np.ndarray) -> dict[str, Any]:
    curve = int(K[0, 0] + K[1, 1] - 2 * K[0, 1])
    free = alpha[1] + Fraction(int(y[1] * (e[0] - e[1])), curve)
    if y[0] == y[1]:
        low, high = max(0, alpha[0] + alpha[1] - C), min(C, alpha[0] + alpha[1])
    else:
        low, high = max(0, alpha[1] - alpha[0]), min(C, C + alpha[1] - alpha[0])
    if low == high or min(max(free, low), high) == alpha[1]:
        raise Unfit("no room, or no step")
    return {
        "curve": curve,
        "free": free,
        "low": low,
        "high": high,
        "first": alpha[1],
        "answer": min(max(free, low), high),
    }


step = Problem(
    name="step",
    title="One step of SMO",
    kind=Numbers("new α₂"),
    level=2, minutes=6, points=4,
    draw=_draw_step,
    work=_work_step,
    statement=r"""
        SMO with $C=@C$ has chosen two points with the Gram matrix $K=@K$, the labels $y=@y$, the multipliers
        $\alpha=(@alpha)$ and the errors $E=@e$, where $E_i=f(x_i)-y_i$. What is the new $\alpha_2$?""",
    solution=r"""
        Along the line on which $\sum_i\alpha_iy_i$ is constant, the curvature is $\eta=K_{11}+K_{22}-2K_{12}=@curve$. Without
        bounds $\alpha_2$ would be $@first+y_2(E_1-E_2)/@curve=@free$. Both multipliers stay in $[0,C]$ if
        $@low\le\alpha_2\le@high$. The new $\alpha_2$ is $@answer$.""",
    mistakes=(
        Misconception("if the step is not clipped", lambda free, answer: free if free != answer else None, 0.5),
        Misconception("if α₂ is clipped to [0, C], but α₁ then leaves this interval",
             lambda free, C, answer: c if (c := min(max(free, 0), C)) != answer else None, 0.75),
        Misconception("if the step has the wrong sign, with E₂ - E₁",
             lambda first, free, low, high, answer: c if (c := min(max(2 * first - free, low), high)) != answer else None,
             0.25),
        Misconception("if the curvature is K₁₁ + K₂₂, without -2K₁₂",
             lambda first, free, curve, K, low, high, answer: c if K[0, 1] and (
                 c := min(max(first + (free - first) * curve / int(K[0, 0] + K[1, 1]), low), high)) != answer else None, 0.5),
    ),
)  # fmt: skip


def _draw_kkt(rng: np.random.Generator) -> dict[str, Any]:
    C = int(rng.integers(1, 10))
    where = int(rng.integers(3))
    alpha = [Fraction(0), Fraction(C, 2), Fraction(C)][where]
    value = Fraction(int(rng.choice([3, 5, 6, 7, 9, 11, 13, 14, 15, 17])), 10)
    return {"C": C, "alpha": alpha, "label": int(rng.choice([-1, 1])), "value": value}


KKT = {
    "stay": "Yes, a point with this multiplier may have this value.",
    "grow": "No, a point inside the margin must have $\\alpha_i=C$.",
    "shrink": "No, a point outside the margin must have $\\alpha_i=0$.",
}


def _work_kkt(C: int, alpha: Fraction, label: int, value: Fraction) -> dict[str, Any]:
    right = "grow" if value < 1 and alpha < C else "shrink" if value > 1 and alpha > 0 else "stay"
    return {"f": label * float(value), "margin": float(value), "right": right, "answer": KKT[right]}


kkt = Problem(
    name="kkt",
    title="Optimality conditions at one point",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=_draw_kkt,
    work=_work_kkt,
    statement=r"""
        In the solution of a support vector machine with $C=@C$, can a point with the label $@label$ have $\alpha_i=@alpha$ and
        $f(x_i)=@f$?""",
    solution=r"""
        $y_if(x_i)=@margin$. If $\alpha_i=0$ then $y_if(x_i)\ge1$, if $0<\alpha_i<C$ then $y_if(x_i)=1$, and if
        $\alpha_i=C$ then $y_if(x_i)\le1$.""",
    mistakes=(
        Misconception("Compute y f(x). A value below 1 requires α = C, and a value above 1 requires α = 0.",
             lambda right: None if right == "stay" else KKT["stay"]),
        Misconception("Compute y f(x), and compare α with C. A value below 1 is possible only with α = C.",
             lambda right: None if right == "grow" else KKT["grow"]),
        Misconception("Compute y f(x), and compare α with 0. A value above 1 is possible only with α = 0.",
             lambda right: None if right == "shrink" else KKT["shrink"]),
        Misconception("Only points with 0 < α < C must lie exactly on the margin.",
             "No, every point must lie exactly on the margin, $y_if(x_i)=1$."),
    ),
)  # fmt: skip

lagrange = Problem(
    name="lagrange",
    title="From the primal to the dual",
    kind=Gaps((
        Gap("$w=\\sum_i\\alpha_iy_ix_i$", (
            ("$w=\\sum_i\\alpha_ix_i$", "The constraint contains the factor y, so its derivative with respect to w does as well."),
            ("$w=\\sum_iy_ix_i$", "Each constraint is multiplied by its own multiplier."),
        )),
        Gap("$\\sum_i\\alpha_iy_i=0$", (
            ("$\\sum_i\\alpha_i=0$", "In each constraint b has the factor y."),
            ("$b=0$", "b is a variable. The derivative with respect to b gives a condition on the multipliers."),
        )),
        Gap("$\\alpha_i\\le@C$, because $\\alpha_i=@C-\\mu_i$ and $\\mu_i\\ge0$", (
            ("$\\alpha_i\\ge@C$, because $\\xi_i\\ge0$", "From α = C - μ and μ ≥ 0 follows an upper bound on α."),
            ("$\\alpha_i=@C$ for all $i$", "That holds only where the multiplier μ of the slack is 0."),
        )),
        Gap("$\\sum_i\\alpha_i-\\tfrac12\\|w\\|^2$", (
            ("$\\sum_i\\alpha_i+\\tfrac12\\|w\\|^2$", "The terms with w are ½‖w‖² - ‖w‖² = -½‖w‖²."),
            ("$\\sum_i\\alpha_i-\\|w\\|^2$", "The objective contributes ½‖w‖² and the constraints contribute -‖w‖²."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"C": int(rng.integers(2, 30)), "n": int(rng.integers(10, 99))},
    statement=r"""
        Minimise $\tfrac12\|w\|^2+@C\sum_{i=1}^{@n}\xi_i$ under $y_i(w^\top x_i+b)\ge1-\xi_i$ and $\xi_i\ge0$, with
        multipliers $\alpha_i\ge0$ and $\mu_i\ge0$. Fill the gaps. Setting the derivative of the Lagrangian with respect to
        $w$ to zero gives **(1)**, the one with respect to $b$ gives **(2)**, and those with respect to $\xi_i$ give **(3)**.
        Insert these. All slacks and $b$ cancel, and the function to be maximised is **(4)**.""",
    solution=r"""
        $L=\tfrac12\|w\|^2+@C\sum_i\xi_i-\sum_i\alpha_i\bigl(y_i(w^\top x_i+b)-1+\xi_i\bigr)-\sum_i\mu_i\xi_i$. (1), (2), (3)
        follow from its derivatives. (4) $\tfrac12\|w\|^2-\sum_i\alpha_iy_iw^\top x_i=-\tfrac12\|w\|^2$, and $\sum_i\alpha_i$ is
        left.""",
)  # fmt: skip

slack = Problem(
    name="slack",
    title="Complementary slackness for a free support vector",
    kind=Gaps((
        Gap("a multiplier is 0 or its constraint holds with equality", (
            ("all constraints hold with equality", "The constraints of points outside the margin do not."),
            ("all multipliers are positive", "Those of points outside the margin are 0."),
        )),
        Gap("$\\mu_i=@rest$", (
            ("$\\mu_i=@alpha$", "The derivative with respect to the slack gives α + μ = C."),
            ("$\\mu_i=0$", "α + μ = C, and α is smaller than C."),
        )),
        Gap("$\\xi_i=0$", (
            ("$\\xi_i=1$", "μξ = 0 and μ is not 0."),
            ("$\\xi_i\\ge1$", "That would be a point on the wrong side, but μξ = 0 and μ is not 0."),
        )),
        Gap("$y_if(x_i)=1$", (
            ("$y_if(x_i)\\ge1$, and nothing else is known", "α is not 0, so the constraint holds with equality."),
            ("$y_if(x_i)=0$", "The constraint is y f ≥ 1 - ξ, and ξ is 0."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"C": int(rng.integers(4, 20)), "alpha": int(rng.integers(1, 4))},
    work=lambda C, alpha: {"rest": C - alpha},
    statement=r"""
        In the solution of a support vector machine with $C=@C$ a point has $\alpha_i=@alpha$. Where does it lie? Fill the
        gaps. By complementary slackness, **(1)** for each constraint. The derivative with respect to $\xi_i$,
        $C-\alpha_i-\mu_i=0$, gives **(2)**, and therefore **(3)**. Because $\alpha_i$ is not 0 either, **(4)**.""",
    solution=r"""
        (1) The product of a multiplier and its constraint function is 0. (2) $@C-@alpha=@rest>0$. (3) $\mu_i\xi_i=0$. (4) $\alpha_i\bigl(y_if(x_i)-1+\xi_i\bigr)=0$.""",
)  # fmt: skip

rounds = Problem(
    name="rounds",
    title="One iteration of SMO",
    kind=Order((
        "Start with all $\\alpha_i=0$, where every gradient is known without a kernel value.",
        "Choose the pair that violates the conditions of optimality most.",
        "If the violation of this pair is below $@tol$, stop.",
        "Compute the step to the maximum of the dual along the line of constant $\\sum_i\\alpha_iy_i$.",
        "Clip the step, so that both multipliers stay in $[0,C]$, and take it.",
        "Update all gradients with the two rows of $K$, and choose again.",
    )),
    level=2, minutes=3, points=2,
    draw=lambda rng: {"tol": Fraction(1, int(rng.choice([100, 200, 500, 1000])))},
    statement=r"""
        These are the steps of sequential minimal optimisation. Put them in order.
        @lines""",
    solution=r"""
        The order is @answer. The test comes before the step, because a solution must not be moved again. The step is clipped
        before the gradients are updated.""",
    mistakes=(
        Misconception("The test needs the pair that violates most, so the pair is chosen first.", (0, 2, 1, 3, 4, 5), 0.5),
        Misconception("The gradients are updated with the clipped step, the one that was taken.", (0, 1, 2, 3, 5, 4), 0.5),
        Misconception("The test comes before the step, because a solution must not be moved.", (0, 1, 3, 2, 4, 5), 0.5),
    ),
)  # fmt: skip


def _draw_bounds(rng: np.random.Generator) -> dict[str, Any]:
    C = int(rng.integers(2, 7))
    return {"C": C, "y": rng.choice([-1, 1], 2), "alpha": [Fraction(int(k), 2) for k in rng.integers(0, 2 * C + 1, 2)]}


def _work_bounds(C: int, y: np.ndarray, alpha: list[Fraction]) -> dict[str, Any]:
    one, two = alpha
    same = [max(Fraction(0), one + two - C), min(Fraction(C), one + two)]
    other = [max(Fraction(0), two - one), min(Fraction(C), C + two - one)]
    alike = bool(y[0] == y[1])
    right, wrong = (same, other) if alike else (other, same)
    if right[0] == right[1] or right == [0, C] or one == two:
        raise Unfit("no room, or all")
    return {"wrong": wrong, "stays": "their sum" if alike else "their difference", "low": right[0], "high": right[1],
            "answer": right}  # fmt: skip


bounds = Problem(
    name="bounds",
    title="Bounds of a step of SMO",
    kind=Numbers(("from", "to")),
    level=1, minutes=3, points=2,
    draw=_draw_bounds,
    work=_work_bounds,
    statement=r"""
        SMO with $C=@C$ changes two multipliers, $\alpha=(@alpha)$, of points with the labels $@y$. Between which values may
        $\alpha_2$ lie, if $\sum_i\alpha_iy_i$ must not change and both multipliers must stay between 0 and $C$?""",
    solution=r"""
        The step keeps @stays constant, so $\alpha_2$ determines $\alpha_1$. Both lie between 0 and $@C$ if $\alpha_2$ lies
        between $@low$ and $@high$.""",
    mistakes=(
        Misconception("if the cases of equal and different labels are exchanged", lambda wrong: wrong, 0.5),
        Misconception("if the bounds of α₁ are ignored, although it must also stay between 0 and C", lambda C: [0, C], 0.25),
        Misconception("if the bounds of α₁ are given",
             lambda C, y, alpha, answer: [alpha[0] + alpha[1] - answer[1], alpha[0] + alpha[1] - answer[0]] if y[0] == y[1]
             else [answer[0] + alpha[0] - alpha[1], answer[1] + alpha[0] - alpha[1]], 0.5),
        Misconception("if C is used as a bound on the sum of both", lambda C, alpha: [0, C - alpha[0]] if alpha[0] else None),
    ),
)  # fmt: skip

PROBLEMS = (kkt, dual, threshold, step, lagrange, slack, rounds, bounds)
