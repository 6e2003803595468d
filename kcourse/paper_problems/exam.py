"""Make exams on paper: problems in several variants, their solutions, a marking scheme, a table of the numbers."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader

from kcourse.paper_problems import canvas, moodle
from kcourse.paper_problems.bank import bank, chapters, find
from kcourse.paper_problems.browser import QUIET, NoBrowser, find_browser
from kcourse.paper_problems.markup import figure_of, html_of
from kcourse.paper_problems.page_data import plain, written
from kcourse.paper_problems.problem import LETTERS, Drawn, Numbers, Problem, draw

__all__ = ["choose", "credit", "make", "variants", "write"]

HERE = Path(__file__).parent
USUAL = 90.0  # minutes by default
SPREAD = 50  # draws of one problem, to find numbers that no other variant has
DATE = re.compile(rb"(?<=Date \()D:\d{14}")  # the creation date in a PDF


def make(
    out: Path,
    *,
    names: Sequence[str] = (),
    stems: Sequence[str] = (),
    minutes: float | None = None,
    count: int = 2,
    seed: int,
    title: str = "Kernel methods",
    paper: str = "A4",
    places: Sequence[str] = ("paper",),
    only_list: bool = False,
    say: Callable[[str], None] = print,
) -> None:
    """Run ``kcourse exam``. ValueError for wrong options, with the fix."""
    if count < 1:
        raise ValueError(f"--variants must be 1 or more, got {count}")
    if seed < 0:
        raise ValueError(f"--seed must be 0 or more, got {seed}")
    if minutes is not None and not minutes > 0:
        raise ValueError(f"--minutes must be above 0, got {minutes:g}")
    if out.exists() and not only_list and (not out.is_dir() or any(out.iterdir())):
        raise ValueError(f"--out {out} exists and is not an empty folder. Choose another folder")
    if names and stems:
        raise ValueError("--problems and --chapters cannot be combined. Use one of them")
    problems = [find(name) for name in names] or choose(_stems(stems), minutes or USUAL, seed)
    if len(set(problems)) < len(problems):
        raise ValueError("--problems names a problem twice")
    for p in problems:
        say(f"{p.minutes:>4g} min {p.points:>3} points  {p.chapter}/{p.name}: {p.title}")
    total = sum(p.minutes for p in problems)
    say(f"{total:>4g} min {sum(p.points for p in problems):>3} points in all")
    if total > (minutes or total):
        say(f"These problems take more than {minutes:g} minutes.")
    elif not names and total < (minutes or USUAL) - 9:
        say(f"These problems take less than {minutes or USUAL:g} minutes. The chapters have no more that fit.")
    if only_list:
        return
    out.mkdir(parents=True, exist_ok=True)
    if "paper" in places:
        write(problems, out, title=title, count=count, seed=seed, minutes=minutes or total, paper=paper, say=say)
    if "moodle" in places:
        (out / "moodle.xml").write_bytes(moodle.quiz(variants(problems, count, seed)))
    if "canvas" in places:
        (out / "canvas.zip").write_bytes(canvas.package(variants(problems, count, seed), title))
    say(f"The files are in {out}.")


def _stems(wanted: Sequence[str]) -> list[str]:
    """Return the chapters' stems: "3", "ch03" and "ch03_ridge" are equal; "7" is 7a and 7b, "6" is 6 without 6b."""
    found = []
    for name in wanted:
        number = re.fullmatch(r"(\d+)([a-z]?)", name)
        begin = f"ch{int(number[1]):02d}{number[2]}" if number else name
        stems = [s for s in chapters() if re.match(rf"{re.escape(begin)}(_|$)", s)]
        stems = stems or [s for s in chapters() if s.startswith(begin)]  # both parts of chapter 7
        if not stems:
            raise ValueError(f"no chapter {name!r} with paper problems. Available: {', '.join(chapters())}")
        found += [stem for stem in stems if stem not in found]
    return found or chapters()


# ---------------------------------------------------------------- which problems, and their numbers


