"""Exam problems on Nyström's method and random Fourier features."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Gap, Gaps, Misconception, Numbers, Problem, Step, Unfit, exact, solve
from kcourse.paper_problems.exact import fit


def _draw_one_landmark(rng: np.random.Generator) -> dict[str, Any]:
    root = int(rng.integers(2, 4))
    k = np.array([root**2, *rng.integers(-2, 4, 2)])
    return {
        "k": k,
        "y": rng.integers(-3, 6, 3),
        "root": root,
        "lam": int(rng.integers(1, 5)),
        "q": int(rng.integers(1, 4)),
    }


def _work_one_landmark(k: np.ndarray, y: np.ndarray, root: int, lam: int, q: int) -> dict[str, Any]:
    squares, products, own = int(k @ k), int(k @ y), root**2
    a, sub = Fraction(products, squares + lam * own), Fraction(int(y[0]), own + lam)
    fit(a, sub, denominator=13)
    if 0 in (a, sub) or a == sub or not k.all():
        raise Unfit("nothing to compare")
    return {"own": own, "squares": squares, "products": products, "below": squares + lam * own, "a": a, "w": root * a, "sub": sub,
            "y1": int(y[0]), "under": own + lam, "f": q * a, "g": q * sub, "answer": (a, root * a, q * a, q * sub)}  # fmt: skip


one_landmark = Problem(
    name="one_landmark",
    title="One landmark",
    kind=Free((
        Step(r"writes the criterion with one coefficient and sets its derivative to 0", 1),
        Step(r"finds $a=\sum_ik(z,x_i)y_i/\bigl(\sum_ik(z,x_i)^2+\lambda k(z,z)\bigr)=@a$", 2),
        Step(r"finds the feature $\varphi(x)=k(z,x)/@root$ and shows that linear ridge regression gives $w=@w$ and the same $f$", 2),
        Step("finds $@g$ for the subsample and $@f$ for Nyström's method", 1),
        Step("says that the statement is false, because all targets determine the coefficient of Nyström's method", 1),
    )),
    level=2, minutes=11, points=7,
    draw=_draw_one_landmark,
    work=_work_one_landmark,
    statement=r"""
        Nyström's method has a single landmark $z=x_1$, and $f=a\,k(z,\cdot)$. The kernel values of the landmark with the three training points are
        $(k(z,x_1),k(z,x_2),k(z,x_3))=@k$, and the targets are $y=@y$. The penalty is $\lambda\|f\|^2$ with $\lambda=@lam$, next to the sum of squared errors.

        (a) Write the criterion, and derive the coefficient $a$ from it.

        (b) Find the feature $\varphi(x)=K_{mm}^{-1/2}k_m(x)$, and show that linear ridge regression on it, with the weight $w$ and the same $\lambda$, gives the same $f$.

        (c) True or false, with a reason: with one landmark $x_1$ Nyström's method gives the same function as kernel ridge regression on the subsample that consists of $x_1$. Find both values at a point with
        $k(z,x)=@q$.""",
    solution=r"""
        (a) $\|f\|^2=a^2k(z,z)=@own\,a^2$. The derivative of $\sum_i(y_i-a\,k(z,x_i))^2+\lambda\,k(z,z)\,a^2$ with respect to $a$ is
        $-2\sum_ik(z,x_i)(y_i-a\,k(z,x_i))+2\lambda\,k(z,z)\,a$. It is 0 for
        $$a=\frac{\sum_ik(z,x_i)\,y_i}{\sum_ik(z,x_i)^2+\lambda\,k(z,z)}=\frac{@products}{@squares+@lam\cdot@own}=@a.$$

        (b) $K_{mm}=k(z,z)=@own$, so $\varphi(x)=k(z,x)/@root$. Linear ridge regression minimises $\sum_i(y_i-w\,\varphi(x_i))^2+\lambda w^2$. With $w=@root\,a$ we have
        $w\,\varphi(x)=a\,k(z,x)$ and $w^2=@own\,a^2=\|f\|^2$, so it is the same criterion. Its minimiser is $w=@root\cdot@{(a}=@w$, and $f$ is the same.

        (c) False. The subsample gives $f=\alpha\,k(z,\cdot)$ with $\alpha=y_1/(k(z,z)+\lambda)=@{(y1}/@under=@sub$. At the point it has the value $@q\cdot@{(sub}=@g$, and Nyström's method has $@q\cdot@{(a}=@f$. Both are
        multiples of the same section. But all targets determine $a$, and only $y_1$ determines $\alpha$.""",
)  # fmt: skip


def _draw_other_kernel(rng: np.random.Generator) -> dict[str, Any]:
    q = int(rng.integers(2, 5))
    return {"q": q, "r": int(rng.choice({2: [4, 8, 12, 16, 20], 3: [6, 12, 18, 24, 30], 4: [8, 16, 24]}[q]))}


def _work_other_kernel(q: int, r: int) -> dict[str, Any]:
    k2 = Fraction(1, q * q)
    return {"k2": k2, "rest": 1 - k2, "phases": 1 - k2 / 2, "square": r * r, "pairs": r * r * (1 - k2), "more": r * r * (1 - k2 / 2),
            "answer": (r * r * (1 - k2), r * r * (1 - k2 / 2))}  # fmt: skip


other_kernel = Problem(
    name="other_kernel",
    title="Random features for another kernel",
    kind=Free((
        Step(r"uses $\cos^2v=\tfrac12(1+\cos2v)$ and $\mathbf E\cos2v=e^{-2|u|}=k^2$ with $v=\omega u$, $u=x-z$", 2),
        Step(r"finds the variance $\tfrac12(1-k^2)$ of one cosine and, with $D/2$ frequencies, $(1-k^2)/D$ for pairs", 2),
        Step(r"adds $\tfrac12$ for the uncorrelated second term, and finds $(1-\tfrac12k^2)/D$ for phases", 2),
        Step("finds $D=@pairs$ for pairs and $D=@more$ for phases", 1),
        Step(r"compares with $(1-k^2)^2/D$: the statement is true because $0<1-k^2<1$", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_other_kernel,
    work=_work_other_kernel,
    statement=r"""
        On a line $k(x,z)=e^{-|x-z|}$ is a kernel. By Bochner's theorem there is a distribution of $\omega$ with $\mathbf E\cos(\omega u)=e^{-|u|}$ for every $u$. Random Fourier features
        draw frequencies from it. Write $k$ for the value $k(x,z)$.

        (a) Find the variance of one cosine $\cos(\omega(x-z))$, and the variance of the estimate of $k(x,z)$ from $D$ features in pairs.

        (b) Find the variance for $D$ features with phases.

        (c) For two points with $k=\tfrac1{@q}$ the standard deviation must be at most $\tfrac1{@r}$. Which $D$ is the smallest for pairs, and which for phases?

        (d) True or false, with a reason: for two points with the same kernel value $0<k<1$ and the same $D$, pairs have a larger variance for this kernel than for the Gaussian kernel.""",
    solution=r"""
        (a) Let $v=\omega u$ with $u=x-z$. Then $\mathbf E\cos v=k$. Because $\cos^2v=\tfrac12(1+\cos2v)$ and $\mathbf E\cos2v=e^{-2|u|}=k^2$, one cosine has the variance
        $\tfrac12(1+k^2)-k^2=\tfrac12(1-k^2)$. Pairs with $D$ features average $D/2$ independent cosines, so their variance is $\tfrac12(1-k^2)/\tfrac D2=(1-k^2)/D$.

        (b) With phases each of the $D$ terms is $\cos(\omega(x-z))+\cos(\omega(x+z)+2b)$. For a fixed $\omega$, average over $b$: the second term has mean 0 and mean square $\tfrac12$, and its product with the first
        has mean 0. So the variances add up to $\tfrac12(1-k^2)+\tfrac12$, and the mean of $D$ terms has the variance $(1-\tfrac12k^2)/D$.

        (c) The variance must be at most $1/@square$. With $k^2=@k2$ this means $D\ge@square\cdot@rest=@pairs$ for pairs, and $D\ge@square\cdot@phases=@more$ for phases.

        (d) True. For the Gaussian kernel the variance is $(1-k^2)^2/D$. It is $1-k^2$ times the variance $(1-k^2)/D$ of this kernel, and $0<1-k^2<1$.""",
)  # fmt: skip


def _draw_in_the_plane(rng: np.random.Generator) -> dict[str, Any]:
    z = np.array([[1, 1], [1, 2], [2, 1], [1, -1], [2, -1]][rng.integers(5)])
    return {"z": z, "x1": rng.integers(-2, 4, 2), "x2": rng.integers(-2, 4, 2)}


def _work_in_the_plane(z: np.ndarray, x1: np.ndarray, x2: np.ndarray) -> dict[str, Any]:
    X = np.array([x1, x2])
    K, row = X @ X.T, X @ z
    hat = exact(np.outer(row, row)) / int(z @ z)
    left = exact(K) - hat
    across = np.array([int(x[0] * z[1] - x[1] * z[0]) for x in X])
    if left[0, 1] >= 0 or not row.all() or abs(int(np.linalg.det(X))) == 0:
        raise Unfit("no negative entry")
    return {"K": K, "row": row, "square": int(z @ z), "hat": hat, "left": left, "entry": K[0, 1], "larger": hat[0, 1],
            "normal": np.array([z[1], -z[0]]), "across": across, "answer": hat}  # fmt: skip


in_the_plane = Problem(
    name="in_the_plane",
    title="Nyström's approximation in the plane",
    kind=Free((
        Step(r"finds $k_m(x_1)=@r1$, $k_m(x_2)=@r2$ and $\hat K=@hat$", 2),
        Step(r"finds $K-\hat K=@left$", 1),
        Step(r"shows that $K-\hat K$ is the Gram matrix of the residuals, or proves in another way that $a^\top(K-\hat K)a\ge0$", 2),
        Step("says that (c) is false and names the entry", 1),
        Step("says that (d) is true, because two linearly independent sections span the whole space, so all residuals are 0", 2),
    )),
    level=2, minutes=11, points=8,
    draw=_draw_in_the_plane,
    work=lambda z, x1, x2: (found := _work_in_the_plane(z, x1, x2)) | {"r1": int(found["row"][0]), "r2": int(found["row"][1])},
    statement=r"""
        The kernel is the linear kernel in the plane, $k(x,x')=x^\top x'$. There is one landmark, $z=@z$, and there are two points, $x_1=@x1$ and $x_2=@x2$.

        (a) Find $K$, and Nyström's approximation $\hat K$ of it, for the two points.

        (b) Find $K-\hat K$, and show that it is positive semi-definite.

        (c) True or false: every entry of $\hat K$ is at most as large as the same entry of $K$.

        (d) True or false, with a reason: with two linearly independent landmarks $\hat k(x,x')=k(x,x')$ for all $x$ and $x'$ of the plane.""",
    solution=r"""
        (a) $K=@K$. The Gram matrix of the landmark is $K_{mm}=z^\top z=@square$, and the kernel values of the points with it are $k_m(x_1)=@r1$ and $k_m(x_2)=@r2$. So
        $\hat k(x,x')=k_m(x)\,k_m(x')/@square$ and $\hat K=@hat$.

        (b) $K-\hat K=@left$. The projection of $x_i$ onto the direction of $z$ leaves out a residual $r_i$ along the vector $@normal$, which is orthogonal to $z$. The entries of $K-\hat K$ are the inner products
        $r_i^\top r_j$, because a residual is orthogonal to every projection. So $a^\top(K-\hat K)\,a=\|a_1r_1+a_2r_2\|^2\ge0$. (Here the inner products of the points with $@normal$ are $@across$, so
        $K-\hat K$ contains their products, divided by $@square$.)

        (c) False: $K_{12}=@entry$, but $\hat K_{12}=@larger$ is larger. The statement holds for the diagonal entries only.

        (d) True. The section of $z$ is the linear function $x\mapsto z^\top x$. Two linearly independent landmarks have sections that span all linear functions of the plane, so $Pk_x=k_x$ for every $x$, and
        $\hat k(x,x')=\langle Pk_x,Pk_{x'}\rangle=k(x,x')$.""",
)  # fmt: skip


def _draw_two_places(rng: np.random.Generator) -> dict[str, Any]:
    return {"n1": int(rng.integers(5, 13)), "n2": int(rng.integers(2, 5)), "lam": int(rng.integers(1, 4))}


def _work_two_places(n1: int, n2: int, lam: int) -> dict[str, Any]:
    n, one, two = n1 + n2, Fraction(1, n1 + lam), Fraction(1, n2 + lam)
    p, uniform = n2 * two / (n1 * one + n2 * two), Fraction(n2, n)
    both, plain = 2 * p * (1 - p), Fraction(2 * n1 * n2, n * n)
    fit(p, uniform, both, plain, n1 * one + n2 * two, denominator=200)
    if p.denominator > 15 or n > 15:
        raise Unfit("long fractions")
    return {"n": n, "one": one, "two": two, "s1": n1 * one, "s2": n2 * two, "sum": n1 * one + n2 * two, "p": p, "other": 1 - p,
            "uniform": uniform, "both": both, "plain": plain, "answer": (one, two, p, uniform, both, plain)}  # fmt: skip


two_places = Problem(
    name="two_places",
    title="Landmarks for two places",
    kind=Free((
        Step(r"shows that a place with $n_c$ readings contributes the block $\tfrac1{n_c+\lambda}\mathbf 1\mathbf 1^\top$ to $K(K+\lambda I)^{-1}$", 2),
        Step("finds the leverages $@one$ at A and $@two$ at B", 1),
        Step("finds the probabilities $@p$ for leverage and $@uniform$ for uniform landmarks", 2),
        Step("finds $@both$ and $@plain$ for two draws", 1),
        Step("says that after the first pivot the residual is 0 at its place and 1 at the other place, so the probability is 1", 2),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_two_places,
    work=_work_two_places,
    statement=r"""
        At place A there are $@n1$ readings, and at place B $@n2$. The kernel is 1 for two readings at the same place. The two places are so far apart that it is 0 for two readings at different places. Let
        $\lambda=@lam$.

        (a) Find the leverage $\ell_i=\bigl(K(K+\lambda I)^{-1}\bigr)_{ii}$ of a reading at A and of a reading at B. Give a proof.

        (b) A landmark is drawn. What is the probability that it is at B, if each reading has a probability proportional to its leverage, and if it is drawn uniformly?

        (c) Two landmarks are drawn independently of each other, so the same reading may be drawn twice. What is the probability that they are at different places, for leverage and for uniform draws?

        (d) Two landmarks are drawn as pivots, each with a probability proportional to the residual $k(x,x)-\hat k(x,x)$. What is the probability that they are at different places? Give a reason.""",
    solution=r"""
        (a) $K$ has two blocks, one for each place, and a block of $n_c$ readings is $\mathbf 1\mathbf 1^\top$. From $\mathbf 1\mathbf 1^\top(\mathbf 1\mathbf 1^\top+\lambda I)=(n_c+\lambda)\,\mathbf 1\mathbf 1^\top$ follows
        $\mathbf 1\mathbf 1^\top(\mathbf 1\mathbf 1^\top+\lambda I)^{-1}=\tfrac1{n_c+\lambda}\mathbf 1\mathbf 1^\top$. Its diagonal is $\tfrac1{n_c+\lambda}$. So the leverage is $@one$ at A and $@two$ at B.

        (b) The leverages sum to $@n1\cdot@one=@s1$ at A and to $@n2\cdot@two=@s2$ at B, together $@sum$. So a landmark is at B with the probability $@s2/@sum=@p$. With a uniform draw it is
        $@n2/@n=@uniform$.

        (c) The first is at A and the second at B, or the reverse. For leverage the probability is $2\cdot@p\cdot@other=@both$. For uniform draws it is $2\cdot@n1\cdot@n2/@n^2=@plain$.

        (d) The probability is 1. Without landmarks $\hat k=0$, and all residuals are 1. After the first pivot $z$ the residual is $k(x,x)-k(x,z)^2/k(z,z)$. It is $1-1=0$ for every reading at the place of $z$, and
        $1-0=1$ for every reading at the other place. So the second pivot is at the other place.""",
)  # fmt: skip


def _draw_between(rng: np.random.Generator) -> dict[str, Any]:
    s, left, base = int(rng.integers(2, 5)), int(rng.integers(-4, 3)), int(rng.choice([2, 3]))
    return {"z1": left, "z2": left + 2 * s, "base": base, "width": s * s * int(rng.choice([1, 2]))}


def _work_between(z1: int, z2: int, base: int, width: int) -> dict[str, Any]:
    double = Fraction((z2 - z1) ** 2, 2 * width)  # h² = base^-double at the midpoint
    if double.denominator > 1 or base ** int(double) > 9:
        raise Unfit("not a short fraction")
    h2 = Fraction(1, base ** int(double))
    two = 2 * h2 / (1 + h2 * h2)
    return {
        "middle": Fraction(z1 + z2, 2),
        "h2": h2,
        "c": h2 * h2,
        "one": 1 - h2,
        "hat": two,
        "left": 1 - two,
        "answer": (1 - h2, 1 - two),
    }


between = Problem(
    name="between",
    title="The residual between two landmarks",
    kind=Free((
        Step(r"finds $1-k(x,z_1)^2$ for one landmark, and $@one$ at the midpoint", 2),
        Step(r"inverts $K_{mm}$, or uses that $(1,1)$ is an eigenvector, and finds $\hat k=2h^2/(1+c)$ at the midpoint", 2),
        Step("uses $c=h^4=@c$ and finds the residual $@left$", 1),
        Step("draws a curve that touches 0 at $@z1$ and $@z2$ without a change of sign, has the value $@left$ at $@middle$, and tends to 1 on both sides", 2),
        Step("says that an additional landmark makes no residual longer, because the span has grown", 1),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_between,
    work=_work_between,
    statement=r"""
        The Gaussian kernel on a line has a width such that $k(x,z)=@base^{-(x-z)^2/@width}$. Two landmarks are at $z_1=@z1$ and $z_2=@z2$.

        (a) Suppose that there is only the landmark $z_1$. Find the residual $k(x,x)-\hat k(x,x)$ as a function of $x$, and its value halfway between $z_1$ and $z_2$.

        (b) Find the residual halfway between the landmarks if there are both. Write $h$ for the kernel of the midpoint with a landmark, and $c=k(z_1,z_2)$.

        (c) Sketch the residual with both landmarks as a function of $x$: where it is 0, its value at the midpoint, and its limits on the left and on the right.

        (d) Can a third landmark make the residual larger at some $x$? Give a reason.""",
    solution=r"""
        (a) With one landmark $\hat k(x,x)=k(x,z_1)^2/k(z_1,z_1)=k(x,z_1)^2$, so the residual is $1-k(x,z_1)^2$. At the midpoint $@middle$ it is $1-h^2$ with $h^2=@h2$, that is $@one$.

        (b) $k_m(x)=(h,h)^\top$ and $K_{mm}=\begin{pmatrix}1&c\\c&1\end{pmatrix}$. Because $K_{mm}(1,1)^\top=(1+c)(1,1)^\top$, we have $K_{mm}^{-1}(h,h)^\top=\tfrac h{1+c}(1,1)^\top$ and
        $\hat k(x,x)=\tfrac{2h^2}{1+c}$. The distance of the landmarks is twice that of the midpoint from a landmark, so $c=h^4=@c$. Hence $\hat k(x,x)=2\cdot@h2/(1+@c)=@hat$, and the residual is
        $1-@hat=@left$.

        (c) At $@z1$ and $@z2$ the residual is 0. It is a squared length and never negative, so the curve touches the axis there and does not cross it. At $@middle$ it has the value
        $@left$. The curve is symmetric about $@middle$. On the left and on the right all kernel values tend to 0, so the residual tends to 1.

        (d) No. The residual is the squared distance of $k_x$ from the span of the sections of the landmarks. With a third landmark the span has grown, so no distance is larger.""",
)  # fmt: skip


def _draw_coefficients(rng: np.random.Generator) -> dict[str, Any]:
    X, Z = rng.integers(-1, 3, (3, 2)), rng.integers(-1, 3, (2, 2))
    return {"Knm": X @ Z.T, "Kmm": Z @ Z.T, "y": rng.integers(-3, 5, 3), "lam": int(rng.integers(1, 4))}


def _work_coefficients(Knm: np.ndarray, Kmm: np.ndarray, y: np.ndarray, lam: int) -> dict[str, Any]:
    if round(np.linalg.det(Kmm)) == 0 or Kmm[0, 1] == 0 or np.abs(Knm).max() > 5 or (Kmm == np.eye(2)).all():
        raise Unfit("no landmarks, or too plain")
    S, b = Knm.T @ Knm, Knm.T @ y
    a = solve(S + lam * Kmm, b)
    fit(a, denominator=12)
    if not a.all():
        raise Unfit("a coefficient is 0")
    return {"S": S, "b": b, "A": S + lam * Kmm, "answer": a}


coefficients = Problem(
    name="coefficients",
    title="The coefficients of two landmarks",
    kind=Numbers(("a₁", "a₂")),
    level=2, minutes=8, points=4,
    draw=_draw_coefficients,
    work=_work_coefficients,
    statement=r"""
        Nyström's method with two landmarks learns from three points. The kernels of points and landmarks are $K_{nm}=@Knm$, the Gram matrix of the landmarks is $K_{mm}=@Kmm$, and the targets are
        $y=@y$. What are the coefficients of $f=a_1k(z_1,\cdot)+a_2k(z_2,\cdot)$ for $\lambda=@lam$, next to the sum of squared errors?""",
    solution=r"""
        $K_{nm}^\top K_{nm}=@S$ and $K_{nm}^\top y=@b$. The equation $(K_{nm}^\top K_{nm}+\lambda K_{mm})\,a=K_{nm}^\top y$ has the matrix $@A$, and its solution is $a=@answer$.""",
    mistakes=(
        Misconception("if the penalty is λ times the sum of the squared coefficients, so that λI is added", lambda S, b, lam: solve(S + lam * np.eye(2, dtype=int), b), 0.5),
        Misconception("if the penalty is left out", lambda S, b: solve(S, b) if round(np.linalg.det(S)) else None, 0.25),
        Misconception("if λ is multiplied by the number of points", lambda S, b, lam, Kmm: solve(S + 3 * lam * Kmm, b), 0.5),
        Misconception("if only the diagonal of the Gram matrix of the landmarks is used",
             lambda S, b, lam, Kmm: solve(S + lam * np.diag(np.diag(Kmm)), b), 0.5),
    ),
)  # fmt: skip


def _draw_gram_error(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "n1": int(rng.integers(2, 6)),
        "n2": int(rng.integers(2, 6)),
        "square": Fraction(1, int(rng.choice([2, 3, 4]))),
        "D": int(rng.choice([20, 40, 50, 100])),
    }


def _work_gram_error(n1: int, n2: int, square: Fraction, D: int) -> dict[str, Any]:
    same, mixed = n1 * n1 + n2 * n2, 2 * n1 * n2
    pairs, phases = (1 - square) ** 2, 1 + square**2 / 2 - square
    first, second = mixed * pairs / D, (same * Fraction(1, 2) + mixed * phases) / D
    fit(first, second)
    return {"same": same, "mixed": mixed, "pairs": pairs, "phases": phases, "answer": [first, second]}


gram_error = Problem(
    name="gram_error",
    title="The expected error of a Gram matrix",
    kind=Numbers(("pairs", "phases")),
    level=2, minutes=7, points=4,
    draw=_draw_gram_error,
    work=_work_gram_error,
    statement=r"""
        A Gaussian kernel has the value 1 for two readings at the same place, and $k$ with $k^2=@square$ for two readings at different places. There are $@n1$ readings at one place and $@n2$ at the other. What
        is the expected squared error $\mathbf E\,\|K-\hat K\|^2$ in the Frobenius norm of the Gram matrix of all readings, for $D=@D$ random Fourier features in pairs, and for as many with phases?""",
    solution=r"""
        Of all entries $@same$ belong to the same place and $@mixed$ to different places. With pairs an entry has the variance $(1-k^2)^2/D$, which is 0 for $k=1$ and $@pairs/D$ for different places. With phases it is
        $(1+\tfrac12k^4-k^2)/D$, which is $\tfrac12/D$ for $k=1$ and $@phases/D$ for different places. So the sums are $@mixed\cdot@pairs/@D$ and $(@same\cdot\tfrac12+@mixed\cdot@phases)/@D$, that is
        $@answer$.""",
    mistakes=(
        Misconception("if each pair of readings is counted once and not twice", lambda same, mixed, pairs, phases, D, n1, n2: [mixed * pairs / 2 / D,
             (Fraction(same + n1 + n2, 4) + mixed * phases / 2) / D], 0.5),
        Misconception("if phases are taken to be exact for two readings at the same place",
             lambda mixed, phases, D, answer: [answer[0], mixed * phases / D], 0.5),
        Misconception("if the average is taken over D/2 cosines in both cases", lambda answer: [answer[0], 2 * answer[1]], 0.5),
        Misconception("if the variance of one cosine is divided by D, although pairs have D/2 frequencies", lambda answer: [answer[0] / 2, answer[1]], 0.5),
    ),
)  # fmt: skip

THIRD_ROOTS = {125: 25, 216: 36, 512: 64, 1000: 100}  # of the squares


def _work_same_cost(m: int, t: int) -> dict[str, Any]:
    ratio = Fraction(3 * t * THIRD_ROOTS[m], m)
    if ratio.denominator > 1 or ratio > 12:
        raise Unfit("no short root")
    return {"n": 9 * t**3, "s": 3 * t * THIRD_ROOTS[m], "ratio": ratio, "answer": [ratio, ratio**2]}


same_cost = Problem(
    name="same_cost",
    title="A subsample for the same cost",
    kind=Numbers(("points, as a multiple of m", "numbers, as a multiple of m²")),
    level=2, minutes=6, points=3,
    draw=lambda rng: {"m": int(rng.choice(list(THIRD_ROOTS))), "t": int(rng.choice([6, 8, 10, 12, 15, 16, 20, 30]))},
    work=_work_same_cost,
    statement=r"""
        Nyström's method with $m=@m$ landmarks learns from $n=@n$ points. How many points has a subsample for which kernel ridge regression takes as many products, if only the leading terms $nm^2/2$ and
        $s^3/6$ count? Give $s$ as a multiple of $m$. The matrix of Nyström's equation has $m^2$ numbers. How many has the Gram matrix of this subsample, as a multiple of $m^2$?""",
    solution=r"""
        $s^3/6=nm^2/2$ means $s^3=3nm^2$. So $(s/m)^3=3n/m=3\cdot@n/@m$, and $s/m=@ratio$ (which is $s=@s$). The Gram matrix has $s^2$ numbers, $(s/m)^2$ times as many. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the factors 1/2 and 1/6 are left out", lambda n, m: [round((n / m) ** (1 / 3), 2), round((n / m) ** (2 / 3), 2)], 0.5),
        Misconception("if the memory is taken to grow like the number of points", lambda ratio: [ratio, ratio], 0.5),
        Misconception("if the memory is taken to grow like the third power", lambda ratio: [ratio, ratio**3] if ratio < 9 else None, 0.5),
        Misconception("if both methods are taken to cost the same for the same number of Gaussians", lambda: [1, 1]),
    ),
)  # fmt: skip


def _draw_default_width(rng: np.random.Generator) -> dict[str, Any]:
    return {"X": rng.integers(-3, 6, (3, 2)), "factor": int(rng.integers(2, 5))}


def _work_default_width(X: np.ndarray, factor: int) -> dict[str, Any]:
    entries = exact(X).ravel()
    mean = sum(entries) / 6
    variance = sum((e - mean) ** 2 for e in entries) / 6
    columns = sum(((exact(X[:, j]) - sum(exact(X[:, j])) / 3) ** 2).sum() for j in (0, 1)) / 6
    if mean.denominator > 1 or variance == 0 or columns in (0, variance):
        raise Unfit("no short mean, or the same variance within the columns")
    gamma = 1 / (2 * variance)
    fit(gamma, 2 * gamma, variance, denominator=60)
    return {"mean": mean, "variance": variance, "columns": columns, "gamma": gamma, "scaled": gamma / factor**2,
            "answer": [gamma, 2 * gamma, factor**2 * variance]}  # fmt: skip


default_width = Problem(
    name="default_width",
    title="A width from the data",
    kind=Numbers(("γ", "variance of the frequencies", "σ² after the change of units")),
    level=1, minutes=6, points=3,
    draw=_draw_default_width,
    work=_work_default_width,
    statement=r"""
        Three points with $d=2$ coordinates are the rows of $X=@X$. The Gaussian kernel $e^{-\gamma\|x-z\|^2}$ has $\gamma=1/(d\operatorname{Var}X)$, with the variance of all six entries of $X$ (with the factor $\tfrac16$). What are
        $\gamma$ and the variance of the random frequencies in each direction? Then all coordinates are multiplied by $@factor$, and $\gamma$ is computed again. What is $\sigma^2$ now?""",
    solution=r"""
        The mean of the six entries is $@mean$, and their variance is $@variance$. So $\gamma=1/(2\cdot@variance)=@gamma$. Because $\gamma=1/(2\sigma^2)$, the frequencies have the variance $1/\sigma^2=2\gamma$. Multiplied coordinates
        multiply the variance by $@factor^2$, so $\gamma$ is $@scaled$ and $\sigma^2=1/(2\gamma)$. The answers are $@answer$.""",
    mistakes=(
        Misconception("if the variance of the frequencies is taken as γ", lambda answer: [answer[0], answer[0], answer[2]], 0.5),
        Misconception("if the number of coordinates is left out of γ", lambda answer: [2 * answer[0], 2 * answer[1], answer[2] / 2], 0.5),
        Misconception("if the mean of each column is subtracted instead of the mean of all entries",
             lambda columns, factor: [1 / (2 * columns), 1 / columns, factor**2 * columns], 0.5),
        Misconception("if σ² is multiplied by the factor and not by its square", lambda answer, factor: [*answer[:2], answer[2] / factor], 0.5),
    ),
)  # fmt: skip


def _gaussian(share: Fraction, above: int, below: int) -> str:
    front = "" if share == 1 else r"\tfrac12\," if share == Fraction(1, 2) else f"{share}\\,"
    top = "" if above == 1 else f"{above}"
    return f"${front}e^{{-{top}\\|x-z\\|^2" + ("" if below == 1 else f"/{below}") + "}$"


def _draw_which_kernel(rng: np.random.Generator) -> dict[str, Any]:
    return {"v": int(rng.choice([2, 4, 6, 8, 10])), "D": int(rng.choice([50, 100, 200])), "size": int(rng.integers(3))}


def _work_which_kernel(v: int, D: int, size: int) -> dict[str, Any]:
    share = (Fraction(1, 2), Fraction(1), Fraction(2))[size]
    return {"factor": (rf"1/\sqrt{{{2 * D}}}", rf"1/\sqrt{{{D}}}", rf"\sqrt{{2/{D}}}")[size], "share": share,
            "sigma2": Fraction(1, v), "half": v // 2, "answer": _gaussian(share, v // 2, 1)}  # fmt: skip


which_kernel = Problem(
    name="which_kernel",
    title="Which kernel do these features estimate?",
    kind=Choice(),
    level=2, minutes=5, points=3,
    draw=_draw_which_kernel,
    work=_work_which_kernel,
    statement=r"""
        A program draws $@D$ frequencies from $\mathcal N(0,@v\,I)$. The features of $x$ are the cosine and the sine of each $\omega_j^\top x$, all multiplied by $@factor$. What is the mean of
        $\varphi(x)^\top\varphi(z)$?""",
    solution=r"""
        Each frequency contributes the cosine of $\omega_j^\top(x-z)$, whose mean is $e^{-\|x-z\|^2/(2\sigma^2)}$ with $\sigma^2=@sigma2$. The $@D$ terms have the factor $(@factor)^2$, so together the factor $@share$. This gives @answer.""",
    mistakes=(
        Misconception("With the variance of the frequencies, the exponent has the factor 1/2.", lambda share, v: _gaussian(share, v, 1)),
        Misconception("The variance of the frequencies is the inverse of the squared width, not the squared width.",
             lambda share, v: _gaussian(share, 1, 2 * v)),
        Misconception("The features in pairs are twice as many as the frequencies, but each frequency contributes one cosine of the difference.",
             lambda share, half: _gaussian(Fraction(2 if share == 1 else 1), half, 1), 0.25),
        Misconception("At distance 0 the inner product is the number of frequencies times the squared factor.",
             lambda share, half: _gaussian(Fraction(1, 2) if share >= 1 else Fraction(2), half, 1)),
    ),
)  # fmt: skip

cluster = Problem(
    name="cluster",
    title="Sums on a cluster",
    kind=Gaps((
        Gap("$@sums$", (
            ("$@block$", "The kernels of the block stay with the worker. Only the two sums come back."),
            ("$@only$", "The second sum, with the targets, has as many numbers as landmarks."),
        )),
        Gap("$@times$", (
            ("$@linear$", "The sum of products has an entry for each pair of landmarks."),
            ("$@cubed$", "That is the factor for solving the system of equations, which takes less time here."),
        )),
        Gap("$@many$", (
            ("$@all$", "A prediction needs the kernels with the landmarks only."),
            ("$@m$", "There are more landmarks now."),
        )),
    )),
    level=1, minutes=4, points=3,
    draw=lambda rng: {"m": int(rng.choice([20, 30, 40, 50, 60])), "rows": 100 * int(rng.integers(2, 10)), "blocks": int(rng.choice([100, 200, 500])),
                      "r": int(rng.integers(2, 5))},
    work=lambda m, rows, blocks, r: {"sums": m * m + m, "only": m * m, "block": rows * m, "times": r**2, "linear": r, "cubed": r**3, "many": r * m,
                                     "all": rows * blocks},
    statement=r"""
        Nyström's method with $@m$ landmarks learns from $@blocks$ blocks of $@rows$ rows each. Every block has a worker of its own, which computes its part of the two sums. Fill the gaps. A worker sends back **(1)** numbers, all entries of both sums.
        Then $@r$ times as many landmarks are used. The products of $K_{nm}^\top K_{nm}$, which take most of the time, are then **(2)** times as many, and a prediction needs **(3)** kernels.""",
    solution=r"""
        (1) $K_{nm}^\top K_{nm}$ has $m^2$ numbers, and $K_{nm}^\top y$ has $m$: $@m^2+@m=@sums$. (2) The leading term is $nm^2/2$, so the factor is $@r^2=@times$. (3) One kernel with each of the
        $@r\cdot@m=@many$ landmarks.""",
)  # fmt: skip

PROBLEMS = (
    one_landmark,
    other_kernel,
    in_the_plane,
    two_places,
    between,
    coefficients,
    gram_error,
    same_cost,
    default_width,
    which_kernel,
    cluster,
)
