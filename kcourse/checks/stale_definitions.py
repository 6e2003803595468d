"""Find out whether the checked function is the one in the notebook; only IPython, which keeps its cells, can tell."""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Callable

from kcourse.execution.calls import code_of

__all__ = ["stale_definition"]


def stale_definition(function: Callable) -> str:
    """Return a sentence if ``function`` is older than the last cell that was run to define its name; or ""."""
    ipython, code = sys.modules.get("IPython"), code_of(function)
    shell = ipython.get_ipython() if ipython else None
    if shell is None or code is None or getattr(function, "__module__", "") != "__main__":
        return ""
    name = function.__name__
    source = "".join(linecache.getlines(code.co_filename))
    cells = reversed(shell.history_manager.input_hist_parsed)
    last = next((cell for cell in cells if _defines(cell, name)), None)
    if last is None or not _defines(source, name) or source.strip() == last.strip():
        return ""
    return (
        f"The cell with `def {name}` that you ran last did not define it, because it ended with an error before that. "
        f"Python still uses {name} from a cell that you ran earlier. Fix the cell, run it, then run this check again."
    )


def _defines(cell: str, name: str) -> bool:
    """Whether a cell would define the function if it ran without an error."""
    if not re.search(rf"^[ \t]*(?:async[ \t]+)?def[ \t]+{re.escape(name)}[ \t]*\(", cell, re.MULTILINE):
        return False
    try:
        nodes = ast.walk(ast.parse(cell))
    except SyntaxError:
        return True
    return any(isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name for node in nodes)
