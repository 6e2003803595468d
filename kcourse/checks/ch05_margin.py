"""Exercises of chapter 5, maximum margin: properties, right answers, and the slips that have a name."""

from kcourse.checks.ch05_margin_dual import DUAL_VALUE, MARGIN_REPORT, RECOVER_W_B
from kcourse.checks.ch05_margin_geometry import CANONICAL, MARGIN_WIDTH, SIGNED_DISTANCE
from kcourse.checks.ch05_margin_perceptron import PERCEPTRON

__all__ = ["EXERCISES"]

EXERCISES = (SIGNED_DISTANCE, CANONICAL, RECOVER_W_B, DUAL_VALUE, MARGIN_WIDTH, PERCEPTRON, MARGIN_REPORT)
