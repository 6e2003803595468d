"""Leave-one-out predictions of a Gaussian process."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["LooPredictions"]


@dataclass(frozen=True, eq=False)
class LooPredictions:
    """Leave-one-out predictions of a Gaussian process with fixed kernel and noise variance.

    Attributes
    ----------
    mean : (n,) array, or (n, t)
        E(y_i | all other y), in units of y.
    variance : (n,) array, or (n, t) for several targets with ``normalize_y``
        var(y_i | all other y) of the observation, which includes σ_n²; in units of y².
    log_density : (n,) array, or (n, t)
        log p(y_i | all other y).

    >>> from kcourse.gp import GaussianProcess
    >>> from kcourse.kernels import Gaussian
    >>> loo = GaussianProcess(Gaussian(1.0), noise_variance=0.5).fit([[0.0], [1.0], [2.5]], [1.0, -1.0, 0.5]).loo()
    >>> loo.mean.round(6), round(loo.total, 6)
    (array([-0.448118,  0.500739, -0.314186]), -5.149368)
    """

    mean: np.ndarray
    variance: np.ndarray
    log_density: np.ndarray

    @property
    def total(self) -> float:
        """Log pseudo-likelihood Σ_i log p(y_i | all other y), a criterion for hyper-parameters, like log p(y)."""
        return float(np.sum(self.log_density))
