"""Hand-ins as they come: whole clones, archives in folders, and what platforms say of the time."""

from __future__ import annotations

import io
import json
import os
import zipfile
from datetime import datetime

import pytest

from kcourse_grader.submissions import inbox
from kcourse_grader.submissions.inbox import collect
from tests.grader.notebooks import BLANK, ROOT, SHEET, SOLVED, as_bytes

GOOD = as_bytes(SOLVED.values())
ONE = as_bytes([*(BLANK | {"krr_fit": SOLVED["krr_fit"]}).values()])
LECTURE, OTHER = (ROOT / f"notebooks/{name}.ipynb" for name in (SHEET, "ch05_margin"))
UNTOUCHED = ROOT / f"exercises/{SHEET}_sheet.ipynb"
SOLUTION = ROOT / f"solutions/{SHEET}_sheet.ipynb"


def run_again(data: bytes, *more: str) -> bytes:
    """The notebook after somebody has run it: other outputs, the same code, and more cells."""
    content = json.loads(data)
    content["cells"] += [{"cell_type": "code", "metadata": {}, "source": source} for source in more]
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], 7
    return json.dumps(content).encode()


def put(folder, files):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def packed(files) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def clone(**more: bytes) -> dict[str, bytes]:
    """The files of a clone whose owner has run what is in it."""
    files = {f"{f}/{p.name}": p.read_bytes() for p, f in ((LECTURE, "notebooks"), (OTHER, "notebooks"))}
    files |= {"exercises/ch03_ridge_sheet.ipynb": UNTOUCHED.read_bytes(), "README.md": b"the course"}
    files |= {"solutions/ch03_ridge_sheet.ipynb": run_again(SOLUTION.read_bytes())}
    files |= {f"my_work/{name}": run_again(files[name]) for name in list(files) if name[0] in "ne"}
    return files | more


HERE, THERE = "my_work/exercises/ch03_ridge_sheet.ipynb", "exercises/ch03_ridge_sheet.ipynb"
OLD_LECTURE = "my_work/notebooks/ch05_margin.ipynb"  # defines two of its sheet's functions


@pytest.mark.parametrize("sheet", [None, SHEET])
@pytest.mark.parametrize("how", ["folder", "zip in a folder", "zip in a zip", "flat zip"])
def test_of_a_whole_clone_only_the_answer_counts(tmp_path, how, sheet):
    files = clone(**{HERE: ONE, OLD_LECTURE: run_again(OTHER.read_bytes(), "x = 1")})
    if how == "folder":
        put(tmp_path / "in/alice", files)
    elif how == "zip in a folder":
        put(tmp_path / "in", {"alice/work.zip": packed({f"course/{name}": data for name, data in files.items()})})
    elif how == "zip in a zip":
        put(tmp_path / "in", {"alice/all.zip": packed({"course.ZIP": packed(files)})})
    else:
        put(tmp_path / "in", {"alice.zip": packed(files)})
    put(tmp_path / "in", {"bob/x.ipynb": GOOD})
    alice, _ = collect(tmp_path / "in", sheet)
    assert (alice.student, alice.sheet, alice.problem) == ("alice", SHEET, "")
    assert alice.file.endswith(HERE) and alice.notebook.defined["krr_fit"] == 1
    assert alice.notes == alice.review == [] and alice.handed_in is None


def test_my_work_comes_first_and_an_answer_before_none(tmp_path):
    put(tmp_path / "a", clone(**{HERE: ONE, THERE: GOOD}))
    put(tmp_path / "b", clone(**{HERE: as_bytes([*BLANK.values(), "x = 1"]), THERE: ONE}))
    for name in ("a", "b"):
        os.utime(tmp_path / name / HERE, (1_000, 1_000))  # the time says nothing
    a, b = collect(tmp_path)
    assert a.file == f"a/{HERE}" and b.file == f"b/{THERE}"
    assert len(a.review) == 1 and "the latest in my_work" in a.review[0] and not b.review


def test_of_a_clone_without_an_answer_that_is_said(tmp_path):
    put(tmp_path / "a", clone())
    put(tmp_path / "b", {"b.ipynb": GOOD})
    a, b = collect(tmp_path)
    assert a.notebook is None and "the course's own notebooks" in a.problem
    assert b.notebook


def test_of_a_clone_of_another_version_only_the_answer_counts(tmp_path):
    files = clone(**{HERE: ONE})
    for name in list(files):
        if name.endswith(".ipynb") and name != HERE:
            files[name] = run_again(files[name], "y = 2")
    put(tmp_path / "a", files)
    put(tmp_path / "b", {name: data for name, data in files.items() if name != HERE})
    a, b = collect(tmp_path)
    assert a.file == f"a/{HERE}"
    assert b.file.startswith("b/solutions/") and len(b.review) == 1 and "solutions" in b.review[0]


