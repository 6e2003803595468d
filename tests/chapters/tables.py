"""What the modules of a chapter's folder say of the exercises of its sheet.

CANONICAL, CATALOGUE  numbers on fixed inputs; SLOW: exercises that are drawn fewer seeds
RIGHT                 (exercise, function), right answers in other styles
WRONG                 wrong answers that nobody foresaw, and what they must be told
TYPED                 each named slip as a student would type it
RAISING, ONLY         misconceptions that can only fail; each property but the first, failed alone

A table is what all modules of the folder say under that name: there is one for each kind (``wrong.py``, …), and a new
exercise may have one module with all of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from kcourse.checks import exercises
from kcourse.checks.spec import Exercise
from tests.chapter_choice import CHAPTERS

HERE = Path(__file__).parent
TABLES = ("CANONICAL", "CATALOGUE", "ONLY", "RAISING", "RIGHT", "SLOW", "TYPED", "WRONG")

__all__ = ["ALL", "Table", "Wrong", "adds_up", "collector", "right_answers"]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that is not in the catalogue.

    ``name`` is the misconception that must be named ("a + b": two slips at once), None for none.
    """

    exercise: str
    function: Callable
    name: str | None


def right_answers(into: list[tuple[str, Callable]]) -> Callable:
    """A decorator ``@right(exercise)`` that keeps functions in a list."""

    def right(exercise: str) -> Callable:
        def add(function: Callable) -> Callable:
            into.append((exercise, function))
            return function

        return add

    return right


def collector(into: list[Wrong]) -> Callable:
    """A decorator ``@wrong(exercise, name)`` that keeps functions in a list."""

    def wrong(exercise: str, name: str | None = None) -> Callable:
        def add(function: Callable) -> Callable:
            into.append(Wrong(exercise, function, name))
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
        if name not in TABLES:
            raise AttributeError(name)
        found = [vars(module)[name] for module in self.modules if name in vars(module)]
        found = list({id(table): table for table in found}.values())  # one module may import another's
        if not found:
            raise AttributeError(f"no module of tests/chapters/{self.chapter} has {name}")
        if isinstance(found[0], dict):
            return {key: value for table in found for key, value in table.items()}
        return [row for table in found for row in table]

    @property
    def modules(self) -> list[ModuleType]:
        """The modules of the chapter's folder, but for tests and examples of figures."""
        files = sorted((HERE / self.chapter).glob("*.py"))
        stems = [file.stem for file in files if not file.stem.startswith(("test_", "figures", "_"))]
        return [import_module(f"tests.chapters.{self.chapter}.{stem}") for stem in stems]

    @property
    def specs(self) -> tuple[Exercise, ...]:
        """The exercises of the sheet."""
        return exercises(self.chapter)


ALL = [Table(chapter) for chapter in CHAPTERS]
