"""The colours of figures and decks: seen on their ground, and never the only difference between two things.

The cycle is the palette of Okabe and Ito (2008), which was made for every kind of colour vision.
"""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from kcourse import slides
from kcourse.lab import use_style
from kcourse.lab.pieces import BOUND, CLASSES, FREE, SAND, SKY

OKABE_ITO = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000"]


def luminance(colour) -> float:
    c = np.array(to_rgb(colour))
    return float(np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])


def contrast(one, other) -> float:
    """WCAG's ratio."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.fixture
def style():
    with plt.rc_context():
        use_style()
        yield plt.rcParams


def test_lines_of_the_cycle_differ_in_colour_and_in_style(style):
    cycle = list(style["axes.prop_cycle"])
    assert [to_hex(each["color"]) for each in cycle] == OKABE_ITO
    assert len({str(each["linestyle"]) for each in cycle}) == len(cycle)


def test_regions_keep_dots_and_words_on_them_readable_and_classes_differ_in_shape():
    assert min(contrast("black", SKY), contrast("black", SAND)) > 7
    (_, one, light), (_, other, dark) = CLASSES
    assert one != other and contrast(light, dark) == pytest.approx(21) and FREE["marker"] != BOUND["marker"]


def test_a_map_grows_lighter_all_the_way(style):
    shades = plt.get_cmap(style["image.cmap"])(np.linspace(0, 1, 32))
    assert np.all(np.diff([luminance(shade[:3]) for shade in shades]) > 0)


def test_words_and_bars_of_a_deck_are_seen_on_each_ground():
    css = (Path(slides.__file__).parent / "deck.css").read_text(encoding="utf-8")
    blocks = [dict(re.findall(r"--([\w-]+): (#\w+)", block)) for block in re.findall(r":root \{([^}]*)\}", css)]
    assert len(blocks) == 3  # light, dark, paper: what the latter do not name is as in the light
    for deck in (blocks[0] | block for block in blocks):
        assert all(contrast(deck[words], deck["ground"]) >= 4.5 for words in ("ink", "quiet", "mark"))
        assert contrast(deck["second"], deck["ground"]) >= 3
