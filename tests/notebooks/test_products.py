"""The built files: they match their sources, students get no solutions, links lead somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kcourse import checks
from kcourse.commands.work import is_note
from tests.rows import each
from tests.solutions import secrets
from tools import build, pacing
from tools.cells import run_cells

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(p for folder in ("notebooks", "exercises", "solutions") for p in (ROOT / folder).glob("*.ipynb"))
SHEETS = sorted((ROOT / "solutions" / "src").glob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def cells(path: Path) -> list[dict]:
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def text(cell: dict) -> str:
    return "".join(cell["source"])


def test_every_product_matches_its_source() -> None:
    assert build.check(ROOT) == []


@each("source", SHEETS, ids=name)
def test_no_solution_text_reaches_students(source: Path) -> None:
    lines = secrets(source)
    assert len(lines) > 10, "the sheet has no solutions to look for"
    for path in [*(ROOT / "exercises").rglob("*"), *(ROOT / "notebooks").rglob("*.ipynb")]:
        if path.is_file() and path.parent.name == "exercises":
            handed_out = path.read_text(encoding="utf-8")
            plain = json.dumps(json.loads(handed_out), ensure_ascii=False)
            assert "SOLUTION" not in handed_out, path
            for line in lines:
                assert json.dumps(line, ensure_ascii=False)[1:-1] not in plain, (path, line)


@each("source", SHEETS, ids=name)
def test_a_sheet_has_every_exercise_in_order_as_stubs_and_no_outputs(source: Path) -> None:
    sheet = cells(ROOT / "exercises" / f"{source.stem}_sheet.ipynb")
    code = [cell for cell in sheet if cell["cell_type"] == "code"]
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
    ids, named = [cell["id"] for cell in sheet], [exercise.name for exercise in checks.exercises(source.stem)]
    assert [i for i in ids if i in named] == named and all(ids[ids.index(n) + 1] == f"check-{n}" for n in named)
    for exercise in checks.exercises(source.stem):
        cell = next(cell for cell in code if cell["id"] == exercise.name)
        assert text(cell).startswith(f"def {exercise.name}(")
        assert text(cell).rstrip().endswith("raise NotImplementedError")


@pytest.mark.parametrize("source", SHEETS, ids=name)
def test_a_blank_sheet_runs_to_its_end(source: Path) -> None:
    """It stores no outputs to compare, so that it needs no kernel."""
    run_cells(ROOT / "exercises" / f"{source.stem}_sheet.ipynb", begin=lambda cell: None)


@each("path", NOTEBOOKS, ids=name)
def test_links_between_files_lead_to_files(path: Path) -> None:
    for cell in (cell for cell in cells(path) if cell["cell_type"] == "markdown"):
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", text(cell)):
            assert (path.parent / target).exists(), f"{name(path)}: {target}"


@each("path", [p for p in NOTEBOOKS if p.parent.name != "solutions"], ids=name)
def test_students_are_told_of_nothing_that_they_lack(path: Path) -> None:
    told = [text(cell) for cell in cells(path) if not is_note(cell)]
    assert re.findall(r"`(?:make |(?:solutions|docs|tools|tests|measured)/)[^`]*`", "\n".join(told)) == []


@each("path", NOTEBOOKS, ids=name)
def test_pictures_have_alt_text_and_widgets_leave_a_picture(path: Path) -> None:
    for cell in cells(path):
        for output in cell.get("outputs", []):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            assert "application/vnd.jupyter.widget-view+json" not in data
            if "image/png" in data:
                assert len(metadata["image/png"]["alt"]) >= 20


def test_the_start_page_links_every_chapter_that_exists_and_no_other() -> None:
    start = (ROOT / "notebooks" / "00_start_here.ipynb").read_text(encoding="utf-8")
    existing = {p.stem for p in (ROOT / "notebooks").glob("ch*.ipynb")}
    assert set(re.findall(r"\((ch\w+)\.ipynb\)", start)) == existing


@each("path", [p for p in NOTEBOOKS if p.parent.name == "notebooks" and p.stem not in ("errata", "glossary")], ids=name)
def test_a_chapter_lectures(path: Path) -> None:
    """Every section starts a slide, and notes to the lecturer are folded and say how long they take."""
    types = [cell["metadata"].get("slideshow", {}).get("slide_type", "-") for cell in cells(path)]
    assert types[0] == "slide"
    assert not path.stem.startswith("ch") or pacing.hours_of(cells(path))
    for cell, kind in zip(cells(path), types, strict=True):
        if cell["cell_type"] == "markdown" and text(cell).startswith(("# ", "## ")):
            assert kind in ("slide", "subslide", "skip"), text(cell)[:40]
        if kind == "notes":
            assert re.match(r"<details><summary>For the lecturer \(\d+ min\)</summary>", text(cell))
