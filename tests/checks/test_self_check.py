"""``kcourse check FILE``: a sheet in the terminal is told what its checks would tell it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from kcourse.checks import exercise, exercises
from kcourse.commands import cli
from kcourse.commands.cli import main
from kcourse.sheets.notebook import read_notebook
from kcourse.sheets.self_check import _asked, _patience, begun, mark
from tests.rows import each
from tests.timeouts import scaled

ROOT = Path(__file__).resolve().parents[2]
STEM = "ch03_ridge"
FORGOT = "import numpy as np\n\ndef krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\n"
RIGHT = FORGOT.replace("solve(K,", "solve(K + lam * np.eye(len(K)),")
WORTH = exercise("krr_fit").points
[FORGOTTEN] = [mistake.hint for mistake in exercise("krr_fit").misconceptions if mistake.name == "no lambda"]


def command(*arguments: object, cwd: Path | None = None, **options: object) -> subprocess.CompletedProcess:
    """The command as a terminal starts it."""
    program = [sys.executable, "-P", "-m", "kcourse", "check", *map(str, arguments)]  # -P: as the command kcourse
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(program, capture_output=True, text=True, check=False, cwd=cwd, env=env, **options)


@dataclass
class Done:
    """What became of a file that was marked in this process."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def check(capsys) -> Callable[..., Done]:
    """`mark` in this process; what it changes there, because it may in its own, is put back."""

    def marked(file: object, *names: str, cwd: Path | None = None, seed: int | None = None) -> Done:
        before = set(sys.modules)
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "__main__", sys.modules["__main__"])
            for name, value in (("meta_path", [*sys.meta_path]), ("path", [*sys.path]), ("stdin", io.StringIO())):
                patch.setattr(sys, name, value)
            patch.chdir(cwd or Path.cwd())
            code = mark(Path(file), names, seed)
            if "helper" not in before:
                sys.modules.pop("helper", None)
        return Done(code, *capsys.readouterr())

    return marked


def notebook(path: Path, *sources: str) -> Path:
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": s} for s in sources]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_a_solved_sheet_is_right_and_a_blank_one_is_told_what_is_missing(check) -> None:
    blank = check(ROOT / "exercises" / f"{STEM}_sheet.ipynb")
    names = ", ".join(spec.name for spec in exercises(STEM))
    assert blank.returncode == 1 and f"Not attempted yet: {names}." in blank.stdout
    done = command(ROOT / "solutions" / f"{STEM}_sheet.ipynb")
    total, count = sum(spec.points for spec in exercises(STEM)), len(exercises(STEM))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"{count} of {count} right, {total:g} of {total:g} points.\n") and not done.stderr


def test_threads_that_go_on_hold_nothing_up(tmp_path: Path) -> None:
    cell = "import threading, time\nthreading.Thread(target=time.sleep, args=(600,)).start()"
    done = command(notebook(tmp_path / "mine.ipynb", cell, RIGHT), "krr_fit", timeout=scaled(120))
    assert done.returncode == 0 and "1 of 1 right" in done.stdout


def test_nobody_is_asked(tmp_path: Path) -> None:
    """Whatever comes in at the terminal: a prompt would not be seen, and what waited for an answer waited for ever."""
    stops = RIGHT.replace("    return", "    breakpoint()\n    return")
    mine = notebook(tmp_path / "mine.ipynb", "n = input('n? ')", stops)
    done = command(mine, "krr_fit", input="4\n" * 99, timeout=scaled(120))
    assert done.returncode == 1 and "EOFError in cell 1 of the file, line 1" in done.stdout
    assert "write the value in the code" in done.stdout and "raised BdbQuit" in done.stdout


def test_a_cell_that_cannot_be_read_is_said_to_be_left_out(tmp_path: Path, check) -> None:
    broken = "print('before')\n" + RIGHT.replace("))", ")")
    done = check(notebook(tmp_path / "mine.ipynb", broken, "return 5\nrkhs_norm2 = lambda K, a: a @ K @ a"))
    assert "SyntaxError in cell 1 of the file, line 5: '(' was never closed\n" in done.stdout
    assert "none of it was executed" in done.stdout and done.stdout.count("after it were executed") == 1
    assert "✗ krr_fit: not yet right" in done.stdout and "the cell that defines it failed" in done.stdout
    assert "✓ rkhs_norm2: right" in done.stdout
    (tmp_path / "mine.py").write_text(f"x = (\n{RIGHT}")
    assert "Python cannot read the file" in check(tmp_path / "mine.py").stdout


