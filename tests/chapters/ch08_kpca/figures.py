"""Examples of the explorers of chapter 8, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch08_kpca import figures


def rings_explorer():
    rng = np.random.default_rng(4)
    angle, inner = rng.uniform(0, 7, 40), np.arange(40) % 2
    X = np.where(inner, 0.3, 1.0)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])

    def fit(sigma):
        def score(points):
            r2 = np.sum(points**2, axis=1)
            return np.column_stack([points, np.exp(-r2 / sigma**2) - 0.5])

        return score, score(X), np.array([0.5, 0.3, 0.1]) / (1 + sigma), 17

    return figures.rings_explorer((X, inner), fit, lambda s: (np.median(s), 0.9), ("outer", "inner"), 3)


def scree_explorer():
    return figures.scree_explorer(lambda sigma: 20 * 0.8 ** (np.arange(30) * sigma), 178, 3.0)


def cleaning_explorer():
    rng = np.random.default_rng(5)
    clean = rng.uniform(0, 16, (3, 64))
    cleaners = {"first": lambda x, q: x * q / 400, "second": lambda x, q: x - 1 / q}
    return figures.cleaning_explorer(clean, rng.standard_normal((3, 64)), cleaners)


# what an explorer says only when a switch shows it
SECRETS = {
    "rings_explorer": ("threshold", r"threshold is right|There are"),
    "scree_explorer": ("ratios", r"percent"),
    "cleaning_explorer": ("errors", r"squared errors"),
}
