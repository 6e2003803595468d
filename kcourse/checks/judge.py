"""From outcomes to a verdict: which properties hold, and the sentence that helps where one does not."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kcourse.checks.calls import Failure, Outcome
from kcourse.checks.diagnose import close, diagnose, scaled_by
from kcourse.checks.spec import Case, Exercise, Misconception

__all__ = ["PropertyResult", "Result", "judge"]


@dataclass(frozen=True)
class PropertyResult:
    """How an answer did on one property."""

    says: str
    points: int
    max_points: int


@dataclass(frozen=True)
class Result:
    """The verdict on one answer.

    Attributes
    ----------
    name : str
        the exercise.
    points, max_points : float
        earned and possible.
    status : str
        ``passed`` (all points), ``partial``, ``failed`` (no points), ``not_attempted`` (the stub as it was handed out)
        or ``refused`` (the answer calls the library that it should replace).
    misconception : str or None
        name of the wrong answer that was recognised.
    messages : tuple of str
        what to say, first things first: for a recognised slip the slip in one sentence, the step of the derivation
        to read again, an experiment; remarks last.
    properties : tuple of PropertyResult
        point by point.
    seed : int
        of the inputs; ``run(name, function, seed=…)`` gives the same verdict again.
    """

    name: str
    points: float
    max_points: float
    status: str
    misconception: str | None = None
    messages: tuple[str, ...] = ()
    properties: tuple[PropertyResult, ...] = ()
    seed: int = 0
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Trial:
    """One case with everything known about it."""

    case: Case
    outcome: Outcome
    expected: Any
    scale: float | None
    right: bool


def judge(
    exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome], *, seed: int = 0, reveal: bool = True
) -> Result:
    """Return the verdict on ``outcomes``, what the answer gave on ``cases``.

    With ``reveal=False`` the text of an exception is withheld, because it can carry a hidden input's values.
    """

    def result(status: str, points: float = 0, **more: Any) -> Result:
        return Result(exercise.name, points, exercise.points, status, seed=seed, **more)

    if all(o.failure is not None and o.failure.stub for o in outcomes):
        return result(
            "not_attempted",
            messages=(f"Not attempted yet: write the body of {exercise.signature}, then run this cell again.",),
            properties=tuple(PropertyResult(p.says, 0, p.points) for p in exercise.properties),
        )
    library = next((o.library for o in outcomes if o.library), "")
    if library:
        return result("refused", messages=(_refusal(library),))

    trials = [_try(exercise, case, outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    held = [all(t.right for t in trials if t.case.property == i) for i in range(len(exercise.properties))]
    properties = tuple(
        PropertyResult(p.says, p.points if ok else 0, p.points) for p, ok in zip(exercise.properties, held, strict=True)
    )
    points = sum(p.points for p in properties)
    remarks = _remarks(exercise, trials)
    if all(held):
        return result("passed", points, messages=remarks, remarks=remarks, properties=properties)

    slip = _recognise(exercise, [t for t in trials if not t.right])
    if slip is not None:
        name, messages = slip.name, (slip.hint, slip.step, slip.experiment)
    else:
        name, messages = None, _explain(exercise, trials, held, reveal)
    return result(
        "partial" if points else "failed",
        points,
        misconception=name,
        messages=(*messages, *remarks),
        remarks=remarks,
        properties=properties,
    )


def signature_problem(exercise: Exercise, function: Callable) -> str:
    """Say how the signature differs from the sheet's, or nothing if it can be called as the sheet says."""
    try:
        inspect.signature(function).bind(*exercise.parameters)
    except ValueError:
        return ""  # a built-in without a signature: the call will tell
    except TypeError as error:
        return (
            f"{exercise.name} cannot be called as {exercise.signature}: {error}. "
            "Keep the name and the arguments of the sheet, in that order."
        )
    return ""


def _try(exercise: Exercise, case: Case, outcome: Outcome) -> _Trial:
    expected = exercise.reference(*case.args)
    prop = exercise.properties[case.property]
    scale = prop.scale(*case.args) if prop.scale else None
    right = outcome.failure is None and close(outcome.value, expected, scale)
    return _Trial(case, outcome, expected, scale, right)


