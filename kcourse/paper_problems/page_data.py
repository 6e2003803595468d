"""The data with which a page shows a drawn problem and judges an answer: words and numbers, no functions."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from kcourse.paper_problems.problem import LETTERS, Answer, Choice, Drawn, Gaps, Numbers, Problem

__all__ = ["listed", "page_data", "plain", "titles", "written"]


def titles(problems: Iterable[Problem]) -> list[str]:
    """Return the titles to choose from."""
    return [f"{i}. {p.title} ({p.minutes:g} min)" for i, p in enumerate(problems, start=1)]


def plain(value: Any) -> str:
    """Return a number as it is typed, "-3/4" or "0.75"; words do not change."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return str(Fraction(value))


def written(drawn: Drawn, answer: Answer) -> str:
    """Return an answer as a student gives it: numbers, or the letters of the chosen options."""
    if isinstance(drawn.problem.kind, Choice | Gaps):
        return ", ".join(LETTERS[f.options.index(text)] for f, text in zip(drawn.fields, answer, strict=True))
    return ", ".join(map(plain, answer))


def listed(drawn: Drawn) -> str:
    """Return the options of each field as Markdown; "" if no field has options."""
    blocks = []
    for field in drawn.fields:
        if field.options:
            rows = "\n".join(f"- **{LETTERS[i]}** {text}" for i, text in enumerate(field.options))
            blocks.append(f"{field.label}\n\n{rows}".strip())
    return "\n\n".join(blocks)


def page_data(drawn: Drawn) -> dict[str, Any]:
    """Return fields, right answer and mistakes of a drawn problem, for ``paper_problems.js``."""
    kind = drawn.problem.kind
    letters = isinstance(kind, Choice | Gaps)

    def typed(answer: Answer) -> list[Any]:
        if letters:
            return written(drawn, answer).split(", ")
        return [each if isinstance(each, str) else [float(each), kind.room(each)] for each in answer]

    fields = [
        {"label": f.label, "options": [[LETTERS[i], text] for i, text in enumerate(f.options)]} for f in drawn.fields
    ]
    kinds = "numbers" if isinstance(kind, Numbers) else "choice" if letters else "letters"
    return {
        "kind": kinds, "asks": kind.asks, "columns": getattr(kind, "columns", 0),
        "fields": fields, "right": typed(drawn.right),
        "wrong": [{"says": mistake.says, "answer": typed(answer)} for mistake, answer in drawn.wrong],
    }  # fmt: skip
