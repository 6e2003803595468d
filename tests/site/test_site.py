"""The site as a visitor has it: built without a warning, read from a folder, asking nothing of anybody."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from axe_playwright_python.base import AXE_SCRIPT

from kcourse.checks import run
from kcourse.checks.verdict import as_html
from kcourse.paper_problems import draw, find
from kcourse.paper_problems.browser import QUIET
from kcourse_grader.marking.record import Grade
from kcourse_grader.reports.report import write_reports
from tests.browser.conftest import find_browser
from tools.site.build import Site
from tools.site.course import ROOT

DECK = "ch09_rkhs"  # one is enough: tests/browser measures and prints all
# Rules of axe that others' parts break on our pages, with the selector and the reason. At present: none.
UPSTREAM: dict[tuple[str, str], str] = {}


@pytest.fixture(scope="module")
def site(request, tmp_path_factory) -> Path:
    """All pages as ``make site SITE_ARGS=--quick`` makes them; for slow tests also a deck, and an explorer drawn."""
    slow = any(item.get_closest_marker("slow") for item in request.session.items if item.path == request.path)
    how = {"drawn": ["00_start_here"], "decks": [DECK], "most": 6} if slow else {"drawn": (), "decks": ()}
    folder = tmp_path_factory.mktemp("site")
    built = Site(folder / "site", work=folder / "work", **how)
    with ThreadPoolExecutor(1) as apart:  # a deck is printed with a browser, and a thread can hold one
        assert apart.submit(built.build).result() == 0  # a warning of Sphinx is an error
    assert {path.name for path in folder.iterdir()} == {"site", "work"}
    return built.out


# ---------------------------------------------------------------- links, and what must not be there


class Page(HTMLParser):
    """What a page has: ids, what it links to, what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.without_alt = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        has = dict(attributes)
        self.ids |= {name for name in (has.get("id"), has.get("name") if tag == "a" else None) if name}
        if tag == "a" and has.get("href"):
            self.links.append(has["href"])
        if tag in ("img", "script", "iframe", "source") and has.get("src"):
            self.loads.append(has["src"])
        if tag == "link" and has.get("rel") not in ("canonical", "author"):
            self.loads.append(has["href"])
        self.without_alt += tag == "img" and len(has.get("alt") or "") < 20


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Page]:
    files = [f for f in sorted(site.rglob("*.html")) if not {"_static", "slides"} & set(f.relative_to(site).parts)]
    return {file: Page(file.read_text(encoding="utf-8")) for file in files}


def test_every_link_and_anchor_leads_somewhere_and_every_picture_has_words(site, pages):
    assert len(pages) > 60
    broken = []
    for file, page in pages.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto") and link in page.links:
                continue  # elsewhere: a click, not a request
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            anchor = unquote(parts.fragment)
            there = not parts.scheme and not parts.netloc and target.is_file() and site in target.parents
            if not there or anchor and target in pages and anchor not in pages[target].ids | {"", "top"}:
                broken.append(f"{file.relative_to(site)}: {link}")
    assert broken == []
    assert {str(file.relative_to(site)) for file, page in pages.items() if page.without_alt} == set()


@pytest.mark.slow
def test_the_decks_of_the_site_are_there_with_their_notes_and_on_paper(site):
    deck = (site / "slides" / f"{DECK}.html").read_text(encoding="utf-8")
    assert deck.count('class="notes"') > 10
    paper = site / "slides" / f"{DECK}.pdf"
    try:
        find_browser()
    except pytest.skip.Exception:
        assert not paper.exists()
    else:
        assert paper.read_bytes().startswith(b"%PDF") and paper.stat().st_size > 100_000


def solution_lines() -> set[str]:
    """Lines that stand in a solved sheet and nowhere in what students get, nor in the library that they import."""
    public = [*(ROOT / "exercises").glob("*.ipynb"), *(ROOT / "notebooks").glob("*.ipynb")]
    seen = {line.strip() for path in public for line in sources(path)}
    solved = {line.strip() for path in (ROOT / "solutions").glob("*.ipynb") for line in sources(path)}
    return {line for line in solved - seen if len(line) > 30 and not line.startswith("#")}


def sources(path: Path) -> Iterator[str]:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield from "".join(cell["source"]).splitlines()


