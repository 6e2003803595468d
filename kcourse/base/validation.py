"""Validation of arguments, with error messages that say how to fix them.

Each function returns the argument in the form that the solvers use (float64, correct number of dimensions) or raises
an error that names the argument, the value received and the fix. Nothing is reshaped, clipped or repaired. Points and
targets are returned in C order, because sums over another memory layout round differently.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from numbers import Integral, Real
from typing import Any, Literal, overload

import numpy as np

__all__ = [
    "check_flag",
    "check_gram",
    "check_kernel",
    "check_labels",
    "check_magnitude",
    "check_no_overflow",
    "check_number",
    "check_points",
    "check_positive",
    "check_rng",
    "check_same_length",
    "check_squares",
    "check_targets",
    "check_weights",
    "is_sparse",
    "stacked",
]


def check_points(X: Any, name: str = "X", *, n_features: int | None = None, order: str = "C") -> np.ndarray:
    """Return ``X`` as points: a finite (n, d) float64 array with n, d ≥ 1 and, if given, d = ``n_features``.

    In C order, or with ``order="K"`` in its present memory layout, without a copy.
    """
    X = _numeric(X, name, order)
    if X.ndim == 1:
        raise ValueError(
            f"{name} has shape {X.shape}; for one feature per point write {name}[:, None], "
            f"for one point with {X.size} features {name}[None, :]. Reshape your data."
        )
    if X.ndim != 2:
        raise ValueError(
            f"{name} has shape {X.shape}; expected (n, d): a row per point, a column per feature. Reshape your data."
        )
    n, d = X.shape
    if n == 0:
        raise ValueError(f"{name} is empty: found 0 sample(s) (shape={X.shape}) while a minimum of 1 is required.")
    if d == 0:
        raise ValueError(f"{name} has 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")
    _finite(X, name)
    _check_features(X, name, n_features)
    return X


def _check_features(X: Any, name: str, n_features: int | None) -> None:
    if n_features is not None and X.shape[1] != n_features:
        raise ValueError(f"{name} has shape {X.shape}; expected {n_features} feature(s) (columns), as in X.")


def is_sparse(*points: Any) -> bool:
    """Return whether at least one of the arguments is sparse."""
    return any(hasattr(X, "tocsr") for X in points)


def stacked(parts: list[Any]) -> Any:
    """Return the arrays of points stacked vertically; sparse if at least one of them is."""
    if is_sparse(*parts):
        from scipy.sparse import csr_array, vstack

        from kcourse.base.sparse import SparsePoints

        # plain arrays, because NumPy would iterate over every entry of an object that has a length
        return SparsePoints(vstack([csr_array(part) for part in parts], format="csr"))
    return np.concatenate(parts)


def check_points_of(kernel: Any, X: Any, name: str = "X", *, n_features: int | None = None) -> Any:
    """Return ``X`` as points that ``kernel`` compares: rows of numbers, or objects for a structured kernel."""
    if getattr(kernel, "structured", False):
        return kernel.check_points(X, name)
    own = is_sparse(X) and getattr(kernel, "takes_sparse", False) is True
    X = kernel.check_points(X, name) if own else check_points(X, name)
    _check_features(X, name, n_features)
    return X


def check_targets(y: Any, n: int, name: str = "y") -> np.ndarray:
    """Return ``y`` as real targets: finite float64, (n,) or (n, t) for t outputs at once."""
    if y is None:
        raise ValueError(f"this fit requires y to be passed, but the target y is None; pass the (n,) values {name}.")
    y = _numeric(y, name, "C")
    if y.ndim not in (1, 2) or (y.ndim == 2 and y.shape[1] == 0):
        raise ValueError(f"{name} has shape {y.shape}; expected (n,), or (n, t) for t targets at once.")
    check_same_length(y, n, name)
    _finite(y, name)
    check_magnitude(y, name)
    return y


def check_weights(w: Any, n: int, name: str = "sample_weight") -> np.ndarray | None:
    """Return ``w`` as the weights of n points: (n,) finite float64 ≥ 0 and not all 0; None stays None."""
    if w is None:
        return None
    w = _numeric(w, name, "C")
    if w.ndim != 1:
        raise ValueError(f"{name} has shape {w.shape}; sample weights must be 1D: (n,), one for each row of X.")
    check_same_length(w, n, name)
    _finite(w, name)
    if w.min() < 0:
        i = int(np.argmin(w))
        raise ValueError(f"{name}[{i}] is {w[i]:g}; a weight must be at least 0, because it counts copies of a point.")
    beyond = (w > 0) & ((w < 1e-150) | (w > 1e150))
    if beyond.any():
        raise ValueError(
            f"{name}[{int(np.argmax(beyond))}] is {w[beyond][0]:g}; positive weights must lie between 1e-150 and "
            "1e150, so that sums of their products neither overflow nor underflow."
        )
    if not w.any():
        raise ValueError(
            f"{name}: all {n} weights are zero, so no point is left; give at least one point a positive weight."
        )
    return w


def check_labels(y: Any, n: int, name: str = "y") -> np.ndarray:
    """Return ``y`` as class labels: (n,) whole numbers, booleans or strings, with their type unchanged.

    A column (n, 1) is accepted with a warning, as in scikit-learn.
    """
    if y is None:
        raise ValueError(f"this fit requires y to be passed, but the target y is None; pass the (n,) labels {name}.")
    _refuse_container(y, name)
    if hasattr(y, "tocsr"):
        raise TypeError(f"{name} is a sparse matrix; labels must be an array: pass {name}.toarray().ravel().")
    given, y = y, _as_array(y, name)
    if y.dtype.kind == "U" and not hasattr(given, "dtype"):
        y = np.asarray(given, dtype=object)  # NumPy would turn the 1 in ["a", 1] into "1"
    if y.ndim == 2 and y.shape[1] == 1:
        y = only_column(y, name)
    if y.ndim != 1:
        raise ValueError(f"{name} has shape {y.shape}; expected (n,), one label for each row of X.")
    check_same_length(y, n, name)
    if y.dtype.kind == "O":
        y = _homogeneous(y, name)
    if y.dtype.kind == "f":
        _finite(y, name)
        if np.any(y != np.floor(y)):
            first = y[y != np.floor(y)][0]
            raise ValueError(
                f"Unknown label type: {name} is continuous (it has {first:g}); labels are whole numbers or strings. "
                "For real targets, use a regressor."
            )
    elif y.dtype.kind not in "iubU":
        raise TypeError(f"{name} holds {y.dtype} entries; labels are whole numbers, booleans or strings.")
    return y


def _homogeneous(y: np.ndarray, name: str) -> np.ndarray:
    """Return an object array as strings or as numbers if all entries are; otherwise raise an error."""
    _refuse_missing(y, name)
    if all(isinstance(label, str) for label in y):
        if any(label.endswith("\0") for label in y):
            raise ValueError(f"{name} has labels that end in a null character, which NumPy drops; strip it off.")
        return y.astype(str)
    if all(isinstance(label, Real) for label in y):
        numbers = np.array(y.tolist())
        if numbers.dtype.kind == "O":
            raise ValueError(f"{name} has a label beyond the 64-bit integers; number the classes 0, 1, …")
        return numbers
    kinds = sorted({type(label).__name__ for label in y})
    raise TypeError(f"{name} mixes labels of type {', '.join(kinds)}; use all strings or all whole numbers.")


def only_column(y: np.ndarray, name: str = "y") -> np.ndarray:
    """Return the column of an (n, 1) array, with the warning that scikit-learn gives."""
    warnings.warn(
        f"A column-vector y was passed when a 1d array was expected: {name} has shape {y.shape}; pass {name}.ravel().",
        _conversion_warning(),
        stacklevel=4,
    )
    return y[:, 0]


def _conversion_warning() -> type[Warning]:
    """Return scikit-learn's class of this warning if it is loaded, so that users' warning filters apply."""
    exceptions = sys.modules.get("sklearn.exceptions")
    return exceptions.DataConversionWarning if exceptions else UserWarning


def check_same_length(y: np.ndarray, n: int, name: str = "y", of: str = "X") -> None:
    """Raise unless ``y`` has one entry for each of the ``n`` rows of ``of``."""
    if len(y) != n:
        raise ValueError(
            f"{name} has {len(y)} entries and {of} has {n} rows; they must match, one entry of {name} for each row."
        )


def check_gram(K: Any, name: str = "K") -> np.ndarray:
    """Return ``K`` as a Gram matrix: finite (n, n) float64, symmetric to rounding.

    Definiteness is not checked here, because that costs O(n³); a factorisation reports it if it fails.
    """
    K = _numeric(K, name)
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(
            f"{name} has shape {K.shape}; a Gram matrix is square, one row and one column for each point: "
            "pass kernel(X), not kernel(X, Z)."
        )
    if K.shape[0] == 0:
        raise ValueError(f"{name} is empty (shape {K.shape}); at least one point is needed.")
    _finite(K, name)
    gap = float(np.max(np.abs(K - K.T)))
    if gap > 1e-8 * max(float(np.max(np.abs(K))), np.finfo(float).tiny):
        raise ValueError(
            f"{name} is not symmetric: max |K - Kᵀ| = {gap:.3g}. If the kernel is symmetric and this is rounding, "
            f"pass ({name} + {name}.T) / 2."
        )
    return K


def check_positive(value: Any, name: str, why: str = "") -> float:
    """Return ``value`` as a finite float > 0; ``why`` ends the sentence of the error."""
    value = check_number(value, name)
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value:g}{'; ' + why if why else '.'}")
    return value


@overload
def check_number(
    value: Any, name: str, *, at_least: float | None = None, integer: Literal[True], why: str = ""
) -> int: ...
@overload
def check_number(value: Any, name: str, *, at_least: float | None = None, why: str = "") -> float: ...
def check_number(
    value: Any, name: str, *, at_least: float | None = None, integer: bool = False, why: str = ""
) -> float | int:
    """Return ``value`` as a finite float (or an int), at least ``at_least``."""
    kind = Integral if integer else Real
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, kind) or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be {'an integer' if integer else 'a number'}, got {_what(value)}.")
    value = int(value) if integer else float(value)
    if not np.isfinite(value):
        raise ValueError(f"{name} must be finite, got {value}.")
    if at_least is not None and value < at_least:
        raise ValueError(f"{name} must be at least {at_least:g}, got {value:g}{'; ' + why if why else '.'}")
    return value


def check_flag(value: Any, name: str) -> bool:
    """Return ``value`` if it is True or False; anything else, even 0 or 1, is an error."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {_what(value)}.")
    return bool(value)


