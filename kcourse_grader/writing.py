"""Write result files: atomically, and under names that every file system accepts."""

from __future__ import annotations

import errno
import hashlib
import re
from pathlib import Path

from kcourse.base import files

__all__ = ["CannotWrite", "file_stem", "guarded", "unguarded", "write_whole"]

_RUNS = r"(?=[ '\"]*+[=+\-@\t\r\n＝＋－＠])"  # noqa: RUF001 (spreadsheets also accept the wide signs)
_FORMULA, _GUARD = (re.compile(rf"(^|[;,|\t\r\n]){quote}{_RUNS}") for quote in ("", "'"))


class CannotWrite(RuntimeError):
    """A result cannot be written, for example because the disk is full."""


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically: a reader sees the old file or the new one, even after a power cut."""
    try:
        files.write_whole(path, text.encode("utf-8", "replace"))  # file names may be invalid Unicode
    except OSError as error:
        advice = " Free some disk space." if error.errno in (errno.ENOSPC, errno.EDQUOT) else ""
        raise CannotWrite(f"{path} cannot be written: {error.strerror}.{advice}") from None


def file_stem(student: str, sheet: str | None) -> str:
    """Return a file name for this student and sheet: unique, and valid on every file system."""
    name = f"{student}--{sheet or 'no-sheet'}"
    safe = re.sub(r"^\.|[^\w.-]+", "_", name, flags=re.ASCII)[:100]  # a leading dot would hide the file
    if safe != name or not safe.islower():  # two names could now be equal, at least where case is ignored
        safe += "-" + hashlib.sha256(name.encode(errors="surrogatepass")).hexdigest()[:24]
    return safe


def guarded(cell: str) -> str:
    """Put a quote before whatever a spreadsheet would run as a formula, also after a possible column separator."""
    cell = cell.replace("\r", r"\u000d")  # csv does not quote it, and some readers end a row there
    return cell if re.fullmatch(r"-?\d+(\.\d+)?", cell) else _FORMULA.sub(r"\1'", cell)


def unguarded(cell: str) -> str:
    """Undo `guarded`: return the text of a cell of our tables."""
    return _GUARD.sub(r"\1", cell)
