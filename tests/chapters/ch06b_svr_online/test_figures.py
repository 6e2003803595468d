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


def test_a_wrong_target_moves_the_curve_no_farther_than_its_lid_allows():
    explorer, moved = examples.tube_explorer(), {}
    for C, wrong in ((1.0, 1.0), (1.0, 2.0), (1000.0, 1.0), (1000.0, 2.0)):
        explorer.set(C=C, wrong=wrong, numbers="shown")
        assert f"too high by {wrong:g}" in explorer.alt
        moved[C, wrong] = float(re.search(r"moves f by up to ([\d.]+)\.", explorer.alt)[1])
    assert 0 < moved[1.0, 1.0] == moved[1.0, 2.0] < moved[1000.0, 1.0] < moved[1000.0, 2.0]
    explorer.set(wrong=0.0)
    assert "moves f" not in explorer.alt and "too high" not in explorer.alt


def test_on_line_a_perceptron_has_no_objective_and_keeps_its_budget():
    explorer = examples.online_explorer()
    assert "objective" in explorer.alt and "1 point, 1 kept" in explorer.alt
    explorer.set(machine="perceptron", points=100, budget=10)
    assert "objective" not in explorer.alt and "a perceptron with a budget of 10" in explorer.alt
    assert "100 points, 10 kept" in explorer.alt
