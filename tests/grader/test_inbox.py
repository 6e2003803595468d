"""Whose file is it?"""

import json
import os
import pickle
import random
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from datetime import UTC, datetime

import pytest

from kcourse.checks import exercises
from kcourse_grader.submissions import inbox
from kcourse_grader.submissions.inbox import collect
from tests.grader.notebooks import BLANK, SHEET, SOLVED, as_bytes, sheet_cells
from tests.rows import each

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


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names are text there")
def test_names_that_are_no_text_stay_two(tmp_path):
    for letter in (b"\xf6", b"\xfc"):
        folder = os.path.join(os.fsencode(tmp_path), b"M" + letter + b"ller")
        os.mkdir(folder)
        with open(os.path.join(folder, b"ch03_ridge_sheet.ipynb"), "wb") as file:
            file.write(GOOD)
    assert [s.student for s in collect(tmp_path)] == ["M\\xf6ller", "M\\xfcller"]


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
    "LATE_anon_aB3dE_998877_ch03_ridge_sheet.ipynb": "anon_aB3dE",
    "Sheet 3_alice_attempt_2026-11-20-23-59-00_sheet.ipynb": "alice",
}


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_layouts(tmp_path, zipped, subtests):
    for i, (name, student) in enumerate(NAMES.items()):
        with subtests.test(msg=name):
            if zipped:
                more = {name: GOOD, "__MACOSX/x.ipynb": b"", "other/y.ipynb": GOOD}
                source = packed(tmp_path / f"{i}.zip", **more)
            else:
                put(source := tmp_path / f"{i}", name, "other/y.ipynb", ".ipynb_checkpoints/z.ipynb")
            found = {s.student: s for s in collect(source)}
            assert set(found) == {student, "other"}
            assert found[student].sheet == SHEET and found[student].notebook and not found[student].problem


@pytest.mark.parametrize("names", [("alice/a.ipynb", "bob/b.ipynb"), ("alice.ipynb", "bob.ipynb")])
def test_one_folder_around_everything_is_no_student(tmp_path, names):
    source = packed(tmp_path / "all.zip", **{f"all/{name}": GOOD for name in names})
    told = []
    assert [s.student for s in collect(source, tell=told.append)] == ["alice", "bob"]
    assert len(told) == 1 and " all," in told[0]


def test_the_latest_attempt_counts_and_is_noted(tmp_path):
    put(tmp_path, "a/ch03_ridge.ipynb", "a/ch03_ridge-2.ipynb", "a/ch03_ridge-10.ipynb")
    [found] = collect(tmp_path)
    assert found.file == "a/ch03_ridge-10.ipynb" and "3 attempts" in found.notes[0]


def test_a_newer_scrap_does_not_replace_a_sheet(tmp_path):
    put(tmp_path, "a_4711_901_sheet.ipynb", "b_4712_903_sheet.ipynb")
    put(tmp_path, "a_4711_902_scratch.ipynb", data=as_bytes([SOLVED["krr_fit"]]))
    put(tmp_path, "b_4712_904_sheet.ipynb", data=as_bytes(list(BLANK.values())[:-1] + [SOLVED["krr_tune"]]))
    assert [s.file[:10] for s in collect(tmp_path)] == ["a_4711_901", "b_4712_904"]


@pytest.mark.parametrize("sheet", [None, SHEET])
def test_an_untouched_copy_beats_no_answer(tmp_path, sheet):
    one, blank = [*BLANK.values()], as_bytes(BLANK.values())
    one[1] = SOLVED["krr_fit"]
    files = {"ch03_ridge_sheet.ipynb": blank, "ch03_ridge_sheet (1).ipynb": as_bytes(one)}
    files |= {"ch03_ridge_sheet (2).ipynb": blank, "ch03_ridge_sheet (3).ipynb": blank}
    for name, data in files.items():
        put(tmp_path, f"a/{name}", data=data)
    put(tmp_path, "b/ch03_ridge.ipynb", "b/ch03_ridge-2.ipynb", data=blank)
    a, b = collect(tmp_path, sheet)
    assert a.file.endswith("(1).ipynb") and b.file.endswith("-2.ipynb")
    assert len(a.notes) == 1 and "4 attempts" in a.notes[0] and all(f"a/{name}" in a.notes[0] for name in files)
    assert len(a.review) == 1 and "4 attempts" in a.review[0] and "answers" in a.review[0]
    assert len(b.review) == 1 and "2 attempts" in b.review[0] and "the latest" in b.review[0]


