"""A mistake is named and explained: each is typed by hand, apart from the function that recognises it."""

from __future__ import annotations

import ast
import inspect

import pytest

from kcourse.checks import exercise
from tests.chapters.marking import long_ones_wait, marked, seeds
from tests.chapters.tables import ALL
from tests.promised import PROMISED

MISTAKES: dict[str, dict] = {}  # by exercise: what stands in for each mistake
for _table in ALL:
    for (_name, _mistake), _answer in _table.MISTAKES.items():
        MISTAKES.setdefault(_name, {})[_mistake] = _answer
SLOW = {name for table in ALL for name in table.SLOW}


@pytest.mark.parametrize("name", [long_ones_wait(name, name) for name in MISTAKES])
def test_each_mistake_is_named_with_its_own_hint(name, subtests):
    spec, lost = exercise(name), set()
    told = {mistake.name: mistake for mistake in spec.misconceptions}
    for mistake, answer in MISTAKES[name].items():
        for seed in seeds(name, 1 if name in SLOW else 2):
            with subtests.test(msg=mistake, seed=seed):
                result = marked(name, answer, seed)
                lost |= {i for i, found in enumerate(result.properties) if found.points < found.max_points}
                assert result.misconception == mistake
                assert result.points < spec.points
                assert result.points == PROMISED["points"].get(name, {}).get(mistake, result.points)
                assert result.status == ("partial" if result.points else "failed")
                assert result.hints[0] == told[mistake].hint
                assert result.messages[-2:] == (told[mistake].step, told[mistake].experiment)
    assert 0 in lost, "no mistake fails the first property; ONLY has an answer for each of the others"


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.chapter)
def test_each_mistake_is_typed_without_a_function_of_the_checks(table):
    elsewhere = {(wrong.exercise, wrong.name) for wrong in table.WRONG}
    named = {(spec.name, mistake.name) for spec in table.specs for mistake in spec.misconceptions if mistake.wrong}
    assert named - set(table.MISTAKES) <= elsewhere
    assert set(table.MISTAKES) <= named
    trees = [ast.parse(inspect.getsource(module)) for module in table.modules if "MISTAKES" in vars(module)]
    sources = {node.module for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {source for source in sources if source.startswith("kcourse")} <= {"kcourse.kernels"}
