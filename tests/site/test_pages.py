"""What becomes of notebooks, docstrings and settings on the way to the site."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils.core import publish_parts

from kcourse.lab.figures import folded
from kcourse.slides import slides_of
from kcourse_grader.release import addresses
from tools.site import chapters, docstrings, frames, guides
from tools.site.__main__ import main
from tools.site.build import MARK, Site
from tools.site.chapters import Chapter
from tools.site.course import ROOT

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
ALT = 'A curve & a "dot" that nobody sees.'


def explorer(states=1):
    stored = [{"png": PNG, "alt": f"state {i} of the curve, in words", "says": f"σ: {i}",
               "questions": list(range(1, i + 2))} for i in range(states)]  # fmt: skip
    return {"output_type": "display_data", "data": {"image/png": PNG, "text/plain": ALT},
            "metadata": {"image/png": {"alt": ALT, "width": 720},
                         "kcourse": {"controls": ["width σ", "numbers"], "states": stored}}}  # fmt: skip


def words():
    return {"output_type": "display_data", "data": {"text/html": '<details class="kcourse-words">…'}, "metadata": {}}


def markdown(text, id="m"):
    return {"cell_type": "markdown", "id": id, "metadata": {}, "source": [text]}


def code(*outputs, folded=False):
    metadata = {"jupyter": {"source_hidden": True}} if folded else {}
    return {"cell_type": "code", "id": "c", "metadata": metadata, "source": "x = 1", "outputs": list(outputs)}


def made(tmp_path, *cells, bar="", moving=lambda output, cell: ""):
    chapter = Chapter(Path("notebooks/ch99_new.ipynb"), [markdown("# Title\n\nIt begins: so.\nMore.", "t"), *cells])
    return chapters.page(chapter, bar, moving, tmp_path / "pictures")["cells"]


# ---------------------------------------------------------------- pages


def test_a_figure_is_a_file_with_its_words_and_its_size(tmp_path):
    _, cell = made(tmp_path, code({**explorer(0), "metadata": {"image/png": {"alt": ALT, "width": 720}}}, words()))
    tag, fold = (output["data"]["text/html"] for output in cell["outputs"])
    assert 'alt="A curve &amp; a &quot;dot&quot; that nobody sees."' in tag and 'width="720" height="720"' in tag
    [file] = (tmp_path / "pictures").iterdir()
    assert f'src="../pictures/{file.name}"' in tag and "kcourse-words" in fold


def test_a_picture_that_answers_stays_behind_its_line(tmp_path):
    output = {**explorer(0), "metadata": {"image/png": {"alt": ALT, "width": 720}}}
    output["data"] = {**output["data"], "text/html": folded('<img src="…">', "The curve")}
    _, cell = made(tmp_path, code(output, words()))
    [fold, _] = (shown["data"]["text/html"] for shown in cell["outputs"])
    assert fold.startswith("<details ") and fold.endswith("></details>") and "../pictures/" in fold and "…" not in fold


def test_an_explorer_says_its_words_itself_and_without_a_run_goes_through_its_states(tmp_path):
    def moving(output, cell):
        return chapters.moving_states(output, tmp_path / "pictures") if chapters.states_of(output) else ""

    _, cell = made(tmp_path, code(explorer(2), words()), moving=moving)
    [output] = cell["outputs"]
    html = output["data"]["text/html"]
    told = json.loads(html.partition('json">')[2].partition("</script>")[0])
    texts = ["at first", "question 1 · σ: 0", "questions 1 and 2 · σ: 1"]
    assert told["faces"][0]["texts"] == texts and told["frames"] == [0, 1, 2]
    assert "3 settings" in html and "(width σ, numbers)" in html
    assert [alt for _, alt in told["pictures"]][1:] == [f"state {i} of the curve, in words" for i in (0, 1)]


def test_folded_code_stays_folded_and_the_bar_stands_below_the_title(tmp_path):
    title, bar, folded, shown = made(tmp_path, code(folded=True), code(), bar="<nav>")
    assert bar["source"] == "<nav>" and folded["metadata"] == {"tags": ["hide-input"]} and not shown["metadata"]["tags"]


def test_formulas_and_code_in_a_summary_are_set_where_markdown_is_not_read(tmp_path):
    _, cell = made(tmp_path, markdown("<details><summary>Is $a<b$, says `fit`?</summary>\n\n$c$\n\n</details>"))
    head, _, below = cell["source"].partition("</summary>")
    assert '<span class="math">\\(a&lt;b\\)</span>' in head and "<code>fit</code>" in head and "$c$" in below


def test_links_by_the_words_of_a_heading_lead_to_its_label(tmp_path):
    cells = made(
        tmp_path,
        markdown("See [here](#What-costs-$n^3$%3F) and [there](ch01_x.ipynb#A-%CF%83).", "a"),
        markdown("## What costs $n^3$?\n\n```sh\n# no heading\n```", "b"),
    )
    label = cells[2]["source"].partition(")=")[0].lstrip("(")
    assert f"[here](#{label})" in cells[1]["source"] and "\n# no heading" in cells[2]["source"]
    assert f"[there](#{chapters.label('ch01_x', 'A-σ')})" in cells[1]["source"]


def test_what_a_first_reading_can_skip_says_so_below_its_heading(tmp_path):
    later = {"metadata": {"tags": ["later"]}}
    _, *cells = made(tmp_path, markdown("## Proof\n\nBecause.") | later, markdown("## Code") | later)
    assert all(re.search(r"^## \w+\n\n\*.+\*\n", cell["source"], re.MULTILINE) for cell in cells)


def test_a_lecturers_note_is_on_no_page(tmp_path):
    assert len(made(tmp_path, markdown("Ask.") | {"metadata": {"slideshow": {"slide_type": "notes"}}})) == 1


# ---------------------------------------------------------------- what moves


@pytest.mark.parametrize(
    ("stops", "musts", "most"),
    [([40, 80, 2], [{3}, {5, 79}, {0}], 80), ([25], [{9}], 80), ([6, 10, 6, 2], [{0}, {0}, {0}, {0, 1}], 80),
     ([2, 2, 2, 2, 2, 18], [{0}] * 6, 80), ([500, 2], [{250}, {0}], 10), ([9, 9], [{1, 2, 3}, {4, 5, 6}], 4)],
)  # fmt: skip
def test_stops_that_are_kept(stops, musts, most):
    found = frames.kept(stops, musts, most)
    count = math.prod(map(len, found))
    assert count <= max(most, math.prod(map(len, musts)))
    for control, must, n in zip(found, musts, stops, strict=True):
        assert must <= set(control) <= set(range(n)) and control == sorted(control)
    if count < most / 2:  # there is room, so nothing is left out
        assert math.prod(stops) == count
    long = [control for control, n in zip(found, stops, strict=True) if n > 6 and len(control) > 3]
    assert all(control[-1] >= stops[found.index(control)] - 2 for control in long)  # the far end is there


def test_an_explorer_is_drawn_at_all_combinations_and_what_measures_this_machine_stands_still(tmp_path):
    import matplotlib.pyplot as plt

    from kcourse.lab import moving, slider, switch
    from kcourse.lab.widgets import Explorer

    fig, ax = plt.subplots(figsize=(2, 1))
    ax.set(ylim=(-4, 4))
    line = moving(ax.plot([0, 1], [0, 0])[0])

    def update(a, way, timed):
        line.set_ydata([0, a if way == "up" else -a])
        return f"A line that ends at {a}, {way}; timed: {timed}."

    controls = {"a": slider("height", 0, 3, 1, 1), "way": switch("way", ["up", "down"]),
                "timed": switch("time it on this machine", ["no", "yes"])}  # fmt: skip
    told = frames.draw(Explorer(fig, update, controls), [{"a": 2}], tmp_path, 80)
    plt.close(fig)
    assert [face["name"] for face in told["faces"]] == ["a", "way"] and told["left"] == ["time it on this machine"]
    assert told["at"] == {"a": 1, "way": 0} and len(told["frames"]) == 8
    file, alt = told["pictures"][told["frames"][2 * 2 + 1]]
    assert alt == "A line that ends at 2, down; timed: no." and (tmp_path / file).stat().st_size > 100
    drawn = {told["pictures"][i][0] for i in told["frames"]}
    assert drawn == {path.name for path in tmp_path.iterdir()} and len(drawn) == 7  # up and down look alike at 0


# ---------------------------------------------------------------- docstrings


DOC = """Title with a_name_ and |x|, **bold**, ``code_``.

