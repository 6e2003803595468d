"""An instructor's evening: a folder of sheets, one command, the report opened, from it a student's page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kcourse.checks import exercise
from tests.browser.conftest import find_browser, picture
from tests.grader.notebooks import BLANK, SHEET, SOLVED, as_bytes

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the grader's sandbox needs Linux"),
]
FORGOT = "def krr_fit(K, y, lam):\n    return np.linalg.solve(K, y)\n"
[FORGOTTEN] = [mistake.hint for mistake in exercise("krr_fit").misconceptions if mistake.name == "no lambda"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    find_browser()
    folder = tmp_path_factory.mktemp("class")
    classes = {"ada": SOLVED, "béla": SOLVED | {"krr_fit": FORGOT}, "chen": BLANK}
    for student, answers in classes.items():
        (folder / "handed_in" / student).mkdir(parents=True)
        (folder / "handed_in" / student / f"{SHEET}_sheet.ipynb").write_bytes(as_bytes(answers.values()))
    command = [sys.executable, "-m", "kcourse", "grade", str(folder / "handed_in"), "--out", str(folder / "grades")]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "grades"


def test_the_report_leads_to_a_page_that_names_the_mistake(browser, graded: Path) -> None:
    page = browser.new_page(viewport={"width": 1100, "height": 900})
    outside = []
    page.on("request", lambda request: request.url.startswith("file:") or outside.append(request.url))
    page.goto((graded / "report.html").as_uri())
    assert "3 submissions" in page.locator("main").inner_text()
    picture(page, "instructor-1-report")
    # by keyboard: the fold with those who have less than all points, then one of them
    page.locator("tr:has(code:text-is('krr_fit')) summary").first.focus()
    page.keyboard.press("Enter")
    link = page.locator("tr:has(code:text-is('krr_fit')) details[open] a:has-text('béla')").first
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/feedback/**")
    text = page.locator("main").inner_text()
    assert "krr_fit" in text and FORGOTTEN in text and "ada" not in text and "chen" not in text
    picture(page, "instructor-2-feedback")
    # on a phone nothing runs out of the page
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert outside == []