def test_what_begins_with_a_dot_is_said_once(tmp_path):
    hidden = ["bob/.tmp/deep/x.ipynb", "bob/.tmp/y.ipynb", ".alice/x.ipynb", ".alice/y.ipynb", "bob/.z.ipynb"]
    silent = [".git/x.ipynb", "bob/.ipynb_checkpoints/x.ipynb", "bob/._x.ipynb", "bob/.~x.ipynb", ".DS_Store",
              ".idea/workspace.xml", "__MACOSX/._x.ipynb"]  # fmt: skip
    names = ["bob/x.ipynb", "carol/x.ipynb", *hidden, *silent]
    put(tmp_path / "all", *names)
    for source in (
        tmp_path / "all",
        packed(tmp_path / "all.zip", **dict.fromkeys(names, GOOD)),
        packed(tmp_path / "in.zip", **{f"in/{name}": GOOD for name in names}),
    ):
        told = []
        found = {s.student: s for s in collect(source, tell=told.append)}
        paths = (".alice/…", "bob/.tmp/…", "bob/.z.ipynb")
        about = [f"kipped: {path}, because its name begins with a dot" for path in paths]
        assert sorted(t for t in told if "Everything" not in t) == sorted(f"S{a}." for a in about)
        assert set(found) == {".alice", "bob", "carol"} and found[".alice"].notebook is None
        assert sorted(found["bob"].review) == [f"s{a}" for a in about[1:]]
        assert found[".alice"].review == [f"s{about[0]}"] and found["carol"].review == []


def test_what_is_hidden_takes_no_room_from_what_is_handed_in(tmp_path, monkeypatch):
    monkeypatch.setattr(inbox, "_MANY", 30)
    put(tmp_path, *(f"alice/.env/lib/{i}.py" for i in range(60)), "alice/z/z/z/x.ipynb", "bob/x.ipynb")
    alice, bob = collect(tmp_path)
    assert alice.notebook and bob.notebook and alice.review == []


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems refuse such times")
def test_a_file_of_no_time_is_graded(tmp_path):
    put(tmp_path, "a/x.ipynb", "b/x.ipynb")
    os.utime(tmp_path / "a/x.ipynb", (2**40, 2**40))  # the year 36,812, where the file system takes it
    assert [bool(s.notebook) for s in collect(tmp_path)] == [True, True]
    assert [inbox._local(when) for when in (2**40, -(2**40), 1e30)] == [None, None, None]


def test_two_assignments_of_one_student_are_not_two_students(tmp_path):
    put(tmp_path, *(f"Sheet {i}_alice_attempt_2026-11-2{i}-23-59-00_x.ipynb" for i in (3, 4)))
    [alice] = collect(tmp_path)
    assert alice.student == "alice" and "2026-11-24" in alice.file


COLLIDING = {
    ("alice/x.ipynb", "alice_ch03_ridge.ipynb", "bob/x.ipynb"): {"alice", "alice_ch03_ridge.ipynb", "bob"},
    ("alice.ipynb", "ch03_ridge-alice.ipynb"): {"alice.ipynb", "ch03_ridge-alice.ipynb"},
    ("a_1/x.ipynb", "a_1_2_ch03_ridge.ipynb"): {"a_1", "a_1_2_ch03_ridge"},
    ("A_1/x.ipynb", "A_1_assignsubmission_file_/x.ipynb"): {"A_1", "A_1_assignsubmission_file_"},
    ("alice/x.ipynb", "alice_ch03_ridge.ipynb", "alice_ch03_ridge.ipynb/x.ipynb"): {
        "alice", "alice_ch03_ridge.ipynb", "alice_ch03_ridge.ipynb'",
    },
    ("alice/x.ipynb", "Sheet 3_alice_attempt_2026-11-20-23-59-00_x.ipynb"): {"alice", "Sheet 3_alice"},
}  # fmt: skip


