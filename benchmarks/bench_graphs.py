"""Kernels of graphs: all pairs of a set of molecules, against plain ways to compute the same; making alkanes."""

from __future__ import annotations

from collections import Counter

import numpy as np

from benchmarks.harness import Growth, Row
from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman, alkanes

LAM = 0.05


def molecules(n, labelled=True):
    """Trees of 10 to 27 vertices with a few rings closed, labelled mostly C: about as large as those of MUTAG."""
    rng, made = np.random.default_rng(0), []
    for _ in range(n):
        size = int(rng.integers(10, 28))
        edges = [(int(rng.integers(max(0, v - 3), v)), v) for v in range(1, size)]
        edges += [tuple(int(u) for u in rng.choice(size, 2, replace=False)) for _ in range(size // 6)]
        atoms = [str(atom) for atom in rng.choice(list("CCCCCNO"), size)]
        made.append(Graph.from_edges(edges, atoms if labelled else None, n=size))
    return made


def inner(counters):
    """All pairs, each once, from dictionaries of counts."""
    K = np.empty((len(counters), len(counters)))
    for i, own in enumerate(counters):
        for j, other in enumerate(counters[: i + 1]):
            K[i, j] = K[j, i] = sum(count * other[s] for s, count in own.items() if s in other)
    return K


def wl_by_dictionaries(graphs, h=3):
    near = [[np.flatnonzero(row).tolist() for row in graph.adjacency] for graph in graphs]
    colors = [list(graph.labels) for graph in graphs]
    counters = [Counter((0, c) for c in own) for own in colors]
    for i in range(1, h + 1):
        table = {}
        colors = [
            [table.setdefault((own[u], tuple(sorted(own[v] for v in near[g][u]))), len(table)) for u in range(len(own))]
            for g, own in enumerate(colors)
        ]
        for counter, own in zip(counters, colors, strict=True):
            counter.update((i, c) for c in own)
    return inner(counters)


def paths_by_dictionaries(graphs):
    counters = []
    for graph in graphs:
        D = np.where(graph.adjacency > 0, graph.adjacency, np.inf)
        np.fill_diagonal(D, 0)
        for w in range(len(D)):  # Floyd and Warshall, a row and a column at a time
            D = np.minimum(D, D[:, [w]] + D[w])
        pairs = ((u, v) for u in range(len(D)) for v in range(u) if D[u, v] < np.inf)
        counters.append(Counter((*sorted([graph.labels[u], graph.labels[v]]), D[u, v]) for u, v in pairs))
    return inner(counters)


def walks_by_solving(graphs):
    """The product graph written down for each pair, and one system solved."""
    K = np.empty((len(graphs), len(graphs)))
    for i, G in enumerate(graphs):
        for j, H in enumerate(graphs[: i + 1]):
            equal = np.ones((G.n_vertices, H.n_vertices), dtype=bool)
            if G.labels:
                equal = np.array(G.labels)[:, None] == np.array(H.labels)
            u, v = np.nonzero(equal)
            A = G.adjacency[np.ix_(u, u)] * H.adjacency[np.ix_(v, v)]
            K[i, j] = K[j, i] = np.linalg.solve(np.eye(len(A)) - LAM * A, np.ones(len(A))).sum()
    return K


def rows():
    yield Row(
        "WeisfeilerLehman(3), 188 molecules", "dictionaries", 0.15,
        WeisfeilerLehman(3), wl_by_dictionaries, setup=lambda: molecules(188), runs=3,
    )  # fmt: skip
    yield Row(
        "ShortestPath(), 188 molecules", "Floyd–Warshall, dictionaries", 0.4,
        ShortestPath(), paths_by_dictionaries, setup=lambda: molecules(188), runs=3,
    )  # fmt: skip
    for labelled, bar in ((False, 0.01), (True, 0.12)):
        yield Row(
            f"RandomWalk({LAM}), 40 molecules, {'with' if labelled else 'without'} labels", "product graphs", bar,
            RandomWalk(LAM), walks_by_solving, setup=lambda labelled=labelled: molecules(40, labelled), runs=3,
        )  # fmt: skip
    yield Growth("WeisfeilerLehman(3), n molecules", (100, 200, 400, 800), molecules, WeisfeilerLehman(3), "n to n²", 3)
    yield Growth("RandomWalk, n molecules without labels", (50, 100, 200), lambda n: molecules(n, False),
                 RandomWalk(LAM), "n²", 3)  # fmt: skip
    yield Growth("alkanes of n carbon atoms", (8, 10, 12), lambda n: n, lambda n: alkanes(n, n_min=n),
                 "2.3 times as many for each atom", 3)  # fmt: skip
