"""Call an answer and record the outcome: value or error, arguments it changed, libraries it used.

Nothing is judged here. The grader makes the same calls inside its sandbox and passes the outcomes to `judge`.
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
import tracemalloc
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, MethodType, TracebackType
from typing import Any, Protocol

import numpy as np

from kcourse.execution import codec
from kcourse.execution.deadline import TookTooLong, within

__all__ = [
    "Failure",
    "Outcome",
    "bring_in",
    "call",
    "call_all",
    "code_of",
    "failure_of",
    "home_of",
    "is_refused",
    "names_within_reach",
    "signature_problem",
    "unwatched",
    "within_reach",
]

_REFUSED = ("sklearn", "kcourse", "kcourse_grader")  # all of kcourse except the following, and what an exercise allows
# the last two run in the middle of an answer: at every import, and as a handler of signals
_HARMLESS = (
    "kcourse.lab",
    "kcourse.datasets",
    "kcourse.base.validation",
    "kcourse.execution.import_stubs",
    "kcourse.execution.deadline",
)
_FACES = ("kcourse", "kcourse.checks", __name__)  # they only look up names and make the call
_EVENTS = 50_000  # calls and returns that are watched
# modules that an allowed kernel calls
_BELOW = ("kcourse.base.linalg", "kcourse.base.estimator", "kcourse.base.routing")


Args = tuple[Any, ...]


class Asked(Protocol):
    """The attributes of an exercise that a call of its answer needs."""

    name: str
    signature: str
    parameters: tuple[str, ...]
    allowed: tuple[str, ...]
    refused: tuple[str, ...]
    memory: int


class Drawn(Protocol):
    """A call to make."""

    args: Args


@dataclass(frozen=True)
class Failure:
    """An exception of the student's function: its type, its text, and the student's own line."""

    kind: str
    text: str
    where: str = ""  # the student's function that contains the line
    line: str = ""
    lineno: int = 0  # counted from the def
    stub: bool = False  # the function itself is the unchanged stub
    helper: str = ""  # a stub that the function calls


@dataclass(frozen=True)
class Outcome:
    """The outcome of one call."""

    value: Any = None
    failure: Failure | None = None
    changed: tuple[str, ...] = ()
    library: str = ""
    warned: str = ""  # the first warning


def call_all(exercise: Asked, function: Callable, cases: Sequence[Drawn]) -> list[Outcome]:
    """Call ``function`` on every case; after a call that took too long, no other is made."""
    outcomes, late = [], False
    for case in cases:
        outcome = Outcome(failure=Failure("NotCalled", "")) if late else call(exercise, function, case.args)
        late = late or (outcome.failure is not None and outcome.failure.kind == TookTooLong.__name__)
        outcomes.append(outcome)
    return outcomes


def call(exercise: Asked, function: Callable, args: Args, *, watched: bool = True) -> Outcome:
    """Call ``function`` on copies of ``args``.

    ``watched`` says whether to record the libraries it uses; with `import_stubs` this is not necessary.

    Warnings are recorded and not shown: nbgrader would read them on stderr as a failure, and a filter in the notebook
    could turn them into one. A SystemExit is a failure of the answer, not the end of the notebook. So is the end of a
    `Deadline`, but a KeyboardInterrupt passes.
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
                value = within(function, *mine)
            sys.setprofile(before)
            value = within(_plain, value)
        except (Exception, SystemExit, GeneratorExit, TookTooLong) as error:
            value, failure = None, failure_of(error, function)
        finally:
            sys.setprofile(before)
    if failure is None and memory.excess:
        value, failure = None, Failure("MemoryError", memory.excess)
    return Outcome(
        value=value,
        failure=failure,
        changed=tuple(n for n, a, b in zip(exercise.parameters, args, mine, strict=True) if not _same(a, b)),
        library=watch.found,
        warned=str(warned[0].message) if warned else "",
    )


def home_of(function: Callable) -> dict[str, Any]:
    """Return the names that the student's own function sees: those of its notebook."""
    return getattr(_inner(function), "__globals__", {})


def names_within_reach(function: Callable) -> set[str]:
    """Return the names of its notebook that ``function`` mentions, directly or through other functions and classes.

    Modules that it imports itself appear as "import name".
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
        elif isinstance(item, type):  # of a library's class only the parts that lead back here
            queue += [*vars(item).values(), *item.__bases__]
        elif type(item).__module__ == home.get("__name__", ""):
            queue += [type(item), *getattr(item, "__dict__", {}).values()]
    return names


def bring_in(function: Callable) -> None:
    """Import the modules that ``function`` imports, so that they do not count as memory of its arrays."""
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
    """Return the code of the student's own function inside decorators; None if it is not written in Python."""
    return getattr(_inner(function), "__code__", None)


