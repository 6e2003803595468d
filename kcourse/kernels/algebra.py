"""The base class of kernels, and their combinations: sums, products, positive multiples, normalisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from kcourse.base.estimator import nested_params, route_params
from kcourse.base.linalg import in_strips, min_eigenvalue
from kcourse.base.validation import check_gram, check_no_overflow, check_number, check_points, is_sparse

__all__ = ["Constant", "Kernel", "Normalized", "Product", "Sum", "feature_distance", "gram", "is_psd"]

PSD = "positive semi-definite"

Pull = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Kernel:
    """Base class of kernels, which are symmetric functions k(x, z) of two points.

    Subclasses define ``_pairs(X, Z)``, the (n, m) matrix (``Z`` is None for the Gram matrix of ``X``), and
    ``_diag(X)``. By default a point is a row of an (n, d) array; a kernel of strings or graphs sets ``structured`` and
    overrides ``check_points``.

    Attributes
    ----------
    definiteness_sign, definiteness_order : int
        aᵀKa has this sign (or is 0) for all a with Σ a_i q(x_i) = 0 for every polynomial q of a degree below the
        order. For a positive semi-definite kernel the sign is 1 and the order 0; sign 0 means that nothing is known.
    definiteness : str
        the same in words: "positive semi-definite" if every Gram matrix is.
    structured : bool
        whether points are objects (strings, graphs) rather than rows of numbers.
    linear : bool
        whether k(x, z) = xᵀz, so that a kernel expansion is wᵀx.
    takes_sparse : bool
        whether points may be rows of a sparse matrix, which stays sparse: `Linear`, `Polynomial`, `Sigmoid`,
        `Gaussian`, and their sums, products and `Normalized` versions. Estimators that use only the kernel then
        also accept sparse points.
    theta, theta_names : (p,) array, tuple of str
        logarithms of the hyper-parameters that a Gaussian process can learn, and their names.
    """

    __array_ufunc__: ClassVar[None] = None  # so that np.float64(3) * k calls the kernel, not NumPy
    _learnable: ClassVar[tuple[str, ...]] = ()  # parameters > 0 whose logarithms are in theta

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        """Return the matrix of k(x_i, z_j), shape (n, m); with one argument the (n, n) Gram matrix."""
        gram = Z is None or Z is X
        X = self.check_points(X, "X")
        Z = None if gram else self.check_points(Z, "Z")
        if Z is not None and X.shape[1:] != Z.shape[1:]:
            raise ValueError(f"X has {X.shape[1]} feature(s) and Z has {Z.shape[1]}; both must have equally many.")
        if _ordinary(X) and (Z is None or _ordinary(Z)):
            return self._pairs(X, Z)
        with np.errstate(over="ignore", invalid="ignore"):
            K = self._pairs(X, Z)
        check_no_overflow(K)
        return K

    def diag(self, X: Any) -> np.ndarray:
        """Return k(x_i, x_i), shape (n,), without computing the Gram matrix."""
        X = self.check_points(X, "X")
        if _ordinary(X):
            return self._diag(X)
        with np.errstate(over="ignore", invalid="ignore"):
            values = self._diag(X)
        check_no_overflow(values, "the diagonal of the Gram matrix")
        return values

    # subclasses may override these properties with a ClassVar; for sums and products they depend on the parts

    @property
    def definiteness_sign(self) -> int:
        """Sign of aᵀKa for all a allowed by ``definiteness_order``."""
        return 1

    @property
    def definiteness_order(self) -> int:
        """Order of conditional definiteness: a must annihilate all polynomials of lower degree; 0 allows any a."""
        return 0

    @property
    def structured(self) -> bool:
        """Whether points are objects rather than rows of numbers."""
        return False

    @property
    def linear(self) -> bool:
        """Whether k(x, z) = xᵀz."""
        return False

    @property
    def takes_sparse(self) -> bool:
        """Whether the kernel accepts rows of sparse matrices without making them dense."""
        return False

    @property
    def definiteness(self) -> str:
        """Definiteness in words, from its sign and order."""
        sign, order = self.definiteness_sign, self.definiteness_order
        if order == 0 or sign == 0:
            return PSD if sign else "not known"
        return f"conditionally {'positive' if sign > 0 else 'negative'} definite of order {order}"

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as points that this kernel compares, or raise an error that says what is wrong."""
        if self.takes_sparse and is_sparse(X):
            from kcourse.base.sparse import check_sparse

            return check_sparse(X, name)
        return check_points(X, name)

    def on_points(self, X: Any) -> OnPoints:
        """Return this kernel bound to the points ``X``, for repeated access to parts of their Gram matrix."""
        return OnPoints(self, self.check_points(X, "X"))

    def features(self, X: Any) -> np.ndarray:
        """Return the features φ(x_i) as rows, k(x, z) = φ(x)ᵀφ(z), if the kernel has a finite feature map."""
        raise ValueError(
            f"{type(self).__name__} has no finite feature map here; use the kernel itself, or approximate its features "
            "with Nystrom or RandomFourierFeatures."
        )

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        raise NotImplementedError

    def _diag(self, X: np.ndarray) -> np.ndarray:
        raise NotImplementedError

    # -- algebra: sums, products and positive multiples of positive semi-definite kernels are positive semi-definite

    def __add__(self, other: Any) -> Kernel:
        other = _as_kernel(other, "+")
        return NotImplemented if other is None else Sum(self, other)

    def __radd__(self, other: Any) -> Kernel:
        if isinstance(other, Real) and other == 0:
            return self  # sum([k1, k2]) starts from 0
        other = _as_kernel(other, "+")
        return NotImplemented if other is None else Sum(other, self)

    def __mul__(self, other: Any) -> Kernel:
        other = _as_kernel(other, "*")
        return NotImplemented if other is None else Product(self, other)

    def __rmul__(self, other: Any) -> Kernel:
        other = _as_kernel(other, "*")
        return NotImplemented if other is None else Product(other, self)

    def __sub__(self, other: Any) -> Kernel:
        raise TypeError(
            "kernels are not subtracted: a difference need not be positive semi-definite, so it need not be a kernel."
        )

    __rsub__ = __sub__

    def __pow__(self, power: Any) -> Kernel:
        raise TypeError("k ** p is not defined: write k * k for the product of k with itself, or use Polynomial.")

    def __neg__(self) -> Kernel:
        raise TypeError("-k is not a kernel: its diagonal -k(x, x) would be a negative squared length.")

    # -- parameters by name, as scikit-learn's clone and grid searches use them (kernel__sigma)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; if ``deep``, also those of the parts (``left__sigma``)."""
        return nested_params({f.name: getattr(self, f.name) for f in fields(self)}, deep)

    def with_params(self, **params: Any) -> Kernel:
        """Return a copy with these parameters changed; ``part__name`` is a parameter of a part."""
        return replace(self, **route_params(self, {f.name for f in fields(self)}, params))

    # -- hyper-parameters as a vector of logarithms, for the optimisers of the Gaussian process

    @property
    def theta(self) -> np.ndarray:
        """Logarithms of the learnable hyper-parameters, shape (p,)."""
        return np.log([value for name in self._learned() for value in np.atleast_1d(getattr(self, name))])

    @property
    def theta_names(self) -> tuple[str, ...]:
        """Names of the entries of ``theta``: ``"sigma"``, ``"sigma[0]"``, ``"left__sigma"``."""
        names = []
        for name in self._learned():
            value = getattr(self, name)
            names += [f"{name}[{i}]" for i in range(len(value))] if isinstance(value, tuple) else [name]
        return tuple(names)

    def with_theta(self, theta: Any) -> Kernel:
        """Return a copy whose learnable hyper-parameters are exp(``theta``), in the order of ``theta_names``."""
        values, changed = list(_exp_theta(self, theta)), {}
        for name in self._learned():
            old = getattr(self, name)
            changed[name] = tuple(values.pop(0) for _ in old) if isinstance(old, tuple) else values.pop(0)
        return replace(self, **changed)

    def vjp(self, X: Any) -> tuple[np.ndarray, Pull]:
        """Return the Gram matrix K and the function M ↦ (Σ_ij M_ij ∂K_ij/∂θ_p)_p for symmetric M (n, n).

        This is a vector–Jacobian product: gradients of functions of K in θ then need no (n, n, p) array.
        """
        X = self.check_points(X, "X")
        return self._vjp(X)

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        if self._learned():
            raise NotImplementedError
        return self._pairs(X, None), lambda M: np.zeros(0)

    def _learned(self) -> list[str]:
        # a parameter that is 0 has no logarithm and stays 0
        return [name for name in self._learnable if getattr(self, name) != 0]