def check_rng(rng: Any, name: str = "rng") -> np.random.Generator:
    """Return a Generator from ``rng``, an int seed or a Generator. Everything random in kcourse requires one."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, Integral) and not isinstance(rng, (bool, np.bool_)):
        if rng < 0:
            raise ValueError(f"{name} is the seed {rng}; seeds start at 0.")
        return np.random.default_rng(int(rng))
    raise TypeError(
        f"{name} must be an integer seed or a numpy Generator, got {_what(rng)}; "
        f"write {name}=0, or {name}=np.random.default_rng(0), so that the result can be reproduced."
    )


def check_kernel(kernel: Any, name: str = "kernel") -> Callable:
    """Return ``kernel`` if it can be called as ``kernel(X, Z)``."""
    if isinstance(kernel, type):
        raise TypeError(f"{name} is the class {kernel.__name__}; pass an instance, such as {kernel.__name__}().")
    if not callable(kernel):
        raise TypeError(
            f"{name} must be a kernel such as Gaussian(sigma=1.0), or any function (X, Z) -> (n, m); "
            f"got {_what(kernel)}."
        )
    return kernel


def _numeric(a: Any, name: str, order: str = "K") -> np.ndarray:
    """Return ``a`` as a float64 array in this order, without a copy if it is one already."""
    if hasattr(a, "tocsr"):
        raise TypeError(f"{name} is a sparse matrix; a dense array is needed here: pass {name}.toarray().")
    _refuse_container(a, name)
    raw = _as_array(a, name)
    if raw.dtype.kind == "c":
        raise ValueError(f"{name} is complex. Complex data not supported: pass its real part or its modulus.")
    if raw.dtype.kind not in "fiubO":
        raise TypeError(f"{name} holds {raw.dtype} entries, not numbers; encode them as numbers first.")
    try:
        return np.asarray(raw, dtype=np.float64, order=order)
    except OverflowError:
        raise ValueError(f"{name} has an integer beyond 1.8e308, the largest float64; scale {name} down.") from None
    except (TypeError, ValueError) as error:
        _refuse_missing(raw, name)
        raise type(error)(f"{name} holds entries that are not numbers: {error}") from None


def _refuse_container(a: Any, name: str) -> None:
    if isinstance(a, Iterator):
        raise TypeError(f"{name} is a {type(a).__name__}, which can be read only once; pass list({name}).")
    if isinstance(a, np.ma.MaskedArray) and np.ma.is_masked(a):
        raise ValueError(f"{name} has masked entries; drop those rows, or fill them with {name}.filled(value).")


def _as_array(a: Any, name: str) -> np.ndarray:
    try:
        return np.asarray(a)
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name} cannot be made an array: {error}") from None


def _refuse_missing(a: np.ndarray, name: str) -> None:
    """Raise if some of these objects are None, NaN, or pandas' NA or NaT."""

    def is_missing(value: Any) -> bool:
        nan = isinstance(value, Real) and value != value
        return nan or value is None or type(value).__name__ in ("NAType", "NaTType")

    missing = [i for i in np.ndindex(a.shape) if is_missing(a[i])]
    if missing:
        first = missing[0] if a.ndim > 1 else missing[0][0]
        raise ValueError(
            f"{name} has missing values (None, NaN or NA: {len(missing)} of {a.size} entries, the first at {first}); "
            "drop those rows or fill them in before fitting."
        )


