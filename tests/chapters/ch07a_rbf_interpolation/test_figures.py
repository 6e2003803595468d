"""What only the figures of chapter 7a promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import numpy as np
import pytest

from kcourse import Gaussian
from tests.chapters.ch07a_rbf_interpolation import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def test_the_line_of_the_hidden_plane_and_the_border_of_the_switches_are_one():
    explorer = examples.xor_explorer()
    left, right = explorer.fig.axes
    assert not left.collections[0].get_segments() and "hidden" in explorer.alt
    explorer.set(line="anywhere, with b")
    (border,) = left.collections[0].get_segments()
    Phi = Gaussian(np.sqrt(0.5))(border, np.array([[1.0, 1.0], [0.0, 0.0]]))
    assert np.abs(Phi @ [-1.0, -1.1] + 0.9).max() < 0.02
    ends = np.concatenate(right.collections[0].get_segments())
    assert np.abs(ends @ [-1.0, -1.1] + 0.9).max() < 1e-6
    explorer.set(line="through 0, without b")
    assert not right.collections[0].get_segments() and "a line through 0, without b: there is none" in explorer.alt


def test_where_the_system_is_singular_there_is_no_curve():
    explorer = examples.penalty_explorer()
    explorer.set(lam=0.25)
    curve = explorer.fig.axes[0].lines[0]
    assert "no curve: the system is singular" in explorer.alt and np.isnan(curve.get_ydata()).all()
    explorer.set(how="Φ − λI and a constant")
    assert "no curve" not in explorer.alt and np.isfinite(curve.get_ydata()).all()
