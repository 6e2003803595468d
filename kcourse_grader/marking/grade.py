"""Grade one submission: send its cells and the hidden inputs into the sandbox, and judge the results outside."""

from __future__ import annotations

import hashlib
import importlib.util
import platform
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import kcourse
from kcourse.checks import Case, Exercise, exercises
from kcourse.checks.dependent_answers import followed
from kcourse.checks.judge import Result, digest, judge
from kcourse.execution.calls import Failure, Outcome
from kcourse.execution.cells import AFTER_ITS_CELL
from kcourse.execution.codec import Foreign
from kcourse.sheets.notebook import IN_TEXT, Notebook, answered_besides, defined_twice, handed_out
from kcourse_grader.marking.quotable import Quotable
from kcourse_grader.marking.record import Grade, nothing
from kcourse_grader.marking.reference_answers import ReferenceAnswers
from kcourse_grader.marking.similarity import pasted
from kcourse_grader.sandbox.sandbox import Sandbox
from kcourse_grader.submissions.inbox import Submission

__all__ = ["VERSIONS", "grade_submission", "hidden_cases", "reach_of", "seed_of"]

VERSIONS = f"Python {platform.python_version()} and NumPy {np.__version__}"
# functions that some versions of NumPy have and others do not
_MOVED = re.compile(
    r"\b(?:np|numpy)\.(trapz|trapezoid|in1d|row_stack|product|cumproduct|alltrue|sometrue|round_|float_|Inf|NaN|"
    r"unstack|vecdot|matvec|vecmat|cumulative_sum|cumulative_prod)\b"
)


# parts of kcourse that contain no solvers, or that students do not get
_NO_SOLVERS = (
    "__init__", "__main__", "base", "chapters", "checks", "commands", "datasets", "execution", "lab", "sheets",
    "slides",
)  # fmt: skip
# words that no answer needs; the instructor is told if a submission contains them
_SUSPICIOUS = (
    "ctypes", "setprofile", "settrace", "_getframe", "subprocess", "socket", "os.system", "os.fork", "os._exit",
    "signal.", "gc.get", "__subclasses__", "sys.modules", "multiprocessing", "threading", "kcourse.checks.",
    "kcourse.chapters", "kcourse_grader", "kcourse.execution", "__array_function__", "__reduce__", "inspect.stack",
)  # fmt: skip


_LOST = ("ProcessDied", "NotCalled", "NotReached")  # failures that are not exceptions of the answer


def grade_submission(submission: Submission, sandbox: Sandbox, seed: int) -> Grade:
    """Return the grade of ``submission``; it is the same for equal submissions, seeds and versions of the course."""
    start = time.monotonic()
    sheet, notebook = submission.sheet or "", submission.notebook
    grade = Grade(submission.student, submission.file, sheet, "graded")
    grade.notes, grade.review = list(submission.notes), list(submission.review)
    if notebook is None or not sheet:
        grade.status = "unrecognised" if notebook else "unreadable" if ".ipynb" in submission.file else "missing"
        grade.review.append(submission.problem)
        grade.notes.append(f"This submission could not be graded: {submission.problem}.")
        grade.results = [nothing(spec, seed) for spec in (exercises(sheet) if sheet else ())]
        return grade
    specs = exercises(sheet)
    grade.digest, common, seed = notebook.digest, seed, seed_of(notebook.digest, seed)
    marking = _Marking(grade, notebook, specs, seed, common)
    calls = [
        {"name": name, "memory": spec.memory, "args": list(case.args)}
        for spec in specs for name in _ways(spec) for case in hidden_cases(spec.name, seed)
    ]  # fmt: skip
    functions = {name: spec.parameters for spec in specs for name in _ways(spec)}
    sandbox.admit(*reach_of(sheet))
    ran = sandbox.run(notebook.cells, functions, calls, None, marking.mark)
    if ran.get("lost") or _no_room(ran["outcomes"]):
        return _lost(grade)
    grade.results = [asdict(result) for result in marking.results]
    _note_what_happened(grade, submission, ran, specs, marking.quotable)
    grade.seconds = time.monotonic() - start
    return grade


