"""Many submissions, killed in the middle, and the command itself."""

from __future__ import annotations

import csv
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import replace

import pytest

import kcourse_grader.folder as run
import kcourse_grader.marking.batch as batch
from kcourse.commands.cli import main
from kcourse_grader.marking.batch import InThisProcess, Ledger, grade_all
from kcourse_grader.marking.deciding import deciding
from kcourse_grader.marking.record import Grade
from kcourse_grader.sandbox.probe import Proof
from kcourse_grader.sandbox.sandbox import NoSandbox
from kcourse_grader.writing import file_stem, write_whole
from tests.grader.conftest import TIERS
from tests.grader.notebooks import BLANK, FULL, ROOT, SHEET, SOLVED, as_bytes, submission
from tests.timeouts import scaled

needs_sandbox = pytest.mark.skipif(not TIERS, reason="no sandbox works here")


@pytest.fixture
def graded(monkeypatch):
    """Grading that only counts."""
    calls = []

    def grade(submission, *_):
        if submission.student == "bad":
            raise RuntimeError("oh")
        calls.append(submission.student)
        return Grade(submission.student, submission.file, submission.sheet, "graded")

    monkeypatch.setattr(batch, "grade_here", grade)
    return calls


def everyone(ledger, *students):
    subs = [submission(SOLVED.values(), name) for name in students]
    return list(grade_all(subs, ledger, executor=InThisProcess(), tier=0, workers=0))


def test_a_finished_grade_is_not_made_again(tmp_path, graded):
    everyone(Ledger(tmp_path, 1), "a", "b")
    assert [g.student for g in everyone(Ledger(tmp_path, None), "a", "b", "c")] == ["a", "b", "c"]
    assert graded == ["a", "b", "c"]


@pytest.mark.parametrize("change", ["seed", "file", "damage"])
def test_it_is_made_again_when_something_changed(tmp_path, graded, change):
    everyone(ledger := Ledger(tmp_path, 1), "a")
    again = submission((BLANK if change == "file" else SOLVED).values(), "a")
    if change == "damage":
        ledger.path(again).write_text('{"key": ')
    list(grade_all([again], Ledger(tmp_path, 2 if change == "seed" else 1), executor=InThisProcess(), tier=0))
    assert graded == ["a", "a"]


def test_it_is_made_again_when_what_decides_on_it_changed(tmp_path, graded, monkeypatch):
    package = tmp_path / "copy"
    for name in ("kcourse", "kcourse_grader"):
        shutil.copytree(ROOT / name, package / name, ignore=shutil.ignore_patterns("__pycache__"))
    before = deciding(package)
    assert before == deciding()  # wherever it lies
    for name in ("kcourse/lab/pieces.py", "kcourse/chapters/ch03_ridge/figures.py", "kcourse_grader/reports/report.py",
                 "kcourse/commands/cli.py", "kcourse_grader/commands.py"):  # fmt: skip
        with open(package / name, "a", encoding="utf-8") as file:
            file.write("# other words\n")
    deciding.cache_clear()
    assert deciding(package) == before
    everyone(Ledger(tmp_path, 1), "a", "b")
    for name in ("kcourse/checks/compare.py", "kcourse/chapters/ch03_ridge/fit.py", "kcourse/ridge.py",
                 "kcourse/execution/cells.py", "kcourse_grader/marking/grade.py"):  # fmt: skip
        with open(package / name, "a", encoding="utf-8") as file:
            file.write("\n")
        deciding.cache_clear()
        earlier, before = before, deciding(package)
        assert before != earlier, name
    with monkeypatch.context() as patch:
        patch.setattr(batch, "deciding", lambda: before)
        only = Ledger(tmp_path, 1, any_code=True)
        only.forget(submission(SOLVED.values(), "a"))
        everyone(only, "a", "b")  # as with --only: the others stay as they are
        assert graded == ["a", "b", "a"]
        everyone(Ledger(tmp_path, 1), "a", "b")
        assert graded == ["a", "b", "a", "b"]
    everyone(Ledger(tmp_path, 1), "b")
    assert graded == ["a", "b", "a", "b", "b"]


def test_an_error_in_one_does_not_stop_the_others_and_is_tried_again(tmp_path, graded):
    status = {g.student: g.status for g in everyone(Ledger(tmp_path, 1), "a", "bad", "c")}
    assert status == {"a": "graded", "bad": "error", "c": "graded"}
    everyone(Ledger(tmp_path, 1), "bad")
    assert graded == ["a", "c"]


