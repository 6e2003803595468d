"""The whole course as one PDF, made of two short chapters."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from kcourse.paper_problems.browser import QUIET, NoBrowser, find_browser
from tools.site import book
from tools.site.build import MATHJAX

FOLDS = "<details><summary>What just happened</summary>The answer is forty-two.</details>"


pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The PDF of chapters 1 and 2, of which each names the other and a deck; which folds are seen open."""
    sync_api = pytest.importorskip("playwright.sync_api")
    folder = tmp_path_factory.mktemp("book")
    pages, new = folder / "pages", folder / "new"
    (pages / "notebooks").mkdir(parents=True)
    for one, other in ("12", "21"):
        text = f"# Title {one}\n\nSee [the other](ch{other}.md). $a^2$\n\n" + FOLDS.replace("42", one)
        text += '\n\n<a href="../slides/ch01.html">A deck</a>\n'
        (pages / "notebooks" / f"ch{one}.md").write_text(text)
    mathjax = new / "_static" / "mathjax"
    mathjax.mkdir(parents=True)
    package = __import__("mathjax").__path__[0]
    (mathjax / "tex-svg.js").write_bytes(Path(package, MATHJAX).read_bytes())
    lectures = [SimpleNamespace(number=one, title=f"Title {one}", stem=f"ch{one}") for one in "12"]
    try:
        program = find_browser()
    except NoBrowser as problem:
        pytest.skip(str(problem))
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        book.print_book(SimpleNamespace(lectures=lectures), browser, pages, new, folder / "work")
        page = browser.new_page()
        page.set_content(
            f'<div class="bd-article">{FOLDS}<details class="hide"><summary>Show the code</summary></details>'
        )
        page.evaluate(book._BARE)
        folds = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll('details')].map(
            (fold) => [fold.firstChild.textContent, fold.open]))""")
        browser.close()
    return SimpleNamespace(path=new / book.FILE, folds=folds)


def test_the_book_has_contents_an_outline_and_names_no_file_of_the_builder(printed):
    data = printed.path.read_bytes()
    assert data.startswith(b"%PDF") and b"file:" not in data and str(printed.path.parent).encode() not in data
    assert b"/Outlines" in data and len(re.findall(rb"/Type\s*/Page\b", data)) == 3  # a page of contents, two chapters
    assert not (printed.path.parent / "book").exists()


def test_answers_are_open_and_code_is_not(printed):
    assert printed.folds == {"What just happened": True, "Show the code": False}
