"""Mercer expansion of a kernel in eigenfunctions of its integral operator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.validation import check_number, check_points

__all__ = ["MercerPairs", "brownian_mercer"]


@dataclass(frozen=True, eq=False)
class MercerPairs:
    """Mercer pairs (λ_j, e_j): ∫ k(x, z) e_j(z) dz = λ_j e_j(x), with e_j orthonormal in L² [Mercer 1909].

    Then k(x, z) = Σ_j λ_j e_j(x) e_j(z), and f = Σ_j c_j e_j has ‖f‖² = Σ_j c_j²/λ_j in the RKHS: f belongs to the RKHS
    if and only if this sum is finite, so its coefficients must decay faster than √λ_j. ``pairs(X, Z)`` evaluates the
    truncated sum, which is a kernel of rank m.

    Attributes
    ----------
    eigenvalues : (m,) array
        λ_1 ≥ … ≥ λ_m > 0.
    eigenfunctions : function (n, d) -> (n, m)
        e_j(x_i).
    """

    eigenvalues: np.ndarray
    eigenfunctions: Callable[[Any], np.ndarray]

    def features(self, X: Any) -> np.ndarray:
        """Return √λ_j e_j(x_i), shape (n, m): features whose inner products are the truncated kernel."""
        return np.sqrt(self.eigenvalues) * self.eigenfunctions(X)

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        """Return the truncated kernel Σ_j λ_j e_j(x) e_j(z), one row for each x and one column for each z."""
        A = self.features(X)
        return A @ (A if Z is None else self.features(Z)).T

    def norm2(self, c: Any) -> float:
        """Return ‖Σ_j c_j e_j‖² = Σ_j c_j²/λ_j for coefficients ``c`` (m,) of the eigenfunctions."""
        c = np.asarray(c, dtype=float)
        if c.shape != self.eigenvalues.shape:
            raise ValueError(f"c has shape {c.shape}; expected {self.eigenvalues.shape}, one for each eigenfunction.")
        return float(np.sum(c**2 / self.eigenvalues))


def brownian_mercer(m: int) -> MercerPairs:
    """Return the first ``m`` Mercer pairs of min(s, t) on [0, 1] with dt: λ_j = 1/((j - ½)π)², √2 sin((j - ½)πt).

    They solve -λ e'' = e, e(0) = 0, e'(1) = 0. The eigenvalues sum to ∫ min(t, t) dt = ½; the error of the first m
    terms of the kernel is at most 2 Σ_(j>m) λ_j, about 2/(π² m). These are the modes of Brownian motion,
    Σ_j √λ_j Z_j e_j with independent Gaussian Z_j; since Σ_j Z_j² = ∞, its paths do not belong to the RKHS.

    Parameters
    ----------
    m : int ≥ 1
        number of pairs.

    >>> from kcourse.rkhs import brownian_mercer
    >>> pairs = brownian_mercer(4)
    >>> pairs.eigenvalues.round(6)
    array([0.405285, 0.045032, 0.016211, 0.008271])
    >>> round(float(brownian_mercer(1000)([[0.3]], [[0.8]])[0, 0]), 4)  # min(0.3, 0.8)
    0.3
    """
    m = check_number(m, "m", at_least=1, integer=True)
    frequencies = (np.arange(1, m + 1) - 0.5) * np.pi

    def eigenfunctions(t: Any) -> np.ndarray:
        t = check_points(t, "t", n_features=1)
        if t.min() < 0 or t.max() > 1:
            raise ValueError(f"t must lie in [0, 1], the domain of the eigenfunctions; got {t.min():g} to {t.max():g}.")
        return np.sqrt(2) * np.sin(t * frequencies)

    return MercerPairs(eigenvalues=1 / frequencies**2, eigenfunctions=eigenfunctions)
