"""Build what readers open from what authors write: ``python -m tools.build [STEM ...] [--check] [--force]``.

    notebooks/src/X.py  ->  notebooks/X.ipynb, executed
    solutions/src/X.py  ->  solutions/X_sheet.ipynb, executed, and
                            exercises/X_sheet.ipynb, without solutions and outputs

Only what is stale is built, only what has changed is written, and nothing is written for a faulty source.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import nbformat.v4
from nbformat import NotebookNode

from tools import links, lint, outputs, prose, sheets
from tools.ledger import Ledger
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
) -> list[Problem]:
    """Build the stale products of the stems (of all, without stems); return the faults of the sources."""
    ledger = Ledger(root)
    problems = []
    for path in find_sources(root, stems):
        names = product_names(path)
        if not force and ledger.is_fresh(path, names):
            for name in names:
                say(f"up to date {name}")
            continue
        start = time.monotonic()
        source, texts = _build_one(path, root, lookup)
        seconds = f"({time.monotonic() - start:.0f} s)"
        problems += source.problems
        for name in names:
            if source.problems:
                say(f"failed {name} {seconds}")
            elif _write_if_changed(root / name, texts[name]):
                say(f"built {name} {seconds}")
            else:
                say(f"unchanged {name} {seconds}")
        if not source.problems:
            ledger.record(path, names)
    return sorted(problems)


def check(root: Path, stems: Sequence[str] = (), *, lookup: sheets.Lookup = sheets.find_spec) -> list[str]:
    """What a build would complain about or change, seen without running or writing anything."""
    messages = []
    expected = set()
    for path in find_sources(root, stems):
        source, products = prepare(path, root, lookup)
        expected.update(product_names(path))
        for name, notebook in products.items():
            messages += _compare(source, name, notebook, root)
        messages += map(str, sorted(source.problems))
    if not stems:
        folders = sum(PRODUCT_FOLDERS.values(), [])
        stored = {f"{folder}/{path.name}" for folder in folders for path in (root / folder).glob("*.ipynb")}
        messages += [f"{name}: no source makes this notebook, delete it" for name in sorted(stored - expected)]
    return messages


def find_sources(root: Path, stems: Sequence[str] = ()) -> list[Path]:
    """Source files in the order of building; ValueError for a stem that has none."""
    paths = [path for folder in PRODUCT_FOLDERS for path in sorted((root / folder / "src").glob("*.py"))]
    if unknown := set(stems) - {path.stem for path in paths}:
        raise ValueError(f"no source named {', '.join(sorted(unknown))} in notebooks/src or solutions/src")
    return [path for path in paths if not stems or path.stem in stems]


def product_names(path: Path) -> list[str]:
    """The notebooks that a source makes, below the root."""
    home = path.parent.parent.name
    name = path.stem if home == "notebooks" else f"{path.stem}_sheet"  # two tabs of JupyterLab, two names
    return [f"{folder}/{name}.ipynb" for folder in PRODUCT_FOLDERS[home]]


def prepare(path: Path, root: Path, lookup: sheets.Lookup) -> tuple[Source, Products]:
    """Read and lint a source and make its products, not executed; no products where there are faults."""
    source = read(path, root)
    lint.lint(source)
    sheets.lint_markers(source)
    if source.is_sheet:
        sheets.lint_sheet(source, lookup)
        if not source.problems:
            sheets.add_nbgrader_metadata(source, lookup)
    if source.problems:
        return source, {}
    if not source.is_sheet:
        links.link_chapters(source, root)
        if source.stem == links.ERRATA:
            links.link_errata(source, root)
    notebooks = [source.notebook()]
    if source.is_sheet:
        notebooks.append(sheets.exercise_from(source.notebook()))
        sheets.lint_stubs(source, notebooks[1])
    return source, dict(zip(product_names(path), notebooks, strict=True))


def _build_one(path: Path, root: Path, lookup: sheets.Lookup) -> tuple[Source, dict[str, str]]:
    source, products = prepare(path, root, lookup)
    if source.problems:
        return source, {}
    name, notebook = next(iter(products.items()))
    if outputs.execute(source, notebook, (root / name).parent):
        products[name] = outputs.clean(notebook)
        _check_stored(source, products[name], root)
    return source, {name: _text(notebook) for name, notebook in products.items()}


def _check_stored(source: Source, notebook: NotebookNode, root: Path) -> None:
    outputs.check_outputs(source, notebook, _text(notebook), root)
    if not source.is_sheet:
        prose.check_prose(source, notebook)


def _text(notebook: NotebookNode) -> str:
    nbformat.validate(notebook)
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def _write_if_changed(path: Path, text: str) -> bool:
    if path.exists() and path.read_bytes() == text.encode():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())  # bytes: the same line ends on every system
    return True


def _compare(source: Source, name: str, expected: NotebookNode, root: Path) -> list[str]:
    """How a stored product differs from what would be built, cell by cell, and faults of its outputs."""
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
    parser = argparse.ArgumentParser(prog="python -m tools.build", description="Build what is stale.")
    parser.add_argument("stems", nargs="*", metavar="STEM", help="such as ch03_ridge (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; list what a build would change")
    parser.add_argument("--force", action="store_true", help="rebuild what is up to date, too")
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent, help="the project's folder")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    try:
        if options.check:
            faults = check(root, options.stems)
        else:
            faults = build(root, options.stems, force=options.force, say=partial(print, flush=True))
    except ValueError as error:
        parser.error(str(error))
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        print(f"{len(faults)} to repair", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
