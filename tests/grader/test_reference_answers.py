"""What a right answer may be asked, out here."""

import itertools
import time
import tracemalloc

import numpy as np
import pytest

from kcourse.checks import exercises
from kcourse_grader.marking.grade import hidden_cases
from kcourse_grader.marking.reference_answers import ReferenceAnswers
from kcourse_grader.sandbox.inside.job import QUESTIONS
from tests.chapter_choice import is_chosen
from tests.rows import each
from tests.timeouts import scaled

SPECS = {spec.name: spec for spec in exercises()}


def right(name):
    return ReferenceAnswers({name: (SPECS[name], hidden_cases(name, 3))})


NAMES = sorted(name for name, spec in SPECS.items() if is_chosen(spec.chapter))
# numbers, matrices, texts, graphs, what iterates: one of each kind in `make test`
KINDS = {"krr_fit", "spectrum_kernel", "wl_kernel", "smo_pair", "gp_posterior", "knn_regress"}


def test_each_right_answer_answers_its_own_inputs(subtests):
    for name in NAMES:
        with subtests.test(msg=name):
            asked = right(name)
            for case in hidden_cases(name, 3)[:2]:
                asked(name, list(case.args))
            assert asked.asked == {name} and not asked.refused


HUGE = {
    "no columns": np.zeros((24_000, 0)),
    "a long column": np.zeros((5000, 1)),
    "a large square": np.eye(3000),
    "many dimensions": np.zeros((1,) * 9),
    "no numbers": "K",
    "not finite": np.full((3, 3), np.nan),
    "a long list": [0.1] * 50_000,
}


ROWS = [pytest.param(name, marks=() if name in KINDS else pytest.mark.slow) for name in NAMES]


@pytest.mark.parametrize("name", ROWS)
def test_nobody_makes_it_large_or_slow(name):
    """Whatever stands in for one of its arguments."""
    case, faults = hidden_cases(name, 3)[0], []
    for (what, value), i in itertools.product(HUGE.items(), range(len(case.args))):
        asked = right(name)
        tracemalloc.start()
        start = time.process_time()
        try:
            asked(name, [value if j == i else arg for j, arg in enumerate(case.args)])
            answered = not isinstance(value, str)
        except Exception:
            answered = not asked.refused and not np.ndim(value)
        slow = time.process_time() - start > scaled(5)
        large = tracemalloc.get_traced_memory()[1] > 200e6
        tracemalloc.stop()
        if answered or slow or large:
            faults.append((what, i, {"answered": answered, "slow": slow, "large": large}))
    assert faults == []


def test_there_is_an_end_of_questions():
    asked = right("krr_fit")
    args = list(hidden_cases("krr_fit", 3)[0].args)
    with pytest.raises(ValueError, match="too many"):
        for _ in range(QUESTIONS + 1):
            asked("krr_fit", args)
    assert asked.refused


@each(("name", "args"), [
    ("spectrum_kernel", ["abc" * 10_000, "abc", 2]),
    ("spectrum_kernel", [["abc"], "abc", 2]),
    ("spectrum_kernel", ["abc", "abc", 10**9]),
    ("wl_kernel", [([(0, 1)] * 100_000, "CC"), ([(0, 1)], "CC"), 1]),
    ("wl_kernel", [([(0, 1)], "CC"), ([(0, 1)], "CC"), 10**9]),
    ("wl_kernel", [([(0, 1)], "CC", 3), ([(0, 1)], "CC"), 1]),
])  # fmt: skip
def test_strings_and_graphs_are_held_to_what_the_sheet_asks(name, args):
    asked = right(name)
    with pytest.raises(ValueError):
        asked(name, args)
    assert asked.refused


def test_lists_do_for_tuples_as_they_come_out_of_the_sandbox():
    chain, ring = [[[0, 1], [1, 2]], "CCC"], [[[0, 1], [1, 2], [2, 0]], "CCC"]
    assert right("wl_kernel")("wl_kernel", [chain, ring, 1]) == 12
    assert right("spectrum_kernel")("spectrum_kernel", ["banana", "ananas", 2]) == 8
