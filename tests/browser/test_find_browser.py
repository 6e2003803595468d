"""Which browser is taken, and what is said without one."""

from __future__ import annotations

import sys

import pytest

from tests.browser.conftest import find_browser


def test_a_chosen_browser_that_is_not_there_is_an_error_that_names_it(monkeypatch, tmp_path):
    monkeypatch.setenv("KCOURSE_CHROMIUM", str(tmp_path / "chromium"))
    with pytest.raises(pytest.fail.Exception, match=r"KCOURSE_CHROMIUM is set to .*chromium"):
        find_browser()


def test_a_chosen_browser_is_taken(monkeypatch):
    monkeypatch.setenv("KCOURSE_CHROMIUM", sys.executable)
    assert find_browser() == sys.executable
