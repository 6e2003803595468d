"""Find an experiment that shows the mistake of an answer: it prints something else for a right answer."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from kcourse.checks.answer_tables import fingerprint
from kcourse.checks.dependent_answers import standing_in
from kcourse.checks.spec import Exercise

__all__ = ["experiment_for", "printed"]


def experiment_for(exercise: Exercise, function: Callable, first: str = "", fixed: Sequence[Exercise] = ()) -> str:
    """Return an experiment that prints different things for ``function`` and for the reference; "" if none does.

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
    return fingerprint(printed(text, exercise.name, function)) != _of_the_right_one(exercise, text)


def _of_the_right_one(exercise: Exercise, text: str) -> str:
    if exercise.answer_table:
        return exercise.answer_table.prints_of(text)
    return fingerprint(printed(text, exercise.name, exercise.reference))


def printed(text: str, name: str, function: Callable) -> str:
    """Return what the experiment prints for an answer, with the error that ends it, if any."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(text, {name: function})
        except (Exception, SystemExit) as error:
            said.write(repr(error))
    return said.getvalue()
