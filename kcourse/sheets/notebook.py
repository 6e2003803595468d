"""From a submitted file to code cells: whatever happened to ids, metadata, order or names.

A submission is data here. It is parsed as JSON and its cells are translated from IPython's syntax to Python's;
nothing of it is executed or compiled outside the sandbox.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import kcourse
from kcourse.checks import CHAPTERS, Exercise, exercises

__all__ = [
    "Notebook",
    "Unreadable",
    "answered",
    "answered_besides",
    "answers_nothing",
    "defined_twice",
    "handed_out",
    "named_sheet",
    "read_notebook",
    "recognise_sheet",
]

MAX_FILE = 20_000_000  # bytes: a sheet is about 20 kB, with figures stored a few hundred
MAX_VALUES = 1_000_000  # numbers, lists and so on: each may take a hundred times the memory of its text
MAX_CELLS, MAX_CELL = 2000, 200_000
MAX_CODE = 2_000_000  # characters of all cells together

# What runs on a submission outside the sandbox is linear in it, so these neither overlap nor go back ("*+")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)  # the last may have no end
_CHECK_ONLY = re.compile(r"\s*+check\s*+\(\s*+\w*+\s*+\)\s*+;?\s*+(?:#.*+)?")
_DEFINES = re.compile(r"^(?:async[ \t]++)?+def[ \t]++(\w++)\s*+\(|^(\w++)[ \t]*+(?::[^=\n]*+)?=[^=]", re.MULTILINE)

_LAMBDA = re.compile(r"^(\w++)[ \t]*+(?::[^=\n]*+)?=[ \t]*+lambda\b", re.MULTILINE)
# a function as sheets hand it out: its docstring, and that it is not written yet
_STUB = re.compile(
    r"def[ \t]++\w++\s*+\([^()]*+\)[^:\n]*+:\s*+(?:#.*+\s*+)*+"
    r'(?:"""(?:[^"\\]|\\.|"(?!""))*+"""\s*+)?+(?:#.*+\s*+)*+raise[ \t]++NotImplementedError\b.*+\s*+(?:#.*+\s*+)*+'
)
_MEASURED = re.compile(r"\A\s*+%%(?:time|timeit|capture|prun)\b.*+\n")  # what follows is the notebook's own code
# magics, calls without brackets, and what IPython takes off a pasted cell: its margin, and prompts
_MAGIC = re.compile(r"^[ \t]*+[%!?,;/]|\?[ \t]*+$|=[ \t]*+[%!]|\A\s*(?:[ \t]\S|>>>|In \[)", re.MULTILINE)
_EFFORT = 500_000  # characters that IPython may look at, the whole cell again for each magic; two seconds at most
_LARGE, _WIDE = 20_000, 500  # characters of a cell and of a line, from which on IPython takes for ever
_AT_THE_MARGIN = re.compile(r"^(?=[%!?])", re.MULTILINE)


class Unreadable(ValueError):
    """The file is no notebook; the text says why, for the student and the instructor."""


@dataclass(frozen=True)
class Notebook:
    """What a submission says.

    Attributes
    ----------
    cells : tuple of str
        Python source of the code cells that are executed, in the order of the file.
    numbers : tuple of int
        which cell of the file each of them is, counted from 1 over all cells, as a reader counts.
    defined : dict
        how many times each name is defined at the left margin.
    functions : frozenset of str
        those that are defined by ``def`` or as a ``lambda``.
    digest : str
        SHA-256 of the file: whether a submission is the one that was graded before.
    left_out : tuple of int
        numbers of the cells that are too long.
    """

    cells: tuple[str, ...]
    numbers: tuple[int, ...]
    defined: dict[str, int]
    functions: frozenset[str]
    digest: str
    left_out: tuple[int, ...] = ()


def read_notebook(data: bytes) -> Notebook:
    """Return the code of a notebook file, or raise `Unreadable`."""
    if len(data) > MAX_FILE:
        raise Unreadable(f"the file has {len(data) / 1e6:.0f} MB; at most {MAX_FILE / 1e6:.0f} MB are read")
    if not data.strip():
        raise Unreadable("the file is empty")
    try:
        # with a mark of byte order, and as UTF-16, which is what some editors call Unicode
        text = data.decode(json.detect_encoding(data), errors="replace")
        if _too_many_values(text):
            raise Unreadable(
                f"the file has more than {MAX_VALUES:,} numbers, lists, lines and so on; clear its outputs and save it"
            )
        content = json.loads(text)
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        why = f"it is not valid JSON ({str(error)[:100]})"
        raise Unreadable(f"the file is not a notebook (.ipynb): {why}") from None
    cells, numbers, left_out, effort, room = [], [], [], _EFFORT, MAX_CODE
    for number, source in _code_cells(content):
        if not source.strip() or all(_CHECK_ONLY.fullmatch(line) for line in source.splitlines() if line.strip()):
            continue
        if len(source) > min(MAX_CELL, room):
            left_out.append(number)
            continue
        room -= len(source)
        source = _MEASURED.sub("", source)
        if _MAGIC.search(source):
            source, effort = _to_python(source, effort)
        cells.append(source)
        numbers.append(number)
    found = [pair for source in cells for pair in _DEFINES.findall(source)]
    names = Counter(a or b for a, b in found)
    functions = {a for a, _ in found if a}.union(*map(_LAMBDA.findall, cells))
    digest = hashlib.sha256(data).hexdigest()
    return Notebook(tuple(cells), tuple(numbers), dict(names), frozenset(functions), digest, tuple(left_out))


def _too_many_values(text: str) -> bool:
    """Whether JSON has more values than `MAX_VALUES`, counted before any is made: what is in strings is none."""

    def count(start: int, end: int) -> int:
        return sum(text.count(sign, start, end) for sign in ",:[{")

    many = count(0, len(text))
    strings = _STRING.finditer(text) if many > MAX_VALUES else ()  # pictures have none of these signs
    for i, string in enumerate(strings):
        many -= count(*string.span())
        if i > MAX_VALUES or many <= MAX_VALUES:
            break
    return many > MAX_VALUES


def _code_cells(content: Any) -> Iterable[tuple[int, str]]:
    """(number, source) of each code cell, of nbformat 4, or of 3 with its worksheets."""
    if not isinstance(content, dict):
        raise Unreadable("the file is JSON, but not a notebook")
    cells = content.get("cells")
    if cells is None and isinstance(content.get("worksheets"), list):
        cells = [c for sheet in content["worksheets"] if isinstance(sheet, dict) for c in sheet.get("cells") or []]
    if not isinstance(cells, list):
        raise Unreadable("the file is JSON, but not a notebook: it has no list of cells")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"the notebook has {len(cells)} cells; at most {MAX_CELLS} are read")
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input", ""))
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if isinstance(source, str):
            yield number, source.replace("\r\n", "\n").replace("\x00", "")


class _TooMuch(Exception):  # noqa: N818 (it ends an effort, no error)
    """IPython has looked at enough."""


def _to_python(source: str, effort: int) -> tuple[str, int]:
    """IPython's magics, ``!commands`` and ``?`` as calls of get_ipython(), and what is left of the effort.

    Python is left as it is. Where IPython would take too long, magics at the margin become comments.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    class Manager(TransformerManager):
        def do_one_token_transform(self, lines: list[str]) -> tuple[bool, list[str]]:
            nonlocal effort
            effort -= sum(map(len, lines))
            if effort < 0:
                raise _TooMuch
            return super().do_one_token_transform(lines)

    if effort > 0 and len(source) <= _LARGE and max(map(len, source.splitlines())) <= _WIDE:
        try:
            return Manager().transform_cell(source), effort
        except _TooMuch:
            pass
        except Exception:  # what cannot even be cut into tokens will be a SyntaxError inside
            return source, effort
    return _AT_THE_MARGIN.sub("# ", source), effort


def recognise_sheet(notebook: Notebook, *names: str) -> str | None:
    """Return the chapter whose exercises the notebook answers; None if none.

    Files are called by ``names``: a sheet that is named there and is answered at all, otherwise the one of which most
    functions are there. A name that is no function says something beside a second one only.
    """

    def answered(stem: str) -> tuple[int, int]:
        sheet = {spec.name for spec in exercises(stem)}
        return len(sheet & notebook.functions), len(sheet & notebook.defined.keys())

    found = {stem: answered(stem) for stem in CHAPTERS}
    by_name = named_sheet(*names)
    if by_name and any(found[by_name]):
        return by_name
    best = max(found, key=lambda stem: found[stem])
    # a lecture has names of another chapter's exercises now and then
    return best if found[best] > ((1, 1) if by_name else (0, 1)) else None


def answered_besides(notebook: Notebook, sheet: str | None) -> dict[str, list[str]]:
    """Chapter → the functions of its exercises that the notebook has, for all but its own ``sheet``."""
    found = {c: [s.name for s in exercises(c) if s.name in notebook.functions] for c in CHAPTERS if c != sheet}
    return {chapter: names for chapter, names in found.items() if names}


def answers_nothing(notebook: Notebook, sheet: str) -> bool:
    """Whether nothing was written into any function of a sheet: those that are there are as they were handed out."""
    return not answered(notebook, sheet)


def answered(notebook: Notebook, sheet: str) -> set[str]:
    """The functions of a sheet into which something was written."""
    names = {spec.name for spec in exercises(sheet)}
    return {
        name
        for source in notebook.cells
        for found in _DEFINES.finditer(source)
        if (name := found[1] or found[2]) in names and not _is_stub(source, found.start())
    }


def _is_stub(source: str, start: int) -> bool:
    """Whether the definition there does nothing: no line stands in its body behind what was handed out."""
    stub = _STUB.match(source, start)
    return bool(stub) and (stub.end() == len(source) or source[stub.end() - 1] == "\n")


def named_sheet(*names: str) -> str | None:
    """The chapter that one of these names of files names."""
    return next((chapter for chapter in CHAPTERS if any(chapter in name for name in names)), None)


def defined_twice(notebook: Notebook, specs: Iterable[Exercise]) -> list[str]:
    """Names of exercises that the notebook defines more than once: the last one counts."""
    return [spec.name for spec in specs if notebook.defined.get(spec.name, 0) > 1]


@lru_cache
def handed_out(sheet: str) -> tuple[str, ...]:
    """The cells of a sheet as it is handed out, in their order, where the course's own files are at hand."""
    path = Path(kcourse.__file__).parents[1] / "exercises" / f"{sheet}_sheet.ipynb"
    return read_notebook(path.read_bytes()).cells if path.is_file() else ()
