"""What was handed in: folders, flat files, and the archives that learning platforms export; see ``naming`` for whose.

Of several attempts at one sheet the latest counts. What is too deep, too much or closed is not looked at, and that is
said.
"""

from __future__ import annotations

import itertools
import lzma
import os
import re
import zipfile
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath

from kcourse.checks import CHAPTERS
from kcourse.grading.intake.naming import Name, export_of, read_name, told_apart
from kcourse.grading.intake.notebook import (
    MAX_CELL,
    MAX_FILE,
    Notebook,
    Unreadable,
    answers_nothing,
    named_sheet,
    read_notebook,
    recognise_sheet,
)

__all__ = ["Submission", "collect"]

_SKIPPED = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git", ".venv", ".virtual_documents"}
_LEFT_BEHIND = ("._", ".~", ".#")  # files that macOS, JupyterLab and editors put beside the real ones
_DEEP = 12  # folders inside each other
_MANY = 5000  # files and folders of one student
_ATTEMPTS = 50  # notebooks of one student


@dataclass
class Submission:
    """One student's work on one sheet: the file that counts, and what there was to note on the way to it.

    ``notes`` are for the student, too, ``review`` for the lecturer alone. ``handed_in`` is what the platform wrote into
    the name, or else the time of the file; ``number`` is what ``platform`` calls the student. Of the names that
    students and platforms give, notes repeat those in ``named`` and no others.
    """

    student: str
    file: str
    sheet: str | None
    notebook: Notebook | None
    problem: str = ""
    notes: list[str] = field(default_factory=list)
    review: list[str] = field(default_factory=list)
    handed_in: datetime | None = None
    platform: str = ""
    number: str = ""
    named: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _File:
    path: PurePosixPath
    when: float = 0.0
    stamp: datetime | None = None
    size: int = 0
    read: Callable[[], bytes] | None = None
    unseen: str = ""  # why it was not looked at


def collect(
    source: Path,
    sheet: str | None = None,
    tell: Callable[[str], object] = lambda sentence: None,
    results: Path | None = None,
) -> list[Submission]:
    """Return the submissions in a folder, a zip archive or a single notebook, in the order of students.

    Parameters
    ----------
    source : path
        what the instructor was handed.
    sheet : str, optional
        the sheet that all of them answer; by default each is recognised by the functions that it defines.
    tell : callable, optional
        is given a sentence for each thing that was not looked at.
    results : path, optional
        the folder of an earlier run's results, which is no student's, should it lie in ``source``.

    Raises
    ------
    FileNotFoundError, ValueError
        if there is nothing of that name, or nothing in it that could be a submission.
    """
    source = Path(source)
    if not source.exists():
        raise FileNotFoundError(f"there is no {source}; give the folder or the zip archive with the submissions.")
    found_files = list(dict.fromkeys(_files(source, results)))  # what is hidden or too deep is said once
    every = [file for file in found_files if file.unseen != _HIDDEN]
    files = _below_common_folder(every, source.stem)
    if files and files[0].path != every[0].path:
        around = PurePosixPath(*every[0].path.parts[: -len(files[0].path.parts)])
        tell(f"Everything lies in {around}, so the students are what lies in that.")
    else:
        around = PurePosixPath()
    hidden = [file for file in found_files if file.unseen == _HIDDEN]
    files += [replace(f, path=f.path.relative_to(around)) if f.path.is_relative_to(around) else f for f in hidden]
    export = export_of(file.path for file in files)
    attempts: dict[tuple, list[tuple[Name, _File]]] = {}
    others: dict[tuple, list[_File]] = {}
    for file in files:
        name = read_name(file.path, file.when, export)
        if file.read and file.path.suffix.lower() == ".ipynb":
            attempts.setdefault(name.origin, []).append((name, file))
        elif len(file.path.parts) > 1 or file.unseen:
            others.setdefault(name.origin, []).append(file)
        if file.unseen:
            tell(f"Not looked at: {file.path}, {file.unseen}.")
    found = [pair for group in attempts.values() for pair in _latest(group, sheet)]
    if source.is_dir() or found:
        empty = [files for origin, files in others.items() if origin not in attempts]
        found += [(read_name(files[0].path, 0.0, export), _without_notebook(files, sheet)) for files in empty]
    students, contested = told_apart((name, submission.sheet) for name, submission in found)
    for name, submission in found:
        submission.student = students[name.origin]
        submission.platform, submission.number = name.origin[0], name.number
        submission.review += [contested[name.origin]] if name.origin in contested else []
        unseen = [file for file in others.get(name.origin, ()) if file.unseen]
        submission.review += [f"not looked at: {file.path}, {file.unseen}" for file in unseen]
        submission.named += [submission.file, *(str(file.path) for file in unseen)]
    if not found:
        raise ValueError(f"{source} has no notebooks (*.ipynb); give a folder with one per student, or a zip archive.")
    return sorted((submission for _, submission in found), key=lambda s: (s.student, s.sheet or ""))


