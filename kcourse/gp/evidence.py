"""Log marginal likelihood (evidence) of a Gaussian process, and its gradient in the log hyper-parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
from scipy.linalg.blas import dtrmm
from scipy.linalg.lapack import dlauum, dtrtri

from kcourse.base.cholesky import cho_solve, cho_with_ridge
from kcourse.base.linalg import strips
from kcourse.base.validation import check_positive
from kcourse.kernels import Kernel, gram

__all__ = ["LOG_2PI", "Hyper", "condition", "log_evidence"]

LOG_2PI = float(np.log(2 * np.pi))
_BLOCK = 128  # up to this size LAPACK's inverse of a triangle is the fastest
_STRIP = 64  # rows per strip: a mirrored strip fits into the first-level cache


@dataclass(frozen=True)
class Hyper:
    """Kernel and noise variance, also available as the vector θ of the log hyper-parameters.

    >>> from kcourse.kernels import Gaussian
    >>> hyper = Hyper(Gaussian((0.5, 2.0)), 0.25)
    >>> hyper.names
    ('sigma[0]', 'sigma[1]', 'noise_variance')
    >>> hyper.at([0.0, 0.0, 0.0])
    Hyper(kernel=Gaussian(sigma=(1.0, 1.0)), noise=1.0)
    """

    kernel: Kernel | Callable
    noise: float

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entries of θ; a noise variance of 0 is not included, because it has no logarithm."""
        of_kernel: tuple[str, ...] = self.kernel.theta_names if isinstance(self.kernel, Kernel) else ()
        return (*of_kernel, *(["noise_variance"] if self.noise else []))

    @property
    def theta(self) -> np.ndarray:
        """Logarithms of the kernel's hyper-parameters, then of the noise variance."""
        of_kernel = self.kernel.theta if isinstance(self.kernel, Kernel) else np.zeros(0)
        return np.append(of_kernel, np.log([self.noise] if self.noise else []))

    def at(self, theta: Any) -> Hyper:
        """Return a copy with the hyper-parameters exp(θ); a noise variance of 0 or a plain function is unchanged."""
        theta, p = np.asarray(theta, dtype=float), len(self.names) - bool(self.noise)
        if theta.shape != (len(self.names),):
            raise ValueError(f"theta has shape {theta.shape}; expected ({len(self.names)},), the logs of {self.names}.")
        with np.errstate(over="ignore", under="ignore"):  # the checks report overflow and underflow
            kernel = self.kernel.with_theta(theta[:p]) if p and isinstance(self.kernel, Kernel) else self.kernel
            return Hyper(kernel, check_positive(np.exp(theta[p]), "noise_variance") if self.noise else 0.0)


def condition(K: np.ndarray, y: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray, tuple[float, float, float]]:
    """Return L, α and the three terms of log p(y) [GPML, algorithm 2.1]; ``K`` is overwritten.

    >>> L, alpha, terms = condition(np.array([[1.0]]), np.array([1.0]), 0.25)
    >>> alpha.round(6), round(sum(terms), 6)
    (array([0.8]), -1.43051)
    """
    try:
        # A = K + σ_n²I = L Lᵀ
        L = cho_with_ridge(K, noise)
    except ValueError as error:  # translate the terms of ridge regression
        words = {"lam ": "noise_variance ", "the solution is not an RKHS minimiser": "no process has this covariance"}
        message = str(error)
        for theirs, ours in words.items():
            message = message.replace(theirs, ours)
        raise ValueError(message) from None
    alpha = cho_solve(L, y)
    # log p(y) = -½ yᵀα - Σ_i log L_ii - n/2 log 2π, summed over the targets
    targets = y.size // len(y)
    complexity = -targets * float(np.sum(np.log(L.diagonal())))
    return L, alpha, (-0.5 * float(np.sum(y * alpha)), complexity, -0.5 * y.size * LOG_2PI)


