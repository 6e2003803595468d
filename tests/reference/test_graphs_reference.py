"""Graph kernels and alkanes against other ways to the same numbers, on graphs of the size of molecules."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.linalg import solve
from scipy.sparse.csgraph import floyd_warshall

from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman, alkanes, wiener_index


def molecule(rng, n):
    """A tree with a few rings closed, labelled mostly C."""
    edges = [(int(rng.integers(max(0, v - 3), v)), v) for v in range(1, n)]
    edges += [tuple(int(u) for u in rng.choice(n, 2, replace=False)) for _ in range(n // 6)]
    return Graph.from_edges(edges, [str(atom) for atom in rng.choice(list("CCCCNO"), n)])


RNG = np.random.default_rng(0)
MOLECULES = [molecule(RNG, int(n)) for n in RNG.integers(8, 30, size=12)]
BARE = [Graph(m.adjacency) for m in MOLECULES]


@pytest.mark.parametrize("graphs", [MOLECULES, BARE], ids=["labelled", "plain"])
@pytest.mark.parametrize("share", [0.3, 0.9, 0.9999])
def test_random_walks_solve_the_product_system(graphs, share):
    def product(G, H):
        equal = np.ones((G.n_vertices, H.n_vertices), dtype=bool)
        if G.labels:
            equal = np.array(G.labels)[:, None] == np.array(H.labels)
        u, v = np.nonzero(equal)
        return G.adjacency[np.ix_(u, u)] * H.adjacency[np.ix_(v, v)]

    lam = share / max(np.linalg.eigvalsh(product(G, G))[-1] for G in graphs)
    K = RandomWalk(lam)(graphs)
    for i in range(0, 12, 3):
        for j in range(12):
            A = product(graphs[i], graphs[j])
            right = solve(np.eye(len(A)) - lam * A, np.ones(len(A)), assume_a="pos").sum()
            assert K[i, j] == pytest.approx(right, rel=1e-12 / (1 - share))
    assert np.linalg.eigvalsh(K)[0] > -1e-12 * K.max()


def test_shortest_paths_by_scipys_floyd_warshall():
    counted = []
    for G in MOLECULES:
        D = floyd_warshall(G.adjacency)
        pairs = [(u, v) for u in range(len(D)) for v in range(u)]
        counted.append(Counter((*sorted([G.labels[u], G.labels[v]]), int(D[u, v])) for u, v in pairs))
    right = [[sum(c * b[t] for t, c in a.items()) for b in counted] for a in counted]
    np.testing.assert_array_equal(ShortestPath()(MOLECULES), right)


def test_the_colours_of_weisfeiler_and_lehman_are_refined_until_they_are_stable():
    # stable colours of trees tell apart all that is not the same tree: there are as many kernels as molecules
    trees = alkanes(8)
    K = WeisfeilerLehman(8)(trees)
    lengths = K.diagonal()
    distances = lengths[:, None] + lengths - 2 * K
    assert np.all(distances[~np.eye(len(trees), dtype=bool)] > 0) and not distances.diagonal().any()
    assert np.linalg.matrix_rank(WeisfeilerLehman(8).features(trees)) == len(trees)


def canonical(graph):
    """The code of Aho, Hopcroft and Ullman of a tree, from its centre, found by taking leaves away."""
    near = [set(np.flatnonzero(row).tolist()) for row in graph.adjacency]
    left, leaves = set(range(len(near))), [u for u in range(len(near)) if len(near[u]) <= 1]
    degrees = [len(own) for own in near]
    while len(left) > 2:
        left -= set(leaves)
        nearer = []
        for leaf in leaves:
            for u in near[leaf] & left:
                degrees[u] -= 1
                if degrees[u] == 1:
                    nearer.append(u)
        leaves = nearer

    def code(u, parent):
        return "(" + "".join(sorted(code(v, u) for v in near[u] if v != parent)) + ")"

    return min(code(centre, None) for centre in left)


def grown(graphs):
    """All trees with one vertex more and at most 4 neighbours a vertex, each once."""
    found = {}
    for graph in graphs:
        for u in np.flatnonzero(graph.adjacency.sum(axis=0) < 4):
            tree = Graph.from_edges([*graph.edges, (int(u), graph.n_vertices)])
            found[canonical(tree)] = tree
    return list(found.values())


def test_alkanes_are_those_that_grow_by_one_carbon_at_a_time():
    trees = [Graph([[0.0]])]
    for n in range(1, 11):
        molecules = alkanes(n, n_min=n)
        codes = [canonical(molecule) for molecule in molecules]
        assert len(set(codes)) == len(codes) and set(codes) == {canonical(tree) for tree in trees}
        trees = grown(trees)


def test_numbers_of_alkanes_are_cayleys():
    # the On-Line Encyclopedia of Integer Sequences, A000602, from 1 on
    numbers = [1, 1, 1, 2, 3, 5, 9, 18, 35, 75, 159, 355, 802]
    assert [len(alkanes(n, n_min=n)) for n in range(1, 14)] == numbers


def test_wiener_indices_of_known_families():
    for n in (2, 5, 9):
        star = Graph.from_edges([(0, i) for i in range(1, n)], n=n)
        complete = Graph(np.ones((n, n)) - np.eye(n))
        assert wiener_index(star) == (n - 1) ** 2 and wiener_index(complete) == n * (n - 1) // 2
    for n in (4, 5, 10, 11):
        ring = Graph.from_edges([(i, (i + 1) % n) for i in range(n)])
        assert wiener_index(ring) == (n**3 // 8 if n % 2 == 0 else n * (n * n - 1) // 8)
    for molecule in alkanes(8):
        assert wiener_index(molecule) == floyd_warshall(molecule.adjacency).sum() / 2
