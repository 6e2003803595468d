"""Exam problems on the kernel trick."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, factorial
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Free, Misconception, Numbers, Problem, Step, Unfit, option


def _draw_unit_length(rng: np.random.Generator) -> dict[str, Any]:
    a = ((1, 4), (1, 9), (1, 16), (1, 25), (4, 1), (9, 1), (4, 9), (9, 4))[rng.integers(8)]
    return {"a": Fraction(*a), "p": int(rng.choice([2, 3, 4, 5]))}


def _work_unit_length(a: Fraction, p: int) -> dict[str, Any]:
    sigma = Fraction(1, int(a.numerator**0.5)) * int(a.denominator**0.5)
    value, same = (
        (r"1", "All numbers have the same image.") if p % 2 == 0
        else (r"\pm1", "All positive numbers have the same image, and all negative numbers have its opposite.")
    )  # fmt: skip
    return {"half": a / 2, "variance": 1 / a, "sigma": sigma, "value": value, "same": same, "answer": sigma}


unit_length = Problem(
    name="unit_length",
    title="A kernel with images of length 1",
    kind=Free((
        Step(r"(a) uses the rule for $g(x)\,k(x,z)\,g(z)$ with $g(x)=1/\sqrt{k(x,x)}$, or gives the features $\varphi(x)/\|\varphi(x)\|$", 1),
        Step(r"(a) finds $\hat k(x,x)=1$, which is the squared length", 1),
        Step(r"(b) proves $|\hat k|\le1$ from a sum or squared length that is not negative, for both signs, or with the Cauchy–Schwarz inequality", 2),
        Step(r"(c) completes the square in the exponent and finds a Gaussian with $\sigma=@sigma$", 2),
        Step("(d) finds $@value$ and says which numbers have the same image", 1),
    )),
    level=2, minutes=11, points=7,
    draw=_draw_unit_length,
    work=_work_unit_length,
    statement=r"""
        Let $k$ be a kernel with $k(x,x)>0$ for all $x$, and let $\hat k(x,z)=k(x,z)\big/\sqrt{k(x,x)\,k(z,z)}$.
        (a) Show that $\hat k$ is a kernel, and that every image under a feature map of $\hat k$ has length 1.
        (b) Show that $-1\le\hat k(x,z)\le1$.
        (c) For $x,z\in\mathbb R^d$ let $k(x,z)=e^{@a\,x^\top z}$. Show that $\hat k$ is the Gaussian kernel, and find its $\sigma$.
        (d) For numbers $x,z\ne0$ let $k(x,z)=(xz)^{@p}$. Which values does $\hat k$ take, and which numbers have the same image?""",
    solution=r"""
        (a) With $g(x)=1/\sqrt{k(x,x)}$ we have $\hat k(x,z)=g(x)\,k(x,z)\,g(z)$, which is a kernel by the rules. The squared length of an
        image is $\hat k(x,x)=k(x,x)/k(x,x)=1$.

        (b) The squared distance of two images is $\hat k(x,x)+\hat k(z,z)-2\hat k(x,z)=2-2\hat k(x,z)\ge0$, so $\hat k(x,z)\le1$. With
        $c=(1,1)$ the sum $\sum_{i,j}c_ic_j\hat k(x_i,x_j)=2+2\hat k(x,z)$ is not negative either, so $\hat k(x,z)\ge-1$.

        (c) $k(x,x)=e^{@a\|x\|^2}$, so the exponent of $\hat k$ is
        $@a\,x^\top z-@half\|x\|^2-@half\|z\|^2=-@half\|x-z\|^2$. This is the exponent $-\|x-z\|^2/(2\sigma^2)$ with
        $\sigma^2=@variance$, so $\sigma=@sigma$.

        (d) $\hat k(x,z)=(xz)^{@p}/\sqrt{x^{2\cdot@p}\,z^{2\cdot@p}}=(xz)^{@p}/|xz|^{@p}=@value$. @same""",
)  # fmt: skip


def _draw_equally_alike(rng: np.random.Generator) -> dict[str, Any]:
    n, a, d = int(rng.integers(3, 8)), int(rng.integers(4, 16)), int(rng.integers(2, 4))
    if a % d or a // d + 1 == n:
        raise Unfit("a fraction, or the same n twice")
    return {"n": n, "a": a, "d": d}


def _work_equally_alike(n: int, a: int, d: int) -> dict[str, Any]:
    return {
        "others": n - 1,
        "low": Fraction(-a, n - 1),
        "most": a // d + 1,
        "answer": (Fraction(-a, n - 1), a, a // d + 1),
    }


equally_alike = Problem(
    name="equally_alike",
    title="Points that are all equally alike",
    kind=Free((
        Step(r"(a) finds the eigenvalue $@a+@others b$ with the eigenvector of ones", 1),
        Step(r"(a) finds the eigenvalue $@a-b$ for all vectors with the sum 0, or an equal argument for all $c$", 2),
        Step("(b) concludes $@low\\le b\\le@a$", 1),
        Step("(c) $b=@a$: all images are equal; $b=@low$: their sum is the zero vector, or they are the corners of a regular figure around it", 2),
        Step("(d) finds that at most $@most$ points are possible, so the function is not a kernel", 1),
    )),
    level=3, minutes=12, points=7,
    draw=_draw_equally_alike,
    work=_work_equally_alike,
    statement=r"""
        A symmetric function $k$ has $k(x,x)=@a$ for every $x$ and $k(x,z)=b$ for all $x\ne z$. Let $K$ be its matrix at $n=@n$
        different points.
        (a) Find all eigenvalues of $K$.
        (b) For which $b$ is $K$ positive semi-definite?
        (c) How do the images of the points lie for the largest and for the smallest $b$ of (b)?
        (d) Let $b=-@d$. For at most how many different points is the matrix positive semi-definite? Can $k$ be a kernel on the real line?""",
    solution=r"""
        (a) $K=(@a-b)\,I+b\,\mathbf 1\mathbf 1^\top$. The vector $\mathbf 1$ of ones has $K\mathbf 1=(@a-b+@n b)\,\mathbf 1=(@a+@others b)\,\mathbf 1$. A vector $v$ with
        the sum 0 has $\mathbf 1^\top v=0$, so $Kv=(@a-b)\,v$. These vectors form a space of dimension $@others$, so there are no other eigenvalues.

        (b) Neither may be negative: $b\le@a$ and $@a+@others b\ge0$, so $@low\le b\le@a$.

        (c) For $b=@a$ the squared distance of two images is $@a+@a-2b=0$, so all images are equal. For $b=@low$ we have
        $\|\sum_i\varphi(x_i)\|^2=\mathbf 1^\top K\mathbf 1=@n\,(@a+@others b)=0$, so the sum of the images is the zero vector.

        (d) With $m$ points the first eigenvalue is $@a-@d(m-1)$, and the other one is $@a+@d>0$. The first is not negative for $m\le@a/@d+1=@most$. The real line has
        more points than that, and a kernel has no negative eigenvalue at any finite set of points. So $k$ is not a kernel.""",
)  # fmt: skip


def _draw_claims(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "q": int(rng.integers(2, 8)),
        "a": int(rng.choice([2, 3, 5, 6])),
        "b": int(rng.integers(2, 6)),
        "d": int(rng.integers(2, 6)),
    }


def _work_claims(q: int, a: int, b: int, d: int) -> dict[str, Any]:
    ones, diagonal = np.ones((2, 2), int), np.diag([1, d])
    return {"near": (1 - q) ** 2, "far": (1 + q) ** 2, "ones": ones, "diagonal": diagonal, "product": diagonal @ ones,
            "answer": -8 * q}  # fmt: skip


claims = Problem(
    name="claims",
    title="Kernel or not?",
    kind=Free((
        Step("(a) false: gives points and coefficients", 1),
        Step("(a) computes the sum or the eigenvalue for them correctly, and it is negative", 2),
        Step("(b) true: gives the two features, or another proof", 2),
        Step("(c) false: gives two Gram matrices and shows that their product is not symmetric or not positive semi-definite", 2),
    )),
    level=2, minutes=12, points=7,
    draw=_draw_claims,
    work=_work_claims,
    statement=r"""
        True or false? Give a proof or a counterexample with numbers.
        (a) $k(x,z)=(xz-@q)^2$ is a kernel on the real line.
        (b) $k(x,z)=@a\cos\bigl(@b(x-z)\bigr)$ is a kernel on the real line.
        (c) If $K_1$ and $K_2$ are Gram matrices of two kernels at the same points, then the matrix product $K_1K_2$ is also a
        Gram matrix of some kernel at these points.""",
    solution=r"""
        (a) False. Take the points $1$ and $-1$ with $c=(1,-1)$. On the diagonal $k(1,1)=k(-1,-1)=(1-@q)^2=@near$, and
        $k(1,-1)=(-1-@q)^2=@far$. The sum is $\sum_{i,j}c_ic_jk(x_i,x_j)=2\cdot@near-2\cdot@far=@answer<0$.

        (b) True. $\cos(@b x-@b z)=\cos(@b x)\cos(@b z)+\sin(@b x)\sin(@b z)$, so $k(x,z)=\varphi(x)^\top\varphi(z)$ with the features
        $\varphi(x)=\sqrt{@a}\,\bigl(\cos(@b x),\ \sin(@b x)\bigr)$.

        (c) False. Take $K_1=@diagonal$ and $K_2=@ones$. Both are symmetric, and their eigenvalues $1,@d$ and $0,2$ are not negative, so
        both are Gram matrices. But $K_1K_2=@product$ is not symmetric. It is the product entry by entry that is a Gram matrix.""",
)  # fmt: skip


def _draw_on_a_line(rng: np.random.Generator) -> dict[str, Any]:
    x = list(combinations(range(-2, 3), 3))[rng.integers(10)]
    sign = int(rng.choice([-1, 1]))
    order = rng.permutation(3)
    return {"points": [x[i] for i in order], "labels": [(sign, -sign, sign)[i] for i in order]}


def _work_on_a_line(points: list[int], labels: list[int]) -> dict[str, Any]:
    x, y, alpha, said = np.array(points), np.array(labels), np.zeros(3, int), []
    K = (1 + np.outer(x, x)) ** 2
    for turn in range(1, 6):
        before, seen = alpha.copy(), []
        for i in range(3):
            f = int((alpha * y) @ K[:, i])
            seen.append(f"f({x[i]})={f}" + (r"\text{ (mistake)}" if f * y[i] <= 0 else ""))
            alpha[i] += f * y[i] <= 0
        said.append(f"Round {turn}: ${', '.join(seen)}$.")
        if (alpha == before).all():
            break
    else:
        raise Unfit("too many rounds")
    w = alpha * y
    A, B, C = int(w @ x**2), int(2 * w @ x), int(w.sum())
    top = Fraction(-B, 2 * A)
    listed = [(int(a), int(b)) for a, b in zip(x, (w @ K), strict=True)]
    if len(said) < 3 or top.denominator > 4:
        raise Unfit("too few rounds, or a long fraction")
    return {"K": K, "rounds": " ".join(said), "alpha": alpha, "poly": _polynomial(A, B, C), "top": top, "bound": A * top**2 + B * top + C,
            "listed": ", ".join(f"({a},{b})" for a, b in sorted(listed)), "kind": "lowest" if A > 0 else "highest",
            "sum": _sum(w, x), "answer": (*alpha, A, B, C)}  # fmt: skip


def _polynomial(A: int, B: int, C: int) -> str:
    terms = [(A, "x^2"), (B, "x"), (C, "")]
    text = "".join(f"{v:+d}{power}" for v, power in terms if v)
    return text.replace("+1x", "+x").replace("-1x", "-x").removeprefix("+")


def _sum(w: np.ndarray, x: np.ndarray) -> str:
    terms = [f"{v:+d}" + (r"\cdot1" if at == 0 else f"(1{at:+d}x)^2") for v, at in zip(w, x, strict=True) if v]
    return "".join(terms).replace("1x", "x").replace("+1(", "+(").replace("-1(", "-(").removeprefix("+")


on_a_line = Problem(
    name="on_a_line",
    title="A perceptron with a parabola",
    kind=Free((
        Step("(a) argues that a linear function that has the same sign at both outer points has it between them", 1),
        Step("(b) computes the kernel values correctly", 1),
        Step("(b) updates on every mistake, also where $f=0$, and stops after a round without mistakes: $\\alpha=@alpha$", 3),
        Step("(c) finds $f(x)=@poly$", 1),
        Step("(c) sketches the parabola through $@listed$ with the @kind point at $x=@top$, and marks where each label is predicted", 2),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_on_a_line,
    work=_work_on_a_line,
    statement=r"""
        Three points on a line, $x=@{points}$, have the labels $y=@{labels}$, in this order.
        (a) Show that no function $wx+b$ has the right sign at all three points.
        (b) Run the kernel perceptron with $k(x,z)=(1+xz)^2$ and without a bias. It starts at $\alpha=0$ and visits the points in the given order, and
        $f=0$ counts as a mistake. Stop after the first round without mistakes. What is $\alpha$?
        (c) Write the final $f$ as a polynomial in $x$. Sketch it with its values at the three points and its highest or lowest
        point, and mark where $+1$ is predicted and where $-1$.""",
    solution=r"""
        (a) At the point in the middle $wx+b$ is a weighted mean of its values at the two outer points. Both of these must have the same
        sign, so the middle has this sign as well. But the label in the middle is the other one.

        (b) The kernel values are $K=@K$. On a mistake at $x_i$ the count $\alpha_i$ grows by 1, which changes $f$ at once. @rounds So $\alpha=@alpha$.

        (c) $f(x)=\sum_i\alpha_iy_i(1+x_ix)^2=@sum=@poly$. It passes through $@listed$, and its @kind point is $(@top,@bound)$. The
        prediction is $+1$ where the parabola is above 0, and $-1$ where it is below.""",
)  # fmt: skip


def _draw_mean_of_two(rng: np.random.Generator) -> dict[str, Any]:
    a = int(rng.choice([2, 3, 3, 3]))
    return {"a": a, "c": int(rng.integers(1, a * a - 1))}


def _work_mean_of_two(a: int, c: int) -> dict[str, Any]:
    return {"square": a * a, "fourth": a**4, "root": {1: "1", 4: "2"}.get(a * a - c, rf"\sqrt{{{a * a - c}}}"), "twice": 2 * c, "middle": "2" if c == 2 else rf"\sqrt{{{2 * c}}}", "best": a * a - c, "least": 2 * c * a * a - c * c, "csquare": c * c,
            "ends": 2 * c * a * a, "inner": 2 * (a * a - c), "answer": (a * a - c, 2 * c * a * a - c * c)}  # fmt: skip


mean_of_two = Problem(
    name="mean_of_two",
    title="The mean of two images",
    kind=Free((
        Step(r"(a) finds features such as $(@c,@middle\,x,x^2)$ and the mean $(@c,0,@square)$", 2),
        Step("(b) shows that no number has this image: the second feature requires 0, and the third then differs", 1),
        Step("(c) finds the squared distance $t^4-@{inner}t^2+@fourth$, with the features or from kernel values", 2),
        Step(r"(c) finds the minimum $@least$ at $t^2=@best$", 1),
        Step(r"(d) sketches an even curve with a local maximum $@fourth$ at 0, two minima $@least$ at $\pm@root$, and $@ends$ at $\pm@a$", 2),
    )),
    level=3, minutes=13, points=8,
    draw=_draw_mean_of_two,
    work=_work_mean_of_two,
    statement=r"""
        For numbers let $k(x,z)=(@c+xz)^2$, and let $\mu$ be the mean of the images of the two numbers $-@a$ and $@a$.
        (a) Find a feature map of $k$, and the coordinates of $\mu$.
        (b) Show that $\mu$ is not the image of any number.
        (c) Find $\|\varphi(t)-\mu\|^2$ as a polynomial in $t$. Which numbers $t$ have the images nearest to $\mu$, and what is their squared
        distance from $\mu$?
        (d) Sketch $\|\varphi(t)-\mu\|^2$ for $-@a\le t\le@a$. Mark its values at $0$ and $\pm@a$, and its minima.""",
    solution=r"""
        (a) $(@c+xz)^2=@csquare+@twice\,xz+x^2z^2$, so $\varphi(x)=(@c,\ @middle\,x,\ x^2)$ is a feature map. The
        mean of $\varphi(-@a)$ and $\varphi(@a)$ is $\mu=(@c,0,@square)$.

        (b) If $\varphi(x)=\mu$, the second feature gives $x=0$. But then the third is $0$ instead of $@square$.

        (c) $\|\varphi(t)-\mu\|^2=@twice\,t^2+(t^2-@square)^2=t^4-@{inner}t^2+@fourth$. This is
        $(t^2-@best)^2+@least$, so the minimum is $@least$, at $t^2=@best$, which means $t=\pm@root$. The image of the mean of the two
        numbers, which is 0, is not nearest.

        (d) The curve is even. It has the value $@fourth$ at $0$, which is a local maximum, falls to $@least$ at
        $\pm@root$ and rises to $@ends$ at $\pm@a$.""",
)  # fmt: skip


def _draw_weights(rng: np.random.Generator) -> dict[str, Any]:
    V = rng.integers(-2, 3, (4, 2))
    labels = rng.choice([-1, 1], 3)
    K = V[:3] @ V[:3].T + 1
    if np.any(K == 0) or abs(labels.sum()) == 3 or len(np.unique(V, axis=0)) < 4:
        raise Unfit("too simple")
    return {"K": K, "row": V[:3] @ V[3] + 1, "labels": list(labels), "alpha": list(rng.integers(1, 4, 3)), "V": V}


def _work_weights(K: np.ndarray, row: np.ndarray, labels: list[int], alpha: list[int]) -> dict[str, Any]:
    w = np.array(alpha) * np.array(labels)
    if len(set(alpha)) < 2 or not w @ row:
        raise Unfit("all alike")
    f, length = int(w @ row), int(w @ K @ w)
    return {"w": w, "Kw": K @ w, "f": f, "length": length, "answer": (f, length)}


weights = Problem(
    name="weights",
    title="Prediction and length of the weights in feature space",
    kind=Numbers(("f(x)", "‖w‖²")),
    level=2, minutes=7, points=4,
    draw=_draw_weights,
    work=_work_weights,
    statement=r"""
        A kernel perceptron without a bias has made $\alpha=@{alpha}$ mistakes at three points with the labels $y=@{labels}$. Their Gram
        matrix is $K=@K$. A new point $x$ has $k(x_i,x)=@{row}$ with the three points. What are $f(x)$ and the squared length $\|w\|^2$ of
        the weights in feature space?""",
    solution=r"""
        $w=\sum_i\alpha_iy_i\,\varphi(x_i)$, with the coefficients $\alpha_iy_i$, which are $v=@w$. So $f(x)=\sum_iv_ik(x_i,x)=@f$, and
        $\|w\|^2=v^\top Kv=@length$ with $Kv=@Kw$.""",
    mistakes=(
        Misconception("if the labels are left out", lambda alpha, row, K: (int(alpha @ row), int(alpha @ K @ np.array(alpha))), 0.25),
        Misconception("if the counts of mistakes are left out",
             lambda labels, row, K: (int(labels @ row), int(labels @ K @ np.array(labels))), 0.25),
        Misconception("if the length is computed from the diagonal of the Gram matrix only",
             lambda w, K, answer: (answer[0], int(w**2 @ np.diag(K))), 0.5),
        Misconception("if the coefficients are squared without the Gram matrix, as if the images were orthogonal and of length 1",
             lambda w, answer: (answer[0], int(w @ w)), 0.5),
    ),
)  # fmt: skip


def _draw_swapped(rng: np.random.Generator) -> dict[str, Any]:
    return {"x": rng.integers(-2, 4, 2), "z": rng.integers(-2, 4, 2), "c": int(rng.integers(1, 4))}


def _work_swapped(x: np.ndarray, z: np.ndarray, c: int) -> dict[str, Any]:
    a, b = int(x @ z), int(x @ z[::-1])
    if a == b or x[0] == x[1] or z[0] == z[1]:
        raise Unfit("the swap changes nothing")
    values = (c + a) ** 2, (c + b) ** 2
    return {"a": a, "b": b, "k1": values[0], "k2": values[1], "answer": Fraction(sum(values), 2)}


swapped = Problem(
    name="swapped",
    title="A kernel that does not depend on the order of the coordinates",
    kind=Numbers("value of the new kernel"),
    level=2, minutes=6, points=3,
    draw=_draw_swapped,
    work=_work_swapped,
    statement=r"""
        Let $T_1x=x$, and let $T_2x=(x_2,x_1)$ swap the two coordinates of a point. The kernel is $k(x,z)=(x^\top z+@c)^2$ with the feature map
        $\varphi$. A new feature map is the mean $\tilde\varphi(x)=\tfrac12\bigl(\varphi(T_1x)+\varphi(T_2x)\bigr)$. What is the
        new kernel $\tilde k(x,z)=\tilde\varphi(x)^\top\tilde\varphi(z)$ for $x=@x$ and $z=@z$?""",
    solution=r"""
        $\tilde k(x,z)=\tfrac14\sum_{s,t}k(T_sx,T_tz)$. The inner product is $@a$ if none or both of the points are swapped, and $@b$ if
        one of them is. Two of the four values of $k$ are $@k1$ and two are $@k2$. Their mean is $@answer$.""",
    mistakes=(
        Misconception("if the points are averaged instead of their images",
             lambda a, b, c: (c + Fraction(a + b, 2)) ** 2, 0.25),
        Misconception("if the four values are added but not averaged", lambda answer: 4 * answer, 0.5),
        Misconception("if the sum of the four values is divided by two", lambda answer: 2 * answer, 0.75),
        Misconception("if the coordinates are not swapped at all, which gives the old kernel", lambda k1: k1),
        Misconception("if only one of the two points is swapped, and the values of the swapped pairs are used alone", lambda k2: k2, 0.25),
    ),
)  # fmt: skip


def _draw_third_angle(rng: np.random.Generator) -> dict[str, Any]:
    cosines = [Fraction(3, 5), Fraction(4, 5), Fraction(5, 13), Fraction(12, 13)]
    p, q = (cosines[rng.integers(4)] * int(rng.choice([-1, 1])) for _ in range(2))
    return {"K": np.array([[1, p, "t"], [p, 1, q], ["t", q, 1]], dtype=object), "p": p, "q": q}


def _work_third_angle(p: Fraction, q: Fraction) -> dict[str, Any]:
    sines = [Fraction(round(float(1 - v * v) ** 0.5 * v.denominator), v.denominator) for v in (p, q)]
    root = sines[0] * sines[1]
    return {
        "pq": p * q,
        "p2": 1 - p * p,
        "q2": 1 - q * q,
        "minus": -p * q,
        "root": root,
        "low": p * q - root,
        "high": p * q + root,
        "answer": (p * q - root, p * q + root),
    }


third_angle = Problem(
    name="third_angle",
    title="The missing entry of a Gram matrix",
    kind=Numbers(("smallest t", "largest t")),
    level=3, minutes=8, points=5,
    draw=_draw_third_angle,
    work=_work_third_angle,
    statement=r"""
        Which numbers $t$ make $K=@K$ the Gram matrix of three points? They form an interval. What are the smallest and
        the largest $t$? (An eigenvalue 0 is allowed.)""",
    solution=r"""
        No eigenvalue may be negative. Let $p=@p$ and $q=@q$ be the given entries. The three images have length 1. Subtract from the
        first and the third image the parts along the second, which are $p$ and $q$ times the second. What remains has the
        squared lengths $1-p^2=@p2$ and $1-q^2=@q2$ and the inner product $t-pq$. A Gram matrix of two vectors has no negative determinant, so
        $(t-pq)^2\le@p2\cdot@q2$. With $pq=@pq$ this is $|t@{+minus}|\le@root$, so $@low\le t\le@high$. Every such $t$
        is possible, because two vectors with these lengths and this inner product exist. (The determinant of $K$ gives the same
        inequality, $1+2pqt-p^2-q^2-t^2\ge0$.)""",
    mistakes=(
        Misconception("if only two points at a time are considered, so that any number from -1 to 1 is allowed", (-1, 1), 0.25),
        Misconception("if what remains of the two images is treated as if it still had length 1", lambda pq: (pq - 1, pq + 1), 0.5),
        Misconception("if the sign of the product of the two given entries is wrong", lambda pq, root: (-pq - root, -pq + root), 0.5),
        Misconception("if the product of the given entries is left out, as if the second image were not there",
             lambda root: (-root, root), 0.25),
    ),
)  # fmt: skip


def _draw_factor(rng: np.random.Generator) -> dict[str, Any]:
    p = int(rng.choice([3, 4, 5]))
    i = int(rng.integers(1, 4))
    j = int(rng.integers(1, 4))
    if i + j >= p or p == 5 and i + j == 2:
        raise Unfit("no constant left")
    return {"p": p, "c": int(rng.choice([2, 3])), "i": i, "j": j}


def _work_factor(p: int, c: int, i: int, j: int) -> dict[str, Any]:
    rest = p - i - j
    ways = factorial(p) // (factorial(i) * factorial(j) * factorial(rest))
    monomial = "".join(f"x_{n}" + (f"^{v}" if v > 1 else "") for n, v in ((1, i), (2, j)))
    return {"monomial": monomial, "rest": rest, "ways": ways, "answer": ways * c**rest}


factor = Problem(
    name="factor",
    title="The factor of a feature",
    kind=Numbers("w"),
    level=1, minutes=6, points=3,
    draw=_draw_factor,
    work=_work_factor,
    statement=r"""
        For points with two coordinates the kernel $k(x,z)=(@c+x^\top z)^{@p}$ has a feature map with exactly one feature for each
        monomial, which is the monomial times a positive number. One of these features is $\sqrt w\,@monomial$. What is $w$?""",
    solution=r"""
        $w$ is the coefficient in $k(x,z)=(@c+x_1z_1+x_2z_2)^{@p}$ of the product of the monomial $@monomial$ and the same monomial of $z$. Multiply
        out the $@p$ factors: the term $x_1z_1$ is taken from $@i$ of them, $x_2z_2$ from $@j$, and the constant $@c$ from the remaining $@rest$. There are
        $\frac{@p!}{@i!\,@j!\,@rest!}=@ways$ ways, and each contributes $@c^{@rest}$, so $w=@answer$.""",
    mistakes=(
        Misconception("if the constant of the kernel is left out, as if it were 1", lambda ways: ways, 0.5),
        Misconception("if only the power of the constant is given, without the number of ways", lambda c, rest: c**rest, 0.25),
        Misconception("if it is not counted which of the factors give the first coordinate and which the second",
             lambda p, rest, c: comb(p, rest) * c**rest, 0.5),
        Misconception("if the constant has the exponent of the coordinates instead of what is left", lambda ways, c, i, j, rest: ways * c ** (i + j) if i + j != rest else None, 0.5),
    ),
)  # fmt: skip


def _draw_rules(rng: np.random.Generator) -> dict[str, Any]:
    a, b, p = int(rng.integers(2, 7)), int(rng.integers(2, 7)), int(rng.choice([2, 3, 4]))
    sums = (f"{a}k_1%s{b}k_1k_2", f"{a}k_1^{p}%s{b}k_2", f"k_1^2%s{a}k_1+{b}")[rng.integers(3)]
    factors = ((f"x_1^{p}", f"z_1^{p}"), (f"\\cos({a}x_1)", f"\\cos({a}z_1)"))[rng.integers(2)]
    name = ("max", "min")[rng.integers(2)]
    pairs = (
        (sums % "+", sums % "-", "a sum of products of kernels, with positive factors"),
        (f"{factors[0]}\\,{factors[1]}\\,k_1(x,z)", f"\\bigl({factors[0]}+{factors[1]}\\bigr)\\,k_1(x,z)",
         "of the form g(x) k(x, z) g(z)"),
        (f"e^{{{a}k_1+{b}k_2}}", f"e^{{{a}k_1-{b}k_2}}", "the exponential of a sum of kernels, with positive factors"),
        (f"(k_1+{a}k_2)^{p}", f"\\{name}(k_1,{a}k_2)", "a power of a sum of kernels, with positive factors"),
    )  # fmt: skip
    return {"options": [f"${pair[1]}$" for pair in pairs], "which": (which := int(rng.integers(4))),
            "right": f"${pairs[which][0]}$", "why": pairs[which][2]}  # fmt: skip


rules = Problem(
    name="rules",
    title="Which formula is always a kernel?",
    kind=Choice(),
    level=1, minutes=4, points=2,
    draw=_draw_rules,
    work=lambda right: {"answer": right},
    statement=r"""
        Let $k_1$ and $k_2$ be any two kernels for points $x,z\in\mathbb R^d$. Which formula always is a kernel, whatever $k_1$ and $k_2$
        are? (Below, $k_1$ stands for $k_1(x,z)$, and $k_2$ for $k_2(x,z)$.)""",
    solution=r"""
        @right is @why. Each of the other formulas fails for some kernels $k_1$ and $k_2$.""",
    mistakes=(
        Misconception("Because of the negative coefficient, some kernels give a matrix with a negative eigenvalue.", option(0)),
        Misconception("With the constant kernel 1 this is a sum of a function of x and the same function of z, whose matrix has a negative determinant at two points.",
             option(1)),
        Misconception("With the zero kernel and the linear kernel, the matrix at the origin and a point of length 1 has a negative determinant.",
             option(2)),
        Misconception("The maximum or minimum of two kernels in general is not a kernel.", option(3)),
    ),
)  # fmt: skip

CANDIDATES = ((1, 1, 1), (1, -1, 0), (0, 1, -1), (1, -2, 1), (1, 0, 1))


def _draw_refuted(rng: np.random.Generator) -> dict[str, Any]:
    wanted = rng.integers(5)
    for _ in range(4000):
        K = np.diag(rng.integers(1, 7, 3))
        for i, j in ((0, 1), (0, 2), (1, 2)):
            K[i, j] = K[j, i] = rng.integers(-4, 6)
        sums = [int(np.array(c) @ K @ c) for c in CANDIDATES]
        if sums[wanted] < 0 and sum(v < 0 for v in sums) == 1:
            return {"K": K, "sums": sums}
    raise Unfit("not exactly one")


def _work_refuted(sums: list[int]) -> dict[str, Any]:
    which = int(np.argmin(sums))
    vectors = [f"({','.join(map(str, c))})" for c in CANDIDATES]
    options = [f"$c={vector}$" for vector in vectors]
    listed = "; ".join(f"${vector}$: ${v}$" for vector, v in zip(vectors, sums, strict=True))
    return {"which": which, "options": options, "listed": listed, "answer": options[which]}


refuted = Problem(
    name="refuted",
    title="Coefficients that refute a kernel",
    kind=Choice(),
    level=2, minutes=6, points=3,
    draw=_draw_refuted,
    work=_work_refuted,
    statement=r"""
        A symmetric function has the values $K=@K$ at three points. Which coefficients $c$ prove that it is not a kernel?""",
    solution=r"""
        They must make $\sum_{i,j}c_ic_jk(x_i,x_j)=c^\top Kc$ negative. For the candidates this sum is: @listed. So @answer proves it.""",
    mistakes=(
        Misconception("With three ones this is the sum of all entries, and it is not negative here.", option(0)),
        Misconception("This sum would be the squared distance of the first two images, and it is not negative here.", option(1)),
        Misconception("This sum would be the squared distance of the last two images, and it is not negative here.", option(2)),
        Misconception("The middle entry of the diagonal counts four times in this sum, and the sum is not negative here.", option(3)),
        Misconception("This sum would be the squared length of the first image plus the third, and it is not negative here.", option(4)),
    ),
)  # fmt: skip

PROBLEMS = (
    unit_length,
    equally_alike,
    claims,
    on_a_line,
    mean_of_two,
    weights,
    swapped,
    third_angle,
    factor,
    rules,
    refuted,
)
