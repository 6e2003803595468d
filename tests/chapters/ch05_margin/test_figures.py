"""What only the figures of chapter 5 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from kcourse.chapters.ch05_margin import figures

pytestmark = pytest.mark.usefixtures("style")


def test_the_strip_lies_where_its_plane_says():
    fig, ax = plt.subplots()
    line, low, high, band = figures.strip(ax, np.array([3.0, 4.0]), -5.0)
    for artist, level in ((line, 0), (low, -1), (high, 1)):
        np.testing.assert_allclose(3 * artist.get_xdata() + 4 * artist.get_ydata() - 5, level, atol=1e-9)
    corners = band.get_xy()[:4] @ [3.0, 4.0] - 5
    np.testing.assert_allclose(np.sort(corners), [-1, -1, 1, 1], atol=1e-9)
    figures.strip(ax, np.array([0.0, 2.0]), 2.0, 0.25, artists=(line, low, high, band))
    np.testing.assert_allclose(line.get_ydata(), -1.0)
    np.testing.assert_allclose(low.get_ydata(), -1.25)
