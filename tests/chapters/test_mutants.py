"""The sheets' own solutions, changed in one place: which of them have full points, and none by luck of the seed.

``same.txt`` lists the changes with full points, by exercise: they make the same program, or one as right by what the
task says, with the reason where that is not plain. ``make slips STEMS=…`` prints what is new.
"""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from kcourse.checks import exercises
from tools.slips import changed, seeds_passed, solution

WEEKLY = os.environ.get("HYPOTHESIS_PROFILE") == "weekly"
# of what takes minutes, ten once a week; of svm_train, whose spoilt loops have no other end than a count, never more
SEEDS, FEW = 10, {"svm_train": 2} | ({} if WEEKLY else {"spectrum_cv": 3, "stream_ridge": 4})
SHORTER = {"svm_train": ("range(5000)", "range(800)")}  # and the first of its problems is done in 300

TEXT = Path(__file__).with_name("same.txt").read_text(encoding="utf-8")
# "# knn_regress", and below it the changed lines; a reason stands behind " ## "
SAME = {
    name: {line.partition(" ## ")[0] for line in lines.splitlines() if line}
    for name, lines in re.findall(r"^# (\w+)\n(.*?)(?=^# |\Z)", TEXT, re.M | re.S)
}
# what rounding decides, and not the inputs
NOW_AND_THEN = {line.partition(" ## ")[0] for line in TEXT.splitlines() if " ## now and then: " in line}


@pytest.mark.parametrize("spec", exercises(), ids=lambda spec: spec.name)
def test_a_changed_solution_passes_on_all_seeds_or_on_none(spec):
    text, names = solution(spec)
    text = text.replace(*SHORTER.get(spec.name, ("", "")))
    seeds = [spec.cases(seed) for seed in range(FEW.get(spec.name, SEEDS))]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        passed = {line: seeds_passed(spec, other, names, seeds) for line, other in changed(text)}
    same = SAME.get(spec.name, set())
    by_luck = {line: count for line, count in passed.items() if 0 < count < len(seeds)}
    assert by_luck.keys() <= NOW_AND_THEN & same, "draw inputs until these pass on no seed"
    assert same - NOW_AND_THEN <= {line for line, count in passed.items() if count} <= same, "is it the same program?"


def test_every_line_belongs_to_an_exercise():
    assert set(SAME) <= {spec.name for spec in exercises()}
