"""Exercises of chapter 4, Gaussian processes: properties, right answers, and the mistakes that have a name."""

from kcourse.chapters.ch04_gp.evidence import GP_LOG_MARGINAL, LML_GRAD_LOG_ELL
from kcourse.chapters.ch04_gp.posterior import BRIDGE_COV, FORECAST_COVERAGE, GP_POSTERIOR, GP_SAMPLE

__all__ = ["EXERCISES"]

EXERCISES = (GP_POSTERIOR, GP_LOG_MARGINAL, GP_SAMPLE, BRIDGE_COV, LML_GRAD_LOG_ELL, FORECAST_COVERAGE)
