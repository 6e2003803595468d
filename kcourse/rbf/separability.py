"""Which labellings a hyperplane can produce: Cover's count, and a test of φ-separability [002, "Séparabilité"]."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from kcourse.base.validation import check_number, check_points, check_targets

__all__ = ["cover_count", "cover_probability", "monomials", "separating_weights"]

_MOST = 10**8  # numbers that a table of products may hold


def cover_count(n: int, d: int) -> int:
    """Return Cover's C(n, d) = 2 Σ_{k<d} C(n-1, k): how many labellings a hyperplane through 0 can produce.

    [002, "Théorème sur la séparabilité de patrons"; Cover 1965]. It counts the 2ⁿ labellings of n points in **general
    position** in R^d (any d of them linearly independent); fewer are separable otherwise. A hyperplane with an offset
    in R^d is one through 0 in R^(d+1): pass d + 1. It solves C(n, d) = C(n-1, d) + C(n-1, d-1).

    Parameters
    ----------
    n : int ≥ 1
        points.
    d : int ≥ 1
        dimensions, of the hidden space where one is used.

    Returns
    -------
    int
        the exact count, of any size.

    >>> cover_count(4, 3), cover_count(10, 5)  # four points in the plane, with offset: all but the two XORs
    (14, 512)
    """
    n, d = check_number(n, "n", at_least=1, integer=True), check_number(d, "d", at_least=1, integer=True)
    term, total = 1, 0  # C(n-1, k), each from the one before it
    for k in range(min(d, n)):
        total += term
        term = term * (n - 1 - k) // (k + 1)
    return 2 * total


def cover_probability(n: int, d: int) -> float:
    """Return P(n, d) = C(n, d)/2ⁿ: how probably a labelling drawn at random is separable.

    It is 1 up to n = d, exactly ½ at n = 2d, and falls to 0. That a lift to more dimensions makes separation more
    probable is said of labels drawn at random and of points in general position, of nothing else.

    >>> cover_probability(10, 5), round(cover_probability(20, 5), 6)
    (0.5, 0.009605)
    """
    n, d = check_number(n, "n", at_least=1, integer=True), check_number(d, "d", at_least=1, integer=True)
    if n > 2000:  # whole numbers of n bits become dear: the probability of at most d - 1 heads of n - 1
        from scipy.stats import binom  # which takes longer to import than all of this package

        return float(binom.cdf(d - 1, n - 1, 0.5))
    return float(Fraction(cover_count(n, d), 2**n))


def monomials(X: Any, degree: int) -> np.ndarray:
    """Return all products x_1^a_1 … x_d^a_d with Σ a_j ≤ degree, by rising degree: shape (n, C(d + degree, degree)).

    The hidden functions of a rational variety of order r [002, "Séparabilité"]; the first column is the constant
    φ_0 = 1. In the plane and with degree 2 these are 1, x1, x2, x1², x1·x2, x2².

    Parameters
    ----------
    X : (n, d) array
        points.
    degree : int ≥ 0
        the highest degree; 0 gives the constant alone.

    >>> monomials([[2.0, 3.0]], degree=2)
    array([[1., 2., 3., 4., 6., 9.]])
    """
    X = check_points(X)
    degree = check_number(degree, "degree", at_least=0, integer=True)
    count = comb(X.shape[1] + degree, degree)
    if count * len(X) > _MOST:
        raise ValueError(
            f"degree = {degree} in {X.shape[1]} variables are {count:,} products, for {len(X):,} points "
            f"{8 * count * len(X) / 1e9:,.1f} GB: take a smaller degree, or a kernel, Polynomial(degree={degree}), "
            "which needs none of them."
        )
    products, d = np.ones((len(X), count)), X.shape[1]
    end = at = 1  # of the products of j - 1 factors, and where the next ones go
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(1, degree + 1):
            for k in range(d):  # x_k times all of j - 1 factors x_k, …, x_d: these are the last ones
                many = comb(d - k + j - 2, j - 1)
                np.multiply(X[:, k, None], products[:, end - many : end], out=products[:, at : at + many])
                at += many
            end = at
    if not np.all(np.isfinite(products)):
        raise ValueError(f"products of {degree} entries of X overflow; scale X down, or take a smaller degree.")
    return products


def separating_weights(Phi: Any, y: Any, *, bias: bool = True) -> tuple[np.ndarray, float] | None:
    """Return (w, b) with y_i (wᵀφ(x_i) + b) > 0 for all i, or None if there is no such hyperplane.

    φ-separability [002, "Séparabilité"]. The source's definition has no b, and its own example, XOR under two
    Gaussians, is then *not* separable: with φ_0 = 1 it is. Among w and b of entries at most 1 those of the largest
    smallest y_i (wᵀφ_i + b)/‖(φ_i, 1)‖ are found by a linear program, so an answer proves itself.

    Parameters
    ----------
    Phi : (n, m) array
        the hidden layer's outputs φ(x_i), or the points themselves.
    y : (n,) array of -1 and +1
        the labelling; all of one sign is one, too.
    bias : bool
        whether b may differ from 0.

    >>> from kcourse.kernels import Gaussian
    >>> corners, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [1, 1, -1, -1]
    >>> Phi = Gaussian(0.5**0.5)(corners, [[1, 1], [0, 0]])
    >>> separating_weights(Phi, y, bias=False) is None
    True
    >>> w, b = separating_weights(Phi, y)
    >>> bool(np.all(np.array(y) * (Phi @ w + b) > 0))
    True
    """
    from scipy.optimize import linprog

    Phi = check_points(Phi, "Phi")
    y = check_targets(y, len(Phi))
    if y.ndim != 1 or not np.all(np.abs(y) == 1):
        raise ValueError(f"y must be (n,) labels -1 and +1, got values {np.unique(y)[:5]} of shape {y.shape}.")
    A = np.column_stack([Phi, np.ones(len(Phi))]) if bias else Phi
    length = np.linalg.norm(A, axis=1, keepdims=True)
    A = y[:, None] * A / np.where(length > 0, length, 1.0)
    # maximise t  subject to  y_i φ_iᵀw ≥ t,  |w_j| ≤ 1
    p = A.shape[1]
    found = linprog(
        np.append(np.zeros(p), -1.0), A_ub=np.column_stack([-A, np.ones(len(A))]), b_ub=np.zeros(len(A)),
        bounds=[(-1, 1)] * p + [(None, None)],
    )  # fmt: skip
    if found.x is None or not np.min(A @ found.x[:p]) > 1e-9:  # what the solver takes for 0
        return None
    w = found.x[:p]
    return (w[:-1], float(w[-1])) if bias else (w, 0.0)
