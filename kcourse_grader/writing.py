"""Writing results: files that are there whole or not at all, under names that any file system takes."""

from __future__ import annotations

import errno
import hashlib
import re
from pathlib import Path

from kcourse.base import files

__all__ = ["CannotWrite", "file_stem", "guarded", "unguarded", "write_whole"]

_RUNS = r"(?=[ '\"]*+[=+\-@\t\r\n＝＋－＠])"  # noqa: RUF001 (wide ones run, too)
_FORMULA, _GUARD = (re.compile(rf"(^|[;,|\t\r\n]){quote}{_RUNS}") for quote in ("", "'"))


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


def guarded(cell: str) -> str:
    """Spreadsheets run cells that begin like this, and where the separator is another one, a cell ends inside ours."""
    cell = cell.replace("\r", r"\u000d")  # csv does not quote it, and programs that read tables end a row there
    return cell if re.fullmatch(r"-?\d+(\.\d+)?", cell) else _FORMULA.sub(r"\1'", cell)


def unguarded(cell: str) -> str:
    """What a cell of our tables says."""
    return _GUARD.sub(r"\1", cell)
