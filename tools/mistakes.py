"""Mutants of the sheets' solutions: each is changed in one place, as a student might type it.

tests/chapters/test_mutants.py marks them. A mutant that has full points only on some seeds passes by luck.
"""

from __future__ import annotations

import ast
import contextlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from kcourse.checks.judge import passes
from kcourse.checks.spec import Case, Exercise
from kcourse.execution.calls import call_all
from tests.timeouts import TooLong, limited
from tools.mutants import changes
from tools.sheets import BEGIN
from tools.source import read

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 5  # for one answer on one seed


def solution(spec: Exercise) -> tuple[str, dict[str, Any]]:
    """Return the text of a solution, and the names of its sheet."""
    source = read(ROOT / "solutions" / "src" / f"{spec.chapter}.py", ROOT)
    names: dict[str, Any] = {}
    for cell in source.code_cells():
        if cell.exercise:
            exec(cell.node.source, names)
        elif cell.node.id == "imports":
            lines = (line for line in cell.node.source.splitlines() if not line.startswith(("use_style", "%")))
            exec("\n".join(lines), names)
    return next(cell.node.source for cell in source.code_cells() if cell.exercise == spec.name), names


def further(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what students often type instead of ``node``, after the general changes of `tools.mutants`."""
    yield from changes(node)
    if isinstance(node, ast.AugAssign):
        yield ast.Assign([node.target], node.value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.MatMult)):
        yield node.left
        yield node.right
        if isinstance(node.op, (ast.Sub, ast.Div, ast.MatMult)):
            yield ast.BinOp(node.right, node.op, node.left)
        if isinstance(node.op, (ast.Mult, ast.MatMult)):
            yield ast.BinOp(node.left, ast.Mult() if isinstance(node.op, ast.MatMult) else ast.MatMult(), node.right)
    elif isinstance(node, ast.Attribute) and node.attr == "T":
        yield node.value
    elif isinstance(node, ast.Call):
        if len(node.args) == 1 and not node.keywords:
            yield node.args[0]  # without the function
        if len(node.args) == 2:
            yield ast.Call(node.func, node.args[::-1], node.keywords)
        for keyword in node.keywords:
            if keyword.arg == "axis" and isinstance(keyword.value, ast.Constant) and keyword.value.value in (0, 1):
                kept = [k for k in node.keywords if k is not keyword]
                other = ast.keyword("axis", ast.Constant(1 - keyword.value.value))
                yield ast.Call(node.func, node.args, [*kept, other])
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.ctx, ast.Load):
        yield ast.Tuple(node.elts[::-1], node.ctx)


def changed(text: str) -> Iterator[tuple[str, str]]:
    """Yield (the changed line, the function) for each possible change of the body."""
    tree = ast.parse(text)
    body = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    begins = next(number for number, line in enumerate(text.splitlines(), 1) if line.strip() == BEGIN)
    seen = {ast.unparse(tree)}
    for parent in ast.walk(body):
        for name, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for at, node in enumerate(nodes):
                if not isinstance(node, (ast.expr, ast.AugAssign)) or node.lineno < begins:
                    continue
                for other in further(node):
                    ast.copy_location(other, node)
                    setattr(parent, name, [*nodes[:at], other, *nodes[at + 1 :]] if isinstance(value, list) else other)
                    now = ast.unparse(ast.fix_missing_locations(tree))
                    setattr(parent, name, value)
                    if now not in seen:
                        seen.add(now)
                        yield _differing(ast.unparse(tree), now), now


def _differing(before: str, after: str) -> str:
    old = before.splitlines()
    return next((line.strip() for line in after.splitlines() if line not in old), "")


def seeds_passed(spec: Exercise, text: str, names: dict[str, Any], seeds: Sequence[Sequence[Case]]) -> int:
    """Count the seeds (given as their calls) on which a changed solution has full points; stop if it takes too long."""
    own, passed = dict(names), 0
    exec(text, own)
    for cases in seeds:
        try:
            with limited(SECONDS), contextlib.redirect_stdout(io.StringIO()):
                passed += passes(spec, cases, call_all(spec, own[spec.name], cases))
        except TooLong:
            break
    return passed
