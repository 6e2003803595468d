"""Decide whose a file is, from the part of its path that the platform wrote, never from a part that students choose.

=====================  =========================================================  =========================
layout                 example                                                    student
=====================  =========================================================  =========================
a folder per student   ``alice/ch03_ridge_sheet.ipynb``                           alice
flat                   ``alice.ipynb``, ``alice_ch03_ridge_sheet.ipynb``          alice
Moodle                 ``Ada Lovelace_4711_assignsubmission_file_/sheet.ipynb``   Ada Lovelace_4711
Moodle, flat           ``Ada Lovelace_4711_assignsubmission_file_sheet.ipynb``    Ada Lovelace_4711
GitHub Classroom       ``sheet-3-submissions/sheet-3-alice/…``                    alice
Canvas                 ``lovelaceada_LATE_4711_998877_ch03_ridge-2.ipynb``        lovelaceada_4711
Canvas, anonymous      ``LATE_anon_aB3dE_998877_ch03_ridge.ipynb``                anon_aB3dE
Blackboard             ``Sheet 3_alice_attempt_2026-11-20-23-59-00_sheet.ipynb``  alice
Brightspace            ``112233-445566 - Ada Lovelace - Nov 20, 2026 1159 PM/…``  Ada Lovelace_112233
Gradescope             ``submission_123/sheet.ipynb``                             the file beside it says
=====================  =========================================================  =========================

Students choose the rest of a name, which may look like another platform's. So a file that could come from Canvas or
Blackboard is read as Canvas's if other files are certainly Canvas's and none is certainly Blackboard's. Inside a
student's folder only the folder's name counts. Two origins with the same name, or with names that look the same, are
never merged: they are graded separately and listed for review.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import PurePosixPath

from kcourse.checks import CHAPTERS
from kcourse.sheets.course_files import copy_number
from kcourse_grader.submissions.gradescope import Submitters

__all__ = ["Export", "Name", "each_of_a_group", "export_of", "is_platforms", "read_name", "told_apart"]

_MOODLE = re.compile(r"(?P<who>.+_(?P<id>\d+))_assignsubmission_\w*")
_MOODLE_FLAT = re.compile(
    r"(?P<who>.+?_(?P<id>\d+))_assignsubmission_[^_]*_(?P<file>.*)"
)  # the first is the platform's
_CANVAS = re.compile(
    r"(?:(?P<late_anon>LATE_)?(?P<anon>anon_[A-Za-z0-9]+)|(?P<who>[^_]+)(?P<late>_LATE)?_(?P<id>\d+))_\d+_(?P<file>.+)"
)
_BRIGHTSPACE = re.compile(r"(?P<who>(?P<id>\d+)-\d+ - (?P<name>.+)) - (?P<when>[^-]*\d{4}[^-]*)")
_BLACKBOARD = re.compile(r"_attempt_(?P<when>\d{4}(?:-\d{2}){5})(?:_|$)")  # the first is the platform's
_VERSION = re.compile(r"(?i)version (\d{1,9})")  # Teams' folder of an attempt
_ENDINGS = re.compile(r"(?i)\.ipynb(\.json|\.txt)?$|\.[^.]*$")
_LONGEST = 255  # characters of a name that is parsed; the limit of file systems, but not of archives


@dataclass(frozen=True)
class Name:
    """What a file's path tells about its student.

    Attributes
    ----------
    student : str
        the student's name.
    origin : tuple of str
        the platform and its part of the path, for a group also the student's place in it; files of one origin are
        attempts of one student.
    longer : str
        the name that is used instead if another origin has the same one.
    stem : str
        the rest of the file's name.
    order : tuple
        sort key for the attempts of one origin: the number or time in the name, else the file's time.
    when : datetime or None
        time of submission, if the platform wrote it into the name.
    number : str
        the student's number on the platform, which is the first item of ``origin``.
    late : bool or None
        whether the platform marks the file as late; None if it does not say.
    """

    student: str
    origin: tuple[str, ...]
    longer: str
    stem: str
    order: tuple
    when: datetime | None = None
    number: str = ""
    late: bool | None = None


@dataclass(frozen=True)
class Export:
    """What the names of all flat files have in common.

    Attributes
    ----------
    leading : int
        number of leading parts of a Blackboard name (separated by underscores) that name the assignment.
    canvas : bool
        whether names that fit both Canvas and Blackboard are read as Canvas's.
    assignment : str
        prefix of GitHub Classroom's folder names: "sheet-3-" in the folder "sheet-3-submissions".
    submitters : dict
        folder → who handed it in, from Gradescope.
    """

    leading: int = 1
    canvas: bool = False
    assignment: str = ""
    submitters: dict[str, Submitters] = field(default_factory=dict)


def export_of(
    paths: Iterable[PurePosixPath], around: str = "", submitters: dict[str, Submitters] | None = None
) -> Export:
    """Return the naming scheme of ``paths`` in the folder or archive ``around``, with Gradescope's ``submitters``.

    Blackboard's assignment is the common beginning of all names, and at least one part. So "Sheet 3_a_smith" belongs
    to a_smith and "Sheet 3_b_smith" to b_smith.
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
    return Export(shared, canvas, f"{slug}-" if slug and slug != around else "", submitters or {})


def is_platforms(folder: str) -> bool:
    """Whether a platform gives a student's folder a name like this."""
    return len(folder) <= _LONGEST and bool(_MOODLE.fullmatch(folder) or _BRIGHTSPACE.fullmatch(folder))


