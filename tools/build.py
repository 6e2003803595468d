"""Build the notebooks from their sources: ``python -m tools.build [STEM ...] [--check] [--force]``.

    notebooks/src/X.py  ->  notebooks/X.ipynb, executed
    solutions/src/X.py  ->  solutions/X_sheet.ipynb, executed, and
                            exercises/X_sheet.ipynb, without solutions and outputs

Only stale products are built, and only changed ones are written. First all stale sources are read. If they have faults,
the build lists all of them within seconds and runs nothing. Otherwise it runs as many notebooks at a time as there are
processors, the longest first. The metadata of a product says what it was made from (`freshness`).
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from pathlib import Path

import nbformat.v4
from nbformat import NotebookNode

from tests.timeouts import SLOW, slowness
from tools import links, lint, outputs, pacing, prose, sheets
from tools.freshness import PLACE, Freshness, doubt, held, stamp
from tools.source import Problem, Source, read

PRODUCT_FOLDERS = {"notebooks": ["notebooks"], "solutions": ["solutions", "exercises"]}
Products = dict[str, NotebookNode]  # path below the root -> notebook; the first one is executed


def build(
    root: Path,
    stems: Sequence[str] = (),
    *,
    force: bool = False,
    lookup: sheets.Lookup = sheets.find_spec,
    say: Callable[[str], None] = print,
    jobs: int = 1,
) -> list[Problem]:
    """Build the stale products of the stems (by default of all); return the faults of the sources."""
    freshness = Freshness(root)
    stale = []
    for path in find_sources(root, stems):
        if force or not freshness.is_fresh(path, product_names(path)):
            stale.append(path)
        else:
            for name in product_names(path):
                say(f"up to date {name}")
    problems = lint.ruff(root, stale)
    for path in stale:
        problems += prepare(path, root, lookup)[0].problems
    if problems:
        return sorted(problems)
    run = partial(_build_one, root=root, lookup=lookup)
    for path, source, texts, (seconds, core_seconds) in _all(run, sorted(stale, key=_length, reverse=True), jobs):
        problems += source.problems
        for name in product_names(path):
            if source.problems:
                say(f"failed {name} ({seconds:.0f} s)")
            else:
                done = _write(root / name, texts[name], freshness.made_from(path), core_seconds)
                say(f"{done} {name} ({seconds:.0f} s)")
    return sorted(problems)


# a source file, the parsed source, the texts of its products, (real seconds, CPU seconds)
Built = tuple[Path, Source, dict[str, str], tuple[float, float]]


def _all(run: Callable[[Path], Built], paths: Sequence[Path], jobs: int) -> Iterator[Built]:
    """Yield the result of ``run`` for each path when it is finished; run several at a time, each in its own process."""
    if min(jobs, len(paths)) < 2:
        yield from map(run, paths)
        return
    # not forked, because a fork inherits what the parent's libraries have opened
    afresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(paths)), afresh, initializer=_out_of_earshot) as pool:
        try:
            for future in as_completed([pool.submit(run, path) for path in paths]):
                yield future.result()
        except BaseException:  # above all Ctrl-C
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.kill()  # their kernels then end themselves
            raise


def _out_of_earshot() -> None:
    """Let a terminal's Ctrl-C reach only the parent, which ends the other processes without tracebacks."""
    if hasattr(os, "setsid"):
        os.setsid()


def _length(path: Path) -> int:
    """Return the length of a source, as an estimate of its running time."""
    return len(path.read_text(encoding="utf-8"))


def check(root: Path, stems: Sequence[str] = (), *, lookup: sheets.Lookup = sheets.find_spec) -> list[str]:
    """Return what a build would report or change, without running or writing anything."""
    paths = find_sources(root, stems)
    messages = list(map(str, lint.ruff(root, paths)))
    expected = set()
    for path in paths:
        source, products = prepare(path, root, lookup)
        expected.update(product_names(path))
        for name, notebook in products.items():
            faults = _compare(source, name, notebook, root)
            # a change of the library is not reported here: most change nothing, and a run shows the others
            if not faults and not source.problems and (why := doubt(root / name)):
                faults = [f"{name}: {why}"]
            messages += faults
        messages += map(str, sorted(source.problems))
    if not stems:
        folders = sum(PRODUCT_FOLDERS.values(), [])
        stored = {f"{folder}/{path.name}" for folder in folders for path in (root / folder).glob("*.ipynb")}
        messages += [f"{name}: no source makes this notebook; delete it" for name in sorted(stored - expected)]
    return messages


def find_sources(root: Path, stems: Sequence[str] = ()) -> list[Path]:
    """Return the source files in the order of building; ValueError for a stem without a source."""
    paths = [path for folder in PRODUCT_FOLDERS for path in sorted((root / folder / "src").glob("*.py"))]
    if unknown := set(stems) - {path.stem for path in paths}:
        raise ValueError(f"no source named {', '.join(sorted(unknown))} in notebooks/src or solutions/src")
    return [path for path in paths if not stems or path.stem in stems]


def product_names(path: Path) -> list[str]:
    """Return the paths of the notebooks that a source makes, relative to the root."""
    home = path.parent.parent.name
    name = path.stem if home == "notebooks" else f"{path.stem}_sheet"  # so that tabs have different names
    return [f"{folder}/{name}.ipynb" for folder in PRODUCT_FOLDERS[home]]


