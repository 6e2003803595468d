"""``kcourse term RESULTS… --out TERM``: one table for the term, from the results of several sheets and graders.

It reads only the ``grades.csv`` of each results folder, which includes overrides, lateness and individual deadlines.
Rows belong to the same student if they have the same roster id, or without an id the same name. A sheet that is a stray
one in every folder (`results.strays`) does not count.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from kcourse.checks import CHAPTERS
from kcourse_grader.reports.items import as_tables, items_of, picture
from kcourse_grader.reports.results import NUMBER, Row, read_results, read_text, strays
from kcourse_grader.reports.roster import read_rows
from kcourse_grader.writing import guarded, write_whole

__all__ = ["merged", "read_weights", "term_table", "write_term"]

_WEIGHTS = ["sheet", "weight"]


def read_weights(path: Path) -> dict[str, float]:
    """Return the weight of each sheet, from a table with the columns sheet and weight."""
    path = Path(path)
    rows = read_rows(path, read_text(path))
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if header != _WEIGHTS:
        raise ValueError(f"{path}, line 1: the columns must be sheet, weight; got {', '.join(header) or 'none'}.")
    found: dict[str, float] = {}
    for i, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        sheet, weight = [cell.strip() for cell in [*row, ""][:2]]
        if sheet not in CHAPTERS:
            near = difflib.get_close_matches(sheet, CHAPTERS, n=3) or CHAPTERS
            raise ValueError(f"{path}, line {i}: no sheet named {sheet!r}. Available: {', '.join(near)}.")
        if sheet in found:
            raise ValueError(f"{path}, line {i}: {sheet} is listed twice.")
        if not NUMBER.fullmatch(weight):
            raise ValueError(f"{path}, line {i}: the weight of {sheet} is {weight!r}; write 0 or more, like 1.5.")
        found[sheet] = float(weight.replace(",", "."))
    return found


def merged(rows: Iterable[Row]) -> dict[str, dict[str, Row]]:
    """Return student → sheet → the row that counts; the sheet is "" for a file without a recognised sheet.

    Graders who share the work may each list the others' students as missing; such rows give way to rows with points.
    ValueError if two rows contradict each other about a student's points or a sheet's largest number of points.
    """
    rows = list(rows)
    ids: dict[str, set[str]] = {}
    for row in rows:
        ids.setdefault(row.student, set()).update({row.id} - {""})
    found: dict[str, dict[str, Row]] = {}
    worth: dict[str, Row] = {}
    for row in rows:
        first = worth.setdefault(row.sheet, row)
        if row.sheet and first.worth != row.worth:
            raise ValueError(
                f"{row.where}: {row.sheet} is worth {row.worth:g} points, but {first.worth:g} in {first.where}. Grade "
                "both with the same version of the course."
            )
        key = row.id or (next(iter(ids[row.student])) if len(ids[row.student]) == 1 else row.student)
        mine = found.setdefault(key, {})
        other = mine.get(row.sheet)
        if row.sheet and other is not None and row.rank == other.rank and row.score != other.score:
            raise ValueError(
                f"{row.where}: {row.student} has {row.score:g} points for {row.sheet}, but {other.score:g} in "
                f"{other.where}. Grade each folder with its own --sheet, or remove one of the two submissions."
            )
        if other is None or row.rank > other.rank:
            mine[row.sheet] = row
    return found


def term_table(
    students: dict[str, dict[str, Row]], weights: dict[str, float] | None = None, drop: int = 0
) -> list[list[str]]:
    """Return the term's table, header first.

    The mark is the weighted mean of the shares of points, in percent: Σ w·s / Σ w over the sheets that count. A missing
    sheet has the share 0. Each student's ``drop`` sheets with the lowest shares do not count.
    """
    sheets = [sheet for sheet in CHAPTERS if any(sheet in mine for mine in students.values())]
    if weights is not None and (gone := [sheet for sheet in sheets if sheet not in weights]):
        raise ValueError(f"there is no weight for {', '.join(gone)}. Add a row; weight 0 means that it does not count.")
    weight = {sheet: 1.0 if weights is None else weights[sheet] for sheet in sheets}
    counting = [sheet for sheet in sheets if weight[sheet]]
    if not counting:
        raise ValueError("no graded sheet has a weight above 0. Change the weights.")
    if not 0 <= drop < len(counting):
        raise ValueError(
            f"--drop {drop}: write 0 to {len(counting) - 1}. The number of sheets that count is {len(counting)}."
        )
    worth = {sheet: next(m[sheet].worth for m in students.values() if sheet in m) for sheet in sheets}
    table = [
        ["student", "id", *(f"{s} (of {worth[s]:g})" for s in sheets), "points_off", "missing", "dropped", "percent"]
    ]
    for mine in students.values():
        share = {sheet: mine[sheet].score / worth[sheet] if sheet in mine else 0.0 for sheet in counting}
        dropped = sorted(counting, key=lambda sheet: (share[sheet], -weight[sheet]))[:drop]
        kept = [sheet for sheet in counting if sheet not in dropped]
        percent = 100 * sum(weight[s] * share[s] for s in kept) / sum(weight[s] for s in kept)
        there = max(mine.values(), key=lambda row: row.rank)
        missing = [s for s in sheets if s not in mine or (mine[s].status == "missing" and not mine[s].score)]
        table.append(
            [
                there.student, next((row.id for row in mine.values() if row.id), ""),
                *("" if s in missing else f"{mine[s].score:g}" for s in sheets),
                f"{sum(row.off for row in mine.values()):g}", " ".join(missing), " ".join(dropped), f"{percent:.2f}",
            ]
        )  # fmt: skip
    return [table[0], *sorted(table[1:])]


def _without_strays(folders: Sequence[Sequence[Row]]) -> tuple[list[Row], list[str]]:
    """Return all rows, those of stray sheets as rows without a sheet, and a message about each stray sheet."""
    few = [strays((row.student, row.sheet) for row in rows if row.rank) for rows in folders]
    pairs = [(row, row.sheet in stray) for rows, stray in zip(folders, few, strict=True) for row in rows]
    due = [row for row, stray in pairs if not stray]
    apart = {row.sheet for row, _ in pairs} - {row.sheet for row in due}
    graded = {(row.id or row.student, row.sheet) for row in due if row.rank == 2}

    def counts(row: Row, stray: bool) -> bool:
        """Whether the sheet was due, and if not in this folder, the student is not graded in that one."""
        return row.sheet not in apart and not (stray and (row.id or row.student, row.sheet) in graded)

    rows = [row if counts(row, stray) else replace(row, sheet="", score=0.0, off=0.0) for row, stray in pairs]
    return rows, [f"{sheet} does not count, because very few students handed it in." for sheet in sorted(apart)]


def write_term(results: Sequence[Path], out: Path, *, weights: Path | None = None, drop: int = 0) -> list[str]:
    """Write term.csv, exercises.csv, mistakes.csv and exercises.png into ``out``; return messages for the instructor.

    Raises
    ------
    ValueError
        for an invalid table, with its file, line and fix; then nothing is written.
    """
    told = read_weights(weights) if weights else None
    rows, ignored = _without_strays([read_results(folder) for folder in dict.fromkeys(map(Path, results))])
    students = merged(rows)
    if not any(row.sheet for row in rows):
        raise ValueError(f"{', '.join(map(str, results))}: no student has a grade for any sheet there.")
    table = term_table(students, told, drop)
    items = items_of([row for mine in students.values() for row in mine.values() if row.status == "graded"])
    out = Path(out)
    out.mkdir(parents=True, exist_ok=True)
    for name, cells in {"term.csv": table, **as_tables(items)}.items():
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([guarded(cell) for cell in row] for row in cells)
        write_whole(out / name, "\ufeff" + text.getvalue())
    if items:
        picture(items, out / "exercises.png")
    sheets = len(table[0]) - 6
    said = [f"{len(students)} student{'s' * (len(students) != 1)}, {sheets} sheet{'s' * (sheets != 1)}.", *ignored]
    if not_yet := sorted(set(told or ()) - {row.sheet for row in rows}):
        said.append(f"Nothing is graded yet for {', '.join(not_yet)}, so its weight is ignored.")
    for mine in students.values():
        names = sorted({row.student for row in mine.values()})
        if len({re.sub(r"_\d+$", "", name) for name in names}) > 1:  # Moodle numbers participants anew
            [number] = {row.id for row in mine.values()} - {""}
            said.append(f"{' and '.join(names)} have the same id, {number}, so they count as one student.")
    look = [f"{r.where}: {r.student}, {r.sheet or 'no sheet'}, {r.status}" for r in rows if r.rank == 1 and not r.score]
    return said + [f"Counts 0 because it could not be graded: {line}." for line in look]
