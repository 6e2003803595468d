"""The random-walk kernel, computed on the product graph without storing its adjacency matrix."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import eigh, eigvalsh

from kcourse.base.validation import check_positive
from kcourse.graphs.graph import Graph, GraphKernel, label_numbers
from kcourse.kernels.algebra import put

__all__ = ["RandomWalk"]


@dataclass(frozen=True)
class RandomWalk(GraphKernel):
    """The geometric random-walk kernel [Gärtner, Flach and Wrobel 2003, COLT].

    k(G, H) = Σ_{p ≥ 0} λ^p W_p(G, H) = 1ᵀ(I - λA×)⁻¹ 1. W_p counts the pairs of a walk of p steps in G and one in H
    that visit the same labels in the same order (all walks, if there are no labels). A× is the adjacency matrix of the
    product graph: its vertices are the pairs of equally labelled vertices (u of G, v of H), and the edge from (u, v)
    to (u', v') has weight A_uu' B_vv'. The sum converges for λ < 1/ρ, where ρ is the largest eigenvalue of A×. If it
    converges for each graph with itself, it converges for all pairs, because W_p is positive semi-definite.

    Parameters
    ----------
    lam : float > 0
        factor per step; less than 1/ρ(A)² is small enough for a graph with adjacency matrix A.

    Notes
    -----
    Without labels, eigenvalues cost O(n³) once per graph, then O(n m) per pair of graphs with n and m vertices. With
    labels, conjugate gradients take a few dozen steps of O(m · edges of G + n · edges of H).

    >>> from kcourse.graphs import Graph, RandomWalk
    >>> edge, path = Graph.from_edges([(0, 1)]), Graph.from_edges([(0, 1), (1, 2)])
    >>> RandomWalk(lam=0.1)([edge], [path]).round(6)  # 6 + 8 λ + 12 λ² + 16 λ³ + …
    array([[6.938776]])
    """

    lam: float = 0.1

    def __post_init__(self) -> None:
        put(self, "lam", check_positive(self.lam, "lam", "it is the factor for each step of a walk."))

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as an (n,) object array of graphs for which the sum over all walks converges."""
        points = super().check_points(X, name)
        radii = np.array([self._radius(graph) for graph in points])
        i = int(np.argmax(radii))
        if self.lam * radii[i] >= 1 - 1e-12:
            raise ValueError(
                f"lam = {self.lam:g} is too large for {name}[{i}]: the sum over its walks converges only for "
                f"lam < {1 / radii[i]:.6g}, 1 over the largest eigenvalue of its product graph with itself."
            )
        return points

    def _radius(self, graph: Graph) -> float:
        """Return the largest eigenvalue ρ of the product of the graph with itself, or a sufficient upper bound."""
        bound = float(eigvalsh(graph.adjacency)[-1]) ** 2
        if graph.labels is None or self.lam * bound < 1 - 1e-12:
            return bound  # exact without labels, because the product is A ⊗ A
        return _product_radius(graph)

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        row = self._row_function(X if Z is None else np.concatenate([X, Z]))
        n, total = len(X), len(X) if Z is None else len(X) + len(Z)
        if Z is not None:
            return np.array([row(i, n, total) for i in range(n)])
        K = np.empty((n, n))
        for i in range(n):
            K[i, i:] = K[i:, i] = row(i, i, n)
        return K

    def _diag(self, X: np.ndarray) -> np.ndarray:
        row = self._row_function(X)
        return np.array([row(i, i, i + 1)[0] for i in range(len(X))])

    def _row_function(self, graphs: np.ndarray) -> Callable[[int, int, int], np.ndarray]:
        """Return a function (i, start, stop) -> kernel values of graph i with graphs start to stop - 1."""
        labels, _ = label_numbers(graphs)
        by_eigenvalues = graphs[0].labels is None
        return _spectral_rows(graphs, self.lam) if by_eigenvalues else _product_rows(graphs, labels, self.lam)


