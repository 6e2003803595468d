"""The interactive figures of chapter 5. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import cover
from kcourse.lab.widgets import Explorer, explore, log_slider, moving, slider, switch

__all__ = ["CLASSES", "hulls_explorer", "orders_explorer", "points_explorer", "strip"]

# label, and how its points are drawn; the classes also differ in grey
CLASSES = ((-1, {"marker": "o", "markerfacecolor": "white"}), (1, {"marker": "^", "markerfacecolor": "black"}))
_DOTS = {"linestyle": "none", "color": "black", "markeredgecolor": "black", "markersize": 6, "zorder": 4}
_BAND = "#e3e3e3"
_HIGHEST = 1.5  # multiplier whose bar is whole
_REACH = 100.0  # half a line, longer than any axes


def strip(ax: Axes, w: np.ndarray, b: float, half: float | None = None, *, artists: tuple | None = None) -> tuple:
    """Draw, or move, the line wᵀx + b = 0 and the band that reaches ``half`` to each side, the margin 1/‖w‖ if None.

    Returns the artists (line, one edge, the other, band), to be given back in order to be moved.
    """
    if artists is None:
        band = ax.fill([0, 0, 0], [0, 0, 0], color=_BAND, zorder=0.5)[0]
        line = ax.plot([], [], **cycle(0), zorder=3)[0]
        edges = [ax.plot([], [], color="#555555", linestyle="--", linewidth=1.2, zorder=2)[0] for _ in range(2)]
        artists = (line, *edges, band)
    length = np.linalg.norm(w)
    half = 1 / length if half is None else half
    ends = [_ends(w, b) + side * half * w / length for side in (0, -1, 1)]
    for line, both in zip(artists[:3], ends, strict=True):
        line.set_data(*both.T)
    artists[3].set_xy(np.concatenate([ends[1], ends[2][::-1]]))
    return artists


def _ends(w: np.ndarray, b: float) -> np.ndarray:
    """Two far points of the line wᵀx + b = 0, shape (2, 2)."""
    along = _REACH * np.array([-w[1], w[0]]) / np.linalg.norm(w)
    return -b * w / (w @ w) + np.stack([-along, along])


def _points(ax: Axes, names: tuple[str, str]) -> list:
    """Empty sets of points, one for each class."""
    return [
        moving(ax.plot([], [], **_DOTS | how, label=name)[0]) for (_, how), name in zip(CLASSES, names, strict=True)
    ]


def _rings(ax: Axes) -> plt.Line2D:
    """What marks support vectors."""
    return moving(
        ax.plot([], [], linestyle="none", marker="o", markersize=15, markerfacecolor="none",
                markeredgecolor=cycle(1)["color"], markeredgewidth=2, zorder=5)[0]
    )  # fmt: skip


def orders_explorer(
    data: tuple[np.ndarray, np.ndarray],
    lines: np.ndarray,
    widest: tuple[np.ndarray, float],
    names: tuple[str, str],
    labels: tuple[str, str],
) -> Explorer:
    """One line after another, each learned from another order of the same points, and how near each comes to a point.

    ``lines`` (m, d + 1) holds w and b of each, ``widest`` those of the line that keeps most distance.
    """
    X, y = data
    lines = lines / np.linalg.norm(lines[:, :2], axis=1)[:, None]
    half = np.min(y * (lines[:, :2] @ X.T + lines[:, 2:]), axis=1)
    w, b = widest
    best = float(np.min(y * (X @ w + b)) / np.linalg.norm(w))
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), width_ratios=[1.35, 1])
    for (label, how), name in zip(CLASSES, names, strict=True):
        left.plot(*X[y == label].T, **_DOTS | how | {"markersize": 4.5}, label=name)
    earlier = moving(left.add_collection(LineCollection([], colors="#b9c7d2", linewidths=0.6, zorder=1)))
    now = [moving(artist) for artist in strip(left, lines[0, :2], lines[0, 2], half[0])]
    other = moving(left.plot([], [], **cycle(1), linewidth=2.5, zorder=3)[0])
    room = 0.35
    left.set(xlabel=labels[0], ylabel=labels[1], aspect="equal", xlim=(0, X[:, 0].max() + room),
             ylim=(-room, X[:, 1].max() + room))  # fmt: skip
    moving(left.legend(loc="lower right", framealpha=1)).set_zorder(9)  # above the lines
    edges = np.linspace(0, 0.7, 15)
    centres = (edges[1:] + edges[:-1]) / 2
    bars = moving(right.vlines(centres, 0, 0 * centres, linewidth=11, color=cycle(4)["color"]))
    here = moving(right.axvline(0, color=cycle(0)["color"], linewidth=2))
    there = moving(right.axvline(best, linewidth=2.5, **cycle(1)))
    right.set(xlabel="distance to the nearest point (cm)", ylabel="number of lines", xlim=(0, 0.72),
              ylim=(0, 1.15 * np.histogram(half, edges)[0].max()))  # fmt: skip
    words = moving(left.set_title(" "))
    segments = [_ends(u[:2], u[2]) for u in lines]
    widest_ends = _ends(w, b).T

    def update(k: int, best_line: str) -> str:
        earlier.set_segments(segments[: k - 1])
        strip(left, lines[k - 1, :2], lines[k - 1, 2], half[k - 1], artists=tuple(now))
        heights = np.histogram(half[:k], edges)[0]
        bars.set_segments([[(x, 0), (x, h)] for x, h in zip(centres, heights, strict=True)])
        here.set_xdata([half[k - 1]] * 2)
        shown = best_line == "shown"
        other.set_data(*(widest_ends if shown else ([], [])))
        there.set_visible(shown)
        words.set_text(f"line {k}: nearest point {half[k - 1]:.3f} cm away")
        text = (
            f"Points of two classes, {len(X)} of them, and {k} line{'s' * (k > 1)}, each learned by a perceptron from "
            f"another order of the points; line {k} comes within {half[k - 1]:.3f} cm of a point, the median of those "
            f"drawn is {np.median(half[:k]):.3f} cm, the largest {half[:k].max():.3f} cm"
        )
        return text + (f"; the line of widest margin keeps {best:.3f} cm." if shown else ".")

    return explore(
        fig,
        update,
        states=[
            {"k": 20},
            {"k": len(lines), "question": (1, 2)},
            {"k": len(lines), "best_line": "shown", "question": 2},
        ],
        k=slider("orders tried", 1, len(lines), 1, 1),
        best_line=switch("the widest", ["hidden", "shown"]),
    )


def points_explorer(
    presets: dict[str, tuple[np.ndarray, np.ndarray, int]],
    solve: Callable[[np.ndarray, np.ndarray], tuple | None],
) -> Explorer:
    """A few points, one of which moves: the line of widest margin, and the multipliers as bars when asked for.

    ``presets`` maps a name to points (n, 2), labels ±1 and the row that moves. ``solve(X, y)`` returns (w, b, α, α′),
    where α and α′ are the ends of a way through all optimal multipliers, or None if no line separates.
    """
    most = max(len(X) for X, _, _ in presets.values())
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.4, 4.4), width_ratios=[1.35, 1])
    line = [moving(artist) for artist in strip(left, np.array([1.0, 0.0]), 0.0)]
    dots, rings = _points(left, ("y = −1", "y = +1")), _rings(left)
    mover = moving(left.plot([], [], linestyle="none", marker="+", markersize=17, color="#555555", zorder=3)[0])
    numbers = [moving(left.text(0, 0, "", fontsize=9, color="#333333", zorder=6)) for _ in range(most)]
    left.set(xlim=(-0.6, 6.4), ylim=(-1.0, 5.0), aspect="equal", xlabel="x₁", ylabel="x₂")
    moving(left.legend(loc="lower right", framealpha=1)).set_zorder(9)  # above the lines
    ticks = np.arange(1, most + 1)
    bars = moving(right.vlines(ticks, 0, 0 * ticks, linewidth=16, color=cycle(1)["color"]))
    told = [moving(right.text(t, 0, "", ha="center", va="bottom", fontsize=10)) for t in ticks]
    right.axhline(0, color="black", linewidth=0.8)
    right.set(xticks=ticks, xlim=(0.3, most + 0.7), ylim=(0, _HIGHEST), xlabel="point", title="multipliers α")
    words = moving(left.set_title(" ", fontsize=11))
    sheet = cover(right, "the multipliers:\nwhen you have\nmade your guess")

    def update(points: str, right_by: float, up_by: float, way: float, bars_: str) -> str:
        X, y, moves = presets[points]
        X = X.copy()
        X[moves] += right_by, up_by
        for (label, _), dot in zip(CLASSES, dots, strict=True):
            dot.set_data(*X[y == label].T)
        mover.set_data(*X[[moves]].T)
        for i, number in enumerate(numbers):
            number.set_text(f"{i + 1}" if i < len(X) else "")
            number.set_position(X[i] + (0.17, 0.17) if i < len(X) else (0, 0))
        shown = bars_ == "shown"
        for artist in sheet:
            artist.set_visible(not shown)
        text = f"Of {len(X)} points, number {moves + 1} is at ({X[moves, 0]:.2f}, {X[moves, 1]:.2f})"
        found = solve(X, y)
        for artist in line:
            artist.set_visible(found is not None)
        if found is None:
            rings.set_data([], [])
            bars.set_segments([[(t, 0), (t, 0)] for t in ticks])
            for number in told:
                number.set_text("")
            words.set_text("no line separates them")
            return f"{text}. No line separates the two classes."
        w, b, first, last = found
        strip(left, w, b, artists=tuple(line))
        alpha = (1 - way) * first + way * last
        heights = np.append(alpha, np.zeros(most - len(X)))
        bars.set_segments([[(t, 0), (t, a)] for t, a in zip(ticks, heights, strict=True)])
        for t, a, number in zip(ticks, heights, told, strict=True):
            number.set_position((t, min(a, 0.93 * _HIGHEST)))
            number.set_text(f"{a:.2f}" if shown and t <= len(X) else "")
        support = alpha > 1e-7
        rings.set_data(*(X[support] if shown else X[:0]).T)
        width = 2 / np.linalg.norm(w)
        words.set_text(f"width {width:.3f}" + (f", Σα = ‖w‖² = {alpha.sum():.3f}" if shown else ""))
        text += f". The widest margin between the classes has the width {width:.3f}, around the line {_equation(w, b)}"
        if not shown:
            return f"{text}. The multipliers are covered."
        several = " There are other optimal multipliers." if np.abs(first - last).max() > 1e-7 else ""
        return (
            f"{text}. Multipliers {', '.join(f'{a:.3f}' for a in alpha)}, so {support.sum()} support vectors: "
            f"point {', '.join(str(i + 1) for i in np.flatnonzero(support))}.{several}"
        )

    names = list(presets)
    return explore(
        fig,
        update,
        states=[
            {"right_by": 1.0, "up_by": 1.0, "bars_": "shown", "question": 1},
            {"right_by": -1.0, "up_by": -1.0, "bars_": "shown", "question": 2},
            {"points": names[-1], "bars_": "shown", "question": 3},
            {"points": names[-1], "way": 0.5, "bars_": "shown", "question": 3},
        ],
        points=switch("points", names),
        right_by=slider("move it to the right by", -2.0, 2.0, 0.0, 0.25),
        up_by=slider("move it up by", -2.0, 2.0, 0.0, 0.25),
        way=slider("way through the optima", 0.0, 1.0, 0.0, 0.1),
        bars_=switch("multipliers", ["hidden", "shown"]),
    )  # fmt: skip


def _equation(w: np.ndarray, b: float) -> str:
    """wᵀx + b = 0, in two decimals."""
    first, second, last = (round(float(v), 2) + 0.0 for v in (*w, b))  # no -0
    terms = (f"{v:+.2f}{x}".replace("-", "− ").replace("+", "+ ") for v, x in ((second, " x₂"), (last, "")))
    return f"{first:.2f} x₁ {' '.join(terms)} = 0".replace("-", "−")


def hulls_explorer(
    data: tuple[np.ndarray, np.ndarray],
    direction: np.ndarray,
    hull: Callable[[np.ndarray], np.ndarray],
    nearest: Callable[[np.ndarray, np.ndarray], tuple | None],
    names: tuple[str, str],
    labels: tuple[str, str],
) -> Explorer:
    """The convex hulls of two classes, the shortest segment between them, and the line that halves it.

    The class +1 can be moved along ``direction``, and the second feature can be counted in another unit.
    ``hull(points)`` returns its corners in order, ``nearest(X, y)`` the two ends of the shortest segment and the rows
    of the support vectors, or None.
    """
    X, y = data
    fig, ax = plt.subplots(figsize=(8.2, 4.6))
    dots = _points(ax, names)
    bands = [moving(ax.fill([0, 0, 0], [0, 0, 0], facecolor=fill, edgecolor="#777777", linewidth=1.2, zorder=1)[0])
             for fill in ("#eef3f7", "#f3ede4")]  # fmt: skip
    line = moving(ax.plot([], [], **cycle(0), zorder=3)[0])
    edges = [moving(ax.plot([], [], color="#555555", linestyle="--", linewidth=1.2, zorder=2)[0]) for _ in range(2)]
    segment = moving(ax.plot([], [], color=cycle(1)["color"], linestyle="-", linewidth=3, zorder=4)[0])
    rings = _rings(ax)
    for dot in dots:
        dot.set_markersize(4.5)
    ax.set(xlabel=labels[0], ylabel=labels[1], aspect="equal", xlim=(0, 5.4), ylim=(-0.45, 2.15))
    moving(ax.legend(loc="lower right", framealpha=1)).set_zorder(9)  # above the lines
    words = moving(ax.set_title(" ", fontsize=11))

    def update(push: float, stretch: float, numbers: str) -> str:
        moved = X - np.outer(y > 0, push * direction)
        for (label, _), dot, band in zip(CLASSES, dots, bands, strict=True):
            mine = moved[y == label]
            dot.set_data(*mine.T)
            band.set_xy(hull(mine))
        text = f"The convex hulls of the two classes, one of them moved by {push:.2f} cm towards the other"
        if stretch > 1:
            text += f", the second feature multiplied by {stretch:.2f}"
        unit = np.array([1.0, stretch])
        found = nearest(moved * unit, y)
        for artist in (line, segment, *edges):
            artist.set_visible(found is not None)
        if found is None:
            rings.set_data([], [])
            words.set_text("the hulls meet: no line separates them")
            return f"{text}. They meet, and no line separates the classes."
        p, q, support = found
        normal = p - q
        for artist, foot in zip((line, *edges), ((p + q) / 2, p, q), strict=True):
            artist.set_data(*(_ends(normal, -normal @ foot) / unit).T)
        segment.set_data(*(np.stack([p, q]) / unit).T)
        rings.set_data(*moved[support].T)
        width = np.linalg.norm(normal)
        told = f"shortest segment {width:.3f}, Σα = {4 / width**2:.2f}"
        words.set_text(told if numbers == "shown" else f"{len(support)} support vectors")
        flowers = ", ".join(f"({a:.2f}, {c:.2f})" for a, c in moved[support])
        text += f". The line halves the shortest segment between them; support vectors at {flowers}"
        return f"{text}; {told}." if numbers == "shown" else f"{text}."

    return explore(
        fig,
        update,
        states=[
            {"push": 1.0, "numbers": "shown", "question": 1},
            {"push": 1.45, "numbers": "shown", "question": 1},
            {"push": 1.5, "numbers": "shown", "question": 1},
            {"stretch": 10.0, "numbers": "shown", "question": 2},
        ],
        push=slider("move the right class by", 0.0, 1.5, 0.0, 0.05, unit="cm"),
        stretch=log_slider("1 cm of width counts as", 0, 1, 1.0, per_decade=10, unit="cm"),
        numbers=switch("numbers", ["hidden", "shown"]),
    )  # fmt: skip
