"""Every deck, flipped page by page in a browser: as a lecturer shows it, offline."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path

import pytest
from PIL import Image

from kcourse.slides import build
from tests.browser.conftest import ROOT, find_browser
from tools import slides

CHAPTERS = sorted((ROOT / "notebooks").glob("ch*.ipynb"))


def test_a_page_that_runs_over_is_refused_with_its_file_line_and_heading(tmp_path):
    find_browser()
    source = tmp_path / "notebooks" / "src" / "ch99_long.py"
    source.parent.mkdir(parents=True)
    lines = "\n#\n# ".join(["a line"] * 20)
    fits = '# %% [markdown] key="a" slide="slide"\n# # Fits\n\n'
    source.write_text(f'{fits}# %% [markdown] key="b" slide="slide"\n# ## Long\n#\n# {lines}\n')
    notebook = tmp_path / "notebooks" / "ch99_long.ipynb"
    from nbformat import writes

    from tools.source import read

    notebook.write_text(writes(read(source, tmp_path).notebook()))
    with slides.opened(build(notebook, tmp_path / "deck.html")) as page:
        [fault] = slides.faults("ch99_long", list(slides.measured(page)), tmp_path)
    assert re.fullmatch(r"notebooks/src/ch99_long.py:5: page 2, 'Long', runs over the bottom by \d+ px", fault)


def test_a_figure_whose_letters_are_too_small_on_its_page_is_refused(tmp_path):
    find_browser()
    source = tmp_path / "notebooks" / "src" / "ch99_small.py"
    source.parent.mkdir(parents=True)
    source.write_text('# %% [markdown] key="a" slide="slide"\n# # Title\n\n# %% key="b" slide="slide"\n1\n')
    buffer = io.BytesIO()
    Image.new("RGB", (2240, 800)).save(buffer, "png")  # twice as wide as it may be
    shown = {"alt": "A picture that is black.", "letters": 34}
    output = {"output_type": "display_data", "data": {"image/png": base64.b64encode(buffer.getvalue()).decode()},
              "metadata": {"image/png": shown}}  # fmt: skip
    cells = [
        {"cell_type": "markdown", "id": "a", "metadata": {"slideshow": {"slide_type": "slide"}}, "source": "# Title"},
        {"cell_type": "code", "id": "b", "metadata": {"slideshow": {"slide_type": "slide"}}, "source": "1",
         "outputs": [output]},
    ]  # fmt: skip
    notebook = tmp_path / "notebooks" / "ch99_small.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    with slides.opened(build(notebook, tmp_path / "deck.html")) as page:
        [fault] = slides.faults("ch99_small", list(slides.measured(page)), tmp_path)
    assert fault.startswith("notebooks/src/ch99_small.py:5: page ")
    assert fault.endswith("'Title', has a figure with letters of 17.0 px, where 18 are wanted")


@pytest.fixture(scope="module", params=CHAPTERS, ids=lambda path: path.stem)
def deck(request, tmp_path_factory) -> Path:
    find_browser()
    return build(request.param, tmp_path_factory.mktemp("deck") / f"{request.param.stem}.html")


@pytest.fixture(scope="module")
def shown(deck):
    """The deck in a browser, once for all its tests: to set its formulas takes longest."""
    with slides.opened(deck) as page:
        yield page


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
    assert folded.count() >= 3
    shown.evaluate("() => Reveal.slide(0, 0)")
    assert all(opacity == "0" for opacity in folded.evaluate_all("all => all.map(e => getComputedStyle(e).opacity)"))


def test_the_speakers_view_has_the_notes(shown):
    with shown.context.expect_page() as speaker:
        shown.keyboard.press("s")
    speaker.value.wait_for_selector(".speaker-controls-notes", state="attached")
    speaker.value.close()


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

    pdf = slides.print_deck(shown.context.browser, deck, look)
    assert seen["pages"] == seen["slides"] >= 30 and seen["empty"] == 0 and set(seen["edges"]) == {60}
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf.read_bytes())) == seen["slides"]
