"""Turn outcomes into a verdict: which properties hold, and a sentence that helps where one does not."""

from __future__ import annotations

import contextlib
import hashlib
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kcourse.checks.compare import (
    Trial,
    answers,
    as_numbers,
    asks_yes_or_no,
    bounded,
    close,
    half_of_the_parts,
    holds_complex,
    nearly,
    real,
    relation,
)
from kcourse.checks.diagnose import diagnose, hunch, nearly_right, unknown
from kcourse.checks.spec import Case, Changed, Exercise, Misconception
from kcourse.execution.calls import Failure, Outcome

__all__ = [
    "PropertyResult",
    "Result",
    "digest",
    "gives_of",
    "interrupted",
    "judge",
    "pairs_of",
    "passes",
    "try_out",
    "unheard",
]

_DIGESTED = 50  # numbers per call that the digest uses

# exceptions about names and shapes
_ABOUT_NAMES = re.compile(
    r"^(?:NameError|UnboundLocalError|AttributeError|ImportError|ModuleNotFoundError|KeyError|SyntaxError|AxisError)\b|"
    r"shape|size \d+ is different|broadcast|dimension|positional argument|keyword argument|not subscriptable|"
    r"not callable|object is not|unsupported operand|setting an array element|too many values to unpack|"
    r"not enough values"
)

_ENDLESS = "Is there a loop without an end?"
_ENDED = {  # failures that are not exceptions of the answer
    "TookTooLong": f"took too long and was stopped{{after}}. {_ENDLESS}",
    "Slept": "waited without computing, for example in `sleep`, and was stopped{after}.",
    "ProcessDied": "ended the whole program, or needed more memory than is available.",
    "NotCalled": "was not tried on every input, because an earlier call failed.",
}


@dataclass(frozen=True)
class PropertyResult:
    """The points of an answer for one property: half of them if it is nearly right."""

    says: str
    points: float
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
        ``passed`` (all points), ``partial``, ``failed`` (no points), ``not_attempted`` (the unchanged stub),
        ``refused`` (the answer calls the library that it should replace) or ``interrupted`` (by the student).
    misconception : str or None
        name of the mistake that was recognised; "a + b" for two at once.
    hints : tuple of str
        what is wrong, the most important sentence first.
    step, experiment : str
        the part of the derivation to read again, and a few lines of code that show the mistake; "" if the answer
        was not marked.
    remarks : tuple of str
        notes that do not cost points.
    properties : tuple of PropertyResult
        the points for each property.
    seed : int
        seed of the inputs; ``run(name, function, seed=…)`` gives the same verdict again.
    instead : tuple of str
        the wrong answers that this one calls; the verdict is the one with right answers in their places.
    alone : float or None
        the points with the student's own answers; None if none was replaced.
    unknown : str
        a digest of the returned values if no mistake was recognised; the same mistake gives the same digest.
    """

    name: str
    points: float
    max_points: float
    status: str
    misconception: str | None = None
    hints: tuple[str, ...] = ()
    step: str = ""
    experiment: str = ""
    remarks: tuple[str, ...] = ()
    properties: tuple[PropertyResult, ...] = ()
    seed: int = 0
    instead: tuple[str, ...] = ()
    alone: float | None = None
    unknown: str = ""

    @property
    def messages(self) -> tuple[str, ...]:
        """All texts: hints, step, experiment, remarks."""
        return tuple(filter(None, (*self.hints, self.step, self.experiment, *self.remarks)))


def judge(
    exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome], *, seed: int = 0, reveal: bool = True
) -> Result:
    """Return the verdict on ``outcomes``, the results of the answer on ``cases``.

    With ``reveal=False`` the texts of exceptions and warnings are left out, because they can contain the values of a
    hidden input.
    """
    if not reveal:
        outcomes = [replace(o, warned="") for o in outcomes]
    with unheard():
        return _judge(exercise, cases, outcomes, seed, reveal)


@contextlib.contextmanager
def unheard() -> Iterator[None]:
    """Suppress warnings, whatever the notebook has set."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


