"""What students write, as tables: ``tests/chapters/<stem>/student_answers.py`` and ``right_answers.py`` fill them.

The checks recognise a mistake by a function of their own. A fault in that function would pass every test that asks it
alone, and a student who makes the mistake would be told of another; so each mistake is written once more, in plain
NumPy, from what its name and its hint say. One that changes a line of a right answer is written as that change.
"""

from __future__ import annotations

import inspect
import linecache
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Mistakes", "Wrong", "changed", "mistakes_into", "right_into", "wrong_into"]

Mistakes = dict[tuple[str, str], Callable]  # (exercise, mistake) -> an answer


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that nobody foresaw.

    ``name`` is the misconception that must be named ("a + b": two at once), None for none.
    """

    exercise: str
    function: Callable
    name: str | None


def right_into(table: list[tuple[str, Callable]]) -> Callable:
    """A decorator ``@right(exercise)`` that keeps functions in a list."""

    def right(exercise: str) -> Callable:
        def add(function: Callable) -> Callable:
            table.append((exercise, function))
            return function

        return add

    return right


def wrong_into(table: list[Wrong]) -> Callable:
    """A decorator ``@wrong(exercise, name)`` that keeps functions in a list."""

    def wrong(exercise: str, name: str | None = None) -> Callable:
        def add(function: Callable) -> Callable:
            table.append(Wrong(exercise, function, name))
            return function

        return add

    return wrong


def mistakes_into(table: Mistakes) -> Callable:
    """A decorator ``@mistake(exercise, name)`` that keeps functions in a table.

    ``mistake.changes(exercise, answer, {name: (old, new), ...})`` keeps copies of a right answer in which the text
    ``old`` is ``new``; ``(old, new, old, new)`` changes two places.
    """

    def mistake(exercise: str, name: str) -> Callable:
        def add(function: Callable) -> Callable:
            if (exercise, name) in table:
                raise ValueError(f"{exercise}: {name!r} is there twice")
            table[exercise, name] = function
            return function

        return add

    def changes(exercise: str, answer: Callable, mistakes: dict[str, tuple[str, ...]]) -> None:
        for name, texts in mistakes.items():
            mistake(exercise, name)(changed(answer, *texts))

    mistake.changes = changes
    return mistake


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
