"""Whole clones: a student hands in the folder of the course, including the files of the course itself.

A file of the course is recognised by its content: a notebook with the same code as one of the course's own is not an
answer, whatever its name and however often it was run. A clone may be of another version of the course, so the folder
also counts: ``my_work`` before the rest, ``solutions`` last.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path, PurePosixPath

import kcourse
from kcourse.checks import CHAPTERS
from kcourse.sheets.notebook import Notebook, Unreadable, answered, read_notebook

__all__ = [
    "SHEETS",
    "WORK",
    "as_handed_out",
    "copy_number",
    "is_clone",
    "own_bytes",
    "own_code",
    "place",
    "says_something",
]

WORK = "my_work"
SHEETS = "exercises"
_FOLDERS = ("notebooks", SHEETS, "solutions")
_OTHERS = {"00_start_here", "errata", "glossary"}  # notebooks of the course that are not lectures
_COPY = re.compile(
    r"(?:-(\d{1,9})| ?\((\d{1,9})\))$"
)  # "sheet-2", "sheet (2)": numbers that platforms and browsers append
_NEW = re.compile(r"_new\d*$")  # the name that `kcourse lab` gives a new version of a changed file


def copy_number(stem: str) -> tuple[str, int]:
    """Return a file's name and the number of the copy: ("sheet", 2) for "sheet-2" and "sheet (2)"."""
    match = _COPY.search(stem[-20:])
    return (stem[: len(stem) - len(match[0])].rstrip(), int(match[1] or match[2])) if match else (stem, 0)


def is_clone(paths: Iterable[PurePosixPath]) -> bool:
    """Whether files at these paths, relative to a student's folder, are those of a whole clone."""
    return any(WORK in path.parts[:-1] or _is_lecture(path) for path in paths)


def place(path: PurePosixPath) -> int:
    """Return the priority of a path in a clone: answers with a larger number are preferred."""
    if _is_lecture(path):
        return 0
    if "solutions" in path.parts[:-1]:
        return 1
    return 3 if WORK in path.parts[:-1] else 2


def says_something(notebook: Notebook, sheet: str, path: PurePosixPath) -> bool:
    """Whether a notebook in a clone answers anything that the course's own lecture of this name does not."""
    found = answered(notebook, sheet)
    return bool(found - _lecture_functions(_stem(path)) if _is_lecture(path) else found)


def own_bytes(size: int) -> bool:
    """Whether a notebook of the course has this size, so that calling `as_handed_out` makes sense."""
    return size in {each for each, _ in _files()}


def as_handed_out(data: bytes, path: PurePosixPath) -> list[str]:
    """Return the folders of the course that contain this file, byte for byte."""
    return [f for f in _files().get((len(data), hashlib.sha256(data).hexdigest()), ()) if _is_own(f, path)]


def own_code(notebook: Notebook, path: PurePosixPath) -> list[str]:
    """Return the folders of the course with a notebook that has these code cells; outputs and text are ignored."""
    return [folder for folder in _FOLDERS if notebook.cells in _cells(folder) and _is_own(folder, path)]


def _is_own(folder: str, path: PurePosixPath) -> bool:
    """Whether the file is the course's own; a solution counts only in its folder, elsewhere it is an answer."""
    return folder != "solutions" or path.parent.name == "solutions"


def _stem(path: PurePosixPath) -> str:
    return _NEW.sub("", path.stem)


def _is_lecture(path: PurePosixPath) -> bool:
    return path.parent.name == "notebooks" and (_stem(path) in CHAPTERS or _stem(path) in _OTHERS)


def _notebooks(folder: str) -> list[Path]:
    """Return the course's own notebooks, if its files are available."""
    return sorted((Path(kcourse.__file__).parents[1] / folder).glob("*.ipynb"))


@lru_cache
def _files() -> dict[tuple[int, str], tuple[str, ...]]:
    """Return size and digest of each notebook of the course, with the folders that contain it."""
    found: dict[tuple[int, str], tuple[str, ...]] = {}
    for folder in _FOLDERS:
        for path in _notebooks(folder):
            data = path.read_bytes()
            key = (len(data), hashlib.sha256(data).hexdigest())
            found[key] = (*found.get(key, ()), folder)
    return found


@lru_cache
def _cells(folder: str) -> frozenset[tuple[str, ...]]:
    """Return the code of each of the course's notebooks in a folder, except those without code."""
    return frozenset(cells for path in _notebooks(folder) if (cells := _read(path)))


@lru_cache
def _lecture_functions(stem: str) -> frozenset[str]:
    path = Path(kcourse.__file__).parents[1] / "notebooks" / f"{stem}.ipynb"
    try:
        return read_notebook(path.read_bytes()).functions
    except (OSError, Unreadable):
        return frozenset()


def _read(path: Path) -> tuple[str, ...]:
    try:
        return read_notebook(path.read_bytes()).cells
    except Unreadable:  # perhaps damaged by a merge
        return ()
