"""The command ``kcourse``: ``lab`` opens the course, ``check`` marks one's own sheet, ``doctor`` finds what is wrong,
``slides`` shows a chapter, ``exam`` makes an exam. ``grade``, ``term`` and ``release`` are the grader's, where it is
installed: what students install is without it.
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
    """Run the command; returns its exit code."""
    say_what_can_be_said()
    parser = argparse.ArgumentParser(prog="kcourse", description="A Jupyter course on kernel methods.")
    parser.add_argument("--version", action="version", version=f"kcourse {kcourse.__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    opens = commands.add_parser(
        "lab",
        help="open the course in JupyterLab; further options go to JupyterLab",
        description=f"Lay out your own copies of chapters and sheets in {WORK} and open the first page there in "
        "JupyterLab. What you wrote is never touched. Other options go to JupyterLab: kcourse lab --port 8899.",
        allow_abbrev=False,  # a short form of ours could be an option of JupyterLab's
    )
    opens.add_argument("--originals", action="store_true", help=f"open the course itself, not the copies in {WORK}")
    lays_out = commands.add_parser(
        "work", help=f"lay out the copies in {WORK} without opening them (for a hub, which opens them by itself)"
    )
    lays_out.add_argument(
        "--into", type=Path, metavar="FOLDER", help="lay them out there: the course's own folder may be read-only"
    )
    lays_out.set_defaults(run=lambda options: work(options.into))
    _check_options(commands)
    looks = commands.add_parser(
        "doctor",
        help="say what is wrong with this installation, and what fixes it",
        description="Look at Python, the packages, a notebook's kernel, the sliders, the folder of the course. Nothing "
        "is changed. Exit codes: 0 all is well; 1 something has to be fixed.",
    )
    looks.set_defaults(run=lambda _: doctor())
    _slides_options(commands)
    _exam_options(commands)
    asked = sys.argv[1:] if argv is None else argv
    if grader_is_installed():  # it imports this package, and so is imported by its name
        importlib.import_module("kcourse_grader.commands").add_options(commands)
    elif asked and asked[0] in ("grade", "term", "release"):
        parser.error(f"{asked[0]} is in the instructors' archive, and in a clone of the course")
    options, rest = parser.parse_known_args(argv)
    if options.command == "lab":
        return lab(rest, originals=options.originals)
    if options.command == "check" and not any(name.startswith("-") for name in rest):
        options.names, rest = [*options.names, *rest], []  # argparse takes no names behind an option
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    try:
        return options.run(options)
    except KeyboardInterrupt:
        return 130
    except FileNotFoundError:
        if _somewhere():
            raise
        print("kcourse: the folder that this terminal is in is gone; cd into the course.", file=sys.stderr)
        return 2


def _somewhere() -> bool:
    try:
        return bool(Path.cwd())
    except FileNotFoundError:
        return False


_PLAIN = str.maketrans({"✓": "+", "✗": "x", "–": "-", "—": "-", "→": ">", "…": "...", "“": '"', "”": '"', "’": "'"})


def say_what_can_be_said() -> None:
    """Where the output's encoding has no ✓ (a pipe on Windows, LANG=C) something plainer stands, and no traceback."""

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
        help="mark your own sheet, here in the terminal",
        description="Run a sheet and print the verdict on each of its answers, as the checks in it do; of a folder, "
        "every sheet that is begun. Its code is run as it is, without a sandbox: for your own file. Exit codes: 0 all "
        "right, or nothing begun; 1 something is not; 2 no sheet.",
    )
    parser.set_defaults(run=check)
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the notebook, a Python file with its functions, or a folder of them"
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these exercises (default: all of the sheet)")
    parser.add_argument("--seed", type=int, help="of the inputs, 0 or more (default: new ones every time)")
    parser.add_argument(
        "--summary", type=Path, metavar="FILE", help="add the verdicts to this file as Markdown, for a job on a server"
    )


# What a file beside the sheet is called must not matter to what kcourse imports, so -P; what is found only because of
# the folder that one is in is found again, behind all else.
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
    """Mark a sheet in a process of its own."""
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
            print("kcourse check: names of exercises go with a file, not with a folder", file=sys.stderr)
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
    # figures are made and not shown, and nobody is asked: input() fails here as it does in the grader
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
    """Run a program that hears Ctrl-C itself, and has something to say or to put away; (exit code, was it pressed)."""
    process, stopped = subprocess.Popen(command, **options), False
    while True:
        try:
            return process.wait(), stopped
        except KeyboardInterrupt:
            stopped = True


def _verdict(code: int, stopped: bool) -> int:
    """The exit code of ``check``, from that of its process, which the sheet may have ended in its own way."""
    from kcourse.sheets.self_check import CODES, STOPPED, WRONG

    if code in CODES:
        return CODES[code]
    if stopped:
        print("kcourse check: stopped.", file=sys.stderr)
        return STOPPED
    how = f"with exit code {code}" if code >= 0 else f"by signal {-code}"
    print(
        f"\nkcourse check: the program was ended ({how}) before all answers were marked: by os._exit in the sheet, "
        "by a crash, or for want of memory. What has a verdict above is not to blame.",
        file=sys.stderr,
    )
    return WRONG


