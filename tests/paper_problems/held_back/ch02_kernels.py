"""The answers of the chapter's exam problems, computed in another way."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from scipy import optimize

from kcourse import Gaussian, Polynomial
from tests.paper_problems.other_ways import floats

__all__ = ["OTHER_WAYS"]


def normalised(a: Any, p: int) -> float:
    """σ of the library's Gaussian that agrees with the divided kernel at random points."""
    X = np.random.default_rng(0).normal(size=(5, 2))
    K = np.exp(float(a) * X @ X.T)
    K /= np.sqrt(np.outer(np.diag(K), np.diag(K)))
    odd = (np.array([[-2.0], [0.5], [3.0]]) @ [[-2.0, 0.5, 3.0]]) ** p
    assert set(np.round(odd / np.sqrt(np.outer(np.diag(odd), np.diag(odd))), 9).ravel()) <= (
        {1.0} if p % 2 == 0 else {1.0, -1.0}
    )
    return optimize.brentq(lambda s: float((Gaussian(s)(X) - K)[0, 1]), 0.01, 100)


def by_eigenvalues(n: int, a: int, d: int) -> list[float]:
    def smallest(b: float, m: int) -> float:
        return float(np.linalg.eigvalsh((a - b) * np.eye(m) + b)[0])

    low = optimize.brentq(lambda b: smallest(b, n), -2.0 * a, 0)
    high = optimize.brentq(lambda b: smallest(b, n), a / 2, 2.0 * a)
    return [low, high, max(m for m in range(1, 30) if smallest(-d, m) > -1e-9)]


def summed(q: int, a: int, b: int, product: np.ndarray) -> float:
    x = np.array([1.0, -1.0])
    line = np.linspace(-3, 3, 40)
    assert np.linalg.eigvalsh(a * np.cos(b * np.subtract.outer(line, line)))[0] > -1e-9
    assert product[0, 1] != product[1, 0]
    return float([1, -1] @ (np.outer(x, x) - q) ** 2 @ [1, -1])


def in_features(points: list[int], labels: list[int]) -> list[float]:
    """The perceptron on the lifted points, with weights instead of counts."""
    phi = np.array([[v * v, np.sqrt(2) * v, 1] for v in points])
    w, counts = np.zeros(3), np.zeros(3)
    for i in [0, 1, 2] * 9:
        if round(labels[i] * w @ phi[i], 9) <= 0:
            w, counts[i] = w + labels[i] * phi[i], counts[i] + 1
    assert (np.sign(phi @ w) == labels).all()
    return [*counts, w[0], np.sqrt(2) * w[1], w[2]]


def nearest(a: int, c: int) -> list[float]:
    """By the library's kernel, on a fine grid."""
    k, t, ends = Polynomial(1.0, c, 2), np.linspace(0, a, 200_001)[:, None], [[-a], [a]]
    far = k.diag(t) - k(t, ends).sum(axis=1) + k(ends).mean()
    return [t[far.argmin(), 0] ** 2, far.min()]


def lifted(V: np.ndarray, labels: list[int], alpha: list[int]) -> list[float]:
    phi = np.column_stack([V, np.ones(4)])
    w = (floats(alpha) * floats(labels)) @ phi[:3]
    return [w @ phi[3], w @ w]


def averaged(x: np.ndarray, z: np.ndarray, c: int) -> float:
    def phi(v: np.ndarray) -> np.ndarray:
        a, b = v
        return np.array([a * a, b * b, np.sqrt(2) * a * b, np.sqrt(2 * c) * a, np.sqrt(2 * c) * b, c])

    return float((phi(x) + phi(x[::-1])) @ (phi(z) + phi(z[::-1])) / 4)


def tried(p: Any, q: Any) -> list[float]:
    t = np.linspace(-1, 1, 200_001)
    K = np.tile(np.array([[1, p, 0], [p, 1, q], [0, q, 1]], float), (len(t), 1, 1))
    K[:, 0, 2] = K[:, 2, 0] = t
    kept = t[np.linalg.det(K) >= -1e-12]
    return [kept[0], kept[-1]]


def expanded(p: int, c: int, i: int, j: int) -> int:
    chosen = itertools.product("01c", repeat=p)  # a term from each factor
    return sum(c ** term.count("c") for term in chosen if term.count("0") == i and term.count("1") == j)


OTHER_WAYS = {
    "unit_length": normalised, "equally_alike": by_eigenvalues, "claims": summed, "on_a_line": in_features,
    "mean_of_two": nearest, "weights": lifted, "swapped": averaged, "third_angle": tried, "factor": expanded,
}  # fmt: skip
