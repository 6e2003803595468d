"""Find the students' folders: they may be in other folders, and next to files that belong to nobody.

Platforms write names that only they write, such as ``Ada_4711_assignsubmission_file_``. If all notebooks are below
such folders, these are the students', however deep they are. Otherwise a folder that contains everything is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TypeVar

from kcourse.checks import CHAPTERS
from kcourse.sheets import course_files
from kcourse_grader.submissions.naming import is_platforms

__all__ = [
    "DRAFT", "belongs_to_nobody", "is_archive", "is_notebook", "is_one_clone", "may_be_answers", "students_folders",
]  # fmt: skip

_NOTEBOOK = re.compile(r"(?i)\.ipynb(\.json|\.txt)?$")  # browsers and Windows append the second ending
_NOBODYS = re.compile(
    r"(?i)(index\.html|desktop\.ini|thumbs\.db|readme.*|.*\.(csv|tsv|xlsx?|ods|ini|lnk|url|md|ya?ml))"
)
_DRAFTS, _HANDED_IN = {"working files", "arbeitsdateien"}, {"submitted files", "übermittelte dateien"}  # Teams
DRAFT = "it is a draft that was not handed in"
_START = PurePosixPath("notebooks/00_start_here.ipynb")

File = TypeVar("File")  # it has a path, and a group: the folders around the student's


def is_notebook(path: PurePosixPath) -> bool:
    """Whether a name is that of a notebook."""
    return bool(_NOTEBOOK.search(path.name))


def is_archive(path: PurePosixPath) -> bool:
    """Whether a name is that of an archive that is opened."""
    return path.suffix.lower() == ".zip"


def may_be_answers(path: PurePosixPath) -> bool:
    """Whether a file is read: a notebook, an archive, or a Python file."""
    return is_notebook(path) or is_archive(path) or path.suffix.lower() == ".py"


def belongs_to_nobody(path: PurePosixPath) -> bool:
    """Whether a file beside the students' folders or files is not a submission: a table, a README, a system's file."""
    return len(path.parts) == 1 and bool(_NOBODYS.fullmatch(path.name))


def is_one_clone(files: Sequence[File]) -> bool:
    """Whether these are the folders of one clone of the course, and not the folders of several students."""
    tops = {file.path.parts[0] for file in files if len(file.path.parts) > 1}
    ours = tops & {course_files.WORK, "notebooks", course_files.SHEETS, "solutions"}
    marked = course_files.WORK in tops or any(file.path == _START for file in files)
    return marked and (len(ours) > 1 or ours == tops)


def students_folders(
    files: Sequence[File], name: str, level: int | None, tell: Callable[[str], object]
) -> tuple[list[File], PurePosixPath]:
    """Return the files with paths that begin at the student's part, and the folders around all of them.

    ``name`` is that of the archive or folder with the files. With ``level`` the students' folders are that deep: 1 is
    the top. ``tell`` is called with a sentence about what is left out. The names of files that are ``hidden`` decide
    nothing.
    """
    files = _without_drafts(files, tell)
    if level:
        return [_below(file, level - 1) for file in files if len(file.path.parts) >= level], PurePosixPath()
    files, outer, inner = _without_bystanders(files, tell), PurePosixPath(), name
    depths = [_platforms_depth(file.path) for file in files if may_be_answers(file.path) and not file.hidden]
    if any(depths) and None not in depths:
        tell("A platform has named the folders that count as one student each.")
        for file in files:
            if _platforms_depth(file.path) is None:
                tell(f"Skipped: {file.path}, because it is in no student's folder.")
        return [_below(file, depth) for file in files if (depth := _platforms_depth(file.path)) is not None], outer
    while (top := _around(files, inner)) and not is_one_clone(files):
        below = [_below(file, 1) for file in files if file.path.parts[0] == top and len(file.path.parts) > 1]
        if all(file.path.parts[0] in CHAPTERS for file in below):  # nbgrader's layout with a single student
            break
        below += [file for file in files if file.hidden and file.path.parts[0] != top]
        below = _without_drafts(_without_bystanders(below, tell), tell)
        outer, files, done, inner = outer / top, below, inner == top, ""
        if done:
            break
    if outer.parts:
        tell(f"Everything is in the folder {outer}, so each item inside counts as one student.")
    return [replace(file, group="") for file in files], outer


def _without_bystanders(files: Sequence[File], tell: Callable[[str], object]) -> list[File]:
    for file in files:
        if belongs_to_nobody(file.path):
            tell(f"Not a submission: {file.path}.")
    return [file for file in files if not belongs_to_nobody(file.path)]


def _without_drafts(files: Sequence[File], tell: Callable[[str], object]) -> list[File]:
    """Keep of Teams' two folders what was handed in; of a student's drafts only if there is nothing else, as unseen."""
    tops = {top.casefold(): top for top in (file.path.parts[0] for file in files)}
    handed_in, drafts = (next((tops[n] for n in names if n in tops), "") for names in (_HANDED_IN, _DRAFTS))
    if not handed_in:
        return list(files)
    if drafts:
        tell(f"Skipped: {drafts}, because it has drafts, and {handed_in} has what was handed in.")
    # the files have the time of the download
    kept = [replace(file, dated=False) for file in files if file.path.parts[0] != drafts]
    came = {file.path.parts[1] for file in kept if len(file.path.parts) > 1}
    alone = [f for f in files if f.path.parts[0] == drafts and len(f.path.parts) > 2 and f.path.parts[1] not in came]
    return kept + [replace(f, path=handed_in / _below(f, 1).path, read=None, unseen=DRAFT) for f in alone]


def _around(files: Sequence[File], name: str) -> str:
    """Return the folder that contains all students' folders or files, or ""."""
    shown = [file for file in files if not file.hidden]
    tops = {file.path.parts[0] for file in shown}
    read = [file for file in shown if may_be_answers(file.path)]
    if len(tops) != 1 or not read or not all(len(file.path.parts) > 1 for file in shown):
        return ""
    [top] = tops
    return top if top == name or all(len(file.path.parts) > 2 for file in read) else ""


def _platforms_depth(path: PurePosixPath) -> int | None:
    """Return how many folders are around the one that a platform has named, or None if there is none."""
    return next((i for i, part in enumerate(path.parts[:-1]) if is_platforms(part)), None)


def _below(file: File, depth: int) -> File:
    parts = file.path.parts
    return replace(file, path=PurePosixPath(*parts[depth:]), group="/".join(parts[:depth]))
