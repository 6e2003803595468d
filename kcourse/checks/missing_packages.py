"""Warn about packages that an answer uses, that are installed here and that the grader does not have."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

from kcourse.execution.calls import home_of, names_within_reach
from kcourse.execution.packages import BROUGHT, OPTIONAL, SHOWING

__all__ = ["missing_packages"]

_OFFERED = {*BROUGHT, *OPTIONAL, *SHOWING, "kcourse", "sklearn"}  # the last is refused with a message of its own
_PLACES = ("site-packages", "dist-packages")


def missing_packages(function: Callable) -> str:
    """Return a sentence that names the packages ``function`` mentions and the grader does not have; or ""."""
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
        f"Your answer uses {names}, which {are} not available when it is graded: whatever needs {names} then fails. "
        "NumPy, SciPy, matplotlib and pandas are available."
    )


def _is_installed(top: str) -> bool:
    """Whether it is an installed package: neither Python's own nor a file next to the notebook."""
    file = getattr(sys.modules.get(top), "__file__", None) or ""
    return top not in sys.stdlib_module_names and any(place in file for place in _PLACES)
