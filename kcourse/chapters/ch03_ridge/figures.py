"""The interactive figures of chapter 3. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import DOTS, cover, disc
from kcourse.lab.widgets import Explorer, explore, log_slider, moving, switch

__all__ = ["bug_explorer", "smoothing_explorer", "width_explorer"]


def width_explorer(data: Any, fit: Callable[..., Any]) -> Explorer:
    """One slider: the width σ of a kernel model on one-dimensional ``data``.

    ``fit(sigma)`` returns a fitted model with ``predict`` and ``effective_df``.
    """
    width = log_slider("width σ", -0.5, 2, 80.0, per_decade=10, unit=data.units[data.feature_names[0]])
    grid = _grid(data, min(width.stops))
    feature, target = data.feature_names[0], data.target_name
    x_unit, y_unit = data.units[feature], data.units[target]
    fig, ax = plt.subplots()
    ax.plot(data.X[:, 0], data.y, **DOTS, label="measured")
    curve = moving(ax.plot(grid[:, 0], np.zeros(len(grid)), **cycle(0), label="curve")[0])
    words = moving(ax.set_title(" "))
    low, high = data.y.min(), data.y.max()
    ax.set(xlabel=f"{feature} ({x_unit})", ylabel=f"{target} ({y_unit})",
           ylim=(low - 0.15 * (high - low), high + 0.15 * (high - low)))  # fmt: skip
    ax.legend(loc="upper right")

    def update(sigma: float) -> str:
        model = fit(sigma)
        curve.set_ydata(model.predict(grid))
        df = model.effective_df()
        words.set_text(f"σ = {sigma:.3g} {x_unit}")
        return (
            f"{len(data.y)} measured points and the curve fitted with width σ = {sigma:.3g} {x_unit}; it behaves like "
            f"a model with {df:.1f} free parameters."
        )

    return explore(fig, update, states=[{"sigma": width.stops[14]}, {"sigma": width.stops[4]}], sigma=width)


def smoothing_explorer(
    data: Any, truth: Callable[[np.ndarray], np.ndarray], fit: Callable[..., Any], loo: Callable[..., np.ndarray]
) -> Explorer:
    """Two sliders, σ and λ: the curve on the left; numbers and the map of the leave-one-out error when asked for.

    ``fit(sigma, lam)`` returns a fitted KernelRidge; ``loo(sigma, lams)`` the mean squared leave-one-out residuals.
    """
    width = log_slider("width σ", -1.3, 0.7, 0.5)
    grid = _grid(data, min(width.stops))
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 3.9), width_ratios=[1.45, 1])
    left.plot(data.X[:, 0], data.y, **DOTS, label="30 noisy samples")
    left.plot(grid[:, 0], truth(grid[:, 0]), **cycle(2), linewidth=1.6, label="sinc, the truth")
    curve = moving(left.plot(grid[:, 0], np.zeros(len(grid)), **cycle(0), label="f")[0])
    left.set(xlabel="x", ylabel="y", ylim=(-0.85, 2.5))
    fig.legend(*left.get_legend_handles_labels(), loc="outside lower left", ncols=3, fontsize=9)
    words = moving(left.text(0.985, 0.985, "", transform=left.transAxes, ha="right", va="top", fontsize=10,
                             linespacing=1.35, backgroundcolor="white", zorder=6))  # fmt: skip

    sigmas, lams = np.logspace(-1.3, 0.7, 31), np.logspace(-6, 2, 33)
    table = np.array([loo(s, lams) for s in sigmas]).T
    # filled contours: readable in grey, and a fifth of the bytes of a smooth image
    levels = np.linspace(-1.8, -0.6, 13)
    image = right.contourf(sigmas, lams, np.log10(table), levels=levels, extend="both")
    fig.colorbar(image, ax=right, label="log₁₀ of leave-one-out MSE")
    j, i = np.unravel_index(table.argmin(), table.shape)
    right.plot(sigmas[i], lams[j], marker="*", markersize=13, color="white", markeredgecolor="black", linestyle="none")
    here = disc(right)
    right.set(xscale="log", yscale="log", xlabel="σ", ylabel="λ", title="star: smallest error; disc: you")
    right.grid(False)
    sheet = cover(right, "the map:\nwhen you have\nwritten down\nyour answers")

    def update(sigma: float, lam: float, answers: str) -> str:
        model = fit(sigma, lam)
        curve.set_ydata(model.predict(grid))
        here.set_data([sigma], [lam])
        for artist in sheet:
            artist.set_visible(answers == "hidden")
        words.set_visible(answers == "shown")
        setting = f"noisy samples of sinc, the true curve and the fit for σ = {sigma:.3g} and λ = {lam:.3g}"
        if answers == "hidden":
            bends = int(np.sum(np.diff(np.sign(np.diff(curve.get_ydata()))) != 0))
            return f"Left: {setting}; it turns {bends} times. Right: a map, covered until the answers are shown."
        df, norm2 = model.effective_df(), model.norm2_
        mse = float(np.mean(model.loo_residuals() ** 2))
        zeros = int(np.sum(model.dual_coef_ == 0))
        words.set_text(
            f"degrees of freedom {df:.1f} of {len(data.y)}\n‖f‖² = {norm2:.3g}\nleave-one-out MSE {mse:.3g}\n"
            f"α exactly 0: {zeros} of {len(data.y)}"
        )
        return (
            f"Left: {setting}. It has "
            f"{df:.1f} effective degrees of freedom, squared norm {norm2:.3g} and leave-one-out error {mse:.3g}; "
            f"{zeros} coefficients are zero. Right: map of the leave-one-out error over σ and λ with a slanted valley; "
            f"the least error is at σ = {sigmas[i]:.2g}, λ = {lams[j]:.2g}."
        )

    return explore(
        fig,
        update,
        states=[
            {"lam": 50.0, "answers": "shown", "question": 1},
            {"sigma": width.stops[width.start - 6], "lam": 0.5 * 10**0.4, "answers": "shown", "question": 2},
            {"sigma": width.stops[width.start + 6], "answers": "shown", "question": 3},
            {"sigma": width.stops[width.start + 6], "lam": 0.5 * 10**-1.6, "answers": "shown", "question": 3},
        ],
        sigma=width,
        lam=log_slider("penalty λ", -6, 2, 0.5, per_decade=10),
        answers=switch("numbers and map", ["hidden", "shown"]),
    )


def bug_explorer(data: Any, truth: Callable[[np.ndarray], np.ndarray], curves: dict[str, Callable[..., Any]],
                 grid: np.ndarray, sigmas: tuple[float, ...], lam: float) -> Explorer:  # fmt: skip
    """A switch between two programs: three panels, one for each σ, and the error of each against ``truth``.

    ``curves`` maps the name of a program to its function (σ, λ, points) -> predictions; ``grid`` (q, 1) is where
    curves are drawn and errors are measured.
    """
    fig, axes = plt.subplots(1, len(sigmas), figsize=(9.2, 3.3), sharey=True)
    lines, words = [], []
    for ax in axes:
        ax.plot(data.X[:, 0], data.y, **DOTS, label="samples")
        ax.plot(grid[:, 0], truth(grid[:, 0]), **cycle(2), linewidth=1.6, label="sinc")
        lines.append(moving(ax.plot(grid[:, 0], np.zeros(len(grid)), **cycle(0), label="fit")[0]))
        words.append(moving(ax.text(0.03, 0.97, "", transform=ax.transAxes, va="top", fontsize=10)))
        ax.set(xlabel="x", ylim=(-1.2, 1.75))
    axes[0].set_ylabel("y")
    axes[0].legend(loc="lower left", ncols=3, fontsize=8)
    for ax, sigma in zip(axes, sigmas, strict=True):
        ax.set_title(f"asked for: σ = {sigma:g}, λ = {lam:g}", fontsize=11)

    def update(program: str) -> str:
        told = []
        for sigma, line, text in zip(sigmas, lines, words, strict=True):
            line.set_ydata(curves[program](sigma, lam, grid))
            rmse = float(np.sqrt(np.mean((line.get_ydata() - truth(grid[:, 0])) ** 2)))
            text.set_text(f"error against sinc {rmse:.3f}")
            told.append(f"{rmse:.3f} for σ = {sigma:g}")
        return f"Three fits to the sinc samples by the program “{program}”; error against sinc: {', '.join(told)}."

    programs = list(curves)
    return explore(fig, update, states=[{"program": programs[-1]}], program=switch("program", programs))


def _grid(data: Any, narrowest: float) -> np.ndarray:
    """Points for a curve: eight to the narrowest bell's σ, so that it is drawn round."""
    low, high = data.X.min(), data.X.max()
    margin = 0.03 * (high - low)
    n = math.ceil(8 * (high - low + 2 * margin) / narrowest) + 1
    return np.linspace(low - margin, high + margin, n)[:, None]
