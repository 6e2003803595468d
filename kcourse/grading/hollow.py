"""What submissions find in the sandbox instead of libraries: names to import, which refuse to be used or do nothing.

This file is copied into the sandbox and needs the standard library alone.
"""

from __future__ import annotations

import builtins
import importlib.abc
import importlib.machinery
import types
from typing import Any

__all__ = ["Hollow", "LibraryRefused", "NoShell", "Refused", "nothing", "silent"]


class LibraryRefused(Exception):  # noqa: N818 (its name is not shown: the verdict says what it means)
    """Something of a library was used that the exercise replaces."""


class Refused:
    """A name from a library that is not to be used here: importing it is fine, using it is an answer refused."""

    def __init__(self, name: str) -> None:
        self.__dict__["_name"] = name

    def __call__(self, *_: object, **__: object) -> Any:
        raise LibraryRefused(self._name)

    def __getattr__(self, name: str) -> Refused:
        if name.startswith("__"):
            raise AttributeError(name)
        return Refused(f"{self._name}.{name}")


class Hollow(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports some packages as empty modules, whose members are made when they are asked for."""

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


def silent(_name: str) -> Any:
    """A member of what only shows things (figures, checks): a function that does nothing."""
    return nothing


def nothing(*_: object, **__: object) -> None:
    return None


class NoShell:
    """What ``get_ipython()`` gives: magics do nothing, but those that only measure run their cell."""

    def __init__(self, namespace: dict) -> None:
        self.namespace = namespace

    def run_line_magic(self, name: str, line: str, *_: object) -> None:
        if name in ("time", "timeit", "prun"):
            builtins.exec(line, self.namespace)

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        if name in ("time", "timeit", "capture", "prun"):
            builtins.exec(cell, self.namespace)

    def __getattr__(self, name: str) -> Any:
        return nothing
