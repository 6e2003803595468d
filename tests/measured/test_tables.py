"""Every claim of the course beside its chapter, and one draw of each chapter; `make measure --check` repeats all."""

from __future__ import annotations

import pytest

from kcourse.lab.measured import read
from tests.chapter_choice import is_chosen
from tools import measure
from tools.measure import ROOT

STEMS = measure.stems(ROOT)
TABLES = {stem: measure.tables(measure.load(ROOT, stem)) for stem in STEMS}
CHOSEN = pytest.mark.parametrize("stem", list(filter(is_chosen, STEMS)))


@CHOSEN
def test_what_a_chapter_measures_is_what_it_says(stem):
    text = (ROOT / "notebooks" / "src" / f"{stem}.py").read_text(encoding="utf-8")
    assert list(measure.faults(ROOT, stem, text)) == []


@CHOSEN
def test_a_draw_again(stem):
    """The first draw of the chapter's first quick table: the library must give the numbers that it gave."""
    table = next((table for table in TABLES[stem] if not (table.timed or table.slow)), None)
    if table is None:
        pytest.skip("each of its tables is slow or timed")
    stored, draw = read(measure.path_of(ROOT, table)), table.over[0]
    row = measure.row(ROOT, (stem, table.name, draw))
    assert list(row) == list(stored.columns)
    assert measure.differs(table, draw, row, stored) == ""


def test_every_table_has_its_function():
    names = {table.name: stem for stem, tables in TABLES.items() for table in tables}
    assert {path.stem for path in (ROOT / measure.DATA).glob("*.csv")} == set(names)
    assert all(name.startswith(stem.partition("_")[0] + "_") for name, stem in names.items())
