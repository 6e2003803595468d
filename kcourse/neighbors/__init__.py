"""Nearest neighbours and kernel smoothers [000, "Modèles à noyau" and "Fenêtre de Parzen"].

    f(x) = Σ_i y_i k(x, x_i) / Σ_j k(x, x_j) = Σ_i y_i k̃(x, x_i),   Σ_i k̃(x, x_i) = 1

With k(x, x_i) = 1 if x_i is among the k training points nearest to x, else 0, this is k-nearest-neighbour
regression; with a Gaussian it is Nadaraya–Watson regression. Both are linear smoothers, ŷ = S y with rows of S that
sum to 1. Three differences from the source:

- The neighbourhood is that of the *first* argument, x. So the indicator is not symmetric and not a Mercer kernel: its
  matrix may have negative or non-real eigenvalues. A smoother does not require a Mercer kernel.
- A Parzen window estimates a *density*; regression with the same windows is called Nadaraya–Watson regression.
- The source's Gaussian is exp(-‖u-v‖²/σ²); its σ is √2 times that of exp(-‖u-v‖²/(2σ²)), which is used here.
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
