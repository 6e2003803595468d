"""The gradebook: apply the roster, lateness, overrides and pseudonyms to the stored grades.

Nothing of this is stored with a grade, so each run applies it again.
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

from kcourse.checks import exercises
from kcourse_grader.marking.record import Grade, nothing_handed_in
from kcourse_grader.reports.late import LateRule, read_rule
from kcourse_grader.reports.overrides import FILE, Override, overridden, read_overrides, unknown_student
from kcourse_grader.reports.results import strays
from kcourse_grader.reports.roster import Roster, read_roster, same_name
from kcourse_grader.submissions.inbox import Submission

__all__ = ["Gradebook", "open_gradebook"]


@dataclass(frozen=True)
class Gradebook:
    """The instructor's options and tables.

    Attributes
    ----------
    roster : Roster or None
        the class list.
    column : str
        column of the roster file that receives the points.
    due : datetime or None
        the deadline.
    only : tuple of str
        the only students whose submissions are graded again.
    anonymous : bool
        whether tables and pages use pseudonyms.
    overrides : tuple of Override
        points and comments that a person has set.
    late : LateRule or None
        the deduction for lateness.
    """

    roster: Roster | None = None
    column: str = ""
    due: datetime | None = None
    only: tuple[str, ...] = ()
    anonymous: bool = False
    overrides: tuple[Override, ...] = field(default=())
    late: LateRule | None = None

    def look_over(self, submissions: Sequence[Submission], sheets: Sequence[str], out: Path, seed: int) -> str:
        """Check the tables before anything is graded; return warnings about unknown students and stray sheets.

        ValueError if the roster file has no column for one of ``sheets``, or an override names an unknown student.
        """
        few, warnings = _few(submissions), [self._strangers(submissions)]
        timeless = sum(bool(s.notebook) and not s.handed_in and s.late is None for s in submissions)
        if timeless and self.due_said and not (self.roster and self.roster.handed_in):
            warnings.append(f"No time is known for {timeless} of {len(submissions)} submissions. They are not late.")
        for sheet in sheets if self.roster and self.roster.kind != "plain" else ():
            if sheet in few:
                continue
            self.roster.filled(lambda _: None, sheet, self.column)
            most, worth = self.roster.maximum(sheet, self.column), sum(spec.points for spec in exercises(sheet))
            if most not in (None, worth):
                warnings.append(
                    f"{self.roster.path.name} gives {most:g} points for {sheet}, but the sheet has {worth:g}. Points "
                    f"are not rescaled: change the assignment to {worth:g} points."
                )
        known = {(s.student, s.sheet or "") for s in submissions}
        if self.roster:
            known |= {(self.roster.name(key), sheet) for key in self.roster.places for sheet in sheets}
        for override in self._by_name({student for student, _ in known}, seed):
            if (override.student, override.sheet) not in known:
                raise unknown_student(override, Path(out) / FILE)
        warnings += [
            f"Only {count} handed in {sheet}, so the others do not lack it. If it was due, use --sheet {sheet}."
            for sheet, count in few.items()
        ]
        return "\n".join(filter(None, warnings))

    def _strangers(self, submissions: Sequence[Submission]) -> str:
        """Return a warning about students who are not in the roster, since a misspelt name is quickly corrected."""
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
        return f"{len(gone)} of {len(keys)} students are not in {self.roster.path.name}{who}."

    def _by_name(self, students: Collection[str], seed: int) -> list[Override]:
        """Return the overrides with pseudonyms replaced by the students' names."""
        names = {alias: student for student, alias in pseudonyms(students, seed).items()} if self.anonymous else {}
        return [
            o if o.student in students else replace(o, student=names.get(o.student, o.student)) for o in self.overrides
        ]

    def chosen(self, submissions: Sequence[Submission]) -> list[Submission]:
        """Return the submissions of the students in ``only``; ValueError for an unknown name."""
        names = {submission.student for submission in submissions}
        for name in self.only:
            if name not in names:
                near = difflib.get_close_matches(name, names, n=3) or sorted(names)[:3]
                raise ValueError(f"--only {name}: this student has no submission. Students: {', '.join(near)}, …")
        return [submission for submission in submissions if submission.student in self.only]

    def settled(
        self, grades: Sequence[Grade], submissions: Sequence[Submission], sheets: Sequence[str], out: Path, seed: int
    ) -> list[Grade]:
        """Return copies of the grades with roster data, overrides, lateness and missing students applied."""
        came = {(s.student, s.sheet or ""): s for s in submissions}
        found = [deepcopy(grade) for grade in grades]
        for grade in found:
            if grade.status == "graded" and not grade.score:
                grade.review.append("0 points")
            submission = came.get((grade.student, grade.sheet))
            if submission is not None:
                self._place(grade, submission)
        self._tell_doubles(found)
        few = _few(submissions)
        for grade in found:
            if grade.sheet in few:
                grade.place = ""
                grade.review.append(f"only {few[grade.sheet]} handed in this sheet, so its points are not exported")
        found += self._missing(found, [sheet for sheet in sheets if sheet not in few])
        students = {grade.student for grade in found} | {submission.student for submission in submissions}
        found = overridden(found, self._by_name(students, seed), Path(out) / FILE, set(came))
        for grade in found if self.late else ():
            if grade.days_late and grade.status == "graded" and grade.set_to is None:
                grade.points_off = self.late.off(grade.days_late, grade.earned, grade.max_score)
                days = f"{grade.days_late} day{'s' if grade.days_late > 1 else ''}"
                grade.notes.insert(0, f"Taken off because it came {days} late: {grade.points_off:g} points.")
                if grade.points_off and not grade.score:
                    grade.review.append("0 points because of lateness")
        return found

    def _place(self, grade: Grade, submission: Submission) -> None:
        """Add what the roster and the deadline say about a submission."""
        key, when = "", submission.handed_in
        if self.roster:
            key = self.roster.key(grade.student, submission.platform, submission.number)
            if key in self.roster.places:
                grade.place, grade.id = key, self.roster.ids[key]
            else:
                grade.review.append(f"is not in {self.roster.path.name}")
        if when and when > datetime.now():
            grade.review.append("its time of submission is in the future")
        due, own = self._due(key)
        if self.roster and key in self.roster.handed_in and self.due_said:
            when = a_time(self.roster.handed_in[key])
        grade.handed_in = when.isoformat(sep=" ") if when else ""
        if due and when:
            grade.days_late = max(0, math.ceil((when - due).total_seconds() / 86400))
        elif due and submission.late is not None and not own:
            grade.days_late = int(submission.late)
            if submission.late:
                grade.review.append("the platform marks it as late without saying by how much, so 1 day is counted")
        elif submission.late and own:
            grade.review.append("the platform marks it as late, but may not know the student's own deadline")

    @property
    def due_said(self) -> bool:
        """Whether there is any deadline, so that times matter."""
        return bool(self.due or (self.roster and self.roster.due))

    def _tell_doubles(self, grades: Sequence[Grade]) -> None:
        """Mark submissions that lead to the same row of the roster; none of them is exported until a person decides."""
        count = Counter((grade.place, grade.sheet) for grade in grades if grade.place)
        for grade in grades:
            if count[grade.place, grade.sheet] > 1:
                grade.review.append(f"another submission belongs to the same row of {self.roster.path.name}")
                grade.place = ""

    def _missing(self, grades: Sequence[Grade], sheets: Sequence[str]) -> list[Grade]:
        """Return grades for students who have handed in nothing; an unreadable notebook counts as handed in."""
        if self.roster is None:
            return []
        there = {(grade.id, sheet) for grade in grades for sheet in (sheets if not grade.sheet else [grade.sheet])}
        names = {grade.id: grade.student for grade in grades if grade.id}
        instead = {grade.id: grade.sheet for grade in grades if grade.id and grade.sheet not in ("", *sheets)}
        found = []
        for sheet in sheets:
            for key in self.roster.places:
                if (self.roster.ids[key], sheet) not in there:
                    grade = nothing_handed_in(names.get(self.roster.ids[key]) or self.roster.name(key), sheet)
                    grade.id, grade.place = self.roster.ids[key], key
                    if other := instead.get(grade.id):
                        grade.review.append(f"handed in {other} instead")
                    found.append(grade)
        return found

    def _due(self, key: str) -> tuple[datetime | None, bool]:
        """Return the deadline and whether it is the student's own."""
        own = self.roster.due.get(key) if self.roster else None
        return (_deadline(own) if own else self.due), bool(own)


