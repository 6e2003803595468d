"""``kcourse grade``: collect submissions, test the sandbox, grade, write reports, continue an interrupted run."""

from __future__ import annotations

import contextlib
import errno
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from multiprocessing import get_context, resource_tracker
from pathlib import Path
from typing import Any

from kcourse.base import threads
from kcourse.base.files import locked
from kcourse.base.timeouts import slowness
from kcourse.checks import CHAPTERS, exercises
from kcourse_grader.marking.batch import InThisProcess, Ledger, begin_worker, close_sandboxes, grade_all, sandbox_here
from kcourse_grader.marking.record import Grade
from kcourse_grader.reports.exports import remove_tables
from kcourse_grader.reports.gradebook import Gradebook, open_gradebook
from kcourse_grader.reports.overrides import FILE
from kcourse_grader.reports.report import remove_stale, write_reports
from kcourse_grader.sandbox.probe import Proof, probe
from kcourse_grader.sandbox.sandbox import Limits, NoSandbox, available_tier
from kcourse_grader.submissions.inbox import Submission, collect
from kcourse_grader.writing import CannotWrite

__all__ = ["DONE", "FAULTS", "HALTED", "INTERRUPTED", "NO_SANDBOX", "USAGE", "grade_folder"]

DONE, FAULTS, USAGE, NO_SANDBOX, HALTED, INTERRUPTED = 0, 1, 2, 3, 4, 130
_ATTEMPTS = 3  # to grade with a pool whose processes are killed from outside
_STUDENTS = (
    "this is the students' edition, which knows the right answers only for stored inputs. Grade with kcourse from the "
    "instructors' archive or from a clone of the course."
)
_EVERY = 10.0  # seconds between two lines of progress in a log


class _Halted(RuntimeError):
    """Grading cannot continue; the text says why. ``code`` is the exit code of the command."""

    def __init__(self, text: str, code: int = HALTED) -> None:
        super().__init__(text)
        self.code = code


def grade_folder(
    source: Path,
    out: Path,
    *,
    sheet: str | None = None,
    level: int | None = None,
    jobs: int = 1,
    seed: int | None = None,
    dask: str | None = None,
    unsafe: bool = False,
    limits: Limits | None = None,
    **told: Any,
) -> int:
    """Grade the submissions in ``source`` and write grades and pages into ``out``; return the exit code.

    Parameters
    ----------
    source, out : path
        the folder or archive of submissions, and the folder for the results.
    sheet : str, optional
        the sheet that all submissions answer.
    level : int, optional
        how deep the students' folders are, 1 for the top.
    jobs : int
        number of submissions to grade at once.
    seed : int, optional
        seed of the hidden inputs; by default that of the last run into ``out``, or a new one.
    dask : str, optional
        address of a Dask scheduler whose workers grade.
    unsafe : bool
        grade even without a working sandbox.
    limits : Limits, optional
        limits for each submission.
    **told
        options about the class: see `open_gradebook`.
    """
    if sheet is not None and sheet not in CHAPTERS:
        return _end(USAGE, f"no sheet named {sheet!r}. Available: {', '.join(CHAPTERS)}.")
    if any(spec.answer_table for spec in exercises()):
        return _end(USAGE, _STUDENTS)
    if level is not None and level < 1:
        return _end(USAGE, f"--level must be at least 1, got {level}.")
    if jobs < 1:
        return _end(USAGE, f"--jobs must be at least 1, got {jobs}.")
    if seed is not None and seed < 0:
        return _end(USAGE, f"--seed must be 0 or more, got {seed}.")
    if Path(out).resolve() == Path(source).resolve():
        return _end(USAGE, f"--out {out} is the folder of the submissions. Name another folder.")
    unseen: list[str] = []
    _say(f"Reading {source}.")
    try:
        with _given():
            open_gradebook(Path(out), **told)  # report errors in tables before any slow work
            submissions = collect(source, sheet, unseen.append, Path(out), level)
            Path(out).mkdir(parents=True, exist_ok=True)
        for sentence in unseen:
            _say(_visible(sentence))  # a name may contain a line break
        with locked(
            Path(out) / ".lock", "grading", lambda who: _say(f"Another run is writing into {out}: {who}. Waiting.")
        ):
            with _given():
                book = open_gradebook(Path(out), **told)
            return _grade_into(submissions, Path(out), seed, jobs, dask, unsafe, limits, book)
    except KeyboardInterrupt:
        return _end(INTERRUPTED, "stopped. Run the same command again to continue.")
    except NoSandbox as error:
        return _end(NO_SANDBOX, str(error))
    except (_Halted, CannotWrite, OSError) as error:
        code = error.code if isinstance(error, _Halted) else HALTED
        again = " Finished grades are kept. Run the same command again to continue." if code == HALTED else ""
        return _end(code, f"{error}{again}")
    finally:
        close_sandboxes()