def test_no_solution_is_on_the_site(site):
    lines = solution_lines()
    assert len(lines) > 100
    sheets = "".join((site / "exercises" / f.name).with_suffix(".html").read_text(encoding="utf-8")
                     for f in (ROOT / "exercises").glob("*.ipynb"))  # fmt: skip
    text = re.sub(r"\s+", "", re.sub(r"<[^>]+>", "", sheets))  # highlighting puts tags between the words
    assert "raiseNotImplementedError" in text
    told = {line for line in lines if re.sub(r"\s+|[<>&\"']", "", line) in re.sub(r"&\w+;|&#\d+;|[\"']", "", text)}
    assert told == set()
    assert not (site / "solutions").exists() and not list(site.rglob("*.ipynb"))
    indexed = (site / "searchindex.js").read_text(encoding="utf-8")
    assert "solutions/" not in indexed and "BEGIN SOLUTION" not in sheets


def test_the_reference_has_every_public_name_and_its_equation(site):
    missing = []
    for path in sorted((site / "api").glob("*.html")):
        module = ROOT / "kcourse" / path.stem
        source = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
        if source.is_file():
            names = next(ast.literal_eval(n.value) for n in ast.parse(source.read_text("utf-8")).body
                         if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__")  # fmt: skip
            ids = Page(path.read_text(encoding="utf-8")).ids
            missing += [f"{path.stem}.{name}" for name in names if f"kcourse.{path.stem}.{name}" not in ids]
    # type aliases, and what warnings and results are made of, have no docstring of their own
    assert missing == []
    assert "α = (K + λI)⁻¹ y" in (site / "api" / "ridge.html").read_text(encoding="utf-8")


# ---------------------------------------------------------------- in a browser, from a folder


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield browser
        browser.close()


# formulas and the theme take a second a page: where only the explorers are looked at, nobody waits for them
BARE = re.compile(r"/_static/(mathjax|styles|scripts|vendor|pygments|fonts)|\.woff2|fontawesome")


@pytest.fixture
def visit(browser, site):
    """Open a page of the site as a file; what it asks of elsewhere, and its errors, fail the test at the end."""
    opened, troubles = [], []

    def open_page(name: str, bare: bool = False, width: int = 1280, **how):
        page = browser.new_page(viewport={"width": width, "height": 900}, **how)
        opened.append(page)
        page.on("request", lambda r: r.url.startswith(("file:", "data:", "blob:")) or troubles.append(r.url))
        unwanted = (
            BARE if bare else re.compile(r"\.js") if how.get("java_script_enabled") is False else re.compile("^$")
        )
        page.on("requestfailed", lambda r: unwanted.search(r.url) or troubles.append(r.url))
        page.on("pageerror", lambda error: troubles.append(f"{name}: {error}"))
        if bare:
            page.route(BARE, lambda route: route.abort())
        page.goto(f"{site.as_uri()}/{name}" if "://" not in name else name)
        return page

    yield open_page
    for page in opened:
        page.close()
    assert troubles == []


LECTURES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))


# Moves the first control of each explorer by one stop; says what its picture's words were and are.
MOVE = """async () => {
  const said = [];
  for (const explorer of document.querySelectorAll(".kcourse-explorer")) {
    const control = explorer.querySelector("input"), picture = explorer.querySelector("img"), before = picture.alt;
    if (control.type === "range") {
      control.value = Number(control.value) + (control.value === control.max ? -1 : 1);
      control.dispatchEvent(new Event("input", { bubbles: true }));
    } else explorer.querySelector("input:not(:checked)").click();
    await picture.decode(); // it is there, and it is a picture
    said.push([before, picture.alt, picture.naturalWidth]);
  }
  return said;
}"""


@pytest.mark.parametrize("stems", [LECTURES[:2], pytest.param(LECTURES[2:], marks=pytest.mark.slow)], ids=len)
def test_every_explorer_moves(visit, site, stems):
    moved = 0
    page = visit("index.html", bare=True)
    for name in ["index.html", *(f"notebooks/{stem}.html" for stem in stems)]:
        page.goto(f"{site.as_uri()}/{name}")
        said = page.evaluate(MOVE)
        assert len(said) == page.locator(".kc-moving").count(), name
        assert all(before != after and wide > 400 for before, after, wide in said), name
        moved += len(said)
    assert moved > 2 * len(stems)


def test_problems_by_hand_are_judged_and_drawn_anew_without_a_kernel(visit):
    page = visit("notebooks/ch03_ridge.html")
    drill, said = page.locator(".kc-problems"), page.locator(".kcourse-problems [role=status]")
    first = draw(find("ch03_ridge/left_out"), 0)
    before = drill.locator(".kc-statement").inner_text()
    drill.locator("input").fill(str(first.right[0]))
    drill.locator("input").press("Enter")
    assert said.inner_text() == "Right." and drill.locator("li").count() == 1
    drill.get_by_role("button", name="Another one").press("Enter")
    page.wait_for_function("old => document.querySelector('.kc-statement').innerText !== old", arg=before)
    drill.get_by_role("button", name="Solution").press("Enter")
    page.wait_for_selector(".kc-statement strong:has-text('Solution.')")
    page.wait_for_selector(".kc-statement mjx-container")  # formulas are set anew


