"""The errata: each mistake has its entry, each entry its proof, and its links lead to where the course has it right."""

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
HEADING = re.compile(r"^#{1,3} +(.+?)(?:<span [^>]+></span>)? *$", re.MULTILINE)

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


CELLS = cells("errata")
TEXTS = {cell["id"]: cell["source"] for cell in CELLS}
ENTRIES = {key: text for key, text in TEXTS.items() if ID.fullmatch(key)}  # in the order of the notebook
PROOFS: dict[str, list[dict]] = {}  # the cells that prove it: their ids name it, as "E05-E06-proof"
for proof in CELLS:
    if named := re.fullmatch(r"((?:E\d+b?-)+)proof(-\d)?", proof["id"]):
        for key in ID.findall(named[1]):
            PROOFS.setdefault(key, []).append(proof)


@cache
def sections(stem: str) -> dict[str, str]:
    """The heading that each cell stands under, as JupyterLab makes an address of it."""
    heading, found = "", {}
    for cell in cells(stem):
        if cell["cell_type"] == "markdown" and (match := HEADING.search(cell["source"])):
            heading = re.sub(r"[*_`]", "", match[1]).replace(" ", "-")
        found[cell["id"]] = heading
    return found


def test_what_can_be_computed_is_proved_and_the_rest_says_why_not() -> None:
    without = set().union(*NOT_COMPUTED.values())
    assert sum(map(len, NOT_COMPUTED.values())) == len(without)
    assert PROOFS.keys() == ERRATA.keys() - without
    for erratum, found in PROOFS.items():
        said = ["".join(o["data"]["text/plain"]) for c in found for o in c["outputs"] if "text/plain" in o["data"]]
        assert "✓" in "".join(said), f"{erratum}: its cells verify nothing"


def test_a_proof_follows_its_entry() -> None:
    ids = list(TEXTS)
    for erratum, found in PROOFS.items():
        for cell in found:
            between = ids[ids.index(erratum) + 1 : ids.index(cell["id"])]
            others = [i for i in between if not set(ID.findall(i)) & set(ID.findall(cell["id"]))]
            assert not others, f"between {erratum} and {cell['id']}: {others}"


def test_the_contents_list_every_entry_in_its_place() -> None:
    listed = re.findall(r"\[(E\d+b?)\]\(", TEXTS["contents"])
    assert list(dict.fromkeys(listed)) == list(ENTRIES)
    assert sorted(listed) == sorted([*ERRATA, "E77"])  # one mistake of two sources


@each("erratum", ERRATA)
def test_an_entry_says_where_a_mistake_stands_and_where_the_course_has_it_right(erratum: str) -> None:
    text = ENTRIES[erratum]
    assert text.startswith(f"### {erratum}. ")
    assert re.search(r"^\*Where: .+\.\*$", text, re.MULTILINE) or erratum == "E69"  # a letter that all five share
    # JupyterLab finds no heading whose address a browser would encode, or whose formulas are set
    assert re.fullmatch(r"[A-Za-z0-9 .,:?'/-]+", HEADING.search(text)[1])
    links = re.findall(r"\]\((\w+)\.ipynb#([^)]+)\)", text.rpartition(PLACES)[2])
    places = [place.split("#") for place in ERRATA[erratum]]
    expected = [(stem, sections(stem)[key]) for stem, key in places]
    assert [(stem, unquote(section)) for stem, section in links] == list(dict.fromkeys(expected))


def test_links_within_the_errata_lead_to_entries_and_harm_has_a_proof() -> None:
    assert ENTRIES.keys() == ERRATA.keys()
    headings = {section: key for key, section in sections("errata").items() if key in ENTRIES}
    for text, section in re.findall(r"\[([^\]]+)\]\(#([^)]+)\)", "\n".join(TEXTS.values())):
        assert headings[unquote(section)] == text
    assert set(re.findall(r"\[(E\d+b?)\]\(", TEXTS["harm"])) <= PROOFS.keys()
