"""The interactive figures of chapter 9. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import cover
from kcourse.lab.widgets import Explorer, explore, moving, slider, switch

__all__ = ["colors_explorer", "draw_molecule", "kmers_explorer", "sections_explorer"]

_GRID = np.linspace(0, 1, 401)
_TOP = 9.0  # of the axis for f′²
_FILLS = (
    "#ffffff",
    "#56B4E9",
    "#E69F00",
    "#009E73",
    "#F0E442",
    "#CC79A7",
    "#D3D3D3",
    "#8FB7A5",
)  # with numbers on them


def sections_explorer(
    kernel: Callable, fit: Callable[[np.ndarray, np.ndarray], np.ndarray], first: tuple[float, float], second: float
) -> Explorer:
    """f = α₁ k(x₁, ·) + α₂ k(x₂, ·) for k = min, beside the square of its slope, whose area is ‖f‖².

    ``first`` is the cross (x₁, y₁), ``second`` the height of the cross that moves with x₂; ``fit(X, y)`` returns α.
    """
    x1, y1 = first
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.4, 3.9), width_ratios=[1.2, 1])
    parts = [
        moving(left.plot(_GRID, 0 * _GRID, label=f"α{i} k(x{i}, ·)", **cycle(k))[0]) for k, i in ((1, "₁"), (2, "₂"))
    ]
    whole = moving(left.plot(_GRID, 0 * _GRID, color="black", linewidth=2.6, label="f")[0])
    marks = moving(left.plot([], [], "x", color="black", markersize=10, markeredgewidth=2.2, zorder=5)[0])
    stems = moving(left.vlines([x1, x1], -2, 0, color="#999999", linestyle=":", linewidth=1))
    left.axhline(0, color="#999999", linewidth=0.8)
    left.set(xlim=(0, 1), ylim=(-1.35, 1.35), xlabel="x", ylabel="value")
    left.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, fontsize=9)  # above: no curve runs there
    area = moving(right.fill_between(_GRID, 0 * _GRID, color="#cfe3f2", step="pre"))
    steps = moving(right.plot([], [], **cycle(0))[0])
    right.set(xlim=(0, 1), ylim=(0, _TOP), xlabel="x", ylabel="f′(x)²")
    words = moving(right.set_title(" "))

    given = {"1 and 0": (1.0, 0.0), "1 and 1": (1.0, 1.0), "1 and −1": (1.0, -1.0)}

    def update(x: float, weights: str) -> str:
        X = np.array([x1, x])
        by_hand = weights in given
        alpha = np.array(given[weights]) if by_hand else fit(X[:, None], np.array([y1, second]))
        S = alpha[:, None] * kernel(X[:, None], _GRID[:, None])
        for line, row in zip((*parts, whole), (*S, S.sum(axis=0)), strict=True):
            line.set_ydata(row)
        marks.set_data(X, [y1, second])
        stems.set_segments([[(v, -2), (v, 2)] for v in X])
        order = np.argsort(X)
        knots, slopes = np.concatenate([[0], X[order], [1]]), np.append(np.cumsum(alpha[order][::-1])[::-1], 0.0)
        squares = slopes**2
        steps.set_data(np.repeat(knots, 2)[1:-1], np.repeat(squares, 2))
        area.set_verts([_under(knots, squares)])
        norm2 = float(np.sum(squares * np.diff(knots)))
        tall = f" (cut at {_TOP:.0f} of {squares.max():.0f})" if squares.max() > _TOP else ""
        words.set_text(f"area = ‖f‖² = {norm2:.3f}{tall}")
        drawn = f", of which the picture shows what lies below {_TOP:.0f}" if tall else ""
        at = S.sum(axis=0)[np.searchsorted(_GRID, X - 1e-9)]
        text = (
            f"Two sections of min, at {x1:g} with coefficient {alpha[0]:.2f} and at {x:g} with {alpha[1]:.2f}, and "
            f"their sum f: from 0 at x = 0 straight to {at[0]:.2f} at {x1:g}, straight to {at[1]:.2f} at {x:g}, then "
            f"constant. The square of its slope has the area {norm2:.3f}{drawn}."
        )
        return text if by_hand else text + " f meets both crosses."

    return explore(
        fig,
        update,
        states=[
            {"weights": "1 and 1", "question": 1},
            {"weights": "f meets both crosses", "question": 2},
            {"weights": "f meets both crosses", "x": 0.35, "question": 3},
        ],
        x=slider("x₂", 0.35, 0.95, 0.8, 0.05),
        weights=switch("α₁ and α₂", [*given, "f meets both crosses"]),
    )


def _under(knots: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """The outline of the area below a step function."""
    top = np.column_stack([np.repeat(knots, 2)[1:-1], np.repeat(heights, 2)])
    return np.concatenate([[(knots[0], 0)], top, [(knots[-1], 0)]])


def kmers_explorer(
    chain: str, compare: Callable[[str, str, int], float], names: tuple[str, str], most: int = 6
) -> Explorer:
    """Where the k-mers of a chain and of the same chain with one letter changed agree: a dot for each pair.

    ``compare(x, z, k)`` returns the normalised kernel of two strings.
    """
    n = len(chain)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.7), width_ratios=[1.15, 1])
    dots = moving(left.plot([], [], "s", color="black", markersize=4.2)[0])
    row = moving(left.axhspan(0, 1, color="#f6dfc0", zorder=0))
    # in two columns: rows are lower than letters
    other = [moving(left.text(-1 - 1.2 * (i % 2), i, "", ha="center", va="center", fontsize=8)) for i in range(n)]
    left.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5), aspect="equal", xlabel=names[0])
    left.set_ylabel(names[1], labelpad=32)
    left.set_xticks(range(n), chain, fontsize=8)
    left.set_yticks([])
    left.grid(False)
    curve = moving(right.plot([], [], marker=".", **cycle(0))[0])
    here = moving(right.plot([], [], "o", markersize=9, color="white", markeredgecolor="black", markeredgewidth=2)[0])
    right.set(xlim=(0, n + 1), ylim=(0.35, 1.02), xlabel="position of the changed letter", ylabel="normalised kernel")
    words = moving(left.set_title(" ", fontsize=11))
    sheet = cover(right, "similarity by position:\nonce you have\nmade your guess")
    places = np.arange(1, n + 1)

    def update(k: int, place: int, curve_: str) -> str:
        x, z = chain, _changed(chain, place)
        a, b = ([s[i : i + k] for i in range(n - k + 1)] for s in (x, z))
        pairs = [(i, j) for j, v in enumerate(b) for i, u in enumerate(a) if u == v]
        dots.set_data(*np.array(pairs, dtype=float).reshape(-1, 2).T + 0.5 * (k - 1))
        row.set_y(place - 1.5)
        row.set_height(1)
        for letter, text in zip(z, other, strict=True):
            text.set_text(letter)
        value = compare(x, z, k)
        shown = curve_ == "shown"
        for artist in sheet:
            artist.set_visible(not shown)
        values = [compare(chain, _changed(chain, p), k) for p in places]
        curve.set_data(places, values)
        here.set_data([place], [value])
        words.set_text(f"{len(pairs)} dots: k(x, z) = {len(pairs)}, normalised {value:.3f}")
        level = sum(i == j for i, j in pairs)
        share = "all" if level == len(pairs) else f"{level}"
        text = (
            f"A grid of {names[0]} against the same chain with {chain[place - 1]} at position {place} changed to "
            f"{z[place - 1]}: a dot, at the middle of the piece, for each pair of equal pieces of {k} letters, "
            f"{len(pairs)} dots, {share} of them on the diagonal, which has a gap at the change. The normalised kernel "
            f"is {value:.3f}."
        )
        if not shown:
            return text + " The curve over all positions is covered."
        return text + f" Over all positions it lies between {min(values):.3f} and {max(values):.3f}."

    return explore(
        fig,
        update,
        states=[
            {"k": 3, "place": 15, "question": 1},
            {"k": 5, "place": 15, "question": 2},
            {"k": 3, "place": 15, "curve_": "shown", "question": 3},
        ],
        k=slider("letters k", 1, most, 2, 1),
        place=slider("changed letter", 1, n, 8, 1),
        curve_=switch("by position", ["hidden", "shown"]),
    )


def _changed(chain: str, place: int) -> str:
    """The chain with A at that place (from 1); G where it has an A already."""
    return chain[: place - 1] + ("G" if chain[place - 1] == "A" else "A") + chain[place:]


def draw_molecule(ax: Axes, edges: Sequence[tuple[int, int]], at: np.ndarray, names: Sequence[str]) -> None:
    """Draw atoms as discs with names and bonds as lines; ``at`` (n, 2) says where."""
    ax.add_collection(LineCollection([at[list(edge)] for edge in edges], colors="#555555", linewidths=1.6, zorder=1))
    ax.plot(*at.T, "o", color="white", markeredgecolor="black", markersize=15, zorder=2)
    for place, name in zip(at, names, strict=True):
        ax.text(*place, name, ha="center", va="center", fontsize=9, zorder=3)
    ax.set(aspect="equal", xticks=[], yticks=[])
    ax.margins(0.18)
    ax.spines[:].set_visible(False)


def colors_explorer(
    pairs: dict[str, tuple[tuple, tuple]],
    rounds: Callable[[str], list[tuple[np.ndarray, np.ndarray]]],
    most: int = 3,
) -> Explorer:
    """The colours of Weisfeiler and Lehman, round by round, on two molecules, with the count of each colour.

    ``pairs`` maps a name to two molecules (edges, places (n, 2)); ``rounds(name)`` returns for each round the colours
    of the two, as numbers that mean the same in both.
    """
    table = {name: rounds(name) for name in pairs}
    atoms = max(len(at) for both in pairs.values() for _, at in both)
    colors = 1 + max(int(max(c.max(), d.max())) for found in table.values() for c, d in found)
    fig, axes = plt.subplots(1, 3, figsize=(10.2, 3.7), width_ratios=[1, 1, 1.15])
    bonds, discs, told = [], [], []
    for ax, name in zip(axes[:2], "GH", strict=True):
        bonds.append(moving(ax.add_collection(LineCollection([], colors="#555555", linewidths=1.8, zorder=1))))
        discs.append(moving(ax.scatter(np.zeros(atoms), np.zeros(atoms), s=330, edgecolors="black", zorder=2)))
        told.append([moving(ax.text(0, 0, "", ha="center", va="center", fontsize=10, zorder=3)) for _ in range(atoms)])
        ax.set(xlim=(-2.6, 2.6), ylim=(-2.1, 2.1), aspect="equal", xticks=[], yticks=[], title=name)
        ax.spines[:].set_visible(False)
    at = np.arange(colors)
    bars = [
        axes[2].bar(at + shift, 0 * at, 0.36, color=color, edgecolor="black", hatch=hatch, label=name)
        for shift, color, hatch, name in ((-0.19, "#555555", "", "G"), (0.19, "#f6dfc0", "//", "H"))
    ]
    for bar in bars:
        for patch in bar.patches:
            moving(patch)
    # labels in the colours of the discs: the palette of an explorer is made of what is seen at its start
    for label in axes[2].set_xticks(at, [str(c) for c in at]) and axes[2].get_xticklabels():
        fill = _FILLS[int(label.get_text()) % len(_FILLS)]
        label.set_bbox({"boxstyle": "circle,pad=0.15", "facecolor": fill, "edgecolor": "black"})
    axes[2].set(xlabel="colour", ylabel="atoms", ylim=(0, 1.25 * atoms))
    axes[2].legend(loc="upper right", ncols=2)  # above the highest bar
    words = moving(axes[2].set_title(" ", fontsize=11))

    def update(pair: str, h: int) -> str:
        found = table[pair]
        now = found[h]
        for i, (edges, places) in enumerate(pairs[pair]):
            n = len(places)
            bonds[i].set_segments([places[list(edge)] for edge in edges])
            discs[i].set_offsets(np.concatenate([places, np.full((atoms - n, 2), 99.0)]))
            discs[i].set_facecolor([_FILLS[c % len(_FILLS)] for c in [*now[i], *[0] * (atoms - n)]])
            for j, label in enumerate(told[i]):
                label.set_text(str(now[i][j]) if j < n else "")
                label.set_position(places[j] if j < n else (0, 0))
        counts = [np.bincount(c, minlength=colors) for c in now]
        for bar, heights in zip(bars, counts, strict=True):
            for patch, height in zip(bar.patches, heights, strict=True):
                patch.set_height(height)
        each = [int(np.bincount(c, minlength=colors) @ np.bincount(d, minlength=colors)) for c, d in found]
        total = sum(each[: h + 1])
        words.set_text(f"round {h} adds {each[h]}: k(G, H) = {total}")
        same = "the same in both" if np.array_equal(*counts) else "not the same in both"
        listed = " and ".join(
            ", ".join(f"{c}: {m}" for c, m in enumerate(heights) if m) + f" in {name}"
            for heights, name in zip(counts, "GH", strict=True)
        )
        name = pair[0].upper() + pair[1:]
        return (
            f"{name}, after {h} round{'s' * (h != 1)}: atoms of each colour {listed}, {same}. This round adds "
            f"{each[h]}, the kernel is {total}."
        )

    names = list(pairs)
    return explore(
        fig,
        update,
        states=[
            {"h": 1, "question": 1},
            {"pair": names[1], "h": most, "question": 2},
            {"pair": names[-1], "h": most, "question": 3},
        ],
        pair=switch("molecules", names),
        h=slider("rounds", 0, most, 0, 1),
    )
