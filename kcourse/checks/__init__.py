"""Mark the exercises: ``check(krr_fit)`` in a sheet, ``run("krr_fit", function)`` in a program.

An answer is called on fresh random inputs. If it is wrong, its values are compared with those of every known mistake on
the same inputs; if they agree, the student reads which mistake it is.
"""

from __future__ import annotations

import difflib
import secrets
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from kcourse.base import threads
from kcourse.base.timeouts import slowness
from kcourse.checks.dependent_answers import earlier, followed, not_followed, standing_in
from kcourse.checks.diagnose import unknown
from kcourse.checks.experiments import experiment_for
from kcourse.checks.judge import PropertyResult, Result, interrupted, judge
from kcourse.checks.missing_packages import missing_packages
from kcourse.checks.spec import Case, Changed, Exercise, Misconception, Observation, Promise, Property
from kcourse.checks.stale_definitions import stale_definition
from kcourse.checks.verdict import Verdict, show
from kcourse.execution.calls import call_all, failure_of, home_of, names_within_reach, signature_problem
from kcourse.execution.deadline import Deadline

__all__ = [
    "CHAPTERS",
    "Case",
    "Changed",
    "Exercise",
    "Misconception",
    "Observation",
    "Promise",
    "Property",
    "PropertyResult",
    "Result",
    "Verdict",
    "check",
    "exercise",
    "exercises",
    "run",
]

#: the chapters that have a sheet, in the order of their names, which is that of the course
CHAPTERS = tuple(sorted(path.parent.name for path in Path(__file__).parents[1].glob("chapters/ch*/marks.py")))

_checked: list[str] = []  # the exercise whose answer is called now
_SECONDS = 20.0  # for all calls of an answer, on the computer to which `slowness` compares this one


def exercises(chapter: str | None = None) -> tuple[Exercise, ...]:
    """Return the exercises of a chapter ("ch03_ridge"), or of all chapters."""
    if chapter is not None and chapter not in CHAPTERS:
        raise KeyError(f"no exercises for chapter {chapter!r}; available: {', '.join(CHAPTERS)}")
    return tuple(
        spec
        for stem in ((chapter,) if chapter else CHAPTERS)
        for spec in import_module(f"kcourse.chapters.{stem}.marks").EXERCISES
    )


def exercise(name: str) -> Exercise:
    """Return the exercise of this name, or raise KeyError with the nearest names."""
    known = {spec.name: spec for spec in exercises()}
    if name not in known:
        if any(spec.answer_table for spec in known.values()):
            raise KeyError(
                f"there is no exercise {name!r} in this edition. It has the sheets {', '.join(CHAPTERS)}. If you have "
                "another sheet, install the archive that it came with."
            )
        near = difflib.get_close_matches(name, known, n=2)
        fix = f"did you mean {' or '.join(near)}?" if near else "kcourse.checks.exercises() lists all."
        raise KeyError(f"there is no exercise {name!r}; {fix}")
    return known[name]


