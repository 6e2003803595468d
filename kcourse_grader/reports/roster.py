"""The class list, read from a platform's export, and the same file with the points filled in.

========  =================================================  ========================================================
kind      recognised by                                      student of a submission
========  =================================================  ========================================================
Moodle    ``Participant 4711``, and a maximum of the grade   the number at the end
Canvas    its gradebook: "Student", "ID", "Section"          the number in "ID"
plain     "student"; "id", "due", "handed_in" if there       that name
========  =================================================  ========================================================

Moodle translates its headers, so its columns are found by what they hold. The first column has the same word and a
number in each row. The maximum is the first column with the same positive number in each row, if the column before it,
which is the grade, has only numbers up to it, dashes and empty cells. Between the participant and the grade are the
name, other data and the status; with blind marking it is the status alone. Canvas does not translate its headers. A
course that shows split names has "LastName" and "FirstName" for "Student". The test student is left out.

Moodle and Canvas import the file that they have exported, so only the column with the points is changed.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kcourse_grader.writing import unguarded

__all__ = ["Roster", "read_roster", "read_rows", "same_name", "whole"]

_PARTICIPANT = re.compile(r"(?P<word>\D+)(?P<number>\d+)\s*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_TEST_STUDENT = "Student, Test"
_SECTION = "Section"
_OWN = ("student", "id", "due", "handed_in")  # columns that are read from an instructor's own table
_LONGEST = 10_000_000  # bytes, enough for 100 000 students


@dataclass
class Roster:
    """The students of a class.

    Attributes
    ----------
    kind : str
        ``moodle``, ``canvas`` or ``plain``.
    ids : dict
        student's key → the platform's id.
    due : dict
        student's key → own deadline, if the table has one.
    handed_in : dict
        student's key → time of submission as text: Moodle's "Last modified (submission)", or the column of that name.
    grade : int
        Moodle's column for the grade.
    """

    kind: str
    path: Path
    rows: list[list[str]]
    ids: dict[str, str] = field(default_factory=dict)
    due: dict[str, str] = field(default_factory=dict)
    handed_in: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)  # key of a student → row
    grade: int = 0

    def key(self, student: str, platform: str, number: str) -> str:
        """Return a submission's key in the roster: the number if the roster's platform wrote it, or else the name.

        In a plain roster, Gradescope's number is the id. Other platforms may have numbers of their own, so there the
        name must be the same, too.
        """
        if self.kind != "plain":
            return number if platform == self.kind else ""
        key = self._keys.get(number, "")
        return key if key and (platform == "gradescope" or student == f"{key}_{number}") else student

    @cached_property
    def _keys(self) -> dict[str, str]:
        return {own: key for key, own in self.ids.items()}

    @cached_property
    def _second(self) -> Counter[str]:
        return Counter(self.rows[i][1] for i in self.places.values())

    def name(self, key: str) -> str:
        """Return the name of a student who has handed in nothing."""
        row = self.rows[self.places[key]]
        if self.kind == "plain":
            return key
        if self.kind == "canvas":
            return f"{', '.join(row[: _id_column(self.rows)]) or key}_{key}"
        blind = self.grade < 3 or self._second[row[1]] > 2  # a status, which is the same for many
        full = _PARTICIPANT.fullmatch(row[0])["word"].strip() if blind else row[1]
        return f"{full or key}_{key}"

    def filled(self, points: Callable[[str], str | None], sheet: str, column: str = "") -> str:
        """Return the file with ``points(key)`` in the column of ``sheet``; None leaves a cell unchanged.

        ValueError if the column is not clear.
        """
        at = self._column(sheet, column)
        rows = [list(row) for row in self.rows]
        for key, i in self.places.items():
            value = points(key)
            if value is not None:
                rows[i] += [""] * (at + 1 - len(rows[i]))
                rows[i][at] = value
        if self.kind == "canvas":  # an import would reset the other columns to their exported values
            ends = self.rows[0].index(_SECTION) + 1
            rows = [[*row[:ends], *row[at : at + 1]] for row in rows]
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        return text.getvalue()

    def maximum(self, sheet: str, column: str = "") -> float | None:
        """Return the most points that the platform gives for ``sheet``; None if it does not say."""
        at = self.grade + 1 if self.kind == "moodle" else self._column(sheet, column)
        rows = [row for row in self.rows[1:] if self.kind == "moodle" or row[0].strip() == "Points Possible"]
        most = _points(rows[0][at].strip()) if rows and len(rows[0]) > at else float("inf")
        return most if most < float("inf") else None

    def _column(self, sheet: str, column: str) -> int:
        header = self.rows[0]
        if column:
            found = [i for i, name in enumerate(header) if name == column or _bare(name) == column]
        elif self.kind == "moodle":
            found = [self.grade]
        else:
            start = header.index(_SECTION) + 1
            words = set(re.split(r"[_\W]+", sheet.lower())) - {""}
            open_ = [i for i in range(start, len(header)) if not self._read_only(i)]
            found = [i for i in open_ if words & set(re.split(r"[_\W]+", header[i].lower()))]
        if len(found) != 1:
            which = "No column" if not found else "More than one column"
            names = ", ".join(repr(_bare(name)) for name in header)
            raise ValueError(
                f"{which} of {self.path} is called {column or f'like the sheet {sheet}'}. Name the one for the points "
                f"with --column. Columns: {names}."
            )
        return found[0]

    def _read_only(self, i: int) -> bool:
        return any("read only" in row[i] for row in self.rows[1:3] if len(row) > i)


def _bare(name: str) -> str:
    """Return "Sheet 3" for Canvas's "Sheet 3 (998877)"."""
    return re.sub(r" \(\d+\)$", "", name)


