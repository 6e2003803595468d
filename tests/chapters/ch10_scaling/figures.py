"""Examples of the explorers of chapter 10, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse.chapters.ch10_scaling import figures


def features_explorer():
    sizes, rng = (20, 40, 80, 160), np.random.default_rng(6)
    widths = ((0.5, 0.7, 1.0, 1.4, 2.0), (0.7, 1.0, 1.4, 2.0, 4.0))
    found = [rng.uniform(0.2, 4, (k, 4, 5)) for k in (2, 3, 2, 3)]
    tasks = {
        "first": figures.Task(100, widths[0], *found[:2], rng.uniform(0.1, 1, 5), "error", "m", (0.1, 1, 4)),
        "second": figures.Task(200, widths[1], *found[2:], rng.uniform(0.2, 1, 5), "wrong", "%", (0.2, 2, 5)),
    }
    cases = (("first", 20), ("first", 40), ("first", 160), ("second", 160))
    return figures.features_explorer(tasks, sizes, cases, (0.7, 1.0, 1.4, 2.0))


def frequencies_explorer():
    def draw(seed, D, kind, u):
        omega = np.random.default_rng(seed).normal(size=D // 2 if kind == "pairs" else D)
        return np.cos(np.outer(u, omega)).mean(axis=1), omega

    ways = {"10 in pairs": (10, "pairs"), "40 in pairs": (40, "pairs"), "10 with phases": (10, "phases")}
    return figures.frequencies_explorer(draw, ways, 8)
