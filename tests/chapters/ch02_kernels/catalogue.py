"""The curriculum's numbers for the exercises of chapter 2, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW = ("classify_by_gram",)

X3 = np.array([[1.0, 2.0], [3.0, -1.0], [0.0, 0.5]])
XOR, XOR_Y = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]]), np.array([-1, 1, 1, -1])
POINTS = np.array([[0.0, 0], [2, 0], [0, 2], [3, 3], [9, 9]])
ASKED = np.array([[2.0, 2], [1, 0.5], [4.4, 4.4], [3, 2]])
CANONICAL = {
    "gaussian_gram": (X3, X3[:2], 1.5),
    "feature_distance2": ((1 + X3 @ X3.T) ** 2,),
    "nearest_mean_score": (POINTS @ POINTS.T, np.array([-1, -1, -1, 1, 1]), ASKED @ POINTS.T),
    "kernel_perceptron": ((1 + XOR @ XOR.T) ** 2, XOR_Y, 5),
}
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("gaussian_gram", "right", "", [[1.0, 0.055638], [0.055638, 1.0], [0.485672, 0.082085]]),
    ("gaussian_gram", "no 2", "exponent without the 2", [[1.0, 0.003096], [0.003096, 1.0], [0.235877, 0.006738]]),
    ("gaussian_gram", "sigma used as gamma", "sigma used as gamma", [[1.0, 0.0], [0.0, 1.0], [0.007635, 0.0]]),
    ("gaussian_gram", "/sigma, not /sigma^2", "sigma not squared",
     [[1.0, 0.013124], [0.013124, 1.0], [0.338465, 0.023518]]),
    ("feature_distance2", "right", "", [[0.0, 149.0, 29.5625], [149.0, 0.0, 122.0625], [29.5625, 122.0625, 0.0]]),
    ("feature_distance2", "-K_ij once", "product once",
     [[36.0, 153.0, 33.5625], [153.0, 121.0, 122.3125], [33.5625, 122.3125, 1.5625]]),
    ("feature_distance2", "2-2K (only for unit diagonal)", "unit diagonal",
     [[-70.0, -6.0, -6.0], [-6.0, -240.0, 1.5], [-6.0, 1.5, -1.125]]),
    ("feature_distance2", "square root taken", "root taken",
     [[0.0, 12.206556, 5.437141], [12.206556, 0.0, 11.04819], [5.437141, 11.04819, 0.0]]),
    ("nearest_mean_score", "right", "", [-28.444444, -55.111111, 22.755556, -17.777778]),
    ("nearest_mean_score", "self terms forgotten (b=0)", "self terms forgotten",
     [42.666667, 16.0, 93.866667, 53.333333]),
    ("nearest_mean_score", "2 forgotten", "two forgotten", [-49.777778, -63.111111, -24.177778, -44.444444]),
    ("nearest_mean_score", "classes swapped", "classes exchanged", [28.444444, 55.111111, -22.755556, 17.777778]),
    ("nearest_mean_score", "sums, not means", "sums for means", [-200.0, -250.0, -104.0, -180.0]),
    ("kernel_perceptron", "right", "", [1.0, 1.0, 1.0, 1.0]),
    ("kernel_perceptron", "mistake if y f < 0 (never starts from alpha=0)", "undecided is right", [0.0, 0.0, 0.0, 0.0]),
    ("kernel_perceptron", "alpha += y (sign counted twice)", "label added to the count", [-5.0, 0.0, 0.0, -5.0]),
    ("kernel_perceptron", "f = K alpha without y", "no label in f", [5.0, 0.0, 0.0, 5.0]),
]  # fmt: skip
