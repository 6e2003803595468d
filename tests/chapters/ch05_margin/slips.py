"""Wrong answers to chapter 5 for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch05_margin.typed import canonical, margin_report, perceptron, recover_w_b
from tests.chapters.student_answers import changed

RAISING: dict[str, tuple] = {}
ONLY = {
    ("signed_distance", 1): lambda X, w, b: np.squeeze((X @ w + b) / np.linalg.norm(w)),
    ("canonical", 1): changed(canonical, "np.min(m)", "np.min(m[m >= 1])"),
    ("recover_w_b", 1): changed(recover_w_b, "1e-6 * max(alpha)", "0"),
    ("perceptron", 1): changed(perceptron, "range(epochs)", "range(max(epochs, 60))"),
    ("margin_report", 1): changed(margin_report, "return b", "return b + 0.1 * np.sum(y[s])"),  # no mean of two means
}
