"""A job: one notebook to be run, as the supervisor and its runners hold it in memory."""

from __future__ import annotations

import mmap
from dataclasses import dataclass, field
from typing import Any

__all__ = ["QUESTIONS", "Job", "failed"]

# that one function may ask the grader about other functions: a Gram matrix of strings takes a thousand questions, and
# a solution of chapter 9 asks 6432 in all its calls
QUESTIONS = 20_000


@dataclass
class Job:
    """The grader's order, and what the supervisor has learned about it.

    Attributes
    ----------
    config : dict
        settings of the sandbox: its tier, folders and limits.
    cells : list of str
        the notebook's code cells.
    functions : dict
        the answers: name → their parameters and their memory limit.
    limits : dict
        name → value, for those `Limits` that are passed on.
    crowd : int
        number of processes and threads that the kernel allows.
    shared_input : mmap
        memory shared by supervisor and runner, with the inputs of the current function.
    seen : mmap
        four bytes shared with the runner and its forks: how often the supervisor has measured a call's memory.
    fatal : set of int
        numbers of the cells that ended a runner.
    """

    config: dict[str, Any]
    cells: list[str]
    functions: dict[str, dict]
    limits: dict[str, float]
    crowd: int
    shared_input: mmap.mmap
    seen: mmap.mmap
    fatal: set[int] = field(default_factory=set)


def failed(kind: str, *, waited: bool = False) -> dict:
    """Return the outcome of a call without a result; ``waited`` if a busy machine may be the cause."""
    failure = {"kind": kind, "text": "", "where": "", "line": "", "lineno": 0, "stub": False, "helper": ""}
    return {"failure": failure | {"waited": waited}}
