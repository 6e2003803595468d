"""An experiment that shows the mistake of this very answer: it prints something else than for a right one."""

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
    """The ``first``, the exercise's or else a mistake's that tells ``function`` from the reference; "" if none does.

    It must do so as the function stands, and with right answers to ``fixed``, the wrong ones that it calls: a mistake
    below may hide what this one does, or be all that an experiment shows.
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
    """What the experiment prints of an answer, or the error that it ends with."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            exec(text, {name: function})
        except (Exception, SystemExit) as error:
            said.write(repr(error))
    return said.getvalue()
