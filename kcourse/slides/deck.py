"""Turn the cells of an executed notebook into slides.

Slide marks decide where slides begin. Folded code and what it verified are not shown. A figure has its own slide, with
the title of the page above it, and so has a cell that is only an answer to open. A lecturer's note belongs to the slide
above it. Text that a reader must open appears one click later. A cell may have another text for the slides,
``metadata.kcourse.slide``, which the build makes from a comment ``<!-- slide … -->`` in its source.
"""

from __future__ import annotations

import base64
import html
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bs4 import BeautifulSoup, Tag
from nbconvert.filters.highlight import Highlight2HTML
from nbconvert.filters.markdown_mistune import markdown2html_mistune

__all__ = ["Slide", "slides_of", "state_says"]

_HEADINGS = ("h1", "h2", "h3")
_NO_TITLES = ("Step ", "Predict first")  # bold words that are not the title of a page
# a formula and the punctuation after it stay on one line
_PUNCTUATED = re.compile(r"(?<![$\\])\$(?!\$)[^$]+\$(?!\$)[.,;:)?]+")
_SHORT, _SQUARE = 240, 1.3  # letters of a text next to a picture, and width of this picture relative to its height
_FEW_LINES = 8  # lines of code that take half a minute
_MINUTES = re.compile(r"For the lecturer \((\d+) min\)")
_NOTEBOOK_LINK = re.compile(r"\.ipynb(#.*)?$")


@dataclass
class Slide:
    """One page of the slides.

    Attributes
    ----------
    cell : str
        id of its first cell.
    starts : bool
        whether it begins a section.
    title : str
        its title, as HTML.
    parts : list of str
        its content, as HTML, in order.
    notes : list of str
        the speaker's notes, as HTML.
    """

    cell: str
    starts: bool
    title: str = ""
    parts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def minutes(self) -> float:
        """Minutes in the lecture: those of its notes, otherwise 1 for a full page and ½ for a simple one.

        Each picture of an interactive figure takes at least ½.
        """
        if told := [int(found) for note in self.notes for found in _MINUTES.findall(note)]:
            return sum(told)
        page = BeautifulSoup("".join(self.parts), "html.parser")
        lines, looks = len(page.find_all(class_="line")), len(page.find_all("figure"))
        for seen in page.find_all(["figure", "pre", "table", "img"]):
            seen.decompose()
        said = page.get_text()
        return max(1 if len(said) > _SHORT or "$$" in said or lines > _FEW_LINES else 0.5, looks / 2)

    @property
    def columns(self) -> bool:
        """Whether it is one short text and one picture that is not wide, which are shown side by side."""
        if len(self.parts) != 2:
            return False
        text, picture = sorted(self.parts, key=lambda part: part.startswith('<div class="figure'))
        size = re.search(r'<img [^>]*width="(\d+)" height="(\d+)"', picture)
        short = len(BeautifulSoup(text, "html.parser").get_text()) <= _SHORT
        plain = not re.search(r"<img|<pre|<table|\$\$|\\\[", text)
        return bool(size) and short and plain and int(size[1]) <= _SQUARE * int(size[2])

    @property
    def moves(self) -> bool:
        """Whether it shows an interactive figure, with one click for each picture."""
        return any('<figure class="fragment' in part for part in self.parts)

    @property
    def picture(self) -> str | None:
        """The address of its first picture."""
        found = re.search(r'src="(data:image/png;base64,[^"]+)"', "".join(self.parts))
        return found[1] if found else None


def slides_of(notebook: dict[str, Any]) -> list[Slide]:
    """Return the slides of an executed notebook (its JSON), in order."""
    maker = _Maker()
    for cell in notebook["cells"]:
        maker.add(cell)
    return [slide for slide in maker.slides if slide.parts or slide.title and (slide.starts or slide.notes)]


