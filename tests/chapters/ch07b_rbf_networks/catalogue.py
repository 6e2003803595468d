"""The curriculum's numbers for the exercises of chapter 7, second part, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ()

X = np.array([[0.0, 0.0], [4.0, 4.0], [1.0, 0.0], [5.0, 4.0]])
PHI = np.array([[1.0, 0.5], [0.2, 1.0], [0.7, 0.7]])
CANONICAL = {
    "cover_count": (4, 3),
    "spread": (np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 4.0], [1.0, 1.0]]),),
    "online_kmeans": (X, np.array([[0.5, 0.5], [3.0, 3.0]]), np.array([0, 1, 2, 3, 0]), 0.2),
    "lms": (PHI, np.array([1.0, 0.0, 0.5]), 0.3, np.array([0, 1, 2, 0, 1])),
    "rbf_grads": (
        X / 4, np.array([1.0, -1.0, 0.5, 0.0]), np.array([0.7, -0.4]), np.array([[0.0, 0.2], [1.0, 0.9]]), 0.8,
    ),
}  # fmt: skip


def table(dw, dT):
    """Gradients as the curriculum prints them, one row for each unit."""
    return np.column_stack([dw, np.reshape(dT, (2, 2))])


# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("cover_count", "right", "", 14),
    ("cover_count", "sum to d", "one term too many", 16),
    ("cover_count", "no factor 2", "no factor 2", 7),
    ("cover_count", "comb(N,k)", "n instead of n - 1", 22),
    ("cover_count", "2^N", "all labellings", 16),
    ("spread", "right", "", 1.767767),
    ("spread", "d_max/(2m)", "no root", 0.625),
    ("spread", "sqrt(2)m", "root of 2 alone", 0.883883),
    ("spread", "mean distance", "mean of the whole table", 0.831406),
    ("spread", "d_max^2", "squared distance", 8.838835),
    ("spread", "gamma=m/d_max^2 returned", "precision returned", 0.16),
    ("online_kmeans", "right", "", [[0.416, 0.256], [3.56, 3.36]]),
    ("online_kmeans", "all centres move", "all centres move", [[1.50144, 1.21344], [2.32064, 2.03264]]),
    ("online_kmeans", "moves away (sign)", "moves away", [[0.624, 0.864], [2.36, 2.56]]),
    ("online_kmeans", "eta replaced by 1/n_j", "1/N instead of η", [[1 / 3, 0.0], [4.5, 4.0]]),
    ("online_kmeans", "one batch k-means step", "one step of k-means in batch", [[0.5, 0.0], [4.5, 4.0]]),
    ("lms", "right", "", [0.495857, 0.127324]),
    ("lms", "w - eta x e (sign)", "error with the other sign", [-1.053591, -0.904035]),
    ("lms", "factor 2", "factor 2", [0.766083, -0.019149]),
    ("lms", "least squares (batch)", "least squares at once", [1.073349, -0.245566]),
    ("lms", "bias instead of phi (raw 1)", "1 instead of φ", [0.15168, 0.15168]),
    ("lms", "error not updated (w(0) used)", "error of w = 0", [0.705, 0.405]),
    ("rbf_grads", "right", "", table([-0.22115, 0.45382], [0.182724, 0.241134, -0.024851, -0.090033])),
    (
        "rbf_grads", "+ sign in dE/dw (source 002:515)", "plus in ∂E/∂w",
        table([0.22115, -0.45382], [0.182724, 0.241134, -0.024851, -0.090033]),
    ),
    (
        "rbf_grads", "factor 2 in dE/dT (Haykin norm)", "factor 2 in ∂E/∂t",
        table([-0.22115, 0.45382], [0.365449, 0.482269, -0.049702, -0.180066]),
    ),
    (
        "rbf_grads", "sign of dE/dT", "plus in ∂E/∂t",
        table([-0.22115, 0.45382], [-0.182724, -0.241134, 0.024851, 0.090033]),
    ),
    (
        "rbf_grads", "no w_i in dE/dT", "no weight in ∂E/∂t",
        table([-0.22115, 0.45382], [0.261035, 0.344478, 0.062127, 0.225082]),
    ),
    (
        "rbf_grads", "1/sigma^2 forgotten", "no 1/σ²",
        table([-0.22115, 0.45382], [0.116944, 0.154326, -0.015905, -0.057621]),
    ),
]  # fmt: skip
