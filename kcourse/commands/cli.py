"""The command ``kcourse``: ``lab`` opens the course, ``check`` marks your own sheet, ``doctor`` checks the
installation, ``slides`` shows a chapter, ``exam`` makes an exam. ``grade``, ``term`` and ``release`` need the grader,
which the students' edition does not contain.
"""

from __future__ import annotations

import argparse
import codecs
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import kcourse
from kcourse.base import threads
from kcourse.base.files import home_instead
from kcourse.commands.problems import reported
from kcourse.commands.work import START, WORK, course_here, grader_is_installed, lay_out


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    say_what_can_be_said()
    parser = argparse.ArgumentParser(prog="kcourse", description="A Jupyter course on kernel methods.")
    parser.add_argument("--version", action="version", version=f"kcourse {kcourse.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    opens = commands.add_parser(
        "lab",
        help="open the course in JupyterLab; further options go to JupyterLab",
        description=f"Copy the chapters and sheets to {WORK} and open the first page there in JupyterLab. Files that "
        "you have changed are never overwritten. Other options go to JupyterLab: kcourse lab --port 8899.",
        allow_abbrev=False,  # an abbreviation of our option could be an option of JupyterLab
    )
    opens.add_argument("--originals", action="store_true", help=f"open the course with lecturer's notes, not {WORK}")
    lays_out = commands.add_parser(
        "work", help=f"copy the chapters and sheets to {WORK} without opening them, for a hub"
    )
    lays_out.add_argument(
        "--into", type=Path, metavar="FOLDER", help="copy to this folder instead (the course may be read-only)"
    )
    lays_out.set_defaults(run=lambda options: work(options.into))
    _check_options(commands)
    looks = commands.add_parser(
        "doctor",
        help="check the installation and say how to fix it",
        description="Check Python, the packages, the notebook kernel, the sliders and the folder of the course. "
        "Nothing is changed. Exit codes: 0 no problems; 1 something needs fixing.",
    )
    looks.set_defaults(run=lambda _: doctor())
    _slides_options(commands)
    _exam_options(commands)
    asked = sys.argv[1:] if argv is None else argv
    if grader_is_installed():  # it imports this package, so it is imported by name
        importlib.import_module("kcourse_grader.commands").add_options(commands)
    elif asked and asked[0] in ("grade", "term", "release"):
        parser.error(f"{asked[0]} is not installed. It is in the instructors' archive and in a clone of the course.")
    options, rest = parser.parse_known_args(argv)
    if options.command == "lab":
        return lab(rest, originals=options.originals)
    if options.command == "check" and not any(name.startswith("-") for name in rest):
        options.names, rest = [*options.names, *rest], []  # argparse does not accept names after an option
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        return options.run(options)
    except KeyboardInterrupt:
        return 130
    except FileNotFoundError:
        if _somewhere():
            raise
        print(
            "kcourse: this terminal is in a folder that no longer exists. Change into the folder of the course.",
            file=sys.stderr,
        )
        return 2


def _somewhere() -> bool:
    try:
        return bool(Path.cwd())
    except FileNotFoundError:
        return False


_PLAIN = str.maketrans({"✓": "+", "✗": "x", "–": "-", "—": "-", "→": ">", "…": "...", "“": '"', "”": '"', "’": "'"})


def say_what_can_be_said() -> None:
    """Replace ✓ and the like if the output's encoding lacks them (a pipe on Windows, LANG=C), without a traceback."""

    def plainer(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        said = error.object[error.start : error.end].translate(_PLAIN)
        return "".join(letter if letter.isascii() else "?" for letter in said), error.end

    codecs.register_error("kcourse.plainer", plainer)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="kcourse.plainer")


def _check_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "check",
        help="mark your own sheet in the terminal",
        description="Run a sheet and print the verdict on each answer, like the checks in the sheet; for a folder, run "
        "every sheet that you have begun. The code runs without a sandbox, so use it for your own files only. Exit "
        "codes: 0 all answers are right, or no sheet is begun; 1 an answer is not right; 2 no sheet.",
    )
    parser.set_defaults(run=check)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="a notebook, a folder of notebooks, or a Python file with the functions"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="mark only these exercises (default: all)")
    parser.add_argument("--seed", type=int, help="seed of the random inputs, 0 or more (default: random)")
    parser.add_argument(
        "--summary",
        type=Path,
        metavar="FILE",
        help="append the verdicts to this file as Markdown (for a job on a server)",
    )


# -P: a file next to the sheet must not be imported instead of a library; so the place of kcourse is appended again.
_MARK = """
import sys
sys.path.append(sys.argv.pop(1))
try:
    from kcourse.commands.cli import say_what_can_be_said
    from kcourse.sheets.self_check import mark_and_end
except KeyboardInterrupt:
    sys.exit("")
say_what_can_be_said()
mark_and_end(*sys.argv[1:])
"""