With s = 2:
    f(x) = Σ_i α_i k(x, x_i)   *here*
and more.

Parameters
----------
coef_, b : (n,) array, or {"a", "b"}
    α, one for each * point_;
    and more.
lam : float > 0

Notes
-----
Text.

>>> 1 + 1
2
"""


def test_a_docstring_reads_as_in_the_source():
    body = publish_parts("\n".join(docstrings.rst(DOC.splitlines())), writer="html5",
                         settings_overrides={"halt_level": 2, "report_level": 2})["body"]  # fmt: skip
    assert "a_name_ and |x|, <strong>bold</strong>" in body and "code_</" in body
    assert "f(x) = Σ_i α_i k(x, x_i)   *here*" in body and body.count("literal-block") == 1
    assert '<dt><span class="docutils literal">coef_</span>, <span class="docutils literal">b</span><span' in body
    assert "(n,) array, or {&quot;a&quot;, &quot;b&quot;}" in body and "float &gt; 0" in body
    assert "α, one for each * point_;\nand more." in body and "Notes" in body and "doctest" in body


# ---------------------------------------------------------------- settings


def site_with(text=""):
    lecture, sheet = (Chapter(Path(f"{name}.ipynb"), [markdown("# T")]) for name in ("ch03_ridge", "ch03_ridge_sheet"))
    return SimpleNamespace(settings=addresses.settings(text),
                           lectures=[lecture], sheets=[sheet], deck_stems=["ch03_ridge"], printed_stems=[],
                           prints_book=False)  # fmt: skip


def test_without_an_address_no_button_is_shown_that_leads_nowhere():
    site = site_with()
    bar = guides.bar(site, site.lectures[0], "notebooks")
    assert "http" not in bar and "<code>make lab</code>" in bar and "study.html" in bar
    assert 'href="../slides/ch03_ridge.html"' in bar and ".pdf" not in bar


def test_with_an_address_there_is_a_button_for_it():
    site = site_with('binder = "https://b.example/v2/gh/us/kcourse/main"')
    bar = guides.bar(site, site.lectures[0], "notebooks")
    address = "https://b.example/v2/gh/us/kcourse/main?labpath=notebooks/ch03_ridge.ipynb"
    assert f'<a href="{address}">Open in Binder</a>' in bar and "make lab" not in bar
    assert "make lab" not in guides.run_it(site) and "Open in Binder" in guides.run_it(site)


def test_a_wrong_setting_stops_the_site_in_words(monkeypatch, capsys):
    monkeypatch.setattr(addresses, "read", lambda _: addresses.settings("hub = 3"))
    assert main([]) == 2 and "docs/site.toml: hub" in capsys.readouterr().err


def test_a_folder_that_holds_something_else_is_left_alone(tmp_path, capsys):
    (tmp_path / "thesis.txt").write_text("four years")
    assert main(["--quick", "--out", str(tmp_path)]) == 2
    assert "is not a site" in capsys.readouterr().err and (tmp_path / "thesis.txt").exists()


def test_a_quick_site_does_not_take_the_place_of_a_whole_one(tmp_path, capsys):
    deck = tmp_path / "site" / "slides" / "ch03_ridge.html"
    deck.parent.mkdir(parents=True)
    (tmp_path / "site" / MARK).touch()
    deck.touch()
    assert main(["--quick", "--out", str(tmp_path / "site")]) == 2
    assert "--quick --out site-quick, or delete site first" in capsys.readouterr().err and deck.exists()


def test_the_last_site_stays_until_the_next_one_is_whole(tmp_path, monkeypatch):
    said = []
    site = Site(tmp_path / "site", drawn=(), decks=(), say=said.append, work=tmp_path / "work")

    def sphinx(site: Site, code: int) -> int:
        (site.new / f"page{code}.html").touch()
        return code

    for name in ("_frames", "_lay_out", "_beside"):
        monkeypatch.setattr(Site, name, lambda *_: {})
    first, kept = {"page0.html"}, {"page0.html", "old.html"}
    for code, there in ((0, first), (2, kept), (0, first)):
        monkeypatch.setattr(Site, "_sphinx", lambda site, code=code: sphinx(site, code))
        assert site.build() == code
        assert {path.name for path in site.out.iterdir()} == there | {MARK}
        (site.out / "old.html").touch()
    [told] = said  # of the one that failed
    assert "Nothing was replaced" in told and str(site.out) in told


def test_links_in_guides_lead_to_pages_or_home_or_are_words():
    site = Site(Path("nowhere"), settings={"repository": "", "branch": "main"}, drawn=(), decks=())
    text = "[a](docs/grading.md#x) [b](LICENSE) [c](https://x.example) [d](#y)"
    assert site._linked(text, ROOT / "README.md", "api/x.md") == "[a](../grading.md#x) b [c](https://x.example) [d](#y)"
    site.settings["repository"] = "https://code.example/us"
    assert "[b](https://code.example/us/blob/main/LICENSE)" in site._linked(text, ROOT / "README.md", "index.md")


def test_a_plan_has_every_note_with_the_clock_where_a_lecture_ends_and_what_may_be_left_out():
    site = Site(Path("nowhere"), drawn=(), decks=())
    chapter = next(c for c in site.lectures if c.stem == "ch03_ridge")
    slides, told = slides_of({"cells": chapter.cells}), guides.notes(chapter)
    page = guides.plan(site, chapter)
    total = sum(slide.minutes for slide in slides)
    assert f"{total:.0f} minutes." in page and "λ is missing" in page
    assert len(told) > 10 and all(note.text in page.replace("](../notebooks/", "](") for note in told)
    [(at, title, number)] = re.findall(r"ends at 0:(\d\d)\*\*, before \*(.*)\* \(page (\d+)", page)
    before, follows = slides[: int(number) - 1], slides[int(number) - 1]
    assert follows.starts and title in follows.title
    assert int(at) == int(sum(slide.minutes for slide in before)) <= 45 and total - int(at) <= 46
    assert re.search(rf"## {title}\n\n0:{at}, [\d½]+ minutes, pages? {number}", page)
    assert re.search(r"skip\*\* (\*.+\* \([\d½]+ minutes?\)(, )?){2,}\.", page)