@pytest.mark.parametrize("names", COLLIDING)
def test_names_that_collide_are_reported_and_not_merged(tmp_path, names):
    if len(names) == 3 and names[1] in names[2]:  # a folder cannot have a file's name, in an archive it can
        source = packed(tmp_path / "all.zip", **dict.fromkeys(names, GOOD))
    else:
        put(source := tmp_path / "all", *names)
    found = collect(source)
    assert {s.student for s in found} == COLLIDING[names]
    assert sum(bool(s.review) for s in found) == 2 and not any("attempts" in note for s in found for note in s.notes)


ALIKE = {
    ("Zo\u00eb/x.ipynb", "Zoe\u0308/x.ipynb"): {"Zo\u00eb", "Zoe\\u0308"},  # of a Mac and of another machine
    ("alice/x.ipynb", "alice /x.ipynb"): {"alice", "alice\\u0020"},
    ("alice/x.ipynb", "Alice/x.ipynb", "ali\u200bce/x.ipynb"): {"alice", "Alice", "ali\\u200bce"},
    ("alice/x.ipynb", "\u202ealice/x.ipynb", "al\nice/x.ipynb"): {"alice", "\\u202ealice", "al\\u000aice"},
    ("Zo\u00eb.ipynb", "Zoe\u0308.ipynb"): {"Zo\u00eb.ipynb", "Zoe\\u0308.ipynb"},
    ("Zo\u00eb_1_2_x.ipynb", "Zoe\u0308_1_3_x.ipynb"): {"Zo\u00eb_1_2_x", "Zoe\\u0308_1_3_x"},
    ("Zo\u00eb_1_assignsubmission_file_/x.ipynb", "Zoe\u0308_1_assignsubmission_file_x.ipynb"): {
        "Zo\u00eb_1_assignsubmission_file_", "Zoe\\u0308_1_assignsubmission_file_x",
    },
}  # fmt: skip


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
def test_names_that_look_alike_are_told_apart_and_listed(tmp_path, zipped, subtests):
    for i, names in enumerate(ALIKE):
        with subtests.test(msg=ascii(names)):
            source = tmp_path / f"{i}"
            if zipped:
                source = packed(tmp_path / f"{i}.zip", **dict.fromkeys([*names, "bob/x.ipynb"], GOOD))
            else:
                put(source, *names, "bob/x.ipynb")
                if len(list(source.iterdir())) <= len(names):
                    continue  # on this file system they are one
            found = {s.student: s.review for s in collect(source)}
            assert found.pop("bob") == [] and set(found) == ALIKE[names]
            assert all(review for review in found.values())


def test_names_of_other_scripts_stay_as_they_are(tmp_path):
    persian = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"  # with a joiner
    names = [persian, "\u0928\u093f\u0936\u093e", "\u0131rmak", "irmak"]
    put(tmp_path, *(f"{name}/x.ipynb" for name in names))
    assert {s.student: s.review for s in collect(tmp_path)} == {name: [] for name in names}


@pytest.mark.parametrize("page", ["utf-8", "cp850", "cp1252"])
def test_names_in_an_archive_that_does_not_say_how_they_are_encoded(tmp_path, page):
    names = ["Anna", "François", "Hélène", "Jürgen Groß", "Márquez", "Zoë"]
    raw = {f"{i}" * len(name.encode(page)): name.encode(page) for i, name in enumerate(names)}
    source = packed(tmp_path / "all.zip", **{f"{digits}/x.ipynb": GOOD for digits in raw})
    data = source.read_bytes()
    for digits, name in raw.items():
        data = data.replace(f"{digits}/x.ipynb".encode(), name + b"/x.ipynb")
    source.write_bytes(data)
    told = []
    assert [s.student for s in collect(source, tell=told.append)] == names
    assert any(page in line for line in told) == (page != "utf-8")


def test_names_in_archives_may_be_long(tmp_path):
    rng = random.Random(1)
    made = [" " * 30_000, "_" * 30_000, "a_1" * 10_000, "-1" * 15_000, "_attempt_" * 3000, "9" * 30_000, "(1" * 15_000]
    names = [f"{stem}{rng.choice('x)')}.ipynb" for stem in made]
    source = packed(tmp_path / "all.zip", **dict.fromkeys([*names, *(f"a/{name}" for name in names)], GOOD))
    assert len(collect(source)) == len(names) + 1


