"""The random-walk kernel, through the product graph, which is never written down."""

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

    k(G, H) = Σ_{p ≥ 0} λ^p W_p(G, H) = 1ᵀ(I - λA×)⁻¹ 1; W_p counts the pairs of a walk of p steps in G and one in H
    that meet the same labels in the same order (all walks, if there are no labels). A× is the adjacency matrix of the
    product graph: its vertices are the pairs of equally labelled vertices (u of G, v of H), and (u, v) is joined
    with (u', v') by A_uu' B_vv'. The sum converges for λ < 1/ρ, ρ the largest eigenvalue of A×; if it does so for
    each graph with itself, it does for all pairs, because W_p is positive semi-definite.

    Parameters
    ----------
    lam : float > 0
        factor for each step; less than 1/ρ(A)² is enough for a graph with adjacency matrix A.

    Notes
    -----
    Without labels: O(n³) once for each graph, then O(n m) for a pair of n and m vertices, by eigenvalues. With labels,
    conjugate gradients: O(m · edges of G + n · edges of H) for each of some tens of steps.

    >>> from kcourse.graphs import Graph, RandomWalk
    >>> edge, path = Graph.from_edges([(0, 1)]), Graph.from_edges([(0, 1), (1, 2)])
    >>> RandomWalk(lam=0.1)([edge], [path]).round(6)  # 6 + 8 λ + 12 λ² + 16 λ³ + …
    array([[6.938776]])
    """

    lam: float = 0.1

    def __post_init__(self) -> None:
        put(self, "lam", check_positive(self.lam, "lam", "it weighs each step of a walk."))

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as an (n,) object array of graphs for which the sum over all walks converges."""
        points = super().check_points(X, name)
        radii = np.array([self._radius(graph) for graph in points])
        i = int(np.argmax(radii))
        if self.lam * radii[i] >= 1 - 1e-12:
            raise ValueError(
                f"lam = {self.lam:g} is too large for {name}[{i}]: the sum over its walks converges only for "
                f"lam < {1 / radii[i]:.6g}, 1 over the largest eigenvalue of its product with itself."
            )
        return points

    def _radius(self, graph: Graph) -> float:
        """The largest eigenvalue ρ of the product of the graph with itself, or a bound that will do."""
        bound = float(eigvalsh(graph.adjacency)[-1]) ** 2
        if graph.labels is None or self.lam * bound < 1 - 1e-12:
            return bound  # exact without labels: the product is A ⊗ A
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
        """A function (i, start, stop) -> k of graph i with those from start to stop."""
        labels, _ = label_numbers(graphs)
        by_eigenvalues = graphs[0].labels is None
        return _spectral_rows(graphs, self.lam) if by_eigenvalues else _product_rows(graphs, labels, self.lam)


def _spectral_rows(graphs: np.ndarray, lam: float) -> Callable[[int, int, int], np.ndarray]:
    """Without labels A× = A ⊗ B:  k = Σ_ij c_i d_j / (1 - λ μ_i ν_j), μ eigenvalues of A, c_i = (1ᵀu_i)²."""
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
    """With labels: solve (I - λA×) x = 1 by conjugate gradients; k = 1ᵀx.

    x has an entry for each pair of vertices and is kept as a matrix: A× x is B X A where labels agree, 0 elsewhere.
    All partners of graph i are taken at once, as one graph of many parts, each with step lengths of its own.
    """
    from scipy.sparse import block_diag, coo_array

    first = np.cumsum([0, *(graph.n_vertices for graph in graphs)])
    # of dense parts SciPy 1.18 would make a sparse matrix, with a warning; of sparse arrays it makes a sparse array
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
    """bᵀx for M x = b, M positive definite, for all parts of b at once."""
    x, r, p = np.zeros_like(b), b.copy(), b.copy()
    rr = dots(r, r)
    # the error of bᵀx is the square of that of x, so this leaves rounding alone
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
    """The largest eigenvalue of the product of a labelled graph with itself."""
    from scipy.sparse.linalg import LinearOperator, eigsh

    [labels], _ = label_numbers([graph])
    u, v = np.nonzero(labels[:, None] == labels)
    A, n = graph.adjacency, graph.n_vertices
    if len(u) <= 100:  # small enough to be written down
        return float(eigvalsh(A[np.ix_(u, u)] * A[np.ix_(v, v)])[-1])

    def apply(x: np.ndarray) -> np.ndarray:
        X = np.zeros((n, n))
        X[u, v] = x.ravel()
        return (A @ X @ A)[u, v]

    product = LinearOperator((len(u), len(u)), matvec=apply, dtype=float)
    # entries are ≥ 0, and so is an eigenvector of the largest eigenvalue: ones are a start that meets it
    return float(eigsh(product, k=1, which="LA", v0=np.ones(len(u)), return_eigenvectors=False)[0])