class _Maker:
    def __init__(self) -> None:
        self.slides: list[Slide] = []
        self.section = ""  # title of the current section
        self.above = ""  # title of the last page, once the section has one
        self.asked: Slide  # page for the next note: that of the cell above it, or the first of several with questions

    def add(self, cell: dict[str, Any]) -> None:
        kind = cell["metadata"].get("slideshow", {}).get("slide_type", "-")
        if kind == "skip":
            return
        if kind == "notes":
            if not self.slides:
                raise ValueError(f"cell {cell['id']!r}: a note needs a slide above it")
            self.asked.notes.append(_note(_text(cell)))
        elif cell["cell_type"] == "markdown":
            self._add_text(cell, kind)
        else:
            self._add_code(cell, kind)

    def _begin(self, cell: dict[str, Any], kind: str, title: str) -> Slide:
        self.slides.append(Slide(cell["id"], kind == "slide", title))
        self.above = title
        self.asked = self.slides[-1]
        return self.slides[-1]

    def _add_text(self, cell: dict[str, Any], kind: str) -> None:
        heading = _heading(_render(_text(cell)))
        if heading:
            self.section = self.above = heading
        text = cell["metadata"].get("kcourse", {}).get("slide", _text(cell))
        if not text.strip():
            return
        page = _render(text)
        title = _take_title(page, kind) or heading
        if kind in ("slide", "subslide") or not self.slides:
            self._begin(cell, kind, title or (self.above if _only_folds(page) else self.section))
        slide = self.slides[-1]
        folds = page.find_all("details", recursive=False)
        if len(folds) > 1:  # questions: two to a slide, each with its answer
            before = "".join(str(child) for child in page.children if child not in folds).strip()
            slide.parts += [before] if before else []
            first = slide
            for i, fold in enumerate(folds):
                slide = slide if i % 2 or not slide.parts else self._begin(cell, "", slide.title)
                slide.parts.append(_unfolded(fold))
            self.asked = first
            return
        for fold in folds:
            if kind == "fragment":  # the cell already has a click
                fold.summary.decompose()
                fold.unwrap()
            else:
                fold.replace_with(BeautifulSoup(_unfolded(fold), "html.parser"))
        shown = str(page).strip()
        if shown:
            slide.parts.append(f'<div class="fragment">{shown}</div>' if kind == "fragment" else shown)

    def _add_code(self, cell: dict[str, Any], kind: str) -> None:
        folded = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
        if kind in ("slide", "subslide") or not self.slides:
            self._begin(cell, kind, self.section)
        parts = [] if folded else [_code(_text(cell))]
        figures = []  # these have their own page, like a table below shown code
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data:
                figures.append(_figure(output))
            elif "kcourse-verified" in _joined(data.get("text/html", "")):
                parts += [] if folded else [_verified(_joined(data["text/plain"]))]
            elif "kcourse-table" in _joined(data.get("text/html", "")):
                (parts if folded else figures).append(_opened(_joined(data["text/html"])))
            elif output["output_type"] == "stream":
                parts.append(f'<pre class="printed">{html.escape(_joined(output["text"]).rstrip())}</pre>')
        slide = self.slides[-1]
        if kind == "fragment" and parts and slide.parts:  # a page does not begin with an empty click
            parts = [f'<div class="fragment">{"".join(parts)}</div>']
        slide.parts += parts
        for figure in figures:
            above = self.slides[-1]
            (self._begin(cell, "", above.title) if above.parts else above).parts.append(figure)


def _text(cell: dict[str, Any]) -> str:
    return _joined(cell["source"])


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _render(markdown: str) -> BeautifulSoup:
    text = _PUNCTUATED.sub(r'<span class="keep">\g<0></span>', markdown2html_mistune(markdown))
    page = BeautifulSoup(text, "html.parser")
    for anchor in page.find_all("a", class_="anchor-link"):
        anchor.decompose()
    for link in page.find_all("a", href=_NOTEBOOK_LINK):  # the slides have no notebooks to link to
        link.unwrap()
    return page


def _first(page: BeautifulSoup) -> Tag | None:
    return next((child for child in page.children if isinstance(child, Tag)), None)


def _only_folds(page: BeautifulSoup) -> bool:
    """Whether the page is only an answer, which belongs to the page above it."""
    shown = [child for child in page.children if isinstance(child, Tag) or str(child).strip()]
    return bool(shown) and all(isinstance(child, Tag) and child.name == "details" for child in shown)


def _heading(page: BeautifulSoup) -> str:
    """Remove the heading at the top of the page and return it as HTML."""
    first = _first(page)
    return first.extract().decode_contents() if first is not None and first.name in _HEADINGS else ""


