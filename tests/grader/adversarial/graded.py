"""Writes what the cases hand in, has it graded as the command would, and remembers the grades."""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import patch

from kcourse_grader.marking.grade import grade_submission
from kcourse_grader.marking.record import Grade
from kcourse_grader.reports.report import page_name, write_reports
from kcourse_grader.sandbox.sandbox import Limits, Sandbox
from kcourse_grader.submissions.inbox import Submission, collect
from tests.grader.adversarial.cases import FILE, TOO_LONG, Case
from tests.grader.adversarial.damaged import EDITED, UNREADABLE, WHOLE
from tests.grader.adversarial.dependent import ASKING
from tests.grader.adversarial.honest import LIBRARIES, MAGICS, MORE, NAMES, WAYS
from tests.grader.adversarial.misbehaving import ENDING, FRAMES, GREEDY, NEVER_ENDING, VALUES
from tests.grader.adversarial.odd_names import NAMED
from tests.grader.adversarial.sharing import EXCUSES, HONEST, LEAVING, LOOKING, NAMESPACES
from tests.grader.adversarial.stealing import FAKING, IMPORTING, LEAKING, REACHING_OUT, READING
from tests.grader.adversarial.tampering import PRETENDING, TAMPERING
from tests.grader.adversarial.traces import listing
from tests.grader.conftest import QUICK
from tests.grader.notebooks import ROOT
from tests.timeouts import scaled

SEED = 3
KINDS = {
    "unreadable": UNREADABLE, "whole": WHOLE, "edited": EDITED, "named": NAMED,
    "libraries": LIBRARIES, "magics": MAGICS, "names": NAMES, "ways": WAYS, "more-ways": MORE,
    "values": VALUES, "importing": IMPORTING, "leaking": LEAKING, "faking": FAKING, "pretending": PRETENDING,
    "never-ending": NEVER_ENDING, "ending": ENDING, "greedy": GREEDY, "frames": FRAMES, "cells": TAMPERING,
    "reading": READING, "reaching-out": REACHING_OUT, "looking": LOOKING, "leaving": LEAVING,
    "namespaces": NAMESPACES, "excuses": EXCUSES, "honest": HONEST, "asking": ASKING,
}  # fmt: skip
WALLS = ("reading", "reaching-out", "leaving", "namespaces")  # each tier builds these walls in a way of its own
CASES = [case for cases in KINDS.values() for case in cases]
# for who ends by himself, on the busiest machine, too
LONG = replace(QUICK, cell=scaled(10), cells=scaled(30), call=scaled(10), calls=scaled(30))


def ends(case: Case) -> bool:
    """Whether it comes to an end by itself: who is not told that something took too long, if nothing else is said."""
    return not any(TOO_LONG in words for words in case.says) if case.ends is None else case.ends


@contextlib.contextmanager
def waiting(sandbox: Sandbox, limits: Limits) -> Iterator[None]:
    """The sandbox with these limits, which count from one notebook to the next."""
    usual, sandbox.limits = sandbox.limits, limits
    try:
        yield
    finally:
        sandbox.limits = usual


@contextlib.contextmanager
def same_inputs() -> Iterator[None]:
    """The same hidden inputs for everybody, since what is told of an answer depends on them, and they on the file."""
    with patch("kcourse_grader.marking.grade.seed_of", lambda digest, seed: seed):
        yield


@dataclass
class GradedCases:
    """The folder with everybody's files, and what became of them."""

    folder: Path
    submissions: dict[str, Submission] = field(default_factory=dict)
    graded: dict[tuple[int, str], Grade] = field(default_factory=dict)
    seconds: dict[tuple[int, str], float] = field(default_factory=dict)
    ran: list[dict] = field(default_factory=list)  # what came out of the sandbox
    before: dict[Path, dict] = field(default_factory=dict)  # what lay in a folder

    @property
    def places(self) -> dict[str, Path]:
        """What the cases are told: «solution» in a notebook is this path."""
        inbox = self.folder / "inbox"
        return {
            "solution": ROOT / "solutions" / FILE, "course": ROOT, "inbox": inbox, "open": self.folder / "open",
            "other": inbox / "as it should be" / FILE,
        }  # fmt: skip

    def receive(self) -> None:
        """Write the files; not their modes shall keep anyone out."""
        self.folder.chmod(0o755)
        for name, mode in (("inbox", 0o755), ("open", 0o777), ("out", 0o755)):
            (self.folder / name).mkdir()
            (self.folder / name).chmod(mode)
        (self.folder / "out" / "seed.txt").write_text(f"{SEED}\n")
        for case in CASES:
            if callable(case.data):
                case.data(self.places["inbox"])
                continue
            path = self.places["inbox"] / case.name / case.file
            path.parent.mkdir()
            path.write_bytes(self._with_paths(case.data))
        self.submissions = {s.student: s for s in collect(self.places["inbox"])}
        self.before[self.folder] = listing(self.folder)

    def _with_paths(self, data: bytes) -> bytes:
        for name, path in self.places.items():
            data = data.replace(json.dumps(f"«{name}»")[1:-1].encode(), json.dumps(str(path))[1:-1].encode())
        return data

    def grade(self, case: Case, sandbox: Sandbox) -> Grade | None:
        """The grade, made now if it was not; None if there is nothing to grade."""
        key = sandbox.tier, case.name
        if key not in self.graded and case.name in self.submissions:
            if sandbox._folder and sandbox._folder / "box" not in self.before:
                self.before[sandbox._folder / "box"] = listing(sandbox._folder / "box")
            start, run = time.monotonic(), sandbox.run
            sandbox.run = lambda *given: self.ran.append(run(*given)) or self.ran[-1]
            try:
                with same_inputs(), waiting(sandbox, LONG if ends(case) else QUICK):
                    self.graded[key] = grade_submission(self.submissions[case.name], sandbox, SEED)
            finally:
                del sandbox.run
            self.seconds[key] = time.monotonic() - start
        return self.graded.get(key)

    def pages(self, tier: int) -> dict[str, str]:
        """Everything that is written about those who were graded there; the feedback by student."""
        grades = [grade for (where, _), grade in self.graded.items() if where == tier]
        with tempfile.TemporaryDirectory() as name:
            write_reports(grades, Path(name), tier)
            pages = {g.student: (Path(name) / "feedback" / f"{page_name(g)}.html").read_text("utf-8") for g in grades}
            return pages | {
                f: (Path(name) / f).read_text("utf-8-sig") for f in ("grades.csv", "grades.json", "report.html")
            }

    def own(self, student: str) -> str:
        """What this student wrote."""
        submission = self.submissions[student]
        return "\n".join([*(submission.notebook.cells if submission.notebook else ()), submission.file])


def words(grade: Grade) -> str:
    """All that the student is told in sentences."""
    told = [text for r in grade.results for text in (*r["hints"], r["step"], r["experiment"], *r["remarks"])]
    return "\n".join([*grade.notes, *told])
