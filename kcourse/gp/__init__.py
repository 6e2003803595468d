"""Gaussian processes [000, "Régression par Processus Gaussiens"; GPML, §2.2, §5.4].

    f ~ GP(0, k),   y_i = f(x_i) + ε_i,   ε_i ~ N(0, σ_n²).   With A = K + σ_n²I and α = A⁻¹y, given y:

    E f(x) = k(x)ᵀα,   var f(x) = k(x, x) - k(x)ᵀA⁻¹k(x),   log p(y) = -½ yᵀα - ½ log det A - n/2 log 2π

Source 000 says that the mean is "the same solution" as kernel ridge regression. This holds under three conditions:
λ = σ_n², where λ‖f‖² is added to the **sum** of squares, a prior mean of zero, and the same kernel. The source does
not cover the variance and the choice of the kernel; they follow GPML: Rasmussen and Williams, *Gaussian Processes for
Machine Learning*, 2006.
"""

from kcourse.gp.loo import LooPredictions
from kcourse.gp.process import GaussianProcess

__all__ = ["GaussianProcess", "LooPredictions"]
