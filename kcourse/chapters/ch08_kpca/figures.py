"""The interactive figures of chapter 8. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import cover, level_lines
from kcourse.lab.widgets import Explorer, explore, log_slider, moving, slider, switch

__all__ = ["CLASSES", "cleaning_explorer", "rings_explorer", "scree_explorer"]

# how the points of two classes are drawn: told apart in grey, too
CLASSES = ({"marker": "o", "markerfacecolor": "white"}, {"marker": "^", "markerfacecolor": "black"})
_DOTS = {"linestyle": "none", "color": "black", "markeredgecolor": "black", "markersize": 4.5}
_LEVELS = np.array([0.15, 0.4, 0.65, 0.9])  # of the largest |f| on the points
_SHOWN = 12  # eigenvalues that the scree plot has room for


def rings_explorer(
    data: tuple[np.ndarray, np.ndarray],
    fit: Callable[[float], tuple[Callable[[np.ndarray], np.ndarray], np.ndarray, np.ndarray, int]],
    best_cut: Callable[[np.ndarray], tuple[float, float]],
    names: tuple[str, str],
    n_components: int,
) -> Explorer:
    """One component of points in the plane: its contours there, and the scores of both classes on a line.

    ``fit(sigma)`` returns the function that scores points, the scores of the data (n, q), the shares of the variance
    (q,) and how many components have a millionth of it; ``best_cut(scores)`` the cut of a line that is right most
    often, and how often.
    """
    X, y = data
    reach = 1.08 * np.abs(X).max()
    axis = np.linspace(-reach, reach, 81)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.6), width_ratios=[1, 1])
    above = moving(left.add_collection(LineCollection([], colors=cycle(0)["color"], linewidths=1.3, zorder=1)))
    below = moving(
        left.add_collection(LineCollection([], colors=cycle(1)["color"], linewidths=1.3, linestyles="--", zorder=1))
    )
    zero = moving(left.add_collection(LineCollection([], colors="#777777", linewidths=2.6, zorder=1)))
    for code, (how, name) in enumerate(zip(CLASSES, names, strict=True)):
        left.plot(*X[y == code].T, **_DOTS | how, label=name)
    left.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="x₁", ylabel="x₂")
    rows = np.random.default_rng(0).uniform(0.12, 0.88, len(X)) + y
    spread = [moving(right.plot([], [], **_DOTS | how)[0]) for how in CLASSES]
    cut = moving(right.axvline(0, color=cycle(1)["color"], linewidth=2.5))
    right.set(xlim=(-1.1, 1.1), ylim=(-0.05, 2.05), xlabel="score, in units of the largest", yticks=[0.5, 1.5])
    right.set_yticklabels(names, rotation=90, va="center")
    words, told = moving(left.set_title(" ", fontsize=11)), moving(right.set_title(" ", fontsize=11))
    kept: dict[float, tuple] = {}

    def update(sigma: float, k: int, threshold: str) -> str:
        if sigma not in kept:
            score, mine, shares, many = fit(sigma)
            kept[sigma] = score(grid), mine, shares, many
        on_grid, mine, shares, many = kept[sigma]
        largest = np.abs(mine[:, k - 1]).max()
        s, f = mine[:, k - 1] / largest, on_grid[:, k - 1].reshape(len(axis), -1) / largest
        for lines, levels in ((above, _LEVELS), (below, -_LEVELS), (zero, [0.0])):
            lines.set_segments([part for level in levels for part in level_lines(axis, axis, f, level)])
        for code, dots in enumerate(spread):
            dots.set_data(s[y == code], rows[y == code])
        at, right_share = best_cut(s)
        shown = threshold == "shown"
        cut.set_visible(shown)
        cut.set_xdata([at, at])
        words.set_text(f"σ = {sigma:.3g}, component {k}: {100 * shares[k - 1]:.1f} % of variance")
        told.set_text(f"best threshold: {100 * right_share:.0f} % right; {many} components" if shown else " ")
        bands = ", ".join(
            f"{name} from {s[y == code].min():.2f} to {s[y == code].max():.2f}" for code, name in enumerate(names)
        )
        text = (
            f"Contours in the plane of component {k} of kernel PCA with σ = {sigma:.3g}, solid where it is positive, "
            f"dashed where it is negative; it has {100 * shares[k - 1]:.1f} percent of the variance. Scores, in units "
            f"of the largest: {bands}"
        )
        right_for = f"the best threshold is right for {100 * right_share:.0f} percent. There are {many} components with a millionth of the variance or more"
        return f"{text}; {right_for}." if shown else f"{text}."

    return explore(
        fig,
        update,
        states=[
            {"sigma": 1.0, "k": 1, "threshold": "shown", "question": 1},
            {"k": n_components, "threshold": "shown", "question": 2},
            {"sigma": 1.0, "k": 3, "threshold": "shown", "question": 3},
            {"sigma": 10**0.6, "k": 3, "threshold": "shown", "question": 3},
            {"sigma": 10**-0.5, "k": 1, "threshold": "shown", "question": 3},
        ],
        sigma=log_slider("width σ", -1, 0.7, 0.1, per_decade=10),
        k=slider("component", 1, n_components, 1, 1),
        threshold=switch("best threshold, how many", ["hidden", "shown"]),
    )


def scree_explorer(spectrum: Callable[[float], np.ndarray], n: int, sigma: float) -> Explorer:
    """Variances of the first components beside that of the first, and two ratios for those that are kept: of all variance, of what is kept.

    ``spectrum(sigma)`` returns all eigenvalues of the centred Gram matrix of n points, decreasing.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 3.9))
    ticks = np.arange(1, _SHOWN + 1)
    bars = moving(left.vlines(ticks, 0, 0 * ticks, linewidth=13, color=cycle(4)["color"]))
    edge = moving(left.axvline(0.5, color="#555555", linestyle="--", linewidth=1.5))
    left.set(xticks=ticks, xlim=(0.3, _SHOWN + 0.7), ylim=(0, 1.05), xlabel="component")
    left.set_ylabel("variance, in units of the first")
    right.plot([], [], **_DOTS | CLASSES[0] | {"markersize": 8}, label="share of all variance")
    right.plot([], [], **_DOTS | CLASSES[1] | {"markersize": 8}, label="share of what is kept")
    all_of_it = moving(right.plot([], [], **_DOTS | CLASSES[0] | {"markersize": 8}, zorder=4)[0])
    of_kept = moving(right.plot([], [], **_DOTS | CLASSES[1] | {"markersize": 8}, zorder=3)[0])
    right.set(xticks=ticks, xlim=(0.3, _SHOWN + 0.7), ylim=(-3, 103), xlabel="component", ylabel="ratio (%)")
    right.legend(loc="upper right")
    words, told = moving(left.set_title(" ", fontsize=11)), moving(right.set_title(" ", fontsize=11))
    sheet = cover(right, "the two ratios:\nwhen you have\nmade your guess")

    def update(width: float, q: int, ratios: str) -> str:
        lam = spectrum(width)
        bars.set_segments([[(t, 0), (t, v)] for t, v in zip(ticks, lam[:_SHOWN] / lam[0], strict=True)])
        edge.set_xdata([q + 0.5] * 2)
        right_one, wrong_one = 100 * lam[:q] / lam.sum(), 100 * lam[:q] / lam[:q].sum()
        all_of_it.set_data(ticks[:q], right_one)
        of_kept.set_data(ticks[:q], wrong_one)
        shown = ratios == "shown"
        for artist in sheet:
            artist.set_visible(not shown)
        words.set_text(f"σ = {width:.3g}, variance of the first {lam[0] / n:.2g}, of all {lam.sum() / n:.2g}")
        told.set_text(f"together {right_one.sum():.1f} % and {wrong_one.sum():.0f} %" if shown else "")
        text = (
            f"Variances of the first {_SHOWN} components for σ = {width:.3g}, from {lam[0] / n:.4f} down to "
            f"{lam[_SHOWN - 1] / n:.4f}; all together {lam.sum() / n:.3f}. Kept: {q}"
        )
        if not shown:
            return f"{text}. The ratios are covered."
        return (
            f"{text}. Component 1 has {right_one[0]:.1f} percent of all variance, and {wrong_one[0]:.1f} percent of "
            f"what is kept; those kept have {right_one.sum():.1f} percent of all."
        )

    return explore(
        fig,
        update,
        states=[
            {"q": 1, "ratios": "shown", "question": 1},
            {"ratios": "shown", "question": 2},
            {"q": 10, "ratios": "shown", "question": 2},
            {"width": sigma / 10, "ratios": "shown", "question": 3},
        ],
        width=log_slider("width σ", np.log10(sigma) - 1, np.log10(sigma) + 1, sigma, per_decade=10),
        q=slider("components kept q", 1, _SHOWN, 2, 1),
        ratios=switch("ratios", ["hidden", "shown"]),
    )  # fmt: skip


