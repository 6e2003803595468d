"""``kcourse doctor``: each thing that can be wrong is said, with what fixes it; where all is well, that is said."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from pathlib import Path

import pytest

from kcourse.base.files import holder, locked
from kcourse.commands import cli, doctor
from kcourse.commands.doctor import BAD, GOOD, MAKE_LAB

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A folder that looks like an unpacked archive."""
    for name in ("notebooks/00_start_here.ipynb", "exercises/ch03_ridge_sheet.ipynb"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text('{"cells": []}')
    return tmp_path


def said(findings) -> list[tuple[str, str]]:
    return [(f.mark, f.says) for f in findings]


def test_this_installation_is_well(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "✗" not in out and out.endswith("works.\n")
    for sentence in ("the numbers are right", "kernel starts and finds the course", "extension for sliders"):
        assert f"{sentence}\n" in out


def test_a_fault_makes_the_exit_code_1(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "examine", lambda _: iter([doctor.Finding(BAD, "broken", "fix it")]))
    assert doctor.report() == 1
    assert "✗ broken\n    → fix it\n" in (out := capsys.readouterr().out) and "One problem needs fixing" in out


def test_missing_and_old_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["numpy>=2.0", "scipy>=1.14", "jupyterlab>=4.6; extra == 'lab'", "ruff>=0.9; extra == 'dev'"]
    monkeypatch.setattr(metadata, "requires", lambda _: asked)
    monkeypatch.setattr(doctor, "installed", {"numpy": "1.26.4", "scipy": "1.14.0rc1"}.get)
    found = list(doctor.packages({"", "lab"}, "make lab"))
    assert [f.says for f in found] == ["numpy 1.26.4 is too old; you need 2.0 or newer", "jupyterlab is not installed"]
    assert all(f.fix == "make lab" for f in found)


def test_nothing_more_is_tried_where_a_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "installed", lambda _: None)
    monkeypatch.setattr(doctor, "computes", lambda: pytest.fail("tried all the same"))
    assert [f.mark for f in doctor.examine(ROOT, {}) if "numpy" in f.says] == [BAD]


def test_a_package_that_is_only_a_folder_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(_: str) -> list[str]:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", requires)
    ((mark, says),) = said(doctor.packages({""}, "make lab"))
    assert mark == BAD and "not installed" in says


def test_another_clone_is_told(course: Path) -> None:
    (course / "pyproject.toml").touch()
    faults = [f for f in doctor.which_course(course, ROOT / "kcourse") if f.mark == BAD]
    assert len(faults) == 1 and str(course) in faults[0].says and str(ROOT) in faults[0].says


@pytest.mark.parametrize(
    ("file", "text", "says"),
    [("kcourse-unfinished", "started", "interrupted"), ("kcourse-place", "/elsewhere", "cannot be moved")],
)
def test_a_broken_environment_is_told(course: Path, file: str, text: str, says: str) -> None:
    (course / ".venv").mkdir()
    (course / ".venv" / file).write_text(text)
    ((mark, sentence),) = said(doctor.which_course(course, course / "kcourse"))
    assert mark == BAD and says in sentence


def test_a_set_up_that_is_running_is_no_interrupted_one(course: Path) -> None:
    (course / ".venv").mkdir()
    (course / ".venv" / "kcourse-unfinished").write_text("started")
    with locked(course / ".venv.lock", "lab", lambda _: None):
        ((mark, sentence),) = said(doctor.examine(course))  # nothing else is looked at, which would be half there
    assert mark == BAD and "is being set up at the moment (process" in sentence and ", lab, since " in sentence
    assert any("was interrupted" in sentence for _, sentence in said(doctor.which_course(course, course / "kcourse")))
    assert holder(course / ".venv.lock") == "" and holder(course / "nowhere") == ""


def test_files_that_hide_a_library_are_named(course: Path) -> None:
    assert not list(doctor.shadows(course, course))
    (course / "my_work" / "exercises").mkdir(parents=True)
    (course / "my_work" / "exercises" / "random.py").touch()
    (course / "notebooks" / "numpy").mkdir()
    (course / "notebooks" / "numpy" / "__init__.py").touch()
    (course / "notebooks" / "helpers.py").touch()
    found = [f.says for f in doctor.shadows(course, course)]
    assert len(found) == 2 and any("random.py" in s for s in found) and any("library numpy" in s for s in found)
    assert not list(doctor.shadows(ROOT, ROOT)), "the course's own folder kcourse hides nothing"


def test_a_library_that_does_not_compute_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_COMPUTE", "raise ImportError('libopenblas is broken')")
    ((mark, says),) = said(doctor.computes("pip install -r requirements.txt"))
    assert mark == BAD and says.endswith("ImportError: libopenblas is broken")
    (finding,) = doctor.computes("pip install -r requirements.txt")
    assert "pip install --force-reinstall -r requirements.txt;" in finding.fix  # else pip leaves it as it is


def test_a_kernel_of_another_python_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = doctor._KERNEL.replace("print(sys.prefix)", "print('/usr')")
    monkeypatch.setattr(doctor, "_KERNEL", wrong)
    (finding,) = doctor.kernel("make it anew")
    assert finding.mark == BAD and "runs in /usr" in finding.says and "ipykernel install" in finding.fix
    monkeypatch.setattr(doctor, "_KERNEL", "raise SystemExit(\"ModuleNotFoundError: No module named 'scipy'\")")
    assert [f.fix for f in doctor.kernel("make it anew")] == ["make it anew"]  # another kernelspec would not help


def test_what_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PATIENCE", 0.2)
    assert "no answer" in doctor._try([sys.executable, "-c", "import time; time.sleep(60)"])


def test_sliders_need_an_extension(tmp_path: Path) -> None:
    ((mark, says),) = said(doctor.sliders(tmp_path, "again"))
    assert mark == BAD and "sliders" in says
    (tmp_path / "share" / "jupyter" / "labextensions" / "anywidget").mkdir(parents=True)
    assert [m for m, _ in said(doctor.sliders(tmp_path, "again"))] == [GOOD]


def test_damaged_copies_and_a_full_disk_are_told(course: Path) -> None:
    copies = course / "my_work" / "exercises"
    copies.mkdir(parents=True)
    (copies / "merged.ipynb").write_text('<<<<<<< HEAD\n{"cells": []}')
    (copies / "list.ipynb").write_text("[]")
    (copies / "well.ipynb").write_text(json.dumps({"cells": []}))
    (copies / ".ipynb_checkpoints").mkdir()
    (copies / ".ipynb_checkpoints" / "old.ipynb").write_text("")
    found = [f.says for f in doctor.course_folder(course, free=5e6)]
    assert len(found) == 3 and "5 MB left" in found[0]
    assert any("merged.ipynb" in s and "not valid JSON" in s for s in found)
    assert any("list.ipynb" in s and "not a notebook" in s for s in found)
    (cure,) = (f.fix for f in doctor.course_folder(course, free=1e12) if "merged.ipynb" in f.says)
    assert cure.startswith("rename it to merged.txt ")
    (copies / "merged.ipynb").rename(copies / "merged.txt")  # as the cure says: then all is well
    assert not any("merged" in f.says for f in doctor.course_folder(course, free=1e12))


def test_a_folder_that_cannot_be_written_is_told(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "can_write", lambda _: False)
    assert any("you may not write" in f.says for f in doctor.course_folder(course, free=1e12))


def test_how_to_set_up_again_depends_on_what_there_is(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor.set_up_again(None).endswith('pip install "kcourse[lab]"')
    assert doctor.set_up_again(course).endswith("pip install -r requirements.txt")
    (course / "tools").mkdir()
    (course / "tools" / "bootstrap.py").touch()
    # what make lab has set up once it takes for whole: alone it would fix nothing
    assert "delete the folder .venv" in doctor.set_up_again(course) and doctor.set_up_again(course).endswith(MAKE_LAB)
    monkeypatch.setattr(doctor.kcourse, "__file__", str(course / "kcourse" / "__init__.py"))
    assert doctor.set_up_again(course).endswith('pip install -e ".[lab]"'), "an environment of somebody's own"
    monkeypatch.setattr(sys, "prefix", str(course / ".venv"))
    assert doctor.set_up_again(course).endswith(MAKE_LAB)


def test_an_archive_over_an_older_one_is_told(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (course / "requirements.txt").write_text("numpy==2.0\n./kcourse-0.1.0+c12345678-py3-none-any.whl\n")
    monkeypatch.setattr(doctor, "installed", lambda _: "0.1.0+c87654321")
    ((mark, says),) = said(doctor.which_course(course, course / "kcourse"))
    assert mark == BAD and "0.1.0+c12345678, but 0.1.0+c87654321 is installed" in says
    monkeypatch.setattr(doctor, "installed", lambda _: "0.1.0+c12345678")
    assert [m for m, _ in said(doctor.which_course(course, course / "kcourse"))] == [GOOD]
