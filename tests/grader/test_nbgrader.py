"""The sheets in a course of nbgrader, set up by the commands and the file that docs/grading.md gives instructors."""

from __future__ import annotations

import copy
import csv
import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path

import matplotlib
import pytest

from kcourse.checks import CHAPTERS, exercises, run
from tests.conftest import WEEKLY
from tests.grader.conftest import TIERS
from tests.grader.notebooks import ROOT, SHEET
from tests.timeouts import scaled
from tools.freshness import PLACE

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="the documented commands are those of a Unix shell"),
]

SPECS = {spec.name: spec for spec in exercises(SHEET)}
FULL = sum(spec.points for spec in SPECS.values())
SHEETS = CHAPTERS if WEEKLY else (SHEET,)
ROWS = [pytest.param(sheet, marks=() if sheet == SHEET else pytest.mark.weekly) for sheet in CHAPTERS]
RIGHT_HALF = ("krr_fit", "krr_fit_predict", "ridge_dual_w")
# to three digits, so partly right
NEARLY_THE_NORM = "def rkhs_norm2(K, alpha):\n    return 1.0005 * (alpha @ K @ alpha)\n"
READS = """\
import json
with open("../../../source/{0}/{0}_sheet.ipynb") as file:
    for cell in json.load(file)["cells"]:
        if "SOLUTION" in "".join(cell["source"]):
            exec("".join(cell["source"]))
"""


def documented_commands() -> list[str]:
    """The shell's part of the section about nbgrader: set up, grade, grade in the sandbox."""
    text = (ROOT / "docs" / "grading.md").read_text(encoding="utf-8")
    section = text.partition("\n## Use nbgrader\n")[2].partition("\n## ")[0]
    return re.findall(r"^```sh\n(.*?)^```", section, flags=re.DOTALL | re.MULTILINE)


SET_UP, GRADE, GRADE_IN_SANDBOX = documented_commands()


