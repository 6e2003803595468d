"""Safe file access: a lock between processes, atomic writes, a replacement for a home folder that is read-only.

This module uses only the standard library, because ``tools/bootstrap.py`` imports it before anything is installed.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# environment variable -> folder that replaces the default in the home folder
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
    """Lock the file ``path`` exclusively; if another process holds it, call ``waits`` once with its name, and wait.

    The operating system releases the lock when the process ends for any reason, so no lock is ever stale. Yields the
    file descriptor: a child process that inherits it keeps the lock even if the parent ends first.
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
    """Return which process holds the lock on ``path``, as `locked` wrote it; "" if none or not readable."""
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
    """Take the lock if it is free; on a file system without locks, continue without one."""
    if os.name == "nt":
        import msvcrt

        # far after the text, because Windows prevents other processes from reading locked bytes
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
    """Write a file atomically: a crash or a full disk leaves the complete old file or the complete new one."""
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
    """Return environment variables that replace a read-only home: caches, settings and run-time files go ``below``.

    Empty if the home is writable; variables that the user has set are kept. A missing home folder is replaced as well.
    """
    home = Path(os.path.expanduser("~"))
    if can_write(home):
        return {}
    folder = below / "home" if can_write(below) else Path(tempfile.mkdtemp(prefix="kcourse-"))
    found = {name: str(folder / place) for name, place in PLACES.items() if not os.environ.get(name)}
    if not home.is_dir():  # a read-only home is kept, because it may hold settings
        folder.mkdir(exist_ok=True)
        found["USERPROFILE" if os.name == "nt" else "HOME"] = str(folder)
    return found


def can_write(folder: Path) -> bool:
    """Return whether a file can be written there, by writing one: permissions do not show quotas or full disks."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"?")
            file.flush()
    except OSError:
        return False
    return True
