"""A sample of the survey of the dual solver ."""

import numpy as np
import pytest

from kcourse.dual import certify
from tests.reference.svm_problems import faults, judge, problem

SMALL = [(first, 120) for first in range(0, 300, 50)]
LARGE = [pytest.param(first, 3000, marks=pytest.mark.weekly) for first in range(1000, 1300, 50)]


@pytest.mark.parametrize(("first", "most"), [*SMALL, *LARGE])
def test_problems_of_every_kind_end_and_end_right(first, most):
    for seed in range(first, first + 50):
        p = problem(seed, most)
        assert judge(p) == [], p.name


def test_the_survey_sees_what_is_wrong():
    p = next(p for p in map(problem, range(100)) if p.is_svc and 20 < len(p.X) < 200)
    K, beta = p.kernel(p.X), np.zeros(len(p.X))
    nothing = certify(K, beta, p.p, *p.box)
    assert any("no rounding" in fault for fault in faults(p, K, nothing, ""))
    assert any("no warning" in fault for fault in faults(p, K, nothing, ""))
    assert any("is called rounding" in fault for fault in faults(p, K, nothing, "rounding hides the rest"))
    beta[0] = 0.5 * p.p[0] * p.C[0]
    lopsided = certify(K, beta, p.p, *p.box)
    assert any("infeasible" in fault for fault in faults(p, K, lopsided, ""))
