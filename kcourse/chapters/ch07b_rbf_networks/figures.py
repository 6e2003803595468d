"""The interactive figures of chapter 7b. The notebook passes in what they compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap

from kcourse.lab.figures import cycle, grouped
from kcourse.lab.pieces import CLASSES, SAND, SKY, level_lines
from kcourse.lab.widgets import Control, Explorer, explore, moving, slider, switch

__all__ = ["kmeans_explorer", "moons_explorer", "posterior_explorer"]

_CENTRE = {"linestyle": "none", "marker": "P", "color": "#D55E00", "markeredgecolor": "black", "markersize": 11}
_GROUPS = (("o", "white"), ("^", "black"), ("s", "#bbbbbb"), ("D", "white"), ("v", "#888888"), ("*", "black"))
_DID = (
    "every point with the centre nearest to it",
    "every centre to the mean of its group",
    "every point to its nearest",
)
_RESTS = "nothing changes any more"
_TALL = 0.7  # height by width of the picture of k-means
_NONE = "none yet"
_GREYS = ListedColormap([str(v) for v in np.linspace(0.55, 1.0, 10)])  # light enough for black marks


def kmeans_explorer(
    points: dict[str, np.ndarray],
    runs: dict[str, dict[str, Sequence[tuple[np.ndarray, np.ndarray, float]]]],
    least: dict[str, float],
) -> Explorer:
    """k-means in half steps: groups by their marks, the centres with the way that they came, and the cost.

    ``runs[data][start]`` has (centres, groups, cost) after each half step, partition and mean in turn; ``least`` the
    smallest cost that is known for each data set.
    """
    longest = max(len(run) for some in runs.values() for run in some.values())
    named = {f"{data}, {start}": (data, start) for data, some in runs.items() for start in some}
    dearest = {data: max(run[0][2] for run in some.values()) for data, some in runs.items()}
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.8, 4.1), width_ratios=[1.4, 1])
    marks = [moving(left.plot([], [], linestyle="none", marker=marker, markerfacecolor=fill, color="black",
                              markeredgewidth=0.6)[0]) for marker, fill in _GROUPS]  # fmt: skip
    trails = moving(left.add_collection(LineCollection([], color="#D55E00", linewidth=1.3)))
    centres = moving(left.plot([], [], zorder=5, **_CENTRE)[0])
    left.set(xticks=[], yticks=[], box_aspect=_TALL)
    left.grid(False)
    words = moving(left.set_title(" ", fontsize=11))
    curve = moving(right.plot([], [], marker="o", markersize=4, **cycle(0))[0])
    floor = moving(right.axhline(0, color="black", linestyle=":"))
    right.set(
        xlabel="half steps", ylabel="cost / cost of the worst start", xlim=(-0.5, longest - 0.5), ylim=(-0.03, 1.06)
    )
    told = moving(right.set_title(" ", fontsize=11))

    def update(start: str, step: int) -> str:
        data, letter = named[start]
        X, run = points[data], runs[data][letter]
        k = min(step, len(run) - 1)
        T, groups, cost = run[k]
        size = 3.5 if len(X) > 50 else 11
        for j, line in enumerate(marks):
            line.set_data(*X[groups == j].T)
            line.set_markersize(size)
        ways = [np.array([run[i][0][j] for i in range(k + 1)]) for j in range(len(T))]
        trails.set_segments(ways)
        centres.set_data(*T.T)
        low, high = X.min(axis=0), X.max(axis=0)
        room, middle = 1.3 * (high - low) + 0.6, (low + high) / 2
        half = max(room[0], room[1] / _TALL) / 2 * np.array([1, _TALL])  # the same scale on both axes
        left.set(xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1]))
        curve.set_data(np.arange(k + 1), [c / dearest[data] for _, _, c in run[: k + 1]])
        rests = k == len(run) - 1
        floor.set_ydata([least[data] / dearest[data]] * 2)
        floor.set_visible(rests)
        did = _RESTS if rests else _DID[0] if k == 0 else _DID[1 + (k + 1) % 2]
        words.set_text(did)
        told.set_text(f"cost {_cost(cost)}" + (f", least known {_cost(least[data])}" if rests else ""))
        known = f"; the least that is known, {_cost(least[data])}, is dotted" if rests else ""
        return (
            f"Left: {grouped(len(X))} points ({data}) in {len(T)} groups, from start {letter}, after half step {step}: "
            f"{did}. Right: the cost, now {_cost(cost)}{known}."
        )

    last = longest - 1
    steps = [*range(min(8, last)), *range(8, last, 4), last]  # most of what happens happens at once
    worst = list(next(iter(runs.values())))[-1]
    one, two = list(points)
    return explore(
        fig,
        update,
        states=[
            {"start": f"{one}, {worst}", "step": last, "question": 1},
            {"start": f"{two}, {list(runs[two])[0]}", "step": last, "question": 2},
            {"start": f"{two}, {list(runs[two])[-1]}", "step": last, "question": 2},
        ],
        start=switch("points and start", list(named)),
        step=Control("half steps", tuple(steps), tuple(str(step) for step in steps), 0),
    )  # fmt: skip


def _cost(value: float) -> str:
    return grouped(value) if value >= 100 else f"{value:.3g}"


def moons_explorer(train: Any, new: Any, fit: Callable[[str, int, str], Any]) -> Explorer:
    """Two moons and units placed in three ways: boundary, centres and spreads on the left, test errors on the right.

    ``train`` and ``new`` are training and test points; ``fit(way, m, rule)`` returns a fitted network.
    """
    ways = {"random": "random", "kmeans": "k-means", "supervised": "gradient"}
    kinds = {"20": (20, "dmax"), "6": (6, "dmax"), "20, median spread": (20, "median")}
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.0, 4.0), width_ratios=[1.75, 1])
    u, v = np.linspace(-15, 25, 80), np.linspace(-15, 17, 80)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ground = moving(left.imshow(np.zeros((80, 80)), extent=(u[0], u[-1], v[0], v[-1]), origin="lower",
                                aspect="equal", cmap=ListedColormap([SKY, SAND]), vmin=0, vmax=1,
                                interpolation="nearest", zorder=0))  # fmt: skip
    dots = [moving(left.plot([], [], linestyle="none", marker=marker, markersize=3, color="black",
                             markerfacecolor=fill, markeredgewidth=0.5)[0]) for _, marker, fill in CLASSES]  # fmt: skip
    border = moving(left.add_collection(LineCollection([], color="black", linewidth=2)))
    rings = moving(left.add_collection(LineCollection([], color="#D55E00", linewidth=1, linestyle=":")))
    centres = moving(left.plot([], [], zorder=5, **_CENTRE | {"markersize": 8})[0])
    left.set(xlabel="x₁", ylabel="x₂", xlim=(u[0], u[-1]), ylim=(v[0], v[-1]))
    left.grid(False)
    words = moving(left.set_title(" ", fontsize=11))
    right.set(xlim=(0.7, 5000), ylim=(-0.6, 2.6), xscale="log", xlabel="errors on 5000 test points")
    right.set_yticks(range(3), list(ways.values()))
    right.set_xticks([1, 10, 100, 1000], ["0 or 1", "10", "100", "1000"])
    by_rule = moving(right.plot([], [], "x", color="black", markersize=8, markeredgewidth=1.5)[0])
    of_rule = moving(right.text(0.98, 0.02, "×: with the rule", transform=right.transAxes, ha="right", fontsize=10))
    counts = moving(right.plot([], [], "o", color="white", markeredgecolor="black", markersize=11)[0])
    chosen = moving(right.plot([], [], "o", color="black", markersize=11)[0])
    labels = [moving(right.text(1, i + 0.22, " ", ha="center", fontsize=10)) for i in range(3)]
    veil = moving(right.text(0.5, 0.5, "guess first", transform=right.transAxes, ha="center", color="#555555"))
    seen: dict[tuple, tuple[Any, int]] = {}
    turn = np.linspace(0, 2 * np.pi, 40)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])

    def judged(way: str, m: int, rule: str) -> tuple[Any, int]:
        key = way, m, rule
        if key not in seen:
            model = fit(*key)
            seen[key] = model, int(np.sum(model.predict(new.X) != new.y))
        return seen[key]

    for line, (label, _, _) in zip(dots, CLASSES, strict=True):
        line.set_data(*train.X[train.y == label][::5].T)  # a fifth of them: the picture is clearer

    def update(way: str, units: str) -> str:
        m, rule = kinds[units]
        placed = way != _NONE
        veil.set_visible(not placed)
        for artist in (ground, border, rings, centres, counts, chosen, *labels):
            artist.set_visible(placed)
        for artist in (by_rule, of_rule):
            artist.set_visible(placed and rule == "median")
        if not placed:
            words.set_text(f"{units} units, not placed yet")
            return f"Left: the two moons without the {units} units. Right: errors are shown once the units are placed."
        name = next(key for key, word in ways.items() if word == way)
        model, wrong = judged(name, m, rule)
        f = model.decision_function(grid).reshape(80, 80)
        ground.set_data(f > 0)
        border.set_segments(level_lines(u, v, f, 0.0))
        centres.set_data(*model.centers_.T)
        rings.set_segments([t + s * circle for t, s in zip(model.centers_, model.sigma_, strict=True)])
        spreads = f"σ = {model.sigma_.min():.1f}"
        if np.ptp(model.sigma_) > 0.05:
            spreads += f" to {model.sigma_.max():.1f}"
        words.set_text(f"{m} units, {way}, {spreads}")
        at = list(ways).index(name)
        every = [judged(key, m, rule)[1] for key in list(ways)[: at + 1]]  # the ways up to this one
        counts.set_data(np.maximum(every, 1), range(at + 1))
        chosen.set_data([max(wrong, 1)], [at])
        for i, text in enumerate(labels):
            text.set_visible(i <= at)
            if i <= at:
                text.set_position((max(every[i], 1), i + 0.22))
                text.set_text(grouped(every[i]))
        told = ", ".join(f"{word} {count}" for word, count in zip(ways.values(), every, strict=False))
        if rule == "median":
            usual = [judged(key, m, "dmax")[1] for key in list(ways)[: at + 1]]
            by_rule.set_data(np.maximum(usual, 1), range(at + 1))
            told += "; with the rule's spread " + ", ".join(map(str, usual))
        return (
            f"Left: the two moons, {m} units with centres {_placed(way)}, {spreads}, and the decision boundary. "
            f"Right: errors on 5000 test points: {told}."
        )

    return explore(
        fig,
        update,
        states=[
            {"way": "gradient", "question": 1},
            {"way": "gradient", "units": "6", "question": 2},
            {"way": "random", "units": "20, median spread", "question": 3},
        ],
        way=switch("centres", [_NONE, *ways.values()]),
        units=switch("units", list(kinds)),
    )  # fmt: skip


def _placed(way: str) -> str:
    return {"random": "at random", "k-means": "by k-means", "gradient": "by gradient"}[way]


def posterior_explorer(
    X: np.ndarray, y: np.ndarray, network: Callable[[str], Callable[[np.ndarray], np.ndarray]]
) -> Explorer:
    """Outputs of three networks: a map of that for class +1, and a walk along a line with both outputs and their sum.

    ``network(kind)`` returns a function from points (q, 2) to outputs (q, 2), class +1 last.
    """
    kinds = ("squares, no bias", "squares, bias", "normalised")
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.4, 4), width_ratios=[1.15, 1])
    u, v = np.linspace(-2.6, 2.2, 90), np.linspace(-1.4, 2.4, 90)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ground = moving(left.imshow(np.zeros((90, 90)), extent=(u[0], u[-1], v[0], v[-1]), origin="lower", aspect="auto",
                                cmap=_GREYS, vmin=0, vmax=1, interpolation="bilinear", zorder=0))  # fmt: skip
    beyond = moving(left.add_collection(LineCollection([], color="#D55E00", linewidth=2, linestyle="--")))
    border = moving(left.add_collection(LineCollection([], color="black", linewidth=2.2)))
    for label, marker, fill in CLASSES:
        moving(left.plot(*X[y == label].T, linestyle="none", marker=marker, markersize=3, color="black",
                         markerfacecolor=fill, markeredgewidth=0.6)[0])  # fmt: skip
    walk = moving(left.axhline(0.0, color="black", linestyle=":", linewidth=1.8))
    left.set(xlabel="x₁", ylabel="x₂", xlim=(u[0], u[-1]), ylim=(v[0], v[-1]))
    left.grid(False)
    words = moving(left.set_title(" ", fontsize=11))
    right.axhspan(0, 1, color="#eeeeee", zorder=0)
    curves = [moving(right.plot(u, u, label=name, **how)[0]) for name, how in (
        ("class of triangles", cycle(0)), ("class of circles", cycle(1)),
        ("sum", {"color": "black", "linestyle": ":", "linewidth": 1.8}))]  # fmt: skip
    right.set(xlabel="x₁ along the dotted line", ylabel="output", xlim=(u[0], u[-1]), ylim=(-0.5, 1.6))
    fig.legend(*right.get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=9)
    told = moving(right.set_title(" ", fontsize=11))
    made: dict[str, tuple[Callable, np.ndarray]] = {}

    def of(kind: str) -> tuple[Callable, np.ndarray]:
        if kind not in made:
            outputs = network(kind)
            made[kind] = outputs, outputs(grid)
        return made[kind]

    def update(kind: str, height: float) -> str:
        walk.set_ydata([height, height])
        there = kind != _NONE
        for artist in (ground, border, beyond, *curves):
            artist.set_visible(there)
        if not there:
            words.set_text("no network yet")
            told.set_text(" ")
            return (
                f"Left: Ripley's two classes, and a dotted line at x₂ = {height:g}. Right: the band from 0 to 1, "
                "and no outputs before a network is chosen."
            )
        outputs, everywhere = of(kind)
        shape = everywhere[:, 1].reshape(90, 90)
        ground.set_data(np.clip(shape, 0, 1))
        border.set_segments(level_lines(u, v, (everywhere[:, 1] - everywhere[:, 0]).reshape(90, 90), 0.0))
        beyond.set_segments(level_lines(u, v, shape, 0.0) + level_lines(u, v, shape, 1.0))
        along = outputs(np.column_stack([u, np.full(90, height)]))
        for line, values in zip(curves, (along[:, 1], along[:, 0], along.sum(axis=1)), strict=True):
            line.set_ydata(values)
        low, high, sums = everywhere.min(), everywhere.max(), everywhere.sum(axis=1)
        words.set_text(kind)
        told.set_text(f"outputs {low:.2f} to {high:.2f}, sums {sums.min():.2f} to {sums.max():.2f}")
        return (
            f"Left: the output for the class of triangles of the network “{kind}”, dark where it is small, "
            f"with the border of the classes and dashed lines where it leaves the band from 0 to 1. Right: both "
            f"outputs and their sum along the line x₂ = {height:g}. On the whole map outputs lie between {low:.2f} and {high:.2f}, and sums between {sums.min():.2f} "
            f"and {sums.max():.2f}."
        )

    return explore(
        fig,
        update,
        states=[
            {"kind": kinds[0], "height": -1.2, "question": 1},
            {"kind": kinds[1], "height": -1.2, "question": 2},
            {"kind": kinds[2], "height": -1.2, "question": 3},
        ],
        kind=switch("network", [_NONE, *kinds]),
        height=slider("height of the line x₂", -1.2, 2.2, 0.4, 0.2),
    )  # fmt: skip
