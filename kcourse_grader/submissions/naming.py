"""Whose file is it? Read from the platform's part of its place and name, never from what a student can choose.

=====================  =========================================================  =========================
layout                 example                                                    student
=====================  =========================================================  =========================
a folder per student   ``alice/ch03_ridge_sheet.ipynb``                           alice
flat                   ``alice.ipynb``, ``alice_ch03_ridge_sheet.ipynb``          alice
Moodle                 ``Ada Lovelace_4711_assignsubmission_file_/sheet.ipynb``   Ada Lovelace_4711
Moodle, flat           ``Ada Lovelace_4711_assignsubmission_file_sheet.ipynb``    Ada Lovelace_4711
GitHub Classroom       ``sheet-3-submissions/sheet-3-alice/…``                    alice
Canvas                 ``lovelaceada_LATE_4711_998877_ch03_ridge-2.ipynb``        lovelaceada_4711
Blackboard             ``Sheet 3_alice_attempt_2026-11-20-23-59-00_sheet.ipynb``  alice
=====================  =========================================================  =========================

The rest of a name is the student's own, and may look like another platform's: where other files are Canvas's beyond
doubt, so are those that could be Blackboard's, too. In a student's folder all names are the student's own, so the
folder alone says whose they are. Where two places lead to one name, or to two that look alike, they stay apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from kcourse.checks import CHAPTERS
from kcourse.sheets.course_files import copy_number

__all__ = ["Export", "Name", "export_of", "read_name", "told_apart"]

_MOODLE = re.compile(r"(?P<who>.+_(?P<id>\d+))_assignsubmission_\w*")
_MOODLE_FLAT = re.compile(
    r"(?P<who>.+?_(?P<id>\d+))_assignsubmission_[^_]*_(?P<file>.*)"
)  # the first is the platform's
_CANVAS = re.compile(r"(?P<who>[^_]+)(?P<late>_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)")
_BLACKBOARD = re.compile(r"_attempt_(?P<when>\d{4}(?:-\d{2}){5})(?:_|$)")  # the first is the platform's
_LONGEST = 255  # characters of a name that is taken apart; file systems take no more, archives do


@dataclass(frozen=True)
class Name:
    """What the place of a file says.

    Attributes
    ----------
    student : str
        whose it is.
    origin : tuple of str
        what says so; files of one origin are attempts of one student.
    longer : str
        the student's name if another origin has the same one.
    stem : str
        the rest of the file's name.
    order : tuple
        orders the attempts of one origin: by the number or the time in the name, else by the file's time.
    when : datetime or None
        when it was handed in, if the platform wrote it into the name.
    number : str
        what the platform, the first of ``origin``, calls the student.
    late : bool or None
        whether the platform calls it late; None for one that does not say.
    """

    student: str
    origin: tuple[str, str]
    longer: str
    stem: str
    order: tuple
    when: datetime | None = None
    number: str = ""
    late: bool | None = None


@dataclass(frozen=True)
class Export:
    """What the names of flat files say together.

    Attributes
    ----------
    leading : int
        how many pieces of Blackboard's names, between underscores, name the assignment.
    canvas : bool
        whether what could be Canvas's or Blackboard's is Canvas's.
    assignment : str
        what GitHub Classroom puts in front of the names of folders: "sheet-3-" of the folder "sheet-3-submissions".
    """

    leading: int = 1
    canvas: bool = False
    assignment: str = ""


def export_of(paths: Iterable[PurePosixPath], around: str = "") -> Export:
    """Return how the files among ``paths`` are named, in the folder or archive that is called ``around``.

    Blackboard's assignment is all that the names share, at least one piece. So "Sheet 3_a_smith" is a_smith's and
    "Sheet 3_b_smith" is not; where nobody shares anything, the first piece is the assignment.
    """
    flat = [path.stem for path in paths if len(path.parts) == 1 and len(path.stem) <= _LONGEST]
    either = [(_CANVAS.fullmatch(stem) is not None, _head(stem)) for stem in flat]
    only_canvas, only_blackboard = any(c and not h for c, h in either), any(h and not c for c, h in either)
    canvas = only_canvas and not only_blackboard
    pieces = [head.split("_") for head in {head for c, head in either if head and not (c and canvas)}]
    shared = 1
    while len(pieces) > 1 and all(len(p) > shared + 1 and p[: shared + 1] == pieces[0][: shared + 1] for p in pieces):
        shared += 1
    slug = around.removesuffix("-submissions")
    return Export(shared, canvas, f"{slug}-" if slug and slug != around else "")


def read_name(path: PurePosixPath, when: float, export: Export) -> Name:
    """Return whose file ``path`` is; ``export`` is that of `export_of`."""
    stem, short = path.stem, len(path.stem) <= _LONGEST
    if len(path.parts) > 1:
        folder = path.parts[0]
        moodle = _MOODLE.fullmatch(folder) if len(folder) <= _LONGEST else None
        own = folder.removeprefix(export.assignment) or folder
        origin = ("moodle", moodle["who"]) if moodle else ("folder", folder)
        return Name(
            _plain(moodle["who"] if moodle else own),
            origin,
            folder,
            *_attempt(stem, when),
            number=moodle["id"] if moodle else "",
        )
    if short and (moodle := _MOODLE_FLAT.fullmatch(stem)):
        who = moodle["who"]
        return Name(_plain(who), ("moodle", who), stem, *_attempt(moodle["file"], when), number=moodle["id"])
    canvas, head = (_CANVAS.fullmatch(stem), _head(stem)) if short else (None, "")
    if head and not (canvas and export.canvas):
        student = "_".join(head.split("_")[export.leading :])
        match = _BLACKBOARD.search(stem)
        order = (match["when"], when)
        return Name(_plain(student), ("blackboard", student), head, stem[match.end() :], order, _time(match["when"]))
    if canvas:
        student = f"{canvas['who']}_{canvas['id']}"
        rest, order = _attempt(canvas["file"], when)
        late = canvas["late"] is not None
        return Name(_plain(student), ("canvas", student), stem, rest, order, number=canvas["id"], late=late)
    student = _without_sheet(stem) if short else stem
    return Name(_plain(student), ("flat", path.name), path.name, *_attempt(stem, when))


def told_apart(found: Iterable[tuple[Name, str | None]]) -> tuple[dict[tuple, str], dict[tuple, str]]:
    """The name of the student of each origin, and why a person should look where it was, or looks like, another's.

    ``found`` pairs names with the sheets that they answer. A folder that is called as its student keeps its name.
    """
    found = list(found)
    claims: dict[tuple[str, str | None], set[tuple]] = {}
    for name, sheet in found:
        claims.setdefault((_look(name.student), sheet), set()).add(name.origin)
    contested = {origin for origins in claims.values() if len(origins) > 1 for origin in origins}
    names = {name.origin: name for name, _ in found}
    many = Counter(names[origin].student for origin in contested)
    students = {o: n.student for o, n in names.items() if o not in contested or _is_clear(n, many[n.student] > 1)}
    taken = set(students.values())
    for origin in sorted(contested - students.keys()):
        longer = _spelt_out(names[origin].longer)
        while longer in taken:
            longer += "'"
        taken.add(longer)
        students[origin] = longer
    why = "another file leads to the same name, or to one that looks like it: whose it is was not guessed, and they "
    return students, dict.fromkeys(contested, f"{why}are graded apart")


def _is_clear(name: Name, again: bool) -> bool:
    """Whether a name that was claimed twice can stay: where another is just the same, the folder's own does."""
    return name.student.isprintable() and (not again or name.origin == ("folder", name.student))


