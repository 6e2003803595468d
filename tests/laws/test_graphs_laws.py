"""What holds of graph kernels, whatever the graphs. Their definitions are in the table of kernels."""

import numpy as np
from hypothesis import strategies as st

from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman, wiener_index
from tests.kernels import GRAPHS, KERNELS, graphs, lengths_by_floyd_and_warshall, matrix, product_graph
from tests.laws.law import laws

law = laws(50)

kernels = st.one_of([row.drawn for row in KERNELS.values() if row.takes is GRAPHS])


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


@law(st.lists(graphs(max_weight=3), min_size=1, max_size=3), st.lists(graphs(max_weight=3), min_size=1, max_size=3))
def test_shortest_paths_along_edges_with_lengths_are_those_of_floyd_and_warshall(X, Z):
    np.testing.assert_array_equal(ShortestPath()(X, Z), matrix(ShortestPath(), X, Z))


@law(lists, st.floats(0.001, 0.999), st.data())
def test_random_walks_are_those_on_the_product_graph(X, share, data):
    G, H = data.draw(st.sampled_from(X)), data.draw(st.sampled_from(X))
    radii = [np.linalg.eigvalsh(product_graph(g, g))[-1] for g in (G, H)]
    lam = share / max(*radii, 1e-3)
    A = product_graph(G, H)
    np.testing.assert_allclose(RandomWalk(lam)([G], [H]), matrix(RandomWalk(lam), [G], [H]), rtol=1e-10)
    # and they are walks: the sum over steps
    if share < 0.5:
        walks, total = np.ones(len(A)), 0.0
        for step in range(60):
            total += lam**step * walks.sum()
            walks = A @ walks
        np.testing.assert_allclose(RandomWalk(lam)([G], [H]), [[total]], rtol=1e-10)


@law(lists)
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


@law(lists, kernels, st.data())
def test_the_numbering_of_the_vertices_does_not_matter(X, kernel, data):
    Y = [permuted(G, data.draw(st.permutations(range(G.n_vertices)))) for G in X]
    np.testing.assert_allclose(kernel(Y), kernel(X), rtol=1e-12)
    np.testing.assert_allclose(kernel(X, Y), kernel(X), rtol=1e-12)


@law(labelled_lists, kernels, st.permutations("CNO"))
def test_renaming_the_labels_changes_nothing(X, kernel, names):
    new = dict(zip("CNO", names, strict=True))
    np.testing.assert_allclose(
        kernel([Graph(G.adjacency, [new[a] for a in G.labels]) for G in X]), kernel(X), rtol=1e-12
    )
    odd = dict(zip("CNO", [("a", 1), 7, None], strict=True))
    np.testing.assert_allclose(
        kernel([Graph(G.adjacency, [odd[a] for a in G.labels]) for G in X]), kernel(X), rtol=1e-12
    )


@law(lists, kernels)
def test_one_label_for_all_is_no_label(X, kernel):
    plain, same = [Graph(G.adjacency) for G in X], [Graph(G.adjacency, "C" * G.n_vertices) for G in X]
    np.testing.assert_allclose(kernel(same), kernel(plain), rtol=1e-12)
    if X[0].labels is not None:  # labels take matches away
        assert np.all(kernel(X) <= kernel(plain) * (1 + 1e-12))


@law(lists, kernels)
def test_graphs_side_by_side_add_up(X, kernel):
    # all that is counted stands inside one connected part
    both = joined(X[0], X[-1])
    np.testing.assert_allclose(kernel([both], X), kernel(X[:1], X) + kernel(X[-1:], X), rtol=1e-12)


@law(lists, st.integers(0, 3))
def test_each_round_adds_features_and_splits_colours(X, h):
    assert np.all(WeisfeilerLehman(h + 1)(X) >= WeisfeilerLehman(h)(X))
    coarse, fine = (np.concatenate([own[:, -1] for own in WeisfeilerLehman(i).colors(X)]) for i in (h, h + 1))
    assert len(set(zip(coarse, fine, strict=True))) == len(set(fine))


@law(graphs(labelled=False, max_weight=3))
def test_the_wiener_index_is_read_off_the_shortest_path_counts(G):
    D = lengths_by_floyd_and_warshall(G)
    if np.all(np.isfinite(D)):
        counts, triples = ShortestPath().counts([G])
        total = sum(count * length for count, (_, _, length) in zip(counts.toarray()[0], triples, strict=True))
        assert wiener_index(G) == total == D[np.triu_indices(len(D))].sum()