def _exp_theta(kernel: Kernel, theta: Any) -> np.ndarray:
    theta = np.asarray(theta, dtype=float)
    if theta.shape != kernel.theta.shape:
        raise ValueError(
            f"theta has shape {theta.shape}; expected {kernel.theta.shape}, the logarithms of {kernel.theta_names}."
        )
    return np.exp(theta)


class OnPoints:
    """Access to parts of the Gram matrix of ``kernel`` on n fixed points ``X``, which are already checked.

    A kernel that must prepare each point overrides `Kernel.on_points`, in order to do that work only once.

    >>> import numpy as np
    >>> from kcourse import Linear
    >>> Linear().on_points([[1.0], [2.0], [3.0]]).rows(np.array([2]))
    array([[3., 6., 9.]])
    """

    def __init__(self, kernel: Kernel, X: np.ndarray) -> None:
        self.kernel, self.X, self.n = kernel, X, len(X)

    def part(self, S: np.ndarray) -> OnPoints:
        """Return the kernel on the subset ``S`` of the points."""
        return OnPoints(self.kernel, self.X[S])

    def block(self, W: np.ndarray) -> np.ndarray:
        """Return the symmetric matrix K[W, W] for the indices ``W``."""
        return self.kernel(self.X[W])

    def rows(self, S: np.ndarray) -> np.ndarray:
        """Return K[S, :], shape (len(S), n)."""
        return self.kernel(self.X[S], self.X)

    def diagonal(self) -> np.ndarray:
        """Return K_ii for all i, shape (n,)."""
        return self.kernel.diag(self.X)


