"""What only the figures of chapter 1 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import pytest

from tests.chapters.ch01_neighbors import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def test_the_weights_say_how_many_points_a_mean_is_worth():
    explorer = examples.weights_explorer()
    explorer.set(method="k nearest", k=20)
    assert "worth 20.0 equal ones" in explorer.alt and "the largest 0.050" in explorer.alt
    explorer.set(method="Gaussian window", x0=62.0)
    assert "the largest 1.000" in explorer.alt