def check(options: argparse.Namespace) -> int:
    """Mark a sheet in a separate process."""
    if options.seed is not None and options.seed < 0:
        print(f"kcourse check: --seed must be 0 or more, got {options.seed}", file=sys.stderr)
        return 2
    try:
        _note("", options.summary)  # before anything is run
    except OSError as problem:
        print(f"kcourse check: --summary {options.summary}: {problem.strerror}", file=sys.stderr)
        return 2
    files = [options.file]
    if options.file.is_dir():
        from kcourse.sheets.self_check import begun

        try:
            files = begun(options.file)
        except (OSError, ValueError) as problem:
            print(f"kcourse check: {problem}", file=sys.stderr)
            return 2
        if options.names:
            print("kcourse check: names of exercises need a file, not a folder", file=sys.stderr)
            return 2
        if not files:
            _note("Nothing is answered yet.\n", options.summary)
            print(f"Nothing is answered yet in {options.file}.")
    codes = [_check(file, options) for file in files]
    return max(codes, key=(0, 1, 2, 130).index, default=0)


def _check(file: Path, options: argparse.Namespace) -> int:
    seed = "" if options.seed is None else str(options.seed)
    place = str(Path(kcourse.__file__).resolve().parents[1])
    command = [sys.executable, "-P", "-c", _MARK, place, str(file), seed, *options.names]
    # figures are not shown, and input() fails here as in the grader
    env = {**os.environ, **threads.settings(), **home_instead(Path(sys.prefix)), "MPLBACKEND": "Agg"}
    if options.summary is None:
        return _verdict(*to_its_end(command, env=env, stdin=subprocess.DEVNULL))
    from kcourse.sheets.self_check import as_summary

    with tempfile.TemporaryFile() as said:
        env["PYTHONIOENCODING"] = "utf-8"
        streams = {"stdin": subprocess.DEVNULL, "stdout": said, "stderr": subprocess.STDOUT}
        code, stopped = to_its_end(command, env=env, **streams)
        said.seek(0)
        text = said.read().decode("utf-8", "replace").replace("\r\n", "\n")
    print(text, flush=True)
    verdict = _verdict(code, stopped)
    within = options.file.is_dir() and file.is_relative_to(options.file)
    _note(as_summary((file.relative_to(options.file) if within else file).as_posix(), text), options.summary)
    return verdict


def _note(text: str, summary: Path | None) -> None:
    if summary is not None:
        with summary.open("a", encoding="utf-8") as page:
            page.write(text)


def to_its_end(command: Sequence[str], **options: Any) -> tuple[int, bool]:
    """Run a program that handles Ctrl-C itself; return (exit code, whether Ctrl-C was pressed)."""
    process, stopped = subprocess.Popen(command, **options), False
    while True:
        try:
            return process.wait(), stopped
        except KeyboardInterrupt:
            stopped = True


def _verdict(code: int, stopped: bool) -> int:
    """Return the exit code of ``check``, from that of its process, which the sheet may have ended itself."""
    from kcourse.sheets.self_check import CODES, STOPPED, WRONG

    if code in CODES:
        return CODES[code]
    if stopped:
        print("kcourse check: stopped.", file=sys.stderr)
        return STOPPED
    how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
    print(
        f"\nkcourse check: the program ended ({how}) before all answers were marked. Possible causes are os._exit in "
        "the sheet, a crash, or too little memory. Answers with a verdict above are not the cause.",
        file=sys.stderr,
    )
    return WRONG


def doctor() -> int:
    """Check the installation and say how to fix it."""
    from kcourse.commands.doctor import report

    try:
        return report()
    except BrokenPipeError:  # the reader has closed the pipe
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
        return 1


