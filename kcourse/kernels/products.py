"""Kernels of the inner product xᵀz: linear, polynomial, and the sigmoid that is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Any, ClassVar

import numpy as np

from kcourse.base.linalg import of_inner_products
from kcourse.base.validation import check_number, check_points, check_positive, is_sparse
from kcourse.kernels.algebra import Kernel, Pull, put

__all__ = ["Linear", "Polynomial", "Sigmoid"]

_MANY = 1_000_000  # features: beyond, one would not want the explicit map


@dataclass(frozen=True)
class Linear(Kernel):
    """k(x, z) = xᵀz: the feature map is the point itself [003, "Métodos de kernel"].

    >>> Linear()([[1.0, 2.0]], [[3.0, -1.0], [3.0, 4.0]])
    array([[ 1., 11.]])
    """

    linear: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return inner(X, Z)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return squares(X)

    def features(self, X: Any) -> np.ndarray:
        """Return φ(x) = x, shape (n, d)."""
        return check_points(X, "X").copy()


@dataclass(frozen=True)
class Polynomial(Kernel):
    """k(x, z) = (u xᵀz + v)^p [002, "SVM non-linéaires"].

    The source allows any real u, v; a negative one can make the Gram matrix indefinite, so it is refused here.

    Parameters
    ----------
    u : float > 0
        scale of the inner product; scikit-learn's ``gamma``.
    v : float ≥ 0
        offset; 0 keeps only the monomials of degree p. scikit-learn's ``coef0``.
    p : int ≥ 1
        degree.

    >>> Polynomial(p=2, v=0.0)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[121.]])
    """

    u: float = 1.0
    v: float = 1.0
    p: int = 2
    takes_sparse: ClassVar[bool] = True
    _learnable: ClassVar[tuple[str, ...]] = ("u", "v")

    def __post_init__(self) -> None:
        put(self, "u", check_positive(self.u, "u", "a negative scale is not positive semi-definite."))
        why = "a negative offset is not positive semi-definite."
        put(self, "v", check_number(self.v, "v", at_least=0, why=why))
        put(self, "p", check_number(self.p, "p", at_least=1, integer=True))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return of_inner(X, Z, self._of_inner)

    def _of_inner(self, K: np.ndarray) -> None:
        K *= self.u
        K += self.v
        np.power(K, self.p, out=K)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return (self.u * squares(X) + self.v) ** self.p

    def features(self, X: Any) -> np.ndarray:
        """Return φ(x), shape (n, C(d+p, p)): the monomials up to degree p, or those of degree p if v = 0: C(d+p-1, p).

        The multinomial theorem gives the weight of x^a, |a| = j, in (u xᵀz + v)^p:
        √( p! / (a₁!…a_d! (p-j)!) · u^j v^(p-j) ).  They are ordered by degree.

        >>> Polynomial(v=0.0).features([[1.0, 2.0]]).round(4)
        array([[1.    , 2.8284, 4.    ]])
        """
        X = check_points(X, "X")
        d = X.shape[1]
        if comb(d + self.p, self.p) > _MANY:
            raise ValueError(
                f"the map has about {comb(d + self.p, self.p):.3g} features for d = {d} and p = {self.p}; "
                "use the kernel, which never forms them."
            )
        columns = []
        for j in range(self.p + 1) if self.v else [self.p]:
            for chosen in combinations_with_replacement(range(d), j):
                ways = factorial(self.p) // factorial(self.p - j)
                for i in set(chosen):
                    ways //= factorial(chosen.count(i))
                if ways.bit_length() > 1000:
                    raise ValueError(f"the map's weights overflow for p = {self.p}; use the kernel, which has none.")
                columns.append(np.sqrt(ways * self.u**j * self.v ** (self.p - j)) * X[:, chosen].prod(axis=1))
        return np.column_stack(columns)

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        T = self.u * inner(X, None)
        D = self.p * (T + self.v) ** (self.p - 1)  # ∂k/∂(u xᵀz + v)

        def pull(M: np.ndarray) -> np.ndarray:
            return np.array([np.sum(M * D * T), self.v * np.sum(M * D)][: len(self._learned())])

        return (T + self.v) ** self.p, pull


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """k(x, z) = tanh(u xᵀz + v) [001, "Exemples de noyaux"]: **indefinite**, as it says there.

    Unless u or v makes it trivial, some points give a Gram matrix that is not positive semi-definite. Solvers that
    need a positive one say so when it is not.

    Parameters
    ----------
    u : float
        scale of the inner product; scikit-learn's ``gamma``.
    v : float
        offset; scikit-learn's ``coef0``.

    >>> from kcourse import is_psd
    >>> is_psd(Sigmoid(u=1.0, v=-1.0)([[0.5], [2.0]]))
    False
    """

    u: float = 1.0
    v: float = 0.0
    takes_sparse: ClassVar[bool] = True
    sign: ClassVar[int] = 0
    definiteness: ClassVar[str] = "indefinite"

    def __post_init__(self) -> None:
        put(self, "u", check_number(self.u, "u"))
        put(self, "v", check_number(self.v, "v"))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return np.tanh(self.u * inner(X, Z) + self.v)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.tanh(self.u * squares(X) + self.v)


def inner(X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
    """Inner products; for one argument exactly symmetric, whatever order the product was summed in."""
    return of_inner(X, Z, lambda S: None)


def of_inner(X: np.ndarray, Z: np.ndarray | None, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """The same of g(xᵀz), where ``apply`` computes g in place."""
    if is_sparse(X, Z):
        from kcourse.base.sparse import sparse_inner

        K = sparse_inner(X, Z)
        apply(K)
        return K
    if Z is None:
        return of_inner_products(X, apply)
    K = X @ Z.T
    apply(K)
    return K


def squares(X: np.ndarray) -> np.ndarray:
    """xᵀx of each row."""
    if is_sparse(X):
        from kcourse.base.sparse import sparse_squares

        return sparse_squares(X)
    return np.einsum("ij,ij->i", X, X)
