"""What only the figures of chapter 6 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import numpy as np
import pytest

from kcourse import SVC, Gaussian
from tests.chapters.ch06_svm import figures as examples

pytestmark = pytest.mark.usefixtures("style")


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
