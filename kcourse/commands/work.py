"""The reader's own copies of chapters and sheets, in ``my_work``, so that running the course changes nothing in git.

``lay_out`` copies missing files, notebooks without the lecturer's notes, and updates files that the reader has not
changed. A file that the reader has changed is never overwritten. Only the text of the cells counts as a change: not
outputs, numbers or ids, and not empty cells, which Shift+Enter leaves at the end.

- A file that the reader deleted or renamed is copied again: this is how to get a fresh sheet.
- A new version of a changed file is saved next to it, once, as ``name_new.ipynb``.
- A file that the course no longer has stays where it is.

On a hub the course may be one read-only folder for everybody; then each student's copies are in another folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import itertools
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from kcourse.base.files import locked, write_whole

WORK = "my_work"
START = "notebooks/00_start_here.ipynb"
FOLDERS = ("notebooks", "exercises")  # with their data, without their sources
STATE = ".kcourse.json"  # for each file: the copied version, the versions next to it, and the last of these


class DamagedError(ValueError):
    """A file that ends in .ipynb and is not a notebook."""


def find_course(folder: Path) -> Path | None:
    """Return the nearest folder, from ``folder`` upwards, that holds the course and not its copies."""
    holders = (p for p in (folder, *folder.parents) if (p / START).is_file())
    return next((p for p in holders if not _is_copy(p)), None)


def _is_copy(folder: Path) -> bool:
    return (folder / STATE).is_file() or (folder.name == WORK and (folder.parent / START).is_file())


def grader_is_installed() -> bool:
    """Whether the grader's package is installed, which students do not have; a plain folder does not count."""
    spec = importlib.util.find_spec("kcourse_grader")
    return spec is not None and spec.origin is not None


def course_here(start: Path | None) -> Path | None:
    """Return the course around ``start`` or this folder; print a sentence and return None if it is not found."""
    course = find_course(start or Path.cwd())
    if course is None:
        print(
            f"kcourse: no {START} here or in a folder above. Change into the folder of the course first.",
            file=sys.stderr,
        )
    return course


def lay_out(course: Path, say: Callable[[str], None] = print, into: Path | None = None) -> Path:
    """Copy the course to ``my_work``, or to the folder ``into``, or update the copies; return the folder.

    Raises
    ------
    ValueError
        if ``into`` is the course, or lies in it and is not ``my_work``.
    OSError
        if a file cannot be written; no file is left incomplete.
    """
    work = course / WORK if into is None else into.resolve()
    if work.is_relative_to(course.resolve()) and work != (course / WORK).resolve():
        raise ValueError(f"the copies cannot be in {work}, which is in the course itself. Choose another folder")
    if not work.exists():
        work.mkdir(parents=True, exist_ok=True)
        say(f"Your own copies of chapters and sheets are in {work.name}. Write there, not in the course itself.")
    with locked(work / ".kcourse.lock", "kcourse lab", lambda holder: say(f"Waiting for another kcourse ({holder})")):
        state = _read_state(work / STATE)
        before = json.dumps(state)
        try:
            for name in _files(course):
                try:
                    said = _refresh(course, work, name, state.setdefault(name, {}))
                except (FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError) as error:
                    why = error.strerror or error
                    said = f"{work.name}/{name} cannot be written ({why}). Move away what is in its place."
                if said:
                    say(said)
        finally:
            if json.dumps(state) != before:
                write_whole(work / STATE, json.dumps(state, indent=1).encode())
    return work


def _files(course: Path) -> Iterator[str]:
    for folder in FOLDERS:
        for path in sorted((course / folder).rglob("*")):
            parts = path.relative_to(course).parts
            if path.is_file() and "src" not in parts and not any(part.startswith((".", "__")) for part in parts):
                yield "/".join(parts)


def _read_state(path: Path) -> dict[str, dict]:
    """Return which versions were copied; {} if that cannot be read. Then each file that differs counts as changed."""
    try:
        state = json.loads(path.read_bytes())
        return {name: _known(entry) for name, entry in state.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def _known(entry: dict) -> dict:
    beside = entry.get("beside")
    return {**entry, "beside": beside if isinstance(beside, dict) else {}}


def _refresh(course: Path, work: Path, name: str, known: dict) -> str | None:
    """Copy or replace one file, save a new version next to it, or leave it; return what the reader must know."""
    original, copy = course / name, work / name
    try:
        content = _for_students(original)
        new = _digest(content, original)
    except DamagedError:
        return f"{name} in the course is damaged, perhaps by a merge. To restore it: git checkout HEAD {name}"
    try:
        mine = _digest(copy.read_bytes(), copy) if copy.exists() else None
    except (DamagedError, OSError):
        what_then = "It was not changed. To get a fresh copy, rename it and open the course again."
        return f"{work.name}/{name} cannot be read. {what_then}"
    laid = known.get("laid")
    if mine == new:
        known["laid"] = new
    elif mine is None or mine == laid:
        write_whole(copy, content)
        known["laid"] = new
    elif new not in (laid, known.get("offered")):
        beside = _lay_beside(content, copy, new, known.setdefault("beside", {}))
        known["offered"] = new
        which = "A new version of" if laid else "The course's version of"  # unknown which version was copied
        return f"{which} {name} is now next to yours, as {beside.name}. Yours was not changed."
    return None


def _lay_beside(content: bytes, copy: Path, new: str, known: dict[str, str]) -> Path:
    """Write a version to the first ``_new`` name that is free, or whose file is an unchanged earlier version."""
    for n in itertools.count(1):
        beside = copy.with_name(f"{copy.stem}_new{n if n > 1 else ''}{copy.suffix}")
        try:
            there = _digest(beside.read_bytes(), beside) if beside.exists() else None
        except (DamagedError, OSError):
            continue
        if there in (None, new, known.get(beside.name)):
            if there != new:
                write_whole(beside, content)
            known[beside.name] = new
            return beside
    raise AssertionError("there is always another name")


def is_note(cell: dict) -> bool:
    """Whether a cell of a notebook is a lecturer's note."""
    return cell["metadata"].get("slideshow", {}).get("slide_type") == "notes"


def _for_students(path: Path) -> bytes:
    """Return a file; a notebook without the lecturer's notes, and with what JupyterLab adds when it is opened."""
    content = path.read_bytes()
    try:
        notebook = json.loads(content)
        cells, metadata = [cell for cell in notebook["cells"] if not is_note(cell)], notebook["metadata"]
        bare = metadata.get("language_info") == {"name": "python"}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):  # not a notebook
        return content
    if bare and importlib.util.find_spec("ipykernel"):
        from ipykernel.ipkernel import IPythonKernel

        metadata["language_info"] = IPythonKernel.language_info
    elif cells == notebook["cells"]:
        return content
    return (json.dumps(notebook | {"cells": cells}, indent=1, ensure_ascii=False) + "\n").encode()


def _digest(content: bytes, path: Path) -> str:
    """Return a hash of a notebook's text, or of any other file's bytes."""
    if path.suffix == ".ipynb":
        try:
            cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(content)["cells"]]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DamagedError(str(path)) from error
        content = json.dumps([cell for cell in cells if cell[1].strip()]).encode()
    return hashlib.sha256(content).hexdigest()
