"""The glossary is one table, in the start page's cell "glossary": readers, tests and the site have it from there."""

from __future__ import annotations

from typing import NamedTuple

HEAD = ("English", "français", "español", "chapter")


class Term(NamedTuple):
    """A row of the table."""

    english: str
    french: str
    spanish: str
    chapter: int


def terms(markdown: str) -> list[Term]:
    """The rows of the table in the cell's text; ValueError for one that is none."""
    head, rule, *rows = (_cells(line) for line in markdown.splitlines() if line.startswith("|"))
    if tuple(head) != HEAD or set("".join(rule)) != {"-"}:
        raise ValueError(f"the glossary's columns are {', '.join(head)}, and should be {', '.join(HEAD)}")
    for row in rows:
        if len(row) != len(HEAD) or not all(row) or not row[-1].isdecimal():
            raise ValueError(f"no row of the glossary, which has three terms and a chapter's number: {' | '.join(row)}")
    return [Term(*words, int(number)) for *words, number in rows]


def table(rows: list[tuple[str, ...]]) -> str:
    """The same columns as Markdown."""
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
