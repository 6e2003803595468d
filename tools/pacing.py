"""Check the timing of a lecture, and that its questions come before their answers.

A lecture's pages must fit the promised minutes, each answer must appear a click after its question, and each question
needs a picture that answers it. In the notebook, answers must be folded. The build and ``make slides`` check this on
the pages of an executed notebook, without a browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from bs4 import BeautifulSoup, Tag

from kcourse.slides import Slide, slides_of
from kcourse.slides.questions import PREDICT, asks, clicks, is_asking, is_quiz, predicts
from tools.source import Source

HOUR = (35, 45)  # minutes that the pages of one lecture should take; the aim is 40 at most, so that five are left
PAGES = 36  # at most, for one lecture: 75 seconds each
SPARE = 5  # minutes of a lecture, at least, that can be skipped
OBJECTIVES = "**After this chapter you can**"  # between the chapter's first question and its answers
HOURS = {"one": 1, "two": 2, "three": 3}

_PROMISE = re.compile(r"\*\*Lecture:\*\*\s+(\w+)\s+45-minute\s+lectures?")
_SPARE = re.compile(r"Can be skipped:\s*(.*)")
_NUMBERED = re.compile(r"^ *(\d)\. ", re.MULTILINE)


def hours_of(cells: Sequence[dict[str, Any]]) -> int:
    """Return how many 45-minute lectures the chapter promises; 0 if it does not say."""
    promise = next(filter(None, (_PROMISE.search(_text(cell)) for cell in cells if _is_text(cell))), None)
    return HOURS.get(promise[1], 0) if promise else 0


def minutes(slides: Sequence[Slide]) -> float:
    """Return the minutes of the pages together."""
    return sum(slide.minutes for slide in slides)


def sections(slides: Sequence[Slide]) -> list[list[Slide]]:
    """Return the pages, grouped by section."""
    found: list[list[Slide]] = []
    for slide in slides:
        if slide.starts or not found:
            found.append([])
        found[-1].append(slide)
    return found


def lectures(slides: Sequence[Slide]) -> list[list[Slide]]:
    """Return the pages as lectures of at most 45 minutes, each as long as whole sections allow."""
    found: list[list[Slide]] = [[]]
    for section in sections(slides):
        if found[-1] and minutes(found[-1] + section) > HOUR[1]:
            found.append([])
        found[-1] += section
    return found


def spare(slides: Sequence[Slide]) -> list[tuple[str, float]]:
    """Return (title, minutes) of what can be skipped, from notes with "Can be skipped: One title; Another.".

    A title names a whole section or single pages. An unknown title has 0 minutes.
    """
    told = [match[1] for slide in slides for note in slide.notes for match in _SPARE.finditer(words(note))]
    titles = [title.strip().rstrip(".") for line in told for title in line.split(";")]
    return [(title, _minutes_of(title, slides)) for title in titles]


def _minutes_of(title: str, slides: Sequence[Slide]) -> float:
    for section in sections(slides):
        if words(section[0].title).rstrip(".") == title:
            return minutes(section)
    return minutes([slide for slide in slides if words(slide.title).rstrip(".") == title])


def words(html: str) -> str:
    """Return the text of HTML, with a line for each paragraph."""
    page = BeautifulSoup(html, "html.parser")
    blocks = page.find_all(["p", "h4", "li"]) or [page]
    return "\n".join(" ".join(block.get_text().split()) for block in blocks)


def check(source: Source, notebook: dict[str, Any]) -> None:
    """Report faults in the timing and order of a lecture, from its executed ``notebook``."""
    if not source.stem.startswith("ch"):
        return
    lines = {cell.node.id: cell.line for cell in source.cells}
    slides = slides_of(notebook)
    promise = next((cell.line for cell in source.markdown_cells() if _PROMISE.search(cell.node.source)), 1)
    for fault in _of_minutes(slides, hours_of(notebook["cells"])):
        source.complain(promise, fault)
    for number, slide in enumerate(slides, start=1):
        for fault in (*_of_page(slide), *_of_note(slides[number - 1 :])):
            source.complain(lines.get(slide.cell, 1), f"slide page {number}, “{words(slide.title)}”: {fault}")
    for cell, fault in (*_of_states(notebook["cells"]), *_of_answers(notebook["cells"])):
        source.complain(lines.get(cell, 1), fault)


def _of_minutes(slides: Sequence[Slide], hours: int) -> Iterator[str]:
    if not hours:
        if any(slide.notes for slide in slides):
            yield 'there are lecturer\'s notes, but no line such as "**Lecture:** two 45-minute lectures"'
        return
    each = ", ".join(f"{words(section[0].title)} {minutes(section):g}" for section in sections(slides))
    least, most = (hours * limit for limit in HOUR)
    total, parts = minutes(slides), lectures(slides)
    if not least <= total <= most:
        yield (
            f"the pages take {total:g} minutes, but the lecture promises {least} to {most}. Change the minutes of "
            f"notes or the number of pages. Minutes by section: {each}"
        )
    elif len(parts) > hours:
        ends = ", ".join(f"{minutes(part):g}" for part in parts)
        yield (
            f"whole sections make lectures of {ends} minutes instead of {hours} of at most {HOUR[1]}. Move minutes "
            f"from one section to another. Minutes by section: {each}"
        )
    if len(slides) > hours * PAGES:
        yield (
            f"{len(slides)} pages are more than {hours * PAGES} (75 seconds each). Join a figure and its sentence, or "
            'keep text for readers off the slides (slide="skip", "<!-- slide -->")'
        )
    out = spare(slides)
    if (kept := sum(taken for _, taken in out)) < SPARE * hours:
        yield (
            f"notes name {kept:g} minutes that can be skipped, but {SPARE * hours} are needed. Write “Can be skipped: "
            "One title; Another.”"
        )
    for title, taken in out:
        if not taken:
            yield f"“Can be skipped” names “{title}”, but no page has that title"


# ---------------------------------------------------------------- a click before each answer


def _of_page(slide: Slide) -> Iterator[str]:
    """Yield answers that are visible together with the question above them, and questions without a note."""
    for seen in clicks(slide):
        asked = next((i for i, block in enumerate(seen) if asks(block)), len(seen))
        after = next((block for block in seen[asked + 1 :] if not asks(block) and not is_quiz(block)), None)
        if after:
            yield (
                f"“{_short(after)}” is visible together with the question “{_short(seen[asked])}” above it. Begin a "
                'page there (slide="subslide"), make it a slide="fragment", or move it above the question'
            )
    if not slide.notes and any(predicts(block) for block in next(clicks(slide))):
        yield f'“{PREDICT}” without a lecturer\'s note. Add a cell below it with slide="notes" and its minutes'


def _of_note(slides: Sequence[Slide]) -> Iterator[str]:
    """Yield a fault if the note for the first page's question is on a later page."""
    if slides[0].notes or not is_asking(slides[0]):
        return
    for later in slides[1:]:
        if later.starts or is_asking(later):
            return
        if later.notes:
            yield (
                f"its question has no note, but the page “{_short(later.parts[0])}” after it has one. Move the note to "
                "the page with the question"
            )
            return


