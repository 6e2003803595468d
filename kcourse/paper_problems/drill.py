"""Paper problems in a notebook: a problem, fields, a verdict that names the mistake, another one.

Statement, solution and what was answered are Markdown outputs of the cell, so that the front end sets their formulas
and the notebook keeps them; between them stands a widget with the browser's own controls (``paper_problems.js``).
"""

from __future__ import annotations

import random
from importlib.resources import files
from typing import Any

import anywidget
import traitlets
from IPython.display import Markdown, display

from kcourse.paper_problems.bank import bank
from kcourse.paper_problems.page_data import listed, page_data, titles
from kcourse.paper_problems.problem import Drawn, draw

__all__ = ["Drill", "show"]

FIRST, LAST = 1, 10**6  # seeds of what follows the first draw, which is the same for everybody: it is stored


class Drill(anywidget.AnyWidget):
    """The problems of a chapter, one at a time."""

    _esm = files("kcourse.paper_problems").joinpath("paper_problems.js").read_text(encoding="utf-8")
    _css = files("kcourse.paper_problems").joinpath("paper_problems.css").read_text(encoding="utf-8")

    titles = traitlets.List().tag(sync=True)
    ask = traitlets.Dict().tag(sync=True, echo_update=False)  # which problem, how many draws so far, with its solution?
    task = traitlets.Dict().tag(sync=True)  # see `page_data`
    answered = traitlets.Dict().tag(sync=True, echo_update=False)

    def __init__(self, chapter: str) -> None:
        self.problems = bank(chapter)
        self.drawn = draw(self.problems[0], 0)
        ask = {"problem": 0, "turn": 0, "solved": False}
        super().__init__(titles=titles(self.problems), ask=ask, task=page_data(self.drawn))
        self.lines: list[str] = []
        self.observe(self._asked, names="ask")
        self.observe(self._noted, names="answered")

    def show(self) -> None:
        """Display the first problem."""
        self.above = display(Markdown(text(self.drawn)), display_id=True)
        view = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        chapter = self.problems[0].chapter
        display(
            {"application/vnd.jupyter.widget-view+json": view, "text/plain": "Run this cell to answer."},
            raw=True,
            metadata={"kcourse": {"paper_problems": chapter}},
        )
        self.below = display(Markdown(" "), display_id=True)  # "" is a path to IPython under WebAssembly

    def _asked(self, change: Any) -> None:
        old, new = change["old"], change["new"]
        if new["turn"] != old["turn"]:
            self.drawn = draw(self.problems[new["problem"]], random.randint(FIRST, LAST))
            self.task = page_data(self.drawn)
        self.above.update(Markdown(text(self.drawn, solved=new["solved"])))

    def _noted(self, change: Any) -> None:
        seen = change["new"]
        self.lines.append(
            f"- {self.drawn.problem.title} (draw {self.drawn.seed}): `{seen['given']}`. {_escaped(seen['says'])}"
        )
        self.below.update(Markdown("\n".join(["**Answered**", "", *self.lines])))


def show(chapter: str) -> None:
    """Display the problems of a chapter."""
    Drill(chapter).show()


def text(drawn: Drawn, *, solved: bool = False) -> str:
    """A problem as Markdown, with its options, and its solution if that is wanted."""
    parts = [f"**{drawn.problem.title}** ({drawn.problem.minutes:g} min)", drawn.statement, listed(drawn)]
    return "\n\n".join(filter(None, [*parts, f"**Solution.** {drawn.solution}" if solved else ""]))


def _escaped(words: str) -> str:
    return words.replace("$", r"\$").replace("*", r"\*").replace("_", r"\_")
