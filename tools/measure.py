"""Measure what the chapters claim, and running times: ``python -m tools.measure [STEM ...] [--check] [--force]``.

    measured/chNN_name.py  ->  kcourse/measured_data/chNN_….csv, a row for each draw

A table is measured again only if its function, something that the function uses in `measured`, its data or its draws
have changed. Draws run in parallel, each with one thread of linear algebra; timed draws run afterwards, one at a time.
If the run is stopped, finished draws are kept in ``.build/measured``. ``--check`` writes nothing. It repeats all draws
that are not timed, and lists numbers that have changed and claims that no longer hold.
"""

from __future__ import annotations

import os

from kcourse.base import threads

# before NumPy is loaded; with more threads on a shared machine, times vary several-fold
os.environ.update(threads.settings({}))

import argparse
import ast
import contextlib
import importlib
import json
import math
import multiprocessing
import platform
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from tqdm import tqdm

from kcourse.base.files import write_whole
from kcourse.lab.measured import Measured, read
from measured import Claim, Row, Table
from tools.freshness import short, tree_of, what_runs

ROOT = Path(__file__).resolve().parent.parent
FOLDER, DATA, KEPT = "measured", "kcourse/measured_data", ".build/measured"
DATASETS = "kcourse/datasets/files"


def stems(root: Path) -> list[str]:
    """Return the chapters that measure something."""
    return sorted(path.stem for path in (root / FOLDER).glob("ch*.py"))


def load(root: Path, stem: str) -> ModuleType:
    """Return the module of a chapter; a module of this project is imported once."""
    if root == ROOT:
        return importlib.import_module(f"{FOLDER}.{stem}")
    path = root / FOLDER / f"{stem}.py"
    module = ModuleType(stem)
    program = compile(path.read_text(encoding="utf-8"), path.as_posix(), "exec")  # as it is now, not as cached
    exec(program, vars(module))
    return module


def tables(module: ModuleType) -> list[Table]:
    """Return the tables of a module, in order."""
    return [thing for thing in vars(module).values() if isinstance(thing, Table)]


def claims(module: ModuleType, table: Table | None = None) -> list[Claim]:
    return [claim for claim in getattr(module, "CLAIMS", ()) if table is None or claim.table is table]


def path_of(root: Path, table: Table) -> Path:
    return root / DATA / f"{table.name}.csv"


# ---------------------------------------------------------------- what a table was made from


def made_from(root: Path, stem: str, table: Table) -> str:
    """Return a digest of the table's function, of what it uses in its module and in `measured`, its draws and data.

    The library does not count, because the tests repeat two draws, and every week all of them.
    """
    parts = [repr(table.over), *sorted(_used(root, stem, table.name))]
    if any("kcourse.datasets" in part for part in parts):
        parts += [
            short(path.read_bytes().hex())
            for path in sorted((root / DATASETS).glob("*"))
            if path.is_file() and path.name != "README.md"
        ]
    return short("\n".join(parts))


def _used(root: Path, stem: str, name: str) -> set[str]:
    """Return the text of the definitions that a name depends on, in its module and in `measured`."""
    definitions = cache(partial(_definitions, root))
    found: dict[tuple[str, str], str] = {}
    asked = [(stem, name)]
    while asked:
        at = asked.pop()
        node = definitions(at[0]).get(at[1])
        if node is None or at in found:
            continue
        found[at] = what_runs(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):  # other imports of the line do not matter
            [alias] = [a for a in node.names if (a.asname or a.name.split(".")[0]) == at[1]][:1]
            home = getattr(node, "module", None) or ""
            found[at] = f"{home}:{alias.name}"
            if home.startswith(f"{FOLDER}."):
                asked.append((home.removeprefix(f"{FOLDER}."), alias.name))
        asked += [(at[0], child.id) for child in ast.walk(node) if isinstance(child, ast.Name)]
    return set(found.values())