@pytest.mark.parametrize(
    ("doubt", "workers", "times"), [("", 2, 1), ("time", 2, 2), ("time", 1, 2), ("wait", 0, 2), ("lost", 1, 2)]
)
def test_what_others_may_have_decided_is_graded_again_alone(tmp_path, monkeypatch, doubt, workers, times):
    order = []

    def grade(submission, *_):
        order.append(submission.student)
        found = Grade(submission.student, submission.file, submission.sheet, "graded")
        if submission.student == "a":
            found.doubt, found.status = doubt, "error" if doubt == "lost" else "graded"
        return found

    monkeypatch.setattr(batch, "grade_here", grade)
    ledger, subs = Ledger(tmp_path, 1), [submission(SOLVED.values(), name) for name in "abc"]
    grades = list(grade_all(subs, ledger, executor=InThisProcess(), tier=0, workers=workers))
    assert order == [*"abc", "a"] if times == 2 else [*"abc"]
    assert sorted(g.student for g in grades) == ["a", "b", "c"]
    assert (ledger.stored(subs[0]) is None) == (doubt == "lost")  # which is no grade, so that a rerun tries again


def test_names_of_files():
    names = ["a", "A", "a b", "a_b", "../x", ".x", "x" * 300, "x" * 301, "ä", "a\udcff", "İ", "ı", "i\u0307", ""]
    names += ["αγγηββζ", "αδββηαε"]  # alike in the first 32 bits of their digests
    stems = {file_stem(name, SHEET).lower() for name in names}
    assert len(stems) == len(names) and all(
        stem.replace("-", "").replace("_", "").replace(".", "").isalnum() for stem in stems
    )
    assert not any("/" in stem or stem.startswith(".") for stem in stems)


def test_the_seed_is_secret_and_kept(tmp_path):
    seed = Ledger(tmp_path, None).seed
    assert Ledger(tmp_path, None).seed == seed and (tmp_path / "seed.txt").stat().st_mode & 0o077 == 0
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["seed.txt"]
    for wrong in ("x", "", "-5", "1.5"):
        (tmp_path / "seed.txt").write_text(wrong)
        with pytest.raises(ValueError, match="seed.txt"):
            Ledger(tmp_path, None)


def test_writing_takes_any_text(tmp_path):
    write_whole(tmp_path / "x", "a\udcff")
    assert (tmp_path / "x").read_text() == "a?" and [p.name for p in tmp_path.iterdir()] == ["x"]


def _fallen(*_):
    raise NoSandbox("no network: TCP")


def folder_of(path, count, cells=SOLVED):
    for i in range(count):
        (path / f"s{i}").mkdir(parents=True)
        (path / f"s{i}" / "x.ipynb").write_bytes(as_bytes([*cells.values(), f"i = {i}"]))
    return path


