"""Collect what was handed in: folders, flat files, and exports of learning platforms. `naming` says whose a file is.

Of several attempts at one sheet, the latest that answers anything counts; in a clone of the course, the one in
``my_work``. Archives inside a submission are opened. Files that are nested too deeply, too many or unreadable are
skipped, and each is reported.
"""

from __future__ import annotations

import contextlib
import io
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
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from kcourse.checks import exercises
from kcourse.sheets import course_files
from kcourse.sheets.notebook import (
    MAX_CELL,
    MAX_FILE,
    TOO_LARGE,
    Notebook,
    Unreadable,
    answered,
    answers_nothing,
    named_sheet,
    read_answers,
    recognise_sheet,
)
from kcourse_grader.submissions.gradescope import METADATA, Submitters, local_time, submitters_of
from kcourse_grader.submissions.layout import (
    DRAFT,
    belongs_to_nobody,
    is_archive,
    is_notebook,
    is_one_clone,
    may_be_answers,
    students_folders,
)
from kcourse_grader.submissions.naming import (
    Export,
    Name,
    each_of_a_group,
    export_of,
    is_platforms,
    read_name,
    told_apart,
)
from kcourse_grader.submissions.zip_names import names_of

__all__ = ["Submission", "collect"]

_SKIPPED = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git", ".venv", ".virtual_documents"}
_OTHER_ARCHIVES = {".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz"}
_LEFT_BEHIND = ("._", ".~", ".#")  # files that macOS, JupyterLab and editors create next to the real ones
_DEEP = 12  # nested folders
_MANY = 5000  # files and folders of one student
_ATTEMPTS = 50  # notebooks of one student
_ARCHIVES = 2  # nested archives
_ARCHIVE = 200_000_000  # bytes of an archive; a clone has about 30 MB
_FIRST, _SAID = 5, 200  # skipped files that are listed by name; characters of a name that are shown
_TIMESTAMP = "timestamp.txt"
_NO_ANSWERS = "it is not a notebook, Python file or zip archive"
_CONTENTS = 2_000_000  # bytes of an archive's table of contents; 5000 names of 100 letters take 0.7 MB


