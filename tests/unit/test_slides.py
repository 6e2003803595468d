"""Decks: what becomes of the cells of a notebook, and the command that shows them."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import urllib.request
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont

from kcourse.commands import cli
from kcourse.lab.figures import folded
from kcourse.slides import Slide, build, drawn_for, find_chapter, page, show, slides_of
from kcourse.slides.drawn import fingerprint
from tests.unit.refused import refused
from tools import figures

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ALT = "A picture of one dot, & nothing else."
FIGURE = {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": ALT},
          "metadata": {"image/png": {"alt": ALT, "width": 100}}}  # fmt: skip
WORDS = {
    "output_type": "display_data",
    "data": {"text/html": '<details class="kcourse-words">…</details>'},
    "metadata": {},
}
CLAIMS = {"text/html": ['<div class="kcourse-verified">…</div>'], "text/plain": ["✓ one\n", "✓ two"]}
VERIFIED = {"output_type": "display_data", "metadata": {}, "data": CLAIMS}
PRINTED = {"output_type": "stream", "name": "stdout", "text": ["a < b\n"]}


def text(source, slide="", deck=None):
    cell = {"cell_type": "markdown", "id": f"m{abs(hash(source)) % 10**6}", "metadata": {}, "source": source}
    if slide:
        cell["metadata"]["slideshow"] = {"slide_type": slide}
    if deck is not None:
        cell["metadata"]["kcourse"] = {"slide": deck}
    return cell


def code(source, *outputs, slide="", folded=False):
    cell = {**text(source, slide), "cell_type": "code", "outputs": list(outputs)}
    if folded:
        cell["metadata"]["jupyter"] = {"source_hidden": True}
    return cell


def deck(*cells):
    return slides_of({"cells": list(cells)})


def test_marks_begin_slides_and_headings_become_titles():
    one, two, three, four = deck(
        text("# Title\n\nWords.", "slide"),
        text("more words"),
        text("## A section\n\nIt begins.", "slide"),
        text("left out", "skip"),
        text("under the same title", "subslide"),
        text("**Two points, by hand.** Take them.", "subslide"),
    )
    assert [s.title for s in (one, two, three, four)] == ["Title", "A section", "A section", "Two points, by hand"]
    assert [s.starts for s in (one, two, three, four)] == [True, True, False, False]
    assert len(one.parts) == 2 and "It begins." in two.parts[0] and "<h" not in two.parts[0]
    assert "Take them." in four.parts[0] and "by hand" not in four.parts[0]


@pytest.mark.parametrize("begins", ["**Step 1.** The gradient", "**Predict first.** Which?", "A **bold** word"])
def test_bold_words_that_are_no_title_stay_where_they_are(begins):
    first, second = deck(text("## S\n\nx", "slide"), text(begins, "subslide"))
    assert second.title == "S" and second.parts[0].count("<strong>") == 1


def test_a_figure_has_a_slide_of_its_own_with_the_title_above_it_and_the_sentence_below():
    slides = deck(text("## S\n\nBefore.", "slide"), code("plot()", FIGURE, WORDS, folded=True), text("It falls."))
    assert [s.title for s in slides] == ["S", "S"] and len(slides[0].parts) == 1
    picture, sentence = slides[1].parts
    assert (
        f'<img alt="A picture of one dot, &amp; nothing else." width="1" height="1" src="data:image/png;base64,{PNG}">'
        in picture
    )
    assert "It falls." in sentence and not any("kcourse-words" in part for s in slides for part in s.parts)


def table_of(rows: int, words: str = "method") -> dict:
    """A table as ``kcourse.lab.table`` shows it."""
    body = "".join(f'<tr><th scope="row">{words} {i}</th><td>0.5</td></tr>' for i in range(rows))
    made = (
        '<table class="kcourse-table" style="font-variant-numeric:tabular-nums"><caption>What</caption>'
        f"<thead><tr><th>{words}</th><th>error</th></tr></thead><tbody>{body}</tbody></table>"
    )
    return {"output_type": "display_data", "metadata": {}, "data": {"text/html": made, "text/plain": "What"}}


def test_a_table_stands_as_it_is_among_the_words_of_its_page():
    [slide] = deck(text("## S\n\nBefore.", "slide"), code("plumbing", table_of(3), folded=True), text("It falls."))
    shown = slide.parts[1]
    assert "plumbing" not in shown and "<caption>What</caption>" in shown and shown.count('scope="row"') == 3


def test_what_waits_behind_a_fold_in_the_notebook_comes_with_its_click_in_the_deck():
    waits = table_of(3)
    waits["data"]["text/html"] = folded(waits["data"]["text/html"], "The errors")
    answer = "<details><summary><b>The answer</b></summary>\n\nIt falls.\n\n</details>"
    [slide] = deck(text("## S\n\nBefore.", "slide"), code("plumbing", waits, folded=True), text(answer, "fragment"))
    shown = "".join(slide.parts)
    assert "<caption>What" in shown and "<details" not in shown and "</details" not in shown
    assert shown.endswith('<div class="fragment"><p>It falls.</p></div>') and "The answer" not in shown


def of_size(wide: int, high: int) -> dict:
    """An output with a picture that says that it has this size."""
    png = base64.b64decode(PNG)
    head = base64.b64encode(png[:16] + struct.pack(">II", wide, high) + png[24:]).decode()
    return {**FIGURE, "data": {"image/png": head}}


@pytest.mark.parametrize(
    ("size", "words", "side_by_side"),
    [((520, 400), "Which?", True), ((560, 400), "Which?", False), ((520, 400), "Which? " * 40, False),
     ((520, 400), "$$x = 1$$", False)],
)  # fmt: skip
def test_a_short_text_and_a_picture_that_is_not_wide_stand_side_by_side(size, words, side_by_side):
    _, slide = deck(text("## S\n\nx", "slide"), code("plot()", of_size(*size), folded=True), text(words))
    assert slide.columns == side_by_side
    assert not deck(text("## S", "slide"), code("plot()", of_size(*size), folded=True))[-1].columns  # nothing beside it


def test_below_open_code_a_table_has_a_page_of_its_own():
    first, second = deck(text("## S\n\nBefore.", "slide"), code("fit()", table_of(3)), text("It falls."))
    assert "fit" in first.parts[1] and "<table" not in "".join(first.parts)
    assert "<table" in second.parts[0] and "It falls." in second.parts[1] and second.title == "S"


def test_what_was_verified_takes_one_line_below_open_code_and_none_where_the_code_is_folded():
    [slide] = deck(text("## S\n\nBefore.", "slide"), code("secret = 1", VERIFIED, PRINTED, folded=True))
    page = "".join(slide.parts)
    assert "secret" not in page and "✓" not in page and '<pre class="printed">a &lt; b</pre>' in page
    [slide] = deck(text("## S\n\nBefore.", "slide"), code("shown = 1", VERIFIED))
    page = "".join(slide.parts)
    assert "shown" in page and "✓ 2 statements verified" in page and "✓ one" not in page


def test_notes_belong_to_the_slide_above_them_and_are_unfolded():
    asked = "## Q\n\n**Predict first.** Which?"
    one, two = deck(
        text(asked, "slide"),
        text("<details><summary>For the lecturer (2 min)</summary>\n\nAsk *them*.\n\n</details>", "notes"),
        text("The answer.", "subslide"),
    )
    assert "Ask <em>them</em>." in one.notes[0] and "For the lecturer (2 min)" in one.notes[0]
    assert "<details" not in one.notes[0] and two.notes == [] and "Ask" not in "".join(one.parts)
    refused("a note needs a slide above it", deck, text("note", "notes"))


def test_what_a_reader_must_open_comes_a_click_later():
    asks = "<summary><b>What just happened</b> (open this once you have answered)</summary>"
    fold = f"<details>{asks}\n\nIt *fell*.\n\n</details>"
    [slide] = deck(text(fold, "slide"))
    assert slide.parts[0].startswith('<p class="question"><b>What just happened</b></p><div class="fragment">')
    assert "<em>fell</em>" in slide.parts[0] and "open it" not in slide.parts[0] and "<details" not in slide.parts[0]


def test_what_is_only_a_fold_has_the_title_of_the_page_above_it():
    fold = "<details><summary><b>What just happened</b></summary>\n\nIt fell.\n\n</details>"
    slides = deck(
        text("## S\n\nx", "slide"),
        text("**Play: a slider.** Move it.", "subslide"),
        code("plot()", FIGURE, folded=True),
        text(fold, "subslide"),
        text("Words before it.\n\n" + fold, "subslide"),
        text("## Left out, its section is not\n\ny", "slide", deck=""),
        text("prose", "subslide", deck=fold),
    )
    titles = ["S", "Play: a slider", "Play: a slider", "Play: a slider", "S", "Left out, its section is not"]
    assert [s.title for s in slides] == titles


def test_questions_come_two_to_a_slide():
    fold = "<details><summary>{0}?</summary>\n\n{0}!\n\n</details>\n\n"
    slides = deck(text("## Quiz\n\n" + "".join(map(fold.format, "abc")), "slide"))
    assert [s.title for s in slides] == ["Quiz", "Quiz"] and [len(s.parts) for s in slides] == [2, 1]
    slides = deck(text("## A section", "slide"), text("**Five claims.**", "subslide"), text(3 * fold.format("a")))
    assert [s.title for s in slides] == ["A section", "Five claims", "Five claims"]


def test_a_cell_may_have_another_text_for_the_deck_and_keeps_its_heading():
    one, two = deck(
        text("## Long\n\nMuch prose.", "slide", deck="- short"),
        text("prose of a reader", "subslide", deck=""),
        text("## Next\n\nx", "slide"),
    )
    assert one.title == "Long" and "<li>short</li>" in one.parts[0] and "prose" not in one.parts[0]
    assert two.title == "Next"


def test_the_states_of_an_explorer_come_one_click_each_with_their_words():
    states = [{"png": PNG, "alt": ALT, "says": "σ: 1 ms"}, {"png": PNG, "alt": ALT, "says": "σ: 2 ms"}]
    output = {**FIGURE, "metadata": FIGURE["metadata"] | {"kcourse": {"states": states}}}
    _, slide = deck(text("## S\n\nPredict.", "slide"), code("explore()", output, folded=True))
    page = slide.parts[0]
    assert page.count("<img ") == 3
    assert [page.count(f'data-fragment-index="{i}"') for i in (0, 1, 2)] == [2, 1, 0]
    assert "fade-out" in page and "<figcaption>σ: 1 ms</figcaption>" in page


def test_fragments_and_links_to_notebooks():
    [slide] = deck(
        text("## S\n\nSee [chapter 4](ch04.ipynb#x) and [this](https://x.org).", "slide"), text("later", "fragment")
    )
    assert 'href="https://x.org"' in slide.parts[0] and "ipynb" not in slide.parts[0] and "chapter 4" in slide.parts[0]
    assert slide.parts[1].startswith('<div class="fragment">')


def test_what_code_prints_can_come_a_click_later_but_a_page_does_not_begin_with_an_empty_click():
    table = code("secret = 1", PRINTED, slide="fragment", folded=True)
    [slide] = deck(text("## S\n\nWhich?", "slide"), table)
    assert slide.parts[1] == '<div class="fragment"><pre class="printed">a &lt; b</pre></div>'
    [slide] = deck(text("## S", "slide"), table)
    assert slide.parts == ['<pre class="printed">a &lt; b</pre>']


@pytest.fixture
def course(tmp_path):
    """A folder with one chapter and a first page."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (folder / "00_start_here.ipynb").write_text('{"cells": []}')
    cells = [text("# Title & more\n\n$a<b$, so.", "slide"), text("note", "notes")]
    (folder / "ch03_ridge.ipynb").write_text(json.dumps({"cells": cells}))
    return tmp_path


