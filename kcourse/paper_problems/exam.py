"""Make exams on paper: problems in several variants, their solutions, a marking scheme, a table of the numbers."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader

from kcourse.paper_problems import canvas, moodle
from kcourse.paper_problems.bank import find, stems_of
from kcourse.paper_problems.browser import QUIET, NoBrowser, find_browser
from kcourse.paper_problems.markup import figure_of, html_of
from kcourse.paper_problems.page_data import plain, written
from kcourse.paper_problems.problem import LETTERS, Drawn, Free, Gaps, Problem, draw, inserted, steps_of
from kcourse.paper_problems.selection import (
    avoided,
    blueprint,
    choose,
    kind_of,
    name_of,
    own_problems,
    pool_of,
    usual,
)

__all__ = ["credit", "make", "variants", "write"]

HERE = Path(__file__).parent
TITLE = "Kernel methods"
USUAL = 90.0  # minutes by default
SPREAD = 50  # draws of one problem, to find numbers and letters that no other variant has
DATE = re.compile(rb"(?<=Date \()D:\d{14}")  # the creation date in a PDF


def make(
    out: Path,
    *,
    names: Sequence[str] = (),
    stems: Sequence[str] = (),
    minutes: float | None = None,
    count: int = 2,
    seed: int,
    places: Sequence[str] = ("paper",),
    rows: Path | None = None,
    avoid: Sequence[Path] = (),
    own: Sequence[Path] = (),
    only_list: bool = False,
    say: Callable[[str], None] = print,
    **heading: str,
) -> None:
    """Run ``kcourse exam``; ``rows`` is the blueprint, ``heading`` is passed to `write`.

    ValueError for wrong options, with the fix.
    """
    if count < 1:
        raise ValueError(f"--variants must be 1 or more, got {count}")
    if seed < 0:
        raise ValueError(f"--seed must be 0 or more, got {seed}")
    if minutes is not None and not minutes > 0:
        raise ValueError(f"--minutes must be above 0, got {minutes:g}")
    if out.exists() and not only_list and (not out.is_dir() or any(out.iterdir())):
        raise ValueError(f"--out {out} exists and is not an empty folder. Choose another folder")
    problems, minutes = _chosen(names, stems, minutes, seed, rows, avoid, own)
    total = _listed(problems, say)
    if total > minutes:
        say(f"These problems take more than {minutes:g} minutes.")
    elif not names and total < minutes - 5:
        say(f"These problems take less than {minutes:g} minutes. The chapters have no more that fit.")
    if only_list:
        return
    title = " ".join(heading.pop("title", "").split()) or TITLE
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:  # so that an error leaves nothing behind
        if "paper" in places:
            write(problems, Path(folder), count=count, seed=seed, minutes=minutes, title=title, say=say, **heading)
        if "moodle" in places:
            Path(folder, "moodle.xml").write_bytes(moodle.quiz(variants(problems, count, seed)))
        if "canvas" in places:
            Path(folder, "canvas.zip").write_bytes(canvas.package(variants(problems, count, seed), title))
        out.mkdir(exist_ok=True)
        for file in Path(folder).iterdir():
            shutil.move(file, out / file.name)
    say(f"The files are in {out}.")


def _chosen(
    names: Sequence[str],
    stems: Sequence[str],
    minutes: float | None,
    seed: int,
    rows: Path | None,
    avoid: Sequence[Path],
    own: Sequence[Path],
) -> tuple[list[Problem], float]:
    """Return the problems and the minutes of the exam."""
    added = own_problems(own)
    if names:
        if stems or rows or avoid:
            raise ValueError("--problems cannot be combined with --chapters, --blueprint or --avoid. Leave those out")
        problems = [find(name, added) for name in names]
        if len(set(problems)) < len(problems):
            raise ValueError("--problems names a problem twice")
        return problems, minutes or sum(p.minutes for p in problems)
    if rows and minutes:
        raise ValueError("--blueprint has its own minutes. Leave out --minutes")
    wanted = stems_of(stems)
    plan = blueprint(rows, wanted) if rows else None
    if plan:
        wanted = sorted({stem for row in plan for stem in row.chapters})
    pool = pool_of(wanted, added, avoided(avoid))
    if not pool:
        raise ValueError("--avoid leaves no problem. Name fewer exams or more chapters")
    plan = plan or usual(wanted, minutes or USUAL, pool)
    return choose(pool, plan, seed), sum(row.minutes for row in plan)


def _listed(problems: Sequence[Problem], say: Callable[[str], None]) -> float:
    """List the problems, and their minutes by chapter, level and kind; return their minutes."""
    for p in problems:
        marks = f"{p.minutes:>4g} min {p.points:>3} points  {p.bank:<8}  {kind_of(p):<7}  level {p.level}"
        say(f"{marks}  {name_of(p)}: {p.title}")
    total = sum(p.minutes for p in problems)
    say(f"{total:>4g} min {sum(p.points for p in problems):>3} points in all")
    for part in (lambda p: p.chapter, lambda p: f"level {p.level}", kind_of):
        minutes = Counter()
        for p in problems:
            minutes[part(p)] += p.minutes
        say("         " + ", ".join(f"{name} {spent:g} min" for name, spent in sorted(minutes.items())))
    return total


# ---------------------------------------------------------------- numbers and points


def variants(problems: Sequence[Problem], count: int, seed: int) -> list[list[Drawn]]:
    """Draw the same problems ``count`` times, if possible with other numbers and other right letters each time."""
    made: list[list[Drawn]] = [[] for _ in range(count)]
    for problem in problems:
        before: list[Drawn] = []
        for v in range(count):
            best, most = None, -1.0
            for k in range(SPREAD):
                drawn = draw(problem, (seed * 1009 + v) * SPREAD + k)
                new = min((_difference(drawn, other) for other in before), default=2.0)
                if new > most:
                    best, most = drawn, new
                if most == 2.0:
                    break
            before.append(best)
            made[v].append(best)
    return made


def _difference(one: Drawn, other: Drawn) -> float:
    """Return 1 for another statement or other options, plus the share of fields whose right answer differs."""
    answers = (written(each, each.right).split(", ") if each.fields else [] for each in (one, other))
    fields = [a != b for a, b in zip(*answers, strict=True)] or [True]
    return float(one.asked != other.asked) + sum(fields) / len(fields)


def credit(drawn: Drawn) -> list[tuple[str, str, str]]:
    """Return the marking scheme: each answer, its points and its reason, the right answer first.

    For free working these are the steps: number, points, what must be on the paper.
    """
    kind, points = drawn.problem.kind, drawn.problem.points
    if isinstance(kind, Free):
        return [(f"{i}", f"{worth:g}", text) for i, (worth, text) in enumerate(steps_of(drawn), start=1)]
    rows = [(written(drawn, drawn.right), f"{points:g}", "right")]
    for mistake, answer in drawn.wrong:
        rows.append((written(drawn, answer), _half(mistake.credit * points), mistake.says))
    if isinstance(kind, Gaps):
        n = len(kind.gaps)
        rows += [(f"{k} wrong gaps", _half((n - k) / n * points), "each gap counts equally") for k in range(2, n + 1)]
    return rows


def _half(points: float) -> str:
    return f"{int(2 * points + 0.5) / 2:g}"


# ---------------------------------------------------------------- on paper


def write(
    problems: Sequence[Problem],
    out: Path,
    *,
    count: int,
    seed: int,
    minutes: float,
    title: str = TITLE,
    date: str = "",
    aids: str = "",
    paper: str = "A4",
    say: Callable[[str], None] = print,
) -> list[Path]:
    """Write sheets, solutions and the table into the folder ``out``, also as PDF if a browser is found.

    Returns the files. The same arguments give the same bytes, except for PDFs by another browser.
    """
    out.mkdir(parents=True, exist_ok=True)
    environment = Environment(loader=FileSystemLoader(HERE), trim_blocks=True, lstrip_blocks=True, autoescape=False)
    environment.globals.update(html_of=html_of, figure_of=figure_of, credit=credit, space=_space, LETTERS=LETTERS)
    page = environment.get_template("exam.html.jinja")
    files = [out / "mathjax.js", out / "numbers.csv"]
    files[0].write_text(_mathjax(), encoding="utf-8")
    made = variants(problems, count, seed)
    files[1].write_text(_table(made), encoding="utf-8")
    for letter, drawn in zip(_names(count), made, strict=True):
        for solved in (False, True):
            file = out / f"{'solutions' if solved else 'variant'}-{letter}.html"
            text = page.render(title=title, date=date, aids=aids, variant=letter, drawn=drawn, solved=solved,
                               minutes=minutes, paper=paper)  # fmt: skip
            file.write_text(text, encoding="utf-8")
            files.append(file)
    try:
        browser = find_browser()
    except NoBrowser as problem:
        say(f"No PDFs were made: {problem}. You can open the .html files in a browser and print them.")
        return files
    pages = [file for file in files if file.suffix == ".html"]
    for file in pages:
        _print(browser, file)
    return [*files, *(file.with_suffix(".pdf") for file in pages)]


def _names(count: int) -> list[str]:
    return [chr(ord("A") + v) if count <= 26 else f"{v + 1:03d}" for v in range(count)]


def _space(drawn: Drawn) -> int:
    """Return the height for the working in mm, enough for the solution in handwriting."""
    text = re.sub(r"\\\w+|[{}$]", "", drawn.solution)
    lines = 1 + len(text) / 75 + 2 * drawn.solution.count("$$") / 2
    per_minute = 3 if drawn.fields and drawn.fields[0].options else 8
    return round(min(200, max(9.5 * lines, per_minute * drawn.problem.minutes)))


def _table(made: list[list[Drawn]]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["problem", "title", "points", "minutes", "variant", "draw", "answer", "numbers", "options"])
    for column in zip(*made, strict=True):
        for letter, drawn in zip(_names(len(made)), column, strict=True):
            p = drawn.problem
            names = dict.fromkeys([*drawn.shown, *inserted(p.statement)])
            shown = "; ".join(f"{name} = {_flat(drawn.names[name])}" for name in names)
            options = [f"{LETTERS[i]} {text}" for field in drawn.fields for i, text in enumerate(field.options)]
            rows.writerow([name_of(p), p.title, p.points, f"{p.minutes:g}", letter, drawn.seed,
                           _right(drawn), shown, "; ".join(options)])  # fmt: skip
    return text.getvalue()


def _right(drawn: Drawn) -> str:
    free = isinstance(drawn.problem.kind, Free)
    return _flat(drawn.names.get("answer", "")) if free else written(drawn, drawn.right)


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return value
    if np.ndim(value):
        return "(" + ", ".join(map(_flat, value)) + ")"
    return plain(float(value) if isinstance(value, np.floating) else value)


def _mathjax() -> str:
    from kcourse.slides.page import package  # which contains MathJax

    return package("mathjax", "static/mathjax/es5/tex-svg.js").read_text(encoding="utf-8")


def _print(browser: str, file: Path) -> None:
    """Print a page to PDF with the browser; RuntimeError if it fails."""
    pdf = file.with_suffix(".pdf")
    pdf.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as profile:
        options = ["--headless=new", *QUIET, "--no-pdf-header-footer", "--virtual-time-budget=60000",
                   f"--user-data-dir={profile}", f"--print-to-pdf={pdf}"]  # fmt: skip
        done = subprocess.run([browser, *options, file.resolve().as_uri()], capture_output=True, check=False)
    if not pdf.is_file():
        last = (done.stderr.decode(errors="replace").strip().splitlines() or ["no message"])[-1]
        raise RuntimeError(f"{Path(browser).name} could not print {file.name}: {last}")
    pdf.write_bytes(DATE.sub(b"D:20000101000000", pdf.read_bytes()))  # of the same length, so that the file stays valid
