"""Every sheet crosses the sandbox: its solution, the sheet as it is handed out, and a notebook of wrong answers.

What each known answer is told is judged in process by `tests/chapters`; in the weekly run all of them cross, too.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from scipy import stats

from kcourse.checks import exercises, run
from kcourse.sheets.notebook import read_notebook
from kcourse_grader.marking.grade import grade_submission
from kcourse_grader.sandbox.sandbox import Limits
from kcourse_grader.submissions.inbox import Submission
from tests.chapter_choice import CHAPTERS
from tests.conftest import WEEKLY
from tests.grader.adversarial import traces
from tests.grader.adversarial.as_cells import as_cell
from tests.grader.adversarial.graded import LONG, SEED, same_inputs, waiting, words
from tests.grader.adversarial.sheets import Answer, answers, cells
from tests.grader.notebooks import ROOT, sheet_cells, submission
from tests.timeouts import scaled

QUICK = {"ch03_ridge", "ch06_svm", "ch09_rkhs"}
SHEETS = [pytest.param(sheet, marks=() if sheet in QUICK else pytest.mark.slow) for sheet in CHAPTERS]
# a third of what everybody is given; beside other workers, whose processor it shares, a cell takes twice its seconds
BRISK = replace(Limits(), **{name: scaled(getattr(Limits(), name) / 3) for name in ("cell", "call", "calls")})


def solved_briskly(sheet, sandbox):
    """The grade of a solved sheet, all of its cells, with little time; a busy machine gets a second chance."""
    notebook = read_notebook((ROOT / f"solutions/{sheet}_sheet.ipynb").read_bytes())
    student = Submission("solutions", f"{sheet}_sheet.ipynb", sheet, notebook)
    with waiting(sandbox, BRISK):
        grade = grade_submission(student, sandbox, SEED)
        return grade if not grade.doubt else grade_submission(student, sandbox, SEED)


@pytest.mark.parametrize("sheet", SHEETS)
def test_the_solution_is_right_and_in_good_time_and_the_sheet_is_worth_nothing(sheet, one_sandbox):
    solved = solved_briskly(sheet, one_sandbox)
    blank = grade_submission(submission(sheet_cells("exercises", sheet).values(), "blank", sheet), one_sandbox, SEED)
    assert not solved.review, solved.review + solved.notes  # no cell and no call took too long
    assert solved.score == solved.max_score == blank.max_score > 0 == blank.score
    assert {r["status"] for r in blank.results} == {"not_attempted"} and not solved.notes and not blank.review


def notebooks(sheet: str) -> list[list[Answer]]:
    """Of each notebook the known answers in it: one with a mistake in each exercise, or, every week, all of them."""
    known = list(answers(sheet))
    by_exercise = [[a for a in known if a.exercise == spec.name] for spec in exercises(sheet)]
    if WEEKLY:
        return [[answer for answer in row if answer] for row in itertools.zip_longest(*by_exercise)]
    return [[random.Random(row[0].exercise).choice([a for a in row if a.misconception]) for row in by_exercise]]


@pytest.mark.parametrize("sheet", SHEETS)
def test_each_answer_is_judged_as_in_the_notebook_and_touches_no_other(sheet, one_sandbox):
    wrong = []
    for given in notebooks(sheet):
        student = submission(cells(given), "mixed", sheet)
        with same_inputs(), waiting(one_sandbox, LONG):
            grade = grade_submission(student, one_sandbox, SEED)
        home: dict = {"__name__": "__main__"}
        for cell in cells(given):
            exec(cell, home)
        results, crossed = {r["name"]: r for r in grade.results}, {answer.exercise for answer in given}
        for answer in given:
            here, there = run(answer.exercise, home[answer.exercise], SEED), results[answer.exercise]
            same = (here.status, here.points, here.misconception) == (
                there["status"], there["points"], there["misconception"],
            )  # fmt: skip
            known = (answer.misconception, answer.right) == (
                there["misconception"], there["points"] == there["max_points"],
            )  # fmt: skip
            if not (same and known and answer.says in " ".join(there["hints"])):
                wrong.append((answer.exercise, answer.name, here, there))
        wrong += [(name, r["status"]) for name, r in results.items() if name not in crossed and r["status"] != "passed"]
        wrong += traces.told(words(grade), "\n".join(student.notebook.cells), SEED, [])
    assert wrong == []


def test_an_answer_may_use_what_a_library_made_once():
    """`scipy.stats.norm` is an object, no function and no class, and holds what cannot be typed."""
    known: dict = {}
    exec(as_cell("answer", lambda x: stats.norm.cdf(x) + NORM.pdf(x)), known)
    assert known["answer"](0.0) == 0.5 + NORM.pdf(0.0)


NORM = stats.norm
