"""Linear separability: Cover's theorem, and a test of φ-separability [002, "Séparabilité"]."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np

from kcourse.base.validation import check_number, check_points, check_targets

__all__ = ["cover_count", "cover_probability", "monomials", "separating_weights"]

_MOST = 10**8  # maximum number of entries in a table of products


def cover_count(n: int, d: int) -> int:
    """Return Cover's count C(n, d) = 2 Σ_{k<d} C(n-1, k) of labellings that a hyperplane through 0 can separate.

    [002, "Théorème sur la séparabilité de patrons"; Cover 1965]. These are C(n, d) of the 2ⁿ labellings of n points in
    **general position** in R^d (any d of them linearly independent); otherwise there are fewer. A hyperplane with an
    offset in R^d is one through 0 in R^(d+1): pass d + 1. The recursion is C(n, d) = C(n-1, d) + C(n-1, d-1).

    Parameters
    ----------
    n : int ≥ 1
        number of points.
    d : int ≥ 1
        dimension of the space, or of the hidden space if there is one.

    Returns
    -------
    int
        the exact count, however large.

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
    """Return P(n, d) = C(n, d)/2ⁿ, the probability that a random labelling is linearly separable.

    It is 1 up to n = d, exactly ½ at n = 2d, and then falls to 0. That mapping the points to a higher dimension makes
    separation more probable holds only for random labels and points in general position.

    >>> cover_probability(10, 5), round(cover_probability(20, 5), 6)
    (0.5, 0.009605)
    """
    n, d = check_number(n, "n", at_least=1, integer=True), check_number(d, "d", at_least=1, integer=True)
    if n > 2000:  # integers of n bits are slow; P is the probability of at most d - 1 heads in n - 1 tosses
        from scipy.stats import binom  # slow to import

        return float(binom.cdf(d - 1, n - 1, 0.5))
    return float(Fraction(cover_count(n, d), 2**n))


def monomials(X: Any, degree: int) -> np.ndarray:
    """Return all monomials x_1^a_1 … x_d^a_d with Σ a_j ≤ degree, by rising degree: shape (n, C(d + degree, degree)).

    The hidden functions of a rational variety of order r [002, "Séparabilité"]; the first column is the constant
    φ_0 = 1. For d = 2 and degree 2 the columns are 1, x1, x2, x1², x1·x2, x2².

    Parameters
    ----------
    X : (n, d) array
        points.
    degree : int ≥ 0
        maximum degree; 0 gives only the constant.

    >>> monomials([[2.0, 3.0]], degree=2)
    array([[1., 2., 3., 4., 6., 9.]])
    """
    X = check_points(X)
    degree = check_number(degree, "degree", at_least=0, integer=True)
    count = comb(X.shape[1] + degree, degree)
    if count * len(X) > _MOST:
        raise ValueError(
            f"degree = {degree} in {X.shape[1]} variables gives {count:,} products, which for {len(X):,} points take "
            f"{8 * count * len(X) / 1e9:,.1f} GB: take a smaller degree, or the kernel Polynomial(degree={degree}), "
            "which does not compute them."
        )
    products, d = np.ones((len(X), count)), X.shape[1]
    end = at = 1  # end of the products of j - 1 factors, and start of the next ones
    with np.errstate(over="ignore", invalid="ignore"):
        for j in range(1, degree + 1):
            for k in range(d):  # x_k times all products of j - 1 factors x_k, …, x_d, which are the last ones
                many = comb(d - k + j - 2, j - 1)
                np.multiply(X[:, k, None], products[:, end - many : end], out=products[:, at : at + many])
                at += many
            end = at
    if not np.all(np.isfinite(products)):
        raise ValueError(f"products of {degree} entries of X overflow; scale X down, or take a smaller degree.")
    return products


def separating_weights(Phi: Any, y: Any, *, bias: bool = True) -> tuple[np.ndarray, float] | None:
    """Return (w, b) with y_i (wᵀφ(x_i) + b) > 0 for all i, or None if no such hyperplane exists.

    Test of φ-separability [002, "Séparabilité"]. The source's definition has no b, and its own example, XOR under two
    Gaussians, is then *not* separable; with φ_0 = 1 it is. A linear program maximises the minimum of
    y_i (wᵀφ_i + b)/‖(φ_i, 1)‖ over all w and b with entries in [-1, 1]; a solution (w, b) proves separability.

    Parameters
    ----------
    Phi : (n, m) array
        the hidden layer's outputs φ(x_i), or the points themselves.
    y : (n,) array of -1 and +1
        the labelling; all labels may have the same sign.
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
    if found.x is None or not np.min(A @ found.x[:p]) > 1e-9:  # the solver's tolerance
        return None
    w = found.x[:p]
    return (w[:-1], float(w[-1])) if bias else (w, 0.0)
