"""The sheets' own solutions, changed in one place: which of them have full points, and none by luck of the seed.

``equivalent_mutants.txt`` lists the changes with full points, by exercise: they make the same program, or one as right
by what the task says, with the reason where that is not plain. A failure shows what is new.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest

from kcourse.checks import exercises
from tests.chapter_choice import CHAPTERS
from tests.conftest import WEEKLY
from tools.mistakes import changed, seeds_passed, solution

SEEDS = 10 if WEEKLY else 3
# of svm_train, whose spoilt loops have no other end than a count, never more
FEW = {"svm_train": 2}
QUICK = ("parzen_density", "rkhs_norm2", "canonical", "paired_report")  # the others wait
LONG = ("rbf_network", "spectrum_cv", "stream_ridge", "svm_train")  # minutes
SHORTER = {"svm_train": ("range(5000)", "range(800)")}  # and the first of its problems is done in 300

TEXT = Path(__file__).with_name("equivalent_mutants.txt").read_text(encoding="utf-8")
# "# knn_regress", and below it the changed lines; a reason stands behind " ## "
SAME = {
    name: {line.partition(" ## ")[0] for line in lines.splitlines() if line}
    for name, lines in re.findall(r"^# (\w+)\n(.*?)(?=^# |\Z)", TEXT, re.M | re.S)
}
# what rounding decides, and not the inputs
NOW_AND_THEN = {line.partition(" ## ")[0] for line in TEXT.splitlines() if " ## now and then: " in line}


def rows() -> list:
    """The exercises of the chosen chapters, each with the suite that it belongs to."""
    suites = {name: () for name in QUICK} | dict.fromkeys(LONG, pytest.mark.weekly)
    chosen = [spec for spec in exercises() if spec.chapter in CHAPTERS]
    return [pytest.param(spec, marks=suites.get(spec.name, pytest.mark.slow), id=spec.name) for spec in chosen]


@pytest.mark.parametrize("spec", rows())
def test_a_changed_solution_passes_on_all_seeds_or_on_none(spec):
    text, names = solution(spec)
    text = text.replace(*SHORTER.get(spec.name, ("", "")))
    seeds = [spec.cases(seed) for seed in range(min(SEEDS, FEW.get(spec.name, SEEDS)))]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        passed = {line: seeds_passed(spec, other, names, seeds) for line, other in changed(text)}
    same = SAME.get(spec.name, set())
    by_luck = {line: count for line, count in passed.items() if 0 < count < len(seeds)}
    assert by_luck.keys() <= NOW_AND_THEN & same, "draw inputs until these pass on no seed"
    assert same - NOW_AND_THEN <= {line for line, count in passed.items() if count} <= same, (
        "a change has full points: is it the same program? Then it belongs in equivalent_mutants.txt"
    )
