"""Graphs as points of kernels: an adjacency matrix and a label for each vertex."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from kcourse.base.validation import check_number, check_points
from kcourse.kernels import Kernel
from kcourse.kernels.algebra import put

__all__ = ["Graph", "GraphKernel", "label_numbers", "shortest_lengths"]


@dataclass(frozen=True, eq=False)
class Graph:
    """Undirected graph with optional edge weights and optional vertex labels.

    Parameters
    ----------
    adjacency : (n, n) array
        symmetric, ≥ 0, with 0 on the diagonal: entry (u, v) is the weight of the edge from u to v, 0 for no edge.
        Stored as a read-only copy.
    labels : n hashable values (a string gives its letters), optional
        labels of the vertices, such as the atoms of a molecule.

    >>> from kcourse.graphs import Graph
    >>> Graph([[0, 1, 0], [1, 0, 1], [0, 1, 0]], labels="CCO")
    Graph(vertices: 3, edges: 2, labels: 'C', 'C', 'O')
    """

    adjacency: np.ndarray
    labels: tuple | None = None

    def __post_init__(self) -> None:
        A = np.array(check_points(self.adjacency, "adjacency"))
        if A.shape[0] != A.shape[1]:
            raise ValueError(f"adjacency has shape {A.shape}; expected (n, n), a row and a column for each vertex.")
        if np.any(A != A.T):
            u, v = np.argwhere(A != A.T)[0]
            raise ValueError(
                f"adjacency is not symmetric: entry ({u}, {v}) is {A[u, v]:g} and ({v}, {u}) is {A[v, u]:g}; a graph "
                "here is undirected, so give each edge in both directions."
            )
        if A.min() < 0:
            raise ValueError(f"adjacency has a negative entry, {A.min():g}; weights of edges are positive.")
        if A.diagonal().any():
            u = np.flatnonzero(A.diagonal())[0]
            raise ValueError(f"adjacency has a self-loop at vertex {u}; put 0 on the diagonal.")
        A.flags.writeable = False
        put(self, "adjacency", A)
        put(self, "labels", None if self.labels is None else _check_labels(self.labels, len(A)))

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[int, int]], labels: Any = None, *, n: int | None = None) -> Graph:
        """Return the graph with these ``edges`` (u, v), where vertices are numbered from 0.

        ``n`` is the number of vertices; by default that of the labels, or else the largest vertex in ``edges`` plus 1.

        >>> from kcourse.graphs import Graph
        >>> Graph.from_edges([(0, 1), (1, 2), (2, 0)])
        Graph(vertices: 3, edges: 3)
        """
        pairs = [_check_edge(edge, f"edges[{i}]") for i, edge in enumerate(edges)]
        mentioned = 1 + max((end for pair in pairs for end in pair), default=0)
        if n is None:
            n = mentioned if labels is None else len(labels)
        if mentioned > check_number(n, "n", at_least=1, integer=True):
            raise ValueError(f"edges mention vertex {mentioned - 1}, and there are {n}, numbered from 0 to {n - 1}.")
        A = np.zeros((n, n))
        for u, v in pairs:
            A[u, v] = A[v, u] = 1.0
        return cls(A, labels)

    @property
    def n_vertices(self) -> int:
        """Number of vertices."""
        return len(self.adjacency)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Edges (u, v) with u < v, in order."""
        return [(int(u), int(v)) for u, v in np.argwhere(np.triu(self.adjacency))]

    def __reduce__(self) -> tuple:
        return Graph, (self.adjacency, self.labels)  # so that an unpickled graph is also read-only

    def __repr__(self) -> str:
        text = f"vertices: {self.n_vertices}, edges: {len(self.edges)}"
        if self.labels is not None:
            shown = ", ".join(map(repr, self.labels[:6]))
            text += f", labels: {shown}{', …' if self.n_vertices > 6 else ''}"
        return f"Graph({text})"


