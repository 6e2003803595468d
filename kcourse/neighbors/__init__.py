"""Neighbours and windows [000, "Modèles à noyau" and "Fenêtre de Parzen"]: what is near a point speaks for it.

    f(x) = Σ_i y_i k(x, x_i) / Σ_j k(x, x_j) = Σ_i y_i k̃(x, x_i),   Σ_i k̃(x, x_i) = 1

With k(x, x_i) = 1 if x_i is among the k training points nearest to x, else 0, this is k-nearest-neighbour
regression; with a Gaussian it is Nadaraya and Watson's. Both are linear smoothers, ŷ = S y with rows of S that sum to
1. Three things that the source says otherwise:

- The neighbourhood is that of the *first* argument, x. So the indicator is not symmetric, and no Mercer kernel: its
  matrix has eigenvalues that are negative or not real. A smoother does not need one.
- A Parzen window estimates a *density*; the regression with the same windows is Nadaraya and Watson's.
- Its Gaussian exp(-‖u-v‖²/σ²) has a σ that is √2 times the one of exp(-‖u-v‖²/(2σ²)), which is used here throughout.
"""

from kcourse.neighbors.density import ParzenClassifier, ParzenDensity
from kcourse.neighbors.means import NearestCentroid
from kcourse.neighbors.nearest import KNNClassifier, KNNRegressor, knn_loo_path
from kcourse.neighbors.path import SmoothingPath
from kcourse.neighbors.smoothers import NadarayaWatson, nw_loo_path

__all__ = [
    "KNNClassifier",
    "KNNRegressor",
    "NadarayaWatson",
    "NearestCentroid",
    "ParzenClassifier",
    "ParzenDensity",
    "SmoothingPath",
    "knn_loo_path",
    "nw_loo_path",
]
