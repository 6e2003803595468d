"""The interactive figures of chapter 10. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

from kcourse.lab.figures import cycle, grouped
from kcourse.lab.widgets import Control, Explorer, explore, moving, slider, switch

__all__ = ["Task", "features_explorer", "frequencies_explorer"]

_GRID = np.linspace(0, 4, 161)  # distances, in widths σ
_NAMES = ("landmarks", "random features", "subsample")
_MARKS = ("o", "s", "^")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Task:
    """Data on which features are compared, at M sizes m and W widths σ.

    ``gram`` (2, M, W) are relative errors of the Gram matrix, of landmarks and of random features; ``test`` (3, M, W)
    errors of the predictions, of these and of a subsample; ``exact`` (W,) those of all n points with all features.
    ``error`` says what is counted, with its ``unit``; ``ticks`` are values of its logarithmic axis, which ends with them.
    """

    n: int
    d: int
    widths: Sequence[float]
    gram: np.ndarray
    test: np.ndarray
    exact: np.ndarray
    error: str
    unit: str
    ticks: Sequence[float]

    def operations(self, m: int) -> tuple[float, float]:
        """Multiplications and additions, in pairs, of a fit on m features and of the exact one.

        Each fills a matrix; the first multiplies it by its transpose; both take a Cholesky factor.
        """
        n, d = self.n, self.d
        return n * m * d + n * m**2 / 2 + m**3 / 6, n**2 * d / 2 + n**3 / 6

    def height(self, error: np.ndarray) -> np.ndarray:
        """Where an error stands on the axis, 0 below and 1 above."""
        low, high = self.ticks[0], self.ticks[-1]
        return np.log(error / low) / np.log(high / low)


def features_explorer(tasks: dict[str, Task], sizes: Sequence[int], first: int) -> Explorer:
    """Error of the Gram matrix and of the predictions against the width σ, for a number m of features to choose.

    ``sizes`` are the m of the tasks' tables, ``first`` the one to begin with. All tasks have as many ticks.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.8, 4.4))
    start, count = next(iter(tasks.values())), len(next(iter(tasks.values())).ticks)
    flat = np.ones(len(start.widths))

    def line(ax: plt.Axes, i: int, **how: str) -> plt.Line2D:
        return moving(ax.plot(start.widths, flat, marker=_MARKS[i], markersize=5, **cycle(i), **how)[0])

    lines = [line(left, i) for i in range(2)]
    left.axhline(1, color="#777777", linewidth=0.9)
    left.text(0.98, 1.12, "K̂ = 0", transform=left.get_yaxis_transform(), ha="right")
    left.set(yscale="log", ylabel="‖K − K̂‖ / ‖K‖", ylim=(1e-5, 12))
    tests = [line(right, i, label=name) for i, name in enumerate(_NAMES)]
    dots = {"color": "black", "linewidth": 1.6, "linestyle": (0, (1, 1.5))}
    level = moving(right.plot(start.widths, flat, label="all points, exact", **dots)[0])
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
    words = moving(left.set_title(" "))
    what = moving(right.set_title(" "))
    sheet = cover_one(right, "error of the predictions:\nwhen you have made\nyour guess")
    sizes = list(sizes)

    def update(data: str, m: int, predictions: str) -> str:
        task, i = tasks[data], sizes.index(m)
        for artist, row in zip(lines, task.gram[:, i], strict=True):
            artist.set_data(task.widths, row)
        for artist, row in zip((*tests, level), (*task.test[:, i], task.exact), strict=True):
            artist.set_data(task.widths, task.height(row))
        places = task.height(np.array(task.ticks))
        rules.set_segments([[(0, y), (1, y)] for y in places])
        for mark, value, y in zip(marks, task.ticks, places, strict=True):
            mark.set_text(f"{value:g}")
            mark.set_y(y)
        ours, theirs = task.operations(m)
        what.set_text(f"{task.error} ({task.unit}), m = {grouped(m)}")
        words.set_text(f"{_power(ours)} multiplications; exact {_power(theirs)}")
        shown = predictions == "shown"
        for artist in sheet:
            artist.set_visible(not shown)
        ends = ", ".join(
            f"{name} {row[0]:.2g} at σ = {task.widths[0]:g} and {row[-1]:.2g} at {task.widths[-1]:g}"
            for name, row in zip(_NAMES, task.gram[:, i], strict=False)
        )
        text = (
            f"{data[0].upper() + data[1:]}, {grouped(task.n)} points, m = {grouped(m)}. Relative error of the Gram "
            f"matrix: {ends}. A fit on m features takes {_power(ours)} multiplications, the exact one {_power(theirs)}."
        )
        if not shown:
            return text + " The errors of the predictions are covered."
        least = ", ".join(
            f"{name} {row.min():.3g} at σ = {task.widths[int(row.argmin())]:g}"
            for name, row in zip((*_NAMES, "all points"), (*task.test[:, i], task.exact), strict=True)
        )
        return f"{text} Least {task.error} ({task.unit}): {least}."

    names = list(tasks)
    return explore(
        fig,
        update,
        states=[
            {"m": 80, "predictions": "shown", "question": 1},
            {"m": sizes[0], "predictions": "shown", "question": 2},
            {"m": sizes[-1], "predictions": "shown", "question": (2, 4)},
            {"data": names[1], "m": sizes[-1], "predictions": "shown", "question": (3, 4)},
        ],
        data=switch("data", names),
        m=_stops("features m", sizes, first),
        predictions=switch("predictions", ["hidden", "shown"]),
    )


