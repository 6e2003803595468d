"""Paper problems in a notebook: a problem, fields for the answer, a verdict that names the mistake, another problem.

Statement, solution and earlier answers are Markdown outputs of the cell, so that the front end renders their formulas
and the notebook stores them. Between them is a widget with the controls of the browser (``paper_problems.js``).
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

FIRST, LAST = 1, 10**6  # seeds of later draws; the first draw is stored and the same for everybody


class Drill(anywidget.AnyWidget):
    """A widget that shows the problems of a chapter, one at a time."""

    _esm = files("kcourse.paper_problems").joinpath("paper_problems.js").read_text(encoding="utf-8")
    _css = files("kcourse.paper_problems").joinpath("paper_problems.css").read_text(encoding="utf-8")

    titles = traitlets.List().tag(sync=True)
    ask = traitlets.Dict().tag(
        sync=True, echo_update=False
    )  # which problem, how many draws so far, whether with solution
    task = traitlets.Dict().tag(sync=True)  # see `page_data`
    answered = traitlets.Dict().tag(sync=True, echo_update=False)

    def __init__(self, chapter: str) -> None:
        self.problems = bank(chapter)
        self.drawn = draw(self.problems[0], 0)
        self.latest = {0: self.drawn}  # of each problem; it is shown again when a reader comes back to the problem
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
            if new["problem"] == old["problem"] or new["problem"] not in self.latest:
                self.latest[new["problem"]] = draw(self.problems[new["problem"]], random.randint(FIRST, LAST))
            self.drawn = self.latest[new["problem"]]
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
    """Return a problem as Markdown, with its options, and with its solution if ``solved``."""
    parts = [f"**{drawn.problem.title}** ({drawn.problem.minutes:g} min)", drawn.statement, listed(drawn)]
    return "\n\n".join(filter(None, [*parts, f"**Solution.** {drawn.solution}" if solved else ""]))


def _escaped(words: str) -> str:
    return words.replace("$", r"\$").replace("*", r"\*").replace("_", r"\_")
