"""Examples of the explorers of chapter 1, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import Gaussian, KNNClassifier, KNNRegressor, NadarayaWatson
from kcourse.chapters.ch01_neighbors import figures
from kcourse.datasets import load_mcycle, load_synth
from kcourse.neighbors import knn_loo_path, nw_loo_path

CRASH, TRAIN = load_mcycle(), load_synth()


def window(points, sigma):
    return NadarayaWatson(Gaussian(sigma)).fit(CRASH.X, CRASH.y).smoother_matrix(points)


def nearest(points, k):
    return KNNRegressor(k).fit(CRASH.X, CRASH.y).smoother_matrix(points)


def weights_explorer():
    return figures.weights_explorer(CRASH, {"Gaussian window": window, "k nearest": nearest})


def leave_one_out_explorer():
    widths = 10 ** (np.arange(-12, 35) / 20)
    return figures.leave_one_out_explorer(
        CRASH,
        fits={
            "Gaussian window": lambda at, s: window(at, s) @ CRASH.y,
            "k nearest": lambda at, k: nearest(at, k) @ CRASH.y,
        },
        paths={
            "Gaussian window": nw_loo_path(CRASH.X, CRASH.y, widths),
            "k nearest": knn_loo_path(CRASH.X, CRASH.y, 60),
        },
        train={
            "Gaussian window": lambda s: np.mean((CRASH.y - window(CRASH.X, s) @ CRASH.y) ** 2),
            "k nearest": lambda k: np.mean((CRASH.y - nearest(CRASH.X, k) @ CRASH.y) ** 2),
        },
    )


def classes_explorer():
    def vote(k, points):
        return KNNClassifier(k).fit(TRAIN.X, TRAIN.y).predict(points)

    return figures.classes_explorer(TRAIN, vote, lambda k: (k / 1000, 0.15 - k / 2000), bayes=0.08)


def mistake_explorer():
    x = np.linspace(0, 3, 20)
    cases = {"a": (x, x), "b": (x**2 / 3, x), "c": (x, np.full(20, 2.0))}
    programs = {"as written": lambda x, y, s: 0.5 * y, "fixed": lambda x, y, s: y}
    return figures.mistake_explorer(cases, programs, 0.3)


# controls that do nothing until others are moved
AFTER = {("weights_explorer", "k"): {"method": "k nearest"}, ("leave_one_out_explorer", "k"): {"method": "k nearest"}}
# what an explorer says only when a switch shows it
SECRETS = {
    "leave_one_out_explorer": ("answers", r"leave-one-out error, \d"),
    "classes_explorer": ("answers", r"error, 0\.\d"),
}
