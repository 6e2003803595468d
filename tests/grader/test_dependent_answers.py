"""A mistake costs its own exercise: who calls an answer that is blank, wrong, raises or is refused keeps all points."""

from __future__ import annotations

import functools
import re
import sys

import pytest

from kcourse.checks import exercises, run
from kcourse.execution.calls import names_within_reach
from kcourse_grader.marking.grade import grade_submission
from tests.chapter_choice import CHAPTERS
from tests.chapters.tables import Table
from tests.conftest import WEEKLY
from tests.grader.adversarial.as_cells import as_cell
from tests.grader.adversarial.graded import LONG, SEED, same_inputs, waiting
from tests.grader.notebooks import sheet_cells, submission

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


def sets() -> dict[str, tuple[str, frozenset[str]]]:
    """Each answer that others of its sheet call, and all of them of a sheet at once: chapter and names."""
    found = {}
    for chapter in CHAPTERS:
        called = sorted(set().union(*calls(chapter).values()))
        found |= {name: (chapter, frozenset([name])) for name in called}
        found |= {f"{chapter}-all": (chapter, frozenset(called))} if len(called) > 1 else {}
    return found


def spoilt(chapter: str, names: frozenset[str], way: str) -> dict[str, str]:
    """The solution, in which these answers are blank, wrong or raise."""
    cells, typed = answers(chapter), Table(chapter).MISTAKES
    for spec in (spec for spec in exercises(chapter) if spec.name in names):
        mistake = next(mistake for mistake in spec.misconceptions if mistake.wrong is not None)
        cells[spec.name] = f"def {spec.signature}:\n    {BODIES.get(way)}\n"
        if way == "wrong":
            cells[spec.name] = as_cell(spec.name, typed.get((spec.name, mistake.name), mistake.wrong), {})
    return cells


SETS = sets()
QUICK = {"krr_fit": WAYS, "smo_pair": ("wrong",), "ch02_kernels-all": ("raises",)}
ROWS = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in SETS]


def ways(name: str) -> tuple[str, ...]:
    """All ways of one answer, one way of each other; every week all of them."""
    return QUICK.get(name) or (WAYS if WEEKLY else (WAYS[sum(name.encode()) % len(WAYS)],))


# where texts are cut and counted, a verdict takes seconds
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if SETS[name][0] == "ch09_rkhs" else ()) for name in SETS]
)
def test_in_the_notebook(name):
    chapter, names = SETS[name]
    faults = []
    for way in ways(name):
        known = names_of(spoilt(chapter, names, way))
        for spec in exercises(chapter):
            if spec.name not in names and calls(chapter)[spec.name] & names:
                result = run(spec.name, known[spec.name], SEED)
                if (result.status, result.points) != ("passed", spec.points):
                    faults.append((way, spec.name, result.messages))
    assert faults == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the sandbox needs Linux")
@pytest.mark.parametrize("name", ROWS)
def test_in_the_grader(name, one_sandbox):
    chapter, names = SETS[name]
    faults = []
    for way in ways(name):
        with same_inputs(), waiting(one_sandbox, LONG):
            student = submission(spoilt(chapter, names, way).values(), "spoilt", chapter)
            grade = grade_submission(student, one_sandbox, SEED)
        for spec, result in zip(exercises(chapter), grade.results, strict=True):
            full = (result["status"], result["points"]) == ("passed", spec.points)
            spoils = spec.name in names and not calls(chapter)[spec.name] & names
            if full is (spec.name in names) and (spoils or spec.name not in names):
                faults.append((way, spec.name, result["points"], result["hints"]))
    assert faults == []
