"""No check of a quoted number is so wide that another number passes it.

The tolerance of `verify` is relative to the largest on the right: ``verify("…", [a, b], [89, 3], tol=0.5)`` passes each
within 44. Whole numbers that the text quotes are given as text, ``"89"``, one by one: then they must round to it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.rows import each
from tools.lint import parse

ROOT = Path(__file__).resolve().parents[2]
WIDEST = 0.1


def too_wide(tree: ast.AST) -> Iterator[int]:
    """Lines where ``verify`` compares with written whole numbers within more than a tenth."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "verify" and len(node.args) > 2):
            continue
        tols = [word.value for word in node.keywords if word.arg == "tol"] + node.args[3:4]
        wide = any(isinstance(tol, ast.Constant) and tol.value > WIDEST for tol in tols)
        if wide and any(map(_is_whole, getattr(node.args[2], "elts", [node.args[2]]))):
            yield node.lineno


def _is_whole(entry: ast.expr) -> bool:
    return isinstance(entry, ast.Constant) and isinstance(entry.value, (int, float)) and entry.value == int(entry.value)


@each("path", sorted((ROOT / "notebooks" / "src").glob("*.py")), ids=lambda path: path.stem)
def test_quoted_numbers_are_checked_as_quoted(path):
    lines = list(too_wide(parse(path.read_text(encoding="utf-8"))))
    assert not lines, f"{path.name}, lines {lines}: give each number as the text prints it, “89”, without tol"
