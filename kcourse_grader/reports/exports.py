"""Files for import into platforms: their own table with the points filled in, and an archive of feedback pages.

=========  ======================================================  ==================================================
platform   table                                                   feedback
=========  ======================================================  ==================================================
Moodle     the grading worksheet; *Upload grading worksheet*       ``NAME_4711_assignsubmission_file_/…``; *Upload
                                                                   multiple feedback files in a zip*
Canvas     the gradebook, one column of it; *Import*               ``name_4711_998877_…``; *Upload submissions*
Gradescope none                                                    ``results.json`` of each, as its autograder writes
=========  ======================================================  ==================================================
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from kcourse.base import files
from kcourse_grader.marking.record import Grade
from kcourse_grader.reports.roster import Roster
from kcourse_grader.writing import file_stem, write_whole

__all__ = ["FOLDER", "remove_tables", "write_exports"]

FOLDER = "exports"
_MOODLE = re.compile(r"[^/]+_\d+_assignsubmission_[^/]*")
_MOODLE_FLAT = re.compile(r"[^/]+?_\d+_assignsubmission_[^_/]*_")
_CANVAS = re.compile(r"[^_/]+(?:_LATE)?_\d+_\d+(?=_)")


def write_exports(
    grades: Sequence[Grade], roster: Roster | None, column: str, out: Path, tests: Callable[[Grade], dict]
) -> None:
    """Write the files for import into ``out``/exports.

    ``tests`` converts a grade to Gradescope's results. A table is written only for a roster from Moodle or Canvas, an
    archive only for submissions whose names come from the platform.
    """
    folder = Path(out) / FOLDER
    folder.mkdir(exist_ok=True)
    for sheet in sorted({grade.sheet for grade in grades if grade.sheet}):
        # for missing or ungraded submissions, the platform's own value stays unchanged
        graded = [g for g in grades if g.sheet == sheet and (g.status == "graded" or _set_by_hand(g))]
        if roster is not None and roster.kind != "plain":
            points = {grade.place: f"{grade.score:g}" for grade in graded if grade.place}
            table = folder / f"{roster.kind}_{sheet}.csv"
            if points:
                write_whole(table, roster.filled(points.get, sheet, column))
            else:
                table.unlink(missing_ok=True)
        for platform, place in (("moodle", _in_moodle), ("canvas", _in_canvas)):
            pages = {place(grade): _page(out, grade) for grade in graded if place(grade)}
            if pages:
                files.write_whole(folder / f"{platform}_feedback_{sheet}.zip", _packed(pages))
        for grade in graded:
            path = folder / "gradescope" / file_stem(grade.student, sheet) / "results.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(tests(grade), indent=1, ensure_ascii=False))


def remove_tables(out: Path, roster: Roster | None) -> list[Path]:
    """Remove an earlier run's tables for another platform than the roster's, because they are stale; return them."""
    kept = roster.kind if roster else ""
    stale = [path for kind in ("moodle", "canvas") if kind != kept for path in (out / FOLDER).glob(f"{kind}_*.csv")]
    for path in stale:
        path.unlink()
    return stale


def _set_by_hand(grade: Grade) -> bool:
    return grade.set_to is not None or any(result.get("override") is not None for result in grade.results)


def _page(out: Path, grade: Grade) -> bytes:
    return (Path(out) / "feedback" / f"{file_stem(grade.student, grade.sheet)}.html").read_bytes()


def _handed_in(file: str) -> str:
    """Return the file as the platform knows it: the archive, if the notebook was in one."""
    top, _, _ = file.partition("/")
    return top if top.lower().endswith(".zip") else file


def _in_moodle(grade: Grade) -> str:
    """Return the page's path for Moodle, which reads the participant's number from the folder name that it gave."""
    folder, slash, _ = _handed_in(grade.file).partition("/")
    if slash:
        return f"{folder}/feedback_{grade.sheet}.html" if _MOODLE.fullmatch(folder) else ""
    match = _MOODLE_FLAT.match(folder)
    return f"{match[0]}feedback_{grade.sheet}.html" if match else ""


def _in_canvas(grade: Grade) -> str:
    """Return the page's name for Canvas, which reads two numbers between underscores: the user's and the file's."""
    file = _handed_in(grade.file)
    match = _CANVAS.match(file) if "/" not in file else None
    return f"{match[0]}_feedback_{grade.sheet.replace('_', '-')}.html" if match else ""


def _packed(pages: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in sorted(pages.items()):
            name = name.encode("utf-8", "replace").decode()  # archives need valid Unicode
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), page, zipfile.ZIP_DEFLATED)
    return data.getvalue()
