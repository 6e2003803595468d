"""The start page keeps its promises: terms are defined where it says, questions answered, chapters on the map."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.glossary import Term, terms

ROOT = Path(__file__).resolve().parents[2]
START = (ROOT / "notebooks" / "src" / "00_start_here.py").read_text(encoding="utf-8")
CHAPTERS = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "notebooks" / "src").glob("ch*.py")}


def part(key: str) -> str:
    """The source of the cell with this key."""
    return re.split(r"^# %%", START.split(f'key="{key}"')[1], flags=re.MULTILINE)[0]


GLOSSARY = terms("\n".join(line.removeprefix("# ") for line in part("glossary").splitlines()))


def written(number: str | int) -> list[str]:
    """The sources of the lectures of a chapter, which may have two parts."""
    return [text for stem, text in CHAPTERS.items() if int(re.match(r"ch(\d+)", stem)[1]) == int(number)]


@pytest.mark.parametrize("row", GLOSSARY, ids=lambda row: row.english)
def test_a_term_of_the_glossary_is_defined_in_its_chapter(row: Term) -> None:
    term, *_, chapter = row
    prose = " ".join(line.removeprefix("#").strip() for text in written(chapter) for line in text.splitlines())
    # a term stands in italics or in bold where it is defined; a plural or a longer phrase counts
    emphasised = rf"\*[^*]{{0,40}}{re.escape(term)}[^*]{{0,40}}\*"
    assert re.search(emphasised, prose), f"{term!r} is not emphasised in chapter {chapter}"


@pytest.mark.parametrize("row", GLOSSARY, ids=lambda row: row.english)
def test_no_earlier_chapter_defines_it(row: Term) -> None:
    term, *_, chapter = row
    earlier = {
        stem: " ".join(line.removeprefix("#").strip() for line in text.splitlines())
        for stem, text in CHAPTERS.items()
        if int(re.match(r"ch(\d+)", stem)[1]) < chapter
    }
    there = [stem for stem, prose in earlier.items() if re.search(rf"\*{re.escape(term)}s?\*", prose)]
    # chapter 1 has kernels of another kind, and says so under "A word with two meanings"
    assert there == (["ch01_neighbors"] if term == "kernel" else [])


def test_terms_are_in_the_order_of_their_chapters() -> None:
    numbers = [row.chapter for row in GLOSSARY]
    assert numbers == sorted(numbers)
    terms = [re.sub(r" \(.*\)", "", row.english) for row in GLOSSARY]
    assert len(set(terms)) == len(terms), "a term is defined once"
    assert {int(re.match(r"ch(\d+)", stem)[1]) for stem in CHAPTERS} == set(numbers)


@pytest.mark.parametrize("row", ["| a | b | 3 |", "| a |  | c | 3 |", "| a | b | c | three |"])
def test_a_row_that_is_none_is_named_and_not_left_out(row: str) -> None:
    with pytest.raises(ValueError, match="no row of the glossary"):
        terms(f"{part('glossary').replace('# |', '|')}\n{row}")


def test_the_self_test_asks_about_every_chapter_and_links_those_that_exist() -> None:
    asked = re.findall(r"<summary>(\d+)\. ", part("self-test"))
    assert asked == [str(i) for i in range(1, 11)]
    for number in asked:
        answer = part("self-test").split(f"<summary>{number}. ")[1].split("</details>")[0]
        assert ("](ch" in answer) == bool(written(number)), number


def test_an_answer_of_the_self_test_names_sections_that_exist() -> None:
    for stem, sections in re.findall(r"\]\((ch\w+)\.ipynb\), (.*?)\.\)", part("self-test"), flags=re.DOTALL):
        for section in re.findall(r"\*([^*]+)\*", sections.replace("\n# ", " ")):
            assert f"# ## {section}\n" in CHAPTERS[stem], (stem, section)


def test_the_map_has_hours_for_the_chapters_that_exist() -> None:
    boxes = re.findall(r"Chapter\((.*?)\)(?=,\n)", part("chapters-map"), flags=re.DOTALL)
    assert len(boxes) == 10
    for box in boxes:
        number = re.match(r'\s*"(\d+)"', box)[1]
        assert (" h" in box) == bool(written(number)), number
