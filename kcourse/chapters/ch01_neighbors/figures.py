"""The interactive figures of chapter 1. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import DOTS, SAND, SKY, cover, disc
from kcourse.lab.widgets import Explorer, explore, log_slider, moving, slider, switch

__all__ = ["classes_explorer", "leave_one_out_explorer", "mistake_explorer", "weights_explorer"]

_METHODS = ["Gaussian window", "k nearest"]


def weights_explorer(
    data: Any,
    weights: dict[str, Callable[[np.ndarray, float], np.ndarray]],
) -> Explorer:
    """A query point x₀ and a width: which targets are averaged there, and with which weights.

    ``weights`` has a function for each of “Gaussian window” and “k nearest”: (points (q, 1), σ or k) -> S (q, n).
    """
    (feature,), target = data.feature_names, data.target_name
    x, y = data.X[:, 0], data.y
    grid = np.linspace(x.min() - 3, x.max() + 9, 500)[:, None]
    fig, (top, bottom) = plt.subplots(2, 1, figsize=(7.6, 5.0), height_ratios=[2.2, 1], sharex=True)
    top.plot(x, y, **DOTS, label="measured")
    curve = moving(top.plot(grid[:, 0], grid[:, 0], **cycle(0), label="weighted mean")[0])
    there = disc(top, marker="D", label="f(x₀)")
    top.set(ylabel=f"{target} ({data.units[target]})")
    top.legend(loc="lower right", ncols=3)
    bars = moving(bottom.vlines(x, 0, np.zeros(len(x)), linewidth=2.5, color=cycle(1)["color"]))
    line = moving(bottom.axvline(0, color="#555555", linestyle=":", linewidth=1.5))
    bottom.set(xlabel=f"{feature} ({data.units[feature]})", ylabel="weight (root scale)")
    bottom.set_yscale("function", functions=(np.sqrt, np.square))  # so that 0.01 is seen beside 1
    bottom.set(ylim=(0, 1.05), yticks=[0, 0.05, 0.2, 0.5, 1])
    most = moving(bottom.text(0.01, 0.93, "", transform=bottom.transAxes, va="top", fontsize=10))
    words = moving(top.set_title(" "))

    def update(method: str, sigma: float, k: int, x0: float) -> str:
        setting = sigma if method == _METHODS[0] else k
        says = f"σ = {sigma:.3g} {data.units[feature]}" if method == _METHODS[0] else f"k = {k}"
        curve.set_ydata(weights[method](grid, setting) @ y)
        w = weights[method](np.array([[x0]]), setting)[0]
        f0 = float(w @ y)
        there.set_data([x0], [f0])
        line.set_xdata([x0, x0])
        bars.set_segments([[(a, 0), (a, b)] for a, b in zip(x, w, strict=True)])
        effective = 1 / float(w @ w)
        most.set_text(f"largest weight {w.max():.2g}")
        words.set_text(f"{says}: at x₀ = {x0:g} a mean over about {effective:.1f} points")
        return (
            f"Top: {len(x)} measurements and their weighted mean, {method}, {says}; at x₀ = {x0:g} it is {f0:.1f} "
            f"{data.units[target]}. Bottom: the weights at x₀, the largest {w.max():.3f}; "
            f"they are worth {effective:.1f} equal ones."
        )

    return explore(
        fig,
        update,
        states=[
            {"x0": 62.0, "question": 1},
            {"sigma": 10.0, "question": 2},
            {"method": _METHODS[1], "x0": 10.0, "question": 3},
            {"method": _METHODS[1], "question": 3},
        ],
        method=switch("weights", _METHODS),
        sigma=log_slider("width σ", -0.7, 1.7, 1.0, per_decade=20, unit=data.units[feature]),
        k=slider("neighbours k", 1, 60, 10, 1),
        x0=slider("query point x₀", 0.0, 66.0, 20.0, 0.5, unit=data.units[feature]),
    )


def leave_one_out_explorer(data: Any, fits: dict[str, Callable[[np.ndarray, float], np.ndarray]],
                           paths: dict[str, Any], train: dict[str, Callable[[float], float]]) -> Explorer:  # fmt: skip
    """The curve on the left; on the right, when asked for, training and leave-one-out error along σ or k.

    ``fits`` as the ``weights`` above but returning values; ``paths`` a SmoothingPath for each method, ``train`` the
    training error for each of its values.
    """
    (feature,), target = data.feature_names, data.target_name
    x, y = data.X[:, 0], data.y
    grid = np.linspace(x.min() - 1, x.max() + 1, 600)[:, None]
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.9), width_ratios=[1.35, 1])
    left.plot(x, y, **DOTS)
    curve = moving(left.plot(grid[:, 0], grid[:, 0], **cycle(0))[0])
    left.set(xlabel=f"{feature} ({data.units[feature]})", ylabel=f"{target} ({data.units[target]})")
    words = moving(left.set_title(" ", fontsize=11))
    errors = {m: (paths[m].values, np.array([train[m](v) for v in paths[m].values]), paths[m].error) for m in _METHODS}
    seen = moving(right.plot([1], [1], **cycle(0), label="training error")[0])
    unseen = moving(right.plot([1], [1], **cycle(1), label="leave-one-out error")[0])
    dot = disc(right)
    right.set(xscale="log", xlabel="σ (ms) or k", ylabel="mean squared error (g²)", ylim=(0, 1600), xlim=(0.2, 60))
    right.xaxis.set_major_formatter("{x:g}")
    right.legend(loc="lower right")
    sheet = cover(right, "the errors:\nwhen you have\nwritten down\nyour answers")

    def update(method: str, sigma: float, k: int, answers: str) -> str:
        setting = sigma if method == _METHODS[0] else k
        says = f"σ = {sigma:.3g} ms" if method == _METHODS[0] else f"k = {k}"
        curve.set_ydata(fits[method](grid, setting))
        values, on_seen, on_unseen = errors[method]
        seen.set_data(values, on_seen)
        unseen.set_data(values, on_unseen)
        at = int(np.argmin(np.abs(np.log(values / setting))))
        dot.set_data([values[at]], [min(on_unseen[at], 1590)])  # at the rim, where it is beyond
        for artist in sheet:
            artist.set_visible(answers == "hidden")
        steps = np.diff(curve.get_ydata())
        turns = int(np.sum(np.diff(np.sign(steps[steps != 0])) != 0))
        words.set_text(says)
        if answers == "hidden":
            return f"Left: the crash data and the curve for {says}, which turns {turns} times. Right: covered."
        words.set_text(f"{says}: training {on_seen[at]:.0f} g², leave-one-out {on_unseen[at]:.0f} g²")
        return (
            f"Left: the crash data and the curve for {says}. Right: training error, {on_seen[at]:.0f} g² here, and "
            f"leave-one-out error, {on_unseen[at]:.0f} g² here; the least of the curve is {on_unseen.min():.0f} g²."
        )

    return explore(
        fig,
        update,
        states=[
            {"sigma": log_stop(-6)},
            {"sigma": log_stop(-12), "answers": "shown", "question": 1},
            {"sigma": log_stop(-1), "answers": "shown", "question": 2},
            {"answers": "shown", "method": _METHODS[1], "k": 10, "question": 3},
        ],
        method=switch("weights", _METHODS),
        sigma=log_slider("width σ", -0.6, 1.7, 1.0, per_decade=20, unit="ms"),
        k=slider("neighbours k", 1, 60, 3, 1),
        answers=switch("errors", ["hidden", "shown"]),
    )  # fmt: skip


def log_stop(steps: int) -> float:
    """The stop of a σ slider so many steps from 1."""
    return 10 ** (steps / 20)


def classes_explorer(
    train: Any,
    vote: Callable[[int, np.ndarray], np.ndarray],
    errors: Callable[[int], tuple[float, float]],
    bayes: float,
) -> Explorer:
    """One slider, k: the map of two classes; when asked for, training and test error beside the Bayes rule's.

    ``vote(k, points)`` returns classes 0 or 1; ``errors(k)`` the fractions (training, test).
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4), width_ratios=[1.25, 1])
    low, high = train.X.min(axis=0) - 0.1, train.X.max(axis=0) + 0.1
    u, v = np.linspace(low[0], high[0], 100), np.linspace(low[1], high[1], 100)
    points = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ground = moving(left.imshow(np.zeros((100, 100)), extent=(low[0], high[0], low[1], high[1]), origin="lower",
                                aspect="auto", cmap=ListedColormap([SKY, SAND]), vmin=0, vmax=1,
                                interpolation="nearest"))  # fmt: skip
    for c, marker, fill in ((0, "o", "white"), (1, "^", "black")):
        # on top of a ground that moves, so they move with it
        moving(left.plot(*train.X[train.y == c].T, linestyle="none", marker=marker, markersize=5, color="black",
                         markerfacecolor=fill, markeredgewidth=0.9, label=f"class {c}")[0])  # fmt: skip
    left.set(xlabel="first coordinate", ylabel="second coordinate")
    left.grid(False)
    left.legend(loc="lower left")
    ks = slider("neighbours k", 1, 101, 1, 1)
    table = np.array([errors(k) for k in ks.stops])
    right.plot(ks.stops, table[:, 0], label="training", **cycle(0))
    right.plot(ks.stops, table[:, 1], label="test", **cycle(1))
    right.axhline(bayes, color="#555555", linestyle=":", linewidth=1.5, label="Bayes rule, test")
    dot = disc(right)
    right.set(xscale="log", xlabel="k", ylabel="fraction of errors", ylim=(-0.005, 0.2))
    right.xaxis.set_major_formatter("{x:g}")
    right.legend(loc="lower right")
    sheet = cover(right, "the errors:\nwhen you have\nwritten down\nyour answers")

    def update(k: int, answers: str) -> str:
        ground.set_data(vote(k, points).reshape(100, 100))
        seen, unseen = table[ks.stop_at(k)]
        dot.set_data([k], [unseen])
        for artist in sheet:
            artist.set_visible(answers == "hidden")
        picture = f"Left: two classes of {len(train.y)} points and the regions of the {k} nearest"
        if answers == "hidden":
            return f"{picture}. Right: covered until the errors are shown."
        return (
            f"{picture}. Right: against k, training error, {seen:.3f} here, and test error, {unseen:.3f} here; the "
            f"Bayes rule makes {bayes:.3f} on the same test points."
        )

    return explore(
        fig, update, states=[
            {"k": 1, "answers": "shown", "question": 1},
            {"k": 31, "answers": "shown", "question": 2},
            {"k": 57, "answers": "shown", "question": 3},
        ],
        k=ks, answers=switch("errors", ["hidden", "shown"]),
    )  # fmt: skip


