"""Slides: a chapter's notebook as slides in one HTML file, which needs no network and no kernel.

Each cell's slide mark decides where it goes: ``slide`` begins a section, ``subslide`` begins a page, ``fragment``
appears one click later, ``skip`` is left out, and ``notes`` go to the speaker's view of the page above. A cell without
a mark continues where the last cell ended. A page has the title of its section, or the bold words with which it begins.

- A figure has a page of its own, and the cell below it adds its sentence. A short text and one picture that is at most
  1.3 times as wide as high share a page. An interactive figure becomes its first picture, then one for each state.
- Open code is shown, with one line for what it verified; a table below it has its own page. Folded code is not shown.
- ``<details>`` becomes a question, and its answer one click later. Below a question (a text that ends in "?", or
  *Predict first*) there may be only questions and what appears later.
- ``<!-- slide … -->`` at the end of a cell replaces its text on the slide; an empty one leaves the cell out.

``fit.js`` finds the letter sizes of each page when the slides open. `tools.slides` reports pages that are too full,
and `tools.pacing` checks the minutes. A page has the minutes of its note. Without a note it has half a minute, or one
minute if there is much to say, and at least half a minute for each picture of an interactive figure.
"""

from kcourse.slides.deck import Slide, slides_of, state_says
from kcourse.slides.drawn import drawn_for
from kcourse.slides.page import build, find_chapter, show

__all__ = ["Slide", "build", "drawn_for", "find_chapter", "show", "slides_of", "state_says"]
