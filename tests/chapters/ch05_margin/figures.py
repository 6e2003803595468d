"""Examples of the explorers of chapter 5, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch05_margin import figures
from kcourse.margin import MaxMargin

CLOUDS = np.vstack([[[1.0, 0.2], [1.5, 0.5], [1.9, 0.4]], [[3.0, 1.1], [3.3, 1.0], [4.5, 1.6]]]), np.repeat([-1, 1], 3)


def orders_explorer():
    rng = np.random.default_rng(2)
    lines = np.column_stack([np.ones((30, 1)), 0.15 * rng.normal(size=(30, 1)), -2.5 + 0.1 * rng.normal(size=(30, 1))])
    names, labels = ("a", "b"), ("length (cm)", "width (cm)")
    return figures.orders_explorer(CLOUDS, lines, (np.array([1.0, 0.6]), -2.9), names, labels)


def points_explorer():
    def solve(X, y):
        if X[0, 0] <= X[y < 0, 0].max():
            return None
        try:
            model = MaxMargin().fit(X, y)
        except ValueError:
            return None
        alpha = model.multipliers_
        other = np.full(4, alpha.sum() / 4) if len(X) == 4 else alpha
        return model.weights_, model.intercept_, alpha, other

    three = np.array([[3.0, 3.0], [4.0, 3.0], [1.0, 1.0]]), np.array([1, 1, -1]), 1
    square = np.array([[4.0, 3.0], [4.0, 1.0], [2.0, 3.0], [2.0, 1.0]]), np.array([1, 1, -1, -1]), 0
    return figures.points_explorer({"three points": three, "square": square}, solve)


def hulls_explorer():
    def nearest(X, y):
        try:
            model = MaxMargin().fit(X, y)
        except ValueError:
            return None
        a = model.multipliers_
        return *(np.average(X[y == s], axis=0, weights=a[y == s]) for s in (1, -1)), model.support_

    return figures.hulls_explorer(CLOUDS, np.array([1.2, 0.6]), lambda X: X, nearest, ("a", "b"), ("length", "width"))


# controls that do nothing until others are moved
AFTER = {("points_explorer", "way"): {"points": "square", "bars_": "shown"}}
# what an explorer says only when a switch shows it
SECRETS = {
    "orders_explorer": ("best_line", r"widest margin keeps"),
    "points_explorer": ("bars_", r"Multipliers \d|support vectors"),
    "hulls_explorer": ("numbers", r"Σα = \d"),
}
