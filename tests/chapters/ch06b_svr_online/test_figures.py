"""What only the figures of chapter 6b promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.chapters.ch06b_svr_online import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def test_a_tube_says_how_many_hold_it_and_every_point_is_on_its_staircase():
    explorer = examples.tube_explorer()
    counts = []
    for epsilon in (0.0, 0.1, 0.4, 0.8):
        explorer.set(epsilon=epsilon, numbers="shown")
        counts.append(int(re.search(r"(\d+) of 20 are", explorer.alt)[1]))
        for line in explorer.fig.axes[1].lines[1:]:
            beta, r = np.asarray(line.get_xdata()), np.asarray(line.get_ydata())
            inside, at_C = np.abs(r) <= epsilon + 2e-3, np.abs(beta) == 1
            on_edge, outside = np.abs(np.abs(r) - epsilon) < 2e-3, np.abs(r) > epsilon - 2e-3
            assert np.all((beta == 0) & inside | on_edge | at_C & outside)
    assert counts[0] == 20 and counts == sorted(counts, reverse=True) and counts[-1] == 0
