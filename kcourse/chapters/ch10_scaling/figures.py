"""The interactive figures of chapter 10. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

from kcourse.lab.figures import cycle, grouped
from kcourse.lab.widgets import Control, Explorer, explore, moving, slider, switch

__all__ = ["Task", "features_explorer", "frequencies_explorer"]

_FLOOR = 1e-3  # of errors of a Gram matrix, as they are drawn
_GRID = np.linspace(0, 4, 161)  # distances, in widths σ
_NAMES = ("landmarks", "random features", "subsample")
_MARKS = ("o", "s", "^")


@dataclass(frozen=True)
class Task:
    """Data on which features are compared, at M sizes m and W widths σ.

    ``gram`` (2, M, W) are relative errors of the Gram matrix, of landmarks and of random features; ``test`` (3, M, W)
    errors of the predictions, of these and of a subsample; ``exact`` (W,) those of all n points with all features.
    ``error`` says what is counted, with its ``unit``; ``ticks`` are values of its logarithmic axis, which ends with them.
    """

    n: int
    widths: Sequence[float]
    gram: np.ndarray
    test: np.ndarray
    exact: np.ndarray
    error: str
    unit: str
    ticks: Sequence[float]

    def height(self, error: np.ndarray) -> np.ndarray:
        """Where an error stands on the axis, 0 below and 1 above."""
        low, high = self.ticks[0], self.ticks[-1]
        return np.log(error / low) / np.log(high / low)


def features_explorer(
    tasks: dict[str, Task], sizes: Sequence[int], cases: Sequence[tuple[str, int]], asked: Sequence[float]
) -> Explorer:
    """Draw the error of the Gram matrix and of the predictions against the width σ, for data and m to choose.

    ``sizes`` are the m of the tasks' tables, ``cases`` pairs of data and m, the first of them to begin with; ``asked`` are
    the widths at which a mark can stand. All tasks have as many ticks. The errors of predictions are uncovered as far as
    the mark has come, from narrow to wide, so that at the start only the narrowest is visible.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.8, 4.7))
    start, count = next(iter(tasks.values())), len(next(iter(tasks.values())).ticks)
    flat = np.ones(len(start.widths))

    def line(ax: plt.Axes, i: int, **how: str) -> plt.Line2D:
        return moving(ax.plot(start.widths, flat, marker=_MARKS[i], markersize=5, **cycle(i), **how)[0])

    lines = [line(left, i) for i in range(2)]
    left.axhline(1, color="#777777", linewidth=0.9)
    left.text(0.98, 1.12, "K̂ = 0", transform=left.get_yaxis_transform(), ha="right")
    left.set(yscale="log", ylabel="‖K − K̂‖ / ‖K‖", ylim=(_FLOOR, 12), title="error of the Gram matrix")
    left.set_yticks([0.001, 0.01, 0.1, 1, 10], ["0.001", "0.01", "0.1", "1", "10"])
    below = moving(left.text(0.02, 0.02, "", transform=left.transAxes))
    tests = [line(right, i, label=name) for i, name in enumerate(_NAMES)]
    dots = {"color": "black", "linewidth": 1.6, "linestyle": (0, (1, 1.5))}
    level = moving(right.plot(start.widths, flat, label="all points", **dots)[0])
    right.set(ylim=(0, 1.02), yticks=[])
    rules = moving(
        right.hlines(np.linspace(0, 1, count), 0, 1, transform=right.get_yaxis_transform(), color="#dddddd", lw=0.8)
    )
    rules.set_zorder(0.5)
    marks = [
        moving(right.text(-0.02, 0, "", transform=right.get_yaxis_transform(), ha="right", va="center"))
        for _ in range(count)
    ]
    fig.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=4)
    every = sorted({width for task in tasks.values() for width in task.widths})
    for ax in (left, right):
        ax.set(xscale="log", xlabel="width σ")
        ax.set_xticks([0.5, 1, 2, 4, 8], ["0.5", "1", "2", "4", "8"])
        ax.set_xlim(every[0] / 1.1, every[-1] * 1.1)
        ax.minorticks_off()
    here = [moving(ax.axvline(start.widths[0], color="#777777", linewidth=1.2, zorder=1)) for ax in (left, right)]
    what = moving(right.set_title(" "))
    words = moving(fig.suptitle(" \n "))
    sheet = moving(
        right.add_patch(
            plt.Rectangle((0, 0), 1, 1, transform=right.get_xaxis_transform(), fc="white", ec="#bbbbbb", zorder=9)
        )
    )
    hidden = moving(right.text(0, 0.5, "hidden until you\nchoose a wider σ", ha="center", va="center", zorder=10))
    sizes, places = list(sizes), [f"{data}, m = {grouped(m)}" for data, m in cases]

    def update(case: str, sigma: float) -> str:
        data, m = cases[places.index(case)]
        task, i = tasks[data], sizes.index(m)
        at = list(task.widths).index(sigma)
        for artist, row in zip(lines, task.gram[:, i], strict=True):
            artist.set_data(task.widths, row)
        below.set_text("↓ less than 0.001" if task.gram[:, i].min() < _FLOOR else "")
        for artist, row in zip((*tests, level), (*task.test[:, i], task.exact), strict=True):
            artist.set_data(task.widths, task.height(row))
        heights = task.height(np.array(task.ticks))
        rules.set_segments([[(0, y), (1, y)] for y in heights])
        for mark, value, y in zip(marks, task.ticks, heights, strict=True):
            mark.set_text(f"{value:g}")
            mark.set_y(y)
        for mark in here:
            mark.set_xdata([sigma, sigma])
        wider = [width for width in every if width > sigma]
        sheet.set_visible(bool(wider))
        hidden.set_visible(len(wider) > 2)
        if wider:
            edge = np.sqrt(sigma * wider[0])
            sheet.set_bounds(edge, 0, 2 * every[-1], 1)
            hidden.set_x(np.sqrt(edge * every[-1]))
        what.set_text(f"{task.error} ({task.unit}), m = {grouped(m)}")
        errs = [f"{value:.{0 if value > 20 else 1}f}" for value in (*task.test[:, i, at], task.exact[at])]
        gram = [f"{value:.2g}" for value in task.gram[:, i, at]]
        title = f"{case[0].upper() + case[1:]}, σ = {sigma:g}"
        said = f"landmarks {errs[0]}, random features {errs[1]}, subsample {errs[2]} {task.unit}; all points {errs[3]}"
        off = f"relative error of the Gram matrix: landmarks {gram[0]}, random features {gram[1]}"
        words.set_text(f"σ = {sigma:g}: {said}\n{off}")
        return (
            f"{title}, {grouped(task.n)} points. {task.error[0].upper() + task.error[1:]}: {said}. "
            f"{off[0].upper() + off[1:]}. Errors at wider Gaussians are " + ("hidden." if wider else "also shown.")
        )

    def case_of(data: str, m: int) -> str:
        return places[list(cases).index((data, m))]

    first, second = tasks
    fewest, middle, most = (sorted({m for data, m in cases if data == first})[k] for k in (0, 1, -1))
    return explore(
        fig,
        update,
        states=[
            {"case": case_of(first, middle), "sigma": asked[2], "question": 1},
            {"case": case_of(first, most), "sigma": asked[-1], "question": 2},
            {"case": case_of(first, fewest), "sigma": asked[-1], "question": 2},
            {"case": case_of(second, most), "sigma": asked[1], "question": 3},
            {"case": case_of(second, most), "sigma": asked[3], "question": 3},
        ],
        case=switch("data and features", places),
        sigma=_stops("width σ", asked, asked[0]),
    )


