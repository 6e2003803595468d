"""The edition that runs in a browser alone: it is built, boots, opens the course, and each kernel asks for our wheel.

What cannot be tried without the public network is what comes from there: Pyodide, and NumPy for it.
"""

from __future__ import annotations

import functools
import json
import os
import threading
import zipfile
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kcourse.paper_problems.browser import QUIET
from tests.browser.conftest import find_browser
from tools import lite

pytestmark = pytest.mark.weekly
PYODIDE = "https://cdn.jsdelivr.net/pyodide/"


@pytest.fixture(scope="module")
def edition(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return lite.build(tmp_path_factory.mktemp("dist") / "lite", say=lambda _: None)
    except lite.LiteError as problem:
        if "needs the network" in str(problem) and not os.environ.get("CI"):
            pytest.skip(str(problem))
        raise


@pytest.fixture
def address(edition: Path) -> Iterator[str]:
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(edition))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_it_holds_the_course_and_no_solution(edition: Path) -> None:
    names = {path.relative_to(edition / "files").as_posix() for path in (edition / "files").rglob("*.ipynb")}
    assert {"notebooks/00_start_here.ipynb", "exercises/ch03_ridge_sheet.ipynb"} <= names
    assert len(names) > 20 and not any(name.startswith("solutions") for name in names)
    for name in names:
        assert b"BEGIN SOLUTION" not in (edition / "files" / name).read_bytes()


def test_each_kernel_starts_with_the_library(edition: Path) -> None:
    settings = json.loads((edition / "jupyter-lite.json").read_text(encoding="utf-8"))["jupyter-config-data"]
    packages = settings["litePluginSettings"][lite.KERNEL]["loadPyodideOptions"]["packages"]
    wheels = [name.rpartition("/")[2] for name in packages if name.endswith(".whl")]
    for wheel in wheels:
        assert zipfile.is_zipfile(edition / "pypi" / wheel) and wheel.endswith("-none-any.whl")
    assert {w.partition("-")[0] for w in wheels} >= {"kcourse", "anywidget", "ipywidgets"}
    # the sliders need their half in the browser; nothing of an author's environment has come along
    extensions = {entry["name"] for entry in settings["federated_extensions"]}
    assert {"anywidget", "@jupyter-widgets/jupyterlab-manager"} <= extensions and "@jupyter/nbgrader" not in extensions


def test_it_boots_and_opens_the_course(address: str) -> None:
    from playwright.sync_api import sync_playwright

    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(120_000)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_request(lambda request: request.url.startswith(PYODIDE)):  # a kernel begins to start
            page.goto(f"{address}/index.html")
            page.get_by_role("heading", name="Kernel methods: start here").wait_for()
        page.locator("img[alt*='measured points'], .jp-OutputArea img").first.wait_for()
        outside = {url for url in asked if not url.startswith((address, "data:", "blob:"))}
        assert outside and all(url.startswith(PYODIDE) for url in outside), outside
        browser.close()
