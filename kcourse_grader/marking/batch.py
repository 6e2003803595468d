"""Grade many submissions with any executor, keep every finished grade, and continue an interrupted run.

Each grade is a file ``OUT/grades/<student>--<sheet>.json``, written atomically. A later run with the same seed,
submission and code reads the file instead of grading again.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing.connection
import multiprocessing.util
import os
import secrets
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kcourse.base.timeouts import slowness
from kcourse_grader.marking.deciding import deciding
from kcourse_grader.marking.grade import grade_submission, reach_of
from kcourse_grader.marking.record import Grade
from kcourse_grader.sandbox.probe import probe
from kcourse_grader.sandbox.sandbox import Limits, NoSandbox, Sandbox
from kcourse_grader.submissions.inbox import Submission
from kcourse_grader.writing import file_stem, write_whole

__all__ = ["InThisProcess", "Ledger", "grade_all"]

_IN_FLIGHT = 4  # jobs per worker that are submitted ahead: enough to keep all busy, few to lose


class Ledger:
    """The finished grades in a folder."""

    def __init__(self, out: Path, seed: int | None, *, any_code: bool = False) -> None:
        self.out, self.folder, self.any_code = Path(out), Path(out) / "grades", any_code
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seed = _settled_seed(self.out / "seed.txt", seed)
        self.tier = 0  # of the sandbox that passed its self-test; it is stored with each grade

    def path(self, submission: Submission) -> Path:
        """The file for the grade of this submission."""
        return self.folder / f"{file_stem(submission.student, submission.sheet)}.json"

    def tier_of(self, submissions: Iterable[Submission]) -> int:
        """The weakest sandbox in which stored grades were made; 0 if any was made without a sandbox."""
        tiers = set()
        for submission in submissions:
            tiers.add(json.loads(self.path(submission).read_text(encoding="utf-8")).get("tier", 0))
        return 0 if 0 in tiers else max(tiers, default=self.tier)

    def stored(self, submission: Submission) -> Grade | None:
        """Return the grade of an earlier run, if the file, the seed and the grading code are the same.

        With ``any_code`` the code may differ.
        """
        try:
            record = json.loads(self.path(submission).read_text(encoding="utf-8"))
            key, code, grade = record["key"], record["code"], Grade(**record["grade"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        same = key == self._key(submission) and (self.any_code or code == deciding())
        return grade if same and grade.status != "error" else None

    def store(self, submission: Submission, grade: Grade) -> None:
        """Store a grade."""
        record = {"key": self._key(submission), "code": deciding(), "tier": self.tier, "grade": asdict(grade)}
        write_whole(self.path(submission), json.dumps(record, indent=1, ensure_ascii=False))

    def forget(self, submission: Submission) -> None:
        """Remove the grade of a submission, so that it is graded again."""
        self.path(submission).unlink(missing_ok=True)

    def _key(self, submission: Submission) -> str:
        digest = submission.notebook.digest if submission.notebook else submission.problem
        noted = [submission.notes, submission.review]
        what = [digest, submission.file, submission.sheet, noted, self.seed]
        return hashlib.sha256(json.dumps(what).encode()).hexdigest()


def _settled_seed(file: Path, seed: int | None) -> int:
    """Return the given seed, or that of the last run into this folder, or a new secret one, and store it."""
    if seed is None and file.exists():
        text = file.read_text().strip()
        if not text.isdecimal():
            raise ValueError(f"{file} does not contain a whole number of 0 or more. Remove it, or give --seed.")
        return int(text)
    seed = secrets.randbits(63) if seed is None else seed
    file.with_name(f".{file.name}.part").touch(mode=0o600)  # create the draft so that nobody else can read the seed
    write_whole(file, f"{seed}\n")
    return seed


def grade_all(
    submissions: Iterable[Submission],
    ledger: Ledger,
    *,
    executor: Executor,
    tier: int,
    limits: Limits | None = None,
    workers: int = 1,
    unsafe: bool = False,
    done: Callable[[Grade], object] = lambda grade: None,
) -> Iterator[Grade]:
    """Yield the grade of each submission when it is finished, stored grades first; call ``done`` for new grades.

    ``executor`` is any `concurrent.futures.Executor`, for example a process pool or a Dask cluster; ``workers`` is its
    number of workers, 0 if it does the work when a job is submitted.
    """
    waiting: list[Submission] = []
    for submission in submissions:
        stored = ledger.stored(submission)
        if stored is None:
            waiting.append(submission)
        else:
            yield stored
    waiting.reverse()
    waiting.sort(key=lambda submission: submission.sheet or "", reverse=True)  # one sheet after the other: see `admit`
    running: dict[Future, Submission] = {}
    again: list[Submission] = []
    try:
        while waiting or running:
            while waiting and len(running) < max(1, _IN_FLIGHT * workers):
                submission = waiting.pop()
                running[executor.submit(grade_here, submission, tier, limits, ledger.seed, unsafe)] = submission
            finished, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in finished:
                submission = running.pop(future)
                grade = _result(future, submission)
                if grade.doubt:  # it may depend on something else, such as other programs on the machine
                    again.append(submission)
                    continue
                ledger.store(submission, grade)
                done(grade)
                yield grade
        for submission in again:  # alone, so that others cannot be the cause of a time-out
            future = executor.submit(grade_here, submission, tier, limits, ledger.seed, unsafe)
            running[future] = submission
            grade = _result(future, submission)
            del running[future]
            ledger.store(submission, grade)
            done(grade)
            yield grade
    finally:
        for future in running:
            future.cancel()


def _result(future: Future, submission: Submission) -> Grade:
    try:
        return future.result()
    except (BrokenExecutor, CancelledError):  # not caused by this submission
        raise
    except Exception as error:  # a bug of the grader, never the student's fault
        grade = Grade(submission.student, submission.file, submission.sheet or "", "error")
        grade.review.append(f"the grader failed: {type(error).__name__}: {str(error)[:200]}")
        grade.notes.append("The grader failed on this submission. This is not your fault; your lecturer has been told.")
        return grade


class InThisProcess(Executor):
    """An executor that does the work immediately in this process."""

    def submit(self, fn: Callable, /, *args: Any, **kwargs: Any) -> Future:
        """Do the work and return a finished future; Ctrl-C is not caught."""
        future: Future = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


_sandboxes: dict[tuple, Sandbox] = {}
_one_at_a_time = threading.Lock()  # a Dask worker may have several threads, but a sandbox does one job at a time


def sandbox_here(tier: int, limits: Limits | None, sheet: str | None = None) -> Sandbox:
    """Return this process's sandbox, started for that sheet and kept for the next submission.

    Without ``limits`` they are scaled to this machine, which need not be the one that runs the command.
    """
    if (tier, limits) not in _sandboxes:
        sandbox = Sandbox(tier, limits or Limits().times(slowness()), *reach_of(sheet))
        sandbox.start()
        _sandboxes[tier, limits] = sandbox
    return _sandboxes[tier, limits]


def close_sandboxes() -> None:
    """End the sandboxes that `sandbox_here` has started."""
    while _sandboxes:
        _sandboxes.popitem()[1].close()


def grade_here(submission: Submission, tier: int, limits: Limits | None, seed: int, unsafe: bool) -> Grade:
    """Grade in this process; a new sandbox is tested first, because the process may be on another machine."""
    with _one_at_a_time:
        fresh = (tier, limits) not in _sandboxes
        sandbox = sandbox_here(tier, limits, submission.sheet)
        if fresh and not unsafe:
            report = probe(sandbox)
            if not report.stands:
                close_sandboxes()
                raise NoSandbox(report.text)
        return grade_submission(submission, sandbox, seed)


def begin_worker() -> None:
    """Prepare a worker of the pool: its parent handles Ctrl-C, and the worker ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: _end())
    multiprocessing.util.Finalize(None, close_sandboxes, exitpriority=10)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    _end()


def _end() -> None:
    close_sandboxes()
    os._exit(1)
