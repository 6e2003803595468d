"""A sheet of the tests' own: no change of a chapter reaches the points, counts and sentences that they assert.

It lies in no chapter's folder, so ``kcourse grade`` does not know it; `tiny_sheet` shows it to the tests' process.
Programs that tests start are given chapter 3, with numbers computed from its specs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

import kcourse.sheets.self_check  # noqa: F401
import kcourse_grader.folder  # noqa: F401 (all that hold the chapters are here before one is added)
from kcourse import checks
from kcourse.checks.spec import Exercise, Misconception, Property
from kcourse_grader.submissions.inbox import Submission
from tests.grader import notebooks

SHEET, TITLE = "ch98_tiny", "Chapter 98: tiny"
USE = "import numpy as np\n"


def shifted(v, c):
    """v + c."""
    return v + c


def total(v, c):
    """The sum of v + c."""
    return float(np.sum(v + c))


def ends(v):
    """The least and the largest."""
    return np.array([v.min(), v.max()])


def _vectors(rng: np.random.Generator) -> list[tuple]:
    return [(rng.normal(size=n), float(rng.uniform(2.0, 3.0))) for n in (4, 6)]


SHIFTED = Exercise(
    name="shifted", chapter=SHEET, number="98.1", returns="v + c, shape (n,)", reference=shifted,
    properties=(
        Property("adds c to each entry", 3, _vectors),
        Property("works for a single entry", 1, lambda r: [(r.normal(size=1), 2.5)], hint="Wrong for a single entry."),
    ),
    misconceptions=(
        Misconception("no c", lambda v, c: v, "You forgot c.", "Read again.", USE + "print(shifted(np.ones(2), 1))"),
        Misconception("minus c", lambda v, c: v - c, "You subtract c.", "Read again.", USE + "print(shifted(0, 2))"),
    ),
    step="Read again.", experiment=USE + "print(shifted(np.ones(2), 3))", sizes=lambda v, c: {"n": len(v)},
)  # fmt: skip

TOTAL = Exercise(
    name="total", chapter=SHEET, number="98.2", returns="the sum of v + c, one number", reference=total,
    properties=(Property("adds up what was shifted", 3, _vectors),),
    misconceptions=(
        Misconception("not summed", lambda v, c: v + c, "Add up.", "Read again.", USE + "print(total(np.ones(2), 1))"),
    ),
    step="Read again.", experiment=USE + "print(total(np.ones(2), 3))", sizes=lambda v, c: {"n": len(v)},
)  # fmt: skip

ENDS = Exercise(
    name="ends", chapter=SHEET, number="98.3", returns="two numbers, `return least, largest`", reference=ends,
    properties=(
        Property("finds the least and the largest", 2, lambda r: [(v,) for v, _ in _vectors(r)]),
        Property("is 0, 0 where all are 0", 1, lambda r: [(np.zeros(5),)], hint="Wrong for 0.", scale=lambda v: 1.0),
    ),
    misconceptions=(
        Misconception("exchanged", lambda v: ends(v)[::-1], "Exchanged.", "Read again.", "print(ends([1]))"),
    ),
    step="Read again.", experiment=USE + "print(ends(np.arange(3.0)))", sizes=lambda v: {"n": len(v)},
    parts=("least", "largest"),
)  # fmt: skip

EXERCISES = (SHIFTED, TOTAL, ENDS)
NAMES, POINTS = ["shifted", "total", "ends"], {"shifted": 4, "total": 3, "ends": 3}
FULL = 10

SOLVED = {
    "": USE,
    "shifted": "def shifted(v, c):\n    return v + c  # each entry\n",
    "total": "def total(v, c):\n    return np.sum(shifted(v, c))\n",  # calls the earlier one
    "ends": "def ends(v):\n    return np.min(v), np.max(v)\n",
}
BLANK = {"": USE} | {spec.name: f"def {spec.signature}:\n    raise NotImplementedError\n" for spec in EXERCISES}
# answers that are told something
FORGOT = "def shifted(v, c):\n    return v\n"  # which mistake it was: "no c"
MINUS = "def ends(v):\n    return -np.min(v), -np.max(v)\n"  # right where all are 0, so partly right


def submission(cells: Iterable[str], student: str = "ada", sheet: str = SHEET) -> Submission:
    """What `collect` would make of it."""
    return notebooks.submission(cells, student, sheet)


def solved(before: str = "", **changed: str) -> list[str]:
    """The solution's cells, some answers changed, one cell in front."""
    return [*([before] if before else []), *(SOLVED | changed).values()]


@pytest.fixture(scope="module", autouse=True)
def tiny_sheet() -> Iterator[None]:
    """In a module that imports this, the grader takes the tiny sheet for one of the course's."""
    of_the_course = checks.CHAPTERS
    holders = [module for name, module in sys.modules.items() if name.startswith(("kcourse.", "kcourse_grader."))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, f"kcourse.chapters.{SHEET}.marks", sys.modules[__name__])
        for module in holders:
            if vars(module).get("CHAPTERS") is of_the_course:
                patch.setattr(module, "CHAPTERS", (*of_the_course, SHEET))
        yield
