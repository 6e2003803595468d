"""Convert docstrings to reStructuredText.

The course writes equations in Unicode, in the symbols of its text: σ, λ, Σ_i α_i k(x, x_i). They stay unchanged, and an
indented block keeps its lines. Sections are NumPy's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TERMS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Other Parameters")
# unchanged: code, names and emphasised words
_LITERAL = re.compile(
    r"(``[^`]+``|`[^`]+`|(?<![\w*])\*\*[^\s*][^*]*\*\*(?![\w*])|(?<![\w*])\*[A-Za-z][^*]*\*(?![\w*]))"
)
_MARKUP = re.compile(r"([*|\\])|(_)(?=\W|$)")


def rst(lines: Sequence[str]) -> list[str]:
    """Return reStructuredText for the lines of a docstring."""
    made: list[str] = []
    for title, body in _sections(lines):
        if title:
            made += [f".. rubric:: {title}", ""]
        made += [*(_terms(body) if title in _TERMS else _prose(body)), ""]
    return made


def _sections(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    title, body = "", []
    rest = iter(range(len(lines)))
    for i in rest:
        if i + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[i + 1].strip()) and lines[i].strip():
            yield title, body
            title, body = lines[i].strip(), []
            next(rest)
        else:
            body.append(lines[i])
    yield title, body


def _terms(lines: Sequence[str]) -> Iterator[str]:
    """Convert ``name : type`` lines with indented descriptions to a definition list."""
    example = False
    for line in lines:
        example = bool(line.strip()) and (example or line.startswith(">>>"))
        if example:  # up to an empty line
            yield line
            continue
        if not line.strip():
            yield ""
            continue
        if line.startswith(" "):
            yield f"    {escaped(line.strip())}"
            continue
        names, colon, kind = line.partition(" : ")
        names = ", ".join(f"``{name}``" for name in names.split(", "))
        yield ""
        yield names + (f" : {escaped(kind)}" if colon else "")
    yield ""


def _prose(lines: Sequence[str]) -> Iterator[str]:
    """Convert paragraphs; a block that is indented more is an equation or code and keeps its lines."""
    block: list[str] = []
    for line in [*lines, ""]:
        if line.strip():
            block.append(line)
            continue
        if block:
            yield from _paragraph(block)
            yield ""
        block = []


def _paragraph(block: list[str]) -> Iterator[str]:
    if block[0].startswith((">>>", "===")):  # an example or a table is already reStructuredText
        yield from block
    elif all(line.startswith("    ") for line in block):
        yield from ("::", "", *block)
    elif block[0].startswith(("- ", "* ", "1. ")):
        for line in block:
            mark, text = re.match(r"(\s*(?:[-*]|\d+\.)?\s*)(.*)", line).groups()  # type: ignore[union-attr]
            yield mark + escaped(text)
    else:
        indented = [i for i, line in enumerate(block) if line.startswith("    ")]
        if indented and indented[0]:  # an equation without an empty line around it
            yield from _paragraph(block[: indented[0]])
            last = next((i for i in range(indented[0], len(block)) if not block[i].startswith("    ")), len(block))
            yield from ("", "::", "", *block[indented[0] : last], "")
            if last < len(block):
                yield from _paragraph(block[last:])
        else:
            yield from (escaped(line.strip()) for line in block)


def escaped(text: str) -> str:
    """Escape all markup in a text except code, names and emphasis."""
    parts = _LITERAL.split(text)  # every second part is literal
    return "".join(part if i % 2 else _MARKUP.sub(r"\\\g<0>", part) for i, part in enumerate(parts))