@dataclass
class _Marking:
    """The verdicts on the answers of one notebook."""

    grade: Grade
    notebook: Notebook
    specs: Sequence[Exercise]
    seed: int
    common: int
    results: list[Result] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.quotable, self.late = Quotable(self.notebook.cells), set()

    def mark(self, ran: dict, call_again: Callable[..., list[dict]]) -> None:
        """Judge the results of the calls; then repeat the calls of answers that call a wrong answer."""
        outcomes = iter(ran["outcomes"])
        for spec in self.specs:
            cases = hidden_cases(spec.name, self.seed)
            raw, then = ([next(outcomes) for _ in cases] for _ in _ways(spec))
            self.results.append(self._first(spec, raw, then, ran))
        for i, spec in enumerate(self.specs):
            self._follow_through(i, spec, call_again)
        for i, spec in enumerate(self.specs):
            if self.results[i].unknown:
                self._compare_with_others(i, spec, call_again)

    def _first(self, spec: Exercise, raw: list[dict], then: list[dict], ran: dict) -> Result:
        problem = ran["problems"].get(spec.name)
        if problem == "missing" and self.notebook.defined.get(spec.name) and _stopped(ran["cells"]):
            raw, problem = [{"failure": {"kind": "NotReached"}}], ""
        failures = [_failure_in(outcome) for outcome in raw]
        _note_time(self.grade, spec.name, failures)
        self.late |= {spec.name} if any(f.get("kind") in ("TookTooLong", "Slept") for f in failures) else set()
        result = self._verdict(spec, raw, problem)
        if problem == "missing" and self._failed_to_define(spec.name, ran["cells"]):
            hint = f"The notebook defines no function {spec.name}: the cell with `def {spec.name}` failed."
            result = replace(result, status="failed", hints=(hint,))
        problem_then = ran["problems"].get(spec.name + AFTER_ITS_CELL)
        if result.points < spec.points and problem_then != "missing":
            _note_time(self.grade, spec.name, [_failure_in(outcome) for outcome in then])
            result = _better(result, self._verdict(spec, then, problem_then), self.grade.notes)
        return result

    def _failed_to_define(self, name: str, reports: Sequence[dict]) -> bool:
        """Whether a cell that should define this function failed."""
        pairs = zip(self.notebook.cells, reports, strict=True)
        return any(report.get("status") == "failed" and f"def {name}(" in cell for cell, report in pairs)

    def _follow_through(self, i: int, spec: Exercise, call_again: Callable[..., list[dict]]) -> None:
        """Mark an answer again, with right answers in place of the earlier, finally marked answers that it calls."""
        result = self.results[i]
        wrong = {o.name: (o, r) for o, r in zip(self.specs[:i], self.results, strict=False) if r.points < o.points}
        if not wrong or result.points == spec.points or result.status == "not_attempted":
            return
        if spec.name in self.late and not self.late & wrong.keys():  # it does not end even by itself
            return
        right = ReferenceAnswers({name: (other, hidden_cases(name, self.seed)) for name, (other, _) in wrong.items()})
        raw = call_again(spec.name, list(wrong), right)
        if not right.asked:
            return
        _note_time(self.grade, spec.name, [_failure_in(outcome) for outcome in raw])
        then = followed(result, self._verdict(spec, raw, ""), [wrong[name] for name in wrong if name in right.asked])
        if right.refused:
            self.grade.review.append(f"{spec.name} calls earlier answers with arguments that differ from the sheet's")
        lost = any(_failure_in(outcome).get("kind") in _LOST for outcome in raw)
        # a call that was refused or lost does not show what the answer earns with right ones
        if not (right.refused or lost) or then.points > result.points:
            self.results[i] = then

    def _compare_with_others(self, i: int, spec: Exercise, call_again: Callable[..., list[dict]]) -> None:
        """Store the digest of an unexplained wrong answer's values on inputs that are the same for all students."""
        cases = hidden_cases(spec.name, self.common)
        instead = self.results[i].instead
        others = {o.name: (o, hidden_cases(o.name, self.common)) for o in self.specs if o.name in instead}
        try:
            raw = call_again(spec.name, list(instead), ReferenceAnswers(others), [case.args for case in cases])
        except ValueError:  # these inputs are much larger than the answer's own
            return
        found = digest(spec, cases, [_outcome(spec, outcome, self.quotable) for outcome in raw])
        self.results[i] = replace(self.results[i], unknown=found)

    def _verdict(self, spec: Exercise, raw: list[dict], problem: Any) -> Result:
        try:
            return _verdict(spec, hidden_cases(spec.name, self.seed), raw, problem, self.quotable, self.seed)
        except Exception as error:  # a value that cannot even be judged; the other answers count
            self.grade.review.append(f"judging {spec.name} failed: {type(error).__name__}")
            hint = "The value that your function returned could not be judged. Your lecturer will look at it."
            return Result(spec.name, 0, spec.points, "failed", hints=(hint,), seed=self.seed)


