"""The glossary: the lecture that a row links is the first that defines its term, or the first that uses it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rows import each

SOURCES = Path(__file__).resolve().parents[2] / "notebooks" / "src"
PROSE = {
    path.stem: " ".join(line.removeprefix("#").strip() for line in path.read_text(encoding="utf-8").splitlines())
    for path in SOURCES.glob("ch*.py")
}
TEXT = {
    path.stem: " ".join(re.findall(r"^#(?! %%)(.*)", path.read_text(encoding="utf-8"), flags=re.MULTILINE))
    for path in sorted(SOURCES.glob("ch*.py"))
}
ROW = re.compile(r"# \| ([^|]+) \| ([^|]+) \| ([^|]+) \| (from )?\[(\d+[a-z]?)\]\((\w+)\.ipynb\) \|")
HEAD, _, *LINES = re.findall(r"^# \|.*$", (SOURCES / "glossary.py").read_text(encoding="utf-8"), flags=re.MULTILINE)
ROWS = [match.groups() for line in LINES if (match := ROW.fullmatch(line))]


def test_each_row_has_three_terms_and_a_link_and_they_are_in_the_order_of_the_alphabet() -> None:
    assert HEAD == "# | English | français | español | chapter |"
    assert [line for line in LINES if not ROW.fullmatch(line)] == []
    assert [f"{term} {number}" for term, _, _, _, number, stem in ROWS if not re.match(f"ch0?{number}_", stem)] == []
    order = [re.sub(r"\W", "", term).lower() for term, *_ in ROWS]
    assert order == sorted(set(order)), "a term is defined once, and found where the alphabet has it"
    assert {int(re.match(r"ch(\d+)", stem)[1]) for *_, stem in ROWS} == set(range(1, 11))


@each("row", [row for row in ROWS if row[3]], ids=lambda row: row[0])
def test_a_term_without_a_definition_is_linked_where_it_is_first_used(row: tuple[str, ...]) -> None:
    term, *_, stem = row
    used = [name for name, text in TEXT.items() if re.search(rf"\b{re.escape(term)}(s|es)?\b", text, re.IGNORECASE)]
    assert used[:1] == [stem]


@each("row", [row for row in ROWS if not row[3]], ids=lambda row: row[0])
def test_a_term_is_defined_in_its_lecture_and_in_none_before(row: tuple[str, ...]) -> None:
    term, *_, stem = row
    # a term stands in italics or in bold where it is defined; a plural or a longer phrase counts
    assert re.search(rf"\*[^*]{{0,40}}{re.escape(term)}[^*]{{0,40}}\*", PROSE[stem]), f"not emphasised in {stem}"
    before = [name for name in sorted(PROSE) if int(name[2:4]) < int(stem[2:4])]
    there = [name for name in before if re.search(rf"\*{re.escape(term)}s?\*", PROSE[name])]
    # chapter 1 has kernels of another kind, and says so under "The general form: one coefficient per point"
    assert there == (["ch01_neighbors"] if term == "kernel" else [])
