"""Every sheet's known answers as notebooks: the solution with its answers replaced by wrong ones, or other right ones.

The tables are those of the chapter's other tests (`tests.chapters.tables`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from kcourse.checks import CHAPTERS, exercises
from tests.chapters.tables import Table
from tests.grading.making import sheet_cells
from tests.zoo.members import token
from tests.zoo.written import as_cell

TABLES = ("WRONG", "RIGHT", "RAISING", "ONLY", "TYPED")
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
    """An answer to one exercise.

    ``misconception`` and ``says`` are what its author must be told, if it is wrong: None and "" if that may be
    anything; ``alone`` is the property that it fails, if no other. Answers with the same ``number``, one to each
    exercise, share a notebook: what one of them does, or how it fails, must not reach the others.
    """

    sheet: str
    exercise: str
    name: str
    function: Callable
    right: bool = False
    misconception: str | None = None
    says: str = ""
    alone: int | None = None
    number: int = 0

    @property
    def notebook(self) -> str:
        """The name of the notebook that it is in."""
        return f"{self.sheet} {self.number}"


def cells(answers: list[Answer]) -> list[str]:
    """The cells of a notebook: the sheet's solution, and these answers for its own."""
    sheet = answers[0].sheet
    known = {spec.reference: f"right[{spec.name!r}]" for spec in exercises(sheet)}
    replaced = [as_cell(answer.exercise, answer.function, known) for answer in answers]
    return [*sheet_cells("solutions", sheet).values(), _KEEP, *replaced, f"# {token(answers[0].notebook)}"]


def without_tables() -> list[str]:
    """The tables that are missing, by sheet."""
    missing = []
    for sheet in CHAPTERS:
        for name in TABLES:
            try:
                getattr(Table(sheet), name)
            except (ImportError, AttributeError) as error:
                missing.append(f"{sheet}: {error}")
    return missing


def answers() -> list[Answer]:
    """Those of every sheet that has tables."""
    lacking = {line.partition(":")[0] for line in without_tables()}
    found, count = [], Counter()
    for answer in (answer for sheet in CHAPTERS if sheet not in lacking for answer in _answers(sheet)):
        found.append(replace(answer, number=count[answer.exercise]))
        count[answer.exercise] += 1
    return found


def _answers(sheet: str) -> Iterator[Answer]:
    table = Table(sheet)
    raising, only, typed = table.RAISING, table.ONLY, table.TYPED
    for spec in exercises(sheet):
        for slip in spec.misconceptions:
            by_hand = typed.get((spec.name, slip.name), slip.wrong)  # a slip that WRONG has is typed there
            ways = [by_hand] if by_hand else raising.get(slip.name, (spec.name, []))[1]
            for i, function in enumerate(ways):
                name = slip.name + (f" {i + 1}" if i else "")
                yield Answer(sheet, spec.name, name, function, misconception=slip.name, says=slip.hint)
        for i in range(len(spec.properties)):
            if (spec.name, i) in only:
                yield Answer(sheet, spec.name, f"only {i}", only[spec.name, i], says=spec.properties[i].hint, alone=i)
    for wrong in table.WRONG:
        yield Answer(sheet, wrong.exercise, wrong.function.__name__, wrong.function, False, wrong.name, wrong.says)
    count: Counter[str] = Counter()
    for exercise, function in table.RIGHT:
        count[exercise] += 1
        name = f"{getattr(function, '__name__', 'right')} {count[exercise]}"
        yield Answer(sheet, exercise, name, function, right=True)
