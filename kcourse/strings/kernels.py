"""The string kernels; `kcourse.strings.windows` counts their k-mers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import comb, factorial
from typing import Any, ClassVar

import numpy as np

from kcourse.base.validation import check_number
from kcourse.kernels import Kernel
from kcourse.kernels.algebra import put
from kcourse.strings.windows import Windows, check_strings, inner

__all__ = ["Gapped", "Mismatch", "Spectrum"]


@dataclass(frozen=True)
class _StringKernel(Kernel):
    """Base class of string kernels k(x, z) = Σ_S weight_S · #{pairs of k-mers that agree at the positions S}."""

    k: int = 3
    structured: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _put_integer(self, "k", at_least=1)

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as an (n,) object array of strings, or of tuples of words."""
        return check_strings(X, name)

    def _terms(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return (weight, positions) of each term."""
        raise NotImplementedError

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        windows = Windows(X if Z is None else np.concatenate([X, Z]), self.k)
        K, n = 0.0, len(X)
        for weight, positions in self._terms():
            N = windows.counts(positions)
            K = K + weight * (inner(N, N) if Z is None else inner(N[:n], N[n:]))
        return K

    def _diag(self, X: np.ndarray) -> np.ndarray:
        windows, diag = Windows(X, self.k), np.zeros(len(X))
        for weight, positions in self._terms():
            N = windows.counts(positions)
            N.sum_duplicates()
            diag += weight * (N * N).sum(axis=1).astype(float)
        return diag


@dataclass(frozen=True)
class Spectrum(_StringKernel):
    """The spectrum kernel, which counts common k-mers with multiplicity [001, "Noyau spectral"].

    k(x, z) = Σ_s N_s(x) N_s(z), the sum over all strings s of k letters. N_s(x) is the number of occurrences of s in x,
    overlaps included (``str.count`` excludes them). A string x of fewer than k letters has no k-mer, so k(x, ·) = 0.

    Parameters
    ----------
    k : int ≥ 1
        number of letters of a k-mer.

    >>> from kcourse.strings import Spectrum
    >>> Spectrum(2)(["banana"], ["banana", "ananas", "b"])
    array([[9., 8., 0.]])
    >>> counts, kmers = Spectrum(2).counts(["banana", "ananas"])
    >>> kmers, counts.toarray().tolist()
    (['an', 'as', 'ba', 'na'], [[2, 0, 1, 2], [2, 1, 0, 2]])
    """

    def _terms(self) -> list[tuple[int, tuple[int, ...]]]:
        return [(1, tuple(range(self.k)))]

    def counts(self, X: Any) -> tuple[Any, list]:
        """Return N, a sparse (n, D) array of counts, and the D k-mers that occur, in order; K = N Nᵀ.

        A k-mer that does not occur takes no memory: the 28 3-mers of a protein of 30 letters need 28 columns, not
        8000. Two sets of strings are comparable only if they are counted in the same call.
        """
        X = self.check_points(X)
        windows = Windows(X, self.k)
        N = windows.counts(tuple(range(self.k)))
        where = np.empty(N.shape[1], dtype=np.int64)
        where[N.indices] = windows.starts  # one of the positions of the k-mer
        N.sum_duplicates()
        if all(isinstance(point, str) for point in X):
            text: Any = "".join(X)
        else:
            text = tuple(word for point in X for word in point)
        return N, [text[i : i + self.k] for i in where]

    def features(self, X: Any) -> np.ndarray:
        """Return the result of `counts` as a dense (n, D) array: k(x, z) = N(x)ᵀN(z)."""
        return self.counts(X)[0].toarray().astype(float)


@dataclass(frozen=True)
class Gapped(_StringKernel):
    """The gapped k-mer kernel, which counts common patterns of k letters with ``gaps`` wildcards.

    k(x, z) = Σ_S Σ_s N_{S,s}(x) N_{S,s}(z). S runs over all choices of k - gaps positions among k, and N_{S,s}(x) is
    the number of k-mers of x with the letters s at these positions. With gaps = 0 it is ``Spectrum(k)``.

    Parameters
    ----------
    k : int ≥ 1
        number of letters of a k-mer, gaps included.
    gaps : int in [0, k)
        number of positions of a k-mer that are ignored.

    >>> from kcourse.strings import Gapped
    >>> Gapped(3, gaps=1)(["abc"], ["abc", "abd", "axc", "xyz"])  # ab·, a·c, ·bc
    array([[3., 1., 1., 0.]])
    """

    gaps: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _put_integer(self, "gaps", at_least=0, below_k="with k gaps every k-mer would match every other")

    def _terms(self) -> list[tuple[int, tuple[int, ...]]]:
        return [(1, S) for S in combinations(range(self.k), self.k - self.gaps)]


