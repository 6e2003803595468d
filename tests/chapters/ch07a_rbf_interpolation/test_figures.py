"""What only the figures of chapter 7a promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import numpy as np
import pytest

from tests.chapters.ch07a_rbf_interpolation import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def test_where_the_system_is_singular_there_is_no_curve():
    explorer = examples.penalty_explorer()
    explorer.set(lam=0.25)
    curve = explorer.fig.axes[0].lines[0]
    assert "no curve: the system is singular" in explorer.alt and np.isnan(curve.get_ydata()).all()
    explorer.set(how="Φ − λI and a constant")
    assert "no curve" not in explorer.alt and np.isfinite(curve.get_ydata()).all()
