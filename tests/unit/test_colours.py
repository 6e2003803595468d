"""The colours of the figures, computed: how far apart they are for whom, and in grey.

What this proves: which colours may be told apart by colour alone, and that those which may not differ in something
else that the style gives them. What it cannot prove: that each figure uses that style, and that a line is wide enough
to show it; for that a figure is looked at in grey when its chapter is reviewed.

Colour vision: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. Distances: CIE 1976 L*a*b*, where about
2 is just seen side by side; 15 is plain to see without a comparison.
"""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from kcourse import slides
from kcourse.lab import use_style
from kcourse.lab.pieces import BOUND, CLASSES, FREE, SAND, SKY

VISIONS = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
BLUE, VERMILION, GREEN, PURPLE, SKY_BLUE, BLACK = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#000000"
# Of the cycle: in grey these pairs are nearly one, and only their line styles tell them apart.
ALIKE_IN_GREY = {(BLUE, VERMILION), (VERMILION, GREEN), (VERMILION, PURPLE), (GREEN, PURPLE), (PURPLE, SKY_BLUE)}
# Of the cycle: too light on white for a thin line, since WCAG 1.4.11 wants 3. It is the fifth that a figure takes.
PALE = {SKY_BLUE: 2.31}


def linear(colour) -> np.ndarray:
    """Linear RGB."""
    c = np.array(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """L*a*b* of linear RGB, white D65."""
    x = XYZ @ np.clip(rgb, 0, 1) / XYZ.sum(axis=1)
    f = np.where(x > 216 / 24389, np.cbrt(x), (24389 / 27 * x + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, vision: str) -> float:
    change = np.asarray(VISIONS[vision])
    return float(np.linalg.norm(lab(change @ linear(one)) - lab(change @ linear(other))))


def in_grey(one, other) -> float:
    """The difference in lightness."""
    return float(abs(lab(linear(one))[0] - lab(linear(other))[0]))


def contrast(one, other) -> float:
    """WCAG's ratio."""
    dark, light = sorted(XYZ[1] @ linear(c) for c in (one, other))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def cycle():
    with plt.rc_context():
        use_style()
        return [dict(style) for style in plt.rcParams["axes.prop_cycle"]]


def colours(cycle) -> list[str]:
    return ["#" + style["color"].lstrip("#") for style in cycle]


def test_the_measures_know_what_is_known():
    assert lab(linear("white")) == pytest.approx([100, 0, 0], abs=0.01)
    assert contrast("white", "black") == pytest.approx(21) and in_grey("red", "red") == 0
    assert contrast("#777777", "white") == pytest.approx(4.48, abs=0.005)  # the textbook's nearly good enough
    red, green = "#c03030", "#4f7a28"  # what everybody warns of
    assert distance(red, green, "deuteranopia") < 0.4 * distance(red, green, "usual")


@pytest.mark.parametrize("vision", VISIONS)
def test_the_colours_of_the_cycle_are_told_apart_by_every_eye(cycle, vision):
    near = {pair: d for pair in itertools.combinations(colours(cycle), 2) if (d := distance(*pair, vision)) < 15}
    assert near == {}


def test_what_is_alike_in_grey_differs_in_line_style(cycle):
    found = {pair for pair in itertools.combinations(colours(cycle), 2) if in_grey(*pair) < 10}
    assert found == ALIKE_IN_GREY
    styles = [str(style["linestyle"]) for style in cycle]
    assert len(set(styles)) == len(styles) == 6


def test_lines_and_labels_are_seen_on_white(cycle):
    pale = {c: contrast(c, "white") for c in colours(cycle) if contrast(c, "white") < 3}
    assert pale == pytest.approx(PALE, abs=0.01)


def test_regions_of_two_classes_differ_for_every_eye_and_in_grey():
    assert all(distance(SKY, SAND, vision) > 30 for vision in VISIONS)
    assert in_grey(SKY, SAND) > 7
    assert min(contrast("black", SKY), contrast("black", SAND)) > 7  # dots and words on them


def test_classes_and_support_vectors_differ_in_shape():
    (_, one, light), (_, other, dark) = CLASSES
    assert one != other and contrast(light, dark) == pytest.approx(21)
    assert FREE["marker"] != BOUND["marker"]


def test_a_map_in_the_courses_colours_grows_lighter_all_the_way():
    with plt.rc_context():
        use_style()
        shades = plt.get_cmap(plt.rcParams["image.cmap"])(np.linspace(0, 1, 32))
    lightness = [lab(linear(shade[:3]))[0] for shade in shades]
    assert np.all(np.diff(lightness) > 0) and lightness[-1] - lightness[0] > 60


SHADES = {"": "light", "prefers-color-scheme: dark": "dark", "print": "paper"}


def deck_colours() -> dict[str, dict[str, str]]:
    """The colours of a deck by ground; what dark or paper do not name is as in the light."""
    style = (Path(slides.__file__).parent / "deck.css").read_text(encoding="utf-8")
    blocks = re.findall(r"(?:@media \(?([\w: -]*?)\)? \{\s*)?:root \{([^}]*)\}", style)
    assert [SHADES[where] for where, _ in blocks] == ["light", "dark", "paper"]
    found = {SHADES[where]: dict(re.findall(r"--([\w-]+): (#\w+)", block)) for where, block in blocks}
    return {ground: found["light"] | given for ground, given in found.items()}


@pytest.mark.parametrize("ground", SHADES.values())
def test_a_decks_accents_are_the_figures_and_told_apart_by_every_eye_and_in_grey(ground):
    deck = deck_colours()[ground]
    assert all(contrast(deck[words], deck["ground"]) >= 4.5 for words in ("ink", "quiet", "mark"))
    assert contrast(deck["second"], deck["ground"]) >= 3  # a bar, no words
    assert all(distance(deck["mark"], deck["second"], vision) >= 15 for vision in VISIONS)
    assert in_grey(deck["mark"], deck["second"]) >= 10 and in_grey(deck["second"], deck["faint"]) >= 10
    assert deck["second"].upper() == VERMILION
    assert min(distance(deck["mark"], blue, "usual") for blue in (BLUE, SKY_BLUE)) < 15
