"""Stubs that replace libraries in the sandbox: they can be imported, and refuse to be used or do nothing."""

from __future__ import annotations

import builtins
import importlib
import importlib.abc
import importlib.machinery
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kcourse.execution.packages import SHOWING

__all__ = [
    "StubFinder",
    "LibraryRefused",
    "NoShell",
    "Quiet",
    "Refused",
    "nothing",
    "showing",
    "silent",
    "used",
]


class LibraryRefused(Exception):  # noqa: N818 (its name is not shown; the verdict says what it means)
    """The code used a library that the exercise does not allow."""


used: list[str] = []  # refused libraries whose values were needed, since the list was emptied


class Refused:
    """An object of a refused library, or the result of calling it.

    An honest cell that only displays something, or a library that imports another, may import and call it. Code that
    needs its numbers is refused.
    """

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __call__(self, *_: object, **__: object) -> Refused:
        return self

    def __getattr__(self, name: str) -> Refused:
        if name.startswith("__"):
            raise AttributeError(name)
        return Refused(f"{self._name}.{name}")

    def __array__(self, *_: object, **__: object) -> Any:
        used.append(self._name)
        raise LibraryRefused(self._name)


for _name in (
    "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "matmul", "rmatmul", "neg",
    "abs", "lt", "le", "gt", "ge", "bool", "int", "float", "complex", "index", "len", "iter", "getitem", "contains",
):  # fmt: skip
    setattr(Refused, f"__{_name}__", Refused.__array__)


class StubFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import some packages as empty modules, whose members are created on access."""

    def __init__(self, packages: tuple[str, ...], member: Any) -> None:
        self.packages, self.member = packages, member

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> Any:
        if any(fullname == name or fullname.startswith(name + ".") for name in self.packages):
            return importlib.machinery.ModuleSpec(fullname, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> types.ModuleType:
        return types.ModuleType(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        def member(name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return self.member(f"{module.__name__}.{name}")

        module.__getattr__ = member


class Seen:
    """An object that is only displayed: it has every attribute, contains nothing and is never a number."""

    def __getattr__(self, name: str) -> Quiet:
        if name.startswith("__"):
            raise AttributeError(name)
        return Quiet()

    def __iter__(self) -> Iterator:
        return iter(())

    def __getitem__(self, _key: object) -> Quiet:
        return Quiet()

    def __setitem__(self, _key: object, _value: object) -> None:
        pass

    def __enter__(self) -> Seen:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def __format__(self, _spec: str) -> str:
        return ""


class Quiet(Seen):
    """The same for functions and types. Called with a function, it returns that function, as decorators do."""

    def __call__(self, *args: Any, **_: object) -> Any:
        return args[0] if args and isinstance(args[0], (types.FunctionType, type)) else Quiet()


class Bar(Seen):
    """A progress bar of tqdm that yields the items and shows nothing."""

    write = pandas = staticmethod(lambda *_, **__: None)

    def __init__(self, iterable: Iterable = (), *_: object, total: Any = None, **__: object) -> None:
        self.iterable, self.total, self.n = iterable, total, 0

    def __iter__(self) -> Iterator:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)

    def update(self, n: int = 1) -> None:
        self.n += n


def silent(name: str) -> Any:
    """Return a member of a module that only displays things (figures, checks): a function that does nothing."""
    return Quiet() if name == "kcourse.checks.run" else nothing


def nothing(*_: object, **__: object) -> None:
    return None


def showing(shell: Callable[[], NoShell]) -> StubFinder:
    """Return stubs for packages that display progress bars and sliders, so that code with them still runs."""

    def member(name: str) -> Any:
        package, last = name.partition(".")[0], name.rpartition(".")[2]
        if package == "tqdm":
            return {"trange": _range, "tnrange": _range}.get(last, Bar)
        return {"get_ipython": shell, "display": nothing}.get(last, Quiet())

    return StubFinder(SHOWING, member)


def _range(*args: int, **_: object) -> Bar:
    return Bar(range(*args))


class NoShell:
    """The result of ``get_ipython()``: magics do nothing, except those that time code or write files."""

    def __init__(self, namespace: dict) -> None:
        self.namespace = namespace

    def run_line_magic(self, name: str, line: str, *_: object) -> None:
        if name in ("time", "timeit", "prun"):
            words = line.split(" ")
            while words and words[0].startswith("-"):  # options, some with a number
                words = words[2:] if len(words[0]) == 2 and words[1:2] and words[1].isdigit() else words[1:]
            builtins.exec(" ".join(words), self.namespace)
        elif name == "run":
            with open(line.split()[-1], encoding="utf-8") as file:
                builtins.exec(file.read(), self.namespace)

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        if name in ("time", "timeit", "capture", "prun"):
            builtins.exec(cell, self.namespace)
        elif name in ("writefile", "file"):
            *options, path = line.split()
            with open(path, "a" if options else "w", encoding="utf-8") as file:
                file.write(cell)
            importlib.invalidate_caches()

    def getoutput(self, *_: object) -> list[str]:
        return []

    def __getattr__(self, name: str) -> Any:
        return nothing
