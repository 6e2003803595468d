"""Each named slip as a student would type it: ``tests/chapters/<stem>/typed.py``.

The checks recognise a slip by a function of their own. A mistake in that function would pass every test that asks it
alone, and a student who makes the slip would be told of another; so each slip is written once more, in plain NumPy,
from what its name and its hint say. A slip that changes a line of a right answer is written as that change.
"""

from __future__ import annotations

import inspect
import linecache
import textwrap
from collections.abc import Callable

__all__ = ["Typed", "typist"]

Typed = dict[tuple[str, str], Callable]  # (exercise, slip) -> an answer


def typist(into: Typed) -> Callable:
    """A decorator ``@typed(exercise, slip)`` that keeps functions in a table.

    ``typed.changes(exercise, answer, {slip: (old, new), ...})`` keeps copies of a right answer in which the text
    ``old`` is ``new``; ``(old, new, old, new)`` changes two places.
    """

    def typed(exercise: str, slip: str) -> Callable:
        def add(function: Callable) -> Callable:
            if (exercise, slip) in into:
                raise ValueError(f"{exercise}: {slip!r} is typed twice")
            into[exercise, slip] = function
            return function

        return add

    def changes(exercise: str, answer: Callable, slips: dict[str, tuple[str, ...]]) -> None:
        for slip, texts in slips.items():
            typed(exercise, slip)(changed(answer, *texts))

    typed.changes = changes
    return typed


def changed(answer: Callable, *texts: str) -> Callable:
    """The function with each second text in place of the one before it, which must stand there once."""
    source = textwrap.dedent(inspect.getsource(answer))
    source = source[source.index("def ") :]
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        if source.count(old) != 1:
            raise ValueError(f"{answer.__name__} has {old!r} {source.count(old)} times; give text that it has once")
        source = source.replace(old, new)
    names, file = dict(answer.__globals__), f"<{answer.__name__} with {texts!r}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # tracebacks show it
    exec(compile(source, file, "exec"), names)
    return names[answer.__name__]
