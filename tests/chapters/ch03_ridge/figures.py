"""Examples of the explorers of chapter 3, one by the name of each; what all of them must do, `test_figures` says."""

from __future__ import annotations

from functools import partial

import numpy as np

from kcourse import Gaussian, KernelRidge, loo_path
from kcourse.chapters.ch03_ridge import figures
from kcourse.datasets import load_mcycle, make_sinc

CRASH, SINC = load_mcycle(), make_sinc(rng=0)
GRID = np.arange(-3, 3, 0.05)[:, None]


def krr(data, sigma, lam=0.5):
    return KernelRidge(Gaussian(sigma), lam=lam).fit(data.X, data.y)


def swapped(sigma, lam, grid):
    """The published mistake: trained with width λ and penalty σ, drawn with width σ."""
    return Gaussian(sigma)(grid, SINC.X) @ krr(SINC, lam, sigma).dual_coef_


def asked(sigma, lam, grid):
    return krr(SINC, sigma, lam).predict(grid)


def width_explorer():
    return figures.width_explorer(CRASH, partial(krr, CRASH))


def smoothing_explorer():
    def errors(sigma, lams):
        return loo_path(Gaussian(sigma)(SINC.X), SINC.y, lams).mse

    return figures.smoothing_explorer(SINC, np.sinc, partial(krr, SINC), errors)


def bug_explorer():
    programs = {"krr(x, y, sigma, lam)": asked, "the source's call": swapped}
    return figures.bug_explorer(SINC, np.sinc, programs, GRID, (0.2, 0.5, 1.0), 0.5)


# what an explorer says only when a switch shows it
SECRETS = {
    "smoothing_explorer": ("answers", r"freedom|error \d|coefficients"),
}
