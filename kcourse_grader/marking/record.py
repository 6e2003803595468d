"""A grade: the stored result of a submission, from which tables and pages are made."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from kcourse.checks import Exercise, exercises
from kcourse.checks.judge import Result

__all__ = ["Grade", "nothing", "nothing_handed_in"]


@dataclass
class Grade:
    """What a submission earned, and why.

    Attributes
    ----------
    student, file, sheet : str
        the student, the graded file, and the sheet ("" if none was recognised).
    status : str
        ``graded``; ``unreadable`` if the file is not a notebook; ``unrecognised`` if it answers none of the sheets;
        ``missing`` if there was no notebook; ``error`` if the grader itself failed.
    results : list of dict
        a `Result` for each exercise.
    notes : list of str
        remarks that the student sees as well: which attempt counted, which cells failed.
    review : list of str
        reasons why a person should look at the submission.
    doubt : str
        why the submission is graded again alone: ``time`` if it exceeded the CPU time, ``wait`` if it exceeded only
        the real time, ``lost`` if the sandbox ended; otherwise "".
    id, place, handed_in : str
        the student's id and position in the roster, and the time of submission, if known.
    days_late : int or None
        days begun after the deadline; None if the deadline or the time of submission is unknown.
    points_off : float
        points deducted for lateness.
    set_to : float or None
        points that a person has set for the whole sheet; lateness is then not deducted.
    """

    student: str
    file: str
    sheet: str
    status: str
    results: list[dict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    digest: str = ""
    seconds: float = 0.0
    doubt: str = ""
    id: str = ""
    place: str = ""
    handed_in: str = ""
    days_late: int | None = None
    points_off: float = 0.0
    set_to: float | None = None

    @property
    def earned(self) -> float:
        """The sum of the exercises' points."""
        return sum(result["points"] for result in self.results)

    @property
    def score(self) -> float:
        """The points that count, after deductions and overrides."""
        return max(0.0, round(self.earned - self.points_off, 6)) if self.set_to is None else self.set_to

    @property
    def max_score(self) -> float:
        """The largest possible number of points."""
        return sum(result["max_points"] for result in self.results)


def nothing(spec: Exercise, seed: int) -> dict:
    """Return the result of an exercise without an answer."""
    hint = "There was nothing to grade."
    return asdict(Result(spec.name, 0, spec.points, "not_attempted", hints=(hint,), seed=seed))


def nothing_handed_in(student: str, sheet: str) -> Grade:
    """Return the grade of a student who is on the class list but has handed in nothing."""
    specs = exercises(sheet)
    results = [nothing(spec, 0) for spec in specs]
    return Grade(student, "", sheet, "missing", results=results, notes=["Nothing was handed in for this sheet."])