def _ordinary(X: np.ndarray) -> bool:
    """Return whether products of entries cannot overflow, so that values need no check; True for objects."""
    entries: Any = X.data if is_sparse(X) else X
    return X.ndim != 2 or entries.size == 0 or max(entries.max(), -entries.min()) < 1e100


def _as_kernel(value: Any, operation: str) -> Kernel | None:
    if isinstance(value, Kernel):
        return value
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, Real) or isinstance(value, (bool, np.bool_)):
        return None
    if value < 0:
        raise ValueError(
            f"k {operation} ({value:g}) is not a kernel: with a negative number the Gram matrix need not be "
            "positive semi-definite. Use a number of at least 0."
        )
    return Constant(float(value))


@dataclass(frozen=True)
class _Pair(Kernel):
    """Base class of combinations of two kernels on the same points."""

    left: Kernel
    right: Kernel

    @property
    def structured(self) -> bool:
        """Whether at least one part compares strings or graphs."""
        return self.left.structured or self.right.structured

    @property
    def takes_sparse(self) -> bool:
        """Whether both parts accept sparse points."""
        return self.left.takes_sparse and self.right.takes_sparse

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as points that both parts compare."""
        # a constant accepts any points, so the other part decides
        first, second = (self.right, self.left) if isinstance(self.left, Constant) else (self.left, self.right)
        X = first.check_points(X, name)
        return X if isinstance(second, Constant) else second.check_points(X, name)

    @property
    def theta(self) -> np.ndarray:
        """Logarithms of the learnable hyper-parameters of both parts."""
        return np.concatenate([self.left.theta, self.right.theta])

    @property
    def theta_names(self) -> tuple[str, ...]:
        """Names of the entries of ``theta``, with the prefix ``left__`` or ``right__``."""
        left, right = self.left.theta_names, self.right.theta_names
        return (*(f"left__{name}" for name in left), *(f"right__{name}" for name in right))

    def with_theta(self, theta: Any) -> Kernel:
        """Return a copy whose learnable hyper-parameters are exp(``theta``)."""
        _exp_theta(self, theta)
        theta, p = np.asarray(theta, dtype=float), len(self.left.theta)
        return replace(self, left=self.left.with_theta(theta[:p]), right=self.right.with_theta(theta[p:]))


@dataclass(frozen=True)
class Sum(_Pair):
    """Sum of two kernels, k(x, z) = left(x, z) + right(x, z), which concatenates their feature maps.

    >>> from kcourse import Linear
    >>> (Linear() + 1)([[2.0]], [[3.0]])
    array([[7.]])
    """

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        return self.left(X, Z) + self.right(X, Z)

    def diag(self, X: Any) -> np.ndarray:
        return self.left.diag(X) + self.right.diag(X)

    @property
    def definiteness_sign(self) -> int:
        """Common sign of both parts, for all a allowed by both orders; otherwise 0."""
        return self.left.definiteness_sign if self.left.definiteness_sign == self.right.definiteness_sign else 0

    @property
    def definiteness_order(self) -> int:
        """Larger order of the two parts, or 0 if nothing is known."""
        return max(self.left.definiteness_order, self.right.definiteness_order) if self.definiteness_sign else 0

    def features(self, X: Any) -> np.ndarray:
        """Return the concatenated features of both parts."""
        return np.hstack([self.left.features(X), self.right.features(X)])

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        (L, pull_left), (R, pull_right) = self.left._vjp(X), self.right._vjp(X)
        return L + R, lambda M: np.concatenate([pull_left(M), pull_right(M)])

    def __repr__(self) -> str:
        return " + ".join(_operands(self, bracketed=Sum))


@dataclass(frozen=True)
class Product(_Pair):
    """Product of two kernels, k(x, z) = left(x, z) · right(x, z), a kernel by Schur's product theorem.

    >>> from kcourse import Linear
    >>> (Linear() * Linear())([[2.0]], [[3.0]])
    array([[36.]])
    """

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        return self.left(X, Z) * self.right(X, Z)

    def diag(self, X: Any) -> np.ndarray:
        return self.left.diag(X) * self.right.diag(X)

    @property
    def _multiplied(self) -> Kernel | None:
        """Part that is multiplied by a constant, or None."""
        return (
            self.right if isinstance(self.left, Constant) else self.left if isinstance(self.right, Constant) else None
        )

    @property
    def definiteness_sign(self) -> int:
        """Sign of the part multiplied by a constant; else 1 if both parts are positive semi-definite, or 0."""
        if self._multiplied is not None:
            return self._multiplied.definiteness_sign
        return int(self.left.definiteness == self.right.definiteness == PSD)

    @property
    def definiteness_order(self) -> int:
        """Order of the part multiplied by a constant, or else 0."""
        return self._multiplied.definiteness_order if self._multiplied is not None else 0

    @property
    def definiteness(self) -> str:
        """Definiteness of the part multiplied by a constant, or else as the sign says."""
        return self._multiplied.definiteness if self._multiplied is not None else super().definiteness

    def features(self, X: Any) -> np.ndarray:
        """Return all products of a feature of one part with a feature of the other."""
        A, B = self.left.features(X), self.right.features(X)
        return (A[:, :, None] * B[:, None, :]).reshape(len(A), -1)

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        if isinstance(self.left, Constant) and self.left.value > 0:  # c · k without an (n, n) matrix for c
            c, (R, pull) = self.left.value, self.right._vjp(X)
            return c * R, lambda M: np.concatenate([[c * np.vdot(M, R)], c * pull(M)])
        (L, pull_left), (R, pull_right) = self.left._vjp(X), self.right._vjp(X)
        return L * R, lambda M: np.concatenate([pull_left(M * R), pull_right(M * L)])

    def __repr__(self) -> str:
        return " * ".join(_operands(self, bracketed=Product))


def _operands(pair: _Pair, bracketed: type) -> list[str]:
    """Return both parts as text that evaluates to the same kernel, with brackets and digits where needed."""
    parts = []
    for kernel, other in ((pair.left, pair.right), (pair.right, pair.left)):
        if isinstance(kernel, Constant) and kernel.value > 0 and not isinstance(other, Constant):
            short = f"{kernel.value:g}"
            parts.append(short if float(short) == kernel.value else repr(kernel.value))
        else:
            inside = (
                isinstance(kernel, Sum) and bracketed is Product or kernel is pair.right and type(kernel) is bracketed
            )
            parts.append(f"({kernel!r})" if inside else repr(kernel))
    return parts


@dataclass(frozen=True)
class Constant(Kernel):
    """Constant kernel k(x, z) = c ≥ 0, with the single feature √c.

    Added to another kernel, it gives the model a (penalised) constant term.

    >>> Constant(2.0)([[0.0], [1.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    value: float = 1.0
    takes_sparse: ClassVar[bool] = True
    _learnable: ClassVar[tuple[str, ...]] = ("value",)

    def __post_init__(self) -> None:
        why = "a negative constant is not positive semi-definite."
        put(self, "value", check_number(self.value, "value", at_least=0, why=why))

    def __call__(self, X: Any, Z: Any = None) -> np.ndarray:
        # only the number of points matters, so any kind of point is accepted
        return np.full((_many(X), _many(X if Z is None else Z)), self.value)

    def diag(self, X: Any) -> np.ndarray:
        return np.full(_many(X), self.value)

    def features(self, X: Any) -> np.ndarray:
        """Return √c for each point, shape (n, 1)."""
        return np.full((len(X), 1), np.sqrt(self.value))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        return self(X), lambda M: np.array([self.value * M.sum()][: len(self._learned())])


@dataclass(frozen=True)
class Normalized(Kernel):
    """Normalised kernel k(x, z) / √(k(x, x) k(z, z)), the cosine of the angle between φ(x) and φ(z).

    It removes the effect of the length of φ(x), for example of the length of a string or the size of a graph.

    Raises
    ------
    ValueError
        when called with a point whose k(x, x) is 0, because it has no direction.

    >>> import kcourse
    >>> kcourse.Normalized(kcourse.Linear())([[3.0, 0.0]], [[2.0, 2.0]]).round(4)
    array([[0.7071]])
    """

    kernel: Kernel

    def __post_init__(self) -> None:
        if not isinstance(self.kernel, Kernel):
            raise TypeError(f"kernel must be a Kernel, such as Normalized(Linear()), got {self.kernel!r}.")

    @property
    def structured(self) -> bool:
        """Whether the kernel compares strings or graphs."""
        return self.kernel.structured

    @property
    def takes_sparse(self) -> bool:
        """Whether the kernel accepts sparse points."""
        return self.kernel.takes_sparse

    @property
    def definiteness_sign(self) -> int:
        """Sign of the kernel, because a congruence does not change it."""
        return self.kernel.definiteness_sign

    @property
    def definiteness_order(self) -> int:
        """Order of the kernel."""
        return self.kernel.definiteness_order

    @property
    def definiteness(self) -> str:
        """Definiteness of the kernel."""
        return self.kernel.definiteness

    def check_points(self, X: Any, name: str = "X") -> np.ndarray:
        """Return ``X`` as points that the kernel compares."""
        return self.kernel.check_points(X, name)

    @property
    def theta(self) -> np.ndarray:
        """Logarithms of the kernel's learnable hyper-parameters."""
        return self.kernel.theta

    @property
    def theta_names(self) -> tuple[str, ...]:
        """Names of the entries of ``theta``, such as ``"kernel__sigma"``."""
        return tuple(f"kernel__{name}" for name in self.kernel.theta_names)

    def with_theta(self, theta: Any) -> Kernel:
        """Return a copy whose kernel has the hyper-parameters exp(``theta``)."""
        return replace(self, kernel=self.kernel.with_theta(theta))

    def _vjp(self, X: np.ndarray) -> tuple[np.ndarray, Pull]:
        K, pull = self.kernel._vjp(X)
        inverse = 1 / self._lengths(X, "X")
        C = K * np.outer(inverse, inverse)

        def pull_normalized(M: np.ndarray) -> np.ndarray:
            # ∂(K_ij/(l_i l_j)) = ∂K_ij/(l_i l_j) - ½ C_ij (∂K_ii/K_ii + ∂K_jj/K_jj)
            W = M * np.outer(inverse, inverse)
            W.flat[:: len(W) + 1] -= (M * C).sum(axis=1) * inverse**2
            return pull(W)

        return C, pull_normalized

    def _pairs(self, X: np.ndarray, Z: np.ndarray | None) -> np.ndarray:
        K = self.kernel(X, Z)
        lengths = self._lengths(X, "X")
        if Z is not None:
            return K / lengths[:, None] / self._lengths(Z, "Z")
        K = K / (lengths[:, None] * lengths)  # dividing once keeps the result symmetric to the last bit
        np.fill_diagonal(K, 1.0)
        return K

    def _lengths(self, X: np.ndarray, name: str) -> np.ndarray:
        squares = self.kernel.diag(X)
        if not np.all(squares > 0):
            i = int(np.flatnonzero(~(squares > 0))[0])
            raise ValueError(
                f"{name}[{i}] has k(x, x) = {squares[i]:g}, so it has no direction and cannot be normalised; leave it "
                "out, or add a Constant to the kernel first."
            )
        return np.sqrt(squares)

    def _diag(self, X: np.ndarray) -> np.ndarray:
        self._lengths(X, "X")
        return np.ones(len(X))


def _many(X: Any) -> int:
    """Return the number of points."""
    return X.shape[0] if is_sparse(X) else len(X)


def put(kernel: Kernel, name: str, value: Any) -> None:
    """Set a checked parameter of a frozen kernel; only for use in its constructor."""
    object.__setattr__(kernel, name, value)


def gram(kernel: Callable, X: Any, Z: Any = None) -> np.ndarray:
    """Return ``kernel(X, Z)`` from a Kernel or from any function (X, Z) -> (n, m), as an array that may be changed.

    The result of a user's function is checked for shape, finite numbers and, without ``Z``, symmetry, and copied,
    because solvers factorise it in place.
    """
    if isinstance(kernel, Kernel):
        return kernel(X, Z)
    K = kernel(X, X if Z is None else Z)
    expected = (len(X), len(X if Z is None else Z))
    if np.shape(K) != expected:
        raise ValueError(
            f"the kernel returned shape {np.shape(K)} for {expected[0]} and {expected[1]} points; expected {expected}."
        )
    if Z is None:
        return np.array(check_gram(K, "kernel(X, X)"), order="C")
    return np.array(check_points(K, "kernel(X, Z)"), order="C")


def expansion(kernel: Callable, X: np.ndarray, Z: np.ndarray, coef: np.ndarray) -> np.ndarray:
    """Return f(x) = Σ_j c_j k(x, z_j) for each row of ``X`` (q, d), from strips of 16 MB of kernel values.

    ``coef`` is (m,) or (m, t), and the result (q,) or (q, t).
    """
    return in_strips(lambda rows: gram(kernel, rows, Z) @ coef, X, len(Z))


def gram_diag(kernel: Callable, X: np.ndarray) -> np.ndarray:
    """Return k(x_i, x_i), shape (n,), from a Kernel or (point by point) from any function (X, Z) -> (n, m)."""
    if isinstance(kernel, Kernel):
        return kernel.diag(X)
    return np.array([gram(kernel, X[i : i + 1], X[i : i + 1])[0, 0] for i in range(len(X))])


def feature_distance(kernel: Callable, X: Any, Z: Any = None) -> np.ndarray:
    """Return distances in feature space ‖φ(x_i) - φ(z_j)‖, shape (n, m), computed from kernel values only.

    ‖φ(x) - φ(z)‖² = k(x, x) + k(z, z) - 2 k(x, z)  [chapter 2].

    Raises
    ------
    ValueError
        if a square is negative beyond rounding, because then the kernel is not positive semi-definite and has no φ.

    >>> from kcourse import Gaussian, feature_distance
    >>> feature_distance(Gaussian(1.0), [[0.0]], [[0.0], [1.0], [100.0]]).round(4)
    array([[0.    , 0.8871, 1.4142]])
    """
    K = gram(kernel, X, Z)
    if Z is None:
        a = b = K.diagonal()
    else:
        a, b = gram_diag(kernel, np.asarray(X)), gram_diag(kernel, np.asarray(Z))
    S = a[:, None] + b - 2 * K
    rounding = 1e-12 * max(np.abs(a).max(), np.abs(b).max())
    if S.min() < -rounding:
        raise ValueError(
            f"a squared distance is {S.min():.3g} < 0: the kernel is not positive semi-definite on these points, so "
            "it has no feature space."
        )
    return np.sqrt(np.maximum(S, 0.0))


def is_psd(K: Any, tol: float = 1e-10) -> bool:
    """Return whether ``K`` is positive semi-definite: symmetric, without an eigenvalue below -tol · max|K|.

    Parameters
    ----------
    K : (n, n) array
        candidate for a Gram matrix.
    tol : float
        tolerance for rounding, relative to the largest entry in absolute value.

    >>> is_psd([[1.0, -0.5], [-0.5, 1.0]]), is_psd([[1.0, 2.0], [2.0, 1.0]]), is_psd([[1.0, 1.0], [-1.0, 1.0]])
    (True, False, False)
    """
    try:
        K = check_gram(K)
    except ValueError as error:
        if "not symmetric" in str(error):
            return False
        raise
    return min_eigenvalue(K) >= -tol * float(np.max(np.abs(K)))
