"""Calling an answer, and keeping what came of it: value or error, arguments it changed, libraries it leant on.

Nothing is judged here. The grader makes the same calls inside its sandbox and sends the outcomes to `judge`.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import functools
import importlib
import inspect
import linecache
import math
import sys
import traceback
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, MethodType, TracebackType
from typing import Any, Protocol

import numpy as np

from kcourse.execution import codec

__all__ = [
    "Failure",
    "Outcome",
    "bring_in",
    "call",
    "call_all",
    "code_of",
    "home_of",
    "is_refused",
    "names_within_reach",
    "signature_problem",
    "unwatched",
    "within_reach",
]

_REFUSED = ("sklearn", "kcourse", "kcourse_grader")  # of kcourse all but what follows, and what an exercise allows
# kcourse.execution.import_stubs stands in for a notebook's shell, and Python asks it at every import
_HARMLESS = ("kcourse.lab", "kcourse.datasets", "kcourse.base.validation", "kcourse.execution.import_stubs")
_FACES = ("kcourse", "kcourse.checks", __name__)  # they fetch names, and make the call
_EVENTS = 50_000  # calls and returns that are looked at
# what an allowed kernel calls in its turn
_BELOW = ("kcourse.base.linalg", "kcourse.base.estimator", "kcourse.base.routing")


Args = tuple[Any, ...]


class Asked(Protocol):
    """What must be known of an exercise to call an answer to it."""

    name: str
    signature: str
    parameters: tuple[str, ...]
    allowed: tuple[str, ...]
    refused: tuple[str, ...]
    memory: int


class Drawn(Protocol):
    """One call that is to be made."""

    args: Args


@dataclass(frozen=True)
class Failure:
    """An exception of the student's function: its type, its text, and the student's own line."""

    kind: str
    text: str
    where: str = ""  # the student's function that the line is in
    line: str = ""
    lineno: int = 0  # counted from the def
    stub: bool = False  # the function itself raised NotImplementedError, as it was handed out
    helper: str = ""  # a stub that the function calls


@dataclass(frozen=True)
class Outcome:
    """What one call gave."""

    value: Any = None
    failure: Failure | None = None
    changed: tuple[str, ...] = ()
    library: str = ""
    warned: str = ""  # the first warning


def call_all(exercise: Asked, function: Callable, cases: Sequence[Drawn]) -> list[Outcome]:
    """Call ``function`` on every case."""
    return [call(exercise, function, case.args) for case in cases]


def call(exercise: Asked, function: Callable, args: Args, *, watched: bool = True) -> Outcome:
    """Call ``function`` on copies of ``args``.

    ``watched`` says whether to look at what it leans on; where that is not there (`import_stubs`) nobody needs to.

    Warnings are kept, not shown: on stderr nbgrader would read them as a failure, and a filter of the notebook's
    could turn them into one. A SystemExit is a failure of the answer, not the end of the notebook.
    """
    mine = copy.deepcopy(args)
    if exercise.memory:
        bring_in(function)
    watch, memory = _Watch(exercise.allowed, exercise.refused), _Memory(exercise.memory)
    value, failure = None, None
    before = sys.getprofile()
    with warnings.catch_warnings(record=True) as warned, np.errstate(all="warn", under="ignore"):
        warnings.simplefilter("always")
        if watched:
            sys.setprofile(watch)
        try:
            with memory:
                value = function(*mine)
        except (Exception, SystemExit, GeneratorExit) as error:
            failure = _failure(error, function)
        finally:
            sys.setprofile(before)
    if failure is None and memory.excess:
        value, failure = None, Failure("MemoryError", memory.excess)
    return Outcome(
        value=_plain(value),
        failure=failure,
        changed=tuple(n for n, a, b in zip(exercise.parameters, args, mine, strict=True) if not _same(a, b)),
        library=watch.found,
        warned=str(warned[0].message) if warned else "",
    )


def home_of(function: Callable) -> dict[str, Any]:
    """The names that the student's own function sees: those of its notebook."""
    return getattr(_inner(function), "__globals__", {})


def names_within_reach(function: Callable) -> set[str]:
    """The names of its notebook that ``function`` mentions, and those that what stands behind them mentions.

    What it imports itself is among them as "import name".
    """
    home, names, seen = home_of(function), set(), set()
    queue: list[Any] = [function, _inner(function)]
    while queue:
        item = queue.pop()
        if id(item) in seen or len(seen) > 10_000:
            continue
        seen.add(id(item))
        if isinstance(item, CodeType):
            names.update(item.co_names)
            names.update(f"import {i.argval}" for i in dis.get_instructions(item) if i.opname == "IMPORT_NAME")
            queue += [home[name] for name in item.co_names if name in home]
            queue += [part for part in item.co_consts if isinstance(part, CodeType)]
        elif isinstance(item, FunctionType) and item.__globals__ is home:
            queue += [item.__code__, *(cell.cell_contents for cell in item.__closure__ or () if _filled(cell))]
        elif isinstance(item, (staticmethod, classmethod, MethodType, functools.partial)):
            queue += [getattr(item, "__func__", None) or getattr(item, "func", None)]
        elif isinstance(item, property):
            queue += [item.fget, item.fset]
        elif isinstance(item, type):  # of a library's only what leads back here
            queue += [*vars(item).values(), *item.__bases__]
        elif type(item).__module__ == home.get("__name__", ""):
            queue += [type(item), *getattr(item, "__dict__", {}).values()]
    return names


