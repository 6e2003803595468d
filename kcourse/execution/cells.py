"""Execute the cells of a notebook one after the other in one namespace, as Jupyter does.

In the grader this runs in the sandbox, in a process without privileges.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import functools
import linecache
import os
import sys
import time
import types
from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Any

from kcourse.execution import clock, import_stubs

AFTER_ITS_CELL = " after its cell"
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)


class Cells:
    """The cells and the names that they define.

    ``functions`` are the names of the answers, ``budget`` is the time that the cells may take; ``tell`` is called with
    the state of each cell: {"begin": "cell", "i": number}, then {"i": number, "cell": {"status": …}}.
    """

    def __init__(
        self, sources: Sequence[str], functions: Collection[str], budget: clock.Budget, tell: Callable[[dict], object]
    ) -> None:
        self.sources, self.functions, self.budget, self.tell = sources, functions, budget, tell
        self.pid = os.getpid()
        self.defined: dict[str, tuple[int, Any]] = {}  # answers: the last cell that defined them, and their values
        self.own: dict[str, tuple[Any, dict]] = {}  # the functions among them, and the names at that time
        self.failed: dict[int, list[tuple[ast.stmt, dict]]] = {}  # statements of a cell
        self.flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # also what cells import from __future__
        self.module = types.ModuleType("__main__")
        self.names = self.module.__dict__
        self.final = self.now = self.names  # the names after the last cell, and the current names
        self.names.update(get_ipython=lambda: import_stubs.NoShell(self.names), display=import_stubs.nothing)

    def run(self, leave_out: Collection[int] = ()) -> None:
        """Execute all cells except those in ``leave_out``."""
        sys.modules["__main__"] = self.module
        sys.meta_path.insert(0, import_stubs.showing(self.names["get_ipython"]))
        sys.path.append(os.getcwd())  # a cell may write a file that another imports
        late = {i: again for i in range(len(self.sources)) if i not in leave_out and (again := self._cell(i))}
        for i, again in late.items():  # statements that needed names of a later cell: students reorder notebooks
            defined, own = self.defined.copy(), self.own.copy()
            self._cell(i, again)
            for name, (j, value) in defined.items():
                if j > i:  # the last definition counts, in the order of the file
                    self.names[name], self.defined[name] = value, (j, value)
                    self.own |= {name: own[name]} if name in own else {}
        self.final = self.now = dict(self.names)

    def function(self, name: str) -> Any:
        """Return the answer of that name, or None, and make its names the current ones.

        These are the names after the last cell. If the name ends with `AFTER_ITS_CELL`, they are those after the cell
        that defined the answer, because later cells may reuse names; the result is None if that makes no difference.
        """
        answer = name.removesuffix(AFTER_ITS_CELL)
        function, names = self.final.get(answer), self.final
        if name != answer:
            last = function
            function, names = self.own.get(answer, (None, self.final))
            if function is last and (function is None or not _differ(function, names, self.final)):
                return None
        if names is not self.now:
            self.names.clear()
            self.names.update(names)
            self.now = names
        return function

    def _cell(self, i: int, again: Sequence[ast.stmt] = ()) -> list[ast.stmt]:
        """Execute a cell, or the statements ``again``; return the statements to try again at the end."""
        self.tell({"begin": "cell", "i": i})
        source, name = self.sources[i], f"<cell {i + 1}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        todo, report = deque(again), {}
        try:
            todo = todo or deque(ast.parse(source, name).body)
            with self.budget.turn():
                self._execute(i, name, todo)
        except clock.Spent:
            report = {"status": "not run"}
        except clock.TooLong as error:
            report = {
                "status": "timeout",
                "error": "TimeoutError",
                "waited": int(error.waited),
                "slept": int(error.slept),
            }
            with contextlib.suppress(BaseException), self.budget.turn():
                self._execute(i, name, deque(node for node in todo if isinstance(node, _DEFINITIONS)))
        except BaseException as error:  # it cannot be parsed
            report = {"status": "failed", **self.describe(error, name)}
        if os.getpid() != self.pid:  # a forked child of the cell also arrives here
            os._exit(0)
        self._look_for_answers(i)
        failed = sorted(self.failed.get(i, ()), key=lambda pair: pair[0].lineno)
        self.tell({"i": i, "cell": report or ({"status": "failed", **failed[0][1]} if failed else {"status": "ok"})})
        return [] if report or again else [node for node, place in failed if place["error"] == "NameError"]

    def _execute(self, i: int, name: str, todo: deque[ast.stmt]) -> None:
        """Execute statements; if one fails, the rest of the cell still runs."""
        self.failed[i] = [pair for pair in self.failed.get(i, ()) if pair[0] not in todo]
        while todo:
            node = todo.popleft()
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for feature in node.names:
                    self.flags |= getattr(getattr(__future__, feature.name, None), "compiler_flag", 0)
            try:
                code = compile(ast.Module([node], []), name, "exec", self.flags, dont_inherit=True)
                if code.co_flags & _COROUTINE:
                    _loop().run_until_complete(eval(code, self.names))
                else:
                    exec(code, self.names)
            except (clock.TooLong, clock.Spent):
                raise
            except BaseException as error:  # also SystemExit, KeyboardInterrupt and the student's own
                self.failed[i].append((node, self.describe(error, name)))
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    self._stand_in(node)

    @staticmethod
    def describe(error: BaseException, name: str) -> dict:
        """Return what is reported of an exception in the cell ``name``: not its text, which could contain anything."""
        return _failed_at(error, name)

    def _stand_in(self, node: ast.Import | ast.ImportFrom) -> None:
        """Replace missing libraries with stubs, so that code that prints and draws with them continues."""
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            if name not in self.functions and name not in self.names:
                self.names[name] = import_stubs.Quiet()

    def _look_for_answers(self, i: int) -> None:
        names = None
        for answer in self.functions:
            now = self.names.get(answer)
            if now is not None and now is not self.defined.get(answer, (i, None))[1]:
                self.defined[answer] = i, now
                if callable(now):
                    names = names or dict(self.names)
                    self.own[answer] = now, names


_COROUTINE = 0x80  # a flag of code objects, as in inspect


@functools.cache
def _loop() -> Any:
    """Return an event loop without sockets, for `await` in cells."""
    import asyncio

    class Loop(asyncio.BaseEventLoop):
        def __init__(self) -> None:
            super().__init__()
            self._selector = types.SimpleNamespace(select=lambda wait: time.sleep(min(wait or 0, 0.1)))

        def _process_events(self, _events: object) -> None:
            pass

        def _write_to_self(self) -> None:
            pass

    return Loop()


def _differ(function: Any, then: dict, now: dict) -> bool:
    """Whether a name that ``function`` uses, directly or indirectly, has another value now."""
    seen, queue = {}, [function]
    while queue and len(seen) < 10_000:
        item = queue.pop()
        if id(item) in seen:
            continue
        seen[id(item)] = item
        if isinstance(item, types.CodeType):
            if any(then.get(name) is not now.get(name) for name in item.co_names):
                return True
            queue += [then.get(name) for name in item.co_names]
            queue += [part for part in item.co_consts if isinstance(part, types.CodeType)]
        else:
            with contextlib.suppress(Exception):  # its own methods may raise anything
                queue += _parts(item)
    return False


def _parts(item: Any) -> list:
    """Return what an object of the notebook may call."""
    if isinstance(item, types.FunctionType):
        around = [cell.cell_contents for cell in item.__closure__ or ()]
        return [item.__code__, *around, *(item.__defaults__ or ())] if item.__module__ == "__main__" else []
    if isinstance(item, (list, tuple)):
        return list(item[:100])
    if isinstance(item, dict):
        return list(item.values())[:100]
    if isinstance(item, functools.partial):
        return [item.func, *item.args, *item.keywords.values()]
    if isinstance(item, (types.MethodType, staticmethod, classmethod)):
        return [item.__func__, getattr(item, "__self__", None)]
    if isinstance(item, property):
        return [item.fget]
    if isinstance(item, type):
        return [*vars(item).values(), *item.__bases__] if item.__module__ == "__main__" else []
    if hasattr(item, "__wrapped__"):
        return [item.__wrapped__]
    return [type(item), *vars(item).values()] if type(item).__module__ == "__main__" else []


def _failed_at(error: BaseException, name: str) -> dict:
    return {"error": type(error).__name__[:100], **_place(error, name)}


def _place(error: BaseException, name: str) -> dict:
    """Return the line of the cell that failed."""
    line = None
    if isinstance(error, SyntaxError) and error.filename == name:
        line = error.lineno
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == name:
            line = step.tb_lineno
        step = step.tb_next
    return {"lineno": line, "line": linecache.getline(name, line).strip()[:200]} if isinstance(line, int) else {}