def passes(exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> bool:
    """Whether the answer has full points; no hint is computed."""
    with unheard():
        return all(try_out(exercise, c, o).right for c, o in zip(cases, outcomes, strict=True))


def _judge(exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome], seed: int, reveal: bool) -> Result:
    def result(status: str, points: float = 0, **more: Any) -> Result:
        return Result(exercise.name, points, exercise.points, status, seed=seed, **more)

    failures = [o.failure for o in outcomes]
    if all(f is not None and f.stub for f in failures):
        properties = tuple(PropertyResult(p.says, 0, p.points) for p in exercise.properties)
        return result("not_attempted", hints=(_unwritten(exercise, failures[0]),), properties=properties)
    library = next((o.library for o in outcomes if o.library), "")
    if library:
        return result("refused", hints=(_refusal(exercise, library),))

    trials = [try_out(exercise, case, outcome) for case, outcome in zip(cases, outcomes, strict=True)]
    held = [all(t.right for t in trials if t.case.property == i) for i in range(len(exercise.properties))]
    parts = set() if all(held) else half_of_the_parts(exercise, trials)
    half = [
        i in parts or all(t.right or nearly(exercise, t) for t in trials if t.case.property == i)
        for i in range(len(held))
    ]
    if not all(held) and _deaf(trials):  # a constant that is right in some calls was not computed
        held = half = [False] * len(held)
    properties = tuple(
        PropertyResult(p.says, p.points if ok else p.points / 2 if some else 0, p.points)
        for p, ok, some in zip(exercise.properties, held, half, strict=True)
    )
    points = sum(p.points for p in properties)
    remarks = _remarks(exercise, trials)
    if all(held):
        return result("passed", points, remarks=remarks, properties=properties)
    name, hints, step, experiment = _explain(exercise, trials, held, reveal)
    known = name is not None or any(failures)
    if not known:  # an argument that was changed in place may be the cause
        hints, remarks = (*remarks, *hints), ()
    if any(map(_is_late, failures)):  # the experiment could have no end, either
        experiment = ""
    return result(
        "partial" if points else "failed",
        points,
        misconception=name,
        hints=hints,
        step=step,
        experiment=experiment,
        remarks=remarks,
        properties=properties,
        unknown="" if known else _digest([t.value for t in trials]),
    )


