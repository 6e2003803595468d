"""Every sheet's known answers, and notebooks of them: the solution with some of its answers replaced.

The tables are those of the chapter's other tests (`tests.chapters.tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kcourse.checks import exercises
from tests.chapter_choice import CHAPTERS
from tests.chapters.tables import Table
from tests.grader.adversarial.as_cells import as_cell
from tests.grader.notebooks import sheet_cells

# the solution's answers keep the helpers they were written with, so that one wrong answer does not spoil another
_KEEP = """import types
right = dict(globals())
for name, f in list(right.items()):
    if isinstance(f, types.FunctionType) and f.__globals__ is globals():
        right[name] = types.FunctionType(f.__code__, right, name, f.__defaults__, f.__closure__)
globals().update(right)
"""


@dataclass(frozen=True)
class Answer:
    """An answer to one exercise; a wrong one must be told ``says``, and ``misconception`` must be named."""

    sheet: str
    exercise: str
    name: str
    function: Callable
    right: bool = False
    misconception: str | None = None
    says: str = ""


def cells(answers: list[Answer]) -> list[str]:
    """The cells of a notebook: the sheet's solution, and these answers, one to an exercise, for its own."""
    sheet = answers[0].sheet
    known = {spec.reference: f"right[{spec.name!r}]" for spec in exercises(sheet)}
    replaced = [as_cell(answer.exercise, answer.function, known) for answer in answers]
    return [*sheet_cells("solutions", sheet).values(), _KEEP, *replaced]


def answers(*sheets: str) -> Iterator[Answer]:
    """Those of these sheets, or of all, by exercise."""
    for sheet in sheets or CHAPTERS:
        table = Table(sheet)
        for spec in exercises(sheet):
            typed = {wrong.name for wrong in table.WRONG if wrong.exercise == spec.name}
            for mistake in spec.misconceptions:
                by_hand = table.MISTAKES.get((spec.name, mistake.name))
                if mistake.wrong and not by_hand and mistake.name in typed:
                    continue  # it is among the WRONG ones below
                by_hand = by_hand or mistake.wrong
                ways = [by_hand] if by_hand else table.RAISING.get(mistake.name, (spec.name, []))[1]
                for i, function in enumerate(ways):
                    name = mistake.name + (f" {i + 1}" if i else "")
                    yield Answer(sheet, spec.name, name, function, misconception=mistake.name, says=mistake.hint)
            for i, p in enumerate(spec.properties):
                if function := table.ONLY.get((spec.name, i)):
                    yield Answer(sheet, spec.name, f"only {i}", function, says=p.hint)
            for wrong in table.WRONG:
                if wrong.exercise == spec.name:
                    name = wrong.function.__name__
                    yield Answer(sheet, spec.name, name, wrong.function, misconception=wrong.name)
            rights = [function for exercise, function in table.RIGHT if exercise == spec.name]
            for i, function in enumerate(rights):
                name = f"{getattr(function, '__name__', 'right')} {i + 1}"
                yield Answer(sheet, spec.name, name, function, right=True)