def cleaning_explorer(
    clean: np.ndarray,
    noise: np.ndarray,
    cleaners: dict[str, Callable[[np.ndarray, int], np.ndarray]],
    top: float = 16.0,
) -> Explorer:
    """Pictures before and after: noise is added to ``clean`` (m, 64), and each cleaner takes it away again.

    ``noise`` (m, 64) has standard deviation 1; a cleaner takes noisy pictures and a number of components. What was
    written waits, with the errors, until it is asked for.
    """
    m, names = len(clean), ["clean", "with noise", *cleaners]
    fig, axes = plt.subplots(len(names), m + 1, figsize=(9.4, 5.4), width_ratios=[1] * m + [1.9])
    pictures = [
        [moving(ax.imshow(np.zeros((8, 8)), cmap="gray_r", vmin=0, vmax=top)) for ax in row[:-1]] for row in axes
    ]
    told = []
    for row, name in zip(axes, names, strict=True):
        row[0].text(-0.35, 0.5, name, ha="right", va="center", transform=row[0].transAxes, fontsize=11)
        for ax in row[:-1]:
            ax.set(xticks=[], yticks=[])
            ax.grid(False)
        row[-1].set_axis_off()
        told.append(moving(row[-1].text(0.08, 0.5, "", va="center", fontsize=12, transform=row[-1].transAxes)))

    def update(sd: float, q: int, errors: str) -> str:
        noisy = clean + sd * noise
        rows = [clean, noisy, *(clean_up(noisy, q) for clean_up in cleaners.values())]
        off = [float(np.sqrt(np.mean((after - clean) ** 2))) for after in rows]
        shown = errors == "shown"
        for row, after, words, error in zip(pictures, rows, told, off, strict=True):
            for picture, values in zip(row, after, strict=True):
                picture.set_data(values.reshape(8, 8) * (shown or after is not clean))
            words.set_text(f"RMSE {error:.2f}" if shown and error else "")
        told[0].set_text("" if shown else "hidden")
        text = f"Pictures of {m} digits, noise of standard deviation {sd:g} on grey levels to {top:g}, {q} components"
        listed = ", ".join(f"{name} {error:.2f}" for name, error in zip(names[1:], off[1:], strict=True))
        if shown:
            return f"{text}. Root mean squared errors: {listed}."
        return f"{text}. Rows: {', '.join(names[1:])}; the clean ones are hidden."

    return explore(
        fig,
        update,
        states=[
            {"q": 1, "question": 1},
            {"q": 316, "question": 2},
            {"sd": 8.0, "errors": "shown", "question": 3},
        ],
        sd=slider("noise, standard deviation", 0.0, 10.0, 4.0, 1.0),
        q=log_slider("components q", 0, 2.5, 10, per_decade=4, whole=True),
        errors=switch("clean digits and errors", ["hidden", "shown"]),
    )  # fmt: skip
