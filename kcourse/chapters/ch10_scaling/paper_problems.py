"""Pencil-and-paper problems of chapter 10."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact, solve


def _draw_memory(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "thousands": int(rng.choice([5, 8, 10, 15, 20, 25, 30, 40, 50])),
        "m": int(rng.choice([200, 500, 800, 900])),
    }


def _work_memory(thousands: int, m: int) -> dict[str, Any]:
    gram, thin = Fraction(8 * thousands**2, 1000), Fraction(8 * thousands * m, 1000)
    return {"gram": gram, "thin": thin, "answer": [gram, thin]}


memory = Problem(
    name="memory",
    title="How large is the matrix?",
    kind=Numbers(("Gram matrix (GB)", "landmarks (MB)")),
    level=1, minutes=3, points=2,
    draw=_draw_memory,
    work=_work_memory,
    statement=r"""
        $@thousands\,000$ points. How many gigabytes does their Gram matrix take in double precision (8 bytes a number), and how many megabytes
        their kernel values with $@m$ landmarks? (A gigabyte is $10^9$ bytes, a megabyte $10^6$.)""",
    solution=r"""
        $n^2\cdot8$ bytes and $nm\cdot8$ bytes: $@gram$ GB and $@thin$ MB.""",
    mistakes=(
        Misconception("if a number takes one byte", lambda answer: [answer[0] / 8, Fraction(answer[1], 8)], 0.25),
        Misconception("if the first is given in megabytes", lambda answer: [1000 * answer[0], answer[1]] if answer[0] < 1 else None, 0.5),
        Misconception("if half of the Gram matrix is stored, since it is symmetric: solvers want all of it",
             lambda answer: [answer[0] / 2, answer[1]], 0.5),
        Misconception("if the second is the matrix of the landmarks among themselves",
             lambda answer, m: [answer[0], Fraction(8 * m * m, 10**6)], 0.5),
    ),
)  # fmt: skip


def _draw_nystrom(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(each) for each in rng.integers(2, 7, 3))
    c = min(c, 4)
    if a * b <= c * c:
        raise Unfit("no kernel")
    return {"M": np.array([[a, c], [c, b]]), "u": rng.integers(0, 5, 2), "v": rng.integers(0, 5, 2)}


def _work_nystrom(M: np.ndarray, u: np.ndarray, v: np.ndarray) -> dict[str, Any]:
    if not u.any() or not v.any() or (u == v).all():
        raise Unfit("too plain")
    inner = solve(M, v)
    return {"inner": inner, "answer": exact(u) @ inner}


nystrom = Problem(
    name="nystrom",
    title="An entry of Nyström's approximation",
    kind=Numbers("k(x, z)"),
    level=2, minutes=6, points=4,
    draw=_draw_nystrom,
    work=_work_nystrom,
    statement=r"""
        Two landmarks have the Gram matrix $K_{mm}=@M$. With them $x$ has the kernel values $@u$ and $z$ has $@v$. What is Nyström's
        approximation of $k(x,z)$?""",
    solution=r"""
        $k_m(x)^\top K_{mm}^{-1}k_m(z)$ with $K_{mm}^{-1}k_m(z)=@inner$: $@answer$.""",
    mistakes=(
        Misconception("if the values with the landmarks are multiplied, without the inverse", lambda u, v: int(u @ v), 0.25),
        Misconception("if the Gram matrix of the landmarks is used instead of its inverse", lambda M, u, v: int(u @ M @ v), 0.25),
        Misconception("if only the diagonal of the Gram matrix of the landmarks is inverted",
             lambda M, u, v: sum(Fraction(int(u[i] * v[i]), int(M[i, i])) for i in range(2)) if M[0, 1] else None, 0.5),
        Misconception("if the first landmark alone is used",
             lambda M, u, v: Fraction(int(u[0] * v[0]), int(M[0, 0])), 0.25),
    ),
)  # fmt: skip


def _draw_stream(rng: np.random.Generator) -> dict[str, Any]:
    return {"phi": rng.integers(-3, 4, (2, 3)), "y": rng.integers(-4, 5, (2, 3)), "lam": int(rng.integers(1, 5))}


def _work_stream(phi: np.ndarray, y: np.ndarray, lam: int) -> dict[str, Any]:
    squares, products = (phi**2).sum(axis=1), (phi * y).sum(axis=1)
    if products.sum() == 0 or not squares.all() or not products.all():
        raise Unfit("an empty block")
    first, second = (Fraction(int(p), int(s + lam)) for p, s in zip(products, squares, strict=True))
    return {"one": phi[0], "two": phi[1], "y1": y[0], "y2": y[1], "squares": squares, "products": products,
            "below": int(squares.sum() + lam), "above": int(products.sum()), "first": first, "second": second,
            "answer": Fraction(int(products.sum()), int(squares.sum() + lam))}  # fmt: skip


stream = Problem(
    name="stream",
    title="Two blocks, one model",
    kind=Numbers("w"),
    level=1, minutes=5, points=3,
    draw=_draw_stream,
    work=_work_stream,
    statement=r"""
        Ridge regression on one feature, $f=w\varphi$ with $\lambda=@lam$ next to the sum of squared errors, learns from two blocks of three
        points, and stores only two sums. The first block is $\varphi=@one$ with $y=@y1$, the second $\varphi=@two$ with $y=@y2$. What is
        $w$ at the end?""",
    solution=r"""
        The sums of $\varphi^2$ in the two blocks are $@squares$, those of $\varphi y$ are $@products$. $w$ is $@above$ divided by $@below$, $@answer$, where
        $\lambda$ is added once.""",
    mistakes=(
        Misconception("if λ is added with every block", lambda above, below, lam: Fraction(above, below + lam), 0.5),
        Misconception("if the weights of the two blocks are averaged", lambda first, second: (first + second) / 2, 0.25),
        Misconception("if the first block is forgotten", lambda second: second, 0.25),
        Misconception("if λ is left out", lambda above, below, lam: Fraction(above, below - lam), 0.25),
    ),
)  # fmt: skip


def _draw_fourier(rng: np.random.Generator) -> dict[str, Any]:
    return {"m": int(rng.choice([12, 15, 20, 24, 30, 40, 45, 50, 60, 80, 90, 100])), "factor": int(rng.integers(2, 4))}


fourier = Problem(
    name="fourier",
    title="How many random features?",
    kind=Numbers("features"),
    level=1, minutes=2, points=2,
    draw=_draw_fourier,
    work=lambda m, factor: {"square": factor**2, "answer": m * factor**2},
    statement=r"""
        With $@m$ random Fourier features the entries of an approximated Gram matrix have a certain standard deviation. How many features
        make this standard deviation $@factor$ times smaller?""",
    solution=r"""
        An entry is a mean of independent products, so its standard deviation falls like $1/\sqrt D$. So $D$ grows by the factor
        $@factor^2=@square$, to $@answer$.""",
    mistakes=(
        Misconception("if the error falls with 1/m", lambda m, factor: m * factor, 0.25),
        Misconception("if the factor is cubed", lambda m, factor: m * factor**3 if m * factor**3 < 1000 else None),
        Misconception("if only the additional features are counted", lambda m, square: m * (square - 1), 0.5),
    ),
)  # fmt: skip


def _draw_twice(rng: np.random.Generator) -> dict[str, Any]:
    return {
        "n": int(rng.choice([2, 3, 4, 5, 6, 8])),
        "factor": int(rng.integers(2, 5)),
        "seconds": int(rng.integers(1, 9)),
    }


def _work_twice(n: int, factor: int, seconds: int) -> dict[str, Any]:
    return {"more": n * factor, "answer": [seconds * factor**3, seconds * factor]}


longer = Problem(
    name="longer",
    title="More points: how much longer?",
    kind=Numbers(("exact (s)", "Nyström (s)")),
    level=1, minutes=3, points=2,
    draw=_draw_twice,
    work=_work_twice,
    statement=r"""
        Kernel ridge regression of $@n\,000$ points by Cholesky's factorisation takes $@seconds$ s. Nyström's method with a fixed number of
        landmarks takes as long. How long does each take for $@more\,000$ points, if only the leading term counts?""",
    solution=r"""
        Cholesky's factorisation takes of the order of $n^3$ operations, and Nyström's method with $m$ landmarks of the order of $nm^2$. The
        factors are $@factor^3$ and $@factor$, so the answer is $@answer$ seconds.""",
    mistakes=(
        Misconception("if the factorisation is taken to cost n²", lambda seconds, factor: [seconds * factor**2, seconds * factor], 0.5),
        Misconception("if both grow with n³", lambda seconds, factor: [seconds * factor**3, seconds * factor**3], 0.5),
        Misconception("if Nyström's method is taken to cost n²", lambda seconds, factor: [seconds * factor**3, seconds * factor**2], 0.5),
        Misconception("if both grow with n", lambda seconds, factor: [seconds * factor, seconds * factor], 0.25),
    ),
)  # fmt: skip

push = Problem(
    name="push",
    title="Points or features: the same model",
    kind=Gaps((
        Gap("$\\Phi^\\top\\Phi\\Phi^\\top+@lam\\,\\Phi^\\top$", (
            ("$\\Phi\\Phi^\\top\\Phi^\\top+@lam\\,\\Phi^\\top$", "These shapes do not fit. Φᵀ is on the left."),
            ("$\\Phi^\\top\\Phi\\Phi^\\top+@lam\\,I$", "λI is also multiplied by Φᵀ."),
        )),
        Gap("both have no eigenvalue below $@lam$", (
            ("$\\Phi$ has an inverse", "Φ is not a square matrix. The matrices that are inverted contain λI."),
            ("$K$ has an inverse", "K is singular if there are more points than features."),
        )),
        Gap("$@m\\times @m$, since $@m<@n$", (
            ("$@n\\times @n$, since all points count", "All points count in both. The smaller system gives the same w."),
            ("$@m\\times @n$, the size of $\\Phi^\\top$", "Only a square system is solved."),
        )),
    )),
    level=3, minutes=6, points=3,
    draw=lambda rng: {"lam": int(rng.integers(2, 10)), "m": int(rng.integers(20, 90)), "n": 1000 * int(rng.integers(2, 20))},
    statement=r"""
        $\Phi$ has $@n$ rows, the points, and $@m$ columns, the features; $K=\Phi\Phi^\top$ and $\lambda=@lam$. Show that
        $(\Phi^\top\Phi+\lambda I)^{-1}\Phi^\top y=\Phi^\top(K+\lambda I)^{-1}y$. Fill the gaps.
        $(\Phi^\top\Phi+\lambda I)\Phi^\top$ and $\Phi^\top(\Phi\Phi^\top+\lambda I)$ are both **(1)**. Multiply from the left and from the right
        by the inverses of the brackets, which exist because **(2)**. The cheaper way solves a system of size **(3)**.""",
    solution=r"""
        (1) Multiply out. (2) $\Phi^\top\Phi$ and $K$ have no negative eigenvalue, and $\lambda=@lam$ is added to each. (3) The other has the size
        $@n\times@n$.""",
)  # fmt: skip


def _draw_sees(rng: np.random.Generator) -> dict[str, Any]:
    return {"m": int(rng.integers(10, 60)), "n": 1000 * int(rng.integers(2, 20))}


sees = Problem(
    name="sees",
    title="What Nyström's method uses",
    kind=Choice(),
    level=2, minutes=2, points=2,
    draw=_draw_sees,
    work=lambda n, m: {"answer": "All $@n$ points enter the sums of Nyström's method. The landmarks only decide which functions are possible."},
    statement=r"""
        Nyström's method with $@m$ landmarks learns from $@n$ points. Kernel ridge regression on a subsample learns from these $@m$ points only.
        What is the difference?""",
    solution=r"""
        Both are sums of $@m$ Gaussians. The coefficients of Nyström's method fit all $@n$ points, those of the subsample only $@m$.""",
    mistakes=(
        Misconception("Both are sums of the same Gaussians. The coefficients differ, because all points enter those of Nyström's method.",
             "None, because both are sums of $@m$ Gaussians at the same points."),
        Misconception("There are as many coefficients as landmarks.", "Nyström's method has $@n$ coefficients, the other $@m$."),
        Misconception("The rank of the approximated Gram matrix is at most the number of landmarks, so it has no inverse.",
             "Nyström's method inverts the whole Gram matrix approximately."),
    ),
)  # fmt: skip

