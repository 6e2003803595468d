"""Pencil-and-paper problems on kernel principal components."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact


def _draw_part(rng: np.random.Generator) -> dict[str, Any]:
    d = sorted((int(each) for each in rng.choice(np.arange(1, 17), 4, replace=False)), reverse=True)
    return {"d": d}


part = Problem(
    name="part",
    title="The share of two axes",
    kind=Numbers("share"),
    level=1, minutes=3, points=2,
    draw=_draw_part,
    work=lambda d: {"two": d[0] + d[1], "all": sum(d), "answer": Fraction(d[0] + d[1], sum(d))},
    statement=r"""
        The centred Gram matrix of five points has the eigenvalues $@d$ and $0$. Which share of the variance do the first two
        axes have?""",
    solution=r"""
        The variances along the axes are in the ratio of the eigenvalues: $@two$ of $@all$, that is $@answer$.""",
    mistakes=(
        Misconception("if only the first axis is counted", lambda d: Fraction(d[0], sum(d)), 0.5),
        Misconception("if axes are counted instead of variances, two of four", lambda d: Fraction(2, 4)),
        Misconception("if the eigenvalues are squared", lambda d: Fraction(d[0] ** 2 + d[1] ** 2, sum(e * e for e in d)), 0.25),
        Misconception("if the share that the two axes leave out is given", lambda answer: 1 - answer, 0.5),
    ),
)  # fmt: skip

AXES = (np.array([1, -1, 0]), np.array([1, 1, -2]), np.array([2, -1, -1]), np.array([1, 0, -1]), np.array([-1, 2, -1]))


def _draw_scores(rng: np.random.Generator) -> dict[str, Any]:
    v = AXES[rng.integers(len(AXES))]
    return {"v": v, "mu": int(v @ v) * int(rng.integers(1, 5)) ** 2}


def _work_scores(v: np.ndarray, mu: int) -> dict[str, Any]:
    factor = int(np.sqrt(mu // int(v @ v)))
    if factor == 1:
        raise Unfit("nothing to scale")
    return {"factor": factor, "length": int(v @ v), "answer": factor * exact(v)}


scores = Problem(
    name="scores",
    title="Where the points lie on the first axis",
    kind=Numbers(("s₁", "s₂", "s₃")),
    level=2, minutes=5, points=4,
    draw=_draw_scores,
    work=_work_scores,
    statement=r"""
        The centred Gram matrix of three points has the largest eigenvalue $\lambda=@mu$, with the eigenvector $v=@v$,
        whose length is not 1. What are the scores of the three points on the first axis of kernel PCA? Take the sign of $v$.""",
    solution=r"""
        $b=v/\sqrt{@length}$ has length 1, and the scores are $\sqrt\lambda\,b=\sqrt{@mu/@length}\;v=@answer$. The sum of their
        squares is $\lambda$.""",
    mistakes=(
        Misconception("if the eigenvector is given as it is", lambda v: exact(v), 0.25),
        Misconception("if the eigenvector is multiplied by λ and not scaled to length 1, which is Kv",
             lambda v, mu: mu * exact(v), 0.25),
        Misconception("if you divide by the factor instead of multiplying", lambda v, factor: exact(v) / factor, 0.25),
        Misconception("if the factor is λ over the squared length, without the root",
             lambda v, factor: factor**2 * exact(v), 0.5),
    ),
)  # fmt: skip


def _draw_rest(rng: np.random.Generator) -> dict[str, Any]:
    z = rng.integers(-4, 5, 2)
    return {"k": int(z @ z) + int(rng.integers(1, 12)), "z": z}


def _work_rest(k: int, z: np.ndarray) -> dict[str, Any]:
    if not z.all() or abs(z[0]) == abs(z[1]):
        raise Unfit("too plain")
    return {"first": int(z[0]) ** 2, "second": int(z[1]) ** 2, "answer": k - int(z @ z)}


rest = Problem(
    name="rest",
    title="What two axes leave out",
    kind=Numbers("squared distance"),
    level=1, minutes=3, points=2,
    draw=_draw_rest,
    work=_work_rest,
    statement=r"""
        The feature of a point has the squared distance $\tilde k(x,x)=@k$ from the mean, and the scores $@z$ on the first two
        axes. What is its squared distance from the plane through the mean that the two axes span?""",
    solution=r"""
        By Pythagoras it is $\tilde k(x,x)-s_1^2-s_2^2=@k-@first-@second=@answer$.""",
    mistakes=(
        Misconception("if the scores are not squared", lambda k, z: k - int(np.abs(z).sum()), 0.25),
        Misconception("if only the first axis is used", lambda k, z: k - int(z[0]) ** 2, 0.5),
        Misconception("if the squared length within the plane is given", lambda z: int(z @ z), 0.5),
        Misconception("if the squares are added", lambda k, z: k + int(z @ z), 0.25),
    ),
)  # fmt: skip


def _draw_linear(rng: np.random.Generator) -> dict[str, Any]:
    a, b = (int(each) for each in rng.integers(1, 8, 2))
    x = np.array([[a, 0], [-a, 0], [0, b], [0, -b]])
    return {"a": a, "b": b, "points": list(x)}


def _work_linear(a: int, b: int) -> dict[str, Any]:
    if a == b:
        raise Unfit("no first axis")
    return {"square": max(a, b) ** 2, "K": np.array([[a * a, -a * a, 0, 0], [-a * a, a * a, 0, 0], [0, 0, b * b, -b * b],
                                                     [0, 0, -b * b, b * b]]),
            "answer": [2 * max(a, b) ** 2, Fraction(2 * max(a, b) ** 2, 4)]}  # fmt: skip


linear = Problem(
    name="linear",
    title="Gram matrix and covariance",
    kind=Numbers(("of K", "of the covariance")),
    level=2, minutes=6, points=3,
    draw=_draw_linear,
    work=_work_linear,
    statement=r"""
        Four points, $@points$, and the linear kernel. What is the largest eigenvalue of their Gram matrix $K$, and of their
        covariance matrix $\frac1n\sum_ix_ix_i^\top$?""",
    solution=r"""
        Their mean is 0. $K=@K$ has the largest eigenvalue $2\cdot@square$. The covariance has the same nonzero eigenvalues,
        divided by $n=4$: $@answer$.""",
    mistakes=(
        Misconception("if the covariance is not divided by n, so that it has the eigenvalues of K", lambda answer: [answer[0], answer[0]], 0.5),
        Misconception("if the covariance is divided by n - 1", lambda answer: [answer[0], Fraction(answer[0], 3)], 0.75),
        Misconception("if the smaller of the two eigenvalues is taken",
             lambda a, b: [2 * min(a, b) ** 2, Fraction(2 * min(a, b) ** 2, 4)], 0.5),
        Misconception("if the squared length of one point is taken for the eigenvalue of K",
             lambda square: [square, Fraction(square, 4)], 0.25),
        Misconception("if the two are exchanged", lambda answer: answer[::-1], 0.5),
    ),
)  # fmt: skip


most = Problem(
    name="most",
    title="How many axes can there be?",
    kind=Choice(),
    level=1, minutes=2, points=2,
    draw=lambda rng: {"n": int(rng.integers(10, 60)), "d": int(rng.integers(2, 9))},
    work=lambda n, d: {"less": n - 1, "answer": "$@less$: the centred features sum to 0, so one of them is determined by the others."},
    statement=r"""
        Kernel PCA with a Gaussian kernel of $@n$ different points with $@d$ coordinates. How many axes have a positive variance?""",
    solution=r"""
        A Gaussian Gram matrix of distinct points has the rank $@n$, and centring removes one axis. So there are $@less$.""",
    mistakes=(
        Misconception("That is for the linear kernel. The features of a Gaussian kernel lie in a space of infinite dimension.",
             "$@d$: as many as coordinates."),
        Misconception("That is before centring. The centred features sum to 0.", "$@n$: as many as points.", 0.5),
        Misconception("The features of n points span at most n dimensions.", "Infinitely many: as many as the feature space has dimensions."),
    ),
)  # fmt: skip

coefficients = Problem(
    name="coefficients",
    title="From the covariance to the Gram matrix",
    kind=Gaps((
        Gap("$v$ is a combination of the features", (
            ("$v$ has the length 1", "Its length is chosen at the end and plays no part here."),
            ("$\\lambda$ is also an eigenvalue of $K$", "It is nλ that is an eigenvalue of K, and this follows only later."),
        )),
        Gap("$K\\alpha=@n\\lambda\\,\\alpha$", (
            ("$K\\alpha=\\lambda\\,\\alpha$", "The mean in the covariance leaves a factor n."),
            ("$K\\alpha=\\lambda\\,\\alpha/@n$", "The 1/n stands with K; on the other side it is n."),
        )),
        Gap("$\\alpha^\\top K\\alpha$", (
            ("$\\alpha^\\top\\alpha$", "The features are not orthogonal. Their inner products are K."),
            ("$\\|K\\alpha\\|^2$", "That is the sum of the squares of all scores, times the squared length of v."),
        )),
        Gap("$1/\\sqrt{@n\\lambda}$", (
            ("$\\sqrt{@n\\lambda}$", "αᵀKα is nλ times αᵀα, so the coefficients must become shorter."),
            ("$1/(@n\\lambda)$", "Squared it must be 1/(nλ)."),
        )),
    )),
    level=3, minutes=8, points=4,
    draw=lambda rng: {"n": int(rng.integers(5, 90))},
    statement=r"""
        The features $\varphi_1,\dots,\varphi_{@n}$ have the mean 0 and the Gram matrix $K$. Let $v$ be an eigenvector of their covariance
        $\frac1{@n}\sum_i\varphi_i\varphi_i^\top$ with the eigenvalue $\lambda>0$. Fill the gaps. From
        $\lambda v=\frac1{@n}\sum_i\varphi_i\langle\varphi_i,v\rangle$ follows that **(1)**: $v=\sum_i\alpha_i\varphi_i$. Insert this
        and take inner products with all features. This gives $K^2\alpha=@n\lambda K\alpha$, which is solved by the solutions of **(2)**.
        The squared length of $v$ is **(3)**. To make it 1, multiply an eigenvector of length 1 by **(4)**.""",
    solution=r"""
        (1) Divide by $\lambda$. (2) Then $K^2\alpha=@n\lambda K\alpha$. (3) $\langle v,v\rangle=\sum_{ij}\alpha_i\alpha_j\langle\varphi_i,\varphi_j\rangle$.
        (4) $\alpha^\top K\alpha=@n\lambda\,\alpha^\top\alpha$.""",
)  # fmt: skip

best = Problem(
    name="best",
    title="Why the first axis is the best",
    kind=Gaps((
        Gap("$\\sum_ip_i\\lambda_i$", (
            ("$\\sum_ip_i^2\\lambda_i$", "The p are squares of coordinates already."),
            ("$\\sum_i\\lambda_i$", "That is the variance in all directions together."),
        )),
        Gap("a weighted mean is at most the largest of its values", (
            ("all eigenvalues are positive", "Some may be 0. The bound needs only that the weights sum to 1."),
            ("the eigenvectors are orthogonal", "That is why the variance has this form. The bound comes from the weights."),
        )),
        Gap("$p_1=0$, so that at most $@second$ remains", (
            ("$p_1=1$, so that $@first$ remains", "Orthogonal to the first eigenvector means that its coordinate is 0."),
            ("$p_2=0$, so that at most $@third$ remains", "Orthogonal to the first axis means that the first coordinate is 0."),
        )),
    )),
    level=3, minutes=5, points=3,
    draw=lambda rng: dict(zip(("third", "second", "first"), sorted(int(v) for v in rng.choice(np.arange(1, 40), 3, replace=False)),
                              strict=True)),
    statement=r"""
        A covariance has the eigenvalues $\lambda_1=@first$, $\lambda_2=@second$, $\lambda_3=@third$. In the basis of the
        eigenvectors a unit vector has coordinates with the squares $p_1,p_2,p_3$, which sum to 1. Fill the gaps. The variance in this direction is
        **(1)**. It is at most $@first$, because **(2)**. The second axis is orthogonal to the first: **(3)**.""",
    solution=r"""
        (1) $v^\top Cv$ in the basis in which $C$ is diagonal. (2) It is attained only for $p_1=1$, because $\lambda_1$ is larger than the others.
        (3) The same argument for the remaining coordinates.""",
)  # fmt: skip

PROBLEMS = (part, most, rest, linear, scores, coefficients, best)