def _definitions(root: Path, stem: str) -> dict[str, ast.stmt]:
    """Return name → definition for the top level of a module of `measured`."""
    defined: dict[str, ast.stmt] = {}
    for node in tree_of(root / FOLDER / f"{stem}.py").body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names, node.decorator_list = [node.name], []  # the arguments of `table` change no number
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names = [alias.asname or alias.name.split(".")[0] for alias in node.names]
        else:
            inside = {n for c in ast.walk(node) if isinstance(c, ast.comprehension) for n in ast.walk(c.target)}
            stored = (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            names = [n.id for n in stored if n not in inside]
        defined |= dict.fromkeys(names, node)
    return defined


# ---------------------------------------------------------------- faults


def faults(root: Path, stem: str, text: str) -> Iterator[str]:
    """Yield the faults of a chapter's measured tables; ``text`` is the chapter's source."""
    module = load(root, stem)
    for table in tables(module):
        name = path_of(root, table).relative_to(root).as_posix()
        stored = _readable(root / name)
        if stored is None:
            yield f"{name}: missing, damaged, or of another kind. Run make measure STEMS={stem}"
            continue
        about, *said = _heads(root, stem, module, table)
        if stored.made_from != about["made_from"]:
            yield f"{name}: older than its function, its draws or its data. Run make measure STEMS={stem}"
        elif not _is_whole(stored, table):
            yield f"{name}: not a row for each of {len(table.over)} {table.of}. Run make measure STEMS={stem}"
        elif [{**stored.heads[0], "machine": ""}, *stored.heads[1:]] != [{**about, "machine": ""}, *said]:
            yield f"{name}: its claims or descriptions have changed. Run make measure STEMS={stem} (takes seconds)"
        for finding in stored.findings:
            if finding.times < finding.holds:
                yield f"{name}: the claim {finding.id!r} holds in {finding.often}, but should in {finding.holds}"
    for claim in claims(module):
        if not re.search(rf"""measured\([^)]*["']{re.escape(claim.id)}["']""", text):
            yield f"{FOLDER}/{stem}.py: no cell of the chapter calls measured({claim.table.name!r}, {claim.id!r})"


# ---------------------------------------------------------------- files


def _heads(root: Path, stem: str, module: ModuleType, table: Table) -> list[dict[str, Any]]:
    """Return the lines above the rows, without the machine."""
    about = {"what": table.what, "of": table.of, "by": f"make measure STEMS={stem}",
             "made_from": made_from(root, stem, table)}  # fmt: skip
    said = ({"id": c.id, "less": c.less, "than": c.than, "holds": c.holds, "unit": c.unit}
            for c in claims(module, table))  # fmt: skip
    return [about, *said]


def write(root: Path, stem: str, module: ModuleType, table: Table, rows: Sequence[Row]) -> None:
    """Write a table: its description, the claims, the column names, and a row for each draw."""
    about, *said = _heads(root, stem, module, table)
    if table.timed:
        versions = f"Python {platform.python_version()}, numpy {np.__version__}"
        about["machine"] = f"{platform.machine()}, {versions}, one thread"
    names = list(rows[0])
    for claim in claims(module, table):
        for name in (claim.less, claim.than):
            if isinstance(name, str) and name not in names:
                raise ValueError(f"{stem}: claim {claim.id!r} names {name!r}. Available: {', '.join(names)}")
    if odd := [name for name in names if "," in name or "\n" in name]:
        raise ValueError(f"{stem}: {table.name} names {odd[0]!r}. Use a name without commas and line breaks.")
    lines = [f"# {json.dumps(head, ensure_ascii=False)}" for head in (about, *said)] + [",".join(names)]
    for draw, row in zip(table.over, rows, strict=True):
        if list(row) != names:
            raise ValueError(f"{stem}: {table.name}({draw}) returns {', '.join(row)} instead of {', '.join(names)}")
        lines.append(",".join(f"{value:.8g}" for value in row.values()))
    write_whole(path_of(root, table), ("\n".join(lines) + "\n").encode())


def differs(table: Table, draw: Any, row: Row, stored: Measured) -> str:
    """Return how a repeated row differs from the stored one, or an empty string."""
    at = table.over.index(draw)
    if list(row) != list(stored.columns):
        return f"{table.name}({draw}): it returns {', '.join(row)}, but the table has {', '.join(stored.columns)}"
    for name, value in row.items():
        old = float(stored.columns[name][at])
        if not math.isclose(value, old, rel_tol=table.tol, abs_tol=table.off) and not (value != value and old != old):
            return f"{table.name}({draw}): {name} was {old:.8g} and is now {value:.8g}"
    return ""


# ---------------------------------------------------------------- running


Task = tuple[str, str, Any]  # a chapter, the name of its table, a draw


def row(root: Path, task: Task) -> Row:
    """Return the result of a table's function for a draw."""
    stem, name, draw = task
    table = next(t for t in tables(load(root, stem)) if t.name == name)
    try:
        return {key: float(value) for key, value in table(draw).items()}
    except Exception as error:
        raise ValueError(f"{stem}: {name}({draw!r}) raised {type(error).__name__}: {error}") from error


class Kept:
    """Rows that need not be measured again: those of a fresh table, and those of a stopped run."""

    def __init__(self, root: Path, table: Table, digest: str) -> None:
        self.table, self.digest = table, digest
        self.path = root / KEPT / f"{table.name}-{digest[:12]}.jsonl"
        self.rows: dict[str, Row] = {}
        lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines() if self.path.exists() else []
        for line in lines:
            with contextlib.suppress(ValueError, TypeError):  # an incomplete line of a stopped run is measured again
                draw, row = json.loads(line)
                self.rows[json.dumps(draw)] = dict(row)

    def take(self, path: Path) -> None:
        """Take the rows of a stored table, if it is complete and fresh and no stopped run has begun a new one."""
        stored = _readable(path)
        if not self.rows and stored and stored.made_from == self.digest and _is_whole(stored, self.table):
            for at, draw in enumerate(self.table.over):
                self.rows[json.dumps(draw)] = {name: float(column[at]) for name, column in stored.columns.items()}

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)
        self.rows.clear()

    def add(self, draw: Any, row: Row) -> None:
        self.rows[json.dumps(draw)] = row
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([draw, row]) + "\n")

    def get(self, draw: Any) -> Row | None:
        return self.rows.get(json.dumps(draw))


