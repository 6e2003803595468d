"""What a part of the course reaches: the tests to run when it was changed.

A chapter (``ch03``) reaches the tests and products that have its name or that of one of its exercises. Anything else is
a folder or file of kcourse (``kernels``, ``grading``, ``grading.intake``): it reaches the test files that import it,
directly or not, and the notebooks that do; whoever imports the checks imports the marks of all chapters. What else is
imported by a name that is computed is not seen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kcourse.checks import CHAPTERS, exercises
from tools import freshness

__all__ = ["modules", "options", "reaching"]

ROOT = Path(__file__).resolve().parent.parent
PRODUCTS = freshness.Freshness(ROOT)
HOMES = PRODUCTS._homes  # of the names of kcourse that are loaded on first use
# what stands in a folder of tests for what it starts as a program
STARTS = {"tests/browser": "kcourse/lab", "tests/zoo": "kcourse/grading"}


def options(parts: list[str]) -> list[str]:
    """pytest's options that select what these parts reach; ValueError for a name that is none."""
    stems = sorted({path.stem for path in (ROOT / "notebooks" / "src").glob("ch*.py")})
    words: list[str] = []
    files: list[str] = []
    for part in parts:
        chapters = [stem for stem in stems if stem == part or stem.startswith(f"{part}_")]
        for stem in chapters:
            names = [spec.name for spec in exercises(stem)] if stem in CHAPTERS else []
            words += [stem.partition("_")[0], *names]
        if not chapters:
            files += reaching(modules(part))
    if words and files:
        raise ValueError("name chapters, or parts of kcourse, not both at once")
    return ["-k", " or ".join(dict.fromkeys(words))] if words else list(dict.fromkeys(files))


def modules(part: str) -> set[Path]:
    """The files of a part of kcourse."""
    path = ROOT / "kcourse" / part.removeprefix("kcourse.").replace(".", "/")
    found = {path.with_suffix(".py")} if path.with_suffix(".py").is_file() else set(path.rglob("*.py"))
    if not found:
        there = sorted(p.stem for p in (ROOT / "kcourse").iterdir() if p.stem[0] != "_" and p.name != "chapters")
        raise ValueError(f"there is no part {part!r}; there are the chapters (ch03, …), {', '.join(there)}")
    return found


def reaching(changed: set[Path]) -> list[str]:
    """Test files and notebooks that import one of these modules, directly or not; the nearest first."""
    found = [path for path in (ROOT / "tests").rglob("test_*.py") if _imported(path) & changed]
    found.sort(key=lambda path: (len(_imported(path)), path))  # the nearest first: they import little else
    started = {ROOT / folder for folder, part in STARTS.items() if any((ROOT / part) in m.parents for m in changed)}
    found += [path for folder in started for path in sorted(folder.glob("test_*.py")) if path not in found]
    found += sorted(changed)  # their examples
    for source in sorted((ROOT / "notebooks" / "src").glob("*.py")):
        if PRODUCTS.modules(source) & changed:
            found.append(ROOT / "notebooks" / f"{source.stem}.ipynb")
    return [path.relative_to(ROOT).as_posix() for path in found]


@cache
def _imported(path: Path) -> frozenset[Path]:
    """The modules of the project that running ``path`` loads."""
    found: set[Path] = set()
    queue = [path]
    while queue:
        new = set(_imports(queue.pop())) - found
        found |= new
        queue += new
    return frozenset(found)


@cache
def _imports(path: Path) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(_each(path)))


def _each(path: Path) -> Iterator[Path]:
    package = path.parent
    if path == ROOT / "kcourse" / "checks" / "__init__.py":  # it loads each chapter's marks by their name
        yield from (p for p in sorted((ROOT / "kcourse" / "chapters").glob("ch*/*.py")) if p.stem != "figures")
    for node in ast.walk(freshness.tree_of(path)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = list(package.relative_to(ROOT).parts)[: len(package.relative_to(ROOT).parts) + 1 - node.level]
            start = ".".join([*above, node.module or ""]).strip(".") if node.level else node.module or ""
            names = [start, *(f"{start}.{alias.name}" for alias in node.names)]
            if start == "kcourse":  # its names are loaded on first use
                names += [f"kcourse.{HOMES[alias.name]}" for alias in node.names if alias.name in HOMES]
        for name in names:
            parts = name.split(".")
            for i in range(1, len(parts) + 1):
                file = ROOT.joinpath(*parts[:i])
                yield from (p for p in (file.with_suffix(".py"), file / "__init__.py") if p.is_file())