def _stops(label: str, stops: Sequence[float], value: float) -> Control:
    return Control(label, tuple(stops), tuple(f"{stop:g}" for stop in stops), list(stops).index(value))


def frequencies_explorer(
    draw: Callable[[int, int, str, np.ndarray], tuple[np.ndarray, np.ndarray]],
    ways: dict[str, tuple[int, str]],
    most: int,
) -> Explorer:
    """Draw a Gaussian kernel from D random cosines, against the distance, draw after draw, and the last frequencies.

    ``draw(seed, D, kind, u)`` returns the estimate at the distances u (in widths) and the frequencies (times σ); ``ways``
    are the D and kinds to choose from, by their names. Draws 1, …, ``most`` can be made; those made stay, in grey.
    """
    k = np.exp(-(_GRID**2) / 2)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.8, 4), width_ratios=[1.5, 1])
    before = moving(left.add_collection(LineCollection([], colors="#a8a8a8", linewidths=0.7, zorder=1)))
    left.plot(_GRID, k, label="kernel", zorder=2, **cycle(1))
    estimate = moving(left.plot(_GRID, k, label="last draw", zorder=3, **cycle(0))[0])
    left.plot([], [], color="#a8a8a8", linewidth=0.7, label="draws before")
    left.axhline(0, color="#999999", linewidth=0.8)
    left.set(xlim=(0, 4), ylim=(-0.95, 1.95), xlabel="distance ‖x − z‖ / σ", ylabel="φ(x)ᵀφ(z)")
    left.legend(loc="upper right")
    fine = np.linspace(-4, 4, 201)
    density = np.exp(-(fine**2) / 2) / np.sqrt(2 * np.pi)
    right.plot(fine, density, label="density of ω", **cycle(1))
    ticks = moving(right.vlines([0], 0, 0.05, color=cycle(0)["color"], linewidth=1.2))
    right.plot([], [], color=cycle(0)["color"], linewidth=1.2, label="last draw")
    right.set(xlim=(-4, 4), ylim=(0, 0.52), xlabel="frequency ω, in units of 1/σ", ylabel="density")
    right.legend(loc="upper left", ncols=2, fontsize=9)
    words = moving(left.set_title(" ", fontsize=11))
    drawn = cache(lambda seed, way: draw(seed, *ways[way], _GRID))

    def update(seed: int, way: str) -> str:
        all_so_far = np.array([drawn(each, way)[0] for each in range(1, seed + 1)])
        values, omega = drawn(seed, way)
        estimate.set_ydata(values)
        before.set_segments([np.c_[_GRID, each] for each in all_so_far[:-1]])
        ticks.set_segments([[(w, 0), (w, 0.06)] for w in omega])
        at = int(np.argmin(np.abs(_GRID - 1)))
        spans = [f"{low:.2f} to {high:.2f}" for low, high in _ends(all_so_far[:, [0, at, -1]])]
        draws = "one draw" if seed == 1 else f"{seed} draws"
        words.set_text(f"{way}, {draws}: {spans[0]} at 0,  {spans[2]} at 4")
        return (
            f"{draws[0].upper() + draws[1:]} of {way}, {len(omega)} frequencies each. The estimates go from {spans[0]} at "
            f"distance 0, where the kernel is 1, from {spans[1]} at one width, where it is {k[at]:.2f}, and from "
            f"{spans[2]} at four, where it is {k[-1]:.4f}. The last is {values[at]:.2f} at one width."
        )

    names = list(ways)
    return explore(
        fig,
        update,
        states=[
            {"seed": most, "question": 1},
            {"seed": most, "way": names[1], "question": 2},
            {"seed": most, "way": names[2], "question": 3},
        ],
        seed=slider("draws", 1, most, 1, 1),
        way=switch("features", names),
    )


def _ends(values: np.ndarray) -> list[tuple[float, float]]:
    """Return the minimum and maximum of each column, in hundredths; no -0.00."""
    return [(round(low, 2) + 0.0, round(high, 2) + 0.0) for low, high in zip(values.min(0), values.max(0), strict=True)]
