"""The errata: each slip has its entry, each entry its proof, and its links lead to where the course has it right."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from tests.rows import each

FOLDER = Path(__file__).resolve().parents[2] / "notebooks"
ERRATA = tomllib.loads((FOLDER / "src" / "coverage.toml").read_text(encoding="utf-8"))["errata"]
ID = re.compile(r"E\d+b?")
PLACES = "*In the course:* "  # what the build begins the last line of an entry with
HEADING = re.compile(r"^#{1,3} +(.+?) *$", re.MULTILINE)

# Entries that no computation can prove, and why. All others have a cell that does.
NOT_COMPUTED = {
    "a name, a date or a reference": {"E67", "E77", "E78", "E85", "E86", "E96"},
    "letters and words; nothing that is computed changes": {"E63", "E69", "E74", "E75", "E90", "E91"},
    "data that are shown, and not used": {"E79"},
}


@cache
def cells(stem: str) -> list[dict]:
    found = json.loads((FOLDER / f"{stem}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [{**cell, "source": "".join(cell["source"])} for cell in found]


def entries() -> dict[str, str]:
    """The text of each entry, by its id, in the order of the notebook."""
    return {
        cell["id"]: cell["source"]
        for cell in cells("errata")
        if cell["cell_type"] == "markdown" and ID.fullmatch(cell["id"])
    }


def proofs() -> dict[str, list[dict]]:
    """For each erratum the cells that prove something of it: their ids name it, as "E05-E06-proof"."""
    found: dict[str, list[dict]] = {}
    for cell in cells("errata"):
        if match := re.fullmatch(r"((?:E\d+b?-)+)proof(-\d)?", cell["id"]):
            for erratum in ID.findall(match[1]):
                found.setdefault(erratum, []).append(cell)
    return found


@cache
def sections(stem: str) -> dict[str, str]:
    """The heading that each cell stands under, as JupyterLab makes an address of it."""
    heading, found = "", {}
    for cell in cells(stem):
        if cell["cell_type"] == "markdown" and (match := HEADING.search(cell["source"])):
            heading = re.sub(r"[*_`]", "", match[1]).replace(" ", "-")
        found[cell["id"]] = heading
    return found


def test_every_erratum_has_one_entry_and_no_entry_is_of_something_else() -> None:
    assert entries().keys() == ERRATA.keys()


@each("erratum", ERRATA)
def test_an_entry_says_what_stands_there_what_is_right_and_where_the_course_has_it(erratum: str) -> None:
    text = entries()[erratum]
    assert text.startswith(f"### {erratum}. ")
    # JupyterLab finds no heading whose address a browser would encode, or whose formulas are set
    assert re.fullmatch(r"[A-Za-z0-9 .,:?'/-]+", HEADING.search(text)[1])
    if "Checked, and right" in HEADING.search(text)[1]:
        assert "**So it is**" in text or erratum == "E08b"
    elif erratum not in {"E69", "E78", "E79", "E85"}:  # no slips, or questions, as they say
        assert re.search(r"\*\*Stands there:\*\*.*\*\*(Is (right|fuller|clearer|better)|Better|The answers):\*\*", text)
    links = re.findall(r"\]\((\w+)\.ipynb#([^)]+)\)", text.rpartition(PLACES)[2])
    expected = [(place.split("#")[0], sections(place.split("#")[0])[place.split("#")[1]]) for place in ERRATA[erratum]]
    assert [(stem, unquote(section)) for stem, section in links] == list(dict.fromkeys(expected))


def test_what_can_be_computed_is_proved_and_the_rest_says_why_not() -> None:
    without = set().union(*NOT_COMPUTED.values())
    assert sum(map(len, NOT_COMPUTED.values())) == len(without)
    assert proofs().keys() == ERRATA.keys() - without
    for erratum, found in proofs().items():
        said = ["".join(o["data"]["text/plain"]) for c in found for o in c["outputs"] if "text/plain" in o["data"]]
        assert "✓" in "".join(said), f"{erratum}: its cells verify nothing"


def test_a_proof_follows_its_entry() -> None:
    ids = [cell["id"] for cell in cells("errata")]
    for erratum, found in proofs().items():
        for cell in found:
            between = ids[ids.index(erratum) + 1 : ids.index(cell["id"])]
            others = [i for i in between if not set(ID.findall(i)) & set(ID.findall(cell["id"]))]
            assert not others, f"between {erratum} and {cell['id']}: {others}"


def test_the_contents_list_every_entry_in_its_place() -> None:
    table = next(cell["source"] for cell in cells("errata") if cell["id"] == "contents")
    listed = re.findall(r"\[(E\d+b?)\]\(", table)
    assert list(dict.fromkeys(listed)) == list(entries())
    assert sorted(listed) == sorted([*ERRATA, "E77"])  # one slip of two sources


def test_links_within_the_errata_lead_to_entries() -> None:
    headings = {section: key for key, section in sections("errata").items() if ID.fullmatch(key)}
    found = re.findall(r"\[([^\]]+)\]\(#([^)]+)\)", "\n".join(c["source"] for c in cells("errata")))
    assert len(found) > len(ERRATA)
    for text, section in found:
        assert headings[unquote(section)] == text


def test_the_table_of_harm_is_of_entries_that_change_a_number() -> None:
    table = next(cell["source"] for cell in cells("errata") if cell["id"] == "harm")
    harmful = set(re.findall(r"\[(E\d+b?)\]\(", table))
    assert len(harmful) >= 10 and harmful <= proofs().keys()


def test_no_deck_is_made_of_it() -> None:
    assert not [cell["id"] for cell in cells("errata") if "slideshow" in cell["metadata"]]


def test_each_entry_says_where_it_stands():
    lost = [erratum for erratum, text in entries().items() if not re.search(r"^\*Where: .+\.\*$", text, re.MULTILINE)]
    assert lost == ["E69"]  # a letter that all five sources share