def _without_notebook(files: list[_File], sheet: str | None) -> Submission:
    names = sorted(str(file.path) for file in files)
    what = "only " + ", ".join(names[:3])
    if not any(file.read or file.unseen for file in files):
        what = "and nothing else that can be read"
    return Submission("", names[0], sheet, None, f"there is no notebook, {what}", named=names[:3])


# ---------------------------------------------------------------- the files


def _files(source: Path, results: Path | None) -> Iterator[_File]:
    if source.is_file() and zipfile.is_zipfile(source):
        try:
            archive = zipfile.ZipFile(source)
        except (zipfile.BadZipFile, OSError) as error:
            raise ValueError(f"{source} is a damaged archive: {error}") from None
        yield from _members(archive)
    elif source.is_file():
        stat = source.stat()
        yield _File(PurePosixPath(source.name), 0.0, _local(stat.st_mtime), stat.st_size, source.read_bytes)
    else:
        top, above = source, 0
        entries = [entry for entry in _entries(top) if results is None or not _same(entry.path, results)]
        while len(entries) == 1 and entries[0].is_dir(follow_symlinks=False) and above < _DEEP:
            top, above = Path(entries[0].path), above + 1  # one folder around everything
            entries = _entries(top)
        for entry in entries:
            inside = _walk(entry, source, above)
            first = next(inside, None)
            if first is not None:
                yield first
                yield from inside
            elif entry.is_dir(follow_symlinks=False) and _wanted(PurePosixPath(entry.name)) and entry.name[0] != ".":
                yield _File(PurePosixPath(Path(entry.path).relative_to(source).as_posix()) / _MORE)  # nothing, then


def _same(path: str, other: Path) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _entries(folder: Path | str, most: int | None = None) -> list[os.DirEntry]:
    with os.scandir(folder) as entries:
        return sorted(itertools.islice(entries, most), key=lambda entry: entry.name)


def _walk(first: os.DirEntry, source: Path, above: int) -> Iterator[_File]:
    """One student's files, those that lie least deep first; last what is hidden, of which only notebooks matter."""
    queue, last, looked = deque([(first, above)]), deque(), 0
    while queue or last:
        entry, depth = (queue or last).popleft()
        looked += 1
        path = PurePosixPath(Path(entry.path).relative_to(source).as_posix())
        if not _wanted(path):
            continue
        hidden = _hidden(path)
        try:
            if hidden and path.suffix.lower() == ".ipynb" and not entry.is_dir(follow_symlinks=False):
                yield hidden
            elif entry.is_symlink():
                if path.suffix.lower() == ".ipynb":
                    yield _File(path, read=_no_link)
            elif entry.is_dir():
                room = _MANY - looked - len(queue) - len(last)
                if depth >= _DEEP or room <= 0:
                    if not hidden:
                        yield _File(path / _MORE, unseen=_TOO_DEEP if depth >= _DEEP else _TOO_MANY)
                    continue
                inside = _entries(entry.path, room + 1)
                for each in inside[:room]:
                    (last if hidden or each.name.startswith(".") else queue).append((each, depth + 1))
                if len(inside) > room and not hidden:
                    yield _File(path / _MORE, unseen=_TOO_MANY)
            elif entry.is_file() and not hidden:
                stat = entry.stat()
                yield _File(path, stat.st_mtime, _local(stat.st_mtime), stat.st_size, Path(entry.path).read_bytes)
        except OSError as error:
            if not hidden:
                yield _File(path / _MORE, unseen=f"which cannot be opened ({error.strerror})")


def _local(seconds: float) -> datetime | None:
    """The time of a file by this machine's clock; what unpacked it may have set any number."""
    try:
        return datetime.fromtimestamp(int(seconds))
    except (ValueError, OverflowError, OSError):
        return None


_MORE = "…"  # what lies in a folder
_TOO_DEEP = f"more than {_DEEP} folders deep"
_TOO_MANY = f"of a student with more than {_MANY} files and folders"
_HIDDEN = "whose name begins with a dot"


def _members(archive: zipfile.ZipFile) -> Iterator[_File]:
    for info in archive.infolist():
        path = PurePosixPath(info.filename.replace("\\", "/").lstrip("/"))
        if info.is_dir() or not path.parts or not _wanted(path):
            continue
        if hidden := _hidden(path):
            if path.suffix.lower() == ".ipynb":
                yield hidden
            continue
        if len(path.parts) > _DEEP + 1:
            yield _File(PurePosixPath(*path.parts[:_DEEP], _MORE), unseen=_TOO_DEEP)
            continue
        when = float("".join(f"{part:02d}" for part in info.date_time))
        # no more is unpacked than is read, whatever the archive says
        yield _File(path, when, _stamp(info), info.file_size, lambda i=info: archive.open(i).read(MAX_FILE + 1))


def _stamp(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)
    except ValueError:  # some programs write months of 0
        return None


def _no_link() -> bytes:
    """A link could point anywhere, at another student's work for one."""
    raise OSError("it is a link, which is not followed")


