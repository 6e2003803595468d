"""notebooks/src/coverage.toml: nothing of the sources is lost on the way into the chapters and into the library."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import Counter
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path

from tests.rows import each

ROOT = Path(__file__).resolve().parents[2]
COVERAGE = tomllib.loads((ROOT / "notebooks" / "src" / "coverage.toml").read_text(encoding="utf-8"))
INVENTORY, ERRATA = COVERAGE["inventory"], COVERAGE["errata"]
MISCONCEPTIONS = COVERAGE["misconceptions"]
CODE, NOTHING = COVERAGE["code"], COVERAGE["nothing_to_compute"]
# chapter number -> the notebooks that make it up
NOTEBOOKS = {path.stem: path for path in (ROOT / "notebooks").glob("*.ipynb")}
CHAPTERS = {match[1] for stem in NOTEBOOKS if (match := re.match(r"(?:ch)?(\d\d)", stem))}


@cache
def cells_of(stem: str) -> list[dict]:
    return json.loads(NOTEBOOKS[stem].read_text(encoding="utf-8"))["cells"]


def written(places: set[str]) -> set[str]:
    """The places in chapters that exist: one that is being written may have its map already."""
    return {place for place in places if place.removeprefix("ch")[:2] in CHAPTERS}


def split(place: str) -> tuple[str, str]:
    stem, _, cell = place.partition("#")
    return stem, cell


def test_the_inventory_is_complete() -> None:
    per_source = Counter(key.split("-")[0] for key in INVENTORY)
    assert per_source == {"000": 35, "001": 37, "002": 90, "003": 39, "004": 16}
    for source, count in per_source.items():
        assert [f"{source}-{i:02d}" in INVENTORY for i in range(1, count + 1)] == [True] * count


def test_the_errata_are_complete() -> None:
    checked_and_right = {"E08b", "E21b", "E22b", "E43b", "E61b"}  # beside an entry that is not
    last = len(ERRATA.keys() - checked_and_right)
    assert last >= 100 and ERRATA.keys() == {f"E{i:02d}" for i in range(1, last + 1)} | checked_and_right
    assert not [key for key, at in ERRATA.items() if not at or len(set(at)) < len(at)]


@each("chapter", sorted(CHAPTERS))
def test_every_entry_of_a_written_chapter_is_placed(chapter: str) -> None:
    own = {key: entry for key, entry in INVENTORY.items() if chapter in entry["ch"]}
    assert own, f"chapter {chapter} carries nothing of the inventory"
    missing = [
        key
        for key, entry in own.items()
        if not any(place.split("#")[0].removeprefix("ch").startswith(chapter) for place in entry.get("at", []))
    ]
    assert not missing, f"not placed in chapter {chapter}: {missing}"


def test_the_misconceptions_are_complete() -> None:
    count = Counter(key.split("-")[0] for key in MISCONCEPTIONS)
    assert count == {"01": 8, "02": 8, "03": 8, "04": 8, "05": 8, "06": 10, "07": 9, "08": 9, "09": 10, "10": 7}
    assert MISCONCEPTIONS.keys() == {f"{c}-{i}" for c, many in count.items() for i in range(1, many + 1)}
    assert len({entry["says"] for entry in MISCONCEPTIONS.values()}) == len(MISCONCEPTIONS)


@each("key", [key for key in MISCONCEPTIONS if key.split("-")[0] in CHAPTERS])
def test_a_misconception_is_answered_in_its_chapter_and_the_answer_is_backed(key: str) -> None:
    entry = MISCONCEPTIONS[key]
    assert len(set(entry["at"])) == len(entry["at"])
    own = [place for place in entry["at"] if place.startswith(f"ch{key.split('-')[0]}")]
    assert own or entry.get("checks"), f"{key}, {entry['says']!r}: no place in the chapter"
    # words that say it, and code that shows it (or a check that names who believes it)
    kinds = {next(c["cell_type"] for c in cells_of(stem) if c["id"] == cell) for stem, cell in map(split, entry["at"])}
    assert "code" in kinds or entry.get("checks") or key in SAID_ONLY, f"{key}: nothing is computed"


# Misconceptions that words answer: an eigenvector times -1 is one, by definition.
SAID_ONLY = {"08-9"}


def test_a_check_that_names_a_misconception_exists() -> None:
    from kcourse import checks

    named = {f"{e.name}: {m.name}" for e in checks.exercises() for m in e.misconceptions}
    asked = {check for entry in MISCONCEPTIONS.values() for check in entry.get("checks", [])}
    assert asked and not asked - named


def test_every_place_exists() -> None:
    places = {p for entry in [*INVENTORY.values(), *MISCONCEPTIONS.values()] for p in entry.get("at", [])}
    places |= {p for at in ERRATA.values() for p in at}
    known = {f"{stem}#{cell['id']}" for stem in NOTEBOOKS for cell in cells_of(stem)}
    assert not written(places) - known


def test_every_place_is_a_cell_that_says_or_computes_something() -> None:
    """A mapped cell is prose or code of the chapter, not a note to the lecturer."""
    places = {p for entry in [*INVENTORY.values(), *MISCONCEPTIONS.values()] for p in entry.get("at", [])}
    for stem, key in map(split, written(places)):
        place = f"{stem}#{key}"
        cell = next(c for c in cells_of(stem) if c["id"] == key)
        assert cell["metadata"].get("slideshow", {}).get("slide_type") != "notes", place
        assert len("".join(cell["source"])) > 40, place


# ---------------------------------------------------------------- what computes the entries


@cache
def names_in(file: str) -> set[str]:
    """Names of the tests that ``file`` defines."""
    path = ROOT / file
    if not path.is_file():
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")}


def exists(place: str) -> bool:
    """Whether ``place`` is a test of this repository, file::test, or a name in kcourse, module.Name or deeper."""
    file, colons, test = place.partition("::")
    if colons:
        return file.startswith("tests/") and test in names_in(file)
    module, *names = place.split(".")
    try:
        found = import_module(f"kcourse.{module}")
        for name in names:
            found = getattr(found, name)
    except (ImportError, AttributeError):
        return False
    return bool(names)  # a module alone says too little


def test_every_entry_has_code_or_a_reason_to_have_none() -> None:
    count = Counter(chain(CODE, *NOTHING.values()))
    assert not count.keys() - INVENTORY.keys()
    twice = [key for key, times in count.items() if times > 1]
    assert not twice, f"in [code] and in [nothing_to_compute], or twice in the latter: {twice}"
    nowhere = [key for key in INVENTORY if key not in count]
    assert not nowhere, f"neither in [code] nor in [nothing_to_compute]: {nowhere}"


def test_every_entry_with_code_names_it_once() -> None:
    assert not [key for key, places in CODE.items() if not places or len(set(places)) < len(places)]


def test_every_name_and_every_test_exists() -> None:
    missing = {key: lost for key, places in CODE.items() if (lost := [p for p in places if not exists(p)])}
    assert not missing
