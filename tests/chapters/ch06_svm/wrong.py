"""Wrong answers to chapter 6 that are not typed: two slips at once, and others, as students might write them."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06_svm.typed import bias_from_alpha, smo_pair, svm_primal, svm_train
from tests.chapters.student_answers import changed
from tests.chapters.tables import Wrong, collector

WRONG: list[Wrong] = []
wrong = collector(WRONG)

wrong("svm_primal", "no half + no bias in f")(changed(svm_primal, "0.5 * ", "", " + b", ""))
wrong("svm_primal")(changed(svm_primal, "np.maximum(0, 1 - m)", "np.logaddexp(0, -m)"))
wrong("svm_primal")(changed(svm_primal, "C * ", "-C * "))

wrong("bias_from_alpha", "labels forgotten in the sum + minus")(
    changed(bias_from_alpha, "alpha * y", "alpha", "y - u", "u - y")
)
# near the right number: the median of those that are not late, and half from each class
wrong("bias_from_alpha")(lambda alpha, K, y, C: np.median((y - K @ (alpha * y))[alpha < 0.999 * C]))
wrong("bias_from_alpha")(
    changed(bias_from_alpha, "np.mean(each[free])", "sum(np.mean(each[free & (y == s)]) for s in (1, -1)) / 2")
)

wrong("margin_violators")(lambda f, y: np.abs(y * f - 1) < 0.5)

wrong("smo_pair", "partner left")(changed(smo_pair, "new = alpha.copy()", "new = alpha = alpha.copy()"))
wrong("smo_pair", "label missing in the step")(changed(smo_pair, "step = y[j] * ", "step = "))
wrong("smo_pair")(changed(smo_pair, "return new", "return (alpha + new) / 2"))
wrong("smo_pair")(changed(smo_pair, "(alpha[j] - new[j])", "(alpha[j] - new[j]) / 2"))  # Σαy is changed
wrong("smo_pair")(changed(smo_pair, "np.clip(alpha[j] + step, L, H)", "alpha[j] - 3.7 * C * y[j]"))  # out of the box

wrong("svm_train", "bias with the other sign")(changed(svm_train, "alpha, b", "alpha, -b"))
# a gap that is too large, multipliers outside the box, b a little off, a sum that is not 0
wrong("svm_train")(changed(svm_train, "if gap <= tol", "if gradient[i] - gradient[j] <= tol"))
wrong("svm_train")(changed(svm_train, "gap <= tol", "gap <= tol * (gap - beta @ K @ beta / 2 + beta @ y)"))
wrong("svm_train")(lambda K, y, C, tol: svm_train(K, y, 3 * C, tol))
wrong("svm_train")(changed(svm_train, "alpha, b", "alpha, b + 0.5"))


@wrong("svm_train")
def one_at_a_time(K, y, C, tol):
    alpha = np.zeros(len(y))
    for _ in range(200):
        for i in range(len(y)):
            alpha[i] = np.clip(alpha[i] + (1 - y[i] * (K[i] @ (alpha * y))) / K[i, i], 0, C)
    return alpha, 0.0