@dataclass(frozen=True)
class Mismatch(_StringKernel):
    """The (k, m) mismatch kernel, in which a k-mer counts for all k-mers that differ from it in at most m letters.

    k(x, z) = Σ_s N_s(x) N_s(z), the sum over all k-mers s of the alphabet. N_s(x) is the number of k-mers of x that
    differ from s in at most m positions. With m = 0 it is ``Spectrum(k)``. The kernel depends on the size of the
    alphabet, including letters that occur in no string.

    The computation lists no neighbours. The number of s within m mismatches of both u and v depends only on the number
    d of positions at which u and v differ. It is a weighted sum of C(k-d, k-j), the choices of k-j positions at which
    they agree, over j ≤ 2m, so the mismatch kernel is a combination of gapped kernels with 0 … 2m gaps. It costs as
    much as Σ_{j ≤ 2m} C(k, j) spectrum kernels for any alphabet, and is exact for values up to 2⁵³.

    Parameters
    ----------
    k : int ≥ 1
        number of letters of a k-mer.
    m : int in [0, k)
        maximum number of mismatches.
    alphabet : str, or tuple of words
        all letters, each once, such as "ACGT" or "ACDEFGHIKLMNPQRSTVWY".

    >>> from kcourse.strings import Mismatch
    >>> Mismatch(2, m=1, alphabet="ab")(["aa"], ["aa", "ab", "bb"])  # aa counts for aa, ab and ba
    array([[3., 2., 2.]])
    """

    m: int = 1
    alphabet: str | tuple[str, ...] = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _put_integer(self, "m", at_least=0, below_k="with m = k every k-mer would match every other")
        alphabet = self.alphabet
        if not isinstance(alphabet, (str, tuple)) or not all(isinstance(letter, str) for letter in alphabet):
            raise TypeError(f"alphabet must be a string such as 'ACGT', or a tuple of words, got {alphabet!r}.")
        if len(alphabet) == 0 or len(set(alphabet)) < len(alphabet):
            raise ValueError(f"alphabet must contain each letter once, got {alphabet!r}.")

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as an (n,) object array of strings over the alphabet."""
        points, known = super().check_points(X, name), set(self.alphabet)
        for i, point in enumerate(points):
            if not known.issuperset(point):
                odd = next(letter for letter in point if letter not in known)
                raise ValueError(f"{name}[{i}] has the letter {odd!r}, which is not in alphabet = {self.alphabet!r}.")
        return points

    def _terms(self) -> list[tuple[int, tuple[int, ...]]]:
        k, c = self.k, [0] * (self.k + 1)
        # f(d) = Σ_{j ≥ d} c_j C(k-d, k-j), solved from d = k downwards; f(d) = 0 beyond 2m, and so is c_d
        for d in range(min(2 * self.m, k), -1, -1):
            c[d] = self._shared(d) - sum(c[j] * comb(k - d, k - j) for j in range(d + 1, k + 1))
        return [(c[j], S) for j in range(k + 1) if c[j] for S in combinations(range(k), k - j)]

    def _shared(self, d: int) -> int:
        """Return f(d), the number of k-mers within m mismatches of both u and v, which differ in d positions."""
        k, m, a = self.k, self.m, len(self.alphabet)
        total = 0
        # s takes i of the d letters from u, j from v, d-i-j from neither, and has t changes where u and v agree
        for i in range(d + 1):
            for j in range(d - i + 1):
                ways = factorial(d) // (factorial(i) * factorial(j) * factorial(d - i - j)) * (a - 2) ** (d - i - j)
                changes = range(m - d + min(i, j) + 1)  # t ≤ m - (d-i) and t ≤ m - (d-j)
                total += ways * sum(comb(k - d, t) * (a - 1) ** t for t in changes)
        return total


def _put_integer(kernel: _StringKernel, name: str, *, at_least: int, below_k: str = "") -> None:
    value = check_number(getattr(kernel, name), name, at_least=at_least, integer=True)
    if below_k and value >= kernel.k:
        raise ValueError(f"{name} must be smaller than k = {kernel.k}, got {value}; {below_k}.")
    put(kernel, name, value)