@pytest.mark.slow
def test_the_first_page_moves_through_many_settings_and_says_what_it_shows(visit):
    page = visit("index.html")
    slider = page.locator('.kcourse-explorer input[type="range"]')
    assert slider.get_attribute("aria-valuetext") == "80 ms"
    slider.focus()
    page.keyboard.press("Home")
    picture = page.locator(".kcourse-explorer img")
    assert "σ = 0.3" in picture.get_attribute("alt") and "moving/00_start_here" in picture.get_attribute("src")
    page.wait_for_function("() => document.querySelector('.kcourse-spoken').textContent.includes('σ = 0.3')")
    seen = set()
    page.keyboard.press("Home")
    for _ in range(int(slider.get_attribute("max")) + 1):
        seen.add(picture.get_attribute("src"))
        page.keyboard.press("ArrowRight")
    assert len(seen) >= 5


def test_without_javascript_the_first_picture_stands_there(visit):
    page = visit("notebooks/ch03_ridge.html", java_script_enabled=False)
    assert page.locator(".kc-moving > img").count() == 2 and page.locator(".kcourse-explorer").count() == 0


def test_the_search_finds_a_word_and_the_keyboard_gets_there(visit, site):
    page = visit("index.html")
    page.keyboard.press("Control+k")
    page.keyboard.type("representer")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search.html?q=representer*")
    results = page.locator("#search-results li a")
    results.first.wait_for()
    assert any("ch03_ridge" in (link.get_attribute("href") or "") for link in results.all())
    results.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "search.html" not in url)
    # a lecture comes before its plan, the changelog and the contributors' guide; first, the one that defines the term
    for asked, chapter in {"Nyström": "ch07a", "hyperparameter": "ch04", "SMO": "ch06_", "Soft margin": "ch06_",
                           "kernel trick": "ch02"}.items():  # fmt: skip
        page.goto(f"{site.as_uri()}/search.html?q={asked}")
        results.first.wait_for()
        assert results.first.get_attribute("href").startswith(f"notebooks/{chapter}"), asked


@pytest.mark.parametrize(
    "name",
    ["notebooks/ch03_ridge.html",
     *(pytest.param(name, marks=pytest.mark.slow)
       for name in ("index.html", "exercises/ch03_ridge_sheet.html", "api/gp.html", "grading.html"))],
)  # fmt: skip
def test_nothing_runs_out_of_a_phone(visit, name):
    page = visit(name, width=360)
    if name.startswith("notebooks"):
        page.wait_for_selector("body[data-typeset=done]")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    edges = page.locator("div.math, span.math").evaluate_all(
        "all => all.map(e => [e.scrollLeft, e.querySelector('svg')?.getBoundingClientRect().left ?? 0,"
        " getComputedStyle(e).overflowX])"
    )  # a formula that is too wide begins where the page does, and scrolls
    assert all(at == 0 and left >= 0 and over == "auto" for at, left, over in edges if left), edges


def test_on_a_phone_a_picture_fades_where_there_is_more_and_its_controls_stay(visit):
    page = visit("notebooks/00_start_here.html", width=360)
    picture, slider = page.locator(".kc-picture"), page.locator('.kcourse-explorer input[type="range"]')
    page.wait_for_selector(".kc-picture.kc-more[tabindex]")
    before = slider.bounding_box()
    picture.evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    page.wait_for_selector(".kc-picture:not(.kc-more)")
    assert slider.bounding_box() == before and before["x"] + before["width"] <= 360
    page = visit("benchmarks.html", width=360)
    page.wait_for_selector(".pst-scrollable-table-container.kc-more[tabindex='0']")
    table = page.locator(".pst-scrollable-table-container.kc-more").first.element_handle()
    table.evaluate("e => e.scrollTo(e.scrollWidth, 0)")
    page.wait_for_function("e => !e.classList.contains('kc-more')", arg=table)
    assert table.evaluate("e => getComputedStyle(e).maskImage") == "none"  # the last column is seen
    edges = "e => [e, e.querySelector('tr').lastElementChild].map((x) => x.getBoundingClientRect().right)"
    box, last = table.evaluate(edges)
    assert last <= box + 1
    page = visit("index.html", width=390)  # where all is seen, nothing fades
    assert page.locator(".kc-picture").evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.locator(".kc-more").count() == 0


