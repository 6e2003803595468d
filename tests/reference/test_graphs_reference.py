"""Graph kernels and alkanes against other ways to the same numbers, on graphs of the size of molecules."""

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

from kcourse.graphs import Graph, WeisfeilerLehman, alkanes, wiener_index


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
