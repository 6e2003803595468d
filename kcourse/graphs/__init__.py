"""Graph kernels, for example for molecules [001, "Vectorialisation des données": molecule = graph].

===================  ===================================================================================================
name                 k(G, H) compares
===================  ===================================================================================================
WeisfeilerLehman(h)  how often each tree of walks with depth 0 … h occurs
ShortestPath()       how often two vertices with given labels are a given distance apart
RandomWalk(lam)      all walks, with weight λ^p for each pair of walks of p steps that visit the same labels
===================  ===================================================================================================

A point is a `Graph`, a pair ``(adjacency, labels)`` or an adjacency matrix. None of these kernels depends on the
numbering of the vertices, and none of them distinguishes all graphs.

`alkanes` generates molecules, `load_tu` reads a folder of graphs.
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
