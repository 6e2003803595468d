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
_NAMES = ("Nyström", "random features", "subsample")
_MARKS = ("o", "s", "^")
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Task:
    """Data on which features are compared: for each m the relative error of the Gram matrix and of the predictions.

    ``gram`` (2, M) is of Nyström and of random features, ``test`` (3, M) of these and of a subsample, ``exact`` the
    error of all n points with all features; ``error`` says what is counted, with its unit.
    """

    n: int
    d: int
    gram: np.ndarray
    test: np.ndarray
    exact: float
    error: str
    unit: str

    def operations(self, m: int) -> tuple[float, ...]:
        """Multiplications and additions of a fit, in pairs: filling matrices, products, the Cholesky factor."""
        n, d = self.n, self.d
        return n * m * d + n * m**2 / 2 + m**3 / 6, m**2 * d / 2 + m**3 / 6, n**2 * d / 2 + n**3 / 6


def features_explorer(tasks: dict[str, Task], sizes: Sequence[int], first: int) -> Explorer:
    """Error of the Gram matrix, of the predictions, and operations, against the number m of features.

    ``sizes`` are the m of the tasks' tables, ``first`` the one to begin with.
    """
    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 4.1), width_ratios=[1, 1, 0.72])
    lines = [
        moving(left.plot(sizes, np.ones(len(sizes)), marker=_MARKS[i], markersize=4, label=_NAMES[i], **cycle(i))[0])
        for i in range(2)
    ]
    left.axhline(1, color="#777777", linewidth=0.9)
    left.set(xscale="log", yscale="log", xlabel="features m", ylabel="‖K − K̂‖ / ‖K‖", ylim=(1e-3, 12))
    left.text(0.98, 1.08, "K̂ = 0", transform=left.get_yaxis_transform(), ha="right", fontsize=8.5)
    tests = [
        moving(middle.plot(sizes, np.ones(len(sizes)), marker=_MARKS[i], markersize=4, label=name, **cycle(i))[0])
        for i, name in enumerate(_NAMES)
    ]
    level = moving(middle.axhline(1, color="black", linewidth=1.4, linestyle=(0, (1, 1.5))))
    middle.plot([], [], color="black", linewidth=1.4, linestyle=(0, (1, 1.5)), label="all n points, exact")
    middle.set(xscale="log", xlabel="features m")
    what = moving(middle.text(0.5, 1.03, "", transform=middle.transAxes, ha="center", fontsize=10))
    middle.set(ylim=(0, 1.05), ylabel="share of the largest error")
    fig.legend(*middle.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=9)
    cursors = [moving(ax.axvline(first, color="#999999", linewidth=1)) for ax in (left, middle)]
    at = np.arange(3)
    bars = [
        moving(bar) for bar in right.barh(at, np.ones(3), color=["#cfe3f2", "#eeeeee", "#777777"], ec="black").patches
    ]
    told = [moving(right.text(1, i, "", va="center", fontsize=9)) for i in at]
    right.set(xscale="log", xlim=(1e2, 1e13), xlabel="multiplications to fit", yticks=at)
    right.set_yticklabels(["m features\nof n points", "m points\nalone", "all n\npoints"], fontsize=9)
    right.set_xticks([1e3, 1e6, 1e9, 1e12])
    right.grid(False)
    for ax in (left, middle):
        ax.set_xticks(sizes[::2], [grouped(m) for m in sizes[::2]])
    for ax in (left, middle, right):
        ax.minorticks_off()
    words = moving(left.set_title(" ", fontsize=10.5))
    sheet = cover_one(middle, "error of the predictions:\nwhen you have made\nyour guess")
    sizes = list(sizes)

    def update(data: str, m: int, predictions: str) -> str:
        task, i = tasks[data], sizes.index(m)
        for line, row in zip(lines, task.gram, strict=True):
            line.set_ydata(row)
        top = task.test.max()
        for line, row in zip(tests, task.test, strict=True):
            line.set_ydata(row / top)
        level.set_ydata([task.exact / top] * 2)
        for cursor in cursors:
            cursor.set_xdata([m, m])
        what.set_text(f"{task.error}: 1 is {top:.3g} {task.unit}")
        costs = task.operations(m)
        for bar, text, cost in zip(bars, told, costs, strict=True):
            bar.set_width(cost)
            text.set_text(f" {_power(cost)}")
            text.set_x(cost)
        words.set_text(f"m = {grouped(m)}: Nyström {task.gram[0, i]:.2g}, random {task.gram[1, i]:.2g}")
        shown = predictions == "shown"
        for artist in sheet:
            artist.set_visible(not shown)
        text = (
            f"{data[0].upper() + data[1:]}, {grouped(task.n)} points, m = {grouped(m)}. Relative error of the Gram "
            f"matrix: Nyström {task.gram[0, i]:.2g}, random features {task.gram[1, i]:.2g}. A fit on m features takes "
            f"{_power(costs[0])} multiplications, a fit of m points alone {_power(costs[1])}, the exact one "
            f"{_power(costs[2])}."
        )
        if not shown:
            return text + " The errors of the predictions are covered."
        a, b, c = task.test[:, i]
        return (
            f"{text} {task.error.capitalize()} ({task.unit}): Nyström {a:.3g}, random features {b:.3g}, subsample "
            f"{c:.3g}, all points {task.exact:.3g}."
        )

    names = list(tasks)
    middle_size = len(sizes) // 2
    return explore(
        fig,
        update,
        states=[
            {"m": sizes[middle_size], "predictions": "shown"},
            {"data": names[1], "m": sizes[middle_size + 1], "predictions": "shown"},  # where the text reads them
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
            {"seed": 2},
            {"band_": "shown"},
            {"seed": 2, "D": 160, "band_": "shown"},
            {"kind": kinds[1], "band_": "shown"},
        ],
        seed=slider("draw", 1, 12, 1, 1),
        D=_stops("features D", (10, 20, 40, 80, 160, 320, 640), 10),
        kind=switch("features", list(kinds)),
        band_=switch("±2 standard deviations", ["hidden", "shown"]),
    )