def test_what_lies_beside_a_sheet_hides_no_library(tmp_path: Path) -> None:
    for name in ("numpy.py", "json.py", "kcourse.py"):
        (tmp_path / name).write_text("x = 1\n")
    notebook(tmp_path / "mine.ipynb", RIGHT)
    done = command("mine.ipynb", "krr_fit", cwd=tmp_path)
    assert done.returncode == 0 and not done.stderr, done.stderr


@pytest.mark.skipif(os.name == "nt", reason="a terminal's Ctrl-C is sent otherwise there")
def test_ctrl_c_stops_a_cell_then_a_function_and_then_all(tmp_path: Path) -> None:
    cell = "open('started', 'w').write('1')\nwhile True: pass"
    loop = "def {0}(*args):\n    open('{0}', 'w').write('1')\n    while True: pass"
    loops = [loop.format(name) for name in ("effective_df", "rkhs_norm2")]
    mine = notebook(tmp_path / "mine.ipynb", RIGHT, cell, *loops)
    with checking(mine, "effective_df", "krr_fit", "rkhs_norm2") as process:
        for name in ("started", "effective_df", "rkhs_norm2"):
            appeared(tmp_path / name)
            os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=scaled(60))
    assert process.returncode == 130 and "kcourse check: stopped." in err and "Traceback" not in err
    assert "You stopped cell 2 of the file, line 2." in out and "✓ krr_fit" in out
    assert "You interrupted line 3 of effective_df, `while True: pass`." in out and "rkhs_norm2" not in out


@pytest.mark.skipif(os.name == "nt", reason="Windows does not say that a parent has gone")
@pytest.mark.parametrize("how", [pytest.param("SIGTERM", marks=pytest.mark.slow), "SIGKILL"])
def test_a_loop_without_an_end_does_not_outlive_its_command(tmp_path: Path, how: str) -> None:
    cell = "open('started', 'w').write('1')\nwhile True: pass"
    with checking(notebook(tmp_path / "mine.ipynb", cell, RIGHT)) as process:
        appeared(tmp_path / "started")
        process.send_signal(getattr(signal, how))
        process.communicate(timeout=scaled(60))  # the pipes are closed when the last who holds them has gone


@contextlib.contextmanager
def checking(file: Path, *names: str) -> Iterator[subprocess.Popen]:
    """The command as a terminal starts it, in a group of its own that Ctrl-C reaches, and gone afterwards."""
    program = [sys.executable, "-m", "kcourse", "check", str(file), *names]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(program, **pipes, text=True, start_new_session=True, env=env)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def appeared(file: Path) -> str:
    deadline = time.monotonic() + scaled(60)
    while not (file.exists() and (text := file.read_text())) and time.monotonic() < deadline:
        time.sleep(0.05)
    return text


def test_an_answer_without_an_end_is_stopped_and_the_others_are_marked(tmp_path: Path, check, monkeypatch) -> None:
    monkeypatch.setattr("kcourse.checks._SECONDS", 1.0)
    loop = "def effective_df(K, lam):\n    while True: pass"
    done = check(notebook(tmp_path / "mine.ipynb", loop, RIGHT), "effective_df", "krr_fit")
    assert done.returncode == 1 and "took too long and was stopped" in done.stdout and "✓ krr_fit" in done.stdout


def test_who_waits_is_told_so(capsys, monkeypatch) -> None:
    monkeypatch.setattr("kcourse.sheets.self_check._LONG", 0.05)
    with _patience():
        time.sleep(0.5)
    assert capsys.readouterr().err.startswith("A cell ")
    monkeypatch.setattr("kcourse.sheets.self_check._LONG", 0.2)
    with _patience():
        pass
    time.sleep(0.4)
    assert capsys.readouterr().err == ""