def seed_of(digest: str, seed: int) -> int:
    """Return the seed of a submission's hidden inputs: different for each submission, equal when graded again."""
    return int.from_bytes(hashlib.sha256(f"{seed} {digest}".encode()).digest()[:4], "big")


def _lost(grade: Grade) -> Grade:
    """Record that the sandbox ended; this says nothing about the submission and is not a grade."""
    grade.status, grade.doubt = "error", "lost"
    grade.review.append("the sandbox ended while this notebook ran")
    grade.notes.append("The grader failed on this submission. It gets no points until your lecturer has looked at it.")
    return grade


def _stopped(cells: Sequence[dict]) -> bool:
    """Whether any cell was stopped or not run."""
    return any(cell.get("status") in ("timeout", "died", "not run") for cell in cells)


def _note_time(grade: Grade, what: str, found: Sequence[dict]) -> None:
    """Report a time-out, or that no process could be started, to the instructor, and mark the grade as doubtful."""
    slept = [item for item in found if item.get("kind") == "Slept" or item.get("slept")]  # it would do so alone as well
    late = [item for item in found if item.get("kind", item.get("status")) in ("TookTooLong", "timeout")]
    late = [item for item in late if item not in slept]
    if slept and (note := f"{what} waited without computing, for example in `sleep`") not in grade.review:
        grade.review.append(note)
    waited = any(item.get("waited") for item in found)
    if late or waited:
        what = f"{what} took too long" if late else f"no process could be started for {what}"
        grade.review += [what] if what not in grade.review else []
        grade.doubt = "wait" if waited or grade.doubt == "wait" else "time"


def _ways(spec: Exercise) -> tuple[str, str]:
    """Return the two ways to call an answer: with the names at the notebook's end, and after the answer's cell."""
    return spec.name, spec.name + AFTER_ITS_CELL


def _better(last: Result, then: Result, notes: list[str]) -> Result:
    """Return the result with more points: a later cell must not cost an answer its points."""
    if then.points <= last.points:
        return last
    notes.append(f"{last.name} was called with the variables as they were after its own cell; later cells change some.")
    return then


@lru_cache(maxsize=512)
def hidden_cases(name: str, seed: int) -> tuple[Case, ...]:
    """Return the hidden inputs of an exercise."""
    [spec] = [spec for spec in exercises() if spec.name == name]
    return tuple(spec.cases(seed))


def _verdict(
    spec: Exercise, cases: Sequence[Case], raw: list[dict], problem: Any, quotable: Quotable, seed: int
) -> Result:
    if problem == "missing":
        hint = f"The notebook defines no function {spec.name}. Keep the name that the sheet gives."
        return Result(spec.name, 0, spec.points, "not_attempted", hints=(hint,), seed=seed)
    if all(_failure_in(outcome).get("kind") == "NotReached" for outcome in raw):
        why = "the notebook took too long or ended the program before this call"
        hint = f"{spec.name} was not called, because {why}."
        return Result(spec.name, 0, spec.points, "failed", hints=(hint,), seed=seed)
    if problem:
        hint = quotable.call_fault(spec.name, spec.signature, problem)
        return Result(spec.name, 0, spec.points, "failed", hints=(hint,), seed=seed)
    return judge(spec, list(cases), [_outcome(spec, r, quotable) for r in raw], seed=seed, reveal=False)


