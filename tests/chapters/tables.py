"""What the tables of a chapter's folder say of the exercises of its sheet.

``catalogue``     CANONICAL, CATALOGUE: the curriculum's numbers, written down before kcourse could compute them;
                  SLOW: exercises that are drawn fewer seeds
``alternatives``  RIGHT: (exercise, function), right answers in other styles
``wrong``         WRONG: wrong answers that nobody foresaw, and what they must be told
``slips``         RAISING: misconceptions that can only fail; ONLY: each property but the first, failed alone
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from kcourse.checks import CHAPTERS, exercises
from kcourse.checks.spec import Exercise

__all__ = ["ALL", "Table", "Wrong", "adds_up", "collector", "right_answers"]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that is not in the catalogue.

    ``name`` is the misconception that must be named ("a + b": two slips at once), None for none; ``says`` a text that
    one of the sentences must contain.
    """

    exercise: str
    function: Callable
    name: str | None
    says: str


def right_answers(into: list[tuple[str, Callable]]) -> Callable:
    """A decorator ``@right(exercise)`` that keeps functions in a list."""

    def right(exercise: str) -> Callable:
        def add(function: Callable) -> Callable:
            into.append((exercise, function))
            return function

        return add

    return right


def collector(into: list[Wrong]) -> Callable:
    """A decorator ``@wrong(exercise, name)`` or ``@wrong(exercise, says=…)`` that keeps functions in a list."""

    def wrong(exercise: str, name: str | None = None, *, says: str = "") -> Callable:
        def add(function: Callable) -> Callable:
            into.append(Wrong(exercise, function, name, says))
            return function

        return add

    return wrong


def adds_up(text: str) -> bool:
    """Whether no sentence counts more than there is: "3 of 7 entries are right", and never 9 of 7."""
    return all(0 <= int(some) <= int(most) > 0 for some, most in re.findall(r"\b(\d+) of (\d+)\b", text))


@dataclass(frozen=True)
class Table:
    """The tables of one sheet."""

    chapter: str

    def __getattr__(self, name: str) -> object:
        kind = {"CANONICAL": "catalogue", "CATALOGUE": "catalogue", "SLOW": "catalogue", "RIGHT": "alternatives",
                "WRONG": "wrong", "RAISING": "slips", "ONLY": "slips"}[name]  # fmt: skip
        return getattr(import_module(f"tests.chapters.{self.chapter}.{kind}"), name)

    @property
    def specs(self) -> tuple[Exercise, ...]:
        """The exercises of the sheet."""
        return exercises(self.chapter)


ALL = [Table(chapter) for chapter in CHAPTERS]
