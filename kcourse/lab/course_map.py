"""The map of the course: chapters as boxes, prerequisites as arrows."""

from __future__ import annotations

from dataclasses import dataclass

import matplotlib.pyplot as plt
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from kcourse.lab.figures import cycle

__all__ = ["Chapter", "draw_map"]

_WIDE, _HIGH = 2.45, 0.82


@dataclass(frozen=True)
class Chapter:
    """A chapter on the map.

    Attributes
    ----------
    number, name : str
    at : (float, float)
        position of its box, in columns and rows.
    verbs : str
        its topics out of lift, kernelise, regularise and approximate.
    needs : tuple of str
        numbers of the chapters that it builds on.
    hours : str
        time for reading, lecture and sheet; "" for a chapter that is not written yet.
    """

    number: str
    name: str
    at: tuple[float, float]
    verbs: str
    needs: tuple[str, ...] = ()
    hours: str = ""


def draw_map(chapters: list[Chapter]) -> Figure:
    """Draw the chapters; those without hours are still to come and are drawn pale and dashed."""
    where = {c.number: c.at for c in chapters}
    columns, rows = (max(c.at[i] for c in chapters) for i in (0, 1))
    fig, ax = plt.subplots(figsize=(9.6, 1.25 * (rows + 1)))
    for c in chapters:
        written = bool(c.hours)
        x, y = _corner(c.at)
        box = FancyBboxPatch((x, y), _WIDE, _HIGH, boxstyle="round,pad=0.02,rounding_size=0.1",
                             facecolor="#e8f1f8" if written else "white", edgecolor="black" if written else "#888888",
                             linestyle="-" if written else "--", linewidth=1.3, zorder=2)  # fmt: skip
        ax.add_patch(box)
        middle = x + _WIDE / 2
        ink = "black" if written else "#555555"
        ax.text(
            middle, y + 0.6, f"{c.number}  {c.name}", ha="center", va="center", fontsize=9.5, weight="bold", color=ink
        )
        ax.text(middle, y + 0.36, c.verbs, ha="center", va="center", fontsize=8.5, style="italic", color=ink)
        ax.text(middle, y + 0.14, c.hours or "to come", ha="center", va="center", fontsize=8, color=ink)
        for number in c.needs:
            ax.add_patch(_arrow(where[number], c.at))
    ax.set(xlim=(-0.15, columns * 3 + _WIDE + 0.15), ylim=(-(rows * 1.25) - 0.1, _HIGH + 0.1))
    ax.axis("off")
    return fig


def _corner(at: tuple[float, float]) -> tuple[float, float]:
    return at[0] * 3, -at[1] * 1.25


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> FancyArrowPatch:
    """Return an arrow from the side of one box to the side of another."""
    (x0, y0), (x1, y1) = _corner(start), _corner(end)
    if start[0] == end[0]:
        tail, head = (x0 + _WIDE / 2, y0 - 0.03), (x1 + _WIDE / 2, y1 + _HIGH + 0.03)
    else:
        tail, head = (x0 + _WIDE + 0.03, y0 + _HIGH / 2), (x1 - 0.03, y1 + _HIGH / 2)
    return FancyArrowPatch(tail, head, arrowstyle="-|>", mutation_scale=14, linewidth=1.4, color=cycle(0)["color"],
                           connectionstyle="arc3,rad=0.0", zorder=1)  # fmt: skip
