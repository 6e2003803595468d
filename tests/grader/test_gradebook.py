"""The class: who is missing or late, what a person changed, what platforms import, who is alike."""

from __future__ import annotations

import csv
import io
import json
import os
import pathlib
import re
import sys
import zipfile
from dataclasses import asdict
from datetime import datetime
from types import SimpleNamespace

import pytest

import kcourse_grader.folder as run
import kcourse_grader.marking.batch as batch
from kcourse.checks import CHAPTERS
from kcourse.checks.judge import Result
from kcourse.commands.cli import main
from kcourse.sheets.notebook import handed_out, read_notebook
from kcourse_grader.marking.record import Grade
from kcourse_grader.marking.similarity import same_answers, similar_pairs
from kcourse_grader.reports.gradebook import a_time, anonymised
from kcourse_grader.reports.late import LateRule
from kcourse_grader.reports.overrides import read_overrides
from kcourse_grader.reports.report import _alike
from kcourse_grader.reports.roster import read_roster
from kcourse_grader.submissions.inbox import collect
from tests.grader.notebooks import ROOT, as_bytes
from tests.grader.notebooks import SOLVED as CHAPTER_3
from tests.grader.tiny import EXERCISES, SOLVED, tiny_sheet  # noqa: F401 (a fixture)

MOODLE_NAMES = [f"Ada L{i}_{4711 + i}_assignsubmission_file_/ch98_tiny.ipynb" for i in range(3)]
CANVAS_NAMES = ["lovelaceada_4711_998877_ch98_tiny-2.ipynb", "turingalan_LATE_4712_998878_ch98_tiny.ipynb"]
# as the platforms export them; the last one has handed in nothing
WORKSHEET = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\n"
    + "".join(f'Participant {4711 + i},Ada L{i},a{i}@example.org,Submitted for grading,,10.00,Yes,'
              '"Friday, 20 November 2026, 6:00 PM",-,\n' for i in range(4))
)  # fmt: skip
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Sheet 2 (998),Chapter 98: tiny (999),Assignments Current Score\n"
    "    Points Possible,,,,,25,10,(read only)\n"
    '"Lovelace, Ada",4711,u1,ada,A,9,,90\n"Turing, Alan",4712,u2,alan,A,8,,80\n"Hopper, Grace",4713,u3,grace,B,7,,70\n'
)


@pytest.fixture
def classroom(tmp_path, monkeypatch):
    """Grading that gives each student points by their number, and counts."""
    calls = []

    def grade(submission, *_):
        calls.append(submission.student)
        if submission.notebook is None:
            return Grade(submission.student, submission.file, submission.sheet or "", "unreadable")
        left = len(submission.student) % 3
        results = [
            Result(s.name, s.points if i >= left else 0, s.points, "passed", seed=1) for i, s in enumerate(EXERCISES)
        ]
        results = [asdict(result) for result in results]
        review = list(submission.review)
        return Grade(submission.student, submission.file, submission.sheet, "graded", results, review=review)

    monkeypatch.setattr(batch, "grade_here", grade)
    monkeypatch.setattr(run, "_prove", lambda *_: SimpleNamespace(stands=True, text=""))
    monkeypatch.setattr(run, "available_tier", lambda: 1)

    def graded(*names, options=(), code=0):
        for name in names:
            path = tmp_path / "in" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(as_bytes([*SOLVED.values(), f"# {name}"]))
            os.utime(path, (1_700_000_000, 1_700_000_000))
        out = tmp_path / "out"
        assert main(["grade", str(tmp_path / "in"), "--out", str(out), *map(str, options)]) == code
        return out

    graded.calls, graded.folder = calls, tmp_path
    return graded


