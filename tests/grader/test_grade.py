"""From a notebook to points and words."""

from __future__ import annotations

import inspect
import json
import random
import sys
from dataclasses import asdict, replace

import numpy as np
import pytest

from kcourse.kernels import stationary
from kcourse.sheets.notebook import read_notebook
from kcourse_grader.marking.grade import VERSIONS, grade_submission, hidden_cases, seed_of
from kcourse_grader.submissions.inbox import Submission
from tests.grader.notebooks import ROOT, sheet_cells
from tests.grader.tiny import (
    BLANK,
    FORGOT,
    FULL,
    MINUS,
    POINTS,
    SHEET,
    SOLVED,
    solved,
    submission,
    tiny_sheet,  # noqa: F401 (a fixture)
)
from tests.rows import each


def grade(sandbox, cells, seed=5):
    return grade_submission(submission(cells), sandbox, seed)


def of(result, name):
    return next(r for r in result.results if r["name"] == name)


def test_the_solution_has_full_marks_and_the_sheet_as_it_is_handed_out_none(sandbox):
    for cells, score, status in ((SOLVED, FULL, "passed"), (BLANK, 0, "not_attempted")):
        result = grade(sandbox, cells.values())
        assert (result.score, result.max_score, result.status) == (score, FULL, "graded")
        assert {r["status"] for r in result.results} == {status} and result.notes == result.review == []


def test_half_a_sheet_has_its_half_a_mistake_its_name_and_one_property_its_points(one_sandbox):
    result = grade(one_sandbox, solved(shifted=BLANK["shifted"], ends=MINUS))
    assert of(result, "total")["points"] == POINTS["total"] and of(result, "total")["instead"] == ("shifted",)
    assert of(result, "shifted")["status"] == "not_attempted" and result.score == POINTS["total"] + 1
    ends = of(result, "ends")
    assert (ends["points"], ends["max_points"], ends["status"]) == (1, 3, "partial") and ends["hints"]
    for call in ("shifted(v, c=c)", "shifted(c=c, v=v)"):  # an earlier answer may be called with keywords
        later = f"def total(v, c):\n    return np.sum({call})\n"
        result = grade(one_sandbox, solved(shifted=FORGOT, total=later))
        assert of(result, "shifted")["misconception"] == "no c" and result.score == FULL - POINTS["shifted"]


def test_the_last_definition_wins_and_that_is_noted(one_sandbox):
    wrong = "def shifted(v, c):\n    return 0 * v\n"
    result = grade(one_sandbox, [*SOLVED.values(), wrong])
    assert of(result, "shifted")["points"] == 0 and any("2 times" in note for note in result.notes)
    again = [wrong + "needs_what_comes_later\n", *SOLVED.values(), "needs_what_comes_later = 1"]  # is tried again
    for cells in ([wrong, *SOLVED.values()], again):
        assert grade(one_sandbox, [SOLVED[""], *cells]).score == FULL


@pytest.mark.parametrize("end", ["__import__('os')._exit(1)", "__import__('os').kill(__import__('os').getpid(), 9)"])
def test_of_a_second_time_that_came_to_no_end_nothing_is_said(end, one_sandbox):
    later = f"def total(v, c):\n    if shifted(v, c)[0] != v[0]:\n        {end}\n    return 1.0\n"
    result = of(grade(one_sandbox, solved(shifted=FORGOT, total=later)), "total")
    assert result["points"] == 0 and result["instead"] == () and "in its place" not in " ".join(result["hints"])


def test_answers_to_another_sheet_are_seen_and_shown_to_the_instructor(one_sandbox):
    more = "def knn_regress(X, y, Xq, k):\n    return y\n\ndef parzen_density(X, Xq, sigma):\n    return y\n"
    result = grade(one_sandbox, [*SOLVED.values(), more])
    assert result.score == FULL and result.review == ["also answers ch01_neighbors, which was not graded"]
    assert "knn_regress, parzen_density of ch01_neighbors" in result.notes[0]
    assert grade(one_sandbox, [*SOLVED.values(), more.partition("\n\n")[0]]).review == []  # may be a helper


