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

__all__ = ["RightOnes"]

_QUESTIONS = 1000
_SECONDS = 5.0  # for all questions of an answer together
_LARGER = 4  # times the largest of the sheet's own inputs, …
_ENTRIES = 10_000  # … or this many numbers
_COUNT = 100  # what a whole number may be at least: rounds, neighbours


class RightOnes:
    """Answers ``(name, arguments)`` as the right answers would, for these exercises; ``asked`` are those it was asked.

    ValueError for what the exercise's own inputs are not like.
    """

    def __init__(self, wanted: dict[str, tuple[Exercise, Sequence[Case]]]) -> None:
        self.wanted, self.asked = wanted, set()
        self.left, self.seconds = _QUESTIONS, _SECONDS

    def __call__(self, name: str, args: list) -> Any:
        spec, cases = self.wanted[name]
        self.asked.add(name)
        self.left -= 1
        if self.left < 0 or self.seconds < 0:
            raise ValueError("enough was asked")
        like = list(zip(*(case.args for case in cases), strict=True))
        given = [_as_asked(value, examples) for value, examples in zip(args, like, strict=True)]
        start = time.process_time()
        try:
            with np.errstate(all="ignore"):
                return spec.answer(*given)
        finally:
            self.seconds -= time.process_time() - start


def _as_asked(value: Any, examples: Sequence[Any]) -> Any:
    """``value`` as one of the exercise's own inputs might be."""
    if isinstance(examples[0], (bool, str, type(None))):
        if type(value) not in {type(e) for e in examples}:
            raise ValueError("of another type")
        return value
    numbers = np.asarray(value)
    most = max(_ENTRIES, _LARGER * max(np.size(e) for e in examples))
    if numbers.dtype.kind not in "biuf" or numbers.size > most or not np.isfinite(numbers).all():
        raise ValueError("no numbers, or too many")
    if numbers.ndim not in {np.ndim(e) for e in examples}:
        raise ValueError("of another shape")
    if numbers.ndim or isinstance(examples[0], np.ndarray):
        return numbers
    if any(isinstance(e, float) for e in examples):
        return float(numbers)
    if numbers.dtype.kind == "f" or abs(int(numbers)) > max(_COUNT, _LARGER * max(map(abs, examples))):
        raise ValueError("a whole number, not too large, was expected")
    return int(numbers)
