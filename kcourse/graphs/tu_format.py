"""Reader of graph collections in the text format of TU Dortmund."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from kcourse.graphs.graph import Graph

__all__ = ["TUDataset", "load_tu"]


@dataclass(frozen=True, eq=False)
class TUDataset:
    """Collection of graphs read by `load_tu`.

    Attributes
    ----------
    name : str
        name of the collection.
    graphs : tuple of N Graphs
        graphs with edge weight 1 and the labels of the file, or None if it has none.
    y : (N,) int array
        label of each graph.
    edge_labels, edge_attributes : tuple of N dicts, or None
        (u, v) with u < v -> label or attributes of this edge.
    node_attributes : tuple of N (n_vertices, q) arrays, or None
        attributes of the vertices.
    """

    name: str
    graphs: tuple[Graph, ...]
    y: np.ndarray
    edge_labels: tuple[dict, ...] | None = None
    edge_attributes: tuple[dict, ...] | None = None
    node_attributes: tuple[np.ndarray, ...] | None = None

    def __repr__(self) -> str:
        return f"TUDataset({self.name!r}: {len(self.graphs)} graphs, y {self.y.shape})"


def load_tu(folder: str | PathLike, name: str) -> TUDataset:
    """Read the collection ``name`` from the files ``NAME_*.txt`` in ``folder``; nothing is downloaded.

    ===========================  ==================================================================
    file                         content of line i
    ===========================  ==================================================================
    NAME_A.txt                   "u, v": an edge from u to v (from 1); each edge in both directions
    NAME_graph_indicator.txt     the graph (from 1) that contains vertex i
    NAME_graph_labels.txt        the label of graph i
    NAME_node_labels.txt         optional: the label of vertex i (several: a tuple)
    NAME_node_attributes.txt     optional: attributes (numbers) of vertex i
    NAME_edge_labels.txt         optional: the label of the edge in line i of NAME_A.txt
    NAME_edge_attributes.txt     optional: attributes (numbers) of that edge
    ===========================  ==================================================================

    Raises
    ------
    FileNotFoundError, ValueError
        with the file, the line and the fault.

    >>> from pathlib import Path
    >>> from kcourse.graphs import load_tu
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for file, text in {"A": "1, 2\\n2, 1", "graph_indicator": "1\\n1\\n2", "graph_labels": "1\\n-1"}.items():
    ...         _ = Path(folder, f"TOY_{file}.txt").write_text(text, encoding="ascii")
    ...     data = load_tu(folder, "TOY")
    >>> data, data.graphs, data.y
    (TUDataset('TOY': 2 graphs, y (2,)), (Graph(vertices: 2, edges: 1), Graph(vertices: 1, edges: 0)), array([ 1, -1]))
    """
    table = _Tables(Path(folder), name)
    y = np.array([row[0] for row in table.rows("graph_labels", columns=1)], dtype=np.int64)
    owner = np.array([row[0] for row in table.rows("graph_indicator", columns=1)], dtype=np.int64) - 1
    if len(y) == 0:
        raise ValueError(f"{name}_graph_labels.txt is empty; it must have one line for each graph.")
    odd = set(owner.tolist()) ^ set(range(len(y)))
    if odd:
        raise ValueError(
            f"{name}_graph_indicator.txt and {name}_graph_labels.txt ({len(y)} lines) do not agree about graph "
            f"{min(odd) + 1}; each graph from 1 to {len(y)} must have at least one vertex, and no other may occur."
        )
    vertices = [np.flatnonzero(owner == i) for i in range(len(y))]
    place = np.empty(len(owner), dtype=np.int64)  # number of each vertex within its graph
    for own in vertices:
        place[own] = np.arange(len(own))
    edges = _edges(table, owner)
    labels = table.optional("node_labels", int, len(owner), "graph_indicator")
    numbers = table.optional("node_attributes", float, len(owner), "graph_indicator")
    graphs = []
    for own in vertices:
        graphs.append((np.zeros((len(own), len(own))), labels and [_single(labels[v]) for v in own]))
    for u, v in edges:
        graphs[owner[u]][0][place[u], place[v]] = 1.0
    return TUDataset(
        name=name,
        graphs=tuple(Graph(*graph) for graph in graphs),
        y=y,
        edge_labels=_of_edges(table, "edge_labels", int, edges, owner, place),
        edge_attributes=_of_edges(table, "edge_attributes", float, edges, owner, place),
        node_attributes=numbers and tuple(np.array([numbers[v] for v in own]) for own in vertices),
    )


class _Tables:
    """Files of one collection, read as rows of numbers."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name

    def path(self, kind: str) -> Path:
        return self.folder / f"{self.name}_{kind}.txt"

    def rows(self, kind: str, number: Callable = int, columns: int | None = None) -> list[tuple]:
        """Return each line of a required file as a tuple of numbers, without blank lines at the end."""
        path = self.path(kind)
        if not path.is_file():
            raise FileNotFoundError(
                f"{path} is missing; load_tu needs {self.name}_A.txt, {self.name}_graph_indicator.txt and "
                f"{self.name}_graph_labels.txt in one folder."
            )
        rows: list[tuple] = []
        for i, line in enumerate(path.read_text(encoding="ascii").rstrip().splitlines(), start=1):
            try:
                rows.append(tuple(number(entry) for entry in line.split(",")))
            except ValueError:
                raise ValueError(f"{path.name}, line {i}: {line!r} does not consist of numbers and commas.") from None
            if len(rows[-1]) != (columns or len(rows[0])):
                raise ValueError(f"{path.name}, line {i}: {line!r}; expected {columns or len(rows[0])} number(s).")
        return rows

    def optional(self, kind: str, number: Callable, length: int, partner: str) -> list[tuple] | None:
        """Return the rows of an optional file with as many lines as its partner; None if it is absent."""
        if not self.path(kind).is_file():
            return None
        rows = self.rows(kind, number)
        if len(rows) != length:
            raise ValueError(
                f"{self.path(kind).name} has {len(rows)} lines and {self.path(partner).name} has {length}; they "
                "must correspond line by line."
            )
        return rows


