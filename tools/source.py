"""Read an author's source (jupytext py:percent) into notebook cells that remember their line numbers.

Header keys such as ``key="loo-shortcut"`` become a cell id, slide metadata or a folded input. An id comes from the key
or from the text, never from the position, so inserting a cell changes no other cell.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import jupytext
import nbformat
import nbformat.v4
from nbformat import NotebookNode

# Comments stay comments; otherwise jupytext would read "# cat is a name" as a magic command.
FORMAT = {"extension": ".py", "format_name": "percent", "comment_magics": False}
HEADER = re.compile(r"\s*#\s*%%+(\s|$)")  # what jupytext reads as the start of a cell
# In prose: the text for the slide, invisible to readers.
DECK_TEXT = re.compile(r"\n*<!-- slide\b(?P<text>.*?)-->\s*\Z", re.DOTALL)
GLUED_HEADER = re.compile(r"#\s*%%(\[|\w+\s*=)")  # "# %%key=…": jupytext would read it as text or a magic
KEY = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # nbformat's rule for cell ids
SLIDES = ("slide", "subslide", "fragment", "skip", "notes")
JUPYTEXT_KEYS = {"cell_marker", "lines_to_next_cell", "lines_to_end_of_cell_marker"}

# As JupyterLab writes it, but without the version of Python, which differs between authors.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


@dataclass(frozen=True, order=True)
class Problem:
    """A fault that an author must fix."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass
class Cell:
    """A cell of the product, with the line number of its text and the keys that only the build uses."""

    node: NotebookNode
    line: int
    exercise: str = ""
    check: str = ""
    numbers: str = ""

    @property
    def is_code(self) -> bool:
        return self.node.cell_type == "code"


@dataclass
class Source:
    """A source file: ``path`` as messages print it, cells in order, and the problems found so far."""

    path: str
    cells: list[Cell] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def stem(self) -> str:
        return Path(self.path).stem

    @property
    def is_sheet(self) -> bool:
        return self.path.startswith("solutions/")

    def complain(self, line: int, message: str) -> None:
        self.problems.append(Problem(self.path, line, message))

    def code_cells(self) -> Iterator[Cell]:
        return (cell for cell in self.cells if cell.is_code)

    def markdown_cells(self) -> Iterator[Cell]:
        return (cell for cell in self.cells if not cell.is_code)

    def notebook(self) -> NotebookNode:
        """A fresh notebook, not executed."""
        cells = [nbformat.from_dict(cell.node) for cell in self.cells]  # from_dict copies
        for cell in cells:
            if cell.metadata.get("jupyter", {}).get("source_hidden"):
                cell.source += "\n# folded"  # kcourse.lab.verify cannot know it otherwise
        metadata = nbformat.from_dict(NOTEBOOK_METADATA)
        return nbformat.v4.new_notebook(cells=cells, metadata=metadata, nbformat_minor=5)


def read(path: Path, root: Path) -> Source:
    """Read a source file; faults of its headers are in ``problems``."""
    source = Source(path.relative_to(root).as_posix())
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if GLUED_HEADER.match(line):
            source.complain(number, "a space is missing after '# %%'")
    try:
        raw_cells = jupytext.reads("\n".join(lines) + "\n", fmt=FORMAT).cells
    except nbformat.ValidationError as error:  # such as tags="wide" instead of a list
        wrong = (n for n in _like_headers(lines) if str(error.instance) in lines[n - 1])
        source.complain(next(wrong, 1), f"not valid in a notebook: {error.message}")
        return source
    headers = _header_lines(raw_cells, lines)
    if headers is None:
        source.complain(1, "text above the first '# %%' line needs a cell header")
        return source
    for raw, header in zip(raw_cells, headers, strict=True):
        raw.source = raw.source.strip("\n")
        source.cells.append(_cell(source, raw, header, _text_line(raw.source, header, lines)))
    _set_ids(source)
    return source


