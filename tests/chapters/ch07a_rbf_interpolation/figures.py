"""Examples of the explorers of chapter 7a, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import Gaussian
from kcourse.chapters.ch07a_rbf_interpolation import figures


def basis_explorer():
    x = np.linspace(-1, 1, 9)[:, None]

    def solve(name, c, line):
        Phi = Gaussian(c)(x)
        sign = {"Gaussian": 1, "multiquadric": -1, "r²": -2}[name]
        return sign * Gaussian(c)(line[:, None], x) @ np.linalg.solve(
            Phi, np.sin(3 * x[:, 0])
        ), sign * np.linalg.eigvalsh(Phi)

    return figures.basis_explorer(
        x[:, 0], np.sin(3 * x[:, 0]), lambda at: np.sin(3 * at), ("Gaussian", "multiquadric", "r²"), solve
    )


def penalty_explorer():
    x, y, lams = np.array([-1.0, 0.0, 1.0]), np.array([1.0, 2.0, 1.0]), np.array([0.0, 0.1, 0.25, 0.5])

    def solve(how, lam, line):
        plus = how == "Φ + λI"
        values = np.array([-1.4, -0.25, 3.8]) + lam if plus else np.array([-1.4, -0.2]) - lam
        return (None if np.abs(values).min() < 1e-9 else 2 - line**2 - lam * (2 - plus)), values

    return figures.penalty_explorer(x, y, solve, lams)


# controls that do nothing until others are moved
AFTER = {("penalty_explorer", "how"): {"lam": 0.1, "numbers": "shown"}}
# what an explorer says only when a switch shows it
SECRETS = {
    "basis_explorer": ("eigenvalues", r"\d positive"),
    "penalty_explorer": ("numbers", r"nearest to 0"),
}
