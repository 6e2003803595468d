"""Judging has no clock beside it: whatever an answer returns, it is judged within a second."""

from __future__ import annotations

import functools
import time
import warnings

import numpy as np
import pytest

from kcourse.checks import exercises
from kcourse.checks.judge import judge
from kcourse.execution.calls import Outcome
from kcourse.execution.codec import plain
from tests.timeouts import scaled


def nested(value, depth):
    for _ in range(depth):
        value = [value] * (2 if depth == 13 else 1)
    return value


VALUES = {  # as they come out of the sandbox, or as a notebook has them
    "a long list": [1] * 60_000,
    "a long tuple": (0.5,) * 60_000,
    "rows": [[1.0] * 300] * 200,
    "a long column": [[1.0]] * 50_000,
    "a deep list": nested(1.0, 18),
    "a branching list": nested(1.0, 13),
    "a deeper list": nested(1.0, 40),
    "ragged": [[1.0] * (i % 3) for i in range(30_000)],
    "objects": np.array([None] * 50_000),
    "fractions": np.array([1] * 50_000, dtype=object),
    "huge numbers": [10**5000] * 1000,
    "a huge number": 10**5000,
    "words": ["abc"] * 50_000,
    "a text": "x" * 1_000_000,
    "two long lists": ([1.0] * 60_000, [2.0] * 60_000),
    "a large array": np.ones(180_000),
    "a large matrix": np.ones((400, 400)),
    "complex numbers": [1 + 1j] * 60_000,
    "complex numbers that are real": [1 + 0j] * 60_000,
    "no numbers": [float("nan")] * 60_000,
}
FILLED = {"1e308": 1e308, "-1e308": -1e308, "NaN": np.nan, "the least": 5e-324, "infinity": np.inf, "three": 3}


@functools.cache
def crossed(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return plain(VALUES[name])


def filled(value, number):
    """A right answer with this number for all of its own."""
    return tuple(filled(v, number) for v in value) if isinstance(value, tuple) else np.full(np.shape(value), number)


@pytest.mark.parametrize("spec", [
    pytest.param(spec, marks=pytest.mark.slow if i % 4 != 1 else (), id=spec.name)
    for i, spec in enumerate(exercises())
])  # fmt: skip
def test_judging_takes_no_second_and_gives_no_points(spec):
    cases = spec.cases(5)
    right = [spec.answer(*case.args) for case in cases]
    given = {name: [crossed(name)] * len(cases) for name in VALUES}
    given |= {name: [filled(value, number) for value in right] for name, number in FILLED.items()}
    slow = {}
    for name, values in given.items():
        start = time.process_time()
        result = judge(spec, cases, [Outcome(value=value) for value in values], reveal=False)
        slow[name] = time.process_time() - start
        assert result.points < result.max_points and result.hints, name
    assert {name: seconds for name, seconds in slow.items() if seconds > scaled(1)} == {}
