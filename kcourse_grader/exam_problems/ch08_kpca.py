"""Exam problems on kernel PCA and kernel LDA."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Gap, Gaps, Misconception, Numbers, Problem, Step, Unfit, exact
from kcourse.paper_problems.exact import fit, tex


def _draw_two_features(rng: np.random.Generator) -> dict[str, Any]:
    c, extra = int(rng.integers(-2, 4)), int(rng.integers(1, 8))
    D = int(rng.integers(2, 5))
    return {
        "first": int(rng.integers(2, 7)),
        "second": int(rng.integers(2, 7)),
        "aa": c + extra,
        "bb": c + D * D - extra,
        "ab": c,
        "D": D,
    }


def _work_two_features(first: int, second: int, aa: int, bb: int, ab: int, D: int) -> dict[str, Any]:
    n = first + second
    if not 3 <= n <= 8 or first == second or min(aa, bb) <= 0 or ab * ab >= aa * bb:
        raise Unfit("no kernel, or too plain")
    scores = (Fraction(second * D, n), Fraction(-first * D, n))
    lam = Fraction(first * second * D * D, n)
    fit(lam, lam / n, denominator=60)
    return {"n": n, "square": D * D, "share1": Fraction(second, n), "share2": Fraction(first, n), "s1": scores[0], "s2": scores[1],
            "lam": lam, "variance": lam / n, "answer": (*scores, lam, lam / n)}  # fmt: skip


two_features = Problem(
    name="two_features",
    title="Two points that occur several times",
    kind=Free((
        Step(r"writes the mean $\bar\varphi=@share2\,\varphi(a)+@share1\,\varphi(b)$, and both deviations as multiples of $\varphi(a)-\varphi(b)$", 2),
        Step("says that all deviations lie on one line, so there is one axis", 1),
        Step(r"finds $\|\varphi(a)-\varphi(b)\|^2=@square$ from the kernel", 1),
        Step("finds the scores $@s1$ and $@s2$", 1),
        Step(r"finds $\lambda_1=@lam$ as the sum of all $@n$ squared scores, and the variance $@variance$", 2),
    )),
    level=2, minutes=11, points=7,
    draw=_draw_two_features,
    work=_work_two_features,
    statement=r"""
        Among $@n$ training points there are only two different ones: $a$ occurs $@first$ times, and $b$ occurs $@second$ times. The kernel has the values
        $k(a,a)=@aa$, $k(b,b)=@bb$ and $k(a,b)=@ab$.

        (a) Write $\varphi(a)-\bar\varphi$ and $\varphi(b)-\bar\varphi$ as multiples of $\varphi(a)-\varphi(b)$, and show that kernel PCA has exactly one axis.

        (b) Find the scores of $a$ and $b$ on this axis. Take the sign for which $a$ has a positive score.

        (c) Find the eigenvalue $\lambda_1$ of $\tilde K$, and the variance along the axis (with the factor $\tfrac1n$).""",
    solution=r"""
        (a) The mean of all $@n$ features is $\bar\varphi=@share2\,\varphi(a)+@share1\,\varphi(b)$. So
        $$\varphi(a)-\bar\varphi=@share1\,(\varphi(a)-\varphi(b)),\qquad\varphi(b)-\bar\varphi=-@share2\,(\varphi(a)-\varphi(b)).$$
        All deviations from the mean are multiples of one vector. Along every direction orthogonal to it the variance is 0. So there is exactly one axis,
        $f=(\varphi(a)-\varphi(b))/\|\varphi(a)-\varphi(b)\|$, because the vector is not 0:
        $\|\varphi(a)-\varphi(b)\|^2=k(a,a)-2k(a,b)+k(b,b)=@square$.

        (b) With $\|\varphi(a)-\varphi(b)\|=@D$ the scores are $s(a)=@share1\cdot@D=@s1$ and $s(b)=-@share2\cdot@D=@s2$.

        (c) $\lambda_1$ is the sum of the squared scores of all training points, $@first\,s(a)^2+@second\,s(b)^2=@lam$. The variance is
        $\lambda_1/@n=@variance$.""",
)  # fmt: skip


def _draw_zero_scores(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "n": int(rng.integers(4, 8)),
        "c": Fraction(1, int(rng.integers(2, 6))),
        "r": Fraction(*[(1, 2), (1, 3), (1, 4), (1, 5), (2, 5)][rng.integers(5)]),
    }


def _work_zero_scores(n: int, c: Fraction, r: Fraction) -> dict[str, Any]:
    mean = (1 + (n - 1) * c) / n
    if r * r >= mean or r in (mean, c):
        raise Unfit("no kernel, or too plain")
    fit(1 - 2 * r + mean, denominator=30)
    return {"lam": 1 - c, "axes": n - 1, "double": 2 * r, "mean": mean, "distance": 1 - 2 * r + mean,
            "answer": (1 - c, n - 1, 1 - 2 * r + mean)}  # fmt: skip


zero_scores = Problem(
    name="zero_scores",
    title="A point whose scores are all 0",
    kind=Free((
        Step(r"shows that $\tilde K=@lam\,(I-U)$", 1),
        Step("finds the eigenvalue $@lam$ for every vector orthogonal to $\\mathbf 1$, and $@axes$ axes", 1),
        Step(r"says that the entries of $\alpha^{(k)}$ sum to 0, because $b_k\perp\mathbf 1$", 1),
        Step("shows that all entries of the centred row are equal, or that both sums in the score are 0", 1),
        Step(r"writes $\|\varphi(x)-\bar\varphi\|^2=k(x,x)-\tfrac2n\sum_ik(x,x_i)+\tfrac1{n^2}\sum_{i,j}K_{ij}$", 1),
        Step("finds $@distance$ and says that the statement is false", 1),
    )),
    level=2, minutes=11, points=6,
    draw=_draw_zero_scores,
    work=_work_zero_scores,
    statement=r"""
        The $@n$ training points have $k(x_i,x_i)=1$, and $k(x_i,x_j)=@c$ for all $i\ne j$. A new point $x$ has $k(x,x)=1$, and
        $k(x,x_i)=@r$ for all $i$.

        (a) Find the eigenvalues of $\tilde K$ and the number of axes.

        (b) Show that the scores of $x$ on all axes are 0.

        (c) True or false, with a reason: if all scores of a point are 0, then its feature is $\bar\varphi$. Compute
        $\|\varphi(x)-\bar\varphi\|^2$ for this $x$.""",
    solution=r"""
        (a) $K=@lam\,I+@c\,\mathbf 1\mathbf 1^\top$. Because $(I-U)\mathbf 1=0$, the second part vanishes in $\tilde K=(I-U)K(I-U)$, and $\tilde K=@lam\,(I-U)$. The
        projection $I-U$ has the eigenvalue 0 for $\mathbf 1$, and 1 for every vector orthogonal to $\mathbf 1$. So $\tilde K$ has the eigenvalue $@lam$ with
        $@axes$ orthogonal eigenvectors, and once the eigenvalue 0. There are $@axes$ axes.

        (b) Entry $i$ of the centred row is $k(x,x_i)-\tfrac1n\sum_lK_{li}$ plus two terms that are equal for all $i$. Here $k(x,x_i)=@r$ for all $i$, and
        $\tfrac1n\sum_lK_{li}=@mean$ for all $i$. So all entries of the row are equal, and the score is a multiple of $\sum_i\alpha_i^{(k)}$. This sum is 0, because $\alpha^{(k)}$ is a multiple of
        $b_k$, and $b_k\perp\mathbf 1$.

        (c) False. Multiply out:
        $$\|\varphi(x)-\bar\varphi\|^2=k(x,x)-\frac2n\sum_ik(x,x_i)+\frac1{n^2}\sum_{i,j}K_{ij}=1-@double+@mean=@distance.$$
        This is not 0. The scores are the coordinates of the projection onto the span of the axes. The feature of $x$ differs from $\bar\varphi$ in a direction that is orthogonal to all
        axes.""",
)  # fmt: skip


def _draw_first_score(rng: np.random.Generator) -> dict[str, Any]:
    left = int(rng.integers(-3, 3))
    return {"x": [left, left + int(rng.integers(1, 5))], "sigma": int(rng.integers(1, 4))}


def _work_first_score(x: list[int], sigma: int) -> dict[str, Any]:
    d = x[1] - x[0]
    p = Fraction(d * d, 2 * sigma**2)
    if p > 3:
        raise Unfit("isolated points")
    c = float(np.exp(-float(p)))
    root = (2 * (1 - c)) ** 0.5
    return {"left": x[0], "right": x[1], "p": p, "middle": Fraction(sum(x), 2), "steep": Fraction(d, sigma**2),
            "answer": (1 - c, (1 - c) / root, float(Fraction(d, sigma**2)) * c / root)}  # fmt: skip


first_score = Problem(
    name="first_score",
    title="The score of two points, as a function",
    kind=Free((
        Step(r"finds $\lambda_1=1-c$ and $\alpha=(-1,1)/\sqrt{2(1-c)}$", 2),
        Step(r"finds $s(x)=\bigl(k(x,x_2)-k(x,x_1)\bigr)/\sqrt{2(1-c)}$, and $s(x_2)=\sqrt{(1-c)/2}=-s(x_1)$. The centring of the row contributes 0, because the column means of $K$ are equal", 2),
        Step("finds the slope at $x_2$, and says that it is positive, so the maximum lies to the right of $x_2=@right$", 1),
        Step("draws a curve with 0 at $@middle$, point symmetry, the values at $@x$, one maximum and one minimum outside these points, and the limit 0 on both sides", 2),
        Step("says that with the linear kernel the score is a straight line and not bounded", 1),
    )),
    level=3, minutes=14, points=8,
    draw=_draw_first_score,
    work=_work_first_score,
    statement=r"""
        Kernel PCA with the Gaussian kernel of width $\sigma=@sigma$ is fitted to two points on a line, $x_1=@left$ and $x_2=@right$. Write $c=k(x_1,x_2)=e^{-@p}$, and
        leave $c$ in all results.

        (a) Find $\lambda_1$ and $\alpha^{(1)}$. Take the sign for which $x_2$ has a positive score.

        (b) Find the score $s(x)$ of a new point $x$, and its values at $x_1$ and $x_2$.

        (c) Find the slope of $s$ at $x_2$. Is the maximum of $s$ at $x_2$?

        (d) Sketch $s$. The sketch must show where $s$ is 0, the values at $x_1$ and $x_2$, on which side of them the maximum and the minimum lie, and the limits on the left and on the right. What does the score
        look like with the linear kernel?""",
    solution=r"""
        (a) $K=\begin{pmatrix}1&c\\c&1\end{pmatrix}$ and $\tilde K=\tfrac{1-c}2\begin{pmatrix}1&-1\\-1&1\end{pmatrix}$. The eigenvalue is $\lambda_1=1-c$, with
        $b_1=(-1,1)/\sqrt2$, and $\alpha^{(1)}=b_1/\sqrt{\lambda_1}=(-1,1)/\sqrt{2(1-c)}$.

        (b) The score is $\sum_i\alpha_ik(x,x_i)-\sum_i\alpha_i\tfrac12\sum_lK_{li}$. Both column means of $K$ are $\tfrac{1+c}2$, and the entries of $\alpha$ sum to 0, so
        the second sum is 0. Hence
        $$s(x)=\frac{k(x,x_2)-k(x,x_1)}{\sqrt{2(1-c)}},\qquad s(x_2)=\frac{1-c}{\sqrt{2(1-c)}}=\sqrt{\frac{1-c}2}=-s(x_1).$$

        (c) $k(x,x_2)$ has the slope 0 at $x_2$, and $k(x,x_1)$ has the slope $-\tfrac{x_2-x_1}{\sigma^2}\,c=-@steep\,c$. So the slope of $s$ at $x_2$ is
        $@steep\,c/\sqrt{2(1-c)}$. It is positive, so $s$ still increases at $x_2=@right$, and the maximum lies to the right of it.

        (d) $s$ is 0 at the midpoint $@middle$, and the curve is point symmetric about it. It passes through $-\sqrt{(1-c)/2}$ at $@left$ and $\sqrt{(1-c)/2}$ at $@right$. The
        minimum lies to the left of $@left$, and the maximum to the right of $@right$. On both sides both kernels tend to 0, so $s\to0$. With the linear kernel the score is
        $x-\bar x$, a straight line, which is not bounded.""",
)  # fmt: skip

variance_and_classes = Problem(
    name="variance_and_classes",
    title="More variance, better separation?",
    kind=Free((
        Step(r"finds the axes $(1,0)$ and $(0,1)$ with $\lambda_1=4a^2$ and $\lambda_2=@lam2$, and says that the points need not be centred", 2),
        Step("finds the scores on both axes", 1),
        Step("says that the classes have the same scores on the first axis, and two different ones without scatter on the second", 2),
        Step(r"writes the share $@square/(a^2+@square)$ and finds $a=@a$", 2),
        Step("says that the statement is false", 1),
    )),
    level=2, minutes=11, points=8,
    draw=lambda rng: {"b": int(rng.integers(2, 6)), "m": int(rng.integers(2, 7)) ** 2 + 1},
    work=lambda b, m: {"square": b * b, "lam2": 4 * b * b, "minus": -b, "other": m - 1, "times": isqrt(m - 1), "a": b * isqrt(m - 1),
                       "lam1": 4 * b * b * (m - 1), "answer": (b * isqrt(m - 1), 4 * b * b * (m - 1), 4 * b * b)},
    statement=r"""
        Somebody says that of two axes of PCA the one with the larger share of the variance separates the classes better. Take the linear kernel and four
        points of the plane. The points of class 1 are $(a,@b)$ and $(-a,@b)$, and those of class 0 are $(a,@minus)$ and $(-a,@minus)$, where $a>@b$.

        (a) Find the two axes, and their eigenvalues $\lambda_1$ and $\lambda_2$ of $\tilde K$.

        (b) Find the scores of the four points on each axis. Which axis separates the classes? Give a reason.

        (c) For which $a$ does the axis that separates the classes have exactly the share $\tfrac1{@m}$ of the variance? What are $\lambda_1$ and $\lambda_2$ then? Is
        the statement true?""",
    solution=r"""
        (a) The mean of the four points is 0, so the Gram matrix of the linear kernel is centred already. In the plane $\sum_ix_ix_i^\top$ is diagonal with $4a^2$ and
        $4\cdot@b^2=@lam2$. It has the same nonzero eigenvalues as $\tilde K$. So the axes are $(1,0)$ with $\lambda_1=4a^2$, and $(0,1)$ with $\lambda_2=@lam2$, because $a>@b$.

        (b) On the first axis both classes have the scores $a$ and $-a$, so no threshold separates them, and the class means are equal. On the second axis both points of
        class 1 have the score $@b$, and both points of class 0 have the score $@minus$. The second axis separates the classes, even with within-class scatter 0.

        (c) Its share is $\tfrac{@lam2}{4a^2+@lam2}=\tfrac{@square}{a^2+@square}$. This is $\tfrac1{@m}$ if $a^2=@other\cdot@square$, so $a=@times\cdot@b=@a$. Then
        $\lambda_1=@lam1$ and $\lambda_2=@lam2$. The statement is false: the second axis has only $\tfrac1{@m}$ of the variance and separates the classes, and the first has all the
        rest and does not.""",
)  # fmt: skip


def _draw_one_each(rng: np.random.Generator) -> dict[str, Any]:
    a, b = (int(v) for v in rng.integers(2, 7, 2))
    c = int(rng.integers(-2, 3))
    return {"K": np.array([[a, c], [c, b]]), "row": rng.integers(-2, 6, 2)}


def _work_one_each(K: np.ndarray, row: np.ndarray) -> dict[str, Any]:
    delta = K[:, 0] - K[:, 1]
    one, zero, new = (int(v) for v in (delta @ K[:, 0], delta @ K[:, 1], delta @ row))
    if K[0, 0] * K[1, 1] <= K[0, 1] ** 2 or 2 * new == one + zero or new in (one, zero) or zero == 0:
        raise Unfit("no kernel, or a tie")
    return {"M1": K[:, 0], "M0": K[:, 1], "delta": delta, "square": one - zero, "one": one, "zero": zero, "new": new,
            "far1": abs(new - one), "far0": abs(new - zero), "label": 1 if abs(new - one) < abs(new - zero) else 0,
            "answer": (*delta, one, zero, new)}  # fmt: skip


one_each = Problem(
    name="one_each",
    title="Kernel LDA with one point for each class",
    kind=Free((
        Step(r"writes $\alpha^\top\delta=\alpha^\top A(A^{-1}\delta)$ and applies the Cauchy–Schwarz inequality for $\alpha^\top A\beta$", 2),
        Step(r"finds the maximum $\delta^\top A^{-1}\delta$, and equality if and only if $\alpha\propto A^{-1}\delta$", 2),
        Step("says that $N=0$, because each class has only one point, so that the maximum is $@square/\\lambda$", 1),
        Step(r"finds $\alpha\propto@delta$ and the mean scores $@one$ and $@zero$, or the same multiples of both", 2),
        Step(r"finds the score $@new$ and class $@label$, and says that $\lambda$ does not change it", 1),
    )),
    level=3, minutes=14, points=8,
    draw=_draw_one_each,
    work=_work_one_each,
    statement=r"""
        (a) Let $A$ be a symmetric matrix with positive eigenvalues, and $\delta\ne0$. Show that $(\alpha^\top\delta)^2/(\alpha^\top A\alpha)$ is largest for
        $\alpha\propto A^{-1}\delta$ and for no other $\alpha$, and find the maximum.

        (b) Kernel LDA with the penalty $\lambda\|\alpha\|^2$ is fitted to one point $x_1$ of class 1 and one point $x_2$ of class 0, with $K=@K$. Here $M_c$ is the
        mean of the columns of $K$ that belong to class $c$, and $\alpha^\top N\alpha$ is the within-class scatter. Find $N$, the maximum of the ratio, and the mean scores of both
        classes for $\alpha=M_1-M_0$.

        (c) A new point $x$ has the row $(k(x,x_1),k(x,x_2))=@row$. To which class is it assigned, by the nearest mean score? Does this depend on $\lambda$?""",
    solution=r"""
        (a) $\langle\alpha,\beta\rangle=\alpha^\top A\beta$ is an inner product. With $\beta=A^{-1}\delta$ we have $\alpha^\top\delta=\alpha^\top A\beta$, and by the
        Cauchy–Schwarz inequality
        $$(\alpha^\top\delta)^2\le(\alpha^\top A\alpha)(\beta^\top A\beta)=(\alpha^\top A\alpha)\,\delta^\top A^{-1}\delta.$$
        So the ratio is at most $\delta^\top A^{-1}\delta$. The two sides are equal if and only if $\alpha$ is a multiple of $\beta=A^{-1}\delta$.

        (b) Each class has only one point, which is the mean of its class. So there is no within-class scatter, $N=0$ and $A=\lambda I$. The columns are
        $M_1=@M1$ and $M_0=@M0$, so $\delta=M_1-M_0=@delta$. The maximum is $\|\delta\|^2/\lambda=@square/\lambda$, for every $\alpha\propto\delta$. With
        $\alpha=\delta$ the mean scores are $\delta^\top M_1=@one$ for class 1 and $\delta^\top M_0=@zero$ for class 0.

        (c) Its score is $\delta^\top@row=@new$. The distances from the mean scores are $@far1$ for class 1 and $@far0$ for class 0, so it is assigned to class $@label$. This does not depend
        on $\lambda$, because $\lambda$ only multiplies $\alpha$, and all scores with it, by a positive number.""",
)  # fmt: skip


def _draw_new_score(rng: np.random.Generator) -> dict[str, Any]:
    order = rng.permutation(3)
    axes = np.array([[1, 1, -2], [1, -1, 0]])[:, order]
    f, g = int(rng.integers(1, 3)), int(rng.integers(1, 4))
    mean, new = rng.integers(-2, 3, 2), rng.integers(-3, 4, 2)
    F = mean + np.column_stack([f * axes[0], g * axes[1]])
    first = 0 if 6 * f * f > 2 * g * g else 1
    if mean[first] == 0 or new[first] in (0, mean[first]):
        raise Unfit("nothing to see")
    divisor = (6 * f, 2 * g)[first]
    return {"K": F @ F.T, "row": F @ new, "alpha": np.array([Fraction(int(v), divisor) for v in axes[first]])}


def _work_new_score(K: np.ndarray, row: np.ndarray, alpha: np.ndarray) -> dict[str, Any]:
    means = exact(K.sum(axis=0)) / 3
    shift, new, square = alpha @ means, alpha @ exact(row), alpha @ alpha
    return {
        "means": means,
        "shift": shift,
        "new": new,
        "square": square,
        "lam": 1 / square,
        "answer": [new - shift, 1 / square],
    }


new_score = Problem(
    name="new_score",
    title="The score of a new point and the eigenvalue",
    kind=Numbers(("score of x", "λ₁")),
    level=2, minutes=8, points=4,
    draw=_draw_new_score,
    work=_work_new_score,
    statement=r"""
        Three training points have the Gram matrix $K=@K$, which is not centred. The first axis of kernel PCA has $\alpha^{(1)}=@alpha$. A new point $x$ has the row
        $(k(x,x_1),k(x,x_2),k(x,x_3))=@row$. What is the score of $x$ on the first axis, and what is the eigenvalue $\lambda_1$ of $\tilde K$?""",
    solution=r"""
        The entries of $\alpha$ sum to 0, so only the term with the means of the columns of $K$, $@means$, must be subtracted. The score is
        $\sum_i\alpha_ik(x,x_i)-\sum_i\alpha_i\tfrac1n\sum_lK_{li}=@{(new}-@{(shift}$. Because $\alpha=b_1/\sqrt{\lambda_1}$ with $\|b_1\|=1$, the eigenvalue is $\lambda_1=1/\|\alpha\|^2$ with
        $\|\alpha\|^2=@square$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the row is not centred, or only its own mean is subtracted", lambda new, lam: [new, lam], 0.5),
        Misconception("if the sums of the columns are subtracted instead of their means", lambda new, shift, lam: [new - 3 * shift, lam], 0.75),
        Misconception("if the means are added instead of subtracted", lambda new, shift, lam: [new + shift, lam], 0.5),
        Misconception("if the eigenvector is multiplied by the root of the eigenvalue instead of divided", lambda answer, square: [answer[0], square], 0.5),
        Misconception("if the eigenvalue is taken as the squared norm of the axis, which is always 1", lambda answer: [answer[0], 1], 0.5),
    ),
)  # fmt: skip


