"""Read ``grades.csv``: the result of each student's sheet, with its file and line for messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from kcourse.checks import CHAPTERS, exercises
from kcourse_grader.reports.roster import read_rows, same_name, whole
from kcourse_grader.writing import unguarded

__all__ = ["NUMBER", "Row", "read_results", "read_text", "strays"]

NUMBER = re.compile(r"[0-9]{1,9}(?:[.,][0-9]{1,20})?")
_COLUMNS = ("student", "sheet", "score", "max", "status", "mistakes")
_FEW = 0.25  # share of the students who handed something in
_ALIAS = re.compile(r"student-[0-9a-f]{5,}")


@dataclass(frozen=True)
class Row:
    """A row of ``grades.csv``: one student's sheet. ``where`` is its file and line."""

    student: str
    id: str
    sheet: str
    score: float
    worth: float
    status: str
    off: float
    where: str
    points: dict[str, float] = field(default_factory=dict)
    mistakes: tuple[tuple[str, str], ...] = ()

    @property
    def rank(self) -> int:
        """How much the row says about a student: 2 with points, 1 with a file, 0 if nothing was handed in."""
        return 2 if self.status == "graded" or self.score else int(self.status != "missing")


def strays(handed_in: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the sheets that too few students handed in to have been due, with the count, such as "1 of 30 students".

    ``handed_in`` has a pair (student, sheet) for each submission; the sheet is "" if none was recognised. With
    ``--sheet`` all submissions are of one sheet, so none is too few.
    """
    pairs = set(handed_in)
    students = len({student for student, _ in pairs})
    count = Counter(sheet for _, sheet in pairs if sheet)
    return {sheet: f"{n} of {students} students" for sheet, n in sorted(count.items()) if n < _FEW * students}


def read_results(folder: Path) -> list[Row]:
    """Return the rows of a results folder; a ValueError names the file, the line and the fix."""
    path = Path(folder)
    path = path / "grades.csv" if path.is_dir() else path
    if not path.is_file():
        raise ValueError(f"{path} does not exist. Give a folder that kcourse grade has written (its --out).")
    rows = read_rows(path, read_text(path))
    header = [cell.strip() for cell in rows[0]] if rows else []
    if gone := [name for name in _COLUMNS if name not in header]:
        raise ValueError(
            f"{path}, line 1: no column {', '.join(gone)}. Run the same kcourse grade command again to rewrite the "
            "file; nothing is graded again."
        )
    names = _names(path.with_name("names.csv"))
    for i, row in enumerate(rows[1:], 2):
        if any(row) and len(row) < len(header):
            raise ValueError(
                f"{path}, line {i}: {len(row)} cells, but {len(header)} columns. Run the kcourse grade command again."
            )
    cells = ((i, dict(zip(header, row, strict=False))) for i, row in enumerate(rows[1:], 2) if any(row))
    return [_row(path, i, cell, names) for i, cell in cells]


def _row(path: Path, line: int, cell: dict[str, str], names: dict[str, str]) -> Row:
    where = f"{path}, line {line}"

    def number(column: str) -> float:
        text = cell.get(column, "").strip() or "0"
        if not NUMBER.fullmatch(text):
            raise ValueError(f"{where}: {column} is {text!r}, which is not a number. Write it like 2.5.")
        return float(text.replace(",", "."))

    sheet, student = cell["sheet"].strip(), same_name(cell["student"])
    if sheet and sheet not in CHAPTERS:
        raise ValueError(f"{where}: no sheet named {sheet!r}. Available: {', '.join(CHAPTERS)}.")
    worth, score = number("max"), number("score")
    if sheet and not worth:
        raise ValueError(f"{where}: max is 0, so no share can be computed. Run the kcourse grade command again.")
    if score > worth:
        raise ValueError(f"{where}: {score:g} of {worth:g} points is too many. Change points only in overrides.csv.")
    if _ALIAS.fullmatch(student) and student not in names:
        raise ValueError(f"{where}: {student} is a pseudonym. Put its names.csv in the same folder.")
    points = {spec.name: number(spec.name) for spec in (exercises(sheet) if sheet else ()) if spec.name in cell}
    pairs = (text.partition(": ") for text in unguarded(cell["mistakes"]).split("; ") if text)
    return Row(
        names.get(student, student), whole(unguarded(cell.get("id", ""))), sheet, score, worth, cell["status"],
        number("points_off"), where, points, tuple((name, mistake) for name, _, mistake in pairs),
    )  # fmt: skip


def read_text(path: Path) -> str:
    """Return the text of a table; ValueError if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8. Save it as CSV UTF-8.") from None


def _names(path: Path) -> dict[str, str]:
    """Return pseudonym → student from names.csv, if it exists."""
    rows = read_rows(path, read_text(path)) if path.is_file() else []
    return {row[0]: same_name(row[1]) for row in rows[1:] if len(row) > 1}