def doctor() -> int:
    """Say what is wrong with the installation."""
    from kcourse.commands.doctor import report

    try:
        return report()
    except BrokenPipeError:  # whoever read has seen enough
        sys.stdout = open(os.devnull, "w", encoding="utf-8")
        return 1


def _exam_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "exam",
        help="make an exam of paper problems, on paper or for Moodle and Canvas",
        description="Choose problems, draw their numbers, and write for each variant a sheet to print and its "
        "solutions with a scheme of marks, and one table of all numbers. The same options give the same exam.",
    )
    parser.set_defaults(run=exam)
    parser.add_argument("--chapters", nargs="+", default=[], metavar="CHAPTER", help="as in: 3 5 6b (default: all)")
    parser.add_argument(
        "--problems", nargs="+", default=[], metavar="NAME", help="these instead: ch03_ridge/least_norm …"
    )
    parser.add_argument("--minutes", type=float, help="how long it may take (default: 90, or what --problems take)")
    parser.add_argument("--variants", type=int, default=2, help="how often its numbers are drawn (default: 2)")
    parser.add_argument("--seed", type=int, required=True, help="0 or more: the same number gives the same exam")
    parser.add_argument("--title", default="Kernel methods", help="what stands at the top")
    parser.add_argument("--paper", choices=["A4", "Letter"], default="A4")
    parser.add_argument(
        "--for", dest="places", nargs="+", choices=["paper", "moodle", "canvas"], default=["paper"],
        help="what is written: sheets, a file for Moodle, a file for Canvas (default: paper)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=Path("exam"), help="a new folder for the files (default: exam)")
    parser.add_argument("--list", action="store_true", help="only say which problems are chosen")


def exam(options: argparse.Namespace) -> int:
    """Make an exam; see ``docs/exams.md``."""
    with reported("exam", 'pip install ".[exam]" in the clone') as told:
        from kcourse.paper_problems.exam import make

        make(
            options.out, names=options.problems, stems=options.chapters, minutes=options.minutes,
            count=options.variants, seed=options.seed, title=options.title, paper=options.paper,
            places=options.places, only_list=options.list,
        )  # fmt: skip
    return told.code


def _slides_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "slides",
        help="show a chapter as slides, in the browser",
        description="Make the deck of a chapter, one file that needs no network, and show it until Ctrl-C. In the "
        "browser: S opens the speaker's view, F fills the screen, ? lists all keys. With ?print-pdf behind the address "
        "the browser prints one page for each slide.",
    )
    parser.set_defaults(run=slides)
    parser.add_argument("chapter", help="its name, or how it begins: ch03_ridge, ch03")
    parser.add_argument("--out", type=Path, help="write the deck to this file, and show nothing")


def slides(options: argparse.Namespace, *, start: Path | None = None) -> int:
    """Make and show a chapter's deck."""
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
    """Start JupyterLab on the course's first page: in ``my_work``, or in the course's own folder."""
    course = course_here(start)
    if course is None:
        return 2
    if importlib.util.find_spec("jupyterlab") is None:
        print("kcourse: JupyterLab is not installed; kcourse doctor says how to set it up.", file=sys.stderr)
        return 2
    root = course if originals else _laid_out(course)
    if root is None:
        return 1
    command = [sys.executable, "-m", "jupyterlab", *lab_options(root), *arguments]
    # this environment's kernel, whatever the user has installed
    chosen = {"JUPYTER_PREFER_ENV_PATH": "1", **threads.settings(), **home_instead(Path(sys.prefix))}
    env = {**os.environ, **chosen}
    code, left = to_its_end(command, cwd=root, env=env)
    return 0 if left else code  # Ctrl-C is how one leaves JupyterLab


def work(into: Path | None = None, *, start: Path | None = None) -> int:
    """Lay out ``my_work``, or the folder ``into``, and no more."""
    course = course_here(start)
    if course is None:
        return 2
    try:
        return 0 if _laid_out(course, into) else 1
    except ValueError as problem:
        print(f"kcourse work: {problem}", file=sys.stderr)
        return 2


def _laid_out(course: Path, into: Path | None = None) -> Path | None:
    """The copies' folder, up to date or at least there; None if there is nothing to open."""
    folder = into or course / WORK
    try:
        return lay_out(course, into=into)
    except OSError as error:
        print(f"kcourse: {folder.name} is not up to date: {error}. Nothing of yours was changed.", file=sys.stderr)
    if (folder / START).is_file():
        return folder
    print(
        "Make room, or clone the course where you may write. To read it here: kcourse lab --originals",
        file=sys.stderr,
    )
    return None


def lab_options(root: Path) -> list[str]:
    """JupyterLab's options for the course or the copies of it."""
    settings = Path(kcourse.__file__).parent / "lab" / "settings"
    options = [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{START}",
        f"--LabApp.app_settings_dir={settings}",  # overrides.json there: no news pop-up, no look-up on the network
        # which tabs are open is remembered for each clone, not for all of them together
        f"--LabApp.workspaces_dir={Path(sys.prefix) / 'jupyter' / 'workspaces'}",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # a container's only user; JupyterLab listens on this machine only
    return options
