"""The contents of the site: lectures, sheets, slides, and the addresses in docs/site.toml."""

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
    """The site cannot be built; the text says why."""


class WrongSettings(CannotBuild):
    """A setting in docs/site.toml is not valid."""


def settings(text: str) -> dict[str, str]:
    """Return the settings in the text of docs/site.toml; missing settings are empty."""
    found = {"repository": "", "branch": "main", "binder": "", "hub": "", "nbgitpuller": ""}
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise WrongSettings(f"docs/site.toml cannot be read: {problem}") from None
    for name, value in said.items():
        if name not in found:
            raise WrongSettings(f"docs/site.toml: no setting named {name!r}. Available: {', '.join(found)}")
        if not isinstance(value, str):
            raise WrongSettings(f"docs/site.toml: {name} is {value!r}, but should be text between quotation marks")
        if value and name != "branch" and not re.fullmatch(r"https?://[^\s\"'<>()]+", value):
            raise WrongSettings(f"docs/site.toml: {name} is {value!r}, but should begin with https:// (or be empty)")
    found |= {name: value.rstrip("/") for name, value in said.items()}
    if found["nbgitpuller"] and not found["repository"]:
        raise WrongSettings("docs/site.toml: nbgitpuller also needs the repository's address, from which it pulls")
    return found


@dataclass(kw_only=True)
class Course:
    """Notebooks and settings, from which the pages are made."""

    decks: Iterable[str] | None = None  # stems whose slides are built; None: all
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
