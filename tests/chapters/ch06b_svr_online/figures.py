"""Examples of the explorers of chapter 6b, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import SVC, SVR, Gaussian
from kcourse.chapters.ch06b_svr_online import figures
from kcourse.datasets import load_synth, make_sinc

SINC, TRAIN = make_sinc(n=20, rng=0), load_synth()
APART = np.abs(SINC.X - SINC.X.T) + 9 * np.eye(20)
LONELY = int(APART.min(axis=1).argmax())  # the point whose neighbours are furthest away
SIGNS = np.where(TRAIN.y == 1, 1, -1)


def tube_explorer():
    def fit(epsilon, C, y):
        return SVR(Gaussian(0.5), C=C, epsilon=epsilon).fit(SINC.X, y)

    return figures.tube_explorer(SINC, np.sinc, fit, spoilt=LONELY)


def online_explorer():
    X, y, steps = TRAIN.X[::5], SIGNS[::5], np.array([1, 10, 100])
    batch = SVC(Gaussian(0.3)).fit(X, y).dual_coef_

    def path(machine, budget):
        kept = {"Pegasos": 30, "averaged": 40, "perceptron": min(budget, 20) + budget // 25}[machine]
        first = [np.where(np.arange(len(X)) < k, batch + 0.1, 0.0) for k in (1, kept // 2, kept)]
        return np.array(first)

    def judge(coef):
        return float(np.sum((coef - batch) ** 2)), int(np.sum(coef == 0)), int(np.sum(coef != 0))

    return figures.online_explorer(
        X, y, steps, path, lambda coef, points: Gaussian(0.3)(points, X) @ coef, judge, batch
    )


# controls that do nothing until others are moved
AFTER = {("online_explorer", "budget"): {"machine": "perceptron", "points": 100}}
# what an explorer says only when a switch shows it
SECRETS = {
    "tube_explorer": ("numbers", r"\d+ of 20|moves f by"),
}
