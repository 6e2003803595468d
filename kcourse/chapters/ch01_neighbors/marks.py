"""Exercises of chapter 1, neighbours and windows: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch01_neighbors.density import PARZEN_DENSITY
from kcourse.chapters.ch01_neighbors.loo import COMPARE_SMOOTHERS, LOO_BANDWIDTH
from kcourse.chapters.ch01_neighbors.mean import KNN_REGRESS, KNN_SMOOTHER, NADARAYA_WATSON

__all__ = ["EXERCISES"]

EXERCISES = (KNN_REGRESS, NADARAYA_WATSON, PARZEN_DENSITY, LOO_BANDWIDTH, KNN_SMOOTHER, COMPARE_SMOOTHERS)