def test_a_formula_says_what_it_is_to_a_screen_reader_and_none_is_left_raw(visit):
    page = visit("notebooks/ch09_rkhs.html")
    page.wait_for_selector("body[data-typeset=done]")
    assert page.locator("mjx-assistive-mml math").count() == page.locator("mjx-container").count() > 100
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0
    text = page.locator("article").evaluate(
        "e => { const c = e.cloneNode(true); c.querySelectorAll('pre, code, script').forEach(x => x.remove());"
        " return c.textContent; }"
    )
    assert not re.findall(r"\$[^$\n]{1,40}\$|\\\(|\\frac|\*\*\w", text)


# ---------------------------------------------------------------- axe-core


def violations(page) -> list[str]:
    """What axe-core finds, all folds open, less what is listed as others'."""
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    page.add_style_tag(content="* { animation: none !important; transition: none !important }")  # half open is grey
    page.evaluate(AXE_SCRIPT)
    # preload reads style sheets by requests, which a page in a folder may not make
    found = page.evaluate("async () => (await axe.run({ preload: false, resultTypes: ['violations'] })).violations")
    return [
        f"{rule['id']}: {node['target']} {node['html'][:120]}"
        for rule in found
        for node in rule["nodes"]
        if (rule["id"], node["target"][-1]) not in UPSTREAM
    ]


@pytest.mark.parametrize(
    ("name", "scheme", "width"),
    [
        ("index.html", "light", 1280), ("notebooks/00_start_here.html", "dark", 1280),
        ("exercises/ch03_ridge_sheet.html", "light", 1280),
        *(pytest.param(*row, marks=pytest.mark.slow) for row in [
            ("study.html", "dark", 1280), ("api/gp.html", "dark", 1280), ("index.html", "dark", 360),
            ("plans/ch03_ridge.html", "light", 1280), ("notebooks/00_start_here.html", "light", 360),
            ("notebooks/ch05_margin.html", "dark", 1280),
        ]),
    ],
)  # fmt: skip
def test_axe_finds_nothing_on_the_site(visit, name, scheme, width):
    page = visit(name, color_scheme=scheme, width=width)
    if "notebooks" in name:
        page.wait_for_selector("body[data-typeset=done]")
    assert violations(page) == []


@pytest.mark.slow
def test_axe_finds_nothing_on_a_deck_all_pages_in_view(visit):
    page = visit(f"slides/{DECK}.html?print-pdf", color_scheme="dark")  # on paper it is light all the same
    page.wait_for_selector("body[data-typeset=done]", state="attached")
    assert violations(page) == []


def answers() -> dict:
    """One answer of each kind: wrong, right, one that raises, none."""

    def no_lambda(K, y, lam):
        return np.linalg.solve(K, y)

    def right(K, y, lam):
        return np.linalg.solve(K + lam * np.eye(len(y)), y)

    def raises(K, y, lam):
        raise ValueError

    def untouched(K, y, lam):
        raise NotImplementedError

    return {f.__name__: run("krr_fit", f, seed=0) for f in (no_lambda, right, raises, untouched)}


# Leaves a page's outputs, in colours that are not the course's, and below them the panels of checks.
ALONE = """(panels) => {
  const main = document.querySelector("main"), own = "[href*=explorer], [href*=paper_problems]";
  document.querySelectorAll(`link[rel=stylesheet]:not(${own})`).forEach((sheet) => sheet.remove());
  main.replaceChildren(main.querySelector("h1"), ...main.querySelectorAll(".cell_output"));
  main.querySelector(".kcourse-problem").textContent = "ValueError: no such width";
  main.insertAdjacentHTML("beforeend", panels);
  document.body.replaceChildren(main);
  document.body.style = "background: #1e1e1e; color: #ccc";
}"""


def test_axe_finds_nothing_on_outputs_and_panels_on_the_dark_ground_of_vs_code_or_colab(visit):
    page = visit("notebooks/ch03_ridge.html")
    page.wait_for_selector(".kcourse-problems button")
    one_of_each = {name: result for name, result in answers().items() if name != "no_lambda"}  # "raises" fails, too
    page.evaluate(ALONE, "".join(map(as_html, one_of_each.values())))
    assert violations(page) == []


@pytest.mark.slow
def test_axe_finds_nothing_on_the_graders_pages(visit, tmp_path):
    results = [asdict(result) for result in answers().values()]
    write_reports([Grade("ada", "ada.ipynb", "ch03_ridge", "graded", results=results[:1], review=["took long"]),
                   Grade("bob", "bob.ipynb", "ch03_ridge", "graded", results=results[1:2], notes=["a note"]),
                   Grade("eve", "eve.ipynb", "", "unreadable")], tmp_path, 1)  # fmt: skip
    feedback = sorted((tmp_path / "feedback").glob("*.html"))
    assert len(feedback) >= 2
    for page in [*feedback[:2], tmp_path / "report.html"]:
        assert violations(visit(page.as_uri())) == []