def mistake_explorer(cases: dict[str, Any], programs: dict[str, Callable[..., np.ndarray]], sigma: float) -> Explorer:
    """A switch between programs: three panels, each with its data and the curve that the program draws through them.

    ``cases`` maps a title to (x, y); ``programs`` a name to a function (x, y, sigma) -> values at x.
    """
    fig, axes = plt.subplots(1, len(cases), figsize=(9.2, 3.3), sharey=True)
    lines, words = [], []
    for ax, (title, (x, y)) in zip(axes, cases.items(), strict=True):
        ax.plot(x, y, **DOTS)
        lines.append(moving(ax.plot(x, x, **cycle(0))[0]))
        words.append(moving(ax.text(0.03, 0.97, "", transform=ax.transAxes, va="top", fontsize=10)))
        ax.set(xlabel="x", title=title)
        ax.title.set_fontsize(11)
    axes[0].set(ylabel="y", ylim=(-0.3, 3.4))

    def update(program: str) -> str:
        told = []
        for (title, (x, y)), line, text in zip(cases.items(), lines, words, strict=True):
            f = programs[program](x, y, sigma)
            line.set_ydata(f)
            text.set_text(f"between {f.min():.2f} and {f.max():.2f}")
            told.append(f"{title}: between {f.min():.2f} and {f.max():.2f}")
        return f"Three data sets and the smoother by the program “{program}”. {'; '.join(told)}."

    names = list(programs)
    return explore(fig, update, states=[{"program": names[-1]}], program=switch("program", names))
