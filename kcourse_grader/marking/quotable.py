"""Filter for text that comes out of the sandbox: repeat only words and lines that the submission's author wrote.

Names of types, lines of code and places of exceptions come out of the sandbox as text. A submission could put anything
there, for example values of a hidden input. So such text is shown only if it is in the submission's source or is one
of Python's own names.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence

import scipy

import kcourse

__all__ = ["Quotable"]

_TYPES = {name for name, item in vars(builtins).items() if isinstance(item, type)}
_TYPES |= {
    "LinAlgError", "AxisError", "TookTooLong", "Slept", "ProcessDied", "NotCalled", "NoneType", "function",
    "builtin_function_or_method", "module", "matrix", "generator", "coroutine", "async_generator", "method", "ufunc",
    "csr_matrix", "csr_array", "Figure", "Axes", "DataFrame", "Series", "_ArrayFunctionDispatcher", "bytes_", "deque",
    "ndarray", "str_", "JSONDecodeError",
}  # fmt: skip
_LARGE = " that is too large"
_CALL_FAULT = re.compile(
    r"missing a required (?:keyword-only )?argument: '(?P<name>\w+)'|too many positional arguments|"
    r"is not a function; it has the type (?P<type>\w+)|(?P<order>another order)"
)


class Quotable:
    """The words and lines of a submission's cells."""

    def __init__(self, cells: Sequence[str]) -> None:
        self.words = {word for cell in cells for word in re.findall(r"\w+", cell) if len(word) < 60}
        self.lines = {line.strip() for cell in cells for line in cell.splitlines()}
        self.longest = max((cell.count("\n") + 1 for cell in cells), default=0)

    def kind(self, name: object) -> str:
        """Return the name of a type, or "object"."""
        text = str(name)
        plain = text.removesuffix(_LARGE)
        return text if plain in _TYPES or plain in self.words else f"object{_LARGE if plain != text else ''}"

    def error(self, name: object) -> str:
        """Return the name of an exception's type, or "Exception"."""
        return str(name) if str(name) in _TYPES or str(name) in self.words else "Exception"

    def word(self, name: object) -> str:
        """Return the name of a function, or ""."""
        return str(name) if str(name) in self.words or name == "<lambda>" else ""

    def line(self, line: object) -> str:
        """Return a complete line of code, or ""."""
        return str(line) if str(line) in self.lines else ""

    def number(self, number: object) -> int:
        """Return the number of a line, or 0."""
        return number if type(number) is int and 0 <= number <= self.longest else 0

    def library(self, name: object) -> str:
        """Return the refused library that an answer uses: scikit-learn, or a part of kcourse or SciPy."""
        package, _, part = str(name).partition(".")
        part = part.partition(".")[0]
        if package in ("sklearn", "kcourse_grader"):
            return package
        if package == "scipy":
            return f"scipy.{part}" if part in scipy.__all__ else "scipy"
        if package != "kcourse":
            return ""
        known = part in self.words or part in getattr(kcourse, "__all__", ())
        return f"kcourse.{part}" if known else "kcourse"

    def call_fault(self, name: str, signature: str, problem: object) -> str:
        """Return why a function cannot be called as the sheet says."""
        keep = "Keep the function's name, and its arguments in the order of the sheet."
        match = _CALL_FAULT.search(str(problem))
        if match and match["type"]:
            return f"{name} is not a function; it has the type {self.kind(match['type'])}."
        if match and match["order"]:
            return f"The arguments are in another order than in {signature}. {keep}"
        why = f": {match[0]}" if match and (not match["name"] or match["name"] in self.words) else ""
        return f"{name} cannot be called as {signature}{why}. {keep}"
