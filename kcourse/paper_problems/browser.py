"""Find a browser on this machine, for printing exams, for tests, for measuring slides."""

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
    """No browser was found, or KCOURSE_CHROMIUM names a missing one."""


def find_browser() -> str:
    """Return the path of Chromium, Chrome or Edge; KCOURSE_CHROMIUM decides, if it is set."""
    chosen = os.environ.get("KCOURSE_CHROMIUM")
    if chosen and not shutil.which(chosen):
        raise NoBrowser(f"KCOURSE_CHROMIUM is {chosen}, but this program does not exist")
    found = next(filter(None, map(shutil.which, [chosen] if chosen else BROWSERS)), None)
    if found is None:
        raise NoBrowser(
            "no Chromium, Chrome or Edge was found (Debian: apt install chromium; or set KCOURSE_CHROMIUM to its path)"
        )
    return found