@dataclass
class Submission:
    """One student's work on one sheet: the file that counts, with remarks about how it was found.

    Students see ``notes``; only the lecturer sees ``review``. ``handed_in`` is the time that the platform wrote into
    the name, or else the file's time; platforms, archives and clones change the file's time, so it is not used there.
    ``late`` is the platform's statement, None without one. ``number`` is the platform's number for the student.
    Notes repeat only those names of files that are listed in ``named``, so that they can be made anonymous.
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
    late: bool | None = None
    named: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _File:
    path: PurePosixPath
    when: float = 0.0
    stamp: datetime | None = None
    size: int = 0
    read: Callable[[], bytes] | None = None
    unseen: str = ""  # why the file is skipped, as a full clause
    dated: bool = False  # whether its time comes from a disk
    opened: Callable[[], BinaryIO] | None = None  # opens an archive as a stream
    group: str = ""  # the folders around the student's

    @property
    def hidden(self) -> bool:
        return self.unseen == _HIDDEN


def collect(
    source: Path,
    sheet: str | None = None,
    tell: Callable[[str], object] = lambda sentence: None,
    results: Path | None = None,
    level: int | None = None,
) -> list[Submission]:
    """Return the submissions in a folder, a zip archive or a single notebook, sorted by student.

    Parameters
    ----------
    source : path
        folder, archive or notebook with the submissions.
    sheet : str, optional
        the sheet that all of them answer; by default each is recognised by the functions that it defines.
    tell : callable, optional
        called with a sentence for each file that is skipped.
    results : path, optional
        the folder of an earlier run's results; it is ignored if it is in ``source``.
    level : int, optional
        how deep the students' folders are, 1 for the top; by default `students_folders` finds them.

    Raises
    ------
    FileNotFoundError, ValueError
        if ``source`` does not exist, or contains nothing that could be a submission.
    """
    source = Path(source)
    if not source.exists():
        raise FileNotFoundError(f"{source} does not exist. Give the folder or zip archive with the submissions.")
    every = list(dict.fromkeys(_files(source, results, tell)))  # report each skipped folder once
    files, around = students_folders(_exports_opened(every, tell), source.stem, level, tell)
    outer = around.name or source.stem
    if is_one_clone(files):
        files = [replace(file, path=outer / file.path) for file in files]
        tell("This is one clone of the course, so it is graded as one student's work.")
    export = export_of((file.path for file in files), outer, _gradescopes(every, around))
    times = {file.path.parent: _collected(file) for file in files if file.path.name == _TIMESTAMP and file.read}
    attempts: dict[tuple, list[tuple[Name, _File]]] = {}
    others: dict[tuple, list[_File]] = {}
    for file in files:
        name = read_name(file.path, file.when, export, file.group)
        timed = name.origin[0] == "folder" and file.path.parent in times  # platforms say the time themselves
        if timed:
            name, file = replace(name, when=times[file.path.parent]), replace(file, dated=False)
        if file.read and may_be_answers(file.path):
            attempts.setdefault(name.origin, []).append((name, file))
        elif not (timed and file.path.name == _TIMESTAMP):
            file = file if file.unseen else replace(file, unseen=_why_unread(file.path))
            others.setdefault(name.origin, []).append(file)
        if file.unseen:
            tell(f"Skipped: {file.path}, because {file.unseen}.")
    _with_their_notebooks(others, attempts, export)
    found = []
    for origin, group in attempts.items():
        more: list[_File] = []
        found += _latest(group, sheet, more, 0 if level else len(around.parts) + 1)
        others.setdefault(origin, []).extend(file for file in more if file.unseen)
        for file in more:
            if file.unseen:
                tell(f"Skipped: {file.path}, because {file.unseen}.")
    if source.is_dir() or found:
        empty = [files for origin, files in others.items() if origin not in attempts]
        found += [(read_name(files[0].path, 0.0, export), _without_notebook(files, sheet)) for files in empty]
    found = [pair for name, submission in found for pair in _for_each(each_of_a_group(name, export), submission)]
    students, contested = told_apart((name, submission.sheet) for name, submission in found)
    for name, submission in found:
        submission.student = students[name.origin]
        submission.platform, submission.number, submission.late = name.origin[0], name.number, name.late
        submission.review += [contested[name.origin]] if name.origin in contested else []
        origin = name.origin[:2]
        unseen = [file for file in others.get(origin, ()) if file.unseen]
        if submission.notebook is None:  # its problem names these
            unseen = [file for file in unseen if file.unseen not in (_NO_ANSWERS, DRAFT)]
        submission.review += [f"skipped: {str(f.path)[-_SAID:]}, because {f.unseen}" for f in unseen[:_FIRST]]
        submission.review += [f"skipped: {len(unseen) - _FIRST} more files"] if len(unseen) > _FIRST else []
        unread = [file.path for file in others.get(origin, ()) if not file.unseen]
        whole = [file.path for _, file in attempts.get(origin, ())] + unread
        if submission.notebook and unread and not course_files.is_clone(PurePosixPath(*p.parts[1:]) for p in whole):
            shown = [str(path)[-_SAID:] for path in unread[:_FIRST]]
            more = f" and {len(unread) - _FIRST} more" if len(unread) > _FIRST else ""
            submission.notes.append(f"Not read: {', '.join(shown)}{more}. Only notebooks and Python files are graded.")
            submission.review.append(f"not read: {', '.join(shown)}{more}")
            submission.named += shown
        submission.named += [submission.file, *(str(file.path)[-_SAID:] for file in unseen[:_FIRST])]
    if not attempts:
        raise ValueError(f"{source} has no notebooks (*.ipynb). Give a folder with one per student, or a zip archive.")
    return sorted((submission for _, submission in found), key=lambda s: (s.student, s.sheet or ""))


def _for_each(group: list[Name], submission: Submission) -> Iterator[tuple[Name, Submission]]:
    """Yield a submission for each member of a group; these share the notebook."""
    submission.notes += [f"Handed in by a group of {len(group)}."] if len(group) > 1 else []
    for name in group:
        notes, review, named = (list(texts) for texts in (submission.notes, submission.review, submission.named))
        yield name, replace(submission, notes=notes, review=review, named=named)


def _gradescopes(files: list[_File], around: PurePosixPath) -> dict[str, Submitters]:
    """Return who handed in which folder, if the file that says so is beside the students' folders."""
    found = [file for file in files if file.path == around / METADATA and file.read]
    return submitters_of(found[0].read()) if found else {}


def _collected(file: _File) -> datetime | None:
    """Return the time that nbgrader writes beside a notebook."""
    try:
        return local_time(file.read()[:100].decode("ascii", "replace").strip())
    except _BROKEN:
        return None


