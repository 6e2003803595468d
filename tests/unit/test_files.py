"""kcourse.base.files: locks that end with their process, writes that are whole or not at all, a home to write to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kcourse.base import files

HOLDS = """
import sys
from pathlib import Path
from kcourse.base.files import locked
with locked(Path(sys.argv[1]), "a test", print):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds ``tmp_path/lock``."""
    command = [sys.executable, "-c", HOLDS, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline().strip() == b"held"
        yield process
        process.kill()


@pytest.mark.parametrize("end", ["done", "killed"])
def test_a_lock_is_waited_for_and_says_who_holds_it(tmp_path, holder, end):
    said = []

    def waits(who):
        said.append(who)
        holder.kill() if end == "killed" else holder.stdin.close()

    with files.locked(tmp_path / "lock", "us", waits):
        pass
    assert len(said) == 1 and said[0].startswith(f"process {holder.pid}, a test, since ")


def test_a_lock_that_nobody_holds_is_taken_whatever_the_file_says(tmp_path):
    (tmp_path / "lock").write_text("process 1, something, since " + 100 * "long ago ", encoding="utf-8")
    with files.locked(tmp_path / "lock", "us", pytest.fail):
        pass
    with files.locked(tmp_path / "lock", "us again", pytest.fail):
        pass
    assert "us again" in (tmp_path / "lock").read_text(encoding="utf-8")
    assert "long ago" not in (tmp_path / "lock").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="flock")
def test_on_a_file_system_without_locks_one_goes_on(tmp_path, monkeypatch):
    import fcntl

    monkeypatch.setattr(fcntl, "flock", lambda *_: (_ for _ in ()).throw(OSError(37, "No locks available")))
    with files.locked(tmp_path / "lock", "us", pytest.fail):
        pass


def test_a_write_is_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "new folder" / "file"
    files.write_whole(path, b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        with pytest.raises(OSError, match="No space"):
            files.write_whole(path, b"new")
    assert path.read_bytes() == b"old" and list(path.parent.iterdir()) == [path]
    files.write_whole(path, b"new")
    assert path.read_bytes() == b"new"


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in files.PLACES:
        monkeypatch.delenv(name, raising=False)

    def is_(folder: Path | str) -> None:
        monkeypatch.setenv("HOME", str(folder))
        monkeypatch.setenv("USERPROFILE", str(folder))

    return is_


def test_a_home_that_can_be_written_is_used(tmp_path, home):
    home(tmp_path)
    assert files.home_instead(tmp_path) == {} and list(tmp_path.iterdir()) == []


def test_without_a_home_all_goes_below_the_folder_and_what_the_user_set_stays(tmp_path, home, monkeypatch):
    home(tmp_path / "nonexistent")
    monkeypatch.setenv("MPLCONFIGDIR", "/mine")
    found = files.home_instead(tmp_path)
    folder = tmp_path / "home"
    assert found.pop("USERPROFILE" if os.name == "nt" else "HOME") == str(folder) and folder.is_dir()
    assert set(found) == set(files.PLACES) - {"MPLCONFIGDIR"} and not (tmp_path / "nonexistent").exists()
    assert found["JUPYTER_RUNTIME_DIR"] == str(folder / "jupyter/runtime")


def test_where_nothing_can_be_written_a_temporary_folder_does(tmp_path, home, monkeypatch):
    home(tmp_path / "nonexistent")
    monkeypatch.setattr(files.tempfile, "tempdir", str(tmp_path))
    found = files.home_instead(tmp_path / "nor this")
    assert Path(found["MPLCONFIGDIR"]).is_relative_to(tmp_path)
