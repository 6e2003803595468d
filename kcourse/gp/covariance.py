"""Variances and covariances of a Gaussian process, corrected where rounding makes them negative."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from kcourse.base.cholesky import KERNEL_ERROR

__all__ = ["not_negative", "symmetric_root"]


def not_negative(variance: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the variances with rounding errors below 0 set to 0; raise if a variance is truly negative.

    A change of the kernel by δ, relative to its values, changes a variance by at most δ · ``scale``, shape (q,).
    """
    i = int(np.argmin(variance + KERNEL_ERROR * scale))
    if variance[i] < -KERNEL_ERROR * scale[i]:
        raise ValueError(
            f"the variance at X[{i}] is {variance[i]:.3g} < 0: the kernel is not positive semi-definite on this point "
            "and those of fit, so no Gaussian process has this covariance; choose one that is."
        )
    return np.maximum(variance, 0.0)


def symmetric_root(cov: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return the symmetric root S with SS = cov; eigenvalues below 0 by rounding count as 0. See `not_negative`."""
    w, Q = eigh(cov, driver="evd", check_finite=False)
    if w[0] < -KERNEL_ERROR * scale.sum():
        raise ValueError(
            f"the covariance of these points has the eigenvalue {w[0]:.3g} < 0: the kernel is not positive "
            "semi-definite on them, so no Gaussian process has this covariance; choose one that is."
        )
    return (Q * np.sqrt(np.maximum(w, 0.0))) @ Q.T