def _why_unread(path: PurePosixPath) -> str:
    """Return why a file is listed for review, or "" for one that lies in a student's folder and needs no attention."""
    if path.suffix.lower() in _OTHER_ARCHIVES:
        return "only zip archives are opened, so the notebook itself is needed"
    return "" if len(path.parts) > 1 else _NO_ANSWERS


def _with_their_notebooks(others: dict, attempts: dict, export: Export) -> None:
    """Move flat files, such as alice.pdf, to the notebook of the same student, alice.ipynb."""
    owners = {names[0][0].student: origin for origin, names in attempts.items() if origin[0] == "flat"}
    for origin in [origin for origin in others if origin[0] == "flat" and origin not in attempts]:
        owner = owners.get(read_name(others[origin][0].path, 0.0, export).student)
        if owner:
            others.setdefault(owner, []).extend(others.pop(origin))


def _without_notebook(files: list[_File], sheet: str | None) -> Submission:
    names = sorted({str(file.path) for file in files})
    if all(file.unseen == DRAFT for file in files):
        return Submission("", files[0].path.parts[0], sheet, None, DRAFT, named=names)
    reasons = sorted({file.unseen for file in files} - {"", _NO_ANSWERS})
    what = f"only {', '.join(names[:3])}" + (f" ({'; '.join(reasons)})" if reasons else "")
    if not any(file.read or file.unseen for file in files):
        what = "and nothing else that can be read"
    return Submission("", names[0], sheet, None, f"it contains no notebook, {what}", named=names[:3])


# ---------------------------------------------------------------- the files


def _files(source: Path, results: Path | None, tell: Callable[[str], object]) -> Iterator[_File]:
    if source.is_file() and zipfile.is_zipfile(source):
        try:
            archive = zipfile.ZipFile(source)
        except _BROKEN as error:
            raise ValueError(f"{source} is a damaged archive ({error}). Download it again.") from None
        yield from _members(archive, tell=partial(_tell_page, source.name, tell))
    elif source.is_file() and source.suffix.lower() == ".zip":
        raise ValueError(f"{source} is a damaged archive. Download it again.")
    elif source.is_file():
        stat = source.stat()
        yield _on_disk(PurePosixPath(source.name), source, stat)
    else:
        entries = [entry for entry in _entries(source) if results is None or not _same(entry.path, results)]
        for entry, above in _of_students(entries, 0):
            inside = _walk(entry, source, above)
            first = next(inside, None)
            if first is not None:
                yield first
                yield from inside
            elif entry.is_dir(follow_symlinks=False) and _wanted(PurePosixPath(entry.name)) and entry.name[0] != ".":
                yield _File(PurePosixPath(Path(entry.path).relative_to(source).as_posix()) / _MORE)  # an empty folder


def _of_students(entries: list[os.DirEntry], above: int) -> Iterator[tuple[os.DirEntry, int]]:
    """Yield what may be one student's each, because each student has room for many files, and its depth."""
    folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False) and _wanted(PurePosixPath(entry.name))]
    alone = len(folders) == 1 and all(e in folders or belongs_to_nobody(PurePosixPath(e.name)) for e in entries)
    for entry in entries:
        below: list[os.DirEntry] = []
        if entry in folders and above < _DEEP and not is_platforms(entry.name):
            with contextlib.suppress(OSError):  # `_walk` reports it
                below = _entries(entry.path)
        if below and (alone or any(is_platforms(each.name) for each in below)):
            yield from _of_students(below, above + 1)
        else:
            yield entry, above


def _exports_opened(files: list[_File], tell: Callable[[str], object]) -> list[_File]:
    """Return the files, with those of a platform's own archive in its place, or without it if they are there too."""
    unpacked = any(is_platforms(part) for file in files for part in file.path.parts[:-1])
    found = []
    for file in files:
        members = _export(file, tell) if len(file.path.parts) == 1 and is_archive(file.path) else []
        if members and unpacked:
            tell(f"Skipped: {file.path}, because it is the platform's archive, and its folders are there too.")
        else:
            found += [replace(member, path=file.path / member.path) for member in members] or [file]
    return found


