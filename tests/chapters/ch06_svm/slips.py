"""Wrong answers to chapter 6 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06_svm.typed import bias_from_alpha, smo_pair, svm_train
from tests.chapters.student_answers import changed

RAISING: dict[str, tuple] = {}
ONLY = {
    ("bias_from_alpha", 1): changed(bias_from_alpha, "1e-7 * C", "0", "C * (1 - 1e-7)", "C"),  # compared exactly
    ("bias_from_alpha", 2): changed(bias_from_alpha, "each[free]", "each[free & (y > 0)]"),
    ("margin_violators", 1): lambda f, y: np.where(y > 0, f <= 1, f > -1),
    ("smo_pair", 1): changed(smo_pair, "eta <= 0 or ", "", "/ eta", "/ max(eta, 1e-9)"),  # to the end of a line
    ("svm_train", 1): changed(  # the mean of nobody
        svm_train,
        *("gap <= tol", "gap <= tol / 1000"),
        *("alpha, b", "alpha, np.mean((y - K @ beta)[(alpha > 1e-6 * C) & (alpha < C * (1 - 1e-6))])"),
    ),
}
