"""Drawing parts that the interactive figures of several chapters share."""

from __future__ import annotations

from typing import Any

import numpy as np
from contourpy import LineType, contour_generator
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from kcourse.lab.figures import fit
from kcourse.lab.widgets import moving

__all__ = ["BOUND", "CLASSES", "DOTS", "FREE", "SAND", "SKY", "cover", "disc", "level_lines"]

DOTS = {"color": "black", "linestyle": "none", "marker": "o", "markersize": 4.5}  # measurements
CLASSES = ((-1, "o", "white"), (1, "^", "black"))  # label, marker, filling
# support vectors: free, and at the bound
FREE = {"marker": "o", "markersize": 11, "markerfacecolor": "none", "markeredgewidth": 1.6, "linestyle": "none",
        "markeredgecolor": "#0072B2"}  # fmt: skip
BOUND = FREE | {"marker": "s", "markersize": 9.5, "markeredgewidth": 1.1, "markeredgecolor": "#D55E00"}
SKY, SAND = "#d9ebf8", "#f0cd97"  # the regions of two classes; they also differ in grey (a test computes it)


def disc(ax: Axes, **how: Any) -> Line2D:
    """Draw a white disc that marks the current point; `update` moves it with ``set_data``."""
    style = {"marker": "o", "markersize": 9, "color": "white", "markeredgecolor": "black", "markeredgewidth": 2,
             "linestyle": "none", "clip_on": False}  # fmt: skip
    here = ax.plot([], [], **style | how)[0]
    here.set_in_layout(False)  # outside the axes it would change their layout
    return moving(here)


def cover(ax: Axes, words: str) -> list[Any]:
    """Cover ``ax``, its labels and colour bar with a sheet that shows ``words``; return the artists to hide later."""
    fig = ax.figure
    fit(fig)
    fig.draw_without_rendering()  # computes the layout of the axes
    left = ax.get_tightbbox().x0 / fig.bbox.width - 0.005
    sheet = Rectangle((left, 0), 1 - left, 1, transform=fig.transFigure, facecolor="white", zorder=10)
    text = fig.text((left + 1) / 2, 0.5, words, ha="center", va="center", color="#555555", zorder=11)
    return [moving(fig.add_artist(sheet)), moving(text)]


def level_lines(u: np.ndarray, v: np.ndarray, f: np.ndarray, level: float) -> list[np.ndarray]:
    """Return the lines where f, given on the grid of u and v, has the value ``level``."""
    if not f.min() < level < f.max():
        return []
    lines = contour_generator(u, v, f, line_type=LineType.Separate).lines(level)
    return [part for part in lines if len(part) > 1]
