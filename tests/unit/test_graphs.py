"""Graphs, their kernels, alkanes and the reader of files: what comes in, what comes out, what is said otherwise."""

import copy
import pickle

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.model_selection import GridSearchCV

from kcourse.graphs import Graph, RandomWalk, ShortestPath, TUDataset, WeisfeilerLehman, alkanes, load_tu, wiener_index
from kcourse.kernels import Constant, Normalized, feature_distance
from kcourse.ridge import KernelRidge
from tests.rows import each
from tests.unit.refused import refused


def ring(n, labels=None):
    return Graph.from_edges([(i, (i + 1) % n) for i in range(n)], labels)


def path(n, labels=None):
    return Graph.from_edges([(i, i + 1) for i in range(n - 1)], labels, n=n)


PLAIN = [
    path(1),
    path(2),
    path(4),
    ring(3),
    ring(6),
    Graph.from_edges([(0, 1), (0, 2), (0, 3)]),
    Graph(np.zeros((3, 3))),
]
ATOMS = [path(3, "CCO"), path(3, "COC"), ring(5, "CCCCN"), path(1, "N"), ring(6, "CCCCCC"), path(2, "FF")]


def test_a_graph_keeps_a_copy_that_cannot_be_written_to():
    A = np.array([[0.0, 1.0], [1.0, 0.0]])
    graph = Graph(A, ["C", "O"])
    A[0, 1] = 7  # the caller's array stays writeable, and apart
    assert graph.adjacency.tolist() == [[0.0, 1.0], [1.0, 0.0]] and graph.adjacency.dtype == np.float64
    assert graph.labels == ("C", "O") and graph.n_vertices == 2 and graph.edges == [(0, 1)]
    for same in (graph, copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        assert same.labels == graph.labels
        np.testing.assert_array_equal(same.adjacency, graph.adjacency)
        with pytest.raises(ValueError, match="read-only"):
            same.adjacency[0, 1] = 2
    with pytest.raises(AttributeError):
        graph.labels = None
    assert repr(graph) == "Graph(vertices: 2, edges: 1, labels: 'C', 'O')"
    assert repr(ring(8, "CCCCCCCC")).endswith("'C', 'C', …)") and repr(ring(3)) == "Graph(vertices: 3, edges: 3)"


def test_labels_are_whatever_can_be_hashed():
    A = path(3).adjacency
    assert Graph(A, "CCO").labels == ("C", "C", "O")
    assert Graph(A, np.array([1, 1, 2])).labels == (1, 1, 2) and type(Graph(A, np.array([1, 1, 2])).labels[0]) is int
    assert Graph(A, [("C", 1), None, frozenset("ab")]).labels == (("C", 1), None, frozenset("ab"))
    assert Graph(A).labels is None


def test_edges_make_a_graph():
    assert Graph.from_edges([(0, 1), (1, 0), (2, 1)]).adjacency.tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert Graph.from_edges([], "C").n_vertices == 1 and Graph.from_edges([(0, 1)], "CCO").n_vertices == 3
    assert Graph.from_edges(np.array([[0, 1]]), n=4).n_vertices == 4 and Graph.from_edges([]).n_vertices == 1
    # lists of neighbours, as exercise sheets give them
    near = [[1], [0, 2], [1]]
    assert Graph.from_edges([(u, v) for u in range(3) for v in near[u]]).edges == [(0, 1), (1, 2)]


def test_what_is_no_graph_is_said():
    refused(r"adjacency has shape \(2, 3\); expected \(n, n\)", Graph, [[0, 1, 0], [1, 0, 1]])
    refused(r"adjacency has shape \(2,\)", Graph, [0, 1])
    refused("adjacency is empty", Graph, np.zeros((0, 0)))
    refused(r"not symmetric: entry \(0, 1\) is 1 and \(1, 0\) is 0", Graph, [[0, 1], [0, 0]])
    refused("adjacency has a negative entry, -1", Graph, [[0, -1], [-1, 0]])
    refused("adjacency contains NaN or infinity", Graph, [[0, np.nan], [np.nan, 0]])
    refused("adjacency contains NaN or infinity", Graph, [[0, np.inf], [np.inf, 0]])
    refused("adjacency has a self-loop at vertex 1", Graph, [[0, 0], [0, 1]])
    refused("adjacency is complex", Graph, [[0, 1j], [1j, 0]])
    refused("adjacency holds", Graph, [["a", "b"], ["b", "a"]], error=TypeError)
    refused(r"sparse matrix; .* adjacency.toarray\(\)", Graph, csr_array([[0, 1], [1, 0]]), error=TypeError)
    refused("edges mention vertex 2, and there are 3|labels has 2 entries", path, 3, "CC")
    refused("labels has 2 entries and the graph has 3 vertices", Graph, path(3).adjacency, "CC")
    refused("labels is set; expected a list or tuple", Graph, path(2).adjacency, {"C", "O"}, error=TypeError)
    refused("labels is int; expected a list or tuple", Graph, path(2).adjacency, 7, error=TypeError)
    refused(r"labels\[0\] is \[1\], which cannot be hashed", Graph, path(2).adjacency, [[1], [2]], error=TypeError)
    refused(r"labels\[1\] is nan, which is not equal", Graph, path(2).adjacency, [1.0, np.nan])
    refused("self-loop at vertex 2", Graph.from_edges, [(0, 1), (2, 2)])
    refused(r"edges\[0\] is \(0, 1, 2\); expected \(u, v\)", Graph.from_edges, [(0, 1, 2)])
    refused(r"edges\[0\] is 3; expected \(u, v\)", Graph.from_edges, [3])
    refused(r"edges\[1\]\[1\] must be at least 0, got -1", Graph.from_edges, [(0, 1), (0, -1)])
    refused(r"edges\[0\]\[1\] must be an integer", Graph.from_edges, [(0, 1.5)], error=TypeError)
    refused("edges mention vertex 5, .* from 0 to 2", Graph.from_edges, [(0, 5)], n=3)
    refused("edges mention vertex 5, and there are 3", Graph.from_edges, [(0, 5)], "CCO")
    refused("n must be at least 1", Graph.from_edges, [], n=0)


def test_whatever_holds_graphs_will_do():
    expected = ShortestPath()(ATOMS[:2])
    pairs = [(graph.adjacency, graph.labels) for graph in ATOMS[:2]]
    array = np.empty(2, dtype=object)
    array[:] = ATOMS[:2]
    for points in (tuple(ATOMS[:2]), array, pairs, tuple(pairs), [pairs[0], ATOMS[1]]):
        np.testing.assert_array_equal(ShortestPath()(points), expected)
    plain = [path(3), ring(3)]
    for points in (
        [g.adjacency for g in plain],
        np.array([g.adjacency for g in plain]),
        [g.adjacency.tolist() for g in plain],
    ):
        np.testing.assert_array_equal(ShortestPath()(points), ShortestPath()(plain))


@each(
    ("points", "error", "said"),
    [
        (ring(3), TypeError, r"X is one graph; expected a list of graphs: for one point write \[X\]"),
        (ring(3).adjacency, TypeError, "X is one graph"),
        ((ring(3).adjacency, ["C", "C", "C"]), TypeError, r"X\[1\] is list; a point is a Graph"),
        ("CCO", TypeError, "X is str; expected a list of graphs"),
        (None, TypeError, "X is NoneType"),
        ((g for g in PLAIN), TypeError, "X is generator"),
        ([], ValueError, "X is empty: at least one graph is needed"),
        ([ring(3), 5], TypeError, r"X\[1\] is int; a point is a Graph, a pair .* or an adjacency"),
        ([ring(3), (ring(3).adjacency, "CC")], ValueError, r"X\[1\]: labels has 2 entries and the graph has 3"),
        ([np.array([[0.0, 1.0], [0.0, 0.0]])], ValueError, r"X\[0\]: adjacency is not symmetric"),
        ([ring(3), ring(3, "CCC")], ValueError, "some graphs have labels and others have none"),
    ],
)  # fmt: skip
def test_what_are_not_graphs_is_said(points, error, said):
    for kernel in (WeisfeilerLehman(1), ShortestPath(), RandomWalk(0.1)):
        for call in (kernel, lambda X, kernel=kernel: KernelRidge(kernel).fit(X, [1.0, 2.0])):
            refused(said, call, points, error=error)


def test_labels_and_no_labels_are_not_compared():
    with pytest.raises(ValueError, match="some graphs have labels and others have none; give all of them labels"):
        WeisfeilerLehman(1)([ring(3)], [ring(3, "CCC")])


def test_weisfeiler_lehman_counts_and_colours():
    graphs = [path(3, "CCO"), path(3, "COC"), ring(3, "CCO")]
    counts, names = WeisfeilerLehman(1).counts(graphs)
    assert names[:2] == [(0, "C"), (0, "O")] and {name[0] for name in names[2:]} == {1}
    table = {name: column.tolist() for name, column in zip(names, counts.toarray().T, strict=True)}
    assert table == {
        (0, "C"): [2, 2, 2],
        (0, "O"): [1, 1, 1],
        (1, ("C", ("C",))): [1, 0, 0],
        (1, ("C", ("C", "O"))): [1, 0, 2],
        (1, ("O", ("C",))): [1, 0, 0],
        (1, ("C", ("O",))): [0, 2, 0],
        (1, ("O", ("C", "C"))): [0, 1, 1],
    }
    np.testing.assert_array_equal(WeisfeilerLehman(1).features(graphs), counts.toarray())
    colors = WeisfeilerLehman(2).colors(graphs)
    assert [own.shape for own in colors] == [(3, 3)] * 3
    assert colors[0][:, 0].tolist() == [0, 0, 1]
    assert len(set(colors[0][:, 1])) == 3 and colors[1][0, 1] == colors[1][2, 1] and colors[2][2, 1] == colors[1][1, 1]
    nested = WeisfeilerLehman(2).counts([path(2, "CO")])[1]
    assert nested[-2:] == [(2, (("C", ("O",)), (("O", ("C",)),))), (2, (("O", ("C",)), (("C", ("O",)),)))]


def test_labels_of_any_kind_are_told_apart():
    A = path(3).adjacency
    odd = [Graph(A, [frozenset("ab"), frozenset("c"), 1]), Graph(A, [frozenset("c"), 1, None])]
    assert WeisfeilerLehman(0)(odd).tolist() == [[3.0, 2.0], [2.0, 3.0]]
    assert WeisfeilerLehman(0).counts(odd)[1] == [(0, frozenset("ab")), (0, frozenset("c")), (0, 1), (0, None)]


def test_shortest_paths():
    counts, triples = ShortestPath().counts([path(4), ring(4), Graph(np.zeros((2, 2)))])
    assert triples == [(None, None, 1), (None, None, 2), (None, None, 3)]
    assert counts.toarray().tolist() == [[3, 2, 1], [4, 2, 0], [0, 0, 0]]
    # labels in either order are one pair; lengths are sums of weights
    weighted = Graph([[0, 2, 7], [2, 0, 3], [7, 3, 0]], "ONC")
    counts, triples = ShortestPath().counts([weighted])
    assert triples == [("C", "N", 3), ("C", "O", 5), ("N", "O", 2)] and counts.toarray().tolist() == [[1, 1, 1]]
    np.testing.assert_array_equal(ShortestPath().features([weighted]), [[1.0, 1.0, 1.0]])
    assert ShortestPath()([path(1)]).tolist() == [[0.0]]
    with pytest.raises(ValueError, match="an edge has length 0.5; .* weights must be whole numbers"):
        ShortestPath()([Graph([[0, 0.5], [0.5, 0]])])


def test_random_walks_by_hand():
    edge, single = path(2), path(1)
    for lam in (0.1, 0.7):
        # 4 pairs of vertices, each with one walk of each length
        assert RandomWalk(lam)([edge]).item() == pytest.approx(4 / (1 - lam), rel=1e-14)
        assert RandomWalk(lam)([path(2, "CO")]).item() == pytest.approx(2 / (1 - lam), rel=1e-14)
        assert RandomWalk(lam)([edge], [single]).item() == pytest.approx(2.0, rel=1e-14)
    assert RandomWalk(0.1)([path(2, "CO")], [path(2, "NF")]).item() == 0.0
    weighted = Graph([[0, 2], [2, 0]])
    assert RandomWalk(0.2)([weighted]).item() == pytest.approx(4 / (1 - 0.8), rel=1e-14)


def test_too_large_a_lam():
    # a ring has ρ = 2, so its product with itself 4; labels can only make it smaller
    assert RandomWalk(0.24)([ring(6)]).item() == pytest.approx(36 / (1 - 0.96), rel=1e-12)
    for lam in (0.25, 0.3):
        for graphs in ([path(2), ring(6)], [path(2, "CC"), ring(6, "CCCCCC")]):
            with pytest.raises(
                ValueError, match=rf"lam = {lam} is too large for X\[1\]: .* only for lam < 0.25, 1 over"
            ):
                RandomWalk(lam)(graphs)
    refused(r"too large for Z\[0\]", RandomWalk(0.3), [path(2)], [ring(6)])
    refused(r"too large for X\[0\]", KernelRidge(RandomWalk(0.3)).fit, [ring(6)], [1.0])
    # all labels different: the product of the graph with itself is the graph, ρ = 2
    different = ring(6, "CNOFPS")
    assert RandomWalk(0.49)([different]).item() == pytest.approx(6 / (1 - 0.98), rel=1e-12)
    refused("only for lam < 0.5, ", RandomWalk(0.5), [different])
    # a product too large to be written down: of two equal labels at one end, one goes on to C and one to O
    big = ring(40, "CCOO" * 10)
    assert RandomWalk(0.49)([big]).item() == pytest.approx(800 / (1 - 0.98), rel=1e-12)
    refused("only for lam < 0.5, ", RandomWalk(0.5), [big])


def test_parameters_that_make_no_sense_are_refused():
    refused("h must be at least 0, got -1", WeisfeilerLehman, -1)
    refused("h must be an integer", WeisfeilerLehman, 1.0, error=TypeError)
    refused("lam must be positive, got 0", RandomWalk, 0)
    refused("lam must be positive", RandomWalk, -0.1)
    refused("lam must be a number", RandomWalk, "0.1", error=TypeError)
    refused("lam must be finite", RandomWalk, np.inf)


def test_kernels_are_frozen_values_and_compose():
    assert (
        WeisfeilerLehman() == WeisfeilerLehman(3)
        and RandomWalk(0.1) == RandomWalk()
        and ShortestPath() == ShortestPath()
    )
    assert repr(RandomWalk(0.2)) == "RandomWalk(lam=0.2)" and hash(WeisfeilerLehman(2)) == hash(WeisfeilerLehman(2))
    kernel = 3 * WeisfeilerLehman(2) + ShortestPath() + 1
    expected = 3 * WeisfeilerLehman(2)(ATOMS) + ShortestPath()(ATOMS) + 1
    np.testing.assert_array_equal(kernel(ATOMS), expected)
    np.testing.assert_array_equal(kernel.diag(ATOMS), expected.diagonal())
    F = kernel.features(ATOMS)
    np.testing.assert_allclose(F @ F.T, expected, rtol=1e-14)
    assert (
        kernel.structured and kernel.with_params(left__left__right__h=1) == 3 * WeisfeilerLehman(1) + ShortestPath() + 1
    )
    refused(r"X\[0\] has k\(x, x\) = 0", Normalized(ShortestPath()), PLAIN)
    assert feature_distance(WeisfeilerLehman(1), [ring(6)], [ring(6), ring(3)]).tolist() == [[0.0, np.sqrt(18)]]


def test_fit_and_predict_on_graphs():
    molecules = alkanes(7)
    y = np.array([float(wiener_index(m)) for m in molecules])
    kernel = WeisfeilerLehman(2) + Constant(1.0)
    model = KernelRidge(kernel, lam=0.1).fit(molecules, y)
    assert model.score(molecules, y) > 0.98
    K = kernel(molecules)
    np.testing.assert_allclose(model.dual_coef_, np.linalg.solve(K + 0.1 * np.eye(len(y)), y), rtol=1e-8)
    assert model.X_fit_[3] is molecules[3] and model.n_features_in_ is None
    refused("X is one graph", model.predict, molecules[0], error=TypeError)
    search = GridSearchCV(KernelRidge(WeisfeilerLehman(0)), {"kernel__h": [0, 2]}, cv=2).fit(list(molecules), y)
    assert search.best_params_["kernel__h"] in (0, 2)


def test_more_alkanes_than_can_be_made_are_refused():
    refused("n_max = 40 is more than 20", alkanes, 40)


def test_alkanes_are_trees_of_carbon_with_at_most_four_neighbours():
    molecules = alkanes(9)
    assert [sum(m.n_vertices == n for m in molecules) for n in range(1, 10)] == [1, 1, 1, 2, 3, 5, 9, 18, 35]
    assert [m.n_vertices for m in molecules] == sorted(m.n_vertices for m in molecules)
    for m in molecules:
        assert m.labels == ("C",) * m.n_vertices and len(m.edges) == m.n_vertices - 1
        assert m.adjacency.sum(axis=0).max() <= 4 and wiener_index(m) >= 0  # which says so if it is not connected
    for n in range(2, 10):
        indices = [wiener_index(m) for m in alkanes(n, n_min=n)]
        assert indices == sorted(indices, reverse=True) and indices[0] == (n**3 - n) // 6  # the chain
    assert [m.edges for m in alkanes(6)] == [m.edges for m in alkanes(9)[:13]]


def test_what_has_no_alkanes_or_index_is_said():
    refused("n_max must be at least 1, got 0", alkanes, 0)
    refused("n_max must be an integer", alkanes, 2.5, error=TypeError)
    refused("n_min must be at least 1", alkanes, 3, n_min=0)
    refused("n_max must be at least 4, got 3; n_min is the smallest size", alkanes, 3, n_min=4)
    refused("graph is list; expected a Graph", wiener_index, [[0, 1], [1, 0]], error=TypeError)
    refused("not connected: no path joins vertices 0 and 1", wiener_index, Graph(np.zeros((2, 2))))
    refused("weights must be whole numbers", wiener_index, Graph([[0, 0.5], [0.5, 0]]))


TOY = {
    # a labelled path 1-2-3, a single vertex 4, and an edge 5-6
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n5, 6\n6, 5\n",
    "graph_indicator": "1\n1\n1\n2\n3\n3\n",
    "graph_labels": "1\n-1\n1\n",
}
OPTIONAL = {
    "node_labels": "0\n1\n0\n2\n1\n1\n",
    "node_attributes": "0.5, 1\n1, 1\n2, 1\n3, 1\n4, 1\n5, 1e2\n",
    "edge_labels": "7\n7\n8\n8\n9\n9\n",
    "edge_attributes": "1, 0.5\n1, 0.5\n2, 0\n2, 0\n3, 1\n3, 1\n",
}


def write(folder, **files):
    for kind, text in files.items():
        if text is not None:
            (folder / f"TOY_{kind}.txt").write_text(text, encoding="ascii")
    return folder


def test_a_collection_is_read(tmp_path):
    data = load_tu(write(tmp_path, **TOY), "TOY")
    assert isinstance(data, TUDataset) and data.name == "TOY" and repr(data) == "TUDataset('TOY': 3 graphs, y (3,))"
    assert data.y.tolist() == [1, -1, 1] and data.y.dtype == np.int64
    assert [graph.edges for graph in data.graphs] == [[(0, 1), (1, 2)], [], [(0, 1)]]
    assert all(graph.labels is None for graph in data.graphs)
    assert data.edge_labels is data.edge_attributes is data.node_attributes is None
    assert WeisfeilerLehman(1)(data.graphs).shape == (3, 3)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(f"TOY_{kind}.txt" for kind in TOY)


def test_a_collection_with_everything_is_read(tmp_path):
    data = load_tu(str(write(tmp_path, **TOY, **OPTIONAL)), "TOY")
    assert [graph.labels for graph in data.graphs] == [(0, 1, 0), (2,), (1, 1)]
    assert data.edge_labels == ({(0, 1): 7, (1, 2): 8}, {}, {(0, 1): 9})
    assert data.edge_attributes == ({(0, 1): (1.0, 0.5), (1, 2): (2.0, 0.0)}, {}, {(0, 1): (3.0, 1.0)})
    assert [a.tolist() for a in data.node_attributes] == [[[0.5, 1], [1, 1], [2, 1]], [[3, 1]], [[4, 1], [5, 100]]]


def test_vertices_of_a_graph_need_not_stand_together(tmp_path):
    files = {
        "A": "1, 3\n3,1\n\n",
        "graph_indicator": "1\n2\n1",
        "graph_labels": "0\n5",
        "node_labels": "1, 2\n3, 4\n5, 6",
    }
    data = load_tu(write(tmp_path, **files), "TOY")
    assert [graph.edges for graph in data.graphs] == [[(0, 1)], []]
    assert [graph.labels for graph in data.graphs] == [((1, 2), (5, 6)), ((3, 4),)]


def test_no_edges_at_all(tmp_path):
    data = load_tu(write(tmp_path, A="", graph_indicator="1\n2", graph_labels="1\n2"), "TOY")
    assert [graph.n_vertices for graph in data.graphs] == [1, 1]


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"A": None}, FileNotFoundError, r"TOY_A.txt is missing; load_tu needs TOY_A.txt, TOY_graph_indicator.txt and"),
        ({"graph_indicator": None}, FileNotFoundError, "TOY_graph_indicator.txt is missing"),
        ({"graph_labels": None}, FileNotFoundError, "TOY_graph_labels.txt is missing"),
        ({"graph_labels": ""}, ValueError, "TOY_graph_labels.txt is empty"),
        ({"graph_labels": "1\n1"}, ValueError, r"TOY_graph_labels.txt \(2 lines\) do not agree about graph 3"),
        ({"graph_indicator": "1\n1\n1\n0\n3\n3"}, ValueError, "do not agree about graph 0"),
        ({"graph_labels": "1\n1, 2\n1"}, ValueError, r"TOY_graph_labels.txt, line 2: '1, 2'; expected 1 number\(s\)"),
        ({"graph_labels": "1\nx\n1"}, ValueError, "TOY_graph_labels.txt, line 2: 'x' does not"),
        ({"graph_labels": "1\n\n1\n1"}, ValueError, "TOY_graph_labels.txt, line 2: ''"),
        ({"A": "1 2\n2 1"}, ValueError, "TOY_A.txt, line 1: '1 2' does not"),
        ({"A": "1, 2, 3"}, ValueError, r"TOY_A.txt, line 1: '1, 2, 3'; expected 2 number\(s\)"),
        ({"A": "1, 2\n2, 1\n2, 3"}, ValueError, "TOY_A.txt, line 3: the edge 2, 3 has no .*3, 2; "),
        ({"A": "1, 4\n4, 1"}, ValueError, "TOY_A.txt, line 1: the edge 1, 4 joins .* 1 and 2"),
        ({"A": "1, 7\n7, 1"}, ValueError, "line 1: the edge 1, 7 mentions a vertex .* there are 6, "),
        ({"A": "2, 2"}, ValueError, "TOY_A.txt, line 1: the edge 2, 2 is a self-loop"),
        ({"A": "1, 2\n2, 1\n1, 2"}, ValueError, "TOY_A.txt, line 3: the edge 1, 2 .* line 1"),
        ({"node_labels": "1\n2"}, ValueError, "TOY_node_labels.txt has 2 lines and TOY_graph_indicator.txt has 6"),
        ({"node_attributes": "1\n2\n3\n4\n5\n6, 7"}, ValueError, r"node_attributes.txt, line 6: '6, 7'; expected 1"),
        ({"edge_labels": "1"}, ValueError, "TOY_edge_labels.txt has 1 lines and TOY_A.txt has 6"),
        ({"edge_labels": "1\n1\n2\n3\n4\n4"}, ValueError, "line 4: 3 for the edge 3, 2, and 2 for 2, 3"),
    ],
)  # fmt: skip
def test_files_that_are_missing_or_do_not_fit_are_named(tmp_path, changed, error, said):
    refused(said, load_tu, write(tmp_path, **{**TOY, **changed}), "TOY", error=error)


def test_another_name_is_not_found(tmp_path):
    refused("OTHER_graph_labels.txt is missing", load_tu, write(tmp_path, **TOY), "OTHER", error=FileNotFoundError)
