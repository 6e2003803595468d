"""Writing results: files that are there whole or not at all, under names that any file system takes."""

from __future__ import annotations

import errno
import hashlib
import re
from pathlib import Path

from kcourse.base import files

__all__ = ["CannotWrite", "file_stem", "write_whole"]


class CannotWrite(RuntimeError):
    """A result cannot be written: the disk is full, for one."""


def write_whole(path: Path, text: str) -> None:
    """Write a file so that whoever looks, also after a power cut, sees the old one or the new one."""
    try:
        files.write_whole(path, text.encode("utf-8", "replace"))  # names of files may be no Unicode
    except OSError as error:
        advice = " Make room there." if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        raise CannotWrite(f"{path} cannot be written: {error.strerror}.{advice}") from None


def file_stem(student: str, sheet: str | None) -> str:
    """A name for files about this student and sheet, different for different ones, that any file system takes."""
    name = f"{student}--{sheet or 'no-sheet'}"
    safe = re.sub(r"^\.|[^\w.-]+", "_", name, flags=re.ASCII)[:100]  # with a dot in front nobody would see it
    if safe != name or not safe.islower():  # two may look the same after that, or where case is ignored
        safe += "-" + hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:24]
    return safe
