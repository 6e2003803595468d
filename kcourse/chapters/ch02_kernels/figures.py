"""The interactive figures of chapter 2. What they compute is passed in; here is only what they draw."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap

from kcourse.lab.figures import cycle
from kcourse.lab.pieces import SAND, SKY
from kcourse.lab.widgets import Explorer, explore, moving, slider, switch

__all__ = ["HOW", "arrows_explorer", "definiteness_explorer", "lift_explorer"]

_CLASSES = ((-1, "o", "white"), (1, "^", "black"))


def lift_explorer(
    sets: dict[str, tuple[np.ndarray, np.ndarray]], fit: Callable[[str, int], tuple[Callable, int]]
) -> Explorer:
    """Points of the plane lifted to the height f(x), seen from above or from the side; the regions that f cuts.

    ``sets`` maps a name to points (n, 2) in [-1, 1]² and labels ±1; ``fit(name, degree)`` returns f and the number of
    training points on its wrong side.
    """
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4.3))
    corners = 1.15 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
    plane = moving(left.fill(*corners.T, color="#d9d9d9", zorder=1.5)[0])
    u = np.linspace(-1.15, 1.15, 120)
    grid = np.stack(np.meshgrid(u, u), axis=-1).reshape(-1, 2)
    ground = moving(right.imshow(np.zeros((120, 120)), extent=(-1.15, 1.15) * 2, origin="lower", vmin=0, vmax=1,
                                 cmap=ListedColormap([SKY, SAND]), interpolation="nearest"))  # fmt: skip
    dots = []
    for ax in (left, right):
        for label, marker, fill in _CLASSES:
            dots.append(moving(ax.plot([], [], linestyle="none", marker=marker, markersize=6, color="black", zorder=3,
                                       markerfacecolor=fill, label=f"class {label:+d}")[0]))  # fmt: skip
        ax.set(xticks=[], yticks=[], aspect="equal", xlim=(-1.6, 1.6), ylim=(-1.6, 1.6))
        ax.grid(False)
    right.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), title="the plane")
    for side in ("left", "bottom"):
        left.spines[side].set_visible(False)
    fig.legend(handles=dots[2:], loc="outside lower center", ncols=2)
    words = moving(left.set_title(" "))

    def update(data: str, degree: int, view: int, cut: str) -> str:
        X, y = sets[data]
        f, wrong = fit(data, degree)
        height = f(X) / np.median(np.abs(f(X)))
        tilt, turn = np.deg2rad(view), np.deg2rad(25)

        def seen(points: np.ndarray, height: float | np.ndarray) -> np.ndarray:
            along = points[:, 0] * np.cos(turn) - points[:, 1] * np.sin(turn)
            away = points[:, 0] * np.sin(turn) + points[:, 1] * np.cos(turn)
            return np.stack([along, away * np.sin(tilt) + np.tanh(height / 2) * 1.3 * np.cos(tilt)])

        plane.set_xy(seen(corners, 0.0).T)
        for i, (label, _, _) in enumerate(_CLASSES):
            mine = y == label
            dots[i].set_data(*seen(X[mine], height[mine]))
            dots[2 + i].set_data(*X[mine].T)
        ground.set_data((f(grid) > 0).reshape(120, 120))
        ground.set_visible(cut == "shown")
        where = "above" if view == 90 else "the side" if view == 0 else f"{view}° above the side"
        words.set_text(f"lifted: {wrong} of {len(y)} wrong" if cut == "shown" else "lifted")
        lifted = (
            f"{data.capitalize()}, two classes, lifted to the value of a linear function of all products of at most "
            f"{degree} coordinates, seen from {where}"
        )
        if cut == "hidden":
            return f"{lifted}. Right: the same points in the original plane; what cuts it is hidden."
        return (
            f"{lifted}; {wrong} of {len(y)} points are on the wrong side of the plane. "
            "Right: the two regions that the plane cuts out of the original plane."
        )

    names = list(sets)
    return explore(
        fig,
        update,
        states=[{"view": 15, "cut": "shown", "question": 1}, {"degree": 2, "view": 15, "cut": "shown"},
                {"data": names[1], "degree": 2, "view": 15, "cut": "shown", "question": 2},
                {"data": names[2], "degree": 4, "view": 0, "cut": "shown", "question": 3}],
        data=switch("points", names),
        degree=slider("degree", 1, 6, 1, 1),
        view=slider("height of the eye", 0, 90, 90, 5, unit="°"),
        cut=switch("cut and count", ["hidden", "shown"]),
    )  # fmt: skip


HOW = {
    "k₁ alone": lambda K1, K2: K1,
    "k₁ + k₂": lambda K1, K2: K1 + K2,
    "k₁ · k₂": lambda K1, K2: K1 * K2,
    "k₁ − k₂": lambda K1, K2: K1 - K2,
    "max(k₁, k₂)": np.maximum,
    "min(k₁, k₂)": np.minimum,
    "tanh k₁": lambda K1, K2: np.tanh(K1),
    "exp k₁": lambda K1, K2: np.exp(K1),
    "k₁²": lambda K1, K2: K1**2,
    "√|k₁|": lambda K1, K2: np.sqrt(np.abs(K1)),
}


def definiteness_explorer(x: np.ndarray, grams: dict[str, np.ndarray]) -> Explorer:
    """The definiteness meter: a Gram matrix composed of two, its spectrum, and, where one is negative, the proof.

    ``grams`` maps a kernel's name to its Gram matrix at the points ``x`` (n,).
    """
    n = len(x)
    triples = np.array(list(combinations(range(n), 3)))
    fig, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4.1), width_ratios=[1, 1.25])
    image = moving(left.imshow(np.zeros((n, n)), cmap="Greys", vmin=0, vmax=1, interpolation="nearest",
                               extent=(x[0], x[-1], x[-1], x[0])))  # fmt: skip
    left.set(xlabel="z", ylabel="x", title="k(x, z), darker is larger")
    left.grid(False)
    bars = moving(right.vlines(np.arange(n), 0, np.zeros(n), linewidth=6, color=cycle(0)["color"]))
    right.axhline(0, color="black", linewidth=0.8)
    right.set(xlabel="number of the eigenvalue", ylabel="eigenvalue / largest", ylim=(-1.15, 1.15))
    words = moving(right.set_title(" "))
    proof = moving(right.text(0.98, 0.97, "", transform=right.transAxes, ha="right", va="top", fontsize=10))

    def update(k1: str, how: str, k2: str, verdict: str) -> str:
        K = HOW[how](grams[k1], grams[k2])
        values = np.linalg.eigvalsh(K)[::-1]
        size = np.abs(values).max() or 1.0
        span = np.ptp(K) or 1.0
        image.set_data((K - K.min()) / span)
        shown = verdict == "shown"
        negative = values[-1] < -1e-10 * size
        bars.set_segments([[(i, 0), (i, v / size)] for i, v in enumerate(values if shown else 0 * values)])
        bars.set_color(["#c0392b" if v < -1e-10 * size else cycle(0)["color"] for v in values])
        what = how.replace("k₁", k1).replace("k₂", k2) if how != "k₁ alone" else k1
        picture = f"Heat map of the matrix of {what} at {n} points"
        words.set_text(" ")
        proof.set_text("")
        if not shown:
            return f"{picture}; its spectrum is hidden."
        words.set_color("#c0392b" if negative else "black")
        if not negative:
            words.set_text("no negative eigenvalue at these points")
            return f"{picture} and its spectrum: no eigenvalue is negative."
        words.set_text(f"smallest eigenvalue {values[-1]:.3g}: NEGATIVE")
        said = _proof(K, triples, x)
        proof.set_text(said)
        return f"{picture} and its spectrum: the smallest eigenvalue is {values[-1]:.3g}. {said}".replace("\n", " ")

    names = list(grams)
    return explore(
        fig,
        update,
        states=[{"how": "k₁ − k₂", "verdict": "shown"}, {"how": "max(k₁, k₂)", "verdict": "shown"},
                {"how": "tanh k₁", "k1": "(1 + xz)²", "verdict": "shown"}],
        k1=switch("k₁", names, names[0]),
        how=switch("make of them", list(HOW), "k₁ + k₂"),
        k2=switch("k₂", names, names[-1]),
        verdict=switch("spectrum", ["hidden", "shown"]),
    )  # fmt: skip


def _proof(K: np.ndarray, triples: np.ndarray, x: np.ndarray) -> str:
    """Three points and coefficients c with cᵀKc < 0, if three are enough."""
    values, vectors = np.linalg.eigh(K[triples[:, :, None], triples[:, None, :]])
    worst = int(values[:, 0].argmin())
    if values[worst, 0] >= -1e-10 * np.abs(K).max():
        return "No three of these points refute it; more are needed."
    c = vectors[worst, :, 0]
    c = c / c[np.abs(c).argmax()]
    c = np.round(c, 2) + 0.0
    part = K[np.ix_(triples[worst], triples[worst])]
    points = ", ".join(f"{v:.2g}" for v in x[triples[worst]])
    return f"Proof: at x = {points}\nwith c = {', '.join(f'{v:g}' for v in c)}\nΣ cᵢcⱼ k(xᵢ, xⱼ) = {c @ part @ c:.3g}"


def arrows_explorer() -> Explorer:
    """Two arrows with a given Gram matrix, with diagonal 1, c and b next to it; nothing if there are no such arrows."""
    fig, (ax, page) = plt.subplots(1, 2, figsize=(8.6, 3.6), width_ratios=[1.25, 1])
    first = moving(ax.plot([0, 1], [0, 0], marker="o", markevery=[1], **cycle(0), label="φ₁")[0])
    second = moving(ax.plot([0, 0], [0, 1], marker="^", markevery=[1], **cycle(1), label="φ₂")[0])
    ax.set(xlim=(-2.2, 2.2), ylim=(-0.3, 2.2), aspect="equal", xticks=[-2, -1, 0, 1, 2], yticks=[0, 1, 2])
    fig.legend(*ax.get_legend_handles_labels(), loc="outside lower left", ncols=2)
    page.axis("off")
    words = moving(page.text(0.02, 0.9, "", transform=page.transAxes, va="top", fontsize=11, linespacing=1.6))

    def update(b: float, c: float, numbers: str) -> str:
        there = c - b * b >= -1e-12
        for line in (first, second):
            line.set_visible(there)
        second.set_data([0, b], [0, np.sqrt(max(0.0, c - b * b))])
        least = np.linalg.eigvalsh(np.array([[1, b], [b, c]]))[0] + 0.0
        matrix = f"K₁₁ = 1,  K₁₂ = {b:g},  K₂₂ = {c:g}"
        if there:
            says = f"‖φ₁ − φ₂‖² = 1 + {c:g} − 2·({b:g}) = {1 + c - 2 * b:.3g}"
        else:
            # c₁ = -b, c₂ = 1 is the best choice for this diagonal
            says = f"no such arrows:\n‖φ₂ − ({b:g}) φ₁‖² would be {c - b * b:.3g}"
        says += f"\nsmallest eigenvalue {least:.3g}"
        words.set_text(f"{matrix}\n{says}" if numbers == "shown" else matrix)
        picture = "two arrows with these inner products" if there else "an empty plane: no arrows have these products"
        told = says.replace("\n", "; ") if numbers == "shown" else "the numbers are hidden"
        return f"For {matrix}: {picture}; {told}."

    return explore(
        fig,
        update,
        states=[{"b": b, "numbers": "shown"} for b in (-0.5, 2.0, 1.0)],  # A, B and C of the question
        b=slider("K₁₂", -2.0, 2.0, 0.3, 0.1),
        c=slider("K₂₂", 0.0, 4.0, 1.0, 0.25),
        numbers=switch("numbers", ["hidden", "shown"]),
    )
