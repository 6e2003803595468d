"""Whoever makes a slip is told that slip: each is typed by hand, apart from the function that recognises it."""

from __future__ import annotations

import ast
import inspect

import pytest

from kcourse.checks import exercise
from tests.chapters.marking import marked
from tests.chapters.tables import ALL

ROWS = [(name, slip, answer) for table in ALL for (name, slip), answer in table.TYPED.items()]
SLOW = {name for table in ALL for name in table.SLOW}


@pytest.mark.parametrize(("name", "slip", "answer"), ROWS, ids=[f"{row[0]}-{row[1]}" for row in ROWS])
def test_who_makes_the_slip_is_told_so(name, slip, answer):
    for seed in range(1 if name in SLOW else 2):
        result = marked(name, answer, seed)
        assert (seed, result.misconception) == (seed, slip)
        assert result.points < exercise(name).points


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.chapter)
def test_each_slip_is_typed(table):
    elsewhere = {(wrong.exercise, wrong.name) for wrong in table.WRONG}
    named = {(spec.name, slip.name) for spec in table.specs for slip in spec.misconceptions if slip.wrong}
    assert named - set(table.TYPED) <= elsewhere
    assert set(table.TYPED) <= named


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.chapter)
def test_what_is_typed_asks_no_function_of_the_checks(table):
    trees = [ast.parse(inspect.getsource(module)) for module in table.modules if "TYPED" in vars(module)]
    sources = {node.module for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {source for source in sources if source.startswith("kcourse")} <= {"kcourse.kernels"}