def test_a_deck_is_one_file_that_asks_for_nothing(course):
    made = build(course / "notebooks" / "ch03_ridge.ipynb", course / "new" / "deck.html").read_text(encoding="utf-8")
    head = made[: made.index("<script>")]
    assert "<link" not in head and 'src="http' not in made and "@import" not in head
    assert (
        '<aside class="notes"><p>0:00, ½ min</p><p>note</p></aside>' in made
        and "reveal.js 5" in made
        and '<h2 aria-level="1">Title &amp; more</h2>' in made
        and "<title>Title &amp; more</title>" in made  # what a tab and the window of the PDF are called
    )


def test_the_first_page_says_which_chapter_it_is_and_has_its_picture(course):
    notebook = course / "notebooks" / "ch06b_svr_online.ipynb"
    cells = [text("# Online", "slide"), text("## One\n\n∂ξ", "slide"), code("plot()", FIGURE, folded=True),
             text("more", "subslide"), text("## Two\n\ny", "slide")]  # fmt: skip
    notebook.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    made = build(notebook, course / "deck.html").read_text(encoding="utf-8")
    page = BeautifulSoup(made, "html.parser")
    first, *others = page.find_all(class_="page")
    assert "Kernel methods · Chapter 6b" in first.get_text() and not any(p.find(class_="course") for p in others)
    assert first.find("img", class_="emblem")["src"].endswith(PNG) and first.find("img")["alt"] == ""
    bars = [[i.get("class") == ["now"] for i in p.find(class_="sections").find_all("i")] for p in (first, *others)]
    assert bars == [[True, False, False]] + 3 * [[False, True, False]] + [[False, False, True]]
    assert all(p.find(class_="sections")["aria-hidden"] == "true" for p in others)


