"""Examples of the explorers of chapter 9, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import Brownian, Normalized
from kcourse.chapters.ch09_rkhs import figures
from kcourse.graphs import Graph, WeisfeilerLehman
from kcourse.strings import Spectrum


def sections_explorer():
    return figures.sections_explorer(
        Brownian(), lambda X, y: np.linalg.solve(Brownian()(X), y), first=(0.3, 0.8), second=0.3
    )


def kmers_explorer():
    def alike(x, z, k):
        return Normalized(Spectrum(k))([x], [z])[0, 0]

    return figures.kmers_explorer("FVNQHLCGSHLVEALYLVCGERGFFYTPKT", alike, ("a chain", "one letter changed"))


def colors_explorer():
    chain = ([(0, 1), (1, 2)], np.array([[-1.0, 0], [0, 0.5], [1, 0]]))
    ring = ([(0, 1), (1, 2), (2, 0)], np.array([[-1.0, 0], [0, 1], [1, 0]]))
    pairs = {"chain and ring": (chain, ring), "two rings": (ring, ring)}

    def rounds(name):
        graphs = [Graph.from_edges(edges) for edges, _ in pairs[name]]
        return list(zip(*(c.T for c in WeisfeilerLehman(3).colors(graphs)), strict=True))

    return figures.colors_explorer(pairs, rounds)


# what an explorer says only when a switch shows it
SECRETS = {
    "kmers_explorer": ("curve_", r"lies between"),
}