def _few(submissions: Sequence[Submission]) -> dict[str, str]:
    return strays((submission.student, submission.sheet or "") for submission in submissions)


def open_gradebook(
    out: Path, *, roster: Path | None = None, column: str = "", due: str | None = None, only: Sequence[str] = (),
    anonymous: bool = False, late_off: str | None = None, late_most: str | None = None,
) -> Gradebook:  # fmt: skip
    """Read the instructor's options and tables; ValueError or OSError for an invalid or unreadable one."""
    late = read_rule(late_off, late_most)
    people = read_roster(roster) if roster else None
    book = Gradebook(
        people, column, _deadline(due) if due else None, tuple(map(same_name, only)), anonymous,
        tuple(read_overrides(out)), late,
    )  # fmt: skip
    if late and not book.due_said:
        raise ValueError("--late-off needs a deadline. Give --due, or a roster with a column due.")
    times = [people.due, people.handed_in if book.due_said else {}] if people else []
    for key, text in (item for column_ in times for item in column_.items()):
        try:
            a_time(text)
        except ValueError as error:
            raise ValueError(f"{people.path}, line {people.places[key] + 1}: {error}") from None
    return book


# "Friday, 20 November 2026, 6:00 PM", "Freitag, 20. November 2026, 18:00", "Friday, November 20, 2026, 6:00 PM"
_MOODLE = re.compile(
    r"(?:[^\W\d][\w-]*,?\s+)?(?:(?P<day>\d{1,2})\.?\s+(?:de\s+)?(?P<month>[^\W\d]+)\.?|(?P<month2>[^\W\d]+)\s+(?P<day2>\d{1,2}),)"
    r"\s+(?:de\s+)?(?P<year>\d{4}),?\s+(?:às\s+)?(?P<hour>\d{1,2}):(?P<minute>\d\d)(?:\s*(?P<half>[AaPp])\.?[Mm]\.?)?"
)
_MONTHS = [
    {"january", "januar", "janvier", "enero", "gennaio", "januari", "janeiro"},
    {"february", "februar", "février", "febrero", "febbraio", "februari", "fevereiro"},
    {"march", "märz", "mars", "marzo", "maart", "março"}, {"april", "avril", "abril", "aprile"},
    {"may", "mai", "mayo", "maggio", "mei", "maio"}, {"june", "juni", "juin", "junio", "giugno", "junho"},
    {"july", "juli", "juillet", "julio", "luglio", "julho"}, {"august", "août", "agosto", "augustus"},
    {"september", "septembre", "septiembre", "settembre", "setembro"},
    {"october", "oktober", "octobre", "octubre", "ottobre", "outubro"},
    {"november", "novembre", "noviembre", "novembro"},
    {"december", "dezember", "décembre", "diciembre", "dicembre", "dezembro"},
]  # fmt: skip


