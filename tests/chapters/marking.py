"""Marking an answer as ``run`` does, with inputs that are drawn once, and right answers computed once, for all tests.

Inputs on which no two mistakes agree may take a hundred draws, so most of what a test would do is drawing them.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Callable
from dataclasses import replace

import pytest

from kcourse.checks import Case, Exercise, Result, exercise
from kcourse.checks.judge import judge
from kcourse.execution.calls import call_all
from tests.conftest import WEEKLY

SEEDS = 2  # one of them in every run, chosen by the exercise's name

# a wrong answer to one of these may take a second and more, so CI judges them after `make test`
LONG = ("spectrum_cv", "spectrum_kernel", "stream_ridge")

__all__ = ["cases", "known", "long_ones_wait", "marked", "seeds"]


def long_ones_wait(name: str, row: object) -> object:
    """A row of a test of wrong answers, marked slow for an exercise that takes long."""
    return pytest.param(row, marks=pytest.mark.slow if name in LONG else (), id=name)


def seeds(name: str, most: int) -> tuple[int, ...]:
    """One seed for an exercise, the same in every run; this many in the weekly run."""
    return tuple(range(most)) if WEEKLY else (zlib.crc32(name.encode()) % SEEDS,)


@functools.cache
def cases(name: str, seed: int) -> list[Case]:
    """The inputs of an exercise; nobody may change them."""
    return exercise(name).cases(seed)


@functools.cache
def known(name: str) -> Exercise:
    """The exercise, whose right answer remembers what it gave for the inputs of `cases`."""
    spec, given = exercise(name), {}

    @functools.wraps(spec.reference)
    def reference(*args: object) -> object:
        key = tuple(map(id, args))
        if key not in given:
            given[key] = args, spec.reference(*args)  # kept, so that no other has its id
        return given[key][1]

    return replace(spec, reference=reference)


def marked(name: str, function: Callable, seed: int) -> Result:
    """The verdict on ``function``, which calls no earlier answer."""
    given = cases(name, seed)
    return judge(known(name), given, call_all(exercise(name), function, given), seed=seed)
