"""Build the slides and measure them in a browser: ``python -m tools.slides [STEM ...]`` (``make slides``).

    notebooks/X.ipynb  ->  slides/X.html, and with --print slides/X.pdf

Figures are drawn again for the slides (`tools.figures`). ``kcourse/slides/fit.js`` finds each page's sizes when the
slides are opened, and this program measures the result. It reports pages that are too full, and text or figures with
letters that the last row cannot read, with the file, line and heading that they come from. Slides that have not changed
since they were measured are not opened again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kcourse.paper_problems.browser import QUIET, NoBrowser, find_browser
from kcourse.slides import build, drawn_for
from kcourse.slides.page import SIZE
from tools import figures, pacing
from tools.source import read

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "slides"  # ignored by git
MOST = 0.97  # share of the page that may be used, to the right and down
SMALLEST = {"body": 28, "code": 22}  # letters, in pixels of 720
LETTERS, BESIDE_TEXT = 18, 15  # smallest letters (px) of a figure that has its own page, and of one next to text

# Measures the visible page with all its fragments: how far its content reaches if it starts at the top, and the size
# of its letters.
MEASURE = """() => {
  const page = Reveal.getCurrentSlide(), scale = Reveal.getScale(), frame = page.getBoundingClientRect();
  const body = page.querySelector('.body'), reach = { right: 0, bottom: 0 };
  for (const e of page.querySelectorAll('h2, .body *')) {
    if (e.closest('mjx-assistive-mml')) continue;
    const box = e.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    reach.right = Math.max(reach.right, (box.right - frame.left) / scale);
    reach.bottom = Math.max(reach.bottom, (box.bottom - frame.top) / scale);
  }
  const shift = parseFloat(body.style.marginTop || 0), size = (e) => parseFloat(getComputedStyle(e).fontSize);
  const code = [...body.querySelectorAll('pre, table')], pre = code.filter((e) => e.tagName == 'PRE');
  // for figures drawn for the slides, whose letter size in dots is known
  const letters = [...page.querySelectorAll('img[data-letters]:not(.emblem)')].map(
    (e) => e.dataset.letters * e.getBoundingClientRect().width / scale / e.naturalWidth).filter((size) => size > 0);
  return {
    cell: page.dataset.cell, title: page.querySelector('h2')?.textContent ?? '',
    ...reach, bottom: reach.bottom - shift, shift,
    body: size(body), code: Math.min(...code.map(size), 30), pictures: body.querySelectorAll('img').length,
    cut: pre.some((e) => e.scrollWidth > e.clientWidth + 1), letters: letters.length ? Math.min(...letters) : null,
    alone: !body.querySelector('p, li, pre, table'),
    notes: page.querySelector('aside.notes').textContent.replace(/^[^a-z]*min/, '').trim(), text: page.innerText,
  };
}"""


@contextmanager
def opened(deck: Path) -> Iterator[Any]:
    """Open the slides in a browser, formulas set, nothing animated; ``page.outside`` lists requests to the network."""
    from playwright.sync_api import sync_playwright  # late: building needs no browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET))
        yield open_page(browser, deck)
        browser.close()


def open_page(browser: Any, deck: Path, query: str = "", width: int = SIZE[0]) -> Any:
    """Open the slides in a running browser; ``query`` such as "?print-pdf", ``width`` of its window in pixels."""
    page = browser.new_page(viewport={"width": width, "height": SIZE[1]})
    page.outside = []
    page.on("request", lambda r: r.url.startswith(("file:", "data:", "blob:")) or page.outside.append(r.url))
    page.goto(deck.resolve().as_uri() + query)
    page.wait_for_selector("body[data-typeset=done]", state="attached", timeout=120_000)  # then Reveal is ready as well
    if "print-pdf" in query:
        page.wait_for_selector(".pdf-page", state="attached")  # until then the slides are not in the document
    return page


def print_deck(browser: Any, deck: Path, look: Callable[[Any], object] = lambda _: None) -> Path:
    """Write a PDF next to the slides and return its path; ``look`` is called with the browser's page."""
    page = open_page(browser, deck, "?print-pdf")
    look(page)
    page.pdf(path=deck.with_suffix(".pdf"), prefer_css_page_size=True, print_background=True)
    page.close()
    return deck.with_suffix(".pdf")


