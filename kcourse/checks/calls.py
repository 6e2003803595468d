"""Calling an answer, and keeping what came of it: value or error, arguments it changed, libraries it leant on.

Nothing is judged here. The grader makes the same calls inside its sandbox and sends the outcomes to `judge`.
"""

from __future__ import annotations

import copy
import linecache
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import numpy as np

from kcourse.checks.spec import Args, Case, Exercise

__all__ = ["Failure", "Outcome", "call", "call_all"]

# kcourse itself is refused too, but for what an exercise allows
_REFUSED = ("sklearn", "kcourse")
_BELOW = ("kcourse.validation", "kcourse.linalg")  # what an allowed kernel calls in its turn


@dataclass(frozen=True)
class Failure:
    """An exception of the student's function: its type, its text, and the student's own line."""

    kind: str
    text: str
    line: str = ""
    lineno: int = 0
    stub: bool = False  # the function itself raised NotImplementedError, as it was handed out
    helper: str = ""  # a stub that the function calls


@dataclass(frozen=True)
class Outcome:
    """What one call gave."""

    value: Any = None
    failure: Failure | None = None
    changed: tuple[str, ...] = ()
    library: str = ""


def call_all(exercise: Exercise, function: Callable, cases: list[Case]) -> list[Outcome]:
    """Call ``function`` on every case."""
    return [call(exercise, function, case.args) for case in cases]


def call(exercise: Exercise, function: Callable, args: Args) -> Outcome:
    """Call ``function`` on copies of ``args``."""
    mine = copy.deepcopy(args)
    watch = _Watch(exercise.allowed)
    value, failure = None, None
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        value = function(*mine)
    except Exception as error:
        failure = _failure(error, function)
    finally:
        sys.setprofile(before)
    changed = tuple(
        name for name, a, b in zip(exercise.parameters, args, mine, strict=True) if not _same(a, b)
    )  # fmt: skip
    return Outcome(value=value, failure=failure, changed=changed, library=watch.found)


class _Watch:
    """Sees every Python function that runs, and remembers the first that belongs to a refused library.

    By what runs, not by what is written: an alias, an import inside the function or a helper changes nothing.
    """

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self.allowed = tuple(allowed) + (_BELOW if allowed else ())
        self.found = ""

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        if event != "call" or self.found:
            return
        module = frame.f_globals.get("__name__", "") or ""
        if _within(module, _REFUSED) and not _within(module, self.allowed) and module != __name__:
            self.found = module


def _within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == p or module.startswith(p + ".") for p in packages)


def _failure(error: Exception, function: Callable) -> Failure:
    """Where the student's own code stood when it failed: the deepest frame of the file that defines it."""
    own = getattr(getattr(function, "__code__", None), "co_filename", None)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == own]
    line, lineno = "", 0
    if frames:
        first = function.__code__.co_firstlineno
        lineno = (frames[-1].lineno or first) - first + 1
        line = (frames[-1].line or linecache.getline(own, frames[-1].lineno or 0)).strip()
    missing = isinstance(error, NotImplementedError)
    raised_in = _innermost(error)
    return Failure(
        kind=type(error).__name__,
        text=str(error),
        line=line,
        lineno=lineno,
        stub=missing and raised_in is getattr(function, "__code__", None),
        helper=raised_in.co_name if missing and raised_in is not None else "",
    )


def _innermost(error: Exception) -> CodeType | None:
    """The code that raised ``error``."""
    code, step = None, error.__traceback__
    while step is not None:
        code, step = step.tb_frame.f_code, step.tb_next
    return code


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