def test_the_letters_come_with_the_deck_those_that_it_has_and_no_more(course):
    notebook = course / "notebooks" / "ch03_ridge.ipynb"
    made = build(notebook, course / "deck.html").read_text(encoding="utf-8")
    faces = [base64.b64decode(face) for face in re.findall(r"data:font/woff;base64,([^\"]+)", made)]
    assert len(faces) == 4 and all(2_000 < len(face) < 20_000 for face in faces)
    assert "ψ" not in (letters := letters_of(faces[0])) and {"a", "·"} <= letters
    notebook.write_text(json.dumps({"cells": [text("# ψ", "slide")]}), encoding="utf-8")
    made = build(notebook, course / "deck.html").read_text(encoding="utf-8")
    assert "ψ" in letters_of(base64.b64decode(re.search(r"data:font/woff;base64,([^\"]+)", made)[1]))


def letters_of(face: bytes) -> set[str]:
    with TTFont(io.BytesIO(face)) as font:
        return set(map(chr, font.getBestCmap()))


LARGE = PNG.replace("mNk", "mAA")  # what stands for a picture that was drawn for the deck


@pytest.fixture
def drawn(course):
    """A chapter with a figure and an explorer, which were drawn for its deck; returns what was stored."""
    states = [{"png": PNG, "alt": ALT, "says": "σ: 1 ms"}]
    explorer = {**FIGURE, "metadata": FIGURE["metadata"] | {"kcourse": {"states": states}}}
    cells = [text("# S", "slide"), code("plot()", FIGURE, WORDS, explorer, folded=True)]
    notebook = course / "notebooks" / "ch03_ridge.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    plain = {"data": {"image/png": LARGE}, "metadata": {"image/png": {"alt": ALT, "letters": 27.1}}}
    moves = {**plain, "metadata": plain["metadata"] | {"kcourse": {"states": [states[0] | {"png": LARGE}]}}}
    told = {"made_from": "", "notebook": fingerprint(notebook), "cells": {cells[1]["id"]: [plain, moves]}}
    file = drawn_for(course, "ch03_ridge")
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(told))
    return told


