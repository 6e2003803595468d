"""The instructor's commands ``kcourse grade``, ``term`` and ``release``, which `kcourse.commands.cli` imports."""

from __future__ import annotations

import argparse
import atexit
import importlib.util
import signal
import sys
from pathlib import Path

from kcourse.commands.problems import reported
from kcourse.commands.work import course_here

__all__ = ["add_options", "grade", "release", "term"]


def add_options(commands: argparse._SubParsersAction) -> None:
    """Add these commands to the parser of ``kcourse``; ``options.run`` is the function to call."""
    _grade_options(commands)
    _term_options(commands)
    _release_options(commands)


def _grade_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "grade",
        help="grade a folder of submissions",
        description="Grade the notebooks in a folder or a zip archive. Their code runs in a sandbox. If the command is "
        "stopped, run it again and it continues.",
        epilog="Exit codes: 0 done; 1 the grader itself failed on some submissions; 2 nothing to grade, or an invalid "
        "option; 3 no sandbox; 4 the disk is full, or the cluster was lost; 130 stopped by Ctrl-C.",
    )
    parser.set_defaults(run=grade)
    parser.add_argument("submissions", type=Path, help="folder (one per student, or flat), zip archive, or notebook")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for grades.csv, grades.json, report and feedback"
    )
    parser.add_argument("--sheet", help="the sheet that all submissions answer (default: recognised from each file)")
    parser.add_argument(
        "--level", type=int, help="how deep the students' folders are: 1 for the top (default: found by their names)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="number of submissions to grade at once (default: 1)")
    parser.add_argument(
        "--seed", type=int, help="seed of the hidden inputs, 0 or more (default: that of the last run, or a new one)"
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="grade on the workers of this Dask scheduler")
    parser.add_argument(
        "--unsafe", action="store_true", help="grade without a working sandbox, if you trust every author"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="STUDENT", help="grade only this student again; repeatable"
    )
    parser.add_argument(
        "--roster", type=Path, metavar="FILE",
        help="the class list: Moodle's grading worksheet, Canvas's gradebook, or a table with a column student",
    )  # fmt: skip
    parser.add_argument("--column", default="", help="column of the roster file that receives the points")
    parser.add_argument("--due", metavar="TIME", help="deadline, such as 2026-11-20T18:00; later days are counted")
    _late_options(parser)
    parser.add_argument(
        "--anonymous", action="store_true", help="use pseudonyms in tables and pages; names.csv has the key"
    )


def _late_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--late-off",
        metavar="AMOUNT",
        help="deduction for each day late: points (2) or a percentage of the sheet's points (10%%)",
    )
    parser.add_argument("--late-most", metavar="AMOUNT", help="largest deduction for lateness (default: all points)")


def grade(options: argparse.Namespace) -> int:
    """Grade submissions; see ``docs/grading.md``."""
    needed = ("jinja2", "IPython", "tqdm", "matplotlib", "yaml")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        print(f'kcourse grade needs {", ".join(missing)}: pip install ".[grade]" in the clone', file=sys.stderr)
        return 2
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # another Ctrl-C has nothing left to stop
    if sys.platform == "win32":
        print("kcourse grade runs on Linux (Windows: in WSL), and on macOS with --unsafe.", file=sys.stderr)
        return 3
    try:
        from kcourse_grader.folder import grade_folder

        return grade_folder(
            options.submissions, options.out, sheet=options.sheet, level=options.level, jobs=options.jobs,
            seed=options.seed, dask=options.dask, unsafe=options.unsafe, only=options.only, roster=options.roster,
            column=options.column, due=options.due, anonymous=options.anonymous, late_off=options.late_off,
            late_most=options.late_most,
        )  # fmt: skip
    except KeyboardInterrupt:  # while libraries are imported
        print("kcourse grade: stopped. Run the same command again to continue.", file=sys.stderr)
        return 130


def _term_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "term",
        help="make one table for the term, with statistics for each exercise",
        description="Merge the results of several sheets, or of several graders, into term.csv. Write the difficulty, "
        "discrimination and common mistakes of each exercise to exercises.csv, mistakes.csv and exercises.png.",
    )
    parser.set_defaults(run=term)
    parser.add_argument("results", type=Path, nargs="+", metavar="RESULTS", help="output folders of kcourse grade")
    parser.add_argument("--out", type=Path, required=True, help="folder for the tables and the picture")
    parser.add_argument(
        "--weights", type=Path, metavar="FILE", help="table with the columns sheet and weight (default: equal weights)"
    )
    parser.add_argument("--drop", type=int, default=0, metavar="N", help="drop each student's N lowest sheets")


def term(options: argparse.Namespace) -> int:
    """Make the table for the term; see ``docs/grading.md``."""
    with reported("term", 'pip install ".[grade]" in the clone') as told:
        from kcourse_grader.reports.term import write_term

        for line in write_term(options.results, options.out, weights=options.weights, drop=options.drop):
            print(line, file=sys.stderr)
    return told.code


def _release_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "release",
        help="pack one archive for students and one for instructors",
        description="Make two zip archives from a clone of the course. The students' archive has lectures, sheets, the "
        "environment and kcourse as a wheel whose checks use tables and contain no answers. The instructors' archive "
        "has solutions, slides, lecturer's notes, the grading guide, and kcourse with the grader. The same clone "
        "always gives the same bytes. The command make release installs what this command needs.",
    )
    parser.set_defaults(run=release)
    parser.add_argument(
        "--chapters",
        nargs="+",
        default=[],
        metavar="CHAPTER",
        help="beginnings of their names: ch03 ch04 (default: all)",
    )
    parser.add_argument(
        "--handed-out", nargs="+", default=[], metavar="CHAPTER",
        help="chapters that students already have: links to them are kept, and their checks continue to work",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, default=Path("dist"), help="output folder (default: dist)")


def release(options: argparse.Namespace, *, start: Path | None = None) -> int:
    """Pack the course into two archives."""
    course = course_here(start)
    if course is None:
        return 2
    with reported("release", "make release, in the clone") as told:
        from kcourse_grader.release.archives import release as pack

        pack(course, options.out, options.chapters, handed_out=options.handed_out)
    return told.code