def _spectral_rows(graphs: np.ndarray, lam: float) -> Callable[[int, int, int], np.ndarray]:
    """Return rows k = Σ_ij c_i d_j / (1 - λμ_iν_j) for A× = A ⊗ B (no labels): μ eigenvalues of A, c_i = (1ᵀu_i)²."""
    first = np.cumsum([0, *(graph.n_vertices for graph in graphs)])
    mu, c = np.empty(first[-1]), np.empty(first[-1])
    for graph, a, b in zip(graphs, first[:-1], first[1:], strict=True):
        mu[a:b], U = eigh(graph.adjacency)
        c[a:b] = U.sum(axis=0) ** 2

    def row(i: int, start: int, stop: int) -> np.ndarray:
        own, others = slice(first[i], first[i + 1]), slice(first[start], first[stop])
        terms = c[own] @ (1 / (1 - lam * mu[own, None] * mu[others])) * c[others]
        return np.add.reduceat(terms, first[start:stop] - first[start])

    return row


def _product_rows(graphs: np.ndarray, labels: list[np.ndarray], lam: float) -> Callable[[int, int, int], np.ndarray]:
    """Return the row function for labelled graphs: solve (I - λA×) x = 1 by conjugate gradients; k = 1ᵀx.

    x has an entry for each pair of vertices and is stored as a matrix: A× x is B X A where labels agree, 0 elsewhere.
    All partners of graph i are solved at once, as one graph of many parts; each part has its own step lengths.
    """
    from scipy.sparse import block_diag, coo_array

    first = np.cumsum([0, *(graph.n_vertices for graph in graphs)])
    # sparse arrays, because SciPy 1.18 turns dense parts into a sparse matrix with a warning
    union = block_diag([coo_array(graph.adjacency) for graph in graphs], format="csr")
    all_labels = np.concatenate(labels)

    def row(i: int, start: int, stop: int) -> np.ndarray:
        others, starts = slice(first[start], first[stop]), first[start:stop] - first[start]
        lamA, B, sizes = lam * graphs[i].adjacency, union[others, others], np.diff(first[start : stop + 1])
        equal = (all_labels[others, None] == labels[i]).astype(float)
        return _conjugate_gradients(
            lambda P: P - equal * (B @ P @ lamA),
            equal,
            dots=lambda P, Q: np.add.reduceat(np.einsum("ij,ij->i", P, Q), starts),
            spread=lambda steps: np.repeat(steps, sizes)[:, None],
        )

    return row


def _conjugate_gradients(apply: Callable, b: np.ndarray, *, dots: Callable, spread: Callable) -> np.ndarray:
    """Return bᵀx for M x = b, M positive definite, for all parts of b at once."""
    x, r, p = np.zeros_like(b), b.copy(), b.copy()
    rr = dots(r, r)
    # the error of bᵀx is of the order of the squared error of x, so only rounding is left
    goal = 1e-20 * rr
    while np.any(rr > goal):
        q = apply(p)
        pq = dots(p, q)
        alpha = spread(np.divide(rr, pq, out=np.zeros_like(rr), where=rr > goal))
        x += alpha * p
        r -= alpha * q
        before, rr = rr, dots(r, r)
        p = r + spread(np.divide(rr, before, out=np.zeros_like(rr), where=before > goal)) * p
    return dots(b, x)


def _product_radius(graph: Graph) -> float:
    """Return the largest eigenvalue of the product of a labelled graph with itself."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    [labels], _ = label_numbers([graph])
    u, v = np.nonzero(labels[:, None] == labels)
    A, n = graph.adjacency, graph.n_vertices
    if len(u) <= 100:  # small enough to be stored
        return float(eigvalsh(A[np.ix_(u, u)] * A[np.ix_(v, v)])[-1])

    def apply(x: np.ndarray) -> np.ndarray:
        X = np.zeros((n, n))
        X[u, v] = x.ravel()
        return (A @ X @ A)[u, v]

    product = LinearOperator((len(u), len(u)), matvec=apply, dtype=float)
    # the leading eigenvector has entries ≥ 0, so the start of ones is not orthogonal to it
    return float(eigsh(product, k=1, which="LA", v0=np.ones(len(u)), return_eigenvectors=False)[0])
