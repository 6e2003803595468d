"""Which products are up to date: the metadata of each has digests of what it was made from and of its content.

A notebook depends on its source, the build, the names of kcourse that it uses directly or indirectly, the measured
tables that its text names, the library's data, the names of all chapters (the errata also on the sections that correct
them), and the pinned versions of all packages. Docstrings, comments and layout of the library do not count, nor do
classes and functions that are not used.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.links import ERRATA, lectures, repairs
from tools.lint import parse

BUILDERS = ("build", "freshness", "kernels", "links", "lint", "outputs", "prose", "sheets", "source", "pacing")
DATA = (".csv", ".mplstyle", ".js", ".css")  # files of a package that its modules read
OURS = ("kcourse", "kcourse_grader")
MEASURED = "kcourse/measured_data"  # of which a notebook uses the tables that it names
PLACE = "kcourse"  # key of the digests in a notebook's metadata


def stamp(notebook: dict[str, Any], made_from: str) -> dict[str, str]:
    """Return the digests for a notebook's metadata; the notebook is given as JSON data."""
    metadata = {key: value for key, value in notebook["metadata"].items() if key != PLACE}
    return {"made_from": made_from, "holds": short(json.dumps(notebook | {"metadata": metadata}, sort_keys=True))}


def held(content: bytes) -> str:
    """Return the digest of a notebook's content; "" if it is not a notebook."""
    try:
        return stamp(json.loads(content), "")["holds"]
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""


def doubt(product: Path, made_from: str | None = None) -> str:
    """Return why a product is not what a build has made (from ``made_from``, if given), or an empty string."""
    content = product.read_bytes() if product.exists() else b""
    if not (holds := held(content)):
        return "missing, or not a notebook: run make notebooks"
    stored = json.loads(content)["metadata"].get(PLACE, {})
    if made_from is not None and stored.get("made_from") != made_from:
        return "made from another state of its source, the library, its data or the build: run make notebooks"
    return "" if stored.get("holds") == holds else "changed by hand after it was built: run make notebooks"


ALL = "*"  # all names of a module
# decorators that only change their function; any other may register it in a table, so such a function always counts
PLAIN = ("dataclass", "cache", "lru_cache", "contextmanager", "wraps", "overload", "total_ordering", "singledispatch")
BY_NAME = {"import_module", "globals", "vars", "__import__", "exec", "eval"}  # they may use any name of their module


@dataclass(frozen=True)
class Part:
    """A statement of a module: the names that it defines and uses, and its imports from kcourse."""

    text: str
    defines: frozenset[str]
    uses: frozenset[str]
    imports: tuple[tuple[str, str], ...]  # (local name, "module:name")
    only_imports: bool
    counts: bool  # whichever name of the module is used


