"""The course as a student meets it: JupyterLab in a browser, a chapter run, a slider moved, an exercise solved."""

from __future__ import annotations

import json
import textwrap
import urllib.request

import pytest

from kcourse.paper_problems import draw, find
from tests.browser.conftest import picture
from tests.grader.notebooks import as_bytes
from tests.timeouts import scaled

IDLE = "#jp-main-statusbar >> text=Idle"
TOKEN = "course"  # that conftest.py starts JupyterLab with


def open_notebook(page, lab: str, path: str) -> None:
    page.goto(f"{lab}/doc/tree/{path}?token={TOKEN}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_selector(IDLE)


def run_all(page) -> None:
    page.click('.lm-MenuBar-itemLabel:text-is("Run")')
    page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')


def type_into_cell(page, starts_with: str, code: str) -> None:
    """Replace the text of the code cell that starts so, and run it."""
    click_into_cell(page, starts_with)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(textwrap.dedent(code).strip())
    page.keyboard.press("Control+Enter")


def run_cell(page, text: str) -> None:
    click_into_cell(page, text)
    page.keyboard.press("Control+Enter")


def click_into_cell(page, text: str) -> None:
    """Focus the editor of the first code cell with this text, as a click does."""
    editor = page.locator(".jp-CodeCell", has_text=text).first.locator(".cm-content")
    # JupyterLab lays out cells as they come into view: scroll first, let it settle, then click
    editor.evaluate("e => e.scrollIntoView({block: 'center'})")
    page.wait_for_timeout(300)
    editor.click()


def test_make_lab_opens_on_the_first_page(page, lab: str) -> None:
    page.goto(f"{lab}/?token={TOKEN}")
    page.wait_for_selector('.jp-RenderedMarkdown h1:has-text("Kernel methods: start here")')
    page.wait_for_selector(IDLE)
    assert page.locator("text=Would you like to receive official Jupyter news").count() == 0
    # nbgrader is installed here, as after `make slides`; its panels are another course's
    assert page.locator('.lm-MenuBar-itemLabel:text-is("Help")').count() == 1
    assert page.locator(".lm-MenuBar-itemLabel", has_text="Nbgrader").count() == 0
    # the stored picture stands there before anything has been run
    stored = page.locator(".jp-OutputArea img").first
    stored.scroll_into_view_if_needed()
    assert stored.is_visible()
    assert page.locator(".jp-mod-dirty").count() == 0  # closing it asks nothing
    picture(page, "student-1-first-page")
    assert page.outside == []


def test_a_chapter_runs_and_its_slider_redraws_the_picture_by_keyboard(page, lab: str) -> None:
    open_notebook(page, lab, "notebooks/ch03_ridge.ipynb")
    run_all(page)
    first = page.locator(".kcourse-explorer img").first
    first.wait_for(state="attached")
    page.wait_for_function(
        "() => { const c = [...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')];"
        " return c.length > 20 && c.every(p => !p.textContent.includes('*')); }",
        timeout=scaled(300_000),
    )
    page.wait_for_selector(IDLE)
    assert page.locator('.jp-OutputArea-output[data-mime-type="application/vnd.jupyter.stderr"]').count() == 0
    assert page.locator("text=Traceback").count() == 0

    assert "σ = 0.5 and λ = 0.5" in first.get_attribute("alt")
    explorer = page.locator(".kcourse-explorer").first
    slider = explorer.locator('input[type="range"]').first
    slider.evaluate("e => e.scrollIntoView({block: 'center'})")
    slider.focus()
    assert slider.get_attribute("aria-valuetext") == "0.5"
    for key, value in (("ArrowRight", "0.561"), ("ArrowUp", "0.629"), ("ArrowDown", "0.561"), ("Home", "0.0561")):
        before = first.get_attribute("src")
        page.keyboard.press(key)  # all of them move the slider, none moves the notebook
        page.wait_for_function(
            "old => document.querySelector('.kcourse-explorer img').getAttribute('src') !== old", arg=before
        )
        assert slider.get_attribute("aria-valuetext") == value  # stops of 20 to the decade
        assert f"σ = {value} and λ = 0.5" in first.get_attribute("alt")
        assert slider.evaluate("e => e === document.activeElement")
    page.wait_for_function(  # said once the reader has come to rest
        "() => document.querySelector('.kcourse-spoken').textContent.includes('σ = 0.0561')"
    )
    assert explorer.locator(".kcourse-spoken").get_attribute("role") == "status"

    boxes = page.locator(".jp-OutputArea-output:has(.kcourse-explorer)")
    assert all(boxes.evaluate_all("all => all.map(e => e.scrollHeight <= e.clientHeight)"))  # no scroll bar beside it

    # the answers are asked for with the arrow keys, too
    hidden, shown = explorer.locator('input[type="radio"]').all()
    hidden.focus()
    page.keyboard.press("ArrowDown")
    page.wait_for_function(
        "() => document.querySelector('.kcourse-explorer img').alt.includes('coefficients are zero')"
    )
    assert shown.is_checked() and shown.evaluate("e => e === document.activeElement")

    # a wide formula, a figure with two panels: nothing runs out of a narrow page
    page.set_viewport_size({"width": 900, "height": 900})
    page.wait_for_timeout(500)
    assert first.evaluate(
        "e => e.getBoundingClientRect().right <= e.closest('.jp-OutputArea').getBoundingClientRect().right"
    )
    page.set_viewport_size({"width": 1400, "height": 1000})
    assert page.outside == []


PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
SWITCHES = """
import matplotlib.pyplot as plt
from kcourse.lab import explore, moving, switch
fig, ax = plt.subplots()
point = moving(ax.plot([0.5], [0.5], "o")[0])
def update(numbers):
    point.set_xdata([0.2 if numbers == "hidden" else 0.8])
    return f"{NAME}: the numbers are {numbers}, and the point is where it is."
figure = explore(fig, update, numbers=switch("numbers", ["hidden", "shown"]))
"""
CHECKED = """() => [...document.querySelectorAll('.kcourse-explorer')].map(
  e => [e.querySelector('img').alt.split(':')[0], ...[...e.querySelectorAll('input')].map(i => i.checked)].join(' '))"""


def put_notebook(lab: str, path: str, cells: list[str]) -> None:
    """A notebook with these cells, put where JupyterLab works."""
    model = {"type": "notebook", "format": "json", "content": json.loads(as_bytes(cells, metadata=PYTHON))}
    request = urllib.request.Request(
        f"{lab}/api/contents/{path}?token={TOKEN}", json.dumps(model).encode(), method="PUT"
    )
    urllib.request.urlopen(request).close()


@pytest.mark.slow
def test_switches_of_the_same_name_are_each_their_own_in_two_figures_and_in_another_tab(page, lab: str) -> None:
    first, second, third = (f"NAME = {name!r}\n{SWITCHES}" for name in ("first", "second", "third"))
    put_notebook(lab, "notebooks/switches_1.ipynb", [first, second])
    put_notebook(lab, "notebooks/switches_2.ipynb", [third])

    def all_say(*wanted: str) -> None:
        page.wait_for_function(f"wanted => ({CHECKED})().sort().join() === wanted", arg=",".join(sorted(wanted)))

    page.goto(f"{lab}/lab/tree/notebooks/switches_1.ipynb?token={TOKEN}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_selector(IDLE)
    run_all(page)
    all_say("first true false", "second true false")
    page.locator('.jp-DirListing-itemText:has-text("switches_2")').dblclick()
    page.wait_for_selector('.jp-NotebookPanel:visible :text("third")')
    page.wait_for_selector(IDLE)
    run_all(page)
    all_say("first true false", "second true false", "third true false")
    page.locator(".kcourse-explorer input:visible").first.focus()
    page.keyboard.press("ArrowRight")
    all_say("first true false", "second true false", "third false true")
    page.locator('.lm-TabBar-tabLabel:has-text("switches_1")').click()
    page.locator(".kcourse-explorer input:visible").first.focus()
    page.keyboard.press("ArrowRight")  # it stays in its figure
    all_say("first false true", "second true false", "third false true")
    page.keyboard.press("Enter")  # which sends a form, elsewhere
    all_say("first false true", "second true false", "third false true")


@pytest.mark.slow
def test_a_problem_by_hand_is_answered_with_the_keyboard_and_the_answer_stays(page, lab: str) -> None:
    path = "notebooks/by_hand.ipynb"
    put_notebook(lab, path, ['from kcourse.paper_problems import show_problems\nshow_problems("ch03")'])
    open_notebook(page, lab, path)
    run_all(page)
    drill = page.locator(".kcourse-problems")

    def says(pattern: str) -> None:
        said = "document.querySelector('.kcourse-problems [role=status]').textContent"
        page.wait_for_function(f"pattern => new RegExp(pattern).test({said})", arg=pattern)

    first = draw(find("ch03_ridge/left_out"), 0)
    mistake, wrong = first.wrong[0]
    field = drill.locator("input[type=text]")
    answers = {
        str(wrong[0]): f"^Not right. You get this {mistake.says}.$",
        str(first.right[0]): "^Right.$",
        "x": "is not a number",
    }
    for answer, pattern in answers.items():
        field.fill("")
        field.focus()
        page.keyboard.type(answer)
        page.keyboard.press("Enter")
        says(pattern)
    page.wait_for_selector(f'.jp-RenderedMarkdown li:has-text("{first.right[0]}")')
    drill.get_by_role("button", name="Solution").press("Enter")
    page.wait_for_selector('.jp-RenderedMarkdown strong:has-text("Solution.")')
    drill.get_by_label("Problem").select_option(index=4)
    page.wait_for_selector(".kcourse-problems fieldset")
    for gap in range(drill.locator("fieldset").count()):
        drill.locator("fieldset").nth(gap).locator("input").first.press("Space")
    drill.get_by_role("button", name="Check").press("Enter")
    says("^(Right|Not right)")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1000)
    with urllib.request.urlopen(f"{lab}/api/contents/{path}?token={TOKEN}") as stored:
        kept = json.dumps(json.load(stored)["content"])
    assert "Answered" in kept and mistake.says[:20] in kept


def test_the_first_page_says_what_to_press_and_that_gives_a_slider(page, lab: str) -> None:
    open_notebook(page, lab, "notebooks/00_start_here.ipynb")
    assert page.locator('.jp-RenderedMarkdown strong:has-text("twice now.")').is_visible()
    page.locator(".jp-Cell").first.click()
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    slider = page.locator('.kcourse-explorer input[type="range"]')
    slider.wait_for()
    assert slider.get_attribute("aria-valuetext") == "80 ms"
    box, image = slider.bounding_box(), page.locator(".kcourse-explorer img").bounding_box()
    assert 0 < box["y"] and image["y"] + image["height"] < 1000  # all of it in view, without scrolling
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.kcourse-explorer img').alt.includes('σ = 0.3')")
    picture(page, "student-2-first-slider")
    assert page.outside == []


@pytest.mark.slow
def test_on_a_sharp_screen_the_picture_that_moves_is_as_sharp_as_the_stored_one(page, lab: str) -> None:
    sharp = page.context.browser.new_page(device_scale_factor=2, viewport={"width": 1400, "height": 1000})
    sharp.set_default_timeout(scaled(120_000))
    open_notebook(sharp, lab, "notebooks/00_start_here.ipynb")
    run_all(sharp)
    sharp.locator(".kcourse-explorer img").wait_for()
    sharp.wait_for_function("() => { const i = document.querySelector('.kcourse-explorer img');"
                            " return i.naturalWidth === 2 * i.width; }")  # fmt: skip


def test_an_exercise_solved_wrongly_then_rightly_gets_two_verdicts(page, lab: str) -> None:
    open_notebook(page, lab, "exercises/ch03_ridge_sheet.ipynb")
    run_cell(page, "from kcourse.checks import check")
    run_cell(page, "def krr_fit(K, y, lam)")
    run_cell(page, "check(krr_fit)")
    panel = page.locator(".kcourse-verdict").first
    panel.wait_for()
    assert panel.get_attribute("data-status") == "not_attempted"

    type_into_cell(page, "def krr_fit(K, y, lam)", """
        def krr_fit(K, y, lam):
            return np.linalg.solve(K, y)
    """)  # fmt: skip
    run_cell(page, "check(krr_fit)")
    wrong = page.locator('.kcourse-verdict[data-status="failed"]')
    wrong.wait_for()
    assert "λ is missing" in wrong.inner_text()
    assert wrong.get_attribute("aria-label") == "Check of krr_fit: not yet right"
    picture(page, "student-3-wrong")
    fold = wrong.locator("summary").first
    fold.focus()
    page.keyboard.press("Enter")
    assert wrong.locator("details").first.get_attribute("open") is not None

    type_into_cell(page, "def krr_fit(K, y, lam)", """
        def krr_fit(K, y, lam):
            return np.linalg.solve(K + lam * np.eye(len(y)), y)
    """)  # fmt: skip
    run_cell(page, "check(krr_fit)")
    right = page.locator('.kcourse-verdict[data-status="passed"]')
    right.wait_for()
    assert page.locator(':text("4 of 4 points"):visible').count() == 1  # said once
    rows = page.locator(".jp-Cell:has(.kcourse-verdict) .jp-OutputArea-child")
    assert all(rows.evaluate_all("all => all.map(e => Boolean(e.querySelector('.kcourse-verdict')))"))  # no empty one
    picture(page, "student-4-right")

    type_into_cell(page, "def krr_fit(K, y, lam)", """
        def krr_fit(K, y, lam):
            return np.linalg.solve(K, y)
    """)  # fmt: skip
    run_cell(page, "check(krr_fit)")
    wrong.wait_for()
    wrong.locator("summary").first.click()
    wrong.locator("details a").first.click()  # to the section of the chapter that is to be read again
    page.locator('h3:has-text("The criterion in α"):visible').wait_for()
    assert page.outside == []


@pytest.mark.slow
def test_what_was_written_is_there_after_a_restart_and_on_the_next_day(page, lab: str) -> None:
    """The second half of the first hour: another sheet, saved, the kernel restarted, the page closed, opened again."""
    sheet = "exercises/ch01_neighbors_sheet.ipynb"
    open_notebook(page, lab, sheet)
    type_into_cell(page, "def knn_regress(", """
        def knn_regress(X, y, Xq, k):  # mine
            d2 = ((Xq[:, None] - X[None]) ** 2).sum(axis=2)
            return y[np.argsort(d2, axis=1, kind="stable")[:, :k]].mean(axis=1)
    """)  # fmt: skip
    page.keyboard.press("Control+s")
    page.wait_for_function("() => !document.title.includes('*')")
    page.click('.lm-MenuBar-itemLabel:text-is("Kernel")')
    page.click('.lm-Menu-itemLabel:text-is("Restart Kernel…")')
    page.locator(".jp-Dialog button:has-text('Restart')").click()
    page.wait_for_selector(IDLE)

    # the kernel has forgotten everything; Python says which name, and the cells above bring it back
    run_cell(page, "check(knn_regress)")
    page.locator("text=NameError").first.wait_for()
    page.goto("about:blank")
    open_notebook(page, lab, sheet)
    run_cell(page, "from kcourse.checks import check")
    run_cell(page, "# mine")
    run_cell(page, "check(knn_regress)")
    page.locator('.kcourse-verdict[data-status="passed"]').wait_for()
    picture(page, "student-5-next-day")
    assert page.outside == []
