"""Exercises of chapter 10, scaling: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch10_scaling.features import NYSTROM_FEATURES, RFF
from kcourse.chapters.ch10_scaling.pivots import PIVOTED_RESIDUALS
from kcourse.chapters.ch10_scaling.ridge import STREAM_RIDGE

__all__ = ["EXERCISES"]

EXERCISES = (RFF, NYSTROM_FEATURES, PIVOTED_RESIDUALS, STREAM_RIDGE)
