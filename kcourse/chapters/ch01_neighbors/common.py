"""What the exercises of chapter 1 share: random inputs, neighbours in a fixed order, and weighted means."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.gaussian_mistakes import differences, squares
from kcourse.checks.spec import attempts

CHAPTER = "ch01_neighbors"
KERNELS = ("kcourse.kernels",)  # what an answer may call
USE = "import numpy as np\n"  # how an experiment begins
LINE = USE + "X = np.array([[0.0], [1.0], [2.0], [4.0]]); y = np.array([0.0, 1.0, 4.0, 16.0])\n"
Rng = np.random.Generator


# -- random inputs: n, d, q and k are all different


def points(rng: Rng, n: int, d: int) -> np.ndarray:
    return rng.normal(size=(n, d)) + 0.5


def targets(rng: Rng, n: int) -> np.ndarray:
    return rng.normal(size=n) + 2.0


def neighbourhoods(rng: Rng) -> list[tuple]:
    """(X, Xq, k) with fewer queries than points, twice, then with more queries, half of which are points.

    The columns have different units, so that standardised columns and absolute differences give other neighbours in
    each call.
    """
    found: list[tuple] = []
    for _ in attempts("the neighbours of chapter 1", until=lambda: len(found) == 3):
        n, d, q, k = ((11, 2, 4, 3), (9, 3, 5, 4), (8, 2, 10, 3))[len(found)]
        units = rng.permutation(2.0 * np.arange(d) + 1)
        X, Xq = points(rng, n, d) * units, points(rng, q, d) * units
        if q > n:  # multiples of 1/64, so that ‖x‖² - 2xᵀz + ‖z‖² is also exactly 0 there, and has a root
            X = np.round(64 * X) / 64
            Xq[::2] = rng.permutation(X)[: q // 2]
        k_nearest = []
        for distances in (squares(Xq, X), squares(*standardised(X, Xq)[::-1]), np.abs(differences(Xq, X)).sum(axis=2)):
            k_nearest.append(distances <= np.sort(distances, axis=1)[:, [k - 1]])
        no_ties = np.diff(np.sort(squares(Xq, X), axis=1)).min() > 1e-9
        if no_ties and all((k_nearest[0] != other).any() for other in k_nearest[1:]):
            found.append((X, Xq, k))
    return found


def ties(rng: Rng) -> list[tuple]:
    """(X, Xq, k) for which the order among equal distances decides.

    Points have whole numbers as coordinates and queries lie halfway between, so distances are equal to the last bit
    and never 0.
    """
    found: list[tuple] = []
    grid = np.array([(i, j) for i in range(5) for j in range(4)], dtype=float)
    for _ in attempts("the ties of chapter 1", until=lambda: len(found) == 2):
        X = rng.permutation(grid)[:14]
        Xq = rng.permutation(grid[(grid < (4, 3)).all(axis=1)])[:5] + 0.5
        k = 3 + len(found)
        if decided_by_order(X, Xq, k) > 2:
            found.append((X, Xq, k))
    return found


# -- what right answers and mistakes are made of


def order(X: np.ndarray, Xq: np.ndarray) -> np.ndarray:
    """Indices of the points by distance from each query, the smallest index first among equal distances, (q, n)."""
    return np.argsort(squares(Xq, X), axis=1, kind="stable")


def decided_by_order(X: np.ndarray, Xq: np.ndarray, k: int) -> int:
    """Return for how many queries other points are the k nearest if the largest index counts among equal distances."""
    first, last = order(X, Xq)[:, :k], len(X) - 1 - order(X[::-1], Xq)[:, :k]
    return int((np.sort(first, axis=1) != np.sort(last, axis=1)).any(axis=1).sum())


def settled(D: np.ndarray, k: int) -> np.ndarray:
    """Return the indices of the k smallest entries of each row, (q, k); ValueError if rounding or order decides."""
    ranked = np.sort(D, axis=1)
    if k < D.shape[1] and (ranked[:, k] - ranked[:, k - 1]).min() < 1e-9:
        raise ValueError("rounding or the order of equal distances decides which points these are")
    return np.argsort(D, axis=1)[:, :k]


def standardised(X: np.ndarray, Xq: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return both with columns of mean 0 and variance 1 over the points."""
    centre, scale = X.mean(axis=0), 1 / X.std(axis=0)
    return scale * (X - centre), scale * (Xq - centre)


def smoother(X: np.ndarray, Xq: np.ndarray, sigma: float, *, leave_out: bool = False) -> np.ndarray:
    """Rows of Gaussian weights that sum to 1, (q, n), also far from all points."""
    logs = -squares(Xq, X) / (2 * sigma**2)
    if leave_out:
        np.fill_diagonal(logs, -np.inf)
    W = np.exp(logs - logs.max(axis=1, keepdims=True))
    return W / W.sum(axis=1, keepdims=True)
