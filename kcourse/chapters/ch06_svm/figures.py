"""The interactive figures of chapter 6, first part. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import ListedColormap
from matplotlib.patches import Polygon
from matplotlib.patheffects import withStroke

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import BOUND, CLASSES, FREE, SAND, SKY, level_lines
from kcourse.lab.widgets import Explorer, explore, log_slider, moving, slider, switch

__all__ = ["losses_explorer", "machine_explorer", "smo_explorer", "staircase"]


def losses_explorer(x: np.ndarray, y: np.ndarray, losses: dict[str, Callable[[np.ndarray], np.ndarray]]) -> Explorer:
    """A loss against y f, and ½w² plus the losses of f(x) = wx against w; the last point is moved by a slider.

    ``losses`` maps a name to a function of y f. The minimum is looked for on a grid of w, to 0.0001.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4))
    margin, w, fine = np.linspace(-4, 4, 401), np.linspace(-1, 2, 601), np.linspace(-1, 2, 30001)
    for loss in losses.values():
        left.plot(margin, loss(margin), color="#bbbbbb", linewidth=1, linestyle="-")
    curve = moving(left.plot(margin, margin, **cycle(0), linewidth=2.5)[0])
    dots = moving(left.plot([], [], "o", color="black", markersize=7)[0])
    odd = moving(left.plot([], [], "D", color="white", markeredgecolor="black", markersize=8)[0])
    left.set(xlabel="y f(x)", ylabel="loss", xlim=(-4, 4), ylim=(-0.3, 6))
    words = moving(left.set_title(" "))
    total = moving(right.plot(w, w, **cycle(0))[0])
    here = moving(right.plot([], [], "o", color="white", markeredgecolor="black", markeredgewidth=2, markersize=9)[0])
    least = moving(right.plot([], [], "*", color="black", markersize=14, clip_on=False)[0])
    right.set(xlabel="w", ylabel="½w² + losses", xlim=(-1, 2), ylim=(0, 14))
    told = moving(right.set_title(" "))

    def cost(loss: str, w: np.ndarray, at: np.ndarray) -> np.ndarray:
        return 0.5 * w**2 + losses[loss](np.outer(w, y * at)).sum(axis=1)

    before = {loss: fine[cost(loss, fine, x).argmin()] + 0.0 for loss in losses}

    def update(loss: str, w0: float, odd_at: float, minimum: str) -> str:
        charge, at = losses[loss], np.append(x[:-1], odd_at)
        curve.set_ydata(charge(margin))
        yf = y * w0 * at
        dots.set_data(yf[:-1], charge(yf[:-1]))
        odd.set_data(np.clip(yf[-1:], -3.9, 3.9), np.minimum(charge(yf[-1:]), 5.8))  # at the edge, not out of sight
        total.set_ydata(cost(loss, w, at))
        now = 0.5 * w0**2 + charge(yf).sum()
        here.set_data([w0], [now])
        costs = cost(loss, fine, at)
        lowest, best = costs.min(), fine[costs.argmin()] + 0.0
        shown = minimum == "shown"
        least.set_data([best], [lowest])
        least.set_visible(shown)
        words.set_text(loss)
        start = f", before {before[loss]:.2f}" if odd_at != x[-1] else ""
        told.set_text(f"minimum {lowest:.2f} at w = {best:.2f}{start}" if shown else " ")
        text = (
            f"Left: the {loss} against y f, and on it {len(y)} points for w = {w0:g}, the last of them, a diamond, at "
            f"x = {odd_at:g}. Right: ½w² plus their losses against w; here {now:.2f}"
        )
        if not shown:
            return f"{text}."
        start = f"; with the diamond at {x[-1]:g} it was at {before[loss]:.2f}" if start else ""
        return f"{text}, minimum {lowest:.2f} at w = {best:.2f}{start}."

    names = list(losses)
    return explore(
        fig,
        update,
        states=[
            {"odd_at": -4.0, "minimum": "shown", "question": 1},
            {"loss": names[1], "odd_at": -4.0, "minimum": "shown", "question": 1},
            {"loss": names[2], "odd_at": -4.0, "minimum": "shown", "question": 1},
            {"w0": 1.0, "odd_at": 2.0, "question": 2},
            {"loss": names[-1], "minimum": "shown", "question": 3},
        ],
        loss=switch("loss", names),
        w0=slider("w", -1.0, 2.0, 0.5, 0.1),
        odd_at=slider("the diamond's x", -6.0, 2.0, 1.5, 0.5),
        minimum=switch("minimum", ["hidden", "shown"]),
    )  # fmt: skip