def read_roster(path: Path) -> Roster:
    """Return the class list in a file; ValueError for an unknown kind of file or a repeated student."""
    path = Path(path)
    data = path.read_bytes()[: _LONGEST + 1]
    if len(data) > _LONGEST:
        raise ValueError(f"{path} has more than {_LONGEST // 10**6} MB, so it is not a class list.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not UTF-8. Export it again, or save it as CSV UTF-8.") from None
    rows = read_rows(path, text)
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "section" in header and _id_column(rows):
        at = _id_column(rows)
        people = ((row[at], i) for i, row in _body(rows) if _is_student(row, at))
        return _with_keys(Roster("canvas", path, rows), people)
    if "student" in header:
        roster = _with_keys(Roster("plain", path, rows), _named(rows, header))
        for what, into in (("id", roster.ids), ("due", roster.due), ("handed_in", roster.handed_in)):
            _take(roster, header.index(what) if what in header else None, into)
        roster.ids = {key: whole(number) for key, number in roster.ids.items()}
        for name in header:
            if name not in _OWN and (near := difflib.get_close_matches(name, _OWN, n=1)):
                raise ValueError(f"{path}: the column {name!r} is unknown. Do you mean {near[0]!r}?")
        seen: dict[str, str] = {}
        for key, number in roster.ids.items():
            if seen.setdefault(number, key) != key:
                raise ValueError(f"{path}: {seen[number]} and {key} have the same id, {number}.")
        return roster
    if grade := _grade_column(rows):
        numbers = ((_PARTICIPANT.fullmatch(row[0]), i) for i, row in _body(rows))
        roster = _with_keys(Roster("moodle", path, rows, grade=grade), ((m["number"], i) for m, i in numbers if m))
        roster.ids |= _lasting_ids(roster)
        _take(roster, _last_modified(rows[0]), roster.handed_in)
        return roster
    raise ValueError(
        f"{path} is not a known class list. Give Moodle's grading worksheet or Canvas's gradebook as exported, or a "
        f'table with a column "student". Its first row is {", ".join(rows[0])[:200] if rows else "missing"}.'
    )


def _take(roster: Roster, column: int | None, into: dict[str, str]) -> None:
    """Copy the non-empty cells of a column into ``into``, by student."""
    for key, i in roster.places.items() if column is not None else ():
        cell = roster.rows[i][column].strip() if len(roster.rows[i]) > column else ""
        into |= {key: cell} if cell not in ("", "-") else {}


