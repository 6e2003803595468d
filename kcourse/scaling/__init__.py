"""Kernel methods for many points [000, "SVMs"; 002, "Réseaux RBF généralisés"; 003, "Métodos de kernel"].

Exact methods need O(n²) memory and O(n³) time [000, 002]. With m < n features that approximate the kernel,
k(x, z) ≈ φ(x)ᵀφ(z), ridge regression takes O(nm²) time and O(m²) memory, and a prediction O(m) time.

=======================  =====================================================  =================================
name                     φ                                                      what it depends on
=======================  =====================================================  =================================
`Nystrom`                K_xm K_mm^(-1/2), K_mm the Gram matrix of m landmarks  the data, through the landmarks
`RandomFourierFeatures`  cos ωᵀx and sin ωᵀx, ω drawn from k's spectrum         only the number of coordinates
`NystromRidge`           ridge regression on `Nystrom`, never forming n × m     data in blocks, also out of core
=======================  =====================================================  =================================
"""

from kcourse.scaling.blocks import TextBar
from kcourse.scaling.features import Nystrom, RandomFourierFeatures, leverage_scores, pivoted_landmarks
from kcourse.scaling.ridge import NystromRidge

__all__ = ["Nystrom", "NystromRidge", "RandomFourierFeatures", "TextBar", "leverage_scores", "pivoted_landmarks"]