@overload
def log_evidence(
    hyper: Hyper, X: np.ndarray, y: np.ndarray, *, work: np.ndarray | None = None
) -> tuple[float, np.ndarray]: ...
@overload
def log_evidence(hyper: Hyper, X: np.ndarray, y: np.ndarray, *, gradient: Literal[False]) -> tuple[float, None]: ...
def log_evidence(
    hyper: Hyper, X: np.ndarray, y: np.ndarray, *, gradient: bool = True, work: np.ndarray | None = None
) -> tuple[float, np.ndarray | None]:
    """Return log p(y) and its gradient in θ (or None), without an (n, n, p) array.

    ``work`` (n, n), if given, is memory in which A is factorised, so that an optimiser need not allocate it each time.

    >>> from kcourse.kernels import Gaussian
    >>> x, y = np.array([[0.0], [1.0], [2.5]]), np.array([1.0, -1.0, 0.5])
    >>> log_evidence(Hyper(Gaussian(0.7), 0.25), x, y)[1].round(6)
    array([-1.010418,  0.042225])
    """
    if not gradient:
        return sum(condition(gram(hyper.kernel, X), y, hyper.noise)[2]), None
    if isinstance(hyper.kernel, Kernel):
        K, pull = hyper.kernel.vjp(X)
        A = np.empty_like(K, order="C") if work is None else work
        np.copyto(A, K)  # pull may need K unchanged
    else:
        A, pull = gram(hyper.kernel, X), lambda M: np.zeros(0)
    L, alpha, terms = condition(A, y, hyper.noise)
    M = inverse_minus_outer(L, alpha)
    # ∂ log p/∂θ_p = -½ tr(M ∂A/∂θ_p),  M = A⁻¹ - ααᵀ,  and ∂A/∂log σ_n² = σ_n²I
    by_noise = [hyper.noise * M.trace()] if hyper.noise else []
    return sum(terms), -0.5 * np.append(pull(M), by_noise)


def inverse_minus_outer(L: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Return M = (LLᵀ)⁻¹ - ααᵀ, summed over the targets, symmetric to the last bit, **in the memory of** ``L``.

    Fast: the inverse costs a third of solving for n right-hand sides, and no other (n, n) array is allocated.

    >>> inverse_minus_outer(np.array([[2.0]], order="F"), np.array([3.0]))
    array([[-8.75]])
    """
    invert_lower(L)
    M = dlauum(L, lower=True, overwrite_c=True)[0].T  # L⁻ᵀL⁻¹, in the upper triangle
    if alpha.ndim == 2:
        M *= alpha.shape[1]
    below = np.tri(_STRIP, dtype=bool)
    for rows in strips(len(M), _STRIP):
        upper = M[rows, rows.start :]
        upper -= alpha[rows, None] * alpha[rows.start :] if alpha.ndim == 1 else alpha[rows] @ alpha[rows.start :].T
        k = len(upper)
        np.copyto(upper[:, :k], upper[:, :k].T.copy(), where=below[:k, :k])
        M[rows.stop :, rows] = upper[:, k:].T
    return M


def invert_lower(L: np.ndarray) -> None:
    """Replace the lower triangle of ``L`` with that of L⁻¹; the strict upper triangle is neither read nor written.

    Fast: it splits L into halves and multiplies large blocks; on one thread LAPACK's ``dtrtri`` takes about twice as
    long.

    >>> L = np.array([[2.0, 9.0], [1.0, 4.0]], order="F")
    >>> invert_lower(L)
    >>> L
    array([[ 0.5  ,  9.   ],
           [-0.125,  0.25 ]])
    """
    n = len(L)
    if n <= _BLOCK:
        L[:] = dtrtri(L, lower=True)[0]
        return
    h = n // 2
    L11, L21, L22 = L[:h, :h], L[h:, :h], L[h:, h:]
    invert_lower(L11)
    invert_lower(L22)
    # the block below the diagonal is -L₂₂⁻¹ L₂₁ L₁₁⁻¹
    L21[:] = dtrmm(-1.0, L22, dtrmm(1.0, L11, L21, side=True, lower=True), lower=True, overwrite_b=True)
