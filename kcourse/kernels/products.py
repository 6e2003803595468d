"""Functions of the inner product xᵀz: linear and polynomial kernels, and the sigmoid, which is indefinite."""

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

_MANY = 1_000_000  # largest number of features for which the explicit map is computed


@dataclass(frozen=True)
class Linear(Kernel):
    """Linear kernel k(x, z) = xᵀz, whose feature map is the identity [003, "Métodos de kernel"].

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
        """Return the features φ(x) = x, shape (n, d)."""
        return check_points(X, "X").copy()


@dataclass(frozen=True)
class Polynomial(Kernel):
    """Polynomial kernel k(x, z) = (γ xᵀz + c₀)^d [002, "SVM non-linéaires": u, v and p].

    The source allows any real γ and c₀, but negative values can make the Gram matrix indefinite and are an error here.

    Parameters
    ----------
    gamma : float > 0
        scale γ of the inner product.
    coef0 : float ≥ 0
        offset c₀; 0 keeps only the monomials of the highest degree.
    degree : int ≥ 1
        degree d.

    >>> Polynomial(degree=2, coef0=0.0)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[121.]])
    """

    gamma: float = 1.0
    coef0: float = 1.0
    degree: int = 2
    takes_sparse: ClassVar[bool] = True
    _learnable: ClassVar[tuple[str, ...]] = ("gamma", "coef0")

    def __post_init__(self) -> None:
        put(self, "gamma", check_positive(self.gamma, "gamma", "a negative scale is not positive semi-definite."))
        why = "a negative offset is not positive semi-definite."
        put(self, "coef0", check_number(self.coef0, "coef0", at_least=0, why=why))
        put(self, "degree", check_number(self.degree, "degree", at_least=1, integer=True))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return of_inner(X, Z, self._of_inner)

    def _of_inner(self, K: np.ndarray) -> None:
        K *= self.gamma
        K += self.coef0
        np.power(K, self.degree, out=K)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return (self.gamma * squares(X) + self.coef0) ** self.degree

    def features(self, X: Any) -> np.ndarray:
        """Return the features, shape (n, C(m+d, d)) for m columns: monomials up to degree d, for c₀ = 0 of degree d.

        By the multinomial theorem, the weight of x^a with |a| = j is √( d! / (a₁!…a_m! (d-j)!) · γ^j c₀^(d-j) ).
        The monomials are ordered by degree.

        >>> Polynomial(coef0=0.0).features([[1.0, 2.0]]).round(4)
        array([[1.    , 2.8284, 4.    ]])
        """
        X = check_points(X, "X")
        d, p = X.shape[1], self.degree
        if comb(d + p, p) > _MANY:
            raise ValueError(
                f"the map has about {comb(d + p, p):.3g} features for d = {d} and degree {p}; "
                "use the kernel, which does not compute them."
            )
        columns = []
        for j in range(p + 1) if self.coef0 else [p]:
            for chosen in combinations_with_replacement(range(d), j):
                ways = factorial(p) // factorial(p - j)
                for i in set(chosen):
                    ways //= factorial(chosen.count(i))
                if ways.bit_length() > 1000:
                    raise ValueError(f"the map's weights overflow for degree {p}; use the kernel itself instead.")
                columns.append(np.sqrt(ways * self.gamma**j * self.coef0 ** (p - j)) * X[:, chosen].prod(axis=1))
        return np.column_stack(columns)

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        T = self.gamma * inner(X, None)
        D = self.degree * (T + self.coef0) ** (self.degree - 1)  # ∂k/∂(γ xᵀz + c₀)

        def pull(M: np.ndarray) -> np.ndarray:
            return np.array([np.sum(M * D * T), self.coef0 * np.sum(M * D)][: len(self._learned())])

        return (T + self.coef0) ** self.degree, pull


@dataclass(frozen=True)
class Sigmoid(Kernel):
    """Sigmoid kernel k(x, z) = tanh(γ xᵀz + c₀) [001, "Exemples de noyaux"], which is **indefinite** (see the source).

    Except for trivial γ or c₀, some points give a Gram matrix that is not positive semi-definite. Solvers that
    require a positive definite matrix then raise an error.

    Parameters
    ----------
    gamma : float
        scale γ of the inner product.
    coef0 : float
        offset c₀.

    >>> from kcourse import is_psd
    >>> is_psd(Sigmoid(gamma=1.0, coef0=-1.0)([[0.5], [2.0]]))
    False
    """

    gamma: float = 1.0
    coef0: float = 0.0
    takes_sparse: ClassVar[bool] = True
    definiteness_sign: ClassVar[int] = 0
    definiteness: ClassVar[str] = "indefinite"

    def __post_init__(self) -> None:
        put(self, "gamma", check_number(self.gamma, "gamma"))
        put(self, "coef0", check_number(self.coef0, "coef0"))

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        return np.tanh(self.gamma * inner(X, Z) + self.coef0)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        return np.tanh(self.gamma * squares(X) + self.coef0)


def inner(X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
    """Return the matrix of inner products; for one argument it is symmetric to the last bit."""
    return of_inner(X, Z, lambda S: None)


def of_inner(X: np.ndarray, Z: np.ndarray | None, apply: Callable[[np.ndarray], object]) -> np.ndarray:
    """Return the matrix of g(xᵀz), where ``apply`` computes g in place; symmetric for one argument."""
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
    """Return xᵀx of each row."""
    if is_sparse(X):
        from kcourse.base.sparse import sparse_squares

        return sparse_squares(X)
    return np.einsum("ij,ij->i", X, X)
