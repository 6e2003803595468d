"""Read the code cells of a submitted file, whatever happened to its ids, metadata, order or names.

Here a submission is only data. It is parsed as JSON, and its cells are translated from IPython's syntax to Python's.
Nothing in it is executed or compiled outside the sandbox.
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
    "read_answers",
    "read_notebook",
    "recognise_sheet",
]

MAX_FILE = 20_000_000  # bytes: a sheet has about 20 kB, with stored figures a few hundred
TOO_LARGE = f"the file has more than {MAX_FILE // 10**6} MB; clear the outputs and hand in again"
MAX_VALUES = 1_000_000  # numbers, lists and so on: each may need a hundred times the memory of its text
IN_TEXT = "is in a text cell or raw cell, which is not run; in JupyterLab, the key Y makes it a code cell"
MAX_CELLS, MAX_CELL = 2000, 200_000
MAX_CODE = 2_000_000  # characters of all cells together

# These run on a submission outside the sandbox, so they take linear time: they do not backtrack ("*+")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+', re.DOTALL)  # the last string may have no end
_CHECK_ONLY = re.compile(r"\s*+check\s*+\(\s*+\w*+\s*+\)\s*+;?\s*+(?:#.*+)?")
_DEFINES = re.compile(r"^(?:async[ \t]++)?+def[ \t]++(\w++)\s*+\(|^(\w++)[ \t]*+(?::[^=\n]*+)?=[^=]", re.MULTILINE)

_LAMBDA = re.compile(r"^(\w++)[ \t]*+(?::[^=\n]*+)?=[ \t]*+lambda\b", re.MULTILINE)
# a function as in the empty sheet: its docstring and `raise NotImplementedError`
_STUB = re.compile(
    r"def[ \t]++\w++\s*+\([^()]*+\)[^:\n]*+:\s*+(?:#.*+\s*+)*+"
    r'(?:"""(?:[^"\\]|\\.|"(?!""))*+"""\s*+)?+(?:#.*+\s*+)*+raise[ \t]++NotImplementedError\b.*+\s*+(?:#.*+\s*+)*+'
)
_MEASURED = re.compile(r"\A\s*+%%(?:time|timeit|capture|prun)\b.*+\n")  # the rest of the cell is ordinary code
# magics, calls without brackets, and what IPython removes from a pasted cell: indentation and prompts
_MAGIC = re.compile(r"^[ \t]*+[%!?,;/]|\?[ \t]*+$|=[ \t]*+[%!]|\A\s*(?:[ \t]\S|>>>|In \[)", re.MULTILINE)
_EFFORT = 500_000  # characters that IPython may process, the whole cell again for each magic; at most two seconds
_LARGE, _WIDE = 20_000, 500  # characters of a cell and of a line above which IPython is too slow
_AT_THE_MARGIN = re.compile(r"^(?=[%!?])", re.MULTILINE)


class Unreadable(ValueError):
    """The file is not a notebook; the text says why, for the student and the instructor."""


@dataclass(frozen=True)
class Notebook:
    """The content of a submission.

    Attributes
    ----------
    cells : tuple of str
        Python source of the code cells that are executed, in the order of the file.
    numbers : tuple of int
        the number of each of these cells in the file, counted from 1 over all cells.
    defined : dict
        how often each name is defined at the left margin.
    functions : frozenset of str
        names that are defined by ``def`` or as a ``lambda``.
    digest : str
        SHA-256 of the file, which tells whether it was graded before.
    left_out : tuple of int
        numbers of the cells that are too long.
    in_text : frozenset of str
        names that ``def`` defines only in text cells and raw cells, which are not executed.
    python : str
        version of the Python that executed the notebook, for example "3.13.1"; "" if the file does not say.
    """

    cells: tuple[str, ...]
    numbers: tuple[int, ...]
    defined: dict[str, int]
    functions: frozenset[str]
    digest: str
    left_out: tuple[int, ...] = ()
    in_text: frozenset[str] = frozenset()
    python: str = ""


def read_notebook(data: bytes) -> Notebook:
    """Return the code of a notebook file, or raise `Unreadable`."""
    if len(data) > MAX_FILE:
        raise Unreadable(TOO_LARGE)
    if not data.strip():
        raise Unreadable("the file is empty")
    try:
        # also with a byte order mark, and as UTF-16, which some editors call Unicode
        text = data.decode(json.detect_encoding(data), errors="replace")
        if _too_many_values(text):
            raise Unreadable(
                f"the file is too large, with more than {MAX_VALUES:,} values; clear its outputs and save it"
            )
        content = json.loads(text)
    except Unreadable:
        raise
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the file is not a notebook (.ipynb): {_what_it_is(text, error)}") from None
    cells, numbers, left_out, effort, room = [], [], [], _EFFORT, MAX_CODE
    for number, source in _cells(content, "code"):
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
    text = {name for _, source in _cells(content, "markdown", "raw") for name, _ in _DEFINES.findall(source)}
    digest = hashlib.sha256(data).hexdigest()
    return Notebook(
        tuple(cells), tuple(numbers), dict(names), frozenset(functions), digest, tuple(left_out),
        frozenset(text - names.keys() - {""}), _version(content),
    )  # fmt: skip


def _version(content: dict) -> str:
    """Return the version of Python in the metadata, or ""."""
    info = content.get("metadata")
    info = info.get("language_info") if isinstance(info, dict) else None
    version = info.get("version") if isinstance(info, dict) else None
    return version if isinstance(version, str) and re.fullmatch(r"\d{1,3}(\.\d{1,3}){1,2}\w{0,8}", version) else ""


def read_answers(data: bytes, name: str) -> Notebook:
    """Return the code of a notebook, or of a Python file, which counts as one cell; or raise `Unreadable`."""
    if not name.lower().endswith(".py"):
        return read_notebook(data)
    try:
        source = data[: MAX_FILE + 1].decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"the file is not Python in UTF-8 ({error.reason} at byte {error.start})") from None
    return read_notebook(json.dumps({"cells": [{"cell_type": "code", "source": source}]}).encode())


def _what_it_is(text: str, error: Exception) -> str:
    """Return what a text is that is not JSON, and what to do if that is known."""
    if text.startswith("version https://git-lfs"):
        return "it is a pointer of Git LFS; run `git lfs pull` and hand in again"
    if re.search(r"^(<{7}|>{7}) ", text, re.MULTILINE):
        return "it has the conflict markers of Git, <<<<<<< and >>>>>>>; resolve the conflict and hand in again"
    if re.search(r"^(def|import|from) ", text, re.MULTILINE):
        return "it is a Python script; give it a name that ends in .py"
    return f"it is not valid JSON ({str(error)[:100]}); save it in JupyterLab and hand in again"


def _too_many_values(text: str) -> bool:
    """Whether JSON has more values than `MAX_VALUES`, counted before parsing; text in strings does not count."""

    def count(start: int, end: int) -> int:
        return sum(text.count(sign, start, end) for sign in ",:[{")

    many = count(0, len(text))
    strings = _STRING.finditer(text) if many > MAX_VALUES else ()  # pictures do not contain these signs
    for i, string in enumerate(strings):
        many -= count(*string.span())
        if i > MAX_VALUES or many <= MAX_VALUES:
            break
    return many > MAX_VALUES


def _cells(content: Any, *kinds: str) -> Iterable[tuple[int, str]]:
    """Yield (number, source) of each cell of these kinds, for nbformat 4, or 3 with its worksheets."""
    if not isinstance(content, dict):
        raise Unreadable("the file is JSON, but not a notebook")
    cells = content.get("cells")
    if cells is None and isinstance(content.get("worksheets"), list):
        cells = [c for sheet in content["worksheets"] if isinstance(sheet, dict) for c in sheet.get("cells") or []]
    if not isinstance(cells, list):
        raise Unreadable("the file is JSON, but not a notebook: it has no list of cells")
    if len(cells) > MAX_CELLS:
        raise Unreadable(f"the notebook has {len(cells)} cells; at most {MAX_CELLS} are allowed")
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, dict) or cell.get("cell_type") not in kinds:
            continue
        source = cell.get("source", cell.get("input", ""))
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if isinstance(source, str):
            yield number, source.replace("\r\n", "\n").replace("\x00", "")


class _TooMuch(Exception):  # noqa: N818 (it ends an effort and is not an error)
    """IPython has processed enough characters."""


def _to_python(source: str, effort: int) -> tuple[str, int]:
    """Return the cell with magics, ``!commands`` and ``?`` as calls of get_ipython(), and the remaining effort.

    Plain Python does not change. If IPython would take too long, magics at the margin become comments.
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
        except Exception:  # a cell that cannot be split into tokens will be a SyntaxError in the sandbox
            return source, effort
    return _AT_THE_MARGIN.sub("# ", source), effort


def recognise_sheet(notebook: Notebook, *names: str) -> str | None:
    """Return the chapter whose exercises the notebook answers, or None.

    ``names`` are names of the file. A sheet that they name is preferred if the notebook answers any of it; otherwise
    the sheet with most functions in the notebook. A single name that is not a function is not enough.
    """

    def answered(stem: str) -> tuple[int, int]:
        sheet = {spec.name for spec in exercises(stem)}
        return len(sheet & notebook.functions), len(sheet & notebook.defined.keys())

    found = {stem: answered(stem) for stem in CHAPTERS}
    by_name = named_sheet(*names)
    if by_name and any(found[by_name]):
        return by_name
    best = max(found, key=lambda stem: found[stem])
    # a lecture sometimes uses names of another chapter's exercises
    return best if found[best] > ((1, 1) if by_name else (0, 1)) else None


def answered_besides(notebook: Notebook, sheet: str | None) -> dict[str, list[str]]:
    """Return, for all chapters except ``sheet``, the functions of its exercises that the notebook has."""
    found = {c: [s.name for s in exercises(c) if s.name in notebook.functions] for c in CHAPTERS if c != sheet}
    return {chapter: names for chapter, names in found.items() if names}


def answers_nothing(notebook: Notebook, sheet: str) -> bool:
    """Whether no function of a sheet was changed from the empty sheet."""
    return not answered(notebook, sheet)


def answered(notebook: Notebook, sheet: str) -> set[str]:
    """Return the functions of a sheet that are no longer empty stubs."""
    names = {spec.name for spec in exercises(sheet)}
    return {
        name
        for source in notebook.cells
        for found in _DEFINES.finditer(source)
        if (name := found[1] or found[2]) in names and not _is_stub(source, found.start())
    }


def _is_stub(source: str, start: int) -> bool:
    """Whether the definition is still the stub of the sheet, without further lines."""
    stub = _STUB.match(source, start)
    return bool(stub) and (stub.end() == len(source) or source[stub.end() - 1] == "\n")


def named_sheet(*names: str) -> str | None:
    """Return the chapter that one of these file names contains, or None."""
    return next((chapter for chapter in CHAPTERS if any(chapter in name for name in names)), None)


def defined_twice(notebook: Notebook, specs: Iterable[Exercise]) -> list[str]:
    """Return names of exercises that the notebook defines more than once; the last definition counts."""
    return [spec.name for spec in specs if notebook.defined.get(spec.name, 0) > 1]


@lru_cache
def handed_out(sheet: str) -> tuple[str, ...]:
    """Return the cells of the empty sheet in order, if the course's own files are available."""
    path = Path(kcourse.__file__).parents[1] / "exercises" / f"{sheet}_sheet.ipynb"
    return read_notebook(path.read_bytes()).cells if path.is_file() else ()