def test_a_notebook_is_kept_only_if_it_counts(tmp_path):
    cells = [*SOLVED.values(), "# " + "x" * 190_000, "# " + "y" * 190_000]
    for i in range(12):
        put(tmp_path, f"a/x-{i}.ipynb", f"b/x-{i}.ipynb", data=as_bytes([*cells, f"# {i}"]))
    tracemalloc.start()
    found = collect(tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000 and len(pickle.dumps(found)) < 1_000_000
    tracemalloc.stop()
    assert [s.notebook.cells[-1] for s in found] == ["# 11", "# 11"]
    assert "12 attempts" in found[0].notes[-1] and "and 6 more" in found[0].notes[-1]


def bottomless(folder, depth=1500):
    """A folder in a folder in a folder; longer than any path may be."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=at)
        above, at = at, os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(above)
    os.close(at)


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no descriptors")
def test_folders_without_end(tmp_path):
    put(tmp_path, "alice/x.ipynb", "bob/x.ipynb")
    bottomless(tmp_path / "alice")
    bottomless(tmp_path)
    told = []
    alice, bob, d = collect(tmp_path, SHEET, told.append)
    subprocess.run(["rm", "-rf", tmp_path / "alice", tmp_path / "d"], check=True)  # pytest could not
    assert (alice.problem, bob.problem, bob.review) == ("", "", []) and "more than 12 folders deep" in alice.review[0]
    assert d.student == "d" and "no notebook" in d.problem and len(told) == 2


def test_folders_without_end_in_an_archive(tmp_path):
    deep = "/".join(["d"] * 3000)
    source = packed(tmp_path / "all.zip", **{f"{deep}/x.ipynb": GOOD})
    with pytest.raises(ValueError, match="no notebooks"):
        collect(source)
    source = packed(tmp_path / "all.zip", **{f"alice/{deep}/x.ipynb": GOOD, "alice/x.ipynb": GOOD, "bob/x.ipynb": GOOD})
    alice, bob = collect(source)
    assert "folders deep" in alice.review[0] and not bob.review


def test_more_files_than_anyone_hands_in(tmp_path, monkeypatch):
    monkeypatch.setattr(inbox, "_MANY", 30)
    monkeypatch.setattr(inbox, "_ATTEMPTS", 5)
    put(tmp_path, "alice/ch03_ridge.ipynb", *(f"alice/junk/{i}.txt" for i in range(40)), "bob/x.ipynb")
    put(tmp_path, *(f"carol/x-{i}.ipynb" for i in range(1, 9)))
    told = []
    alice, bob, carol = collect(tmp_path, SHEET, told.append)
    assert alice.notebook and bob.notebook and "files and folders" in alice.review[0] and len(told) == 1
    assert carol.file == "carol/x-8.ipynb" and "only the latest 5" in carol.notes[-1]


def test_links_are_not_followed(tmp_path):
    put(tmp_path / "all", "bob/x.ipynb")
    put(tmp_path / "elsewhere", "y.ipynb")
    (tmp_path / "all/mallory").mkdir()
    (tmp_path / "all/mallory/x.ipynb").symlink_to(tmp_path / "all/bob/x.ipynb")
    (tmp_path / "all/eve").symlink_to(tmp_path / "elsewhere")
    bob, eve, mallory = collect(tmp_path / "all")
    assert (bob.student, mallory.student, mallory.notebook) == ("bob", "mallory", None) and "a link" in mallory.problem
    assert (eve.student, eve.notebook) == ("eve", None) and "a link" in eve.review[0]


def test_a_bomb_is_not_unpacked(tmp_path):
    files = {"a/x.ipynb": b" " * 30_000_000, "b/y.ipynb": GOOD, "c/z.ipynb": b" " * 10**6}
    source = packed(tmp_path / "all.zip", **files)
    tracemalloc.start()
    problems = {s.student: s.problem for s in collect(source, SHEET)}
    assert tracemalloc.get_traced_memory()[1] < 15_000_000
    tracemalloc.stop()
    assert "MB" in problems["a"] and problems["b"] == "" and "empty" in problems["c"]


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


ATTEMPT = "attempt_2026-11-20-23-59-00"


@each(("names", "students"), [
    (["all/alice/ch03_ridge_sheet.ipynb"], ["alice"]),
    (["alice/ch03_ridge/ch03_ridge_sheet.ipynb"], ["alice"]),  # nbgrader's layout
    (["homework 3/alice/ch03_ridge/ch03_ridge_sheet.ipynb"], ["alice"]),
    (["  /x.ipynb", "   /x.ipynb"], [r"\u0020\u0020", r"\u0020\u0020\u0020"]),
    (["../evil.ipynb", "b/y.ipynb"], ["b"]),
    # a platform's part of a name ends before the student's own begins
    ([f"Sheet 3_alice_{ATTEMPT}_ch03.ipynb",
      f"Sheet 3_mallory_{ATTEMPT}_x_alice_attempt_2099-01-01-00-00-00_ch03.ipynb"], ["alice", "mallory"]),
    (["alice_4711_998877_ch03.ipynb",
      "mallory_LATE_4712_998878_x_alice_4711_attempt_2099-01-01-00-00-00_ch03.ipynb"],
     ["alice_4711", "mallory_4712"]),
    ([f"Sheet_3_{who}_{ATTEMPT}_x_1_2_y.ipynb" for who in (4711, 4712)], ["4711", "4712"]),
    *(([f"{sheet}_{who}_{ATTEMPT}_x.ipynb" for who in ("a_smith", "b_smith", "smith")],
       ["a_smith", "b_smith", "smith"]) for sheet in ("Sheet 3", "Problem_Set_3")),
])  # fmt: skip
def test_who_handed_in_is_read_from_where_a_file_lies_and_what_it_is_called(tmp_path, names, students):
    found = collect(packed(tmp_path / "all.zip", **dict.fromkeys(names, GOOD)))
    assert [s.student for s in found] == students and not any(s.review for s in found)


TRICKS = ["x_alice_attempt_2099-01-01-00-00-00.ipynb", "x_alice_attempt_2099-01-01-00-00-00_sheet.ipynb",
          "alice_4711_998877_ch03_ridge.ipynb", "Alice_4711_assignsubmission_file_.ipynb",
          "alice_ch03_ridge_sheet.ipynb", "alice/x_alice_attempt_2099-01-01-00-00-00.ipynb",
          f"sheet-{'9' * 200}.ipynb"]  # fmt: skip


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
@each("trick", TRICKS)
def test_a_students_folder_is_the_students_whatever_lies_in_it(tmp_path, zipped, trick):
    names = ["alice/ch03_ridge_sheet.ipynb", "mallory/ch03_ridge_sheet.ipynb", f"mallory/{trick}"]
    source = tmp_path / f"{TRICKS.index(trick)}"
    if zipped:
        source = packed(source.with_suffix(".zip"), **dict.fromkeys(names, GOOD))
    else:
        put(source, *names)
    alice, mallory = collect(source)
    assert (alice.student, alice.file, alice.notes, alice.review) == ("alice", names[0], [], [])
    assert mallory.student == "mallory" and mallory.file.startswith("mallory/") and "2 attempts" in mallory.notes[-1]


def test_a_damaged_member_and_one_that_lies_about_its_size_are_problems_of_their_own(tmp_path):
    source = packed(tmp_path / "all.zip", **{"a/x.ipynb": GOOD, "b/y.ipynb": GOOD, "c/z.ipynb": b" " * 30_000_000})
    data = bytearray(source.read_bytes().replace(struct.pack("<I", 30_000_000), struct.pack("<I", 1000)))
    start = 30 + struct.unpack_from("<H", data, 26)[0]
    data[start : start + 40] = b"\xff" * 40
    source.write_bytes(data)
    a, b, c = (s.problem for s in collect(source, SHEET))
    assert "cannot be read" in a and b == "" and "cannot be read" in c


def test_what_packs_well_is_no_bomb(tmp_path):
    content = json.loads(GOOD)
    content["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["x = 1.0000\n"] * 200_000}]
    source = packed(tmp_path / "all.zip", **{"a/x.ipynb": json.dumps(content).encode(), "b/y.ipynb": GOOD})
    with zipfile.ZipFile(source) as archive:
        info = archive.getinfo("a/x.ipynb")
    assert info.file_size > 200 * info.compress_size and [s.problem for s in collect(source)] == ["", ""]


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 0)() == 0, reason="root may open everything")
def test_a_closed_folder_is_said(tmp_path):
    put(tmp_path, "alice/x.ipynb", "bob/x.ipynb")
    (tmp_path / "alice").chmod(0)
    told = []
    alice, bob = collect(tmp_path, SHEET, told.append)
    (tmp_path / "alice").chmod(0o755)
    assert alice.notebook is None and "cannot be opened" in told[0] and bob.notebook


def test_the_time_decides_where_no_number_does(tmp_path):
    put(tmp_path, "a/one.ipynb", "a/two.ipynb")
    os.utime(tmp_path / "a/one.ipynb", (2e9, 2e9))
    assert [s.file for s in collect(tmp_path)] == ["a/one.ipynb"]


def test_the_name_of_a_file_says_which_sheet_it_is_if_that_is_answered_at_all(tmp_path):
    others = list(sheet_cells("solutions", "ch02_kernels").values())
    put(tmp_path, f"ada/{SHEET}_sheet.ipynb", data=as_bytes([*[*SOLVED.values()][:4], *others]))
    put(tmp_path, f"bob/{SHEET}_sheet.ipynb", data=as_bytes(others))
    ada, bob = collect(tmp_path)
    assert (ada.sheet, bob.sheet) == (SHEET, "ch02_kernels") and "its name" in ada.notes[0]


MOODLE = ["Ada L_4711_assignsubmission_file_/x.ipynb", "Ben M_4712_assignsubmission_file_/x.ipynb"]
NEXT_TO = ["desktop.ini", "Thumbs.db", "roster.csv", "README.txt", "Grades-CS.csv", "index.html"]
CLASSES = {
    "one folder around": (["all/anna/x.ipynb", "all/ben/x.ipynb"], ["anna", "ben"]),
    "Moodle's folder around": ([f"CS-Sheet 3-99/{name}" for name in MOODLE], ["Ada L_4711", "Ben M_4712"]),
    "Moodle's groups": ([f"Group {i}/{name}" for i, name in enumerate(MOODLE)], ["Ada L_4711", "Ben M_4712"]),
    "Teams": (["Submitted files/Anna/Sheet 3/Version 1/x.ipynb", "Submitted files/Ben/Sheet 3/x.ipynb",
               "Working files/Ben/Sheet 3/x.ipynb"], ["Anna", "Ben"]),
    "Brightspace": (["11-45 - Ada Lovelace - Nov 20, 2026 1159 PM/x.ipynb",
                     "12-46 - Ben M - Nov 20, 2026 801 AM/x.ipynb"], ["Ada Lovelace_11", "Ben M_12"]),
}  # fmt: skip


@pytest.mark.parametrize("zipped", [False, True], ids=["folder", "zip"])
@pytest.mark.parametrize(("names", "students"), CLASSES.values(), ids=CLASSES)
def test_what_lies_around_or_next_to_the_students_makes_no_student_of_the_class(tmp_path, names, students, zipped):
    told = []
    files = dict.fromkeys(names, GOOD) | dict.fromkeys(NEXT_TO, b"x")
    if zipped:
        source = packed(tmp_path / "all.zip", **files)
    else:
        for name, data in files.items():
            put(source := tmp_path / "in", name, data=data)
    found = collect(source, tell=told.append)
    assert [s.student for s in found] == students and not any(s.problem or s.review for s in found)
    assert all(any(name in line for line in told) for name in NEXT_TO)


def test_a_platforms_own_archive_is_opened_unless_its_folders_are_there(tmp_path):
    packed(tmp_path / "export.zip", **dict.fromkeys(MOODLE, GOOD))
    (tmp_path / "Grades.csv").touch()
    assert [s.student for s in collect(tmp_path)] == ["Ada L_4711", "Ben M_4712"]
    put(tmp_path, *MOODLE)
    told = []
    assert [(s.student, s.notes[1:]) for s in collect(tmp_path, tell=told.append)] == [
        ("Ada L_4711", []), ("Ben M_4712", [])]  # fmt: skip
    assert any("export.zip" in line for line in told)


def test_the_last_of_several_folders_of_brightspace_counts_with_its_time(tmp_path):
    put(tmp_path, "11-45 - Ada L - Nov 9, 2026 1159 PM/x.ipynb", "11-46 - Ada L - Nov 10, 2026 900 AM/x.ipynb")
    [ada] = collect(tmp_path)
    assert ada.file.startswith("11-46") and ada.handed_in == datetime(2026, 11, 10, 9) and ada.number == "11"


def test_two_files_of_one_student_whom_canvas_does_not_name(tmp_path):
    put(tmp_path, "anon_aB3dE_998877_x.ipynb", "anon_Z9yXw_998879_x.ipynb", "LATE_anon_Q1234_998880_x.ipynb")
    put(tmp_path, "anon_aB3dE_998878_figure.png", data=b"x")
    assert {s.student: s.late for s in collect(tmp_path) if not s.problem} == {
        "anon_aB3dE": False, "anon_Z9yXw": False, "anon_Q1234": True}  # fmt: skip


GRADESCOPE = """---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: '4711'
    :email: ada@example.org
  :created_at: 2026-11-20 17:59:30.123456789 Z
  :score: 0.0
submission_2:
  :submitters:
  - :name: Ben M
    :sid:
  - :name: "Zo\\xEB"
    :sid: '4713'
  :created_at: !ruby/object:ActiveSupport::TimeWithZone
    utc: 2026-11-21 08:00:00.000000000 Z
submission_3:
  :submitters: []
"""


def test_gradescope_says_whose_a_folder_is(tmp_path):
    names = [f"assignment_9_export/submission_{i}/sheet.ipynb" for i in (1, 2, 3)]
    metadata = {"assignment_9_export/submission_metadata.yml": GRADESCOPE.encode()}
    ada, two, zoe, unknown = collect(packed(tmp_path / "all.zip", **dict.fromkeys(names, GOOD), **metadata))
    assert [s.student for s in (ada, two, zoe)] == ["Ada Lovelace", "Ben M", "Zoë"] and two.file == zoe.file
    assert (ada.number, zoe.number, unknown.student) == ("4711", "4713", "submission_3")
    assert ada.handed_in.astimezone(UTC) == datetime(2026, 11, 20, 17, 59, 30, tzinfo=UTC)
    assert two.handed_in.astimezone(UTC) == datetime(2026, 11, 21, 8, tzinfo=UTC) and not ada.review + two.review


def test_nbgrader_writes_the_time_beside_the_notebook(tmp_path):
    put(tmp_path, "anna/ch03_ridge/x.ipynb", "ben/ch03_ridge/x.ipynb")
    put(tmp_path, "anna/ch03_ridge/timestamp.txt", data=b"2026-11-20 17:59:30.123456 UTC")
    anna, _ = collect(tmp_path)
    assert anna.handed_in.astimezone(UTC) == datetime(2026, 11, 20, 17, 59, 30, tzinfo=UTC) and not anna.review
    put(tmp_path / "moodle", "Cy_1_assignsubmission_file_/x.ipynb")
    put(tmp_path / "moodle", "Cy_1_assignsubmission_file_/timestamp.txt", data=b"2026-11-20 17:59:30 UTC")  # Cy's own
    [cy] = collect(tmp_path / "moodle")
    assert cy.handed_in is None and "timestamp.txt" in cy.review[0]


def test_a_draft_is_listed_unless_its_student_handed_in(tmp_path):
    put(tmp_path, "Submitted files/Anna/Sheet 3/x.ipynb", "Submitted files/Ben/Sheet 3/x.ipynb")
    put(tmp_path, *(f"Working files/{name}/Sheet 3/x.ipynb" for name in ("Ben", "Cleo")))
    anna, ben, cleo = collect(tmp_path)
    assert not any(s.problem or s.review for s in (anna, ben)) and cleo.student == "Cleo" and "draft" in cleo.problem


def test_the_last_version_in_teams_counts_whatever_its_date(tmp_path):
    put(tmp_path, *(f"Submitted files/Anna/Sheet 3/Version {i}/x.ipynb" for i in (9, 10, 2)))
    assert "Version 10" in collect(tmp_path)[0].file


def test_with_a_sheet_given_other_sheets_beside_it_are_not_read_as_it(tmp_path):
    others = [f"def {spec.name}(x):\n    return x" for spec in exercises("ch02_kernels")]
    for name in ("anna", "ben"):
        put(tmp_path, f"{name}/2/x.ipynb", data=as_bytes(others))
    put(tmp_path, "anna/3/x.ipynb")
    put(tmp_path, "ben/1/x.ipynb", data=as_bytes(others))
    anna, ben = collect(tmp_path, SHEET)
    assert (anna.file, anna.notes, ben.file[:3]) == ("anna/3/x.ipynb", [], "ben") and ben.handed_in


def test_two_halves_of_a_sheet_are_listed(tmp_path):
    for name, some in (("1", ["krr_fit"]), ("2", ["effective_df", "krr_tune"])):
        put(tmp_path, f"anna/part{name}.ipynb", data=as_bytes([SOLVED[function] for function in some]))
    assert any("krr_fit, and the graded file does not" in why for why in collect(tmp_path)[0].review)


def test_a_folder_that_may_be_a_group_is_asked_about(tmp_path):
    put(tmp_path, "all/A/anna/x.ipynb", "all/A/ben/x.ipynb", "all/B/anna/x.ipynb")
    with pytest.raises(ValueError, match=r"anna, ben.* --level 3.* --level 2"):
        collect(tmp_path)
    assert [s.student for s in collect(tmp_path, level=3)] == ["all/A/anna", "all/B/anna", "ben"]
    assert [s.student for s in collect(tmp_path, level=2)] == ["A", "B"]


def test_every_flat_file_is_graded_or_listed_with_its_student(tmp_path):
    code = "\n\n".join(SOLVED.values()).encode()
    put(tmp_path, "anna.ipynb", "ben.ipynb.json", "cleo.ipynb.txt")
    for name in ("dora.py", "anna.pdf", "emil.pdf", "finn.7z", "gina.rar"):
        put(tmp_path, name, data=code)
    found = {s.student: s for s in collect(tmp_path)}
    assert [name for name, s in found.items() if s.sheet == SHEET and not s.problem] == ["anna", "ben", "cleo", "dora"]
    assert [name for name, s in found.items() if s.review or s.problem] == ["anna", "emil", "finn", "gina"]
    assert "anna.pdf" in found["anna"].review[0] and all("no notebook" in found[n].problem for n in ("emil", "finn"))


def test_an_unreadable_attempt_is_not_graded_if_another_can_be_read(tmp_path):
    put(tmp_path, "anna/ch03_ridge-1.ipynb")
    put(tmp_path, "anna/ch03_ridge-2.ipynb", data=GOOD[:-300])
    [anna] = collect(tmp_path)
    assert anna.file == "anna/ch03_ridge-1.ipynb" and "2 attempts" in anna.review[0]
    put(tmp_path, "anna/ch03_ridge-1.ipynb", data=as_bytes(BLANK.values()))
    assert "2 attempts" in collect(tmp_path)[0].review[0]


def test_a_python_file_is_an_answer_only_if_it_has_functions_of_a_sheet(tmp_path):
    code = "\n\n".join(SOLVED.values()).encode()
    put(tmp_path, "anna/x.ipynb", "ben/x.ipynb")
    put(tmp_path, "anna/helper.py", "cleo/helper.py", data=b"x = 1")
    put(tmp_path, "ben/x.py", "dora/x.py", data=code)
    anna, ben, cleo, dora = collect(tmp_path)
    assert (anna.file, ben.file, dora.file) == ("anna/x.ipynb", "ben/x.ipynb", "dora/x.py")
    assert "helper.py" in cleo.problem and not anna.review and "2 attempts" in ben.review[0]


def test_a_flat_name_may_answer_several_sheets(tmp_path):
    put(tmp_path, "alice_ch03_ridge.ipynb")
    put(tmp_path, "alice.ipynb", data=as_bytes(["x = 1"]))
    assert [(s.student, s.review) for s in collect(tmp_path)] == [("alice", [])] * 2