def unwatched(function: Callable, called: Callable[[], object]) -> Callable:
    """Wrap ``function`` for calls by an answer: with copies, unwatched; each call also calls ``called``."""

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
    """Return how the signature differs from that of the sheet, or "" if it can be called as in the sheet."""
    keep = "Keep the name and the arguments of the sheet, in that order."
    try:
        signature = inspect.signature(function)
        signature.bind(*exercise.parameters)
    except ValueError:
        return ""  # a built-in without a signature: only the call shows
    except TypeError as error:
        return f"{exercise.name} cannot be called as {exercise.signature}: {error}. {keep}"
    names = [n for n in signature.parameters if n in exercise.parameters]
    if names != [n for n in exercise.parameters if n in names]:
        return f"The arguments are in another order than in {exercise.signature}. {keep}"
    return ""


class _Watch:
    """A profiler that records the first function of a refused library that runs.

    It sees what runs, not what is written, so an alias, an import inside the function or a helper makes no difference.
    It watches only the first events, because otherwise right answers with plain loops would take five times as long.
    It is for students who mark their own sheet; where sheets are graded, refused libraries are not installed.
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
            sys.setprofile(None)  # nothing more to learn: run at full speed


class _Memory:
    """The maximum that a call allocates at one time, as counted by Python, including NumPy's arrays.

    The process of the call counts it, so a dishonest answer could evade it; the grader's sandbox has its own limits.
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
                # rounded up, because "took 5 MB, 5 MB are allowed" would not help
                took = math.ceil(used / 1e5) / 10
                self.excess = f"it took {took:.1f} MB at one time, but {self.allowed / 1e6:.0f} MB are allowed"


def within_reach(allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the modules that an answer may use if these parts of kcourse are allowed."""
    return _HARMLESS + tuple(allowed) + (_BELOW if allowed else ())


def is_refused(module: str, reach: tuple[str, ...], refused: tuple[str, ...] = ()) -> bool:
    """Whether a module belongs to a refused library and is not in reach."""
    return _within(module, _REFUSED + refused) and not _within(module, reach) and module not in _FACES


def _within(module: str, packages: tuple[str, ...]) -> bool:
    return any(module == p or module.startswith(p + ".") for p in packages)


def failure_of(error: BaseException, function: Callable) -> Failure:
    """Return where the student's own code failed: its deepest line, in the function or in their helper."""
    inner = _inner(function)
    home = getattr(inner, "__globals__", None)
    frames = [(step.tb_frame, _line_of(step)) for step in _steps(error) if step.tb_frame.f_globals is home]
    text = _text(error)
    if not frames:
        return Failure(type(error).__name__, text)
    frame, lineno = frames[-1]
    # a comprehension or a lambda is counted as part of the function around it
    code = next((f.f_code for f, _ in reversed(frames) if not f.f_code.co_name.startswith("<")), inner.__code__)
    missing = isinstance(error, NotImplementedError) and _steps(error)[-1].tb_frame.f_code is frame.f_code
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
    """Return the student's own function inside decorators, partial, methods and callable objects."""
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = inspect.unwrap(function.func)
    if not inspect.isroutine(function) and not inspect.isclass(function):
        function = type(function).__call__
    return getattr(function, "__func__", function)


def _steps(error: BaseException) -> list[TracebackType]:
    """Return the traceback, from the call to where the exception was raised."""
    steps, step = [], error.__traceback__
    while step is not None:
        steps.append(step)
        step = step.tb_next
    return steps


def _line_of(step: TracebackType) -> int:
    """Return the line of the file; some instructions of a loop have none, then that of the one before."""
    lines = [line for start, _, line in step.tb_frame.f_code.co_lines() if line and start <= step.tb_lasti]
    return step.tb_lineno or (lines or [step.tb_frame.f_code.co_firstlineno])[-1]


def _text(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # a student's own __str__ may also fail
        return ""


def _plain(value: Any) -> Any:
    """Return a copy of a value to judge, because an answer may write its next value into the same array."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return codec.plain(value)
    except (Exception, SystemExit):  # its own methods may raise anything
        return value


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and bool(np.array_equal(a, b, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