projection = Problem(
    name="projection",
    title="Nyström's method is a projection",
    kind=Gaps((
        Gap("$k_x-\\sum_jc_jk_{z_j}$ is orthogonal to every $k_{z_l}$", (
            ("$\\sum_jc_jk_{z_j}=k_x$", "That is possible only if the section of x lies in their span."),
            ("all $c_j$ are equal", "They depend on where x lies."),
        )),
        Gap("$k_m(x)^\\top K_{mm}^{-1}k_m(z)$", (
            ("$k_m(x)^\\top k_m(z)$", "The sections of the landmarks are not orthogonal, so the inverse does not drop out."),
            ("$k_m(x)^\\top K_{mm}k_m(z)$", "Each of the two coefficient vectors contains the inverse, and only one of them cancels."),
        )),
        Gap("they are inner products of the residuals", (
            ("all values of $k$ are positive", "A matrix with positive entries can have negative eigenvalues."),
            ("$K_{mm}$ has an inverse", "This makes the formula possible, but says nothing about the residuals."),
        )),
        Gap("0", (
            ("$k(x,x)$", "The section of a landmark is its own projection, so the residual is 0."),
            ("$1/@m$", "The number of landmarks does not matter. At each of them the residual is 0."),
        )),
    )),
    level=3, minutes=7, points=4,
    draw=lambda rng: {"m": int(rng.integers(5, 90))},
    statement=r"""
        Let $@m$ landmarks have the sections $k_{z_1},\dots,k_{z_{@m}}$ and the Gram matrix $K_{mm}$, and let $k_m(x)$ be the kernel values of $x$ with them.
        Fill the gaps. The projection of $k_x$ onto the span of these sections has the coefficients $c=K_{mm}^{-1}k_m(x)$, because for these **(1)**. The inner
        product of the projections of $k_x$ and $k_z$ is **(2)**. Subtract it from $k(x,z)$. The differences are also a kernel,
        because **(3)**. At a landmark $x=z$ the difference is **(4)**.""",
    solution=r"""
        (1) $\langle k_x-\sum_jc_jk_{z_j},k_{z_l}\rangle=(k_m(x)-K_{mm}c)_l$. (2) $c^\top K_{mm}c'$ with $c=K_{mm}^{-1}k_m(x)$ and $c'=K_{mm}^{-1}k_m(z)$. (3) A residual is orthogonal to every projection.
        (4) The residual is 0.""",
)  # fmt: skip

