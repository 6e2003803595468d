"""Run a lecture, a solved sheet or tests inside WebAssembly; `tools.wasm` starts it.

    python -m tools.wasm_guest notebook notebooks/ch03_ridge.ipynb --packed scipy matplotlib …
    python -m tools.wasm_guest tests tests/unit

The first command runs the code cells in order, like *Run all*, and prints the failures as one line of JSON.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import json
import os
import re
import sys
import traceback
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tools.cells import run_cells

IN_WASM = sys.platform == "wasi"
MARK = "not_in_wasm"  # marks tests that need something that WebAssembly does not have
# distributions whose modules have other names
IMPORTED_AS = {
    "fonttools": ("fontTools",),
    "matplotlib": ("matplotlib", "mpl_toolkits", "pylab"),
    "pillow": ("PIL",),
    "python-dateutil": ("dateutil",),
    "scikit-learn": ("sklearn",),
}


def notebook(path: Path) -> list[tuple[str, str]]:
    """Run a notebook's code cells in its folder; return the failures.

    A failure is a cell with the last line of its error, or an exercise whose check does not give full points.
    """
    import matplotlib

    matplotlib.use("agg")
    from kcourse import checks

    failed: list[tuple[str, str]] = []
    marked = checks.run

    def noted(name: str, *rest: Any, **more: Any) -> Any:
        result = marked(name, *rest, **more)
        if result.points < result.max_points:
            failed.append((name, f"{result.points} of {result.max_points} points: {' '.join(result.hints)}"))
        return result

    def noted_error(cell: str, error: Exception) -> None:
        failed.append((cell, traceback.format_exception_only(error)[-1].strip()))

    with patch.object(checks, "run", noted):
        run_cells(path, lambda cell: None, noted_error)
    return failed


# ---------------------------------------------------------------- nothing that the edition does not pack


class NotPacked:
    """An import finder that refuses packages that are installed here but not in the browser edition."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = frozenset(names)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}: the edition does not pack it", name=name)


def needed(packed: Iterable[str]) -> set[str]:
    """Return these distributions and their requirements, with names in lower case."""
    found, queue = set(), [name.lower() for name in packed]
    while queue:
        name = queue.pop()
        if name in found:
            continue
        found.add(name)
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            for line in importlib.metadata.requires(name) or ():
                if "extra ==" not in line:
                    queue.append(re.match(r"[\w.-]+", line)[0].lower().replace("_", "-"))
    return found


def not_packed(there: Iterable[str], packed: Iterable[str]) -> set[str]:
    """Return those modules ``there`` that belong neither to Python nor to ``packed`` and its requirements."""
    may = {module for name in needed(packed) for module in IMPORTED_AS.get(name, (name.replace("-", "_"),))}
    return {name for name in there if name not in sys.stdlib_module_names | may and not name.startswith("_")}


def _modules_of(archive: str) -> set[str]:
    with zipfile.ZipFile(archive) as opened:
        tops = {name.split("/")[0] for name in opened.namelist()}
    return {top.partition(".")[0] for top in tops if not top.endswith(("-info", ".txt"))}


# ---------------------------------------------------------------- tests


class Excused:
    """A pytest plugin: marked tests must fail here, for the reason that the mark gives."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        import pytest

        for item in items:
            for mark in item.iter_markers(MARK):
                item.add_marker(pytest.mark.xfail(reason=mark.kwargs["reason"], strict=True))


def tests(options: Sequence[str]) -> int:
    """Run pytest with these options, without the suite's conftest, which needs Jupyter's kernels and workers."""
    import pytest

    if not hasattr(os, "getuid"):  # pytest asks for the owner of its folders
        os.getuid = lambda: 0
    how = ["--noconftest", "--import-mode=importlib", "--capture=sys", "-q", "--tb=short", "-rxX"]
    return pytest.main(
        [*how, "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:logging", *options],
        plugins=[Excused()],
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.wasm_guest", description="Run a part of the course here.")
    parser.add_argument("what", choices=["notebook", "tests"])
    parser.add_argument("--packed", nargs="+", default=[], help="packages of the browser edition")
    options, rest = parser.parse_known_args(arguments)
    if options.what == "tests":
        return tests(rest)
    for archive in (name for name in sys.path if IN_WASM and name.endswith(".zip")):
        sys.meta_path.insert(0, NotPacked(not_packed(_modules_of(archive), options.packed)))
    print(json.dumps(notebook(Path(*rest))))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("MPLCONFIGDIR", os.environ.get("TMPDIR", "/tmp"))
    sys.exit(main())
