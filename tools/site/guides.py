"""Pages and lists that are made from the course: lists of chapters, sheets and slides; lecture plans; the reference.

The text around a list is in ``docs/``, where a mark such as ``<!-- made: chapters -->`` is replaced with the list.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import islice, pairwise
from typing import NamedTuple

from kcourse.checks import exercises
from kcourse.checks.spec import Exercise
from kcourse.commands.work import is_note
from kcourse.lab.measured import everything
from kcourse.slides import Slide, slides_of
from kcourse.slides.page import halves, time
from kcourse_grader.release import addresses
from tools import pacing
from tools.site import book
from tools.site.chapters import Chapter, anchor, label, set_in_html, source
from tools.site.course import START, Course

# modules of the reference, in the order of the README
MODULES = ("kernels", "neighbors", "ridge", "gp", "margin", "svm", "dual", "rbf", "kpca", "rkhs", "strings", "graphs",
           "scaling", "datasets", "checks", "lab")  # fmt: skip
# the sources that docstrings cite as [000] to [004]; the errata have a section for each
SOURCES = ("IFT6266", "*Noyaux reproduisants*", "SYS843", "*Máquinas de vector soporte*", "*Régression ridge à noyau*")
_MARK = re.compile(r"^<!-- made: (\w+) -->$", re.MULTILINE)
_NOTE = re.compile(r"<details><summary>For the lecturer \((\d+) min\)</summary>(.*?)</details>", re.DOTALL)
_HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)
_BESIDE = re.compile(r"\]\((?=\w+\.ipynb)")  # a link from one lecture to another
_SOURCE = re.compile(r"\[00[0-4]\b")


def filled(text: str, course: Course) -> str:
    """Return a page of docs/ with the marks replaced by lists."""
    makers = {"chapters": chapters, "sheets": sheets, "decks": decks, "plans": plans,
              "reference": reference, "measured": measured, "run": run_it}  # fmt: skip
    return _MARK.sub(lambda match: makers[match[1]](course), text)


def pages(course: Course) -> dict[str, str]:
    """Return name → text for the pages that are made completely."""
    of_lectures = {f"plans/{c.stem}.md": plan(course, c) for c in course.lectures if c.number}
    return of_lectures | {f"api/{name}.rst": reference_page(name) for name in MODULES}


# ---------------------------------------------------------------- the bar below a title


def bar(course: Course, chapter: Chapter, folder: str) -> str:
    """Return links to a chapter's slides and sheet, and how to run it."""
    if folder == "exercises":
        lecture = next((c for c in course.lectures if c.stem == chapter.stem.removesuffix("_sheet")), None)
        links = [_link(f"../notebooks/{lecture.stem}.html", f"Chapter {lecture.number}")] if lecture else []
    else:
        links = [_link(f"../{address}", words) for address, words in belongings(course, chapter)]
    said = "The slider has appeared already. " if chapter.stem == START else ""
    runs = [_link(there, words) for words, there in addresses.links(course.settings, f"{folder}/{chapter.path.name}")]
    if not runs:
        said += f"Run it: <code>make lab</code>, then <code>{folder}/{chapter.path.name}</code>"
    links += runs or [_link("../study.html", "How to run it")]
    links.append('<button type="button" class="kc-folds" hidden>Open all folds</button>')  # reach.js shows it
    return f'<nav class="kc-bar" aria-label="Links for this chapter">{"".join(links)}<span>{said}</span></nav>'


def run_it(course: Course) -> str:
    """Return how to run the course: with a service's link to the start page, or in a clone."""
    links = [_link(there, words) for words, there in addresses.links(course.settings, f"notebooks/{START}.ipynb")]
    if links:
        return f"<p>{' · '.join(links)}</p>"
    clone = "With Python 3.11 or newer, git and make, in a clone of the course:"
    return f'<p>{clone}</p>\n<pre tabindex="0">make lab</pre>'


def belongings(course: Course, chapter: Chapter) -> Iterator[tuple[str, str]]:
    """Yield (address from the top of the site, words) for the sheet and the slides of a lecture."""
    sheet = sheet_of(course, chapter)
    if sheet:
        yield f"exercises/{sheet.stem}.html", "Exercises"
    if chapter.stem in course.deck_stems:
        yield f"slides/{chapter.stem}.html", "Slides"
    if chapter.stem in course.printed_stems:
        yield f"slides/{chapter.stem}.pdf", "Slides as PDF"


def sheet_of(course: Course, chapter: Chapter) -> Chapter | None:
    """Return the sheet of a lecture, which has the same stem."""
    return next((sheet for sheet in course.sheets if sheet.stem == f"{chapter.stem}_sheet"), None)


def _link(address: str, words: str) -> str:
    return f'<a href="{html.escape(address, quote=True)}">{html.escape(words)}</a>'


# ---------------------------------------------------------------- lists


