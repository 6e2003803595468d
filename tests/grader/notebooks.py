"""Notebooks for the grader to chew on, of chapter 3; what only needs a sheet takes that of `tests.grader.tiny`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from kcourse.checks import exercises
from kcourse.sheets.notebook import read_notebook
from kcourse_grader.submissions.inbox import Submission

ROOT = Path(__file__).resolve().parents[2]
SHEET = "ch03_ridge"
FULL = sum(spec.points for spec in exercises(SHEET))


def as_bytes(cells: Iterable[str], **more: object) -> bytes:
    """A notebook file of these code cells."""
    made = [{"cell_type": "code", "metadata": {}, "source": c, "outputs": [], "execution_count": None} for c in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | more).encode()


def sheet_cells(kind: str, sheet: str = SHEET) -> dict[str, str]:
    """The cells of "solutions" or "exercises" by the function that they define, "" for the imports."""
    content = json.loads((ROOT / kind / f"{sheet}_sheet.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(c["source"]) for c in content["cells"] if c["cell_type"] == "code"]
    answers = {s.split("(")[0].removeprefix("def "): s for s in sources if s.startswith("def ")}
    return {"": sources[0], **answers}


SOLVED, BLANK = sheet_cells("solutions"), sheet_cells("exercises")


def submission(cells: Iterable[str], student: str = "ada", sheet: str = SHEET) -> Submission:
    """What `collect` would make of it."""
    return Submission(student, f"{student}.ipynb", sheet, read_notebook(as_bytes(cells)))


def solved(before: str = "", **changed: str) -> list[str]:
    """The solution's cells, some answers changed, one cell in front."""
    return [*([before] if before else []), *(SOLVED | changed).values()]