def _draw_from_mean_kernel(rng: np.random.Generator) -> dict[str, Any]:
    n = int(rng.choice([10, 20, 30, 40, 50]))
    return {"n": n, "mean": Fraction(int(rng.integers(2, 9)), 10), "lam": int(rng.integers(1, 13))}


def _work_from_mean_kernel(n: int, mean: Fraction, lam: int) -> dict[str, Any]:
    total = n * (1 - mean)
    if not total / 6 <= lam <= total * 9 / 10 or 2 * lam >= n:
        raise Unfit("a share that no Gaussian kernel has")
    fit(lam / total, denominator=30)
    return {"total": total, "answer": [1 - mean, lam / total]}


from_mean_kernel = Problem(
    name="from_mean_kernel",
    title="Variance from the mean kernel value",
    kind=Numbers(("mean squared distance", "share of the first axis")),
    level=1, minutes=6, points=3,
    draw=_draw_from_mean_kernel,
    work=_work_from_mean_kernel,
    statement=r"""
        A Gaussian kernel has the Gram matrix $K$ on $@n$ points. The mean of all $@n^2$ entries of $K$ is $@mean$, and the largest eigenvalue of $\tilde K$ is
        $\lambda_1=@lam$. What is the mean squared distance of the features from their mean, $\tfrac1n\sum_i\|\varphi(x_i)-\bar\varphi\|^2$? Which share of the variance does the first axis have?""",
    solution=r"""
        $\tfrac1n\sum_i\|\varphi(x_i)-\bar\varphi\|^2=\tfrac1n\sum_iK_{ii}-\|\bar\varphi\|^2=1-@mean$, because $\|\bar\varphi\|^2$ is the mean of all entries of $K$. So $\operatorname{tr}\tilde K=@n\,(1-@mean)=@total$, and
        the share is $\lambda_1/\operatorname{tr}\tilde K=@lam/@total$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the trace of K is used, without centring", lambda n, lam: [1, Fraction(lam, n)], 0.25),
        Misconception("if the sum of the squared distances is given instead of their mean", lambda total, answer: [total, answer[1]], 0.5),
        Misconception("if the variance along the axis is divided by the sum of the eigenvalues, so that n is used twice",
             lambda n, answer: [answer[0], answer[1] / n], 0.5),
        Misconception("if the mean kernel value itself is taken as the mean squared distance",
             lambda n, mean, lam: [mean, lam / (n * mean)] if mean != Fraction(1, 2) else None, 0.25),
    ),
)  # fmt: skip


def _draw_pre_image(rng: np.random.Generator) -> dict[str, Any]:
    corner, (u, v) = rng.integers(-2, 3, 2), rng.permutation([[1, 0], [0, 1]]) * rng.choice([-1, 1], (2, 1))
    score = Fraction(*[(2, 3), (5, 9), (1, 3), (2, 9)][rng.integers(4)])
    return {
        "X": [corner + u, corner + v, corner],
        "alpha": np.array([Fraction(3, 4), Fraction(-3, 4), Fraction(0)]),
        "start": [corner, corner + u, corner + v, corner + u + v][rng.integers(4)],
        "s": score * int(rng.choice([-1, 1])),
    }


def _work_pre_image(X: list[np.ndarray], alpha: np.ndarray, start: np.ndarray, s: Fraction) -> dict[str, Any]:
    points, k = exact(np.array(X)), np.array([Fraction(1, 3 ** int((x - start) @ (x - start))) for x in X])
    beta = s * alpha + Fraction(1, 3)
    product = beta * k
    z = product @ points / sum(product)
    fit(z, product, sum(product), denominator=60)
    sums = {"above": product @ points, "below": sum(product)}
    return {"beta": beta, "k": k, "product": product, "points": points, "answer": z} | sums


pre_image = Problem(
    name="pre_image",
    title="One step towards a pre-image",
    kind=Numbers(("first coordinate of z", "second coordinate of z")),
    level=2, minutes=8, points=4,
    draw=_draw_pre_image,
    work=_work_pre_image,
    statement=r"""
        Three training points of the plane are $@X$, and the width of the Gaussian kernel is such that $k(x,z)=3^{-\|x-z\|^2}$. Only the first axis is kept, with $\alpha^{(1)}=@alpha$. A point has the score
        $@s$ on it. The iteration for its pre-image starts at $z=@start$. What is $z$ after one step?""",
    solution=r"""
        $\beta_i=\tfrac1n+s\,\alpha_i$ gives $\beta=@beta$. The kernels $k(z,x_i)$ are $@k$, and the products $\beta_ik(z,x_i)$ are $@product$. So
        $\sum_i\beta_ik(z,x_i)\,x_i=@above$ and $\sum_i\beta_ik(z,x_i)=@below$, and the new $z$ is $@answer$.""",
    mistakes=(
        Misconception("if the kernels are left out, which gives the sum of β times the points", lambda beta, points: beta @ points, 0.25),
        Misconception("if the mean 1/n is left out of β",
             lambda beta, k, points: ((beta - Fraction(1, 3)) * k) @ points / sum((beta - Fraction(1, 3)) * k)
             if sum((beta - Fraction(1, 3)) * k) else None, 0.5),
        Misconception("if β is left out, as for a mean of neighbours", lambda k, points: k @ points / sum(k), 0.25),
        Misconception("if the sum is not divided by the sum of the weights", lambda above, below: above if below != 1 else None, 0.5),
    ),
)  # fmt: skip


def _draw_ratio(rng: np.random.Generator) -> dict[str, Any]:
    F = rng.integers(-2, 4, (4, 2))
    alpha = rng.permutation([1, -1, 0, int(rng.choice([-1, 0, 1, 2]))])
    return {"K": F @ F.T, "alpha": alpha, "lam": int(rng.integers(1, 5))}


def _work_ratio(K: np.ndarray, alpha: np.ndarray, lam: int) -> dict[str, Any]:
    s = K @ alpha
    means = [Fraction(int(s[:2].sum()), 2), Fraction(int(s[2:].sum()), 2)]
    within = Fraction(int((s[0] - s[1]) ** 2 + (s[2] - s[3]) ** 2), 2)
    gap, size = (means[0] - means[1]) ** 2, int(alpha @ alpha)
    if gap == 0 or within == 0 or np.abs(K).max() > 13 or int(alpha @ K @ alpha) == size or within > 60:
        raise Unfit("no difference or no scatter")
    fit(gap / (within + lam * size), denominator=60)
    return {"scores": s, "means": means, "gap": gap, "within": within, "size": size, "norm": int(alpha @ K @ alpha),
            "answer": gap / (within + lam * size)}  # fmt: skip


ratio = Problem(
    name="ratio",
    title="Fisher's ratio of a given axis",
    kind=Numbers("ratio"),
    level=2, minutes=8, points=4,
    draw=_draw_ratio,
    work=_work_ratio,
    statement=r"""
        Four points have the Gram matrix $K=@K$. The first two are in class 1, and the last two are in class 0. What is the ratio that kernel LDA maximises, with
        $\lambda=@lam$, for $\alpha=@alpha$?""",
    solution=r"""
        The scores are $K\alpha=@scores$. The class means are $@means$, and the square of their difference is $@gap$. The within-class scatter is the sum of the squared deviations
        from the class means, $@within$. With $\|\alpha\|^2=@size$ the ratio is $@gap/(@within+@lam\cdot@size)=@answer$.""",
    mistakes=(
        Misconception("if the penalty is left out", lambda gap, within: gap / within, 0.5),
        Misconception("if the penalty is λ times the squared norm of the function, as in kernel ridge regression",
             lambda gap, within, lam, norm: gap / (within + lam * norm), 0.5),
        Misconception("if the scatter is a mean over the points of each class instead of a sum",
             lambda gap, within, lam, size: gap / (within / 2 + lam * size), 0.5),
        Misconception("if the scatter around the mean of all points is taken instead of the within-class scatter",
             lambda gap, within, lam, size: gap / (within + gap + lam * size), 0.25),
    ),
)  # fmt: skip


def _pair(variance: Fraction, share: Fraction) -> str:
    return f"The variance is ${tex(variance)}$, and the share is ${tex(share)}$."


def _draw_scaled(rng: np.random.Generator) -> dict[str, Any]:
    total = int(rng.integers(8, 30))
    return {"n": int(rng.choice([10, 12, 15, 20])), "total": total, "lam": int(rng.integers(3, total)), "a": int(rng.choice([4, 9])),
            "c": int(rng.integers(2, 7))}  # fmt: skip


def _work_scaled(n: int, total: int, lam: int, a: int, c: int) -> dict[str, Any]:
    share = Fraction(lam, total)
    if not total / 5 <= lam < total:
        raise Unfit("an unlikely share")
    fit(share, Fraction(lam, n), denominator=20)
    return {"v": Fraction(lam, n), "share": share, "root": isqrt(a), "variance": Fraction(a * lam, n),
            "answer": _pair(Fraction(a * lam, n), share)}  # fmt: skip


scaled = Problem(
    name="scaled",
    title="A kernel with a factor and a constant",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_scaled,
    work=_work_scaled,
    statement=r"""
        Kernel PCA of $@n$ points with the kernel $k$ has $\lambda_1=@lam$ and $\operatorname{tr}\tilde K=@total$. The kernel is replaced with $@a\,k+@c$. What are now the variance along the first axis (with the
        factor $\tfrac1n$) and its share of the total variance?""",
    solution=r"""
        The constant adds $@c\,\mathbf 1\mathbf 1^\top$ to $K$, and $(I-U)\mathbf 1=0$, so centring removes it. The factor multiplies $\tilde K$ and all its eigenvalues by $@a$ (and the scores by $@root$). So the variance is $@a\cdot@lam/@n=@variance$, and
        the share is $@lam/@total=@share$ as before.""",
    mistakes=(
        Misconception("The constant is the same for all pairs of points, so centring removes it.",
             lambda n, total, lam, a, c: _pair(Fraction(a * lam, n) + c, Fraction(a * lam + n * c, a * total + n * c))),
        Misconception("The kernel is an inner product, so its factor multiplies squared scores and not the scores.",
             lambda v, share, a: _pair(a * a * v, share), 0.25),
        Misconception("The factor multiplies all eigenvalues, so it changes each variance but no share.", lambda v, share: _pair(v, share), 0.25),
        Misconception("The factor multiplies the total variance too, so the share does not change.",
             lambda variance, share, a: _pair(variance, share / a), 0.25),
    ),
)  # fmt: skip


def _draw_axes(rng: np.random.Generator) -> dict[str, Any]:
    d = int(rng.integers(3, 8))
    return {"n": int(rng.integers(20, 60)), "pairs": int(rng.integers(2, 9)), "d": d, "C": int(rng.integers(3, 7))}


axes = Problem(
    name="axes",
    title="How many axes?",
    kind=Gaps((
        Gap("$@gaussian$", (
            ("$@all$", "The features of equal points are equal, so repeated points add no direction."),
            ("$@points$", "The centred features sum to 0, so there is one axis less."),
        )),
        Gap("$@d$", (
            ("$@gaussian$", "The features of the linear kernel are the points themselves, which have fewer coordinates."),
            ("$@before$", "Centring removes one axis of the Gram matrix, but not a direction in which the points vary."),
        )),
        Gap("$@less$", (
            ("$@C$", "The weighted deviations of the class means from the mean of all points sum to 0, so one of them is determined by the others."),
            ("$@double$", "This counts pairs of classes. The axes lie in the span of the deviations of the class means."),
        )),
    )),
    level=1, minutes=4, points=3,
    draw=_draw_axes,
    work=lambda n, pairs, d, C: {"gaussian": n - pairs - 1, "points": n - pairs, "all": n - 1, "before": d - 1, "less": C - 1,
                                 "double": C * (C - 1) // 2, "different": n - pairs},
    statement=r"""
        Of $@n$ points with $@d$ coordinates only $@different$ are different. The deviations of the points from their mean span all $@d$ dimensions, and the points belong to $@C$ classes. Fill the gaps. Kernel PCA with the Gaussian
        kernel has **(1)** axes, and with the linear kernel **(2)**. Kernel LDA with the Gaussian kernel and $\lambda>0$ has at most **(3)** axes.""",
    solution=r"""
        (1) The $@different$ different features are linearly independent, and centring removes one axis. (2) The points vary in all $@d$ directions, and in no more. (3) The vectors $n_c(M_c-\bar M)$ of the
        $@C$ classes sum to 0, so at most $@less$ of them are linearly independent.""",
)  # fmt: skip

PROBLEMS = (
    two_features,
    zero_scores,
    first_score,
    variance_and_classes,
    one_each,
    new_score,
    from_mean_kernel,
    pre_image,
    ratio,
    scaled,
    axes,
)
