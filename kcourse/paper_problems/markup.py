r"""Convert Markdown with formulas in $…$ to HTML with formulas in \(…\), which MathJax also finds in Moodle."""

from __future__ import annotations

import base64
import io
import re

from nbconvert.filters.markdown_mistune import markdown2html_mistune

from kcourse.paper_problems.problem import Drawn, called

__all__ = ["figure_of", "html_of"]

_FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)


def html_of(markdown: str) -> str:
    """Return the text as HTML; a single paragraph loses its <p>."""
    html = markdown2html_mistune(markdown).strip()
    html = _FORMULA.sub(lambda m: rf"\[{m[1]}\]" if m[1] else rf"\({m[2]}\)", html)
    single = re.fullmatch(r"<p>((?:(?!</p>).)*)</p>", html, re.DOTALL)
    return single[1] if single else html


def figure_of(drawn: Drawn) -> tuple[str, str]:
    """Return the problem's picture, a PNG in base64, and its alt text; two empty strings if it has no picture."""
    if drawn.problem.figure is None:
        return "", ""
    fig, alt = called(drawn.problem.figure, drawn.names)
    fig.savefig(made := io.BytesIO(), format="png", dpi=150, metadata={"Software": None})
    return base64.b64encode(made.getvalue()).decode("ascii"), alt