def test_a_lecture_that_was_run_is_no_attempt_beside_the_sheet(tmp_path):
    files = {"ch03_ridge_sheet.ipynb": ONE, "ch03_ridge.ipynb": run_again(LECTURE.read_bytes()),
             "ch03_ridge_sheet (1).ipynb": UNTOUCHED.read_bytes(), "ch05_margin.ipynb": OTHER.read_bytes()}  # fmt: skip
    put(tmp_path / "a", files)
    put(tmp_path / "b", {"x.ipynb": GOOD})
    a, _ = collect(tmp_path)
    assert a.file == "a/ch03_ridge_sheet.ipynb" and a.notes == a.review == []


@pytest.mark.parametrize("zipped", [False, True])
def test_one_clone_alone_is_one_students(tmp_path, zipped):
    if zipped:
        source = tmp_path / "alice.zip"
        source.write_bytes(packed({f"course-main/{name}": data for name, data in clone(**{HERE: ONE}).items()}))
    else:
        put(source := tmp_path / "alice", clone(**{HERE: ONE}))
    told = []
    [found] = collect(source, tell=told.append)
    assert found.student == ("course-main" if zipped else "alice") and found.file.endswith(HERE)
    assert any("one clone of the course" in sentence for sentence in told)


def test_github_classroom_puts_the_assignment_before_the_name(tmp_path):
    inside = tmp_path / "sheet-3-submissions"
    put(inside / "sheet-3-alice", clone(**{HERE: ONE}))
    put(inside / "sheet-3-bob-sheet-3-b", clone(**{HERE: GOOD}))
    assert [s.student for s in collect(inside)] == [s.student for s in collect(tmp_path)] == ["alice", "bob-sheet-3-b"]
    inside.rename(tmp_path / "sheet-3")
    assert [s.student for s in collect(tmp_path)] == ["sheet-3-alice", "sheet-3-bob-sheet-3-b"]


BOMBS = {
    "too many": (packed({f"{i}/x.txt": b"" for i in range(30)} | {"z.ipynb": GOOD}), "too many for a test"),
    "too deep": (packed({"/".join("abcdefghijklmn") + "/x.ipynb": GOOD}), "more than 12 folders deep"),
    "three in each other": (packed({"b.zip": packed({"c.zip": packed({"x.ipynb": GOOD})})}), "2 nested archives"),
    "a bomb": (packed({"in.zip": packed({"x.ipynb": b"\0" * 10**7}) + b"\0" * 10**4}), "more than 0 MB"),
    "damaged": (packed({"x.ipynb": GOOD})[:-30], "cannot be opened"),
    "too large": (b"PK" + b"\0" * 3000, "more than 0 MB"),
}


@pytest.mark.parametrize(("data", "says"), BOMBS.values(), ids=BOMBS)
@pytest.mark.parametrize("zipped", [False, True])
def test_an_archive_in_a_folder_has_bounds(tmp_path, monkeypatch, data, says, zipped):
    monkeypatch.setattr(inbox, "_MANY", 20)
    monkeypatch.setattr(inbox, "_TOO_MANY", "too many for a test")
    if "MB" in says:
        monkeypatch.setattr(inbox, "_ARCHIVE", 1000)
    files = {"a/work.zip": data, "b/x.ipynb": GOOD}
    put(tmp_path / "in", files)
    (tmp_path / "in.zip").write_bytes(packed(files))
    told = []
    a, b = collect(tmp_path / ("in.zip" if zipped else "in"), tell=told.append)
    assert a.notebook is None and "no notebook" in a.problem and b.notebook
    assert any(says in line for line in told) and any(says in line for line in a.review)


@pytest.mark.parametrize("large", [False, True], ids=["zip", "zip64"])
def test_an_archive_of_very_many_files_is_not_even_listed(tmp_path, monkeypatch, large):
    monkeypatch.setattr(inbox, "_CONTENTS", 1000)
    many = packed({f"{i}.txt": b"" for i in range(70_000 if large else 100)} | {"x.ipynb": GOOD})  # zip64 from 65,536
    put(tmp_path, {"a/w.zip": many, "b/x.ipynb": GOOD, "c/w.zip": packed({"x.ipynb": GOOD})})
    opened = []
    original = zipfile.ZipFile
    monkeypatch.setattr(zipfile, "ZipFile", lambda data: opened.append(data.name) or original(data))
    a, _, c = collect(tmp_path)
    assert a.notebook is None and "more than 5000 files" in a.review[0] and c.notebook
    assert [name.split("/")[-2] for name in map(str, opened)] == ["c"]


def test_no_date_of_an_archive_or_a_clone_is_when_it_was_handed_in(tmp_path):
    platforms = {"Ada L_11_assignsubmission_file_/x.ipynb": GOOD, "lovelace_4711_99_x.ipynb": GOOD}
    put(tmp_path / "in", {"a/x.ipynb": GOOD, "b/w.zip": packed({"x.ipynb": GOOD})} | platforms)
    (tmp_path / "in.zip").write_bytes(packed({"a/x.ipynb": GOOD, "b.ipynb": GOOD}))
    assert {s.student: bool(s.handed_in) for s in collect(tmp_path / "in")} == {
        "a": True, "b": False, "Ada L_11": False, "lovelace_4711": False,
    }  # fmt: skip
    assert [s.handed_in for s in collect(tmp_path / "in.zip")] == [None, None]
    name = "Sheet 3_alice_attempt_2026-11-20-23-59-00_sheet.ipynb"
    (tmp_path / "b.zip").write_bytes(packed({name: GOOD}))
    assert collect(tmp_path / "b.zip")[0].handed_in == datetime(2026, 11, 20, 23, 59)


