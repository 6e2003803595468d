"""Every hostile or damaged notebook gets its expected grade, and nothing is left of it."""

from __future__ import annotations

import csv
import io
import json
import os
import re

import pytest

from kcourse.grading.tables.report import WORDS
from kcourse.sandboxed.codec import Foreign
from tests.machine import patient
from tests.zoo import sentences, watch
from tests.zoo.keeper import HARMLESS, HOSTILE, MEMBERS, SEED, ends, words
from tests.zoo.members import POINTS

LONG = patient(30)  # seconds that the grader waits for one who does not end, on a busy machine


def by_name(members):
    return {"argvalues": members, "ids": [re.sub(r"\W+", "-", m.name, flags=re.ASCII)[:50] for m in members]}


def held_to(member, keeper, sandbox):
    grade = keeper.grade(member, sandbox)
    if not member.status:
        assert grade is None
        return
    told = words(grade)
    got = dict.fromkeys(POINTS, 0) | {r["name"]: r["points"] for r in grade.results}
    assert (grade.status, got) == (member.status, member.expected), told
    assert all(re.search(says, told) for says in member.says), (member.says, told)
    assert member.review is None or bool(grade.review) is member.review, grade.review
    assert member.noted is None or bool(grade.notes) is member.noted, grade.notes
    if not ends(member):  # then the grader ends it
        assert keeper.seconds[sandbox.tier, member.name] < LONG
    below = watch.running(sandbox._process.pid)
    assert len(below) <= (sandbox.tier == 1), below


@pytest.mark.parametrize("member", **by_name(HARMLESS))
def test_damaged_and_odd(member, keeper, one_sandbox):
    held_to(member, keeper, one_sandbox)


@pytest.mark.parametrize("member", **by_name(HOSTILE))
def test_hostile(member, keeper, sandbox):
    held_to(member, keeper, sandbox)


def test_there_are_enough_of_them_and_each_has_a_name():
    assert len(MEMBERS) >= 40 and len({m.name for m in MEMBERS}) == len(MEMBERS)


def test_the_watch_is_awake():
    number = next(iter(watch.hidden_inputs(SEED)[0]))
    page = f"<p># written-by-another</p> {watch.solution_lines()[0]} {number}0000 /etc/x"
    assert [what.split(":")[0] for what in watch.told(page, "", SEED, ["/etc/x"])] == [
        "written by another", "solution", "hidden", "path",
    ]  # fmt: skip


def test_nothing_is_told(keeper, sandbox):
    pages = keeper.pages(sandbox.tier)
    places = [str(path) for name, path in keeper.places.items() if name != "solution"]
    for student, page in pages.items():
        own = keeper.own(student) if student in keeper.submissions else ""
        if own:
            assert watch.told(page, own, SEED, places) == [], student
    # these show everybody's lines: nobody else's words and no secret may be there
    for name in ("grades.csv", "grades.json", "report.html"):
        own = "\n".join(keeper.own(student) for student in keeper.submissions)
        own = "\n".join(line for line in own.splitlines() if "written-by" not in line)
        assert watch.told(pages[name], own, SEED, places) == [], name
    rows = list(csv.DictReader(io.StringIO(pages["grades.csv"])))
    assert len(rows) == len(json.loads(pages["grades.json"])) == len(pages) - 3
    assert not any(row["student"].startswith(("=", "+", "-", "@")) for row in rows)


def test_nothing_is_left(keeper, sandbox):
    for folder, before in keeper.before.items():
        assert not folder.exists() or watch.listing(folder) == before
    assert list(watch.left_behind()) == []
    assert len(watch.running(sandbox._process.pid)) <= (sandbox.tier == 1)
    if os.geteuid() == 0:
        uid = 100_000 + os.getpid() % 50_000
        mine = [pid for pid in os.listdir("/proc") if pid.isdigit() and os.stat(f"/proc/{pid}").st_uid == uid]
        assert mine == []


def test_each_sentence_of_the_grader_is_said_to_somebody(keeper, one_sandbox):
    grades = [grade for member in MEMBERS if (grade := keeper.grade(member, one_sandbox))]
    said = "\n".join(text for grade in grades for text in (words(grade), *grade.review))
    assert sentences.unsaid(sentences.OF_THE_GRADER, said) == []


def test_each_way_to_fail_happens_to_somebody(keeper, one_sandbox):
    """What the sandbox reports, and what becomes of an answer and of a whole file; but for faults of the grader's."""
    grades = [grade for member in MEMBERS if (grade := keeper.grade(member, one_sandbox))]
    assert {grade.status for grade in grades} == {"graded", "unreadable", "unrecognised", "missing"}
    assert {r["status"] for g in grades for r in g.results} == set(WORDS)
    failures = [outcome.get("failure") or {} for ran in keeper.ran for outcome in ran["outcomes"]]
    kinds = sentences.first_words("failed", "sandboxed/supervisor.py", "sandboxed/runner.py")
    assert kinds <= {failure.get("kind") for failure in failures}
    assert {cell["status"] for ran in keeper.ran for cell in ran["cells"]} == {
        "ok",
        "failed",
        "timeout",
        "died",
        "not run",
    }
    values = [outcome.get("value") for ran in keeper.ran for outcome in ran["outcomes"]]
    assert any(isinstance(value, Foreign) and value.kind.endswith("too large") for value in values)