class Freshness:
    """Digests of what products are made from; each file is read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._parts: dict[Path, list[Part]] = {}
        self._texts: dict[Path, str] = {}  # digests of whole files
        builders = [Path(__file__).with_name(f"{name}.py") for name in BUILDERS]
        pins = sorted((root / "requirements").glob("*.txt"))
        self.shared = [*lectures(root), self._digests([*builders, *pins])]  # a new chapter is linked from the others

    def is_fresh(self, source: Path, products: Iterable[str]) -> bool:
        """Whether the products were made from the present source and library."""
        made_from = self.made_from(source)
        return not any(doubt(self.root / name, made_from) for name in products)

    def made_from(self, source: Path) -> str:
        """Return the digest of everything that the products of a source are made from."""
        reached = self._reached(source)
        data = {path for m in reached if m.stem == "__init__" for path in self._beside(m.parent)}
        text = source.read_text(encoding="utf-8")
        data |= {path for path in (self.root / MEASURED).glob("*.csv") if path.stem in text}
        runs = sorted((self._name(path), part.text) for path, parts in reached.items() for part in parts)
        parts = [*self.shared, short(repr(runs)), *(self._digests(paths) for paths in ([source], data))]
        return short(repr([*parts, repairs(self.root) if source.stem == ERRATA else ""]))  # sections that it links

    def _beside(self, package: Path) -> Iterator[Path]:
        """Yield the data files of a package, without those of packages inside it."""
        for path in package.iterdir():
            if path.suffix in DATA:
                yield path
            elif path.is_dir() and path != self.root / MEASURED and not (path / "__init__.py").exists():
                yield from self._beside(path)

    def _digests(self, paths: Iterable[Path]) -> str:
        """Return one digest of several files and their names."""
        for path in paths:
            if path not in self._texts:
                text = path.read_bytes().replace(b"\r\n", b"\n").decode("utf-8", "replace")
                runs = path.suffix == ".py" and path.parent.name != "src"
                self._texts[path] = short(what_runs(tree_of(path)) if runs else text)
        return short(repr(sorted((self._name(path), self._texts[path]) for path in paths)))

    def _name(self, path: Path) -> str:
        return f"{path.parent.name}/{path.name}"

    def modules(self, source: Path) -> set[Path]:
        """Return the files of kcourse that running ``source`` uses."""
        return set(self._reached(source))

    def _reached(self, source: Path) -> dict[Path, list[Part]]:
        """Return the statements of kcourse that running ``source`` uses, by module."""
        wanted: dict[Path, set[str]] = {}
        queue = [(path, name)
                 for part in self._parts_of(source) for _, target in part.imports
                 for path, name in self._targets(target)]  # fmt: skip
        while queue:
            path, name = queue.pop()
            if path in wanted and (name in wanted[path] or ALL in wanted[path]):
                continue
            if path not in wanted:  # its package is loaded as well
                outer = path.parent if path.stem != "__init__" else path.parent.parent
                queue += [(p, "") for p in [outer / "__init__.py"] if p.is_file() and outer != self.root]
                if path == self._file("kcourse.paper_problems"):  # which loads the chapter's problems by its name
                    home = self._file(f"kcourse.chapters.{source.stem}.paper_problems")
                    queue += [(home, ALL)] if home else []
                if path == self._file("kcourse.checks"):  # which loads the chapter's marks by its name
                    queue += [(p, ALL) for p in (self.root / "kcourse" / "chapters" / source.stem).glob("*.py")]
            wanted.setdefault(path, set()).add(name)
            for part in self._parts_of(path):
                used = part.counts or name == ALL or name in part.defines
                if used:
                    queue += [(path, n) for n in ((ALL,) if part.uses & BY_NAME else part.uses)]
                for here, target in part.imports:
                    if used and not (part.only_imports and here not in (name, ALL) and name != ALL):
                        queue += self._targets(target)
                    elif part.only_imports:  # the imported module runs, whichever of its names is used
                        queue += [(found, "") for found, _ in self._targets(target)]
        return {path: [p for p in self._parts_of(path) if p.counts or names & p.defines or ALL in names]
                for path, names in wanted.items()}  # fmt: skip

    def _targets(self, target: str) -> Iterator[tuple[Path, str]]:
        """Yield the module and the name that an import of "module:name" gives."""
        module, _, attribute = target.partition(":")
        if module == "kcourse" and attribute in ("", ALL):  # then any name may be used
            yield from ((path, ALL) for path in (self.root / "kcourse").rglob("*.py"))
            return
        home = self._homes.get(attribute) if module == "kcourse" else None
        if inner := self._file(f"{module}.{attribute}") if attribute else None:
            yield inner, ALL
        elif found := self._file(f"kcourse.{home}" if home else module):
            yield found, attribute or ALL
        if home and (top := self._file("kcourse")):
            yield top, ""

    def _parts_of(self, path: Path) -> list[Part]:
        if path not in self._parts:
            below = path.is_relative_to(self.root) and path.relative_to(self.root).with_suffix("").parts[:-1]
            self._parts[path] = [_part(node, ".".join(below or ())) for node in tree_of(path).body]
        return self._parts[path]

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


def _part(node: ast.stmt, package: str) -> Part:
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
    definition = isinstance(node, (ast.FunctionDef, ast.ClassDef))
    imports = tuple(_imports(node, package))
    only_imports = isinstance(node, (ast.Import, ast.ImportFrom))
    if definition:
        defines = {node.name}
    elif only_imports:
        defines = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
    else:
        defines = {n.id for n in names if isinstance(n.ctx, ast.Store)}
    binds = isinstance(node, (ast.Assign, ast.AnnAssign)) and bool(defines)
    plain = binds or only_imports or definition
    registered = definition and any(_called(d) not in PLAIN for d in node.decorator_list)
    # a package's table of names, and functions that Python itself calls
    counts = not plain or registered or defines == {"_HOME"} or (ALL in defines)
    uses = {n.id for n in names if isinstance(n.ctx, ast.Load)}
    uses |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute) and n.attr in BY_NAME}
    return Part(what_runs(node), frozenset(defines), frozenset(uses), imports, only_imports, counts)


def _called(decorator: ast.expr) -> str:
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _imports(tree: ast.AST, package: str = "") -> Iterator[tuple[str, str]]:
    """Yield the imports from kcourse: the local name, and "module:" or "module:name"."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] in OURS:
                    yield alias.asname or "kcourse", f"{alias.name}:"
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            if module.partition(".")[0] in OURS:
                yield from ((alias.asname or alias.name, f"{module}:{alias.name}") for alias in node.names)


def what_runs(node: Any) -> str:
    """Return a syntax tree as text without positions; empty fields are omitted, because newer Pythons have more."""
    if isinstance(node, ast.AST):
        fields = (f"{name}={what_runs(value)}" for name, value in ast.iter_fields(node) if value not in (None, []))
        return f"{type(node).__name__}({','.join(fields)})"
    return f"[{','.join(map(what_runs, node))}]" if isinstance(node, list) else ascii(node)


def short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
