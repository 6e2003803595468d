"""Leave-one-out errors for a grid of k or σ, for regression, classification and densities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.validation import check_positive

__all__ = ["SmoothingPath"]


@dataclass(frozen=True, eq=False)
class SmoothingPath:
    """Leave-one-out predictions and errors for each value of a smoothing parameter, k or σ.

    Attributes
    ----------
    values : (m,) array
        the values of k or σ.
    predictions : (m, n) array, or (m, n, t)
        prediction at x_i from the other points, for each value: f₋ᵢ(x_i), a label, or log p₋ᵢ(x_i).
    error : (m,) array
        mean squared residual, fraction of wrong labels, or minus the mean log density. Means are weighted if the
        points are.

    >>> import numpy as np
    >>> from kcourse.neighbors import SmoothingPath
    >>> path = SmoothingPath(values=np.array([1, 2, 3]), predictions=np.zeros((3, 2)), error=np.array([4.0, 1.0, 1.0]))
    >>> path.best
    3
    """

    values: np.ndarray
    predictions: np.ndarray
    error: np.ndarray

    @property
    def best(self) -> float | int:
        """The value with the smallest error; ties go to the largest value, which smooths most."""
        return self.values[self.error == self.error.min()].max().item()


def check_sigmas(sigmas: Any) -> np.ndarray:
    """Return ``sigmas`` checked as (m,) widths > 0."""
    if np.ndim(sigmas) > 1:
        raise ValueError(f"sigmas has shape {np.shape(sigmas)}; expected (m,), a sequence of widths.")
    why = "it is a width, in the units of x."
    widths = np.array([check_positive(s, f"sigmas[{i}]", why) for i, s in enumerate(np.ravel(sigmas))])
    if widths.size == 0:
        raise ValueError("sigmas is empty; give at least one width, such as np.geomspace(0.1, 10, 25).")
    return widths


def check_rest(n: int) -> int:
    """Check that n ≥ 2, so that leaving out one of the ``n`` points leaves data; return n."""
    if n < 2:
        raise ValueError("leave-one-out needs at least 2 training points; the model was fitted to n_samples = 1.")
    return n


def squared_error(y: np.ndarray, predictions: np.ndarray, w: np.ndarray | None = None) -> np.ndarray:
    """Return the mean squared residual, weighted by ``w`` (n,), of each of m predictions (m, n) or (m, n, t)."""
    squares = (y - predictions) ** 2
    if w is None:
        return np.mean(squares, axis=tuple(range(1, predictions.ndim)))
    return np.average(squares.reshape(*squares.shape[:2], -1).mean(axis=2), axis=1, weights=w)


def weight_of_rest(w: np.ndarray) -> np.ndarray:
    """Return Σ_{j≠i} w_j for each i, without subtraction, because w_i may be 1e20 times the sum."""
    rest = np.zeros(len(w))
    rest[1:] = np.cumsum(w[:-1])
    rest[:-1] += np.cumsum(w[:0:-1])[::-1]
    return rest
