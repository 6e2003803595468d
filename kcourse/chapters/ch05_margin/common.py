"""What the exercises of chapter 5 share: the view of an answer (w, b), and problems with a known solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from kcourse.checks.compare import close
from kcourse.checks.spec import Observation

__all__ = ["CHAPTER", "USE", "flat", "known_problem", "pair", "right_w_wrong_b"]

CHAPTER = "ch05_margin"
USE = "import numpy as np\n"  # how an experiment begins


def flat(value: Any, *_: Any) -> np.ndarray | None:
    """(w, b), or (w, b, number of updates), as one array; None for any other value."""
    if not isinstance(value, (tuple, list)) or len(value) < 2:
        return None
    first, *rest = (np.asarray(part, dtype=float) for part in value)
    if first.ndim == 0 or any(part.size != 1 for part in rest):
        return None
    joined = np.concatenate([first.ravel(), *(part.ravel() for part in rest)])
    return joined if first.ndim == 1 else joined[:, None]  # a hint tells the shape of a w that is a column


def pair(joined: np.ndarray) -> tuple:
    """One array of w and b as an answer returns it."""
    return joined[:-1], float(joined[-1])


def right_w_wrong_b(name: str, right: Any, *, entries: int = 1) -> Observation:
    """The observation that w is right and b is not."""

    def holds(value: np.ndarray, *args: Any) -> bool:
        wanted = np.asarray(right(*args))
        cut = len(wanted) - entries
        return value.shape == wanted.shape and close(value[:cut], wanted[:cut]) and not close(value[cut], wanted[cut])

    return Observation(f"The w of {name} is right, but its b is not.", holds, early=True)


def known_problem(
    rng: np.random.Generator, d: int, support: tuple[int, int], others: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """X, y and optimal multipliers: ``support`` vectors of class -1 and +1, and ``others`` outside the margin.

    With x_i = x₀ + y_i γu + t_i, u a unit vector and t_i ⊥ u, Σ α_i y_i x_i = u/γ = w if Σ α_i = 1/γ², half of it in
    each class, and Σ α_i y_i t_i = 0.
    """
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    gamma = rng.uniform(0.3, 0.8) if rng.random() < 0.5 else rng.uniform(1.3, 2.0)
    y = np.repeat([-1.0, 1.0], support)
    alpha = rng.uniform(0.4, 1.0, len(y))
    for label in (-1, 1):
        alpha[y == label] *= 0.5 / gamma**2 / alpha[y == label].sum()
    t = rng.normal(size=(len(y), d))
    t -= np.outer(t @ u, u)
    t[-1] = -y[-1] * (alpha[:-1] * y[:-1]) @ t[:-1] / alpha[-1]
    X = y[:, None] * gamma * u + t
    labels = rng.permutation(np.resize([-1.0, 1.0, 1.0], others))
    behind = labels * gamma * rng.uniform(1.4, 4.0, others)
    away = rng.normal(size=(others, d))
    X = np.vstack([X, away - np.outer(away @ u, u) + np.outer(behind, u)]) + rng.normal(size=d)
    order = rng.permutation(len(X))
    return X[order], np.append(y, labels)[order], np.append(alpha, np.zeros(others))[order]