def staircase(ax: Axes, low: float, high: float) -> None:
    """Draw the lines in the diagram of α/C and y f on which every point of an optimal SVM lies."""
    ax.plot([0, 0, 1, 1], [high, 1, 1, low], color="black", linewidth=1.2, linestyle="-", zorder=1)
    ax.set(xlabel="α / C", ylabel="y f(x)", xlim=(-0.07, 1.07), ylim=(low, high))


def machine_explorer(X: np.ndarray, y: np.ndarray, fit: Callable[[float, float], Any]) -> Explorer:
    """C and σ: the decision boundary, the margin lines and the support vectors; next to it the diagram of α and y f.

    ``fit(C, sigma)`` returns a fitted SVC of the points ``X`` (n, 2) with labels ``y`` of -1 and 1.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.3), width_ratios=[1.25, 1])
    low, high = X.min(axis=0) - 0.1, X.max(axis=0) + 0.1
    u, v = np.linspace(low[0], high[0], 90), np.linspace(low[1], high[1], 90)
    grid = np.stack(np.meshgrid(u, v), axis=-1).reshape(-1, 2)
    ground = moving(left.imshow(np.zeros((90, 90)), extent=(low[0], high[0], low[1], high[1]), origin="lower",
                                aspect="auto", cmap=ListedColormap([SKY, SAND]), vmin=0, vmax=1,
                                interpolation="nearest", zorder=0))  # fmt: skip
    lines = [moving(left.add_collection(LineCollection([], color="black", linestyle=style, linewidth=width)))
             for style, width in (("--", 1.1), ("-", 2.2), ("--", 1.1))]  # fmt: skip
    rings = [moving(left.plot([], [], **how, label=label)[0])
             for how, label in ((FREE, "free, 0 < α < C"), (BOUND, "bound, α = C"))]  # fmt: skip
    for label, marker, fill in CLASSES:
        moving(left.plot(*X[y == label].T, linestyle="none", marker=marker, markersize=4.5, color="black",
                         markerfacecolor=fill, markeredgewidth=0.8, label=f"class {label:+d}")[0])  # fmt: skip
    left.grid(False)
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x₁", ylabel="x₂")
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=9)
    staircase(right, -3.0, 3.5)
    cloud = [moving(right.plot([], [], **how)[0])
             for how in (FREE | {"markersize": 8}, BOUND | {"markersize": 7},
                         {"marker": ".", "color": "black", "linestyle": "none"})]  # fmt: skip
    words, told = moving(left.set_title(" ", fontsize=11)), moving(right.set_title(" ", fontsize=11))

    def update(C: float, sigma: float, numbers: str) -> str:
        model = fit(C, sigma)
        f = model.decision_function(grid).reshape(90, 90)
        ground.set_data(f > 0)
        for line, level in zip(lines, (-1.0, 0.0, 1.0), strict=True):
            line.set_segments(level_lines(u, v, f, level))
        alpha, yf = model.multipliers_, y * model.decision_function(X)
        bound, free = alpha == C, (alpha > 0) & (alpha < C)
        for ring, some in zip(rings, (free, bound), strict=True):
            ring.set_data(*X[some].T)
        inside = np.clip(yf, -2.95, 3.45)
        for marks, some in zip(cloud, (free, bound, alpha == 0), strict=True):
            marks.set_data(alpha[some] / C, inside[some])
        wrong, gap = int(np.sum(yf <= 0)), model.primal_objective_ - model.dual_objective_
        counts = f"{free.sum()} free, {bound.sum()} bound, {wrong} wrong"
        certain = f"objective {model.dual_objective_:.4g}, gap {_rounded(gap)}"
        shown = numbers == "shown"
        words.set_text(counts if shown else " ")
        told.set_text(certain if shown else " ")
        text = (
            f"Left: {len(y)} points, the decision boundary for C = {C:.3g} and σ = {sigma:.3g}, and dashed lines "
            "where f is 1 or -1. Right: each point in the diagram of α/C and y f, on the staircase"
        )
        return f"{text}; {counts} of {len(y)}; {certain}." if shown else f"{text}; the counts are hidden."

    return explore(
        fig,
        update,
        states=[
            {"C": 100.0, "numbers": "shown", "question": 1},
            {"sigma": 0.1, "numbers": "shown", "question": 2},
            {"C": 10000.0, "sigma": 0.1, "numbers": "shown", "question": 3},
        ],
        C=log_slider("C", -2, 4, 1.0, per_decade=4),
        sigma=log_slider("σ", -1, 0.7, 10 ** (-3 / 10), per_decade=10),
        numbers=switch("counts", ["hidden", "shown"]),
    )  # fmt: skip


def _rounded(gap: float) -> str:
    """Return a gap by its order of magnitude: its digits are rounding errors, which differ between computers."""
    return "below 0.001" if gap < 1e-3 else f"{gap:.3f}"


def smo_explorer(X: np.ndarray, y: np.ndarray, C: float, runs: dict[str, Sequence[dict[str, Any]]]) -> Explorer:
    """SMO step by step: the pair, its box with the line on which it may move, and the two objectives.

    ``runs`` maps a rule of choosing pairs to its steps. A step has ``pair`` (i, j), the start ``before`` (α_i, α_j) of
    the line, the best point on it, ``free``, and the end of the step in the box, ``after``; and ``w``, ``b``, ``alpha``, ``dual`` and
    ``primal`` after the step. The first is the start, which has w, b, alpha, dual and primal only.
    """
    fig, (left, middle, right) = plt.subplots(1, 3, figsize=(10.4, 3.9), width_ratios=[1.15, 0.95, 1.1])
    low, high = X.min(axis=0) - 0.7, X.max(axis=0) + 0.7
    lines = [moving(left.plot([], [], color="black", linestyle=style, linewidth=width)[0])
             for style, width in (("--", 1), ("-", 2), ("--", 1))]  # fmt: skip
    pair_marks = moving(left.plot([], [], "o", markersize=19, color="#f0c000", markeredgecolor="black")[0])
    rings = [moving(left.plot([], [], **how)[0]) for how in (FREE, BOUND)]
    for label, marker, fill in CLASSES:
        moving(left.plot(*X[y == label].T, linestyle="none", marker=marker, markersize=6, color="black",
                         markerfacecolor=fill, zorder=4)[0])  # fmt: skip
    for i, at in enumerate(X):
        label = left.annotate(str(i + 1), at, xytext=(12, 5), textcoords="offset points", fontsize=8, zorder=5)
        moving(label).set_path_effects([withStroke(linewidth=2.5, foreground="white")])  # over the boundary
    left.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), xlabel="x₁", ylabel="x₂")
    words = moving(left.set_title(" ", fontsize=11))

    middle.add_patch(Polygon([(0, 0), (C, 0), (C, C), (0, C)], facecolor="#e8f1f8", edgecolor="black", linewidth=1.2))
    beyond = moving(middle.plot([], [], color="#888888", linestyle=":", linewidth=1.5)[0])
    within = moving(middle.plot([], [], color="black", linestyle="-", linewidth=2.5)[0])
    start = moving(middle.plot([], [], "o", color="white", markeredgecolor="black", markersize=8)[0])
    top = moving(middle.plot([], [], "X", color="#D55E00", markeredgecolor="black", markersize=13)[0])
    end = moving(middle.plot([], [], "o", color="black", markersize=6)[0])
    middle.set(xlim=(-0.75 * C, 1.75 * C), ylim=(-0.75 * C, 1.75 * C), aspect="equal",
               xticks=[0, C], xticklabels=["0", "C"], yticks=[0, C], yticklabels=["0", "C"])  # fmt: skip
    names = moving(middle.text(0.97, 0.03, "", transform=middle.transAxes, ha="right", va="bottom", fontsize=10,
                               bbox={"color": "white"}, zorder=6))  # fmt: skip
    box_words = moving(middle.set_title(" ", fontsize=11))

    longest = max(len(steps) for steps in runs.values())
    primal = moving(right.plot([], [], **cycle(1), label="primal")[0])
    dual = moving(right.plot([], [], **cycle(0), label="dual")[0])
    now = moving(right.plot([], [], "o", color="white", markeredgecolor="black", markersize=8)[0])
    highest = max(step["primal"] for steps in runs.values() for step in steps)
    right.set(xlabel="step", xlim=(-0.5, longest - 0.5), ylim=(-0.05 * highest, 1.3 * highest))
    right.legend(loc="upper right", fontsize=9)
    gap_words = moving(right.set_title(" ", fontsize=11))

    def update(step: int, rule: str) -> str:
        steps = runs[rule]
        at = min(step, len(steps) - 1)
        state = steps[at]
        w, b = np.asarray(state["w"]), state["b"]
        for line, level in zip(lines, (-1.0, 0.0, 1.0), strict=True):
            line.set_data(*_line(w, b - level, low, high))
        alpha = state["alpha"]
        for ring, some in zip(rings, ((alpha > 0) & (alpha < C), alpha == C), strict=True):
            ring.set_data(*X[some].T)
        moved = "pair" in state
        for artist in (beyond, within, start, top, end, names, pair_marks):
            artist.set_visible(moved)
        if moved:
            (i, j), before = state["pair"], np.array(state["before"])
            along = np.array([1.0, -y[i] * y[j]])  # y_i α_i + y_j α_j stays
            reach = before + np.outer(np.linspace(-4 * C, 4 * C, 801), along)
            beyond.set_data(*reach.T)
            inside = reach[np.all((reach >= -1e-9) & (reach <= C + 1e-9), axis=1)]
            within.set_data(*inside.T)
            start.set_data(*before[:, None])
            top.set_data(*np.clip(state["free"], -0.7 * C, 1.7 * C)[:, None])
            end.set_data(*np.array(state["after"])[:, None])
            names.set_text(f"across: α of point {i + 1}\nupwards: α of point {j + 1}")
            pair_marks.set_data(*X[[i, j]].T)
        clipped = moved and not np.allclose(state["free"], state["after"])
        box_words.set_text("" if not moved else "clipped at the box" if clipped else "the maximum is inside")
        done = np.arange(at + 1)
        dual.set_data(done, [s["dual"] for s in steps[: at + 1]])
        primal.set_data(done, [s["primal"] for s in steps[: at + 1]])
        now.set_data([at], [state["dual"]])
        gap = state["primal"] - state["dual"]
        gained = state["dual"] - steps[max(at - 1, 0)]["dual"]
        words.set_text("before the first step" if not at else f"step {at} of {len(steps) - 1}: gain {gained:.3f}")
        gap_words.set_text(f"gap {_rounded(gap)}")
        text = f"SMO step by step on {len(y)} points in the plane, pairs by {rule}; "
        if not moved:
            return f"{text}before the first step all α are 0; the gap is {gap:.3g}."
        where = "clipped at the box" if clipped else "inside the box"
        return (
            f"{text}step {at} of {len(steps) - 1} moves points {i + 1} and {j + 1} from α = {before[0]:.3f} and "
            f"{before[1]:.3f} to {state['after'][0]:.3f} and {state['after'][1]:.3f}, {where}; the dual gains "
            f"{gained:.3f} and is {state['dual']:.4f}, the gap {_rounded(gap)}."
        )

    rules = list(runs)
    last = len(runs[rules[0]]) - 1
    of_step = enumerate(step.get("pair", ()) for step in runs[rules[0]])
    one_class = next((k for k, pair in of_step if pair and y[pair[0]] == y[pair[1]]), last)
    return explore(
        fig,
        update,
        states=[
            {"step": 1, "question": (1, 2)},
            {"step": 1, "rule": rules[1], "question": 1},
            {"step": 2, "question": 3},
            {"step": one_class, "question": 2},
            {"step": last, "question": 3},
        ],
        step=slider("step", 0, longest - 1, 0, 1),
        rule=switch("pairs", rules),
    )


def _line(w: np.ndarray, b: float, low: np.ndarray, high: np.ndarray) -> tuple[list[float], list[float]]:
    """Two points of the line wᵀx + b = 0 beyond the box; none if there is no line."""
    if np.allclose(w, 0):
        return [], []
    foot, along = -b * w / (w @ w), np.array([-w[1], w[0]]) / np.linalg.norm(w)
    reach = np.abs(high).max() + np.abs(low).max() + np.abs(foot).max()
    ends = np.stack([foot - reach * along, foot + reach * along])
    return ends[:, 0].tolist(), ends[:, 1].tolist()
