"""A grade: what is kept of a submission, and what tables and pages are made of."""

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
        whose, which file, which sheet ("" if none was recognised).
    status : str
        ``graded``; ``unreadable`` if the file is no notebook; ``unrecognised`` if it answers none of the sheets;
        ``missing`` if there was no notebook; ``error`` if the grader itself failed, which is its fault.
    results : list of dict
        a `Result` for each exercise.
    notes : list of str
        for the student, too: which attempt counted, what is defined twice, which cells failed.
    review : list of str
        why a human should look at it.
    doubt : str
        why it is not the last word before the submission has run alone: ``time`` if something took more time of the
        processor than it may, ``wait`` if it took longer than that otherwise, ``lost`` if the sandbox ended; or "".
    id, place, handed_in : str
        what the roster calls the student, where in it they stand, and when the file was handed in, where that is known.
    days_late : int or None
        days begun after the deadline; None where one of the two times is not known.
    points_off : float
        what lateness costs.
    set_to : float or None
        what a person has given the whole sheet, lateness included.
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
        """The points of the exercises."""
        return sum(result["points"] for result in self.results)

    @property
    def score(self) -> float:
        """The points that count."""
        return max(0.0, round(self.earned - self.points_off, 6)) if self.set_to is None else self.set_to

    @property
    def max_score(self) -> float:
        """The points possible."""
        return sum(result["max_points"] for result in self.results)


def nothing(spec: Exercise, seed: int) -> dict:
    """The result of an exercise to which there is no answer."""
    hint = "There was nothing to grade."
    return asdict(Result(spec.name, 0, spec.points, "not_attempted", hints=(hint,), seed=seed))


def nothing_handed_in(student: str, sheet: str) -> Grade:
    """The grade of somebody who is in the class and has handed in nothing."""
    specs = exercises(sheet)
    results = [nothing(spec, 0) for spec in specs]
    return Grade(student, "", sheet, "missing", results=results, notes=["Nothing was handed in."])
