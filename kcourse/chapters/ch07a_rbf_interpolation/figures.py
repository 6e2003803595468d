"""The interactive figures of chapter 7a. The notebook passes in what they compute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import DOTS
from kcourse.lab.widgets import Control, Explorer, explore, log_slider, moving, switch

__all__ = ["basis_explorer", "draw_map", "penalty_explorer"]

_ROUNDING = 1e-15  # of the largest eigenvalue: below, the sign is a matter of rounding


def basis_explorer(
    x: np.ndarray,
    y: np.ndarray,
    truth: Callable[[np.ndarray], np.ndarray],
    names: tuple[str, ...],
    solve: Callable[[str, float, np.ndarray], tuple[np.ndarray, np.ndarray]],
) -> Explorer:
    """The basis and its width: the curve through all points, and the eigenvalues of Φ with their signs beside it.

    ``solve(name, c, line)`` returns the curve on ``line`` and the eigenvalues of Φ.
    """
    line = np.linspace(x.min(), x.max(), 400)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), width_ratios=[1.3, 1])
    left.plot(line, truth(line), **cycle(2), linewidth=1.4, label="the truth")
    curve = moving(left.plot(line, line, **cycle(0), label="through every point")[0])
    moving(left.plot(x, y, **DOTS, zorder=3)[0])
    left.set(xlabel="x", ylabel="y", ylim=(y.min() - 1.2, y.max() + 1.2))
    left.locator_params(axis="x", nbins=5)
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=2, fontsize=9)
    kinds = {
        "positive": {"marker": "^", "color": "black"},
        "negative": {"marker": "o", "color": "black", "markerfacecolor": "white"},
        "rounding": {"marker": "x", "color": "#777777"},
    }
    marks = {kind: moving(right.plot([], [], linestyle="none", markersize=7, label=kind, **how)[0])
             for kind, how in kinds.items()}  # fmt: skip
    right.axhline(_ROUNDING, color="#777777", linestyle=":", linewidth=1.2)
    right.set(yscale="log", ylim=(1e-17, 10), xlim=(0.2, len(x) + 0.8), xlabel="eigenvalue of Φ, by size")
    right.set_ylabel("its size, largest = 1")
    fig.legend(*right.get_legend_handles_labels(), loc="outside lower right", ncols=3, fontsize=9)
    words, told = moving(left.set_title(" ", fontsize=11)), moving(right.set_title(" ", fontsize=11))
    number = np.arange(1, len(x) + 1)

    def update(basis: str, c: float, eigenvalues: str) -> str:
        f, values = solve(basis, c, line)
        values = values[np.argsort(-np.abs(values))]
        size = np.abs(values) / np.abs(values[0])
        lost = size <= _ROUNDING
        of = {"positive": (values > 0) & ~lost, "negative": (values < 0) & ~lost, "rounding": lost}
        shown = eigenvalues == "shown"
        curve.set_ydata(np.clip(f, -50, 50))
        for kind, some in of.items():
            marks[kind].set_data(number[some & shown], np.maximum(size, 2e-17)[some & shown])
        counts = f"{of['positive'].sum()} positive, {of['negative'].sum()} negative"
        counts += f", {lost.sum()} lost" if lost.any() else ""
        condition = "beyond 1e15" if lost.any() else f"{size[0] / size[-1]:.0e}"
        error = np.abs(f - truth(line)).max()
        off = f"largest error {error:.1g}" if error < 1e3 else "largest error beyond 1000"
        words.set_text(off if shown else " ")
        told.set_text((counts if lost.any() else f"{counts}; condition {condition}") if shown else "eigenvalues hidden")
        say = f"Left: the curve through {len(x)} points, {basis}, width {c:.2g}"
        tell = f"{off}. Right: eigenvalues of Φ, {counts}; condition number {condition}."
        return f"{say}; {tell}" if shown else f"{say}. Error and eigenvalues are hidden."

    return explore(
        fig,
        update,
        states=[
            {"eigenvalues": "shown"},
            {"c": 0.4, "eigenvalues": "shown", "question": (1, 2)},
            {"c": 0.04 * 10**1.8, "eigenvalues": "shown", "question": 2},
            *({"basis": name, "eigenvalues": "shown", "question": 3} for name in names[1:]),
        ],
        basis=switch("φ", list(names)),
        c=log_slider("width", -1.6, 0.6, 0.04, per_decade=5),
        eigenvalues=switch("eigenvalues", ["hidden", "shown"]),
    )  # fmt: skip


def penalty_explorer(
    x: np.ndarray,
    y: np.ndarray,
    solve: Callable[[str, float, np.ndarray], tuple[np.ndarray | None, np.ndarray]],
    lams: np.ndarray,
) -> Explorer:
    """λ added to, or taken from, the diagonal of the multiquadric's Φ: the curve, and the eigenvalues on their way.

    ``solve(how, lam, line)`` returns the curve, None where there is none, and the eigenvalues that count.
    """
    line = np.linspace(x.min() - 0.6, x.max() + 0.6, 300)
    hows = ("Φ + λI", "Φ − λI and a constant")
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.1), width_ratios=[1.2, 1])
    curve = moving(left.plot(line, line, **cycle(0))[0])
    moving(left.plot(x, y, **DOTS, zorder=3)[0])
    left.set(xlabel="x", ylabel="y", ylim=(-4, 6), xlim=(line[0], line[-1]))
    right.axhline(0, color="black", linewidth=1)
    paths = [moving(right.plot([], [], "-", color="#777777", linewidth=1.2)[0]) for _ in range(3)]
    here = [moving(right.plot([], [], "o", color="black", markersize=8)[0]) for _ in range(3)]
    right.set(xlabel="λ", ylabel="eigenvalue", xlim=(-0.02, lams[-1] + 0.02), ylim=(-2.2, 4.7))
    words, told = moving(left.set_title(" ", fontsize=11)), moving(right.set_title(" ", fontsize=11))
    ends = np.array([0.0, lams[-1]])
    tracks = {how: np.stack([solve(how, lam, line)[1] for lam in ends]) for how in hows}

    def update(how: str, lam: float, numbers: str) -> str:
        f, values = solve(how, lam, line)
        shown = numbers == "shown"
        curve.set_ydata(np.full(len(line), np.nan) if f is None else np.clip(f, -1e3, 1e3))
        for k, (path, dot) in enumerate(zip(paths, here, strict=True)):
            there = shown and k < len(values)
            path.set_data(ends if there else [], tracks[how][:, k] if there else [])
            dot.set_data([lam] if there else [], [values[k]] if there else [])
        off = "no curve: the system is singular" if f is None else f"furthest from a point: {_miss(f, line, x, y)}"
        words.set_text(off if shown or f is None else " ")
        nearest = f"nearest to 0: {values[np.argmin(np.abs(values))]:.3f}".replace("-0.000", "0.000")
        told.set_text(nearest if shown else "eigenvalues hidden")
        say = f"Left: the three points and the curve for {how}, λ = {lam:.6g}"
        if not shown:
            return f"{say}{'; ' + off if f is None else ''}. The numbers are hidden."
        return f"{say}; {off}. Right: the eigenvalues, {nearest}."

    texts = tuple(f"{lam:.6f}".rstrip("0").rstrip(".") for lam in lams)
    steps = Control("λ", tuple(float(lam) for lam in lams), texts, 0)
    singular = float(lams[np.argmin([np.abs(solve(hows[0], lam, line)[1]).min() for lam in lams])])
    return explore(
        fig,
        update,
        states=[
            {"lam": float(lams[-1]), "numbers": "shown", "question": 1},
            {"lam": singular, "numbers": "shown", "question": 2},
            {"lam": singular, "how": hows[1], "numbers": "shown", "question": 3},
        ],
        how=switch("system", list(hows)),
        lam=steps,
        numbers=switch("numbers", ["hidden", "shown"]),
    )  # fmt: skip


def _miss(f: np.ndarray, line: np.ndarray, x: np.ndarray, y: np.ndarray) -> str:
    off = np.abs(np.interp(x, line, f) - y).max()
    return f"{off:.2f}" if off < 100 else "beyond 100"


def draw_map(ax: Axes, height: np.ndarray, extent: tuple[float, float, float, float], **how: Any) -> Any:
    """A map in grey, north at the top."""
    greys = plt.get_cmap("gray", 9)  # few, so that pictures stay small
    style = {"cmap": greys, "vmin": 200, "vmax": 1100, "extent": extent, "origin": "upper", "interpolation": "nearest"}
    image = ax.imshow(height, **style | how)
    ax.grid(False)
    return image