def _failure_in(raw: dict) -> dict:
    failure = raw.get("failure")
    return failure if isinstance(failure, dict) else {}


def _no_room(outcomes: Sequence[dict]) -> bool:
    """Whether no process could be started for any function, which is not the submission's fault."""
    failures = [f for f in map(_failure_in, outcomes) if f.get("kind") != "NotDefined"]  # of functions that exist
    died = [f.get("waited") is True for f in failures if f.get("kind") == "ProcessDied"]
    return bool(died) and all(died) and all(f.get("kind") in ("ProcessDied", "NotCalled") for f in failures)


def _outcome(spec: Exercise, raw: dict, quotable: Quotable) -> Outcome:
    """Check the form of what came out of the sandbox; anything else counts as a crash."""
    try:
        failure = raw.get("failure")
        return Outcome(
            value=_value(raw.get("value"), quotable),
            failure=_failure(failure, quotable) if failure else None,
            changed=tuple(name for name in raw.get("changed") or () if name in spec.parameters),
            library=quotable.library(raw["library"]) if raw.get("library") else "",
        )
    except Exception:  # written by a hostile process
        return Outcome(failure=Failure("ProcessDied", ""))


# a value of these types has no call brackets
_CALLABLE = ("function", "method", "builtin_function_or_method", "ufunc", "_ArrayFunctionDispatcher")


def _value(value: Any, quotable: Quotable) -> Any:
    if isinstance(value, Foreign):  # only the name of its type is known
        members = {"__call__": None} if value.kind in _CALLABLE else {}
        return type(quotable.kind(value.kind), (), members)()
    if isinstance(value, np.ndarray) and value.dtype == object:
        for at in np.ndindex(value.shape):
            value[at] = _value(value[at], quotable)
    return type(value)(_value(item, quotable) for item in value) if isinstance(value, (list, tuple)) else value


def _failure(raw: dict, quotable: Quotable) -> Failure:
    return Failure(
        kind=quotable.error(raw.get("kind")),
        text=str(raw.get("text") or "")[:300],  # used to recognise mistakes, never shown
        where=quotable.word(raw.get("where")),
        line=quotable.line(raw.get("line")),
        lineno=quotable.number(raw.get("lineno")),
        stub=raw.get("stub") is True,
        helper=quotable.word(raw.get("helper")),
    )


def _note_what_happened(
    grade: Grade, submission: Submission, ran: dict, specs: Sequence[Exercise], quotable: Quotable
) -> None:
    notebook = submission.notebook
    brought = handed_out(grade.sheet)
    for number, source, cell in zip(notebook.numbers, notebook.cells, ran["cells"], strict=True):
        status = cell.get("status")
        if status == "failed" and source not in brought:  # the sheet's own cells may need missing libraries
            grade.notes.append(f"Cell {number} {_how_it_failed(cell, quotable)}")
        elif status in ("timeout", "died"):
            how = "took too long" if status == "timeout" else "ended the program or used too much memory"
            how = "waited without computing, for example in `sleep`" if cell.get("slept") else how
            grade.notes.append(f"Cell {number} {how} and was left out; the rest was graded.")
        elif status == "not run":
            why = "earlier cells used up the time or ended the program too often"
            grade.notes.append(f"Cell {number} was not run, because {why}.")
            break
    for name in defined_twice(notebook, specs):
        grade.notes.append(f"{name} is defined {notebook.defined[name]} times; the last definition counts.")
    _note_what_is_text(grade, notebook)
    _note_versions(grade, notebook, ran)
    for other, more in answered_besides(notebook, grade.sheet).items():
        if len(more) > 1:  # a single helper may have such a name by chance
            grade.notes.append(f"It also answers {', '.join(more)} of {other}; one notebook counts for one sheet.")
            grade.review.append(f"also answers {other}, which was not graded")
    _note_time(grade, "a cell", ran["cells"])
    if not ran.get("clean", True):
        grade.review.append("the notebook left something in its sandbox that could not be removed")
    words = [word for word in _SUSPICIOUS if any(word in cell for cell in notebook.cells)]
    if words:
        grade.review.append(f"the code mentions {', '.join(words)}")
    if found := pasted(notebook.cells, brought, _replaced(grade.sheet)):
        grade.review.append(f"it contains lines of a library that it should replace, {found[0]}: “{found[1]}”")
    if any(result["status"] == "refused" for result in grade.results):
        grade.review.append("an answer calls a library that it should replace")


