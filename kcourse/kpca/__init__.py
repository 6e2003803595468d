"""Kernel PCA and kernel LDA [001, "ACP à noyau", "ALD à noyau"; chapter 8].

Both find directions f = Σ_i α_i φ(x_i) in the feature space of a kernel, through the Gram matrix alone: `KernelPCA`
those along which the points vary most, `KernelFisherDiscriminant` those along which the classes are furthest apart,
measured in units of their spread. `center` and `center_rows` move the origin of the feature space to the points' mean.
"""

from kcourse.kpca.centering import center, center_rows
from kcourse.kpca.fisher import KernelFisherDiscriminant, fisher_direction
from kcourse.kpca.pca import KernelPCA
from kcourse.kpca.preimage import PreImages

__all__ = ["KernelFisherDiscriminant", "KernelPCA", "PreImages", "center", "center_rows", "fisher_direction"]