def _exam_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "exam",
        help="make an exam of paper problems, on paper or for Moodle and Canvas",
        description="Choose problems, draw their numbers, and write for each variant an exam to print and solutions "
        "with a marking scheme. The same options give the same exam.",
    )
    parser.set_defaults(run=exam)
    parser.add_argument(
        "--chapters",
        nargs="+",
        default=[],
        metavar="CHAPTER",
        help="for example 3 5 6b (default: all)",
    )
    parser.add_argument(
        "--problems", nargs="+", default=[], metavar="NAME", help="use these problems: ch03_ridge/least_norm …"
    )
    parser.add_argument("--minutes", type=float, help="length of the exam (default: 90, or the time for --problems)")
    parser.add_argument(
        "--blueprint", type=Path, metavar="FILE", help="CSV file: minutes by chapter, kind, level, bank"
    )
    parser.add_argument("--avoid", type=Path, nargs="+", default=[], metavar="EXAM",
                        help="leave out the problems of these exams: their folders, or their numbers.csv")  # fmt: skip
    parser.add_argument(
        "--own", type=Path, nargs="+", default=[], metavar="FILE", help="add your own problems (Python)"
    )
    parser.add_argument("--variants", type=int, default=2, help="number of variants (default: 2)")
    parser.add_argument("--seed", type=int, help="seed of the choice and of the numbers, 0 or more; keep it secret")
    parser.add_argument("--title", default="Kernel methods", help="title at the top of each exam")
    parser.add_argument("--date", default="", help="date at the top of each exam")
    parser.add_argument("--aids", default="", help="what students may use, at the top of each exam")
    parser.add_argument("--paper", choices=["A4", "Letter"], default="A4")
    parser.add_argument(
        "--for", dest="places", nargs="+", choices=["paper", "moodle", "canvas"], default=["paper"],
        help="write exams on paper, a file for Moodle, a file for Canvas (default: paper)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=Path("exam"), help="new folder for the files (default: exam)")
    parser.add_argument("--list", action="store_true", help="only list the chosen problems")
    parser.add_argument("--sizes", action="store_true", help="only show how many problems there are")


def exam(options: argparse.Namespace) -> int:
    """Make an exam; see ``docs/exams.md``."""
    with reported("exam", 'pip install ".[exam]" in the clone') as told:
        from kcourse.paper_problems.exam import make
        from kcourse.paper_problems.selection import sizes

        if options.sizes:
            print(sizes())
            return 0
        if options.seed is None:
            raise ValueError("--seed is missing. Choose a number of 0 or more, and keep it secret")
        make(
            options.out, names=options.problems, stems=options.chapters, minutes=options.minutes,
            count=options.variants, seed=options.seed, title=options.title, date=options.date, aids=options.aids,
            paper=options.paper, places=options.places, rows=options.blueprint, avoid=options.avoid, own=options.own,
            only_list=options.list,
        )  # fmt: skip
    return told.code


def _slides_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "slides",
        help="show a chapter as slides in the browser",
        description="Make the slides of a chapter, one file that needs no network, and show them until Ctrl-C. In the "
        "browser, S opens the speaker's view, F fills the screen, and ? lists all keys. To print one page for each "
        "slide, add ?print-pdf to the address.",
    )
    parser.set_defaults(run=slides)
    parser.add_argument("chapter", help="name of the chapter, or its beginning: ch03_ridge, ch03")
    parser.add_argument("--out", type=Path, help="write the slides to this file and show nothing")


def slides(options: argparse.Namespace, *, start: Path | None = None) -> int:
    """Make and show the slides of a chapter."""
    course = course_here(start)
    if course is None:
        return 2
    with reported("slides", "make slides, or pip install '.[slides]', in the clone") as told:
        from kcourse.slides import build, drawn_for, find_chapter, show

        notebook = find_chapter(course, options.chapter)
        deck = options.out or course / "slides" / f"{notebook.stem}.html"
        build(notebook, deck, drawn_for(course, notebook.stem))
    if told.code:
        return told.code
    if options.out:
        print(deck)
    else:
        show(deck)
    return 0


def lab(arguments: Sequence[str] = (), *, start: Path | None = None, originals: bool = False) -> int:
    """Start JupyterLab on the first page of the course: in ``my_work``, or in the course's own folder."""
    course = course_here(start)
    if course is None:
        return 2
    if importlib.util.find_spec("jupyterlab") is None:
        print("kcourse: JupyterLab is not installed. To see how to install it, run kcourse doctor.", file=sys.stderr)
        return 2
    root = course if originals else _laid_out(course)
    if root is None:
        return 1
    command = [sys.executable, "-m", "jupyterlab", *lab_options(root), *arguments]
    # use this environment's kernel, whatever else is installed
    chosen = {"JUPYTER_PREFER_ENV_PATH": "1", **threads.settings(), **home_instead(Path(sys.prefix))}
    env = {**os.environ, **chosen}
    code, left = to_its_end(command, cwd=root, env=env)
    return 0 if left else code  # Ctrl-C is the normal way to end JupyterLab


def work(into: Path | None = None, *, start: Path | None = None) -> int:
    """Copy chapters and sheets to ``my_work``, or to the folder ``into``, without opening them."""
    course = course_here(start)
    if course is None:
        return 2
    try:
        return 0 if _laid_out(course, into) else 1
    except ValueError as problem:
        print(f"kcourse work: {problem}", file=sys.stderr)
        return 2


def _laid_out(course: Path, into: Path | None = None) -> Path | None:
    """Return the folder of the copies, up to date if possible; None if there is nothing to open."""
    folder = into or course / WORK
    try:
        return lay_out(course, into=into)
    except OSError as error:
        print(f"kcourse: {folder.name} could not be updated: {error}. None of your files was changed.", file=sys.stderr)
    if (folder / START).is_file():
        return folder
    print(
        "Free some disk space, or put the course in a folder where you may write. To read it here, run: kcourse lab "
        "--originals",
        file=sys.stderr,
    )
    return None


def lab_options(root: Path) -> list[str]:
    """Return JupyterLab's options for the course or its copies."""
    settings = Path(kcourse.__file__).parent / "lab" / "settings"
    options = [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{START}",
        f"--LabApp.app_settings_dir={settings}",  # overrides.json there: no news, no network access
        # each copy of the course remembers its own open tabs
        f"--LabApp.workspaces_dir={Path(sys.prefix) / 'jupyter' / 'workspaces'}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # a container's only user; JupyterLab listens on this machine only
    return options
