"""``kcourse check FILE``: mark your own sheet in a terminal.

A separate process executes the cells, without a sandbox and without limits, for their author; only an answer's calls
have a limit of time, as in a notebook. Cells are read and executed as in the grader (`notebook`, `cells`), so that an
answer that is right here is right there; the inputs are new.
"""

from __future__ import annotations

import ast
import contextlib
import io
import os
import re
import sys
import threading
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import NoReturn

from kcourse.checks import CHAPTERS, Exercise, Result, exercises, run
from kcourse.checks.judge import interrupted
from kcourse.checks.verdict import as_text
from kcourse.execution.calls import failure_of
from kcourse.execution.cells import Cells
from kcourse.sheets import course_files
from kcourse.sheets.course_files import copy_number
from kcourse.sheets.notebook import (
    IN_TEXT,
    MAX_CELL,
    Notebook,
    Unreadable,
    answered_besides,
    defined_twice,
    named_sheet,
    read_answers,
    read_notebook,
    recognise_sheet,
)

__all__ = ["as_summary", "begun", "mark", "mark_and_end"]

RIGHT, WRONG, UNREADABLE, STOPPED = 0, 1, 2, 130  # exit codes
_MOST = 2000  # characters of an error's text
_SUMMARY = 60_000  # characters of one verdict in a summary; GitHub takes a million for all
_LONG = 10.0  # seconds until a message says that a cell is still running


class _Unlimited:
    """A budget without limits: the author can press Ctrl-C."""

    def turn(self) -> contextlib.AbstractContextManager:
        return contextlib.nullcontext()


class _OwnCells(Cells):
    """Cells whose author may read all error texts."""

    @staticmethod
    def describe(error: BaseException, name: str) -> dict:
        try:
            says = error.msg if isinstance(error, SyntaxError) else str(error)
        except BaseException:  # the text of a student's own error may fail
            says = ""
        return {**Cells.describe(error, name), "says": says if len(says) < _MOST else f"{says[:_MOST]} …"}


def mark(path: Path, names: Sequence[str] = (), seed: int | None = None) -> int:
    """Print the verdict on each answer in ``path``, or on those in ``names``; return an exit code.

    ``path`` is a notebook or a Python file. 0: all these answers are right; 1: an answer is not right; 2: nothing could
    be marked, and a message said why.
    """
    try:
        notebook = read_file(path)
        specs, others = _asked(notebook, path, names)
    except (OSError, Unreadable) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else problem
        print(f"kcourse check: {path}: {reason}", file=sys.stderr)
        return UNREADABLE
    for name in defined_twice(notebook, specs):
        print(f"{name} is defined more than once; the last definition counts.\n")
    for name in [spec.name for spec in specs if spec.name in notebook.in_text]:
        print(f"{name} {IN_TEXT}.\n")
    print(f"Running {path.name}", end=" …\n\n", flush=True)
    cells, said, failed = _executed(notebook, path)
    for sentence in said:
        print(sentence, end="\n\n", flush=True)
    stopped: list[str] = []
    results = [_marked(spec, cells, seed, failed, stopped) for spec in specs]
    if blank := [result.name for result in results if result.status == "not_attempted"]:
        print(f"Not attempted yet: {', '.join(blank)}.")
    right = sum(result.points == result.max_points for result in results)
    points, most = (sum(getattr(r, a) for r in results) for a in ("points", "max_points"))
    print(f"{right} of {len(results)} right, {points:g} of {most:g} points.")
    if others:
        print(f"Not marked, because they belong to another sheet: {', '.join(others)}. To mark them, add their names.")
    return RIGHT if right == len(results) else WRONG


def begun(folder: Path) -> list[Path]:
    """Return the sheets in a folder, or in a whole clone, that have an answer: for each the latest file.

    In a clone, files in ``my_work`` are preferred. A sheet that cannot be read is included, so that its check says why.
    ValueError if there is no notebook.
    """
    folder = Path(folder)
    # folders above this one do not matter
    places = {path: Path(folder.resolve().name, path.relative_to(folder)) for path in _notebooks(folder)}
    if not places:
        raise ValueError(f"{folder} has no notebooks (*.ipynb).")
    clone = course_files.is_clone(path.relative_to(folder) for path in places)

    def rank(path: Path) -> tuple:
        place = course_files.place(places[path]) if clone else 0
        return place, copy_number(path.stem)[1], path.stat().st_mtime, str(path)

    found: dict[str, Path] = {}
    for path in sorted(places, key=rank, reverse=True):
        sheet = _answered_in(path, places[path], alone=len(places) == 1)
        if sheet and sheet not in found:
            found[sheet] = path
    return [found[sheet] for sheet in CHAPTERS if sheet in found]


