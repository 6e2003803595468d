"""A sample of the survey of the dual solver ."""

import pytest

from tests.reference.svm_problems import judge, problem

SMALL = [(first, 120) for first in range(0, 300, 50)]
LARGE = [pytest.param(first, 3000, marks=pytest.mark.weekly) for first in range(1000, 1300, 50)]


@pytest.mark.parametrize(("first", "most"), [*SMALL, *LARGE])
def test_problems_of_every_kind_end_and_end_right(first, most):
    for seed in range(first, first + 50):
        p = problem(seed, most)
        assert judge(p) == [], p.name
