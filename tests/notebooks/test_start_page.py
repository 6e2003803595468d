"""The start page keeps its promises: questions answered, chapters on the map."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = (ROOT / "notebooks" / "src" / "00_start_here.py").read_text(encoding="utf-8")
CHAPTERS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "notebooks" / "src").glob("ch*.py")}


def part(key: str) -> str:
    """The source of the cell with this key."""
    return re.split(r"^# %%", START.split(f'key="{key}"')[1], flags=re.MULTILINE)[0]


def written(number: str | int) -> list[str]:
    """The sources of the lectures of a chapter, which may have two parts."""
    return [text for stem, text in CHAPTERS.items() if int(re.match(r"ch(\d+)", stem)[1]) == int(number)]


def rows(table: str) -> dict[str, str]:
    """The rows of a table whose first column is a chapter, by chapter."""
    return dict(re.findall(r"^# \| (\d+) \| (.*) \|$", table, flags=re.MULTILINE))


def test_the_self_test_asks_about_every_chapter_and_links_those_that_exist() -> None:
    questions, answers = (rows(half) for half in part("self-test").split("<details>"))
    assert list(questions) == list(answers) == [str(i) for i in range(1, 11)]
    for number, answer in answers.items():
        assert (f"[Chapter {number}" in answer and "](ch" in answer) == bool(written(number)), number


def test_an_answer_of_the_self_test_names_sections_that_exist() -> None:
    named = re.findall(r"\]\((ch\w+)\.ipynb\), (.*) \|$", part("self-test"), flags=re.MULTILINE)
    assert len(named) == 10
    for stem, sections in named:
        for section in re.findall(r"\*([^*]+)\*", sections):
            assert f"# ## {section}\n" in CHAPTERS[stem], (stem, section)


def test_the_map_has_hours_for_the_chapters_that_exist() -> None:
    boxes = re.findall(r"Chapter\((.*?)\)(?=,\n)", part("chapters-map"), flags=re.DOTALL)
    assert len(boxes) == 10
    for box in boxes:
        number = re.match(r'\s*"(\d+)"', box)[1]
        assert (" h" in box) == bool(written(number)), number