def made(course):
    notebook = course / "notebooks" / "ch03_ridge.ipynb"
    return build(notebook, course / "deck.html", drawn_for(course, "ch03_ridge")).read_text(encoding="utf-8")


def test_a_deck_has_the_figures_that_were_drawn_for_it_with_the_same_words(course, drawn, monkeypatch):
    page = made(course)
    assert page.count(f"base64,{LARGE}") == 1 + 3 and PNG not in page  # the first page has one, too
    assert page.count('data-letters="27.1"') == 2 and page.count('alt="A picture of one dot') == 3
    monkeypatch.chdir(course)
    assert cli.main(["slides", "ch03", "--out", "other.html"]) == 0
    assert Path("other.html").read_text(encoding="utf-8") == page


@pytest.mark.parametrize("what", ["nothing was drawn", "the notebook has changed since"])
def test_a_deck_has_the_notebooks_own_figures_where_there_are_no_others(course, drawn, what):
    if what == "nothing was drawn":
        drawn_for(course, "ch03_ridge").unlink()
    else:
        notebook = course / "notebooks" / "ch03_ridge.ipynb"
        notebook.write_text(notebook.read_text() + "\n")
    page = made(course)
    assert page.count(f"base64,{PNG}") == 1 + 3 and LARGE not in page and "data-letters=" not in page


def test_a_figure_that_was_drawn_otherwise_than_the_notebook_has_it_is_refused(course, drawn):
    next(iter(drawn["cells"].values()))[0]["metadata"]["image/png"]["alt"] = "Another picture, of two dots."
    drawn_for(course, "ch03_ridge").write_text(json.dumps(drawn))
    refused("ch03_ridge.ipynb: the pictures of cell 'm.*' are out of date. Run make", made, course)


