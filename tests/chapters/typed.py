"""Each named slip as a student would type it: `@typed(exercise, slip)` in ``tests/chapters/<stem>/typed.py``.

The checks recognise a slip by a function of their own. A mistake in that function would pass every test that asks it
alone, and whoever makes the slip would be told another; so each slip is written once more here, in plain NumPy, from
what its name and its hint say.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Typed", "typist"]

Typed = dict[tuple[str, str], Callable]  # (exercise, slip) -> an answer


def typist(into: Typed) -> Callable:
    """A decorator ``@typed(exercise, slip)`` that keeps functions in a table."""

    def typed(exercise: str, slip: str) -> Callable:
        def add(function: Callable) -> Callable:
            if (exercise, slip) in into:
                raise ValueError(f"{exercise}: {slip!r} is typed twice")
            into[exercise, slip] = function
            return function

        return add

    return typed
