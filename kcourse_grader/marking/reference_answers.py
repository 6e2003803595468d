"""Right answers, out here, to the questions of an answer that calls an earlier one which is wrong.

Who asks is a submission's code, so what it asks is held to what the sheet's own inputs are like, and to a count and a
time. It is answered for exercises alone whose marks are final.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from kcourse.checks import Case, Exercise
from kcourse_grader.sandbox.inside.job import QUESTIONS

__all__ = ["ReferenceAnswers"]

_SECONDS = 5.0  # for all questions of an answer together
_LARGER, _AXIS = 2, 60  # an axis may be so many times the longest of the sheet's own inputs, or so long
_MORE, _COUNT = 4, 100  # the same for whole numbers: rounds, neighbours


class ReferenceAnswers:
    """Answers ``(name, arguments)`` as the right answers would, for these exercises.

    ``asked`` are those it was asked, ``refused`` says whether it was asked what the exercise's own inputs are not like,
    which is a ValueError. Each axis is bounded, not their product: the right answer may make a matrix of one of them.
    """

    def __init__(self, wanted: dict[str, tuple[Exercise, Sequence[Case]]]) -> None:
        self.specs = {name: spec for name, (spec, _) in wanted.items()}
        self.like = {name: list(zip(*(c.args for c in cases), strict=True)) for name, (_, cases) in wanted.items()}
        self.asked, self.refused = set(), False
        self.left, self.seconds = QUESTIONS, _SECONDS

    def __call__(self, name: str, args: list) -> Any:
        spec, like = self.specs[name], self.like[name]
        self.asked.add(name)
        self.left -= 1
        try:
            if self.left < 0 or self.seconds < 0:
                raise ValueError("enough was asked")
            arrays = [e for examples in like for e in examples if isinstance(e, np.ndarray)]
            longest = max((max(e.shape, default=1) for e in arrays), default=1)
            given = [_as_asked(value, e, longest) for value, e in zip(args, like, strict=True)]
        except Exception:
            self.refused = True
            raise
        start = time.process_time()
        try:
            with np.errstate(all="ignore"):
                return spec.answer(*given)
        finally:
            self.seconds -= time.process_time() - start


def _as_asked(value: Any, examples: Sequence[Any], longest: int) -> Any:
    """``value`` as one of the exercise's own inputs might be."""
    if isinstance(examples[0], (bool, type(None))):
        if type(value) not in {type(e) for e in examples}:
            raise ValueError("of another type")
        return value
    if isinstance(examples[0], (str, list, tuple)):  # strings, lists of them, graphs
        if not _alike(value, examples[0]) or _length(value) > max(_AXIS, _LARGER * max(map(_length, examples))):
            raise ValueError("not like the sheet's own, or much longer")
        return value
    numbers = np.asarray(value)
    axes = range(1, max(_AXIS, _LARGER * longest) + 1)
    if numbers.dtype.kind not in "biuf" or not all(axis in axes for axis in numbers.shape):
        raise ValueError("no numbers, or too many, or none")
    if not np.isfinite(numbers).all():
        raise ValueError("no finite numbers")
    kinds = {np.ndim(e) for e in examples}
    if numbers.ndim not in kinds | ({1, 2} if kinds & {1, 2} else set()):  # many right sides at once are fine
        raise ValueError("of another shape")
    if numbers.ndim or isinstance(examples[0], np.ndarray):
        return numbers
    if any(isinstance(e, float) for e in examples):
        return float(numbers)
    if numbers.dtype.kind == "f" or abs(int(numbers)) > max(_COUNT, _MORE * max(map(abs, examples))):
        raise ValueError("a whole number, not too large, was expected")
    return int(numbers)


def _alike(value: Any, example: Any) -> bool:
    """Whether two nested lists have the same kinds of things in them: strings, whole numbers, pairs of them."""
    if isinstance(example, (list, tuple)):
        if not isinstance(value, (list, tuple)):
            return False
        if isinstance(example, tuple):  # of a fixed length, each with its own kind
            return len(value) == len(example) and all(map(_alike, value, example))
        return not example or all(_alike(v, example[0]) for v in value)
    if isinstance(example, str):
        return isinstance(value, str)
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and abs(int(value)) <= _COUNT


def _length(value: Any) -> int:
    """Letters and numbers in a nested list."""
    if isinstance(value, str):
        return 1 + len(value)
    return sum(map(_length, value)) if isinstance(value, (list, tuple)) else 1
