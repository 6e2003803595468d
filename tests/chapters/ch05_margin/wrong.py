"""Wrong answers to chapter 5 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch05_margin.typed import canonical, dual_value, margin_report, perceptron, recover_w_b
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("signed_distance", "no norm + b with the other sign")(lambda X, w, b: X @ w - b)
wrong("signed_distance")(lambda X, w, b: np.sign(X @ w + b))

wrong("canonical", "unit norm")(lambda w, b, X, y: (w / np.sqrt(w @ w), b / np.sqrt(w @ w)))
wrong("canonical")(changed(canonical, "scale * b", "2 * scale * b + 1"))

wrong("recover_w_b", "b with the other sign")(changed(recover_w_b, "w, b", "w, -b"))
wrong("recover_w_b")(changed(recover_w_b, "np.mean(each[s])", "alpha @ each"))

wrong("dual_value", "no linear term + minus")(lambda alpha, K, y: 0.5 * (alpha * y) @ K @ (alpha * y))
wrong("dual_value", "sign turned round")(changed(dual_value, "np.sum(alpha) - 0.5", "-np.sum(alpha) + 0.5"))

wrong("margin_width")(lambda w: np.sqrt(2) / np.linalg.norm(w))

wrong("perceptron", "undecided is class -1")(changed(perceptron, "label * f <= 0", "label != (1 if f > 0 else -1)"))
wrong("perceptron")(changed(perceptron, "zip(X, y", "zip(X[X[:, 0].argsort()], y[X[:, 0].argsort()]"))
wrong("perceptron")(changed(perceptron, "return w, b", "return w, b + 1"))
wrong("perceptron")(changed(perceptron, "return w, b", "return 0.1 * w, 0.1 * b"))  # a learning rate

wrong("margin_report", "half width")(changed(margin_report, "2 / np.sqrt", "1 / np.sqrt"))
wrong("margin_report")(changed(margin_report, "np.max", "np.mean"))
