"""Wrong answers to chapter 7a for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np
import scipy.linalg
from scipy.spatial.distance import cdist

from tests.chapters.ch07a_rbf_interpolation.typed import cover_count, generalized_weights, rbf_interpolate, thin_plate
from tests.chapters.student_answers import changed

RAISING = {
    "Cholesky": (
        "rbf_interpolate",
        [
            lambda X, y, c: scipy.linalg.cho_solve(scipy.linalg.cho_factor(np.hypot(cdist(X, X), c)), y),
            changed(rbf_interpolate, "Phi, y", "np.linalg.cholesky(Phi) @ np.linalg.cholesky(Phi).T, y"),
        ],
    ),
    "singular, says SciPy": (
        "rbf_interpolate",
        [lambda X, y, c: scipy.linalg.solve(np.full(2 * y.shape, c), y, assume_a="gen")],
    ),
    "norm without axis": (
        "rbf_interpolate",
        [
            changed(rbf_interpolate, "cdist(X, X)", "np.linalg.norm(X[:, None] - X)"),
            changed(rbf_interpolate, "cdist(X, X)", "np.array([[np.linalg.norm(X - a) for _ in X] for a in X])"),
        ],
    ),
}


def solved_plainly(X, y, T, sigma, lam):
    """Not the shortest where there are several."""
    w = generalized_weights(X, y, T, sigma, lam)
    twin = np.linalg.norm(T[:, None] - T, axis=2) + np.eye(len(T)) == 0
    if twin.any():
        i, j = np.argwhere(twin)[0]
        w[i], w[j] = w[i] + w[j], 0.0
    return w


ONLY = {
    ("thin_plate", 1): changed(  # 0 where a point meets itself in the system, and a logarithm of 0 where a query does
        thin_plate,
        *("np.where(r > 0, r, 1)", "r + (A is X) * np.eye(len(A), len(X))"),
    ),
    ("rbf_interpolate", 1): changed(rbf_interpolate, "np.linalg.solve(Phi, y)", "np.squeeze(np.linalg.solve(Phi, y))"),
    ("rbf_interpolate", 2): changed(  # squares multiplied out
        rbf_interpolate,
        "r = cdist(X, X)",
        "q = np.sum(X**2, 1)\n    r = np.maximum(q[:, None] - 2 * X @ X.T + q, 0) ** 0.5",
    ),
    ("cover_count", 1): lambda n, d: cover_count(n, d) - (2 if n <= d else 0),
    ("generalized_weights", 1): changed(  # divided by λ
        generalized_weights, "    width, ", "    if lam == 0:\n        return np.zeros(len(T))\n    width, "
    ),
    ("generalized_weights", 2): solved_plainly,
}