def table(path):
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def write(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_moodles_worksheet_comes_back_with_the_points_and_nothing_else_changed(classroom):
    roster = write(classroom.folder, "grades.csv", WORKSHEET)
    out = classroom(*MOODLE_NAMES, options=["--roster", roster])
    points = {row["student"]: row["score"] for row in table(out / "grades.csv")}
    before, after = (list(csv.reader(io.StringIO(t.lstrip("\ufeff")))) for t in
                     (WORKSHEET, (out / "exports/moodle_ch98_tiny.csv").read_text()))  # fmt: skip
    assert after[0] == before[0] and len(after) == len(before)
    grade = before[0].index("Grade")
    for old, new in zip(before[1:], after[1:], strict=True):
        assert [c for i, c in enumerate(old) if i != grade] == [c for i, c in enumerate(new) if i != grade]
        assert new[grade] == ("" if old[1] == "Ada L3" else points[f"{old[1]}_{old[0].split()[1]}"])
    rows = {row["student"]: row for row in table(out / "grades.csv")}
    assert rows["Ada L3_4714"]["status"] == "missing" and rows["Ada L0_4711"]["id"] == "a0@example.org"
    assert "Handed in nothing: 1" in (out / "report.html").read_text(encoding="utf-8")


def test_moodle_finds_each_student_in_the_archive_of_feedback(classroom):
    out = classroom(*MOODLE_NAMES)
    with zipfile.ZipFile(out / "exports/moodle_feedback_ch98_tiny.zip") as archive:
        for name in archive.namelist():
            folder, page = name.split("/")
            full, number, kind, plugin, *_ = folder.split("_", 4)  # as Moodle takes the name of a folder apart
            assert f"{full}_{number}" in classroom.calls and number.isdigit()
            assert (kind, plugin) == ("assignsubmission", "file") and page.endswith(".html")
            assert f"{full}_{number}" in archive.read(name).decode()
        assert len(archive.namelist()) == 3
    first = (out / "exports/moodle_feedback_ch98_tiny.zip").read_bytes()
    classroom()
    assert (out / "exports/moodle_feedback_ch98_tiny.zip").read_bytes() == first


def test_canvass_gradebook_comes_back_with_one_column(classroom):
    roster = write(classroom.folder, "gradebook.csv", GRADEBOOK)
    out = classroom(*CANVAS_NAMES, options=["--roster", roster])
    rows = list(csv.reader(io.StringIO((out / "exports/canvas_ch98_tiny.csv").read_text())))
    assert rows[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Chapter 98: tiny (999)"]
    assert rows[1][0].strip() == "Points Possible" and rows[1][5] == "10"
    points = {row["student"]: row["score"] for row in table(out / "grades.csv")}
    assert [row[5] for row in rows[2:]] == [points["lovelaceada_4711"], points["turingalan_4712"], ""]
    assert {row["student"] for row in table(out / "grades.csv") if row["status"] == "missing"} == {"Hopper, Grace_4713"}


def test_moodles_worksheet_for_blind_marking_has_no_names(classroom):
    text = re.sub(r",Ada L\d,a\d@example.org", "", WORKSHEET.replace(",Full name,Email address", ""))
    out = classroom("Participant_4711_assignsubmission_file_/x.ipynb",
                    options=["--roster", write(classroom.folder, "g.csv", text)])  # fmt: skip
    assert [(row["student"], row["status"]) for row in table(out / "grades.csv")] == [
        ("Participant_4711", "graded"), *((f"Participant_471{i}", "missing") for i in (2, 3, 4))]  # fmt: skip


def test_canvass_gradebook_may_have_split_names_a_test_student_and_decimal_ids(tmp_path):
    text = GRADEBOOK.replace("Student,ID", "LastName,FirstName,ID").replace("Possible,", "Possible,,")
    text = re.sub(r'"(\w+), (\w+)",(\d+)', r"\1,\2,\3.0", text) + "Student,Test,4714,,d0be2dc4,A,,,\n"
    roster = read_roster(write(tmp_path, "g.csv", text))
    assert [roster.name(key) for key in roster.places] == [
        "Lovelace, Ada_4711", "Turing, Alan_4712", "Hopper, Grace_4713"]  # fmt: skip
    [line] = (line for line in roster.filled({"4712": "8"}.get, "ch98_tiny").splitlines() if "Turing" in line)
    assert line == "Turing,Alan,4712.0,u2,alan,A,8"
    plain = read_roster(write(tmp_path, "c.csv", "student,id\nada,4711.0\n"))
    assert plain.ids == {"ada": "4711"} and plain.key("Ada Lovelace", "gradescope", "4711") == "ada"


def test_canvas_finds_each_student_in_the_archive_of_feedback(classroom):
    out = classroom(*CANVAS_NAMES)
    with zipfile.ZipFile(out / "exports/canvas_feedback_ch98_tiny.zip") as archive:
        # Canvas takes the first two numbers between underscores for the user and the file
        found = {tuple([word for word in name.split("_") if word.isdigit()][:2]) for name in archive.namelist()}
    assert found == {("4711", "998877"), ("4712", "998878")}


def test_gradescope_gets_what_its_autograder_writes(classroom):
    out = classroom("alice/ch98_tiny.ipynb")
    [path] = (out / "exports/gradescope").rglob("results.json")
    results = json.loads(path.read_text(encoding="utf-8"))
    assert results["score"] == sum(test["score"] for test in results["tests"])
    assert {"name", "score", "max_score", "status", "output", "visibility"} <= set(results["tests"][0])
    assert {test["status"] for test in results["tests"]} <= {"passed", "failed"}


def test_a_plain_roster_has_names_ids_and_deadlines_of_ones_own(classroom, capsys):
    roster = write(classroom.folder, "class.csv", "student;id;due\nalice;s1;\nbob;s2;2023-11-20\nmalory;s3;\n")
    out = classroom("alice/x.ipynb", "bob/x.ipynb", "mallory/x.ipynb",
                    options=["--roster", roster, "--due", "2023-11-13T12:00"])  # fmt: skip
    rows = {row["student"]: row for row in table(out / "grades.csv")}
    handed_in = datetime.fromtimestamp(1_700_000_000)
    late = -(-(handed_in - datetime(2023, 11, 13, 12)).total_seconds() // 86400)
    assert (rows["alice"]["id"], rows["alice"]["days_late"]) == ("s1", f"{late:.0f}") and late >= 1
    assert (rows["bob"]["days_late"], rows["malory"]["status"], rows["malory"]["days_late"]) == ("0", "missing", "")
    assert rows["mallory"]["needs_review"] == "is not in class.csv" and rows["alice"]["handed_in"] == str(handed_in)
    assert "1 of 3 students are not in class.csv: mallory (is it malory?)." in capsys.readouterr().err
    assert not list((out / "exports").glob("*.csv"))
    text = (out / "report.html").read_text(encoding="utf-8")
    assert "Late: 2" in text and "Handed in nothing: 1" in text


def test_a_plain_roster_tells_people_of_one_name_apart_by_their_ids(classroom):
    roster = write(classroom.folder, "class.csv", "student,id\nWei Zhang,11.0\nWei Zhang,12\nAda,13\nBen,14\n")
    names = [f"{who} - Nov 20, 2026 1159 PM/x.ipynb" for who in ("11-45 - Wei Zhang", "13-46 - Ada", "99-47 - Ben")]
    rows = {row["student"]: row for row in table(classroom(*names, options=["--roster", roster]) / "grades.csv")}
    assert {name: (row["id"], row["status"]) for name, row in rows.items()} == {
        "Wei Zhang_11": ("11", "graded"), "Wei Zhang_12": ("12", "missing"), "Ada_13": ("13", "graded"),
        "Ben": ("14", "missing"), "Ben_99": ("", "graded"),
    }  # fmt: skip


def test_the_table_of_a_platform_is_not_left_behind_by_a_run_without_its_roster(classroom):
    roster = write(classroom.folder, "grades.csv", WORKSHEET)
    table = classroom(*MOODLE_NAMES, options=["--roster", roster]) / "exports/moodle_ch98_tiny.csv"
    assert table.exists()
    classroom(options=["--only", "Ada L0_4711"])
    assert not table.exists()


def test_a_date_alone_means_its_end_and_an_unknown_time_is_said(classroom, capsys):
    day = f"{datetime.fromtimestamp(1_700_000_000):%Y-%m-%d}"  # of the files
    for due, days in ((day, "0"), (f"{day}T00:00", "1")):
        rows = table(classroom("anna/x.ipynb", options=["--due", due]) / "grades.csv")
        assert rows[0]["days_late"] == days
    assert "No time" not in capsys.readouterr().err
    with zipfile.ZipFile(classroom.folder / "in/ben.zip", "w") as archive:
        archive.writestr("x.ipynb", as_bytes(SOLVED.values()))
    classroom(options=["--due", day])
    assert "No time is known for 1 of 2" in capsys.readouterr().err


def test_other_points_on_the_platform_are_said_before_grading(classroom, capsys):
    for name, text in (("grades.csv", WORKSHEET), ("gradebook.csv", GRADEBOOK)):
        for most, said in (("20", True), ("10", False)):
            changed = text.replace("10.00", most).replace(",10,(", f",{most},(")
            classroom(*MOODLE_NAMES, options=["--roster", write(classroom.folder, name, changed)])
            assert ("not rescaled" in capsys.readouterr().err) is said


def test_a_stray_sheet_is_graded_and_listed_and_missing_for_nobody(classroom, capsys):
    path = classroom.folder / "in" / "lovelaceada_4710_998870_x.ipynb"
    path.parent.mkdir()
    path.write_bytes(as_bytes(CHAPTER_3.values()))
    roster = write(classroom.folder, "gradebook.csv", GRADEBOOK)  # it has no column for chapter 3
    names = [*CANVAS_NAMES, *(f"x_{i}_998879_ch98_tiny.ipynb" for i in range(2))]
    out = classroom(*names, options=["--roster", roster])
    assert "Only 1 of 5 students handed in ch03_ridge" in capsys.readouterr().err
    rows = table(out / "grades.csv")
    assert [(row["student"], row["status"]) for row in rows if row["sheet"] == "ch03_ridge"] == [
        ("lovelaceada_4710", "graded")]  # fmt: skip
    assert main(["term", str(out), "--out", str(classroom.folder / "term")]) == 0
    assert "ch03_ridge does not count" in capsys.readouterr().err
    [*_, ada] = (row for row in table(classroom.folder / "term/term.csv") if row["student"] == "lovelaceada_4711")
    points = next(row["score"] for row in rows if row["student"] == "lovelaceada_4711")
    assert ada["missing"] == "" and float(ada["percent"]) == 10 * float(points)


ROSTERS = [
    ("name,grade\nx,1\n", "is not a known class list"),
    ("", "Its first row is missing"),
    ("student\n", "lists no students"),
    ("student\nalice\nalice\n", "alice twice, in rows 2 and 3"),
    ("student,id\nalice,1\nbob,1\n", "alice and bob have the same id, 1"),
    ("student,deu\nalice,2026-11-20T18:00\n", "the column 'deu' is unknown. Do you mean 'due'"),
    ("student,due\nalice,tomorrow\n", "'tomorrow' is not a date and time. Write it as 2026-11-20T18:00"),
    ("student,due\nbob,\nalice,0001-01-01T00:00+14:00\n", "r.csv, line 3: '0001-01-01T00:00+14:00' is not a date"),
    ("student,due\nalice,9999-12-31T23:59-12:00\n", "r.csv, line 2: '9999-12-31T23:59-12:00' is not a date"),
    ("student\nJürgen\n".encode("latin-1"), "is not UTF-8"),
    (None, "r.csv"),
]


def test_a_roster_that_cannot_be_read_is_said_before_anything_is_graded(classroom, capsys, subtests):
    roster = classroom.folder / "r.csv"
    for text, says in ROSTERS:
        with subtests.test(msg=str(text)):
            if text is None:
                roster.unlink()
            else:
                roster.write_bytes(text if isinstance(text, bytes) else text.encode())
            classroom("alice/x.ipynb", options=["--roster", roster], code=2)
            assert says in capsys.readouterr().err and classroom.calls == []


def test_the_column_is_named_where_it_is_not_clear(classroom, capsys):
    text = GRADEBOOK.replace("Sheet 2 (998)", "tiny again (998)")
    roster = write(classroom.folder, "g.csv", text)
    classroom(*CANVAS_NAMES, options=["--roster", roster], code=2)
    assert "More than one column of" in capsys.readouterr().err
    assert classroom.calls == []
    out = classroom(options=["--roster", roster, "--column", "Chapter 98: tiny"])
    assert "Chapter 98: tiny (999)" in (out / "exports/canvas_ch98_tiny.csv").read_text().partition("\n")[0]
    assert read_roster(roster).kind == "canvas"


def test_two_that_lead_to_one_place_of_the_roster_are_not_exported(classroom):
    roster = write(classroom.folder, "grades.csv", WORKSHEET)
    names = [MOODLE_NAMES[0], "eve_4711/x.ipynb", "Eve_4712_assignsubmission_file_zz_4711.ipynb",
             "Cy_4713_assignsubmission_file_a.ipynb", "Cy_4713_assignsubmission_file_/b.ipynb"]  # fmt: skip
    out = classroom(*names, options=["--roster", roster])
    rows = list(csv.reader(io.StringIO((out / "exports/moodle_ch98_tiny.csv").read_text())))
    points = {row["student"]: row for row in table(out / "grades.csv")}
    filled = {row[0].split()[1]: row[4] for row in rows[1:]}
    assert filled["4711"] == points["Ada L0_4711"]["score"] and filled["4712"] == points["Eve_4712"]["score"]
    assert "is not in grades.csv" in points["eve_4711"]["needs_review"] and filled["4714"] == ""
    both = [row for name, row in points.items() if name.startswith("Cy_4713")]
    assert len(both) == 1 or filled["4713"] == ""
    with zipfile.ZipFile(out / "exports/moodle_feedback_ch98_tiny.zip") as archive:
        assert "Eve_4712_assignsubmission_file_feedback_ch98_tiny.html" in archive.namelist()


def test_names_that_look_the_same_are_one_person(classroom):
    roster = write(classroom.folder, "class.csv", "student\nZo\u00eb M\u00fcller\n=2+3\n")
    out = classroom("Zoe\u0308 Mu\u0308ller/x.ipynb", "=2+3/x.ipynb", options=["--roster", roster])
    rows = {row["student"]: row for row in table(out / "grades.csv")}
    assert {row["status"] for row in rows.values()} == {"graded"} and len(rows) == 2
    write(out, "overrides.csv", "student,sheet,exercise,points,comment\n'=2+3,ch98_tiny,shifted,4,x\n")
    classroom(options=["--only", "Zoe\u0308 Mu\u0308ller"])


def test_a_notebook_that_nobody_can_read_is_not_nothing(classroom):
    roster = write(classroom.folder, "grades.csv", WORKSHEET)
    path = classroom.folder / "in" / "Ada L3_4714_assignsubmission_file_" / "sheet3.ipynb"
    path.parent.mkdir(parents=True)
    path.write_bytes(as_bytes(SOLVED.values())[:300])
    out = classroom(*MOODLE_NAMES, options=["--roster", roster])
    rows = [row for row in table(out / "grades.csv") if row["student"].endswith("_4714")]
    assert len(rows) == 1 and rows[0]["status"] != "missing"


ODD = [
    "Zo\u00eb", "Zoe\u0308", "alice", "alice ", "Alice", "ali\u200bce", "\u202ealice", "alice'", "alice\\u0020",
    "\u0131rmak", "\u0130rmak", "Irmak", "two\nlines", "a\rb", "\x1b[31mred", "=1+1", "'=1+1", "@x", "a;=b", "a,b|=c",
    "-rf *", "<b>&\"'", "{{7*7}}", " ", "...", "..x", "x" * 255, "\udcff", "a\\b", "ch03_ridge", "overrides.csv",
    "αγηηββζ", "αδββηαε",
]  # fmt: skip


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems take fewer names")
@pytest.mark.parametrize("layout", ["{}/x.ipynb", "{}_1_assignsubmission_file_{}/x.ipynb"])
def test_whatever_folders_are_called_there_are_tables_for_all(classroom, layout):
    names = [layout.format(name, "")[:255].removesuffix("/x.ipynb") for name in ODD]
    names = [os.fsdecode(os.fsencode(name)[:255]) for name in names]
    out = classroom(*(f"{name}/x.ipynb" for name in names))
    rows = table(out / "grades.csv")
    assert len({row["student"] for row in rows}) == len(rows) == len(ODD)
    assert len(list((out / "feedback").iterdir())) == len(list((out / "grades").iterdir())) == len(ODD)
    graded = [row["student"] for row in rows if row["status"] == "graded"]
    assert len(graded) >= len(ODD) - 2  # but for those with a dot in front
    # the names are those by which people are called afterwards
    with open(out / "overrides.csv", "w", encoding="utf-8", newline="") as file:
        changes = [[name, "ch98_tiny", "ends", "0.5", "x"] for name in graded]
        csv.writer(file).writerows([["student", "sheet", "exercise", "points", "comment"], *changes])
    with open(classroom.folder / "class.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["student"], *([name] for name in graded)])
    only = [part for name in graded for part in ("--only", name)]
    classroom(options=["--roster", classroom.folder / "class.csv", *only])
    after = [row for row in table(out / "grades.csv") if row["status"] == "graded"]
    assert {row["ends"] for row in after} == {"0.5"} and not [r for r in after if "is not in" in r["needs_review"]]
    classroom(options=["--anonymous"])
    assert len({row["student"] for row in table(out / "names.csv")}) == len(ODD)


def test_an_override_survives_a_rerun_that_runs_nothing_and_is_told_the_student(classroom, monkeypatch, capsys):
    out = classroom("alice/x.ipynb", "bob/x.ipynb")
    monkeypatch.setattr(run, "_prove", lambda *_: pytest.fail("a sandbox was started"))
    assert (out / "overrides.csv").read_text(encoding="utf-8-sig") == "student,sheet,exercise,points,comment\n"
    before = {row["student"]: row for row in table(out / "grades.csv")}
    lines = ["student,sheet,exercise,points,comment", 'alice,ch98_tiny,shifted,2.5,"Right idea, wrong sign."',
             "bob,ch98_tiny,ends,,Nicely written."]  # fmt: skip
    write(out, "overrides.csv", "\n".join(lines) + "\n")
    stored = {p: p.read_bytes() for p in (out / "grades").glob("*.json")}
    for _ in range(2):
        classroom()
        assert "already graded" in capsys.readouterr().err
        rows = {row["student"]: row for row in table(out / "grades.csv")}
        change = 2.5 - float(before["alice"]["shifted"])
        assert rows["alice"]["shifted"] == "2.5"
        assert float(rows["alice"]["score"]) == float(before["alice"]["score"]) + change
        assert rows["bob"]["score"] == before["bob"]["score"]
    assert classroom.calls == ["alice", "bob"]
    assert stored == {p: p.read_bytes() for p in (out / "grades").glob("*.json")}
    pages = " ".join(p.read_text(encoding="utf-8") for p in (out / "feedback").glob("*.html"))
    assert "Your lecturer has set this to 2.5 of 4 points" in pages and "Right idea, wrong sign." in pages
    assert "Your lecturer writes: Nicely written." in pages
    assert "sandbox: bubblewrap" in (out / "report.html").read_text(encoding="utf-8")  # that of the first run


OVERRIDES = [
    *((f"alice,ch98_tiny,shifted,{points},x", f"line 2: shifted is worth 0 to 4 points, got '{points}'")
      for points in ("5", "nan", "-1", "0_1", "\u0662", "1e0", "+1", ".", "Infinity", "2 .5")),
    ("alice,ch98_tiny,shift,1,x", "ch98_tiny has no exercise 'shift'. Use shifted"),
    ("alice,ch99,shifted,1,x", "no exercises for chapter 'ch99'"),
    ("alice,ch98_tiny,shifted,,", "points and comment are empty"),
    ("alice,ch98_tiny,shifted,1,a,b", "more than five cells"),
    ("alice,ch98_tiny,shifted,1,x\nalice,ch98_tiny,shifted,2,y", "line 3: shifted of alice is already in line 2"),
    ("zoe,ch98_tiny,shifted,1,x", "line 2: 'zoe' has no grade for ch98_tiny"),
    ('bob,ch98_tiny,shifted,2,"Right idea\nalice,ch98_tiny,ends,0,copied', "quotation mark"),
    ('bob,ch98_tiny,shifted,2,"Right\nalice,ch98_tiny,ends,0,"', "another row"),
    ("alice,ch98_tiny,shifted,2,größer".encode("cp1252"), "is not UTF-8"),
    ("alice,ch98_tiny,shifted,2," + "x" * 140_000, "field larger than field limit"),
]  # fmt: skip


def test_an_override_that_cannot_be_is_named_with_its_line_before_anything_is_graded(classroom, capsys, subtests):
    out = classroom("alice/x.ipynb", "bob/x.ipynb")
    for row, says in OVERRIDES:
        with subtests.test(msg=row[:60]):
            data = row if isinstance(row, bytes) else row.encode()
            (out / "overrides.csv").write_bytes(b"student,sheet,exercise,points,comment\n" + data + b"\n")
            classroom("carol/x.ipynb", code=2)
            assert says in capsys.readouterr().err and classroom.calls == ["alice", "bob"]
    write(out, "overrides.csv", "student,points\nalice,3\n")
    classroom(code=2)
    assert "line 1: the columns must be student, sheet, exercise, points, comment" in capsys.readouterr().err


POINTS = [("-0", 0), ("-0.0", 0), ("2,5", 2.5), (".5", 0.5), ("3.", 3), ("04", 4)]


def test_points_are_plain_decimal_numbers(tmp_path):
    for text, points in POINTS:
        write(tmp_path, "overrides.csv", f'student,sheet,exercise,points,comment\na,ch98_tiny,shifted,"{text}",\n')
        [override] = read_overrides(tmp_path)
        assert f"{override.points:g}" == f"{points:g}", text  # 0, not -0


def test_points_for_somebody_who_is_missing_are_exported(classroom):
    roster = write(classroom.folder, "grades.csv", WORKSHEET)
    out = classroom(*MOODLE_NAMES, options=["--roster", roster])
    write(out, "overrides.csv", "student,sheet,exercise,points,comment\nAda L3_4714,ch98_tiny,shifted,4,by mail\n")
    classroom(options=["--roster", roster])
    exported = (out / "exports/moodle_ch98_tiny.csv").read_text()
    assert "Participant 4714,Ada L3,a3@example.org,Submitted for grading,4," in exported


def test_who_is_not_reached_yet_keeps_the_override_for_later(classroom):
    out = classroom("alice/x.ipynb")
    write(out, "overrides.csv", "student,sheet,exercise,points,comment\nbob,ch98_tiny,shifted,4,x\n")
    classroom("bob/x.ipynb", options=["--only", "alice", "--anonymous"])
    classroom()
    assert {r["student"]: r["shifted"] for r in table(out / "grades.csv")}["bob"] == "4"


def test_only_one_is_graded_again_and_the_tables_stay_whole(classroom, capsys):
    out = classroom("alice/x.ipynb", "bob/x.ipynb", "carol/x.ipynb")
    classroom(options=["--only", "bob"])
    assert classroom.calls == ["alice", "bob", "carol", "bob"]
    assert [row["student"] for row in table(out / "grades.csv")] == ["alice", "bob", "carol"]
    classroom(options=["--only", "bobb"], code=2)
    assert "--only bobb: this student has no submission. Students: bob" in capsys.readouterr().err


def test_anonymous_pages_name_nobody(classroom):
    names = ["Ada Lovelace/Ada Lovelace.ipynb", "Ada Lovelace/Ada Lovelace-2.ipynb", "bob/x.ipynb"]
    out = classroom(*names, options=["--anonymous"])
    shown = [p for p in out.rglob("*") if p.is_file() and p.suffix in (".html", ".csv") and p.name != "names.csv"]
    shown += [out / "grades.json"]
    for path in shown:
        assert not re.search("Ada|Lovelace|bob", path.name + path.read_text(encoding="utf-8")), path
    key = {row["name"]: row["student"] for row in table(out / "names.csv")}
    assert sorted(key.values()) == ["Ada Lovelace", "bob"]
    assert {row["student"] for row in table(out / "grades.csv")} == set(key)
    classroom(options=["--anonymous"])
    assert key == {row["name"]: row["student"] for row in table(out / "names.csv")}


def test_a_name_that_is_a_word_changes_no_sentence(tmp_path):
    late = ["Bo_LATE_4711_998877_ch98_tiny.ipynb", "Bo_4711_998878_ch98_tiny-1.ipynb"]
    files = ["e/e.ipynb", "e/e-2.ipynb", "e/.e/e.ipynb", "counts/x.pdf", "Al/Al.ipynb", "Al.ipynb", *late]
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(as_bytes(SOLVED.values()))
    came = collect(tmp_path)
    code = "Cell 1 failed with E at `e/e.ipynb = e`; the rest was graded."
    grades = [Grade(s.student, s.file, s.sheet or "", "graded", notes=[*s.notes, s.problem, code], review=s.review)
              for s in came]  # fmt: skip
    shown, names = anonymised(grades, 1, came)
    told = {names[grade.student]: grade for grade in shown}
    assert set(told) == {"e", "counts", "Al", "Al.ipynb", "Bo_4711"}
    two = "2 attempts. Graded: the file, the latest. Not graded: another file."
    assert told["e"].notes == ["recognised as ch98_tiny by its functions", two, "", code]
    assert told["e"].review == [
        "2 attempts, of which the latest is graded", "skipped: another file, because its name begins with a dot",
    ]  # fmt: skip
    assert told["Bo_4711"].notes[0] == two and told["counts"].notes[0] == "it contains no notebook, only the file"
    assert not [note for g in shown for note in g.notes + g.review if re.search("Al[./ ,]|Bo_", note)]


@pytest.mark.parametrize("why", [OSError(13, "Permission denied", "/in/alice/x.ipynb"),
                                 RuntimeError("File 'alice/x.ipynb' is encrypted")])  # fmt: skip
def test_no_place_is_told_of_what_cannot_be_read(tmp_path, monkeypatch, why):
    def closed(_):
        raise why

    monkeypatch.setattr(pathlib.Path, "read_bytes", closed)
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice/x.ipynb").touch()
    [alice] = collect(tmp_path)
    assert "alice" not in alice.problem and re.search("denied|File it is encrypted", alice.problem)


def test_nothing_of_a_run_with_names_stays_in_one_without(classroom):
    roster = write(classroom.folder, "grades.csv", WORKSHEET)
    out = classroom(*MOODLE_NAMES, options=["--roster", roster])
    classroom(options=["--anonymous"])
    shown = [p for p in out.rglob("*") if p.is_file() and p.name not in ("names.csv",) and p.parent.name != "grades"]
    assert not [p for p in shown if "Ada" in f"{p}" or "Ada" in p.read_text(encoding="utf-8", errors="replace")]
    classroom()
    assert len(list((out / "feedback").glob("*.html"))) == 3 and not list((out / "feedback").glob("student*"))


_DETOUR = "# I first thought of the inverse, but Tuesday's example was nearly singular, so no\n" \
          "scale_of_things = np.max(np.abs(K)) * 3 - np.max(np.abs(K)) * 2\n"  # fmt: skip


def test_rare_pieces_are_seen_and_what_everybody_has_is_not():
    everybody = {f"s{i}": list(SOLVED.values()) + [f"note_{i} = 'mine, number {i}' + str({i} ** 3)"] for i in range(30)}
    assert similar_pairs(everybody, []) == []
    copied = everybody | {name: [*everybody[name], _DETOUR] for name in ("s3", "s8")}
    [pair] = similar_pairs(copied, [])
    assert (pair.one, pair.other) == ("s3", "s8") and pair.share > 0.5
    assert set(pair.piece.split()) <= set(re.findall(r"\w+|[^\w\s]", _DETOUR))
    assert similar_pairs(copied, [_DETOUR]) == []  # it was handed out
    assert similar_pairs({"a": [], "b": [""], "c": ["x"]}, []) == []


@pytest.mark.parametrize("ring", [2, 5])
def test_the_same_answers_are_a_group_however_many_have_them(ring):
    answer = "def h(x):\n" + "".join(f"    x = x + {i} * np.sin(x / {i})\n" for i in range(9))
    short = "def g(x):\n    return np.sum(x)\n"
    texts = {f"s{i:02d}": [answer, short] if i < ring else [f"x = {i}", short] for i in range(30)}
    [group] = same_answers(texts, [])
    assert group.names == tuple(sorted(texts)[:ring]) and group.answers == "h, g"  # all of theirs is the same
    assert same_answers(texts, [answer]) == []  # it was handed out


def test_the_same_file_in_two_groups_is_compared(tmp_path):
    for group in "AB":
        (tmp_path / group / "anna").mkdir(parents=True)
        (tmp_path / group / "anna" / "x.ipynb").write_bytes(as_bytes(CHAPTER_3.values()))
    [[_, same], *_], _ = _alike(collect(tmp_path, level=2))
    assert same.names == ("A/anna", "B/anna")


def test_who_hands_in_the_sheet_as_it_is_copied_from_nobody():
    for sheet in CHAPTERS:
        cells = handed_out(sheet)
        assert cells == read_notebook((ROOT / "exercises" / f"{sheet}_sheet.ipynb").read_bytes()).cells, sheet
        assert similar_pairs({"a": cells, "b": cells, "c": cells[3:], "d": ["mine = 1", *cells]}, cells) == [], sheet


def test_the_report_says_what_alikeness_is_not(classroom):
    for name in ("alice", "bob", *"cdefgh"):
        path = classroom.folder / "in" / name / "x.ipynb"
        path.parent.mkdir(parents=True)
        own = f"own_{name} = [k**2 for k in range({ord(name[0])}) if k % 7 != {ord(name[0])}]"
        path.write_bytes(as_bytes([*SOLVED.values(), _DETOUR if name in ("alice", "bob") else own]))
    text = (classroom() / "report.html").read_text(encoding="utf-8")
    assert "Similar submissions: 1" in text and "not a proof" in text
    assert "<td>alice</td><td>bob</td>" in text


TIMES = {
    "Friday, 20 November 2026, 6:00 PM": datetime(2026, 11, 20, 18),
    "Friday, November 20, 2026, 12:05 AM": datetime(2026, 11, 20, 0, 5),
    "Freitag, 20. November 2026, 18:00": datetime(2026, 11, 20, 18),
    "Dienstag, 3. März 2026, 08:15": datetime(2026, 3, 3, 8, 15),
    "vendredi 7 août 2026, 18:00": datetime(2026, 8, 7, 18),
    "viernes, 20 de noviembre de 2026, 12:30 pm": datetime(2026, 11, 20, 12, 30),
    "venerdì, 20 novembre 2026, 18:00": datetime(2026, 11, 20, 18),
    "dinsdag, 3 maart 2026, 08:15": datetime(2026, 3, 3, 8, 15),
    "sexta-feira, 20 de novembro de 2026 às 18:00": datetime(2026, 11, 20, 18),
}


def test_moodles_times_are_read_in_its_languages():
    assert {text: a_time(text) for text in TIMES} == TIMES


# the first columns, "Last modified" of two things, a time
WORKSHEETS = {
    "en": ("Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed", "Participant ",
           "Last modified", "submission", "grade", "Friday, 20 November 2026, 6:00 PM"),
    "de": ("ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Bewertung kann geändert werden",
           "Teilnehmer/in", "Zuletzt geändert", "Abgabe", "Bewertung", "Freitag, 20. November 2026, 18:00"),
    "it": ("Identificativo,Nome,Indirizzo email,Stato,Valutazione,Valutazione massima,Modificabile", "Partecipante ",
           "Ultima modifica", "consegna", "valutazione", "venerdì, 20 novembre 2026, 18:00"),
    "nl": ("Identificatie,Volledige naam,E-mailadres,Status,Cijfer,Maximumcijfer,Wijzigbaar", "Deelnemer ",
           "Laatst gewijzigd", "inzending", "beoordeling", "vrijdag, 20 november 2026, 18:00"),
    "pt": ("Identificador,Nome completo,Email,Estado,Nota,Nota máxima,Pode ser alterada", "Participante ",
           "Última modificação", "submissão", "nota", "sexta-feira, 20 de novembro de 2026 às 18:00"),
}  # fmt: skip


@pytest.mark.parametrize("language", WORKSHEETS)
def test_moodles_own_time_says_who_is_late(classroom, language):
    first, participant, changed, submission, grade, time = WORKSHEETS[language]
    header, rows = WORKSHEET.split("\n", 1)
    header = f"{first},{changed} ({submission}),{changed} ({grade}),{header.rpartition(',')[2]}"
    text = f"{header}\n{rows}".replace("Participant ", participant).replace("Friday, 20 November 2026, 6:00 PM", time)
    roster = write(classroom.folder, "grades.csv", text)
    out = classroom(*MOODLE_NAMES, options=["--roster", roster, "--due", "2026-11-18T20:00"])
    rows = table(out / "grades.csv")
    assert [row["days_late"] for row in rows] == ["2", "2", "2", ""]
    assert rows[0]["handed_in"] == "2026-11-20 18:00:00"  # and not 2023, when the files were made
    after = list(csv.reader(io.StringIO((out / "exports/moodle_ch98_tiny.csv").read_text(encoding="utf-8"))))
    assert [row[4] for row in after[1:]] == [*(row["score"] for row in rows[:3]), ""]
    assert all(row["days_late"] == "" for row in table(classroom(*MOODLE_NAMES) / "grades.csv") if "days_late" in row)


def test_a_time_of_moodles_that_nobody_reads_is_named_first(classroom, capsys):
    roster = write(classroom.folder, "grades.csv", WORKSHEET.replace("Friday, 20 November", "piątek, 20 listopada", 1))
    classroom(*MOODLE_NAMES, options=["--roster", roster, "--due", "2026-11-18T20:00"], code=2)
    assert "grades.csv, line 2: 'piątek, 20 listopada 2026, 6:00 PM' is not a date" in capsys.readouterr().err
    assert not classroom.calls
    classroom(*MOODLE_NAMES, options=["--roster", roster])  # and where nobody is late it does not matter


def test_canvas_s_word_is_a_day_and_the_date_of_a_file_nothing(classroom):
    out = classroom(*CANVAS_NAMES, options=["--due", "2020-01-01T00:00", "--late-off", "10%"])
    rows = {row["student"]: row for row in table(out / "grades.csv")}
    assert (rows["lovelaceada_4711"]["days_late"], rows["turingalan_4712"]["days_late"]) == ("0", "1")
    assert rows["turingalan_4712"]["points_off"] == "1" and rows["lovelaceada_4711"]["points_off"] == "0"
    assert "1 day is counted" in rows["turingalan_4712"]["needs_review"]


def test_points_off_by_the_day_with_a_bound(classroom):
    roster = write(classroom.folder, "c.csv", "student,handed_in\nal,2026-11-20 12:00\nbobby,2026-11-29T12:00\ncy,\n")
    options = ["--roster", roster, "--due", "2026-11-18T20:00", "--late-off", "10%", "--late-most", "4"]
    out = classroom("al/x.ipynb", "bobby/x.ipynb", options=options)
    rows = {row["student"]: row for row in table(out / "grades.csv")}
    assert {n: (r["days_late"], r["points_off"], r["score"]) for n, r in rows.items()} == {
        "al": ("2", "2", "1"), "bobby": ("11", "3", "0"), "cy": ("", "0", "0"),
    }  # fmt: skip
    pages = [p.read_text(encoding="utf-8") for p in (out / "feedback").glob("*.html")]
    assert sum("Taken off because it came 2 days late: 2 points." in page for page in pages) == 1
    assert LateRule((10.0, True), (30.0, True)).off(5, 20, 25) == 7.5 and LateRule((2.5, False)).off(2, 20, 25) == 5


RULES = [
    (["--late-off", "10 percent", "--due", "2026-11-18T20:00"], "--late-off '10 percent': write points"),
    (["--late-off", "110%", "--due", "2026-11-18T20:00"], "--late-off '110%'"),
    (["--late-off", "2", "--late-most", "-1", "--due", "2026-11-18T20:00"], "--late-most '-1'"),
    (["--late-most", "50%", "--due", "2026-11-18T20:00"], "--late-most needs --late-off"),
    (["--late-off", "10%"], "Give --due, or a roster with a column due"),
    (["--due", "Friday"], "'Friday' is not a date and time"),
]


def test_a_rule_that_cannot_be_is_told_first(classroom, capsys, subtests):
    for options, says in RULES:
        with subtests.test(msg=str(options)):
            classroom("alice/x.ipynb", options=options, code=2)
            assert says in capsys.readouterr().err and not classroom.calls and not (classroom.folder / "out").exists()


def test_a_whole_sheet_may_be_given_points(classroom):
    roster = write(classroom.folder, "c.csv", "student,handed_in\nal,2026-11-20 12:00\nzed,\n")
    options = ["--roster", roster, "--due", "2026-11-18T20:00", "--late-off", "1"]
    out = classroom("al/x.ipynb", options=options)
    rows = "al,ch98_tiny,,9.5,Told on the phone.\nzed,ch98_tiny,,6,by mail\nal,ch98_tiny,ends,,Nice.\n"
    write(out, "overrides.csv", f"student,sheet,exercise,points,comment\n{rows}")
    classroom(options=options)
    assert {row["student"]: row["score"] for row in table(out / "grades.csv")} == {"al": "9.5", "zed": "6"}
    pages = "".join(p.read_text(encoding="utf-8") for p in (out / "feedback").glob("*.html"))
    assert "9.5 of 10 points (the checks gave 3)" in pages and "Told on the phone." in pages
    assert "<strong>9.5 of 10 points" in pages and "taken off" not in pages


def test_what_was_graded_without_a_sandbox_is_still_called_so(classroom, monkeypatch):
    monkeypatch.setattr(run, "available_tier", lambda: 0)
    classroom("alice/x.ipynb", options=["--unsafe"])
    monkeypatch.setattr(run, "available_tier", lambda: 1)
    out = classroom("bob/x.ipynb")
    assert "Graded without a sandbox" in (out / "report.html").read_text(encoding="utf-8")


def test_pseudonyms_have_an_order_of_their_own(classroom):
    names = [f"s{i:02d}{'x' * (i % 2)}" for i in range(12)]
    out = classroom(*(f"{name}/x.ipynb" for name in names), options=["--anonymous"])
    shown = [row["student"] for row in table(out / "grades.csv")]
    real = {row["name"]: row["student"] for row in table(out / "names.csv")}
    assert shown == sorted(shown) == list(json.loads((out / "grades.json").read_text()))
    assert [real[name] for name in shown] != names
    report = (out / "report.html").read_text(encoding="utf-8")
    order = [report.index(f">{name}<") for name in shown if f">{name}<" in report]
    assert order == sorted(order) and len(order) == 6  # those who have less than all points


def test_pseudonyms_may_be_overridden(classroom, capsys):
    out = classroom("alice/x.ipynb", "bob/x.ipynb", options=["--anonymous"])
    real = {row["student"]: row["name"] for row in table(out / "names.csv")}
    write(out, "overrides.csv", f"student,sheet,exercise,points,comment\n{real['bob']},ch98_tiny,shifted,1,x\n")
    classroom(options=["--anonymous"])
    assert {row["student"]: row["shifted"] for row in table(out / "grades.csv")}[real["bob"]] == "1"
    assert "real names" not in capsys.readouterr().err
    write(out, "overrides.csv", "student,sheet,exercise,points,comment\nbob,ch98_tiny,shifted,1,x\n")
    classroom(options=["--anonymous"])
    assert "overrides.csv contains real names" in capsys.readouterr().err


def test_whose_archive_it_was_gets_the_page_back(classroom):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("course/x.ipynb", as_bytes(SOLVED.values()))
    moodle = ("Bo B_4712_assignsubmission_file_/w.zip", "Cy C_4713_assignsubmission_file_w.zip")
    for name in ("ada_4711_99_course.zip", *moodle):
        path = classroom.folder / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.getvalue())
    out = classroom()
    held = {p: zipfile.ZipFile(out / f"exports/{p}_feedback_ch98_tiny.zip").namelist() for p in ("canvas", "moodle")}
    assert held["canvas"] == ["ada_4711_99_feedback_ch98-tiny.html"]
    assert held["moodle"] == [
        "Bo B_4712_assignsubmission_file_/feedback_ch98_tiny.html",
        "Cy C_4713_assignsubmission_file_feedback_ch98_tiny.html",
    ]
