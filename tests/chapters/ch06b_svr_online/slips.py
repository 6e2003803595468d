"""Wrong answers to chapter 6b for what its specs know: slips that can only fail, and each property failed alone."""

from __future__ import annotations

import numpy as np

from tests.chapters.ch06b_svr_online.typed import budget_perceptron, pegasos, svr_pair, unseen
from tests.chapters.student_answers import changed

RAISING: dict[str, tuple] = {
    "one truth value of many": ("eps_insensitive", [lambda r, eps: max(np.abs(r) - eps, 0)]),
    "t from 0": ("pegasos", [changed(pegasos, "order, 1", "order, 0")]),
}


def the_narrowest_of_equals(F, y, widths):
    errors = np.abs(unseen(F, y) - y).mean(axis=1)
    return widths[errors == errors.min()].min()


ONLY = {
    ("eps_insensitive", 1): lambda r, eps: eps * np.maximum(np.abs(r) / eps - 1, 0),
    ("svr_pair", 1): changed(svr_pair, "else np.inf", "else 0"),  # no step without a parabola, as in 6.4
    ("pegasos", 1): changed(pegasos, "f < 1", "f <= 1"),
    ("budget_perceptron", 1): changed(budget_perceptron, "y[i] * f <= 0", "not memory or y[i] * f < 0"),
    ("choose_eps", 1): the_narrowest_of_equals,
}