def _readable(path: Path) -> Measured | None:
    try:
        return read(path)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _is_whole(stored: Measured, table: Table) -> bool:
    """Whether the table has a row for each draw."""
    return all(len(column) == len(table.over) for column in stored.columns.values())


def run(root: Path, tasks: Sequence[Task], jobs: int, done: Callable[[Task, Row], None]) -> None:
    """Measure these tasks, several at a time, each with one thread; call ``done`` for each finished task."""
    with tqdm(total=len(tasks), disable=None, unit="draw") as bar:
        if jobs < 2:
            for task in tasks:
                done(task, row(root, task))
                bar.update()
            return
        with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
            futures = {pool.submit(row, root, task): task for task in tasks}
            try:
                for future in as_completed(futures):
                    done(futures[future], future.result())
                    bar.update()
            except BaseException:  # above all Ctrl-C; finished draws are kept
                pool.shutdown(wait=False, cancel_futures=True)
                for process in multiprocessing.active_children():
                    process.kill()
                raise


def measure(root: Path, named: Iterable[str] = (), *, force: bool = False, jobs: int = 1) -> list[str]:
    """Measure stale tables again (with ``force`` all); return claims that do not hold."""
    work = []
    for stem in named or stems(root):
        module = load(root, stem)
        for table in tables(module):
            kept = Kept(root, table, made_from(root, stem, table))
            if force:
                kept.forget()
            else:
                kept.take(path_of(root, table))
            work.append((stem, module, table, kept))
    of = {(stem, table.name): kept for stem, _, table, kept in work}
    for timed in (False, True):
        tasks = [(stem, table.name, draw) for stem, _, table, kept in work if table.timed is timed
                 for draw in table.over if kept.get(draw) is None]  # fmt: skip
        if tasks:
            run(root, tasks, 1 if timed else jobs, lambda task, row: of[task[:2]].add(task[2], row))
    missed = []
    for stem, module, table, kept in work:
        write(root, stem, module, table, [kept.get(draw) for draw in table.over])
        kept.path.unlink(missing_ok=True)  # the table contains the rows now
        for finding in read(path_of(root, table)).findings:
            print(f"{stem}, {finding.id}: {finding.line}")
            if finding.times < finding.holds:
                missed.append(f"{stem}, {finding.id}: holds in {finding.often}, but should in {finding.holds}")
    return missed


def check(root: Path, named: Iterable[str] = (), jobs: int = 1) -> list[str]:
    """Repeat every draw that is not timed; return what has changed."""
    missed: list[str] = []
    of = {}
    for stem in named or stems(root):
        module = load(root, stem)
        missed += faults(root, stem, (root / "notebooks/src" / f"{stem}.py").read_text(encoding="utf-8"))
        found = ((table, _readable(path_of(root, table))) for table in tables(module) if not table.timed)
        of |= {(stem, table.name): (table, stored) for table, stored in found if stored and _is_whole(stored, table)}

    def compared(task: tuple[str, str, Any], row: Row) -> None:
        table, stored = of[task[:2]]
        missed.extend(filter(None, [differs(table, task[2], row, stored)]))

    run(root, [(*key, draw) for key, (table, _) in of.items() for draw in table.over], jobs, compared)
    return missed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.measure", description="Measure what the chapters claim.")
    parser.add_argument("stems", nargs="*", metavar="STEM", help=f"any of {', '.join(stems(ROOT))} (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; repeat all draws and compare")
    parser.add_argument("--force", action="store_true", help="also measure what is up to date")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of draws at a time")
    options = parser.parse_args(arguments)
    if unknown := set(options.stems) - set(stems(ROOT)):
        parser.error(f"no {', '.join(sorted(unknown))} in {FOLDER}. Available: {', '.join(stems(ROOT))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the worker processes end as well
    try:
        if options.check:
            missed = check(ROOT, options.stems, options.jobs)
        else:
            missed = measure(ROOT, options.stems, force=options.force, jobs=options.jobs)
    except ValueError as fault:
        print(fault, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. Finished draws are kept, and the next run continues from there.", file=sys.stderr)
        return 130
    for line in missed:
        print(line, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
