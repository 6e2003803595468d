"""Every deck, flipped page by page in a browser: as a lecturer shows it, offline."""

from __future__ import annotations

import base64
import io
import itertools
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from kcourse.slides import build
from tests.browser.conftest import ROOT
from tools import slides

CHAPTERS = [
    pytest.param(path, id=path.stem, marks=() if path.stem == "ch03_ridge" else pytest.mark.weekly)
    for path in sorted((ROOT / "notebooks").glob("ch*.ipynb"))
]


FORMULA = "f(x) = \\sum_{i=1}^n \\alpha_i k(x_i, x) + \\sum_{j=1}^m \\beta_j k(z_j, x)"
PAGES = {  # of a small deck: what each is called, and says
    "Title": "It begins.",
    "Two lines": "A line.\n#\n# Another.",
    "Two clicks": 'A line.\n\n# %% [markdown] slide="fragment"\n# Another.',
    "Full": "\n#\n# ".join(["a line"] * 10),
    "Wall": "\n#\n# ".join(["a line"] * 14),
    "Long": f"$$ {FORMULA} + {FORMULA.replace('f(x) =', '')} $$",
    "Too long": f"$$ {FORMULA} = {FORMULA} = {FORMULA} $$",
    "Code": "So:\n\n# %%\nshort = 1",
    "Wide code": f"So:\n\n# %%\nlong = [{', '.join(str(1000 + i) for i in range(15))}]",
}


@pytest.fixture(scope="module")
def small(browser, tmp_path_factory):
    """A deck of these pages in a browser, what each measures, and what the folder of its source is."""
    from nbformat import writes

    from tools.source import read

    folder = tmp_path_factory.mktemp("course")
    source = folder / "notebooks" / "src" / "ch99_small.py"
    source.parent.mkdir(parents=True)
    cells = (f'# %% [markdown] slide="slide"\n# ## {title}\n#\n# {says}\n' for title, says in PAGES.items())
    source.write_text("\n".join(cells).replace("## Title", "# Title"), encoding="utf-8")
    notebook = folder / "notebooks" / "ch99_small.ipynb"
    notebook.write_text(writes(read(source, folder).notebook()), encoding="utf-8")
    page = slides.open_page(browser, build(notebook, folder / "deck.html"))
    return page, {p["title"]: p for p in slides.measured(page)}, folder


def test_letters_are_as_large_as_the_page_lets_them(small):
    _, pages, _ = small
    assert pages["Two lines"]["body"] == 40 and 120 < pages["Two lines"]["shift"] < 250  # a little above the middle
    assert 28 <= pages["Full"]["body"] < 40 and 0.85 * 720 < pages["Full"]["bottom"] <= 0.92 * 720
    for what in ("body", "shift", "bottom"):  # a fragment has its place before its click
        assert pages["Two clicks"][what] == pages["Two lines"][what]
    assert pages["Code"]["code"] == 30 > pages["Wide code"]["code"] >= 22 and not pages["Wide code"]["cut"]


def test_a_long_formula_shrinks_by_a_fifth_at_most(small):
    page, pages, _ = small
    size = "e => parseFloat(e.style.fontSize)"
    shrunk, least = page.locator("mjx-container[display]").evaluate_all(f"all => all.slice(0, 2).map({size})")
    assert 69.5 < least <= shrunk < 87 and pages["Long"]["right"] <= 1232 < pages["Too long"]["right"]


def test_what_the_last_row_could_not_read_is_refused_with_its_file_line_and_heading(small):
    _, pages, folder = small
    wall, long = slides.faults("ch99_small", list(pages.values()), folder)
    assert re.match(r"notebooks/src/ch99_small.py:\d+: page 5, 'Wall', is too full, 1\d\d% with letters of 28 px", wall)
    assert "page 7, 'Too long', comes within" in long
    tiny = dict(pages["Code"], code=18.5)
    assert "has code letters of 18 px" in slides.faults("ch99_small", [tiny], folder)[0]
    assert slides.summary([pages["Two lines"], pages["Code"]]).endswith("letters from 40 px, code from 30")


def test_without_scripts_all_pages_are_there_in_a_sane_size(small):
    page, _, folder = small
    plain = page.context.browser.new_context(java_script_enabled=False).new_page()
    plain.goto((folder / "deck.html").as_uri())
    titles, body = plain.locator("h2"), plain.locator(".page:not(.title) .body").first
    assert [title.is_visible() for title in titles.all()] == [True] * len(PAGES)
    edges = [title.bounding_box()["y"] for title in titles.all()]
    assert all(b - a > 600 for a, b in itertools.pairwise(edges[1:]))
    assert body.evaluate("e => getComputedStyle(e).fontSize") == "30px"
    plain.context.close()