def choose(stems: Sequence[str], minutes: float, seed: int) -> list[Problem]:
    """Choose as many problems of these chapters as fit into ``minutes``. ValueError if none fits.

    The chapters take turns; the level with the fewest minutes so far is preferred.
    """
    rng = np.random.default_rng(seed)
    pools = []
    for stem in stems:
        pool = bank(stem)
        pools.append([pool[i] for i in rng.permutation(len(pool))])
    found: list[Problem] = []
    spent = {1: 0.0, 2: 0.0, 3: 0.0}
    while True:
        before = len(found)
        for pool in pools:
            fitting = [p for p in pool if p not in found and p.minutes <= minutes - sum(spent.values())]
            if fitting:
                best = min(fitting, key=lambda p: spent[p.level])
                found.append(best)
                spent[best.level] += best.minutes
        if len(found) == before:
            break
    if not found:
        raise ValueError(f"no problem of {', '.join(stems)} takes {minutes:g} min or less")
    return sorted(found, key=lambda p: (p.chapter, p.level, p.name))


def variants(problems: Sequence[Problem], count: int, seed: int) -> list[list[Drawn]]:
    """Draw the same problems ``count`` times, if possible with different numbers each time."""
    made: list[list[Drawn]] = [[] for _ in range(count)]
    for problem in problems:
        seen: set[str] = set()
        for v in range(count):
            tries = (draw(problem, (seed * 1009 + v) * SPREAD + k) for k in range(SPREAD))
            first = next(tries)
            drawn = first if first.statement not in seen else next((d for d in tries if d.statement not in seen), first)
            seen.add(drawn.statement)
            made[v].append(drawn)
    return made


def credit(drawn: Drawn) -> list[tuple[str, str, str]]:
    """Return the marking scheme, the right answer first: each answer, its points and its reason."""
    points = drawn.problem.points
    rows = [(written(drawn, drawn.right), f"{points:g}", "right")]
    for mistake, answer in drawn.wrong:
        rows.append((written(drawn, answer), f"{round(2 * mistake.credit * points) / 2:g}", mistake.says))
    return rows


# ---------------------------------------------------------------- on paper


def write(
    problems: Sequence[Problem],
    out: Path,
    *,
    title: str,
    count: int,
    seed: int,
    minutes: float,
    paper: str = "A4",
    say: Callable[[str], None] = print,
) -> list[Path]:
    """Write sheets, solutions and the table into the folder ``out``, also as PDF if a browser is found.

    Returns the files. The same arguments give the same bytes, except for PDFs by another browser.
    """
    out.mkdir(parents=True, exist_ok=True)
    environment = Environment(loader=FileSystemLoader(HERE), trim_blocks=True, lstrip_blocks=True, autoescape=False)
    environment.globals.update(html_of=html_of, figure_of=figure_of, credit=credit, written=written, LETTERS=LETTERS,
                               is_numbers=lambda drawn: isinstance(drawn.problem.kind, Numbers))  # fmt: skip
    page = environment.get_template("exam.html.jinja")
    files = [out / "mathjax.js", out / "numbers.csv"]
    files[0].write_text(_mathjax(), encoding="utf-8")
    made = variants(problems, count, seed)
    files[1].write_text(_table(made), encoding="utf-8")
    for letter, drawn in zip(_names(count), made, strict=True):
        for solved in (False, True):
            file = out / f"{'solutions' if solved else 'variant'}-{letter}.html"
            points = sum(p.points for p in problems)
            text = page.render(title=title, variant=letter, drawn=drawn, solved=solved, minutes=minutes, points=points,
                               paper=paper)  # fmt: skip
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


def _table(made: list[list[Drawn]]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["problem", "title", "points", "minutes", "variant", "draw", "answer", "numbers"])
    for column in zip(*made, strict=True):
        for letter, drawn in zip(_names(len(made)), column, strict=True):
            p = drawn.problem
            shown = "; ".join(f"{name} = {_flat(drawn.names[name])}" for name in drawn.shown)
            rows.writerow([f"{p.chapter}/{p.name}", p.title, p.points, f"{p.minutes:g}", letter, drawn.seed,
                           written(drawn, drawn.right), shown])  # fmt: skip
    return text.getvalue()


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