def _short(block: Tag | str) -> str:
    said = " ".join(block.get_text().split()) if isinstance(block, Tag) else words(block)
    said = said or "a figure"
    return said if len(said) <= 60 else f"{said[:59]}…"


# ---------------------------------------------------------------- a picture for each question


def _of_states(cells: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield cells with numbered questions that no state of the interactive figure below answers, and the fault."""
    asking: dict[str, Any] | None = None
    for cell in cells:
        if _is_text(cell) and f"**{PREDICT}" in _text(cell):
            asking = cell
        for output in cell.get("outputs", []):
            states = output.get("metadata", {}).get("kcourse", {}).get("states")
            if asking and states:
                asked = {int(number) for number in _NUMBERED.findall(_text(asking).partition(f"**{PREDICT}")[2])}
                answered = {number for state in states for number in state.get("questions", [])}
                for number in sorted(asked - answered):
                    yield (
                        asking["id"],
                        f"question {number} of “{PREDICT}” has no state that answers it. Add it to the states of the "
                        f'interactive figure below: {{…, "question": {number}}}',
                    )
                for number in sorted(answered - asked):
                    yield asking["id"], f"a state of the figure below answers question {number}, which is not asked"
                asking = None


# ---------------------------------------------------------------- in the notebook: a fold before each answer


def _of_answers(cells: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield cells that are open below a question, down to the next text, and the fault."""
    betting = False
    for cell in cells:
        if not _is_text(cell):
            if betting and any(map(_is_open, cell.get("outputs", []))):
                yield cell["id"], f'its output is open below “{PREDICT}”. Give show or table an answer="…"'
        elif cell["metadata"].get("slideshow", {}).get("slide_type") != "notes":
            if betting and not _text(cell).startswith(("<details>", "#", OBJECTIVES)):
                yield cell["id"], f"“{_short(_text(cell))}” is open below “{PREDICT}”. Put it into <details>"
            betting = f"**{PREDICT}" in _text(cell)


def _is_open(output: dict[str, Any]) -> bool:
    """Whether the whole output is visible; an interactive figure does not count, as its start reveals nothing."""
    html = "".join(output.get("data", {}).get("text/html", ""))
    return not (html.startswith("<details") or "kcourse-verified" in html or "kcourse" in output.get("metadata", {}))


def _is_text(cell: dict[str, Any]) -> bool:
    return cell["cell_type"] == "markdown"


def _text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])
