"""Whoever makes a slip is told that slip: each is typed by hand, apart from the function that recognises it."""

from __future__ import annotations

import ast
import inspect
from importlib import import_module

import pytest

from kcourse.checks import CHAPTERS, exercise, exercises, run
from tests.chapters.tables import ALL

TABLES = {stem: import_module(f"tests.chapters.{stem}.typed") for stem in CHAPTERS}
ROWS = [(name, slip, answer) for table in TABLES.values() for (name, slip), answer in table.TYPED.items()]
SLOW = {name for table in ALL for name in table.SLOW}


@pytest.mark.parametrize(("name", "slip", "answer"), ROWS, ids=[f"{row[0]}-{row[1]}" for row in ROWS])
def test_who_makes_the_slip_is_told_so(name, slip, answer):
    for seed in range(1 if name in SLOW else 2):
        result = run(name, answer, seed)
        assert (seed, result.misconception) == (seed, slip)
        assert result.points < exercise(name).points


@pytest.mark.parametrize("stem", CHAPTERS)
def test_each_slip_is_typed(stem):
    [table] = [table for table in ALL if table.chapter == stem]
    elsewhere = {(wrong.exercise, wrong.name) for wrong in table.WRONG}
    named = {(spec.name, slip.name) for spec in exercises(stem) for slip in spec.misconceptions if slip.wrong}
    assert named - set(TABLES[stem].TYPED) <= elsewhere
    assert set(TABLES[stem].TYPED) <= named


@pytest.mark.parametrize("stem", CHAPTERS)
def test_what_is_typed_asks_no_function_of_the_checks(stem):
    tree = ast.parse(inspect.getsource(TABLES[stem]))
    sources = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {source for source in sources if source.startswith("kcourse")} <= {"kcourse.kernels"}
