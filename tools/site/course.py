"""The contents of the site: lectures, sheets, slides, and the addresses in docs/site.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from kcourse.paper_problems.browser import NoBrowser, find_browser
from kcourse_grader.release import addresses
from tools.site.chapters import Chapter

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
START = "00_start_here"


class CannotBuild(ValueError):
    """The site cannot be built; the text says why."""


@dataclass(kw_only=True)
class Course:
    """Notebooks and settings, from which the pages are made."""

    decks: Iterable[str] | None = None  # stems whose slides are built; None: all
    say: Callable[[str], None] = print
    settings: dict[str, str] = field(default_factory=lambda: addresses.read(ROOT))

    @cached_property
    def lectures(self) -> list[Chapter]:
        return [Chapter.read(path) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]

    @cached_property
    def sheets(self) -> list[Chapter]:
        return [Chapter.read(path) for path in sorted((ROOT / "exercises").glob("*.ipynb"))]

    @property
    def start_page(self) -> Chapter:
        return next(chapter for chapter in self.lectures if chapter.stem == START)

    @cached_property
    def deck_stems(self) -> list[str]:
        """The lectures that get slides."""
        return [c.stem for c in self.lectures if c.number and (self.decks is None or c.stem in set(self.decks))]

    @property
    def prints_book(self) -> bool:
        """Whether the whole course is printed: only if all slides are, because it takes as long."""
        return self.decks is None and bool(self.printed_stems)

    @cached_property
    def printed_stems(self) -> list[str]:
        """The lectures whose slides get a PDF: all, if there is a browser to print them."""
        try:
            find_browser()
            if find_spec("playwright") is None:
                raise NoBrowser("playwright, which controls the browser, is not installed")
        except NoBrowser as problem:
            self.say(f"No PDFs of the slides: {problem}")
            return []
        return self.deck_stems
