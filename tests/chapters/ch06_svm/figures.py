"""Examples of the explorers of chapter 6, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import SVC, Gaussian
from kcourse.chapters.ch06_svm import figures
from kcourse.datasets import load_synth

TRAIN = load_synth()
SIGNS = np.where(TRAIN.y == 1, 1, -1)
FIVE, FIVE_Y = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0], [3.0, 3.0], [0.5, 0.5]]), np.array([-1, -1, 1, 1, 1])
LOSSES = {
    "hinge": lambda m: np.maximum(0, 1 - m), "squared hinge": lambda m: np.maximum(0, 1 - m) ** 2,
    "logistic loss": lambda m: np.logaddexp(0, -m), "0/1 loss": lambda m: np.where(m <= 0, 1.0, 0.0),
    "printed loss": lambda m: np.maximum(0, m - 1),
}  # fmt: skip


def losses_explorer():
    return figures.losses_explorer(np.array([-2.0, -1, 1, 2, 1.5]), np.array([-1, -1, 1, 1, 1]), LOSSES)


def machine_explorer():
    return figures.machine_explorer(
        TRAIN.X[::2], SIGNS[::2], lambda C, sigma: SVC(Gaussian(sigma), C=C).fit(TRAIN.X[::2], SIGNS[::2])
    )


def smo_explorer():
    def state(alpha, **more):
        alpha = np.array(alpha)
        w = FIVE.T @ (alpha * FIVE_Y)
        dual = alpha.sum() - w @ w / 2
        return {"alpha": alpha, "w": w, "b": -0.5, "dual": dual, "primal": 4.0 - dual, **more}

    clipped = state([0.5, 0, 0, 0.5, 0], pair=(0, 3), before=(0, 0), free=(0.9, 0.9), after=(0.5, 0.5))
    inside = state([0.4, 0.1, 0, 0.5, 0], pair=(0, 1), before=(0.5, 0), free=(0.4, 0.1), after=(0.4, 0.1))
    last = state([0.4, 0.1, 0, 0.5, 0], pair=(4, 2), before=(0, 0), free=(0, 0), after=(0, 0))
    begin = state([0.0] * 5)
    runs = {
        "largest slope": [begin, clipped, inside, last],
        "second order": [begin, clipped, last],
        "in turn": [begin, inside],
    }
    return figures.smo_explorer(FIVE, FIVE_Y, 0.5, runs)


# controls that do nothing until others are moved
AFTER = {("smo_explorer", "rule"): {"step": 1}}
# what an explorer says only when a switch shows it
SECRETS = {
    "losses_explorer": ("minimum", r"minimum \d"),
    "machine_explorer": ("numbers", r"\d+ free|gap"),
}
