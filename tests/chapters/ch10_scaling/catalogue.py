"""The curriculum's numbers for the exercises of chapter 10, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds. The features of 10.1 and 10.2 are compared by their
inner products, in tests/chapters/ch10_scaling/test_anchors.py.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ("stream_ridge",)

X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 0.7], [2.2, 4.0]])
CANONICAL = {
    "rff": (
        np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]]), np.random.default_rng(0).normal(size=(2, 4000)),
        np.random.default_rng(1).uniform(0, 2 * np.pi, 4000), 1.3,
    ),
    "nystrom_features": (X, X[:2], 2.0),
    "pivoted_residuals": (X, 1, 3, 2.0),
    "stream_ridge": (X, np.array([1.0, 0, 2, -1]), X[:2], 2.0, 0.3, 3, X),
}  # fmt: skip
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("stream_ridge", "right", "", [1.00932, 0.313549, 0.204127, -0.073808]),
]