def read_name(path: PurePosixPath, when: float, export: Export, group: str = "") -> Name:
    """Return whose file ``path`` is, in the folders ``group``; ``export`` is the result of `export_of`."""
    stem = _ENDINGS.sub("", path.name) if len(path.name) <= _LONGEST else path.stem
    short = len(stem) <= _LONGEST
    if len(path.parts) > 1:
        folder = path.parts[0]
        rest, order = _attempt(stem, when)
        if is_platforms(folder) and (moodle := _MOODLE.fullmatch(folder)):
            return Name(_plain(moodle["who"]), ("moodle", moodle["who"]), folder, rest, order, number=moodle["id"])
        if is_platforms(folder) and (found := _BRIGHTSPACE.fullmatch(folder)):
            who, then = f"{found['name']}_{found['id']}", _spelt_time(found["when"])
            order = (then.isoformat() if then else "", *order)  # each attempt has a folder of its own
            return Name(_plain(who), ("brightspace", who), folder, rest, order, then, found["id"])
        if folder in export.submitters:
            return Name(folder, ("gradescope", folder), folder, rest, order, export.submitters[folder].when)
        versions = [int(match[1]) for part in path.parts[1:-1] if (match := _VERSION.fullmatch(part))]
        order = (versions[0] if versions else order[0], when)
        own = folder.removeprefix(export.assignment) or folder
        whole = f"{group}/{folder}" if group else folder
        return Name(_plain(own), ("folder", whole), whole, rest, order)
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
        student = canvas["anon"] or f"{canvas['who']}_{canvas['id']}"
        rest, order = _attempt(canvas["file"], when)
        late = bool(canvas["late"] or canvas["late_anon"])
        return Name(_plain(student), ("canvas", student), stem, rest, order, number=canvas["id"] or "", late=late)
    student = _without_sheet(stem) if short else stem
    return Name(_plain(student), ("flat", path.name), path.name, *_attempt(stem, when))


def each_of_a_group(name: Name, export: Export) -> list[Name]:
    """Return a name for each student who handed in a folder of Gradescope; the name itself if none is known."""
    platform, folder, *_ = name.origin
    people = export.submitters[folder].people if platform == "gradescope" else ()
    return [
        replace(name, student=_plain(who), origin=(*name.origin, f"{i}"), longer=f"{who}_{own or folder}", number=own)
        for i, (who, own) in enumerate(people)
    ] or [name]


def told_apart(found: Iterable[tuple[Name, str | None]]) -> tuple[dict[tuple, str], dict[tuple, str]]:
    """Return a unique student name for each origin, and a remark for review where two names were too similar.

    ``found`` pairs names with the sheets that they answer. A folder that already has the student's name keeps it.
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
    why = "another submission has the same student name, or one that looks the same, so they are graded separately"
    return students, dict.fromkeys(contested, why)


def _is_clear(name: Name, again: bool) -> bool:
    """Whether a name that occurs twice can stay: of two equal names, only the folder's own does."""
    return name.student.isprintable() and (not again or name.origin == ("folder", name.student))


def _look(name: str) -> str:
    """Return a key that is equal for names that look the same to a reader."""
    seen = "".join(c for c in unicodedata.normalize("NFKC", name) if unicodedata.category(c) not in ("Cf", "Cc"))
    return " ".join(seen.casefold().split())


def _as_text(name: str) -> str:
    """Escape bytes that are not valid text."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _spelt_out(name: str) -> str:
    """Escape what a reader cannot see: blanks at the ends, invisible characters, and decomposed letters."""
    name = _as_text(name)
    start, end = len(name) - len(name.lstrip()), len(name.rstrip())
    usual = unicodedata.is_normalized("NFC", name)
    shown = [c.isascii() or usual if c.isprintable() and start <= i < end else False for i, c in enumerate(name)]
    return "".join(c if fine else f"\\u{ord(c):04x}" for c, fine in zip(name, shown, strict=True))


def _plain(name: str) -> str:
    """Normalise a name: macOS writes ë as two characters, and control characters are escaped."""
    shown = unicodedata.normalize("NFC", _as_text(name)).strip() or _spelt_out(name)
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else _spelt_out(c) for c in shown)


def _time(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d-%H-%M-%S")
    except ValueError:
        return None


def _spelt_time(text: str) -> datetime | None:
    for form in ("%b %d, %Y %I%M %p", "%B %d, %Y %I%M %p", "%d %B, %Y %H%M", "%d %b, %Y %H%M"):
        try:
            return datetime.strptime(" ".join(text.split()), form)
        except ValueError:
            pass
    return None


def _head(stem: str) -> str:
    """Return the part "Sheet 3_alice" of a Blackboard name; "" for other names."""
    match = _BLACKBOARD.search(stem)
    head = stem[: match.start()] if match else ""
    return head if all(head.partition("_")[::2]) else ""


def _attempt(stem: str, when: float) -> tuple[str, tuple]:
    name, number = copy_number(stem)
    return name, (number, when)


def _without_sheet(stem: str) -> str:
    """Remove the sheet's name: "alice_ch03_ridge_sheet" and "ch03_ridge-alice" both give "alice"."""
    for chapter in CHAPTERS:
        sheet = rf"{chapter}(?:_sheet)?(?:_new\d*)?"  # as `kcourse lab` names sheets and their new versions
        name = re.sub(rf"(?i)^{sheet}[ _.-]+|[ _.-]+{sheet}(?:[ _-]*\(?\d*\)?)?$", "", stem)
        if name and name != stem:
            return stem if re.fullmatch(f"(?i){sheet}", stem) else name
    return stem
