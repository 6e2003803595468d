"""The maximum mean discrepancy: how far apart two samples are in an RKHS, and a test whether that is chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.linalg import strips
from kcourse.base.validation import check_kernel, check_number, check_rng
from kcourse.kernels import gram
from kcourse.rkhs.function import check_for, squared_norm

__all__ = ["MMDTest", "mmd2", "mmd_test"]


def mmd2(kernel: Callable, X: Any, Z: Any, *, unbiased: bool = False) -> float:
    """Return ‖μ_X - μ_Z‖², the squared distance between mean features of two samples [Gretton et al., JMLR 2012].

    μ_X = Σ_i k(x_i, ·)/n, so it is mean k(x_i, x_j) + mean k(z_i, z_j) - 2 mean k(x_i, z_j); and ‖μ_X - μ_Z‖ is the
    largest difference of means, max (Σ_i f(x_i)/n - Σ_j f(z_j)/m) over ‖f‖ ≤ 1. It is 0 for equal samples (in any
    order), and only for them if the kernel is strictly positive definite, as `Gaussian` is. For `Linear` it is the
    squared distance of the means, 0 for many other samples too. μ_X is ``RKHSFunction(kernel, X, np.full(n, 1 / n))``;
    the f of the largest difference is a multiple of μ_X - μ_Z, which shows where the samples differ.

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite.
    X, Z : (n, d) and (m, d) array
        the samples.
    unbiased : bool
        leave k(x_i, x_i) and k(z_i, z_i) out of the means: then the expectation over samples is the value for the
        distributions that they come from, but a value may be negative. Needs n, m ≥ 2.

    >>> from kcourse import Gaussian, Linear
    >>> from kcourse.rkhs import mmd2
    >>> X, Z = [[-1.0], [1.0]], [[0.0], [0.0]]  # the same mean
    >>> mmd2(Linear(), X, Z), round(mmd2(Gaussian(1.0), X, Z), 4)
    (0.0, 0.3546)
    """
    K, n = _joint_gram(kernel, X, Z)
    m = len(K) - n
    if not unbiased:
        return squared_norm(K, _signs(n, m))
    if min(n, m) < 2:
        raise ValueError(f"unbiased=True compares points within each sample; X has {n} and Z has {m}, each needs 2.")
    within = [(B.sum() - B.trace()) / (len(B) * (len(B) - 1)) for B in (K[:n, :n], K[n:, n:])]
    return float(within[0] + within[1] - 2 * K[:n, n:].mean())


@dataclass(frozen=True, eq=False)
class MMDTest:
    """What a permutation test of two samples found.

    Attributes
    ----------
    mmd2 : float
        ‖μ_X - μ_Z‖² of the samples as they are (not the unbiased one).
    p_value : float
        share of the permutations, this one included, that are at least as far apart.
    permuted : (n_permutations,) array
        ‖μ_X - μ_Z‖² after each random permutation.
    """

    mmd2: float
    p_value: float
    permuted: np.ndarray


def mmd_test(kernel: Callable, X: Any, Z: Any, *, n_permutations: int = 999, rng: Any) -> MMDTest:
    """Test whether two samples come from one distribution, by permutations of their points.

    If they do, every division of the n + m points into n and m is as likely as the one seen. So
    p = (1 + #{permuted ‖μ_X - μ_Z‖² ≥ the one seen}) / (1 + n_permutations) is at most α with probability at most α,
    for any kernel and any n, m; the kernel decides which differences are found. Time O((n + m)² · n_permutations).

    Parameters
    ----------
    kernel : Kernel, or any function (X, Z) -> (n, m)
        positive semi-definite, chosen without a look at which point is in which sample.
    X, Z : (n, d) and (m, d) array
        the samples.
    n_permutations : int ≥ 1
        how many; p is at least 1/(1 + n_permutations).
    rng : int or numpy Generator
        where the permutations come from.

    >>> import numpy as np
    >>> from kcourse import Gaussian, Linear
    >>> from kcourse.rkhs import mmd_test
    >>> X, Z = np.random.default_rng(0).standard_normal((2, 50, 1)) * [[[1.0]], [[3.0]]]  # another spread, not mean
    >>> [mmd_test(kernel, X, Z, rng=0).p_value for kernel in (Gaussian(1.0), Linear())]
    [0.001, 0.946]
    """
    n_permutations, rng = check_number(n_permutations, "n_permutations", at_least=1, integer=True), check_rng(rng)
    K, n = _joint_gram(kernel, X, Z)
    signs = _signs(n, len(K) - n)
    seen = squared_norm(K, signs)
    permuted = np.empty(n_permutations)
    for block in strips(n_permutations):
        W = rng.permuted(np.tile(signs, (block.stop - block.start, 1)), axis=1)
        permuted[block] = np.maximum(np.einsum("bi,bi->b", W @ K, W), 0.0)  # wᵀKw
    # a permutation that changes nothing gives the same number up to rounding: it counts
    as_far = np.sum(permuted >= seen - 1e-12 * np.abs(K).max())
    return MMDTest(mmd2=seen, p_value=float((1 + as_far) / (1 + n_permutations)), permuted=permuted)


def _joint_gram(kernel: Callable, X: Any, Z: Any) -> tuple[np.ndarray, int]:
    """The Gram matrix of both samples together, and the size of the first."""
    kernel = check_kernel(kernel)
    X, Z = check_for(kernel, X, "X"), check_for(kernel, Z, "Z")
    if X.shape[1:] != Z.shape[1:]:
        raise ValueError(f"X has {X.shape[1]} feature(s) and Z has {Z.shape[1]}; two samples are of points alike.")
    return gram(kernel, np.concatenate([X, Z])), len(X)


def _signs(n: int, m: int) -> np.ndarray:
    """Coefficients of μ_X - μ_Z = Σ_i k(x_i, ·)/n - Σ_j k(z_j, ·)/m."""
    return np.concatenate([np.full(n, 1 / n), np.full(m, -1 / m)])