def test_figures_are_drawn_once_and_again_when_the_chapter_changes(tmp_path):
    source, notebook = tmp_path / "notebooks" / "src" / "ch98_one.py", tmp_path / "notebooks" / "ch98_one.ipynb"
    source.parent.mkdir(parents=True)
    plot = (
        "import matplotlib.pyplot as plt\nfrom kcourse.lab import show, use_style\nuse_style()\n"
        "fig, ax = plt.subplots(figsize=(9.6, 3))\nax.plot([0, 1])\n"
        f"print('not a picture')\nshow(fig, alt={ALT!r})"
    )
    said = []

    def draw(words):
        source.write_text(f'# %% key="a"\n{plot}  # {words}\n')
        notebook.write_text(json.dumps({"cells": [code(f"{plot}  # {words}", FIGURE)]}))
        figures.draw(tmp_path, ["ch98_one"], said.append)
        return drawn_for(tmp_path, "ch98_one").read_text(encoding="utf-8")

    first = draw("once")
    [[output]] = json.loads(first)["cells"].values()
    assert output["metadata"]["image/png"] == {"alt": ALT, "width": 862, "letters": 27.1}
    assert draw("once") == first and said == ["drawing the figures of ch98_one"]
    again = json.loads(draw("twice"))
    assert len(said) == 2 and list(again["cells"].values()) == [[output]]  # the same to the last bit
    plot = "broken = 1 / 0"
    refused(r"(?s)the figures of ch98_one cannot be drawn: .*ZeroDivisionError", draw, "broken")


@pytest.mark.parametrize("name", ["ch03_ridge", "ch03"])
def test_a_chapter_is_found_by_its_name_or_its_beginning(course, name):
    assert find_chapter(course, name).stem == "ch03_ridge"
    refused("no chapter 'ch99'. Available: 00_start_here, ch03_ridge", find_chapter, course, "ch99")
    (course / "notebooks" / "errata.ipynb").write_text('{"cells": []}')
    refused("no chapter 'errata'. Available: 00_start_here, ch03_ridge", find_chapter, course, "errata")


def test_the_command_writes_the_deck(course, capsys, monkeypatch):
    monkeypatch.chdir(course)
    assert cli.main(["slides", "ch03", "--out", "deck.html"]) == 0
    assert Path("deck.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert cli.main(["slides", "ch99"]) == 2
    assert "no chapter 'ch99'" in capsys.readouterr().err


def test_a_deck_is_served_until_ctrl_c(course, monkeypatch):
    made = build(course / "notebooks" / "ch03_ridge.ipynb", course / "deck.html")
    said, got = [], []

    class Interrupted(ThreadingHTTPServer):
        def service_actions(self):
            if got:
                raise KeyboardInterrupt

    monkeypatch.setattr("kcourse.slides.page.ThreadingHTTPServer", Interrupted)
    show(made, said.append, lambda address: got.append(urllib.request.urlopen(address, timeout=10).read()))
    assert got == [made.read_bytes()] and said[0].startswith("http://127.0.0.1:") and "speaker" in said[0]


def test_the_title_page_has_no_picture_that_answers_a_question_and_each_page_has_its_clock():
    figure = '<div class="figure"><img src="data:image/png;base64,{}" width="3" height="3"></div>'.format
    slides = [
        Slide("a", True, parts=["<p>Of 569, would you use it?</p>"], notes=["<p>For the lecturer (4 min)</p>"]),
        Slide("b", False, parts=[figure("QUJD")]),
        Slide("c", True, parts=["<p>Quotable.</p>"]),
        Slide("d", False, parts=[figure("REVG")]),
    ]
    assert page._emblem(slides).endswith("REVG") and page._emblem(slides[1:]).endswith("QUJD")
    assert page._emblem(slides[:2]) is None
    later = Slide("a", True, parts=["<p>Quotable.</p>", '<div class="fragment"><p>And here?</p></div>'])
    assert page._emblem([later, *slides[1:]]).endswith("REVG")
    moved = Slide("e", False, parts=[figure("R0hJ") + '<figure class="fragment"></figure>'])
    late = [slides[0], moved, *slides[2:]]  # its only quiet picture is in the second half, and may be the answer
    assert page._emblem([slides[0], slides[1], moved]).endswith("R0hJ") and page._emblem(late).endswith("R0hJ")
    assert page._emblem([*late, *slides[2:] * 2]).endswith("REVG")
    assert page._clock(slides) == ["0:00, 4 min", "0:04, ½ min", "0:04, ½ min", "0:05, ½ min"]
