"""Check that every number in the prose occurs in an output or in the code of the same notebook.

The words beneath a figure count as prose, because an author types them. The check covers decimal numbers and numbers
from 100 on, rounded to the printed decimals. It skips numbers that claim nothing: in code spans, links, HTML
attributes, numbers of headings, references ("§5.4", "exercise 3.1"), versions, and years outside formulas.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from nbformat import NotebookNode

from tools.lint import CODE_SPAN, blank, parse
from tools.source import Source

REFERENCES = (
    r"exercises?|chapters?|ch\.|sections?|sec\.|parts?|steps?|figures?|figs?\.|equations?|eqs?\.|tables?"
    r"|theorems?|lemmas?|propositions?|pages?|pp?\.|vol\."
)
FURTHER = r"(–|-|, ?|\s+(to|and|or)\s+)\(?[1-9]\d?(\.\d\d?)?\)?(?![\d.]*\d)"  # "and 3.2", "–3.6"
CLAIMS_NOTHING = [
    CODE_SPAN,
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"""</?[a-z][a-z0-9]*(\s+[\w-]+(\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?)*\s*/?>""", re.IGNORECASE),
    re.compile(r"\]\([^)]*\)|https?://\S+|\bdoi:\S+|\barXiv:\S+", re.IGNORECASE),
    re.compile(r"&#?\w+;"),
    re.compile(r"\\(tag|label|(eq)?ref|[hv]space\*?)\{[^}]*\}|\\\\\[[^\]]*\]"),
    re.compile(r"^#{1,6}\s+\d+(\.\d+)*", re.MULTILINE),
    re.compile(rf"(§+|\b({REFERENCES}))\s*\(?[1-9]\d*(\.\d+)*\)?({FURTHER})*", re.IGNORECASE),
    re.compile(r"\b\d+\.\d+\.\d+\b|\b(versions?\s+|v)\d+(\.\d+)*|\bPython\s+3\.\d+", re.IGNORECASE),
]
MATH_OR_YEAR = re.compile(r"(?P<math>\$\$[^$]+\$\$|\$[^$]+\$)|(?<![\w.,])(1[89]|20)\d\d[a-z]?(?![\w%]|[.,]\d)")
TAG = re.compile(r"<(style|script)\b.*?</\1>|<[^>]+>", re.DOTALL)

# as kcourse.lab.show writes them
WORDS = re.compile(
    r'<details class="kcourse-words".*?<summary>The picture in words</summary>(?P<words>.*)</details>', re.S
)

THIN = "\N{THIN SPACE}"
GAP = f"[ ,{THIN}\N{NARROW NO-BREAK SPACE}\N{NO-BREAK SPACE}]"  # between groups of three digits
NUMBER = re.compile(
    rf"(?<![^\W_])(?<!\.)(?P<digits>\d{{1,3}}({GAP}\d{{3}}(?!\d))+|\d+)(?P<decimals>\.\d+)?"
    r"(e(?P<e>[+-]?\d+)|\s*[×·]\s*10(\^\{?(?P<caret>[+−-]?\d+)|(?P<super>[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?"
    r"(?P<percent>\s*%|\s*per\s?cent\b)?",
    re.IGNORECASE,
)
SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "+-0123456789-")


class Number(NamedTuple):
    """A printed number: its value, half a unit of its last digit, and what else the comparison needs."""

    value: float
    half_unit: float
    percent: bool
    text: str
    start: int
    parts: tuple[float, ...]  # of "100 200", which may be one number or two


def check_prose(source: Source, notebook: NotebookNode) -> None:
    """Report each number in the prose that neither the outputs nor the code contain."""
    known = [*code_numbers(notebook), *output_numbers(notebook)]
    for cell in source.markdown_cells():
        if cell.numbers:
            continue
        deck = cell.node.metadata.get("kcourse", {}).get("slide", "")
        prose = _claims(f"{cell.node.source}\n\n\n{deck}")  # the empty lines replace the comment's first line
        for number in _unbacked(prose, known):
            line = cell.line + prose.count("\n", 0, number.start)
            source.complain(line, f"nothing in the notebook's outputs or code gives {number.text}")
    for cell, built in zip(source.cells, notebook.cells, strict=True):
        for words in figure_words(built):
            for number in _unbacked(_claims(words), known):
                source.complain(cell.line, f"alt: nothing in the notebook's outputs or code gives {number.text}")


def _unbacked(prose: str, known: Collection[float]) -> Iterator[Number]:
    return (number for number in numbers(prose) if _is_claim(number) and not is_backed(number, known))


def _claims(markdown: str) -> str:
    """Return the text without parts that claim nothing, with the same lines, and with TeX's spaces and signs plain."""
    text = markdown
    for pattern in CLAIMS_NOTHING:
        text = blank(pattern, text)
    text = MATH_OR_YEAR.sub(lambda match: match["math"] or " ", text)
    text = re.sub(r"\\[,;: ]|\{,\}", THIN, text)
    text = re.sub(r"\\(times|cdot)\b\s*", "×", text).replace(r"\%", "%")
    return re.sub(r"\\[a-zA-Z]+", " ", text)  # other commands, so that \approx0.97 is seen


def numbers(text: str) -> Iterator[Number]:
    """Yield all numbers of a text, without their signs."""
    for match in NUMBER.finditer(text):
        groups = re.split(GAP, match["digits"])
        groups[-1] += match["decimals"] or ""
        exponent = int((match["e"] or match["caret"] or match["super"] or "0").translate(SUPERSCRIPTS))
        decimals = len(match["decimals"] or ".") - 1
        value = float("".join(groups) + f"e{exponent}")
        half_unit = float(f"5e{exponent - decimals - 1}")
        parts = tuple(map(float, groups)) if len(groups) > 1 else ()
        yield Number(value, half_unit, bool(match["percent"]), match[0].strip(), match.start(), parts)


def _is_claim(number: Number) -> bool:
    return "." in number.text or number.value >= 100


def is_backed(number: Number, known: Collection[float]) -> bool:
    """Whether a known value, rounded as the number is printed, gives the number (97.9 % also from 0.979)."""
    tolerance = number.half_unit * (1 + 1e-9)
    factors = (1, 100) if number.percent else (1,)
    if any(abs(value * factor - number.value) <= tolerance for value in known for factor in factors):
        return True
    return bool(number.parts) and all(part in known for part in number.parts if part >= 100)


def code_numbers(notebook: NotebookNode) -> Iterator[float]:
    """Yield the number literals of the code; comments and strings do not count."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for node in ast.walk(parse(cell.source)):
                if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                    yield float(node.value)


def output_numbers(notebook: NotebookNode) -> Iterator[float]:
    """Yield the numbers in the outputs; "100 200" may be one number or two."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if any(kind.startswith("image/") for kind in data) or "kcourse-words" in data.get("text/html", ""):
                continue  # such as "<Figure size 640x480 …>"
            for text in output_texts(output).values():
                for number in numbers(text):
                    yield number.value
                    yield from number.parts


def figure_words(cell: NotebookNode) -> Iterator[str]:
    """Yield the words beneath the cell's figures, except those of an interactive figure, which are computed."""
    for output in cell.get("outputs", []):
        if match := WORDS.search(output.get("data", {}).get("text/html", "")):
            yield html.unescape(match["words"])


def output_texts(output: NotebookNode) -> dict[str, str]:
    """Return the readable text of an output by kind ("stdout", "text/plain", …), HTML without its tags."""
    if output.output_type == "stream":
        return {output.name: output.text}
    texts = {kind: text for kind, text in output.get("data", {}).items() if kind.startswith("text/")}
    return {kind: TAG.sub(" ", text) if kind == "text/html" else text for kind, text in texts.items()}
