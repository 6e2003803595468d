"""Examples of the explorers of chapter 4, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

import numpy as np

from kcourse import Gaussian, GaussianProcess
from kcourse.chapters.ch04_gp import figures


def samples_explorer():
    axis = np.linspace(0, 10, 41)
    z = np.random.default_rng(0).standard_normal((5, 41))

    def condition(length, k):
        sd = np.full(41, 1.0 / (1 + k))
        return np.sin(axis / length) * (k > 0), sd, z * sd[0] * length

    return figures.samples_explorer(
        axis, (np.array([1.0, 4.0, 8.0, 2.0, 6.0]), np.array([1.0, -1, 0, 2, 1])), condition
    )


def landscape_explorer():
    rng = np.random.default_rng(1)
    x, y = np.sort(rng.uniform(-4, 4, 8)), rng.normal(size=8)
    lengths, noises = np.logspace(-0.7, 1.5, 9), np.logspace(-4, 0.7, 8)

    def fit(length, noise):
        return GaussianProcess(Gaussian(length), noise_variance=noise).fit(x[:, None], y)

    table = np.array([[fit(s, v).log_marginal_likelihood_ for s in lengths] for v in noises])
    return figures.landscape_explorer((x, y), np.linspace(-5, 5, 60), fit, (lengths, noises, table))


def forecast_explorer():
    year = np.arange(1970, 2002, 1 / 12)
    ppm = 320 + 1.5 * (year - 1970)

    def ahead(names, cut):
        at = cut + np.arange(120) / 12
        return at, 320 + 1.5 * (at - 1970) - 5 * (len(names) < 2), np.full(120, 1.0 + len(names))

    return figures.forecast_explorer(year, ppm, {"trend": None, "season": None}, ahead)


# what an explorer says only when a switch shows it
SECRETS = {
    "landscape_explorer": ("landscape", r"two maxima"),
    "forecast_explorer": ("numbers", r"RMSE"),
}
