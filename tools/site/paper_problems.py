"""Paper problems on pages without a kernel: drawn beforehand, and judged by ``paper_problems.js``.

A page has the first problem as the notebook shows it, and the titles of the others. A compressed file for each chapter
has the variants; it is loaded when a reader asks for a new problem.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from typing import Any

from kcourse.paper_problems import bank, draw
from kcourse.paper_problems.markup import html_of
from kcourse.paper_problems.page_data import listed, page_data, titles
from kcourse.paper_problems.problem import Drawn

__all__ = ["place", "variants"]

_FORMULA = re.compile(r"\\\(.+?\\\)|\\\[.+?\\\]", re.DOTALL)


def place(stem: str) -> str:
    """Return the HTML for a chapter's problems: the first problem, drawn, with the data for the script."""
    problems = bank(stem)
    first = shown(draw(problems[0], 0))
    known = {"chapter": problems[0].chapter, "titles": titles(problems), "first": first}
    data = json.dumps(known, ensure_ascii=False).replace("</", "<\\/")
    return (
        f'<div class="kc-problems"><div class="kc-statement">{first["statement"]}</div>'
        f'<script type="application/json">{data}</script></div>'
    )


def variants(stem: str, count: int) -> str:
    """Return a script with ``count`` variants of each problem of a chapter, as compressed JSON in base64."""
    drawn = [[shown(draw(problem, seed)) for seed in range(1, count + 1)] for problem in bank(stem)]
    packed = zlib.compress(json.dumps(drawn, ensure_ascii=False, separators=(",", ":")).encode(), 9)
    return f'kcourseByHand.bring("{bank(stem)[0].chapter}", "{base64.b64encode(packed).decode("ascii")}");\n'


def shown(drawn: Drawn) -> dict[str, Any]:
    """Return a drawn problem for a page: its texts as HTML, and the data of `page_data`."""
    problem = drawn.problem
    head = f"<p><strong>{html.escape(problem.title)}</strong> ({problem.minutes:g} min)</p>"
    parts = [_marked(html_of(text)) for text in (drawn.statement, listed(drawn)) if text]
    solution = f"<p><strong>Solution.</strong> {_marked(html_of(drawn.solution))}</p>"
    return {"title": problem.title, "statement": head + "".join(f"<div>{p}</div>" for p in parts), "solution": solution,
            "task": page_data(drawn)}  # fmt: skip


def _marked(text: str) -> str:
    """Put formulas into the class that the site's MathJax looks for."""
    return _FORMULA.sub(lambda match: f'<span class="math">{match[0]}</span>', text)