def _answered_in(path: Path, place: Path, *, alone: bool) -> str | None:
    """Return the sheet that a file answers, or that its name says if it is unreadable; None for the course's files."""
    try:
        data = path.read_bytes()
        if not alone and course_files.as_handed_out(data, place):
            return None
        notebook = read_notebook(data)
    except (OSError, Unreadable):
        return named_sheet(path.stem) if course_files.place(place) > 1 else None
    sheet = recognise_sheet(notebook, path.stem)
    own = not alone and course_files.own_code(notebook, place)
    return sheet if sheet and not own and course_files.says_something(notebook, sheet, place) else None


def _notebooks(folder: Path) -> Iterator[Path]:
    """Yield the notebooks in a folder, without hidden files, links and files of the operating system."""
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("__MACOSX", "__pycache__")]
        paths = (Path(place, name) for name in files if name.lower().endswith(".ipynb") and not name.startswith("."))
        yield from (path for path in paths if path.is_file() and not path.is_symlink())


def as_summary(name: str, said: str) -> str:
    """Return a verdict as Markdown, for the summary page of a job on a server."""
    lines = [line for line in said.splitlines() if line.strip()]
    score = next((line for line in reversed(lines) if " right, " in line), "not marked")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", said)), default=0))
    said = said if len(said) <= _SUMMARY else f"{said[:_SUMMARY]}\n…"
    name = re.sub(r"([^\w ./-])", r"\\\1", name)
    return f"## {name}\n\n{score}\n\n{fence}text\n{said.strip()}\n{fence}\n\n"


