"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from scipy import integrate, linalg
from scipy.sparse.csgraph import shortest_path

from kcourse import Graph
from kcourse.graphs import RandomWalk, WeisfeilerLehman
from kcourse.strings import Spectrum

__all__ = ["OTHER_WAYS"]


def shortest_slopes(L: int, c: int, x0: int, v: int) -> list[float]:
    """The smallest norm among all polygons on a grid of a hundredth, from their slopes."""
    cell = np.arange(0, L, 0.01) + 0.005
    slopes = linalg.lstsq(-0.01 * (cell > x0)[None] + 0.0, [v])[0]  # of smallest length
    norm = c * np.sum(slopes**2) * 0.01
    return [v * v / norm, norm]


def fitted_slopes(x1: Any, x2: Any, lam: Any, y: int) -> list[float]:
    cell = np.arange(0, 1, 0.01) + 0.005
    inside = ((cell > x1) & (cell < x2)).astype(float)
    rows = np.vstack([0.01 * inside, np.sqrt(float(lam) * 0.01) * np.eye(len(cell))])
    slopes = linalg.lstsq(rows, np.append(y, np.zeros(len(cell))))[0]
    f = 0.01 * np.cumsum(slopes)
    np.testing.assert_allclose(slopes, slopes.max() * inside, atol=1e-9)
    return [slopes.max(), f[-1]]


def cosine(n: int, side: int, first: str, second: str, third: str, fourth: str) -> float:
    for one, two in ((first, second), (third, fourth)):
        K = Spectrum(2)([one, two])
        assert len(one) == len(two) == n and one != two and K[0, 0] - 2 * K[0, 1] + K[1, 1] == 0
    outer = 0 if side > 0 else -1
    assert third[outer] == fourth[outer] == first[0] and third.count(first[0]) == fourth.count(first[0])
    K = Spectrum(1)([first, second])
    return K[0, 1] / np.sqrt(K[0, 0] * K[1, 1])


def circle(n: int) -> np.ndarray:
    A = np.roll(np.eye(n), 1, axis=1)
    return A + A.T


def one_and_two(n: int, h: int) -> list[float]:
    one, two = circle(n), linalg.block_diag(circle(n // 2), circle(n // 2))
    pairs = []
    for A in (one, two):
        d = shortest_path(A, unweighted=True)[np.triu_indices(n, 1)]
        pairs.append([np.sum(d == ell) for ell in range(1, n)])
    kernel = WeisfeilerLehman(h)([Graph(one)], [Graph(two)])[0, 0]
    return [kernel, np.sum(np.subtract(*pairs) ** 2)]


def counted(a1: Any, b1: Any, a2: Any, b2: Any, r: int) -> list[float]:
    """By counting in a large file and among many candidates."""
    found, p = [], []
    for a, b in ((a1, b1), (a2, b2)):
        found.append((500 * a + 500 * (1 - b)) / 1000)
        p.append(a * 1000 / (a * 1000 + b * 1000 * (r - 1)))
    rates = np.linspace(0, 1, 100_001)
    enough = float(a1) * rates >= float(b1) * (1 - rates)
    return [*found, *p, rates[enough].min()]


def by_quadrature(a: int, b: int, j: int) -> list[float]:
    def f(x: float) -> float:
        return a * np.sin(np.pi * x / 2) + b * np.sin(j * np.pi * x / 2)

    def slope(x: float) -> float:
        return np.pi / 2 * (a * np.cos(np.pi * x / 2) + b * j * np.cos(j * np.pi * x / 2))

    return [integrate.quad(lambda x: slope(x) ** 2, 0, 1)[0] / np.pi**2, f(1) ** 2]


def regular(n: int, r: int) -> np.ndarray:
    """Each atom is bonded to its r nearest ones in a ring, and to the opposite one if r is odd."""
    A = sum((np.roll(np.eye(n), step, axis=1) for step in range(1, r // 2 + 1)), np.zeros((n, n)))
    return A + A.T + (np.roll(np.eye(n), n // 2, axis=1) if r % 2 else 0)


def product_graph(n: int, r: int, m: int, s: int, lam: Any) -> list[float]:
    A = np.kron(regular(n, r), regular(m, s))
    assert set(regular(n, r).ravel()) == {0, 1} and set(regular(m, s).ravel()) == {0, 1}
    value = np.linalg.solve(np.eye(n * m) - float(lam) * A, np.ones(n * m)).sum()
    library = RandomWalk(float(lam))([Graph(regular(n, r))], [Graph(regular(m, s))])[0, 0]
    np.testing.assert_allclose(library, value)
    radii = [np.linalg.eigvalsh(each).max() for each in (regular(n, r), regular(m, s))]
    return [1 / max(radii) ** 2, value]


def with_holes(s: str, t: str) -> int:
    """By the counts of what each window reads at each pair of positions."""
    total = 0
    for kept in combinations(range(3), 2):
        one, two = ([tuple(x[i + j] for j in kept) for i in range(len(x) - 2)] for x in (s, t))
        total += sum(one.count(read) * two.count(read) for read in {*one, *two})
    return total


def changed(n: int, k: int, places: list[int]) -> list[float]:
    """With strings of letters that occur once."""
    old = "".join(chr(200 + i) for i in range(n))
    new = "".join(chr(900 + i) if i + 1 in places else letter for i, letter in enumerate(old))
    K = Spectrum(k)([old, new])
    return [K[0, 0] - K[0, 1], K[0, 1] / np.sqrt(K[0, 0] * K[1, 1])]


OTHER_WAYS = {
    "other_end": shortest_slopes, "difference": fitted_slopes, "same_counts": cosine, "rings": one_and_two,
    "precision": counted, "sines": by_quadrature, "endless_walks": product_graph, "gapped": with_holes,
    "two_letters": changed,
}  # fmt: skip
