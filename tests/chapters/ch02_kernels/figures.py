"""Examples of the explorers of chapter 2, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import Gaussian, KernelPerceptron, Polynomial
from kcourse.chapters.ch02_kernels import figures

X9 = np.linspace(-2, 2, 9)


def lift_explorer():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 7, 40)
    radius = np.where(np.arange(40) < 20, 0.3, 0.9)
    rings = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), np.where(radius > 0.5, 1, -1)
    names = ("two rings", "four clouds", "three rings")
    sets = {name: (rings[0] * f, rings[1]) for name, f in zip(names, (1.0, 0.9, 0.8), strict=True)}

    def fit(name, degree):
        model = KernelPerceptron(Polynomial(degree=degree), epochs=50).fit(*sets[name])
        return model.decision_function, int(np.sum(model.predict(sets[name][0]) != sets[name][1]))

    return figures.lift_explorer(sets, fit)


def definiteness_explorer():
    column = X9[:, None]
    grams = {"Gaussian": Gaussian(1.0)(column), "(1 + xz)²": Polynomial()(column), "cos": np.cos(3 * (column - X9))}
    return figures.definiteness_explorer(X9, grams)


def arrows_explorer():
    return figures.arrows_explorer()


# controls that do nothing until others are moved
AFTER = {
    ("definiteness_explorer", "k2"): {"how": "k₁ − k₂"},
    ("lift_explorer", "degree"): {"cut": "shown"},
}
# what an explorer says only when a switch shows it
SECRETS = {
    "lift_explorer": ("cut", r"wrong side"),
    "definiteness_explorer": ("verdict", r"eigenvalue"),
    "arrows_explorer": ("numbers", r"smallest eigenvalue"),
}
