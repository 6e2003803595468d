"""Removing what strangers have left."""

from __future__ import annotations

import os
import sys

import pytest

from kcourse_grader.sandbox.inside.removal import empty, remove

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no sandbox, and no folder by descriptor")


def nest(folder, depth):
    here = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("file", os.O_CREAT, dir_fd=here))
    os.close(here)


@pytest.mark.slow
def test_deeper_than_any_path_or_stack(tmp_path):
    (tmp_path / "x").mkdir()
    nest(tmp_path / "x", 4000)
    remove(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_closed_sticky_and_wide_folders(tmp_path):
    for mode in (0o000, 0o111, 0o444, 0o555, 0o1555):
        inner = tmp_path / "x" / f"{mode:o}" / "inner"
        (inner / "innermost").mkdir(parents=True)
        inner.chmod(mode)
        inner.parent.chmod(mode)
    for i in range(30):  # wide, and with names like its own
        (tmp_path / "x" / f".{i}" / f".{i + 1}" / "y").mkdir(parents=True)
        (tmp_path / "x" / f".{i}" / "z").write_text("z")
    assert empty(tmp_path / "x") and list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_links_are_removed_and_not_followed(tmp_path):
    (tmp_path / "x" / "y").mkdir(parents=True)
    (tmp_path / "kept").mkdir(mode=0o750)
    (tmp_path / "kept" / "file").write_text("kept")
    for place in ("x/link", "x/y/link", "link"):
        (tmp_path / place).symlink_to(tmp_path / "kept")
    assert empty(tmp_path / "x") and not empty(tmp_path / "link")
    assert (tmp_path / "kept" / "file").read_text() == "kept" and (tmp_path / "kept").stat().st_mode & 0o777 == 0o750


def test_what_cannot_be_removed_is_told(tmp_path, monkeypatch):
    (tmp_path / "x" / "y").mkdir(parents=True)

    def refuse(name, **more):
        raise PermissionError(name)

    monkeypatch.setattr(os, "rmdir", refuse)
    assert not empty(tmp_path / "x") and not empty(tmp_path / "nowhere")
