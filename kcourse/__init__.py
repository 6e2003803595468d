"""kcourse: kernel methods, written to be read.

The solvers import only NumPy and SciPy. The names below load their module on first use, so that ``import kcourse``
stays quick. Import ``kcourse.lab`` (figures and tables of the notebooks), ``kcourse.checks`` (marking of the
exercises) and ``kcourse.datasets`` by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

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
    "HistogramIntersection": "kernels",
    "InverseMultiquadric": "kernels",
    "KNNClassifier": "neighbors",
    "KNNRegressor": "neighbors",
    "Kernel": "kernels",
    "KernelFisherDiscriminant": "kpca",
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
    "NearestCentroid": "neighbors",
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

if TYPE_CHECKING:  # for type checkers and editors; "as" marks a name as exported
    from kcourse.gp import GaussianProcess as GaussianProcess
    from kcourse.graphs import Graph as Graph
    from kcourse.graphs import RandomWalk as RandomWalk
    from kcourse.graphs import ShortestPath as ShortestPath
    from kcourse.graphs import WeisfeilerLehman as WeisfeilerLehman
    from kcourse.kernels import Brownian as Brownian
    from kcourse.kernels import Constant as Constant
    from kcourse.kernels import Gaussian as Gaussian
    from kcourse.kernels import HistogramIntersection as HistogramIntersection
    from kcourse.kernels import InverseMultiquadric as InverseMultiquadric
    from kcourse.kernels import Kernel as Kernel
    from kcourse.kernels import Laplacian as Laplacian
    from kcourse.kernels import Linear as Linear
    from kcourse.kernels import Matern as Matern
    from kcourse.kernels import Multiquadric as Multiquadric
    from kcourse.kernels import Normalized as Normalized
    from kcourse.kernels import Periodic as Periodic
    from kcourse.kernels import Polynomial as Polynomial
    from kcourse.kernels import Precomputed as Precomputed
    from kcourse.kernels import RationalQuadratic as RationalQuadratic
    from kcourse.kernels import Sigmoid as Sigmoid
    from kcourse.kernels import ThinPlate as ThinPlate
    from kcourse.kernels import feature_distance as feature_distance
    from kcourse.kernels import is_psd as is_psd
    from kcourse.kpca import KernelFisherDiscriminant as KernelFisherDiscriminant
    from kcourse.kpca import KernelPCA as KernelPCA
    from kcourse.margin import KernelPerceptron as KernelPerceptron
    from kcourse.margin import MaxMargin as MaxMargin
    from kcourse.margin import Perceptron as Perceptron
    from kcourse.neighbors import KNNClassifier as KNNClassifier
    from kcourse.neighbors import KNNRegressor as KNNRegressor
    from kcourse.neighbors import NadarayaWatson as NadarayaWatson
    from kcourse.neighbors import NearestCentroid as NearestCentroid
    from kcourse.neighbors import ParzenClassifier as ParzenClassifier
    from kcourse.neighbors import ParzenDensity as ParzenDensity
    from kcourse.rbf import BayesRBFClassifier as BayesRBFClassifier
    from kcourse.rbf import GeneralizedRBF as GeneralizedRBF
    from kcourse.rbf import RBFInterpolator as RBFInterpolator
    from kcourse.rbf import RBFNetwork as RBFNetwork
    from kcourse.rbf import RBFNetworkClassifier as RBFNetworkClassifier
    from kcourse.rbf import RegularizationNetwork as RegularizationNetwork
    from kcourse.ridge import KernelRidge as KernelRidge
    from kcourse.ridge import LooPath as LooPath
    from kcourse.ridge import loo_path as loo_path
    from kcourse.rkhs import RKHSFunction as RKHSFunction
    from kcourse.scaling import Nystrom as Nystrom
    from kcourse.scaling import NystromRidge as NystromRidge
    from kcourse.scaling import RandomFourierFeatures as RandomFourierFeatures
    from kcourse.strings import Gapped as Gapped
    from kcourse.strings import Mismatch as Mismatch
    from kcourse.strings import Spectrum as Spectrum
    from kcourse.svm import SVC as SVC
    from kcourse.svm import SVR as SVR
    from kcourse.svm import BudgetPerceptron as BudgetPerceptron
    from kcourse.svm import Pegasos as Pegasos


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'kcourse' has no attribute {name!r}")
    value = getattr(import_module(f"kcourse.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
