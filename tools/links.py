"""Turn "chapter 5" in a lecture's prose into a link to it: once in each section, as soon as that lecture exists."""

from __future__ import annotations

import re
from pathlib import Path

from tools.lint import CODE_SPAN
from tools.source import Source

# What is left as it is: code, formulas, headings, HTML tags, and what is a link already.
KEPT = re.compile(
    CODE_SPAN.pattern + r"|\$[^$]+\$|^#+ [^\n]*|<[^>]*>|!?\[[^\]]*\]\([^)]*\)|[Cc]hapter (?P<number>\d+[a-z]?)\b",
    re.DOTALL | re.MULTILINE,
)
HEADING = re.compile(r"^#{1,2} ", re.MULTILINE)
STEM = re.compile(r"ch0?(\d+)([a-z]?)_")


def lectures(root: Path) -> list[str]:
    """The stems of all lectures of chapters, in their order."""
    return sorted(path.stem for path in (root / "notebooks" / "src").glob("ch*_*.py"))


def link_chapters(source: Source, root: Path) -> None:
    """Link what the prose says of other chapters; of one with several lectures, the first."""
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

        if cell.numbers != "free":  # bibliographies have other books' chapters
            cell.node.source = KEPT.sub(link, cell.node.source)
