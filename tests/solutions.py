"""What stands between the markers of the solutions, and must not reach students."""

from __future__ import annotations

import re
from pathlib import Path

_BLOCK = re.compile(r"### BEGIN SOLUTION\n(.*?)### END SOLUTION", re.DOTALL)


def blocks(source: Path) -> list[list[str]]:
    """Each solution of a sheet's source, line by line, without margins and empty lines."""
    found = _BLOCK.findall(source.read_text(encoding="utf-8"))
    return [[line.strip() for line in block.splitlines() if line.strip()] for block in found]


def secrets(source: Path) -> list[str]:
    """The lines of its solutions, without those that are too short or too general to betray anything."""
    return sorted({line for block in blocks(source) for line in block if len(line) > 15})