def _below_common_folder(files: list[_File], name: str) -> list[_File]:
    """An archive may hold one folder with everything in it: that is nobody's name, and so not the students' folder."""
    while True:
        tops = {file.path.parts[0] for file in files}
        notebooks = [file for file in files if file.path.suffix.lower() == ".ipynb"]
        if len(tops) != 1 or not all(len(file.path.parts) > 1 for file in files) or not notebooks:
            return files
        if tops != {name} and not all(len(file.path.parts) > 2 for file in notebooks):
            return files
        below = [replace(file, path=PurePosixPath(*file.path.parts[1:])) for file in files]
        if all(file.path.parts[0] in CHAPTERS for file in below):  # nbgrader's layout, and one student alone
            return files
        if tops == {name}:
            return below
        files, name = below, ""


def _wanted(path: PurePosixPath) -> bool:
    return not (set(path.parts) & _SKIPPED or path.name.startswith(_LEFT_BEHIND) or ".." in path.parts)


def _hidden(path: PurePosixPath) -> _File | None:
    """What of a path begins with a dot, as a file that nobody looks at; None if nothing does."""
    first = next((i for i, part in enumerate(path.parts, 1) if part.startswith(".")), 0)
    inside = [_MORE] if first < len(path.parts) else []
    return _File(PurePosixPath(*path.parts[:first], *inside), unseen=_HIDDEN) if first else None


# ---------------------------------------------------------------- what is in them


def _latest(group: list[tuple[Name, _File]], sheet: str | None) -> list[tuple[Name, Submission]]:
    """One origin's submission for each sheet; only the notebooks that count are kept."""
    group.sort(key=lambda pair: (pair[0].order, str(pair[1].path)), reverse=True)
    chosen: dict[str | None, tuple[Name, Submission]] = {}
    passed: dict[str | None, list[str]] = {}
    blank: dict[str | None, bool] = {}  # whether what is chosen is a sheet in which nothing was written
    behind: set[str | None] = set()  # sheets of which a blank copy is later than what counts
    for name, file in group[:_ATTEMPTS]:
        submission = _read(file, name.stem, sheet)
        submission.handed_in = name.when or file.stamp
        key, empty = submission.sheet, _is_blank(submission)
        if key not in chosen:
            chosen[key], blank[key] = (name, submission), empty
        elif blank[key] and not empty and submission.notebook:
            passed.setdefault(key, []).insert(0, chosen[key][1].file)
            chosen[key], blank[key] = (name, submission), False
            behind.add(key)
        else:
            passed.setdefault(key, []).append(submission.file)
    for key, files in passed.items():
        latest = chosen[key][1]
        more = f" and {len(files) - 5} more" if len(files) > 5 else ""
        not_these = ", ".join(reversed(files[:5])) + more
        latest.named += files[:5]
        which = "the latest in which anything is answered" if key in behind else "the latest"
        latest.notes.append(f"{len(files) + 1} attempts; {latest.file} is {which} and counts, not {not_these}")
        latest.review.append(f"{len(files) + 1} attempts, of which {which} counts")
    if len(group) > _ATTEMPTS:
        for _, submission in chosen.values():
            submission.notes.append(f"of {len(group)} notebooks only the latest {_ATTEMPTS} were looked at")
    return list(chosen.values())


def _is_blank(submission: Submission) -> bool:
    return bool(submission.notebook and submission.sheet) and answers_nothing(submission.notebook, submission.sheet)


def _read(file: _File, stem: str, sheet: str | None) -> Submission:
    submission = Submission("", str(file.path), sheet, None)
    try:
        if file.size > MAX_FILE:
            raise Unreadable(f"the file has more than {MAX_FILE / 1e6:.0f} MB when unpacked")
        submission.notebook = read_notebook(file.read())
    except Unreadable as error:
        submission.problem = str(error)
    except (
        OSError,
        RuntimeError,
        EOFError,
        NotImplementedError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
    ) as error:  # encrypted or damaged member, no right to read
        why = getattr(error, "strerror", None) or re.sub(r"""b?(['"]).*\1""", "it", str(error))  # places are nobody's
        submission.problem = f"the file cannot be read: {why[:100]}"
    if submission.notebook and submission.notebook.left_out:
        cells = ", ".join(str(number) for number in submission.notebook.left_out[:10])
        submission.notes.append(
            f"Cells that are too long were left out (cell {cells}): more than {MAX_CELL} characters"
        )
    if sheet is None:
        by_name, most = named_sheet(stem, file.path.stem), None
        if submission.notebook:
            most = recognise_sheet(submission.notebook)
            submission.sheet = recognise_sheet(submission.notebook, stem, file.path.stem)
        submission.sheet = submission.sheet or by_name
        if submission.sheet == by_name and most not in (None, by_name):
            submission.notes.append(f"taken for {by_name} by its name; most of its functions are of {most}")
        if submission.sheet is None and not submission.problem:
            submission.problem = "none of the course's exercises is defined in this notebook"
        elif by_name is None and submission.sheet and submission.notebook:
            submission.notes.append(f"recognised as {submission.sheet} by its functions")
    return submission
