"""The curriculum's numbers for the exercises of chapter 6, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW: tuple[str, ...] = ()

X = np.array([[0.0], [1.0], [2.0], [3.0]])
Y = np.array([-1.0, -1.0, 1.0, 1.0])
SIX = np.array([-1.5, 0.0, 1.0, 2.0, 3.5, 1.2])
CANONICAL = {
    "svm_primal": (np.array([0.8]), -1.5, X, Y, 0.5),
    # its multipliers, which the curriculum takes from another solver
    "bias_from_alpha": (
        np.array([0, 0.42, 0.8, 0.42, 0, 0.8]), np.outer(SIX, SIX), np.repeat([-1.0, 1.0], 3), 0.8,
    ),
    "margin_violators": (np.array([1.7, 1, 0.4, -0.3, -1.6, 2]), np.array([1.0, 1, 1, 1, 1, -1])),
    "smo_pair": (X @ X.T, Y, np.zeros(4), 0.0, 0.5, 1, 2),
    "svm_train": (X @ X.T, Y, 0.5, 1e-9),
}  # fmt: skip
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("svm_primal", "right", "", 0.97),
    ("svm_primal", "(y f-1)_+ (source 000:90)", "printed loss", 0.57),
    ("svm_primal", "||w||^2 without 1/2 (source 000:98)", "no half", 1.29),
    ("svm_primal", "mean, not sum", "mean of the slacks", 0.4825),
    ("svm_primal", "b regularised (LinearSVC-like)", "bias penalised", 2.095),
    ("svm_primal", "0/1 loss", "count of mistakes", 0.32),
    ("svm_primal", "squared hinge", "squared hinge", 0.775),
    ("bias_from_alpha", "right", "", -1.0),
    ("bias_from_alpha", "all SVs averaged", "all support vectors", -1.05),
    ("bias_from_alpha", "bounded SVs only", "bound ones alone", -1.1),
    ("bias_from_alpha", "+ instead of -", "sign reversed", 1.0),
    ("bias_from_alpha", "y'f=1 without y", "1 for the label", 0.0),
    ("margin_violators", "right", "", [0, 1, 1, 1, 1, 1]),
    ("margin_violators", "|f|<=1 (scikit-learn's example, PR 17405)", "|f| ≤ 1", [0, 1, 1, 1, 0, 0]),
    ("margin_violators", "y f == 1 only", "on the margin line alone", [0, 1, 0, 0, 0, 0]),
    ("margin_violators", "misclassified only", "misclassified points alone", [0, 0, 0, 1, 1, 1]),
    ("margin_violators", "y f < 1 (drops the margin)", "margin line left out", [0, 0, 1, 1, 1, 1]),
    ("smo_pair", "right", "", [0, 0.5, 0.5, 0]),
    ("smo_pair", "not clipped to [L,H]", "not clipped", [0, 2, 2, 0]),
    ("smo_pair", "wrong sign of E_i-E_j", "wrong sign of the step", [0, 0, 0, 0]),
    ("smo_pair", "alpha_i not updated (breaks sum alpha y=0)", "α_i unchanged", [0, 0, 0.5, 0]),
    ("svm_train", "right", "", [1 / 18, 0.5, 0.5, 1 / 18, -1.0]),  # an anchor of the chapter
]  # fmt: skip