cosines = Problem(
    name="cosines",
    title="Why random cosines make a kernel",
    kind=Gaps((
        Gap("$\\cos(\\omega(x-z))+\\cos(\\omega(x+z)+2b)$", (
            ("$\\cos(\\omega(x-z))-\\cos(\\omega(x+z)+2b)$", "This is the formula for two sines."),
            ("$\\cos(\\omega(x-z)+2b)+\\cos(\\omega(x+z))$", "In the difference of the two angles b cancels, and their sum contains 2b."),
        )),
        Gap("$b$ is distributed uniformly over a whole circle", (
            ("$\\omega$ has the mean 0", "The second term has the mean 0 for every fixed ω."),
            ("cosines are at most 1", "This bounds it. Its mean is 0 because of b."),
        )),
        Gap("$e^{-(x-z)^2/@two}$", (
            ("$e^{-(x-z)^2/@square}$", "ω has the standard deviation 1/σ, and the exponent of its characteristic function has the denominator 2σ²."),
            ("$e^{-@square(x-z)^2/2}$", "The frequencies have the standard deviation 1/σ, so σ divides the distance."),
        )),
        Gap("their standard deviation is that of one divided by $@root$", (
            ("their standard deviation is that of one divided by $@m$", "Variances are divided by the number of draws, standard deviations by its root."),
            ("they do not vary, because a mean is exact", "The mean is random. It varies less if more are drawn."),
        )),
    )),
    level=3, minutes=7, points=4,
    draw=lambda rng: {"sigma": int(rng.integers(2, 8)), "root": int(rng.integers(4, 20))},
    work=lambda sigma, root: {"square": sigma**2, "two": 2 * sigma**2, "m": root**2},
    statement=r"""
        $\omega$ is drawn from a Gaussian with mean 0 and standard deviation $1/@sigma$, and $b$ uniformly from 0 to $2\pi$. Fill the gaps.
        $2\cos(\omega x+b)\cos(\omega z+b)=$ **(1)**. The second term has the mean 0, because **(2)**. The mean of the first is **(3)**. For
        means of $@m$ such products, drawn independently, **(4)**.""",
    solution=r"""
        (1) $2\cos\alpha\cos\beta=\cos(\alpha-\beta)+\cos(\alpha+\beta)$. (2) A cosine has the mean 0 over a circle. (3) The characteristic function of
        the Gaussian, with $2\sigma^2=@two$. (4) $\sqrt{@m}=@root$.""",
)  # fmt: skip

PROBLEMS = (memory, longer, fourier, stream, sees, nystrom, push, projection, cosines)
