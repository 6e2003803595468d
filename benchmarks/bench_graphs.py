"""Kernels of graphs: how all pairs of a set of molecules grow; making alkanes."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Growth
from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman, alkanes


def molecules(n):
    """Trees of 10 to 27 vertices with a few rings closed, labelled mostly C: about as large as those of MUTAG."""
    rng, made = np.random.default_rng(0), []
    for _ in range(n):
        size = int(rng.integers(10, 28))
        edges = [(int(rng.integers(max(0, v - 3), v)), v) for v in range(1, size)]
        edges += [tuple(int(u) for u in rng.choice(size, 2, replace=False)) for _ in range(size // 6)]
        atoms = [str(atom) for atom in rng.choice(list("CCCCCNO"), size)]
        made.append(Graph.from_edges(edges, atoms, n=size))
    return made


def rows():
    yield Growth("WeisfeilerLehman(3), n molecules", (100, 200, 400, 800), molecules, WeisfeilerLehman(3), "n to n²", 3)
    yield Growth("ShortestPath(), n molecules", (100, 200, 400, 800), molecules, ShortestPath(), "n to n²", 3)
    yield Growth("RandomWalk(0.05), n molecules", (50, 100, 200), molecules, RandomWalk(0.05), "n²", 3)
    yield Growth("alkanes of n carbon atoms", (8, 10, 12), lambda n: n, lambda n: alkanes(n, n_min=n),
                 "2.3 times as many for each atom", 3)  # fmt: skip