def read_file(path: Path) -> Notebook:
    """Return the code of a notebook or of a Python file."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise Unreadable("is not an ordinary file")  # for example a pipe, which may never end
    return read_answers(path.read_bytes(), path.name)


def _asked(notebook: Notebook, path: Path, names: Sequence[str]) -> tuple[list[Exercise], list[str]]:
    """Return the exercises in ``names``, or all of the sheet; and the names of others that the file answers."""
    stem = recognise_sheet(notebook, path.stem)
    if stem is None and notebook.left_out:
        cells = ", ".join(map(str, notebook.left_out))
        raise Unreadable(
            f"defines no function of any sheet. Cell {cells} has more than {MAX_CELL} characters and was not read: put "
            "data into a separate file."
        )
    if stem is None:
        raise Unreadable(
            f"defines no function of any sheet, so nothing is checked. {_where(path.stem)}. Keep the names of its "
            "functions."
        )
    sheet = list(exercises(stem))
    if not names:
        return sheet, list(chain.from_iterable(answered_besides(notebook, stem).values()))
    others = [spec for spec in exercises() if spec.name in notebook.defined and spec not in sheet]
    known = {spec.name: spec for spec in sheet + others}
    if unknown := [name for name in names if name not in known]:
        raise Unreadable(f"has no exercise {' or '.join(unknown)}. Available: {', '.join(known)}")
    return [spec for name, spec in known.items() if name in names], []


def _where(stem: str) -> str:
    """Say which file can be checked, if this one cannot."""
    chapter = next((s for s in CHAPTERS if stem.startswith(s)), None)
    if chapter is None or "_sheet" in stem:
        return f"A sheet is a file like {CHAPTERS[0]}_sheet.ipynb"
    return f"This is a lecture; its sheet is exercises/{chapter}_sheet.ipynb"


def _executed(notebook: Notebook, path: Path) -> tuple[Cells, list[str], list[str]]:
    """Execute the cells in their folder; return them, a sentence on each failed cell, and the source of these."""
    reports: dict[int, dict] = {}
    known = [spec.name for spec in exercises()]

    def tell(report: dict) -> None:
        if "cell" in report:
            reports[report["i"]] = report["cell"]

    for package in ("IPython.display", "ipywidgets", "tqdm.auto", "kcourse.lab"):
        with contextlib.suppress(ImportError):  # stubs replace packages that are missing
            import_module(package)
    cells = _OwnCells(notebook.cells, known, _Unlimited(), tell)
    with _patience(), _inside(path.resolve().parent):
        cells.run()
    said = [f"Cell {n} of the file is too long and was left out." for n in notebook.left_out]
    # an unchanged stub is a missing answer, not a failed cell
    failed = {
        i: report
        for i, report in sorted(reports.items())
        if report["status"] == "failed" and report.get("error") != "NotImplementedError"
    }
    for i, report in failed.items():
        said.append(_failed(report, notebook.numbers[i], path, readable=_readable(notebook.cells[i])))
    return cells, said, [notebook.cells[i] for i in failed]


def _readable(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _failed(report: dict, number: int, path: Path, *, readable: bool) -> str:
    if path.suffix == ".py":
        place = f"line {report['lineno']}" if "lineno" in report else "somewhere"
    else:
        place = f"cell {number} of the file" + (f", line {report['lineno']}" if "lineno" in report else "")
    says = f": {report['says']}" if report.get("says") else ""
    line = f"\n    {report['line']}" if report.get("line") else ""
    if report["error"] == "KeyboardInterrupt":
        return f"You stopped {place}.{line}\n  The code after it was executed. Press Ctrl-C again to stop everything."
    if not readable:
        whole = "file" if path.suffix == ".py" else "cell"
        rest = f"Python cannot read the {whole}, so none of it was executed."
    elif report["error"] == "EOFError" and "input" in report.get("line", ""):
        rest = "Input is not possible here, so write the value in the code. The statements after it were executed."
    else:
        rest = "The statements after it were executed."
    return f"{report['error']} in {place}{says}{line}\n  {rest}"


@contextlib.contextmanager
def _inside(folder: Path) -> Iterator[None]:
    """Run in the folder of the notebook, as Jupyter does, also for imports; hide its output."""
    os.chdir(folder)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    """Print a message if the cells run for a long time, because they have no limit."""
    sentence = "A cell is still running. If it has an endless loop, press Ctrl-C to stop it."
    timer = threading.Timer(_LONG, print, [sentence], {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _marked(spec: Exercise, cells: Cells, seed: int | None, failed: Sequence[str], stopped: list[str]) -> Result:
    """Mark one function. Ctrl-C stops it and adds its name to ``stopped``; a second Ctrl-C stops everything."""
    function = cells.function(spec.name)
    if callable(function):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                result = run(spec.name, function, seed)
        except KeyboardInterrupt as error:
            if stopped:
                raise
            stopped.append(spec.name)
            result = interrupted(spec, failure_of(error, function))
            result = replace(result, hints=(*result.hints, "Press Ctrl-C again to stop everything."))
    elif function is None and any(f"def {spec.name}(" in source for source in failed):
        sentence = f"The function {spec.name} does not exist, because the cell that defines it failed (see above)."
        result = Result(spec.name, 0, spec.points, "failed", hints=(sentence,))
    elif function is None:
        result = Result(spec.name, 0, spec.points, "not_attempted")
    else:
        sentence = f"{spec.name} is not a function; its type is {type(function).__name__}."
        result = Result(spec.name, 0, spec.points, "failed", hints=(sentence,))
    if result.status != "not_attempted":
        print(as_text(result), end="\n\n", flush=True)
    return result


# A sheet can end the process that marks it with any exit code, so a verdict has its own codes.
CODES = {70: RIGHT, 71: WRONG, 72: UNREADABLE, 73: STOPPED}


def mark_and_end(file: str, seed: str, *names: str) -> NoReturn:
    """Call `mark` and end this process with one of `CODES`, even if the sheet has started threads."""
    threading.Thread(target=_end_with, args=[os.getppid()], daemon=True).start()
    try:
        done = mark(Path(file), names, int(seed) if seed else None)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("\nkcourse check: stopped.", file=sys.stderr, flush=True)
        done = STOPPED
    except BrokenPipeError:  # the reader has closed the pipe
        done = WRONG
    except BaseException:  # also SystemExit, from an answer that ends the program
        traceback.print_exc()
        os._exit(1)  # this code is not a verdict
    os._exit(next(code for code, verdict in CODES.items() if verdict == done))


def _end_with(parent: int) -> NoReturn:
    """End this process if its parent was killed, so that no endless loop remains; not possible on Windows."""
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
