"""Kernel PCA and kernel LDA [001, "ACP à noyau", "ALD à noyau"; chapter 8].

Both find directions f = Σ_i α_i φ(x_i) in the feature space of a kernel from the Gram matrix alone: `KernelPCA` those
of largest variance, `KernelFisherDiscriminant` those that best separate the class means relative to the scatter within
classes. `center` and `center_rows` move the origin of the feature space to the mean of the training points.
"""

from kcourse.kpca.centering import center, center_rows
from kcourse.kpca.fisher import KernelFisherDiscriminant, fisher_direction
from kcourse.kpca.pca import KernelPCA
from kcourse.kpca.preimage import PreImages

__all__ = ["KernelFisherDiscriminant", "KernelPCA", "PreImages", "center", "center_rows", "fisher_direction"]
