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
    "generalised_rbf": (X, np.array([1.0, 0, 2, -1]), X[:2], 2.0, 0.3),
    "stream_ridge": (X, np.array([1.0, 0, 2, -1]), X[:2], 2.0, 0.3, 3, X),
}  # fmt: skip
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("generalised_rbf", "right", "", [1.00932, 0.313549, 0.204127, -0.073808]),
    ("generalised_rbf", "lam I, not lam G0", "λI for λG₀", [0.937104, 0.416599, 0.247134, 0.013616]),
    ("generalised_rbf", "no regulariser (G^+ d)", "no price", [1.332972, 0.285732, 0.21065, -0.181502]),
    ("generalised_rbf", "full KRR (all centres)", "all points as centres", [0.806636, 0.175007, 1.468579, -0.729708]),
    ("generalised_rbf", "on the centres' d only", "on the centres alone", [0.722122, 0.114413, 0.095579, -0.124759]),
    ("stream_ridge", "right", "", [1.00932, 0.313549, 0.204127, -0.073808]),
]
