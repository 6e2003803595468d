"""What only the figures of chapter 9 promise; `tests/chapters/test_figures.py` has the rest."""

from __future__ import annotations

import pytest

from kcourse import Brownian
from kcourse.rkhs import RKHSFunction
from kcourse.strings import Spectrum
from tests.chapters.ch09_rkhs import figures as examples

pytestmark = pytest.mark.usefixtures("style")


def test_the_area_is_the_norm():
    explorer = examples.sections_explorer()
    for x, a1, a2, weights in ((0.8, 1, 0, "1 and 0"), (0.5, 1, 1, "1 and 1"), (0.35, 1, -1, "1 and −1")):
        explorer.set(x=x, weights=weights)
        norm2 = RKHSFunction(Brownian(), [[0.3], [x]], [a1, a2]).norm2
        assert f"the area {norm2:.3f}" in explorer.alt
    explorer.set(x=0.5, weights="f meets both crosses")
    assert f"the area {0.8**2 / 0.3 + 0.5**2 / 0.2:.3f}" in explorer.alt and "to 0.80 at 0.3" in explorer.alt


def test_the_dots_are_the_kernel():
    explorer = examples.kmers_explorer()
    human = "FVNQHLCGSHLVEALYLVCGERGFFYTPKT"
    for k, place in ((1, 3), (3, 15), (6, 30)):
        explorer.set(k=k, place=place)
        changed = human[: place - 1] + ("G" if human[place - 1] == "A" else "A") + human[place:]
        assert f", {int(Spectrum(k)([human], [changed])[0, 0])} dots," in explorer.alt


def test_the_rounds_add_up_to_the_kernel():
    explorer = examples.colors_explorer()
    for h, kernel in enumerate((9, 12, 12, 12)):
        explorer.set(h=h)
        assert f"the kernel is {kernel}." in explorer.alt
    assert "not the same in both" in explorer.alt
    explorer.set(pair="two rings")
    assert "the kernel is 36." in explorer.alt and "not the same" not in explorer.alt
