"""Kernels of graphs, such as molecules [001, "Vectorialisation des données": molecule = graph].

===================  ===================================================================================================
name                 k(G, H) compares
===================  ===================================================================================================
WeisfeilerLehman(h)  how often each tree of walks occurs, looked at 0 … h steps deep
ShortestPath()       how often two vertices with given labels are a given distance apart
RandomWalk(lam)      all walks, λ^p for each pair of walks of p steps that meet the same labels
===================  ===================================================================================================

A point is a `Graph`, or what it is made from: ``(adjacency, labels)``, or an adjacency matrix alone. None of these
kernels depends on the order in which the vertices are numbered; none of them tells all graphs apart.

`alkanes` makes molecules, `load_tu` reads a folder of graphs.
"""

from kcourse.graphs.alkanes import alkanes, wiener_index
from kcourse.graphs.counts import ShortestPath, WeisfeilerLehman
from kcourse.graphs.graph import Graph
from kcourse.graphs.tu_format import TUDataset, load_tu
from kcourse.graphs.walks import RandomWalk

__all__ = [
    "Graph",
    "RandomWalk",
    "ShortestPath",
    "TUDataset",
    "WeisfeilerLehman",
    "alkanes",
    "load_tu",
    "wiener_index",
]
