"""What holds of graph kernels, whatever the graphs; each kernel against its definition, spelt out."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman, wiener_index
from kcourse.kernels import Normalized
from tests.conftest import examples

LAWS = examples(50)

LAM = 0.02  # below 1/ρ² of every graph of up to 6 vertices and weights of 1
KERNELS = [WeisfeilerLehman(0), WeisfeilerLehman(1), WeisfeilerLehman(3), ShortestPath(), RandomWalk(LAM)]
kernels = st.sampled_from(KERNELS)


@st.composite
def graphs(draw, labelled=True, max_weight=1):
    n = draw(st.integers(1, 6))
    A = np.zeros((n, n))
    for u in range(n):
        for v in range(u):
            A[u, v] = A[v, u] = draw(st.sampled_from([0, *range(1, max_weight + 1)]))
    return Graph(A, draw(st.lists(st.sampled_from("CNO"), min_size=n, max_size=n)) if labelled else None)


labelled_lists = st.lists(graphs(), min_size=1, max_size=4)
lists = st.one_of(labelled_lists, st.lists(graphs(labelled=False), min_size=1, max_size=4))


def permuted(graph, order):
    labels = None if graph.labels is None else [graph.labels[u] for u in order]
    return Graph(graph.adjacency[np.ix_(order, order)], labels)


def joined(G, H):
    """Both side by side."""
    n = G.n_vertices
    A = np.zeros((n + H.n_vertices,) * 2)
    A[:n, :n], A[n:, n:] = G.adjacency, H.adjacency
    return Graph(A, None if G.labels is None else G.labels + H.labels)


def labels_of(graph):
    return graph.labels or (None,) * graph.n_vertices


def neighbours(graph, u):
    return [v for v in range(graph.n_vertices) if graph.adjacency[u, v]]


# ---------------------------------------------------------------- definitions


def wl(G, H, h):
    """Pairs of vertices whose neighbourhoods are the same as nested multisets, summed over 0 … h rounds."""

    def unfolded(graph, u, depth):
        if depth == 0:
            return repr(labels_of(graph)[u])
        near = sorted(unfolded(graph, v, depth - 1) for v in neighbours(graph, u))
        return f"({unfolded(graph, u, depth - 1)}:{','.join(near)})"

    total = 0
    for depth in range(h + 1):
        in_G, in_H = (Counter(unfolded(g, u, depth) for u in range(g.n_vertices)) for g in (G, H))
        total += sum(count * in_H[pattern] for pattern, count in in_G.items())
    return total


def lengths_by_floyd_and_warshall(graph):
    D = np.where(graph.adjacency > 0, graph.adjacency, np.inf)
    np.fill_diagonal(D, 0)
    for w, u, v in product(range(len(D)), repeat=3):
        D[u, v] = min(D[u, v], D[u, w] + D[w, v])
    return D


def shortest_path(G, H):
    def triples(graph):
        D, labels = lengths_by_floyd_and_warshall(graph), labels_of(graph)
        pairs = [(u, v) for u in range(len(D)) for v in range(u) if np.isfinite(D[u, v])]
        return Counter((*sorted([labels[u], labels[v]], key=str), D[u, v]) for u, v in pairs)

    in_G, in_H = triples(G), triples(H)
    return sum(count * in_H[triple] for triple, count in in_G.items())


def product_graph(G, H):
    pairs = [(u, v) for u, a in enumerate(labels_of(G)) for v, b in enumerate(labels_of(H)) if a == b]
    return np.array([[G.adjacency[u, w] * H.adjacency[v, x] for w, x in pairs] for u, v in pairs]).reshape(
        len(pairs), len(pairs)
    )


@LAWS
@given(lists, lists, st.integers(0, 3))
def test_weisfeiler_and_lehman_count_equal_neighbourhoods(X, Z, h):
    Z = [G for G in Z if (G.labels is None) == (X[0].labels is None)] or X
    np.testing.assert_array_equal(WeisfeilerLehman(h)(X, Z), [[wl(G, H, h) for H in Z] for G in X])
    np.testing.assert_array_equal(WeisfeilerLehman(h)(X), [[wl(G, H, h) for H in X] for G in X])


@LAWS
@given(labelled_lists)
def test_without_rounds_labels_are_counted(X):
    histograms = [Counter(G.labels) for G in X]
    K = [[sum(a[label] * b[label] for label in "CNO") for b in histograms] for a in histograms]
    np.testing.assert_array_equal(WeisfeilerLehman(0)(X), K)


@LAWS
@given(st.lists(graphs(max_weight=3), min_size=1, max_size=3), st.lists(graphs(max_weight=3), min_size=1, max_size=3))
def test_shortest_paths_are_those_of_floyd_and_warshall(X, Z):
    np.testing.assert_array_equal(ShortestPath()(X, Z), [[shortest_path(G, H) for H in Z] for G in X])


@LAWS
@given(lists, st.floats(0.001, 0.999), st.data())
def test_random_walks_are_those_on_the_product_graph(X, share, data):
    G, H = data.draw(st.sampled_from(X)), data.draw(st.sampled_from(X))
    radii = [np.linalg.eigvalsh(product_graph(g, g))[-1] for g in (G, H)]
    lam = share / max(*radii, 1e-3)
    A = product_graph(G, H)
    right = np.linalg.solve(np.eye(len(A)) - lam * A, np.ones(len(A))).sum()
    np.testing.assert_allclose(RandomWalk(lam)([G], [H]), [[right]], rtol=1e-10)
    # and they are walks: the sum over steps
    if share < 0.5:
        walks, total = np.ones(len(A)), 0.0
        for step in range(60):
            total += lam**step * walks.sum()
            walks = A @ walks
        np.testing.assert_allclose(RandomWalk(lam)([G], [H]), [[total]], rtol=1e-10)


@LAWS
@given(lists)
def test_random_walks_converge_exactly_up_to_the_bound(X):
    G = X[0]
    A = product_graph(G, G)
    radius = np.linalg.eigvalsh(A)[-1]
    if radius > 0:
        assert np.isfinite(RandomWalk(0.999 / radius)([G])).all()
        try:
            RandomWalk(1.001 / radius)([G])
        except ValueError as error:
            bound = float(str(error).partition("lam < ")[2].partition(",")[0])
            np.testing.assert_allclose(bound, 1 / radius, rtol=1e-5)
        else:
            raise AssertionError("a sum that diverges was given a value")


# ---------------------------------------------------------------- laws


@LAWS
@given(lists, kernels)
def test_gram_matrices_are_symmetric_and_positive_semi_definite(X, kernel):
    K = kernel(X)
    np.testing.assert_array_equal(K, K.T)
    assert K.min() >= 0 and np.linalg.eigvalsh(K)[0] >= -1e-12 * max(1.0, K.max())
    np.testing.assert_allclose(kernel.diag(X), K.diagonal(), rtol=1e-13)
    if not isinstance(kernel, RandomWalk):
        np.testing.assert_array_equal(K, np.round(K))
        N = kernel.features(X)
        np.testing.assert_array_equal(N @ N.T, K)


@LAWS
@given(lists, kernels, st.data())
def test_the_numbering_of_the_vertices_does_not_matter(X, kernel, data):
    Y = [permuted(G, data.draw(st.permutations(range(G.n_vertices)))) for G in X]
    np.testing.assert_allclose(kernel(Y), kernel(X), rtol=1e-12)
    np.testing.assert_allclose(kernel(X, Y), kernel(X), rtol=1e-12)


@LAWS
@given(labelled_lists, kernels, st.permutations("CNO"))
def test_renaming_the_labels_changes_nothing(X, kernel, names):
    new = dict(zip("CNO", names, strict=True))
    np.testing.assert_allclose(
        kernel([Graph(G.adjacency, [new[a] for a in G.labels]) for G in X]), kernel(X), rtol=1e-12
    )
    odd = dict(zip("CNO", [("a", 1), 7, None], strict=True))
    np.testing.assert_allclose(
        kernel([Graph(G.adjacency, [odd[a] for a in G.labels]) for G in X]), kernel(X), rtol=1e-12
    )


@LAWS
@given(lists, kernels)
def test_one_label_for_all_is_no_label(X, kernel):
    plain, same = [Graph(G.adjacency) for G in X], [Graph(G.adjacency, "C" * G.n_vertices) for G in X]
    np.testing.assert_allclose(kernel(same), kernel(plain), rtol=1e-12)
    if X[0].labels is not None:  # labels take matches away
        assert np.all(kernel(X) <= kernel(plain) * (1 + 1e-12))


@LAWS
@given(lists, kernels)
def test_graphs_side_by_side_add_up(X, kernel):
    # all that is counted stands inside one connected part
    both = joined(X[0], X[-1])
    np.testing.assert_allclose(kernel([both], X), kernel(X[:1], X) + kernel(X[-1:], X), rtol=1e-12)


@LAWS
@given(lists, kernels)
def test_cauchy_and_schwarz_and_the_normalised_kernel(X, kernel):
    K, d = kernel(X), kernel.diag(X)
    assert np.all(K**2 <= np.outer(d, d) * (1 + 1e-12))
    kept = [G for G, length in zip(X, d, strict=True) if length > 0]
    if kept:
        C = Normalized(kernel)(kept)
        assert np.all((0 <= C) & (C <= 1 + 1e-12)) and np.all(C.diagonal() == 1)


@LAWS
@given(lists, st.integers(0, 3))
def test_each_round_adds_features_and_splits_colours(X, h):
    assert np.all(WeisfeilerLehman(h + 1)(X) >= WeisfeilerLehman(h)(X))
    coarse, fine = (np.concatenate([own[:, -1] for own in WeisfeilerLehman(i).colors(X)]) for i in (h, h + 1))
    assert len(set(zip(coarse, fine, strict=True))) == len(set(fine))


@LAWS
@given(graphs(labelled=False, max_weight=3))
def test_the_wiener_index_is_read_off_the_shortest_path_counts(G):
    D = lengths_by_floyd_and_warshall(G)
    if np.all(np.isfinite(D)):
        counts, triples = ShortestPath().counts([G])
        total = sum(count * length for count, (_, _, length) in zip(counts.toarray()[0], triples, strict=True))
        assert wiener_index(G) == total == D[np.triu_indices(len(D))].sum()