def rows(out):
    with open(out / "grades.csv", newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


@needs_sandbox
def test_the_command(tmp_path, capsys):
    source = folder_of(tmp_path / "in", 2)
    (source / "t").mkdir()
    (source / "t" / "x.ipynb").write_bytes(b"{")
    assert main(["grade", str(source), "--out", str(tmp_path / "out"), "--sheet", SHEET, "--seed", "4"]) == 0
    assert [(r["student"], r["score"], r["status"]) for r in rows(tmp_path / "out")] == [
        ("s0", f"{FULL}", "graded"), ("s1", f"{FULL}", "graded"), ("t", "0", "unreadable"),
    ]  # fmt: skip
    said = capsys.readouterr().err
    assert "verified: no network" in said and "3 of 3 submissions finished; 1 " in said
    assert len(list((tmp_path / "out" / "feedback").iterdir())) == 3


@needs_sandbox
def test_ctrl_c_reports_and_the_next_run_continues(tmp_path, monkeypatch, capsys):
    source, out = folder_of(tmp_path / "in", 3), tmp_path / "out"
    real, calls = batch.grade_submission, []

    def stop(submission, *args):
        calls.append(submission.student)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(submission, *args)

    monkeypatch.setattr(batch, "grade_submission", stop)
    assert main(["grade", str(source), "--out", str(out), "--seed", "4"]) == 130
    assert [r["student"] for r in rows(out)] == ["s0"] and "continue" in capsys.readouterr().err
    assert main(["grade", str(source), "--out", str(out)]) == 0
    assert calls == ["s0", "s1", "s1", "s2"] and len(rows(out)) == 3
    assert batch._sandboxes == {}


@pytest.mark.parametrize(
    ("more", "words"),
    [(["nowhere"], "nowhere does not exist"), (["."], "no notebooks"),
     ([".", "--sheet", "ch98_tiny"], "no sheet named"), ([".", "--jobs", "0"], "--jobs must be"),
     ([".", "--seed", "-5"], "--seed must be 0 or more"), (["out"], "folder of the submissions")],
)  # fmt: skip
def test_a_usage_error_is_2(tmp_path, monkeypatch, capsys, more, words):
    monkeypatch.chdir(tmp_path)
    assert main(["grade", *more, "--out", "out"]) == 2
    assert words in capsys.readouterr().err and not (tmp_path / "out").exists()


@pytest.fixture
def quick(graded, monkeypatch):
    """The command without a sandbox; nobody has a notebook."""
    real = batch.grade_here
    monkeypatch.setattr(batch, "grade_here", lambda *given: replace(real(*given), status="missing"))
    monkeypatch.setattr(run, "available_tier", lambda: 1)
    monkeypatch.setattr(run, "_prove", lambda *_: Proof(1))
    return graded


def test_what_is_stored_of_others_does_not_leave_its_pages(tmp_path, quick, capsys):
    source, out = folder_of(tmp_path / "in", 3), tmp_path / "out"
    assert main(["grade", str(source), "--out", str(out)]) == 0
    (out / "feedback" / "notes.html").write_text("mine")
    shutil.rmtree(source / "s1")
    pages = {p.name for p in (out / "feedback").iterdir()}
    assert main(["grade", str(source), "--out", str(out)]) == 0
    assert pages - {p.name for p in (out / "feedback").iterdir()} == {f"s1--{SHEET}.html"}
    assert "Removed 1 feedback page" in capsys.readouterr().err and quick == ["s0", "s1", "s2"]
    folder_of(source / "again", 0).mkdir()
    shutil.copytree(source / "s0", source / "s1")
    assert main(["grade", str(source), "--out", str(out)]) == 0
    assert {p.name for p in (out / "feedback").iterdir()} == pages | {"again--no-sheet.html"}


def test_results_among_the_submissions_are_no_students(tmp_path, quick):
    source = folder_of(tmp_path / "in", 2)
    for _ in range(2):
        assert main(["grade", str(source), "--out", str(source / "out")]) == 0
        assert [r["student"] for r in rows(source / "out")] == ["s0", "s1"]


def test_an_interrupted_run_removes_nothing(tmp_path, quick, monkeypatch):
    source, out = folder_of(tmp_path / "in", 2), tmp_path / "out"
    assert main(["grade", str(source), "--out", str(out)]) == 0

    def stop(*_, **__):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(run, "grade_all", stop)
    shutil.copytree(source / "s0", source / "s2")  # or there would be nothing left to run
    assert main(["grade", str(source), "--out", str(out)]) == 130
    assert len(list((out / "feedback").iterdir())) == 2


@pytest.mark.parametrize("at", ["collect", "_prove", "locked", "write_reports"])
def test_ctrl_c_at_any_time_is_one_sentence(tmp_path, quick, monkeypatch, capsys, at):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(run, at, stop)
    assert main(["grade", str(folder_of(tmp_path / "in", 1)), "--out", str(tmp_path / "out")]) == 130
    assert "stopped" in capsys.readouterr().err


def test_ctrl_c_is_not_lost_while_processes_start():
    started = False
    with pytest.raises(KeyboardInterrupt), run._deaf():
        signal.raise_signal(signal.SIGINT)
        code = "import signal as s; print(s.SIGINT in s.pthread_sigmask(s.SIG_BLOCK, []))"
        started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "True\n"
    assert started  # and what was started does not hear it


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="descriptors have no names there")
@pytest.mark.parametrize("file", ["grades.csv", "seed.txt", f"s0--{SHEET}.json", f"s0--{SHEET}.html"])
def test_a_full_disk_is_4_and_leaves_no_draft(tmp_path, quick, monkeypatch, capsys, file):
    def full(fd):
        if file in os.readlink(f"/proc/self/fd/{fd}") and disk["full"]:
            raise OSError(errno.ENOSPC, "No space left on device")

    disk = {"full": True}
    monkeypatch.setattr(os, "fsync", full)
    source, out = folder_of(tmp_path / "in", 1), tmp_path / "out"
    assert main(["grade", str(source), "--out", str(out)]) == 4
    said = capsys.readouterr().err
    assert "No space left" in said and "disk space" in said and "to continue" in said
    assert not [p for p in out.rglob("*") if ".part" in p.name]
    disk["full"] = False
    assert main(["grade", str(source), "--out", str(out)]) == 0


