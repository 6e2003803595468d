"""The instructor's commands: ``kcourse grade``, ``term`` and ``release``, which `kcourse.commands.cli` finds here."""

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
    """Add the commands to those of ``kcourse``; the parsed options have the function to call as ``run``."""
    _grade_options(commands)
    _term_options(commands)
    _release_options(commands)


def _grade_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "grade",
        help="mark a folder of submissions",
        description="Mark the notebooks in a folder or a zip archive, in a sandbox. The same command again continues "
        "where it stopped.",
        epilog="Exit codes: 0 done; 1 the grader itself failed on some; 2 nothing to grade, or a wrong option; 3 no "
        "sandbox; 4 the disk is full, or the cluster was lost; 130 stopped by Ctrl-C.",
    )
    parser.set_defaults(run=grade)
    parser.add_argument("submissions", type=Path, help="folder (one per student, or flat), zip archive, or notebook")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for grades.csv, grades.json, report and feedback"
    )
    parser.add_argument("--sheet", help="the sheet that all of them answer (default: each is recognised)")
    parser.add_argument("--jobs", type=int, default=1, help="how many to grade at once (default: 1)")
    parser.add_argument(
        "--seed", type=int, help="of the hidden inputs, 0 or more (default: that of the last run, or a new one)"
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="grade on the workers of this Dask scheduler")
    parser.add_argument("--unsafe", action="store_true", help="go on where no sandbox holds: you trust every author")
    parser.add_argument(
        "--only", action="append", default=[], metavar="STUDENT", help="grade this one again; repeatable"
    )
    parser.add_argument(
        "--roster", type=Path, metavar="FILE",
        help="the class: Moodle's grading worksheet, Canvas's gradebook, or a table with a column student",
    )  # fmt: skip
    parser.add_argument("--column", default="", help="of the roster's file, that the points go into")
    parser.add_argument(
        "--due", metavar="TIME", help="when it was to be handed in, as 2026-11-20T18:00: counts days late"
    )
    _late_options(parser)
    parser.add_argument(
        "--anonymous", action="store_true", help="name nobody in tables and pages; names.csv has the key"
    )


def _late_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--late-off",
        metavar="AMOUNT",
        help="what each day late costs: points, as 2, or a share of the sheet's, as 10%%",
    )
    parser.add_argument("--late-most", metavar="AMOUNT", help="what all days together may cost (default: all points)")


def grade(options: argparse.Namespace) -> int:
    """Mark submissions; see ``docs/grading.md``."""
    missing = [name for name in ("jinja2", "IPython", "tqdm", "matplotlib") if importlib.util.find_spec(name) is None]
    if missing:
        print(f'kcourse grade needs {", ".join(missing)}: pip install ".[grade]" in the clone', file=sys.stderr)
        return 2
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # the last, impatient Ctrl-C has nothing to stop
    if sys.platform == "win32":
        print("kcourse grade runs on Linux (Windows: in WSL), and on macOS with --unsafe.", file=sys.stderr)
        return 3
    try:
        from kcourse_grader.folder import grade_folder

        return grade_folder(
            options.submissions, options.out, sheet=options.sheet, jobs=options.jobs, seed=options.seed,
            dask=options.dask, unsafe=options.unsafe, only=options.only, roster=options.roster, column=options.column,
            due=options.due, anonymous=options.anonymous, late_off=options.late_off, late_most=options.late_most,
        )  # fmt: skip
    except KeyboardInterrupt:  # while libraries are imported
        print("kcourse grade: stopped. The same command again continues.", file=sys.stderr)
        return 130


def _term_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "term",
        help="make one table of the term, and what each exercise tells of the class",
        description="Merge the results of several sheets, and of graders who shared the work: term.csv, and for each "
        "exercise its difficulty, discrimination and mistakes in exercises.csv, mistakes.csv and exercises.png.",
    )
    parser.set_defaults(run=term)
    parser.add_argument(
        "results", type=Path, nargs="+", metavar="RESULTS", help="folders that kcourse grade has written"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for the tables and the picture")
    parser.add_argument(
        "--weights", type=Path, metavar="FILE", help="a table with the columns sheet and weight (default: all the same)"
    )
    parser.add_argument("--drop", type=int, default=0, metavar="N", help="how many sheets, the lowest, do not count")


def term(options: argparse.Namespace) -> int:
    """Make the table of the term; see ``docs/grading.md``."""
    with reported("term", 'pip install ".[grade]" in the clone') as told:
        from kcourse_grader.reports.term import write_term

        for line in write_term(options.results, options.out, weights=options.weights, drop=options.drop):
            print(line, file=sys.stderr)
    return told.code


def _release_options(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "release",
        help="pack what students get, and what instructors get",
        description="Make two zip archives from a clone of the course: for students lectures, sheets, the environment "
        "and kcourse as a wheel, whose checks judge by tables and hold no answer; for instructors solutions, decks, "
        "the lecturer's notes, the guide to grading, and kcourse with the grader. The same clone gives the same bytes. "
        "make release sets up what this needs.",
    )
    parser.set_defaults(run=release)
    parser.add_argument(
        "--chapters", nargs="+", default=[], metavar="CHAPTER", help="how their names begin: ch03 ch04 (default: all)"
    )
    parser.add_argument(
        "--handed-out", nargs="+", default=[], metavar="CHAPTER",
        help="chapters that students have from an earlier archive: their pages are linked, and their checks go on",
    )  # fmt: skip
    parser.add_argument(
        "--with-lecturers-notes", action="store_true", help="leave the lecturer's notes in the students' notebooks"
    )
    parser.add_argument("--out", type=Path, default=Path("dist"), help="the folder for them (default: dist)")


def release(options: argparse.Namespace, *, start: Path | None = None) -> int:
    """Pack the course."""
    course = course_here(start)
    if course is None:
        return 2
    with reported("release", "make release, in the clone") as told:
        from kcourse_grader.release.archives import release as pack

        pack(course, options.out, options.chapters, handed_out=options.handed_out, notes=options.with_lecturers_notes)
    return told.code
