"""Radial basis functions: interpolation (chapter 7a) and networks (chapter 7b) [002, sections 1 to 3].

`separability` counts and tests labellings; `interpolation` passes through every point, `regularization` near them.
`clustering` and `training` place and train units, `networks` combines both layers, and `bayes` interprets them as
probabilities.
"""

from kcourse.rbf.bayes import BayesRBFClassifier, bayes_weights, normalized_basis
from kcourse.rbf.clustering import KMeansResult, kmeans, online_kmeans
from kcourse.rbf.interpolation import RBFInterpolator
from kcourse.rbf.networks import RBFNetwork, RBFNetworkClassifier
from kcourse.rbf.regularization import GeneralizedRBF, RegularizationNetwork
from kcourse.rbf.separability import cover_count, cover_probability, monomials, separating_weights
from kcourse.rbf.training import LmsResult, RBFGradients, lms, lms_limit, spread, supervised_gradients

__all__ = [
    "BayesRBFClassifier",
    "GeneralizedRBF",
    "KMeansResult",
    "LmsResult",
    "RBFGradients",
    "RBFInterpolator",
    "RBFNetwork",
    "RBFNetworkClassifier",
    "RegularizationNetwork",
    "bayes_weights",
    "cover_count",
    "cover_probability",
    "kmeans",
    "lms",
    "lms_limit",
    "monomials",
    "normalized_basis",
    "online_kmeans",
    "separating_weights",
    "spread",
    "supervised_gradients",
]
