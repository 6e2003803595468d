"""The right numbers in another shape or order, or to three digits, earn half of the points and a sentence about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from kcourse.checks import Exercise
from kcourse.checks.diagnose import unknown
from kcourse.checks.judge import judge
from kcourse.execution.calls import call
from tests.chapters.marking import cases, known, seeds
from tests.chapters.tables import ALL


def five_digits(a: np.ndarray) -> np.ndarray:
    unit = 10.0 ** (np.floor(np.log10(np.maximum(np.abs(a), 1e-300))) - 4)
    return np.round(a / unit) * unit


WAYS = {
    "a column": lambda a: a[:, None] if a.ndim == 1 else a,
    "a row": lambda a: a[None] if a.ndim == 1 else a,
    "an axis too many": lambda a: a[..., None],
    "flat": np.ravel,
    "squeezed": np.squeeze,
    "transposed": np.transpose,
    "backwards": lambda a: a[::-1] if a.ndim == 1 else a,
    "sorted": lambda a: np.sort(a) if a.ndim == 1 and np.any(a % 1) else a,
    "five digits": five_digits,
    "single precision": lambda a: a.astype("f4"),
}


@dataclass
class Changed:
    """The right answer to an exercise, changed in one way."""

    spec: Exercise
    way: str

    def __call__(self, *args: object) -> object:
        value = self.spec.answer(*args)
        if not isinstance(value, tuple):
            return self.change(value)
        if self.way in ("backwards", "sorted"):
            return value[::-1]
        return tuple(map(self.change, value))

    def change(self, value: object) -> object:
        return WAYS[self.way](np.asarray(value, dtype=float))


@pytest.mark.parametrize("spec", [spec for table in ALL for spec in table.specs], ids=lambda spec: spec.name)
def test_half_of_the_points_and_a_sentence(spec, subtests):
    for way in WAYS:
        for seed in seeds(spec.name, 2):
            with subtests.test(msg=way, seed=seed):
                given = cases(spec.name, seed)
                outcomes = [call(spec, Changed(spec, way), case.args, watched=False) for case in given]
                result = judge(known(spec.name), given, outcomes, seed=seed)
                assert result.points >= result.max_points / 2
                assert result.points == result.max_points or result.hints and unknown(spec) not in result.hints
