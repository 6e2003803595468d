"""Choose the problems of an exam by a blueprint, so that exams with successive seeds share as few as possible."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import util
from pathlib import Path

import numpy as np

from kcourse.paper_problems.bank import chapters, exam_bank, stems_of
from kcourse.paper_problems.markup import figure_of
from kcourse.paper_problems.problem import Free, Numbers, Problem, draw, steps_of

__all__ = [
    "Row", "avoided", "blueprint", "choose", "kind_of", "name_of", "own_problems", "pool_of", "sizes", "usual",
]  # fmt: skip

KINDS = ("free", "numbers", "choice")
BANKS = ("exam", "practice", "own")
COLUMNS = ("chapters", "kind", "level", "bank", "minutes")
SERIES = 10_000  # seeds of one series of exams
CARRIED = 5.0  # the most minutes that a row leaves to the next one
SHARES = ((0.55, "free", "exam"), (0.2, "numbers", "exam"), (0.07, "choice", "exam"), (0.18, "", "practice"))


@dataclass(frozen=True)
class Row:
    """A row of a blueprint: minutes for problems of these chapters, of a kind, a level and a bank if they are given.

    The bank "exam" includes instructors' own problems. A row of 0 minutes takes what fits into the rest of the exam.
    """

    chapters: tuple[str, ...]
    minutes: float
    kind: str = ""
    level: int = 0
    bank: str = ""

    def takes(self, problem: Problem) -> bool:
        return (
            problem.chapter in self.chapters
            and self.kind in ("", kind_of(problem))
            and self.level in (0, problem.level)
            and (self.bank in ("", problem.bank) or (self.bank, problem.bank) == ("exam", "own"))
        )


def kind_of(problem: Problem) -> str:
    """Return "free" for free working, "numbers", or "choice" if the answer consists of letters."""
    return {Free: "free", Numbers: "numbers"}.get(type(problem.kind), "choice")


def usual(stems: Sequence[str], minutes: float, pool: Iterable[Problem]) -> list[Row]:
    """Return the usual blueprint; it has practice problems alone if the pool has no others."""
    if all(problem.bank == "practice" for problem in pool):
        return [Row(tuple(stems), minutes)]
    return [
        *(Row(tuple(stems), share * minutes, kind, bank=bank) for share, kind, bank in SHARES),
        Row(tuple(stems), 0),
    ]


def choose(pool: Sequence[Problem], rows: Sequence[Row], seed: int) -> list[Problem]:
    """Choose problems of the pool for each row of a blueprint. ValueError if none fits.

    A seed gives an exam of a series. In each exam of the series those problems come first that were not set for the
    longest time, so that successive exams share none if the pool is large enough. Within a row the chapters take turns.
    A row may take up to half a problem more or less than its minutes, and the next row makes up for it.
    """
    rng = np.random.default_rng(seed // SERIES)
    last = dict(zip(pool, rng.random(len(pool)) - 2, strict=True))  # the turn in which a problem was set
    parts = [(row, [p for p in pool if row.takes(p)]) for row in rows]
    limit = sum(row.minutes for row in rows)
    found: list[Problem] = []
    for turn in range(seed % SERIES + 1):
        fresh = [(row, [p for p in part if last[p] < turn - 1]) for row, part in parts]
        found = _filled(fresh, limit, last)
        if sum(p.minutes for p in found) < limit - CARRIED:
            found = _filled(parts, limit, last)
        last |= {problem: turn + rng.random() / 2 for problem in found}
    if not found:
        raise ValueError(f"no problem for this blueprint takes {limit:g} min or less")
    return sorted(found, key=lambda p: (p.chapter, p.level, p.name))


def _filled(parts: Sequence[tuple[Row, list[Problem]]], limit: float, last: dict[Problem, float]) -> list[Problem]:
    found: dict[Problem, None] = {}
    minutes: dict[str, float] = defaultdict(float)  # of each chapter
    left = 0.0  # by the row before; negative if it took more than its minutes
    for row, part in parts:
        left = min(left, CARRIED) + row.minutes
        while True:
            room = limit - sum(minutes.values())
            most = room if row.minutes == 0 else min(room, 2 * left)  # at least half of the problem is within the row
            fitting = [p for p in part if p not in found and p.minutes <= most + 1e-9]
            if not fitting:
                break
            best = min(fitting, key=lambda p: (minutes[p.chapter], last[p]))
            found[best] = None
            minutes[best.chapter] += best.minutes
            left -= best.minutes
    return list(found)


# ---------------------------------------------------------------- what instructors give


def blueprint(file: Path, stems: Sequence[str]) -> list[Row]:
    """Read a blueprint, a CSV file with the columns of `COLUMNS`; a row without chapters is for all of ``stems``."""
    table = _table(file)
    if sorted(table.fieldnames or ()) != sorted(COLUMNS):
        raise ValueError(f"{file} must have the columns {', '.join(COLUMNS)}, with commas, and no others")
    rows = []
    for cells in table:
        try:
            rows.append(_row(cells, stems))
        except ValueError as problem:
            raise ValueError(f"{file}, line {table.line_num}: {problem}") from None
    if not rows:
        raise ValueError(f"{file} has no rows")
    return rows


def _table(file: Path) -> csv.DictReader:
    try:
        return csv.DictReader(io.StringIO(file.read_text(encoding="utf-8-sig"), newline=""))
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not a CSV file in UTF-8") from None


def _row(cells: dict[str, str | None], stems: Sequence[str]) -> Row:
    if None in cells:
        raise ValueError("there are more cells than columns. Write decimals with a point")
    texts = {column: (cells[column] or "").strip() for column in COLUMNS}
    for column, known in (("kind", KINDS), ("level", ("1", "2", "3")), ("bank", BANKS)):
        if texts[column] not in ("", *known):
            raise ValueError(f"{column} must be {', '.join(known)} or empty, got {texts[column]!r}")
    if not re.fullmatch(r"\d+(\.\d+)?", texts["minutes"]) or float(texts["minutes"]) == 0:
        raise ValueError(f"minutes must be a number above 0, got {texts['minutes']!r}")
    wanted = texts["chapters"].split()
    return Row(tuple(stems_of(wanted) if wanted else stems), float(texts["minutes"]), texts["kind"],
               int(texts["level"] or 0), texts["bank"])  # fmt: skip


def avoided(exams: Iterable[Path]) -> set[str]:
    """Return the names of the problems in these exams, each a folder or its numbers.csv."""
    names = set()
    for path in exams:
        file = path / "numbers.csv" if path.is_dir() else path
        if not file.is_file():
            raise ValueError(f"--avoid {path}: there is no {file.name}. Name the folder of an exam, or its numbers.csv")
        table = _table(file)
        if "problem" not in (table.fieldnames or ()):
            raise ValueError(f"--avoid {file} has no column 'problem'. Name the numbers.csv of an exam")
        names |= {row["problem"] for row in table}
    return names


def own_problems(files: Iterable[Path]) -> list[Problem]:
    """Load instructors' own problems and draw each 20 times. ValueError with the file and the problem if that fails."""
    found: list[Problem] = []
    for file in files:
        spec = util.spec_from_file_location(f"own_{file.stem}", file) if file.is_file() else None
        if spec is None or spec.loader is None:
            raise ValueError(f"--own {file} is not a Python file")
        module = util.module_from_spec(spec)
        at = "while it was loaded"
        try:
            spec.loader.exec_module(module)
            if not isinstance(getattr(module, "PROBLEMS", None), Sequence):
                raise ValueError("it has no list PROBLEMS")
            for problem in module.PROBLEMS:
                at = f"problem {problem.name!r}"
                if not problem.chapter:
                    raise ValueError("it names no chapter. Add for example chapter='3'")
                stem, *others = stems_of([problem.chapter])
                if others:
                    raise ValueError(f"chapter {problem.chapter!r} has two parts. Write for example {problem.chapter}a")
                if problem.name in [p.name for p in (*exam_bank(stem), *found) if p.chapter == stem]:
                    raise ValueError(
                        f"there is a problem named {stem}/{problem.name}, and this name is taken. Choose another"
                    )
                found.append(replace(problem, chapter=stem, bank="own"))
                for drawn in (draw(found[-1], seed) for seed in range(20)):
                    steps_of(drawn)
                figure_of(drawn)
        except (Exception, SystemExit) as error:  # anything can be wrong in it
            raise ValueError(f"--own {file}, {at}: {type(error).__name__}: {error}") from error
    return found


