"""Whose file is it?"""

import os
import struct
import zipfile

import pytest

from kcourse.grading.inbox import collect
from tests.grading.making import SHEET, SOLVED, as_bytes

GOOD = as_bytes(SOLVED.values())


def put(folder, *names, data=GOOD):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def packed(path, **files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__SL__", "/"), data)
    return path


NAMES = {
    "alice/ch03_ridge_sheet.ipynb": "alice",
    "alice/ch03_ridge.ipynb": "alice",
    "alice/deeper/my answer.ipynb": "alice",
    "alice.ipynb": "alice",
    "alice_ch03_ridge_sheet.ipynb": "alice",
    "alice_ch03_ridge.ipynb": "alice",
    "ch03_ridge-alice.ipynb": "alice",
    "ch03_ridge_sheet_new2-alice.ipynb": "alice",
    "Ada Lovelace_4711_assignsubmission_file_/sheet.ipynb": "Ada Lovelace_4711",
    "lovelaceada_LATE_4711_998877_ch03_ridge-2.ipynb": "lovelaceada_4711",
    "lovelaceada_4711_998877_ch03_ridge_sheet.ipynb": "lovelaceada_4711",
    "Sheet 3_alice_attempt_2026-11-20-23-59-00_sheet.ipynb": "alice",
}


@pytest.mark.parametrize(("name", "student"), NAMES.items())
@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_layouts(tmp_path, name, student, zipped):
    if zipped:
        source = packed(tmp_path / "all.zip", **{name: GOOD, "__MACOSX/x.ipynb": b"", "other/y.ipynb": GOOD})
    else:
        put(source := tmp_path / "all", name, "other/y.ipynb", ".ipynb_checkpoints/z.ipynb")
    found = {s.student: s for s in collect(source)}
    assert set(found) == {student, "other"}
    assert found[student].sheet == SHEET and found[student].notebook and not found[student].problem


@pytest.mark.parametrize("names", [("alice/a.ipynb", "bob/b.ipynb"), ("alice.ipynb", "bob.ipynb")])
def test_one_folder_around_everything_is_no_student(tmp_path, names):
    source = packed(tmp_path / "all.zip", **{f"all/{name}": GOOD for name in names})
    assert [s.student for s in collect(source)] == ["alice", "bob"]


def test_one_student_in_a_folder_is_a_student(tmp_path):
    put(tmp_path / "all", "alice/ch03_ridge_sheet.ipynb")
    assert [s.student for s in collect(tmp_path / "all")] == ["alice"]


@pytest.mark.parametrize("above", ["", "all/", "homework 3/"])
def test_one_student_in_nbgraders_layout_is_not_the_sheet(tmp_path, above):
    source = packed(tmp_path / "all.zip", **{f"{above}alice/ch03_ridge/ch03_ridge_sheet.ipynb": GOOD})
    assert [s.student for s in collect(source)] == ["alice"]


def test_the_latest_attempt_counts_and_is_noted(tmp_path):
    put(tmp_path, "a/ch03_ridge.ipynb", "a/ch03_ridge-2.ipynb", "a/ch03_ridge-10.ipynb")
    [found] = collect(tmp_path)
    assert found.file == "a/ch03_ridge-10.ipynb" and "3 attempts" in found.notes[0]


def test_the_time_decides_where_no_number_does(tmp_path):
    put(tmp_path, "a/one.ipynb", "a/two.ipynb")
    os.utime(tmp_path / "a/one.ipynb", (2e9, 2e9))
    [found] = collect(tmp_path)
    assert found.file == "a/one.ipynb"


def test_links_are_not_followed(tmp_path):
    put(tmp_path / "all", "bob/x.ipynb")
    put(tmp_path / "elsewhere", "y.ipynb")
    (tmp_path / "all/mallory").mkdir()
    (tmp_path / "all/mallory/x.ipynb").symlink_to(tmp_path / "all/bob/x.ipynb")
    (tmp_path / "all/eve").symlink_to(tmp_path / "elsewhere")
    bob, mallory = collect(tmp_path / "all")
    assert (bob.student, mallory.student, mallory.notebook) == ("bob", "mallory", None) and "a link" in mallory.problem


def test_a_bomb_is_not_unpacked(tmp_path):
    source = packed(
        tmp_path / "all.zip", **{"a/x.ipynb": b" " * 30_000_000, "b/y.ipynb": GOOD, "c/z.ipynb": b" " * 10**6}
    )
    problems = {s.student: s.problem for s in collect(source, SHEET)}
    assert "MB" in problems["a"] and problems["b"] == "" and "MB" in problems["c"]


def test_a_damaged_member_is_a_problem_of_its_own(tmp_path):
    source = packed(tmp_path / "all.zip", **{"a/x.ipynb": GOOD, "b/y.ipynb": GOOD})
    data = bytearray(source.read_bytes())
    start = 30 + struct.unpack_from("<H", data, 26)[0]
    data[start : start + 40] = b"\xff" * 40
    source.write_bytes(data)
    problems = {s.student: s.problem for s in collect(source, SHEET)}
    assert "cannot be read" in problems["a"] and problems["b"] == ""


def test_names_that_climb_out_are_ignored(tmp_path):
    source = packed(tmp_path / "all.zip", **{"../evil.ipynb": GOOD, "b/y.ipynb": GOOD})
    assert [s.student for s in collect(source)] == ["b"]


def test_a_student_without_a_notebook_is_named(tmp_path):
    put(tmp_path, "a/answers.pdf", data=b"%PDF")
    put(tmp_path, "b/x.ipynb")
    a, b = collect(tmp_path, SHEET)
    assert a.notebook is None and "answers.pdf" in a.problem and b.notebook


def test_nothing_there(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        collect(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="no notebooks"):
        collect(tmp_path)
    (tmp_path / "x.zip").write_bytes(b"PK\x05\x06" + b"\0" * 10)
    with pytest.raises(ValueError):
        collect(tmp_path / "x.zip")


def test_a_renamed_sheet_is_recognised_and_a_foreign_one_is_not(tmp_path):
    put(tmp_path, "a/homework.ipynb")
    put(tmp_path, "b/homework.ipynb", data=as_bytes(["x = 1"]))
    a, b = collect(tmp_path)
    assert a.sheet == SHEET and "recognised" in a.notes[0]
    assert b.sheet is None and "none of the course's exercises" in b.problem
