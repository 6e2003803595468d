"""The curriculum's numbers for the exercises of chapter 6, second part, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ()

CANONICAL = {
    "pegasos": (
        np.array([[0.9, 0.1], [-0.7, -0.9], [-0.5, 0.2], [-1.0, -0.2]]), np.array([1.0, -1, 1, -1]), 0.2,
        np.array([3, 0, 2, 2, 3, 2, 1]),
    ),
    "eps_insensitive": (np.array([-2, -0.5, -0.1, 0, 0.3, 1]), 0.3),
}  # fmt: skip
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("eps_insensitive", "right", "", [1.7, 0.2, 0, 0, 0, 0.7]),
    ("eps_insensitive", "no clipping (negative inside the tube)", "not clipped", [1.7, 0.2, -0.2, -0.3, 0, 0.7]),
    ("eps_insensitive", "squared", "squared", [2.89, 0.04, 0, 0, 0, 0.49]),
    ("eps_insensitive", "one-sided (r-eps)_+", "one side", [0, 0, 0, 0, 0, 0.7]),
    ("eps_insensitive", "|r| outside, 0 inside (jump)", "jump at ε", [2.0, 0.5, 0, 0, 0, 1.0]),
    ("pegasos", "right", "", [0.357143, 0.714286]),
    ("pegasos", "eta=1/t", "step 1/t", [0.930515, 0.355954]),
    ("pegasos", "no shrink (no regulariser)", "no shrink", [3.125, 1.75]),
    ("pegasos", "margin tested after the shrink", "margin tested after the shrink", [0.857143, 1.357143]),
    ("pegasos", "updates when margin >= 1 (source sign)", "updates where y f ≥ 1", [0.0, 0.0]),
    ("pegasos", "t starts at 2", "t from 2", [0.75, 1.1875]),
]  # fmt: skip
