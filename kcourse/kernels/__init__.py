"""Kernels and their algebra.

A kernel is an immutable object: ``k = Gaussian(sigma=0.5)``. ``k(X, Z)`` is the (n, m) matrix of k(x_i, z_j),
``k(X)`` the Gram matrix ``k(X, X)``, symmetric to the last bit, and ``k.diag(X)`` its diagonal in O(n).
Sums, products and positive multiples of kernels are kernels: ``k1 + k2``, ``k1 * k2``, ``3 * k``.

=====================  ==============================================  ==============================  ==============
name                   k(x, z)                                         in scikit-learn                 semi-definite
=====================  ==============================================  ==============================  ==============
Linear                 xᵀz                                             ``linear``                      yes
Polynomial             (γ xᵀz + c₀)^d                                  ``poly``, the same names        yes
Sigmoid                tanh(γ xᵀz + c₀)                                ``sigmoid``, the same           **no**
Gaussian               exp(-‖x-z‖² / (2σ²))                            ``gamma = 1/(2σ²)``             yes
Laplacian              exp(-‖x-z‖ / σ), Euclidean norm                 none: ``laplacian`` is L1       yes
Matern                 see the class                                   ``length_scale = σ``            yes
RationalQuadratic      (1 + ‖x-z‖² / (2ασ²))^(-α)                      ``length_scale = σ``            yes
Periodic               exp(-2 Σ sin²(π(x_j-z_j)/p) / σ²)               ``ExpSineSquared``, d = 1       yes
HistogramIntersection  Σ_j min(x_j, z_j), x, z ≥ 0                     none                            yes
Brownian               min(s, t) on [0, ∞)                             none                            yes
InverseMultiquadric    1/√(‖x-z‖² + c²)                                none                            yes
Multiquadric           √(‖x-z‖² + c²)                                  none                            **no**
ThinPlate              s² log s, s = ‖x-z‖/c                           none                            **no**
Constant               c                                               ``ConstantKernel(c)``           yes
Precomputed            K_ij, a given matrix                            ``precomputed``                 as K is
Normalized             k(x,z) / √(k(x,x) k(z,z))                       ``cosine_similarity``           as k is
=====================  ==============================================  ==============================  ==============
"""

from kcourse.kernels.algebra import (
    Constant,
    Kernel,
    Normalized,
    Product,  # noqa: F401
    Sum,  # noqa: F401
    expansion,  # noqa: F401
    feature_distance,
    gram,  # noqa: F401
    gram_diag,  # noqa: F401
    is_psd,
)
from kcourse.kernels.others import (
    Brownian,
    HistogramIntersection,
    InverseMultiquadric,
    Multiquadric,
    Precomputed,
    ThinPlate,
)
from kcourse.kernels.products import Linear, Polynomial, Sigmoid
from kcourse.kernels.stationary import Gaussian, Laplacian, Matern, Periodic, RationalQuadratic

__all__ = [
    "Brownian",
    "Constant",
    "Gaussian",
    "HistogramIntersection",
    "InverseMultiquadric",
    "Kernel",
    "Laplacian",
    "Linear",
    "Matern",
    "Multiquadric",
    "Normalized",
    "Periodic",
    "Polynomial",
    "Precomputed",
    "RationalQuadratic",
    "Sigmoid",
    "ThinPlate",
    "feature_distance",
    "is_psd",
]  # Sum and Product are not listed, because users write + and *; ``gram`` and ``expansion`` are for the solvers
