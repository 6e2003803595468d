"""Executing the cells of a notebook, one after the other in one namespace, as Jupyter would.

Everything here runs in the runner (see ``worker``), with its rights given up. This file is copied into the sandbox and
needs the standard library alone.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import types
from collections.abc import Callable, Collection, Sequence
from typing import Any

if __package__:
    from kcourse.grading import clock, hollow
else:  # in the sandbox, where they lie in one folder
    import clock
    import hollow


class Cells:
    """The cells and what they define.

    ``functions`` are the names of the answers, ``budget`` is the time that the cells may take; ``tell`` is called with
    what becomes of each cell: {"begin": "cell", "i": number}, then {"i": number, "cell": {"status": …}}.
    """

    def __init__(
        self, sources: Sequence[str], functions: Collection[str], budget: clock.Budget, tell: Callable[[dict], object]
    ) -> None:
        self.sources, self.functions, self.budget, self.tell = sources, functions, budget, tell
        self.pid = os.getpid()
        self.defined: dict[str, tuple[int, Any]] = {}  # answers: the cell that defined them last, and what they are
        self.module = types.ModuleType("__main__")
        self.module.__dict__.update(get_ipython=lambda: hollow.NoShell(self.module.__dict__), display=hollow.nothing)

    def run(self, leave_out: Collection[int] = ()) -> None:
        """Execute all cells but those in ``leave_out``."""
        sys.modules["__main__"] = self.module
        late = [i for i in range(len(self.sources)) if i not in leave_out and not self._cell(i)]
        for i in late:  # a cell that missed what a later one defines: notebooks get shuffled
            later = {name: f for name, (j, f) in self.defined.items() if j > i}
            self._cell(i)
            self.module.__dict__.update(later)  # the last definition counts, in the order of the file

    def function(self, name: str) -> Any:
        """The answer of that name, None if there is none."""
        return self.module.__dict__.get(name)

    def _cell(self, i: int) -> bool:
        """Execute a cell; False if it should be tried again at the end."""
        self.tell({"begin": "cell", "i": i})
        source, name = self.sources[i], f"<cell {i + 1}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        try:
            with self.budget.turn():
                missing = _execute(source, name, self.module.__dict__)
            report = {"status": "failed", **_failed_at(missing, name)} if missing else {"status": "ok"}
        except clock.Spent:
            report = {"status": "not run"}
        except clock.TooLong as error:
            report = {"status": "timeout", "error": "TimeoutError", "waited": int(error.waited)}
        except BaseException as error:  # SystemExit, KeyboardInterrupt and the student's own, too
            report = {"status": "failed", **_failed_at(error, name)}
        if os.getpid() != self.pid:  # a fork that the cell has made comes out of it, too
            os._exit(0)
        for function in self.functions:
            now = self.module.__dict__.get(function)
            if now is not None and now is not self.defined.get(function, (i, None))[1]:
                self.defined[function] = i, now
        self.tell({"i": i, "cell": report})
        return report.get("error") != "NameError"


def _execute(source: str, name: str, namespace: dict) -> ImportError | None:
    """Execute a cell. An import of what is not here costs itself alone, and is returned: the rest may do without."""
    missing, tree = None, ast.parse(source, name)
    while True:
        try:
            exec(compile(tree, name, "exec"), namespace)
            return missing
        except ImportError as error:
            line = _place(error, name).get("lineno", 0)
            at = next((i for i, node in enumerate(tree.body) if node.lineno <= line <= node.end_lineno), None)
            if at is None or not isinstance(tree.body[at], (ast.Import, ast.ImportFrom)):
                raise
            missing, tree.body = missing or error, tree.body[at + 1 :]


def _failed_at(error: BaseException, name: str) -> dict:
    return {"error": type(error).__name__[:100], **_place(error, name)}


def _place(error: BaseException, name: str) -> dict:
    """The line of the cell at which it failed."""
    line = None
    if isinstance(error, SyntaxError) and error.filename == name:
        line = error.lineno
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == name:
            line = step.tb_lineno
        step = step.tb_next
    return {"lineno": line, "line": linecache.getline(name, line).strip()[:200]} if isinstance(line, int) else {}