def _grade_column(rows: list[list[str]]) -> int:
    """Return Moodle's column for the grade, by what the columns hold; 0 if this is not Moodle's worksheet."""
    found = [(match["word"], row) for _, row in _body(rows) if (match := _PARTICIPANT.fullmatch(row[0]))]
    if len({word for word, _ in found}) != 1:
        return 0
    columns = [[row[i].strip() if len(row) > i else "" for _, row in found] for i in range(len(rows[0]))]
    for i, (grade, most) in enumerate(zip(columns[2:], columns[3:], strict=False), 2):
        same = len(set(most)) == 1 and _NUMBER.fullmatch(most[0]) and most[0].strip("0.,")
        if same and all(cell in ("", "-") or _points(cell) <= _points(most[0]) for cell in grade):
            return i
    return 0


def _lasting_ids(roster: Roster) -> dict[str, str]:
    """Return each student's address, number or name from Moodle's worksheet, because participants are numbered anew in
    each assignment; nothing if no column tells all students apart."""
    columns = [[roster.rows[i][at].strip() for i in roster.places.values()] for at in range(1, roster.grade)]
    apart = [cells for cells in columns if all(cells) and 1 < len(set(cells)) == len(cells)]
    apart.sort(key=lambda cells: (not all("@" in cell for cell in cells), not all(map(_has_digit, cells))))
    return dict(zip(roster.places, apart[0], strict=True)) if apart else {}


def _has_digit(cell: str) -> bool:
    return any(map(str.isdigit, cell))


def _points(cell: str) -> float:
    """Return a number with a point or a comma; infinity for other text."""
    return float(cell.replace(",", ".")) if _NUMBER.fullmatch(cell) else float("inf")


def _id_column(rows: list[list[str]]) -> int:
    """Return Canvas's column "ID", which is after the name in one or two columns; 0 if there is none."""
    header = [cell.strip().lower() for cell in rows[0]]
    starts = (["student", "id"], ["lastname", "firstname", "id"])
    return next((len(start) - 1 for start in starts if header[: len(start)] == start), 0)


def _last_modified(header: list[str]) -> int | None:
    """Return Moodle's column with the time of submission, in any language: the first of two similar columns."""
    names = [name.partition("(")[0] if "(" in name else "" for name in header]
    return next((i for i, name in enumerate(names) if name and names.count(name) == 2), None)


def read_rows(path: Path, text: str) -> list[list[str]]:
    """Return the rows of a table, split at the separator of its first line; ValueError for unmatched quotes.

    Where decimals have a comma, spreadsheet programs separate cells with semicolons.
    """
    separator = max(",;\t", key=text.partition("\n")[0].count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error as error:
        raise ValueError(f"{path} is not a valid table ({error}). Is a quotation mark missing, or extra?") from None


def whole(number: str) -> str:
    """Return "4711" for "4711.0", as some spreadsheet programs write it; other text unchanged."""
    return re.sub(r"^(\d+)[.,]0+$", r"\1", number.strip())


def same_name(name: str) -> str:
    """Normalise a name, and remove the apostrophe that grades.csv puts before formulas."""
    return unguarded(unicodedata.normalize("NFC", name).strip())


def _body(rows: list[list[str]]) -> Iterable[tuple[int, list[str]]]:
    return ((i, row) for i, row in enumerate(rows) if i and any(cell.strip() for cell in row))


def _is_student(row: list[str], at: int) -> bool:
    name = ", ".join(cell.strip() for cell in row[:at])
    return len(row) > at and whole(row[at]).isdigit() and name != _TEST_STUDENT


def _named(rows: list[list[str]], header: list[str]) -> list[tuple[str, int]]:
    """Return the names in an instructor's own table, with the id at the end if several people have one name."""
    at, number = header.index("student"), header.index("id") if "id" in header else None
    found = [(row[at], i, whole(row[number]) if number is not None and len(row) > number else "") for i, row in
             _body(rows) if len(row) > at]  # fmt: skip
    many = Counter(same_name(name) for name, _, _ in found)
    return [(f"{name.strip()}_{own}" if own and many[same_name(name)] > 1 else name, i) for name, i, own in found]


def _with_keys(roster: Roster, found: Iterable[tuple[str, int]]) -> Roster:
    for key, i in found:
        key = whole(same_name(key))
        if not key:
            continue
        if key in roster.places:
            raise ValueError(
                f"{roster.path} lists {key} twice, in rows {roster.places[key] + 1} and {i + 1}. If these are two "
                "people, give each an id."
            )
        roster.places[key] = i
        roster.ids[key] = key
    if not roster.places:
        raise ValueError(f"{roster.path} lists no students.")
    return roster
