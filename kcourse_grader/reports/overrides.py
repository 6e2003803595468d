"""Overrides: points and comments that a person has entered in a table in the results folder.

Each row has student, sheet, exercise, points and comment. Without points the row only adds a comment, and without an
exercise it is about the whole sheet. The stored grade does not change; the table is applied whenever tables and pages
are written. The grader creates the table with its header only, and never changes it afterwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

from kcourse.checks import CHAPTERS, exercises
from kcourse_grader.marking.record import Grade
from kcourse_grader.reports.roster import read_rows, same_name

__all__ = ["COLUMNS", "FILE", "Override", "overridden", "read_overrides", "unknown_student"]

FILE = "overrides.csv"
_POINTS = re.compile(r"-?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)")  # anything else that float() accepts is a typing error
COLUMNS = ("student", "sheet", "exercise", "points", "comment")


@dataclass(frozen=True)
class Override:
    """One row; without ``points`` (None) it only adds a comment, and ``exercise`` is "" for the whole sheet."""

    student: str
    sheet: str
    exercise: str
    points: float | None
    comment: str
    line: int


def read_overrides(folder: Path) -> list[Override]:
    """Return the rows of the table in ``folder``; ValueError names an invalid line.

    If the folder has no table yet, one with only a header is written.
    """
    path = Path(folder) / FILE
    if not path.exists():
        if path.parent.is_dir():
            path.write_text(",".join(COLUMNS) + "\n", encoding="utf-8-sig")
        return []
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8. Save it as CSV UTF-8.") from None
    rows = read_rows(path, text)
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if header != list(COLUMNS):
        raise ValueError(
            f"{path}, line 1: the columns must be {', '.join(COLUMNS)}; got {', '.join(header) or 'none'}."
        )
    found = [_row(path, i, row) for i, row in enumerate(rows[1:], 2) if any(cell.strip() for cell in row)]
    keys: dict[tuple, int] = {}
    for override in found:
        key = (override.student, override.sheet, override.exercise)
        if key in keys:
            what = f"{override.exercise or 'the whole sheet'} of {override.student}"
            raise ValueError(f"{path}, line {override.line}: {what} is already in line {keys[key]}. Remove one.")
        keys[key] = override.line
    return found


def _row(path: Path, line: int, row: list[str]) -> Override:
    def wrong(what: str) -> ValueError:
        return ValueError(f"{path}, line {line}: {what}")

    cells = [cell.strip() for cell in row] + [""] * (len(COLUMNS) - len(row))
    if len(row) > len(COLUMNS) and any(cells[len(COLUMNS) :]):
        raise wrong("there are more than five cells. If the comment contains separators, put it in quotes.")
    student, sheet, exercise, points, comment = cells[: len(COLUMNS)]
    student = same_name(student)
    if "\n" in comment and any(f",{s}," in comment or f";{s};" in comment for s in CHAPTERS):
        raise wrong("the comment seems to contain another row. Is a closing quotation mark missing?")
    try:
        specs = {spec.name: spec for spec in exercises(sheet)}
    except KeyError as error:
        raise wrong(str(error.args[0])) from None
    if exercise and exercise not in specs:
        raise wrong(f"{sheet} has no exercise {exercise!r}. Use {', '.join(specs)}, or an empty cell for the sheet.")
    if not points and not comment:
        raise wrong("both points and comment are empty. Fill in one of them.")
    if not points:
        return Override(student, sheet, exercise, None, comment, line)
    most = specs[exercise].points if exercise else sum(spec.points for spec in specs.values())
    value = float(points.replace(",", ".")) if _POINTS.fullmatch(points) else math.nan
    if not 0 <= value <= most:
        raise wrong(f"{exercise or sheet} is worth 0 to {most} points, got {points!r}. Write points like 2.5.")
    value = abs(value)  # -0 is 0
    return Override(student, sheet, exercise, value, comment, line)


def unknown_student(override: Override, path: Path) -> ValueError:
    """Return the error for a row whose student has no grade for that sheet."""
    return ValueError(
        f"{path}, line {override.line}: {override.student!r} has no grade for {override.sheet}. Write the name as in "
        "grades.csv, or remove the row if the submission no longer exists."
    )


def overridden(
    grades: Sequence[Grade], overrides: Sequence[Override], path: Path, waiting: Collection[tuple[str, str]] = ()
) -> list[Grade]:
    """Return ``grades`` with changed copies; ValueError for a student who has no grade and is not in ``waiting``."""
    grades = list(grades)
    places = {(grade.student, grade.sheet): i for i, grade in enumerate(grades)}
    for override in overrides:
        i = places.get((override.student, override.sheet))
        if i is None and (override.student, override.sheet) in waiting:
            continue
        if i is None:
            raise unknown_student(override, path)
        grades[i] = _changed(grades[i], override)
    return grades


def _changed(grade: Grade, override: Override) -> Grade:
    grade = deepcopy(grade)
    if not override.exercise:
        comment = f" {override.comment}" if override.comment else ""
        if override.points is None:
            grade.notes.insert(0, f"Your lecturer writes:{comment}")
            return grade
        grade.set_to = override.points
        what = f"{override.points:g} of {grade.max_score:g} points (the checks gave {grade.earned:g})"
        grade.notes.insert(0, f"Your lecturer has set your points for this sheet to {what}.{comment}")
    for result in grade.results:
        if result["name"] != override.exercise:
            continue
        comment = f" {override.comment}" if override.comment else ""
        if override.points is None:
            sentence = f"Your lecturer writes:{comment}"
        else:
            was, now = result["points"], override.points
            result["points"] = now
            result["status"] = "passed" if now == result["max_points"] else "partial" if now else "failed"
            sentence = (
                f"Your lecturer has set this to {now:g} of {result['max_points']:g} points (it was {was:g}).{comment}"
            )
        result["hints"] = (sentence, *result["hints"])
        result["override"] = override.points
    return grade