def test_a_figure_whose_letters_are_too_small_on_its_page_is_refused(browser, tmp_path):
    source = tmp_path / "notebooks" / "src" / "ch99_small.py"
    source.parent.mkdir(parents=True)
    source.write_text('# %% [markdown] key="a" slide="slide"\n# # Title\n\n# %% key="b" slide="slide"\n1\n')
    buffer = io.BytesIO()
    Image.new("RGB", (2240, 800)).save(buffer, "png")  # twice as wide as it may be
    shown = {"alt": "A picture that is black.", "letters": 32}
    output = {"output_type": "display_data", "data": {"image/png": base64.b64encode(buffer.getvalue()).decode()},
              "metadata": {"image/png": shown}}  # fmt: skip
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {"slideshow": {"slide_type": "slide"}}, "source": "# Title"},
        {"cell_type": "code", "id": "b", "metadata": {"slideshow": {"slide_type": "slide"}}, "source": "1",
         "outputs": [output]},
    ]  # fmt: skip
    notebook = tmp_path / "notebooks" / "ch99_small.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    page = slides.open_page(browser, build(notebook, tmp_path / "deck.html"))
    [fault] = slides.faults("ch99_small", list(slides.measured(page)), tmp_path)
    page.close()
    assert fault.startswith("notebooks/src/ch99_small.py:5: page ")
    assert re.search(r"'Title', has a figure with letters of 1[67]\.\d px, but at least 18", fault)


@pytest.fixture(scope="module", params=CHAPTERS)
def deck(request, tmp_path_factory) -> Path:
    return build(request.param, tmp_path_factory.mktemp("deck") / f"{request.param.stem}.html")


@pytest.fixture(scope="module")
def shown(browser, deck):
    """The deck, opened once for all its tests: to set its formulas takes longest."""
    page = slides.open_page(browser, deck)
    yield page
    page.close()


@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 720, "light"), (1920, 1080, "dark")])
def test_nothing_runs_over_and_nothing_is_asked_of_the_network(deck, shown, width, height, scheme):
    shown.emulate_media(color_scheme=scheme)
    shown.set_viewport_size({"width": width, "height": height})
    shown.evaluate("() => Reveal.layout()")
    pages = list(slides.measured(shown))
    assert shown.outside == []
    assert slides.faults(deck.stem, pages) == []
    assert len(pages) >= 30 and len({p["title"] for p in pages}) > 10
    for number, p in enumerate(pages, start=1):
        assert p["title"] and (len(p["text"].strip()) > len(p["title"]) or p["pictures"]), number
        assert "$" not in p["text"] and "\\" not in p["text"].replace("\\n", ""), (number, p["text"])
        if "Predict first" in p["title"] + p["text"]:
            assert p["notes"], f"page {number}, {p['title']!r}, asks for a prediction and has no note for the lecturer"


def test_an_answer_comes_a_click_after_its_question(shown):
    folded = shown.locator(".question + .fragment")
    assert folded.count() >= 3 or "ch03_ridge" not in shown.url  # some chapters ask on a page of its own
    shown.evaluate("() => Reveal.slide(0, 0)")
    assert all(opacity == "0" for opacity in folded.evaluate_all("all => all.map(e => getComputedStyle(e).opacity)"))


def test_a_deck_prints_one_page_for_each_slide(deck, shown):
    seen = {}

    def look(page):
        seen["slides"] = page.evaluate("() => Reveal.getSlides().length")
        seen["pages"] = page.locator(".pdf-page").count()
        seen["empty"] = page.evaluate(
            "() => [...document.querySelectorAll('.pdf-page')].filter("
            "p => !p.querySelector('img') && p.innerText.trim().length < 20).length"
        )
        seen["edges"] = page.locator(".pdf-page h2").evaluate_all(
            "all => all.map(e => Math.round(e.getBoundingClientRect().left))"
        )
        seen["in a stack"] = page.locator(".r-stack").evaluate_all(
            "all => all.map(e => [...e.children].filter(f => f.checkVisibility({visibilityProperty: true})).length)"
        )

    pdf = slides.print_deck(shown.context.browser, deck, look)
    assert seen["pages"] == seen["slides"] >= 30 and seen["empty"] == 0 and set(seen["edges"]) == {50}
    assert set(seen["in a stack"]) <= {1}
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf.read_bytes())) == seen["slides"]