def _power(value: float) -> str:
    """3e8 as it is written: 3·10⁸."""
    digit, exponent = f"{value:.0e}".split("e")
    return f"{digit}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def _stops(label: str, stops: Sequence[int], value: int) -> Control:
    control = Control(label, tuple(stops), tuple(grouped(stop) for stop in stops), 0)
    return Control(label, control.stops, control.texts, control.stop_at(value))


def cover_one(ax: plt.Axes, words: str) -> list:
    """A sheet over the inside of one axes, until it is made invisible."""
    sheet = ax.add_patch(
        plt.Rectangle((0, 0), 1, 1, transform=ax.transAxes, facecolor="white", edgecolor="#bbbbbb", zorder=9)
    )
    text = ax.text(0.5, 0.5, words, transform=ax.transAxes, ha="center", va="center", color="#555555", zorder=10)
    return [moving(sheet), moving(text)]


def frequencies_explorer(
    draw: Callable[[int, int, str, np.ndarray], tuple[np.ndarray, np.ndarray]],
    spread: Callable[[np.ndarray, str], np.ndarray],
    kinds: tuple[str, str],
) -> Explorer:
    """A Gaussian kernel from D random cosines, against the distance; and the frequencies that were drawn.

    ``draw(seed, D, kind, u)`` returns the estimate at the distances u (in widths) and the frequencies (times σ);
    ``spread(k, kind)`` the standard deviation of the estimate for D = 1 where the kernel is k.
    """
    k = np.exp(-(_GRID**2) / 2)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.8, 4), width_ratios=[1.5, 1])
    band = moving(left.fill_between(_GRID, k - 0.1, k + 0.1, color="#f6dfc0", zorder=1))
    left.plot(_GRID, k, label="kernel", zorder=2, **cycle(1))
    estimate = moving(left.plot(_GRID, k, label="random features", zorder=3, **cycle(0))[0])
    left.axhline(0, color="#999999", linewidth=0.8)
    left.set(xlim=(0, 4), ylim=(-0.75, 1.75), xlabel="distance ‖x − z‖ / σ", ylabel="φ(x)ᵀφ(z)")
    left.legend(loc="upper right")
    fine = np.linspace(-4, 4, 201)
    density = np.exp(-(fine**2) / 2) / np.sqrt(2 * np.pi)
    right.plot(fine, density, label="density of ω", **cycle(1))
    ticks = moving(right.vlines([0], 0, 0.05, color=cycle(0)["color"], linewidth=1.2))
    right.plot([], [], color=cycle(0)["color"], linewidth=1.2, label="drawn")
    right.set(xlim=(-4, 4), ylim=(0, 0.52), xlabel="frequency ω, in units of 1/σ", ylabel="density")
    right.legend(loc="upper left", ncols=2, fontsize=9)
    words = moving(left.set_title(" ", fontsize=11))

    def update(seed: int, D: int, kind: str, band_: str) -> str:
        values, omega = draw(seed, D, kind, _GRID)
        sd = spread(k, kind) / np.sqrt(D)
        estimate.set_ydata(values)
        band.set_verts([np.concatenate([np.c_[_GRID, k - 2 * sd], np.c_[_GRID, k + 2 * sd][::-1]])])
        shown = band_ == "shown"
        band.set_visible(shown)
        ticks.set_segments([[(w, 0), (w, 0.06)] for w in omega])
        words.set_text(f"D = {D}: {len(omega)} frequencies, φ(x)ᵀφ(x) = {values[0]:.2f}")
        at = int(np.argmin(np.abs(_GRID - 1)))
        text = (
            f"Draw {seed}, {len(omega)} frequencies, D = {D} features, {kind}. The estimate is {values[0]:.2f} at "
            f"distance 0, where the kernel is 1, {values[at]:.2f} at one width, where it is {k[at]:.2f}, and "
            f"{values[-1]:.2f} at four, where it is {k[-1]:.4f}."
        )
        if not shown:
            return text + " The band is hidden."
        outside = np.mean(np.abs(values - k) > 2 * sd + 1e-12)
        return text + (
            f" The band of two standard deviations is {4 * sd[0]:.2f} high at 0, {4 * sd[at]:.2f} at one width and "
            f"{4 * sd[-1]:.2f} at four; the estimate is outside of it on {outside:.0%} of the way."
        )

    return explore(
        fig,
        update,
        states=[
            {"seed": 2, "question": 1},
            {"seed": 3, "question": 1},
            {"D": 160, "question": 2},
            {"kind": kinds[1], "band_": "shown", "question": 3},
        ],
        seed=slider("draw", 1, 12, 1, 1),
        D=_stops("features D", (10, 20, 40, 80, 160, 320, 640), 10),
        kind=switch("features", list(kinds)),
        band_=switch("±2 standard deviations", ["hidden", "shown"]),
    )