def pool_of(stems: Collection[str], own: Sequence[Problem] = (), avoid: Collection[str] = ()) -> list[Problem]:
    """Return all problems of these chapters, without those to avoid."""
    pool = [p for stem in stems for p in exam_bank(stem)] + [p for p in own if p.chapter in stems]
    return [p for p in pool if name_of(p) not in avoid]


def name_of(problem: Problem) -> str:
    """Return "ch03_ridge/least_norm"."""
    return f"{problem.chapter}/{problem.name}"


def sizes() -> str:
    """Return how many problems there are, by chapter, bank, kind and level, as a table in Markdown."""
    columns: dict[str, Callable[[Problem], bool]] = {
        "problems": lambda p: True,
        "practice": lambda p: p.bank == "practice",
        "exam": lambda p: p.bank == "exam",
        **{kind: lambda p, kind=kind: kind_of(p) == kind for kind in KINDS},
        **{f"level {level}": lambda p, level=level: p.level == level for level in (1, 2, 3)},
    }
    banks = {stem: exam_bank(stem) for stem in chapters()}
    banks["all"] = tuple(problem for bank in banks.values() for problem in bank)
    lines = [["chapter", *columns, "minutes"], ["---", *["---:"] * (len(columns) + 1)]]
    for name, bank in banks.items():
        counts = [str(sum(map(counted, bank))) for counted in columns.values()]
        lines.append([name, *counts, f"{sum(p.minutes for p in bank):g}"])
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
