"""What only the figures of chapter 5 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from kcourse.chapters.ch05_margin import figures
from tests.chapters.ch05_margin import figures as examples

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


def test_a_point_that_moves_takes_over_and_the_way_leaves_the_line():
    explorer = examples.points_explorer()
    explorer.set(bars_="shown")
    assert "Multipliers 0.250, 0.000, 0.250, so 2 support vectors: point 1, 3." in explorer.alt
    explorer.set(right_by=-2.0)  # (2, 3) touches, too
    assert "point 1" not in explorer.alt.split("support vectors")[1] or "0.250" not in explorer.alt
    explorer.set(right_by=-2.0, up_by=-2.0)  # (2, 1): nearer to (1, 1) than (3, 3) is
    assert "The widest strip between the classes is 1.000 wide" in explorer.alt
    assert "0.00 x₂" in explorer.alt
    explorer.set(points="square", right_by=0.0, up_by=0.0)
    line, bars = explorer.fig.axes[0].lines[0].get_xdata().copy(), explorer.alt
    explorer.set(way=1.0)
    assert explorer.alt != bars and "Multipliers 0.250, 0.250, 0.250, 0.250" in explorer.alt
    np.testing.assert_array_equal(explorer.fig.axes[0].lines[0].get_xdata(), line)
    explorer.set(right_by=-2.0)
    assert explorer.alt.endswith("No line separates the two classes.")


def test_the_segment_is_perpendicular_in_the_units_of_the_machine():
    explorer = examples.hulls_explorer()
    for stretch in (1.0, 10.0):
        explorer.set(stretch=stretch)
        line, *_, segment = explorer.fig.axes[0].lines[2:6]
        along = np.array(
            [np.ptp(line.get_xdata()), np.diff(line.get_ydata())[0] * np.sign(np.diff(line.get_xdata())[0])]
        )
        across = np.array([np.diff(segment.get_xdata())[0], np.diff(segment.get_ydata())[0]])
        unit = np.array([1.0, stretch])
        cosine = (along * unit) @ (across * unit) / np.linalg.norm(along * unit) / np.linalg.norm(across * unit)
        assert abs(cosine) < 1e-6
    assert abs(along @ across) / np.linalg.norm(along) / np.linalg.norm(across) > 0.1  # in centimetres it is not
    explorer.set(stretch=1.0, push=1.5)
    assert "They meet" in explorer.alt


def test_the_histogram_counts_the_lines_that_were_drawn():
    explorer = examples.orders_explorer()
    right = explorer.fig.axes[1]
    for k in (1, 30):
        explorer.set(k=k)
        heights = [segment[1, 1] for segment in right.collections[0].get_segments()]
        assert sum(heights) == k
    assert "the median of those drawn" in explorer.alt
