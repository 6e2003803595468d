"""Exercises of chapter 3, kernel ridge regression: properties, right answers, and the slips that have a name.

The wrong answers come from the literature's own slips, from issue threads and from forum questions. Their values on
the course's canonical inputs are in ``tests/checks/test_ch03_ridge.py``.
"""

from kcourse.checks.ch03_ridge_fit import KRR_FIT, KRR_FIT_PREDICT, RIDGE_DUAL_W
from kcourse.checks.ch03_ridge_measure import EFFECTIVE_DF, KRR_LOO, RKHS_NORM2
from kcourse.checks.ch03_ridge_tune import KRR_TUNE

__all__ = ["EXERCISES"]

EXERCISES = (KRR_FIT, KRR_FIT_PREDICT, RIDGE_DUAL_W, KRR_LOO, EFFECTIVE_DF, RKHS_NORM2, KRR_TUNE)
