"""The curriculum's numbers for the exercises of chapter 1, on its canonical inputs.

SLOW: exercises whose answers take long, and are drawn fewer seeds.
"""

from __future__ import annotations

import numpy as np

SLOW = ("compare_smoothers",)

X = np.array([[0.0], [1.0], [2.0], [4.0]])
Y = np.array([0.0, 1.0, 4.0, 16.0])
XQ = np.array([[0.9], [3.2]])
CANONICAL = {
    "knn_regress": (X, Y, XQ, 2),
    "nadaraya_watson": (X, Y, XQ, 0.7),
    "parzen_density": (np.array([[0.0, 0], [1, 0], [0, 2]]), np.array([[0.5, 0.5], [1, 1]]), 0.8),
    "loo_bandwidth": (X, Y, np.array([0.3, 0.7, 1.5])),
    "knn_smoother": (X, XQ, 2),
}
# exercise, line of the catalogue, our name for it ("" for the right answer), and its number
CATALOGUE = [
    ("knn_regress", "right", "", [0.5, 10.0]),
    ("knn_regress", "farthest neighbours (sort descending)", "farthest points", [10.0, 0.5]),
    ("knn_regress", "k+1 neighbours (counts itself)", "one neighbour too many", [1.666667, 7.0]),
    ("knn_regress", "k-1 neighbours (slice off by one)", "one neighbour too few", [1.0, 16.0]),
    ("knn_regress", "sum, not mean", "sum for mean", [1.0, 20.0]),
    ("nadaraya_watson", "right", "", [1.253745, 12.213968]),
    ("nadaraya_watson", "sigma^2 without the 2 (source 000:15)", "exponent without the 2", [1.049723, 14.036327]),
    ("nadaraya_watson", "not normalised", "not normalised", [2.154425, 9.25463]),
    ("nadaraya_watson", "normalised over queries (axis 0)", "normalised over the queries", [3.228132, 17.771868]),
    ("nadaraya_watson", "|d|, not d^2", "neither distance nor sigma squared", [2.226616, 8.425405]),
    ("nadaraya_watson", "gamma=sigma passed as exp(-sigma d^2)", "sigma used as gamma", [1.370246, 11.282786]),
    ("parzen_density", "right", "", [0.123933, 0.072702]),
    ("parzen_density", "no 1/n", "no 1/n", [0.3718, 0.218106]),
    ("parzen_density", "no Gaussian constant", "no Gaussian constant", [0.498366, 0.292352]),
    ("parzen_density", "1-D constant in d=2", "constant of one dimension", [0.248524, 0.145789]),
    ("parzen_density", "divides by sigma, not sigma^d", "sigma to the first power", [0.099147, 0.058162]),
    ("loo_bandwidth", "right", "", [0.7, 38.749999, 38.122285, 44.169595]),
    ("loo_bandwidth", "keeps the point itself (always picks the smallest sigma)", "keeps the point itself",
     [0.3, 0.000052, 0.193432, 6.437443]),
    ("loo_bandwidth", "MAE, not MSE", "absolute errors", [0.7, 4.25, 4.138722, 4.470441]),
    ("loo_bandwidth", "argmax, not argmin", "largest error", [1.5, 38.749999, 38.122285, 44.169595]),
    ("knn_smoother", "right", "", [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]]),
    ("knn_smoother", "indicator without 1/k", "indicator without 1/k", [[1.0, 1, 0, 0], [0, 0, 1, 1]]),
    ("knn_smoother", "n nearest queries of each datum", "nearest queries of each point", np.full((2, 4), 0.5)),
]  # fmt: skip