def check_no_overflow(values: np.ndarray, name: str = "the Gram matrix") -> None:
    """Raise if kernel values are not finite. The diagonal is enough for a Gram matrix, as |K_ij|² ≤ K_ii K_jj."""
    if not np.all(np.isfinite(values)):
        raise ValueError(f"{name} has infinite or NaN entries: the kernel overflows on these points; scale X down.")


def check_magnitude(values: np.ndarray, name: str = "X", most: str = "1e150") -> None:
    """Raise if squares of these numbers or sums of squares could overflow; ``most`` is the limit as message text."""
    entries = values.data if is_sparse(values) else values
    if np.abs(entries).max(initial=0.0) > float(most):
        raise ValueError(f"{name} has entries beyond ±{most}, whose squares overflow; scale {name} down.")


def check_squares(X: np.ndarray, name: str = "X") -> None:
    """Raise if squared distances of these points overflow, or if they are 0 although the points differ."""
    check_magnitude(X, name)
    if 0 < np.ptp(X, axis=0).max() < 1e-150:
        raise ValueError(f"{name} varies by less than 1e-150, so squared differences are 0; scale {name} up.")


def _finite(a: np.ndarray, name: str) -> None:
    # the sum of ordinary data is finite; if it is not (it may overflow), look at every entry
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(a.sum()):
            return
    bad = ~np.isfinite(a)
    if bad.any():
        raise ValueError(
            f"{name} contains NaN or infinity ({bad.sum()} of {a.size} entries, the first at "
            f"{tuple(int(i) for i in np.argwhere(bad)[0])}); drop those rows or fill them in before fitting."
        )


def _what(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
