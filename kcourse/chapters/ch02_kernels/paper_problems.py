"""Pencil-and-paper problems on kernels and their features."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from kcourse.paper_problems import Choice, Gap, Gaps, Misconception, Numbers, Problem, Unfit, exact


def _draw_apart(rng: np.random.Generator) -> dict[str, Any]:
    x, z = rng.integers(-3, 4, 2), rng.integers(-3, 4, 2)
    if np.array_equal(x, z):
        raise Unfit("one point")
    return {"x": x, "z": z, "c": int(rng.integers(1, 4))}


def _work_apart(x: np.ndarray, z: np.ndarray, c: int) -> dict[str, Any]:
    kxx, kzz, kxz = (int(a @ b + c) ** 2 for a, b in ((x, x), (z, z), (x, z)))
    return {"kxx": kxx, "kzz": kzz, "kxz": kxz, "answer": kxx + kzz - 2 * kxz}


apart = Problem(
    name="apart",
    title="How far apart are the images?",
    kind=Numbers("squared distance"),
    level=1, minutes=4, points=3,
    draw=_draw_apart,
    work=_work_apart,
    statement=r"""
        The kernel $k(x,z)=(x^\top z+@c)^2$ is the inner product of $\varphi(x)$ and $\varphi(z)$. What is
        $\|\varphi(x)-\varphi(z)\|^2$ for $x=@x$ and $z=@z$?""",
    solution=r"""
        $\|\varphi(x)-\varphi(z)\|^2=k(x,x)-2k(x,z)+k(z,z)=@kxx-2\cdot @kxz+@kzz=@answer$.""",
    mistakes=(
        Misconception("if k(x, z) is subtracted once instead of twice", lambda kxx, kzz, kxz: kxx + kzz - kxz, 0.5),
        Misconception("if k(x, z) is added twice, which gives the squared length of the sum", lambda kxx, kzz, kxz: kxx + kzz + 2 * kxz,
             0.5),
        Misconception("if the squared distance of x and z is put into the kernel", lambda x, z, c: int((x - z) @ (x - z) + c) ** 2),
        Misconception("if the squared distance of x and z themselves is given", lambda x, z: int((x - z) @ (x - z))),
        Misconception("if the kernel of x and z is given", lambda kxz: kxz),
    ),
)  # fmt: skip


def _draw_coordinates(rng: np.random.Generator) -> dict[str, Any]:
    return {"p": int(rng.integers(2, 8)), "d": int(rng.integers(2, 6))}


coordinates = Problem(
    name="coordinates",
    title="How many coordinates does the feature space have?",
    kind=Numbers("dimension"),
    level=1, minutes=3, points=2,
    draw=_draw_coordinates,
    work=lambda p, d: {"top": p + d, "answer": comb(p + d, d)},
    statement=r"""
        How many different monomials are coordinates of the feature map of $k(x,z)=(x^\top z+1)^@d$ for points
        with $@p$ coordinates?""",
    solution=r"""
        The coordinates are the monomials of degree up to $@d$ in $@p$ variables. With one more variable for the 1, all of them have
        degree $@d$, and there are $\binom{@top}{@d}=@answer$ of them.""",
    mistakes=(
        Misconception("if only the monomials of the highest degree are counted, as for a kernel without the 1",
             lambda p, d: comb(p + d - 1, d), 0.5),
        Misconception("if the order of the factors counts, although products in another order are one monomial", lambda p, d: (p + 1) ** d),
        Misconception("if no coordinate may occur twice in a monomial", lambda p, d: sum(comb(p, j) for j in range(d + 1)), 0.25),
        Misconception("if the constant is not counted", lambda answer: answer - 1, 0.75),
    ),
)  # fmt: skip


def _draw_centred(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(each) for each in rng.integers(0, 6, 3))
    K = np.array([[a + b, a, b], [a, a + c + 1, c], [b, c, b + c + 2]])  # diagonally dominant
    return {"K": K}


def _work_centred(K: np.ndarray) -> dict[str, Any]:
    mean = exact(K).sum(axis=0) / 3
    if not mean[:2].all() or not K[0, 1]:
        raise Unfit("a 0 in the sum")
    return {"mean": mean, "total": mean.sum() / 3, "value": int(K[0, 1]), "a": mean[0], "b": mean[1],
            "answer": K[0, 1] - mean[0] - mean[1] + mean.sum() / 3}  # fmt: skip


centred = Problem(
    name="centred",
    title="An entry of the centred Gram matrix",
    kind=Numbers("entry"),
    level=2, minutes=4, points=3,
    draw=_draw_centred,
    work=_work_centred,
    statement=r"""
        Three points have the Gram matrix $K=@K$. Their images are moved so that their mean is 0. What is the
        entry in row 1 and column 2 then?""",
    solution=r"""
        $\langle\varphi_1-\bar\varphi,\varphi_2-\bar\varphi\rangle$ is the entry minus the mean of row 1, minus the mean
        of column 2, plus the mean of all. The means of the rows are $@mean$, that of all is $@total$:
        $@{value}-@{(a}-@{(b}+@{(total}=@answer$.""",
    mistakes=(
        Misconception("if the mean of all is not added back, although it was subtracted twice", lambda answer, total: answer - total, 0.5),
        Misconception("if the mean of all is also subtracted", lambda answer, total: answer - 2 * total, 0.5),
        Misconception("if only the mean of the row is subtracted", lambda K, mean: K[0, 1] - mean[0], 0.25),
        Misconception("if only the mean of all is subtracted", lambda K, total: K[0, 1] - total, 0.25),
        Misconception("if sums are used instead of means", lambda K, mean, total: K[0, 1] - 3 * mean[0] - 3 * mean[1] + 9 * total,
             0.25),
    ),
)  # fmt: skip


def _draw_possible(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(each) for each in rng.integers(1, 10, 3))
    if a * b == c * c or c > max(a, b):
        raise Unfit("too easy")
    return {"a": a, "b": b, "c": c * int(rng.choice([-1, 1]))}


def _work_possible(a: int, b: int, c: int) -> dict[str, Any]:
    fine = a * b > c * c
    right = "Yes: the diagonal is positive and the determinant is $@det$, not negative."
    wrong = "No: the determinant is $@det$, and so one eigenvalue is negative."
    return {"K": np.array([[a, c], [c, b]]), "det": a * b - c * c, "fine": fine, "product": a * b, "square": c * c,
            "answer": right if fine else wrong}  # fmt: skip


possible = Problem(
    name="possible",
    title="Can this be a kernel?",
    kind=Choice(),
    level=1, minutes=3, points=2,
    draw=_draw_possible,
    work=_work_possible,
    statement=r"""
        On two points, a symmetric function has the matrix $@K$. Can the function be a kernel, and why?""",
    solution=r"""
        A symmetric matrix of two rows has no negative eigenvalue if neither its diagonal nor its determinant is negative:
        $@product-@square=@det$. This is the inequality of Cauchy and Schwarz, $k(x,z)^2\le k(x,x)\,k(z,z)$.""",
    mistakes=(
        Misconception("The determinant is negative, because the entry off the diagonal is too large for the diagonal.",
             lambda fine: None if fine else "Yes: the diagonal is positive.", 0.0),
        Misconception("Neither the determinant nor the diagonal is negative, so no eigenvalue is negative.",
             lambda fine: "No: an entry off the diagonal is larger than one on it, or negative." if fine else None, 0.0),
        Misconception("Symmetry is not enough. The matrix must not have a negative eigenvalue, and for two rows the "
             "determinant decides.", "Yes: it is symmetric."),
        Misconception("Inner products may be negative, and positive entries alone prove nothing.",
             lambda c: "No: a kernel has no negative values." if c < 0 else "Yes: all entries are positive."),
    ),
)  # fmt: skip


def _draw_gaussian(rng: np.random.Generator) -> dict[str, Any]:
    s = int(rng.integers(2, 8))
    return {"s": s, "s2": s * s}


gaussian = Problem(
    name="gaussian",
    title="Why the Gaussian is a kernel",
    kind=Gaps((
        Gap("$e^{-\\|x\\|^2/@two}\\;e^{x^\\top z/@s2}\\;e^{-\\|z\\|^2/@two}$", (
            ("$e^{-\\|x\\|^2/@two}\\;e^{x^\\top z/@two}\\;e^{-\\|z\\|^2/@two}$",
             "The squared distance contains the inner product twice, so the 2 cancels."),
            ("$e^{-\\|x\\|^2/@two}\\;e^{-x^\\top z/@s2}\\;e^{-\\|z\\|^2/@two}$",
             "The squared distance has -2xᵀz and the exponent has a minus, so the sign is plus."),
        )),
        Gap("its series $\\sum_p (x^\\top z)^p/(@s2^p\\,p!)$ has no negative coefficient, and powers, sums with positive "
            "weights and limits of kernels are kernels", (
            ("$e^t$ is positive for every $t$", "Positive values do not make a kernel. Its Gram matrices must not have "
             "a negative eigenvalue."),
            ("$e^t$ is increasing", "Increasing functions of kernels are in general not kernels. What counts is the sign "
             "of the coefficients of the series."),
        )),
        Gap("$\\sum_{ij}a_ia_j\\,g(x_i)k(x_i,x_j)g(x_j)$ is the same form with the weights $a_ig(x_i)$", (
            ("$g$ is positive", "The sign of g does not matter. It may be 0 or negative somewhere."),
            ("$g$ is a kernel", "A function of one point is not a kernel. The product g(x) g(z) is a kernel."),
        )),
    )),
    level=3, minutes=6, points=3,
    draw=_draw_gaussian,
    work=lambda s2: {"two": 2 * s2},
    statement=r"""
        Prove that $k(x,z)=e^{-\|x-z\|^2/(2\sigma^2)}$ with $\sigma=@s$ is a kernel, and fill the gaps. With the square expanded, it
        is **(1)**. The middle factor is a kernel, since **(2)**. A kernel times $g(x)g(z)$ is a kernel, since
        **(3)**.""",
    solution=r"""
        (1) $\|x-z\|^2=\|x\|^2-2x^\top z+\|z\|^2$, divided by $2\sigma^2=@two$. (2) Products, sums and limits of kernels are
        kernels. (3) With $b_i=a_ig(x_i)$ the form is $b^\top Kb\ge0$.""",
)  # fmt: skip

products = Problem(
    name="products",
    title="Why sums and products of kernels are kernels",
    kind=Gaps((
        Gap("the coordinates of both, one after the other", (
            ("the sums of their coordinates", "The maps may have different numbers of coordinates, and the square of a sum has mixed terms."),
            ("the products of their coordinates", "These give the product of the kernels."),
        )),
        Gap("$@sum$", (
            ("$@product$", "The coordinates follow one another, so their numbers add up."),
            ("$@larger$", "Both maps keep all of their coordinates."),
        )),
        Gap("$\\sum_{ij}\\varphi_i(x)\\psi_j(x)\\,\\varphi_i(z)\\psi_j(z)$", (
            ("$\\sum_i\\varphi_i(x)\\psi_i(x)\\,\\varphi_i(z)\\psi_i(z)$", "A product of two sums has all pairs of terms."),
            ("$\\sum_{ij}\\varphi_i(x)\\varphi_j(x)\\,\\psi_i(z)\\psi_j(z)$", "Each coordinate is a product of one coordinate of each map, at the same point."),
        )),
        Gap("$@product$", (
            ("$@sum$", "There is one coordinate for each pair."),
            ("$@square$", "A pair has one coordinate of each map."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"a": int(rng.integers(3, 8)), "b": int(rng.integers(8, 13))},
    work=lambda a, b: {"sum": a + b, "product": a * b, "larger": b, "square": (a + b) ** 2},
    statement=r"""
        The kernel $k$ has a feature map $\varphi$ with $@a$ coordinates, and $l$ has a feature map $\psi$ with $@b$. Fill the gaps. $k+l$ is a
        kernel whose feature map has **(1)**, which are **(2)** coordinates. $k\cdot l$ is a kernel, because $k(x,z)\,l(x,z)=$ **(3)** is an
        inner product of **(4)** coordinates.""",
    solution=r"""
        (1) $\varphi(x)^\top\varphi(z)+\psi(x)^\top\psi(z)$ is the inner product of $(\varphi(x),\psi(x))$ and $(\varphi(z),\psi(z))$.
        (3) $\sum_i\varphi_i(x)\varphi_i(z)\cdot\sum_j\psi_j(x)\psi_j(z)$, multiplied out. (4) $@a\cdot@b=@product$.""",
)  # fmt: skip


def _draw_gram(rng: np.random.Generator) -> dict[str, Any]:
    x, z = rng.integers(-3, 4, 2), rng.integers(-3, 4, 2)
    if not x.any() or not z.any() or not x @ z:
        raise Unfit("a point at 0, or orthogonal ones")
    return {"x": x, "z": z, "c": int(rng.integers(1, 4))}


def _work_gram(x: np.ndarray, z: np.ndarray, c: int) -> dict[str, Any]:
    inner = np.array([[x @ x, x @ z], [x @ z, z @ z]])
    return {"inner": inner, "answer": (inner + c) ** 2}


gram_matrix = Problem(
    name="gram_matrix",
    title="A Gram matrix",
    kind=Numbers(("K₁₁", "K₁₂", "K₂₁", "K₂₂"), columns=2),
    level=1, minutes=3, points=2,
    draw=_draw_gram,
    work=_work_gram,
    statement=r"""
        What is the Gram matrix of the points $@x$ and $@z$ for the kernel $k(x,z)=(x^\top z+@c)^2$?""",
    solution=r"""
        The inner products are $@inner$. Add $@c$ to each and square: $@answer$.""",
    mistakes=(
        Misconception("if the constant is left out", lambda inner: inner**2, 0.5),
        Misconception("if nothing is squared", lambda inner, c: inner + c, 0.5),
        Misconception("if the matrix is squared instead of each entry", lambda inner, c: (inner + c) @ (inner + c), 0.25),
        Misconception("if the constant is added after squaring", lambda inner, c: inner**2 + c, 0.5),
        Misconception("if the constant is added on the diagonal only", lambda inner, c: (inner + c * np.eye(2, dtype=int)) ** 2, 0.25),
    ),
)  # fmt: skip

PROBLEMS = (apart, coordinates, possible, centred, gaussian, products, gram_matrix)
