"""Exercises of chapter 5, maximum margin: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch05_margin.dual import DUAL_VALUE, MARGIN_REPORT, RECOVER_W_B
from kcourse.chapters.ch05_margin.geometry import CANONICAL, MARGIN_WIDTH, SIGNED_DISTANCE
from kcourse.chapters.ch05_margin.perceptron import PERCEPTRON

__all__ = ["EXERCISES"]

EXERCISES = (SIGNED_DISTANCE, CANONICAL, RECOVER_W_B, DUAL_VALUE, MARGIN_WIDTH, PERCEPTRON, MARGIN_REPORT)
