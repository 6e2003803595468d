"""Examples of the explorers of chapter 10, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch10_scaling import figures


def features_explorer():
    sizes, rng = (20, 40, 80, 160), np.random.default_rng(6)
    widths, found = ((0.5, 1.0, 2.0), (1.0, 2.0, 4.0)), [rng.uniform(0.2, 4, (k, 4, 3)) for k in (2, 3, 2, 3)]
    tasks = {
        "first": figures.Task(100, 2, widths[0], *found[:2], rng.uniform(0.1, 1, 3), "error", "m", (0.1, 1, 4)),
        "second": figures.Task(200, 64, widths[1], *found[2:], rng.uniform(0.2, 1, 3), "wrong", "%", (0.2, 2, 5)),
    }
    return figures.features_explorer(tasks, sizes, 20)


def frequencies_explorer():
    def draw(seed, D, kind, u):
        omega = np.random.default_rng(seed).normal(size=D // 2 if kind == "pairs" else D)
        return np.cos(np.outer(u, omega)).mean(axis=1), omega

    return figures.frequencies_explorer(draw, lambda k, kind: 1 - k**2 + 0.3 * (kind != "pairs"), ("pairs", "phases"))


# what an explorer says only when a switch shows it
SECRETS = {
    "features_explorer": ("predictions", r"Least .+: .*\d"),
    "frequencies_explorer": ("band_", r"standard deviations"),
}
