"""A slip costs its own exercise: who calls an answer that is blank, wrong, raises or is refused keeps all points."""

from __future__ import annotations

import functools
import re
import sys

import pytest

from kcourse.checks import CHAPTERS, exercises, run
from kcourse.grading.grade import grade_submission
from kcourse.sandboxed.calls import names_within_reach
from tests.chapters.tables import Table
from tests.grading.making import sheet_cells, submission
from tests.zoo.keeper import PATIENT, SEED, same_inputs, waiting
from tests.zoo.written import as_cell

WAYS = ("blank", "wrong", "raises", "refused")
BODIES = {
    "blank": "raise NotImplementedError",
    "raises": "raise ValueError('no')",
    "refused": "from sklearn.metrics.pairwise import rbf_kernel; return rbf_kernel([[1.0, 2.0]], [[1.0, 2.0]])",
}


def answers(chapter: str) -> dict[str, str]:
    """The cells of a solved sheet that define something, and that of its imports."""
    return {
        name: cell for name, cell in sheet_cells("solutions", chapter).items() if re.match("def |import|from", cell)
    }


def names_of(cells: dict[str, str]) -> dict[str, object]:
    """What a notebook of these cells knows."""
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in cells.values():
        exec(cell, names)
    return names


@functools.cache
def calls(chapter: str) -> dict[str, set[str]]:
    """Which answers of a sheet's solution call which, by their code."""
    names, sheet = names_of(answers(chapter)), [spec.name for spec in exercises(chapter)]
    return {name: names_within_reach(names[name]) & set(sheet) - {name} for name in sheet}


def sets() -> list[tuple[str, frozenset[str]]]:
    """For each sheet each of the answers that others call, and all of them at once."""
    found = []
    for chapter in CHAPTERS:
        called = sorted(set().union(*calls(chapter).values()))
        each = [frozenset([name]) for name in called]
        found += [(chapter, names) for names in dict.fromkeys([*each, frozenset(called)]) if names]
    return found


def spoilt(chapter: str, names: frozenset[str], way: str) -> dict[str, str]:
    """The solution, in which these answers are blank, wrong or raise."""
    cells, typed = answers(chapter), Table(chapter).TYPED
    for spec in (spec for spec in exercises(chapter) if spec.name in names):
        slip = next(slip for slip in spec.misconceptions if slip.wrong is not None)
        cells[spec.name] = f"def {spec.signature}:\n    {BODIES.get(way)}\n"
        if way == "wrong":
            cells[spec.name] = as_cell(spec.name, typed.get((spec.name, slip.name), slip.wrong), {})
    return cells


ROWS = [(chapter, names, way) for chapter, names in sets() for way in WAYS]
IDS = [f"{chapter}-{'-'.join(sorted(names))}-{way}" for chapter, names, way in ROWS]


def test_there_are_some():
    assert len(ROWS) > 40


@pytest.mark.parametrize(("chapter", "names", "way"), ROWS, ids=IDS)
def test_in_the_notebook(chapter, names, way):
    known = names_of(spoilt(chapter, names, way))
    for spec in exercises(chapter):
        if spec.name not in names and calls(chapter)[spec.name] & names:
            result = run(spec.name, known[spec.name], SEED)
            assert (result.status, result.points) == ("passed", spec.points), result.messages


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
@pytest.mark.parametrize(("chapter", "names", "way"), ROWS, ids=IDS)
def test_in_the_grader(chapter, names, way, one_sandbox):
    with same_inputs(), waiting(one_sandbox, PATIENT):
        student = submission(spoilt(chapter, names, way).values(), "spoilt", chapter)
        grade = grade_submission(student, one_sandbox, SEED)
    for spec, result in zip(exercises(chapter), grade.results, strict=True):
        if spec.name not in names:
            assert (result["status"], result["points"]) == ("passed", spec.points), (spec.name, result["hints"])
        elif not calls(chapter)[spec.name] & names:
            assert result["points"] < spec.points
