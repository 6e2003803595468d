"""The curriculum's numbers for the exercises of chapter 5, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ()

X = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]])
Y = np.array([1.0, 1.0, -1.0])
CANONICAL = {
    "signed_distance": (X, np.array([1.0, 2.0]), -5.0),
    "canonical": (np.array([1.0, 2.0]), -5.0, X, Y),
    "recover_w_b": (np.array([0.25, 0.0, 0.25]), X, Y),
    "dual_value": (np.array([0.2, 0.1, 0.3]), X @ X.T, Y),
    "margin_width": (np.array([1.0, 2.0]),),
    "perceptron": (X, Y, 10),
    "margin_report": (X @ X.T, Y, np.array([0.25, 0.0, 0.25])),
}
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("signed_distance", "right", "", [1.788854, 2.236068, -0.894427]),
    ("signed_distance", "functional margin (no norm)", "no norm", [4, 5, -2]),
    ("signed_distance", "absolute value", "absolute value", [1.788854, 2.236068, 0.894427]),
    ("signed_distance", "divided by ||w||^2", "norm squared", [0.8, 1.0, -0.4]),
    ("signed_distance", "b not scaled", "b not divided", [-0.975078, -0.527864, -3.658359]),
    ("signed_distance", "norm includes b", "b in the norm", [0.730297, 0.912871, -0.365148]),
    ("canonical", "right", "", [0.5, 1.0, -2.5]),
    ("canonical", "unit norm instead", "unit norm", [0.447214, 0.894427, -2.236068]),
    ("canonical", "scales w only", "w alone scaled", [0.5, 1.0, -5.0]),
    ("canonical", "scales by mean margin", "mean for the minimum", [0.272727, 0.545455, -1.363636]),
    ("canonical", "min |f| over positives only", "positive class alone", [0.25, 0.5, -1.25]),
    ("recover_w_b", "right", "", [0.5, 0.5, -2.0]),
    ("recover_w_b", "w'x+b=1 for every SV (source 003:175)", "wᵀx + b = 1 for each support vector", [0.5, 0.5, -1.0]),
    ("recover_w_b", "b averaged over all points", "b from all points", [0.5, 0.5, -2.166667]),
    ("recover_w_b", "w = sum alpha x without y", "labels forgotten in w", [1.0, 1.0, -4.0]),
    ("recover_w_b", "b sign flipped", "b with the other sign", [0.5, 0.5, 2.0]),
    ("dual_value", "right", "", 0.175),
    ("dual_value", "no 1/2", "no half", -0.25),
    ("dual_value", "no y", "labels forgotten", -0.965),
    ("dual_value", "sign (minimisation form)", "sign reversed", -0.175),
    ("dual_value", "no linear term", "no linear term", -0.425),
    ("margin_width", "right", "", 0.894427),
    ("margin_width", "1/||w|| (half margin)", "half width", 0.447214),
    ("margin_width", "2/||w||^2", "norm squared", 0.4),
    ("margin_width", "||w||/2", "upside down", 1.118034),
    ("margin_width", "2/||w||_1", "sum of absolute values for the norm", 0.666667),
    ("perceptron", "right", "", [1, 1, -3, 7]),
    ("perceptron", "y f < 0 (never starts)", "never starts", [0, 0, 0, 0]),
    ("perceptron", "bias never updated", "bias never changed", [2, 2, 0, 14]),
    # the listed line is the answer for labels turned round; this is the mistake: it goes on for ten passes, and away
    ("perceptron", "updates on correct points", "updates where it is right", [70, 60, 20, 20]),
    ("margin_report", "right", "", [-2, 2.828427, 0, 1, 0]),
]  # fmt: skip
