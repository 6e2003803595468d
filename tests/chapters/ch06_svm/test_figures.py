"""What only the figures of chapter 6 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import numpy as np
import pytest

from kcourse import SVC, Gaussian
from tests.chapters.ch06_svm import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def test_the_printed_loss_is_least_for_a_machine_that_says_nothing_wherever_the_diamond_is():
    explorer = examples.losses_explorer()
    for at in (-6.0, -1.0, 2.0):
        explorer.set(loss="printed loss", odd_at=at, minimum="shown")
        assert "least 0.00 at w = 0.00" in explorer.alt
    explorer.set(loss="hinge", odd_at=-4.0, w0=0.5)
    # ½·¼ + (0.5 of the points at ±1, two of them) + 0 + 3 of the diamond
    assert "here 4.12, least 4.12 at w = 0.50" in explorer.alt


def test_the_machine_counts_what_it_marks_and_all_its_points_lie_on_the_staircase():
    explorer = examples.machine_explorer()
    explorer.set(C=100.0, numbers="shown")
    model = SVC(Gaussian(10 ** (-3 / 10)), C=100.0).fit(examples.TRAIN.X[::2], examples.SIGNS[::2])
    bound = int(np.sum(model.multipliers_ == 100.0))
    assert f"{len(model.support_) - bound} free, {bound} bound" in explorer.alt
    for line in explorer.fig.axes[1].lines[1:]:  # the first is the staircase
        x, y = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
        on_it = ((x == 0) & (y > 0.99)) | (np.abs(y - 1) < 0.01) | ((x == 1) & (y < 1.01))
        assert np.all(on_it)


def test_the_player_says_whether_a_step_was_clipped_and_stays_on_its_line():
    explorer = examples.smo_explorer()
    assert "before the first step" in explorer.alt
    explorer.set(step=1)
    assert "points 1 and 4 from α = 0.000 and 0.000 to 0.500 and 0.500, clipped at the box" in explorer.alt
    explorer.set(step=2)
    assert "points 1 and 2" in explorer.alt and "inside the box" in explorer.alt
    beyond, within = explorer.fig.axes[1].lines[:2]
    for line in (beyond, within):  # one class: α of the first falls as that of the second rises
        np.testing.assert_allclose(line.get_xdata() + line.get_ydata(), 0.5)
    assert 0 <= within.get_xdata().min() and within.get_xdata().max() <= 0.5
    explorer.set(rule="in turn")  # which has one step only: it stays at its end
    assert "step 1 of 1" in explorer.alt
