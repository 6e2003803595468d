r"""Problems for Moodle, as its XML: each problem is a category, from which a quiz takes a random question.

A single number becomes a numerical question, several numbers or gaps a cloze, an order a short answer, and free working
an essay with the solution and the marking scheme for the grader. Mistakes are wrong answers with their sentence and
their share of the points. The format: docs.moodle.org, "Moodle XML format" and "Embedded Answers (Cloze) question
type".
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from html import escape
from typing import Any

from kcourse.paper_problems.markup import figure_of, html_of
from kcourse.paper_problems.page_data import listed
from kcourse.paper_problems.problem import LETTERS, Choice, Drawn, Field, Free, Gaps, Numbers, Order, steps_of

__all__ = ["quiz"]

_FRACTIONS = (
    90,
    83.33333,
    80,
    75,
    70,
    66.66667,
    60,
    50,
    40,
    33.33333,
    30,
    25,
    20,
    16.66667,
    14.28571,
    12.5,
    11.11111,
    10,
    5,
    0,
)  # fmt: skip  (shares that Moodle accepts, in per cent)
_ESCAPED = str.maketrans({each: "\\" + each for each in '\\}#~"'})  # characters that end a part of a cloze


def quiz(variants: Sequence[Sequence[Drawn]]) -> bytes:
    """Return the XML of these variants (of `exam.variants`): a category per problem, a question per variant."""
    root = ElementTree.Element("quiz")
    for column in zip(*variants, strict=True):
        problem = column[0].problem
        category = ElementTree.SubElement(root, "question", type="category")
        place = f"$course$/top/kcourse/{problem.chapter}/{problem.title.replace('/', '//')}"
        _text(category, "category", place)
        for number, drawn in enumerate(column, start=1):
            _question(root, drawn, f"{problem.name} {number:03d}")
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _question(root: ElementTree.Element, drawn: Drawn, name: str) -> None:
    kind = drawn.problem.kind
    single = len(drawn.fields) == 1
    of = {Numbers: "numerical" if single else "cloze", Gaps: "cloze", Choice: "multichoice", Order: "shortanswer",
          Free: "essay"}  # fmt: skip
    question = ElementTree.SubElement(root, "question", type=of[type(kind)])
    _text(question, "name", name)
    parts = [drawn.statement, listed(drawn) if isinstance(kind, Gaps) else "", _asks(drawn)]
    text = "".join(f"<div>{html_of(part)}</div>" for part in parts if part)
    if of[type(kind)] == "cloze":
        text += "".join(f"<p>{field.label}: {_gap(drawn, i, field)}</p>" for i, field in enumerate(drawn.fields))
    png, alt = figure_of(drawn)
    if png:
        text += f'<p><img src="@@PLUGINFILE@@/figure.png" alt="{escape(alt)}"></p>'
    body = _html(question, "questiontext", text)
    if png:
        ElementTree.SubElement(body, "file", name="figure.png", path="/", encoding="base64").text = png
    _html(question, "generalfeedback", f"<div>{html_of(drawn.solution)}</div>")
    if of[type(kind)] == "cloze":
        return
    for tag, value in (("defaultgrade", drawn.problem.points), ("penalty", 0), ("hidden", 0)):
        ElementTree.SubElement(question, tag).text = str(value)
    if isinstance(kind, Choice):
        for tag, value in (("single", "true"), ("shuffleanswers", "true"), ("answernumbering", "ABCD")):
            ElementTree.SubElement(question, tag).text = value
    if isinstance(kind, Free):
        ElementTree.SubElement(question, "responseformat").text = "editorfilepicker"
        ElementTree.SubElement(question, "attachments").text = "1"
        steps = "".join(f"<li>{points:g}: {html_of(text)}</li>" for points, text in steps_of(drawn))
        _html(question, "graderinfo", f"<div>{html_of(drawn.solution)}</div><ul>{steps}</ul>")
        return
    if isinstance(kind, Order):
        ElementTree.SubElement(question, "usecase").text = "0"
    _answer(question, drawn, drawn.right[0], 100, "Right.")
    for mistake, answer in drawn.wrong:
        _answer(question, drawn, answer[0], _share(mistake.credit), _says(drawn, mistake.says))


def _asks(drawn: Drawn) -> str:
    """Return what to enter; Moodle does not accept fractions."""
    return (
        "Give decimal numbers with four decimals."
        if isinstance(drawn.problem.kind, Numbers)
        else drawn.problem.kind.asks
    )


def _says(drawn: Drawn, says: str) -> str:
    return f"You get this {says}." if isinstance(drawn.problem.kind, Numbers) else says


def _answer(question: ElementTree.Element, drawn: Drawn, value: Any, share: float, says: str) -> None:
    text = html_of(value) if isinstance(value, str) else _decimal(value)
    html = {"format": "html"} if isinstance(drawn.problem.kind, Choice) else {}
    answer = ElementTree.SubElement(question, "answer", fraction=f"{share:g}", **html)
    ElementTree.SubElement(answer, "text").text = text
    if isinstance(drawn.problem.kind, Numbers):
        ElementTree.SubElement(answer, "tolerance").text = f"{drawn.problem.kind.room(value):g}"
    _html(answer, "feedback", says)


def _gap(drawn: Drawn, i: int, field: Field) -> str:
    """Return a field of a cloze, with the feedback for each wrong entry."""
    weight = 1
    if field.options:
        letter = dict(zip(field.options, LETTERS, strict=False))
        entries = [f"={letter[drawn.right[i]]}"]
        for mistake, answer in drawn.wrong:
            if answer[i] != drawn.right[i]:
                entries.append(f"{letter[answer[i]]}#{mistake.says.translate(_ESCAPED)}")
        return f"{{{weight}:MULTICHOICE:{'~'.join(sorted(entries, key=lambda e: e.lstrip('=')))}}}"
    kind, right = drawn.problem.kind, drawn.right[i]
    entries, seen = [f"={_decimal(right)}:{kind.room(right):g}"], [right]
    for mistake, answer in drawn.wrong:
        if not any(kind.same((answer[i],), (other,)) for other in seen):
            seen.append(answer[i])
            says = _says(drawn, mistake.says).translate(_ESCAPED)
            entries.append(f"%{_share(mistake.credit):g}%{_decimal(answer[i])}:{kind.room(answer[i]):g}#{says}")
    return f"{{{weight}:NUMERICAL:{'~'.join(entries)}}}"


def _decimal(value: Any) -> str:
    return f"{float(value):.4f}".rstrip("0").rstrip(".")


def _share(part: float) -> float:
    return min(_FRACTIONS, key=lambda known: abs(known - 100 * part))


def _text(parent: ElementTree.Element, tag: str, text: str) -> None:
    ElementTree.SubElement(ElementTree.SubElement(parent, tag), "text").text = text


def _html(parent: ElementTree.Element, tag: str, text: str) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, tag, format="html")
    ElementTree.SubElement(made, "text").text = text
    return made
