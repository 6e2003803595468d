"""Generation of all alkanes as graphs, and an exact property of them, the Wiener index.

An alkane CₙH₂ₙ₊₂ is a tree of n carbon atoms, each with at most 4 neighbours (hydrogen fills the rest).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

import numpy as np

from kcourse.base.validation import check_number
from kcourse.graphs.graph import Graph, shortest_lengths

__all__ = ["alkanes", "wiener_index"]

Tree = tuple  # the branches of the root, each of them a Tree
_LARGEST = 20  # largest number of atoms


def alkanes(n_max: int, *, n_min: int = 1) -> tuple[Graph, ...]:
    """Return all alkanes of ``n_min`` to ``n_max`` carbon atoms, each isomer once (mirror images are one).

    There are 1, 1, 1, 2, 3, 5, 9, 18, 35, 75, 159, 355, … alkanes with 1, 2, 3, … carbon atoms. Labels are "C". The
    alkanes are sorted by size; within a size the chain comes first, then by decreasing Wiener index.

    Each tree has either one centroid, a vertex whose branches all have fewer than n/2 vertices, or one edge with n/2
    vertices on each side. Each alkane is generated once, from there, so that no two need to be compared.

    >>> from kcourse.graphs import alkanes, wiener_index
    >>> [len(alkanes(n, n_min=n)) for n in range(1, 11)]
    [1, 1, 1, 2, 3, 5, 9, 18, 35, 75]
    >>> [wiener_index(molecule) for molecule in alkanes(5, n_min=4)]
    [10, 9, 20, 18, 16]
    """
    n_min = check_number(n_min, "n_min", at_least=1, integer=True)
    n_max = check_number(n_max, "n_max", at_least=n_min, integer=True, why="n_min is the smallest size.")
    if n_max > _LARGEST:
        raise ValueError(
            f"n_max = {n_max} is more than {_LARGEST}: the 366 319 alkanes of 20 atoms take minutes, and each "
            "further atom more than doubles their number; 40 atoms have 6 · 10¹³ alkanes. Choose a smaller n_max."
        )
    return tuple(_molecule(tree, n) for n in range(n_min, n_max + 1) for tree in _trees(n))


def wiener_index(graph: Graph) -> int:
    """Return the Wiener index: the sum of the lengths of shortest paths over all pairs of vertices [Wiener 1947].

    >>> from kcourse.graphs import Graph, wiener_index
    >>> wiener_index(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    10
    """
    if not isinstance(graph, Graph):
        raise TypeError(f"graph is {type(graph).__name__}; expected a Graph.")
    lengths = shortest_lengths(graph)
    if not np.all(np.isfinite(lengths)):
        u, v = np.argwhere(np.isinf(lengths))[0]
        raise ValueError(f"the graph is not connected: no path joins vertices {u} and {v}.")
    return int(lengths.sum()) // 2


@lru_cache(maxsize=64)
def _radicals(n: int) -> tuple[Tree, ...]:
    """Return all branches of n carbon atoms: trees whose root has a free bond, so at most 3 branches."""
    return tuple(_branches(n - 1, 3, n - 1))


def _branches(total: int, most: int, largest: int) -> Iterator[Tree]:
    """Yield all multisets of at most ``most`` branches with ``total`` atoms, none larger than ``largest``."""
    if total == 0:
        yield ()
    for size in range(min(total, largest), 0, -1):
        for count in range(1, min(most, total // size) + 1):
            for equal_size in combinations_with_replacement(_radicals(size), count):
                for rest in _branches(total - size * count, most - count, size - 1):
                    yield equal_size + rest


def _trees(n: int) -> list[Tree]:
    trees = list(_branches(n - 1, 4, (n - 1) // 2))
    if n % 2 == 0:  # trees with an edge that has n/2 atoms on each side
        trees += [(second, *first) for first, second in combinations_with_replacement(_radicals(n // 2), 2)]
    return sorted(trees, key=lambda tree: (-_wiener(tree, n)[1], tree))


def _wiener(tree: Tree, n: int) -> tuple[int, int]:
    """Return the number of vertices of the branch, and Σ s (n - s) over its edges, each with s vertices below it."""
    size, total = 1, 0
    for branch in tree:
        below, inside = _wiener(branch, n)
        size, total = size + below, total + inside + below * (n - below)
    return size, total


def _molecule(tree: Tree, n: int) -> Graph:
    edges, pending, known = [], [(0, branch) for branch in tree], 1
    while pending:
        parent, branch = pending.pop(0)
        edges.append((parent, known))
        pending += [(known, next_branch) for next_branch in branch]
        known += 1
    return Graph.from_edges(edges, "C" * n)