def _in_words(text: str) -> str:
    """Convert Moodle's time, in the languages of `_MONTHS`, to 2026-11-20T18:00; return other text unchanged."""
    match = _MOODLE.fullmatch(text.strip())
    name = (match["month"] or match["month2"]).casefold() if match else ""
    month = next((i for i, names in enumerate(_MONTHS, 1) if name in names), 0)
    if not month:
        return text
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + 12 * (match["half"] in "pP")
    return f"{match['year']}-{month:02d}-{int(match['day'] or match['day2']):02d}T{hour:02d}:{match['minute']}"


def _deadline(text: str) -> datetime:
    """Return a time; a date alone means its end."""
    return a_time(f"{text}T23:59:59" if re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip()) else text)


def a_time(text: str) -> datetime:
    """Parse "2026-11-20 18:00", or a time as Moodle writes it, as local time."""
    try:
        text = _in_words(text)
        when = datetime.fromisoformat(text)
        if not 1970 <= when.year < 9999:  # outside this range, system clocks fail
            raise ValueError
        return when.astimezone().replace(tzinfo=None) if when.tzinfo else when
    except (ValueError, OverflowError, OSError):
        raise ValueError(f"{text!r} is not a date and time. Write it as 2026-11-20T18:00.") from None


def anonymised(
    grades: Sequence[Grade], seed: int, submissions: Sequence[Submission] = ()
) -> tuple[list[Grade], dict[str, str]]:
    """Return the grades under pseudonyms, and pseudonym → student. A student has the same pseudonym in every run.

    ``submissions`` list the file names that occur in notes. Notes never contain a student's name, so ordinary words
    and code that happen to equal a name stay unchanged.
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
    found.sort(key=lambda grade: (grade.student, grade.sheet))  # otherwise the order would reveal the names
    return found, {alias: student for student, alias in names.items()}


def pseudonyms(students: Iterable[str], seed: int) -> dict[str, str]:
    """Return student → pseudonym, such as "student-3f9a2": unique, and equal in every run with this seed."""
    names: dict[str, str] = {}
    for student in sorted(set(students)):
        digest = hmac.new(str(seed).encode(), student.encode(errors="replace"), hashlib.sha256).hexdigest()
        alias = next(f"student-{digest[:n]}" for n in range(5, 64) if f"student-{digest[:n]}" not in names)
        names[alias] = student
    return {student: alias for alias, student in names.items()}


def _without(note: str, files: dict[str, str]) -> str:
    """Replace file names in a note, where they stand alone and are not part of a line of code."""
    whole = "|".join(re.escape(file) for file in sorted(files, key=len, reverse=True) if file)
    if not whole:
        return note
    found = re.compile(rf"`.*`|(?<![\w/])(?:{whole})(?![\w/])", re.DOTALL)
    return found.sub(lambda match: files.get(match[0], match[0]), note)
