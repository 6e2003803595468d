"""Grading a folder of submissions: ``kcourse grade SUBMISSIONS --out DIR``.

The code of students runs in a sandbox (`sandbox`, `worker`, `harden`), which sends back values and nothing else
(`codec`); whether they are right is decided outside (`grade`). Around that: which file is whose (`inbox`), what is code
in it (`notebook`), many of them, resumed where it stopped (`batch`, `folder`), and what is written then (`report`).
"""

from __future__ import annotations

from kcourse.grading.batch import Ledger, grade_all
from kcourse.grading.folder import grade_folder
from kcourse.grading.grade import grade_submission
from kcourse.grading.intake.inbox import Submission, collect
from kcourse.grading.record import Grade
from kcourse.grading.tables.report import write_reports
from kcourse.grading.tables.term import write_term
from kcourse.grading.walls.probe import Proof, probe
from kcourse.grading.walls.sandbox import Limits, NoSandbox, Sandbox, available_tier

__all__ = [
    "Grade",
    "Ledger",
    "Limits",
    "NoSandbox",
    "Proof",
    "Sandbox",
    "Submission",
    "available_tier",
    "collect",
    "grade_all",
    "grade_folder",
    "grade_submission",
    "probe",
    "write_reports",
    "write_term",
]