def _export(file: _File, tell: Callable[[str], object]) -> list[_File]:
    """Return the members of an archive if a platform has named the folders in it."""
    try:
        with file.opened() as data:
            if file.size > _ARCHIVE or _contents(data) > _CONTENTS:
                return []
            names = [PurePosixPath(name.replace("\\", "/")) for name in zipfile.ZipFile(data).namelist()]
            if not any(is_platforms(part) for name in names for part in name.parts[:-1]):
                return []  # a student's archive, of which the names are enough here
            data.seek(0)
            archive = zipfile.ZipFile(io.BytesIO(data.read()))
            return list(_members(archive, tell=partial(_tell_page, file.path.name, tell)))
    except _BROKEN:  # reported when a student's archives are opened
        return []


def _tell_page(archive: str, tell: Callable[[str], object], page: str) -> None:
    tell(
        f"{archive} does not say how its names are encoded, so they are read as {page}. If they are wrong, unpack the "
        "archive and grade the folder."
    )


def _same(path: str, other: Path) -> bool:
    try:
        return os.path.samefile(path, other)
    except OSError:
        return False


def _entries(folder: Path | str, most: int | None = None) -> list[os.DirEntry]:
    with os.scandir(folder) as entries:
        return sorted(itertools.islice(entries, most), key=lambda entry: entry.name)


def _walk(first: os.DirEntry, source: Path, above: int) -> Iterator[_File]:
    """Yield one student's files, the least nested first and hidden notebooks last."""
    queue, last, looked = deque([(first, above)]), deque(), 0
    while queue or last:
        entry, depth = (queue or last).popleft()
        looked += 1
        path = PurePosixPath(Path(entry.path).relative_to(source).as_posix())
        if not _wanted(path):
            continue
        hidden = _hidden(path)
        try:
            if hidden and is_notebook(path) and not entry.is_dir(follow_symlinks=False):
                yield hidden
            elif entry.is_symlink():
                if is_notebook(path):
                    yield _File(path, read=_no_link)
                elif depth == above or is_archive(path):  # a student's folder or archive
                    yield _File(path, unseen="it is a link, and links are not followed")
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
                yield _on_disk(path, Path(entry.path), stat)
        except OSError as error:
            if not hidden:
                yield _File(path / _MORE, unseen=f"it cannot be opened ({error.strerror})")


def _on_disk(path: PurePosixPath, place: Path, stat: os.stat_result) -> _File:
    when = stat.st_mtime
    opened = partial(place.open, "rb")
    return _File(path, when, _local(when), stat.st_size, place.read_bytes, dated=True, opened=opened)


def _local(seconds: float) -> datetime | None:
    """Convert a file's time to local time; None if an unpacking program has set an impossible number."""
    try:
        return datetime.fromtimestamp(int(seconds))
    except (ValueError, OverflowError, OSError):
        return None


_MORE = "…"  # the contents of a folder
_TOO_DEEP = f"it is more than {_DEEP} folders deep"
_TOO_MANY = f"this student has more than {_MANY} files and folders"
_HIDDEN = "its name begins with a dot"


def _members(
    archive: zipfile.ZipFile, most: int | None = None, tell: Callable[[str], object] = lambda page: None
) -> Iterator[_File]:
    """Yield the files in an archive; ``tell`` is called with the code page if that was guessed."""
    infos = archive.infolist()[:most]
    names, page = names_of(infos)
    if page:
        tell(page)
    for info, name in zip(infos, names, strict=True):
        path = PurePosixPath(name.replace("\\", "/").lstrip("/"))
        if not path.parts or info.is_dir() or not _wanted(path):
            continue
        if hidden := _hidden(path):
            if is_notebook(path):
                yield hidden
            continue
        if len(path.parts) > _DEEP + 1:
            yield _File(PurePosixPath(*path.parts[:_DEEP], _MORE), unseen=_TOO_DEEP)
            continue
        stamp = _stamp(info)
        # whatever size the archive claims, unpack at most what is read
        yield _File(
            path, _seconds(stamp), stamp, info.file_size, lambda i=info: archive.open(i).read(MAX_FILE + 1),
            opened=lambda i=info: _in_memory(archive, i),
        )  # fmt: skip


