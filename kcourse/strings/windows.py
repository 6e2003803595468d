"""Windows of k letters in strings, encoded as numbers, and inner products of their counts."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Windows", "check_strings", "inner"]


class Windows:
    """All windows of k letters of all strings: the text as numbers, and the start of each window."""

    def __init__(self, points: np.ndarray, k: int) -> None:
        self.text, self.n_letters = _as_numbers(points)
        # integers of the size of an address, which has 32 bits in a browser
        lengths = np.fromiter(map(len, points), np.intp, len(points))
        per_point = np.maximum(lengths - k + 1, 0)
        self.longest = int(per_point.max())
        self.indptr = np.concatenate([[0], np.cumsum(per_point)])
        # windows are numbered consecutively; the text between the windows of two strings is skipped
        skipped = np.cumsum(lengths) - lengths - self.indptr[:-1]
        self.starts = np.arange(self.indptr[-1]) + np.repeat(skipped, per_point)

    def counts(self, positions: tuple[int, ...]) -> Any:
        """Return counts of the patterns at ``positions`` of the windows: sparse (n, D), one column per pattern.

        A pattern that occurs twice in a string has two entries 1 until ``sum_duplicates`` is called.
        """
        from scipy.sparse import csr_array

        # code = (…(s_1 · a + s_2) · a + …) + s_k, where a is the number of letters: one number per pattern
        codes, top = np.zeros(len(self.starts), dtype=np.int64), 1
        for position in positions:
            if top * self.n_letters > 2**62:  # to avoid overflow, renumber the codes that occur
                codes, top = _numbered(codes, top)
            codes = codes * self.n_letters + self.text[self.starts + position]
            top *= self.n_letters
        columns, D = _numbered(codes, top)
        # entries of 4 bytes if they suffice, for speed; each k(x, z) is at most the square of ``longest``
        index = np.int32 if len(columns) < 2**31 else np.int64
        ones = np.ones(len(columns), dtype=np.int32 if self.longest**2 < 2**31 else np.int64)
        entries = ones, columns.astype(index), self.indptr.astype(index)
        return csr_array(entries, shape=(len(self.indptr) - 1, D))


def _as_numbers(points: np.ndarray) -> tuple[np.ndarray, int]:
    """Return all strings as one array, with letters (or words) numbered 0 … a-1 in sorted order, and a."""
    if all(isinstance(point, str) for point in points):
        letters = np.frombuffer("".join(points).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
        return _numbered(letters, int(letters.max(initial=-1)) + 1)
    words = sorted({word for point in points for word in point})
    number = dict(zip(words, range(len(words)), strict=True))
    return np.array([number[word] for point in points for word in point], dtype=np.int64), len(words)


def _numbered(codes: np.ndarray, top: int) -> tuple[np.ndarray, int]:
    """Renumber codes in [0, top) as 0 … D-1 in the same order; return them and D, the number of different codes.

    They have 64 bits even where an address has 32, because they are later multiplied by the number of letters.
    """
    if top <= 4 * len(codes) + 2**16:  # a table is faster than sorting
        occurs = np.zeros(top, dtype=bool)
        occurs[codes] = True
        return (np.cumsum(occurs, dtype=np.int64) - 1)[codes], int(occurs.sum())
    found, numbers = np.unique(codes, return_inverse=True)
    return numbers.astype(np.int64, copy=False), len(found)


def inner(N: Any, M: Any) -> np.ndarray:
    """Return N Mᵀ as a dense float array; it is exact and symmetric, because counts are whole numbers."""
    # columns with many entries cost less in a dense product, those with few entries in a sparse one
    n, m = N.shape[0], M.shape[0]
    often = np.bincount(N.indices, minlength=N.shape[1]) * np.bincount(M.indices, minlength=M.shape[1]) > n * m / 100
    K = np.zeros((n, m))
    if often.any():
        K += N[:, often].toarray().astype(float) @ M[:, often].toarray().T.astype(float)
        N, M = N[:, ~often], M[:, ~often]
    Mt = M.T.tocsr()
    for i in range(0, n, 1000):  # the sparse result of all rows at once would need more memory than K
        K[i : i + 1000] += (N[i : i + 1000] @ Mt).toarray()
    return K


def check_strings(X: Any, name: str) -> np.ndarray:
    """Return ``X`` as an (n,) object array of str, or of tuples of str."""
    if isinstance(X, (str, bytes)):
        raise TypeError(f"{name} is one string; expected a list of strings: for one point write [{name}].")
    if hasattr(X, "columns"):
        raise TypeError(f"{name} is a data frame; pass its column of strings, such as {name}[{name}.columns[0]].")
    if isinstance(X, (set, frozenset, dict)) or not hasattr(X, "__len__") or not hasattr(X, "__iter__"):
        raise TypeError(
            f"{name} is {type(X).__name__}; expected a list, tuple or array of strings, one for each point."
        )
    if isinstance(X, np.ndarray) and X.ndim != 1:
        hint = f"pass {name}[:, 0]." if X.ndim == 2 and X.shape[1] == 1 else "one string for each point."
        raise ValueError(f"{name} has shape {X.shape}; expected (n,): {hint}")
    if len(X) == 0:
        raise ValueError(f"{name} is empty: at least one string is needed.")
    points = np.empty(len(X), dtype=object)
    for i, point in enumerate(X):
        if isinstance(point, str):
            points[i] = str(point)
        elif isinstance(point, tuple) and all(isinstance(word, str) for word in point):
            points[i] = point
        else:
            raise TypeError(
                f"{name}[{i}] is {type(point).__name__} {point!r:.40}; a point is a string, or a tuple of words."
            )
    return points
