"""What the exercises of chapter 1 share: fresh inputs, neighbours by a stated rule, and weighted means."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.gaussian_mistakes import squares
from kcourse.checks.spec import attempts

CHAPTER = "ch01_neighbors"
KERNELS = ("kcourse.kernels",)  # what an answer may call
USE = "import numpy as np\n"  # how an experiment begins
LINE = USE + "X = np.array([[0.0], [1.0], [2.0], [4.0]]); y = np.array([0.0, 1.0, 4.0, 16.0])\n"
Rng = np.random.Generator


# -- fresh inputs: n, d, q and k all different


def points(rng: Rng, n: int, d: int) -> np.ndarray:
    return rng.normal(size=(n, d)) + 0.5


def lattice(rng: Rng, n: int, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole-number points in the plane and queries on them, so that many distances are equal, to the last bit."""
    X = rng.permutation(np.array([(i, j) for i in range(5) for j in range(4)]))[:n].astype(float)
    return X, rng.permutation(X)[:q]


def neighbourhoods(rng: Rng) -> list[tuple]:
    """(X, Xq, k) in two and three dimensions, with fewer queries than points and with more."""
    shapes = [(11, 2, 4, 3), (9, 3, 5, 4), (8, 2, 10, 3)]
    return [(points(rng, n, d), points(rng, q, d), k) for n, d, q, k in shapes]


def ties(rng: Rng) -> list[tuple]:
    """(X, Xq, k) where the rule for equal distances decides, for every one of them."""
    found: list[tuple] = []
    for _ in attempts("the ties of chapter 1", until=lambda: len(found) == 2):
        X, Xq = lattice(rng, 14, 5)
        k = 3 + len(found)
        first, last = (np.sort(order(X, Xq, last=how)[:, :k], axis=1) for how in (False, True))
        if (first != last).any(axis=1).sum() > 2:  # other points, not the same ones in another order
            found.append((X, Xq, k))
    return found


def targets(rng: Rng, n: int) -> np.ndarray:
    return rng.normal(size=n) + 2.0


# -- what right answers and mistakes are made of


def order(X: np.ndarray, Xq: np.ndarray, *, last: bool = False) -> np.ndarray:
    """For each query the points by distance, of equal ones the smallest index first (or the largest), (q, n)."""
    D = squares(Xq, X)
    if last:
        return len(X) - 1 - np.argsort(D[:, ::-1], axis=1, kind="stable")
    return np.argsort(D, axis=1, kind="stable")


def farthest(X: np.ndarray, Xq: np.ndarray, k: int) -> np.ndarray:
    """For each query the k farthest points, (q, k); sorting downwards keeps equal distances in either order, so
    where that would decide who they are, it is a ValueError."""
    first, last = (np.sort(order(X, Xq, last=how)[:, -k:], axis=1) for how in (False, True))
    if (first != last).any():
        raise ValueError("which of the points at equal distances are the k farthest, is decided by how they are sorted")
    return first


def smoother(X: np.ndarray, Xq: np.ndarray, sigma: float, *, leave_out: bool = False) -> np.ndarray:
    """Rows of Gaussian weights that sum to 1, right however far the queries are; (q, n)."""
    logs = -squares(Xq, X) / (2 * sigma**2)
    if leave_out:
        np.fill_diagonal(logs, -np.inf)
    W = np.exp(logs - logs.max(axis=1, keepdims=True))
    return W / W.sum(axis=1, keepdims=True)
