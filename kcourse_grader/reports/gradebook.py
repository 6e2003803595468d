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
from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from kcourse_grader.marking.record import Grade, nothing_handed_in
from kcourse_grader.reports.late import LateRule, read_rule
from kcourse_grader.reports.overrides import FILE, Override, overridden, read_overrides, unknown_student
from kcourse_grader.reports.roster import Roster, read_roster, same_name
from kcourse_grader.submissions.inbox import Submission

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
    late : LateRule or None
        what lateness costs.
    """

    roster: Roster | None = None
    column: str = ""
    due: datetime | None = None
    only: tuple[str, ...] = ()
    anonymous: bool = False
    overrides: tuple[Override, ...] = field(default=())
    late: LateRule | None = None

    def look_over(self, submissions: Sequence[Submission], sheets: Sequence[str], out: Path, seed: int) -> str:
        """ValueError if a table does not fit the submissions, before any of them is graded; what to look at, else.

        The roster's file may have no place for the points of one of ``sheets``, an override nobody of its name.
        """
        for sheet in sheets if self.roster and self.roster.kind != "plain" else ():
            self.roster.filled(lambda _: None, sheet, self.column)
        known = {(s.student, s.sheet or "") for s in submissions}
        if self.roster:
            known |= {(self.roster.name(key), sheet) for key in self.roster.places for sheet in sheets}
        for override in self._by_name({student for student, _ in known}, seed):
            if (override.student, override.sheet) not in known:
                raise unknown_student(override, Path(out) / FILE)
        return self._strangers(submissions)

    def _strangers(self, submissions: Sequence[Submission]) -> str:
        """Who stands in no row of the roster: a misspelt name is fixed sooner than a class is graded."""
        if self.roster is None:
            return ""
        keys = {s.student: self.roster.key(s.student, s.platform, s.number) for s in submissions}
        gone = sorted(student for student, key in keys.items() if key not in self.roster.places)
        if not gone:
            return ""
        there = [self.roster.name(key) for key in self.roster.places if key not in keys.values()]
        near = {name: difflib.get_close_matches(name, there, n=1) for name in gone[:5]}
        said = [f"{name} (is it {like[0]}?)" if like else name for name, like in near.items()]
        who = "" if self.anonymous else f": {', '.join(said)}{', …' if len(gone) > 5 else ''}"
        return f"{len(gone)} of {len(keys)} in no row of {self.roster.path.name}{who}."

    def _by_name(self, students: Collection[str], seed: int) -> list[Override]:
        """The overrides, with the student's own name for a pseudonym."""
        names = {alias: student for student, alias in pseudonyms(students, seed).items()} if self.anonymous else {}
        return [
            o if o.student in students else replace(o, student=names.get(o.student, o.student)) for o in self.overrides
        ]

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
        self, grades: Sequence[Grade], submissions: Sequence[Submission], sheets: Sequence[str], out: Path, seed: int
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
        students = {grade.student for grade in found} | {submission.student for submission in submissions}
        found = overridden(found, self._by_name(students, seed), Path(out) / FILE, set(came))
        for grade in found if self.late else ():
            if grade.days_late and grade.status == "graded" and grade.set_to is None:
                grade.points_off = self.late.off(grade.days_late, grade.earned, grade.max_score)
                days = f"{grade.days_late} day{'s' if grade.days_late > 1 else ''}"
                grade.notes.insert(0, f"{grade.points_off:g} points are taken off: it came {days} late.")
                if grade.points_off and not grade.score:
                    grade.review.append("0 points, since it came so late")
        return found

    def _place(self, grade: Grade, submission: Submission) -> None:
        """What the class list and the clock say of a submission."""
        key, when = "", submission.handed_in
        if self.roster:
            key = self.roster.key(grade.student, submission.platform, submission.number)
            if key in self.roster.places:
                grade.place, grade.id = key, self.roster.ids[key]
            else:
                grade.review.append(f"is not in {self.roster.path.name}")
        if when and when > datetime.now():
            grade.review.append("its time lies in the future")
        due, own = self._due(key)
        if self.roster and key in self.roster.handed_in and self.due_said:
            when = a_time(self.roster.handed_in[key])
        grade.handed_in = when.isoformat(sep=" ") if when else ""
        if due and when:
            grade.days_late = max(0, math.ceil((when - due).total_seconds() / 86400))
        elif due and submission.late is not None and not own:
            grade.days_late = int(submission.late)
            if submission.late:
                grade.review.append("the platform calls it late and does not say by how much: 1 day is counted")
        elif submission.late and own:
            grade.review.append("the platform calls it late; whether by the student's own deadline, it does not say")

    @property
    def due_said(self) -> bool:
        """Whether anybody has a deadline, so that times matter."""
        return bool(self.due or (self.roster and self.roster.due))

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

    def _due(self, key: str) -> tuple[datetime | None, bool]:
        """The deadline, and whether it is the student's own."""
        own = self.roster.due.get(key) if self.roster else None
        return (a_time(own) if own else self.due), bool(own)