def chapters(course: Course) -> str:
    """List every lecture with its first sentence and its links."""
    entries = []
    for chapter in course.lectures:
        says = chapter.says if chapter.stem != START else "The idea, the map, a question for each chapter."
        more = " · ".join(_link(f"../{address}", words) for address, words in belongings(course, chapter))
        name = f"{chapter.number}. {chapter.title}".removeprefix(". ")
        entries.append(f"**[{name}]({chapter.stem}.ipynb)**<br>{says}" + (f"<br>{more}" if more else ""))
    if course.prints_book:
        entries.append(f"{_link(f'../{book.FILE}', 'The whole course as one PDF')}, with contents and open answers.")
    return "\n\n".join(entries) + contents(f"{_entry(c)} <{c.stem}>" for c in course.lectures)


def sheets(course: Course) -> str:
    """List every sheet with the number of its functions and their points."""
    rows = ["| sheet | functions | points |", "|---|---|---|"]
    for sheet in course.sheets:
        specs = _specs(sheet)
        rows.append(f"| [{_of(sheet)}]({sheet.stem}.ipynb) | {len(specs)} | {sum(spec.points for spec in specs)} |")
    return "\n".join(rows) + contents(f"{_of(sheet)} <{sheet.stem}>" for sheet in course.sheets)


def decks(course: Course) -> str:
    """List the slides of every lecture with their PDF and plan."""
    rows = ["| | lecture | slides | PDF | plan |", "|---|---|---|---|---|"]
    for chapter in course.lectures:
        if chapter.stem in course.deck_stems:
            deck = _link(f"slides/{chapter.stem}.html", f"Slides {chapter.number}")
            paper = _link(f"slides/{chapter.stem}.pdf", f"PDF {chapter.number}")
            paper = paper if chapter.stem in course.printed_stems else "—"
            rows.append(
                f"| {chapter.number} | [{chapter.title}](notebooks/{chapter.stem}.ipynb) | {deck} | {paper} "
                f"| [plan](plans/{chapter.stem}.md) |"
            )
    missing = "" if course.printed_stems else "\n\nThis copy has no PDFs, because it was built without a browser."
    return "\n".join(rows) + missing


def measured(course: Course) -> str:
    """List every measured claim: its section, in how many draws it held, and by how much."""
    blocks = []
    tables = list(everything())
    for chapter in course.lectures:
        mine = [found for number, found in tables if number == chapter.number]
        blocks += [f"## {chapter.number} {chapter.title}"] if mine else []
        for found in mine:
            rows = [f"| {found.what} | held in | by how much |", "|---|---|---|"]
            for it in found.findings:
                words = it.relation.replace("|", "\\|")
                rows.append(f"| [{words}](#{_section(chapter, it.id)}) | {it.often} | {it.amount} |")
            blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def _section(chapter: Chapter, claim: str) -> str:
    """Return the label of the section whose cell calls `measured` with this claim."""
    heading = chapter.title
    for cell in chapter.cells:
        text = source(cell)
        if cell["cell_type"] == "markdown":
            heading = next(iter(reversed(_HEADING.findall(text))), heading)
        elif "measured(" in text and f'"{claim}"' in text:
            return label(chapter.stem, anchor(heading))
    raise ValueError(f"{chapter.stem} has no cell that calls measured(…, {claim!r})")


def contents(entries: Iterable[str]) -> str:
    """Return the list that the theme shows next to the page."""
    return "\n\n```{toctree}\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"


def _entry(chapter: Chapter) -> str:
    return f"{chapter.number} {chapter.title}".strip()


def _of(sheet: Chapter) -> str:
    return sheet.title.removeprefix("Exercises ")


def _specs(sheet: Chapter) -> tuple[Exercise, ...]:
    return exercises(sheet.stem.removesuffix("_sheet"))


# ---------------------------------------------------------------- lecture plans


class Note(NamedTuple):
    """A lecturer's note: its minutes, and its text as in the notebook."""

    minutes: int
    text: str


def notes(chapter: Chapter) -> list[Note]:
    """Return the lecturer's notes of a chapter, in order."""
    found = (_NOTE.search(source(cell)) for cell in chapter.cells if is_note(cell))
    return [Note(int(note[1]), note[2].strip()) for note in found if note]


def plans(course: Course) -> str:
    """List every lecture with its minutes and the points of its sheet."""
    rows = ["| lecture | minutes | points of its sheet |", "|---|---|---|"]
    for chapter in (c for c in course.lectures if c.number):
        sheet, minutes = sheet_of(course, chapter), pacing.minutes(slides_of({"cells": chapter.cells}))
        points = sum(spec.points for spec in _specs(sheet)) if sheet else "—"
        rows.append(f"| [{chapter.number}. {chapter.title}]({chapter.stem}.md) | {minutes:.0f} | {points} |")
    return "\n".join(rows) + contents(f"{_entry(c)} <{c.stem}>" for c in course.lectures if c.number)


