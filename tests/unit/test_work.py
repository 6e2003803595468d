"""kcourse.commands.work: the reader's copies are laid out, kept up to date, and never overwritten."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from ipykernel.ipkernel import IPythonKernel

from kcourse.commands import cli, work

SHEET = "exercises/ch03_ridge_sheet.ipynb"
CHAPTER = "notebooks/ch03_ridge.ipynb"
DATA = "notebooks/data/ch03_cost.csv"


def notebook(*sources: str, outputs: int = 0) -> str:
    """A notebook of code cells, as if it had been run ``outputs`` times."""
    cells = [
        {"cell_type": "code", "id": f"{outputs}-{i}", "source": source.splitlines(keepends=True),
         "outputs": [{"output_type": "stream", "name": "stdout", "text": "1"}] * outputs,
         "metadata": {"run": outputs}, "execution_count": outputs or None}
        for i, source in enumerate(sources)
    ]  # fmt: skip
    return json.dumps({"cells": cells, "metadata": {"run": outputs}, "nbformat": 4, "nbformat_minor": 5})


class Course:
    """A small course with a folder of copies; what was said last is in ``said``."""

    def __init__(self, root: Path) -> None:
        self.root, self.said = root, []
        self.publish(work.START, notebook("start"))
        self.publish(CHAPTER, notebook("# version 1", "plot()"))
        self.publish(SHEET, notebook("# version 1", "def f(): ...", "check(f)"))
        self.publish(DATA, "1,2\n")
        self.publish("notebooks/src/ch03_ridge.py", "# %%")
        self.publish("notebooks/.ipynb_checkpoints/ch03_ridge-checkpoint.ipynb", notebook("old"))

    def publish(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def write(self, name: str, text: str) -> None:
        self.copy(name).write_text(text, encoding="utf-8")

    def copy(self, name: str) -> Path:
        return self.root / work.WORK / name

    def open(self) -> list[str]:
        self.said.clear()
        work.lay_out(self.root, self.said.append)
        return self.said

    def is_original(self, name: str, copy: str | None = None) -> bool:
        return self.copy(copy or name).read_bytes() == (self.root / name).read_bytes()

    def files(self) -> list[str]:
        """All copies, without what is hidden."""
        found = (
            path.relative_to(self.root / work.WORK) for path in (self.root / work.WORK).rglob("*") if path.is_file()
        )
        return sorted(path.as_posix() for path in found if not path.name.startswith("."))


@pytest.fixture
def course(tmp_path):
    course = Course(tmp_path)
    course.open()
    return course


ANSWERED = notebook("# version 1", "def f(): return 1", "check(f)", outputs=1)
NEW = notebook("# version 2", "def f(): ...", "check(f)")
NEWER = notebook("# version 3", "def f(): ...", "check(f)")


def test_the_first_opening_lays_out_chapters_sheets_and_data_but_no_sources(tmp_path):
    course = Course(tmp_path)
    said = course.open()
    assert course.files() == sorted([work.START, CHAPTER, SHEET, DATA])
    assert all(course.is_original(name) for name in course.files())
    assert len(said) == 1 and "my_work" in said[0]
    assert course.open() == []


def test_a_copy_has_no_lecturers_note_and_opens_unmodified(course):
    note = {"cell_type": "markdown", "source": "Ask.", "metadata": {"slideshow": {"slide_type": "notes"}}}
    chapter = json.loads(notebook("# version 2"))
    chapter["metadata"]["language_info"] = {"name": "python"}
    course.publish(CHAPTER, json.dumps(chapter | {"cells": [*chapter["cells"], note]}))
    assert course.open() == [] == course.open()
    copy = json.loads(course.copy(CHAPTER).read_bytes())
    assert copy["cells"] == chapter["cells"] and copy["metadata"]["language_info"] == IPythonKernel.language_info


def test_a_chapter_that_was_only_run_is_left_alone_and_replaced_by_a_new_version(course):
    # run with Shift+Enter: outputs, counts, identities, and an empty cell at the end
    ran = notebook("# version 1", "plot()", "", " \n", outputs=3)
    course.write(CHAPTER, ran)
    assert course.open() == [] and course.copy(CHAPTER).read_text(encoding="utf-8") == ran
    course.publish(CHAPTER, notebook("# version 2", "plot()"))
    assert course.open() == [] and course.is_original(CHAPTER)


def test_new_outputs_of_an_unchanged_text_do_not_replace_those_of_the_reader(course):
    ran = notebook("# version 1", "plot()", outputs=3)
    course.write(CHAPTER, ran)
    course.publish(CHAPTER, notebook("# version 1", "plot()", outputs=1))
    assert course.open() == [] and course.copy(CHAPTER).read_text(encoding="utf-8") == ran


def test_a_sheet_with_answers_is_never_touched_and_a_new_version_laid_beside_it_once(course):
    course.write(SHEET, ANSWERED)
    assert course.open() == []
    course.publish(SHEET, NEW)
    beside = "exercises/ch03_ridge_sheet_new.ipynb"
    assert course.open() == [
        f"A new version of {SHEET} is now next to yours, as ch03_ridge_sheet_new.ipynb. Yours was not changed."
    ]
    assert course.copy(SHEET).read_text(encoding="utf-8") == ANSWERED and course.is_original(SHEET, beside)
    assert course.open() == []
    course.copy(beside).unlink()  # "I do not want it"
    assert course.open() == [] and not course.copy(beside).exists()


def test_a_newer_version_replaces_the_one_beside_if_nobody_wrote_in_it(course):
    course.write(SHEET, ANSWERED)
    course.publish(SHEET, NEW)
    course.open()
    course.write("exercises/ch03_ridge_sheet_new.ipynb", notebook("# version 2", "def f(): ...", "check(f)", outputs=1))
    course.publish(SHEET, NEWER)
    assert len(course.open()) == 1 and course.is_original(SHEET, "exercises/ch03_ridge_sheet_new.ipynb")
    begun = notebook("# version 3", "def f(): return 3", "check(f)")
    course.write("exercises/ch03_ridge_sheet_new.ipynb", begun)
    course.publish(SHEET, notebook("# version 4"))
    assert "ch03_ridge_sheet_new2.ipynb" in course.open()[0]
    assert course.copy("exercises/ch03_ridge_sheet_new.ipynb").read_text(encoding="utf-8") == begun
    assert course.is_original(SHEET, "exercises/ch03_ridge_sheet_new2.ipynb")
    assert course.copy(SHEET).read_text(encoding="utf-8") == ANSWERED


def test_the_new_version_in_place_of_the_old_one_is_the_copy_from_then_on(course):
    course.write(SHEET, ANSWERED)
    course.publish(SHEET, NEW)
    course.open()
    course.copy("exercises/ch03_ridge_sheet_new.ipynb").replace(course.copy(SHEET))
    assert course.open() == []
    course.publish(SHEET, NEWER)
    assert course.open() == [] and course.is_original(SHEET)


def test_answers_that_are_a_new_version_by_chance_count_as_laid_out(course):
    course.write(SHEET, NEW)
    course.publish(SHEET, NEW)
    assert course.open() == []
    course.publish(SHEET, NEWER)
    assert course.open() == [] and course.is_original(SHEET)


def test_a_version_that_comes_back_is_not_news(course):
    first = (course.root / SHEET).read_text(encoding="utf-8")
    course.write(SHEET, ANSWERED)
    course.publish(SHEET, NEW)
    course.open()
    course.publish(SHEET, first)
    assert course.open() == []


def test_to_delete_or_rename_a_sheet_is_to_get_a_fresh_one(course):
    course.write(SHEET, ANSWERED)
    course.copy(SHEET).rename(course.copy("exercises/mine.ipynb"))
    assert course.open() == [] and course.is_original(SHEET)
    assert course.copy("exercises/mine.ipynb").read_text(encoding="utf-8") == ANSWERED


def test_data_follow_the_course_unless_the_reader_changed_them(course):
    course.publish(DATA, "3,4\n")
    assert course.open() == [] and course.is_original(DATA)
    course.write(DATA, "5,6\n")
    assert course.open() == []
    course.publish(DATA, "7,8\n")
    assert "ch03_cost_new.csv" in course.open()[0]
    assert course.copy(DATA).read_text(encoding="utf-8") == "5,6\n"


def test_the_copies_may_lie_elsewhere_and_the_course_be_one_that_nobody_writes_to(tmp_path, monkeypatch, capsys):
    shared, home = Course(tmp_path / "shared"), tmp_path / "homes" / "ada"
    before = sorted(shared.root.rglob("*"))
    monkeypatch.chdir(shared.root)
    mine = home / "my_work"
    assert cli.main(["work", "--into", str(mine)]) == 0 and "are in my_work" in capsys.readouterr().out
    (mine / SHEET).write_text(ANSWERED, encoding="utf-8")
    shared.publish(SHEET, NEW)
    assert cli.main(["work", "--into", str(mine)]) == 0
    assert "next to yours, as ch03_ridge_sheet_new.ipynb" in capsys.readouterr().out
    assert (mine / SHEET).read_text(encoding="utf-8") == ANSWERED and (mine / CHAPTER).is_file()
    assert sorted(shared.root.rglob("*")) == before  # no my_work, no lock, no note
    assert work.find_course(mine / "notebooks") is None  # copies are no course to copy from


@pytest.mark.parametrize("place", ["", "notebooks", "exercises/mine", "kcourse", ".git"])
def test_copies_in_the_course_itself_are_refused(course, monkeypatch, capsys, place):
    monkeypatch.chdir(course.root)
    before = sorted(course.root.rglob("*"))
    assert cli.main(["work", "--into", str(course.root / place)]) == 2
    assert "is in the course itself" in capsys.readouterr().err
    assert sorted(course.root.rglob("*")) == before


def test_what_the_course_no_longer_has_stays(course):
    (course.root / SHEET).unlink()
    assert course.open() == [] and course.copy(SHEET).exists()


@pytest.mark.parametrize("state", [None, "", "{", "[]", '{"exercises/ch03_ridge_sheet.ipynb": 3}', "\udcff"])
def test_a_lost_or_damaged_state_file_loses_nothing(course, state):
    course.write(SHEET, ANSWERED)
    course.copy(work.STATE).unlink()
    if state is not None:
        course.copy(work.STATE).write_bytes(state.encode(errors="surrogateescape"))
    assert course.open() == [
        f"The course's version of {SHEET} is now next to yours, as ch03_ridge_sheet_new.ipynb. Yours was not changed."
    ]
    assert course.copy(SHEET).read_text(encoding="utf-8") == ANSWERED
    course.publish(CHAPTER, notebook("# version 2"))  # what nobody wrote in is known again
    assert course.open() == [] and course.is_original(CHAPTER)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"cells": 3}', '{"cells": [{"source": 3}]}'])
def test_a_copy_that_is_no_notebook_is_left_and_named(course, content):
    course.write(SHEET, content)
    course.publish(SHEET, NEW)
    for _ in range(2):
        [said] = course.open()
        assert f"my_work/{SHEET} cannot be read" in said and "rename it and open the course again" in said
        assert course.copy(SHEET).read_text(encoding="utf-8") == content
    course.copy(SHEET).rename(course.copy("exercises/damaged.ipynb"))
    assert course.open() == [] and course.is_original(SHEET)


def test_a_damaged_notebook_of_the_course_replaces_nothing(course):
    course.publish(CHAPTER, "<<<<<<< HEAD")
    assert course.open() == [
        f"{CHAPTER} in the course is damaged, perhaps by a merge. To restore it: git checkout HEAD {CHAPTER}"
    ]
    assert json.loads(course.copy(CHAPTER).read_text(encoding="utf-8"))


@pytest.mark.parametrize("files_before_it_is_full", range(4))
def test_a_full_disk_leaves_every_file_whole_and_the_next_opening_goes_on(course, monkeypatch, files_before_it_is_full):
    course.write(SHEET, ANSWERED)
    for name, text in ((work.START, notebook("start 2")), (CHAPTER, notebook("# version 2")), (SHEET, NEW)):
        course.publish(name, text)
    written, fsync = [], os.fsync

    def full(descriptor):
        if len(written) == files_before_it_is_full:
            raise OSError(28, "No space left on device")
        written.append(descriptor)
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            course.open()
    assert course.copy(SHEET).read_text(encoding="utf-8") == ANSWERED
    assert all(json.loads(path.read_bytes()) for path in course.copy(".").rglob("*.ipynb"))
    course.open()
    assert course.is_original(CHAPTER) and course.is_original(work.START)
    assert course.is_original(SHEET, "exercises/ch03_ridge_sheet_new.ipynb")
    assert course.copy(SHEET).read_text(encoding="utf-8") == ANSWERED
    assert not list(course.copy(".").rglob("*.part"))


def test_two_at_once_take_turns(course):
    (course.copy(work.STATE)).unlink()
    course.publish(SHEET, NEW)
    course.write(SHEET, ANSWERED)
    program = (
        "import sys; from pathlib import Path; from kcourse.commands.work import lay_out; lay_out(Path(sys.argv[1]))"
    )
    both = [subprocess.Popen([sys.executable, "-c", program, str(course.root)], stdout=subprocess.PIPE) for _ in "12"]
    said = b"".join(process.communicate()[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert said.count(b"is now next to yours") == 1
    assert [name for name in course.files() if "_new" in name] == ["exercises/ch03_ridge_sheet_new.ipynb"]


@pytest.fixture
def jupyterlab(monkeypatch):
    """The commands that would start JupyterLab, with their folder and environment."""
    started = []
    monkeypatch.setattr(cli, "to_its_end", lambda command, **options: started.append((command, options)) or (0, False))
    return started


def test_kcourse_lab_opens_the_copies(tmp_path, monkeypatch, jupyterlab):
    course = Course(tmp_path)
    monkeypatch.chdir(tmp_path / "exercises")
    assert cli.main(["lab", "--port", "8899", CHAPTER]) == 0
    [(command, options)] = jupyterlab
    assert command[-3:] == ["--port", "8899", CHAPTER] and options["cwd"] == tmp_path / work.WORK
    assert f"--ServerApp.root_dir={tmp_path / work.WORK}" in command
    assert course.is_original(SHEET)


def test_kcourse_lab_in_the_copies_opens_them_and_no_copies_of_copies(course, monkeypatch, jupyterlab):
    monkeypatch.chdir(course.copy("exercises"))
    assert cli.main(["lab"]) == 0
    assert jupyterlab[0][1]["cwd"] == course.root / work.WORK and not course.copy(work.WORK).exists()


def test_originals_opens_the_course_itself_and_lays_out_nothing(tmp_path, monkeypatch, jupyterlab):
    Course(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab", "--originals", "--no-browser"]) == 0
    [(command, options)] = jupyterlab
    assert options["cwd"] == tmp_path and "--originals" not in command and command[-1] == "--no-browser"
    assert not (tmp_path / work.WORK).exists()


def test_a_course_that_cannot_be_written_says_what_to_do(tmp_path, monkeypatch, jupyterlab, capsys):
    course = Course(tmp_path)
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(work.Path, "mkdir", lambda *_, **__: (_ for _ in ()).throw(OSError(30, "Read-only file system")))
        assert cli.main(["lab"]) == 1 and cli.main(["work"]) == 1
    said = capsys.readouterr().err
    assert "Read-only file system" in said and "kcourse lab --originals" in said and jupyterlab == []
    course.open()
    monkeypatch.setattr(cli, "lay_out", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert cli.main(["lab"]) == 0  # what is there can be opened
    said = capsys.readouterr().err
    assert "No space left" in said and "None of your files was changed" in said and "--originals" not in said
    assert len(jupyterlab) == 1


def test_what_stands_in_the_way_of_one_file_keeps_no_other_from_its_place(course):
    for path in sorted(course.copy("notebooks/data").iterdir()):
        path.unlink()
    course.copy("notebooks/data").rmdir()
    course.copy("notebooks/data").write_text("not a folder", encoding="utf-8")
    course.copy(SHEET).unlink()
    [said] = course.open()
    assert said.startswith(f"{work.WORK}/{DATA} cannot be written") and "in its place" in said
    assert course.copy(SHEET).exists() and course.copy("notebooks/data").read_text(encoding="utf-8") == "not a folder"
