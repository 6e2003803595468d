"""Exercises of chapter 10, scaling: properties, right answers, and the slips that have a name."""

from kcourse.chapters.ch10_scaling.features import NYSTROM_FEATURES, RFF
from kcourse.chapters.ch10_scaling.ridge import GENERALISED_RBF, STREAM_RIDGE

__all__ = ["EXERCISES"]

EXERCISES = (RFF, NYSTROM_FEATURES, GENERALISED_RBF, STREAM_RIDGE)
