"""Reproducing kernels, strings and graphs with pencil and paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from kcourse.paper_problems import Gap, Gaps, Misconception, Numbers, Order, Problem, Unfit


def _draw_product(rng: np.random.Generator) -> dict[str, Any]:
    a, b, c = (int(each) for each in rng.integers(1, 5, 3))
    if a * b <= c * c:
        raise Unfit("no kernel")
    return {"K": np.array([[a, c], [c, b]]), "u": rng.integers(-3, 4, 2), "v": rng.integers(-3, 4, 2)}


def _work_product(K: np.ndarray, u: np.ndarray, v: np.ndarray) -> dict[str, Any]:
    if not (u.any() and v.all() and u.all()):
        raise Unfit("a coefficient of 0")
    return {"Kv": K @ v, "answer": int(u @ K @ v)}


product = Problem(
    name="product",
    title="An inner product of two functions",
    kind=Numbers("⟨f, g⟩"),
    level=1, minutes=4, points=3,
    draw=_draw_product,
    work=_work_product,
    statement=r"""
        The Gram matrix of $x_1$ and $x_2$ is $K=@K$. Let $f=\alpha_1k(x_1,\cdot)+\alpha_2k(x_2,\cdot)$ with $\alpha=@u$, and $g$ the
        same with $\beta=@v$. What is $\langle f,g\rangle$ in the RKHS?""",
    solution=r"""
        $\sum_{ij}\alpha_i\beta_jk(x_i,x_j)=\alpha^\top K\beta$ with $K\beta=@Kv$. The result is $@answer$.""",
    mistakes=(
        Misconception("if the coefficients alone are multiplied, as if K were the unit matrix", lambda u, v: int(u @ v)),
        Misconception("if the values of both functions at the two points are multiplied and added",
             lambda K, u, v: int((K @ u) @ (K @ v)), 0.25),
        Misconception("if only equal points are multiplied, without k(x₁, x₂)",
             lambda K, u, v: int(u @ (np.diag(K) * v)) if K[0, 1] else None, 0.5),
        Misconception("if each pair of different points is counted once and not twice",
             lambda K, u, v: int(u @ (np.diag(K) * v) + u[0] * v[1] * K[0, 1]), 0.5),
    ),
)  # fmt: skip


def _pieces(text: str, k: int) -> Counter[str]:
    return Counter(map("".join, zip(*(text[i:] for i in range(k)), strict=False)))


def _draw_pieces(rng: np.random.Generator) -> dict[str, Any]:
    s, t = ("".join(rng.choice(["a", "b"], 6)) for _ in range(2))
    return {"s": s, "t": t}


def _work_pieces(s: str, t: str) -> dict[str, Any]:
    one, two = _pieces(s, 2), _pieces(t, 2)
    if s == t or len(one) < 3 or len(two) < 2:
        raise Unfit("too alike")
    common = ", ".join(f"{piece}: {one[piece]} · {two[piece]}" for piece in sorted(one.keys() & two.keys()))
    return {"one": one, "two": two, "common": common, "answer": sum(one[p] * two[p] for p in one)}


pieces = Problem(
    name="pieces",
    title="Common k-mers",
    kind=Numbers("k(s, t)"),
    level=1, minutes=4, points=3,
    draw=_draw_pieces,
    work=_work_pieces,
    statement=r"""
        What is the spectrum kernel for 2-mers of the strings @s and @t, without normalisation?""",
    solution=r"""
        The counts of each common 2-mer in both strings: @common. The sum of the products is $@answer$.""",
    mistakes=(
        Misconception("if each common 2-mer is counted once, however often it occurs", lambda one, two: len(one.keys() & two.keys()), 0.25),
        Misconception("if the smaller of the two counts is added, not their product", lambda one, two: (one & two).total(), 0.5),
        Misconception("if 2-mers are compared only at equal positions", lambda s, t: sum(s[i : i + 2] == t[i : i + 2] for i in range(5)), 0.25),
        Misconception("if single letters are counted", lambda s, t: sum(n * _pieces(t, 1)[p] for p, n in _pieces(s, 1).items()), 0.25),
    ),
)  # fmt: skip


def _work_far(s: str, t: str) -> dict[str, Any]:
    one, two = _pieces(s, 2), _pieces(t, 2)
    if len(one) < 3 or len(two) < 2 or not one.keys() & two.keys() or one == two:
        raise Unfit("nothing shared, or one feature")
    own, other, shared = (sum(a[p] * b[p] for p in a) for a, b in ((one, one), (two, two), (one, two)))
    return {"one": one, "two": two, "own": own, "other": other, "shared": shared, "answer": own + other - 2 * shared}


far = Problem(
    name="far",
    title="How far apart are two strings?",
    kind=Numbers("‖φ(s) - φ(t)‖²"),
    level=2, minutes=5, points=3,
    draw=_draw_pieces,
    work=_work_far,
    statement=r"""
        $\varphi$ has the counts of all 2-mers, so its kernel is the spectrum kernel $k$, without normalisation. What is
        $\|\varphi(s)-\varphi(t)\|^2$ for the strings @s and @t?""",
    solution=r"""
        $k(s,s)=@own$, $k(t,t)=@other$ and $k(s,t)=@shared$: $@own+@other-2\cdot@shared=@answer$. Or sum over all 2-mers the squares of
        the differences of the two counts.""",
    mistakes=(
        Misconception("if k(s, t) is subtracted once and not twice", lambda own, other, shared: own + other - shared, 0.5),
        Misconception("if 2 k(s, t) is added", lambda own, other, shared: own + other + 2 * shared, 0.25),
        Misconception("if differences of counts are added without their squares",
             lambda one, two: sum(abs(one[p] - two[p]) for p in one | two), 0.5),
        Misconception("if k(s, s) is taken as 5, the number of k-mers", lambda shared: 10 - 2 * shared, 0.25),
    ),
)  # fmt: skip

GRAPHS = {
    "a path of four": ((0, 1), (1, 2), (2, 3)),
    "a star with three rays": ((0, 1), (0, 2), (0, 3)),
    "a cycle of four": ((0, 1), (1, 2), (2, 3), (0, 3)),
    "a triangle with a tail": ((0, 1), (1, 2), (0, 2), (2, 3)),
    "a cycle of four with a diagonal": ((0, 1), (1, 2), (2, 3), (0, 3), (0, 2)),
    "all six edges": ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
}  # on four vertices


def _adjacency(edges: Sequence[tuple[int, int]]) -> np.ndarray:
    A = np.zeros((4, 4), dtype=int)
    for i, j in edges:
        A[i, j] = A[j, i] = 1
    return A


def _some_graph(rng: np.random.Generator, name: str) -> list[tuple[int, int]]:
    """The edges of a graph of this name, its vertices numbered anew."""
    order = rng.permutation(4)
    return sorted((int(min(order[[i, j]])), int(max(order[[i, j]]))) for i, j in GRAPHS[name])


def _edges(edges: Sequence[tuple[int, int]]) -> str:
    return ", ".join(f"{i + 1}–{j + 1}" for i, j in edges)


def _draw_walks(rng: np.random.Generator) -> dict[str, Any]:
    name = str(rng.choice(list(GRAPHS)))
    edges = _some_graph(rng, name)
    return {"graph": name, "edges": _edges(edges), "A": _adjacency(edges), "steps": int(rng.integers(2, 5))}


def _work_walks(A: np.ndarray, steps: int) -> dict[str, Any]:
    counts = [np.linalg.matrix_power(A, s).sum(axis=1) for s in range(1, steps + 1)]
    return {"counts": counts, "answer": int(counts[-1].sum())}


walks = Problem(
    name="walks",
    title="How many walks?",
    kind=Numbers("walks"),
    level=1, minutes=5, points=3,
    draw=_draw_walks,
    work=_work_walks,
    statement=r"""
        A graph on the vertices 1 to 4 has the edges @edges (@graph). How many walks of $@steps$ steps does it have? A walk may use an edge
        again, also backwards; walks that visit the vertices in different orders are different.""",
    solution=r"""
        $\mathbf 1^\top A^{@steps}\mathbf 1$ with the adjacency matrix $A$. How many walks begin at each vertex, with one step, two and so
        on: $@counts$. The last add up to $@answer$.""",
    mistakes=(
        Misconception("if a walk and the same walk backwards are one",
             lambda A, steps, answer: Fraction(answer + _palindromes(A, steps), 2), 0.5),
        Misconception("if walks of one step less are counted",
             lambda A, steps: int(np.linalg.matrix_power(A, steps - 1).sum()), 0.5),
        Misconception("if only walks that come back are counted: the trace", lambda A, steps: int(np.trace(np.linalg.matrix_power(A, steps))),
             0.25),
        Misconception("if a walk may not go straight back",
             lambda A, steps: n if (n := _straight(A, steps)) else None, 0.25),
    ),
)  # fmt: skip


def _palindromes(A: np.ndarray, steps: int) -> int:
    """Walks that are their own reverse: out and back on the same way, for an even number of steps."""
    return 0 if steps % 2 else int(np.linalg.matrix_power(A, steps // 2).sum())


def _straight(A: np.ndarray, steps: int) -> int:
    """Walks of so many steps that never take the same edge twice in a row."""
    found = [(i, j) for i, j in np.argwhere(A)]
    for _ in range(steps - 1):
        found = [(j, int(k)) for i, j in found for k in np.flatnonzero(A[j]) if k != i]
    return len(found)


def _draw_colours(rng: np.random.Generator) -> dict[str, Any]:
    first, second = (str(name) for name in rng.choice(list(GRAPHS), 2, replace=False))
    one, two = _some_graph(rng, first), _some_graph(rng, second)
    return {"first": first, "second": second, "e1": _edges(one), "e2": _edges(two),
            "p": sorted(_adjacency(one).sum(axis=1)), "q": sorted(_adjacency(two).sum(axis=1))}  # fmt: skip


def _work_colours(p: list[int], q: list[int]) -> dict[str, Any]:
    """Colours after no round and after one, where a colour is a degree."""
    one, two = (Counter(["start"] * 4 + [int(degree) for degree in degrees]) for degrees in (p, q))
    fresh = sum(n * two[c] for c, n in one.items() if c != "start")
    return {"one": one, "two": two, "fresh": fresh, "answer": 16 + fresh}


colours = Problem(
    name="colours",
    title="One round of colours",
    kind=Numbers("k(G, H)"),
    level=2, minutes=6, points=3,
    draw=_draw_colours,
    work=_work_colours,
    statement=r"""
        Two graphs on four vertices, without names: $G$ with the edges @e1 (@first), $H$ with @e2 (@second). What is their
        Weisfeiler–Lehman kernel with one round, which counts the colours of the start (all vertices alike) and of the first round,
        without normalisation?""",
    solution=r"""
        At the start all vertices have one colour: $4\cdot4=16$. After one round a colour is a degree: $@p$ in $G$ and $@q$ in $H$; the products of
        the counts of equal degrees add up to $@fresh$. Together $@answer$.""",
    mistakes=(
        Misconception("if the colours of the start are left out", lambda fresh: fresh, 0.5),
        Misconception("if only the colours of the start are counted", lambda fresh: 16 if fresh else None, 0.25),
        Misconception("if each colour that both have is counted once", lambda one, two: len(one.keys() & two.keys()), 0.25),
        Misconception("if the smaller of the two counts is added, not their product", lambda one, two: (one & two).total(), 0.5),
    ),
)  # fmt: skip

evaluation = Problem(
    name="evaluation",
    title="Why evaluation is bounded",
    kind=Gaps((
        Gap("$\\langle f,k(x,\\cdot)\\rangle$", (
            ("$\\|f\\|\\,k(x,x)$", "That is a bound and not a value, and it lacks a root."),
            ("$\\langle f,f\\rangle$", "That is the squared norm, which does not depend on x."),
        )),
        Gap("$\\|f\\|\\,\\|k(x,\\cdot)\\|$, by the Cauchy–Schwarz inequality", (
            ("$\\|f\\|+\\|k(x,\\cdot)\\|$, by the triangle inequality", "An inner product is bounded by a product of norms."),
            ("$\\|f\\|$, since the kernel is bounded", "The kernel's own norm stays in the bound."),
        )),
        Gap("$\\sqrt{k(x,x)}=@root$", (
            ("$k(x,x)=@square$", "⟨k(x, ·), k(x, ·)⟩ is the squared norm."),
            ("$1$, since a norm of a kernel is 1", "Only if k(x, x) = 1, as for a Gaussian."),
        )),
        Gap("$@bound$", (
            ("$@wide$", "The norm of k(x, ·) is a root: k(x, x) itself is too much."),
            ("$@narrow$", "The norm of f - g is multiplied by the root, not divided."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"root": int(rng.integers(2, 10)), "far": Fraction(int(rng.integers(1, 10)), 10)},
    work=lambda root, far: {"square": root**2, "bound": root * far, "wide": root**2 * far, "narrow": far / root},
    statement=r"""
        $f$ and $g$ are functions of an RKHS with $k(x,x)=@square$, and $\|f-g\|=@far$. How far apart can their values at $x$ be? Fill
        the gaps. By the reproducing property $f(x)=$ **(1)**. So $|f(x)|$ is at most **(2)**. Here $\|k(x,\cdot)\|=$ **(3)**. The same
        for $f-g$: $|f(x)-g(x)|$ is at most **(4)**.""",
    solution=r"""
        (1) That is what the reproducing property says. (2) The Cauchy–Schwarz inequality. (3) $\|k(x,\cdot)\|^2=\langle k(x,\cdot),k(x,\cdot)\rangle=k(x,x)$.
        (4) $@far\cdot@root=@bound$.""",
)  # fmt: skip

unique = Problem(
    name="unique",
    title="Why a space has one kernel only",
    kind=Gaps((
        Gap("$\\langle k(z,\\cdot),l(x,\\cdot)\\rangle=k(x,z)$", (
            ("$\\langle k(z,\\cdot),l(x,\\cdot)\\rangle=0$", "Two kernels of one space are not orthogonal; l reproduces every function."),
            ("$\\langle k(z,\\cdot),l(x,\\cdot)\\rangle=k(z,z)$", "The value is taken at x, where l stands."),
        )),
        Gap("$\\langle l(x,\\cdot),k(z,\\cdot)\\rangle=l(z,x)$", (
            ("$\\langle l(x,\\cdot),k(z,\\cdot)\\rangle=l(x,x)$", "The value is taken at z, where k stands."),
            ("$\\langle l(x,\\cdot),k(z,\\cdot)\\rangle=k(x,z)\\,l(x,z)$", "An inner product with k(z, ·) is a value at z, not a product."),
        )),
        Gap("an inner product of real functions is symmetric", (
            ("both kernels are positive", "Positive values are not needed."),
            ("$x$ and $z$ are the same point", "They are any two points."),
        )),
        Gap("$l(x,z)=@value$", (
            ("$l(x,z)=@minus$", "The two are equal."),
            ("nothing about $l(x,z)$", "k(x, z) = l(z, x) = l(x, z) for all points."),
        )),
    )),
    level=3, minutes=6, points=4,
    draw=lambda rng: {"value": int(rng.integers(2, 30))},
    work=lambda value: {"minus": -value},
    statement=r"""
        $k$ and $l$ are both reproducing kernels of the same Hilbert space of real functions, and $k(x,z)=@value$. What is $l(x,z)$? Fill
        the gaps. Apply the property of $l$ at $x$ to the function $k(z,\cdot)$: **(1)**. Apply that of $k$ at $z$ to the function
        $l(x,\cdot)$: **(2)**. Both are equal, since **(3)**. Kernels are symmetric, so this gives **(4)**.""",
    solution=r"""
        (1) $f(x)=\langle f,l(x,\cdot)\rangle$ for $f=k(z,\cdot)$. (2) The same with $k$. (3) $\langle f,g\rangle=\langle g,f\rangle$. (4) $k(x,z)=l(z,x)=l(x,z)$.""",
)  # fmt: skip

compare = Problem(
    name="compare",
    title="Comparing graphs by colours, step by step",
    kind=Order((
        "Give every vertex its name as its colour.",
        "Count the colours of the start in each graph.",
        "Describe each vertex by its colour and the sorted colours of its neighbours.",
        "Give equal descriptions the same new colour, with one table for all graphs.",
        "Count the new colours. Then describe, rename and count again, until $@h$ rounds are done.",
        "Add up, over all colours, the products of the two graphs' counts.",
    )),
    level=2, minutes=3, points=2,
    draw=lambda rng: {"h": int(rng.integers(2, 9))},
    statement=r"""
        The Weisfeiler–Lehman kernel with $@h$ rounds. Put the steps in order.
        @lines""",
    solution=r"""
        The order is @answer. The names count as the first colours. A description becomes a colour only when all graphs have been described.""",
    mistakes=(
        Misconception("There is nothing to count before the vertices have colours.", (1, 0, 2, 3, 4, 5), 0.5),
        Misconception("A new colour stands for a description. Describe first, then number.", (0, 1, 3, 2, 4, 5), 0.5),
        Misconception("The products are taken of all counts, at the end.", (0, 1, 2, 3, 5, 4), 0.5),
    ),
)  # fmt: skip

PROBLEMS = (pieces, product, walks, far, colours, evaluation, unique, compare)