def test_a_place_that_cannot_be_written_is_2_and_a_bug_is_no_option(tmp_path, quick, monkeypatch, capsys):
    source = folder_of(tmp_path / "in", 1)
    (tmp_path / "out").write_text("a file")
    assert main(["grade", str(source), "--out", str(tmp_path / "out")]) == 2
    assert "File exists" in capsys.readouterr().err

    def bug(*_):
        raise ValueError("a bug")

    monkeypatch.setattr(run, "write_reports", bug)
    with pytest.raises(ValueError, match="a bug"):
        main(["grade", str(source), "--out", str(tmp_path / "other")])


def test_a_cluster_that_does_not_answer(tmp_path, quick, monkeypatch, capsys):
    distributed = pytest.importorskip("distributed")

    def client(*_, **__):
        raise OSError("Timed out trying to connect")

    monkeypatch.setattr(distributed, "Client", client)
    source = str(folder_of(tmp_path / "in", 1))
    assert main(["grade", source, "--out", str(tmp_path / "out"), "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "the Dask cluster tcp://127.0.0.1:1 does not answer" in capsys.readouterr().err


@pytest.mark.parametrize("error", [CancelledError, BrokenExecutor])
def test_what_grades_is_lost(tmp_path, quick, monkeypatch, capsys, error):
    def lost(submission, *_):
        if submission.student == "s1":
            raise error
        return Grade(submission.student, submission.file, submission.sheet, "missing")

    monkeypatch.setattr(batch, "grade_here", lost)
    source, out = folder_of(tmp_path / "in", 2), tmp_path / "out"
    assert main(["grade", str(source), "--out", str(out)]) == 4
    assert "to continue" in capsys.readouterr().err
    assert [p.name for p in (out / "grades").iterdir()] == [f"s0--{SHEET}.json"]


def test_a_log_is_told_how_far_it_is(tmp_path, quick, monkeypatch, capsys):
    monkeypatch.setattr(run, "_EVERY", 0.0)
    assert main(["grade", str(folder_of(tmp_path / "in", 3)), "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "of 3 graded." in line] == ["1 of 3 graded.", "2 of 3 graded."]
    assert "Grading 3." in said and not any("\r" in line for line in said)


@needs_sandbox
def test_a_fault_of_the_grader_is_1(tmp_path, monkeypatch, capsys):
    def broken(*_):
        raise RuntimeError("a fault")

    monkeypatch.setattr(batch, "grade_submission", broken)
    assert main(["grade", str(folder_of(tmp_path / "in", 1)), "--out", str(tmp_path / "out")]) == 1
    assert "please report it" in capsys.readouterr().err
    assert json.loads((tmp_path / "out/grades.json").read_text())["s0"][SHEET]["extra_data"]["status"] == "error"


def test_no_name_of_a_file_is_obeyed_by_the_terminal(tmp_path, capsys, monkeypatch):
    name = "ada\x1b]0;owned\x07\n3 of 3 graded.\u202e"
    (tmp_path / "in" / name / "/".join(f"d{i}" for i in range(13))).mkdir(parents=True)
    (tmp_path / "in" / "bob").mkdir()
    assert run.grade_folder(tmp_path / "in", tmp_path / "out") == 2  # nothing to grade
    (tmp_path / "in" / "bob" / "sheet.ipynb").write_text("{}")
    monkeypatch.setattr(run, "_grade_into", lambda *_: 0)
    assert run.grade_folder(tmp_path / "in", tmp_path / "out") == 0
    assert run.grade_folder(tmp_path / "no\x1b[2J", tmp_path / "out") == run.USAGE
    said = capsys.readouterr().err
    assert "Skipped: ada\\x1b]0" in said and "no\\x1b[2J" in said
    assert not any(c in said for c in "\x1b\x07\u202e") and "\n3 of 3" not in said


@pytest.mark.parametrize(
    ("wall", "answer", "says"), [("available_tier", lambda: 0, "--unsafe"), ("_prove", _fallen, "no network: TCP")]
)
def test_without_a_sandbox_and_where_a_wall_falls_nothing_is_graded(tmp_path, monkeypatch, capsys, wall, answer, says):
    monkeypatch.setattr(run, wall, answer)
    assert main(["grade", str(folder_of(tmp_path / "in", 1)), "--out", str(tmp_path / "out")]) == 3
    assert says in capsys.readouterr().err and not (tmp_path / "out" / "grades.csv").exists()


def started(source, folder, *options):
    """A run in a process group of its own."""
    command = [sys.executable, "-m", "kcourse", "grade", str(source), "--out", str(folder / "out"), *options]
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | {"TMPDIR": str(folder)}, text=True,
                            stderr=subprocess.PIPE, start_new_session=True)  # fmt: skip


@needs_sandbox
@pytest.mark.slow
def test_killed_twice_and_run_again(tmp_path):
    source, out = folder_of(tmp_path / "in", 12), tmp_path / "out"

    def stored():
        return {p.name: p.stat().st_mtime_ns for p in (out / "grades").glob("s*.json")}

    before = {}
    for enough in (2, 5):
        process = started(source, tmp_path, "--jobs", "2", "--seed", "4")
        deadline = time.monotonic() + scaled(60)
        while len(stored()) < enough and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        process.communicate()
        earlier, before = before, stored()
        assert enough <= len(before) < 12 and not (out / "grades.csv").exists()
        assert {name: before[name] for name in earlier} == earlier
        for _ in range(100):  # what it had started ends by itself
            running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
            if str(tmp_path) not in running:
                break
            time.sleep(0.1)
        assert str(tmp_path) not in running
    process = started(source, tmp_path, "--jobs", "2", "--seed", "4")
    said = process.communicate()[1]
    assert process.returncode == 0, said
    assert [(r["student"], r["score"]) for r in rows(out)] == sorted((f"s{i}", f"{FULL}") for i in range(12))
    after = stored()
    assert {name: after[name] for name in before} == before and len(after) == 12
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith("kcourse-")] == []


@needs_sandbox
@pytest.mark.slow
@pytest.mark.parametrize("begun", [False, True])
def test_ctrl_c_while_processes_start_and_while_they_grade_is_not_waited_for(tmp_path, begun):
    source = folder_of(tmp_path / "in", 60)  # so many that it cannot be done before the signal arrives
    for i in range(8 if begun else 0):  # each has 15 s of the processor
        loops = [f"# {i} {j}\nwhile True: pass" for j in range(3)]
        (source / f"s{i}" / "x.ipynb").write_bytes(as_bytes([*loops, *SOLVED.values()]))
    process, said = started(source, tmp_path, "--jobs", "2"), ""
    for line in process.stderr:  # to its end, should it stop by itself
        said += line
        if "Grading 60." in said:
            break
    time.sleep(3 * begun)
    start = time.monotonic()
    for _ in range(1 + begun):  # who is impatient loses nothing
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.2 * begun)
    said += process.communicate(timeout=scaled(120))[1]
    assert process.returncode == 130 and "Traceback" not in said and "to continue" in said, said
    assert said.index("Starting the sandbox") < said.index("verified") and "\r" not in said
    assert time.monotonic() - start < scaled(20 if begun else 60)


@needs_sandbox
@pytest.mark.slow
def test_two_first_runs_at_once(tmp_path):
    source = folder_of(tmp_path / "in", 2)
    both = [started(source, tmp_path) for _ in range(2)]
    said = [process.communicate(timeout=scaled(120))[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("Another run" in text for text in said) == 1
    assert {r["score"] for r in rows(tmp_path / "out")} == {f"{FULL}"}


@needs_sandbox
def test_unsafe_grades_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "available_tier", lambda: 0)
    assert main(["grade", str(folder_of(tmp_path / "in", 1)), "--out", str(tmp_path / "out"), "--unsafe"]) == 0
    assert "NOT verified" in capsys.readouterr().err
    assert "without a sandbox" in (tmp_path / "out/report.html").read_text()
