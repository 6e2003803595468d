"""The browser of this machine: for exams on paper, for tests, for measuring decks."""

from __future__ import annotations

import os
import shutil

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync")  # fmt: skip


class NoBrowser(RuntimeError):
    """There is none, or the one that was named is not there."""


def find_browser() -> str:
    """The path of a Chromium, Chrome or Edge; the one that KCOURSE_CHROMIUM names, if it is set."""
    chosen = os.environ.get("KCOURSE_CHROMIUM")
    if chosen and not shutil.which(chosen):
        raise NoBrowser(f"KCOURSE_CHROMIUM is set to {chosen}, and there is no program there")
    found = next(filter(None, map(shutil.which, [chosen] if chosen else BROWSERS)), None)
    if found is None:
        raise NoBrowser(
            "no Chromium, Chrome or Edge found (Debian: apt install chromium; or set KCOURSE_CHROMIUM to its path)"
        )
    return found
