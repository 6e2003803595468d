"""Every misconception, every further wrong answer and every alternative right answer of every sheet, as notebooks.

And the other way round: nothing is checked or said that none of them calls for.
"""

from __future__ import annotations

import functools
import re
from dataclasses import replace

import pytest

from kcourse.checks import CHAPTERS, exercises
from kcourse.grading.grade import grade_submission
from kcourse.grading.intake.inbox import Submission
from kcourse.grading.intake.notebook import read_notebook
from kcourse.grading.walls.sandbox import Limits
from tests.grading.making import ROOT, sheet_cells, submission
from tests.machine import patient
from tests.zoo import sentences, watch
from tests.zoo.keeper import MEMBERS, PATIENT, SEED, same_inputs, waiting, words
from tests.zoo.sheets import answers, cells, without_tables

ANSWERS = answers()
NOTEBOOKS = {name: [a for a in ANSWERS if a.notebook == name] for name in dict.fromkeys(a.notebook for a in ANSWERS)}
IDS = [re.sub(r"\W+", "-", f"{a.notebook} {a.exercise} {a.name}", flags=re.ASCII) for a in ANSWERS]


@pytest.fixture(scope="module")
def grade(one_sandbox):
    """The grade of a notebook, made once."""

    @functools.cache
    def graded(name):
        student = submission(cells(NOTEBOOKS[name]), name, NOTEBOOKS[name][0].sheet)
        with same_inputs(), waiting(one_sandbox, PATIENT):
            return student, grade_submission(student, one_sandbox, SEED)

    return graded


@pytest.mark.parametrize("answer", ANSWERS, ids=IDS)
def test_each_answer_gets_its_points_and_its_words(answer, grade):
    _, graded = grade(answer.notebook)
    results = {r["name"]: r for r in graded.results}
    result = results[answer.exercise]
    said = " ".join(result["hints"])
    if answer.right:
        assert (result["status"], result["points"]) == ("passed", result["max_points"]), said
    else:
        assert result["points"] < result["max_points"] and result["misconception"] == answer.misconception, said
        assert answer.says in said and (result["step"] or "raised" in said or result["status"] == "refused")
    if answer.alone is not None:
        assert [p["points"] > 0 for p in result["properties"]] == [
            i != answer.alone for i in range(len(result["properties"]))
        ]
    others = results.keys() - {other.exercise for other in NOTEBOOKS[answer.notebook]}
    assert all(results[name]["status"] == "passed" for name in others)  # the solution's own


# a fifth of what everybody is given; beside other workers, whose processor it shares, a cell takes twice its seconds
BRISK = replace(Limits(), **{name: patient(getattr(Limits(), name) / 5) for name in ("cell", "call", "calls")})


def solved_briskly(sheet, sandbox):
    """The grade of a solved sheet, all of its cells, with little time; a busy machine gets a second chance."""
    notebook = read_notebook((ROOT / f"solutions/{sheet}_sheet.ipynb").read_bytes())
    student = Submission("solutions", f"{sheet}_sheet.ipynb", sheet, notebook)
    with waiting(sandbox, BRISK):
        grade = grade_submission(student, sandbox, SEED)
        return grade if not grade.doubt else grade_submission(student, sandbox, SEED)


@pytest.mark.parametrize("sheet", CHAPTERS)
def test_the_solution_is_right_and_in_good_time_and_the_sheet_is_worth_nothing(sheet, one_sandbox):
    solved = solved_briskly(sheet, one_sandbox)
    blank = grade_submission(submission(sheet_cells("exercises", sheet).values(), "blank", sheet), one_sandbox, SEED)
    assert not solved.review, solved.review + solved.notes  # no cell and no call took too long
    assert solved.score == solved.max_score == blank.max_score > 0 == blank.score
    assert {r["status"] for r in blank.results} == {"not_attempted"} and not solved.notes and not blank.review


# ---------------------------------------------------------------- nothing without a member


def test_every_sheet_has_its_tables():
    assert without_tables() == [], "write these tables beside those of the other sheets"


@pytest.mark.parametrize("spec", exercises(), ids=lambda spec: spec.name)
def test_each_property_is_failed_by_somebody(spec, grade):
    """By an answer to this exercise that gives values; from the second on by one that has all the others."""
    failed, alone = set(), set()
    for answer in ANSWERS:
        if answer.exercise == spec.name and not answer.right:
            [result] = [r for r in grade(answer.notebook)[1].results if r["name"] == spec.name]
            missed = [i for i, p in enumerate(result["properties"]) if p["points"] == 0]
            failed |= set(missed)
            alone |= set(missed) if len(missed) == 1 else set()
    every = set(range(len(spec.properties)))
    assert failed == every, [spec.properties[i].says for i in every - failed]
    assert alone | {0} == every, [spec.properties[i].says for i in every - alone]


@pytest.mark.parametrize("spec", exercises(), ids=lambda spec: spec.name)
def test_each_misconception_is_named_for_somebody(spec, grade):
    results = [r for a in ANSWERS if a.exercise == spec.name for r in grade(a.notebook)[1].results]
    named = {r["misconception"] for r in results if r["name"] == spec.name}
    assert {slip.name for slip in spec.misconceptions} <= named


def test_each_observation_and_hint_is_told_somebody(grade):
    said = "\n".join(words(grade(name)[1]) for name in NOTEBOOKS)
    texts = {(s.name, o.says) for s in exercises() for o in s.observations}
    texts |= {(s.name, p.hint) for s in exercises() for p in s.properties if p.hint}
    assert {(name, text) for name, text in texts if text not in said} == set()


# those who are told what no answer of the sheets' tables is told: they fail, or return odd things
_TELLING = {
    "as it was handed out", "needs a helper that is not written", "exits", "loop", "leaves", "complex", "dict",
    "imports scikit-learn", "changes its arguments", "right the first time", "wrong in the middle", "large answer",
}  # fmt: skip


def test_each_sentence_of_the_judge_is_said_to_somebody(grade, keeper, one_sandbox):
    said = [words(grade(name)[1]) for name in NOTEBOOKS]
    members = [m for m in MEMBERS if m.name in _TELLING]
    assert {m.name for m in members} == _TELLING
    said += [words(keeper.grade(member, one_sandbox)) for member in members]
    assert sentences.unsaid(sentences.OF_THE_JUDGE, "\n".join(said)) == []


def test_nothing_is_told(grade):
    for name in NOTEBOOKS:
        student, graded = grade(name)
        assert watch.told(words(graded), "\n".join(student.notebook.cells), SEED, []) == [], name
