"""The digest of the code and data that decide on a grade; a grade that was stored with other code is graded again."""

from __future__ import annotations

import hashlib
import platform
from functools import lru_cache
from pathlib import Path

import numpy as np
import scipy

import kcourse

__all__ = ["deciding"]

_PACKAGES = ("kcourse", "kcourse_grader")
# what never decides: figures, programs, and the tables that are written from the grades
_BESIDES = {"lab", "slides", "commands", "commands.py", "release", "reports"}
_READ = {".py", ".csv"}


@lru_cache
def deciding(place: Path | None = None) -> str:
    """Return a digest of all code and data that marks depend on, and of the versions of Python, NumPy and SciPy.

    ``place`` is the folder of both packages, by default of the running ones. A new module counts unless it is excluded
    here.
    """
    place = place or Path(kcourse.__file__).parents[1]
    digest = hashlib.sha256(repr((platform.python_version(), np.__version__, scipy.__version__)).encode())
    for path in sorted(path for package in _PACKAGES for path in (place / package).rglob("*")):
        below = path.relative_to(place)
        wanted = path.suffix in _READ and path.name != "figures.py" and not _BESIDES & set(below.parts)
        if wanted and path.is_file():
            content = path.read_bytes().replace(b"\r\n", b"\n")
            digest.update(f"{below.as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()
