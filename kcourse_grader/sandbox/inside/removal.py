"""Removing what strangers have left: folders nested without an end, closed, sticky, or links in their place."""

from __future__ import annotations

import contextlib
import os
from itertools import count

__all__ = ["empty", "remove"]

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


def remove(folder: str | os.PathLike) -> None:
    """Remove a folder and all that is in it, as far as this user may; nothing is followed."""
    empty(folder)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def empty(folder: str | os.PathLike) -> bool:
    """Remove all that is in a folder; True if nothing is left.

    No path is longer than a name and no call nested: what lies in a folder within is moved up, then that is removed.
    """
    try:
        top = os.open(folder, _FOLDER)
    except OSError:
        return False
    try:
        numbers, before = count(), None
        while names := _names(top):
            if names == before:  # nothing of it could be removed
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
    """Remove a file; or a folder, whose own folders come up instead."""
    try:
        os.unlink(name, dir_fd=top)
        return
    except OSError:  # a folder; or nothing that can be removed, which opening it says
        inside = _open(name, top)
    try:
        for child in _names(inside):
            try:
                os.unlink(child, dir_fd=inside)
            except OSError:
                _let_in(child, inside)  # a folder moves only if it may be written to: its parent is noted in it
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
    """Open the folder to its owner. A link in its place is followed, at worst to something that is this user's."""
    if not os.path.islink(f"/proc/self/fd/{top}/{name}"):
        with contextlib.suppress(OSError):
            os.chmod(name, 0o700, dir_fd=top)


def _free(top: int, numbers: count) -> str:
    """A name that nothing in the folder has."""
    while True:
        name = f".{next(numbers)}"
        if not os.path.lexists(f"/proc/self/fd/{top}/{name}"):
            return name


def _names(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]
