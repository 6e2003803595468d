"""Which files are whose: folders, flat files, and the archives that learning platforms export.

=====================  =========================================================  =========================
layout                 example                                                    student
=====================  =========================================================  =========================
a folder per student   ``alice/ch03_ridge_sheet.ipynb``                           alice
flat                   ``alice.ipynb``, ``alice_ch03_ridge_sheet.ipynb``          alice
Moodle                 ``Ada Lovelace_4711_assignsubmission_file_/sheet.ipynb``   Ada Lovelace_4711
Canvas                 ``lovelaceada_LATE_4711_998877_ch03_ridge-2.ipynb``        lovelaceada_4711
Blackboard             ``Sheet 3_alice_attempt_2026-11-20-23-59-00_sheet.ipynb``  alice
=====================  =========================================================  =========================

Of several attempts at one sheet the latest counts: by the number or the time in its name, else by the file's time.
"""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from kcourse.checks import CHAPTERS
from kcourse.grading.notebook import MAX_FILE, Notebook, Unreadable, read_notebook, recognise_sheet

__all__ = ["Submission", "collect"]

_MOODLE = re.compile(r"^(?P<who>.+_\d+)_assignsubmission_\w*$")
_CANVAS = re.compile(r"^(?P<who>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<file>.+)$")
_BLACKBOARD = re.compile(r"^.+?_(?P<who>[^_]+)_attempt_(?P<when>\d{4}(?:-\d{2}){5})(?:_(?P<file>.*))?$")
_AGAIN = re.compile(r"(?:-(\d+)|\s*\((\d+)\))$")  # "sheet-2", "sheet (2)": what platforms and browsers append
_SKIPPED = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git"}
_PACKED_TIMES = 200  # a member that unpacks to more than this many times its size is a bomb


@dataclass
class Submission:
    """One student's work on one sheet: the file that counts, and what there was to note on the way to it."""

    student: str
    file: str
    sheet: str | None
    notebook: Notebook | None
    problem: str = ""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _File:
    path: PurePosixPath
    when: float
    size: int
    read: object  # () -> bytes


def collect(source: Path, sheet: str | None = None) -> list[Submission]:
    """Return the submissions in a folder, a zip archive or a single notebook, in the order of students.

    Parameters
    ----------
    source : path
        what the instructor was handed.
    sheet : str, optional
        the sheet that all of them answer; by default each is recognised by the functions that it defines.

    Raises
    ------
    FileNotFoundError, ValueError
        if there is nothing of that name, or nothing in it that could be a submission.
    """
    source = Path(source)
    if not source.exists():
        raise FileNotFoundError(f"there is no {source}; give the folder or the zip archive with the submissions.")
    attempts: dict[tuple[str, str | None], list[tuple[tuple, Submission]]] = {}
    without: dict[str, list[str]] = {}
    for file in _below_common_folder(list(_files(source)), source.stem):
        student, stem, order = _whose(file)
        if file.path.suffix.lower() != ".ipynb":
            without.setdefault(student, []).append(str(file.path))
            continue
        submission = _read(file, student, stem, sheet)
        attempts.setdefault((student, submission.sheet), []).append((order, submission))
    chosen = [_latest(group) for group in attempts.values()]
    have = {submission.student for submission in chosen}
    for student, files in without.items():
        if student not in have and source.is_dir() and len(PurePosixPath(files[0]).parts) > 1:
            problem = f"there is no notebook, only {', '.join(sorted(files)[:3])}"
            chosen.append(Submission(student, files[0], sheet, None, problem))
    if not chosen:
        raise ValueError(f"{source} has no notebooks (*.ipynb); give a folder with one per student, or a zip archive.")
    return sorted(chosen, key=lambda s: (s.student, s.sheet or ""))


