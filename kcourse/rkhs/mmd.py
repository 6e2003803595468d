"""Maximum mean discrepancy (MMD) of two samples, and a permutation test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.linalg import strips
from kcourse.base.validation import check_kernel, check_number, check_rng
from kcourse.kernels import gram
from kcourse.rkhs.function import check_for, square, squared_norm

__all__ = ["MMDTest", "mmd2", "mmd_test"]


def mmd2(kernel: Callable, X: Any, Z: Any, *, unbiased: bool = False) -> float:
    """Return the squared MMD ‖μ_X - μ_Z‖², the squared distance of two mean features [Gretton et al., JMLR 2012].

    With μ_X = Σ_i k(x_i, ·)/n it is mean k(x_i, x_j) + mean k(z_i, z_j) - 2 mean k(x_i, z_j), and ‖μ_X - μ_Z‖ is the
    largest difference of means, max (Σ_i f(x_i)/n - Σ_j f(z_j)/m) over ‖f‖ ≤ 1. It is 0 for equal samples (in any
    order); with a strictly positive definite kernel such as `Gaussian`, only for these. With `Linear` it is the squared
    distance of the means, which may be 0 for different samples. μ_X is ``RKHSFunction(kernel, X, np.full(n, 1 / n))``;
    the maximising f is a multiple of μ_X - μ_Z, which shows where the samples differ.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    X, Z : (n, d) and (m, d) array
        the samples.
    unbiased : bool
        whether to leave k(x_i, x_i) and k(z_i, z_i) out of the means: then the expectation over samples is the value
        for their distributions, but a single value may be negative. Requires n, m ≥ 2.

    >>> from kcourse import Gaussian, Linear
    >>> from kcourse.rkhs import mmd2
    >>> X, Z = [[-1.0], [1.0]], [[0.0], [0.0]]  # the same mean
    >>> mmd2(Linear(), X, Z), round(mmd2(Gaussian(1.0), X, Z), 4)
    (0.0, 0.3546)
    """
    kernel, X, Z = _checked(kernel, X, Z)
    n, m = len(X), len(Z)
    if unbiased and min(n, m) < 2:
        raise ValueError(f"unbiased=True compares points within each sample; X has {n} and Z has {m}, each needs 2.")
    value = size = 0.0
    for A, B, factor in ((X, None, 1.0), (Z, None, 1.0), (X, Z, -2.0)):
        K = gram(kernel, A, B)
        if unbiased and B is None:
            value += (K.sum() - K.trace()) / (len(K) * (len(K) - 1))
        else:
            value += factor * K.mean()
        size += abs(factor) * np.abs(K, out=K).mean()
    return float(value) if unbiased else square(float(value), float(size))


@dataclass(frozen=True, eq=False)
class MMDTest:
    """Result of a permutation test with the MMD of two samples.

    Attributes
    ----------
    mmd2 : float
        ‖μ_X - μ_Z‖² of the samples (biased).
    p_value : float
        fraction of the permutations, including the identity, with at least this distance.
    permuted : (n_permutations,) array
        ‖μ_X - μ_Z‖² after each random permutation.
    """

    mmd2: float
    p_value: float
    permuted: np.ndarray


def mmd_test(kernel: Callable, X: Any, Z: Any, *, n_permutations: int = 999, rng: Any) -> MMDTest:
    """Test whether two samples come from one distribution, by a permutation test with the MMD.

    If they do, every division of the n + m points into n and m is equally likely. So
    p = (1 + #{permuted ‖μ_X - μ_Z‖² ≥ observed}) / (1 + n_permutations) is at most α with probability at most α,
    for any kernel and any n, m; the kernel decides which differences are detected. Time O((n + m)² · n_permutations).

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite, chosen without using which point belongs to which sample.
    X, Z : (n, d) and (m, d) array
        the samples.
    n_permutations : int ≥ 1
        number of permutations; p is at least 1/(1 + n_permutations).
    rng : int or numpy Generator
        seed or generator for the permutations.

    >>> import numpy as np
    >>> from kcourse import Gaussian, Linear
    >>> from kcourse.rkhs import mmd_test
    >>> X, Z = np.random.default_rng(0).standard_normal((2, 50, 1)) * [[[1.0]], [[3.0]]]  # another spread, not mean
    >>> [mmd_test(kernel, X, Z, rng=0).p_value for kernel in (Gaussian(1.0), Linear())]
    [0.001, 0.946]
    """
    n_permutations, rng = check_number(n_permutations, "n_permutations", at_least=1, integer=True), check_rng(rng)
    kernel, X, Z = _checked(kernel, X, Z)
    K = gram(kernel, np.concatenate([X, Z]))
    # the coefficients of μ_X - μ_Z = Σ_i k(x_i, ·)/n - Σ_j k(z_j, ·)/m
    signs = np.concatenate([np.full(len(X), 1 / len(X)), np.full(len(Z), -1 / len(Z))])
    seen = squared_norm(K, signs)
    permuted = np.empty(n_permutations)
    for block in strips(n_permutations):
        W = rng.permuted(np.tile(signs, (block.stop - block.start, 1)), axis=1)
        permuted[block] = np.maximum(np.einsum("bi,bi->b", W @ K, W), 0.0)  # wᵀKw
    # a permutation within the samples gives the same value up to rounding, and must count
    as_far = np.sum(permuted >= seen - 1e-12 * np.abs(K).max())
    return MMDTest(mmd2=seen, p_value=float((1 + as_far) / (1 + n_permutations)), permuted=permuted)


def _checked(kernel: Callable, X: Any, Z: Any) -> tuple[Callable, np.ndarray, np.ndarray]:
    kernel = check_kernel(kernel)
    X, Z = check_for(kernel, X, "X"), check_for(kernel, Z, "Z")
    if X.shape[1:] != Z.shape[1:]:
        raise ValueError(f"X has {X.shape[1]} feature(s) and Z has {Z.shape[1]}; both samples need the same features.")
    return kernel, X, Z
