"""Every hostile or damaged notebook gets its expected grade, and nothing is left of it.

`make test` has some cases of each kind; CI has all of them, and those who run against a tier's own walls in both.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re

import pytest

from kcourse.execution.codec import Foreign
from kcourse_grader.reports.report import WORDS
from tests.grader.adversarial import traces
from tests.grader.adversarial.cases import POINTS, Case
from tests.grader.adversarial.graded import CASES, KINDS, SEED, WALLS, GradedCases, ends, words
from tests.grader.conftest import TIERS
from tests.timeouts import scaled

LONG = scaled(30)  # seconds that the grader waits for one who does not end, on a busy machine

DAMAGED = (
    "truncated", "a million cells", "UTF-16", "nbformat 3", "the blank sheet below", "a merge conflict in a cell",
    "measured", "two\nlines", "a link", "a dot alone",
)  # fmt: skip
HOSTILE = {  # and what each of them stands for
    "loop": "time", "switches the timer off": "time", "cell: loop": "time", "leaves": "ends the process",
    "kills its parent": "ends the process", "much memory bit by bit": "memory", "fork bomb": "processes",
    "leaves a daemon": "processes", "writes frames": "the channel", "fights back": "values",
    "changes its arguments": "values", "patched: every builtin": "the runner", "numpy says yes": "the judge",
    "reads the solution": "files", "reads another student's": "files", "imports the reference": "libraries",
    "a connection": "the network", "memory of the one before": "the next one", "in the text": "hidden inputs",
    "asks: for what is still open": "right answers",
}  # fmt: skip
OF = {case.name: case for case in CASES}
TIER = TIERS[-1] if TIERS else 1


def faults(case: Case, graded_cases: GradedCases, sandbox) -> list[object]:
    """What is wrong with the grade of this case."""
    grade = graded_cases.grade(case, sandbox)
    if not case.status:
        return [] if grade is None else ["there is a grade"]
    told, found = words(grade), []
    got = dict.fromkeys(POINTS, 0) | {r["name"]: r["points"] for r in grade.results}
    if (grade.status, got) != (case.status, case.expected):
        found.append((grade.status, got, told))
    found += [f"{says!r} is not in: {told}" for says in case.says if not re.search(says, told)]
    if case.review not in (None, bool(grade.review)):
        found.append(f"review: {grade.review}")
    if case.noted not in (None, bool(grade.notes)):
        found.append(f"notes: {grade.notes}")
    if not ends(case) and graded_cases.seconds[sandbox.tier, case.name] > LONG:  # the grader should have ended it
        found.append("took too long")
    below = traces.running(sandbox._process.pid)
    return found + (["runs: " + ", ".join(below)] if len(below) > (sandbox.tier == 1) else [])


@pytest.mark.parametrize("name", DAMAGED + tuple(HOSTILE), ids=lambda name: re.sub(r"\W+", "-", name))
def test_a_few(name, graded_cases, one_sandbox):
    assert faults(OF[name], graded_cases, one_sandbox) == []


def test_nothing_is_told_and_nothing_is_left_of_a_few(graded_cases, one_sandbox):
    assert told(graded_cases, one_sandbox.tier) == left(graded_cases, one_sandbox) == []


ROWS = [(kind, tier) for tier in (1, 2) for kind in KINDS if tier == TIER or kind in WALLS]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "tier"), ROWS, ids=[f"{kind}-tier{tier}" for kind, tier in ROWS])
def test_all_of_a_kind(kind, tier, graded_cases, sandboxes):
    sandbox = sandboxes(tier)
    assert {case.name: found for case in KINDS[kind] if (found := faults(case, graded_cases, sandbox))} == {}


@pytest.mark.slow
def test_nothing_is_told_and_nothing_is_left(graded_cases, sandbox):
    assert told(graded_cases, sandbox.tier) == left(graded_cases, sandbox) == []


def told(graded_cases: GradedCases, tier: int) -> list[tuple[str, list[str]]]:
    """The pages of this tier's grades that say what their readers must not know, and what it is."""
    pages = graded_cases.pages(tier)
    places = [str(path) for name, path in graded_cases.places.items() if name != "solution"]
    own = {student: graded_cases.own(student) for student in graded_cases.submissions}
    # these show everybody's lines: nobody else's words and no secret may be there
    everybody = "\n".join(line for text in own.values() for line in text.splitlines() if "written-by" not in line)
    own |= dict.fromkeys(("grades.csv", "grades.json", "report.html"), everybody)
    rows = list(csv.DictReader(io.StringIO(pages["grades.csv"])))
    assert len(rows) == len(json.loads(pages["grades.json"])) == len(pages) - 3 > 20
    assert not any(row["student"].startswith(("=", "+", "-", "@")) for row in rows)
    return [(name, found) for name, page in pages.items() if (found := traces.told(page, own[name], SEED, places))]


def left(graded_cases: GradedCases, sandbox) -> list[object]:
    """Files and processes that somebody has left."""
    found = [folder for folder, was in graded_cases.before.items() if folder.exists() and traces.listing(folder) != was]
    found += traces.left_behind()
    running = traces.running(sandbox._process.pid)
    found += running if len(running) > (sandbox.tier == 1) else []
    if os.geteuid() == 0:
        uid = 100_000 + os.getpid() % 50_000
        for process in (entry for entry in os.scandir("/proc") if entry.name.isdigit()):
            with contextlib.suppress(FileNotFoundError):  # it has just ended
                found += [process.name] if process.stat().st_uid == uid else []
    return found


@pytest.mark.slow
def test_each_way_to_fail_happens_to_somebody(graded_cases, one_sandbox):
    """What the sandbox reports, and what becomes of an answer and of a whole file; but for faults of the grader's."""
    grades = [grade for case in CASES if (grade := graded_cases.grade(case, one_sandbox))]
    assert {grade.status for grade in grades} == {"graded", "unreadable", "unrecognised", "missing"}
    assert {r["status"] for g in grades for r in g.results} == set(WORDS)
    assert {cell["status"] for ran in graded_cases.ran for cell in ran["cells"]} == {
        "ok", "failed", "timeout", "died", "not run",
    }  # fmt: skip
    values = [outcome.get("value") for ran in graded_cases.ran for outcome in ran["outcomes"]]
    assert any(isinstance(value, Foreign) and value.kind.endswith("too large") for value in values)