@each(("answer", "python", "what"), [
    ("def shifted(v, c):\n    return v + c * np.trapz([1.0, 1.0])\n", "", "np.trapz"),
    ("type Number = float\ndef shifted(v, c):\n    return v + c\n", "99.0.1", "a syntax error"),
])  # fmt: skip
def test_what_may_be_right_in_another_version_is_listed(answer, python, what, one_sandbox):
    if what == "np.trapz" and hasattr(np, "trapz") or what != "np.trapz" and sys.version_info >= (3, 12):
        pytest.skip("it is right here")
    handed_in = submission(solved(shifted=answer))
    handed_in.notebook = replace(handed_in.notebook, python=python)
    result = grade_submission(handed_in, one_sandbox, 5)
    assert [line for line in result.review if line.startswith(what) and VERSIONS in line and python in line]


def test_an_answer_in_a_text_cell_is_listed(one_sandbox):
    cells = [{"cell_type": "code", "source": c} for name, c in SOLVED.items() if name != "shifted"]
    cells.append({"cell_type": "markdown", "source": SOLVED["shifted"]})
    notebook = read_notebook(json.dumps({"cells": cells}).encode())
    result = grade_submission(Submission("ada", "ada.ipynb", SHEET, notebook), one_sandbox, 5)
    assert [line for line in (*result.review, *result.notes) if line.startswith("shifted is in a text cell")]
    assert of(result, "shifted")["status"] == "not_attempted" and len(result.review) == 1


@pytest.mark.parametrize("seed", [0, 1])
def test_shuffled_cells(one_sandbox, seed):
    cells = [*SOLVED.values(), "fitted = shifted(np.ones(2), 0.5)"]
    random.Random(seed).shuffle(cells)
    assert grade(one_sandbox, cells).score == FULL


def test_the_same_seed_gives_the_same_grade(one_sandbox):
    cells = solved(
        "order = list({'a', 'b', 'c', 'd'})",
        total="def total(v, c):\n    return float(order.index('a'))\n",
        ends="def ends(v):\n    return np.mean(v), np.max(v)\n",
    )
    first, second = (asdict(grade(one_sandbox, cells)) | {"seconds": 0} for _ in range(2))
    assert first == second


def test_an_answer_that_judging_chokes_on_costs_itself(one_sandbox, monkeypatch):
    import kcourse_grader.marking.grade as module

    real = module.judge

    def choke(spec, *args, **kwargs):
        if spec.name == "shifted":
            raise RuntimeError
        return real(spec, *args, **kwargs)

    monkeypatch.setattr(module, "judge", choke)
    result = grade(one_sandbox, SOLVED.values())
    assert result.status == "graded" and result.score == FULL - POINTS["shifted"] and result.review


@pytest.mark.parametrize(
    ("file", "status"), [("a.ipynb", "unreadable"), ("a.pdf", "missing")], ids=["unreadable", "missing"]
)
def test_without_a_notebook_there_is_a_grade_too(file, status):
    result = grade_submission(Submission("a", file, SHEET, None, "the file is empty"), None, 0)
    assert (result.status, result.score, result.max_score) == (status, 0, FULL)
    assert "empty" in result.notes[0] and result.review


def test_each_submission_has_inputs_of_its_own_and_keeps_them(one_sandbox):
    one, other = (submission([*SOLVED.values(), f"i = {i}"]).notebook.digest for i in range(2))
    assert seed_of(one, 5) == seed_of(one, 5) and len({seed_of(one, 5), seed_of(other, 5), seed_of(one, 6)}) == 3
    first, second = (hidden_cases("shifted", seed_of(digest, 5))[0].args[0] for digest in (one, other))
    assert first.shape != second.shape or not (first == second).all()


def test_a_stub_is_not_attempted_however_little_time_was_left(one_sandbox):
    cells = ["while True: pass", "while True: pass", *(SOLVED | {"shifted": BLANK["shifted"]}).values()]
    result = of(grade(one_sandbox, cells), "shifted")
    assert result["status"] == "not_attempted" and "took too long" not in result["hints"][0]