def run(name: str, function: Callable, seed: int | None = None) -> Result:
    """Mark ``function`` as the answer to exercise ``name`` and return the verdict without showing it.

    Parameters
    ----------
    name : str
        the exercise: the name of its function in the sheet.
    function : callable
        the answer.
    seed : int, optional
        seed of the inputs. Without a seed they are new every time, and ``Result.seed`` is the seed that was used.

    Notes
    -----
    A wrong answer may call an earlier answer that is also wrong. It is then called again with a right answer in that
    place. The verdict is that of the second call; ``Result.instead`` names the answers that were replaced. The
    students' edition has no right answers to call, so it only says which of the called ones are wrong.

    If all calls together take more than 20 s, or up to 80 s on a slow computer, they are stopped. This is more than the
    grader allows. Python cannot stop them in WebAssembly or outside the main thread.

    Raises
    ------
    KeyError
        for an unknown name.
    TypeError
        if ``function`` cannot be called.
    KeyboardInterrupt
        if you interrupt it.

    >>> import numpy as np
    >>> from kcourse.checks import run
    >>> forgot_lam = lambda K, y, lam: np.linalg.solve(K, y)
    >>> result = run("krr_fit", forgot_lam, seed=0)
    >>> result.points, result.max_points, result.misconception
    (0, 4, 'no lambda')
    """
    spec = exercise(name)
    if not callable(function):
        raise TypeError(f"the answer to {name} must be a function, got {type(function).__name__} {function!r}.")
    seed = secrets.randbits(32) if seed is None else int(seed)
    deadline = Deadline(_SECONDS * slowness())
    result, sentence = _marked(spec, function, seed, {}, deadline), missing_packages(function)
    # the experiment of a single known mistake is known to show it, if nothing else is wrong
    vague = result.misconception is None or " + " in result.misconception
    if result.experiment and (vague or result.instead):
        with deadline:
            shown = experiment_for(spec, function, result.experiment, [exercise(other) for other in result.instead])
        shown = "" if deadline.over else shown
        hints = tuple(
            unknown(spec, experiment=False) if hint == unknown(spec) and not shown else hint for hint in result.hints
        )
        result = replace(result, experiment=shown, hints=hints)
    if sentence and result.status not in ("not_attempted", "refused"):
        result = replace(result, remarks=(*result.remarks, sentence))
    return result


def _marked(spec: Exercise, function: Callable, seed: int, known: dict[str, Result], deadline: Deadline) -> Result:
    """Return the verdict; ``known`` collects the verdicts on the other answers of the notebook."""
    problem = signature_problem(spec, function)
    if problem:
        return Result(spec.name, 0, spec.points, "failed", hints=(problem,), seed=seed)
    cases = spec.cases(seed)
    with deadline:
        outcomes = call_all(spec, function, cases)
    alone = judge(spec, cases, outcomes, seed=seed)
    if alone.status == "passed":
        return alone
    home, names = home_of(function), names_within_reach(function)
    called = [other for other in earlier(spec, exercises(spec.chapter)) if other.name in names]
    for other in called:
        if other.name not in known:
            own, blank = home.get(other.name), Result(other.name, 0, other.points, "not_attempted")
            known[other.name] = _marked(other, own, seed, known, deadline) if callable(own) else blank
    wrong = [(other, r) for other in called if (r := known[other.name]).points < r.max_points]
    if not wrong:
        return alone
    with deadline, standing_in(function, [other for other, _ in wrong]) as asked:
        outcomes = call_all(spec, function, cases)
    wrong = [(other, result) for other, result in wrong if other.name in asked]
    if spec.answer_table:
        return not_followed(alone, wrong)
    return followed(alone, judge(spec, cases, outcomes, seed=seed), wrong)


def check(function: Callable, *, seed: int | None = None) -> Verdict:
    """Mark ``function`` as the answer to the exercise of the same name, and show the verdict.

    In Jupyter the verdict is a panel, elsewhere it is printed. The text of the return value is the number of points,
    which nbgrader reads as partial credit; ``.result`` is the whole `Result`.
    """
    if _checked:
        raise RuntimeError(f"{_checked[0]} calls check. That line belongs at the left margin, below the function.")
    name = getattr(function, "__name__", None)
    if name is None or not callable(function):
        raise TypeError(f"check needs the function itself, as in check(krr_fit); got {type(function).__name__}.")
    if name not in {spec.name for spec in exercises()}:  # a lambda or decorated: use its name in the sheet
        home = home_of(function)
        name = next((spec.name for spec in exercises() if home.get(spec.name) is function), name)
    threads.limit()
    if sentence := stale_definition(function):
        spec = exercise(name)
        result = Result(name, 0, spec.points, "failed", hints=(sentence,))
    else:
        _checked.append(name)
        try:
            result = run(name, function, seed)
        except KeyboardInterrupt as error:
            result = interrupted(exercise(name), failure_of(error, function))
        finally:
            _checked.clear()
    show(result)
    return Verdict(result)
