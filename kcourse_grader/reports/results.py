"""``grades.csv`` read back: of each student's sheet what it earned, and where that stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from kcourse.checks import CHAPTERS, exercises
from kcourse_grader.reports.roster import read_rows, same_name
from kcourse_grader.writing import unguarded

__all__ = ["NUMBER", "Row", "read_results", "read_text"]

NUMBER = re.compile(r"[0-9]{1,9}(?:[.,][0-9]{1,20})?")
_COLUMNS = ("student", "sheet", "score", "max", "status", "mistakes")
_ALIAS = re.compile(r"student-[0-9a-f]{5,}")


@dataclass(frozen=True)
class Row:
    """A row of ``grades.csv``: one student's sheet, and where it stands."""

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
        """What says more of a student than another row: points, then a file, then nothing."""
        return 2 if self.status == "graded" or self.score else int(self.status != "missing")


def read_results(folder: Path) -> list[Row]:
    """The rows of a folder of results; ValueError that names file, line and fix for what cannot be read."""
    path = Path(folder)
    path = path / "grades.csv" if path.is_dir() else path
    if not path.is_file():
        raise ValueError(f"{path} is not there: give a folder that kcourse grade has written (its --out).")
    rows = read_rows(path, read_text(path))
    header = [cell.strip() for cell in rows[0]] if rows else []
    if gone := [name for name in _COLUMNS if name not in header]:
        raise ValueError(
            f"{path}, line 1: no column {', '.join(gone)}. Give the same kcourse grade command again, which writes it "
            "anew in a second."
        )
    names = _names(path.with_name("names.csv"))
    for i, row in enumerate(rows[1:], 2):
        if any(row) and len(row) < len(header):
            raise ValueError(
                f"{path}, line {i}: {len(row)} cells under {len(header)} headers. Give the kcourse grade command again."
            )
    cells = ((i, dict(zip(header, row, strict=False))) for i, row in enumerate(rows[1:], 2) if any(row))
    return [_row(path, i, cell, names) for i, cell in cells]


def _row(path: Path, line: int, cell: dict[str, str], names: dict[str, str]) -> Row:
    where = f"{path}, line {line}"

    def number(column: str) -> float:
        text = cell.get(column, "").strip() or "0"
        if not NUMBER.fullmatch(text):
            raise ValueError(f"{where}: {column} is {text!r}, which is no number; write it like 2.5.")
        return float(text.replace(",", "."))

    sheet, student = cell["sheet"].strip(), same_name(cell["student"])
    if sheet and sheet not in CHAPTERS:
        raise ValueError(f"{where}: there is no sheet {sheet!r}; there are {', '.join(CHAPTERS)}.")
    worth, score = number("max"), number("score")
    if sheet and not worth:
        raise ValueError(f"{where}: max is 0, so nothing is a share of it. Give the kcourse grade command again.")
    if score > worth:
        raise ValueError(f"{where}: {score:g} points of {worth:g}; change points in overrides.csv, not here.")
    if _ALIAS.fullmatch(student) and student not in names:
        raise ValueError(
            f"{where}: whose {student} is stands in names.csv, which is not beside the table: put it there."
        )
    points = {spec.name: number(spec.name) for spec in (exercises(sheet) if sheet else ()) if spec.name in cell}
    pairs = (text.partition(": ") for text in unguarded(cell["mistakes"]).split("; ") if text)
    return Row(
        names.get(student, student), unguarded(cell.get("id", "").strip()), sheet, score, worth, cell["status"],
        number("points_off"), where, points, tuple((name, mistake) for name, _, mistake in pairs),
    )  # fmt: skip


def read_text(path: Path) -> str:
    """The text of a table; ValueError if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8: save it as CSV UTF-8.") from None


def _names(path: Path) -> dict[str, str]:
    """Whose a pseudonym is, where the key lies beside the table."""
    rows = read_rows(path, read_text(path)) if path.is_file() else []
    return {row[0]: same_name(row[1]) for row in rows[1:] if len(row) > 1}