def _header_lines(raw_cells: list[NotebookNode], lines: list[str]) -> list[int] | None:
    """Return the line of each cell's header, which jupytext does not give; None if a cell has no header."""
    candidates = _like_headers(lines)
    headers = []
    for raw in raw_cells:
        if not candidates:
            return None
        headers.append(candidates.pop(0))
        # a header-like line inside a string or a fence belongs to the cell's text
        inside = [line for line in raw.source.split("\n") if HEADER.match(line) or HEADER.match(f"# {line}")]
        del candidates[: len(inside)]
    return None if candidates else headers


def _like_headers(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines, start=1) if HEADER.match(line)]


def _text_line(text: str, header: int, lines: list[str]) -> int:
    first = text.split("\n")[0].strip()
    return next((n for n in range(header + 1, len(lines) + 1) if first in lines[n - 1]), header)


def _cell(source: Source, raw: NotebookNode, header: int, line: int) -> Cell:
    keys = {key: value for key, value in raw.metadata.items() if key not in JUPYTEXT_KEYS}
    if raw.cell_type == "code":
        cell = Cell(nbformat.v4.new_code_cell(raw.source), line)
    else:
        deck = DECK_TEXT.search(raw.source)
        cell = Cell(nbformat.v4.new_markdown_cell(raw.source[: deck.start()] if deck else raw.source), line)
        if deck:
            cell.node.metadata["kcourse"] = {"slide": deck["text"].strip()}
        elif "<!-- slide" in raw.source:
            source.complain(line, "the text for the slide, <!-- slide … -->, must be at the end of its cell")
        if raw.cell_type != "markdown":
            source.complain(header, "only code cells and [markdown] cells are allowed")
    cell.node.id = ""  # for _set_ids
    metadata = cell.node.metadata

    if "tags" in keys:
        metadata["tags"] = keys.pop("tags")
    if "key" in keys:
        cell.node.id = str(keys.pop("key"))
        if not KEY.fullmatch(cell.node.id):
            source.complain(header, f"key={cell.node.id!r}: use at most 64 letters, digits, '-' and '_'")
    if "slide" in keys:
        metadata["slideshow"] = {"slide_type": keys.pop("slide")}
        if metadata["slideshow"]["slide_type"] not in SLIDES:
            source.complain(header, f"slide={metadata['slideshow']['slide_type']!r}: use {', '.join(SLIDES)}")
    if "hide" in keys:
        if keys.pop("hide") != "input" or not cell.is_code:
            source.complain(header, 'the only value is hide="input", on a code cell')
        metadata["jupyter"] = {"source_hidden": True}
        metadata["tags"] = [*metadata.get("tags", []), "hide-input"]
    if "numbers" in keys and not source.is_sheet and not cell.is_code:
        cell.numbers = str(keys.pop("numbers"))
        if cell.numbers != "free":
            source.complain(header, f'numbers={cell.numbers!r}: the only value is "free"')
    if source.is_sheet and cell.is_code:
        cell.exercise = str(keys.pop("exercise", ""))
        cell.check = str(keys.pop("check", ""))
    for key, value in keys.items():
        if key == "incorrectly_encoded_metadata":
            source.complain(header, f'cannot read {value!r}. Write key="value" with quotes')
        else:
            kind = "sheet" if source.is_sheet else "lecture"
            source.complain(header, f"unknown key {key!r} on a {raw.cell_type} cell of a {kind}")
    return cell


def _set_ids(source: Source) -> None:
    """Set the ids: the key, else the name that the grader uses, else a digest of the text."""
    keyed: dict[str, int] = {}
    repeats: Counter[str] = Counter()
    for cell in source.cells:
        # graded cells of a sheet keep their id when the solution's text changes
        cell.node.id = cell.node.id or cell.exercise or (cell.check and f"check-{cell.check}")
        if not cell.node.id:
            text = f"{cell.node.cell_type}\n{cell.node.source}"
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            repeats[digest] += 1
            cell.node.id = digest if repeats[digest] == 1 else f"{digest}-{repeats[digest]}"
        elif cell.node.id in keyed:
            first = keyed[cell.node.id]
            source.complain(cell.line, f"duplicate key {cell.node.id!r}, first used at line {first}")
        else:
            keyed[cell.node.id] = cell.line
