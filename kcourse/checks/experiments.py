"""Find an experiment that shows the mistake of an answer: it prints something else for a right answer."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Sequence
from typing import Any

from kcourse.checks.compare import close
from kcourse.checks.dependent_answers import standing_in
from kcourse.checks.judge import try_out, unheard
from kcourse.checks.spec import Case, Exercise
from kcourse.execution.calls import call

__all__ = ["experiment_for", "printed"]

_SMALL = 1e-3  # experiments have numbers near 1; errors below this times RTOL are rounding even where 0 is right


def experiment_for(exercise: Exercise, function: Callable, first: str = "", fixed: Sequence[Exercise] = ()) -> str:
    """Return an experiment that prints different things for ``function`` and for a right answer; "" if none does.

    Candidates are ``first``, then the exercise's own, then those of its mistakes. The output must differ twice: with
    the student's own answers to ``fixed``, the wrong functions that ``function`` calls, and with right ones. A mistake
    in a called function may hide this one, or be all that an experiment shows.
    """
    for text in dict.fromkeys(
        (first, exercise.experiment, *(mistake.experiment for mistake in exercise.misconceptions))
    ):
        if not (text and _tells(exercise, function, text)):
            continue
        with standing_in(function, fixed):
            if not fixed or _tells(exercise, function, text):
                return text
    return ""


def _tells(exercise: Exercise, function: Callable, text: str) -> bool:
    return printed(exercise, function, text) != printed(exercise, exercise.answer, text)


def printed(exercise: Exercise, function: Callable, text: str) -> str:
    """Return what the experiment prints for an answer; a right value counts in any style, as it does in the check."""

    def answer(*args: Any) -> Any:
        outcome = call(exercise, function, args, watched=False)
        if outcome.failure:
            raise RuntimeError(outcome.failure.kind)
        trial = try_out(exercise, Case(0, args), outcome)
        right = trial.right or close(trial.value, trial.expected, _SMALL)
        return exercise.answer(*args) if right else outcome.value

    said = io.StringIO()
    with contextlib.redirect_stdout(said), unheard():
        try:
            exec(text, {exercise.name: answer})
        except (Exception, SystemExit) as error:
            said.write(repr(error))
    return said.getvalue()
