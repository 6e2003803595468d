"""kcourse: kernel methods, written to be read.

The solvers import NumPy and SciPy and nothing else. The names below load their module on first use, so that
``import kcourse`` stays quick; ``kcourse.lab`` (what notebooks show), ``kcourse.checks`` (what marks the
exercises) and ``kcourse.datasets`` are imported by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# public name -> the module that defines it: every kernel and every estimator; functions stay in their modules
_HOME = {
    "BayesRBFClassifier": "rbf",
    "Brownian": "kernels",
    "BudgetPerceptron": "svm",
    "Constant": "kernels",
    "Gapped": "strings",
    "Gaussian": "kernels",
    "GaussianProcess": "gp",
    "GeneralizedRBF": "rbf",
    "Graph": "graphs",
    "Histogram": "kernels",
    "InverseMultiquadric": "kernels",
    "KNNClassifier": "neighbors",
    "KNNRegressor": "neighbors",
    "Kernel": "kernels",
    "KernelFisher": "kpca",
    "KernelPCA": "kpca",
    "KernelPerceptron": "margin",
    "KernelRidge": "ridge",
    "Laplacian": "kernels",
    "Linear": "kernels",
    "LooPath": "ridge",
    "Matern": "kernels",
    "MaxMargin": "margin",
    "Mismatch": "strings",
    "Multiquadric": "kernels",
    "NadarayaWatson": "neighbors",
    "NearestMean": "neighbors",
    "Normalized": "kernels",
    "Nystrom": "scaling",
    "NystromRidge": "scaling",
    "ParzenClassifier": "neighbors",
    "ParzenDensity": "neighbors",
    "Pegasos": "svm",
    "Perceptron": "margin",
    "Periodic": "kernels",
    "Polynomial": "kernels",
    "Precomputed": "kernels",
    "RBFInterpolator": "rbf",
    "RBFNetwork": "rbf",
    "RBFNetworkClassifier": "rbf",
    "RKHSFunction": "rkhs",
    "RandomFourierFeatures": "scaling",
    "RandomWalk": "graphs",
    "RationalQuadratic": "kernels",
    "RegularizationNetwork": "rbf",
    "SVC": "svm",
    "SVR": "svm",
    "ShortestPath": "graphs",
    "Sigmoid": "kernels",
    "Spectrum": "strings",
    "ThinPlate": "kernels",
    "WeisfeilerLehman": "graphs",
    "feature_distance": "kernels",
    "is_psd": "kernels",
    "loo_path": "ridge",
}

__all__ = ["__version__", *_HOME]

if TYPE_CHECKING:  # what type checkers and editors see
    from kcourse.gp import GaussianProcess
    from kcourse.graphs import Graph, RandomWalk, ShortestPath, WeisfeilerLehman
    from kcourse.kernels import (
        Brownian,
        Constant,
        Gaussian,
        Histogram,
        InverseMultiquadric,
        Kernel,
        Laplacian,
        Linear,
        Matern,
        Multiquadric,
        Normalized,
        Periodic,
        Polynomial,
        Precomputed,
        RationalQuadratic,
        Sigmoid,
        ThinPlate,
        feature_distance,
        is_psd,
    )
    from kcourse.kpca import KernelFisher, KernelPCA
    from kcourse.margin import KernelPerceptron, MaxMargin, Perceptron
    from kcourse.neighbors import (
        KNNClassifier,
        KNNRegressor,
        NadarayaWatson,
        NearestMean,
        ParzenClassifier,
        ParzenDensity,
    )
    from kcourse.rbf import (
        BayesRBFClassifier,
        GeneralizedRBF,
        RBFInterpolator,
        RBFNetwork,
        RBFNetworkClassifier,
        RegularizationNetwork,
    )
    from kcourse.ridge import KernelRidge, LooPath, loo_path
    from kcourse.rkhs import RKHSFunction
    from kcourse.scaling import Nystrom, NystromRidge, RandomFourierFeatures
    from kcourse.strings import Gapped, Mismatch, Spectrum
    from kcourse.svm import SVC, SVR, BudgetPerceptron, Pegasos


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kcourse' has no attribute {name!r}")
    value = getattr(import_module(f"kcourse.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
