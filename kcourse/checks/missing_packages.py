"""What an answer uses that is installed here and is not there where it is graded: said before it costs points."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

from kcourse.execution.calls import home_of, names_within_reach
from kcourse.execution.packages import BROUGHT, OPTIONAL, SHOWING

__all__ = ["missing_packages"]

_OFFERED = {*BROUGHT, *OPTIONAL, *SHOWING, "kcourse", "sklearn"}  # the last is refused in words of its own
_PLACES = ("site-packages", "dist-packages")


def missing_packages(function: Callable) -> str:
    """Name the packages of others that ``function`` mentions and the grader does not have, in a sentence; or ""."""
    home, found = home_of(function), set()
    for name in names_within_reach(function):
        item = home.get(name)
        module = item.__name__ if isinstance(item, ModuleType) else getattr(item, "__module__", None)
        if name.startswith("import "):
            module = name.removeprefix("import ")
        if isinstance(module, str) and _is_installed(top := module.partition(".")[0]) and top not in _OFFERED:
            found.add(top)
    if not found:
        return ""
    names, are = " and ".join(sorted(found)), "is" if len(found) == 1 else "are"
    return (
        f"Your answer uses {names}, which {are} not there when it is graded; what cannot be computed without earns "
        f"nothing then. NumPy, SciPy, matplotlib and pandas are there."
    )


def _is_installed(top: str) -> bool:
    """Whether it is a package that somebody installed: not Python's own, and no file beside the notebook."""
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    return top not in sys.stdlib_module_names and any(place in file for place in _PLACES)
