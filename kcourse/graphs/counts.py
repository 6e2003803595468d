"""Graph kernels that are inner products of counts: Weisfeiler–Lehman and shortest paths."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from kcourse.base.validation import check_number
from kcourse.graphs.graph import GraphKernel, label_numbers, shortest_lengths
from kcourse.kernels.algebra import put

__all__ = ["ShortestPath", "WeisfeilerLehman"]


@dataclass(frozen=True)
class _CountKernel(GraphKernel):
    """Base class of graph kernels k(G, H) = Σ_j N_j(G) N_j(H); subclasses define the counts N_j."""

    def counts(self, X: Any) -> tuple[Any, list]:
        """Return N, a sparse (n, D) array of counts, and the meaning of its D columns; K = N Nᵀ.

        Two sets of graphs are comparable only if they are counted in the same call.
        """
        N, what = self._counts(self.check_points(X))
        return N, self._names(what)

    def features(self, X: Any) -> np.ndarray:
        """Return the result of `counts` as a dense (n, D) array: k(G, H) = N(G)ᵀN(H)."""
        return self.counts(X)[0].toarray().astype(float)

    def _counts(self, graphs: np.ndarray) -> tuple[Any, Any]:
        """Return N and the argument of ``_names``."""
        raise NotImplementedError

    def _names(self, what: Any) -> list:
        raise NotImplementedError

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        # sums of whole numbers are exact in any order, so K is symmetric
        if Z is None:
            N, _ = self._counts(X)
            return (N @ N.T).toarray().astype(float)
        N, _ = self._counts(np.concatenate([X, Z]))
        return (N[: len(X)] @ N[len(X) :].T).toarray().astype(float)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        N, _ = self._counts(X)
        return (N * N).sum(axis=1).astype(float)


@dataclass(frozen=True)
class WeisfeilerLehman(_CountKernel):
    """The Weisfeiler–Lehman subtree kernel [Shervashidze et al. 2011, JMLR 12].

    Colour the vertices by their labels. Then, h times, give each vertex a new colour that encodes its old colour and
    the multiset of its neighbours' colours. k(G, H) = Σ_{i=0…h} Σ_c N_{i,c}(G) N_{i,c}(H), where N_{i,c} is the number
    of vertices with colour c after i rounds. All graphs share one table of colours; otherwise equal numbers would
    denote different neighbourhoods.

    Edge weights are ignored. O(h · number of edges), up to sorting. The kernel cannot distinguish unlabelled regular
    graphs of the same size and degree, such as a ring of 6 and two rings of 3.

    Parameters
    ----------
    h : int ≥ 0
        number of rounds; 0 compares only the counts of the labels.

    >>> from kcourse.graphs import Graph, WeisfeilerLehman
    >>> path, star = Graph.from_edges([(0, 1), (1, 2), (2, 3)]), Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> [float(WeisfeilerLehman(h)([path], [star])[0, 0]) for h in (0, 1, 2)]
    [16.0, 22.0, 22.0]
    """

    h: int = 3

    def __post_init__(self) -> None:
        put(self, "h", check_number(self.h, "h", at_least=0, integer=True))

    def colors(self, X: Any) -> list[np.ndarray]:
        """Return for each graph the colours of its vertices, an (n_vertices, h + 1) array with one column per round.

        Within a column, equal numbers mean equal colours, even in different graphs.
        """
        X = self.check_points(X)
        rounds = np.array([colors for colors, _ in _refine(X, self.h)]).T
        return np.split(rounds, np.cumsum([graph.n_vertices for graph in X])[:-1])

    def _counts(self, graphs: np.ndarray) -> tuple[Any, list[list]]:
        rows = np.repeat(np.arange(len(graphs)), [graph.n_vertices for graph in graphs])
        columns, known, tables = [], 0, []
        for colors, table in _refine(graphs, self.h):
            columns.append(np.array(colors) + known)
            known += len(table)
            tables.append(table)
        return _count(np.tile(rows, self.h + 1), np.concatenate(columns), (len(graphs), known)), tables

    def _names(self, tables: list[list]) -> list:
        """Return names (round, pattern): a label, or the pair (own, (neighbours')) of the previous round's patterns."""
        patterns, names = tables[0], [(0, label) for label in tables[0]]
        for i, table in enumerate(tables[1:], start=1):
            patterns = [(patterns[own], tuple(patterns[c] for c in near)) for own, *near in table]
            names += [(i, pattern) for pattern in patterns]
        return names


def _refine(graphs: np.ndarray, h: int) -> list[tuple[list[int], list]]:
    """Return for each round 0 … h the colours of all vertices of all graphs, and the meaning of each colour."""
    numbers, names = label_numbers(graphs)
    neighbours, first = [], 0
    for graph in graphs:
        u, v = np.nonzero(graph.adjacency)
        ends = np.searchsorted(u, np.arange(graph.n_vertices + 1)).tolist()
        v = (v + first).tolist()
        neighbours += [v[a:b] for a, b in pairwise(ends)]
        first += graph.n_vertices
    colors = np.concatenate(numbers).tolist()
    rounds = [(colors, names)]
    for _ in range(h):
        # new colour = (own colour, multiset of the neighbours' colours), numbered by first occurrence
        table: dict[tuple, int] = {}
        signatures = [(own, *sorted([colors[u] for u in near])) for own, near in zip(colors, neighbours, strict=True)]
        colors = [table.setdefault(signature, len(table)) for signature in signatures]
        rounds.append((colors, list(table)))
    return rounds


@dataclass(frozen=True)
class ShortestPath(_CountKernel):
    """The shortest-path kernel [Borgwardt and Kriegel 2005, ICDM].

    k(G, H) = Σ N_{a,b,l}(G) N_{a,b,l}(H), the sum over pairs of labels and lengths; N_{a,b,l} is the number of pairs
    of different vertices, labelled a and b, with a shortest path of length l. A pair counts once, not once per
    direction; a pair without a path does not count. The weight of an edge is its length, a whole number.

    >>> from kcourse.graphs import Graph, ShortestPath
    >>> path = Graph.from_edges([(0, 1), (1, 2)], "CCO")
    >>> counts, triples = ShortestPath().counts([path])
    >>> triples, counts.toarray()
    ([('C', 'C', 1), ('C', 'O', 1), ('C', 'O', 2)], array([[1, 1, 1]]))
    """

    def _counts(self, graphs: np.ndarray) -> tuple[Any, list]:
        numbers, names = label_numbers(graphs)
        rows, triples = [], []
        for i, (graph, labels) in enumerate(zip(graphs, numbers, strict=True)):
            u, v = np.triu_indices(graph.n_vertices, 1)
            lengths = shortest_lengths(graph)[u, v]
            joined = np.isfinite(lengths)
            a, b = np.sort([labels[u[joined]], labels[v[joined]]], axis=0)
            triples.append(np.stack([a, b, lengths[joined].astype(np.int64)]))
            rows.append(np.full(joined.sum(), i))
        a, b, lengths = np.concatenate(triples, axis=1)
        # encode each triple as one number that keeps the order of the triples
        different, place = np.unique(lengths, return_inverse=True)
        codes, columns = np.unique((a * len(names) + b) * len(different) + place, return_inverse=True)
        pairs, place = np.divmod(codes, len(different))
        what = [names, pairs // len(names), pairs % len(names), different[place]]
        return _count(np.concatenate(rows), columns, (len(graphs), len(codes))), what

    def _names(self, what: list) -> list:
        """Return the names (label, label, length) of the columns."""
        names, first, second, lengths = what
        return [(names[a], names[b], int(length)) for a, b, length in zip(first, second, lengths, strict=True)]


def _count(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> Any:
    """Return a sparse array that counts each pair (row, column)."""
    from scipy.sparse import coo_array

    return coo_array((np.ones(len(rows), dtype=np.int64), (rows, columns)), shape=shape).tocsr()