def _files(source: Path) -> Iterator[_File]:
    if source.is_file() and zipfile.is_zipfile(source):
        try:
            archive = zipfile.ZipFile(source)
        except (zipfile.BadZipFile, OSError) as error:
            raise ValueError(f"{source} is a damaged archive: {error}") from None
        for info in archive.infolist():
            path = PurePosixPath(info.filename.replace("\\", "/"))
            if not info.is_dir() and _wanted(path):
                bomb = info.file_size > MAX_FILE or info.file_size > _PACKED_TIMES * max(info.compress_size, 1)
                when = float("".join(f"{part:02d}" for part in info.date_time))
                yield _File(path, when, MAX_FILE + 1 if bomb else info.file_size, lambda i=info: archive.read(i))
    elif source.is_file():
        yield _File(PurePosixPath(source.name), 0.0, source.stat().st_size, source.read_bytes)
    else:
        for path in sorted(source.rglob("*")):
            relative = PurePosixPath(path.relative_to(source).as_posix())
            if path.is_symlink() and path.suffix.lower() == ".ipynb" and _wanted(relative):
                yield _File(relative, 0.0, 0, _no_link)
            elif path.is_file() and not path.is_symlink() and _wanted(relative):
                stat = path.stat()
                yield _File(relative, stat.st_mtime, stat.st_size, path.read_bytes)


def _no_link() -> bytes:
    """A link could point anywhere, at another student's work for one."""
    raise OSError("it is a link, which is not followed")


def _below_common_folder(files: list[_File], name: str) -> list[_File]:
    """An archive may hold one folder with everything in it: that is nobody's name, and so not the students' folder."""
    tops = {file.path.parts[0] for file in files}
    notebooks = [file for file in files if file.path.suffix.lower() == ".ipynb"]
    if len(tops) != 1 or not all(len(file.path.parts) > 1 for file in files) or not notebooks:
        return files
    if tops != {name} and not all(len(file.path.parts) > 2 for file in notebooks):
        return files
    below = [replace(file, path=PurePosixPath(*file.path.parts[1:])) for file in files]
    if all(file.path.parts[0] in CHAPTERS for file in below):  # nbgrader's layout, and one student alone
        return files
    return _below_common_folder(below, "") if tops != {name} else below


def _wanted(path: PurePosixPath) -> bool:
    return not (set(path.parts) & _SKIPPED or path.name.startswith(".") or ".." in path.parts)


def _whose(file: _File) -> tuple[str, str, tuple]:
    """(student, rest of the file's name, key that orders attempts)."""
    parts, stem = file.path.parts, file.path.stem
    number = 0
    if match := _BLACKBOARD.match(stem):
        return match["who"], match["file"] or "", (match["when"], file.when)
    if len(parts) > 1:
        folder = parts[0]
        moodle = _MOODLE.match(folder)
        student = moodle["who"] if moodle else folder
    elif match := _CANVAS.match(stem):
        student, stem = f"{match['who']}_{match['id']}", match["file"]
    else:
        student = _without_sheet(stem)
    if match := _AGAIN.search(stem):
        number, stem = int(match[1] or match[2]), stem[: match.start()]
    return student, stem, (number, file.when)


def _without_sheet(stem: str) -> str:
    """ "alice_ch03_ridge_sheet" and "ch03_ridge-alice" are alice's; "ch03_ridge_sheet" alone is that."""
    for chapter in CHAPTERS:
        sheet = rf"{chapter}(?:_sheet)?(?:_new\d*)?"  # as `kcourse lab` names sheets and their new versions
        name = re.sub(rf"(?i)^{sheet}[ _.-]+|[ _.-]+{sheet}(?:[ _-]*\(?\d*\)?)?$", "", stem)
        if name and name != stem:
            return stem if re.fullmatch(f"(?i){sheet}", stem) else name
    return stem


def _read(file: _File, student: str, stem: str, sheet: str | None) -> Submission:
    submission = Submission(student, str(file.path), sheet, None)
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
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
    ) as error:  # encrypted or damaged member, no right to read
        submission.problem = f"the file cannot be read: {str(error)[:100]}"
    if sheet is None:
        by_name = next((chapter for chapter in CHAPTERS if chapter in stem or chapter in file.path.stem), None)
        submission.sheet = (submission.notebook and recognise_sheet(submission.notebook)) or by_name
        if submission.sheet is None and not submission.problem:
            submission.problem = "none of the course's exercises is defined in this notebook"
        elif by_name is None and submission.sheet and submission.notebook:
            submission.notes.append(f"recognised as {submission.sheet} by its functions")
    return submission


def _latest(group: list[tuple[tuple, Submission]]) -> Submission:
    group.sort(key=lambda item: item[0])
    latest = group[-1][1]
    if len(group) > 1:
        others = ", ".join(submission.file for _, submission in group[:-1])
        latest.notes.append(f"{len(group)} attempts; {latest.file} is the latest and counts, not {others}")
    return latest
