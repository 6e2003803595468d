"""docs/overview.md: the table of the whole, and the limits that it states for a chapter."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from tools import overview

LECTURES = sorted((Path(__file__).parents[2] / "notebooks").glob("ch*.ipynb"))
DATA = tomllib.loads(overview.DATA.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_a_chapter_is_within_the_limits_and_has_been_judged_by_every_criterion(path):
    counted = overview.of_lecture(path)
    del counted["words"], counted["core-s"]  # tools/limits.toml has a limit for each chapter, and for slow machines
    assert {name: value for name, value in counted.items() if value >= DATA["at_most"][name] + 1} == {}
    assert len(DATA["scores"][path.stem]) == len(DATA["criteria"]) and path.stem in DATA["recasts"]


def test_the_page_has_every_chapter_and_what_was_measured(monkeypatch):
    monkeypatch.setattr(overview, "of_lecture", lambda path: dict.fromkeys(DATA["at_most"], 1.0))
    text = "\n".join(overview.page(DATA | {"measured": {"`make lab`": "18 s"}}))
    assert text.count("| chapter | 1 | 2 | 3 | 4 | 5 | 6 | 6b | 7a | 7b | 8 | 9 | 10 |") == 2
    assert all(f"| {name} | " in text for name in (*DATA["at_most"], *DATA["criteria"], "kcourse/"))
    assert "| `make lab` | 18 s |" in text