def _take_title(page: BeautifulSoup, kind: str) -> str:
    """Remove the heading, or the bold words at the beginning of the page, and return it as HTML."""
    if heading := _heading(page):
        return heading
    first = _first(page)
    if first is None:
        return ""
    begins = next(iter(first.contents), None) if first.name == "p" and kind == "subslide" else None
    if not isinstance(begins, Tag) or begins.name != "strong" or begins.get_text().startswith(_NO_TITLES):
        return ""
    alone = first.get_text() == begins.get_text()
    if not (alone or begins.get_text().endswith((".", ":", "?"))):
        return ""  # the beginning of a sentence
    title = begins.extract().decode_contents().rstrip(".:")
    if alone:
        first.decompose()
    return title


def _note(markdown: str) -> str:
    page = _render(markdown)
    for fold in page.find_all("details"):
        fold.summary.name = "h4"
        fold.unwrap()
    return str(page).strip()


def _unfolded(fold: Tag) -> str:
    """Return a question, and its answer one click later."""
    question = fold.summary.extract().decode_contents()
    question = re.sub(r"\s*\(open this [^)]*\)", "", question)
    return f'<p class="question">{question}</p><div class="fragment">{fold.decode_contents().strip()}</div>'


def _opened(table: str) -> str:
    """Return a table that is folded in the notebook as one that is shown with its page."""
    return re.sub(r"^<details.*?</summary>|</details>$", "", table)


def _code(source: str) -> str:
    """Return code with each line in a box with hanging indentation, so that a long line continues visibly."""
    source = re.sub(r"\n{3,}", "\n\n", source)
    before, lines, after = re.fullmatch(
        r"(.*?<pre>(?:<span></span>)?)(.*?)\n*(</pre>.*)", _highlight(source), re.S
    ).groups()
    boxes = (
        f'<span class="line" style="--hang: {len(line) - len(line.lstrip()) + 4}ch">{shown}</span>'
        for line, shown in zip(source.strip("\n").split("\n"), lines.split("\n"), strict=True)
    )
    return before + "".join(boxes) + after


_highlight = Highlight2HTML(pygments_lexer="ipython3")


def _verified(claims: str) -> str:
    lines = claims.splitlines()
    said = lines[0] if len(lines) == 1 else f"✓ {len(lines)} statements verified"
    return f'<p class="verified">{html.escape(said)}</p>'


def _figure(output: dict[str, Any]) -> str:
    states = output["metadata"].get("kcourse", {}).get("states", [])
    shown = output["metadata"]["image/png"]
    first = {"png": output["data"]["image/png"], "alt": shown["alt"], "says": "", "letters": shown.get("letters")}
    if not states:
        return f'<div class="figure">{_image(first)}</div>'
    return f'<div class="figure r-stack">{"".join(_stacked([first, *states]))}</div>'


def _stacked(pictures: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the pictures of an interactive figure, one click each, with the setting of each."""
    for i, picture in enumerate(pictures):
        kind = "fade-out" if i == 0 else "fade-in" if i == len(pictures) - 1 else "current-visible"
        index = 0 if i == 0 else i - 1
        says = f"<figcaption>{html.escape(caption)}</figcaption>" if (caption := state_says(picture)) else ""
        yield f'<figure class="fragment {kind}" data-fragment-index="{index}">{_image(picture)}{says}</figure>'


def state_says(state: dict[str, Any]) -> str:
    """Return which questions a picture of an interactive figure answers, and the values of its controls."""
    questions = state.get("questions", [])
    asked = f"question{'s' * (len(questions) > 1)} {' and '.join(map(str, questions))}" if questions else ""
    return " · ".join(filter(None, (asked, state["says"])))


def _image(picture: dict[str, Any]) -> str:
    source = "".join(_joined(picture["png"]).split())
    wide, high = struct.unpack(">II", base64.b64decode(source[:32])[16:24])  # the size in the header of a PNG
    size = f'width="{wide}" height="{high}"'
    if picture.get("letters"):
        size += f' data-letters="{picture["letters"]}"'  # their height in dots of the picture
    return f'<img alt="{html.escape(picture["alt"], quote=True)}" {size} src="data:image/png;base64,{source}">'