def test_canvas_says_who_is_late(tmp_path):
    put(tmp_path, {f"{who}_{i}_99_x.ipynb": GOOD for i, who in enumerate(("ada", "bob_LATE"))} | {"x/y.ipynb": GOOD})
    assert {s.student: s.late for s in collect(tmp_path)} == {"ada_0": False, "bob_1": True, "x": None}


def test_what_a_platform_names_and_nobody_can_open_is_a_student_without_a_notebook(tmp_path):
    put(tmp_path, {"ada_1_99_x.ipynb": GOOD, "bob_2_98_sheet.7z": b"7z", "ada_1_97_notes.pdf": b"%PDF"})
    ada, bob = collect(tmp_path)
    assert ada.notebook and bob.student == "bob_2" and "only bob_2_98_sheet.7z" in bob.problem


def test_two_folders_that_github_classroom_would_call_alike_stay_apart(tmp_path):
    put(inside := tmp_path / "sheet-3-submissions", {"sheet-3-alice/x.ipynb": GOOD, "alice/x.ipynb": ONE})
    put(inside, {"sheet-3-bo/x.ipynb": ONE})
    found = collect(inside)
    assert len({s.student for s in found}) == 3 and not any("attempts" in line for s in found for line in s.review)


@pytest.mark.parametrize("outer", [False, True])
def test_an_archive_whose_names_nobody_can_read_costs_its_student_alone(tmp_path, outer):
    broken = packed({"é.ipynb": b"{}"}).replace("é".encode(), b"\xff\xfe")
    put(tmp_path / "in", {"bob/x.ipynb": GOOD, "alice/s.zip": packed({"s.zip": broken}) if outer else broken})
    alice, bob = collect(tmp_path / "in")
    assert alice.notebook is None and (alice.problem or alice.review) and bob.notebook


def test_archives_in_archives_have_one_bound_for_all_of_them(tmp_path, monkeypatch):
    monkeypatch.setattr(inbox, "_ARCHIVE", 400_000)
    inner = {f"{i}.zip": bytes(100_000) + packed({"x.ipynb": GOOD}) for i in range(9)}
    put(tmp_path / "in", {"alice/all.zip": packed(inner), "bob/x.ipynb": GOOD})
    alice, _ = collect(tmp_path / "in")
    assert alice.notebook and "nested archives have more than" in " ".join(alice.review)
    assert len(alice.review) <= 7 and alice.review[-1].startswith("skipped: ")


def test_a_course_folder_among_students_makes_no_clone_of_them(tmp_path):
    for name in ("in", "two"):
        put(tmp_path / name, {"alice/x.ipynb": GOOD, "bob/x.ipynb": ONE})
    put(tmp_path / "in", {"my_work/exercises/y.ipynb": ONE})
    (tmp_path / "two/my_work").mkdir(parents=True)
    for name in ("in", "two"):
        assert {"alice", "bob"} <= {s.student for s in collect(tmp_path / name)}


def test_a_damaged_sheet_of_a_clone_is_said(tmp_path):
    conflict = b"<<<<<<< HEAD\n" + ONE
    put(tmp_path / "a", clone(**{HERE: conflict}))
    put(tmp_path / "b", clone(**{HERE: conflict, "my_work/old copy ch03_ridge_sheet.ipynb": ONE}))
    a, b = collect(tmp_path)
    assert a.sheet == SHEET and a.notebook is None and "course's own" not in a.problem
    assert b.notebook and any(HERE in line for line in b.review)


@pytest.mark.parametrize(("files", "counts"), [
    # what is written into a lecture counts if the lecture does not say it
    (clone(**{f"my_work/notebooks/{LECTURE.name}": run_again(LECTURE.read_bytes(), SOLVED["krr_fit"])}),
     f"my_work/notebooks/{LECTURE.name}"),
    # a solution as an answer of one's own is an attempt
    ({"ch03_ridge_sheet.ipynb": SOLUTION.read_bytes(), "y.ipynb": UNTOUCHED.read_bytes()},
     "ch03_ridge_sheet.ipynb"),
])  # fmt: skip
def test_what_is_answered_counts_wherever_it_stands(tmp_path, files, counts):
    put(tmp_path / "a", files)
    put(tmp_path / "b", {"x.ipynb": GOOD})
    assert collect(tmp_path)[0].file == f"a/{counts}"


def test_files_that_are_not_named_are_counted(tmp_path):
    put(tmp_path, {"a/x.ipynb": GOOD, "b/x.ipynb": GOOD} | {f"a/.{i}.ipynb": b"" for i in range(9)})
    assert collect(tmp_path)[0].review[-1] == "skipped: 4 more files"