def _check_edge(edge: Any, name: str) -> tuple[int, int]:
    if not hasattr(edge, "__len__") or len(edge) != 2:
        raise ValueError(f"{name} is {edge!r}; expected (u, v), the two vertices of an edge.")
    u, v = (check_number(end, f"{name}[{i}]", at_least=0, integer=True) for i, end in enumerate(edge))
    return u, v


def _check_labels(labels: Any, n: int) -> tuple:
    if isinstance(labels, np.ndarray):
        labels = labels.tolist()
    if isinstance(labels, (set, frozenset, dict)) or not hasattr(labels, "__len__"):
        raise TypeError(f"labels is {type(labels).__name__}; expected a list or tuple, one label for each vertex.")
    if len(labels) != n:
        raise ValueError(f"labels has {len(labels)} entries and the graph has {n} vertices; give one for each vertex.")
    for v, label in enumerate(labels):
        if label.__hash__ is None:
            raise TypeError(f"labels[{v}] is {label!r}, which cannot be hashed; use a number, a string or a tuple.")
        if label != label:
            raise ValueError(f"labels[{v}] is {label!r}, which is not equal to itself and cannot be compared.")
    return tuple(labels)


@dataclass(frozen=True)
class GraphKernel(Kernel):
    """Base class of graph kernels, which checks their points."""

    structured: ClassVar[bool] = True

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as an (n,) object array of graphs."""
        if isinstance(X, Graph) or (isinstance(X, np.ndarray) and X.ndim == 2):
            raise TypeError(f"{name} is one graph; expected a list of graphs: for one point write [{name}].")
        if isinstance(X, (str, set, frozenset, dict)) or not hasattr(X, "__len__") or not hasattr(X, "__iter__"):
            raise TypeError(f"{name} is {type(X).__name__}; expected a list of graphs, one for each point.")
        if len(X) == 0:
            raise ValueError(f"{name} is empty: at least one graph is needed.")
        points = np.empty(len(X), dtype=object)
        for i, point in enumerate(X):
            points[i] = _as_graph(point, f"{name}[{i}]")
        return points


def _as_graph(point: Any, name: str) -> Graph:
    if isinstance(point, Graph):
        return point
    pair = isinstance(point, tuple) and len(point) == 2
    if not pair and np.ndim(point if isinstance(point, (np.ndarray, list)) else 0) != 2:
        raise TypeError(
            f"{name} is {type(point).__name__}; a point is a Graph, a pair (adjacency, labels) or an adjacency matrix. "
            "For one graph, pass a list of one."
        )
    try:
        return Graph(*point) if pair else Graph(point)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{name}: {error}") from None


def label_numbers(graphs: Iterable[Graph]) -> tuple[list[np.ndarray], list]:
    """Return the labels of all graphs as numbers 0, 1, …, one array per graph, and the list of labels."""
    graphs = list(graphs)
    labelled = {graph.labels is not None for graph in graphs}
    if len(labelled) == 2:
        raise ValueError("some graphs have labels and others have none; give all of them labels, or none of them.")
    labels = [graph.labels or (None,) * graph.n_vertices for graph in graphs]
    names = list(dict.fromkeys(label for own in labels for label in own))  # by first occurrence
    if all(isinstance(label, str) for label in names) or all(isinstance(label, Real) for label in names):
        names.sort()
    number = {label: i for i, label in enumerate(names)}
    return [np.array([number[label] for label in own]) for own in labels], names


def shortest_lengths(graph: Graph) -> np.ndarray:
    """Return the exact (n, n) lengths of shortest paths; ∞ if there is no path.

    Weights are lengths. They must be whole numbers, because lengths are compared and sums of other numbers are
    rounded.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    if np.any(graph.adjacency % 1):
        odd = graph.adjacency[graph.adjacency % 1 > 0][0]
        raise ValueError(
            f"an edge has length {odd:g}; lengths of paths are compared, so weights must be whole numbers. Use other "
            "units, or count steps with Graph(adjacency > 0)."
        )
    return shortest_path(csr_array(graph.adjacency), method="D")
