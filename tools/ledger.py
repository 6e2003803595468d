"""Which products are up to date: what the last builds were made from, and what they made.

A notebook is made from its text, the build, the modules of kcourse that it imports, directly or not, the data beside it
and in the library, the names of all chapters (of the errata: of the sections that repair them, too), and the pinned
versions of everything else. Docstrings and comments of the library do not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from tools.links import ERRATA, lectures, repairs
from tools.lint import parse

BUILDERS = ("build", "kernels", "ledger", "links", "lint", "outputs", "prose", "sheets", "source")
DATA = (".csv", ".mplstyle", ".js", ".css")  # files of a package that its modules read


class Ledger:
    """Digests in ``.build/ledger.json``, which git does not see."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.file = root / ".build" / "ledger.json"
        try:
            self.entries = dict(json.loads(self.file.read_text()))
        except (OSError, ValueError, TypeError):
            self.entries = {}  # none yet, or damaged: everything is stale
        builders = [Path(__file__).with_name(f"{name}.py") for name in BUILDERS]
        names = " ".join(lectures(root))  # a new chapter is linked from the others
        self.shared = names + _digest([*builders, *sorted((root / "requirements").glob("*.txt"))])

    def is_fresh(self, source: Path, products: list[str]) -> bool:
        """Whether the products are those that this source and this library made."""
        paths = [self.root / name for name in products]
        known = self.entries.get(products[0])
        return all(path.exists() for path in paths) and known == self.made_from(source, paths)

    def record(self, source: Path, products: list[str]) -> None:
        self.entries[products[0]] = self.made_from(source, [self.root / name for name in products])
        self.file.parent.mkdir(exist_ok=True)
        (self.file.parent / ".gitignore").write_text("*\n")
        self.file.write_text(json.dumps(self.entries, indent=1, sort_keys=True) + "\n")

    def made_from(self, source: Path, products: list[Path]) -> list[str]:
        """Digests of all that products are made from, and of the products."""
        modules = self.modules(source)
        data = {path for m in modules for path in m.parent.glob("**/*") if path.suffix in DATA and m.stem == "__init__"}
        data |= {path for path in source.parent.parent.glob("data/*") if path.is_file() and path.name[0] != "."}
        shared = self.shared + (repr(repairs(self.root)) if source.stem == ERRATA else "")  # sections that it links
        return [shared, _digest([source]), _digest(sorted(modules)), _digest(sorted(data)), _digest(products)]

    def modules(self, source: Path) -> set[Path]:
        """The files of kcourse that running ``source`` loads, found by following imports."""
        found: set[Path] = set()
        names = list(_imports(_tree(source)))
        while names:
            name, _, attribute = names.pop().partition(":")
            if name == "kcourse" and attribute in ("", "*"):  # whatever is then taken from it
                return set((self.root / "kcourse").rglob("*.py"))
            home = self._homes.get(attribute) if name == "kcourse" else None
            for candidate in filter(None, (name, f"{name}.{attribute}", home and f"kcourse.{home}")):
                path = self._file(candidate)
                if path and path not in found:
                    found.add(path)
                    package = candidate if path.stem == "__init__" else candidate.rpartition(".")[0]
                    names += _imports(_tree(path), package)
        if self._file("kcourse.checks") in found:  # which loads the module of the chapter by its name
            found |= set((self.root / "kcourse" / "chapters" / source.stem).glob("*.py"))
        return found

    def _file(self, module: str) -> Path | None:
        path = self.root.joinpath(*module.split("."))
        return next((p for p in (path / "__init__.py", path.with_suffix(".py")) if p.is_file()), None)

    @cached_property
    def _homes(self) -> dict[str, str]:
        """Which module a name of ``kcourse`` comes from: it is loaded on first use."""
        top = self._file("kcourse")
        for node in ast.walk(_tree(top)) if top else ():
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOME":
                return ast.literal_eval(node.value)
        return {}


def _tree(path: Path) -> ast.Module:
    """What runs of a module or of a notebook's source: no docstrings, no imports for type checkers alone."""
    text = path.read_text(encoding="utf-8")
    try:
        tree = parse(text) if path.parent.name == "src" else ast.parse(text)  # a source may have magics
    except (SyntaxError, ValueError):
        return ast.parse("import kcourse")  # it may use anything
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            first = 1 if ast.get_docstring(node) is not None else 0
            node.body = [child for child in node.body[first:] if not _for_checkers(child)]
    return tree


def _for_checkers(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def _imports(tree: ast.Module, package: str = "") -> Iterator[str]:
    """What is imported of kcourse, as "module:" or "module:name"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (f"{alias.name}:" for alias in node.names if alias.name.startswith("kcourse"))
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            if module.partition(".")[0] == "kcourse":
                yield from (f"{module}:{alias.name}" for alias in node.names)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.name}\0".encode() + hashlib.sha256(_content(path)).digest())
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    """The file's bytes; of a module only what runs."""
    if path.suffix == ".py" and path.parent.name != "src":
        return ast.dump(_tree(path)).encode()
    return path.read_bytes()
