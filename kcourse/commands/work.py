"""The reader's own copies of chapters and sheets, in ``my_work``: to open and run the course leaves git nothing to see.

``lay_out`` copies what is not there and brings up to date what nobody has written in; whatever somebody wrote in is
never touched. To run a chapter is not to write in it: what counts is the text of its cells, not outputs, numbers or
identities, and not empty cells, which Shift+Enter leaves at the end.

- A file that the reader deleted or renamed is laid out again: that is how to get a fresh sheet.
- A new version of a file in which the reader wrote is laid beside it, once, as ``name_new.ipynb``.
- A file that the course no longer has stays where it is.

On a hub the course may be one folder for all, which nobody writes to; then each student's copies lie elsewhere.
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
STATE = ".kcourse.json"  # for each file: which version was laid out, which ones beside it, which of those came last


class DamagedError(ValueError):
    """A file that ends in .ipynb and is no notebook."""


def find_course(folder: Path) -> Path | None:
    """The nearest folder, from ``folder`` upwards, that holds the course; copies of it are not meant."""
    holders = (p for p in (folder, *folder.parents) if (p / START).is_file())
    return next((p for p in holders if not _is_copy(p)), None)


def _is_copy(folder: Path) -> bool:
    return (folder / STATE).is_file() or (folder.name == WORK and (folder.parent / START).is_file())


def grader_is_installed() -> bool:
    """Whether the grader's package is here, which students do not have; a folder of that name is none."""
    spec = importlib.util.find_spec("kcourse_grader")
    return spec is not None and spec.origin is not None


def course_here(start: Path | None) -> Path | None:
    """The course around ``start`` or this folder; None, and a sentence, if there is none."""
    course = find_course(start or Path.cwd())
    if course is None:
        print(
            f"kcourse: no {START} here or in a folder above. Change into the folder of the course first.",
            file=sys.stderr,
        )
    return course


def lay_out(course: Path, say: Callable[[str], None] = print, into: Path | None = None) -> Path:
    """Lay out ``my_work``, or the folder ``into``, and bring it up to date; returns the folder.

    Raises
    ------
    ValueError
        for an ``into`` that is the course, or lies in it and is not ``my_work``.
    OSError
        if a file cannot be written; every file is whole.
    """
    work = course / WORK if into is None else into.resolve()
    if work.is_relative_to(course.resolve()) and work != (course / WORK).resolve():
        raise ValueError(f"the copies cannot lie in {work}, which is in the course itself: name another folder")
    if not work.exists():
        work.mkdir(parents=True, exist_ok=True)
        say(
            f"Your own copies of chapters and sheets are in {work.name}: write there, the course itself stays as it is."
        )
    with locked(work / ".kcourse.lock", "kcourse lab", lambda holder: say(f"Waiting for another kcourse ({holder})")):
        state = _read_state(work / STATE)
        before = json.dumps(state)
        try:
            for name in _files(course):
                try:
                    said = _refresh(course, work, name, state.setdefault(name, {}))
                except (FileExistsError, NotADirectoryError, IsADirectoryError, PermissionError) as error:
                    why = error.strerror or error
                    said = f"{work.name}/{name} cannot be laid out ({why}): see what stands in its way."
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
    """What was laid out; nothing if that cannot be read. Then each file that differs counts as written in."""
    try:
        state = json.loads(path.read_bytes())
        return {name: _known(entry) for name, entry in state.items()}
    except (OSError, ValueError, AttributeError, RecursionError):
        return {}


def _known(entry: dict) -> dict:
    beside = entry.get("beside")
    return {**entry, "beside": beside if isinstance(beside, dict) else {}}


def _refresh(course: Path, work: Path, name: str, known: dict) -> str | None:
    """Copy one file, replace it, lay a new version beside it, or leave it alone; returns what the reader must know."""
    original, copy = course / name, work / name
    try:
        new = _digest(original)
    except DamagedError:
        return f"{name} of the course is damaged, by a merge perhaps: git checkout HEAD {name} brings it back."
    try:
        mine = _digest(copy) if copy.exists() else None
    except (DamagedError, OSError):
        what_then = "It is left as it is; for a fresh one, rename it and open the course again."
        return f"{work.name}/{name} cannot be read. {what_then}"
    laid = known.get("laid")
    if mine == new:
        known["laid"] = new
    elif mine is None or mine == laid:
        write_whole(copy, original.read_bytes())
        known["laid"] = new
    elif new not in (laid, known.get("offered")):
        beside = _lay_beside(original, copy, new, known.setdefault("beside", {}))
        known["offered"] = new
        which = "A new version of" if laid else "The course's version of"  # no note of what was laid out: who knows
        return f"{which} {name} lies beside yours: {beside.name}. Yours is as you left it."
    return None


def _lay_beside(original: Path, copy: Path, new: str, known: dict[str, str]) -> Path:
    """Write a version to the first ``_new`` name that is free, or that holds an earlier one nobody wrote in."""
    for n in itertools.count(1):
        beside = copy.with_name(f"{copy.stem}_new{n if n > 1 else ''}{copy.suffix}")
        try:
            there = _digest(beside) if beside.exists() else None
        except (DamagedError, OSError):
            continue
        if there in (None, new, known.get(beside.name)):
            if there != new:
                write_whole(beside, original.read_bytes())
            known[beside.name] = new
            return beside
    raise AssertionError("there is always another name")


def _digest(path: Path) -> str:
    """Of a notebook's text, as a reader wrote it; of any other file's bytes."""
    content = path.read_bytes()
    if path.suffix == ".ipynb":
        try:
            cells = [(cell["cell_type"], "".join(cell["source"])) for cell in json.loads(content)["cells"]]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise DamagedError(str(path)) from error
        content = json.dumps([cell for cell in cells if cell[1].strip()]).encode()
    return hashlib.sha256(content).hexdigest()
