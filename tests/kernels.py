"""One row for each kernel: what it takes, what holds of it, and its formula, written out without kcourse's arithmetic.

The tests of kernels take their parameters from here: values, laws, gradients, and scikit-learn's word. What a column
says is tested too. A new kernel needs its class, its name in ``kcourse/__init__.py`` and a row; a test says which row,
or which column, is missing.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations, product
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import gamma, kv
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise

import kcourse
from kcourse import (
    Brownian,
    Constant,
    Gapped,
    Gaussian,
    Graph,
    HistogramIntersection,
    InverseMultiquadric,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Mismatch,
    Multiquadric,
    Normalized,
    Periodic,
    Polynomial,
    Precomputed,
    RandomWalk,
    RationalQuadratic,
    ShortestPath,
    Sigmoid,
    Spectrum,
    ThinPlate,
    WeisfeilerLehman,
)
from kcourse.kernels import Product, Sum
from tests.rows import each

# ---------------------------------------------------------------- what kernels take

D, LETTERS, NUMBERS = 3, "abc", 7  # features of a row, letters of strings, points of a given Gram matrix


@dataclass(frozen=True)
class Points:
    """A kind of points: ``sample(n, seed)`` and, for laws, a strategy ``drawn``; ``real`` ones can be moved."""

    sample: Callable[..., Any]
    drawn: st.SearchStrategy
    real: bool = True
    large: bool = True  # quick enough for hundreds


def _normal(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((n, D))


def _sixteenths(least: int, d: int = D) -> st.SearchStrategy:
    """Multiples of 1/16: equal and nearly equal points are common, and shifts by whole numbers exact."""
    entries = st.integers(least, 64).map(lambda i: i / 16)
    return st.integers(1, 10).flatmap(lambda n: arrays(float, (n, d), elements=entries))


def _words(n: int, seed: int = 0) -> list[str]:
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list(LETTERS), rng.integers(4, 12))) for _ in range(n)]


def _molecules(n: int, seed: int = 0) -> list[Graph]:
    rng, made = np.random.default_rng(seed), []
    for size in rng.integers(2, 7, n):
        A = np.tril(rng.integers(0, 2, (size, size)), -1)
        A[1, 0] = 1  # one edge at least
        made.append(Graph(A + A.T, rng.choice(list("CNO"), size)))
    return made


@st.composite
def graphs(draw: Any, labelled: bool = True, max_weight: int = 1) -> Graph:
    n = draw(st.integers(1, 6))
    A = np.zeros((n, n))
    for u in range(n):
        for v in range(u):
            A[u, v] = A[v, u] = draw(st.sampled_from([0, *range(1, max_weight + 1)]))
    return Graph(A, draw(st.lists(st.sampled_from("CNO"), min_size=n, max_size=n)) if labelled else None)


ROWS = Points(_normal, _sixteenths(-64))
AMOUNTS = Points(lambda n, seed=0: np.abs(_normal(n, seed)), _sixteenths(0))
TIMES = Points(lambda n, seed=0: np.abs(_normal(n, seed)[:, :1]), _sixteenths(0, d=1))
ROW_NUMBERS = Points(
    lambda n, seed=0: np.random.default_rng(seed).integers(0, NUMBERS, (n, 1)).astype(float),
    st.lists(st.integers(0, NUMBERS - 1), min_size=1, max_size=10).map(lambda rows: np.array(rows, float)[:, None]),
    real=False,
)
STRINGS = Points(_words, st.lists(st.text(LETTERS, max_size=12), min_size=1, max_size=8), real=False, large=False)
GRAPHS = Points(
    _molecules,
    st.booleans().flatmap(lambda labelled: st.lists(graphs(labelled), min_size=1, max_size=6)),
    real=False, large=False,
)  # fmt: skip

# ---------------------------------------------------------------- formulas of two points


def r(x: Any, z: Any, sigma: Any = 1.0) -> float:
    return math.sqrt(sum(((a - b) / s) ** 2 for a, b, s in zip(x, z, np.broadcast_to(sigma, len(x)), strict=True)))


def _matern(k: Matern, x: Any, z: Any) -> float:
    if k.nu == np.inf:
        return math.exp(-(r(x, z, k.sigma) ** 2) / 2)
    s = math.sqrt(2 * k.nu) * r(x, z, k.sigma)
    return 2 ** (1 - k.nu) / gamma(k.nu) * s**k.nu * kv(k.nu, s) if s > 0 else 1.0


def _thin_plate(k: ThinPlate, x: Any, z: Any) -> float:
    s = r(x, z, k.c)
    return s * s * math.log(s) if s else 0.0


def kmers(string: Any, k: int) -> list:
    return [string[i : i + k] for i in range(len(string) - k + 1)]


def pairs_alike(left: Any, right: Any) -> int:
    """Of how many pairs of one of ``left`` and one of ``right`` both are the same."""
    left, right = Counter(left), Counter(right)
    return sum(count * right[what] for what, count in left.items())


def _gapped(kernel: Gapped, x: Any, z: Any) -> int:
    return sum(
        pairs_alike(*([tuple(u[p] for p in S) for u in kmers(string, kernel.k)] for string in (x, z)))
        for S in combinations(range(kernel.k), kernel.k - kernel.gaps)
    )


def _mismatch(kernel: Mismatch, x: Any, z: Any) -> int:
    def near(s: Any, string: Any) -> int:
        return sum(sum(a != b for a, b in zip(s, u, strict=True)) <= kernel.m for u in kmers(string, kernel.k))

    return sum(near(s, x) * near(s, z) for s in product(kernel.alphabet, repeat=kernel.k))


def labels_of(graph: Graph) -> tuple:
    return graph.labels or (None,) * graph.n_vertices


def _unfolded(graph: Graph, u: int, depth: int) -> str:
    """The neighbourhood of a vertex as a nested multiset."""
    if depth == 0:
        return repr(labels_of(graph)[u])
    near = sorted(_unfolded(graph, v, depth - 1) for v in np.flatnonzero(graph.adjacency[u]))
    return f"({_unfolded(graph, u, depth - 1)}:{','.join(near)})"


def _weisfeiler_lehman(k: WeisfeilerLehman, *pair: Graph) -> int:
    return sum(
        pairs_alike(*([_unfolded(g, u, depth) for u in range(g.n_vertices)] for g in pair)) for depth in range(k.h + 1)
    )


def lengths_by_floyd_and_warshall(graph: Graph) -> np.ndarray:
    L = np.where(graph.adjacency > 0, graph.adjacency, np.inf)
    np.fill_diagonal(L, 0)
    for w, u, v in product(range(len(L)), repeat=3):
        L[u, v] = min(L[u, v], L[u, w] + L[w, v])
    return L


def _shortest_path(k: ShortestPath, *pair: Graph) -> int:
    def triples(graph: Graph) -> list:
        L, labels = lengths_by_floyd_and_warshall(graph), labels_of(graph)
        joined = [(u, v) for u, v in combinations(range(len(L)), 2) if np.isfinite(L[u, v])]
        return [(*sorted([labels[u], labels[v]], key=str), L[u, v]) for u, v in joined]

    return pairs_alike(*map(triples, pair))


def product_graph(G: Graph, H: Graph) -> np.ndarray:
    pairs = [(u, v) for u, a in enumerate(labels_of(G)) for v, b in enumerate(labels_of(H)) if a == b]
    A = [[G.adjacency[u, w] * H.adjacency[v, x] for w, x in pairs] for u, v in pairs]
    return np.reshape(A, (len(pairs), len(pairs)))


def _random_walk(k: RandomWalk, G: Graph, H: Graph) -> float:
    A = product_graph(G, H)
    return np.linalg.solve(np.eye(len(A)) - k.lam * A, np.ones(len(A))).sum()


# ---------------------------------------------------------------- the table


@dataclass(frozen=True, kw_only=True)
class Row:
    """What is known of a kernel; of one that is put together a column holds as far as it does of the parts."""

    takes: Points | str | None = None
    examples: tuple[Kernel, ...] | None = None
    drawn: st.SearchStrategy | None = None  # any parameters, for laws
    formula: Callable[[Any, Any, Any], float] | None = None  # of the kernel and two points
    definiteness: str | None = None  # what it says, and what its Gram matrices are
    stationary: bool | None = None
    lengths: tuple[str, ...] | None = None  # parameters in the units of x: k depends on ratios to them alone
    learns: tuple[str, ...] | None = None  # parameters with gradients, in the order of theta
    features: bool | None = None  # whether there is a finite map
    in_sklearn: Callable[[Any], Callable | None] | None = None  # the same function, where there is one


PSD, ITS_PARTS = "positive semi-definite", "what its parts take"
WIDTHS = (0.5, 1.25, 4.0)  # one for each feature
widths = st.floats(0.05, 20.0)
every_width = st.one_of(widths, st.tuples(widths, widths, widths))
# without subnormal numbers: they have too few digits for their logarithm to bring them back
from_0 = partial(st.floats, 0.0, allow_subnormal=False)
orders = st.integers(1, 4)
# kernels of rows that are positive semi-definite and put together from nothing, and what is put together from them
simple = st.deferred(
    lambda: st.one_of([row.drawn for row in KERNELS.values() if row.takes is ROWS and row.definiteness == PSD])
)
composed = st.recursive(
    simple,
    lambda parts: st.one_of(
        st.builds(operator.add, parts, parts),
        st.builds(operator.mul, parts, parts),
        st.builds(operator.mul, from_0(5.0), parts),
        st.builds(operator.add, parts, from_0(5.0)),
    ),
    max_leaves=4,
)


def none(kernel: Kernel) -> None:
    """scikit-learn has no such kernel."""


def _of_both(operation: Callable) -> Callable[[Any], Callable | None]:
    def in_sklearn(kernel: Any) -> Callable | None:
        left, right = (KERNELS[type(part)].in_sklearn(part) for part in (kernel.left, kernel.right))
        return left and right and (lambda *sets: operation(left(*sets), right(*sets)))

    return in_sklearn


KERNELS: dict[type[Kernel], Row] = {
    Linear: Row(
        takes=ROWS,
        examples=(Linear(),),
        drawn=st.builds(Linear),
        formula=lambda k, x, z: np.dot(x, z),
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=True,
        in_sklearn=lambda k: pairwise.linear_kernel,
    ),
    Polynomial: Row(
        takes=ROWS,
        examples=(Polynomial(0.5, 1.5, 3), Polynomial(gamma=2, coef0=0, degree=2), Polynomial(degree=1)),
        drawn=st.builds(Polynomial, gamma=st.floats(0.1, 2.0), coef0=from_0(2.0), degree=orders),
        formula=lambda k, x, z: (k.gamma * np.dot(x, z) + k.coef0) ** k.degree,
        definiteness=PSD, stationary=False, lengths=(), learns=("gamma", "coef0"), features=True,
        in_sklearn=lambda k: partial(pairwise.polynomial_kernel, gamma=k.gamma, coef0=k.coef0, degree=k.degree),
    ),
    Sigmoid: Row(
        takes=ROWS,
        examples=(Sigmoid(gamma=0.5, coef0=-0.25),),
        drawn=st.builds(Sigmoid, st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)),
        formula=lambda k, x, z: math.tanh(k.gamma * np.dot(x, z) + k.coef0),
        definiteness="indefinite", stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=lambda k: partial(pairwise.sigmoid_kernel, gamma=k.gamma, coef0=k.coef0),
    ),
    Gaussian: Row(
        takes=ROWS,
        examples=(Gaussian(1.7), Gaussian(WIDTHS)),
        drawn=st.builds(Gaussian, every_width),
        formula=lambda k, x, z: math.exp(-(r(x, z, k.sigma) ** 2) / 2),
        definiteness=PSD, stationary=True, lengths=("sigma",), learns=("sigma",), features=False,
        in_sklearn=lambda k: gp.RBF(k.sigma),
    ),
    Laplacian: Row(
        takes=ROWS,
        examples=(Laplacian(1.7), Laplacian(WIDTHS)),
        drawn=st.builds(Laplacian, every_width),
        formula=lambda k, x, z: math.exp(-r(x, z, k.sigma)),
        definiteness=PSD, stationary=True, lengths=("sigma",), learns=("sigma",), features=False,
        in_sklearn=lambda k: gp.Matern(k.sigma, nu=0.5),  # its laplacian_kernel is of another norm
    ),
    Matern: Row(
        takes=ROWS,
        examples=(
            *(Matern(nu, 1.7) for nu in (0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 2.5, 7.2, np.inf)),
            *(Matern(nu, WIDTHS) for nu in (1.0, 1.5, 2.5)),
        ),
        drawn=st.builds(Matern, st.sampled_from([0.5, 1.5, 2.5, 0.8, 4.0, np.inf]), every_width),
        formula=_matern,
        definiteness=PSD, stationary=True, lengths=("sigma",), learns=("sigma",), features=False,
        in_sklearn=lambda k: gp.Matern(k.sigma, nu=k.nu),
    ),
    RationalQuadratic: Row(
        takes=ROWS,
        examples=(RationalQuadratic(1.7, alpha=0.6), RationalQuadratic(WIDTHS, alpha=3.0)),
        drawn=st.builds(RationalQuadratic, every_width, st.floats(0.1, 10.0)),
        formula=lambda k, x, z: (1 + r(x, z, k.sigma) ** 2 / (2 * k.alpha)) ** -k.alpha,
        definiteness=PSD, stationary=True, lengths=("sigma",), learns=("sigma", "alpha"), features=False,
        in_sklearn=lambda k: None if isinstance(k.sigma, tuple) else gp.RationalQuadratic(k.sigma, k.alpha),
    ),
    Periodic: Row(
        takes=ROWS,
        examples=(Periodic(period=2.5, sigma=0.8),),
        drawn=st.builds(Periodic, st.floats(0.5, 8.0), widths),
        formula=lambda k, x, z: math.exp(
            -2 * sum(math.sin(math.pi * (a - b) / k.period) ** 2 for a, b in zip(x, z, strict=True)) / k.sigma**2
        ),
        definiteness=PSD, stationary=True, lengths=("period",), learns=("period", "sigma"), features=False,
        in_sklearn=none,  # ExpSineSquared is the same for one feature only
    ),
    InverseMultiquadric: Row(
        takes=ROWS,
        examples=(InverseMultiquadric(1.5),),
        drawn=st.builds(InverseMultiquadric, widths),
        formula=lambda k, x, z: 1 / math.hypot(r(x, z), k.c),
        definiteness=PSD, stationary=True, lengths=(), learns=("c",), features=False,
        in_sklearn=none,
    ),
    Multiquadric: Row(
        takes=ROWS,
        examples=(Multiquadric(1.5),),
        drawn=st.builds(Multiquadric, widths),
        formula=lambda k, x, z: math.hypot(r(x, z), k.c),
        definiteness="conditionally negative definite of order 1",
        stationary=True, lengths=(), learns=(), features=False,
        in_sklearn=none,
    ),
    ThinPlate: Row(
        takes=ROWS,
        examples=(ThinPlate(1.5),),
        drawn=st.builds(ThinPlate, widths),
        formula=_thin_plate,
        definiteness="conditionally positive definite of order 2",
        stationary=True, lengths=("c",), learns=(), features=False,
        in_sklearn=none,
    ),
    HistogramIntersection: Row(
        takes=AMOUNTS,
        examples=(HistogramIntersection(),),
        drawn=st.builds(HistogramIntersection),
        formula=lambda k, x, z: sum(map(min, x, z)),
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=none,
    ),
    Brownian: Row(
        takes=TIMES,
        examples=(Brownian(),),
        drawn=st.builds(Brownian),
        formula=lambda k, s, t: min(s[0], t[0]),
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=none,
    ),
    Precomputed: Row(
        takes=ROW_NUMBERS,
        examples=(Precomputed(_normal(NUMBERS) @ _normal(NUMBERS).T),),
        drawn=st.integers(0, 9).map(lambda seed: Precomputed(_normal(NUMBERS, seed) @ _normal(NUMBERS, seed).T)),
        formula=lambda k, i, j: k.K[int(i[0])][int(j[0])],
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=none,  # its "precomputed" takes slices of the matrix
    ),
    Constant: Row(
        takes=ROWS,
        examples=(Constant(2.5), Constant(0.0)),
        drawn=st.builds(Constant, from_0(3.0)),
        formula=lambda k, x, z: k.value,
        definiteness=PSD, stationary=True, lengths=(), learns=("value",), features=True,
        in_sklearn=lambda k: gp.ConstantKernel(k.value),
    ),
    Spectrum: Row(
        takes=STRINGS,
        examples=(Spectrum(1), Spectrum(3)),
        drawn=st.builds(Spectrum, orders),
        formula=lambda k, x, z: pairs_alike(kmers(x, k.k), kmers(z, k.k)),
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=True,
        in_sklearn=none,
    ),
    Gapped: Row(
        takes=STRINGS,
        examples=(Gapped(3, gaps=1), Gapped(3, gaps=2)),
        drawn=orders.flatmap(lambda k: st.builds(Gapped, st.just(k), st.integers(0, k - 1))),
        formula=_gapped,
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=none,
    ),
    Mismatch: Row(
        takes=STRINGS,
        examples=(Mismatch(2, m=1, alphabet=LETTERS), Mismatch(3, m=2, alphabet=LETTERS + "d")),
        drawn=orders.flatmap(
            lambda k: st.builds(
                Mismatch, st.just(k), st.integers(0, k - 1), alphabet=st.sampled_from([LETTERS, LETTERS + "d"])
            )
        ),
        formula=_mismatch,
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=none,
    ),
    WeisfeilerLehman: Row(
        takes=GRAPHS,
        examples=(WeisfeilerLehman(0), WeisfeilerLehman(3)),
        drawn=st.builds(WeisfeilerLehman, st.integers(0, 3)),
        formula=_weisfeiler_lehman,
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=True,
        in_sklearn=none,
    ),
    ShortestPath: Row(
        takes=GRAPHS,
        examples=(ShortestPath(),),
        drawn=st.builds(ShortestPath),
        formula=_shortest_path,
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=True,
        in_sklearn=none,
    ),
    RandomWalk: Row(
        takes=GRAPHS,
        examples=(RandomWalk(0.02),),
        drawn=st.builds(RandomWalk, st.floats(0.001, 0.03)),  # below 1/ρ² of any graph of 6 vertices
        formula=_random_walk,
        definiteness=PSD, stationary=False, lengths=(), learns=(), features=False,
        in_sklearn=none,
    ),
    Sum: Row(
        takes=ITS_PARTS,
        examples=(
            Linear() + 2 * Gaussian(1.7),
            Gaussian(WIDTHS) + Constant(0.5),
            Linear() + 3 * Polynomial(degree=2),
            Linear() + 0,
            2 * Gaussian(1.5) * Periodic(2.2, 1.3) + Linear() * Matern(1.5, 2.0) + 0.3,
            3 * Spectrum(2) + 1,
        ),
        drawn=st.builds(operator.add, composed, composed),
        formula=lambda k, x, z: value(k.left, x, z) + value(k.right, x, z),
        definiteness=PSD, stationary=True, lengths=(), learns=("left", "right"), features=True,
        in_sklearn=_of_both(operator.add),
    ),
    Product: Row(
        takes=ITS_PARTS,
        examples=(
            3 * Gaussian(0.8),
            Gaussian(0.8) * 3,
            2 * (3 * Gaussian(0.8)),
            Linear() * Laplacian(1.7),
            RationalQuadratic(1.2, 0.8) * Periodic(1.9, 0.8),
            (Linear() + 1) * Polynomial(coef0=0.0, degree=2),
            WeisfeilerLehman(1) * ShortestPath(),
        ),
        drawn=st.builds(operator.mul, composed, composed),
        formula=lambda k, x, z: value(k.left, x, z) * value(k.right, x, z),
        definiteness=PSD, stationary=True, lengths=(), learns=("left", "right"), features=True,
        in_sklearn=_of_both(operator.mul),
    ),
    Normalized: Row(
        takes=ITS_PARTS,
        examples=(
            Normalized(Linear()),
            Normalized(Linear() + 0.7),
            Normalized(Polynomial(0.3, 1.2, 3)),
            Normalized(Gaussian(1.7)),
            Normalized(Spectrum(2)),
        ),
        drawn=composed.map(lambda k: Normalized(k + 0.1)),  # no point without a direction
        formula=lambda k, x, z: value(k.kernel, x, z) / math.sqrt(value(k.kernel, x, x) * value(k.kernel, z, z)),
        definiteness=PSD, stationary=True, lengths=(), learns=("kernel",), features=False,
        in_sklearn=lambda k: pairwise.cosine_similarity if k.kernel == Linear() else None,
    ),
}  # fmt: skip


# ---------------------------------------------------------------- what tests ask it

EXAMPLES = {repr(kernel): kernel for row in KERNELS.values() for kernel in row.examples or ()}


def kernel_classes() -> set[type[Kernel]]:
    """Every kernel that kcourse defines, exported or not; those that compute nothing are what others are made of."""
    for home in set(kcourse._HOME.values()):
        import_module(f"kcourse.{home}")
    found: set[type[Kernel]] = set()
    new = {Kernel}
    while new := {below for cls in new for below in cls.__subclasses__()}:
        found |= new
    return {cls for cls in found if cls.__module__.startswith("kcourse.") and not cls.__name__.startswith("_")} - {
        cls for cls in found if cls._pairs is Kernel._pairs and cls.__call__ is Kernel.__call__
    }


def row(kernel: Kernel) -> Row:
    return KERNELS[type(kernel)]


def examples_that(fit: Callable[[Kernel], object]) -> Callable:
    """A test of each example that fits."""
    kernels = {name: kernel for name, kernel in EXAMPLES.items() if fit(kernel)}
    return each("kernel", kernels.values())


def parts(kernel: Kernel) -> list[Kernel]:
    return [part for part in vars(kernel).values() if isinstance(part, Kernel)]


def holds(column: str, kernel: Kernel, value: object = True) -> bool:
    """Whether the column has this value for the kernel and for all it is put together from."""
    return getattr(row(kernel), column) == value and all(holds(column, part, value) for part in parts(kernel))


def takes(kernel: Kernel) -> Points:
    """The points of the kernel; a constant takes whatever stands beside it."""
    inside = sorted(parts(kernel), key=lambda part: isinstance(part, Constant))
    return takes(inside[0]) if inside else row(kernel).takes


def value(kernel: Kernel, x: Any, z: Any) -> float:
    """The kernel's formula for two points."""
    return row(kernel).formula(kernel, x, z)


def matrix(kernel: Kernel, X: Any, Z: Any = None) -> np.ndarray:
    """The formula for all pairs, of whole numbers where it is."""
    return np.array([[value(kernel, x, z) for z in (X if Z is None else Z)] for x in X])


def theta_names(kernel: Kernel) -> tuple[str, ...]:
    """What the kernel learns, after the table: one name for each number, and none that is 0."""
    names: list[str] = []
    for name in row(kernel).learns:
        held = getattr(kernel, name)
        if isinstance(held, Kernel):
            names += (f"{name}__{inner}" for inner in theta_names(held))
        elif isinstance(held, tuple):
            names += (f"{name}[{i}]" for i in range(len(held)))
        elif held != 0:
            names.append(name)
    return tuple(names)


def stretched(kernel: Kernel, c: float) -> Kernel:
    """The kernel with its lengths times ``c``."""
    longer = {name: np.multiply(getattr(kernel, name), c) for name in row(kernel).lengths}
    return kernel.with_params(**{name: tuple(new) if new.ndim else float(new) for name, new in longer.items()})