def plan(course: Course, chapter: Chapter) -> str:
    """Return the plan of a lecture: its sections and notes with times, and the known mistakes of its sheet."""
    lines = [f"# Plan {chapter.number}: {chapter.title}", ""]
    slides = slides_of({"cells": chapter.cells})
    links = [f"[the chapter](../notebooks/{chapter.stem}.ipynb)"]
    links += [_link(f"../{address}", words.replace("Slides", "the slides", 1))
              for address, words in belongings(course, chapter) if address.startswith("slides/")]  # fmt: skip
    lines += [f"{pacing.minutes(slides):.0f} minutes. See {', '.join(links)}. Times start at 0. A page without a note "
              "takes half a minute, or one minute if there is much to say.", ""]  # fmt: skip
    lines += [*_breaks(slides), *_clocked(slides, notes(chapter))]
    sheet = sheet_of(course, chapter)
    if sheet:
        where = f"[the sheet](../exercises/{sheet.stem}.ipynb)"
        says = f"The mistakes that the checks of {where} recognise, with the hints that students see."
        lines += ["## Known mistakes in the sheet", "", says, ""]
        for spec in _specs(sheet):
            lines += [_mistakes(spec), ""]
    return "\n".join(lines)


def _breaks(slides: list[Slide]) -> Iterator[str]:
    """Yield where each 45-minute lecture ends, and what can be skipped."""
    before: list[Slide] = []
    for number, (ended, follows) in enumerate(pairwise(pacing.lectures(slides)), start=1):
        before += ended
        title = pacing.words(follows[0].title)
        yield (
            f"**Lecture {number} (45 minutes) ends at {time(pacing.minutes(before))}**, before *{title}* "
            f"(page {len(before) + 1} of the slides)."
        )
        yield ""
    if spare := pacing.spare(slides):
        yield (
            "**If time runs short, skip** "
            + ", ".join(f"*{title}* ({_minutes(taken)})" for title, taken in spare)
            + "."
        )
        yield ""


def _clocked(slides: list[Slide], told: list[Note]) -> Iterator[str]:
    """Yield each section with its time and pages, and its notes."""
    clock, before, rest = 0.0, 0, iter(told)
    for section in pacing.sections(slides):
        lasts, last = pacing.minutes(section), before + len(section)
        pages = f"pages {before + 1} to {last}" if len(section) > 1 else f"page {last}"
        yield from (f"## {pacing.words(section[0].title)}", "", f"{time(clock)}, {_minutes(lasts)}, {pages}", "")
        for number, slide in enumerate(section, start=before + 1):
            if slide.notes:
                yield from (f"**{time(clock)} to {time(clock + slide.minutes)}**, page {number}", "")
            for note in islice(rest, len(slide.notes)):
                yield from (_BESIDE.sub("](../notebooks/", note.text), "")
            clock += slide.minutes
        before = last


def _minutes(minutes: float) -> str:
    return f"{halves(minutes)} minute{'s' * (minutes > 1)}"


def _mistakes(spec: Exercise) -> str:
    entries = "".join(f"<li>{set_in_html(html.escape(m.hint, quote=False))}</li>" for m in spec.misconceptions)
    return (
        f"<details><summary>{spec.number} <code>{spec.name}</code>, {spec.points} points: "
        f"{len(spec.misconceptions)} mistakes</summary><ul>{entries}</ul></details>"
    )


# ---------------------------------------------------------------- reference


def reference(course: Course) -> str:
    """List every module with the first line of its docstring."""
    rows = ["| module | |", "|---|---|"]
    for name in MODULES:
        first = (import_module(f"kcourse.{name}").__doc__ or "").strip().splitlines()[0]
        rows.append(f"| [`kcourse.{name}`]({name}.rst) | {first.replace('|', '&#124;')} |")
    return "\n".join(rows) + contents([*MODULES, "../benchmarks"])


def reference_page(name: str) -> str:
    title = f"kcourse.{name}"
    head = f"{title}\n{'=' * len(title)}\n\n"
    if any(_SOURCE.search(doc) for doc in _docstrings(name)):
        named = ", ".join(f"{i:03d} {source}" for i, source in enumerate(SOURCES))
        where = f":ref:`the errata's list of sources <{label('errata', 'Where-to-find-an-entry')}>`"
        head += f"Numbers in brackets, such as [000], are the five sources: {named}. See {where}.\n\n"
    return f"{head}.. automodule:: {title}\n   :members:\n   :imported-members:\n"


def _docstrings(name: str) -> Iterator[str]:
    """Yield the docstrings on a module's page: its own, and those of its public names and their methods."""
    module = import_module(f"kcourse.{name}")
    yield module.__doc__ or ""
    for public in module.__all__:
        thing = getattr(module, public)
        yield getattr(thing, "__doc__", None) or ""
        if isinstance(thing, type):
            yield from (getattr(part, "__doc__", None) or "" for part in vars(thing).values())
