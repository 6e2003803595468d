"""The explorers of all chapters: each control moves picture and words, at both ends; answers stay hidden.

An explorer is a function of a chapter's `figures.py` that returns one, and `tests/chapters/<stem>/figures.py` has an
example of each: a function of the same name that needs no arguments. There stand, too, ``AFTER``, controls that do
nothing until others are moved, and ``SECRETS``, what an explorer says only when a switch shows it.
"""

from __future__ import annotations

import ast
import functools
import importlib
import re
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

from kcourse.lab.course_map import Chapter, draw_map
from kcourse.lab.pieces import level_lines
from tests.chapter_choice import is_chosen
from tests.conftest import WEEKLY

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.usefixtures("style")


def explorers_of(text: str) -> list[str]:
    """The functions of a module that return an explorer."""
    return [
        node.name
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
        if (node.returns and "Explorer" in ast.unparse(node.returns))
        or any(isinstance(n, ast.Call) and ast.unparse(n.func).endswith("explore") for n in ast.walk(node))
    ]


FOUND = {
    path.parent.name: explorers_of(path.read_text(encoding="utf-8"))
    for path in sorted((ROOT / "kcourse" / "chapters").glob("*/figures.py"))
}
EXPLORERS = [f"{stem}.{name}" for stem, names in FOUND.items() for name in names if is_chosen(stem)]
FIRST = [f"{stem}.{names[0]}" for stem, names in FOUND.items() if names and is_chosen(stem)]


def examples(stem: str) -> ModuleType | SimpleNamespace:
    file = ROOT / "tests" / "chapters" / stem / "figures.py"
    return importlib.import_module(f"tests.chapters.{stem}.figures") if file.exists() else SimpleNamespace()


@functools.cache
def made(explorer):
    """An explorer, which every test leaves as it found it."""
    stem, name = explorer.split(".")
    example = getattr(examples(stem), name, None)
    assert example, f"tests/chapters/{stem}/figures.py has no example of {name}: a function of that name that makes one"
    return example()


@pytest.mark.parametrize("name", EXPLORERS)
def test_an_explorer_fits_moves_with_every_control_and_hides_its_answers(name):
    """Each control goes to both ends and to the middle; whoever reads sees each of them in picture and words."""
    explorer, (stem, own) = made(name), name.split(".")
    start, alt, first = explorer.values(), explorer.alt, explorer.picture
    fits_its_figure(explorer)
    # answers stay hidden until a switch shows them
    hidden = [control for control, value in start.items() if value == "hidden"]
    switch, secret = getattr(examples(stem), "SECRETS", {}).get(own, ("", ""))
    assert bool(switch) is bool(hidden), f"{own} hides {hidden}: which words, SECRETS says in tests/chapters/{stem}"
    if switch:
        assert switch in hidden
        assert not re.search(secret, explorer.alt)
        explorer.set(**{switch: explorer.controls[switch].stops[-1]})
        assert re.search(secret, explorer.alt)
        explorer.set(**start)
    after = getattr(examples(stem), "AFTER", {})
    for control, face in explorer.controls.items():
        assert face.label
        explorer.set(**after.get((own, control), {}))
        for stop in dict.fromkeys((face.stops[0], face.stops[len(face.stops) // 2], face.stops[-1])):
            before, words = explorer.picture, explorer.alt
            moved = explorer.values()[control] != stop
            explorer.set(**{control: stop})
            assert explorer.problem == ""
            if moved:
                assert explorer.alt != words, (control, stop)
                assert explorer.picture != before, (control, stop)
        explorer.set(**start)
    assert (explorer.alt, explorer.picture) == (alt, first)


def fits_its_figure(explorer):
    """No title leaves the figure, and what is read aloud is made of whole sentences."""
    assert re.match(r"[A-Z\d]", explorer.alt) and explorer.alt.endswith(".")
    assert not re.search(r"nan|None|\[|\{", explorer.alt)
    assert len(explorer.metadata["kcourse"]["states"]) >= 1
    fig = explorer.fig
    fig.canvas.draw()
    for ax in fig.axes:
        title = ax.title.get_window_extent() if ax.title.get_text().strip() else None
        assert title is None or (title.x1 <= fig.bbox.x1 + 1 and title.y1 <= fig.bbox.y1 + 1), ax.get_title()


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", EXPLORERS if WEEKLY else [f"{stem}.{names[0]}" for stem, names in FOUND.items() if names]
)
def test_the_moving_picture_is_the_one_of_the_deck(name):
    """Nothing is buried: the picture put together from background and moving artists is the one drawn at once."""
    explorer = made(name)
    explorer._draw_moving()
    together = np.asarray(explorer._drawn()).astype(int)
    for artist in explorer._moving:
        artist.set_animated(False)
    explorer.fig.canvas.draw()
    at_once = np.asarray(explorer._drawn()).astype(int)
    for artist in explorer._moving:
        artist.set_animated(True)
    explorer._keep_background(1.0)
    differ = np.abs(together - at_once).max(axis=2) > 60
    whole = differ[1:-1, 1:-1].copy()  # a curve may cross the frame or the other way round: that is a few pixels thin
    for i, j in ((0, 1), (2, 1), (1, 0), (1, 2)):
        whole &= differ[i : i + whole.shape[0], j : j + whole.shape[1]]
    assert np.sum(whole) == 0


def test_lines_of_a_level_are_where_the_function_has_it_and_none_where_it_has_not():
    u, v = np.linspace(-2, 2, 41), np.linspace(-1, 3, 31)
    f = u[None, :] ** 2 + v[:, None] ** 2
    (circle,) = level_lines(u, v, f, 0.8)
    np.testing.assert_allclose(np.hypot(*circle.T), np.sqrt(0.8), atol=0.02)
    assert level_lines(u, v, f, 20.0) == [] and level_lines(u, v, 0 * f, 0.0) == []


def test_the_map_has_a_box_for_each_chapter_and_an_arrow_for_each_need():
    course = [Chapter("1", "one", (0, 0), "lift", hours="1 h"), Chapter("2", "two", (1, 1), "lift", ("1",))]
    fig = draw_map(course)
    kinds = [type(patch).__name__ for patch in fig.axes[0].patches]
    assert kinds.count("FancyBboxPatch") == 2 and kinds.count("FancyArrowPatch") == 1
    said = {text.get_text() for text in fig.axes[0].texts}
    assert {"1  one", "2  two", "1 h", "to come"} <= said
    assert SimpleNamespace(**vars(course[1])).hours == ""
