"""A function of a table as the cell of a notebook: its source, and that of all it calls.

The tables of wrong and of right answers hold functions, some of them closures made by other functions. The sandbox has
none of those modules, and a student would have typed the code anyway.
"""

from __future__ import annotations

import ast
import builtins
import copy
import functools
import linecache
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

_PARTS = ("base", "kernels", "datasets")  # of kcourse: what one sheet or another may call
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(...))


def as_cell(name: str, function: Any, known: dict[Any, str] | None = None) -> str:
    """Source that defines ``name`` as ``function``; ``known`` are objects that the notebook has under these names."""
    writer = _Writer(known or {})
    last = writer.expression(function)
    return "\n".join([*writer.lines, f"{name} = {last}"]) + "\n"


class _Writer:
    def __init__(self, known: dict[Any, str]) -> None:
        self.lines: list[str] = []
        self.names = {id(item): name for item, name in known.items()}
        self.kept: list[Any] = []  # what is known by its id has to live on

    def expression(self, item: Any) -> str:
        """What gives ``item`` in the notebook; the lines that it needs stand above."""
        if type(item) in _PLAIN:
            return repr(item)
        if id(item) not in self.names:
            made = self._made(item)
            self.kept.append(item)
            self.names[id(item)] = f"_{len(self.kept)}"
            self.lines.append(made.replace("$", self.names[id(item)]))
        return self.names[id(item)]

    def _made(self, item: Any) -> str:
        """The statement that makes ``item``, with $ for its name."""
        if isinstance(item, functools._lru_cache_wrapper):
            return f"$ = {self.expression(item.__wrapped__)}"
        if isinstance(item, types.ModuleType):
            return f"import {item.__name__} as $" if _importable(item.__name__) else _cannot(item)
        if where := _home(item):
            return f"from {where[0]} import {where[1]} as $"
        if isinstance(item, types.MethodType):
            return f"$ = {self.expression(item.__self__)}.{item.__name__}"
        if isinstance(item, (types.FunctionType, type)):
            return self._defined(item)
        if isinstance(item, functools.partial):
            more = "".join(f", {key}={self.expression(value)}" for key, value in item.keywords.items())
            words = "".join(f", {self.expression(value)}" for value in item.args)
            return f"$ = {self.expression(functools.partial)}({self.expression(item.func)}{words}{more})"
        if isinstance(item, np.ndarray):
            return f"$ = {self.expression(np)}.array({item.tolist()!r}, {item.dtype.str!r})"
        if type(item) in (list, tuple):
            entries = "".join(f"{self.expression(entry)}, " for entry in item)
            return f"$ = [{entries}]" if type(item) is list else f"$ = ({entries})"
        if type(item) is dict:
            entries = ", ".join(f"{self.expression(k)}: {self.expression(v)}" for k, v in item.items())
            return f"$ = {{{entries}}}"
        if not hasattr(item, "__dict__"):
            _cannot(item)
        made = f"$ = object.__new__({self.expression(type(item))})"
        return made + "".join(
            f"; object.__setattr__($, {key!r}, {self.expression(value)})" for key, value in vars(item).items()
        )

    def _defined(self, item: Any) -> str:
        """A function or a class: its own source inside a function whose arguments are the names that it uses."""
        node = _bare(_node(item))
        inside = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        names = {n.id for n in inside} - {n.id for n in inside if isinstance(n.ctx, ast.Store)}  # these are its own
        has = _seen_from(item)
        uses = {n: has[n] for n in sorted(names) if n in has and has[n] is not item and not hasattr(builtins, n)}
        given = {n: self.expression(value) for n, value in uses.items()}
        if isinstance(node, ast.Lambda):
            body = f"    return {ast.unparse(node)}"
        else:
            body = "\n".join(f"    {line}" for line in ast.unparse(node).splitlines())
            body += f"\n    return {node.name}"
        made = f"def make({', '.join(given)}):\n{body}\n$ = make({', '.join(given.values())})"
        if defaults := getattr(item, "__defaults__", None):  # as they were when it was defined, in a loop for one
            made += f"\n$.__defaults__ = ({''.join(f'{self.expression(value)}, ' for value in defaults)})"
        return made


def _cannot(item: Any) -> str:
    raise LookupError(f"{item!r} cannot be written into a notebook")


def _importable(module: str) -> bool:
    """Whether the sandbox has it."""
    top, _, rest = module.partition(".")
    return rest.partition(".")[0] in _PARTS if top == "kcourse" else top != "tests"


def _home(item: Any) -> tuple[str, str] | None:
    """The module from which ``item`` can be imported in the sandbox, and its name there."""
    if isinstance(item, np.ufunc):
        return ("numpy" if getattr(np, item.__name__, None) is item else "scipy.special"), item.__name__
    module = getattr(item, "__module__", None)  # of an object that is made once, like `scipy.stats.norm`, its class's
    if not isinstance(module, str) or not _importable(module):
        return None
    names = vars(sys.modules[module]) if module in sys.modules else {}
    name = getattr(item, "__name__", None) or next((key for key, value in names.items() if value is item), "")
    return (module, name) if names.get(name) is item else None


def _seen_from(item: Any) -> dict[str, Any]:
    """What a function, or what the methods of a class, see around them."""
    if isinstance(item, type):
        return vars(sys.modules[item.__module__])
    cells = item.__closure__ or ()
    return item.__globals__ | dict(zip(item.__code__.co_freevars, (c.cell_contents for c in cells), strict=True))


class _Bare(ast.NodeTransformer):
    """Takes annotations away: the names in them need not exist."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:  # noqa: N802 (what ast calls)
        made = ast.Assign([node.target], self.visit(node.value)) if node.value else ast.Pass()
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:  # noqa: N802
        node.returns = None
        return self.generic_visit(node)


def _bare(node: ast.AST) -> ast.AST:
    """A copy without the decorator that put it into its table, without annotations, and with no values of defaults."""
    node = copy.deepcopy(node)
    if hasattr(node, "args"):
        node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
    if hasattr(node, "decorator_list"):
        node.decorator_list = []
    return _Bare().visit(node)


@functools.cache
def _tree(file: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse("".join(linecache.getlines(file)))))


def _node(item: Callable | type) -> ast.AST:
    """Where ``item`` is defined; of several lambdas in a line, the smallest that holds all of its code."""
    if isinstance(item, type):
        nodes = _tree(sys.modules[item.__module__].__file__)
        return next(n for n in nodes if isinstance(n, ast.ClassDef) and n.name == item.__name__)
    code = item.__code__
    kind = ast.Lambda if code.co_name == "<lambda>" else ast.FunctionDef
    found = [n for n in _tree(code.co_filename) if isinstance(n, kind) and _first_line(n) == code.co_firstlineno]
    found = [n for n in found if _contains(n, list(_places(code)))]
    return min(found, key=lambda n: (n.end_lineno - n.lineno, n.end_col_offset - n.col_offset))


def _first_line(node: Any) -> int:
    return min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])


def _places(code: types.CodeType) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for line, end_line, column, end_column in code.co_positions():
        if None not in (line, end_line, column, end_column) and (column, end_column) != (0, 0):
            yield (line, column), (end_line, end_column)


def _contains(node: Any, places: list) -> bool:
    start, end = (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)
    start = min([start, *((d.lineno, 0) for d in getattr(node, "decorator_list", ()))])
    return all(start <= a and b <= end for a, b in places)
