"""The command: collect, prove the sandbox, grade, report; and again, from where it stopped."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from kcourse import threads
from kcourse.checks import CHAPTERS
from kcourse.grading.batch import InThisProcess, Ledger, begin_worker, close_sandboxes, grade_all, sandbox_here
from kcourse.grading.grade import Grade
from kcourse.grading.inbox import Submission, collect
from kcourse.grading.probe import Report, probe
from kcourse.grading.report import write_reports
from kcourse.grading.sandbox import Limits, NoSandbox, available_tier

__all__ = ["DONE", "FAULTS", "INTERRUPTED", "NO_SANDBOX", "USAGE", "grade_folder"]

DONE, FAULTS, USAGE, NO_SANDBOX, INTERRUPTED = 0, 1, 2, 3, 130
_ATTEMPTS = 3  # at a pool whose processes were killed from outside


def grade_folder(
    source: Path,
    out: Path,
    *,
    sheet: str | None = None,
    jobs: int = 1,
    seed: int | None = None,
    dask: str | None = None,
    unsafe: bool = False,
    limits: Limits | None = None,
) -> int:
    """Grade what is in ``source``, write grades and pages into ``out``; return the exit code of the command.

    Parameters
    ----------
    source, out : path
        the folder or archive of submissions, and the folder for the results.
    sheet : str, optional
        the sheet that all of them answer.
    jobs : int
        how many to grade at once.
    seed : int, optional
        of the hidden inputs; by default that of the last run into ``out``, or a new one.
    dask : str, optional
        address of a Dask scheduler whose workers grade.
    unsafe : bool
        go on where no sandbox holds.
    limits : Limits, optional
        for each submission.
    """
    if sheet is not None and sheet not in CHAPTERS:
        return _usage(f"there is no sheet {sheet!r}; there are {', '.join(CHAPTERS)}.")
    if jobs < 1:
        return _usage(f"--jobs must be at least 1, got {jobs}.")
    try:
        submissions = collect(source, sheet)
        ledger = Ledger(out, seed)
    except (OSError, ValueError) as error:
        return _usage(str(error))
    tier = available_tier()
    try:
        report = _prove(tier, limits, unsafe)
    except NoSandbox as error:
        print(f"kcourse grade: {error}", file=sys.stderr)
        return NO_SANDBOX
    print(report.text, file=sys.stderr)
    if dask or min(jobs, len(submissions)) > 1:
        close_sandboxes()  # the others make their own
    try:
        grades, interrupted = _grade(submissions, ledger, tier, limits, jobs, dask, unsafe)
    except ImportError as error:
        return _usage(f"--dask needs the package distributed: pip install distributed ({error}).")
    except OSError as error:
        return _usage(f"the Dask cluster {dask} does not answer: {error}") if dask else _usage(str(error))
    finally:
        close_sandboxes()
    write_reports(grades, ledger.out, tier if report.stands else 0)
    return _farewell(grades, len(submissions), ledger.out, interrupted)


def _usage(text: str) -> int:
    print(f"kcourse grade: {text}", file=sys.stderr)
    return USAGE


def _prove(tier: int, limits: Limits | None, unsafe: bool) -> Report:
    if tier == 0 and not unsafe:
        raise NoSandbox(
            "there is no sandbox here, so a submission could read and change whatever you can. Install bubblewrap "
            "(apt install bubblewrap), or use Linux 6.12 or later with Landlock; or say --unsafe, if you trust every "
            "author."
        )
    report = probe(sandbox_here(tier, limits))
    if not report.stands and not unsafe:
        raise NoSandbox(f"the sandbox does not hold, so nothing was graded.\n{report.text}")
    return report


def _grade(
    submissions: list[Submission], ledger: Ledger, tier: int, limits: Limits | None, jobs: int, dask: str | None,
    unsafe: bool,
) -> tuple[list[Grade], bool]:  # fmt: skip
    """The grades, as far as it came, and whether it was interrupted."""
    from tqdm import tqdm

    grades: dict[tuple[str, str], Grade] = {}
    with tqdm(total=len(submissions), unit="", desc="grading", file=sys.stderr, disable=None) as bar:
        for attempt in range(_ATTEMPTS):
            try:
                with _executor(min(jobs, len(submissions)), dask) as (executor, workers):
                    for grade in grade_all(
                        submissions, ledger, executor=executor, tier=tier, limits=limits, workers=workers,
                        unsafe=unsafe,
                    ):  # fmt: skip
                        grades[grade.student, grade.sheet] = grade
                        bar.update(len(grades) - bar.n)
                return list(grades.values()), False
            except KeyboardInterrupt:
                return list(grades.values()), True
            except BrokenExecutor:  # a process of the pool was killed, for want of memory for one
                if attempt == _ATTEMPTS - 1:
                    raise
    raise AssertionError


@contextlib.contextmanager
def _executor(jobs: int, dask: str | None) -> Iterator[tuple[Executor, int]]:
    """Where the work is done, and by how many at once; 0 for this very process."""
    if dask:
        from distributed import Client

        with Client(dask, timeout="10s") as client:
            yield client.get_executor(pure=False), max(1, len(client.scheduler_info()["workers"]))
    elif jobs == 1:
        yield InThisProcess(), 0
    else:
        os.environ.update(threads.settings())  # the processes share the cores already
        pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_worker)
        try:
            yield pool, jobs
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _farewell(grades: list[Grade], wanted: int, out: Path, interrupted: bool) -> int:
    errors = sum(grade.status == "error" for grade in grades)
    review = sum(bool(grade.review) for grade in grades)
    print(f"{len(grades)} of {wanted} graded; {review} to look at; see {out / 'report.html'}.", file=sys.stderr)
    if interrupted:
        print("Stopped. The same command again continues.", file=sys.stderr)
        return INTERRUPTED
    if errors:
        print(f"The grader failed on {errors}: that is its fault; please report it.", file=sys.stderr)
    return FAULTS if errors else DONE