def prepare(path: Path, root: Path, lookup: sheets.Lookup) -> tuple[Source, Products]:
    """Read and lint a source, and make its products without executing them; no products if there are faults."""
    source = read(path, root)
    lint.lint(source)
    if not source.is_sheet and (root / "measured" / path.name).exists():
        from tools import measure  # late, because it imports scikit-learn and more

        for fault in measure.faults(root, source.stem, path.read_text(encoding="utf-8")):
            source.complain(1, fault)
    sheets.lint_markers(source)
    if source.is_sheet:
        sheets.lint_sheet(source, lookup)
        if not source.problems:
            sheets.add_nbgrader_metadata(source, lookup)
    if source.problems:
        return source, {}
    if not source.is_sheet:
        links.link_plan(source)
        links.link_chapters(source, root)
        if source.stem == links.ERRATA:
            links.link_errata(source, root)
        links.name_sections(source)
    notebooks = [source.notebook()]
    if source.is_sheet:
        notebooks.append(sheets.exercise_from(source.notebook()))
        sheets.lint_stubs(source, notebooks[1])
    return source, dict(zip(product_names(path), notebooks, strict=True))


def _build_one(path: Path, root: Path, lookup: sheets.Lookup) -> Built:
    start, before = time.monotonic(), sum(os.times()[2:4])
    source, products = prepare(path, root, lookup)
    name, notebook = next(iter(products.items()))
    done = outputs.execute(source, notebook, (root / name).parent)
    core_seconds = (sum(os.times()[2:4]) - before) * SLOW / slowness()  # in seconds of a slow machine
    if done:
        products[name] = outputs.clean(notebook)
        _check_stored(source, products[name], root)
    texts = {} if source.problems else {name: _text(notebook) for name, notebook in products.items()}
    return path, source, texts, (time.monotonic() - start, core_seconds)


def _check_stored(source: Source, notebook: NotebookNode, root: Path) -> None:
    outputs.check_outputs(source, notebook, _text(notebook), root)
    if not source.is_sheet:
        prose.check_prose(source, notebook)
    if not source.is_sheet and not source.problems:  # pages need correct outputs
        pacing.check(source, notebook)


def _text(notebook: NotebookNode) -> str:
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def _write(path: Path, text: str, made_from: str, core_seconds: float) -> str:
    """Write a notebook with its digests; return "unchanged" if only the digests are new."""
    notebook, new = nbformat.v4.reads(text), json.loads(text)
    mark = stamp(new, made_from) | {"core_seconds": round(core_seconds, 1)}
    new["metadata"][PLACE] = notebook.metadata[PLACE] = mark
    content = _text(notebook).encode()
    before = path.read_bytes() if path.exists() else b""
    if before != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)  # bytes: the same line ends on every system
    return "unchanged" if held(before) == mark["holds"] else "built"


def _compare(source: Source, name: str, expected: NotebookNode, root: Path) -> list[str]:
    """Return how a stored product differs from what would be built, cell by cell, and faults of its outputs."""
    if not (root / name).exists():
        return [f"{name}: missing"]
    try:
        stored = nbformat.v4.reads((root / name).read_text(encoding="utf-8"))
    except (ValueError, AttributeError) as error:
        return [f"{name}: not a notebook ({error})"]
    executed = not name.startswith("exercises/")
    if executed:
        _number_cells(expected)
    messages = []
    stored.metadata.pop(PLACE, None)
    if (stored.metadata, stored.nbformat, stored.nbformat_minor) != (expected.metadata, 4, 5):
        messages.append(f"{name}: the notebook's metadata or format differs")
    found = {cell.get("id"): cell for cell in stored.cells}
    for origin, cell in zip(source.cells, expected.cells, strict=True):
        where = f"{name}: cell {cell.id!r} (from {source.path}:{origin.line})"
        twin = found.pop(cell.id, None)
        if twin is None:
            messages.append(f"{where} is missing")
            continue
        parts = ["cell_type", "source", "metadata", "execution_count", *([] if executed else ["outputs"])]
        messages += [f"{where}: {part} differs" for part in parts if twin.get(part) != cell.get(part)]
    messages += [f"{name}: cell {id!r} is not in {source.path}" for id in found]
    if not messages and [cell.id for cell in stored.cells] != [cell.id for cell in expected.cells]:
        messages.append(f"{name}: the cells are repeated or not in the order of {source.path}")
    if executed and not messages:
        _check_stored(source, stored, root)
    return messages


def _number_cells(notebook: NotebookNode) -> None:
    """Set the execution counts that a run sets."""
    run = (cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip())
    for count, cell in enumerate(run, start=1):
        cell.execution_count = count


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.build", description="Build the stale notebooks.")
    parser.add_argument("stems", nargs="*", metavar="STEM", help="such as ch03_ridge (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; list what a build would change")
    parser.add_argument("--force", action="store_true", help="also rebuild what is up to date")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="notebooks at a time (default: one per processor)"
    )
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent, help="the project's folder")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    try:
        if options.check:
            faults = check(root, options.stems)
        else:
            say = partial(print, flush=True)
            faults = build(root, options.stems, force=options.force, say=say, jobs=options.jobs)
    except ValueError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("Stopped. Finished notebooks are written; the others are unchanged.", file=sys.stderr)
        return 128 + signal.SIGINT
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} to fix{': run make notebooks' if options.check else ''}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