@pytest.mark.parametrize("how", ["lost", "crowded"])
def test_a_lost_sandbox_gives_no_grade(one_sandbox, monkeypatch, how):
    died = {"failure": {"kind": "ProcessDied", "waited": True}}
    lost = {"lost": how == "lost", "cells": [], "outcomes": [died, {"failure": {"kind": "NotCalled"}}], "problems": {}}
    monkeypatch.setattr(type(one_sandbox), "run", lambda *_, **__: lost)
    result = grade(one_sandbox, SOLVED.values())
    assert (result.status, result.doubt, result.score) == ("error", "lost", 0) and result.review


KERNELS = "ch02_kernels"  # where answers replace the library's kernels
USES_THEM = {
    "in a thread": "    from concurrent.futures import ThreadPoolExecutor\n    with ThreadPoolExecutor(1) as pool:\n"
    "        return pool.submit(Gaussian(sigma), X, Z).result()\n",
    "later": "    class Later:\n"
    "        def __array__(self, *_, **__): return Gaussian(sigma)(X, Z)\n    return Later()\n",
    "as a second thought": "    try: return Gaussian(sigma)(X, Z) + 0\n    except Exception: return np.ones((1, 1))\n",
}


@pytest.mark.parametrize("body", USES_THEM.values(), ids=USES_THEM)
def test_what_an_exercise_replaces_cannot_be_used_for_it(one_sandbox, body):
    answer = f"from kcourse.kernels import Gaussian\ndef gaussian_gram(X, Z, sigma):\n{body}"
    cells = (sheet_cells("solutions", KERNELS) | {"gaussian_gram": answer}).values()
    result = grade_submission(submission(cells, sheet=KERNELS), one_sandbox, 5)
    assert [r["name"] for r in result.results if r["points"] < r["max_points"]] == ["gaussian_gram"]
    assert of(result, "gaussian_gram")["points"] == 0


def test_lines_of_what_an_exercise_replaces_are_seen(one_sandbox):
    lines = inspect.getsource(stationary.Gaussian).splitlines()
    cells = sheet_cells("solutions", KERNELS)
    for also, review in (("", []), ("\n".join(lines[-25:]), ["it contains lines of a library"])):
        result = grade_submission(submission([*cells.values(), also], sheet=KERNELS), one_sandbox, 5)
        assert [said[: len(review[0])] for said in result.review] == review


@pytest.mark.parametrize("kind", ["exercises", "solutions"])
def test_what_the_sheet_itself_shows_is_no_failure_of_the_student(one_sandbox, kind):
    notebook = read_notebook((ROOT / kind / f"{KERNELS}_sheet.ipynb").read_bytes())
    result = grade_submission(Submission("ada", "ada.ipynb", KERNELS, notebook), one_sandbox, 5)
    assert result.notes == []


@each(("code", "words"), [
    ("def total(v):\n    return 1\n", "too many positional arguments"),
    ("def total(c, v):\n    return 1\n", "another order"),
    ("total = 3\n", "not a function; it has the type int"),
    ("del total\n", "defines no function total"),
    ("from sklearn.kernel_ridge import KernelRidge\ndef total(v, c):\n"
     "    return KernelRidge(alpha=c).fit(v[:, None], v).dual_coef_\n", "scikit-learn"),
    ("from kcourse.ridge import KernelRidge\ndef total(v, c):\n    return KernelRidge(c).fit(v, v)\n", "kcourse"),
])  # fmt: skip
def test_what_cannot_be_called_is_explained_and_the_library_is_refused(one_sandbox, code, words):
    grades = grade(one_sandbox, solved(total=SOLVED["total"] + "\n" + code))
    result = of(grades, "total")
    assert result["points"] == 0 and words in result["hints"][0]
    assert (result["status"] == "refused") is ("import" in code) is bool(grades.review)


def test_a_function_that_takes_all_its_time_costs_the_others_none(one_sandbox):
    endless = "def ends(v):\n    while True: pass\n"
    result = grade(one_sandbox, ["import ctypes", *solved(ends=endless)])
    assert {r["name"] for r in result.results if r["points"] < r["max_points"]} == {"ends"}
    assert result.doubt and "ends took too long" in result.review
    assert any("ctypes" in said for said in result.review)  # what no answer needs is shown to the instructor
