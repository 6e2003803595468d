"""The interactive figures of chapter 4. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import DOTS, cover, disc
from kcourse.lab.widgets import Explorer, explore, log_slider, moving, slider, switch

__all__ = ["forecast_explorer", "landscape_explorer", "samples_explorer"]


def samples_explorer(
    x: np.ndarray, points: tuple[np.ndarray, np.ndarray], condition: Callable[[float, int], tuple]
) -> Explorer:
    """Five functions made of the same random numbers, which deform as ℓ moves and bend as points are added.

    ``condition(length, k)`` returns mean (q,), standard deviation (q,) and samples (5, q) at the points ``x``, given
    the first ``k`` of ``points``.
    """
    fig, ax = plt.subplots(figsize=(8, 4.2))
    band = moving(ax.fill_between(x, -x, x, color="#d9d9d9", label="mean ± 2 sd"))
    curves = [moving(ax.plot(x, x, linewidth=1.5, **cycle(i))[0]) for i in range(5)]
    mean = moving(ax.plot(x, x, color="black", linewidth=2.5, linestyle="-", label="mean")[0])
    dots = moving(ax.plot([], [], **DOTS | {"markersize": 8}, zorder=4)[0])
    ax.set(xlabel="x", ylabel="f(x)", ylim=(-3.6, 3.6), xlim=(x[0], x[-1]))
    ax.legend(loc="upper right", ncols=2)
    words = moving(ax.set_title(" "))

    def update(length: float, k: int, drawn: str) -> str:
        m, sd, samples = condition(length, k)
        band.set_verts([np.concatenate([np.stack([x, m - 2 * sd], 1), np.stack([x, m + 2 * sd], 1)[::-1]])])
        mean.set_ydata(m)
        for curve, values in zip(curves, samples, strict=True):
            curve.set_ydata(values)
            curve.set_visible(drawn == "shown")
        dots.set_data(points[0][:k], points[1][:k])
        words.set_text(f"ℓ = {length:.3g}, {k} point{'s' * (k != 1)}: widest band ± {2 * sd.max():.2f}")
        what = "Five functions drawn from a" if drawn == "shown" else "A"
        return (
            f"{what} Gaussian process of length scale {length:.3g}, its mean and its band, after {k} points have been "
            f"seen; the band is between ± {2 * sd.min():.2f} and ± {2 * sd.max():.2f}."
        )

    return explore(
        fig,
        update,
        states=[
            {"length": 10 ** (-10 / 20), "question": 1},
            {"k": 1, "question": 2},
            {"k": 2, "question": 2},
            {"k": 5, "question": (2, 3)},
        ],
        length=log_slider("length scale ℓ", -1, 0.7, 1.0, per_decade=20),
        k=slider("points seen", 0, len(points[0]), 0, 1),
        drawn=switch("samples", ["shown", "hidden"]),
    )


def landscape_explorer(
    data: tuple[np.ndarray, np.ndarray], grid: np.ndarray, fit: Callable[[float, float], Any], table: tuple
) -> Explorer:
    """ℓ and the noise: the curve with its band above the terms of log p(y), and, if requested, the landscape.

    ``fit(length, noise)`` returns a fitted process; ``table`` is (lengths, noises, log p(y) on their grid).
    """
    x, y = data
    lengths, noises, evidence = table
    fig, axes = plt.subplot_mosaic(
        [["curve", "landscape"], ["terms", "landscape"]],
        figsize=(9.6, 5.4),
        height_ratios=[1.7, 1],
        width_ratios=[1, 1.05],
    )
    left, middle, right = axes["curve"], axes["terms"], axes["landscape"]
    band = moving(left.fill_between(grid, -grid, grid, color="#d9d9d9", label="band ± 2 sd"))
    curve = moving(left.plot(grid, grid, **cycle(0), label="mean")[0])
    # crosses: some are neighbours, and the disc on the map is the setting
    left.plot(x, y, **DOTS | {"marker": "x", "markersize": 8, "markeredgewidth": 1.3}, label="measured")
    left.set(xlabel="x", ylabel="y", ylim=(y.min() - 1.2, y.max() + 2.2))
    left.legend(loc="upper center", ncols=3, fontsize=9, handlelength=1.4, columnspacing=1.2)
    words = moving(left.set_title(" ", fontsize=11))
    bars = moving(middle.hlines([2, 1, 0], 0, [0, 0, 0], linewidth=13, color=cycle(1)["color"]))
    middle.axvline(0, color="black", linewidth=0.8)
    # on the other side of 0 than its bar: there a number is in sight however far the bar reaches
    told_by = [moving(middle.text(0, i, "", va="center")) for i in (2, 1, 0)]
    middle.set(yticks=[2, 1, 0], yticklabels=["fit", "complexity", "together"], xlim=(-14, 10), ylim=(-0.6, 2.6),
               xlabel="term of log p(y)")  # fmt: skip
    middle.grid(False)
    levels = evidence.max() - np.array([12, 8, 5, 3, 2, 1.2, 0.6, 0.3, 0.1, 0])
    image = right.contourf(lengths, noises, evidence, levels=levels, extend="min", cmap="Greys_r")
    fig.colorbar(image, ax=right, label="log p(y)")
    inner = evidence[1:-1, 1:-1]  # a local maximum is not below its eight neighbours
    shifts = [(i, j) for i in range(3) for j in range(3)]
    around = [evidence[i : i + inner.shape[0], j : j + inner.shape[1]] for i, j in shifts]
    rows, columns = np.nonzero(inner >= np.max(around, axis=0))
    right.plot(lengths[columns + 1], noises[rows + 1], "^", color="black", markersize=8, label="local maximum")
    here = disc(right, label="your ℓ and noise")
    right.set(xscale="log", yscale="log", xlabel="length scale ℓ", ylabel="noise variance")
    right.legend(loc="lower right", fontsize=9)
    right.grid(False)
    sheet = cover(right, "the landscape:\nwhen you have\nfound your best")

    def update(length: float, noise: float, landscape: str) -> str:
        gp = fit(length, noise)
        mean, sd = gp.predict(grid[:, None], return_std=True, with_noise=True)
        band.set_verts([np.concatenate([np.stack([grid, mean - 2 * sd], 1), np.stack([grid, mean + 2 * sd], 1)[::-1]])])
        curve.set_ydata(mean)
        fit_term, complexity, constant = gp.evidence_terms_
        total = fit_term + complexity + constant
        values = fit_term, complexity, fit_term + complexity
        bars.set_segments([[(0, i), (v, i)] for i, v in zip((2, 1, 0), values, strict=True)])
        for i, number, v in zip((2, 1, 0), told_by, values, strict=True):
            short = f"{v:.{2 if abs(v) < 100 else 0}f}".replace("-", "−")
            number.set(text=short, ha="right" if v > 0 else "left")
            number.set_position((-0.4 if v > 0 else 0.4, i))
        here.set_data([length], [noise])
        for artist in sheet:
            artist.set_visible(landscape == "hidden")
        words.set_text(f"log p(y) = {total:.2f}")
        told = f"fit {fit_term:.2f}, complexity {complexity:.2f}, together {values[2]:.2f}, constant {constant:.2f}"
        seen = "Right: the landscape of log p(y), with two maxima." if landscape == "shown" else "Right: covered."
        return (
            f"Top left: {len(x)} points, the mean and the band for new measurements with ℓ = {length:.3g} and noise "
            f"variance {noise:.3g}; log p(y) = {total:.2f}. Below it: {told}. {seen}"
        )

    return explore(
        fig,
        update,
        states=[
            {"length": 10 ** (-10 / 20), "question": 1},
            {"length": 10 ** (-14 / 20), "question": 1},
            {"length": 10 ** (15 / 20), "noise": 10 ** (-0.7), "question": 2},
            {"length": 10 ** (-4 / 20), "noise": 10 ** (-1.7), "landscape": "shown", "question": 3},
        ],
        length=log_slider("length scale ℓ", -0.7, 1.5, 1.0, per_decade=20),
        noise=log_slider("noise variance", -4, 0.7, 0.1, per_decade=10),
        landscape=switch("landscape", ["hidden", "shown"]),
    )  # fmt: skip


def forecast_explorer(
    year: np.ndarray, ppm: np.ndarray, parts: dict[str, Any], forecast: Callable[[tuple[str, ...], float], tuple]
) -> Explorer:
    """Parts of a kernel on or off, and a date after which nothing has been seen: the forecast and the observations.

    ``forecast(names, cut)`` returns points (q,), mean (q,), sd of new measurements (q,) for ten years from ``cut`` on.
    """
    fig, ax = plt.subplots(figsize=(8.6, 4.3))
    ax.plot(year, ppm, ".", color="#777777", markersize=2.5, label="measured")
    band = moving(ax.fill_between(year[:2], ppm[:2], ppm[:2], color="#cfe3f2", label="95 % band"))
    curve = moving(ax.plot([], [], **cycle(0), linewidth=1.4)[0])
    came = moving(ax.plot([], [], ".", color="black", markersize=3, label="observed")[0])
    now = moving(ax.axvline(1992, color="#555555", linestyle=":", linewidth=1.5))
    ax.set(xlabel="year", ylabel="CO₂ (ppm)", xlim=(1970, 2002.5), ylim=(315, 385))
    ax.legend(loc="upper left")
    words = moving(ax.set_title(" ", fontsize=11))
    names = list(parts)

    def update(cut: int, numbers: str, **on: str) -> str:
        chosen = tuple(name for name in names if on[name] == "on")
        at, mean, sd = forecast(chosen, float(cut))
        low, high = mean - 1.96 * sd, mean + 1.96 * sd
        band.set_verts([np.concatenate([np.stack([at, low], 1), np.stack([at, high], 1)[::-1]])])
        curve.set_data(at, mean)
        later = (year >= cut) & (year < cut + 10)
        came.set_data(year[later], ppm[later])
        now.set_xdata([cut, cut])
        predicted = np.interp(year[later], at, mean)
        rmse = float(np.sqrt(np.mean((predicted - ppm[later]) ** 2)))
        inside = float(np.mean(np.abs(predicted - ppm[later]) <= 1.96 * np.interp(year[later], at, sd)))
        made_of = ", ".join(chosen) or "nothing but noise"
        told = f"ten years later: RMSE {rmse:.2f} ppm, {100 * inside:.0f} % inside the band"
        words.set_text(told if numbers == "shown" else f"made of: {made_of}")
        text = f"Carbon dioxide, measured, and the forecast from {cut} on, made of {made_of}, with its 95 % band"
        return f"{text}; {told}." if numbers == "shown" else f"{text}; the numbers are hidden."

    return explore(
        fig,
        update,
        states=[
            {"trend": "off", "numbers": "shown", "question": 1},
            {"season": "off", "numbers": "shown", "question": 2},
            {"numbers": "shown", "question": 3},
            {"cut": 1980, "numbers": "shown", "question": 3},
        ],
        cut=slider("seen until", 1975, 1992, 1992, 1, dates=True),
        **{name: switch(name, ["on", "off"]) for name in names},
        numbers=switch("numbers", ["hidden", "shown"]),
    )