def digest(exercise: Exercise, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> str:
    """Return a few letters, the same for all answers whose values on these inputs agree to four digits."""
    with unheard():
        return _digest([try_out(exercise, case, outcome).value for case, outcome in zip(cases, outcomes, strict=True)])


def _digest(values: Sequence[Any]) -> str:
    said = [type(v).__name__ if (n := as_numbers(v)) is None else (n.shape, [f"{e:.3e}" for e in n.flat[:_DIGESTED]])
            for v in values]  # fmt: skip
    return hashlib.sha256(repr(said).encode()).hexdigest()[:8]


def try_out(exercise: Exercise, case: Case, outcome: Outcome) -> Trial:
    given, expected = outcome.value, exercise.reference(*case.args)
    value = real(bounded(given, np.size(expected)))
    # a view would drop imaginary parts; a value that has no view is compared unchanged
    seen = value if holds_complex(value) else exercise.seen(value, case.args)
    if seen is not value:
        expected = exercise.seen(expected, case.args)
    outcome = replace(outcome, value=seen)
    prop = exercise.properties[case.property]
    scale = prop.scale(*case.args) if prop.scale else None
    right = outcome.failure is None and answers(exercise, outcome.value, expected, scale)
    return Trial(case, outcome, expected, scale, right, given)


def _deaf(trials: Sequence[Trial]) -> bool:
    """Whether every call returned the same number although the right answers differ."""
    if any(t.outcome.failure or as_numbers(t.value) is None or not np.size(t.value) for t in trials):
        return False
    given = np.concatenate([np.ravel(as_numbers(t.value)) for t in trials])
    return len(trials) > 1 and bool((given == given[0]).all())


# -- why it is wrong


def _explain(exercise: Exercise, trials: Sequence[Trial], held: Sequence[bool], reveal: bool) -> tuple:
    """Return the misconception's name or None, hints, step, experiment."""
    every, trials = trials, _first_things(trials)
    wrong = [t for t in trials if not t.right]
    failure = next((t for t in wrong if t.outcome.failure is not None), None)
    told = (_tell(exercise, failure, reveal),) if failure else ()

    mistake = _recognise(exercise, exercise.misconceptions, trials)
    if mistake is not None:
        told = told if mistake.error or _is_late(failure and failure.outcome.failure) else ()
        return mistake.name, (mistake.hint, *told), mistake.step, mistake.experiment
    if failure and failure.outcome.failure.helper:
        return None, told, exercise.step, ""

    missed = [p.hint for p, ok in zip(exercise.properties, held, strict=True) if not ok]
    # an answer that misses one property or two, and these have hints of their own
    special = tuple(missed) if len(missed) <= 2 and all(missed) and _right_elsewhere(every, held) else ()
    if len(special) > 1:
        special = tuple(hint.replace("fails only", "fails") for hint in special)
    if failure:
        if _ABOUT_NAMES.search(f"{failure.outcome.failure.kind}: {failure.outcome.failure.text}"):
            return None, (*told, *special), "", ""  # the cause is not a step of the derivation
        return None, (*told, *special), exercise.step, exercise.experiment
    if special and (few := nearly_right(exercise, every)):  # the hint would name another cause than lost digits
        return None, (few,), exercise.step, exercise.experiment
    said = diagnose(exercise, trials, explained=bool(special))
    if not said and len(special) != 1:
        if mistake := _recognise(exercise, pairs_of(exercise), trials):
            return mistake.name, (mistake.hint,), mistake.step, mistake.experiment
        for mistake in exercise.misconceptions:
            if how := _related(exercise, mistake, trials):
                how = "minus" if how == "-1 times" else how
                second = f"And a second mistake: your answer returns {how} the result of the first."
                return f"{mistake.name} + {how}", (mistake.hint, second), mistake.step, mistake.experiment
    if not said and not special:
        # a call that failed has no value
        came_back = [t for t in every if t.outcome.failure is None]
        said = hunch(exercise, trials) or diagnose(exercise, came_back) or unknown(exercise)
    return None, tuple(filter(None, (*special, said))), exercise.step, exercise.experiment


def _right_elsewhere(trials: Sequence[Trial], held: Sequence[bool]) -> bool:
    """Whether an answer that misses one property is right elsewhere at least as often as it is wrong there.

    Otherwise an answer that is right once by chance would be told that it fails only there.
    """
    outside = sum(held[t.case.property] for t in trials)
    return outside >= sum(not t.right for t in trials)


def _first_things(trials: Sequence[Trial]) -> Sequence[Trial]:
    """Return the calls to explain: without NaN and lack of memory, if finite numbers fail an earlier property."""
    first = min(t.case.property for t in trials if not t.right)
    lost = [_lost(t) for t in trials]
    if any(t.case.property == first and gone for t, gone in zip(trials, lost, strict=True)):
        return trials
    return [t for t, gone in zip(trials, lost, strict=True) if not gone]


def _lost(trial: Trial) -> bool:
    if trial.outcome.failure is not None:
        return trial.outcome.failure.kind in ("MemoryError", "NotCalled")  # NotCalled also follows a lack of memory
    numbers = as_numbers(trial.value)
    return numbers is not None and not np.isfinite(numbers).all()


def _is_late(failure: Failure | None) -> bool:
    return failure is not None and failure.kind in ("TookTooLong", "Slept")


def _recognise(exercise: Exercise, mistakes: Iterable[Misconception], trials: Sequence[Trial]) -> Misconception | None:
    """Return the first misconception that gives the same as the answer in every call, or None."""
    trials = sorted(trials, key=lambda t: t.right)  # wrong calls first: they rule out most mistakes at once
    for mistake in mistakes:
        agree = False
        for trial in trials:
            verdict = _agrees(exercise, mistake, trial)
            if verdict is False:
                break
            agree = agree or bool(verdict)
        else:
            if agree:
                return mistake
    return None


def _agrees(exercise: Exercise, mistake: Misconception, trial: Trial) -> bool | None:
    """Whether the answer does what the mistake does; None where this call does not tell."""
    failure = trial.outcome.failure
    if failure is not None and mistake.error and re.search(mistake.error, f"{failure.kind}: {failure.text}"):
        # a mistake that computes something on this input would not have failed
        return mistake.wrong is None or gives_of(exercise, mistake, trial) is None
    if mistake.wrong is None:  # it can only fail, or return another shape by broadcasting
        shape = np.shape(as_numbers(trial.value))
        return None if trial.right or (failure is None and shape != np.shape(trial.expected)) else False
    value = gives_of(exercise, mistake, trial)
    if failure is not None:
        return None if value is None else False
    if value is None:
        return None
    harmless = answers(exercise, value, trial.expected, trial.scale)
    if trial.right:
        return None if harmless else False
    return not harmless and answers(exercise, trial.value, value, trial.scale)


def gives_of(exercise: Exercise, mistake: Misconception, trial: Trial) -> Any:
    """Return what the mistake gives on this input, or None if that is an error or not finite."""
    try:
        value = exercise.seen(mistake.wrong(*trial.args), trial.args)
    except (ValueError, ArithmeticError, IndexError):
        return None
    return value if np.isfinite(as_numbers(value)).all() else None


def pairs_of(exercise: Exercise) -> Iterable[Misconception]:
    """Return all pairs of mistakes at once: one changes the arguments, the other computes something wrong from them."""
    for second in exercise.misconceptions:
        if not isinstance(second.wrong, Changed):
            continue
        for first in exercise.misconceptions:
            if first is second or first.wrong is None:
                continue
            yield Misconception(
                f"{first.name} + {second.name}",
                Changed(first.wrong, second.wrong.change),
                f"Two mistakes at once. {first.hint} And: {second.hint}",
                f"{first.step} {second.step}" if first.step != second.step else first.step,
                first.experiment,
            )


def _related(exercise: Exercise, mistake: Misconception, trials: Sequence[Trial]) -> str:
    """Return what relates the answer to this mistake in every call ("-1 times", "the square of"), or ""."""
    if mistake.wrong is None or asks_yes_or_no(trials):
        return ""
    # a call whose right answer is 0 does not tell
    telling = [t for t in trials if not t.right or not close(0 * as_numbers(t.expected), t.expected, t.scale)]
    how = relation(exercise, telling, (gives_of(exercise, mistake, t) for t in telling))
    return "" if how and _leaves_out(exercise, mistake, telling[0], how) else how


def _leaves_out(exercise: Exercise, mistake: Misconception, trial: Trial, how: str) -> bool:
    """Whether the mistake ignores an argument in the factor: an answer that divides by λ does not leave λ out."""
    used = [size for name, size in exercise.sizes(*trial.args).items() if name in how]
    for i, number in enumerate(trial.args):
        if isinstance(number, float) and number in used:
            other = replace(trial, case=replace(trial.case, args=(*trial.args[:i], 2 * number, *trial.args[i + 1 :])))
            if (gives := gives_of(exercise, mistake, other)) is not None and close(
                gives, gives_of(exercise, mistake, trial)
            ):
                return True
    return False


# -- sentences


def _tell(exercise: Exercise, trial: Trial, reveal: bool) -> str:
    """Return what was raised, where, and on which shapes."""
    failure = trial.outcome.failure
    if failure.helper:
        return f"{exercise.name} calls {failure.helper}, which is not written yet. Write {failure.helper} first."
    text = textwrap.shorten(failure.text, 240, placeholder=" …") if reveal else ""
    what = f"{failure.kind}: {text}" if text else failure.kind
    shapes = ", ".join(
        f"{name} {np.shape(a)}"
        for name, a in zip(exercise.parameters, trial.args, strict=True)
        if isinstance(a, np.ndarray) and a.ndim
    )
    if failure.kind == "SystemExit":
        what = "SystemExit, which ends the program. To end a function, return its result"
    where, place = f"Calling {exercise.signature}", _place(failure)
    if failure.kind in _ENDED:
        after = (f" after {text}" if text else "") + (f" in line {place}" if place else "")
        kind = "Slept" if "sleep(" in failure.line else failure.kind
        said = f"{where} {_ENDED[kind].format(after=after)}"
    else:
        said = f"{f'Line {place}' if place else where}{',' if failure.line else ''} raised {what}."
    return said + (f" The shapes in that call: {shapes}." if shapes else "")


def _place(failure: Failure) -> str:
    """Return the student's own line, after the word "line"; "" if it is not known."""
    line = f", `{failure.line}`" if failure.line else ""
    return f"{failure.lineno} of {failure.where}{line}" if failure.lineno else ""


def interrupted(exercise: Exercise, failure: Failure) -> Result:
    """Return the verdict on an answer that the student interrupted."""
    place = _place(failure)
    sentence = f"You interrupted line {place}. {_ENDLESS}"
    if not place:
        sentence = f"You interrupted the check of {exercise.name}, so it has no verdict."
    return Result(exercise.name, 0, exercise.points, "interrupted", hints=(sentence,))


def _unwritten(exercise: Exercise, failure: Failure) -> str:
    return (
        f"Not attempted yet: line {failure.lineno} of {exercise.name} is still `raise NotImplementedError`. Replace it "
        "with your answer, then run both cells again."
    )


def _refusal(exercise: Exercise, library: str) -> str:
    name = "scikit-learn" if library.startswith("sklearn") else library
    scipy = "the rest of SciPy" if library.startswith("scipy") else "SciPy"
    return (
        f"Your answer uses {name}, which this exercise does not allow. Write {exercise.name} yourself, with NumPy, "
        f"{scipy} or plain loops."
    )


def _remarks(exercise: Exercise, trials: Sequence[Trial]) -> tuple[str, ...]:
    remarks = []
    changed = [name for name in exercise.parameters if any(name in t.outcome.changed for t in trials)]
    if changed:
        first = exercise.parameters.index(changed[0])
        kinds = {t.args[first].dtype.kind for t in trials if isinstance(t.args[first], np.ndarray)}
        # Where some calls give integers, a plain copy would round the fractions that the answer writes into it.
        copy = f"np.array({changed[0]}, dtype=float)" if kinds == {"i", "f"} else f"{changed[0]}.copy()"
        remarks.append(
            f"{exercise.name} changes its argument {' and '.join(changed)} in place, which a caller does not expect. "
            f"Work on a copy, for example {changed[0]} = {copy}."
        )
    if any(holds_complex(t.given) and t.outcome.failure is None and not holds_complex(t.value) for t in trials):
        remarks.append(
            f"{exercise.name} returns complex numbers whose imaginary parts are 0; the check treats them as real. "
            "To return real numbers, use eigh for symmetric matrices, or take .real."
        )
    if exercise.gives and any(t.right and isinstance(t.given, np.ndarray) for t in trials):
        remarks.append(f"{exercise.name} returns one array of the right numbers. It should return {exercise.returns}.")
    shapes = {as_numbers(t.value).shape for t in trials if t.right} - {np.shape(t.expected) for t in trials}
    if shapes:
        remarks.append(
            f"{exercise.name} returns an array of shape {min(shapes)} instead of one number. The number is right; take "
            "it out of its array, for example with .item()."
        )
    return tuple(remarks)
