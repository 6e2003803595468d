"""What the modules of a chapter's folder say of the exercises of its sheet.

CANONICAL, CATALOGUE  numbers on fixed inputs; SLOW: exercises that are drawn fewer seeds
RIGHT                 (exercise, function), right answers in other styles
MISTAKES              each misconception as a student would write it
RAISING, ONLY         misconceptions that can only fail; each property but the first, failed alone
WRONG                 wrong answers that nobody foresaw, and what they must be told

A table is what all modules of the folder say under that name: `right_answers`, `student_answers` and `catalogue`; a new
exercise may have one module with all of its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

from kcourse.checks import exercises
from kcourse.checks.spec import Exercise
from tests.chapter_choice import CHAPTERS

HERE = Path(__file__).parent
TABLES = ("CANONICAL", "CATALOGUE", "MISTAKES", "ONLY", "RAISING", "RIGHT", "SLOW", "WRONG")

__all__ = ["ALL", "Table", "adds_up"]


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
