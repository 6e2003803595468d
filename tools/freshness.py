"""Which products are up to date: each says in its metadata what it was made from, and what it held then.

A notebook is made from its text, the build, the modules of kcourse that it imports, directly or not, the data that
its text names (all of them for `data/*`) and those of the library, the names of all chapters (of the errata: of the
sections that repair them, too), and the pinned versions of everything else. Docstrings, comments and layout of the
library do not count.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.links import ERRATA, lectures, repairs
from tools.lint import parse

BUILDERS = ("build", "freshness", "kernels", "links", "lint", "outputs", "prose", "sheets", "source", "tempo")
DATA = (".csv", ".mplstyle", ".js", ".css")  # files of a package that its modules read
PLACE = "kcourse"  # where the digests stand in a notebook's metadata


def stamp(notebook: dict[str, Any], made_from: str) -> dict[str, str]:
    """What is to stand in a notebook's metadata; the notebook as JSON has it."""
    metadata = {key: value for key, value in notebook["metadata"].items() if key != PLACE}
    return {"made_from": made_from, "holds": short(json.dumps(notebook | {"metadata": metadata}, sort_keys=True))}


def held(content: bytes) -> str:
    """The digest of what a notebook holds; "" for what is none."""
    try:
        return stamp(json.loads(content), "")["holds"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""


def doubt(product: Path, made_from: str | None = None) -> str:
    """Why a product is not what a build has made, from this if it is given, or an empty string."""
    content = product.read_bytes() if product.exists() else b""
    if not (holds := held(content)):
        return "missing, or not a notebook"
    stored = json.loads(content)["metadata"].get(PLACE, {})
    if made_from is not None and stored.get("made_from") != made_from:
        return "made from another state of its source, the library, its data or the build: make notebooks"
    return "" if stored.get("holds") == holds else "changed by hand after it was built: make notebooks"


class Freshness:
    """Digests of what products are made from; a file is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._read: dict[Path, tuple[str, list[str]]] = {}  # digest and imports of each file
        builders = [Path(__file__).with_name(f"{name}.py") for name in BUILDERS]
        pins = sorted((root / "requirements").glob("*.txt"))
        self.shared = [*lectures(root), self._digests([*builders, *pins])]  # a new chapter is linked from the others

    def is_fresh(self, source: Path, products: Iterable[str]) -> bool:
        """Whether the products are those that this source and this library make."""
        made_from = self.made_from(source)
        return not any(doubt(self.root / name, made_from) for name in products)

    def made_from(self, source: Path) -> str:
        """The digest of all that the products of a source are made from."""
        modules = self.modules(source)
        data = {path for m in modules if m.stem == "__init__" for path in self._beside(m.parent)}
        text = source.read_text(encoding="utf-8")
        named = [path for path in source.parent.parent.glob("data/*") if path.stem in text or "data/*" in text]
        data |= {path for path in named if path.is_file()}
        parts = [*self.shared, *(self._digests(paths) for paths in ([source], modules, data))]
        return short(repr([*parts, repairs(self.root) if source.stem == ERRATA else ""]))  # sections that it links

    def _beside(self, package: Path) -> Iterator[Path]:
        """The data of a package; what lies in a package within it is that one's."""
        for path in package.iterdir():
            if path.suffix in DATA:
                yield path
            elif path.is_dir() and not (path / "__init__.py").exists():
                yield from self._beside(path)

    def _digests(self, paths: Iterable[Path]) -> str:
        """Of several files at once, each with its name."""
        ordered = sorted(paths, key=Path.as_posix)
        return short(repr([(path.parent.name, path.name, self._file_read(path)[0]) for path in ordered]))

    def _file_read(self, path: Path) -> tuple[str, list[str]]:
        """The digest of a file, of a module only of what runs; and what it imports of kcourse."""
        if path not in self._read:
            tree = tree_of(path) if path.suffix == ".py" else ast.Module([], [])
            runs = path.suffix == ".py" and path.parent.name != "src"
            content = what_runs(tree) if runs else path.read_bytes().replace(b"\r\n", b"\n").decode("utf-8", "replace")
            below = path.is_relative_to(self.root) and path.relative_to(self.root).with_suffix("").parts[:-1]
            self._read[path] = short(content), list(_imports(tree, ".".join(below or ())))
        return self._read[path]

    def modules(self, source: Path) -> set[Path]:
        """The files of kcourse that running ``source`` loads, found by following imports."""
        found: set[Path] = set()
        names = list(self._file_read(source)[1])
        if any(name.startswith("kcourse.byhand:") for name in names):  # which loads the chapter's problems by its name
            names.append(f"kcourse.chapters.{source.stem}.byhand:")
        while names:
            name, _, attribute = names.pop().partition(":")
            if name == "kcourse" and attribute in ("", "*"):  # whatever is then taken from it
                return set((self.root / "kcourse").rglob("*.py"))
            home = self._homes.get(attribute) if name == "kcourse" else None
            for candidate in filter(None, (name, f"{name}.{attribute}", home and f"kcourse.{home}")):
                path = self._file(candidate)
                if path and path not in found:
                    found.add(path)
                    names += self._file_read(path)[1]
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
        for node in ast.walk(tree_of(top)) if top else ():
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOME":
                return ast.literal_eval(node.value)
        return {}


def tree_of(path: Path) -> ast.Module:
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


def what_runs(node: Any) -> str:
    """A tree as text without its places; empty fields are left out, since newer Pythons have more of them."""
    if isinstance(node, ast.AST):
        fields = (f"{name}={what_runs(value)}" for name, value in ast.iter_fields(node) if value not in (None, []))
        return f"{type(node).__name__}({','.join(fields)})"
    return f"[{','.join(map(what_runs, node))}]" if isinstance(node, list) else ascii(node)


def short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