def test_names_may_stand_behind_an_option(tmp_path: Path, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(cli, "_check", lambda file, options: asked.append((file, options.names, options.seed)) or 0)
    mine = tmp_path / "mine.ipynb"
    assert main(["check", str(mine), "--seed", "3", "krr_fit"]) == 0
    assert asked == [(mine, ["krr_fit"], 3)]
    with pytest.raises(SystemExit, match="2"):
        main(["check", str(mine), "--nonsense"])


def test_answers_to_another_sheet_are_told_and_marked_by_name(tmp_path: Path, check) -> None:
    mine = notebook(tmp_path / "mine.ipynb", RIGHT, "def rkhs_norm2(*_): ...", "def knn_regress(*_): ...")
    done = check(mine)
    assert "belong to another sheet: knn_regress. To mark" in done.stdout and "knn_regress:" not in done.stdout
    done = check(mine, "knn_regress", "krr_fit")
    assert "✓ krr_fit" in done.stdout and "✗ knn_regress" in done.stdout and "1 of 2 right" in done.stdout
    assert "not marked" not in done.stdout


def test_a_sheet_of_the_course_answers_no_other() -> None:
    for path in sorted((ROOT / "solutions").glob("*_sheet.ipynb")):
        specs, others = _asked(read_notebook(path.read_bytes()), path, ())
        assert others == [] and len(specs) >= 3, path


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.slow)])
def test_where_a_tick_cannot_be_written_a_verdict_can(tmp_path: Path, monkeypatch, encoding: str) -> None:
    """As in a pipe on Windows."""
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    done = command(notebook(tmp_path / "mine.ipynb", RIGHT), "krr_fit", encoding=encoding)
    assert done.returncode == 0 and "+ krr_fit: right" in done.stdout and not done.stderr


@each(("cells", "code", "says"), [
    ([FORGOT, "check(krr_fit)"], 1, f"✗ krr_fit: not yet right — 0 of {WORTH} points"),
    ([FORGOT], 1, FORGOTTEN[:40]),
    (["data = open('nowhere.csv')", RIGHT], 0, "FileNotFoundError in cell 1 of the file, line 1: "),
    # what the grader reads is read
    (["%matplotlib inline\nfrom kcourse.lab import show, use_style\nuse_style()", RIGHT, RIGHT], 0,
     "krr_fit is defined more than once; the last definition counts."),
    # Python asks kcourse's stand-in for a notebook's shell at every import; that is no use of kcourse
    ([RIGHT.replace("    return", "    import colorsys\n    from tqdm import tqdm\n    return")], 0,
      "1 of 1 right"),
    # an error that cannot say what it is does not take the rest with it
    (["class E(Exception):\n    def __str__(self):\n        raise self\n\nraise E()\n" + RIGHT,
      "raise ValueError('x' * 10**6)"], 0, "1 of 1 right"),
    (["import helper\nopen('data.txt').close()", RIGHT.replace("np.linalg.solve", "helper.solve")], 0, "1 of 1"),
])  # fmt: skip
def test_a_notebook_is_marked_where_it_lies(tmp_path: Path, check, cells, code: int, says: str) -> None:
    (tmp_path / "helper.py").write_text("from numpy.linalg import solve")
    (tmp_path / "data.txt").write_text("4")
    done = check(notebook(tmp_path / "mine.ipynb", *cells), "krr_fit", cwd=ROOT, seed=3)
    assert done.returncode == code and says in done.stdout and not done.stderr and len(done.stdout) < 5000
    assert ("Error" in done.stdout) is (cells[0][:5] in ("data ", "class"))


def test_a_python_file_is_a_sheet_too(tmp_path: Path, check) -> None:
    (tmp_path / "mine.py").write_text(f"# %% my answers\n{RIGHT}\nprint('noise')\n")
    done = check("mine.py", "krr_fit", cwd=tmp_path)
    assert done.returncode == 0 and f"1 of 1 right, {WORTH} of {WORTH} points." in done.stdout
    assert "noise" not in done.stdout


