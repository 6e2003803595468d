"""Centring and scaling of the targets, and conversion of the results back to the units of y."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["AS_GIVEN", "Units"]


@dataclass(frozen=True, eq=False)
class Units:
    """Shift and scale of the targets: y = shift + scale · (scaled y), both floats, or (t,) for t targets.

    >>> units = Units.of(np.array([1.0, 3.0]))
    >>> units.seen(np.array([1.0, 3.0])), units.spread(np.array([0.5]), 2)
    (array([-1.,  1.]), array([0.5]))
    """

    shift: float | np.ndarray
    scale: float | np.ndarray

    @classmethod
    def of(cls, y: np.ndarray) -> Units:
        """Return units that give each target mean 0 and standard deviation 1; a constant target has scale 1."""
        most = np.ptp(y, axis=0)
        unit = np.exp2(np.floor(np.log2(np.where(most > 0, most, 1.0))))  # a power of 2: exact, and squares stay finite
        return cls(y.mean(axis=0), np.where(most > 0, unit * (y / unit).std(axis=0), 1.0)[()])

    def seen(self, y: np.ndarray) -> np.ndarray:
        """Return the scaled targets of ``y`` (n,) or (n, t)."""
        return (y - self.shift) / self.scale

    def back(self, f: np.ndarray) -> np.ndarray:
        """Return values (…,) or (…, t) of the process in units of y."""
        return self.shift + self.scale * f

    def spread(self, s: np.ndarray, power: int) -> np.ndarray:
        """Return standard deviations (power 1) or variances (2) in units of y, with one more axis for t targets."""
        return np.multiply.outer(s, self.scale**power)


AS_GIVEN = Units(0.0, 1.0)
