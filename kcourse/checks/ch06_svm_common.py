"""What the exercises of chapter 6 share: a Gram matrix, and a small exact solver."""

from __future__ import annotations

import numpy as np

__all__ = ["CHAPTER", "SECOND", "USE", "gram", "solved"]

CHAPTER = "ch06_svm"
SECOND = "ch06b_svr_online"  # the lecture with the tube and Pegasos
USE = "import numpy as np\n"  # how an experiment begins


def gram(rng: np.random.Generator, n: int, d: int = 2, width: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Points, and a Gram matrix of full rank whose diagonal is not constant."""
    X = rng.normal(size=(n, d))
    K = rng.uniform(1.3, 2.2) * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / (2 * width**2)) + 0.3 * X @ X.T
    return X, K


def solved(
    K: np.ndarray, y: np.ndarray, C: float, most: int = 4000, tol: float = 0.0, exact: bool = True
) -> tuple[np.ndarray, float]:
    """α and b of the soft margin to the last digits: the pair that gains most, until none gains more than ``tol``.

    ``exact``: walls are met to the last bit.
    """
    beta, low, high = np.zeros(len(y)), np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for _ in range(most):
        slope = y - K @ beta
        up, down = np.where(beta < high, slope, -np.inf), np.where(beta > low, slope, np.inf)
        i, j = int(up.argmax()), int(down.argmin())
        gain = up[i] - down[j]
        if gain <= max(tol, 1e-13 * max(1.0, C)):
            break
        step, room_i, room_j = gain / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        step = min(step, room_i, room_j)
        beta[i] = high[i] if exact and step == room_i else beta[i] + step
        beta[j] = low[j] if exact and step == room_j else beta[j] - step
    return beta * y, 0.5 * (up[i] + down[j])
