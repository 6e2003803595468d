"""Right values, computed outside the sandbox, for an answer that calls an earlier wrong answer.

The questions come from a submission's code. So their arguments must be similar to the sheet's own inputs, and their
number and the time for them are limited. Only exercises whose marks are final are answered.
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
_LARGER, _AXIS = 2, 60  # largest axis: this multiple of the longest axis in the sheet's own inputs, or this length
_MORE, _COUNT = 4, 100  # the same for whole numbers, such as rounds or neighbours


class ReferenceAnswers:
    """Answer ``(name, arguments)`` with the value of the right answer, for these exercises.

    ``asked`` are the exercises that were asked for. ``refused`` says whether arguments were unlike the exercise's own
    inputs, which raises a ValueError. Each axis is bounded instead of the product, because a right answer may make a
    square matrix from one axis.
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
                raise ValueError("too many questions, or no time left")
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
    """Return ``value`` if it is similar to the exercise's own inputs, else raise ValueError."""
    if isinstance(examples[0], (bool, type(None))):
        if type(value) not in {type(e) for e in examples}:
            raise ValueError("the type is different")
        return value
    if isinstance(examples[0], (str, list, tuple)):  # strings, lists of them, graphs
        if not _alike(value, examples[0]) or _length(value) > max(_AXIS, _LARGER * max(map(_length, examples))):
            raise ValueError("the structure is different, or much longer")
        return value
    numbers = np.asarray(value)
    axes = range(1, max(_AXIS, _LARGER * longest) + 1)
    if numbers.dtype.kind not in "biuf" or not all(axis in axes for axis in numbers.shape):
        raise ValueError("the values are not numbers, or the array is empty or too large")
    if not np.isfinite(numbers).all():
        raise ValueError("some numbers are not finite")
    kinds = {np.ndim(e) for e in examples}
    if numbers.ndim not in kinds | ({1, 2} if kinds & {1, 2} else set()):  # several right-hand sides at once are fine
        raise ValueError("the shape is different")
    if numbers.ndim or isinstance(examples[0], np.ndarray):
        return numbers
    if any(isinstance(e, float) for e in examples):
        return float(numbers)
    if numbers.dtype.kind == "f" or abs(int(numbers)) > max(_COUNT, _MORE * max(map(abs, examples))):
        raise ValueError("the number is not whole, or is too large")
    return int(numbers)


def _alike(value: Any, example: Any) -> bool:
    """Whether two nested lists contain the same kinds of items: strings, whole numbers, or pairs of them."""
    if isinstance(example, (list, tuple)):
        if not isinstance(value, (list, tuple)):
            return False
        if isinstance(example, tuple):  # fixed length, and a kind for each item
            return len(value) == len(example) and all(map(_alike, value, example))
        return not example or all(_alike(v, example[0]) for v in value)
    if isinstance(example, str):
        return isinstance(value, str)
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and abs(int(value)) <= _COUNT


def _length(value: Any) -> int:
    """Count the letters and numbers in a nested list."""
    if isinstance(value, str):
        return 1 + len(value)
    return sum(map(_length, value)) if isinstance(value, (list, tuple)) else 1