def bring_in(function: Callable) -> None:
    """Import what ``function`` imports itself, so that it does not count as memory of its arrays."""
    for name in names_within_reach(function):
        if name.startswith("import "):
            with contextlib.suppress(Exception):
                importlib.import_module(name.removeprefix("import "))


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def code_of(function: Callable) -> CodeType | None:
    """The code of the student's own function, inside decorators; None for what is not written in Python."""
    return getattr(_inner(function), "__code__", None)


def unwatched(function: Callable, called: Callable[[], object]) -> Callable:
    """``function`` as an answer may call it: on copies, without a look at what it leans on. ``called`` is told."""

    def right(*args: Any, **keywords: Any) -> Any:
        watch = sys.getprofile()
        sys.setprofile(None)
        try:
            called()
            return function(*copy.deepcopy(args), **keywords)
        finally:
            sys.setprofile(watch)

    right.__name__ = function.__name__
    return right


def signature_problem(exercise: Asked, function: Callable) -> str:
    """Say how the signature differs from the sheet's, or nothing if it can be called as the sheet says."""
    keep = "Keep the name and the arguments of the sheet, in that order."
    try:
        signature = inspect.signature(function)
        signature.bind(*exercise.parameters)
    except ValueError:
        return ""  # a built-in without a signature: the call will tell
    except TypeError as error:
        return f"{exercise.name} cannot be called as {exercise.signature}: {error}. {keep}"
    names = [n for n in signature.parameters if n in exercise.parameters]
    if names != [n for n in exercise.parameters if n in names]:
        return f"The arguments are in another order than in {exercise.signature}. {keep}"
    return ""


class _Watch:
    """Sees every Python function that runs, and remembers the first that belongs to a refused library.

    By what runs, not by what is written: an alias, an import inside the function or a helper changes nothing. It looks
    at the first events only: loops in plain Python are right answers, too, and would take five times as long. It is for
    who marks their own sheet; where others' are graded, what is refused is not there.
    """

    def __init__(self, allowed: tuple[str, ...], refused: tuple[str, ...] = ()) -> None:
        self.allowed, self.refused = within_reach(allowed), refused
        self.found, self.left = "", _EVENTS

    def __call__(self, frame: FrameType, event: str, _arg: Any) -> None:
        self.left -= 1
        if not self.left:
            sys.setprofile(None)
        if event != "call" or self.found:
            return
        module = frame.f_globals.get("__name__", "") or ""
        if is_refused(module, self.allowed, self.refused):
            self.found = ".".join(module.split(".")[:2])
            sys.setprofile(None)  # known enough: let it run at full speed


class _Memory:
    """The most that a call allocates at one time, as Python counts it, NumPy's arrays included.

    It is counted in the process of the call, so what it says is honest for who is: the walls of the grader, which hold
    everybody, are elsewhere.
    """

    def __init__(self, allowed: int) -> None:
        self.allowed, self.excess = allowed, ""

    def __enter__(self) -> None:
        if self.allowed:
            self.own = not tracemalloc.is_tracing()
            if self.own:
                tracemalloc.start()
            tracemalloc.reset_peak()
            self.begun = tracemalloc.get_traced_memory()[0]

    def __exit__(self, *_error: object) -> None:
        if self.allowed:
            used = tracemalloc.get_traced_memory()[1] - self.begun
            if self.own:
                tracemalloc.stop()
            if used > self.allowed:
                # rounded up: "took 5 MB, 5 MB are allowed" would help nobody
                took = math.ceil(used / 1e5) / 10
                self.excess = f"its arrays took {took:.1f} MB at one time, {self.allowed / 1e6:.0f} MB are allowed"


def within_reach(allowed: tuple[str, ...]) -> tuple[str, ...]:
    """What an answer may lean on that is allowed these parts of kcourse."""
    return _HARMLESS + tuple(allowed) + (_BELOW if allowed else ())


def is_refused(module: str, reach: tuple[str, ...], refused: tuple[str, ...] = ()) -> bool:
    """Whether a module belongs to a library that answers replace, or this one does, but for what is in reach."""
    return _within(module, _REFUSED + refused) and not _within(module, reach) and module not in _FACES


def _within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == p or module.startswith(p + ".") for p in packages)


def _failure(error: BaseException, function: Callable) -> Failure:
    """Where the student's own code stood when it failed: its deepest line, in the function or in a helper of theirs."""
    inner = _inner(function)
    home = getattr(inner, "__globals__", None)
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_globals is home]
    text = _text(error)
    if not frames:
        return Failure(type(error).__name__, text)
    frame, lineno = frames[-1]
    # a comprehension or a lambda is counted as part of the function around it
    code = next((f.f_code for f, _ in reversed(frames) if not f.f_code.co_name.startswith("<")), inner.__code__)
    missing = isinstance(error, NotImplementedError) and _raised_in(error.__traceback__) is frame.f_code
    return Failure(
        kind=type(error).__name__,
        text=text,
        where=code.co_name,
        line=linecache.getline(frame.f_code.co_filename, lineno, frame.f_globals).strip(),
        lineno=lineno - code.co_firstlineno + 1,
        stub=missing and code is inner.__code__,
        helper=code.co_name if missing and code is not inner.__code__ else "",
    )


def _inner(function: Callable) -> Callable:
    """The student's own function inside decorators, partial, methods and callable objects."""
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(function.func)
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = type(function).__call__
    return getattr(function, "__func__", function)


def _raised_in(step: TracebackType | None) -> CodeType | None:
    """The code that raised."""
    code = None
    while step is not None:
        code, step = step.tb_frame.f_code, step.tb_next
    return code


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # a __str__ of the student's own may fail, too
        return ""


def _plain(value: Any) -> Any:
    """What is judged of a value: a copy, because an answer may write its next value into the same array."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codec.plain(value)
    except (Exception, SystemExit):  # it fights back when it is looked at
        return value


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
