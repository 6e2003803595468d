"""The gradebook: between the grades as they were earned and what is written of them.

Who is missing, who was late, what a person has changed, and under which names it is shown. Nothing here is stored with
a grade, so that each run does it anew.
"""

from __future__ import annotations

import difflib
import hashlib
import hmac
import math
import re
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from kcourse.grading.intake.inbox import Submission
from kcourse.grading.record import Grade, nothing_handed_in
from kcourse.grading.tables.overrides import FILE, Override, overridden, read_overrides
from kcourse.grading.tables.roster import Roster, read_roster, same_name

__all__ = ["Gradebook", "open_gradebook"]


@dataclass(frozen=True)
class Gradebook:
    """What the instructor has said.

    Attributes
    ----------
    roster : Roster or None
        the class.
    column : str
        of the roster's file, for the points.
    due : datetime or None
        when the sheet was to be handed in.
    only : tuple of str
        whose submissions are to be graded again; nobody else's is.
    anonymous : bool
        whether tables and pages name nobody.
    overrides : tuple of Override
        what a person has changed.
    """

    roster: Roster | None = None
    column: str = ""
    due: datetime | None = None
    only: tuple[str, ...] = ()
    anonymous: bool = False
    overrides: tuple[Override, ...] = field(default=())

    def look_over(self, sheets: Sequence[str]) -> None:
        """ValueError if the roster's file has no place for the points of one of ``sheets``."""
        for sheet in sheets if self.roster and self.roster.kind != "plain" else ():
            self.roster.filled(lambda _: None, sheet, self.column)

    def chosen(self, submissions: Sequence[Submission]) -> list[Submission]:
        """Those of ``only``; ValueError for a name that nobody has."""
        names = {submission.student for submission in submissions}
        for name in self.only:
            if name not in names:
                near = difflib.get_close_matches(name, names, n=3) or sorted(names)[:3]
                raise ValueError(
                    f"--only {name}: there is no submission of that student; there are {', '.join(near)}, …"
                )
        return [submission for submission in submissions if submission.student in self.only]

    def settled(
        self, grades: Sequence[Grade], submissions: Sequence[Submission], sheets: Sequence[str], out: Path
    ) -> list[Grade]:
        """Copies of the grades with all that belongs to them."""
        came = {(s.student, s.sheet or ""): s for s in submissions}
        found = [deepcopy(grade) for grade in grades]
        for grade in found:
            if grade.status == "graded" and not grade.score:
                grade.review.append("0 points")
            submission = came.get((grade.student, grade.sheet))
            if submission is not None:
                self._place(grade, submission)
        self._tell_doubles(found)
        found += self._missing(found, sheets)
        return overridden(found, self.overrides, Path(out) / FILE, set(came))

    def _place(self, grade: Grade, submission: Submission) -> None:
        """What the class list and the clock say of a submission."""
        key, when = "", submission.handed_in
        if self.roster:
            key = self.roster.key(grade.student, submission.platform, submission.number)
            if key in self.roster.places:
                grade.place, grade.id = key, self.roster.ids[key]
            else:
                grade.review.append(f"is not in {self.roster.path.name}")
        grade.handed_in = when.isoformat(sep=" ") if when else ""
        due = self._due(key)
        if due and when:
            grade.days_late = max(0, math.ceil((when - due).total_seconds() / 86400))

    def _tell_doubles(self, grades: Sequence[Grade]) -> None:
        """Two that lead to one place of the roster: neither is exported before a person has looked."""
        count = Counter((grade.place, grade.sheet) for grade in grades if grade.place)
        for grade in grades:
            if count[grade.place, grade.sheet] > 1:
                grade.review.append(f"another submission leads to the same row of {self.roster.path.name}")
                grade.place = ""

    def _missing(self, grades: Sequence[Grade], sheets: Sequence[str]) -> list[Grade]:
        """Rows for those who have handed in nothing; whose notebook nobody can read is somebody who has."""
        if self.roster is None:
            return []
        there = {(grade.id, sheet) for grade in grades for sheet in (sheets if not grade.sheet else [grade.sheet])}
        found = []
        for sheet in sheets:
            for key in self.roster.places:
                if (self.roster.ids[key], sheet) not in there:
                    grade = nothing_handed_in(self.roster.name(key), sheet)
                    grade.id, grade.place = self.roster.ids[key], key
                    found.append(grade)
        return found

    def _due(self, key: str) -> datetime | None:
        own = self.roster.due.get(key) if self.roster else None
        return a_time(own) if own else self.due


def open_gradebook(
    out: Path, *, roster: Path | None = None, column: str = "", due: str | None = None, only: Sequence[str] = (),
    anonymous: bool = False,
) -> Gradebook:  # fmt: skip
    """Read what the instructor has said; ValueError or OSError for what cannot be read."""
    people = read_roster(roster) if roster else None
    for key, text in people.due.items() if people else ():
        try:
            a_time(text)
        except ValueError as error:
            raise ValueError(f"{people.path}, line {people.places[key] + 1}: {error}") from None
    return Gradebook(
        people, column, a_time(due) if due else None, tuple(map(same_name, only)), anonymous, tuple(read_overrides(out))
    )


def a_time(text: str) -> datetime:
    """ "2026-11-20 18:00" as this machine's clock has it."""
    try:
        when = datetime.fromisoformat(text)
        if not 1970 <= when.year < 9999:  # the clock of no machine goes further, nor does any course
            raise ValueError
        return when.astimezone().replace(tzinfo=None) if when.tzinfo else when
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{text!r} is no date and time; write it as 2026-11-20T18:00.") from None


def anonymised(
    grades: Sequence[Grade], seed: int, submissions: Sequence[Submission] = ()
) -> tuple[list[Grade], dict[str, str]]:
    """The grades without names, and whose each of the new ones is. The same student has the same one in every run.

    ``submissions`` say which names of files stand in notes. A student's own name stands in none, so that a word of a
    sentence, or of a line of code, which happens to be one stays.
    """
    named = {(s.student, s.sheet or ""): s.named for s in submissions}
    names: dict[str, str] = {}
    found = []
    for grade in grades:
        digest = hmac.new(str(seed).encode(), grade.student.encode(errors="replace"), hashlib.sha256).hexdigest()
        alias = next(
            f"student-{digest[:n]}"
            for n in range(5, 64)
            if names.get(f"student-{digest[:n]}", grade.student) == grade.student
        )
        names[alias] = grade.student
        files = dict.fromkeys(named.get((grade.student, grade.sheet), ()), "another file") | {grade.file: "the file"}
        grade = deepcopy(grade)
        grade.notes = [_without(note, files) for note in grade.notes]
        grade.review = [_without(note, files) for note in grade.review]
        grade.student, grade.file, grade.id = alias, "", ""
        found.append(grade)
    return found, names


def _without(note: str, files: dict[str, str]) -> str:
    """A note with other words for the names of files, where these stand by themselves and in no line of code."""
    whole = "|".join(re.escape(file) for file in sorted(files, key=len, reverse=True) if file)
    if not whole:
        return note
    found = re.compile(rf"`.*`|(?<![\w/])(?:{whole})(?![\w/])", re.DOTALL)
    return found.sub(lambda match: files.get(match[0], match[0]), note)
