"""Examples of the explorers of chapter 7b, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import RBFNetworkClassifier
from kcourse.chapters.ch07b_rbf_networks import figures
from kcourse.datasets import load_synth, make_double_moon

TRAIN = load_synth()
SIGNS = np.where(TRAIN.y == 1, 1, -1)


def kmeans_explorer():
    """Runs in which the first centre comes nearer, of different length and cost."""
    four = np.array([[0.0, 0.0], [0.0, 1.0], [5.0, 0.0], [5.0, 1.0]])
    many = np.random.default_rng(3).normal(size=(60, 2))

    def run(X, k, length):
        states = []
        for i in range(length):
            T = X[:k] + 0.1 * i
            groups = np.arange(len(X)) % k
            states.append((T, groups, 130.0 / (1 + i)))
        return states

    runs = {
        "cloud": {"A": run(many, 3, 7), "B": run(many + 0.3, 3, 5)},
        "corners": {"A": run(four, 2, 4), "B": run(four + 0.2, 2, 2)},
    }
    return figures.kmeans_explorer({"cloud": many, "corners": four}, runs, {"cloud": 9.0, "corners": 2.0})


def moons_explorer():
    seen, new = (make_double_moon(n, distance=-5, rng=n) for n in (80, 200))

    def fit(way, m, rule):
        return RBFNetworkClassifier(m, centers=way, sigma=rule, max_iter=3).fit(seen.X, seen.y)

    return figures.moons_explorer(seen, new, fit)


def posterior_explorer():
    def network(kind):
        model = RBFNetworkClassifier(6, bias=kind == "squares, bias").fit(TRAIN.X, SIGNS)
        if kind == "normalised":
            return lambda points: np.abs(model.outputs(points)) / np.abs(model.outputs(points)).sum(1, keepdims=True)
        return model.outputs

    return figures.posterior_explorer(TRAIN.X, SIGNS, network)
