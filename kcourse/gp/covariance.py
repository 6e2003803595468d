"""Variances and covariances of a Gaussian process, which rounding may leave a little below 0."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

__all__ = ["not_negative", "symmetric_root"]

_ROUNDING = 1e-9  # of the prior variance: what lies further below 0 is no rounding


def not_negative(variance: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Variances with 0 for what rounding left below; refuse what is truly negative."""
    i = int(np.argmin(variance))
    if variance[i] < -_ROUNDING * prior.max():
        raise ValueError(
            f"the variance at X[{i}] is {variance[i]:.3g} < 0: the kernel is not positive semi-definite on this point "
            "and those of fit, so no Gaussian process has this covariance; choose one that is."
        )
    return np.maximum(variance, 0.0)


def symmetric_root(cov: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """S = Sᵀ with SS = cov; an eigenvalue that rounding left below 0 counts as 0."""
    w, Q = eigh(cov, driver="evd", check_finite=False)
    if w[0] < -_ROUNDING * len(w) * prior.max():
        raise ValueError(
            f"the covariance of these points has the eigenvalue {w[0]:.3g} < 0: the kernel is not positive "
            "semi-definite on them, so no Gaussian process has this covariance; choose one that is."
        )
    return (Q * np.sqrt(np.maximum(w, 0.0))) @ Q.T
