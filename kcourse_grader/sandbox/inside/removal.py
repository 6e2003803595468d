"""Remove what a submission has left behind: deeply nested, closed or sticky folders, or links in their place."""

from __future__ import annotations

import contextlib
import os
from itertools import count

__all__ = ["empty", "remove"]

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


def remove(folder: str | os.PathLike) -> None:
    """Remove a folder and its contents, as far as this user may. Links are not followed."""
    empty(folder)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def empty(folder: str | os.PathLike) -> bool:
    """Remove the contents of a folder; return True if nothing is left.

    The contents of a subfolder are moved up before it is removed, so paths stay short and nothing recurses.
    """
    try:
        top = os.open(folder, _FOLDER)
    except OSError:
        return False
    try:
        numbers, before = count(), None
        while names := _names(top):
            if names == before:  # nothing could be removed
                return False
            before = names
            for name in names:
                with contextlib.suppress(OSError):
                    _lift(name, top, numbers)
        return True
    except OSError:
        return False
    finally:
        os.close(top)


def _lift(name: str, top: int, numbers: count) -> None:
    """Remove a file, or a folder after moving its subfolders up."""
    try:
        os.unlink(name, dir_fd=top)
        return
    except OSError:  # a folder, or something that cannot be removed: then opening it fails
        inside = _open(name, top)
    try:
        for child in _names(inside):
            try:
                os.unlink(child, dir_fd=inside)
            except OSError:
                _let_in(child, inside)  # only a writable folder can be moved, because it records its parent
                os.rename(child, _free(top, numbers), src_dir_fd=inside, dst_dir_fd=top)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _open(name: str, top: int) -> int:
    try:
        inside = os.open(name, _FOLDER, dir_fd=top)
    except PermissionError:
        _let_in(name, top)
        inside = os.open(name, _FOLDER, dir_fd=top)
    with contextlib.suppress(OSError):
        os.fchmod(inside, 0o700)
    return inside


def _let_in(name: str, top: int) -> None:
    """Make the folder accessible to its owner. At worst a link put in its place leads to another file of this user."""
    if not os.path.islink(f"/proc/self/fd/{top}/{name}"):
        with contextlib.suppress(OSError):
            os.chmod(name, 0o700, dir_fd=top)


def _free(top: int, numbers: count) -> str:
    """Return a name that is not used in the folder."""
    while True:
        name = f".{next(numbers)}"
        if not os.path.lexists(f"/proc/self/fd/{top}/{name}"):
            return name


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]
