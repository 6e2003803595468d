"""Decks: a chapter's notebook as slides that project, in one file that needs no network and no kernel."""

from kcourse.slides.deck import Slide, slides_of, state_says
from kcourse.slides.drawn import drawn_for
from kcourse.slides.page import build, find_chapter, show

__all__ = ["Slide", "build", "drawn_for", "find_chapter", "show", "slides_of", "state_says"]