def notebook(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def answers(sheet: str) -> dict[str, str]:
    """The right ones, by the cell they belong in, without the markers around them."""
    cells = {cell["id"]: cell["source"] for cell in notebook(ROOT / "solutions" / f"{sheet}_sheet.ipynb")["cells"]}
    return {s.name: "".join(line for line in cells[s.name] if " SOLUTION" not in line) for s in exercises(sheet)}


class Course:
    """A home folder with the clone and a course of nbgrader in it; nothing of this user's settings is seen there."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder = home, home / "kernels"
        (home / "kcourse").symlink_to(ROOT)
        (home / "tmp").mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "XDG"))}
        self.environment = kept | {
            "HOME": str(home),
            "TMPDIR": str(home / "tmp"),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "JUPYTER_NO_CONFIG": "1",  # nor of this machine's
            "JUPYTER_PREFER_ENV_PATH": "1",  # this environment's kernel
            "MPLCONFIGDIR": matplotlib.get_cachedir(),  # a new home would make every kernel look for fonts
            "OPENBLAS_NUM_THREADS": "1",
        }
        if self.environment.pop("PYTHONDONTWRITEBYTECODE", None):  # every command would compile nbgrader again
            self.environment["PYTHONPYCACHEPREFIX"] = str(home / "pycache")

    def shell(self, commands: str) -> str:
        """What the commands print; the first that fails ends them, and the test."""
        done = subprocess.run(["sh", "-eu", "-c", commands], cwd=self.home, env=self.environment, timeout=scaled(300),
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout

    def release(self, sheet: str) -> dict:
        return notebook(self.folder / "release" / sheet / f"{sheet}_sheet.ipynb")

    def hand_in(self, student: str, sheet: str, changed: Mapping[str, str], without: tuple[str, ...] = ()) -> None:
        """The released sheet, some cells written by the student and some deleted."""
        sheet_file = copy.deepcopy(self.release(sheet))
        sheet_file["cells"] = [cell for cell in sheet_file["cells"] if cell["id"] not in without]
        for cell in sheet_file["cells"]:
            cell["source"] = changed.get(cell["id"], cell["source"])
        path = self.folder / "submitted" / student / sheet / f"{sheet}_sheet.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(sheet_file), encoding="utf-8")

    def exported(self) -> dict[tuple[str, str], tuple[float, float]]:
        """(score, max_score) of each student and sheet, as nbgrader exports it."""
        with open(self.folder / "grades.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        return {(r["student_id"], r["assignment"]): (float(r["score"]), float(r["max_score"])) for r in rows}

    def points(self, student: str, sheet: str = SHEET) -> dict[str, float]:
        """nbgrader's points for each exercise."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # SQLAlchemy's, about nbgrader
            from nbgrader.api import Gradebook

            with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as gradebook:
                grades = gradebook.find_submission_notebook(f"{sheet}_sheet", sheet, student).grades
                return {grade.name.removeprefix("check-"): grade.score for grade in grades}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The course after every documented command but the last; ``said`` is what setting it up printed."""
    made = Course(tmp_path_factory.mktemp("home"))
    made.said = made.shell(SET_UP)
    others = [sheet for sheet in SHEETS if sheet != SHEET]
    for sheet in others:
        file = made.folder / "source" / sheet / f"{sheet}_sheet.ipynb"
        file.parent.mkdir()
        file.symlink_to(ROOT / "solutions" / file.name)
    if others:
        made.shell("cd kernels && nbgrader generate_assignment '*'")

    right = answers(SHEET)
    for sheet in SHEETS:
        made.hand_in("solved", sheet, answers(sheet))
    made.hand_in("blank", SHEET, {})
    half = {name: right[name] for name in RIGHT_HALF} | {"rkhs_norm2": NEARLY_THE_NORM}
    made.hand_in("half", SHEET, half, without=("check-krr_fit", "ex-2"))  # deleted: nbgrader puts the check back
    made.hand_in("reader", SHEET, {"krr_fit": READS.format(SHEET)}, without=tuple(right.keys() - {"krr_fit"}))
    if others:
        made.shell("cd kernels && nbgrader autograde '*'")
    made.shell(GRADE)
    return made


@pytest.mark.parametrize("sheet", ROWS)
def test_the_release_is_the_sheet_in_exercises(course, sheet):
    released, ours = course.release(sheet), notebook(ROOT / "exercises" / f"{sheet}_sheet.ipynb")
    marked = [cell["metadata"]["nbgrader"] for cell in released["cells"] if "nbgrader" in cell["metadata"]]
    assert len(marked) == 2 * len(exercises(sheet))
    for metadata in marked:  # what nbgrader adds, and needs for its own comparison with what is handed in
        assert metadata.pop("checksum") and metadata.pop("cell_type") == "code"
    assert [c["id"] for c in released["cells"]] == [c["id"] for c in ours["cells"]]
    for theirs, cell in zip(released["cells"], ours["cells"], strict=True):
        assert theirs == cell
    # nbgrader makes the release of the solution, and takes along what the build says of that
    assert released["metadata"].pop(PLACE)["made_from"] == ours["metadata"].pop(PLACE)["made_from"]
    assert {**released, "cells": 0} == {**ours, "cells": 0}


def test_the_solution_passes_nbgraders_validation_and_the_sheet_does_not(course):
    solution, sheet = course.said.index("Success! Your notebook passes all the tests."), course.said.index("FAILED")
    assert solution < sheet and course.said[sheet:].startswith(f"FAILED ON {len(SPECS)} CELL(S)")


@pytest.mark.parametrize("sheet", ROWS)
def test_right_answers_have_full_marks(course, sheet):
    full = {spec.name: spec.points for spec in exercises(sheet)}
    assert course.points("solved", sheet) == full
    assert course.exported()["solved", sheet] == (sum(full.values()), sum(full.values()))


def test_half_a_sheet_has_its_half_even_with_a_check_deleted_and_the_blank_one_nothing(course):
    partly = run("rkhs_norm2", lambda K, alpha: 1.0005 * (alpha @ K @ alpha)).points
    assert 0 < partly < SPECS["rkhs_norm2"].points
    half = {name: SPECS[name].points for name in RIGHT_HALF} | {"rkhs_norm2": partly}
    for student, points in (("blank", {}), ("half", half)):
        assert course.points(student) == dict.fromkeys(SPECS, 0) | points
        assert course.exported()[student, SHEET] == (sum(points.values()), FULL)
    assert course.exported()["reader", SHEET] == (FULL, FULL)  # submissions run with the instructor's rights


@pytest.mark.skipif(not TIERS, reason="no sandbox works here")
def test_kcourse_grade_gives_the_same_points(course):
    course.shell(GRADE_IN_SANDBOX)
    with open(course.folder / "graded" / "grades.csv", newline="", encoding="utf-8-sig") as file:
        ours = {(row["student"], row["sheet"]): row for row in csv.DictReader(file)}
    assert ours.keys() == {(path.parts[-3], path.parts[-2]) for path in course.folder.glob("submitted/*/*/*.ipynb")}
    for (student, sheet), row in ours.items():
        points = {spec.name: float(row[spec.name]) for spec in exercises(sheet)}
        same = course.points(student, sheet)
        assert points == (dict.fromkeys(same, 0) if student == "reader" else same), student


def test_feedback_has_the_points_the_hint_and_no_solution(course):
    files = (course.folder / "feedback").glob(f"*/{SHEET}/{SHEET}_sheet.html")
    pages = {path.parts[-3]: path.read_text() for path in files}
    assert pages.keys() == {"solved", "blank", "half", "reader"}
    assert f"(Score: {course.exported()['half', SHEET][0]} / {FULL:.1f})" in pages["half"]
    assert "rkhs_norm2: partly right" in pages["half"]
    assert not any("BEGIN SOLUTION" in page for page in pages.values())


def test_nothing_is_left_running(course):
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(course.home) not in running