def _recognise(exercise: Exercise, wrong: Sequence[_Trial]) -> Misconception | None:
    """The misconception that gives what the answer gave on every case it got wrong (where it gives anything)."""
    best, most = None, 0
    for slip in exercise.misconceptions:
        agree = [_agrees(slip, t) for t in wrong]
        if False not in agree and agree.count(True) > most:
            best, most = slip, agree.count(True)
    return best


def _agrees(slip: Misconception, trial: _Trial) -> bool | None:
    """Whether the answer did what the slip does; None where the slip gives nothing to compare with."""
    failure = trial.outcome.failure
    if failure is not None:
        if slip.error:
            return slip.error in f"{failure.kind}: {failure.text}"
        return None if slip.wrong is None else _gives(slip, trial) is None
    if slip.wrong is None:
        return False
    value = _gives(slip, trial)
    if value is None:
        return None
    # not on the inputs where the slip happens to give the right answer
    return close(trial.outcome.value, value, trial.scale) and not close(value, trial.expected, trial.scale)


def _gives(slip: Misconception, trial: _Trial) -> Any:
    try:
        with np.errstate(all="ignore"):
            return slip.wrong(*trial.case.args)
    except (ValueError, ArithmeticError, IndexError, np.linalg.LinAlgError):
        return None


def _explain(exercise: Exercise, trials: Sequence[_Trial], held: list[bool], reveal: bool) -> tuple[str, ...]:
    wrong = [t for t in trials if not t.right]
    failures = [t.outcome.failure for t in wrong if t.outcome.failure is not None]
    missed = [p for p, ok in zip(exercise.properties, held, strict=True) if not ok]
    # an answer that fails in one respect only: that respect has a hint of its own
    special = (missed[0].hint,) if len(missed) == 1 and missed[0].hint and any(held) else ()
    if failures:
        return (_tell(failures[0], exercise, reveal), *special)
    for slip in exercise.misconceptions if not special else ():
        factor = _slip_and_factor(slip, exercise, wrong)
        if factor:
            return (f"{slip.hint} And a second slip: what is left is {factor} times what that gives.", slip.step,
                    slip.experiment)  # fmt: skip
    return (*special, *diagnose(exercise, [(t.case.args, t.outcome.value, t.expected) for t in wrong]))


def _slip_and_factor(slip: Misconception, exercise: Exercise, wrong: Sequence[_Trial]) -> str:
    """Two slips at once: a known one, and a factor that has a name (-1, n, λ, …)."""
    if slip.wrong is None:
        return ""
    triples = [(t.case.args, t.outcome.value, _gives(slip, t)) for t in wrong]
    if any(value is None for *_, value in triples):
        return ""
    return scaled_by(exercise, triples)


def _tell(failure: Failure, exercise: Exercise, reveal: bool) -> str:
    if failure.helper and failure.helper != exercise.name:
        return f"{exercise.name} calls {failure.helper}, which is not written yet: write that one first."
    what = f"{failure.kind}: {failure.text}" if reveal and failure.text else failure.kind
    if not failure.line:
        return f"Calling {exercise.signature} raised {what}."
    return f"Line {failure.lineno} of {exercise.name}, `{failure.line}`, raised {what}."


def _refusal(library: str) -> str:
    package = library.split(".")[0]
    return (
        f"Your answer calls {package} ({library}), which computes this for you. Write the formula by hand, with NumPy "
        "or plain loops: afterwards you will know what the library does."
    )


def _remarks(exercise: Exercise, trials: Sequence[_Trial]) -> tuple[str, ...]:
    changed = [name for name in exercise.parameters if any(name in t.outcome.changed for t in trials)]
    if not changed:
        return ()
    names = " and ".join(changed)
    return (
        f"{exercise.name} changes its argument {names} in place; whoever calls it will be surprised. Work on a copy, "
        f"for example with {changed[0]} = {changed[0]}.copy().",
    )
