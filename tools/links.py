"""Links that the build adds to chapters and errata.

"chapter 5" in a lecture becomes a link, once in each section, if that lecture exists. The plan of a lecture links what
an hour is enough for, and what a first reading can skip. In the errata, "E22" becomes a link to that entry. Each entry
ends with links to the sections that correct it, which ``coverage.toml`` lists.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import quote

from tools.lint import CODE_SPAN
from tools.source import Source, read

ERRATA = "errata"  # the stem of the notebook, and the table of coverage.toml

# Unchanged: code, formulas, headings, HTML tags and existing links.
KEPT = re.compile(
    CODE_SPAN.pattern + r"|\$[^$]+\$|^#+ [^\n]*|<[^>]*>|!?\[[^\]]*\]\([^)]*\)|[Cc]hapter (?P<number>\d+[a-z]?)\b",
    re.DOTALL | re.MULTILINE,
)
HEADING = re.compile(r"^#{1,2} ", re.MULTILINE)
STEM = re.compile(r"ch0?(\d+)([a-z]?)_")


def lectures(root: Path) -> list[str]:
    """Return the stems of all chapters' lectures, in order."""
    return sorted(path.stem for path in (root / "notebooks" / "src").glob("ch*_*.py"))


def link_chapters(source: Source, root: Path) -> None:
    """Link mentions of other chapters; a chapter with several lectures is linked at the first."""
    homes: dict[str, str] = {}
    for stem in lectures(root):
        if match := STEM.match(stem):
            homes.setdefault(match[1] + match[2], stem)
            homes.setdefault(match[1], stem)
    seen = {source.stem}
    for cell in source.markdown_cells():
        if HEADING.search(CODE_SPAN.sub("", cell.node.source)):
            seen = {source.stem}

        def link(match: re.Match[str], seen: set[str] = seen) -> str:
            stem = homes.get(match["number"] or "")
            if stem is None:
                seen.update(stem for stem in homes.values() if f"({stem}.ipynb" in match[0])
                return match[0]
            if stem in seen:
                return match[0]
            seen.add(stem)
            return f"[{match[0]}]({stem}.ipynb)"

        if cell.numbers != "free":  # bibliographies mention chapters of other books
            cell.node.source = KEPT.sub(link, cell.node.source)


WAYS = {"hour": "**In one hour**, read {}. This is enough for the first exercises.",
        "later": "**A first reading can skip** {}."}  # fmt: skip


def link_plan(source: Source) -> None:
    """Append to the plan, which says how long the reading takes, links to the sections with the tags of ``WAYS``."""
    said = ""
    for tag, sentence in WAYS.items():
        cells = [c for c in source.markdown_cells() if tag in c.node.metadata.get("tags", [])]
        links = [f"[{match[2]}]({anchor(match[2])})" for c in cells if (match := SECTION.match(c.node.source))]
        if links:
            said += " " + sentence.format(" and ".join(filter(None, (", ".join(links[:-1]), links[-1]))))
    for cell in source.markdown_cells():
        if said and "**Reading:**" in cell.node.source:
            cell.node.source += f"\n\n{said.strip()}"


# ---------------------------------------------------------------- the errata

ERRATUM = re.compile(KEPT.pattern.rpartition("|")[0] + r"|\b(?P<id>E\d+b?)\b", KEPT.flags)
SECTION = re.compile(r"^(#{1,3}) +(.+?) *$", re.MULTILINE)


def repairs(root: Path) -> dict[str, list[tuple[str, str]]]:
    """Return erratum → the sections that correct it, as (stem, heading); ("place", "") for an unknown cell."""
    file = root / "notebooks" / "src" / "coverage.toml"
    placed = tomllib.loads(file.read_text(encoding="utf-8")).get(ERRATA, {}) if file.exists() else {}
    sections = cache(lambda stem: _sections(root, stem))
    found = {}
    for erratum, places in placed.items():
        where = (
            (stem, sections(stem).get(key, ""), place) for place in places for stem, _, key in [place.partition("#")]
        )
        found[erratum] = list(
            dict.fromkeys((stem, heading) if heading else (place, "") for stem, heading, place in where)
        )
    return found


def _sections(root: Path, stem: str) -> dict[str, str]:
    """Return cell id → the heading above the cell, for a lecture."""
    heading, found = "", {}
    path = root / "notebooks" / "src" / f"{stem}.py"
    for cell in read(path, root).cells if path.is_file() else ():
        if not cell.is_code and (match := SECTION.search(CODE_SPAN.sub("", cell.node.source))):
            heading = match[2]
        found[cell.node.id] = heading
    return found


def anchor(heading: str) -> str:
    """Return the address of a heading within its notebook, as JupyterLab makes it."""
    return "#" + quote(re.sub(r"[*_`]", "", heading).replace(" ", "-"), safe="/?:,;=!$&'+@~")


def name_sections(source: Source) -> None:
    """Put the encoded name into headings that have one, because JupyterLab does not decode the name in a link."""
    for cell in source.markdown_cells():
        match = SECTION.match(cell.node.source)
        if match and match[1] != "#" and re.search(r"[%$]", name := anchor(match[2])[1:]):
            cell.node.source = f'{match[0]}<span id="{name}"></span>{cell.node.source[match.end() :]}'


def link_errata(source: Source, root: Path) -> None:
    """Link mentions of errata to their entries, and each entry to the sections of the course that correct it."""
    entries = {cell.node.id: cell for cell in source.markdown_cells()}
    headings = {id: match[2] for id, cell in entries.items() if (match := SECTION.search(cell.node.source))}
    where = repairs(root)
    for cell in source.markdown_cells():

        def link(match: re.Match[str], own: str = cell.node.id) -> str:
            id = match["id"]
            known = id in where and id in headings and id != own
            return f"[{id}]({anchor(headings[id])})" if known else match[0]

        cell.node.source = ERRATUM.sub(link, cell.node.source)
    for id, sections in where.items():
        if id not in entries:
            source.complain(1, f"{id} of coverage.toml has no entry. Add a text cell with key={id!r}")
        elif lost := [place for place, heading in sections if not heading]:
            source.complain(entries[id].line, f"coverage.toml places {id} at {', '.join(lost)}, which is not a cell")
        else:
            entries[id].node.source += "\n\n*In the course:* " + "; ".join(map(_where, sections)) + "."


def _where(place: tuple[str, str]) -> str:
    stem, heading = place
    match = STEM.match(stem)
    name = f"chapter {match[1]}{match[2]}" if match else "start page"
    return f"[{name}, *{heading.replace('*', '')}*]({stem}.ipynb{anchor(heading)})"
