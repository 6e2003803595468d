"""What the exercises of chapter 6 share: a Gram matrix, and a small exact solver."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

__all__ = ["CHAPTER", "USE", "gram", "led_by", "solved", "solved_to", "steps_to"]

CHAPTER = "ch06_svm"
USE = "import numpy as np\n"  # how an experiment begins
_MOST = 4000  # steps of the small solver


def gram(rng: np.random.Generator, n: int, d: int = 2, width: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Points, and a Gram matrix of full rank whose diagonal is not constant."""
    X = rng.normal(size=(n, d))
    K = rng.uniform(1.3, 2.2) * np.exp(-((X[:, None] - X[None]) ** 2).sum(-1) / (2 * width**2)) + 0.3 * X @ X.T
    return X, K


def solved(K: np.ndarray, y: np.ndarray, C: float) -> tuple[np.ndarray, float]:
    """α and b of the soft margin to machine precision: the steepest pair, until no pair has a slope."""
    alpha, b = _known(K.tobytes(), np.asarray(y, dtype=float).tobytes(), float(C))
    return alpha.copy(), b


@lru_cache(maxsize=64)  # most mistakes start from the right multipliers
def _known(K: bytes, y: bytes, C: float) -> tuple[np.ndarray, float]:
    labels = np.frombuffer(y)
    return solved_to(np.frombuffer(K).reshape(len(labels), -1), labels, C, [0.0])[0]


def steps_to(K: np.ndarray, y: np.ndarray, C: float, tol: float = 1e-3) -> int:
    """Number of steps of the steepest pair until no slope is above ``tol``."""
    beta, low, high = np.zeros(len(y)), np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for step in range(_MOST):
        slope = y - K @ beta
        i, j = int(np.where(beta < high, slope, -np.inf).argmax()), int(np.where(beta > low, slope, np.inf).argmin())
        if slope[i] - slope[j] <= tol:
            return step
        t = min((slope[i] - slope[j]) / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j])
        beta[i], beta[j] = beta[i] + t, beta[j] - t
    return _MOST


def solved_to(
    K: np.ndarray, y: np.ndarray, C: float, tols: Sequence[float], exact: bool = True
) -> list[tuple[np.ndarray, float]]:
    """α and b on the way there, where no pair has a slope above each of ``tols``, which decrease.

    ``exact``: bounds are met to the last bit.
    """
    found: list[tuple[np.ndarray, float]] = []
    beta, low, high = np.zeros(len(y)), np.minimum(0.0, C * y), np.maximum(0.0, C * y)
    for left in range(_MOST - 1, -1, -1):
        slope = y - K @ beta
        up, down = np.where(beta < high, slope, -np.inf), np.where(beta > low, slope, np.inf)
        i, j = int(up.argmax()), int(down.argmin())
        gain = up[i] - down[j]
        for tol in tols[len(found) :]:
            if left and gain > max(tol, 1e-13 * max(1.0, C)):
                break
            found.append((beta * y, 0.5 * (up[i] + down[j])))
        if len(found) == len(tols):
            break
        step, room_i, room_j = gain / (K[i, i] + K[j, j] - 2 * K[i, j]), high[i] - beta[i], beta[j] - low[j]
        step = min(step, room_i, room_j)
        beta[i] = high[i] if exact and step == room_i else beta[i] + step
        beta[j] = low[j] if exact and step == room_j else beta[j] - step
    return found


def led_by(wanted: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """An order of the points in which the first support vector is one of those that are ``wanted``."""
    order, first, other = np.arange(len(alpha)), np.flatnonzero(alpha > 0)[0], np.flatnonzero(wanted)[0]
    order[[first, other]] = order[[other, first]]
    return order
