"""Write the results: tables for programs, a feedback page for each student, a report for the instructor."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import kcourse.checks
from kcourse.checks import exercises
from kcourse.sheets.notebook import handed_out
from kcourse_grader.marking.grade import VERSIONS
from kcourse_grader.marking.record import Grade
from kcourse_grader.marking.similarity import Pair, Same, matches_course, same_answers, similar_pairs
from kcourse_grader.reports.exports import FOLDER, write_exports
from kcourse_grader.reports.gradebook import Gradebook, anonymised
from kcourse_grader.reports.items import in_words
from kcourse_grader.sandbox.inside import removal
from kcourse_grader.submissions.inbox import Submission
from kcourse_grader.writing import file_stem, guarded, write_whole

__all__ = ["remove_stale", "write_reports"]

WORDS = {
    "passed": "right",
    "partial": "partly right",
    "failed": "not yet right",
    "refused": "please write it yourself",
    "not_attempted": "not attempted",
}
TIERS = {0: "no sandbox (--unsafe)", 1: "sandbox: bubblewrap and limits", 2: "sandbox: Landlock, seccomp and limits"}
_MANY = 10  # rows of a table of the report
_LINES = 60  # lines of an answer that are shown
_WIDE = 200  # characters of such a line
_LONGEST = 20_000  # characters of a cell that is read
_MINE = '<meta name="generator" content="kcourse grade">'  # marks pages that a later run may remove


def write_reports(
    grades: Sequence[Grade],
    out: Path,
    tier: int,
    book: Gradebook | None = None,
    seed: int = 0,
    submissions: Sequence[Submission] = (),
) -> set[Path]:
    """Write grades.csv, grades.json, report.html, unknown.md, feedback/*.html and exports; return the pages."""
    book = book or Gradebook()
    grades = sorted(grades, key=lambda g: (g.student, g.sheet))
    graded = {(grade.student, grade.sheet) for grade in grades}
    same, pairs = _alike([s for s in submissions if (s.student, s.sheet) in graded])
    write_whole(out / "unknown.md", unknown(grades, submissions))
    if book.anonymous:
        grades, names = anonymised(grades, seed, submissions)
        write_whole(out / "names.csv", _table([["name", "student"], *sorted(names.items())]))
        aliases = {student: alias for alias, student in names.items()}
        renamed = [(sheet, replace(p, one=aliases[p.one], other=aliases.get(p.other, p.other))) for sheet, p in pairs]
        # the order of real names would reveal them
        swapped = [(s, replace(p, one=min(p.one, p.other), other=max(p.one, p.other))) if p.other in names else (s, p)
                   for s, p in renamed]  # fmt: skip
        pairs = sorted(swapped, key=lambda pair: (pair[0], -pair[1].share, pair[1].one, pair[1].other))
        same = [
            (sheet, replace(group, names=tuple(sorted(aliases[name] for name in group.names)))) for sheet, group in same
        ]
        same.sort(key=lambda group: (group[0], -group[1].words, group[1].names))
    write_whole(out / "grades.csv", "\ufeff" + as_csv(grades))  # without the mark, spreadsheets read Latin 1
    write_whole(out / "grades.json", json.dumps(as_gradescope(grades), indent=1, ensure_ascii=False))
    templates = _templates()
    (out / "feedback").mkdir(exist_ok=True)
    for grade in grades:
        page = templates.get_template("feedback.html").render(
            grade=grade, title=title(grade.sheet), words=WORDS, unsafe=tier == 0,
            score=_number(grade.score), max_score=_number(grade.max_score),
        )  # fmt: skip
        write_whole(out / "feedback" / f"{page_name(grade)}.html", page)
    report = templates.get_template("report.html").render(
        total=sum(g.status != "missing" or bool(g.file) for g in grades), tier=TIERS[tier], unsafe=tier == 0,
        sheets=_sheets(grades), review=[grade for grade in grades if grade.review], page_name=page_name,
        missing=[grade for grade in grades if grade.status == "missing" and not grade.file],
        late=[grade for grade in grades if grade.days_late], same=same, pairs=pairs, versions=VERSIONS,
    )  # fmt: skip
    write_whole(out / "report.html", report)
    if not book.anonymous:  # platforms need names
        write_exports(grades, book.roster, book.column, out, _gradescope)
    return {out / "feedback" / f"{page_name(grade)}.html" for grade in grades}


def remove_stale(pages: Collection[Path], out: Path, *, anonymous: bool) -> int:
    """Remove an earlier run's feedback pages that are not in ``pages``; with ``anonymous``, also the exports."""
    others = [page for page in (out / "feedback").glob("*.html") if page not in pages]
    gone = [page for page in others if _MINE in page.read_text(encoding="utf-8", errors="replace")[:500]]
    for page in gone:
        page.unlink()
    if anonymous and (out / FOLDER).is_dir():
        removal.remove(out / FOLDER)
    return len(gone)


def page_name(grade: Grade) -> str:
    """Return the file name of a student's page: unique, like that of the stored grade."""
    return file_stem(grade.student, grade.sheet)


def title(sheet: str) -> str:
    """Return the sheet's title, such as "Chapter 3: ridge" for "ch03_ridge"."""
    if not sheet:
        return "Your sheet"
    number, _, name = sheet.removeprefix("ch").partition("_")
    return f"Chapter {number.lstrip('0')}: {name.replace('_', ' ')}"


def as_csv(grades: Sequence[Grade]) -> str:
    """Return grades.csv: one row for each submission, one column for each exercise of the graded sheets."""
    names = [spec.name for sheet in dict.fromkeys(g.sheet for g in grades if g.sheet) for spec in exercises(sheet)]
    file = io.StringIO()
    more = (
        ["id", "handed_in", "days_late"] if any(g.id or g.handed_in or g.days_late is not None for g in grades) else []
    )
    off = ["points_off"] if any(g.points_off for g in grades) else []
    writer = csv.writer(file, lineterminator="\n")
    last = ["in_place", "mistakes", "needs_review"]
    writer.writerow(["student", "file", "sheet", "score", "max", "status", *names, *more, *off, *last])
    for grade in grades:
        points = {result["name"]: _number(result["points"]) for result in grade.results}
        row = [grade.student, grade.file, grade.sheet, _number(grade.score), _number(grade.max_score), grade.status]
        row += [points.get(name, "") for name in names]
        row += [grade.id, grade.handed_in, "" if grade.days_late is None else grade.days_late] if more else []
        row += [_number(grade.points_off)] if off else []
        row += ["; ".join(map(_marked_on, _followed(grade))), _mistakes_of(grade), "; ".join(grade.review)]
        writer.writerow([guarded(str(cell)) for cell in row])
    return file.getvalue()


def _mistakes_of(grade: Grade) -> str:
    """Return the recognised mistakes, such as "krr_fit: no centring; krr_tune: …"."""
    return "; ".join(
        f"{r['name']}: {r['misconception'].replace(';', ',')}" for r in grade.results if r["misconception"]
    )


def _followed(grade: Grade) -> list[dict]:
    """Return the results of answers that call wrong answers and were marked with right ones in their place."""
    return [result for result in grade.results if result.get("instead")]


def _marked_on(result: dict) -> str:
    return (
        f"{result['name']}: {_number(result['alone'])} as handed in, {_number(result['points'])} with a right "
        f"{' and '.join(result['instead'])}"
    )


def _table(rows: Sequence[Sequence[str]]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([guarded(cell) for cell in row] for row in rows)
    return "\ufeff" + file.getvalue()


def _alike(submissions: Sequence[Submission]) -> tuple[list[tuple[str, Same]], list[tuple[str, Pair]]]:
    """Return, for each sheet, the groups with the same answers, and the pairs that share text or have the course's."""
    same: list[tuple[str, Same]] = []
    pairs: list[tuple[str, Pair]] = []
    for sheet in sorted({s.sheet for s in submissions if s.sheet}):
        # the members of a group share one notebook
        files = {id(s.notebook): s for s in reversed(submissions) if s.sheet == sheet and s.notebook}
        texts = {s.student: s.notebook.cells for s in reversed(files.values())}
        package = Path(kcourse.checks.__file__).parents[1]
        ours = sorted([*package.glob(f"chapters/{sheet}/*.py"), *package.parent.glob(f"solutions/{sheet}_sheet.ipynb")])
        with_ours = (matches_course(name, cells, ours, handed_out(sheet)) for name, cells in sorted(texts.items()))
        same += [(sheet, group) for group in same_answers(texts, handed_out(sheet))]
        pairs += [(sheet, pair) for pair in with_ours if pair]
        pairs += [(sheet, pair) for pair in similar_pairs(texts, handed_out(sheet))]
    return same, pairs


def as_gradescope(grades: Sequence[Grade]) -> dict[str, Any]:
    """Return student → sheet → Gradescope's results format (a list of tests with scores and outputs)."""
    everyone: dict[str, Any] = {}
    for grade in grades:
        everyone.setdefault(grade.student, {})[grade.sheet or "unrecognised"] = _gradescope(grade)
    return everyone


def _gradescope(grade: Grade) -> dict[str, Any]:
    return {
        "score": grade.score,
        "output": "\n".join(grade.notes),
        "output_format": "text",
        "visibility": "visible",
        "tests": [_test(result, i) for i, result in enumerate(grade.results, 1)],
        "extra_data": {"file": grade.file, "status": grade.status, "needs_review": grade.review},
    }


def _test(result: dict, number: int) -> dict[str, Any]:
    texts = [*result["hints"], result["step"], result["experiment"], *result["remarks"]]
    return {
        "name": result["name"],
        "number": str(number),
        "score": result["points"],
        "max_score": result["max_points"],
        "status": "passed" if result["status"] == "passed" else "failed",
        "output": "\n".join(text for text in texts if text),
        "output_format": "text",
        "visibility": "visible",
    }


def _sheets(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    found = []
    for name in dict.fromkeys(g.sheet for g in grades if g.sheet):
        graded = [g for g in grades if g.sheet == name and g.status == "graded"]
        if graded:
            scores = [g.score for g in graded]
            found.append(
                {
                    "name": name, "count": len(graded), "median": _number(statistics.median(scores)),
                    "max": _number(graded[0].max_score), "bins": _bins(scores, graded[0].max_score),
                    "exercises": _exercises(graded), "hardest": _hardest(graded), "mistakes": _mistakes(name, graded),
                    "followed": [(grade, result) for grade in graded for result in _followed(grade)],
                }
            )  # fmt: skip
    return found


def _bins(scores: Sequence[float], most: float, count: int = 5) -> list[dict[str, Any]]:
    """Return a histogram of the scores in ``count`` equal bins; the last bin includes its upper end."""
    inside = Counter(min(int(score / most * count), count - 1) for score in scores)
    edges = [most * i / count for i in range(count + 1)]
    return [
        {
            "label": f"{_number(edges[i])} to {'' if i == count - 1 else 'below '}{_number(edges[i + 1])}",
            "count": inside[i], "width": round(100 * inside[i] / len(scores)),
        }
        for i in range(count)
    ]  # fmt: skip


def _hardest(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return the properties that the smallest share of attempts have."""
    tried: Counter = Counter()
    held: Counter = Counter()
    for grade in grades:
        for result in grade.results:
            for p in result["properties"] if result["status"] != "not_attempted" else ():
                tried[result["name"], p["says"]] += 1
                held[result["name"], p["says"]] += p["points"] > 0
    rows = [{"name": k[0], "says": k[1], "share": round(100 * held[k] / n)} for k, n in tried.items()]
    return sorted((row for row in rows if row["share"] < 100), key=lambda row: row["share"])[:_MANY]


def _exercises(grades: Sequence[Grade]) -> list[dict[str, Any]]:
    """Return for each exercise its points, their mean, and the students with less than full points."""
    rows = []
    for results in zip(*(grade.results for grade in grades), strict=True):
        first, points = results[0], [result["points"] for result in results]
        rows.append(
            {
                "name": first["name"], "max": _number(first["max_points"]), "mean": f"{statistics.mean(points):.1f}",
                "full": sum(r["points"] == r["max_points"] for r in results),
                "blank": sum(r["status"] == "not_attempted" for r in results),
                "less": [(g, r) for g, r in zip(grades, results, strict=True) if r["points"] < r["max_points"]],
            }
        )  # fmt: skip
    return rows


def _mistakes(sheet: str, grades: Sequence[Grade]) -> list[dict[str, Any]]:
    specs = {spec.name: spec for spec in exercises(sheet)}
    who: dict[tuple[str, str], list[Grade]] = {}
    for grade in grades:
        for result in grade.results:
            if result["misconception"]:
                mistake = in_words(specs[result["name"]], result["misconception"])
                who.setdefault((result["name"], mistake), []).append(grade)
    rows = [
        {"name": name, "mistake": mistake, "who": found, "count": len(found)} for (name, mistake), found in who.items()
    ]
    return sorted(rows, key=lambda row: -row["count"])[:_MANY]


def unknown(grades: Sequence[Grade], submissions: Sequence[Submission]) -> str:
    """Return unknown.md: wrong answers that no check explains, grouped by the values they give, without names."""
    cells = {(s.student, s.sheet): s.notebook.cells for s in submissions if s.notebook}
    alike: dict[tuple[str, str], list[tuple[Grade, dict]]] = {}
    for grade in grades:
        for result in grade.results:
            if result.get("unknown"):
                alike.setdefault((result["name"], result["unknown"]), []).append((grade, result))
    lines = [
        "# Wrong answers that no check explains", "",
        "Answers that gave the same values are grouped, the largest group first. One answer of each group is shown",
        "without its comments. The authors of the course can add a hint for a mistake that several students make,",
        "so please send them this file. It names no student, but read it before you send it.",
    ]  # fmt: skip
    for (name, _), found in sorted(alike.items(), key=lambda item: (-len(item[1]), item[0])):
        grade, result = found[0]
        earned = f"{_number(result['points'])} of {_number(result['max_points'])} points"
        lines += ["", f"## {name}, {len(found)} of them", "", f"{title(grade.sheet)}, {earned}. The hint was:"]
        lines += [line for hint in result["hints"] for line in ("", f"> {hint}")]
        written = _written(name, cells.get((grade.student, grade.sheet), ()))
        lines += ["", *(f"    {line}".rstrip() for line in written or ["(the code could not be read)"])]
    return "\n".join(lines) + "\n"


def _written(name: str, cells: Sequence[str]) -> list[str]:
    """Return the lines of a function and of the notebook's functions that it calls, without comments and docstrings."""
    defined: dict[str, ast.FunctionDef | ast.Assign] = {}  # the last one of each name
    for cell in cells:
        try:
            body = ast.parse(cell).body if len(cell) <= _LONGEST else []
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # IPython's own syntax, or hostile code
            continue
        defined |= {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
        defined |= {t.id: node for node in body if isinstance(node, ast.Assign) for t in node.targets
                    if isinstance(t, ast.Name) and isinstance(node.value, ast.Lambda)}  # fmt: skip
    lines, queue = [], [name]
    while queue and len(lines) < _LINES:
        node = defined.pop(queue.pop(), None)
        if node is not None:
            queue += [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and n.id in defined]
            if isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
            lines += [line[:_WIDE] for line in ast.unparse(node).splitlines()]
    return lines[:_LINES]


def _templates() -> Any:
    import jinja2
    from markupsafe import Markup, escape

    folder = Path(__file__).parent / "templates"
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.globals["css"] = Markup((folder / "page.css").read_text(encoding="utf-8"))
    # escape first, so that only backticks become markup
    environment.filters["inline"] = lambda text: Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))
    environment.filters["number"] = _number
    return environment


def _number(value: float) -> str:
    return f"{value:g}"
