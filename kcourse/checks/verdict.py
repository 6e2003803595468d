"""Show a verdict: as a panel in Jupyter, as plain text elsewhere."""

from __future__ import annotations

import html
import re
import sys
from typing import Any
from urllib.parse import quote

from kcourse.checks.judge import PropertyResult, Result

__all__ = ["Verdict", "as_html", "as_text", "show"]

# mark, words, and colours with enough contrast on white (WCAG AA); the words carry the meaning, the colours repeat it
_LOOK = {
    "passed": ("✓", "right", "#1a7f37", "#effaf2"),
    "partial": ("✗", "partly right", "#9a5b00", "#fff8e6"),
    "failed": ("✗", "not yet right", "#b3261e", "#fdf1f0"),
    "refused": ("✗", "please write it yourself", "#b3261e", "#fdf1f0"),
    "not_attempted": ("○", "not attempted yet", "#555555", "#f5f5f5"),
    "interrupted": ("○", "interrupted", "#555555", "#f5f5f5"),
}
_SHORT = 40  # a piece of code up to this length is not broken over two lines
_STEP, _EXPERIMENT = "Which step of the derivation?", "An experiment that shows it, for a new cell"


class Verdict:
    """The return value of `check`: its number is the points, ``result`` is the whole verdict."""

    def __init__(self, result: Result) -> None:
        self.result = result

    def __float__(self) -> float:
        return float(self.result.points)

    def __repr__(self) -> str:
        # nbgrader reads the text of a result as partial credit, so it must be the bare number
        return f"{float(self):g}"

    def _ipython_display_(self) -> None:
        """Show nothing in a notebook: the panel has been shown, and only a number would appear below it."""
        if _shell() is None:
            raise NotImplementedError  # then IPython prints the points


def show(result: Result) -> None:
    """Show ``result`` as a panel if a Jupyter kernel runs this, as text otherwise.

    The panel is sent as the *result* of the cell. Its plain text is the points, which nbgrader reads as partial credit.
    """
    shell = _shell()
    if shell is None:
        print(as_text(result))
        return
    hook = shell.displayhook
    hook.start_displayhook()
    hook.write_output_prompt()
    hook.write_format_data({"text/plain": repr(Verdict(result)), "text/html": as_html(result)}, {})
    hook.finish_displayhook()


def _mark(found: PropertyResult) -> str:
    return "✓" if found.points == found.max_points else "½" if found.points else "✗"


def _shell() -> Any:
    """Return the shell of the Jupyter kernel that runs this code, or None."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if hasattr(shell, "kernel") else None


def as_text(result: Result) -> str:
    """Return the verdict in plain text."""
    mark, words, *_ = _LOOK[result.status]
    lines = [f"{mark} {result.name}: {words} — {result.points:g} of {result.max_points:g} points"]
    if result.status != "not_attempted":
        lines += [f"  {_mark(p)} {p.says} ({p.points:g}/{p.max_points})" for p in result.properties]
    lines += [f"  {sentence}" for sentence in result.hints]
    for title, text in _folded(result):
        lines += [f"  {title}", *(f"    {line}" for line in text.splitlines())]
    lines += [f"  Note: {sentence}" for sentence in result.remarks]
    return "\n".join(lines)


def as_html(result: Result) -> str:
    """Return the verdict as a panel: a labelled region that works with a keyboard and with a screen reader."""
    mark, words, colour, ground = _LOOK[result.status]
    heading = f"{mark} {result.name}: {words}"
    out = [
        f'<section role="status" aria-label="Check of {result.name}: {words}" class="kcourse-verdict" '
        f'data-status="{result.status}" style="border:1px solid {colour};border-left:6px solid {colour};'
        f"border-radius:4px;padding:.6em 1em;background:{ground};color:#1b1b1b;max-width:46em;line-height:1.5;"
        'font-family:system-ui,sans-serif">',
        f'<p style="margin:0;font-weight:600;color:{colour}">{html.escape(heading)} '
        f'<span style="font-weight:400;color:#333">— {result.points:g} of {result.max_points:g} points</span></p>',
    ]
    if result.properties and result.status != "not_attempted":
        out.append('<ul style="list-style:none;margin:.4em 0;padding:0">')
        for p in result.properties:
            out.append(
                f'<li style="margin:0">{_mark(p)} <span>{_inline(p.says)}</span> '
                f'<span style="color:#555">({p.points:g}/{p.max_points})</span></li>'
            )
        out.append("</ul>")
    out += [f'<p style="margin:.4em 0 0">{_inline(sentence)}</p>' for sentence in result.hints]
    for title, text in _folded(result):
        body = _code(text) if title == _EXPERIMENT else f'<p style="margin:.2em 0 0">{_linked(text, result.name)}</p>'
        out.append(
            f'<details style="margin:.4em 0 0"><summary style="cursor:pointer">{title}</summary>{body}</details>'
        )
    out += [f'<p style="margin:.4em 0 0">Note: {_inline(sentence)}</p>' for sentence in result.remarks]
    out.append("</section>")
    return "".join(out)


def _folded(result: Result) -> list[tuple[str, str]]:
    """Return the second and third level of a hint, each with its title; the reader opens them one by one."""
    return [(title, text) for title, text in ((_STEP, result.step), (_EXPERIMENT, result.experiment)) if text]


def _inline(text: str) -> str:
    """Return the text as HTML, with `code` between backticks as code; words and short pieces are not broken."""

    def code(match: re.Match) -> str:
        space = "nowrap" if len(match[1]) <= _SHORT else "pre-wrap"
        return f'<code style="white-space:{space};word-break:normal;overflow-wrap:break-word">{match[1]}</code>'

    return re.sub(r"`([^`]+)`", code, html.escape(text))


def _linked(text: str, name: str) -> str:
    """Return the text as HTML, with each “section” as a link into the lecture, which lies next to the sheets."""
    from kcourse.checks import exercises  # it imports this module

    lecture = next((spec.chapter for spec in exercises() if spec.name == name), "")
    notebook = "00_start_here" if "start page" in text else lecture

    def link(match: re.Match) -> str:
        place = quote(html.unescape(match[1]).replace(" ", "-"), "/?:,;=!$'+@~")  # as JupyterLab names a heading
        return f'“<a href="../notebooks/{notebook}.ipynb#{place}" style="color:#0b57d0">{match[1]}</a>”'

    return re.sub("“([^”]+)”", link, _inline(text)) if notebook else _inline(text)


def _code(text: str) -> str:
    return (
        '<pre style="margin:.2em 0 0;padding:.5em .7em;background:#ffffff;color:#1b1b1b;border:1px solid #ddd;'
        f'border-radius:3px;overflow-x:auto;font-size:.92em">{html.escape(text)}</pre>'
    )
