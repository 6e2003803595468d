"""What the site is made of: lectures, sheets, which decks it gets, and what docs/site.toml says of where it lives."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from kcourse.paper_problems.browser import NoBrowser, find_browser
from tools.site.chapters import Chapter

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
START = "00_start_here"


class CannotBuild(ValueError):
    """What is missing or in the way, in words."""


class WrongSettings(CannotBuild):
    """What stands in docs/site.toml makes no button that leads anywhere."""


def settings(text: str) -> dict[str, str]:
    """What docs/site.toml says of where the course lives; what it leaves out is empty."""
    found = {"repository": "", "branch": "main", "binder": "", "hub": "", "nbgitpuller": ""}
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise WrongSettings(f"docs/site.toml cannot be read: {problem}") from None
    for name, value in said.items():
        if name not in found:
            raise WrongSettings(f"docs/site.toml: {name!r} is none of {', '.join(found)}")
        if not isinstance(value, str):
            raise WrongSettings(f"docs/site.toml: {name} is {value!r}, and should be text between quotation marks")
        if value and name != "branch" and not re.fullmatch(r"https?://[^\s\"'<>()]+", value):
            raise WrongSettings(f"docs/site.toml: {name} is {value!r}, and should begin with https:// (or be empty)")
    found |= {name: value.rstrip("/") for name, value in said.items()}
    if found["nbgitpuller"] and not found["repository"]:
        raise WrongSettings("docs/site.toml: nbgitpuller needs the repository's address, too: it is what is pulled")
    return found


@dataclass(kw_only=True)
class Course:
    """Notebooks and settings, and the lists that pages are made from."""

    decks: Iterable[str] | None = None  # stems whose decks are built; None: of all
    say: Callable[[str], None] = print
    settings: dict[str, str] = field(default_factory=lambda: settings((DOCS / "site.toml").read_text("utf-8")))

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
        """The lectures that get a deck."""
        return [c.stem for c in self.lectures if c.number and (self.decks is None or c.stem in set(self.decks))]

    @property
    def prints_book(self) -> bool:
        """Whether the whole course is printed, too: with all decks, as it takes as long as they do."""
        return self.decks is None and bool(self.printed_stems)

    @cached_property
    def printed_stems(self) -> list[str]:
        """The decks that get a PDF: all, if there is a browser to print them."""
        try:
            find_browser()
            if find_spec("playwright") is None:
                raise NoBrowser("playwright is not installed, which tells the browser to print")
        except NoBrowser as problem:
            self.say(f"no PDFs of the decks: {problem}")
            return []
        return self.deck_stems
