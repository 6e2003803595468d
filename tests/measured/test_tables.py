"""Two draws of each table again, and every claim of the course beside its chapter."""

from __future__ import annotations

import math

import pytest

from kcourse.lab.measured import read
from tools import measure
from tools.measure import ROOT

STEMS = measure.stems(ROOT)
TABLES = {table.name: (stem, table) for stem in STEMS for table in measure.tables(measure.load(ROOT, stem))}
KINDS = {name: "timed" if table.timed else "slow" if table.slow else "two" for name, (_, table) in TABLES.items()}


@pytest.mark.parametrize("stem", STEMS)
def test_what_a_chapter_measures_is_what_it_says(stem):
    text = (ROOT / "notebooks" / "src" / f"{stem}.py").read_text(encoding="utf-8")
    assert list(measure.faults(ROOT, stem, text)) == []


@pytest.mark.parametrize("name", TABLES, ids=[f"{KINDS[name]}-{name}" for name in TABLES])
def test_two_draws_again(name):
    """The first, and one that the table's name chooses; of what is timed the quickest alone, which must only run."""
    stem, table = TABLES[name]
    stored = read(measure.path_of(ROOT, table))
    draws = table.over[:1] if table.timed else {table.over[0], table.over[1 + len(name) % (len(table.over) - 1)]}
    for draw in draws:
        row = measure.row(ROOT, (stem, name, draw))
        assert list(row) == list(stored.columns)
        if table.timed:
            assert all(map(math.isfinite, row.values())), row
        else:
            assert measure.differs(table, draw, row, stored) == ""


def test_every_table_has_its_function():
    files = {path.stem for path in (ROOT / measure.DATA).glob("*.csv")}
    assert files == set(TABLES)
    assert all(name.startswith(stem.partition("_")[0] + "_") for name, (stem, _) in TABLES.items())