@contextlib.contextmanager
def _given() -> Iterator[None]:
    """Report a failure in here as an error in the command's input, unless the disk is full."""
    try:
        yield
    except (OSError, ValueError) as error:
        full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
        raise _Halted(str(error), HALTED if full else USAGE) from None


def _grade_into(
    submissions: list[Submission], out: Path, seed: int | None, jobs: int, dask: str | None, unsafe: bool,
    limits: Limits | None, book: Gradebook,
) -> int:  # fmt: skip
    everybody = submissions
    with _given():
        ledger = Ledger(out, seed, any_code=bool(book.only))  # with --only the other grades stay unchanged
        sheets = sorted({submission.sheet for submission in everybody if submission.sheet})
        if noticed := book.look_over(everybody, sheets, out, ledger.seed):
            _say(noticed)
        if book.only:
            for submission in book.chosen(everybody):
                ledger.forget(submission)
            submissions = [s for s in everybody if s.student in book.only or ledger.stored(s)]
    grades, interrupted = [g for s in submissions if (g := ledger.stored(s))], False
    if len(grades) < len(submissions):
        tier = _sandbox(ledger, limits, sheets, unsafe)
        if dask or min(jobs, len(submissions)) > 1:
            close_sandboxes()  # each worker starts its own
        grades, interrupted = _grade(submissions, ledger, tier, limits, jobs, dask, unsafe)
    else:
        _say("Every submission is already graded. Only tables and pages are written again.")
    if book.anonymous and not all(override.student.startswith("student-") for override in book.overrides):
        _say(f"{FILE} contains real names, so keep it as private as names.csv. You can also use pseudonyms in it.")
    for table in remove_tables(out, book.roster):
        _say(f"Removed {table}, which needs the platform's table in --roster. Run the command again with it.")
    with _given():
        settled = book.settled(grades, everybody, sheets, out, ledger.seed)
    held = ledger.tier_of(s for s in submissions if ledger.stored(s))
    pages = write_reports(settled, out, held, book, ledger.seed, everybody)
    if not interrupted and (gone := remove_stale(pages, out, anonymous=book.anonymous)):
        _say(f"Removed {gone} feedback page{'s' if gone > 1 else ''} whose submission no longer exists.")
    return _farewell(grades, settled, len(submissions), ledger.out, interrupted)


def _sandbox(ledger: Ledger, limits: Limits | None, sheets: list[str], unsafe: bool) -> int:
    """Test the sandbox and return its tier; the tier is stored with each grade."""
    tier = available_tier()
    _say("Starting the sandbox and testing whether code can escape from it. This takes a few seconds.")
    proof = _prove(tier, limits, sheets[0] if sheets else None, unsafe)
    ledger.tier = tier if proof.stands else 0
    _say(proof.text)
    if limits is None:
        here = slowness()
        _say(f"On this machine, time limits are multiplied by {here:.1f}, so a cell has {here * Limits().cell:.1f} s.")
    return tier


def _say(text: str) -> None:
    print("\n".join(_visible(line) for line in text.split("\n")), file=sys.stderr, flush=True)


