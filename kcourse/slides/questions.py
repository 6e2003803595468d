"""Find the questions to the audience on a page, and what is seen together with them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag

from kcourse.slides.deck import Slide

__all__ = ["PREDICT", "asks", "clicks", "is_asking", "is_quiz", "predicts"]

PREDICT = "Predict first"
_ASKS = re.compile(r"\?[)”’\"]*$")


def is_asking(slide: Slide) -> bool:
    """Whether the page asks a question before the first click."""
    return any(asks(block) for block in next(clicks(slide)))


def clicks(slide: Slide) -> Iterator[list[Tag]]:
    """Yield the blocks of a page that are seen together: first those without a click, then those of each fragment."""
    page = BeautifulSoup("".join(slide.parts), "html.parser")
    blocks = page.find_all(True, recursive=False)
    fragments = [block for block in blocks if block.name == "div" and "fragment" in block.get("class", [])]
    yield [block for block in blocks if block not in fragments]
    for fragment in fragments:
        yield fragment.find_all(True, recursive=False)


def asks(block: Tag) -> bool:
    """Whether the block is a paragraph that ends in a question mark, a list with one, or *Predict first*."""
    if block.name in ("ul", "ol"):
        return any(asks(entry) for entry in block.find_all("li"))
    if block.name not in ("p", "li") or is_quiz(block):
        return False
    return predicts(block) or bool(_ASKS.search(block.get_text().strip()))


def predicts(block: Tag) -> bool:
    """Whether the block asks for a prediction."""
    return any(bold.get_text().startswith(PREDICT) for bold in block.find_all("strong"))


def is_quiz(block: Tag) -> bool:
    """Whether the block is the line above an answer that is folded in the notebook and one click later on slides."""
    return "question" in block.get("class", [])