def open_gradebook(
    out: Path, *, roster: Path | None = None, column: str = "", due: str | None = None, only: Sequence[str] = (),
    anonymous: bool = False, late_off: str | None = None, late_most: str | None = None,
) -> Gradebook:  # fmt: skip
    """Read what the instructor has said; ValueError or OSError for what cannot be read."""
    late = read_rule(late_off, late_most)
    people = read_roster(roster) if roster else None
    book = Gradebook(
        people, column, a_time(due) if due else None, tuple(map(same_name, only)), anonymous,
        tuple(read_overrides(out)), late,
    )  # fmt: skip
    if late and not book.due_said:
        raise ValueError("--late-off needs to know what is late: give --due, or a roster with a column due.")
    times = [people.due, people.handed_in if book.due_said else {}] if people else []
    for key, text in (item for column_ in times for item in column_.items()):
        try:
            a_time(text)
        except ValueError as error:
            raise ValueError(f"{people.path}, line {people.places[key] + 1}: {error}") from None
    return book


# "Friday, 20 November 2026, 6:00 PM", "Freitag, 20. November 2026, 18:00", "Friday, November 20, 2026, 6:00 PM"
_MOODLE = re.compile(
    r"(?:[^\W\d]+,?\s+)?(?:(?P<day>\d{1,2})\.?\s+(?:de\s+)?(?P<month>[^\W\d]+)\.?|(?P<month2>[^\W\d]+)\s+(?P<day2>\d{1,2}),)"
    r"\s+(?:de\s+)?(?P<year>\d{4}),?\s+(?P<hour>\d{1,2}):(?P<minute>\d\d)(?:\s*(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_MONTHS = [
    {"january", "januar", "janvier", "enero"}, {"february", "februar", "février", "febrero"},
    {"march", "märz", "mars", "marzo"}, {"april", "avril", "abril"}, {"may", "mai", "mayo"},
    {"june", "juni", "juin", "junio"}, {"july", "juli", "juillet", "julio"}, {"august", "août", "agosto"},
    {"september", "septembre", "septiembre"}, {"october", "oktober", "octobre", "octubre"},
    {"november", "novembre", "noviembre"}, {"december", "dezember", "décembre", "diciembre"},
]  # fmt: skip


def _in_words(text: str) -> str:
    """Moodle's time, in the languages in which its worksheet is known, as 2026-11-20T18:00; else the text itself."""
    match = _MOODLE.fullmatch(text.strip())
    name = (match["month"] or match["month2"]).casefold() if match else ""
    month = next((i for i, names in enumerate(_MONTHS, 1) if name in names), 0)
    if not month:
        return text
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"] in "pP")
    return f"{match['year']}-{month:02d}-{int(match['day'] or match['day2']):02d}T{hour:02d}:{match['minute']}"


def a_time(text: str) -> datetime:
    """ "2026-11-20 18:00", or as Moodle writes it, as this machine's clock has it."""
    try:
        text = _in_words(text)
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
    names = pseudonyms((grade.student for grade in grades), seed)
    found = []
    for grade in grades:
        files = dict.fromkeys(named.get((grade.student, grade.sheet), ()), "another file") | {grade.file: "the file"}
        grade = deepcopy(grade)
        grade.notes = [_without(note, files) for note in grade.notes]
        grade.review = [_without(note, files) for note in grade.review]
        grade.student, grade.file, grade.id, grade.handed_in = names[grade.student], "", "", ""
        found.append(grade)
    found.sort(key=lambda grade: (grade.student, grade.sheet))  # or their order would be that of the names
    return found, {alias: student for student, alias in names.items()}


def pseudonyms(students: Iterable[str], seed: int) -> dict[str, str]:
    """Student → "student-3f9a2": the same in every run with this seed, and another for everyone."""
    names: dict[str, str] = {}
    for student in sorted(set(students)):
        digest = hmac.new(str(seed).encode(), student.encode(errors="replace"), hashlib.sha256).hexdigest()
        alias = next(f"student-{digest[:n]}" for n in range(5, 64) if f"student-{digest[:n]}" not in names)
        names[alias] = student
    return {student: alias for alias, student in names.items()}


def _without(note: str, files: dict[str, str]) -> str:
    """A note with other words for the names of files, where these stand by themselves and in no line of code."""
    whole = "|".join(re.escape(file) for file in sorted(files, key=len, reverse=True) if file)
    if not whole:
        return note
    found = re.compile(rf"`.*`|(?<![\w/])(?:{whole})(?![\w/])", re.DOTALL)
    return found.sub(lambda match: files.get(match[0], match[0]), note)