def _visible(line: str) -> str:
    """Escape control characters, because file names may contain terminal commands."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def _end(code: int, text: str) -> int:
    _say(f"kcourse grade: {text}")
    return code


def _prove(tier: int, limits: Limits | None, sheet: str | None, unsafe: bool) -> Proof:
    if tier == 0 and not unsafe:
        raise NoSandbox(
            "no sandbox is available, so a submission could read and change all your files. Install bubblewrap "
            "(apt install bubblewrap), or use Linux 6.12 or later with Landlock. If you trust every author, add "
            "--unsafe."
        )
    report = probe(sandbox_here(tier, limits, sheet))
    if not report.stands and not unsafe:
        raise NoSandbox(f"the sandbox failed its self-test, so nothing was graded.\n{report.text}")
    return report


def _grade(
    submissions: list[Submission], ledger: Ledger, tier: int, limits: Limits | None, jobs: int, dask: str | None,
    unsafe: bool,
) -> tuple[list[Grade], bool]:  # fmt: skip
    """Return the finished grades and whether grading was interrupted."""
    grades: dict[tuple[str, str], Grade] = {}
    with _progress(len(submissions)) as reached:
        for _ in range(_ATTEMPTS):
            try:
                with _executor(min(jobs, len(submissions)), dask) as (executor, workers):
                    for grade in grade_all(
                        submissions, ledger, executor=executor, tier=tier, limits=limits, workers=workers,
                        unsafe=unsafe,
                    ):  # fmt: skip
                        grades[grade.student, grade.sheet] = grade
                        reached(len(grades))
                if len(grades) < len(submissions):
                    raise _Halted("two submissions have the same student and sheet, so one grade would be lost.")
                return list(grades.values()), False
            except KeyboardInterrupt:
                return list(grades.values()), True
            except BrokenExecutor:  # a process of the pool was killed, for example because memory ran out
                continue
            except CancelledError:
                raise _Halted(f"the connection to the Dask cluster {dask} was lost.") from None
    raise _Halted(
        f"the grading processes were killed {_ATTEMPTS} times, perhaps because memory ran out. Try a smaller --jobs."
    )


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """Show the progress: a bar on a terminal, a line every few seconds in a log."""
    if sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=total, unit="", desc="grading", file=sys.stderr) as bar:
            yield lambda count: bar.update(count - bar.n)
        return
    said = time.monotonic()

    def reached(count: int) -> None:
        nonlocal said
        if time.monotonic() >= said + _EVERY and count < total:
            said = time.monotonic()
            _say(f"{count} of {total} graded.")

    _say(f"Grading {total}.")
    yield reached


@contextlib.contextmanager
def _executor(jobs: int, dask: str | None) -> Iterator[tuple[Executor, int]]:
    """Yield the executor and its number of workers; 0 workers means this process."""
    if dask:
        yield from _cluster(dask)
    elif jobs == 1:
        yield InThisProcess(), 0
    else:
        os.environ.update(threads.settings())  # the processes share the cores already
        pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=begin_worker)
        try:
            with _deaf():  # otherwise Ctrl-C would end them with a traceback while they start
                for _ in range(jobs):
                    pool.submit(os.getpid)
            yield pool, jobs
        except KeyboardInterrupt:
            with _deaf():
                _say("Stopping.")
                for process in multiprocessing.active_children():
                    process.terminate()  # a submission may take minutes; the next run grades it
                pool.shutdown(wait=True, cancel_futures=True)
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError as error:
        raise _Halted(f"--dask needs the package distributed: pip install distributed ({error})", USAGE) from None
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # it reports lost connections as tracebacks
    try:
        client = Client(address, timeout="10s")
    except (OSError, ValueError) as error:
        raise _Halted(f"the Dask cluster {address} does not answer: {error}", USAGE) from None
    try:
        yield client.get_executor(pure=False), max(1, len(client.scheduler_info()["workers"]))
    finally:
        with contextlib.suppress(OSError, CancelledError):
            client.close(timeout=5)


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Delay Ctrl-C until this block ends; processes started in it inherit the blocked signal."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # start it now, because starting it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _farewell(grades: list[Grade], settled: list[Grade], wanted: int, out: Path, interrupted: bool) -> int:
    errors = sum(grade.status == "error" for grade in grades)
    review = sum(bool(grade.review) for grade in settled)
    _say(f"{len(grades)} of {wanted} submissions finished; {review} listed for review. See {out / 'report.html'}.")
    if interrupted:
        _say("Stopped. Run the same command again to continue.")
        return INTERRUPTED
    if errors:
        _say(f"The grader itself failed on {errors} of them. This is a bug in the grader; please report it.")
    return FAULTS if errors else DONE
