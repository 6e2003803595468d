"""Files that outlive a crash: a lock between processes, a write that is whole or not at all, a home to write to.

Standard library only: ``tools/bootstrap.py`` uses this before anything is installed.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# what would be written into the home folder, and the variable that sends it elsewhere
PLACES = {
    "UV_CACHE_DIR": "uv",
    "PIP_CACHE_DIR": "pip",
    "MPLCONFIGDIR": "matplotlib",
    "IPYTHONDIR": "ipython",
    "JUPYTER_CONFIG_DIR": "jupyter/config",
    "JUPYTER_DATA_DIR": "jupyter/data",
    "JUPYTER_RUNTIME_DIR": "jupyter/runtime",
}


@contextmanager
def locked(path: Path, purpose: str, waits: Callable[[str], None]) -> Iterator[int]:
    """Hold the file ``path`` alone; if another process does, tell ``waits`` who, once, and wait.

    The lock is the operating system's and ends with whoever holds it, however they end, so none is ever stale. Gives
    the file's descriptor: a child that inherits it holds the lock too, should it outlive its parent.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if not _take(descriptor):
            waits(_who(descriptor))
            while not _take(descriptor):
                time.sleep(0.2)
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, f"process {os.getpid()}, {purpose}, since {time.strftime('%H:%M')}".encode())
        yield descriptor
    finally:
        os.close(descriptor)


def holder(path: Path) -> str:
    """Who holds the file ``path`` now, as `locked` wrote it; "" if nobody does, or that cannot be seen."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:
        return ""
    try:
        return "" if _take(descriptor) else _who(descriptor) or "another process"
    finally:
        os.close(descriptor)


def _who(descriptor: int) -> str:
    said = os.pread(descriptor, 200, 0) if hasattr(os, "pread") else os.read(descriptor, 200)
    return said.decode(errors="replace")


def _take(descriptor: int) -> bool:
    """Take the lock if it is free; on a file system that has no locks, go on without."""
    if os.name == "nt":
        import msvcrt

        # far behind the text, which others must be able to read: Windows keeps them from what is locked
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(descriptor, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a crash or a full disk leaves the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def home_instead(below: Path) -> dict[str, str]:
    """Variables that send caches, settings and run-time files below a folder, if the home folder cannot be written.

    None if it can; those that the user has set stay as they are. Where there is no home at all, the folder is one.
    """
    home = Path(os.path.expanduser("~"))
    if can_write(home):
        return {}
    folder = below / "home" if can_write(below) else Path(tempfile.mkdtemp(prefix="kcourse-"))
    found = {name: str(folder / place) for name, place in PLACES.items() if not os.environ.get(name)}
    if not home.is_dir():  # one that can only be read may hold settings
        folder.mkdir(exist_ok=True)
        found["USERPROFILE" if os.name == "nt" else "HOME"] = str(folder)
    return found


def can_write(folder: Path) -> bool:
    """Whether a file can be written there, tried with one: rights alone know no quota and no full disk."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?")
            file.flush()
    except OSError:
        return False
    return True
