"""What leave-one-out says about a whole grid of k or σ, in one form for regression, classes and densities."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.base.validation import check_positive

__all__ = ["SmoothingPath"]


@dataclass(frozen=True, eq=False)
class SmoothingPath:
    """Leave-one-out for each value of a smoothing parameter: the number of neighbours k, or the width σ.

    Attributes
    ----------
    values : (m,) array
        the values of k or σ.
    predictions : (m, n) array, or (m, n, t)
        what the rest of the data says at x_i, for each value: f₋ᵢ(x_i), a label, or log p₋ᵢ(x_i).
    error : (m,) array
        mean squared residual, fraction of wrong labels, or minus the mean log density: less is better. Means are
        weighted if the points are.

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
        """The value of least error; of equals the largest, which smooths most."""
        return self.values[self.error == self.error.min()].max().item()


def check_sigmas(sigmas: Any) -> np.ndarray:
    """Return ``sigmas`` as (m,) widths > 0."""
    if np.ndim(sigmas) > 1:
        raise ValueError(f"sigmas has shape {np.shape(sigmas)}; expected (m,), one width after another.")
    why = "it is a width, in the units of x."
    widths = np.array([check_positive(s, f"sigmas[{i}]", why) for i, s in enumerate(np.ravel(sigmas))])
    if widths.size == 0:
        raise ValueError("sigmas is empty; give at least one width, such as np.geomspace(0.1, 10, 25).")
    return widths


def check_rest(n: int) -> int:
    """Raise unless something is left when one of the ``n`` points is left out; returns n."""
    if n < 2:
        raise ValueError("leave-one-out needs at least 2 training points; the model was fitted to n_samples = 1.")
    return n


def squared_error(y: np.ndarray, predictions: np.ndarray, w: np.ndarray | None = None) -> np.ndarray:
    """Mean squared residual, weighted by ``w`` (n,), for each of the m predictions (m, n) or (m, n, t)."""
    squares = (y - predictions) ** 2
    if w is None:
        return np.mean(squares, axis=tuple(range(1, predictions.ndim)))
    return np.average(squares.reshape(*squares.shape[:2], -1).mean(axis=2), axis=1, weights=w)


def weight_of_rest(w: np.ndarray) -> np.ndarray:
    """Σ_{j≠i} w_j for each i, added and never taken away: a point may weigh 1e20 times the rest."""
    rest = np.zeros(len(w))
    rest[1:] = np.cumsum(w[:-1])
    rest[:-1] += np.cumsum(w[:0:-1])[::-1]
    return rest
