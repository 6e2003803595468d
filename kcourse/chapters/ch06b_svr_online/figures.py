"""The interactive figures of chapter 6b. The notebook passes in what they compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap

from kcourse.lab.figures import cycle, grouped
from kcourse.lab.pieces import BOUND, CLASSES, DOTS, FREE, SAND, SKY, level_lines
from kcourse.lab.widgets import Control, Explorer, explore, log_slider, moving, slider, switch

__all__ = ["online_explorer", "tube_explorer"]


def tube_explorer(
    data: Any, truth: Callable[[np.ndarray], np.ndarray], fit: Callable[[float, float, np.ndarray], Any], spoilt: int
) -> Explorer:
    """ε and C: the curve in its tube with its support vectors, and beside it the residual of each point over β.

    ``fit(epsilon, C, y)`` returns an SVR fitted to the targets y at one-dimensional ``data.X``. The target of point
    ``spoilt`` can be made too high.
    """
    x = data.X[:, 0]
    line = np.linspace(x.min() - 0.2, x.max() + 0.2, 300)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.4), width_ratios=[1.5, 1])
    tube = moving(left.fill_between(line, line, line, color="#d9d9d9", label="tube, ± ε"))
    moving(left.plot(line, truth(line), **cycle(2), linewidth=1.4, label="sinc, the truth")[0])
    before = moving(left.plot(line, line, **cycle(1), linewidth=1.4, label="f before the mistake")[0])
    curve = moving(left.plot(line, line, **cycle(0), label="f")[0])
    dots = moving(left.plot([], [], **DOTS, zorder=3)[0])
    mistake = DOTS | {"marker": "X", "markersize": 9}
    mistakes = [moving(left.plot([], [], **mistake, label="wrong target", zorder=3)[0])]
    rings = [moving(left.plot([], [], **how, label=label, zorder=4)[0])
             for how, label in ((FREE, "0 < |β| < C"), (BOUND, "|β| = C"))]  # fmt: skip
    left.set(xlabel="x", ylabel="y", ylim=(-1.4, 2.4), xlim=(line[0], line[-1]))
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=9)
    stairs = moving(right.plot([], [], color="black", linewidth=1.2, linestyle="-", zorder=1)[0])
    cloud = [moving(right.plot([], [], **how)[0])
             for how in (FREE | {"markersize": 8}, BOUND | {"markersize": 7}, DOTS)]  # fmt: skip
    mistakes.append(moving(right.plot([], [], **mistake)[0]))
    right.set(xlabel="β / C", ylabel="residual y - f(x)", xlim=(-1.12, 1.12), ylim=(-1.4, 2.4))
    words, told = moving(left.set_title(" ", fontsize=11)), moving(right.set_title(" ", fontsize=11))

    def update(epsilon: float, C: float, wrong: float, numbers: str) -> str:
        y = data.y + wrong * (np.arange(len(x)) == spoilt)
        model = fit(epsilon, C, y)
        f = model.predict(line[:, None])
        old = fit(epsilon, C, data.y).predict(line[:, None]) if wrong else f
        upper, lower = np.stack([line, f + epsilon], 1), np.stack([line, f - epsilon], 1)
        tube.set_verts([np.concatenate([upper, lower[::-1]])])
        curve.set_ydata(f)
        before.set_ydata(old)
        beta, residual = model.dual_coef_, y - model.predict(data.X)
        bound, free = np.abs(beta) == C, (beta != 0) & (np.abs(beta) < C)
        right_ones = np.arange(len(x)) != spoilt if wrong else np.ones(len(x), dtype=bool)
        dots.set_data(x[right_ones], y[right_ones])
        for marks, at, level in ((mistakes[0], x, y), (mistakes[1], beta / C, residual)):
            marks.set_data(at[~right_ones], level[~right_ones])
        for ring, some in zip(rings, (free, bound), strict=True):
            ring.set_data(x[some], y[some])
        stairs.set_data([-1, -1, 0, 0, 1, 1], [-3, -epsilon, -epsilon, epsilon, epsilon, 3])
        for marks, some in zip(cloud, (free, bound, (beta == 0) & right_ones), strict=True):
            marks.set_data(beta[some] / C, residual[some])
        counts = f"{free.sum() + bound.sum()} of {len(y)} are support vectors"
        most = f"by up to {np.abs(f - old).max():.2f}"
        shown = numbers == "shown"
        words.set_text(counts if shown else " ")
        told.set_text(f"f has moved {most}" if shown and wrong else " ")
        say = (
            f"Left: {len(y)} noisy points of sinc and the curve with C = {C:.3g} in a tube of half width {epsilon:g}"
            f"{f'; one target is too high by {wrong:g}' if wrong else ''}. "
            "Right: the residual of each point over β/C, on a staircase"
        )
        more = f"; {counts}, {bound.sum()} of them at the bound{f'; the wrong target moves f {most}' if wrong else ''}."
        return say + more if shown else f"{say}; the counts are hidden."

    return explore(
        fig,
        update,
        states=[
            {"epsilon": 0.0, "numbers": "shown", "question": 1},
            {"epsilon": 0.8, "numbers": "shown", "question": 1},
            {"epsilon": 0.15, "numbers": "shown", "question": 2},
            {"epsilon": 0.4, "numbers": "shown", "question": 2},
            {"wrong": 1.0, "numbers": "shown", "question": 3},
            {"wrong": 2.0, "numbers": "shown", "question": 3},
            {"wrong": 2.0, "C": 1000.0, "numbers": "shown", "question": 3},
        ],
        epsilon=slider("half width ε", 0.0, 0.8, 0.1, 0.05),
        C=log_slider("C", -1, 3, 1.0, per_decade=2),
        wrong=Control("one target too high by", (0.0, 1.0, 2.0), ("0", "1", "2"), 0),
        numbers=switch("counts", ["hidden", "shown"]),
    )  # fmt: skip


def online_explorer(
    X: np.ndarray,
    y: np.ndarray,
    steps: np.ndarray,
    path: Callable[[str, int], np.ndarray],
    values: Callable[[np.ndarray, np.ndarray], np.ndarray],
    judge: Callable[[np.ndarray], tuple[float, int, int]],
    batch: np.ndarray,
) -> Explorer:
    """An online method after some of the points, beside the exact solution.

    ``path(machine, budget)`` returns the coefficients (S, n) after ``steps`` (S,) points; ``values(coef, points)`` is
    f there; ``judge(coef)`` the objective minus its minimum as a fraction of the minimum, the number of test errors, and
    the number of points kept. ``batch`` (n,) are the coefficients of the exact solution.
    """
    machines = ("Pegasos", "averaged", "perceptron")
    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(10.4, 4.1), width_ratios=[1.25, 1, 1])
    low, high = X.min(axis=0) - 0.1, X.max(axis=0) + 0.1
    u, v = np.linspace(low[0], high[0], 70), np.linspace(low[1], high[1], 70)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ground = moving(left.imshow(np.zeros((70, 70)), extent=(low[0], high[0], low[1], high[1]), origin="lower",
                                aspect="auto", cmap=ListedColormap([SKY, SAND]), vmin=0, vmax=1,
                                interpolation="nearest", zorder=0))  # fmt: skip
    exact = level_lines(u, v, values(batch, grid).reshape(70, 70), 0.0)
    moving(left.add_collection(LineCollection(exact, color="#555555", linestyle="--", linewidth=1.6)))
    border = moving(left.add_collection(LineCollection([], color="black", linewidth=2.2)))
    for label, marker, fill in CLASSES:
        moving(left.plot(*X[y == label].T, linestyle="none", marker=marker, markersize=3.5, color="black",
                         markerfacecolor=fill, markeredgewidth=0.7)[0])  # fmt: skip
    keeps = moving(left.plot([], [], **FREE | {"markersize": 9})[0])
    left.grid(False)
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x₁", ylabel="x₂")
    gap = moving(middle.plot([], [], **cycle(0))[0])
    wrong = moving(right.plot([], [], **cycle(0))[0])
    _, best, _ = judge(batch)
    right.axhline(best, color="#555555", linestyle="--", linewidth=1.6, label="exact solution")
    right.legend(loc="upper right")
    here = [moving(ax.plot([], [], "o", color="white", markeredgecolor="black", markersize=8)[0])
            for ax in (middle, right)]  # fmt: skip
    for ax in (middle, right):
        ax.set(xscale="log", xlabel="points seen", xlim=(steps[0] * 0.8, steps[-1] * 1.3))
    middle.set(yscale="log", ylim=(1e-3, 1e3))
    middle.set_title("objective minus minimum, relative", fontsize=10)
    right.set(ylim=(0, 520))
    right.set_title("errors of 1000 test points", fontsize=10)
    words = moving(left.set_title(" ", fontsize=11))
    none = moving(middle.text(0.5, 0.5, "a perceptron\nhas none", transform=middle.transAxes, ha="center",
                              va="center", color="#555555"))  # fmt: skip
    stops = tuple(int(s) for s in steps)
    seen: dict[tuple[str, int], tuple[np.ndarray, np.ndarray]] = {}

    def judged(machine: str, budget: int) -> tuple[np.ndarray, np.ndarray]:
        key = machine, budget if machine == "perceptron" else 0
        if key not in seen:
            coefs = path(machine, budget)
            seen[key] = coefs, np.array([judge(coef) for coef in coefs])
        return seen[key]

    def update(machine: str, points: int, budget: int) -> str:
        coefs, marks = judged(machine, budget)
        k = stops.index(points)
        f = values(coefs[k], grid).reshape(70, 70)
        ground.set_data(f > 0)
        border.set_segments(level_lines(u, v, f, 0.0))
        keeps.set_data(*X[coefs[k] != 0].T)
        has_objective = machine != "perceptron"
        for artist in (gap, here[0]):
            artist.set_visible(has_objective)
        none.set_visible(not has_objective)
        gap.set_data(stops[: k + 1], marks[: k + 1, 0])
        wrong.set_data(stops[: k + 1], marks[: k + 1, 1])
        here[0].set_data([points], [marks[k, 0]])
        here[1].set_data([points], [marks[k, 1]])
        kept = int(marks[k, 2])
        words.set_text(f"{machine}, {grouped(points)} seen, {kept} kept")
        objective = f"; its objective is {_share(marks[k, 0])} above the minimum" if has_objective else ""
        of_them = "points" if points > 1 else "point"
        name = f"a perceptron with a budget of {budget}" if machine == "perceptron" else machine
        return (
            f"Left: the decision boundary of {name} after {grouped(points)} {of_them}, {kept} kept, and dashed that of "
            f"the exact solution{objective}. Right: it has {marks[k, 1]:.0f} errors on 1000 test points, the exact "
            f"solution {best}."
        )

    chosen = Control("points seen", stops, tuple(grouped(s) for s in stops), 0)
    return explore(
        fig,
        update,
        states=[
            *({"points": points, "question": 1} for points in stops if points in (10, 100, 1000, 10000)),
            {"machine": "averaged", "points": stops[-1], "question": 2},
            {"machine": "perceptron", "points": stops[-1], "budget": 20, "question": 3},
        ],
        machine=switch("method", list(machines)),
        points=chosen,
        budget=Control("entries of the perceptron", (5, 10, 20, 50, 100, 250), ("5", "10", "20", "50", "100", "250"), 2),
    )  # fmt: skip


def _share(value: float) -> str:
    return f"{100 * value:.1f} %" if value >= 1e-3 else "less than 0.1 %"
