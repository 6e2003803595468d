"""Decode the names in a zip archive that does not say how they are encoded.

An archive can mark a name as UTF-8. Without the mark, macOS writes UTF-8 all the same, Windows the code page of its
command line, which is 850 in Western Europe, and some programs the code page 1252. Python takes such names for 437.
The rule here: a name that is valid UTF-8 is UTF-8. The other names of an archive have one code page, 850 or 1252,
whichever makes more of them look like names, and 850 if both do. Names in other code pages stay distinct but garbled.
"""

from __future__ import annotations

import os
import re
import zipfile
from collections.abc import Sequence

__all__ = ["names_of"]

_UTF8 = 0x800  # the bit that marks a name as UTF-8
_LETTERS = re.compile(r"[\x20-\x7eäöüåæøçñãõâêîôûáéíóúýàèìòùëïÿœšžÄÖÜÅÆØÇÑÃÕÂÊÎÔÛÁÉÍÓÚÝÀÈÌÒÙËÏŒŠŽß’]*+")
_MIDDLE = re.compile(r"[a-zß-ÿ][À-Þ]")  # a capital that only a wrong code page puts after a small letter


def names_of(infos: Sequence[zipfile.ZipInfo]) -> tuple[list[str], str]:
    """Return the names of an archive's members, and the code page that was guessed for some of them, or ""."""
    names: list[str | bytes] = [_decoded(info) for info in infos]
    unclear = [name for name in names if isinstance(name, bytes)]
    page = max(("cp850", "cp1252"), key=lambda page: sum(_is_likely(name, page) for name in unclear)) if unclear else ""
    return [name if isinstance(name, str) else name.decode(page) for name in names], page


def _decoded(info: zipfile.ZipInfo) -> str | bytes:
    """Return the name, or its bytes if the encoding is not clear."""
    marked = info.flag_bits & _UTF8 or info.filename.isascii()
    if marked or info.filename != info.orig_filename.partition("\0")[0].replace(os.sep, "/"):  # or from an extra field
        return info.filename
    name = info.filename.encode("cp437")
    try:
        return name.decode()
    except UnicodeDecodeError:
        return name


def _is_likely(name: bytes, page: str) -> float:
    """Return whether a name has only usual letters; minus infinity if the code page lacks one of its characters."""
    try:
        text = name.decode(page)
    except UnicodeDecodeError:
        return float("-inf")
    return bool(_LETTERS.fullmatch(text)) and not _MIDDLE.search(text)