def _in_memory(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO:
    return io.BytesIO(archive.open(info).read(_ARCHIVE))


def _seconds(stamp: datetime | None) -> float:
    try:
        return stamp.timestamp() if stamp else 0.0
    except (ValueError, OverflowError, OSError):
        return 0.0


def _stamp(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)
    except ValueError:  # some programs write 0 for the month
        return None


def _no_link() -> bytes:
    """Refuse to follow a link, because it could point to another student's work."""
    raise OSError("it is a link, and links are not followed")


def _wanted(path: PurePosixPath) -> bool:
    return not (set(path.parts) & _SKIPPED or path.name.startswith(_LEFT_BEHIND) or ".." in path.parts)


def _hidden(path: PurePosixPath) -> _File | None:
    """Return a skipped file for a path in which a name begins with a dot, else None."""
    first = next((i for i, part in enumerate(path.parts, 1) if part.startswith(".")), 0)
    inside = [_MORE] if first < len(path.parts) else []
    return _File(PurePosixPath(*path.parts[:first], *inside), unseen=_HIDDEN) if first else None


# ---------------------------------------------------------------- what is in them


def _latest(
    group: list[tuple[Name, _File]], sheet: str | None, others: list[_File], level: int
) -> list[tuple[Name, Submission]]:
    """Return one origin's submission for each sheet, keeping only the notebooks that count.

    Other files in an archive are added to ``others``. ``level`` is how deep the origin's folder is, if that was a
    guess; then a ValueError asks whether the folders in it are students.
    """
    with contextlib.ExitStack() as archives:
        files = list(_unpacked(group, others, archives))
        clone = course_files.is_clone(PurePosixPath(*file.path.parts[1:]) for _, file in files)
        whole = [(name, file) for name, file in files if is_notebook(file.path) or not (clone or _is_helper(file))]
        several = len(whole) > 1
        own = [pair for pair in whole if not (several and _byte_for_byte(pair[1], clone))]

        def rank(pair: tuple[Name, _File]) -> tuple:
            name, file = pair
            depth = len(file.path.parts)
            return clone and course_files.place(file.path), is_notebook(file.path), name.order, -depth, str(file.path)

        own.sort(key=rank, reverse=True)
        found = _Attempts(clone, several)
        for name, file in own[:_ATTEMPTS]:
            found.look_at(name, file, sheet)
    if level and group[0][0].origin[0] == "folder" and not clone:
        found.ask(level)
    chosen = found.counted()
    if len(own) > _ATTEMPTS:
        for _, submission in chosen:
            submission.notes.append(f"of {len(own)} notebooks, only the latest {_ATTEMPTS} were read")
    if not chosen and whole:
        name, file = whole[0]
        problem = "it contains only the course's own notebooks, without answers"
        return [(name, Submission("", file.path.parts[0], sheet, None, problem))]
    if not chosen and group:
        return [(group[0][0], _without_notebook([file for _, file in group] + others, sheet))]
    return chosen


def _unpacked(
    group: list[tuple[Name, _File]], others: list[_File], archives: contextlib.ExitStack
) -> Iterator[tuple[Name, _File]]:
    """Yield a student's notebooks, also those in archives, which stay open as long as ``archives``."""
    room, memory, queue = _MANY, _ARCHIVE, deque((name, file, 0) for name, file in group)
    while queue:
        name, file, above = queue.popleft()
        if not is_archive(file.path):
            yield name, file
            continue
        if why := _too_far(file, above, room, memory):
            others.append(replace(file, unseen=why))
            continue
        memory -= 0 if file.dated else file.size  # an archive in an archive is unpacked into memory
        try:
            data = archives.enter_context(file.opened())
            if _contents(data) > _CONTENTS:
                others.append(_File(file.path / _MORE, unseen=_TOO_MANY))
                continue
            archive = archives.enter_context(zipfile.ZipFile(data))
        except _BROKEN as error:
            others.append(replace(file, unseen=f"it cannot be opened ({_why(error)})"))
            continue
        count = len(archive.infolist())
        if count > room:
            others.append(_File(file.path / _MORE, unseen=_TOO_MANY))
        for member in _members(archive, room):
            path = file.path / member.path
            if member.read is None or len(path.parts) > _DEEP + 1:
                others.append(replace(member, path=path, unseen=member.unseen or _TOO_DEEP))
            elif may_be_answers(path):
                number, *_ = read_name(PurePosixPath("x") / path.name, 0.0, Export()).order
                first = name.order[0] if isinstance(name.order[0], str) else max(name.order[0], number)
                order = (first, member.when)
                queue.append((replace(name, order=order), replace(member, path=path), above + 1))
            else:
                others.append(replace(member, path=path, unseen=_why_unread(path)))
        room -= min(count, room)


def _contents(data: BinaryIO) -> int:
    """Return the size of an archive's table of contents, before zipfile turns all of it into objects."""
    end = data.seek(0, io.SEEK_END)
    data.seek(max(0, end - 22 - 65535))
    tail = data.read()
    whole = (
        tail[-22:-18] == b"PK\5\6" and tail[-2:] == b"\0\0"
    )  # search as zipfile does: first without a comment, then with
    at = len(tail) - 22 if whole else tail.rfind(b"PK\5\6")
    size = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if at >= 76 and tail[at - 20 : at - 16] == b"PK\6\7" and tail[at - 76 : at - 72] == b"PK\6\6":
        size = max(size % 0xFFFFFFFF, int.from_bytes(tail[at - 36 : at - 28], "little"))
    data.seek(0)
    return size


def _too_far(file: _File, above: int, room: int, memory: int) -> str:
    if above >= _ARCHIVES:
        return f"it is in more than {_ARCHIVES} nested archives"
    if file.size > _ARCHIVE:
        return f"the archive has more than {_ARCHIVE // 10**6} MB"
    if not file.dated and file.size > memory:
        return f"this student's nested archives have more than {_ARCHIVE // 10**6} MB"
    return "" if room else _TOO_MANY


def _is_helper(file: _File) -> bool:
    """Whether a Python file defines no function of a sheet."""
    try:
        return recognise_sheet(read_answers(file.read(), file.path.name)) is None
    except (Unreadable, *_BROKEN):
        return True


def _byte_for_byte(file: _File, clone: bool) -> bool:
    """Whether the file is byte for byte one of the course's notebooks; an empty sheet counts only in a clone."""
    try:
        found = course_files.as_handed_out(file.read(), file.path) if course_files.own_bytes(file.size) else ()
        return bool(found) and (clone or course_files.SHEETS not in found)
    except _BROKEN:
        return False  # the reason is reported when the file is read


class _Attempts:
    """Choose which of a student's notebooks counts for each sheet; they must come in the order of their rank."""

    def __init__(self, clone: bool, several: bool) -> None:
        self.clone, self.several = clone, several
        self.chosen: dict[str | None, tuple[Name, Submission]] = {}
        self.passed: dict[str | None, list[str]] = {}
        self.untouched: dict[str | None, tuple[Name, Submission]] = {}  # unchanged empty sheets
        self.foreign: list[tuple[Name, Submission]] = []  # with the functions of another sheet than the given one
        self.blank: dict[str | None, bool] = {}  # whether the chosen notebook has no answers
        self.damaged: list[tuple[Name, Submission]] = []  # unreadable files of a clone that may be answers
        self.behind: dict[str | None, str] = {}  # of sheets with a newer attempt than the one that counts, what it has

    def look_at(self, name: Name, file: _File, sheet: str | None) -> None:
        """Consider the next notebook."""
        submission = _read(file, name.stem, None if self.clone else sheet)
        notebook, key = submission.notebook, submission.sheet
        if self.clone and notebook is None and key and sheet in (None, key) and course_files.place(file.path) > 1:
            self.damaged.append((name, submission))
        if self.clone and not (notebook and key and sheet in (None, key)):
            return
        if self.clone and not course_files.says_something(notebook, key, file.path):
            return
        trusted = file.dated and name.origin[0] in ("folder", "flat") and not self.clone
        submission.handed_in = name.when or (file.stamp if trusted else None)
        if self.several and sheet and notebook and recognise_sheet(notebook) not in (None, sheet):
            self.foreign.append((name, submission))
            return
        if notebook and self.several and (own := course_files.own_code(notebook, file.path)):
            if not self.clone and course_files.SHEETS in own:
                self.untouched.setdefault(key, (name, submission))
            return
        empty = _is_blank(submission)
        if key not in self.chosen:
            self.chosen[key], self.blank[key] = (name, submission), empty
        elif notebook and not empty and (self.blank[key] or self._is_scrap_beside(notebook, key)):
            self.passed.setdefault(key, []).insert(0, self.chosen[key][1].file)
            self.behind[key] = "that answers anything" if self.blank[key] else "with most of the sheet's functions"
            self.chosen[key], self.blank[key] = (name, submission), False
        else:
            self.passed.setdefault(key, []).append(submission.file)
            graded = self.chosen[key][1]
            if empty or not key or self.clone:
                return
            if more := sorted(answered(notebook, key) - answered(graded.notebook, key)):
                graded.review.append(f"{submission.file} answers {', '.join(more)}, and the graded file does not")
                graded.named.append(submission.file)

    def _is_scrap_beside(self, notebook: Notebook, sheet: str | None) -> bool:
        """Whether the chosen notebook has fewer than half of the functions that an earlier one has."""
        names = {spec.name for spec in exercises(sheet)} if sheet else set()
        return 2 * len(names & self.chosen[sheet][1].notebook.functions) < len(names & notebook.functions)

    def ask(self, level: int) -> None:
        """Raise an error if several folders of this student contain the same sheet."""
        for key, files in self.passed.items():
            paths = [PurePosixPath(file).parts for file in (self.chosen[key][1].file, *files)]
            inside = sorted({parts[1] for parts in paths if len(parts) > 2 and not is_archive(PurePosixPath(parts[1]))})
            if len(inside) > 1:
                raise ValueError(
                    f"the folder {paths[0][0]} has {key or 'a notebook'} in several folders: {', '.join(inside)}. If "
                    f"these are students, add --level {level + 1}. If {paths[0][0]} is a student, add --level {level}."
                )

    def counted(self) -> list[tuple[Name, Submission]]:
        """Return the notebook that counts for each sheet, with notes about the others."""
        for name, submission in self.damaged:
            _, counts = self.chosen.setdefault(submission.sheet, (name, submission))
            if counts is not submission:
                counts.named.append(submission.file)
                counts.review.append(f"skipped: {submission.file}, because {submission.problem}")
        for key, files in self.passed.items():
            latest = self.chosen[key][1]
            more = f" and {len(files) - 5} more" if len(files) > 5 else ""
            not_these = ", ".join(reversed(files[:5])) + more
            latest.named += files[:5]
            which = f"the latest {self.behind.get(key, '')}".strip()
            if self.clone and course_files.WORK in PurePosixPath(latest.file).parts:
                which = f"the latest in {course_files.WORK}"
            latest.notes.append(f"{len(files) + 1} attempts. Graded: {latest.file}, {which}. Not graded: {not_these}.")
            latest.review.append(f"{len(files) + 1} attempts, of which {which} is graded")
        for _, submission in self.chosen.values():
            if self.clone and course_files.place(PurePosixPath(submission.file)) == 1:
                submission.review.append("the graded file is in the folder solutions of a clone of the course")
        return list((self.untouched | self.chosen).values()) or self.foreign[:1]


def _is_blank(submission: Submission) -> bool:
    """Whether an attempt has no answer; an unreadable one has none that can be graded."""
    if submission.notebook is None:
        return True
    return bool(submission.sheet) and answers_nothing(submission.notebook, submission.sheet)


# an encrypted or damaged member, or no permission to read
_BROKEN = (OSError, RuntimeError, EOFError, NotImplementedError, UnicodeError, IndexError, zlib.error, lzma.LZMAError,
           zipfile.BadZipFile)  # fmt: skip


def _why(error: BaseException) -> str:
    """Return what went wrong, without paths on this machine."""
    return (getattr(error, "strerror", None) or re.sub(r"""b?(['"]).*\1""", "it", str(error)))[:100]


def _read(file: _File, stem: str, sheet: str | None) -> Submission:
    submission = Submission("", str(file.path), sheet, None)
    try:
        if file.size > MAX_FILE:
            raise Unreadable(TOO_LARGE)
        submission.notebook = read_answers(file.read(), file.path.name)
    except Unreadable as error:
        submission.problem = str(error)
    except _BROKEN as error:
        submission.problem = f"the file cannot be read: {_why(error)}"
    if submission.notebook and submission.notebook.left_out:
        cells = ", ".join(str(number) for number in submission.notebook.left_out[:10])
        submission.notes.append(f"Cells of more than {MAX_CELL} characters were left out (cell {cells})")
    if sheet is None:
        by_name, most = named_sheet(stem, file.path.stem), None
        if submission.notebook:
            most = recognise_sheet(submission.notebook)
            submission.sheet = recognise_sheet(submission.notebook, stem, file.path.stem)
        submission.sheet = submission.sheet or by_name
        if submission.sheet == by_name and most not in (None, by_name):
            submission.notes.append(f"graded as {by_name} because of its name; most of its functions belong to {most}")
        if submission.sheet is None and not submission.problem:
            submission.problem = "this notebook defines none of the course's exercises"
        elif by_name is None and submission.sheet and submission.notebook:
            submission.notes.append(f"recognised as {submission.sheet} by its functions")
    return submission
