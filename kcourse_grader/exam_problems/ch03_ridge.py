"""Exam problems on kernel ridge regression."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, exact, inverse, solve

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
    work=lambda n, theirs: {"answer": f"$\\lambda={n * theirs / 2:g}$"},
    statement=r"""
        A book minimises $\frac1n\sum_i(y_i-f(x_i))^2+\frac{\gamma}{2}\|f\|^2$. With $n=@n$ points and $\gamma=@theirs$ it gets the
        function $f$. Which $\lambda$ gives the same function in our criterion $\sum_i(y_i-f(x_i))^2+\lambda\|f\|^2$?""",
    solution=r"""
        Multiplied by $n$ the book's criterion is $\sum_i(y_i-f(x_i))^2+\frac{n\gamma}{2}\|f\|^2$, so $\lambda=n\gamma/2$ and @answer.""",
    mistakes=(
        Misconception("The factor 1/2 in front of the book's norm is missing here.", lambda n, theirs: f"$\\lambda={n * theirs:g}$", 0.5),
        Misconception("The book divides the squared errors by n, so its criterion must be multiplied by n.",
             lambda theirs: f"$\\lambda={theirs / 2:g}$"),
        Misconception("The whole criterion must be multiplied by n, and here the norm is divided by n.",
             lambda n, theirs: f"$\\lambda={theirs / (2 * n):g}$"),
    ),
)  # fmt: skip

PROBLEMS = (repeated, both_left_out, other_book)