def _note_what_is_text(grade: Grade, notebook: Notebook) -> None:
    """Say which answers are in text cells, where JupyterLab's keys M and R put them by accident."""
    for name in [result["name"] for result in grade.results if result["name"] in notebook.in_text]:
        grade.notes.append(f"{name} {IN_TEXT}.")
        grade.review.append(f"{name} {IN_TEXT}")


def _note_versions(grade: Grade, notebook: Notebook, ran: dict) -> None:
    """List errors that a newer Python, or another NumPy, would not have raised."""
    found = [*ran["cells"], *map(_failure_in, ran["outcomes"])]
    lines = [(f.get("error", f.get("kind")), str(f.get("line"))) for f in found]
    newer = _numbers(notebook.python) > _numbers(platform.python_version())
    moved = next((m for kind, line in lines if kind == "AttributeError" and (m := _MOVED.search(line))), None)
    if moved or (newer and any(kind == "SyntaxError" for kind, _ in lines)):
        what = f"np.{moved[1]}" if moved else "a syntax error"
        theirs = f"Python {notebook.python or 'of an unknown version'}"
        grade.review.append(f"{what} may be right in other versions: written with {theirs}, graded with {VERSIONS}")
        grade.notes.append(f"It was graded with {VERSIONS}, in which {what} fails. Your lecturer has been told.")


def _numbers(version: str) -> list[int]:
    """Return [3, 13] for "3.13.1rc1"."""
    return [int(number) for number in re.findall(r"\d+", version)[:2]]


@lru_cache(maxsize=64)
def _replaced(sheet: str) -> tuple[Path, ...]:
    """Return the files that answers to a sheet should replace; they are not in the sandbox but could be pasted in."""
    allowed, refused = reach_of(sheet)
    own = Path(kcourse.__file__).parent
    rooms = [path for path in own.iterdir() if path.stem not in _NO_SOLVERS and f"kcourse.{path.stem}" not in allowed]
    specs = [importlib.util.find_spec(name) for name in refused]
    rooms += [Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ()]
    files = (path.glob("**/*.py") if path.is_dir() else [path] for path in rooms)
    return tuple(
        sorted(file for found in files for file in found if file.suffix == ".py" and "tests" not in file.parts)
    )


def _how_it_failed(cell: dict, quotable: Quotable) -> str:
    line, error = quotable.line(cell.get("line"))[:200], cell.get("error")
    where = f" at `{line}`" if line else ""
    if error == "LibraryRefused":
        return f"uses a library{where} that is not available while grading; this costs no points."
    if error == "SystemExit" or re.match(r"(?:exit|quit)\b", line):
        return f"ends the program{where}; the rest was graded."
    if error == "EOFError" and "input(" in line:
        return f"asks for input{where}, but nobody can answer while grading; the rest was graded."
    return f"failed with {quotable.error(error)}{where}; the rest was graded."


def reach_of(sheet: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the modules of kcourse that a sheet's answers may use, and those of SciPy that they may not use."""
    specs = exercises(sheet) if sheet else ()
    return (specs[0].allowed, specs[0].refused) if specs else ((), ())
