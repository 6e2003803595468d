"""Exercises of chapter 3, kernel ridge regression: properties, right answers, and the mistakes that have a name.

The wrong answers come from published texts, issue threads and forum questions. Their values on the course's canonical
inputs are in ``tests/chapters/ch03_ridge/catalogue.py``.
"""

from kcourse.chapters.ch03_ridge.fit import KRR_FIT, KRR_FIT_PREDICT, RIDGE_DUAL_W
from kcourse.chapters.ch03_ridge.measure import EFFECTIVE_DF, KRR_LOO, RKHS_NORM2
from kcourse.chapters.ch03_ridge.tune import KRR_TUNE

__all__ = ["EXERCISES"]

EXERCISES = (KRR_FIT, KRR_FIT_PREDICT, RIDGE_DUAL_W, KRR_LOO, EFFECTIVE_DF, RKHS_NORM2, KRR_TUNE)
