"""A job: one notebook to be run, as the supervisor knows it and every runner that it forks."""

from __future__ import annotations

import mmap
from dataclasses import dataclass, field
from typing import Any

__all__ = ["QUESTIONS", "Job", "failed"]

# that one function may ask about others: a Gram matrix of strings, entry by entry, takes a thousand, and a solution of
# chapter 9 asks 6432 times in all its calls
QUESTIONS = 20_000


@dataclass
class Job:
    """What the grader asked for, and what the supervisor has learnt of it.

    Attributes
    ----------
    config : dict
        of the sandbox: its tier, folders and limits.
    cells : list of str
        the notebook's code.
    functions : dict
        the answers: name → their parameters, and what they may use.
    limits : dict
        name of each of `Limits` that is told → its value.
    crowd : int
        processes and threads that the kernel allows.
    shared_input : mmap
        memory that supervisor and runner share: where the inputs of the present function lie.
    seen : mmap
        shared with them and the forks, four bytes: how often the supervisor has looked at what a call takes of memory.
    fatal : set of int
        numbers of the cells that no runner survives.
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
    """The outcome of a call that gave nothing; ``waited`` if it may be the machine's fault."""
    failure = {"kind": kind, "text": "", "where": "", "line": "", "lineno": 0, "stub": False, "helper": ""}
    return {"failure": failure | {"waited": waited}}
