"""JupyterLab, started as a reader starts it on a copy of the course, and a browser in front of it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from kcourse.paper_problems import browser as installed
from kcourse.paper_problems.browser import QUIET
from tests.timeouts import scaled

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "course"


def find_browser() -> str:
    """The browser of this machine; without one the test is skipped, but never in CI or where one was named."""
    try:
        return installed.find_browser()
    except installed.NoBrowser as problem:
        if os.environ.get("CI") or os.environ.get("KCOURSE_CHROMIUM"):
            pytest.fail(str(problem))
        pytest.skip(str(problem))


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running JupyterLab on a copy of the course: ``kcourse lab`` opens that copy's ``my_work``."""
    find_browser()
    course = tmp_path_factory.mktemp("course")
    for folder in ("notebooks", "exercises"):
        shutil.copytree(ROOT / folder, course / folder, ignore=shutil.ignore_patterns(".ipynb_checkpoints", "src"))
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "kcourse", "lab", "--no-browser", "--port", str(port),
               f"--IdentityProvider.token={TOKEN}", "--ServerApp.port_retries=0"]  # fmt: skip
    log = course / "lab.log"
    with log.open("w") as out:
        server = subprocess.Popen(command, cwd=course, stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        deadline = time.monotonic() + scaled(60)
        while True:
            try:
                urllib.request.urlopen(f"{address}/api?token={TOKEN}", timeout=2).close()
                break
            except OSError:
                if server.poll() is not None or time.monotonic() > deadline:
                    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-2000:]}")
                time.sleep(0.2)
        yield address
    finally:
        if hasattr(os, "killpg"):
            os.killpg(server.pid, signal.SIGTERM)
        else:
            server.terminate()
        server.wait(scaled(20))


def picture(page, name: str) -> None:
    """Keep what a person sees, for whoever looks at a run of CI: `.build/pictures`, which the workflow stores."""
    folder = ROOT / ".build" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")


@pytest.fixture(scope="module")
def browser() -> Iterator:
    """One for all tests of a file; longer it must not run, since its event loop is in the way of others."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_browser(), args=list(QUIET))
        yield running
        running.close()


@pytest.fixture
def page(browser, lab: str) -> Iterator:
    """A page whose every request is seen: ``page.outside`` lists those that left this machine."""
    tab = browser.new_page(viewport={"width": 1400, "height": 1000})  # with cookies and storage of its own
    tab.set_default_timeout(scaled(120_000))  # a busy machine is slow, not wrong
    tab.outside, ours = [], (lab, "data:", "blob:", lab.replace("http", "ws"))
    tab.on("request", lambda r: r.url.startswith(ours) or tab.outside.append(r.url))
    yield tab
    tab.close()