def _single(row: tuple) -> Any:
    return row[0] if len(row) == 1 else row


def _edges(table: _Tables, owner: np.ndarray) -> list[tuple[int, int]]:
    """Return the edges of NAME_A.txt, numbered from 0; refuse loops, repetitions and edges in one direction only."""
    edges = [(u - 1, v - 1) for u, v in table.rows("A", columns=2)]
    line_of: dict[tuple[int, int], int] = {}
    for i, (u, v) in enumerate(edges, start=1):
        where = f"{table.name}_A.txt, line {i}: the edge {u + 1}, {v + 1}"
        if not (0 <= u < len(owner) and 0 <= v < len(owner)):
            raise ValueError(f"{where} mentions a vertex that does not exist; there are {len(owner)}, numbered from 1.")
        if owner[u] != owner[v]:
            raise ValueError(f"{where} joins different graphs, {owner[u] + 1} and {owner[v] + 1}.")
        if u == v:
            raise ValueError(f"{where} is a self-loop.")
        if line_of.setdefault((u, v), i) != i:
            raise ValueError(f"{where} repeats line {line_of[u, v]}.")
    for (u, v), i in line_of.items():
        if (v, u) not in line_of:
            raise ValueError(
                f"{table.name}_A.txt, line {i}: the edge {u + 1}, {v + 1} has no partner {v + 1}, {u + 1}; list "
                "each edge of an undirected graph in both directions."
            )
    return edges


def _of_edges(
    table: _Tables, kind: str, number: Callable, edges: list[tuple[int, int]], owner: np.ndarray, place: np.ndarray
) -> tuple[dict, ...] | None:
    rows = table.optional(kind, number, len(edges), "A")
    if rows is None:
        return None
    found: tuple[dict, ...] = tuple({} for _ in range(owner.max() + 1))
    for i, ((u, v), row) in enumerate(zip(edges, rows, strict=True), start=1):
        ends = tuple(sorted((int(place[u]), int(place[v]))))
        if found[owner[u]].setdefault(ends, _single(row)) != _single(row):
            raise ValueError(
                f"{table.name}_{kind}.txt, line {i}: {_single(row)} for the edge {u + 1}, {v + 1}, and "
                f"{found[owner[u]][ends]} for {v + 1}, {u + 1}; both directions of an edge must agree."
            )
    return found