@each(("name", "content", "asked", "says"), [
    ("mine.ipynb", "", (), "the file is empty"),
    ("mine.ipynb", '{"cells": [{"cell_type": "code", "source": "x = 1"}]}', (), "no function of any sheet"),
    ("mine.py", RIGHT, ("krr_fitt",), "has no exercise krr_fitt. Available: krr_fit,"),
    ("latin.py", "# \udce9\n" + RIGHT, (), "UTF-8"),
    ("long.py", RIGHT + f"data = {'1' * 210_000!r}\n", (), "Cell 1 has more than 200000 characters"),
    ("nowhere.ipynb", None, (), "No such file"),
    *((f"{stem}.ipynb", (ROOT / f"notebooks/{stem}.ipynb").read_text("utf-8"), (), f"exercises/{stem}_sheet.ipynb")
      for stem in ("ch06b_svr_online", "ch01_neighbors")),
])  # fmt: skip
def test_what_is_no_sheet_is_refused_in_a_sentence(tmp_path: Path, check, name, content, asked, says) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content.encode("utf-8", "surrogateescape"))
    done = check(tmp_path / name, *asked)
    assert done.returncode == 2 and says in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes in folders")
def test_a_pipe_is_no_file_and_a_seed_no_negative_number(tmp_path: Path, check) -> None:
    os.mkfifo(tmp_path / "pipe.ipynb")
    assert "is not an ordinary file" in check(tmp_path / "pipe.ipynb").stderr
    assert main(["check", str(notebook(tmp_path / "mine.ipynb", RIGHT)), "--seed", "-1"]) == 2


LOOKED_AT = "class End(BaseException):\n    pass\n\nclass A:\n    def __array__(self, *_, **__):\n        raise End\n\n"


@pytest.mark.parametrize(
    "ends",
    ["import os; os._exit(0)", pytest.param("import os; os.abort()", marks=pytest.mark.slow), LOOKED_AT],
)
def test_a_sheet_that_ends_the_program_is_not_right(tmp_path: Path, ends: str) -> None:
    """An answer that leaves with code 0 was once as good as all of them right."""
    if ends == LOOKED_AT:
        done = command(notebook(tmp_path / "a.ipynb", ends + "def krr_fit(K, y, lam):\n    return A()\n"), "krr_fit")
        assert done.returncode == 1 and "right" not in done.stdout.replace("not yet right", "")
        return
    calls = f"def rkhs_norm2(K, alpha):\n    {ends}\n"
    done = command(notebook(tmp_path / "mine.ipynb", RIGHT, calls), "krr_fit", "rkhs_norm2")
    assert done.returncode == 1 and "✓ krr_fit" in done.stdout and "Traceback" not in done.stderr
    assert "the program ended" in done.stderr and "before all answers were marked" in done.stderr
    at_once = command(notebook(tmp_path / "cell.ipynb", RIGHT, ends), "krr_fit")
    assert at_once.returncode == 1 and "the program ended" in at_once.stderr


@pytest.mark.skipif(os.name == "nt", reason="a folder that somebody is in cannot be removed there")
def test_in_a_folder_that_is_gone_a_sentence_says_so(tmp_path: Path, monkeypatch, capsys) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["work"]) == 2 and "no longer exists. Change into" in capsys.readouterr().err


SHEET = f"{STEM}_sheet.ipynb"


@pytest.mark.parametrize(
    ("files", "counts"),
    [
        (["exercises/x.ipynb", f"notebooks/{STEM}.ipynb", f"my_work/exercises/{SHEET}"], f"my_work/exercises/{SHEET}"),
        (["sheet (2).ipynb", "sheet (10).ipynb"], "sheet (10).ipynb"),
        (["__mine/sheet.ipynb", ".hidden/sheet-9.ipynb", "__MACOSX/sheet-8.ipynb"], "__mine/sheet.ipynb"),
        ([f"{STEM}.ipynb", f"damaged/{STEM}-2.ipynb"], f"damaged/{STEM}-2.ipynb"),
    ],
)
def test_of_a_folder_the_file_that_counts_is_marked(tmp_path: Path, monkeypatch, files: list[str], counts: str) -> None:
    course = tmp_path / "solutions" / "course"  # what lies above a folder says nothing of it
    for name in files:
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        notebook(course / name, RIGHT)
        if "damaged" in name:
            (course / name).write_text("{")
    if hasattr(os, "mkfifo"):
        os.mkfifo(course / "pipe.ipynb")
    assert begun(course) == [course / counts]
    monkeypatch.chdir((course / files[-1]).parent)
    here = Path(*[".."] * (len(Path(files[-1]).parts) - 1))
    assert [path.resolve() for path in begun(here)] == [(course / counts).resolve()]