def _look(name: str) -> str:
    """The same for names that a reader may take for each other."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) not in ("Cf", "Cc"))
    return " ".join(seen.casefold().split())


def _as_text(name: str) -> str:
    """Bytes that are no text are spelt out."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _spelt_out(name: str) -> str:
    """A name with numbers for what nobody sees: blanks at its ends, signs without a shape, letters made of two."""
    name = _as_text(name)
    start, end = len(name) - len(name.lstrip()), len(name.rstrip())
    usual = unicodedata.is_normalized("NFC", name)
    shown = [c.isascii() or usual if c.isprintable() and start <= i < end else False for i, c in enumerate(name)]
    return "".join(c if fine else f"\\u{ord(c):04x}" for c, fine in zip(name, shown, strict=True))


def _plain(name: str) -> str:
    """One spelling of a name: macOS writes ë as two characters, and what steers a terminal belongs in no table."""
    shown = unicodedata.normalize("NFC", _as_text(name)).strip() or _spelt_out(name)
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else _spelt_out(c) for c in shown)


def _time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None


def _head(stem: str) -> str:
    """ "Sheet 3_alice" of a name of Blackboard's; "" if it is none."""
    match = _BLACKBOARD.search(stem)
    head = stem[: match.start()] if match else ""
    return head if all(head.partition("_")[::2]) else ""


def _attempt(stem: str, when: float) -> tuple[str, tuple]:
    name, number = copy_number(stem)
    return name, (number, when)


def _without_sheet(stem: str) -> str:
    """ "alice_ch03_ridge_sheet" and "ch03_ridge-alice" are alice's; "ch03_ridge_sheet" alone is that."""
    for chapter in CHAPTERS:
        sheet = rf"{chapter}(?:_sheet)?(?:_new\d*)?"  # as `kcourse lab` names sheets and their new versions
        name = re.sub(rf"(?i)^{sheet}[ _.-]+|[ _.-]+{sheet}(?:[ _-]*\(?\d*\)?)?$", "", stem)
        if name and name != stem:
            return stem if re.fullmatch(f"(?i){sheet}", stem) else name
    return stem