def measured(page: Any) -> Iterator[dict[str, Any]]:
    """Yield the measurements of each page, in order."""
    page.evaluate("() => Reveal.slide(0, 0)")
    for _ in range(page.evaluate("() => Reveal.getTotalSlides()")):
        yield page.evaluate(MEASURE)
        page.evaluate(
            "() => { const all = Reveal.getSlides();"
            " const next = all[all.indexOf(Reveal.getCurrentSlide()) + 1];"
            " if (next) { const at = Reveal.getIndices(next); Reveal.slide(at.h, at.v); } }"
        )


def faults(stem: str, pages: Sequence[dict[str, Any]], root: Path = ROOT) -> list[str]:
    """Return what does not fit, as "file:line: …" of the cell that it comes from."""
    source = read(root / "notebooks" / "src" / f"{stem}.py", root)
    lines = {cell.node.id: cell.line for cell in source.cells}
    found = []
    for number, page in enumerate(pages, start=1):
        over = []
        if page["bottom"] > MOST * SIZE[1]:
            over.append(
                f"is too full, {page['bottom'] / SIZE[1]:.0%} with letters of {page['body']:.0f} px. Split the cell, "
                "mark the next cell as a subslide, or write a shorter text for the slide"
            )
        if page["right"] > MOST * SIZE[0]:
            over.append(f"comes within {SIZE[0] - page['right']:.0f} px of the right edge. Break the formula")
        over += [f"has {what} letters of {page[what]:.0f} px, but at least {least} are needed"
                 for what, least in SMALLEST.items() if page[what] < least]  # fmt: skip
        if page["cut"]:
            over.append("has code that is cut off. Shorten its lines")
        wanted = LETTERS if page["alone"] else BESIDE_TEXT
        if page["letters"] and page["letters"] < wanted - 0.05:
            over.append(f"has a figure with letters of {page['letters']:.1f} px, but at least {wanted} are needed")
        found += [f"{source.path}:{lines[page['cell']]}: page {number}, {page['title']!r}, {what}" for what in over]
    return found


def untold(stem: str, root: Path = ROOT) -> list[str]:
    """Return the faults in minutes, questions and answers that the build would report."""
    source = read(root / "notebooks" / "src" / f"{stem}.py", root)
    pacing.check(source, json.loads((root / "notebooks" / f"{stem}.ipynb").read_text(encoding="utf-8")))
    return list(map(str, source.problems))


def summary(pages: Sequence[dict[str, Any]]) -> str:
    """Return how full the pages are, and the smallest letters."""
    full = sorted(page["bottom"] / SIZE[1] for page in pages)
    least, most = f"{full[0]:.0%} to {full[-1]:.0%} full", f"half of them over {statistics.median(full):.0%}"
    body, code = (min(page[what] for page in pages) for what in ("body", "code"))
    return f"{len(pages)} pages, {least}, {most}; letters from {body:.0f} px, code from {code:.0f}"


def _digest(*files: Path) -> str:
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.slides", description="Build the slides and measure them.")
    parser.add_argument("stems", nargs="*", metavar="STEM", help="such as ch03_ridge (default: all chapters)")
    parser.add_argument("--print", action="store_true", help="also write a PDF of each chapter's slides")
    options = parser.parse_args(arguments)
    stems = options.stems or sorted(path.stem for path in (ROOT / "notebooks").glob("ch*.ipynb"))
    missed = []
    try:
        figures.draw(ROOT, stems)
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 1
    for stem in stems:
        notebook = ROOT / "notebooks" / f"{stem}.ipynb"
        deck = build(notebook, ROOT / FOLDER / f"{stem}.html", drawn_for(ROOT, stem))
        printed = deck.with_suffix(".pdf") if options.print else deck
        mark, now = deck.with_suffix(".measured"), _digest(deck, Path(__file__), ROOT / f"notebooks/src/{stem}.py")
        is_new = printed.exists() and printed.stat().st_mtime >= notebook.stat().st_mtime  # as `kcourse release` asks
        if mark.exists() and mark.read_text() == now and is_new:
            print(f"unchanged {FOLDER}/{stem}.html")
            continue
        mark.unlink(missing_ok=True)
        try:
            with opened(deck) as page:
                pages = list(measured(page))
                if options.print:
                    print_deck(page.context.browser, deck)
        except NoBrowser as problem:
            print(f"built {FOLDER}/{stem}.html, but did not measure it: {problem}")
            continue
        found = faults(stem, pages) + untold(stem)
        if not found:
            mark.write_text(now)
        missed += found
        print(f"built {FOLDER}/{stem}.html, {summary(pages)}")
    for fault in missed:
        print(fault, file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
