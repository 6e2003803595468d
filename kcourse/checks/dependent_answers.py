"""Mark an answer that calls wrong answers as if those were right.

A mistake should cost points only in its own exercise. So an answer that calls a wrong function is called again with
the right function in its place. The points are those of the second call, and the verdict says so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from kcourse.checks.judge import Result
from kcourse.checks.spec import Exercise
from kcourse.execution.calls import home_of, unwatched

__all__ = ["earlier", "followed", "not_followed", "standing_in"]


def earlier(spec: Exercise, sheet: Sequence[Exercise]) -> tuple[Exercise, ...]:
    """Return the exercises of the sheet before ``spec``; only these are replaced by right answers."""
    names = [other.name for other in sheet]
    return tuple(sheet[: names.index(spec.name)])


@contextlib.contextmanager
def standing_in(function: Callable, others: Sequence[Exercise]) -> Iterator[set[str]]:
    """Replace ``others`` by right answers where ``function`` looks them up; yield the names that it has called.

    In the students' edition it still calls its own answers.
    """
    home, asked = home_of(function), set()
    before = {spec.name: home[spec.name] for spec in others if spec.name in home}
    for spec in others:
        # the students' edition has no right answer: the student's own answer runs
        stands = before.get(spec.name, _missing) if spec.answer_table else spec.answer
        home[spec.name] = unwatched(stands, lambda name=spec.name: asked.add(name))
    try:
        yield asked
    finally:
        for spec in others:
            if spec.name in before:
                home[spec.name] = before[spec.name]
            else:
                home.pop(spec.name, None)


def _missing(*_args: object, **_keywords: object) -> None:
    raise NameError("there is no answer of this name")


def not_followed(alone: Result, wrong: Sequence[tuple[Exercise, Result]]) -> Result:
    """Return the verdict where no right answer is available: it says which answer to fix first."""
    if not wrong or alone.status in ("not_attempted", "refused"):
        return alone
    names = " and ".join(f"{spec.name} ({spec.number})" for spec, _ in wrong)
    are, them, place = ("is", "it", "a right one in its place")
    if len(wrong) > 1:
        are, them, place = ("are", "them", "right ones in their places")
    sentence = (
        f"{names} {are} not right yet, and {alone.name} calls {them}, so the mistake may be there. When the sheet is "
        f"graded, {alone.name} is also called with {place}."
    )
    return replace(alone, hints=(sentence, *alone.hints))


def followed(alone: Result, then: Result, wrong: Sequence[tuple[Exercise, Result]]) -> Result:
    """Return the second verdict if it is not worse; ``wrong`` are the answers that right ones replaced."""
    if not wrong or then.points < alone.points or then.status in ("not_attempted", "refused"):
        return alone
    unwritten = all(result.status == "not_attempted" for _, result in wrong)
    names = " and ".join(f"{spec.name} ({spec.number})" for spec, _ in wrong)
    if len(wrong) == 1:
        spec = wrong[0][0]
        state = f"{spec.name} is {'not written yet' if unwritten else 'still wrong'} ({spec.number})"
        place = "a right one in its place"
    else:
        state = f"{names} are {'not written yet' if unwritten else 'still wrong'}"
        place = "right ones in their places"
    still = "still " if then.points == alone.points else ""
    sentence = f"{state}; with {place} this function {still}earns {then.points:g} of {then.max_points:g}."
    instead = tuple(spec.name for spec, _ in wrong)
    return replace(then, hints=(sentence, *then.hints), alone=alone.points, instead=instead)
